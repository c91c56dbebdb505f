"""Pips counted without any network: blobs against the body's colour, explained by the patterns that exist.

Each half is laid flat, what light and body make of it is taken off, and what is left is looked at in the one
colour direction that tells most. The strongest blobs are then held against every pattern that makers print.
It is a second opinion that errs in other ways than the networks do, and its confidence is the share of such
counts that were right on simulated pictures.
"""

import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from vision.pieces.networks import MODELS
from vision.pieces.patches import Floats, Picture, cut, framed
from vision.pieces.pip_blobs import MOST, RIM_PX, SIZE_PX, blobs, contrast

HALF = framed((SIZE_PX, SIZE_PX), (RIM_PX, RIM_PX))
"""Where the corners of a half, or of a die's face, lie in its patch; a domino's middle lies to the right."""
SPEAKS = 0.95
"""The confidence that makes it say a count; vision/models/pips.toml tells what that is worth."""
FOR_A_PATTERN = (
    "stray", "gap", "weakest", "spread", "squeeze", "shift", "contrast", "blank contrast", "blank even",
    "blank",
)  # fmt: skip
"""What speaks for or against a pattern."""
FOR_THE_COUNT = (
    "always", "odds", "stray", "gap", "weakest", "contrast", "blank", "blank contrast", "blank even", "pips",
    "blank odds",
)  # fmt: skip
"""What tells whether the likeliest count is right."""


@dataclass(frozen=True)
class PipCount:
    """What was counted on one half or face."""

    likeliest: int
    confidence: float

    @property
    def count(self) -> int | None:
        """The count, or None where it is better not to say."""
        return self.likeliest if self.confidence >= SPEAKS else None


@dataclass(frozen=True)
class Weights:
    """How much each thing counts, learned by training.pip_counter."""

    pattern: Floats
    count: Floats


def count_halves(picture: Picture, dominoes: Sequence[Floats]) -> list[tuple[PipCount, PipCount]]:
    """The pips on both halves of dominoes that lie face up with these corners (4×2), the first half nearer
    to corner 0."""
    found = _counted([half(picture, one, k) for one in dominoes for k in range(2)], DOMINO, "domino")
    return list(zip(found[::2], found[1::2], strict=True))


def count_faces(picture: Picture, faces: Sequence[Floats]) -> list[PipCount]:
    """The pips on the upper faces of dice with these corners (4×2)."""
    return _counted([cut(picture, one, HALF, (SIZE_PX, SIZE_PX))[0] for one in faces], DIE, "die")


def half(picture: Picture, corners: Floats, which: int) -> Picture:
    """One half of a domino laid flat, its middle to the right."""
    p = np.roll(corners, 2 * which, axis=0)
    inner = np.array([p[0], (p[0] + p[1]) / 2, (p[2] + p[3]) / 2, p[3]])
    return cut(picture, inner, HALF, (SIZE_PX, SIZE_PX))[0]


def _counted(patches: Sequence[Picture], known: "Patterns", name: str) -> list[PipCount]:
    if not patches:
        return []
    return counted(features(np.stack(patches).astype(np.float32), known), known, weights(name))


@dataclass(frozen=True)
class Patterns:
    """All patterns, one a row: how many pips, where (padded to the most there are), and their spread."""

    counts: tuple[int, ...]
    places: Floats
    there: Floats
    spread: Floats


def _rows(count: int) -> list[tuple[float, float]]:
    return [(-1 + 2 * k / (count - 1), c) for c in (-1.0, 1.0) for k in range(count)]


