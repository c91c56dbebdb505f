"""Dominoids by touch: dice, Dominoids and squares are tapped, and the line that this says."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from engine.book import State
from engine.dominoes import Domino
from engine.dominoids import notation
from engine.dominoids.board import DIRECTIONS, NAMES, POOL, line_name
from engine.dominoids.book import DominoidsBook
from engine.dominoids.model import (
    CONSEQUENCE,
    DICE,
    DOMINOES,
    FACES,
    NOWHERE,
    NUMBER,
    REFILL,
    ROLL,
    SUITS,
    Agree,
    AnyFact,
    AnyMove,
    Arm,
    Attack,
    Birth,
    Bud,
    DominoidsState,
    Eat,
    Idle,
    Laid,
    MoveDominoid,
    Pass,
    PlaceCoin,
    Roll,
    Shift,
    TakeDice,
    TurnedCoin,
    laid,
    laid_on,
)
from engine.squares import square
from engine.touch import (
    PLAYER,
    READY,
    Form,
    Slot,
    Tap,
    Tappable,
    Taps,
    Toucher,
    Way,
    alone,
    in_turn,
    move,
    name_of,
    named,
    written,
)

SAID: Final[Mapping[Tap, str]] = {
    "say pass": "Pass with a die",
    "say none": "Nothing of it",
    "say done": "End the turn",
    "say agree": "Stop the game, agreed",
}
_FACE_WORDS: Final = {"null": "blank", "ace": "ace"}


class DominoidsToucher(Toucher[DominoidsState]):
    """A Dominoid and where it goes; a pawn and the way its tiles are pushed; a coin, a stack, a die."""

    def __init__(self, book: DominoidsBook) -> None:
        self._book = book
        self.forms = FORMS

    def ways(self, state: DominoidsState) -> Iterable[Way]:
        """Each legal move, or each fact that may be seen."""
        for one in self._book.legal_moves(state):
            taps, asked = _of_move(one)
            yield Way(taps, notation.format_move(one), asked)
        for fact in self._book.possible_facts(state):
            taps, asked = _of_fact(fact)
            yield Way(
                taps, notation.format_fact(fact), asked, least=len(taps) if isinstance(fact, Roll) else 2
            )

    def spoken(self, state: DominoidsState, taps: Taps) -> str:
        """A Dominoid to a square, a coin eaten, a Dominoid attacked, a coin placed, dice taken."""
        kinds = [tap.partition(" ")[0] for tap in taps]
        names = [name_of(tap) for tap in taps]
        match kinds:
            case ["die", *rest] if state.stage == DICE and set(rest) <= {"die"}:
                return " ".join(["dice", *names])
            case ["domino", "square", *_]:
                return _to_square(state, names[0], names[1:])
            case ["pawn", "arrow"]:
                return f"{names[0]} shift {names[1]}"
            case ["stack", "square"]:
                return f"place {names[0]} {names[1]}"
            case ["square"] if state.stage == CONSEQUENCE:
                return f"eat {names[0]}"
            case ["domino"] if state.stage == CONSEQUENCE and state.dominoes[_number(names[0])] != POOL:
                return f"attack {names[0]}"
        return ""

    def expected(self, state: DominoidsState) -> str:
        """The next thing of the turn."""
        pending = self._book.pending(state)
        if pending is not None:
            return _PENDING[pending] if pending != "opening" else _opening(state)
        return _STAGES.get(state.stage, "")

    def words(self, state: DominoidsState, tap: Tap) -> str:  # noqa: ARG002 (a tap says enough)
        """What a tap is called."""
        return words(tap)


_PENDING: Final = {"coin": "What does the coin show?", "roll": "What do the dice show that were rolled?"}
_STAGES: Final = {
    DICE: "Choose two dice, one of the old ones",
    CONSEQUENCE: "Eat, attack, breed – or nothing of it",
    REFILL: "A stack gives its pawn a new coin",
    ROLL: "Roll the dice",
    2: "Use a die: move, bud, shift or pass",
}


def _opening(state: DominoidsState) -> str:
    if NOWHERE in state.pawns:
        return "Set up: whose pawn stands here, and which domino lies before it?"
    return "Roll all four dice" if 7 in state.faces else "Who begins?"


def words(tap: Tap) -> str:
    """What a tap is called."""
    kind, _, name = tap.partition(" ")
    match kind:
        case "say":
            return SAID.get(tap, name)
        case "form" | "digit":
            return name
        case "with":
            return f"with the {name.capitalize()} die"
        case "lie":
            return name.replace("@", " on ").replace("-", ", ")
        case "face":
            suit, _, face = name.partition(" ")
            return f"{suit.capitalize()} {_FACE_WORDS.get(face, face)}"
        case "value":
            return {"0": "null", "1": "ace"}.get(name, name)
        case "player":
            return f"Player {name}"
        case "arrow":
            return f"push {name}"
    return f"{kind} {name}"


# — what is tapped for a move or a fact —


def _of_move(one: AnyMove) -> tuple[Taps, Taps]:
    """The things that are tapped, and what is asked where it still matters."""
    match one:
        case TakeDice():
            return tuple(f"die {SUITS[die]}" for die in one.dice), ()
        case MoveDominoid():
            return _lying(one.to, f"with {SUITS[one.die]}")
        case Bud():
            return _lying(one.child, f"with {SUITS[one.die]}")
        case Birth():
            return _lying(one.child)
        case Shift():
            line = f"arrow {line_name(one.direction, one.line)} {one.direction}"
            return (f"pawn {SUITS[one.die]}", line), ()
        case Pass():
            return ("say pass",), (f"with {SUITS[one.die]}",)
        case Agree():
            return ("say agree",), (f"player {one.player}",)
    return _of_rest(one), ()


def _of_rest(one: AnyMove) -> Taps:
    """What is tapped for what a slide brings, and at the end of a turn."""
    match one:
        case Eat():
            return (f"square {one.square}",)
        case Attack():
            return (f"domino {one.victim}",)
        case PlaceCoin():
            return f"stack {SUITS[one.suit]}", f"square {one.square}"
        case Idle():
            return ("say none",)
    return ("say done",)


def _lying(to: Laid, *asked: Tap) -> tuple[Taps, Taps]:
    return (f"domino {to.domino}", f"square {to.low}", f"square {to.high}"), (f"lie {to}", *asked)


def _of_fact(fact: AnyFact) -> tuple[Taps, Taps]:
    match fact:
        case Arm():
            return (f"pawn {SUITS[fact.suit]}", f"domino {fact.domino.domino}"), (f"lie {fact.domino}",)
        case Roll():
            return tuple(f"face {SUITS[die]} {FACES[face]}" for die, face in fact.faces), ()
        case TurnedCoin():
            return (f"value {fact.value}",), ()
    return (f"player {fact.player}",), ()


def _number(domino: str) -> int:
    low, _, high = domino.partition("-")
    return NUMBER[Domino(int(low), int(high))]


def _to_square(state: DominoidsState, domino: str, squares: Sequence[str]) -> str:
    """The Dominoid with its low end on the first square, lying as before; one of the pool is budded there."""
    number = _number(domino)
    die = next((SUITS[die] for die in range(4) if (state.chosen & ~state.used) >> die & 1), SUITS[0])
    lie_ = state.dominoes[number]
    at, (low, high) = square(squares[0]), DOMINOES[number]
    if len(squares) > 1 and square(squares[1]) in at.beside():
        other = square(squares[1])
    elif lie_ == POOL:
        other = at.step(-1 if at.x == 8 else 1, 0)
    else:
        before = laid_on(number, lie_)
        other = at.step(before.high.x - before.low.x, before.high.y - before.low.y)
    then = laid(low, at, high, other)
    if lie_ == POOL:
        return f"birth {then}" if state.stage == CONSEQUENCE else f"{die} bud {then}"
    return f"{die} move {then}"


# — the forms —

_SUIT: Final = named("die", SUITS, str.capitalize)
_PAWN: Final = named("pawn", SUITS, str.capitalize)
_STACK: Final = named("stack", SUITS, str.capitalize)
_SQUARE: Final = named("square", NAMES)
_DOMINO: Final = named("domino", map(str, DOMINOES))
_VALUE: Final = named("value", "012345")
_LINE: Final = named("arrow", (f"{line_name(way, line)} {way}" for way in DIRECTIONS for line in range(1, 5)))


def _lies(told: Taps, taken: int) -> Sequence[Tappable]:
    """The ways a domino lies with an end on the square that was tapped."""
    low, high = (int(pips) for pips in name_of(told[taken]).split("-"))
    at = square(name_of(told[taken + 1]))
    found = dict.fromkeys(
        laid(one, at, other, near)
        for near in sorted(at.beside())
        for one, other in ((low, high), (high, low))
    )
    return [Tappable(f"lie {lying}", words(f"lie {lying}")) for lying in found]


def _somewhere(before: int) -> Slot:
    """A domino, a square that one end lies on, and how it lies there."""
    return lambda state, told: (
        _DOMINO(state, told)
        if len(told) == before
        else _SQUARE(state, told)
        if len(told) == before + 1
        else _lies(told, before)
        if len(told) == before + 2
        else ()
    )


def _with_die(state: State, told: Taps) -> Sequence[Tappable]:
    return _somewhere(1)(state, told) if told else _SUIT(state, told)


def _dice(_state: State, told: Taps) -> Sequence[Tappable]:
    if READY.tap in told or len(told) == len(SUITS):
        return ()
    left = [Tappable(f"die {suit}", suit.capitalize()) for suit in SUITS if f"die {suit}" not in told]
    return [*left, READY] if told else left


def _taken(taps: Taps) -> str:
    return " ".join(["dice", *(name_of(tap) for tap in taps if tap != READY.tap)])


def _rolled(_state: State, told: Taps) -> Sequence[Tappable]:
    """Each die and what it shows, dice that were not rolled being left out."""
    if READY.tap in told or len(told) == 4:
        return ()
    seen = {name_of(tap).partition(" ")[0] for tap in told}
    left = [
        Tappable(f"face {suit} {face}", words(f"face {suit} {face}"))
        for suit in SUITS
        for face in FACES
        if suit not in seen
    ]
    return [*left, READY] if told else left


def _roll(taps: Taps) -> str:
    dice = (name_of(tap).replace(" ", "=") for tap in taps if tap != READY.tap)
    return " ".join(["see roll", *dice])


def _arm(state: State, told: Taps) -> Sequence[Tappable]:
    return in_turn(_PAWN, _SQUARE)(state, told) or _somewhere(2)(state, told)


def _moves() -> Iterator[Form]:
    yield move("dice", "The dice of the turn", "dice SUIT SUIT", "1: dice suns crowns", _dice, _taken)
    yield move(
        "move", "A Dominoid slides or turns", "SUIT move DOMINO", "1: suns move 2@b4-3@c4",
        _with_die, written("{0} move {3}"),
    )  # fmt: skip
    yield move(
        "bud", "A child buds", "SUIT bud DOMINO", "1: suns bud 3@d2-5@e2", _with_die, written("{0} bud {3}")
    )
    yield move(
        "shift", "A row or column of tiles is pushed", "SUIT shift row|column 1|2|3|4 left|right|up|down",
        "1: suns shift row 3 right", in_turn(_SUIT, _LINE), written("{0} shift {1}"),
    )  # fmt: skip
    yield move(
        "pass", "A die is used for nothing", "SUIT pass", "1: suns pass", in_turn(_SUIT), written("{0} pass")
    )
    yield move("eat", "A coin is eaten", "eat SQUARE", "1: eat b6", in_turn(_SQUARE), written("eat {0}"))
    yield move(
        "attack", "A Dominoid is attacked", "attack TILE", "1: attack 1-3",
        in_turn(_DOMINO), written("attack {0}"),
    )  # fmt: skip
    yield move(
        "birth", "A child is born", "birth DOMINO", "1: birth 3@d2-5@e2", _somewhere(0), written("birth {2}")
    )
    yield move("none", "A slide brings nothing", "none", "1: none", *alone("none"))
    yield move(
        "place", "A coin comes from its stack", "place SUIT SQUARE", "1: place suns b4",
        in_turn(_STACK, _SQUARE), written("place {0} {1}"),
    )  # fmt: skip
    yield move("done", "The turn is over", "done", "1: done", *alone("done"))
    yield move("agree", "A player agrees to stop", "agree", "2: agree", *alone("agree"))


def _facts() -> Iterator[Form]:
    yield Form(
        "see arm", "fact", "An arm of the opening: pawn and domino", "see SUIT@SQUARE DOMINO",
        "see suns@b3 2@c3-3@d3", _arm, written("see {0}@{1} {4}"),
    )  # fmt: skip
    yield Form(
        "see roll", "fact", "What dice show after a roll", "see roll SUIT=FACE SUIT=FACE",
        "see roll suns=3 crowns=null", _rolled, _roll,
    )  # fmt: skip
    yield Form(
        "see coin", "fact", "A coin was turned up", "see coin SQUARE VALUE", "see coin b6 4",
        in_turn(_SQUARE, _VALUE), written("see coin {0} {1}"),
    )  # fmt: skip
    yield Form(
        "see first", "fact", "Who begins", "see first PLAYER", "see first 2", in_turn(PLAYER),
        written("see first {0}"),
    )  # fmt: skip


def _put_domino(state: State, told: Taps) -> Sequence[Tappable]:
    if len(told) == 1:
        return [Tappable("say pool", "into the pool"), *_SQUARE(state, told)]
    if len(told) == 2 and told[1] == "say pool":
        return ()
    return _somewhere(0)(state, told)


def _put_domino_line(taps: Taps) -> str:
    if taps[1] == "say pool":
        return f"put {name_of(taps[0])} pool"
    low, high = (part.partition("@") for part in name_of(taps[2]).split("-"))
    first, second = (low, high) if low[0] <= high[0] else (high, low)
    return f"put {first[0]}-{second[0]} {first[2]} {second[2]}"


def _put_coin(state: State, told: Taps) -> Sequence[Tappable]:
    match len(told):
        case 0:
            return _STACK(state, told)
        case 1:
            return [Tappable("value down", "value down"), *_VALUE(state, told)]
        case 2:
            hands = [Tappable(f"hand {player}", f"to player {player}") for player in (1, 2)]
            return [*_SQUARE(state, told), *hands]
    return ()


def _put_coin_line(taps: Taps) -> str:
    suit, value, place = taps
    shown = "" if value == "value down" else f" {name_of(value)}"
    where = place.replace(" ", "-") if place.startswith("hand ") else name_of(place)
    return f"put coin {name_of(suit)}{shown} {where}"


def _puts() -> Iterator[Form]:
    yield Form(
        "put domino", "put", "A domino lies elsewhere, or in the pool", "put TILE SQUARE SQUARE|pool",
        "put 2-5 c3 c4", _put_domino, _put_domino_line,
    )  # fmt: skip
    yield Form(
        "put pawn", "put", "A pawn stands elsewhere", "put pawn SUIT SQUARE", "put pawn suns d4",
        in_turn(_PAWN, _SQUARE), written("put pawn {0} {1}"),
    )  # fmt: skip
    yield Form(
        "put coin", "put", "A coin lies on a square, or with a player",
        "put coin SUIT [VALUE] SQUARE|hand-1|hand-2", "put coin suns 3 d4", _put_coin, _put_coin_line,
    )  # fmt: skip
    yield Form(
        "put coin away", "put", "No coin lies there", "put coin SQUARE away", "put coin d4 away",
        in_turn(_SQUARE), written("put coin {0} away"),
    )  # fmt: skip
    yield Form(
        "put die", "put", "What a die shows, and where it is", "put die SUIT FACE new|old|chosen",
        "put die suns 3 new", in_turn(_SUIT, named("face", FACES), named("box", ("new", "old", "chosen"))),
        written("put die {0} {1} {2}"),
    )  # fmt: skip
    yield Form(
        "put turn", "put", "Whose turn it is", "put turn PLAYER", "put turn 2", in_turn(PLAYER),
        written("put turn {0}"),
    )  # fmt: skip


FORMS: Final = (*_moves(), *_facts(), *_puts())
TOUCHER: Final = DominoidsToucher
