"""Tunes through a sound card: what is played, and that nobody waits for it."""

import io
import queue
import subprocess
import sys
import wave
from typing import IO, Any

import numpy as np
import pytest

from device.live.panel import Panel
from device.match.lamp_signs import SIGNS, Lamps, Tune
from device.panel import fittings
from device.panel.gpio_pins import PanelError, Pins
from device.panel.show import Show
from device.panel.sound_card import LOUD, RATE_HZ, SoundCard, write_wave
from device.settings import Settings, Sound


class Playing:
    """A program that plays until it is ended."""

    def __init__(self, returncode: int | None = None) -> None:
        self.returncode = returncode
        self.ended = False

    def poll(self) -> int | None:
        """Whether it has ended, and how."""
        return self.returncode

    def terminate(self) -> None:
        """End it."""
        self.ended = True

    def wait(self, _timeout_s: float) -> int:
        """It ends at once."""
        return 0


@pytest.mark.parametrize("tune", [sign.tune for sign in SIGNS.values()], ids=lambda tune: tune.beats)
def test_a_tune_is_its_beats_at_its_pitch(tune: Tune) -> None:
    """As long as the buzzer's, silent between the beats, at the sign's own pitch, and it never clicks."""
    write_wave(tune, file := io.BytesIO())
    file.seek(0)
    with wave.open(file) as found:
        assert (found.getnchannels(), found.getframerate()) == (1, RATE_HZ)
        sound = np.frombuffer(found.readframes(found.getnframes()), np.int16).astype(float) / 32767
    assert len(sound) / RATE_HZ == pytest.approx(sum(on + off for on, off in tune.parts()), abs=0.001)
    assert np.abs(sound).max() == pytest.approx(LOUD, abs=0.01)
    on, off = tune.parts()[0]
    first = sound[: round(on * RATE_HZ)]
    crossings = np.count_nonzero(np.diff(np.signbit(first)))
    assert crossings / on / 2 == pytest.approx(tune.hz, rel=0.03, abs=1 / on)
    assert not sound[round(on * RATE_HZ) : round((on + off) * RATE_HZ)].any()
    assert abs(sound[0]) < 0.01


def test_a_newer_tune_ends_the_one_before() -> None:
    """One program at a time, told by its card; silence at the end."""
    started: list[tuple[list[str], bytes]] = []
    playing = [Playing(), Playing()]

    def play(command: list[str], file: IO[bytes]) -> Playing:
        started.append((command, file.read(4)))
        return playing[len(started) - 1]

    card = SoundCard("sndrpihifiberry", play)
    card.play(Tune(".", 440))
    card.play(Tune("-", 880))
    assert started == [(["aplay", "-q", "-D", "plughw:CARD=sndrpihifiberry", "-"], b"RIFF")] * 2
    assert [one.ended for one in playing] == [True, False]
    card.close()
    assert playing[1].ended


def test_a_card_that_cannot_play_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    """The match goes on without it."""
    card = SoundCard("nowhere", lambda _command, _file: Playing(1))
    for _ in range(3):
        card.play(Tune(".", 440))
    assert capsys.readouterr().err.count("The sound card nowhere cannot play") == 1


def test_a_card_that_plays_again_has_no_problem(capsys: pytest.CaptureFixture[str]) -> None:
    """As one on a cable that was put in again; what a newer tune cut off says nothing of it."""
    ends = iter((1, None, 0, 1, 1))
    card = SoundCard("loose", lambda _command, _file: Playing(next(ends)))
    told = []
    for _ in range(5):
        card.play(Tune(".", 440))
        told.append(bool(card.problem))
    assert told == [False, True, True, False, True]
    assert capsys.readouterr().err.count("The sound card loose cannot play") == 2


def test_a_program_that_hangs_holds_nobody_up() -> None:
    """A real one that sleeps is ended."""
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    running: list[Any] = []

    def play(_command: list[str], file: IO[bytes]) -> Any:
        running.append(subprocess.Popen(command, stdin=file))
        return running[-1]

    card = SoundCard("x", play)
    card.play(Tune(".", 440))
    card.close()
    assert running[0].wait(20) != 0


def test_without_aplay_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence with what to install."""
    monkeypatch.setattr("shutil.which", lambda _name: None)
    with pytest.raises(PanelError, match="sudo apt install alsa-utils"):
        SoundCard("x")


def test_the_panel_plays_each_tune_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lamp that changes while it plays begins it no second time; a card alone is a panel."""
    played: queue.SimpleQueue[Tune] = queue.SimpleQueue()

    class Card:
        def __init__(self, name: str) -> None:
            assert name == "usb"

        def play(self, tune: Tune) -> None:
            """Write it down."""
            played.put(tune)

        def close(self) -> None:
            """Nothing plays."""

    monkeypatch.setattr(fittings, "SoundCard", Card)
    assert Settings(sound=Sound(card="usb")).has_panel
    panel = Panel(Pins(), (), lambda _: None, card="usb")
    panel._said.put(Show(Lamps(), Tune("-", 440), 1.0))
    assert played.get(timeout=20).hz == 440
    panel.show(Lamps(red="########"))
    panel._said.put(Show(Lamps(), Tune(".", 550), 2.0))
    assert played.get(timeout=20).hz == 550
    panel.close(20)
    assert played.empty()
