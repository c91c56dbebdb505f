"""A way from a picture to what lies in it, as a list of steps: each knows a little more than the last."""

import time
from collections.abc import Callable, Sequence
from typing import Generic, NamedTuple, TypeVar

View = TypeVar("View")
"""A picture with all that is known of it so far."""


class Pipeline(NamedTuple, Generic[View]):
    """The steps in their order."""

    find: Sequence[Callable[[View], View]]
    """Where something may lie."""
    read: Sequence[Callable[[View], View]]
    """Each piece by itself."""
    agree: Sequence[Callable[[View], View]]
    """All of them together."""

    def run(self, view: View) -> tuple[View, dict[str, float]]:
        """What is known at the end, and how long (ms) it took to find and to read."""
        ms = {}
        for name, steps in self._asdict().items():
            start = time.perf_counter()
            for step in steps:
                view = step(view)
            ms[name] = 1e3 * (time.perf_counter() - start)
        return view, {name: ms[name] for name in ("find", "read")}
