"""The board: whether Pipwatch was made for it, and whether what is plugged into it may be used."""

import sys
from pathlib import Path

from device.health.finding import Finding, absent, fails, ok
from device.rights import DeviceUser, device_user, remedy

MODEL = Path("/proc/device-tree/model")
_FAMILY = "Raspberry Pi "
MADE_FOR = tuple(_FAMILY + name for name in ("4", "5", "Compute Module 4", "Compute Module 5"))
"""Boards whose names begin so; 400 and 500 are a 4 and a 5 in a keyboard."""
_64_BIT = 2**32
"""A 64-bit Python counts further than this."""
_KINDS = {
    "video*": "camera", "media*": "camera", "v4l-subdev*": "camera", "dma_heap/*": "camera's memory",
    "gpiochip*": "pins", "i2c-*": "small display", "snd/pcm*": "sound", "vcio": "thermometer",
}  # fmt: skip


def board(model: Path = MODEL, biggest: int = sys.maxsize) -> Finding:
    """Whether this machine is one that Pipwatch was made for; on any other of 64 bits it may well work."""
    try:
        name = model.read_bytes().decode(errors="replace").rstrip("\0\n ")
    except OSError:
        name = ""
    if biggest < _64_BIT:
        words = f"{name or 'this machine'} runs a 32-bit system, and Pipwatch needs a 64-bit one"
        return fails("board", words, "write Raspberry Pi OS (64-bit) to the card and install Pipwatch again")
    if not name:
        return ok("board", "a computer of 64 bits, no Raspberry Pi")
    if name.startswith(MADE_FOR):
        return ok("board", f"{name}, 64 bits")
    words = f"{name} is not among the boards that Pipwatch was made for, but may work"
    return absent("board", words, "if reading takes too long, take a Raspberry Pi 4 or 5")


def devices(folder: Path = Path("/dev"), who: DeviceUser | None = None) -> Finding | None:
    """What is plugged in and may not be used by who uses it here, with the remedy; None if there is none."""
    who = who or device_user()
    denied = [
        (path, kind)
        for pattern, kind in _KINDS.items()
        for path in sorted(folder.glob(pattern))
        if not who.may(path)
    ]
    if not denied:
        return None
    path, kind = denied[0]
    more = f" and {len(denied) - 1} more" if len(denied) > 1 else ""
    return fails("devices", f"{path} ({kind}){more} may not be used by {who.name}", remedy(path, who))
