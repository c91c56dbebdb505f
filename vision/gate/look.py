"""What the gate says of a frame, in plain values."""

from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

Box: TypeAlias = tuple[int, int, int, int]
"""Left, upper, right and lower side in pixels of the camera's picture, the last two left out."""

Polygon: TypeAlias = tuple[tuple[int, int], ...]
"""An outline in pixels of the camera's picture."""


class State(Enum):
    """What a frame shows."""

    STARTING = "starting"
    """There is no settled view yet."""
    SETTLED = "settled"
    """The table is still and free: it may be read."""
    SETTLING = "settling"
    """The table is free, but has not been still for long enough."""
    HAND = "hand"
    """A hand or something else moves over the table."""
    RESTING = "resting"
    """A hand or something else lies over the table and does not move."""
    LIGHT = "light"
    """The light changes, and nothing else does."""
    BUMPED = "bumped"
    """The camera was moved."""
    FROZEN = "frozen"
    """The camera sends the same frame again and again."""
    BLACK = "black"
    """The frame is dark: the lens is covered, or there is no light."""
    TORN = "torn"
    """Part of the frame is missing or in the wrong place."""


@dataclass(frozen=True)
class Look:
    """One frame as the gate sees it."""

    at_s: float
    state: State
    since_s: float
    """When this state began."""
    hidden: tuple[Polygon, ...] = ()
    """What hands or other things cover. It is hidden, not empty."""
    view: int = 0
    """The number of the last settled view; a new number is a table worth reading."""
    changed: tuple[Box, ...] = ()
    """Where that view differs from the one before, as far as light does not explain it."""
    visited: bool = False
    """Whether, since that view, a hand may have been at the table."""

    @property
    def settled(self) -> bool:
        """Whether the table may be read now."""
        return self.state is State.SETTLED
