"""Sheets of the Duel in a browser: a photo in, or one press for those on the table, and a map to tap on.

Part of the dashboard of a match, where its log and its camera are at hand; alone: ``pipwatch sheet --serve``.

A photo comes from a stranger: its size is limited before it is decoded, it is decoded in a child process, and
only flat maps are kept, a few at a time. Nothing is written to disk but examples that a user asks to keep,
and what is entered in the match.
"""

import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import cv2
from flask import Blueprint, Flask, Response, abort, jsonify, render_template, request
from werkzeug.exceptions import RequestEntityTooLarge

from device.live.desk import Desk
from device.sheet_powers import power_words
from device.sheet_reading import FlatMap, LoggedSide, NoSheet, flat_maps, is_outline, read_photo
from device.spare_memory import give_back
from device.table_sheets import enter, log_of, table_picture
from device.untrusted_picture import BadPicture, PictureNotYet, decoded
from engine.kingdomino_duel.map_score import Sheet
from vision.sheet_cells import Picture
from web.album import LONGEST_PX, Album, Photo
from web.guard import Door
from web.request_bodies import body, refusal
from web.sheet_plain import (
    MOST_MAPS,
    NoMaps,
    doubts_of,
    map_json,
    outcome_json,
    score_json,
    sheets_of,
    unnamed_in,
)
from web.way_in import join_pages

UPLOAD: Final = "/sheets/read"
"""The one path to which large requests go."""
MOST_BYTES: Final = 25_000_000
_MOST_JSON = 20_000


def sheet_pages(album: Album, token: str, desk: Desk | None = None, *, alone: bool = False) -> Blueprint:
    """The pages under /sheets; with the desk of a match, its table and its log count.

    ``alone`` where there is no other page to go back to.
    """
    pages, told = Blueprint("sheets", __name__, url_prefix="/sheets"), _Pages(album, token, desk, alone)
    pages.get("")(told.page)
    pages.get("/<name>/<int:number>.jpg")(told.picture)
    pages.get("/<name>/photo.jpg")(told.photo)
    pages.post("/read")(told.read)
    pages.post("/table")(told.table)
    pages.post("/score")(told.score)
    pages.post("/<name>/corners")(told.corners)
    pages.post("/<name>/score.pdf")(told.pdf)
    pages.post("/<name>/keep")(told.keep)
    pages.post("/<name>/enter")(told.enter)
    return pages


def standalone(album: Album, door: Door | None = None) -> Flask:
    """An application of the sheet pages alone."""
    door = door or Door()
    app = Flask(__name__)
    door.guard(app)
    app.register_blueprint(sheet_pages(album, door.token, alone=True))
    app.register_blueprint(join_pages(door))
    app.add_url_rule("/", "home", lambda: Response(status=302, headers={"Location": "/sheets"}))
    return app


