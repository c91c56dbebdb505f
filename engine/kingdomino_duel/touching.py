"""Kingdomino Duel by touch: dice, squares of the maps and powers are tapped, and the line that this says."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from engine.book import State
from engine.kingdomino_duel import notation
from engine.kingdomino_duel.book import DuelBook
from engine.kingdomino_duel.edition import COATS, JOKER, LETTERS, coat_words, face, symbol
from engine.kingdomino_duel.kingdom import NAMES, SQUARES
from engine.kingdomino_duel.model import (
    Castle,
    Declare,
    Draw,
    DuelFact,
    DuelMove,
    DuelState,
    Name,
    Oldest,
    Take,
    Turn,
)
from engine.touch import (
    PLAYER,
    READY,
    Form,
    Tap,
    Tappable,
    Taps,
    Toucher,
    Way,
    in_turn,
    move,
    name_of,
    named,
    one_of,
    written,
)

SAID: Final[Mapping[Tap, str]] = {
    "say nothing": "Draw nothing",
    "say castle": "The castle's cross",
    "say P1": "P1: no connection",
    "say P2": "P2: apart",
    "say P3": "P3: two dice at once",
    "say P4": "P4: turn a die",
    "say P5": "P5: name a coat",
    "say P6": "P6: one more cross",
    READY.tap: READY.words,
}
_EXPECTED: Final = {
    "oldest": "Who is the oldest? Or roll the dice",
    "roll": "Roll the four dice: what do they show?",
    "draft": "Take a die",
    "draw": "Draw the two coats on the map",
    "bolts": "Use the power that was won",
    "over": "",
}


class DuelToucher(Toucher[DuelState]):
    """A die, a square of a map, a power."""

    def __init__(self, book: DuelBook) -> None:
        self._book = book
        self.forms = FORMS

    def ways(self, state: DuelState) -> Iterable[Way]:
        """Each legal move, and each fact that may be seen."""
        for one in self._book.legal_moves(state):
            taps, asked = _of_move(one)
            yield Way(taps, notation.format_move(one), asked, least=len(taps))
        for fact in self._book.possible_facts(state):
            taps = _of_fact(fact)
            yield Way(taps, notation.format_fact(fact), least=len(taps))

    def spoken(self, state: DuelState, taps: Taps) -> str:
        """Dice that may not be taken, coats on squares where they may not be."""
        kinds = {tap.partition(" ")[0] for tap in taps}
        if kinds == {"die"} and state.stage == "draft":
            return "take " + "+".join(map(name_of, taps))
        if kinds == {"map"} and state.stage == "draw":
            return _drawn_all_the_same(state, taps)
        if kinds == {"map"} and state.stage == "bolts":
            player, square = name_of(taps[-1]).split(" ")
            return f"{player}: P6 {square}"
        return ""

    def expected(self, state: DuelState) -> str:
        """What the stage asks for."""
        if state.stage == "draft" and state.a is not None and state.taken(state.a):
            return "Take the other dice" if len(state.taken(None)) < 4 else _EXPECTED["draft"]
        return _EXPECTED[state.stage]

    def words(self, state: DuelState, tap: Tap) -> str:  # noqa: ARG002 (a tap says enough)
        """What a tap is called."""
        return words(tap)


def _drawn_all_the_same(state: DuelState, taps: Taps) -> str:
    """The player's two coats on these squares, in the order of his dice."""
    player = int(name_of(taps[0]).split(" ")[0])
    symbols = [str(die.symbol).replace("?", "d") for die in state.domino(player)]
    squares = [name_of(tap).split(" ")[1] for tap in taps]
    marks = " ".join(f"{drawn}@{square}" for drawn, square in zip(symbols, squares, strict=False))
    return f"{player}: draw {marks}"


def words(tap: Tap) -> str:
    """What a tap is called."""
    kind, _, called = tap.partition(" ")
    match kind:
        case "say":
            return SAID.get(tap, called)
        case "coat":
            return coat_words(LETTERS.index(called))
        case "face" | "shows":
            return face(called.rpartition(" ")[2]).words
        case "mark":
            drawn, _, square = called.partition("@")
            return f"{face(drawn).words} on {square}"
        case "player":
            return f"Player {called}"
        case "map":
            player, _, square = called.partition(" ")
            return f"{square} of player {player}"
        case "form":
            return called
    return f"{kind} {called}"


# — what is tapped for a move or a fact —


def _of_move(one: DuelMove) -> tuple[Taps, Taps]:
    """The things that are tapped, and what is asked where it still matters."""
    who = (f"player {one.player}",)
    match one:
        case Take():
            dice = tuple(f"die {die}" for die in one.dice)
            return (("say P3", *dice) if one.at_once else dice), who
        case Declare():
            return (f"say P{one.power}",), who
        case Turn():
            return ("say P4", f"die {one.die}", f"face {one.face}"), ()
        case Castle():
            return ("say castle", f"die {one.die}"), ()
        case Draw():
            squares = tuple(f"map {one.player} {mark.where}" for mark in one.marks)
            return squares or ("say nothing",), (*(f"mark {mark}" for mark in one.marks), *who)
        case Name():
            return ("say P5", f"coat {LETTERS[one.coat]}"), who
    return (f"map {one.player} {NAMES[one.square]}",), ()


def _of_fact(fact: DuelFact) -> Taps:
    if isinstance(fact, Oldest):
        return (f"player {fact.player}",)
    return tuple(f"shows {number} {shown}" for number, shown in enumerate(fact.faces, 1))


# — the forms —

