"""Teach the reader of marks: simulated sheets to fine squares, squares to a small network, that to ONNX.

    python -m training.sheet_marks --data DATA --draw 2800      sheets as fine squares, each in two photos
    python -m training.sheet_marks --data DATA --kept FOLDER    maps that people have corrected and kept
    python -m training.sheet_marks --data DATA --out OUT --steps 20000

Shards that are there are not made again, and a run that was stopped goes on from its checkpoint. Sheet number
n of a seed is always the same sheet. Where a graphics card is, it is learned on, and sheets may be drawn
meanwhile. Needs torch (2.13) beside numpy and OpenCV.
"""

import argparse
import sys
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from simulation.filled_sheet import FilledSheet
from simulation.sheet_photo import photographed, random_conditions
from training.kept_maps import kept_maps
from training.teach_sheet_cells import jittered, labels, sheet
from training.weighing import write_heads
from vision.sheet_bend import settled
from vision.sheet_cells import CASTLE_INDEX, COLUMNS, ROWS, Values
from vision.sheet_fine import FINE_CELL_PX, FINE_PX, PLANES, fine_cells, shared

SHARD = 25
"""Sheets; twice as many photos."""
CHECKS = 3
"""The first shards are kept to set the temperatures by, and never learned from."""
HEAT = FINE_CELL_PX // 4
"""The side of the map that says where in a square the crosses are."""
UNKNOWN = 255
"""What it says where nobody has told."""
SHARDS = "crosses*-[0-9][0-9][0-9][0-9].npz"
TURN = 8
"""So many shards take the place of the oldest at each look."""
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
            lost.append(fine_cells(photo.image, corners))
            told.append(np.delete(labels(paper.cells, paper.roof), CASTLE_INDEX, axis=0)[:, :2])
            heats.append(heat)
    _keep(path, lost, told, np.stack(heats))


def _keep(path: Path, lost: Sequence[Values], told: Sequence[Values], heat: Values) -> None:
    """Write the squares of some photos and what those of each share, in bytes: all of it or nothing."""
    kept = [_bytes(one) for one in lost]
    each = [shared(one.astype(np.float32) / 255) for one in kept]
    fresh = path.with_suffix(".part.npz")
    np.savez_compressed(
        fresh, lost=np.stack(kept), told=np.stack(told), heat=heat, pen=np.stack([one.pen for one in each]),
        bare=np.stack([_bytes(one.bare) for one in each]), form=np.stack([_bytes(one.form) for one in each]),
        marked=np.stack([_bytes(one.marked) for one in each]),
    )  # fmt: skip
    fresh.replace(path)


def _bytes(shares: Values) -> Values:
    """Shares as bytes; what came from bytes comes back as it was."""
    return np.asarray(np.floor(shares * 255 + 1e-3), np.uint8)


def take_kept(folder: Path, kept: Path) -> int:
    """The maps that people have kept, as one more shard; how many there were."""
    maps = [*kept_maps(kept)]
    if maps:
        folder.mkdir(parents=True, exist_ok=True)
        told = [np.delete(labels(one.cells, one.roof), CASTLE_INDEX, axis=0)[:, :2] for one in maps]
        lost = [fine_cells(one.image, one.corners) for one in maps]
        _keep(
            folder / KEPT, lost, told, np.full((len(maps), ROWS * COLUMNS - 1, HEAT, HEAT), UNKNOWN, np.uint8)
        )
    return len(maps)


