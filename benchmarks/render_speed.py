"""How fast the virtual table draws, in processor time on one core.

    python -m benchmarks.render_speed            # frames a second and seconds a picture, for people

The reference is one JPEG round trip of the same frame, which every camera pays.
"""

import random
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import cv2
import numpy as np

from engine import rulebook
from simulation.picture import shoot
from simulation.random_scene import game_table, photograph
from simulation.setting import TableSetting
from simulation.stage import Stage
from simulation.virtual_scene import Sensor, VirtualScene

SIZE = (1280, 960)
FRAMES = 30
PICTURES = 12


def _seconds(work: Callable[[int], object], times: int) -> float:
    """Processor seconds a call."""
    work(0)
    start = time.process_time()
    for k in range(1, times + 1):
        work(k)
    return (time.process_time() - start) / times


def _film(game: str) -> tuple[Stage, TableSetting]:
    scene = game_table(game, 3, SIZE, plies=0)
    setting = TableSetting(game, 3)
    return Stage(replace(scene, pieces=setting.fixed(), sensor=Sensor(jpeg_quality=100))), setting


def _carried(game: str) -> Callable[[int], object]:
    """Frames in which one piece crosses the table."""
    stage, setting = _film(game)
    book = rulebook(game)
    pieces = setting.pieces(book.layout(book.start(None, random.Random(3))))
    first = next((k for k, piece in enumerate(pieces) if piece.kind in ("domino", "die")), 0)

    def frame(k: int) -> object:
        x, y = -150.0 + 9.0 * k, -60.0 + 4.0 * k
        moved = replace(pieces[first], x_mm=x, y_mm=y, z_mm=18.0, angle_deg=3.0 * k)
        return stage.frame((*pieces[:first], moved, *pieces[first + 1 :])).picture

    return frame


def _photographs() -> list[VirtualScene]:
    scenes = (photograph(seed, "dominoes", SIZE) for seed in range(200, 400))
    return [scene for scene in scenes if 12 <= len(scene.pieces) <= 28][: PICTURES + 1]


def _round_trip(picture: object) -> float:
    data = np.asarray(picture)

    def trip(_: int) -> object:
        return cv2.imdecode(cv2.imencode(".jpg", data, [cv2.IMWRITE_JPEG_QUALITY, 90])[1], cv2.IMREAD_COLOR)

    return 1 / _seconds(trip, 20)


def measure() -> Iterator[Mapping[str, object]]:
    """Frames a second of a film, and pictures a second."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        yield from _rows()
    finally:
        cv2.setNumThreads(threads)


def _rows() -> Iterator[Mapping[str, object]]:
    against = "JPEG round trip of the frame, one core"
    for game in ("dominoids", "draw-game", "dominoes-of-war"):
        frame = _carried(game)
        reference = _round_trip(frame(0))
        ours = 1 / _seconds(frame, FRAMES)
        name = f"film of {game}, a piece carried"
        yield {"name": name, "ours": ours, "reference": reference, "against": against,
               "ratio": ours / reference, "floor": 0.05, "n": FRAMES}  # fmt: skip
    scenes = _photographs()
    reference = _round_trip(shoot(scenes[0]).picture)
    ours = 1 / _seconds(lambda k: shoot(scenes[k]), PICTURES)
    name = "photograph with 12 to 28 pieces"
    yield {"name": name, "ours": ours, "reference": reference, "against": against,
           "ratio": ours / reference, "floor": 0.005, "n": PICTURES}  # fmt: skip


def main() -> int:
    """Prints the figures for people."""
    for row in measure():
        sys.stdout.write(
            f"{row['name']}: {float(str(row['ours'])):.2f}/s (ratio {float(str(row['ratio'])):.3f})\n"
        )
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
