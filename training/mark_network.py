"""The network that reads the marks of a fine square: its layers, its batches, and how wrong it is.

Squares lie as bytes where the network learns, in the machine's memory or a graphics card's, and are varied
there a whole batch at a time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from training.learning import layer
from training.sheet_network import truest
from vision.sheet_cells import COLUMNS, ROWS
from vision.sheet_fine import DARKEST, FINE_CELL_PX, PLANES

HEADS = {"coat": 7, "crosses": 4}
_SQUARES = ROWS * COLUMNS - 1
_EACH = 4
"""Squares of each sheet of a batch."""
_SHIFT_PX = 2
_COAT_WEIGHT, _WHERE_WEIGHT = 2.0, 0.5
_REAL = 0.1
"""So many of the sheets are real ones, where people have kept any."""
_STAINED, _SOFT, _GRAINY, _ASIDE = 0.15, 0.25, 0.5, 0.15
"""So many squares of a batch are stained; so many sheets are softer, grainier, and have crooked lines."""


class MarkNet(nn.Module):
    """Layers that look, an eye for where crosses are, and layers that decide."""

    def __init__(self) -> None:
        super().__init__()
        self.near = nn.Sequential(
            layer(PLANES, 24, 2, 5), layer(24, 24), nn.MaxPool2d(2), layer(24, 40), layer(40, 40)
        )
        self.where = nn.Conv2d(40, 1, 1)
        self.far = nn.Sequential(
            nn.MaxPool2d(2), layer(40, 64), layer(64, 80), layer(80, 80), nn.Conv2d(80, 24, 1), nn.ReLU()
        )
        seen = 25 * (FINE_CELL_PX // 8) ** 2
        self.decide = nn.Sequential(
            nn.Flatten(), nn.Dropout(0.2), nn.Linear(seen, 80), nn.ReLU(), nn.Linear(80, sum(HEADS.values()))
        )

    def both(self, cells: Tensor) -> tuple[Tensor, Tensor]:
        """The logits of the heads side by side, and of a cross being in each place (n×1×18×18)."""
        near = self.near(cells)
        where = self.where(near)
        crossed = functional.max_pool2d(torch.sigmoid(where), 2)
        return self.decide(torch.cat([self.far(near), crossed], dim=1)), where

    def forward(self, cells: Tensor) -> Tensor:
        """The logits of the heads side by side."""
        return self.both(cells)[0]


@dataclass(frozen=True)
class Common:
    """What the squares of each of some sheets share, as ``vision.sheet_fine.Shared`` has it for one."""

    bare: Tensor
    form: Tensor
    marked: Tensor
    """Each n×1×72×72×3."""
    pen: Tensor
    """n×3."""

    def planes(self, lost: Tensor) -> Tensor:
        """What the network sees of some squares of each sheet (n×k×72×72×3 to nk×7×72×72)."""
        over_form, over_bare = self._inked(lost, self.form), self._inked(lost, self.bare)
        form = self.form.mean(dim=-1).expand_as(over_form)
        marked = self._inked(self.marked, self.bare).expand_as(over_form)
        shown = torch.stack([*lost.unbind(-1), form, over_form, over_bare, marked], dim=2)
        return shown.flatten(0, 1)

    def _inked(self, lost: Tensor, print_: Tensor) -> Tensor:
        share = (lost - print_) / (1 - print_.clamp(max=DARKEST))
        pen = self.pen / (self.pen**2).sum(dim=1, keepdim=True).clamp(min=1e-9)
        return (share * pen[:, None, None, None]).sum(dim=-1).clamp(-1, 1.5)


class Sheets:
    """The squares of some shards and what those of each sheet share; where room is short the oldest go."""

    def __init__(self, room: int, device: torch.device | str = "cpu") -> None:
        side = FINE_CELL_PX
        many = {"lost": (_SQUARES, side, side, 3), "heat": (_SQUARES, side // 4, side // 4)}
        many |= dict.fromkeys(("bare", "form", "marked"), (1, side, side, 3))
        self._bytes = {
            name: torch.zeros((room, *shape), dtype=torch.uint8, device=device)
            for name, shape in many.items()
        }
        self._pen = torch.zeros((room, 3), device=device)
        self.told = torch.zeros((room, _SQUARES, 2), dtype=torch.int64, device=device)
        self.room, self.device, self.seen = room, torch.device(device), 0
        self._real: Sheets | None = None

    @classmethod
    def of(cls, paths: Sequence[Path], device: torch.device | str = "cpu", room: int = 0) -> "Sheets":
        """All sheets of these shards, with room for so many more."""
        counts = [_count(path) for path in paths]
        sheets = cls(sum(counts) + room, device)
        for path in paths:
            sheets.take(path)
        return sheets

    def __len__(self) -> int:
        return min(self.seen, self.room)

    def take(self, path: Path) -> None:
        """Take in one more shard."""
        with np.load(path) as shard:
            parts = {name: torch.from_numpy(shard[name]) for name in (*self._bytes, "pen", "told")}
        count = len(parts["told"])
        rows = (torch.arange(count) + self.seen) % self.room
        for name, kept in self._bytes.items():
            kept[rows] = parts[name].reshape(count, *kept.shape[1:]).to(self.device)
        self._pen[rows] = parts["pen"].to(self.device)
        self.told[rows] = parts["told"].to(self.device)
        self.seen += count

    def hear(self, kept: "Sheets") -> None:
        """Take in maps that people have kept: real ink, so often that every tenth sheet is one of them."""
        self._real = kept

    def planes(self, sheet: int) -> Tensor:
        """All squares of a sheet as the reader sees them."""
        rows = torch.tensor([sheet], device=self.device)
        return self._common(rows).planes(self._bytes["lost"][rows].float() / 255)

    def batch(self, rng: np.random.Generator, squares: int = 64) -> tuple[Tensor, Tensor, Tensor]:
        """Some squares of some sheets as another photo might show them: planes, labels, places of crosses."""
        chance = torch.Generator(self.device).manual_seed(int(rng.integers(1 << 62)))
        sheets = squares // _EACH
        real = int(rng.binomial(sheets, _REAL)) if self._real is not None else 0
        if self._real is None or not real:
            return self._some(sheets, chance)
        parts = [self._some(sheets - real, chance), self._real._some(real, chance)]
        drawn = [torch.cat(both) for both in zip(*parts, strict=True)]
        return drawn[0], drawn[1], drawn[2]

    def _common(self, rows: Tensor) -> Common:
        bare, form, marked = (self._bytes[name][rows].float() / 255 for name in ("bare", "form", "marked"))
        return Common(bare, form, marked, self._pen[rows])

    def _some(self, sheets: int, chance: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
        def some(*shape: int) -> Tensor:
            return torch.rand(shape, generator=chance, device=self.device)

        rows = (some(sheets) * len(self)).long().clamp(max=len(self) - 1)
        chosen = some(sheets, _SQUARES).argsort(dim=1)[:, :_EACH]
        lost = self._bytes["lost"][rows[:, None], chosen].float() / 255
        heat = self._bytes["heat"][rows[:, None], chosen].flatten(0, 1).float()[:, None]
        common = self._common(rows)
        parts = [lost, common.bare, common.form, common.marked]
        soft = some(sheets) < _SOFT
        blur = 0.5 + 0.8 * float(some(1))
        for one in parts:
            one[soft] = softer(one[soft], blur)
        lost = torch.where((some(sheets, _EACH) < _STAINED)[..., None, None, None],
                           stained(parts[0], some(sheets, _EACH, 7)), parts[0])  # fmt: skip
        gain = _each(0.75 + 0.45 * some(sheets))
        grain = 0.03 * some(sheets) * (some(sheets) < _GRAINY)
        noise = torch.randn((*lost.shape[:-1], 1), generator=chance, device=self.device)
        lost = lost * gain + _each(grain) * noise
        # Lines drawn by hand bend: those of some squares lie elsewhere than in the others.
        aside = ((some(2) * (2 * _SHIFT_PX + 1)).long() - _SHIFT_PX).tolist()
        lost = torch.where(_each(some(sheets) < _ASIDE), lost.roll(aside, dims=(2, 3)), lost)
        bare, form, marked = (one * gain for one in parts[1:])
        pen = common.pen * gain[:, 0, 0, 0]
        planes = Common(bare, form, marked, pen).planes(lost.clamp(0, 1))
        for axis in (2, 3):
            turned = (some(sheets) < 0.5).repeat_interleave(_EACH)[:, None, None, None]
            planes, heat = (torch.where(turned, one.flip(axis), one) for one in (planes, heat))
        return planes, self.told[rows[:, None], chosen].flatten(0, 1), heat


def _count(path: Path) -> int:
    with np.load(path) as shard:
        return len(shard["told"])


def _each(values: Tensor) -> Tensor:
    """One value a sheet, for all of its squares."""
    return values[:, None, None, None, None]


def softer(pictures: Tensor, blur: float) -> Tensor:
    """Squares (n×k×72×72×3) less sharp by so many pixels."""
    reach = 4
    steps = torch.arange(-reach, reach + 1, device=pictures.device, dtype=pictures.dtype)
    kernel = torch.exp(-(steps**2) / (2 * blur * blur))
    kernel = kernel / kernel.sum()
    flat = pictures.permute(0, 1, 4, 2, 3).reshape(-1, 1, *pictures.shape[2:4])
    flat = functional.pad(flat, (reach,) * 4, mode="reflect")
    flat = functional.conv2d(functional.conv2d(flat, kernel[None, None, None]), kernel[None, None, :, None])
    count, each, high, wide, colours = pictures.shape
    return flat.reshape(count, each, colours, high, wide).permute(0, 1, 3, 4, 2)


def stained(lost: Tensor, chance: Tensor) -> Tensor:
    """Squares across which the edge of a cup's ring runs, or that of a shadow; ``chance``: n×k×7 in 0 … 1."""
    side = lost.shape[2]

    def between(which: int, low: float, high: float) -> Tensor:
        return (low + (high - low) * chance[..., which])[..., None, None]

    radius = between(0, 0.8, 3.0) * side
    way, near = between(1, 0, 2 * torch.pi), radius + between(2, -0.55, 0.55) * side
    pixels = torch.arange(side, device=lost.device, dtype=lost.dtype)
    x, y = pixels[None, :] - side / 2, pixels[:, None] - side / 2
    inside = radius - torch.sqrt((x - near * torch.cos(way)) ** 2 + (y - near * torch.sin(way)) ** 2)
    edge = between(3, 0.8, 3.0)
    rim = torch.exp(-((inside / (radius * between(4, 0.015, 0.06) + edge)) ** 2))
    mark = torch.maximum(between(5, 0.1, 0.6) * torch.sigmoid(1.7 * inside / edge), rim)
    mark = mark * between(6, 0.05, 0.35)
    warm = chance[..., 1]
    tint = torch.stack([torch.ones_like(warm), 0.6 + 0.4 * warm, 0.35 + 0.65 * warm], dim=-1)
    return 1 - (1 - lost) * (1 - mark[..., None] * tint[:, :, None, None])


