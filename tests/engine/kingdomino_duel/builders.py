"""Tables of Kingdomino Duel for tests, written as short as a player would tell them."""

from typing import Any

from engine.kingdomino_duel import DuelBook
from engine.kingdomino_duel.edition import LETTERS, face
from engine.kingdomino_duel.kingdom import BLANK, CASTLE, NAMES, SQUARES, Kingdom, Mark, square_named
from engine.kingdomino_duel.model import DuelState
from engine.kingdomino_duel.placing import PLAIN_MANNER, Manner, drawings
from engine.profile import Profile
from engine.ruling import Ruling

BOOK = DuelBook(Profile())
"""The rules with the default readings."""

POWER_LINES = {"P1": "d", "P2": "s", "P3": "D", "P4": "S", "P5": "b", "P6": "q"}
LENGTHS = {"d": 5, "D": 4, "s": 5, "S": 4, "q": 3, "b": 3}


def under(settings: str) -> DuelBook:
    """The rules with some readings changed: ``p2_chain=yes``."""
    return DuelBook(Profile.parse(f"default+{settings}"))


def kingdom(squares: str) -> Kingdom:
    """A map with these coats: ``d@r3c5 s1@r3c6``."""
    drawn = BLANK
    for part in squares.split():
        shown, _, where = part.partition("@")
        drawn = drawn.add(Mark(square_named(where), *face(shown)))
    return drawn


def full_but(empty: str, coat: str = "b") -> Kingdom:
    """A map with this coat on every square but the empty ones."""
    free = {CASTLE, *(square_named(name) for name in empty.split())}
    return kingdom(" ".join(f"{coat}@{NAMES[square]}" for square in SQUARES if square not in free))


def spellbook(ticks: str = "", owned: str = "", spent: str = "") -> dict[str, Any]:
    """The spellbook: ``1:d3 2:s1`` squares filled in, ``1:P1 2:P4`` powers owned, ``P5`` powers used up."""
    lines: dict[str, Any] = {letter: {"ticks": [0, 0], "spent": False} for letter in LETTERS}
    for part in ticks.split():
        lines[part[2]]["ticks"][int(part[0]) - 1] = int(part[3:])
    for part in owned.split():
        letter = POWER_LINES[part[2:]]
        lines[letter]["ticks"][int(part[0]) - 1] = LENGTHS[letter]
    for power in spent.split():
        lines[POWER_LINES[power]]["spent"] = True
    return lines


def table(
    one: Kingdom | str = "",
    two: Kingdom | str = "",
    *,
    dice: str = "",
    takers: str = "....",
    **entries: Any,
) -> DuelState:
    """A table with two maps and, if any, four dice and who took them (``11.2``).

    ``one_``… and ``two_``… entries belong to a player (``one_roof=True``); all others to the set-up.
    """
    players = []
    for drawn, prefix in ((one, "one_"), (two, "two_")):
        drawn = kingdom(drawn) if isinstance(drawn, str) else drawn
        own = {key.removeprefix(prefix): entries.pop(key) for key in list(entries) if key.startswith(prefix)}
        players.append({"map": list(drawn.rows), **own})
    shown = [
        {"rolled": rolled, "taker": int(taker) if taker != "." else None}
        for rolled, taker in zip(dice.split(), takers, strict=False)
    ]
    return BOOK.start({"a": 1, "players": players, "dice": shown, **entries})


def ways(drawn: Kingdom | str, one: str, two: str, manner: Manner = PLAIN_MANNER) -> list[str]:
    """All drawings of these two symbols for player 1, in notation without ``1: draw``."""
    drawn = kingdom(drawn) if isinstance(drawn, str) else drawn
    found = drawings(1, drawn, (face(one), face(two)), manner)
    return [BOOK.format(drawing).removeprefix("1: draw ") for drawing in found]


def ruling(state: DuelState, line: str, book: DuelBook = BOOK) -> Ruling:
    """The ruling on a move in notation."""
    return book.check(state, book.parse(line))


def verdict(state: DuelState, line: str, book: DuelBook = BOOK) -> str:
    """The status and the rule of the ruling, as ``illegal KDD-3``."""
    found = ruling(state, line, book)
    return f"{found.status} {found.rule}"


def rules(state: DuelState, line: str, book: DuelBook = BOOK) -> list[str]:
    """All rules that a refused move breaks, the gravest first."""
    found = ruling(state, line, book)
    assert not found.allowed
    return [found.rule, *(fault.rule for fault in found.also)]


def played(state: DuelState, *lines: str, book: DuelBook = BOOK) -> DuelState:
    """The state after these facts and moves, all of which must be possible and legal."""
    for line in lines:
        if line.startswith("see "):
            state = book.observe(state, book.parse_fact(line))
        else:
            state = book.play(state, book.parse(line))
    return state


def offered(state: DuelState, book: DuelBook = BOOK) -> list[str]:
    """All legal moves in notation."""
    return [book.format(move) for move in book.legal_moves(state)]
