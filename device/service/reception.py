"""What a page may see and do of the box: the reception in its lobby. Nothing else."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from device.folders import SettingsFiles
from device.service.aiming import Aimed
from device.service.box import Input
from device.service.pins_trial import NOTHING
from device.service.stick_backup import StickBackup
from device.service.trying import Tried
from engine.plain import JsonObject

_NONE: Final[JsonObject] = {"matches": [], "older": "", "wrong": []}
_UNTRIED: Final[JsonObject] = {"on": False, "burns": "", "lamps": [], "buttons": []}
NOTHING_ENDS: Final = "There is no box that could end."


@dataclass(frozen=True)
class Reception:
    """The reception of the lobby; everything may be asked from any thread."""

    ask: Callable[[Input], None] = field(repr=False)
    """Somebody wants something; what became of it is told next."""
    told: Callable[[], JsonObject] = field(repr=False)
    """What the lobby shows."""
    health: Callable[[], JsonObject] = field(repr=False)
    """How the box is, without anybody's name."""
    delete: Callable[[str], str] = field(default=lambda _name: "Nothing is kept here.", repr=False)
    """Delete a match by its name; why not, if not."""
    doctor: Callable[[], Sequence[JsonObject]] = field(default=tuple, repr=False)
    """Check the machine; that takes some seconds."""
    aim: Callable[[], Aimed | None] = field(default=lambda: None, repr=False)
    """How the camera hangs now; nothing where there is no picture."""
    picture: Callable[[], Any | None] = field(default=lambda: None, repr=False)
    """What the camera sees now, before a match; nothing where there is no picture."""
    focus: Callable[[], bool | None] = field(default=lambda: None, repr=False)
    """Have the camera focus anew; whether it can, nothing where there is no picture."""
    tried: Callable[[bool], Tried | None] = field(default=lambda _anew: None, repr=False)
    """A look of the test move, from the beginning or after the look before."""
    settings: SettingsFiles | None = None
    """Where the settings are, if not where they always are."""
    blind: Callable[[], str] = field(default=lambda: "", repr=False)
    """Why there was no picture just now, in a sentence; empty where no camera was to be had."""
    older: Callable[[str], JsonObject | None] = field(default=lambda _after: dict(_NONE), repr=False)
    """Matches that lie further back than one of this name; nothing where that is not kept any more."""
    report: Callable[[], bytes] = field(default=lambda: b"", repr=False)
    """The bundle for a bug report, without names and faces."""
    stick: StickBackup = field(default_factory=StickBackup, repr=False)
    """The backup onto a USB stick."""
    try_pins: Callable[[bool], str] = field(default=lambda _on: NOTHING, repr=False)
    """Begin to try buttons and lamps, or end it; why not, if not."""
    pins: Callable[[], JsonObject] = field(default=lambda: dict(_UNTRIED), repr=False)
    """What is lit and pressed meanwhile."""
    alone: str = ""
    """Why nobody would start the box again, in a sentence; empty where its service does."""
    restart: Callable[[], str] = field(default=lambda: NOTHING_ENDS, repr=False)
    """End the box, to be started again with what is set by now; why not, if not."""
    switch_off: Callable[[], str] = field(default=lambda: NOTHING_ENDS, repr=False)
    """End the box and switch the machine off; why not, if not."""
