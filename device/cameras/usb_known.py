"""Which USB cameras that tell no difference were seen before, and where: so a twin changes nobody's name.

They are told apart by their sockets. The one that was there alone, before any other like it, is the first: it
keeps the name without a socket when a twin comes, and no twin gets that name when the first one goes. What
nobody can know is not guessed: where two may be the first one, neither is.
"""

import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from device.files import write_safely

_MOST_PLACES = 32
"""So many sockets are kept of cameras of one kind; the oldest give way."""


@dataclass(frozen=True, slots=True)
class Kin:
    """Cameras that tell the same of themselves."""

    first: tuple[str, ...] = ()
    """The sockets in which the first one may be; none where nobody knows which one that is."""
    others: tuple[str, ...] = ()
    """The sockets of those that came beside it, or may not be the first one."""

    def met(self, places: Sequence[str]) -> "Kin":
        """What is known once they are seen in these sockets."""
        if len(places) == 1 and not self.others:  # there never was another one: it may have been moved
            return Kin(_together(self.first, places))
        here = tuple(one for one in places if one in self.first)
        if len(here) > 1:  # it was moved once, and who is now where it was before is nobody's to tell
            return Kin(others=_together(self.others, places))
        strange = [one for one in places if one not in self.first]
        return Kin(here or self.first, _together(self.others, strange))

    def name(self, ids: str, place: str) -> str:
        """What the one in this socket is called."""
        return ids if place in self.first else f"{ids}@{place}"

    def names(self, ids: str) -> Sequence[str]:
        """What all of them are called, also those that are not connected, and the name of nobody."""
        return [ids, *(f"{ids}@{place}" for place in self.others)]


def kept(file: Path) -> Mapping[str, Kin]:
    """What is known by maker, model and serial number; nothing of what another version wrote, or nobody."""
    try:
        plain = json.loads(file.read_text(encoding="utf-8"))
        return {str(ids): Kin(_places(one["first"]), _places(one["others"])) for ids, one in plain.items()}
    except (OSError, ValueError, LookupError, TypeError, AttributeError):
        return {}


def keep(file: Path, there: Mapping[str, Sequence[str]]) -> None:
    """Take in who is connected, by their sockets; the disk is written only where that is new."""
    before = kept(file)
    now = {**before, **{ids: before.get(ids, Kin()).met(places) for ids, places in there.items()}}
    if now == before:
        return
    with suppress(OSError):  # a card that takes nothing does not stop a camera
        file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_safely(file, json.dumps({ids: asdict(kin) for ids, kin in now.items()}).encode())


def _together(known: Sequence[str], more: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *more)))[-_MOST_PLACES:]


def _places(plain: Any) -> tuple[str, ...]:
    return tuple(map(str, plain)) if isinstance(plain, list) else ()
