"""What is printed: the coats of arms, the faces of the four dice, and the lines of the spellbook.

All of it is data, because printings may differ: a set-up may carry its own dice and lines. The order of the
faces of a die says nothing about where they sit on the cube.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

from engine.plain import BadData, Json, JsonObject, get, items, obj, text, whole

COATS: Final = ("dot", "two-dots", "stripe", "two-stripes", "quarters", "black")
"""The six coats of arms. Inside the rule book a coat is its number in this order."""

LETTERS: Final = "dDsSqb"
"""The letter of each coat in notation, in the same order."""

JOKER: Final = 6
"""The number that stands for the question mark where a coat would stand."""

MOST_CROSSES: Final = 9
"""As many crosses as a square can be written with; far more than any game can bring together."""


class Face(NamedTuple):
    """One face of a die: a coat of arms (or the joker) and the crosses printed beside it."""

    coat: int
    crosses: int = 0

    def __str__(self) -> str:
        return symbol(self.coat, self.crosses)

    @property
    def plain(self) -> bool:
        """Whether it is a coat without crosses, the only kind that fills the spellbook."""
        return self.coat != JOKER and self.crosses == 0

    @property
    def words(self) -> str:
        """The face as a sentence names it: "a dot", "two stripes with 1 cross"."""
        return ("a " if self.coat in (0, 2, JOKER) else "") + coat_words(self.coat, self.crosses)


@lru_cache(maxsize=128)
def symbol(coat: int, crosses: int = 0) -> str:
    """The notation of a coat with its crosses: ``d``, ``q2``, ``?``."""
    return ("?" if coat == JOKER else LETTERS[coat]) + (str(crosses) if crosses else "")


def coat_words(coat: int, crosses: int = 0) -> str:
    """A coat as a sentence names it: "dot", "two stripes with 1 cross"."""
    name = "question mark" if coat == JOKER else COATS[coat].replace("-", " ")
    return name + (f" with {crosses} cross{'es' * (crosses > 1)}" if crosses else "")


def coat(letter: str) -> int:
    """The coat of this letter; raises ValueError where there is none."""
    if len(letter) != 1 or letter not in LETTERS:
        raise ValueError(f"{letter!r} is no coat of arms; they are d, D, s, S, q and b")
    return LETTERS.index(letter)


def face(written: str) -> Face:
    """The face that is written ``d``, ``d1`` or ``?``; raises ValueError where that is none."""
    if written == "?":
        return Face(JOKER)
    if len(written) not in (1, 2) or written[0] not in LETTERS or written[1:] not in ("", *"0123456789"):
        raise ValueError(f"{written!r} is no face; a face reads like d, q2 or ?")
    return Face(LETTERS.index(written[0]), int(written[1:] or 0))


class Line(NamedTuple):
    """One line of the spellbook: how many squares each player has in it, and which power (1 to 6) it wins."""

    length: int
    power: int


DICE_AS_PRINTED: Final = ("? d d s D1 S1", "d s D1 S1 q b", "d s D S q2 b2", "? d1 s s1 D S")
LINES_AS_PRINTED: Final[Mapping[str, tuple[int, str]]] = {
    "d": (5, "P1"),
    "D": (4, "P3"),
    "s": (5, "P2"),
    "S": (4, "P4"),
    "q": (3, "P6"),
    "b": (3, "P5"),
}


@dataclass(frozen=True, slots=True)
class Edition:
    """One printing of the game: its four dice, and the spellbook line of each coat."""

    dice: tuple[tuple[Face, ...], ...]
    lines: tuple[Line, ...]
    _coats: tuple[int, ...] = field(init=False, repr=False, compare=False)
    """The coat of each power, from P1 on."""

    def __post_init__(self) -> None:
        coats = sorted(range(len(self.lines)), key=lambda coat: self.lines[coat].power)
        object.__setattr__(self, "_coats", tuple(coats))

    def coat_of(self, power: int) -> int:
        """The coat whose line wins this power."""
        return self._coats[power - 1]

    def to_json(self) -> JsonObject:
        """The edition as plain data."""
        return {
            "dice": [" ".join(str(face) for face in die) for die in self.dice],
            "lines": {LETTERS[coat]: [line.length, f"P{line.power}"] for coat, line in enumerate(self.lines)},
        }


@lru_cache(maxsize=16)
def _edition(dice: tuple[tuple[Face, ...], ...], lines: tuple[Line, ...]) -> Edition:
    """One and the same object for equal editions, so that comparing states stays cheap."""
    return Edition(dice, lines)


def read_edition(data: Mapping[str, Json]) -> Edition:
    """The edition that ``data`` tells; raises BadData, naming the die or line that cannot be."""
    dice = items(get(data, "dice", "the edition"), "the dice of the edition")
    if len(dice) != 4:
        raise BadData(f"the edition should have 4 dice, not {len(dice)}")
    lines = obj(get(data, "lines", "the edition"), "the spellbook lines of the edition")
    read = tuple(_line(letter, get(lines, letter, "the spellbook of the edition")) for letter in LETTERS)
    if sorted(line.power for line in read) != [1, 2, 3, 4, 5, 6]:
        raise BadData("the spellbook of the edition should win each of P1 to P6 once")
    return _edition(tuple(_die(number, die) for number, die in enumerate(dice, 1)), read)


def _die(number: int, value: Json) -> tuple[Face, ...]:
    what = f"die {number} of the edition"
    written = text(value, what).split()
    if len(written) != 6:
        raise BadData(f"{what} should have 6 faces, not {len(written)}")
    try:
        return tuple(face(one) for one in written)
    except ValueError as wrong:
        raise BadData(f"{what}: {wrong}") from None


def _line(letter: str, value: Json) -> Line:
    what = f"the spellbook line {letter} of the edition"
    parts: Sequence[Json] = items(value, what)
    if len(parts) != 2:
        raise BadData(f"{what} should be a length and a power, as [5, 'P1']")
    length, power = whole(parts[0], f"the length of {what}"), text(parts[1], f"the power of {what}")
    if length < 1:
        raise BadData(f"{what} should have at least 1 square, not {length}")
    if power not in ("P1", "P2", "P3", "P4", "P5", "P6"):
        raise BadData(f"{what} should win one of P1 to P6, not {power!r}")
    return Line(length, int(power[1]))


AS_PRINTED: Final = read_edition(
    {"dice": DICE_AS_PRINTED, "lines": {letter: list(line) for letter, line in LINES_AS_PRINTED.items()}}
)
"""The printing that the rules reference describes."""


def orders(faces: Sequence[Face], dice: tuple[tuple[Face, ...], ...]) -> tuple[tuple[Face, ...], ...]:
    """All ways to say which die shows which of these faces, each in the order of the dice."""
    if not dice:
        return ((),) if not faces else ()
    found: dict[tuple[Face, ...], None] = {}
    for at, shown in enumerate(faces):
        if shown in dice[0]:
            rest = (*faces[:at], *faces[at + 1 :])
            found.update(((shown, *order), None) for order in orders(rest, dice[1:]))
    return tuple(found)
