"""How exact the geometry is and how safe the drift watch: `python -m benchmarks.geometry`, all from pictures.

`accuracy`: error of tile centres and angles; `bumps`: is every bump noticed, and the table found again;
`cost`: the time of a frame's check against one plain marker detection of the same frame.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.marker_frames import FlatBlock, Scenery, board_frame, draw, still_frames
from benchmarks.rigs import Rig, at_board, bumped, corners_in_picture, hand_held, random_rig, scattered_tiles
from benchmarks.wilson import told
from calibration import aruco
from calibration.aruco import Grey
from calibration.camera import Camera
from calibration.follow import FollowedTable, TableFollower
from calibration.joint import LensKnowledge
from calibration.lens import LensFit, coverage, is_new, lens_from_board, lens_from_markers
from calibration.lens_board import COLUMNS, ROWS, SQUARE_MM, black_squares, board_markers, find_board
from calibration.profiles import UNKNOWN_CAMERA
from calibration.table_finder import Table, find_table, keep_frame

TILES_A_RIG = 40
CENTRE_LIMIT_MM, ANGLE_LIMIT_DEG = 1.5, 2.0
FRAME_S = 0.1
_BOARD_CELL_MM = 0.25
_STILLS, _HAND_HELD, _MOST_BOARD_SHOTS = 8, 6, 40


@dataclass(frozen=True)
class TileError:
    """One tile as measured: under which conditions, and how far off."""

    way: str
    tilt_deg: float
    height_mm: float
    centre_mm: float
    angle_deg: float


@dataclass(frozen=True)
class Bump:
    """One episode of the drift watch."""

    kind: str
    far_px: float
    noticed_s: float | None
    regained_s: float | None
    silent_frames: int
    """Frames later than a second after the bump that are trusted while a corner of the table is off by more
    than is promised (1.5 mm)."""
    false_alarms: int


def accuracy(seed: int) -> list[TileError]:
    """One rig: its lens learned in three ways, its tiles measured with all markers and with one hidden."""
    rng = np.random.default_rng([seed, 1])
    rig = random_rig(rng)
    guess = UNKNOWN_CAMERA.knowledge(rig.camera.lens.size_px)
    frame = still_frames(rig.camera, Scenery(rig.markers), rig.look, rng)
    stills = [frame() for _ in range(_STILLS)]
    ways = {
        "lens board": _settled(_board_lens(rig, rng)),
        "markers by hand": _settled(_marker_lens(rig, guess, rng)),
        "nothing": guess,
    }
    errors = []
    for way, knowledge in ways.items():
        table = find_table(stills, knowledge)
        errors += _errors(way, rig, rig.camera, table, (), rng)
        moved = bumped(rig.camera, rig.truth.outline_mm, rng.uniform(5, 40), rng)
        cover = _cover(rig, int(rng.integers(4)))
        regained = _regain(rig, table, knowledge, (moved, cover), rng)
        if regained is not None:
            errors += _errors(f"{way}, one hidden", rig, moved, regained, (cover,), rng)
    return errors


def _errors(
    way: str, rig: Rig, camera: Camera, table: Table, covers: tuple[FlatBlock, ...], rng: np.random.Generator
) -> list[TileError]:
    tiles = scattered_tiles(rng, TILES_A_RIG, rig.markers)
    grey = draw(camera, Scenery(rig.markers, tiles, covers), rig.look, rng)
    truth = replace(rig, camera=camera).truth
    errors = []
    for tile in tiles:
        corners = corners_in_picture(grey, camera, tile)
        if corners is None or any(
            np.linalg.norm(np.subtract(c.centre_mm, tile.centre_mm)) < 80 for c in covers
        ):
            continue
        seen = table.camera.to_mm(corners, tile.height_mm)
        real = truth.camera.to_mm(camera.to_pixels(tile.corners_mm, tile.height_mm), tile.height_mm)
        off = float(np.linalg.norm(seen.mean(axis=0) - real.mean(axis=0)))
        turn = _heading(seen) - _heading(real)
        turn = abs((turn + 90) % 180 - 90)
        errors.append(TileError(way, camera.pose.tilt_deg, tile.height_mm, off, turn))
    return errors


def _heading(corners: np.ndarray) -> float:
    across = corners[1] - corners[0] + corners[2] - corners[3]
    return float(np.degrees(np.arctan2(across[1], across[0])))


def board_picture() -> Grey:
    """The lens board as a raster of `_BOARD_CELL_MM`."""
    scale = 1 / _BOARD_CELL_MM
    width, height = COLUMNS * SQUARE_MM, ROWS * SQUARE_MM
    board = np.full((round(height * scale), round(width * scale)), 255, dtype=np.uint8)

    def lay(patch: Grey, x_mm: float, y_mm: float) -> None:
        left = round((x_mm + width / 2) * scale - patch.shape[1] / 2)
        top = round((height / 2 - y_mm) * scale - patch.shape[0] / 2)
        board[top : top + patch.shape[0], left : left + patch.shape[1]] = patch

    square = round(SQUARE_MM * scale)
    for x, y in black_squares():
        lay(np.zeros((square, square), dtype=np.uint8), x, y)
    for place in board_markers():
        lay(aruco.picture(place.number, round(place.side_mm * scale / aruco.MARKER_CELLS)), *place.centre_mm)
    return board


def _board_lens(rig: Rig, rng: np.random.Generator) -> LensFit:
    board = board_picture()
    shots = []
    for _ in range(_MOST_BOARD_SHOTS):
        grey = board_frame(at_board(rig.camera.lens, rng), board, _BOARD_CELL_MM, rig.look, rng)
        shot = find_board(grey)
        if shot is not None and is_new(shot, shots):
            shots.append(shot)
        if coverage(shots).is_enough:
            break
    return lens_from_board(shots)


def _marker_lens(rig: Rig, guess: LensKnowledge, rng: np.random.Generator) -> LensFit:
    cameras = [hand_held(rig, rng) for _ in range(_HAND_HELD)]
    pictures = [draw(camera, Scenery(rig.markers), rig.look, rng) for camera in cameras]
    return lens_from_markers(pictures, guess)


def _settled(found: LensFit) -> LensKnowledge:
    return LensKnowledge(found.lens)


def _cover(rig: Rig, index: int, size_mm: float = 70.0) -> FlatBlock:
    return FlatBlock(rig.markers[index].centre_mm, (size_mm, size_mm), 20.0, 0.0, 0.3)


def _regain(
    rig: Rig,
    table: Table,
    knowledge: LensKnowledge,
    bump: tuple[Camera, FlatBlock],
    rng: np.random.Generator,
) -> Table | None:
    """The table after a bump with one marker hidden, as the follower finds it again by itself."""
    moved, cover = bump
    follower = TableFollower(table, knowledge)
    follower.see(draw(rig.camera, Scenery(rig.markers), rig.look, rng), 0.0)
    last: FollowedTable | None = None
    frame_of = still_frames(moved, Scenery(rig.markers, (), (cover,)), rig.look, rng)
    for frame in range(1, 14):
        last = follower.see(frame_of(), frame * FRAME_S)
    return last.table if last is not None and last.trusted else None


KINDS = ("all seen", "one hidden", "two hidden", "hidden, then bumped", "marker moved", "nothing happens")
BUMP_SIZE_PX = (1280, 720)
EPISODES_A_RIG = 12


def bumps(seed: int) -> list[Bump]:
    """One rig through a dozen episodes, the follower kept from one to the next."""
    rng = np.random.default_rng([seed, 2])
    rig = random_rig(rng, BUMP_SIZE_PX)
    knowledge = LensKnowledge(rig.camera.lens)
    frame = still_frames(rig.camera, Scenery(rig.markers), rig.look, rng)
    table = find_table([frame() for _ in range(_STILLS)], knowledge)
    return [
        _episode(KINDS[k % len(KINDS)], rig, TableFollower(table, knowledge), rng)
        for k in range(EPISODES_A_RIG)
    ]


def _episode(kind: str, rig: Rig, follower: TableFollower, rng: np.random.Generator) -> Bump:
    limit = min(2.0, 1.0 / rig.camera.mm_per_px())
    far = float(limit * np.exp(rng.uniform(0, np.log(40))))
    before = rig.camera
    after = bumped(before, rig.truth.outline_mm, far, rng)
    markers = rig.markers
    order = rng.permutation(4)
    hidden = {"one hidden": 1, "two hidden": 2, "hidden, then bumped": 4}.get(kind, 0)
    covers = tuple(_cover(rig, int(i)) for i in order[:hidden])
    if kind == "marker moved":
        after = before
        one = markers[int(order[0])]
        way = rng.normal(size=2)
        way *= far * before.mm_per_px() / np.linalg.norm(way)
        spot = (one.centre_mm[0] + float(way[0]), one.centre_mm[1] + float(way[1]))
        markers = tuple(replace(m, centre_mm=spot) if m is one else m for m in markers)
    elif kind == "nothing happens":
        after = before
    run = _Run(rig, follower, rng)
    run.show(5, before, rig.markers, () if kind == "hidden, then bumped" else covers)
    if kind == "hidden, then bumped":
        run.show(3, before, rig.markers, covers)
    run.bump_at()
    run.show(13, after, markers, covers)
    if kind == "hidden, then bumped":
        run.show(10, after, markers, ())
    return run.result(kind, far)


class _Run:
    """Shows frames to a follower and keeps count."""

    def __init__(self, rig: Rig, follower: TableFollower, rng: np.random.Generator) -> None:
        self.rig, self.follower, self.rng = rig, follower, rng
        self.table = follower.table
        self.mm_per_px = rig.camera.mm_per_px()
        self.at_s, self.bumped_s = 0.0, float("inf")
        self.noticed_s: float | None = None
        self.regained_s: float | None = None
        self.silent = self.alarms = 0

    def bump_at(self) -> None:
        self.bumped_s = self.at_s

    def show(self, frames: int, camera: Camera, markers: tuple, covers: tuple[FlatBlock, ...]) -> None:
        outline = self.table.outline_mm
        real = keep_frame(Table(camera, self.rig.markers, 0.0), self.table).camera.to_pixels(outline)
        frame = still_frames(camera, Scenery(markers, (), covers), self.rig.look, self.rng)
        for _ in range(frames):
            self.at_s += FRAME_S
            found = self.follower.see(frame(), self.at_s)
            off = float(np.linalg.norm(found.table.camera.to_pixels(outline) - real, axis=1).max())
            self._count(found, off, len(covers))

    def _count(self, found: FollowedTable, off_px: float, hidden: int) -> None:
        since = self.at_s - self.bumped_s
        if since < 0 or self.bumped_s == float("inf"):
            self.alarms += not found.trusted and hidden < 2
            return
        if not found.trusted and self.noticed_s is None:
            self.noticed_s = since
        right = off_px * self.mm_per_px <= CENTRE_LIMIT_MM
        if found.trusted and right and self.noticed_s is not None and self.regained_s is None:
            self.regained_s = since
        self.silent += found.trusted and not right and since > 1.0

    def result(self, kind: str, far: float) -> Bump:
        return Bump(kind, far, self.noticed_s, self.regained_s, self.silent, self.alarms)


def cost(seed: int, frames: int) -> tuple[float, float]:
    """Mean milliseconds of a frame's check and of one plain detection, in a still scene at 1080p."""
    rng = np.random.default_rng([seed, 3])
    rig = random_rig(rng)
    knowledge = LensKnowledge(rig.camera.lens)
    pictures = [draw(rig.camera, Scenery(rig.markers), rig.look, rng) for _ in range(8)]
    follower = TableFollower(find_table(pictures[:1], knowledge), knowledge)
    plain = plain_detector()
    checks, detections = 0.0, 0.0
    for index in range(frames):
        grey = pictures[index % len(pictures)]
        start = time.perf_counter()
        follower.see(grey, index * FRAME_S)
        between = time.perf_counter()
        plain(grey)
        detections += time.perf_counter() - between
        checks += between - start
    return checks / frames * 1e3, detections / frames * 1e3


