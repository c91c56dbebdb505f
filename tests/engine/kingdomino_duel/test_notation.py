"""The notation of Kingdomino Duel: what it writes it reads back, and it guesses nothing."""

import pytest

from engine import BadNotation
from engine.kingdomino_duel.edition import Face, coat, face
from engine.kingdomino_duel.kingdom import Mark, square_named
from engine.kingdomino_duel.model import (
    Castle,
    Cross,
    Declare,
    Draw,
    DuelMove,
    Name,
    Oldest,
    Roll,
    Take,
    Turn,
)
from tests.engine.kingdomino_duel.builders import BOOK

JOKER = face("?")
WRITTEN: list[tuple[str, DuelMove]] = [
    ("1: take 3", Take(1, (3,))),
    ("take 1+4", Take(None, (4, 1))),
    ("2: take 2+?", Take(2, (JOKER, 2))),
    ("1: P3 take d+q2", Take(1, (face("q2"), face("d")), at_once=True)),
    ("1: P1", Declare(1, 1)),
    ("2: P2", Declare(2, 2)),
    ("1: P4 2=s", Turn(1, 2, face("s"))),
    ("1: P4 D1=?", Turn(1, face("D1"), JOKER)),
    ("2: castle 2", Castle(2, 2)),
    ("castle S", Castle(None, face("S"))),
    (
        "1: draw d@r2c4 s1@r2c5",
        Draw(1, (Mark(square_named("r2c5"), 2, 1), Mark(square_named("r2c4"), 0))),
    ),
    ("1: draw b3@r1c1", Draw(1, (Mark(0, 5, 3),))),
    ("2: draw nothing", Draw(2, ())),
    ("1: P5 D", Name(1, 1)),
    ("1: P6 r5c7", Cross(1, square_named("r5c7"))),
]


@pytest.mark.parametrize(("line", "move"), WRITTEN)
def test_moves_read_back(line: str, move: DuelMove) -> None:
    """Every kind of move is written and read as a player would."""
    assert BOOK.format(move) == line
    assert BOOK.parse(line) == move
    assert BOOK.parse(f"  {line} ") == move


@pytest.mark.parametrize(
    ("line", "fact"),
    [
        ("see oldest 2", Oldest(2)),
        ("see roll d b q2 ?", Roll((face("d"), face("b"), face("q2"), JOKER))),
        ("see roll d", Roll((face("d"),))),
    ],
)
def test_facts_read_back(line: str, fact: Oldest | Roll) -> None:
    """Both kinds of facts are written and read."""
    assert BOOK.format_fact(fact) == line
    assert BOOK.parse_fact(f" {line}  ") == fact


def test_a_zero_may_be_written_as_on_a_map() -> None:
    """``d0`` is the dot without crosses that the maps write."""
    assert BOOK.parse("1: draw d0@r2c4 s1@r2c5") == BOOK.parse("1: draw d@r2c4 s1@r2c5")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "a move reads like"),
        ("3: take 1", "a move reads like"),
        ("1 take 1", "a move reads like"),
        ("1: Take 1", "a move reads like"),
        ("1: take", "'' is no die"),
        ("1: take 5", "'5' is no die; a die is 1 to 4"),
        ("1: take 1+2+3", "one or two dice"),
        ("1: take x", "'x' is no die"),
        ("1: P1 now", "nothing follows P1"),
        ("1: P3", "as in '1: P3 take 1"),
        ("1: P3 now", "as in '1: P3 take 1"),
        ("1: P4 2", "as in '1: P4 2=s'"),
        ("1: P4 2=x", "'x' is no face"),
        ("1: P4 2=d10", "'d10' is no face"),
        ("1: P4 2=dx", "'dx' is no face"),
        ("1: castle", "'' is no die"),
        ("1: draw", "or 'nothing'"),
        ("1: draw d", "'d' is no coat on a square"),
        ("1: draw ?@r2c4", "name the coat that is drawn"),
        ("1: draw d@r6c1", "'r6c1' is no square"),
        ("1: draw d@r2c4, s@r2c5", "'r2c4,' is no square"),
        ("1: P5 x", "'x' is no coat"),
        ("1: P5 ?", "'\\?' is no coat"),
        ("1: P6 a1", "'a1' is no square"),
        ("1: P7", "a move reads like"),
    ],
)
def test_what_is_no_move_is_refused_in_one_sentence(line: str, says: str) -> None:
    """The sentence says what would be right, and nothing is guessed."""
    with pytest.raises(BadNotation, match=says):
        BOOK.parse(line)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("roll d s q2 s", "a fact reads like"),
        ("see", "a fact reads like"),
        ("see oldest me", "a fact reads like"),
        ("see oldest ²", "a fact reads like"),
        ("see roll d s x s", "'x' is no face"),
    ],
)
def test_what_is_no_fact_is_refused_in_one_sentence(line: str, says: str) -> None:
    """The sentence says what would be right."""
    with pytest.raises(BadNotation, match=says):
        BOOK.parse_fact(line)


def test_faces_and_coats_have_words() -> None:
    """Faces are named for sentences, and letters lead back to coats."""
    words = [face(written).words for written in ("d", "s1", "q2", "?")]
    assert words == ["a dot", "a stripe with 1 cross", "quarters with 2 crosses", "a question mark"]
    assert [coat(letter) for letter in "dDsSqb"] == list(range(6))
    assert str(Face(4, 2)) == "q2"
