"""At which size pictures of a table are best read: `python -m training.measure_large --tables 10`.

Positions of random games are drawn as a camera's large picture shows them, several times with noise of their
own. They are made as small as is to be tried (``WIDTHS``), voted as the gate votes frames (``/5``) or taken
alone (``/1``), and read the mat way. The table is found in the picture that is watched, and its millimetres
are carried over to the others, as in a match.
"""

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from multiprocessing import Pool
from typing import Any

import cv2
import numpy as np

from engine import GAMES
from simulation import sensor
from simulation.bodies import place
from simulation.picture import room_of
from simulation.random_scene import game_table
from simulation.render import draw
from simulation.truth import facts_of
from simulation.virtual_scene import stream
from training.examples import Target, targets
from training.measure_reading import Score, judge, told
from vision.photos.picture_reading import read_picture
from vision.pieces.mat import table_in
from vision.pieces.patches import Picture
from vision.view.vote import VOTERS, median

WATCHED = 1280
WIDTHS = {"640/5": (640, 5), "960/5": (960, 5), "1280/5": (1280, 5), "1280/1": (1280, 1), "1600/1": (1600, 1),
          "1920/1": (1920, 1)}  # fmt: skip


@dataclass(frozen=True)
class LargeJob:
    """One table."""

    game: str
    seed: int
    size: tuple[int, int]


def shrunk(picture: Picture, wide: int) -> Picture:
    """The same picture at another width."""
    size = (wide, round(wide * picture.shape[0] / picture.shape[1]))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def moved(one: Target, share: float) -> Target:
    """A piece in a picture of another size."""
    return replace(one, corners=(one.corners + 0.5) * share - 0.5)


def work(job: LargeJob) -> tuple[LargeJob, dict[str, tuple[Score, float]]] | None:
    """Read one table at each size; None where its markers are not seen in the picture that is watched."""
    cv2.setNumThreads(1)
    scene = game_table(job.game, job.seed, job.size)
    room, placed = room_of(scene), [place(piece) for piece in scene.pieces]
    drawing = draw(room, placed)
    light = drawing.total()
    taken = [sensor.expose(light, scene.sensor, stream(job.seed, "sensor", str(k))) for k in range(VOTERS)]
    facts = facts_of(room.view, scene.pieces, placed, drawing.bodies, metric=scene.metric)
    table, wanted = table_in(median([shrunk(one, WATCHED) for one in taken])), targets(facts)
    if table is None:
        return None
    found = {}
    for name, (wide, votes) in WIDTHS.items():
        picture = median([shrunk(one, wide) for one in taken[:votes]])
        began, score = time.process_time(), Score()
        reading = read_picture(picture, None, table.in_pictures_of((picture.shape[1], picture.shape[0])))
        seconds = time.process_time() - began
        share = wide / job.size[0]
        judge(reading, [moved(one, share) for one in wanted], score, f"{job.game} {job.seed} {name}")
        found[name] = score, seconds
    return job, found


def joined(scores: Sequence[Score]) -> Score:
    """All counts in one."""
    whole = Score()
    for one in scores:
        for kind, counts in one.counts.items():
            whole.counts[kind] += counts
        whole.beliefs += one.beliefs
        whole.pictures += one.pictures
        whole.perfect += one.perfect
        whole.failures += one.failures
    return whole


def main() -> int:
    """Print a line for each size, of each game and of all."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=10, help="of each game")
    parser.add_argument("--wide", type=int, default=1920, help="width of the large picture, shape 4:3")
    parser.add_argument("--seed", type=int, default=88_000)
    parser.add_argument("--workers", type=int, default=1)
    asked = parser.parse_args()
    size = (asked.wide, asked.wide * 3 // 4)
    jobs = [LargeJob(game, asked.seed + k, size) for k in range(asked.tables) for game in GAMES]
    with Pool(asked.workers) as pool:
        done = []
        for one in pool.imap_unordered(work, jobs):
            done += [one] if one is not None else []
            print(f"{len(done)} of {len(jobs)}", file=sys.stderr, flush=True)
    for game in (*GAMES, None):
        here = [found for job, found in done if game in (None, job.game)]
        for name in WIDTHS if here else ():
            score = joined([found[name][0] for found in here])
            line: dict[str, Any] = {"game": game or "all", "size": name, "tables": len(here)}
            line |= {"perfect": score.perfect, **told(score)["all"]}
            line["seconds"] = round(float(np.median([found[name][1] for found in here])), 2)
            print(json.dumps(line, ensure_ascii=False), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
