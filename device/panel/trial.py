"""What is shown and who hears the buttons while buttons and lamps are tried."""

from collections.abc import Callable
from dataclasses import dataclass

from device.panel.show import Show


@dataclass(frozen=True, slots=True)
class Trial:
    """One step of it; without anybody who hears it is over."""

    show: Show
    heard: Callable[[str, str, bool, float], None] | None = None
    """Told on what, which button, whether it is closed, and when; in the panel's own thread."""
