"""The lens is held where the mat is sharp: it is swept with its markers in view, and again when that is over.

The camera is the stand-in of picamera2 under a clock of the test's own.
"""

import functools
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import count, pairwise
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.cameras import last_told as kept_module
from device.cameras import picamera, refocus
from device.cameras.commanded import Commanded
from device.cameras.exposure import Exposure
from device.cameras.frames import DOING, Frame, FrameKind
from device.cameras.last_told import HELD, CameraMemory, SensorTold
from device.cameras.lifeline import FOCUS, Requests
from device.cameras.own_process import Apart
from device.cameras.refocus import MatSeen, Refocus, Sure
from device.cameras.wanted import CameraSettings
from device.cameras.watchdog import Order, Watchdog
from device.live.ports import Shot
from simulation.picture import shoot
from simulation.random_scene import game_table
from tests.device.camera_faults import stand_in

SIZE = (640, 480)
PI_4 = CameraSettings(size=SIZE, watch_size=SIZE, fps=6.0)
"""A Raspberry Pi before the fifth looks six times a second."""
NEAR = 0.5
"""The stand-in's scene is sharp for so far, and half a step of the sweep."""
LIBRARY_S = 3.0
"""So long a camera's library takes to be there."""


@functools.cache
def a_table() -> Any:
    """A table with its mat, sharp."""
    return shoot(game_table("draw-game", 4, SIZE, 14)).picture


NOTHING = np.zeros((0, 0, 3), np.uint8)


class FilmedHere:
    """What a camera's process sends, under its own clock."""

    def __init__(self, folder: Path, wanted: CameraSettings = PI_4, kept: SensorTold | None = None) -> None:
        module = stand_in(folder)
        module._TROUBLE_AFTER, module.time = 10**9, self
        module.Picamera2._plan = "fine"
        self.now, self.folder, self.requests = LIBRARY_S, folder, Requests()
        self.camera = module.Picamera2()
        self._frames = picamera.film(
            self.camera, wanted, 2.0, kept or SensorTold(), self.requests, lambda: self.now
        )
        self.held: dict[str, Any] = {}
        self.words = ""

    def sleep(self, seconds: float) -> None:
        """Time passes for the camera alone."""
        self.now += seconds

    def frames(self) -> Iterator[Frame]:
        """All that it sends."""
        for one in self._frames:
            self.held = one.words.get(HELD, self.held)
            self.words = one.words.get("words", self.words)
            yield one

    def until(self, true: Callable[[], bool], most_s: float = 600.0) -> bool:
        """Film on until something is so; whether it came."""
        end = self.now + most_s
        for one in self.frames():
            if (one.kind is FrameKind.WATCH and true()) or self.now > end:
                break
        return true()

    def film(self, seconds: float) -> list[Frame]:
        """What it sends in so long a time, without the pictures, which are gigabytes."""
        end, found = self.now + seconds, []
        for one in self.frames():
            found.append(replace(one, picture=NOTHING))
            if self.now >= end:
                break
        return found

    def close(self) -> None:
        """Let go of all that was drawn."""
        self._frames.close()
        self.camera._drawn = {}

    def lens(self) -> float:
        """Where the lens is now."""
        return float(self.camera.metadata["LensPosition"])

    def look_at(self, scene: Any) -> None:
        """Hold something else before it."""
        self.camera._scene, self.camera._drawn = scene, {}

    def sharp_at(self, dioptres: float) -> None:
        """Hang it at another height."""
        (self.folder / "sharp-at").write_text(str(dioptres))
        self.camera._drawn = {}

    def sweeps(self, seconds: float) -> int:
        """How often the lens is swept in so long a time."""
        told = [one.words.get(DOING, "") for one in self.film(seconds)]
        return sum("(1 looks)" in one for one in told)


@pytest.fixture
def filmed(tmp_path: Path) -> Iterator[Callable[..., FilmedHere]]:
    """Makes cameras that look at a table, and lets go of their pictures before any collector does."""
    cv2.imwrite(str(tmp_path / "scene.png"), a_table())
    made: list[FilmedHere] = []

    def filming(*args: Any, **wishes: Any) -> FilmedHere:
        made.append(FilmedHere(tmp_path, *args, **wishes))
        return made[-1]

    yield filming
    for one in made:
        one.close()


def a_wall() -> Any:
    """Something to focus on that is no mat."""
    rng = np.random.default_rng(1)
    return np.repeat(rng.integers(0, 255, (*SIZE[::-1], 1)).astype(np.uint8), 3, axis=2)


