"""How many random plies of each game the long property tests play: a million, or as many as are asked for."""

import os
from typing import Final

PLIES: Final = int(os.environ.get("PIPWATCH_PLIES", "1_000_000"))
"""Plies of each game; PIPWATCH_PLIES asks for fewer where time is short, as what guards main does."""


def chunks(each: int) -> range:
    """The seeds of so many walks of ``each`` plies as make the whole; one at least."""
    return range(max(1, PLIES // each))
