"""`pipwatch sheet`: photos of filled Kingdomino Duel maps, read and scored."""

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from device.cli import UserError
from device.cli.sheet_words import photo_json, photo_text
from device.folders import examples_folder
from device.sheet_powers import with_powers
from device.sheet_reading import (
    LoggedSide,
    NoSheet,
    ReadPhoto,
    flat_maps,
    logged_sides,
    open_words,
    outcome_of,
    read_photo,
    winner_words,
)
from engine.kingdomino_duel.edition import COATS

_ONE_GAME = 3
"""So many photos show one game at the most, two maps and a spellbook; more are an album, each for itself."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    p = commands.add_parser(
        "sheet",
        help="photos of filled Duel maps: what is drawn, each domain, the score",
        description="Read filled maps of Kingdomino Duel in photos (JPEG or PNG): our own printed sheets, or "
        "any grid of 5×7 boxes with a castle in the middle. Squares whose reading could change the score are "
        "named as doubts. Our spellbook is read where one lies there: up to three photos are one game, whose "
        "first map is the spellbook's left player's.",
    )
    p.add_argument("images", nargs="*", type=Path, metavar="IMAGE", help="photos, each with one map or more")
    p.add_argument("--json", action="store_true", help="one JSON object a line, a photo each")
    p.add_argument("--annotate", type=Path, metavar="DIR", help="write each map there with what was read")
    p.add_argument("--score-sheet", type=Path, metavar="FILE.pdf", help="one or two maps on a page to print")
    p.add_argument("--log", metavar="MATCH", help="the match that was played: its dice say what can be drawn")
    p.add_argument(
        "--named", action="append", default=[], metavar="MAP:COAT",
        help="the coat a player named with P5, as 1:quarters (maps are counted as they are shown)",
    )  # fmt: skip
    p.add_argument(
        "--corners", nargs=4, default=None, metavar="X,Y",
        help="where the map's corners lie in the photo, clockwise from its upper left, if it is not found",
    )  # fmt: skip
    p.add_argument(
        "--serve", type=int, nargs="?", const=8010, default=None, metavar="PORT",
        help="instead: pages on this machine to send photos to, correct squares and print (port 8010)",
    )  # fmt: skip
    p.add_argument("--examples", type=Path, metavar="DIR", help="with --serve: where corrected maps are kept")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Read photo after photo; a bad one is told and the others are read all the same."""
    if arguments.serve is not None:
        return _serve(arguments)
    images: list[Path] = arguments.images
    if not images:
        raise UserError("give at least one photo, or --serve")
    one_game = len(images) <= _ONE_GAME
    if arguments.score_sheet is not None and not one_game:
        raise UserError(f"--score-sheet takes the photos of one game, up to {_ONE_GAME}")
    corners = None if arguments.corners is None else _corners(arguments.corners)
    named = dict(_named(written) for written in arguments.named)
    logged = () if arguments.log is None else _logged(arguments.log)
    shown = bad = 0
    for game in [images] if one_game else [[image] for image in images]:
        photos: list[tuple[Path, ReadPhoto]] = []
        for path in game:
            try:
                photo = _with_named(_read(path, corners, logged), named, shown)
            except UserError as error:
                print(f"pipwatch sheet: {error}", file=sys.stderr)
                bad += 1
                continue
            photos.append((path, photo))
            shown += len(photo.maps)
        bad += _tell(photos, arguments)
    if named and (last := max(named)) >= shown:
        raise UserError(f"--named {last + 1}:{COATS[named[last]]}: there is no such map among {shown}")
    return 2 if bad else 0


def _tell(photos: Sequence[tuple[Path, ReadPhoto]], arguments: argparse.Namespace) -> int:
    """All that was read in the photos of one game; how many of them could not be told as was asked."""
    bad = 0
    read = with_powers([photo for _, photo in photos])
    for (path, _), photo in zip(photos, read, strict=True):
        try:
            if arguments.annotate is not None:
                _annotate(path, photo, arguments.annotate)
        except UserError as error:
            print(f"pipwatch sheet: {error}", file=sys.stderr)
            bad += 1
            continue
        print(
            json.dumps(photo_json(path, photo), ensure_ascii=False)
            if arguments.json
            else "\n".join(photo_text(path, photo))
        )
    maps = [one for photo in read for one in photo.maps]
    outcome = outcome_of(maps)
    if outcome is not None and max(len(photo.maps) for photo in read) == 1 and not arguments.json:
        print(winner_words(maps, outcome))
        if words := open_words(maps):
            print(words)
    if arguments.score_sheet is not None and read:
        _score_sheet(arguments.score_sheet, read)
    return bad