def _turned(places: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    return [(c, a) for a, c in places]


def _drawn() -> list[list[tuple[float, float]]]:
    """The patterns of dominoes, (along, across) within -1 to 1, as makers lay them."""
    middle, ends = [(0.0, 0.0)], [(-1.0, 0.0), (1.0, 0.0)]
    falling, four = [(-1.0, 1.0), (1.0, -1.0)], _rows(2)
    rising = [(1.0, 1.0), (-1.0, -1.0)]
    six, eight = _rows(3), _rows(4)
    inner = [(-0.5, 0.0), (0.5, 0.0)]
    three = [(-0.67, 0.0), (0.0, 0.0), (0.67, 0.0)]
    line = [(-1.0, 0.0), (-1 / 3, 0.0), (1 / 3, 0.0), (1.0, 0.0)]
    return [
        middle, falling, rising, [*falling, *middle], [*rising, *middle], four, four + middle, six,
        six + middle, six + ends, six + inner, [*six, *ends, *middle], eight + ends, _turned(eight + inner),
        eight + inner, eight + three, _turned(eight + three), eight + line, _turned(eight + line),
    ]  # fmt: skip


def _of_dice() -> list[list[tuple[float, float]]]:
    drawn = _drawn()[:8]
    return [*drawn, _turned(drawn[7])]


def patterns(drawn: Sequence[Sequence[tuple[float, float]]]) -> Patterns:
    """Patterns as arrays."""
    most = max(map(len, drawn))
    places, there = np.zeros((len(drawn), most, 2)), np.zeros((len(drawn), most))
    for k, one in enumerate(drawn):
        places[k, : len(one)] = one
        there[k, : len(one)] = 1
    spread = np.sqrt((places**2).sum(axis=1) / there.sum(axis=1)[:, None])
    return Patterns(tuple(map(len, drawn)), places, there, spread)


DOMINO, DIE = patterns(_drawn()), patterns(_of_dice())


# --- blobs held against patterns ---------------------------------------------------------------------

_SPREAD = 0.60
"""How far out the outermost pips usually lie, as a share of half a side."""
_NARROWEST, _WIDEST = 0.42, 0.80


def features(patches: Floats, known: Patterns) -> Floats:
    """What speaks for and against each pattern, and last for none at all (n×(patterns+1)×features)."""
    each = [blobs(signal) for signal in contrast(patches)]
    at, strength, noise = (np.array([one[k] for one in each]) for k in range(3))
    counts = np.array(known.counts)
    usual = np.stack([np.median(strength[:, :k], axis=1) for k in counts], axis=1) + 1e-6
    weakest, rest = strength[:, counts - 1], strength[:, counts]
    first = strength[:, 0] + 0.3
    out = np.zeros((len(patches), len(counts) + 1, len(FOR_A_PATTERN)))
    stray, raw, scale, shift = _laid_over(at, known)
    out[:, :-1, 0] = np.minimum(stray, 0.6) * 5
    out[:, :-1, 1] = np.log((weakest + 0.02 * usual) / (rest + 0.02 * usual))
    out[:, :-1, 2] = np.log(weakest / usual + 0.02)
    out[:, :-1, 3] = np.minimum(np.abs(np.log(np.maximum(raw, 0.05) / _SPREAD)).max(axis=2), 2) * 2
    out[:, :-1, 4] = np.minimum(np.abs(np.log(scale[:, :, 0] / scale[:, :, 1])), 1) * 3
    out[:, :-1, 5] = np.minimum(shift, 0.6) * 5
    out[:, :-1, 6] = np.log((usual + 0.3) / (noise[:, None] + 0.3))
    out[:, -1, 7] = np.log(first / (noise + 0.3))
    out[:, -1, 8] = np.log(first / (strength[:, 4] + 0.3))
    out[:, -1, 9] = 1
    return out


def _laid_over(at: Floats, known: Patterns) -> tuple[Floats, Floats, Floats, Floats]:
    """Each pattern laid over as many of the strongest blobs as it has pips, by their mean and spread.

    How far the worst blob or pip lies from its nearest partner, how wide the blobs spread, how wide the
    pattern was drawn for that, and how far it was moved.
    """
    counts = np.array(known.counts)
    upto = np.arange(1, MOST + 1)[None, :, None]
    mean = np.cumsum(at, axis=1) / upto
    spread = np.sqrt(np.maximum(np.cumsum(at**2, axis=1) / upto - mean**2, 0))
    mean, spread = mean[:, counts - 1], spread[:, counts - 1]
    flat = known.spread < 1e-6
    raw = np.where(flat, _SPREAD, spread / np.where(flat, 1.0, known.spread))
    scale = np.clip(raw, _NARROWEST, _WIDEST)
    places = (mean[:, :, None] + known.places[None] * scale[:, :, None]).astype(np.float32)
    seen = at.astype(np.float32)
    away = np.hypot(*(places[:, :, :, None, k] - seen[:, None, None, :, k] for k in (0, 1)))
    top, there = np.arange(MOST)[None, :] < counts[:, None], known.there > 0
    away = np.where((there[:, :, None] & top[:, None, :])[None], away, 9.0)
    lone = np.where(there[None], away.min(axis=3), 0).max(axis=2)
    stray = np.maximum(lone, np.where(top[None], away.min(axis=2), 0).max(axis=2))
    return stray, raw, scale, np.linalg.norm(mean, axis=2)


# --- what they are worth -----------------------------------------------------------------------------


def scores(told: Floats, weights: Floats) -> Floats:
    """The probability of each pattern, and of none (n×(patterns+1))."""
    score = told @ weights
    score = np.exp(score - score.max(axis=1, keepdims=True))
    return np.asarray(score / score.sum(axis=1, keepdims=True))


def evidence(told: Floats, likely: Floats, known: Patterns) -> tuple[Floats, Floats]:
    """The likeliest counts (n), and what tells whether they are right (n×features)."""
    counts = np.array([*known.counts, 0])
    of_count = likely @ (counts[:, None] == np.arange(13)[None, :])
    best = of_count.argmax(axis=1)
    p = np.minimum(of_count.max(axis=1), 1 - 1e-9)
    odds = np.log(p / (1 - p))
    own = np.where(counts[None, :] == best[:, None], likely, -1).argmax(axis=1)
    f = told[np.arange(len(told)), own].T
    blank = (best == 0).astype(float)
    some = 1 - blank
    columns = (
        np.ones(len(told)), odds, f[0] * some, np.minimum(f[1], 3) * some, np.maximum(f[2], -1.5) * some,
        np.minimum(f[6], 4) * some, blank, blank * f[7], blank * f[8], np.log(best + 1), blank * odds,
    )  # fmt: skip
    return best, np.column_stack(columns)


def counted(told: Floats, known: Patterns, weights: Weights) -> list[PipCount]:
    """The counts that these features speak for."""
    best, why = evidence(told, scores(told, weights.pattern), known)
    right = why @ weights.count
    return [PipCount(int(k), 1 / (1 + math.exp(-float(r)))) for k, r in zip(best, right, strict=True)]


@cache
def weights(name: str) -> Weights:
    """The learned weights for the halves of a domino or the faces of a die."""
    told = tomllib.loads((MODELS / "pips.toml").read_text(encoding="utf-8"))[name]
    return Weights(
        np.array([told["pattern"][key] for key in FOR_A_PATTERN]),
        np.array([told["count"][key] for key in FOR_THE_COUNT]),
    )
