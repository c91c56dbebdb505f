"""Rulings of Kingdomino Duel: who, when and with which dice, and all that is wrong at once."""

import pytest

from engine import CannotStand, IllegalMove, ImpossibleFact, Status
from engine.kingdomino_duel.edition import AS_PRINTED
from engine.kingdomino_duel.model import Castle, Draw, Roll, Take
from tests.engine.kingdomino_duel.builders import (
    BOOK,
    full_but,
    kingdom,
    offered,
    played,
    rules,
    ruling,
    spellbook,
    table,
    verdict,
)

DRAFT = table(dice="d s q2 s")
DRAWING = table(dice="d s q2 s1", takers="1122")


# — the moment —


@pytest.mark.rules("KDD-SETUP")
def test_nothing_is_done_before_it_is_known_who_begins() -> None:
    """Before the oldest is known every kind of move is refused, and nobody is to move."""
    state = BOOK.start()
    assert (BOOK.pending(state), BOOK.movers(state), BOOK.legal_moves(state)) == ("oldest", (), ())
    for line in (
        "1: take 1",
        "2: draw d@r2c4 s@r1c4",
        "1: P1",
        "1: castle 2",
        "1: P4 1=s",
        "2: P5 d",
        "1: P6 r1c1",
    ):
        assert verdict(state, line).startswith("illegal KDD-SETUP")


@pytest.mark.rules("KDD-SETUP", "KDD-2", "KDD-0")
def test_whoever_takes_the_first_die_is_the_oldest_if_nobody_has_said_who_is() -> None:
    """Either may take one die and is A then; nothing else can be done, and nothing without saying who."""
    state = BOOK.observe(BOOK.start(), BOOK.parse_fact("see roll d s q2 s"))
    assert (state.stage, state.a, BOOK.movers(state)) == ("draft", None, (1, 2))
    assert {move.player for move in BOOK.legal_moves(state)} == {1, 2}
    found = ruling(state, "take 1")
    assert (found.status, found.rule) == (Status.INCOMPLETE, "KDD-2")
    assert "first die" in found.reason
    assert rules(state, "2: take 1+2") == ["KDD-P3"]
    assert "whoever begins takes one die" in ruling(state, "2: castle 1").reason
    after = BOOK.play(state, BOOK.parse("2: take 1"))
    assert (after.a, BOOK.movers(after)) == (2, (1,))
    assert BOOK.let_stand(state, BOOK.parse("1: take 1+2")).a == 1
    with pytest.raises(CannotStand, match="which player"):
        BOOK.let_stand(state, BOOK.parse("castle 1"))
    said = BOOK.observe(state, BOOK.parse_fact("see oldest 1"))
    assert (said.stage, BOOK.movers(said)) == ("draft", (1,))
    assert rules(said, "2: take 1") == ["KDD-2"]


@pytest.mark.rules("KDD-1")
def test_nothing_is_done_before_the_dice_are_rolled() -> None:
    """While a roll is due the refusal says who rolls, and lists what else is wrong."""
    state = BOOK.start({"a": 2})
    assert BOOK.pending(state) == "roll"
    found = ruling(state, "1: draw d@r1c1 s@r1c2")
    assert (found.rule, found.facts) == ("KDD-1", {"a": 2})
    assert "Player 2" in found.reason
    assert [fault.rule for fault in found.also] == ["KDD-3a", "KDD-3b"]
    assert rules(state, "1: take 1") == ["KDD-1"]
    assert found.nearest == ()


@pytest.mark.rules("KDD-0")
def test_the_maps_are_filled_in_only_when_the_dice_are_shared_out() -> None:
    """Drawing, powers and castle come after the sharing, and before the powers that are due at once."""
    for line in ("1: draw d@r2c4 s@r1c4", "1: P1", "1: castle 1", "1: P4 1=d"):
        assert rules(DRAFT, line)[0] == "KDD-0"
    state = played(
        table(dice="d b q2 s", takers="1122", spellbook=spellbook(ticks="1:b2")),
        "1: draw d@r2c4 b@r1c4",
        "2: draw q2@r2c4 s@r1c4",
    )
    found = ruling(state, "2: castle 3")
    assert (found.rule, found.reason.endswith("player 1 has to use P5 now.")) == ("KDD-0", True)


