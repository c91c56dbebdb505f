"""A settled table is read in the camera's large picture, if that shows the same still moment."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from device.cameras.own_process import Apart, program
from device.cameras.wanted import CameraSettings
from device.live.enlarged import LATE, UNLIKE
from device.live.eye import Eye
from device.live.mat_reader import MatReader
from device.live.messages import Position
from device.live.ports import Picture, Seen, Shot
from device.live.starting import Agreed
from device.live.wiring import eye_for
from device.match.signals import Kind, Saw, Signal, Told
from simulation.picture import shoot
from simulation.random_scene import game_table
from tests.device.live.scripted import (
    Beginning,
    ScriptedSource,
    ScriptedView,
    Stage,
    TruthFollower,
    TruthReader,
    picture_of,
    shows,
)  # fmt: skip
from tests.device.live.test_eye import FACTS, LEGAL, game
from vision.view import FrameState, TableView, TableWatch

LARGE, SMALL = (1600, 1200), (640, 480)


@dataclass
class LargeCamera:
    """Has a large picture ready a while after it was asked for, or never."""

    after_s: float | None = 0.15
    black: bool = False
    asked: list[int] = field(default_factory=list)
    now_s: float = 0.0
    due: list[float] = field(default_factory=list)

    def ask_large(self, count: int = 1, share: float = 1e3) -> bool:
        """Take the wish down."""
        assert share == 2
        self.asked.append(count)
        self.due = [] if self.after_s is None else [self.now_s + self.after_s + 0.1 * k for k in range(count)]
        return True

    def came_large(self) -> Sequence[Shot]:
        """Those whose time has come."""
        found = [at for at in self.due if at <= self.now_s]
        self.due = [at for at in self.due if at > self.now_s]
        return [Shot(0, at, self._picture(round(at * 10))) for at in found]

    def _picture(self, number: int) -> Picture:
        large = cv2.resize(picture_of(number), None, fx=2, fy=2, interpolation=cv2.INTER_NEAREST)
        return np.zeros_like(large) if self.black else np.asarray(large, dtype=np.uint8)


class WidthReader(TruthReader):
    """Keeps how wide the pictures were that it read."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.widths: list[int] = []

    def read(self, table: TableView, before: Seen | None = None) -> Seen | str:
        """What lies there."""
        self.widths.append(table.picture.shape[1])
        return super().read(table, before)


def played(stage: Stage, camera: LargeCamera) -> tuple[list[int], list[tuple[float, Signal]]]:
    """How wide the pictures were that were read, and what was said when."""
    reader, base = WidthReader(stage), game(*FACTS)
    eye = Eye(ScriptedView(stage), reader, Beginning(base), TruthFollower, camera)
    source, said = ScriptedSource(stage), []
    while isinstance(shot := source.next(0), Shot):
        camera.now_s = shot.at_s
        said += [(shot.at_s, one) for one in eye.see(shot, Position(base))]
    return reader.widths, said


def test_a_settled_table_is_read_large_once_a_frame_after_it_is_settled_too() -> None:
    """One picture is asked for; it is read with the first frame that comes after it, and only once."""
    stage = Stage()
    stage.show(FrameState.SETTLED, shows(FACTS), 8)
    camera = LargeCamera()
    widths, said = played(stage, camera)
    assert widths == [128]
    assert camera.asked == [1]
    assert [round(at, 1) for at, one in said if isinstance(one, Saw)] == [0.2]


def test_a_hand_that_comes_in_between_voids_it_and_the_small_one_is_read() -> None:
    """What the table showed before the hand came is told before the hand is; that is no failure."""
    stage = Stage()
    for number in range(4):
        stage.show(FrameState.SETTLED, shows([*FACTS, LEGAL[0]] if number else FACTS))
        stage.show(FrameState.HAND, frames=3)
    camera = LargeCamera()
    widths, said = played(stage, camera)
    assert widths == [64] * 4
    assert len(camera.asked) == 4
    kinds = [one.kind for _, one in said if one.kind in (Kind.NOTHING, Kind.LEGAL, Kind.HAND)]
    assert kinds[:4] == [Kind.NOTHING, Kind.HAND, Kind.LEGAL, Kind.HAND]
    assert not [one for _, one in said if one.kind is Kind.FAILED]


@pytest.mark.parametrize(("camera", "words"), [
    (LargeCamera(after_s=None), LATE), (LargeCamera(after_s=5.0), LATE), (LargeCamera(black=True), UNLIKE),
])  # fmt: skip
def test_without_a_large_picture_the_small_one_is_read_and_that_is_told_once(
    camera: LargeCamera, words: str
) -> None:
    """After two seconds at most; after two failures it is left alone for half a minute."""
    stage = Stage()
    for number in range(6):
        stage.show(FrameState.HAND, frames=2)
        stage.show(FrameState.SETTLED, shows([*FACTS, LEGAL[0]] if number else FACTS), 25)
    camera = replace(camera, asked=[], due=[])
    widths, said = played(stage, camera)
    assert widths == [64] * 6
    assert [one.words for _, one in said if isinstance(one, Told) and one.kind is Kind.FAILED] == [words]
    assert len(camera.asked) == 2
    reads = [at for at, one in said if isinstance(one, Saw)]
    assert reads[0] - 0.2 == pytest.approx(2.0 if words is LATE else 0.2, abs=0.11)
    assert reads[4] - 0.2 - 4 * 2.7 < 0.11  # nobody waits any more


def test_what_is_looked_at_a_second_time_is_asked_for_several_times() -> None:
    """A table that would disturb people is read again, in three large pictures that vote."""
    stage = Stage()
    stage.show(FrameState.SETTLED, shows(FACTS), 5)
    stage.show(FrameState.HAND)
    stage.show(FrameState.SETTLED, shows(["1: take 1"]), 14)
    camera = LargeCamera()
    widths, said = played(stage, camera)
    assert set(widths) == {128}
    assert 3 in camera.asked
    assert [one.kind for _, one in said if isinstance(one, Saw)] == [Kind.NOTHING, Kind.DIFFERENT]


