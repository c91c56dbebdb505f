"""Who the soldiers of a table are, told by all of them together: an army has only so many of each type.

A soldier who is hard to read is known by those who are not: by the army that his comrades are of, and by the
types of which all others have been seen. What looks a little like a soldier where none is left is none.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import log
from typing import Final, NamedTuple

from engine.dominoes_of_war.model import Counts
from engine.dominoes_of_war.places import Place, name
from engine.dominoes_of_war.sighted import BOARD, place_of
from engine.dominoes_of_war.troops import ARMIES, Kind, title
from engine.errors import BadSetup
from engine.matching.assignment import assign
from engine.plain import Json
from engine.scene import Guess, Scene, Sighting

CLEAR: Final = 4.6
"""So far ahead (99 to 1) the likeliest muster must be of the next to be believed."""
_FLOOR: Final = 0.0003
_CERTAIN: Final = 0.99
"""Who is read as surely as this needs no comparing."""
_UNSEEN: Final = -3.0
"""What it costs that a soldier is nowhere, where those who are not on the board are seen beside it."""
_NEVER: Final = -1e4


class Man(NamedTuple):
    """A soldier on the board."""

    at: Place
    side: int
    kind: Kind
    seen: Sighting


def mustered(
    scene: Scene, pools: Mapping[str, Counts], armies: tuple[str, str] | None = None
) -> tuple[tuple[str, str], list[Man]]:
    """The two armies and their men on the board; raises BadSetup where the table does not tell for sure.

    ``pools`` is what each army starts with; ``armies`` says which they are where that is known.
    """
    found: list[str] = []
    men: list[Man] = []
    for side in (1, 2):
        seen = _of_side(scene, side, armies)
        army = armies[side - 1] if armies else _army_of(seen, side, pools)
        found.append(army)
        men += _men(seen, side, army, pools[army])
    return (found[0], found[1]), men


def check_census(scene: Scene, pools: Mapping[str, Counts], armies: tuple[str, str]) -> None:
    """Nobody is left out because he is not seen, unless he may be hidden or the pool lies out of sight."""
    for side, army in enumerate(armies, 1):
        seen, regions = _of_side(scene, side, armies), (BOARD, f"pool-{side}", "discard")
        if any(map(scene.is_hidden, regions)) or all(one.region == BOARD for one in seen):
            continue
        _, types = _fit(seen, army, pools[army])
        lacking = Counter(dict(zip(ARMIES[army], pools[army], strict=True))) - Counter(types)
        if lacking:
            many = lacking.total()
            who = "One soldier" if many == 1 else f"{many} soldiers"
            verb = "is" if many == 1 else "are"
            kinds = ", ".join(title(kind) for kind in lacking.elements())
            raise BadSetup(f"{who} of player {side} {verb} seen nowhere: {kinds}. Tell the troops.")


def most_likely(
    scene: Scene, pools: Mapping[str, Counts], armies: tuple[str, str] | None = None
) -> tuple[Scene, list[str]]:
    """The scene with every soldier for sure who he most likely is, and in words who was not.

    Who is seen nowhere is in his pool; raises BadSetup where it cannot even be thought whose a soldier is.
    """
    said: list[str] = []
    told: dict[int, Sighting | None] = {}
    pooled: list[Sighting] = []
    for side in (1, 2):
        seen = _of_side(scene, side, armies)
        army = armies[side - 1] if armies else max(ARMIES, key=lambda one: _fit(seen, one, pools[one])[0])
        _, types = _fit(seen, army, pools[army])
        for one, kind in zip(seen, types, strict=True):
            at = place_of(one)
            if at is not None and (not kind or _clearness(one) * _read(one, army, kind) < _CERTAIN):
                told[id(one)] = _as(one, side, army, kind) if kind else None
                who = f"player {side}'s {title(kind)}" if kind else "nobody"
                said.append(f"{who} on {name(at)}")
        if any(one.region != BOARD for one in seen):
            lacking = Counter(dict(zip(ARMIES[army], pools[army], strict=True))) - Counter(types)
            for kind in lacking.elements():
                pooled.append(_as(Sighting("soldier", f"pool-{side}"), side, army, kind))
                said.append(f"player {side}'s {title(kind)} in the pool")
    kept = (told.get(id(one), one) for one in scene.sightings)
    return replace(scene, sightings=(*(one for one in kept if one is not None), *pooled)), said


def _as(one: Sighting, side: int, army: str, kind: Kind) -> Sighting:
    """The soldier as one of this type for sure."""
    value = {**(one.value or {}), "type": kind, "army": army}
    return replace(one, guesses=(Guess(value, 1.0),), presence=1.0, owner=side)


def _of_side(scene: Scene, side: int, armies: tuple[str, str] | None) -> list[Sighting]:
    """A player's soldiers, on the board and beside it; of several on one place the surest."""
    best: dict[Place, Sighting] = {}
    beside: list[Sighting] = []
    for one in sorted((one for one in scene.sightings if one.kind == "soldier"), key=_clearness):
        at = place_of(one)
        if at is not None:
            best[at] = one
        elif one.region:
            beside.append(one)
    return [one for one in (*best.values(), *beside) if _owner(one, armies) == side]


