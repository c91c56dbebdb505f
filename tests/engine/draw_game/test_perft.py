"""The rule book counts the same continuations as the second generator, written from the document."""

from typing import Any

import pytest

from engine import rulebook
from engine.draw_game.book import DrawGame
from engine.draw_game.model import Deal, Drawn, DrawState
from engine.draw_game.notation import read_tile
from engine.plain import JsonObject
from tests.oracles import draw_game as oracle
from tests.oracles.tables import read_table

POSITIONS = oracle.positions()
COUNTS = read_table("draw-game")


def turned(tile: str) -> str:
    """The tile read from its other half."""
    return f"{tile[2]}-{tile[0]}"


def low_first(tile: str) -> str:
    """The tile as the rule book writes it."""
    return tile if tile[0] <= tile[2] else turned(tile)


def board(position: dict[str, Any]) -> JsonObject | None:
    """The oracle's line as the board of a set-up: it starts at a tile whose low half lies to the west."""
    line = list(position["line"])
    if not line:
        return None
    if all(tile[0] > tile[2] for tile in line):  # then nothing tells west from east: no double lies there
        line = [turned(tile) for tile in reversed(line)]
    spinner = position["spinner"]
    root = line.index(spinner) if spinner else next(i for i, tile in enumerate(line) if tile[0] <= tile[2])
    return {
        "first": line[root],
        "west": [low_first(tile) for tile in reversed(line[:root])],
        "east": [low_first(tile) for tile in line[root + 1 :]],
        "north": [low_first(tile) for tile in position["N"]],
        "south": [low_first(tile) for tile in position["S"]],
        "spinner": spinner,
    }


def setup(position: dict[str, Any]) -> JsonObject:
    """An oracle's position as a set-up."""
    match: JsonObject = {
        "down": position["down"] + 1,
        "scores": position["scores"],
        "before": position["before"],
    }
    if position["phase"] == "deal":
        return match
    return match | {
        "hands": position["hands"],
        "board": board(position),
        "turn": position["turn"] + 1,
        "played": position["played"],
        "drawn": [
            [] if has_played else [tile for tile in held if tile not in dealt]
            for held, dealt, has_played in zip(
                position["hands"], position["dealt"], position["played"], strict=True
            )
        ],
        "passed": position["passes"] > 0,
        "drawing": position["phase"] == "drawn",
    }


def perft(book: DrawGame, state: DrawState, deals: list[Any], n: int) -> int:
    """How many different sequences of ``n`` steps there are."""
    after: list[DrawState]
    if book.pending(state) == "deal":
        facts = [Deal((_tiles(first), _tiles(second))) for first, second in deals]
        after = [book.observe(state, fact) for fact in facts]
    elif book.pending(state):
        seen = [fact for fact in book.possible_facts(state) if fact != Drawn(None)]
        after = [book.observe(state, fact) for fact in seen]
    else:
        after = [book.play(state, move) for move in book.legal_moves(state)]
    return len(after) if n == 1 else sum(perft(book, one, deals, n - 1) for one in after)


def _tiles(names: list[str]) -> Any:
    return tuple(read_tile(name) for name in names)


@pytest.mark.parametrize("name", POSITIONS)
def test_perft_agrees_with_the_second_generator(name: str) -> None:
    """From every position of the table the rule book finds as many continuations as the oracle did."""
    position = POSITIONS[name]
    book = rulebook("draw-game", f"default+hand={position['hand_size']}+target={position['target']}")
    assert isinstance(book, DrawGame)
    state = book.start(setup=setup(position))
    counted = {n: perft(book, state, position["deals"], n) for n in COUNTS[name]}
    assert counted == COUNTS[name]
