"""What a camera was told last, for its next start: the lens position, the exposure, the colours.

The process that films tells it as it changes, and whoever started it remembers it. One that is killed and
started anew then looks at the table as before, so nothing seems to have moved. On the disk only a lens
position is kept that was found on the mat: light and colours are another day's.
"""

import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from device.cameras.exposure import Exposure
from device.cameras.refocus import Sure
from device.files import write_safely

HELD = "held"
"""What it is called among the words of a camera's process."""


@dataclass(frozen=True)
class SensorTold:
    """Of one sensor; what is not known is left out."""

    sensor: str = ""
    lens: float | None = None
    sure: Sure | None = None
    """What the mat looked like when the lens was swept on it; None where it was swept on anything."""
    time_us: int = 0
    gain: float = 0.0
    colours: tuple[float, float] | None = None
    """The gains of red and of blue."""
    driver: Mapping[str, float] = field(default_factory=dict)
    """What the driver of a USB camera was told, in its own units."""

    @property
    def exposure(self) -> Exposure | None:
        """The exposure that was held, if one was."""
        return Exposure(self.time_us, self.gain) if self.time_us > 0 and self.gain > 0 else None

    @property
    def for_another_day(self) -> "SensorTold":
        """What of it holds whatever the light is."""
        return (
            SensorTold(self.sensor, self.lens, self.sure)
            if self.sure is not None
            else SensorTold(self.sensor)
        )

    def of(self, sensor: str) -> "SensorTold":
        """What of it holds for this sensor."""
        return self if self.sensor == sensor else SensorTold(sensor)

    def exposed(self, exposure: Exposure | None) -> "SensorTold":
        """The same with the exposure that is held now."""
        if exposure is None:
            return self
        return replace(self, time_us=exposure.time_us, gain=exposure.gain)

    def to_plain(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @classmethod
    def of_plain(cls, plain: Any) -> "SensorTold":
        """The same again; nothing of what another version wrote, or nobody."""
        try:
            lens, sure, colours = plain["lens"], plain["sure"], plain["colours"]
            return cls(
                str(plain["sensor"]),
                None if lens is None else float(lens),
                None if sure is None else Sure(float(sure["sharp"]), float(sure["side"])),
                int(plain["time_us"]),
                float(plain["gain"]),
                None if colours is None else (float(colours[0]), float(colours[1])),
                {str(name): float(value) for name, value in plain["driver"].items()},
            )
        except (ValueError, TypeError, LookupError, AttributeError):
            return cls()  # it is found anew


class CameraMemory:
    """What one camera is to be told at its next start, in passing and on the disk."""

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self.kept = self._written = _load(path)

    def text(self) -> str:
        """As an argument for the process that films."""
        return json.dumps(self.kept.to_plain())

    def hear(self, words: Mapping[str, Any]) -> None:
        """Take in what the process tells; the disk has it as soon as the lens was swept on the mat anew."""
        if HELD not in words:
            return
        self.kept = SensorTold.of_plain(words[HELD])
        lasting = self.kept.for_another_day
        if lasting.sure is not None and lasting != self._written and self._path is not None:
            self._written = lasting
            with suppress(OSError):  # a card that takes nothing does not stop a camera
                self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                write_safely(self._path, json.dumps(lasting.to_plain()).encode())


def _load(path: Path | None) -> SensorTold:
    if path is None:
        return SensorTold()
    try:
        return SensorTold.of_plain(json.loads(path.read_text(encoding="utf-8"))).for_another_day
    except (OSError, ValueError):
        return SensorTold()  # it is found anew
