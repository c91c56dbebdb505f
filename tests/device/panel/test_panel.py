"""Lamps, buzzer, keyboard and settings, on gpiozero's mock pins."""

import queue
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import gpiozero
import pytest
from gpiozero.pins.mock import MockFactory, MockPWMPin

from calibration.camera_errors import BadProfileFile
from device.live.messages import Heard, Message
from device.live.panel import Panel
from device.match.lamp_signs import SIGNS, Lamps, Tune
from device.match.phase import Phase
from device.match.signals import Kind, Told
from device.panel import press_meaning
from device.panel.gpio_pins import BUTTONS, PanelError, Pins, Wired
from device.panel.keyboard import signal_of
from device.panel.show import Show
from device.panel.wish import Wish
from device.settings import Settings, load

PINS = Pins(
    confirm_a=5, confirm_b=6, undo=13, pause=19, as_it_is=20, green=17, amber=27, red=22,
    buzzer=18, speaker=12,
)  # fmt: skip


@pytest.fixture
def factory() -> Iterator[MockFactory]:
    """Mock pins in place of real ones."""
    before = gpiozero.Device.pin_factory
    gpiozero.Device.pin_factory = made = MockFactory(pin_class=MockPWMPin)
    yield made
    made.reset()
    gpiozero.Device.pin_factory = before


def test_each_button_reports_its_edges_by_name(factory: MockFactory) -> None:
    """Pressing connects the pin with ground; both edges are heard, in order, with their times."""
    heard: list[tuple[str, bool, float]] = []
    wired = Wired(PINS, lambda *edge: heard.append(edge))
    for name in BUTTONS:
        pin = factory.pin(getattr(PINS, name))
        pin.drive_low()
        pin.drive_high()
    wired.close()
    assert [edge[:2] for edge in heard] == [(name, closed) for name in BUTTONS for closed in (True, False)]
    assert [edge[2] for edge in heard] == sorted(edge[2] for edge in heard)


def test_lamps_and_sounds_reach_their_pins(factory: MockFactory) -> None:
    """Each lamp burns on its own pin; the buzzer sounds and stops; closing leaves all dark."""
    wired = Wired(PINS, lambda *_: None)
    wired.light(True, False, True)
    lit = [factory.pin(pin).state for pin in (PINS.green, PINS.amber, PINS.red)]
    assert [bool(state) for state in lit] == [True, False, True]
    for hz in (40, 880, 9000):  # what the speaker cannot play is played as near as it can
        wired.sound(hz)
        assert factory.pin(PINS.buzzer).state
        assert factory.pin(PINS.speaker).state
    wired.sound(None)
    assert not factory.pin(PINS.buzzer).state
    wired.close()
    assert not factory.pin(PINS.green).state


@pytest.mark.usefixtures("factory")
def test_a_panel_with_nothing_wired_does_nothing() -> None:
    """Lamps that are not there are no error."""
    wired = Wired(Pins(), lambda *_: None)
    wired.light(True, True, True)
    wired.sound(440)
    wired.close()
    assert not Pins().any
    assert PINS.any


@pytest.mark.usefixtures("factory")
def test_pins_that_cannot_be_used_are_told_in_a_sentence() -> None:
    """A pin in use elsewhere ends in a sentence, and what was opened is let go."""
    taken = gpiozero.LED(22)
    with pytest.raises(PanelError, match="The pins cannot be used"):
        Wired(PINS, lambda *_: None)
    taken.close()
    Wired(PINS, lambda *_: None).close()


def test_a_machine_without_pins_says_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    """gpiozero is there, and no library that reaches pins: its own five warnings are not for people."""

    def none() -> None:
        for _ in range(5):
            warnings.warn("Falling back from lgpio", gpiozero.PinFactoryFallback, stacklevel=1)
        raise gpiozero.BadPinFactory("Unable to load any default pin factory!")

    monkeypatch.setattr(gpiozero.Device, "_default_pin_factory", staticmethod(none))
    monkeypatch.setattr(gpiozero.Device, "pin_factory", None)
    with warnings.catch_warnings(record=True) as told, pytest.raises(PanelError, match="python3-lgpio"):
        Wired(PINS, lambda *_: None)
    assert not told


def test_presses_are_told_by_their_own_times_however_late_the_panel_gets_to_them(
    factory: MockFactory,
) -> None:
    """While the panel is kept busy a button chatters, is let go, and a spark follows: that is one press."""
    busy, free, done = threading.Event(), threading.Event(), threading.Event()
    presses: list[Kind] = []

    def say(message: Message) -> None:
        assert isinstance(message, Heard)
        presses.append(message.signal.kind)
        if message.signal.kind is Kind.PAUSE:
            busy.set()
            free.wait(20)
        elif message.signal.kind is Kind.CONFIRM:
            done.set()

    panel = Panel(PINS, (), say)
    factory.pin(PINS.pause).drive_low()
    assert busy.wait(20)
    began = time.monotonic() - 1
    for after, closed in [(0, True), (1, False), (2, True), (3, False), (4, True), (100, False),
                          (200, True), (201, False)]:  # fmt: skip
        panel._said.put(("pins", "undo", closed, began + after / 1000))
    panel._said.put(("pins", "confirm_a", True, began + 0.3))
    free.set()
    assert done.wait(20)
    panel.close(20)
    assert presses == [Kind.PAUSE, Kind.UNDO, Kind.CONFIRM]


