"""The phones that are paired: what is kept of each, for how long, and where.

Only a hash of a phone's secret is kept, so that whoever reads the file can act as nobody. The file is written
whole: a pulled plug leaves the list before or the list after. Whoever deletes it forgets all phones.
"""

import hashlib
import json
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

IDLE_S: Final = 30 * 86_400.0
"""A phone that was not used for so long is forgotten: the span that the field has settled on for sessions."""
NOTED_S: Final = 86_400.0
"""A phone's last use is written at most so often, to spare the memory card."""
LONGEST: Final = 40
"""Letters of what a screen calls itself."""
MOST: Final = 64
"""Phones kept; the one that was unused longest makes room. Two hands and a house full of guests are fewer."""
CLOCK_SET_S: Final = 1_767_225_600.0
"""The first second of 2026. A clock before it was never set, so nothing can be told by it."""
_VERSION: Final = 2
_KNOWN: Final = (1, 2)
"""Before the second one every screen was a player's."""
Role: TypeAlias = Literal["player", "viewer"]
"""Whoever plays along may act; a viewer has entered the PIN and looks."""


@dataclass(frozen=True, slots=True)
class Phone:
    """One that is paired."""

    key: str
    """The SHA-256 of its secret. The secret has 256 random bits, so no slower hash is needed."""
    since: float
    """When it was paired, by the machine's clock."""
    last: float
    """When it was used last, as far as that was noted."""
    role: Role = "player"
    name: str = ""
    """What it calls itself, as far as that tells it from others."""

    @property
    def short(self) -> str:
        """What it is called where it is listed: enough to tell it from others, too little to act as it."""
        return self.key[:12]


Phones = tuple[Phone, ...]


def hashed(secret: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(secret.encode(errors="replace")).hexdigest()


def paired(phones: Phones, now: float, role: Role = "player", name: str = "") -> tuple[Phones, str]:
    """The phones with a new one, and the secret that only this one knows."""
    secret = secrets.token_urlsafe(32)
    others = sorted(phones, key=lambda phone: phone.last)[-(MOST - 1) :]
    return (*others, Phone(hashed(secret), now, now, role, name)), secret


def used(phones: Phones, secret: str, now: float) -> tuple[Phones, Phone | None]:
    """The phones after one of them was used now, and which it was; None where it is none of them."""
    phones = fresh(phones, now)
    key = hashed(secret)
    found = next((phone for phone in phones if phone.key == key), None)
    if found is None or now - found.last < NOTED_S:
        return phones, found
    noted = replace(found, last=now)
    return tuple(noted if phone is found else phone for phone in phones), noted


def fresh(phones: Phones, now: float) -> Phones:
    """Those that are not forgotten; an idle month counts only by a clock that was set before and after."""
    if now < CLOCK_SET_S:
        return phones
    known = tuple(replace(phone, last=now) if phone.last < CLOCK_SET_S else phone for phone in phones)
    kept = tuple(phone for phone in known if now - phone.last < IDLE_S)
    return phones if kept == phones else kept


class PhoneBook:
    """The file in which they are kept, or memory alone where there is no path."""

    def __init__(self, path: Path | None, say: Callable[[str], None] = lambda _: None) -> None:
        self._path, self._say = path, say
        self._stamp: tuple[int, ...] | None = None
        self._phones: Phones = ()
        self.read()

    def read(self) -> Phones:
        """The phones as the file has them now; it is read again only where it has changed."""
        if self._path is None:
            return self._phones
        stamp = _stamp(self._path)
        if stamp != self._stamp:
            self._phones, self._stamp = self._load(), stamp
        return self._phones

    def write(self, phones: Phones) -> None:
        """Keep these; a disk that takes nothing is told, and they are remembered until the end."""
        self._phones = phones
        if self._path is None:
            return
        try:
            write_whole(self._path, _text(phones))
        except OSError as wrong:
            self._say(f"{self._path.name} cannot be written ({wrong.strerror}): phones are remembered "
                      "only until the end.")  # fmt: skip
        self._stamp = _stamp(self._path)

    def _load(self) -> Phones:
        assert self._path is not None
        try:
            return _phones_in(self._path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return ()
        except (OSError, ValueError, KeyError, TypeError):
            self._say(f"{self._path.name} cannot be read: each phone has to enter the code again.")
            return ()


def write_whole(path: Path, text: str, mode: int = 0o600) -> None:
    """Put a file on the disk so that there is always the old one or the new one, never a part."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    beside = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            os.fchmod(handle, mode)  # whatever the process's own mask takes away
            file.write(text)
            file.flush()
            os.fsync(handle)
        beside.replace(path)
    except OSError:
        with suppress(OSError):
            beside.unlink()
        raise
    folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def _stamp(path: Path) -> tuple[int, ...] | None:
    try:
        told = path.stat()
    except OSError:
        return None
    return told.st_ino, told.st_mtime_ns, told.st_size


def _text(phones: Phones) -> str:
    rows = [
        {"key": one.key, "since": one.since, "last": one.last, "role": one.role, "name": one.name}
        for one in phones
    ]
    return json.dumps({"version": _VERSION, "phones": rows}, indent=1) + "\n"


def _phones_in(text: str) -> Phones:
    told: Any = json.loads(text)
    if told["version"] not in _KNOWN:
        raise ValueError("another version")
    return tuple(map(_phone_in, told["phones"]))


def _phone_in(row: Any) -> Phone:
    """Whose role is none of ours only looks."""
    role: Role = "player" if row.get("role", "player") == "player" else "viewer"
    return Phone(
        str(row["key"]), float(row["since"]), float(row["last"]), role, str(row.get("name", ""))[:LONGEST]
    )
