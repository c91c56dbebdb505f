"""Illegal moves of Kingdomino Duel that the players let stand."""

import pytest

from engine import CannotStand
from engine.kingdomino_duel.edition import LETTERS
from engine.kingdomino_duel.model import DuelState, Take
from tests.engine.kingdomino_duel.builders import (
    BOOK,
    full_but,
    kingdom,
    offered,
    played,
    spellbook,
    table,
)

DRAFT = table(dice="d s q2 s1")
DRAWING = table(dice="d s q2 s1", takers="1122")


def stood(state: DuelState, line: str) -> DuelState:
    """The table after an illegal move that stands; it reads back from its own plain data."""
    move = BOOK.parse(line)
    assert not BOOK.judge(state, move).allowed
    after = BOOK.let_stand(state, move)
    assert BOOK.read_state(after.to_json()) == after
    return after


@pytest.mark.rules("KDD-3", "KDD-3a")
def test_a_misplaced_domino_stays_where_it_was_drawn() -> None:
    """The coats are on the map, they fill in the spellbook, and the turn goes on."""
    state = stood(DRAWING, "1: draw d@r1c1 s@r1c3")
    assert state.sides[0].kingdom == kingdom("d@r1c1 s@r1c3")
    assert BOOK.movers(state) == (2,)
    after = played(state, "2: draw q2@r2c4 s1@r1c4")
    assert (after.stage, after.book.ticks[0]) == ("roll", (1, 0, 1, 0, 0, 0))


@pytest.mark.rules("KDD-3e", "KDD-4")
def test_coats_that_no_die_shows_fill_in_nothing() -> None:
    """A wrong coat stays on the map, and only what a die explains counts in the spellbook."""
    state = stood(DRAWING, "1: draw d@r2c4 b@r1c4")
    assert played(state, "2: draw q2@r2c4 s1@r1c4").book.ticks[0] == (1, 0, 0, 0, 0, 0)


@pytest.mark.rules("KDD-3")
def test_half_a_domino_or_three_coats_can_stand() -> None:
    """Whatever number of coats lies on empty squares is on the map."""
    assert stood(DRAWING, "1: draw d@r2c4").sides[0].kingdom == kingdom("d@r2c4")
    three = stood(DRAWING, "1: draw d@r2c4 s@r1c4 d@r1c5").sides[0]
    assert (three.kingdom, three.drawing) == (kingdom("d@r2c4 s@r1c4 d@r1c5"), "drawn")


@pytest.mark.rules("KDD-3d", "KDD-E2")
def test_nothing_drawn_by_choice_does_not_end_the_game() -> None:
    """A player who draws nothing though something fits was able to, so the game goes on."""
    stuck = full_but("r1c1 r1c2")
    state = stood(table("", stuck, dice="d s q2 s1", takers="1122"), "1: draw nothing")
    assert state.sides[0].drawing == "declined"
    assert played(state, "2: draw nothing").stage == "roll"


@pytest.mark.rules("KDD-1", "KDD-E1")
def test_a_coat_drawn_out_of_turn_is_on_the_map_and_that_is_all() -> None:
    """Before the roll, twice in a turn or after the end, the coats are added; a full map ends the game."""
    before = BOOK.start({"a": 1})
    state = stood(before, "2: draw d@r2c4")
    assert (state.stage, state.sides[1].kingdom) == ("roll", kingdom("d@r2c4"))
    twice = stood(played(DRAWING, "1: draw d@r2c4 s@r1c4"), "1: draw b@r5c5 b@r5c6")
    assert len(twice.sides[0].kingdom.marks()) == 4
    assert twice.sides[0].to_fill == (LETTERS.index("d"), LETTERS.index("s"))
    last = stood(table(full_but("r1c1")), "1: draw q@r1c1")
    assert last.stage == "over"
    after = stood(table("", full_but("")), "1: draw q@r1c1")
    assert (after.stage, after.sides[0].kingdom) == ("over", kingdom("q@r1c1"))
    unknown = stood(BOOK.start(), "1: draw q@r1c1")
    assert unknown.stage == "oldest"


@pytest.mark.rules("KDD-2")
def test_dice_taken_out_of_turn_or_number_lie_where_they_were_put() -> None:
    """However the sharing went, it goes on until both have two dice."""
    state = stood(DRAFT, "2: take 1+2")
    assert (state.stage, state.taken(2), state.taken(1)) == ("draw", (1, 2), (3, 4))
    state = stood(DRAFT, "1: take 1+2")
    assert (state.stage, state.taken(2)) == ("draw", (3, 4))
    state = stood(stood(played(DRAFT, "1: take 1"), "2: take 2"), "1: take 3")
    assert (state.stage, state.taken(1), state.taken(2)) == ("draw", (1, 3), (2, 4))
    one = stood(played(DRAFT, "1: take 1"), "2: take 2")
    assert offered(one) == ["2: take 3", "2: take 4"]
    taken_away = stood(played(DRAFT, "1: take 1"), "2: take 1+2")
    assert (taken_away.stage, taken_away.taken(1), taken_away.taken(2)) == ("draw", (3, 4), (1, 2))
    one_away = stood(played(DRAFT, "1: take 1"), "2: take 1")
    assert BOOK.movers(one_away) == (1,)
    assert stood(DRAWING, "1: take 1") == DRAWING


