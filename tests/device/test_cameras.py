"""Cameras that hang, vanish, freeze and come back: the match is told, and never waits for ever."""

import io
import json
import os
import signal
import sys
import threading
import time
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.cameras import frames, naming, webcam
from device.cameras.apart import Apart, program
from device.cameras.picamera import locked
from device.cameras.virtual import VirtualTable
from device.cameras.watchdog import Order, Patience, Watchdog
from device.live.ports import Away, Shot
from device.live.source_name import SourceName
from simulation.live_table import Conditions, LiveTable
from simulation.people import People
from simulation.temper import Temper
from simulation.whole_game import WholeGame

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
    frames.write(pipe, picture, 1.25)
    whole = pipe.getvalue()
    found = frames.read(io.BytesIO(whole))
    assert found is not None
    assert np.array_equal(found[0], picture)
    assert found[1] == 1.25
    assert frames.read(io.BytesIO(whole[: min(cut, len(whole) - 1)])) is None
    assert frames.read(io.BytesIO(rest)) is None


# — the process with the Pi's camera, against a stand-in for its library —


class Bench:
    """A camera process with the stand-in, and what it was called with."""

    def __init__(self, folder: Path, plan: str, size: str = "64x48") -> None:
        self.folder = folder
        (folder / "plan").write_text(plan.replace(" ", "\n"), encoding="utf-8")
        command = program("picamera", *size.split("x"), "60", "0.05")
        self.source = Apart(command, "The camera", QUICK)

    def calls(self) -> list[Any]:
        """All that was called."""
        return [json.loads(line) for line in (self.folder / "calls").read_text(encoding="utf-8").splitlines()]

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

    def make(plan: str) -> Bench:
        made.append(Bench(tmp_path, plan))
        return made[-1]

    yield make
    for one in made:
        one.source.close()


def test_exposure_and_white_balance_are_locked_after_the_warm_up(bench: Any) -> None:
    """Automatics are off and their last values are held, the colour gains too."""
    camera = bench("fine")
    shot = camera.until(Shot)[-1]
    assert shot.picture.shape == (48, 64, 3)
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
    assert {name for name, _ in camera.calls()} <= {"start", "set_controls"}


def test_a_camera_that_is_not_there_says_what_to_check(bench: Any) -> None:
    """The reason is the child's own sentence, and the source goes on trying."""
    camera = bench("absent absent absent absent absent absent absent absent")
    reasons: list[str] = []
    until = time.monotonic() + 25
    while not any("ribbon cable" in why for why in reasons):
        reasons += [one.why for one in camera.until(Away) if isinstance(one, Away)]
        assert time.monotonic() < until


@pytest.mark.parametrize("trouble", ["black", "tear", "size"])
def test_what_the_picture_shows_is_no_business_of_the_process(bench: Any, trouble: str) -> None:
    """Black, torn and smaller frames are passed on as they are: the gate has names for them."""
    camera = bench(trouble)
    seen = []
    for _ in range(30):
        one = camera.source.next(1.0)
        if isinstance(one, Shot):
            seen.append(one.picture)
    shapes = {picture.shape for picture in seen}
    assert (shapes == {(48, 64, 3), (24, 32, 3)}) if trouble == "size" else (shapes == {(48, 64, 3)})
    if trouble == "black":
        assert any(picture.max() == 0 for picture in seen)
    if trouble == "tear":
        assert any((picture[30:] == (0, 128, 0)).all() for picture in seen)


def test_ending_is_quick_and_leaves_nothing(bench: Any) -> None:
    """Even a camera that hangs is gone at once, with its process and its thread."""
    camera = bench("hang")
    camera.until(Shot)
    time.sleep(0.3)
    child, threads = camera.source._child, threading.active_count()
    began = time.monotonic()
    camera.source.close()
    assert time.monotonic() - began < 2.0
    assert child.returncode is not None
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
from device.cameras.lifeline import deliver
def pictures():
    for number in range(10**6):
        sys.stderr.write("Corrupt JPEG data: 2 extraneous bytes before marker 0xd9\\n" * 2000)
        yield np.full((8, 8, 3), number % 256, np.uint8)
