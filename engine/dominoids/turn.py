"""The course of a turn: what a move or a fact makes of the state, also an illegal move that stands."""

from engine.dominoids import options
from engine.dominoids.board import CARRIED, NAMES, NUMBER_OF, POOL, SLID_TO, TIDY, lie
from engine.dominoids.model import (
    ACT,
    AGREED,
    ALL_DICE,
    ARMS,
    ATE,
    ATTACKED,
    BRED,
    BUDDED,
    CONSEQUENCE,
    DICE,
    DOMINOES,
    FACES,
    IDLED,
    IF_IT_FITS,
    NOBODY,
    NOTHING,
    NOWHERE,
    NUMBER,
    OPENING,
    OVER,
    PASSED,
    PLAYING,
    REFILL,
    ROLL,
    ROTATED,
    SHIFTED,
    SLID,
    SUITS,
    SUITS_GONE,
    TURNS_OVER,
    UNKNOWN,
    VALUES,
    Action,
    AnyFact,
    AnyMove,
    Arm,
    Attack,
    Birth,
    Bud,
    Coin,
    DominoidsState,
    Done,
    Eat,
    FirstPlayer,
    Idle,
    Laid,
    MoveDominoid,
    Pass,
    PlaceCoin,
    Roll,
    Shift,
    TakeDice,
    TurnedCoin,
)
from engine.errors import CannotStand, ImpossibleFact


def apply(state: DominoidsState, move: AnyMove, *, reveal_all: bool) -> DominoidsState:
    """The state after an allowed move."""
    match move:
        case TakeDice():
            return _begin(state, move.dice)
        case MoveDominoid() | Bud() | Shift() | Pass():
            return _acted(state, move, state.used | 1 << move.die, reveal_all=reveal_all)
        case Eat():
            return _eat(state, NUMBER_OF[move.square], state.player, IF_IT_FITS)
        case Attack():
            return settle(state.with_domino(NUMBER[move.victim], POOL), ATTACKED)
        case Birth():
            return settle(state.with_domino(move.child.number, _on_board(move.child)), BRED)
        case Idle():
            return settle(state, IDLED)
        case PlaceCoin():
            return _placed(state, move)
        case Done():
            return state._replace(stage=ROLL)
        case _:
            return _agreed(state, move.player or state.player)


def _begin(state: DominoidsState, dice: tuple[int, ...]) -> DominoidsState:
    chosen = sum({1 << die for die in dice})
    return state._replace(stage=ACT, chosen=chosen, used=0, mover=NOWHERE, deed=NOTHING, agreed=0)


def _acted(state: DominoidsState, action: Action, used: int, *, reveal_all: bool) -> DominoidsState:
    """What an action makes of the table, ``used`` being the dice used then, and what follows it."""
    stage = ACT if used != state.chosen else REFILL
    match action:
        case MoveDominoid(to=to):
            lie_ = _on_board(to)
            dominoes = state.lies_with(to.number, lie_)
            if not _slid(state, to):
                return state._replace(dominoes=dominoes, used=used, stage=stage, mover=NOWHERE, deed=ROTATED)
            return state._replace(
                dominoes=dominoes,
                used=used,
                stage=CONSEQUENCE,
                mover=to.number,
                deed=SLID,
                turning=options.hidden_beside(state, lie_) if reveal_all else 0,
            )
        case Bud(child=child):
            dominoes = state.lies_with(child.number, _on_board(child))
            return state._replace(dominoes=dominoes, used=used, stage=stage, mover=NOWHERE, deed=BUDDED)
        case Shift():
            return _shifted(state, action)._replace(used=used, stage=stage, mover=NOWHERE, deed=SHIFTED)
        case _:
            return state._replace(used=used, stage=stage, mover=NOWHERE, deed=PASSED)


def _slid(state: DominoidsState, to: Laid) -> bool:
    """Whether a Dominoid goes to another lie by a slide; a child let stand comes from nowhere."""
    before = state.dominoes[to.number]
    return before != POOL and to.lie in SLID_TO[before]


def _on_board(where: Laid) -> int:
    """The lie of a Dominoid that is known to be on the board."""
    assert where.lie is not None
    return where.lie


