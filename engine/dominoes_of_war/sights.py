"""Facts: which are possible, how likely, and why one that was seen cannot be."""

from collections import Counter
from collections.abc import Iterator
from random import Random

from engine.dominoes import Domino
from engine.dominoes_of_war.deeds import reveal
from engine.dominoes_of_war.model import (
    DOWN,
    TILES,
    Armies,
    Flipped,
    Lot,
    Phase,
    Shown,
    Troop,
    WarFact,
    WarState,
)
from engine.dominoes_of_war.orders import kinds_left
from engine.dominoes_of_war.places import name
from engine.dominoes_of_war.readings import Terms
from engine.dominoes_of_war.troops import ARMIES, HIDDEN, title
from engine.errors import ImpossibleFact

PENDING: dict[Phase, str] = {"armies": "armies", "lot": "lot", "reveal": "troop", "tile": "tile"}
"""For each phase in which something must be seen, what that is."""


def possible_facts(state: WarState, terms: Terms) -> Iterator[WarFact]:
    """Every fact that may be seen now."""
    match state.phase:
        case "armies":
            yield from (Armies(first, second) for first in ARMIES for second in ARMIES)
        case "lot":
            yield from (Lot(1), Lot(2))
        case "reveal":
            for troop in _hidden(state):
                yield from (Shown(troop.at, kind) for kind in kinds_left(state, troop.side))
        case "tile":
            yield from (Flipped(state.focus, tile) for tile, left in _unseen(state, terms) if left)


def sample(state: WarState, terms: Terms, rng: Random) -> WarFact:
    """A possible fact, as likely as at a table where the tiles were mixed."""
    if state.phase == "tile":
        tiles, left = zip(*_unseen(state, terms), strict=True)
        return Flipped(state.focus, rng.choices(tiles, left)[0])
    facts = list(possible_facts(state, terms))
    if not facts:
        raise ImpossibleFact("OBS-DOW-DUE", "Nothing is due to be seen now.")
    return rng.choice(facts)


def _hidden(state: WarState) -> list[Troop]:
    return [troop for troop in state.troops if troop.kind == HIDDEN]


def _unseen(state: WarState, terms: Terms) -> Iterator[tuple[Domino, int]]:
    """Every tile of the set, and how many of it have not been seen."""
    seen = Counter(state.field + state.mines)
    del seen[DOWN]
    found = Counter({TILES[number]: times for number, times in seen.items()})
    for tile in terms.tiles:
        yield tile, 1 if not terms.copies else max(terms.copies - found[tile], 0)


def observe(state: WarState, terms: Terms, fact: WarFact) -> WarState:
    """The state once ``fact`` has been seen; raises ImpossibleFact where it cannot be."""
    kinds: dict[type[WarFact], str] = {Armies: "armies", Lot: "lot", Shown: "troop", Flipped: "tile"}
    due = PENDING.get(state.phase)
    if kinds[type(fact)] != due:
        sentence = (
            "Nothing is due to be seen now." if due is None else f"What is due to be seen is the {due}."
        )
        raise ImpossibleFact("OBS-DOW-DUE", sentence)
    match fact:
        case Armies() if not {fact.first, fact.second} <= ARMIES.keys():
            sentence = f"The armies are {', '.join(ARMIES)}; not {fact.first} and {fact.second}."
            raise ImpossibleFact("OBS-DOW-ARMY", sentence)
        case Lot() if fact.winner not in (1, 2):
            raise ImpossibleFact("OBS-DOW-LOT", f"Player 1 or 2 wins the lot, not {fact.winner}.")
        case Shown():
            _check_shown(state, fact)
        case Flipped():
            _check_flipped(state, terms, fact)
    return reveal(state, terms, fact)


def _check_shown(state: WarState, fact: Shown) -> None:
    troop = state.troop_at(fact.at)
    if troop is None or troop.kind != HIDDEN:
        known = ", ".join(name(hidden.at) for hidden in _hidden(state))
        raise ImpossibleFact("OBS-DOW-DUE", f"Hidden troops stand on {known}; not on {name(fact.at)}.")
    if fact.kind not in kinds_left(state, troop.side):
        known = ", ".join(kinds_left(state, troop.side))
        raise ImpossibleFact(
            "OBS-DOW-TROOP",
            f"On {name(fact.at)} may stand one of player {troop.side}'s {known}; not {_called(fact.kind)}.",
        )


def _called(kind: str) -> str:
    return f"a {title(kind)}" if any(kind in types for types in ARMIES.values()) else repr(kind)


def _check_flipped(state: WarState, terms: Terms, fact: Flipped) -> None:
    if fact.at != state.focus:
        raise ImpossibleFact(
            "OBS-DOW-DUE", f"The tile to be flipped lies on {name(state.focus)}, not on {name(fact.at)}."
        )
    left = dict(_unseen(state, terms))
    if fact.tile not in left:
        raise ImpossibleFact("OBS-DOW-SET", f"The tile {fact.tile} is not in the set that is played with.")
    if not left[fact.tile]:
        raise ImpossibleFact("OBS-DOW-TWICE", f"Every tile {fact.tile} of the set has been seen already.")
