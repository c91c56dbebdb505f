"""How many coins lie on each other, told by the side of the pile that the camera sees aslant.

Seen from straight above a pile looks like the coin on top. Farther out its upper side is seen beside its
foot, and between both shows the side: a coin of 3 mm is 1 mm of it at 20° from straight above. Where the side
ends the table begins, which may lie in shadow. People lay coins a little beside each other, which moves that
end by as much as half a coin: a count comes with its probability, and with that of more coins than one.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.camera import Camera
from calibration.table_finder import Table
from vision.photos.stack_side import DEPTHS, STEP_MM, px_a_mm_of_height, side_of, way_down
from vision.pieces.patches import Floats, Picture
from vision.pieces.piece_read import Read

MOST = 8
"""More coins than this nobody piles up: a suit of a piecepack has six."""
LEAST_PX_A_MM = 0.3
"""Where a millimetre of height has fewer pixels, a coin has less than one: there is nothing to see."""
PILED, ALONE = 0.75, 0.15
"""From which probability of several on a coin is called piled, and up to which it lies alone."""
_LEAST_VISIBLE = 0.75
_RIM = (0.5, 2.2)
"""Between these depths (mm) there is the side of the top coin, whatever lies below it."""
_FIRST, _FAR = 1.5, 28.0
"""From which depth on a side can end, and from which on there is only table."""
_OTHER, _SHADE = 20.0, 0.1
"""Colours further apart than this (CIE Lab) are simply others; and what of a shadow's darkness counts."""
_WIDE_PX = 1.5
_THICK_MM, _THICK_SPREAD = 3.2, 0.4
_ONE = 0.6
"""How likely a coin is to lie alone before anything is seen of it."""
_OFF_MM, _MISLED = (-1.2, 0.3), (0.05, 0.5)
"""How far the end by colour and by edge is seen from the true one, and how often it is something else."""
_SPREAD_MM, _SPREAD_PX, _BESIDE_MM = 1.2, 0.5, 2.9
_SAME_PIXELS, _BOTH_MISLED = 0.6, 0.2
"""Both ends are seen in the same pixels and are not worth two; and how often neither is that of a pile."""


@dataclass(frozen=True)
class Stack:
    """How many coins a pile most likely has, the one on top among them."""

    coins: int
    confidence: float
    several: float
    """The probability that they are more than one."""

    @property
    def below_mm(self) -> float:
        """How high the coin on top lies above where it would lie alone; nothing where that is not clear."""
        return (self.coins - 1) * _THICK_MM if self.several >= PILED else 0.0


def counted(picture: Picture, pieces: Sequence[Read], table: Table) -> tuple[Stack | None, ...]:
    """For each piece the pile that it tops; None for what is no coin, and where no side can be seen."""
    return tuple(
        _counted(picture, one, pieces, table.camera) if one.kind == "coin" else None for one in pieces
    )


def _counted(picture: Picture, one: Read, pieces: Sequence[Read], camera: Camera) -> Stack | None:
    px_a_mm = px_a_mm_of_height(one.middle, camera)
    if not px_a_mm >= LEAST_PX_A_MM or one.visible < _LEAST_VISIBLE or _is_in_the_way(one, pieces, camera):
        return None
    if not _is_inside(one, camera):
        return None
    side = side_of(picture, one, camera)
    return likeliest(chances(_end_by_colour(side), _end_by_edge(side, px_a_mm), px_a_mm))


def likeliest(p: Floats) -> Stack:
    """The pile that these chances make likely: one coin, or the likeliest number of several."""
    several = float(p[1:].sum())
    coins = 2 + int(p[1:].argmax()) if several > p[0] else 1
    return Stack(coins, float(p[coins - 1]), several)


def _is_inside(one: Read, camera: Camera) -> bool:
    """Whether the picture shows all of the upper side, and all that is below its near rim."""
    down = way_down(one.middle, camera)
    points = np.concatenate([one.corners, one.corners + down])
    return bool(((points >= 0) & (points < np.array(camera.lens.size_px))).all())


def _is_in_the_way(one: Read, pieces: Sequence[Read], camera: Camera) -> bool:
    """Whether another piece lies where the side is seen, or the table before it."""
    down = way_down(one.middle, camera)
    rim = one.middle + down * (0.5 * one.length / float(np.linalg.norm(down)))
    strip = [rim + share * down for share in (0.3, 0.65, 1.0)]
    return any(
        math.dist(point, other.middle) < 0.5 * other.length + 0.25 * one.length
        for other in pieces
        if other is not one and other.kind not in ("tile", "domino")  # it may lie on those
        for point in strip
    )


