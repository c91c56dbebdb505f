"""Remembers what rays have met, so that a film follows each ray to a body at rest only once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from simulation.bodies import Body, PlacedBody
from simulation.canvas import Array
from simulation.ground_view import Rect

SAMPLES = 5
"""Rays a pixel at most: one through its middle and four for its edges."""
_NEVER = -2
_MISSED = -1


@dataclass
class Met:
    """What some rays have met: the rays, and at each meeting height, paint (n×4), shade and metal, normal."""

    rays: Array
    height: Array
    paint: Array
    extra: Array
    normal: Array


class _Known:
    """What is known of one body in one place."""

    def __init__(self, body: Body, rect: Rect) -> None:
        # Holding the body keeps its id from being given to another one.
        self.body, self.rect = body, rect
        self.rows, self.columns = rect[3] - rect[1], rect[2] - rect[0]
        self.slots = np.full(SAMPLES * self.rows * self.columns, _NEVER, dtype=np.int32)
        self.met = Met(*(np.zeros((0, *more), dtype=np.float32) for more in ((), (), (4,), (2,), (3,))))

    def look(self, pixels: Array, samples: Array, follow: Callable[[Array], Met | None]) -> Met:
        """What rays meet; ``follow`` is asked only for those that were never followed before."""
        x, y = pixels[0] - self.rect[0], pixels[1] - self.rect[1]
        at = (samples * self.rows + y) * self.columns + x
        new = np.flatnonzero(self.slots[at] == _NEVER)
        if len(new):
            self.slots[at[new]] = _MISSED
            found = follow(new)
            if found is not None:
                count = len(self.met.height)
                self.slots[at[new[found.rays]]] = np.arange(count, count + len(found.rays), dtype=np.int32)
                self.met = Met(
                    np.zeros(0),
                    np.concatenate([self.met.height, found.height]),
                    np.concatenate([self.met.paint, found.paint]),
                    np.concatenate([self.met.extra, found.extra]),
                    np.concatenate([self.met.normal, found.normal]),
                )
        slots = self.slots[at]
        rays = np.flatnonzero(slots >= 0)
        k, met = slots[rays], self.met
        return Met(rays, met.height[k], met.paint[k], met.extra[k], met.normal[k])


class RayMemory:
    """What rays have met of all bodies that have not moved since."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], _Known] = {}

    def of(self, one: PlacedBody, rect: Rect) -> _Known:
        """What is known of a body where it lies; ``rect`` holds all pixels that can show it."""
        key = _key(one)
        if key not in self._known:
            self._known[key] = _Known(one.body, rect)
        return self._known[key]

    def keep(self, placed: Sequence[PlacedBody]) -> None:
        """Forgets all bodies but these."""
        keys = {_key(one) for one in placed}
        for key in [key for key in self._known if key not in keys]:
            del self._known[key]


def _key(one: PlacedBody) -> tuple[object, ...]:
    return (id(one.body), one.x_mm, one.y_mm, one.z_mm, one.angle_deg, one.tilt_deg)
