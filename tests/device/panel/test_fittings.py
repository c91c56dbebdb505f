"""Each part of the panel fails alone: pins, sound card and keypad, each in its own sentence."""

import json
import os
import queue
import struct
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory

from device.cli import main, refereeing
from device.cli import pins as pins_command
from device.live import panel as live_panel
from device.live.messages import Heard, Message
from device.live.panel import Panel
from device.match.lamp_signs import Lamps, Tune
from device.match.signals import Kind, Told
from device.panel import fittings, press_meaning, sound_card
from device.panel.gpio_pins import Pins
from device.panel.key_names import KEY_CODES
from device.panel.keys import EV_KEY, EVENT, Keypad, Keys
from device.panel.show import Show
from device.panel.wish import Wish
from device.service.front import Front
from device.service.host import Host
from device.settings import Settings, Sound

KEYS = Keys("numpad", confirm_a="KEY_KP1")
PINS = Pins(pause=19, confirm_a=5, green=17)
NO_PLAYER = "aplay is missing: sudo apt install alsa-utils."
SOON_S = 20.0


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    """Mock pins in place of real ones."""
    before = gpiozero.Device.pin_factory
    gpiozero.Device.pin_factory = made = MockFactory()
    yield made
    made.reset()
    gpiozero.Device.pin_factory = before


@pytest.fixture
def _no_player(monkeypatch: pytest.MonkeyPatch) -> None:
    """The program that plays is not installed."""
    monkeypatch.setattr(sound_card.shutil, "which", lambda _name: None)


