"""The golden cases of the games reference for Dominoids, by their ids."""

import pytest

from engine.dominoes import Domino
from engine.dominoids.model import NUMBER, OVER, SUITS
from engine.dominoids.options import births
from tests.engine.dominoids.scene import BOOK, acting, allowed, options, play, position, refused

A_HOLDS = "arms0 arms1 arms3 crowns2 crowns3 crowns5 moons1 suns1 suns3 suns4 suns5"
B_HOLDS = "arms2 arms5 crowns0 crowns1 crowns4 moons0 moons2 moons3 moons4 moons5 suns0 suns2"
FINISHED = " ".join([f"1={coin}" for coin in A_HOLDS.split()] + [f"2={coin}" for coin in B_HOLDS.split()])
REFILL = ("place suns b1", "place moons b8", "place crowns g1", "place arms g8")
BOXES = {"dice": "5 2 ace null", "new": ["crowns", "arms"]}


# — scoring and end —


@pytest.mark.rules("DMN-OBJ", "DMN-D1", "A-D18")
def test_D_G01_scores_of_the_example() -> None:
    """The example's collections score 34 and 31, with bonuses for Arms, Suns and Moons but not for Crowns."""
    state = position("", collected=FINISHED)
    scores = BOOK.scores(state)
    assert scores.totals == (34, 31)
    bonuses = {(line.player, line.label) for line in scores.lines if line.label.startswith("More")}
    assert bonuses == {(1, "More Arms"), (1, "More Suns"), (2, "More Moons")}
    outcome = BOOK.outcome(state)
    assert outcome is not None
    assert (outcome.winner, outcome.rule) == (1, "DMN-END")


@pytest.mark.rules("DMN-END")
def test_D_G02_three_suits_are_gone() -> None:
    """In the example three suits are exhausted, one Arms coin (the 4) is left, and the game is over."""
    state = position("", collected=FINISHED)
    assert {SUITS[suit] for suit in state.exhausted()} == {"crowns", "moons", "suns"}
    assert state.stack(SUITS.index("arms")) == 1
    assert state.unseen(SUITS.index("arms")) == (4,)
    assert state.stage == OVER


@pytest.mark.rules("DMN-D1")
def test_D_G03_an_ace_is_worth_one_and_a_blank_nothing() -> None:
    """Coins count 0 to 5: a player with the ace and the blank of one suit has 1 point and the bonus."""
    assert BOOK.scores(position("", collected="1=suns0 1=suns1")).totals == (4, 0)


# — dice —


@pytest.mark.rules("DMN-3.1", "DMN-3.2", "DMN-3")
def test_D_G04_one_die_comes_from_the_old_box() -> None:
    """With 5 and 2 old and ace and blank new, two new dice are refused, and so is one die twice."""
    state = position("2@d4-3@e4", **BOXES)
    allowed(state, "1: dice suns crowns", "DMN-3.2")
    allowed(state, "1: dice suns moons", "DMN-3.2")
    refused(state, "1: dice crowns arms", "DMN-3.2")
    refused(state, "1: dice suns suns", "DMN-3.1")


@pytest.mark.rules("DMN-S5")
def test_D_G05_all_dice_begin_in_the_old_box() -> None:
    """At the start any two of the four dice may be chosen."""
    opening = play(
        BOOK.start(), "see suns@b3 2@c3-3@d3", "see moons@c7 1@c5-4@c6", "see crowns@g6 1@e6-1@f6",
        "see arms@f2 5@f3-2@f4", "see roll suns=5 moons=null crowns=3 arms=ace", "see first 1",
    )  # fmt: skip
    assert opening.new == 0
    assert len(options(opening, "dice")) == 6


@pytest.mark.rules("DMN-8")
def test_D_G06_four_new_dice_become_old() -> None:
    """When the last two old dice are used, all four are new and therefore old again."""
    state = position("2@d4-3@e4", dice="null null ace 2", new=["crowns", "arms"])
    state = play(state, "dice suns moons", "suns pass", "moons pass", *REFILL, "done")
    after = play(state, "see roll suns=2 moons=3")
    assert after.new == 0
    assert after.faces == (2, 3, 1, 2)
    assert after.player == 2


