"""A second look finds what must lie on a board, in its place or near by, and nothing else."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from engine.dominoids.table import BELONGINGS
from engine.scene import Guess, Sighting
from simulation.setting import TableSetting
from tests.vision.pieces.made import SIZE, domino, square, table_of
from vision.photos.picture_reading import agreed
from vision.pieces.each import PieceReader
from vision.pieces.expecting import Expecting
from vision.pieces.finder import Spotted
from vision.pieces.patches import Picture
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout
from vision.pieces.second_look import Lack, dice_looked_again, looked_again, wanted
from vision.pieces.table_scene import scene_of

SETTING = TableSetting("dominoids", 3)
TABLE = table_of(SETTING)
GAME = Expecting(BELONGINGS, SETTING.plan, TABLE)
PICTURE: Picture = np.zeros((SIZE[1], SIZE[0], 3), dtype=np.uint8)
PX_A_MM = 1 / TABLE.camera.mm_per_px()


def seen_at(x: float, y: float, height_mm: float) -> tuple[float, float]:
    """Where a place of the board is in the picture."""
    point = np.array([SETTING.plan.regions["board"].place_mm(x, y)])
    px, py = TABLE.camera.to_pixels(point, np.array([height_mm]))[0]
    return float(px), float(py)


def tile(a: int, b: int, x: float, y: float, angle: float) -> Read:
    """A domino on the board, as read by itself."""
    return domino((a, b), seen_at(x, y, 10.0), angle=angle, length=48 * PX_A_MM)


def reading_of(*pieces: Read) -> Readout:
    """A reading of these pieces."""
    found = agreed(SIZE, pieces, None, TABLE)
    return Readout(found.size, found.pieces, {}, TABLE, found.places, pieces)


class Looks:
    """Stands for the readers: shows what lies where somebody looks, and keeps where that was."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *there: Read) -> None:
        self.there, self.at = there, list[Spotted]()
        monkeypatch.setattr(PieceReader, "every", lambda _, spots, **__: self.seen(spots))

    def seen(self, spots: Sequence[Spotted]) -> list[Read]:
        """What lies at these spots."""
        self.at += spots
        return [
            one
            for spot in spots
            for one in self.there
            if one.kind == spot.kind and math.dist(one.middle, (spot.x, spot.y)) < 8
        ]


WANT = Lack("domino", 3.0, 3.5, 90.0, {"pips": [2, 5]})


@pytest.mark.parametrize(("x", "y", "angle"), [(3, 3.5, 90), (3.5, 3, 0), (3, 4.5, 90), (5.5, 5, 0)])
def test_a_domino_that_was_missed_is_found_where_it_was_or_near_by(
    monkeypatch: pytest.MonkeyPatch, x: float, y: float, angle: float
) -> None:
    """Where it lies it is read, and stands in the reading as if it had been found."""
    Looks(monkeypatch, tile(5, 2, x, y, angle))
    found = looked_again(PICTURE, reading_of(tile(1, 3, 6.5, 7, 0)), SETTING.plan, GAME, [WANT])
    assert len(found.pieces) == 2
    lies = [
        (one.x, one.y) for one in scene_of(found, SETTING.plan).sightings if one.value != {"pips": [1, 3]}
    ]
    assert lies == [(pytest.approx(x, abs=0.1), pytest.approx(y, abs=0.1))]


def test_another_piece_or_a_doubted_one_is_not_taken_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is wanted must be what is read there, and clearly."""
    reading = reading_of(tile(1, 3, 6.5, 7, 0))
    Looks(monkeypatch, tile(5, 3, 3, 3.5, 90))
    assert looked_again(PICTURE, reading, SETTING.plan, GAME, [WANT]) is reading
    doubted = tile(5, 2, 3, 3.5, 90)
    Looks(monkeypatch, Read(**{**doubted.__dict__, "there": 0.6}))
    assert looked_again(PICTURE, reading, SETTING.plan, GAME, [WANT]) is reading


def test_a_domino_that_was_turned_over_is_seen_where_it_lay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its back is told, if it is seen clearly and nowhere else, though the game has no closed dominoes."""
    reading = reading_of(tile(1, 3, 6.5, 7, 0))
    for x, y, there, found in ((3, 3.5, 0.99, True), (3, 4.5, 0.99, False), (3, 3.5, 0.95, False)):
        back = Read(**{**tile(5, 2, x, y, 90).__dict__, "face": "down", "ranked": ((None, 1.0),)})
        Looks(monkeypatch, Read(**{**back.__dict__, "there": there}))
        seen = looked_again(PICTURE, reading, SETTING.plan, GAME, [WANT])
        assert [one.face for one in seen.pieces if one.value is None] == (["down"] if found else [])


