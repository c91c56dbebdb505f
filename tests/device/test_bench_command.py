"""`pipwatch bench` times the referee's work on this machine."""

import json
from pathlib import Path

import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

from device.cli import main
from device.cli.bench import Timed, timed, watching


def test_each_work_is_told_by_its_median_beside_the_first() -> None:
    """Works take turns; one slow round does not count, and the first time, which loads, never does."""
    now = 0.0
    calls: list[str] = []

    def work(name: str, *seconds: float) -> tuple[str, object]:
        left = iter(seconds)

        def take() -> None:
            nonlocal now
            calls.append(name)
            now += next(left)

        return name, take

    works = [work("decode", 9.0, 0.1, 0.5, 0.1), work("read", 9.0, 0.4, 0.4, 9.0)]
    rows = timed(works, 3, clock=lambda: now)  # type: ignore[arg-type]
    assert calls == ["decode", "read"] * 4
    assert [one.what for one in rows] == ["decode", "read"]
    assert [one.ms for one in rows] == pytest.approx([100.0, 400.0])
    assert rows[1].ratio == pytest.approx(4.0)


def test_work_too_quick_for_the_clock_divides_nothing_by_nothing() -> None:
    """A clock that stands still gives no error."""
    assert timed([("decode", lambda: None)], 1, clock=lambda: 1.0) == [Timed("decode", 0.0, 0.0)]


def test_the_machine_is_timed_on_a_drawn_table(capsys: pytest.CaptureFixture[str]) -> None:
    """As JSON: every part of the work, the reference first; reading costs more than decoding."""
    assert main(["bench", "--game", "draw-game", "--rounds", "1", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["size"] == [1920, 1080]
    assert told["reference"] == told["rows"][0]["what"] == "decode and shrink"
    by = {row["what"]: row["ms"] for row in told["rows"]}
    assert by["read the whole table"] > by["decode and shrink"] > 0
    assert {"follow the markers", "look whether it is still", "draw the page's picture"} <= by.keys()


def test_what_it_costs_to_watch_is_told_for_each_workload() -> None:
    """A frame is watched by following the markers and by looking; six a second cost six tenths of ten."""
    rows = [
        Timed("decode and shrink", 4.0, 1.0), Timed("follow the markers", 2.0, 0.5),
        Timed("look whether it is still", 3.0, 0.75), Timed("read the whole table", 100.0, 25.0),
    ]  # fmt: skip
    told = list(watching(rows))
    assert "5.00 ms, 1.25 × decode and shrink" in told[0]
    assert "work full     10 a second  5.0% of a core, 12.5 ×" in told[1]
    assert "work small     6 a second  3.0% of a core, 7.5 ×" in told[2]
    assert told[3].startswith("Chosen here: ")


def test_a_photo_without_a_mat_is_not_timed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A match could not be read there either; the sentence is the one that the match would show."""
    import cv2
    import numpy as np

    photo = tmp_path / "table.png"
    noise = np.random.default_rng(1).integers(90, 140, (240, 320, 3)).astype(np.uint8)
    assert cv2.imwrite(str(photo), noise)
    assert main(["bench", "--photo", str(photo)]) == 2
    assert "I see no markers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "said"),
    [(["--photo", "nowhere.jpg"], "there is no such file"), (["--rounds", "0"], "should be 1 or more")],
)
def test_what_cannot_be_measured_is_said_in_a_sentence(
    given: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2 and one line."""
    assert main(["bench", *given]) == 2
    assert said in capsys.readouterr().err