_DIE: Final = named("die", "1234")
_COAT: Final = named("coat", LETTERS, lambda letter: coat_words(LETTERS.index(letter)))
_SQUARE: Final = named("square", (NAMES[square] for square in SQUARES))
_MARKED: Final = tuple(
    Tappable(f"face {symbol(coat, crosses)}", coat_words(coat, crosses))
    for coat in range(len(COATS))
    for crosses in range(5)
)
"""The coats with as many crosses as a square can come to hold: die, castle and P6 together."""
_JOKER: Final = Tappable("face ?", coat_words(JOKER))


def _own_faces(_state: State, told: Taps) -> Sequence[Tappable]:
    """Each die and what it shows."""
    if len(told) == 4:
        return ()
    return [
        Tappable(tap.replace("face", f"shows {len(told) + 1}"), f"Die {len(told) + 1}: {called}")
        for tap, called in (*_MARKED, _JOKER)
    ]


def _roll_line(taps: Taps) -> str:
    return " ".join(["see roll", *(name_of(tap).split(" ")[1] for tap in taps)])


def _dice(state: State, told: Taps) -> Sequence[Tappable]:
    if READY.tap in told or len(told) == 2:
        return ()
    left = [choice for choice in _DIE(state, told) if choice.tap not in told]
    return [*left, READY] if told else left


def _both_dice(state: State, told: Taps) -> Sequence[Tappable]:
    return [choice for choice in _dice(state, told) if choice != READY]


def _take_line(taps: Taps) -> str:
    return "take " + "+".join(name_of(tap) for tap in taps if tap != READY.tap)


def _drawn(state: State, told: Taps) -> Sequence[Tappable]:
    """A coat and its square, and another one; or nothing at all."""
    if told[-1:] in ((READY.tap,), ("say nothing",)) or len(told) == 4:
        return ()
    if len(told) % 2:
        return _SQUARE(state, told)
    return [*_MARKED, READY if told else Tappable("say nothing", "nothing")]


def _draw_line(taps: Taps) -> str:
    if taps == ("say nothing",):
        return "draw nothing"
    names = [name_of(tap) for tap in taps if tap != READY.tap]
    return " ".join(["draw", *(f"{a}@{b}" for a, b in zip(names[::2], names[1::2], strict=True))])


def _moves() -> Iterator[Form]:
    yield move("take", "A die or two are taken", "take DIE[+DIE]", "1: take 3", _dice, _take_line)
    yield move(
        "P3", "Two dice are taken at once", "P3 take DIE+DIE", "1: P3 take 1+3", _both_dice,
        lambda taps: f"P3 {_take_line(taps)}",
    )  # fmt: skip
    yield move("P1", "This turn needs no connection", "P1", "1: P1", one_of(()), written("P1"))
    yield move("P2", "This turn is drawn apart", "P2", "1: P2", one_of(()), written("P2"))
    yield move(
        "P4", "A die is turned", "P4 DIE=FACE", "1: P4 2=s", in_turn(_DIE, one_of((*_MARKED, _JOKER))),
        written("P4 {0}={1}"),
    )  # fmt: skip
    yield move(
        "castle", "The castle's cross for a die", "castle DIE", "1: castle 2", in_turn(_DIE),
        written("castle {0}"),
    )  # fmt: skip
    yield move(
        "draw", "Coats are drawn on the map", "draw FACE@SQUARE FACE@SQUARE|nothing",
        "1: draw d@r2c4 s1@r2c5", _drawn, _draw_line,
    )  # fmt: skip
    yield move("P5", "A coat is named", "P5 COAT", "1: P5 s", in_turn(_COAT), written("P5 {0}"))
    yield move("P6", "One more cross", "P6 SQUARE", "1: P6 r1c2", in_turn(_SQUARE), written("P6 {0}"))


def _facts() -> Iterator[Form]:
    yield Form(
        "see oldest", "fact", "Who begins as A", "see oldest PLAYER", "see oldest 2", in_turn(PLAYER),
        written("see oldest {0}"),
    )  # fmt: skip
    yield Form(
        "see roll", "fact", "What the four dice show", "see roll FACE FACE FACE FACE", "see roll d b q2 ?",
        _own_faces, _roll_line,
    )  # fmt: skip


def _faces_of(state: State, told: Taps) -> Sequence[Tappable]:
    """What the die that was tapped can show."""
    assert isinstance(state, DuelState)
    faces = dict.fromkeys(state.edition.dice[int(name_of(told[0])) - 1])
    return [Tappable(f"face {shown}", shown.words) for shown in faces]


def _puts() -> Iterator[Form]:
    middle = Tappable("say middle", "in the middle")
    owners = (middle, *(Tappable(f"player {player}", f"with player {player}") for player in (1, 2)))
    yield Form(
        "put die", "put", "Who has a die", "put die DIE middle|PLAYER", "put die 3 middle",
        in_turn(_DIE, one_of(owners)), written("put die {0} {1}"),
    )  # fmt: skip
    yield Form(
        "put face", "put", "What a die shows", "put die DIE FACE", "put die 3 S2",
        in_turn(_DIE, _faces_of), written("put die {0} {1}"),
    )  # fmt: skip
    yield Form(
        "put mark", "put", "What a square of a map holds", "put FACE@SQUARE|empty@SQUARE PLAYER",
        "put b2@r3c5 1", in_turn(one_of((Tappable("say empty", "nothing"), *_MARKED)), _SQUARE, PLAYER),
        written("put {0}@{1} {2}"),
    )  # fmt: skip
    yield Form(
        "put turn",
        "put",
        "Who is A",
        "put turn PLAYER",
        "put turn 2",
        in_turn(PLAYER),
        written("put turn {0}"),
    )


FORMS: Final = (*_moves(), *_facts(), *_puts())
TOUCHER: Final = DuelToucher
