"""What a match knows of the picture that was read last: where the answers to a question lie in it.

The match itself sees nothing. Who has read the table hands this over with what was read; a match without a
camera has none.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol, TypeAlias

from engine.history import History

Box: TypeAlias = tuple[int, int, int, int]
"""Left, upper, right, lower, in pixels; the last two are outside."""


class ShownTable(Protocol):
    """A picture of the table, of which it is known where its places are."""

    def place(self, before: History, after: History) -> Box | None:
        """The part that shows what differs between two games, or None where nothing of it has a place."""

    def cut(self, box: Box) -> bytes:
        """A part of the picture as a small JPEG."""


@dataclass(frozen=True, eq=False)
class Crop:
    """The part of a picture in which one answer lies."""

    table: ShownTable = field(repr=False)
    box: Box

    @cached_property
    def jpeg(self) -> bytes:
        """The part, cut once however many screens show it."""
        return self.table.cut(self.box)


def around(boxes: Sequence[Box]) -> Box | None:
    """The smallest box that holds them all; None where there is none."""
    if not boxes:
        return None
    left, upper, right, lower = zip(*boxes, strict=True)
    return min(left), min(upper), max(right), max(lower)
