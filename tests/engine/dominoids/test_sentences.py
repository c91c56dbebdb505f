"""What the rulings say, word for word: squares, numbers and pieces of this very move."""

import pytest

from engine.dominoids.model import DominoidsState
from tests.engine.dominoids.scene import BOOK, acting, move, play, position

LONE = acting("2@d4-3@e4")
CROWDED = acting("2@d4-3@e4 1@c5-5@d5", coins="b4=arms? e3=suns5", pawns="suns=e5 moons=g4")
BOXES = position("2@d4-3@e4", dice="5 2 ace null", new=["crowns", "arms"])
SLID = play(acting("3@b3-4@c3 1@d4-3@e4 2@d2-5@d1", pawns="suns=e3", coins="c2=suns2"), "suns move 3@c3-4@d3")
BREEDING = play(acting("2@b3-3@c3 3@e3-4@e4 3@d4-5@d5", face="4"), "suns move 2@c3-3@d3")
PARALLEL = play(acting("2@d4-5@e4 2@b5-3@c5"), "suns move 2@b4-5@c4")
BLANKS = position("2@d4-3@e4", dice="null null ace 2", coins="d8=suns? b1=moons? b2=crowns? b3=arms?")
REFILL = play(acting("2@d4-3@e4", face="null", coins="b5=crowns? d8=suns?"), "suns pass", "moons pass")
ACE = acting("1@b3-3@c3 4@f6-5@g6", face="ace", pawns="suns=a6")


