"""The one picture of the table: what each frame shows, and how the table can be read.

    watch = TableWatch()
    look = watch.see(picture, at_s, arms=whose)    # for every frame, with the time at which it was taken
    table = watch.table()                          # settled, or as those left it who have gone; or None

It has no clock and reads no pieces. Its gate holds the last settled view at a reduced size and asks of each
frame what light could not have done to it; place by place the newest picture without a hand is kept.
"""

from vision.view.gate import Gate
from vision.view.look import Box, FrameState, Look, Polygon, SeenArm, TableView
from vision.view.table_watch import TableWatch

__all__ = ["Box", "FrameState", "Gate", "Look", "Polygon", "SeenArm", "TableView", "TableWatch"]