def test_a_camera_that_was_away_owes_nothing() -> None:
    """What was asked for before is not waited for any more: the table is read anew."""
    stage = Stage()
    stage.show(FrameState.SETTLED, shows(FACTS), 6)
    reader, base, camera = WidthReader(stage), game(*FACTS), LargeCamera(after_s=None)
    eye = Eye(ScriptedView(stage), reader, Beginning(base), TruthFollower, camera)
    source, kinds = ScriptedSource(stage), []
    for number in range(6):
        shot = source.next(0)
        assert isinstance(shot, Shot)
        if number == 3:
            eye.wake()
            camera.after_s = 0.0
        camera.now_s = shot.at_s
        kinds += [one.kind for one in eye.see(shot, Position(base))]
    assert camera.asked == [1, 1]
    assert reader.widths == [128]


# — with pixels —


def shrunk(picture: Picture, size: tuple[int, int] = SMALL) -> Picture:
    """As the small stream shows it."""
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def test_the_gate_knows_whether_a_large_picture_shows_what_is_settled() -> None:
    """The same table does, in a little more light too; a tile that is gone, a torn and a black one do not."""
    scene = game_table("draw-game", 12, LARGE, 14)
    large, rng = shoot(scene).picture, np.random.default_rng(2)
    watch, at_s, look = TableWatch(), 0.0, None
    while look is None or not look.settled:
        frame = np.clip(shrunk(large) + rng.normal(0, 1.5, (480, 640, 3)), 0, 255).astype(np.uint8)
        look, at_s = watch.see(frame, at_s), at_s + 0.1
    assert watch.shows(large)
    assert watch.shows(np.minimum(large * 1.05, 255).astype(np.uint8))
    tile = next(one for one in scene.pieces if one.kind == "domino" and one.face == "up")
    less = replace(scene, pieces=tuple(one for one in scene.pieces if one is not tile))
    assert not watch.shows(shoot(less).picture)
    torn = large.copy()
    torn[700:] = 99
    assert not watch.shows(torn)
    assert not watch.shows(np.zeros_like(large))


def test_what_is_read_large_is_told_in_the_pixels_that_are_watched() -> None:
    """A reader that follows a small picture reads more of the large one, in the same places."""
    large = shoot(game_table("draw-game", 4, LARGE, 14)).picture
    small = shrunk(large)
    told = []
    for picture in (small, large):
        reader = MatReader("draw-game")
        reader.steady(small, 0.0)
        seen = reader.read(TableView(picture, view=1))
        assert isinstance(seen, Seen)
        told.append(seen)
    few, many = ([one for one in seen.scene.sightings if one.kind == "domino"] for seen in told)
    assert len(many) >= len(few) > 0
    whole = [one for one in few if any(_is_near(one, other) for other in many)]
    assert len(whole) >= 0.9 * len(few)
    corners = np.array([point for mark in told[1].marks for point in mark.outline])
    assert corners.max() < 640
    assert corners[:, 0].max() > 320


@pytest.mark.parametrize("name", ["dominoids", "draw-game"])
def test_pictures_are_wanted_as_large_as_they_are_read_best(name: str) -> None:
    """The virtual table's are: nobody asks for larger ones. Of half the size, larger ones are."""
    whole = shoot(game_table(name, 4, (1280, 960), 0)).picture
    for picture, least, most in ((whole, 1.0, 1.0), (shrunk(whole), 1.7, 2.3)):
        reader = MatReader(name)
        assert reader.larger() == 1.0  # where the table is not known, nobody knows
        reader.steady(picture, 0.0)
        assert least <= reader.larger() <= most


def _is_near(one: object, other: object) -> bool:
    return abs(one.x - other.x) < 3 and abs(one.y - other.y) < 3  # type: ignore[attr-defined]


def test_a_camera_with_two_streams_is_watched_small_and_read_large(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole chain over the stand-in: dominoes of the large picture are told, and nothing failed."""
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[1] / "stand_in"))
    monkeypatch.setenv("STAND_IN", str(tmp_path))
    cv2.imwrite(str(tmp_path / "scene.png"), shoot(game_table("draw-game", 4, LARGE, 14)).picture)
    (tmp_path / "plan").write_text("fine")
    wanted = CameraSettings(size=LARGE, watch_size=(480, 360), fps=10.0, focus=2.5, exposure="locked")
    source = Apart(program("picamera", wanted.to_json(), "0.05"), "The camera")
    told: list[tuple[int, int]] = []
    read = MatReader.read

    def noted(self: MatReader, table: TableView, before: Seen | None = None) -> Seen | str:
        seen = read(self, table, before)
        told.append((table.picture.shape[1], len(seen.scene.sightings) if isinstance(seen, Seen) else 0))
        return seen

    monkeypatch.setattr(MatReader, "read", noted)
    # Beside other programs the camera's process may take longer than a table waits.
    monkeypatch.setattr("device.live.enlarged.WAIT_S", 60.0)
    eye = eye_for(Agreed("draw-game"), joins=False, source=source)
    said: list[Signal] = []
    until = time.monotonic() + 150
    try:
        while time.monotonic() < until and not (told and told[-1][0] > 1000):
            shot = source.next(0.5)
            if isinstance(shot, Shot):
                said += eye.see(shot, Position(None))
    finally:
        source.close()
    assert 1200 < told[-1][0] < LARGE[0]  # as large as it is read best
    assert told[-1][1] >= 14
    assert not [one for one in said if one.kind is Kind.FAILED]
