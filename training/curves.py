"""Where reading breaks: how much is read right while one thing gets worse and all else stays.

    python -m training.curves                                    # all curves, a few pictures a point
    python -m training.curves --pictures 60 --curve tilt blur --json curves.json

Every point shows the same scenes of fresh seeds, read the free way. A piece is right where it was found, read
right and sure; asked where it was found and not sure; wrong where it was wrong and sure, the one that must be
nought.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import count as count_up
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.camera import Camera, Lens, Pose
from simulation import sensor
from simulation.bodies import place
from simulation.picture import room_of
from simulation.random_scene import moved, photograph
from simulation.render import draw
from simulation.truth import facts_of
from simulation.virtual_scene import Piece, Sensor, VirtualScene, stream
from training.examples import Target, targets
from training.measure_reading import interval, pair, same
from vision.photos.picture_reading import read_picture
from vision.pieces.reading import Readout
from vision.pieces.sureness import sure

SIZE = (800, 600)
SEED = 880_000
KINDS = {"domino": "dominoes", "die": "dice"}
LONG_PX = {"domino": 90.0, "die": 36.0}
"""How long a piece is in the picture where its size is not what is varied."""
OUTCOMES = ("right", "asked", "wrong", "missed")
_FIELD_DEG, _NEAREST_MM = 50.0, 350.0
_FEWEST_PIECES, _MOST_PIECES = 6, 16
_PAPER = (0.55, 0.5, 0.42)

Light = Any
Drawn = tuple[Light, list[Target]]


@dataclass(frozen=True)
class Curve:
    """One thing that gets worse: over the table, in the light, or in the camera."""

    unit: str
    values: dict[str, tuple[float, ...]]
    view: Callable[[VirtualScene, str, float], VirtualScene] | None = None
    cover: bool = False
    sensor: Callable[[Sensor, float], Sensor] | None = None


def both(*values: float) -> dict[str, tuple[float, ...]]:
    """The same points for dominoes and dice."""
    return dict.fromkeys(KINDS, values)


def over(scene: VirtualScene, kind: str, long_px: float | None = None, tilt_deg: float = 0.0) -> VirtualScene:
    """The scene under a camera that shows its largest piece so long, and sees it so obliquely."""
    points = np.array([(piece.x_mm, piece.y_mm) for piece in scene.pieces])
    middle = points[np.linalg.norm(points - np.median(points, axis=0), axis=1).argmin()]
    lens = Lens.from_field_of_view(SIZE, _FIELD_DEG)
    largest = max(_length(piece) for piece in scene.pieces)
    height = lens.focal_px[0] * largest / (long_px or LONG_PX[kind])
    if height < _NEAREST_MM:
        # Nobody holds a camera into the pieces: what shows larger was cut out of a larger photo.
        focal = lens.focal_px[0] * _NEAREST_MM / height
        lens, height = replace(lens, focal_px=(focal, focal)), _NEAREST_MM
    pose = Pose.above(height, tilt_deg=tilt_deg)
    return replace(scene, camera=Camera(lens, moved(pose, float(middle[0]), float(middle[1]))))


def _length(piece: Piece) -> float:
    look: Any = piece.look
    return float(look.length_mm if piece.kind == "domino" else look.size_mm)


def _darker(usual: Sensor, level: float) -> Sensor:
    """Less light on the sensor, and as much more noise as a camera's gain makes of it."""
    return replace(
        usual, exposure=usual.exposure * level, shot_noise=usual.shot_noise / level**0.5,
        read_noise=usual.read_noise / level,
    )  # fmt: skip


CURVES = {
    "size": Curve(
        "px long",
        {"domino": (20, 26, 32, 38, 45, 60, 90, 160, 320), "die": (8, 11, 14, 17, 20, 26, 36, 64, 128)},
        view=lambda scene, kind, value: over(scene, kind, value),
    ),
    "tilt": Curve(
        "degrees", both(0, 15, 25, 35, 45, 55, 65),
        view=lambda scene, kind, value: over(scene, kind, tilt_deg=value),
    ),
    "covered": Curve("share", both(0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.75), cover=True),
    "blur": Curve(
        "px sigma", both(0.5, 1, 1.5, 2, 3, 4, 6), sensor=lambda usual, value: replace(usual, blur_px=value)
    ),
    "motion": Curve(
        "px",
        both(0, 2, 4, 6, 9, 14),
        sensor=lambda usual, value: replace(usual, motion_px=(value, value / 3)),
    ),
    "light": Curve("share of good light", both(2.0, 1.0, 0.5, 0.25, 0.12, 0.06, 0.03), sensor=_darker),
    "jpeg": Curve(
        "quality", both(90, 60, 40, 25, 15, 10, 5),
        sensor=lambda usual, value: replace(usual, jpeg_quality=int(value)),
    ),
}  # fmt: skip


