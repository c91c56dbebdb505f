"""Our spellbook in a photo: ticked boxes, struck lines and powers crossed off.

The marks say where each box was printed, its own outline where it lies exactly. What is darker inside than
the paper between the boxes is ink; how dark ink is, the book itself tells.
"""

from dataclasses import dataclass
from itertools import pairwise

import cv2
import numpy as np

from calibration import colour_planes, duel_sheet
from engine.kingdomino_duel.edition import AS_PRINTED, COATS
from vision.sheet_bend import mesh
from vision.sheet_boxes import Boxes, boxes_in
from vision.sheet_cells import Floats, Picture
from vision.sheet_finder import FoundSheet
from vision.spellbook_levels import Levels, levels_of

_PX_MM = 5.0
_SIZE_MM = (256.0, 172.0)
Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class ReadLine:
    """One line of the spellbook as read."""

    coat: int
    ticks: tuple[int | None, int | None]
    """How many boxes each player (left, right) has ticked; None on a side that is struck out."""
    struck: int | None
    """The player whose side is struck out."""
    used: bool
    """Whether the power is crossed off."""
    doubt: bool

    @property
    def owner(self) -> int | None:
        """The player who filled the line first: the only one with all boxes, or the one not struck out."""
        full = [player for player in (1, 2) if self.ticks[player - 1] == AS_PRINTED.lines[self.coat].length]
        return full[0] if len(full) == 1 else None


@dataclass(frozen=True, slots=True)
class ReadSpellbook:
    """A whole spellbook as read."""

    lines: tuple[ReadLine, ...]
    """Coat by coat, in the rule book's order."""

    @property
    def doubts(self) -> tuple[str, ...]:
        """The coats whose lines a person should look at."""
        return tuple(COATS[line.coat] for line in self.lines if line.doubt)

    def line_of(self, power: int) -> ReadLine:
        """The line that wins this power."""
        return self.lines[AS_PRINTED.coat_of(power)]


@dataclass(frozen=True)
class _Flat:
    """The spellbook seen from straight above, and how dark each of its pixels is beside the paper."""

    dark: Floats
    boxes: Boxes

    def ink(self, middle: Point, size: Point) -> float:
        """How much darker the darkest twentieth of an area is than the paper in it."""
        area = self._area(self._px(middle), size)
        return float(np.percentile(area, 95) - np.percentile(area, 20))

    def box_ink(self, middle: Point) -> float:
        """The same for a box, against the paper above and below: a box may be filled all over."""
        x, y = self._px(middle)
        side = duel_sheet.TICK_MM * _PX_MM
        found = self.boxes.near(np.array([x, y]), 3.0 * _PX_MM, (0.85 * side, 1.15 * side))
        if found is not None:
            x, y = float(found[0]), float(found[1])
        paper = [self._area((x, y + way * 0.72 * side), (6, 2)) for way in (-1, 1)]
        inside = self._area((x, y), (6, 6))
        return float(np.percentile(inside, 95) - np.median(np.concatenate(paper, axis=None)))

    def spot_ink(self, middle: Point) -> float:
        """How dark a small circle is all in all: a cross may cover it, its printed rim always shows."""
        spot = self._px(middle)
        return float(self._area(spot, (2.4, 2.4)).mean() - np.percentile(self._area(spot, (6, 6)), 30))

    def _px(self, middle: Point) -> Point:
        return (middle[0] + _SIZE_MM[0] / 2) * _PX_MM, (_SIZE_MM[1] / 2 - middle[1]) * _PX_MM

    def _area(self, spot: Point, size: Point) -> Floats:
        """A part of the picture, ``size`` in millimetres around a pixel."""
        (x, y), wide, tall = spot, size[0] * _PX_MM / 2, size[1] * _PX_MM / 2
        rows = slice(max(0, round(y - tall)), round(y + tall) + 1)
        return self.dark[rows, max(0, round(x - wide)) : round(x + wide) + 1]


@dataclass(frozen=True)
class _Side:
    """The inks of one player's side of a line: its boxes, the gaps between them, its circle."""

    boxes: Floats
    gaps: Floats
    used: float


def read_spellbook(image: Picture, sheet: FoundSheet) -> ReadSpellbook:
    """What both players did in the spellbook whose plane was found."""
    flat = _flattened(image, sheet.candidates[0].corners)
    sides = [(player, coat) for coat in range(len(COATS)) for player in (1, 2)]
    boxes = {side: _box_inks(flat, *side) for side in sides}
    gaps = {side: _gap_inks(flat, *side) for side in sides}
    used = {side: flat.spot_ink(duel_sheet.used_middle(side[0], _power(side[1]))) for side in sides}
    inks, between = (np.concatenate(list(some.values())) for some in (boxes, gaps))
    levels = levels_of(inks, between, list(used.values()))
    return ReadSpellbook(
        tuple(
            _line(
                coat,
                {
                    player: _Side(boxes[player, coat], gaps[player, coat], used[player, coat])
                    for player in (1, 2)
                },
                levels,
            )
            for coat in range(len(COATS))
        )
    )


