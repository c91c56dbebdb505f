"""The thread that holds the match: signals in, orders out."""

import queue
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final, Protocol

from device.live.messages import Ask, Ended, Heard, Message, Position, Stop
from device.live.thread_channels import Latest
from device.match.match import Keep, Match, Order
from device.match.match_view import View, view
from device.match.signals import Kind, Signal, Told
from device.match.transitions import step

_TURN_S: Final = 0.5
"""So long at most a turn of the loop waits for a message."""


class Teller(Protocol):
    """Somebody who is told what became of the game: the terminal, lamps."""

    def tell(self, match: Match, at: float) -> None:
        """The match has changed."""


class Writing(Protocol):
    """Whoever writes the journal, and says KEPT or NOT_KEPT when that is done."""

    def keep(self, order: Keep) -> None:
        """Write these events."""


@dataclass
class Outlets:
    """Where the referee's orders go."""

    views: Latest[View] = field(default_factory=Latest)
    matches: Latest[Match] = field(default_factory=Latest)
    journal: "Writing | None" = None
    positions: "queue.SimpleQueue[Position] | None" = None
    """The eye's, where there is an eye."""
    tellers: Sequence[Teller] = field(default_factory=tuple)


class Referee:
    """Runs a match until it is stopped, or until a recording ends and everything is on the disk."""

    def __init__(
        self, match: Match, outlets: Outlets, *, recorded: bool = False,
        beat: Callable[[], None] | None = None,
    ) -> None:  # fmt: skip
        """``beat`` is called at each turn of the loop, and so at least every half second."""
        self.inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.match = match
        self.wrong = ""
        """Why the eye ended, if anything was wrong."""
        self._outlets = outlets
        self._recorded, self._beat = recorded, beat
        self._at = 0.0
        self._adopt = 0
        self._ended = False
        self._shown: Match | None = None
        self._placed: tuple[bool, bool, int, int, int] | None = None

    def run(self) -> None:
        """Take messages until it is over."""
        self._show()
        while not self._over():
            message = self._next()
            if isinstance(message, Stop):
                break
            self._take(message)
            self._show()
        self._outlets.views.close()

    def hear_out(self) -> None:
        """Take in what the journal still said after the end: what is on the disk is told to be there."""
        with suppress(queue.Empty):
            while True:
                message = self.inbox.get_nowait()
                if isinstance(message, Heard) and message.signal.kind in (Kind.KEPT, Kind.NOT_KEPT):
                    self._take(message)
                    self._show()

    def _over(self) -> bool:
        """Whether a recording has ended and nothing more will come of it."""
        if not (self._ended and self._recorded):
            return False
        if self.match.problem:
            self.wrong = self.match.problem  # nobody is there to make room on the disk
        return self.match.saved or bool(self.match.problem)

    # — taking —

    def _next(self) -> Message | None:
        """The next message, or None when something is due."""
        while True:
            if self._beat is not None:
                self._beat()
            due = None if self._recorded else self.match.due
            with suppress(queue.Empty):
                # Now and then in any case: what a signal handler has put in is then seen on every system.
                wait_s = _TURN_S if due is None else min(_TURN_S, max(0.0, due - self._now()))
                return self.inbox.get(timeout=wait_s)
            if not self._recorded:  # a recording's time stands still while nothing comes
                return None

    def _take(self, message: Message | None) -> None:
        if message is None:
            self._step(Told(Kind.TIME))
        elif isinstance(message, Ask):
            self._at = message.at
            self._step(Told(Kind.TIME))
            self._show()  # before the eye goes on: who plays at a virtual table sees what has become of it
            self._place(message.number)
        elif isinstance(message, Ended):
            self._ended, self.wrong = True, message.wrong
            if self._recorded:
                # A move that still waits for its calm when the film ends has had all the calm there is.
                self._at += self.match.manners.calm_s
                self._step(Told(Kind.TIME))
            else:
                self._step(Told(Kind.LOST, message.wrong or "The camera has ended."))
        elif not isinstance(message, Stop):
            self._at = self._at if message.at is None else message.at
            self._step(message.signal)

    def _step(self, signal: Signal) -> None:
        self.match, orders = step(self.match, signal, self._now())
        self._carry_out(orders)

    def _carry_out(self, orders: Sequence[Order]) -> None:
        for order in orders:
            if isinstance(order, Keep):
                if self._outlets.journal is not None:
                    self._outlets.journal.keep(order)
            else:
                self._adopt += 1

    def _now(self) -> float:
        return self._at if self._recorded else time.monotonic()

    # — showing —

    def _show(self) -> None:
        if self.match is self._shown:
            return
        self._shown = self.match
        self._outlets.matches.put(self.match)
        self._outlets.views.put(view(self.match))
        for teller in self._outlets.tellers:
            teller.tell(self.match, self._now())
        if not self._recorded:
            self._place(0)

    def _place(self, answers: int) -> None:
        """Tell the eye what to hold its scenes against."""
        if self._outlets.positions is None:
            return
        match = self.match
        key = (match.game is not None, match.refused, match.version, self._adopt, match.denied)
        if answers or key != self._placed:
            self._placed = key
            self._outlets.positions.put(
                Position(match.game, match.stood, match.version, self._adopt, match.denied, answers)
            )
