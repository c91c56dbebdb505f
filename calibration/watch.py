"""The drift watch: a small machine that says, frame by frame, whether the table is where it was.

It sees no pixels. Each frame is a `Sign`; the machine answers with the next `Watch`. Only while a watch is
``trusted`` may anybody turn pixels into millimetres.
"""

from dataclasses import dataclass, replace
from enum import Enum

PATIENCE_S = 0.8
"""How long a doubt may last before the table is called lost: noticing may take a second in all."""
_STRIKES = 2
_CALM_FRAMES = 3
_CALM_S = 0.25
ENOUGH_MARKERS = 3


class TableState(Enum):
    """What is known about the table now."""

    STEADY = "steady"
    """It is where it was."""
    COVERED = "covered"
    """Too little can be seen to be sure; nothing speaks for a move."""
    MOVING = "moving"
    """The camera moved, or is moving; its new pose has not settled."""
    LOST = "table lost"
    """Help is needed; the reason says which."""


class MarkerLook(Enum):
    """What one frame shows."""

    IN_PLACE = "in place"
    MOVED = "moved"
    """The markers agree on another pose."""
    PUZZLING = "puzzling"
    """The markers disagree with one another."""
    BLIND = "blind"
    """Too few markers can be seen to notice a small move."""
    WRONG_SIZE = "wrong size"


@dataclass(frozen=True)
class Sign:
    """What one frame shows, as far as the machine cares."""

    at_s: float
    look: MarkerLook
    agreeing: int = 0
    """How many markers speak for the pose."""
    calm: bool = False
    """Whether this frame's pose is the one of the frame before."""
    detail: str = ""
    """A sentence for the reason, should the table be lost over this."""


@dataclass(frozen=True)
class Watch:
    """The machine's state. ``reason`` is empty where there is nothing to say."""

    state: TableState = TableState.STEADY
    since_s: float = 0.0
    reason: str = ""
    doubts: int = 0
    calm_frames: int = 0
    calm_since_s: float = 0.0

    @property
    def trusted(self) -> bool:
        """Whether pixels may be turned into millimetres by the pose held now."""
        return self.state is TableState.STEADY and self.doubts == 0


def step(watch: Watch, sign: Sign) -> Watch:
    """The machine's next state."""
    if sign.look is MarkerLook.WRONG_SIZE:
        return _enter(watch, TableState.LOST, sign, sign.detail)
    if sign.look is MarkerLook.IN_PLACE:
        return _enter(watch, TableState.STEADY, sign, "")
    if sign.look is MarkerLook.BLIND:
        return _blind(watch, sign)
    return _away(watch, sign)


def regained(before: Watch, after: Watch) -> bool:
    """Whether this step settled on a new pose, which the follower should now hold."""
    return (
        after.state is TableState.STEADY and after.calm_frames > 0 and before.state is not TableState.STEADY
    )


def _blind(watch: Watch, sign: Sign) -> Watch:
    calm = replace(watch, calm_frames=0)
    if watch.state in (TableState.STEADY, TableState.COVERED) and not watch.doubts:
        covered = _enter(calm, TableState.COVERED, sign, sign.detail)
        return _lost_in_time(covered, sign)
    if watch.state is TableState.STEADY:
        return _enter(calm, TableState.MOVING, sign, sign.detail)
    return _lost_in_time(calm, sign)


def _away(watch: Watch, sign: Sign) -> Watch:
    if watch.state is TableState.STEADY and watch.doubts + 1 < _STRIKES:
        # One frame may be damaged; it is not trusted, but no alarm either.
        return replace(watch, doubts=watch.doubts + 1, calm_frames=0)
    moving = watch
    if watch.state in (TableState.STEADY, TableState.COVERED):
        moving = _enter(watch, TableState.MOVING, sign, sign.detail)
    if sign.look is MarkerLook.MOVED and sign.agreeing >= ENOUGH_MARKERS:
        return _settling(moving, sign)
    return _lost_in_time(replace(moving, calm_frames=0), sign)


def _settling(watch: Watch, sign: Sign) -> Watch:
    first = not sign.calm or watch.calm_frames == 0
    frames = 1 if first else watch.calm_frames + 1
    since = sign.at_s if first else watch.calm_since_s
    calm = replace(watch, calm_frames=frames, calm_since_s=since, reason=sign.detail)
    if frames >= _CALM_FRAMES and sign.at_s - since >= _CALM_S:
        return replace(calm, state=TableState.STEADY, since_s=sign.at_s, reason="", doubts=0)
    return calm


def _lost_in_time(watch: Watch, sign: Sign) -> Watch:
    if watch.state is TableState.LOST:
        return replace(watch, reason=sign.detail)
    if sign.at_s - watch.since_s >= PATIENCE_S:
        return _enter(watch, TableState.LOST, sign, sign.detail)
    return replace(watch, reason=sign.detail)


def _enter(watch: Watch, state: TableState, sign: Sign, reason: str) -> Watch:
    since = watch.since_s if watch.state is state else sign.at_s
    return Watch(state=state, since_s=since, reason=reason)
