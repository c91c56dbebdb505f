"""What the edges of a button say of its contact: presses, chatter, whether it sticks. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from device.health.bounce import Edge
from device.panel.debounce import OPEN_S, Contact

STUCK_S: Final = 10.0
"""Nobody who tries his buttons holds one down so long."""


@dataclass(frozen=True)
class ContactReport:
    """One button as it was heard."""

    name: str
    presses: int
    edges: int
    chatter_ms: float
    """The longest gap within one chatter."""
    held_s: float
    """How long it was down at the longest."""
    down_since_start: bool
    """Whether it was down from the first moment to the last."""

    @property
    def wrong(self) -> str:
        """What is wrong with it, in a sentence; empty if nothing is."""
        if self.down_since_start or self.held_s >= STUCK_S:
            return "it reads pressed all the time: is it wired to ground, or stuck?"
        if self.chatter_ms / 1e3 >= OPEN_S:
            return f"it chatters for longer than {OPEN_S * 1e3:.0f} ms: one press may count twice"
        return ""


def reports(names: Sequence[str], edges: Sequence[Edge], begin_s: float, end_s: float) -> list[ContactReport]:
    """What was heard of each button from the beginning to the end."""
    return [_report(name, [edge for edge in edges if edge[0] == name], begin_s, end_s) for name in names]


def _report(name: str, edges: Sequence[Edge], begin_s: float, end_s: float) -> ContactReport:
    contact, presses, gap, held = Contact(), 0, 0.0, 0.0
    down_s: float | None = None
    for k, (_, closed, at) in enumerate(edges):
        contact, pressed = contact.edge(closed, at)
        presses += pressed
        if k and closed and at - edges[k - 1][2] < 4 * OPEN_S:
            gap = max(gap, at - edges[k - 1][2])
        if closed:
            down_s = at if down_s is None else down_s
        elif down_s is not None:
            held, down_s = max(held, at - down_s), None
    contact, pressed = contact.time(end_s)
    presses += pressed
    if down_s is not None:
        held = max(held, end_s - down_s)
    always = len(edges) == 1 and edges[0][1] and edges[0][2] - begin_s < 1.0
    return ContactReport(name, presses, len(edges), 1e3 * gap, held, always)