def _owner(one: Sighting, armies: tuple[str, str] | None) -> int | None:
    """Whose a soldier is: as he is marked, by the pool that he stands in, or by the army that he is of."""
    beside = {"pool-1": 1, "pool-2": 2}.get(one.region)
    said = {(guess.value or {}).get("army") for guess in one.guesses}
    of_army = [side for side in (1, 2) if armies and armies[side - 1] in said]
    owner = one.owner or beside or (of_army[0] if len(of_army) == 1 else None)
    at = place_of(one)
    if owner is None and at is not None:
        raise BadSetup(_doubt(at, "soldier"))
    return owner


def _clearness(one: Sighting) -> float:
    return one.presence * max((guess.probability for guess in one.guesses), default=0.0)


def armies_of(seen: Sequence[Sighting], pools: Mapping[str, Counts]) -> list[str]:
    """The armies that a player's soldiers may be, the likeliest first; no other explains them as well."""
    worth = {army: _fit(seen, army, pools[army])[0] for army in ARMIES}
    least = max(worth.values()) - CLEAR
    return sorted((army for army in ARMIES if worth[army] > least), key=lambda army: -worth[army])


def _army_of(seen: Sequence[Sighting], side: int, pools: Mapping[str, Counts]) -> str:
    """The army that explains a player's soldiers, clearly better than the other two."""
    first, *others = armies_of(seen, pools)
    if others:
        raise BadSetup(f"Which army does player {side} have? Tell the armies.")
    return first


def _men(seen: Sequence[Sighting], side: int, army: str, pool: Counts) -> list[Man]:
    """A player's men on the board, each of a type that is clear."""
    best, types = _fit(seen, army, pool)
    short: dict[Kind, float] = {}
    men: list[Man] = []
    for index, one in enumerate(seen):
        at, kind = place_of(one), types[index]
        if at is None:
            continue
        if kind and _clearness(one) * _read(one, army, kind) < _CERTAIN:
            others = {*ARMIES[army], ""} - {kind}
            margin = best - max(_fit(seen, army, pool, {index: other})[0] for other in others)
        elif not kind:
            short = short or {one: best - _fit(seen, army, _less(pool, army, one))[0] for one in ARMIES[army]}
            margin = min(short[other] + _nobody(one) - _worth(one, army, other) for other in ARMIES[army])
        else:
            margin = CLEAR
        if margin < CLEAR:
            raise BadSetup(_doubt(at, kind))
        if kind:
            men.append(Man(at, side, kind, one))
    return men


def _less(pool: Counts, army: str, kind: Kind) -> Counts:
    """The pool with one soldier fewer of a type."""
    return tuple(max(0, many - (one == kind)) for one, many in zip(ARMIES[army], pool, strict=True))


def _doubt(at: Place, kind: Kind) -> str:
    if kind:
        return f"Which soldier stands on {name(at)}, and whose is he? Tell the troops."
    return f"Does a soldier stand on {name(at)}? It cannot be told. Tell the troops."


def _fit(
    seen: Sequence[Sighting], army: str, pool: Counts, told: Mapping[int, Kind] | None = None
) -> tuple[float, list[Kind]]:
    """The likeliest types of these soldiers (none where nobody stands), and the log of how likely that is.

    ``told`` holds types that are taken for granted.
    """
    told = told or {}
    ranks = [kind for kind, many in zip(ARMIES[army], pool, strict=True) for _ in range(many)]
    worths = [
        [_NEVER if told.get(k, kind) != kind else _worth(one, army, kind) for k, one in enumerate(seen)]
        for kind in ranks
    ]
    spare = [_NEVER if told.get(k) else _nobody(one) for k, one in enumerate(seen)]
    lost = _UNSEEN if any(one.region != BOARD for one in seen) else 0.0
    chosen = assign(worths, [lost] * len(ranks), spare)
    types = [""] * len(seen)
    total = sum(spare) + lost * chosen.count(-1)
    for row, column in enumerate(chosen):
        if column >= 0:
            types[column] = ranks[row]
            total += worths[row][column] - spare[column]
    return total, types


def _worth(one: Sighting, army: str, kind: Kind) -> float:
    return log(max(one.presence, _FLOOR)) + log(max(_read(one, army, kind), _FLOOR))


def _read(one: Sighting, army: str, kind: Kind) -> float:
    """How likely he is of a type; one who was not read may be of any."""
    if not one.guesses:
        return 1.0
    said = sum(guess.probability for guess in one.guesses)
    left = max(0.0, 1.0 - said) / len(ARMIES[army])
    return left + sum(guess.probability for guess in one.guesses if _is(guess.value or {}, army, kind))


def _is(value: Mapping[str, Json], army: str, kind: Kind) -> bool:
    return value.get("type") == kind and value.get("army") in (None, army)


def _nobody(one: Sighting) -> float:
    return log(max(1.0 - one.presence, _FLOOR))
