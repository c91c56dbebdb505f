"""Teach the domino reader: patches of dominoes, and of what is none, to a small network, as ONNX.

    python -m training.domino_reader --data OUT/train --out OUT --steps 12000 --seed 1

It goes on from the last checkpoint in OUT. Needs torch (2.13) beside numpy and OpenCV.
"""

import math
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from training import learning
from training.cover import covered
from training.examples import Floats, Mix, Pictures, Rng, Target, density, evenly, recoloured
from training.learning import Normed, layer
from training.taken_up import take_up
from vision.pieces.domino_reading import FACES, NUMBERS, OFFSET_PX, PIPS
from vision.pieces.finder import overlap
from vision.pieces.patches import DOMINO_CORNERS, DOMINO_SIZE, carried, cut, rectangle

BATCH, A_PICTURE = 64, 8
SHARES = {"dominoes": 0.36, "dice": 0.03, "piecepack": 0.03, "soldiers": 0.1, "table": 0.48,
          "manned": 0.4}  # fmt: skip
_COVERED = 0.18


class DominoNet(nn.Module):
    """Sees a patch, then judges its halves and the whole."""

    def __init__(self) -> None:
        super().__init__()
        self.see = nn.Sequential(
            Normed(), layer(3, 16, 2), layer(16, 32), layer(32, 64, 2), layer(64, 96, 2), layer(96, 96),
            layer(96, 112, 2), layer(112, 64, size=1),
        )  # fmt: skip
        self.first = nn.Sequential(nn.Linear(64 * 20, 96), nn.ReLU(inplace=True), nn.Linear(96, PIPS))
        self.second = nn.Sequential(nn.Linear(64 * 20, 96), nn.ReLU(inplace=True), nn.Linear(96, PIPS))
        self.whole = nn.Sequential(
            nn.Conv2d(64, 24, 1), nn.ReLU(inplace=True), nn.Flatten(),
            nn.Linear(24 * 40, 64), nn.ReLU(inplace=True), nn.Linear(64, len(FACES) + NUMBERS),
        )  # fmt: skip

    def forward(self, patch: Tensor) -> Tensor:
        """Logits of the faces, of the pips of a, of the pips of b; then the numbers."""
        seen = self.see(patch)
        first = self.first(seen[:, :, :, :4].flatten(1))
        second = self.second(seen[:, :, :, 4:].flatten(1))
        whole = self.whole(seen)
        return torch.cat([whole[:, : len(FACES)], first, second, whole[:, len(FACES) :]], dim=1)


# --- examples ----------------------------------------------------------------------------------------


def as_found(one: Target, rng: Rng) -> Floats:
    """The corners as the finder would give them, or a first reading."""
    u, v = one.axes
    length, width = float(np.linalg.norm(u)), float(np.linalg.norm(v))
    if rng.random() < 0.4:
        return np.asarray(one.corners + rng.normal(0, 0.02 * width, (4, 2)) + rng.normal(0, 0.02 * width, 2))
    # Now and then as far off as a finder is at its worst: a second look is as good as the first placed it.
    far = 2.0 if rng.random() < 0.25 else 1.0
    angle = math.degrees(math.atan2(u[1], u[0])) + rng.normal(0, 3.0 * far)
    x, y = one.middle + rng.normal(0, 0.05 * far * width, 2)
    length, width = (float(side * math.exp(rng.normal(0, 0.06 * far))) for side in (length, width))
    return rectangle(float(x), float(y), length, width, angle)


def misplaced(one: Target, rng: Rng) -> Floats:
    """Where a finder might wrongly see a domino: across two, athwart, on half, in the gap beside it."""
    u, v = one.axes
    length, width = float(np.linalg.norm(u)), float(np.linalg.norm(v))
    angle = math.degrees(math.atan2(u[1], u[0]))
    way = int(rng.integers(6))
    side = float(rng.choice((-1.0, 1.0)))
    if way == 0:
        x, y = one.middle + side * rng.uniform(0.4, 0.6) * u
    elif way == 1:
        x, y = one.middle + side * rng.uniform(0.45, 0.6) * v
    elif way == 2:
        x, y = one.middle + side * 0.25 * u + float(rng.choice((-0.5, 0.5))) * v
        angle += 90
    elif way == 3:
        # Cloth between two rows of backs has their size, and an edge on either side.
        x, y = one.middle + side * rng.uniform(0.9, 1.5) * v + rng.uniform(-0.3, 0.3) * u
    elif way == 4:
        x, y = one.middle + side * rng.uniform(0.9, 1.25) * u + rng.uniform(-0.3, 0.3) * v
    else:
        x, y = one.middle + side * 0.25 * u + rng.normal(0, 0.05, 2) * length
        angle += float(rng.choice((0, 90)))
        length *= 0.5
        width *= 0.5
    return rectangle(float(x), float(y), length, width, angle + rng.normal(0, 4))


def beside_itself(one: Target, pixels: float, rng: Rng) -> Floats:
    """Where another piece, alone or with its shadow, might be taken for a domino."""
    x, y = (float(v) for v in one.middle)
    if rng.random() < 0.3:
        return rectangle(x, y, 48 * pixels, 24 * pixels, rng.uniform(0, 360))
    u, v = one.axes if rng.random() < 0.5 else one.axes[::-1]
    angle = math.degrees(math.atan2(u[1], u[0])) + rng.normal(0, 12)
    width = float(np.linalg.norm(v)) * math.exp(rng.normal(0.08, 0.12))
    length = width * float(rng.uniform(1.7, 2.2))
    x, y = (x, y) + float(rng.choice((-0.5, -0.25, 0.25, 0.5))) * length * u / np.linalg.norm(u)
    return rectangle(float(x), float(y), length, width, angle)


