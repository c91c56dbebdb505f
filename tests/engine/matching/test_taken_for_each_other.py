"""Two dice that may have been taken for each other: none has strayed where the other was thought to lie."""

from typing import Final

import pytest

from engine.layout import Layout, Spot
from engine.matching.evidence import STRAYED, Evidence, Lay, Leniency, Places
from engine.scene import Guess, Scene, Sighting

PLACES: Final[Places] = {"die moons": Lay("old-dice", 0.0, 0.0), "die arms": Lay("old-dice", 50.0, 0.0)}


def value(suit: str, face: str) -> dict[str, str]:
    """What a die shows."""
    return {"set": "piecepack", "suit": suit, "face": face}


def layout(moons: str, arms: str) -> Layout:
    """The two dice in their box."""
    faces = {"moons": moons, "arms": arms}
    return Layout(
        tuple(Spot(f"die {suit}", "die", "up", value(suit, face), "old-dice") for suit, face in faces.items())
    )


def sighting(face: str, x: float) -> Sighting:
    """A die of which nobody can tell whether it is black or dark blue."""
    guesses = tuple(Guess(value(suit, face), 0.5) for suit in ("moons", "arms"))
    return Sighting("die", "old-dice", x, 0.0, guesses=guesses)


@pytest.mark.parametrize(("x", "strayed"), [(0.0, 0), (200.0, 1)])
def test_who_takes_dice_for_each_other_has_moved_none(x: float, strayed: int) -> None:
    """Both ways are as likely, wherever they lie; a die that lies elsewhere has strayed either way."""
    known = layout("5", "4")
    scene = Scene((sighting("5", x), sighting("4", 50.0)))
    evidence = Evidence(scene, PLACES, Leniency({}, {}), known=known.by_name())
    assert evidence.score(known) == pytest.approx(evidence.score(layout("4", "5")))
    there = Evidence(Scene((sighting("5", 0.0), sighting("4", 50.0))), PLACES, Leniency({}, {}))
    assert evidence.score(known) == pytest.approx(there.score(known) + STRAYED * strayed)
