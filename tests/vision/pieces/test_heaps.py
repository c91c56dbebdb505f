"""What is overlooked or read across in a heap of open dominoes is read once more, and nothing is invented."""

from collections.abc import Sequence

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

from engine.dominoids.table import BELONGINGS  # OpenCV may be missing
from simulation.setting import TableSetting
from tests.vision.pieces.made import table_of
from vision.pieces.each import PieceReader
from vision.pieces.expecting import Expecting
from vision.pieces.finder import Spotted
from vision.pieces.heaps import completed
from vision.pieces.mat import TOP_MM
from vision.pieces.patches import Floats, Picture, rectangle
from vision.pieces.piece_read import Read

SETTING = TableSetting("dominoids", 3)
TABLE = table_of(SETTING)
GAME = Expecting(BELONGINGS, SETTING.plan, TABLE)
PICTURE: Picture = np.zeros((960, 1280, 3), dtype=np.uint8)
READER = PieceReader(PICTURE, GAME)
LONG, WIDE = 48.0, 24.0
ROWS = {(0, 0): (1, 1), (1, 0): (1, 2), (2, 0): (1, 3), (0, 1): (2, 2), (1, 1): (1, 5), (2, 1): (2, 4)}
"""Two rows of a pool, each domino by its place in them."""


def at(column: int, line: int) -> tuple[float, float]:
    """Where a place of the pool lies, in mm: hardly any gap is between neighbours."""
    return 150 + 24.5 * column, 10 + 49.0 * line


def domino(pips: tuple[int, int], x: float, y: float, turn: float = 90.0, there: float = 0.99) -> Read:
    """A domino as it was read."""
    corners = TABLE.camera.to_pixels(rectangle(x, y, LONG, WIDE, turn), np.full(4, TOP_MM["domino"]))
    return Read("domino", "up", (({"pips": list(pips)}, 1.0),), there, corners, turn)


def pool(*without: tuple[int, int]) -> list[Read]:
    """The pool, but for some places."""
    return [domino(pips, *at(*place)) for place, pips in ROWS.items() if place not in without]


def shown(found: Sequence[Read] | None) -> list[list[int]] | None:
    """The pips of all dominoes, in the order in which they were read."""
    return None if found is None else [sorted((one.value or {})["pips"]) for one in found]


@pytest.fixture
def lying(monkeypatch: pytest.MonkeyPatch) -> list[Read]:
    """What a reader sees where it looks: what lies there, if anything does."""
    there: list[Read] = []

    def read(_reader: PieceReader, spots: Sequence[Spotted]) -> list[Read]:
        def near(one: Read, spot: Spotted) -> bool:
            middle: Floats = one.middle
            return float(np.linalg.norm(middle - (spot.x, spot.y))) < 5

        return [one for spot in spots for one in there if near(one, spot)]

    monkeypatch.setattr(PieceReader, "dominoes", read)
    return there


@pytest.mark.parametrize("missing", [(2, 1), (0, 0), (1, 1)])
def test_one_that_was_overlooked_is_read(missing: tuple[int, int], lying: list[Read]) -> None:
    """At any corner, where three others tell its place."""
    lying.extend(pool())
    seen = pool(missing)
    assert shown(completed(READER, seen, seen, TABLE)) == [*shown(seen), sorted(ROWS[missing])]  # type: ignore[misc]


def test_what_is_found_may_be_a_corner_for_the_next(lying: list[Read]) -> None:
    """Of a row of three the last two are found one after the other."""
    lying.extend(pool())
    seen = pool((1, 1), (2, 1))
    found = completed(READER, seen, seen, TABLE)
    assert shown(found) == [*shown(seen), [1, 5], [2, 4]]  # type: ignore[misc]


def test_two_that_were_read_across_are_read_as_they_lie(lying: list[Read]) -> None:
    """Of 1-5 and 2-4 beside each other the halves that touch show 1-2 and 4-5: the 1-2 lies elsewhere."""
    lying.extend(pool())
    (x, y), (beside, _) = at(1, 1), at(2, 1)
    across = [domino((1, 2), (x + beside) / 2, y + 12, 0.0), domino((1, 3), (x + beside) / 2, y - 12, 0.0)]
    seen = [*pool((1, 1), (2, 1)), *across]
    assert shown(completed(READER, seen, seen, TABLE)) == [*shown(seen[:4]), [1, 5], [2, 4]]  # type: ignore[misc]


@pytest.mark.parametrize("there", [
    domino((1, 2), *at(2, 1)), domino((2, 4), *at(2, 1), there=0.6), domino((2, 4), at(2, 1)[0] + 40, 59),
])  # fmt: skip
def test_what_lies_elsewhere_or_is_hardly_seen_is_not_believed(there: Read, lying: list[Read]) -> None:
    """Nor what lies beside the place that was looked at."""
    lying.append(there)
    seen = pool((2, 1))
    assert completed(READER, seen, seen, TABLE) is None


def test_where_another_domino_lies_none_is_found(lying: list[Read]) -> None:
    """What lies across and is seen nowhere else is no pair of halves."""
    lying.extend(pool())
    seen = [*pool((2, 1)), domino((5, 5), at(2, 1)[0], at(2, 1)[1] + 12, 0.0)]
    assert completed(READER, seen, seen, TABLE) is None


def test_a_game_that_is_all_seen_or_does_not_tell_is_not_looked_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """No reader is asked where nothing lacks, nor where nobody knows; nor of a row alone or of two."""

    def fail_if_asked(_reader: PieceReader, spots: Sequence[Spotted]) -> list[Read]:
        return pytest.fail("nothing lacks") if spots else []

    monkeypatch.setattr(PieceReader, "dominoes", fail_if_asked)
    everything = [(low, high) for low in range(1, 6) for high in range(low, 6)]
    whole = [domino(pips, -150 + 30.0 * (k % 8), 60.0 * (k // 8)) for k, pips in enumerate(everything)]
    assert completed(READER, whole, whole, TABLE) is None
    any_game = Expecting(type(BELONGINGS)(), SETTING.plan, TABLE)
    for seen, game in ((pool((2, 1)), any_game), (pool()[:3], GAME), (pool()[:2], GAME)):
        assert completed(PieceReader(PICTURE, game), seen, seen, TABLE) is None
