"""Keypads and Bluetooth buttons, through pipes in place of the kernel's devices."""

import os
import queue
import stat
import time
from pathlib import Path

import pytest

from calibration import toml
from calibration.camera_errors import BadProfileFile
from device.cli import main
from device.live import panel as live_panel
from device.live.messages import Heard, Message
from device.live.panel import Panel
from device.match.signals import Kind, Told
from device.panel import keys as module
from device.panel.gpio_pins import Pins
from device.panel.key_names import KEY_CODES
from device.panel.keys import (
    EV_KEY,
    EV_SYN,
    EVENT,
    EVIOCGRAB,
    EVIOCSCLOCKID,
    SYN_DROPPED,
    Keypad,
    Keys,
    devices,
)
from device.panel.wish import Wish
from device.settings import Settings

KEYS = Keys(device="numpad", confirm_a="KEY_KP1", pause="KEY_KP0")
SOON_S = 20.0
Edge = tuple[str, bool, float]


class Board:
    """A machine's input devices below a folder, each a pipe."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.ioctls: list[tuple[int, object]] = []
        self._ends: dict[str, int] = {}

    def plug(self, event: str, name: str) -> None:
        """A device comes."""
        (told := self.root / "sys/class/input" / event / "device").mkdir(parents=True)
        (told / "name").write_text(f"{name}\n")
        (node := self.root / "dev/input" / event).parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(node)
        self._ends[event] = os.open(node, os.O_RDWR)

    def unplug(self, event: str) -> None:
        """It goes: whoever reads it gets no more."""
        (self.root / "sys/class/input" / event / "device/name").unlink()
        (self.root / "sys/class/input" / event / "device").rmdir()
        (self.root / "sys/class/input" / event).rmdir()
        (self.root / "dev/input" / event).unlink()
        os.close(self._ends.pop(event))

    def press(self, event: str, key: str, value: int, at: float) -> None:
        """A key goes down (1), up (0) or repeats itself (2), as the kernel writes it."""
        micros = round(at * 1e6)
        code = KEY_CODES[key]
        os.write(self._ends[event], EVENT.pack(micros // 10**6, micros % 10**6, EV_KEY, code, value)
                 + EVENT.pack(micros // 10**6, micros % 10**6, EV_SYN, 0, 0))  # fmt: skip

    def drop(self, event: str) -> None:
        """The kernel could not keep all of it."""
        os.write(self._ends[event], EVENT.pack(0, 0, EV_SYN, SYN_DROPPED, 0))

    def ioctl(self, _number: int, request: int, value: object) -> None:
        """What a pipe cannot do is only written down."""
        self.ioctls.append((request, value))


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Board:
    """A machine on which devices are looked for often."""
    monkeypatch.setattr(module, "LOOK_S", 0.02)
    return Board(tmp_path)


def test_keys_are_heard_with_the_kernels_own_times(board: Board) -> None:
    """Down and up, no repeats, no other keys; the device is taken for the table alone."""
    heard: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    others: queue.SimpleQueue[str] = queue.SimpleQueue()
    board.plug("event3", "ACME Numpad Consumer Control")
    board.plug("event4", "A mouse")
    keypad = Keypad(KEYS, lambda *edge: heard.put(edge), lambda: None, other=others.put, root=board.root,
                    ioctl=board.ioctl)  # fmt: skip
    for key, value in (("KEY_KP1", 1), ("KEY_KP1", 2), ("KEY_KP1", 0), ("KEY_A", 1), ("KEY_KP0", 1)):
        board.press("event3", key, value, 1234.5)
    found = [heard.get(timeout=SOON_S) for _ in range(3)]
    assert found == [("confirm_a", True, 1234.5), ("confirm_a", False, 1234.5), ("pause", True, 1234.5)]
    assert others.get(timeout=SOON_S) == "KEY_A"
    keypad.close(SOON_S)
    assert heard.empty()
    assert (EVIOCGRAB, 1) in board.ioctls
    assert [request for request, _ in board.ioctls] == [EVIOCGRAB, EVIOCSCLOCKID]  # the mouse is left alone


def test_a_keypad_may_come_go_and_come_back(board: Board) -> None:
    """Whoever listens is told that nothing is held any more, and hears it again once it is back."""
    heard: queue.SimpleQueue[Edge] = queue.SimpleQueue()
    gone: queue.SimpleQueue[bool] = queue.SimpleQueue()
    keypad = Keypad(KEYS, lambda *edge: heard.put(edge), lambda: gone.put(True), root=board.root,
                    ioctl=board.ioctl)  # fmt: skip
    for _ in range(3):
        board.plug("event7", "Numpad")
        board.press("event7", "KEY_KP0", 1, 5.0)
        assert heard.get(timeout=SOON_S) == ("pause", True, 5.0)
        board.unplug("event7")
        assert gone.get(timeout=SOON_S)
    board.plug("event8", "Numpad")
    board.drop("event8")
    assert gone.get(timeout=SOON_S)
    keypad.close(SOON_S)


def test_a_key_held_on_a_keypad_that_is_pulled_switches_nothing_off(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The panel forgets what was held; a key that is held on switches off, and a tap pauses."""
    monkeypatch.setattr("device.panel.press_meaning.SHUTDOWN_S", 0.6)
    monkeypatch.setattr(live_panel, "Keypad", lambda *told: Keypad(*told, root=board.root, ioctl=board.ioctl))
    said: queue.SimpleQueue[Message] = queue.SimpleQueue()
    wished: queue.SimpleQueue[Wish] = queue.SimpleQueue()
    panel = Panel(Pins(), (), said.put, wished.put, keys=KEYS)
    board.plug("event1", "Numpad")
    board.press("event1", "KEY_KP0", 1, time.monotonic())
    time.sleep(0.2)
    board.unplug("event1")
    time.sleep(0.8)
    assert wished.empty()
    board.plug("event2", "Numpad")
    now = time.monotonic()
    board.press("event2", "KEY_KP0", 1, now)
    board.press("event2", "KEY_KP0", 0, now + 0.05)
    assert said.get(timeout=SOON_S) == Heard(Told(Kind.PAUSE))
    board.press("event2", "KEY_KP0", 1, time.monotonic())
    assert wished.get(timeout=SOON_S) is Wish.SHUTDOWN
    panel.close(SOON_S)
    assert said.empty()


