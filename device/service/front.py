"""The page of the box, seen from the box: its port may be taken, and then it is tried again."""

import http.client
import math
import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol
from urllib.parse import urlsplit

from device.live.desk import Desk
from device.live.running import Screen
from device.service.beats import PAGE_GONE_S
from device.service.reception import Reception

ANSWERED: Final = "/api/door"
"""What the page answers to everybody, by whichever of its addresses it is asked, and with few words."""


class StayingScreen(Screen, Protocol):
    """A screen that shows the lobby where there is no match."""

    @property
    def address(self) -> str:
        """Where a browser on this machine finds it."""

    @property
    def viewers(self) -> int:
        """How many screens follow the match."""

    def open(self, reception: Reception) -> None:
        """Begin to serve."""

    def end(self, timeout_s: float) -> None:
        """Stop serving."""


class Front:
    """The box's page, which stays from match to match; a screen of each match."""

    def __init__(self, made: Callable[[], StayingScreen], port: int) -> None:
        """``made`` takes the port; it raises OSError where that is taken."""
        self._made, self._port = made, port
        self._turn = threading.Lock()
        self._screen: StayingScreen | None = None
        self._desk: Desk | None = None
        self.problem = ""
        """Why there is no page, in a sentence; empty while there is one."""

    def open(self, reception: Reception) -> None:
        """Take the port, if it is not ours already."""
        with self._turn:
            if self._screen is not None:
                return
            try:
                screen = self._made()
            except (OSError, ImportError) as wrong:
                self.problem = self._sentence(wrong)
                return
            self.problem = ""
            screen.open(reception)
            if self._desk is not None:
                screen.start(self._desk)
            self._screen = screen

    def start(self, desk: Desk) -> None:
        """A match begins."""
        with self._turn:
            self._desk = desk
            if self._screen is not None:
                self._screen.start(desk)

    def close(self, timeout_s: float) -> None:
        """A match has ended."""
        with self._turn:
            self._desk = None
            if self._screen is not None:
                self._screen.close(timeout_s)

    def end(self, timeout_s: float) -> None:
        """The box ends."""
        with self._turn:
            screen, self._screen = self._screen, None
        if screen is not None:
            screen.end(timeout_s)

    @property
    def at_match(self) -> bool:
        """Whether the page is that of a match: one that is just being opened has none yet."""
        return self._desk is not None

    @property
    def viewers(self) -> int:
        """How many screens follow the match."""
        screen = self._screen
        return 0 if screen is None else screen.viewers

    @property
    def address(self) -> str:
        """Where a browser on this machine finds the page; empty while there is none."""
        screen = self._screen
        return "" if screen is None else screen.address

    def answers(self) -> float | None:
        """How long the page takes to answer a request, infinite if it does not; None while there is none."""
        address = self.address
        return answers(address) if address else None

    def _sentence(self, wrong: OSError | ImportError) -> str:
        if isinstance(wrong, ImportError):
            return f"The page cannot be shown: {wrong}."
        why = os.strerror(wrong.errno) if wrong.errno else str(wrong)
        return (
            f"The page cannot listen at port {self._port} ({why}): it is tried again every few seconds. "
            "Another port is set by port in the part [service] of the settings."
        )


def answers(address: str, within_s: float = PAGE_GONE_S) -> float:
    """How long a page takes to answer a request; infinite where it does not in time."""
    began, at = time.monotonic(), urlsplit(address)
    line = http.client.HTTPConnection(at.hostname or "localhost", at.port, timeout=within_s)
    with suppress(OSError, http.client.HTTPException):
        line.request("GET", ANSWERED)
        answer = line.getresponse()
        answer.read1()  # one piece is enough: whoever sends the rest byte by byte must not hold us here
        line.close()
        took = time.monotonic() - began
        return took if answer.status == 200 and took < within_s else math.inf
    line.close()
    return math.inf
