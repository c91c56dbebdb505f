"""Cameras that hang, vanish, freeze and come back: the match is told, and never waits for ever."""

import io
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.cameras import frames, webcam
from device.cameras.frames import Frame, FrameKind
from device.cameras.last_told import CameraMemory
from device.cameras.lifeline import Requests
from device.cameras.own_process import Apart, program
from device.cameras.picamera import locked
from device.cameras.virtual import VirtualTable
from device.cameras.wanted import CameraSettings
from device.cameras.watchdog import Order, Patience, Watchdog
from device.health import sight
from device.live.ports import Away, Shot
from simulation.live_table import Conditions, LiveTable
from simulation.people import People
from simulation.temper import Temper
from simulation.whole_game import WholeGame
from tests.device.noise_camera import FILMS

QUICK = Patience(away_s=0.5, hang_s=1.5, start_s=30.0, budget=5, window_s=60.0)


# — the watchdog, under a clock of ours —


def test_a_camera_that_hangs_is_told_after_three_seconds_and_restarted_after_eight() -> None:
    """The players hear of it before the process is killed, and a frame ends it."""
    dog = Watchdog()
    assert dog.order(0.0) is Order.START
    dog.started(0.0)
    dog.frame(1.0)
    assert not dog.away(4.0)
    assert dog.away(4.1)
    assert dog.order(9.0) is Order.NOTHING
    assert dog.order(9.1) is Order.KILL
    dog.ended(9.1)
    assert dog.away(9.1)
    assert dog.order(9.5) is Order.START
    dog.started(9.5)
    assert dog.away(10.0)
    dog.frame(11.0)
    assert not dog.away(11.0)
    assert dog.restarts == 1


def test_a_process_that_ends_without_a_frame_has_been_away_since_it_was_started() -> None:
    """However often it is started anew, people wait from the first time on."""
    dog = Watchdog()
    dog.started(0.0)
    dog.ended(1.6)
    dog.started(1.8)
    assert not dog.away(3.0)
    assert dog.away(3.1)


def test_a_camera_that_sends_the_same_frame_again_and_again_freezes() -> None:
    """After two seconds, if frames come; one that sends nothing hangs, and a new frame ends it."""
    dog = Watchdog()
    dog.started(0.0)
    dog.frame(1.0)
    dog.same(3.0)
    assert not dog.freezes
    dog.same(3.1)
    assert dog.freezes
    dog.frame(3.2)
    assert not dog.freezes
    dog.same(5.3)
    assert dog.freezes
    dog.ended(5.4)
    dog.started(5.6)
    assert not dog.freezes


def test_a_camera_that_warms_up_has_more_time() -> None:
    """Starting takes longer than a frame does, but not for ever."""
    dog = Watchdog()
    dog.started(0.0)
    assert dog.order(19.0) is Order.NOTHING
    assert dog.order(20.5) is Order.KILL


@given(st.lists(st.floats(0.01, 30.0), min_size=1, max_size=60))
def test_restarts_are_few_however_a_camera_dies(lives: list[float]) -> None:
    """Never more than five starts come at once; further ones wait 5 s and longer, at most a minute."""
    dog, now, starts = Watchdog(), 0.0, []
    for life in lives:
        waited = now
        while dog.order(now) is not Order.START:
            now += 0.1
        assert now - waited <= 60.3
        dog.started(now)
        starts.append(now)
        now += life
        dog.ended(now)
    for first, sixth in zip(starts, starts[6:], strict=False):
        assert sixth - first > 5.0


# — frames through a pipe —


@given(st.binary(max_size=40), st.integers(0, 200))
def test_a_frame_that_breaks_off_is_no_frame(rest: bytes, cut: int) -> None:
    """Whatever half a frame the pipe holds when a process is killed, it is not taken for one."""
    picture = np.arange(5 * 7 * 3, dtype=np.uint8).reshape(5, 7, 3)
    pipe = io.BytesIO()
    frames.write(pipe, Frame(picture, 1.25, relit=True))
    whole = pipe.getvalue()
    found = frames.read(io.BytesIO(whole))
    assert found is not None
    assert np.array_equal(found.picture, picture)
    assert (found.at_s, found.kind, found.relit) == (1.25, FrameKind.WATCH, True)
    assert frames.read(io.BytesIO(whole[: min(cut, len(whole) - 1)])) is None
    assert frames.read(io.BytesIO(rest)) is None


# — the process with the Pi's camera, against a stand-in for its library —


