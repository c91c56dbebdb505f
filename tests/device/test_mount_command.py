"""`pipwatch mount`: what it tells, draws and refuses."""

import json
from pathlib import Path

import pypdfium2
import pytest

from calibration import toml
from calibration.profiles import CameraProfile
from device.cli import main
from engine import GAMES

HERE = ["mount", "--game", "draw-game", "--camera", "pi-camera-3"]


def test_it_tells_height_field_pixels_and_tolerance(capsys: pytest.CaptureFixture[str]) -> None:
    """A short table that somebody can hang a camera by."""
    assert main(HERE) == 0
    told = capsys.readouterr().out
    assert "hang the lens 1090 mm above the table" in told
    assert "842 to 1098 mm will do: lower, the mat and its pieces would not fit into the picture" in told
    assert "the picture shows 1416 × 796 mm; the mat has 796 × 564 mm" in told
    assert "it may hang 83 mm off the middle or look 4° off straight down, or half of each" in told
    assert any(line.split()[:2] == ["domino", "48.0"] for line in told.splitlines())
    assert max(map(len, told.splitlines())) <= 100


def test_all_games_are_told_one_after_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    """`--game all` has a part for each."""
    assert main(["mount", "--game", "all", "--camera", "webcam-78", "--json"]) == 0
    guides = json.loads(capsys.readouterr().out)["guides"]
    assert [one["game"] for one in guides] == list(GAMES)
    assert all(one["fits"] and one["lowest_mm"] <= one["best_mm"] <= one["highest_mm"] for one in guides)
    assert all(one["at"]["sharp"] is None for one in guides)
    assert main(["mount", "--game", "all", "--camera", "webcam-78"]) == 0
    told = capsys.readouterr().out
    assert all(f"{game}: a webcam of 78 degrees" in told for game in GAMES)
    assert "is not known: try it before" in told


def test_a_height_is_answered_with_what_is_wrong_there(capsys: pytest.CaptureFixture[str]) -> None:
    """With --height one learns what one gets, and why it is no good."""
    assert main([*HERE, "--height", "500", "--json"]) == 0
    at = json.loads(capsys.readouterr().out)["guides"][0]["at"]
    assert at["height_mm"] == 500
    assert not at["sees_all"]
    assert at["lean_deg"] == 0
    assert at["remarks"][0] == "The mat may not fit into the picture: hang it at 842 mm or higher."
    assert main([*HERE, "--height", "2600", "--size", "1280x720"]) == 0
    told = capsys.readouterr().out
    assert "! A domino gets 18 pixels and needs 45: hang it lower." in told
    assert "too few" in told
    assert "hang the lens" not in told


def test_a_camera_that_does_not_fit_is_told_and_what_would(capsys: pytest.CaptureFixture[str]) -> None:
    """The long lens needs a hall; the same camera with the short lens does not."""
    assert main(["mount", "--game", "draw-game", "--camera", "pi-camera-hq-16mm"]) == 0
    told = capsys.readouterr().out
    assert "higher than a usual room allows" in told
    assert "! What fits: pi-camera-hq-6mm." in told


def test_a_profile_of_ones_own_and_larger_markers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A file is a camera as well, and markers of another size change what can be watched."""
    file = tmp_path / "mine.toml"
    file.write_text(toml.dump(CameraProfile("my camera", 70.0, sizes_px=((2560, 1920),))), encoding="utf-8")
    highest = []
    for side in ("32", "45"):
        assert main([
            "mount", "--game", "draw-game", "--camera", str(file), "--marker-mm", side, "--json",
        ]) == 0  # fmt: skip
        highest.append(json.loads(capsys.readouterr().out)["guides"][0]["highest_mm"])
    assert highest[0] < highest[1]


def test_the_drawing_is_an_svg_or_a_pdf(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Both hold the same words."""
    svg, pdf = tmp_path / "m.svg", tmp_path / "m.pdf"
    for out in (svg, pdf):
        assert main([*HERE, "-o", str(out)]) == 0
    capsys.readouterr()
    words = pypdfium2.PdfDocument(pdf.read_bytes())[0].get_textpage().get_text_range()
    for told in ("1090 mm from the table to the lens", "first player sits here", "upper edge of the picture"):
        assert told in svg.read_text(encoding="utf-8")
        assert told in words
    assert len(pypdfium2.PdfDocument(pdf.read_bytes())) == 1


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        (["--camera", "pi-camera-4"], "Did you mean 'pi-camera-"),
        (["--camera", "none.toml"], "none.toml cannot be read"),
        (["--size", "big"], "--size should be a width and a height in pixels such as 1920x1080, not 'big'"),
        (["--size", "9000x9000"], "Raspberry Pi Camera Module 3 gives 4608×2592 at most, not 9000×9000"),
        (["--height", "high"], "--height should be a number of millimetres such as 900, not 'high'"),
        (["--height", "5"], "hangs 59 to 20000 mm above the table, not 5"),
        (["--height", "nan"], "above the table, not nan"),
        (["--marker-mm", "500"], "markers should be 16 to 80 mm, not 500"),
        (["-o", "m.png"], "m.png should end in .svg or .pdf"),
        (["-o", "no/folder/m.svg"], "cannot be written: No such file or directory"),
        (["--game", "all", "-o", "m.svg"], "-o draws one table: say --game with one of dominoids"),
    ],
)
def test_bad_input_has_one_sentence(
    given: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong is said in a line, with exit status 2."""
    assert main([*HERE, *given]) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert len(told.splitlines()) == 1
