"""A dashboard over a desk that shows what a test puts on it, and remembers what was pressed."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from device.journal.game import began
from device.journal.store import Journal
from device.live.desk import Desk
from device.live.messages import Heard
from device.live.thread_channels import Latest
from device.match.match import Match
from device.match.match_view import view
from device.match.signals import Signal, Told
from device.match.transitions import step
from device.service.pairing import Pairing
from engine.history import History
from web.server import WebScreen


class ShownDesk:
    """A match that only shows: its page, served as in earnest. A block ends it."""

    def __init__(
        self, folder: Path, match: Match, host: str = "127.0.0.1", pairing: Pairing | None = None
    ) -> None:
        self.said: list[Told] = []
        self.journal = folder / "shown.match"
        game = match.game
        assert game is not None
        with Journal(self.journal) as journal:
            if not journal.events:
                journal.append(began(game))
        self.desk = Desk(self._heard, Latest(), Latest(), self.journal)
        self.desk.views.put(view(match))
        self.desk.matches.put(match)
        self.screen = WebScreen(host, 0, pairing)
        self.address = self.screen.address
        self.screen.start(self.desk)
        self._stopped = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self.desk.views.close()
        self.screen.close(3.0)

    def _heard(self, message: object) -> None:
        assert isinstance(message, Heard)
        assert isinstance(message.signal, Told)
        self.take(message.signal)

    def take(self, told: Told) -> None:
        """What was pressed on the page."""
        self.said.append(told)

    def changing(self, made: Callable[[int], dict[str, Any]], every_s: float = 0.1) -> None:
        """Show another view again and again."""

        def turns() -> None:
            number = 0
            while not self._stopped.wait(every_s):
                number += 1
                self.desk.views.put(made(number))

        threading.Thread(target=turns, daemon=True).start()


class HeedingDesk(ShownDesk):
    """A match that heeds what is pressed on its page; what its table shows, the test says."""

    def __init__(self, folder: Path, match: Match) -> None:
        self.match = match
        super().__init__(folder, match)

    def give(self, signal: Signal) -> None:
        """One signal, as the eye or somebody at the page gives it."""
        self.match, _ = step(self.match, signal, 0.0)
        self.desk.views.put(view(self.match))
        self.desk.matches.put(self.match)

    def take(self, told: Told) -> None:
        """The match has heeded it before a test finds that it was said."""
        self.give(told)
        super().take(told)


def played(*lines: str, game: str = "draw-game", seed: int = 8) -> History:
    """A game with a set-up that was drawn, after these lines."""
    history = History.begin(game, seed=seed, players=("Ann", "Bo"))
    for line in lines:
        history = history.fact(line) if line.startswith("see ") else history.move(line)
    return history