sys.exit(deliver(pictures()))
"""


def test_a_talkative_camera_is_heard_out() -> None:
    """A driver that complains without end, far more than a pipe holds, does not stop its own frames."""
    source = Apart([sys.executable, "-c", TALKS], "Webcam 0", QUICK)
    try:
        shots, until = 0, time.monotonic() + 20
        while shots < 3 and time.monotonic() < until:
            shots += isinstance(source.next(0.2), Shot)
        assert shots == 3
        assert len(source._said) <= 20
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
    cv2.CAP_PROP_AUTO_EXPOSURE: (cv2.CAP_PROP_EXPOSURE, 250.0),
    cv2.CAP_PROP_AUTO_WB: (cv2.CAP_PROP_WB_TEMPERATURE, 4600.0),
}


class Capture:
    """A ``cv2.VideoCapture`` that is unplugged after some frames."""

    def __init__(self, frames: int) -> None:
        self.left, self.properties = frames, {**REACHED}

    def set(self, name: int, value: float) -> bool:
        """Sets a property; what is no longer automatic jumps to what the driver has for it."""
        self.properties[name] = value
        if name in OF_THEIR_OWN:
            self.properties.update([OF_THEIR_OWN[name]])
        return True

    def get(self, name: int) -> float:
        """A property, or what OpenCV gives for one that the camera lacks."""
        return self.properties.get(name, -1.0)

    def read(self) -> tuple[bool, Any]:
        """The next frame."""
        self.left -= 1
        return (True, np.zeros((48, 64, 3), np.uint8)) if self.left >= 0 else (False, None)


def test_a_webcam_that_is_unplugged_ends_in_a_sentence() -> None:
    """Its frames come, its automatics are off, and then it says that it is gone."""
    capture = Capture(5)
    shots = webcam.pictures(capture, (64, 48), 10, 0.0)
    assert [next(shots).shape for _ in range(5)] == [(48, 64, 3)] * 5
    with pytest.raises(webcam.Unplugged, match="unplugged"):
        next(shots)
    assert capture.properties[cv2.CAP_PROP_AUTO_WB] == 0
    assert capture.properties[cv2.CAP_PROP_AUTO_EXPOSURE] == 1


def test_a_webcam_holds_what_its_automatics_reached() -> None:
    """By hand, exposure and white balance stay where the warm-up brought them; what lacks is left alone."""
    capture = Capture(5)
    next(webcam.pictures(capture, (64, 48), 10, 0.0))
    assert {name: capture.properties[name] for name in REACHED} == REACHED
    bare = Capture(5)
    bare.properties, bare.get = {}, lambda _name: -1.0
    next(webcam.pictures(bare, (64, 48), 10, 0.0))
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


# — which camera is meant —


def test_a_machine_chooses_its_own_camera_before_one_on_a_cable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Pi's camera, else the first webcam, else none: then moves are told by hand."""
    monkeypatch.setattr(naming, "has_picamera", lambda: True)
    monkeypatch.setattr(naming, "has_sensor", lambda: True)
    monkeypatch.setattr(naming, "webcams", lambda: [2])
    assert naming.chosen() == SourceName("picamera")
    monkeypatch.setattr(naming, "has_sensor", lambda: False)
    assert naming.chosen() == SourceName("webcam", "2")
    monkeypatch.setattr(naming, "has_picamera", lambda: False)
    assert naming.chosen() == SourceName("webcam", "2")
    monkeypatch.setattr(naming, "webcams", list)
    assert naming.chosen() is None
    assert naming.camera_here() is None


def tree(folder: Path, nodes: dict[str, tuple[str, str, str]]) -> Path:
    """What a system says of its video devices: name, bus and index of each."""
    for node, (name, bus, index) in nodes.items():
        device, subsystem = folder / "devices" / node, folder / "bus" / bus
        for made in (device, subsystem, folder / "class" / node):
            made.mkdir(parents=True, exist_ok=True)
        (device / "subsystem").symlink_to(subsystem)
        (folder / "class" / node / "device").symlink_to(device)
        (folder / "class" / node / "name").write_text(f"{name}\n")
        (folder / "class" / node / "index").write_text(f"{index}\n")
    return folder / "class"


CODECS = {
    "video10": ("bcm2835-codec-decode", "vchiq-bus", "0"),
    "video14": ("bcm2835-isp-capture0", "vchiq-bus", "0"),
    "video19": ("rpi-hevc-dec", "platform", "0"),
}  # fmt: skip
CABLE = {
    "video3": ("HD Pro Webcam C920", "usb", "1"), "video2": ("HD Pro Webcam C920", "usb", "0"),
    "video21": ("USB camera", "usb", "0"),
}  # fmt: skip
RIBBON = {"video0": ("unicam-image", "platform", "0")}


@pytest.mark.parametrize(
    ("nodes", "library", "meant"),
    [
        (CODECS, False, None),
        (CODECS, True, SourceName("picamera")),
        ({**CODECS, **CABLE}, False, SourceName("webcam", "2")),
        ({**CODECS, **CABLE}, True, SourceName("webcam", "2")),
        ({**CODECS, **CABLE, **RIBBON}, True, SourceName("picamera")),
        ({**CODECS, **RIBBON}, False, None),
        ({}, False, None),
    ],
)
def test_a_camera_is_what_gives_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nodes: dict[str, tuple[str, str, str]], *,
    library: bool, meant: SourceName | None,
) -> None:  # fmt: skip
    """Codecs of a Raspberry Pi are video devices, too, and none is ever taken for a camera."""
    monkeypatch.setattr(naming, "NODES", tree(tmp_path, nodes))
    monkeypatch.setattr(naming, "has_picamera", lambda: library)
    assert naming.chosen() == meant
