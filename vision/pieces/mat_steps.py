"""How a picture of a measured table is read, step by step: pieces have sizes and places in millimetres."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibration.table_finder import Table
from vision.pieces import company, heads, heaps, mat, rows, seams, tile_board
from vision.pieces.each import PieceReader
from vision.pieces.finder import Spotted
from vision.pieces.marker_size import OtherSize, told_by
from vision.pieces.mat import OnTable
from vision.pieces.patches import Picture
from vision.pieces.piece_read import Read, in_reading_order
from vision.pieces.pipeline import Pipeline
from vision.pieces.tidy import tidied

_LEAST_PLAIN = 0.3
"""What shows nothing and is less sure to be there is rather a part of the table."""


@dataclass(frozen=True)
class OnMat:
    """A picture of a measured table, and what is known of it so far."""

    reader: PieceReader
    table: Table
    set_name: str | None = None
    spotted: Sequence[Spotted] = ()
    seen: Sequence[Read] = ()
    """Each piece by itself, of whatever size."""
    alone: Sequence[Read] = ()
    """Those of a piece's size, with the board and the pawns told by what is seen of them."""
    pieces: Sequence[Read] = ()
    """The same made to agree."""
    places: Sequence[OnTable] = ()
    other_size: OtherSize | None = None


def look_for_pieces(view: OnMat) -> OnMat:
    """Where something may lie, from memory where that knows."""
    spotted = mat.spotted if view.reader.memory is None else view.reader.memory.spotted
    return replace(view, spotted=spotted(view.reader.picture, view.table))


def read_each(view: OnMat) -> OnMat:
    """Each piece by itself."""
    return replace(view, seen=view.reader.every(view.spotted))


def explain_seams(view: OnMat) -> OnMat:
    """What lies on both sides of a double that may be none."""
    found = view.reader.dominoes(seams.beside(view.seen), quick=True)
    return replace(view, seen=[*view.seen, *seams.explaining(view.seen, found)])


def keep_sizes(view: OnMat) -> OnMat:
    """What of these can be a piece."""
    sized = mat.of_a_size(view.seen, view.table)
    tiled = tile_board.completed(view.reader.picture, sized, view.table)
    return replace(view, alone=heads.found(view.reader.picture, tiled, view.table))


def make_agree(view: OnMat) -> OnMat:
    """What holds together of the single readings, and where it lies."""
    pieces, places = agreed_on_mat(view.alone, view.table, view.set_name)
    return replace(view, pieces=pieces, places=places)


def fill_rows(view: OnMat) -> OnMat:
    """Backs that were overlooked where their rows lack one."""
    found = view.reader.dominoes(rows.lacking(view.pieces, view.table))
    more = mat.of_a_size(found, view.table)
    return make_agree(replace(view, alone=[*view.alone, *more])) if more else view


def complete_heaps(view: OnMat) -> OnMat:
    """Open dominoes that were overlooked while the game lacks one."""
    whole = heaps.completed(view.reader, view.alone, view.pieces, view.table)
    return view if whole is None else make_agree(replace(view, alone=whole))


def judge_markers(view: OnMat) -> OnMat:
    """What size the markers rather have; pieces of a wrong size tell why all of them are wrong."""
    return replace(view, other_size=told_by(view.seen, view.table, view.reader.expecting))


MAT: Pipeline[OnMat] = Pipeline(
    find=(look_for_pieces,),
    read=(read_each, explain_seams, keep_sizes),
    agree=(make_agree, fill_rows, complete_heaps, judge_markers),
)


def read_alone(picture: Picture, table: Table) -> Sequence[Read]:
    """What lies on a table, each piece read by itself."""
    return MAT._replace(agree=()).run(OnMat(PieceReader(picture), table))[0].alone


def agreed_on_mat(
    pieces: Sequence[Read], table: Table, set_name: str | None = None
) -> tuple[list[Read], list[OnTable]]:
    """Single readings as one that holds together, line by line, and where each lies."""
    kept, before = gathered(pieces, table, set_name)
    believed = company.believed(kept, before, table)
    lying = in_reading_order([p for p in believed if p.value is not None or p.confidence >= _LEAST_PLAIN])
    places = mat.standing(lying, table)
    return [mat.renamed(one, place) for one, place in zip(lying, places, strict=True)], places


def gathered(
    pieces: Sequence[Read], table: Table, set_name: str | None = None
) -> tuple[list[Read], list[Read]]:
    """What of these readings can lie on one table together, and what they were chosen from."""
    before = seams.without_seams(mat.none_twice(mat.of_a_size(pieces, table), table))
    return tidied(before, set_name, measured=True), before
