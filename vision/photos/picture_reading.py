"""From one picture to what lies in it, whatever table it shows; a match reads its table without this."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibration.joint import LensKnowledge
from calibration.mats import MARKER_MM
from calibration.table_finder import Table
from vision.photos import hidden_halves, stacks
from vision.photos.photo_steps import PHOTO, InPhoto, agreed_in_photo
from vision.photos.stacks import Stack
from vision.pieces import mat
from vision.pieces.each import PieceReader
from vision.pieces.patches import Picture
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout, agreed_on_table, read_table


@dataclass(frozen=True)
class PhotoReadout(Readout):
    """Everything read in one picture that nothing was known of."""

    stacks: tuple[Stack | None, ...] = ()
    """How high the pile is that each coin tops, where that was looked for and can be seen."""


def read_picture(
    picture: Picture, set_name: str | None = None, table: Table | None = None, *,
    marker_mm: float = MARKER_MM, lens: LensKnowledge | None = None,
) -> PhotoReadout:  # fmt: skip
    """What lies in a picture of any table; with a table, or markers that tell of one, in millimetres too.

    ``lens`` is what is known of that of the camera.
    """
    start = time.perf_counter()
    table = table or mat.table_in(picture, lens, marker_mm)
    ms = {"table": 1e3 * (time.perf_counter() - start)}
    if table is None:
        photo, took = PHOTO.run(InPhoto(PieceReader(picture, doubting=hidden_halves.doubted), set_name))
        size = (picture.shape[1], picture.shape[0])
        reading = PhotoReadout(size, tuple(photo.pieces), {}, alone=tuple(photo.alone))
    else:
        on_mat = read_table(picture, table, set_name)
        reading, took = _with_piles(picture, on_mat, table), dict(on_mat.ms)
    return replace(reading, ms=ms | took | {"total": 1e3 * (time.perf_counter() - start)})


def _with_piles(picture: Picture, reading: Readout, table: Table) -> PhotoReadout:
    """The same with the height of each pile of coins; a coin on others lies farther in than it seems."""
    told = stacks.counted(picture, reading.pieces, table)
    on_mm = [0.0 if pile is None else pile.below_mm for pile in told]
    places = tuple(mat.standing(reading.pieces, table, on_mm))
    return PhotoReadout(**{**vars(reading), "places": places}, stacks=told)


def agreed(
    size: tuple[int, int], pieces: Sequence[Read], set_name: str | None = None, table: Table | None = None
) -> PhotoReadout:
    """Single readings as one that holds together, with places where there is a table."""
    if table is None:
        return PhotoReadout(size, tuple(agreed_in_photo(pieces, set_name)), {})
    return PhotoReadout(**vars(agreed_on_table(size, pieces, table, set_name)))
