"""Who has the box's camera: a match has it alone, whoever looked before or looks meanwhile."""

import threading
import time
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

from device.live.ports import Away, Shot
from device.service import aiming, host
from device.service.aiming import Aiming
from device.service.box import Open, Seating, Wanted
from device.service.front import Front
from device.service.host import Host
from device.service.kept_camera import EXCHANGED_S, REST_S, KeptCamera
from device.settings import Settings


class Counting:
    """A camera whose pictures are numbered, and which ends once it is let go."""

    recorded = False

    def __init__(self) -> None:
        self.given = 0
        self.closed = False
        self.focused = 0
        self.told = {"words": "large 4608×2592, watched 1280×720"}
        self.asked: list[int] = []
        self.away: Away | None = None

    def next(self, _timeout_s: float) -> Shot | Away | None:
        """The next picture."""
        if self.closed:
            return None
        self.given += 1
        return self.away or Shot(self.given, 0.0, np.full((9, 12, 3), 128, np.uint8))

    def ask_large(self, count: int = 1, _share: float = 1.0) -> bool:
        """Ask for large pictures."""
        self.asked.append(count)
        return True

    def came_large(self) -> list[Shot]:
        """One that has come."""
        return [Shot(0, 0.0, np.zeros((18, 24, 3), np.uint8))]

    def focus_again(self) -> bool:
        """Focus anew."""
        self.focused += 1
        return True

    def close(self) -> None:
        """Let go."""
        self.closed = True


class Lent:
    """A box's camera under a clock of the test's, whose threads are over at once."""

    def __init__(self) -> None:
        self.now = 0.0
        self.opened: list[Counting] = []
        self.camera = KeptCamera(self._open, clock=lambda: self.now)
        self._others = set(threading.enumerate())

    def _open(self) -> Counting:
        self.opened.append(Counting())
        return self.opened[-1]

    def idle(self) -> int:
        """How many threads keep the camera warm."""
        return len(self._warm())

    def _warm(self) -> list[threading.Thread]:
        """Those threads, without what a test before has left warm in this process."""
        return [one for one in threading.enumerate() if one.name == "idle camera" and one not in self._others]

    def close(self) -> None:
        """End the camera, and wait for the threads that kept it warm."""
        self.camera.close()
        for one in self._warm():
            one.join(5)


@pytest.fixture
def lent() -> Any:
    """A camera that is ended after the test."""
    made = Lent()
    yield made
    made.close()


def numbers(source: Any, count: int) -> list[int]:
    """The numbers of the next pictures; -1 where there is none."""
    found = (source.next(0.1) for _ in range(count))
    return [one.number if isinstance(one, Shot) else -1 for one in found]


def test_a_camera_that_says_why_its_pictures_are_no_good_is_not_called_well(lent: Any) -> None:
    """At once, though a picture came a moment ago; the next good one ends it."""
    source = lent.camera.borrow()
    source.next(0.1)
    assert lent.camera.state().state == "ok"
    lent.opened[0].away = Away("The camera gives 0.8 pictures a second.")
    source.next(0.1)
    assert lent.camera.state().state == "stale"
    assert lent.camera.state().why == "The camera gives 0.8 pictures a second."
    lent.opened[0].away = Away()  # a moment without a picture is no reason
    source.next(0.1)
    lent.opened[0].away = None
    source.next(0.1)
    assert (lent.camera.state().state, lent.camera.state().why) == ("ok", "")


@pytest.mark.parametrize(
    ("why", "told"),
    [
        (
            "The camera gives no picture: it focuses. It is tried again.",
            "The camera gives no picture: it focuses.",
        ),
        ("", "The camera gives no picture yet."),
    ],
)
def test_who_aims_is_told_why_the_camera_gives_no_picture(lent: Any, why: str, told: str) -> None:
    """It may only be focusing; that one is missing, or in a match, is said where nobody has one to lend."""
    looks = Aiming(lent.camera.visit)
    assert looks.look() is not None
    assert looks.blind == ""
    lent.opened[0].away = Away(why)
    assert looks.look() is None
    assert looks.blind == told
    looks.close()
    assert looks.blind == ""
    lent.camera.borrow()
    assert looks.look() is None
    assert looks.blind == ""
    looks.close()


