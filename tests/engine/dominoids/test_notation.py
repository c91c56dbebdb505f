"""Moves and facts as text: what reads back, and what is refused with what would be right."""

import pytest

from engine import BadNotation
from engine.dominoes import Domino
from engine.dominoids.model import (
    Agree,
    AnyMove,
    Attack,
    Birth,
    Bud,
    Done,
    Eat,
    Idle,
    MoveDominoid,
    Pass,
    PlaceCoin,
    Shift,
    TakeDice,
    laid,
)
from engine.squares import Square, square
from tests.engine.dominoids.scene import BOOK

SLID = laid(2, square("b4"), 3, square("c4"))


@pytest.mark.parametrize(
    ("line", "move"),
    [
        ("1: dice suns crowns", TakeDice(1, (0, 2))),
        ("dice moons", TakeDice(None, (1,))),
        ("2: suns move 2@b4-3@c4", MoveDominoid(2, 0, SLID)),
        ("arms bud 2@b4-3@c4", Bud(None, 3, SLID)),
        ("1: suns shift row 3 right", Shift(1, 0, "right", 3)),
        ("1: suns shift column 1 up", Shift(1, 0, "up", 1)),
        ("1: crowns pass", Pass(1, 2)),
        ("1: eat b6", Eat(1, square("b6"))),
        ("1: attack 1-3", Attack(1, Domino(1, 3))),
        ("1: birth 2@b4-3@c4", Birth(1, SLID)),
        ("1: none", Idle(1)),
        ("1: place suns b4", PlaceCoin(1, 0, square("b4"))),
        ("1: done", Done(1)),
        ("agree", Agree(None)),
        ("1: suns move 3@h4-1@i4", MoveDominoid(1, 0, laid(1, Square(9, 4), 3, Square(8, 4)))),
        ("1: suns move 1@(0,4)-3@a4", MoveDominoid(1, 0, laid(1, Square(0, 4), 3, Square(1, 4)))),
        ("1: suns move 1@(-8,4)-3@(-7,4)", MoveDominoid(1, 0, laid(1, Square(-8, 4), 3, Square(-7, 4)))),
    ],
)
def test_moves_are_written_and_read(line: str, move: AnyMove) -> None:
    """Each kind of move has one text, which reads back to the same move."""
    assert BOOK.format(move) == line
    assert BOOK.parse(line) == move


