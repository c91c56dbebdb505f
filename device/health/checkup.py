"""All checks of a machine: what `pipwatch doctor` and the page of the first evening tell."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from calibration.camera_errors import BadProfileFile
from device import folders
from device.folders import SettingsFiles, settings_files
from device.health import extras, machine, pi_board, wired_parts
from device.health.finding import Finding, Grade, fails, ok
from device.health.parcel import parcel
from device.live.ports import Source
from device.rights import device_user
from device.settings import Layers, Settings, layers, load


@dataclass(frozen=True, slots=True)
class Held:
    """What is said of camera and pins by whoever has them; None for what may be tried."""

    camera: Finding | None = None
    pins: Finding | None = None


NONE_HELD: Final = Held()


def checkup(
    opened: Callable[[], Source | None],
    config: Path | SettingsFiles | None,
    side_mm: float | None = None,
    held: Held = NONE_HELD,
    matches: Path | None = None,
) -> Iterator[Finding]:
    """One check after the other; those that need pictures only where these can be looked at.

    ``config`` is the file or the files of settings, if not those of this user. ``held`` is what is said of
    what a box that runs here has for itself. ``matches`` is where the box keeps them that root asks for.
    """
    yield pi_board.board()
    yield from filter(None, [parcel()])
    packages = machine.packages()
    yield packages
    settings, whence = settings_of(config)
    if packages.grade is Grade.OK:
        readers = machine.models()
        yield readers
        reads = readers.grade is Grade.OK
        if held.camera is not None:
            yield held.camera
        else:
            yield from _seen(opened, side_mm or settings.table.marker_mm, reads=reads)
    yield whence
    if whence.grade is Grade.OK:
        mine = held.pins if settings.pins.any else None
        yield wired_parts.pins(settings.pins) if mine is None else mine
    yield extras.keypad(settings.keys)
    yield extras.display(settings.oled)
    yield extras.sound(settings.sound.card)
    yield from filter(None, [pi_board.devices()])
    keeper = None if matches is None else device_user()
    yield machine.disk(matches or folders.matches_folder(), keeper=keeper)
    yield machine.clock()
    yield machine.power()
    yield machine.work(settings.service.work)


def _seen(opened: Callable[[], Source | None], side_mm: float, *, reads: bool) -> Iterator[Finding]:
    from device.health import sight  # pictures: only where what reads them is installed

    found, picture = sight.camera(opened)
    yield found
    yield sight.markers(picture)
    yield sight.light(picture)
    if reads:
        yield sight.sizes(picture, side_mm)


def settings_of(config: Path | SettingsFiles | None) -> tuple[Settings, Finding]:
    """The settings and from which file they come, or those that are shipped and what is wrong."""
    try:
        if isinstance(config, Path):
            return load(config), ok("settings", f"those of {config}")
        found = layers(config or settings_files())
        return found.settings, ok("settings", _whence(found))
    except BadProfileFile as error:
        remedy = "mend the file, or move it away to play as shipped"
        return Settings(), fails("settings", str(error).rstrip("."), remedy)


def _whence(found: Layers) -> str:
    """Which file sets what; where both do, the page's counts."""
    by_page = found.keys(found.by_page)
    told = [f"{len(found.keys(found.by_hand))} of {found.files.by_hand}"] if found.by_hand else []
    if by_page:
        told.append(f"over them {len(by_page)} of the page ({found.files.by_page}): {', '.join(by_page)}")
    if found.hidden:
        told.append(f"those of the page ({found.files.by_page}) are shown to root alone")
    return "; ".join(told) or "as shipped"
