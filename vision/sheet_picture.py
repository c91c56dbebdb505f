"""A map flattened with what was read drawn in: every domain in a colour of its own, doubts framed in red."""

import cv2
import numpy as np

from engine.kingdomino_duel.edition import LETTERS
from engine.kingdomino_duel.kingdom import Domain
from vision.sheet_cells import Floats, Picture, flattened
from vision.sheet_decoder import ReadMap, ReadSquare

PITCH_PX, MARGIN_PX = 110, 14
_RED = (40, 40, 220)
_FONT = cv2.FONT_HERSHEY_SIMPLEX


def drawn_in(image: Picture, corners: Floats, read: ReadMap) -> Picture:
    """The map of a photo from straight above, read; below it each domain's sum and the total."""
    flat = map_picture(image, corners, read)
    return np.vstack([flat, _sums(read, flat.shape[1])])


def map_picture(image: Picture, corners: Floats, read: ReadMap) -> Picture:
    """The map of a photo from straight above with its domains and what was read on each square."""
    return overlaid(bare_picture(image, corners), read)


def bare_picture(image: Picture, corners: Floats) -> Picture:
    """The map of a photo from straight above: squares of 110 pixels and a margin of 14."""
    return flattened(image, corners, PITCH_PX, MARGIN_PX)


def overlaid(flat: Picture, read: ReadMap) -> Picture:
    """A flat map with its domains and what was read on each square."""
    tinted = flat.copy()
    for number, domain in enumerate(read.score.domains):
        for square in domain.squares:
            low, high = _box(square // 8, square % 8)
            cv2.rectangle(tinted, low, high, _colour(number), -1)
    flat = np.asarray(cv2.addWeighted(flat, 0.68, tinted, 0.32, 0), dtype=np.uint8)
    for number, domain in enumerate(read.score.domains):
        _outline(flat, domain, _colour(number))
    for one in read.squares:
        _label(flat, one)
    return flat


def _colour(number: int) -> tuple[int, int, int]:
    """Colours that stay apart: the hue moves on by a golden part each time."""
    hue = np.array([[[int(number * 0.618 * 180) % 180, 190, 235]]], dtype=np.uint8)
    blue, green, red = cv2.cvtColor(hue, cv2.COLOR_HSV2BGR)[0, 0]
    return int(blue), int(green), int(red)


def _box(row: int, column: int) -> tuple[tuple[int, int], tuple[int, int]]:
    x, y = MARGIN_PX + column * PITCH_PX, MARGIN_PX + row * PITCH_PX
    return (x, y), (x + PITCH_PX, y + PITCH_PX)


def _outline(flat: Picture, domain: Domain, colour: tuple[int, int, int]) -> None:
    inside = set(domain.squares)
    for square in domain.squares:
        (x0, y0), (x1, y1) = _box(square // 8, square % 8)
        for other, a, b in (
            (square - 8, (x0, y0), (x1, y0)), (square + 8, (x0, y1), (x1, y1)),
            (square - 1, (x0, y0), (x0, y1)), (square + 1, (x1, y0), (x1, y1)),
        ):  # fmt: skip
            if other not in inside:
                cv2.line(flat, a, b, colour, 4, cv2.LINE_AA)


def _label(flat: Picture, square: ReadSquare) -> None:
    (x, y), (x1, y1) = _box(int(square.name[1]) - 1, int(square.name[3]) - 1)
    if square.doubt:
        cv2.rectangle(flat, (x + 5, y + 5), (x1 - 5, y1 - 5), _RED, 3, cv2.LINE_AA)
    if square.coat is not None or square.doubt:
        told = "." if square.coat is None else f"{LETTERS[square.coat]}{square.crosses or ''}"
        told += "?" if square.doubt else ""
        for colour, thick in ((255, 255, 255), 5), ((20, 20, 20), 2):
            cv2.putText(flat, told, (x + 8, y1 - 10), _FONT, 0.75, colour, thick, cv2.LINE_AA)


def _sums(read: ReadMap, width: int) -> Picture:
    parts = [
        f"{LETTERS[domain.coat]} {len(domain.squares)}x{domain.crosses}={domain.points}"
        for domain in read.score.domains
    ]
    wide = max(1, (width - 2 * MARGIN_PX) // 130)
    lines = [parts[k : k + wide] for k in range(0, len(parts), wide)]
    strip = np.full((30 * len(lines) + 50, width, 3), 250, np.uint8)
    for row, line in enumerate(lines):
        for column, told in enumerate(line):
            place = (MARGIN_PX + 130 * column, 26 + 30 * row)
            cv2.putText(strip, told, place, _FONT, 0.6, _colour(row * wide + column), 2, cv2.LINE_AA)
    total = f"total {read.score.total}, largest domain {read.score.largest} squares"
    if read.doubts:
        total += f", look at {' '.join(read.doubts)}"
    place = (MARGIN_PX, strip.shape[0] - 16)
    cv2.putText(strip, total, place, _FONT, 0.75, (20, 20, 20), 2, cv2.LINE_AA)
    return strip
