"""A tiny game for testing what all games share: roll a die, then add its pips or fewer; ten wins."""

import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import NamedTuple

from engine import (
    BadNotation,
    BadSetup,
    CannotStand,
    Fact,
    Fault,
    ImpossibleFact,
    LateRuling,
    Layout,
    Move,
    Outcome,
    Reading,
    RuleBook,
    Ruling,
    ScoreLine,
    Scores,
    Spot,
    State,
    Status,
)
from engine.catalogue import Catalogue, Rule
from engine.nearness import Footprint, Where
from engine.plain import BadData, Json, JsonObject, get, items, whole
from engine.profile import Readings


class _Fields(NamedTuple):
    total: int = 0
    mover: int = 1
    roll: int = 0
    points: tuple[int, int] = (0, 0)
    turn: int = 0
    late: tuple[LateRuling, ...] = ()


class ToyState(_Fields, State):
    """A total, whose turn it is, and the die (0: not rolled yet)."""

    __slots__ = ()

    def to_json(self) -> JsonObject:
        """Plain data."""
        return {
            "game": "toy",
            "version": 1,
            "total": self.total,
            "mover": self.mover,
            "roll": self.roll,
            "points": list(self.points),
            "turn": self.turn,
        }


class Step(NamedTuple):
    """How much is added."""

    player: int | None
    add: int


class ToyMove(Step, Move):
    """Add so many; 0 is a bluff that nobody can check until a 6 is rolled."""

    __slots__ = ()


class Roll(NamedTuple):
    """What the die shows."""

    face: int


class ToyFact(Roll, Fact):
    """A roll of the die."""

    __slots__ = ()


class ToyBook(RuleBook[ToyState, ToyMove, ToyFact]):
    """The rules of the toy game."""

    game = "toy"
    title = "Toy"
    catalogue = Catalogue(
        "none", [Rule("TOY-1", "1", "Add the die or less."), Rule("TOY-2", "2", "Take turns.")]
    )
    readings = Readings([Reading("A-T1", "goal", "How far?", 10, {}, 5)], {"short": {"goal": 5}})

    def start(self, setup: JsonObject | None = None, rng: Random | None = None) -> ToyState:
        """A total of nothing, or of what was seen."""
        if setup is None:
            return ToyState(rng.randrange(3) if rng else 0)
        if whole(get(setup, "total", "the set-up"), "the total") < 0:
            raise BadSetup("The total cannot be below 0.")
        return self.read_state(setup)

    def pending(self, state: ToyState) -> str | None:
        """A roll, where there is none."""
        return "roll" if not state.roll and not self.outcome(state) else None

    def possible_facts(self, state: ToyState) -> Iterator[ToyFact]:
        """Six faces."""
        return (ToyFact(face) for face in range(1, 7) if self.pending(state))

    def sample(self, state: ToyState, rng: Random) -> ToyFact:
        """A fair die."""
        return rng.choice(list(self.possible_facts(state)))

    def observe(self, state: ToyState, fact: ToyFact) -> ToyState:
        """The die as it lies."""
        if not self.pending(state) or not 1 <= fact.face <= 6:
            raise ImpossibleFact("OBS-TOY-1", "No such roll now.")
        late = state.late
        if fact.face == 6 and state.turn == 1 and not late:
            late = (LateRuling(1, "1: +0", Ruling(Status.ILLEGAL, "TOY-1", "That was a bluff.")),)
        return ToyState(*state._replace(roll=fact.face, late=late))

    def movers(self, state: ToyState) -> tuple[int, ...]:
        """One at a time."""
        return () if self.outcome(state) or not state.roll else (state.mover,)

    def legal_moves(self, state: ToyState) -> Sequence[ToyMove]:
        """From 1 to what the die shows."""
        return [ToyMove(player, add) for player in self.movers(state) for add in range(1, state.roll + 1)]

    def judge(self, state: ToyState, move: ToyMove) -> Ruling:
        """The ruling."""
        faults = []
        if move.player not in (None, state.mover) or not self.movers(state):
            faults.append(Fault("TOY-2", f"It is not player {move.player}'s turn."))
        if move.add > state.roll:
            faults.append(
                Fault("TOY-1", f"{move.add} is more than {state.roll}.", ("a1",), {"roll": state.roll})
            )
        if faults:
            return Ruling.refusal(tuple(faults), profile=str(self.profile))
        if move.add == 0:
            return Ruling(Status.UNVERIFIABLE, "TOY-1", "A bluff, perhaps.")
        return Ruling(Status.LEGAL, "TOY-1", f"{move.add} of {state.roll}.")

    def apply(self, state: ToyState, move: ToyMove) -> ToyState:
        """Add and pass the die."""
        points = list(state.points)
        points[state.mover - 1] += move.add
        return ToyState(
            state.total + move.add, 3 - state.mover, 0, (points[0], points[1]), state.turn + 1, state.late
        )

    def let_stand(self, state: ToyState, move: ToyMove) -> ToyState:
        """Anything up to 50 can be said to have been added."""
        if move.add > 50:
            raise CannotStand("Nobody can add that much.")
        return self.apply(state, move)

    def footprint(self, state: ToyState, move: ToyMove) -> Footprint:
        """The counter moves."""
        return {"counter": Where(float(state.total + move.add), 0.0)}

    def scores(self, state: ToyState) -> Scores:
        """Points by player."""
        return Scores(state.points, tuple(ScoreLine(i + 1, "added", p) for i, p in enumerate(state.points)))

    def outcome(self, state: ToyState) -> Outcome | None:
        """Who reaches the goal wins."""
        if state.total < int(self.settings["goal"]):
            return None
        return Outcome(3 - state.mover, "TOY-1", "The goal is reached.")

    def layout(self, state: ToyState) -> Layout:
        """One counter, and a bag."""
        spot = Spot("counter", "pawn", "up", None, "board", float(state.total), 0.0)
        return Layout((spot, Spot("die", "die", "up", None, "tray")), {"bag": 3})

    def late_rulings(self, state: ToyState) -> tuple[LateRuling, ...]:
        """A bluff that came out."""
        return state.late

    def format(self, move: ToyMove) -> str:
        """Notation."""
        return (f"{move.player}: " if move.player else "") + f"+{move.add}"

    def parse(self, line: str) -> ToyMove:
        """Notation."""
        found = re.fullmatch(r"(?:([12]): )?\+(\d+)", line.strip())
        if not found:
            raise BadNotation(f"{line!r} is no move; a move reads like '1: +3'.")
        return ToyMove(int(found[1]) if found[1] else None, int(found[2]))

    def format_fact(self, fact: ToyFact) -> str:
        """Notation."""
        return f"see {fact.face}"

    def parse_fact(self, line: str) -> ToyFact:
        """Notation."""
        found = re.fullmatch(r"see (\d+)", line.strip())
        if not found:
            raise BadNotation(f"{line!r} is no fact; a fact reads like 'see 4'.")
        return ToyFact(int(found[1]))

    @classmethod
    def read_state(cls, data: Mapping[str, Json]) -> ToyState:
        """Plain data."""
        one, two = (whole(p, "points") for p in items(data.get("points", [0, 0]), "points"))
        if data.get("version", 1) != 1:
            raise BadData("it should be version 1")
        return ToyState(
            whole(get(data, "total", "the state"), "the total"),
            whole(data.get("mover", 1), "the mover"),
            whole(data.get("roll", 0), "the roll"),
            (one, two),
            whole(data.get("turn", 0), "the turn"),
        )


BOOK = ToyBook
