"""The measure of turned coins: what is told of a coin, and one small run."""

import json
import random
from collections.abc import Mapping

import pytest

from device.live.ports import Seen
from engine.plain import Json
from engine.scene import Guess, Scene, Sighting
from engine.squares import Square
from training.measure_coins import KINDS, CoinTurned, kind_of, main, scattered

COIN = CoinTurned(Square(3, 6), 1)


def seen(*sightings: Sighting) -> Seen:
    """A table on which this was seen."""
    return Seen(Scene(sightings), ())


def coin(value: Mapping[str, Json], p: float, x: float = 3.1, presence: float = 1.0) -> Sighting:
    """A coin that reads so."""
    return Sighting("coin", "board", x, 6.0, guesses=(Guess(value, p),), presence=presence)


@pytest.mark.parametrize(
    ("sightings", "kind"),
    [
        ((coin({"suit": None, "value": 1}, 0.99),), "right"),
        ((coin({"suit": None, "value": 1}, 0.6),), "doubted"),
        ((coin({"suit": None, "value": 1}, 0.99, presence=0.7),), "doubted"),
        ((coin({"suit": "moons", "value": None}, 0.95),), "wrong"),
        ((coin({"suit": None, "value": 1}, 0.99, x=4.0),), "missed"),
        ((), "missed"),
    ],
)
def test_each_coin_ends_as_one_of_four(sightings: tuple[Sighting, ...], kind: str) -> None:
    """Right only where it is sure, missed only where nothing was seen on its square."""
    assert kind_of(COIN, seen(*sightings)) == kind


def test_coins_lie_apart_from_all_else() -> None:
    """No two pieces on one square, whatever the lot says."""
    for seed in range(50):
        setup, coins = scattered(random.Random(seed))
        dominoes = [square for pair in setup["dominoes"].values() for square in pair]  # type: ignore[union-attr]
        lie = [*dominoes, *setup["pawns"].values(), *(str(one.square) for one in coins)]  # type: ignore[union-attr]
        assert len({*lie}) == len(lie) == 14


def test_one_table_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    """A line for each value, which add up to the coins that lay there; most of them are right."""
    main(["--tables", "1", "--each", "1", "--first", "3"])
    *rows, last = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert last["n"] == 4 == sum(row["n"] for row in rows)
    assert last["n"] == sum(last[kind] for kind in KINDS)
    assert last["right"] >= 2