@pytest.mark.rules("DMN-8", "DMN-3.2")
def test_D_G07_the_only_old_die_is_forced() -> None:
    """After an old and a new die were used, one old die is left: it must be chosen, and then all are old."""
    state = position("2@d4-3@e4", dice="null ace null 2", new=["crowns", "arms"])
    state = play(state, "dice suns crowns", "suns pass", "crowns pass", *REFILL, "done")
    state = play(state, "see roll suns=null crowns=null")
    assert options(state, "dice") == {"dice suns moons", "dice moons crowns", "dice moons arms"}
    refused(state, "2: dice suns crowns", "DMN-3.2")
    state = play(state, "dice moons suns", "suns pass", "moons shift row 4 left", "done")
    state = play(state, "see roll suns=2 moons=2")
    assert state.new == 0


@pytest.mark.rules("DMN-3.2")
def test_D_G08_figure_13_the_sun_die_is_forced() -> None:
    """With only the Sun die old, every choice without it is refused."""
    state = position("2@d4-3@e4", dice="2 3 null 4", new=["moons", "crowns", "arms"])
    for pair in ("moons crowns", "moons arms", "crowns arms"):
        refused(state, f"dice {pair}", "DMN-3.2")
    assert options(state, "dice") == {"dice suns moons", "dice suns crowns", "dice suns arms"}


# — movement —

SLIDES_OF_THE_TWO = {"suns move 2@b4-3@c4", "suns move 3@e4-2@e5", "suns move 2@e3-3@e4"}
MOVES_OF_THE_THREE = {"suns move 2@g4-3@h4", "suns move 2@d4-3@d5", "suns move 3@d3-2@d4"}


@pytest.mark.rules("DMN-4", "DMN-4.1", "DMN-4.3", "DMN-4.4", "DMN-4.5")
def test_D_G09_figure_4_moves_by_die() -> None:
    """The 2-3 alone has no move with a 2, three with a 3, and six with a 4 or a 5."""
    assert options(acting("2@d4-3@e4", face="2"), "suns move") == set()
    assert options(acting("2@d4-3@e4", face="3"), "suns") == SLIDES_OF_THE_TWO
    for face in ("4", "5"):
        assert options(acting("2@d4-3@e4", face=face), "suns") == SLIDES_OF_THE_TWO | MOVES_OF_THE_THREE


@pytest.mark.rules("DMN-4.3")
def test_D_G10_the_leading_end_is_smaller_than_the_die() -> None:
    """Leading with the 3 under a 3 is refused, in a slide and in a turn."""
    state = acting("2@d4-3@e4", face="3")
    given = refused(state, "suns move 2@g4-3@h4", "DMN-4.3")
    assert given.facts == {"domino": "2-3", "lead": 3, "face": 3, "die": "suns"}
    refused(state, "suns move 2@d4-3@d5", "DMN-4.3")


@pytest.mark.rules("DMN-4.3")
@pytest.mark.parametrize("face", ["2", "3", "4", "5"])
def test_D_G11_a_five_never_leads(face: str) -> None:
    """No die moves a 5-end, so that the 5-5 has no move at all."""
    state = acting("5@d4-5@e4", face=face)
    assert options(state, "suns move") == set()
    refused(state, "suns move 5@e4-5@f4", "DMN-4.3", "DMN-4.4.2")
    refused(state, "suns move 5@e4-5@e5", "DMN-4.3")


@pytest.mark.rules("DMN-4.4")
def test_D_G12_figure_5_obstacles_shorten_a_slide() -> None:
    """Between a pawn and a Dominoid the 2-3 slides one square either way."""
    state = acting("2@d4-3@e4 1@g3-5@g4", pawns="suns=b4")
    assert {"suns move 2@c4-3@d4", "suns move 2@e4-3@f4"} <= options(state)
    given = allowed(state, "suns move 2@c4-3@d4", "DMN-4.4")
    assert given.facts["stopped_by"] == "the Suns pawn on b4"
    refused(state, "suns move 2@b4-3@c4", "DMN-4.4")
    assert allowed(state, "suns move 2@e4-3@f4", "DMN-4.4").facts["stopped_by"] == "the 1-5 on g4"