# — where the lens comes to stand —


@pytest.mark.parametrize("reach", [(0.0, 10.0, 1.0), (0.0, 32.0, 1.0)])
@pytest.mark.parametrize("to", [1.04, 2.1, 4.7])
def test_a_lens_is_swept_as_closely_whatever_its_driver_says_of_its_reach(
    filmed: Any, reach: Any, to: float
) -> None:
    """Some say 32 dioptres and stop at 15: what no table hangs at is not searched, nor waited for in vain."""
    camera = filmed()
    camera.camera.camera_controls["LensPosition"] = reach
    tell = camera.camera.set_controls
    camera.camera.set_controls = lambda told: tell(
        told if "LensPosition" not in told else {**told, "LensPosition": min(15.0, told["LensPosition"])}
    )
    camera.sharp_at(to)
    assert camera.until(lambda: True)
    assert camera.lens() == pytest.approx(to, abs=NEAR)
    assert camera.now < 20


def test_the_lens_is_kept_for_another_day_only_if_it_was_swept_on_the_mat(
    filmed: Any, tmp_path: Path
) -> None:
    """A box that is unpacked before a wall focuses on it for the moment; over the mat it learns anew."""
    file = tmp_path / "camera.json"
    memory, camera = CameraMemory(file), filmed()
    camera.look_at(a_wall())
    camera.sharp_at(0.5)
    assert camera.until(lambda: True)
    assert camera.lens() == pytest.approx(0.5, abs=NEAR)
    memory.hear({HELD: camera.held})
    assert "without the mat's markers" in camera.words
    assert not file.exists()
    camera.look_at(a_table())
    camera.sharp_at(2.5)
    began = camera.now
    assert camera.until(lambda: camera.held["sure"] is not None)
    assert camera.now - began < 50
    assert camera.lens() == pytest.approx(2.5, abs=NEAR)
    memory.hear({HELD: camera.held})
    kept = json.loads(file.read_text())
    assert kept["lens"] == camera.lens()
    assert (kept["time_us"], kept["colours"]) == (0, None)
    assert CameraMemory(file).kept.sure == Sure(**camera.held["sure"])


def test_colours_and_light_are_learned_anew_at_a_cold_start_and_held_by_one_that_was_killed(
    filmed: Any, tmp_path: Path
) -> None:
    """Lamps are another light than yesterday's day; the lens is where it was, without a sweep."""
    memory, first = CameraMemory(tmp_path / "camera.json"), filmed()
    assert first.until(lambda: True)
    memory.hear({HELD: first.held})
    assert first.held["colours"] == (1.8, 1.4)
    (tmp_path / "automatic").write_text('{"ColourGains": [1.2, 2.6], "ExposureTime": 30000}')
    again = filmed(kept=SensorTold.of_plain(json.loads(memory.text())))
    assert again.until(lambda: True)
    assert again.held == first.held
    cold = filmed(kept=CameraMemory(tmp_path / "camera.json").kept)
    assert cold.until(lambda: True)
    assert cold.held["colours"] == (1.2, 2.6)
    assert cold.held["lens"] == again.held["lens"] == first.held["lens"]
    assert "kept from an earlier sweep" in cold.words


@pytest.mark.parametrize("to", [0.6, 4.8])
def test_a_camera_that_hangs_elsewhere_now_is_focused_anew(filmed: Any, to: float) -> None:
    """The mat is blurred for good, so the lens is swept again; no picture is sent meanwhile."""
    camera = filmed()
    assert camera.until(lambda: True)
    camera.film(70)
    camera.sharp_at(to)
    found, began = [], camera.now
    while abs(camera.lens() - to) > NEAR or not isinstance(found[-1].words.get(HELD), dict):
        found += camera.film(0.1)
        assert camera.now - began < 150
    doing = [number for number, one in enumerate(found) if DOING in one.words]
    assert {one.kind for one in found[doing[0] : doing[-1] + 1]} == {FrameKind.WORDS}
    assert camera.held["sure"] is not None
    assert camera.sweeps(200) == 0


def test_markers_of_another_size_are_focused_on_anew(filmed: Any) -> None:
    """The mat is farther away: though still sharp enough, the lens is swept."""
    camera = filmed()
    assert camera.until(lambda: True)
    camera.film(70)
    small = cv2.resize(a_table(), None, fx=0.85, fy=0.85, interpolation=cv2.INTER_AREA)
    far = cv2.copyMakeBorder(small, 36, 36, 48, 48, cv2.BORDER_REPLICATE)
    camera.look_at(far)
    assert camera.sweeps(150) == 1
    assert camera.sweeps(150) == 0


