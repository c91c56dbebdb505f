"""The board: whether Pipwatch was made for it, and whether this user may use what is plugged into it."""

import os
import pwd
import stat
import sys
from grp import getgrgid
from pathlib import Path

from device.health.finding import Finding, absent, fails, ok

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


def devices(folder: Path = Path("/dev"), user: int | None = None) -> Finding | None:
    """What is plugged in and may not be used by this user, with the remedy; None if there is none."""
    denied = [
        (path, kind)
        for pattern, kind in _KINDS.items()
        for path in sorted(folder.glob(pattern))
        if not os.access(path, os.R_OK | os.W_OK)
    ]
    if not denied:
        return None
    path, kind = denied[0]
    more = f" and {len(denied) - 1} more" if len(denied) > 1 else ""
    return fails("devices", f"{path} ({kind}){more} may not be used by {user_name(user)}", remedy(path, user))


def user_name(user: int | None = None) -> str:
    """Who this is; nobody has a name everywhere."""
    number = os.geteuid() if user is None else user
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"user {number}"


def remedy(path: Path, user: int | None = None) -> str:
    """Into which group to go; where only root may, the rule that gives it a group has not been at work."""
    found = path.stat()
    group = getgrgid(found.st_gid).gr_name if found.st_mode & stat.S_IWGRP else "root"
    if group == "root":
        return (
            "sudo apt install --reinstall ./pipwatch_*.deb, then restart: its rule gives the device a group"
        )
    return f"sudo usermod -aG {group} {user_name(user)}, then restart"
