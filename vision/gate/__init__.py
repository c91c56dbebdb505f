"""When to look: says of every frame whether the table is still, and what lies over it.

    gate = Gate(size_px=(1280, 960))
    look = gate.see(picture, at_s)        # for every frame, with the time at which it was taken
    look.state, look.hidden, look.view, look.changed
    gate.voted()                          # the settled table as several still frames voted it

The gate has no clock and reads no pieces. It holds the last settled view at a reduced size and asks of each
frame what light could not have done to it.
"""

from vision.gate.between import Between
from vision.gate.look import Box, Look, Polygon, State
from vision.gate.machine import Gate

__all__ = ["Between", "Box", "Gate", "Look", "Polygon", "State"]
