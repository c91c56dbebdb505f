"""A match as it changes: whole for who comes, and for who was there only what has changed since.

Each view has a name, which is its event's id and its ETag: the match's own word and the view's number.
Whoever comes back with the name of a view that is still known is told what changed since; all others get it
whole.
"""

import json
import secrets
import threading
import zlib
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, Final

from device.live.thread_channels import Latest
from device.match.match_view import View
from web.changes import changes

PING_S: Final = 15.0
"""How often a stream with no news says that it still lives; the page counts on it."""
_LOOKS_S: Final = 2.0
"""How often a stream with no news looks whether its screen is still there, and may look."""
EACH: Final = 4
"""Places that one address may have: a phone has one, a house with a television two or three."""
_KNOWN: Final = 240
"""Views that are remembered: those of a long evening, a few kilobytes each."""
_PAIRS: Final = 24


class Seats:
    """Places for browsers that follow a match live: each holds a thread, and no address has them all."""

    def __init__(self, count: int, each: int = EACH) -> None:
        self._room, self._each = count, each
        self._taken: Counter[str] = Counter()
        self._turn = threading.Lock()

    def take(self, whose: str = "") -> bool:
        """Take a place, if one is free for this address; an empty one is anybody's."""
        with self._turn:
            if not self._is_free(whose):
                return False
            self._taken[whose] += 1
            return True

    def leave(self, whose: str = "") -> None:
        """Give a place back."""
        with self._turn:
            self._taken[whose] -= 1
            self._taken += Counter()  # what is not taken by anybody any more is forgotten

    @property
    def taken(self) -> int:
        """How many browsers follow now."""
        return self._taken.total()

    def full(self, whose: str = "") -> bool:
        """Whether nobody else can follow live from this address."""
        with self._turn:
            return not self._is_free(whose)

    def _is_free(self, whose: str) -> bool:
        return self._taken.total() < self._room and (not whose or self._taken[whose] < self._each)


def plain(view: Any) -> str:
    """A view, or a part of one, as text."""
    return json.dumps(view, ensure_ascii=False, separators=(",", ":"))


class MatchViews:
    """The views of one match, for any thread."""

    def __init__(self, views: Latest[View]) -> None:
        self._views = views
        self._word = secrets.token_hex(4)
        """Another match, or the same one after a restart, has views of the same numbers."""
        self._newest = (0, "{}")
        self._known: OrderedDict[int, bytes] = OrderedDict()
        self._pairs: OrderedDict[tuple[int, int], str] = OrderedDict()
        self._turn = threading.Lock()

    @property
    def ended(self) -> bool:
        """Whether nothing more will come."""
        return self._views.closed

    def now(self) -> tuple[str, str]:
        """The name and the text of the newest view."""
        number, view = self._views.get()
        return self._name(number), self._text(number, view or {})

    def events(self, after: str, welcome: Callable[[], bool], ping_s: float = PING_S) -> Iterator[str]:
        """The match as it changes since the view of this name, for as long as somebody looks and may."""
        yield "retry: 2000\n\n"
        seen, before = self._recalled(after)
        number, step, quiet_s = seen, min(ping_s, _LOOKS_S), 0.0
        while welcome():
            number, view = self._views.get(number, step)
            quiet_s += step
            if view is not None:
                yield f"id: {self._name(number)}\n{self._told(seen, before, number, view)}\n\n"
                seen, before, quiet_s = number, view, 0.0
            elif self._views.closed:
                yield "event: ended\ndata: {}\n\n"
                return
            elif quiet_s >= ping_s:
                yield "event: ping\ndata: {}\n\n"
                quiet_s = 0.0

    def _name(self, number: int) -> str:
        return f"{self._word}-{number}"

    def _recalled(self, name: str) -> tuple[int, View | None]:
        """The number and the view of this name, if it is known; else 0 and nothing."""
        word, _, number = name.partition("-")
        if word != self._word or not (number.isascii() and number.isdigit() and len(number) < 12):
            return 0, None
        with self._turn:
            kept = self._known.get(int(number))
        return (0, None) if kept is None else (int(number), json.loads(zlib.decompress(kept)))

    def _text(self, number: int, view: View) -> str:
        known, text = self._newest
        if known == number:
            return text
        text = plain(view)
        self._newest = number, text
        with self._turn:
            if number not in self._known:
                self._known[number] = zlib.compress(text.encode(), 1)
                while len(self._known) > _KNOWN:
                    self._known.popitem(last=False)
        return text

    def _told(self, seen: int, before: View | None, number: int, view: View) -> str:
        """A view as an event: what changed, where that is less than all of it."""
        if before is None:
            return f"data: {self._text(number, view)}"
        with self._turn:
            known = self._pairs.get((seen, number))
        if known is None:
            whole = self._text(number, view)
            steps = plain({"from": self._name(seen), "steps": changes(before, view)})
            known = f"event: change\ndata: {steps}" if len(steps) < len(whole) else f"data: {whole}"
            with self._turn:
                self._pairs[seen, number] = known
                while len(self._pairs) > _PAIRS:
                    self._pairs.popitem(last=False)
        return known
