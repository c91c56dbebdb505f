"""The small display of the table, in a thread of its own: whatever becomes of it, the match goes on."""

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from device.live.desk import Desk
from device.live.thread_channels import Latest
from device.match.match_view import View
from device.panel.oled_face import Entrance, FaceLine, face, picture
from device.panel.oled_settings import OledSettings

TURN_S: Final = 0.5
"""How often it is looked whether the entrance has changed; a match that changes is shown at once."""
AGAIN_S: Final = 10.0
"""How long a display is left alone that did not answer."""


class OledDisplay:
    """A screen of each match that may stay and show the box between them."""

    def __init__(
        self, settings: OledSettings, entrance: Callable[[], Entrance] = Entrance,
        *, stays: bool = False, made: Callable[[OledSettings], Any] | None = None,
    ) -> None:  # fmt: skip
        """It ``stays`` lit after a match where there is a box; ``made`` opens the device, and may fail."""
        self._settings, self._entrance, self._made = settings, entrance, made or opened
        self._stays = stays
        self._views: Latest[View] | None = None
        self._over = threading.Event()
        self.trouble = ""
        """Why nothing is shown, in a sentence; empty while all is well."""
        self._thread = threading.Thread(target=self._run, name="oled", daemon=True)
        self._thread.start()

    def start(self, desk: Desk) -> None:
        """Show this match."""
        self._views = desk.views

    def close(self, timeout_s: float) -> None:
        """The match is over: show the box, or nothing."""
        self._views = None
        if not self._stays:
            self.end(timeout_s)

    def end(self, timeout_s: float) -> None:
        """Go dark."""
        self._over.set()
        self._thread.join(timeout_s)

    def _run(self) -> None:
        while not self._over.is_set():
            device = None
            try:
                device = self._made(self._settings)
                self.trouble = ""
                self._show(device)
            except (
                Exception
            ) as wrong:  # a library that is missing or any error of a wire: neither ends a match
                self._tell(f"The display shows nothing: {str(wrong).rstrip('.')}.")
                self._over.wait(AGAIN_S)
            finally:
                if device is not None:
                    with suppress(Exception):
                        device.cleanup()

    def _show(self, device: Any) -> None:
        shown: tuple[FaceLine, ...] | None = None
        watched: Latest[View] | None = None
        view: View | None = None
        number = 0
        while not self._over.is_set():
            views = self._views
            if views is not watched:
                watched, view, number = views, None, 0
            lines = face(view, self._entrance())
            if lines != shown:
                device.display(picture(lines))
                shown = lines
            if views is None or views.closed:
                self._over.wait(TURN_S)
            else:
                number, fresh = views.get(number, TURN_S)
                view = view if fresh is None else fresh

    def _tell(self, sentence: str) -> None:
        if sentence != self.trouble:
            self.trouble = sentence
            print(f"pipwatch: {sentence}", file=sys.stderr, flush=True)


def opened(settings: OledSettings) -> Any:
    """The real display, through luma.oled."""
    try:
        from luma.core.interface.serial import i2c
        from luma.oled import device
    except ImportError:
        raise OSError("luma.oled is missing: sudo apt install python3-luma.oled") from None
    try:
        bus = i2c(port=settings.port, address=settings.address)
        return getattr(device, settings.chip)(bus, rotate=2 if settings.upside_down else 0)
    except Exception as wrong:  # luma has errors of its own for each way in which a display can be away
        raise OSError(
            f"there is none at address {settings.address:#x} of I²C bus {settings.port} ({wrong}): "
            "check its wires and dtparam=i2c_arm=on"
        ) from wrong
