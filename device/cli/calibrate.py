"""`pipwatch calibrate`: a camera's lens, the look of a piece set, and whether the table is found."""

import argparse
import json
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.marker_side import MARKER_MM
from device.cli import UserError
from device.cli.marker_option import add_marker_mm, marker_mm

if TYPE_CHECKING:
    from calibration.aruco import Grey
    from calibration.lens import LensFit
    from calibration.profiles import CameraProfile
    from calibration.table_finder import Table
    from calibration.table_view import Picture

_USUAL_HEIGHT_MM = {"domino": 8.0, "coin": 3.0, "tile": 6.0, "die": 16.0, "pawn": 25.0, "soldier": 45.0}


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command and what it can do."""
    p = commands.add_parser(
        "calibrate",
        help="learn a lens or a piece set from photos, check that the table is found",
        description="lens: what the camera's lens does, from photos of the lens board. "
        "set: how the pieces of a set look, from one or two photos of them between the markers. "
        "check: whether the table is found in photos, and how exactly.",
    )
    kinds = p.add_subparsers(dest="what", required=True, metavar="WHAT")
    _add_lens(kinds)
    _add_set(kinds)
    _add_check(kinds)


def _add_lens(kinds: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    lens = kinds.add_parser(
        "lens",
        help="from ten or more photos of the lens board (pipwatch print charuco)",
        description="Hold the lens board before the camera from ten or more sides, aslant, and into every "
        "corner of the picture. Without a board: five or more photos of the table's markers from different "
        "sides.",
    )
    lens.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    lens.add_argument(
        "--markers", action="store_true", help="the photos show the table's markers, no lens board"
    )
    lens.add_argument("--title", default="", help="what to call the camera")
    lens.add_argument(
        "-o", "--out", type=Path, metavar="FILE.toml",
        help="the camera's profile; without it the box that is here knows its own lens from then on",
    )  # fmt: skip
    lens.add_argument(
        "--of",
        metavar="CAMERA",
        help="which of the box's cameras that is, as picamera or webcam:046d:0825 (its usual)",
    )
    _add_table_options(lens)
    lens.set_defaults(run=_reported(run_lens))


def _add_set(kinds: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    pieces = kinds.add_parser(
        "set",
        help="from one or two photos of pieces lying between the markers",
        description="Lay several pieces of one kind apart from one another between the markers, on a plain "
        "table. Two photos from different sides also tell how high the pieces are.",
    )
    pieces.add_argument("images", nargs="+", type=Path, metavar="PHOTO")
    pieces.add_argument("--kind", default="domino", choices=sorted(_USUAL_HEIGHT_MM), help="default domino")
    pieces.add_argument("--height-mm", type=float, default=None, help="from the table to the top of a piece")
    pieces.add_argument("--title", default="", help="what to call the set")
    pieces.add_argument(
        "-o",
        "--out",
        type=Path,
        required=True,
        metavar="FILE.toml",
        help="the set; one that exists is added to",
    )
    _add_table_options(pieces)
    pieces.set_defaults(run=_reported(run_set))


def _add_check(kinds: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    check = kinds.add_parser(
        "check",
        help="find the table in photos of one mounted camera",
        description="Find the table in one or more photos that a mounted camera took, and say how exactly.",
    )
    check.add_argument("images", nargs="+", type=Path, metavar="IMAGE")
    check.add_argument("--json", action="store_true", help="one JSON object instead of words")
    _add_table_options(check)
    check.set_defaults(run=_reported(run_check))


def _add_table_options(p: argparse.ArgumentParser) -> None:
    p.add_argument("--camera", default="unknown", help="a camera's name, or its profile FILE.toml")
    add_marker_mm(p, "edge of a marker's black square as printed (32); with --bar-mm, as the sheet says")
    p.add_argument(
        "--bar-mm", type=float, default=100.0, metavar="N", help="what the printed bar measures (100)"
    )


def _reported(run: Callable[[argparse.Namespace], int]) -> Callable[[argparse.Namespace], int]:
    """``run`` with what calibration refuses told as the user's one sentence."""

    def told(arguments: argparse.Namespace) -> int:
        try:
            from calibration.camera_errors import CalibrationError
        except ModuleNotFoundError as error:
            raise UserError(f"calibration needs {error.name}: pip install 'pipwatch[pc]'") from error
        try:
            # A size that is none is refused before photos are looked at, which takes long.
            arguments.side_mm = _side_mm(arguments)
            return run(arguments)
        except CalibrationError as error:
            raise UserError(str(error)) from error
        except ModuleNotFoundError as error:
            raise UserError(f"calibration needs {error.name}: pip install 'pipwatch[pc]'") from error

    return told


