"""Lenses that are kept, and which of them counts at a terminal."""

from argparse import Namespace
from pathlib import Path

import pytest

from calibration import toml
from calibration.camera_errors import BadProfileFile
from calibration.profiles import UNKNOWN_CAMERA, CameraProfile, camera_profile
from device.cameras.wanted import CameraSettings
from device.cli import UserError
from device.cli.refereeing import _own
from device.lenses import chosen_lens, lens_file, lens_names
from device.live.source_name import source_name
from device.settings import Settings

DEN = CameraProfile("Den", 61.0)


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one lens."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    (tmp_path / "calibration").mkdir()
    path = tmp_path / "calibration" / "den.toml"
    path.write_text(toml.dump(DEN))
    return path


def test_a_lens_is_one_s_own_or_one_that_is_shipped(kept: Path) -> None:
    """One's own goes before a shipped one of the same name; without a name nothing is known."""
    assert lens_names()[0] == "den"
    assert chosen_lens("den") == DEN
    assert chosen_lens("webcam-78") == camera_profile("webcam-78")
    assert chosen_lens("") == UNKNOWN_CAMERA
    kept.rename(kept.with_name("webcam-78.toml"))
    assert chosen_lens("webcam-78") == DEN
    assert lens_names().count("webcam-78") == 1


@pytest.mark.parametrize("name", ["attic", "../config", "den.toml", "/etc/passwd", "Den"])
def test_a_name_is_never_a_way_elsewhere(name: str) -> None:
    """What is not kept under that very name is missed, in a sentence."""
    assert name == "attic" or lens_file(name) is None
    with pytest.raises(BadProfileFile, match="is not kept here any more"):
        chosen_lens(name)
    if name != "attic":
        with pytest.raises(ValueError, match="lens should be a name"):
            CameraSettings(lens=name)


def asked(source: str, camera: str | None = None) -> Namespace:
    """What somebody typed."""
    return Namespace(source=source, camera=camera, looks=None, marker_mm=None)


@pytest.mark.parametrize(
    ("source", "camera", "lens"),
    [
        ("auto", None, "den"), ("webcam:2", None, "den"), ("webcam:3", None, ""), ("virtual", None, ""),
        ("auto", "webcam-78", "webcam-78"),
    ],
)  # fmt: skip
def test_at_a_terminal_the_lens_of_the_settings_is_that_of_their_camera(
    source: str, camera: str | None, lens: str
) -> None:
    """What is typed goes before it, and another source has another lens."""
    settings = Settings(camera=CameraSettings("webcam:2", lens="den"))
    assert _own(asked(source, camera), source_name(source), settings)[0] == chosen_lens(lens)


def test_a_lens_that_is_gone_is_told_at_a_terminal() -> None:
    """One sentence, and nothing begins."""
    settings = Settings(camera=CameraSettings(lens="attic"))
    with pytest.raises(UserError, match="The lens “attic” is not kept here any more"):
        _own(asked("auto"), source_name("auto"), settings)
