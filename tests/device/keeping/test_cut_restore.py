"""A restore that was cut, and what a disk made of its note and its parts: each start says so, and goes on."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from device.cli import main
from device.folders import SettingsFiles
from device.keeping import unpacking
from device.keeping.belongings import BackupError
from device.keeping.caretaker import make_order
from device.keeping.packing import pack
from device.keeping.unpacking import finish, restore
from tests.device.keeping.test_backup import _own_folders, all_in, filled

__all__ = ["_own_folders"]  # the same folders of one's own for each test


NOTES = {
    "cut": b'{"before": "before-re', "empty": b"", "letters": b"\xff\xfe{", "nested": b"[" * 99_999,
    "a list": b"[]", "a text": b'"before"', "nothing": b"null", "another key": b'{"after": "x"}',
    "a number": b'{"before": 1}', "no name": b'{"before": ""}',
    "a way out": b'{"before": "../before-restore-1"}',
    "another folder": b'{"before": "matches"}', "a folder itself": None,
}  # fmt: skip
"""Notes that no restore of ours has written, or that a disk has damaged."""


@pytest.mark.parametrize("name", NOTES)
def test_a_note_that_no_restore_of_ours_wrote_stops_no_start(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """A damaged note is told with its remedy, the box plays, nothing is changed; the remedy does."""
    state, text = filled(tmp_path), NOTES[name]
    backup, note = pack(tmp_path / "b.zip").path, state / "restore.json"
    (state / "restore.new" / "matches").mkdir(parents=True)
    if text is None:
        note.mkdir()
    else:
        note.write_bytes(text)
    before = all_in(state)
    why = f"{note} cannot be read, by which an earlier restore would go on: delete it, and bring the backup"
    assert make_order(state) == f"A restore was cut, and cannot be finished: {why} back once more."
    with pytest.raises(BackupError, match="delete it"):
        finish(state, SettingsFiles(tmp_path / "none", tmp_path / "none"))
    assert main(["restore", str(backup)]) == 2
    assert capsys.readouterr().err == f"pipwatch restore: {why} back once more.\n"
    assert all_in(state) == before
    if text is None:
        note.rmdir()
    else:
        note.unlink()
    assert main(["restore", str(backup)]) == 0
    assert make_order(state) == ""


BROKEN_PARTS: dict[str, Callable[[Path], object]] = {
    "settings of no letters": lambda new: (new / "config.toml").write_bytes(b"\xff\xfe = 1"),
    "settings cut": lambda new: (new / "config.toml").write_bytes(b"[manners\ncal"),
    "settings nested": lambda new: (new / "config.toml").write_bytes(b"a = " + b"[" * 99_999),
    "settings that are a folder": lambda new: ((new / "config.toml").unlink(), (new / "config.toml").mkdir()),
    "no settings": lambda new: (new / "config.toml").unlink(),
    "no matches": lambda new: shutil.rmtree(new / "matches"),
    "matches that are a file": lambda new: (
        shutil.rmtree(new / "matches"),
        (new / "matches").write_bytes(b""),
    ),
    "a match that is empty": lambda new: next((new / "matches").glob("*.match")).write_bytes(b""),
    "nothing at all": shutil.rmtree,
}
"""What a disk may have made of a restore that was cut, of all that was checked and staged before."""


@pytest.mark.parametrize("name", BROKEN_PARTS)
def test_a_start_after_a_restore_whose_parts_were_damaged_says_so_in_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The next start finishes it as far as there is something, or tells why not; it never breaks off."""
    state = filled(tmp_path)
    packed = pack(tmp_path / "b.zip").path

    def cut(_state: Path, _settings: SettingsFiles) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        calls = iter((unpacking.finish, cut))
        patched.setattr(unpacking, "finish", lambda *given: next(calls)(*given))
        with pytest.raises(KeyboardInterrupt):
            restore(packed)
    assert (state / "restore.json").exists()
    BROKEN_PARTS[name](state / "restore.new")
    said = make_order(state)
    assert said.startswith(("A restore that was cut has been finished", "A restore was cut, and cannot be"))
    assert "\n" not in said
    assert said.endswith(".")
    assert "Errno" not in said
