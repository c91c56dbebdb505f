"""Settings that are damaged stop no start: those used last are taken, or those as shipped, and it is said."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest

from calibration.camera_errors import BadProfileFile
from device.cli import main
from device.files import keep_before, write_safely
from device.folders import settings_files, state_folder
from device.service.last_good import NAME, usable
from device.settings import Settings, load

TEXT = """[manners]
confirm = "button"
calm_s = 2.5

[pins]
confirm_a = 5
green = 17

[sound]
quiet = ["hands", "settling"]

[table]
marker_mm = 45.0
"""


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def own(tmp_path: Path) -> Path:
    """The user's own settings."""
    path = tmp_path / "config" / "pipwatch" / "config.toml"
    path.parent.mkdir(parents=True)
    path.write_text(TEXT)
    return path


@pytest.mark.parametrize("step", [5, pytest.param(1, marks=[pytest.mark.long, pytest.mark.plain])])
@pytest.mark.parametrize("known", [True, False])
def test_settings_cut_or_flipped_at_any_byte_start(tmp_path: Path, step: int, known: bool) -> None:
    """Every byte cut off or flipped: right settings, those used last, or as shipped and a message."""
    path, rng = own(tmp_path), Random(1)
    good = load(path)
    if known:
        assert usable(settings_files(), state_folder()) == (good, "")
    starts, told, data = 0, 0, TEXT.encode()
    for at in range(0, len(data), step):
        bits = range(8) if step == 1 else [rng.randrange(8)]
        for bad in (data[:at], *(data[:at] + bytes([data[at] ^ 1 << bit]) + data[at + 1 :] for bit in bits)):
            path.write_bytes(bad)
            settings, remark = usable(settings_files(), state_folder())
            starts, told = starts + 1, told + bool(remark)
            if remark:
                assert settings == (good if known else Settings())
                assert remark.endswith("last good settings are used." if known else "as shipped are used.")
                assert "\n" not in remark
            if known:
                path.write_text(TEXT)
                assert usable(settings_files(), state_folder()) == (good, "")
            else:
                (tmp_path / "data" / "pipwatch" / NAME).unlink(missing_ok=True)
    print(f"{starts} damaged files: {told} told, {starts - told} still settings, 0 tracebacks")
    assert told > starts / 3


def test_run_starts_with_damaged_settings_and_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command that plays does not stop for them; settings that somebody names must be right."""
    path = own(tmp_path)
    path.write_text(TEXT.replace("[manners]", "[manners"))
    words = ["run", "--headless", "--source", "images:missing", "--game", "draw-game"]
    assert main(words) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert "config.toml is not TOML" in first
    assert first.endswith("The settings as shipped are used.")
    assert "There are no images" in second
    assert main([*words, "--config", str(path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1


def test_brackets_without_end_are_refused(tmp_path: Path) -> None:
    """The reader of TOML goes into each bracket; a file of nothing else is no reason to fall over."""
    path = tmp_path / "config.toml"
    path.write_text("a = " + "[" * 100_000)
    with pytest.raises(BadProfileFile):
        load(path)


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full leaves the old file, and nothing beside it."""
    path = tmp_path / "config.toml"
    write_safely(path, b"old")
    assert path.stat().st_mode & 0o077 == 0
    keep_before(path)
    write_safely(path, b"new")
    assert (path.read_bytes(), (tmp_path / "config.toml.bak").read_bytes()) == (b"new", b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write_safely(path, b"newer")
    assert path.read_bytes() == b"new"
    assert {one.name for one in tmp_path.iterdir()} == {"config.toml", "config.toml.bak"}


WRITER = """
import sys
from pathlib import Path
from device.files import keep_before, write_safely
path = Path(sys.argv[1])
print("ready", flush=True)
for n in range(10**9):
    keep_before(path)
    write_safely(path, b"[manners]\\ncalm_s = %d.0\\n" % (n % 50) * 1)
"""


def test_a_writer_killed_at_any_moment_leaves_settings_that_load(tmp_path: Path) -> None:
    """kill -9 in the middle of writing: the file and its spare one are each whole, old or new."""
    path, rng = tmp_path / "config.toml", Random(3)
    for _ in range(12):
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        try:
            process.wait(rng.uniform(0.01, 0.05))
        except subprocess.TimeoutExpired:
            process.kill()
        process.wait()
        process.stdout.close()
        for one in (path, path.with_name("config.toml.bak")):
            if one.exists():
                assert load(one).manners.calm_s < 50
    assert path.exists()