@pytest.mark.rules("DMN-4.4.2")
def test_D_G13_figure_5_a_slide_may_not_leave_the_board() -> None:
    """The 3-4 slides three squares in the 3 direction; in the 4 direction it would leave the board."""
    state = acting("4@a5-3@b5")
    allowed(state, "suns move 4@d5-3@e5", "DMN-4.4")
    refused(state, "suns move 4@(-3,5)-3@(-2,5)", "DMN-4.4.2")


@pytest.mark.rules("DMN-4.4.1", "A-D2")
def test_D_G14_a_slide_of_nothing_is_no_move() -> None:
    """With a pawn right before its 2 the 2-3 cannot slide that way."""
    state = acting("2@d4-3@e4", pawns="suns=c4")
    given = refused(state, "suns move 2@b4-3@c4", "DMN-4.4.1")
    assert given.squares == ("d4", "e4", "c4")
    refused(state, "suns move 2@d4-3@e4", "DMN-4.4.1")


@pytest.mark.rules("DMN-4.4.2", "A-D1")
def test_D_G15_the_edge_is_no_cushion() -> None:
    """Two squares before the edge a 3 cannot slide there, not even by those two."""
    state = acting("3@c1-1@d1", face="4", pawns="suns=a4")
    refused(state, "suns move 3@a1-1@b1", "DMN-4.4.2")
    refused(state, "suns move 3@b1-1@c1", "DMN-4.4.2")
    stopped = acting("3@c1-1@d1", face="4")
    allowed(stopped, "suns move 3@b1-1@c1", "DMN-4.4")


@pytest.mark.rules("DMN-4.5")
def test_D_G16_figure_6_turns() -> None:
    """With a 3 the 2 of the 2-3 turns up or down."""
    state = acting("2@d4-3@e4", face="3")
    allowed(state, "suns move 3@e4-2@e5", "DMN-4.5")
    allowed(state, "suns move 2@e3-3@e4", "DMN-4.5")


@pytest.mark.rules("DMN-4.5.2")
def test_D_G17_figure_6_blocked_turns() -> None:
    """A piece on the corner square or on the target blocks a turn; the slide stays possible."""
    state = acting("2@d4-4@e4 1@d5-5@c5", face="3", coins="e3=suns?")
    assert options(state, "suns move 2@") == {"suns move 2@b4-4@c4"}
    assert refused(state, "suns move 4@e4-2@e5", "DMN-4.5.2").facts["blocked"] == {"d5": "the 1-5"}
    assert refused(state, "suns move 2@e3-4@e4", "DMN-4.5.2").facts["blocked"] == {"e3": "a Suns coin"}


@pytest.mark.rules("DMN-4.5.3")
def test_D_G18_figure_6_a_turn_may_not_leave_the_board() -> None:
    """The 1 of the 1-5 in the last file turns inwards and not outwards."""
    state = acting("1@h5-5@h6", face="3")
    given = refused(state, "suns move 5@h6-1@i6", "DMN-4.5.3")
    assert given.squares == ("i6",)
    allowed(state, "suns move 1@g6-5@h6", "DMN-4.5")


@pytest.mark.rules("DMN-4.2")
def test_D_G19_slide_and_turn_in_one_move() -> None:
    """A Dominoid that ends shifted and turned did both in one move."""
    refused(acting("2@d4-3@e4"), "suns move 2@c4-3@c5", "DMN-4.2")
    after = play(acting("2@d4-3@e4"), "suns move 2@b4-3@c4", "none")
    refused(after, "suns move 3@c4-2@c5", "DMN-2")


# — eating —


@pytest.mark.rules("DMN-4.6", "DMN-4.6.1")
def test_D_G20_figure_7_left() -> None:
    """The 2-3 slides to the ace and eats it; the 3-coins beside it before the slide it cannot eat."""
    state = acting("2@e4-3@f4", face="3", coins="b4=suns1 e5=moons3 f3=arms3", pawns="suns=a4")
    refused(state, "eat e5", "DMN-4.6")
    refused(state, "eat f3", "DMN-4.6")
    after = play(state, "suns move 2@c4-3@d4")
    assert options(after) == {"eat b4"}
    refused(after, "eat e5", "DMN-4.6")


