"""Every reading of Kingdomino Duel: what the default says, and what each other choice changes."""

import pytest

from engine import BadProfile
from engine.kingdomino_duel import DuelBook
from engine.kingdomino_duel.edition import LETTERS, face
from engine.kingdomino_duel.map_score import Sheet, score_sheet
from engine.kingdomino_duel.model import DuelState
from engine.kingdomino_duel.placing import Manner
from engine.kingdomino_duel.spellbook import mismatches
from tests.engine.kingdomino_duel.builders import (
    BOOK,
    full_but,
    kingdom,
    offered,
    played,
    ruling,
    spellbook,
    table,
    under,
    verdict,
    ways,
)

DOT, STRIPE, TWO_STRIPES, QUARTERS, BLACK = 0, 2, 3, 4, 5
STUCK = full_but("r1c1 r1c2")


def filled(state: DuelState, player: int, letter: str) -> int:
    """The squares this player has filled in for a coat."""
    return state.book.ticks[player - 1][LETTERS.index(letter)]


def after_drawing(book: DuelBook, state: DuelState, one: str, two: str = "q2@r2c4 s@r1c4") -> DuelState:
    """The state after both players have drawn."""
    return played(state, f"1: draw {one}", f"2: draw {two}", book=book)


@pytest.mark.rules("A-K1")
def test_a_coat_is_filled_in_when_it_is_drawn_or_when_its_die_is_taken() -> None:
    """With draft the face that was rolled counts, whatever P4 made of it, and a joker never."""
    draft = under("tick_on=draft")
    state = table(dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P4"))
    turned = played(state, "1: P4 2=b")
    drawn = after_drawing(BOOK, turned, "d@r2c4 b@r1c4")
    assert (filled(drawn, 1, "b"), filled(drawn, 1, "s")) == (1, 0)
    drawn = after_drawing(draft, turned, "d@r2c4 b@r1c4")
    assert (filled(drawn, 1, "b"), filled(drawn, 1, "s"), filled(drawn, 1, "d")) == (0, 1, 1)
    bonus = after_drawing(
        draft, played(table(dice="? s q2 s", takers="1122"), "1: castle 2"), "d@r2c4 s1@r1c4"
    )
    assert (filled(bonus, 1, "d"), filled(bonus, 1, "s")) == (0, 0)


@pytest.mark.rules("A-K2", "A-K1")
def test_a_domino_that_is_not_drawn_fills_in_nothing_unless_taking_counts() -> None:
    """Nothing is drawn: with draw nothing is filled in, with draft both coats."""
    state = table(STUCK, "", dice="d s q2 s", takers="1122")
    assert filled(after_drawing(BOOK, state, "nothing"), 1, "d") == 0
    assert filled(after_drawing(under("tick_on=draft"), state, "nothing"), 1, "d") == 1


@pytest.mark.rules("A-K3", "KDD-3d")
def test_drawing_is_a_duty_unless_the_profile_makes_it_a_choice() -> None:
    """Where the domino fits, drawing nothing is refused; with must_place=no it is allowed, ending no game."""
    state = table(dice="d s q2 s", takers="1122")
    assert verdict(state, "1: draw nothing") == "illegal KDD-3d"
    free = under("must_place=no")
    told = ruling(state, "1: draw nothing", free)
    assert (told.status, told.rule, told.reason) == ("legal", "KDD-3d", "Player 1 chooses to draw nothing.")
    assert "1: draw nothing" in offered(state, free)
    declined = played(state, "1: draw nothing", "2: draw nothing", book=free)
    assert declined.stage == "roll"


@pytest.mark.rules("A-K4")
def test_one_connected_half_is_enough() -> None:
    """The black half touches nothing, and need not."""
    state = table("s@r1c1", dice="s b q2 d1", takers="1122")
    assert verdict(state, "1: draw s@r1c2 b@r1c3") == "legal KDD-3b"


@pytest.mark.rules("A-K5")
def test_the_own_other_half_is_no_connection() -> None:
    """Two equal halves away from everything are refused for that very reason."""
    state = table("s@r2c4", dice="d d q2 s", takers="1122")
    found = ruling(state, "1: draw d@r5c6 d@r5c7")
    assert found.status == "illegal"
    assert any(fault.facts.get("reading") == "A-K5" for fault in found.also)


@pytest.mark.rules("A-K6")
def test_P2_connects_to_the_square_of_the_same_turn_only_with_p2_chain() -> None:
    """Two dots, the second beside the first only: refused, and allowed with p2_chain=yes, in either order."""
    chain = under("p2_chain=yes")
    state = played(table(dice="d d q2 s", takers="1122", spellbook=spellbook(owned="1:P2")), "1: P2")
    for line in ("1: draw d@r2c4 d@r1c4", "1: draw d@r4c4 d@r5c4"):
        assert verdict(state, line) == "illegal KDD-3a"
        assert verdict(state, line, chain) == "legal KDD-P2"
    assert set(offered(state)) < set(offered(state, chain))
    assert verdict(state, "1: draw d@r1c1 d@r1c2", chain) == "illegal KDD-3a"
    crossed = played(
        table(dice="d d q2 s", takers="1122", spellbook=spellbook(owned="1:P2")), "1: P2", "1: castle 1"
    )
    assert verdict(crossed, "1: draw d@r2c4 d1@r1c4", chain) == "legal KDD-P2"
    assert len(set(offered(crossed, chain))) == len(offered(crossed, chain))
    mixed = played(table(dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P2")), "1: P2")
    assert verdict(mixed, "1: draw d@r2c4 s@r1c4", chain) == "illegal KDD-3a"


@pytest.mark.rules("A-K7", "KDD-P2")
def test_P2_draws_a_single_die_where_only_one_can_be_drawn() -> None:
    """One die fits: it is drawn alone; with p2_partial=no nothing is."""
    state = table(
        full_but("r1c1 r3c7", "d"), dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P2")
    )
    state = played(state, "1: P2")
    whole = under("p2_partial=no")
    assert verdict(state, "1: draw d@r1c1") == "legal KDD-P2"
    assert verdict(state, "1: draw nothing") == "illegal KDD-3d"
    found = ruling(state, "1: draw d@r1c1", whole)
    assert (found.status, found.rule, found.facts["reading"]) == ("illegal", "KDD-P2", "A-K7")
    assert verdict(state, "1: draw nothing", whole) == "legal KDD-3d"


@pytest.mark.rules("A-K8", "KDD-P1")
def test_P1_lifts_the_connection_and_nothing_else() -> None:
    """Under P1 the corner of the map is allowed, two squares apart are not."""
    state = played(table(dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P1")), "1: P1")
    assert verdict(state, "1: draw d@r1c1 s@r1c2") == "legal KDD-P1"
    assert verdict(state, "1: draw d@r1c1 s@r1c3") == "illegal KDD-3"


@pytest.mark.rules("A-K9", "KDD-P1", "KDD-P2")
def test_P1_and_P2_together_allow_any_two_squares_unless_they_are_not_combined() -> None:
    """Both declared: two corners of the map. With combine_powers=no the second declaration is refused."""
    state = table(dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P1 1:P2"))
    both = played(state, "1: P1", "1: P2")
    assert verdict(both, "1: draw d@r1c1 s@r5c7") == "legal KDD-P2"
    single = under("combine_powers=no")
    one = played(state, "1: P1", book=single)
    found = ruling(one, "1: P2", single)
    assert (found.status, found.rule, found.facts["reading"]) == ("illegal", "KDD-P2", "A-K9")
    assert "1: P2" not in offered(one, single)
    assert "1: P2" in offered(one)


@pytest.mark.rules("A-K10", "KDD-P")
def test_a_power_of_steps_2_and_3_waits_for_the_next_turn() -> None:
    """The stripe line completed in this turn gives P2 in the next one, not now."""
    state = table(dice="d s q2 s", takers="1122", spellbook=spellbook(ticks="1:s4"))
    assert verdict(state, "1: P2") == "illegal KDD-P2"
    drawn = played(state, "1: draw d@r2c4 s@r1c4")
    assert verdict(drawn, "1: P2") == "illegal KDD-P2"
    later = played(drawn, "2: draw q2@r2c4 s@r1c4", "see roll d s q2 s", "2: take 1", "1: take 3+4")
    assert verdict(later, "1: P2") == "legal KDD-P2"


@pytest.mark.rules("A-K11")
def test_a_turned_die_fills_in_what_it_then_shows() -> None:
    """Turned to a plain coat it fills in a square, turned to the question mark it does not."""
    state = table(dice="D1 s q2 s", takers="1122", spellbook=spellbook(owned="1:P4"))
    plain = after_drawing(BOOK, played(state, "1: P4 1=d"), "d@r2c4 s@r1c4")
    joker = after_drawing(BOOK, played(state, "1: P4 1=?"), "d@r2c4 s@r1c4")
    assert (filled(plain, 1, "d"), filled(joker, 1, "d")) == (1, 0)


@pytest.mark.rules("A-K12", "KDD-P4")
def test_P4_turns_only_a_die_of_the_own_domino() -> None:
    """Neither a die of the other player nor one in the middle can be turned, nor any after the drawing."""
    state = table(dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P4"))
    assert verdict(state, "1: P4 3=d") == "illegal KDD-P4"
    assert verdict(played(state, "1: draw d@r2c4 s@r1c4"), "1: P4 1=s") == "illegal KDD-P4"
    early = table(dice="d s q2 s", takers="1...", spellbook=spellbook(owned="1:P4"))
    found = ruling(early, "1: P4 2=d")
    assert (found.rule, [fault.rule for fault in found.also]) == ("KDD-0", ["KDD-P4"])
    assert "in the middle" in found.also[0].sentence


@pytest.mark.rules("A-K13", "KDD-P5")
def test_P5_may_name_a_coat_that_is_not_on_the_map_unless_the_profile_wants_it_there() -> None:
    """By default any of six coats; with p5_requires_presence=yes only those drawn."""
    state = table(dice="d b q2 s", takers="1122", spellbook=spellbook(ticks="1:b2"))
    state = played(state, "1: draw d@r2c4 b@r1c4", "2: draw q2@r2c4 s@r1c4")
    assert offered(state) == [f"1: P5 {letter}" for letter in LETTERS]
    there = under("p5_requires_presence=yes")
    assert offered(state, there) == ["1: P5 d", "1: P5 b"]
    found = ruling(state, "1: P5 q", there)
    assert (found.status, found.rule, found.facts["reading"]) == ("illegal", "KDD-P5", "A-K13")
    assert verdict(state, "1: P5 b", there) == "legal KDD-P5"


@pytest.mark.rules("A-K14", "KDD-S3")
def test_P5_counts_every_separate_domain() -> None:
    """A single square without a cross is worth 3 like any other domain of the named coat."""
    drawn = kingdom("d1@r1c1 d@r1c2 d@r5c7 s@r3c3")
    assert score_sheet(Sheet(drawn, named=DOT)).named_points == 6
    assert score_sheet(Sheet(drawn, named=BLACK)).named_points == 0


@pytest.mark.rules("A-K15", "KDD-P6")
def test_P6_needs_a_coat_with_a_free_circle() -> None:
    """A coat with three crosses has no free circle of three, but one of four; dice may draw beyond them."""
    state = table("q3@r2c4 d@r1c4", one_bolts=["P6"], **_waiting_for("P6"))
    assert offered(state) == ["1: P6 r1c4"]
    found = ruling(state, "1: P6 r2c4")
    assert (found.status, found.rule, found.facts["reading"]) == ("illegal", "KDD-P6", "A-K15")
    assert verdict(state, "1: P6 r2c4", under("circles_per_square=4")) == "legal KDD-P6"
    crossed = played(state, "1: P6 r1c4").sides[0].kingdom.at(8 * 0 + 3)
    assert crossed is not None
    assert crossed.crosses == 1
    drawing = table(dice="d s q2 s", takers="1122")
    found = ruling(drawing, "2: draw q2@r2c4 s@r1c4", under("circles_per_square=1"))
    assert (found.status, found.facts["outside"]) == ("legal", ["r2c4"])
    with pytest.raises(BadProfile):
        under("circles_per_square=0")


def _waiting_for(power: str) -> dict[str, object]:
    """The rest of a table on which player 1 has just won this power."""
    return {
        "dice": "d s q2 s",
        "takers": "1122",
        "one_drawing": "drawn",
        "two_drawing": "drawn",
        "spellbook": spellbook(owned=f"1:{power}"),
    }


@pytest.mark.rules("A-K16", "KDD-C")
def test_the_castle_bonus_comes_between_taking_and_drawing() -> None:
    """Not while dice are taken, nor after the drawing; a die with crosses, or a joker, may get one more."""
    early = table(dice="d s q2 s", takers="1...")
    assert verdict(early, "1: castle 1") == "illegal KDD-0"
    state = table(dice="? s q2 s", takers="1221")
    assert verdict(played(state, "1: draw d@r2c4 s@r1c4"), "1: castle 1") == "illegal KDD-C"
    assert verdict(played(state, "2: castle 3"), "2: draw q3@r2c4 s@r1c4") == "legal KDD-3a"
    assert verdict(played(state, "1: castle 1"), "1: draw d1@r2c4 s@r1c4") == "legal KDD-3a"


@pytest.mark.rules("A-K17", "KDD-C")
def test_the_castle_bonus_is_spent_even_if_its_die_is_not_drawn() -> None:
    """The roof stays coloured though nothing was drawn."""
    state = table(STUCK, "", dice="d s q2 s", takers="1122")
    after = played(state, "1: castle 1", "1: draw nothing", "2: draw q2@r2c4 s@r1c4")
    assert after.sides[0].roof


@pytest.mark.rules("A-K18", "KDD-E2")
def test_an_unused_power_need_not_be_spent_to_go_on() -> None:
    """Who needs P1 to draw may decline and counts as not able; with e2_forces_power=yes P1 must be used."""
    state = table(STUCK, STUCK, dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P1"))
    over = played(state, "1: draw nothing", "2: draw nothing")
    assert over.stage == "over"
    forced = under("e2_forces_power=yes")
    found = ruling(state, "1: draw nothing", forced)
    assert (found.status, found.rule, found.facts["powers"]) == ("illegal", "KDD-3d", "P1")
    assert "1: draw nothing" not in offered(state, forced)
    assert verdict(state, "2: draw nothing", forced) == "legal KDD-3d"
    saved = played(state, "1: P1", "1: draw d@r1c1 s@r1c2", "2: draw nothing", book=forced)
    assert saved.stage == "over"
    assert ruling(saved, "1: P1").rule == "KDD-E1"


@pytest.mark.rules("A-K18")
@pytest.mark.parametrize(
    ("owned", "free", "settings", "powers"),
    [
        ("1:P2", "r1c1", "", "P2"),  # a dot beside a dot, alone
        ("1:P4", "r1c1 r1c2", "", "P4"),  # die 2 turned to black
        ("1:P1 1:P2", "r1c1 r5c7", "", "P1 and P2"),
        ("1:P1 1:P2", "r1c1 r5c7", "+combine_powers=no", ""),
        ("1:P2 1:P4", "r1c1 r5c7", "", "P2 and P4"),
        ("1:P1 1:P2 1:P4", "r1c1 r5c7", "+combine_powers=no+p2_partial=no", ""),
    ],
)
def test_the_powers_that_would_help_are_found(owned: str, free: str, settings: str, powers: str) -> None:
    """P1, P2 and P4 are tried alone and together, as far as they may be combined."""
    around = "s" if powers == "P2" else "b"
    state = table(
        full_but(free, around), STUCK, dice="d s q2 s", takers="1122", spellbook=spellbook(owned=owned)
    )
    forced = under(f"e2_forces_power=yes{settings}")
    found = ruling(state, "1: draw nothing", forced)
    assert found.facts.get("powers", "") == powers
    assert found.allowed == (not powers)


@pytest.mark.rules("A-K18", "KDD-P4")
def test_P4_helps_where_one_die_alone_has_the_face() -> None:
    """Only die 1 has quarters, which the two free squares would connect to."""
    edition = {"dice": ["d d d d d q", "s s s s s s", "D D D D D D", "S S S S S S"]}
    around = full_but("r1c1 r1c2", "q")
    forced = under("e2_forces_power=yes")
    for owned, powers in (("1:P4", "P4"), ("2:P4", "")):
        state = table(
            around, STUCK, dice="d s D S", takers="1122", edition=edition, spellbook=spellbook(owned=owned)
        )
        assert ruling(state, "1: draw nothing", forced).facts.get("powers", "") == powers


@pytest.mark.rules("A-K19", "KDD-E1")
def test_the_end_comes_after_the_spellbook() -> None:
    """A full map does not stop P5 from being won and used in the same turn."""
    state = table(full_but("r1c1 r1c2"), dice="d b q2 s", takers="1122", spellbook=spellbook(ticks="1:b2"))
    state = played(state, "1: draw d@r1c1 b@r1c2", "2: draw q2@r2c4 s@r1c4")
    assert state.stage == "bolts"
    assert played(state, "1: P5 b").stage == "over"


@pytest.mark.rules("A-K20", "KDD-4")
def test_a_spellbook_that_differs_from_the_dice_is_reported() -> None:
    """A square too many and a power crossed off too early are told one by one; equal books tell nothing."""
    due = table(spellbook=spellbook(ticks="1:d2", owned="2:P2"))
    seen = table(spellbook=spellbook(ticks="1:d3", owned="2:P2", spent="P2"))
    faults = mismatches(due.edition, due.book, seen.book)
    assert [fault.rule for fault in faults] == ["KDD-4", "KDD-P"]
    assert faults[0].facts == {"player": 1, "line": "dot", "filled": 3, "due": 2}
    assert [fault.rule for fault in mismatches(due.edition, seen.book, due.book)] == ["KDD-4", "KDD-P"]
    assert mismatches(due.edition, due.book, due.book) == ()


@pytest.mark.rules("A-K21", "KDD-4b")
def test_different_lines_completed_in_one_turn_belong_to_each() -> None:
    """A completes the dots and B the stripes: each owns the own line."""
    state = table(dice="d d s s", takers="1122", spellbook=spellbook(ticks="1:d3 2:s3"))
    state = played(state, "1: draw d@r2c4 d@r1c4", "2: draw s@r2c4 s@r1c4")
    assert [state.book.owner(state.edition, coat) for coat in (DOT, STRIPE)] == [1, 2]


@pytest.mark.rules("A-K22", "KDD-4b")
def test_a_complete_line_is_not_filled_any_further() -> None:
    """Neither its owner nor the other player fills it in again."""
    state = table(dice="d s d s", takers="1122", spellbook=spellbook(ticks="2:d1", owned="1:P1"))
    state = played(state, "1: draw d@r2c4 s@r1c4", "2: draw d@r2c4 s@r1c4")
    assert (filled(state, 1, "d"), filled(state, 2, "d")) == (5, 1)


@pytest.mark.rules("A-K23", "KDD-P2")
def test_a_single_last_square_is_filled_by_P2_alone() -> None:
    """One square left: nothing can be drawn, except one die with P2."""
    last = full_but("r1c1", "d")
    state = table(last, dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P2"))
    assert [line for line in offered(state) if "1: draw" in line] == ["1: draw nothing"]
    assert [line for line in offered(played(state, "1: P2")) if "1: draw" in line] == ["1: draw d@r1c1"]
    assert ways(last, "d", "s", Manner(free=True)) == []


@pytest.mark.rules("A-K24", "KDD-P4")
def test_P4_may_leave_the_die_as_it_lies() -> None:
    """The power is spent though the face stays."""
    state = table(dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P4"))
    after = played(state, "1: P4 1=d")
    assert after.dice == state.dice
    assert verdict(after, "1: P4 1=d") == "illegal KDD-P"


@pytest.mark.rules("A-K25", "KDD-P")
def test_P1_and_P2_may_be_used_without_need() -> None:
    """Declared although everything fits anyway, and spent."""
    state = table(dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P1 1:P2"))
    after = played(state, "1: P1", "1: P2", "1: draw d@r2c4 s@r3c3")
    assert after.book.spent[DOT]
    assert after.book.spent[STRIPE]


@pytest.mark.rules("A-K26", "KDD-P5", "KDD-P6")
def test_P5_and_P6_of_one_turn_come_in_either_order() -> None:
    """Both are offered, and the other one remains to be used."""
    two = {**_waiting_for("P5"), "spellbook": spellbook(owned="1:P5 1:P6"), "one_bolts": ["P6", "P5"]}
    state = table("q@r2c4", **two)
    assert {line[:5] for line in offered(state)} == {"1: P5", "1: P6"}
    for first, second in (("1: P5 s", "1: P6 r2c4"), ("1: P6 r2c4", "1: P5 s")):
        after = played(state, first)
        assert after.stage == "bolts"
        after = played(after, second)
        assert (after.stage, after.sides[0].named) == ("roll", STRIPE)


@pytest.mark.rules("A-K27", "KDD-P2")
def test_P2_draws_both_dice_where_both_can_be_drawn() -> None:
    """One die alone is incomplete while the other has a place, illegal where it takes that place."""
    state = played(table(dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P2")), "1: P2")
    found = ruling(state, "1: draw d@r2c4")
    assert (found.status, found.rule, found.facts["reading"]) == ("incomplete", "KDD-P2", "A-K27")
    tight = full_but("r1c1 r3c5", "d")
    state = table(tight, dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P2"))
    found = ruling(played(state, "1: P2"), "1: draw d@r3c5")
    assert (found.status, found.rule, found.facts["reading"]) == ("illegal", "KDD-P2", "A-K27")


def test_every_reading_of_the_reference_is_a_setting() -> None:
    """A-K1 to A-K27 are all there, each under a key of its own."""
    assert [reading.id for reading in BOOK.readings.all] == [f"A-K{number}" for number in range(1, 28)]
    assert face("d").plain
