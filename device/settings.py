"""The user's settings: how moves are confirmed, what is wired where, and what is printed.

[manners]
confirm = "button"        # or "auto": a move counts when it has lain still for calm_s
calm_s = 1.5

[pins]                    # Broadcom numbers; leave out what is not there
confirm_a = 5
confirm_b = 6
undo = 13
pause = 26
as_it_is = 11             # a fifth button: the table is right and the record is not
green = 17
amber = 27
red = 22
buzzer = 18               # or speaker = 18, which also has a pitch

[keys]                    # a USB keypad or Bluetooth buttons; `pipwatch pins` lists devices and names keys
device = "USB Keypad"     # its name, or part of it
confirm_a = "KEY_KP1"
confirm_b = "KEY_KP3"
undo = "KEY_KPDOT"
pause = "KEY_KP0"

[oled]                    # a display of 128 × 64 dots at the I²C bus
chip = "ssd1306"          # or "sh1106"
address = 0x3C
upside_down = false

[sound]
quiet = ["hands", "settling"]
card = "sndrpihifiberry"  # a sound card, as an I²S amplifier is one

[table]
marker_mm = 45            # what the black square of your printed markers measures, where it is not 32

[camera]                  # all of it is chosen by itself where it is left out
source = "webcam:046d:0825"  # which one, where several are connected: `pipwatch doctor` names them
size = [4608, 2592]       # of the large picture
watch_size = [1280, 720]  # of the picture that is watched
fps = 10.0                # pictures a second
focus = 1.2               # in dioptres (1 / metres)
exposure = "50 Hz"        # or "60 Hz", for lamps at that mains, or "locked" as the camera begins
rotate = 180
flip = false
lens = "den"              # as calibrated: calibration/den.toml beside the matches

[service]                 # of `pipwatch serve`; work also of `pipwatch run`
host = "0.0.0.0"          # where its page listens: the whole local network, by IPv4 and IPv6
port = 8000
metrics = true            # figures for Prometheus at /metrics
work = "auto"             # or "small", as a slow board chooses by itself, or "full"
names = ["table.home.arpa"]  # other names by which the page may be opened
look = "open"             # or "code": from another machine, looking needs the code as well
hotspot = false           # true: a Wi-Fi of the box's own where there is no network

[mqtt]
host = "homeassistant.local"   # a message broker that the house is told by; nothing is sent without one
user = "pipwatch"
password = "…"            # or password_file, which holds nothing else
tls = true                # encrypted; ca_file names who signed, where the machine does not know them
commands = true           # whether the house may confirm a move
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from calibration import toml
from calibration.camera_errors import BadProfileFile
from calibration.marker_side import MARKER_MM, marker_side
from device.cameras.wanted import CameraSettings
from device.folders import SettingsFiles, settings_files
from device.home.broker import Broker
from device.match.match import Manners
from device.match.phase import Phase
from device.panel.gpio_pins import Pins
from device.panel.keys import Keys
from device.panel.oled_settings import DISPLAY_PINS, OledSettings
from device.service.pairing import Look
from device.workload import Asked

_LABEL: Final = "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"
_HOST_NAME: Final = re.compile(rf"(?![0-9.]+$){_LABEL}(\.{_LABEL})*")
"""In small letters, as browsers send them; no address, which is allowed by what it is."""


@dataclass(frozen=True)
class Sound:
    """What is heard."""

    quiet: tuple[str, ...] = ("hands", "settling")
    """Phases that are entered without a sound."""
    card: str = ""
    """The sound card that plays the tunes, as `aplay -l` names it."""

    def __post_init__(self) -> None:
        known = [str(phase) for phase in Phase]
        for name in self.quiet:
            if name not in known:
                told = ", ".join(map(repr, known))
                raise ValueError(f"quiet should hold some of {told}; {name!r} is none of them")


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
class Service:
    """Where the page of the box is, how it is found, who may look, and what it tells."""

    host: str = "0.0.0.0"
    port: int = 8000
    """Not 80: a port below 1024 needs a right that the service gives up, and `pipwatch run` has this one."""
    names: tuple[str, ...] = ()
    """Names of the network, beside the machine's own, by which its page may be opened."""
    look: Look = "open"
    hotspot: bool = False
    metrics: bool = False
    """Whether figures for a collector are told at ``/metrics``."""
    work: Asked = "auto"
    """How much is done: ``device/workload.py``."""

    def __post_init__(self) -> None:
        if not 1 <= self.port <= 65535:
            raise ValueError("port should be between 1 and 65535")
        for name in self.names:
            if not _HOST_NAME.fullmatch(name):
                raise ValueError(f"names should hold names such as table.home.arpa; {name!r} is none")