def scenes(first: int, kind: str, wanted: int) -> Iterator[VirtualScene]:
    """So many scenes from a seed on; those with few pieces are passed over."""
    every = (usual(seed, kind) for seed in count_up(first))
    return islice((scene for scene in every if len(scene.pieces) >= _FEWEST_PIECES), wanted)


def usual(seed: int, kind: str) -> VirtualScene:
    """Pieces on some table in some light, with nothing in the way and a good camera straight above."""
    scene = photograph(seed, KINDS[kind], SIZE)
    kept = [one for one in scene.pieces if one.kind == kind and one.face == "up" and not one.tilt_deg]
    camera = replace(Sensor(), exposure=scene.sensor.exposure, white_balance=scene.sensor.white_balance)
    # A tray is left out with all other things: pieces that lay in it lie on the table.
    low = tuple(replace(one, z_mm=0.0) for one in kept[:_MOST_PIECES])
    scene = replace(scene, pieces=low, sensor=camera)
    return over(scene, kind) if low else scene


def drawn(scene: VirtualScene) -> Drawn:
    """The light of a scene, and its pieces that are whole in the picture."""
    room, placed = room_of(scene), [place(piece) for piece in scene.pieces]
    drawing = draw(room, placed)
    facts = facts_of(room.view, scene.pieces, placed, drawing.bodies, metric=False)
    wide, high = SIZE
    inside = [
        one
        for one in targets(facts)
        if one.visible > 0.95 and (one.corners > 2).all() and (one.corners < (wide - 3, high - 3)).all()
    ]
    return drawing.total(), inside


def covered(light: Light, wanted: Sequence[Target], share: float, seed: int) -> Light:
    """A strip of paper over this share of each piece, from any of its sides."""
    out = light.copy()
    rng = stream(seed, "strips of paper")
    for want in wanted:
        a, b, c, d = np.roll(want.corners, int(rng.integers(4)), axis=0)
        beyond = 0.12
        strip = [a - beyond * (b - a + d - a), d + beyond * (d - a) - beyond * (c - d),
                 d + share * (c - d) + beyond * (d - a), a + share * (b - a) - beyond * (d - a)]  # fmt: skip
        if share:
            cv2.fillPoly(out, [np.round(strip).astype(np.int32)], _PAPER[::-1])
    return out


def outcomes(reading: Readout, wanted: Sequence[Target]) -> Counter[str]:
    """What became of each piece."""
    partner = pair(reading, list(wanted))
    count: Counter[str] = Counter()
    for k, want in enumerate(wanted):
        if k not in partner:
            count["missed"] += 1
            continue
        one = reading.pieces[partner[k]]
        count["asked" if not sure(one) else "right" if same(one, want) else "wrong"] += 1
    return count


def points(curve: Curve, kind: str, first: int, pictures: int) -> Iterator[tuple[float, Counter[str]]]:
    """Each value of a curve with what became of the pieces of all scenes."""
    counts: dict[float, Counter[str]] = {value: Counter() for value in curve.values[kind]}
    for scene in scenes(first, kind, pictures):
        still = None if curve.view else drawn(scene)
        for value, count in counts.items():
            light, wanted = still or drawn(curve.view(scene, kind, value) if curve.view else scene)
            if curve.cover:
                light = covered(light, wanted, value, scene.seed)
            camera = curve.sensor(scene.sensor, value) if curve.sensor else scene.sensor
            picture = sensor.expose(light, camera, stream(scene.seed, "sensor"))
            count += outcomes(read_picture(picture), wanted)
    yield from counts.items()


def told(name: str, kind: str, value: float, count: Counter[str]) -> dict[str, Any]:
    """A point as plain data."""
    n = sum(count.values())
    low, high = interval(count["right"], n) if n else (0.0, 1.0)
    return {"curve": name, "unit": CURVES[name].unit, "kind": kind, "value": value, "n": n,
            **{what: round(count[what] / n, 4) if n else None for what in OUTCOMES},
            "right_95": [round(low, 4), round(high, 4)]}  # fmt: skip


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print the curves."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--curve", nargs="+", choices=CURVES, default=list(CURVES))
    parser.add_argument("--kind", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--pictures", type=int, default=4, help="scenes a point (default 4)")
    parser.add_argument("--seed", type=int, default=SEED, help="of the first scene")
    parser.add_argument("--json", type=Path, help="also write the points there")
    asked = parser.parse_args(argv)
    cv2.setNumThreads(1)
    rows = []
    for name in asked.curve:
        for kind in asked.kind:
            print(f"\n{kind} against {name} ({CURVES[name].unit})")
            print(f"{'value':>8} {'n':>5} " + " ".join(f"{what:>7}" for what in OUTCOMES) + "  right, 95 %")
            for value, count in points(CURVES[name], kind, asked.seed, asked.pictures):
                row = told(name, kind, value, count)
                rows.append(row)
                shares = " ".join(f"{row[what]:7.1%}" if row["n"] else "      –" for what in OUTCOMES)
                print(f"{value:8g} {row['n']:5d} {shares}  {row['right_95']}", flush=True)
    if asked.json:
        asked.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
