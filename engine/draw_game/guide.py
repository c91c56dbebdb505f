# ruff: noqa: ARG002 (what a guide is asked is the same for every game)
"""Where to look in the Draw Game for what happened: a tile that touches the line, and tiles counted."""

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, islice, product
from math import hypot
from typing import ClassVar, Final

from engine.belonging import Belongings
from engine.book import AnyRuleBook, Fact, Move, State
from engine.dominoes import Domino, tile
from engine.draw_game.adopted import SeenDeal, taken_up, unknown_of
from engine.draw_game.beyond import with_whole_line
from engine.draw_game.by_hand import put
from engine.draw_game.chain import End, Lies, doubles_of, ends, grown, hangs_together, neighbours, touches
from engine.draw_game.known_hands import size
from engine.draw_game.line import spinner_of
from engine.draw_game.model import (
    ANYBODY,
    BIT,
    TILES,
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
    mask,
    other,
    tiles_in,
)
from engine.draw_game.rules import house
from engine.errors import BadSetup
from engine.layout import Layout, Spot
from engine.matching.evidence import REACH, Evidence, Gap, Lay, Leniency, Places
from engine.matching.guide import Guide, Need, Placed, Silent, near
from engine.matching.piece_words import is_unread
from engine.plain import Json, JsonObject
from engine.scene import Scene, Sighting

