"""A whole game as those who play it know it: what is done next, and what table and record should show.

    game = WholeGame.begin("draw-game", seed=7)
    deed = game.next()              # the next fact or move, and the table it leaves; nothing has happened yet
    game.do(deed)                   # now it has

The players know their own tiles (``known``), the referee what the table has shown (``seen``).
"""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from calibration.plan import plan_of
from engine import AnyRuleBook, BadNotation, Fact, Layout, Move, State, rulebook
from engine.draw_game.model import DrawState, Shown, tiles_in
from simulation.playing import choose, slip
from simulation.script import Scripted, veiled

Mind = Callable[[AnyRuleBook, State, random.Random], Move | None]
"""How a player comes to a move."""

SPOKEN = {
    "dominoes-of-war": ("draw", "decline", "first", "nothing"),
    "kingdomino-duel": ("P5",),
    "draw-game": ("call", "redeal"),
    "dominoids": ("agree",),
}
"""Words of moves that have to be said: no table shows all of them, then or later."""
LATER = {"dominoes-of-war": ("face",), "kingdomino-duel": ("P1", "P2")}
"""Words of moves that may show only once somebody plays on: a Sniper may look where he looked before, and a
power is told by what is drawn with it."""
LAID_OUT = {"dominoids": ("opening",)}
"""Facts that belong to a game's set-up: the table shows all of them before anybody sits down."""
SHORTER = {"draw-game": "default+target=100"}
"""Profiles of games that are shown: a match of a few deals tells as much as one of ten."""
_SLIPS = 6
"""So many slips are thought of at most until one keeps to the mat."""


@dataclass(frozen=True)
class Deed:
    """Something that is about to be done, the two states if it is and counts, and what was seen before."""

    event: Scripted
    known: State = field(repr=False)
    seen: State = field(repr=False)
    before: State = field(repr=False)

    @property
    def text(self) -> str:
        """The move or fact in notation."""
        return self.event.text

    @property
    def legal(self) -> bool:
        """Whether it is allowed; what nobody chooses always is."""
        return self.event.status != "illegal"

    @property
    def visible(self) -> bool:
        """Whether hands do something: dice are thrown though they may fall as they lay."""
        return self.event.visible or self.text.startswith("see roll")