def settle(state: DominoidsState, deed: int) -> DominoidsState:
    """The consequence of a slide is done: the turn goes on, or the game has ended."""
    stage = ACT if state.used != state.chosen else REFILL
    return _unless_over(state._replace(stage=stage, deed=deed))


def _unless_over(state: DominoidsState) -> DominoidsState:
    if len(state.exhausted()) >= 3:
        return state._replace(stage=OVER, ended=SUITS_GONE)
    return state


def _eat(state: DominoidsState, square: int, player: int, taker: int) -> DominoidsState:
    """A coin is eaten; one that lies value down is turned up first, and then ``taker`` decides."""
    coin = _coin(state, square)
    if coin.value == UNKNOWN:
        return state._replace(turning=1 << square, taker=taker)
    return _taken(state, coin, player)


def _taken(state: DominoidsState, coin: Coin, player: int) -> DominoidsState:
    state = state.after_meal(player, coin)
    return settle(state, ATE) if state.stage == CONSEQUENCE else _unless_over(state)


def _coin(state: DominoidsState, square: int) -> Coin:
    coin = state.coin_at(square)
    assert coin is not None
    return coin


def _shifted(state: DominoidsState, move: Shift) -> DominoidsState:
    carried = CARRIED[move.direction, move.line]
    lies = [lie_ if lie_ == POOL else lie(carried[lie_ >> 6], carried[lie_ & 63]) for lie_ in state.dominoes]
    return state._replace(
        dominoes=tuple(lies),
        pawns=tuple(carried[pawn] for pawn in state.pawns),
        coins=tuple(sorted(coin._replace(square=carried[coin.square]) for coin in state.coins)),
    )


def _placed(state: DominoidsState, move: PlaceCoin) -> DominoidsState:
    coin = Coin(NUMBER_OF[move.square], move.suit, UNKNOWN)
    return state._replace(coins=tuple(sorted((*state.coins, coin))))


def _agreed(state: DominoidsState, player: int) -> DominoidsState:
    state = state._replace(agreed=state.agreed | player)
    return state._replace(stage=OVER, ended=AGREED) if state.agreed == 3 else state


# — facts —


def observe(state: DominoidsState, fact: AnyFact, *, max_turns: int) -> DominoidsState:
    """The state once a fact has been seen; raises ImpossibleFact where it cannot be."""
    match fact:
        case TurnedCoin():
            return _turned(state, fact)
        case Roll():
            return _rolled(state, fact, max_turns)
        case Arm():
            return _armed(state, fact)
        case _:
            return _drawn(state, fact)


def _not_due(what: str) -> ImpossibleFact:
    return ImpossibleFact("OBS-DMN-DUE", f"The game is not waiting for {what}.")


def _turned(state: DominoidsState, fact: TurnedCoin) -> DominoidsState:
    square = NUMBER_OF.get(fact.square)
    due = (state.turning & -state.turning).bit_length() - 1
    if square is None or square != due:
        waits = f"; it waits for the one on {NAMES[due]}" if state.turning else ""
        raise ImpossibleFact("OBS-DMN-DUE", f"The game is not waiting for a coin on {fact.square}{waits}.")
    coin = _coin(state, square)
    if fact.value not in VALUES:
        raise ImpossibleFact("OBS-DMN-COIN", f"A coin shows 0 to 5, not {fact.value}.")
    if fact.value not in state.unseen(coin.suit):
        name = SUITS[coin.suit].capitalize()
        raise ImpossibleFact(
            "OBS-DMN-COIN", f"The {name} coin of value {fact.value} has been seen elsewhere."
        )
    coin = coin._replace(value=fact.value)
    coins = tuple(coin if other.square == square else other for other in state.coins)
    taker = state.taker
    state = state._replace(coins=coins, turning=state.turning & ~(1 << square), taker=NOBODY)
    if taker == IF_IT_FITS:
        pips = options.beside_pips(state, state.mover, square)
        return _taken(state, coin, state.player) if pips is not None and coin.value <= pips else state
    return state if taker == NOBODY else _taken(state, coin, taker)


