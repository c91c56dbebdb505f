"""What phones and the house find when they look round the network: the page, with the port that it has.

It is held by child processes of Avahi's, as the box's name is, so that it is listed while it can be opened,
and no longer. A file for Avahi would know neither the port of the settings nor who may see the page.
"""

import socket
import subprocess
import time
from collections.abc import Callable
from typing import Any, Final

from device.service.address import AGAIN_S, HELD

KINDS: Final = ("_http._tcp", "_pipwatch._tcp")
"""What browsers of a network list, and what Home Assistant looks for."""


class Listing:
    """The page in the list of what there is in the network, for as long as the box runs."""

    def __init__(
        self,
        port: int,
        publish: Callable[..., Any] = subprocess.Popen,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._port, self._publish, self._clock = port, publish, clock
        self._children: list[Any] = []
        self._host = ""
        self._tried = float("-inf")

    def at(self, host: str) -> None:
        """List the page under this name; without one nothing is listed."""
        held = bool(self._children) and all(child.poll() is None for child in self._children)
        if host == self._host and (not host or held or self._clock() - self._tried < AGAIN_S):
            return
        self.close()
        self._host, self._tried = host, self._clock()
        if host:
            self._children = [child for kind in KINDS if (child := self._listed(kind)) is not None]

    def close(self) -> None:
        """List it no longer."""
        for child in self._children:
            child.terminate()
            child.wait()
        self._children, self._host = [], ""

    def _listed(self, kind: str) -> Any | None:
        title = f"Pipwatch on {socket.gethostname()}"
        asked = [*HELD, "avahi-publish", "-s", "-H", self._host, title, kind, str(self._port), "path=/"]
        try:
            return self._publish(asked, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        except OSError:
            return None
