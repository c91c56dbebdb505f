"""Reading a table live: only what changed is looked at, and the rest is remembered."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from calibration.camera import Camera, Pose
from simulation.setting import Setting
from tests.vision.pieces.made import SIZE, table_of
from vision.pieces import live
from vision.pieces.finder import Spotted
from vision.pieces.live import WHOLE_AGAIN, TableReader
from vision.pieces.patches import rectangle
from vision.pieces.read import Read
from vision.pieces.reading import Reading

TABLE = table_of(Setting("dominoids"), 0.0)
LONG = 48 / TABLE.camera.mm_per_px()


class Eyes:
    """A finder and a reader for pictures in which a single bright pixel is a domino: its value its number."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.windows: list[tuple[int, int]] = []
        self.read = 0
        monkeypatch.setattr(live.finder, "find", self.find)
        monkeypatch.setattr(live, "read_spotted", self.read_spotted)

    def find(self, part: np.ndarray, scales: Sequence[float], px_a_mm: float) -> list[Spotted]:
        """Every bright pixel of a part."""
        assert len(scales) == 1
        assert px_a_mm > 0
        self.windows.append((part.shape[1], part.shape[0]))
        rows, columns = np.nonzero(part[:, :, 0])
        return [
            Spotted("domino", float(x), float(y), LONG, LONG / 2, 0.0, 0.9)
            for x, y in zip(columns, rows, strict=True)
        ]

    def read_spotted(self, frame: np.ndarray, spotted: Sequence[Spotted], **_: Any) -> list[Read]:
        """The number of each bright pixel; one that is dark in this frame is no piece."""
        self.read += len(spotted)
        out = []
        for one in spotted:
            number = int(frame[round(one.y), round(one.x), 0])
            if number:
                value = {"pips": list(divmod(number, 13))}
                corners = rectangle(one.x, one.y, LONG, LONG / 2, 0.0)
                out.append(Read("domino", "up", ((value, 0.999),), 0.999, corners, 0.0))
        return out


@pytest.fixture(autouse=True)
def eyes(monkeypatch: pytest.MonkeyPatch) -> Eyes:
    """Eyes that count what they look at."""
    return Eyes(monkeypatch)


Places = dict[tuple[int, int], int]
START: Places = {(400, 300): 14, (700, 300): 15, (500, 600): 16, (800, 620): 17}


def frame(places: Places) -> np.ndarray:
    """A picture with a domino at each place."""
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    for (x, y), number in places.items():
        picture[y, x] = number
    return picture


def numbers(reading: Reading) -> list[int]:
    """The numbers read, in order."""
    return sorted(13 * one.value["pips"][0] + one.value["pips"][1] for one in reading.pieces if one.value)


def around(x: int, y: int, margin: int = 50) -> tuple[int, int, int, int]:
    """A box of something that changed."""
    return x - margin, y - margin, x + margin, y + margin


def test_the_first_reading_is_of_the_whole_table_whatever_changed() -> None:
    """There is nothing to remember yet, so boxes make no difference."""
    for changed in (None, [], [around(400, 300)]):
        reading = TableReader(TABLE).read([frame(START)], changed)
        assert numbers(reading) == [14, 15, 16, 17]
        assert len(reading.places) == 4
    assert {"find", "read", "total"} <= reading.ms.keys()
    assert reading.size == SIZE


def test_where_nothing_changed_nothing_is_looked_at(eyes: Eyes) -> None:
    """The old reading is given again."""
    reader = TableReader(TABLE)
    reader.read([frame(START)])
    eyes.windows.clear()
    eyes.read = 0
    assert numbers(reader.read([frame(START)], [])) == [14, 15, 16, 17]
    assert (eyes.windows, eyes.read) == ([], 0)


