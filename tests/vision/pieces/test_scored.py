"""How much is read right: floors on simulated pictures of fresh seeds, and on real photos where they are.

The floors stand well below what the networks reach (docs/accuracy.md), so that a few dozen pictures cannot
fall under them by chance; a network that was exported wrong, or a step that lost its place, does.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import cv2
import pytest

from simulation.picture import shoot
from simulation.random_scene import game_table, photograph
from simulation.virtual_scene import VirtualScene
from training.examples import targets
from training.measure_reading import Score, judge
from vision.photos.picture_reading import read_picture

REAL = Path(os.environ.get("PIPWATCH_DATA", "../shared/data"))
SCORER = REAL.parent / "tools" / "score_reading.py"

FLOORS = {
    "dominoes": (10, 0.78, 0.01),
    "dice": (5, 0.8, 0.02),
    "piecepack": (4, 0.42, 0.02),
}
"""Pictures, the least share that is right and sure, and the largest share that is wrong and sure.

To be raised with the networks: today they reach 103 of 120, 39 of 44 and 29 of 51 here, with none wrong and
sure.
"""
REAL_FLOORS = {"dominoes": ("domino", 0.97, 0.005), "dice": ("die", 0.82, 0.005)}
SEED = 730_000


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    cv2.setNumThreads(1)


def scored(scenes: list[VirtualScene]) -> Score:
    """What became of the pieces of these scenes."""
    score = Score()
    for number, scene in enumerate(scenes):
        shot = shoot(scene)
        judge(read_picture(shot.picture), targets(shot.facts), score, str(number))
    return score


def totals(score: Score) -> tuple[int, int, int]:
    """Pieces, right and sure, wrong and silent."""
    counts = [sum(c[word] for c in score.counts.values()) for word in ("right", "asked", "wrong", "missed")]
    return sum(counts), counts[0], counts[2]


@pytest.mark.parametrize("kind", FLOORS)
def test_photographs_of_fresh_seeds_are_read(kind: str) -> None:
    """The free way, on tables, in light and of makes that nobody learned from."""
    pictures, least, most_wrong = FLOORS[kind]
    score = scored([photograph(SEED + n, kind, (560, 420)) for n in range(pictures)])
    n, right, wrong = totals(score)
    assert n >= 4 * pictures
    assert right >= least * n, score.failures
    assert wrong <= most_wrong * n, score.failures


def test_a_game_table_is_read_the_mat_way() -> None:
    """With markers: millimetres are told, and most of a table of the Draw Game is right."""
    shot = shoot(game_table("draw-game", SEED, (1280, 720), 14))
    reading = read_picture(shot.picture)
    score = Score()
    judge(reading, targets(shot.facts), score, "draw-game")
    assert reading.table is not None
    assert len(reading.places) == len(reading.pieces)
    n, right, wrong = totals(score)
    assert n >= 8
    assert right >= 0.5 * n, score.failures
    assert wrong <= 0.1 * n, score.failures


@pytest.mark.long
@pytest.mark.skipif(not SCORER.exists(), reason="the real photos and their scorer are not here")
@pytest.mark.parametrize("folder", REAL_FLOORS)
def test_real_photos_are_read(folder: str, tmp_path: Path) -> None:
    """All photos of a folder through the command line, scored by the tool that comes with them."""
    kind, least, most_wrong = REAL_FLOORS[folder]
    images = sorted(str(path) for path in (REAL / folder / "images").iterdir())
    said = tmp_path / "said.jsonl"
    with said.open("w") as out:
        command = [sys.executable, "-m", "device", "read", "--json", *images]
        subprocess.run(command, stdout=out, check=True)
    labels = REAL / folder / "labels.json"
    scorer = [sys.executable, str(SCORER), str(labels), str(said), "--kind", kind, "--json"]
    done = subprocess.run(scorer, capture_output=True, text=True, check=True)
    figures = json.loads(done.stdout)["all"]
    assert figures["right"] >= least * figures["pieces"], figures
    assert figures["wrong_silent"] <= most_wrong * figures["pieces"], figures
