"""The golden cases of Kingdomino Duel, each under its own number."""

from collections import Counter

import pytest

from engine.kingdomino_duel.edition import AS_PRINTED, JOKER, LETTERS
from engine.kingdomino_duel.kingdom import Kingdom
from engine.kingdomino_duel.map_score import Sheet, compare, score_sheet
from tests.engine.kingdomino_duel.builders import (
    BOOK,
    full_but,
    kingdom,
    offered,
    played,
    rules,
    spellbook,
    table,
    verdict,
    ways,
)

SAMPLE = Kingdom.from_rows(
    [
        "r1  d0 d1 s0 s0 b2 b0 q0",
        "r2  d0 D0 D1 s1 b0 q2 q0",
        "r3  S0 S1 D0 C  s0 s0 D1",
        "r4  S0 .  d0 d0 d1 S0 D0",
        "r5  .  .  q0 q0 .  .  .",
    ]
)
DOT_AND_STRIPE = "d@r3c5 s@r3c6"


@pytest.mark.rules("KDD-SETUP", "KDD-3a")
def test_K_G01_an_empty_map_takes_a_domino_in_24_ways_round_the_castle() -> None:
    """On an empty map 12 pairs of squares take a domino, each both ways round, all of them by the castle."""
    found = ways("", "d", "s")
    assert len(found) == len(set(found)) == 24
    pairs = {frozenset(part.split("@")[1] for part in way.split()) for way in found}
    assert len(pairs) == 12
    assert all(pair & {"r2c4", "r4c4", "r3c3", "r3c5"} for pair in pairs)


@pytest.mark.rules("KDD-3a", "KDD-3b", "KDD-3c")
def test_K_G02_the_first_domino_touches_the_castle_by_a_side() -> None:
    """The first domino needs the castle, and a corner of the castle is not enough."""
    state = table(dice="d s q2 s", takers="1122")
    assert rules(state, "1: draw d@r1c1 s@r1c2") == ["KDD-3a", "KDD-3b"]
    assert verdict(state, "1: draw d@r2c3 s@r3c3") == "legal KDD-3a"
    assert rules(state, "1: draw d@r2c3 s@r1c3") == ["KDD-3c", "KDD-3a", "KDD-3b"]


@pytest.mark.rules("KDD-3b", "KDD-3a", "A-K4")
def test_K_G03_an_equal_coat_from_an_earlier_turn_connects_one_half() -> None:
    """A stripe and a black coat fit in 26 ways where a dot and a stripe lie east of the castle."""
    found = ways(DOT_AND_STRIPE, "s", "b")
    assert len(found) == len(set(found)) == 26
    state = table(DOT_AND_STRIPE, dice="s b q2 s", takers="1122")
    assert verdict(state, "1: draw s@r2c6 b@r1c6") == "legal KDD-3b"
    assert verdict(state, "1: draw s@r3c7 b@r2c7") == "legal KDD-3b"
    for refused in ("s@r2c5 b@r1c5", "s@r2c7 b@r3c7", "s@r2c5 b@r2c6"):
        assert verdict(state, f"1: draw {refused}").startswith("illegal KDD-3"), refused


@pytest.mark.rules("KDD-3a")
def test_K_G04_coats_without_equals_need_the_castle() -> None:
    """Quarters and black fit in 18 ways on the same map, only by the castle."""
    found = ways(DOT_AND_STRIPE, "q", "b")
    assert len(found) == len(set(found)) == 18
    assert "b@r2c4 q@r2c5" in found
    state = table(DOT_AND_STRIPE, dice="s b q2 s", takers="2112")
    assert verdict(state, "1: draw q2@r2c5 b@r2c4") == "legal KDD-3a"
    assert verdict(state, "1: draw q2@r2c5 b@r2c6") == "illegal KDD-3c"
    assert "KDD-3a" in rules(state, "1: draw q2@r2c5 b@r2c6")


@pytest.mark.rules("KDD-3")
def test_K_G05_only_empty_squares_are_drawn_on() -> None:
    """Neither a filled square nor the castle takes a coat."""
    state = table(DOT_AND_STRIPE, dice="s b q2 s", takers="1122")
    assert verdict(state, "1: draw s@r3c6 b@r2c6") == "illegal KDD-3"
    assert verdict(state, "1: draw s@r3c4 b@r2c4") == "illegal KDD-3"


