"""What happens in a film: a game in moves and facts, with rulings, and the tables they leave.

    script = write("dominoids", seed=7, moves=40, illegal=0.1)
    script.setup                    # the state in which the film begins, as plain data
    for event in script.events: …

The players know their own tiles, the referee only what the table shows: rulings and facts are the referee's.
"""

import random
from dataclasses import dataclass, field
from typing import Literal

from engine import AnyRuleBook, Fact, Layout, Move, State, rulebook
from engine.dominoes_of_war.model import SET_UP, WarState
from engine.draw_game.model import Deal, Drawn, DrawState, Shown, tiles_in
from engine.plain import Json, JsonObject
from simulation.playing import choose, slip

MOST_FACTS = 8
"""So many events at most for each move that is asked for; a game with more does not go on."""


@dataclass(frozen=True)
class Scripted:
    """One move or fact, and the tables before and after it."""

    kind: Literal["move", "fact"]
    text: str
    player: int
    """Whose hand does it."""
    before: Layout
    after: Layout
    status: str = ""
    """The verdict on a move; empty for a fact."""
    rule: str = ""
    stands: bool = True
    """False for a move that is taken back, after which the table is as before."""
    state: int = 0
    """The number of the state that holds afterwards; 0 is the one in which the film begins."""
    footprint: tuple[str, ...] = ()

    @property
    def visible(self) -> bool:
        """Whether the table looks different afterwards."""
        return self.before != self.after


@dataclass(frozen=True)
class Script:
    """A game as it will be filmed."""

    game: str
    profile: str
    seed: int
    setup: JsonObject
    start: Layout
    events: tuple[Scripted, ...]
    states: tuple[JsonObject, ...] = field(repr=False, default=())
    """The referee's states by number, as plain data."""


@dataclass
class _Course:
    """A game going on, as the players and as the referee know it."""

    book: AnyRuleBook
    known: State
    seen: State
    rng: random.Random
    slips: random.Random
    doubts: random.Random
    """Of players who think better of a move that they have made."""
    player: int = 1
    """Who did the last thing."""
    states: list[JsonObject] = field(default_factory=list)

    @property
    def layout(self) -> Layout:
        return self.book.layout(self.seen)

    def step(self, illegal: float, stands: float, retracted: float) -> Scripted | None:
        """The next thing that happens; None where the game is over or stuck."""
        due = self.book.pending(self.seen)
        if due is not None:
            return self._revealed(due)
        if self.slips.random() < illegal:
            event = self._slipped(stands)
            if event is not None:
                return event
        move = choose(self.book, self.known, self.rng)
        if move is None:
            return None
        event = self._retracted(move) if retracted and self.doubts.random() < retracted else None
        return event or self._played(move)

    def _retracted(self, move: Move) -> Scripted | None:
        """A legal move that is made and taken back; None where it shows nothing, or what cannot be unseen."""
        after = self.book.apply(self.seen, move)
        if self.book.pending(after) is not None or self.book.outcome(after) is not None:
            return None
        before, layout = self.layout, self.book.layout(after)
        if layout == before:
            return None
        self.player, ruling = move.player or self.player, self.book.judge(self.seen, move)
        return Scripted(
            "move", self.book.format(move), self.player, before, layout, str(ruling.status), ruling.rule,
            stands=False, state=len(self.states) - 1, footprint=tuple(self._touched(move)),
        )  # fmt: skip

    def _revealed(self, due: str) -> Scripted:
        """Something comes to light; the event holds what of it the table shows."""
        before = self.layout
        if due == "hand":
            guess = self.book.sample(self.seen, self.rng)
            assert isinstance(guess, Shown)
            assert isinstance(self.known, DrawState)
            shown: Fact = Shown(guess.player, tiles_in(self.known.hands[guess.player - 1]))
        else:
            fact = self.book.sample(self.known, self.rng)
            self.known, shown = self.book.observe(self.known, fact), veiled(fact)
        self.seen = self.book.observe(self.seen, shown)
        return self._event("fact", self.book.format_fact(shown), before)

    def _slipped(self, stands: float) -> Scripted | None:
        found = slip(self.book, self.known, self.seen, self.slips)
        if found is None:
            return None
        before = self.layout
        self.player = found.move.player or self.player
        ruling = (str(found.ruling.status), found.ruling.rule)
        if found.stands and self.slips.random() < stands:
            self.known = self.book.let_stand(self.known, found.move)
            self.seen = self.book.let_stand(self.seen, found.move)
            return self._event("move", found.text, before, ruling, tuple(self._touched(found.move)))
        return Scripted(
            "move", found.text, self.player, before, found.layout, *ruling, False, len(self.states) - 1
        )

    def _played(self, move: Move) -> Scripted:
        before, ruling = self.layout, self.book.judge(self.seen, move)
        self.player = move.player or self.player
        touched = tuple(self._touched(move))
        self.known, self.seen = self.book.apply(self.known, move), self.book.apply(self.seen, move)
        text = self.book.format(move)
        return self._event("move", text, before, (str(ruling.status), ruling.rule), touched)

    def _touched(self, move: Move) -> list[str]:
        return list(self.book.footprint(self.seen, move))

    def _event(
        self, kind: Literal["move", "fact"], text: str, before: Layout,
        ruling: tuple[str, str] = ("", ""), touched: tuple[str, ...] = (),
    ) -> Scripted:  # fmt: skip
        self.states.append(self.seen.to_json())
        number = len(self.states) - 1
        return Scripted(kind, text, self.player, before, self.layout, *ruling, True, number, touched)


