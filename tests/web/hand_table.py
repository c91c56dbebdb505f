"""A match that is played by hand, with its page: no camera, no virtual table, only what is tapped."""

import threading
from pathlib import Path
from typing import Self

from device.journal.game import began
from device.journal.store import Journal
from device.live.running import Running
from device.match.acts import taken_up
from device.match.match import Match
from engine.history import History
from web.server import WebScreen


class Watched:
    """Who sees every match."""

    match = Match()

    def tell(self, match: Match, _at: float) -> None:
        """The match has changed."""
        self.match = match


class HandTable:
    """The match in threads of its own. A block ends it."""

    def __init__(self, folder: Path, history: History) -> None:
        blank = History.begin(history.header.game, history.book.profile, players=history.header.players)
        match = Match(blank=blank, by_hand=True, camera=False)
        journal = Journal(folder / "by-hand.match")
        if history.entries or history.first != blank.first:
            match = taken_up(match, history)
            journal.append(began(history))
        self.screen, self.watched = WebScreen("127.0.0.1", 0), Watched()
        self.running = Running(match, journal, tellers=[self.watched], screens=[self.screen], blind="")
        self.thread = threading.Thread(target=self.running.run)
        self.thread.start()

    @property
    def address(self) -> str:
        """Where its page is."""
        return self.screen.address

    @property
    def game(self) -> History:
        """The game as it counts now, or before anything was said."""
        match = self.watched.match
        game = match.game or match.blank
        assert game is not None
        return game

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.running.stop()
        self.thread.join(10)
        assert not self.thread.is_alive()
