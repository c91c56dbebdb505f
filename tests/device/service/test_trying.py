"""A test move: what is read, and what a person would say has changed since the look before."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from calibration import toml
from calibration.camera import Lens
from calibration.camera_errors import BadProfileFile
from calibration.profiles import CameraProfile, camera_profile
from device.cameras.wanted import CameraSettings
from device.folders import lenses_folder
from device.lenses import lens_file
from device.live.mat_reader import MatReader
from device.live.ports import Shot
from device.service.front import Front
from device.service.host import Host
from device.service.kept_camera import KeptCamera
from device.service.trying import NOTHING, STILL, AsInMatches, TriedPiece, Trying, changes
from device.settings import Settings
from simulation.picture import shoot
from simulation.random_scene import game_table
from tests.vision.pieces.test_looks import read
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout

ONE, TWO = TriedPiece("domino 3-5", 0.2, 0.2), TriedPiece("die 4", 0.6, 0.3)
AGAIN = TriedPiece("domino 3-5", 0.7, 0.4)


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        (None, [], [NOTHING]),
        (None, [ONE], []),
        ([ONE, TWO], [TWO, ONE], [STILL]),
        ([ONE], [TriedPiece("domino 3-5", 0.207, 0.2)], [STILL]),
        ([ONE, TWO], [AGAIN, TWO], ["domino 3-5 has moved."]),
        ([ONE], [ONE, TWO], ["die 4 has come."]),
        ([ONE, TWO], [ONE], ["die 4 is gone."]),
        ([ONE], [ONE, AGAIN], ["domino 3-5 has come."]),
        ([ONE, AGAIN], [ONE], ["domino 3-5 is gone."]),
        ([TWO], [TriedPiece("die 6", 0.6, 0.3)], ["die 6 has come.", "die 4 is gone."]),
    ],
)
def test_what_has_changed_is_said(
    before: Sequence[TriedPiece] | None, now: Sequence[TriedPiece], told: list[str]
) -> None:
    """What lies where it lay is left out; of two that look alike the one nearby is the same."""
    assert changes(before, now) == told


def test_each_look_is_held_against_the_one_before() -> None:
    """The picture shows what was read; beginning anew forgets; without a picture nothing is told."""
    picture = np.full((300, 2000, 3), 90, np.uint8)
    pictures = iter([picture, picture, None, picture, picture])
    found: Iterator[list[Read]] = iter([[read(80, 80)], [read(900, 80)], [read(80, 80)], [read(80, 80)]])
    trying = Trying(lambda: next(pictures), lambda _seen: Readout((2000, 300), tuple(next(found)), {}))
    first = trying.look()
    assert first is not None
    assert first.to_json() == {"pieces": ["coin moons?"], "changed": []}
    shown = cv2.imdecode(np.frombuffer(first.jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    assert shown.shape == (144, 960, 3)
    assert shown.std() > 1
    second = trying.look()
    assert second is not None
    assert second.changed == ("coin moons? has moved.",)
    assert trying.look() is None
    third = trying.look(anew=True)
    assert third is not None
    assert third.changed == ()
    fourth = trying.look()
    assert fourth is not None
    assert fourth.changed == (STILL,)


class Still:
    """A camera over a table that nobody touches."""

    recorded = False

    def __init__(self, picture: Any) -> None:
        self._picture = picture

    def next(self, _timeout_s: float) -> Shot:
        """The same picture again."""
        return Shot(1, 0.0, self._picture)

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture(scope="module")
def table() -> Any:
    """A picture of a table with its mat."""
    return shoot(game_table("draw-game", 4, (1280, 960), 0)).picture


def test_the_test_move_sees_the_table_by_the_lens_by_which_a_match_does(table: Any) -> None:
    """The same millimetres as the reader of a match has, by a calibrated lens and by a known camera's."""
    own = game_table("draw-game", 4, (1280, 960), 0).camera.lens
    for lens in (CameraProfile("Den", 64.0, lens=own), camera_profile("webcam-78")):
        read = AsInMatches(lambda lens=lens: lens, 32.0)(table)  # type: ignore[misc]
        reader = MatReader("draw-game", lens)
        reader.steady(table, 0.0)
        assert reader._follower is not None
        assert read.table is not None
        assert read.table.camera.lens == reader._follower.table.camera.lens
        assert np.allclose(read.table.camera.pose.rotation, reader._follower.table.camera.pose.rotation)
    smaller = AsInMatches(lambda: camera_profile("webcam-78"), 45.0)(table)
    assert smaller.table is not None
    assert smaller.table.camera.mm_per_px() > 1.3 * read.table.camera.mm_per_px()


def test_a_lens_that_no_match_would_take_is_told_by_the_test_move(
    table: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is gone, one that is broken, one for pictures of another size; the right one is taken."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    settings = Settings(camera=CameraSettings(lens="den"))
    camera = KeptCamera(lambda: Still(table))
    box = Host(settings, Front(lambda: cast("Any", None), 8000), tmp_path, camera=camera)
    with pytest.raises(BadProfileFile, match="The lens “den” is not kept here any more"):
        box.tried(True)
    lenses_folder().mkdir()
    path = lens_file("den")
    assert path is not None
    path.write_text("title = 3")
    with pytest.raises(BadProfileFile, match="The lens “den” cannot be used"):
        box.tried(True)
    profile = CameraProfile("Den", 64.0, lens=Lens.from_field_of_view((640, 480), 64.0))
    path.write_text(toml.dump(profile))
    with pytest.raises(BadProfileFile, match="is for pictures of 640×480, and these are 1280×960"):
        box.tried(True)
    path.write_text(toml.dump(CameraProfile("Den", 64.0)))
    seen = box.tried(True)
    assert seen is not None
    assert seen.lies
    camera.close()
