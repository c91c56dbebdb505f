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
from collections.abc import Callable, Container
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask, Request, Response, abort, render_template, request

from device.service.address import BOX_NAME, MOST_NAMES, Invitation, addresses
from device.service.owner import Owner
from device.service.pairing import COOKIE_S, Look, Pairing
from device.service.phones import Phone, hashed
from web.access import ROUTES, Access, Who, may, may_act, now
from web.compressed import packed
from web.reference import reference_pages
from web.request_bodies import refusal, tell_refusals, wants_page
from web.words import language_of, languages, name_of, translated

TOKEN_HEADER: Final = "X-Pipwatch-Token"
COOKIE: Final = "pipwatch"
OWNER_COOKIE: Final = "pipwatch-owner"
PASSWORD: Final = "This is the owner's: enter the password."
ENTER: Final = "Enter the code to play along."
OWN: Final = frozenset({"127.0.0.1", "::1", "::ffff:127.0.0.1"})
"""From where this machine asks itself; a proxy on it asks for many people from there."""
FORWARDED: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip")
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
_NO_OWNER: Final = Owner()
_MACHINES: Final = (
    ("iPhone", "iPhone"), ("iPad", "iPad"), ("Android", "Android"), ("CrOS", "Chromebook"), ("TV", "TV"),
    ("Windows", "Windows"), ("Macintosh", "Mac"), ("Linux", "Linux"),
)  # fmt: skip
_BROWSERS: Final = (("Firefox", "Firefox"), ("Edg", "Edge"), ("Chrome", "Chrome"), ("Safari", "Safari"))
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
    """Whether a request that changes something comes from our own page, or from a program without a cookie.

    Every browser says of such a request from where it comes; so what comes with a cookie and does not say it
    is no browser of ours. A program on this machine needs neither: it has the token alone.
    """
    origin = request.headers.get("Origin")
    if origin is None and (COOKIE in request.cookies or OWNER_COOKIE in request.cookies):
        return False
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
    own: Callable[[], Container[str]] = addresses
    """The addresses of this machine in its networks."""
    pairing: Pairing | None = None
    """How others are let in; without it only this machine acts."""

    def guard(self, app: Flask) -> None:
        """Let nothing into the application and nothing out of it but through this door."""
        app.before_request(self._check)
        app.after_request(packed)
        app.after_request(protected)
        tell_refusals(app)
        app.context_processor(self._for_templates)
        app.register_blueprint(reference_pages())

    def who(self, peer: str, host: str, secret: str, *, forwarded: bool = False) -> Who:
        """Who asks: by the address of the connection, the Host that was asked for, and the cookie."""
        here = is_loopback(peer) and is_loopback(named(host) or "") and not forwarded
        if here:
            return Who.HERE
        role = None if self.pairing is None else self.pairing.role_of(secret)
        return Who.NOBODY if role is None else Who.PAIRED if role == "player" else Who.VIEWER

    def asking(self) -> Who:
        """Who asks now."""
        owner = self.owner.knows(request.cookies.get(OWNER_COOKIE, ""))
        return Who.OWNER if owner else self._standing()

    def _standing(self) -> Who:
        """Who asks, whether the password was entered or not."""
        secret = request.cookies.get(COOKIE, "")
        return self.who(request.remote_addr or "", request.host, secret, forwarded=self._is_forwarded())

    def _is_from_own_address(self) -> bool:
        """Whether a program of this machine asks at the one address at which the page listens.

        It may read how the box is; to act it has to come by way of localhost.
        """
        peer = request.remote_addr or ""
        return peer == named(request.host) and peer in self.own() and not self._is_forwarded()

    @staticmethod
    def _is_forwarded() -> bool:
        return any(name in request.headers for name in FORWARDED)

    def is_here(self) -> bool:
        """Whether this machine itself asks, the owner at it or not."""
        return self._standing() is Who.HERE

    def screen(self) -> Phone | None:
        """The paired screen that asks, if one does."""
        secret = request.cookies.get(COOKIE, "")
        phones = self.pairing.phones() if self.pairing is not None and secret else ()
        return next((one for one in phones if one.key == hashed(secret)), None)

    def may_look(self, who: Who, access: Access = Access.LOOK) -> bool:
        """Whether they may see the match, or the room."""
        return may(who, access, self.look, pin=self.owner.has_pin, owned=self.owner.is_set)

    @property
    def owner(self) -> Owner:
        """How the owner is known; nobody is, where nothing is paired."""
        return _NO_OWNER if self.pairing is None else self.pairing.owner

    @property
    def look(self) -> Look:
        """Who may look from another machine."""
        return "open" if self.pairing is None else self.pairing.look

    def _for_templates(self) -> dict[str, Any]:
        """What every page is made with."""
        language = language_of(request)
        return {
            "may_act": may_act(self.asking()), "language": language,
            "languages": [{"code": one, "name": name_of(one)} for one in languages()],
            "_": partial(translated, language),
        }  # fmt: skip

    def _names(self) -> frozenset[str]:
        """Our names, with the one that Avahi has really given."""
        told = None if self.pairing is None else self.pairing.invitation
        more = () if self.pairing is None else self.pairing.names
        return self.names.union(more, () if told is None or not told.name else (told.name,))

    def _misdirected(self) -> Response:
        """What to type instead of a name that is none of ours."""
        told = None if self.pairing is None else self.pairing.invitation
        addresses = _typed(told, self._names())
        if not wants_page():
            return refusal(421, addresses=addresses)
        page = render_template(
            "refused.html", token="", status=421, words="This address is none of the box's.",
            addresses=addresses,
        )  # fmt: skip
        return Response(page, 421)

    def _check(self) -> Response | None:
        """Refuse what does not come from a screen of ours, or from somebody who may not ask for it."""
        if not is_our_host(request.host, self._names()):
            return self._misdirected()
        if request.method not in ("GET", "HEAD") and not is_our_page(request, self.token):
            abort(403)
        rule = request.url_rule
        method = "GET" if request.method == "HEAD" else request.method
        access = Access.LOOK if rule is None else ROUTES.get(f"{method} {rule.rule}")
        if access is None:
            abort(403)
        access = now(access, owned=self.owner.is_set)
        if self.may_look(self.asking(), access) or (access is Access.BOX and self._is_from_own_address()):
            if access is Access.OWN:
                self.owner.used(request.cookies[OWNER_COOKIE])
            return None
        if access in (Access.OWN, Access.BOX):
            return refusal(401, PASSWORD)
        return _led_to_the_code() if access is Access.PAGE else _refused()


