"""Words beside what they name: each stands where it hides least of things and of earlier words."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Box: TypeAlias = tuple[int, int, int, int]
"""Left, top, right, bottom, in pixels."""
Boxes: TypeAlias = NDArray[np.int64]
"""Such boxes, a row each."""
Colour: TypeAlias = tuple[int, int, int]
_FONT = cv2.FONT_HERSHEY_SIMPLEX
_DARK = (20, 20, 20)


@dataclass(frozen=True)
class Caption:
    """A few letters, how large they are, and the box that they fill."""

    text: str
    size: float
    box: Box


def captions(words: Iterable[str], things: Sequence[Box], picture: tuple[int, int]) -> list[Caption]:
    """One for each word, where there is a word: it names the thing of its place in the order.

    Letters grow with their thing, as far as a picture so wide and high has room for them.
    """
    told: list[Caption] = []
    taken = np.empty((2 * len(things), 4), dtype=np.int64)  # the things, and behind them the words so far
    taken[: len(things)] = np.array(things, dtype=np.int64).reshape(-1, 4)
    most = 0.9 * max(picture) / 1000
    for text, thing in zip(words, things, strict=True):
        if text:
            size = max(0.35, min(0.011 * max(thing[2] - thing[0], thing[3] - thing[1]), most))
            (wide, high), _ = cv2.getTextSize(text, _FONT, size, _thick(size))
            used = len(things) + len(told)
            box = _beside(thing, (wide + 4, high + 7), picture, taken[:used])
            taken[used] = box
            told.append(Caption(text, size, box))
    return told


def _beside(thing: Box, size: tuple[int, int], picture: tuple[int, int], taken: Boxes) -> Box:
    """A box of this size below, above, right or left of the thing, or on it where all of these hide more."""
    left, top, right, bottom = thing
    x, y = (left + right - size[0]) // 2, (top + bottom - size[1]) // 2
    corners = ((x, bottom + 1), (x, top - size[1] - 1), (right + 1, y), (left - size[0] - 1, y), (x, y))
    boxes = np.array([(cx, cy, cx + size[0], cy + size[1]) for cx, cy in corners], dtype=np.int64)
    whole = np.array([[0, 0, *picture]], dtype=np.int64)
    off = size[0] * size[1] - _shared(boxes, whole)
    best = boxes[int(np.argmin(_shared(boxes, taken) + 3 * off))]
    return int(best[0]), int(best[1]), int(best[2]), int(best[3])


def _shared(boxes: Boxes, others: Boxes) -> NDArray[np.int64]:
    """How many pixels each box shares with the others, all together."""
    wide, high = (
        np.minimum(boxes[:, None, axis + 2], others[None, :, axis + 2])
        - np.maximum(boxes[:, None, axis], others[None, :, axis])
        for axis in (0, 1)
    )
    return np.asarray((np.maximum(wide, 0) * np.maximum(high, 0)).sum(axis=1), dtype=np.int64)


def _thick(size: float) -> int:
    return max(1, round(1.6 * size))


def write(out: Any, caption: Caption, colour: Colour) -> None:
    """Draw the words into a picture, on a dark ground: they are legible on any table."""
    left, top, right, bottom = caption.box
    cv2.rectangle(out, (left, top), (right, bottom), _DARK, -1)
    foot, thick = (left + 2, bottom - 4), _thick(caption.size)
    cv2.putText(out, caption.text, foot, _FONT, caption.size, colour, thick, cv2.LINE_AA)
