"""The printed disc on a toy soldier's head: its side, its type and where he faces, certain from above.

A white disc with a black ring that opens towards where the soldier faces. Inside, six sectors counted
clockwise from there carry the code: four bits of the type, one of the side, and one that makes the number of
black sectors even. The middle is black for side 0 and white for side 1, for people. All lengths are shares
of the disc's radius, so that a disc of any size reads the same.
"""

import math
from typing import Literal, TypeAlias

Outline: TypeAlias = tuple[tuple[float, float], ...]

TYPES = (
    "general", "chieftain", "grunt", "sniper", "kamikaze", "grenadier", "quick-shot", "shotgunner",
    "gunslinger", "spear-thrower", "lightfoot",
)  # fmt: skip
"""In the order of their codes, 1 to 11."""

SECTORS = 6
RING = (0.80, 0.96)
CODE = (0.36, 0.72)
MIDDLE = 0.26
GAP_DEG = 56.0
DISC_MM = 18.0


def code_of(kind: str, side: int) -> tuple[bool, ...]:
    """Which of the six sectors are black."""
    if kind not in TYPES:
        raise ValueError(f"a soldier's type should be one of {', '.join(TYPES)}, not {kind!r}")
    number = TYPES.index(kind) + 1
    bits = [bool(number >> k & 1) for k in range(4)] + [side == 1]
    return (*bits, sum(bits) % 2 == 1)


def read_code(sectors: tuple[bool, ...]) -> tuple[str, int] | None:
    """The type and side that six sectors say, or None where they are no valid code."""
    if len(sectors) != SECTORS or sum(sectors) % 2:
        return None
    number = sum(1 << k for k in range(4) if sectors[k])
    if not 1 <= number <= len(TYPES):
        return None
    return TYPES[number - 1], int(sectors[4])


def outlines(kind: str, side: int) -> list[tuple[Outline, Literal["black", "white"]]]:
    """What to fill in order, on a disc of radius 1 that faces along x (y upwards)."""
    parts: list[tuple[Outline, Literal["black", "white"]]] = [(_sector(0.0, 1.0, 0, 360), "white")]
    parts.append((_sector(*RING, GAP_DEG / 2, 360 - GAP_DEG / 2), "black"))
    width = 360 / SECTORS
    for k, black in enumerate(code_of(kind, side)):
        if black:
            parts.append((_sector(*CODE, -(k + 1) * width, -k * width), "black"))
    if side == 0:
        parts.append((_sector(0.0, MIDDLE, 0, 360), "black"))
    return parts


def _sector(inner: float, outer: float, start_deg: float, stop_deg: float) -> Outline:
    n = max(3, round(abs(stop_deg - start_deg) / 6))
    angles = [math.radians(start_deg + (stop_deg - start_deg) * k / n) for k in range(n + 1)]
    far = [(outer * math.cos(a), outer * math.sin(a)) for a in angles]
    near = [(inner * math.cos(a), inner * math.sin(a)) for a in reversed(angles)] if inner else [(0.0, 0.0)]
    return tuple(far + near) if stop_deg - start_deg < 360 or inner else tuple(far)
