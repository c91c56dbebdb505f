"""`pipwatch read`: photos of any table, what lies there, in words, as JSON or drawn in."""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from device.cli import UserError
from device.cli.marker_option import add_marker_mm, marker_mm

if TYPE_CHECKING:
    from vision.photos.picture_reading import PhotoReadout
    from vision.pieces.looks import Looks
    from vision.pieces.patches import Picture
    from vision.pieces.piece_read import Read

SETS = ("double-six", "double-nine", "double-twelve", "piecepack", "kingdomino-duel", "dice", "soldiers")
_BLACK, _WHITE = 12, 250
"""Half of the pixels are darker, or brighter: of 255."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    p = commands.add_parser(
        "read",
        help="photos of a table: every domino, coin, pawn, die and soldier",
        description="Read the pieces in photos (JPEG or PNG) of any table. With the four corner markers in "
        "the picture, places are told in millimetres too. What needs a second look is marked with '?'.",
    )
    p.add_argument("images", nargs="+", type=Path, metavar="IMAGE", help="photos")
    p.add_argument("--json", action="store_true", help="one JSON object a line, a photo each")
    p.add_argument("--annotate", type=Path, metavar="DIR", help="draw what was read: DIR/NAME-read.png")
    p.add_argument("--set", choices=SETS, help="what can lie there, and nothing else: dominoes of "
                   "that highest tile, all of a piecepack, dice of the Duel or ordinary ones, or soldiers on "
                   "their dominoes; a stranger gets a '?'; without it the reader finds out")  # fmt: skip
    p.add_argument("--looks", type=Path, metavar="FILE.toml", help="your own pieces, from pipwatch learn")
    add_marker_mm(p)
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read photo after photo; a bad one is told and the others are read all the same."""
    from vision.photos.told import as_json

    bad = 0
    side = marker_mm(arguments)
    looks = None if arguments.looks is None else _looks(arguments.looks)
    if arguments.annotate is not None:
        _made(arguments.annotate)
    taken = {path.resolve() for path in arguments.images}
    for number, path in enumerate(arguments.images):
        _progress(number, len(arguments.images), path)
        try:
            picture, reading = _read(path, arguments.set, looks, side)
            _wipe(len(arguments.images))
            if reading.other_size is not None:
                print(f"{_in_a_line(path)}: {reading.other_size.sentence}", file=sys.stderr, flush=True)
            if arguments.json:
                print(json.dumps(as_json(reading, str(path)), ensure_ascii=False), flush=True)
            else:
                print("\n".join(lines(path, reading, _light(picture))), flush=True)
            if arguments.annotate is not None:
                _draw(_free(arguments.annotate, path.stem, taken), picture, reading)
        except UserError as error:
            _wipe(len(arguments.images))
            print(f"pipwatch read: {_in_a_line(error)}", file=sys.stderr)
            bad += 1
    _progress(len(arguments.images), len(arguments.images), None)
    return 2 if bad else 0


def _looks(path: Path) -> "Looks":
    from calibration.camera_errors import BadProfileFile
    from vision.pieces.looks import load

    try:
        return load(path)
    except BadProfileFile as error:
        raise UserError(str(error)) from error


def _read(
    path: Path, set_name: str | None, looks: "Looks | None", side_mm: float | None
) -> "tuple[Picture, PhotoReadout]":
    from device.untrusted_picture import BadPicture, load_picture

    try:
        picture = load_picture(path)
    except BadPicture as error:
        raise UserError(str(error)) from error
    from vision.photos.picture_reading import read_picture

    if side_mm is None:
        reading = read_picture(picture, set_name)
    else:
        reading = read_picture(picture, set_name, marker_mm=side_mm)
    if looks is not None:
        from vision.pieces.looks import renamed

        reading = replace(reading, pieces=tuple(renamed(picture, reading.pieces, looks)))
    return picture, reading


def _light(picture: "Picture") -> str:
    """Why nothing can be seen in a picture, where its light is the reason."""
    import numpy as np

    from calibration import colour_planes

    middle = float(np.median(colour_planes.most(picture)))
    return "it is nearly black" if middle < _BLACK else "it is nearly white" if middle > _WHITE else ""


def _free(folder: Path, stem: str, taken: set[Path]) -> Path:
    """Where a drawing goes: never onto a photo that was given, nor onto the drawing of another one."""
    names = (f"{stem}-read{f'-{number}' if number > 1 else ''}.png" for number in count(1))
    target = next(folder / name for name in names if (folder / name).resolve() not in taken)
    taken.add(target.resolve())
    return target


