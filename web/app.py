"""The dashboard's pages: what a browser may see of a match, and the one door through which it may speak."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, abort, jsonify, render_template, request

from device.journal.game import entry_events
from device.journal.journal_reader import read_chain, read_pictures
from device.journal.store import JournalError
from device.live.desk import Desk
from device.match.signals import Kind, Told
from device.match.transitions import PEOPLE
from device.service.tries import network_of
from web.access import Who
from web.asking import asking_pages
from web.compressed import packed_stream
from web.following import MatchViews, Seats
from web.guard import COOKIE, OWN, Door
from web.past import PastMatch
from web.request_bodies import body, refusal
from web.sheet_pages import Album, sheet_pages
from web.shown_picture import NewestPicture
from web.tapped import touch_pages
from web.way_in import join_pages

ROLES: Final = ("before", "after", "frame")
NO_ENTRY: Final = "There is no such entry."
TOO_MANY: Final = "Too many screens follow this match."
MOST_WORDS: Final = 400
"""Letters of a typed line; no move of any game is nearly as long."""


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
    app.register_blueprint(touch_pages(desk))
    app.register_blueprint(asking_pages(desk))
    following = MatchViews(desk.views)
    newest, past = NewestPicture(desk.frames), PastMatch(desk.journal)
    pages = Pages(desk, door, seats or Seats(streams), newest, following, past, stays)
    app.get("/")(pages.page)
    app.get("/api/view")(pages.view)
    app.get("/api/events")(pages.events)
    app.get("/frame.jpg")(pages.frame)
    app.get("/evidence/<int:entry>/<role>.jpg")(pages.evidence)
    app.get("/api/history/<int:entry>")(pages.past)
    app.post("/api/do")(pages.do)
    return app


@dataclass(frozen=True)
class Pages:
    """The answers to all requests."""

    desk: Desk
    door: Door
    seats: Seats
    newest: NewestPicture
    following: MatchViews
    record: PastMatch
    stays: bool = False

    def page(self) -> str:
        """The page itself."""
        return render_template("match.html", token=self.door.token, stays=self.stays)

    def view(self) -> Response:
        """The match as it is; a page that has it already is told so."""
        name, text = self.following.now()
        screens = {"X-Screens": "full" if self.seats.full(_whose()) else "free"}
        if self.following.ended:
            screens["X-Ended"] = "yes"
        if request.if_none_match.contains(name):
            return Response(status=304, headers=screens)
        answer = Response(text, mimetype="application/json", headers=screens)
        answer.set_etag(name)
        return answer

    def events(self) -> Response:
        """The match as it changes, from the view on that the page has already."""
        whose = _whose()
        if not self.seats.take(whose):
            return refusal(503, TOO_MANY, {"Retry-After": "5"})
        pairing, secret = self.door.pairing, request.cookies.get(COOKIE, "")
        gone: Callable[[], bool] = request.environ.get("waitress.client_disconnected", lambda: False)

        def welcome() -> bool:
            """Whether this screen is there and may still look: phones may be forgotten while they follow."""
            free = self.door.look == "open" or who in (Who.HERE, Who.OWNER)
            return not gone() and (free or bool(pairing and pairing.knows(secret)))

        who = self.door.asking()
        after = request.headers.get("Last-Event-ID", "") or request.args.get("after", "")
        events, packs = self.following.events(after, welcome), "gzip" in request.accept_encodings
        answer = Response(packed_stream(events) if packs else events, mimetype="text/event-stream")
        answer.vary.add("Accept-Encoding")
        if packs:
            answer.headers["Content-Encoding"] = "gzip"
        answer.call_on_close(lambda: self.seats.leave(whose))
        return answer

    def frame(self) -> Response:
        """The newest picture, with what was read drawn in, or plain; a page writes the words itself."""
        found = self.newest.get(
            "plain" if "plain" in request.args else "outlined" if "outlined" in request.args else "drawn"
        )
        if found is None:
            return Response(status=204)
        if request.if_none_match.contains(str(found.number)):
            return Response(status=304)
        answer = Response(found.jpeg, mimetype="image/jpeg")
        if found.words:
            answer.headers["X-Captions"] = found.words
        answer.set_etag(str(found.number))
        return answer

    def evidence(self, entry: int, role: str) -> Response:
        """A picture that an entry rests on."""
        jpeg = evidence_of(self.desk.journal, entry, role) if role in ROLES else None
        if jpeg is None:
            abort(404)
        # Another match has entries of the same numbers: no browser may show the pictures of the one before.
        return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})

    def past(self, entry: int) -> Response:
        """The match as it was after an entry."""
        told = self.record.at(entry)
        return refusal(404, NO_ENTRY) if told is None else jsonify(told)

    def do(self) -> Response:
        """Something that somebody wants of the match."""
        told = _told(body())
        if told is None:
            abort(400)
        self.desk.press(told)
        return Response(status=204)


def _whose() -> str:
    """Whose screens count together; those behind a proxy on this machine are many people's."""
    address = request.remote_addr or ""
    return "" if address in OWN else network_of(address)


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


def evidence_of(journal: Path, entry: int, role: str) -> bytes | None:
    """A picture that an entry of a journal rests on, if it has one."""
    try:
        event = entry_events(read_chain(journal).events).get(entry)
        pictures = () if event is None else read_pictures(journal, event)
    except JournalError:
        return None
    return next((one.jpeg for one in pictures if one.role == role), None)
