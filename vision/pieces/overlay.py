"""A picture with everything that was read drawn in."""

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np

from vision.captions import Box, captions, write
from vision.pieces.patches import Picture
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout
from vision.pieces.sureness import sure

_SURE, _UNSURE = (60, 200, 60), (30, 160, 255)
_ROUND = ("coin", "pawn", "soldier")


def drawn_in(picture: Picture, reading: Readout) -> Picture:
    """A copy with an outline around each piece, green where it is sure, and its value beside it."""
    out = picture.copy()
    scale = max(picture.shape[:2]) / 1000
    line = max(1, round(2 * scale))
    for one in reading.pieces:
        colour = _SURE if sure(one) else _UNSURE
        if one.kind in _ROUND:
            centre = (round(float(one.middle[0])), round(float(one.middle[1])))
            cv2.circle(out, centre, round(one.length / 2), colour, line, cv2.LINE_AA)
        else:
            cv2.polylines(out, [np.round(one.corners).astype(np.int32)], True, colour, line, cv2.LINE_AA)
    boxes = [around(one) for one in reading.pieces]
    shown = [one for one in reading.pieces if short(one)]
    for one, caption in zip(shown, captions(map(short, reading.pieces), boxes, reading.size), strict=True):
        write(out, caption, _SURE if sure(one) else _UNSURE)
    return out


def around(one: Read) -> Box:
    """The box that a piece fills."""
    if one.kind in _ROUND:
        low, high = one.middle - one.length / 2, one.middle + one.length / 2
    else:
        low, high = one.corners.min(axis=0), one.corners.max(axis=0)
    return round(float(low[0])), round(float(low[1])), round(float(high[0])), round(float(high[1]))


def short(one: Read) -> str:
    """What a piece shows, in a few letters."""
    value = one.value or {}
    if one.kind == "domino":
        text = "-".join(map(str, value.get("pips", ()))) or one.face
    elif one.kind == "die":
        text = _on_die(value)
    elif one.kind == "coin":
        text = str(value.get("suit") or value.get("value"))
    else:
        text = str(value.get("suit") or value.get("type") or "")
    return text if sure(one) or not text else text + "?"


def _on_die(value: Mapping[str, Any]) -> str:
    shown = " ".join(str(value[key]) for key in ("suit", "face") if value.get(key))
    return shown + "+" * int(value.get("crosses") or 0)
