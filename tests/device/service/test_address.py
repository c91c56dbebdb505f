"""A phone finds the box by a name and by addresses that nobody outside was asked for."""

import ipaddress
import subprocess
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from device.service import address
from device.service.address import (
    BoxName,
    Invitation,
    Wifi,
    addresses,
    avahi_name,
    blocks,
    is_own,
    lines,
    svg,
)


def scanned(rows: list[str]) -> str:
    """What a phone would read from half blocks on a dark terminal."""
    upper = {"█": 255, "▀": 255, "▄": 0, " ": 0}
    lower = {"█": 255, "▀": 0, "▄": 255, " ": 0}
    dots = [[half[one] for one in row] for row in rows for half in (upper, lower)]
    picture = np.array(dots, np.uint8).repeat(8, 0).repeat(8, 1)
    framed = cv2.copyMakeBorder(picture, 32, 32, 32, 32, cv2.BORDER_CONSTANT, value=255)
    return str(cv2.QRCodeDetector().detectAndDecode(framed)[0])


def test_the_addresses_of_this_machine_are_those_of_its_networks() -> None:
    """Whatever machine this runs on: no loopback, nothing public, and IPv6 only alone."""
    found = [ipaddress.ip_address(one) for one in addresses()]
    assert all(one.is_private and not one.is_loopback for one in found)
    assert len({one.version for one in found}) <= 1


def test_the_way_to_the_router_comes_first_and_what_is_down_is_left_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Interfaces as the kernel tells them; IPv6 counts where nothing else does, link-local never."""
    routes = tmp_path / "route"
    routes.write_text("Iface\tDestination\tGateway\neth0\t00AAA8C0\t0\nwlan0\t00000000\t01B2A8C0\n")
    inet6 = tmp_path / "if_inet6"
    inet6.write_text(
        "00000000000000000000000000000001 01 80 10 80       lo\n"
        "fe800000000000000000000000000001 02 40 20 80     eth0\n"
        "fd000000000000000000000000000002 02 40 00 80     eth0\n"
    )
    monkeypatch.setattr(address, "_ROUTES", routes)
    monkeypatch.setattr(address, "_IF_INET6", inet6)
    there = [("lo", "127.0.0.1"), ("eth0", "10.0.0.4"), ("wlan0", "192.168.178.4"), ("ppp0", "8.8.8.8")]
    monkeypatch.setattr(address, "_ipv4", lambda: iter(there))
    assert addresses() == ("192.168.178.4", "10.0.0.4")
    monkeypatch.setattr(address, "_ipv4", lambda: iter(there[:1]))
    assert addresses() == ("fd00::2",)


@pytest.mark.parametrize(
    ("carrier", "given", "leads"),
    [("1", "10.0.0.4", True), ("0", "10.0.0.4", False), ("1", "169.254.3.3", False), ("1", "8.8.8.8", True)],
)
def test_a_cable_leads_to_a_network_with_a_signal_and_an_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, carrier: str, given: str, leads: bool
) -> None:
    """Of one that was pulled the addresses may stay."""
    link = tmp_path / "eth0"
    link.mkdir()
    (link / "carrier").write_text(f"{carrier}\n")
    monkeypatch.setattr(address, "_LINKS", tmp_path)
    monkeypatch.setattr(address, "_IF_INET6", tmp_path / "none")
    monkeypatch.setattr(address, "_ipv4", lambda: iter([("eth0", given), ("eth1", "10.0.0.5")]))
    assert address.has_address("eth0") == leads
    assert not address.has_address("eth1")


def ran(stdout: str = "", code: int = 0) -> Any:
    """A stand-in for subprocess.run that is asked as the real one."""

    def run(asked: Any, *, capture_output: bool, text: bool, timeout: float, check: bool = False) -> Any:
        assert asked[0] == "busctl"
        assert (capture_output, text, timeout > 0) == (True, True, True)
        if check and code:
            raise subprocess.CalledProcessError(code, asked)
        return subprocess.CompletedProcess(asked, code, stdout, "")

    return run


def test_avahi_is_asked_for_the_name_that_it_really_gave() -> None:
    """The answer is as a real Avahi 0.8 gave it; anything else is no name."""
    assert avahi_name(ran('{"type":"s","data":["raspberrypi-2.local"]}\n')) == "raspberrypi-2.local"
    assert avahi_name(ran('{"type":"s","data":["Table.local."]}')) == "table.local"
    for told in ("", "[]", "{}", '{"data":[]}', '{"data":null}'):
        assert avahi_name(ran(told)) == ""
    assert avahi_name(ran("", 1)) == ""

    def none(*_: object, **__: object) -> None:
        raise FileNotFoundError("busctl")

    assert avahi_name(none) == ""


class Avahi:
    """Publishes names with a child that behaves as avahi-publish 0.8 did: it says so, or it dies."""

    def __init__(self, *taken: str) -> None:
        self.taken, self.asked, self.children = taken, [], []

    def __call__(self, asked: list[str], **how: Any) -> Any:
        """Start a child."""
        name = asked[-2]
        self.asked.append(name)
        assert asked[:-2] == ["setpriv", "--pdeathsig", "TERM", "avahi-publish", "-a", "-R"]
        script = f"echo \"Established under name '{name}'\" >&2; exec sleep 60"
        if name in self.taken:
            script = "echo \"Name collision, picking new name '(null)'.\" >&2; exit 134"
        child = subprocess.Popen(["sh", "-c", script], **how)
        self.children.append(child)
        return child


def test_the_box_is_pipwatch_local_and_the_next_number_where_that_is_taken() -> None:
    """The name is held by a child, asked for once, claimed anew for another address, and given back."""
    avahi = Avahi("pipwatch.local")
    name = BoxName(lambda: "raspberrypi.local", avahi)
    assert name.at("10.0.0.4") == "pipwatch-2.local"
    assert name.at("10.0.0.4") == "pipwatch-2.local"
    assert avahi.asked == ["pipwatch.local", "pipwatch-2.local"]
    avahi.taken = ()
    assert name.at("10.0.0.5") == "pipwatch.local"
    name.close()
    assert all(child.poll() is not None for child in avahi.children)


def test_a_name_that_is_lost_later_is_claimed_again() -> None:
    """Avahi ends the child where another box wins the name afterwards."""
    avahi = Avahi()
    name = BoxName(lambda: "raspberrypi.local", avahi)
    assert name.at("10.0.0.4") == "pipwatch.local"
    avahi.taken = ("pipwatch.local",)
    avahi.children[-1].kill()
    avahi.children[-1].wait()
    assert name.at("10.0.0.4") == "pipwatch-2.local"
    name.close()


def test_the_machines_own_name_does_where_the_box_can_have_none() -> None:
    """No Avahi: no name. Every name taken, or one that is ours already: Avahi's own; asked once a minute."""
    times = [0.0]
    asked: list[int] = []

    def own(name: str) -> Any:
        def ask() -> str:
            asked.append(1)
            return name

        return ask

    clock = lambda: times[0]  # noqa: E731
    nothing = BoxName(own(""), Avahi(), clock)
    assert nothing.at("10.0.0.4") == ""
    assert nothing.at("10.0.0.4") == ""
    assert len(asked) == 1
    times[0] += 61
    assert nothing.at("10.0.0.4") == ""
    assert len(asked) == 2
    avahi = Avahi()
    assert BoxName(own("pipwatch-3.local"), avahi, clock).at("10.0.0.4") == "pipwatch-3.local"
    assert avahi.asked == []
    full = Avahi("pipwatch.local", *(f"pipwatch-{k}.local" for k in range(2, 10)))
    assert BoxName(own("raspberrypi.local"), full, clock).at("10.0.0.4") == "raspberrypi.local"
    taken = BoxName(own("raspberrypi.local"), full, clock)
    for _ in range(3):
        assert taken.at("10.0.0.4") == "raspberrypi.local"
    assert len(full.asked) == 18

    def missing(*_: object, **__: object) -> None:
        raise FileNotFoundError("setpriv")

    assert BoxName(own("raspberrypi.local"), missing, clock).at("10.0.0.4") == "raspberrypi.local"