@pytest.mark.rules("KDD-P", "KDD-P1", "KDD-P4")
def test_powers_that_were_not_owned_have_their_effect_and_cost_nothing() -> None:
    """A declared P1 counts for this turn, a turned die shows its new face; the owner keeps the power."""
    state = table(dice="d s q2 s1", takers="1122", spellbook=spellbook(owned="2:P1"))
    free = stood(state, "1: P1")
    assert (free.sides[0].declared, free.book.spent[0]) == ((1,), False)
    assert played(free, "1: draw d@r1c1 s@r1c2").sides[0].drawing == "drawn"
    assert stood(DRAWING, "1: P4 2=b").dice[1].shows.words == "black"
    early = stood(table(dice="d s q2 s1", spellbook=spellbook(owned="1:P1")), "1: P1")
    assert (early.stage, early.book.spent[0], early.sides[0].declared) == ("draft", True, (1,))


@pytest.mark.rules("KDD-C")
def test_a_second_castle_bonus_adds_its_cross() -> None:
    """The die gets its cross though the roof was coloured before; the die of the other player too."""
    state = stood(table(dice="d s q2 s1", takers="1122", one_roof=True), "1: castle 1")
    assert state.dice[0].bonus
    state = stood(DRAWING, "1: castle 3")
    assert (state.dice[2].bonus, state.sides[0].roof) == (True, True)


@pytest.mark.rules("KDD-P5", "KDD-P6")
def test_bolts_used_by_who_did_not_win_them_take_effect() -> None:
    """What was won remains to be used; the end of the turn comes when all are."""
    waiting = table(
        "d@r2c4",
        "q@r2c4",
        dice="d s q2 s1",
        takers="1122",
        spellbook=spellbook(owned="1:P5 2:P6"),
        one_drawing="drawn",
        two_drawing="drawn",
        one_bolts=["P5"],
        two_bolts=["P6"],
    )
    assert stood(waiting, "2: P5 s").sides[0].bolts == (5,)
    state = played(waiting, "2: P6 r2c4")
    assert (state.stage, state.sides[1].kingdom) == ("bolts", kingdom("q1@r2c4"))
    assert played(state, "1: P5 s").stage == "roll"
    claimed = stood(DRAWING, "1: P5 s")
    assert (claimed.stage, claimed.sides[0].named) == ("draw", 2)
    crossed = stood(table("d3@r2c4"), "1: P6 r2c4")
    assert crossed.sides[0].kingdom == kingdom("d4@r2c4")


@pytest.mark.rules("KDD-3", "KDD-2", "KDD-P4", "KDD-C", "KDD-P6")
@pytest.mark.parametrize(
    ("state", "line", "why"),
    [
        (table("d@r2c4", dice="d s q2 s1", takers="1122"), "1: draw d@r2c4 s@r2c5", "r2c4 is taken"),
        (DRAWING, "1: draw d@r3c4 s@r2c4", "r3c4 is the castle"),
        (DRAWING, "1: draw d@r2c4 s@r2c4", "r2c4 is taken"),
        (DRAWING, "1: P4 3=?", "Die 3 has no face"),
        (played(DRAWING, "1: castle 1"), "1: castle 1", "has the cross of the castle already"),
        (DRAWING, "1: take 3", "would have 3 dice"),
        (DRAFT, "1: take 2+2", "cannot be taken twice"),
        (DRAFT, "1: take b2", "No die shows"),
        (BOOK.start({"a": 1}), "1: take 1", "No dice are rolled"),
        (BOOK.start(), "draw d@r1c1", "not known which player"),
        (DRAWING, "draw d@r1c1 s@r1c2", "not known which player"),
        (table("d9@r2c4"), "1: P6 r2c4", "no coat that could take"),
        (table(), "1: P6 r2c4", "no coat that could take"),
    ],
)
def test_what_no_table_can_show_cannot_stand(state: DuelState, line: str, why: str) -> None:
    """Two coats on one square, a face that the die has not, a die that is not there."""
    with pytest.raises(CannotStand, match=why):
        BOOK.let_stand(state, BOOK.parse(line))


def test_a_move_without_a_player_stands_for_the_only_mover() -> None:
    """Where only one can have done it, nobody need be named."""
    assert BOOK.let_stand(DRAFT, Take(None, (1, 2))).taken(1) == (1, 2)
