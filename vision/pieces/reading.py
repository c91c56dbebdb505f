"""From a picture to what lies in it: find, read, tidy; with markers in millimetres too."""

import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from calibration.mats import MARKER_MM
from calibration.table import Table
from vision.pieces import board, company, finder, heads, heaps, in_line, mat, rows, scale, seams, stacks
from vision.pieces.apart import apart
from vision.pieces.each import read_dominoes, read_spotted
from vision.pieces.expecting import Expecting
from vision.pieces.finder import Spotted
from vision.pieces.found_by_pips import with_faces_found
from vision.pieces.lattice import in_step
from vision.pieces.marker_size import OtherSize, told_by
from vision.pieces.mat import OnTable
from vision.pieces.memory import Memory
from vision.pieces.one_make import with_makes_heard
from vision.pieces.patches import Picture
from vision.pieces.read import Read
from vision.pieces.stacks import Stack
from vision.pieces.tidy import tidied

_LEAST_PLAIN = 0.3
_LONGEST_GAP = 3
"""So many dominoes of a line at most are looked for beyond one that was seen."""


@dataclass(frozen=True)
class Reading:
    """Everything read in one picture."""

    size: tuple[int, int]
    pieces: tuple[Read, ...]
    ms: Mapping[str, float]
    table: Table | None = None
    places: tuple[OnTable, ...] = ()
    """Where each piece lies on the table, where there is a table."""
    alone: tuple[Read, ...] = ()
    """What was read of each piece by itself, before the readings were made to agree."""
    stacks: tuple[Stack | None, ...] = ()
    """How high the pile is that each coin tops, where that was looked for and can be seen."""
    other_size: OtherSize | None = None
    """What size the markers rather seem to have, where the pieces contradict them."""


def read_picture(
    picture: Picture,
    set_name: str | None = None,
    table: Table | None = None,
    expecting: Expecting | None = None,
    memory: Memory | None = None,
    *,
    marker_mm: float = MARKER_MM,
) -> Reading:
    """What lies in a picture of any table; with a table, or markers that tell of one, in millimetres too.

    ``expecting`` says what a game has, where one is played on that table; ``memory`` has seen this picture,
    and knows what was said of all that looks as it did.
    """
    start = time.perf_counter()
    table = table or mat.table_in(picture, marker_mm=marker_mm)
    known = time.perf_counter()
    spotted = _spotted(picture, table, memory)
    found = time.perf_counter()
    seen = _by_itself(picture, spotted, table, expecting, memory)
    pieces = seen if table is None else _of_a_table(picture, seen, table)
    read = time.perf_counter()
    size = (picture.shape[1], picture.shape[0])
    reading = agreed(size, pieces, set_name, table)
    if table is None:
        pieces, reading = _with_the_lines(picture, pieces, reading, set_name)
        dice_too = with_faces_found(picture, with_makes_heard(picture, reading.pieces), spotted)
        reading = replace(reading, pieces=tuple(_line_by_line(dice_too)))
    if table is not None and (more := _missed(picture, reading.pieces, table, expecting, memory)):
        pieces += more
        reading = agreed(size, pieces, set_name, table)
    if table is not None and expecting is not None:
        completed = heaps.completed(picture, pieces, reading.pieces, table, expecting, memory)
        if completed is not None:
            pieces = completed
            reading = agreed(size, pieces, set_name, table)
    if table is not None and expecting is None:  # a game knows its piles
        reading = _with_piles(picture, reading, table)
    end = time.perf_counter()
    times = {"table": known - start, "find": found - known, "read": read - found, "total": end - start}
    ms = {name: 1e3 * seconds for name, seconds in times.items()}
    # Pieces of a wrong size are measured before they are dropped: they tell why all of them are wrong.
    other = None if table is None else told_by(seen, table, expecting)
    return replace(reading, ms=ms, alone=tuple(pieces), other_size=other)


def _missed(
    picture: Picture,
    pieces: Sequence[Read],
    table: Table,
    expecting: Expecting | None,
    memory: Memory | None,
) -> list[Read]:
    """Dominoes in places where their rows lack one."""
    spots = rows.lacking(pieces, table)
    if not spots:
        return []
    return mat.of_a_size(read_dominoes(picture, spots, expecting=expecting, memory=memory), table)