def _typed(told: Invitation | None, names: frozenset[str]) -> list[str]:
    """Addresses to type: as they were announced, else this machine's own name at the port that was asked."""
    if told is not None and told.urls:
        return list(told.urls)
    port = request.environ.get("SERVER_PORT", "")
    return [
        f"http://{name}:{port}/" for name in sorted(names) if name == f"{socket.gethostname().lower()}.local"
    ]


def keep(response: Response, secret: str) -> None:
    """Have the browser keep a secret that no script can read and no other site's page can send."""
    response.set_cookie(COOKIE, secret, max_age=COOKIE_S, httponly=True, samesite="Strict", path="/")


def keep_session(response: Response, secret: str) -> None:
    """Have the browser keep the owner's secret until it is closed."""
    response.set_cookie(OWNER_COOKIE, secret, httponly=True, samesite="Strict", path="/")


def screen_name() -> str:
    """What a screen calls itself, in two words: enough to tell a telephone from a television."""
    told = request.user_agent.string
    machine = next((name for sign, name in _MACHINES if sign in told), "")
    browser = next((name for sign, name in _BROWSERS if sign in told), "")
    return ", ".join(filter(None, (machine, browser)))


def _led_to_the_code() -> Response:
    return Response(status=302, headers={"Location": "/join"})


def _refused() -> Response:
    return refusal(401, ENTER)
