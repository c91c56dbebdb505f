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
        remedy = (
            "on a Raspberry Pi: sudo apt install python3-gpiozero python3-lgpio, sudo usermod -aG gpio $USER"
        )
        return fails("pins", str(error).rstrip("."), remedy)
    named = [
        field.name.replace("_", " ") for field in fields(wanted) if getattr(wanted, field.name) is not None
    ]
    return ok("pins", ", ".join(named))
