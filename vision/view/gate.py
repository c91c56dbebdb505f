"""The gate itself: what a frame shows, given those before it."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.view import bump
from vision.view.compare import Contrast, Mask, View, difference, largest
from vision.view.look import FrameState, Look, Polygon
from vision.view.noise import Noise
from vision.view.parts import Thing, boxes, has_left, hiding, is_limb, is_relit, outlines, things, was_shaded
from vision.view.shrink import Light, Picture, Small, is_black, is_torn, shrunk, working_size
from vision.view.vote import Vote

CALM_S, CALM_FRAMES = 0.35, 4
"""How long, and over how many frames, a free table must be still before it is read."""
_START_S = 0.8
_BLIND_S = 0.35
_STEP_S = 0.075
"""Motion is looked for between frames so far apart: slow hands move little from one to the next."""
_FROZEN_S = 0.6
_RESTS_S = 0.4
_LEFT_S = 1.0
_SHAKEN_S = 1.0
"""What rests so long after a knock, before the table was settled again, is the view gone wrong."""
_ALIGN_S = 0.15
_VEILED_S = 3.0
"""So long hands may hide the markers before the picture alone is asked whether the camera was knocked."""
_MOVES_PX, _NEAR_PX = 14, 7
_MOVES_FRAMES = 3
_JUMP_PER_S, _JUMP_SHARE = 1.0, 0.04
_EVERYWHERE = 0.5
_BOTH_NOISY = np.float32(2**0.5)
_FREE = (FrameState.SETTLED, FrameState.SETTLING, FrameState.STARTING)
_LONG_AGO = -1e9


@dataclass(frozen=True, slots=True)
class _Motion:
    """What moved last, and the frame to which the next one is held."""

    before: Small | None = None
    before_s: float = _LONG_AGO
    exposed: bool = False  # whether the camera's exposure was changed before the next frame
    now: tuple[bool, bool] = (False, False)  # whether something moves, and whether the light jumps
    frames: int = 0  # in a row in which something moves
    moved_s: float = _LONG_AGO


@dataclass(frozen=True, slots=True)
class _Since:
    """What happened since the view was taken."""

    relit: bool = False
    stirs: int = 0  # the frames in which something moved
    shaken: bool = False  # whether the camera was moved
    carried: bool = False  # whether the markers moved
    aligned_s: float = _LONG_AGO  # when the picture was held against the view for that


@dataclass(frozen=True, slots=True)
class _Markers:
    """What was seen of the markers."""

    in_place: bool = False  # whether they lay where they were in the last frame
    veiled_s: float = _LONG_AGO  # when hands began to hide markers that lay where they were


class Gate:
    """Holds the last settled view and judges every frame against it."""

    def __init__(self, size_px: tuple[int, int], region: Polygon | None = None) -> None:
        """A gate for pictures of a size; ``region`` is where the table is, the whole picture if not told."""
        self.size_px = size_px
        columns, rows = working_size(size_px)
        self._scale = (size_px[0] / columns, size_px[1] / rows)
        self._watched: Mask = np.full((rows, columns), 255, dtype=np.uint8)
        if region is not None:
            self._watched[:] = 0
            corners = np.array(region, dtype=np.float64) / self._scale
            cv2.fillPoly(self._watched, [np.round(corners).astype(np.int32)], [255])
        self._vote = Vote()
        self._view: View | None = None
        self._earlier: View | None = None  # the settled view before it, until the camera is moved
        self._known: Mask = np.full((rows, columns), 255, dtype=np.uint8)
        """Where the view shows the table: all of it, unless the camera was moved since."""
        self._noise, self._grey_noise = Noise(), Noise()
        self._last: tuple[Small, float] | None = None  # the last frame that could be judged, and its time
        self._motion, self._since, self._markers = _Motion(), _Since(), _Markers()
        self._look = Look(0.0, FrameState.STARTING, 0.0)

    def see(self, picture: Picture, at_s: float, *, steady: bool | None = None, relit: bool = False) -> Look:
        """Judges the next frame, taken at ``at_s``.

        ``steady`` says whether the table's markers are where they were; None where they cannot tell.
        ``relit`` says that the exposure was changed before it: what looks otherwise then is light.
        """
        small = Small.of(picture)
        if relit:  # against the frame before, all of this one would move
            self._motion = replace(self._motion, before=None, exposed=True)
        found: list[Thing] = []
        state = self._fault(small, at_s)
        if state is None:
            state, found = self._judge(small, at_s, steady)
            self._last = small, at_s
            if state in _FREE:
                self._vote.add(picture, small, at_s)
                state = self._ripe(state)
        if state not in _FREE:
            self._vote.clear()
        elif state is FrameState.SETTLED:
            self._settle(small)
        return self._tell(state, at_s, found)

    def voted(self) -> Picture | None:
        """The table as its last still frames vote it, at the camera's size; None while it is not settled."""
        return self._vote.picture() if self._look.settled else None

    def shows_view(self, picture: Picture) -> bool:
        """Whether a picture of any size, taken while the table was settled, shows it as it is settled."""
        if self._view is None or self._last is None:
            return False
        # By way of the watched size: whatever is made small twice is softer.
        small = Small.of(shrunk(picture, self.size_px))
        if is_black(small.values) or is_torn(small.values, self._last[0].values):
            return False
        # A camera's small picture has half its colours' pixels: edges of colours are softer in it.
        grey, before = small.grey, self._last[0].grey
        frame = View.of(before.logs, self._grey_noise.of(grey.logs.shape) * _BOTH_NOISY)
        return not any(thing.is_thing for thing in things(difference(grey, frame), self._compared))

    def take_as_it_is(self) -> None:
        """Let the next still frames be the settled view, whatever they show."""
        self._view, self._earlier = None, self._view
        self._vote.clear()
        self._look = replace(self._look, visited=True)

    def _tell(self, state: FrameState, at_s: float, found: list[Thing]) -> Look:
        since_s = self._look.since_s if state is self._look.state else at_s
        look = replace(self._look, at_s=at_s, state=state, since_s=since_s)
        hidden = outlines(found, self._watched.shape, self._scale) if look.hand else ()
        self._look = replace(look, hidden=hidden)
        return self._look

    def _fault(self, small: Small, at_s: float) -> FrameState | None:
        """What is wrong with the frame itself."""
        if is_black(small.values):
            return FrameState.BLACK
        if self._last is not None:
            last, last_s = self._last
            if is_torn(small.values, last.values):
                return FrameState.TORN
            if np.array_equal(small.values, last.values):
                # A camera never sends the same picture twice: nothing new was seen, for however long.
                return FrameState.FROZEN if at_s - last_s > _FROZEN_S else self._look.state
            if at_s - last_s > _BLIND_S:
                # Nobody looked for a moment: hands may have been there.
                self._vote.clear()
                self._motion = replace(self._motion, before=None)
                self._look = replace(self._look, visited=True)
        return None

    def _judge(self, small: Small, at_s: float, steady: bool | None) -> tuple[FrameState, list[Thing]]:
        exposed = self._motion.exposed
        motion = self._motion = self._moved(self._motion, small, at_s)
        moves, jumps = motion.now[0], motion.now[1] or exposed
        self._since = replace(self._since, stirs=self._since.stirs + moves)
        veiled = self._are_veiled(steady, at_s)
        if steady is False:
            self._since = replace(self._since, shaken=True, carried=True)
            return FrameState.BUMPED, []
        if self._view is None:
            if moves or jumps:
                self._vote.clear()
            return FrameState.STARTING, []
        seen = difference(small, self._view)
        # Where markers say that nothing moved, a hand in changing light looks like a knock, and is none.
        if (self._since.carried or not (steady or veiled)) and self._bumped(small, seen, at_s):
            return FrameState.BUMPED, []
        self._since = replace(self._since, relit=self._since.relit or seen.relit or jumps)
        found = things(seen, self._compared)
        arms = [arm for thing in found for arm in self._covering(thing, small, at_s)]
        if seen.relit and not self._look.visited and self._since.stirs < _MOVES_FRAMES:
            # Nobody comes without moving: what looks like an arm then is the other light.
            arms = []
        if arms or motion.frames >= _MOVES_FRAMES:
            self._look = replace(self._look, visited=True)
        still_s = at_s - motion.moved_s
        if arms and self._since.shaken and still_s > _SHAKEN_S:
            self.take_as_it_is()
            return FrameState.STARTING, []
        if arms:
            return (FrameState.HAND if still_s < _RESTS_S else FrameState.RESTING), arms
        if moves:
            return FrameState.HAND, [thing for thing in found if thing.is_thing]
        return (FrameState.LIGHT if jumps else FrameState.SETTLING), found

    def _are_veiled(self, steady: bool | None, at_s: float) -> bool:
        """Whether hands hide the markers: if they knocked the camera as well, the markers tell afterwards."""
        veiled_s = self._markers.veiled_s if steady is None else _LONG_AGO
        if steady is None and self._markers.in_place and self._look.state is FrameState.HAND:
            veiled_s = at_s
        self._markers = _Markers(steady is True, veiled_s)
        return at_s - veiled_s < _VEILED_S

    def _moved(self, was: _Motion, small: Small, at_s: float) -> _Motion:
        """What moved since the last frame."""
        if was.before is None:
            return _Motion(small, at_s, moved_s=was.moved_s)
        if at_s - was.before_s >= _STEP_S:
            now = self._motion_between(was.before, small, at_s - was.before_s)
            was = replace(was, before=small, before_s=at_s, now=now)
        frames = was.frames + 1 if was.now[0] else 0
        return replace(was, frames=frames, moved_s=at_s if was.now[0] else was.moved_s)

    def _motion_between(self, one: Small, small: Small, after_s: float) -> tuple[bool, bool]:
        """Whether something moved from one frame to another, and whether the light jumped."""
        self._noise.learn(small, one)
        grey, before = small.grey, one.grey
        self._grey_noise.learn(grey, before)
        step = difference(grey, View.of(before.logs, self._grey_noise.of(grey.logs.shape) * _BOTH_NOISY))
        jumping = float((largest(step.coarse) / after_s > _JUMP_PER_S).mean())
        edges = cv2.bitwise_and(cv2.bitwise_and(step.sharp, step.differs), self._watched)
        # Noise is scattered; what moves has its edges together.
        dense = cv2.boxFilter(edges, cv2.CV_32F, (_NEAR_PX, _NEAR_PX), normalize=False)
        moves = float(dense.max()) >= 255 * _MOVES_PX
        return moves and jumping < _EVERYWHERE, jumping > _JUMP_SHARE

    def _as_view(self, logs: Light) -> View:
        return View.of(logs, self._noise.of(logs.shape))

    def _bumped(self, small: Small, seen: Contrast, at_s: float) -> bool:
        """Whether the camera was moved; the view then follows it."""
        assert self._view is not None  # there is something to compare with
        if at_s - self._since.aligned_s < _ALIGN_S or not bump.looks_moved(seen, self._view.logs):
            return False
        warp = bump.shift(small.logs, self._view.logs)
        self._since = replace(self._since, aligned_s=at_s, shaken=self._since.shaken or warp is not None)
        if warp is None:
            return False
        self._view, self._earlier = self._as_view(bump.moved_view(self._view.logs, warp)), None
        self._known = bump.still_known(self._known, warp)
        return True

    @property
    def _compared(self) -> Mask:
        """Where frames can be held against the view."""
        return np.asarray(cv2.bitwise_and(self._watched, self._known), dtype=np.uint8)

    def _covering(self, thing: Thing, small: Small, at_s: float) -> list[Thing]:
        """What of a thing is a hand, an arm or something else in the way, not a piece that was moved."""
        assert self._view is not None  # there is something to compare with
        still_s = at_s - self._motion.moved_s
        if not thing.is_arm:
            return [thing] if thing.is_large(cv2.countNonZero(self._watched)) and still_s < _RESTS_S else []
        if is_relit(thing, small.logs, self._view.logs):
            return hiding(thing, small.logs, self._view.logs, self._compared)
        if still_s < _LEFT_S:
            return [thing]
        return [] if self._has_left(thing, small) or not is_limb(thing, self._compared) else [thing]

    def _has_left(self, thing: Thing, small: Small) -> bool:
        """Whether what differs is that an arm, or its shadow, was there in the view, and is gone."""
        assert self._view is not None  # there is something to compare with
        if has_left(thing, small.logs, self._view.logs) or was_shaded(thing, small.logs, self._view.logs):
            return True
        # What lay there before the view is seen there again.
        return self._earlier is not None and is_relit(thing, small.logs, self._earlier.logs)

    def _ripe(self, state: FrameState) -> FrameState:
        """Settled, once a free table has been still for long enough."""
        calm_s = _START_S if state is FrameState.STARTING else CALM_S
        ripe = self._vote.frames >= CALM_FRAMES and self._vote.lasted_s >= calm_s - 1e-6
        return FrameState.SETTLED if ripe else state

    def _settle(self, small: Small) -> None:
        """Takes the still frames as the view: as a new one where somebody came, or where it differs."""
        logs = self._vote.logs
        assert logs is not None  # there were still frames
        if self._look.settled and self._view is not None:
            self._view = replace(self._view, logs=logs)
            return
        changes: list[Thing] = []
        if self._view is not None and (self._look.visited or not self._since.relit):
            parts = things(difference(replace(small, logs=logs), self._view), self._compared)
            changes = [thing for thing in parts if thing.is_thing]
        if self._view is None or changes or self._look.visited:
            changed = boxes(changes, self._scale)
            self._look = replace(self._look, view=self._look.view + 1, changed=changed, visited=False)
        self._view, self._earlier = self._as_view(logs.copy()), self._view or self._earlier
        self._known[:] = 255
        self._since = _Since()