@pytest.mark.rules("KDD-2")
def test_dice_are_taken_by_turns_and_only_from_the_middle() -> None:
    """Player B does not begin, nobody takes twice, and a taken die stays taken."""
    found = ruling(DRAFT, "2: take 1")
    assert (found.rule, found.facts) == ("KDD-2", {"taker": 1})
    assert found.reason == "Player 1 is A and takes one die now, not player 2."
    state = played(DRAFT, "1: take 1")
    assert rules(state, "1: take 2") == ["KDD-2"]
    assert ruling(state, "1: take 2").reason == "Player 2 is B and takes two dice now, not player 1."
    assert rules(state, "2: take 1+2") == ["KDD-2"]
    assert "player 1's already" in ruling(state, "2: take 1+2").reason
    assert rules(state, "2: take 2+2") == ["KDD-2"]
    assert rules(DRAWING, "1: take 1") == ["KDD-2", "KDD-2"]
    assert ruling(DRAWING, "1: take 1").reason == "All four dice are taken for this turn."
    assert verdict(state, "2: take 2+3") == "legal KDD-2"
    assert BOOK.judge(state, Take(2, (2, 3, 4))).rule == "KDD-2"


@pytest.mark.rules("KDD-3")
def test_a_player_draws_once_a_turn() -> None:
    """After the drawing neither a second one nor a power of step 3 is allowed."""
    owned = table(dice="d s q2 s1", takers="1122", spellbook=spellbook(owned="1:P1 1:P4"))
    state = played(owned, "1: draw d@r2c4 s@r1c4")
    assert BOOK.movers(state) == (2,)
    assert rules(state, "1: draw d@r2c5 s@r3c5")[0] == "KDD-3"
    assert (rules(state, "1: P1"), rules(state, "1: castle 1")) == (["KDD-P1"], ["KDD-C"])
    assert rules(state, "1: P4 1=s") == ["KDD-P4"]


