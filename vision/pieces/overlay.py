"""A picture with everything that was read drawn in."""

import cv2
import numpy as np

from vision.pieces.patches import Picture
from vision.pieces.read import Read
from vision.pieces.reading import Reading
from vision.pieces.sureness import sure

_SURE, _UNSURE, _DARK = (60, 200, 60), (30, 160, 255), (20, 20, 20)
_ROUND = ("coin", "pawn", "soldier")


def drawn_in(picture: Picture, reading: Reading) -> Picture:
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
        _label(out, one, colour, scale)
    return out


def _label(out: Picture, one: Read, colour: tuple[int, int, int], scale: float) -> None:
    text = short(one)
    if not text:
        return
    size = max(0.35, min(0.011 * one.length, 0.9 * scale))
    thick = max(1, round(1.6 * size))
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
    x, y = round(float(one.middle[0]) - wide / 2), round(float(one.middle[1]) + high / 2)
    cv2.rectangle(out, (x - 2, y - high - 3), (x + wide + 2, y + 4), _DARK, -1)
    cv2.putText(out, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)


def short(one: Read) -> str:
    """What a piece shows, in a few letters."""
    value = one.value or {}
    if one.kind == "domino":
        text = "-".join(map(str, value.get("pips", ()))) or one.face
    elif one.kind == "die":
        text = " ".join(str(value[k]) for k in ("suit", "face") if value.get(k)) + "+" * int(
            value.get("crosses") or 0
        )
    elif one.kind == "coin":
        text = str(value.get("suit") or value.get("value"))
    else:
        text = str(value.get("suit") or value.get("type") or "")
    return text if sure(one) or not text else text + "?"
