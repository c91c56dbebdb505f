"""What empty squares of a map have shown on its own table: print that is known is taken for no ink.

All squares of a sheet carry one form, and what most of them show tells it. But a printer, a pale ink or a
bent paper shows it otherwise in each, and the rest looks like something drawn. Where table and record
have agreed that a square is empty, the square itself has shown what is printed there.
"""

from collections.abc import Collection
from dataclasses import dataclass

import cv2
import numpy as np

from vision.sheet_cells import CASTLE_INDEX, Floats, Values

_OTHERS = np.array([k for k in range(35) if k != CASTLE_INDEX])
"""The squares beside the castle, as the finer look counts them."""
_BLUR_PX = 2.0
"""What lies over so many pixels of the finer look is no noise."""
_RIM_PX = 8
"""Lines between squares lie so near the rim, and are no part of a square."""
_EVEN = 0.045
"""A share of light lost anew: of 2,894 empty squares 1 % lost more, of 302 drawn on none lost less."""
_STEEP = 10.0
"""How the odds fall with the share: the calmest half of the empty squares lost a third of it."""
_MOST = 100.0
"""Odds that nothing was drawn, at most: 302 squares without an exception prove no more."""


@dataclass(frozen=True, eq=False)
class ShownMap:
    """What one look has shown of all squares of a map, as the coarser and the finer look see them."""

    dark: Values
    """35×48×48: how much darker than the paper."""
    lost: Values
    """34×72×72×3: what share of the paper's light is lost, without the castle's square."""


@dataclass(frozen=True, eq=False)
class KnownPrint:
    """The squares whose print is known, each as it was when it was seen first."""

    squares: frozenset[int]
    shown: ShownMap

    @classmethod
    def of(cls, shown: ShownMap, empty: Collection[int]) -> "KnownPrint":
        """The print of these squares, in which nothing was drawn at this look."""
        return cls(frozenset(empty), shown)

    def with_more(self, shown: ShownMap, empty: Collection[int]) -> "KnownPrint":
        """The same, with squares that were not known before."""
        fresh = frozenset(empty) - self.squares
        if not fresh:
            return self
        dark, lost = self.shown.dark.copy(), self.shown.lost.copy()
        dark[sorted(fresh)] = shown.dark[sorted(fresh)]
        fine = np.isin(_OTHERS, sorted(fresh))
        lost[fine] = shown.lost[fine]
        return KnownPrint(self.squares | fresh, ShownMap(dark, lost))

    def dark(self, form: Values) -> Values:
        """The print of each square for the coarser look (35×48×48): its own, or else the common one."""
        return _each(self.shown.dark, form, np.isin(np.arange(35), sorted(self.squares)))

    def calm(self, lost: Values) -> Floats:
        """The odds that nothing was drawn on each square but the castle's since its print was seen.

        They are even at worst: what has changed may be a shadow as well, and is for the readers to tell.
        """
        more = (lost - self.shown.lost).mean(axis=3)
        known = np.isin(_OTHERS, sorted(self.squares))
        return np.array([_calm(one) if is_known else 1.0 for one, is_known in zip(more, known, strict=True)])

    def lost(self, form: Values) -> Values:
        """The same for the finer look (34×72×72×3)."""
        return _each(self.shown.lost, form, np.isin(_OTHERS, sorted(self.squares)))


def _calm(more: Values) -> float:
    """The odds that a square shows no more than it did, by the share of light that it lost anew."""
    smooth = cv2.GaussianBlur(np.asarray(more, np.float32), (0, 0), _BLUR_PX)
    most = float(smooth[_RIM_PX:-_RIM_PX, _RIM_PX:-_RIM_PX].max())
    return float(np.clip((_EVEN / max(most, 1e-3)) ** _STEEP, 1.0, _MOST))


def _each(own: Values, common: Values, known: Values) -> Values:
    forms = np.broadcast_to(common, own.shape).copy()
    forms[known] = own[known]
    return forms
