"""The notation: every move and fact as text and back, and the sentences about texts that are neither."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BadNotation
from engine.draw_game.model import (
    TILES,
    Arm,
    Beside,
    Call,
    Deal,
    Down,
    Draw,
    DrawFact,
    DrawMove,
    Drawn,
    Lot,
    Pass,
    Play,
    Redeal,
    Shown,
)
from engine.draw_game.notation import format_fact, format_move, parse_fact, parse_move
from tests.engine.draw_game.scene import game

PLAYERS = (None, 1, 2)
ALPHABET = set("abcdefghijklmnopqrstuvwxyz0123456789 -@>x+=,:/()")


def moves() -> list[DrawMove]:
    """Every move there is, but of the calls and of the tiles beside others only some."""
    halves = [(tile, half) for tile in TILES for half in set(tile)]
    return [
        *(Play(tile, half, arm, player) for (tile, half), arm, player in product(halves, Arm, PLAYERS)),
        *(Down(tile, player) for tile, player in product(TILES, PLAYERS)),
        *(Beside(tile, half, host, 1) for (tile, half), host in product(halves, TILES[::5])),
        *(kind(player) for kind, player in product((Draw, Pass, Redeal), PLAYERS)),
        *(Call(points, player) for points, player in product((5, 35, 100), PLAYERS)),
    ]


def test_every_move_reads_back_and_uses_plain_characters() -> None:
    """Format and parse are inverse for all moves, and different moves have different texts."""
    texts = {format_move(move): move for move in moves()}
    assert len(texts) == len(moves())
    for text, move in texts.items():
        assert parse_move(text) == move
        assert parse_move(f"  {text} ") == move
        assert set(text) <= ALPHABET


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        ("see lot 3-4 / 5-6", Lot((TILES[18 + 1], TILES[26]))),
        ("see deal hidden / hidden", Deal((None, None))),
        ("see deal 0-0 0-1 / hidden", Deal(((TILES[0], TILES[1]), None))),
        ("see deal hidden / 0-1 0-0", Deal((None, (TILES[1], TILES[0])))),
        ("see drawn 0-0", Drawn(TILES[0])),
        ("see drawn unseen", Drawn(None)),
        ("see hand 2: 6-6", Shown(2, (TILES[27],))),
    ],
)
def test_facts_read_back(text: str, fact: DrawFact) -> None:
    """Every kind of fact begins with "see" and reads back."""
    assert parse_fact(text) == game().parse_fact(text) == fact
    assert format_fact(fact) == game().format_fact(fact) == text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "is no move of the Draw Game: write for example"),
        ("3: draw", "is no move"),
        ("1:draw", "is no move"),
        ("Draw", "is no move"),
        ("1: 2-5 at west", "is no move"),
        ("1: call 0", "is no move"),
        ("down 6-4", "'6-4' should be written 4-6, the smaller number first"),
        ("down 3-7", "'3-7' is no tile of a double-six set"),
        ("2-5 by 3 at west", "The 2-5 has no half with 3 pips"),
        ("2-5 by 2 at left", "'left' is no arm: after 'at' comes west, east, north or south"),
        ("2-5 by 2 beside 7-7", "'7-7' is no tile"),
        ("down ٣-٤", "is no move"),
    ],
)
def test_moves_that_cannot_be_read(text: str, words: str) -> None:
    """A text that is no move is refused in one sentence that says what would be."""
    with pytest.raises(BadNotation) as wrong:
        parse_move(text)
    assert words in str(wrong.value)
    assert str(wrong.value).endswith(".")


@pytest.mark.parametrize(
    "text",
    ["see", "drawn 2-5", "see drawn", "see hand 3: 0-0", "see hand 1:", "see lot 0-0", "see deal / hidden"],
)
def test_facts_that_cannot_be_read(text: str) -> None:
    """A text that is no fact is refused in one sentence with examples."""
    with pytest.raises(BadNotation, match="nothing that the table shows"):
        parse_fact(text)


@pytest.mark.parametrize("text", ["see drawn 5-2", "see deal 0-0  0-1 / hidden", "see hand 1: 0-9"])
def test_facts_with_tiles_that_cannot_be_read(text: str) -> None:
    """A tile written otherwise than the smaller number first is not guessed."""
    with pytest.raises(BadNotation):
        parse_fact(text)


@given(text=st.text(max_size=30) | st.from_regex(r"[12]: \d-\d (by|at) \d.{0,12}"))
def test_whatever_is_read_was_written_so(text: str) -> None:
    """Parsing never guesses: what it reads formats to the very text, blanks around aside."""
    for parse, form in ((parse_move, format_move), (parse_fact, format_fact)):
        try:
            found = parse(text)
        except BadNotation:
            continue
        assert form(found) == text.strip()


def test_a_half_that_the_tile_lacks_is_no_move() -> None:
    """A play cannot even be made with a half that the tile does not have."""
    with pytest.raises(ValueError, match="the 2-5 has no half with 3 pips"):
        Play(TILES[16], 3, Arm.WEST)
    with pytest.raises(ValueError, match="no half with 3 pips"):
        Beside(TILES[16], 3, TILES[0])
