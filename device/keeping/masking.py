"""Names taken out of what is sent to others: players, this machine, its user, secrets of the settings."""

import getpass
import json
import re
import socket
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

MASKED: Final = "(masked)"
_SECRET: Final = re.compile(r"password|secret|token|key|code|user|ssid|broker|host|name|address", re.I)
"""Keys of settings whose values are nobody else's business."""
_SHIPPED: Final = re.compile(r"player \d", re.I)
_LEAST_LETTERS: Final = 3
"""A shorter user or machine name is a word of every other sentence."""


class Mask:
    """Replaces each name, wherever it stands as a word of its own, whatever its case."""

    def __init__(self, players: Iterable[tuple[str, str]], others: Mapping[str, str] | None = None) -> None:
        told = {name.strip(): f"player {n}" for pair in players for n, name in enumerate(pair, 1)}
        known = {name: word for name, word in told.items() if name and not _SHIPPED.fullmatch(name)}
        known = dict(others if others is not None else _of_this_machine()) | known
        spelt = {form: word for name, word in known.items() for form in _forms(name)}
        self._words = {name.casefold(): word for name, word in spelt.items()}
        names = sorted(spelt, key=len, reverse=True)
        parts = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names)
        self._names = re.compile(parts, re.I) if names else None

    def text(self, told: str) -> str:
        """A text without the names."""
        if self._names is None:
            return told
        return self._names.sub(lambda found: self._words.get(found[0].casefold(), MASKED), told)

    def data(self, told: Any) -> Any:
        """Plain data without the names, keys included."""
        if isinstance(told, str):
            return self.text(told)
        if isinstance(told, Mapping):
            return {self.text(key): self.data(part) for key, part in told.items()}
        if isinstance(told, list | tuple):
            return [self.data(part) for part in told]
        return told


def without_secrets(settings: Any) -> Any:
    """Settings as plain data, the values of what looks like a secret masked."""
    if isinstance(settings, Mapping):
        return {
            key: MASKED if _SECRET.search(key) and not isinstance(part, Mapping) else without_secrets(part)
            for key, part in settings.items()
        }
    return [*map(without_secrets, settings)] if isinstance(settings, list) else settings


def _forms(name: str) -> set[str]:
    """How a name may be spelt: as it is, and as JSON escapes it."""
    return {name, json.dumps(name)[1:-1], json.dumps(name, ensure_ascii=False)[1:-1]}


def _of_this_machine() -> dict[str, str]:
    known = {str(Path.home()): "~", socket.gethostname(): "this-machine"}
    with suppress(KeyError, OSError):  # a service's user may have no name
        known[getpass.getuser()] = "user"
    return {name: word for name, word in known.items() if len(name) >= _LEAST_LETTERS and name != "root"}
