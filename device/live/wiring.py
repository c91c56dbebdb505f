"""The one place where the real parts of an eye are put together."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from calibration.marker_side import MARKER_MM
from calibration.profiles import UNKNOWN_CAMERA, CameraProfile
from device.cameras.naming import camera_here, open_camera
from device.cameras.virtual import VirtualTable
from device.cameras.wanted import CameraSettings
from device.live import recorded
from device.live.eye import Eye
from device.live.mat_reader import MatReader
from device.live.ports import Enlarging, Following, Gate, Reader, Source
from device.live.source_name import SourceName
from device.live.starting import Beginner, Terms
from device.live.stopwatch import Stopwatch
from device.workload import FULL_FPS
from engine.history import History
from engine.matching import Follower
from simulation.live_table import Conditions, LiveTable
from simulation.people import People
from simulation.strategy import decide
from simulation.temper import Temper
from simulation.whole_game import WholeGame
from vision import gate
from vision.pieces.looks import Looks


@dataclass(frozen=True)
class Seats:
    """The virtual table that is wanted, and who sits at it."""

    seed: int = 1
    speed: float = 1.0
    look: str = "random"
    stays: bool = False
    """Whether the last page stays once the game is over."""
    conditions: Conditions | None = None
    """What the table is like, where it is not the usual one."""
    temper: Temper = field(default_factory=Temper)


def open_source(
    name: SourceName, terms: Terms, seats: Seats, fps: float = FULL_FPS, wanted: CameraSettings | None = None
) -> Source | None:
    """The source, or None where moves are told by hand; raises OSError in a sentence.

    A camera is asked for so many pictures a second.
    """
    if name.kind == "video":
        return recorded.video(Path(name.rest))
    if name.kind == "images":
        return recorded.images(Path(name.rest))
    if name.kind == "virtual":
        return virtual_table(terms, seats)
    if name.kind == "auto":
        return camera_here(fps, wanted)
    return None if name.kind == "none" else open_camera(name, fps=fps, wanted=wanted)


def virtual_table(terms: Terms, seats: Seats) -> VirtualTable:
    """A whole game by people at the virtual table."""
    game = WholeGame.begin(terms.game, seed=seats.seed, profile=terms.profile, mind=decide)
    table = LiveTable(terms.game, seats.seed, game.layout, seats.conditions or Conditions(look=seats.look))
    people = People(game, table, seats.temper, seed=seats.seed)
    return VirtualTable(table, people, speed=seats.speed, stays=seats.stays)


def eye_for(
    terms: Terms, *, joins: bool, watch: Stopwatch | None = None,
    camera: CameraProfile = UNKNOWN_CAMERA, looks: Looks | None = None, marker_mm: float = MARKER_MM,
    source: Source | None = None, reader: Reader | None = None,
) -> Eye:  # fmt: skip
    """The eye for a game's table; ``joins`` where a game in progress is to be taken up unasked.

    A ``source`` that has larger pictures than it sends is asked for them. Without a ``reader`` one is made that
    reads pictures of mats.
    """
    gates: Callable[[tuple[int, int]], Gate] = gate.Gate
    reader = reader or MatReader(terms.game, camera, looks, marker_mm)
    follow = cast("Callable[[History], Following]", Follower.of)
    if watch is not None:
        gates, reader, follow = watch.gates(gates), watch.reader(reader), watch.follow(follow)
    larger = source if isinstance(source, Enlarging) else None
    return Eye(gates, reader, Beginner(terms, joins), follow, larger)
