"""Positions in words, and what is asked of them again and again."""

from collections.abc import Iterable

from engine.dominoids import DominoidsBook
from engine.dominoids.model import AnyMove, DominoidsState
from engine.plain import Json, JsonObject
from engine.profile import Profile
from engine.ruling import Ruling, Status

BOOK = DominoidsBook(Profile())
CHOSEN_BOOK = DominoidsBook(Profile.parse("default+reveal=chosen"))
CORNERS = "suns=a1 moons=a8 crowns=h1 arms=h8"


def words(
    dominoes: str,
    *,
    pawns: str = "",
    coins: str = "",
    dice: str = "5 4 3 2",
    collected: str = "",
    **entries: Json,
) -> JsonObject:
    """A set-up: ``2@d4-3@e4`` for dominoes, ``b6=suns2`` or ``b6=suns?`` for coins, faces in suit order.

    Pawns that are not named stand in the corners. ``collected`` holds ``1=suns4`` for player 1.
    """
    standing = dict(pawn.split("=") for pawn in f"{CORNERS} {pawns}".split())
    found: dict[str, Json] = {
        "dominoes": dict(_domino(one) for one in dominoes.split()),
        "pawns": standing,
        "coins": [_coin(one) for one in coins.split()],
        "dice": dict(zip(("suns", "moons", "crowns", "arms"), dice.split(), strict=True)),
        "collected": [_collected(collected.split(), player) for player in "12"],
    }
    return {**found, **entries}


def position(dominoes: str, *, book: DominoidsBook = BOOK, **entries: Json) -> DominoidsState:
    """The state of a set-up in words."""
    return book.start(words(dominoes, **entries))


def acting(dominoes: str, *, face: str = "5", book: DominoidsBook = BOOK, **entries: Json) -> DominoidsState:
    """Player 1 has chosen the Suns die, which shows ``face``, and the blank Moons die."""
    entries = {"dice": f"{face} null 2 2", "chosen": ["suns", "moons"], **entries}
    return position(dominoes, book=book, **entries)


def _domino(text: str) -> tuple[str, list[Json]]:
    (a, at), (b, bt) = sorted(end.split("@") for end in text.split("-"))
    return f"{a}-{b}", [at, bt]


def _coin(text: str) -> JsonObject:
    square, shown = text.split("=")
    return {"square": square, "suit": shown[:-1], "value": None if shown[-1] == "?" else int(shown[-1])}


def _collected(coins: Iterable[str], player: str) -> JsonObject:
    held: dict[str, list[int]] = {}
    for coin in coins:
        who, shown = coin.split("=")
        if who == player:
            held.setdefault(shown[:-1], []).append(int(shown[-1]))
    return {**held}


def options(state: DominoidsState, start: str = "", book: DominoidsBook = BOOK) -> set[str]:
    """The legal moves whose notation, without the player, begins like this."""
    found = {book.format(move)[3:] for move in book.legal_moves(state)}
    return {move for move in found if move.startswith(start)}


def move(line: str, book: DominoidsBook = BOOK) -> AnyMove:
    """The move in this notation."""
    return book.parse(line)


def play(state: DominoidsState, *lines: str, book: DominoidsBook = BOOK) -> DominoidsState:
    """The state after these moves and facts."""
    for line in lines:
        if line.startswith("see "):
            state = book.observe(state, book.parse_fact(line))
        else:
            state = book.play(state, book.parse(line))
    return state


def stand(state: DominoidsState, line: str, book: DominoidsBook = BOOK) -> DominoidsState:
    """The state after an illegal move that stands."""
    ruling = book.check(state, book.parse(line))
    assert not ruling.allowed, ruling
    return book.let_stand(state, book.parse(line))


def ruling(state: DominoidsState, line: str, book: DominoidsBook = BOOK) -> Ruling:
    """The ruling on this move."""
    return book.check(state, book.parse(line))


def refused(state: DominoidsState, line: str, rule: str, *also: str, book: DominoidsBook = BOOK) -> Ruling:
    """The ruling on a move that is refused by ``rule``, with exactly these other rules broken too."""
    given = ruling(state, line, book)
    assert (given.rule, *(fault.rule for fault in given.also)) == (rule, *also), given
    assert given.status == Status.ILLEGAL
    assert book.parse(line) not in book.legal_moves(state)
    return given


def allowed(state: DominoidsState, line: str, rule: str, book: DominoidsBook = BOOK) -> Ruling:
    """The ruling on a move that is allowed by ``rule``."""
    given = ruling(state, line, book)
    assert (given.status, given.rule) == (Status.LEGAL, rule), given
    return given


ALL_SIX = " ".join(f"1={suit}{value}" for suit in ("suns", "moons", "crowns") for value in range(6))
"""Everything of three suits, collected by player 1."""
