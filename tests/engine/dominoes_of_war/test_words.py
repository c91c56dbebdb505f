"""The sentences of rulings, word by word: they name the places, numbers and troops of the very move."""

import pytest

from engine.plain import Json
from tests.engine.dominoes_of_war.scene import judged, table

WORDS = [
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "move d4 d5",
        ["On d5 stands player 2's Grunt; a move ends on an empty tile."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "move d4 c4",
        ["On c4 stands player 1's Sniper; a move ends on an empty tile."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "move d4 d8",
        ["A Grunt moves 1 to 3 spaces along rows and columns; d4 to d8 is 4 spaces."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "move c3 c4",
        ["No troop stands on c3.", "On c4 stands player 1's Sniper; a move ends on an empty tile."],
    ),
    ("1:grunt@d4 1:sniper@c4 2:grunt@d5", {}, "move d5 d6", ["The Grunt on d5 belongs to player 2."]),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "move d4 (4,9)",
        [
            "There is no tile on (4,9) to move to.",
            "A Grunt moves 1 to 3 spaces along rows and columns; d4 to (4,9) is 5 spaces.",
        ],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "2: move d5 d6",
        ["It is player 1 who moves now, not player 2."],
    ),
    ("1:grunt@d4 1:sniper@c4 2:grunt@d5", {}, "shoot d4 d3", ["Nobody stands on d3 to be hit."]),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "shoot d4 c4",
        ["The Sniper on c4 is player 1's own; it may not be attacked."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "shoot d4 e5",
        ["Nobody stands on e5 to be hit.", "A Grunt attacks along rows and columns; e5 lies north-east."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "shoot c4 d5",
        ["The Sniper on c4 has been given no facing yet, so he cannot attack."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "shoot d4 nothing",
        ["The attack of a Grunt needs somebody to hit."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "run d4 d5",
        ["Only a Kamikaze runs onto an enemy; on d4 stands a Grunt."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "blow d4 d5/d6",
        ["Only a Kamikaze blows up a wall; on d4 stands a Grunt.", "No wall stands on d5/d6."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "spawn d4 grunt (0,3)",
        ["Only a General or Chieftain spawns; on d4 stands a Grunt."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "face d4 n",
        ["Snipers are given their facing at the end of the turn.", "No Sniper of player 1 stands on d4."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "bonus grunt d4",
        [
            "No tile that adds up to 10 has just been flipped.",
            "d4 is no tile of player 1's base.",
            "On d4 stands a Grunt already.",
        ],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "extend d4",
        ["No tile that adds up to 17 has just been flipped.", "On d4 lies a tile already."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "rewall a1/a2 a1/a2",
        [
            "No tile that adds up to 20 has just been flipped.",
            "No wall stands on a1/a2 to be moved.",
            "The wall a1/a2 is moved to another side than its own.",
        ],
    ),
    ("1:grunt@d4 1:sniper@c4 2:grunt@d5", {}, "forfeit", ["There is no bonus to give up."]),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "decline",
        ["No draw has been offered that could be declined."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "wall d4/d6",
        ["The set-up is over; play has begun.", "d4 and d6 share no side for a wall."],
    ),
    ("1:grunt@d4 1:sniper@c4 2:grunt@d5", {}, "stock (0,3) sniper", ["The set-up is over; play has begun."]),
    ("1:grunt@d4 1:sniper@c4 2:grunt@d5", {}, "first 1", ["The set-up is over; play has begun."]),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "base d4",
        [
            "The set-up is over; play has begun.",
            "Player 1 has a base already.",
            "A base lies outside the field; d4 lies in it.",
            "A base has 6 tiles; this one has 1.",
            "A base has 1 or 2 entrances to the field; this one has 0.",
        ],
    ),
    ("1:grunt@d4 1:sniper@c4 2:grunt@d5", {}, "end", ["Player 1 ends the turn after 0 actions."]),
    ("1:grunt@d4 1:sniper@c4 2:grunt@d5", {}, "draw", ["Player 1 offers a draw."]),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "move d4 d3",
        ["The Grunt on d4 moves 1 space to d3. Its tile is flipped."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "move d4 e5",
        ["The Grunt on d4 moves 2 spaces to e5. Its tile is flipped."],
    ),
    (
        "1:grunt@d4 1:sniper@c4 2:grunt@d5",
        {},
        "spawn c4 lightfoot (0,3)",
        [
            "Only a General or Chieftain spawns; on c4 stands a Sniper.",
            "Player 1 plays army, which has general, grunt, sniper, kamikaze, grenadier; not lightfoot.",
        ],
    ),
    (
        "1:grunt@d4! 1:grunt@a1 2:grunt@d5",
        {"actions": 3},
        "move d4 d3",
        [
            "The Grunt on d4 has already used its action this turn.",
            "Player 1 has already used 3 actions this turn; there are 3.",
        ],
    ),
    (
        "1:grunt@d4! 1:grunt@a1 2:grunt@d5",
        {"actions": 3},
        "move a1 a2",
        ["Player 1 has already used 3 actions this turn; there are 3."],
    ),
    ("1:grunt@d4! 1:grunt@a1 2:grunt@d5", {"actions": 3}, "end", ["Player 1 ends the turn after 3 actions."]),
    (
        "1:general@(0,3) 1:kamikaze@d4 1:general@b2 2:kamikaze@d6 2:grunt@e6",
        {"walls": "d5/e5 f6/f7"},
        "spawn (0,3) grunt (0,4)",
        ["The General on (0,3) is in his base; he spawns only while out of it."],
    ),
    (
        "1:general@(0,3) 1:kamikaze@d4 1:general@b2 2:kamikaze@d6 2:grunt@e6",
        {"walls": "d5/e5 f6/f7"},
        "spawn b2 grunt (0,3)",
        ["On (0,3) stands a General already."],
    ),
    (
        "1:general@(0,3) 1:kamikaze@d4 1:general@b2 2:kamikaze@d6 2:grunt@e6",
        {"walls": "d5/e5 f6/f7"},
        "spawn b2 grunt (0,4)",
        ["The General on b2 spawns a Grunt on (0,4)."],
    ),
    (
        "1:general@(0,3) 1:kamikaze@d4 1:general@b2 2:kamikaze@d6 2:grunt@e6",
        {"walls": "d5/e5 f6/f7"},
        "run d4 d5",
        ["Nobody stands on d5 to be run onto."],
    ),
    (
        "1:general@(0,3) 1:kamikaze@d4 1:general@b2 2:kamikaze@d6 2:grunt@e6",
        {"walls": "d5/e5 f6/f7"},
        "run d4 b2",
        [
            "On b2 stands player 1's own General; a Kamikaze runs onto enemies.",
            "A Kamikaze moves 1 to 2 spaces along rows and columns; d4 to b2 is 4 spaces.",
        ],
    ),
    (
        "1:general@(0,3) 1:kamikaze@d4 1:general@b2 2:kamikaze@d6 2:grunt@e6",
        {"walls": "d5/e5 f6/f7"},
        "run d4 d6",
        ["The Kamikaze on d4 runs onto d6 and explodes."],
    ),
    (
        "1:general@(0,3) 1:kamikaze@d4 1:general@b2 2:kamikaze@d6 2:grunt@e6",
        {"walls": "d5/e5 f6/f7"},
        "shoot d4 d6",
        ["A Kamikaze has no attack but itself; it runs onto an enemy or into a wall."],
    ),
    (
        "1:general@(0,3) 1:kamikaze@d4 1:general@b2 2:kamikaze@d6 2:grunt@e6",
        {"walls": "d5/e5 f6/f7"},
        "blow d4 f6/f7",
        ["To get from d4 through the wall f6/f7 takes 5 spaces; the Kamikaze has 2."],
    ),
    (
        "1:general@(0,3) 1:kamikaze@d4 1:general@b2 2:kamikaze@d6 2:grunt@e6",
        {"walls": "d5/e5 f6/f7"},
        "blow d4 d5/e5",
        ["The Kamikaze on d4 blows up the wall d5/e5."],
    ),
    (
        "1:general@(0,3) 1:kamikaze@d4 1:general@b2 2:kamikaze@d6 2:grunt@e6",
        {"walls": "d5/e5 f6/f7"},
        "blow d4 c3/c4",
        ["No wall stands on c3/c4."],
    ),
    (
        "1:general@(0,3) 1:kamikaze@d4 1:general@b2 2:kamikaze@d6 2:grunt@e6",
        {"walls": "d5/e5 f6/f7"},
        "move d4 d6",
        ["On d6 stands player 2's Kamikaze; a move ends on an empty tile."],
    ),
    (
        "1:quick-shot@d4 2:grunt@d8 2:grunt@f4 2:grunt@d6",
        {"armies": ["cowboys", "army"]},
        "shoot d4 d8 f4",
        ["The troop on d6 stops the shot from d4 to d8."],
    ),
    (
        "1:quick-shot@d4 2:grunt@d8 2:grunt@f4 2:grunt@d6",
        {"armies": ["cowboys", "army"]},
        "shoot d4 d6 d8",
        [
            "Both shots go north; a Quick Shot shoots in two different directions.",
            "The troop on d6 stops the shot from d4 to d8.",
        ],
    ),
    (
        "1:quick-shot@d4 2:grunt@d8 2:grunt@f4 2:grunt@d6",
        {"armies": ["cowboys", "army"]},
        "shoot d4 f4",
        ["The Quick Shot on d4 hits f4."],
    ),
    (
        "1:quick-shot@d4 2:grunt@d8 2:grunt@f4 2:grunt@d6",
        {"armies": ["cowboys", "army"]},
        "shoot d4 d6 f4",
        ["The Quick Shot on d4 hits d6, f4."],
    ),
    (
        "1:sniper@d4>n 1:grunt@d5 2:grunt@d6 2:grunt@h4",
        {"walls": "d5/d6"},
        "shoot d4 d6",
        ["The troop on d5 stops the shot from d4 to d6.", "The wall d5/d6 stops the attack from d4 to d6."],
    ),
    (
        "1:sniper@d4>n 1:grunt@d5 2:grunt@d6 2:grunt@h4",
        {"walls": "d5/d6"},
        "shoot d4 h4",
        ["From d4 to h4 is east; the Sniper faces north."],
    ),
    (
        "1:grunt@d4 1:grunt@c4 2:grunt@d7",
        {"walls": "c5/d5 d4/e4 d4/d5"},
        "move d4 d5",
        ["The Grunt cannot get from d4 to d5 in 3 spaces: c5/d5, d4/d5 and d4/e4 stand in the way."],
    ),
    (
        "1:grunt@d4 1:grunt@c4 2:grunt@d7",
        {"walls": "c5/d5 d4/e4 d4/d5"},
        "move d4 c5",
        [
            "The Grunt cannot get from d4 to c5 in 3 spaces: c5/d5 and d4/d5 stand in the way.",
            "The Grunt cannot get from d4 to c5 in 3 spaces past the troops on c4.",
        ],
    ),
    (
        "1:grunt@d4 1:grunt@c4 2:grunt@d7",
        {"walls": "c5/d5 d4/e4 d4/d5"},
        "move d4 e5",
        ["The Grunt cannot get from d4 to e5 in 3 spaces: d4/d5 and d4/e4 stand in the way."],
    ),
    (
        "1:grunt@d4 1:grunt@c4 2:grunt@d7",
        {"walls": "c5/d5 d4/e4 d4/d5"},
        "move d4 e4",
        ["The Grunt on d4 moves 3 spaces to e4. Its tile is flipped."],
    ),
    (
        "1:grunt@d4 1:grunt@c4 2:grunt@d7",
        {"walls": "c5/d5 d4/e4 d4/d5"},
        "shoot d4 d7",
        ["The wall d4/d5 stops the attack from d4 to d7."],
    ),
    (
        "1:chieftain@(0,3) 1:spear-thrower@d4 2:grunt@h8",
        {"armies": ["indians", "army"]},
        "spawn (0,3) sniper (0,4)",
        ["The Chieftain on (0,3) is in his base; he spawns only while out of it."],
    ),
    (
        "1:chieftain@(0,3) 1:spear-thrower@d4 2:grunt@h8",
        {"armies": ["indians", "army"]},
        "shoot d4 h8",
        ["A Spear Thrower reaches 1 to 3 spaces away; d4 to h8 is 4."],
    ),
]
"""Troops, what else there is, a move, and the sentences of its ruling, the gravest fault first."""


@pytest.mark.parametrize(("troops", "entries", "line", "says"), WORDS)
def test_a_ruling_is_told_in_these_words(
    troops: str, entries: dict[str, Json], line: str, says: list[str]
) -> None:
    """Each fault is one sentence that a player understands without the rules at hand."""
    ruling = judged(table(troops, **entries), line)
    assert [ruling.reason, *(fault.sentence for fault in ruling.also)] == says
