"""The network that reads the marks of a fine square: its layers, its batches, and how wrong it is."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn

from training.learning import layer
from training.sheet_network import truest
from vision.sheet_fine import FINE_CELL_PX, PLANES, Shared, shared

HEADS = {"coat": 7, "crosses": 4}
_SHEETS, _EACH = 16, 4
"""A batch: so many sheets, and so many squares of each."""
_SHIFT_PX = 2
_COAT_WEIGHT, _WHERE_WEIGHT = 2.0, 0.5
_REAL = 0.1
"""So many of the sheets are real ones, where people have kept any."""
_STAINED = 0.15
"""So many squares of a batch are stained."""


class MarkNet(nn.Module):
    """Layers that look, an eye for where crosses are, and layers that decide."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(
            layer(PLANES, 24, 2, 5), layer(24, 24), nn.MaxPool2d(2), layer(24, 40), layer(40, 40)
        )
        self.where = nn.Conv2d(40, 1, 1)
        self.far = nn.Sequential(
            nn.MaxPool2d(2), layer(40, 64), layer(64, 64), nn.Conv2d(64, 16, 1), nn.ReLU()
        )
        seen = 17 * (FINE_CELL_PX // 8) ** 2
        self.decide = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(seen, 64), nn.ReLU(), nn.Linear(64, sum(HEADS.values()))
        )

    def both(self, cells: Tensor) -> tuple[Tensor, Tensor]:
        """The logits of the heads side by side, and of a cross being in each place (n×1×18×18)."""
        near = self.near(cells)
        where = self.where(near)
        crossed = nn.functional.max_pool2d(torch.sigmoid(where), 2)
        return self.decide(torch.cat([self.far(near), crossed], dim=1)), where

    def forward(self, cells: Tensor) -> Tensor:
        """The logits of the heads side by side."""
        return self.both(cells)[0]


