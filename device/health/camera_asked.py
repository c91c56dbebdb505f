"""What a camera is asked for in a field report: large pictures, a sweep of its lens, how late it obeys.

The words come from the process that films; a source that has none, such as a film, has no such figures.
"""

import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import Any, Final

from device.health.field_checks import Unmeasured
from device.live.ports import Away, Enlarging, Shot, Source

_LARGE, _LARGE_S = 5, 10.0
"""So many large pictures are asked for, and so long each is waited for."""
_SWEEP_S: Final = 90.0
_SOON_S: Final = 0.05
"""So long a frame is waited for while something else is: short, or it would be timed by that."""
Clock = Callable[[], float]


def large(source: Source | None, clock: Clock = time.monotonic) -> str:
    """How large the large picture is, and how soon it is here once it was asked for."""
    if not isinstance(source, Enlarging):
        raise Unmeasured("no camera that has larger pictures")
    took, size = [], ""
    for _ in range(_LARGE):
        began = clock()
        if not source.ask_large():
            raise Unmeasured("the camera has no larger pictures than those that are watched")
        while not (came := source.came_large()):
            source.next(_SOON_S)
            if clock() - began > _LARGE_S:
                raise Unmeasured(f"none within {_LARGE_S:.0f} s")
        took.append(clock() - began)
        high, wide = came[-1].picture.shape[:2]
        size = f"{wide}×{high}"
    return f"{size}, {1e3 * median(took):.0f} ms, {1e3 * max(took):.0f} ms at most (n = {_LARGE})"


def chosen(source: Source | None) -> str:
    """Which sizes were chosen, and what they need of which memory."""
    words = str(_told(source).get("words", "")).partition("; ")[0]
    if not words:
        raise Unmeasured("no camera that chooses its sizes")
    return words


def sweep(source: Source | None, clock: Clock = time.monotonic) -> str:
    """How long there are no pictures while the lens is swept anew."""
    focus_again = getattr(source, "focus_again", None)
    if source is None or focus_again is None or not focus_again():
        raise Unmeasured("no lens that is swept")
    began, is_swept = clock(), False
    while clock() - began < _SWEEP_S:
        found = source.next(_SOON_S)
        is_swept |= isinstance(found, Away) and found.is_busy
        if is_swept and isinstance(found, Shot):
            return f"{clock() - began:.1f} s"
    raise Unmeasured(f"it did not end within {_SWEEP_S:.0f} s" if is_swept else "it did not begin")


def obeys(source: Source | None) -> str:
    """After how many frames the camera did as it was told: those of its start and of a sweep."""
    told = _told(source).get("late", {})
    found = [f"{name}: {_frames(counts)}" for name, counts in told.items() if counts]
    if not found:
        raise Unmeasured("the camera does not say how its frames were taken")
    return "; ".join(found)


def _frames(counts: Sequence[int]) -> str:
    """Median, least and most; a camera that never did is told beside them."""
    came = [count for count in counts if count > 0]
    never = f"never {len(counts) - len(came)} times" if len(came) < len(counts) else ""
    if not came:
        return never
    words = f"{median(came):.0f} frames ({min(came)} to {max(came)}, n = {len(came)})"
    return f"{words}, {never}" if never else words


def _told(source: Source | None) -> dict[str, Any]:
    """What the camera's process has said of itself."""
    return dict(getattr(source, "told", {}))
