"""How to join stands above the login of the machine's own screen, with a code that a phone can read there."""

import fcntl
import os
import pty
import runpy
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from device.service.address import lines
from device.service.announcing import CONSOLE_FILE
from tests.device.service.test_address import scanned
from tests.device.service.test_announcing import Box

AGETTY = shutil.which("agetty", path=f"{os.environ.get('PATH', '')}:/sbin:/usr/sbin")
INSIDE = Path(__file__).parents[3] / "systemd/trial/inside.py"
sys.path.insert(0, str(INSIDE.parent))  # as a program it finds what lies beside it
TRIAL = runpy.run_path(str(INSIDE))
sys.path.remove(str(INSIDE.parent))
"""What the trial in a booted machine asks of its screen."""
SCREEN = 63
"""One on which nobody logs in."""
CLEARED, GIVEN_BACK = b"\033%G\033[2J\033[H", 0x5608

pytestmark = pytest.mark.skipif(AGETTY is None, reason="there is no agetty")


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    """A box in a network, which has written what stands above a login."""
    made = Box(tmp_path)
    made.net = ("192.168.1.20",)
    made.look()
    yield made
    made.announcing.close()


def drawn(box: Box, screen: int) -> None:
    """Let the real program draw it."""
    words = [str(AGETTY), "--show-issue", "--issue-file", box.folder / CONSOLE_FILE]
    subprocess.run(words, stdin=screen, stdout=screen, check=True, timeout=20)


def told(box: Box) -> list[str]:
    """What `pipwatch join` says."""
    invitation: Any = box.pairing.invitation
    return lines(invitation, box.pairing.code)


def code_of(rows: list[str]) -> str:
    """What a phone reads on it: the code ends above the words that belong to it."""
    last = next(number for number, row in enumerate(rows) if row.startswith("Scan this"))
    first = last
    while first > 0 and rows[first - 1] and not set(rows[first - 1]) - set("█▀▄ "):
        first -= 1
    wide = max(map(len, rows[first:last]))
    return scanned([row.ljust(wide) for row in rows[first:last]])


def test_a_login_shows_a_code_that_leads_to_the_page(box: Box) -> None:
    """The login's program reads signs of its own in what it shows: none of the box's is one."""
    ours, its = pty.openpty()
    try:
        drawn(box, its)
        rows = os.read(ours, 100_000).decode().replace("\r", "").splitlines()
    finally:
        os.close(ours)
        os.close(its)
    assert code_of(rows) == "http://pipwatch.local:8000/join#246810"
    assert TRIAL["stands"](told(box), [row.rstrip() for row in rows])


@contextmanager
def screen() -> Iterator[int]:
    """A screen of this machine as its kernel draws it, given back in the end."""
    path = Path(f"/dev/tty{SCREEN}")
    try:
        shown = os.open(path, os.O_RDWR | os.O_NOCTTY)
    except OSError:
        pytest.skip("a screen of the machine's own is root's, and not everywhere")
    try:
        if not Path(f"/dev/vcs{SCREEN}").exists():
            pytest.skip("what this machine draws on its screen cannot be read")
        os.write(shown, CLEARED)
        yield shown
    finally:
        os.close(shown)
        with suppress(OSError), path.with_name("tty0").open("wb") as all_of_them:
            fcntl.ioctl(all_of_them, GIVEN_BACK, SCREEN)


def test_the_kernels_own_font_draws_that_code(box: Box) -> None:
    """On a screen of 80 by 25, by which the trial of a whole boot knows it: all of it is in sight."""
    with screen() as shown:
        drawn(box, shown)
        rows = TRIAL["on_the_screen"](SCREEN)
        os.write(shown, CLEARED)
        empty = TRIAL["on_the_screen"](SCREEN)
    assert code_of(rows) == "http://pipwatch.local:8000/join#246810"
    assert TRIAL["stands"](told(box), rows)
    assert not TRIAL["stands"](told(box), empty)
    half = [row if number % 2 else row.replace("█", " ") for number, row in enumerate(rows)]
    assert not TRIAL["stands"](told(box), half)
