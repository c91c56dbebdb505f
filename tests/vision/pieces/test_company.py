"""A piece is believed by how it agrees with the others on its table, within bounds."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

from simulation.setting import TableSetting  # OpenCV may be missing
from tests.vision.pieces.made import table_of
from vision.pieces import company
from vision.pieces.mat import TOP_MM
from vision.pieces.patches import rectangle
from vision.pieces.piece_read import Read
from vision.pieces.sureness import SORTS, sort_of, sure

TABLE = table_of(TableSetting("draw-game"))
LIGHT = (92.0, 1.0, 8.0)


def back(x_mm: float, y_mm: float, there: float = 0.99, colour: tuple[float, float, float] = LIGHT) -> Read:
    """A domino face down that lies there."""
    corners = rectangle(x_mm, y_mm, 48.0, 24.0, 0.0)[::-1]
    pixels = TABLE.camera.to_pixels(corners, np.full(4, TOP_MM["domino"]))
    return Read(
        "domino", "down", ((None, 1.0),), there, pixels, 0.0, colour=colour, rim=2.0, spotted=0.9 * there
    )


def coin(suit: str, chance: float) -> Read:
    """A coin that most likely shows this suit."""
    other = {"suit": "moons", "value": None}
    corners = TABLE.camera.to_pixels(rectangle(0.0, 90.0, 19.0, 19.0, 0.0), np.full(4, 3.0))
    return Read("coin", "down", (({**other, "suit": suit}, chance), (other, 1 - chance)), 0.99, corners, 0.0)


ROWS = [back(52.0 * column - 120, 30.0 * row - 100) for column in range(5) for row in range(4)]


def test_a_back_among_twenty_of_its_kind_is_believed_more_than_a_plank() -> None:
    """As sure by itself, it is believed beside others like it; of another colour it is a plank."""
    doubted = back(140.0, -100.0, 0.9)
    fits = company.believed([*ROWS, doubted], [*ROWS, doubted], TABLE)[-1]
    strange = replace(doubted, colour=(45.0, 12.0, 25.0), rim=14.0)
    beside = company.believed([*ROWS, strange], [*ROWS, strange], TABLE)[-1]
    assert fits.confidence > 0.97 > beside.confidence
    assert fits.confidence > beside.confidence + 0.02


def test_all_readings_stay_and_their_chances_are_shares() -> None:
    """Nothing is dropped or changed but how much it is believed; what else it may be shares the rest."""
    given = [*ROWS, coin("suns", 0.7), back(0.0, 100.0, 0.5)]
    told = company.believed(given, given, TABLE)
    for before, after in zip(given, told, strict=True):
        assert (before.kind, before.value, before.face) == (after.kind, after.value, after.face)
        assert after.in_company
        assert 0 <= after.confidence <= 1
        assert 0 <= after.there <= 1
        assert sum(p for _, p in after.ranked) <= 1 + 1e-9
        assert all(p <= after.ranked[0][1] + 1e-9 for _, p in after.ranked)


def face(x_mm: float, y_mm: float, pips: tuple[int, int], like: Read) -> Read:
    """An open domino that lies there and is read clearly, as light and as sure as another piece."""
    values = (({"pips": list(pips)}, 0.99), ({"pips": [0, 0]}, 0.01))
    return replace(back(x_mm, y_mm), face="up", ranked=values, **vars_of(like))


def vars_of(like: Read) -> dict[str, object]:
    """How a piece looks and how it was found, whatever it shows."""
    return {"there": like.there, "colour": like.colour, "rim": like.rim, "spotted": like.spotted}


def test_what_is_like_no_other_is_hardly_a_piece_whatever_it_shows() -> None:
    """Dots of a cloth read as a 4-4 are no domino with other pips: they are doubted to be one at all."""
    red, cloth = back(0, 0, colour=(45.0, 60.0, 45.0)), replace(back(0, 0, 0.9), spotted=0.12, rim=0.3)
    line = [face(48.5 * k - 120, 0.0, (k, k + 1), red) for k in range(6)]
    dots = face(30.0, 90.0, (4, 4), replace(cloth, colour=(63.0, -17.0, 27.0)))
    told = company.believed([*line, dots], [*line, dots], TABLE)
    assert min(one.there for one in told[:-1]) > 0.9, told[0].there
    assert told[-1].there < 0.2
    assert told[-1].ranked[0][1] == pytest.approx(0.99)


def test_no_company_tells_one_value_from_another() -> None:
    """A coin that may as well show moons is asked about, however clear everything else is."""
    even = coin("suns", 0.55)
    told = company.believed([*ROWS, even], [*ROWS, even], TABLE)[-1]
    assert told.confidence <= company.most(even)
    assert company.most(even) < 0.97
    assert not sure(told)


@pytest.mark.parametrize(("of", "as_read"), [("piecepack", True), ("kingdomino-duel", True), ("pips", False)])
def test_a_die_of_a_game_is_believed_as_it_was_read(of: str, as_read: bool) -> None:
    """No neighbour tells what was thrown; but an ordinary die may be none."""
    die = Read("die", "up", (({"set": of, "face": "2"}, 0.97),), 0.99, ROWS[0].corners - 60.0, 0.0)
    assert (company.believed([*ROWS, die], [*ROWS, die], TABLE)[-1] is die) == as_read


def test_what_shines_is_asked_about() -> None:
    """Where a back is all white, nobody can know that it is no face."""
    shining = back(140.0, -100.0, colour=(99.9, 0.0, 0.0))
    told = company.believed([*ROWS, shining], [*ROWS, shining], TABLE)[-1]
    assert told.confidence <= 0.9
    assert not sure(told)
    assert company.most(replace(shining, kind="tile")) > 0.99  # a tile of the board hides no face


def test_a_rival_for_its_place_counts_and_a_man_on_it_does_not() -> None:
    """The numbers of a piece heed what else claims its place, unless both can be there."""
    one = ROWS[0]
    coin = Read("coin", "up", (({"suit": "suns", "value": None}, 1.0),), 0.9, one.corners + 1.0, 0.0)
    man = replace(coin, kind="soldier")
    alone, with_coin, with_man = (
        company.features([one], [one, *more], TABLE)[0] for more in ([], [coin], [man])
    )
    assert (alone == with_man).all()
    assert not (alone == with_coin).all()


def test_a_table_without_pieces_has_no_company() -> None:
    """Nothing is nothing."""
    assert company.believed([], [], TABLE) == []


def test_every_sort_has_its_own_number() -> None:
    """The first numbers say the sort."""
    row = company.features([ROWS[0]], [ROWS[0]], TABLE)[0]
    assert SORTS[int(row[: len(SORTS)].argmax())] == sort_of(ROWS[0]) == "back"
