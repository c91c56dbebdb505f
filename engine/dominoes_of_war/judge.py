"""Rulings: whether a move is due and by whom, then every other rule it breaks, the gravest first."""

from engine.dominoes_of_war.allowed import allowance
from engine.dominoes_of_war.faults import own_faults
from engine.dominoes_of_war.model import (
    SET_UP,
    Blow,
    Bonus,
    Decline,
    Draw,
    End,
    Extend,
    Face,
    First,
    Forfeit,
    Found,
    March,
    Phase,
    Rewall,
    Run,
    Shoot,
    Spawn,
    Stock,
    Wall,
    WarMove,
    WarState,
)
from engine.dominoes_of_war.obstacles import LookedUp, fault, listed
from engine.dominoes_of_war.orders import foundings, may_offer
from engine.dominoes_of_war.places import name
from engine.dominoes_of_war.readings import Terms
from engine.ruling import Fault, Ruling, Status

Action = March | Run | Blow | Shoot | Spawn
BonusMove = Bonus | Extend | Rewall

_SET_UP: dict[Phase, tuple[str, str]] = {
    "armies": ("DOW-P2", "it must be seen which army each player has brought"),
    "lot": ("DOW-S2", "it must be seen who wins the lot"),
    "starter": ("DOW-S2", "the winner of the lot says who goes first"),
    "bases": ("DOW-S3", "the bases are placed"),
    "walls": ("DOW-S4", "the walls are placed"),
    "stock": ("DOW-S5", "the bases are stocked"),
    "reveal": ("DOW-S5", "the hidden troops must be seen"),
}
"""For each phase of the set-up its rule, and what happens in it."""


def judge(state: WarState, terms: Terms, move: WarMove, profile: str) -> Ruling:
    """The ruling on ``move``, without the nearest legal moves."""
    table, side = LookedUp.of(state, terms), acting(state, move)
    due = _due(state, terms, move)
    early = [found for found in (due, _out_of_turn(state, side)) if found is not None]
    own = list(own_faults(table, move, side))
    if not early and not own:
        return allowance(table, move, side, profile)
    verdicts = [verdict for _, verdict in early] or [_own_verdict(state, terms, move)]
    return Ruling.refusal((*(found for found, _ in early), *own), status=verdicts[0], profile=profile)


def acting(state: WarState, move: WarMove) -> int:
    """The player whose move this is."""
    if move.player is not None:
        return move.player
    if isinstance(move, Stock) and move.at in (*state.bases[0], *state.bases[1]):
        return 1 if move.at in state.bases[0] else 2
    return 3 - state.turn if state.phase == "offer" else state.turn


def _own_verdict(state: WarState, terms: Terms, move: WarMove) -> Status:
    """The status of a move that is due but faulty: incomplete is a base that lacks only tiles."""
    lacking = isinstance(move, Found) and any(move.tiles < whole.tiles for whole in foundings(state, terms))
    return Status.INCOMPLETE if lacking else Status.ILLEGAL


# — what is due —

_Early = tuple[Fault, Status] | None


def _illegal(rule: str, sentence: str) -> _Early:
    return fault(rule, sentence), Status.ILLEGAL


def _due(state: WarState, terms: Terms, move: WarMove) -> _Early:
    """The rule by which another move, or something to be seen, is due now."""
    if state.phase == "over":
        rule = {"won": "DOW-V", "both": "A-W32", "agreed": "A-W37"}[state.ended]
        return _illegal(rule, "The game is over.")
    if state.phase in SET_UP:
        return _due_in_set_up(state, move)
    waiting = _waiting(state, move)
    if waiting is not None:
        return waiting, Status.INCOMPLETE
    match move:
        case First() | Found() | Wall() | Stock():
            return _illegal("DOW-S6", "The set-up is over; play has begun.")
        case Face() if state.phase != "face":
            return _illegal("DOW-SNI-F", "Snipers are given their facing at the end of the turn.")
        case Decline() if state.phase != "offer":
            return _illegal("A-W37", "No draw has been offered that could be declined.")
        case Draw() if state.phase == "act" and not may_offer(state, terms):
            return _illegal("A-W37", _no_offer(state, terms))
        case Bonus() | Extend() | Rewall() if _total(move) != state.bonus:
            return _illegal(f"DOW-F3.{_total(move)}", _no_bonus(state, _total(move)))
        case Forfeit() if not state.bonus:
            return _illegal("DOW-F3", "There is no bonus to give up.")
    return None


def _due_in_set_up(state: WarState, move: WarMove) -> _Early:
    rule, what = _SET_UP[state.phase]
    if state.phase in ("armies", "lot", "reveal"):
        return fault(rule, f"First {what}."), Status.INCOMPLETE
    match move:
        case First():
            due = state.phase == "starter"
        case Found():
            due = state.phase == "bases"
        case Wall():
            due = state.phase == "walls"
        case Stock():
            due = state.phase == "stock"
        case _:
            due = False
    return None if due else _illegal("DOW-S6", f"Now {what}; the steps of the set-up follow each other.")


def _waiting(state: WarState, move: WarMove) -> Fault | None:
    """What must be seen, said or placed before this move, if something must."""
    if state.phase == "tile":
        sentence = f"First the tile on {name(state.focus)} must be flipped and seen."
        return fault("DOW-F1", sentence, state.focus)
    if state.phase == "face" and not isinstance(move, Face):
        who = "the Sniper" if len(state.unfaced) == 1 else "the Snipers"
        where = listed(name(at) for at in state.unfaced)
        sentence = f"The turn is not complete: {who} on {where} must still be given a facing."
        return fault("DOW-SNI-F", sentence, *state.unfaced)
    if state.phase == "offer" and not isinstance(move, Draw | Decline):
        return fault("A-W37", f"First player {3 - state.turn} must accept or decline the draw.")
    free = isinstance(move, Action) and state.bonus == 12
    if state.phase == "bonus" and not free and isinstance(move, Action | End | Draw):
        sentence = f"First the bonus of {state.bonus} must be used or forfeited."
        return fault("DOW-F3", sentence, bonus=state.bonus)
    return None


def _total(move: BonusMove) -> int:
    return {Bonus: 10, Extend: 17, Rewall: 20}[type(move)]


def _no_bonus(state: WarState, total: int) -> str:
    if state.bonus:
        return f"The tile just flipped adds up to {state.bonus}; this is the bonus of {total}."
    return f"No tile that adds up to {total} has just been flipped."


def _no_offer(state: WarState, terms: Terms) -> str:
    if not terms.draws:
        return "These players have ruled out draws by agreement."
    if state.offered:
        return f"Player {state.turn} has offered a draw in this turn already."
    return "A draw is offered before the first action of a turn."


def _out_of_turn(state: WarState, side: int) -> _Early:
    """The rule by which it is the other player who moves now."""
    if state.phase in ("armies", "lot", "stock", "reveal", "tile", "over"):
        return None
    if state.phase == "offer":
        if side != state.turn:
            return None
        return _illegal("A-W37", f"Player {state.turn} has offered the draw; player {3 - side} answers.")
    if side == state.turn:
        return None
    rule = _SET_UP[state.phase][0] if state.phase in SET_UP else "DOW-T4"
    return _illegal(rule, f"It is player {state.turn} who moves now, not player {side}.")
