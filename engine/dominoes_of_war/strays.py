"""What seems to lie where it cannot: told where it belongs, or left out."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from math import dist
from typing import Final

from engine.dominoes_of_war.bases import lone
from engine.dominoes_of_war.model import SET_UP, Phase, WarState
from engine.dominoes_of_war.places import FIELD_INDEX, Place, column, row
from engine.dominoes_of_war.sighted import BOARD, border_of, place_of, sides_of, types_of
from engine.dominoes_of_war.troops import ARMIES, Kind
from engine.scene import Scene, Sighting

_POOLS: Final = {"pool-1": 1, "pool-2": 2}
_BETWEEN: Final = 0.25
"""So far off every place, in places, no tile lies."""
_THERE: Final = 0.5
"""What is less sure counts for little in any case."""
_MANY: Final = 5
"""So many men of one type do not come to the field between two looks: they are printed on the tiles."""
_READ: Final = 0.2
"""What is less likely than this is not read at all."""
_CERTAIN: Final = 0.99
"""What is seen as surely as this is there, and if the game has no more like it."""
_RARELY: Final = 0.003
"""How much rarer a wall is where the rules want none than on the field, as odds: of 1,130 borders beside the
field, on eleven simulated tables, none was one, and of one tiled floor's some looked like one by 800 to 1.
The same of men on the board before any may be there."""
_NOBODY_YET: Final[frozenset[Phase]] = frozenset(("armies", "lot", "starter", "bases", "walls"))
"""Phases in which all men are in their pools: what looks like one on a tile is printed there, or a shadow."""
_SUREST: Final = 1e-6
"""Nothing is surer than this."""


def without_strays(state: WarState, scene: Scene, *, to_pool: bool) -> Scene:
    """The scene with everything where it can be; what can be nowhere has nothing to say about the game.

    ``to_pool`` says whether the killed go back to their pools: then no soldier lies in the discard.
    """
    told = (_in_his_pool(state, one, to_pool=to_pool) for one in _hanging_together(state, scene))
    kept = [one for one in told if not (_is_astray(one) or _is_no_tile(one) or _is_of_no_base(state, one))]
    kept = [one for one in kept if not _is_twice(one, kept)]
    none = {id(one) for side in (1, 2) for one in _too_many(state, side, kept)}
    none |= {id(one) for one in _walls_too_many(state, kept)}
    return replace(scene, sightings=tuple(one for one in kept if id(one) not in none))


def on_the_field(scene: Scene) -> Scene:
    """The scene of a table that is to be taken, without walls beside the field, where none may stand.

    The gap between two tiles of a base looks like a wall in some shadow, or on a floor with joints.
    """
    return replace(scene, sightings=tuple(one for one in scene.sightings if not _is_beside_the_field(one)))


def rarer_where_none_may(state: WarState, scene: Scene, *, wall_on_base: bool) -> Scene:
    """The scene with walls and men that seem to stand where none may: as likely as people err so.

    In the set-up, who is surely seen to have put one there has done so. What was let stand counts as seen.
    """
    early = state.phase in _NOBODY_YET
    none = (
        one
        for one in scene.sightings
        if (early and one.kind == "soldier" and one.region == BOARD)
        or (not wall_on_base and _may_not_stand(state, one))
    )
    rare = {id(one) for one in none}
    return replace(scene, sightings=tuple(_rarer(one) if id(one) in rare else one for one in scene.sightings))


def _may_not_stand(state: WarState, one: Sighting) -> bool:
    return _is_beside_the_field(one) and border_of(one) not in state.walls


def _rarer(one: Sighting) -> Sighting:
    odds = _RARELY * one.presence / max(1 - one.presence, _SUREST)
    return replace(one, presence=odds / (1 + odds))


def _is_beside_the_field(one: Sighting) -> bool:
    """Whether a wall seems to stand where not both of its sides are of the field."""
    where = border_of(one) if one.kind == "wall" and one.region == BOARD else None
    return where is not None and not FIELD_INDEX.keys() >= set(where)


def _hanging_together(state: WarState, scene: Scene) -> Iterator[Sighting]:
    """The scene without closed tiles that lie alone beside the field, where none is known to lie."""
    backs = {id(one): at for one in scene.sightings if one.kind == "domino" and (at := place_of(one))}
    alone = lone(backs.values()) - {at for base in state.bases for at in base}
    return (one for one in scene.sightings if one.face != "down" or backs.get(id(one)) not in alone)


def _in_his_pool(state: WarState, one: Sighting, *, to_pool: bool) -> Sighting:
    """A soldier among the spare tiles or the discard, where none can be, as one of the pool beside it.

    A pool has no room for all of an army, and who stands beyond its edge may stand nearer to the next pile.
    """
    if one.kind != "soldier" or one.region not in (("spares", "discard") if to_pool else ("spares",)):
        return one
    sides = sides_of(state, one)
    return replace(one, region=f"pool-{sides[0]}") if len(sides) == 1 else one


def _is_astray(one: Sighting) -> bool:
    """Whether something seems to be where it cannot be: in a pool soldiers of the other side, tiles or walls.

    Two soldiers side by side may look like a back, and the side of a stack of spare tiles like a wall, or
    like an open tile: those that are left lie closed.
    """
    if one.region == "spares":
        return one.kind == "wall" or (one.kind == "domino" and one.face == "up")
    side = _POOLS.get(one.region)
    if one.kind != "soldier":
        return side is not None
    return side is not None and one.owner not in (None, side)


def _is_no_tile(one: Sighting) -> bool:
    """Whether something that cannot be read seems to lie across two places: there is no room for a tile.

    A man who has come, the tile below him and the next one looked like an open tile between them.
    """
    if one.kind != "domino" or one.guesses or one.face == "down" or (at := place_of(one)) is None:
        return False
    assert one.x is not None
    assert one.y is not None
    return dist((one.x, one.y), (column(at), row(at))) > _BETWEEN


def _is_twice(one: Sighting, seen: Sequence[Sighting]) -> bool:
    """Whether what looks open and cannot be read lies where an open tile is read: a man aslant on it."""
    at = place_of(one) if _is_open(one) and not _is_read(one) else None
    return at is not None and any(
        _is_open(other) and _is_read(other) and place_of(other) == at for other in seen
    )


def _is_open(one: Sighting) -> bool:
    return one.kind == "domino" and one.face == "up"


def _is_read(one: Sighting) -> bool:
    return any(guess.probability >= _READ for guess in one.guesses)


def _is_of_no_base(state: WarState, one: Sighting) -> bool:
    """Whether something beside the field, where no tile is known to lie, looks open and can hardly be read.

    The tiles of a base lie closed; where a man went away, the dots of a cloth looked like an open one.
    """
    if one.kind != "domino" or not one.guesses or one.face == "down" or (at := place_of(one)) is None:
        return False
    known = at in FIELD_INDEX or any(at in base for base in state.bases)
    return not known and sum(guess.probability for guess in one.guesses) < _THERE


def _too_many(state: WarState, side: int, seen: Sequence[Sighting]) -> list[Sighting]:
    """Who is nobody, where more men of a player are seen than there are: the foot of one may pass for
    another, and a bare tile of a base for a man on it. It is who is read worst of those of whose type there
    are too many, in a pool or where no such man is known to stand."""
    men = [one for one in seen if one.kind == "soldier" and one.presence >= _THERE]
    ranked = [(types_of(one), one) for one in men if one.region and sides_of(state, one) == [side]]
    army = _army(state, side)
    none = [] if army is None else _printed(state, side, ranked, _open_places(state, seen))
    ranked = [each for each in ranked if each[1] not in none]
    left = Counter(kinds[0] for kinds, _ in ranked if kinds)
    for kinds, one in sorted(ranked, key=lambda each: _clearness(each[1])):
        if army is None or len(ranked) <= army.total() or _clearness(one) > _CERTAIN:
            break
        known = one.region not in _POOLS and _stands_there(state, side, one)
        if kinds and not known and left[kinds[0]] > army[kinds[0]]:
            left[kinds[0]] -= 1
            ranked = [each for each in ranked if each[1] is not one]
            none.append(one)
    return none


def _open_places(state: WarState, seen: Sequence[Sighting]) -> frozenset[Place]:
    """Where tiles lie open, by the record or by what is seen: their backs are below."""
    known = (at for at in FIELD_INDEX if state.tile_at(at) is not None)
    return frozenset((*known, *(at for one in seen if _is_open(one) and (at := place_of(one)))))


def _printed(
    state: WarState, side: int, men: Sequence[tuple[Sequence[Kind], Sighting]], bare: Collection[Place]
) -> list[Sighting]:
    """What is printed on the backs of tiles: on many of them one and the same man seems to stand.

    ``bare`` is where none is to be seen: who stands there is no print.
    """
    strange = [
        (kinds[0], one)
        for kinds, one in men
        if kinds and one.region == BOARD and not _stands_there(state, side, one) and place_of(one) not in bare
    ]
    many = Counter(kind for kind, _ in strange)
    return [one for kind, one in strange if many[kind] >= _MANY]


def _stands_there(state: WarState, side: int, one: Sighting) -> bool:
    """Whether a man of that type and side is known to stand where one is seen."""
    at = place_of(one)
    troop = state.troop_at(at) if at is not None else None
    return troop is not None and troop.side == side and troop.kind in types_of(one)


def _walls_too_many(state: WarState, seen: Sequence[Sighting]) -> Sequence[Sighting]:
    """The worst seen of more walls than stand: what is printed on a mat looks like one in some light.

    First come those that seem to stand where none may, however clear, and last those that are known to stand:
    who still sees a wall where it stood has not seen it moved.
    """
    standing = (one for one in seen if one.kind == "wall" and one.region == BOARD and one.presence >= _THERE)
    astray = {id(one) for one in seen if _may_not_stand(state, one)}
    known = {id(one) for one in seen if one.kind == "wall" and border_of(one) in state.walls}
    walls = sorted(standing, key=lambda one: (id(one) not in astray, id(one) in known, one.presence))
    more = 0 if state.phase in SET_UP else max(0, len(walls) - len(state.walls))
    return [one for one in walls[:more] if one.presence <= _CERTAIN or id(one) in astray]


def _army(state: WarState, side: int) -> Counter[Kind] | None:
    """How many of each type a player has, wherever they are; None before the first turn."""
    if state.phase in SET_UP:
        return None
    found = Counter(troop.kind for troop in state.troops if troop.side == side)
    for piles in (state.pools, state.discarded):
        found.update(dict(zip(ARMIES[state.armies[side - 1]], piles[side - 1], strict=True)))
    return found


def _clearness(one: Sighting) -> float:
    return one.presence * max((guess.probability for guess in one.guesses), default=0.0)