def veiled(fact: Fact) -> Fact:
    """What of a fact a camera over the table sees: no hand that is dealt or drawn to."""
    if isinstance(fact, Deal):
        return Deal((None, None))
    if isinstance(fact, Drawn):
        return Drawn(None)
    return fact


def write(
    game: str,
    *,
    seed: int,
    moves: int = 30,
    illegal: float = 0.0,
    stands: float = 0.3,
    retracted: float = 0.0,
    profile: str = "default",
) -> Script:
    """A random lively game of so many moves; a share of them illegal, and of these a share left standing.

    ``retracted`` is the share of the legal ones that are taken back.
    """
    book = rulebook(game, profile=profile)
    course = _opened(book, seed)
    start = course.layout
    course.states.append(course.seen.to_json())
    events: list[Scripted] = []
    made = 0
    while made < moves and len(events) < MOST_FACTS * moves:
        event = None if book.outcome(course.seen) is not None else course.step(illegal, stands, retracted)
        if event is None:
            break
        events.append(event)
        made += event.kind == "move"
    return Script(game, str(book.profile), seed, course.states[0], start, tuple(events), tuple(course.states))


def _opened(book: AnyRuleBook, seed: int) -> _Course:
    """A game after its set-up: dealt, drawn for, bases placed and stocked."""
    rng = random.Random(f"{seed} play")
    known = book.start(None, rng)
    while _setting_up(known):
        if book.pending(known) is not None:
            known = book.observe(known, book.sample(known, rng))
        else:
            move = choose(book, known, rng)
            assert move is not None  # a set-up always goes on
            known = book.apply(known, move)
    slips, doubts = random.Random(f"{seed} slips"), random.Random(f"{seed} doubts")
    return _Course(book, known, _as_seen(book, known), rng, slips, doubts)


def _setting_up(state: State) -> bool:
    return isinstance(state, WarState) and state.phase in SET_UP


def _as_seen(book: AnyRuleBook, known: State) -> State:
    """What the referee knows of a game that has just begun: of hands, how many tiles they hold."""
    if not isinstance(known, DrawState):
        return known
    data = known.to_json()
    hands: list[Json] = [{"tiles": [], "hidden": tiles.bit_count()} for tiles in known.hands]
    return book.read_state({**data, "hands": hands})
