"""The line: which ends are open, what they count, and what a tile laid at an arm does to them.

An arm is one small number: 0 to 6, an end with so many pips; 7 to 13, a double at the end, crosswise, of
(n - 7) pips on each half; 14 to 20, a bare short end of the spinner, open but worth nothing; 21, closed.
The bare second side of a double that lies alone is such a short end too: the double counts once.
"""

from collections.abc import Iterable

from engine.dominoes import Domino
from engine.draw_game.model import TILES, Arm, Down, Ends, Event, Play, mask

CLOSED = 21
"""The code of an arm where nothing can be laid."""
FIRST_SHORT = 14
"""The codes from here on count nothing: bare short ends, and closed ones."""
NO_LINE: Ends = (CLOSED, CLOSED, CLOSED, CLOSED)
"""The arms before the Down."""
NO_SPINNER = 4
"""The code of ``bare`` while no double has been laid."""

PIPS: tuple[int, ...] = (*range(7), *range(7), *range(7), -1)
"""The pips that a tile must have to fit each end."""
WORTH: tuple[int, ...] = (*range(7), *range(0, 14, 2), *(0 for _ in range(8)))
"""What each end counts."""
WITH_PIPS = tuple(mask(tile for tile in TILES if pips in tile) for pips in range(7))
"""The tiles that have a half with these pips."""
FITS: tuple[int, ...] = (*WITH_PIPS, *WITH_PIPS, *WITH_PIPS, 0)
"""The tiles that fit each end."""


def first_ends(tile: Domino) -> tuple[Ends, int]:
    """The arms and the spinner's bare sides once the Down lies."""
    if tile.is_double:
        return (7 + tile.low, FIRST_SHORT + tile.low, CLOSED, CLOSED), 3
    return (tile.low, tile.high, CLOSED, CLOSED), NO_SPINNER


def extended(ends: Ends, bare: int, play: Play) -> tuple[Ends, int]:
    """The arms and the spinner's bare sides once a tile lies at an arm."""
    west, east, north, south = ends
    arm, end = play.arm, play.end
    if arm == 0:
        covered, west = west, end
        if FIRST_SHORT <= east < CLOSED:  # the double that lay alone: its other side now counts
            east -= 7
    elif arm == 1:
        covered, east = east, end
    elif arm == 2:
        return (west, east, end, south), bare
    else:
        return (west, east, north, end), bare
    if bare:
        if bare == NO_SPINNER:
            if end > 6:
                bare = arm + 1
        elif bare & (arm + 1):
            bare ^= arm + 1
            if not bare:  # both long sides are covered: the short ends open
                short = FIRST_SHORT + PIPS[covered]
                north = short if north == CLOSED else north
                south = short if south == CLOSED else south
    return (west, east, north, south), bare


def count(ends: Ends) -> int:
    """The exposed ends added."""
    return WORTH[ends[0]] + WORTH[ends[1]] + WORTH[ends[2]] + WORTH[ends[3]]


def points(ends: Ends) -> int:
    """What the exposed ends are worth: their sum where it is a multiple of five."""
    counted = count(ends)
    return 0 if counted % 5 else counted


def fitting(ends: Ends) -> int:
    """The tiles that fit some open end."""
    return FITS[ends[0]] | FITS[ends[1]] | FITS[ends[2]] | FITS[ends[3]]


def arms_for(tile: Domino, ends: Ends) -> tuple[Arm, ...]:
    """The arms that a tile fits."""
    return tuple(arm for arm in Arm if PIPS[ends[arm]] in tile)


def spinner_of(history: Iterable[Event]) -> Domino | None:
    """The spinner: the first double that was laid in the line."""
    for event in history:
        if isinstance(event, Down | Play) and event.tile.is_double:
            return event.tile
    return None


def line_of(history: Iterable[Event]) -> tuple[Ends, int]:
    """The arms and the spinner's bare sides after everything that was laid in a deal."""
    ends, bare = NO_LINE, NO_SPINNER
    for event in history:
        if isinstance(event, Down) and ends[0] == CLOSED:
            ends, bare = first_ends(event.tile)
        elif isinstance(event, Play):
            ends, bare = extended(ends, bare, event)
    return ends, bare