def plain_detector() -> Callable[[Grey], object]:
    """OpenCV's own detector of markers as it comes."""
    library = cv2.aruco
    if hasattr(library, "ArucoDetector"):
        return library.ArucoDetector(aruco.DICTIONARY, library.DetectorParameters()).detectMarkers
    settings = library.DetectorParameters_create()
    return lambda grey: library.detectMarkers(grey, aruco.DICTIONARY, parameters=settings)


def report_accuracy(errors: Sequence[TileError]) -> dict[str, dict[str, float]]:
    """Print and return a row for each way of learning the lens."""
    rows: dict[str, dict[str, float]] = {}
    print(
        f"{'lens from':30} {'n':>6} {'p50 mm':>7} {'p99 mm':>7} {'max':>6} {'p99 deg':>8}  within both limits"
    )
    for way in dict.fromkeys(e.way for e in errors):
        mine = [e for e in errors if e.way == way]
        off = np.array([e.centre_mm for e in mine])
        turn = np.array([e.angle_deg for e in mine])
        good = int(((off <= CENTRE_LIMIT_MM) & (turn <= ANGLE_LIMIT_DEG)).sum())
        rows[way] = {
            "n": len(mine),
            "p50_mm": float(np.percentile(off, 50)),
            "p99_mm": float(np.percentile(off, 99)),
            "max_mm": float(off.max()),
            "p99_deg": float(np.percentile(turn, 99)),
            "within": good / len(mine),
        }
        row = rows[way]
        print(
            f"{way:30} {len(mine):6d} {row['p50_mm']:7.2f} {row['p99_mm']:7.2f} {row['max_mm']:6.2f} "
            f"{row['p99_deg']:8.2f}  {told(good, len(mine))}"
        )
    return rows