@dataclass(frozen=True)
class Settings:
    """All of them; what is not set is as shipped."""

    manners: Manners = field(default_factory=Manners)
    pins: Pins = field(default_factory=Pins)
    keys: Keys = field(default_factory=Keys)
    oled: OledSettings = field(default_factory=OledSettings)
    sound: Sound = field(default_factory=Sound)
    table: Markers = field(default_factory=Markers)
    camera: CameraSettings = field(default_factory=CameraSettings)
    service: Service = field(default_factory=Service)
    mqtt: Broker = field(default_factory=Broker)

    def __post_init__(self) -> None:
        for name in (one.name for one in fields(Pins)):
            if self.oled.chip and getattr(self.pins, name) in DISPLAY_PINS:
                pin = getattr(self.pins, name)
                raise ValueError(f"pin {pin} is the display's and cannot be {name} as well")

    @property
    def has_panel(self) -> bool:
        """Whether there is anything to press at the table, to see or to hear."""
        return self.pins.any or self.keys.any or bool(self.sound.card)

    def without_panel(self) -> "Settings":
        """The same where somebody else has buttons and lamps, or nobody sits at the table."""
        silent = replace(self.sound, card="")
        return replace(self, pins=Pins(), keys=Keys(), oled=OledSettings(), sound=silent)


# — from files —


@dataclass(frozen=True, slots=True)
class Layers:
    """What two files set, as plain data: by hand, and over it by the page."""

    files: SettingsFiles
    by_hand: Mapping[str, Any]
    by_page: Mapping[str, Any]
    hidden: bool = False
    """Whether the page's file lies where this user may not look."""

    @property
    def settings(self) -> Settings:
        """The settings that they make together; raises BadProfileFile."""
        upper = self.files.by_page if self.by_page else self.files.by_hand
        try:
            return toml.shaped(laid_over(self.by_hand, self.by_page), Settings, upper.name)
        except BadProfileFile:
            toml.shaped(self.by_hand, Settings, self.files.by_hand.name)  # the file in which it is wrong
            raise

    def keys(self, data: Mapping[str, Any]) -> tuple[str, ...]:
        """What one of them sets, by part and name."""
        return tuple(f"{part}.{name}" for part, table in data.items() for name in table)


def layers(files: SettingsFiles) -> Layers:
    """What the files set; one that is not there sets nothing. Raises BadProfileFile in a sentence."""
    by_hand = data_in(files.by_hand)
    try:
        return Layers(files, by_hand, data_in(files.by_page))
    except HiddenFile:
        return Layers(files, by_hand, {}, hidden=True)


class HiddenFile(BadProfileFile):
    """A file that this user may not read."""


def data_in(path: Path) -> Mapping[str, Any]:
    """What a file sets, as plain data; nothing where there is none."""
    try:
        return toml.plain(path.read_text(encoding="utf-8"), path.name)
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except PermissionError as wrong:
        raise HiddenFile(f"{path.name} cannot be read: {wrong.strerror}") from wrong
    except (OSError, UnicodeDecodeError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else "it is not UTF-8 text"
        raise BadProfileFile(f"{path.name} cannot be read: {reason}") from wrong


def laid_over(beneath: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    """What is set by both together: key by key, the upper one counts."""
    found = dict(beneath)
    for part, table in above.items():
        under = found.get(part)
        found[part] = {**under, **table} if isinstance(under, dict) and isinstance(table, dict) else table
    return found


def load(named: Path | SettingsFiles | None = None) -> Settings:
    """The settings in a file that must be there, or the user's own, or as shipped; raises BadProfileFile."""
    if isinstance(named, Path):
        return toml.read(named, Settings)
    return layers(named or settings_files()).settings
