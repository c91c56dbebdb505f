"""Run as a program: a USB camera through OpenCV, its automatics off once it has warmed up.

Its pictures are taken as it packs them (MJPEG), as large as it has them. They are unpacked to watch as far as
that needs, and whole where that was asked for. A camera that packs nothing sends pictures of a usual size.
"""

import json
import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.cameras.choosing import Size
from device.cameras.frames import DOING, Frame, FrameKind, Picture
from device.cameras.jpeg import PackedPicture, packed, share_to_watch
from device.cameras.last_told import HELD, SensorTold
from device.cameras.lifeline import Requests, deliver
from device.cameras.upright import enlarged, upright
from device.cameras.usb_hold import UsbHold, power_line_of
from device.cameras.usb_light import UsbLight
from device.cameras.usb_names import not_there, number_of
from device.cameras.wanted import CameraSettings
from device.rights import remedy, whoever_runs

SIZE_PX = (1280, 960)
"""Asked for where each picture comes unpacked: as large as the readers need."""
MOST_PX = (3840, 2160)
"""Asked for where pictures come packed: a driver then takes the largest it has."""
_MOST_FAILURES = 10
_DUE = 0.75
"""After this share of the time between two pictures, the next one that comes is taken."""
_FOCUS_S = 4.0
"""An autofocus that is wanted anew has so long, without anybody looking."""
_MJPEG = cv2.VideoWriter.fourcc(*"MJPG")


class Unplugged(OSError):
    """The camera no longer answers; the message is the sentence for the user."""


class OtherPictureSize(OSError):
    """The camera sends pictures of another size than before: pixels would be taken for what they are not."""


def film(
    capture: Any, wanted: CameraSettings, warm_up_s: float, requests: Requests,
    clock: Callable[[], float] = time.monotonic, hold: UsbHold | None = None,
) -> Iterator[Frame]:  # fmt: skip
    """The frames of a ``cv2.VideoCapture``; those of the warm-up are not given."""
    _configure(capture, wanted)
    hold = hold or UsbHold(capture, wanted)
    light = UsbLight(hold, max(wanted.fps, float(capture.get(cv2.CAP_PROP_FPS))))
    sizes: tuple[Size, int] | None = None
    torn = told = 0
    for now, data in _taken(capture, wanted.fps, warm_up_s, clock, hold, requests):
        if data is None:
            yield Frame(kind=FrameKind.WORDS, words={DOING: "it focuses"})
            continue
        if data.ndim == 3 and data.shape[2] == 3:
            if told != hold.holds:
                told = hold.holds
                yield _words(f"pictures of {_told((data.shape[1], data.shape[0]))} as they come", hold)
            yield _lit(upright(data, wanted), light, now)
            continue
        one = packed(data.tobytes())
        if one is not None and sizes is None:
            wanted = _seen_whole(one.size, wanted)
            sizes = one.size, share_to_watch(one.size, wanted.watch_size)
        if sizes is not None and told != hold.holds:  # again after each search: a next start is told the new
            told = hold.holds
            yield _packed_words(*sizes, wanted, hold)
        if one is not None and sizes is not None and one.size != sizes[0]:
            raise OtherPictureSize(f"it sends pictures of {_told(one.size)} now, and sent {_told(sizes[0])}")
        watch = None if one is None or sizes is None else _watched(one, sizes[1], wanted)
        if one is None or watch is None:
            torn += 1
            yield Frame(kind=FrameKind.WORDS, words={"torn": torn, "why": _TORN})
            continue
        share = requests.take()
        large = one.unpacked() if share else None
        yield _lit(upright(watch, wanted), light, now)
        if large is not None:
            shown = enlarged(large, (watch.shape[1], watch.shape[0]), share, wanted)
            yield Frame(shown, kind=FrameKind.LARGE)


_TORN = "its pictures come torn: try another USB port, a shorter cable, or no hub"


def _configure(capture: Any, wanted: CameraSettings) -> None:
    """Ask for packed pictures at full size, or else for unpacked ones of a usual size."""
    _ask(capture, wanted.size or MOST_PX, wanted.fps)
    is_packed = int(capture.get(cv2.CAP_PROP_FOURCC)) == _MJPEG
    if is_packed and not _fits(capture, wanted):
        _ask(capture, wanted.watch_size or MOST_PX, wanted.fps)  # the shape that is wanted, or nothing larger
    if is_packed and capture.set(cv2.CAP_PROP_CONVERT_RGB, 0):
        return
    capture.set(cv2.CAP_PROP_CONVERT_RGB, 1)
    _ask(capture, wanted.watch_size or wanted.size or SIZE_PX, wanted.fps)


