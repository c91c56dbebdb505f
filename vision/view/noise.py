"""How much noise each part of the picture has, learned from frame to frame."""

import cv2
import numpy as np

from vision.view.shrink import Light, Small

_CELL_PX = 8
_DOWN, _UP, _MOST_UP = 0.2, 0.02, 2.0
_LEAST = 0.25
_OF_MEAN = 1.2533 / 2**0.5
"""The deviation of one frame's noise for a mean difference of 1 between two frames."""


class Noise:
    """The standard deviation of each pixel's noise, in display values.

    What moves looks like noise, only more: so the estimate goes down fast and up slowly.
    """

    def __init__(self) -> None:
        self._cells: Light | None = None

    def learn(self, frame: Small, before: Small) -> None:
        """Two frames of the same table, or nearly."""
        apart = cv2.absdiff(frame.values, before.values).astype(np.float32)
        size = (max(1, apart.shape[1] // _CELL_PX), max(1, apart.shape[0] // _CELL_PX))
        cells = np.asarray(cv2.resize(apart, size, interpolation=cv2.INTER_AREA)) * np.float32(_OF_MEAN)
        cells = np.maximum(cells, np.float32(_LEAST))
        if self._cells is None:
            self._cells = cells
            return
        step = np.minimum(cells, self._cells * np.float32(_MOST_UP)) - self._cells
        self._cells = self._cells + step * np.where(step < 0, np.float32(_DOWN), np.float32(_UP))

    def of(self, shape: tuple[int, ...]) -> Light:
        """For every pixel of a small picture."""
        if self._cells is None:
            return np.full(shape, _LEAST, dtype=np.float32)
        size = (shape[1], shape[0])
        return np.asarray(cv2.resize(self._cells, size, interpolation=cv2.INTER_LINEAR), dtype=np.float32)