def wrong(net: MarkNet, planes: Tensor, told: Tensor, heat: Tensor) -> Tensor:
    """How wrong the network is about a batch."""
    with torch.autocast(planes.device.type, dtype=torch.bfloat16):
        said, where = net.both(planes.contiguous(memory_format=torch.channels_last))
    coat, crosses = said.float().split(list(HEADS.values()), dim=1)
    known = heat <= 1  # of a real sheet nobody has told where the crosses are
    heat = heat * known
    # The places beside a cross are neither.
    near = functional.max_pool2d(heat, 3, 1, 1)
    apart = functional.binary_cross_entropy_with_logits(
        where.float(), heat, reduction="none", pos_weight=torch.tensor(4.0, device=heat.device)
    )
    weight = torch.where(near > heat, 0.0, 1.0) * known
    places = (apart * weight).sum() / weight.sum().clamp(1.0)
    return (
        _COAT_WEIGHT * functional.cross_entropy(coat, told[:, 0])
        + 1.5 * functional.cross_entropy(crosses, told[:, 1])
        + _WHERE_WEIGHT * 20 * places
    )


def tempered(net: MarkNet, sheets: Sheets) -> dict[str, dict[str, float]]:
    """For each head its share right and its temperature, on squares seen both ways up as the reader looks."""
    net.eval()
    told = sheets.told[: len(sheets)].flatten(0, 1).cpu()
    with torch.no_grad():
        planes = (sheets.planes(k) for k in range(len(sheets)))
        said = torch.cat([(net(one) + net(one.flip((2, 3)))).cpu() / 2 for one in planes])
    parts = said.split(list(HEADS.values()), dim=1)
    # Of crosses only squares with a coat can tell anything.
    drawn = told[:, 0] > 0
    return {
        "coat": truest(parts[0], told[:, 0]),
        "crosses": truest(parts[1][drawn], told[drawn, 1]),
    }
