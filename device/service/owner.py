"""Whose box it is: a password for what only the owner may do, and a PIN for whoever may look.

Both are kept as scrypt hashes, in a file that is written whole. The password is set at the first start, by
whoever may act then. Whoever has entered it is the owner for a quarter of an hour from the last use on; that
is remembered in memory alone, by a hash of what the browser keeps.
"""

import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from device.service.phones import hashed, write_whole
from device.service.tries import WrongTries

LEAST: Final = 8
"""Letters of a password: with a handful of tries a minute, eight are out of reach."""
MOST: Final = 200
SESSION_S: Final = 900.0
_SESSIONS: Final = 16
_VERSION: Final = 1
_COST: Final = {"n": 2**14, "r": 8, "p": 1}
"""16 MB and some 50 ms on a PC, a fifth of a second on a Pi."""

TOO_SHORT: Final = f"A password has at least {LEAST} letters."
WRONG: Final = "This is not the password."
WAIT: Final = "Too many wrong passwords: wait {wait} s."
SET_ALREADY: Final = "The box has a password already: enter it first."
NO_PIN: Final = "A PIN has four or five digits."


def scrypt_of(secret: str, salt: bytes) -> str:
    """The hash of a secret, in letters."""
    made = hashlib.scrypt(secret.encode(errors="replace"), salt=salt, maxmem=64_000_000, dklen=32, **_COST)
    return made.hex()


@dataclass(frozen=True, slots=True)
class Secret:
    """What is kept of a password or a PIN."""

    salt: str = ""
    key: str = ""

    @classmethod
    def of(cls, secret: str) -> "Secret":
        """What is kept of this one."""
        salt = secrets.token_bytes(16)
        return cls(salt.hex(), scrypt_of(secret, salt))

    @property
    def is_set(self) -> bool:
        """Whether there is one."""
        return bool(self.key)

    def matches(self, given: str) -> bool:
        """Whether this is it."""
        return self.is_set and hmac.compare_digest(scrypt_of(given, bytes.fromhex(self.salt)), self.key)


@dataclass(frozen=True, slots=True)
class OwnerSecrets:
    """What is kept of both."""

    password: Secret = Secret()
    pin: Secret = Secret()


class Owner:
    """The owner's part of the door, for any thread."""

    def __init__(self, kept: Path | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self._kept, self._clock = kept, clock
        self._lock = threading.Lock()
        self._hashing = threading.Lock()
        """One hash at a time: many at once would be memory that a small box lacks."""
        self._tries = WrongTries()
        self._sessions: dict[str, float] = {}
        self._known = _read(kept)

    @property
    def is_set(self) -> bool:
        """Whether there is a password."""
        return self._known.password.is_set

    @property
    def has_pin(self) -> bool:
        """Whether looking at the room takes a PIN."""
        return self._known.pin.is_set

    def set_password(self, given: str) -> str:
        """Make this the password; why not, if not. Every other session ends."""
        if not LEAST <= len(given) <= MOST:
            return TOO_SHORT
        with self._hashing:
            secret = Secret.of(given)
        return self._keep(replace(self._known, password=secret))

    def set_pin(self, given: str) -> str:
        """Make this the PIN, or have none if it is empty; why not, if not."""
        if given and not (given.isascii() and given.isdigit() and len(given) in (4, 5)):
            return NO_PIN
        with self._hashing:
            secret = Secret.of(given) if given else Secret()
        return self._keep(replace(self._known, pin=secret))

    def is_pin(self, given: str) -> bool:
        """Whether this is the PIN; who calls counts the tries."""
        with self._hashing:
            return self._known.pin.matches(given)

    def enter(self, whose: str, given: str) -> tuple[str, float, str]:
        """Somebody at an address enters a password: why not, how long to wait, or a session's secret."""
        now = self._clock()
        with self._lock:
            if wait := self._tries.wait_s(whose, now):
                return WAIT.format(wait=int(wait) + 1), wait, ""
            # Counted before it is known: many tries at once are as many tries.
            self._tries = self._tries.and_wrong(whose, now)
        with self._hashing:
            right = len(given) <= MOST and self._known.password.matches(given)
        if not right:
            return WRONG, 0.0, ""
        with self._lock:
            self._tries = self._tries.without(whose, now)
            return "", 0.0, self._begin(now)

    def knows(self, secret: str) -> bool:
        """Whether this is the secret of a session."""
        with self._lock:
            return bool(secret) and self._clock() < self._sessions.get(hashed(secret), 0.0)

    def used(self, secret: str) -> None:
        """The owner has done something with it: the quarter of an hour begins anew."""
        with self._lock:
            if hashed(secret) in self._sessions:
                self._sessions[hashed(secret)] = self._clock() + SESSION_S

    def leave(self, secret: str) -> None:
        """A session ends."""
        with self._lock:
            self._sessions.pop(hashed(secret), None)

    def _begin(self, now: float) -> str:
        secret = secrets.token_urlsafe(32)
        newest = sorted(self._sessions.items(), key=lambda one: one[1])[-(_SESSIONS - 1) :]
        self._sessions = {key: until for key, until in newest if until > now}
        self._sessions[hashed(secret)] = now + SESSION_S
        return secret

    def _keep(self, known: OwnerSecrets) -> str:
        with self._lock:
            if self._kept is not None:
                try:
                    write_whole(self._kept, _text(known))
                except OSError as wrong:
                    return f"{self._kept.name} cannot be written: {wrong.strerror}."
            if known.password != self._known.password:
                self._sessions.clear()
            self._known = known
        return ""


def _text(known: OwnerSecrets) -> str:
    parts = {name: {"salt": one.salt, "key": one.key} for name, one in _named(known)}
    return json.dumps({"version": _VERSION, **parts}, indent=1) + "\n"


def _named(known: OwnerSecrets) -> tuple[tuple[str, Secret], ...]:
    return ("password", known.password), ("pin", known.pin)


def _read(path: Path | None) -> OwnerSecrets:
    """What is kept; a file that cannot be read keeps everybody out, until somebody takes it away."""
    if path is None or not path.exists():
        return OwnerSecrets()
    try:
        told: Any = json.loads(path.read_text(encoding="utf-8"))
        if told["version"] != _VERSION:
            raise ValueError("another version")
        return OwnerSecrets(
            *(Secret(str(told[name]["salt"]), str(told[name]["key"])) for name in ("password", "pin"))
        )
    except (OSError, ValueError, KeyError, TypeError):
        nobody = Secret(secrets.token_hex(16), secrets.token_hex(32))
        return OwnerSecrets(nobody, nobody)
