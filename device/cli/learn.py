"""`pipwatch learn`: a few photos of one's own pieces with their names, kept as a file of looks."""

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from device.cli import UserError

if TYPE_CHECKING:
    from vision.pieces.looks import LearnedLook
    from vision.pieces.patches import Picture

KINDS = ("coin", "pawn", "soldier")
SKIP = "-"


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    p = commands.add_parser(
        "learn",
        help="what your own coins, pawns or soldiers look like, from a few photos",
        description="Learn the looks of pieces from photos: name the pieces of one kind in the order of "
        "reading, from the left and from above, photo after photo; '-' leaves a piece out. Looks that are in "
        "the file already stay. Then: pipwatch read --looks FILE.",
    )
    p.add_argument("images", nargs="+", type=Path, metavar="PHOTO", help="photos of pieces that lie apart")
    p.add_argument(
        "--kind", choices=KINDS, required=True, help="what to learn; other kinds may lie there too"
    )
    p.add_argument("--names", required=True, metavar="NAME,…", help="such as suns,moons,crowns,arms")
    p.add_argument("-o", "--output", type=Path, required=True, metavar="FILE.toml")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Find the pieces, name them, add them to the file."""
    names = [name.strip() for name in arguments.names.split(",")]
    known = _known(arguments.output)
    _check(arguments.kind, names)
    patches = [patch for path in arguments.images for patch in _pieces(path, arguments.kind)]
    if len(patches) != len(names):
        raise UserError(
            f"{len(names)} names were given but the photos show {len(patches)} pieces of kind "
            f"{arguments.kind} (look at them with pipwatch read --annotate DIR)"
        )
    from vision.pieces.looks import look_of

    pairs = zip(names, patches, strict=True)
    new = [look_of(arguments.kind, name, patch) for name, patch in pairs if name != SKIP]
    _write(arguments.output, [*known, *new])
    print(f"{arguments.output}: {len(new)} looks learned, {len(known) + len(new)} in all")
    return 0


def _known(path: Path) -> "list[LearnedLook]":
    from calibration.camera_errors import BadProfileFile
    from vision.pieces.looks import load

    if path.suffix != ".toml":
        raise UserError(f"{path} should end in .toml")
    if not path.exists():
        return []
    try:
        return list(load(path).looks)
    except BadProfileFile as error:
        raise UserError(str(error)) from error


def _check(kind: str, names: list[str]) -> None:
    from vision.pieces.looks import NAMES, sentence

    for name in names:
        if name != SKIP and name not in NAMES[kind]:
            raise UserError(sentence(kind, name))


def _pieces(path: Path, kind: str) -> "list[Picture]":
    """The patches of a photo's pieces of a kind, in the order in which one reads."""
    from device.own_pieces import pieces_in
    from device.untrusted_picture import BadPicture, load_picture

    try:
        picture = load_picture(path)
    except BadPicture as error:
        raise UserError(str(error)) from error
    mine = pieces_in(picture, kind)
    print(f"{path}: {len(mine)} found", file=sys.stderr)
    return mine


def _write(path: Path, found: "list[LearnedLook]") -> None:
    from calibration import toml
    from vision.pieces.looks import Looks

    part = path.with_name(f"{path.name}.part")
    try:
        part.write_text(toml.dump(Looks("Looks learned from photos", tuple(found))), encoding="utf-8")
        part.replace(path)
    except OSError as error:
        raise UserError(f"{path} cannot be written: {error.strerror}") from error
