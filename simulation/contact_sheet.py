"""Virtual frames beside real photographs, to be looked at with honest eyes.

python -m simulation.contact_sheet -o SHEET.png [--real DIR] [--kind KIND] [--seed N] [--count N]
"""

import argparse
import sys
import time
from pathlib import Path

import cv2
import numpy as np

from engine import GAMES
from simulation.picture import shoot
from simulation.random_scene import KINDS, game_table, photograph
from simulation.sensor import Picture
from simulation.virtual_scene import VirtualScene, stream

CELL_PX = 400
COLUMNS = 6


def cell(picture: Picture) -> Picture:
    """A picture made to fit into one square of the sheet."""
    rows, columns = picture.shape[:2]
    share = CELL_PX / max(rows, columns)
    small = cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
    found = np.full((CELL_PX, CELL_PX, 3), 40, dtype=np.uint8)
    y, x = ((CELL_PX - side) // 2 for side in small.shape[:2])
    found[y : y + small.shape[0], x : x + small.shape[1]] = small
    return found


def scene_of(kind: str, seed: int) -> VirtualScene:
    """A random scene: a photograph, or the table of a game."""
    return game_table(kind, seed) if kind in GAMES else photograph(seed, kind if kind in KINDS else None)


def real_pictures(folder: Path, count: int, seed: int) -> list[Picture]:
    """Some of the photographs under a folder, all folders alike."""
    files = sorted(f for f in folder.rglob("*.jpg"))
    rng = stream(seed, "real pictures")
    found = []
    for k in rng.permutation(len(files))[:count]:
        picture = cv2.imread(str(files[int(k)]), cv2.IMREAD_COLOR)
        if picture is not None:
            found.append(np.asarray(picture, dtype=np.uint8))
    return found


def sheet(virtual: list[Picture], real: list[Picture]) -> Picture:
    """Rows of virtual frames and of photographs in turn."""
    lines = []
    while virtual or real:
        for group in (virtual, real):
            now, group[:] = group[:COLUMNS], group[COLUMNS:]
            if now:
                blank = np.full((CELL_PX, CELL_PX, 3), 40, dtype=np.uint8)
                lines.append(np.hstack([*(cell(p) for p in now), *[blank] * (COLUMNS - len(now))]))
    return np.vstack(lines)


def main(arguments: list[str] | None = None) -> int:
    """Makes the sheet."""
    parser = argparse.ArgumentParser(prog="python -m simulation.contact_sheet", description=__doc__)
    parser.add_argument("-o", "--out", type=Path, required=True, help="the PNG file to write")
    parser.add_argument("--real", type=Path, help="a folder with photographs to put between the virtual rows")
    parser.add_argument("--kind", default="any", choices=("any", *KINDS, *GAMES), help="what to show")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=12, help="how many virtual frames")
    options = parser.parse_args(arguments)
    if options.real and not options.real.is_dir():
        print(f"--real should be a folder with photographs, but {options.real} is none.", file=sys.stderr)
        return 2
    virtual = []
    started = time.perf_counter()
    for k in range(options.count):
        virtual.append(shoot(scene_of(options.kind, options.seed + k)).picture)
        print(f"{k + 1} of {options.count} frames, {time.perf_counter() - started:.0f} s", file=sys.stderr)
    real = real_pictures(options.real, options.count, options.seed) if options.real else []
    cv2.imwrite(str(options.out), sheet(virtual, real))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
