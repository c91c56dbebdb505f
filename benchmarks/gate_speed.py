"""How many frames a second the gate looks at on one core, against decoding and shrinking the same frames."""

import time
from collections.abc import Callable, Iterator

import cv2
import numpy as np

from simulation.film import Film, Options
from vision.view import TableWatch
from vision.view.shrink import shrunk

_FRAMES = 40
_ROUNDS = 3


def measure() -> Iterator[dict[str, object]]:
    """Rows for ``make bench``: frames of 1280×960 with hands and without."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        film = Film.of("draw-game", seed=2, options=Options(moves=1))
        shots = [shot.picture for shot in film.shots(range(_FRAMES))]
        files = [cv2.imencode(".jpg", shot, [cv2.IMWRITE_JPEG_QUALITY, 90])[1] for shot in shots]

        def look() -> None:
            watch = TableWatch()
            for k, shot in enumerate(shots):
                watch.see(shot, k / 10)

        def decode() -> None:
            for file in files:
                shrunk(np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), dtype=np.uint8))

        ours, reference = (_FRAMES / min(_took(work) for _ in range(_ROUNDS)) for work in (look, decode))
    finally:
        cv2.setNumThreads(threads)
    yield {
        "name": "frames of 1280×960 through the gate", "ours": ours, "reference": reference,
        "against": "decoding JPEG and shrinking", "ratio": ours / reference, "floor": 0.5,
        "n": _FRAMES * _ROUNDS,
    }  # fmt: skip


def _took(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


if __name__ == "__main__":
    for row in measure():
        print(f"{row['name']}: {row['ours']:.0f} a second, {row['ratio']:.2f} of decoding (n={row['n']})")
