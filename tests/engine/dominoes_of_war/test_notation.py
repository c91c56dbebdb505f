"""The notation reads back exactly what was written, and nothing else is guessed."""

import pytest

from engine import BadNotation
from engine.dominoes_of_war.places import FIELD_BORDERS, column, name, place, place_called, row
from tests.engine.dominoes_of_war.scene import BOOK

MOVES = [
    "move d4 d6",
    "1: move d4 (0,3)",
    "2: run d4 d5",
    "blow d4 e4/f4",
    "shoot d4 d7",
    "shoot d4 d7 f4",
    "shoot d4 nothing",
    "1: spawn d4 grunt (0,3)",
    "end",
    "2: face d4 nw",
    "bonus spear-thrower (0,3)",
    "extend (-3,12)",
    "rewall d4/d5 a1/b1",
    "forfeit",
    "draw",
    "decline",
    "first 2",
    "base (-1,3) (-1,4) (0,3)",
    "wall (0,3)/a3",
    "stock (0,3) hidden",
]
FACTS = ["see armies cowboys indians", "see lot 2", "see (0,3) quick-shot", "see d6 0-12"]


@pytest.mark.parametrize("line", MOVES)
def test_moves_read_back(line: str) -> None:
    """Every sort of move is written as it was read, whatever blanks surround it."""
    assert BOOK.format(BOOK.parse(line)) == line
    assert BOOK.parse(f"  {line} ") == BOOK.parse(line)


@pytest.mark.parametrize("line", FACTS)
def test_facts_read_back(line: str) -> None:
    """Every sort of fact is written as it was read."""
    assert BOOK.format_fact(BOOK.parse_fact(f" {line}  ")) == line


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "'' is no move of Dominoes of War; known are move, shoot"),
        ("jump d4 d5", "'jump' is no move"),
        ("3: end", "should begin with '1:' or '2:'"),
        ("1:2: end", "should begin with '1:' or '2:'"),
        ("move d4", "should read like 'move d4 d6'."),
        ("move d4 i9", "'i9' is no place; the field is a1 to h8"),
        ("move d4 (4,4)", "lies in the field and is called 'd4'"),
        ("move d4 (0,-0)", "is no place"),
        ("Move d4 d5", "'Move' is no move"),
        ("shoot d4", "should read like 'shoot d4 d7'."),
        ("shoot d4 d5 d6 d7", "should read like 'shoot d4 d7'."),
        ("shoot d4 f4 d7", "each place once, by columns, then by rows"),
        ("shoot d4 d7 d7", "each place once"),
        ("blow d4 e4", "'e4' is no place of a wall"),
        ("blow d4 f4/e4", "the wall 'f4/e4' should be written as e4/f4"),
        ("spawn d4 hidden (0,3)", "only a troop being stocked may be hidden"),
        ("bonus pirate (0,3)", "'pirate' is no type of troop; there are general, chieftain"),
        ("face d4 north", "'north' is no direction; there are n, e, s, w"),
        ("first 3", "'3' is no player; there are 1 and 2"),
        ("end now", "should read like 'end'."),
        ("forfeit it", "should read like 'forfeit'."),
        ("draw !", "should read like 'draw'."),
        ("decline 1", "should read like 'decline'."),
        ("base (0,4) (0,3)", "by columns, then by rows"),
    ],
)
def test_what_is_no_move_is_refused_in_one_sentence(line: str, says: str) -> None:
    """A text that is no move raises one sentence that says what would be right."""
    with pytest.raises(BadNotation) as wrong:
        BOOK.parse(line)
    assert says in str(wrong.value)
    assert str(wrong.value).endswith(".")


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("", "A fact begins with 'see'"),
        ("move d4 d5", "A fact begins with 'see'"),
        ("see", "should read like 'see d6 3-5'"),
        ("see d6 5-3", "the lower end first"),
        ("see d6 3-19", "no tile of up to 18 pips"),
        ("see d6 03-5", "'03-5' is no tile"),
        ("see d6 hidden", "only a troop being stocked may be hidden"),
        ("see armies army", "should read like"),
        ("see armies army navy", "'navy' is no army; there are army, cowboys, indians"),
        ("see lot 0", "'0' is no player"),
        ("see z9 grunt", "'z9' is no place"),
    ],
)
def test_what_is_no_fact_is_refused_in_one_sentence(line: str, says: str) -> None:
    """A text that is no fact raises one sentence that says what would be right."""
    with pytest.raises(BadNotation) as wrong:
        BOOK.parse_fact(line)
    assert says in str(wrong.value)


def test_places_are_named_by_the_lattice() -> None:
    """The field is a1 to h8, all around it coordinates on the same lattice, in order by column and row."""
    around = [place(x, y) for x in range(-12, 20) for y in range(-12, 20)]
    assert around == sorted(around)
    for at in around:
        assert place_called(name(at)) == at
        assert place(column(at), row(at)) == at
    assert [name(place(1, 1)), name(place(8, 8)), name(place(0, 3)), name(place(9, 8))] == [
        "a1",
        "h8",
        "(0,3)",
        "(9,8)",
    ]
    assert len(FIELD_BORDERS) == len(set(FIELD_BORDERS)) == 112