def test_nothing_is_looked_for_that_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A domino that has gone elsewhere has not been missed, and clear pieces leave no room for others."""
    looks = Looks(monkeypatch)
    looked_again(PICTURE, reading_of(tile(2, 5, 7.5, 7, 0)), SETTING.plan, GAME, [WANT])
    assert looks.at == []
    looked_again(PICTURE, reading_of(tile(1, 3, 3, 3.5, 90)), SETTING.plan, GAME, [WANT])
    there = seen_at(3, 3.5, 10.0)
    assert looks.at
    assert all(math.dist((spot.x, spot.y), there) > 10 for spot in looks.at)


def test_what_a_set_up_lacks_is_looked_for_in_its_place_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of whatever suit the pawn is."""
    pawn = square("pawn", {"suit": "moons"}, seen_at(6, 2, 21.0), 15 * PX_A_MM)
    looks = Looks(monkeypatch, pawn)
    reading = reading_of(tile(1, 3, 6.5, 7, 0))
    found = looked_again(PICTURE, reading, SETTING.plan, GAME, [Lack("pawn", 6, 2), Lack("pawn", 2, 3)])
    assert [one.value for one in found.pieces if one.kind == "pawn"] == [{"suit": "moons"}]
    assert len(looks.at) == 2


@pytest.mark.parametrize(("there", "many"), [(0.7, 1), (0.5, 0)])
def test_what_a_set_up_lacks_need_only_be_likely(
    monkeypatch: pytest.MonkeyPatch, there: float, many: int
) -> None:
    """It must lie there; how likely it was seen is told with it."""
    coin = square("coin", {"suit": "suns", "value": None}, seen_at(8, 6, 9.4), 20 * PX_A_MM)
    Looks(monkeypatch, Read(**{**coin.__dict__, "there": there}))
    found = looked_again(PICTURE, reading_of(tile(1, 3, 6.5, 7, 0)), SETTING.plan, GAME, [Lack("coin", 8, 6)])
    assert [one.value for one in found.pieces if one.kind == "coin"] == [coin.value] * many


@pytest.mark.parametrize(("suit", "there", "many"), [("moons", 0.7, 1), ("moons", 0.5, 0), ("suns", 0.7, 0)])
def test_a_pawn_that_was_there_need_only_rather_be_the_one_that_it_was(
    monkeypatch: pytest.MonkeyPatch, suit: str, there: float, many: int
) -> None:
    """Who knows its suit is not as easily led astray; another suit's is not taken for it."""
    pawn = square("pawn", {"suit": suit}, seen_at(6, 2, 21.0), 15 * PX_A_MM)
    Looks(monkeypatch, Read(**{**pawn.__dict__, "there": there}))
    wants = [Lack("pawn", 6, 2, value={"suit": "moons"})]
    found = looked_again(PICTURE, reading_of(tile(1, 3, 6.5, 7, 0)), SETTING.plan, GAME, wants)
    assert [one.value for one in found.pieces if one.kind == "pawn"] == [pawn.value] * many


def test_what_was_seen_on_the_board_is_wanted_there() -> None:
    """Not what lies beside it, nor what could not be read."""
    guess = (Guess({"suit": "suns"}, 1.0),)
    board, box = (Sighting("pawn", region, 2, 3, guesses=guess) for region in ("board", "pool"))
    assert wanted([board, box, Sighting("pawn", "board", 4, 4)]) == (
        Lack("pawn", 2, 3, 0.0, {"suit": "suns"}),
    )


DICE = SETTING.plan.regions["chosen-dice"]
VALUE = {"set": "piecepack", "suit": None, "face": "null", "crosses": None}


def die_at(x: float, y: float, there: float = 0.99) -> Read:
    """A worn blank so many millimetres from the middle of the dice of the turn."""
    point = np.add(DICE.centre_mm, (x, y))
    px, py = TABLE.camera.to_pixels(point[None], np.array([15.0]))[0]
    one = square("die", VALUE, (float(px), float(py)), 15 * PX_A_MM)
    return Read(**{**one.__dict__, "there": there})


def lay(x: float, y: float, region: str = "chosen-dice") -> Sighting:
    """The same as it was seen before."""
    return Sighting("die", region, x, y, guesses=(Guess(VALUE, 0.99),))


def test_a_die_that_was_missed_is_found_where_it_lay(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is hardly seen at all, and nobody took it."""
    looks = Looks(monkeypatch, die_at(10, 20))
    reading = reading_of(tile(1, 3, 6.5, 7, 0), die_at(-20, 20))
    before = [lay(10, 20), lay(-20, 20), Sighting("pawn", "board", 2, 2), lay(3, 3, "board"), lay(0, 0, "")]
    found = dice_looked_again(PICTURE, reading, SETTING.plan, GAME, before)
    assert sum(one.kind == "die" for one in found.pieces) == 2
    assert len(looks.at) == 1


def test_a_die_is_missed_only_while_the_game_lacks_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where four lie none is looked for, nor where what is seen is no clear die, nor without a table."""
    looks = Looks(monkeypatch, die_at(10, 20))
    four = reading_of(*(die_at(-20, y) for y in (-40, -10, 20, 50)))
    assert dice_looked_again(PICTURE, four, SETTING.plan, GAME, [lay(10, 20)]) is four
    three = reading_of(*(die_at(-20, y) for y in (-10, 20, 50)))
    assert dice_looked_again(PICTURE, three, SETTING.plan, GAME, [lay(-20, 20), lay(-19, 52)]) is three
    assert looks.at == []
    Looks(monkeypatch, die_at(10, 20, there=0.7))
    assert dice_looked_again(PICTURE, three, SETTING.plan, GAME, [lay(10, 20)]) is three
    nowhere = Readout(SIZE, (), {})
    assert dice_looked_again(PICTURE, nowhere, SETTING.plan, GAME, [lay(10, 20)]) is nowhere
