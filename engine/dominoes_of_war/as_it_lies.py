"""A table taken as it is: soldiers, walls, bases, flipped tiles, and what keeps it from being taken."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import islice
from typing import Final

from engine.dominoes_of_war.bases import lone
from engine.dominoes_of_war.model import BASE_SIZE, FIELD_DOWN, SET_UP, TILES, WALLS, WarState
from engine.dominoes_of_war.muster import Man, check_census, mustered
from engine.dominoes_of_war.places import ANGLES, FIELD, FIELD_INDEX, Border, Place, column, name, row
from engine.dominoes_of_war.readings import Terms
from engine.dominoes_of_war.sighted import (
    BOARD,
    bases_seen,
    border_of,
    facings_at,
    place_of,
    tile_seen,
    tiles_of,
    troop_seen,
)
from engine.dominoes_of_war.troops import ARMIES
from engine.errors import BadSetup
from engine.plain import Json, JsonObject
from engine.scene import Scene, Sighting

_THERE: Final = 0.5
_SURE: Final = 0.9
"""A wall, or what a tile shows, is believed from this probability on; a wall is none below the rest to 1."""
_UPRIGHT, _ACROSS = 90.0, 45.0
_GROWN: Final = 0.995
"""What is seen as surely as this is the seventh tile of a base."""
_TURNED: Final = 30.0
"""A Sniper who stands farther off than so many degrees has been turned."""
_SURELY_CLOSED: Final = 0.97
"""So surely a tile that is hardly seen must be no open one to be taken for a closed one: a bare place looks
less sure of that."""


def table_as_it_is(state: WarState, scene: Scene, terms: Terms) -> JsonObject:
    """The table as a set-up; raises BadSetup, saying what cannot be told.

    Whose turn it is, and who has acted, is as in ``state``.
    """
    is_new = not any(state.bases)  # nothing is known yet
    armies, men = mustered(scene, terms.pools, None if is_new else state.armies)
    granted = hardly_seen(state, scene)
    tiles = _tiles(scene, {*granted, *(man.at for man in men)})
    _check_field(scene, tiles, granted)
    if is_new:
        stray = lone(tiles) - {man.at for man in men}  # the seam of a cloth may look like a back
        around = [at for at in tiles if at not in FIELD_INDEX and at not in stray]
        bases = bases_seen(around, [(man.at, man.seen.owner) for man in men])
        if doubted := one_too_many(bases, tiles, {man.at for man in men}):
            raise BadSetup(f"Does a tile of a base lie on {name(doubted[0])}? It cannot be told.")
        state = state._replace(armies=armies, bases=bases, turn=scene.by or state.turn)
    check_census(scene, terms.pools, armies)
    walls = _walls(state, scene, is_new=is_new)
    come = _just_come(men, tiles) if is_new else None
    if come is not None:
        state = state._replace(turn=come.side, actions=1)
    return {
        "armies": list(state.armies),
        "starter": state.starter,
        "turn": state.turn,
        "phase": "tile" if come else "act",
        "focus": name(come.at) if come else None,
        "bases": [[name(at) for at in base] for base in state.bases],
        "walls": [str(where) for where in walls],
        "troops": [_troop(state, man, acted=man is come) for man in men],
        "field": {
            name(at): _shown(at, one)
            for at, one in tiles.items()
            if _is_flipped(at, one) and at not in granted
        },
        "mines": _mines(state, scene),
        "rubble": WALLS - len(walls),
        "actions": state.actions,
    }


def taken_up(state: WarState, scene: Scene, terms: Terms) -> JsonObject:
    """The table of a game that is known as it goes on: who was lost, and whose turn it is, the record tells.

    A soldier who was on the board and is nowhere now was killed; which action that was nobody knows.
    """
    armies, men = mustered(scene, terms.pools, state.armies)
    granted = hardly_seen(state, scene)
    tiles = _tiles(scene, {*granted, *(man.at for man in men)})
    _check_field(scene, tiles, granted)
    walls = _standing(state, scene)
    told: JsonObject = {
        "armies": list(armies),
        "starter": state.starter,
        "turn": state.turn,
        "bases": [[name(at) for at in base] for base in _bases(state, tiles, men)],
        "walls": [str(where) for where in walls],
        "troops": [_standing_so(state, man) for man in men],
        "field": {
            name(at): _shown(at, one)
            for at, one in tiles.items()
            if _is_flipped(at, one) and at not in granted
        },
        "mines": _mines(state, scene),
    }
    if state.phase in SET_UP:
        return told
    come = _just_come(men, tiles)
    return {
        **told,
        "turn": come.side if come else state.turn,
        "phase": "tile" if come else "act",
        "focus": name(come.at) if come else None,
        "rubble": WALLS - len(walls),
        "discarded": [dict(_lost(state, men, side, terms)) for side in (1, 2)],
        "actions": state.actions,
        "extra": state.extra,
    }


def _standing_so(state: WarState, man: Man) -> JsonObject:
    """A soldier as he stands; a Sniper who clearly faces another way than on record does so."""
    told, angle = troop_seen(state, *man[:3]), man.seen.angle
    facing = str(told["facing"])
    if facing and angle is not None and _off(angle, facing) > _TURNED:
        nearest = facings_at(angle)[0]
        told["facing"] = nearest if _off(angle, nearest) < _TURNED / 2 else ""
    return told


def _off(angle: float, facing: str) -> float:
    """How far, in degrees, a soldier stands off a direction."""
    return abs((angle - ANGLES[facing] + 180) % 360 - 180)


def _mines(state: WarState, scene: Scene) -> list[Json]:
    """The mines that went off: those that lie open in the discard; where that is hidden, the record's."""
    seen = [
        found
        for one in scene.sightings
        if one.kind == "domino" and one.region == "discard" and one.presence >= _THERE
        for found in islice(tiles_of(one), 1)
    ]
    if scene.is_hidden("discard"):
        return [str(TILES[number]) for number in state.mines]
    return [str(found) for found in dict.fromkeys(seen) if found.is_double]


