"""What a second opinion is worth: the pip counter's verdict joined to the network's, as odds are joined.

The discs on soldiers' heads are a second opinion too.

Where both say the same the reading is believed more; where the counter says something else clearly, the
reading is believed so much less that a person is asked. How much was measured on simulated pictures that
neither had seen (training.measure_agreement), and lies in vision/models/agreement.toml.
"""

import math
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from calibration.soldier_marks import TYPES
from vision.pieces import pips, soldier_discs
from vision.pieces.domino_reading import DominoReading
from vision.pieces.networks import MODELS
from vision.pieces.patches import Floats, Picture
from vision.pieces.pips import PipCount
from vision.pieces.small import CHOICES, SmallReading

_LEAST = 1e-7
_LIKELY = 0.5
_PERHAPS = 0.05
_RATHER_CLEAR = 0.7
"""From here on a count of a die's pips is told beside what was read; to move the odds it must be surer."""
_SAME_PATCH = 0.5
"""Two opinions of the same pixels are not worth two: the network's odds count by their root."""


@dataclass(frozen=True)
class Trust:
    """How much weight the counter's odds have; the network's own confidence is its own affair."""

    counter: float
    bias: float


def joined(said: Floats, count: PipCount, trust: Trust, first: int = 0) -> Floats:
    """The probabilities of pips ``first``, ``first`` + 1 … after the counter was heard."""
    score = np.log(np.maximum(said, _LEAST))
    place = count.likeliest - first
    if 0 <= place < len(score):
        score[place] += push(count, trust)
    score = np.exp(score - score.max())
    return np.asarray(score / score.sum())


def push(count: PipCount, trust: Trust) -> float:
    """How much a count adds to the log of its probability; one that does not speak adds nothing.

    Nor does a blank: where glare or an edge hides the pips, both see none, and that is no second opinion. An
    unsure count is none either: both may look at the same square laid across two faces of a die.
    """
    if not count.count:
        return 0.0
    sure = min(max(count.confidence, 1e-6), 1 - 1e-6)
    return max(0.0, trust.counter * math.log(sure / (1 - sure)) + trust.bias)


def with_counts(picture: Picture, seen: Sequence[DominoReading]) -> list[DominoReading]:
    """Readings of dominoes after the counter was heard on those that lie face up."""
    out = list(seen)
    up = [k for k, one in enumerate(seen) if one.share("up") > _LIKELY]
    each = pips.count_halves(picture, [seen[k].corners for k in up])
    for k, (a, b) in zip(up, each, strict=True):
        first, second = (joined(p, c, trust("domino")) for p, c in ((seen[k].first, a), (seen[k].second, b)))
        out[k] = replace(seen[k], first=first, second=second)
    return out


def with_counts_of_dice(picture: Picture, seen: Sequence[SmallReading]) -> list[SmallReading]:
    """Readings of small pieces after the counter was heard on those that are ordinary dice."""
    out = list(seen)
    dice = [k for k, one in enumerate(seen) if _is_pip_die(one)]
    for k, count in zip(dice, pips.count_faces(picture, [seen[k].corners for k in dice]), strict=True):
        said = joined(seen[k].choices["pips"], count, trust("die"), first=1)
        clear = count.likeliest if count.confidence >= _RATHER_CLEAR else None
        out[k] = replace(seen[k], choices={**seen[k].choices, "pips": said}, counted=clear)
    return out


def with_discs(
    picture: Picture, seen: Sequence[SmallReading], maybe_soldier: Sequence[bool]
) -> list[SmallReading]:
    """Readings of small pieces after the discs on soldiers' heads were compared with all printed ones.

    Looked for are discs where the finder or the reader thinks of a soldier.
    """
    out = list(seen)
    maybe = [k for k, one in enumerate(seen) if maybe_soldier[k] or one.share("soldier") > _PERHAPS]
    discs = soldier_discs.compare(picture, [(seen[k].x, seen[k].y, seen[k].side) for k in maybe])
    for k, disc in zip(maybe, discs, strict=True):
        out[k] = _after_disc(seen[k], disc)
    return out


def _after_disc(one: SmallReading, disc: soldier_discs.Disc) -> SmallReading:
    """Where a disc is seen it settles type, side and facing; where none is, the network's word stands."""
    by_kind, none = disc.shares()
    said = one.choices
    prior = np.array([said["type"][TYPES.index(t)] * said["owner"][side] for t, side in soldier_discs.KINDS])
    both = by_kind * np.maximum(prior, _LEAST) ** _SAME_PATCH
    both *= (1 - none) / both.sum()
    types = none * said["type"] + np.array([both[2 * t : 2 * t + 2].sum() for t in range(len(TYPES))])
    owners = none * said["owner"] + np.array([both[side::2].sum() for side in (0, 1)])
    kinds = said["kind"] * none
    kinds[CHOICES["kind"].index("soldier")] += 1 - none
    facing = one.angle_deg if none > _LIKELY else float(disc.facing_deg[int(np.argmax(both))])
    return replace(one, choices={**said, "kind": kinds, "type": types, "owner": owners}, angle_deg=facing)


def _is_pip_die(one: SmallReading) -> bool:
    return bool(one.share("die") * one.choices["set"][CHOICES["set"].index("pips")] > _LIKELY)


@cache
def trust(kind: str) -> Trust:
    """What was measured for a kind of piece."""
    told = tomllib.loads((MODELS / "agreement.toml").read_text(encoding="utf-8"))[kind]
    return Trust(told["counter"], told["bias"])
