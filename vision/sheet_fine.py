"""The squares of a map cut finer, print laid on print, and what all of them tell about the form and the pen.

Crosses stand on small printed circles, and a circle that lies a pixel aside looks like one. So each square is
laid on the print that all share before that print is taken out. A pen takes its share of what light is left:
over dark print a cross is hardly darker, but its share is the same. That share is what is looked at.
"""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.sheet_cells import (
    CASTLE_INDEX,
    COLUMNS,
    ROWS,
    Floats,
    Picture,
    Values,
    drawn_most,
    flattened,
    paper_light,
)
from vision.sheet_print import KnownPrint

FINE_PX = 60
"""Pixels of a square; a cell shows a tenth more on each side, as the coarser ones do."""
_MARGIN = FINE_PX // 10
FINE_CELL_PX = FINE_PX + 2 * _MARGIN
PLANES = 7
_REACH = 4
"""How far aside, in pixels, a square's print is looked for."""
_LEAST_ALIKE = 0.3
"""Print that is less alike than this does not say where it lies."""
_SHARES = (0.1, 0.3, 0.9)
"""So many of all squares are lighter: the bare print, the form as most squares show it, and drawn on."""
_STRONG = 0.985
"""What is darker than so many of all pixels is certainly the pen."""
_PALEST = 0.12
DARKEST = 0.85
"""Of print that leaves less light than the rest of this, no share can be told."""


@dataclass(frozen=True)
class Shared:
    """What the squares of one sheet have in common: shares of the paper's light that are lost, by colour."""

    bare: Values
    form: Values
    """72×72×3: the print as the lightest squares and as most squares show it; n of these where known."""
    marked: Values
    """The same where most is drawn: where on this sheet people draw at all."""
    pen: Values
    """What the pen takes, by colour."""

    def planes(self, lost: Values) -> Values:
        """What the network sees of some squares (n×72×72×3 to n×7×72×72)."""
        shape = lost.shape[:3]
        over_form, over_bare = self._inked(lost, self.form), self._inked(lost, self.bare)
        form = np.broadcast_to(self.form.mean(axis=-1), shape)
        marked = np.broadcast_to(self._inked(self.marked, self.bare), shape)
        return np.stack([*lost.transpose(3, 0, 1, 2), form, over_form, over_bare, marked], axis=1).astype(
            np.float32
        )

    def _inked(self, lost: Values, print_: Values) -> Values:
        """How much of the pen must lie over the print for so much light to be lost: 1 is its full ink."""
        ink = _over(lost, print_) @ (self.pen / max(float(self.pen @ self.pen), 1e-9))
        return np.asarray(np.clip(ink, -1, 1.5))


def _over(lost: Values, print_: Values) -> Values:
    return np.asarray((lost - print_) / (1 - np.minimum(print_, DARKEST)))


def shared(lost: Values, known: KnownPrint | None = None) -> Shared:
    """What some squares (n×72×72×3) have in common, and what is printed on each where that is known."""
    ranks = [round(share * (len(lost) - 1)) for share in _SHARES]
    bare, form, marked = np.partition(lost, ranks, axis=0)[ranks]
    if known is not None:
        bare, form = known.lost(bare), known.lost(form)
    ink = _over(lost, form)
    grey = ink.mean(axis=3)
    least = int(_STRONG * grey.size)
    darkest = np.argpartition(grey.ravel(), least)[least:]
    pen = ink.reshape(-1, 3)[darkest].mean(axis=0).clip(0.01)
    pen = pen * max(1.0, drawn_most(grey) / max(float(grey.ravel()[darkest].mean()), 1e-3))
    return Shared(bare, form, marked, pen * max(1.0, _PALEST / float(np.linalg.norm(pen))))


def fine_cells(image: Picture, corners: Floats) -> Values:
    """The 34 squares beside the castle of the map whose squares have these corners (6×8×2 px).

    They come in reading order, as the share of the paper's light that is lost, by colour (34×72×72×3).
    """
    return fine_boxes(flattened(image, corners, FINE_PX, _MARGIN), ROWS, COLUMNS, (CASTLE_INDEX,))


def fine_boxes(flat: Picture, rows: int, columns: int, but: tuple[int, ...] = ()) -> Values:
    """The boxes of a flat picture of 60 pixels a box, without those at these indices."""
    white = paper_light(flat, FINE_PX)
    lost = np.clip(1 - (flat.astype(np.float32) + 1) / np.maximum(white, 1), 0, 1)
    starts = np.delete(np.argwhere(np.ones((rows, columns))) * FINE_PX, but, axis=0)
    return registered(np.stack([lost[y : y + FINE_CELL_PX, x : x + FINE_CELL_PX] for y, x in starts]))


def registered(lost: Values) -> Values:
    """Each square moved, by parts of a pixel, to where its print lies as in the others."""
    grey = lost.mean(axis=3)
    rank = round(_SHARES[1] * (len(grey) - 1))
    form = np.partition(grey, rank, axis=0)[rank]
    middle = np.ascontiguousarray(form[_REACH:-_REACH, _REACH:-_REACH])
    return np.stack([_moved(cell, _aside(one, middle)) for cell, one in zip(lost, grey, strict=True)])


def _aside(cell: Values, middle: Values) -> tuple[float, float]:
    """How far to the right and down of its place the print of a square lies."""
    alike = cv2.matchTemplate(np.ascontiguousarray(cell), middle, cv2.TM_CCOEFF_NORMED)
    _, best, _, (x, y) = cv2.minMaxLoc(alike)
    if best < _LEAST_ALIKE or not (0 < x < 2 * _REACH and 0 < y < 2 * _REACH):
        return 0.0, 0.0
    return x - _REACH + _peak(alike[y, x - 1 : x + 2]), y - _REACH + _peak(alike[y - 1 : y + 2, x])


def _peak(three: Values) -> float:
    """Where between three neighbours the top of a parabola through them lies."""
    before, here, after = (float(one) for one in three)
    bend = before - 2 * here + after
    return 0.5 * (before - after) / bend if bend < 0 else 0.0


def _moved(cell: Values, aside: tuple[float, float]) -> Values:
    way = np.array([[1, 0, aside[0]], [0, 1, aside[1]]], dtype=np.float32)
    size = (cell.shape[1], cell.shape[0])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(cell, way, size, flags=flags, borderMode=cv2.BORDER_REPLICATE))
