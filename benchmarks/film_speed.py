"""How many frames a second the virtual table gives while a game is played, against live viewing."""

import time
from collections.abc import Iterator

import cv2

from engine import GAMES
from simulation.film import Film, Options

FLOOR_FPS = 8.0
"""Enough to be watched live."""
_SEEDS = (1, 2)


def measure() -> Iterator[dict[str, object]]:
    """Rows for ``make bench``: whole films of each game at 1280×960 on one core, the first frame left out."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        for game in GAMES:
            yield _row(game)
    finally:
        cv2.setNumThreads(threads)


def _row(game: str) -> dict[str, object]:
    spent, frames, slowest = 0.0, 0, 0.0
    for seed in _SEEDS:
        shots = Film.of(game, seed=seed, options=Options(moves=3, illegal=0.2)).shots()
        next(shots)
        while True:
            # The time that this process works: what else the machine does is no concern of the table's.
            began = time.process_time()
            if next(shots, None) is None:
                break
            took = time.process_time() - began
            spent, frames, slowest = spent + took, frames + 1, max(slowest, took)
    pace = frames / spent
    return {
        "name": f"frames of {game} at 1280×960",
        "ours": pace,
        "reference": FLOOR_FPS,
        "against": "frames a second for live viewing",
        "ratio": pace / FLOOR_FPS,
        "floor": 1.0,
        "n": frames,
        "note": f"slowest frame {1000 * slowest:.0f} ms",
    }


if __name__ == "__main__":
    for row in measure():
        print(f"{row['name']}: {row['ours']:.1f} a second (n={row['n']}, {row['note']})")