def draw(folder: Path, sheets: int, seed: int, workers: int) -> None:
    """The shards that are not there yet."""
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(_shard(folder, seed, k), k * SHARD, seed) for k in range(sheets // SHARD + CHECKS)]
    jobs = [job for job in jobs if not job[0].exists()]
    with Pool(workers, cv2.setNumThreads, (1,)) as pool:
        for done, _ in enumerate(pool.imap_unordered(_made, jobs), 1):
            print(f"shard {done} of {len(jobs)}", file=sys.stderr, flush=True)


def _made(job: tuple[Path, int, int]) -> None:
    make_shard(*job)


def _shard(folder: Path, seed: int, number: int) -> Path:
    return folder / f"crosses{seed}-{number:04d}.npz"


class Shards:
    """The shards of a folder, in which order they are learned from where there is no room for all at once."""

    def __init__(self, folder: Path, but: Sequence[Path]) -> None:
        self._folder = folder
        self._known = {*but}
        self._fresh: deque[Path] = deque()
        self._taken: deque[Path] = deque()

    def due(self, room: int) -> list[Path]:
        """What to take in now: so many photos as there is room for, or else some shards for the oldest."""
        new = sorted(path for path in self._folder.glob(SHARDS) if path not in self._known)
        self._known.update(new)
        self._fresh.extend(new)
        most = room // (2 * SHARD) if room > 0 else TURN
        due = [self._fresh.popleft() for _ in range(min(most, len(self._fresh)))]
        if room <= 0:
            due += [self._taken.popleft() for _ in range(min(most - len(due), len(self._taken)))]
        self._taken.extend(due)
        return due


def learn(options: argparse.Namespace) -> None:
    """Learn from the shards that are there and those that come meanwhile; temper and export."""
    import torch

    from training import learning
    from training.mark_network import MarkNet, Sheets, tempered, wrong
    from training.taken_up import take_up

    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    options.out.mkdir(parents=True, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    checks = [_shard(options.data, options.seed, k) for k in range(CHECKS)]
    shards, sheets, net = Shards(options.data, checks), Sheets(options.room, device), MarkNet()

    def look() -> None:
        for path in shards.due(sheets.room - sheets.seen):
            sheets.take(path)

    checked = Sheets.of(checks)
    look()
    if not len(sheets):
        raise SystemExit(f"No sheets to learn from in {options.data}: --draw makes some.")
    if (options.data / KEPT).exists():
        sheets.hear(Sheets.of([options.data / KEPT], device))
    if options.start is not None:
        take_up(net, options.start, lambda: sheets.batch(np.random.default_rng(options.seed))[0].cpu())
    net.to(device, memory_format=torch.channels_last)  # type: ignore[call-overload]  # torch's types leave it out

    def step(rng: np.random.Generator) -> torch.Tensor:
        return wrong(net, *sheets.batch(rng, options.squares))

    plan = learning.Plan(options.out, options.steps, options.seed, 1, options.data, options.start)
    learning.learn("sheet_marks", net, step, plan, look)
    net.cpu()
    told = tempered(net, checked)
    free = {"input": {0: "squares"}, "output": {0: "squares"}}
    learning.export(net, options.out / "sheet_marks.onnx", (1, PLANES, FINE_CELL_PX, FINE_CELL_PX), free)
    write_heads(options.out / "sheet_marks.toml", told)
    print(told, f"{sheets.seen} photos", file=sys.stderr)


def parsed() -> argparse.Namespace:
    """What the command was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="folder of shards")
    parser.add_argument("--draw", type=int, default=None, help="make shards of so many sheets, and stop")
    parser.add_argument("--kept", type=Path, default=None, help="take in the maps of this folder, and stop")
    parser.add_argument("--out", type=Path, default=None, help="folder for checkpoint and model")
    parser.add_argument("--steps", type=int, default=20000, help="how many batches to learn")
    parser.add_argument("--squares", type=int, default=64, help="squares of a batch")
    parser.add_argument("--room", type=int, default=6000, help="photos in memory; more take turns")
    parser.add_argument("--workers", type=int, default=2, help="how many draw")
    parser.add_argument("--start", type=Path, default=None, help="an exported network to go on from")
    parser.add_argument("--seed", type=int, default=3, help="another seed, other sheets")
    return parser.parse_args()


def main() -> None:
    """Make shards, or learn, temper and export."""
    options = parsed()
    cv2.setNumThreads(1)
    if options.draw is not None:
        draw(options.data, options.draw, options.seed, options.workers)
        return
    if options.kept is not None:
        print(f"{take_kept(options.data, options.kept)} maps that were kept are taken in")
        return
    learn(options)


if __name__ == "__main__":
    main()