def run_lens(arguments: argparse.Namespace) -> int:
    """Make a camera profile from photos of the lens board, or of the markers."""
    from calibration import toml
    from calibration.lens import lens_from_markers
    from calibration.profiles import CameraProfile
    from device.cli import for_the_box

    with for_the_box.looked_into():
        out = arguments.out or _of_the_box(arguments.of)
    if arguments.out is not None:
        _check_out(out)
    found: LensFit
    if arguments.markers:
        greys = [_grey(path) for path in arguments.images]
        if len(greys) < 4:
            raise UserError(
                f"{len(greys)} photos of the markers are too few: take at least 4 from different sides"
            )
        guess = replace(_profile(arguments), lens=None)
        size = (greys[0].shape[1], greys[0].shape[0])
        found = lens_from_markers(greys, guess.knowledge(size), arguments.side_mm)
    else:
        found = _lens_from_board(arguments.images)
    title = arguments.title or out.stem
    profile = CameraProfile(
        title=title,
        horizontal_deg=round(found.lens.horizontal_deg, 2),
        lens=found.lens,
        rms_px=round(found.rms_px, 3),
    )
    (_write if arguments.out is not None else _keep)(out, toml.dump(profile))
    print(
        f"{out}: {found.lens.horizontal_deg:.1f} degrees wide, from {found.shots} photos, "
        f"off by {found.rms_px:.2f} px, focal length sure to {100 * found.focal_doubt:.2f} %"
    )
    return 0


def _lens_from_board(images: Sequence[Path]) -> "LensFit":
    from calibration.lens import coverage, is_new, lens_from_board
    from calibration.lens_board import BoardShot, find_board

    shots: list[BoardShot] = []
    for path in images:
        shot = find_board(_grey(path))
        if shot is None:
            print(f"{path.name}: the lens board cannot be seen well enough", file=sys.stderr)
        elif not is_new(shot, shots):
            print(f"{path.name}: the board is where it was in another photo", file=sys.stderr)
        else:
            shots.append(shot)
            print(
                f"{path.name}: {len(shot.seen_px)} corners; next: {coverage(shots).advice}", file=sys.stderr
            )
    found = lens_from_board(shots)
    seen = coverage(shots)
    if not seen.is_enough:
        print(f"the lens could be better: {seen.advice}", file=sys.stderr)
    return found


def run_set(arguments: argparse.Namespace) -> int:
    """Learn how one kind of piece looks and write it into a set."""
    from calibration import toml
    from calibration.learned_look import height_from, learn_look
    from calibration.profiles import PieceSet

    _check_out(arguments.out)
    if len(arguments.images) > 2:
        raise UserError(f"one or two photos are enough, not {len(arguments.images)}")
    # An existing set is read before the photos: a broken one must not cost the user a minute.
    known = toml.read(arguments.out, PieceSet) if arguments.out.exists() else PieceSet(arguments.title)
    shots = [
        (picture, _table_of([_to_grey(picture)], arguments)) for picture in map(_picture, arguments.images)
    ]
    height = arguments.height_mm
    if height is None and len(shots) == 2:
        height = height_from(shots[0], shots[1])
    if height is None:
        height = _USUAL_HEIGHT_MM[arguments.kind]
        print(f"taking {height:g} mm for the height; give --height-mm if that is wrong", file=sys.stderr)
    if not 0 < height <= 100:
        raise UserError(f"--height-mm should be more than 0 and at most 100, not {height:g}")
    look, count = learn_look(shots, height)
    title = arguments.title or known.title or arguments.out.stem
    learned = replace(known, title=title, pieces={**known.pieces, arguments.kind: look})
    _write(arguments.out, toml.dump(learned))
    print(
        f"{arguments.out}: {arguments.kind} of {look.size_mm[0]:g}×{look.size_mm[1]:g} mm, "
        f"{look.height_mm:g} mm high, {len(look.mark_rgb)} colours of marks, from {count} pieces"
    )
    return 0