def elsewhere(shape: tuple[int, ...], pixels: float, rng: Rng) -> Floats:
    """Any place of the picture, about as large as a domino, or as one seen from too close or too far."""
    length = max(16.0, 48 * pixels * math.exp(rng.normal(0, 0.25 if rng.random() < 0.5 else 1.0)))
    x, y = rng.uniform((0, 0), (shape[1], shape[0]))
    return rectangle(float(x), float(y), length, length * rng.uniform(0.42, 0.6), rng.uniform(0, 360))


def draw(picture: Any, found: list[Target], count: int, rng: Rng) -> list[tuple[Any, ...]]:
    """Patches of a picture: (pixels, face, a, b, numbers), -1 where there is nothing to say."""
    dominoes = [t for t in found if t.kind in ("domino", "wall")]
    seen = [t for t in dominoes if t.visible >= 0.2]
    out: list[tuple[Any, ...]] = []
    nothing = np.zeros(NUMBERS, np.float32)
    for _ in range(4 * count):
        if len(out) == count:
            break
        if seen and rng.random() < 0.78:
            one = evenly(seen, rng) if rng.random() < 0.55 else seen[int(rng.integers(len(seen)))]
            corners = one.corners
            if rng.random() < 0.5:
                corners = np.roll(corners, 2, axis=0)
            turned = Target(one.kind, corners, one.visible, one.facts)
            rough = as_found(turned, rng)
            flat, matrix = cut(picture, rough, DOMINO_CORNERS, DOMINO_SIZE)
            off = (carried(corners, matrix) - DOMINO_CORNERS) / OFFSET_PX
            if np.abs(off).max() > 1.2:
                continue
            face = "edge" if one.kind == "wall" else str(one.facts["face"])
            pips = one.facts["value"]["pips"] if face == "up" else (-1, -1)
            if corners is not one.corners:
                pips = (pips[1], pips[0])
            visible = one.visible
            if rng.random() < _COVERED:
                over = out[-1][0] if out and rng.random() < 0.4 else None
                flat, left = covered(flat, rng, carried(corners, matrix), over)
                visible *= left
            numbers = np.append(off, visible).astype(np.float32)
            out.append((recoloured(flat, rng), FACES.index(face), *pips, numbers))
            continue
        if seen and rng.random() < 0.6:
            rough = misplaced(seen[int(rng.integers(len(seen)))], rng)
        else:
            others = [t for t in found if t.kind not in ("domino", "wall")]
            if others and rng.random() < 0.6:
                rough = beside_itself(evenly(others, rng), density(found), rng)
            else:
                rough = elsewhere(picture.shape, density(found), rng)
        if max((overlap(rough, t.corners) for t in dominoes), default=0.0) < 0.4:
            flat, _ = cut(picture, rough, DOMINO_CORNERS, DOMINO_SIZE)
            out.append((recoloured(flat, rng), FACES.index("none"), -1, -1, nothing))
    return out


def batch(mix: Mix, rng: Rng) -> tuple[Tensor, ...]:
    """A batch of patches and answers."""
    drawn: list[tuple[Any, ...]] = []
    while len(drawn) < BATCH:
        drawn += draw(*mix.draw(rng), A_PICTURE, rng)
    inputs = np.stack([np.ascontiguousarray(d[0][:, :, ::-1].transpose(2, 0, 1)) for d in drawn])
    labels = torch.tensor([[int(d[1]), int(d[2]), int(d[3])] for d in drawn])
    return torch.from_numpy(inputs).float(), labels, torch.from_numpy(np.stack([d[4] for d in drawn]))


def loss(out: Tensor, labels: Tensor, numbers: Tensor) -> Tensor:
    """How wrong the faces, the pips and the numbers are."""
    n = len(FACES)
    faces = nn.functional.cross_entropy(out[:, :n], labels[:, 0])
    pips = sum(
        nn.functional.cross_entropy(
            out[:, n + k * PIPS : n + (k + 1) * PIPS], labels[:, 1 + k], ignore_index=-1
        )
        for k in range(2)
    )
    is_one = (labels[:, 0] != FACES.index("none")).float()[:, None]
    off = nn.functional.smooth_l1_loss(out[:, n + 2 * PIPS :], numbers, reduction="none", beta=0.05)
    return faces + pips + 2.0 * (off * is_one).sum() / (NUMBERS * is_one.sum()).clamp(min=1)


def main() -> int:
    """Learn, then write the network."""
    plan = learning.plan(__doc__)
    mix = Mix(Pictures(plan.data), SHARES, ("domino", "wall"))
    net = DominoNet()
    if plan.start is not None:
        take_up(net, plan.start, lambda: batch(mix, np.random.default_rng(plan.seed))[0])

    def step(rng: Rng) -> Tensor:
        inputs, labels, numbers = batch(mix, rng)
        return loss(learning.quick(net, inputs), labels, numbers)

    learning.teach("domino_reader", net, mix, step, plan, DOMINO_SIZE)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
