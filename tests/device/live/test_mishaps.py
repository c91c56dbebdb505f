"""An error of the eye is told as one, and kept so that it can be repeated."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from device.live import mishaps
from device.live.messages import Position
from device.live.mishaps import Mishaps, words_of
from device.live.ports import Shot
from engine import record
from engine.history import History
from tests.device.live.scripted import picture_of
from tests.device.match.match_bench import FACTS, LEGAL, game


def failed(words: str = "a coin has no middle") -> ValueError:
    """An error as the eye makes it."""
    try:
        raise ValueError(words)
    except ValueError as wrong:
        return wrong


SHOT = Shot(7, 1.5, picture_of(7))


def test_an_error_is_kept_with_the_frame_the_record_and_the_trace(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The frame is kept to the last bit, and the record reads back to the game that was followed."""
    base = game(*FACTS, LEGAL[0])
    Mishaps(tmp_path / "a.match").keep(SHOT, Position(base), failed())
    folder = tmp_path / "a.errors" / "error-01"
    assert np.array_equal(cv2.imread(str(folder / "frame.png")), SHOT.picture)
    assert History.of(record.read((folder / "record.jsonl").read_text())) == base
    assert "a coin has no middle" in (folder / "trace.txt").read_text()
    assert "a coin has no middle" in capsys.readouterr().err


def test_the_same_error_is_kept_once_and_only_so_many_are(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A camera sends ten frames a second: neither in one run nor in many does the folder fill the disk."""
    monkeypatch.setattr(mishaps, "MOST_BYTES", 10)
    for _ in range(mishaps.MOST + 3):
        kept = Mishaps(tmp_path / "a.match")
        kept.keep(SHOT, Position(None), failed())
        kept.keep(SHOT, Position(None), failed())
    folders = [*(tmp_path / "a.errors").iterdir()]
    assert len(folders) == mishaps.MOST
    assert {path.name for folder in folders for path in folder.iterdir()} == {"frame.jpg", "trace.txt"}


def test_a_full_disk_and_no_journal_make_an_error_no_worse(tmp_path: Path) -> None:
    """Nothing is kept then, and nothing is raised."""
    (tmp_path / "a.errors").write_text("no folder")
    Mishaps(tmp_path / "a.match").keep(SHOT, Position(None), failed())
    Mishaps().keep(SHOT, Position(None), failed())
    assert [path.name for path in tmp_path.iterdir()] == ["a.errors"]


def test_what_people_are_told_is_one_line() -> None:
    """The eye's own words, or what kind of error it was."""
    assert words_of(failed("one\ntwo")) == (
        "The referee's eye made an error (one): what you do is not lost; it looks again."
    )
    assert "(ValueError)" in words_of(failed(""))
