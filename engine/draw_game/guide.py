# ruff: noqa: ARG002 (what a guide is asked is the same for every game)
"""Where to look in the Draw Game for what happened: a tile that touches the line, and tiles counted."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import islice, product
from typing import ClassVar, Final

from engine.belonging import Belongings
from engine.book import AnyRuleBook, Fact, Move, State
from engine.dominoes import Domino
from engine.draw_game.beyond import with_whole_line
from engine.draw_game.chain import End, Lies, ends, hangs_together, neighbours, touches
from engine.draw_game.model import (
    ANYBODY,
    Arm,
    Beside,
    Deal,
    Down,
    Draw,
    DrawMove,
    Drawn,
    DrawState,
    Pass,
    Play,
    Shown,
    board_tiles,
    other,
    tiles_in,
)
from engine.draw_game.sighted import ASIDE, BOARD, any_tile, lay_as, looks_like, mover_seen, tiles_of
from engine.layout import Layout, Spot
from engine.matching.evidence import REACH, Evidence, Gap, Lay, Leniency, Places
from engine.matching.guide import Guide, Placed, Silent, near
from engine.scene import Scene, Sighting

_HANDS: Final = 32
"""So many ways to read a hand are tried at most."""


class DrawGuide(Guide):
    """Where to look in the Draw Game; its tiles lie where players put them, and keep their places."""

    lenient = Leniency(
        {"hand-1": -1.5, "hand-2": -1.5},
        {"boneyard": -4.0},
        # A tile that shows nothing is no move yet; a shadow or a plank may look like one.
        frozenset(product((BOARD, ASIDE), ("down", "edge"))),
    )
    spare: ClassVar = {"boneyard": 8}
    """Of 28 tiles the mat's boneyard holds 20 side by side: before a deal the others lie below them."""
    named = False
    belongings = Belongings(open=frozenset((BOARD,)), closed=frozenset(("boneyard",)))

    def __init__(self, book: AnyRuleBook) -> None:
        super().__init__(book)
        self._contacts: dict[Move, float] = {}

    def evidence(
        self, state: State, scene: Scene, places: Places, others: Collection[State] = ()
    ) -> Evidence:
        """A scene, with the whole line on the board, wherever it has run to."""
        assert isinstance(state, DrawState)
        return super().evidence(state, with_whole_line(state, scene, places), places, others)

    def layout(self, state: State, places: Places) -> Layout:
        """The tiles of the line where they were seen; those never seen yet may lie anywhere on the board."""
        layout = super().layout(state, places)
        return Layout(tuple(_lying(spot, places) for spot in layout.spots), layout.hidden)

    def moves(self, state: State, gap: Gap, scene: Scene, places: Places) -> Iterable[Move]:
        """Tiles laid where new ones are seen, and a draw where the boneyard has fewer."""
        assert isinstance(state, DrawState)
        return dict.fromkeys(self._moves(state, gap, scene, places))

    def _moves(self, state: DrawState, gap: Gap, scene: Scene, places: Places) -> Iterator[Move]:
        if any(region == "boneyard" and seen < due for region, due, seen in gap.heaps):
            yield Draw(mover_seen(state, scene))
        laid = _laid(state, scene, places)
        arms = ends(state.history, laid)
        for one in gap.extra:
            if one.kind == "domino" and one.region in (BOARD, ASIDE):
                for domino, lies in (*tiles_of(one), *any_tile(one)):
                    if domino not in laid:
                        yield from self._at(mover_seen(state, scene), domino, lies, arms, laid)

    def _at(
        self,
        player: int,
        domino: Domino,
        lies: Lies,
        arms: Mapping[Arm, End],
        laid: Mapping[Domino, Lies],
    ) -> Iterator[Move]:
        """A tile laid where it lies: the first one, at an arm, or beside the line."""
        if not laid:
            yield Down(domino, player)
            return
        found = touches(domino, lies, arms)
        for touch in found:
            play = Play(domino, touch.half, touch.arm, player)
            self._contacts[play] = touch.worth
            yield play
        if not found:
            for beside in islice(neighbours(domino, lies, laid), 1):
                yield replace(beside, player=player)

    def taste(self, state: State, move: Move) -> float:
        """How well a tile touches."""
        return self._contacts.get(move, 0.0)

    def placed(self, move: Move, places: Places, scene: Scene) -> Placed:
        """The tile that was laid lies where it is seen."""
        if not isinstance(move, Down | Play | Beside):
            return Placed(places)
        one = _most_like(move.tile, scene, places)
        if one is None:
            return Placed(places)
        lay = lay_as(move.tile, one)
        return Placed(places if lay is None else {**places, str(move.tile): lay}, one.by)

    def silent(self, state: State, evidence: Evidence) -> Iterable[Silent]:
        """A pass, where it is known whose."""
        assert isinstance(state, DrawState)
        if state.mover == ANYBODY:
            return ()
        return [Silent(move) for move in self.book.legal_moves(state) if isinstance(move, Pass)]

    def forced(self, state: State) -> Move | None:
        """Nothing is forced that nobody sees."""
        return None

    def twins(self, state: State, move: Move) -> Iterable[Move]:
        """The same of the other player, where nobody knew whose turn it was."""
        assert isinstance(state, DrawState)
        assert isinstance(move, DrawMove)
        twin = replace(move, player=other(move.player or ANYBODY))
        return (twin,) if state.mover == ANYBODY and self.book.judge(state, twin).allowed else ()

    def again(self, then: State, now: State, did: Move | Fact) -> Iterator[Move | Fact]:
        """Also of the other player: the players were taken for each other."""
        yield did
        if isinstance(did, DrawMove):
            assert isinstance(now, DrawState)
            yield replace(did, player=now.mover)

    def laid(self, move: Move) -> Hashable:
        """Who put a tile at which end of the line, whatever it shows."""
        return (move.player, getattr(move, "arm", "")) if isinstance(move, Down | Play) else None

    def facts(self, state: State, evidence: Evidence) -> Iterable[Fact]:
        """A tile drawn unseen, a deal into hands that nobody sees, and hands laid open."""
        assert isinstance(state, DrawState)
        if state.phase == "drawn":
            return [Drawn(None)]
        if state.phase == "deal":
            return [Deal((None, None))]
        return list(_shown(state, evidence)) if state.phase == "hand" else []

    def remembered(
        self, layout: Layout, found: Mapping[str, Sighting], places: Places, scene: Scene
    ) -> Places:
        """Where the tiles of the line lie."""
        kept: dict[str, Lay] = {}
        for spot in layout.spots:
            if spot.region not in (BOARD, ASIDE):
                continue
            one = found.get(spot.name)
            lay = None if one is None else lay_as(_tile_of(spot), one)
            if lay is not None:
                kept[spot.name] = lay
            elif spot.name in places:
                kept[spot.name] = places[spot.name]
        return kept

    def essence(self, state: State) -> Hashable:
        """Which hand was laid open first does not matter."""
        assert isinstance(state, DrawState)
        return state._replace(history=tuple(one for one in state.history if not isinstance(one, Shown)))

    def hangs_together(self, state: State, scene: Scene) -> bool:
        """Whether the line is the same, wherever it was pushed to."""
        assert isinstance(state, DrawState)
        return hangs_together(state.history, _laid(state, scene, {}))

    def waits_for(self, state: State) -> str:
        """What must be seen before play goes on."""
        assert isinstance(state, DrawState)
        return {
            "lot": "The lot must be drawn.",
            "deal": "The tiles must be dealt.",
            "hand": "The hands must be laid open.",
        }.get(state.phase, "")