def run_check(arguments: argparse.Namespace) -> int:
    """Find the table and say how exactly."""
    import numpy as np

    table = _table_of([_grey(path) for path in arguments.images], arguments)
    camera = table.camera
    numbers = [place.number for place in table.markers]
    width, depth = (float(v) for v in np.ptp(table.outline_mm, axis=0))
    doubt = max(table.doubt_mm((float(x), float(y)), 10.0) for x, y in table.outline_mm)
    if arguments.json:
        answer = {
            "markers": numbers,
            "mm_per_px": round(camera.mm_per_px(), 4),
            "rms_px": round(table.rms_px, 3),
            "tilt_deg": round(camera.pose.tilt_deg, 2),
            "eye_mm": [round(float(v), 1) for v in camera.pose.eye_mm],
            "horizontal_deg": round(camera.lens.horizontal_deg, 2),
            "doubt_mm": round(doubt, 2),
            "places": [
                {
                    "id": p.number,
                    "centre_mm": [round(v, 2) for v in p.centre_mm],
                    "angle_deg": round(p.angle_deg, 2),
                }
                for p in table.markers
            ],
        }
        print(json.dumps(answer))
        return 0
    print(f"table found by markers {', '.join(map(str, numbers))}, off by {table.rms_px:.2f} px")
    print(f"{width:.0f} × {depth:.0f} mm within the markers, {camera.mm_per_px():.2f} mm a pixel")
    print(f"camera {camera.pose.eye_mm[2]:.0f} mm up, tilted by {camera.pose.tilt_deg:.0f} degrees")
    if table.focal_doubt:
        print(f"lens not calibrated: a piece 10 mm high may seem {doubt:.1f} mm off at a corner of the table")
    return 0


def _table_of(greys: "Sequence[Grey]", arguments: argparse.Namespace) -> "Table":
    from calibration.table_finder import find_table

    first = greys[0]
    knowledge = _profile(arguments).knowledge((first.shape[1], first.shape[0]))
    return find_table(greys, knowledge, side_mm=arguments.side_mm)


def _profile(arguments: argparse.Namespace) -> "CameraProfile":
    from calibration.profiles import camera_profile

    return camera_profile(arguments.camera)


def _side_mm(arguments: argparse.Namespace) -> float:
    """The marker's side on the paper, whatever scale it was printed at."""
    from calibration.mats import print_scale

    side, scale = marker_mm(arguments) or MARKER_MM, print_scale(arguments.bar_mm)
    sees_markers = arguments.what != "lens" or arguments.markers
    if sees_markers and abs(scale - 1) >= 0.004:
        print(
            f"the sheets were printed at {100 * scale:g} %: reckoning with markers of "
            f"{side * scale:.2f} mm; print at 'actual size' to be rid of this",
            file=sys.stderr,
        )
    return side * scale


def _picture(path: Path) -> "Picture":
    import cv2
    import numpy as np

    try:
        data = np.frombuffer(path.read_bytes(), dtype=np.uint8)
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}") from error
    picture = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    if picture is None:
        raise UserError(f"{path} is no picture that can be read: save it as JPEG or PNG")
    return np.asarray(picture, dtype=np.uint8)


def _to_grey(picture: "Picture") -> "Grey":
    import cv2
    import numpy as np

    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def _grey(path: Path) -> "Grey":
    return _to_grey(_picture(path))


def _check_out(out: Path) -> None:
    if out.suffix != ".toml":
        raise UserError(f"{out.name} should end in .toml")
    if not out.parent.is_dir():
        raise UserError(f"the folder {out.parent} is not there")


def _of_the_box(camera: str | None) -> Path:
    """Where the box of this machine, or of this user, keeps what is known of a camera's lens."""
    from calibration.camera_errors import BadProfileFile
    from device.cameras.naming import called_now, chosen
    from device.cameras.usb_names import maybe
    from device.cli import for_the_box
    from device.lenses import lens_file, lens_of
    from device.live.source_name import source_name
    from device.settings import load

    try:
        name = source_name(called_now(camera)) if camera else chosen(load(None).camera)
    except (ValueError, BadProfileFile) as wrong:
        raise UserError(f"{str(wrong).rstrip('.')}.") from None
    if name is not None and (alike := maybe(name.rest)):
        named = " or ".join(f"--of webcam:{one.name}" for one in alike)
        raise UserError(f"which camera is {name.text}? Only its socket can tell: say {named}")
    if name is not None and "@" in name.rest:
        print(f"{name.text} is known by its socket alone: leave it there", file=sys.stderr)
    own = name is not None and name.kind in ("picamera", "webcam")
    path = lens_file(lens_of(name.text)) if own and name is not None else None
    if path is None:
        raise UserError("which camera is it? Say --of picamera or --of webcam:NAME, or -o FILE.toml")
    return for_the_box.STATE / "calibration" / path.name if for_the_box.is_meant() else path


def _keep(out: Path, text: str) -> None:
    """Give it to the box."""
    from device.cli import for_the_box

    if for_the_box.is_meant():
        for_the_box.write(out, text)
        return
    out.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    _write(out, text)


def _write(out: Path, text: str) -> None:
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UserError(f"{out} cannot be written: {error.strerror}") from error
