"""Reading a state from plain data: every entry, and that they agree with each other."""

from collections.abc import Callable, Mapping
from typing import TypeVar, get_args

from engine.dominoes import Domino, tile
from engine.dominoes_of_war.model import (
    BONUSES,
    FIELD_DOWN,
    GAME,
    SET_UP,
    TILE_NUMBER,
    VERSION,
    Counts,
    Ended,
    Phase,
    Troop,
    Walk,
    WarState,
)
from engine.dominoes_of_war.places import (
    AROUND,
    FIELD,
    FIELD_INDEX,
    Border,
    Place,
    border,
    name,
    place_called,
)
from engine.dominoes_of_war.troops import ARMIES, HIDDEN, TROOPS, title
from engine.plain import BadData, Json, get, items, obj, text, truth, whole

T = TypeVar("T")


def read_state(data: Mapping[str, Json]) -> WarState:
    """The state that ``to_json`` wrote; raises BadData, naming what is wrong."""
    if get(data, "game", "a state") != GAME:
        raise BadData(f"the entry 'game' should be {GAME!r}, not {data['game']!r}")
    if get(data, "version", "a state") != VERSION:
        raise BadData(f"the entry 'version' should be {VERSION}, not {data['version']!r}")
    return state_of(data)


def state_of(data: Mapping[str, Json]) -> WarState:
    """The state with these entries; raises BadData, naming what is wrong."""
    state = _of_now(_read(data))
    _check_bases(state)
    _check_walls(state)
    _check_troops(state)
    _check_focus(state)
    _check_course(state)
    return state


# — entries —


def _read(data: Mapping[str, Json]) -> WarState:
    armies = _pair(_entry(data, "armies"), "the entry 'armies'", _army)
    walk = _entry(data, "walk")
    focus = _entry(data, "focus")
    return WarState(
        phase=_phase(_entry(data, "phase")),
        turn=_side(_entry(data, "turn"), "the entry 'turn'"),
        starter=_side(_entry(data, "starter"), "the entry 'starter'"),
        armies=armies,
        bases=_pair(_entry(data, "bases"), "the entry 'bases'", _places),
        walls=tuple(sorted(_wall(entry) for entry in items(_entry(data, "walls"), "the entry 'walls'"))),
        troops=tuple(
            sorted(_troop(entry, armies) for entry in items(_entry(data, "troops"), "the entry 'troops'"))
        ),
        pools=_counts(_entry(data, "pools"), "pools", armies),
        discarded=_counts(_entry(data, "discarded"), "discarded", armies),
        field=_field(obj(_entry(data, "field"), "the entry 'field'")),
        mines=bytes(sorted(_mine(entry) for entry in items(_entry(data, "mines"), "the entry 'mines'"))),
        spare=_count(data, "spare"),
        rubble=_count(data, "rubble"),
        actions=_count(data, "actions"),
        extra=_count(data, "extra"),
        focus=0 if focus is None else _place(focus, "the entry 'focus'"),
        faced=_places(data.get("faced", []), "the entry 'faced'"),
        bonus=_count(data, "bonus"),
        walk=None if walk is None else _walk(obj(walk, "the entry 'walk'")),
        offered=truth(_entry(data, "offered"), "the entry 'offered'"),
        ended=_ended(_entry(data, "ended")),
    )


def _of_now(state: WarState) -> WarState:
    """The state as it is told now: once Snipers were faced in the order of their places, from 'focus' on."""
    troop = state.troop_at(state.focus)
    if state.phase != "face" or troop not in _snipers(state):
        return state
    return state._replace(focus=0, faced=tuple(one.at for one in _snipers(state) if one.at < state.focus))


def _snipers(state: WarState) -> list[Troop]:
    """The Snipers of the player whose turn it is."""
    return [one for one in state.troops if one.side == state.turn and one.kind == "sniper"]


def _entry(data: Mapping[str, Json], key: str) -> Json:
    return get(data, key, "the state")


