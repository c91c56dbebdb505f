"""The engine lists the same continuations as the slow second generator, position by position."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from engine.dominoes_of_war import DominoesOfWar
from engine.dominoes_of_war.model import Draw, Flipped, Stock, WarFact, WarMove, WarState
from engine.dominoes_of_war.places import name as place_name
from engine.profile import Profile
from tests.oracles import dominoes_of_war as oracle

TABLE = Path(__file__).parents[2] / "perft" / "dominoes-of-war.txt"
PHASES = {"action": "act", "flip": "tile"}


def from_oracle(position: dict) -> WarState:
    """The engine's state for a position of the second generator."""
    own = [
        square
        for square, troop in position["troops"].items()
        if (troop["player"], troop["type"]) == (position["player"], "sniper")
    ]
    faced = [square for square in own if position["phase"] == "face" and square not in position["to_face"]]
    return DominoesOfWar.read_state(
        {
            "game": "dominoes-of-war",
            "version": 1,
            "phase": PHASES.get(position["phase"], position["phase"]),
            "turn": position["player"] + 1,
            "starter": 1,
            "armies": position["armies"],
            "bases": position["bases"],
            "walls": ["/".join(wall) for wall in position["walls"]],
            "troops": [
                {
                    "at": square,
                    "side": troop["player"] + 1,
                    "kind": troop["type"],
                    "facing": troop["facing"] or "",
                    "acted": troop["acted"],
                }
                for square, troop in position["troops"].items()
            ],
            "pools": position["pools"],
            "discarded": [dict.fromkeys(pool, 0) for pool in position["pools"]],
            "field": {square: f"{low}-{high}" for square, (low, high) in position["face_up"].items()},
            "mines": [f"{low}-{high}" for low, high in position["discard"]],
            "spare": position["spares"],
            "rubble": 0,
            "actions": 3 - position["actions"],
            "extra": 0,
            "focus": position["landed"],
            "faced": faced,
            "bonus": position["bonus"] or 0,
            "walk": None,
            "offered": False,
            "ended": "",
        }
    )


class Counter:
    """Counts continuations; the same state is counted once."""

    def __init__(self, book: DominoesOfWar) -> None:
        self.book = book
        self.known: dict[tuple[WarState, int], int] = {}

    def count(self, state: WarState, steps: int) -> int:
        """How many different sequences of exactly so many steps follow."""
        facts, moves = self.choices(state)
        if steps == 1:
            return len(facts) + len(moves)
        if (state, steps) not in self.known:
            after = [*(self.book.observe(state, fact) for fact in facts)]
            after += [self.book.apply(state, move) for move in moves]
            self.known[state, steps] = sum(self.count(next_state, steps - 1) for next_state in after)
        return self.known[state, steps]

    def choices(self, state: WarState) -> tuple[list[WarFact], list[WarMove]]:
        """The facts and the moves that may come next, each step that the second generator knows once."""
        facts = one_of_each_class(self.book.possible_facts(state)) if self.book.pending(state) else []
        # The second generator stocks openly, and an agreement is no step of it.
        moves = [
            move
            for move in self.book.legal_moves(state)
            if not isinstance(move, Draw) and not (isinstance(move, Stock) and move.kind == "hidden")
        ]
        return facts, moves


def one_of_each_class(facts: Iterator[WarFact]) -> list[WarFact]:
    """The smallest tile of each class: mine, each bonus, all the rest."""
    classes: dict[object, WarFact] = {}
    for fact in facts:
        assert isinstance(fact, Flipped)
        total = fact.tile.pips if fact.tile.pips in (10, 12, 17, 20) else 0
        classes.setdefault("mine" if fact.tile.is_double else total, fact)
    return list(classes.values())


def rows() -> Iterator[tuple[str, int, int]]:
    """Position, number of steps and count of every row of the table."""
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            name, steps, count = line.rsplit(maxsplit=2)
            yield name, int(steps), int(count)


POSITIONS = oracle.positions()


def test_the_table_has_enough_positions() -> None:
    """At least twelve positions are compared, and every one has its rows."""
    assert {name for name, _, _ in rows()} == set(POSITIONS)
    assert len(POSITIONS) >= 12


@pytest.mark.rules("DOW-S3", "DOW-S4", "DOW-S5", "DOW-T1", "DOW-T2", "DOW-T3", "DOW-W1", "DOW-F1", "DOW-B1")
@pytest.mark.parametrize("name", POSITIONS)
def test_continuations_agree(name: str) -> None:
    """The number of different continuations is that of the second generator, at every depth."""
    killed = "2016" if POSITIONS[name]["killed"] == "discard" else "2015"
    counter = Counter(DominoesOfWar(Profile(killed)))
    state = from_oracle(POSITIONS[name])
    wanted = {steps: count for row, steps, count in rows() if row == name}
    assert {steps: counter.count(state, steps) for steps in wanted} == wanted


LIVELY = ("run", "blow", "shoot", "flip", "face", "extend")
"""What is done rather than anything else along a random game, so that something comes of it."""


def labelled(book: DominoesOfWar, said: WarFact | WarMove) -> str:
    """The second generator's label of a move or fact."""
    if isinstance(said, Flipped):
        return f"flip {place_name(said.at)} {said.tile}"
    assert not isinstance(said, WarFact)
    return book.format(said).replace(": ", ":").replace("/", "|")


@pytest.mark.rules("A-W9", "A-W28", "A-W47")
@pytest.mark.parametrize("name", [name for name in POSITIONS if POSITIONS[name]["phase"] != "bases"])
def test_labels_agree_along_a_random_game(name: str) -> None:
    """Along a random continuation both list the same steps, and leave the same soldiers after each."""
    book, rng = (
        DominoesOfWar(Profile("2016" if POSITIONS[name]["killed"] == "discard" else "2015")),
        Random(name),
    )
    position, state = POSITIONS[name], from_oracle(POSITIONS[name])
    for _ in range(20):
        listed = dict(oracle.steps(position))
        facts, moves = Counter(book).choices(state)
        said = {labelled(book, one): one for one in (*facts, *moves)}
        assert sorted(said) == sorted(listed)
        if not listed:
            break
        lively = sorted(label for label in listed if any(word in label for word in LIVELY))
        label = rng.choice(lively if lively and rng.random() < 0.6 else sorted(listed))
        one, position = said[label], listed[label]
        state = book.observe(state, one) if isinstance(one, Flipped) else book.play(state, one)
        left = {place_name(troop.at): (troop.side - 1, troop.kind, troop.facing) for troop in state.troops}
        assert left == {
            at: (troop["player"], troop["type"], troop["facing"] or "")
            for at, troop in position["troops"].items()
        }
