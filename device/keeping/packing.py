"""All that an owner would miss in one file: matches, sets, calibration, settings, each with its check sum.

The file is a zip with a ``manifest.json``: the versions it was made with, and name, size and SHA-256 of each
member. It is made piece by piece and lies nowhere in between, so that it can be made on a card that is full.
A match that is being played is packed as it was at one moment; its writer never waits.
"""

import hashlib
import json
import os
import sqlite3
import time
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib import metadata
from itertools import count
from pathlib import Path
from typing import IO, Final

from device.files import sync_folder
from device.folders import ENDING, SettingsFiles, matches_folder, settings_files
from device.journal.held import apart
from device.journal.journal_reader import NotCopiedError, reader
from device.journal.store import DAMAGE, VERSION, JournalError
from device.keeping.belongings import BY_HAND, FORM, FORM_BEFORE, MANIFEST, SETTINGS, BackupError, belongings
from device.settings_lines import as_one
from engine.plain import JsonObject

_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""Zip files know no earlier time, and a Pi without a clock starts in 1970."""
_CHUNK: Final = 1 << 17
"""Bytes that are read at a time: a page's server puts larger pieces onto the disk."""
_FORM_BYTES: Final = slice(18, 20)
"""Where a file of SQLite says whether changes lie beside it in a log (2) or not (1)."""


@dataclass(frozen=True, slots=True)
class Packed:
    """A backup that was made."""

    path: Path
    members: int
    matches: int
    size: int
    raw: bool = False
    """Whether its settings could not be made one text."""
    lacks: tuple[str, ...] = ()
    """What could not be read whole, in sentences."""

    @property
    def words(self) -> str:
        """What is in it, in sentences."""
        things = f"{self.matches} matches and {self.members - self.matches} other files"
        raw = " Its settings cannot be read: they are in it as they lie." if self.raw else ""
        told = f"{self.path} holds {things}, {self.size / 1e6:.1f} MB, checked.{raw}"
        return " ".join((told, *self.lacks))


class Backup:
    """A backup that is made while it is asked for piece by piece. Raises BackupError in between."""

    def __init__(self, state: Path | None = None, settings: SettingsFiles | None = None) -> None:
        self._state, self._settings = state or matches_folder().parent, settings or settings_files()
        self.members: dict[str, JsonObject] = {}
        """What is in it by now."""
        self.size = 0
        self.lacks: list[str] = []
        """What could not be read whole, in sentences."""

    def __iter__(self) -> Iterator[bytes]:
        try:
            for piece in self._pieces():
                self.size += len(piece)
                yield piece
        except OSError as wrong:
            if isinstance(wrong, BackupError):
                raise
            raise BackupError(f"The backup cannot be made: {wrong.strerror or wrong}.") from wrong

    def made_at(self, path: Path) -> Packed:
        """What has been made, and where."""
        matches = sum(name.endswith(ENDING) and name.count("/") == 1 for name in self.members)
        raw = BY_HAND in self.members
        return Packed(path, len(self.members), matches, self.size, raw, (*self.lacks,))

    def _pieces(self) -> Iterator[bytes]:
        sink = _Sink()
        # The sink cannot be gone back in: each size follows its member.
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:  # type: ignore[call-overload]
            for name, path in belongings(self._state):
                whole = snapshot(path, self.lacks) if path.suffix == ENDING else _chunks_of(path)
                yield from self._put(file, sink, name, path.stat().st_size, whole)
            for name, text in settings_members(self._settings).items():
                yield from self._put(file, sink, name, len(text), [text])
            form = FORM if BY_HAND in self.members else FORM_BEFORE
            made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            told = {"form": form, "journal": VERSION, "pipwatch": metadata.version("pipwatch"), "made": made,
                    "members": [*self.members.values()], "lacks": self.lacks}  # fmt: skip
            file.writestr(zipfile.ZipInfo(MANIFEST, _TIME), json.dumps(told, indent=1))
        yield sink.taken()

    def _put(
        self, file: zipfile.ZipFile, sink: "_Sink", name: str, about: int, data: Iterable[bytes | memoryview]
    ) -> Iterator[bytes]:
        info = zipfile.ZipInfo(name, _TIME)
        info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
        info.file_size = about  # by this it is chosen how sizes are written
        digest, size = hashlib.sha256(), 0
        with file.open(info, "w") as out:
            for chunk in data:
                digest.update(chunk)
                size += out.write(chunk)
                yield sink.taken()
        self.members[name] = {"name": name, "size": size, "sha256": digest.hexdigest()}
        yield sink.taken()


