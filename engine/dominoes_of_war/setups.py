"""Set-ups: positions that were seen at a table, whether openings or games in progress."""

from collections import Counter

from engine.dominoes_of_war.bases import MOST_ENTRANCES, connected, entrances, touching
from engine.dominoes_of_war.deeds import settle_set_up
from engine.dominoes_of_war.model import (
    BASE_SIZE,
    DOWN,
    FIELD_DOWN,
    GAME,
    SET_UP,
    TILES,
    VERSION,
    WALLS,
    Counts,
    WarState,
)
from engine.dominoes_of_war.orders import facings
from engine.dominoes_of_war.places import FIELD_INDEX, name
from engine.dominoes_of_war.readings import Terms
from engine.dominoes_of_war.setup import state_of
from engine.dominoes_of_war.troops import ARMIES, HIDDEN, title
from engine.errors import BadSetup
from engine.plain import BadData, Json, JsonObject

_NO_COUNTS: Counts = (0, 0, 0, 0, 0)


def blank(terms: Terms) -> WarState:
    """The table before anybody has brought an army; nothing but the face-down field lies on it."""
    return WarState(spare=terms.total - len(FIELD_DOWN) - 2 * BASE_SIZE - WALLS)


def adopt(setup: JsonObject, terms: Terms) -> WarState:
    """The state of a table that was seen; raises BadSetup where there can be no such table.

    The entries are those of a state's plain form, and any may be missing: ``armies`` (two of army, cowboys,
    indians), ``starter``, ``turn``, ``bases``, ``walls``, ``troops`` (each with ``at``, ``side``, ``kind``
    and perhaps ``facing`` and ``acted``), ``field`` (the tiles that lie face up), ``mines``, ``rubble``, and
    so on. Pools and spare tiles that are not given are what the set and the readings leave. A game in
    progress gives the ``phase`` too, mostly ``act``; without it the set-up is taken to be at the first step
    that is missing.
    """
    defaults = _defaults()
    unknown = setup.keys() - defaults.keys() - {"game", "version"}
    if unknown:
        raise BadSetup(
            f"A set-up of this game has no entry {min(unknown)!r}; known are {', '.join(defaults)}."
        )
    if setup.get("game", GAME) != GAME or setup.get("version", VERSION) != VERSION:
        raise BadSetup(f"This set-up should be of {GAME!r}, version {VERSION}.")
    try:
        state = state_of({**defaults, **setup})
    except BadData as wrong:
        raise BadSetup(f"This table cannot be: {wrong}.") from None
    for check in (_check_bases, _check_walls, _check_facings, _check_census):
        check(state, terms)
    if "pools" not in setup:
        state = state._replace(pools=(_pool_left(state, terms, 1), _pool_left(state, terms, 2)))
    state = state._replace(spare=_spare_left(state, terms, given="spare" in setup))
    if "phase" not in setup:
        state = settle_set_up(state)
        if state.phase == "act" and "turn" in setup:
            state = state._replace(turn=2 if setup["turn"] == 2 else 1)
    return state


def _defaults() -> dict[str, Json]:
    plain = WarState(phase="bases").to_json()
    return {key: value for key, value in plain.items() if key not in ("game", "version")} | {
        "pools": [{}, {}],
        "discarded": [{}, {}],
    }


def _check_bases(state: WarState, terms: Terms) -> None:
    for side, base in enumerate(state.bases, 1):
        if not base:
            continue
        what = f"The base of player {side}"
        if len(base) < BASE_SIZE or (state.phase in SET_UP and len(base) > BASE_SIZE):
            raise BadSetup(f"{what} has {len(base)} tiles; it should have {BASE_SIZE}.")
        loose = set(base) - connected(base)
        if loose:
            raise BadSetup(f"{what} should hang together; {name(min(loose))} does not touch the rest.")
        doors = len(entrances(base))
        if not doors or (state.phase in SET_UP and doors > MOST_ENTRANCES):
            raise BadSetup(f"{what} has {doors} entrances; it should have 1 or {MOST_ENTRANCES}.")
    shared = touching(state.bases[0]) & set(state.bases[1])
    if shared and not terms.bases_may_touch:
        raise BadSetup(f"The two bases should not touch; they do at {name(min(shared))}.")


def _check_walls(state: WarState, terms: Terms) -> None:
    for wall in state.walls:
        if not terms.wall_on_base and not FIELD_INDEX.keys() >= set(wall):
            raise BadSetup(f"The wall {wall} should stand between two tiles of the field.")


def _check_facings(state: WarState, terms: Terms) -> None:
    for troop in state.troops:
        if troop.facing and troop.facing not in facings(terms):
            known = ", ".join(facings(terms))
            raise BadSetup(f"The Sniper on {name(troop.at)} faces {troop.facing}; he may face {known}.")


def _check_census(state: WarState, terms: Terms) -> None:
    for number, times in Counter(number for number in state.field + state.mines if number != DOWN).items():
        found = TILES[number]
        if found not in terms.tiles:
            raise BadSetup(f"The tile {found} is not in the set; its tiles go up to {terms.tiles[-1]}.")
        if terms.copies and times > terms.copies:
            raise BadSetup(f"The tile {found} lies there {times} times; the set has {terms.copies}.")


def _pool_left(state: WarState, terms: Terms, side: int) -> Counts:
    army = state.armies[side - 1]
    standing = Counter(troop.kind for troop in state.troops if troop.side == side)
    left: list[int] = []
    for kind, had, lost in zip(ARMIES[army], terms.pools[army], state.discarded[side - 1], strict=True):
        if standing[kind] + lost > had:
            raise BadSetup(
                f"Player {side} has lost or on the table {standing[kind] + lost} of the type {title(kind)};"
                f" there are {had}."
            )
        left.append(had - standing[kind] - lost)
    if standing[HIDDEN] > sum(left):
        raise BadSetup(f"Player {side} has more hidden soldiers than the {sum(left)} that are left.")
    return tuple(left)


def _spare_left(state: WarState, terms: Terms, *, given: bool) -> int:
    bases = sum(len(base) or BASE_SIZE for base in state.bases)
    walls = len(state.walls) + state.rubble
    if state.phase in SET_UP:
        walls = max(walls, WALLS)
    left = terms.total - len(FIELD_DOWN) - bases - walls - len(state.mines)
    if not terms.copies:
        return state.spare if given else max(left, 0)
    if left < 0 or (given and state.spare > left):
        raise BadSetup(
            f"The table needs {terms.total - left} tiles and {state.spare if given else 0} spare ones;"
            f" the set has {terms.total}."
        )
    return state.spare if given else left
