"""Buttons, lamps and buzzer."""

from dataclasses import fields
from pathlib import Path

from device.health.finding import Finding, absent, fails, ok
from device.panel.gpio_pins import PanelError, Pins, Wired
from device.rights import advice

CHIPS = Path("/dev")
"""Where the chips of the pins are."""


def pins(wanted: Pins) -> Finding:
    """Whether what the settings name can be had."""
    if not wanted.any:
        return absent("pins", "no buttons or lamps are set; the keyboard and the dashboard stand in")
    try:
        Wired(wanted, lambda _name, _closed, _at_s: None).close()
    except PanelError as error:
        return _refused(error)
    return ok("pins", _named(wanted))


def held(wanted: Pins, wrong: PanelError | None) -> Finding | None:
    """What is said of the pins by whoever holds them, since nobody else can try them; None where none are."""
    if not wanted.any:
        return None
    return ok("pins", f"{_named(wanted)}: the box has them") if wrong is None else _refused(wrong)


def _named(wanted: Pins) -> str:
    names = [field.name for field in fields(wanted) if getattr(wanted, field.name) is not None]
    return ", ".join(name.replace("_", " ") for name in names)


def _refused(error: PanelError) -> Finding:
    words = str(error).rstrip(".")
    if "busy" in words.lower():  # the library for pins has no error of its own for it
        return fails(
            "pins", words, "end the other program that has them; the box: sudo systemctl stop pipwatch"
        )
    libraries = "on a Raspberry Pi: sudo apt install python3-gpiozero python3-lgpio"
    return fails("pins", words, advice(CHIPS.glob("gpiochip*")) or libraries)