class Bench:
    """A camera process with the stand-in, and what it was called with."""

    def __init__(self, folder: Path, plan: str, wanted: CameraSettings) -> None:
        self.folder = folder
        (folder / "plan").write_text(plan.replace(" ", "\n"), encoding="utf-8")
        command = program("picamera", wanted.to_json(), "0.05")
        self.source = Apart(command, "The camera", QUICK, memory=CameraMemory(folder / "camera.json"))

    def calls(self) -> list[Any]:
        """All that was called."""
        return [json.loads(line) for line in (self.folder / "calls").read_text(encoding="utf-8").splitlines()]

    def lenses(self) -> list[float]:
        """All positions that the lens was sent to."""
        return [what["LensPosition"] for _, what in self.calls() if what and "LensPosition" in what]

    def until(self, wanted: type, seconds: float = 25.0) -> list[Shot | Away]:
        """Look until something of a kind comes that says something."""
        found: list[Shot | Away] = []
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            one = self.source.next(0.2)
            assert one is not None
            found.append(one)
            if isinstance(one, wanted) and not (isinstance(one, Away) and not one.why):
                return found
        raise AssertionError(f"no {wanted.__name__} in {seconds} s: {found[-3:]}")


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Makes cameras, and ends them."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "stand_in"))
    monkeypatch.setenv("STAND_IN", str(tmp_path))
    made: list[Bench] = []

    def make(plan: str, **more: Any) -> Bench:
        wanted = {"size": (640, 480), "watch_size": (96, 72), "fps": 60.0, "exposure": "locked"}
        made.append(Bench(tmp_path, plan, CameraSettings(**(wanted | more))))
        return made[-1]

    yield make
    for one in made:
        one.source.close()


def test_exposure_and_white_balance_are_locked_after_the_warm_up(bench: Any) -> None:
    """Automatics are off and their last values are held, the colour gains too."""
    camera = bench("fine")
    shot = camera.until(Shot)[-1]
    assert shot.picture.shape == (72, 96, 3)
    assert shot.at_s <= time.monotonic()
    assert ["set_controls", {
        "AeEnable": False, "AwbEnable": False, "ExposureTime": 9000, "AnalogueGain": 1.5,
        "ColourGains": [1.8, 1.4],
    }] in camera.calls()  # fmt: skip
    assert locked({}) == {"AeEnable": False, "AwbEnable": False}


@pytest.mark.parametrize("trouble", ["hang", "vanish", "freeze"])
def test_a_camera_in_trouble_is_killed_and_comes_back(bench: Any, trouble: str) -> None:
    """Players are told, the process is killed without a word to the library, and frames come again.

    Only a process that ended by itself may be back before anybody had to be told.
    """
    camera = bench(f"{trouble} fine")
    camera.until(Shot)
    told: list[str] = []
    until = time.monotonic() + 25
    while camera.source.watchdog.restarts < 1 or (trouble != "vanish" and not told):
        one = camera.source.next(0.2)
        told += [one.why] if isinstance(one, Away) and one.why else []
        assert time.monotonic() < until
    assert all("The camera gives no picture" in why and "by hand" in why for why in told)
    numbers = [one.number for one in camera.until(Shot) if isinstance(one, Shot)]
    assert numbers == sorted(numbers)
    assert {name for name, _ in camera.calls()} <= {"configure", "start", "set_controls"}


def test_a_camera_that_is_not_there_says_what_to_check(bench: Any) -> None:
    """The reason is the child's own sentence, and the source goes on trying."""
    camera = bench("absent absent absent absent absent absent absent absent")
    reasons: list[str] = []
    until = time.monotonic() + 25
    while not any("ribbon cable" in why for why in reasons):
        reasons += [one.why for one in camera.until(Away) if isinstance(one, Away)]
        assert time.monotonic() < until


@pytest.mark.parametrize("trouble", ["black", "tear"])
def test_what_the_picture_shows_is_no_business_of_the_process(bench: Any, trouble: str) -> None:
    """Black and torn frames are passed on as they are: the gate has names for them."""
    camera = bench(trouble)
    seen = []
    for _ in range(60):
        one = camera.source.next(1.0)
        if isinstance(one, Shot):
            seen.append(one.picture)
    assert {picture.shape for picture in seen} == {(72, 96, 3)}
    if trouble == "black":
        assert any(picture.max() == 0 for picture in seen)
    if trouble == "tear":
        assert any(np.ptp(picture[44:]) == 0 for picture in seen)


def test_a_picture_of_another_size_than_agreed_starts_the_camera_anew(bench: Any) -> None:
    """Its pixels would be taken for what they are not."""
    camera = bench("size fine")
    camera.until(Shot)
    until = time.monotonic() + 25
    while camera.source.watchdog.restarts < 1:
        camera.source.next(0.2)
        assert time.monotonic() < until
    assert camera.until(Shot)[-1].picture.shape == (72, 96, 3)