def test_a_moved_piece_is_read_at_its_new_place_and_gone_from_the_old(eyes: Eyes) -> None:
    """Only the two places are looked at; the readings of all other pieces are the same objects as before."""
    reader = TableReader(TABLE)
    before = reader.read([frame(START)])
    eyes.read = 0
    eyes.windows.clear()
    moved = {**START, (900, 400): 14}
    del moved[(400, 300)]
    # Elsewhere the picture lies: who looks there all the same reads another number.
    moved[(500, 600)] = 99
    after = reader.read([frame(moved)], [around(400, 300), around(900, 400)])
    assert numbers(after) == [14, 15, 16, 17]
    assert eyes.read == 1
    whole = SIZE[0] * SIZE[1]
    assert sum(w * h for w, h in eyes.windows) < 0.3 * whole
    at = {tuple(one.middle.round()) for one in after.pieces}
    assert (900.0, 400.0) in at
    assert (400.0, 300.0) not in at
    assert len(before.pieces) == len(after.pieces)


def test_a_piece_that_reaches_into_a_box_is_read_again() -> None:
    """A box around one half of a domino is enough, and it stays one domino."""
    reader = TableReader(TABLE)
    reader.read([frame(START)])
    changed = {**START, (700, 300): 30}
    half = (700 + round(LONG / 4), 290, 700 + round(LONG), 310)
    assert numbers(reader.read([frame(changed)], [half])) == [14, 16, 17, 30]


def test_boxes_that_lie_together_are_looked_at_once(eyes: Eyes) -> None:
    """Overlapping windows become one, and no piece is read twice."""
    reader = TableReader(TABLE)
    reader.read([frame(START)])
    eyes.windows.clear()
    eyes.read = 0
    reading = reader.read([frame(START)], [around(700, 300, 20), around(730, 320, 20), around(690, 280, 10)])
    assert numbers(reading) == [14, 15, 16, 17]
    assert (len(eyes.windows), eyes.read) == (1, 1)


@pytest.mark.parametrize("odd", [0, 1, 2])
def test_frames_vote(odd: int) -> None:
    """One of three frames that shows another number does not get its way, nor one that shows nothing."""
    frames = [frame(START) for _ in range(3)]
    frames[odd] = frame({**START, (400, 300): 22, (500, 600): 0})
    reading = TableReader(TABLE).read(frames)
    assert numbers(reading) == [14, 15, 16, 17]
    by_number = {13 * one.value["pips"][0] + one.value["pips"][1]: one for one in reading.pieces if one.value}
    assert by_number[14].confidence < by_number[15].confidence - 0.001
    assert by_number[16].confidence < by_number[17].confidence - 0.001


def test_now_and_then_the_whole_table_is_read_again() -> None:
    """Whatever nobody noticed comes to light after so many partial readings at the latest."""
    reader = TableReader(TABLE)
    reader.read([frame(START)])
    unnoticed = frame({**START, (500, 600): 31})
    for _ in range(WHOLE_AGAIN):
        assert numbers(reader.read([unnoticed], [around(700, 300)])) == [14, 15, 16, 17]
    assert numbers(reader.read([unnoticed], [around(700, 300)])) == [14, 15, 17, 31]


def test_much_change_is_a_new_table() -> None:
    """Where most of the table changed, all of it is read."""
    reader = TableReader(TABLE)
    reader.read([frame(START)])
    reading = reader.read([frame({(640, 480): 40})], [(0, 0, SIZE[0], SIZE[1] - 200)])
    assert numbers(reading) == [40]


def test_after_a_bump_everything_is_read_anew() -> None:
    """Places of the old view mean nothing in the new one."""
    reader = TableReader(TABLE)
    reader.read([frame(START)])
    pose = Pose.above(TABLE.camera.pose.eye_mm[2], tilt_deg=2.0)
    reader.move(type(TABLE)(Camera(TABLE.camera.lens, pose), TABLE.markers, 0.0))
    reading = reader.read([frame({(650, 500): 18})], [])
    assert numbers(reading) == [18]


def test_boxes_beyond_the_table_or_the_picture_do_no_harm() -> None:
    """The gate may tell of changes at the rim, or of none on the table at all."""
    reader = TableReader(TABLE)
    reader.read([frame(START)])
    for box in ((-40, -40, 3, 3), (SIZE[0] - 4, SIZE[1] - 4, SIZE[0] + 90, SIZE[1] + 90), (0, 0, 1, 1)):
        assert numbers(reader.read([frame(START)], [box])) == [14, 15, 16, 17]
