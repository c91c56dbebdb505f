"""Photos of sheets are kept small: for an hour, within a budget of bytes, never larger than is read."""

import cv2
import numpy as np
import pytest

from vision.sheet_cells import Picture
from web.album import BUDGET, KEPT_S, LONGEST_PX, Album, Photo
from web.guard import TOKEN_HEADER, Door
from web.sheet_pages import standalone

SENT = (5000, 300)
"""Width and height of a photo that is longer than any that is kept."""


class AlbumClock:
    """A clock that is set by hand."""

    now = 100.0

    def __call__(self) -> float:
        """The time."""
        return self.now


@pytest.fixture(scope="module")
def noise() -> Picture:
    """A picture that no JPEG makes small."""
    return np.random.default_rng(3).integers(0, 256, (2300, 2300, 3), np.uint8)


def plain() -> Photo:
    """A photo that is still to be tapped, and takes hardly any room."""
    return Photo(image=np.full((20, 30, 3), 128, np.uint8))


def test_a_photo_is_forgotten_after_an_hour() -> None:
    """A minute before it is there; a minute after it is not, whether anything else was sent or not."""
    clock = AlbumClock()
    album = Album(clock=clock)
    name = album.put(plain())
    clock.now += KEPT_S - 60
    later = album.put(plain())
    assert album.get(name) is not None
    assert album.jpeg(name)
    clock.now += 120
    assert album.get(name) is None
    assert album.jpeg(name) is None
    assert album.get(later) is not None


def test_photos_together_stay_within_their_bytes(noise: Picture) -> None:
    """Five of five megabytes are too many: the oldest goes, though six may be kept; four were not."""
    album = Album()
    names = [album.put(Photo(image=noise)) for _ in range(4)]
    size = len(album.jpeg(names[0]) or b"")
    assert 4 * size < BUDGET < 5 * size
    names.append(album.put(Photo(image=noise)))
    assert [album.jpeg(name) is not None for name in names] == [False, *[True] * 4]


def test_only_so_many_photos_are_kept() -> None:
    """However small they are: of seven the first is forgotten."""
    album = Album()
    names = [album.put(plain()) for _ in range(7)]
    assert [album.get(name) is not None for name in names] == [False, *[True] * 6]


def test_a_photo_is_made_smaller_before_it_is_kept() -> None:
    """What its corners are tapped on is 4096 pixels long at most, and in the same form."""
    album, door = Album(), Door()
    client = standalone(album, door).test_client()
    wide, high = SENT
    sent = cv2.imencode(".png", np.full((high, wide, 3), 200, np.uint8))[1].tobytes()
    head = {TOKEN_HEADER: door.token, "Content-Type": "application/octet-stream"}
    answer = client.post("/sheets/read", data=sent, headers=head)
    assert answer.status_code == 422  # no map is on it: its corners are to be tapped
    told = answer.get_json()
    kept = cv2.imdecode(np.frombuffer(client.get(f"/sheets/{told['photo']}/photo.jpg").data, np.uint8), 1)
    assert kept is not None
    assert [*kept.shape[1::-1]] == told["size"] == [LONGEST_PX, round(high * LONGEST_PX / wide)]