@pytest.mark.rules("DMN-4.6", "DMN-4.6.1", "DMN-4.6.2", "DMN-4.6.3", "A-D3")
def test_D_G21_figure_7_right() -> None:
    """The 3-4 slides up beside a 2, a 0 and a 5: it must eat the 2 or the 0, one of them, and not the 5."""
    state = acting("3@c2-4@c3", coins="b6=suns2 d7=moons0 c8=arms5")
    after = play(state, "suns move 3@c6-4@c7")
    assert options(after) == {"eat b6", "eat d7"}
    refused(after, "eat c8", "DMN-4.6")
    given = refused(after, "none", "DMN-4.6.3")
    assert given.reason == "The 3-4 must eat: there is a coin for it on b6 or d7."
    refused(play(after, "eat b6"), "eat d7", "DMN-4.6.2")
    assert allowed(after, "eat d7", "DMN-4.6").facts == {"coin": "d7", "domino": "3-4", "end": 4, "value": 0}


@pytest.mark.rules("DMN-4.6")
def test_D_G22_an_equal_coin_is_eaten() -> None:
    """A 3-end eats a coin of value 3."""
    after = play(acting("2@d4-3@e4", coins="h5=suns3", pawns="arms=a6"), "suns move 2@g4-3@h4")
    assert options(after) == {"eat h5"}


@pytest.mark.rules("DMN-4.6")
def test_D_G23_no_meal_after_a_turn() -> None:
    """A turn that ends beside a small coin brings no meal."""
    after = play(acting("2@d4-3@e4", coins="e6=suns1"), "suns move 3@e4-2@e5")
    assert options(after) == {"moons pass"}
    refused(after, "eat e6", "DMN-4.6")


@pytest.mark.rules("DMN-4.6")
def test_D_G24_a_coin_too_big_stays_value_up() -> None:
    """A hidden 5 beside a 3-end is turned up and stays on its square, not collected."""
    state = play(acting("2@d4-3@e4", coins="h5=suns?", pawns="arms=a6"), "suns move 2@g4-3@h4")
    assert BOOK.pending(state) == "coin"
    after = play(state, "see coin h5 5", "none")
    (spot,) = (spot for spot in BOOK.layout(after).spots if spot.kind == "coin")
    assert (spot.face, spot.value, (spot.x, spot.y)) == ("up", {"suit": None, "value": 5}, (8, 5))
    assert after.eaten == (0, 0)


# — attacking —

FIGURE_8 = "3@b3-4@c3 1@d4-3@e4 2@d2-5@d1"


@pytest.mark.rules("DMN-4.7", "DMN-4.7.1", "DMN-4.7.2", "DMN-4.7.3")
def test_D_G25_figure_8_one_of_two_victims() -> None:
    """The 3-4 is stopped after one square and must attack the 1-3 or the 2-5, and only one of them."""
    state = play(acting(FIGURE_8, pawns="suns=e3"), "suns move 3@c3-4@d3")
    assert options(state) == {"attack 1-3", "attack 2-5"}
    refused(state, "none", "DMN-4.7.3")
    refused(play(state, "attack 1-3"), "attack 2-5", "DMN-4.7.2")


@pytest.mark.rules("DMN-4.9")
def test_D_G26_figure_8_a_meal_or_an_attack() -> None:
    """With a coin it can eat as well, the 3-4 does one of the three and not two."""
    state = play(acting(FIGURE_8, pawns="suns=e3", coins="c2=suns2"), "suns move 3@c3-4@d3")
    assert options(state) == {"eat c2", "attack 1-3", "attack 2-5"}
    refused(play(state, "eat c2"), "attack 1-3", "DMN-4.9")
    refused(play(state, "attack 1-3"), "eat c2", "DMN-4.9")


