"""Serves the dashboard with waitress, in a thread of the match's own process.

The settings are measured ones: phones that fall asleep with the picture open must neither fill the disk with
what they did not fetch (``outbuf_high_watermark``) nor hold a thread for ever (``TCP_USER_TIMEOUT``: the
system gives a silent peer eight seconds). How many connections there may be is told in ``web/channel.py``.
"""

import socket
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from waitress import wasyncore
from waitress.server import create_server

from device.folders import examples_folder
from device.live.desk import Desk
from device.service.listening import listening
from device.service.pairing import Pairing
from device.spare_memory import share
from web.album import Album
from web.app import create
from web.channel import Doorkeeper
from web.following import Seats
from web.guard import Door
from web.sheet_pages import MOST_BYTES, standalone

THREADS: Final = 24
_STREAMS: Final = THREADS - 8
_SILENT_MS: Final = 8000


class WebScreen:
    """The dashboard as a screen of a match. The port is taken when it is made, so that it can be refused."""

    def __init__(self, host: str, port: int, pairing: Pairing | None = None) -> None:
        # A port that is taken is told before anything is started that would have to be stopped.
        sockets = listening(host, port)
        self._app: Any = None
        self._door, self._seats = Door(pairing=pairing), Seats(_STREAMS)
        self._open: dict[int, Any] = {}
        share()
        self._server: Any = create_server(
            self._answer, self._open, sockets=sockets, threads=THREADS,
            outbuf_high_watermark=262_144,
            connection_limit=1000, cleanup_interval=2,  # the gate has its own
            max_request_body_size=8192, max_request_header_size=16_384, ident=None,
            inbuf_overflow=MOST_BYTES + 1,  # no photo goes through a file: a card wears out by writing
            channel_request_lookahead=1,  # who goes while they are answered is missed at once
            clear_untrusted_proxy_headers=False,  # the door sees by them that there is a proxy
        )  # fmt: skip
        gate = Doorkeeper(self._open, self._door)
        for one in self._open.values():
            if one.socket is not None and one.accepting:
                one.channel_class, one.maintenance = gate.admitted, gate.maintain
            if one.socket is not None and one.accepting and hasattr(socket, "TCP_USER_TIMEOUT"):
                one.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _SILENT_MS)
        self._thread = threading.Thread(target=self._server.run, name="web", daemon=True)

    @property
    def port(self) -> int:
        """Where it listens."""
        listening = next(one for one in self._open.values() if one.accepting)
        return int(listening.socket.getsockname()[1])

    @property
    def address(self) -> str:
        """Where a browser on this machine finds it."""
        listening = next(one for one in self._open.values() if one.accepting)
        host, port = listening.socket.getsockname()[:2]
        here = host in ("0.0.0.0", "::", "127.0.0.1", "::1")
        return f"http://{'localhost' if here else host}:{port}/"

    @property
    def viewers(self) -> int:
        """How many screens follow the match."""
        return self._seats.taken

    def start(self, desk: Desk) -> None:
        """Begin to serve."""
        self._app = create(desk, door=self._door, album=Album(examples_folder()), seats=self._seats)
        print(f"pipwatch: the dashboard is at {self.address}", file=sys.stderr, flush=True)
        self._thread.start()

    def close(self, timeout_s: float) -> None:
        """Stop serving; whoever still follows is let go."""
        until = time.monotonic() + timeout_s
        if self._thread.is_alive():
            # In the server's own thread: what it is just waiting for must not be closed under it.
            trigger = next(one for one in self._open.values() if hasattr(one, "thunks"))
            with trigger.lock:  # else somebody else's pull may have it all closed before this one
                trigger.thunks.append(lambda: wasyncore.close_all(self._open, ignore_all=True))
                trigger.pull_trigger()
            self._thread.join(timeout_s)
        else:
            wasyncore.close_all(self._open, ignore_all=True)
        self._server.task_dispatcher.shutdown(timeout=max(0.1, until - time.monotonic()))

    def _answer(self, environ: Any, start: Any) -> Iterable[bytes]:
        answer: Iterable[bytes] = self._app(environ, start)
        return answer


def screen(host: str, port: int, pairing: Pairing | None = None) -> WebScreen:
    """The dashboard at an address, and who may act there; raises OSError where that is taken.

    Without a pairing only this machine acts.
    """
    return WebScreen(host, port, pairing)


class SheetScreen(WebScreen):
    """The pages for sheets alone, without a match."""

    def serve(self, examples: Path) -> None:
        """Serve until somebody ends it."""
        self._app = standalone(Album(examples), self._door)
        try:
            self._server.run()
        finally:
            self._server.task_dispatcher.shutdown(timeout=0.5)
            wasyncore.close_all(self._open, ignore_all=True)