def _rolled(state: DominoidsState, fact: Roll, max_turns: int) -> DominoidsState:
    opening = state.stage == OPENING
    due = ALL_DICE if opening else state.chosen
    if state.turning or not (_roll_opens(state) if opening else state.stage == ROLL):
        raise _not_due("a roll")
    dice = [die for die, _ in fact.faces]
    if dice != [die for die in range(4) if due >> die & 1]:
        named = ", ".join(SUITS[die] for die in range(4) if due >> die & 1)
        raise ImpossibleFact("OBS-DMN-ROLL", f"The dice that are rolled are {named}, each once.")
    for _, face in fact.faces:
        if face not in range(len(FACES)):
            raise ImpossibleFact("OBS-DMN-ROLL", f"A die shows null, ace or 2 to 5, not {face}.")
    shown = list(state.faces)
    for die, face in fact.faces:
        shown[die] = face
    if opening:
        return state._replace(faces=tuple(shown))
    return _next_turn(_boxed(state, tuple(shown)), max_turns)


def _boxed(state: DominoidsState, faces: tuple[int, ...]) -> DominoidsState:
    """The dice of the turn, rolled, go to the new box; when all four are there, all go to the old one."""
    new = state.new | state.chosen
    return state._replace(faces=faces, new=0 if new == ALL_DICE else new)


def _next_turn(state: DominoidsState, max_turns: int) -> DominoidsState:
    over = 0 < max_turns <= state.turn
    return state._replace(
        turn=state.turn + 1,
        player=3 - state.player,
        stage=OVER if over else DICE,
        ended=TURNS_OVER if over else PLAYING,
        chosen=0,
        used=0,
        mover=NOWHERE,
        deed=NOTHING,
        agreed=0,
    )


def _roll_opens(state: DominoidsState) -> bool:
    return next_arm(state) == 4 and state.faces[0] == UNKNOWN


def next_arm(state: DominoidsState) -> int:
    """How many arms of the opening have been seen."""
    return 4 - state.pawns.count(NOWHERE)


def _armed(state: DominoidsState, fact: Arm) -> DominoidsState:
    seen = next_arm(state)
    if state.stage != OPENING or seen == 4:
        raise _not_due("an arm of the opening")
    arm, name = ARMS[seen], SUITS[fact.suit].capitalize()
    if NUMBER_OF.get(fact.pawn) != arm.pawn:
        raise ImpossibleFact("OBS-DMN-PAWN", f"The next pawn of the opening stands on {NAMES[arm.pawn]}.")
    if state.pawns[fact.suit] != NOWHERE:
        raise ImpossibleFact(
            "OBS-DMN-PAWN", f"The {name} pawn stands on {NAMES[state.pawns[fact.suit]]} already."
        )
    number, lie_ = fact.domino.number, fact.domino.lie
    if lie_ is None or TIDY.get(lie_) != arm.lie:
        low, high = arm.lie >> 6, arm.lie & 63
        raise ImpossibleFact(
            "OBS-DMN-DOMINO", f"The domino of this arm lies on {NAMES[low]} and {NAMES[high]}."
        )
    if state.dominoes[number] != POOL:
        raise ImpossibleFact("OBS-DMN-DOMINO", f"The {DOMINOES[number]} lies on the board already.")
    pawns = tuple(arm.pawn if suit == fact.suit else at for suit, at in enumerate(state.pawns))
    coins = tuple(sorted((*state.coins, Coin(arm.coin, fact.suit, UNKNOWN))))
    return state.with_domino(number, lie_)._replace(pawns=pawns, coins=coins)


def _drawn(state: DominoidsState, fact: FirstPlayer) -> DominoidsState:
    if state.stage != OPENING or UNKNOWN in state.faces:
        raise _not_due("who begins")
    if fact.player not in (1, 2):
        raise ImpossibleFact("OBS-DMN-FIRST", f"The players are 1 and 2; there is no player {fact.player}.")
    return state._replace(player=fact.player, stage=DICE)


# — illegal moves that stand —


def let_stand(state: DominoidsState, move: AnyMove, *, reveal_all: bool, max_turns: int) -> DominoidsState:
    """The state as the table is after an illegal move that the players let stand.

    A coin that should have been turned up stays as it is, and a meal that was due is forgone, as soon as
    something else is done. An action uses up its die; one with a die that was not chosen takes the place of
    the first unused die that was. Out of turn or out of time only the table changes.
    """
    if state.stage in (OPENING, OVER):
        raise CannotStand("Before the set-up and after the end of a game no move can stand.")
    match move:
        case TakeDice():
            return _dice_stand(_forgone(state), move, max_turns)
        case MoveDominoid() | Bud() | Shift() | Pass():
            return _action_stands(state, move, reveal_all=reveal_all)
        case Eat():
            return _meal_stands(state._replace(turning=0, taker=NOBODY), move)
        case Attack() | Birth():
            return _family_stands(state._replace(turning=0, taker=NOBODY), move)
        case PlaceCoin():
            return _coin_stands(state, move)
        case Done():
            return _end_stands(_forgone(state), max_turns)
        case Idle():
            return _forgone(state)
        case _:
            return _agreed(_forgone(state), move.player or state.player)