@pytest.mark.rules("DMN-4.7")
def test_D_G27_no_attack_without_a_slide() -> None:
    """A smaller Dominoid beside it before the slide cannot be attacked."""
    refused(acting("1@d4-3@e4 2@d5-5@d6"), "attack 1-3", "DMN-4.7")


@pytest.mark.rules("DMN-4.7", "DMN-4.8")
def test_D_G28_equal_ends_breed_and_never_attack() -> None:
    """A 3 beside a 3 may breed and cannot attack."""
    state = play(acting("2@b3-3@c3 3@e3-4@e4", face="4"), "suns move 2@c3-3@d3")
    assert options(state, "attack") == set()
    refused(state, "attack 3-4", "DMN-4.7")
    assert options(state, "birth")


@pytest.mark.rules("DMN-4.7.4")
def test_D_G29_a_higher_neighbour_does_no_harm() -> None:
    """A Dominoid that slides beside a bigger end stays, and the bigger one cannot attack it."""
    state = play(acting("1@b3-3@c3 5@e3-4@e4", face="4"), "suns move 1@c3-3@d3")
    assert options(state) == {"none"}
    refused(state, "attack 1-3", "DMN-4.7")


@pytest.mark.rules("DMN-4.7", "DMN-4.8.4")
def test_D_G30_the_victim_goes_back_to_the_pool() -> None:
    """The attacked Dominoid is in the gene pool afterwards, and can be born again."""
    state = play(acting(FIGURE_8, pawns="suns=e3"), "suns move 3@c3-4@d3")
    after = play(state, "attack 1-3")
    assert len(after.pool) == len(state.pool) + 1
    assert next(spot for spot in BOOK.layout(after).spots if spot.name == "domino 1-3").region == "pool"
    two = acting("2@b3-3@c3 3@e3-4@e4 1@g6-3@g7 4@g2-5@g1", dice="5 4 2 2")
    two = play(two, "suns move 5@g4-4@g5", "attack 1-3", "moons move 2@c3-3@d3")
    allowed(two, "birth 1@d5-3@d4", "DMN-4.8.4")


# — breeding and budding —

FIGURE_9 = "2@b3-3@c3 3@e3-4@e4"


@pytest.mark.rules("DMN-4.8", "DMN-4.8.1", "DMN-4.8.2", "DMN-4.8.3", "A-D8")
def test_D_G31_figure_9_children() -> None:
    """After one square the 2-3 must breed with the 3-4: 11 places for a 3-5, 8 for a 4-4, none for a 1-1."""
    state = play(acting(FIGURE_9, face="4"), "suns move 2@c3-3@d3")
    born = [one for one in options(state) if one.startswith("birth ")]
    assert set(born) == options(state)
    pips = [tuple(sorted((one[6], one.split("-")[1][0]))) for one in born]
    assert [pips.count(pair) for pair in (("3", "5"), ("4", "4"), ("1", "1"))] == [11, 8, 0]
    refused(state, "none", "DMN-4.8.3")
    after = play(state, "birth 3@d4-5@c4")
    refused(after, "birth 4@f4-4@g4", "DMN-4.8.2")


@pytest.mark.rules("DMN-4.8.4")
def test_D_G32_figure_9_a_child_beside_the_wrong_end() -> None:
    """A 3-5 whose 3 lies below the 2 only is refused; below the 3 it is born."""
    state = play(acting(FIGURE_9, face="4"), "suns move 2@c3-3@d3")
    refused(state, "birth 3@c2-5@c1", "DMN-4.8.4")
    allowed(state, "birth 3@d2-5@d1", "DMN-4.8.4")


@pytest.mark.rules("DMN-4.8.4")
def test_D_G33_figure_9_a_child_of_one_parent() -> None:
    """The 4-4 is born beside the 3-4 although it shares nothing with the 2-3."""
    state = play(acting(FIGURE_9, face="4"), "suns move 2@c3-3@d3")
    assert allowed(state, "birth 4@f4-4@g4", "DMN-4.8.4").facts["parent"] == "3-4"


@pytest.mark.rules("DMN-4.8")
def test_D_G34_no_breeding_after_a_turn() -> None:
    """A turn that ends beside an equal end brings no child."""
    after = play(acting("2@d3-3@d4 3@f3-4@f4"), "suns move 2@d3-3@e3")
    refused(after, "birth 3@e4-5@e5", "DMN-4.8")


