"""What the box that runs on this machine holds for itself: nobody else tries that, and it is said."""

from collections.abc import Mapping
from typing import Any, Final

from device.health.checkup import NONE_HELD, Held
from device.health.field_machine import ThisMachine
from device.health.finding import Finding, absent, ok

_STOP: Final = "to try them from here: sudo systemctl stop pipwatch"
_SILENT: Final = "pipwatch.service runs and has it, but does not answer"
_WHY: Final = "sudo journalctl -u pipwatch says what it does; sudo systemctl restart pipwatch starts it anew"


def held_by_box(box: Mapping[str, Any], this: ThisMachine | None = None) -> Held:
    """What is said of camera and pins in place of trying them.

    ``box`` is its health, empty where none answers; a service that hangs has them as well.
    """
    if box:
        return Held(_camera_of(box), absent("pins", "the box that runs here has them", _STOP))
    if (this or ThisMachine()).service_runs():
        return Held(absent("camera", _SILENT, _WHY), absent("pins", _SILENT.replace(" it,", " them,"), _WHY))
    return NONE_HELD


def _camera_of(box: Mapping[str, Any]) -> Finding:
    """What the box that runs here says of its camera."""
    told = box.get("camera")
    state = str(told.get("state", "")) if isinstance(told, dict) else ""
    more = str(told.get("words") or "") if isinstance(told, dict) else ""
    words = f"the box that runs here has it; it is {state or 'none'}{f': {more}' if more else ''}"
    return ok("camera", words) if state == "ok" else absent("camera", words, _STOP)
