"""The board: whether Pipwatch was made for it, its memory, and whether what is plugged in may be used."""

import re
import sys
from contextlib import suppress
from pathlib import Path

from device.health.finding import Finding, Grade, absent, fails, ok
from device.rights import DeviceUser, device_user, remedy

MODEL = Path("/proc/device-tree/model")
_FAMILY = "Raspberry Pi "
MADE_FOR = tuple(_FAMILY + name for name in ("4", "5", "Compute Module 4", "Compute Module 5"))
"""Boards whose names begin so; 400 and 500 are a 4 and a 5 in a keyboard."""
MEMINFO = Path("/proc/meminfo")
GB = 2**30
"""As memory is sold."""
_LEAST_MEMORY = 3 * GB // 2
"""A board of 2 GB tells some 1.8 of them, as the firmware keeps the rest; one of 1 GB some 0.9."""
_MORE_MEMORY = "take a Raspberry Pi 4 or 5 of 2 GB or more; if matches stop here, begin them by hand"
_64_BIT = 2**32
"""A 64-bit Python counts further than this."""
_KINDS = {
    "video*": "camera", "media*": "camera", "v4l-subdev*": "camera", "dma_heap/*": "camera's memory",
    "gpiochip*": "pins", "i2c-*": "small display", "snd/pcm*": "sound", "vcio": "thermometer",
}  # fmt: skip


def board(model: Path = MODEL, biggest: int = sys.maxsize, meminfo: Path = MEMINFO) -> Finding:
    """Whether this machine is one that Pipwatch was made for; on any other of 64 bits it may well work."""
    found, memory = _made_for(model, biggest), memory_bytes(meminfo)
    if found.grade is Grade.FAILS or memory is None or memory >= _LEAST_MEMORY:
        return found
    little = f"it has {memory / GB:.1f} GB of memory, and 2 GB or more are advised"
    return absent("board", f"{found.words}; {little}", _MORE_MEMORY)


def memory_bytes(meminfo: Path = MEMINFO) -> int | None:
    """How much memory the system has, or None where it does not say."""
    with suppress(OSError):
        found = re.search(r"^MemTotal:\s+(\d+) kB", meminfo.read_text(encoding="ascii"), re.MULTILINE)
        return None if found is None else 1024 * int(found[1])
    return None


def _made_for(model: Path, biggest: int) -> Finding:
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
