"""USB keypads and Bluetooth buttons in place of wired ones: what Linux tells of them, read plainly.

A device is known by its name. It is taken for the table alone, so that nothing is typed elsewhere, and looked
for again whenever it is away. Only Linux on 64 bits tells key presses in this form.
"""

import contextlib
import fcntl
import os
import select
import struct
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from device.panel.gpio_pins import BUTTONS
from device.panel.key_names import KEY_CODES
from device.rights import remedy, whoever_runs

EVENT: Final = struct.Struct("qqHHi")
"""Seconds, microseconds, kind, code, value: the kernel's `input_event`."""
EV_SYN, EV_KEY, SYN_DROPPED = 0, 1, 3
EVIOCGRAB: Final = 0x40044590
EVIOCSCLOCKID: Final = 0x400445A0
LOOK_S: Final = 2.0
"""How often a device is looked for that is not there."""
_MANY: Final = 64 * EVENT.size
_NAMES: Final = {code: name for name, code in KEY_CODES.items()}


@dataclass(frozen=True)
class Keys:
    """Which key of which device is which button."""

    device: str = ""
    """Its name or part of it, as `pipwatch pins` lists them; every device with such a name is taken."""
    confirm_a: str | None = None
    confirm_b: str | None = None
    undo: str | None = None
    pause: str | None = None
    as_it_is: str | None = None

    def __post_init__(self) -> None:
        named = [getattr(self, name) for name in BUTTONS]
        used = [key for key in named if key is not None]
        for key in used:
            if key not in KEY_CODES:
                close = get_close_matches(key.upper(), KEY_CODES, n=1, cutoff=0.0)
                raise ValueError(f"no key is called {key!r}; the nearest is {close[0]!r}")
        if len(set(used)) < len(used):
            raise ValueError("two buttons are on the same key")
        if used and not self.device.strip():
            raise ValueError("keys need the name of their device: `pipwatch pins` lists those there are")

    @property
    def any(self) -> bool:
        """Whether there are any."""
        return any(getattr(self, field.name) for field in fields(self))

    @property
    def buttons(self) -> Mapping[int, str]:
        """The button of each key, by its number."""
        found = {name: getattr(self, name) for name in BUTTONS}
        return {KEY_CODES[key]: name for name, key in found.items() if key is not None}


def devices(root: Path = Path("/")) -> Mapping[str, str]:
    """The names of all devices with keys or buttons, by their files; nobody needs a right for that."""
    found = {}
    for entry in sorted((root / "sys/class/input").glob("event*")):
        with contextlib.suppress(OSError):
            found[entry.name] = (entry / "device/name").read_text(encoding="utf-8").strip()
    return found


class Keypad:
    """Hears the keys in a thread of its own, until it is closed.

    ``heard`` is told of each (button, closed, monotonic time), ``gone`` when a device went away or lost some:
    whatever was held is not held any more. ``other`` is told the name of a key that is no button.
    """

    def __init__(
        self, keys: Keys, heard: Callable[[str, bool, float], None], gone: Callable[[], None],
        *, other: Callable[[str], None] = lambda _: None, root: Path = Path("/"),
        ioctl: Callable[..., object] = fcntl.ioctl,
    ) -> None:  # fmt: skip
        self._wanted = keys.device.strip().lower()
        self._buttons = keys.buttons
        self._heard, self._gone, self._other = heard, gone, other
        self._root, self._ioctl = root, ioctl
        self._open: dict[str, int] = {}
        self._refused: dict[str, str] = {}
        """Why what is there cannot be heard, by the files of the devices."""
        self._wake, self._waker = os.pipe()
        self._thread = threading.Thread(target=self._run, name="keypad", daemon=True)
        self._thread.start()

    @property
    def problems(self) -> tuple[str, ...]:
        """Why keys that are there cannot be heard, each in a sentence."""
        return tuple(dict.fromkeys(self._refused.values()))

    def close(self, timeout_s: float) -> None:
        """Let go of the devices."""
        with contextlib.suppress(OSError):  # it was closed before
            os.close(self._waker)
        self._thread.join(timeout_s)

    def _run(self) -> None:
        look_s = 0.0
        while True:
            now = time.monotonic()
            if now >= look_s:
                self._look()
                look_s = now + LOOK_S
            ready, _, _ = select.select([self._wake, *self._open.values()], [], [], max(0.0, look_s - now))
            if self._wake in ready:
                break
            for name, number in list(self._open.items()):
                if number in ready:
                    self._read(name, number)
        for number in (*self._open.values(), self._wake):
            os.close(number)

    def _look(self) -> None:
        """Open what is there by now."""
        there = devices(self._root)
        self._refused = {name: why for name, why in self._refused.items() if name in there}
        for name, told in there.items():
            if name in self._open or self._wanted not in told.lower():
                continue
            path = self._root / "dev/input" / name
            try:
                number = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
            except OSError as wrong:
                self._say(name, refusal_of_keys(told, path, wrong))
                continue
            self._refused = {other: why for other, why in self._refused.items() if other != name}
            with contextlib.suppress(OSError):  # without it keys are heard all the same, only elsewhere, too
                self._ioctl(number, EVIOCGRAB, 1)
            with contextlib.suppress(OSError):
                self._ioctl(number, EVIOCSCLOCKID, struct.pack("i", time.CLOCK_MONOTONIC))
            self._open[name] = number

    def _read(self, name: str, number: int) -> None:
        try:
            data = os.read(number, _MANY)
        except BlockingIOError:
            return
        except OSError:
            data = b""
        if not data:  # unplugged, or out of reach
            os.close(self._open.pop(name))
            self._gone()
            return
        for seconds, micros, kind, code, value in EVENT.iter_unpack(
            data[: len(data) // EVENT.size * EVENT.size]
        ):
            if (kind, code) == (EV_SYN, SYN_DROPPED):
                self._gone()  # some were lost: nobody knows what is held
            elif kind == EV_KEY and code not in self._buttons and value == 1:
                self._other(_NAMES.get(code, f"a key without a name, {code}"))
            elif (
                kind == EV_KEY and code in self._buttons and value in (0, 1)
            ):  # 2 is a key that repeats itself
                self._heard(self._buttons[code], value == 1, seconds + micros / 1e6)

    def _say(self, name: str, sentence: str) -> None:
        if sentence != self._refused.get(name):
            self._refused = {**self._refused, name: sentence}
            print(f"pipwatch: {sentence}", file=sys.stderr, flush=True)


def refusal_of_keys(device: str, path: Path, wrong: OSError) -> str:
    """Why a device cannot be heard, with what to do where that is a matter of rights."""
    if isinstance(wrong, PermissionError):
        return f"The keys of {device} cannot be read: {wrong.strerror}; {remedy(path, whoever_runs())}."
    return f"The keys of {device} cannot be read: {wrong.strerror}."