@pytest.mark.parametrize(
    ("state", "line", "rule", "sentence"),
    [
        (LONE, "2: suns pass", "DMN-1", "It is player 1's turn, not player 2's."),
        (LONE, "suns pass", "DMN-4", "The Suns die (5) must move a Dominoid; the 2-3 could go to b4 and c4."),
        (LONE, "none", "DMN-4.1", "No Dominoid has just slid, so that there is nothing to go without."),
        (LONE, "dice suns arms", "DMN-3.1", "The dice of this turn are chosen already (Suns and Moons)."),
        (
            LONE, "crowns pass", "DMN-3.3",
            "The Crowns die (2) is not one of those chosen (Suns and Moons).",
        ),
        (
            LONE, "moons move 2@b4-3@c4", "DMN-6",
            "The Moons die (null) is blank: nothing is done with it.",
        ),
        (
            LONE, "suns shift row 1 left", "DMN-3.3",
            "The Suns die (5) moves a Dominoid; only an ace shifts the board.",
        ),
        (LONE, "done", "DMN-2", "A turn has two actions; Suns and Moons are still to be used."),
        (LONE, "suns move 2@c4-3@d4", "DMN-4.4", "Led by its 2 the 2-3 slides 2 squares, not 1."),
        (
            LONE, "suns move 2@d4-3@e4", "DMN-4.4.1",
            "The 2-3 has not moved; a move is at least one square.",
        ),
        (
            LONE, "suns move 2@d3-3@e3", "DMN-4.4",
            "The 2-3 went sideways; a slide goes in the line in which it lies.",
        ),
        (
            LONE, "suns move 3@e4-2@f4", "DMN-4.5.1",
            "The 2-3 was turned right round; a turn is exactly 90 degrees.",
        ),
        (
            LONE, "suns move 2@c4-3@c5", "DMN-4.2",
            "The 2-3 was slid and turned in one move; it may do only one of the two.",
        ),
        (
            LONE, "suns move 1@a2-1@a3", "DMN-4",
            "The 1-1 is in the gene pool; a die moves only what is on the board.",
        ),
        (SLID, "eat h8", "DMN-4.6", "There is no coin on h8."),
        (
            CROWDED, "eat b4", "DMN-4.6",
            "A Dominoid may eat only right after a slide, and none has just slid.",
        ),
        (
            CROWDED, "suns move 2@b4-3@c4", "DMN-4.4",
            "Led by its 2 the 2-3 slides 1 square up to an Arms coin on b4, not 2.",
        ),
        (
            CROWDED, "suns move 3@e4-2@e5", "DMN-4.5.2",
            "The 2 of the 2-3 cannot turn to e5 by d5: the 1-5 on d5 and the Suns pawn on e5 are in the way.",
        ),
        (
            CROWDED, "suns move 2@e3-3@e4", "DMN-4.5.2",
            "The 2 of the 2-3 cannot turn to e3 by d3: a Suns coin of value 5 on e3 is in the way.",
        ),
        (
            acting("4@c4-5@d4"), "suns move 4@a4-5@b4", "DMN-4.4.2",
            ("Led by its 4 the 4-5 would have to slide 4 squares that way, and there are only 2 before the "
                        "edge, which stops nobody."),
        ),
        (
            acting("4@b4-5@c4"), "suns move 4@a4-5@b4", "DMN-4.4.2",
            ("Led by its 4 the 4-5 would have to slide 4 squares that way, and there is only 1 before the "
                        "edge, which stops nobody."),
        ),
        (
            acting("1@h5-5@h6"), "suns move 5@h6-1@i6", "DMN-4.5.3",
            "The 1-5 would leave the board: there is no square i6.",
        ),
        (
            acting("2@d4-3@e4", pawns="suns=c4"), "suns move 2@b4-3@c4", "DMN-4.4.1",
            "The 2-3 cannot slide that way at all: the Suns pawn on c4 stops its 2 at once.",
        ),
        (
            acting("2@d4-3@e4", face="3"), "suns move 2@g4-3@h4", "DMN-4.3",
            ("The 2-3 would lead with its 3, but with the Suns die (3) only an end with fewer than 3 pips "
                        "may lead."),
        ),
        (BOXES, "dice suns suns", "DMN-3.1", "Two different dice are chosen, not Suns and Suns."),
        (BOXES, "dice suns", "DMN-3.1", "Only one die was chosen (Suns); a turn needs two."),
        (
            BOXES, "dice crowns arms", "DMN-3.2",
            "Crowns and Arms come from the new box; at least one must be of the old box (Suns and Moons).",
        ),
        (BOXES, "suns pass", "DMN-3", "The two dice of the turn must be chosen first."),
        (BOXES, "done", "DMN-3.1", "The turn has not begun: two dice must be chosen."),
        (SLID, "none", "DMN-4.6.3", "The 3-4 must eat: there is a coin for it on c2."),
        (SLID, "attack 5-5", "DMN-4.7", "The 5-5 is in the gene pool, not on the board."),
        (SLID, "attack 3-4", "DMN-4.7", "The 3-4 cannot attack itself."),
        (
            play(SLID, "attack 1-3"), "attack 2-5", "DMN-4.7.2",
            "The 3-4 has attacked already, and may only once.",
        ),
        (
            play(SLID, "attack 1-3"), "eat c2", "DMN-4.9",
            "The 3-4 has attacked and may not eat as well: only one of these is done.",
        ),
        (
            play(SLID, "attack 1-3"), "suns move 3@b3-4@c3", "DMN-2",
            "With the Suns die (5) an action was done already, and each die gives one.",
        ),
        (
            play(BLANKS, "dice suns moons", "suns pass", "moons pass"), "moons pass", "DMN-2",
            ("With the Moons die (null) an action was done already, and each die gives one. "
                        "Both actions of the turn are done."),
        ),
        (
            play(BLANKS, "dice suns moons", "suns pass", "moons pass", "done"), "dice crowns arms", "DMN-8",
            "The turn is over: Suns and Moons must be rolled before play goes on.",
        ),
        (
            BREEDING, "attack 3-4", "DMN-4.7",
            "The 2-3 has no bigger end beside the 3-4: there is 3 beside 3.",
        ),
        (BREEDING, "none", "DMN-4.8.3", "The 2-3 must breed: the 3-4 or 3-5 lies beside an equal end of it."),
        (
            BREEDING, "birth 1@g7-3@g8", "DMN-4.8.4",
            "On 1@g7-3@g8 the 1-3 has no 3 beside the same number of a parent.",
        ),
        (BREEDING, "birth 2@c4-5@d4", "DMN-4.8", "The 2-5 would lie on the 3-5 on d4."),
        (BREEDING, "birth 2@i2-4@i3", "DMN-4.8", "The 2-4 would not lie on the board."),
        (
            LONE, "birth 1@b1-3@b2", "DMN-4.8",
            "A Dominoid may breed only right after a slide, and none has just slid.",
        ),
        (
            play(LONE, "suns move 2@b4-3@c4"), "birth 1@b1-3@b2", "DMN-4.8",
            "The 2-3 lies beside no equal end of another Dominoid, so that it cannot breed.",
        ),
        (
            play(LONE, "suns move 2@b4-3@c4"), "moons pass", "DMN-3.3",
            "The slide of the 2-3 must be finished first: it has no consequence.",
        ),
        (
            LONE, "suns bud 3@e5-5@f5", "DMN-4.10",
            "A Dominoid buds only when nothing can move, and with the Suns die (5) the 2-3 can.",
        ),
        (
            acting("5@d4-5@e4"), "suns pass", "DMN-4.10",
            "The Suns die (5) can move nothing, so that a Dominoid must bud, for example 1@b4-5@c4.",
        ),
        (ACE, "suns pass", "DMN-5", "The Suns die (ace) must shift the board; row 3 could go left."),
        (
            ACE, "suns shift row 2 left", "DMN-5.1",
            "The Suns pawn stands on a6, in row 3 and column 1, not in row 2.",
        ),
        (
            ACE, "suns shift column 1 up", "DMN-5.5",
            "Column 1 cannot be shifted up: the 1-3 on b3 and c3 lies over the border of it.",
        ),
        (
            ACE, "suns shift row 3 right", "DMN-5.3",
            "Row 3 cannot be shifted right: the 4-5 on f6 and g6 would be torn by shifting it.",
        ),
        (
            ACE, "suns bud 1@a1-2@b1", "DMN-3.3",
            "The Suns die (ace) is an ace: it shifts the board and moves no Dominoid.",
        ),
        (
            play(ACE, "suns shift row 3 left"), "eat a3", "DMN-5.4",
            "The board was shifted, and after a shift no Dominoid may eat.",
        ),
        (LONE, "place suns a2", "DMN-7", "Coins are replaced after both actions of the turn, not before."),
        (REFILL, "done", "DMN-7.1", "Moons lacks a coin, and there is room for one on a7."),
        (REFILL, "place crowns g1", "DMN-7.1", "Crowns needs no coin: there is one on b5."),
        (REFILL, "place moons b7", "DMN-7.1", "b7 shares no side with a8, where the Moons pawn stands."),
        (LONE, "agree", "DMN-STOP", "To stop is agreed between two turns, before the dice are chosen."),
        (play(BOXES, "2: agree"), "2: agree", "DMN-STOP", "Player 2 has agreed to stop already."),
    ],
)  # fmt: skip
def test_a_refusal_names_squares_and_numbers(
    state: DominoidsState, line: str, rule: str, sentence: str
) -> None:
    """The first fault of a refused move is told in one sentence about this very move."""
    given = BOOK.judge(state, move(line))
    assert not given.allowed
    assert (given.rule, given.reason) == (rule, sentence)