@pytest.fixture
def press(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A keypad that is plugged in, and how one of its keys is pressed."""
    (tmp_path / "sys/class/input/event1/device").mkdir(parents=True)
    (tmp_path / "sys/class/input/event1/device/name").write_text("Numpad\n")
    (tmp_path / "dev/input").mkdir(parents=True)
    node = tmp_path / "dev/input/event1"
    os.mkfifo(node)
    pipe = os.open(node, os.O_RDWR)
    made = partial(Keypad, root=tmp_path, ioctl=lambda *_: None)
    monkeypatch.setattr(live_panel, "Keypad", made)
    monkeypatch.setattr(pins_command, "Keypad", made)

    def pressed(key: str) -> None:
        seconds, rest = divmod(time.monotonic(), 1)
        os.write(pipe, EVENT.pack(int(seconds), int(rest * 1e6), EV_KEY, KEY_CODES[key], 1))

    return pressed


def taken(factory: MockFactory) -> gpiozero.LED:
    """Another program has the pin of the green lamp."""
    assert gpiozero.Device.pin_factory is factory
    return gpiozero.LED(PINS.green)


def test_failing_pins_leave_a_keypad_and_a_sound_card(
    factory: MockFactory, press: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Keys are heard, tunes are played, and what is missing is said with what stands in."""
    played: queue.SimpleQueue[Tune] = queue.SimpleQueue()

    class Card:
        problem = ""

        def __init__(self, _name: str) -> None:
            self.play, self.close = played.put, lambda: None

    monkeypatch.setattr(fittings, "SoundCard", Card)
    other, said = taken(factory), queue.SimpleQueue[Message]()
    panel = Panel(PINS, (), said.put, keys=KEYS, card="usb")
    try:
        press("KEY_KP1")
        assert said.get(timeout=SOON_S) == Heard(Told(Kind.CONFIRM, number=1))
        panel._said.put(Show(Lamps(), Tune("-", 440), time.monotonic()))
        assert played.get(timeout=SOON_S).hz == 440
        (problem,) = panel.problems
        assert problem.startswith("The pins cannot be used: ")
        assert problem.endswith(". Buttons of the page stand in.")
    finally:
        panel.close(SOON_S)
        other.close()


@pytest.mark.usefixtures("_no_player")
def test_a_missing_sound_program_leaves_buttons_and_lamps(factory: MockFactory) -> None:
    """A press is heard, a lamp burns, and the sentence says what to install."""
    said = queue.SimpleQueue[Message]()
    panel = Panel(PINS, (), said.put, card="usb")
    try:
        factory.pin(PINS.confirm_a).drive_low()
        assert said.get(timeout=SOON_S) == Heard(Told(Kind.CONFIRM, number=1))
        panel.show(Lamps(green="########"))
        until = time.monotonic() + SOON_S
        while not factory.pin(PINS.green).state:
            assert time.monotonic() < until
            time.sleep(0.005)
        assert panel.problems == (NO_PLAYER,)
    finally:
        panel.close(SOON_S)


def test_a_button_held_while_another_pin_fails_switches_nothing_off(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its pin is let go with the others, so nobody would ever hear that it is not held any more."""
    monkeypatch.setattr(press_meaning, "SHUTDOWN_S", 0.2)
    other, wished = taken(factory), queue.SimpleQueue[Wish]()
    factory.pin(PINS.pause).drive_low()
    panel = Panel(PINS, (), lambda _: None, wished.put)
    time.sleep(0.6)
    panel.close(SOON_S)
    other.close()
    assert wished.empty()


def test_pins_that_are_lost_later_leave_the_rest(
    factory: MockFactory, press: Callable[[str], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The chip is gone in the middle of play: keys are heard on, and the sentence is there from now on."""
    said = queue.SimpleQueue[Message]()
    panel = Panel(PINS, (), said.put, keys=KEYS)
    try:
        assert panel.problems == ()

        def gone(*_: bool) -> None:
            raise RuntimeError("lost the chip")

        monkeypatch.setattr(panel.fittings.wired, "light", gone)
        panel.show(Lamps(red="########"))
        until = time.monotonic() + SOON_S
        while not panel.problems:
            assert time.monotonic() < until
            time.sleep(0.005)
        assert panel.problems == ("The pins cannot be used: lost the chip. Buttons of the page stand in.",)
        press("KEY_KP1")
        assert said.get(timeout=SOON_S) == Heard(Told(Kind.CONFIRM, number=1))
        assert factory.pin(PINS.green).function == "input"  # it was let go
    finally:
        panel.close(SOON_S)


@pytest.mark.usefixtures("_no_player")
def test_the_box_tells_each_part_that_is_missing(
    factory: MockFactory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, press: Callable[[str], None]
) -> None:
    """On its page, and so on its log; a keypad that may not be read is told there as well."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "sys/class/input/event2/device").mkdir(parents=True)
    (tmp_path / "sys/class/input/event2/device/name").write_text("Second Numpad\n")
    looped = tmp_path / "dev/input/event2"
    looped.symlink_to(looped)
    other = taken(factory)
    settings = Settings(pins=PINS, keys=KEYS, sound=Sound(card="usb"))
    box = Host(settings, Front(_no_page, 8000), tmp_path)
    try:
        until = time.monotonic() + SOON_S
        while len(told := box.facts().remarks) < 3:
            assert time.monotonic() < until
            time.sleep(0.005)
        assert [one.partition(" cannot")[0] for one in told] == [
            "The pins", NO_PLAYER, "The keys of Second Numpad",
        ]  # fmt: skip
        press("KEY_KP1")
        until = time.monotonic() + SOON_S
        assert box.inbox.get(timeout=SOON_S).kind is Kind.CONFIRM  # type: ignore[union-attr]
        assert box.tried_pins(True) == ""  # from the page: the keypad can be tried all the same
        told = box.reception.pins()
        assert (told["lamps"], [one["name"] for one in told["buttons"]]) == ([], ["confirm_a"])
        assert box.tried_pins(False) == ""
        looped.unlink()
        (tmp_path / "sys/class/input/event2/device/name").unlink()
        while len(box.facts().remarks) > 2:  # it was unplugged: nothing is wrong with it any more
            assert time.monotonic() < until
            time.sleep(0.05)
    finally:
        assert box._panel is not None
        box._panel.close(SOON_S)
        other.close()


def _no_page() -> Any:
    raise OSError("there is no page here")


@pytest.mark.usefixtures("_no_player")
def test_the_trial_of_the_pins_goes_on_with_what_there_is(
    factory: MockFactory, tmp_path: Path, press: Callable[[str], None], capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    """Without pins and sound the keypad is tried; with nothing at all it is one sentence."""
    monkeypatch.setattr(pins_command, "box_here", lambda _config: {})
    config, other = tmp_path / "config.toml", taken(factory)
    wired = '[pins]\ngreen = 17\n[sound]\ncard = "usb"\n'
    config.write_text(f'{wired}[keys]\ndevice = "numpad"\nconfirm_a = "KEY_KP1"\n')
    press("KEY_KP1")
    assert main(["pins", "--config", str(config), "--seconds", "0.3", "--json"]) == 1
    out, err = capsys.readouterr()
    assert [one["name"] for one in json.loads(out)["buttons"]] == ["key_confirm_a"]
    assert "pipwatch: The pins cannot be used" in err
    assert NO_PLAYER in err
    assert "key confirm a down" in err
    config.write_text(wired)
    assert main(["pins", "--config", str(config), "--seconds", "0.3"]) == 2
    other.close()


@pytest.mark.usefixtures("_no_player")
def test_a_match_at_the_terminal_says_what_is_missing_and_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A speaker that cannot play was no reason not to play."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    begun = []
    monkeypatch.setattr(refereeing.Running, "run", lambda running: begun.append(running) or "")
    config = tmp_path / "config.toml"
    config.write_text('[sound]\ncard = "usb"\n')
    asked = ["run", "--game", "draw-game", "--source", "none", "--headless", "--config", str(config)]
    assert main(asked) == 0
    assert NO_PLAYER in capsys.readouterr().err
    (running,) = begun
    assert running.panel is not None
    running.panel.close(SOON_S)
    running.writer.close(SOON_S)


def test_an_event_of_the_kernel_has_its_size() -> None:
    """What this test writes for a key is what Linux does."""
    assert EVENT.size == struct.calcsize("qqHHi")
