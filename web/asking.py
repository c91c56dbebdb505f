"""The pictures of a question: what the camera saw of all of it, and of the place of each answer."""

from threading import Lock

from flask import Blueprint, Response, abort, request

from device.live.desk import Desk
from device.match.match import Match


def asking_pages(desk: Desk) -> Blueprint:
    """What people look at who are asked."""
    pages, cutting = Blueprint("asking", __name__), Lock()
    pages.get("/asked/<role>.jpg", endpoint="asked")(lambda role: _asked(_match(desk), role))
    pages.get("/asked/answer/<int:number>.jpg", endpoint="answer")(
        lambda number: _answer(_match(desk), number, cutting)
    )
    return pages


def _match(desk: Desk) -> Match:
    return desk.matches.get()[1] or Match()


def _asked(match: Match, role: str) -> Response:
    """What the camera saw of that about which people are asked."""
    return _shown(next((one.jpeg for one in match.asked if one.role == role), None))


def _answer(match: Match, number: int, cutting: Lock) -> Response:
    """The camera's picture of the place of one answer; ``?key=`` tells the question that a page shows.

    Ten phones ask for it at the same moment, and it is cut for the first of them.
    """
    options = match.options if request.args.get("key") == match.key else ()
    crop = options[number].crop if number < len(options) else None
    with cutting:
        return _shown(None if crop is None else crop.jpeg)


def _shown(jpeg: bytes | None) -> Response:
    if jpeg is None:
        abort(404)
    # Another question has answers of the same numbers: no browser may keep what it was shown of this one.
    return Response(jpeg, mimetype="image/jpeg", headers={"Cache-Control": "no-store"})
