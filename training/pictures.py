"""Simulated pictures of pieces with their truth, in shards that are drawn once.

    python -m training.pictures --out OUT --pictures 6000 --seed 1 [--kind dice]

Picture n of seed s is always the same picture. A shard is one file; a shard that is there is not drawn again,
so the same command goes on where it was stopped. Validation uses another seed.
"""

import argparse
import json
import sys
from multiprocessing import Pool
from pathlib import Path

import cv2
import numpy as np

from simulation.coin_piles import pile_table
from simulation.manned_field import manned_field
from simulation.picture import shoot
from simulation.random_scene import game_table, photograph
from simulation.virtual_scene import VirtualScene, stream

SHARD = 40
KINDS = ("dominoes", "dice", "piecepack", "duel", "soldiers", "table")
ONLY_ASKED_FOR = ("every-die", "piles", "manned")
SHARES = (0.44, 0.15, 0.12, 0.05, 0.1, 0.14)
_GAMES = ("dominoids", "kingdomino-duel", "dominoes-of-war", "draw-game")
_SIZES = ((640, 480), (640, 480), (720, 540), (640, 360), (480, 640), (960, 720))
_LARGE_TABLES = ((1024, 768), (1280, 720), (1280, 960), (1280, 960), (1600, 1200))
_TABLES = ((960, 540), (960, 540), (1024, 768), (1280, 720), (1280, 720), (1600, 900), (1920, 1080))


def scene(number: int, seed: int, only: str | None = None) -> tuple[VirtualScene, str]:
    """Scene ``number`` of a seed, and which kind of picture it is; ``only`` asks for one kind."""
    rng = stream(seed, "training picture", str(number))
    kind = only or str(rng.choice(KINDS, p=SHARES))
    one = int(rng.integers(1 << 40))
    if kind == "table":
        game = _GAMES[int(rng.choice(4, p=(0.45, 0.1, 0.2, 0.25)))]
        return game_table(game, one, _TABLES[int(rng.integers(len(_TABLES)))]), kind
    if kind == "piles":
        return pile_table(one, _TABLES[int(rng.integers(len(_TABLES)))]), kind
    if kind == "manned":
        return manned_field(one, _LARGE_TABLES[int(rng.integers(len(_LARGE_TABLES)))]), kind
    return photograph(one, kind, _SIZES[int(rng.integers(len(_SIZES)))]), kind


def draw_shard(job: tuple[Path, int, int, str | None]) -> Path:
    """Draw one shard of pictures into its file."""
    path, first, seed, only = job
    cv2.setNumThreads(1)
    pictures, told = [], []
    for number in range(first, first + SHARD):
        what, kind = scene(number, seed, only)
        shot = shoot(what)
        good, packed = cv2.imencode(".jpg", shot.picture, [cv2.IMWRITE_JPEG_QUALITY, 96])
        assert good
        pictures.append(packed)
        told.append({"kind": kind, "pieces": shot.facts})
    part = path.with_suffix(".part")
    with part.open("wb") as file:
        np.savez(file, *pictures, truth=np.array(json.dumps(told)))
    part.replace(path)
    return path


def shards(out: Path, pictures: int, seed: int, only: str | None) -> list[tuple[Path, int, int, str | None]]:
    """The jobs that make up so many pictures of a seed."""
    return [(out / f"{seed:03d}-{n:06d}.npz", n, seed, only) for n in range(0, pictures, SHARD)]


def main() -> int:
    """Draw what is not there yet."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--pictures", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS + ONLY_ASKED_FOR, help="only pictures of this kind")
    parser.add_argument("--workers", type=int, default=2)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    jobs = [job for job in shards(asked.out, asked.pictures, asked.seed, asked.kind) if not job[0].exists()]
    with Pool(asked.workers) as pool:
        for done, path in enumerate(pool.imap_unordered(draw_shard, jobs), 1):
            print(f"{done}/{len(jobs)} {path.name}", file=sys.stderr, flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
