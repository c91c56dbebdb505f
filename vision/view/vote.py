"""Several still frames that vote: what one frame got wrong, the others outvote."""

from collections import deque

import cv2
import numpy as np

from vision.view.shrink import Light, Picture, Small

VOTERS = 5
_FOLLOWS = 0.1


class Vote:
    """The last still frames of one table."""

    def __init__(self) -> None:
        self._pictures: deque[Picture] = deque(maxlen=VOTERS)
        self.logs: Light | None = None
        """The mean of the small frames."""
        self._since_s = self.lasted_s = 0.0
        """Since when, and for how long, the table has been still."""
        self.frames = 0

    def add(self, picture: Picture, small: Small, at_s: float) -> None:
        """One more still frame."""
        self._pictures.append(picture)
        if self.logs is None:
            self.logs, self._since_s = small.logs.copy(), at_s
        else:
            # The mean at first; later a running one, which follows daylight.
            cv2.accumulateWeighted(small.logs, self.logs, max(1 / (self.frames + 1), _FOLLOWS))
        self.lasted_s = at_s - self._since_s
        self.frames += 1

    def clear(self) -> None:
        """The table moved: what was seen counts no longer."""
        self._pictures.clear()
        self.logs, self.frames, self.lasted_s = None, 0, 0.0

    def picture(self) -> Picture | None:
        """The pixel by pixel median of the last still frames at the camera's size; None without frames."""
        return median(list(self._pictures)) if self._pictures else None


def median(pictures: list[Picture]) -> Picture:
    """The median of one, three or five pictures (of an even number, without the oldest)."""
    pictures = pictures[1 - len(pictures) % 2 :]
    if len(pictures) == 1:
        return pictures[0]
    if len(pictures) == 3:
        return _median3(*pictures)
    a, b, c, d, e = pictures
    # Of five, the least of the greatest two pairs and the greatest of the least two are never the median.
    low = cv2.max(cv2.min(a, b), cv2.min(c, d))
    high = cv2.min(cv2.max(a, b), cv2.max(c, d))
    return _median3(np.asarray(low, np.uint8), np.asarray(high, np.uint8), e)


def _median3(a: Picture, b: Picture, c: Picture) -> Picture:
    return np.asarray(cv2.max(cv2.min(a, b), cv2.min(cv2.max(a, b), c)), dtype=np.uint8)
