"""Tunes through a sound card, such as an I²S amplifier on the pins: each is made whole, and ALSA plays it.

``aplay`` plays beside us, so that a card that hangs holds up neither lamps nor buttons.
"""

import math
import shutil
import subprocess
import sys
import tempfile
import wave
from array import array
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, Final

from device.match.lamp_signs import Tune
from device.panel.gpio_pins import PanelError

RATE_HZ: Final = 22050
LOUD: Final = 0.5
"""Of the loudest that can be written: a small speaker rattles above."""
_FADE_S: Final = 0.005
"""Each beat begins and ends softly, or the speaker would click."""
_LAST_S: Final = 0.3

Player = Callable[[list[str], IO[bytes]], Any]


class SoundCard:
    """Plays one tune at a time: a newer one ends the one before."""

    def __init__(self, card: str, play: Player | None = None) -> None:
        """``card`` is one that `aplay -l` lists; ``play`` starts a program and returns it."""
        if play is None and shutil.which("aplay") is None:
            raise PanelError("aplay is missing: sudo apt install alsa-utils.")
        self._command = ["aplay", "-q", "-D", f"plughw:CARD={card}", "-"]
        self._card, self._play = card, play or _aplay
        self._playing: Any = None
        self.problem = ""
        """Why nothing was heard the last time, in a sentence."""

    def play(self, tune: Tune) -> None:
        """Begin to play; nobody waits for it."""
        self.close()
        with tempfile.TemporaryFile() as file:
            write_wave(tune, file)
            file.seek(0)
            with suppress(OSError):
                self._playing = self._play(self._command, file)

    def close(self) -> None:
        """Silence."""
        playing, self._playing = self._playing, None
        if playing is None:
            return
        if playing.poll() is None:
            playing.terminate()
            with suppress(subprocess.TimeoutExpired):
                playing.wait(_LAST_S)
        elif not playing.returncode:
            self.problem = ""
        elif not self.problem:
            self.problem = f"The sound card {self._card} cannot play; aplay -l lists those there are."
            print(f"pipwatch: {self.problem}", file=sys.stderr, flush=True)


def write_wave(tune: Tune, file: IO[bytes]) -> None:
    """The tune as a sound file of one voice."""
    sound = array("h")
    for on, off in tune.parts():
        beats = round(on * RATE_HZ)
        for n in range(beats):
            soft = min(1.0, n / RATE_HZ / _FADE_S, (beats - n) / RATE_HZ / _FADE_S)
            sound.append(round(32767 * LOUD * soft * math.sin(2 * math.pi * tune.hz * n / RATE_HZ)))
        sound.extend([0] * round(off * RATE_HZ))
    if sys.byteorder == "big":
        sound.byteswap()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE_HZ)
        out.writeframes(sound.tobytes())


def _aplay(command: list[str], file: IO[bytes]) -> Any:
    return subprocess.Popen(command, stdin=file, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
