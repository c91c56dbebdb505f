"""What a USB camera's driver is told: lamps, focus and exposure held, and what it cannot do said."""

import fcntl
import io
import struct
from itertools import count, islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.cameras import usb_hold, webcam
from device.cameras.frames import DOING, Frame, FrameKind
from device.cameras.last_told import HELD, CameraMemory, SensorTold
from device.cameras.lifeline import FOCUS, Requests
from device.cameras.usb_hold import UsbHold, power_line
from device.cameras.wanted import CameraSettings

ON = {cv2.CAP_PROP_AUTOFOCUS: 1.0, cv2.CAP_PROP_AUTO_EXPOSURE: 3.0, cv2.CAP_PROP_AUTO_WB: 1.0}
OFF = {cv2.CAP_PROP_AUTOFOCUS: 0.0, cv2.CAP_PROP_AUTO_EXPOSURE: 1.0, cv2.CAP_PROP_AUTO_WB: 0.0}
VALUE = dict(zip(ON, (cv2.CAP_PROP_FOCUS, cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_WB_TEMPERATURE), strict=True))


class Driver:
    """A camera whose automatics come to what is right now, and which keeps what it was told yesterday."""

    def __init__(self, *lacks: int, known: dict[int, float] | None = None) -> None:
        self.lacks = lacks
        self.right = dict(zip(VALUE.values(), (35.0, 157.0, 3900.0), strict=True))
        self.known = known if known is not None else {**OFF, **dict.fromkeys(VALUE.values(), 9.0)}
        self.frames = 0

    def set(self, name: int, value: float) -> bool:
        """Set a control; one that it lacks is refused, a value while its automatic is on, too."""
        if name in self.lacks or any(self.known.get(a) == ON[a] for a, own in VALUE.items() if own == name):
            return False
        self.known[name] = value
        return True

    def get(self, name: int) -> float:
        """A control, or what OpenCV gives for one that the camera lacks."""
        return -1.0 if name in self.lacks else self.known.get(name, -1.0)

    def read(self) -> tuple[bool, Any]:
        """The next picture; meanwhile automatics do their work."""
        self.frames += 1
        for automatic, value in VALUE.items():
            if self.known.get(automatic) == ON[automatic] and automatic not in self.lacks:
                self.known[value] = self.right[value]
        return True, np.full((48, 64, 3), self.frames % 200, np.uint8)


