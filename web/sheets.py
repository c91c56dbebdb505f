"""Sheets of the Duel in a browser: a photo in, a map to tap on, the score at once.

    Blueprint: ``app.register_blueprint(sheet_pages(Desk()))``; alone: ``pipwatch sheet --serve``.

A photo comes from a stranger: its size is limited before it is decoded, it is decoded in a child process, and
only flat maps are kept, a few at a time. Nothing is written to disk but examples that a user asks to keep.
"""

import json
import secrets
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import cv2
import numpy as np
from flask import Blueprint, Flask, Response, abort, jsonify, request

from device.sheet_reading import FlatMap, NoSheet, domains_json, flat_maps, read_photo
from device.untrusted_picture import BadPicture, decoded
from engine.kingdomino_duel.edition import COATS
from engine.kingdomino_duel.kingdom import Kingdom
from engine.kingdomino_duel.sheet import Sheet, compare, score_sheet
from vision.sheet_cells import Floats, Picture
from web.sheets_page import PAGE, SCRIPT, STYLE

MOST_BYTES = 25_000_000
_MOST_KEPT = 6
_MOST_JSON = 20_000
_POLICY = (
    "default-src 'none'; img-src 'self'; style-src 'self'; script-src 'self'; connect-src 'self'; "
    "form-action 'none'; frame-ancestors 'none'; base-uri 'none'"
)


@dataclass
class Photo:
    """What is kept of a photo: its maps, or the photo itself while its corners are still to be tapped."""

    maps: tuple[FlatMap, ...] = ()
    image: Picture | None = None


class Desk:
    """The photos that were read lately, and where examples are kept."""

    def __init__(self, examples: Path | None = None) -> None:
        self.examples = examples
        self.reading = Lock()
        self._photos: OrderedDict[str, Photo] = OrderedDict()
        self._lock = Lock()

    def put(self, photo: Photo) -> str:
        """Keep a photo; the oldest one is forgotten."""
        name = secrets.token_urlsafe(12)
        with self._lock:
            self._photos[name] = photo
            while len(self._photos) > _MOST_KEPT:
                self._photos.popitem(last=False)
        return name

    def get(self, name: str) -> Photo:
        """A photo kept; ends the request if it is not there any more."""
        with self._lock:
            photo = self._photos.get(name)
        if photo is None:
            abort(_told(404, "This photo is not kept any more: send it again."))
        return photo


def sheet_pages(desk: Desk) -> Blueprint:
    """The pages under /sheets."""
    pages = Blueprint("sheets", __name__, url_prefix="/sheets")
    for path, text, kind in (
        ("", PAGE, "html"),
        ("/page.js", SCRIPT, "javascript"),
        ("/page.css", STYLE, "css"),
    ):
        pages.add_url_rule(
            path, f"file-{kind}", lambda text=text, kind=kind: Response(text, mimetype=f"text/{kind}")
        )
    pages.add_url_rule("/read", "read", lambda: _read(desk), methods=["POST"])
    pages.add_url_rule("/<name>/corners", "corners", lambda name: _corners(desk, name), methods=["POST"])
    pages.add_url_rule(
        "/<name>/<int:number>.jpg", "picture", lambda name, number: _picture(desk, name, number)
    )
    pages.add_url_rule("/<name>/photo.jpg", "photo", lambda name: _jpeg(_whole(desk.get(name))))
    pages.add_url_rule("/score", "score", _score, methods=["POST"])
    pages.add_url_rule("/<name>/score.pdf", "pdf", lambda name: _pdf(desk, name), methods=["POST"])
    pages.add_url_rule("/<name>/keep", "keep", lambda name: _keep(desk, name), methods=["POST"])
    pages.before_request(_from_this_page)
    pages.after_request(_guarded)
    return pages


def standalone(desk: Desk) -> Flask:
    """An application of the sheet pages alone, for this machine only."""
    app = Flask(__name__, static_folder=None)
    # A name that somebody else's page points at this machine is not answered.
    app.config["TRUSTED_HOSTS"] = ["127.0.0.1", "localhost"]
    app.register_blueprint(sheet_pages(desk))
    app.add_url_rule("/", "home", lambda: Response(status=302, headers={"Location": "/sheets"}))
    return app


def _told(status: int, sentence: str) -> Response:
    response = jsonify(error=sentence)
    response.status_code = status
    return response


def _from_this_page() -> Response | None:
    """Other pages in the same browser may not send anything here."""
    if request.method != "GET":
        if request.headers.get("Origin", request.host_url.rstrip("/")) != request.host_url.rstrip("/"):
            return _told(403, "This comes from another page.")
        if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
            return _told(403, "This comes from another page.")
    return None


def _guarded(response: Response) -> Response:
    response.headers["Content-Security-Policy"] = _POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store"
    return response


def _read(desk: Desk) -> Response:
    """A photo (the body of the request) and what is on it."""
    length = request.content_length
    if length is None:
        return _told(411, "There is no photo in this, or its length was not told.")
    if length > MOST_BYTES:
        return _told(413, f"A photo may have up to {MOST_BYTES // 1_000_000} MB.")
    if not desk.reading.acquire(blocking=False):
        return _told(503, "Another photo is being read: try again in a moment.")
    try:
        request.max_content_length = MOST_BYTES
        image = decoded(request.get_data(cache=False))
        return _maps_of(desk, image, None)
    except BadPicture as wrong:
        return _told(400, f"This file {wrong}.")
    finally:
        desk.reading.release()