@dataclass
class WholeGame:
    """A game in the hands of two players."""

    book: AnyRuleBook
    known: State
    seen: State
    rng: random.Random
    slips: random.Random
    mind: Mind
    player: int = 1
    """Who did the last thing."""

    laid_out: tuple[Deed, ...] = ()
    """What was laid out before the game, as facts that the referee has to see."""

    @classmethod
    def begin(cls, game: str, *, seed: int, profile: str = "default", mind: Mind = choose) -> "WholeGame":
        """A game whose table is set up, and at which nobody has done anything yet."""
        book = rulebook(game, profile=profile)
        blank = book.start(None, None)
        play, slips = random.Random(f"{seed} whole game"), random.Random(f"{seed} whole game slips")
        whole = cls(book, blank, blank, play, slips, mind)
        while book.pending(whole.seen) in LAID_OUT.get(game, ()):
            deed = whole.next()
            assert deed is not None  # something is still to be seen
            whole.do(deed)
            whole.laid_out += (deed,)
        return whole

    @classmethod
    def near_end(cls, game: str, *, seed: int, left: int, mind: Mind = choose) -> "WholeGame":
        """The end of a game that is nearly over: so many facts and moves are left, if nobody errs."""
        profile = SHORTER.get(game, "default")
        many, whole = 0, cls.begin(game, seed=seed, profile=profile, mind=mind)
        while (deed := whole.next()) is not None:
            whole.do(deed)
            many += 1
        again = cls.begin(game, seed=seed, profile=profile, mind=mind)
        for _ in range(max(0, many - left)):
            deed = again.next()
            assert deed is not None  # the same game goes the same way
            again.do(deed)
        again.laid_out = ()
        return again

    @property
    def layout(self) -> Layout:
        """What the table should look like."""
        return self.book.layout(self.seen)

    @property
    def over(self) -> bool:
        """Whether the game has its outcome."""
        return self.book.outcome(self.seen) is not None

    def next(self) -> Deed | None:
        """What is done next by the rules; None where the game is over, or nobody can do anything."""
        if self.over:
            return None
        due = self.book.pending(self.seen)
        if due is not None:
            return self._revealed(due)
        move = self.mind(self.book, self.known, self.rng)
        return None if move is None else self._played(move)

    def slip(self) -> Deed | None:
        """A move that is not allowed and that the table can show, if somebody might make one now."""
        if self.over or self.book.pending(self.seen) is not None:
            return None
        for _ in range(_SLIPS):
            found = slip(self.book, self.known, self.seen, self.slips)
            if found is None:
                return None
            if _keeps_to_mat(self.book.game, found.layout):
                break
        else:
            return None
        player = found.move.player or self.player
        event = Scripted(
            "move", found.text, player, self.layout, found.layout, str(found.ruling.status),
            found.ruling.rule, found.stands,
        )  # fmt: skip
        if not found.stands:
            return Deed(event, self.known, self.seen, self.seen)
        known, seen = (self.book.let_stand(state, found.move) for state in (self.known, self.seen))
        return Deed(event, known, seen, self.seen)

    def is_another(self, line: str, deed: Deed) -> bool:
        """Whether a line tells another move than was made, though the table looks the same after it.

        Another die may have moved the piece, another troop have fired. Where the record counts dice in an
        order of its own, its words differ and mean the same: then the line fits no table that was there.
        """
        try:
            move = self.book.parse(line)
        except BadNotation:
            return False
        told, made = (self.book.judge(deed.before, one) for one in (move, self.book.parse(deed.text)))
        if not told.allowed or told.reason == made.reason:
            return False
        return self.book.layout(self.book.apply(deed.before, move)) == deed.event.after

    def may_be_taken_back(self, deed: Deed) -> bool:
        """Whether a move can be unmade by putting pieces back: nothing was revealed by it, no game ended."""
        quiet = self.book.pending(deed.seen) is None and self.book.outcome(deed.seen) is None
        shown = deed.event.visible and not self.is_spoken(deed) and not self.shows_later(deed)
        return deed.event.kind == "move" and deed.legal and shown and quiet

    def is_spoken(self, deed: Deed) -> bool:
        """Whether people have to say it, as no table will show it, or not all of it."""
        if deed.event.kind == "fact":
            return not deed.visible
        return self._has_word(deed, SPOKEN)

    def shows_later(self, deed: Deed) -> bool:
        """Whether it may be told only with what is done next."""
        return not deed.visible or self._has_word(deed, LATER)

    def _has_word(self, deed: Deed, words: Mapping[str, Sequence[str]]) -> bool:
        said = deed.text.split(": ")[-1].split(" ")
        return deed.event.kind == "move" and bool(set(said) & set(words.get(self.book.game, ())))

    def do(self, deed: Deed) -> None:
        """It has been done, and counts."""
        self.player, self.known, self.seen = deed.event.player, deed.known, deed.seen

    def _revealed(self, due: str) -> Deed:
        """Something comes to light; of it the referee knows what the table shows."""
        if due == "hand":
            guess = self.book.sample(self.seen, self.rng)
            assert isinstance(guess, Shown)
            assert isinstance(self.known, DrawState)
            shown: Fact = Shown(guess.player, tiles_in(self.known.hands[guess.player - 1]))
            known: State = self.known
        else:
            fact = self.book.sample(self.known, self.rng)
            known, shown = self.book.observe(self.known, fact), veiled(fact)
        seen = self.book.observe(self.seen, shown)
        text = self.book.format_fact(shown)
        event = Scripted("fact", text, self.player, self.layout, self.book.layout(seen))
        return Deed(event, known, seen, self.seen)

    def _played(self, move: Move) -> Deed:
        ruling = self.book.judge(self.seen, move)
        known, seen = self.book.apply(self.known, move), self.book.apply(self.seen, move)
        event = Scripted(
            "move", self.book.format(move), move.player or self.player, self.layout, self.book.layout(seen),
            str(ruling.status), ruling.rule,
        )  # fmt: skip
        return Deed(event, known, seen, self.seen)


def _keeps_to_mat(game: str, layout: Layout) -> bool:
    """Whether every piece that has a place lies in its region of the mat."""
    regions = plan_of(game).regions
    for spot in layout.spots:
        if spot.x is not None and spot.y is not None:
            region = regions[spot.region]
            if not region.holds(*region.place_mm(spot.x, spot.y)):
                return False
    return True
