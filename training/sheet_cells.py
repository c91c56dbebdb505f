"""Teach the sheet reader: simulated sheets to cells, cells to a small network, the network to ONNX.

    python -m training.sheet_cells --out OUT --sheets 1800 --epochs 3 --seed 1

Every step leaves its result in OUT and is not done twice, so the same command goes on where it was stopped.
Sheet number n of seed s is always the same sheet. Needs torch (2.13) beside numpy and OpenCV.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from torch import Tensor, nn

from engine.kingdomino_duel.edition import COATS
from simulation.filled_sheet import OUR_FORM, Cells, FilledSheet, filled, random_cells, random_form
from simulation.ink import TAUGHT
from simulation.sheet_photo import photographed, random_conditions
from vision.sheet_cells import CASTLE_INDEX, CELL_PX, cells_of

SHARD = 50
CHECKS = 3
"""The first shards are kept to set the temperatures by, and never learned from."""
HEADS = {"coat": 8, "crosses": 4, "roof": 2, "upright": 2}
"""The outputs and their sizes. Coat 0 is an empty square, 1 to 6 the coats, 7 the castle."""


class CellNet(nn.Module):
    """Four layers that look, two that decide."""

    def __init__(self) -> None:
        super().__init__()
        first = nn.Conv2d(3, 20, 5, stride=2, padding=2, bias=False)
        layers: list[nn.Module] = [first, nn.BatchNorm2d(20), nn.ReLU()]
        for before, after in ((20, 32), (32, 48), (48, 96)):
            layers += [nn.Conv2d(before, after, 3, padding=1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]
            layers += [nn.MaxPool2d(2)]
        self.look = nn.Sequential(*layers)
        self.decide = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(96 * 9, 144),
            nn.ReLU(),
            nn.Linear(144, sum(HEADS.values())),
        )

    def forward(self, cells: Tensor) -> Tensor:
        """All outputs of all heads side by side, as logits."""
        out: Tensor = self.decide(self.look(cells))
        return out


def sheet(number: int, seed: int) -> tuple[FilledSheet, np.random.Generator]:
    """Training sheet ``number``: a third on our form, the others on anybody's."""
    rng = np.random.default_rng([seed, number])
    form = OUR_FORM if rng.random() < 0.35 else random_form(rng)
    return filled(form, random_cells(rng), bool(rng.random() < 0.5), rng, variety=TAUGHT), rng