def _count(data: Mapping[str, Json], key: str) -> int:
    number = whole(_entry(data, key), f"the entry {key!r}")
    if number < 0:
        raise BadData(f"the entry {key!r} should be 0 or more, not {number}")
    return number


def _phase(value: Json) -> Phase:
    for phase in get_args(Phase):
        if phase == value:
            known: Phase = phase
            return known
    raise BadData(f"the entry 'phase' should be one of {', '.join(get_args(Phase))}; not {value!r}")


def _ended(value: Json) -> Ended:
    for how in get_args(Ended):
        if how == value:
            known: Ended = how
            return known
    raise BadData(f"the entry 'ended' should be won, both, agreed or empty, not {value!r}")


def _side(value: Json, what: str) -> int:
    if value not in (1, 2) or isinstance(value, bool):
        raise BadData(f"{what} should be 1 or 2, not {value!r}")
    return whole(value, what)


def _army(value: Json, what: str) -> str:
    called = text(value, what)
    if called not in ARMIES:
        raise BadData(f"{what} should hold {', '.join(ARMIES)}; not {called!r}")
    return called


def _place(value: Json, what: str) -> Place:
    try:
        return place_called(text(value, what))
    except ValueError as wrong:
        raise BadData(f"{what} names a place that is none: {wrong}") from None


def _places(value: Json, what: str) -> tuple[Place, ...]:
    return tuple(sorted(_place(entry, what) for entry in items(value, what)))


def _wall(value: Json) -> Border:
    low, slash, high = text(value, "a wall").partition("/")
    if not slash:
        raise BadData(f"a wall should read like d4/d5, not {value!r}")
    return border(_place(low, "a wall"), _place(high, "a wall"))


def _troop(value: Json, armies: tuple[str, str]) -> Troop:
    data = obj(value, "a troop")
    at = _place(get(data, "at", "a troop"), "the entry 'at' of a troop")
    what = f"the troop on {name(at)}"
    side = _side(get(data, "side", what), f"the entry 'side' of {what}")
    kind = text(get(data, "kind", what), f"the entry 'kind' of {what}")
    if kind not in ARMIES[armies[side - 1]] and kind != HIDDEN:
        known = ", ".join(ARMIES[armies[side - 1]])
        raise BadData(f"{what} should be one of {known}; not {kind!r}")
    facing = text(data.get("facing", ""), f"the entry 'facing' of {what}")
    if facing and (facing not in AROUND or not TROOPS[kind].steady):
        raise BadData(f"{what} has the facing {facing!r}; only Snipers have one, as n, e, s or w")
    return Troop(at, side, kind, facing, truth(data.get("acted", False), f"the entry 'acted' of {what}"))


def _counts(value: Json, key: str, armies: tuple[str, str]) -> tuple[Counts, Counts]:
    first, second = _two(value, f"the entry {key!r}")
    return _army_counts(first, key, armies[0]), _army_counts(second, key, armies[1])


def _army_counts(value: Json, key: str, army: str) -> Counts:
    data = obj(value, f"each part of the entry {key!r}")
    for kind in data:
        if kind not in ARMIES[army]:
            raise BadData(f"the entry {key!r} names {kind!r}; that army has {', '.join(ARMIES[army])}")
    return tuple(_count(data, kind) if kind in data else 0 for kind in ARMIES[army])


def _field(data: Mapping[str, Json]) -> bytes:
    numbers = bytearray(FIELD_DOWN)
    for called, value in data.items():
        index = FIELD_INDEX.get(_place(called, "the entry 'field'"))
        if index is None:
            raise BadData(f"the entry 'field' names {called}; the field is a1 to h8")
        numbers[index] = TILE_NUMBER[_tile(value, f"the tile on {called}")]
    return bytes(numbers)


def _mine(value: Json) -> int:
    found = _tile(value, "a mine")
    if not found.is_double:
        raise BadData(f"a mine should be a double such as 3-3, not {found}")
    return TILE_NUMBER[found]


