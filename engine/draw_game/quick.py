"""The commonest move of all, made without a detour: a tile from an open hand to an end that it fits.

Simulations spend most of their time here. What it does is what ``judge`` and ``turns`` do, which a test holds
it to, but nothing is looked at that cannot matter: it leaves hidden hands, last tiles and special readings to
them, and the state is made without its own constructor.
"""

from engine.draw_game.line import PIPS, WORTH, extended
from engine.draw_game.model import DrawState, Line, Play
from engine.draw_game.rules import House


def quickly(state: DrawState, move: Play, house: House) -> DrawState | None:
    """The state after a legal ``move``; None where it takes a closer look, or is not legal."""
    phase, mover, hands, hidden, unseen, ends, bare, redeal, history, scores, lines, claims, match = state
    first, second = hands
    left = (first if mover == 1 else second) & ~move.bit
    if (
        phase != "playing"
        or move.player != mover
        or PIPS[ends[move.arm]] != move.half
        or not left
        or left == hands[mover - 1]
        or hidden != (0, 0)
        or not house.plain
    ):
        return None
    ends, bare = extended(ends, bare, move)
    made = WORTH[ends[0]] + WORTH[ends[1]] + WORTH[ends[2]] + WORTH[ends[3]]
    if made and not made % 5:
        scores = (scores[0] + made, scores[1]) if mover == 1 else (scores[0], scores[1] + made)
        lines = (*lines, Line(mover, made, match.deal, move.tile, made))
        if house.at_once and scores[mover - 1] >= house.target:
            phase = "over"
    fields = (
        phase,
        3 - mover,
        (left, second) if mover == 1 else (first, left),
        hidden,
        unseen,
        ends,
        bare,
        redeal & (3 - mover),
        history + (move,),  # noqa: RUF005 (unpacking takes twice as long)
        scores,
        lines,
        claims,
        match,
    )
    return tuple.__new__(DrawState, fields)
