"""Measure how much the network and the pip counter are worth beside each other, on pictures new to both.

    python -m training.pictures --out OUT/agree --pictures 800 --seed 7001
    python -m training.measure_agreement --data OUT/agree

To be run again whenever the readers have learned anew. Half of the pictures serve to choose the weights, by
the likelihood of the truth; the figures are of the other half, at the limit that makes a reading sure.
"""

import itertools
from pathlib import Path

import numpy as np

from training.examples import Pictures, Target
from training.weighing import write
from vision.pieces import dice, domino_reading, pips, small
from vision.pieces.agreement import Trust, joined, push
from vision.pieces.finder import Spotted
from vision.pieces.patches import Floats, Picture
from vision.pieces.pips import PipCount

SURE = 0.985
LEAST_VISIBLE = 0.4
_SHARES = (0.85, 0.9, 0.93, 0.95, 0.97)
_SURPRISE = 1e-3
"""So seldom both may be wrong for a reason that neither can see; it keeps single cases from deciding."""
Opinion = tuple[Floats, PipCount, int, bool]
"""The probabilities of the network, the count, the place of the truth, and whether it is for the choice."""


def opinions(folder: Path, rng: np.random.Generator) -> dict[str, list[Opinion]]:
    """What both say of each half and die."""
    pictures = Pictures(folder)
    out: dict[str, list[Opinion]] = {"domino": [], "die": []}
    for n in range(len(pictures)):
        found = [t for t in pictures.targets[n] if t.visible >= LEAST_VISIBLE]
        up = [t for t in found if t.kind == "domino" and t.facts["face"] == "up"]
        ordinary = [t for t in found if t.kind == "die" and (t.facts["value"] or {}).get("set") == "pips"]
        if up or ordinary:
            picture = pictures.picture(n)
            out["domino"] += _of_dominoes(picture, up, n % 2 == 0, rng)
            out["die"] += _of_dice(picture, ordinary, n % 2 == 0, rng)
    return out


def _rough(one: Target, rng: np.random.Generator) -> Floats:
    width = float(np.linalg.norm(one.axes[1]))
    return np.asarray(one.corners + rng.normal(0, 0.03 * width, (4, 2)) + rng.normal(0, 0.03 * width, 2))


def _of_dominoes(
    picture: Picture, found: list[Target], choice: bool, rng: np.random.Generator
) -> list[Opinion]:
    seen = domino_reading.read(picture, [_rough(one, rng) for one in found])
    counts = pips.count_halves(picture, [one.corners for one in seen])
    return [
        (said, count, int(one.facts["value"]["pips"][k]), choice)
        for one, read, pair in zip(found, seen, counts, strict=True)
        for k, (said, count) in enumerate(zip((read.first, read.second), pair, strict=True))
    ]


def _of_dice(picture: Picture, found: list[Target], choice: bool, rng: np.random.Generator) -> list[Opinion]:
    spotted = []
    for one in found:
        side = float(np.mean([np.linalg.norm(axis) for axis in one.axes]))
        x, y = (float(v) for v in one.middle + rng.normal(0, 0.04 * side, 2))
        spotted.append(Spotted("die", x, y, side, side, 0.0, 1.0))
    seen = dice.looked_at(picture, small.read(picture, spotted))
    counts = pips.count_faces(picture, [one.corners for one in seen])
    faces = [int(one.facts["value"]["face"]) - 1 for one in found]
    return [
        (one.choices["pips"], count, truth, choice)
        for one, count, truth in zip(seen, counts, faces, strict=True)
    ]


def chosen(told: list[Opinion], first: int) -> Trust:
    """The weights that make the truth likeliest."""
    said = np.log(np.maximum(np.array([one[0] for one in told]), 1e-7))
    truth = np.array([one[2] for one in told])
    place = np.array([one[1].likeliest - first for one in told])
    inside = (place >= 0) & (place < said.shape[1])
    rows = np.arange(len(told))

    def loss(trust: Trust) -> float:
        score = said.copy()
        extra = np.array([push(one[1], trust) for one in told])
        score[rows[inside], place[inside]] += extra[inside]
        score -= score.max(axis=1, keepdims=True)
        right = np.exp(score[rows, truth]) / np.exp(score).sum(axis=1)
        return float(-np.log(right + _SURPRISE).sum())

    grid = itertools.product((0.0, 0.3, 0.6, 0.9, 1.2, 1.6), (-2.0, -1.0, 0.0, 1.0, 2.0, 3.0))
    return min((Trust(*one) for one in grid), key=loss)


def figures(told: list[Opinion], trust: Trust, first: int) -> list[str]:
    """How often the network alone, and both together, are sure and right or sure and wrong."""
    truth = np.array([one[2] for one in told])
    alone = np.array([said for said, *_ in told])
    both = np.array([joined(said, count, trust, first) for said, count, *_ in told])
    lines = []
    for name, p in (("network alone", alone), ("both", both)):
        right, belief = p.argmax(axis=1) == truth, p.max(axis=1)
        sure = belief >= SURE
        lines.append(
            f"{name}: n {len(told)}, likeliest right {right.mean():.4f}, sure and right "
            f"{(sure & right).mean():.4f}, sure and wrong {(sure & ~right).sum()}"
        )
        order = right[np.argsort(-belief, kind="stable")]
        wrong = [f"{(~order[: int(share * len(order))]).sum()} in {share:.0%}" for share in _SHARES]
        lines.append(f"{name}: wrong among the surest: {', '.join(wrong)}")
    return lines


def file_lines(folder: Path) -> list[str]:
    """The weights that these pictures call for, with the figures."""
    text = ["# How much the networks and the pip counter are worth beside each other; made by"]
    text += ["# training.measure_agreement, figures on pictures that were kept apart."]
    for kind, told in opinions(folder, np.random.default_rng(11)).items():
        first = 0 if kind == "domino" else 1
        trust = chosen([one for one in told if one[3]], first)
        text += ["", *(f"# {one}" for one in figures([one for one in told if not one[3]], trust, first))]
        text += [f"[{kind}]"]
        text += [f"counter = {trust.counter}", f"bias = {trust.bias}"]
    return text


if __name__ == "__main__":
    raise SystemExit(write(__doc__, "agreement.toml", file_lines))
