"""How well learned looks name pieces: enrolled from one simulated photo, read in another of the same make.

    python -m training.measure_looks --makes 20 --seed 1 --out OUT/looks

Each make is new to the networks. The second photo has another table, light, camera and places. Patches are
cut where a reader would see the pieces, a few per cent off. Photos that lie in OUT are not drawn again.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.soldier_marks import TYPES
from simulation.faces import SUIT_ORDER
from simulation.picture import shoot
from simulation.random_light import balanced, random_light, random_sensor, random_surface
from simulation.random_looks import Rng, random_piecepack, random_soldiers
from simulation.random_scene import aimed
from simulation.virtual_scene import Piece, VirtualScene, stream
from vision.pieces import looks
from vision.pieces.patches import Picture, rectangle

SIZE = (640, 480)
OFF = 0.04
KINDS = ("coin", "pawn", "soldier")


def pieces(kind: str, seed: int, photo: int) -> list[Piece]:
    """One piece of each name, or two in the second photo, in rows with any turn."""
    rng, make = stream(seed, "learned", kind, str(photo)), stream(seed, "make", kind)
    look: Any = random_soldiers(make, False) if kind == "soldier" else random_piecepack(make)
    names = list(TYPES if kind == "soldier" else SUIT_ORDER) * (1 + photo)
    found = []
    for k, n in enumerate(rng.permutation(len(names))):
        name = names[int(n)]
        x, y = 36.0 * (k % 4), 36.0 * (k // 4)
        value: dict[str, Any] = {"suit": name}
        if kind == "coin":
            value["value"] = 2
        if kind == "soldier":
            value = {"army": "mine", "type": name}
        face = "down" if kind == "coin" else "up"
        turn = float(rng.uniform(0, 360))
        one = Piece(f"{name} {k}", kind, look, x + float(rng.normal(0, 2)), y + float(rng.normal(0, 2)), turn,
                    face=face, value=value, owner=0, wear_seed=int(rng.integers(1 << 20)))  # fmt: skip
        found.append(one)
    return found


def photo(kind: str, seed: int, number: int) -> tuple[Picture, list[dict[str, Any]]]:
    """A photo of a make, and the truth."""
    name = f"{kind} {number}"
    laid = pieces(kind, seed, number)
    camera = aimed(stream(seed, "camera", name), laid, SIZE)
    lamps, surroundings = random_light(stream(seed, "light", name))
    sensor = random_sensor(stream(seed, "sensor", name), poor=0.1)
    surface = random_surface(stream(seed, "surface", name))
    scene = VirtualScene(
        tuple(laid), surface, lamps, camera, surroundings, sensor, seed + number, metric=False
    )
    shot = shoot(balanced(stream(seed, "automatic", name), scene))
    return shot.picture, shot.facts


def patches(kind: str, seed: int, number: int, out: Path) -> Iterator[tuple[Picture, str]]:
    """The pieces of a photo as a reader would cut them, each with its name."""
    path = out / f"{kind}-{seed}-{number}.npz"
    if not path.exists():
        picture, facts = photo(kind, seed, number)
        np.savez(path, picture=picture, facts=np.array(json.dumps(facts)))
    with np.load(path) as kept:
        picture, facts = kept["picture"], json.loads(str(kept["facts"]))
    rng: Rng = stream(seed, "off", kind, str(number))
    for fact in facts:
        if fact["visible"] < 0.9:
            continue
        square = np.array(fact["corners_px"] or fact["square_px"], dtype=float)
        side = float(np.mean(np.linalg.norm(square - np.roll(square, 1, axis=0), axis=1)))
        x, y = (float(v) for v in square.mean(axis=0) + rng.normal(0, OFF * side, 2))
        value = fact["value"]
        seen = rectangle(x, y, side * float(np.exp(rng.normal(0, OFF))), side, float(rng.uniform(0, 360)))
        yield looks.cut_out(picture, seen), str(value.get("type") or value.get("suit"))


def main() -> int:
    """Draw, enrol, name, and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--makes", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, required=True)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for kind in KINDS:
        print(json.dumps({kind: figures(kind, range(asked.seed, asked.seed + asked.makes), asked.out)}))
    return 0


def figures(kind: str, seeds: range, out: Path) -> dict[str, Any]:
    """How many pieces of the second photos were named rightly, and how often surely and wrongly."""
    beliefs = []
    for seed in seeds:
        known = looks.learned(kind, patches(kind, seed, 0, out))
        for patch, name in patches(kind, seed, 1, out):
            ranked = looks.named(patch, known)
            beliefs.append((ranked[0][0] == name, ranked[0][1]))
    right, belief = (np.array([one[k] for one in beliefs], dtype=float) for k in (0, 1))
    sure = belief >= 0.985
    return {
        "n": len(right),
        "right": round(float(right.mean()), 4),
        "belief": round(float(belief.mean()), 4),
        "sure": round(float(sure.mean()), 4),
        "sure and wrong": int((sure & (right == 0)).sum()),
    }


if __name__ == "__main__":
    raise SystemExit(main())
