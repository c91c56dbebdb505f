"""Dominoes of War by touch: a soldier and where he goes or whom he hits, and the line that this says."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from engine.book import State
from engine.dominoes_of_war import notation
from engine.dominoes_of_war.book import DominoesOfWar
from engine.dominoes_of_war.model import (
    BASE_SIZE,
    TILES,
    Armies,
    Blow,
    Bonus,
    Extend,
    Face,
    First,
    Flipped,
    Found,
    Lot,
    March,
    Rewall,
    Run,
    Shoot,
    Spawn,
    Stock,
    Wall,
    WarFact,
    WarMove,
    WarState,
)
from engine.dominoes_of_war.places import (
    AROUND,
    FIELD,
    Place,
    border,
    column,
    name,
    names,
    place,
    place_called,
    row,
)
from engine.dominoes_of_war.troops import ARMIES, HIDDEN, TROOPS, title
from engine.touch import (
    PLAYER,
    READY,
    Form,
    Tap,
    Tappable,
    Taps,
    Toucher,
    Way,
    alone,
    in_turn,
    move,
    name_of,
    named,
    written,
)

NOBODY: Final = "say nothing"
SAID: Final[Mapping[Tap, str]] = {
    "say end": "End the turn",
    "say forfeit": "Give the bonus up",
    "say draw": "A draw",
    "say decline": "No draw",
    NOBODY: "He hits nobody",
    READY.tap: READY.words,
}
_EXPECTED: Final = {
    "armies": "Which armies are played?",
    "lot": "Who wins the coin flip?",
    "starter": "The winner says who goes first",
    "bases": f"Place a base: {BASE_SIZE} tiles",
    "walls": "Stand a wall between two tiles",
    "stock": "Stock the base with soldiers",
    "reveal": "Who stood behind the divider?",
    "tile": "What does the tile show that was turned?",
    "face": "Give each Sniper his facing",
    "offer": "A draw is offered",
}
_BONUSES: Final = {
    10: "Spawn a soldier free",
    12: "Use the extra action",
    17: "Add a tile to the base",
    20: "Move a wall",
}


class WarToucher(Toucher[WarState]):
    """A soldier and a place, a soldier and his victims, a wall and a border."""

    def __init__(self, book: DominoesOfWar) -> None:
        self._book = book
        self.forms = FORMS

    def ways(self, state: WarState) -> Iterable[Way]:
        """Each legal move, or each fact that may be seen."""
        for one in self._book.legal_moves(state):
            taps, asked = _of_move(state, one)
            least = len(taps) if isinstance(one, Found) else 2
            yield Way(taps, notation.format_move(one), asked, least)
        for fact in self._book.possible_facts(state):
            yield Way(_of_fact(fact), notation.format_fact(fact))

    def spoken(self, state: WarState, taps: Taps) -> str:
        """A soldier anywhere, anybody shot at, a wall or a base anywhere, a soldier out of the pool."""
        kinds = [tap.partition(" ")[0] for tap in taps]
        said = [name_of(tap) for tap in taps]
        match kinds:
            case ["soldier", "place"]:
                return f"move {said[0]} {said[1]}"
            case ["soldier", "soldier"]:
                return _attacked(state, said[0], said[1])
            case ["soldier", "wall"]:
                return f"blow {said[0]} {said[1]}"
            case ["soldier", "facing"]:
                return f"face {said[0]} {said[1]}"
            case ["wall", "border"]:
                return f"rewall {said[0]} {said[1]}"
            case ["border"] if state.phase == "walls":
                return f"wall {said[0]}"
            case ["place", *more] if state.phase == "bases" and set(more) <= {"place"}:
                return " ".join(["base", *names(frozenset(map(place_called, said)))])
            case ["pool", "place"]:
                return _out_of_pool(state, said[0].split(" ")[1], said[1])
            case ["place"] if state.phase == "bonus":
                return f"extend {said[0]}"
        return ""

    def expected(self, state: WarState) -> str:
        """What the phase asks for."""
        if state.phase == "bonus":
            return _BONUSES.get(state.bonus, "")
        if state.phase == "act":
            return _left(state.actions)
        return _EXPECTED.get(state.phase, "")

    def words(self, state: WarState, tap: Tap) -> str:
        """What a tap is called; a soldier by his type."""
        if tap.startswith("soldier "):
            troop = state.troop_at(place_called(name_of(tap)))
            if troop is not None:
                return f"the {title(troop.kind)} on {name_of(tap)}"
        return words(tap)


def _left(actions: int) -> str:
    if not actions:
        return "No action is left: end the turn"
    return f"{actions} {'action' if actions == 1 else 'actions'} left: move, attack, spawn, or end the turn"


def _attacked(state: WarState, one: str, other: str) -> str:
    """Somebody attacks; who taps two of his own means the second."""
    troop, target = state.troop_at(place_called(one)), state.troop_at(place_called(other))
    if troop is None or target is None or troop.side == target.side:
        return ""
    return f"{'run' if TROOPS[troop.kind].bomb else 'shoot'} {one} {other}"


def _out_of_pool(state: WarState, kind: str, to: str) -> str:
    """A soldier out of the pool: stocked, spawned free, or by a leader."""
    if state.phase == "stock":
        return f"stock {to} {kind}"
    if state.phase == "bonus":
        return f"bonus {kind} {to}"
    leaders = (troop for troop in state.troops if troop.side == state.turn and TROOPS[troop.kind].leads)
    leader = next(leaders, None)
    return "" if leader is None else f"spawn {name(leader.at)} {kind} {to}"


def words(tap: Tap) -> str:
    """What a tap is called."""
    kind, _, called = tap.partition(" ")
    match kind:
        case "say":
            return SAID.get(tap, called)
        case "pool":
            side, _, troop = called.partition(" ")
            return f"a {title(troop)} of player {side}"
        case "army":
            side, _, army = called.partition(" ")
            return f"player {side}: {army}"
        case "kind":
            return title(called)
        case "low":
            return f"{called} and …"
        case "high":
            return f"… and {called}"
        case "by":
            return f"by the leader on {called}"
        case "player":
            return f"Player {called}"
        case "form":
            return called
    return f"{kind} {called}"


# — what is tapped for a move or a fact —


def _of_move(state: WarState, one: WarMove) -> tuple[Taps, Taps]:
    """The things that are tapped, and what is asked where it still matters."""
    match one:
        case March():
            return (f"soldier {name(one.at)}", f"place {name(one.to)}"), ()
        case Run():
            return (f"soldier {name(one.at)}", f"soldier {name(one.to)}"), ()
        case Blow():
            return (f"soldier {name(one.at)}", f"wall {one.wall}"), ()
        case Shoot():
            return _shot(state, one), ()
        case Spawn():
            return (f"pool {one.player} {one.kind}", f"place {name(one.to)}"), (f"by {name(one.at)}",)
        case Bonus():
            return (f"pool {one.player} {one.kind}", f"place {name(one.to)}"), ()
        case Face():
            return (f"soldier {name(one.at)}", f"facing {one.facing}"), ()
    return _of_tiles(one), ()


def _of_tiles(one: WarMove) -> Taps:
    """What is tapped where tiles and walls are moved, or something is only said."""
    match one:
        case First():
            return (f"player {one.who}",)
        case Found():
            return tuple(f"place {at}" for at in names(one.tiles))
        case Wall():
            return (f"border {one.where}",)
        case Stock():
            return (f"pool {one.player} {one.kind}", f"place {name(one.at)}")
        case Extend():
            return (f"place {name(one.at)}",)
        case Rewall():
            return (f"wall {one.old}", f"border {one.new}")
    return (f"say {type(one).__name__.lower()}",)


def _shot(state: WarState, shot: Shoot) -> Taps:
    """The shooter and whom he hits; one who may hit two says when one is all."""
    hit = tuple(f"soldier {at}" for at in names(shot.targets))
    troop = state.troop_at(shot.at)
    assert troop is not None
    last = (READY.tap,) if TROOPS[troop.kind].split and len(hit) == 1 else ()
    return (f"soldier {name(shot.at)}", *(hit or (NOBODY,)), *last)


def _of_fact(fact: WarFact) -> Taps:
    match fact:
        case Armies():
            return f"army 1 {fact.first}", f"army 2 {fact.second}"
        case Lot():
            return (f"player {fact.winner}",)
        case Flipped():
            return f"low {fact.tile.low}", f"high {fact.tile.high}"
        case _:
            return f"soldier {name(fact.at)}", f"kind {fact.kind}"


# — the forms —

_AWAY: Final = 5
"""How far beyond the field the places are offered on which a base may lie."""
PLACES: Final[tuple[Place, ...]] = tuple(
    place(x, y) for x in range(1 - _AWAY, 9 + _AWAY) for y in range(1 - _AWAY, 9 + _AWAY)
)
_PLACE: Final = named("place", map(name, PLACES))
_SOLDIER: Final = named("soldier", map(name, PLACES))
_TILE_PLACE: Final = named("tile", map(name, FIELD))
_BORDER: Final = named(
    "border",
    (
        str(border(at, other))
        for at in PLACES
        for other in (at + AROUND["n"], at + AROUND["e"])
        if max(column(other), row(other)) <= 8 + _AWAY
    ),
)
_KIND: Final = named("kind", (kind for kind in TROOPS if kind != HIDDEN), title)
_ANY_KIND: Final = named("kind", TROOPS, title)
_FACING: Final = named("facing", AROUND)
_ARMY: Final = named("army", ARMIES, str.capitalize)


def _wall(state: State, told: Taps) -> Sequence[Tappable]:
    return [Tappable(tap.replace("border ", "wall ", 1), called) for tap, called in _BORDER(state, told)]


def _targets(state: State, told: Taps) -> Sequence[Tappable]:
    """The shooter, then up to two whom he hits, or nobody."""
    if len(told) == 3 or told[-1:] in ((NOBODY,), (READY.tap,)):
        return ()
    left = [choice for choice in _SOLDIER(state, told) if choice.tap not in told]
    if len(told) == 1:
        return [Tappable(NOBODY, SAID[NOBODY]), *left]
    return [READY, *left] if told else left


def _shoot_line(taps: Taps) -> str:
    hit = [place_called(name_of(tap)) for tap in taps[1:] if tap.startswith("soldier ")]
    return " ".join(["shoot", name_of(taps[0]), *(names(tuple(hit)) or ("nothing",))])


def _base(state: State, told: Taps) -> Sequence[Tappable]:
    if READY.tap in told or len(told) == BASE_SIZE:
        return ()
    left = [choice for choice in _PLACE(state, told) if choice.tap not in told]
    return [*left, READY] if told else left


def _base_line(taps: Taps) -> str:
    tiles = tuple(place_called(name_of(tap)) for tap in taps if tap != READY.tap)
    return " ".join(["base", *names(tiles)])


def _two_halves(_state: State, told: Taps) -> Sequence[Tappable]:
    """The tile on a place: its lower end, then its higher one."""
    if len(told) == 1:
        return [Tappable(f"low {low}", f"{low} and …") for low in sorted({tile.low for tile in TILES})]
    if len(told) == 2:
        low = int(name_of(told[1]))
        return [Tappable(f"high {tile.high}", f"{low} and {tile.high}") for tile in TILES if tile.low == low]
    return ()


def _flipped(state: State, told: Taps) -> Sequence[Tappable]:
    return _two_halves(state, told) if told else _TILE_PLACE(state, told)


def _moves() -> Iterator[Form]:
    yield move(
        "move", "A soldier moves", "move PLACE PLACE", "1: move d4 d6", in_turn(_SOLDIER, _PLACE),
        written("move {0} {1}"),
    )  # fmt: skip
    yield move(
        "shoot",
        "A soldier attacks",
        "shoot PLACE PLACE [PLACE]|nothing",
        "1: shoot d4 d7",
        _targets,
        _shoot_line,
    )
    yield move(
        "run", "A Kamikaze runs onto an enemy", "run PLACE PLACE", "1: run d4 d5",
        in_turn(_SOLDIER, _SOLDIER), written("run {0} {1}"),
    )  # fmt: skip
    yield move(
        "blow", "A Kamikaze runs into a wall", "blow PLACE WALL", "1: blow d4 e4/f4",
        in_turn(_SOLDIER, _wall), written("blow {0} {1}"),
    )  # fmt: skip
    yield move(
        "spawn", "A leader spawns a soldier", "spawn PLACE TYPE PLACE", "1: spawn d4 grunt (0,3)",
        in_turn(_SOLDIER, _KIND, _PLACE), written("spawn {0} {1} {2}"),
    )  # fmt: skip
    yield move("end", "The actions of the turn are over", "end", "1: end", *alone("end"))
    yield move(
        "face", "A Sniper is given his facing", "face PLACE n|e|s|w|ne|se|sw|nw", "1: face d4 n",
        in_turn(_SOLDIER, _FACING), written("face {0} {1}"),
    )  # fmt: skip
    yield move(
        "bonus", "A soldier is spawned free", "bonus TYPE PLACE", "1: bonus grunt (0,3)",
        in_turn(_KIND, _PLACE), written("bonus {0} {1}"),
    )  # fmt: skip
    yield move(
        "extend", "A tile is added to the base", "extend PLACE", "1: extend (0,5)", in_turn(_PLACE),
        written("extend {0}"),
    )  # fmt: skip
    yield move(
        "rewall", "A wall is moved", "rewall WALL WALL", "1: rewall d4/d5 a1/b1", in_turn(_wall, _BORDER),
        written("rewall {0} {1}"),
    )  # fmt: skip
    yield move("forfeit", "A bonus is given up", "forfeit", "1: forfeit", *alone("forfeit"))
    yield move("draw", "A draw is offered or accepted", "draw", "1: draw", *alone("draw"))
    yield move("decline", "The offer of a draw is declined", "decline", "2: decline", *alone("decline"))
    yield from _set_up_moves()


def _set_up_moves() -> Iterator[Form]:
    yield move("first", "Who goes first", "first PLAYER", "1: first 2", in_turn(PLAYER), written("first {0}"))
    yield move(
        "base", "A player places his base", "base PLACE PLACE …",
        "1: base (0,3) (0,4) (0,5) (0,6) (0,7) (0,8)", _base, _base_line,
    )  # fmt: skip
    yield move(
        "wall", "A wall is stood up", "wall WALL", "1: wall d4/d5", in_turn(_BORDER), written("wall {0}")
    )
    yield move(
        "stock", "A soldier is put on a base tile", "stock PLACE TYPE|hidden", "1: stock (0,3) grunt",
        in_turn(_PLACE, _ANY_KIND), written("stock {0} {1}"),
    )  # fmt: skip


def _facts() -> Iterator[Form]:
    yield Form(
        "see armies", "fact", "The armies, player 1's first", "see armies ARMY ARMY",
        "see armies army cowboys", in_turn(_ARMY, _ARMY), written("see armies {0} {1}"),
    )  # fmt: skip
    yield Form(
        "see lot", "fact", "Who won the coin flip", "see lot PLAYER", "see lot 1", in_turn(PLAYER),
        written("see lot {0}"),
    )  # fmt: skip
    yield Form(
        "see soldier", "fact", "Who stood behind the divider", "see PLACE TYPE", "see (0,3) grunt",
        in_turn(_SOLDIER, _KIND), written("see {0} {1}"),
    )  # fmt: skip
    yield Form(
        "see tile", "fact", "What a turned tile shows", "see PLACE TILE", "see d6 3-5", _flipped,
        written("see {0} {1}-{2}"),
    )  # fmt: skip


def _home(state: WarState) -> Sequence[Tappable]:
    """The places of the field and of the bases."""
    places = (*FIELD, *state.bases[0], *state.bases[1])
    return [Tappable(f"place {at}", at) for at in names(places)]


def _put_soldier(state: State, told: Taps) -> Sequence[Tappable]:
    assert isinstance(state, WarState)
    if len(told) == 1:
        gone = [Tappable("say pool", "into the pool"), Tappable("say discard", "killed")]
        return [*gone, *_home(state)]
    standing = [name(troop.at) for troop in state.troops]
    return (
        ()
        if told
        else [Tappable(f"soldier {at}", f"the soldier on {at}") for at in standing] or _SOLDIER(state, told)
    )


def _put_fresh(state: State, told: Taps) -> Sequence[Tappable]:
    assert isinstance(state, WarState)
    kinds = [kind for kind in TROOPS if any(state.in_pool(side, kind) for side in (1, 2))]
    match len(told):
        case 0:
            return [Tappable(f"kind {kind}", title(kind)) for kind in kinds] or _KIND(state, told)
        case 1:
            return PLAYER(state, told)
    return _home(state) if len(told) == 2 else ()


def _put_wall(state: State, told: Taps) -> Sequence[Tappable]:
    assert isinstance(state, WarState)
    if len(told) == 1:
        return [Tappable("say discard", "blown up"), *_BORDER(state, told)]
    return () if told else [Tappable(f"wall {wall}", str(wall)) for wall in state.walls] or _wall(state, told)


def _put_tile(state: State, told: Taps) -> Sequence[Tappable]:
    if told[1:2] == ("say down",):
        return ()
    choices = _flipped(state, told)
    return [Tappable("say down", "face down"), *choices] if len(told) == 1 else choices


def _put_tile_line(taps: Taps) -> str:
    return f"put tile {name_of(taps[0])} {'-'.join(name_of(tap) for tap in taps[1:])}"


def _puts() -> Iterator[Form]:
    yield Form(
        "put soldier", "put", "A soldier stands elsewhere, or nowhere",
        "put soldier PLACE PLACE|pool|discard",
        "put soldier d4 d5", _put_soldier, written("put soldier {0} {1}"),
    )  # fmt: skip
    yield Form(
        "put fresh", "put", "A soldier of the pool stands there", "put TYPE PLAYER PLACE", "put grunt 1 d5",
        _put_fresh, written("put {0} {1} {2}"),
    )  # fmt: skip
    yield Form(
        "put wall", "put", "A wall stands elsewhere, or nowhere", "put wall WALL WALL|discard",
        "put wall d4/d5 e4/e5", _put_wall, written("put wall {0} {1}"),
    )  # fmt: skip
    yield Form(
        "put tile", "put", "What a tile shows", "put tile PLACE TILE|down", "put tile d4 2-5", _put_tile,
        _put_tile_line,
    )  # fmt: skip
    yield Form(
        "put turn", "put", "Whose turn it is", "put turn PLAYER", "put turn 2", in_turn(PLAYER),
        written("put turn {0}"),
    )  # fmt: skip
    yield Form(
        "put actions", "put", "How many actions are used", "put actions NUMBER", "put actions 1",
        in_turn(named("digit", "0123")), written("put actions {0}"),
    )  # fmt: skip


FORMS: Final = (*_moves(), *_facts(), *_puts())
TOUCHER: Final = WarToucher
