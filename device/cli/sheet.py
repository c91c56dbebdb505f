"""`pipwatch sheet`: photos of filled Kingdomino Duel maps, read and scored."""

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from device.cli import UserError
from engine.kingdomino_duel.edition import COATS, coat_words
from engine.kingdomino_duel.kingdom import NAMES
from engine.kingdomino_duel.sheet import Sheet, compare
from engine.plain import JsonObject

if TYPE_CHECKING:
    from vision.sheet_cells import Floats, Picture
    from vision.sheet_decoder import ReadMap, ReadSquare


@dataclass(frozen=True)
class ReadPhoto:
    """A photo and the maps on it, from left to right."""

    path: Path
    image: "Picture"
    maps: "tuple[tuple[ReadMap, Floats], ...]"
    """Each map with the corners of its squares."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    p = commands.add_parser(
        "sheet",
        help="photos of filled Duel maps: what is drawn, each domain, the score",
        description="Read filled maps of Kingdomino Duel in photos (JPEG or PNG): our own printed sheets, or "
        "any grid of 5×7 boxes with a castle in the middle. Squares whose reading could change the score are "
        "named as doubts.",
    )
    p.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="photos, each with one map or more")
    p.add_argument("--json", action="store_true", help="one JSON object a line, a photo each")
    p.add_argument("--annotate", type=Path, metavar="DIR", help="write each map there with what was read")
    p.add_argument(
        "--corners", nargs=4, default=None, metavar="X,Y",
        help="where the map's corners lie in the photo, clockwise from its upper left, if it is not found",
    )  # fmt: skip
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read photo after photo; a bad one is told and the others are read all the same."""
    corners = None if arguments.corners is None else _corners(arguments.corners)
    bad = 0
    for path in arguments.images:
        try:
            photo = _read(path, corners)
            if arguments.annotate is not None:
                _annotate(photo, arguments.annotate)
        except UserError as error:
            print(f"pipwatch sheet: {error}", file=sys.stderr)
            bad += 1
            continue
        print(json.dumps(_json(photo), ensure_ascii=False) if arguments.json else "\n".join(_text(photo)))
    return 2 if bad else 0


def _corners(written: Sequence[str]) -> list[tuple[float, float]]:
    try:
        pairs = [tuple(float(part) for part in one.split(",")) for one in written]
        corners = [(x, y) for x, y in pairs]
    except ValueError:
        raise UserError(
            "--corners: give four places as X,Y in pixels, clockwise from the upper left"
        ) from None
    turns = [
        (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
        for (ax, ay), (bx, by), (cx, cy) in zip(
            corners, corners[1:] + corners[:1], corners[2:] + corners[:2], strict=True
        )
    ]
    if not all(turn > 0 for turn in turns):
        raise UserError("--corners: these four places are no outline that runs clockwise around a map")
    return corners


def _read(path: Path, corners: list[tuple[float, float]] | None) -> ReadPhoto:
    from device.untrusted_picture import BadPicture, load_picture

    try:
        image = load_picture(path)
    except BadPicture as error:
        raise UserError(str(error)) from error
    from vision.sheet_decoder import decode
    from vision.sheet_finder import find_sheets, from_outline
    from vision.sheet_reader import sheet_reader

    if corners is None:
        found = find_sheets(image)
        sheets, spellbooks = found.maps, found.spellbooks
    else:
        import numpy as np

        sheets, spellbooks = (from_outline(np.array(corners)),), 0
    readings = [reading for sheet in sheets if (reading := sheet_reader().read(image, sheet)) is not None]
    if not readings:
        also = " (only a spellbook)" if spellbooks else ""
        raise UserError(
            f"{path} shows no map of five rows of seven squares around a castle{also}: photograph the whole "
            "sheet from above, or give its --corners"
        )
    maps = tuple((decode(r.coats, r.crosses, r.roof), r.corners) for r in readings)
    return ReadPhoto(path, image, maps)


def _annotate(photo: ReadPhoto, folder: Path) -> None:
    import cv2

    from vision.sheet_picture import drawn_in

    for number, (read, corners) in enumerate(photo.maps):
        suffix = f"-{number + 1}" if number else ""
        target = folder / f"{photo.path.stem}-read{suffix}.png"
        done, data = cv2.imencode(".png", drawn_in(photo.image, corners, read))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data.tobytes() if done else b"")
        except OSError as error:
            raise UserError(f"{target} cannot be written: {error.strerror}") from error


def _json(photo: ReadPhoto) -> JsonObject:
    """The first map's keys at the top, as the contract has them; further maps under ``more``."""
    height, width = photo.image.shape[:2]
    first, *others = [_map_json(read, corners) for read, corners in photo.maps]
    told: JsonObject = {"image": str(photo.path), "size": [width, height], **first}
    if others:
        told["more"] = list(others)
        told["winner"] = _winner(photo)[0]
    return told


def _map_json(read: "ReadMap", corners: "Floats") -> JsonObject:
    by_name = {square.name: _square_json(square) for square in read.squares}
    rows = [[by_name.get(f"r{row}c{column}") for column in range(1, 8)] for row in range(1, 6)]
    outline = corners[[0, 0, -1, -1], [0, -1, -1, 0]].round(1)
    return {
        "map": [list(row) for row in rows],
        "roof": read.roof,
        "domains": [
            {
                "coat": COATS[domain.coat],
                "squares": [NAMES[square] for square in domain.squares],
                "crosses": domain.crosses,
                "points": domain.points,
            }
            for domain in read.score.domains
        ],
        "score": read.score.total,
        "doubts": list(read.doubts),
        "confidence": round(read.sure, 4),
        "largest": read.score.largest,
        "faults": [fault.sentence for fault in read.score.doubts],
        "corners_px": [[float(x), float(y)] for x, y in outline],
    }


def _square_json(square: "ReadSquare") -> JsonObject | None:
    """A square as JSON: null where nothing is drawn."""
    if square.coat is None:
        return None
    return {"coat": COATS[square.coat], "crosses": square.crosses, "confidence": square.confidence}


def _winner(photo: ReadPhoto) -> tuple[int | None, str]:
    if len(photo.maps) != 2:
        return None, ""
    one, two = (Sheet(read.kingdom, roof=read.roof) for read, _ in photo.maps)
    outcome = compare(one, two)
    return outcome.winner, outcome.reason


def _text(photo: ReadPhoto) -> list[str]:
    lines = [f"{photo.path}:"]
    for number, (read, _) in enumerate(photo.maps, 1):
        if len(photo.maps) > 1:
            lines.append(f" map {number} from the left")
        lines += [f"  {row}" for row in read.kingdom.rows]
        for domain in read.score.domains:
            first = NAMES[domain.squares[0]]
            told = f"{len(domain.squares)} × {domain.crosses} = {domain.points}"
            lines.append(f"  {coat_words(domain.coat)} at {first}: {told}")
        roof = "coloured" if read.roof else "not coloured"
        lines.append(f"  {read.score.total} points, largest domain {read.score.largest}; roof {roof}")
        if read.doubts:
            others = " or ".join(str(total) for total, _ in read.other_scores[:3])
            lines.append(f"  look at {', '.join(read.doubts)}: the score could be {others}")
        lines += [f"  odd: {fault.sentence}" for fault in read.score.doubts]
    reason = _winner(photo)[1]
    return [*lines, f"  {reason}"] if reason else lines