class Packing(Driver):
    """One that packs its pictures, and may tear them."""

    tears = False

    def __init__(self) -> None:
        super().__init__()
        self.packed = np.frombuffer(cv2.imencode(".jpg", np.full((48, 64, 3), 90, np.uint8))[1], np.uint8)

    def set(self, name: int, value: float) -> bool:
        """It is packed as asked for, as large as it is."""
        own = (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT)
        return name in own or super().set(name, value)

    def read(self) -> tuple[bool, Any]:
        """The next one."""
        super().read()
        whole = self.packed[None]
        return True, whole[:, : whole.shape[1] // 2] if self.tears else whole


def filmed(
    driver: Driver, wanted: CameraSettings, kept: SensorTold | None = None, requests: Requests | None = None
) -> Any:
    """Its frames, with a warm-up, under a clock of ours; and what it told."""
    kept = kept or SensorTold()
    lamps: list[int] = []
    hold = UsbHold(driver, wanted, kept.driver, lambda value: not lamps.append(value))  # type: ignore[func-returns-value]
    frames = webcam.film(driver, wanted, 1.0, requests or Requests(), count(0.0, 0.1).__next__, hold)
    words: Frame = next(frames)
    return frames, words.words, lamps


def held(driver: Driver) -> dict[int, float]:
    """The controls as they are now."""
    return {name: driver.known[name] for name in (*OFF, *VALUE.values())}


def test_a_camera_that_is_opened_finds_what_is_right_now_and_holds_it() -> None:
    """Not what its driver was told yesterday; focus, exposure and white balance alike."""
    driver = Driver()
    frames, words, lamps = filmed(driver, CameraSettings())
    next(frames)
    assert held(driver) == OFF | driver.right
    assert lamps == [1]
    assert "focus held where its autofocus came to" in words["words"]
    assert "exposure 15.7 ms, which follows daylight, for lamps at 50 Hz" in words["words"]


def test_a_process_that_was_killed_is_told_what_it_was_told() -> None:
    """Though the light is another by now: nothing seems to have moved."""
    driver = Driver()
    _, words, _ = filmed(driver, CameraSettings())
    before, kept = held(driver), SensorTold.of_plain(words[HELD])
    driver.right = dict.fromkeys(driver.right, 77.0)
    frames, _, _ = filmed(driver, CameraSettings(), kept)
    next(frames)
    assert held(driver) == before
    cold, _, _ = filmed(driver, CameraSettings())
    next(cold)
    assert held(driver) == OFF | driver.right


@pytest.mark.parametrize(("exposure", "told"), [("50 Hz", [1]), ("60 Hz", [2]), ("locked", [])])
def test_the_driver_is_told_of_the_lamps(exposure: Any, told: list[int]) -> None:
    """As the settings have them; where they say locked, it is left alone."""
    _, words, lamps = filmed(Driver(), CameraSettings(exposure=exposure))
    assert lamps == told
    assert ("lamps" in words["words"]) is bool(told)


def test_what_a_driver_cannot_do_is_said() -> None:
    """No silence: neither about a lens that is turned by hand, nor about settings that mean nothing here."""
    bare = Driver(*VALUE, *VALUE.values(), known={})
    wanted = CameraSettings(focus=1.5)
    hold = UsbHold(bare, wanted)
    hold.loosen()
    hold.hold()
    assert hold.words == (
        "focus is turned by hand, or fixed "
        "(focus = 1.5 is for the Pi's cameras: this one knows no dioptres); "
        "exposure its own, its driver lets nobody hold it; its driver cannot be told of lamps at 50 Hz"
    )
    assert bare.known == {}
    assert not hold.focuses


def test_an_autofocus_looks_for_the_table_again_when_somebody_wants_it() -> None:
    """No picture is given meanwhile, and what it came to is held."""
    driver, requests = Driver(), Requests()
    frames, words, _ = filmed(driver, CameraSettings(exposure="locked"), requests=requests)
    assert words["focuses"] is True
    next(frames)
    driver.right[cv2.CAP_PROP_FOCUS] = 60.0
    requests.hear(io.BytesIO(FOCUS + b"\n"))
    found = [next(frames) for _ in range(60)]
    doing = [number for number, one in enumerate(found) if DOING in one.words]
    assert doing == list(range(doing[0], doing[-1] + 1))
    assert len(doing) > 5
    words_again, *watched = found[doing[-1] + 1 :]
    assert {one.kind for one in watched} == {FrameKind.WATCH}
    assert driver.known[cv2.CAP_PROP_FOCUS] == 60.0
    assert driver.known[cv2.CAP_PROP_AUTOFOCUS] == 0.0
    driver.right[cv2.CAP_PROP_FOCUS] = 12.0  # what an autofocus would come to now
    again, _, _ = filmed(driver, CameraSettings(), SensorTold.of_plain(words_again.words[HELD]))
    next(again)
    assert driver.known[cv2.CAP_PROP_FOCUS] == 60.0


@pytest.mark.parametrize("torn_first", [False, True])
def test_a_packed_camera_tells_anew_what_it_holds_once_it_has_focused_again(*, torn_first: bool) -> None:
    """Though the first picture afterwards comes torn; a process that is killed then is told the new value."""
    driver, requests, memory = Packing(), Requests(), CameraMemory()
    frames, words, _ = filmed(driver, CameraSettings(), requests=requests)
    memory.hear(words)
    next(frames)
    driver.right[cv2.CAP_PROP_FOCUS] = 60.0
    requests.hear(io.BytesIO(FOCUS + b"\n"))
    while DOING not in next(frames).words:
        pass
    driver.tears = torn_first
    for one in islice(frames, 60):
        memory.hear(one.words)
    assert memory.kept.driver["focus"] == 60.0


def test_the_power_line_is_set_as_v4l2_has_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By its number and a value of 32 bits; a node that knows of no such thing, or is none, is a no."""
    node, asked = tmp_path / "video7", list[Any]()
    assert not power_line(node, 1)
    node.touch()
    assert not power_line(node, 1)  # a file is no camera
    monkeypatch.setattr(fcntl, "ioctl", lambda _handle, number, data: asked.append((number, data)))
    assert power_line(node, 2)
    size, group, number = (asked[0][0] >> 16) & 0x3FFF, chr((asked[0][0] >> 8) & 0xFF), asked[0][0] & 0xFF
    assert (size, group, number) == (8, "V", 28)
    assert struct.unpack("Ii", asked[0][1]) == (0x00980900 + 24, 2)
    assert usb_hold.power_line_of(7).args == (Path("/dev/video7"),)  # type: ignore[attr-defined]