@pytest.mark.rules("DMN-4.8.5", "DMN-4.8.6")
def test_D_G35_a_newborn_eats_nothing_and_may_move_at_once() -> None:
    """A child born beside a coin and a smaller end triggers nothing, and the second die may move it."""
    state = acting(FIGURE_9, dice="4 4 2 2", coins="b2=arms?")
    state = play(state, "suns move 2@c3-3@d3", "birth 5@c2-3@d2")
    assert BOOK.pending(state) is None
    refused(state, "eat b2", "DMN-4.9")
    refused(state, "attack 2-3", "DMN-4.9")
    allowed(state, "moons move 5@f2-3@g2", "DMN-4.4")
    budded = acting("1@b1-4@a1 2@d4-3@e4", face="2", pawns="suns=c1 moons=b2", coins="g4=arms1")
    budded = play(budded, "suns bud 3@f4-5@f5")
    refused(budded, "eat g4", "DMN-4.8.5")


FIGURE_10 = "1@b1-4@a1 2@d4-3@e4"


@pytest.mark.rules("DMN-4.10", "A-D11")
def test_D_G36_figure_10_budding() -> None:
    """With a 2 nothing moves, so that one must bud: the 1-4 has no place for a 1-1 or a 2-5, the 2-3 nine."""
    state = acting(FIGURE_10, face="2", pawns="suns=c1 moons=b2")
    assert options(state, "suns move") == set()
    refused(state, "suns move 1@c1-4@b1", "DMN-4.4.1")
    refused(state, "suns move 2@b4-3@c4", "DMN-4.3")
    refused(state, "suns pass", "DMN-4.10")
    children = (NUMBER[Domino(1, 1)], NUMBER[Domino(2, 5)])
    for parent, places in ((Domino(1, 4), 0), (Domino(2, 3), 9)):
        born = births(state, [NUMBER[parent]], state.occupied)
        assert sum(number in children for number, _ in born) == places
    allowed(state, "suns bud 5@c5-2@d5", "DMN-4.10")


@pytest.mark.rules("DMN-4.10")
def test_D_G37_no_budding_while_something_can_move() -> None:
    """With a 3 the 2-3 can move, so that budding is refused."""
    given = refused(acting("2@d4-3@e4", face="3"), "suns bud 5@c5-2@d5", "DMN-4.10")
    assert given.facts == {"can_move": "2-3"}


# — shifting —


@pytest.mark.rules("DMN-5.1", "DMN-5.2", "DMN-5.5")
def test_D_G38_figure_11a_shifts() -> None:
    """Row 3 may be shifted either way; column 1 not, for the 1-3 lies over its border."""
    state = acting("1@b3-3@c3", face="ace", pawns="suns=a6")
    assert options(state, "suns") == {"suns shift row 3 left", "suns shift row 3 right"}
    refused(state, "suns shift column 1 up", "DMN-5.5")
    given = refused(state, "suns shift column 1 down", "DMN-5.5")
    assert given.squares == ("b3", "c3")


@pytest.mark.rules("DMN-5.3", "A-D13", "A-D14")
def test_D_G39_figure_11c_everything_travels() -> None:
    """Row 3 to the right carries all that lies on ranks 5 and 6 by two files, from the last to the first."""
    state = acting(
        "2@c5-3@d5 4@g6-5@h6 1@c4-1@d4", face="ace", pawns="suns=a6 moons=f5", coins="e6=arms2 h5=crowns?"
    )
    after = play(state, "suns shift row 3 right")
    spots = BOOK.layout(after).by_name()
    centres = {name: (spots[name].x, spots[name].y) for name in spots if spots[name].region == "board"}
    assert centres == {
        "domino 2-3": (5.5, 5), "domino 4-5": (1.5, 6), "domino 1-1": (3.5, 4),
        "pawn suns": (3, 6), "pawn moons": (8, 5), "pawn crowns": (8, 1), "pawn arms": (8, 8),
        "coin arms": (7, 6), "coin crowns": (2, 5),
    }  # fmt: skip


