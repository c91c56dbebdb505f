"""Connections, and how many there may be: whoever holds one without a request makes room for who asks.

An old phone with the page open, a scanner that counts ports, a program that opens a hundred lines and says
nothing: none of them may keep the page from the table. So the number of connections is bounded, in all and
for each address; where there is no room, the one that has been idle longest is closed. A head that does not
come whole in time is not waited for, nor a body.

What is refused here no application hears of; it is told in the shape of all refusals none the less.
"""

import copy
import json
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from werkzeug.http import parse_cookie

from device.service.tries import network_of
from web.access import may_act
from web.guard import COOKIE, FORWARDED, HEADERS, OWN, OWNER_COOKIE, PASSWORD, TOKEN_HEADER, Door, is_token
from web.owner_pages import LARGE, MOST_SENT
from web.request_bodies import refused
from web.sheet_pages import MOST_BYTES, UPLOAD
from web.teach import TEACH


@dataclass(frozen=True)
class Caps:
    """How many connections there may be, and how long one may take."""

    total: int = 160
    each: int = 24
    """From one address. A browser holds six; behind a proxy on this machine there are many: it is exempt."""
    large: int = 2
    """Photos that may be on their way at once; each is held in memory until it was read."""
    head_s: float = 10.0
    idle_s: float = 20.0
    body_s: float = 60.0


CAPS: Final = Caps()
TOO_LARGE: Final = 413


