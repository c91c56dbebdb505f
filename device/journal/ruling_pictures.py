"""Evidence: the pictures that a ruling rests on, cut to the place of the move, what was seen drawn in."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from device.journal.events import Picture, Role
from vision.captions import Box, captions, write

Array: TypeAlias = NDArray[np.uint8]
MOST_BYTES: Final = 300_000
"""What the pictures of one ruling may take together: a season of games fits on a small card."""
_SHARES: Final[dict[Role, float]] = {"frame": 0.5, "before": 0.25, "after": 0.25}
_QUALITIES: Final = (88, 75, 60, 45, 30)
_MARGIN: Final = 0.35
_LEAST_PX: Final = 240
_INK: Final = ((0, 0, 0), (0, 255, 255))


@dataclass(frozen=True, slots=True)
class Outline:
    """Something that was seen in a frame: its outline in pixels and what it was taken for."""

    outline: tuple[tuple[float, float], ...]
    words: str = ""


def evidence(
    before: Array | None, after: Array, marks: Sequence[Outline], box: Box | None
) -> tuple[Picture, ...]:
    """The pictures for one ruling: the whole frame as it was, and the place of the move before and after.

    ``marks`` are drawn into the picture after the move only: a person must be able to look without being told
    what to see. Without a ``box`` the place is not known, and the frame alone tells.
    """
    shown: list[tuple[Role, Array]] = [("frame", after)]
    if box is not None:
        cut = wide(box, after)
        if before is not None and before.shape == after.shape:
            shown.append(("before", _cut(before, cut)))
        shown.append(("after", _cut(drawn(after, marks), cut)))
    return tuple(
        Picture(role, compressed(picture, int(_SHARES[role] * MOST_BYTES))) for role, picture in shown
    )


def box_of(marks: Sequence[Outline]) -> Box | None:
    """The smallest box that holds all marks."""
    points = np.array([point for mark in marks for point in mark.outline])
    if not len(points):
        return None
    (left, upper), (right, lower) = np.floor(points.min(axis=0)), np.ceil(points.max(axis=0))
    return int(left), int(upper), int(right), int(lower)


def wide(box: Box, picture: Array) -> Box:
    """The box with its surroundings, inside the picture."""
    high, broad = picture.shape[:2]
    left, upper, right, lower = box
    grow_x = max((right - left) * _MARGIN, (_LEAST_PX - (right - left)) / 2)
    grow_y = max((lower - upper) * _MARGIN, (_LEAST_PX - (lower - upper)) / 2)
    return (
        int(np.clip(left - grow_x, 0, broad - 1)),
        int(np.clip(upper - grow_y, 0, high - 1)),
        int(np.clip(right + grow_x, left + 1, broad)),
        int(np.clip(lower + grow_y, upper + 1, high)),
    )


def drawn(picture: Array, marks: Sequence[Outline], ink: tuple[int, int, int] = _INK[1]) -> Array:
    """The picture with the marks drawn in, legible on any ground."""
    made = picture.copy()
    marks = [mark for mark in marks if mark.outline]
    for mark in marks:
        outline = np.rint(np.array(mark.outline)).astype(np.int32).reshape(-1, 1, 2)
        for colour, more in ((_INK[0], 3), (ink, 1)):
            cv2.polylines(made, [outline], True, colour, more, cv2.LINE_AA)
    things = [box for mark in marks if (box := box_of([mark])) is not None]
    high, broad = picture.shape[:2]
    for caption in captions((mark.words for mark in marks), things, (broad, high)):
        write(made, caption, ink)
    return made


def compressed(picture: Array, most_bytes: int) -> bytes:
    """The picture as JPEG of no more than so many bytes: less sharp first, then smaller."""
    jpeg = b""
    for jpeg in _tries(picture):
        if len(jpeg) <= most_bytes:
            break
    return jpeg


def _tries(picture: Array) -> Iterator[bytes]:
    made: Any = picture
    while True:
        for quality in _QUALITIES:
            yield jpeg_of(made, quality)
        if min(made.shape[:2]) < 32:
            return
        made = cv2.resize(made, None, fx=0.7, fy=0.7, interpolation=cv2.INTER_AREA)


def jpeg_of(picture: Array, quality: int = 80) -> bytes:
    """The picture as JPEG."""
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not done:
        raise ValueError("OpenCV could not write a JPEG")
    return data.tobytes()


def _cut(picture: Array, box: Box) -> Array:
    left, upper, right, lower = box
    return picture[upper:lower, left:right]
