"""Whole games at sketched tables: with a reader that errs as it says, what is left is the chain itself."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from engine import GAMES
from simulation.makes import DOMINOES
from simulation.virtual_scene import Piece
from training.game_playing import Sitting, played
from training.sketch_reader import Misreading

TILE = Piece("3-5", "domino", DOMINOES["ivory"], 0.0, 0.0, value={"pips": [3, 5]})


def test_what_is_read_in_doubt_is_as_likely_as_it_is_said_to_be() -> None:
    """Of 2,000 tiles in doubt the likelier reading is right as often as it says, and stays the same."""
    misreading = Misreading(1, doubtful=1.0)
    said, right = list[float](), list[bool]()
    for k in range(2000):
        tile = replace(TILE, x_mm=float(k))
        ranked = misreading.of(tile, tile.value)
        assert ranked == misreading.of(tile, tile.value)
        said.append(ranked[0][1])
        right.append(ranked[0][0] == tile.value)
    assert abs(np.mean(said) - np.mean(right)) < 0.03
    assert Misreading(1).of(TILE, TILE.value)[0][0] == TILE.value


def test_a_game_that_is_read_without_fault_is_told_without_fault() -> None:
    """A match of the Draw Game by people who slip and touch: every move right, nothing typed but the lot."""
    line = played(Sitting("draw-game", 1, "sketch"))["line"]
    assert line["right"] == line["moves"] > 10
    assert line["finished"]
    assert line["scores_right"]
    assert line["winner_right"]
    assert line["touches"] == 0


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("doubtful", [0.0, 0.05])
def test_whole_games_at_sketched_tables(game: str, doubtful: float) -> None:
    """Nothing that is told is wrong and silent, and every game comes to its winner."""
    counts: Counter[str] = Counter()
    for seed in (1, 2):
        line = played(Sitting(game, seed, "sketch", doubtful=doubtful))["line"]
        assert line["finished"]
        assert line["winner_right"]
        counts.update({key: line[key] for key in ("moves", "right", "wrong_silent", "accusations")})
    assert counts["right"] >= (0.97 if not doubtful else 0.85) * counts["moves"], counts
    if not doubtful:
        assert not counts["wrong_silent"], counts
        assert not counts["accusations"], counts