def chances(by_colour: float, by_edge: float, px_a_mm: float) -> Floats:
    """How likely one, two … coins are whose side was seen to end at these depths (mm)."""
    coins = np.arange(1, MOST + 1)
    before = np.where(coins == 1, _ONE, (1 - _ONE) / (MOST - 1))
    score = np.log(before)
    beside = np.where(coins > 1, _BESIDE_MM, 0.0)
    spread = np.sqrt(_SPREAD_MM**2 + (_SPREAD_PX / px_a_mm) ** 2 + (coins * _THICK_SPREAD) ** 2 + beside**2)
    for depth, off, misled in zip((by_colour, by_edge), _OFF_MM, _MISLED, strict=True):
        away = (depth - off - coins * _THICK_MM) / spread
        close = np.exp(-0.5 * away**2) / (spread * math.sqrt(2 * math.pi))
        score = score + _SAME_PIXELS * np.log((1 - misled) * close + misled / (_FAR - _FIRST))
    after = np.exp(score - score.max())
    return np.asarray((1 - _BOTH_MISLED) * after / after.sum() + _BOTH_MISLED * before)


# --- where a side ends ---------------------------------------------------------------------------------


def _end_by_colour(side: Floats) -> float:
    """The depth down to which a side looks rather like that of the top coin than like the table."""
    like = np.cumsum(np.where(_RIM[0] < DEPTHS, _rather_coin(side), 0.0))
    return float(DEPTHS[int(np.where((_FIRST < DEPTHS) & (DEPTHS < _FAR), like, -np.inf).argmax())])


def _end_by_edge(side: Floats, px_a_mm: float) -> float:
    """The depth at which the colours change most."""
    wide = max(1, round(max(1.0, _WIDE_PX / px_a_mm) / STEP_MM))
    sums = np.cumsum(np.concatenate([np.zeros((1, *side.shape[1:])), side]), axis=0)
    means = (sums[wide:] - sums[:-wide]) / wide
    apart = np.minimum(np.linalg.norm(means[wide:] - means[:-wide], axis=-1), _OTHER).mean(axis=1)
    at = DEPTHS[wide : wide + len(apart)]
    return float(at[int(np.where((at > _FIRST + 0.5) & (at < _FAR), apart, -1.0).argmax())])


def _rather_coin(side: Floats) -> Floats:
    """For each depth how much more it looks like the side of the top coin than like the table."""
    table = _smooth(np.median(side[DEPTHS > _FAR], axis=0), 17)
    coin = _smooth(np.median(side[(_RIM[0] < DEPTHS) & (_RIM[1] > DEPTHS)], axis=0), 9)
    to_table = np.minimum(np.linalg.norm(side - table, axis=-1), _in_shadow(side, table))
    to_coin = np.linalg.norm(side - coin, axis=-1)
    return np.asarray((np.minimum(to_table, _OTHER) - np.minimum(to_coin, _OTHER)).mean(axis=1))


def _in_shadow(side: Floats, table: Floats) -> Floats:
    """How unlike the table something dark is once it is as light: a shadow leaves the table its hue."""
    light = np.maximum(_converted(side, cv2.COLOR_Lab2LBGR), 0)
    seen, wanted = (((colours[..., 0] + 16) / 116) ** 3 for colours in (side, table))
    lift = np.clip(wanted / np.maximum(seen, 1e-4), 1, 8)
    lifted = _converted(np.clip(light * lift[..., None], 0, 1), cv2.COLOR_LBGR2Lab)
    darker = np.maximum(0.0, table[:, 0] - side[..., 0])
    return np.asarray(np.linalg.norm(lifted - table, axis=-1) + _SHADE * darker)


def _converted(colours: Floats, code: int) -> Floats:
    flat = cv2.cvtColor(colours.astype(np.float32).reshape(1, -1, 3), code)
    return np.asarray(flat, dtype=float).reshape(colours.shape)


def _smooth(colours: Floats, columns: int) -> Floats:
    row = colours[None].astype(np.float32)
    return np.asarray(cv2.blur(row, (columns, 1), borderType=cv2.BORDER_REPLICATE)[0], dtype=float)
