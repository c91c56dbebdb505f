"""What is known about the hands: what a player may hold, can play, and was dealt."""

from engine.dominoes import Domino
from engine.draw_game.line import fitting
from engine.draw_game.model import BIT, DOUBLES, Draw, Drawn, DrawState, other


def usable(state: DrawState, player: int) -> int:
    """The tiles that a player may hold: those known, and, with a hidden hand, all that nobody has seen."""
    known = state.hands[player - 1]
    return known | state.unseen if state.hidden[player - 1] else known


def size(state: DrawState, player: int) -> int:
    """How many tiles a hand holds."""
    return state.hands[player - 1].bit_count() + state.hidden[player - 1]


def boneyard(state: DrawState) -> int:
    """How many tiles the boneyard holds."""
    return state.unseen.bit_count() - sum(state.hidden)


def can_play(state: DrawState, player: int) -> bool | None:
    """Whether a player holds a tile that fits; None where nobody at the table can say."""
    fits = fitting(state.ends)
    if state.hands[player - 1] & fits:
        return True
    hidden = state.hidden[player - 1]
    if not hidden or not state.unseen & fits:
        return False
    # more hidden tiles than there are that do not fit: one of them must
    return True if hidden > (state.unseen & ~fits).bit_count() else None


def drawn_by(state: DrawState, player: int) -> tuple[int, int]:
    """The tiles that a player was seen to draw in this deal, and how many were not seen."""
    seen = unseen = 0
    drawer = 0
    for event in state.history:
        if isinstance(event, Draw):
            drawer = event.player or 0
        elif isinstance(event, Drawn) and drawer == player:
            seen |= event.bit
            unseen += event.tile is None
    return seen, unseen


def dealt_doubles(state: DrawState, player: int) -> tuple[int, int]:
    """The least and the most doubles that a player who has not laid a tile can have been dealt."""
    seen, unseen = drawn_by(state, player)
    known = (state.hands[player - 1] & ~seen & DOUBLES).bit_count()
    hidden = state.hidden[player - 1]
    most = known + min(max(hidden - unseen, 0), (state.unseen & DOUBLES).bit_count())
    # a hand that came to be known as a whole may hold doubles that were drawn unseen
    least = known if hidden else max(known - unseen, 0)
    return least, most


def may_demand(state: DrawState, player: int, needed: int) -> bool | None:
    """Whether a player was dealt the doubles for a redeal; None where nobody can say."""
    least, most = dealt_doubles(state, player)
    return True if least >= needed else None if most >= needed else False


def just_drawn(state: DrawState) -> Drawn | None:
    """What the player whose turn it is has drawn as the last thing done, if anything."""
    if len(state.history) < 2:
        return None
    draw, drawn = state.history[-2:]
    mine = isinstance(draw, Draw) and draw.player == state.mover
    return drawn if mine and isinstance(drawn, Drawn) else None


def drawn_that_fits(state: DrawState) -> int:
    """The tile just drawn by the player whose turn it is, where it is known and fits; else no tile."""
    drawn = just_drawn(state)
    return 0 if drawn is None else drawn.bit & fitting(state.ends)


def drawn_unseen(state: DrawState) -> bool:
    """Whether the player whose turn it is has just drawn a tile that nobody else saw."""
    drawn = just_drawn(state)
    return drawn is not None and drawn.tile is None


def where_is(state: DrawState, tile: Domino, player: int) -> str | None:
    """Where a tile is that ``player`` cannot hold, in words; None where he may hold it."""
    bit = BIT[tile]
    if bit & usable(state, player):
        return None
    if bit & state.hands[other(player) - 1]:
        return f"in the hand of player {other(player)}"
    if bit & state.unseen:
        return "in the boneyard" if not sum(state.hidden) else "not in that hand"
    return "on the table"
