"""What trying the buttons tells: presses, chatter, and what sticks."""

import json
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin
from gpiozero.pins.pi import PiPin

from device.cli import main, pins
from device.health.contacts import reports
from device.panel.debounce import Contact
from device.panel.gpio_pins import Pins, Wired
from tests.device.panel.test_debounce import press

CONFIG = "[pins]\nconfirm_a = 5\nundo = 13\ngreen = 17\nbuzzer = 18\n"


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    """Mock pins in place of real ones."""
    before = gpiozero.Device.pin_factory
    gpiozero.Device.pin_factory = MockFactory(pin_class=MockPWMPin)
    yield gpiozero.Device.pin_factory
    gpiozero.Device.pin_factory.reset()
    gpiozero.Device.pin_factory = before


def test_a_good_button_is_told_with_its_figures() -> None:
    """Twenty presses that bounce are twenty presses, and nothing is wrong."""
    rng, at, edges = random.Random(4), 1.0, []
    for _ in range(20):
        more, at = press(rng, at, 0.1)
        edges += [("undo", closed, moment) for moment, closed in more]
        at += 0.5
    (one,) = reports(["undo"], edges, 0.0, at)
    assert (one.presses, one.wrong) == (20, "")
    assert 0 < one.chatter_ms < 12
    assert one.held_s < 1


def test_a_button_that_sticks_and_one_that_chatters_are_found() -> None:
    """From the first moment on, or once it was pressed; or so long that a press counts twice."""
    always, later, loose, quiet = reports(
        ["confirm_a", "undo", "pause", "confirm_b"],
        [
            ("confirm_a", True, 0.1), ("undo", True, 3.0),
            ("pause", True, 1.0), ("pause", False, 1.05), ("pause", True, 1.07), ("pause", False, 1.2),
        ],
        0.0, 30.0,
    )  # fmt: skip
    assert "reads pressed all the time" in always.wrong
    assert "reads pressed all the time" in later.wrong
    assert "may count twice" in loose.wrong
    assert (quiet.presses, quiet.wrong) == (0, "")


def told_late(pin: Any, closed: bool, seconds: float) -> None:
    """An edge that is told so long after the kernel saw it."""
    pin._change_state(not closed)
    PiPin._call_when_changed(pin, time.monotonic() - seconds, not closed)  # as lgpio's do


def test_an_edge_has_the_time_at_which_it_was_seen(factory: MockFactory) -> None:
    """A machine that is busy tells edges late and all at once: one press stays one, and two stay two."""
    edges: list[tuple[str, bool, float]] = []
    wired = Wired(Pins(undo=13), lambda *edge: edges.append(edge))
    began = time.monotonic()
    for closed, late in ((True, 2.0), (False, 1.9), (True, 1.895), (False, 1.5), (True, 1.0), (False, 0.5)):
        told_late(factory.pin(13), closed, late)
    took = time.monotonic() - began
    wired.close()
    assert [(name, closed) for name, closed, _ in edges] == [("undo", True), ("undo", False)] * 3
    seen = [at - began for *_, at in edges]
    assert seen == pytest.approx([-2.0, -1.9, -1.895, -1.5, -1.0, -0.5], abs=took + 0.01)
    contact, presses = Contact(), 0
    for _, closed, at in edges:
        contact, press = contact.edge(closed, at)
        presses += press
    assert presses == 2


@pytest.mark.parametrize("late", [1e9, -5.0])
def test_an_edge_by_another_clock_counts_as_seen_now(factory: MockFactory, late: float) -> None:
    """Some kernels count from 1970, and some drivers tell nothing at all."""
    edges: list[tuple[str, bool, float]] = []
    wired = Wired(Pins(undo=13), lambda *edge: edges.append(edge))
    told_late(factory.pin(13), True, late)
    wired.close()
    assert edges[0][2] == pytest.approx(time.monotonic(), abs=1.0)


def test_the_command_lights_and_listens(
    factory: MockFactory, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A press in that time is named; exit status 0, and 1 where a button sticks."""
    path = tmp_path / "config.toml"
    path.write_text(CONFIG)

    def push() -> None:
        while not factory.pin(17).state:  # the green lamp burns once all is wired
            time.sleep(0.01)
        factory.pin(13).drive_low()
        time.sleep(0.1)
        factory.pin(13).drive_high()

    thread = threading.Thread(target=push)
    thread.start()
    assert main(["pins", "--config", str(path), "--seconds", "1.5", "--json"]) == 0
    thread.join()
    told = capsys.readouterr()
    presses = {one["name"]: one["presses"] for one in json.loads(told.out)["buttons"]}
    assert presses == {"confirm_a": 0, "undo": 1}
    assert "green lamp, pin 17: it burns now" in told.err
    assert "undo down" in told.err
    sticks = threading.Timer(0.3, lambda: factory.pin(5).drive_low())
    sticks.start()
    assert main(["pins", "--config", str(path), "--seconds", "0.2"]) == 1
    sticks.join()
    [bad] = [line for line in capsys.readouterr().out.splitlines() if line.startswith("✗ confirm a")]
    assert "chatter 0.0 ms" in bad


@pytest.mark.usefixtures("factory")
def test_a_box_that_has_the_pins_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The service holds them as long as it runs: an owner who tries his buttons is told to stop it first."""
    path = tmp_path / "config.toml"
    path.write_text(CONFIG)
    taken = gpiozero.LED(17)
    for health, told in (({"status": "ok"}, "sudo systemctl stop pipwatch first"), ({}, "cannot be used")):
        monkeypatch.setattr(pins, "box_here", lambda _config, health=health: health)
        assert main(["pins", "--config", str(path)]) == 2
        assert told in capsys.readouterr().err
    taken.close()


def test_without_pins_one_sentence_says_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """So does a time that is none."""
    (path := tmp_path / "config.toml").write_text("")
    assert main(["pins", "--config", str(path)]) == 2
    assert "no pins are set" in capsys.readouterr().err
    assert main(["pins", "--seconds", "0"]) == 2
