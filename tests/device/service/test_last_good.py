"""Settings that are broken in any way: the box starts, and names what is wrong."""

from pathlib import Path

import pytest

from device.folders import SettingsFiles
from device.service.last_good import NAME
from device.service.last_good import usable as usable_of
from device.settings import Settings

GOOD = """\
[manners]
confirm = "button"
calm_s = 3.5

[service]
host = "0.0.0.0"
port = 8080

[sound]
quiet = ["hands"]
"""


def usable(file: Path, state: Path) -> tuple[Settings, str]:
    """What is used of a file that is written by hand, and of what the page has set."""
    return usable_of(SettingsFiles(file, state / "settings.toml"), state)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Settings that were used once."""
    made = tmp_path / "config.toml"
    made.write_text(GOOD)
    return made


def test_good_settings_are_used_and_kept(file: Path, tmp_path: Path) -> None:
    """And none at all are the shipped ones, without a word."""
    settings, wrong = usable(file, tmp_path / "state")
    assert (settings.service.port, settings.manners.confirm, wrong) == (8080, "button", "")
    assert (tmp_path / "state" / NAME).exists()
    assert usable(tmp_path / "none.toml", tmp_path / "other") == (Settings(), "")


@pytest.mark.parametrize("used_before", [True, False])
@pytest.mark.parametrize("byte", [b"\x00", b"\xff", b"[", b'"'], ids=["nul", "no utf-8", "bracket", "quote"])
def test_broken_at_every_seventh_byte(file: Path, tmp_path: Path, used_before: bool, byte: bytes) -> None:
    """It starts with the last good settings, else with the shipped ones; the sentence names file and line."""
    state, refused = tmp_path / "state", 0
    last = usable(file, state)[0] if used_before else Settings()
    kept = (state / NAME).read_bytes() if used_before else b""
    for at in range(0, len(GOOD), 7):
        file.write_bytes(GOOD[:at].encode() + byte + GOOD[at + 1 :].encode())
        settings, wrong = usable(file, state)
        if not wrong:  # the byte fell where it changes nothing that is refused
            (state / NAME).write_bytes(kept) if used_before else (state / NAME).unlink()
            continue
        refused += 1
        assert settings == last
        assert str(file.name) in wrong
        assert any(where in wrong for where in ("(at line ", "(at end of", "(line ")), wrong
        assert wrong.endswith("last good settings are used." if used_before else "as shipped are used.")
        assert "Traceback" not in wrong
        assert "\n" not in wrong
    assert refused > 10


@pytest.mark.parametrize(
    ("line", "number"),
    [("port = 0", 7), ("port = 'a'", 7), ("ports = 80", 7), ("port = 70000", 7)],
)
def test_a_value_that_is_wrong_is_told_with_its_line(
    file: Path, tmp_path: Path, line: str, number: int
) -> None:
    """Whole TOML, but no settings of ours."""
    file.write_text(GOOD.replace("port = 8080", line))
    _, wrong = usable(file, tmp_path / "state")
    assert f"(line {number})" in wrong


def test_last_good_ones_that_are_broken_too(file: Path, tmp_path: Path) -> None:
    """Then the shipped ones are used."""
    state = tmp_path / "state"
    usable(file, state)
    for path in (file, state / NAME):
        path.write_text("[service\n")
    settings, wrong = usable(file, state)
    assert settings == Settings()
    assert "as shipped" in wrong


def test_a_folder_where_the_file_should_be(tmp_path: Path) -> None:
    """Nor does it matter that nothing can be kept."""
    (tmp_path / "file").write_text("no folder")
    (tmp_path / "config.toml").mkdir()
    settings, wrong = usable(tmp_path / "config.toml", tmp_path / "file")
    assert settings == Settings()
    assert "as shipped" in wrong


def test_what_the_page_has_set_is_kept_and_blamed_as_well(file: Path, tmp_path: Path) -> None:
    """Both files together are the last good ones; whichever is broken is named, with its line."""
    state = tmp_path / "state"
    state.mkdir()
    page = state / "settings.toml"
    page.write_text("[manners]\ncalm_s = 2.0\n")
    good, wrong = usable(file, state)
    assert (good.manners.calm_s, good.service.port, wrong) == (2.0, 8080, "")
    page.write_text("[manners]\ncalm_s = 'long'\n")
    settings, wrong = usable(file, state)
    assert settings == good
    assert "settings.toml: manners: calm_s" in wrong
    assert "(line 2)" in wrong
    page.write_text("[manners]\ncalm_s = 2.0\n")
    file.write_text(GOOD.replace("8080", "0"))
    settings, wrong = usable(file, state)
    assert settings == good
    assert "config.toml: service: port" in wrong
    assert "(line 7)" in wrong


def test_a_value_of_the_page_mends_one_that_is_wrong_by_hand(file: Path, tmp_path: Path) -> None:
    """What counts is what both say together."""
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "settings.toml").write_text("[service]\nport = 8001\n")
    file.write_text(GOOD.replace("8080", "0"))
    settings, wrong = usable(file, tmp_path / "state")
    assert (settings.service.port, wrong) == (8001, "")
