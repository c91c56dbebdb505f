"""Teach the closer look at dice to a small network, as ONNX.

    python -m training.die_reader --data OUT/pictures --out OUT --steps 12000 --seed 1

It goes on from the last checkpoint in OUT. Needs torch (2.13) beside numpy and OpenCV.
"""

import math
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from training import learning
from training.cover import covered
from training.examples import Floats, Mix, Picture, Pictures, Rng, Target, evenly, recoloured
from training.learning import Normed, layer
from training.small_reader import answers, nothing, side_of, takes, wrongness
from vision.pieces.dice import DIE_CORNERS, DIE_SIZE, NUMBERS, QUESTIONS
from vision.pieces.patches import cut, rectangle

BATCH, A_PICTURE = 64, 10
SHARES = {"every-die": 0.56, "dice": 0.1, "table": 0.16, "piecepack": 0.12, "duel": 0.03, "dominoes": 0.03}
_SETS = {"pips": 1.0, "piecepack": 2.0, "kingdomino-duel": 1.2}
_NOT_FLAT = 2.5
"""How much oftener than ordinary dice others are drawn: their questions are more."""
_COVERED, _SMALLER, _SMALLEST_PX = 0.1, 0.4, 9.0
_NONE = 0.22
_OF_NO_DICE = 3
"""A picture without dice gives a third as many patches."""
_LEAST_SEEN = 0.25
_FACE_PX = float(DIE_CORNERS[1, 0] - DIE_CORNERS[0, 0])


class DieNet(nn.Module):
    """Sees a cube and answers all questions at once; only those that its set allows count."""

    def __init__(self) -> None:
        super().__init__()
        self.see = nn.Sequential(
            Normed(), layer(3, 24, 2, 5), layer(24, 32), layer(32, 56, 2), layer(56, 56), layer(56, 88, 2),
            layer(88, 88), layer(88, 40, size=1), nn.Flatten(), nn.Dropout(0.1),
            nn.Linear(40 * 100, 96), nn.ReLU(inplace=True),
            nn.Linear(96, sum(map(len, QUESTIONS.values())) + NUMBERS),
        )  # fmt: skip

    def forward(self, patch: Tensor) -> Tensor:
        """Logits of every question, then the numbers."""
        out: Tensor = self.see(patch)
        return out


def draw(picture: Any, found: list[Target], count: int, rng: Rng) -> list[tuple[Any, ...]]:
    """Patches of a picture: (pixels, answers by index or -1, numbers, weights of the numbers)."""
    dice = [t for t in found if t.kind == "die" and t.visible >= _LEAST_SEEN and t.facts["value"]]
    count = count if dice else count // _OF_NO_DICE
    out: list[tuple[Any, ...]] = []
    for _ in range(4 * count):
        if len(out) == count:
            break
        one = _none(picture, found, rng) if not dice or rng.random() < _NONE else _die(picture, dice, rng)
        if one is not None:
            flat, said, numbers, weights = one
            if rng.random() < _COVERED:
                other = out[-1][0] if out and rng.random() < 0.4 else None
                flat, left = covered(flat, rng, DIE_CORNERS, other)
                numbers[5] *= left
            chosen = [each.index(said[name]) if name in said else -1 for name, each in QUESTIONS.items()]
            out.append((recoloured(flat, rng, faithful=True), chosen, numbers, weights))
    return out


def _die(picture: Any, dice: list[Target], rng: Rng) -> tuple[Picture, dict[str, str], Floats, Floats]:
    """A die, its place, size and turn known about as well as the reader of small pieces does."""
    weights = np.array(
        [_SETS[one.facts["value"]["set"]] * (1.0 if _lies(one) == "flat" else _NOT_FLAT) for one in dice]
    )
    one = dice[int(rng.choice(len(dice), p=weights / weights.sum()))]
    side = side_of(one)
    rough = side * math.exp(rng.normal(0, 0.09))
    off = rng.normal(0, (0.05 if rng.random() < 0.7 else 0.12) * side, 2)
    true = math.degrees(math.atan2(one.axes[0][1], one.axes[0][0]))
    wide = rng.random() < 0.15
    turn = true + 90.0 * int(rng.integers(4)) + float(rng.uniform(-45, 45) if wide else rng.normal(0, 4))
    x, y = one.middle + off
    flat = _patch(picture, (float(x), float(y), rough, turn), rng)
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    numbers = np.zeros(NUMBERS, np.float32)
    numbers[:2] = np.array([[c, s], [-s, c]]) @ -off / rough
    numbers[2] = math.log(side / rough)
    numbers[3:5] = math.cos(math.radians(4 * (true - turn))), math.sin(math.radians(4 * (true - turn)))
    numbers[5] = one.visible
    said = {name: value for name, value in answers(one.facts, "die").items() if name in QUESTIONS}
    return flat, {**said, "there": "die", "lies": _lies(one)}, numbers, np.ones(NUMBERS, np.float32)


