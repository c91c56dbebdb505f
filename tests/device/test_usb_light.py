"""A USB camera follows daylight as a Raspberry Pi's does: slowly, told, and not for a hand or a cloud."""

import functools
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import cv2
import numpy as np
import pytest

from device.cameras import webcam
from device.cameras.exposure import Exposure, Follow, Limits, Metered, longest_us, metered, step
from device.cameras.frames import Frame, FrameKind
from device.cameras.last_told import HELD, SensorTold
from device.cameras.lifeline import Requests
from device.cameras.matted import Mat
from device.cameras.usb_hold import UsbHold
from device.cameras.wanted import CameraSettings
from simulation.picture import shoot
from simulation.random_scene import game_table
from tests.device.test_usb_hold import Driver
from vision.view import FrameState, Gate, Look

SIZE = (640, 480)
FPS = 5.0
FEW = 8
"""Every so many-th frame the mat is measured: what is wrong stays so for ten seconds."""
RIGHT = 157.0
"""What the stand-in's own automatic comes to, in units of 100 µs."""
LEAST, MOST = 150.0, 235.0
"""The lightest of the mat stays between these, of 255, while daylight changes as slowly as it does."""


@functools.cache
def a_table() -> Any:
    """A table with its mat; the lightest of it is 195, which leaves room on both sides."""
    picture = shoot(game_table("draw-game", 4, SIZE, 14)).picture
    return cv2.convertScaleAbs(picture, alpha=195 / float(np.quantile(picture, 0.99)))


class Daylight(Driver):
    """A camera at a window. Its exposure obeys some frames late; of less than a flash lamps would be seen."""

    def __init__(self, late: int = 3, *lacks: int) -> None:
        super().__init__(*lacks)
        self.now, self.light, self.hand = 0.0, 1.0, False
        self._exposed = deque([RIGHT] * (late + 1), maxlen=late + 1)
        rng = np.random.default_rng(3)
        self._noises = [rng.integers(0, 4, (SIZE[1], SIZE[0], 3)).astype(np.uint8) for _ in range(3)]
        self.known[cv2.CAP_PROP_FPS] = 30.0
        self.told: list[tuple[float, float]] = []

    def set(self, name: int, value: float) -> bool:
        """Set a control, and note what exposure was told while somebody looks."""
        took = super().set(name, value)
        if took and name == cv2.CAP_PROP_EXPOSURE:
            self.told.append((self.now, value))
        return took

    def read(self) -> tuple[bool, Any]:
        """The next picture; it takes a fifth of a second."""
        self.now += 1 / FPS
        self.frames += 1
        super().read()
        self._exposed.append(self.known[cv2.CAP_PROP_EXPOSURE])
        scene = a_table()
        if self.hand:
            scene = scene.copy()
            scene[100:300, 200:440] = (140, 170, 220)
        share = self.light * self._exposed[0] / RIGHT
        picture = cv2.convertScaleAbs(scene, alpha=share ** (1 / 2.2))
        return True, cv2.add(picture, self._noises[self.frames % len(self._noises)])


class Filmed:
    """What is sent of it, in the camera's own time."""

    def __init__(self, driver: Daylight, wanted: CameraSettings | None = None) -> None:
        self.driver = driver
        wanted = wanted or CameraSettings(fps=FPS)
        self.hold = UsbHold(driver, wanted, None, lambda _value: True)
        self._frames = webcam.film(driver, wanted, 1.0, Requests(), lambda: driver.now, self.hold)
        self.words: list[dict[str, Any]] = []

    def watch(self, seconds: float, light: Callable[[float], float] = lambda _now: 1.0) -> Iterator[Frame]:
        """So long; how light it is by then is told by the time since."""
        began = self.driver.now
        while self.driver.now < began + seconds:
            self.driver.light = light(self.driver.now - began)
            one = next(self._frames)
            if one.kind is FrameKind.WORDS:
                self.words.append(dict(one.words))
            else:
                yield one


@dataclass(frozen=True)
class Seen:
    """What is to be known of one frame."""

    face: float
    mean: float
    relit: bool


