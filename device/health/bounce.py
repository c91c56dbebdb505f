"""How the contacts of real buttons chatter, from the edges that are heard while they are pressed. Pure."""

from collections.abc import Sequence
from typing import Final, TypeAlias

from device.health.field_checks import Unmeasured

Edge: TypeAlias = tuple[str, bool, float]
"""Which button, whether it closed, and when."""
APART_S: Final = 0.1
"""Edges further apart than this belong to another press or release: no chatter known is half as long."""


def bounce(edges: Sequence[Edge]) -> str:
    """For each button how often it was moved, and over how long its contact chattered at most."""
    if not edges:
        raise Unmeasured("no button was pressed during the watch")
    told = []
    for name in dict.fromkeys(name for name, _, _ in edges):
        times = [at for button, _, at in edges if button == name]
        spans = _spans(times)
        longest = 1e3 * max(end - start for start, end, _ in spans)
        most = max(count for _, _, count in spans)
        words = f"{name.replace('_', ' ')}: {longest:.1f} ms at most, {most} edges"
        told.append(f"{words} (n = {len(spans)} presses and releases)")
    return "; ".join(told)


def _spans(times: Sequence[float]) -> list[tuple[float, float, int]]:
    """Begin, end and number of the edges that belong together."""
    spans: list[tuple[float, float, int]] = []
    for at in times:
        if spans and at - spans[-1][1] < APART_S:
            start, _, count = spans[-1]
            spans[-1] = start, at, count + 1
        else:
            spans.append((at, at, 1))
    return spans
