"""What is said of a frame and of the table, in plain values."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from vision.view.shrink import Picture

Box: TypeAlias = tuple[int, int, int, int]
"""Left, upper, right and lower side in pixels of the camera's picture, the last two left out."""

Polygon: TypeAlias = tuple[tuple[int, int], ...]
"""An outline in pixels of the camera's picture."""


class FrameState(Enum):
    """What a frame shows."""

    STARTING = "starting"  # there is no settled view yet
    SETTLED = "settled"  # the table is still and free: it may be read
    SETTLING = "settling"  # the table is free, but has not been still for long enough
    HAND = "hand"  # a hand or something else moves over the table
    RESTING = "resting"  # a hand or something else lies over the table and does not move
    LIGHT = "light"  # the light changes, and nothing else does
    BUMPED = "bumped"  # the camera was moved
    FROZEN = "frozen"  # the camera sends the same frame again and again
    BLACK = "black"  # the frame is dark: the lens is covered, or there is no light
    TORN = "torn"  # part of the frame is missing or in the wrong place


@dataclass(frozen=True, slots=True)
class SeenArm:
    """An arm over the table, and the players whose it may be."""

    players: frozenset[int]
    outline: Polygon


@dataclass(frozen=True)
class Look:
    """One frame as it is seen."""

    at_s: float
    state: FrameState
    since_s: float  # when this state began
    hidden: tuple[Polygon, ...] = ()  # what hands or other things cover: it is hidden, not empty
    view: int = 0  # the number of the last settled view; a new number is a table worth reading
    changed: tuple[Box, ...] = ()
    """Where that view differs from the one before, as far as light does not explain it."""
    visited: bool = False  # whether, since that view, a hand may have been at the table
    arms: tuple[SeenArm, ...] = ()  # those over the table, if a hand is
    anew: bool = False
    """Whether pictures have another size from this one on, and nothing before it can be compared."""

    @property
    def settled(self) -> bool:
        """Whether the table may be read now."""
        return self.state is FrameState.SETTLED

    @property
    def hand(self) -> bool:
        """Whether a hand is over the table."""
        return self.state in (FrameState.HAND, FrameState.RESTING)

    @property
    def blind(self) -> bool:
        """Whether something is wrong with the camera, so that it sees nothing of the table."""
        return self.state in (FrameState.BUMPED, FrameState.FROZEN, FrameState.BLACK, FrameState.TORN)


@dataclass(frozen=True, eq=False)
class TableView:
    """The table as it can be read: each place as the newest picture shows it that has no hand there."""

    picture: Picture
    at_s: float = 0.0
    view: int = 0  # the number of the last settled view
    part: int = 0
    """What this is the number of among pictures between hands; 0: the table is settled, all of it fresh."""
    changed: tuple[Box, ...] = ()  # where it looks otherwise than the picture before it
    there: frozenset[int] = frozenset()  # whose hands are over the table meanwhile
    whole: bool = True  # whether all that was done by those who have gone is in view
    shared: bool = False  # whether somebody who is still there may have done what it shows

    @property
    def settled(self) -> bool:
        """Whether nobody was there, and all of it was seen at once."""
        return not self.part

    @property
    def number(self) -> int:
        """What tells it from every other one; a settled table is the same however often it is read."""
        return -self.part or self.view
