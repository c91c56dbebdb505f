"""What people type about what nobody could see: with which of two like dice a piece was moved."""

from dataclasses import replace

import pytest

from device.typed import after
from engine.draw_game.model import ANYBODY, DrawState
from engine.errors import ImpossibleFact
from engine.history import History
from engine.plain import JsonObject

SETUP: JsonObject = {
    "player": 2,
    "stage": "act",
    "dominoes": {"1-2": ["f4", "f3"], "1-5": ["b4", "b5"], "4-4": ["d6", "e6"]},
    "pawns": {"suns": "b7", "moons": "d2", "crowns": "g6", "arms": "c7"},
    "coins": [
        {"square": square, "suit": suit}
        for square, suit in (("a7", "suns"), ("c6", "arms"), ("d1", "moons"), ("h6", "crowns"))
    ],
    "dice": {"suns": "ace", "moons": "2", "crowns": "2", "arms": "5"},
    "chosen": ["moons", "crowns"],
}
SEEN, MEANT = "2: moons move 5@b5-1@c5", "2: crowns move 5@b5-1@c5"
NEXT = "2: moons move 5@c5-1@d5"


def told(history: History) -> list[str]:
    """What counts now."""
    return [step.happened.text for step in history.steps]


def test_a_typed_move_puts_right_which_of_two_like_dice_was_used() -> None:
    """Both show a 2 and nobody saw which was spent: who names the other die next is believed."""
    seen = History.begin("dominoids", setup=SETUP).move(SEEN, alike=(MEANT,))
    typed = after(seen, NEXT)
    assert told(typed) == [MEANT, NEXT]
    assert typed.steps[-1].ruling is not None
    assert typed.steps[-1].ruling.allowed
    assert typed.steps[0].happened.alike == (SEEN,)
    assert told(typed.undo()) == [MEANT]


@pytest.mark.parametrize("alike", [(), ("2: crowns move 1@b4-5@c4",)])
def test_who_said_himself_which_die_he_used_is_held_to_it(alike: tuple[str, ...]) -> None:
    """What was typed, or seen without that doubt, is not corrected behind anybody's back."""
    typed = after(History.begin("dominoids", setup=SETUP).move(SEEN, alike=alike), NEXT)
    assert told(typed) == [SEEN, NEXT]
    assert typed.steps[-1].ruling is not None
    assert not typed.steps[-1].ruling.allowed


BLANKS: JsonObject = {
    **SETUP,
    "stage": "dice",
    "chosen": [],
    "dice": {"suns": "null", "moons": "null", "crowns": "2", "arms": "5"},
}
TAKEN, TRULY = "2: dice moons crowns", "2: dice suns crowns"


def test_a_typed_roll_puts_right_which_of_two_blank_dice_was_taken() -> None:
    """The blank that was taken shows its suit once it is rolled; what followed is renamed with it."""
    seen = History.begin("dominoids", setup=BLANKS).move(TAKEN, alike=(TRULY,))
    for line in ("2: crowns move 5@b5-1@c5", "2: moons pass", "2: done"):
        seen = seen.move(line)
    typed = after(seen, "see roll suns=3 crowns=5")
    assert told(typed) == [
        TRULY,
        "2: crowns move 5@b5-1@c5",
        "2: suns pass",
        "2: done",
        "see roll suns=3 crowns=5",
    ]
    stood = History.begin("dominoids", setup=BLANKS).move(TAKEN, alike=(TRULY,))
    for line in ("2: crowns move 5@b5-1@c5", "2: moons pass"):
        stood = stood.move(line)
    stood = stood.move("2: moons move 4@d7-4@e7").stand("both let it").move("2: done")
    typed = after(stood, "see roll suns=3 crowns=5")  # what stands although it was refused stands then, too
    assert told(typed)[2:4] == ["2: suns pass", "2: suns move 4@d7-4@e7"]
    assert typed.steps[3].stands
    sure = History.begin("dominoids", setup=BLANKS).move(TAKEN)
    for line in ("2: crowns move 5@b5-1@c5", "2: moons pass", "2: done"):
        sure = sure.move(line)
    with pytest.raises(ImpossibleFact, match="moons, crowns"):
        after(sure, "see roll suns=3 crowns=5")


def test_a_move_out_of_turn_does_not_change_whose_the_moves_before_it_were() -> None:
    """Who laid the first tile was not seen; who laid the second was said, and he may not lay the third."""
    begun = History.begin("draw-game", setup={"down": 1, "hands": [11, 11]})
    assert isinstance(begun.first, DrawState)
    seen = replace(begun, first=begun.first._replace(mover=ANYBODY))
    seen = seen.move("1: down 3-4", alike=("2: down 3-4",)).move("2: 4-6 by 4 at east")
    typed = after(seen, "2: 6-6 by 6 at east")
    assert told(typed)[:2] == ["1: down 3-4", "2: 4-6 by 4 at east"]
    assert typed.steps[-1].ruling is not None
    assert not typed.steps[-1].ruling.allowed