def test_hands_a_cloth_and_the_night_are_no_reason(filmed: Any) -> None:
    """What lies over the mat for a while changes nothing, nor does it once it lies there long."""
    camera = filmed()
    assert camera.until(lambda: True)
    camera.film(70)
    held = dict(camera.held)
    for seconds in (5, 15):
        camera.look_at(np.full_like(a_table(), 90))
        assert camera.sweeps(seconds) == 0
        camera.look_at(a_table())
        assert camera.sweeps(70) == 0
    camera.look_at(np.full_like(a_table(), 90))
    assert 1 <= camera.sweeps(300) <= 3
    camera.look_at(a_table())
    camera.film(5)
    assert (camera.held["lens"], camera.held["sure"]) == (held["lens"], held["sure"])
    assert camera.lens() == held["lens"]


def test_focus_again_is_a_wish_that_is_done_once(filmed: Any) -> None:
    """It comes by the pipe; a lens that the settings hold stays where it is."""
    camera = filmed()
    assert camera.until(lambda: True)
    camera.requests.hear(io.BytesIO(FOCUS + b"\n"))
    assert camera.sweeps(40) == 1
    assert camera.sweeps(40) == 0
    by_hand = filmed(CameraSettings(size=SIZE, watch_size=SIZE, fps=6.0, focus=4.0))
    assert by_hand.until(lambda: True)
    by_hand.requests.hear(io.BytesIO(FOCUS + b"\n"))
    assert by_hand.sweeps(100) == 0
    assert by_hand.lens() == 4.0


# — when it is swept again —

SHARP = Sure(0.25, 0.036)
STATES = st.builds(
    MatSeen, st.floats(0, 1e4), st.floats(0, 1), st.one_of(st.none(), st.floats(0.01, 0.2))
)  # fmt: skip


@given(st.lists(STATES, max_size=60), st.sampled_from([None, SHARP]))
def test_sweeps_do_not_follow_each_other(seen: list[MatSeen], sure: Sure | None) -> None:
    """Whatever is seen, there are ten seconds between them, and a minute after one that found the mat."""
    state, sweeps, found = Refocus(sure), list[float](), list[bool]()
    for one in sorted(seen, key=lambda one: one.at_s):
        state, due = refocus.watch(state, one)
        if due:
            sweeps.append(one.at_s)
            found.append(bool(one.side))
            state = refocus.swept(state, SHARP if one.side else None, one.at_s)
    rests = [late - soon for soon, late in pairwise(sweeps)]
    assert all(rest >= (60 if on_mat else 10) for rest, on_mat in zip(rests, found, strict=False))


def test_a_sweep_that_finds_no_mat_is_tried_more_and_more_seldom() -> None:
    """A table that is put away for the night is not searched every minute."""
    state, sweeps, now = Refocus(SHARP), list[float](), 0.0
    while now < 6 * 3600:
        state, due = refocus.watch(state, MatSeen(now, 0.01, None))
        if due:
            sweeps.append(now)
            state = refocus.swept(state, None, now)
        now += 0.5
    assert sweeps[0] == 60
    assert 20 < len(sweeps) < 30
    assert state.sure == SHARP


# — the first start —


def begun(camera: FilmedHere, *, heard: bool) -> tuple[float, bool]:
    """When its first picture came, and whether the watchdog would have waited for it."""
    dog, lives = Watchdog(), True
    dog.started(0.0)
    for one in camera.frames():
        lives = lives and dog.order(camera.now) is Order.NOTHING
        if DOING in one.words and heard:
            dog.busy(camera.now)
        if one.kind is FrameKind.WATCH:
            break
    return camera.now, lives


@pytest.mark.parametrize("late", [4, 5, 6])
def test_the_first_start_of_an_autofocus_camera_on_a_slow_board_is_waited_for(
    filmed: Any, tmp_path: Path, late: int
) -> None:
    """Six pictures a second, lens and exposure four to six frames late: longer than twenty seconds, and it
    says all along what it does. The lens is told as soon as the sweep has ended."""
    (tmp_path / "late-frames").write_text(str(late))
    camera = filmed()
    began, lives = begun(camera, heard=True)
    assert lives
    assert 15 < began < 60
    deaf, lives = begun(filmed(), heard=False)
    assert deaf == began
    assert lives is (began < 20)
    early = next(one for one in filmed().frames() if HELD in one.words)
    assert early.words[HELD]["sure"] is not None
    camera = filmed(kept=SensorTold.of_plain(early.words[HELD]))
    assert begun(camera, heard=False)[0] < 20


