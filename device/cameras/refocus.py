"""When the lens is to be swept again: the mat is no longer as sharp, or as large, as it was then. Pure.

``watch(state, seen)`` is asked of every measurement. Markers are the same print for ever, so only the lens
and its distance tell in them. A position that was found without markers in view was found on anything: the
lens is swept again once they are there.
"""

from dataclasses import dataclass, replace
from enum import Enum

_DROPPED = 0.6
"""Less than this share of the sharpness that was found is a blur of one pixel or more (0.61 to 0.64 there:
one rendered table at 2 sizes, with 3 strengths of noise)."""
_NEARER = 0.1
"""Markers that are larger or smaller by more than this share: the camera hangs at another height."""
_LONGEST_S = 960.0
"""Each sweep in vain doubles the rest until the next one, up to this."""


class Wrong(Enum):
    """Why the lens may be wrong: for how long it must be so, and how long the lens rests after a sweep."""

    UNSURE = (2.0, 10.0)
    """It was swept on anything, and now there are markers; nobody lays them any more."""
    OTHERWISE = (20.0, 60.0)
    """The mat is blurred, or of another size: longer than a sleeve or a hand makes it so."""
    LOST = (20.0, 20.0)
    """It was swept on anything, and there are no markers: they may be too blurred to be seen."""
    BLIND = (60.0, 60.0)
    """The mat is gone, covered or too blurred to be seen."""


@dataclass(frozen=True)
class Sure:
    """The mat when the lens was swept on it."""

    sharp: float
    """How sharp its markers were."""
    side: float
    """How long a marker's side is, as a share of the picture's width."""


@dataclass(frozen=True)
class MatSeen:
    """The mat in one picture."""

    at_s: float
    sharp: float
    """How sharp it is where markers are, or were seen last."""
    side: float | None
    """As ``Sure.side``; None where no markers are in view."""


@dataclass(frozen=True)
class Refocus:
    """What the lens was swept on, and since when that has been otherwise."""

    sure: Sure | None = None
    wrong: Wrong | None = None
    since_s: float = 0.0
    swept_s: float = float("-inf")
    """When the last sweep ended."""
    in_vain: int = 0
    """How many found no mat since one did."""


def watch(state: Refocus, seen: MatSeen) -> tuple[Refocus, bool]:
    """The next state, and whether the lens is to be swept now."""
    wrong = _wrong(state.sure, seen)
    if wrong is not state.wrong:
        state = replace(state, wrong=wrong, since_s=seen.at_s)
    if wrong is None:
        return state, False
    needs_s, rests_s = wrong.value
    rests_s = min(rests_s * 2 ** max(0, state.in_vain - 1), _LONGEST_S)
    return state, seen.at_s - state.since_s >= needs_s and seen.at_s - state.swept_s >= rests_s


def swept(state: Refocus, found: Sure | None, now_s: float) -> Refocus:
    """After a sweep that ended on the mat, or found none: what was sure stays so."""
    if found is not None:
        return Refocus(found, swept_s=now_s)
    return Refocus(state.sure, swept_s=now_s, in_vain=state.in_vain + 1)


def _wrong(sure: Sure | None, seen: MatSeen) -> Wrong | None:
    if sure is None:
        return Wrong.LOST if seen.side is None else Wrong.UNSURE
    larger = 1.0 if seen.side is None else seen.side / sure.side
    if seen.sharp >= _DROPPED * sure.sharp and abs(larger - 1) <= _NEARER:
        return None
    return Wrong.BLIND if seen.side is None else Wrong.OTHERWISE