class Channel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection that knows who is at the other end, and since when a request is on its way."""

    door: Door
    began = 0.0

    @property
    def parser_class(self) -> Any:
        """What takes in the next request."""
        return partial(Parser, channel=self)

    @property
    def whose(self) -> str:
        """Whose connections count together."""
        return network_of(str(self.addr[0]))

    @property
    def idle(self) -> bool:
        """Whether nothing that was asked is being answered."""
        return not self.requests

    @property
    def large(self) -> int:
        """How many photos come or are being read."""
        return sum(getattr(one, "large", False) for one in (self.request, *self.requests))

    def received(self, data: bytes) -> bool:
        """Take in what came."""
        if self.request is None:
            self.began = time.monotonic()
        return bool(super().received(data))

    def is_late(self, caps: Caps, now: float, wall: float) -> bool:
        """Whether it has kept us waiting for too long, be it with a second request while one is answered."""
        if self.request is not None:
            took = now - self.began
            return took > (caps.body_s if self.request.headers_finished else caps.head_s)
        if self.requests:
            return False
        spoke = self.last_activity > self.creation_time
        return bool(wall - self.last_activity > (caps.idle_s if spoke else caps.head_s))


@dataclass(frozen=True)
class RefusedRequest:
    """Why a request is not even passed on, as waitress sends it: in the shape of all refusals."""

    code: int
    reason: str
    words: str = ""

    def to_response(self, _: str | None = None) -> tuple[str, list[tuple[str, str]], bytes]:
        """Status, head and body of the answer."""
        head = {"Content-Type": "application/json", "Cache-Control": "no-store", **HEADERS}
        told = json.dumps(refused(self.code, self.words)).encode()
        return f"{self.code} {self.reason}", [*head.items()], told


class Parser(HTTPRequestParser):  # type: ignore[misc]  # waitress has no types
    """Takes in small requests, and two larger kinds from our own pages alone: photos, and the owner's files.

    What is too large is refused by its head, before any of it is kept. Nothing is written to disk.
    """

    large = False
    path = ""

    def __init__(self, adj: Any, *, channel: Any) -> None:
        super().__init__(adj)
        self.adj: Any = adj
        self._channel = channel
        self._error: RefusedRequest | None = None
        self._passing = 0
        """Bytes of a refused body that still come: a line that is cut amid them takes the answer with it."""

    @property
    def error(self) -> RefusedRequest | None:
        """Why it is not passed on, if it is not."""
        return self._error

    @error.setter
    def error(self, wrong: Any) -> None:
        words, code, reason = "", int(wrong.code), str(wrong.reason)
        if code == TOO_LARGE and self.path in LARGE:  # what is amiss is who asks, and not how much they send
            if not self._is_ours():
                code, reason = 403, "Forbidden"
            elif not self._is_known():
                code, reason, words = 401, "Unauthorized", PASSWORD
        self._error = RefusedRequest(code, reason, words)

    def received(self, data: bytes) -> int:
        """Take in what came; of what was refused as too large the rest passes, and nothing of it is kept."""
        if self._passing:
            passed = min(self._passing, len(data))
            self._passing -= passed
            self.completed = not self._passing
            return passed
        taken = int(super().received(data))
        if self._error is not None and self.path in LARGE and self.content_length <= MOST_SENT:
            self._passing = 0 if self.body_bytes_received else int(self.content_length)
            self.completed = not self._passing
        return taken

    def parse_header(self, header_plus: bytes) -> None:
        """Read the head of a request; it says how large the rest may be."""
        super().parse_header(header_plus)
        if self.path not in (UPLOAD, TEACH, *LARGE) or not self._is_ours() or not self._is_known():
            return
        if self.path in LARGE:
            self._take(MOST_SENT)
        elif sum(one.large for one in channels(self._channel._map)) < CAPS.large:
            self.large = True
            self._take(MOST_BYTES)

    def _take(self, most: int) -> None:
        self.adj = copy.copy(self.adj)
        self.adj.max_request_body_size = most + 1

    def _is_ours(self) -> bool:
        """Whether our own page sends it."""
        given = self.headers.get(TOKEN_HEADER.upper().replace("-", "_"), "")
        return is_token(given, self._channel.door.token)

    def _is_known(self) -> bool:
        """Whether this comes from somebody who may act; whoever only looks sends nothing large.

        An owner whose quarter of an hour is over may still act: the application tells them.
        """
        door, cookies = self._channel.door, parse_cookie(self.headers.get("COOKIE", ""))
        peer, host = str(self._channel.addr[0]), self.headers.get("HOST", "")
        passed_on = any(name.upper().replace("-", "_") in self.headers for name in FORWARDED)
        return door.owner.knows(cookies.get(OWNER_COOKIE, "")) or may_act(
            door.who(peer, host, cookies.get(COOKIE, ""), forwarded=passed_on)
        )


def channels(open_: Mapping[int, Any]) -> list[Channel]:
    """The connections among all that is open."""
    return [one for one in list(open_.values()) if isinstance(one, Channel)]


class Doorkeeper:
    """Lets connections in, and closes those that are late."""

    def __init__(self, open_: dict[int, Any], door: Door, caps: Caps = CAPS) -> None:
        self._open, self._caps = open_, caps
        self._kind = type("Channel", (Channel,), {"door": door})
        self._each: dict[str, int] = {}

    def admitted(self, server: Any, line: socket.socket, addr: Any, adj: Any, map: Any = None) -> None:
        """A connection comes: it is let in, in the place of an idle one where there is no other."""
        whose = network_of(str(addr[0]))
        all_ = channels(self._open)
        mine = [] if str(addr[0]) in OWN else [one for one in all_ if one.whose == whose]
        for crowd, most in ((mine, self._caps.each), (all_, self._caps.total)):
            if len(crowd) >= most and not _made_room(crowd):
                line.close()
                return
        self._kind(server, line, addr, adj, map=map)

    def maintain(self, wall: float) -> None:
        """Close who has kept us waiting for too long."""
        now = time.monotonic()
        for one in channels(self._open):
            if one.is_late(self._caps, now, wall):
                one.will_close = True


def _made_room(crowd: list[Channel]) -> bool:
    """Whether one of them could be closed: the one that has been idle longest."""
    idle = [one for one in crowd if one.idle]
    if not idle:
        return False
    min(idle, key=lambda one: one.last_activity).handle_close()
    return True