@pytest.mark.rules("DMN-5.1")
def test_D_G40_a_row_without_the_pawn() -> None:
    """Only the row and the column of the ace's own pawn may be shifted."""
    given = refused(
        acting("1@b3-3@c3", face="ace", pawns="suns=a6"), "suns shift row 2 left", "DMN-5.1", "DMN-5.3"
    )
    assert given.facts["pawn"] == "a6"


@pytest.mark.rules("DMN-5.3", "A-D12")
def test_D_G41_a_shift_that_would_tear_a_dominoid() -> None:
    """A Dominoid over the tiles 3 and 4 of the row stops the shift to the right, not that to the left."""
    state = acting("1@f6-3@g6", face="ace", pawns="suns=a6")
    refused(state, "suns shift row 3 right", "DMN-5.3")
    allowed(state, "suns shift row 3 left", "DMN-5.2")


@pytest.mark.rules("DMN-5.6", "DMN-5")
def test_D_G42_an_ace_that_can_shift_nothing() -> None:
    """Where no shift is possible the ace is passed, and nothing buds; where one is, passing is refused."""
    state = acting("1@b3-3@c3 2@c6-4@c7 3@a6-5@a7", face="ace", pawns="suns=b5")
    assert options(state, "suns") == {"suns pass"}
    allowed(state, "suns pass", "DMN-5.6")
    refused(state, "suns bud 1@d3-1@e3", "DMN-5.6", "DMN-4.8.4")
    refused(acting("1@b3-3@c3", face="ace", pawns="suns=a6"), "suns pass", "DMN-5")


@pytest.mark.rules("DMN-5.4")
def test_D_G43_no_meal_after_a_shift() -> None:
    """A shift that brings a big end beside a small coin brings no meal."""
    state = acting("4@c5-5@c6", face="ace", pawns="suns=a6", coins="e4=arms1")
    after = play(state, "suns shift row 3 right")
    assert options(after) == {"moons pass"}
    refused(after, "eat e4", "DMN-5.4")


# — coins —


@pytest.mark.rules("DMN-7", "DMN-7.1", "DMN-7.2", "DMN-7.3", "A-D17")
def test_D_G44_figure_12_refills() -> None:
    """Arms gets its coin on the one free square; Suns waits for the next turn; Moons has no coin left."""
    state = acting(
        "1@c3-3@d3 2@b4-4@b5 3@g4-3@g5 2@h4-5@h3",
        face="null", pawns="suns=b3 moons=b2 crowns=f7 arms=h5", coins="a3=crowns? f8=crowns?",
        collected=" ".join(f"1=moons{value}" for value in range(6)),
    )  # fmt: skip
    state = play(state, "suns pass", "moons pass")
    assert options(state) == {"place arms h6"}
    refused(state, "place suns c2", "DMN-7.3", "DMN-7.1")
    refused(state, "place moons b1", "DMN-7.2")
    state = play(state, "place arms h6", "done", "see roll suns=null moons=null")
    state = play(state, "dice suns crowns", "suns pass", "crowns move 3@d3-1@d2")
    assert options(state) == {"place suns c3"}


@pytest.mark.rules("DMN-7.1", "A-D15")
def test_D_G45_a_coin_far_from_its_pawn_counts() -> None:
    """A suit with a coin anywhere on the board gets no other."""
    state = play(
        acting("2@d4-3@e4", face="null", coins="d8=suns? b1=moons? b2=crowns? b3=arms?"),
        "suns pass",
        "moons pass",
    )
    assert options(state) == {"done"}
    refused(state, "place suns a2", "DMN-7.1")


@pytest.mark.rules("DMN-7.1", "DMN-D2")
def test_D_G46_a_coin_goes_straight_beside_its_pawn() -> None:
    """A square that meets the pawn's at a corner only is refused."""
    state = play(acting("2@d4-3@e4", face="null"), "suns pass", "moons pass")
    given = refused(state, "place suns b2", "DMN-7.1")
    assert given.squares == ("b2", "a1")
    allowed(state, "place suns b1", "DMN-7.1")
