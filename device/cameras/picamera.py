"""Run as a program: the Raspberry Pi's camera, two streams of it, its focus and its exposure held.

What is filmed is worked out in ``choosing``, ``held_lens`` and ``exposure``; here it is told to picamera2.
Its ``stop`` and ``close`` are never called: they may wait for ever.
"""

import json
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from device.cameras.choosing import PictureChoice, Size, choices, of_whole_field, room
from device.cameras.commanded import Commanded, Metadata, colours_of, exposure_of
from device.cameras.entries import entry_of
from device.cameras.exposure import (
    METER_S,
    Exposure,
    Follow,
    Limits,
    Metered,
    longest_us,
    metered,
    settled,
    step,
)
from device.cameras.frames import DOING, Frame, FrameKind, Picture
from device.cameras.held_lens import HeldLens
from device.cameras.last_told import HELD, SensorTold
from device.cameras.lifeline import Requests, deliver
from device.cameras.matted import Mat
from device.cameras.upright import enlarged, in_colour
from device.cameras.wanted import CameraSettings

_FORMAT = "YUV420"
_WARM_STEPS = 8
"""So many exposures are tried before anybody looks."""
_CHANGED_SHARE = 0.01
"""An exposure that differs by more than this is another one."""


@dataclass
class PiFilm:
    """One camera that films."""

    camera: Any
    wanted: CameraSettings
    choice: PictureChoice
    kept: SensorTold = field(default_factory=SensorTold)
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self.mat = Mat()
        self.kept = self.kept.of(self.choice.sensor)
        self._hand = Commanded(self.camera, self.wanted, self.choice, self.clock)
        self.lens = HeldLens(self._hand, self.mat, self.kept)
        self._follow: Follow | None = None
        self._exposed: Exposure | None = None
        self._measured_s = 0.0

    # — the beginning —

    def begin(self, warm_up_s: float) -> Iterator[Frame]:
        """Bring focus, exposure and colours to where they are held; what is being done is told.

        A camera that filmed a moment ago is told what it was told then. Light and colours of another day are
        learned anew.
        """
        held, lamps = self.kept.exposure, self.wanted.mains_hz
        limits = None if lamps is None else self._limits(lamps)
        if held is not None:
            put = self.lens.controls()
            self._hand.tell({**_by_hand(held, self.kept.colours), **put})
            self._hand.obeyed(held, put.get("LensPosition"))
        else:
            metadata = self._automatic(warm_up_s)
            found = exposure_of(metadata)
            self._hand.tell(locked(metadata))
            self.kept = replace(self.kept.exposed(found), colours=colours_of(metadata))
            held = found if found is None or limits is None else limits.of(found.light)
        yield from map(_doing, self.lens.begin())
        yield self.held()
        if held is not None and limits is not None:
            yield from self._settle(Follow(held, limits))

    def _automatic(self, warm_up_s: float) -> Metadata:
        """What the camera's own automatics come to."""
        until = self.clock() + warm_up_s
        while True:
            with self._hand.request() as one:
                metadata: Metadata = one.get_metadata()
            if self.clock() >= until:
                return metadata

    def _settle(self, first: Follow) -> Iterator[Frame]:
        """The exposure for the pieces, before anybody looks."""
        new: Exposure | None = first.exposure
        self._follow = first
        for count in range(_WARM_STEPS):
            if new is None:
                break
            yield _doing(f"it measures the light ({count + 1})")
            self._hand.tell(_by_hand(new, self.kept.colours))
            self._hand.obeyed(new, None)
            self._follow, new = settled(self._follow, self._metered())
        if new is not None:
            self._hand.tell(_by_hand(new, self.kept.colours))
        self.kept = self.kept.exposed(self._follow.exposure)

    def _limits(self, mains_hz: int) -> Limits:
        hand, longest = self._hand, longest_us(mains_hz, self.wanted.fps)
        most = int(hand.bound("ExposureTime", 1, longest)) or longest
        least = int(hand.bound("ExposureTime", 0, 100))
        return Limits(least, min(most, longest), hand.bound("AnalogueGain", 1, 8.0), mains_hz)

    # — pictures —

    def pictures(self, requests: Requests) -> Iterator[Frame]:
        """The picture that is watched, again and again, and the large one with it where it was asked for."""
        while True:
            if requests.is_focus_wanted():
                yield from self._focused_anew()
            share = requests.take()
            with self._hand.request() as one:
                metadata = one.get_metadata()
                watch = self._hand.seen(one)
                large = in_colour(one.make_array("main"), self.choice.large) if share else None
            # What is blurred has not moved either.
            relit = self._is_relit(metadata) | self.lens.is_astray(metadata)
            yield Frame(watch, relit=relit)
            if large is not None:
                told = enlarged(large, self.choice.watch, share, self.wanted)
                yield Frame(told, kind=FrameKind.LARGE)
            yield from self._measured(watch)

    def _focused_anew(self) -> Iterator[Frame]:
        """No pictures meanwhile: they are blurred, and would be taken for what they are not."""
        yield from map(_doing, self.lens.sweep())
        yield self.held()

    def _is_relit(self, metadata: Metadata) -> bool:
        """Whether this frame was exposed otherwise than the one before: it is that frame which says so."""
        now, before = exposure_of(metadata), self._exposed
        self._exposed = now or before
        if now is None or before is None:
            return False
        return abs(now.light / before.light - 1) > _CHANGED_SHARE

    def _measured(self, watch: Picture) -> Iterator[Frame]:
        """Follow daylight, and see to the lens, now and then."""
        now = self.clock()
        if now - self._measured_s < METER_S:
            return
        self._measured_s = now
        area = self.mat.corners(watch, now)
        if self.lens.judge(watch, now):
            yield from self._focused_anew()
            return
        if self._follow is None:
            return
        self._follow, new = step(self._follow, metered(watch, area, now))
        if new is not None:
            self._hand.tell(_by_hand(new, self.kept.colours))
            self.kept = self.kept.exposed(new)
            yield self.held()

    def _metered(self) -> Metered:
        picture = self._hand.watched()
        return metered(picture, self.mat.corners(picture, self.clock()), self.clock())

    # — words —

    def held(self) -> Frame:
        """What is held now, for people and for the next start."""
        self.kept = replace(self.kept, lens=self.lens.position, sure=self.lens.sure)
        told = {**self.words(), "late": self._hand.late, HELD: self.kept.to_plain()}
        return Frame(kind=FrameKind.WORDS, words=told)

    def words(self) -> dict[str, Any]:
        """What is told of this camera."""
        exposure = "locked as it began"
        if self._follow is not None:
            held = self._follow.exposure
            exposure = (
                f"{held.time_us / 1000:.1f} ms at gain {held.gain:.1f}, "
                f"for lamps at {self._follow.limits.mains_hz} Hz"
            )
        told = "; ".join((self.choice.words, f"focus {self.lens.words}", f"exposure {exposure}"))
        return {"large": self.choice.large, "watch": self.choice.watch, "sensor": self.choice.sensor,
                "words": told, "focuses": self.lens.moves and self.wanted.focus is None}  # fmt: skip


