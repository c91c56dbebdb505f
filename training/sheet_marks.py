"""Teach the reader of marks: simulated sheets to fine squares, squares to a small network, that to ONNX.

    python -m training.sheet_marks --data DATA --draw 2800      sheets as fine squares, each in two photos
    python -m training.sheet_marks --data DATA --kept FOLDER    maps that people have corrected and kept
    python -m training.sheet_marks --data DATA --out OUT --steps 20000

Shards that are there are not made again, and a run that was stopped goes on from its checkpoint. Sheet number
n of a seed is always the same sheet. Needs torch (2.13) beside numpy and OpenCV.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from simulation.filled_sheet import FilledSheet
from simulation.sheet_photo import photographed, random_conditions
from training.kept_maps import kept_maps
from training.sheet_cells import jittered, labels, sheet
from training.weighing import write_heads
from vision.sheet_bend import settled
from vision.sheet_cells import CASTLE_INDEX, COLUMNS, ROWS
from vision.sheet_fine import FINE_CELL_PX, FINE_PX, PLANES, fine_cells

SHARD = 25
"""Sheets; twice as many photos."""
CHECKS = 3
"""The first shards are kept to set the temperatures by, and never learned from."""
HEAT = FINE_CELL_PX // 4
"""The side of the map that says where in a square the crosses are."""
UNKNOWN = 255
"""What it says where nobody has told."""
KEPT = "kept.npz"
"""The shard of the maps that people have kept."""


def heat_of(paper: FilledSheet) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Where in each square (35×18×18) a cross was drawn."""
    heat = np.zeros((ROWS * COLUMNS, HEAT, HEAT), np.uint8)
    first, last = paper.corners[0, 0], paper.corners[-1, -1]
    size = (last - first) / (COLUMNS, ROWS)
    margin = (FINE_CELL_PX - FINE_PX) / 2
    for place in (paper.crossed - first) / size:
        column, row = np.clip(np.floor(place), 0, (COLUMNS - 1, ROWS - 1)).astype(int)
        spot = ((place - (column, row)) * FINE_PX + margin) / FINE_CELL_PX * HEAT
        x, y = np.clip(spot.astype(int), 0, HEAT - 1)
        heat[row * COLUMNS + column, y, x] = 1
    return heat


def make_shard(path: Path, first: int, seed: int) -> None:
    """Sheets ``first`` and following, each in two photos, as fine squares on disk."""
    lost, told, heats = [], [], []
    for number in range(first, first + SHARD):
        paper, rng = sheet(number, seed)
        heat = np.delete(heat_of(paper), CASTLE_INDEX, axis=0)
        for _ in range(2):
            # Small squares teach the most, and large ones take the most time.
            square_px = float(np.exp(rng.uniform(np.log(24), np.log(90))))
            conditions = replace(random_conditions(rng), square_px=square_px)
            photo = photographed([paper], conditions, rng)
            corners = settled(photo.image, jittered(photo.corners[0], rng))
            lost.append((fine_cells(photo.image, corners) * 255).astype(np.uint8))
            told.append(np.delete(labels(paper.cells, paper.roof), CASTLE_INDEX, axis=0)[:, :2])
            heats.append(heat)
    fresh = path.with_suffix(".part.npz")
    np.savez(fresh, lost=np.stack(lost), told=np.stack(told), heat=np.stack(heats))
    fresh.replace(path)


def take_kept(folder: Path, kept: Path) -> int:
    """The maps that people have kept, as one more shard; how many there were."""
    maps = [*kept_maps(kept)]
    if maps:
        folder.mkdir(parents=True, exist_ok=True)
        told = [np.delete(labels(one.cells, one.roof), CASTLE_INDEX, axis=0)[:, :2] for one in maps]
        lost = [(fine_cells(one.image, one.corners) * 255).astype(np.uint8) for one in maps]
        nowhere = np.full((len(maps), ROWS * COLUMNS - 1, HEAT, HEAT), UNKNOWN, np.uint8)
        np.savez(folder / KEPT, lost=np.stack(lost), told=np.stack(told), heat=nowhere)
    return len(maps)


def draw(folder: Path, sheets: int, seed: int) -> None:
    """The shards that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    for k in range(sheets // SHARD + CHECKS):
        path = folder / f"crosses{seed}-{k:04d}.npz"
        if not path.exists():
            make_shard(path, k * SHARD, seed)
            print(f"shard {k + 1} of {sheets // SHARD + CHECKS}", file=sys.stderr, flush=True)


def parsed() -> argparse.Namespace:
    """What the command was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of shards")
    parser.add_argument("--draw", type=int, default=None, help="make shards of so many sheets, and stop")
    parser.add_argument("--kept", type=Path, default=None, help="take in the maps of this folder, and stop")
    parser.add_argument("--out", type=Path, default=None, help="folder for checkpoint and model")
    parser.add_argument("--steps", type=int, default=20000, help="how many batches of 64 squares to learn")
    parser.add_argument("--start", type=Path, default=None, help="an exported network to go on from")
    parser.add_argument("--seed", type=int, default=3, help="another seed, other sheets")
    return parser.parse_args()


def main() -> None:
    """Make shards, or learn, temper and export."""
    options = parsed()
    cv2.setNumThreads(1)
    if options.draw is not None:
        draw(options.data, options.draw, options.seed)
        return
    if options.kept is not None:
        print(f"{take_kept(options.data, options.kept)} maps that were kept are taken in")
        return
    import torch

    from training import learning
    from training.mark_network import MarkNet, Sheets, tempered, wrong
    from training.taken_up import take_up

    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    paths = sorted(options.data.glob("crosses*-[0-9][0-9][0-9][0-9].npz"))
    sheets, net = Sheets.of(paths[CHECKS:]), MarkNet()
    if (options.data / KEPT).exists():
        sheets.hear(Sheets.of([options.data / KEPT]))
    if options.start is not None:
        take_up(net, options.start, lambda: sheets.batch(np.random.default_rng(options.seed))[0])
    net.to(memory_format=torch.channels_last)  # type: ignore[call-overload]  # torch's types leave it out
    plan = learning.Plan(options.out, options.steps, options.seed, 1, options.data)
    learning.learn("sheet_marks", net, lambda rng: wrong(net, *sheets.batch(rng)), plan, lambda: None)
    told = tempered(net, Sheets.of(paths[:CHECKS]))
    free = {"input": {0: "squares"}, "output": {0: "squares"}}
    learning.export(net, options.out / "sheet_marks.onnx", (1, PLANES, FINE_CELL_PX, FINE_CELL_PX), free)
    write_heads(options.out / "sheet_marks.toml", told)
    print(told, file=sys.stderr)


if __name__ == "__main__":
    main()
