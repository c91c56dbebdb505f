"""Teach the reader of small pieces: coins, dice, pawns, soldiers and tile backs to a small network, as ONNX.

    python -m training.small_reader --data OUT/train --out OUT --steps 12000 --seed 1

It goes on from the last checkpoint in OUT. Needs torch (2.13) beside numpy and OpenCV.
"""

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from training import learning
from training.cover import covered
from training.examples import Mix, Pictures, Rng, Target, density, evenly, recoloured
from training.learning import Normed, layer
from vision.pieces.patches import SMALL_CORNERS, SMALL_SIZE, cut, rectangle
from vision.pieces.small import CHOICES, NUMBERS

BATCH, A_PICTURE = 64, 8
SHARES = {"dominoes": 0.05, "dice": 0.25, "piecepack": 0.15, "duel": 0.1, "soldiers": 0.12, "table": 0.33}
_COVERED = 0.12


class SmallNet(nn.Module):
    """Sees a patch and answers all questions at once; only those that the kind allows count."""

    def __init__(self) -> None:
        super().__init__()
        self.see = nn.Sequential(
            Normed(), layer(3, 16, 2), layer(16, 32), layer(32, 64, 2), layer(64, 64), layer(64, 96, 2),
            layer(96, 96), layer(96, 40, size=1), nn.Flatten(),
            nn.Linear(40 * 64, 112), nn.ReLU(inplace=True),
            nn.Linear(112, sum(map(len, CHOICES.values())) + NUMBERS),
        )  # fmt: skip

    def forward(self, patch: Tensor) -> Tensor:
        """Logits of every choice, then the numbers."""
        out: Tensor = self.see(patch)
        return out


def answers(facts: dict[str, Any], kind: str) -> dict[str, str]:
    """What is to be said of a piece, by question."""
    value = facts["value"] or {}
    said = {"kind": kind}
    if kind == "coin":
        shows = "value" if value.get("suit") is None else "suit"
        said["side"] = shows
        if shows == "suit":
            said["suit"] = str(value["suit"])
        else:
            said["rank"] = CHOICES["rank"][int(value["value"])]
    elif kind == "pawn":
        said["suit"] = str(value["suit"])
    elif kind == "die" and value:  # a die that was not thrown yet shows nothing that counts
        said["set"] = str(value["set"])
        name = {"pips": "pips", "piecepack": "rank", "kingdomino-duel": "coat"}[said["set"]]
        said[name] = str(value["face"])
        if name == "coat":
            said["crosses"] = str(value["crosses"])
        if value.get("suit"):
            said["suit"] = str(value["suit"])
    elif kind == "soldier":
        if value.get("type"):
            said["type"] = str(value["type"])
        said["owner"] = str(facts["owner"])
    return said


def side_of(one: Target) -> float:
    """How long the sides of the square around it are."""
    u, v = one.axes
    return float(np.linalg.norm(u) + np.linalg.norm(v)) / 2


def nothing(picture: Any, found: list[Target], rng: Rng) -> tuple[float, float, float]:
    """Where a finder might wrongly see something small: x, y and a side, of a fitting size or of any."""
    side = density(found) * float(rng.choice((15, 19, 25, 50))) * math.exp(rng.normal(0, 0.2))
    x, y = rng.uniform((0, 0), (picture.shape[1], picture.shape[0]))
    if found and rng.random() < 0.5:
        one = found[int(rng.integers(len(found)))]
        x, y = one.middle + rng.uniform(-0.5, 0.5) * one.axes[0] + rng.uniform(-0.5, 0.5) * one.axes[1]
        if rng.random() < 0.7:
            # A pip, an emblem or a corner, from too close.
            side = side_of(one) * math.exp(rng.uniform(math.log(0.12), math.log(0.6)))
    elif rng.random() < 0.5:
        side *= math.exp(rng.normal(0, 0.9))
    return float(x), float(y), max(float(side), 5.0)


def takes(one: Target, x: float, y: float, side: float) -> bool:
    """Whether a square is so near to a piece, and so like it in size, that it is no example of nothing."""
    near = float(np.linalg.norm(one.middle - (x, y))) < 0.5 * (side_of(one) + 0.3 * side)
    return near and 0.6 < side / side_of(one) < 2.5


