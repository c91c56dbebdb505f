"""`pipwatch simulate`: a video and its truth, or one sentence and nothing written."""

import json
from pathlib import Path

import cv2
import pytest

from device.cli import main
from device.cli import simulate as simulate_command

SMALL = ["--moves", "1", "--size", "320x240", "--fps", "3", "--tilt", "5"]


def simulate(folder: Path, out: str, *more: str, game: str = "draw-game") -> int:
    """The command's exit status."""
    return main(
        ["simulate", game, "--out", str(folder / out), "--truth", str(folder / "t.jsonl"), *SMALL, *more]
    )


def frames_in(video: Path) -> int:
    """How many frames can be read from a video."""
    capture = cv2.VideoCapture(str(video))
    count = 0
    while capture.read()[0]:
        count += 1
    return count


@pytest.mark.parametrize("ending", ["mp4", "avi"])
def test_a_video_has_the_frames_that_the_truth_counts(tmp_path: Path, ending: str) -> None:
    """The film's line says how many frames there are, each line is JSON, and moves fit the video."""
    assert simulate(tmp_path, f"v.{ending}") == 0
    header, *rest = (json.loads(line) for line in (tmp_path / "t.jsonl").read_text().splitlines())
    assert frames_in(tmp_path / f"v.{ending}") == header["frames"]
    assert [line["type"] for line in rest].count("move") == 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["t.jsonl", f"v.{ending}"]


def test_frames_can_be_pictures(tmp_path: Path) -> None:
    """A folder gets one PNG file a frame."""
    assert simulate(tmp_path, "frames") == 0
    header = json.loads((tmp_path / "t.jsonl").read_text().splitlines()[0])
    files = sorted((tmp_path / "frames").iterdir())
    assert len(files) == header["frames"]
    assert cv2.imread(str(files[0])).shape == (240, 320, 3)


def test_without_a_codec_frames_become_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where OpenCV cannot write the video, PNG frames take its place, and that is said."""
    monkeypatch.setattr(cv2.VideoWriter, "fourcc", lambda *_: 0x21212121)
    assert simulate(tmp_path, "v.mp4") == 0
    assert "frames go to" in capsys.readouterr().err
    assert len(list((tmp_path / "v").glob("*.png"))) > 5


WRONG = {
    "the game": (["--seed", "1"], "chess", "There is no game 'chess'"),
    "moves": (["--moves", "0"], "draw-game", "--moves should be 1 or more, not 0."),
    "seed": (["--seed", "-1"], "draw-game", "--seed should be 0 or more, not -1."),
    "share": (["--illegal", "1.5"], "draw-game", "--illegal should be a share between 0 and 1, not 1.5."),
    "trouble": (["--trouble", "lamp,rain"], "draw-game", "there is no trouble 'rain'; known are lamp,"),
    "size": (["--size", "big"], "draw-game", "--size should read like 1280x960, not 'big'."),
    "odd size": (["--size", "641x480"], "draw-game", "--size should be even numbers between 240 and"),
    "fps": (["--fps", "0"], "draw-game", "--fps should be between 1 and 60, not 0."),
    "tilt": (["--tilt", "80"], "draw-game", "--tilt should be between 0 and 25 degrees, not 80."),
    "look": (["--look", "glass"], "draw-game", "there is no look 'glass'; known are random,"),
    "profile": (["--profile", "mine"], "draw-game", "mine"),
}


@pytest.mark.parametrize("case", sorted(WRONG))
def test_what_is_wrong_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], case: str
) -> None:
    """Bad input ends in exit status 2, one line, and no file."""
    more, game, sentence = WRONG[case]
    assert simulate(tmp_path, "v.mp4", *more, game=game) == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert told.count("\n") == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("out", "sentence"),
    [
        ("v.mov", "--out should end in .mp4 or .avi"),
        ("none/v.mp4", "there is no folder"),
        ("full", "--out should be a new or empty folder"),
        ("t.jsonl.mp4/../t.jsonl", "--out should end in"),
    ],
)
def test_files_that_cannot_be_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], out: str, sentence: str
) -> None:
    """Wrong endings, missing folders and folders in use are refused before anything is drawn."""
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    assert simulate(tmp_path, out) == 2
    assert sentence in capsys.readouterr().err
    assert not (tmp_path / "t.jsonl").exists()


@pytest.mark.parametrize("length", [246, 300])
@pytest.mark.parametrize("flag", ["--out", "--truth"])
def test_a_place_that_takes_no_file_is_told_before_anything_is_drawn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], flag: str, length: int
) -> None:
    """A name that the disk refuses ends in one sentence and exit status 2, and leaves neither file."""
    files = {"--out": tmp_path / "v.mp4", "--truth": tmp_path / "t.jsonl"}
    files[flag] = files[flag].with_stem("n" * length)
    given = [str(word) for pair in files.items() for word in pair]
    assert main(["simulate", "draw-game", *given, *SMALL]) == 2
    told = capsys.readouterr().err
    assert "cannot be written: " in told
    assert "File name too long" in told
    assert told.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_film_that_is_broken_off_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the drawing is interrupted, the unfinished video goes away."""

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(simulate_command, "_shoot", interrupted)
    assert simulate(tmp_path, "v.mp4") == 130
    assert not list(tmp_path.iterdir())


def test_a_disk_that_fills_up_is_told_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """An error of the disk while filming ends in exit status 2 and leaves no half video."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(simulate_command, "_shoot", full)
    assert simulate(tmp_path, "v.mp4") == 2
    assert capsys.readouterr().err == (
        "pipwatch simulate: the film cannot be written: No space left on device.\n"
    )
    assert not list(tmp_path.iterdir())