class _Sink:
    """What a zip is written to; it is taken away piece by piece."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def write(self, data: bytes | memoryview) -> int:
        """Keep it until it is taken."""
        self._parts.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """There is nothing behind it."""

    def taken(self) -> bytes:
        """What was written since the last time."""
        parts, self._parts = self._parts, []
        return b"".join(parts)


def pack(target: Path, state: Path | None = None, settings: SettingsFiles | None = None) -> Packed:
    """Make a backup at ``target``; raises BackupError, and leaves nothing half there."""
    part = target.with_name(f".{target.name}.new")
    backup = Backup(state, settings)
    try:
        with part.open("x+b") as out:
            _fill(out, backup, target)
        part.replace(target)
        sync_folder(target.parent)
    except OSError as wrong:
        raise _unwritten(target, wrong) from wrong
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    return backup.made_at(target)


def pack_into(out: IO[bytes], target: Path) -> Packed:
    """Make a backup in a file that somebody else has opened at ``target``, and deletes if this raises."""
    backup = Backup()
    try:
        _fill(out, backup, target)
    except OSError as wrong:
        raise _unwritten(target, wrong) from wrong
    return backup.made_at(target)


def _fill(out: IO[bytes], backup: Backup, target: Path) -> None:
    for piece in backup:
        out.write(piece)
    out.flush()
    os.fsync(out.fileno())
    check(out, target.name)


def _unwritten(target: Path, wrong: OSError) -> BackupError:
    if isinstance(wrong, BackupError):
        return wrong
    return BackupError(f"{target} cannot be written: {wrong.strerror or wrong}.")


def free_name(folder: Path, now: Callable[[], float] = time.time) -> Path:
    """A name for a new backup in a folder; the clock may be wrong, so it may have to be counted on."""
    usual = Path(usual_name(now))
    names = (folder / f"{usual.stem}{'' if n == 1 else f'-{n}'}{usual.suffix}" for n in count(1))
    return next(path for path in names if not path.exists())


def usual_name(now: Callable[[], float] = time.time) -> str:
    """What a backup of today is called."""
    return f"pipwatch-{time.strftime('%Y-%m-%d', time.gmtime(now()))}.zip"


def check(made: IO[bytes], name: str) -> None:
    """Read a backup that was just written once more; raises BackupError where the disk has changed it."""
    with zipfile.ZipFile(made) as file:
        told = json.loads(file.read(MANIFEST))
        for member in told["members"]:
            with file.open(member["name"]) as data:
                if hashlib.file_digest(data, "sha256").hexdigest() != member["sha256"]:  # type: ignore[arg-type]
                    raise BackupError(f"{name}: {member['name']} was not written as it is; try another disk.")


def snapshot(path: Path, lacks: list[str] | None = None) -> Iterator[bytes | memoryview]:
    """A journal as it is at this moment, as one file, whoever may be writing it; what it lacks is added."""
    try:
        with reader(path) as base, closing(sqlite3.connect(":memory:")) as copy:
            base.backup(copy)
            whole = copy.serialize()
    except NotCopiedError as wrong:
        if wrong.passing or lacks is None:
            raise BackupError(str(wrong)) from wrong
        # A card that dies is why people want a backup: the rest is in it all the same.
        lacks.append(f"{str(wrong).rstrip('.')}: what was said last is not in it.")
        whole = b""
    except (JournalError, *DAMAGE, sqlite3.Error) as wrong:
        with apart(path) as free:
            if not free:  # it is whole, and on its way
                raise BackupError(f"{path.name} cannot be read now ({wrong}); try again.") from wrong
        whole = b""
    if len(whole) < _FORM_BYTES.stop:
        yield from _chunks_of(path)  # damaged, or of a newer form: as it lies
        return
    yield whole[: _FORM_BYTES.start] + b"\1\1"
    rest = memoryview(whole)[_FORM_BYTES.stop :]
    yield from (rest[at : at + _CHUNK] for at in range(0, len(rest), _CHUNK))


def _chunks_of(path: Path) -> Iterator[bytes]:
    with path.open("rb") as data:
        while chunk := data.read(_CHUNK):
            yield chunk


def settings_members(files: SettingsFiles) -> dict[str, bytes]:
    """What both files of settings say, as one text; where one is broken, each of them as it lies."""
    by_hand, by_page = _text_of(files.by_hand), _text_of(files.by_page)
    try:
        said = {SETTINGS: as_one(by_hand.decode(), by_page.decode()).encode()}
    except (ValueError, RecursionError):
        said = {BY_HAND: by_hand, SETTINGS: by_page}
    return {name: text for name, text in said.items() if text}


def _text_of(path: Path) -> bytes:
    # One that is not there says nothing, and one that this user may not see is the box's and not his.
    with suppress(FileNotFoundError, NotADirectoryError, IsADirectoryError, PermissionError):
        return path.read_bytes()
    return b""
