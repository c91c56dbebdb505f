"""A backup brought back: checked whole beside what is there, then renamed into place, never half.

What was there is kept under a name. From the moment at which the note ``restore.json`` is on the disk the
restore goes on by itself: each of its steps may be done twice, and a start finishes one that was cut.
"""

import hashlib
import json
import lzma
import os
import re
import shutil
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import IO, Any, Final

from calibration.camera_errors import BadProfileFile
from device.files import sync_folder, write_safely
from device.folders import ENDING, SettingsFiles, matches_folder, settings_beside
from device.journal.journal_reader import read_chain
from device.journal.leaving import leave
from device.journal.readable import all_files, match_of, readable
from device.journal.store import DAMAGE, VERSION, JournalError, form_of, is_being_written
from device.keeping.belongings import (
    BY_HAND,
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
from device.settings import data_in
from device.settings_lines import otherwise
from engine.errors import PipwatchError

NOTE: Final = "restore.json"
_STAGED: Final = "restore.new"
_BEFORE: Final = re.compile(r"before-restore-[1-9][0-9]{0,5}")
"""What the folder of what was there before may be called; a note is never a way to another one."""
_MOST_NOTE: Final = 1000
"""Bytes of the note, which holds one name."""
_UNREADABLE: Final = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, ValueError,
    OverflowError, NotImplementedError, RuntimeError,
)  # fmt: skip
"""What a damaged backup has its reader raise; RuntimeError holds RecursionError, ValueError bad letters."""
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
    """Which file of settings those of the backup are in; None where it says nothing that was not so here."""
    unset: Path | None = None
    """Where they lie instead, if that file may not be written."""
    by_hand: Path | None = None
    """Where the settings are that people wrote and that could not be read when they were packed."""

    @property
    def words(self) -> str:
        """All of it in sentences."""
        kept = "Nothing was there before." if self.before is None else f"What was there is in {self.before}."
        lies = "" if self.settings is None else f" Its settings are those of the page: {self.settings}."
        if self.settings is not None and self.unset is not None:
            lies = f" Its settings cannot be written to {self.settings}; they are in {self.unset}."
        if self.by_hand is not None:
            lies += f" Its settings written by hand cannot be read: they are in {self.by_hand} as they lay."
        return f"{self.matches} matches are back. {kept}{lies}"


def restore(
    backup: Path, state: Path | None = None, settings: SettingsFiles | None = None,
    opened: IO[bytes] | None = None,
) -> Restored:  # fmt: skip
    """Bring a backup back; raises BackupError, and then everything is as it was.

    ``opened`` is the file where it was opened already.
    """
    state = state or matches_folder().parent
    settings = settings or settings_beside(state)
    try:
        finish(state, settings)
        _check_what_is_there(state)
        staged = state / _STAGED
        try:
            _stage(backup, opened, staged)
        except BaseException:
            shutil.rmtree(staged, ignore_errors=True)
            raise
        done = _put(state, settings)
    except _UNREADABLE as wrong:
        raise BackupError(f"{backup.name} is no backup that can be read: {wrong}.") from wrong
    except OSError as wrong:
        if isinstance(wrong, BackupError):
            raise
        raise BackupError(f"{backup.name} cannot be brought back: {wrong.strerror or wrong}.") from wrong
    assert done is not None
    return done


def finish(state: Path, settings: SettingsFiles) -> Restored | None:
    """Finish a restore that was cut, from its note; what was only staged is forgotten.

    Raises BackupError where the note cannot be read, and then nothing has changed.
    """
    staged, note = state / _STAGED, state / NOTE
    if not note.exists():
        shutil.rmtree(staged, ignore_errors=True)
        return None
    before = state / _noted(note)
    for top in TOPS:
        if (staged / top).exists():
            _swap(state / top, staged / top, before)
    by_hand = _by_hand_put(staged / BY_HAND, settings.by_hand, before)
    put, unset = _settings_put(staged / SETTINGS, settings, before)
    sync_folder(state)
    note.unlink()
    shutil.rmtree(staged, ignore_errors=True)
    with suppress(OSError):  # a note that comes back after a power cut finds nothing left to do
        sync_folder(state)
    matches = len([*(state / "matches").glob(f"*{ENDING}")])
    return Restored(matches, before if before.exists() else None, put, unset, by_hand)