def _bases(
    state: WarState, tiles: Mapping[Place, Sighting], men: Sequence[Man]
) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """The bases as they lie: each tile is of the base that had it, or that it hangs together with."""
    around = {at for at in tiles if at not in FIELD_INDEX}
    stray = lone(tiles) - {man.at for man in men} - {*state.bases[0], *state.bases[1]}
    return bases_seen(
        around - stray,
        [(man.at, man.side) for man in men],
        [(at, side) for side in (1, 2) for at in state.bases[side - 1] if at in around],
    )


def _lost(state: WarState, men: Sequence[Man], side: int, terms: Terms) -> Counter[str]:
    """The soldiers of a player who are out of the game: those of the record, and who is gone since."""
    army = state.armies[side - 1]
    lost = Counter(dict(zip(ARMIES[army], state.discarded[side - 1], strict=True)))
    stood = Counter(troop.kind for troop in state.troops if troop.side == side)
    stand = Counter(man.kind for man in men if man.side == side)
    if not terms.to_pool:
        lost += stood - stand
    had = Counter(dict(zip(ARMIES[army], terms.pools[army], strict=True)))
    return lost & (had - stand)


def _standing(state: WarState, scene: Scene) -> list[Border]:
    """The walls that stand; where more seem to than there are, those of the record count first."""
    chances: dict[Border, float] = {}
    for one in scene.sightings:
        where = border_of(one) if one.kind == "wall" and one.region == BOARD else None
        if where is not None:
            chances[where] = max(one.presence, chances.get(where, 0.0))
    there = [where for where, chance in chances.items() if chance >= _THERE]
    return sorted(there, key=lambda where: (where not in state.walls, -chances[where]))[:WALLS]


def _just_come(men: Sequence[Man], tiles: Mapping[Place, Sighting]) -> Man | None:
    """The man whose tile is still to be turned up: nobody stands on a closed tile of the field for long."""
    found = [man for man in men if man.at in FIELD_INDEX and tiles[man.at].face == "down"]
    return found[0] if len(found) == 1 else None


def _troop(state: WarState, man: Man, *, acted: bool) -> JsonObject:
    told = troop_seen(state, *man[:3])
    return {**told, "acted": True} if acted else told


def one_too_many(
    bases: Iterable[Sequence[Place]], tiles: Mapping[Place, Sighting], manned: Collection[Place]
) -> list[Place]:
    """Tiles of a base of more than six that are not seen quite clearly: few bases ever grow."""
    found: list[Place] = []
    for base in bases:
        faint = [at for at in base if at not in manned and tiles[at].presence < _GROWN]
        found += sorted(faint, key=lambda at: tiles[at].presence)[: max(0, len(base) - BASE_SIZE)]
    return found


def hardly_seen(state: WarState, scene: Scene) -> list[Place]:
    """Places of the field whose tile is hardly seen, say behind a wall, and which yet lies there closed.

    As much as is seen of it is no open tile's, and none has left the field: a mine that went off lies open in
    the discard. Before anybody has been on the field no tile has been turned, whatever its back looks like.
    """
    gone = any(
        one.kind == "domino" and one.region == "discard" and one.face == "up" for one in scene.sightings
    )
    if gone or state.mines or scene.is_hidden("discard"):
        return []
    seen = {at: one for at, one in sorted(surest(scene).items()) if at in FIELD_INDEX}
    untrodden = state.field == FIELD_DOWN and _is_untrodden(scene, seen.values())
    return [
        at
        for at, one in seen.items()
        if _closed(one) < _SURE and (_is_no_open_one(one) or (untrodden and _may_be_closed(one)))
    ]


def _is_untrodden(scene: Scene, tiles: Iterable[Sighting]) -> bool:
    """Whether no tile of the field clearly lies open, and nobody seems to stand on one."""
    if scene.hidden or any(one.face == "up" and not _may_be_closed(one) for one in tiles):
        return False
    return not any(one.kind == "soldier" and place_of(one) in FIELD_INDEX for one in scene.sightings)


