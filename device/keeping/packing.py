"""All that an owner would miss in one file: matches, sets, calibration, settings, each with its check sum.

The file is a zip with a ``manifest.json``: the versions it was made with, and name, size and SHA-256 of each
member. A match that is being played is copied by SQLite as it was at one moment; its writer never waits.
"""

import hashlib
import json
import os
import shutil
import sqlite3
import time
import zipfile
from collections.abc import Callable
from contextlib import closing, suppress
from dataclasses import dataclass
from importlib import metadata
from itertools import count
from pathlib import Path
from typing import Final

from device.files import sync_folder
from device.journal.reading import reader
from device.journal.store import DAMAGE, VERSION, JournalError
from device.keeping.belongings import FORM, MANIFEST, SETTINGS, BackupError, belongings
from device.places import ENDING, matches_folder, settings_file
from engine.plain import JsonObject

_TIME: Final = (1980, 1, 1, 0, 0, 0)
"""Zip files know no earlier time, and a Pi without a clock starts in 1970."""
_CHUNK: Final = 1 << 20


@dataclass(frozen=True, slots=True)
class Packed:
    """A backup that was made."""

    path: Path
    members: int
    matches: int
    size: int

    @property
    def words(self) -> str:
        """What is in it, in a sentence."""
        things = f"{self.matches} matches and {self.members - self.matches} other files"
        return f"{self.path} holds {things}, {self.size / 1e6:.1f} MB, checked."


def pack(target: Path, state: Path | None = None, settings: Path | None = None) -> Packed:
    """Make a backup at ``target``; raises BackupError, and leaves nothing half there."""
    part = target.with_name(f".{target.name}.new")
    try:
        members = _write(part, state or matches_folder().parent, settings or settings_file())
        check(part)
        part.replace(target)
        sync_folder(target.parent)
    except OSError as wrong:
        if isinstance(wrong, BackupError):
            raise
        raise BackupError(f"{target} cannot be written: {wrong.strerror or wrong}.") from wrong
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)
    matches = sum(name.endswith(ENDING) for name in members)
    return Packed(target, len(members), matches, target.stat().st_size)


def free_name(folder: Path, now: Callable[[], float] = time.time) -> Path:
    """A name for a new backup in a folder; the clock may be wrong, so it may have to be counted on."""
    day = time.strftime("%Y-%m-%d", time.gmtime(now()))
    names = (folder / f"pipwatch-{day}{'' if n == 1 else f'-{n}'}.zip" for n in count(1))
    return next(path for path in names if not path.exists())


def check(path: Path) -> None:
    """Read a backup that was just written once more; raises BackupError where the disk has changed it."""
    with zipfile.ZipFile(path) as file:
        told = json.loads(file.read(MANIFEST))
        for member in told["members"]:
            with file.open(member["name"]) as data:
                if hashlib.file_digest(data, "sha256").hexdigest() != member["sha256"]:  # type: ignore[arg-type]
                    raise BackupError(
                        f"{path.name}: {member['name']} was not written as it is; try another disk."
                    )


def snapshot(path: Path, to: Path) -> None:
    """A journal as it is at this moment, in one file, whoever may be writing it."""
    try:
        with reader(path) as base, closing(sqlite3.connect(to)) as copy:
            base.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
    except (JournalError, *DAMAGE, sqlite3.Error):
        shutil.copyfile(path, to)  # damaged, or of a newer form: as it lies


def _write(part: Path, state: Path, settings: Path) -> dict[str, JsonObject]:
    members: dict[str, JsonObject] = {}
    copied = part.with_name(f"{part.name}.match")
    with part.open("xb") as raw:
        with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as file:
            for name, path in belongings(state):
                try:
                    if path.suffix == ENDING:
                        copied.unlink(missing_ok=True)
                        snapshot(path, copied)
                    members[name] = _put(file, name, copied if path.suffix == ENDING else path)
                finally:
                    copied.unlink(missing_ok=True)
            if settings.is_file():
                members[SETTINGS] = _put(file, SETTINGS, settings)
            made = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            told = {"form": FORM, "journal": VERSION, "pipwatch": metadata.version("pipwatch"), "made": made,
                    "members": [*members.values()]}  # fmt: skip
            file.writestr(zipfile.ZipInfo(MANIFEST, _TIME), json.dumps(told, indent=1))
        raw.flush()
        os.fsync(raw.fileno())
    return members


def _put(file: zipfile.ZipFile, name: str, path: Path) -> JsonObject:
    info = zipfile.ZipInfo(name, _TIME)
    info.compress_type, info.external_attr = zipfile.ZIP_DEFLATED, 0o600 << 16
    digest, size = hashlib.sha256(), 0
    with path.open("rb") as data, file.open(info, "w", force_zip64=True) as out:
        while chunk := data.read(_CHUNK):
            digest.update(chunk)
            size += out.write(chunk)
    return {"name": name, "size": size, "sha256": digest.hexdigest()}