BOARD: Final = "board"
ASIDE: Final = "aside"
_LEAST: Final = 0.002
"""A reading less likely than this is no reason to think of a move."""
_DOUBTFUL: Final = 0.5
"""What is rather no tile, or rather another one, begins no line."""
_SURE, _BESIDE = 0.9, 2.6
"""What is seen so surely is a tile, though none lies so near to it as those of one line."""
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
            yield Draw(_next(state, scene))
        laid = _laid(state, scene, places)
        arms = ends(state.history, laid)
        for one in gap.extra:
            if one.kind == "domino" and one.region in (BOARD, ASIDE):
                for domino, lies in (*_readings(one), *_any_tile(one)):
                    if domino not in laid:
                        yield from self._at(_next(state, scene), domino, lies, arms, laid)

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

    def overlooked(self, state: State) -> Iterable[Move]:
        """None: what a tile touches tells which move it was, and that was looked at."""
        return ()

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
        lay = _lay(move.tile, one)
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

    def whoever(self, state: State) -> State:
        """The state in which either may be next, as far as both hold equally many tiles."""
        assert isinstance(state, DrawState)
        alike = state.phase == "playing" and size(state, 1) == size(state, 2)
        return state._replace(mover=ANYBODY) if alike else state

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
            lay = None if one is None else _lay(_tile_of(spot), one)
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

    def opening(self, state: State) -> tuple[Need, ...]:
        """The tiles that nobody has taken lie face down in the boneyard."""
        count = self.book.layout(state).hidden.get("boneyard", 0)
        return (Need(f"{count} tiles", "domino", "boneyard", "down", many=count),)

    def table(self, state: State, scene: Scene) -> JsonObject:
        """The line as it lies, grown from its first tile; hands, scores and turns are as they were."""
        assert isinstance(state, DrawState)
        scene = with_whole_line(state, scene, {})
        line, doubtful = _everything(scene, untouched=self._untouched(state, scene))
        board: JsonObject = grown(line, spinner_of(state.history), doubtful) if line else {}
        held = [size(state, player) for player in (1, 2)]
        if not any(held):  # nothing is known yet: what is neither on the board nor in the boneyard is held
            closed = _closed(scene)
            laid = bool(board) + sum(len(arm) for arm in board.values() if isinstance(arm, list))
            rest = len(TILES) - laid - closed
            held = [rest // 2, rest // 2]
            held[(scene.by or state.mover) - 1] += rest % 2
        setup: JsonObject = {
            "down": scene.by or state.match.down,
            "deal": max(1, state.match.deal),
            "scores": list(state.scores),
            "before": list(state.scores),
            "hands": [{"tiles": [], "hidden": number} for number in held],
        }
        if not board:
            return setup
        mover = scene.by if state.phase == "lot" and scene.by else _next(state, scene)
        return {**setup, "board": board, "turn": mover, "played": [True, True]}

    def taken(self, state: State, scene: Scene) -> State:
        """The deal of the record as it goes on from the line and the boneyard; the match is kept."""
        assert isinstance(state, DrawState)
        if state.phase in ("lot", "over"):
            return super().taken(state, scene)
        line, doubtful = _everything(scene, untouched=False)
        hidden = scene.is_hidden("boneyard")
        shown = [
            mask(domino for one in _open_in(scene, player) for domino, _ in islice(_readings(one), 1))
            for player in (1, 2)
        ]
        seen = SeenDeal(line, doubtful, None if hidden else _closed(scene), (shown[0], shown[1]))
        return taken_up(state, seen, house(self.book.settings))

    def put(self, state: State, words: Sequence[str]) -> State:
        """Tiles at the ends of the line, how many a hand holds, and points."""
        assert isinstance(state, DrawState)
        return put(state, words, house(self.book.settings))

    def unknown(self, before: State, after: State, scene: Scene) -> tuple[str, ...]:
        """How many tiles the hands are taken to hold, and what was not counted."""
        assert isinstance(before, DrawState)
        assert isinstance(after, DrawState)
        return (*unknown_of(before, after),)

    def granted(self, state: State, scene: Scene) -> tuple[str, ...]:
        """That what is not clearly a tile is none where no line has begun; which double is the spinner."""
        assert isinstance(state, DrawState)
        seen = any(one.presence >= _DOUBTFUL for one in _open_tiles(scene))
        line, doubtful = _everything(scene, untouched=self._untouched(state, scene))
        if line and state.phase == "lot" and len(doubles_of(line, doubtful)) > 1:
            first = grown(line, None, doubtful)["spinner"]
            return (f"Which double was laid first cannot be seen: the {first} counts as the spinner.",)
        if not seen or line:
            return ()
        return ("What looks a little like a tile on the board is taken for none: no tile is laid yet.",)

    def _untouched(self, state: State, scene: Scene) -> bool:
        """Whether nothing is known of a game yet, and as many tiles lie closed as after a deal."""
        assert isinstance(state, DrawState)
        return (
            not any(size(state, player) for player in (1, 2))
            and _closed(scene) == house(self.book.settings).boneyard
        )


GUIDE = DrawGuide


def _everything(scene: Scene, *, untouched: bool) -> tuple[dict[Domino, Lies], set[Domino]]:
    """All tiles that lie face up on the board, and those of them that perhaps do not.

    Of what looks like one tile twice the clearer is it. Where all is doubtful, all of it counts, unless it is
    rather no tile at all, or lies alone while the boneyard is ``untouched``: then there is no line yet.
    """
    found, worth = dict[Domino, Lies](), dict[Domino, float]()
    for one in _open_tiles(scene):
        reading = next(_readings(one), None)
        if reading is None and one.presence < _DOUBTFUL:
            continue
        if reading is None:
            raise BadSetup("A tile of the line cannot be read: move it out of the gleam or the shadow.")
        domino, lies = reading
        clear = one.presence * one.guesses[0].probability
        if clear > worth.get(domino, 0.0):
            found[domino], worth[domino] = lies, clear
    if _is_pattern(scene, found, worth, untouched=untouched):
        return {}, set()
    doubtful = {domino for domino, clear in worth.items() if clear < _DOUBTFUL}
    return found, doubtful if len(doubtful) < len(found) else set()


def _closed(scene: Scene) -> int:
    """How many tiles are seen in the boneyard."""
    return sum(one.kind == "domino" and one.region == "boneyard" for one in scene.sightings)


def _open_in(scene: Scene, player: int) -> list[Sighting]:
    """The tiles that a player has laid open before him."""
    return [
        one
        for one in scene.sightings
        if one.kind == "domino" and one.region == f"hand-{player}" and one.face == "up"
    ]


def _open_tiles(scene: Scene) -> list[Sighting]:
    return [
        one for one in scene.sightings if one.kind == "domino" and one.region == BOARD and one.face == "up"
    ]


def _is_pattern(
    scene: Scene, found: Mapping[Domino, Lies], worth: Mapping[Domino, float], *, untouched: bool
) -> bool:
    """Whether all that looks like a tile of the line is but a pattern of the table."""
    if all(one.presence < _DOUBTFUL for one in _open_tiles(scene)):
        return True
    apart = all(hypot(a.x - b.x, a.y - b.y) > _BESIDE for a, b in combinations(found.values(), 2))
    return untouched and apart and all(clear < _SURE for clear in worth.values())


def _next(state: DrawState, scene: Scene) -> int:
    """Whose turn it is; where nobody knows, that of the player who was seen, or came first."""
    return state.mover or scene.by or scene.came or 1


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


def _readings(one: Sighting, least: float = _LEAST) -> Iterator[tuple[Domino, Lies]]:
    """The tiles that a sighting may be, each as it lies then."""
    if one.x is None or one.y is None or one.angle is None:
        return
    for guess in one.guesses:
        ends_ = _pips((guess.value or {}).get("pips"))
        if ends_ is not None and (guess.face or one.face) == "up" and guess.probability >= least:
            angle = one.angle if ends_[0] <= ends_[1] else (one.angle + 180) % 360
            yield tile(*ends_), Lies(one.x, one.y, angle)


def _any_tile(one: Sighting) -> Iterator[tuple[Domino, Lies]]:
    """Every tile, either way round, that may lie open where one lies that cannot be read."""
    if one.x is None or one.y is None or one.angle is None or not is_unread(one):
        return
    for domino in TILES:
        for turn in (0, 180)[: 2 - domino.is_double]:
            yield domino, Lies(one.x, one.y, (one.angle + turn) % 360)


def _pips(value: Json) -> tuple[int, int] | None:
    if not isinstance(value, list | tuple) or len(value) != 2:
        return None
    a, b = (end if isinstance(end, int) else -1 for end in value)
    return (a, b) if tile(a, b) in BIT else None


def _lay(domino: Domino, one: Sighting) -> Lay | None:
    """Where a sighting lies if it is this tile."""
    for found, lies in _readings(one, 0.0):
        if found == domino:
            return Lay(one.region, lies.x, lies.y, lies.angle)
    return None


def _seen_at(domino: Domino, scene: Scene, places: Places) -> Lay | None:
    """Where a tile most likely lies in a scene."""
    one = _most_like(domino, scene, places)
    return None if one is None else _lay(domino, one)


def _most_like(domino: Domino, scene: Scene, places: Places) -> Sighting | None:
    """What on the table most likely is this tile, and is not rather one that was known to lie there."""
    best, found = 0.0, None
    for one in scene.sightings:
        if one.kind == "domino" and one.region in (BOARD, ASIDE):
            looks = _looks_like(one)
            sure = looks.get(str(domino), 0.0)
            known = (name for name, lay in places.items() if near(one, lay.x, lay.y, REACH))
            if sure > best and all(looks.get(name, 0.0) <= sure for name in known):
                best, found = sure, one
    return found


def _looks_like(one: Sighting) -> Mapping[str, float]:
    """How likely a sighting is which tile, by their names."""
    looks: dict[str, float] = {}
    for guess in one.guesses:
        ends_ = _pips((guess.value or {}).get("pips"))
        if ends_ is not None:
            name = str(tile(*ends_))
            looks[name] = looks.get(name, 0.0) + guess.probability
    return looks


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
        readings = [list(dict.fromkeys(domino for domino, _ in _readings(one))) for one in seen]
        if seen and all(readings):
            for hand in islice(product(*readings), _HANDS):
                if len(set(hand)) == len(hand):
                    yield Shown(player, tuple(sorted(hand)))
