"""Who may ask what of the dashboard: which hosts, which origins, and what every answer forbids browsers.

A page of somebody else's that is open in a player's browser must not be able to steer the referee. So a
request must name a host that can only be this machine or this network (a name that an attacker makes point
here is none), and whatever changes something must come from our own page: same origin, of a kind that no
form can send, and with the token that only our page knows. What a browser sends of its own accord is never
enough.
"""

import hmac
import ipaddress
import secrets
import socket
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, request

TOKEN_HEADER: Final = "X-Pipwatch-Token"
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


def is_our_host(host: str, names: frozenset[str]) -> bool:
    """Whether the Host of a request can only mean us: an address of this network, or one of our names."""
    try:
        name = urlsplit(f"//{host}").hostname
        port = urlsplit(f"//{host}").port
    except ValueError:
        return False
    if name is None or "@" in host or (port is None and host.endswith(":")):
        return False
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return name.lower().removesuffix(".") in names
    return address.is_loopback or address.is_private or address.is_link_local


def own_names() -> frozenset[str]:
    """The names by which this machine may be called in its network."""
    name = socket.gethostname().lower()
    return frozenset({"localhost", name, f"{name}.local"})


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

    def guard(self, app: Flask) -> None:
        """Let nothing into the application and nothing out of it but through this door."""
        app.before_request(self._check)
        app.after_request(protected)

    def _check(self) -> None:
        """Refuse what does not come from a screen of ours."""
        if not is_our_host(request.host, self.names):
            abort(421)
        if request.method not in ("GET", "HEAD") and not is_our_page(request, self.token):
            abort(403)