GUIDE = DrawGuide


def _lying(spot: Spot, places: Places) -> Spot:
    if spot.region not in (BOARD, ASIDE):
        return spot
    lay = places.get(spot.name)
    if lay is None:
        return replace(spot, x=None, y=None, angle=None)
    return replace(spot, region=lay.region, x=lay.x, y=lay.y, angle=lay.angle)


def _tile_of(spot: Spot) -> Domino:
    low, high = spot.name.split("-")
    return Domino(int(low), int(high))


def _seen_at(domino: Domino, scene: Scene, places: Places) -> Lay | None:
    """Where a tile most likely lies in a scene."""
    one = _most_like(domino, scene, places)
    return None if one is None else lay_as(domino, one)


def _most_like(domino: Domino, scene: Scene, places: Places) -> Sighting | None:
    """What on the table most likely is this tile, and is not rather one that was known to lie there."""
    best, found = 0.0, None
    for one in scene.sightings:
        if one.kind == "domino" and one.region in (BOARD, ASIDE):
            looks = looks_like(one)
            sure = looks.get(str(domino), 0.0)
            known = (name for name, lay in places.items() if near(one, lay.x, lay.y, REACH))
            if sure > best and all(looks.get(name, 0.0) <= sure for name in known):
                best, found = sure, one
    return found


def _laid(state: DrawState, scene: Scene, places: Places) -> dict[Domino, Lies]:
    """Where the tiles on the table lie: as remembered, else as seen."""
    laid = {}
    for domino in tiles_in(board_tiles(state.history)):
        lay = places.get(str(domino)) or _seen_at(domino, scene, places)
        if lay is not None:
            laid[domino] = Lies(lay.x, lay.y, lay.angle)
    return laid


def _shown(state: DrawState, evidence: Evidence) -> Iterator[Fact]:
    """Hands laid open, in the likeliest ways to read them."""
    for player in (1, 2):
        if not state.hidden[player - 1]:
            continue
        seen = [one for one in evidence.in_region(f"hand-{player}", "domino") if one.face == "up"]
        readings = [list(dict.fromkeys(domino for domino, _ in tiles_of(one))) for one in seen]
        if seen and all(readings):
            for hand in islice(product(*readings), _HANDS):
                if len(set(hand)) == len(hand):
                    yield Shown(player, tuple(sorted(hand)))