def _noted(note: Path) -> str:
    """What the folder of what was there before is called, as a note has it."""
    try:
        with note.open("rb") as file:
            name = json.loads(file.read(_MOST_NOTE))["before"]
        if not isinstance(name, str) or not _BEFORE.fullmatch(name):
            raise ValueError(name)
    except (OSError, ValueError, TypeError, LookupError, RecursionError) as wrong:
        raise BackupError(
            f"{note} cannot be read, by which an earlier restore would go on: delete it, "
            "and bring the backup back once more."
        ) from wrong
    return name


def _put(state: Path, settings: SettingsFiles) -> Restored | None:
    """What is staged into the place of what is there; raises OSError, and then it is as it was."""
    names = (state / f"before-restore-{number}" for number in count(1))
    before = next(path for path in names if not any(one.exists() for one in (path, *_all_beside(path))))
    ways_back = [_way_back(settings.by_hand), _way_back(settings.by_page)]
    try:
        write_safely(state / NOTE, json.dumps({"before": before.name}).encode())
        return finish(state, settings)
    except OSError:
        # A cut in here has the restore go on, as the note is there: each step back leaves what that needs.
        for top in TOPS:
            _swap_back(state / top, state / _STAGED / top, before)
        for back in ways_back:
            back()
        (state / NOTE).unlink(missing_ok=True)
        shutil.rmtree(state / _STAGED, ignore_errors=True)
        for copy in (*_all_beside(before), before / settings.by_page.name):
            copy.unlink(missing_ok=True)
        with suppress(OSError):
            before.rmdir()
        raise


def _swap(there: Path, fresh: Path, before: Path) -> None:
    if there.exists():
        there.rename(_aside(there, before))
    fresh.rename(there)


def _swap_back(there: Path, fresh: Path, before: Path) -> None:
    if not fresh.exists():
        there.rename(fresh)
    if (before / there.name).exists():
        (before / there.name).rename(there)


def _aside(there: Path, before: Path) -> Path:
    """A free name in the folder of what was there before."""
    before.mkdir(exist_ok=True, mode=0o700)
    names = (before / f"{there.name}{'' if n == 1 else f'-{n}'}" for n in count(1))
    return next(path for path in names if not path.exists())


def _all_beside(before: Path) -> tuple[Path, Path]:
    """Where files of settings of a backup lie that are not where they would count: both, and by hand."""
    of_both, by_hand = (before.name.replace("before", kind, 1) for kind in ("settings", "by-hand"))
    return before.with_name(f"{of_both}.toml"), before.with_name(f"{by_hand}.toml")


def _way_back(path: Path) -> Callable[[], None]:
    """What makes a file as it is now; one that cannot be read is left alone."""
    data = None
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        pass
    except OSError:
        return lambda: None

    def back() -> None:
        if data is None:
            if path.exists():
                path.unlink()
        elif not path.exists() or path.read_bytes() != data:
            write_safely(path, data)

    return back


def _by_hand_put(fresh: Path, there: Path, before: Path) -> Path | None:
    """Where the broken file now is that people wrote: as it lay, unless there is another one by now."""
    _, beside = _all_beside(before)
    if not fresh.exists():
        return beside if beside.exists() else None
    data = fresh.read_bytes()
    with suppress(OSError):  # where a service runs it may not write it
        if not there.exists():
            there.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            write_safely(there, data)
        if there.read_bytes() == data:
            return there
    fresh.rename(beside)
    return beside


def _settings_put(fresh: Path, files: SettingsFiles, before: Path) -> tuple[Path | None, Path | None]:
    """Have the settings of the backup count: which file they are for, and where they lie if not in there.

    A file that cannot be written must not keep the matches from coming back.
    """
    unset, _ = _all_beside(before)
    try:
        return _put_settings(fresh, files, before), unset if unset.exists() else None
    except OSError:
        fresh.rename(unset)
        return files.by_page, unset