def _ask(capture: Any, size: Size, fps: float) -> None:
    capture.set(cv2.CAP_PROP_FOURCC, _MJPEG)
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
    capture.set(cv2.CAP_PROP_FPS, fps)


def _fits(capture: Any, wanted: CameraSettings) -> bool:
    """Whether the full size has the shape of the picture that is to be watched."""
    wide, high = (capture.get(name) for name in (cv2.CAP_PROP_FRAME_WIDTH, cv2.CAP_PROP_FRAME_HEIGHT))
    return _seen_whole((int(wide), int(high)), wanted) == wanted


def _seen_whole(size: Size, wanted: CameraSettings) -> CameraSettings:
    """What is wanted, without a size to watch that does not show the same as the full size."""
    try:
        CameraSettings(size=size, watch_size=wanted.watch_size)
    except ValueError:
        return replace(wanted, watch_size=None)
    return wanted


def _taken(
    capture: Any, fps: float, warm_up_s: float, clock: Callable[[], float], hold: UsbHold, requests: Requests
) -> Iterator[tuple[float, Picture | None]]:
    """When and what the camera sends after the warm-up, no more often than wanted; all of it is fetched.

    None where its focus is wanted anew and looked for.
    """
    hold.loosen()
    warm_s, locked, failures, last_s = clock() + warm_up_s, False, 0, float("-inf")
    while True:
        got, data = capture.read()
        if not got or data is None:
            failures += 1
            if failures >= _MOST_FAILURES:
                raise Unplugged("the camera no longer answers: is it unplugged?")
            continue
        failures, now = 0, clock()
        if locked and hold.focuses and requests.is_focus_wanted():
            hold.focus_anew()
            warm_s, locked = now + _FOCUS_S, False
        is_due = now - last_s >= _DUE / fps
        if now < warm_s:
            if is_due and last_s > float("-inf"):
                last_s = now
                yield now, None
            continue
        if not locked:
            locked = True
            hold.hold()
        if is_due:
            last_s = now
            yield now, np.asarray(data, dtype=np.uint8)


def _lit(watch: Picture, light: UsbLight, now: float) -> Frame:
    return Frame(watch, relit=light.see(watch, now))


def _watched(one: PackedPicture, share: int, wanted: CameraSettings) -> Picture | None:
    """The picture that is watched."""
    picture = one.unpacked(share)
    if picture is None or wanted.watch_size in (None, (picture.shape[1], picture.shape[0])):
        return picture
    assert wanted.watch_size is not None  # None is among those above
    return np.asarray(cv2.resize(picture, wanted.watch_size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _packed_words(large: Size, share: int, wanted: CameraSettings, hold: UsbHold) -> Frame:
    watch = wanted.watch_size or (-(-large[0] // share), -(-large[1] // share))
    words = f"MJPEG of {_told(large)}, unpacked when it is wanted; watched {_told(watch)}"
    return _words(words, hold, {"large": large, "watch": watch})


def _words(words: str, hold: UsbHold, more: Mapping[str, Any] | None = None) -> Frame:
    """What is told of this camera."""
    told = {
        "words": f"{words}; {hold.words}",
        "focuses": hold.focuses,
        HELD: SensorTold(driver=hold.values).to_plain(),
    }
    return Frame(kind=FrameKind.WORDS, words={**(more or {}), **told})


def _told(size: Size) -> str:
    return f"{size[0]}×{size[1]}"


def _unopened(node: Path) -> str:
    """Why a camera cannot be opened, and what to do about it."""
    if not node.exists():
        return f"there is no camera at {node}: plug it in"
    if not os.access(node, os.R_OK | os.W_OK):
        return f"{node} may not be opened: {remedy(node, whoever_runs())}"
    return f"{node} gives no pictures: it is another program's, or no camera"


def main() -> int:
    """The camera's name, what is wanted of it, seconds of warm-up and what was kept are the arguments."""
    name, wanted, warm_up_s = sys.argv[1], CameraSettings.from_json(sys.argv[2]), float(sys.argv[3])
    kept = SensorTold.of_plain(json.loads(sys.argv[4])) if len(sys.argv) > 4 else SensorTold()
    number = number_of(name)
    if number is None:
        print(not_there(name), file=sys.stderr)
        return 1
    capture = cv2.VideoCapture(number, cv2.CAP_V4L2)
    if not capture.isOpened():
        print(_unopened(Path(f"/dev/video{number}")), file=sys.stderr)
        return 1
    hold = UsbHold(capture, wanted, kept.driver, power_line_of(number))
    return deliver(lambda requests: film(capture, wanted, warm_up_s, requests, hold=hold))


if __name__ == "__main__":
    sys.exit(main())
