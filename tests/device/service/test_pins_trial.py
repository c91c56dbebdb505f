"""Buttons and lamps are tried from the page: each lamp, each press, and no press means anything."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from device.live.panel import PINS, Panel
from device.panel.gpio_pins import Pins
from device.service import pins_trial
from device.service.box import BUSY, Place, Seating, Standing, Wanted
from device.service.front import Front
from device.service.host import LOBBY, Host
from device.service.pins_trial import NOTHING
from device.settings import Settings

WIRED = Pins(
    confirm_a=5, confirm_b=6, undo=13, pause=19, green=17, amber=27, red=22, buzzer=18
)  # fmt: skip


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    """Mock pins in place of real ones."""
    made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, factory: MockFactory) -> Iterator[Host]:
    """A box with a panel, in its lobby."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(gpiozero.Device, "pin_factory", factory)
    monkeypatch.setattr(pins_trial, "LIT_S", 0.15)
    made = Host(Settings(pins=WIRED), Front(lambda: cast("Any", None), 8000), tmp_path)
    made._show_lobby()
    yield made
    made._pins_trial.end()
    if made._panel is not None:
        made._panel.close(5.0)


def soon(true: Callable[[], Any], within_s: float = 10.0) -> Any:
    """What becomes true within moments."""
    end = time.monotonic() + within_s
    while not (found := true()):
        assert time.monotonic() < end
        time.sleep(0.01)
    return found


def lit(factory: MockFactory) -> list[bool]:
    """Which lamps burn, and whether the buzzer sounds."""
    pins = (WIRED.green, WIRED.amber, WIRED.red, WIRED.buzzer)
    return [bool(factory.pin(pin).state) for pin in pins]


def button(box: Host, name: str) -> Any:
    """What is told of one button."""
    (found,) = [one for one in cast("Any", box.reception.pins())["buttons"] if one["name"] == name]
    return found


def test_each_lamp_burns_by_itself_and_is_named(box: Host, factory: MockFactory) -> None:
    """One after the other, then the sound; then all is dark, until it ends."""
    assert box.reception.try_pins(True) == ""
    assert cast("Any", box.reception.pins())["lamps"] == ["green", "amber", "red", "sound"]
    for number, name in enumerate(("green", "amber", "red", "sound")):
        soon(lambda name=name: cast("Any", box.reception.pins())["burns"] == name)
        want = [place == number for place in range(4)]
        soon(lambda want=want: lit(factory) == want)
    soon(lambda: cast("Any", box.reception.pins())["burns"] == "")
    soon(lambda: not any(lit(factory)))
    assert cast("Any", box.reception.pins())["on"]


def test_presses_are_told_by_name_and_mean_nothing(box: Host, factory: MockFactory) -> None:
    """A confirm begins no match, and pause held for long switches nothing off, nor just after the end."""
    wished: list[object] = []
    panel = cast("Panel", box._panel)
    panel._wish = wished.append
    box.reception.try_pins(True)
    soon(lambda: not box.reception.pins()["burns"])
    for _ in range(2):
        factory.pin(WIRED.confirm_a).drive_low()
        soon(lambda: button(box, "confirm_a")["down"])
        time.sleep(0.05)
        factory.pin(WIRED.confirm_a).drive_high()
        soon(lambda: not button(box, "confirm_a")["down"])
        time.sleep(0.05)
    assert (button(box, "confirm_a")["presses"], button(box, "undo")["presses"]) == (2, 0)
    factory.pin(WIRED.pause).drive_low()
    soon(lambda: button(box, "pause")["down"])
    box.reception.try_pins(False)
    assert cast("Any", box.reception.pins())["on"] is False
    time.sleep(5.5)  # so long a press would have meant the machine's end
    factory.pin(WIRED.pause).drive_high()
    time.sleep(0.1)
    assert wished == []
    assert box.inbox.empty()
    factory.pin(WIRED.confirm_a).drive_low()
    soon(lambda: not box.inbox.empty())  # and now they mean something again
    factory.pin(WIRED.confirm_a).drive_high()


def test_a_button_that_is_stuck_is_told(box: Host, factory: MockFactory) -> None:
    """Also one that was down before anybody tried it."""
    factory.pin(WIRED.undo).drive_low()
    soon(lambda: (PINS, "undo") in cast("Panel", box._panel).closed)
    box.reception.try_pins(True)
    assert button(box, "undo")["wrong"].startswith("it reads pressed all the time")
    assert button(box, "pause")["wrong"] == ""


def test_it_ends_when_a_match_begins_or_the_page_is_gone(box: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table must not be left with buttons that do nothing; lamps show again what they did."""
    monkeypatch.setattr(pins_trial, "GONE_S", 0.5)
    box.reception.try_pins(True)
    assert box._lit == LOBBY
    soon(lambda: not box._pins_trial.on)
    assert box._lit is None  # the next turn shows the lobby
    box.reception.try_pins(True)
    box.standing = Standing(Place.MATCH, wanted=Wanted(Seating("draw-game")))
    opened: list[object] = []
    monkeypatch.setattr("device.service.host.BoxMatch", lambda *told: opened.append(told) or _Nobody())
    box._open(cast("Any", None))
    assert opened
    assert not box._pins_trial.on
    assert box.reception.try_pins(True) == BUSY


class _Nobody:
    """A match that is over at once."""

    running = None

    def run(self) -> None:
        """Nothing."""


def test_without_pins_there_is_nothing_to_try(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And pins that cannot be had say why."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    bare = Host(Settings(), Front(lambda: cast("Any", None), 8000), tmp_path)
    assert bare.reception.try_pins(True) == NOTHING
    assert cast("Any", bare.reception.pins())["buttons"] == []

    def wire(*_: object) -> None:
        raise ValueError("pin 99 is none")

    monkeypatch.setattr("device.panel.gpio_pins.Wired._wire", wire)
    broken = Host(Settings(pins=WIRED), Front(lambda: cast("Any", None), 8000), tmp_path)
    assert "pin 99 is none" in broken.reception.try_pins(True)