def report_bumps(episodes: Sequence[Bump]) -> dict[str, int]:
    """Print and return what became of the episodes."""
    moved = [e for e in episodes if e.kind not in ("marker moved", "nothing happens")]
    # With four markers hidden a bump cannot be seen: what counts is that the table is not trusted meanwhile.
    noticed = sum(e.noticed_s is not None and e.noticed_s <= 1.0 + 1e-9 for e in moved)
    seen = [e for e in episodes if e.kind in ("all seen", "one hidden", "hidden, then bumped")]
    regained = sum(e.regained_s is not None for e in seen)
    silent = sum(e.silent_frames > 0 for e in episodes)
    print("bumps noticed within 1 s:             ", told(noticed, len(moved)))
    print("found again, three or more seen:      ", told(regained, len(seen)))
    print("episodes silently wrong:              ", told(silent, len(episodes)))
    stolen = [e for e in episodes if e.kind == "marker moved"]
    print(
        "one marker moved, the table held:     ", told(sum(not e.silent_frames for e in stolen), len(stolen))
    )
    alarms = sum(e.false_alarms for e in episodes)
    print(f"false alarms in {6 * len(episodes)} still frames: {alarms}")
    for kind in KINDS:
        mine = [e for e in episodes if e.kind == kind]
        found = sum(e.regained_s is not None for e in mine)
        late = [e.noticed_s for e in mine if e.noticed_s is not None]
        slowest = f"{max(late):.1f} s" if late else "never"
        print(f"  {kind:22} n={len(mine):5d} noticed {len(late):5d} (slowest {slowest}), found again {found}")
    return {
        "n": len(episodes),
        "moved": len(moved),
        "noticed": noticed,
        "seen": len(seen),
        "regained": regained,
        "silent": silent,
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the measurements asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.geometry", description=__doc__)
    parser.add_argument("what", nargs="?", default="all", choices=["all", "accuracy", "bumps", "cost"])
    parser.add_argument(
        "--rigs", type=int, default=140, help="rigs for accuracy, 40 tiles each (default 140)"
    )
    parser.add_argument("--episodes", type=int, default=4500, help="episodes, 2 in 3 bumps (default 4500)")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0, help="the first seed; every rig has the next one")
    parser.add_argument("--out", type=Path, help="also write every single result as JSON lines")
    given = parser.parse_args(argv)
    if given.out:
        given.out.write_text("")
    if given.what in ("all", "accuracy"):
        report_accuracy(_spread(accuracy, given.rigs, given))
    if given.what in ("all", "bumps"):
        report_bumps(_spread(bumps, -(-given.episodes // EPISODES_A_RIG), given))
    if given.what in ("all", "cost"):
        report_cost(given.seed)
    return 0


def report_cost(seed: int, rigs: int = 5, frames: int = 200) -> float:
    """Print and return the ratio of a frame's check to a plain detection."""
    times = np.array([cost(seed + k, frames) for k in range(rigs)])
    check, detection = times.mean(axis=0)
    print(
        f"check {check:.2f} ms, plain detection {detection:.2f} ms, ratio {check / detection:.3f} "
        f"(n = {rigs * frames} frames of {rigs} rigs)"
    )
    return float(check / detection)


def _spread(job: Callable[[int], list], count: int, given: argparse.Namespace) -> list:
    """The results of a job for each seed; each is written as soon as it is there, for a run takes a while."""
    results: list = []
    seeds = range(given.seed, given.seed + count)
    with ProcessPoolExecutor(given.workers) as pool:
        for done, found in enumerate(pool.map(job, seeds), 1):
            results += found
            if given.out:
                with given.out.open("a", encoding="utf-8") as out:
                    out.writelines(json.dumps(asdict(result)) + "\n" for result in found)
            if sys.stderr.isatty():
                print(f"\r{done}/{count} rigs", end="" if done < count else "\n", file=sys.stderr, flush=True)
    return results


if __name__ == "__main__":
    raise SystemExit(main())
