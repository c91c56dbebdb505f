"""Serves the dashboard with waitress, in a thread of the match's own process.

The settings are measured ones: phones that fall asleep with the picture open must neither fill the disk with
what they did not fetch (``outbuf_high_watermark``) nor hold a thread for ever (``TCP_USER_TIMEOUT``: the
system gives a silent peer eight seconds).
"""

import copy
import socket
import sys
import threading
import time
from collections.abc import Iterable
from functools import partial
from typing import Any, Final

from waitress import wasyncore
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import create_server
from werkzeug.http import parse_cookie

from device.live.desk import Desk
from device.places import examples_folder
from device.service.pairing import Pairing
from web.access import Who
from web.app import Seats, create
from web.guard import COOKIE, TOKEN_HEADER, Door, is_token
from web.sheets import MOST_BYTES, UPLOAD, Album

THREADS: Final = 24
_STREAMS: Final = THREADS - 8
_SILENT_MS: Final = 8000


class _Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection whose parser knows who is at the other end."""

    door: Door

    @property
    def parser_class(self) -> Any:
        """What takes in the next request."""
        return partial(Parser, door=self.door, peer=str(self.addr[0]))


class Parser(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """Takes in small requests, and one large kind: photos, from our own pages alone.

    What is too large is refused by its head, before any of it is kept.
    """

    def __init__(self, adj: Any, *, door: Door, peer: str) -> None:
        super().__init__(adj)
        self._door, self._peer = door, peer

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head of a request; it says how large the rest may be."""
        super().parse_header(header_plus)
        given = self.headers.get(TOKEN_HEADER.upper().replace("-", "_"), "")
        if self.path == UPLOAD and is_token(given, self._door.token) and self._is_known():
            self.adj = copy.copy(self.adj)
            self.adj.max_request_body_size = MOST_BYTES + 1

    def _is_known(self) -> bool:
        """Whether this comes from somebody who may act; whoever only looks sends nothing large."""
        secret = parse_cookie(self.headers.get("COOKIE", "")).get(COOKIE, "")
        return self._door.who(self._peer, self.headers.get("HOST", ""), secret) is not Who.NOBODY


class WebScreen:
    """The dashboard as a screen of a match. The port is taken when it is made, so that it can be refused."""

    def __init__(self, host: str, port: int, pairing: Pairing | None = None) -> None:
        with socket.create_server((host, port), family=_family(host)):
            pass  # a port that is taken is told before anything is started that would have to be stopped
        self._app: Any = None
        self._door, self._seats = Door(pairing=pairing), Seats(_STREAMS)
        self._open: dict[int, Any] = {}
        shown = f"[{host}]" if ":" in host else host
        self._server: Any = create_server(
            self._answer, self._open, listen=f"{shown}:{port}", threads=THREADS, channel_timeout=20,
            outbuf_high_watermark=262_144, max_request_body_size=8192, ident=None,
            clear_untrusted_proxy_headers=False,  # the door sees by them that there is a proxy
        )  # fmt: skip
        channel = type("Channel", (_Channel,), {"door": self._door})
        for one in self._open.values():
            if one.socket is not None and one.accepting:
                one.channel_class = channel
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


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def screen(host: str, port: int, pairing: Pairing | None = None) -> WebScreen:
    """The dashboard at an address, and who may act there; raises OSError where that is taken.

    Without a pairing only this machine acts.
    """
    return WebScreen(host, port, pairing)
