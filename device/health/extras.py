"""A keypad, a small display, a sound card: there, missing, or not allowed."""

import fcntl
import os
import re
import shutil
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from device.health.finding import Finding, absent, fails, ok
from device.panel.keys import Keys, devices
from device.panel.oled_settings import OledSettings
from device.rights import BOTH, May, device_user, may, remedy

I2C_SLAVE: Final = 0x0703
"""The kernel's order to talk to one address of a bus."""
_CARD: Final = re.compile(r"^ *(\d+) \[(\S+) *\]", re.M)
ROOT: Final = Path("/")


def keypad(keys: Keys, root: Path = ROOT, may: May = may) -> Finding:
    """Whether the device of the settings is plugged in and may be read."""
    if not keys.any:
        return absent("keypad", "none is set under [keys]")
    there = devices(root)
    wanted = keys.device.strip().lower()
    found = {file: name for file, name in there.items() if wanted in name.lower()}
    if not found:
        others = ", ".join(sorted(set(there.values()))) or "none"
        words = f"no device whose name holds {keys.device!r} is plugged in or paired; there are: {others}"
        return fails("keypad", words, "plug it in or pair it; pipwatch pins lists the names")
    for file, name in found.items():
        path = root / "dev/input" / file
        if not may(path, os.R_OK):
            return fails("keypad", f"{name} may not be read by {device_user().name}", remedy(path))
    return ok("keypad", ", ".join(dict.fromkeys(found.values())))


def display(
    oled: OledSettings, root: Path = ROOT, may: May = may,
    *, has_library: bool | None = None, ioctl: Callable[..., object] = fcntl.ioctl,
) -> Finding:  # fmt: skip
    """Whether a display answers at its address of the bus."""
    if not oled.chip:
        return absent("display", "none is set under [oled]")
    bus, place = root / f"dev/i2c-{oled.port}", f"address {oled.address:#x} of I²C bus {oled.port}"
    if not bus.exists():
        remedy_words = "sudo raspi-config nonint do_i2c 0, then restart"
        return fails("display", f"there is no I²C bus {oled.port}", remedy_words)
    if not may(bus, BOTH):
        return fails("display", f"{bus} may not be used by {device_user().name}", remedy(bus))
    if not (find_spec("luma") if has_library is None else has_library):
        return fails("display", "luma.oled is missing", "sudo apt install python3-luma.oled")
    try:
        number = os.open(bus, os.O_RDWR)
        try:
            ioctl(number, I2C_SLAVE, oled.address)
            os.read(number, 1)
        finally:
            os.close(number)
    except OSError as wrong:
        words = f"nothing answers at {place} ({wrong.strerror})"
        return fails("display", words, "check its wires (pipwatch pins --draw), and its address under [oled]")
    return ok("display", f"{oled.chip} at {place}")


def sound(card: str, root: Path = ROOT, may: May = may, *, has_player: bool | None = None) -> Finding:
    """Whether the card of the settings is there and may be played to."""
    if not card:
        return absent("sound", "no card is set under [sound]; a buzzer and the page sound without one")
    try:
        listed = (root / "proc/asound/cards").read_text(encoding="utf-8", errors="replace")
    except OSError:
        listed = ""
    cards = {name: int(number) for number, name in _CARD.findall(listed)}
    if card not in cards:
        words = f"there is no sound card {card!r}; there are: {', '.join(cards) or 'none'}"
        return fails("sound", words, "put its overlay into config.txt and restart; aplay -l lists the cards")
    for path in sorted((root / "dev/snd").glob(f"pcmC{cards[card]}D*p")):
        if not may(path, os.W_OK):
            return fails("sound", f"{path} may not be used by {device_user().name}", remedy(path))
    if not (shutil.which("aplay") if has_player is None else has_player):
        return fails("sound", "aplay is missing", "sudo apt install alsa-utils")
    return ok("sound", card)
