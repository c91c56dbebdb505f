"""A state read from plain data, of a record or of a table that was seen; what cannot be is named."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from engine.dominoes import Domino
from engine.dominoids.board import NUMBER_OF, POOL, TIDY, ends, lie
from engine.dominoids.model import (
    ACT,
    ALL_DICE,
    ARMS,
    ATE,
    ATTACKED,
    BRED,
    CONSEQUENCE,
    DEEDS,
    DICE,
    DOMINOES,
    EMPTY,
    ENDINGS,
    FACES,
    GAME,
    NOTHING,
    NOWHERE,
    NUMBER,
    OPENING,
    OVER,
    PLAYING,
    REFILL,
    ROLL,
    SLID,
    STAGES,
    SUITS,
    SUITS_GONE,
    UNKNOWN,
    VALUES,
    VERSION,
    Coin,
    DominoidsState,
)
from engine.plain import BadData, Json, get, items, obj, text, whole
from engine.squares import square as read_square

_KEYS: Final = frozenset(EMPTY.to_json())


def read_state(data: Mapping[str, Json]) -> DominoidsState:
    """The state that ``to_json`` wrote."""
    for key in ("game", "version", *sorted(_KEYS - data.keys())):
        get(data, key, "a state")
    return read_setup(data)


def _check_kind(data: Mapping[str, Json]) -> None:
    game = data.get("game", GAME)
    if game != GAME:
        raise BadData(f"a state of this game says {GAME!r} in the entry 'game', not {game!r}")
    version = whole(data.get("version", VERSION), "the entry 'version'")
    if version != VERSION:
        raise BadData(f"this state has version {version}; version {VERSION} can be read")


def read_setup(data: Mapping[str, Json]) -> DominoidsState:
    """The state that a set-up describes: entries as in a state; those that go without saying may lack."""
    _check_kind(data)
    for key in data:
        if key not in _KEYS:
            raise BadData(f"there is no entry {key!r} in a set-up; known are: {', '.join(sorted(_KEYS))}")
    state = EMPTY._replace(
        turn=whole(data.get("turn", 1), "the entry 'turn'"),
        player=_player(data.get("player", 1)),
        dominoes=_dominoes(obj(data.get("dominoes", {}), "the entry 'dominoes'")),
        pawns=_by_suit(data, "pawns", NOWHERE, _at),
        coins=tuple(sorted(_coin(coin) for coin in _list(data, "coins"))),
        eaten=_eaten(items(data.get("collected", ({}, {})), "the entry 'collected'")),
        faces=_by_suit(data, "dice", UNKNOWN, _face),
        new=_suit_mask(data, "new"),
        chosen=_suit_mask(data, "chosen"),
        used=_suit_mask(data, "used"),
        mover=NOWHERE if data.get("mover") is None else _domino(data["mover"]),
        turning=sum(
            {1 << _at(at, "turning") for at in items(data.get("turning", ()), "the entry 'turning'")}
        ),
        taker=whole(data.get("taker", 0), "the entry 'taker'"),
        agreed=sum({_player(player) for player in _list(data, "agreed")}),
        ended=_one_of(data.get("ended"), ENDINGS, "ended"),
    )
    stage, ended, deed = _course(data, state)
    state = state._replace(stage=stage, ended=ended, deed=deed)
    for wrong in _doubts(state):
        raise BadData(wrong)
    return state


def _course(data: Mapping[str, Json], state: DominoidsState) -> tuple[int, int, int]:
    """Stage, ending and last deed, where they are not given."""
    stage, ended = DICE, state.ended
    if "stage" in data:
        stage = _one_of(data["stage"], STAGES, "stage")
    elif len(state.exhausted()) >= 3:
        stage, ended = OVER, SUITS_GONE
    elif state.mover != NOWHERE:
        stage = CONSEQUENCE
    elif state.chosen:
        stage = ACT if state.used != state.chosen else REFILL
    deed = SLID if stage == CONSEQUENCE else NOTHING
    if "deed" in data:
        deed = _one_of(data["deed"], DEEDS, "deed")
    return stage, ended, deed


# — single entries —


def _list(data: Mapping[str, Json], key: str) -> Sequence[Json]:
    return items(data.get(key, ()), f"the entry {key!r}")


def _one_of(value: Json, known: Sequence[str | None], key: str) -> int:
    if value not in known:
        names = ", ".join(str(name) for name in known)
        raise BadData(f"the entry {key!r} should be one of: {names}; not {value!r}")
    return known.index(None if value is None else text(value, key))


def _player(value: Json) -> int:
    player = whole(value, "a player")
    if player not in (1, 2):
        raise BadData(f"the players are 1 and 2, not {player}")
    return player


def _at(value: Json, what: str) -> int:
    name = text(value, f"a square ({what})")
    try:
        return NUMBER_OF[read_square(name)]
    except (ValueError, KeyError):
        raise BadData(f"{name!r} ({what}) is not a square of the board; they are a1 to h8") from None


def _face(value: Json, what: str) -> int:
    return _one_of(value, FACES, what)


def _suit(value: Json) -> int:
    return _one_of(value, SUITS, "suit")


def _domino(value: Json) -> int:
    name = text(value, "a domino")
    low, _, high = name.partition("-")
    if low.isdecimal() and high.isdecimal() and Domino(int(low), int(high)) in NUMBER:
        return NUMBER[Domino(int(low), int(high))]
    raise BadData(f"{name!r} is no domino of this game; they are 1-1 to 5-5, lower end first")


def _by_suit(
    data: Mapping[str, Json], key: str, lacking: int, read: Callable[[Json, str], int]
) -> tuple[int, ...]:
    found = obj(data.get(key, {}), f"the entry {key!r}")
    for suit in found:
        _suit(suit)
    return tuple(read(found[suit], f"{key}, {suit}") if suit in found else lacking for suit in SUITS)


def _suit_mask(data: Mapping[str, Json], key: str) -> int:
    return sum({1 << _suit(suit) for suit in _list(data, key)})


def _dominoes(found: Mapping[str, Json]) -> tuple[int, ...]:
    lies = [POOL] * len(DOMINOES)
    for name, places in found.items():
        number = _domino(name)
        both = [_at(place, name) for place in items(places, f"the squares of {name}")]
        if len(both) != 2 or lie(*both) not in TIDY:
            raise BadData(f"the {name} should lie on two neighbouring squares, low end first")
        lies[number] = TIDY[lie(*both)] if DOMINOES[number].is_double else lie(*both)
    return tuple(lies)


def _coin(value: Json) -> Coin:
    coin = obj(value, "a coin")
    at, suit = _at(get(coin, "square", "a coin"), "a coin"), _suit(get(coin, "suit", "a coin"))
    shown = coin.get("value")
    return Coin(at, suit, UNKNOWN if shown is None else _value(shown))


def _value(value: Json) -> int:
    shown = whole(value, "the value of a coin")
    if shown not in VALUES:
        raise BadData(f"a coin is worth 0 to 5, not {shown}")
    return shown


def _eaten(players: Sequence[Json]) -> tuple[int, int]:
    if len(players) != 2:
        raise BadData("the entry 'collected' should have one object for each of the two players")
    masks = [0, 0]
    for index, collected in enumerate(players):
        for suit, values in obj(collected, "what a player collected").items():
            for value in items(values, f"the {suit} that a player collected"):
                bit = 1 << 6 * _suit(suit) + _value(value)
                if (masks[0] | masks[1]) & bit:
                    raise BadData(f"the {suit} coin of value {value} is collected twice")
                masks[index] |= bit
    return masks[0], masks[1]


# — everything together —


def _doubts(state: DominoidsState) -> Iterator[str]:
    """What cannot be about a state, one sentence each."""
    if state.turn < 1:
        yield "the turns are counted from 1"
    yield from _two_in_one_place(state)
    yield from _too_many_coins(state)
    if state.stage == OPENING:
        yield from _opening_doubts(state)
    else:
        yield from _lacking(state)
        yield from _course_doubts(state)


def _two_in_one_place(state: DominoidsState) -> Iterator[str]:
    there: dict[int, str] = {}
    pieces = [
        (f"the {DOMINOES[n]}", end) for n, x in enumerate(state.dominoes) if x != POOL for end in ends(x)
    ]
    pieces += [(f"the {suit} pawn", at) for suit, at in zip(SUITS, state.pawns, strict=True) if at != NOWHERE]
    pieces += [(f"a {SUITS[coin.suit]} coin", coin.square) for coin in state.coins]
    names = {number: square for square, number in NUMBER_OF.items()}
    for piece, at in pieces:
        if at in there:
            yield f"{there[at]} and {piece} are both on {names[at]}"
        there[at] = piece


def _too_many_coins(state: DominoidsState) -> Iterator[str]:
    for number, suit in enumerate(SUITS):
        if state.stack(number) < 0:
            yield f"there are more than six {suit} coins"
        shown = [coin.value for coin in state.coins if coin.suit == number and coin.value != UNKNOWN]
        taken = state.collected(1, number) + state.collected(2, number)
        for value in shown:
            if shown.count(value) > 1 or value in taken:
                yield f"the {suit} coin of value {value} is there twice"


def _opening_doubts(state: DominoidsState) -> Iterator[str]:
    """An unfinished opening has its arms in order and nothing else."""
    seen = [arm for arm in ARMS if arm.pawn in state.pawns]
    lies = sorted(TIDY[lie_] for lie_ in state.dominoes if lie_ != POOL)
    coins = tuple(sorted(Coin(arm.coin, state.pawns.index(arm.pawn), UNKNOWN) for arm in seen))
    if (
        seen != list(ARMS[: len(seen)])
        or len(seen) != 4 - state.pawns.count(NOWHERE)
        or lies != sorted(arm.lie for arm in seen)
        or state.coins != coins
    ):
        yield "an opening that is still being seen holds whole arms of figure 1, from the west clockwise"
    if UNKNOWN in state.faces and state.faces.count(UNKNOWN) < 4:
        yield "in an opening all dice are rolled or none"
    if state.faces[0] != UNKNOWN and len(seen) < 4:
        yield "in an opening the dice are rolled after the arms are set up"
    plain = EMPTY._replace(dominoes=state.dominoes, pawns=state.pawns, coins=state.coins, faces=state.faces)
    if state != plain:
        yield "an opening that is still being seen has no turn, no boxes and no collected coins yet"


def _lacking(state: DominoidsState) -> Iterator[str]:
    for suit, at, face in zip(SUITS, state.pawns, state.faces, strict=True):
        if at == NOWHERE:
            yield f"the {suit} pawn is missing; the entry 'pawns' should give its square"
        if face == UNKNOWN:
            yield f"the {suit} die is missing; the entry 'dice' should give its face"


def _course_doubts(state: DominoidsState) -> Iterator[str]:
    if state.new == ALL_DICE:
        yield "all four dice are in the new box; they should then have gone to the old one"
    if state.used & ~state.chosen:
        yield "a die is used that was not chosen"
    if (state.stage == OVER) != (state.ended != PLAYING):
        yield "a game is over exactly when it says how it ended"
    if len(state.exhausted()) >= 3 and state.ended == PLAYING:
        yield "the coins of three suits are gone, so that the game is over"
    if state.agreed == 3 and state.ended == PLAYING:
        yield "both players agreed to stop, so that the game is over"
    yield from _turn_doubts(state)
    yield from _turning_doubts(state)


def _turn_doubts(state: DominoidsState) -> Iterator[str]:
    left = state.chosen & ~state.used
    fits = {
        DICE: not state.chosen,
        ACT: bool(left),
        REFILL: bool(state.chosen) and not left,
        ROLL: bool(state.chosen),
    }
    if not fits.get(state.stage, True):
        yield f"the dice chosen and used do not fit the stage {STAGES[state.stage]!r}"
    if state.mover != NOWHERE and state.dominoes[state.mover] == POOL:
        yield f"the {DOMINOES[state.mover]} slid, so it should be on the board"
    if (state.stage == CONSEQUENCE) != (state.deed == SLID):
        yield "the deed is 'slid' exactly in the stage 'consequence'"
    if state.deed in (SLID, ATE, ATTACKED, BRED) and state.mover == NOWHERE:
        yield f"the entry 'mover' should name the Dominoid that {DEEDS[state.deed]}"


def _turning_doubts(state: DominoidsState) -> Iterator[str]:
    hidden = sum(1 << coin.square for coin in state.coins if coin.value == UNKNOWN)
    if state.turning & ~hidden:
        yield "only a coin that lies value down can be turned up"
    if not 0 <= state.taker <= 3 or (state.taker and state.turning.bit_count() != 1):
        yield "the entry 'taker' should be 0, or 1 to 3 with one coin to be turned up"
    if state.turning and state.stage == OVER:
        yield "after the end no coin is turned up"
