"""From a picture to what lies in it: two ways, one for photos of any table and one for measured tables."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from calibration.joint import LensKnowledge
from calibration.mats import MARKER_MM
from calibration.table_finder import Table
from vision.pieces import mat
from vision.pieces.each import PieceReader
from vision.pieces.expecting import Expecting
from vision.pieces.marker_size import OtherSize
from vision.pieces.mat import OnTable
from vision.pieces.mat_steps import GAME, MAT, OnMat, agreed_on_mat
from vision.pieces.memory import Memory
from vision.pieces.patches import Picture
from vision.pieces.photo_steps import PHOTO, InPhoto, agreed_in_photo
from vision.pieces.piece_read import Read
from vision.pieces.stacks import Stack


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
    stacks: tuple[Stack | None, ...] = ()
    """How high the pile is that each coin tops, where that was looked for and can be seen."""
    other_size: OtherSize | None = None
    """What size the markers rather seem to have, where the pieces contradict them."""

    def places_of(self, kind: str) -> list[OnTable]:
        """Where the pieces of a kind lie on the table."""
        return [at for one, at in zip(self.pieces, self.places, strict=True) if one.kind == kind]


def read_picture(
    picture: Picture, set_name: str | None = None, table: Table | None = None,
    expecting: Expecting | None = None, memory: Memory | None = None, *,
    marker_mm: float = MARKER_MM, lens: LensKnowledge | None = None,
) -> Readout:  # fmt: skip
    """What lies in a picture of any table; with a table, or markers that tell of one, in millimetres too.

    ``expecting`` says what a game has, where one is played on that table; ``memory`` has seen this picture,
    and knows what was said of all that looks as it did. ``lens`` is what is known of that of the camera.
    """
    start = time.perf_counter()
    table = table or mat.table_in(picture, lens, marker_mm)
    ms = {"table": 1e3 * (time.perf_counter() - start)}
    size = (picture.shape[1], picture.shape[0])
    if table is None:
        photo, took = PHOTO.run(InPhoto(PieceReader(picture, covers=True), set_name))
        reading = Readout(size, tuple(photo.pieces), {}, alone=tuple(photo.alone))
    else:
        way = MAT if expecting is None else GAME
        view, took = way.run(OnMat(PieceReader(picture, expecting, memory), table, set_name))
        pieces, places, alone = tuple(view.pieces), tuple(view.places), tuple(view.alone)
        reading = Readout(size, pieces, {}, table, places, alone, tuple(view.stacks), view.other_size)
    return replace(reading, ms=ms | took | {"total": 1e3 * (time.perf_counter() - start)})


def agreed(
    size: tuple[int, int], pieces: Sequence[Read], set_name: str | None = None, table: Table | None = None
) -> Readout:
    """Single readings as one that holds together, with places where there is a table."""
    if table is None:
        return Readout(size, tuple(agreed_in_photo(pieces, set_name)), {})
    lying, places = agreed_on_mat(pieces, table, set_name)
    return Readout(size, tuple(lying), {}, table, tuple(places))
