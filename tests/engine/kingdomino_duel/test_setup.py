"""Set-ups and plain data of Kingdomino Duel: what was seen becomes a state, and what cannot be is named."""

import json
from random import Random
from typing import Any

import pytest

from engine import BadSetup, State, rulebook
from engine.kingdomino_duel.edition import DICE_AS_PRINTED, LINES_AS_PRINTED
from engine.kingdomino_duel.kingdom import Kingdom
from engine.plain import BadData
from tests.engine.kingdomino_duel.builders import BOOK, full_but, kingdom, offered, played, spellbook, table

BLANK_ROWS = [". . . . . . .", ". . . . . . .", ". . . C . . .", ". . . . . . .", ". . . . . . ."]


@pytest.mark.rules("KDD-SETUP")
def test_a_game_begins_with_the_question_who_is_the_oldest() -> None:
    """With nothing said nothing is invented; with a generator the oldest is drawn, both being possible."""
    assert BOOK.start().stage == "oldest"
    assert {BOOK.start(rng=Random(seed)).a for seed in range(10)} == {1, 2}
    assert BOOK.start({"a": 2}) == played(BOOK.start(), "see oldest 2")
    assert rulebook("kingdomino-duel").start() == BOOK.start()


def test_a_game_in_progress_can_be_joined() -> None:
    """Maps, spellbook and dice of any moment make a state from which play goes on."""
    state = BOOK.start(
        {
            "a": 2,
            "players": [{"map": list(kingdom("d@r2c4").rows), "roof": True, "named": "s"}, {}],
            "spellbook": {"d": {"ticks": [3, 1]}, "b": {"ticks": [3, 0], "spent": True}},
            "dice": ["d", {"rolled": "s", "shows": "q", "taker": 2, "bonus": True}, "q2", "s"],
        }
    )
    assert (state.stage, state.taken(2), state.dice[1].symbol.words) == (
        "draft",
        (2,),
        "quarters with 1 cross",
    )
    assert offered(state) == ["1: take 1+3", "1: take 1+4", "1: take 3+4"]


def test_a_state_reads_back_from_its_plain_data() -> None:
    """Through JSON text and the door that all games share, at every stage."""
    drawing = table("d@r2c4", dice="d s q2 ?", takers="1122", spellbook=spellbook(owned="1:P1 2:P4"))
    states = [
        BOOK.start(),
        BOOK.start({"a": 1}),
        table(dice="d s q2 ?", takers="1..."),
        played(drawing, "1: P1", "1: castle 1", "2: P4 4=s", "1: draw d1@r1c1 s@r1c2"),
        table(full_but(""), stage="over"),
        table(stage="over"),
    ]
    for state in states:
        data = json.loads(json.dumps(state.to_json()))
        assert State.from_json(data) == state
        assert hash(State.from_json(data)) == hash(state)


def test_another_printing_brings_its_own_dice_and_lines() -> None:
    """Dice and spellbook of the edition are used, kept in the state and read back."""
    dice = ["d d d d d d", *DICE_AS_PRINTED[1:]]
    lines = {"d": [2, "P6"], "q": [3, "P1"]}
    state = BOOK.start({"a": 1, "edition": {"dice": dice, "lines": lines}})
    assert len(list(BOOK.possible_facts(state))) == 6**3
    state = played(state, "see roll d d q2 ?", "1: take 1", "2: take 3+4", "1: draw d@r2c4 d@r1c4")
    state = played(state, "2: draw q2@r2c4 d@r1c4")
    assert offered(state) == ["1: P6 r1c4", "1: P6 r2c4"]
    assert BOOK.read_state(state.to_json()) == state