def _serve(arguments: argparse.Namespace) -> int:
    """The pages for this machine alone, until they are stopped."""
    if arguments.images:
        raise UserError("--serve takes its photos in the browser, not on the command line")
    if not 1 <= arguments.serve <= 65535:
        raise UserError(f"--serve: ports go from 1 to 65535, not {arguments.serve}")
    try:
        # The web room stands above this one: the command line knows but its name.
        pages = importlib.import_module("web.server")
    except ModuleNotFoundError as error:
        raise UserError(f"--serve needs {error.name}, which is not installed") from error
    folder = arguments.examples or examples_folder()
    try:
        screen = pages.SheetScreen("127.0.0.1", arguments.serve)
    except OSError as error:
        raise UserError(f"--serve {arguments.serve}: {error.strerror}") from error
    print(f"http://127.0.0.1:{arguments.serve}/sheets (Ctrl-C ends it)", flush=True)
    screen.serve(folder)
    return 0


def _named(written: str) -> tuple[int, int]:
    """The map (from 0) and the coat that its player named."""
    number, _, coat = written.partition(":")
    if not number.isdecimal() or int(number) < 1 or coat not in COATS:
        raise UserError(
            f"--named {written}: give a map's number and a coat ({', '.join(COATS)}), as 1:quarters"
        )
    return int(number) - 1, COATS.index(coat)


def _with_named(photo: ReadPhoto, named: dict[int, int], first: int) -> ReadPhoto:
    """The photo with the coats that were named for its maps."""
    maps = [
        one if first + k not in named else one.with_named(named[first + k])
        for k, one in enumerate(photo.maps)
    ]
    return replace(photo, maps=tuple(maps))


def _logged(match: str) -> tuple[LoggedSide, ...]:
    from device.cli.record_input import history_of

    try:
        return logged_sides(history_of(match))
    except NoSheet as error:
        raise UserError(f"--log {match}: {error}") from error


def _corners(written: Sequence[str]) -> list[tuple[float, float]]:
    try:
        pairs = [tuple(float(part) for part in one.split(",")) for one in written]
        return [(x, y) for x, y in pairs]
    except ValueError:
        raise UserError(
            "--corners: give four places as X,Y in pixels, clockwise from the upper left"
        ) from None


def _read(path: Path, corners: list[tuple[float, float]] | None, logged: Sequence[LoggedSide]) -> ReadPhoto:
    from device.untrusted_picture import BadPicture, load_picture

    try:
        return read_photo(load_picture(path), corners, logged)
    except BadPicture as error:
        raise UserError(str(error)) from error
    except NoSheet as error:
        raise UserError(f"{path} {error}") from error


def _annotate(path: Path, photo: ReadPhoto, folder: Path) -> None:
    import cv2

    from vision.sheet_picture import drawn_in

    for number, one in enumerate(photo.maps):
        suffix = f"-{number + 1}" if number else ""
        target = folder / f"{path.stem}-read{suffix}.png"
        done, data = cv2.imencode(".png", drawn_in(photo.image, one.corners, one.read))
        try:
            folder.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data.tobytes() if done else b"")
        except OSError as error:
            raise UserError(f"{target} cannot be written: {error.strerror}") from error


def _score_sheet(target: Path, photos: Sequence[ReadPhoto]) -> None:
    try:
        from device.score_sheet import score_sheet_pdf
    except ModuleNotFoundError as error:
        raise UserError(
            f"--score-sheet needs {error.name}, which is not installed: pip install 'pipwatch[pc,print]'"
        ) from error
    count = sum(len(photo.maps) for photo in photos)
    if not 1 <= count <= 2:
        raise UserError(f"--score-sheet: a Duel has two maps, and these photos show {count or 'none'}")
    try:
        target.write_bytes(score_sheet_pdf(flat_maps(photos)))
    except OSError as error:
        raise UserError(f"{target} cannot be written: {error.strerror}") from error
