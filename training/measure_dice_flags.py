"""How often dice that lean, stand on others or touch are asked for, and how often good dice are.

    python -m training.measure_dice_flags --scenes 16 --seed 1

Each scene has nine dice of one make: five that lie well apart, one that leans by 12 to 45 degrees, one that
stands on another, and two that touch.
"""

import argparse
import json
from collections import Counter, defaultdict
from typing import Any

import cv2
import numpy as np

from simulation.picture import shoot
from simulation.random_light import balanced, random_light, random_sensor, random_surface
from simulation.random_looks import random_die
from simulation.random_scene import aimed
from simulation.virtual_scene import Piece, VirtualScene, stream
from vision.photos.picture_reading import read_picture
from vision.pieces.sureness import sure

SIZE = (800, 600)


def dice(seed: int) -> list[Piece]:
    """The dice of a scene, named after what is wrong with them."""
    rng = stream(seed, "flagged dice")
    look = random_die(rng)
    side = look.size_mm
    out = []

    def add(name: str, x: float, y: float, **more: Any) -> None:
        value: dict[str, Any] = {
            "set": "pips",
            "suit": None,
            "face": str(int(rng.integers(1, 7))),
            "crosses": None,
        }
        turn = more.pop("angle", float(rng.uniform(0, 360)))
        out.append(Piece(f"{name} {len(out)}", "die", look, x * side, y * side, turn, value=value,
                         wear_seed=int(rng.integers(1 << 20)), **more))  # fmt: skip

    for k in range(5):
        add("well", 2.6 * (k % 3), 2.6 * (k // 3))
    add("leaning", 5.2, 2.6, tilt_deg=float(rng.uniform(12, 45)))
    add("below", 0, 5.2, angle=0.0)
    add("stacked", float(rng.normal(0, 0.1)), 5.2 + float(rng.normal(0, 0.1)), z_mm=side)
    turn = float(rng.uniform(0, 90))
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    add("touching", 3.9, 5.4, angle=turn)
    add("touching", 3.9 + 1.01 * float(c), 5.4 + 1.01 * float(s), angle=turn)
    return out


def main() -> int:
    """Draw, read, and print what became of the dice."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--scenes", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for seed in range(asked.seed, asked.seed + asked.scenes):
        for name, what in outcomes(seed):
            counts[name][what] += 1
    for name, each in counts.items():
        print(json.dumps({name: {"n": sum(each.values()), **each}}))
    return 0


def outcomes(seed: int) -> list[tuple[str, str]]:
    """What is wrong with each die of a scene, and what was said of it."""
    laid = dice(seed)
    camera = aimed(stream(seed, "camera"), laid, SIZE)
    lamps, surroundings = random_light(stream(seed, "light"))
    sensor, surface = random_sensor(stream(seed, "sensor"), poor=0.0), random_surface(stream(seed, "surface"))
    scene = VirtualScene(tuple(laid), surface, lamps, camera, surroundings, sensor, seed, metric=False)
    shot = shoot(balanced(stream(seed, "automatic"), scene))
    read = [one for one in read_picture(shot.picture).pieces if one.kind == "die"]
    out = []
    for fact in shot.facts:
        if fact["visible"] < 0.5:
            continue
        away = [float(np.linalg.norm(one.middle - fact["centre_px"])) for one in read]
        k = int(np.argmin(away)) if away else -1
        if k < 0 or away[k] > 0.5 * read[k].length:
            out.append((fact["name"].split()[0], "missed"))
            continue
        right = (read[k].value or {}).get("face") == fact["value"]["face"]
        said = (
            "said not to lie flat"
            if not read[k].flat
            else "asked"
            if not sure(read[k])
            else "right"
            if right
            else "wrong"
        )
        out.append((fact["name"].split()[0], said))
    return out


if __name__ == "__main__":
    raise SystemExit(main())