CANNOT_BE: list[tuple[dict[str, Any], str]] = [
    ({"b": 1}, "the set-up has an entry 'b', but only these are known: game"),
    ({"game": "draw-game"}, "the set-up should be one of kingdomino-duel, not of 'draw-game'"),
    ({"version": 2}, "the set-up should have version 1, not 2"),
    ({"a": 3}, "player A should be 1, 2 or null, not 3"),
    ({"a": True}, "player A should be 1, 2 or null, not True"),
    ({"dice": [{"rolled": "d", "taker": 1}, "s", "q2", "s"]}, "player A should be known"),
    ({"a": 1, "dice": ["d"]}, "four dice"),
    ({"a": 1, "dice": ["q", "s", "q2", "s"]}, "die 1 should show one of \\? d s D1 S1, not 'q'"),
    ({"a": 1, "dice": [{"shows": "d"}, "s", "q2", "s"]}, "die 1 lacks the entry 'rolled'"),
    ({"a": 1, "dice": [{"rolled": "d", "up": 1}, "s", "q2", "s"]}, "die 1 has an entry 'up'"),
    ({"a": 1, "dice": [{"rolled": "d", "taker": 3}, "s", "q2", "s"]}, "taker of die 1"),
    ({"players": [{}]}, "two players, not 1"),
    ({"players": [{"map": ["."]}, {}]}, "map of player 1: a map has 5 rows, not 1"),
    ({"players": [{"map": [*BLANK_ROWS[:4], ". ."]}, {}]}, "row r5 of a map has 7 squares, not 2"),
    ({"players": [{}, {"map": ["? " + BLANK_ROWS[0][2:], *BLANK_ROWS[1:]]}]}, "player 2: r1c1 holds '\\?'"),
    ({"players": [{"map": ["x9 " + BLANK_ROWS[0][2:], *BLANK_ROWS[1:]]}, {}]}, "r1c1 holds 'x9'"),
    ({"players": [{"map": ["C" + BLANK_ROWS[0][1:], *BLANK_ROWS[1:]]}, {}]}, "r1c1 is not the castle"),
    ({"players": [{"map": [BLANK_ROWS[0]] * 5}, {}]}, "r3c4 is the castle"),
    ({"players": [{"named": "x"}, {}]}, "coat named by player 1: 'x' is no coat"),
    ({"players": [{"declared": ["P3"]}, {}]}, "powers declared by player 1 should be some of P1, P2"),
    ({"players": [{"declared": ["P1", "P1"]}, {}]}, "each once, not 'P1'"),
    ({"players": [{"drawing": "later"}, {}]}, "should be one of due, drawn, declined, unable"),
    ({"players": [{"drawing": "drawn"}, {}]}, "cannot have drawn in the stage 'oldest'"),
    ({"players": [{"to_fill": ["d"]}, {}]}, "squares to fill in only between"),
    ({"a": 1, "players": [{"bolts": ["P5"]}, {}]}, "cannot be due in the stage 'roll'"),
    ({"spellbook": {"d": {"ticks": [6, 0]}}}, "the dot line should be two numbers from 0 to 5"),
    ({"spellbook": {"d": {"ticks": [1]}}}, "two numbers from 0 to 5"),
    ({"spellbook": {"q": {"ticks": [3, 3]}}}, "only one player can have completed the quarters line"),
    ({"spellbook": {"q": {"spent": True}}}, "cannot be spent while nobody has completed"),
    ({"edition": {"dice": ["d"]}}, "4 dice, not 1"),
    ({"edition": {"dice": ["d", "d", "d", "d"]}}, "die 1 of the edition should have 6 faces, not 1"),
    ({"edition": {"dice": ["x d d d d d", *DICE_AS_PRINTED[1:]]}}, "die 1 of the edition: 'x' is no face"),
    ({"edition": {"lines": {"d": [5, "P3"]}}}, "each of P1 to P6 once|P1 to P6 once"),
    ({"edition": {"lines": {"d": [5]}}}, "a length and a power"),
    ({"edition": {"lines": {"d": [0, "P1"]}}}, "at least 1 square, not 0"),
    ({"edition": {"lines": {"d": [5, "P7"]}}}, "one of P1 to P6, not 'P7'"),
    ({"stage": "draw"}, "the stage should be 'oldest', as the table tells, not 'draw'"),
    ({"a": 1, "stage": "bolts"}, "should be 'roll'"),
]


@pytest.mark.parametrize(("setup", "says"), CANNOT_BE)
def test_an_impossible_set_up_is_refused_in_one_sentence(setup: dict[str, Any], says: str) -> None:
    """The sentence names the piece or place, and what would be right."""
    with pytest.raises(BadSetup, match=says):
        BOOK.start(setup)


@pytest.mark.parametrize(
    ("takers", "players", "says"),
    [
        ("11..", [{}, {}], "player 1 has two dice, so the others should be player 2's"),
        ("1112", [{}, {}], "player 1 should have at most two dice, not 3"),
        ("1122", [{"drawing": "drawn"}, {"drawing": "drawn"}], "the turn should have ended"),
        ("1122", [{"drawing": "drawn", "bolts": ["P5"]}, {"drawing": "drawn"}], "P5 cannot be due"),
        ("1122", [{"bolts": ["P5"]}, {"drawing": "drawn"}], "cannot be due in the stage 'draw'"),
        ("1122", [{"to_fill": ["d"]}, {"drawing": "drawn"}], "squares to fill in only between"),
    ],
)
def test_an_impossible_turn_is_refused(takers: str, players: list[dict[str, Any]], says: str) -> None:
    """Dice, drawings and bolts have to belong to one moment of a turn."""
    dice = [
        {"rolled": rolled, "taker": None if taker == "." else int(taker)}
        for rolled, taker in zip(("d", "s", "q2", "s"), takers, strict=True)
    ]
    with pytest.raises(BadSetup, match=says):
        BOOK.start({"a": 1, "dice": dice, "players": players})


@pytest.mark.parametrize(
    ("entry", "value", "says"),
    [
        ("game", "draw-game", "one of kingdomino-duel, not of 'draw-game'"),
        ("version", 2, "version 1, not 2"),
        ("stage", None, "the stage should be a text"),
        ("players", "nobody", "the players should be a list"),
    ],
)
def test_damaged_data_is_refused(entry: str, value: object, says: str) -> None:
    """Another game, another version or another shape is named."""
    data = {**BOOK.start().to_json(), entry: value}
    with pytest.raises(BadData, match=says):
        BOOK.read_state(data)


def test_maps_are_written_as_they_are_read() -> None:
    """Rows of text with or without their names make the same map, and are written alike."""
    drawn = kingdom("d@r1c1 q2@r3c3 S3@r5c7")
    assert Kingdom.from_rows(drawn.rows) == drawn
    assert Kingdom.from_rows([f"r{number} {row}" for number, row in enumerate(drawn.rows, 1)]) == drawn
    assert drawn.rows[0] == "d0 .  .  .  .  .  ."
    assert len(LINES_AS_PRINTED) == 6
