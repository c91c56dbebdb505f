"""What the dominoes of one table say of each other: there are fifteen, and each is there once."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from engine.book import State
from engine.dominoes import Domino, tile
from engine.dominoids.model import DOMINOES, OPENING, DominoidsState
from engine.dominoids.sighted import LEAST, ends_of
from engine.dominoids.table import BOARD, POOL_REGION
from engine.scene import Guess, Scene, Sighting

_LEFT: Final = 0.001
"""Nothing is read so surely that nothing is left for what was not thought of."""
_OTHER: Final = 0.01
"""How likely an end shows what no reading of it says, beside one that all say."""
_THERE: Final = 0.5
_LEAST: Final = 1e-9
_ROUNDS: Final = 30
_ALIKE: Final = 0.02
"""A reading that would change by less than this stays as it is."""

Shares = dict[Domino, dict[tuple[int, int], float]]
"""How likely a piece is each domino, lying one way and the other."""


def known_together(state: State, scene: Scene) -> Scene:
    """The scene; before a game is known, with what its dominoes say of each other."""
    assert isinstance(state, DominoidsState)
    return of_one_set(scene) if state.stage == OPENING else scene


def of_one_set(scene: Scene) -> Scene:
    """The scene in which no domino lies twice: what is seen better elsewhere is rather one seen nowhere."""
    read = [one for one in scene.sightings if _is_read(one)]
    weighed = _weighed([_shares(one) for one in read])
    told = {id(one): _told(one, shares) for one, shares in zip(read, weighed, strict=True)}
    kept = tuple(told.get(id(one), one) for one in scene.sightings)
    return scene if kept == scene.sightings else replace(scene, sightings=kept)


def _is_read(one: Sighting) -> bool:
    """Whether a sighting is a domino of the game that lies open and was read."""
    lies = one.kind == "domino" and one.face == "up" and one.region in (BOARD, POOL_REGION)
    return lies and one.presence >= _THERE and any(_ends(guess) for guess in one.guesses)


def _ends(guess: Guess) -> tuple[int, int] | None:
    return ends_of((guess.value or {}).get("pips"))


def _shares(one: Sighting) -> Shares:
    """How likely a piece is each domino by itself; what was not thought of, by what each end was read as."""
    seen = {ends: guess.probability for guess in one.guesses if (ends := _ends(guess))}
    whole = max(sum(seen.values()), _LEAST)
    left = max(_LEFT, 1 - whole)
    back, front = defaultdict[int, float](float), defaultdict[int, float](float)
    for (a, b), share in seen.items():
        back[a] += share / whole
        front[b] += share / whole
    shares: Shares = {}
    for domino in DOMINOES:
        ways = {(domino.low, domino.high), (domino.high, domino.low)}
        shares[domino] = {
            (a, b): seen.get((a, b), 0.0) + left * (back[a] + _OTHER) * (front[b] + _OTHER) for a, b in ways
        }
    return shares


def _weighed(rows: Sequence[Shares]) -> list[dict[Domino, float]]:
    """How likely each piece is each domino if none is there twice, by belief propagation."""
    table = [{domino: sum(ways.values()) for domino, ways in row.items()} for row in rows]
    free = [dict.fromkeys(DOMINOES, 1.0) for _ in rows]
    for _ in range(_ROUNDS if rows else 0):
        held = [_holds(row, here) for row, here in zip(table, free, strict=True)]
        often = {domino: 1 + sum(row[domino] for row in held) for domino in DOMINOES}
        free = [{domino: 1 / (often[domino] - row[domino]) for domino in DOMINOES} for row in held]
    return [_whole(_times(row, here)) for row, here in zip(table, free, strict=True)]


def _holds(row: Mapping[Domino, float], free: Mapping[Domino, float]) -> dict[Domino, float]:
    """How strongly a piece must be each domino, because the others are hardly left for it."""
    each = _times(row, free)
    total = sum(each.values())
    return {domino: row[domino] / max(total - each[domino], _LEAST) for domino in DOMINOES}


def _times(row: Mapping[Domino, float], by: Mapping[Domino, float]) -> dict[Domino, float]:
    return {domino: row[domino] * by[domino] for domino in DOMINOES}


def _whole(row: Mapping[Domino, float]) -> dict[Domino, float]:
    total = sum(row.values())
    return {domino: share / total for domino, share in row.items()}


def _told(one: Sighting, shares: Mapping[Domino, float]) -> Sighting:
    """The piece with what it may be by all of them; as it was where that is much the same."""
    said = dict.fromkeys(DOMINOES, 0.0)
    for guess in one.guesses:
        if ends := _ends(guess):
            said[tile(*ends)] += guess.probability
    if all(abs(shares[domino] - said[domino]) < _ALIKE for domino in DOMINOES):
        return one
    found = {
        way: shares[domino] * share / sum(ways.values())
        for domino, ways in _shares(one).items()
        for way, share in ways.items()
    }
    ranked = sorted((way for way in found if found[way] >= LEAST), key=lambda way: -found[way])
    return replace(one, guesses=tuple(Guess({"pips": [*way]}, found[way]) for way in ranked))
