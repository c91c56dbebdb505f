"""Starts the threads of a match and stops them cleanly."""

import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from types import FrameType
from typing import Final, Protocol

from device.journal.store import Journal
from device.live.desk import Desk
from device.live.eye import Eye
from device.live.looking import Looker
from device.live.messages import Stop
from device.live.mishaps import Mishaps
from device.live.panel import panel_of
from device.live.ports import Glimpse, Source
from device.live.referee_thread import Outlets, Referee, Teller
from device.live.thread_channels import Latest
from device.live.writer import Writer
from device.match.match import Match
from device.match.match_view import View
from device.match.signals import Kind, Told
from device.settings import Settings

PATIENCE_S: Final = 1.5
"""How long a stop may take in all, before the process ends anyway; the journal needs milliseconds of it."""
NO_CAMERA: Final = "There is no camera."
"""Why a match is played by hand, unless somebody knows better."""


class Screen(Protocol):
    """Something that shows a match to people and runs in threads of its own."""

    def start(self, desk: Desk) -> None:
        """Begin."""

    def close(self, timeout_s: float) -> None:
        """End."""


class Running:
    """A match with everything around it. ``run`` holds the calling thread, the main one, until the end."""

    def __init__(
        self,
        match: Match,
        journal: Journal,
        *,
        source: Source | None = None,
        eye: Eye | None = None,
        settings: Settings | None = None,
        tellers: Sequence[Teller] = (),
        screens: Sequence[Screen] = (),
        beats: Callable[[], None] | None = None,
        blind: str = NO_CAMERA,
    ) -> None:
        """``beats`` is called at each turn of the referee's loop; ``blind`` says why there is no source."""
        settings = settings or Settings()
        views: Latest[View] = Latest()
        frames: Latest[Glimpse] = Latest()
        self._screens, self._blind = screens, blind
        recorded = source is not None and source.recorded
        outlets = Outlets(views)
        self._referee = Referee(match, outlets, recorded=recorded, beat=beats)
        say = self._referee.inbox.put
        self.panel = panel_of(settings, say)
        outlets.tellers = (*tellers, *([self.panel] if self.panel else []))
        self.writer = outlets.journal = Writer(journal, say)
        self._source, self._looker = source, None
        if source is not None and eye is not None:
            self._looker = Looker(source, eye, say, frames, mishaps=Mishaps(journal.path))
            outlets.positions = self._looker.positions
        self.desk = Desk(say, views, frames, journal.path, outlets.matches)
        self._frames = frames

    def run(self) -> str:
        """Run until somebody stops it, or the recording ends; what was wrong with it, if anything."""
        with _Signals(self):
            looking = None
            if self._looker is not None:
                looking = threading.Thread(target=self._looker.run, name="eye", daemon=True)
                looking.start()
            else:
                self.desk.press(Told(Kind.LOST, self._blind))
            for screen in self._screens:
                screen.start(self.desk)
            try:
                self._referee.run()
            finally:
                self._close(looking)
        return self._referee.wrong

    def stop(self) -> None:
        """End the match; it can be taken up again. Safe from any thread and from a signal handler."""
        self._referee.inbox.put(Stop())

    def _close(self, looking: threading.Thread | None) -> None:
        """The journal first, since it alone matters; then whoever might take long."""
        until = time.monotonic() + PATIENCE_S
        if not self.writer.close(PATIENCE_S):
            print("pipwatch: the journal is still being written", file=sys.stderr)
        self._referee.hear_out()
        self._frames.close()
        looker, self._looker = self._looker, None  # its pictures go with its thread
        if looker is not None:
            looker.stop.set()
        if self.panel is not None:
            self.panel.close(0.5)
        for screen in self._screens:
            screen.close(max(0.1, until - time.monotonic()))
        if self._source is not None:
            with suppress(Exception):  # a camera that cannot even be let go of must not keep us here
                self._source.close()
        if looking is not None:
            looking.join(max(0.1, until - time.monotonic()))


class _Signals:
    """SIGTERM and SIGINT stop the match, as long as this holds; only the main thread can hear them."""

    def __init__(self, running: Running) -> None:
        self._running = running
        self._before: dict[int, object] = {}

    def __enter__(self) -> None:
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGTERM, signal.SIGINT):
                self._before[number] = signal.signal(number, self._heard)

    def __exit__(self, *_: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)  # type: ignore[arg-type]

    def _heard(self, _number: int, _frame: FrameType | None) -> None:
        self._running.stop()
