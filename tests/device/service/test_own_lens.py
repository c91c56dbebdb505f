"""The lens that a box reads tables with: as it was calibrated for it, or as the sensor's entry says."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from calibration import toml
from calibration.camera import Lens
from calibration.lens import LensFit
from calibration.profiles import UNKNOWN_CAMERA, CameraProfile, camera_profile
from device.cli import calibrate, for_the_box, main
from device.keeping.belongings import belongings
from device.lenses import lens_file, lens_of
from device.service.own_lens import box_lens

WATCHED, FULL = (1280, 720), (4608, 2592)
FOUND = Lens(FULL, (1900.0, 1905.0), (2310.0, 1290.0), (-0.2, 0.03, 0.001, 0.0, 0.0))
"""A wide lens as photos of the lens board told it."""


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A box of the test's own."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setenv("PIPWATCH_CONFIG", str(tmp_path / "config.toml"))
    return tmp_path


def keep(camera: str, lens: Lens) -> None:
    """A lens as it is kept for a camera."""
    path = lens_file(lens_of(camera))
    assert path is not None
    path.parent.mkdir(exist_ok=True)
    path.write_text(toml.dump(CameraProfile("mine", round(lens.horizontal_deg, 2), lens=lens)))


def test_a_wide_module_is_read_as_one_as_soon_as_it_has_said_so() -> None:
    """Before that, and where no sensor is known, it is a camera that nothing is known of."""
    said = [""]
    lens = box_lens("picamera", lambda: said[0])
    assert lens.knowledge(WATCHED) == UNKNOWN_CAMERA.knowledge(WATCHED)
    for said[0] in ("imx708_wide", "imx708_wide_noir"):
        known = lens.knowledge(WATCHED)
        assert known == camera_profile("pi-camera-3-wide").knowledge(WATCHED)
        assert known.lens.horizontal_deg == pytest.approx(102)
    said[0] = "imx999"
    assert lens.knowledge(WATCHED) == UNKNOWN_CAMERA.knowledge(WATCHED)


@pytest.mark.parametrize(("name", "entry"), [
    ("webcam:046d:082d", "webcam-78"), ("webcam:046d:08e5:8F3A-1@1-1.2", "webcam-78"),
    ("webcam:046d:085e", "webcam-4k-90"), ("webcam:046d:0825", "unknown"), ("webcam:0", "unknown"),
])  # fmt: skip
def test_a_usb_camera_that_is_known_is_read_with_what_its_maker_says_of_it(name: str, entry: str) -> None:
    """By maker and model, whatever its serial number and its socket; of others nothing is known."""
    assert box_lens(name, str).knowledge(WATCHED) == camera_profile(entry).knowledge(WATCHED)


def test_a_usb_camera_that_was_calibrated_is_read_so_though_its_entry_says_otherwise() -> None:
    """Some can be set to see half as much, and cut off what another shape of picture does not need."""
    narrow = Lens((1280, 960), (1600.0, 1600.0), (640.0, 480.0), (0.0, 0.0, 0.0, 0.0, 0.0))
    keep("webcam:046d:085e", narrow)
    assert box_lens("webcam:046d:085e", str).knowledge((1280, 960)).lens == narrow


@pytest.mark.parametrize("sensor", ["imx477", "imx296"])
def test_a_sensor_onto_which_any_lens_is_screwed_says_nothing_of_it(sensor: str) -> None:
    """The HQ and the GS camera have an entry for each lens, and the lens is nobody's to tell."""
    assert box_lens("picamera", lambda: sensor).knowledge(WATCHED) == UNKNOWN_CAMERA.knowledge(WATCHED)


@pytest.mark.parametrize(("size", "height"), [((960, 720), 720), ((720, 1280), 1280), ((720, 960), 960)])
def test_what_is_cut_off_or_turned_changes_no_focal_length(size: tuple[int, int], height: int) -> None:
    """`watch_size` of another shape shows less of the sides; `rotate` makes the height of the width."""
    lens = box_lens("picamera", lambda: "imx708_wide")
    whole, found = lens.knowledge(WATCHED).lens, lens.knowledge(size).lens
    rows = height if size[0] > size[1] else size[0]
    assert found.size_px == size
    assert np.allclose(found.focal_px, [focal * rows / WATCHED[1] for focal in whole.focal_px])
    assert np.allclose(found.centre_px, [(size[0] - 1) / 2, (size[1] - 1) / 2])


def test_a_calibrated_lens_is_taken_for_pictures_that_show_the_same(state: Path) -> None:
    """Of any size; not of another shape, of another camera, nor of a module that hung there before."""
    keep("picamera", FOUND)
    said = ["imx708_wide"]
    lens = box_lens("picamera", lambda: said[0])
    known = lens.knowledge(WATCHED)
    assert known.is_settled
    assert known.lens == FOUND.scaled_to(WATCHED)
    assert lens.knowledge(FULL).lens == FOUND
    assert not lens.knowledge((960, 720)).is_settled
    said[0] = "imx708"
    assert lens.knowledge(WATCHED) == camera_profile("pi-camera-3").knowledge(WATCHED)
    said[0] = ""
    assert lens.knowledge(WATCHED).is_settled
    assert not box_lens("webcam:0", lambda: "").knowledge(WATCHED).is_settled
    (state / "calibration" / "picamera.toml").write_text("nonsense")
    assert not lens.knowledge(WATCHED).is_settled


@pytest.mark.parametrize(
    ("more", "name"), [(["--of", "webcam:2"], "webcam-2"), (["--of", "picamera"], "picamera")]
)
def test_a_lens_that_is_learned_is_the_box_s_and_goes_into_its_backups(
    state: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    more: list[str],
    name: str,
) -> None:
    """Without -o; the service reads with it from the next match on."""
    fit = LensFit(lens=FOUND, rms_px=0.2, focal_doubt=0.001, shots=11)
    monkeypatch.setattr(calibrate, "_lens_from_board", lambda _images: fit)
    assert main(["calibrate", "lens", "a.jpg", *more]) == 0
    assert "degrees wide" in capsys.readouterr().out
    assert [kept for kept, _ in belongings(state)] == [f"calibration/{name}.toml"]
    known = box_lens(more[1], lambda: "imx708_wide").knowledge(WATCHED)
    assert np.allclose(known.lens.focal_px, FOUND.scaled_to(WATCHED).focal_px, rtol=1e-3)


def test_root_gives_it_to_the_box_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Its own user writes the file; nothing is written where root happens to live."""
    given: list[Any] = []
    monkeypatch.setattr(for_the_box, "is_meant", lambda: True)
    monkeypatch.setattr(for_the_box, "STATE", tmp_path / "box")
    monkeypatch.setattr(for_the_box, "write", lambda place, text: given.append((place, text)))
    fit = LensFit(lens=replace(FOUND), rms_px=0.2, focal_doubt=0.001, shots=11)
    monkeypatch.setattr(calibrate, "_lens_from_board", lambda _images: fit)
    assert main(["calibrate", "lens", "a.jpg", "--of", "picamera"]) == 0
    ((place, text),) = given
    assert place == tmp_path / "box" / "calibration" / "picamera.toml"
    assert toml.parse(text, CameraProfile, "x").lens is not None
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("camera", ["virtual", "video:a.mp4", "nonsense"])
def test_only_a_camera_has_a_lens(capsys: pytest.CaptureFixture[str], camera: str) -> None:
    """One sentence, and nothing is written."""
    assert main(["calibrate", "lens", "a.jpg", "--of", camera]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
