"""`--marker-mm`: the size of the printed markers, the same for every command that looks at a table."""

import argparse

from calibration.marker_side import MARKER_MM, marker_side
from device.cli import UserError

_WORDS = f"edge of a marker's black square as printed, in millimetres ({MARKER_MM:g})"


def add_marker_mm(p: argparse.ArgumentParser, words: str = _WORDS) -> None:
    """The option; its text is read by ``marker_mm``, whose one sentence says what is wrong with it."""
    p.add_argument("--marker-mm", metavar="MM", help=words)


def marker_mm(arguments: argparse.Namespace) -> float | None:
    """The size, where one was given; raises UserError where markers have no such size."""
    text = arguments.marker_mm
    if text is None:
        return None
    try:
        side = float(text)
    except ValueError:
        raise UserError(f"--marker-mm should be a number of millimetres such as 45, not {text!r}") from None
    try:
        return marker_side(side)
    except ValueError as wrong:
        raise UserError(f"--marker-mm: {wrong}") from None