def test_a_device_that_may_not_be_read_is_told_once(board: Board, capsys: pytest.CaptureFixture[str]) -> None:
    """Root may read anything, so the node is one that cannot be opened at all."""
    board.plug("event3", "Numpad")
    node = board.root / "dev/input/event3"
    node.unlink()
    node.symlink_to(node)  # a loop
    keypad = Keypad(KEYS, lambda *_: None, lambda: None, root=board.root, ioctl=board.ioctl)
    time.sleep(0.2)
    keypad.close(SOON_S)
    assert capsys.readouterr().err.count("The keys of Numpad cannot be read") == 1
    assert devices(board.root) == {"event3": "Numpad"}
    assert stat.S_ISLNK(os.lstat(node).st_mode)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('device = "x"\nconfirm_a = "KEY_KP_1"', "the nearest is 'KEY_KP1'"),
        ('device = "x"\nconfirm_a = "KEY_A"\nundo = "KEY_A"', "on the same key"),
        ('confirm_a = "KEY_A"', "need the name of their device"),
        ('device = "x"\nchallenge = "KEY_A"', "there is no key 'challenge'"),
    ],
)
def test_keys_that_cannot_be_are_refused_in_a_sentence(text: str, sentence: str) -> None:
    """A keyboard is never taken by accident: its name is needed."""
    with pytest.raises(BadProfileFile, match=sentence):
        toml.parse(f"[keys]\n{text}\n", Settings, "config.toml")


def test_the_numbers_of_the_keys_are_those_of_the_kernel() -> None:
    """Held against its header where this machine has it, and a few of them always."""
    header = Path("/usr/include/linux/input-event-codes.h")
    if header.exists():
        told = {}
        for line in header.read_text().splitlines():
            match line.split():
                case ["#define", name, number, *_] if number[0].isdigit():
                    told[name] = int(number, 0)
        assert {name: told[name] for name in KEY_CODES} == KEY_CODES
    assert (KEY_CODES["KEY_KP1"], KEY_CODES["KEY_ENTER"], KEY_CODES["KEY_VOLUMEUP"]) == (79, 28, 115)
    assert EVENT.size == 24


def test_pins_names_the_keys_of_a_keypad(
    board: Board, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Mapped ones as buttons with their figures, others by name, so that they can be mapped."""
    monkeypatch.setattr(
        "device.cli.pins.Keypad",
        lambda *told, other: Keypad(*told, other=other, root=board.root, ioctl=board.ioctl),
    )
    board.plug("event1", "Numpad")
    begin = time.monotonic()
    for n, key in enumerate(("KEY_KP1", "KEY_KP1", "KEY_B")):
        board.press("event1", key, 1, begin + 0.5 + n)
        board.press("event1", key, 0, begin + 0.6 + n)
    config = tmp_path / "config.toml"
    config.write_text('[keys]\ndevice = "Numpad"\nconfirm_a = "KEY_KP1"\n')
    assert main(["pins", "--config", str(config), "--seconds", "0.4"]) == 0
    told = capsys.readouterr()
    assert "✓ key confirm a" in told.out
    assert "2 presses" in told.out
    assert "KEY_B is no button" in told.err
