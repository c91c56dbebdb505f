"""What every rule book can do. A game is one folder of the engine that implements this."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import ClassVar, Generic, TypeVar

from engine import registry
from engine.catalogue import Catalogue
from engine.errors import IllegalMove
from engine.layout import Layout
from engine.nearness import Footprint, nearest
from engine.plain import Json, JsonObject, get, obj, text
from engine.profile import Profile, Readings, Setting
from engine.ruling import LateRuling, Ruling, Status
from engine.scores import Outcome, Scores


class Move:
    """Something a player does. ``player`` is 1 or 2, or None for "whoever's turn it is"."""

    __slots__ = ()
    player: int | None


class Fact:
    """Something the table reveals and nobody chooses: a roll, a drawn tile, a coin turned over."""

    __slots__ = ()


class State:
    """What the rule book believes about the table: immutable, comparable, hashable."""

    __slots__ = ()

    def to_json(self) -> JsonObject:
        """The state as plain data, with the entries ``game`` and ``version``."""
        raise TypeError(f"{type(self).__name__} has no plain form")

    @staticmethod
    def from_json(data: JsonObject) -> "State":
        """The state of whichever game ``data`` belongs to."""
        return registry.book_class(text(get(data, "game", "a state"), "the entry 'game'")).read_state(
            obj(data, "a state")
        )


S = TypeVar("S", bound=State)
M = TypeVar("M", bound=Move)
F = TypeVar("F", bound=Fact)


class RuleBook(ABC, Generic[S, M, F]):
    """The rules of one game under one profile. It holds no game: states come in, states go out."""

    game: ClassVar[str]
    """The name by which programs ask for it."""
    title: ClassVar[str]
    """The name by which people call it."""
    catalogue: ClassVar[Catalogue]
    readings: ClassVar[Readings]

    def __init__(self, profile: Profile) -> None:
        self.profile, self.settings = self._settle(profile)

    def _settle(self, profile: Profile) -> tuple[Profile, Mapping[str, Setting]]:
        return self.readings.settle(profile)

    # — the course of a game —

    @abstractmethod
    def start(self, setup: JsonObject | None = None, rng: Random | None = None) -> S:
        """The first state: a set-up that was seen, a random one, or (neither given) one still to be seen."""

    @abstractmethod
    def pending(self, state: S) -> str | None:
        """None, or the kind of fact that must be seen before play goes on."""

    @abstractmethod
    def possible_facts(self, state: S) -> Iterator[F]:
        """Every fact that may be seen now, in a stable order."""

    @abstractmethod
    def sample(self, state: S, rng: Random) -> F:
        """A random possible fact, as likely as at a table. For simulation and tests only."""

    @abstractmethod
    def observe(self, state: S, fact: F) -> S:
        """The state once ``fact`` has been seen; raises ImpossibleFact where it cannot be."""

    @abstractmethod
    def movers(self, state: S) -> tuple[int, ...]:
        """The players who may act now: none while a fact is pending or when the game is over."""

    @abstractmethod
    def legal_moves(self, state: S) -> Sequence[M]:
        """All that may be done now, each with its player, in a stable order."""

    @abstractmethod
    def judge(self, state: S, move: M) -> Ruling:
        """The ruling on ``move`` without the nearest legal moves."""

    @abstractmethod
    def apply(self, state: S, move: M) -> S:
        """The state after an allowed move, without asking whether it is one."""

    @abstractmethod
    def let_stand(self, state: S, move: M) -> S:
        """The state as the table is after an illegal move that the players let stand.

        Raises CannotStand where no table could look like that.
        """

    @abstractmethod
    def footprint(self, state: S, move: M) -> Footprint:
        """What ``move``, legal or not, would change on the table."""

    def check(self, state: S, move: M) -> Ruling:
        """The ruling on ``move``, with the nearest legal moves where it is refused."""
        ruling = self.judge(state, move)
        if ruling.status in (Status.LEGAL, Status.UNVERIFIABLE):
            return ruling
        offers = [(legal, self.footprint(state, legal)) for legal in self.candidates(state, move)]
        near = nearest(self.footprint(state, move), offers)
        return ruling.with_nearest(tuple(self.format(legal) for legal in near))

    def candidates(self, state: S, move: M) -> Sequence[M]:  # noqa: ARG002 (few games can rule out any)
        """The legal moves among which the three nearest to ``move`` surely are."""
        return self.legal_moves(state)

    def play(self, state: S, move: M) -> S:
        """The state after ``move``; raises IllegalMove with the ruling where it is refused."""
        ruling = self.judge(state, move)
        if not ruling.allowed:
            raise IllegalMove(self.check(state, move))
        return self.apply(state, move)

    # — what a state means —

    @abstractmethod
    def scores(self, state: S) -> Scores:
        """The scores so far, with the lines that make them up."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    @abstractmethod
    def layout(self, state: S) -> Layout:
        """What the table should look like."""

    def late_rulings(self, state: S) -> tuple[LateRuling, ...]:  # noqa: ARG002 (most games have none)
        """Moves that could not be judged when made and are proved illegal by what was shown since."""
        return ()

    # — text and data —

    @abstractmethod
    def format(self, move: M) -> str:
        """``move`` in notation; ``parse`` reads exactly this back."""

    @abstractmethod
    def parse(self, line: str) -> M:
        """The move that ``line`` writes; raises BadNotation rather than guess."""

    @abstractmethod
    def format_fact(self, fact: F) -> str:
        """``fact`` in notation; it begins with ``see``."""

    @abstractmethod
    def parse_fact(self, line: str) -> F:
        """The fact that ``line`` writes; raises BadNotation rather than guess."""

    @classmethod
    @abstractmethod
    def read_state(cls, data: Mapping[str, Json]) -> S:
        """The state that ``to_json`` wrote; raises BadData, naming what is wrong."""


AnyRuleBook = RuleBook[State, Move, Fact]
"""A rule book of whichever game; whoever holds one gives it only states, moves and facts of its own."""