class Watched:
    """What was seen of the frames, which are too many to be kept; and what a gate makes of them."""

    def __init__(self, gate: Gate | None = None) -> None:
        self._mat, self._gate = Mat(), gate
        self.frames: list[Seen] = []
        self.looks: list[Look] = []

    def see(self, frames: Iterator[Frame]) -> list[Seen]:
        """Some more of them."""
        begins = len(self.frames)
        for one in frames:
            area = self._mat.corners(one.picture, 0.0)
            assert area is not None
            face = self.frames[-1].face if len(self.frames) % FEW else metered(one.picture, area, 0.0).face
            self.frames.append(Seen(face, float(one.picture[::4, ::4].mean()), one.relit))
            if self._gate is not None:
                self.looks.append(self._gate.see(one.picture, len(self.frames) / FPS, relit=one.relit))
        return self.frames[begins:]


@pytest.mark.parametrize(("late", "to"), [(0, 0.3), (2, 3.4), (2, 0.3), (4, 3.4)])
def test_evening_and_morning_are_followed_and_every_change_is_told(late: int, to: float) -> None:
    """Almost two stops in four minutes: the mat stays light and not white, the gate sees no hand."""
    camera, seen = Filmed(Daylight(late)), Watched(Gate(SIZE) if late == 2 else None)
    seen.see(camera.watch(10))
    first = len(camera.driver.told)
    seen.see(camera.watch(240, lambda now: to ** (now / 240)))
    seen.see(camera.watch(20, lambda _now: to))
    told = camera.driver.told[first:]
    light = [one.face for one in seen.frames]
    assert min(light) > LEAST
    assert max(light) < MOST
    assert len(told) >= 2
    relit = {number for number, one in enumerate(seen.frames) if one.relit}
    assert len(told) <= len(relit) <= 2 * len(told)
    pairs = enumerate(pairwise(seen.frames), 1)
    jumps = {number for number, (before, after) in pairs if abs(after.mean / before.mean - 1) > 0.02}
    assert len(jumps) == len(told)
    assert jumps <= relit
    assert {look.state for look in seen.looks} <= {
        FrameState.STARTING,
        FrameState.SETTLING,
        FrameState.SETTLED,
        FrameState.LIGHT,
    }
    assert len({look.view for look in seen.looks[50:]}) <= 1
    assert SensorTold.of_plain(camera.words[-1][HELD]).driver["exposure"] == told[-1][1]
    assert f"exposure {told[-1][1] / 10:.1f} ms, which follows daylight" in camera.words[-1]["words"]


def test_a_cloud_and_a_hand_change_nothing_and_a_lamp_is_put_right_soon() -> None:
    """As with the Pi's: what passes within ten seconds is not followed; what is white out is, after two."""
    camera, seen = Filmed(Daylight()), Watched()
    seen.see(camera.watch(10))
    first = len(camera.driver.told)
    seen.see(camera.watch(8, lambda _now: 0.55))
    seen.see(camera.watch(20))
    camera.driver.hand = True
    seen.see(camera.watch(60))
    camera.driver.hand = False
    seen.see(camera.watch(20))
    assert camera.driver.told[first:] == []
    assert not any(one.relit for one in seen.frames)
    began = camera.driver.now
    lit = seen.see(camera.watch(20, lambda _now: 5.0))
    assert camera.driver.told[first][0] - began < 4.0
    assert lit[-1].face < MOST
    assert any(one.relit for one in lit)


def _ends(frames: Iterator[Frame]) -> None:
    """All of them, and none is kept."""
    deque(frames, maxlen=0)


@pytest.mark.parametrize(("mains", "fps"), [(50, 25), (60, 30), (50, 10), (60, 10)])
def test_the_longest_time_is_of_four_flashes(mains: int, fps: float) -> None:
    """A third of a microsecond is no reason to look for a flash less."""
    flash = 1e6 / (2 * mains)
    limits = Limits(1, longest_us(mains, fps), 1.0, mains)
    assert limits.beside(round(3 * flash), 1).time_us == pytest.approx(4 * flash, abs=1)
    assert limits.beside(round(4 * flash), 1).time_us == round(4 * flash)


