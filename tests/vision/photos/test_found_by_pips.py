"""Faces are found by the pips of their make, wherever they lie; sides seen aslant and chance pips are not."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tests.vision.pieces.made import DIE, square
from vision.photos.found_by_pips import faces_in, with_faces_found
from vision.photos.one_make import Make
from vision.pieces.each import PieceReader
from vision.pieces.finder import Spotted
from vision.pieces.patches import Picture
from vision.pieces.piece_read import Read
from vision.pieces.pips import DIE as PATTERNS
from vision.pieces.sureness import sure

BODY, INK, SIDE, SPACING = (150, 90, 20), (245, 245, 245), 60, 0.45
MAKE = Make(np.array([0.0, 0.0, 1.0]), 20.0, 245.0, 5.0, SPACING)
EACH = [(k, count) for k, count in enumerate(PATTERNS.counts) if count > 1]


def window(
    pattern: int, at: tuple[float, float] = (0, 0), turn: float = 0, squeezed: float = 1, more: int = 0
) -> np.ndarray:
    """A window on a die with this pattern there (in halves of a side), and a pip more than it has."""
    picture = np.full((120, 120, 3), BODY, np.uint8)
    count = PATTERNS.counts[pattern]
    places = [*PATTERNS.places[pattern, :count], *([(0.5, 0.45)] * more)]
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    for px, py in places:
        x, y = px * SPACING, py * SPACING * squeezed
        x, y = at[0] + c * x - s * y, at[1] + s * x + c * y
        middle = (round(16 * (59.5 + 20 * x)), round(16 * (59.5 + 20 * y)))
        cv2.circle(picture, middle, round(16 * 3.2), INK, -1, cv2.LINE_AA, 4)
    return picture.astype(float)


@pytest.mark.parametrize(("pattern", "count"), EACH)
@pytest.mark.parametrize(("at", "turn"), [((0, 0), 0), ((0.5, -0.3), 17), ((-0.4, 0.4), 70)])
def test_every_pattern_is_found_where_it_lies(
    pattern: int, count: int, at: tuple[float, float], turn: float
) -> None:
    """Turned and off the middle, and nothing else is found."""
    (face,) = faces_in(window(pattern, at, turn), MAKE)
    assert face.count == count
    assert (face.x, face.y) == pytest.approx(at, abs=0.06)
    assert face.size == pytest.approx(1.0, abs=0.08)


@pytest.mark.parametrize(("pattern", "count"), EACH)
def test_a_side_seen_aslant_is_no_face(pattern: int, count: int) -> None:
    """Its pips lie closer together one way."""
    assert count
    assert not faces_in(window(pattern, squeezed=0.4), MAKE)


@pytest.mark.parametrize(("pattern", "count"), EACH)
def test_a_pip_too_many_makes_no_pattern(pattern: int, count: int) -> None:
    """What lies between belongs to the face, or to no die."""
    assert all(face.count != count for face in faces_in(window(pattern, more=1), MAKE))


def test_a_face_too_far_off_is_of_another_die() -> None:
    """It is found from a place of its own."""
    assert not faces_in(window(EACH[0][0], at=(1.2, 0.0)), MAKE)


def throw() -> tuple[Picture, list[Read]]:
    """Five dice of one make that were read surely, and a 3 that was read as a pawn off its middle."""
    picture = np.full((280, 420, 3), (70, 110, 150), np.uint8)
    pieces = []
    for k, count in enumerate((2, 3, 4, 5, 6, 3)):
        x, y = 70 + 140 * (k % 3), 70 + 140 * (k // 3)
        cv2.rectangle(picture, (x - 32, y - 32), (x + 32, y + 32), BODY, -1)
        pattern = next(n for n, c in EACH if c == count)
        for px, py in PATTERNS.places[pattern, :count]:
            at = (round(16 * (x + 30 * SPACING * px)), round(16 * (y + 30 * SPACING * py)))
            cv2.circle(picture, at, 16 * 5, INK, -1, cv2.LINE_AA, 4)
        one = square("die", {**DIE, "face": str(count)}, (x, y), SIDE, p=1.0, there=1.0)
        pieces.append(Read(**{**vars(one), "counted": count}))
    noise = np.random.default_rng(3).normal(0, 3, picture.shape)
    picture = np.clip(cv2.GaussianBlur(picture, (0, 0), 1.0) + noise, 0, 255).astype(np.uint8)
    pawn = square("pawn", {"suit": None}, (360, 218), SIDE, there=0.8)
    return picture, [*pieces[:-1], pawn]


def reader(monkeypatch: pytest.MonkeyPatch, face: str, p: float) -> list[Spotted]:
    """The reader of dice sees this face, so surely, wherever it is asked; where that was."""
    asked: list[Spotted] = []

    def small(_: PieceReader, spots: Sequence[Spotted], *, as_dice: bool) -> list[Read]:
        assert as_dice
        asked.extend(spots)
        return [square("die", {**DIE, "face": face}, (s.x, s.y), s.length, p=p, there=0.99) for s in spots]

    monkeypatch.setattr(PieceReader, "small", small)
    return asked


def test_a_die_taken_for_something_else_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is told where its pips are, in the place of what was in doubt there."""
    asked = reader(monkeypatch, "3", 0.99)
    picture, pieces = throw()
    told = with_faces_found(picture, pieces, [])
    assert [(s.x, s.y) for s in asked] == [pytest.approx((350, 210), abs=2)]
    assert told[:-1] == pieces[:-1]
    assert told[-1].kind == "die"
    assert told[-1].value == {**DIE, "face": "3"}
    assert sure(told[-1])


def test_a_die_that_was_not_read_at_all_is_found_where_the_finder_saw_something(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What it saw faintly, or of another size, is left alone."""
    reader(monkeypatch, "3", 0.99)
    picture, pieces = throw()
    spot = Spotted("soldier", 356.0, 205.0, 70.0, 70.0, 0.0, 0.6)
    assert len(with_faces_found(picture, pieces[:-1], [spot])) == 6
    for vain in (
        Spotted("die", 356.0, 205.0, 70.0, 70.0, 0.0, 0.2),
        Spotted("die", 356.0, 205.0, 20.0, 20.0, 0.0, 0.6),
    ):
        assert with_faces_found(picture, pieces[:-1], [vain]) == pieces[:-1]


@pytest.mark.parametrize(("face", "p"), [("3", 0.9), ("5", 0.99)])
def test_the_reader_must_see_it_too(face: str, p: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern that the network does not see there may be made of two sides, or of chance glints."""
    reader(monkeypatch, face, p)
    picture, pieces = throw()
    assert with_faces_found(picture, pieces, []) == pieces


def test_sure_pieces_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is looked for where something was read surely."""
    asked = reader(monkeypatch, "3", 0.99)
    picture, pieces = throw()
    coin = square("coin", {"suit": None, "value": "2"}, (352, 212), SIDE)
    assert with_faces_found(picture, [*pieces[:-1], coin], []) == [*pieces[:-1], coin]
    assert not asked


def test_without_a_make_nothing_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three sure dice are too few."""
    asked = reader(monkeypatch, "3", 0.99)
    picture, pieces = throw()
    few = [*pieces[:3], pieces[-1]]
    assert with_faces_found(picture, few, []) == few
    assert not asked