@dataclass
class Sheets:
    """The squares of some shards, kept as bytes, and what those of each sheet share."""

    lost: list[Any]
    told: list[Any]
    heat: list[Any]
    shared: list[Shared]

    @classmethod
    def of(cls, paths: Sequence[Path]) -> "Sheets":
        """All sheets of these shards."""
        sheets = cls([], [], [], [])
        for path in paths:
            with np.load(path) as shard:
                lost, told, heat = shard["lost"], shard["told"], shard["heat"]
            sheets.lost += list(lost)
            sheets.told += list(told)
            sheets.heat += list(heat)
            sheets.shared += [_half(shared(one.astype(np.float32) / 255)) for one in lost]
        return sheets

    def hear(self, kept: "Sheets") -> None:
        """Take in maps that people have kept: real ink, so often that every tenth sheet is one of them."""
        times = max(1, round(_REAL * len(self.lost) / ((1 - _REAL) * max(1, len(kept.lost)))))
        self.lost += kept.lost * times
        self.told += kept.told * times
        self.heat += kept.heat * times
        self.shared += kept.shared * times

    def planes(self, sheet: int) -> Tensor:
        """All squares of a sheet as the reader sees them."""
        return torch.from_numpy(self.shared[sheet].planes(self.lost[sheet].astype(np.float32) / 255))

    def batch(self, rng: Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Some squares of some sheets as another photo might show them: planes, labels, places of crosses."""
        drawn = [self._some(int(rng.integers(len(self.lost))), rng) for _ in range(_SHEETS)]
        planes, told, heat = (np.concatenate(parts) for parts in zip(*drawn, strict=True))
        return torch.from_numpy(planes), torch.from_numpy(told), torch.from_numpy(heat)

    def _some(self, sheet: int, rng: Generator) -> tuple[Any, Any, Any]:
        chosen = rng.choice(len(self.told[sheet]), _EACH, replace=False)
        lost, common = self.lost[sheet][chosen].astype(np.float32) / 255, self.shared[sheet]
        parts = [common.bare, common.form, common.marked]
        if rng.random() < 0.25:
            blur = float(rng.uniform(0.5, 1.3))
            lost, parts = np.stack([_soft(one, blur) for one in lost]), [_soft(one, blur) for one in parts]
        lost = np.stack([_stained(one, rng) if rng.random() < _STAINED else one for one in lost])
        gain = float(rng.uniform(0.75, 1.2))
        lost = lost * gain
        if rng.random() < 0.5:
            grain = rng.standard_normal((1, *lost.shape[1:3], 1), dtype=np.float32)
            lost = lost + float(rng.uniform(0, 0.03)) * grain
        if rng.random() < 0.15:
            # Lines drawn by hand bend: those of some squares lie elsewhere than in the others.
            lost = np.roll(lost, rng.integers(-_SHIFT_PX, _SHIFT_PX + 1, 2), axis=(1, 2))
        bare, form, marked = (np.asarray(one, np.float32) * gain for one in parts)
        sight = Shared(bare, form, marked, np.asarray(common.pen, np.float32) * gain)
        planes, heat = sight.planes(lost.clip(0, 1)), self.heat[sheet][chosen].astype(np.float32)[:, None]
        for axis in (2, 3):
            if rng.random() < 0.5:
                planes, heat = np.flip(planes, axis), np.flip(heat, axis)
        return planes, self.told[sheet][chosen], heat


def _half(common: Shared) -> Shared:
    return Shared(
        *(np.asarray(part, np.float16) for part in (common.bare, common.form, common.marked, common.pen))
    )


def _stained(lost: Any, rng: Generator) -> Any:
    """A square across which the edge of a cup's ring runs, or that of a shadow."""
    side = lost.shape[0]
    radius = float(rng.uniform(0.8, 3.0)) * side
    way, near = rng.uniform(0, 2 * np.pi), radius + float(rng.uniform(-0.55, 0.55)) * side
    middle = (round(side / 2 + near * np.cos(way)), round(side / 2 + near * np.sin(way)))
    mark = np.zeros(lost.shape[:2], np.float32)
    cv2.circle(mark, middle, round(radius), float(rng.uniform(0.1, 0.6)), -1, cv2.LINE_AA)
    cv2.circle(mark, middle, round(radius), 1.0, max(1, round(radius * rng.uniform(0.03, 0.12))), cv2.LINE_AA)
    tint = np.array([1.0, rng.uniform(0.6, 1.0), rng.uniform(0.35, 1.0)], np.float32)
    mark = cv2.GaussianBlur(mark, (0, 0), float(rng.uniform(0.8, 3.0))) * float(rng.uniform(0.05, 0.35))
    return 1 - (1 - lost) * (1 - mark[..., None] * tint)


def _soft(picture: Any, blur: float) -> Any:
    return cv2.GaussianBlur(np.asarray(picture, np.float32), (0, 0), blur)


def wrong(net: MarkNet, planes: Tensor, told: Tensor, heat: Tensor) -> Tensor:
    """How wrong the network is about a batch."""
    with torch.autocast("cpu", dtype=torch.bfloat16):
        said, where = net.both(planes.contiguous(memory_format=torch.channels_last))
    coat, crosses = said.float().split(list(HEADS.values()), dim=1)
    known = heat <= 1  # of a real sheet nobody has told where the crosses are
    heat = heat * known
    # The places beside a cross are neither.
    near = nn.functional.max_pool2d(heat, 3, 1, 1)
    apart = nn.functional.binary_cross_entropy_with_logits(
        where.float(), heat, reduction="none", pos_weight=torch.tensor(4.0)
    )
    weight = torch.where(near > heat, 0.0, 1.0) * known
    places = (apart * weight).sum() / weight.sum().clamp(1.0)
    return (
        _COAT_WEIGHT * nn.functional.cross_entropy(coat, told[:, 0])
        + 1.5 * nn.functional.cross_entropy(crosses, told[:, 1])
        + _WHERE_WEIGHT * 20 * places
    )


def tempered(net: MarkNet, sheets: Sheets) -> dict[str, dict[str, float]]:
    """For each head its share right and its temperature, on squares seen both ways up as the reader looks."""
    net.eval()
    told = torch.from_numpy(np.concatenate(sheets.told))
    with torch.no_grad():
        planes = [sheets.planes(k) for k in range(len(sheets.told))]
        said = torch.cat([(net(one) + net(one.flip((2, 3)))) / 2 for one in planes])
    parts = said.split(list(HEADS.values()), dim=1)
    # Of crosses only squares with a coat can tell anything.
    drawn = told[:, 0] > 0
    return {
        "coat": truest(parts[0], told[:, 0]),
        "crosses": truest(parts[1][drawn], told[drawn, 1]),
    }
