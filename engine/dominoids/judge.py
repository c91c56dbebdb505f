"""Legality: all that may be done now, and everything that is wrong with a move that may not be.

The faults of a refused move come in this order: the game is over or not set up; something must be seen
first; it is the other player's turn; it is not the time for such a move; the die does not allow it; and last
what is wrong with the pieces themselves.
"""

from collections.abc import Iterator
from functools import lru_cache

from engine.dominoids import options
from engine.dominoids.board import BESIDE, NAMES, NUMBER_OF, POOL, SQUARES, Direction, first, line_name
from engine.dominoids.family import (
    attack_faults,
    attack_grounds,
    birth_faults,
    bud_faults,
    child_grounds,
    duties,
    eat_faults,
    eat_grounds,
)
from engine.dominoids.model import (
    ACE,
    ACT,
    CONSEQUENCE,
    DICE,
    DOMINOES,
    ENDINGS,
    FACES,
    NULL,
    OPENING,
    OVER,
    REFILL,
    ROLL,
    SUITS,
    Action,
    Agree,
    AnyMove,
    Attack,
    Birth,
    Bud,
    DominoidsState,
    Done,
    Eat,
    Idle,
    MoveDominoid,
    Pass,
    PlaceCoin,
    Shift,
    TakeDice,
    laid_on,
)
from engine.dominoids.movement import move_faults, move_grounds, shift_faults, shift_grounds
from engine.dominoids.options import is_number
from engine.dominoids.telling import die_name, fault, listed, piece_at, suit_name
from engine.plain import Json
from engine.ruling import Fault, Ruling, Status

# Moves are made once and then shared: a listing is made at every step of a game.


@lru_cache(maxsize=32768)
def _move(player: int, die: int, number: int, lie: int) -> MoveDominoid:
    return MoveDominoid(player, die, laid_on(number, lie))


@lru_cache(maxsize=32768)
def _bud(player: int, die: int, number: int, lie: int) -> Bud:
    return Bud(player, die, laid_on(number, lie))


@lru_cache(maxsize=16384)
def _birth(player: int, number: int, lie: int) -> Birth:
    return Birth(player, laid_on(number, lie))


@lru_cache(maxsize=128)
def _dice(player: int, dice: tuple[int, int]) -> TakeDice:
    return TakeDice(player, dice)


def legal_moves(state: DominoidsState) -> list[AnyMove]:
    """All that may be done now: dice in suit order, then dominoes in their order, then squares in theirs."""
    if state.turning:
        return []
    player = state.player
    if state.stage == ACT:
        return [move for die in range(4) for move in _actions(state, die)]
    if state.stage == CONSEQUENCE:
        return _consequences(state)
    if state.stage == REFILL:
        coins: list[AnyMove] = [PlaceCoin(player, suit, SQUARES[at]) for suit, at in options.refills(state)]
        return coins or [Done(player)]
    if state.stage == DICE:
        agreeing = [Agree(one) for one in (1, 2) if not state.agreed & one]
        return [*(_dice(player, pair) for pair in options.dice_pairs(state)), *agreeing]
    return []


def _actions(state: DominoidsState, die: int) -> list[AnyMove]:
    if not (state.chosen & ~state.used) >> die & 1:
        return []
    player, face = state.player, state.faces[die]
    if is_number(face):
        occupied = state.occupied
        moves: list[AnyMove] = [
            _move(player, die, *place) for place in options.number_moves(state, face, occupied)
        ]
        moves = moves or [_bud(player, die, *place) for place in options.buds(state, occupied)]
    else:
        shifts = options.shifts(state, die) if face == ACE else []
        moves = [Shift(player, die, direction, line) for direction, line in shifts]
    return moves or [Pass(player, die)]


def _consequences(state: DominoidsState) -> list[AnyMove]:
    player = state.player
    found = options.prey(state)
    if found == options.NO_PREY:
        return [Idle(player)]
    moves: list[AnyMove] = [Eat(player, SQUARES[square]) for square in found.coins]
    moves += [Attack(player, DOMINOES[victim]) for victim in found.victims]
    moves += [_birth(player, *place) for place in options.children(state, found.partners)]
    return moves or [Idle(player)]


# — rulings —


def judge(state: DominoidsState, move: AnyMove, profile: str) -> Ruling:
    """The ruling on a move."""
    faults = (*_when(state, move), *(() if state.stage in (OVER, OPENING) else _what(state, move)))
    if faults:
        unfinished = _unfinished(state, move, faults)
        status = Status.INCOMPLETE if unfinished else Status.ILLEGAL
        return Ruling.refusal(faults, status=status, profile=profile)
    grounds = _grounds(state, move)
    return Ruling(
        Status.LEGAL, grounds.rule, grounds.sentence, grounds.squares, grounds.facts, profile=profile
    )