def test_a_url_is_what_a_browser_opens() -> None:
    """The name first, addresses after it; port 80 is not written, and IPv6 stands in brackets."""
    both = Invitation(8000, "pipwatch.local", ("192.168.1.4",))
    assert both.urls == ("http://pipwatch.local:8000/", "http://192.168.1.4:8000/")
    assert Invitation(80, "", ("fd00::2",)).urls == ("http://[fd00::2]/",)
    assert Invitation(8000, "pipwatch.local").urls == ()
    assert both.link("123456") == "http://pipwatch.local:8000/join#123456"
    assert both.link() == "http://pipwatch.local:8000/"


def test_the_terminal_shows_a_code_that_can_be_scanned() -> None:
    """What is printed is read back by a decoder of others."""
    told = lines(Invitation(8000, "pipwatch.local", ("192.168.1.4",)), "012345")
    square = [line for line in told if set(line) <= set("█▀▄ ")]
    assert scanned(square) == "http://pipwatch.local:8000/join#012345"
    assert "The code to play along: 012 345" in told
    assert "Scan this with a phone, or open http://pipwatch.local:8000/" in told
    assert max(map(len, told)) <= 79


def test_a_wifi_of_its_own_comes_first_and_can_be_scanned() -> None:
    """The form that phones join a Wi-Fi by, with what it escapes."""
    wifi = Wifi("Pip;watch", 'a:b\\c"d')
    assert scanned(blocks(wifi.text)) == 'WIFI:T:WPA;S:Pip\\;watch;P:a\\:b\\\\c\\"d;;'
    told = lines(Invitation(8000, "", ("10.42.0.1",), wifi), "012345")
    assert told[0] == "Join the box's own Wi-Fi first: Pip;watch, passphrase a:b\\c\"d"


def test_a_page_for_this_machine_alone_is_told_as_one() -> None:
    """Nobody else is invited to what he cannot open."""
    (told,) = lines(Invitation(8000, here_only=True), "012345")
    assert (
        told == "The page is at http://localhost:8000/ on this machine alone, as host below [service] says."
    )
    hosts = ("localhost", "127.0.0.1", "127.1.2.3", "::1", "0.0.0.0", "::", "192.168.1.4", "table.local")
    assert [is_own(host) for host in hosts] == [True] * 4 + [False] * 4


def test_no_network_is_told_and_play_goes_on() -> None:
    """One sentence, with where the page is all the same."""
    (told,) = lines(Invitation(8000), "012345")
    assert told.startswith("There is no network: the page is at http://localhost:8000/ on this machine.")


def test_the_drawing_for_a_page_has_no_style_that_its_policy_forbids() -> None:
    """Dark on light with its quiet border, whatever the page looks like."""
    drawn = svg("http://pipwatch.local:8000/")
    assert 'fill="#fff"' in drawn
    assert "style=" not in drawn
    assert "<script" not in drawn