def _tile(value: Json, what: str) -> Domino:
    ends = text(value, what).split("-")
    if len(ends) == 2 and all(end.isdecimal() and end.isascii() and len(end) <= 2 for end in ends):
        found = tile(int(ends[0]), int(ends[1]))
        if found in TILE_NUMBER:
            return found
    raise BadData(f"{what} should be a tile such as 3-5, with up to 18 pips an end, not {value!r}")


def _walk(data: Mapping[str, Json]) -> Walk:
    left = _count(data, "left")
    return Walk(_place(get(data, "at", "the entry 'walk'"), "the entry 'walk'"), left)


def _pair(value: Json, what: str, read: Callable[[Json, str], T]) -> tuple[T, T]:
    first, second = _two(value, what)
    return read(first, what), read(second, what)


def _two(value: Json, what: str) -> tuple[Json, Json]:
    parts = items(value, what)
    if len(parts) != 2:
        raise BadData(f"{what} should have two parts, one for each player, not {len(parts)}")
    return parts[0], parts[1]


# — whether the entries agree —


def _check_bases(state: WarState) -> None:
    seen: set[Place] = set(FIELD)
    for side, base in enumerate(state.bases, 1):
        for at in base:
            if at in seen:
                raise BadData(f"the base of player {side} has a tile on {name(at)}, where another lies")
            seen.add(at)


def _check_walls(state: WarState) -> None:
    tiles = {*FIELD, *state.bases[0], *state.bases[1]}
    for index, wall in enumerate(state.walls):
        if not wall.is_side or not tiles.issuperset(wall):
            raise BadData(f"the wall {wall} should stand between two tiles that share a side")
        if wall in state.walls[:index]:
            raise BadData(f"two walls stand on {wall}; there is room for one")


def _check_troops(state: WarState) -> None:
    tiles = {*FIELD, *state.bases[0], *state.bases[1]}
    for index, troop in enumerate(state.troops):
        if troop.at not in tiles:
            raise BadData(
                f"the {title(troop.kind)} on {name(troop.at)} should stand on a tile; there is none"
            )
        if index and troop.at == state.troops[index - 1].at:
            raise BadData(f"two troops stand on {name(troop.at)}; there is room for one")
        if troop.kind == HIDDEN and state.phase not in SET_UP:
            raise BadData(f"the troop on {name(troop.at)} is hidden; in play every type is known")


def _check_focus(state: WarState) -> None:
    troop = state.troop_at(state.focus)
    if state.phase == "tile":
        if troop is None or not state.is_down(state.focus):
            raise BadData("the entry 'focus' should name the face-down tile on which a troop has landed")
    elif state.focus:
        raise BadData("the entry 'focus' is only for the phase tile")
    if state.phase == "face":
        if not state.unfaced or set(state.faced) - {one.at for one in _snipers(state)}:
            raise BadData(f"the entry 'faced' should name some Snipers of player {state.turn}, but not all")
    elif state.faced:
        raise BadData("the entry 'faced' is only for the phase face")
    walker = state.walk and state.troop_at(state.walk.at)
    if state.walk is not None and walker is None:
        raise BadData(f"the entry 'walk' names {name(state.walk.at)}, where no troop stands")


def _check_course(state: WarState) -> None:
    if (state.phase == "bonus") != (state.bonus != 0) or state.bonus not in (0, *BONUSES):
        raise BadData("the entry 'bonus' should be 10, 12, 17 or 20 in the phase bonus, and else 0")
    if (state.phase == "over") != (state.ended != ""):
        raise BadData("the entry 'ended' should say how the game ended in the phase over, and else be empty")
    if state.phase in SET_UP:
        return
    for side in (1, 2):
        if not state.bases[side - 1]:
            raise BadData(f"player {side} has no base; in play both have one")
    alive = sum(state.strength(side) > 0 for side in (1, 2))
    wanted = {"won": 1, "both": 0}.get(state.ended, 2)
    if alive != wanted:
        raise BadData(
            f"{alive} of the two sides have troops; in the phase {state.phase}"
            f"{' ended by ' + state.ended if state.ended else ''} it should be {wanted}"
        )