def _power(coat: int) -> int:
    return AS_PRINTED.lines[coat].power


def _flattened(image: Picture, corners: Floats) -> _Flat:
    """The spellbook from straight above."""
    flat_mm = (mesh().reshape(-1, 2) - (3.5, 2.5)) * duel_sheet.PITCH_MM
    places = (flat_mm + np.array(_SIZE_MM) / 2) * _PX_MM
    home, _ = cv2.findHomography(corners.reshape(-1, 2), places)
    if home is None:
        raise ValueError("the marks of the spellbook do not span a plane")
    size = (round(_SIZE_MM[0] * _PX_MM), round(_SIZE_MM[1] * _PX_MM))
    seen = np.asarray(
        cv2.warpPerspective(image, home, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    )
    light = cv2.GaussianBlur(seen.astype(np.float32) + 1, (0, 0), 1.2)
    reach = round(duel_sheet.TICK_MM * _PX_MM) * 2 + 1
    white = cv2.GaussianBlur(cv2.dilate(light, np.ones((reach, reach), np.uint8)), (0, 0), reach / 3)
    lost = np.clip(1 - light / np.maximum(white, 1), 0, 1)
    grey = np.asarray(cv2.cvtColor(seen, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    return _Flat(0.5 * colour_planes.most(lost) + 0.5 * colour_planes.mean(lost), boxes_in(grey))


def _line(coat: int, sides: dict[int, _Side], levels: Levels) -> ReadLine:
    """One line from the inks of its boxes, of the gaps between them, and of its circles."""
    box, gap = levels.box, levels.gap
    length = AS_PRINTED.lines[coat].length
    ticks: list[int | None] = []
    doubt = False
    for player in (1, 2):
        crossed = float(np.mean([gap.ink(ink) for ink in sides[player].gaps]))
        ticked = [box.ink(ink) for ink in sides[player].boxes]
        # A line through all boxes leaves ink in each of them.
        if crossed > 0.6 and all(ticked):
            ticks.append(None)
            continue
        # What is drawn too large runs over into the next box.
        doubt |= any(
            box.doubtful(ink) or (box.ink(ink) and ink < levels.whole) for ink in sides[player].boxes
        )
        # Print shines into the gaps; no line runs through a box that is blank.
        doubt |= crossed > 0.3 and all(box.may_be_ink(ink) for ink in sides[player].boxes)
        # Boxes are ticked from one's own side inwards.
        doubt |= ticked != sorted(ticked, reverse=True)
        ticks.append(int(sum(ticked)))
    full = [player for player in (1, 2) if ticks[player - 1] == length]
    if len(full) == 1 and bool((sides[3 - full[0]].boxes > levels.thin).all()):
        # A thin line is fainter than a tick, but where the other side is full it is expected.
        ticks[2 - full[0]] = None
    out = [player for player in (1, 2) if ticks[player - 1] is None]
    used = len(full) == 1 and levels.circle.ink(sides[full[0]].used)
    if len(full) == 1:
        doubt |= levels.circle.doubtful(sides[full[0]].used)
    else:
        doubt |= bool(full) or bool(out) or max(side.used for side in sides.values()) > levels.stain
    struck = out[0] if len(out) == 1 else None
    return ReadLine(coat, (ticks[0], ticks[1]), struck, used, doubt)


def _places(coat: int, player: int) -> list[float]:
    length = AS_PRINTED.lines[coat].length
    return [duel_sheet.tick_x(player, place, length) for place in range(length)]


def _box_inks(flat: _Flat, player: int, coat: int) -> Floats:
    """The ink in each box of one side, the outermost first."""
    y = duel_sheet.spell_line_y(_power(coat))
    return np.array([flat.box_ink((x, y)) for x in _places(coat, player)])


def _gap_inks(flat: _Flat, player: int, coat: int) -> Floats:
    """The ink between the boxes of one side, where only a line through all of them leaves any."""
    y, places = duel_sheet.spell_line_y(_power(coat)), _places(coat, player)
    outside = places[0] + (-6.2 if player == 1 else 6.2)
    between = [(a + b) / 2 for a, b in pairwise(places)]
    return np.array([flat.ink((x, y), (0.8, 6.0)) for x in (outside, *between)])