@pytest.mark.parametrize("phase", Phase)
def test_a_show_is_its_sign(phase: Phase) -> None:
    """Over a second the lamps follow their rhythm, and the buzzer its beats, told in advance each time."""
    sign = SIGNS[phase]
    show, at = Show(sign.lamps, sign.tune, 10.0), 10.0
    changes = [(at, show.lit(at), show.sounds(at))]
    while (later := show.next(at)) is not None and later < 13.0:
        at = later
        changes.append((at, show.lit(at), show.sounds(at)))
    for k in range(2999):
        moment = 10.0 + k / 1000 + 0.0005
        told = [change for change in changes if change[0] <= moment][-1]
        assert told[1:] == (show.lit(moment), show.sounds(moment))
    sounded = sum(show.sounds(10 + k / 1000 + 0.0005) for k in range(3000)) / 1000
    assert sounded == pytest.approx(sum(on for on, _ in sign.tune.parts()), abs=0.003)


def test_a_steady_lamp_needs_no_clock() -> None:
    """Where nothing blinks and nothing sounds, nothing is due."""
    assert Show(Lamps(green="########"), None, 0.0).next(5.0) is None
    assert not Show(Lamps(), Tune(".", 440), 5.0).sounds(4.0)


@pytest.mark.parametrize(
    ("line", "signal"),
    [
        ("a", Told(Kind.CONFIRM, number=1)),
        ("B ", Told(Kind.CONFIRM, number=2)),
        ("u", Told(Kind.UNDO)),
        ("2", Told(Kind.CHOOSE, number=1)),
        ("misread", Told(Kind.MISREAD)),
        ("1: take 4", Told(Kind.TYPED, "1: take 4")),
        ("correct 3: 1: take 2", Told(Kind.TYPED, "correct 3: 1: take 2")),
        ("  ", None),
    ],
)
def test_the_keyboard_stands_in_for_the_buttons(line: str, signal: Told | None) -> None:
    """A letter is a button, a number a choice, anything else a move."""
    assert signal_of(line) == signal


def test_settings_come_from_one_file_and_errors_name_the_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not set is as shipped; what is misspelt or impossible is refused in a sentence."""
    monkeypatch.setenv("PIPWATCH_CONFIG", str(tmp_path / "none.toml"))
    assert load() == Settings()
    file = tmp_path / "config.toml"
    file.write_text('[manners]\nconfirm = "button"\n[pins]\ngreen = 17\n[sound]\nquiet = ["hands"]\n')
    found = load(file)
    assert (found.manners.confirm, found.pins.green, found.sound.quiet) == ("button", 17, ("hands",))
    for text, sentence in (
        ("[pins]\ngren = 17\n", "the nearest is 'green'"),
        ("[pins]\ngreen = 17\nred = 17\n", "wired to the same pin"),
        ("[pins]\ngreen = 99\n", "from 0 to 27"),
        ('[manners]\nconfirm = "never"\n', "should be one of"),
        ("[manners]\ncalm_s = -1.0\n", "between 0 and 60"),
        ('[sound]\nquiet = ["hand"]\n', "'hand' is none of them"),
        ("[", "is not TOML"),
    ):
        file.write_text(text)
        with pytest.raises(BadProfileFile, match=sentence):
            load(file)


def test_a_button_that_is_held_is_shown_asks_once_and_is_no_press(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The lamps say that it is held; the box is asked once, the match hears nothing of it."""
    monkeypatch.setattr(press_meaning, "SHUTDOWN_S", 0.3)
    monkeypatch.setattr(press_meaning, "HINT_S", 0.1)
    said: list[Message] = []
    wished: queue.SimpleQueue[Wish] = queue.SimpleQueue()
    panel = Panel(PINS, (), said.append, wished.put)
    try:
        factory.pin(PINS.pause).drive_low()
        for lamp in (PINS.amber, PINS.red):  # in turn while it is held
            wait_for(lambda lamp=lamp: factory.pin(lamp).state == 1)
        assert wished.get(timeout=20) is Wish.SHUTDOWN
        wait_for(lambda: factory.pin(PINS.green).state == 1)  # all lamps: it goes off
        factory.pin(PINS.pause).drive_high()
        time.sleep(0.1)
        assert wished.empty()
    finally:
        panel.close(5)
    assert said == []


def test_what_could_not_be_granted_is_told(
    factory: MockFactory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Asked without a stick, the box says the sentence on its log, and the panel goes on."""
    monkeypatch.setattr(press_meaning, "BACKUP_S", 0.05)
    said: list[Message] = []

    def grant(_: Wish) -> None:
        raise OSError("There is no USB stick.")

    panel = Panel(PINS, (), said.append, grant)
    try:
        factory.pin(20).drive_low()
        told = ""
        while "There is no USB stick." not in told:
            time.sleep(0.01)
            told += capsys.readouterr().err
        factory.pin(20).drive_high()
        factory.pin(PINS.undo).drive_low()
        wait_for(lambda: bool(said))
    finally:
        panel.close(5)
    assert said == [Heard(Told(Kind.UNDO))]


def wait_for(come: Callable[[], bool]) -> None:
    """Until it has come; the test's own time limit is the only other end."""
    while not come():
        time.sleep(0.005)
