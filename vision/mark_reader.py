"""What the finer look says of each square: its coat and its crosses, from a network of its own.

Its answers are joined with those of the coarser look as two witnesses are: each counts by a weight that was
set where both were right or wrong about the same sheets.
"""

import tomllib
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from vision.pieces.networks import MODELS, Run, network
from vision.sheet_cells import Floats, Values
from vision.sheet_fine import shared
from vision.sheet_print import KnownPrint

HEADS = {"coat": 7, "crosses": 4}


@dataclass(frozen=True)
class MarkReader:
    """The network of the finer look, and how much its word counts beside the coarser one's."""

    run: Run
    weights: dict[str, tuple[float, float]]
    """For each head the weights of the coarser and of the finer look."""

    def logits(self, lost: Values, known: KnownPrint | None = None) -> dict[str, Floats]:
        """What the finer look says of the squares of one sheet (n×72×72×3), seen four ways.

        Upside down, and as in a mirror: marks stay what they are, and four looks err less than two.
        """
        planes = shared(lost, known).planes(lost)
        ways = (planes, planes[..., ::-1], planes[..., ::-1, :], planes[..., ::-1, ::-1])
        told = np.mean([self.run(np.ascontiguousarray(way)) for way in ways], axis=0, dtype=np.float64)
        coat, crosses = np.split(told, [HEADS["coat"]], axis=1)
        return {"coat": coat, "crosses": crosses}

    def joined(
        self, coarse: dict[str, Floats], lost: Values, known: KnownPrint | None = None
    ) -> dict[str, Floats]:
        """The probabilities of both looks together; ``coarse`` are those of the other one."""
        fine = self.logits(lost, known)
        return {name: self._joined(name, coarse[name], fine[name]) for name in HEADS}

    def _joined(self, name: str, coarse: Floats, fine: Floats) -> Floats:
        first, second = self.weights[name]
        said = first * np.log(np.maximum(coarse, 1e-7)) + second * fine
        grown = np.exp(said - said.max(axis=1, keepdims=True))
        return np.asarray(grown / grown.sum(axis=1, keepdims=True))


@lru_cache(maxsize=1)
def mark_reader() -> MarkReader:
    """The finer look that comes with the program."""
    card = tomllib.loads((MODELS / "sheet_marks.toml").read_text(encoding="utf-8"))
    weights = {name: (float(card[name]["coarse"]), float(card[name]["fine"])) for name in HEADS}
    return MarkReader(network("sheet_marks"), weights)