def _unfinished(state: DominoidsState, move: AnyMove, faults: tuple[Fault, ...]) -> bool:
    """Whether the move is a good beginning: one die of two, or an end of the turn that comes too soon."""
    if isinstance(move, TakeDice):
        return len(move.dice) == 1 and len(faults) == 1 and state.stage == DICE and not state.turning
    on_turn = move.player in (None, state.player) and not state.turning
    return isinstance(move, Done) and on_turn and state.stage in (DICE, ACT, CONSEQUENCE, REFILL)


def _when(state: DominoidsState, move: AnyMove) -> Iterator[Fault]:
    """What is wrong with doing anything at all just now."""
    if state.stage == OVER:
        ended: dict[str, Json] = {"ended": ENDINGS[state.ended]}
        yield fault("DMN-END", "The game is over; nothing more is played.", (), ended)
        return
    if state.stage == OPENING:
        yield fault("DMN-1", "The game is not set up yet; play begins once the opening has been seen.")
        return
    if state.turning:
        coin = first(state.turning)
        yield fault("DMN-4.6", f"The coin on {NAMES[coin]} must be turned up before play goes on.", (coin,))
    elif state.stage == ROLL:
        dice = listed(suit_name(die) for die in range(4) if state.chosen >> die & 1)
        yield fault("DMN-8", f"The turn is over: {dice} must be rolled before play goes on.")
    if move.player not in (None, state.player) and not isinstance(move, Agree):
        facts: dict[str, Json] = {"turn": state.player, "moved": move.player}
        sentence = f"It is player {state.player}'s turn, not player {move.player}'s."
        yield fault("DMN-1", sentence, (), facts)


def _what(state: DominoidsState, move: AnyMove) -> list[Fault]:
    """What is wrong with this move, whoever made it."""
    match move:
        case MoveDominoid():
            return [*_die_faults(state, move), *move_faults(state, move)]
        case Bud():
            return [*_die_faults(state, move), *bud_faults(state, move)]
        case Shift():
            return [*_die_faults(state, move), *shift_faults(state, move)]
        case Pass():
            return [*_die_faults(state, move), *_pass_faults(state, move)]
        case Eat():
            return eat_faults(state, move)
        case Attack():
            return attack_faults(state, move)
        case Birth():
            return birth_faults(state, move)
        case _:
            return list(_table_faults(state, move))


def _grounds(state: DominoidsState, move: AnyMove) -> Fault:
    """The rule that allows a move without faults."""
    match move:
        case MoveDominoid():
            return move_grounds(state, move)
        case Bud():
            return _bud_grounds(state, move)
        case Shift():
            return shift_grounds(state, move)
        case Pass():
            return _pass_grounds(state, move)
        case Eat():
            return eat_grounds(state, move)
        case Attack():
            return attack_grounds(state, move)
        case Birth():
            return child_grounds(state, move.child, (state.mover, *options.prey(state).partners))
        case _:
            return _table_grounds(state, move)


# — the dice —


def _die_faults(state: DominoidsState, move: Action) -> Iterator[Fault]:
    """What is wrong with using this die for this, now."""
    die, name = move.die, die_name(state, move.die)
    facts: dict[str, Json] = {"die": SUITS[die], "face": FACES[state.faces[die]]}
    if state.stage == DICE:
        yield fault("DMN-3", "The two dice of the turn must be chosen first.", (), facts)
    else:
        if state.stage == CONSEQUENCE:
            yield from _unsettled(state)
        if state.used >> die & 1:
            both = " Both actions of the turn are done." if state.used == state.chosen else ""
            sentence = f"With {name} an action was done already, and each die gives one.{both}"
            yield fault("DMN-2", sentence, (), facts)
        elif not state.chosen >> die & 1:
            chosen = listed(suit_name(one) for one in range(4) if state.chosen >> one & 1)
            yield fault("DMN-3.3", f"{_capital(name)} is not one of those chosen ({chosen}).", (), facts)
    if not isinstance(move, Pass):
        yield from _face_faults(state, move)


def _unsettled(state: DominoidsState) -> list[Fault]:
    """The slide before has not been brought to its end."""
    mover = DOMINOES[state.mover]
    return duties(state) or [
        fault("DMN-3.3", f"The slide of the {mover} must be finished first: it has no consequence.")
    ]


