"""The JSON of a reading: its keys are a contract."""

import json

import pytest

from simulation.setting import TableSetting
from tests.vision.pieces.made import COIN, DIE, SIZE, domino, square, table_of
from vision.photos.picture_reading import PhotoReadout, agreed
from vision.photos.stacks import Stack
from vision.photos.told import as_json
from vision.pieces.overlay import drawn_in, short
from vision.pieces.sureness import sure

KEYS = {
    "kind", "face", "value", "centre_px", "corners_px", "centre_mm", "angle_deg", "confidence", "sure",
    "alternatives",
}  # fmt: skip
SOLDIER = {"army": None, "type": "grunt", "facing_deg": None}
PIECES = [
    domino((3, 5), (200, 150), angle=30),
    domino(at=(400, 150), face="down"),
    domino(at=(600, 150), face="edge"),
    square("coin", COIN, (200, 400), face="down"),
    square("die", DIE, (300, 400)),
    square("pawn", {"suit": "arms"}, (400, 400)),
    square("soldier", SOLDIER, (500, 400), angle=90.0, owner=1),
    square("tile", None, (600, 400), 70, face="down"),
]


def told(reading: PhotoReadout) -> dict[str, dict[str, object]]:
    """The pieces of the JSON by kind and face, after a way through text."""
    plain = json.loads(json.dumps(as_json(reading, "a.jpg"), allow_nan=False))
    assert plain.keys() == {"image", "size", "table", "pieces", "hidden", "ms"}
    assert (plain["image"], plain["size"], plain["hidden"]) == ("a.jpg", list(SIZE), [])
    return {f"{one['kind']} {one['face']}": one for one in plain["pieces"]}


def test_every_piece_has_the_keys_of_the_contract() -> None:
    """Whatever the kind, with numbers that are numbers."""
    pieces = told(agreed(SIZE, PIECES))
    assert len(pieces) == len(PIECES)
    for one in pieces.values():
        assert one.keys() >= KEYS
        assert isinstance(one["sure"], bool)
        assert 0 <= float(str(one["confidence"])) <= 1
        assert one["centre_mm"] is None
    assert pieces["domino up"]["value"] == {"pips": [3, 5]}
    assert pieces["domino down"]["value"] is None
    assert pieces["domino edge"]["value"] is None
    assert pieces["coin down"]["value"] == COIN
    assert pieces["coin down"]["corners_px"] is None
    assert pieces["die up"]["value"] == {**DIE, "crosses": 0}
    assert pieces["pawn up"]["value"] == {"suit": "arms"}
    assert {"army", "type", "facing_deg"} <= dict(pieces["soldier up"]["value"]).keys()  # type: ignore[call-overload]


def test_the_first_pips_lie_at_corner_nought() -> None:
    """Corner 0 and 3 belong to the half that is told first; the angle points from it to the other."""
    one = told(agreed(SIZE, [domino((3, 5), (200, 150), angle=0.0)]))["domino up"]
    corners = one["corners_px"]
    assert isinstance(corners, list)
    assert corners[0] == [160, 130]
    assert corners[1] == [240, 130]
    assert one["angle_deg"] == 0
    assert one["alternatives"][0]["value"] == {"pips": [3, 6]}  # type: ignore[index]  # a list


def test_with_a_table_there_are_millimetres_and_the_markers() -> None:
    """Places and angles are those of the table, and the table says what it was measured from."""
    table = table_of(TableSetting("dominoids"), 0.0)
    long = 48 / table.camera.mm_per_px()
    reading = agreed(SIZE, [domino((3, 5), (639.5, 479.5), length=long, angle=90.0)], None, table)
    plain = as_json(reading, "a.jpg")
    assert plain["table"]["markers"] == [0, 1, 2, 3]
    assert plain["table"].keys() == {"markers", "mm_per_px", "rms_px"}
    (one,) = plain["pieces"]
    assert one["centre_mm"] == pytest.approx([0, 0], abs=0.5)
    assert one["angle_deg"] == pytest.approx(90, abs=0.5)


def test_sure_is_a_matter_of_confidence_alone() -> None:
    """What is sure is clearly more than what is not."""
    reading = agreed(SIZE, [domino((0, k), (100, 60 + 60 * k), p=0.5 + 0.0999 * k) for k in range(6)])
    confidence = [one.confidence for one in reading.pieces]
    answers = [sure(one) for one in sorted(reading.pieces, key=lambda one: one.confidence)]
    assert answers == sorted(answers)
    assert not answers[0]
    assert answers[-1], confidence


def test_pieces_are_told_line_by_line() -> None:
    """As people read: the upper row from the left, then the next."""
    reading = agreed(SIZE, [domino((0, k), (500 - 100 * (k % 3), 100 + 90 * (k // 3))) for k in range(6)])
    assert [one.value["pips"][1] for one in reading.pieces if one.value] == [2, 1, 0, 5, 4, 3]


def test_lines_are_those_of_all_pieces_however_large_each_is() -> None:
    """A small piece above a large one is told first: both lie in lines of one height."""
    coin, back = square("coin", COIN, (300, 240), 28, face="down"), domino((1, 2), (300, 500))
    found = agreed(SIZE, [back, domino((0, 3), (300, 330)), coin, domino((4, 4), (60, 245))])
    assert [round(float(one.middle[1])) for one in found.pieces] == [245, 240, 330, 500]


def test_an_angle_is_less_than_a_whole_turn() -> None:
    """Rounded to a tenth of a degree, too."""
    (one,) = told(agreed(SIZE, [domino((3, 5), (200, 150), angle=359.97)])).values()
    assert one["angle_deg"] == 0


def test_a_coin_tells_the_pile_that_it_tops() -> None:
    """Where that was seen; null where it was not; other pieces have no such key."""
    pieces = (square("coin", COIN, (100, 100)), square("coin", COIN, (200, 100)), domino())
    reading = PhotoReadout(SIZE, pieces, {}, stacks=(Stack(4, 0.41234567, 0.98765), None, None))
    first, second, other = as_json(reading, "a.jpg")["pieces"]
    assert first["stack"] == {"coins": 4, "confidence": 0.4123, "several": 0.9877}
    assert second["stack"] is None
    assert "stack" not in other


def test_a_drawing_marks_each_piece_and_leaves_the_picture_alone() -> None:
    """Green where sure, another colour where not, and the picture itself is not painted on."""
    import numpy as np

    picture = np.full((SIZE[1], SIZE[0], 3), 128, np.uint8)
    reading = agreed(SIZE, [domino((3, 5), (200, 150)), domino((3, 4), (600, 500), there=0.6)])
    drawn = drawn_in(picture, reading)
    assert (picture == 128).all()
    sure_, unsure = drawn[100:200, 100:300].astype(int), drawn[450:550, 500:700].astype(int)
    assert (sure_[..., 1] - sure_[..., 2]).max() > 60
    assert (unsure[..., 2] - unsure[..., 1]).max() > 60
    assert (drawn[300:400] == 128).all()
    words = {short(one) for one in agreed(SIZE, PIECES).pieces}
    assert {"3-5", "down", "edge", "5", "suns", "arms", "grunt"} <= words
