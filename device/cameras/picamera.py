"""Run as a program: the Raspberry Pi's camera, two streams of it, its focus and its exposure held.

What is filmed is worked out in ``choosing``, ``focus`` and ``exposure``; here it is told to picamera2, whose
``stop`` and ``close`` are never called: they may wait for ever.
"""

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from device.cameras import focus, kept
from device.cameras.choosing import Choice, Size, choices, of_whole_field, room
from device.cameras.entries import entry_of
from device.cameras.exposure import Exposure, Follow, Limits, Metered, metered, settled, step
from device.cameras.frames import Frame, FrameKind, Picture
from device.cameras.lifeline import Requests, deliver
from device.cameras.matted import Mat
from device.cameras.upright import in_colour, upright
from device.cameras.wanted import CameraSettings

Metadata = Mapping[str, Any]

_FORMAT = "YUV420"
_OBEYS_FRAMES = 30
"""So many frames at most a camera may take until its metadata says that it does as it was told."""
_OBEYS_SHARE, _LENS_NEAR = 0.05, 0.1
"""So near, as a share of the exposure and in dioptres, it then is."""
_WARM_STEPS = 8
"""So many exposures are tried before anybody looks."""
_METER_S = 0.5
_CHANGED_SHARE = 0.01
"""An exposure that differs by more than this is another one."""
_FLASHES = 4
"""So many flashes of a lamp are the longest exposure: longer ones smear a hand over the table."""
_SWEEP_MANUAL = 0
"""What libcamera calls autofocus that is off."""


@dataclass
class Film:
    """One camera that films."""

    camera: Any
    wanted: CameraSettings
    choice: Choice
    state: Path | None = None
    clock: Callable[[], float] = time.monotonic

    def __post_init__(self) -> None:
        self.mat = Mat()
        self.kept = kept.load(self.state, self.choice.sensor)
        self.told: dict[str, Any] = {}
        self._follow: Follow | None = None
        self._exposed: Exposure | None = None
        self._measured_s = 0.0

    # — the beginning —

    def begin(self, warm_up_s: float) -> None:
        """Bring focus, exposure and colours to where they are held; what was kept of them is taken first."""
        held = self.kept.exposure
        if held is not None and self.wanted.mains_hz is not None:
            self._set({**_by_hand(held, self.kept.colours), **self._lens_kept()})
            metadata = self._obeyed(held, self.kept.lens)
        else:
            metadata = self._automatic(warm_up_s)
            found = _exposure(metadata)
            self._set(locked(metadata))
            self.kept = replace(self.kept, colours=_colours(metadata))
            held = found
        self._hold_focus(metadata)
        if held is not None and self.wanted.mains_hz is not None:
            self._settle(held, self.wanted.mains_hz)
        kept.keep(self.state, self.kept)

    def _automatic(self, warm_up_s: float) -> Metadata:
        """What the camera's own automatics come to."""
        until = self.clock() + warm_up_s
        while True:
            with self._request() as one:
                metadata: Metadata = one.get_metadata()
            if self.clock() >= until:
                return metadata

    def _settle(self, held: Exposure, mains_hz: int) -> None:
        """The exposure for the pieces, before anybody looks."""
        limits = self._limits(mains_hz)
        first = held if held == self.kept.exposure else limits.of(held.light)
        self._follow = Follow(first, limits)
        self._set(_by_hand(first, self.kept.colours))
        new: Exposure | None = first
        for _ in range(_WARM_STEPS):
            if new is not None:
                self._obeyed(new, None)
            self._follow, new = settled(self._follow, self._metered())
            if new is None:
                break
            self._set(_by_hand(new, self.kept.colours))
        self._remember()

    def _limits(self, mains_hz: int) -> Limits:
        known = self.camera.camera_controls
        least = int(_bound(known, "ExposureTime", 0, 100))
        flashes = int(_FLASHES * 1e6 / (2 * mains_hz))
        most = min(int(_bound(known, "ExposureTime", 1, flashes)) or flashes, int(1e6 / self.wanted.fps))
        return Limits(least, min(most, flashes), float(_bound(known, "AnalogueGain", 1, 8.0)), mains_hz)

    # — focus —

    def _hold_focus(self, metadata: Metadata) -> None:
        """One sweep on the mat, or what is wanted or was kept; then the lens stays there."""
        reach = self.camera.camera_controls.get("LensPosition")
        if reach is None:
            self.told["focus"] = "the lens is turned by hand, or fixed"
            return
        lens, how = self.wanted.focus, "as set"
        if lens is None and self.kept.lens is not None:
            lens, how = self.kept.lens, "kept from an earlier sweep"
        if lens is None:
            lens, how = self._swept(float(reach[0]), float(reach[1])), "swept on the mat"
        if lens is None:
            lens = float(reach[2] if reach[2] is not None else metadata.get("LensPosition", reach[0]))
            self.told["focus"] = f"nothing there could be focused on: the lens stays at {lens:.2f} dioptres"
        else:
            self.told["focus"] = f"{how}: {lens:.2f} dioptres"
            self.kept = replace(self.kept, lens=lens if self.wanted.focus is None else self.kept.lens)
        self._set({"AfMode": _SWEEP_MANUAL, "LensPosition": lens})
        if "LensPosition" not in self._obeyed(None, lens):
            self.told["focus"] += ", and the camera does not say whether the lens obeys"

    def _swept(self, least: float, most: float) -> float | None:
        """The lens position at which the mat is sharpest."""
        sweep = focus.Sweep.over(least, most)
        while (position := sweep.position) is not None:
            self._set({"AfMode": _SWEEP_MANUAL, "LensPosition": position})
            self._obeyed(None, position)
            picture, _ = self._watched()
            sweep = focus.step(sweep, focus.sharpness(picture, self.mat.corners(picture, self.clock())))
        return sweep.best

    def _lens_kept(self) -> dict[str, Any]:
        if self.kept.lens is None or "LensPosition" not in self.camera.camera_controls:
            return {}
        return {"AfMode": _SWEEP_MANUAL, "LensPosition": self.kept.lens}

    # — pictures —

    def pictures(self, requests: Requests) -> Iterator[Frame]:
        """The picture that is watched, again and again, and the large one with it where it was asked for."""
        while True:
            wants_large = requests.take()
            with self._request() as one:
                metadata = one.get_metadata()
                watch = in_colour(one.make_array("lores"), self.choice.watch)
                large = in_colour(one.make_array("main"), self.choice.large) if wants_large else None
            relit = self._is_relit(metadata)
            yield Frame(upright(watch, self.wanted), relit=relit)
            if large is not None:
                yield Frame(upright(large, self.wanted), kind=FrameKind.LARGE)
            if self._followed(watch):
                yield Frame(kind=FrameKind.WORDS, words=self.words())

    def _is_relit(self, metadata: Metadata) -> bool:
        """Whether this frame was exposed otherwise than the one before: it is that frame which says so."""
        now, before = _exposure(metadata), self._exposed
        self._exposed = now or before
        if now is None or before is None:
            return False
        return abs(now.light / before.light - 1) > _CHANGED_SHARE

    def _followed(self, watch: Picture) -> bool:
        """Whether another exposure was set, as daylight is not what it was."""
        now = self.clock()
        if self._follow is None or now - self._measured_s < _METER_S:
            return False
        self._measured_s = now
        self._follow, new = step(self._follow, metered(watch, self.mat.corners(watch, now), now))
        if new is None:
            return False
        self._set(_by_hand(new, self.kept.colours))
        self._remember()
        kept.keep(self.state, self.kept)
        return True

    def words(self) -> dict[str, Any]:
        """What is told of this camera."""
        exposure = "locked as it began"
        if self._follow is not None:
            held = self._follow.exposure
            exposure = (
                f"{held.time_us / 1000:.1f} ms at gain {held.gain:.1f}, "
                f"for lamps at {self._follow.limits.mains_hz} Hz"
            )
        lens = self.told.get("focus", "")
        told = "; ".join((self.choice.words, f"focus {lens}", f"exposure {exposure}"))
        return {"large": self.choice.large, "watch": self.choice.watch, "sensor": self.choice.sensor,
                "words": told}  # fmt: skip

    # — small —

    @contextmanager
    def _request(self) -> Iterator[Any]:
        one = self.camera.capture_request()
        try:
            yield one
        finally:
            one.release()

    def _watched(self) -> tuple[Picture, Metadata]:
        with self._request() as one:
            return in_colour(one.make_array("lores"), self.choice.watch), one.get_metadata()

    def _metered(self) -> Metered:
        picture, _ = self._watched()
        return metered(picture, self.mat.corners(picture, self.clock()), self.clock())

    def _obeyed(self, exposure: Exposure | None, lens: float | None) -> Metadata:
        """The first metadata that say that the camera does as it was told: the first frames do not."""
        metadata: Metadata = {}
        for _ in range(_OBEYS_FRAMES):
            with self._request() as one:
                metadata = one.get_metadata()
            now = _exposure(metadata)
            lit = exposure is None or now is None or abs(now.light / exposure.light - 1) < _OBEYS_SHARE
            there = metadata.get("LensPosition")
            if lit and (lens is None or there is None or abs(float(there) - lens) < _LENS_NEAR):
                break
        return metadata

    def _set(self, controls: dict[str, Any]) -> None:
        """Tell the camera; what this one does not have is left out, as picamera2 refuses it all then."""
        known = self.camera.camera_controls
        if mine := {name: value for name, value in controls.items() if name in known}:
            self.camera.set_controls(mine)

    def _remember(self) -> None:
        if self._follow is not None:
            held = self._follow.exposure
            self.kept = replace(self.kept, time_us=held.time_us, gain=held.gain)