def labels(cells: Cells, roof: bool) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Coat, crosses and roof of each of the 35 squares; -1 where there is nothing to say."""
    told = []
    for index, cell in enumerate(cell for row in cells for cell in row):
        if index == CASTLE_INDEX:
            told.append((7, -1, int(roof)))
        else:
            told.append((1 + COATS.index(cell[0]), cell[1], -1) if cell else (0, 0, -1))
    return np.array(told)


def jittered(corners: Any, rng: np.random.Generator) -> Any:
    """The corners as a finder might give them: moved, stretched and bent by some hundredths of a square."""
    side = float(np.linalg.norm(corners[0, 1] - corners[0, 0]))
    off = float(rng.choice((0.01, 0.02, 0.04))) * side
    coarse = rng.normal(0, off, (3, 3, 2)).astype(np.float32)
    bend = cv2.resize(coarse, (corners.shape[1], corners.shape[0]), interpolation=cv2.INTER_LINEAR)
    return corners + bend + rng.normal(0, off, 2)


def make_shard(path: Path, first: int, seed: int) -> None:
    """Sheets ``first`` and following as cells on disk."""
    dark, forms, told = [], [], []
    for number in range(first, first + SHARD):
        paper, rng = sheet(number, seed)
        # More pixels than a cell has would only take time.
        conditions = replace(random_conditions(rng), square_px=float(rng.uniform(22, 56)))
        photo = photographed([paper], conditions, rng)
        cells = cells_of(photo.image, jittered(photo.corners[0], rng))
        dark.append((cells.dark * 255).astype(np.uint8))
        forms.append((cells.form * 255).astype(np.uint8))
        told.append(labels(paper.cells, paper.roof))
    fresh = path.with_suffix(".part.npz")
    np.savez(fresh, dark=np.stack(dark), form=np.stack(forms), told=np.stack(told))
    fresh.replace(path)


def load(paths: list[Path]) -> tuple[Tensor, Tensor, Tensor]:
    """All cells of these shards: darkness (n×35×48×48), form (n×48×48), labels (n×35×3)."""
    shards = [np.load(path) for path in paths]
    return tuple(  # type: ignore[return-value]  # three keys make three tensors
        torch.from_numpy(np.concatenate([shard[key] for shard in shards])) for key in ("dark", "form", "told")
    )


def batch(dark: Tensor, form: Tensor, turn: Tensor) -> Tensor:
    """The planes that the reader cuts, for whole sheets; the sheets marked in ``turn`` the other way up."""
    d, f = dark.float() / 255, form.float()[:, None] / 255
    ink = (d - nn.functional.max_pool2d(f, 3, 1, 1)).clamp(0, 1)
    keep = [k for k in range(ink.shape[1]) if k != CASTLE_INDEX]
    flat = ink[:, keep].flatten(1)
    strength = flat.kthvalue(int(flat.shape[1] * 0.99), dim=1).values.clamp(0.22, 1.0)
    ink = (ink / strength[:, None, None, None]).clamp(0, 1)
    planes = torch.stack([d, f.expand_as(d), ink], dim=2)
    planes[turn] = planes[turn].flip((3, 4))
    return planes.flatten(0, 1).contiguous(memory_format=torch.channels_last)


def loss_of(out: Tensor, told: Tensor, upright: Tensor) -> Tensor:
    """The sum over the heads; what is not told costs nothing."""
    parts = list(out.split(list(HEADS.values()), dim=1))
    # The castle tells best which end is up, and there is one to 34 others.
    castle = torch.where(told[:, 2] >= 0, upright, torch.full_like(upright, -1))
    parts.append(parts[3])
    targets = (told[:, 0], told[:, 1], told[:, 2], upright, castle)
    weights = (1.0, 1.0, 1.0, 0.3, 1.0)
    return sum(
        (
            weight * nn.functional.cross_entropy(part, target, ignore_index=-1)
            for part, target, weight in zip(parts, targets, weights, strict=True)
            if bool((target >= 0).any())
        ),
        torch.zeros(()),
    )


def learn(net: CellNet, paths: list[Path], out: Path, options: argparse.Namespace) -> None:
    """Epoch by epoch; each leaves a checkpoint."""
    dark, form, told = load(paths)
    state, start = out / f"checkpoint-{len(paths)}.pt", 0
    best = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=1e-4)
    steps = (len(dark) + 7) // 8
    plan = torch.optim.lr_scheduler.OneCycleLR(
        best, 4e-3 if options.start is None else 3e-3, total_steps=steps * options.epochs + 1
    )
    if state.exists():
        kept = torch.load(state, weights_only=True)
        net.load_state_dict(kept["net"])
        best.load_state_dict(kept["best"])
        plan.load_state_dict(kept["plan"])
        start = kept["epoch"]
    for epoch in range(start, options.epochs):
        net.train()
        chance = torch.Generator().manual_seed(options.seed * 1000 + epoch)
        total = 0.0
        for step, rows in enumerate(torch.randperm(len(dark), generator=chance).split(8), 1):
            turn = torch.rand(len(rows), generator=chance) < 0.4
            flat = told[rows].flatten(0, 1)
            # There are more blank squares than any coat, and they teach less: every other one will do.
            some = (flat[:, 0] > 0) | (torch.rand(len(flat), generator=chance) < 0.5)
            up = (~turn).long()[:, None].expand(-1, 35).flatten()
            loss = loss_of(net(batch(dark[rows], form[rows], turn)[some]), flat[some], up[some])
            best.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
            best.step()
            plan.step()
            total += float(loss.detach()) * len(rows)
            if step % 50 == 0:
                print(f"step {step} of {steps}: {float(loss.detach()):.3f}", file=sys.stderr, flush=True)
        kept = {"net": net.state_dict(), "best": best.state_dict(), "plan": plan.state_dict()}
        torch.save(kept | {"epoch": epoch + 1}, state)
        print(
            f"epoch {epoch + 1} of {options.epochs}: loss {total / len(dark):.4f}",
            file=sys.stderr,
            flush=True,
        )


def tempered(net: CellNet, paths: list[Path]) -> dict[str, dict[str, float]]:
    """For each head its share right, and the temperature that makes its probabilities true, on new sheets."""
    dark, form, told = load(paths)
    net.eval()
    with torch.no_grad():
        rows = torch.arange(len(dark)).split(8)
        turns = [torch.arange(len(part)) % 4 == 0 for part in rows]
        outs = torch.cat([net(batch(dark[p], form[p], t)) for p, t in zip(rows, turns, strict=True)])
    upright = (~torch.cat(turns)).long()[:, None].expand(-1, 35).flatten()
    flat = told.flatten(0, 1)
    found = {}
    targets = (flat[:, 0], flat[:, 1], flat[:, 2], upright)
    for name, part, target in zip(HEADS, outs.split(list(HEADS.values()), dim=1), targets, strict=True):
        logits, truth = part[target >= 0], target[target >= 0]
        tries = [0.5 + 0.05 * k for k in range(60)]
        costs = [float(nn.functional.cross_entropy(logits / t, truth)) for t in tries]
        right = float((logits.argmax(1) == truth).float().mean())
        found[name] = {"right": round(right, 5), "temperature": round(tries[int(np.argmin(costs))], 3)}
    return found


def export(net: CellNet, path: Path) -> None:
    """The network as ONNX for one cell or many."""
    net.eval()
    one = torch.zeros(1, 3, CELL_PX, CELL_PX)
    axes = {"cells": {0: "n"}, "told": {0: "n"}}
    torch.onnx.export(
        net, (one,), str(path), input_names=["cells"], output_names=["told"], dynamic_axes=axes, dynamo=False,
        opset_version=13,
    )  # fmt: skip


def main() -> None:
    """Make shards, learn, temper, export."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for shards, checkpoint and model")
    parser.add_argument("--sheets", type=int, default=1800, help="how many sheets to learn from")
    parser.add_argument("--epochs", type=int, default=3, help="how often to go through them")
    parser.add_argument(
        "--start", type=Path, default=None, help="a checkpoint to go on from, with more sheets"
    )
    parser.add_argument("--threads", type=int, default=1, help="on a busy machine one is fastest")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other sheets")
    parser.add_argument("--only", type=int, nargs=2, default=None, metavar=("PART", "PARTS"),
                        help="make only these shards, to share the work between processes")  # fmt: skip
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(options.seed)
    torch.set_num_threads(options.threads)
    count = options.sheets // SHARD
    paths = [options.out / f"seed{options.seed}-{k:04d}.npz" for k in range(count + CHECKS)]
    for k, path in enumerate(paths):
        mine = options.only is None or k % options.only[1] == options.only[0]
        if mine and not path.exists():
            make_shard(path, k * SHARD, options.seed)
            print(f"shard {k + 1} of {len(paths)}", file=sys.stderr, flush=True)
    if options.only is not None:
        return
    net = CellNet().to(memory_format=torch.channels_last)
    if options.start is not None:
        net.load_state_dict(torch.load(options.start, weights_only=True)["net"])
    learn(net, paths[CHECKS:], options.out, options)
    told = tempered(net, paths[:CHECKS])
    export(net, options.out / "sheet_cells.onnx")
    lines = [
        f"[{name}]\nright = {one['right']}\ntemperature = {one['temperature']}\n"
        for name, one in told.items()
    ]
    (options.out / "sheet_cells.toml").write_text("\n".join(lines))
    print(told, file=sys.stderr)


if __name__ == "__main__":
    main()
