"""What would make a photo of a map easier to read, where much of it is doubtful."""

import cv2
import numpy as np

from vision.sheet_cells import Floats, Picture

MANY = 4
"""As many doubtful squares as this, and another photo is less work than looking at them."""
_SMALL_PX = 45
_DARK = 100
"""The light of the paper, of 255."""


def advice(corners: Floats, flat: Picture, doubts: int) -> str:
    """One sentence, or nothing where few squares are doubtful.

    ``corners`` are those of the squares in the photo (6×8×2 px), ``flat`` is the map from straight above.
    """
    if doubts < MANY:
        return ""
    side = float(np.median(np.linalg.norm(np.diff(corners, axis=1), axis=2)))
    if side < _SMALL_PX:
        words = f"The squares are only {side:.0f} pixels wide"
        return f"{words}: take the photo from nearer, so that the map fills it."
    paper = float(np.percentile(cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY), 80))
    if paper < _DARK:
        return "The paper is dark in this photo: take it in more light."
    return "Many squares are doubtful: take the photo again, sharp, from straight above and in even light."
