"""A camera that is turned or pushed while a match goes on: its table has markers, which are really followed.

What lies there is read through the pose that the markers tell, so that a wrong pose is a wrong reading.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from calibration import aruco
from calibration.mats import CORNER_IDS
from calibration.table_finder import Table as Laid
from device.live.mat_reader import MatReader
from device.live.ports import Picture, Seen
from tests.device.camera_faults import BlockReader, Outcome, Table, Trial
from tests.device.live.scripted import shows
from vision.view import TableView

SIDE_PX, SIDE_MM, SHIFT_MM = 48, 32.0, 5.0
"""A marker in the picture and on the table, and how far the camera is pushed."""
ASIDE_DEG, ASIDE_PX = 1.5, (3.0, -4.0)
"""Nobody turns a camera by hand so that each marker comes to lie in another one's place to the pixel.
``tests/calibration/test_camera_followed.py`` has that case."""
SIZE: Final = (640, 480)
_LEFT, _RIGHT, _UPPER, _LOWER = 150, 490, 70, 410
CORNERS: Final[Mapping[int, tuple[int, int]]] = dict(
    zip(
        CORNER_IDS,
        ((_LEFT, _UPPER), (_RIGHT - SIDE_PX, _UPPER), (_RIGHT - SIDE_PX, _LOWER - SIDE_PX),
         (_LEFT, _LOWER - SIDE_PX)),
        strict=True,
    )
)  # fmt: skip
"""Where the upper left corner of each marker is before the camera is moved."""


def warp_of(fault: str) -> Any:
    """What becomes of the picture where the camera is turned about its middle, or pushed aside."""
    if fault == "shift":
        along = SHIFT_MM * SIDE_PX / SIDE_MM
        return np.array([[1.0, 0.0, along * 0.8], [0.0, 1.0, along * 0.6]])
    turned = float(fault.split()[1]) + ASIDE_DEG
    warp = cv2.getRotationMatrix2D((SIZE[0] / 2 - 0.5, SIZE[1] / 2 - 0.5), turned, 1.0)
    return warp + np.array([[0.0, 0.0, ASIDE_PX[0]], [0.0, 0.0, ASIDE_PX[1]]])


class MarkedTable(Table):
    """The blocks on a larger cloth, between four markers."""

    def __init__(self, fault: str) -> None:
        super().__init__()
        self._warp, self._seen = warp_of(fault), dict[int, tuple[Picture, Picture]]()

    def _draw(self, lies: str, arm: bool, turn: int) -> Picture:
        drawn = cv2.resize(super()._draw(lies, arm, turn), SIZE, interpolation=cv2.INTER_LINEAR)
        for number, (left, upper) in CORNERS.items():
            cv2.rectangle(
                drawn, (left - 10, upper - 10), (left + SIDE_PX + 9, upper + SIDE_PX + 9), (235,) * 3, -1
            )
            marker = aruco.picture(number, SIDE_PX // aruco.MARKER_CELLS)
            drawn[upper : upper + SIDE_PX, left : left + SIDE_PX] = np.clip(marker, 20, 235)[..., None]
        return np.asarray(drawn, dtype=np.uint8)

    def moved(self, picture: Picture) -> Picture:
        """The same through the camera where it is now."""
        key = id(picture)
        if key not in self._seen:
            through = cv2.warpAffine(picture, self._warp, SIZE, borderMode=cv2.BORDER_REFLECT)
            self._seen[key] = picture, np.asarray(through, dtype=np.uint8)  # it is kept: its id stays its own
        return self._seen[key][1]


class MarkedReader(BlockReader):
    """Follows the markers as every match does, and reads the table through them."""

    def __init__(self, trial: Trial) -> None:
        super().__init__(trial)
        self.mat = MatReader("draw-game")
        self.trusts = False
        """Whether the markers of the last frame tell where the table is."""

    def steady(self, picture: Picture, at_s: float) -> bool | None:  # type: ignore[override]
        """Whether the markers are where they were."""
        follower = self.mat._follower
        told = self.mat.steady(picture, at_s)
        self.trusts = follower is not None and follower.watch.trusted
        return told

    def read(self, view: TableView, _before: Seen | None = None) -> Seen | str:
        """What lies there, or that nobody can tell."""
        if self.mat._follower is None or not self.trusts:
            return "The camera or the mat was moved: I am looking for the markers."
        laid = self.mat._follower.table
        small = cv2.resize(view.picture, SIZE, interpolation=cv2.INTER_AREA)
        flat = cv2.warpPerspective(small, _to_drawn(laid), SIZE, borderMode=cv2.BORDER_REFLECT)
        return Seen(shows(self.likeliest(np.asarray(flat, dtype=np.uint8))), ())


def _to_drawn(laid: Laid) -> Any:
    """From pixels as they are seen to those in which the table was drawn, by the markers where they lie."""
    seen: list[Any] = []
    drawn: list[tuple[float, float]] = []
    for place in laid.markers:
        left, upper = CORNERS[place.number]
        seen += [*laid.camera.to_pixels(np.column_stack([place.corners_mm, np.zeros(4)]))]
        drawn += [
            (left + dx * SIDE_PX - 0.5, upper + dy * SIDE_PX - 0.5)
            for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1))
        ]
    return cv2.findHomography(np.array(seen), np.array(drawn))[0]


class MovedTrial(Trial):
    """One match whose camera is moved."""

    sizes = (SIZE, (960, 720))

    def __init__(self, folder: Path, fault: str, state: str) -> None:
        super().__init__(folder, fault, state)
        self.felt_s: float | None = None
        """When the markers first told that something was moved."""

    def _laid(self) -> Table:
        return MarkedTable(self.fault)

    def _reads(self) -> BlockReader:
        return MarkedReader(self)

    def through(self, scene: Picture, plan: str) -> Picture:
        """The scene through the camera where it is now."""
        assert isinstance(self.table, MarkedTable)
        return self.table.moved(scene) if plan == self.fault else scene

    def turn(self) -> None:
        """Note when it is felt."""
        super().turn()
        reader = self.looker.eye._reader
        if self.felt_s is None and self.began_s is not None and isinstance(reader, MarkedReader):
            self.felt_s = None if reader.trusts else self.clock - self.began_s

    def run(self) -> Outcome:
        """The whole trial, and when the move was felt."""
        outcome = super().run()
        outcome.felt_s = self.felt_s
        return outcome

    def _follows(self) -> bool:
        reader = self.looker.eye._reader
        return (
            super()._follows()
            and self.felt_s is not None
            and isinstance(reader, MarkedReader)
            and reader.trusts
        )


def begins(folder: Path, fault: str) -> Sequence[str]:
    """What counts of a match that begins with the camera as it was turned after the one before."""
    trial = MovedTrial(folder, fault, "watching")
    trial.module._TROUBLE_AFTER = -1
    trial._reach()
    return list(trial.bench.texts())
