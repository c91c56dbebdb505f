"""What the finer look says of each square: its coat and its crosses, from a network of its own.

Its answers are joined with those of the coarser look as two witnesses are: each counts by a weight that was
set where both were right or wrong about the same sheets. Whether anything is drawn on a square is a question
of its own: of lines drawn by hand the coarser look knows better that they are none.
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.pieces.networks import MODELS, Run, network
from vision.sheet_cells import Floats, Values
from vision.sheet_fine import shared
from vision.sheet_print import KnownPrint

HEADS = {"coat": 7, "crosses": 4}
WEIGHTS = ("drawn", *HEADS)
"""For each of these questions both looks have a weight."""
_CLEAR = 0.999
"""Of what two looks are as sure of as this, two more change nothing."""


@dataclass(frozen=True)
class MarkReader:
    """The network of the finer look, and how much its word counts beside the coarser one's."""

    run: Run
    weights: dict[str, tuple[float, float]]
    """For each question the weights of the coarser and of the finer look."""

    def logits(self, lost: Values, known: KnownPrint | None = None) -> dict[str, Floats]:
        """What the finer look says of the squares of one sheet (n×72×72×3), seen two ways, or four.

        Upside down, and as in a mirror: marks stay what they are. What two looks leave unsure gets two more.
        """
        planes = shared(lost, known).planes(lost)
        told = self._mean((planes, planes[..., ::-1, ::-1]))
        sure = np.minimum.reduce([_surest(part) for part in _heads(told).values()])
        unsure = np.flatnonzero(sure < _CLEAR)
        if len(unsure):
            some = planes[unsure]
            told[unsure] = (told[unsure] + self._mean((some[..., ::-1], some[..., ::-1, :]))) / 2
        return _heads(told)

    def _mean(self, ways: Sequence[Values]) -> Floats:
        """What is said on average of squares that are shown in several ways."""
        told = [self.run(np.ascontiguousarray(way)) for way in ways]
        return np.asarray(np.mean(told, axis=0, dtype=np.float64))

    def joined(
        self, coarse: dict[str, Floats], lost: Values, known: KnownPrint | None = None
    ) -> dict[str, Floats]:
        """The probabilities of both looks together; ``coarse`` are those of the other one."""
        fine = self.logits(lost, known)
        told = {name: self._joined(name, coarse[name], fine[name]) for name in HEADS}
        blank = self._blank(coarse["coat"], fine["coat"])
        coats = told["coat"][:, 1:] / told["coat"][:, 1:].sum(axis=1, keepdims=True)
        return told | {"coat": np.column_stack([blank, (1 - blank)[:, None] * coats])}

    def _blank(self, coarse: Floats, fine: Floats) -> Floats:
        """How likely nothing is drawn on each square."""
        first, second = self.weights["drawn"]
        sure = np.log(np.maximum(_softmax(fine), 1e-12))
        odds = [
            known[:, 0] - np.log(np.maximum(np.exp(known[:, 1:]).sum(axis=1), 1e-12))
            for known in (np.log(np.maximum(coarse, 1e-7)), sure)
        ]
        return np.asarray(1 / (1 + np.exp(-(first * odds[0] + second * odds[1]))))

    def _joined(self, name: str, coarse: Floats, fine: Floats) -> Floats:
        first, second = self.weights[name]
        return _softmax(first * np.log(np.maximum(coarse, 1e-7)) + second * fine)


def _heads(told: Floats) -> dict[str, Floats]:
    coat, crosses = np.split(told, [HEADS["coat"]], axis=1)
    return {"coat": coat, "crosses": crosses}


def _surest(logits: Floats) -> Floats:
    """For each square the share of its likeliest answer."""
    return np.asarray(_softmax(logits).max(axis=1))


def _softmax(said: Floats) -> Floats:
    grown = np.exp(said - said.max(axis=1, keepdims=True))
    return np.asarray(grown / grown.sum(axis=1, keepdims=True))


@lru_cache(maxsize=1)
def mark_reader() -> MarkReader:
    """The finer look that comes with the program."""
    card = tomllib.loads((MODELS / "sheet_marks.toml").read_text(encoding="utf-8"))
    weights = {name: (float(card[name]["coarse"]), float(card[name]["fine"])) for name in WEIGHTS}
    return MarkReader(network("sheet_marks"), weights)
