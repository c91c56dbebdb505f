"""What is drawn on each square of a map: a small network's probabilities, made true by their temperatures.

The network sees each square beside the form that all squares share, so that print is not taken for ink. It
also says how much a square looks like a castle and which end is up; that settles between the ways a map lies.
"""

import tomllib
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache

import numpy as np

from vision.mark_reader import MarkReader, mark_reader
from vision.pieces.networks import MODELS, Run, network
from vision.sheet_bend import on_lines, settled
from vision.sheet_cells import (
    CASTLE_INDEX,
    PITCH_PX,
    Cells,
    Floats,
    Picture,
    Values,
    cells_of,
    no_larger,
    planes,
)
from vision.sheet_finder import Candidate, FoundSheet, scaled
from vision.sheet_fine import FINE_PX, fine_cells
from vision.sheet_print import KnownPrint, ShownMap

_HEADS = {"coat": 8, "crosses": 4, "roof": 2, "upright": 2}
_CASTLE_CLASS = 7
_LEAST_CASTLE = 0.02
CLEAR_CASTLE = 0.5
"""From this on the middle square is clearly a castle; below, other ways to lie are tried."""
_LEAST_SURE = 0.6
"""Squares that show so little of any coat, nor that they are empty, are not where the map has its squares."""
_UNSEEN = 0.04
"""How likely a square that looks empty is not, where ink is so faint that some may not show."""


class UnreadMap(Enum):
    """Why nothing is said of a map."""

    NO_CASTLE = "no castle"
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class SheetReading:
    """The probabilities of one map. Squares are in reading order, the castle among them."""

    coats: Floats
    """35×7: empty, then the six coats in the rule book's order."""
    crosses: Floats
    """35×4: none to three crosses, if there is a coat."""
    roof: float
    """How likely the castle's roof is coloured."""
    castle: float
    """How likely the middle square is a castle: whether it is a map at all."""
    fit: float
    """How well squares and castle fit where the map is said to lie: a logarithm, 0 at the best."""
    corners: Floats
    """The corners of the squares in the photo (6×8×2 px), upper left first."""
    flat: Picture
    """The map flattened, as it is read."""
    ours: bool
    shown: ShownMap = field(repr=False, compare=False)
    """All squares as both looks saw them."""

    @property
    def placed(self) -> Floats:
        """The coats, with the chance that the map lies elsewhere: where no castle is seen, no square is sure.

        Squares cut half a square aside show print that looks like coats, and each of them surely.
        """
        return np.asarray(self.castle * self.coats + (1 - self.castle) / self.coats.shape[1])


@dataclass(frozen=True)
class CoarseLook:
    """What the coarser look sees of one way in which a map may lie."""

    fit: float
    """How well squares and castle fit that way: a logarithm, 0 at the best."""
    cells: Cells
    way: Candidate
    heads: dict[str, Floats]

    @property
    def castle(self) -> float:
        """How likely the middle square is a castle."""
        return float(self.heads["coat"][CASTLE_INDEX, _CASTLE_CLASS])


