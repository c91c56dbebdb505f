"""What cameras say of their lens and their exposure, said by what holds them."""

from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any, Final

import cv2
import numpy as np

from device.cameras.choosing import BufferRoom, PictureChoice
from device.cameras.exposure import Exposure, Follow, Limits
from device.cameras.held_lens import HeldLens
from device.cameras.last_told import SensorTold
from device.cameras.matted import Mat
from device.cameras.picamera import PiFilm
from device.cameras.refocus import Sure
from device.cameras.usb_hold import UsbHold
from device.cameras.wanted import CameraSettings
from device.cameras.webcam import _packed_words, _words
from device.health import sight
from device.live.ports import Shot

_REACH: Final = (0.0, 10.0, 1.0)
"""From how far to how near the lens goes, and where it usually is, in dioptres."""
_DARK: Final = np.zeros((48, 64, 3), np.uint8)
_LARGE, _WATCH = (1280, 960), (640, 480)


def speeches() -> Iterator[str]:
    """What the doctor tells of a camera, and what one does before there is a picture."""
    for words in (*_of_pis(), *_of_usb_cameras()):
        yield sight.camera(lambda words=words: _FilmedDark(words))[0].words  # type: ignore[misc]
    lens = HeldLens(_hand(None, moves=True, told=True), Mat(), SensorTold())
    yield from lens.sweep()


def _of_pis() -> Iterator[str]:
    """What a Raspberry Pi's camera was asked for."""
    room = BufferRoom(10**9, 10**8)
    for hangs_together, follow in (
        (True, None),
        (False, Follow(Exposure(10000, 2.0), Limits(100, 20000, 8.0))),
    ):
        choice = PictureChoice(
            _LARGE, _WATCH, 4, 10**7, BufferRoom(room.total_bytes, room.free_bytes, hangs_together), "imx708"
        )
        for lens in _lenses():
            film: Any = SimpleNamespace(choice=choice, lens=lens, wanted=CameraSettings(), _follow=follow)
            yield str(PiFilm.words(film)["words"])


def _lenses() -> Iterator[HeldLens]:
    """Held wherever a lens may be held."""
    sure = SensorTold(lens=2.5, sure=Sure(50.0, 0.1))
    for told in (True, False):
        for wanted, kept in ((4.0, SensorTold()), (None, sure)):
            lens = HeldLens(_hand(wanted, moves=True, told=told), Mat(), kept)
            assert [*lens.begin()] == []
            yield lens
    yield HeldLens(_hand(None, moves=False, told=True), Mat(), SensorTold())
    for kept, best in ((sure, 3.0), (SensorTold(), None), (SensorTold(), 3.0)):
        lens = HeldLens(_hand(None, moves=True, told=True), Mat(), kept)
        lens._end(best, _REACH)
        yield lens


def _hand(focus: float | None, *, moves: bool, told: bool) -> Any:
    """A camera that sees nothing, whose lens obeys."""

    def obeyed(_exposure: Exposure | None, lens: float) -> Mapping[str, Any]:
        return {"LensPosition": lens} if told else {}

    return SimpleNamespace(
        camera=SimpleNamespace(camera_controls={"LensPosition": _REACH} if moves else {}),
        wanted=CameraSettings(focus=focus), tell=lambda _controls: None, obeyed=obeyed,
        watched=lambda: _DARK, clock=lambda: 0.0,
    )  # fmt: skip


def _of_usb_cameras() -> Iterator[str]:
    """What a USB camera was asked for, by how much its driver can do."""
    for lacks in ((), (cv2.CAP_PROP_AUTOFOCUS, cv2.CAP_PROP_AUTO_EXPOSURE)):
        for wanted in (CameraSettings(), CameraSettings(focus=4.0), CameraSettings(exposure="locked")):
            for knows in (True, False):
                hold = UsbHold(_FewControls(lacks), wanted, None, lambda _value, knows=knows: knows)  # type: ignore[misc]
                hold.loosen()
                hold.hold()
                yield str(_packed_words(_LARGE, 2, wanted, hold).words["words"])
                yield str(_words("pictures of 640×480 as they come", hold).words["words"])


class _FewControls:
    """A driver that has all controls but some."""

    def __init__(self, lacks: tuple[int, ...]) -> None:
        self._lacks = lacks

    def set(self, name: int, _value: float) -> bool:
        """Whether it has this control."""
        return name not in self._lacks

    def get(self, _name: int) -> float:
        """Where it is."""
        return 9.0


class _FilmedDark:
    """A camera that gives one picture after the other."""

    recorded = False

    def __init__(self, words: str) -> None:
        self._words = words

    def next(self, _timeout_s: float) -> Shot:
        """The next one."""
        return Shot(1, 0.0, _DARK)

    def vitals(self) -> Any:
        """What it was asked for."""
        return SimpleNamespace(words=self._words)

    def close(self) -> None:
        """There is nothing to let go of."""
