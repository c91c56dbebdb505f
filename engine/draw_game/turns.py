"""What a move does: the tile on the table, its points, whose turn comes; and what is done and let stand."""

from engine.draw_game.deals import blocked_by, closed, paid, redealt, seen, told
from engine.draw_game.known_hands import boneyard, can_play, may_demand, size, usable
from engine.draw_game.line import CLOSED, extended, first_ends, points, spinner_of
from engine.draw_game.model import (
    ANYBODY,
    BIT,
    Beside,
    Call,
    Down,
    Draw,
    DrawMove,
    Drawn,
    DrawState,
    Laid,
    Line,
    Pass,
    Phase,
    Play,
    Redeal,
    board_tiles,
    other,
)
from engine.draw_game.proof import claim
from engine.draw_game.rules import House
from engine.errors import CannotStand


def led_by(state: DrawState, move: DrawMove, player: int) -> DrawState:
    """The state in which it is a player's turn who does something, where nobody knew whose it was."""
    if state.mover != ANYBODY or player == ANYBODY or isinstance(move, Redeal | Call):
        return state
    match = state.match._replace(down=player) if state.ends[0] == CLOSED else state.match
    return state._replace(mover=player, match=match)


def done(state: DrawState, move: DrawMove, player: int, house: House) -> DrawState:
    """The state after an allowed move of ``player``."""
    if state.hidden[player - 1]:
        state = _with_question(state, move, player, house)
    return carried_out(state, move, player, house)


def _with_question(state: DrawState, move: DrawMove, player: int, house: House) -> DrawState:
    """The state with the question kept whether ``move`` is right, where nobody can say."""
    match move:
        case Redeal():
            known = may_demand(state, player, house.doubles)
        case Draw() if not house.voluntary_draw:
            known = can_play(state, player)
        case Pass():
            known = can_play(state, player)
        case _:
            return state
    return state if known is not None else state._replace(claims=(*state.claims, claim(state, move)))


def carried_out(state: DrawState, move: DrawMove, player: int, house: House) -> DrawState:
    """The state after what ``move`` does on the table, right or not."""
    match move:
        case Draw():
            return _acted(state, move, "drawn")
        case Play() | Down() | Beside():
            return laid(state, move, player, house)
        case Pass():
            return _passed(state, move, player, house)
        case Redeal():
            return redealt(_acted(state, move), house)
        case _:
            after = paid(_acted(state, move), player, move.points, "called", move.points)
            return _won_at_once(after, player, house)


def laid(state: DrawState, move: Laid, player: int, house: House) -> DrawState:
    """The state once a player has laid a tile that he may hold."""
    # taken apart and put together by hand, here and below: _replace would take three times as long
    phase, _, hands, hidden, unseen, ends, bare, redeal, history, scores, lines, claims, match = state
    index, bit = player - 1, move.bit
    if hands[index] & bit:
        hands = (hands[0] ^ bit, hands[1]) if player == 1 else (hands[0], hands[1] ^ bit)
    else:
        unseen ^= bit
        hidden = (hidden[0] - 1, hidden[1]) if player == 1 else (hidden[0], hidden[1] - 1)
    made = 0
    if isinstance(move, Play):
        ends, bare = extended(ends, bare, move)
        made = points(ends)
    elif ends[0] == CLOSED:
        ends, bare = first_ends(move.tile)
        made = points(ends)
    out = not hands[index] and not hidden[index]
    if house.muggins:
        match = match._replace(due=(player, made) if made and not out else None)
        made = made if out else 0
    if made:
        scores = (scores[0] + made, scores[1]) if player == 1 else (scores[0], scores[1] + made)
        lines = (*lines, Line(player, made, match.deal, move.tile, made))
        if house.at_once and scores[index] >= house.target and not out:
            phase = "over"
    # of the bits 1 and 2 for who may demand a redeal, the opponent's stays
    after = DrawState(
        phase,
        3 - player,
        hands,
        hidden,
        unseen,
        ends,
        bare,
        redeal & (3 - player),
        (*history, move),
        scores,
        lines,
        claims,
        match,
    )
    if claims or hidden[0] or hidden[1]:
        after = told(after, house)
    return closed(after, house) if out else after


def _acted(state: DrawState, move: DrawMove, phase: Phase = "playing", turn: int | None = None) -> DrawState:
    """The state with ``move`` in its history; points that nobody called are gone."""
    _, mover, hands, hidden, unseen, ends, bare, redeal, history, scores, lines, claims, match = state
    if match.due is not None:
        match = match._replace(due=None)
    return DrawState(
        phase,
        turn or mover,
        hands,
        hidden,
        unseen,
        ends,
        bare,
        redeal,
        (*history, move),
        scores,
        lines,
        claims,
        match,
    )


def _passed(state: DrawState, move: Pass, player: int, house: House) -> DrawState:
    if player != state.mover:
        return _acted(state, move)
    if blocked_by(state, player):
        return closed(_acted(state, move), house)
    return _acted(state, move, turn=other(player))


def _won_at_once(state: DrawState, player: int, house: House) -> DrawState:
    won = house.at_once and state.scores[player - 1] >= house.target
    return state._replace(phase="over") if won else state


# — what the players let stand —


def stood(state: DrawState, move: DrawMove, player: int, house: House) -> DrawState:
    """The state as the table is after a refused move; raises CannotStand where no table could show it."""
    if state.phase == "drawn":
        state = seen(state, Drawn(None), house)
    if player == ANYBODY:
        raise CannotStand("Nobody knows yet whose turn it is: say which player it was.")
    if state.phase != "playing":
        raise CannotStand("No deal is being played, so that nothing done now can be part of one.")
    if isinstance(move, Down | Play | Beside):
        return _laid_anyway(state, move, player, house)
    if isinstance(move, Draw) and not boneyard(state):
        raise CannotStand("The boneyard is empty: no tile can have been drawn from it.")
    return carried_out(state, move, player, house)


def _laid_anyway(state: DrawState, move: Laid, player: int, house: House) -> DrawState:
    on_table = board_tiles(state.history)
    spinner = spinner_of(state.history)
    if on_table & move.bit:
        raise CannotStand(f"The {move.tile} lies on the table already and cannot lie there twice.")
    if isinstance(move, Beside) and not on_table & BIT[move.host]:
        raise CannotStand(f"The {move.host} does not lie on the table, so nothing can lie beside it.")
    if isinstance(move, Beside) and move.host == spinner:
        raise CannotStand(f"Say at which end of the spinner {spinner} the {move.tile} lies.")
    if isinstance(move, Play) and state.ends[0] == CLOSED:
        move = Down(move.tile, move.player)
    elif isinstance(move, Play) and move.arm > 1 and spinner is None:
        raise CannotStand(f"There is no {move.arm} end without a spinner, so nothing can lie there.")
    after = laid(_in_hand(state, move.bit, player), move, player, house)
    # whoever has lost the last tile to the table is out, though another hand laid it
    emptied = after.phase == "playing" and not size(after, other(player))
    return closed(after, house) if emptied else after


def _in_hand(state: DrawState, bit: int, player: int) -> DrawState:
    """The state in which a player has taken a tile into his hand that he cannot have held."""
    if bit & usable(state, player):
        return state
    theirs = other(player) - 1
    hands = list(state.hands)
    hands[theirs] &= ~bit  # or else it comes from the boneyard: no other hand is hidden once that is empty
    hands[player - 1] |= bit
    return state._replace(
        hands=(hands[0], hands[1]),
        unseen=state.unseen & ~bit,
        # a tile from elsewhere proves nothing about this hand any more
        claims=tuple(one for one in state.claims if one.move.player != player),
    )