def _made(folder: Path) -> None:
    """The folder for drawings, made before anything is read: who has none would wait in vain."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except FileExistsError as error:
        raise UserError(f"{folder} is a file: --annotate needs a folder") from error
    except OSError as error:
        raise UserError(f"{folder} cannot be made: {error.strerror or error}") from error


def _draw(path: Path, picture: "Picture", reading: "PhotoReadout") -> None:
    import cv2

    from vision.pieces.overlay import drawn_in

    try:
        if not cv2.imwrite(str(path), drawn_in(picture, reading)):
            raise OSError("the picture was not taken")
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror or error}") from error


def _progress(done: int, whole: int, path: Path | None) -> None:
    """A bar on a terminal where there is more than one picture; nothing elsewhere."""
    if whole < 2 or not sys.stderr.isatty():
        return
    width = 24
    full = width * done // whole
    name = "" if path is None else f" {_in_a_line(path.name)[:40]}"
    print(f"\r\x1b[K[{'#' * full}{'.' * (width - full)}] {done}/{whole}{name}", end="", file=sys.stderr)
    sys.stderr.flush()
    if done == whole:
        _wipe(whole)


def _wipe(whole: int) -> None:
    """Take the bar away before something is said in its line."""
    if whole > 1 and sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _in_a_line(text: object) -> str:
    """A file's name may hold line ends; what is said of it is one line all the same."""
    return " ".join(str(text).splitlines())


# --- in words ----------------------------------------------------------------------------------------


def lines(path: Path, reading: "PhotoReadout", light: str = "") -> Iterator[str]:
    """What lies in a picture, a line a kind, with the pips that a hand of dominoes holds.

    ``light`` says why nothing can be seen, where nothing can.
    """
    from vision.photos.stacks import PILED

    why = f": {light}" if light and not reading.pieces else ""
    yield f"{_in_a_line(path)}: {_counted(reading)}{why}"
    for kind in ("domino", "die", "coin", "pawn", "soldier", "wall", "tile"):
        mine = [one for one in reading.pieces if one.kind == kind]
        if mine and kind != "tile":
            yield f"  {_PLURAL[kind]}: " + "  ".join(word(one) for one in mine)
    shown = [one for one in reading.pieces if one.kind == "domino" and one.face == "up" and one.value]
    if shown:
        yield _total("dominoes", [(one, sum(one.value["pips"])) for one in shown if one.value])
    dice = [one for one in reading.pieces if one.kind == "die" and one.value and one.value["set"] == "pips"]
    if dice:
        yield _total("dice", [(one, int(one.value["face"])) for one in dice if one.value])
    asked = sum(word(one).endswith("?") for one in reading.pieces if one.kind != "tile")
    if asked:
        yield f"  look again at the {asked} marked with ?"
    if tiles := sum(word(one).endswith("?") for one in reading.pieces if one.kind == "tile"):
        yield f"  look again at {'a tile' if tiles == 1 else f'{tiles} tiles'}: {_OTHER_THINGS}"
    if piles := sum(one is not None and one.several >= PILED for one in reading.stacks):
        yield f"  on other coins: {'a coin' if piles == 1 else f'{piles} coins'}"


def _total(what: str, counted: "list[tuple[Read, int]]") -> str:
    """The pips that are sure, and all of them where some are in doubt."""
    from vision.pieces.sureness import sure

    firm = sum(pips for one, pips in counted if sure(one))
    if all(sure(one) for one, _ in counted):
        return f"  pips on these {what}: {firm}"
    whole = sum(pips for _, pips in counted)
    more = f"with those marked ? {whole}" if whole > firm else "those marked ? seem to have none"
    return f"  pips on these {what}: {firm}, {more}"


_OTHER_THINGS = "a cloth or a plank looks like one"
_PLURAL = {"domino": "dominoes", "die": "dice", "coin": "coins", "pawn": "pawns", "soldier": "soldiers",
           "wall": "walls", "tile": "tiles"}  # fmt: skip


def _counted(reading: "PhotoReadout") -> str:
    counts = Counter(one.kind for one in reading.pieces)
    if not counts:
        return "no pieces found"
    return ", ".join(f"{n} {kind if n == 1 else _PLURAL[kind]}" for kind, n in counts.most_common())


def word(one: "Read") -> str:
    """A piece in a word, with a question mark where a person should look."""
    from vision.pieces.sureness import sure

    value = one.value or {}
    text = {
        "domino": "-".join(map(str, value.get("pips", ()))) or f"face {one.face}"
        if one.face != "edge"
        else "on edge",
        "die": " ".join(str(value[k]) for k in ("suit", "face") if value.get(k) is not None)
        + (" " + "†" * int(value["crosses"]) if value.get("crosses") else ""),
        "coin": str(value.get("suit") or f"value {value.get('value')}"),
        "pawn": str(value.get("suit")),
        "soldier": str(value.get("type")),
    }.get(one.kind, one.kind)
    return text if sure(one) else f"{text}?"
