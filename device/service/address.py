"""Where a phone finds this machine: its addresses in the network, its name there, and both as a picture.

Nothing outside is asked: addresses come from the kernel, the name from the Avahi of this machine.
"""

import fcntl
import ipaddress
import json
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any, Final

import segno
from segno import helpers

BOX_NAME: Final = "pipwatch"
"""What the box wants to be called in its network."""
MOST_NAMES: Final = 9
"""Names that are tried, pipwatch-2 and so on: more boxes than this in one network are a club."""
_FLAGS, _ADDRESS = 0x8913, 0x8915
"""The kernel's numbers for asking an interface's flags and its IPv4 address (SIOCGIFFLAGS, SIOCGIFADDR)."""
_UP_AND_RUNNING: Final = 0x1 | 0x40
_IF_INET6: Final = Path("/proc/net/if_inet6")
_ROUTES: Final = Path("/proc/net/route")
_LINKS: Final = Path("/sys/class/net")
_ASK_S: Final = 3.0
"""How long Avahi may take to answer on this machine; it needs some 10 ms."""
_PUBLISH_S: Final = 5.0
"""How long Avahi may take to claim a name: it asks the network three times within one second."""
AGAIN_S: Final = 60.0
"""How often Avahi is asked again where it gave no name of the box's own."""
HELD: Final = ("setpriv", "--pdeathsig", "TERM")
"""Whatever becomes of this process, nothing is held for a box that is not there any more."""
_ASK_NAME: Final = (
    "busctl", "--system", "--json=short", "call",
    "org.freedesktop.Avahi", "/", "org.freedesktop.Avahi.Server", "GetHostNameFqdn",
)  # fmt: skip


# — addresses —


def addresses() -> tuple[str, ...]:
    """The addresses of this machine in its networks; the one on the way to the router comes first.

    Those of IPv6 count only where there is no other: they are long, and change by themselves.
    """
    found = [(name, one) for name, one in _ipv4() if _is_of_a_network(one)]
    found = found or [(name, one) for name, one in _ipv6() if _is_of_a_network(one)]
    first = _routed()
    found.sort(key=lambda each: each[0] != first)
    return tuple(dict.fromkeys(one for _, one in found))


def has_address(interface: str) -> bool:
    """Whether this interface has a signal and an address, be it one of the wide world.

    An address alone may be one of a cable that was pulled.
    """
    try:
        if (_LINKS / interface / "carrier").read_text(encoding="ascii").strip() != "1":
            return False
    except OSError:  # an interface that is down has no carrier to be read
        return False
    there = (ipaddress.ip_address(one) for name, one in (*_ipv4(), *_ipv6()) if name == interface)
    return any(not one.is_loopback and not one.is_link_local for one in there)


def _is_of_a_network(address: str) -> bool:
    ip = ipaddress.ip_address(address)
    return ip.is_private and not ip.is_loopback and not (ip.version == 6 and ip.is_link_local)


def _ipv4() -> Iterator[tuple[str, str]]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        for _, name in socket.if_nameindex():
            request = struct.pack("256s", name.encode())
            with suppress(OSError):  # an interface without an address, or one that has just gone
                flags = struct.unpack_from("H", fcntl.ioctl(asked, _FLAGS, request), 16)[0]
                if flags & _UP_AND_RUNNING == _UP_AND_RUNNING:
                    yield name, socket.inet_ntoa(fcntl.ioctl(asked, _ADDRESS, request)[20:24])


def _ipv6() -> Iterator[tuple[str, str]]:
    with suppress(OSError):
        for line in _IF_INET6.read_text(encoding="ascii").splitlines():
            digits, *_, name = line.split()
            yield name, str(ipaddress.IPv6Address(bytes.fromhex(digits)))


def _routed() -> str:
    """The interface on the way to everything else, or nothing."""
    with suppress(OSError):
        for line in _ROUTES.read_text(encoding="ascii").splitlines()[1:]:
            name, destination = line.split()[:2]
            if destination == "00000000":
                return name
    return ""


def from_here(host: str, port: int) -> str:
    """Where a program of this machine finds the page that listens so: at one address it is there alone."""
    if host in ("", "localhost", "0.0.0.0", "::", "127.0.0.1", "::1"):
        return f"http://localhost:{port}"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def is_own(host: str) -> bool:
    """Whether only this machine can open what listens there."""
    with suppress(ValueError):
        return ipaddress.ip_address(host).is_loopback
    return host == "localhost"


# — the name —


def avahi_name(run: Callable[..., Any] = subprocess.run) -> str:
    """The name that Avahi has given this machine (it changes one that is taken), or nothing without Avahi."""
    try:
        told = run(_ASK_NAME, capture_output=True, text=True, timeout=_ASK_S, check=True)
        name = json.loads(told.stdout)["data"][0]
    except (OSError, subprocess.SubprocessError, ValueError, KeyError, IndexError, TypeError):
        return ""
    return str(name).lower().removesuffix(".")