def draw(picture: Any, found: list[Target], count: int, rng: Rng) -> list[tuple[Any, ...]]:
    """Patches of a picture: (pixels, choices by index or -1, numbers, weights of the numbers)."""
    small = [t for t in found if t.kind in CHOICES["kind"]]
    seen = [t for t in small if t.visible >= 0.25]
    out: list[tuple[Any, ...]] = []
    for _ in range(4 * count):
        if len(out) == count:
            break
        numbers, weights = np.zeros(NUMBERS, np.float32), np.zeros(NUMBERS, np.float32)
        turn = float(rng.uniform(0, 360))
        if seen and rng.random() < 0.85:
            one = evenly(seen, rng)
            side = side_of(one)
            rough = side * math.exp(rng.normal(0, 0.08))
            off = rng.normal(0, (0.06 if rng.random() < 0.6 else 0.13) * side, 2)
            x, y = one.middle + off
            said = answers(one.facts, one.kind)
            back = np.array([[math.cos(math.radians(turn)), math.sin(math.radians(turn))],
                             [-math.sin(math.radians(turn)), math.cos(math.radians(turn))]])  # fmt: skip
            numbers[:2] = back @ -off / rough
            numbers[2] = math.log(side / rough)
            weights[:3] = 1
            u = back @ one.axes[0]
            angle = math.atan2(u[1], u[0])
            if one.kind in ("die", "tile"):
                numbers[3:5], weights[3:5] = (math.cos(4 * angle), math.sin(4 * angle)), 1
            elif one.kind == "soldier":
                numbers[5:7], weights[5:7] = (math.cos(angle), math.sin(angle)), 1
            numbers[7], weights[7] = one.visible, 1
        else:
            said = {"kind": "none"}
            x, y, rough = nothing(picture, found, rng)
            if any(takes(t, x, y, rough) for t in small):
                continue
        flat, _ = cut(picture, rectangle(float(x), float(y), rough, rough, turn), SMALL_CORNERS, SMALL_SIZE)
        if rng.random() < _COVERED:
            flat, left = covered(flat, rng, SMALL_CORNERS, out[-1][0] if out and rng.random() < 0.4 else None)
            numbers[7] *= left
        chosen = [CHOICES[name].index(said[name]) if name in said else -1 for name in CHOICES]
        out.append((recoloured(flat, rng, faithful=True), chosen, numbers, weights))
    return out


def batch(mix: Mix, rng: Rng) -> tuple[Tensor, ...]:
    """A batch of patches and answers."""
    drawn: list[tuple[Any, ...]] = []
    while len(drawn) < BATCH:
        drawn += draw(*mix.draw(rng), A_PICTURE, rng)
    inputs = np.stack([np.ascontiguousarray(d[0][:, :, ::-1].transpose(2, 0, 1)) for d in drawn])
    numbers, weights = (torch.from_numpy(np.stack([d[k] for d in drawn])) for k in (2, 3))
    return torch.from_numpy(inputs).float(), torch.tensor([d[1] for d in drawn]), numbers, weights


def wrongness(out: Tensor, ends: Sequence[int], chosen: Tensor, numbers: Tensor, weights: Tensor) -> Tensor:
    """How wrong the choices and the numbers are; the choices of a question lie between two ends."""
    total = out.new_zeros(())
    for k, (start, end) in enumerate(pairwise(ends)):
        if bool((chosen[:, k] >= 0).any()):
            here = nn.functional.cross_entropy(
                out[:, start:end], chosen[:, k], ignore_index=-1, reduction="sum"
            )
            total = total + here / len(chosen)
    off = nn.functional.smooth_l1_loss(out[:, ends[-1] :], numbers, reduction="none", beta=0.05) * weights
    return total + 0.7 * off.sum() / len(chosen)


def main() -> int:
    """Learn, then write the network."""
    plan = learning.plan(__doc__)
    mix = Mix(Pictures(plan.data), SHARES, CHOICES["kind"])
    net = SmallNet()
    ends = [int(n) for n in np.cumsum([0, *map(len, CHOICES.values())])]

    def step(rng: Rng) -> Tensor:
        inputs, *rest = batch(mix, rng)
        return wrongness(learning.quick(net, inputs), ends, *rest)

    learning.teach("small_reader", net, mix, step, plan, SMALL_SIZE)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
