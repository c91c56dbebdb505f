"""What systemd is told, heard at a real socket."""

import os
import socket
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from device.service.notify import Notifier

PLACES = ("file", "abstract")


@pytest.fixture(params=PLACES)
def ear(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[socket.socket, str]]:
    """A socket as systemd opens it, and how its environment names it."""
    name = f"@pipwatch-test-{os.getpid()}" if request.param == "abstract" else str(tmp_path / "notify")
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as heard:
        heard.bind("\0" + name[1:] if name.startswith("@") else name)
        heard.settimeout(2.0)
        yield heard, name


def test_every_word_arrives(ear: tuple[socket.socket, str]) -> None:
    """One datagram a word; a status is one line however it was written, and is not said twice."""
    heard, name = ear
    environment = {"NOTIFY_SOCKET": name, "WATCHDOG_USEC": "20000000", "WATCHDOG_PID": str(os.getpid())}
    told = Notifier(environment)
    told.ready("at http://localhost/\nWATCHDOG=trigger")
    told.alive()
    told.status("in the lobby")
    told.status("in the lobby")
    told.stopping()
    words = [heard.recv(1000).decode() for _ in range(4)]
    assert words == [
        "READY=1\nSTATUS=at http://localhost/ WATCHDOG=trigger", "WATCHDOG=1", "STATUS=in the lobby",
        "STOPPING=1",
    ]  # fmt: skip
    assert told.watchdog_s == 20.0
    assert not environment  # no process of ours may speak for us


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"WATCHDOG_USEC": "20000000", "WATCHDOG_PID": "1"},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": "-1"},
    ],
)
def test_without_systemd_nothing_is_said(environment: dict[str, str]) -> None:
    """On a desk, or where another process is watched: no watchdog, and no word fails."""
    told = Notifier(environment)
    assert told.watchdog_s is None
    told.ready("here")
    told.alive()


def test_an_ear_that_is_gone_stops_nobody(tmp_path: Path) -> None:
    """systemd is being restarted: its socket is not there for a moment."""
    told = Notifier({"NOTIFY_SOCKET": str(tmp_path / "gone")})
    told.ready("here")
    told.alive()
    assert not (tmp_path / "gone").exists()