@pytest.mark.parametrize("kept_lens", [None, 4.0, 1.5])
def test_a_process_that_begins_again_waits_for_the_position_that_is_set(
    filmed: Any, kept_lens: float | None
) -> None:
    """Not for one that was found before somebody set it: the lens is never told to go there."""
    wanted = CameraSettings(size=SIZE, watch_size=SIZE, fps=6.0, focus=4.0)
    kept = SensorTold("imx708", kept_lens, None, 10_000, 1.5, (1.8, 1.4))
    camera = filmed(wanted, kept)
    waited: list[tuple[float | None, float]] = []
    obeyed = Commanded.obeyed

    def counted(self: Commanded, exposure: Exposure | None, lens: float | None) -> Any:
        began = camera.now
        metadata = obeyed(self, exposure, lens)
        waited.append((lens, camera.now - began))
        return metadata

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Commanded, "obeyed", counted)
        assert camera.until(lambda: True)
    assert waited[0][0] == 4.0
    assert max(seconds for _, seconds in waited) < 1.0
    assert camera.lens() == 4.0


def test_a_camera_that_never_obeys_begins_all_the_same(filmed: Any, tmp_path: Path) -> None:
    """Within the time that a busy one has at most; the watchdog ends one that only talks."""
    (tmp_path / "late-frames").write_text(str(10**9))
    began, lives = begun(filmed(), heard=True)
    assert lives
    assert began < Watchdog().patience.busy_s
    dog, now = Watchdog(), 0.0
    dog.started(now)
    while dog.order(now) is Order.NOTHING:
        now += 1.0
        dog.busy(now)
    assert now == Watchdog().patience.busy_s + 1


def test_a_camera_that_focuses_in_a_match_is_told_of_and_not_killed() -> None:
    """People are told after three seconds that there is no picture, and why."""
    now, frame = [0.0], count(5)
    take: list[Callable[[Frame], None]] = []

    class Child:
        def ask(self, _line: bytes) -> bool:
            return True

        def ended(self) -> bool:
            return False

        def kill(self) -> str:
            raise AssertionError("it lives")

    def opened(given: Callable[[Frame], None]) -> Child:
        take.append(given)
        return Child()

    source = Apart(opened, "The camera", clock=lambda: now[0], wait=lambda *_: None)
    source.watchdog.started(0.0)
    source._start()
    take[0](Frame(np.full((8, 8, 3), next(frame), np.uint8)))
    for second in range(40):
        now[0] = float(second)
        take[0](Frame(kind=FrameKind.WORDS, words={DOING: f"it focuses on the mat ({second} looks)"}))
        source.next(0.0)
    assert "no picture: it focuses on the mat (39 looks)" in source.vitals().words
    for _ in range(8):
        now[0] += 0.1
        take[0](Frame(np.full((8, 8, 3), next(frame), np.uint8)))
        assert isinstance(source.next(0.0), Shot)
    assert source.vitals().words == ""


def test_daylight_that_is_followed_wears_no_card(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exposures are remembered without being written down; the disk hears of a lens that was swept anew."""
    written: list[bytes] = []
    monkeypatch.setattr(kept_module, "write_safely", lambda _path, data: written.append(data))
    memory = CameraMemory(tmp_path / "camera.json")
    first = SensorTold("imx708", 2.5, SHARP, 10_000, 1.5, (1.8, 1.4))
    for step in range(500):
        memory.hear({HELD: first.exposed(Exposure(10_000 + step, 1.5)).to_plain()})
        memory.hear({"torn": step})
    assert len(written) == 1
    assert SensorTold.of_plain(json.loads(memory.text())).time_us == 10_499
    memory.hear({HELD: SensorTold("imx708", 0.4, None, 10_000, 1.5).to_plain()})
    assert len(written) == 1
    memory.hear({HELD: SensorTold("imx708", 3.0, SHARP, 10_000, 1.5).to_plain()})
    assert len(written) == 2


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"sensor": "imx708", "lens": 2.0, "colours": null}', "null"]
)
def test_what_another_version_kept_is_found_anew(tmp_path: Path, text: str) -> None:
    """A lens position of which nobody knows whether markers were in view counts for nothing."""
    path = tmp_path / "camera.json"
    path.write_text(text)
    assert CameraMemory(path).kept.lens is None
    assert CameraMemory(tmp_path / "none.json").kept == SensorTold()
