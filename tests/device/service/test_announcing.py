"""How to join is told whenever it changes, and again to whoever asks."""

import json
import os
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.cli import join as command
from device.cli import main
from device.service import announcing
from device.service.address import Invitation, Wifi
from device.service.announcing import CONSOLE_FILE, FILE, Announcing, announce, announced
from device.service.listing import KINDS, Listing
from device.service.outside import Outside
from device.service.pairing import Pairing

WIFI = Wifi("Pipwatch-1", "abcd2345")


class Name:
    """A name that is there where an address is."""

    closed = 0

    def at(self, address: str) -> str:
        """The name."""
        return "pipwatch.local" if address else ""

    def close(self) -> None:
        """Count."""
        self.closed += 1


class Children:
    """Programs that hold something for as long as they run."""

    def __init__(self) -> None:
        self.asked: list[list[str]] = []
        self.running: list[Any] = []

    def __call__(self, asked: list[str], **how: Any) -> Any:
        """Start one."""
        self.asked.append(asked)
        child = subprocess.Popen(["sleep", "60"], **how)
        self.running.append(child)
        return child


class Spot:
    """A hot spot that is open when it is told so."""

    wifi: Wifi | None = None
    spare: Wifi | None = None
    closed = 0

    def look(self, _now: float) -> Wifi | None:
        """What is open."""
        return self.wifi

    def close(self) -> None:
        """Count."""
        self.closed += 1


class Box:
    """A box whose network is set by hand."""

    def __init__(self, folder: Path) -> None:
        self.net: tuple[str, ...] = ()
        self.said, self.told = [], []
        self.pairing = Pairing(folder / "phones.json", code="246810", say=self.said.append)
        self.spot, self.name = Spot(), Name()
        self.folder = folder / "run"
        self.children = Children()
        self.announcing = Announcing(
            8000, self.pairing, self.spot, self.told.append, self.said.append, self.folder, self.name,
            lambda port, name, wifi: Invitation(port, name, self.net, wifi),
            listing=Listing(8000, self.children),
        )  # fmt: skip

    def look(self) -> str:
        """What is said when the network is looked at."""
        del self.said[:]
        self.announcing.look()
        return "\n".join(self.said)


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Box]:
    """A box, and a command that looks only in its folder."""
    made = Box(tmp_path)
    monkeypatch.setattr(announcing, "SERVICE_FOLDER", made.folder)
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    yield made
    made.announcing.close()