def _may_be_closed(one: Sighting) -> bool:
    """Whether it is not clear that the tile lies open."""
    return _is_weighed(one) and _closed(one) > 1 - _SURE


def _is_no_open_one(one: Sighting) -> bool:
    """Whether, if a tile lies there at all, it surely lies closed."""
    return _is_weighed(one) and _closed(one) >= _SURELY_CLOSED * one.presence


def _is_weighed(one: Sighting) -> bool:
    """Whether both ways in which the tile may lie were thought of."""
    return {guess.face or one.face for guess in one.guesses} >= {"up", "down"}


def _closed(one: Sighting) -> float:
    """How likely it is that a tile lies there closed."""
    if not one.guesses:
        return one.presence if one.face == "down" else 0.0
    return one.presence * sum(
        guess.probability for guess in one.guesses if (guess.face or one.face) == "down"
    )


def surest(scene: Scene) -> dict[Place, Sighting]:
    """The surest of the tiles that seem to lie on each place, and of all that lie as one must there."""
    found: dict[Place, Sighting] = {}
    for one in sorted(scene.sightings, key=lambda s: (_lies_well(s), s.presence)):
        at = place_of(one)
        if one.kind == "domino" and at is not None:
            found[at] = one
    return found


def _lies_well(one: Sighting) -> bool:
    """Whether a tile lies upright, if it lies on the field: what lies across is a pattern, or two tiles."""
    if place_of(one) not in FIELD_INDEX or one.angle is None:
        return True
    return abs((one.angle - _UPRIGHT + 90) % 180 - 90) < _ACROSS


def _tiles(scene: Scene, needed: Collection[Place]) -> dict[Place, Sighting]:
    """The tile on each place; where one must lie there is one, however little of it is seen."""
    return {at: one for at, one in surest(scene).items() if one.presence >= _THERE or at in needed}


def _check_field(scene: Scene, tiles: Mapping[Place, Sighting], granted: Collection[Place]) -> None:
    """What is not seen, hidden or not, is not taken for a tile that lies face down."""
    unseen = sorted(set(FIELD) - tiles.keys())
    lacking = [at for at in unseen if not scene.is_hidden(BOARD, column(at), row(at))]
    if lacking:
        raise BadSetup(f"No tile is seen on {name(lacking[0])}{_more(lacking)}.")
    if unseen:
        raise BadSetup(f"What lies on {name(unseen[0])}{_more(unseen)} is hidden.")
    closed = [at for at in FIELD if tiles[at].face == "down" and at not in granted]
    doubted = [at for at in closed if _closed(tiles[at]) < _SURE]
    if doubted:
        raise BadSetup(f"How the tile on {name(doubted[0])}{_more(doubted)} lies is not clear.")


def _more(places: Sequence[Place]) -> str:
    return f" (and on {len(places) - 1} places more)" if len(places) > 1 else ""


def _walls(state: WarState, scene: Scene, *, is_new: bool) -> list[Border]:
    """The walls that stand, all that are due; where they are not clear, somebody has to say so."""
    chances: dict[Border, float] = {}
    for one in scene.sightings:
        where = border_of(one) if one.kind == "wall" and one.region == BOARD else None
        if where is not None:
            chances[where] = max(one.presence, chances.get(where, 0.0))
    ranked = sorted(chances, key=lambda where: -chances[where])
    walls = [where for where in ranked if chances[where] >= _SURE]
    rubble = min(_rubble(scene), max(0, WALLS - len(walls)))  # no more has fallen than does not stand
    due = WALLS - (rubble if is_new else state.rubble)
    doubtful = any(1 - _SURE < chance < _SURE for chance in chances.values())
    if len(walls) == due or (not doubtful and len(walls) == WALLS - rubble < due):
        return walls  # of fewer than were known the rest lies in the discard
    likely = [*(chances[where] for where in ranked), 0.0, 0.0]
    if len(walls) == due - 1 and likely[due - 1] >= _THERE and _is_ahead(likely[due - 1], likely[due]):
        return ranked[:due]  # the last of them is where it most looks like it
    raise BadSetup(f"Where do the walls stand? {len(walls)} are seen for sure, not {due}. Tell the walls.")


def _is_ahead(one: float, other: float) -> bool:
    """Whether, of two places, the one is clearly where a wall stands."""
    return one * (1 - other) * (1 - _SURE) >= other * (1 - one) * _SURE


def _rubble(scene: Scene) -> int:
    """Walls that lie in the discard."""
    return sum(one.kind in ("domino", "wall") and one.region == "discard" and one.face != "up"
               for one in scene.sightings)  # fmt: skip


def _is_flipped(at: Place, one: Sighting) -> bool:
    return one.face == "up" and at in FIELD_INDEX


def _shown(at: Place, one: Sighting) -> str:
    """What a flipped tile shows, if that is clear."""
    if not one.guesses or one.presence * one.guesses[0].probability < _SURE:
        raise BadSetup(f"The tile on {name(at)} cannot be read.")
    return tile_seen(at, one)
