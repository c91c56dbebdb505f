"""What reading a table costs, beside plain marker detection and beside a small general detector.

    python -m benchmarks reading_cost

All on one core and in processor time, of pictures of 1920×1080 from the virtual table; the table itself is
known, as it is during a game. Memory and loading are measured in a process of their own.
"""

import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import cycle
from pathlib import Path

import cv2
import numpy as np

from benchmarks import yolo_nano
from benchmarks.geometry import plain_detector
from calibration.camera import Camera
from calibration.table_finder import Table
from engine import GAMES
from simulation.picture import shoot
from simulation.random_scene import game_table
from vision.pieces import finder, mat
from vision.pieces.each import PieceReader
from vision.pieces.memory import Memory
from vision.pieces.patches import Floats, Picture
from vision.pieces.reading import Readout, read_table

SIZE = (1920, 1080)
SEED, PLIES = 20, 24
ROUNDS = 7
NANO, MARKERS = "a YOLO-nano-class network at 640 px", "plain marker detection on the frame"
_MOST_NANO, _MOST_MARKERS, _MOST_CHANGED = 0.5, 12.0, 3.0
_MOST_MB, _MOST_LOAD_S = 400.0, 1.5
_MOST_BENT = 1.25
_CROWD = 48
_CARRIED_PX = (180, 120)

Row = Mapping[str, object]
Work = Callable[[], object]


@dataclass(frozen=True)
class GameSight:
    """A table of a game as the camera sees it."""

    game: str
    picture: Picture
    table: Table


def measure() -> Iterator[Row]:
    """Whole tables, little changes, growth with pieces and pixels, memory and loading."""
    threads = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        with tempfile.TemporaryDirectory() as folder:
            yield from _rows(Path(folder))
    finally:
        cv2.setNumThreads(threads)


def _rows(folder: Path) -> Iterator[Row]:
    sights = list(_sights())
    nano = _nano(folder)
    for sight in sights:
        yield from _whole(sight, nano)
    for sight in sights:
        yield _little(sight)
    crowded = max(sights, key=lambda s: len(finder.find(s.picture, [mat.scale_for(s.table)])))
    yield _by_pieces(crowded)
    yield _by_pixels(crowded)
    yield from _fresh(crowded, folder)


def _sights() -> Iterator[GameSight]:
    for game in GAMES:
        picture = shoot(game_table(game, SEED, SIZE, PLIES)).picture
        table = mat.table_in(picture)
        assert table is not None  # the virtual tables of games have markers
        yield GameSight(game, picture, table)


def _nano(folder: Path) -> Work:
    path = folder / "nano.onnx"
    yolo_nano.write(path)
    net = cv2.dnn.readNetFromONNX(str(path))
    side = yolo_nano.SIDE_PX
    blob = np.random.default_rng(SEED).random((1, 3, side, side), dtype=np.float32)

    def forward() -> object:
        net.setInput(blob)
        return net.forward()

    return forward


def _times(works: Sequence[Work], rounds: int = ROUNDS) -> list[float]:
    """The median milliseconds of each work; they take turns, so that all meet the same machine."""
    spent: list[list[float]] = [[] for _ in works]
    for work in works:
        work()
    for _ in range(rounds):
        for work, times in zip(works, spent, strict=True):
            start = time.process_time()
            work()
            times.append(1e3 * (time.process_time() - start))
    return [float(np.median(times)) for times in spent]


def _row(name: str, ours: float, reference: float, against: str, ceiling: float, note: str = "") -> Row:
    """A row from milliseconds; the benches print how often a second."""
    return {"name": name, "ours": 1e3 / ours, "reference": 1e3 / reference, "against": against,
            "ratio": ours / reference, "ceiling": ceiling, "n": ROUNDS, "note": note}  # fmt: skip


def _whole(sight: GameSight, nano: Work) -> Iterator[Row]:
    markers = _marker_detection(sight)
    ours, network, plain = _times([lambda: _read(sight.picture, sight.table), nano, markers])
    reading = _read(sight.picture, sight.table)
    parts = ", ".join(f"{what} {ms:.0f} ms" for what, ms in reading.ms.items())
    name = f"whole table of {sight.game}, {len(reading.pieces)} pieces read"
    yield _row(name, ours, network, NANO, _MOST_NANO, parts)
    yield _row(name, ours, plain, MARKERS, _MOST_MARKERS)


