"""A picture with everything that was read drawn in."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import cv2
import numpy as np

from vision.pieces.patches import Picture
from vision.pieces.read import Read
from vision.pieces.reading import Reading
from vision.pieces.sureness import sure

_SURE, _UNSURE, _DARK = (60, 200, 60), (30, 160, 255), (20, 20, 20)
Box: TypeAlias = tuple[int, int, int, int]
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
    for label in labels(reading, scale):
        _write(out, label)
    return out


@dataclass(frozen=True)
class Label:
    """A piece's value in a few letters, and the box that they fill: left, top, right, bottom."""

    text: str
    colour: tuple[int, int, int]
    size: float
    box: Box


def labels(reading: Reading, scale: float) -> list[Label]:
    """One for each piece that shows something, where it hides least of pieces and earlier labels."""
    taken = [_around(one) for one in reading.pieces]
    told: list[Label] = []
    for one, own in zip(reading.pieces, list(taken), strict=True):
        if text := short(one):
            size = max(0.35, min(0.011 * one.length, 0.9 * scale))
            (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, _thick(size))
            box = _beside(own, (wide + 4, high + 7), reading.size, taken)
            taken.append(box)
            told.append(Label(text, _SURE if sure(one) else _UNSURE, size, box))
    return told


def _beside(piece: Box, size: tuple[int, int], picture: tuple[int, int], taken: Sequence[Box]) -> Box:
    """A box of this size below, above, right or left of the piece, or on it where all of these hide more."""
    left, top, right, bottom = piece
    x, y = (left + right - size[0]) // 2, (top + bottom - size[1]) // 2
    corners = ((x, bottom + 1), (x, top - size[1] - 1), (right + 1, y), (left - size[0] - 1, y), (x, y))
    boxes = [(cx, cy, cx + size[0], cy + size[1]) for cx, cy in corners]
    whole = (0, 0, *picture)
    area = size[0] * size[1]

    def cost(box: Box) -> int:
        return sum(_shared(box, other) for other in taken) + 3 * (area - _shared(box, whole))

    return min(boxes, key=cost)


def _shared(one: Box, other: Box) -> int:
    wide = min(one[2], other[2]) - max(one[0], other[0])
    high = min(one[3], other[3]) - max(one[1], other[1])
    return max(0, wide) * max(0, high)


def _around(one: Read) -> Box:
    if one.kind in _ROUND:
        low, high = one.middle - one.length / 2, one.middle + one.length / 2
    else:
        low, high = one.corners.min(axis=0), one.corners.max(axis=0)
    return round(float(low[0])), round(float(low[1])), round(float(high[0])), round(float(high[1]))


def _thick(size: float) -> int:
    return max(1, round(1.6 * size))


def _write(out: Picture, label: Label) -> None:
    left, top, right, bottom = label.box
    cv2.rectangle(out, (left, top), (right, bottom), _DARK, -1)
    foot = (left + 2, bottom - 4)
    cv2.putText(
        out,
        label.text,
        foot,
        cv2.FONT_HERSHEY_SIMPLEX,
        label.size,
        label.colour,
        _thick(label.size),
        cv2.LINE_AA,
    )


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