@pytest.mark.parametrize(
    ("line", "same"),
    [
        ("  1: dice crowns suns ", "1: dice suns crowns"),
        ("1: suns move 3@c4-2@b4", "1: suns move 2@b4-3@c4"),
        ("1: attack 3-1", "1: attack 1-3"),
        ("1: birth 1@c4-1@b4", "1: birth 1@b4-1@c4"),
    ],
)
def test_an_order_without_meaning_is_free(line: str, same: str) -> None:
    """Dice, the ends of a domino and blanks around may come in any order."""
    assert BOOK.parse(line) == BOOK.parse(same)
    assert BOOK.format(BOOK.parse(line)) == same


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("", "it should begin with '1: ' or '2: '"),
        ("3: done", "it should begin with '1: ' or '2: '"),
        ("1:done", "it should begin with '1: ' or '2: '"),
        ("1: 2: done", "it should begin with '1: ' or '2: '"),
        ("1: Done", "it should begin with a suit's die ('suns move 2@b4-3@c4') or with one of dice, eat"),
        ("1: done now", "'done' stands alone"),
        ("1: dice", "after 'dice' come the suits"),
        ("1: dice suns moons crowns arms suns", "after 'dice' come the suits"),
        ("1: dice suns cups", "the suits are suns, moons, crowns, arms, not 'cups'"),
        ("1: dice suns  crowns", "the suits are suns, moons, crowns, arms, not ''"),
        ("1: place suns", "it should read like 'place suns b4'"),
        ("1: place suns i4", "'i4' is no square of the board"),
        ("1: eat", "it should read like 'eat b6'"),
        ("1: eat b6 d7", "it should read like 'eat b6'"),
        ("1: eat b9", "'b9' is no square of the board; they are a1 to h8"),
        ("1: attack 1-6", "after 'attack' comes a domino from 1-1 to 5-5"),
        ("1: attack b6", "after 'attack' comes a domino from 1-1 to 5-5"),
        ("1: suns", "after 'suns' comes 'move 2@b4-3@c4'"),
        ("1: suns fly", "after 'suns' comes 'move 2@b4-3@c4'"),
        ("1: suns shift row 5 left", "after 'suns' comes 'move 2@b4-3@c4'"),
        ("1: suns shift row 3 up", "after 'suns' comes 'move 2@b4-3@c4'"),
        ("1: suns shift column 3 left", "after 'suns' comes 'move 2@b4-3@c4'"),
        ("1: suns shift lane 3 left", "after 'suns' comes 'move 2@b4-3@c4'"),
        ("1: suns move b4-c4", "where a domino lies reads like 2@b4-3@c4, not 'b4-c4'"),
        ("1: suns move 2@b4-6@c4", "there is no 2-6; the dominoes are 1-1 to 5-5"),
        ("1: suns move 2@b4-3@d4", "the two ends of a domino lie on neighbouring squares, not on b4 and d4"),
        ("1: suns move 2@b4-3@b4", "the two ends of a domino lie on neighbouring squares, not on b4 and b4"),
        ("1: suns move 2@(2,4)-3@c4", "'(2,4)' is no square on the board or near it"),
        ("1: suns move 2@(-0,4)-3@a4", "'(-0,4)' is no square on the board or near it"),
        ("1: suns move 2@z4-3@z5", "'z4' is no square on the board or near it"),
        ("1: suns move 2@(-9,4)-3@(-8,4)", "'(-9,4)' is no square on the board or near it"),
        ("1: suns move 2@(--1,4)-3@a4", "'(--1,4)' is no square on the board or near it"),
    ],
)
def test_what_is_no_move_is_refused(line: str, right: str) -> None:
    """A text that is no move is refused in one sentence that says what would be right."""
    with pytest.raises(BadNotation) as wrong:
        BOOK.parse(line)
    told = str(wrong.value)
    assert told.startswith(f"{line!r} is no move of Dominoids: ")
    assert right in told
    assert told.endswith(".")


@pytest.mark.parametrize(
    "line",
    [
        "see suns@b3 2@c3-3@d3",
        "see roll suns=3 crowns=null",
        "see roll suns=ace moons=2 crowns=4 arms=5",
        "see roll suns=9",
        "see coin b6 4",
        "see coin b6 9",
        "see first 2",
    ],
)
def test_facts_read_back(line: str) -> None:
    """Each kind of fact reads back to the same text, also one that cannot be."""
    assert BOOK.format_fact(BOOK.parse_fact(line)) == line


def test_the_order_of_a_roll_is_free() -> None:
    """The dice of a roll may be named in any order."""
    line = "see roll crowns=null suns=3"
    assert BOOK.format_fact(BOOK.parse_fact(line)) == "see roll suns=3 crowns=null"


@pytest.mark.parametrize(
    ("line", "right"),
    [
        ("coin b6 4", "it should read like 'see coin b6 4'"),
        ("see", "it should read like 'see coin b6 4'"),
        ("see coin b6", "it should read like 'see coin b6 4'"),
        ("see coin b6 four", "it should read like 'see coin b6 4'"),
        ("see coin i6 4", "'i6' is no square of the board"),
        ("see roll", "it should read like"),
        ("see roll suns", "a die shows one of null, ace, 2, 3, 4, 5"),
        ("see roll suns=one", "a die shows one of null, ace, 2, 3, 4, 5, as in 'suns=3', not 'suns=one'"),
        ("see roll cups=2", "the suits are suns, moons, crowns, arms, not 'cups'"),
        ("see first player", "it should read like"),
        ("see suns@b3", "it should read like"),
        ("see suns b3", "it should read like"),
        ("see suns@b9 2@c3-3@d3", "'b9' is no square of the board"),
        ("see suns@b3 c3-d3", "where a domino lies reads like 2@b4-3@c4"),
    ],
)
def test_what_is_no_fact_is_refused(line: str, right: str) -> None:
    """A text that is no fact is refused in one sentence that says what would be right."""
    with pytest.raises(BadNotation) as wrong:
        BOOK.parse_fact(line)
    told = str(wrong.value)
    assert told.startswith(f"{line!r} is no fact of Dominoids: ")
    assert right in told
    assert told.endswith(".")
