"""Names taken out of what is sent to others: players, this machine, its user, secrets of the settings.

Ways into the box are taken out by their form, as a log tells them that was written by another run or machine:
codes, passphrases, pictures of both that a phone can scan, names of networks, addresses.
"""

import getpass
import ipaddress
import json
import re
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

MASKED: Final = "(masked)"
_SECRET: Final = re.compile(r"password|secret|token|key|code|user|ssid|broker|host|name|address", re.I)
"""Keys of settings whose values are nobody else's business."""
_SHIPPED: Final = re.compile(r"player \d", re.I)
_LEAST_LETTERS: Final = 3
"""A shorter user or machine name is a word of every other sentence."""
_OURS: Final = "pipwatch"
"""No name of anybody, whoever uses it as one: it is in every line of a log."""
_SCANNED: Final = re.compile(r"^.*[█▀▄].*\n?", re.M)
"""A line of a picture that a phone can scan: code, passphrase and address are in it."""
_CODE: Final = re.compile(r"(?i)(\bcode\b[^\n:]*:\s*|/join#)\d{3}\s?\d{3}\b")
_SPOKEN: Final = re.compile(r"(?i)(\b(?:passphrase|password|psk)\b[\s:=]+)\S+")
_WIFI: Final = re.compile(r"(\bWi-Fi(?: first)?[:,] )[^\s,]+")
_HOST: Final = re.compile(r"(?i)(\b[a-z][a-z0-9+]*://)(\[[^\]\s]*\]|[^/\s:?#]+)")
_LOCAL: Final = re.compile(r"(?i)(?<![\w.-])[\w-]+(?:\.[\w-]+)*\.(?:local|home\.arpa|lan|fritz\.box)\b")
_ADDRESS: Final = re.compile(
    r"(?i)(?<![\w.:])(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f]*:[0-9a-f:]*:[0-9a-f:.]*)(?![\w:])"
)
_NETWORK_CARD: Final = re.compile(r"(?i)(?<![\w:])[0-9a-f]{2}(?::[0-9a-f]{2}){5}(?![\w:])")
_SERIAL: Final = re.compile(r"(?i)\b([0-9a-f]{4}:[0-9a-f]{4}:)[\w.-]+")
"""The serial number of a USB device, behind its maker and model."""
_LOGGING: Final = re.compile(r"^(?:\w{3} +\d+ [\d:.]+|\d{4}-\d\d-\d\dT\S+) (\S+) [\w./-]+(?:\[\d+\])?:", re.M)
"""The head of a line of a system's log, with the name of the machine."""


class Mask:
    """Replaces each name, wherever it stands as a word of its own, whatever its case."""

    def __init__(self, players: Iterable[tuple[str, str]], others: Mapping[str, str] | None = None) -> None:
        told = {name.strip(): f"player {n}" for pair in players for n, name in enumerate(pair, 1)}
        known = {name: word for name, word in told.items() if name and not _SHIPPED.fullmatch(name)}
        known = dict(of_this_machine() if others is None else others) | known
        spelt = {form: word for name, word in known.items() for form in _forms(name)}
        self._words = {name.casefold(): word for name, word in spelt.items()}
        names = sorted(spelt, key=len, reverse=True)
        parts = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in names)
        self._names = re.compile(parts, re.I) if names else None

    def text(self, told: str) -> str:
        """A text without the names, and without the ways in."""
        told = without_ways_in(told)
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


def without_ways_in(told: str) -> str:
    """A text without what leads into a box or a network, or tells where it is."""
    for form in (_CODE, _SPOKEN, _WIFI):
        told = form.sub(rf"\1{MASKED}", told)
    told = _HOST.sub(lambda found: f"{found[1]}{_unless_here(found[2].strip('[]'), found[2])}", told)
    told = _NETWORK_CARD.sub(MASKED, _LOCAL.sub(MASKED, _SCANNED.sub("", told)))
    told = _ADDRESS.sub(lambda found: _masked_address(found[0]), told)
    return _SERIAL.sub(rf"\1{MASKED}", told)


def logging_machines(log: str) -> set[str]:
    """What the machines are called of which a system's log tells."""
    return {name for name in _LOGGING.findall(log) if name != _OURS}


def secrets_in(settings: Any) -> Iterator[str]:
    """The values of what looks like a secret in settings: they are told elsewhere, too."""
    for key, part in settings.items() if isinstance(settings, Mapping) else ():
        if isinstance(part, Mapping):
            yield from secrets_in(part)
        elif _SECRET.search(key):
            for one in part if isinstance(part, list) else [part]:
                if isinstance(one, str) and len(one) >= _LEAST_LETTERS and one.casefold() != _OURS:
                    yield one


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


def _unless_here(host: str, as_told: str) -> str:
    """A host of an address, unless it is every box's: its own loop, or all addresses of a machine."""
    if host.casefold() in ("localhost", MASKED):
        return as_told
    with suppress(ValueError):
        ip = ipaddress.ip_address(host.partition("%")[0])
        return as_told if ip.is_loopback or ip.is_unspecified else MASKED
    return MASKED


def _masked_address(told: str) -> str:
    """Whatever is an address of something: a time of day, or a version, is none."""
    with suppress(ValueError):
        ipaddress.ip_address(told.rstrip(".:") if not told.endswith("::") else told)
        return _unless_here(told.rstrip("."), told)
    return told


def of_this_machine() -> dict[str, str]:
    """What this machine and its user are called, with what stands in their place."""
    known = {str(Path.home()): "~", socket.gethostname(): "this-machine"}
    with suppress(KeyError, OSError):  # a service's user may have no name
        known[getpass.getuser()] = "user"
    words = {name: word for name, word in known.items() if len(name) >= _LEAST_LETTERS}
    return {name: word for name, word in words.items() if name not in ("root", _OURS)}
