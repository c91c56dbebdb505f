"""How the Duel's maps are read while they are drawn on: `python -m training.measure_maps --tables 20`.

Each seed is a table of its own: paper, print, pen, cloth, light. A whole game is drawn there without anybody
at fault, and whenever something was drawn both maps are read as on a live table, where what was agreed before
is known. Every square is counted: right, right though doubted, wrong though doubted, and wrong for sure.
"""

import argparse
import json
import math
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.marker_side import MARKER_MM
from calibration.plan import plan_of
from calibration.profiles import UNKNOWN_CAMERA
from engine.layout import Layout, Spot
from engine.plain import Json, items, obj
from simulation.live_table import Conditions, LiveTable
from simulation.strategy import decide
from simulation.whole_game import WholeGame
from vision.pieces.mat import table_in
from vision.sheet_scene import REGIONS, SheetWatch, empty_squares, squares_of

GAME = "kingdomino-duel"
SURE = 0.9
"""A square that is less likely than this to be what it seems is doubted here."""
_LEAST = 1e-6
_STILL_S = 1.0
_FRAMES = 4
"""So many frames of a still table are made one, as the gate does."""
KINDS = ("right", "right, doubted", "wrong, doubted", "wrong for sure")


@dataclass(frozen=True)
class Still:
    """A table at rest: its picture, and what is drawn on each map."""

    picture: "cv2.typing.MatLike"
    maps: Mapping[str, Spot]


def stills(seed: int, conditions: Conditions) -> Iterator[Still]:
    """The tables of a whole game, one each time something was drawn, and the bare maps first."""
    game = WholeGame.begin(GAME, seed=seed, mind=decide)
    table = LiveTable(GAME, seed, game.layout, conditions)
    yield _still(table, game)
    count = 0
    while (deed := game.next()) is not None:
        count += 1
        drawn = _maps(game)
        if deed.visible:
            table.do(deed.event, str(count))
        game.do(deed)
        if _maps(game) != drawn:
            yield _still(table, game)


def _still(table: LiveTable, game: WholeGame) -> Still:
    table.now = max(table.now, table.free_at) + _STILL_S
    frames = [shot.picture for shot in (table.next() for _ in range(_FRAMES)) if shot is not None]
    return Still(np.mean(frames, axis=0).round().astype(np.uint8), _maps(game))


def _maps(game: WholeGame) -> Mapping[str, Spot]:
    return {spot.region: spot for spot in game.layout.spots if spot.region in REGIONS}


def counted(seed: int, conditions: Conditions, most: int) -> tuple[Counter[str], list[float]]:
    """How the squares of one table's maps are read, and the log of how likely each was said to be right."""
    plan, counts, logs = plan_of(GAME), Counter[str](), list[float]()
    watch, table = SheetWatch(plan), None
    for number, still in enumerate(stills(seed, conditions)):
        if number >= most:
            break
        if table is None:
            height, width = still.picture.shape[:2]
            table = table_in(still.picture, UNKNOWN_CAMERA.knowledge((width, height)), MARKER_MM)
            if table is None:
                counts["no table"] += 1
                return counts, logs
        maps = watch.read(still.picture, table)
        watch.agreed(maps, empty_squares(Layout(tuple(still.maps.values()))))
        seen = {one.region: one for one in maps}
        for region, spot in still.maps.items():
            if region not in seen:
                counts["map not found"] += 1
                continue
            pairs = list(_pairs(spot, seen[region].sighting().value))
            counts.update(_square(*pair) for pair in pairs)
            logs += [math.log(max(_LEAST, _chance(*pair))) for pair in pairs]
    return counts, logs


def _pairs(spot: Spot, found: Json) -> Iterator[tuple[Json, Json]]:
    for wanted, read in zip(
        squares_of(obj(spot.value, "a map")), squares_of(obj(found, "a map")), strict=True
    ):
        if read is not None:  # the castle's
            yield wanted, read


def _chance(wanted: Json, read: Json) -> float:
    """How likely the square is said to be what it is."""
    told = obj(read, "a square")
    ways = [told, *(obj(way, "a way") for way in items(told["alternatives"], "ways"))]
    return sum(float(str(way["confidence"])) for way in ways if _is(wanted, way))


def _is(wanted: Json, way: Mapping[str, Json]) -> bool:
    if wanted is None:
        return way["coat"] is None
    mark = obj(wanted, "a mark")
    return (way["coat"], way["crosses"]) == (mark["coat"], mark["crosses"])


def _square(wanted: Json, read: Json) -> str:
    told = obj(read, "a square")
    is_right = _is(wanted, told)
    sure = float(str(told["confidence"])) >= SURE
    return KINDS[(0 if is_right else 3) if sure else (1 if is_right else 2)]


def main(argv: Sequence[str] | None = None) -> int:
    """Draw, read, count and tell."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--tables", type=int, default=20, help="how many tables (20)")
    p.add_argument("--first", type=int, default=1, metavar="SEED", help="the first seed (1)")
    p.add_argument("--most", type=int, default=8, help="so many looks at each table at most (8)")
    p.add_argument("--json", action="store_true", help="one JSON object a table")
    asked = p.parse_args(argv)
    cv2.setNumThreads(1)
    total, all_logs = Counter[str](), list[float]()
    for seed in range(asked.first, asked.first + asked.tables):
        counts, logs = counted(seed, Conditions(), asked.most)
        total += counts
        all_logs += logs
        told = {"seed": seed, **counts, "loss": round(-float(np.mean(logs)), 4) if logs else None}
        print(json.dumps(told) if asked.json else told, flush=True)
    n = sum(total[kind] for kind in KINDS)
    for kind in (*KINDS, "map not found", "no table"):
        print(f"{kind:16} {total[kind]:6} of {n}", file=sys.stderr)
    if all_logs:
        print(f"loss a square (nats) {-float(np.mean(all_logs)):.4f}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
