"""Keypad, small display and sound card: there, missing or not allowed, each a sentence with what to do."""

from functools import partial
from pathlib import Path

import pytest

from device.health import extras
from device.health.finding import Finding, Grade
from device.panel.keys import Keys
from device.panel.oled_settings import OledSettings

PAD = Keys("keypad", confirm_a="KEY_KP1")
OLED = OledSettings("ssd1306")
CARDS = """ 0 [vc4hdmi        ]: vc4-hdmi - vc4-hdmi
                      vc4-hdmi
 1 [sndrpihifiberry]: HifiberryDac - snd_rpi_hifiberry_dac
"""


@pytest.fixture
def machine(tmp_path: Path) -> Path:
    """A machine with a USB keypad, an I²C bus and two sound cards."""
    (tmp_path / "sys/class/input/event3/device").mkdir(parents=True)
    (tmp_path / "sys/class/input/event3/device/name").write_text("SIGMACHIP USB Keypad\n")
    for name in ("input/event3", "i2c-1", "snd/pcmC0D0p", "snd/pcmC1D0p"):
        node = tmp_path / "dev" / name
        node.parent.mkdir(parents=True, exist_ok=True)
        node.write_bytes(b"\x40")
    (tmp_path / "proc/asound").mkdir(parents=True)
    (tmp_path / "proc/asound/cards").write_text(CARDS)
    return tmp_path


def nobody(_path: Path, _mode: int) -> bool:
    """Who may do nothing; root may everything, so that it cannot be tried by rights of files."""
    return False


def fine(*_: object) -> None:
    """A bus with a display at each address."""


def silent(*_: object) -> None:
    """A bus without one."""
    raise OSError(121, "Remote I/O error")


def told(finding: Finding, name: str, words: str, remedy: str) -> None:
    """It fails under its name, with these words and this remedy."""
    assert (finding.name, finding.grade) == (name, Grade.FAILS)
    assert words in finding.words
    assert remedy in finding.remedy


def test_what_nobody_has_set_is_no_fault(machine: Path) -> None:
    """Each is an extra."""
    found = [
        extras.keypad(Keys(), machine),
        extras.display(OledSettings(), machine),
        extras.sound("", machine),
    ]
    assert [one.grade for one in found] == [Grade.ABSENT] * 3
    assert [one.name for one in found] == ["keypad", "display", "sound"]


def test_a_keypad_is_there_or_missing_or_not_allowed(machine: Path) -> None:
    """By part of its name; what is there instead is told."""
    assert extras.keypad(PAD, machine).words == "SIGMACHIP USB Keypad"
    missing = extras.keypad(Keys("Zapper", confirm_a="KEY_KP1"), machine)
    told(missing, "keypad", "there are: SIGMACHIP USB Keypad", "pipwatch pins")
    told(extras.keypad(PAD, machine, nobody), "keypad", "may not be read by", "then restart")
    told(extras.keypad(PAD, machine / "away"), "keypad", "there are: none", "plug it in")


def test_a_display_answers_or_is_missing_or_not_allowed(machine: Path) -> None:
    """A bus that is off, a right that lacks, a library that lacks, a wire that is loose: four sentences."""
    looked = partial(extras.display, has_library=True, ioctl=fine)
    assert looked(OLED, machine).words == "ssd1306 at address 0x3c of I²C bus 1"
    off = looked(OledSettings("ssd1306", port=7), machine)
    told(off, "display", "no I²C bus 7", "raspi-config")
    told(looked(OLED, machine, nobody), "display", "may not be used", "then restart")
    told(extras.display(OLED, machine, has_library=False), "display", "luma.oled is missing", "apt install")
    loose = extras.display(OLED, machine, has_library=True, ioctl=silent)
    told(loose, "display", "nothing answers at address 0x3c", "check its wires")


def test_a_sound_card_is_there_or_missing_or_not_allowed(machine: Path) -> None:
    """A card that is not listed, a right that lacks, a player that lacks."""
    assert extras.sound("sndrpihifiberry", machine, has_player=True).grade is Grade.OK
    missing = extras.sound("speaker", machine, has_player=True)
    told(missing, "sound", "there are: vc4hdmi, sndrpihifiberry", "overlay")
    told(extras.sound("vc4hdmi", machine, nobody), "sound", "pcmC0D0p may not be used", "then restart")
    told(extras.sound("vc4hdmi", machine, has_player=False), "sound", "aplay is missing", "alsa-utils")
