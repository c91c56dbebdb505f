"""The user's settings: how moves are confirmed, what is wired where, and what is printed.

[manners]
confirm = "button"        # or "auto": a move counts when it has lain still for calm_s
calm_s = 1.5

[pins]                    # Broadcom numbers; leave out what is not there
confirm_a = 5
confirm_b = 6
undo = 13
pause = 19
green = 17
amber = 27
red = 22
buzzer = 18

[sound]
quiet = ["hands", "settling"]

[table]
marker_mm = 45            # what the black square of your printed markers measures, where it is not 32
"""

from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from calibration import toml
from calibration.errors import BadProfileFile
from calibration.marker_side import MARKER_MM, marker_side
from device.files import write_safely
from device.match.match import Manners
from device.match.phase import Phase
from device.panel.pins import Pins
from device.places import matches_folder, settings_file


@dataclass(frozen=True)
class Sound:
    """What is heard."""

    quiet: tuple[str, ...] = ("hands", "settling")
    """Phases that are entered without a sound."""

    def __post_init__(self) -> None:
        known = [str(phase) for phase in Phase]
        for name in self.quiet:
            if name not in known:
                raise ValueError(f"quiet should hold some of {', '.join(known)}; {name!r} is none of them")


@dataclass(frozen=True)
class Markers:
    """What is printed."""

    marker_mm: float = MARKER_MM
    """The edge of a marker's black square as it lies on the table."""

    def __post_init__(self) -> None:
        try:
            marker_side(self.marker_mm)
        except ValueError as wrong:
            raise ValueError(f"marker_mm: {wrong}") from None


@dataclass(frozen=True)
class Settings:
    """All of them; what is not set is as shipped."""

    manners: Manners = field(default_factory=Manners)
    pins: Pins = field(default_factory=Pins)
    sound: Sound = field(default_factory=Sound)
    table: Markers = field(default_factory=Markers)


def load_or_last(path: Path | None = None) -> tuple[Settings, str]:
    """The user's own settings, and what should be said of them: a damaged file stops no match.

    Where the file cannot be used, the settings that were used last are, then those as shipped.
    """
    path = path or settings_file()
    last = matches_folder().parent / f"{path.name}.bak"
    try:
        settings = load(path) if path.exists() else Settings()
    except BadProfileFile as wrong:
        said = str(wrong).rstrip(".")
        for spare in (last, path.with_name(f"{path.name}.bak")):
            with suppress(BadProfileFile):
                return load(spare), f"{said}; playing by the settings that were used last."
        return Settings(), f"{said}; playing by the settings as shipped."
    with suppress(OSError):  # the spare one is worth a try, and no match
        if path.exists() and (not last.exists() or last.read_bytes() != path.read_bytes()):
            last.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_safely(last, path.read_bytes())
    return settings, ""


def load(path: Path | None = None) -> Settings:
    """The settings in a file, or the user's own, or as shipped; raises BadProfileFile in a sentence."""
    found = path or settings_file()
    if path is None and not found.exists():
        return Settings()
    return toml.read(found, Settings)