def _maps_of(desk: Desk, image: Picture, corners: list[tuple[float, float]] | None) -> Response:
    try:
        photo = read_photo(image, corners)
    except NoSheet:
        name = desk.put(Photo(image=image))
        response = _told(
            422, "No map was found by itself: tap its four corners, from its upper left clockwise."
        )
        size = list(image.shape[1::-1])
        response.set_data(json.dumps({**(response.get_json() or {}), "photo": name, "size": size}))
        return response
    maps = flat_maps([photo])
    name = desk.put(Photo(maps=maps))
    return jsonify(photo=name, maps=[_map_json(one) for one in maps])


def _corners(desk: Desk, name: str) -> Response:
    """The same photo, its map's corners tapped."""
    image, told = desk.get(name).image, _json()
    corners = told.get("corners")
    if image is None or not isinstance(corners, list) or len(corners) != 4:
        return _told(400, "Four corners are needed.")
    try:
        places = [(float(x), float(y)) for x, y in corners]
    except (TypeError, ValueError):
        return _told(400, "A corner is two numbers.")
    outline = cv2.convexHull(_array(places))
    height, width = image.shape[:2]
    inside = all(0 <= x <= width and 0 <= y <= height for x, y in places)
    if not inside or len(outline) != 4 or cv2.contourArea(_array(places), oriented=True) <= 400:
        return _told(400, "These places are no outline that runs clockwise around a map.")
    with desk.reading:
        return _maps_of(desk, image, places)


def _array(places: list[tuple[float, float]]) -> Floats:
    return np.array(places, dtype=np.float32).reshape(-1, 1, 2)


def _map_json(one: FlatMap) -> dict[str, Any]:
    read = one.map.read
    return {
        "rows": [row.split() for row in read.kingdom.rows],
        "roof": read.roof,
        "doubts": list(read.doubts),
        "confidence": {square.name: square.confidence for square in read.squares},
        **_score_json(one.map.sheet),
    }


def _score_json(sheet: Sheet) -> dict[str, Any]:
    score = score_sheet(sheet)
    return {
        "domains": domains_json(score),
        "named_points": score.named_points,
        "score": score.total,
        "largest": score.largest,
        "faults": [fault.sentence for fault in score.doubts],
    }


def _json() -> dict[str, Any]:
    """The body of a request as plain data; ends the request if it is none."""
    if (request.content_length or 0) > _MOST_JSON:
        abort(_told(413, "This is too long."))
    told = request.get_json(silent=True)
    if not isinstance(told, dict):
        abort(_told(400, "This is no JSON object."))
    return told


def _sheets() -> list[Sheet]:
    """The maps that the page sends, as corrected."""
    maps = _json().get("maps")
    if not isinstance(maps, list) or not 1 <= len(maps) <= 8:
        abort(_told(400, "One to eight maps are needed."))
    try:
        return [_sheet(one) for one in maps]
    except (TypeError, ValueError, KeyError, AttributeError) as wrong:
        abort(_told(400, f"This is no map: {wrong}"))


def _sheet(told: dict[str, Any]) -> Sheet:
    rows = [" ".join(str(token) for token in row) for row in told["rows"]]
    named = told.get("named")
    return Sheet(
        Kingdom.from_rows(rows),
        roof=bool(told.get("roof")),
        named=None if named is None else COATS.index(named),
        used_p1=bool(told.get("used_p1")),
        used_p6=bool(told.get("used_p6")),
    )


def _score() -> Response:
    """The score of maps as they stand on the page, and who wins."""
    sheets = _sheets()
    outcome = compare(sheets[0], sheets[1]).reason if len(sheets) == 2 else None
    return jsonify(maps=[_score_json(sheet) for sheet in sheets], outcome=outcome)


def _corrected(desk: Desk, name: str) -> tuple[FlatMap, ...]:
    """The maps of a photo with what the page says stands on them."""
    maps, sheets = desk.get(name).maps, _sheets()
    if len(maps) != len(sheets):
        abort(_told(400, f"This photo has {len(maps)} maps."))
    return tuple(one.corrected(sheet) for one, sheet in zip(maps, sheets, strict=True))


def _pdf(desk: Desk, name: str) -> Response:
    """The score sheet to print."""
    try:
        from device.score_sheet import score_sheet_pdf
    except ModuleNotFoundError as missing:
        return _told(501, f"Printing needs {missing.name}, which is not installed.")
    return Response(score_sheet_pdf(_corrected(desk, name)), mimetype="application/pdf")


def _keep(desk: Desk, name: str) -> Response:
    """Keep each map with what truly stands on it, as an example to learn from."""
    if desk.examples is None:
        return _told(403, "Examples are not kept here.")
    maps = _corrected(desk, name)
    desk.examples.mkdir(parents=True, exist_ok=True, mode=0o700)
    for one in maps:
        stem = desk.examples / secrets.token_hex(8)
        done, png = cv2.imencode(".png", one.flat)
        assert done
        stem.with_suffix(".png").write_bytes(png.tobytes())
        label = {"rows": list(one.map.sheet.kingdom.rows), "roof": one.map.sheet.roof}
        stem.with_suffix(".json").write_text(json.dumps(label) + "\n", encoding="utf-8")
    return jsonify(kept=len(maps))


def _picture(desk: Desk, name: str, number: int) -> Response:
    maps = desk.get(name).maps
    if number >= len(maps):
        return _told(404, "There is no such map.")
    return _jpeg(maps[number].flat)


def _whole(photo: Photo) -> Picture:
    """The photo itself, while its corners are to be tapped."""
    if photo.image is None:
        abort(_told(404, "This photo was read; only its maps are kept."))
    return photo.image


def _jpeg(picture: Picture) -> Response:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
    assert done
    return Response(data.tobytes(), mimetype="image/jpeg")