def film(
    camera: Any, wanted: CameraSettings, warm_up_s: float, state: Path | None, requests: Requests,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Frame]:  # fmt: skip
    """The frames of a ``Picamera2``; those of the warm-up are not given."""
    choice = configured(camera, wanted)
    camera.start()
    taken = Film(camera, wanted, choice, state, clock)
    taken.begin(warm_up_s)
    yield Frame(kind=FrameKind.WORDS, words=taken.words())
    yield from taken.pictures(requests)


def configured(camera: Any, wanted: CameraSettings) -> Choice:
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


def _exposure(metadata: Metadata) -> Exposure | None:
    if "ExposureTime" not in metadata or "AnalogueGain" not in metadata:
        return None
    return Exposure(max(1, int(metadata["ExposureTime"])), max(1e-3, float(metadata["AnalogueGain"])))


def _colours(metadata: Metadata) -> tuple[float, float] | None:
    gains = metadata.get("ColourGains")
    return None if gains is None else (float(gains[0]), float(gains[1]))


def _bound(known: Mapping[str, Any], name: str, which: int, otherwise: float) -> float:
    found = known.get(name)
    return otherwise if found is None or found[which] is None else float(found[which])


def _size(stream: Mapping[str, Any]) -> Size:
    wide, high = stream["size"]
    return int(wide), int(high)


def main() -> int:
    """What is wanted, seconds of warm-up and the file with what was kept are the arguments."""
    wanted, warm_up_s = CameraSettings.from_json(sys.argv[1]), float(sys.argv[2])
    state = Path(sys.argv[3]) if len(sys.argv) > 3 else None
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
    return deliver(lambda requests: film(camera, wanted, warm_up_s, state, requests))


if __name__ == "__main__":
    sys.exit(main())
