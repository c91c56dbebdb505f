"""Blobs on the flat half of a domino or the face of a die, against the colour of its body in uneven light."""

from functools import cache

import cv2
import numpy as np

from vision.pieces.patches import Floats

SIZE_PX = 48
RIM_PX = 4.0
REACH_PX = 20.0
"""Half the side of what lies in a patch; beyond it a rim of what lies around."""
MOST = 14
_BLUR_PX = 1.7
_AROUND = np.ones((5, 5), np.uint8)
_LOW, _HIGH = 7, 41
"""The pixels of a patch in which a pip's middle can lie."""
_GRID = slice(5, 44, 2)


@cache
def _slopes() -> tuple[Floats, Floats]:
    """What a slope of light is made of: at the pixels that it is measured at, and at all."""
    line = (np.arange(SIZE_PX, dtype=np.float32) - SIZE_PX / 2) / np.float32(REACH_PX)
    y, x = np.meshgrid(line, line, indexing="ij")
    whole = np.stack([np.ones_like(x), x, y], axis=-1)
    return np.asarray(whole[_GRID, _GRID].reshape(-1, 3)), np.asarray(whole.reshape(-1, 3))


@cache
def _inner() -> Floats:
    """What is measured, less the rim of the half, the bar and the pin."""
    places = np.arange(SIZE_PX)[_GRID]
    inside = ((places >= _LOW) & (places <= _HIGH)).astype(np.float32)
    return np.asarray(np.outer(inside, inside).reshape(1, -1, 1))


def contrast(patches: Floats) -> Floats:
    """Patches (n×48×48×3) less their body under the slope of light on it, in the colour direction that
    tells most (n×48×48)."""
    few, whole = _slopes()
    n = len(patches)
    seen = patches[:, _GRID, _GRID].reshape(n, -1, 3)
    body = np.zeros((n, 3, 3), np.float32)
    body[:, 0] = np.median(seen, axis=1)
    for _ in range(3):
        off = np.linalg.norm(seen - few @ body, axis=2)
        usual = np.median(off, axis=1, keepdims=True) + 2
        weighed = few.T[None] / (1 + (off / usual)[:, None] ** 2) ** 2
        body = np.linalg.solve(weighed @ few + 1e-3 * np.eye(3, dtype=np.float32), weighed @ seen)
    left = (seen - few @ body) * _inner()
    axis = np.linalg.eigh(left.transpose(0, 2, 1) @ left)[1][:, :, 2:]
    signal = patches.reshape(n, -1, 3) @ axis - whole @ (body @ axis)
    return np.asarray(signal.reshape(n, SIZE_PX, SIZE_PX))


def blobs(signal: Floats) -> tuple[Floats, Floats, float]:
    """The strongest places of a patch (14×2, as shares of half a side from its middle), how strong they are,
    and the noise between them; dark or light, whichever stands out from the rest more clearly."""
    soft: Floats = np.asarray(cv2.GaussianBlur(signal, (0, 0), _BLUR_PX))
    inside = soft[_LOW : _HIGH + 1, _LOW:_HIGH]
    few = np.sort(inside[::3, ::3], axis=None)
    noise = float(few[3 * len(few) // 4] - few[len(few) // 4])
    either = [highest(soft), highest(-soft)]
    floor = 0.15 * max(one[1][0] for one in either) + 0.3
    clear = [float(np.log((one[1][:12] + floor) / (one[1][1:13] + floor)).max()) for one in either]
    at, strength = either[int(clear[1] > clear[0])]
    return at, strength, noise


def highest(soft: Floats) -> tuple[Floats, Floats]:
    """The highest places of a blurred patch, and how high they are."""
    around = cv2.dilate(soft, _AROUND)[_LOW : _HIGH + 1, _LOW:_HIGH]
    inside = soft[_LOW : _HIGH + 1, _LOW:_HIGH]
    rows, columns = np.nonzero((inside >= around) & (inside > 0))
    best = np.argsort(-inside[rows, columns])[:MOST]
    rows, columns = rows[best] + _LOW, columns[best] + _LOW
    at, strength = np.full((MOST, 2), 5.0), np.zeros(MOST)
    height = strength[: len(best)] = soft[rows, columns]
    at[: len(best), 0] = columns + _between(soft[rows, columns - 1], height, soft[rows, columns + 1])
    at[: len(best), 1] = rows + _between(soft[rows - 1, columns], height, soft[rows + 1, columns])
    at[: len(best)] = (at[: len(best)] - (SIZE_PX - 1) / 2) / REACH_PX
    return at, strength


def _between(before: Floats, at: Floats, after: Floats) -> Floats:
    """How far from its pixel a peak lies, by the parabola through it and its neighbours."""
    bend = np.minimum(before - 2 * at + after, -1e-6)
    return np.asarray(np.clip(0.5 * (before - after) / bend, -0.5, 0.5))
