"""What is believed without asking: a die that leans never, an empty face only where ink would be seen."""

from dataclasses import replace

import pytest

from tests.vision.pieces.made import square
from vision.pieces.read import Read
from vision.pieces.sureness import limits, sure


def die(face: str, side: float) -> Read:
    """A die of a piecepack, read clearly."""
    value = {"set": "piecepack", "suit": None if face == "null" else "suns", "face": face, "crosses": None}
    return replace(
        square("die", value, (100, 100), side), there=0.9999, ranked=((value, 0.9999), (None, 0.0001))
    )


@pytest.mark.parametrize(
    ("face", "side", "believed"), [("null", 12, False), ("null", 24, True), ("4", 12, True)]
)
def test_an_empty_face_is_believed_where_ink_would_be_seen(face: str, side: float, believed: bool) -> None:
    """A small die seems empty whatever it shows."""
    assert sure(die(face, side)) is believed


def test_a_die_that_leans_is_never_believed() -> None:
    """However clear its face is."""
    assert not sure(replace(die("4", 24), flat=False))


def test_what_is_half_covered_must_leave_less_doubt() -> None:
    """A confidence just above the limit is believed where a piece lies open, and asked where it does not."""
    limit = limits("sureness")["pawn"]
    pawn = square("pawn", {"suit": "suns"}, (100, 100), there=1.0, p=limit + 0.2 * (1 - limit))
    assert sure(pawn)
    assert not sure(replace(pawn, visible=0.5))
    assert sure(replace(pawn, visible=0.5, ranked=((pawn.value, 1.0),)))
