"""`pipwatch mount`: how high a camera hangs over a game's table, what one gets there, and a drawing of it."""

import argparse
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.marker_side import MARKER_MM
from device.cli import UserError
from device.cli.marker_option import add_marker_mm, marker_mm
from engine import GAMES
from engine.plain import JsonObject

if TYPE_CHECKING:
    from calibration.mounting import AtHeight, MountGuide
    from calibration.plan import TablePlan
    from calibration.profiles import CameraProfile

_SOME_DEG = 0.5
"""Less is not worth a line."""
_DRAWN = (".svg", ".pdf")


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    p = commands.add_parser(
        "mount",
        help="how high the camera hangs over a game's table, and a drawing of it",
        description="How high a camera hangs so that it sees the whole mat and can still read every piece; "
        "computed from its data sheet and the table plan. With --height, what one gets at a height.",
    )
    p.add_argument("--game", required=True, choices=(*GAMES, "all"), help="which table")
    p.add_argument(
        "--camera", required=True, metavar="NAME", help="a camera's name, or its profile FILE.toml"
    )
    p.add_argument("--size", metavar="W×H", help="the picture that is read (the camera's largest)")
    p.add_argument("--height", metavar="MM", help="from the table to the lens: what one gets there")
    add_marker_mm(p)
    p.add_argument("--json", action="store_true", help="as one JSON object")
    p.add_argument("-o", "--out", type=Path, metavar="FILE.svg|pdf", help="draw it, for one game")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Tell it, and draw it where that is asked for."""
    try:
        from calibration.camera_errors import CalibrationError
        from calibration.plan import plan_of
    except ModuleNotFoundError as error:
        raise UserError(f"the guide needs {error.name}: pip install 'pipwatch[pc]'") from error
    _check_out(arguments)
    games = GAMES if arguments.game == "all" else (arguments.game,)
    try:
        profile = _profile(arguments.camera)
        told = [_guided(plan_of(game), profile, arguments) for game in games]
    except CalibrationError as error:
        raise UserError(str(error)) from error
    if arguments.json:
        answers = [_data(found, at) for _, found, at in told]
        print(json.dumps({"guides": answers}, ensure_ascii=False))
    else:
        print("\n\n".join("\n".join(_lines(found, at)) for _, found, at in told))
    if arguments.out is not None:
        _draw(*told[0], arguments)
        print(f"{arguments.out}: the drawing", file=sys.stderr)
    return 0


def _profile(name: str) -> "CameraProfile":
    from calibration.profiles import camera_profile

    return camera_profile(name)


def _guided(
    plan: "TablePlan", profile: "CameraProfile", arguments: argparse.Namespace
) -> "tuple[TablePlan, MountGuide, AtHeight]":
    from calibration.mounting import at_height, guide, hanging

    size, side = _size(arguments.size), marker_mm(arguments) or MARKER_MM
    found = guide(plan, profile, size, marker_mm=side)
    height = _height(arguments.height)
    if height is None:
        return plan, found, found.best
    return plan, found, at_height(hanging(plan, profile, size, marker_mm=side), height)


def _size(text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    parts = re.fullmatch(r"(\d{2,5})\s*[x×X*]\s*(\d{2,5})", text.strip())
    if parts is None:
        raise UserError(f"--size should be a width and a height in pixels such as 1920x1080, not {text!r}")
    return int(parts[1]), int(parts[2])


def _height(text: str | None) -> float | None:
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        raise UserError(f"--height should be a number of millimetres such as 900, not {text!r}") from None


def _lines(found: "MountGuide", at: "AtHeight") -> Iterator[str]:
    size, watched = ("×".join(map(str, pair)) for pair in (found.size_px, found.watch_px))
    yield f"{found.game}: {found.camera}, pictures of {size}, watched at {watched}"
    yield from _heights(found, at)
    wide, deep = at.field_mm
    mat = f"{found.mat_mm[0]:.0f} × {found.mat_mm[1]:.0f} mm"
    yield f"  at {at.height_mm:g} mm the picture shows {wide:.0f} × {deep:.0f} mm; the mat has {mat}"
    way = "short" if found.turned else "long"
    yield f"  the long side of the picture goes along the {way} side of the mat"
    if at.lean_deg >= _SOME_DEG:
        yield (
            f"  it may hang {at.aside_mm:.0f} mm off the middle "
            f"or look {at.lean_deg:.0f}° off straight down, or half of each"
        )
    yield f"  {'':<16}{'size':>10}{'pixels':>9}{'needs':>8}{'watched':>10}"
    for px in at.pixels:
        yield (
            f"  {px.name:<16}{px.size_mm:>7.1f} mm{px.full_px:>9.1f}{px.least_px:>8.1f}{px.watch_px:>10.1f}"
            f"{'' if px.enough else '  too few'}"
        )
    yield "  needs: of the full picture, which is read; markers need it in the one that is watched, too"


def _heights(found: "MountGuide", at: "AtHeight") -> Iterator[str]:
    if at.height_mm == found.best.height_mm and found.fits:
        yield f"  hang the lens {at.height_mm:g} mm above the table"
    if found.fits:
        low, high = found.lowest_mm, found.highest_mm
        yield f"  {low:.0f} to {high:.0f} mm will do: lower, {found.lowest_why};"
        yield f"  higher, {found.highest_why}"
    for remark in dict.fromkeys((*at.remarks, *found.remarks)):
        yield f"  ! {remark}"
    if at.sharp is None:
        yield "  from where on the lens is sharp is not known: try it before you screw anything down"


def _data(found: "MountGuide", at: "AtHeight") -> JsonObject:
    guided: JsonObject = {
        "game": found.game,
        "camera": found.camera,
        "size": [*found.size_px],
        "watched": [*found.watch_px],
        "turned": found.turned,
        "mat_mm": [*found.mat_mm],
        "fits": found.fits,
        "lowest_mm": round(found.lowest_mm, 1),
        "lowest_why": found.lowest_why,
        "highest_mm": round(found.highest_mm, 1),
        "highest_why": found.highest_why,
        "best_mm": round(found.best.height_mm, 1),
        "remarks": [*found.remarks],
    }
    return {**guided, "at": _data_at(at)}


def _data_at(at: "AtHeight") -> JsonObject:
    return {
        "height_mm": round(at.height_mm, 1),
        "field_mm": [round(mm, 1) for mm in at.field_mm],
        "px_a_mm": round(at.px_a_mm, 3),
        "sees_all": at.sees_all,
        "sharp": at.sharp,
        "lean_deg": round(at.lean_deg, 1),
        "aside_mm": round(at.aside_mm, 1),
        "remarks": [*at.remarks],
        "pixels": [
            {
                "name": px.name,
                "size_mm": round(px.size_mm, 2),
                "full": round(px.full_px, 1),
                "watched": round(px.watch_px, 1),
                "needs": round(px.least_px, 1),
                "enough": px.enough,
            }
            for px in at.pixels
        ],
    }


def _check_out(arguments: argparse.Namespace) -> None:
    """What cannot be drawn is told before anything else is."""
    if arguments.out is None:
        return
    if arguments.game == "all":
        raise UserError(f"-o draws one table: say --game with one of {', '.join(GAMES)}")
    if arguments.out.suffix not in _DRAWN:
        raise UserError(f"{arguments.out.name} should end in .svg or .pdf")


def _draw(plan: "TablePlan", found: "MountGuide", at: "AtHeight", arguments: argparse.Namespace) -> None:
    side = marker_mm(arguments) or MARKER_MM
    if arguments.out.suffix == ".svg":
        from calibration.mount_drawing import mount_svg

        data = mount_svg(plan, found, at, side).encode()
    else:
        try:
            from calibration.mount_printing import mount_pdf
        except ModuleNotFoundError as error:
            raise UserError(
                f"a PDF needs {error.name}, which is not installed: pip install 'pipwatch[pc,print]'; "
                "an SVG needs nothing"
            ) from error
        data = mount_pdf(plan, found, at, side)
    try:
        arguments.out.write_bytes(data)
    except OSError as error:
        raise UserError(f"{arguments.out} cannot be written: {error.strerror}") from error
