"""The lens of a camera that focuses by itself: put where the mat is sharp, and held there.

It is swept over the mat's markers. Without any in view it is swept over whatever there is, which holds until
they are; only what was found on the mat is kept for another day.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from device.cameras import focus, refocus
from device.cameras.commanded import LENS_NEAR, Commanded, Metadata
from device.cameras.frames import Picture
from device.cameras.last_told import SensorTold
from device.cameras.matted import Mat
from device.cameras.refocus import MatSeen, Refocus, Sure

_SENT_BACK, _SEND_S, _LATELY_S = 3, 1.0, 10.0
"""So often in so long a time a lens that leaves its place is sent back, and so long each time is waited."""
_NEAREST_DPT = 5.0
"""Nothing nearer than 20 cm is searched. From there the widest lens of a Pi sees 49 × 26 cm, and the smallest
mat has 58 × 39. Drivers tell a reach of 10 to 32 dioptres, and some lenses stop at 15: few looks would fall
where a table is. Over 5 dioptres the last looks are 0.23 apart."""
_MANUAL = 0
"""What libcamera calls autofocus that is off."""
FIXED = "the lens is turned by hand, or fixed"


class HeldLens:
    """One lens."""

    def __init__(self, camera: Commanded, mat: Mat, kept: SensorTold) -> None:
        self._camera, self._mat = camera, mat
        self.moves = "LensPosition" in camera.camera.camera_controls
        """Whether it can be put anywhere."""
        self.words = FIXED
        """Where it is, and why."""
        self.position, self.sure = kept.lens, kept.sure
        """Where it is held, and what the mat looked like when that was found."""
        self._wanted = camera.wanted.focus
        self._watch = Refocus(kept.sure)
        self._there: float | None = None
        """Where it is held, if the camera says where it is."""
        self._sent_s: deque[float] = deque()
        """When it was sent back there lately."""

    def begin(self) -> Iterator[str]:
        """Put it where it was set, or kept, or else where it is sharp; what is being done is told."""
        if not self.moves:
            return
        if self._wanted is not None:
            self._put(self._wanted, "as set")
        elif self.position is not None:
            self._put(self.position, "kept from an earlier sweep")
        else:
            yield from self.sweep()

    def controls(self) -> dict[str, Any]:
        """Where it is told to be from the first frame on."""
        kept = self.position if self._wanted is None else self._wanted
        return {} if kept is None or not self.moves else {"AfMode": _MANUAL, "LensPosition": kept}

    def sweep(self) -> Iterator[str]:
        """Put it where it is sharpest, as far as a table may be in its reach; what is being done is told."""
        if not self.moves or self._wanted is not None:
            return
        self._there = None
        reach = self._camera.camera.camera_controls["LensPosition"]
        least, most = float(reach[0]), float(reach[1])
        sweep = focus.LensSweep.over(least, max(least, min(most, _NEAREST_DPT)))
        seen: list[tuple[float, Picture]] = []
        found = False
        while (position := sweep.position) is not None:
            yield f"it focuses on the mat ({len(seen) + 1} looks)"
            self._send(position)
            picture = self._camera.watched()
            seen.append((position, np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), dtype=np.uint8)))
            came = not found and self._mat.look(picture, self._camera.clock())
            found = found or came
            if came:  # what was measured of anything before is measured of the markers
                measures = tuple((at, self._measure(grey, found=True)) for at, grey in seen[:-1])
                sweep = replace(sweep, seen=measures)
            sweep = focus.step(sweep, self._measure(seen[-1][1], found=found))
        self._end(sweep.best, reach)

    def _measure(self, grey: Picture, *, found: bool) -> float:
        sharp = self._mat.sharp(grey) if found else None
        return focus.sharpness(grey) if sharp is None else sharp

    def _end(self, best: float | None, reach: Any) -> None:
        """Go to where it was sharpest, and see what the mat looks like there."""
        lens = best
        if lens is None:
            usual = reach[2] if reach[2] is not None else reach[0]
            lens = float(usual) if self.position is None else self.position
        self._put(lens, "swept on the mat")
        picture, now = self._camera.watched(), self._camera.clock()
        side = self._mat.side if self._mat.look(picture, now) else None
        sharp = self._mat.sharp(picture) if side is not None and best is not None else None
        sure = None if sharp is None or side is None else Sure(sharp, side)
        self._watch = refocus.swept(self._watch, sure, now)
        if sure is not None:
            self.position, self.sure = lens, sure
        elif self.sure is not None and self.position is not None:
            self._put(self.position, "no markers were in view: the lens stays as swept on the mat before")
        elif best is None:
            self.position = lens
            self._say("nothing there could be focused on: the lens stays", lens)
        else:
            self.position = lens
            self._say("swept without the mat's markers in view, and again once they are", lens)

    def judge(self, picture: Picture, now_s: float) -> bool:
        """Whether it is to be swept again, by a picture that is watched."""
        if not self.moves or self._wanted is not None:
            return False
        sharp, mat = self._mat.sharp(picture), self._mat
        seen = MatSeen(now_s, sharp or 0.0, mat.side if mat.in_view else None)
        self._watch, due = refocus.watch(self._watch, seen)
        if self._watch.wrong is not None:
            mat.doubt(now_s)
        return due

    def is_astray(self, metadata: Metadata) -> bool:
        """Whether it has left its place: it is sent back, and the camera given up if it stays away.

        Some cameras begin to search by themselves, and all of a table is blurred then.
        """
        there = metadata.get("LensPosition")
        if self._there is None or there is None or abs(float(there) - self._there) < LENS_NEAR:
            return False
        now, sent_s = self._camera.clock(), self._sent_s
        while sent_s and now - sent_s[0] > _LATELY_S:
            sent_s.popleft()
        if not sent_s or now - sent_s[-1] >= _SEND_S:
            if len(sent_s) >= _SENT_BACK:
                raise RuntimeError("the lens does not stay where it was put")
            sent_s.append(now)
            self._camera.tell({"AfMode": _MANUAL, "LensPosition": self._there})
        return True

    def _put(self, lens: float, how: str) -> None:
        there = self._send(lens).get("LensPosition")
        self._say(how, lens)
        if there is None:
            self.words += ", and the camera does not say whether the lens obeys"
        elif abs(float(there) - lens) < LENS_NEAR:
            self._there = lens

    def _send(self, lens: float) -> Metadata:
        self._camera.tell({"AfMode": _MANUAL, "LensPosition": lens})
        return self._camera.obeyed(None, lens)

    def _say(self, how: str, lens: float) -> None:
        self.words = f"{how}: {lens:.2f} dioptres"