class BoxName:
    """The name of the box in its network, held by a child process for as long as the box runs.

    The machine keeps the name that it has; ``pipwatch.local`` is one more. Where another box has it, the next
    one is taken: Avahi tells so by ending the child.
    """

    def __init__(
        self,
        ask: Callable[[], str] = avahi_name,
        publish: Callable[..., Any] = subprocess.Popen,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._ask, self._publish, self._clock = ask, publish, clock
        self._child: Any = None
        self._name = self._address = ""
        self._asked = float("-inf")

    def at(self, address: str) -> str:
        """The name that leads to this address, or nothing where there is no Avahi."""
        held = self._child is not None and self._child.poll() is None
        lately = self._child is None and self._clock() - self._asked < AGAIN_S
        if self._address != address or not (held or lately):
            self.close()
            self._name = self._found(address)
            self._address, self._asked = address, self._clock()
        return self._name

    def _found(self, address: str) -> str:
        own = self._ask()
        if not own or own.partition(".")[0].partition("-")[0] == BOX_NAME or not address:
            return own
        for number in range(1, MOST_NAMES + 1):
            name = f"{BOX_NAME}{'' if number == 1 else f'-{number}'}.local"
            if self._claimed(name, address):
                return name
        return own

    def close(self) -> None:
        """Give the name back."""
        if self._child is not None:
            self._child.terminate()
            self._child.stderr.close()
            self._child.wait()
        self._child, self._asked = None, float("-inf")

    def _claimed(self, name: str, address: str) -> bool:
        """Whether nobody else has it; then it is held."""
        asked = [*HELD, "avahi-publish", "-a", "-R", name, address]
        try:
            child = self._publish(asked, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        except OSError:
            return False
        patience = threading.Timer(_PUBLISH_S, child.terminate)
        patience.start()
        won = any(line.startswith("Established") for line in iter(child.stderr.readline, ""))
        patience.cancel()
        self._child = child
        if not won:
            self.close()
        return won


# — what a phone is told —


@dataclass(frozen=True, slots=True)
class Wifi:
    """The network that the box has opened itself."""

    name: str
    passphrase: str

    @property
    def text(self) -> str:
        """What a phone's camera understands as this network."""
        return helpers.make_wifi_data(self.name, self.passphrase, "WPA")


@dataclass(frozen=True, slots=True)
class Invitation:
    """How a phone finds the page; nothing in it is secret but the Wi-Fi's passphrase."""

    port: int
    name: str = ""
    addresses: tuple[str, ...] = ()
    wifi: Wifi | None = None
    here_only: bool = False
    """Whether the page is shown to this machine alone, as the settings say."""
    spare: Wifi | None = None
    """The network that the box opens where there is no other: to be printed before it is wanted."""

    @property
    def urls(self) -> tuple[str, ...]:
        """Every way to the page, the best one first; none where there is no network.

        The name comes first: it is the same tomorrow, so a printed card and a phone's cookie stay good.
        """
        hosts = [self.name] if self.name and self.addresses else []
        hosts += [f"[{one}]" if ":" in one else one for one in self.addresses]
        return tuple(f"http://{host}{'' if self.port == 80 else f':{self.port}'}/" for host in hosts)

    def link(self, code: str = "") -> str:
        """What is scanned; a code behind the # never leaves the phone, and is filled in there."""
        if not self.urls:
            return ""
        return f"{self.urls[0]}join#{code}" if code else self.urls[0]


def invitation(port: int, name: str = "", wifi: Wifi | None = None) -> Invitation:
    """How this machine is found now."""
    return Invitation(port, name, addresses(), wifi)


def lines(told: Invitation, code: str = "") -> list[str]:
    """The same for a terminal and a log: what to scan, what to type, and the code."""
    if not told.urls:
        here = f"http://localhost:{told.port}/"
        if told.here_only:
            return [f"The page is at {here} on this machine alone, as host below [service] says."]
        return [f"There is no network: the page is at {here} on this machine. Play goes on without one."]
    said = []
    if told.wifi is not None:
        said += [f"Join the box's own Wi-Fi first: {told.wifi.name}, passphrase {told.wifi.passphrase}"]
        said += [*blocks(told.wifi.text), "Then open the page:"]
    said += [*blocks(told.link(code)), f"Scan this with a phone, or open {told.urls[0]}"]
    if len(told.urls) > 1:
        said.append(f"Where a phone does not find it: {'  '.join(told.urls[1:])}")
    if code:
        said.append(f"The code to play along: {code[:3]} {code[3:]}")
    return said


def blocks(text: str) -> list[str]:
    """A QR code of half blocks, light on dark as terminals are; phones read it the other way round, too."""
    out = StringIO()
    segno.make(text, error="l", micro=False).terminal(out=out, border=2, compact=True)
    return out.getvalue().rstrip("\n").splitlines()


def svg(text: str) -> str:
    """A QR code as a drawing for a page, dark on light whatever the page's colours are."""
    made = segno.make(text, error="m", micro=False)
    return made.svg_inline(omitsize=True, border=4, dark="#000", light="#fff", svgclass="qr", lineclass=None)
