"""From a picture of a measured table to what lies on it."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibration.table_finder import Table
from vision.pieces.each import PieceReader
from vision.pieces.expecting import Expecting
from vision.pieces.marker_size import OtherSize
from vision.pieces.mat import OnTable
from vision.pieces.mat_steps import MAT, OnMat, agreed_on_mat
from vision.pieces.memory import Memory
from vision.pieces.patches import Picture
from vision.pieces.piece_read import Read


@dataclass(frozen=True)
class Readout:
    """Everything read in one picture."""

    size: tuple[int, int]
    pieces: tuple[Read, ...]
    ms: Mapping[str, float]
    table: Table | None = None
    places: tuple[OnTable, ...] = ()
    """Where each piece lies on the table, where there is a table."""
    alone: tuple[Read, ...] = ()
    """What was read of each piece by itself, before the readings were made to agree."""
    other_size: OtherSize | None = None
    """What size the markers rather seem to have, where the pieces contradict them."""

    def places_of(self, kind: str) -> list[OnTable]:
        """Where the pieces of a kind lie on the table."""
        return [at for one, at in zip(self.pieces, self.places, strict=True) if one.kind == kind]


def read_table(
    picture: Picture,
    table: Table,
    set_name: str | None = None,
    expecting: Expecting | None = None,
    memory: Memory | None = None,
) -> Readout:
    """What lies on a table in a picture of it.

    ``expecting`` says what a game has, where one is played on that table; ``memory`` has seen this picture,
    and knows what was said of all that looks as it did.
    """
    start = time.perf_counter()
    try:
        view, took = MAT.run(OnMat(PieceReader(picture, expecting, memory), table, set_name))
    except Exception:
        if memory is not None:
            memory.forget()  # it takes for seen what was not looked at to an end
        raise
    ms = took | {"total": 1e3 * (time.perf_counter() - start)}
    size, pieces = (picture.shape[1], picture.shape[0]), tuple(view.pieces)
    return Readout(size, pieces, ms, table, tuple(view.places), tuple(view.alone), view.other_size)


def agreed_on_table(
    size: tuple[int, int], pieces: Sequence[Read], table: Table, set_name: str | None = None
) -> Readout:
    """Single readings of a table as one that holds together."""
    lying, places = agreed_on_mat(pieces, table, set_name)
    return Readout(size, tuple(lying), {}, table, tuple(places))