@pytest.mark.rules("KDD-3", "KDD-P2")
def test_K_G06_the_two_squares_share_a_side_unless_P2_is_in_use() -> None:
    """Two squares apart are refused, and allowed once P2 has been declared."""
    state = table(dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P2"))
    apart = "1: draw d@r2c4 s@r4c4"
    assert verdict(state, apart) == "illegal KDD-3"
    assert verdict(played(state, "1: P2"), apart) == "legal KDD-P2"


@pytest.mark.rules("A-K5", "KDD-3b")
def test_K_G07_equal_halves_do_not_connect_to_each_other() -> None:
    """Two dots side by side connect to nothing if nothing was there before."""
    state = table(dice="d d q2 s", takers="1122")
    assert rules(state, "1: draw d@r1c1 d@r1c2") == ["KDD-3a", "KDD-3b"]
    fault = BOOK.judge(state, BOOK.parse("1: draw d@r1c1 d@r1c2")).also[0]
    assert fault.facts["reading"] == "A-K5"
    assert "do not count for each other" in fault.sentence


@pytest.mark.rules("KDD-2", "KDD-P3")
def test_K_G08_A_takes_one_die_B_two_and_A_the_last() -> None:
    """One, two and the last; B cannot take only one, nor A two without P3."""
    state = table(dice="d s q2 s1")
    assert verdict(state, "1: take 1+2") == "illegal KDD-P3"
    state = played(state, "1: take 1")
    assert verdict(state, "2: take 2") == "incomplete KDD-2"
    state = played(state, "2: take 2+4")
    assert (state.taken(1), state.taken(2), state.stage) == ((1, 3), (2, 4), "draw")


@pytest.mark.rules("KDD-P3")
def test_K_G09_P3_is_for_player_A_only() -> None:
    """Player B cannot take two dice with P3, not even its owner."""
    state = played(table(dice="d s q2 s1", spellbook=spellbook(owned="2:P3")), "1: take 1")
    assert rules(state, "2: P3 take 2+3") == ["KDD-P3"]
    assert "2: P3 take 2+3" not in offered(state)


@pytest.mark.rules("KDD-4", "KDD-4a", "KDD-C")
def test_K_G10_only_a_plain_coat_fills_the_spellbook() -> None:
    """A plain dot fills in a square; a cross on it, from die or castle, or a joker drawn as dot does not."""

    def dots(*lines: str, dice: str) -> int:
        state = table(dice=dice, takers="1221", two_roof=True)
        return played(state, *lines, "2: draw q2@r2c4 s@r1c4").book.ticks[0][0]

    assert dots("1: draw d@r2c4 s@r1c4", dice="d s q2 s") == 1
    assert dots("1: draw s@r2c4 d1@r1c4", dice="s s q2 d1") == 0
    assert dots("1: draw s@r2c4 d@r1c4", dice="s s q2 ?") == 0
    assert dots("1: castle 1", "1: draw d1@r2c4 s@r1c4", dice="d s q2 s") == 0


@pytest.mark.rules("KDD-4b", "KDD-4c")
def test_K_G11_A_completes_a_line_before_B() -> None:
    """Both complete the stripe line in one turn: it is A's, and B's stays incomplete."""
    state = table(dice="s b s D", takers="1122", spellbook=spellbook(ticks="1:s4 2:s4"))
    for order in (("1", "2"), ("2", "1")):
        drawn = {"1": "1: draw s@r2c4 b@r1c4", "2": "2: draw s@r2c4 D@r1c4"}
        after = played(state, *(drawn[player] for player in order))
        stripe = LETTERS.index("s")
        assert after.book.owner(AS_PRINTED, stripe) == 1
        assert [ticks[stripe] for ticks in after.book.ticks] == [5, 4]


@pytest.mark.rules("KDD-4b", "KDD-4c", "KDD-P6")
def test_K_G11_A_completes_the_quarters_line_before_B() -> None:
    """The same with the quarters (on dice that allow it): A has P6 to use at once, and B nothing."""
    edition = {"dice": ["q q q q q q", "d d d d d d", "q q q q q q", "d d d d d d"]}
    state = table(dice="q d q d", takers="1122", edition=edition, spellbook=spellbook(ticks="1:q2 2:q2"))
    after = played(state, "2: draw q@r2c4 d@r1c4", "1: draw q@r2c4 d@r1c4")
    assert (after.sides[0].bolts, after.sides[1].bolts) == ((6,), ())


@pytest.mark.rules("A-K21", "KDD-P5", "KDD-P6")
def test_powers_won_by_both_in_one_turn_are_named_in_either_order() -> None:
    """A completes the black line and B the quarters: B's cross may come before A's coat, or after it."""
    edition = {"dice": ["b b b b b b", "d d d d d d", "q q q q q q", "d d d d d d"]}
    state = table(dice="b d q d", takers="1122", edition=edition, spellbook=spellbook(ticks="1:b2 2:q2"))
    won = played(state, "1: draw b@r2c4 d@r1c4", "2: draw q@r2c4 d@r1c4")
    assert (won.sides[0].bolts, won.sides[1].bolts) == ((5,), (6,))
    ends = [
        played(won, first, second) for first, second in (("1: P5 s", "2: P6 r2c4"), ("2: P6 r2c4", "1: P5 s"))
    ]
    assert ends[0] == ends[1]
    assert ends[0].stage == "roll"


@pytest.mark.rules("KDD-C")
def test_K_G12_the_castle_bonus_is_used_once_a_game() -> None:
    """A coloured roof refuses a second bonus, in the same turn and later."""
    state = played(table(dice="d s q2 s", takers="1122"), "1: castle 1")
    assert verdict(state, "1: castle 2") == "illegal KDD-C"
    assert verdict(table(dice="d s q2 s", takers="1122", one_roof=True), "1: castle 1") == "illegal KDD-C"


@pytest.mark.rules("KDD-S1", "KDD-S2", "KDD-D")
def test_K_G13_a_domain_is_worth_its_squares_times_its_crosses() -> None:
    """Five squares with three crosses are 15, six without a cross nothing, one with two crosses 2."""

    def worth(squares: str) -> int:
        return score_sheet(Sheet(kingdom(squares))).total

    assert worth("d1@r1c1 d1@r1c2 d1@r1c3 d@r1c4 d@r1c5") == 15
    assert worth("d@r1c1 d@r1c2 d@r1c3 d@r1c4 d@r1c5 d@r1c6") == 0
    assert worth("q2@r1c1") == 2


@pytest.mark.rules("KDD-S4")
def test_K_G14_two_domains_of_one_coat_are_counted_apart() -> None:
    """Two dot domains of three squares and a cross each are 3 + 3, not 6 × 2."""
    apart = kingdom("d1@r1c1 d@r1c2 d@r1c3 d1@r5c1 d@r5c2 d@r5c3")
    score = score_sheet(Sheet(apart))
    assert [domain.points for domain in score.domains] == [3, 3]
    assert score.total == 6


@pytest.mark.rules("KDD-D", "KDD-3c")
def test_K_G15_diagonal_neighbours_are_different_domains() -> None:
    """Two equal coats that meet at a corner are two domains."""
    assert len(list(kingdom("d@r1c1 d@r2c2").domains())) == 2


@pytest.mark.rules("KDD-S1", "KDD-S3", "KDD-S4")
def test_K_G16_the_sample_map_is_worth_29() -> None:
    """The sample map's eleven domains make 29 points; P5 adds three for each domain of the named coat."""
    score = score_sheet(Sheet(SAMPLE))
    told = Counter(
        f"{LETTERS[domain.coat]} {len(domain.squares)}x{domain.crosses}" for domain in score.domains
    )
    assert told == Counter(
        ["d 3x1", "s 3x1", "b 3x2", "q 3x2", "D 3x1", "S 3x1", "d 3x1", "D 2x1", "s 2x0", "q 2x0", "S 1x0"]
    )
    assert score.total == 29
    totals = {coat: score_sheet(Sheet(SAMPLE, named=LETTERS.index(coat))).total for coat in "sqdb"}
    assert totals == {"s": 35, "q": 35, "d": 35, "b": 32}


@pytest.mark.rules("KDD-D")
def test_K_G17_the_castle_joins_nothing() -> None:
    """Stripes on both sides of the castle are two domains."""
    assert len(list(kingdom("s@r3c3 s@r3c5").domains())) == 2


@pytest.mark.rules("KDD-TB", "KDD-W")
def test_K_G18_a_tie_is_broken_by_the_largest_domain() -> None:
    """With equal points the largest domain by squares decides, with or without a cross; then it is a draw."""
    small, large = Sheet(kingdom("q2@r1c1")), Sheet(kingdom("q2@r1c1 d@r5c1 d@r5c2"))
    assert (compare(small, large).winner, compare(large, small).winner) == (2, 1)
    assert compare(small, large).rule == compare(small, small).rule == "KDD-TB"
    assert compare(small, small).winner is None
    assert (compare(small, Sheet(kingdom("q@r1c1"))).winner, compare(Sheet(kingdom("")), small).winner) == (
        1,
        2,
    )
    assert compare(small, Sheet(kingdom(""))).rule == "KDD-W"


@pytest.mark.rules("KDD-E1", "A-K19")
def test_K_G19_a_full_map_ends_the_game_with_its_turn() -> None:
    """The last square ends the game once the other has drawn too, full though only one map is."""
    state = table(full_but("r1c1 r1c2"), dice="d b q2 s", takers="1122")
    state = played(state, "1: draw d@r1c1 b@r1c2")
    assert (state.stage, BOOK.outcome(state)) == ("draw", None)
    state = played(state, "2: draw q2@r2c4 s@r1c4")
    outcome = BOOK.outcome(state)
    assert outcome is not None
    assert "player 1's map is full" in outcome.reason
    assert verdict(state, "2: take 1") == "illegal KDD-E1"


@pytest.mark.rules("KDD-E2", "KDD-3d")
def test_K_G20_the_game_ends_when_neither_player_can_draw() -> None:
    """Two players who can draw nothing end the game; one who can keeps it going."""
    stuck = full_but("r1c1 r1c2")
    state = table(stuck, stuck, dice="d s q2 s", takers="1122")
    over = played(state, "1: draw nothing", "2: draw nothing")
    assert over.stage == "over"
    assert verdict(over, "1: take 1") == "illegal KDD-E2"
    state = table(stuck, "", dice="d s q2 s", takers="1122")
    goes_on = played(state, "1: draw nothing", "2: draw q2@r2c4 s@r1c4")
    assert goes_on.stage == "roll"


@pytest.mark.rules("KDD-T")
def test_K_G21_after_every_turn_the_roles_are_swapped() -> None:
    """B of this turn is A of the next."""
    state = table(dice="d s q2 s", takers="1122")
    state = played(state, "1: draw d@r2c4 s@r1c4", "2: draw q2@r2c4 s@r1c4")
    assert (state.a, state.players) == (2, (2, 1))
    state = played(state, "see roll d s q2 s")
    assert BOOK.movers(state) == (2,)


@pytest.mark.rules("KDD-F")
def test_K_G22_the_dice_have_24_faces_with_10_crosses() -> None:
    """24 faces: 5 dots, 5 stripes, 4 of each double, 2 quarters, 2 black, 2 jokers; ten crosses in all."""
    faces = [face for die in AS_PRINTED.dice for face in die]
    counts = Counter("?" if face.coat == JOKER else LETTERS[face.coat] for face in faces)
    assert counts == {"d": 5, "s": 5, "D": 4, "S": 4, "q": 2, "b": 2, "?": 2}
    assert (len(faces), sum(face.crosses for face in faces)) == (24, 10)


@pytest.mark.rules("KDD-P4")
def test_K_G23_P4_shows_only_faces_of_that_die() -> None:
    """Die 3 has no joker and cannot be turned to one; die 1 can."""
    state = table(dice="d s q2 s", takers="1212", spellbook=spellbook(owned="1:P4"))
    assert verdict(state, "1: P4 3=?") == "illegal KDD-P4"
    assert verdict(state, "1: P4 3=b2") == "legal KDD-P4"
    assert verdict(state, "1: P4 1=?") == "legal KDD-P4"
