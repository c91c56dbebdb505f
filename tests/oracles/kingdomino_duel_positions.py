"""Starting positions of Kingdomino Duel for the perft table, in the format of `kingdomino_duel.py`."""

from __future__ import annotations

from tests.oracles.kingdomino_duel import COATS, DICE, LINE_LENGTH, LINE_OF_POWER, Position, next_turn, steps


def opening() -> Position:
    """Two empty maps; player 1 is A and rolls."""
    position: Position = {
        "maps": [{}, {}],
        "roof": [False, False],
        "ticks": [dict.fromkeys(COATS, 0), dict.fromkeys(COATS, 0)],
        "owner": dict.fromkeys(COATS),
        "used": dict.fromkeys(COATS, False),
        "named": [None, None],
    }
    return next_turn(position, 0)


def read_map(text: str) -> dict[str, str]:
    """A map from five rows of seven words such as `d0`; `.` is empty, `C` the castle."""
    kingdom = {}
    for row, line in enumerate(text.strip().splitlines(), start=1):
        for column, word in enumerate(line.split(), start=1):
            if word not in (".", "C"):
                kingdom[f"r{row}c{column}"] = word
    return kingdom


def with_dice(position: Position, faces: str, one: str, two: str) -> Position:
    """The same table with the four dice rolled and taken: both players are about to draw."""
    position["shown"] = dict(zip(DICE, faces.split(), strict=True))
    position["dice"] = [one.split(), two.split()]
    position["phase"] = "draw"
    return position


def owning(position: Position, player: int, powers: str) -> Position:
    """The same table with some lines of the spellbook completed by a player, P5 and P6 as already used."""
    for power in powers.split():
        line = LINE_OF_POWER[power]
        position["ticks"][player][line] = LINE_LENGTH[line]
        position["owner"][line] = player
        position["used"][line] = power in ("P5", "P6")
    return position


YOUNG_ONE = """
. . . . . . .
. . . d0 s0 . .
. d1 b2 C d0 s0 .
. . . q0 . . .
. . . q2 . . .
"""

YOUNG_TWO = """
. . . . . . .
. . s0 S0 . . .
. . . C D1 d0 .
. . . b0 . . .
. . . b2 . . .
"""

LATE_ONE = """
d0 d1 s0 s0 b2 b0 q0
d0 D0 D1 s1 b0 q2 q0
S0 S1 D0 C s0 s0 D1
S0 . d0 d0 d1 S0 D0
. . q0 q0 . . .
"""

LATE_TWO = """
. . s0 s0 d0 d0 .
S0 S0 s1 d0 q2 q0 .
b0 b2 D0 C q0 d1 d0
b0 D0 D1 s0 s0 D0 .
. . S1 S0 d0 D0 .
"""

TWO_LEFT = """
d0 d1 s0 s0 b2 b0 q0
d0 D0 D1 s1 b0 q2 q0
S0 S1 D0 C s0 s0 D1
S0 b0 d0 d0 d1 S0 D0
S1 S0 q0 q0 D0 . .
"""

ONE_LEFT = """
d0 d1 s0 s0 b2 b0 q0
d0 D0 D1 s1 b0 q2 q0
S0 S1 D0 C s0 s0 D1
S0 b0 d0 d0 d1 S0 D0
S1 S0 q0 q0 D0 D0 .
"""

SCATTERED = """
. d0 s0 . S0 q0 .
d0 s0 b0 S0 q0 b1 .
. D1 S0 C D0 d1 s0
s1 . q0 b0 d0 . .
b0 q2 . s0 D0 . D0
"""

NO_QUARTERS = """
. d0 s0 . S0 d0 .
d0 s0 b0 S0 d0 b1 .
. D1 S0 C D0 d1 s0
s1 . b2 b0 d0 . .
b0 d0 . s0 D0 . D0
"""


def after_labels(position: Position, *labels: str) -> Position:
    """The position after these steps, each of which must be possible."""
    for label in labels:
        position = dict(steps(position))[label]
    return position


def middle(one: str, two: str, a: int = 0) -> Position:
    """A table with two maps drawn so far and both roofs coloured."""
    position = next_turn(opening(), a)
    position["maps"] = [read_map(one), read_map(two)]
    position["roof"] = [True, True]
    return position


def opening_positions() -> dict[str, Position]:
    """Empty maps: the roll, the taking of the dice, the first drawing with the castle bonus."""
    rolled = opening()
    rolled["shown"] = {"D1": "d0", "D2": "q0", "D3": "b2", "D4": "s1"}
    rolled["phase"] = "take"
    same = opening()
    same["shown"] = {"D1": "d0", "D2": "d0", "D3": "d0", "D4": "?"}
    same["phase"] = "take"
    bonus = with_dice(opening(), "d0 q0 b2 s1", "D1 D2", "D3 D4")
    bonus["roof"] = [False, True]
    return {
        "opening, roll": opening(),
        "opening, four different faces": rolled,
        "opening, three equal faces and a joker": same,
        "opening, both draw, one castle bonus left": bonus,
        "opening, both draw, equal coats": with_dice(opening(), "d0 d0 s0 s0", "D1 D2", "D3 D4"),
    }