@pytest.mark.parametrize("match_first", [False, True])
def test_a_look_never_takes_anything_from_a_match(lent: Any, *, match_first: bool) -> None:
    """Whichever comes first: the match gets every picture, nobody lets go of its camera, and no thread
    fetches from it."""
    looks = Aiming(lent.camera.visit)
    if not match_first:
        assert looks.look() is not None
    match = lent.camera.borrow()
    assert match is not None
    before = lent.opened[0].given
    assert looks.look() is None
    looks.close()
    lent.now += REST_S + 10
    assert lent.idle() == 0
    assert numbers(match, 20) == list(range(before + 1, before + 21))
    assert [one.closed for one in lent.opened] == [False]
    assert match.ask_large(3)
    match.close()
    assert lent.idle() == 1


def test_what_was_given_back_once_is_not_given_back_again(lent: Any) -> None:
    """An old match that closes late does not end the loan of the one that was opened meanwhile."""
    old, new = lent.camera.borrow(), lent.camera.borrow()
    old.close()
    old.close()
    assert lent.idle() == 0
    assert numbers(old, 2) == [-1, -1]
    assert not old.ask_large()
    assert old.came_large() == ()
    assert numbers(new, 3) == [1, 2, 3]
    assert lent.opened[0].asked == []


def test_two_who_look_share_the_camera(lent: Any) -> None:
    """A check of the machine beside a page that aims: neither blinds the other; the last leaves it warm."""
    looks, check = Aiming(lent.camera.visit), lent.camera.visit()
    assert looks.look() is not None
    assert numbers(check, 1) != [-1]
    check.close()
    assert lent.idle() == 0
    assert looks.look() is not None
    looks.close()
    assert lent.idle() == 1
    assert len(lent.opened) == 1


