"""Teach the sheet reader: simulated sheets to cells, cells to a small network, the network to ONNX.

    python -m training.teach_sheet_cells --out OUT --sheets 8000 --steps 40000 --seed 1

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

from engine.kingdomino_duel.edition import COATS
from simulation.filled_sheet import OUR_FORM, Cells, FilledSheet, filled, random_cells, random_form
from simulation.pen_strokes import PUPILS
from simulation.sheet_photo import photographed, random_conditions
from training.weighing import write_heads
from vision.sheet_cells import CASTLE_INDEX, cells_of

SHARD = 50
CHECKS = 3
"""The first shards are kept to set the temperatures by, and never learned from."""


def sheet(number: int, seed: int) -> tuple[FilledSheet, np.random.Generator]:
    """Training sheet ``number``: a third on our form, the others on anybody's."""
    rng = np.random.default_rng([seed, number])
    form = OUR_FORM if rng.random() < 0.35 else random_form(rng)
    return filled(form, random_cells(rng), bool(rng.random() < 0.5), rng, variety=PUPILS), rng


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
    off = float(rng.choice((0.005, 0.01, 0.02, 0.03))) * side
    coarse = rng.normal(0, off, (3, 3, 2)).astype(np.float32)
    bend = cv2.resize(coarse, (corners.shape[1], corners.shape[0]), interpolation=cv2.INTER_LINEAR)
    return corners + bend + rng.normal(0, off, 2)


def make_shard(path: Path, first: int, seed: int) -> None:
    """Sheets ``first`` and following as cells on disk."""
    dark, forms, told = [], [], []
    for number in range(first, first + SHARD):
        paper, rng = sheet(number, seed)
        # Small squares teach the most, and large ones take the most time.
        square_px = float(np.exp(rng.uniform(np.log(24), np.log(90))))
        conditions = replace(random_conditions(rng), square_px=square_px)
        photo = photographed([paper], conditions, rng)
        cells = cells_of(photo.image, jittered(photo.corners[0], rng))
        dark.append((cells.dark * 255).astype(np.uint8))
        forms.append((cells.form * 255).astype(np.uint8))
        told.append(labels(paper.cells, paper.roof))
    fresh = path.with_suffix(".part.npz")
    np.savez(fresh, dark=np.stack(dark), form=np.stack(forms), told=np.stack(told))
    fresh.replace(path)


def parsed() -> argparse.Namespace:
    """What the command was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, required=True, help="folder for shards, checkpoint and model")
    parser.add_argument("--sheets", type=int, default=8000, help="how many sheets to learn from")
    parser.add_argument("--steps", type=int, default=40000, help="how many batches of 64 squares to learn")
    parser.add_argument("--start", type=Path, default=None, help="an exported network to go on from")
    parser.add_argument("--threads", type=int, default=1, help="on a busy machine one is fastest")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other sheets")
    parser.add_argument("--only", type=int, nargs=2, default=None, metavar=("PART", "PARTS"),
                        help="make only these shards, to share the work between processes")  # fmt: skip
    return parser.parse_args()


def main() -> None:
    """Make shards, learn, temper, export."""
    options = parsed()
    options.out.mkdir(parents=True, exist_ok=True)
    count = options.sheets // SHARD
    paths = [options.out / f"seed{options.seed}-{k:04d}.npz" for k in range(count + CHECKS)]
    for k, path in enumerate(paths):
        mine = options.only is None or k % options.only[1] == options.only[0]
        if mine and not path.exists():
            make_shard(path, k * SHARD, options.seed)
            print(f"shard {k + 1} of {len(paths)}", file=sys.stderr, flush=True)
    if options.only is not None:
        return
    from training.sheet_network import export, learn, tempered

    net = learn(paths[CHECKS:], options.out, options)
    told = tempered(net, paths[:CHECKS])
    export(net, options.out / "sheet_cells.onnx")
    write_heads(options.out / "sheet_cells.toml", told)
    print(told, file=sys.stderr)


if __name__ == "__main__":
    main()