def _with_the_lines(
    picture: Picture, pieces: list[Read], reading: Reading, set_name: str | None
) -> tuple[list[Read], Reading]:
    """The same with dominoes that go on where others end, and were not seen by themselves."""
    for _ in range(_LONGEST_GAP):
        spots = in_line.gone_on(picture, reading.pieces)
        more = in_line.lying_there(reading.pieces, spots, read_dominoes(picture, spots, covers=True))
        if not more:
            break
        pieces = in_line.making_room(pieces, more)
        reading = agreed(reading.size, pieces, set_name)
    return pieces, reading


def _with_piles(picture: Picture, reading: Reading, table: Table) -> Reading:
    """The reading with the height of each pile of coins; a coin on others lies farther in than it seems."""
    told = stacks.counted(picture, reading.pieces, table)
    on_mm = [0.0 if pile is None else pile.below_mm for pile in told]
    places = mat.standing(reading.pieces, table, on_mm)
    return replace(reading, stacks=told, places=tuple(places))


def read_alone(picture: Picture, table: Table) -> list[Read]:
    """What lies on a table, each piece read by itself."""
    return _of_a_table(picture, _by_itself(picture, mat.spotted(picture, table), table, None), table)


def _spotted(picture: Picture, table: Table | None, memory: Memory | None) -> list[Spotted]:
    if table is None:
        return finder.find(picture)
    return mat.spotted(picture, table) if memory is None else memory.spotted(picture, table)


def _by_itself(
    picture: Picture,
    spotted: Sequence[Spotted],
    table: Table | None,
    expecting: Expecting | None,
    memory: Memory | None = None,
) -> list[Read]:
    """Each piece by itself, of whatever size; on a table also what explains the seams between them."""
    pieces = read_spotted(picture, spotted, expecting=expecting, covers=table is None, memory=memory)
    if table is not None and (spots := seams.beside(pieces)):
        seen = read_dominoes(picture, spots, quick=True, expecting=expecting, memory=memory)
        pieces += seams.explaining(pieces, seen)
    return pieces


def _of_a_table(picture: Picture, pieces: Sequence[Read], table: Table) -> list[Read]:
    """What of these has a piece's size, with the board and the pawns told by what is seen of them."""
    return heads.found(picture, board.completed(picture, mat.of_a_size(pieces, table), table), table)


def agreed(
    size: tuple[int, int], pieces: Sequence[Read], set_name: str | None = None, table: Table | None = None
) -> Reading:
    """Single readings as one that holds together, with places where there is a table."""
    if table is None:
        pieces = scale.in_company(tidied(scale.of_one_scale(apart(pieces)), set_name), set_name)
    else:
        kept, before = gathered(pieces, table, set_name)
        pieces = [one for one in company.believed(kept, before, table) if not _is_a_plank(one)]
    pieces = _line_by_line(pieces)
    places: list[OnTable] = []
    if table is not None:
        places = mat.standing(pieces, table)
        pieces = [mat.renamed(one, place) for one, place in zip(pieces, places, strict=True)]
    return Reading(size, tuple(pieces), {}, table, tuple(places))


def gathered(
    pieces: Sequence[Read], table: Table, set_name: str | None = None
) -> tuple[list[Read], list[Read]]:
    """What of these readings can lie on one table together, and what they were chosen from."""
    before = seams.without_seams(in_step(mat.none_twice(mat.of_a_size(pieces, table), table), table))
    return tidied(before, set_name, measured=True), before


def _is_a_plank(one: Read) -> bool:
    """Whether something plain is rather a part of the table."""
    return one.value is None and one.confidence < _LEAST_PLAIN


def _line_by_line(pieces: Sequence[Read]) -> list[Read]:
    """The order in which people read a table: from above, and from the left."""
    # A line is as high as most pieces are.
    line = max(1.0, statistics.median([one.length for one in pieces] or [1.0]))
    return sorted(pieces, key=lambda one: (round(float(one.middle[1]) / line), float(one.middle[0])))
