"""What systemd is told, over the socket that it names: one datagram a message, and nothing without one."""

import os
import socket
from collections.abc import MutableMapping
from contextlib import suppress
from typing import Final

_LONGEST: Final = 200
"""Letters of a status; systemd shows one line of it."""


class Notifier:
    """The service manager's ear. Without one, as on a desk, nothing is said and nothing fails."""

    def __init__(self, environment: MutableMapping[str, str] = os.environ) -> None:
        """Takes the names out of the environment, so that a camera's process does not speak for us."""
        self._address = environment.pop("NOTIFY_SOCKET", "")
        asked = environment.pop("WATCHDOG_USEC", "")
        pid = environment.pop("WATCHDOG_PID", "")
        ours = pid in ("", str(os.getpid()))
        self.watchdog_s = int(asked) / 1e6 if ours and asked.isdecimal() else None
        """Within so many seconds systemd wants to hear that all is well; None where it does not ask."""
        self._status = ""

    @property
    def there(self) -> bool:
        """Whether a service manager has started us, which starts us again when we end as it is told to."""
        return bool(self._address)

    def ready(self, status: str) -> None:
        """The box can be used."""
        self._send(f"READY=1\nSTATUS={_line(status)}")

    def status(self, status: str) -> None:
        """What `systemctl status` shows; the same again is not said."""
        if status != self._status:
            self._status = status
            self._send(f"STATUS={_line(status)}")

    def alive(self) -> None:
        """All that must answer does."""
        self._send("WATCHDOG=1")

    def stopping(self) -> None:
        """The box ends because it was told to."""
        self._send("STOPPING=1")

    def _send(self, message: str) -> None:
        if not self._address:
            return
        # A name that begins with @ lives in no file system.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as to:
            to.settimeout(1.0)
            to.sendto(message.encode(), address)


def _line(text: str) -> str:
    return " ".join(text.split())[:_LONGEST]
