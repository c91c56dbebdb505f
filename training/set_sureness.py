"""Set when a reading is believed without asking: the limits, from pictures that no network learned from.

    python -m training.pictures --out OUT/sure --pictures 800 --seed 7001
    python -m training.set_sureness --data OUT/sure

To be run again whenever the readers have learned anew, after ``training.measure_agreement``. Above the limit
no piece is read wrong but for a share that is too small to count, and the doubt that the surest error left is
halved once more: real pictures are harder than simulated ones. Where things are seen that are not there, the
limit rises as far as the usual one; more would only ask about good pieces.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from training.examples import Floats, Pictures, Target
from training.measure_reading import pair, same
from training.weighing import write
from vision.photos.picture_reading import read_picture
from vision.pieces.sureness import SORTS, lies_open, sort_of

_LOWEST, _LOWEST_OF_FEW, _HIGHEST = 0.9, 0.95, 0.999
_FEW = 1000
_USUAL = 0.985
_OVERLOOKED = 1 / 4000
_PHANTOMS = 1 / 200
_BY_HAND = {
    "domino": 0.94, "back": 0.99, "die-pips": 0.99, "die-piecepack": 0.98, "die-kingdomino-duel": 0.985
}  # fmt: skip
"""Dominoes: 0.90 was measured, and then one of 1,961 on other tables was wrong at 0.915. Backs: a wall or a
face half covered is taken for one, more surely than was measured; one back in twenty more is asked about for
it. Dice were measured on more pictures (tables of seed 7102, ``--kind dice`` of seed 8300, ``every-die`` of
8200). Ordinary ones: the lowest at which fewer than one in 200 of 1,488 simulated ones was wrong (seeds
8200 and 8300); of 568 in real photographs, looked at in development, 1 is. A count of the pips moves it, see
``vision.pieces.sureness``. Those of the piecepack and the
Duel: none of 324 and of 168 on tables was wrong so high; of a heap in which every die is of another make 2 of
78 were."""


@dataclass(frozen=True)
class JudgedReading:
    """One reading: how sure it was, and whether it was right; what lies where nothing is, is a phantom."""

    confidence: float
    right: bool
    phantom: bool = False


def limit(told: Sequence[JudgedReading], overlooked: float = _OVERLOOKED) -> float:
    """The limit for readings of one sort, above which no more than a share is wrong."""
    return limit_above(told, int(overlooked * len(told)))


def limit_above(told: Sequence[JudgedReading], overlooked: int) -> float:
    """The limit above which no more than so many are wrong, as far as a limit can be that high."""
    wrong = sorted((one.confidence for one in told if not one.right and not one.phantom), reverse=True)
    left = wrong[overlooked:]
    high = 1 - (1 - left[0]) / 2 if left else 0.0
    least = float(np.clip(high, _LOWEST_OF_FEW if len(told) < _FEW else _LOWEST, _HIGHEST))
    return max(least, _USUAL) if _haunted(told, least) else least


def _haunted(told: Sequence[JudgedReading], least: float) -> bool:
    """Whether too much of what would be believed is not there."""
    believed = [one.phantom for one in told if one.confidence >= least]
    return sum(believed) > _PHANTOMS * max(1, len(believed))


def readings(folder: Path) -> dict[str, list[JudgedReading]]:
    """Every reading of these pictures by sort."""
    pictures = Pictures(folder)
    out: dict[str, list[JudgedReading]] = defaultdict(list)
    for n in range(len(pictures)):
        wanted = pictures.targets[n]
        reading = read_picture(pictures.picture(n))
        piece_of = {j: wanted[i] for i, j in pair(reading, wanted).items()}
        for j, one in enumerate(reading.pieces):
            want = piece_of.get(j)
            if not lies_open(one) or (want is None and near_any(one.middle, wanted)):
                continue  # beside a piece that is hardly seen there is no telling what is right
            right = want is not None and same(one, want)
            out[sort_of(one)].append(JudgedReading(one.confidence, right, want is None))
    return out


def near_any(middle: Floats, wanted: Sequence[Target]) -> bool:
    """Whether a place lies on any piece of the truth."""
    return any(
        float(np.linalg.norm(one.middle - middle)) < 0.6 * max(float(np.linalg.norm(a)) for a in one.axes)
        for one in wanted
    )


def file_lines(folder: Path) -> list[str]:
    """The limits that these pictures call for, with what they rest on."""
    found = readings(folder)
    text = ["# From which confidence on a reading is believed without asking; made by training.set_sureness."]
    for sort in SORTS:
        told = found.get(sort, [])
        text += section(sort, told, _BY_HAND.get(sort) or limit(told))
    return text


def section(sort: str, told: Sequence[JudgedReading], least: float) -> list[str]:
    """What is written of a sort: its limit, and what came of the readings above it."""
    believed = [one for one in told if one.confidence >= least]
    right, phantoms = (sum(getattr(one, name) for one in believed) for name in ("right", "phantom"))
    return [
        "",
        f"# {len(told)} readings; believed {len(believed)}: {right} right,",
        f"# {len(believed) - right - phantoms} wrong, {phantoms} where nothing was",
        f"[{sort}]",
        f"limit = {least:.5f}",
    ]


if __name__ == "__main__":
    raise SystemExit(write(__doc__, "sureness.toml", file_lines))
