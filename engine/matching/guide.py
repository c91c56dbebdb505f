# ruff: noqa: ARG002 (this guide serves any game and looks at little; those of the games look closer)
"""What the search must know about a game besides its rules: where to look, and what people do at its table.

This guide serves any game: it tries the legal moves that touch a place where table and record disagree, and
every fact that may be seen where there are not too many. A game that needs more has a ``guide.py`` in its
folder, with its own guide as ``GUIDE``.
"""

import importlib
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from importlib.util import find_spec
from itertools import islice
from math import hypot, log
from typing import ClassVar, Final, NamedTuple

from engine.belonging import Belongings
from engine.book import AnyRuleBook, Fact, Move, State
from engine.layout import Layout, Spot
from engine.matching.evidence import NOTABLE, Evidence, Gap, Lay, Leniency, Places
from engine.matching.reading_odds import agreement
from engine.nearness import Where
from engine.scene import Scene, Sighting

_NEAR: Final = 0.8
"""So near, in board units, a move's end is to a sighting that may be the piece."""
_LIKELY: Final = log(0.8)
"""What agrees so well with one piece is no other."""
_MOST_FACTS: Final = 200
"""Where more facts than these may be seen, a guide of its own must say which to try."""
_MOST_FORCED: Final = 6
"""No more silent moves than these follow one another by force."""


class Placed(NamedTuple):
    """Where pieces without places of their own lie after a move."""

    places: Places
    by: int | None = None
    """Whose hand alone was seen where the move has put its piece; None where that is not known."""


class Remark(NamedTuple):
    """What players should know."""

    words: str = ""
    waits: bool = False
    """Whether the next move would not be seen before they have done something about it."""


class Silent(NamedTuple):
    """A move that nobody can see."""

    move: Move
    shows: bool = False
    """Whether it leaves the table otherwise than it was: what was only said is crossed off, say."""
    due: bool = False
    """Whether it must be made now, or another that nobody can see."""
    whole_turn: bool = False
    """Whether a whole turn would have passed with it, and nothing to be seen of that."""