def test_lamps_are_looked_at_for_whole_flashes_and_the_sun_for_less() -> None:
    """Once it follows; a time between two flashes is left at the first step."""
    for mains in (50, 60):
        exposure: Any = f"{mains} Hz"
        camera = Filmed(Daylight(), CameraSettings(fps=FPS, exposure=exposure))
        _ends(camera.watch(10))
        first = len(camera.driver.told)
        _ends(camera.watch(150, lambda now: 0.3 ** (now / 150)))
        _ends(camera.watch(200, lambda now: 0.3 * 20 ** (now / 200)))
        flash = 1e4 / (2 * mains)
        times = [value for _, value in camera.driver.told[first:]]
        assert max(times) > 2 * flash - 1
        assert min(times) < flash
        assert all(value < flash or abs(value / flash - round(value / flash)) < 0.02 for value in times)


def test_what_is_locked_or_the_driver_s_own_is_not_followed() -> None:
    """Where the settings say so, and where its driver holds no exposure: then its own automatic goes on."""
    locked = Filmed(Daylight(), CameraSettings(fps=FPS, exposure="locked"))
    _ends(locked.watch(10))
    first = len(locked.driver.told)
    assert not any(one.relit for one in locked.watch(40, lambda _now: 0.4))
    assert locked.driver.told[first:] == []
    assert "exposure held as it began" in locked.words[-1]["words"]
    for lacks in ((cv2.CAP_PROP_AUTO_EXPOSURE,), (cv2.CAP_PROP_EXPOSURE,)):
        own = Filmed(Daylight(3, *lacks))
        own.driver.known[cv2.CAP_PROP_EXPOSURE] = RIGHT
        assert not any(one.relit for one in own.watch(30, lambda _now: 0.4))
        assert own.driver.known[cv2.CAP_PROP_AUTO_EXPOSURE] != 1.0 or lacks[0] == cv2.CAP_PROP_AUTO_EXPOSURE
        assert "exposure its own, its driver lets nobody hold it" in own.words[-1]["words"]


def test_a_driver_that_takes_no_other_time_is_left_in_peace() -> None:
    """What it says it does is what counts: nothing is told as relit that is not."""

    class Stubborn(Daylight):
        def set(self, name: int, value: float) -> bool:
            """It says yes, and does as before."""
            return super().set(name, RIGHT if name == cv2.CAP_PROP_EXPOSURE else value)

    camera = Filmed(Stubborn())
    frames = [*camera.watch(100, lambda _now: 0.5)]
    assert not any(one.relit for one in frames)
    assert camera.hold.exposure == Exposure(15_700, 1.0)


@pytest.mark.parametrize("start", [3, 40, 99, 100, 157, 200, 301, 400])
@pytest.mark.parametrize("way", [1, -1])
def test_by_the_time_alone_a_step_never_overshoots(start: int, way: int) -> None:
    """From any time: each step goes the right way, and the faces come to be within their bounds."""
    limits = Limits(100, 40_000, 1.0, 50, 100)
    state, at_s = Follow(Exposure(start * 100, 1.0), limits), 0.0
    light = (160.0 if way > 0 else 230.0) / 255
    scale = light**2.2 / state.exposure.light
    seen = []
    while at_s < 200:
        face = 255 * min(1.0, state.exposure.light * scale) ** (1 / 2.2)
        before = state.exposure
        state, new = step(state, Metered(at_s, face, 0.0))
        if new is not None:
            seen.append(face)
            assert (new.time_us - before.time_us) * way > 0
            assert new.time_us % 100 == 0
            assert new.gain == 1.0
        at_s += 0.5
    last = 255 * (state.exposure.light * scale) ** (1 / 2.2)
    at_its_end = state.exposure.time_us in (100, 40_000)
    assert at_its_end or 165 <= last <= 228
    assert at_its_end or seen
