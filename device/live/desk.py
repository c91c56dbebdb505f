"""What the world around a match may do with it: see it, speak to it, look at its pictures. Nothing else."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from device.live.messages import Heard, Message
from device.live.ports import Glimpse
from device.live.thread_channels import Latest
from device.match.match import Match
from device.match.match_view import View
from device.match.signals import Told


@dataclass(frozen=True)
class Desk:
    """The desk at which screens and keyboards sit."""

    say: Callable[[Message], None] = field(repr=False)
    views: Latest[View] = field(repr=False)
    frames: Latest[Glimpse] = field(repr=False)
    journal: Path
    """For reading: evidence of earlier rulings."""
    matches: Latest[Match] = field(default_factory=Latest, repr=False)
    """The match itself, for what is worked out only when somebody asks."""

    def press(self, told: Told) -> None:
        """Somebody wants something; what became of it is seen in the next view."""
        self.say(Heard(told))
