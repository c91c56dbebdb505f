"""What the camera sees: whether there is a picture, the markers in it, light enough, and sizes that fit."""

from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from calibration.camera_errors import CalibrationError
from calibration.mats import CORNER_IDS
from calibration.table_finder import find_markers
from device.cameras.own_process import reason_of
from device.cameras.watchdog import Patience
from device.health.finding import Finding, absent, fails, ok
from device.live.ports import Away, Picture, Shot, Source
from device.live.recorded import RecordingError
from device.rights import advice
from vision.photos.picture_reading import read_picture

_WAIT_S, _TRIES = 1.0, 25
_BUSY_TRIES = int(Patience().busy_s / _WAIT_S)
"""A camera that is busy is waited for as long as its watchdog does: a first sweep takes 19 to 30 s."""
_LEAST_MARKER_PX = 24
_DARK, _DIM, _BRIGHT = 20, 45, 252
_BURNT_SHARE = 0.06
_KEPT = ", and for `run` marker_mm = {:g} under [table] in config.toml"


def nodes(folder: Path = Path("/dev")) -> list[Path]:
    """The devices of cameras."""
    return sorted([*folder.glob("video*"), *folder.glob("media*"), *folder.glob("dma_heap/*")])


def camera(open_it: Callable[[], Source | None]) -> tuple[Finding, Picture | None]:
    """One picture of the camera, or what is the matter with it."""
    rights = advice(nodes())
    try:
        source = open_it()
    except OSError as error:
        return fails("camera", str(error), "give a --source that is there"), None
    if source is None:
        words = "there is none: moves can be typed, and the virtual table played"
        remedy = rights or "connect one; on a Raspberry Pi try rpicam-hello --list-cameras"
        return absent("camera", words, remedy), None
    try:
        found = _first(source)
        told = _chosen(source)
    except RecordingError as error:
        found, told = Away(str(error)), ""
    finally:
        source.close()
    if isinstance(found, Shot):
        height, width = found.picture.shape[:2]
        told = f"; {told}" if told else ""
        return ok("camera", f"sends pictures of {width}×{height}{told}"), found.picture
    why = reason_of(found) or "it sends no picture"
    if found.is_busy:
        return absent("camera", why, "wait until it is done, then check again"), None
    remedy = rights or "check the cable, and that no other program uses it: rpicam-hello --list-cameras"
    return fails("camera", why, remedy), None


def _first(source: Source) -> Shot | Away:
    """Its first picture, or why there is none; one that is busy is waited for longer."""
    last, idle = Away(), 0
    for _ in range(_BUSY_TRIES):
        found = source.next(_WAIT_S)
        if isinstance(found, Shot):
            return found
        last = found or Away()
        idle += not last.is_busy
        if found is None or idle >= _TRIES or (last.why and not last.is_busy):
            break
    return last


def _chosen(source: Source) -> str:
    """What a camera of this machine was asked for, and why; nothing of other sources."""
    vitals = getattr(source, "vitals", None)
    return "" if vitals is None else str(vitals().words)


def markers(picture: Picture | None) -> Finding:
    """Whether the four markers of the table are seen, and large enough."""
    if picture is None:
        return absent("markers", "nothing to look for them in")
    grey = np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    try:
        found = find_markers(grey)
    except CalibrationError as error:
        return fails("markers", str(error), "print them with `pipwatch print markers -o markers.pdf`")
    missing = [number for number in CORNER_IDS if number not in found]
    if missing:
        names = ("marker " if len(missing) == 1 else "markers ") + ", ".join(map(str, missing))
        return fails(
            "markers", f"{names} cannot be seen",
            "uncover them, lay them flat at the table's corners, or raise the camera",
        )  # fmt: skip
    sides = [
        float(np.linalg.norm(found[number] - np.roll(found[number], 1, axis=0), axis=1).min())
        for number in CORNER_IDS  # the pips of a domino may look like some other, small one
    ]
    if min(sides) < _LEAST_MARKER_PX:
        return fails(
            "markers", f"all four are seen, but only {min(sides):.0f} pixels wide",
            "bring the camera nearer or set a larger picture",
        )  # fmt: skip
    return ok("markers", f"all four are seen, {min(sides):.0f} pixels wide and more")


def sizes(picture: Picture | None, side_mm: float) -> Finding:
    """Whether the pieces that lie there have sizes that pieces have, if the markers measure ``side_mm``."""
    if picture is None:
        return absent("sizes", "nothing to measure")
    reading = read_picture(picture, marker_mm=side_mm)
    if reading.table is None:
        remedy = "mend what is said of the markers first"
        return absent("sizes", "nothing to measure by without a table", remedy)
    if reading.other_size is not None:
        other = reading.other_size
        return fails("sizes", other.remark, f"{other.remedy[:-1]}{_KEPT.format(other.marker_mm)}")
    if not reading.pieces:
        words = f"no piece lies there to hold against the markers of {side_mm:g} mm"
        return absent("sizes", words, "lay some dominoes between the markers to be sure of their size")
    return ok("sizes", f"the pieces fit markers of {side_mm:g} mm")


def light(picture: Picture | None) -> Finding:
    """Whether there is enough light, and no glare."""
    if picture is None:
        return absent("light", "nothing to judge it by")
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    middle, high = float(np.median(grey)), float(np.percentile(grey, 98))
    if high < _DARK:
        return fails("light", "the picture is black", "take the cap off, or switch a lamp on")
    if middle < _DIM and high < 3 * _DIM:
        return fails(
            "light", "the picture is dark", "bring more light, from the side and not from the camera"
        )
    burnt = float((grey >= _BRIGHT).mean())
    if burnt > _BURNT_SHARE:
        return fails("light", f"{burnt:.0%} of the picture is white out", "turn the lamp aside or dim it")
    return ok("light", f"enough, {burnt:.1%} of the picture in glare")