def test_a_look_that_fails_is_told_once_and_followed_by_the_next(
    box: Box, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is wrong with the network's own programs: how to join is told as soon as it can be."""
    monkeypatch.setattr(announcing, "EVERY_S", 0.01)
    at, tries = box.name.at, []

    def failing(address: str) -> str:
        tries.append(address)
        if len(tries) < 4:
            raise RuntimeError("no such name")
        return at(address)

    monkeypatch.setattr(box.name, "at", failing)
    box.net = ("192.168.1.4",)
    box.announcing.start()
    until = time.monotonic() + 20
    while not any("http://pipwatch.local:8000/" in one for one in box.said):
        assert time.monotonic() < until
        time.sleep(0.01)
    assert sum("could not be told" in one for one in box.said) == 1


def test_what_changes_is_told_and_nothing_twice(box: Box) -> None:
    """No network, then one, then another address, then a Wi-Fi of its own; what stays is not repeated."""
    assert "There is no network" in box.look()
    assert box.look() == ""
    box.net = ("192.168.1.4",)
    said = box.look()
    assert "http://pipwatch.local:8000/" in said
    assert "246 810" in said
    assert box.pairing.invitation == Invitation(8000, "pipwatch.local", box.net)
    box.net = ("192.168.1.5",)
    assert "http://192.168.1.5:8000/" in box.look()
    box.net, box.spot.wifi = ("10.42.0.1",), WIFI
    assert "Pipwatch-1, passphrase abcd2345" in box.look()
    assert [one.wifi for one in box.told] == [None, None, None, WIFI]
    assert box.look() == ""


def test_the_card_knows_the_wifi_that_there_will_be(box: Box) -> None:
    """Whoever prints it before has it on paper when there is no network; the console does not tell it."""
    box.net, box.spot.spare = ("192.168.1.4",), WIFI
    assert WIFI.passphrase not in box.look()
    assert box.told[-1].spare == WIFI
    found, _ = announced(box.folder)
    assert found == box.told[-1]


def test_pipwatch_join_says_it_again(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    """The file is for the service's group; it goes when the box ends, and so does the login prompt's text."""
    box.net = ("192.168.1.4",)
    box.look()
    assert stat.S_IMODE((box.folder / FILE).stat().st_mode) == 0o640
    assert "246 810" in (box.folder / CONSOLE_FILE).read_text()
    assert main(["join"]) == 0
    told = capsys.readouterr().out
    assert "http://pipwatch.local:8000/" in told
    assert "The code to play along: 246 810" in told
    assert main(["join", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "urls": ["http://pipwatch.local:8000/", "http://192.168.1.4:8000/"], "code": "246810", "wifi": None,
    }  # fmt: skip
    box.announcing.close()
    assert (box.name.closed, box.spot.closed) == (1, 1)
    assert list(box.folder.iterdir()) == []
    assert main(["join"]) == 2
    assert "no box with a page runs here" in capsys.readouterr().err


def test_pipwatch_join_can_forget_all_phones(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    """The running box sees it at the next request."""
    box.look()
    _, secret = box.pairing.join("192.168.1.7", "246810")
    assert box.pairing.knows(secret)
    assert main(["join", "--forget"]) == 0
    assert "All phones are forgotten" in capsys.readouterr().err
    assert not box.pairing.knows(secret)


def test_a_box_that_was_killed_runs_no_more(box: Box, capsys: pytest.CaptureFixture[str]) -> None:
    """Its file lies there still, but its process has gone."""
    box.look()
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    told = json.loads((box.folder / FILE).read_text())
    (box.folder / FILE).write_text(json.dumps({**told, "process": gone.pid}))
    assert main(["join"]) == 2
    assert "no box with a page runs here" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["", "{", "[]", "{}", '{"port": 8000, "wifi": {"ssid": 1}}'])
def test_a_damaged_file_is_one_sentence(box: Box, capsys: pytest.CaptureFixture[str], text: str) -> None:
    """Whatever lies in its place."""
    box.folder.mkdir()
    (box.folder / FILE).write_text(text)
    assert main(["join"]) == 2
    told = capsys.readouterr().err
    assert "cannot be read" in told
    assert "Traceback" not in told


@pytest.mark.usefixtures("box")
def test_what_only_the_group_may_read_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the command that helps."""

    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(announcing.Path, "read_text", refuse)
    assert main(["join"]) == 2
    assert "sudo pipwatch join" in capsys.readouterr().err


def test_phones_that_nobody_keeps_cannot_be_forgotten_by_a_file() -> None:
    """A sentence says how else."""
    with pytest.raises(command.UserError, match="end it, and all are forgotten"):
        command._forget(None)


def test_a_folder_that_takes_nothing_stops_nothing(box: Box) -> None:
    """The console has said it all."""
    box.folder.write_text("in the way")
    box.net = ("192.168.1.4",)
    assert "246 810" in box.look()


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The real announcing without Avahi and without NetworkManager."""
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "run"))
    monkeypatch.setattr(announcing, "BoxName", Name)


@pytest.mark.usefixtures("quiet")
def test_one_call_announces_and_one_ends_it(tmp_path: Path) -> None:
    """What whoever starts the page calls: it returns at once, and has told a moment later."""
    heard: list[Any] = []
    made = announce(8000, Pairing(code="246810"), told=heard.append)
    until = time.monotonic() + 10
    while not heard:
        assert time.monotonic() < until
        time.sleep(0.01)
    found, told = announced(tmp_path / "run")
    assert (found.port, told["code"], told["process"]) == (8000, "246810", os.getpid())
    made.close()
    assert not made._thread.is_alive()


@pytest.mark.usefixtures("quiet")
def test_a_box_invites_once_and_not_after_its_end(tmp_path: Path) -> None:
    """Nothing is told before its page is there; a page that comes while the box ends is told to nobody."""
    pairing, file = Pairing(code="246810", say=lambda _: None), tmp_path / "run" / FILE
    outside = Outside(pairing, 8000, here_only=True)
    outside.open()
    assert (outside._announcing, pairing.invitation) == (None, None)
    outside.invite()
    first = outside._announcing
    outside.invite()
    assert outside._announcing is first
    until = time.monotonic() + 10
    while not file.exists():
        assert time.monotonic() < until
        time.sleep(0.01)
    outside.close(1.0)
    assert not file.exists()
    late = Outside(pairing, 8000, here_only=True)
    late.close(1.0)
    late.invite()
    assert late._announcing is None


def test_the_network_lists_the_page_with_the_port_that_it_has(box: Box) -> None:
    """Under the box's name, as long as there is a network; what was ended is listed anew, nothing twice."""
    box.announcing._listing = Listing(8123, box.children)
    box.look()
    assert box.children.asked == []
    box.net = ("192.168.1.4",)
    box.look()
    box.look()
    told = [one[3:] for one in box.children.asked]
    assert [(one[-3], one[-2], one[2:4]) for one in told] == [
        (kind, "8123", ["-H", "pipwatch.local"]) for kind in KINDS
    ]
    box.announcing._listing._tried = float("-inf")
    box.children.running[0].kill()
    box.children.running[0].wait()
    box.look()
    assert len(box.children.asked) == 4
    box.net = ()
    box.look()
    assert all(child.poll() is not None for child in box.children.running)
    box.net = ("192.168.1.4",)
    box.look()
    assert len(box.children.asked) == 6
    box.announcing.close()
    assert all(child.poll() is not None for child in box.children.running)


def test_a_page_for_this_machine_alone_is_listed_nowhere(box: Box) -> None:
    """Nor is a name claimed for it, or a Wi-Fi opened."""
    box.announcing.here_only, box.net, box.spot.wifi = True, ("192.168.1.4",), WIFI
    assert "on this machine alone" in box.look()
    assert box.children.asked == []
    assert box.pairing.invitation == Invitation(8000, here_only=True)
    assert announced(box.folder)[0].here_only


def test_without_avahi_nothing_is_listed_and_nothing_breaks() -> None:
    """It is looked for again after a while."""
    asked: list[object] = []

    def missing(*command: object, **_: object) -> None:
        asked.append(command)
        raise FileNotFoundError("setpriv")

    times = [0.0]
    listing = Listing(8000, missing, lambda: times[0])
    for _ in range(3):
        listing.at("pipwatch.local")
    assert len(asked) == len(KINDS)
    times[0] = 61.0
    listing.at("pipwatch.local")
    assert len(asked) == 2 * len(KINDS)
    listing.close()
