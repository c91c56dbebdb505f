"""How large a marker's black square is: plain, since whoever only reads an option needs no OpenCV."""

import math

MARKER_MM = 32.0
LEAST_MARKER_MM, MOST_MARKER_MM = 16.0, 80.0
"""The black sides of markers that are printed, and that a table is looked for with."""


def marker_side(side_mm: float) -> float:
    """``side_mm`` if markers of that size can be printed and seen; raises ValueError otherwise."""
    if not (math.isfinite(side_mm) and LEAST_MARKER_MM <= side_mm <= MOST_MARKER_MM):
        raise ValueError(f"markers should be {LEAST_MARKER_MM:g} to {MOST_MARKER_MM:g} mm, not {side_mm:g}")
    return side_mm
