"""How many coins lie on each other, as told by the sides of piles on simulated tables, against the truth.

    python -m training.measure_stacks --tables 14 --seed 900

Each table has five coins that lie alone and piles of two to six. What is told is counted by how far from
straight above a pile is seen: its tilt.
"""

import argparse
import json
import math
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from benchmarks.wilson import interval
from simulation.coin_piles import pile_table
from simulation.picture import shoot
from simulation.truth import Facts
from vision.photos.picture_reading import read_picture
from vision.photos.stacks import ALONE, PILED, Stack

SIZES = ((960, 540), (1280, 720), (1280, 960), (1600, 900), (1920, 1080))
TILTS = (0, 10, 15, 20, 25, 90)


@dataclass(frozen=True)
class SeenStack:
    """A pile or a coin alone: its coins, how aslant it is seen, whether it was found, and what was told."""

    coins: int
    tilt_deg: float
    found: bool
    told: Stack | None
    off_mm: float | None = None
    """How far the coin on top was told from its place."""


def piles(seed: int, size_px: tuple[int, int]) -> Iterator[SeenStack]:
    """The piles of one table and what is told of them."""
    scene = pile_table(seed, size_px)
    shot = shoot(scene)
    reading = read_picture(shot.picture)
    coins = [k for k, one in enumerate(reading.pieces) if one.kind == "coin"]
    eye = scene.camera.pose.eye_mm
    for top in tops(shot.facts):
        near = [k for k in coins if _is_at(reading.pieces[k].middle, top)]
        away = math.dist(top["centre_mm"], eye[:2])
        tilt = math.degrees(math.atan2(away, eye[2] - top["top_mm"]))
        told = reading.stacks[near[0]] if near and reading.stacks else None
        place = reading.places[near[0]] if near and reading.places else None
        off = None if place is None else math.dist((place.x_mm, place.y_mm), top["centre_mm"])
        yield SeenStack(top["stack"], tilt, bool(near), told, off)


def tops(facts: list[Facts]) -> list[Facts]:
    """The uppermost coin of each pile."""
    highest: dict[str, Facts] = {}
    for fact in facts:
        if fact["kind"] == "coin":
            pile = fact["name"].split(" coin ")[0]
            highest[pile] = max(highest.get(pile, fact), fact, key=lambda one: int(one["stack"]))
    return list(highest.values())


def _is_at(middle: Any, top: Facts) -> bool:
    reach = 0.25 * math.dist(top["square_px"][0], top["square_px"][2]) / math.sqrt(2)
    return math.dist(middle, top["centre_px"]) < reach


def line(seen: list[SeenStack]) -> dict[str, Any]:
    """The figures of some piles."""
    told = [(one.coins, one.told) for one in seen if one.told is not None]
    piled = [n > 1 for n, stack in told if stack.several >= PILED]
    alone = [n == 1 for n, stack in told if stack.several <= ALONE]
    return {
        "n": len(seen),
        "piles": sum(one.coins > 1 for one in seen),
        "found": sum(one.found for one in seen),
        "told": len(told),
        "exact": sum(n == stack.coins for n, stack in told),
        "one off": sum(abs(n - stack.coins) == 1 for n, stack in told),
        "confidence": round(float(np.mean([stack.confidence for _, stack in told] or [0])), 3),
        "off mm": _median([one.off_mm for one in seen if one.told and one.told.several >= PILED]),
        "called piled": _right(piled),
        "called alone": _right(alone),
    }


def _median(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return round(float(np.median(known)), 2) if known else None


def _right(calls: list[bool]) -> dict[str, Any]:
    low, high = interval(sum(calls), len(calls))
    return {"n": len(calls), "right": sum(calls), "95 %": [round(low, 3), round(high, 3)]}


def main() -> int:
    """Draw tables, read them and print the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=14)
    parser.add_argument("--seed", type=int, default=900)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    by_tilt: dict[str, list[SeenStack]] = defaultdict(list)
    for seed in range(asked.seed, asked.seed + asked.tables):
        for one in piles(seed, SIZES[seed % len(SIZES)]):
            low = max(tilt for tilt in TILTS if tilt <= one.tilt_deg)
            by_tilt[f"from {low} degrees"].append(one)
    for name in sorted(by_tilt):
        print(json.dumps({name: line(by_tilt[name])}))
    print(json.dumps({"all": line([one for each in by_tilt.values() for one in each])}))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