def _put_settings(fresh: Path, files: SettingsFiles, before: Path) -> Path | None:
    """What is set otherwise by hand here is set by the page's file.

    The file that people write is theirs, and where a service runs it may not even write it.
    """
    if not fresh.exists():
        return files.by_page if _all_beside(before)[0].exists() else None
    data, there = _otherwise(fresh.read_bytes(), files), files.by_page
    if there.exists() and (was := there.read_bytes()) != data:
        write_safely(_aside(there, before), was)  # a copy: where the next step fails, nothing has changed
        if not data:
            there.unlink()
    if data and (not there.exists() or there.read_bytes() != data):
        there.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_safely(there, data)
    return there if data else None


def _otherwise(data: bytes, files: SettingsFiles) -> bytes:
    """What of these settings is not set so by hand; all of it where one of the two is broken."""
    try:
        return otherwise(data.decode(), data_in(files.by_hand)).encode()
    except (BadProfileFile, ValueError, RecursionError):
        return data


def _check_what_is_there(state: Path) -> None:
    """Nothing may be writing, and nothing there may be of a newer version."""
    state.mkdir(parents=True, exist_ok=True, mode=0o700)
    for path in all_files(state / "matches"):
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


def _stage(backup: Path, opened: IO[bytes] | None, staged: Path) -> None:
    """All members beside what is there, each proved."""
    with zipfile.ZipFile(opened or backup) as file:
        members = [*_members(file, backup.name)]
        total = sum(one.size for one in members)
        staged.mkdir(mode=0o700)
        if total > shutil.disk_usage(staged).free:
            raise BackupError(f"{backup.name} needs {total / 1e6:.0f} MB, and less is free.")
        for folder in FOLDERS:
            (staged / folder).mkdir(parents=True, exist_ok=True, mode=0o700)
        folders = {*FOLDERS, *TOPS, *(one.name.rpartition("/")[0] or "." for one in members)}
        for one in members:
            (staged / one.name).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _extract(file, one, staged / one.name, backup.name)
        for one in members:
            _check_is_read(staged / one.name, backup.name)
            _as_left(staged / one.name)
        for folder in folders:
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
    except (LookupError, TypeError, *_UNREADABLE) as wrong:
        raise BackupError(f"{name} is no backup of Pipwatch: it has no manifest that can be read.") from wrong
    if forms[0] > FORM or forms[1] > VERSION:
        raise BackupError(
            f"{name} was made by Pipwatch {version!r}, which is newer than this one: update first."
        )
    return dict(told)


def _member(told: Any, name: str) -> Member:
    try:
        one = Member(str(told["name"]), int(told["size"]), str(told["sha256"]))
    except (LookupError, TypeError, ValueError, OverflowError) as wrong:
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
    except _UNREADABLE as wrong:
        raise BackupError(f"{name} is damaged: {member.name} cannot be read.") from wrong
    if size != member.size or digest.hexdigest() != member.sha256:
        raise BackupError(f"{name} is damaged: {member.name} is not what was packed.")


def _check_is_read(there: Path, name: str) -> None:
    """A match that a newer version has written is none for this one, unless it kept what was before."""
    if there.suffix == ENDING and form_of(readable(there)) > VERSION:
        raise BackupError(
            f"{name}: {there.name} was written by a newer Pipwatch than this one: update first."
        )


def _as_left(there: Path) -> None:
    """A match that comes back waits until somebody wants it, and is as old as its last event."""
    if there.suffix != ENDING:
        return
    if match_of(there) == there:
        leave(there)
    with suppress(JournalError, PipwatchError, OSError, LookupError, ValueError, OverflowError, *DAMAGE):
        at = read_chain(there).events[-1].at
        os.utime(there, (at, at))


def _chunks(data: IO[bytes]) -> Iterator[bytes]:
    while chunk := data.read(_CHUNK):
        yield chunk
