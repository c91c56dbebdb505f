"""What was put down and cannot be read: told where it lies, as long as it does."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

from calibration.table_finder import Table
from device.live import unread
from device.live.unread import Unread
from vision.pieces.mat import OnTable
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout
from vision.view import Box, TableView

AROUND: Box = (90, 90, 150, 130)


def _read(x: float = 120.0, y: float = 110.0, *, face: str = "up", there: float = 0.99) -> Read:
    corners = np.array([(x - 24, y - 12), (x + 24, y - 12), (x + 24, y + 12), (x - 24, y + 12)], dtype=float)
    return Read("domino", face, (({"pips": [0, 0]}, 0.84),), there, corners, 0.0)


@pytest.fixture(autouse=True)
def _a_pixel_is_a_millimetre(monkeypatch: pytest.MonkeyPatch) -> None:
    def standing(pieces: Sequence[Read], _table: Table) -> list[OnTable]:
        return [OnTable(float(one.middle[0]), float(one.middle[1]), 0.0) for one in pieces]

    monkeypatch.setattr(unread.mat, "standing", standing)


def _look(view: int, *changed: Box) -> TableView:
    return TableView(np.zeros((1, 1, 3), np.uint8), float(view), view, changed=changed)


def _reading(alone: Sequence[Read], pieces: Sequence[Read] = ()) -> Readout:
    table: Any = object()
    places = [OnTable(float(one.middle[0]), float(one.middle[1]), 0.0) for one in pieces]
    return Readout((640, 480), tuple(pieces), {}, table, tuple(places), tuple(alone))


def _told(
    known: list[Unread], look: TableView, alone: Sequence[Read], pieces: Sequence[Read] = ()
) -> list[OnTable]:
    """Where something lies that cannot be read; everything that is kept is believed."""
    reading = _reading(alone, pieces)
    known[0] = known[0].read(reading, range(len(pieces)), look)
    found = known[0].told(reading)
    assert all(one.value is None for one in found.pieces)
    return [*found.places]


def _begun() -> list[Unread]:
    known = [Unread()]
    assert _told(known, _look(1), []) == []
    return known


def test_what_came_and_is_not_believed_lies_there() -> None:
    """It is told again and again, also by a look that does not see it, until it is taken away."""
    known = _begun()
    here = [OnTable(120.0, 110.0, 0.0)]
    assert _told(known, _look(2, AROUND), [_read()]) == here
    assert _told(known, _look(2, AROUND), []) == here
    assert _told(known, _look(3, (300, 300, 360, 340)), []) == here
    assert _told(known, _look(4, AROUND), []) == []


def test_a_knocked_camera_moves_it_in_the_picture_alone() -> None:
    """What is still seen where it lay on the table is the same, wherever the gate sees changes."""
    known = _begun()
    _told(known, _look(2, AROUND), [_read()])
    assert _told(known, _look(3, (0, 0, 640, 480)), [_read(124.0)]) == [OnTable(124.0, 110.0, 0.0)]


def test_once_it_is_read_it_is_no_riddle() -> None:
    """A better look believes it."""
    known = _begun()
    _told(known, _look(2, AROUND), [_read()])
    assert _told(known, _look(2, AROUND), [_read()], [_read()]) == []
    assert _told(known, _look(3), [], []) == []


@pytest.mark.parametrize(
    "one", [_read(there=0.6), _read(face="down"), _read(300.0), replace(_read(), kind="coin")]
)
def test_only_what_is_plainly_a_tile_and_came_there_counts(one: Read) -> None:
    """No shadow, nothing closed, nothing where the picture is as it was, no other kind of piece."""
    assert _told(_begun(), _look(2, AROUND), [one]) == []


def test_what_was_seen_before_has_not_come() -> None:
    """A print on the cloth is there in every view, whatever changes around it."""
    known = [Unread()]
    assert _told(known, _look(1, AROUND), [_read()]) == []
    assert _told(known, _look(2, AROUND), [_read()]) == []


def test_what_lies_across_pieces_that_are_believed_is_they() -> None:
    """Two tiles side by side look like a third one between them."""
    pieces = [_read(96.0), _read(144.0)]
    assert _told(_begun(), _look(2, AROUND), [_read(), *pieces], pieces) == []