def _forgone(state: DominoidsState) -> DominoidsState:
    """Nothing is turned up or eaten any more; a slide is left without a consequence."""
    state = state._replace(turning=0, taker=NOBODY)
    return settle(state, IDLED) if state.stage == CONSEQUENCE else state


def _dice_stand(state: DominoidsState, move: TakeDice, max_turns: int) -> DominoidsState:
    """The dice taken make a turn of their own; where the last ones were not rolled they keep their faces."""
    if state.stage == ROLL:
        state = _next_turn(_boxed(state, state.faces), max_turns)
    if state.stage == OVER:
        return state
    return _begin(state, move.dice)._replace(player=move.player or state.player)


def _action_stands(state: DominoidsState, move: Action, *, reveal_all: bool) -> DominoidsState:
    state = _forgone(state)
    if isinstance(move, MoveDominoid | Bud):
        _room(state, move.to if isinstance(move, MoveDominoid) else move.child)
    if isinstance(move, Shift):
        broken = options.straddling(state, move.direction, move.line) or options.torn(
            state, move.direction, move.line
        )
        if broken:
            raise CannotStand(f"The {DOMINOES[broken[0]]} would lie in two halves on different tiles.")
    left = state.chosen & ~state.used
    if state.stage != ACT or state.used >> move.die & 1:
        after = _acted(state, move, state.used, reveal_all=reveal_all)
        return after._replace(stage=state.stage, mover=state.mover, deed=state.deed, turning=0)
    if not left >> move.die & 1:
        state = state._replace(chosen=state.chosen & ~(left & -left) | 1 << move.die)
    return _acted(state, move, state.used | 1 << move.die, reveal_all=reveal_all)


def _room(state: DominoidsState, where: Laid) -> None:
    """Raises CannotStand where a domino cannot lie there."""
    if where.lie is None:
        raise CannotStand(f"The {where.domino} would not lie on the board.")
    others = state.with_domino(where.number, POOL).occupied
    for end in (where.low, where.high):
        if others >> NUMBER_OF[end] & 1:
            raise CannotStand(f"There is something else on {end}, where the {where.domino} would lie.")


def _meal_stands(state: DominoidsState, move: Eat) -> DominoidsState:
    square, player = NUMBER_OF.get(move.square), move.player or state.player
    if square is None or state.coin_at(square) is None:
        raise CannotStand(f"There is no coin on {move.square} to take.")
    return _eat(state, square, player, player)


def _family_stands(state: DominoidsState, move: Attack | Birth) -> DominoidsState:
    if isinstance(move, Attack):
        number, lie_, deed = NUMBER[move.victim], POOL, ATTACKED
        if state.dominoes[number] == POOL:
            raise CannotStand(f"The {move.victim} is in the gene pool already.")
    else:
        _room(state, move.child)
        number, lie_, deed = move.child.number, _on_board(move.child), BRED
    state = state.with_domino(number, lie_)
    if state.stage == CONSEQUENCE:
        state = settle(state, deed)
    if lie_ == POOL and state.mover == number:
        state = state._replace(mover=NOWHERE, deed=IDLED)
    return state


def _coin_stands(state: DominoidsState, move: PlaceCoin) -> DominoidsState:
    if not state.stack(move.suit):
        raise CannotStand(f"The stack of {SUITS[move.suit].capitalize()} is empty.")
    square = NUMBER_OF.get(move.square)
    if square is None or state.occupied >> square & 1:
        raise CannotStand(f"There is no free square {move.square} to put a coin on.")
    return _placed(state, move)


def _end_stands(state: DominoidsState, max_turns: int) -> DominoidsState:
    if state.stage == DICE:
        return _next_turn(state, max_turns)
    return state._replace(stage=ROLL)
