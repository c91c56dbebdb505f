"""`--marker-mm` at every command that looks at a table, and what is said where it is missing."""

import json
from pathlib import Path

import cv2
import pytest

from device.cli import main
from device.settings import Settings, load
from tests.tables_of_size import picture, recorded

COMMANDS = {
    "read": ["read", "table.png"],
    "run": ["run", "--game", "draw-game", "--source", "images:frames", "--headless"],
    "doctor": ["doctor", "--source", "images:frames"],
    "calibrate check": ["calibrate", "check", "table.png"],
    "calibrate lens": ["calibrate", "lens", "table.png", "-o", "lens.toml"],
    "calibrate set": ["calibrate", "set", "table.png", "-o", "set.toml"],
    "print": ["print", "markers", "-o", "markers.pdf"],
}

LINE_OF_TILES = 14
"""So many tiles lie on the table of seed 3, all of them in the line."""


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.delenv("PIPWATCH_CONFIG", raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("0", "markers should be 16 to 80 mm, not 0"),
        ("-45", "markers should be 16 to 80 mm, not -45"),
        ("500", "markers should be 16 to 80 mm, not 500"),
        ("nan", "markers should be 16 to 80 mm, not nan"),
        ("inf", "markers should be 16 to 80 mm, not inf"),
        ("45mm", "should be a number of millimetres such as 45, not '45mm'"),
        ("", "should be a number of millimetres such as 45, not ''"),
    ],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_size_that_is_none_is_one_sentence(
    command: str, given: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """At every command, before anything is read or written; exit status 2."""
    assert main([*COMMANDS[command], f"--marker-mm={given}"]) == 2
    out, err = capsys.readouterr()
    assert sentence in err
    assert "--marker-mm" in err
    assert err.count("\n") == 1
    assert out == ""
    assert not list(tmp_path.iterdir())


def test_no_table_no_size(capsys: pytest.CaptureFixture[str]) -> None:
    """Moves that are typed need no markers."""
    words = ["run", "--game", "draw-game", "--source", "none", "--headless", "--marker-mm", "45"]
    assert main(words) == 2
    assert "--source none does not" in capsys.readouterr().err


def test_read_says_the_likely_size_and_takes_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the option a line on stderr and a key in the JSON; with it neither, and all pieces."""
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), picture("draw-game", 2, 45.0))
    assert main(["read", "--json", str(path)]) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert told["table"]["likely_marker_mm"] == 45
    assert "The dominoes look 1.4 times too small: were the markers printed at 45 mm?" in err
    assert "Say --marker-mm 45" in err
    assert err.count("\n") == 1
    assert main(["read", "--json", "--marker-mm", "45", str(path)]) == 0
    out, err = capsys.readouterr()
    right = json.loads(out)
    assert err == ""
    assert "likely_marker_mm" not in right["table"]
    assert right["table"]["mm_per_px"] == pytest.approx(told["table"]["mm_per_px"] * 45 / 32, rel=0.005)
    shown = [one for one in right["pieces"] if one["sure"] and one["face"] == "up"]
    assert len(shown) >= 10
    assert len(shown) >= 3 * sum(one["sure"] and one["face"] == "up" for one in told["pieces"])


def test_doctor_names_the_size_and_remembers_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A failing line with its remedy; the option and the setting both make it well."""
    folder = recorded(tmp_path / "frames", picture("draw-game", 3, 25.0))
    words = ["doctor", "--json", "--source", f"images:{folder}"]

    def sizes(*more: str) -> dict[str, str]:
        main([*words, *more])
        lines = map(json.loads, capsys.readouterr().out.splitlines())
        return next(line for line in lines if line["name"] == "sizes")

    assert main(words) == 1
    capsys.readouterr()
    wrong = sizes()
    assert wrong["grade"] == "fails"
    assert "1.3 times too large: were the markers printed at 25 mm?" in wrong["words"]
    assert "--marker-mm 25" in wrong["remedy"]
    assert "marker_mm = 25 under [table]" in wrong["remedy"]
    assert sizes("--marker-mm", "25")["grade"] == "ok"
    config = tmp_path / "mine.toml"
    config.write_text("[table]\nmarker_mm = 25\n", encoding="utf-8")
    assert sizes("--config", str(config))["grade"] == "ok"
    assert sizes("--config", str(config), "--marker-mm", "32")["grade"] == "fails"


def test_doctor_has_nothing_to_say_of_sizes_where_nothing_lies(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A picture without markers, and a table without pieces, are no fault of a size."""
    bare = picture("draw-game", 2, 45.0)
    bare[:] = 120
    folder = recorded(tmp_path / "frames", bare)
    main(["doctor", "--json", "--source", f"images:{folder}"])
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    assert next(line for line in lines if line["name"] == "sizes")["grade"] == "absent"


def test_calibrate_reckons_with_the_size(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A pixel shows 45/32 times as much of the table."""
    path = tmp_path / "table.png"
    cv2.imwrite(str(path), picture("draw-game", 2, 45.0))
    found = []
    for more in ([], ["--marker-mm", "45"]):
        assert main(["calibrate", "check", "--json", str(path), *more]) == 0
        found.append(json.loads(capsys.readouterr().out)["mm_per_px"])
    assert found[1] / found[0] == pytest.approx(45 / 32, rel=0.005)


def said(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    """What a run printed."""
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_run_says_why_the_table_cannot_be_taken(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The likely size stands beside what is lacking; with the option, or the setting, the game begins."""
    folder = recorded(tmp_path / "frames", picture("draw-game", 3, 45.0), 25)
    words = ["run", "--game", "draw-game", "--source", f"images:{folder}", "--headless", "--json"]
    assert main(words) == 0
    told = [place for line in said(capsys) for place in _list(line.get("places"))]
    assert any("look 1.4 times too small: were the markers printed at 45 mm?" in one for one in told)
    config = tmp_path / "mine.toml"
    config.write_text("[table]\nmarker_mm = 45.0\n", encoding="utf-8")
    for more in (["--marker-mm", "45"], ["--config", str(config)]):
        assert main([*words, *more]) == 0
        lines = said(capsys)
        assert not any("printed at" in json.dumps(line) for line in lines)
        state = lines[-1]["state"]
        assert isinstance(state, dict)
        assert len(state["history"]) == LINE_OF_TILES


def _list(value: object) -> list[str]:
    return [str(one) for one in value] if isinstance(value, list) else []


def test_the_setting_is_read_and_a_wrong_one_named(tmp_path: Path) -> None:
    """As shipped 32 mm; what no marker can be is refused with the file's name."""
    assert Settings().table.marker_mm == 32
    path = tmp_path / "config.toml"
    path.write_text("[table]\nmarker_mm = 25.5\n", encoding="utf-8")
    assert load(path).table.marker_mm == 25.5
    path.write_text("[table]\nmarker_mm = 500\n", encoding="utf-8")
    with pytest.raises(
        ValueError, match=r"config.toml: table: marker_mm: markers should be 16 to 80 mm, not 500"
    ):
        load(path)
