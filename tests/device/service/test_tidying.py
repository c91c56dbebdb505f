"""Old pictures give way after each match and once a day, and never to the harm of a match that is wanted."""

import threading
from pathlib import Path
from typing import Any, cast

import pytest

from device.journal.game import began
from device.journal.store import Journal
from device.keeping import old_pictures
from device.keeping.old_pictures import shed
from device.service import host as module
from device.service.box import Closed, Opened, Place, Quit, Seating, Standing, Wanted
from device.service.crashes import CrashFile
from device.service.front import Front
from device.service.host import Host
from device.service.kept_camera import KeptCamera
from device.service.tidying import DAY_S, Tidying
from device.settings import Settings
from tests.device.keeping.test_old_pictures import played
from tests.device.match.match_bench import game


class Day:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


def test_once_a_day_and_after_each_match() -> None:
    """What a start has done is done again a day later, or as soon as a match is over; one at a time."""
    day, begun, go_on = Day(), threading.Semaphore(0), threading.Semaphore(0)

    def work(_stopped: object) -> None:
        begun.release()
        go_on.acquire()

    tidying = Tidying(work, day)
    tidying.look()
    assert not begun.acquire(timeout=0.05)
    for wait_s, closed in ((DAY_S, False), (1.0, True), (DAY_S, False)):
        day.now += wait_s
        if closed:
            tidying.match_closed()
        tidying.look()
        tidying.look()
        assert begun.acquire(timeout=5)
        tidying.look()
        assert not begun.acquire(timeout=0.05)
        go_on.release()
        tidying.make_way()
    tidying.look()
    assert not begun.acquire(timeout=0.05)


def test_a_match_that_is_wanted_waits_for_one_journal_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rest keeps its pictures until after it; and the journal that was at hand is free then."""
    folder = tmp_path / "matches"
    paths = [played(folder / f"{age}.match", age) for age in (1, 2, 3, 4)]
    reached, go_on = threading.Event(), threading.Event()
    real = old_pictures.shed_pictures

    def slow(path: Path) -> bool:
        done = real(path)
        reached.set()
        assert go_on.wait(10)
        return done

    monkeypatch.setattr(old_pictures, "shed_pictures", slow)
    told: list[old_pictures.Shed] = []
    tidying = Tidying(lambda stopped: told.append(shed(tmp_path, 0, stopped=stopped)))
    tidying.match_closed()
    tidying.look()
    assert reached.wait(10)
    wanted = threading.Thread(target=tidying.make_way)
    wanted.start()
    wanted.join(0.2)
    assert wanted.is_alive()
    go_on.set()
    wanted.join(10)
    assert told[0].pictures_of == ("4.match",)
    for path in paths:
        with Journal(path) as journal:
            journal.append(began(game()))


def test_the_box_tidies_in_its_lobby_once_a_match_has_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not while one is played, and not again until another has closed."""
    done: list[Path] = []
    monkeypatch.setattr(module, "shed", lambda state, **_: done.append(state))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    box = Host(Settings(), Front(lambda: cast("Any", None), 8000), tmp_path, camera=KeptCamera(lambda: None))
    box._crashes = CrashFile(tmp_path / "none.json")
    seating = Seating("draw-game")
    box.standing = Standing(Place.MATCH, wanted=Wanted(seating, "a"))
    box.inbox.put(Opened("a", seating))
    turning = threading.Thread(target=box._turns, daemon=True)
    turning.start()
    turning.join(1.2)
    assert not done
    box.inbox.put(Closed())
    turning.join(1.2)
    assert done == [tmp_path]
    box.inbox.put(Quit())
    turning.join(10)
    assert done == [tmp_path]
