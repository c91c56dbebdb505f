"""What sightings may be in Dominoes of War: soldiers, tiles and walls by their places."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from engine.dominoes import Domino, tile
from engine.dominoes_of_war.model import TILE_NUMBER, Troop, WarState
from engine.dominoes_of_war.places import ANGLES, STRAIGHT, Border, Place, border, name, place
from engine.dominoes_of_war.troops import TROOPS
from engine.errors import BadSetup
from engine.plain import JsonObject
from engine.scene import Sighting

BOARD: Final = "board"
LEAST: Final = 0.002
"""A reading less likely than this is no reason to think of a move."""


def bases_seen(
    places: Iterable[Place],
    men: Sequence[tuple[Place, int | None]],
    known: Sequence[tuple[Place, int | None]] = (),
) -> tuple[tuple[Place, ...], tuple[Place, ...]]:
    """The base tiles of the two players: those that hang together with tiles on which their men stand.

    Or, before that, with tiles that are ``known`` to be theirs.
    """
    left = set(places)
    bases: tuple[list[Place], list[Place]] = ([], [])
    for at, owner in (*known, *men):
        due = {at} & left
        while due and owner in (1, 2):
            tile_at = due.pop()
            left.discard(tile_at)
            bases[owner - 1].append(tile_at)
            due |= {tile_at + step for step in STRAIGHT.values()} & left
    if left:
        raise BadSetup(f"Whose base is the tile on {name(min(left))}? Tell the bases.")
    return tuple(sorted(bases[0])), tuple(sorted(bases[1]))


def troop_seen(state: WarState, at: Place, side: int, kind: str) -> JsonObject:
    """A soldier as a set-up tells him; his facing, and whether he has acted, as they were."""
    known = state.troop_at(at)
    if known is None or (known.kind, known.side) != (kind, side):
        known = Troop(at, side, kind)
    return {
        "at": name(at),
        "side": known.side,
        "kind": known.kind,
        "facing": known.facing,
        "acted": known.acted,
    }


def tile_seen(at: Place, one: Sighting) -> str:
    """A flipped tile as a set-up tells it."""
    domino = next(tiles_of(one), None)
    if domino is None:
        raise BadSetup(f"The tile on {name(at)} cannot be read.")
    return str(domino)


def place_of(one: Sighting) -> Place | None:
    """The place that something lies or stands on."""
    if one.region != BOARD or one.x is None or one.y is None:
        return None
    return place(round(one.x), round(one.y))


def types_of(one: Sighting) -> list[str]:
    """The types that a soldier may be of."""
    found = [(guess.value or {}).get("type") for guess in one.guesses if guess.probability >= LEAST]
    return [kind for kind in found if isinstance(kind, str) and kind in TROOPS]


def sides_of(state: WarState, one: Sighting) -> list[int]:
    """The players whose a soldier may be."""
    if one.owner in (1, 2):
        return [one.owner]
    armies = {(guess.value or {}).get("army") for guess in one.guesses}
    return [side for side in (1, 2) if state.armies[side - 1] in armies]


def facings_at(angle: float) -> list[str]:
    """The directions nearest to an angle: of the four straight ones, and of all eight."""
    off = {facing: abs((at - angle + 180) % 360 - 180) for facing, at in ANGLES.items()}
    return list(dict.fromkeys((min(STRAIGHT, key=off.__getitem__), min(off, key=off.__getitem__))))


def border_of(one: Sighting) -> Border | None:
    """The side between two places on which a wall stands."""
    if one.x is None or one.y is None or one.angle is None:
        return None
    if round(one.angle / 90) % 2:  # along y: between two columns
        left = round(one.x - 0.5)
        return border(place(left, round(one.y)), place(left + 1, round(one.y)))
    low = round(one.y - 0.5)
    return border(place(round(one.x), low), place(round(one.x), low + 1))


def tiles_of(one: Sighting) -> Iterator[Domino]:
    """The tiles that one lying face up may be."""
    for guess in one.guesses:
        pips = (guess.value or {}).get("pips")
        shown = (guess.face or one.face) == "up" and guess.probability >= LEAST
        if shown and isinstance(pips, list | tuple):
            a, b = (end if isinstance(end, int) else -1 for end in pips)
            if tile(a, b) in TILE_NUMBER:
                yield tile(a, b)