def test_a_lens_is_swept_once_and_then_stays(bench: Any) -> None:
    """The sharpest position is found, and taken by a process that is started anew without a sweep."""
    camera = bench("fine fine")
    camera.until(Shot)
    lens = [
        what["LensPosition"]
        for name, what in camera.calls()
        if name == "set_controls" and "LensPosition" in what
    ]
    assert len(lens) > 9
    assert lens[-1] == pytest.approx(2.5, abs=0.4)
    assert camera.source.memory.kept.lens == lens[-1]
    camera.source._child.process.kill()
    until = time.monotonic() + 25
    while camera.source.watchdog.restarts < 1:
        camera.source.next(0.2)
        assert time.monotonic() < until
    camera.until(Shot)
    assert set(camera.lenses()[len(lens) :]) == {lens[-1]}
    assert "kept from an earlier sweep" in camera.source.vitals().words


def test_a_lens_is_swept_again_when_somebody_wants_it(bench: Any) -> None:
    """By the pipe, in the process that films; while nobody knows whether it can, that is said."""
    camera = bench("fine")
    assert camera.source.focus_again() is None
    camera.until(Shot)
    before = len(camera.lenses())
    assert camera.source.focus_again() is True
    until = time.monotonic() + 25
    while len(camera.lenses()) < 2 * before:
        camera.source.next(0.2)
        assert time.monotonic() < until
    assert isinstance(camera.until(Shot)[-1], Shot)
    assert camera.source.watchdog.restarts == 0
    held = bench("fine", focus=3.0)
    held.until(Shot)
    assert held.source.focus_again() is False


@pytest.mark.parametrize(("plan", "sent"), [("nudge", 1), ("blur fine", 3)])
def test_a_lens_that_leaves_its_place_is_sent_back(bench: Any, plan: str, sent: int) -> None:
    """Once it obeys, all is well; where it never does, the camera is started anew and says why."""
    camera = bench(plan)
    camera.until(Shot)
    before, relit = len(camera.lenses()), 0
    until = time.monotonic() + 40
    while time.monotonic() < until and len(camera.lenses()) < before + sent:
        one = camera.source.next(0.2)
        relit += isinstance(one, Shot) and one.relit
    assert set(camera.lenses()[before:]) == {camera.lenses()[before - 1]}
    assert relit
    while plan != "nudge" and camera.source.watchdog.restarts < 1:
        camera.source.next(0.2)
        assert time.monotonic() < until
    assert camera.source.watchdog.restarts == (plan != "nudge")


def test_the_large_picture_comes_when_it_is_asked_for_and_the_small_one_goes_on(bench: Any) -> None:
    """Several in a row on request; none from a camera that was never there."""
    camera = bench("fine")
    assert not camera.source.ask_large()
    camera.until(Shot)
    assert camera.source.ask_large(3)
    found, seen = [], []
    while len(found) < 3:
        seen += [camera.source.next(1.0)]
        found += camera.source.came_large()
    assert [one.picture.shape for one in found] == [(480, 640, 3)] * 3
    assert all(isinstance(one, Shot) for one in seen)
    assert isinstance(camera.source.next(1.0), Shot)
    assert camera.source.came_large() == ()
    told = camera.source.vitals()
    assert told.restarts == 0
    assert told.age_s < 2
    assert "large 640×480, watched 96×72" in told.words


def test_the_doctor_says_what_was_chosen_and_why(bench: Any) -> None:
    """Sizes with the memory that they take, the lens, the exposure: in the line of the camera."""
    camera = bench("fine")
    camera.until(Shot)
    found, picture = sight.camera(lambda: camera.source)
    assert picture is not None
    assert found.words.startswith("sends pictures of 96×72; imx708: large 640×480, watched 96×72, ")
    assert "focus swept without the mat's markers in view" in found.words
    assert "exposure locked as it began" in found.words


def test_faces_are_lit_for_whole_flashes_of_the_lamps(bench: Any) -> None:
    """What the automatics found becomes an exposure of 10 ms, the gain makes up for it, and colours stay."""
    camera = bench("fine", exposure="50 Hz", fps=30.0)
    camera.until(Shot)
    held = [what for name, what in camera.calls() if name == "set_controls" and "ExposureTime" in what][-1]
    assert held["ExposureTime"] % 10_000 == 0
    assert held["AeEnable"] is False
    assert held["ColourGains"] == [1.8, 1.4]


