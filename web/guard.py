"""Who may ask what of the dashboard: which hosts, which origins, and what every answer forbids browsers.

A page of somebody else's that is open in a player's browser must not be able to steer the referee. So a
request must name a host that can only be this machine or this network (a name that an attacker makes point
here is none), and whatever changes something must come from our own page: same origin, of a kind that no
form can send, and with the token that only our page knows. What a browser sends of its own accord is never
enough.

Who may act is told by ``web/access.py``, for each route: this machine itself, and phones that were let in. Of
what a proxy says about others nothing is believed. That there is a proxy only takes trust away.
"""

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, jsonify, request

from device.service.address import BOX_NAME, MOST_NAMES
from device.service.pairing import COOKIE_S, Look, Pairing
from web.access import ROUTES, Access, Who, may

TOKEN_HEADER: Final = "X-Pipwatch-Token"
COOKIE: Final = "pipwatch"
ENTER: Final = "Enter the code to play along."
_FORWARDED: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip")
"""What proxies add: then whoever asks is not this machine, though the connection comes from it."""
HEADERS: Final = {
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob:; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'self'; object-src 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_KINDS: Final = ("application/json", "application/octet-stream")
"""What our pages send: plain data, and photos. A form of another page can send neither."""


def named(host: str) -> str | None:
    """The name or address in the Host of a request, as it is compared; None where it is none."""
    try:
        told = urlsplit(f"//{host}")
        name, port = told.hostname, told.port
    except ValueError:
        return None
    if name is None or "@" in host or (port is None and host.endswith(":")):
        return None
    return name.lower().removesuffix(".")


def is_our_host(host: str, names: Container[str]) -> bool:
    """Whether the Host of a request can only mean us: an address of this network, or one of our names."""
    name = named(host)
    if name is None:
        return False
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name in names
    return address.is_loopback or address.is_private or address.is_link_local


def is_loopback(address: str) -> bool:
    """Whether this address or name is the machine itself, by whatever family it is written."""
    if address == "localhost":
        return True
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return False
    if isinstance(ip, ipaddress.IPv6Address) and ip.ipv4_mapped is not None:
        return ip.ipv4_mapped.is_loopback
    return ip.is_loopback


def own_names() -> frozenset[str]:
    """The names by which this machine may be called in its network.

    Where a name is taken, the machine is given the next one: pipwatch-2, and so on. That may happen at any
    time, so all of them are ours from the start.
    """
    name = socket.gethostname().lower()
    numbered = {
        f"{stem}{number}.local"
        for stem in (BOX_NAME, name.partition(".")[0])
        for number in ("", *(f"-{k}" for k in range(2, MOST_NAMES + 1)))
    }
    return frozenset({"localhost", name, f"{name}.local", *numbered})


def is_our_page(request: Request, token: str) -> bool:
    """Whether a request that changes something comes from our own page."""
    origin = request.headers.get("Origin")
    if origin is not None and origin != f"{request.scheme}://{request.host}":
        return False
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in ("same-origin", "none"):
        return False
    return request.mimetype in _KINDS and is_token(request.headers.get(TOKEN_HEADER, ""), token)


def is_token(given: str, token: str) -> bool:
    """Whether this is the token, told in a time that says nothing about it."""
    return hmac.compare_digest(given.encode(), token.encode())


def protected(response: Response) -> Response:
    """An answer with all that it forbids browsers."""
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers.setdefault("Cache-Control", "no-store")
    return response


@dataclass(frozen=True)
class Door:
    """The one door of an application; everything goes through it, also what does not exist."""

    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    """What only our own pages know."""
    names: frozenset[str] = field(default_factory=own_names)
    pairing: Pairing | None = None
    """How others are let in; without it only this machine acts."""

    def guard(self, app: Flask) -> None:
        """Let nothing into the application and nothing out of it but through this door."""
        app.before_request(self._check)
        app.after_request(protected)
        app.context_processor(lambda: {"may_act": self.asking() is not Who.NOBODY})

    def who(self, peer: str, host: str, secret: str, *, forwarded: bool = False) -> Who:
        """Who asks: by the address of the connection, the Host that was asked for, and the cookie."""
        here = is_loopback(peer) and is_loopback(named(host) or "") and not forwarded
        if here:
            return Who.HERE
        return Who.PAIRED if self.pairing is not None and self.pairing.knows(secret) else Who.NOBODY

    def asking(self) -> Who:
        """Who asks now."""
        forwarded = any(name in request.headers for name in _FORWARDED)
        secret = request.cookies.get(COOKIE, "")
        return self.who(request.remote_addr or "", request.host, secret, forwarded=forwarded)

    def may_look(self, who: Who) -> bool:
        """Whether they may see the match."""
        return may(who, Access.LOOK, self.look)

    @property
    def look(self) -> Look:
        """Who may look from another machine."""
        return "open" if self.pairing is None else self.pairing.look

    def _names(self) -> frozenset[str]:
        """Our names, with the one that Avahi has really given."""
        told = None if self.pairing is None else self.pairing.invitation
        return self.names if told is None or not told.name else self.names | {told.name}

    def _check(self) -> Response | None:
        """Refuse what does not come from a screen of ours, or from somebody who may not ask for it."""
        if not is_our_host(request.host, self._names()):
            abort(421)
        if request.method not in ("GET", "HEAD") and not is_our_page(request, self.token):
            abort(403)
        rule = request.url_rule
        method = "GET" if request.method == "HEAD" else request.method
        access = Access.LOOK if rule is None else ROUTES.get(f"{method} {rule.rule}")
        if access is None:
            abort(403)
        if may(self.asking(), access, self.look):
            return None
        return _led_to_the_code() if access is Access.PAGE else _refused()


def keep(response: Response, secret: str) -> None:
    """Have the browser keep a secret that no script can read and no other site's page can send."""
    response.set_cookie(COOKIE, secret, max_age=COOKIE_S, httponly=True, samesite="Strict", path="/")


def _led_to_the_code() -> Response:
    return Response(status=302, headers={"Location": "/join"})


def _refused() -> Response:
    response = jsonify(error=ENTER)
    response.status_code = 401
    return response