def _lies(one: Target) -> str:
    """How a die lies, as its name tells in pictures where some do not lie flat."""
    name = str(one.facts["name"])
    return "leaning" if name.startswith("leaning") else "on a die" if name.startswith("upper") else "flat"


def _none(
    picture: Any, found: list[Target], rng: Rng
) -> tuple[Picture, dict[str, str], Floats, Floats] | None:
    """Something that is no die: another piece, the half of a domino, a die's side, or the table."""
    others = [t for t in found if t.kind != "die" and t.visible >= _LEAST_SEEN]
    turn = float(rng.uniform(0, 360))
    if others and rng.random() < 0.6:
        one = evenly(others, rng)
        (x, y), side = one.middle, side_of(one)
        if one.kind in ("domino", "wall"):
            u, v = one.axes
            x, y = one.middle + float(rng.choice((-0.25, 0.25))) * u
            side, turn = float(np.linalg.norm(v)), math.degrees(math.atan2(u[1], u[0]))
        x, y = np.array([x, y]) + rng.normal(0, 0.06 * side, 2)
        side *= math.exp(rng.normal(0, 0.12))
    else:
        x, y, side = nothing(picture, found, rng)
    if any(takes(t, x, y, side) for t in found if t.kind == "die"):
        return None
    flat = _patch(picture, (float(x), float(y), side, turn), rng)
    return flat, {"there": "none"}, np.zeros(NUMBERS, np.float32), np.zeros(NUMBERS, np.float32)


def _patch(picture: Any, square: tuple[float, float, float, float], rng: Rng) -> Picture:
    """A patch, now and then as if the camera had fewer pixels or hung farther off."""
    x, y, side, turn = square
    flat, _ = cut(picture, rectangle(x, y, side, side, turn), DIE_CORNERS, DIE_SIZE)
    most = min(side, _FACE_PX)
    if most > _SMALLEST_PX and rng.random() < _SMALLER:
        share = math.exp(rng.uniform(math.log(_SMALLEST_PX), math.log(most))) / _FACE_PX
        small = cv2.resize(flat, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        flat = np.asarray(cv2.resize(small, DIE_SIZE, interpolation=cv2.INTER_LINEAR), dtype=np.uint8)
    return flat


def batch(mix: Mix, rng: Rng) -> tuple[Tensor, ...]:
    """A batch of patches and answers."""
    drawn: list[tuple[Any, ...]] = []
    while len(drawn) < BATCH:
        drawn += draw(*mix.draw(rng), A_PICTURE, rng)
    drawn = drawn[:BATCH]
    inputs = np.stack([np.ascontiguousarray(d[0][:, :, ::-1].transpose(2, 0, 1)) for d in drawn])
    numbers, weights = (torch.from_numpy(np.stack([d[k] for d in drawn])) for k in (2, 3))
    return torch.from_numpy(inputs).float(), torch.tensor([d[1] for d in drawn]), numbers, weights


def main() -> int:
    """Learn, then write the network."""
    plan = learning.plan(__doc__)
    mix = Mix(Pictures(plan.data), SHARES, ("coin", "die", "pawn", "soldier", "tile", "domino"))
    net = DieNet()
    ends = [int(n) for n in np.cumsum([0, *map(len, QUESTIONS.values())])]

    def step(rng: Rng) -> Tensor:
        inputs, *rest = batch(mix, rng)
        return wrongness(learning.quick(net, inputs), ends, *rest)

    learning.teach("die_reader", net, mix, step, plan, DIE_SIZE)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
