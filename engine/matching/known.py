"""What a decision knows of the game: the follower, as far as it is asked."""

from collections.abc import Iterator
from typing import Protocol

from engine.book import AnyRuleBook, State
from engine.matching.evidence import Places
from engine.matching.line import Origin
from engine.matching.outcome import Ruled, TakeBack
from engine.scene import Scene


class Known(Protocol):
    """A game as confirmed so far: ``engine.matching.follower.Follower``."""

    @property
    def book(self) -> AnyRuleBook:
        """The rules."""

    @property
    def states(self) -> tuple[State, ...]:
        """The states of the game, the first one first."""

    @property
    def state(self) -> State:
        """The state now."""

    @property
    def told(self) -> tuple[str, ...]:
        """What led from state to state, in notation; what was refused is empty."""

    @property
    def doubts(self) -> tuple[tuple[str, ...], ...]:
        """For each of these what else it may have been, as far as that was written down with it."""

    @property
    def places(self) -> Places:
        """Where pieces without places lay."""

    @property
    def open(self) -> tuple[Ruled, ...]:
        """What may have happened since, as far as that was asked and is not answered."""

    @property
    def accused(self) -> tuple[Ruled, ...]:
        """The answers to that which end with a refused move."""

    @property
    def undone(self) -> TakeBack | None:
        """The taking back that such a question has offered, too."""

    @property
    def still(self) -> bool:
        """Whether one of its answers was that nothing was done."""

    def pasts(self) -> Iterator[Origin]:
        """Other states that look the same now, each with what must then be corrected in the record."""

    def doubted(self) -> Iterator[Origin]:
        """The states as they were if something was misread that was written down with its doubt."""

    def reread(self, scene: Scene, *, sure: bool = False) -> Iterator[Origin]:
        """The states as they were if what was read in doubt, or for sure, was what it shows now."""
