"""A soldier's army is told by his type, or by his comrades, and never guessed."""

from dataclasses import replace
from typing import Any

from tests.vision.pieces.made import domino, square
from vision.photos.armies import armies
from vision.photos.picture_reading import PhotoReadout
from vision.photos.told import as_json
from vision.pieces.piece_read import Read


def soldier(kind: str, side: int | None, **more: Any) -> Read:
    """A soldier of a side, read for sure unless told otherwise."""
    value = {"army": None, "type": kind, "facing_deg": None}
    return replace(square("soldier", value, (50, 50), **more), owner=side)


def test_a_type_that_one_army_alone_has_tells_it() -> None:
    """Whoever else stands there, and though nobody knows his side."""
    men = [soldier("grunt", None), soldier("lightfoot", 0), soldier("gunslinger", 1), domino()]
    assert armies(men) == ["army", "indians", "cowboys", None]


def test_comrades_tell_where_several_armies_have_a_type() -> None:
    """Generals and Snipers are of the army that all of their side can be of."""
    men = [soldier("sniper", 0), soldier("spear-thrower", 0), soldier("sniper", 1), soldier("grenadier", 1)]
    assert armies(men) == ["indians", "indians", "army", "army"]


def test_a_few_types_together_may_leave_one_army() -> None:
    """General and Shotgunner are both with the cowboys alone."""
    assert armies([soldier("general", 0), soldier("shotgunner", 0)]) == ["cowboys", "cowboys"]


def test_nothing_is_guessed() -> None:
    """Not where two armies are left, nor by a comrade in doubt, nor where comrades contradict each other."""
    assert armies([soldier("sniper", 0)]) == [None]
    assert armies([soldier("sniper", 0), soldier("grunt", 0, there=0.5)]) == [None, "army"]
    odd = [soldier("sniper", 0), soldier("grunt", 0), soldier("gunslinger", 0)]
    assert armies(odd) == [None, "army", "cowboys"]
    assert armies([soldier("sniper", None), soldier("grunt", 0)]) == [None, "army"]


def test_the_json_tells_army_and_side() -> None:
    """Sides are 1 and 2, as players count them; other pieces have none."""
    pieces = (soldier("general", 1), soldier("grunt", 1), domino())
    told = as_json(PhotoReadout((640, 480), pieces, {}), "a.png")["pieces"]
    assert [one["value"].get("army") for one in told] == ["army", "army", None]
    assert [one.get("side") for one in told] == [2, 2, None]
