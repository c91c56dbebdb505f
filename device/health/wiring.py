"""Buttons, lamps and buzzer."""

from dataclasses import fields

from device.health.finding import Finding, absent, fails, ok
from device.panel.pins import PanelError, Pins, Wired


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
    remedy = "on a Raspberry Pi: sudo apt install python3-gpiozero python3-lgpio, sudo usermod -aG gpio $USER"
    return fails("pins", str(error).rstrip("."), remedy)