@pytest.mark.rules("A-K21", "KDD-P5", "KDD-P6")
def test_the_bolts_of_both_players_are_used_in_either_order() -> None:
    """A, who won P5, and B, who won P6, may both use theirs; a power that was not won now is refused."""
    state = table(
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
    assert BOOK.movers(state) == (1, 2)
    assert offered(state) == [*(f"1: P5 {coat}" for coat in "dDsSqb"), "2: P6 r2c4"]
    assert verdict(state, "2: P6 r2c4") == "legal KDD-P6"
    assert rules(state, "1: P6 r2c4") == ["KDD-P6"]
    assert rules(state, "2: P5 q") == ["KDD-P5"]
    assert rules(DRAWING, "1: P5 d") == ["KDD-P5"]
    assert ruling(state, "1: castle 1").reason == (
        "Both maps are filled in for this turn; player 1 has to use P5 and player 2 has to use P6 now."
    )
    after = played(state, "1: P5 q")
    assert BOOK.movers(after) == (2,)
    assert BOOK.movers(played(state, "2: P6 r2c4")) == (1,)
    assert played(state, "2: P6 r2c4", "1: P5 q") == played(after, "2: P6 r2c4")
    assert rules(after, "1: P5 d") == ["KDD-P"]
    assert rules(after, "2: P6 r3c4") == rules(after, "2: P6 r1c1") == ["KDD-P6"]
    assert "castle" in ruling(after, "2: P6 r3c4").reason
    assert "holds no coat" in ruling(after, "2: P6 r1c1").reason
    assert ruling(after, "2: P6 r2c4").reason == "r2c4 is now quarters with 1 cross."
    end = played(after, "2: P6 r2c4")
    assert (end.stage, end.a, end.sides[0].named) == ("roll", 2, 4)
    assert end.sides[1].kingdom == kingdom("q1@r2c4")


@pytest.mark.rules("A-K21", "KDD-P5", "KDD-P6")
def test_a_power_is_used_by_who_has_won_it_though_nobody_is_named() -> None:
    """Only one can have won it, so that it need not be said whose move it is, nor of one that stands."""
    state = table(
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
    assert played(state, "P6 r2c4", "P5 q") == played(state, "1: P5 q", "2: P6 r2c4")
    assert BOOK.footprint(state, BOOK.parse("P6 r2c4")) == BOOK.footprint(state, BOOK.parse("2: P6 r2c4"))
    full = table(
        "d@r2c4",
        "q3@r2c4 d@r1c4",
        dice="d s q2 s1",
        takers="1122",
        spellbook=spellbook(owned="1:P5 2:P6"),
        one_drawing="drawn",
        two_drawing="drawn",
        one_bolts=["P5"],
        two_bolts=["P6"],
    )
    assert rules(full, "P6 r2c4") == ["KDD-P6"]
    assert BOOK.let_stand(full, BOOK.parse("P6 r1c4")).sides[1].bolts == ()


@pytest.mark.rules("KDD-P", "KDD-P5")
def test_a_bolt_that_was_won_is_not_kept_for_later() -> None:
    """P5 owned and unused (a table as found) is refused outside its own moment."""
    state = table(dice="d s q2 s1", takers="1122", spellbook=spellbook(owned="1:P5"))
    found = ruling(state, "1: P5 d")
    assert (found.rule, found.reason) == ("KDD-P5", "P5 is used when its line is completed, not now.")


@pytest.mark.rules("KDD-E1", "KDD-E2")
def test_nothing_is_done_after_the_end() -> None:
    """The refusal names the end that came: one map full, both full, or nothing could be drawn."""
    full = full_but("")
    assert "player 2's map is full" in ruling(table("", full), "1: take 1").reason
    found = ruling(table(full, full), "1: draw d@r1c1 s@r1c2")
    assert (found.rule, found.facts) == ("KDD-E1", {"full": [1, 2]})
    assert found.reason == "The game is over: both maps are full."
    assert rules(table(stage="over"), "1: castle 1") == ["KDD-E2"]


# — whose move, which dice —


@pytest.mark.rules("KDD-3", "KDD-2")
def test_a_move_without_a_player_is_whoevers_turn_it_is() -> None:
    """In the draft that is clear; in step 3 it must be said, unless only one is left to draw."""
    assert played(DRAFT, "take 1").taken(1) == (1,)
    for line in ("draw d@r2c4 s@r1c4", "draw d@r2c4"):
        assert verdict(DRAWING, line) == "incomplete KDD-3"
    assert "1: or 2:" in ruling(DRAWING, "draw d@r2c4 s@r1c4").reason
    assert verdict(DRAWING, "draw b@r1c1 b@r1c2") == "illegal KDD-3e"
    after = played(DRAWING, "1: draw d@r2c4 s@r1c4")
    assert verdict(after, "draw q2@r2c4 s1@r1c4") == "legal KDD-3a"
    assert played(after, "draw q2@r2c4 s1@r1c4").stage == "roll"


@pytest.mark.rules("KDD-2", "KDD-C", "KDD-P4")
def test_a_die_may_be_told_by_its_face() -> None:
    """One die of that face is meant; of two alike the number is asked for; none is refused."""
    assert played(DRAFT, "1: take q2").taken(1) == (3,)
    found = ruling(DRAFT, "1: take s")
    assert (found.status, found.rule, found.facts) == (Status.INCOMPLETE, "KDD-2", {"dice": [2, 4]})
    assert found.nearest == ("1: take 1", "1: take 2", "1: take 3")
    assert rules(DRAFT, "1: take b2") == ["KDD-2"]
    state = played(DRAFT, "1: take 1")
    assert played(state, "2: take s+s").taken(2) == (2, 4)
    assert verdict(state, "2: take q2+q2") == "illegal KDD-2"
    assert played(state, "2: take 2+s").taken(2) == (2, 4)
    assert rules(state, "2: take d+s")[0] == "KDD-2"
    own = table(dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P4"))
    assert played(own, "1: castle s").dice[1].bonus
    assert rules(own, "1: castle q2") == ["KDD-C"]
    assert rules(own, "1: castle D") == ["KDD-C"]
    assert played(own, "1: P4 s=q").dice[1].shows.words == "quarters"
    assert BOOK.judge(own, Castle(1, 5)).reason == "There is no die 5; the dice are 1 to 4."
    twins = table(dice="d d q2 s", takers="1122")
    assert verdict(twins, "1: castle d") == "incomplete KDD-C"
    assert rules(played(twins, "1: draw d@r2c4 d@r1c4"), "1: castle d") == ["KDD-C", "KDD-C"]


@pytest.mark.rules("KDD-P3", "KDD-P")
def test_P3_takes_two_dice_at_once() -> None:
    """It has to be said, owned and unused, and takes exactly two; B gets the others without a step."""
    state = table(dice="d s q2 s", spellbook=spellbook(owned="1:P3"))
    assert verdict(state, "1: take 1+3") == "incomplete KDD-P3"
    assert verdict(state, "1: P3 take 1") == "incomplete KDD-P3"
    three = BOOK.judge(state, Take(1, (1, 2, 3), at_once=True))
    assert (three.status, three.rule) == (Status.ILLEGAL, "KDD-P3")
    assert three.reason == "P3 takes two dice at once, not three dice."
    found = ruling(state, "1: P3 take d+q2")
    assert (found.rule, found.reason) == ("KDD-P3", "Player 1 takes a dot and quarters with 2 crosses.")
    after = played(state, "1: P3 take d+q2")
    assert (after.stage, after.taken(1), after.taken(2)) == ("draw", (1, 3), (2, 4))
    spent = table(dice="d s q2 s", spellbook=spellbook(owned="1:P3", spent="P3"))
    assert rules(spent, "1: P3 take 1+3") == ["KDD-P"]
    assert rules(spent, "1: take 1+3") == ["KDD-P3"]
    assert [line for line in offered(spent) if "P3" in line] == []
    assert rules(DRAFT, "2: P3 take 1+2") == ["KDD-2", "KDD-P3", "KDD-P3"]
    assert "0 of 4 squares of the two-dots line" in ruling(DRAFT, "1: P3 take 1+2").reason


@pytest.mark.rules("KDD-P1", "KDD-P2", "KDD-4b", "KDD-P")
def test_a_power_needs_the_completed_line() -> None:
    """A line not complete, completed by the other, or used up: three different reasons."""
    state = table(
        dice="d s q2 s", takers="1122", spellbook=spellbook(ticks="1:d2 1:s1", owned="2:P2 1:P4", spent="P4")
    )
    assert "filled in 2 of 5 squares of the dot line" in ruling(state, "1: P1").reason
    assert ruling(state, "1: P2").reason.endswith("player 2 completed the stripe line first.")
    assert rules(state, "1: P4 1=s") == ["KDD-P"]
    assert verdict(state, "2: P2") == "legal KDD-P2"
    used = played(state, "2: P2")
    assert rules(used, "2: P2") == ["KDD-P"]


# — what is drawn —


@pytest.mark.rules("KDD-3e", "KDD-3f", "KDD-F")
def test_what_is_drawn_is_what_the_dice_show() -> None:
    """Each wrong coat and each wrong count of crosses is told for its own square; a joker may be any coat."""
    assert rules(DRAWING, "1: draw d@r2c4 b@r1c4") == ["KDD-3e"]
    assert "a dot and a stripe; black at r1c4" in ruling(DRAWING, "1: draw d@r2c4 b@r1c4").reason
    assert rules(DRAWING, "1: draw b@r2c4 b2@r1c4") == ["KDD-3e", "KDD-3e"]
    assert rules(DRAWING, "2: draw q@r2c4 s1@r1c4") == ["KDD-3f"]
    assert rules(DRAWING, "1: draw b@r2c4 s2@r1c4") == ["KDD-3e", "KDD-3f"]
    assert "has 2 crosses to get, not 0" in ruling(DRAWING, "2: draw q@r2c4 s1@r1c4").reason
    assert "has no cross to get, not 1" in ruling(DRAWING, "1: draw d@r2c4 s1@r1c4").reason
    assert "has 1 cross to get, not 2" in ruling(DRAWING, "2: draw q2@r2c4 s2@r1c4").reason
    joker = table(dice="? s q2 s1", takers="1122")
    assert verdict(joker, "1: draw b@r2c4 s@r1c4") == "legal KDD-3a"
    assert rules(joker, "1: draw b2@r2c4 s@r1c4") == ["KDD-3f"]


@pytest.mark.rules("KDD-3")
def test_a_domino_is_two_squares() -> None:
    """One half alone is incomplete, or illegal where no other half fits; three squares are too many."""
    found = ruling(DRAWING, "1: draw d@r2c4")
    assert (found.status, found.rule) == (Status.INCOMPLETE, "KDD-3")
    assert found.squares == ("r2c4", "r2c5")
    assert rules(DRAWING, "1: draw d@r2c4 s@r1c4 d@r1c5") == ["KDD-3"]
    tight = table(full_but("r1c1 r3c5 r4c5"), dice="d s q2 s1", takers="1122")
    assert rules(tight, "1: draw d@r1c1") == ["KDD-3a", "KDD-3b", "KDD-3"]
    stuck = table(full_but("r1c1 r5c7"), dice="d s q2 s1", takers="1122")
    assert rules(stuck, "1: draw d@r1c1") == ["KDD-3a", "KDD-3b", "KDD-3"]
    assert ruling(stuck, "1: draw d@r1c1").also[-1].sentence.endswith("needs its other half.")
    assert rules(DRAWING, "1: draw d@r2c4 s@r2c4")[0] == "KDD-3"


@pytest.mark.rules("KDD-3", "KDD-3c", "KDD-3e")
def test_all_faults_are_told_the_gravest_first() -> None:
    """A filled square, then a wrong coat; a corner before the sides; each with its squares."""
    state = table("d@r2c4 d@r2c5", dice="d s q2 s1", takers="1122")
    found = ruling(state, "1: draw b@r2c5 d@r1c6")
    told = [found.rule, *(fault.rule for fault in found.also)]
    assert told == ["KDD-3", "KDD-3e", "KDD-3", "KDD-3c", "KDD-3a", "KDD-3b"] or told[:2] == [
        "KDD-3",
        "KDD-3e",
    ]
    assert found.squares == ("r2c5",)
    apart = ruling(table("d@r2c4", dice="d s q2 s1", takers="1122"), "1: draw d@r1c4 s@r5c7")
    assert (apart.rule, apart.squares) == ("KDD-3", ("r1c4", "r5c7"))
    assert apart.reason.startswith("r1c4 and r5c7 share no side")
    corner = ruling(state, "1: draw s@r1c7 d@r1c6")
    assert (corner.rule, corner.squares) == ("KDD-3c", ("r1c6", "r2c5"))
    assert "the dot at r2c5 only at a corner" in corner.reason


@pytest.mark.rules("KDD-3b")
def test_the_nearest_moves_keep_the_coats_and_stay_with_the_player() -> None:
    """A misplaced domino is offered its nearest places, for the same player only."""
    found = ruling(DRAWING, "1: draw d@r1c4 s@r1c5")
    assert found.nearest[0] in ("1: draw d@r2c4 s@r2c5", "1: draw d@r1c4 s@r2c4", "1: draw s@r1c4 d@r2c4")
    assert len(found.nearest) == 3
    assert all(line.startswith("1: draw") for line in found.nearest)
    assert found.profile == "default"


@pytest.mark.rules("KDD-3d")
def test_nothing_is_drawn_only_where_nothing_fits() -> None:
    """The refusal shows a place; where there is none, drawing nothing is the only way."""
    found = ruling(DRAWING, "1: draw nothing")
    assert (found.rule, found.facts["example"]) == ("KDD-3d", "d@r2c3 s@r2c4")
    state = table(full_but("r1c1 r1c2"), dice="d s q2 s1", takers="1122", one_roof=True)
    assert [line for line in offered(state) if line.startswith("1")] == ["1: draw nothing"]
    assert "neither half anywhere" in ruling(state, "1: draw nothing").reason


@pytest.mark.rules("KDD-P2", "KDD-3a")
def test_under_P2_each_die_needs_a_connection_of_its_own() -> None:
    """One of the two squares without a connection is refused, and it alone is named."""
    state = played(table(dice="d s q2 s", takers="1122", spellbook=spellbook(owned="1:P2")), "1: P2")
    found = ruling(state, "1: draw d@r2c4 s@r5c7")
    assert (found.rule, found.squares) == ("KDD-3a", ("r5c7",))
    assert "a connection of its own" in found.reason
    assert verdict(state, "1: draw d@r2c4 s@r3c3") == "legal KDD-P2"


@pytest.mark.rules("KDD-C")
def test_the_castle_gives_its_cross_to_an_own_die() -> None:
    """The die of the other player is refused; the ruling says what is to be drawn."""
    assert rules(DRAWING, "1: castle 3") == ["KDD-C"]
    assert (
        ruling(DRAWING, "2: castle q2").reason
        == "Die 3 gets the cross of the castle: quarters with 3 crosses."
    )


def test_play_raises_with_the_whole_ruling() -> None:
    """A refused move raises IllegalMove, which carries rule, reason and nearest moves."""
    with pytest.raises(IllegalMove) as caught:
        BOOK.play(DRAWING, BOOK.parse("1: draw d@r1c1 s@r1c2"))
    assert (caught.value.ruling.rule, len(caught.value.ruling.nearest)) == ("KDD-3a", 3)


def test_drawing_order_changes_nothing() -> None:
    """Whoever of the two draws first, the table is the same afterwards."""
    one, two = "1: draw d@r2c4 s@r1c4", "2: draw q2@r2c4 s1@r1c4"
    assert played(DRAWING, one, two) == played(DRAWING, two, one)
    assert BOOK.movers(DRAWING) == (1, 2)


def test_marks_and_dice_are_kept_in_reading_order() -> None:
    """Moves that show the same are equal, however they were put together."""
    first, second = BOOK.parse("1: draw s@r1c4 d@r2c4"), BOOK.parse("1: draw d@r2c4 s@r1c4")
    assert first == second == Draw(1, tuple(reversed(first.marks)))
    assert Take(1, (3, 1)) == Take(1, (1, 3))


# — facts —


@pytest.mark.rules("OBS-KDD-NOW", "OBS-KDD-PLAYER", "OBS-KDD-DICE", "OBS-KDD-FACE")
@pytest.mark.parametrize(
    ("line", "rule", "setup"),
    [
        ("see oldest 1", "OBS-KDD-NOW", {"a": 1}),
        ("see oldest 3", "OBS-KDD-PLAYER", {}),
        (
            "see roll d s q2 s",
            "OBS-KDD-NOW",
            {"a": 1, "dice": ["d", "s", "q2", "s"]},
        ),
        ("see roll d s q2", "OBS-KDD-DICE", {"a": 1}),
        ("see roll d s q2 s d", "OBS-KDD-DICE", {"a": 1}),
        ("see roll q s q2 s", "OBS-KDD-FACE", {"a": 1}),
    ],
)
def test_impossible_facts_are_the_eyes_error(line: str, rule: str, setup: dict[str, object]) -> None:
    """A fact that is not due or that no dice can show is refused under its own id and changes nothing."""
    state = BOOK.start(setup)
    before = state.to_json()
    with pytest.raises(ImpossibleFact) as caught:
        BOOK.observe(state, BOOK.parse_fact(line))
    assert caught.value.rule == rule
    assert state.to_json() == before


@pytest.mark.rules("OBS-KDD-FACE")
def test_faces_in_another_order_are_put_right() -> None:
    """Where the faces fit the dice in another order, the refusal says in which."""
    state = BOOK.start({"a": 1})
    with pytest.raises(ImpossibleFact, match="it could be D1 s q2 d1"):
        BOOK.observe(state, BOOK.parse_fact("see roll q2 D1 s d1"))
    with pytest.raises(ImpossibleFact, match=r"only \? d s D1 S1\.$"):
        BOOK.observe(state, BOOK.parse_fact("see roll q q q q"))


@pytest.mark.rules("KDD-1", "KDD-F")
def test_every_different_roll_is_possible_once() -> None:
    """1080 rolls differ; two equal faces of die 1 count once."""
    state = BOOK.start({"a": 1})
    facts = list(BOOK.possible_facts(state))
    assert len(facts) == len(set(facts)) == 1080
    assert all(isinstance(fact, Roll) for fact in facts)
    assert list(BOOK.possible_facts(DRAFT)) == []
    before, rolled = BOOK.start(), BOOK.start({"dice": ["d", "s", "q2", "s"]})
    told = [BOOK.format_fact(fact) for fact in BOOK.possible_facts(rolled)]
    assert told == ["see oldest 1", "see oldest 2"]
    assert [*BOOK.possible_facts(before)] == [*BOOK.possible_facts(rolled), *facts]
    assert len(AS_PRINTED.dice) == 4


@pytest.mark.rules("KDD-3g")
def test_shaded_borders_change_nothing() -> None:
    """Equal coats side by side are one domain by their squares alone; a map tells of no borders."""
    (domain,) = kingdom("d@r1c1 d@r1c2").domains()
    assert len(domain.squares) == 2


@pytest.mark.rules("KDD-4a", "KDD-F")
def test_a_joker_and_a_plain_die_of_one_coat_fill_in_one_square() -> None:
    """Dot and joker drawn as two dots: the plain die's dot alone counts."""
    state = table(dice="? d q2 s1", takers="1122")
    state = played(state, "1: draw d@r2c4 d@r1c4", "2: draw q2@r2c4 s1@r1c4")
    assert state.book.ticks[0][0] == 1


@pytest.mark.rules("KDD-C", "KDD-P1", "KDD-P2", "KDD-2")
def test_sentences_name_the_very_dice_and_players() -> None:
    """Allowed and refused moves alike say which die, whose it is, and what follows."""
    assert ruling(DRAWING, "1: castle 3").reason == (
        "Die 3 (quarters with 2 crosses) is player 2's, not in player 1's domino."
    )
    assert verdict(DRAWING, "1: castle 1") == "legal KDD-C"
    taken = ruling(played(DRAFT, "1: take 3"), "2: take 1+3")
    assert taken.reason == "Die 3 (quarters with 2 crosses) is player 1's already."
    state = table(dice="d s q2 s1", takers="1122", spellbook=spellbook(owned="1:P1 1:P2"))
    assert ruling(state, "1: P1").reason == "Player 1's domino needs no connection this turn."
    assert ruling(state, "1: P2").reason == "Player 1's domino may be drawn apart this turn."
    short = BOOK.let_stand(played(DRAFT, "1: take 1"), Take(2, (2,)))
    assert verdict(short, "2: take 3+4") == "illegal KDD-2"
    assert ruling(short, "2: take 3+4").reason == "Player 2 has to take one die, not two dice."


@pytest.mark.rules("KDD-1", "KDD-SETUP")
def test_while_nobody_is_to_move_a_nameless_move_is_As() -> None:
    """Before the roll it is held against player A, and before A is known against player 1."""
    assert "player 2's to use" in ruling(BOOK.start({"a": 2}), "P1").also[0].sentence
    assert "player 1's to use" in ruling(BOOK.start(), "P1").also[0].sentence
