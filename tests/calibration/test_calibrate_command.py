"""`pipwatch calibrate`: answers on stdout, one sentence for bad input, nothing written then."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from benchmarks.geometry import board_picture
from benchmarks.marker_frames import FrameLook, Scenery, board_frame, draw
from benchmarks.rigs import at_board
from calibration.camera import Camera, Lens, Pose
from calibration.mats import MarkerPlace, loose_markers
from calibration.profiles import camera_profile
from device.cli import main

LENS = Lens.from_field_of_view((1280, 720), 64.0)
CAMERA = Camera(LENS, Pose.above(900, tilt_deg=12))
MARKERS = loose_markers((620, 420))


def saved(path: Path, *markers: MarkerPlace, mirrored: bool = False) -> str:
    """A picture of markers as a file."""
    grey = draw(CAMERA, Scenery(markers), FrameLook(), np.random.default_rng(0))
    cv2.imwrite(str(path), grey[:, ::-1] if mirrored else grey)
    return str(path)


def test_check_tells_the_table(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`calibrate check --json` gives scale, tilt and the markers' places."""
    file = saved(tmp_path / "a.png", *MARKERS)
    assert main(["calibrate", "check", file, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["markers"] == [0, 1, 2, 3]
    assert answer["mm_per_px"] == pytest.approx(CAMERA.mm_per_px(), rel=0.01)
    assert answer["tilt_deg"] == pytest.approx(12, abs=2)
    assert main(["calibrate", "check", file]) == 0
    assert "lens not calibrated" in capsys.readouterr().out


def test_a_print_at_97_percent_is_reckoned_with(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The measured bar sets the scale, and the user is told."""
    shrunk = [replace(m, side_mm=32 * 0.97) for m in MARKERS]
    file = saved(tmp_path / "a.png", *shrunk)
    assert main(["calibrate", "check", file, "--json", "--bar-mm", "97"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["mm_per_px"] == pytest.approx(CAMERA.mm_per_px(), rel=0.01)
    assert "printed at 97 %" in said.err


def test_lens_from_board_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`calibrate lens` guides from photo to photo and writes a profile that other commands take."""
    rng = np.random.default_rng(3)
    board, files = board_picture(), []
    for index in range(9):
        files.append(str(tmp_path / f"{index}.png"))
        cv2.imwrite(files[-1], board_frame(at_board(LENS, rng), board, 0.25, FrameLook(), rng))
    out = tmp_path / "cam.toml"
    assert main(["calibrate", "lens", *files, "--title", "Desk", "-o", str(out)]) == 0
    said = capsys.readouterr()
    assert "next: hold the board" in said.err
    assert "degrees wide" in said.out
    profile = camera_profile(out)
    assert profile.title == "Desk"
    assert profile.horizontal_deg == pytest.approx(64, abs=0.5)
    picture = saved(tmp_path / "t.png", *MARKERS)
    assert main(["calibrate", "check", picture, "--camera", str(out)]) == 0
    assert "not calibrated" not in capsys.readouterr().out


def test_each_bad_picture_has_its_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """No marker, a twin, a mirrored picture, another size, no picture: exit status 2 and one line each."""
    small = tmp_path / "small.png"
    cv2.imwrite(str(small), np.zeros((100, 200), dtype=np.uint8))
    (tmp_path / "text.png").write_text("hello")
    twin = replace(MARKERS[1], centre_mm=(0.0, 0.0))
    good = saved(tmp_path / "good.png", *MARKERS)
    cases = {
        "no marker can be seen": [saved(tmp_path / "none.png")],
        "twice": [saved(tmp_path / "twin.png", *MARKERS, twin)],
        "mirrored": [saved(tmp_path / "mirror.png", *MARKERS, mirrored=True)],
        "200×100": [good, str(small)],
        "is no picture": [str(tmp_path / "text.png")],
        "cannot be read": [str(tmp_path / "absent.png")],
        "actual size": [good, "--bar-mm", "50"],
        "16 to 80": [good, "--marker-mm", "5"],
        "Did you mean": [good, "--camera", "pi-camera-4"],
    }
    for word, arguments in cases.items():
        assert main(["calibrate", "check", *arguments]) == 2, word
        said = capsys.readouterr()
        assert word in said.err.replace("\n", " "), said.err
        assert len(said.err.strip().splitlines()) == 1, said.err
        assert said.out == ""


def test_nothing_is_written_where_nothing_was_learned(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Too few photos of the board, a wrong ending, an absent folder: no file appears."""
    picture = saved(tmp_path / "good.png", *MARKERS)
    for out, word in (("cam.toml", "too few"), ("cam.txt", "end in .toml"), ("no/cam.toml", "not there")):
        assert main(["calibrate", "lens", picture, "-o", str(tmp_path / out)]) == 2
        assert word in capsys.readouterr().err
        assert not (tmp_path / out).exists()
