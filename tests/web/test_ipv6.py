"""A network of IPv6 alone: the page answers there, lets in whom it should, and refuses foreign names."""

import errno
import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from device.service.listening import listening
from device.service.pairing import Pairing
from tests.web.desks import ShownDesk
from tests.web.test_calm import waiting
from web.guard import COOKIE, TOKEN_HEADER
from web.server import WebScreen

CODE = "246810"
PRESS = {"kind": "pause"}


def has_ipv6() -> bool:
    """Whether this machine can talk to itself so."""
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


only_with_ipv6 = pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")


class Visitor:
    """One who asks over a connection of their own, from this machine by one of its addresses."""

    def __init__(self, shown: ShownDesk, to: str, host: str = "") -> None:
        self.to, self.port, self.token = to, shown.screen.port, shown.screen._door.token
        self.host = f"{host or (f'[{to}]' if ':' in to else to)}:{self.port}"
        self.cookie = ""

    def ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        """The status and what was answered."""
        line = http.client.HTTPConnection(self.to, self.port, timeout=20)
        sent = {
            "Host": self.host, "Content-Type": "application/json", TOKEN_HEADER: self.token,
            "Cookie": self.cookie, **headers,
        }  # fmt: skip
        with closing(line):
            line.request(method, path, None if body is None else json.dumps(body), sent)
            answer = line.getresponse()
            told = answer.read()
            if (given := answer.headers.get("Set-Cookie", "")).startswith(f"{COOKIE}="):
                self.cookie = given.partition(";")[0]
        is_data = "json" in answer.headers.get("Content-Type", "")
        return answer.status, json.loads(told) if is_data and told else told

    def press(self, **headers: str) -> int:
        """Act; the status."""
        return self.ask("POST", "/api/do", PRESS, **headers)[0]


@pytest.fixture
def shown(tmp_path: Path) -> Iterator[ShownDesk]:
    """A match that is shown to the whole network."""
    pairing = Pairing(tmp_path / "phones.json", "open", CODE, say=lambda _: None)
    with ShownDesk(tmp_path, waiting(), "0.0.0.0", pairing) as made:
        yield made


@only_with_ipv6
@pytest.mark.parametrize("to", ["127.0.0.1", "::1"])
def test_the_page_answers_by_either_family_and_knows_this_machine(shown: ShownDesk, to: str) -> None:
    """One port for both; who asks from the machine itself acts without a code."""
    visitor = Visitor(shown, to)
    status, told = visitor.ask("GET", "/api/view")
    assert (status, "phase" in told) == (200, True)
    assert visitor.press(Origin=f"http://{visitor.host}") == 204
    assert len(shown.said) == 1


@only_with_ipv6
@pytest.mark.parametrize(
    ("origin", "status"),
    [("http://[::1]:{port}", 204), ("http://[::1]", 403), ("http://::1:{port}", 403),
     ("http://[fd00::1]:{port}", 403), ("http://localhost:{port}", 403), ("null", 403)],
)  # fmt: skip
def test_only_our_own_page_at_that_very_address_acts(shown: ShownDesk, origin: str, status: int) -> None:
    """An origin is compared with its brackets and its port."""
    visitor = Visitor(shown, "::1")
    assert visitor.press(Origin=origin.format(port=visitor.port)) == status
    assert len(shown.said) == (status == 204)


@only_with_ipv6
@pytest.mark.parametrize(
    ("host", "status"),
    [("[fd12:3456::7]", 200), ("[fe80::1]", 200), ("[2606:4700::1111]", 421), ("evil.example", 421)],
)
def test_addresses_in_brackets_are_ours_where_they_are_of_this_network(
    shown: ShownDesk, host: str, status: int
) -> None:
    """A foreign name or address that leads here is told so, and nothing else."""
    assert Visitor(shown, "::1", host).ask("GET", "/api/view")[0] == status


@only_with_ipv6
def test_a_phone_of_such_a_network_looks_and_enters_the_code(shown: ShownDesk) -> None:
    """By the address that is announced to it: nobody acts before the code, whoever entered it does."""
    phone = Visitor(shown, "::1", "[fd12:3456::7]")
    own = f"http://{phone.host}"
    assert phone.press(Origin=own) == 401
    assert phone.ask("POST", "/api/join", {"code": CODE}, Origin=own)[0] == 204
    assert phone.press(Origin=own) == 204
    assert len(shown.said) == 1


def test_a_system_without_ipv6_listens_by_ipv4() -> None:
    """Its kernel knows no such sockets, or has no such addresses."""
    for number in (errno.EAFNOSUPPORT, errno.EADDRNOTAVAIL):

        def made(at: tuple[str, int], family: socket.AddressFamily, number: int = number) -> socket.socket:
            if family == socket.AF_INET6:
                raise OSError(number, "none")
            return socket.create_server(at, family=family)

        (one,) = listening("0.0.0.0", 0, made)
        with one:
            assert one.family == socket.AF_INET


@only_with_ipv6
def test_a_port_that_is_taken_by_either_family_is_told_and_let_go() -> None:
    """Else phones of one kind would find another program. A port by chance is another one then."""
    with socket.create_server(("::", 0), family=socket.AF_INET6) as other:
        port = other.getsockname()[1]
        with pytest.raises(OSError, match="in use") as wrong:
            WebScreen("0.0.0.0", port)
        assert wrong.value.errno == errno.EADDRINUSE
        socket.create_server(("0.0.0.0", port)).close()  # ours was let go

        def first_that_port(at: tuple[str, int], family: socket.AddressFamily) -> socket.socket:
            nonlocal port
            if family == socket.AF_INET and at[1] == 0:
                at, port = (at[0], port), 0
            return socket.create_server(at, family=family)

        both = listening("0.0.0.0", 0, first_that_port)
        assert len({one.getsockname()[1] for one in both} | {other.getsockname()[1]}) == 2
        for one in both:
            one.close()


def test_one_address_is_listened_at_alone() -> None:
    """Who names an address means it."""
    (one,) = listening("127.0.0.1", 0)
    with one:
        assert one.getsockname()[0] == "127.0.0.1"
