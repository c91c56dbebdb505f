"""What a display of 128 × 64 dots shows: score, turn, where the page is, and how a phone is let in. Pure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, cast

from engine.plain import JsonObject

if TYPE_CHECKING:
    from PIL.Image import Image

WIDE, HIGH = 128, 64
LETTER_W, LETTER_H = 6, 11
COLUMNS: Final = WIDE // LETTER_W
"""How many letters stand in a line."""
_ROWS: Final = 5


@dataclass(frozen=True, slots=True)
class Entrance:
    """How the page is found, and how one gets in."""

    address: str = ""
    code: str = ""
    is_open: bool = False
    """Whether the next phone needs no code."""
    wifi: tuple[str, ...] = ()
    """Name and passphrase of the box's own Wi-Fi, while it is open."""


@dataclass(frozen=True, slots=True)
class FaceLine:
    """A line: a large one is twice as high and in the middle; ``right`` stands at the right edge."""

    words: str
    right: str = ""
    large: bool = False


def face(view: JsonObject | None, entrance: Entrance) -> tuple[FaceLine, ...]:
    """The lines of a match by its view, or of a box without one."""
    if view is None:
        return _lobby(entrance)
    lines = list[FaceLine]()
    if "players" in view:
        one, other = cast("list[str]", view["players"])
        first, second = cast("dict[str, list[int]]", view["scores"])["totals"]
        lines.append(FaceLine(_short(one, COLUMNS // 2), _short(other, COLUMNS // 2)))
        score = f"{first} : {second}"
        if 2 * len(score) > COLUMNS:
            score = f"{first}:{second}"
        lines.append(FaceLine(score, large=True))
    lines += [FaceLine(words) for words in _broken(str(view["headline"]), 2)]
    foot = "next phone may join" if entrance.is_open else entrance.address
    room = _ROWS - len(lines) - sum(line.large for line in lines)
    if foot and room > 0:
        lines += [*[FaceLine("")] * (room - 1), FaceLine(_short(foot, COLUMNS))]
    return tuple(lines)


def _lobby(entrance: Entrance) -> tuple[FaceLine, ...]:
    if not entrance.address:
        return (FaceLine("Pipwatch"),)
    address = FaceLine(_short(entrance.address, COLUMNS))
    if entrance.wifi:
        own = [FaceLine(_short(words, COLUMNS)) for words in entrance.wifi]
        way = FaceLine("next phone may join") if entrance.is_open else FaceLine("code", entrance.code)
        return FaceLine("Join this Wi-Fi:"), *own, address, way
    if entrance.is_open:
        return FaceLine("Pipwatch"), FaceLine(""), FaceLine("The next phone"), FaceLine("may join:"), address
    code = f"{entrance.code[:3]} {entrance.code[3:]}"
    return address, FaceLine(""), FaceLine("code"), FaceLine(code, large=True)


def _short(words: str, letters: int) -> str:
    return words if len(words) <= letters else words[: letters - 1] + "~"


def _broken(words: str, most: int) -> list[str]:
    """Words in lines that fit; what is too long for all of them ends in a mark."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if len(longer) <= COLUMNS or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], " ".join(lines[most - 1 :])]
    return [_short(line, COLUMNS) for line in lines if line]


def picture(lines: tuple[FaceLine, ...]) -> "Image":
    """The lines as dots."""
    from PIL import Image

    made, y = Image.new("1", (WIDE, HIGH)), 0
    for line in lines:
        if line.large:
            large = _dots(line.words).resize((len(line.words) * LETTER_W * 2, LETTER_H * 2))
            made.paste(large, ((WIDE - large.width) // 2, y))
        else:
            made.paste(_dots(line.words), (0, y))
        if line.right:
            right = _dots(line.right)
            made.paste(right, (WIDE - right.width, y))
        y += LETTER_H * 2 if line.large else LETTER_H + 2
    return made


def _dots(words: str) -> "Image":
    """One line of the plain font that every version of Pillow has; what it cannot write becomes a mark."""
    from PIL import Image, ImageDraw, ImageFont

    plain = words.encode("latin-1", "replace").decode("latin-1")
    font = getattr(ImageFont, "load_default_imagefont", ImageFont.load_default)()
    made = Image.new("1", (max(1, len(plain) * LETTER_W), LETTER_H))
    ImageDraw.Draw(made).text((0, 0), plain, fill=1, font=font)
    return made