class Guide:
    """Where to look for what happened; one for each rule book."""

    lenient: ClassVar[Leniency] = Leniency({}, {})
    """Regions where it matters less what is missing, and heaps that are counted."""
    spare: ClassVar[Mapping[str, int]] = {}
    """Regions in which so many pieces at most may go unseen, because they can be nowhere else."""
    vacant: ClassVar[frozenset[str]] = frozenset()
    """Regions in which nothing lies before a game begins."""
    anchored: ClassVar[frozenset[str]] = frozenset()
    """Kinds of pieces without places of their own that are known again by where they were."""
    named: ClassVar[bool] = True
    """Whether the places of the board have names."""
    belongings: ClassVar[Belongings] = Belongings()
    """What pieces the game has, and where they can lie."""

    once: ClassVar[tuple[type[Fact], ...]] = ()
    """Facts of which the next hides the last, so that only one can be read from a scene."""
    patient: ClassVar[tuple[type[Fact], ...]] = ()
    """Facts that nobody is asked about while they may not be there to see yet: they are waited for."""
    begun: ClassVar[tuple[type[Fact], ...]] = ()
    """Facts that tell who begins, which nobody sees but by whose hand comes first."""
    written: ClassVar[tuple[type[Move], ...]] = ()
    """Moves that are read as facts are, by what was written or drawn, so that a reading may be put right."""
    besides: ClassVar[frozenset[str]] = frozenset()
    """Regions in which something is changed by a hand that comes for something else."""
    heed_ends: ClassVar[bool] = True
    """Whether it matters which way round a domino lies on its place."""

    def __init__(self, book: AnyRuleBook) -> None:
        self.book = book

    def evidence(
        self, state: State, scene: Scene, places: Places, others: Collection[State] = ()
    ) -> Evidence:
        """A scene, ready to be held against what may have become of a state, or of ``others`` it may be."""
        return self._ready(state, scene, places)

    def _ready(
        self, state: State, scene: Scene, places: Places, awaited: frozenset[str] = frozenset()
    ) -> Evidence:
        """A scene as it is; ``awaited`` pieces are to be turned now, so that any way they face is news."""
        layout = self.layout(state, places)
        game = partial(Evidence, heed_ends=self.heed_ends, awaited=awaited, known=layout.by_name())
        ready = partial(game, places=places, lenient=self.lenient)
        found = ready(scene)
        unseen = self._unseen(found, layout) if self.spare else ()
        return ready(replace(scene, vouched=(*scene.vouched, *unseen))) if unseen else found

    def _unseen(self, evidence: Evidence, layout: Layout) -> tuple[tuple[str, str], ...]:
        """The pieces that are seen nowhere, as far as they need not be."""
        gap = evidence.gap(layout)
        seen = {spot.name for one in gap.extra for spot in _may_be(one, gap.missing)}
        missing = [(spot.name, spot.region) for spot in gap.missing if spot.name not in seen]
        many = Counter(region for _, region in missing)
        return tuple(one for one in missing if many[one[1]] <= self.spare.get(one[1], 0))

    def layout(self, state: State, places: Places) -> Layout:
        """What the table should look like, given where pieces were."""
        return _layout(self.book, state)

    def moves(self, state: State, gap: Gap, scene: Scene, places: Places) -> Iterable[Move]:
        """Moves, legal or not, that may have been made where table and record disagree."""
        return [move for move in self.book.legal_moves(state) if touches(self.book, state, move, gap)]

    def stones(self, state: State, gap: Gap, scene: Scene, places: Places) -> Iterable[Move]:
        """Legal moves that lead nowhere that is seen, but may have been made on the way."""
        return ()

    def facts(self, state: State, evidence: Evidence) -> Iterable[Fact]:
        """Facts that the scene may show where one is due: those that change the table."""
        some = tuple(islice(self.book.possible_facts(state), _MOST_FACTS + 1))
        if len(some) > _MOST_FACTS:
            return ()
        before = self.book.layout(state)
        return [fact for fact in some if self.book.layout(self.book.observe(state, fact)) != before]

    def silent(self, state: State, evidence: Evidence) -> Iterable[Silent]:
        """Legal moves that nobody can see and that may have been made before what is seen."""
        before = self.book.layout(state)
        for move in self.book.legal_moves(state):
            if self.book.layout(self.book.apply(state, move)) == before:
                yield Silent(move)

    def forced(self, state: State) -> Move | None:
        """The move that nobody can see and that is all that can be done now, or None."""
        if self.book.pending(state) is not None or self.book.outcome(state) is not None:
            return None
        moves = self.book.legal_moves(state)
        if len(moves) != 1 or self.book.layout(self.book.apply(state, moves[0])) != self.book.layout(state):
            return None
        return moves[0]

    def essence(self, state: State) -> Hashable:
        """What of a state matters for the game: two with the same essence need no telling apart."""
        return state

    def gist(self, move: Move) -> Hashable:
        """What of a move does not hang on what its pieces show: all else of it may be another reading.

        None of one that nobody sees and that is made, or not, by what a piece shows.
        """
        return move

    def laid(self, move: Move) -> Hashable:
        """Where a move put a piece that is known by what it shows, and may have been misread; else None."""
        return None

    def taste(self, state: State, move: Move) -> float:
        """The log of how readily players make this move rather than another that looks the same."""
        return 0.0

    def twins(self, state: State, move: Move) -> Iterable[Move]:
        """Other legal moves that leave the same table, of which the record had to choose one."""
        return ()

    def stand_ins(self, state: State, move: Move) -> Iterable[Move]:
        """Moves that may leave the same table as this one once something else was done after it."""
        return ()

    def again(self, then: State, now: State, did: Move | Fact) -> Iterator[Move | Fact]:
        """What was done or seen ``then`` as it must have been ``now``, if the record was otherwise before.

        The first is the same with the names that its pieces have then. The first that can be, it was.
        """
        yield did
        if isinstance(did, Move) and (move := self.forced(now)) is not None:
            yield move

    def rereadings(
        self, state: State, fact: Fact, later: Sequence[Fact], scene: Scene, *, sure: bool
    ) -> Iterable[Fact]:
        """What a fact was as it is seen now, ``later`` ones apart: it was read in doubt, or for ``sure``."""
        return ()

    def whatever(self, state: State, fact: Fact) -> Iterable[Fact]:
        """All that a fact which was read in doubt may have been, however little it looks like that."""
        return ()

    def placed(self, move: Move, places: Places, scene: Scene) -> Placed:
        """Where pieces lie after a move, and whose hand laid them, for a game whose layouts are free."""
        return Placed(places)

    def picked_up(self, state: State, move: Move, places: Places) -> Places:
        """What is still known of where pieces lie once a refused move is to be put back."""
        return places

    def remembered(
        self, layout: Layout, found: Mapping[str, Sighting], places: Places, scene: Scene
    ) -> Places:
        """Where the pieces lie that are known again by where they were, once a table is understood.

        Of two that look the same in one region nobody can say which is which, unless it was known before.
        """
        kept: dict[str, Lay] = {}
        anchored = [spot for spot in layout.spots if spot.kind in self.anchored]
        for spot in anchored:
            lay, before = _lay_of(found.get(spot.name)), places.get(spot.name)
            if before is not None and before.region == spot.region:
                kept[spot.name] = lay or before
                continue
            twins = [other for other in anchored if (other.region, other.value) == (spot.region, spot.value)]
            if lay is not None and len(twins) == 1:
                kept[spot.name] = lay
        return kept

    def hangs_together(self, state: State, scene: Scene) -> bool:
        """Whether a free layout means the same wherever its pieces were pushed to."""
        return False

    def remark(self, state: State, scene: Scene, places: Places) -> Remark:
        """What players should know of a table on which nothing seems to have happened; mostly nothing."""
        return Remark()

    def waits_for(self, state: State) -> str:
        """What must be seen or told before play goes on, for players; empty where play goes on."""
        due = self.book.pending(state)
        return "" if due is None else f"The game waits for the {due} to be seen."


