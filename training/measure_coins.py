"""How turned coins are read on the board of Dominoids: `python -m training.measure_coins --tables 10`.

Each seed is a table of its own. A few coins lie value up on squares drawn by lot, among pawns and dominoes,
and the table is read as a live one. Told are, for each value, how many are right, doubted, wrong and missed.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import cv2

from calibration.profiles import UNKNOWN_CAMERA
from device.live.mat_reader import MatReader
from device.live.ports import Seen
from engine import rulebook
from engine.dominoids.board import SQUARES
from engine.matching.guide import near
from engine.plain import JsonObject
from engine.scene import Sighting
from engine.squares import Square
from simulation.live_table import Conditions, LiveTable
from simulation.makes import ORDINARY
from vision.view import TableView

GAME = "dominoids"
SUITS = ("suns", "moons", "crowns", "arms")
VALUES = range(6)
SURE = 0.8
"""A coin that is read right with less than this is doubted here."""
_HERE = 0.5
"""So near its square, in squares, a coin is the one that lies there."""
KINDS = ("right", "doubted", "wrong", "missed")


@dataclass(frozen=True)
class CoinTurned:
    """A coin that was turned."""

    square: Square
    value: int


def scattered(rng: random.Random) -> tuple[JsonObject, tuple[CoinTurned, ...]]:
    """A set-up with coins of random values, beside four pawns, on squares of the left six columns."""
    free = [square for square in SQUARES if square.x <= 6]
    rng.shuffle(free)
    coins = tuple(CoinTurned(square, rng.choice(VALUES)) for square in free[: len(SUITS)])
    setup: JsonObject = {
        "dominoes": {"1-2": ["g1", "h1"], "3-3": ["g4", "h4"], "4-5": ["g7", "h7"]},
        "pawns": {suit: str(free[len(SUITS) + k]) for k, suit in enumerate(SUITS)},
        "coins": [
            {"square": str(coin.square), "suit": suit, "value": coin.value}
            for suit, coin in zip(SUITS, coins, strict=True)
        ],
        "dice": {"suns": "ace", "moons": "2", "crowns": "2", "arms": "5"},
    }
    return setup, coins


def kind_of(coin: CoinTurned, seen: Seen) -> str:
    """What became of a coin."""
    here = [
        one
        for one in seen.scene.sightings
        if one.region == "board" and one.kind != "tile" and near(one, coin.square.x, coin.square.y, _HERE)
    ]
    right = max((one.presence * _share(one, coin.value) for one in here), default=0.0)
    if not here:
        return "missed"
    return "right" if right >= SURE else "doubted" if right >= 1 - SURE else "wrong"


def _share(one: Sighting, value: int) -> float:
    """How likely this shows the value, if it is a coin."""
    shown = (guess.probability for guess in one.guesses if (guess.value or {}).get("value") == value)
    return sum(shown) if one.kind == "coin" else 0.0


def looks(seed: int, each: int, conditions: Conditions) -> Iterator[tuple[int, str]]:
    """The value of each coin of one table, which is set up so many times, and what became of it."""
    rng, reader, book = random.Random(seed), MatReader(GAME, UNKNOWN_CAMERA), rulebook(GAME)
    for number in range(each):
        setup, coins = scattered(rng)
        table = LiveTable(GAME, seed, book.layout(book.start(setup)), conditions)
        table.next()
        shot = table.next()
        assert shot is not None  # the camera of a table without trouble
        reader.steady(shot.picture, float(number))
        seen = reader.read(TableView(shot.picture, at_s=float(number), view=number + 1))
        if isinstance(seen, Seen):
            yield from ((coin.value, kind_of(coin, seen)) for coin in coins)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, and print a line for each value, then all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tables", type=int, default=10, help="how many tables, each with a look of its own")
    parser.add_argument("--first", type=int, default=1, help="the seed of the first")
    parser.add_argument("--each", type=int, default=5, help="how often each is set up")
    parser.add_argument("--any-look", action="store_true", help="pieces of any make, not ordinary ones")
    asked = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    conditions = Conditions() if asked.any_look else Conditions(look=ORDINARY)
    tally: Counter[tuple[int, str]] = Counter()
    for seed in range(asked.first, asked.first + asked.tables):
        tally.update(looks(seed, asked.each, conditions))
        print(f"table {seed}: {sum(tally.values())} coins so far", file=sys.stderr, flush=True)
    for value in VALUES:
        row = {kind: tally[value, kind] for kind in KINDS}
        print(json.dumps({"value": value, "n": sum(row.values()), **row}))
    total = {kind: sum(tally[value, kind] for value in VALUES) for kind in KINDS}
    print(json.dumps({"value": "all", "n": sum(total.values()), **total}))


if __name__ == "__main__":
    main()