def _marker_detection(sight: GameSight) -> Work:
    plain = plain_detector()
    grey = np.asarray(cv2.cvtColor(sight.picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return lambda: plain(grey)


def _little(sight: GameSight) -> Row:
    """One piece is taken from its place and put down elsewhere, to and fro."""
    reading = _read(sight.picture, sight.table)
    rng = np.random.default_rng(SEED)
    one = reading.pieces[int(rng.integers(len(reading.pieces)))]
    looks = cycle((_carried(sight.picture, one.corners), sight.picture))
    memory = Memory()
    _read(sight.picture, sight.table, memory)
    # The full look that comes now and then is measured above.
    ours, plain = _times([lambda: _read(next(looks), sight.table, memory), _marker_detection(sight)])
    return _row(f"one piece moved on a table of {sight.game}", ours, plain, MARKERS, _MOST_CHANGED)


def _read(picture: Picture, table: Table, memory: Memory | None = None) -> Readout:
    """A table read, from memory where there is one."""
    if memory is not None:
        memory.see(picture)
    return read_table(picture, table, memory=memory)


def _carried(picture: Picture, corners: Floats) -> Picture:
    """The picture with what lies within these corners a hand's breadth farther, and its old place bare."""
    (x0, y0), (x1, y1) = (corners.min(axis=0) - 6).astype(int), (corners.max(axis=0) + 7).astype(int)
    rows, columns = picture.shape[:2]
    x0, y0 = max(0, x0), max(0, y0)
    dx, dy = (-by if edge + by > side else by for edge, by, side in
              zip((x1, y1), _CARRIED_PX, (columns, rows), strict=True))  # fmt: skip
    out = picture.copy()
    piece = picture[y0:y1, x0:x1]
    out[y0:y1, x0:x1] = picture[y0 + dy : y1 + dy, x0 + dx : x1 + dx]
    out[y0 + dy : y1 + dy, x0 + dx : x1 + dx] = piece
    return out


def _by_pieces(sight: GameSight) -> Row:
    """Thrice as many pieces against thrice the cost."""
    spotted = [s for s in finder.find(sight.picture, [mat.scale_for(sight.table)]) if s.kind == "domino"]
    some, many = spotted[: _CROWD // 3], (spotted * _CROWD)[:_CROWD]
    reader = PieceReader(sight.picture)
    few, lots = _times([lambda: reader.every(some), lambda: reader.every(many)])
    note = f"{few / len(some):.1f} and {lots / len(many):.1f} ms a domino, careful look"
    return _row(f"{len(many)} dominoes against {len(some)}", lots, few * len(many) / len(some),
                "as much a piece", _MOST_BENT, note)  # fmt: skip


def _by_pixels(sight: GameSight) -> Row:
    """Four times as many pixels against four times the cost."""
    size = (SIZE[0] // 2, SIZE[1] // 2)
    camera = sight.table.camera
    small = replace(sight.table, camera=Camera(camera.lens.scaled_to(size), camera.pose))
    less = np.asarray(cv2.resize(sight.picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    quarter, all_ = _times([lambda: _read(less, small), lambda: _read(sight.picture, sight.table)])
    note = f"{quarter:.0f} ms at {size[0]}×{size[1]}, {all_:.0f} ms at {SIZE[0]}×{SIZE[1]}"
    return _row("four times the pixels", all_, 4 * quarter, "as much a pixel", _MOST_BENT, note)


_CHILD = """
import sys, time
start = time.process_time()
import cv2
cv2.setNumThreads(1)
from vision.pieces import mat, networks
from vision.pieces.memory import Memory
from vision.pieces.reading import read_table
for name in ("piece_finder", "domino_reader", "small_reader"): networks.network(name)
loaded = time.process_time() - start
import numpy as np
picture = np.load(sys.argv[1])
table, memory = mat.table_in(picture), Memory()
for _ in range(3):
    memory.see(picture)
    read_table(picture, table, memory=memory)
    picture[400:500, 600:800] //= 2
# The kernel's own word for this process: what getrusage tells can be the memory of the one that started it.
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(loaded, int(peak.split()[1]) / 1024)
"""


def _fresh(sight: GameSight, folder: Path) -> Iterator[Row]:
    """What a process pays that finds a table and reads it."""
    np.save(folder / "picture.npy", sight.picture)
    each = []
    for _ in range(3):
        command = [sys.executable, "-c", _CHILD, str(folder / "picture.npy")]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        each.append([float(part) for part in done.stdout.split()])
    load_s, memory = np.median(each, axis=0)
    yield {"name": "seconds to import and to load the networks", "ours": load_s, "reference": _MOST_LOAD_S,
           "against": "the limit", "ratio": load_s / _MOST_LOAD_S, "ceiling": 1.0, "n": 3}  # fmt: skip
    yield {"name": f"peak memory in MB, {sight.game}, three readings", "ours": memory, "reference": _MOST_MB,
           "against": "the limit", "ratio": memory / _MOST_MB, "ceiling": 1.0, "n": 3}  # fmt: skip
