"""What a camera was told last, kept for its next start: the lens position, the exposure, the colours.

A camera that is killed and started anew then looks at the table as before, so nothing seems to have moved,
and a whole evening has one focus.
"""

import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from device.cameras.exposure import Exposure
from device.files import write_safely


@dataclass(frozen=True)
class Kept:
    """Of one sensor; what is not known is left out."""

    sensor: str = ""
    lens: float | None = None
    time_us: int = 0
    gain: float = 0.0
    colours: tuple[float, float] | None = None
    """The gains of red and of blue."""

    @property
    def exposure(self) -> Exposure | None:
        """The exposure that was held, if one was."""
        return Exposure(self.time_us, self.gain) if self.time_us > 0 and self.gain >= 1 else None


def load(path: Path | None, sensor: str) -> Kept:
    """What is kept of this sensor; nothing where the file is another's, or none."""
    empty = Kept(sensor)
    if path is None:
        return empty
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
        colours = plain["colours"]
        found = Kept(
            str(plain["sensor"]),
            None if plain["lens"] is None else float(plain["lens"]),
            int(plain["time_us"]),
            float(plain["gain"]),
            None if colours is None else (float(colours[0]), float(colours[1])),
        )
    except (OSError, ValueError, TypeError, LookupError):
        return empty  # it is found anew
    return found if found.sensor == sensor else empty


def keep(path: Path | None, kept: Kept) -> None:
    """Write it down; a card that takes nothing does not stop a camera."""
    if path is None:
        return
    with suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_safely(path, json.dumps(asdict(kept)).encode())