def _face_faults(state: DominoidsState, move: MoveDominoid | Bud | Shift) -> Iterator[Fault]:
    face, name = state.faces[move.die], _capital(die_name(state, move.die))
    facts: dict[str, Json] = {"die": SUITS[move.die], "face": FACES[face]}
    if face == NULL:
        yield fault("DMN-6", f"{name} is blank: nothing is done with it.", (), facts)
    elif isinstance(move, Shift) and face != ACE:
        yield fault("DMN-3.3", f"{name} moves a Dominoid; only an ace shifts the board.", (), facts)
    elif isinstance(move, Bud) and face == ACE and not options.shifts(state, move.die):
        yield fault("DMN-5.6", f"{name} can shift nothing and is passed: nothing buds.", (), facts)
    elif not isinstance(move, Shift) and face == ACE:
        yield fault("DMN-3.3", f"{name} is an ace: it shifts the board and moves no Dominoid.", (), facts)


def _pass_faults(state: DominoidsState, move: Pass) -> Iterator[Fault]:
    face, name = state.faces[move.die], die_name(state, move.die)
    if face == ACE:
        for direction, line in options.shifts(state, move.die)[:1]:
            sentence = f"{_capital(name)} must shift the board; {_shifted(direction, line)}."
            yield fault("DMN-5", sentence, (state.pawns[move.die],), {"line": line_name(direction, line)})
    elif is_number(face):
        occupied = state.occupied
        for number, lie in options.number_moves(state, face, occupied)[:1]:
            to = laid_on(number, lie)
            sentence = (
                f"{_capital(name)} must move a Dominoid; the {to.domino} could go to {to.low} and {to.high}."
            )
            yield fault("DMN-4", sentence, (to.low, to.high), {"could": str(to)})
            return
        for number, lie in options.buds(state, occupied)[:1]:
            child = laid_on(number, lie)
            sentence = f"{_capital(name)} can move nothing, so that a Dominoid must bud, for example {child}."
            yield fault("DMN-4.10", sentence, (child.low, child.high), {"could": str(child)})


def _shifted(direction: Direction, line: int) -> str:
    return f"{line_name(direction, line)} could go {direction}"


def _pass_grounds(state: DominoidsState, move: Pass) -> Fault:
    face, name = state.faces[move.die], _capital(die_name(state, move.die))
    facts: dict[str, Json] = {"die": SUITS[move.die], "face": FACES[face]}
    if face == NULL:
        return fault("DMN-6", f"{name} is blank: nothing is done.", (), facts)
    if face == ACE:
        pawn = state.pawns[move.die]
        return fault("DMN-5.6", f"{name} can shift nothing and counts as a blank.", (pawn,), facts)
    sentence = f"{name} can move nothing and nothing can bud, so that it is spent."
    return fault("DMN-4.10", sentence, (), {**facts, "reading": "A-D10"})


def _bud_grounds(state: DominoidsState, move: Bud) -> Fault:
    parents = [number for number, lie in enumerate(state.dominoes) if lie != POOL]
    born = child_grounds(state, move.child, parents)
    sentence = (
        f"{_capital(die_name(state, move.die))} can move nothing, so that a Dominoid buds. {born.sentence}"
    )
    return Fault("DMN-4.10", sentence, born.squares, born.facts)


def _capital(words: str) -> str:
    return words[0].upper() + words[1:]


# — what is done round the table: dice, coins, the end of the turn, an agreement —


def _table_faults(state: DominoidsState, move: AnyMove) -> Iterator[Fault]:
    match move:
        case TakeDice():
            yield from _take_faults(state, move)
        case PlaceCoin():
            yield from _place_faults(state, move)
        case Done():
            yield from _done_faults(state)
        case Idle():
            if state.stage == CONSEQUENCE:
                yield from duties(state)
            else:
                yield fault("DMN-4.1", "No Dominoid has just slid, so that there is nothing to go without.")
        case _:
            yield from _agree_faults(state, move.player or state.player)


def _take_faults(state: DominoidsState, move: TakeDice) -> Iterator[Fault]:
    named = listed(suit_name(die) for die in move.dice)
    dice: dict[str, Json] = {"dice": [SUITS[die] for die in move.dice]}
    if state.stage != DICE:
        chosen = listed(suit_name(die) for die in range(4) if state.chosen >> die & 1)
        yield fault("DMN-3.1", f"The dice of this turn are chosen already ({chosen}).", (), dice)
    if len(move.dice) == 1:
        yield fault("DMN-3.1", f"Only one die was chosen ({named}); a turn needs two.", (), dice)
        return
    if len(move.dice) != 2 or move.dice[0] == move.dice[1]:
        yield fault("DMN-3.1", f"Two different dice are chosen, not {named}.", (), dice)
    if all(state.new >> die & 1 for die in move.dice):
        old = listed(suit_name(die) for die in range(4) if not state.new >> die & 1)
        sentence = f"{named} come from the new box; at least one must be of the old box ({old})."
        yield fault(
            "DMN-3.2", sentence, (), {**dice, "new": [SUITS[die] for die in range(4) if state.new >> die & 1]}
        )