def test_a_camera_that_has_no_memory_for_the_largest_size_takes_the_next(bench: Any) -> None:
    """The sum may say that it fits, and memory be in pieces."""
    (camera := bench("fine", size=None, watch_size=None)).folder.joinpath("most-bytes").write_text("3000000")
    camera.until(Shot)
    tried = [what[0] for name, what in camera.calls() if name == "configure"]
    assert tried[-1][0] * tried[-1][1] <= 3_000_000
    assert camera.source.vitals().words.startswith("imx708: large ")


def test_ending_is_quick_and_leaves_nothing(bench: Any) -> None:
    """Even a camera that hangs is gone at once, with its process and its thread."""
    camera = bench("hang")
    camera.until(Shot)
    time.sleep(0.3)
    child, threads = camera.source._child, threading.active_count()
    began = time.monotonic()
    camera.source.close()
    assert time.monotonic() - began < 2.0
    assert child.process.returncode is not None
    assert threading.active_count() == threads - 2  # the one that reads, and the one that hears


def test_a_process_that_ends_at_once_is_told_in_its_own_words() -> None:
    """The last thing that it said is the reason."""
    source = Apart([sys.executable, "-c", "raise SystemExit('broken by design')"], "Webcam 3", QUICK)
    try:
        until = time.monotonic() + 20
        while time.monotonic() < until:
            found = source.next(0.1)
            if isinstance(found, Away) and "broken" in found.why:
                break
        assert isinstance(found, Away)
        assert found.why.startswith("Webcam 3 gives no picture: broken by design.")
    finally:
        source.close()


TALKS = """
import sys, numpy as np
from device.cameras.frames import Frame
from device.cameras.lifeline import deliver
def pictures():
    for number in range(10**6):
        sys.stderr.write("Corrupt JPEG data: 2 extraneous bytes before marker 0xd9\\n" * 2000)
        yield np.full((8, 8, 3), number % 256, np.uint8)
sys.exit(deliver(lambda _requests: (Frame(one) for one in pictures())))
"""


def test_a_talkative_camera_is_heard_out() -> None:
    """A driver that complains without end, far more than a pipe holds, does not stop its own frames."""
    source = Apart([sys.executable, "-c", TALKS], "Webcam 0", QUICK)
    try:
        shots, until = 0, time.monotonic() + 20
        while shots < 3 and time.monotonic() < until:
            shots += isinstance(source.next(0.2), Shot)
        assert shots == 3
        assert len(source._child.said) <= 20
    finally:
        source.close()


def test_ending_does_not_wait_for_whoever_else_holds_the_pipes(tmp_path: Path) -> None:
    """A process that leaves another one behind is ended as quickly as any."""
    held = tmp_path / "pid"
    words = f"""
import pathlib, subprocess, time
one = subprocess.Popen(["sleep", "60"])
pathlib.Path({str(held)!r}).write_text(f"{{one.pid}} ")
time.sleep(60)
"""
    source = Apart([sys.executable, "-c", words], "Webcam 0", QUICK)
    try:
        while not (held.exists() and held.read_text().endswith(" ")):
            source.next(0.1)
        began = time.monotonic()
        source.close()
        assert time.monotonic() - began < 10
    finally:
        os.kill(int(held.read_text()), signal.SIGKILL)


# — USB cameras —


REACHED = {cv2.CAP_PROP_EXPOSURE: 157.0, cv2.CAP_PROP_WB_TEMPERATURE: 3900.0}
OF_THEIR_OWN = {
    (cv2.CAP_PROP_AUTO_EXPOSURE, 1): (cv2.CAP_PROP_EXPOSURE, 250.0),
    (cv2.CAP_PROP_AUTO_WB, 0): (cv2.CAP_PROP_WB_TEMPERATURE, 4600.0),
}


class Capture:
    """A ``cv2.VideoCapture`` that packs nothing and is unplugged after some frames."""

    def __init__(self, frames: int) -> None:
        self.left, self.properties = frames, {**REACHED}

    def set(self, name: int, value: float) -> bool:
        """Sets a property; what is no longer automatic jumps to what the driver has for it."""
        self.properties[name] = value
        if (name, value) in OF_THEIR_OWN:
            self.properties.update([OF_THEIR_OWN[name, value]])
        return True

    def get(self, name: int) -> float:
        """A property, or what OpenCV gives for one that the camera lacks."""
        return self.properties.get(name, -1.0)

    def read(self) -> tuple[bool, Any]:
        """The next frame."""
        self.left -= 1
        return (True, np.zeros((48, 64, 3), np.uint8)) if self.left >= 0 else (False, None)


