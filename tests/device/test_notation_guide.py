"""The page of the notation holds every form of every game, and its examples can be read."""

import re

import pytest

from device.notation_guide import DOCUMENT, document, example, grouped, help_lines, parts_of
from engine import GAMES, CannotStand, rulebook
from engine.history import History
from engine.matching import set_by_hand


def test_the_page_is_what_the_forms_say() -> None:
    """docs/notation.md was written by `python -m device.notation_guide` since a form has changed."""
    assert DOCUMENT.read_text(encoding="utf-8") == document()


@pytest.mark.parametrize("game", GAMES)
def test_every_example_can_be_read(game: str) -> None:
    """Moves and facts parse and are written the same again; what is set by hand is understood."""
    book, history = rulebook(game), History.begin(game, seed=4)
    groups = grouped(book)
    for form in groups["move"]:
        assert book.format(book.parse(form.example)) == form.example
    for form in groups["fact"]:
        assert book.format_fact(book.parse_fact(form.example)) == form.example
    unread = [form.name for form in groups["put"] if not understood(history, form.example)]
    assert set(unread) <= {"put turn", "put die", "put face"}  # there is no turn and no die yet


def understood(history: History, line: str) -> bool:
    """Whether this is a form of what is set by hand, whatever comes of it."""
    try:
        set_by_hand(history, line)
    except (CannotStand, ValueError) as wrong:
        return "Nothing can be put so" not in str(wrong)
    return True


@pytest.mark.parametrize("game", GAMES)
def test_every_word_in_capitals_is_told(game: str) -> None:
    """What is to be filled in is said for each game."""
    book = rulebook(game)
    patterns = " ".join(form.pattern for forms in grouped(book).values() for form in forms)
    capitals = {word for word in re.findall(r"\b[A-Z]+\b", patterns) if word != "P"}
    assert capitals <= set(parts_of(game)), capitals - set(parts_of(game))


@pytest.mark.parametrize("game", GAMES)
def test_help_names_every_form(game: str) -> None:
    """An example of each, in as many lines as there are kinds."""
    book = rulebook(game)
    told = "\n".join(help_lines(book))
    assert all(example(book, form) in told for forms in grouped(book).values() for form in forms)