def _lay_of(one: Sighting | None) -> Lay | None:
    """Where a piece was seen to lie, if that is told."""
    if one is None or one.x is None or one.y is None:
        return None
    return Lay(one.region, one.x, one.y, one.angle or 0.0)


@lru_cache(maxsize=256)
def _layout(book: AnyRuleBook, state: State) -> Layout:
    """Kept, because the same states are looked at again with every scene."""
    return book.layout(state)


def _may_be(one: Sighting, spots: Iterable[Spot]) -> list[Spot]:
    """The pieces that a sighting may be, wherever it lies; where one is likely, that alone."""
    worths = [(agreement(spot, one, turned=None), spot) for spot in spots if spot.kind == one.kind]
    best = max((worth for worth, _ in worths), default=NOTABLE)
    least = best if best >= _LIKELY else NOTABLE
    return [spot for worth, spot in worths if worth > NOTABLE and worth >= least]


def forced_now(guide: Guide, state: State) -> Iterator[tuple[Move, State]]:
    """The silent moves that must come next, one after another, each with the state after it."""
    left = _MOST_FORCED
    while left and (move := guide.forced(state)) is not None:
        state, left = guide.book.apply(state, move), left - 1
        yield move, state


def at_rest(guide: Guide, state: State) -> State:
    """The state after all silent moves that must come next."""
    for _, after in forced_now(guide, state):
        state = after
    return state


def essence(guide: Guide, state: State) -> Hashable:
    """What of a state matters once nothing must follow that nobody sees: two with the same are one."""
    return guide.essence(at_rest(guide, state))


def touches(book: AnyRuleBook, state: State, move: Move, gap: Gap) -> bool:
    """Whether a move touches a piece or a place that is at odds."""
    names = {spot.name for spot in gap.missing} | {spot.name for spot, _ in gap.misread}
    return any(name in names or _is_at(end, gap.extra) for name, end in book.footprint(state, move).items())


def _is_at(end: Where | str | None, come: Iterable[Sighting]) -> bool:
    """Whether something has come where a move leaves a piece."""
    if isinstance(end, Where):
        return any(near(one, end.x, end.y) for one in come)
    return any(one.region == end for one in come)


def near(one: Sighting, x: float, y: float, within: float = _NEAR) -> bool:
    """Whether a sighting lies about there."""
    return one.x is not None and one.y is not None and hypot(one.x - x, one.y - y) <= within


def guide_for(book: AnyRuleBook) -> Guide:
    """The guide of a rule book: its game's own, or the one that serves any game."""
    package = type(book).__module__.rpartition(".")[0]
    if package and find_spec(f"{package}.guide") is not None:
        found: type[Guide] = importlib.import_module(f"{package}.guide").GUIDE
        return found(book)
    return Guide(book)
