"""What each signal does to a match, by where the signal comes from.

The table of transitions names each of them:

    seen         what the table shows
    gate_acts    what the gate and the camera say
    people_acts  what people press and type
    consent      what both must agree to
    going_on     the disk, the clock, and the journal from which a match is taken up
    steps        what several of them have in common
"""

from collections.abc import Callable
from typing import TypeAlias

from device.match.acts.going_on import taken_up
from device.match.match import Course
from device.match.signals import Signal

Act: TypeAlias = Callable[[Course, Signal], None]

__all__ = ["Act", "taken_up"]
