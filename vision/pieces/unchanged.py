"""Whether a place looks as it did: what lay there and is not read any more was overlooked, not taken away."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.pieces.patches import Picture
from vision.view import Box

_RIM: Final = 0.14
"""So much of each side of a box is left out: in the corners around a coin lies what is next to it."""
_ALIKE: Final = 0.98
"""Patches that correlate better show the same, if anything is to be seen there at all. In films what lies
still gives 0.997 and more, also under other light, and what was taken away less than 0.7."""
_STRANGE: Final = 0.6
"""No spot may differ by more than this, in shares of the patch's own contrast: 0.4 at most where all lies
still, 1.9 and more where something was taken."""
_PLAIN: Final = 3.0
"""Where the patch has less contrast than this nothing tells the one from the other."""


def looks_as_before(now: Picture, before: Picture, box: Box) -> bool:
    """Whether two pictures of one camera show the same in a box, in whatever light."""
    if now.shape != before.shape:
        return False
    one, other = _patch(now, box), _patch(before, box)
    if not one.size or one.std() < _PLAIN or other.std() < _PLAIN:
        return False
    product = float((one * other).sum())
    if product < _ALIKE * float(np.linalg.norm(one)) * float(np.linalg.norm(other)):
        return False
    lit = product / float((other * other).sum())
    differs = cv2.GaussianBlur(np.abs(one - lit * other).max(axis=2), (0, 0), 1.5)
    return float(differs.max()) <= _STRANGE * float(one.std())


def nothing_came(now: Picture, before: Picture, box: Box) -> bool:
    """Whether a box holds nothing that was put down since: it looks as it did, or is as plain as it was."""
    if now.shape != before.shape:
        return False
    one, other = _patch(now, box), _patch(before, box)
    plain = one.size > 0 and one.std() < _PLAIN and other.std() < _PLAIN
    return bool(plain) or looks_as_before(now, before, box)


def _patch(picture: Picture, box: Box) -> NDArray[np.float32]:
    """What is within a box, less its mean colour; noise is smoothed."""
    wide, high = (round(_RIM * (box[2 + k] - box[k])) for k in (0, 1))
    left, upper = max(0, box[0] + wide), max(0, box[1] + high)
    cut = picture[upper : box[3] - high + 1, left : box[2] - wide + 1].astype(np.float32)
    if not cut.size:
        return cut
    smooth = cv2.GaussianBlur(cut, (0, 0), 1.0)
    return np.asarray(smooth - smooth.mean(axis=(0, 1)), dtype=np.float32)
