"""What goes through the referee's inbox, and what the referee tells the eye."""

from dataclasses import dataclass, field
from typing import TypeAlias

from device.match.signals import Signal
from engine.history import History


@dataclass(frozen=True, slots=True)
class Heard:
    """A signal, and when: in the time of the recording where there is one."""

    signal: Signal
    at: float | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """The eye asks for its position, once everything that it said before has been taken in."""

    number: int
    at: float


@dataclass(frozen=True, slots=True)
class Ended:
    """The recording is over, or the eye cannot go on; ``wrong`` says why, if anything is wrong."""

    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Stop:
    """The match is to stop: nothing is lost by it."""


Message: TypeAlias = Heard | Ask | Ended | Stop


@dataclass(frozen=True, slots=True)
class Position:
    """What the eye holds its scenes against."""

    game: History | None = field(repr=False)
    stood: History | None = field(default=None, repr=False)
    """The game if the refused move that lies on the table stood."""
    version: int = 0
    adopt: int = 0
    """How often the players wanted the table to be taken as it is."""
    denied: int = 0
    """How often people said that it was none of what they were asked about."""
    answers: int = 0
    """The number of the last Ask that this answers."""

    @property
    def noted(self) -> int:
        """How many steps follow the refused move that do not count yet."""
        return len(self.stood.steps) - len(self.game.steps) if self.stood and self.game else 0
