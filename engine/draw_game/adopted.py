# ruff: noqa: ARG002 (what an adopter is asked is the same for every game)
"""A table of the Draw Game as it lies: the line is seen, the hands are what it and the boneyard leave.

Nobody sees into a hand, and the record may be wrong about how many tiles it holds: then what is seen counts.
Scores, the match so far and who has the Down are those of the record.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations, islice
from math import hypot
from typing import Final, NamedTuple

from engine.book import State
from engine.dominoes import Domino
from engine.draw_game.beyond import with_whole_line
from engine.draw_game.by_hand import put
from engine.draw_game.chain import (
    Lies,
    attached,
    doubles_of,
    first_of,
    grown,
    hangs_together,
    neighbours,
    touching_nothing,
)
from engine.draw_game.deals import closed, new_deal, told
from engine.draw_game.known_hands import boneyard, size
from engine.draw_game.line import line_of, spinner_of
from engine.draw_game.model import (
    ANYBODY,
    BIT,
    TILES,
    Beside,
    Down,
    DrawState,
    Event,
    Pass,
    Play,
    Shown,
    board_tiles,
    mask,
    moves_in,
    other,
    tiles_in,
)
from engine.draw_game.rules import House, house
from engine.draw_game.sighted import BOARD, looks_like, mover_seen, tiles_of
from engine.draw_game.stored import unseen_by
from engine.errors import BadSetup
from engine.matching.adopted import Adopter, Need
from engine.plain import JsonObject
from engine.scene import Scene, Sighting

_WHOLE: Final = len(TILES)
_DOUBTFUL: Final = 0.5
"""What is rather no tile, or rather another one, begins no line."""
_BESIDES: Final = 0.1
"""What looks like a tile that lies elsewhere is another one that it looks like so much, at least, besides."""
_SAME: Final = 1.0
"""Nearer to each other, in half dominoes, no two tiles lie."""
_SURE, _BESIDE = 0.9, 2.6
"""What is seen so surely is a tile, though none lies so near to it as those of one line."""


class SeenDeal(NamedTuple):
    """What is seen of a deal."""

    lies: Mapping[Domino, Lies]
    """The tiles of the line, and where they lie."""
    doubtful: Collection[Domino]
    """Those of them that are part of it only if they touch it."""
    closed: int | None
    """How many tiles lie in the boneyard; None where that cannot be seen."""
    shown: tuple[int, int] = (0, 0)
    """The tiles that lie open with each player."""


def taken_up(state: DrawState, table: SeenDeal, house: House) -> DrawState:
    """The deal of the record as it goes on from the table; raises BadSetup, saying what to do."""
    if state.phase == "deal":
        state = new_deal(state, (0, 0), (house.hand, house.hand))
    history = _history(state, table)
    laid = board_tiles(history)
    sizes, mover = _held(state, laid, table.closed, house)
    for k in (0, 1):
        if table.shown[k]:  # then the other hand is all the rest
            whole, sizes[k] = sum(sizes), table.shown[k].bit_count()
            sizes[1 - k] = max(0, whole - sizes[k])
    hands = [(table.shown[k] or state.hands[k]) & ~laid for k in (0, 1)]
    hands[1] &= ~hands[0]
    hidden = [max(0, sizes[k] - hands[k].bit_count()) for k in (0, 1)]
    known, unknown = (hands[0], hands[1]), (hidden[0], hidden[1])
    ends, bare = line_of(history)
    done = state.match.before + moves_in(state.history)
    taken = state._replace(
        phase="playing",
        mover=mover,
        hands=known,
        hidden=unknown,
        unseen=unseen_by(known, unknown, history),
        ends=ends,
        bare=bare,
        redeal=state.redeal if laid == board_tiles(state.history) else 0,
        history=history,
        claims=(),
        match=state.match._replace(before=done - moves_in(history), due=None),
    )
    if any(table.shown):
        return closed(_laid_open(taken, table), house)
    return told(taken, house) if size(taken, 1) and size(taken, 2) else closed(taken, house)


def _laid_open(state: DrawState, table: SeenDeal) -> DrawState:
    """The deal is over, as a hand lies open: somebody is out, or neither could go on."""
    passed = (Pass(other(state.mover)), Pass(state.mover)) if size(state, 1) and size(state, 2) else ()
    shown = [Shown(player, tiles_in(tiles)) for player, tiles in enumerate(table.shown, 1) if tiles]
    return state._replace(history=(*state.history, *passed, *shown))


def unknown_of(before: DrawState, after: DrawState) -> Iterator[str]:
    """What nobody can know of a deal that was taken up as it lies, in sentences."""
    held = " and ".join(f"player {player} {size(after, player)}" for player in (1, 2) if size(after, player))
    if any(after.hidden):
        yield f"Nobody sees into the hands: counted are {held} tiles, and {boneyard(after)} in the boneyard."
    fresh = board_tiles(after.history) & ~board_tiles(before.history)
    if fresh:
        tiles = ", ".join(map(str, tiles_in(fresh)))
        yield f"What {tiles} scored is not known and not counted."
    if after.phase == "playing":
        yield f"It counts as the turn of player {after.mover}."


def _history(state: DrawState, table: SeenDeal) -> tuple[Event, ...]:
    """The line: the record's with what lies there besides, where its tiles still lie so; else a new one.

    Also what does not fit where it lies is part of it: players may have let it stand.
    """
    lies, recorded = table.lies, board_tiles(state.history)
    if not lies:
        return ()
    begun: list[Sequence[Event]] = [[Down(first)] for first in _firsts(state, table)]
    if recorded and not recorded & ~mask(lies) and hangs_together(state.history, lies):
        begun.insert(0, state.history)
    ways = ((kept, *attached(kept, lies, _without(lies, kept))) for kept in begun)
    best = next(ways)
    for way in ways:
        if not best[2]:
            break
        best = min(best, way, key=lambda one: len(one[2]))
    kept, plays, left = best
    return (*kept, *plays, *_beside(lies, left, table.doubtful))


def _firsts(state: DrawState, table: SeenDeal) -> Sequence[Domino]:
    """The tiles from which the line may be told: the likeliest, then the doubles, then all others."""
    doubtful = table.doubtful if len(table.doubtful) < len(table.lies) else ()
    first, _ = first_of(table.lies, spinner_of(state.history), doubtful)
    rest = sorted((one for one in table.lies if one not in doubtful), key=lambda one: not one.is_double)
    return [first, *rest]


def _without(lies: Mapping[Domino, Lies], kept: Sequence[Event]) -> set[Domino]:
    """The tiles that are no part of a line yet."""
    return {domino for domino in lies if not BIT[domino] & board_tiles(kept)}


def _beside(
    lies: Mapping[Domino, Lies], left: Collection[Domino], doubtful: Collection[Domino]
) -> Iterator[Beside]:
    """Tiles that lie dead beside the line; raises BadSetup for one that lies nowhere near it."""
    others = {domino: at for domino, at in lies.items() if domino not in left}
    apart = []
    for domino in sorted(left):
        found = next(neighbours(domino, lies[domino], others), None)
        if found is not None:
            yield found
        elif domino not in doubtful:
            apart.append(domino)
    if apart:
        raise BadSetup(touching_nothing(apart))


def _held(state: DrawState, laid: int, closed_: int | None, house: House) -> tuple[list[int], int]:
    """How many tiles each player holds, and whose turn it is.

    Tiles that are gone from the line are with whoever laid them; new ones were laid in turn, from whoever was
    to move; what the boneyard lacks has been drawn by whoever was to move.
    """
    before = board_tiles(state.history)
    sizes, mover = [size(state, player) for player in (1, 2)], state.mover or 1
    back = [
        event.player
        for event in state.history
        if isinstance(event, Down | Play | Beside) and event.bit & before & ~laid
    ]
    for player in back:
        mover = back[0] or mover
        sizes[(player or mover) - 1] += 1
    drawer = mover
    for _ in range((laid & ~before).bit_count()):
        sizes[mover - 1] -= 1
        mover = other(mover)
    rest = _WHOLE - laid.bit_count()
    lie = rest - sum(sizes) if closed_ is None else closed_
    held = rest - max(0, min(lie, house.boneyard, rest))
    sizes[drawer - 1] += held - sum(sizes)
    for k in (0, 1):
        short = min(0, sizes[k])
        sizes[k] -= short
        sizes[1 - k] += short
    return sizes, mover


class DrawAdopter(Adopter):
    """A table of the Draw Game as it lies."""

    def whoever(self, state: State) -> State:
        """The state in which either may be next, as far as both hold equally many tiles."""
        assert isinstance(state, DrawState)
        alike = state.phase == "playing" and size(state, 1) == size(state, 2)
        return state._replace(mover=ANYBODY) if alike else state

    def opening(self, state: State) -> tuple[Need, ...]:
        """The tiles that nobody has taken lie face down in the boneyard."""
        count = self.book.layout(state).hidden.get("boneyard", 0)
        return (Need(f"{count} tiles", "domino", "boneyard", "down", many=count),)

    def table(self, state: State, scene: Scene) -> JsonObject:
        """The line as it lies, grown from its first tile; hands, scores and turns are as they were."""
        assert isinstance(state, DrawState)
        scene = with_whole_line(state, scene, {})
        line, doubtful = _line_in(scene, untouched=self._untouched(state, scene))
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
        mover = scene.by if state.phase == "lot" and scene.by else mover_seen(state, scene)
        return {**setup, "board": board, "turn": mover, "played": [True, True]}

    def taken(self, state: State, scene: Scene) -> State:
        """The deal of the record as it goes on from the line and the boneyard; the match is kept."""
        assert isinstance(state, DrawState)
        if state.phase in ("lot", "over"):
            return super().taken(state, scene)
        line, doubtful = _line_in(scene, untouched=False)
        hidden = scene.is_hidden("boneyard")
        shown = [
            mask(domino for one in _open_in(scene, player) for domino, _ in islice(tiles_of(one), 1))
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
        line, doubtful = _line_in(scene, untouched=self._untouched(state, scene))
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


ADOPTER = DrawAdopter


def _line_in(scene: Scene, *, untouched: bool) -> tuple[dict[Domino, Lies], set[Domino]]:
    """All tiles that lie face up on the board, and those of them that perhaps do not.

    Of what looks like one tile twice the clearer is it, and the other is what it looks like besides, as there
    is one of each. Where all is doubtful, all of it counts, unless it is rather no tile at all, or lies alone
    while the boneyard is ``untouched``: then there is no line yet.
    """
    found, worth = dict[Domino, Lies](), dict[Domino, float]()
    for one in sorted(_open_tiles(scene), key=_clearness, reverse=True):
        if next(tiles_of(one), None) is None and one.presence >= _DOUBTFUL:
            raise BadSetup("A tile of the line cannot be read: move it out of the gleam or the shadow.")
        looks, left = looks_like(one), 1.0
        for domino, lies in tiles_of(one):
            share = looks[str(domino)]
            if domino not in found:
                if left == 1.0 or share >= max(_BESIDES, _DOUBTFUL * left):
                    found[domino], worth[domino] = lies, one.presence * share / max(share, left)
                break
            if hypot(found[domino].x - lies.x, found[domino].y - lies.y) < _SAME:
                break  # it is that tile, seen twice
            left -= share
    if _is_pattern(scene, found, worth, untouched=untouched):
        return {}, set()
    doubtful = {domino for domino, clear in worth.items() if clear < _DOUBTFUL}
    return found, doubtful if len(doubtful) < len(found) else set()


def _clearness(one: Sighting) -> float:
    """How sure it is what a tile shows."""
    return one.presence * one.guesses[0].probability if one.guesses else 0.0


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
