"""Whose turn it is to take dice, and how many; and who is A, where only the first die tells it."""

from dataclasses import replace

from engine.kingdomino_duel.model import DuelMove, DuelState, Take


def taker(state: DuelState) -> int:
    """Whose turn it is to take from the dice in the middle."""
    a, b = state.players
    return a if not state.taken(a) else b


def begun(state: DuelState, move: DuelMove, player: int) -> DuelState:
    """The state in which it is known who is A: whoever takes the first die, if nobody has said it before."""
    first = isinstance(move, Take) and state.stage == "draft" and state.a is None
    return replace(state, a=player) if first else state


def due(state: DuelState) -> int:
    """How many dice the next taker takes, without P3."""
    return 1 if state.a is None or taker(state) == state.a else 2 - len(state.taken(taker(state)))