class SheetReader:
    """The network and its temperatures, and the finer look, loaded once."""

    def __init__(self, run: Run, temperatures: dict[str, float], marks: MarkReader) -> None:
        self._run = run
        self._temperatures = temperatures
        self._marks = marks

    def read(
        self, image: Picture, sheet: FoundSheet, known: KnownPrint | None = None
    ) -> SheetReading | UnreadMap:
        """The map as it most probably lies, or why it cannot be told; ``known`` is what is printed on it."""
        # A large photo is made smaller once rather than with each look.
        small, factor = no_larger(image, sheet.candidates[0].corners, FINE_PX)
        if factor < 1:
            reading = self.read(small, scaled(sheet, factor), known)
            if isinstance(reading, UnreadMap):
                return reading
            return replace(reading, corners=(reading.corners + 0.5) / factor - 0.5)
        look = self.look(image, sheet)
        cells, way, heads, castle = look.cells, look.way, look.heads, look.castle
        if castle < _LEAST_CASTLE:
            return UnreadMap.NO_CASTLE
        if known is not None:
            heads = self.probabilities(planes(cells.dark, known.dark(cells.form)))
        coats, crosses = heads["coat"][:, :_CASTLE_CLASS], heads["crosses"].copy()
        coats /= coats.sum(axis=1, keepdims=True)
        drawn = np.arange(len(coats)) != CASTLE_INDEX
        coarse = {"coat": coats[drawn], "crosses": crosses[drawn]}
        lost = fine_cells(image, way.corners)
        both = self._marks.joined(coarse, lost, known)
        if both["coat"].max(axis=1).mean() < _LEAST_SURE:
            return UnreadMap.UNCLEAR
        coats[drawn], crosses[drawn] = both["coat"] + 1e-7, both["crosses"] + 1e-7
        if cells.faint:
            hidden = _UNSEEN * coats[:, :1]
            coats = np.hstack([coats[:, :1] - hidden, coats[:, 1:] + hidden / (coats.shape[1] - 1)])
        if known is not None:
            empty = coats[drawn]
            empty[:, 0] *= known.calm(lost)
            coats[drawn] = empty / empty.sum(axis=1, keepdims=True)
        return SheetReading(
            coats=coats,
            crosses=crosses,
            roof=float(heads["roof"][CASTLE_INDEX, 1]),
            castle=castle,
            fit=look.fit,
            corners=way.corners,
            flat=cells.flat,
            ours=way.ours,
            shown=ShownMap(cells.dark, lost),
        )

    def look(self, image: Picture, sheet: FoundSheet) -> CoarseLook:
        """The coarser look: the map's squares as it most probably lies, where they are, what each shows."""
        small, factor = no_larger(image, sheet.candidates[0].corners, PITCH_PX)
        if factor < 1:
            look = self.look(small, scaled(sheet, factor))
            way = replace(look.way, corners=(look.way.corners + 0.5) / factor - 0.5)
            return replace(look, way=way)
        first = sheet.candidates[0]
        if first.ours:  # its marks say how it lies: its squares can be settled at once
            look = self._look(image, replace(first, corners=settled(image, first.corners)))
            if look.castle >= CLEAR_CASTLE:
                return look
        looks = [self._look(image, way) for way in sheet.candidates]
        for look in looks[:]:
            moved = look.way.corners if look.way.ours else on_lines(look.way.corners, look.cells.form)
            if moved is not look.way.corners:
                looks.append(self._look(image, replace(look.way, corners=moved)))
        looks.sort(key=lambda look: -look.fit)
        # The castle of the right way may not be seen before its squares are settled.
        for look in looks[: None if looks[0].castle < CLEAR_CASTLE else 1]:
            way = replace(look.way, corners=settled(image, look.way.corners))
            looks.append(self._look(image, way))
        return max(looks, key=lambda look: look.fit)

    def probabilities(self, planes: Values) -> dict[str, Floats]:
        """The heads' probabilities for any number of cells (n×3×48×48), seen both ways up."""
        upright = self._logits(planes)
        turned = self._logits(np.ascontiguousarray(planes[..., ::-1, ::-1]))
        return {
            name: _softmax((upright[name] + turned[name]) / 2) for name in _HEADS if name != "upright"
        } | {
            # Turned about, the two ends change places.
            "upright": _softmax((upright["upright"] + turned["upright"][:, ::-1]) / 2)
        }

    def _look(self, image: Picture, way: Candidate) -> CoarseLook:
        """How well a way to lie fits, and what is read in it."""
        cells = cells_of(image, way.corners)
        heads = self.probabilities(cells.planes())
        castle = heads["coat"][:, _CASTLE_CLASS].clip(1e-6, 1 - 1e-6)
        fit = float(np.log(castle[CASTLE_INDEX]) + np.log(1 - np.delete(castle, CASTLE_INDEX)).sum())
        # The castle tells best which end is up. What the others say is much alike and may be wrong all over:
        # it counts but once, and never as much.
        up = heads["upright"][:, 1]
        fit += float(3 * np.log(up[CASTLE_INDEX].clip(1e-4)))
        fit += float(2 * np.log(np.delete(up, CASTLE_INDEX).clip(0.2)).mean())
        # Squares that lie where they should are read more surely.
        fit += float(np.log(heads["coat"].max(axis=1).clip(1e-4)).sum())
        return CoarseLook(fit, cells, way, heads)

    def _logits(self, planes: Values) -> dict[str, Floats]:
        told = self._run(planes).astype(np.float64)
        parts = np.split(told, np.cumsum(list(_HEADS.values()))[:-1], axis=1)
        return {name: part / self._temperatures[name] for name, part in zip(_HEADS, parts, strict=True)}


def _softmax(logits: Floats) -> Floats:
    grown = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True))


@lru_cache(maxsize=1)
def sheet_reader() -> SheetReader:
    """The reader with the network that comes with the program."""
    card = tomllib.loads((MODELS / "sheet_cells.toml").read_text(encoding="utf-8"))
    temperatures = {name: float(card[name]["temperature"]) for name in _HEADS}
    return SheetReader(network("sheet_cells"), temperatures, mark_reader())