def test_a_second_phone_that_was_left_on_the_aiming_page(lent: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """It looks on, in a thread of its own, while a match begins, goes on and ends: no picture for it then,
    all of them for the match; afterwards it looks again."""
    monkeypatch.setattr(aiming, "KEPT_S", 0.05)
    looks, over = Aiming(lent.camera.visit), threading.Event()
    seen: list[bool] = []

    def phone() -> None:
        while not over.wait(0.01):
            seen.append(looks.picture() is not None)

    thread = threading.Thread(target=phone)
    thread.start()
    try:
        _until(lambda: seen[-1:] == [True])
        match = lent.camera.borrow()
        before = lent.opened[0].given
        for _ in range(30):
            time.sleep(0.01)
            assert isinstance(match.next(0.1), Shot)
        assert lent.opened[0].given == before + 30
        assert not lent.opened[0].closed
        assert seen[-5:] == [False] * 5
        match.close()
        _until(lambda: seen[-1:] == [True])
    finally:
        over.set()
        thread.join()
        looks.close()


def test_only_who_has_the_camera_focuses_it(lent: Any) -> None:
    """Before anybody has looked, and in a match, the aiming page's wish is nobody's."""
    looks = Aiming(lent.camera.visit)
    assert looks.focus_again() is None
    assert looks.look() is not None
    assert looks.focus_again() is True
    match = lent.camera.borrow()
    assert looks.focus_again() is None
    assert match.focus_again() is True
    assert lent.opened[0].focused == 2
    looks.close()


def test_what_the_camera_was_asked_for_is_known_while_it_rests(lent: Any) -> None:
    """As it said last; before it was ever opened nothing."""
    assert lent.camera.state().chosen == ""
    match = lent.camera.borrow()
    match.next(0.1)
    assert lent.camera.state().chosen == "large 4608×2592, watched 1280×720"
    match.close()
    lent.now += REST_S + 1
    _until(lambda: lent.camera.state().state == "none")
    assert lent.camera.state().chosen == "large 4608×2592, watched 1280×720"


class Exchanged(Lent):
    """A box's usual camera, which somebody exchanges for another one."""

    def __init__(self) -> None:
        super().__init__()
        self.there = "webcam:046d:0825"
        self.camera = KeptCamera(self._open, clock=lambda: self.now, usual=lambda: self.there)

    def goes(self, other: str) -> None:
        """The camera gives no picture any more, and ``other`` is there."""
        self.opened[-1].away = Away("there is no camera: plug it in")
        self.there = other


@pytest.fixture
def exchanged() -> Any:
    """The same, ended after the test."""
    made = Exchanged()
    yield made
    made.close()


def test_a_camera_that_was_exchanged_is_taken_by_the_next_who_looks(exchanged: Any) -> None:
    """The open one gives no picture, and another one is there: that one is opened, and not too soon."""
    first = exchanged.camera.visit()
    assert numbers(first, 2) == [1, 2]
    exchanged.goes("webcam:32e4:9230")
    assert numbers(first, 1) == [-1]
    first.close()
    exchanged.now += EXCHANGED_S - 1
    assert numbers(exchanged.camera.visit(), 1) == [-1]
    assert len(exchanged.opened) == 1
    exchanged.now += 2
    assert numbers(exchanged.camera.visit(), 2) == [1, 2]
    assert [one.closed for one in exchanged.opened] == [True, False]
    assert exchanged.camera.state().state == "ok"


def test_a_camera_that_was_exchanged_is_taken_while_somebody_looks(exchanged: Any) -> None:
    """A page that aims is left open meanwhile; the thread that keeps the camera warm finds it as well."""
    looks = exchanged.camera.visit()
    assert numbers(looks, 1) == [1]
    exchanged.goes("picamera")
    exchanged.now += EXCHANGED_S + 1
    assert numbers(looks, 1) == [1]
    exchanged.goes("webcam:046d:0825")
    looks.close()
    assert exchanged.idle() == 1
    exchanged.now += EXCHANGED_S + 1
    _until(lambda: len(exchanged.opened) == 3)
    assert exchanged.camera.state().state == "ok"


@pytest.mark.parametrize("there", ["webcam:046d:0825", ""])
def test_a_camera_that_only_fails_stays_the_one_that_is_tried(exchanged: Any, there: str) -> None:
    """Also where it was pulled, and nothing is there in its place: it may be put back."""
    first = exchanged.camera.visit()
    assert numbers(first, 1) == [1]
    exchanged.goes(there)
    exchanged.now += EXCHANGED_S + 1
    assert numbers(first, 1) == numbers(exchanged.camera.visit(), 1) == [-1]
    exchanged.opened[0].away = None
    assert numbers(first, 1) == [4]
    assert len(exchanged.opened) == 1


def test_a_camera_that_gives_pictures_stays_though_another_one_comes(exchanged: Any) -> None:
    """Whoever plugs in a second camera has not chosen it."""
    first = exchanged.camera.visit()
    assert numbers(first, 1) == [1]
    exchanged.there = "picamera"
    exchanged.now += EXCHANGED_S - 1
    assert numbers(first, 1) == [2]
    assert numbers(exchanged.camera.visit(), 1) == [3]
    assert len(exchanged.opened) == 1


def test_a_match_keeps_its_camera_and_the_next_one_takes_what_is_there(exchanged: Any) -> None:
    """A match counts on the lens of the camera with which it was opened."""
    match = exchanged.camera.borrow()
    assert numbers(match, 1) == [1]
    exchanged.goes("webcam:32e4:9230")
    exchanged.now += EXCHANGED_S + 1
    assert numbers(match, 2) == [-1, -1]
    assert len(exchanged.opened) == 1
    assert numbers(exchanged.camera.borrow(), 1) == [1]
    assert len(exchanged.opened) == 2


def test_a_match_that_is_opened_ends_the_aiming(
    lent: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though nobody has left its page: the box gives the camera back before the match is made."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(host.BoxMatch, "run", lambda _self: None)
    box = Host(Settings(), Front(lambda: cast("Any", None), 8000), tmp_path, camera=lent.camera)
    assert box.aimed() is not None
    assert lent.idle() == 0
    box._open(Open(Wanted(Seating("draw-game", by="hand")), sight=True))
    assert lent.idle() == 1
    assert box._aiming._source is None


def _until(true: Any) -> None:
    end = time.monotonic() + 5
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_camera_that_opens_while_it_is_let_go_of_is_let_go_of_too() -> None:
    """The service ends while somebody borrows: nothing is left open, and nobody has it."""
    found: list[Counting] = []

    def opened() -> Counting:
        found.append(Counting())
        kept.close()
        return found[-1]

    kept = KeptCamera(opened)
    assert kept.borrow() is None
    assert found[0].closed
