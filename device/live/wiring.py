"""The one place where the real parts of an eye are put together."""

from collections.abc import Callable
from pathlib import Path
from typing import cast

from calibration.marker_side import MARKER_MM
from calibration.profiles import UNKNOWN_CAMERA, CameraProfile
from device.cameras.naming import camera_here, open_camera
from device.cameras.virtual import VirtualSeats, virtual_table
from device.cameras.wanted import CameraSettings
from device.live import recorded
from device.live.eye import Eye
from device.live.mat_reader import MatReader
from device.live.ports import Enlarging, Following, Reader, Source, Viewing
from device.live.source_name import SourceName
from device.live.starting import Agreed, Beginner
from device.live.stopwatch import Stopwatch
from device.workload import FULL_FPS
from engine.history import History
from engine.matching import Follower
from vision.pieces.looks import Looks
from vision.view import TableWatch


def open_source(
    name: SourceName,
    terms: Agreed,
    seats: VirtualSeats,
    fps: float = FULL_FPS,
    wanted: CameraSettings | None = None,
) -> Source | None:
    """The source, or None where moves are told by hand; raises OSError in a sentence.

    A camera is asked for so many pictures a second.
    """
    if name.kind == "video":
        return recorded.video(Path(name.rest))
    if name.kind == "images":
        return recorded.images(Path(name.rest))
    if name.kind == "virtual":
        return virtual_table(terms.game, terms.profile, seats)
    if name.kind == "auto":
        return camera_here(fps, wanted)
    return None if name.kind == "none" else open_camera(name, fps=fps, wanted=wanted)


def eye_for(
    terms: Agreed, *, joins: bool, watch: Stopwatch | None = None,
    camera: CameraProfile = UNKNOWN_CAMERA, looks: Looks | None = None, marker_mm: float = MARKER_MM,
    source: Source | None = None, reader: Reader | None = None,
) -> Eye:  # fmt: skip
    """The eye for a game's table; ``joins`` where a game in progress is to be taken up unasked.

    A ``source`` that has larger pictures than it sends is asked for them. Without a ``reader`` one is made
    that reads pictures of mats.
    """
    view: Viewing = TableWatch()
    reader = reader or MatReader(terms.game, camera, looks, marker_mm)
    follow = cast("Callable[[History], Following]", Follower.of)
    if watch is not None:
        view, reader, follow = watch.view(view), watch.reader(reader), watch.follow(follow)
    larger = source if isinstance(source, Enlarging) else None
    return Eye(view, reader, Beginner(terms, joins), follow, larger)
