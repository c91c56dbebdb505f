"""The network that reads a square of a Duel map: its layers, how it learns, and how its weights leave.

Every batch is drawn from a seed and its number, and a checkpoint is left now and then, so that a run that was
stopped goes on as if it had not been.
"""

import argparse
import copy
import math
import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, Dataset

from vision.sheet_cells import CASTLE_INDEX, CELL_PX, LEAST_INK, OF_A_SQUARE, OF_ITS_INK

HEADS = {"coat": 8, "crosses": 4, "roof": 2, "upright": 2}
"""The outputs and their sizes. Coat 0 is an empty square, 1 to 6 the coats, 7 the castle."""
BATCH = 64
_KEPT_EVERY = 200


class CellNet(nn.Module):
    """Seven layers that look, two at each size, and two that decide."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = [*_layer(3, 24, 5, 2)]
        for before, after in ((24, 32), (32, 48), (48, 80)):
            layers += [*_layer(before, after), *_layer(after, after), nn.MaxPool2d(2)]
        self.look = nn.Sequential(*layers)
        self.decide = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(80 * 9, 136),
            nn.ReLU(),
            nn.Linear(136, sum(HEADS.values())),
        )

    def go_on_from(self, path: Path) -> None:
        """Take over the weights of a network that was exported: its layers are scaled already."""
        import onnx
        from onnx import numpy_helper

        kept = [numpy_helper.to_array(one) for one in onnx.load(str(path)).graph.initializer]
        large = [one for one in kept if one.ndim > 1]
        # Exporters list convolutions and the last layers in either order; a weight is followed by its bias.
        small = {id(one): kept[index + 1] for index, one in enumerate(kept) if one.ndim > 1}
        own = [layer for layer in self.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]
        with torch.no_grad():
            for layer in own:
                one = next(one for one in large if one.shape == tuple(layer.weight.shape))
                layer.weight.copy_(torch.tensor(one))
                assert layer.bias is not None
                layer.bias.copy_(torch.tensor(small[id(one)]))
            for scale in self.modules():
                if isinstance(scale, nn.BatchNorm2d):
                    scale.running_var.fill_(1 - scale.eps)  # type: ignore[union-attr]  # always there

    def forward(self, cells: Tensor) -> Tensor:
        """All outputs of all heads side by side, as logits."""
        out: Tensor = self.decide(self.look(cells))
        return out


def _layer(before: int, after: int, size: int = 3, stride: int = 1) -> tuple[nn.Module, ...]:
    conv = nn.Conv2d(before, after, size, stride=stride, padding=size // 2)
    return conv, nn.BatchNorm2d(after), nn.ReLU()


class Examples:
    """All squares of some shards, kept as bytes."""

    def __init__(self, paths: list[Path]) -> None:
        shards = [np.load(path) for path in paths]
        self.dark, self.form, self.told = (
            torch.from_numpy(np.concatenate([shard[key] for shard in shards]))
            for key in ("dark", "form", "told")
        )
        self.dark, self.form = _sized(self.dark), _sized(self.form[:, None])[:, 0]
        self.strength = torch.cat([self._strengths(rows) for rows in torch.arange(len(self.dark)).split(50)])

    def _strengths(self, rows: Tensor) -> Tensor:
        """How dark the darkest ink of each sheet is, as the reader takes it."""
        ink = self.dark[rows].float() / 255 - _widened(self.form[rows].float()[:, None] / 255)
        keep = [k for k in range(ink.shape[1]) if k != CASTLE_INDEX]
        flat = ink[:, keep].flatten(2)
        whole = flat.flatten(1)
        most = whole.kthvalue(int(whole.shape[1] * 0.99), dim=1).values
        own = flat.kthvalue(int(flat.shape[2] * OF_A_SQUARE / 100), dim=2).values
        return torch.maximum(most, OF_ITS_INK * own.topk(2, dim=1).values[:, 1]).clamp(LEAST_INK, 1.0)

    def taught(self) -> Tensor:
        """Which squares to learn from (sheet and square): castles thrice, blanks every other one."""
        sheets, squares = len(self.told), self.told.shape[1]
        place = torch.stack(
            torch.meshgrid(torch.arange(sheets), torch.arange(squares), indexing="ij"), dim=2
        ).flatten(0, 1)
        coat = self.told[..., 0].flatten()
        times = torch.where(coat == 7, 3, torch.where(coat == 0, torch.arange(len(coat)) % 2, 1))
        return place.repeat_interleave(times, dim=0)

    def planes(self, place: Tensor, chance: torch.Generator | None, turn: Tensor) -> Tensor:
        """The planes that the reader cuts; with a chance, moved and shaded a little, mirrored or not."""
        dark = self.dark[place[:, 0], place[:, 1]].float()[:, None] / 255
        form = self.form[place[:, 0]].float()[:, None] / 255
        strength = self.strength[place[:, 0], None, None, None]
        if chance is not None:
            dark, form, strength = _varied(dark, form, strength, chance)
        ink = ((dark - _widened(form)).clamp(0, 1) / strength).clamp(0, 1)
        planes = torch.cat([dark, form, ink], dim=1)
        return torch.where(turn[:, None, None, None], planes.flip((2, 3)), planes)


def _sized(cells: Tensor) -> Tensor:
    """Cells that were cut at another size, at the size that the network sees."""
    if cells.shape[-1] == CELL_PX:
        return cells
    flat = cells.flatten(0, 1)
    size = (CELL_PX, CELL_PX)
    parts = [
        nn.functional.interpolate(part[:, None].float(), size, mode="bilinear", antialias=True).round().byte()
        for part in flat.split(2000)
    ]
    return torch.cat(parts).reshape(*cells.shape[:2], *size)


class Batches(Dataset[tuple[Tensor, Tensor, Tensor]]):
    """Batches by number: planes, labels, and which end is up. The same number is always the same batch."""

    def __init__(self, examples: Examples, seed: int) -> None:
        self.examples, self.seed = examples, seed
        self.taught = examples.taught()

    def __getitem__(self, step: int) -> tuple[Tensor, Tensor, Tensor]:
        chance = torch.Generator().manual_seed(self.seed * 10_000_000 + step)
        place = self.taught[torch.randint(len(self.taught), (BATCH,), generator=chance)]
        turn = torch.rand(BATCH, generator=chance) < 0.4
        planes = self.examples.planes(place, chance, turn).bfloat16()
        return planes, self.examples.told[place[:, 0], place[:, 1]], (~turn).long()


def _widened(form: Tensor) -> Tensor:
    return nn.functional.max_pool2d(form, 3, 1, 1)


def _varied(
    dark: Tensor, form: Tensor, strength: Tensor, chance: torch.Generator
) -> tuple[Tensor, Tensor, Tensor]:
    """Squares as another photo might have shown them."""
    count = len(dark)

    def some(low: float, high: float) -> Tensor:
        return low + (high - low) * torch.rand(count, generator=chance)

    mirror = torch.where(torch.rand(count, generator=chance) < 0.5, -1.0, 1.0)
    theta = torch.zeros(count, 2, 3)
    theta[:, 0, 0], theta[:, 1, 1] = some(0.95, 1.05) * mirror, some(0.95, 1.05)
    theta[:, 0, 1], theta[:, 1, 0] = some(-0.06, 0.06), some(-0.06, 0.06)
    theta[:, :, 2] = torch.randn(count, 2, generator=chance) * 1.2 * 2 / CELL_PX
    # Lines drawn by hand bend: now and then those of a square lie elsewhere than in the other squares.
    crooked = (torch.rand(count, generator=chance) < 0.15).float()[:, None]
    elsewhere = theta.clone()
    elsewhere[:, :, 2] += crooked * torch.randn(count, 2, generator=chance) * 2.0 * 2 / CELL_PX
    dark, form = (_moved(plane, way) for plane, way in ((dark, theta), (form, elsewhere)))
    gain = some(0.8, 1.2)[:, None, None, None]
    # Noise drawn for some squares serves all: drawing it takes longer than learning from it.
    rough = torch.randn(32, 1, CELL_PX, CELL_PX, generator=chance).repeat(count // 32 + 1, 1, 1, 1)[:count]
    rough *= some(-0.02, 0.025).clamp(min=0)[:, None, None, None]
    soft = (torch.rand(count, generator=chance) < 0.25).float()[:, None, None, None]
    dark = dark + soft * (nn.functional.avg_pool2d(dark, 3, 1, 1, count_include_pad=False) - dark)
    return (dark * gain + rough).clamp(0, 1), (form * gain).clamp(0, 1), strength * gain


def _moved(plane: Tensor, way: Tensor) -> Tensor:
    grid = nn.functional.affine_grid(way, list(plane.shape), align_corners=False)
    return nn.functional.grid_sample(plane, grid, padding_mode="border", align_corners=False)


def loss_of(out: Tensor, told: Tensor, upright: Tensor) -> Tensor:
    """The sum over the heads; what is not told costs nothing."""
    parts = list(out.split(list(HEADS.values()), dim=1))
    # The castle tells best which end is up, and there is one to 34 others.
    castle = torch.where(told[:, 2] >= 0, upright, torch.full_like(upright, -1))
    parts.append(parts[3])
    targets = (told[:, 0], told[:, 1], told[:, 2], upright, castle)
    weights = (1.0, 1.0, 0.5, 0.2, 1.0)
    return sum(
        (
            weight * nn.functional.cross_entropy(part, target, ignore_index=-1)
            for part, target, weight in zip(parts, targets, weights, strict=True)
            if bool((target >= 0).any())
        ),
        torch.zeros(()),
    )


def learn(paths: list[Path], out: Path, options: argparse.Namespace) -> CellNet:
    """Batch by batch; what is given back is the running mean of the weights."""
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    net = CellNet().to(memory_format=torch.channels_last)
    best = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=2e-3)
    fastest = 3e-3 if options.start is None else 1e-3
    plan = torch.optim.lr_scheduler.OneCycleLR(best, fastest, total_steps=options.steps + 1, pct_start=0.1)
    if options.start is not None:
        net.go_on_from(options.start)
    mean, start, state = copy.deepcopy(net), 0, out / "checkpoint.pt"
    if state.exists():
        kept = torch.load(state, weights_only=True)
        for name, part in (("net", net), ("mean", mean), ("best", best), ("plan", plan)):
            part.load_state_dict(kept[name])
        start = int(kept["step"])
    if start >= options.steps:
        return mean
    net.train()
    if options.start is not None:
        # What an exported network is scaled by is fixed.
        for layer in net.modules():
            if isinstance(layer, nn.BatchNorm2d):
                layer.eval()
    batches = Batches(Examples(paths), options.seed)
    # Another process makes the next batches while this one learns.
    loader: Any = DataLoader(batches, batch_size=None, sampler=range(start, options.steps), num_workers=1)
    for step, (planes, labels, upright) in enumerate(loader, start):
        with torch.autocast("cpu", dtype=torch.bfloat16):
            told = net(planes.contiguous(memory_format=torch.channels_last))
        loss = loss_of(told.float(), labels, upright)
        best.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        best.step()
        plan.step()
        _follow(mean, net, min(0.995, 1 - 1 / (step + 1)))
        if (step + 1) % _KEPT_EVERY == 0 or step + 1 == options.steps:
            kept = {"net": net, "mean": mean, "best": best, "plan": plan}
            states: dict[str, Any] = {name: part.state_dict() for name, part in kept.items()}
            torch.save(states | {"step": step + 1}, out / "checkpoint.part")
            (out / "checkpoint.part").replace(state)
            print(
                f"step {step + 1} of {options.steps}: {float(loss.detach()):.3f}", file=sys.stderr, flush=True
            )
    return mean


def _follow(mean: nn.Module, net: nn.Module, share: float) -> None:
    """Move the running mean on towards the weights as they are now."""
    with torch.no_grad():
        for kept, now in zip(mean.state_dict().values(), net.state_dict().values(), strict=True):
            if kept.dtype.is_floating_point:
                kept.lerp_(now, 1 - share)
            else:
                kept.copy_(now)


def tempered(net: CellNet, paths: list[Path]) -> dict[str, dict[str, float]]:
    """For each head its share right, and the temperature that makes its probabilities true, on new sheets."""
    examples = Examples(paths)
    sheets, squares = examples.told.shape[:2]
    place = torch.stack(
        torch.meshgrid(torch.arange(sheets), torch.arange(squares), indexing="ij"), dim=2
    ).flatten(0, 1)
    turn = place[:, 0] % 2 == 0
    net.eval()
    with torch.no_grad():
        rows = torch.arange(len(place)).split(512)
        # Both ways up, as the reader looks.
        both = [
            torch.cat([net(examples.planes(place[r], None, way[r])) for r in rows]) for way in (turn, ~turn)
        ]
    first, second = (told.split(list(HEADS.values()), dim=1) for told in both)
    flat = examples.told.flatten(0, 1)
    found = {}
    targets = (flat[:, 0], flat[:, 1], flat[:, 2], (~turn).long())
    for name, one, other, target in zip(HEADS, first, second, targets, strict=True):
        part = (one + (other.flip(1) if name == "upright" else other)) / 2
        found[name] = truest(part[target >= 0], target[target >= 0])
    return found


def truest(logits: Tensor, truth: Tensor) -> dict[str, float]:
    """How many are right, and the temperature that makes the probabilities true."""
    tries = [math.exp(0.05 * k) for k in range(-14, 30)]
    costs = [float(nn.functional.cross_entropy(logits / t, truth)) for t in tries]
    right = float((logits.argmax(1) == truth).float().mean())
    return {"right": round(right, 5), "temperature": round(tries[int(np.argmin(costs))], 3)}


def export(net: CellNet, path: Path) -> None:
    """The network as ONNX for one cell or many."""
    net.eval()
    one = torch.zeros(1, 3, CELL_PX, CELL_PX)
    axes = {"cells": {0: "n"}, "told": {0: "n"}}
    torch.onnx.export(
        net, (one,), str(path), input_names=["cells"], output_names=["told"], dynamic_axes=axes, dynamo=False,
        opset_version=13,
    )  # fmt: skip