def ticks(step_s: float = 0.1) -> Callable[[], float]:
    """A clock that goes on by so much each time somebody looks."""
    return count(0.0, step_s).__next__


def test_a_webcam_that_is_unplugged_ends_in_a_sentence() -> None:
    """Its frames come, its automatics are off, and then it says that it is gone."""
    capture = Capture(5)
    shots = webcam.film(capture, CameraSettings(fps=60), 0.0, Requests(), ticks())
    assert "pictures of 64×48 as they come" in next(shots).words["words"]
    assert [next(shots).picture.shape for _ in range(5)] == [(48, 64, 3)] * 5
    with pytest.raises(webcam.Unplugged, match="unplugged"):
        next(shots)
    assert capture.properties[cv2.CAP_PROP_AUTO_WB] == 0
    assert capture.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == 1


def test_a_webcam_holds_what_its_automatics_reached() -> None:
    """By hand, exposure and white balance stay where the warm-up brought them; what lacks is left alone."""
    capture = Capture(5)
    next(webcam.film(capture, CameraSettings(), 0.0, Requests()))
    assert {name: capture.properties[name] for name in REACHED} == REACHED
    bare = Capture(5)
    bare.properties, bare.get = {}, lambda _name: -1.0
    next(webcam.film(bare, CameraSettings(), 0.0, Requests()))
    assert -1.0 not in bare.properties.values()


# — the virtual table —


def test_the_virtual_table_films_the_same_game_in_its_own_time() -> None:
    """Frames come with the table's times, in real time where wanted, and end."""
    now, slept = [0.0], []

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        now[0] += seconds

    slow = VirtualTable(*at_a_tiny_table(), speed=2.0, clock=lambda: now[0], sleep=sleep)
    fast = VirtualTable(*at_a_tiny_table(), speed=0, sleep=sleep)
    for _ in range(3):
        one, other = slow.next(1.0), fast.next(1.0)
        assert isinstance(one, Shot)
        assert isinstance(other, Shot)
        assert np.array_equal(one.picture, other.picture)
        assert one.at_s == other.at_s
    assert slept == pytest.approx([0.05, 0.05])
    fast.close()
    assert fast.next(1.0) is None


def at_a_tiny_table() -> tuple[LiveTable, People]:
    """People who have not sat down yet."""
    game = WholeGame.begin("draw-game", seed=4)
    table = LiveTable("draw-game", 4, game.layout, Conditions(size_px=(64, 48)))
    return table, People(game, table, Temper(), seed=4)


def test_a_virtual_table_stays_until_it_is_closed_where_that_is_wanted() -> None:
    """Once everybody has gone the source ends, or gives no more frames until somebody closes it."""
    for stays, last in ((False, type(None)), (True, Away)):
        table, people = at_a_tiny_table()
        people.done = True
        source = VirtualTable(table, people, speed=0, stays=stays, sleep=lambda _seconds: None)
        assert isinstance(source.next(1.0), last)
        source.close()
        assert source.next(1.0) is None


@pytest.mark.parametrize(
    "times", [15, pytest.param(1000, marks=[pytest.mark.long, pytest.mark.timeout(1700)])]
)
def test_a_camera_that_is_killed_again_and_again_leaves_nothing_behind(times: int) -> None:
    """Pictures come back each time; files, threads and memory stay what they were."""
    eager = Patience(away_s=0.5, hang_s=5.0, start_s=30.0, budget=10 * times, window_s=1e6)
    source = Apart([sys.executable, "-c", FILMS], "The camera", eager)

    def held() -> tuple[int, int, int]:
        memory_kb = int(Path("/proc/self/statm").read_text().split()[1]) * 4
        return len(list(Path("/proc/self/fd").iterdir())), threading.active_count(), memory_kb

    waits, before = [], (0, 0, 0)
    try:
        for number in range(times):
            began = time.monotonic()
            # A frame of the process that was killed may be left over.
            while not isinstance(source.next(0.05), Shot) or source.watchdog.restarts < number:
                assert time.monotonic() - began < 20
            waits.append(time.monotonic() - began)
            if number == min(5, times // 2):
                before = held()
            os.kill(source._child.process.pid, signal.SIGKILL)  # type: ignore[union-attr]
        while source.watchdog.restarts < times:
            source.next(0.05)
        after = held()
    finally:
        source.close()
    print(f"{times} kills: picture back after {np.median(waits):.2f} s, at most {max(waits[1:]):.2f} s")
    print(f"files, threads, kB: {before} then {after}")
    assert after[0] <= before[0] + 2
    assert after[1] <= before[1] + 1
    assert after[2] - before[2] < 5_000
    assert max(waits[1:]) < 6