def power_positions() -> dict[str, Position]:
    """Jokers; each of the powers P1 to P4, alone and together, P3 with the wrong role."""
    p3 = owning(middle(YOUNG_ONE, YOUNG_TWO), 0, "P3")
    p3.update(shown={"D1": "d0", "D2": "q0", "D3": "b2", "D4": "s1"}, phase="take")
    p3_as_b = owning(middle(YOUNG_ONE, YOUNG_TWO, a=1), 0, "P3")
    p3_as_b.update(shown={"D1": "d0", "D2": "q0", "D3": "b2", "D4": "s1"}, phase="take")
    p1 = with_dice(owning(middle(YOUNG_ONE, YOUNG_TWO), 0, "P1"), "S1 q0 D0 s0", "D1 D3", "D2 D4")
    p2 = with_dice(owning(middle(YOUNG_ONE, YOUNG_TWO), 1, "P2"), "d0 q0 b2 s1", "D1 D2", "D3 D4")
    p12 = with_dice(owning(middle(LATE_ONE, LATE_TWO), 0, "P1 P2"), "d0 q0 b2 s1", "D1 D2", "D3 D4")
    p4 = with_dice(owning(middle(LATE_ONE, LATE_TWO), 1, "P4"), "d0 q0 b2 s1", "D1 D2", "D3 D4")
    p4_bonus = with_dice(owning(middle(LATE_ONE, LATE_TWO), 0, "P4"), "? q0 b2 s0", "D1 D3", "D2 D4")
    p4_bonus["roof"] = [False, True]
    two_jokers = with_dice(middle(TWO_LEFT, LATE_TWO), "? q0 b2 ?", "D1 D4", "D2 D3")
    two_jokers["roof"] = [False, True]
    return {
        "two jokers in a domino, castle bonus left": two_jokers,
        "a joker each": with_dice(middle(LATE_ONE, LATE_TWO), "? q0 b2 ?", "D1 D3", "D2 D4"),
        "P3, player A may take two": p3,
        "P3, its owner is player B": p3_as_b,
        "P1 to declare": p1,
        "P2 to declare": p2,
        "P1 and P2 to declare": p12,
        "P4, die to turn": p4,
        "P4 with the castle bonus, joker": p4_bonus,
    }


def spellbook_positions() -> dict[str, Position]:
    """Lines completed by this turn's drawings: the same by both, different ones, P5, P6."""
    quarters = with_dice(middle(LATE_ONE, LATE_TWO, a=1), "S1 q0 D0 s0", "D1 D2", "D3 D4")
    quarters["ticks"][0].update(q=2)
    quarters["ticks"][1].update(s=4)
    race = with_dice(middle(LATE_ONE, LATE_TWO, a=1), "S1 s0 D0 s0", "D1 D2", "D3 D4")
    race["ticks"][0].update(s=4)
    race["ticks"][1].update(s=4, D=3)
    black = with_dice(middle(LATE_ONE, LATE_TWO), "? b0 D0 s0", "D1 D2", "D3 D4")
    black["ticks"][0].update(b=2)
    named_next = after_labels(black, "1:r4c2=S0 r5c2=b0", "2:r4c7=D0 r5c7=s0")
    crossed_next = after_labels(quarters, "2:r4c7=D0 r5c7=s0", "1:r4c2=S1 r5c2=q0")
    each = after_labels(black, "1:r4c2=S0 r5c2=b0", "2:r4c7=D0 r5c7=s0")
    each["ticks"][1].update(q=3)
    each["owner"].update(q=1)
    return {
        "quarters completed by B, stripe by A, P6 follows": quarters,
        "stripe completed by both, A comes first": race,
        "black completed with a joker beside it, P5 follows": black,
        "P5 was won, a coat must be named": named_next,
        "P6 was won, a cross must be added": crossed_next,
        "P5 was won by A and P6 by B, either comes first": each,
    }


def end_positions() -> dict[str, Position]:
    """The last squares and both ends of the game."""
    full = with_dice(middle(TWO_LEFT, LATE_TWO), "d0 q0 D0 s0", "D1 D3", "D2 D4")
    full_wizard = with_dice(middle(TWO_LEFT, LATE_TWO), "D1 b0 D0 s0", "D2 D3", "D1 D4")
    full_wizard["ticks"][0].update(b=2)
    stuck = with_dice(middle(ONE_LEFT, ONE_LEFT), "d0 q0 D0 s0", "D1 D3", "D2 D4")
    one_die = with_dice(middle(ONE_LEFT, ONE_LEFT), "? q0 D0 D0", "D1 D3", "D2 D4")
    anywhere = with_dice(middle(ONE_LEFT, SCATTERED), "d0 q0 D0 s0", "D1 D3", "D2 D4")
    unconnected = with_dice(middle(TWO_LEFT, TWO_LEFT), "S1 b0 q2 s0", "D1 D3", "D2 D4")
    scattered = with_dice(middle(SCATTERED, SCATTERED), "S1 b0 q2 s0", "D1 D4", "D2 D3")
    return {
        "E1, the last two squares": full,
        "E1, P5 is won by the last drawing": full_wizard,
        "E2, one square left to both": stuck,
        "last square, P2 draws a joker or its like": owning(one_die, 0, "P2"),
        "last square, P1 and P2": owning(anywhere, 0, "P1 P2"),
        "last two squares, nothing connects, P1": owning(unconnected, 1, "P1"),
        "scattered squares, P2": owning(scattered, 0, "P2"),
        "scattered squares, P2, one die finds none": owning(one_finds_none(), 1, "P2"),
    }


def one_finds_none() -> Position:
    """Player 2 can draw his stripe in several places and his quarters nowhere."""
    return with_dice(middle(SCATTERED, NO_QUARTERS), "S1 b0 q2 s0", "D1 D2", "D3 D4")


def positions() -> dict[str, Position]:
    """The named positions of the perft table."""
    return {**opening_positions(), **power_positions(), **spellbook_positions(), **end_positions()}
