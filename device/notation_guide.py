"""The notation of all games, out of their forms: ``python -m device.notation_guide`` writes it.

The same forms are asked for part by part on the board (``engine/touch.py``); so what can be typed can be
tapped, and no form is missing in docs/notation.md.
"""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from engine import GAMES, rulebook
from engine.book import AnyRuleBook
from engine.touch import Form
from engine.touching import forms_of

DOCUMENT: Final = Path(__file__).parents[1] / "docs" / "notation.md"
GROUPS: Final[Mapping[str, str]] = {
    "move": "Moves", "fact": "What is seen", "put": "A piece set right by hand",
    "change": "Changes of the record",
}  # fmt: skip
_INTRODUCTION: Final = """# Notation

Every move, every fact and every correction is one line. It is typed on the page or at the terminal, and it is
what the record holds. Nobody has to learn it: all of it can be tapped on the board.

`1:` or `2:` says whose move it is; without it, it is that of whoever's turn it is. A fact begins with `see`.
What stands in CAPITALS is to be filled in; `|` stands between what may be chosen, `[…]` may be left out.

This page is written by `python -m device.notation_guide` out of the forms of each game.
"""
PARTS: Final[Mapping[str, Mapping[str, str]]] = {
    "dominoids": {
        "SUIT": "`suns`, `moons`, `crowns` or `arms`",
        "SQUARE": "`a1` to `h8`",
        "TILE": "a domino by its pips, the smaller first: `1-1` to `5-5`",
        "DOMINO": "a domino as it lies: `2@b4-3@c4` has its 2 on b4 and its 3 on c4",
        "FACE": "`null`, `ace`, `2`, `3`, `4` or `5`",
        "VALUE": "`0` (null) to `5`, `1` being the ace",
    },
    "kingdomino-duel": {
        "DIE": "`1` to `4`; its face does, too, where one die alone shows it",
        "FACE": "a coat with its crosses: `d` dot, `D` two dots, `s` stripe, `S` two stripes, `q` quarters, "
        "`b` black; `q2` has two crosses; `?` is the question mark",
        "COAT": "`d`, `D`, `s`, `S`, `q` or `b`",
        "SQUARE": "row and column from the top left: `r1c1` to `r5c7`",
    },
    "dominoes-of-war": {
        "PLACE": "`a1` to `h8` in the field, `(0,3)` beside it: column and row of the same lattice",
        "WALL": "the border between two places: `d4/d5`",
        "TYPE": "a type of soldier: `grunt`, `general`, `quick-shot`, …",
        "ARMY": "`army`, `cowboys` or `indians`",
        "TILE": "a tile by its pips, the smaller first: `3-5`",
    },
    "draw-game": {
        "TILE": "a tile by its pips, the smaller first: `0-0` to `6-6`",
        "HALF": "the half that touches",
        "ARM": "`west`, `east`, `north` or `south`; north and south are the short ends of the spinner",
    },
}
"""What stands in capitals in the patterns of each game."""
_COMMON: Final[Mapping[str, str]] = {
    "PLAYER": "`1` or `2`", "NUMBER": "a number", "POINTS": "a number of points",
    "N": "the number of an entry of the record", "MOVE": "a move as above", "FACT": "a fact as above",
}  # fmt: skip


def document() -> str:
    """The whole page, in Markdown."""
    return "\n".join([_INTRODUCTION, *(line for game in GAMES for line in _of_game(game))])


def _of_game(game: str) -> Iterator[str]:
    book = rulebook(game)
    yield f"## {book.title}\n"
    yield from (f"- {word}: {meaning}" for word, meaning in parts_of(game).items())
    for group, forms in grouped(book).items():
        yield f"\n### {GROUPS[group]}\n"
        yield "| what | how | for example |\n|---|---|---|"
        for form in forms:
            yield f"| {form.told} | `{_cell(form.pattern)}` | `{_cell(example(book, form))}` |"
    yield ""


def parts_of(game: str) -> Mapping[str, str]:
    """What each word in capitals stands for in this game."""
    return {**PARTS[game], **_COMMON}


def grouped(book: AnyRuleBook) -> Mapping[str, tuple[Form, ...]]:
    """The forms of a game by what they say."""
    forms = forms_of(book)
    return {group: tuple(form for form in forms if form.group == group) for group in GROUPS}


def example(book: AnyRuleBook, form: Form) -> str:
    """A whole line of this form; what a change puts in the place of an entry is a move of the game."""
    if not form.example.endswith(": "):
        return form.example
    return form.example + next(other.example for other in forms_of(book) if other.group == "move")


def help_lines(book: AnyRuleBook) -> Iterator[str]:
    """What can be typed, in few lines: an example of each form."""
    for group, forms in grouped(book).items():
        yield f"{GROUPS[group]}: {'  ·  '.join(example(book, form) for form in forms)}"


def _cell(words: str) -> str:
    return words.replace("|", "\\|")


if __name__ == "__main__":
    DOCUMENT.write_text(document(), encoding="utf-8")
    sys.stderr.write(f"wrote docs/{DOCUMENT.name}\n")
