"""Where rows of backs lack one, it is looked for; beside and beyond them nothing is."""

import math

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

from simulation.setting import TableSetting  # OpenCV may be missing
from tests.vision.pieces.made import table_of
from vision.pieces.mat import TOP_MM
from vision.pieces.patches import rectangle
from vision.pieces.piece_read import Read
from vision.pieces.rows import lacking

TABLE = table_of(TableSetting("dominoes-of-war"))
LONG, WIDE = 48.0, 24.0
STEP_X, STEP_Y = 34.0, 50.0
TURN_DEG = 6.0
FIELD = [(column, line) for line in range(4) for column in range(5)]


def place_of(column: int, line: int) -> tuple[float, float]:
    """Where a back of the field lies on the table; the field is turned a little."""
    x, y = (column - 2) * STEP_X, (line - 1.5) * STEP_Y
    c, s = math.cos(math.radians(TURN_DEG)), math.sin(math.radians(TURN_DEG))
    return c * x - s * y, s * x + c * y


def back(place: tuple[float, float], face: str = "down", there: float = 0.98, turn_deg: float = 90.0) -> Read:
    """A closed domino as read, standing upright in the field."""
    corners = TABLE.camera.to_pixels(
        rectangle(*place, LONG, WIDE, TURN_DEG + turn_deg), np.full(4, TOP_MM["domino"])
    )
    value = {"pips": [1, 2]} if face == "up" else None
    return Read("domino", face, ((value, 1.0),), there, corners, 0.0)


def looked_for(pieces: list[Read]) -> list[tuple[float, float]]:
    """Where something is looked for, on the table."""
    spots = lacking(pieces, TABLE)
    points = np.array([(one.x, one.y) for one in spots]).reshape(-1, 2)
    if not len(points):
        return []
    laid = TABLE.camera.to_mm(points, np.full(len(points), TOP_MM["domino"]))
    return [(float(x), float(y)) for x, y in laid[:, :2]]


@pytest.mark.parametrize("missing", [(2, 1), (0, 2), (4, 2), (3, 0)])
def test_one_missing_in_the_field_is_looked_for_at_its_place(missing: tuple[int, int]) -> None:
    """In the middle and at any side: there, and nowhere else."""
    found = looked_for([back(place_of(*one)) for one in FIELD if one != missing])
    assert len(found) == 1
    assert math.dist(found[0], place_of(*missing)) < 3.0


def test_the_middle_of_a_short_row_is_looked_for_beside_a_whole_one() -> None:
    """Of a block of two by three the row beside tells the step; without that row nothing does."""
    block = [(column, line) for line in range(3) for column in range(2)]
    [found] = looked_for([back(place_of(*one)) for one in block if one != (0, 1)])
    assert math.dist(found, place_of(0, 1)) < 3.0
    assert looked_for([back(place_of(*one)) for one in block if one not in ((0, 1), (1, 1))]) == []


def test_it_is_looked_for_as_large_and_turned_as_the_others() -> None:
    """What the reader is given lies as the missing one does."""
    [spot] = lacking([back(place_of(*one)) for one in FIELD if one != (2, 1)], TABLE)
    true = back(place_of(2, 1))
    assert spot.length == pytest.approx(true.length, rel=0.05)
    away = np.linalg.norm(spot.corners[:, None] - true.corners[None], axis=2)
    assert away.min(axis=1).max() < 0.1 * true.length


def test_a_whole_field_lacks_nothing() -> None:
    """Nothing is looked for beyond its rim."""
    assert looked_for([back(place_of(*one)) for one in FIELD]) == []


def test_a_face_in_the_row_is_no_gap() -> None:
    """A domino that was turned up lies in its place."""
    assert looked_for([back(place_of(*one), "up" if one == (2, 1) else "down") for one in FIELD]) == []


def test_strewn_backs_make_no_rows() -> None:
    """Where nothing repeats, nothing is lacking."""
    rng = np.random.default_rng(4)
    places = [(float(x), float(y)) for x, y in rng.uniform(-150, 150, (14, 2))]
    turns = rng.uniform(0, 180, 14)
    strewn = [back(p, turn_deg=float(t)) for p, t in zip(places, turns, strict=True)]
    assert looked_for(strewn) == []


def test_doubtful_backs_lead_nowhere() -> None:
    """Planks that are hardly taken for backs make no rows."""
    assert looked_for([back(place_of(*one), there=0.6) for one in FIELD if one != (2, 1)]) == []


def test_two_that_lie_crosswise_have_no_third_between_them() -> None:
    """A row is of backs that lie alike: what is turned by a quarter belongs to another."""
    crosswise = {(1, line) for line in range(4)} | {(2, 0)}
    field = [
        back(place_of(*one), turn_deg=0.0 if one in crosswise else 90.0) for one in FIELD if one != (2, 1)
    ]
    assert looked_for(field) == []
