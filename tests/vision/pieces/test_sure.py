"""What is believed without asking: a die that leans never, an empty face only where ink would be seen."""

from dataclasses import replace

import pytest

from tests.vision.pieces.made import square
from vision.pieces.piece_read import Read
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


def pip_die(confidence: float, there: float, counted: int | None) -> Read:
    """An ordinary die that shows a 3."""
    value = {"set": "pips", "suit": None, "face": "3", "crosses": None}
    made = square("die", value, (100, 100), 40)
    return replace(made, there=there, ranked=((value, confidence), (None, 1 - confidence)), counted=counted)


@pytest.mark.parametrize(
    ("confidence", "there", "counted", "believed"),
    [
        (0.93, 0.97, 3, True),
        (0.93, 0.97, 4, False),
        (0.93, 0.97, None, False),
        (0.88, 0.97, 3, False),  # a count says nothing of two readings that are near each other
        (0.999, 0.93, 3, False),  # … nor of whether a die is there
        (0.992, 1.0, 3, True),
        (0.992, 1.0, 4, False),
        (0.992, 1.0, None, False),
        (0.997, 1.0, None, True),
    ],
)
def test_a_die_is_believed_sooner_where_its_pips_were_counted_alike(
    confidence: float, there: float, counted: int | None, believed: bool
) -> None:
    """Another count, or none, calls for more."""
    assert sure(pip_die(confidence, there, counted)) is believed


def test_a_count_gives_no_leave_where_a_die_is_half_covered_or_leans_or_a_table_speaks() -> None:
    """What is hidden was not counted; in company the network that weighs a table has the word."""
    one = pip_die(0.93, 0.97, 3)
    assert sure(one)
    for other in (replace(one, visible=0.5), replace(one, flat=False), replace(one, in_company=True)):
        assert not sure(other)
