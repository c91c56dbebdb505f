"""A backup brought back: checked whole beside what is there, then renamed into place, never half.

What was there is kept under a name. From the moment at which the note ``restore.json`` is on the disk the
restore goes on by itself: each of its steps may be done twice, and a start finishes one that was cut.
"""

import hashlib
import json
import os
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO, Any, Final

from device.files import keep_before, sync_folder, write_safely
from device.journal.store import VERSION, form_of, is_being_written
from device.keeping.belongings import (
    FOLDERS,
    FORM,
    MANIFEST,
    MOST_BYTES,
    MOST_MEMBERS,
    SETTINGS,
    TOPS,
    BackupError,
    is_member,
)
from device.places import ENDING, matches_folder, settings_file

NOTE: Final = "restore.json"
_STAGED: Final = "restore.new"
_MOST_MANIFEST: Final = 8_000_000
_MOST_RATIO: Final = 1100
"""Deflate cannot pack more than 1,032 : 1; what claims more is no file of ours."""
_CHUNK: Final = 1 << 20
_SHA: Final = 64


@dataclass(frozen=True, slots=True)
class Member:
    """A file that a backup says it holds."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Restored:
    """What has come of a restore."""

    matches: int
    before: Path | None
    """Where that is which was there before; None where nothing was."""
    settings: Path | None = None
    """Where the settings are that could not be put into their place."""

    @property
    def words(self) -> str:
        """All of it in sentences."""
        kept = "Nothing was there before." if self.before is None else f"What was there is in {self.before}."
        lies = "" if self.settings is None else (
            f" The settings could not be put into their place: they are in {self.settings}."
        )  # fmt: skip
        return f"{self.matches} matches are back. {kept}{lies}"


def restore(backup: Path, state: Path | None = None, settings: Path | None = None) -> Restored:
    """Bring a backup back; raises BackupError, and then everything is as it was."""
    state, settings = state or matches_folder().parent, settings or settings_file()
    try:
        finish(state, settings)
        _check_what_is_there(state)
        staged = state / _STAGED
        try:
            _stage(backup, staged)
        except BaseException:
            shutil.rmtree(staged, ignore_errors=True)
            raise
        before = next(n for n in (f"before-restore-{i}" for i in count(1)) if not (state / n).exists())
        write_safely(state / NOTE, json.dumps({"before": before}).encode())
        done = finish(state, settings)
    except (zipfile.BadZipFile, zipfile.LargeZipFile, EOFError, NotImplementedError, RuntimeError) as wrong:
        raise BackupError(f"{backup.name} is no backup that can be read: {wrong}.") from wrong
    except OSError as wrong:
        if isinstance(wrong, BackupError):
            raise
        raise BackupError(f"{backup.name} cannot be brought back: {wrong.strerror or wrong}.") from wrong
    assert done is not None
    return done


def finish(state: Path, settings: Path) -> Restored | None:
    """Finish a restore that was cut, from its note; what was only staged is forgotten."""
    staged, note = state / _STAGED, state / NOTE
    if not note.exists():
        shutil.rmtree(staged, ignore_errors=True)
        return None
    before = state / str(json.loads(note.read_text())["before"])
    for top in TOPS:
        if (staged / top).exists():
            _swap(state / top, staged / top, before)
    left = _put_settings(staged / SETTINGS, state, settings)
    sync_folder(state)
    note.unlink()
    shutil.rmtree(staged, ignore_errors=True)
    sync_folder(state)
    matches = len([*(state / "matches").glob(f"*{ENDING}")])
    return Restored(matches, before if before.exists() else None, left)


def _swap(there: Path, fresh: Path, before: Path) -> None:
    if there.exists():
        before.mkdir(exist_ok=True, mode=0o700)
        names = (before / f"{there.name}{'' if n == 1 else f'-{n}'}" for n in count(1))
        there.rename(next(path for path in names if not path.exists()))
    fresh.rename(there)


def _put_settings(fresh: Path, state: Path, settings: Path) -> Path | None:
    """Put the settings into their place; where that cannot be written, beside the matches."""
    if not fresh.exists():
        return None
    data = fresh.read_bytes()
    try:
        settings.parent.mkdir(parents=True, exist_ok=True)
        if not settings.exists() or settings.read_bytes() != data:  # a second time would lose the `.bak`
            keep_before(settings)
            write_safely(settings, data)
    except OSError:
        left = state / f"restored-{SETTINGS}"
        write_safely(left, data)
        return left
    return None


def _check_what_is_there(state: Path) -> None:
    """Nothing may be writing, and nothing there may be of a newer version."""
    state.mkdir(parents=True, exist_ok=True, mode=0o700)
    for path in sorted((state / "matches").glob(f"*{ENDING}")):
        if form_of(path) > VERSION:
            raise BackupError(
                f"{path.name} was written by a newer Pipwatch than this one: "
                "a restore over it needs that version."
            )
        if is_being_written(path):
            raise BackupError(
                f"{path.name} is being written by another Pipwatch; "
                "stop it first: sudo systemctl stop pipwatch"
            )


# — checking —


def _stage(backup: Path, staged: Path) -> None:
    """All members beside what is there, each proved."""
    with zipfile.ZipFile(backup) as file:
        members = [*_members(file, backup.name)]
        total = sum(one.size for one in members)
        staged.mkdir(mode=0o700)
        if total > shutil.disk_usage(staged).free:
            raise BackupError(f"{backup.name} needs {total / 1e6:.0f} MB, and less is free.")
        for folder in FOLDERS:
            (staged / folder).mkdir(parents=True, exist_ok=True, mode=0o700)
        for one in members:
            _extract(file, one, staged / one.name, backup.name)
        for folder in (*FOLDERS, *TOPS, "."):
            sync_folder(staged / folder)


def _members(file: zipfile.ZipFile, name: str) -> Iterator[Member]:
    told = _manifest(file, name)
    found = [one.filename for one in file.infolist() if one.filename != MANIFEST]
    named = told.get("members")
    if not isinstance(named, list) or len(named) > MOST_MEMBERS:
        raise BackupError(f"{name}: its manifest names no files that could be brought back.")
    members = [_member(one, name) for one in named]
    names = [one.name for one in members]
    if sorted(names) != sorted(found) or len(set(names)) != len(names):
        raise BackupError(f"{name} does not hold the files that its manifest names.")
    if sum(one.size for one in members) > MOST_BYTES:
        raise BackupError(f"{name} holds more than {MOST_BYTES / 1e9:.0f} GB.")
    for one in members:
        info = file.getinfo(one.name)
        if info.file_size != one.size or info.file_size > info.compress_size * _MOST_RATIO + 100:
            raise BackupError(f"{name}: {one.name} is not as large as the manifest says.")
        yield one


def _manifest(file: zipfile.ZipFile, name: str) -> dict[str, Any]:
    try:
        info = file.getinfo(MANIFEST)
        if info.file_size > _MOST_MANIFEST:
            raise KeyError(MANIFEST)
        told = json.loads(file.read(info))
        forms = int(told["form"]), int(told["journal"])
        version = str(told["pipwatch"])[:40]
    except (KeyError, TypeError, ValueError, RecursionError) as wrong:
        raise BackupError(f"{name} is no backup of Pipwatch: it has no manifest that can be read.") from wrong
    if forms[0] > FORM or forms[1] > VERSION:
        raise BackupError(
            f"{name} was made by Pipwatch {version!r}, which is newer than this one: update first."
        )
    return dict(told)


def _member(told: Any, name: str) -> Member:
    try:
        one = Member(str(told["name"]), int(told["size"]), str(told["sha256"]))
    except (KeyError, TypeError, ValueError, OverflowError) as wrong:
        raise BackupError(f"{name}: its manifest cannot be read.") from wrong
    if not is_member(one.name) or one.size < 0 or len(one.sha256) != _SHA:
        raise BackupError(f"{name} names a file that belongs to no backup: {one.name[:80]!r}.")
    return one


def _extract(file: zipfile.ZipFile, member: Member, to: Path, name: str) -> None:
    digest, size = hashlib.sha256(), 0
    try:
        with file.open(member.name) as data, to.open("xb") as out:
            to.chmod(0o600)
            for chunk in _chunks(data):
                size += len(chunk)
                if size > member.size:
                    break
                digest.update(chunk)
                out.write(chunk)
            out.flush()
            os.fsync(out.fileno())
    except (zipfile.BadZipFile, EOFError, ValueError, zipfile.zlib.error) as wrong:  # type: ignore[attr-defined]
        raise BackupError(f"{name} is damaged: {member.name} cannot be read.") from wrong
    if size != member.size or digest.hexdigest() != member.sha256:
        raise BackupError(f"{name} is damaged: {member.name} is not what was packed.")
    if to.suffix == ENDING and form_of(to) > VERSION:
        raise BackupError(
            f"{name}: {member.name} was written by a newer Pipwatch than this one: update first."
        )


def _chunks(data: IO[bytes]) -> Iterator[bytes]:
    while chunk := data.read(_CHUNK):
        yield chunk