@dataclass(frozen=True)
class _Pages:
    """The answers to all requests."""

    album: Album
    token: str
    desk: Desk | None
    alone: bool = False

    def page(self) -> str:
        """The page itself."""
        return render_template("sheets.html", token=self.token, live=self.desk is not None, alone=self.alone)

    def read(self) -> Response:
        """A photo (the body of the request) and what is on it, beside what an earlier one shows."""
        before = self._earlier(request.args.get("after"))
        length = request.content_length
        if length is None:
            return _told(411, "There is no photo in this, or its length was not told.")
        if length > MOST_BYTES:
            return _told(413, f"A photo may have up to {MOST_BYTES // 1_000_000} MB.")

        def taken() -> Picture:
            request.max_content_length = MOST_BYTES
            return decoded(request.get_data(cache=False), longest=LONGEST_PX)

        return self._reading(taken, before=before)

    def table(self) -> Response:
        """The sheets under the camera of the match, and what is on them."""
        if self.desk is None:
            return _told(404, "There is no table here: send a photo.")
        desk = self.desk
        return self._reading(lambda: table_picture(desk))

    def corners(self, name: str) -> Response:
        """The same photo, its map's corners tapped."""
        before, told = self._kept(name), _json()
        image = before.image
        places = _outline(told.get("corners"), image) if image is not None else None
        if image is None or places is None:
            return _told(400, "Tap the four corners, clockwise from the map's upper left.")
        return self._reading(lambda: image, places, replace(before, image=None))

    def score(self) -> Response:
        """The score of maps as they stand on the page, and who wins."""
        sheets = _sheets(_json())
        return jsonify(maps=[score_json(sheet) for sheet in sheets], outcome=outcome_json(sheets))

    def pdf(self, name: str) -> Response:
        """The score sheet to print."""
        try:
            from device.score_sheet import score_sheet_pdf
        except ModuleNotFoundError as missing:
            return _told(501, f"Printing needs {missing.name}, which is not installed.")
        return Response(score_sheet_pdf(self._corrected(name)), mimetype="application/pdf")

    def keep(self, name: str) -> Response:
        """Keep each map with what truly stands on it, as an example to learn from."""
        if self.album.examples is None:
            return _told(409, "Examples are not kept here.")
        maps = self._corrected(name)
        for one in maps:
            _write_example(self.album.examples, one)
        return jsonify(kept=len(maps))

    def enter(self, name: str) -> Response:
        """Have the match remember these maps and what they are worth."""
        if self.desk is None:
            return _told(404, "There is no match here.")
        maps, told = self._corrected(name), _json()
        if unnamed_in(told):
            return _told(409, "Say first which coat was named with P5.")
        if doubts := [square for one in maps for square in one.map.read.doubts]:
            return _told(409, f"Look at {', '.join(doubts)} first.")
        return jsonify(entered=enter(self.desk, maps))

    def picture(self, name: str, number: int) -> Response:
        """A map from straight above."""
        maps = self._kept(name).maps
        return _jpeg(maps[number].flat) if number < len(maps) else _told(404, "There is no such map.")

    def photo(self, name: str) -> Response:
        """The photo itself, while its corners are to be tapped."""
        self._kept(name)
        jpeg = self.album.jpeg(name)
        if jpeg is None:
            return _told(404, "Only the maps of this photo are kept.")
        return Response(jpeg, mimetype="image/jpeg")

    def _kept(self, name: str) -> Photo:
        """A photo kept; ends the request if it is not there any more."""
        photo = self.album.get(name)
        if photo is None:
            abort(_told(404, "This photo is not kept any more: send it again."))
        return photo

    def _earlier(self, name: str | None) -> Photo:
        """The photo to which another is added."""
        return Photo() if name is None else replace(self._kept(name), image=None)

    def _reading(
        self,
        taken: Callable[[], Picture],
        corners: list[tuple[float, float]] | None = None,
        before: Photo | None = None,
    ) -> Response:
        """What is on a picture; one is read at a time, whoever asks."""
        if not self.album.reading.acquire(blocking=False):
            return _told(503, "Another photo is being read: try again in a moment.")
        try:
            image = taken()
            logged = () if self.desk is None else log_of(self.desk.journal)
            return self._answer(image, corners, logged, before or Photo())
        except BadPicture as wrong:
            return _told(503 if isinstance(wrong, PictureNotYet) else 400, f"This file {wrong}.")
        except NoSheet as wrong:
            return _told(409, str(wrong))
        finally:
            give_back()
            self.album.reading.release()

    def _answer(
        self,
        image: Picture,
        corners: list[tuple[float, float]] | None,
        logged: Sequence[LoggedSide],
        before: Photo,
    ) -> Response:
        try:
            read = read_photo(image, corners, logged)
        except NoSheet as wrong:
            if corners is not None:
                return _told(422, f"This photo {wrong}.")
            response = _told(
                422, "No map was found by itself: tap its four corners, from its upper left clockwise."
            )
            told = {"photo": self.album.put(replace(before, image=image)), "size": list(image.shape[1::-1])}
            response.set_data(json.dumps({**(response.get_json() or {}), **told}))
            return response
        photo = Photo((*before.maps, *flat_maps([read])), (*before.books, *read.spellbooks)).with_powers()
        if len(photo.maps) > MOST_MAPS:
            return _told(409, f"These are more than {MOST_MAPS} maps: begin with a new photo.")
        return jsonify(
            photo=self.album.put(photo),
            maps=[map_json(one) for one in photo.maps],
            spellbooks=[power_words(book) for book in photo.books],
        )

    def _corrected(self, name: str) -> tuple[FlatMap, ...]:
        """The maps of a photo with what the page says stands on them."""
        maps, told = self._kept(name).maps, _json()
        sheets = _sheets(told)
        if len(maps) != len(sheets):
            abort(_told(400, f"This photo has {len(maps)} maps."))
        open_ = doubts_of(told)
        return tuple(one.corrected(sheet, left) for one, sheet, left in zip(maps, sheets, open_, strict=True))


def _told(status: int, sentence: str) -> Response:
    return refusal(status, sentence)


def _json() -> dict[str, Any]:
    """The body of a request as plain data; ends the request if it is none."""
    request.max_content_length = _MOST_JSON
    try:
        told = body()
    except RequestEntityTooLarge:
        abort(_told(413, "This is too long."))
    if not isinstance(told, dict):
        abort(_told(400, "This is no JSON object."))
    return told


def _sheets(told: dict[str, Any]) -> list[Sheet]:
    try:
        return sheets_of(told)
    except NoMaps as wrong:
        abort(_told(400, str(wrong)))


def _outline(told: Any, image: Picture) -> list[tuple[float, float]] | None:
    """Four corners that run clockwise around a part of the picture, or None."""
    try:
        places = [(float(x), float(y)) for x, y in told]
    except (TypeError, ValueError, OverflowError):
        return None
    return places if is_outline(places, image) else None


def _write_example(folder: Path, one: FlatMap) -> None:
    """A map as picture and label, for those who teach the reader."""
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    stem = folder / secrets.token_hex(8)
    done, png = cv2.imencode(".png", one.flat)
    assert done
    stem.with_suffix(".png").write_bytes(png.tobytes())
    label = {"rows": list(one.map.sheet.kingdom.rows), "roof": one.map.sheet.roof}
    stem.with_suffix(".json").write_text(json.dumps(label) + "\n", encoding="utf-8")


def _jpeg(picture: Picture) -> Response:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 88])
    assert done
    return Response(data.tobytes(), mimetype="image/jpeg")
