"""The dashboard's pages: what a browser may see of a match, and the one door through which it may speak."""

import json
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from flask import Flask, Response, abort, render_template, request

from device.journal.game import entry_events
from device.journal.reading import read_chain, read_pictures
from device.journal.store import JournalError
from device.live.desk import Desk
from device.match.signals import Kind, Told
from device.match.table import PEOPLE
from device.match.view import View
from web.access import Who
from web.guard import COOKIE, Door
from web.join import join_pages
from web.newest import NewestPicture
from web.sheets import Album, sheet_pages

ROLES: Final = ("before", "after", "frame")
MOST_WORDS: Final = 400
"""Letters of a typed line; no move of any game is nearly as long."""
_PING_S: Final = 15.0


class Seats:
    """Places for browsers that follow a match live: each holds a thread."""

    def __init__(self, count: int) -> None:
        self._free, self._count = threading.BoundedSemaphore(count), 0
        self._turn = threading.Lock()

    def take(self) -> bool:
        """Take a place, if one is free."""
        if not self._free.acquire(blocking=False):
            return False
        with self._turn:
            self._count += 1
        return True

    def leave(self) -> None:
        """Give a place back."""
        with self._turn:
            self._count -= 1
        self._free.release()

    @property
    def taken(self) -> int:
        """How many browsers follow now."""
        return self._count


def create(
    desk: Desk, *, door: Door | None = None, album: Album | None = None, seats: Seats | None = None,
    streams: int = 16, stays: bool = False,
) -> Flask:  # fmt: skip
    """The dashboard of a match; so many browsers may follow it live at once.

    ``stays`` where the page outlives the match: somebody must be able to leave it.
    """
    door = door or Door()
    app = Flask(__name__)
    app.config.update(MAX_CONTENT_LENGTH=4096)
    door.guard(app)
    app.register_blueprint(sheet_pages(album or Album(), door.token, desk))
    app.register_blueprint(join_pages(door))
    pages = Pages(desk, door, seats or Seats(streams), NewestPicture(desk.frames), stays)
    app.get("/")(pages.page)
    app.get("/api/view")(pages.view)
    app.get("/api/events")(pages.events)
    app.get("/frame.jpg")(pages.frame)
    app.get("/evidence/<int:entry>/<role>.jpg")(pages.evidence)
    app.post("/api/do")(pages.do)
    return app


@dataclass(frozen=True)
class Pages:
    """The answers to all requests."""

    desk: Desk
    door: Door
    seats: Seats
    newest: NewestPicture
    stays: bool = False

    def page(self) -> str:
        """The page itself."""
        return render_template("match.html", token=self.door.token, stays=self.stays)

    def view(self) -> Response:
        """The match as it is."""
        return Response(_json(self.desk.views.get()[1]), mimetype="application/json")

    def events(self) -> Response:
        """The match as it changes."""
        if not self.seats.take():
            return Response("Too many screens follow this match.", 503, {"Retry-After": "5"})
        pairing, secret = self.door.pairing, request.cookies.get(COOKIE, "")

        def welcome() -> bool:
            """Whether this screen may still look: phones may be forgotten while they follow."""
            return self.door.look == "open" or who is Who.HERE or bool(pairing and pairing.knows(secret))

        who = self.door.asking()
        answer = Response(_events(self.desk, welcome), mimetype="text/event-stream")
        answer.call_on_close(self.seats.leave)
        return answer

    def frame(self) -> Response:
        """The newest picture, with what was read drawn in unless it is wanted plain."""
        found = self.newest.get(plain="plain" in request.args)
        if found is None:
            return Response(status=204)
        number, jpeg = found
        if request.if_none_match.contains(str(number)):
            return Response(status=304)
        answer = Response(jpeg, mimetype="image/jpeg")
        answer.set_etag(str(number))
        return answer

    def evidence(self, entry: int, role: str) -> Response:
        """A picture that an entry rests on."""
        jpeg = _evidence(self.desk, entry, role) if role in ROLES else None
        if jpeg is None:
            abort(404)
        # Another match has entries of the same numbers: no browser may show the pictures of the one before.
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    def do(self) -> Response:
        """Something that somebody wants of the match."""
        told = _told(request.get_json(silent=True))
        if told is None:
            abort(400)
        self.desk.press(told)
        return Response(status=204)


def _json(view: View | None) -> str:
    return json.dumps(view or {}, ensure_ascii=False, separators=(",", ":"))


def _told(asked: Any) -> Told | None:
    """What somebody wants, or None where it is nothing that people can want."""
    if not isinstance(asked, dict):
        return None
    kind, words, number = asked.get("kind"), asked.get("words", ""), asked.get("number", 0)
    key = asked.get("key", "")
    if not isinstance(kind, str) or kind not in {str(one) for one in PEOPLE}:
        return None
    if not isinstance(words, str) or len(words) > MOST_WORDS or "\n" in words:
        return None
    if type(number) is not int or not 0 <= number < 100:
        return None
    if not isinstance(key, str) or len(key) > MOST_WORDS:
        return None
    return Told(Kind(kind), words, number, key)


def _events(desk: Desk, welcome: Callable[[], bool]) -> Iterator[str]:
    """The match as it changes, for as long as somebody looks and may."""
    yield "retry: 2000\n\n"
    number = 0
    while welcome():
        number, view = desk.views.get(number, _PING_S)
        if view is not None:
            yield f"id: {number}\ndata: {_json(view)}\n\n"
        elif desk.views.closed:
            yield "event: ended\ndata: {}\n\n"
            return
        else:
            yield ": still here\n\n"


def _evidence(desk: Desk, entry: int, role: str) -> bytes | None:
    try:
        event = entry_events(read_chain(desk.journal).events).get(entry)
        pictures = () if event is None else read_pictures(desk.journal, event)
    except JournalError:
        return None
    return next((one.jpeg for one in pictures if one.role == role), None)