def _place_faults(state: DominoidsState, move: PlaceCoin) -> Iterator[Fault]:
    suit, name, square = move.suit, suit_name(move.suit), NUMBER_OF.get(move.square)
    pawn = state.pawns[suit]
    if state.stage in (DICE, ACT, CONSEQUENCE):
        yield fault("DMN-7", "Coins are replaced after both actions of the turn, not before.", (move.square,))
    there = [coin.square for coin in state.coins if coin.suit == suit]
    if there:
        at = listed(NAMES[one] for one in there)
        yield fault("DMN-7.1", f"{name} needs no coin: there is one on {at}.", there, {"suit": SUITS[suit]})
    if not state.stack(suit):
        yield fault("DMN-7.2", f"The stack of {name} is empty.", (), {"suit": SUITS[suit]})
    occupied = state.occupied
    free = [NAMES[near] for near in BESIDE[pawn] if not occupied >> near & 1]
    facts: dict[str, Json] = {"suit": SUITS[suit], "pawn": NAMES[pawn], "free": free}
    if not free:
        sentence = (
            f"The {name} pawn on {NAMES[pawn]} has no free square beside it, so that no coin is placed now."
        )
        yield fault("DMN-7.3", sentence, (pawn,), facts)
    if square not in BESIDE[pawn]:
        sentence = f"{move.square} shares no side with {NAMES[pawn]}, where the {name} pawn stands."
        yield fault("DMN-7.1", sentence, (move.square, pawn), facts)
    if square is not None and occupied >> square & 1:
        yield fault(
            "DMN-7.1", f"{move.square} is not free: {piece_at(state, square)} is there.", (square,), facts
        )


def _done_faults(state: DominoidsState) -> Iterator[Fault]:
    left = [SUITS[die] for die in range(4) if (state.chosen & ~state.used) >> die & 1]
    if state.stage == CONSEQUENCE:
        yield from _unsettled(state)
    if state.stage == DICE:
        yield fault("DMN-3.1", "The turn has not begun: two dice must be chosen.")
    elif left:
        names = listed(die.capitalize() for die in left)
        yield fault(
            "DMN-2",
            f"A turn has two actions; {names} {'is' if len(left) == 1 else 'are'} still to be used.",
            (),
            {"left": left},
        )
    elif state.stage != ROLL:
        for suit, square in options.refills(state)[:1]:
            sentence = f"{suit_name(suit)} lacks a coin, and there is room for one on {NAMES[square]}."
            yield fault("DMN-7.1", sentence, (square, state.pawns[suit]), {"suit": SUITS[suit]})


def _agree_faults(state: DominoidsState, player: int) -> Iterator[Fault]:
    if state.stage != DICE:
        yield fault("DMN-STOP", "To stop is agreed between two turns, before the dice are chosen.")
    if state.agreed & player:
        yield fault("DMN-STOP", f"Player {player} has agreed to stop already.", (), {"player": player})


def _table_grounds(state: DominoidsState, move: AnyMove) -> Fault:
    player = move.player or state.player
    match move:
        case TakeDice():
            named = listed(die_name(state, die) for die in move.dice)
            old = [SUITS[die] for die in move.dice if not state.new >> die & 1]
            sentence = (
                f"Player {player} chooses {named}; {listed(map(str.capitalize, old))} from the old box."
            )
            return fault("DMN-3.2", sentence, (), {"dice": [SUITS[die] for die in move.dice], "old": old})
        case PlaceCoin():
            at = NAMES[state.pawns[move.suit]]
            sentence = (
                f"{suit_name(move.suit)} has no coin on the board and gets one on {move.square}, beside {at}."
            )
            return fault(
                "DMN-7.1", sentence, (NUMBER_OF[move.square],), {"suit": SUITS[move.suit], "pawn": at}
            )
        case Done():
            return fault("DMN-8", "Both actions are done and no coin can be replaced: the dice are rolled.")
        case Idle():
            mover = DOMINOES[state.mover]
            sentence = f"The {mover} has nothing beside it that it could eat, attack or breed with."
            return fault("DMN-4.1", sentence, (), {"domino": str(mover)})
        case _:
            both = "; both have, and the game is drawn" if state.agreed | player == 3 else ""
            return fault("DMN-STOP", f"Player {player} agrees to stop{both}.", (), {"player": player})
