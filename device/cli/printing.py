"""`pipwatch print`: markers, mats, the lens board, sheets to play on and soldiers' discs, at actual size."""

import argparse
import re
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.marker_side import MARKER_MM
from device.cli import UserError
from device.cli.marker_option import add_marker_mm, marker_mm
from engine import GAMES

if TYPE_CHECKING:
    from collections.abc import Callable

TARGETS = ("markers", "mat", "charuco", "sheet", "discs")
SIDES = ("map", "spellbook", "both")
PAPERS = ("a4", "letter", "a2")
_PAGE = re.compile(rb"/Type\s*/Page\b")


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    p = commands.add_parser(
        "print",
        help="markers, mats, the lens board, sheets to play on and soldiers' discs, as PDF",
        description="Write a PDF to print at actual size (100 %, no fitting to the page). Every sheet has a "
        "bar of 100 mm: measure it. markers: four papers for the table's corners, which are enough; mat: a "
        "game's table with markers all round; charuco: the board to calibrate a lens with; "
        "sheet: map and spellbook for Kingdomino Duel; discs: papers for the heads of toy soldiers, which "
        "make type, side and facing certain, a page for each army and side.",
    )
    p.add_argument("target", choices=TARGETS, help="what to print")
    p.add_argument("-o", "--out", type=Path, required=True, metavar="FILE.pdf", help="where to write it")
    p.add_argument("--paper", choices=PAPERS, default="a4", help="the printer's paper (default a4)")
    p.add_argument("--game", choices=GAMES, default=None, help="the game whose mat to print")
    add_marker_mm(
        p, "edge of a marker's black square (32); then say it to read, run, doctor and calibrate as well"
    )
    p.add_argument(
        "--count", type=int, default=None, metavar="N", help="how many loose markers (default 4, up to 50)"
    )
    p.add_argument("--side", choices=SIDES, default=None, help="which sheet of the Duel (default both)")
    p.add_argument(
        "--for-mat",
        action="store_const",
        const=True,
        help="with sheet: both players' maps on one page to cut out, as large as their places on the Duel's "
        "mat; the spellbook is not read there and lies beside it",
    )
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Write the sheets, all or nothing."""
    if arguments.out.suffix.lower() != ".pdf":
        raise UserError(f"{arguments.out.name} should end in .pdf")
    data = _drawn(arguments)
    try:
        arguments.out.write_bytes(data)
    except OSError as error:
        raise UserError(f"{arguments.out} cannot be written: {error.strerror}") from error
    count = len(_PAGE.findall(data))
    sheets = f"{count} {'sheet' if count == 1 else 'sheets'}"
    print(f"{arguments.out}: {sheets}; print at actual size (100 %), then measure the bar of 100 mm")
    if arguments.target == "mat" and count > 1 and arguments.paper != "a2":
        print("Each sheet says how it is glued to the others. A copy shop prints fewer: --paper a2.")
    return 0


def _drawn(arguments: argparse.Namespace) -> bytes:
    try:
        from calibration import printables
    except ModuleNotFoundError as error:
        raise UserError(
            f"printing needs {error.name}, which is not installed: sudo apt install python3-{error.name}, "
            "or in a checkout pip install 'pipwatch[pc,print]'"
        ) from error
    makers: dict[str, Callable[[], bytes]] = {
        "markers": lambda: _markers(arguments),
        "mat": lambda: _mat(arguments),
        "charuco": lambda: printables.board_pdf(arguments.paper),
        "sheet": lambda: _sheet(arguments),
        "discs": lambda: _discs(arguments),
    }
    _refuse_strays(arguments)
    return makers[arguments.target]()


def _refuse_strays(arguments: argparse.Namespace) -> None:
    """An option that would do nothing is a misunderstanding worth a sentence."""
    fits = {"--game": "mat", "--count": "markers", "--marker-mm": "markers or mat", "--side": "sheet"}
    fits["--for-mat"] = "sheet"
    given: dict[str, object] = {
        "--game": arguments.game,
        "--count": arguments.count,
        "--marker-mm": arguments.marker_mm,
    }
    given["--side"], given["--for-mat"] = arguments.side, arguments.for_mat
    for option, value in given.items():
        if value is not None and arguments.target not in fits[option].split(" or "):
            raise UserError(f"{option} goes with {fits[option]}, not with {arguments.target}")


def _markers(arguments: argparse.Namespace) -> bytes:
    from calibration.printables import markers_pdf

    count = 4 if arguments.count is None else arguments.count
    if not 4 <= count <= 50:
        raise UserError(f"--count: there are markers 0 to 49, so 4 to 50 of them, not {count}")
    return markers_pdf(arguments.paper, side_mm=marker_mm(arguments) or MARKER_MM, count=count)


def _mat(arguments: argparse.Namespace) -> bytes:
    from calibration.plan import plan_of
    from calibration.printables import mat_pdf

    if arguments.game is None:
        raise UserError(f"a mat belongs to a game: add --game with one of {', '.join(GAMES)}")
    return mat_pdf(plan_of(arguments.game), arguments.paper, side_mm=marker_mm(arguments) or MARKER_MM)


def _sheet(arguments: argparse.Namespace) -> bytes:
    from calibration.sheet_printing import SIDES as BOTH
    from calibration.sheet_printing import cards_pdf, sheets_pdf

    if arguments.paper == "a2":
        raise UserError("--paper: the sheets of the Duel fit a4 and letter")
    if arguments.for_mat:
        if arguments.side not in (None, "map"):
            raise UserError(f"--for-mat prints maps; print --side {arguments.side} without it")
        return cards_pdf(arguments.paper)
    return sheets_pdf(arguments.paper, BOTH if arguments.side in (None, "both") else (arguments.side,))


def _discs(arguments: argparse.Namespace) -> bytes:
    from calibration.disc_printing import discs_pdf

    if arguments.paper == "a2":
        raise UserError("--paper: the discs fit a4 and letter")
    return discs_pdf(arguments.paper)
