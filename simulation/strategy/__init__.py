"""Players who play to win soon, as people do who know their game: whole games come to their end.

Each game has a module with its own idea of how near the end is; a move is chosen by trying it, and often what
may follow it, with the functions of the rule book alone. The dice and tiles to come are never looked at: what
may be seen is weighed by how likely it is.
"""

import random
from collections.abc import Callable, Mapping
from typing import Any

from engine import AnyRuleBook, Move, State
from simulation.strategy import dominoids, draw, duel, war

_PLAYERS: Mapping[str, Callable[[Any, Any, random.Random], Move]] = {
    "dominoids": dominoids.decide,
    "dominoes-of-war": war.decide,
    "draw-game": draw.decide,
    "kingdomino-duel": duel.decide,
}


def decide(book: AnyRuleBook, state: State, rng: random.Random) -> Move | None:
    """The move of a player who wants to win soon, or None where nobody may move."""
    if not book.movers(state):
        return None
    return _PLAYERS[book.game](book, state, rng)