@pytest.mark.parametrize(
    ("state", "line", "rule", "sentence"),
    [
        (
            BOXES, "dice suns crowns", "DMN-3.2",
            "Player 1 chooses the Suns die (5) and the Crowns die (ace); Suns from the old box.",
        ),
        (
            LONE, "suns move 2@b4-3@c4", "DMN-4.4",
            "Led by its 2 the 2-3 slides 2 squares with the Suns die (5).",
        ),
        (
            CROWDED, "suns move 2@c4-3@d4", "DMN-4.4",
            "Led by its 2 the 2-3 slides 1 square with the Suns die (5), where an Arms coin on b4 stops it.",
        ),
        (LONE, "suns move 3@e4-2@e5", "DMN-4.5", "The 2 of the 2-3 turns to e5 with the Suns die (5)."),
        (SLID, "eat c2", "DMN-4.6", "The 3 of the 3-4 eats a Suns coin of value 2 on c2."),
        (SLID, "attack 2-5", "DMN-4.7", "The 4 of the 3-4 on d3 attacks the 2 of the 2-5 on d2."),
        (PARALLEL, "attack 2-3", "DMN-4.7", "The 5 of the 2-5 on c4 attacks the 3 of the 2-3 on c5."),
        (
            BREEDING, "birth 1@d1-3@d2", "DMN-4.8.4",
            "The 1-3 is born with its 3 beside the 3 of the 2-3 on d3.",
        ),
        (
            play(LONE, "suns move 2@b4-3@c4"), "none", "DMN-4.1",
            "The 2-3 has nothing beside it that it could eat, attack or breed with.",
        ),
        (
            acting("5@d4-5@e4"), "suns bud 5@d5-4@d6", "DMN-4.10",
            ("The Suns die (5) can move nothing, so that a Dominoid buds. "
                        "The 4-5 is born with its 5 beside the 5 of the 5-5 on d4."),
        ),
        (
            ACE, "suns shift row 3 left", "DMN-5.2",
            "Row 3, in which the Suns pawn stands, is shifted left.",
        ),
        (LONE, "moons pass", "DMN-6", "The Moons die (null) is blank: nothing is done."),
        (
            REFILL, "place arms g8", "DMN-7.1",
            "Arms has no coin on the board and gets one on g8, beside h8.",
        ),
        (BOXES, "2: agree", "DMN-STOP", "Player 2 agrees to stop."),
    ],
)  # fmt: skip
def test_what_is_allowed_is_explained_too(state: DominoidsState, line: str, rule: str, sentence: str) -> None:
    """A legal move is told with the rule that allows it."""
    given = BOOK.judge(state, move(line))
    assert given.allowed, given
    assert (given.rule, given.reason) == (rule, sentence)