def _doing(what: str) -> Frame:
    """A sign of life where there is no picture for a while."""
    return Frame(kind=FrameKind.WORDS, words={DOING: what})


def film(
    camera: Any, wanted: CameraSettings, warm_up_s: float, kept: SensorTold, requests: Requests,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Frame]:  # fmt: skip
    """The frames of a ``Picamera2``; those of the warm-up are not given."""
    choice = configured(camera, wanted)
    camera.start()
    taken = PiFilm(camera, wanted, choice, kept, clock)
    yield from taken.begin(warm_up_s)
    yield taken.held()
    yield from taken.pictures(requests)


def configured(camera: Any, wanted: CameraSettings) -> PictureChoice:
    """Configure the camera for the largest picture that it takes; how it then films is its own."""
    sensor = str(camera.camera_properties.get("Model", ""))
    refused: Exception | None = None
    for choice in choices(modes_of(camera, sensor), wanted, room(), sensor):
        config = camera.create_video_configuration(
            main={"size": choice.large, "format": _FORMAT}, lores={"size": choice.watch, "format": _FORMAT},
            raw=None, controls={"FrameRate": wanted.fps}, buffer_count=choice.buffers,
        )  # fmt: skip
        try:
            camera.configure(config)
        except RuntimeError as error:  # what fits by the sum need not, where memory is in pieces
            refused = error
            continue
        had = camera.camera_configuration()
        return replace(choice, large=_size(had["main"]), watch=_size(had["lores"]))
    raise RuntimeError(f"the camera takes none of the sizes that fit: {refused}")


def modes_of(camera: Any, sensor: str) -> list[Size]:
    """The sizes that see all of the sensor's field: as its entry tells, or else as the camera does."""
    entry = entry_of(sensor)
    if entry is not None and entry.sizes_px:
        return [(int(wide), int(high)) for wide, high in entry.sizes_px]
    found = of_whole_field(camera.sensor_modes)
    wide, high = camera.camera_properties.get("PixelArraySize", (1280, 960))
    return found or [(int(wide), int(high))]


def locked(metadata: Metadata) -> dict[str, Any]:
    """The controls that hold exposure and white balance where the warm-up brought them.

    Switching the automatics off is not enough: without gains of its own the white balance jumps.
    """
    held: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
    for name in ("ExposureTime", "AnalogueGain", "ColourGains"):
        if name in metadata:
            held[name] = metadata[name]
    return held


def _by_hand(exposure: Exposure, colours: tuple[float, float] | None) -> dict[str, Any]:
    held: dict[str, Any] = {
        "AeEnable": False,
        "ExposureTime": exposure.time_us,
        "AnalogueGain": exposure.gain,
    }
    return held if colours is None else {**held, "AwbEnable": False, "ColourGains": colours}


def _size(stream: Mapping[str, Any]) -> Size:
    wide, high = stream["size"]
    return int(wide), int(high)


def main() -> int:
    """What is wanted, seconds of warm-up and what was kept are the arguments."""
    wanted, warm_up_s = CameraSettings.from_json(sys.argv[1]), float(sys.argv[2])
    kept = SensorTold.of_plain(json.loads(sys.argv[3])) if len(sys.argv) > 3 else SensorTold()
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        print(f"picamera2 cannot be loaded ({error}): sudo apt install python3-picamera2", file=sys.stderr)
        return 1
    if not Picamera2.global_camera_info():
        words = "no camera is connected: check the ribbon cable, then rpicam-hello --list-cameras"
        print(words, file=sys.stderr)
        return 1
    try:
        camera = Picamera2()
    except Exception as error:  # libcamera raises what it likes
        print(f"the camera cannot be opened: {error}", file=sys.stderr)
        return 1
    return deliver(lambda requests: film(camera, wanted, warm_up_s, kept, requests))


if __name__ == "__main__":
    sys.exit(main())
