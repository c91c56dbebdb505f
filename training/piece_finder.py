"""Teach the piece finder: simulated pictures to a small network that says where pieces lie, as ONNX.

    python -m training.piece_finder --data OUT/train --out OUT --steps 12000 --seed 1

It goes on from the last checkpoint in OUT. Needs torch (2.13) beside numpy and OpenCV.
"""

import math
import sys
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from training import learning
from training.examples import Mix, Pictures, Rng, Target, density, evenly, recoloured
from training.learning import Normed, layer
from vision.pieces.finder import BAND_PX, KINDS, SQUARE, UNIT_PX
from vision.pieces.finder import CELL_PX as STRIDE

CROP = 288
BATCH = 12
SHARES = {"dominoes": 0.24, "dice": 0.16, "piecepack": 0.12, "duel": 0.05, "soldiers": 0.1, "table": 0.33}
OUTPUTS = len(KINDS) + 6
"""A map a kind, then: offset x, y; log of length and width over 16 px; cosine and sine of twice the angle."""


class FinderNet(nn.Module):
    """Down to a thirty-second of the picture, and back up to a quarter of it."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Sequential(Normed(), layer(3, 16, 2), layer(16, 32, 2), layer(32, 32))
        self.eighth = nn.Sequential(layer(32, 64, 2), layer(64, 64))
        self.sixteenth = nn.Sequential(layer(64, 96, 2), layer(96, 96))
        self.last = nn.Sequential(layer(96, 128, 2), layer(128, 128))
        self.from_last = nn.Conv2d(128, 96, 1)
        self.at_sixteenth = layer(96, 96)
        self.from_sixteenth = nn.Conv2d(96, 64, 1)
        self.at_eighth = layer(64, 64)
        self.from_eighth = nn.Conv2d(64, 32, 1)
        self.at_fourth = layer(32, 48)
        self.say = nn.Conv2d(48, OUTPUTS, 1)
        self.up = nn.Upsample(scale_factor=2, mode="nearest")
        assert self.say.bias is not None
        nn.init.constant_(self.say.bias[: len(KINDS)], -4.0)

    def forward(self, picture: Tensor) -> Tensor:
        """Logits of the kinds and the six numbers, for each cell of 4 × 4 pixels."""
        fourth = self.first(picture)
        eighth = self.eighth(fourth)
        sixteenth = self.sixteenth(eighth)
        last = self.last(sixteenth)
        sixteenth = self.at_sixteenth(sixteenth + self.up(self.from_last(last)))
        eighth = self.at_eighth(eighth + self.up(self.from_sixteenth(sixteenth)))
        fourth = self.at_fourth(fourth + self.up(self.from_eighth(eighth)))
        out: Tensor = self.say(fourth)
        return out


# --- examples ----------------------------------------------------------------------------------------


def crop(picture: Any, found: list[Target], rng: Rng) -> tuple[Any, list[Target]]:
    """A turned, stretched and recoloured square of a picture."""
    # Now and then so close that nothing has a size to be found: a pip is no coin, and cloth no heap of tiles.
    close = rng.random() < 0.2
    low, high = (2.6, 8.0) if close else (0.7, 2.3)
    scale = min(math.exp(rng.uniform(math.log(low), math.log(high))) / density(found), 3.0 if close else 1.7)
    while scale < 0.5:
        picture = cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        found = [Target(t.kind, (t.corners + 0.5) / 2 - 0.5, t.visible, t.facts) for t in found]
        scale *= 2
    if scale < 0.85:
        picture = cv2.GaussianBlur(picture, (0, 0), 0.45 / scale)
    angle = rng.uniform(0, 2 * math.pi)
    turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
    stretch = np.diag(np.exp(rng.normal(0, 0.07, 2))) * scale
    if rng.random() < 0.5:
        stretch[0] *= -1
    matrix = turn @ stretch
    rows, columns = picture.shape[:2]
    if found and rng.random() < 0.85:
        aim = evenly(found, rng).middle + rng.normal(0, 60 / scale, 2)
    else:
        aim = rng.uniform(0, 1, 2) * (columns, rows)
    inside = np.minimum(CROP / 2 / scale, np.array([columns, rows]) / 2) * 0.8
    aim = np.clip(aim, inside, np.array([columns, rows]) - inside)
    shift = np.array([CROP / 2, CROP / 2]) - matrix @ aim
    edge = (cv2.BORDER_REFLECT_101, cv2.BORDER_CONSTANT, cv2.BORDER_REPLICATE)[int(rng.integers(3))]
    if edge == cv2.BORDER_REFLECT_101 and found:
        edge = cv2.BORDER_REPLICATE  # a mirrored piece would be a piece that the truth does not know
    fill = [float(v) for v in rng.uniform(0, 255, 3)]
    turned = cv2.warpAffine(
        picture, np.column_stack([matrix, shift]), (CROP, CROP), borderMode=edge, borderValue=fill
    )
    moved = [Target(t.kind, t.corners @ matrix.T + shift, t.visible, t.facts) for t in found]
    return recoloured(turned, rng), moved


def maps(found: list[Target]) -> tuple[Any, Any, Any, Any]:
    """What the network should answer: heat, numbers, the weight of the numbers, and where heat counts."""
    size = CROP // STRIDE
    heat = np.zeros((len(KINDS), size, size), np.float32)
    numbers = np.zeros((6, size, size), np.float32)
    weight = np.zeros((2, size, size), np.float32)
    counts = np.ones((size, size), np.float32)
    y, x = np.mgrid[0:size, 0:size].astype(np.float32)
    for one in found:
        u, v = one.axes
        a, b = float(np.linalg.norm(u)), float(np.linalg.norm(v))
        square = one.kind in SQUARE
        long, wide = ((a + b) / 2, (a + b) / 2) if square else (max(a, b), min(a, b))
        angle = math.atan2(*(u if a >= b else v)[::-1])
        cx, cy = (one.middle + 0.5) / STRIDE - 0.5
        if not (-3 < cx < size + 2 and -3 < cy < size + 2):
            continue
        along = (x - cx) * math.cos(angle) + (y - cy) * math.sin(angle)
        across = (y - cy) * math.cos(angle) - (x - cx) * math.sin(angle)
        s_long, s_wide = max(0.7, 0.13 * long / STRIDE), max(0.7, 0.17 * wide / STRIDE)
        bell = np.exp(-0.5 * ((along / s_long) ** 2 + (across / s_wide) ** 2))
        shortest, longest = BAND_PX[one.kind]
        if long > 1.25 * longest or long < 0.6 * shortest:
            continue
        if one.visible < 0.35 or not shortest <= long <= longest:
            counts[bell > 0.05] = 0
            continue
        k = KINDS.index(one.kind)
        column, row = round(float(cx)), round(float(cy))
        if 0 <= column < size and 0 <= row < size:
            bell[row, column] = 1.0
        np.maximum(heat[k], bell, out=heat[k])
        near = bell > 0.45
        mine = near & (bell > weight[0])
        values = (
            cx - x, cy - y, math.log(long / UNIT_PX), math.log(max(wide, 2) / UNIT_PX), *_twice(angle)
        )  # fmt: skip
        for channel, value in enumerate(values):
            numbers[channel][mine] = value if np.isscalar(value) else value[mine]
        weight[0][mine] = bell[mine]
        weight[1][mine] = 0.0 if square else bell[mine]
    return heat, numbers, weight, counts


def _twice(angle: float) -> tuple[float, float]:
    return math.cos(2 * angle), math.sin(2 * angle)


def batch(mix: Mix, rng: Rng) -> tuple[Tensor, ...]:
    """A batch of crops and answers."""
    inputs: list[Any] = []
    answers = []
    while len(inputs) < BATCH:
        cut, found = crop(*mix.draw(rng), rng)
        inputs.append(np.ascontiguousarray(cut[:, :, ::-1].transpose(2, 0, 1)))
        answers.append(maps(found))
    rest = [torch.from_numpy(np.stack([a[k] for a in answers])) for k in range(4)]
    return (torch.from_numpy(np.stack(inputs)).float(), *rest)


# --- learning ----------------------------------------------------------------------------------------


def loss(out: Tensor, heat: Tensor, numbers: Tensor, weight: Tensor, counts: Tensor) -> Tensor:
    """How wrong the heat is (focal, as for key points) and the numbers are."""
    logits, said = out[:, : len(KINDS)], out[:, len(KINDS) :]
    share = torch.sigmoid(logits).clamp(1e-5, 1 - 1e-5)
    full = (heat > 0.999).float()
    hit = -torch.log(share) * (1 - share) ** 2 * full
    miss = -torch.log(1 - share) * share**2 * (1 - heat) ** 4 * (1 - full)
    amount = full.sum().clamp(min=1)
    where = ((hit + miss) * counts[:, None]).sum() / amount
    off = nn.functional.smooth_l1_loss(said, numbers, reduction="none", beta=0.1)
    each = torch.cat([off[:, :4] * weight[:, :1], off[:, 4:] * weight[:, 1:]], dim=1)
    return where + 1.5 * each.sum() / weight[:, :1].sum().clamp(min=1)


def main() -> int:
    """Learn, then write the network."""
    plan = learning.plan(__doc__)
    mix = Mix(Pictures(plan.data), SHARES, KINDS)
    net = FinderNet()
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    print(
        f"{len(mix.pictures)} pictures, {sum(p.numel() for p in net.parameters())} weights", file=sys.stderr
    )

    def step(rng: Rng) -> Tensor:
        inputs, *answers = batch(mix, rng)
        return loss(learning.quick(net, inputs), *answers)

    learning.learn("piece_finder", net, step, plan, mix.refresh)
    free = {"input": {2: "rows", 3: "columns"}, "output": {2: "rows4", 3: "columns4"}}
    learning.export(net, plan.out / "piece_finder.onnx", (1, 3, CROP, CROP), free)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
