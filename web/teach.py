"""What can be learned before a game: the looks of people's own pieces, and a test move.

A photo is cut into its pieces at once, and nothing else of it is kept; the pieces stay for an hour, until
somebody has named them.
"""

import json
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Final

import cv2
from flask import Blueprint, Response, abort, jsonify, request

from calibration.camera_errors import BadProfileFile
from device.own_pieces import add_looks, pieces_in
from device.service.reception import Reception
from device.spare_memory import give_back
from device.untrusted_picture import BadPicture, PictureNotYet, decoded
from vision.pieces.looks import NAMES, look_of
from vision.pieces.patches import Picture
from web.album import LONGEST_PX
from web.request_bodies import body, refusal
from web.sheet_pages import MOST_BYTES

TEACH: Final = "/api/first/pieces"
"""Where a photo of pieces goes."""
NO_PICTURE: Final = "There is no picture: no camera is connected, or a match has it. Send a photo instead."
NONE_FOUND: Final = "No {kind} was found: lay them apart, in good light, and look from straight above."
GONE: Final = "These pieces are not kept any more: photograph them again."
LONGEST_TITLE: Final = 40
_KEPT_S: Final = 3600.0
_MOST: Final = 4
_SIDE_PX: Final = 160


@dataclass(frozen=True, slots=True)
class _Photo:
    """The pieces of a photo that nobody has named yet."""

    kind: str
    pieces: tuple[Picture, ...]
    at_s: float


@dataclass(frozen=True)
class _Teaching:
    """The answers to all requests."""

    reception: Reception
    clock: Callable[[], float] = time.monotonic
    photos: OrderedDict[str, _Photo] = field(default_factory=OrderedDict)
    lock: Lock = field(default_factory=Lock)
    reading: Lock = field(default_factory=Lock)

    def read(self) -> Response:
        """The pieces of one kind in a photo, or in the camera's picture where none is sent."""
        kind = request.args.get("kind", "")
        if kind not in NAMES:
            return refusal(400, f"There is no kind {kind!r} to learn.")
        if not self.reading.acquire(blocking=False):
            return refusal(503, "Another photo is being read: try again in a moment.")
        try:
            picture = self._picture()
            if picture is None:
                return refusal(409, self.reception.blind() or NO_PICTURE)
            found = tuple(pieces_in(picture, kind))
        except BadPicture as wrong:
            return refusal(503 if isinstance(wrong, PictureNotYet) else 400, f"This file {wrong}.")
        finally:
            give_back()
            self.reading.release()
        if not found:
            return refusal(422, NONE_FOUND.format(kind=kind))
        name = self._keep(_Photo(kind, found, self.clock()))
        return jsonify(photo=name, count=len(found), names=NAMES[kind])

    def piece(self, name: str, number: int) -> Response:
        """One of them, cut out."""
        photo = self._kept(name)
        if number >= len(photo.pieces):
            abort(404)
        shown = cv2.resize(photo.pieces[number], (_SIDE_PX, _SIDE_PX), interpolation=cv2.INTER_CUBIC)
        return Response(cv2.imencode(".jpg", shown)[1].tobytes(), mimetype="image/jpeg")

    def keep(self, name: str) -> Response:
        """What each of them is called, kept in a set of pieces; an empty name leaves one out."""
        photo, told = self._kept(name), body()
        told = told if isinstance(told, dict) else {}
        names, title = told.get("names"), told.get("title")
        if not isinstance(title, str) or not 0 < len(title.strip()) <= LONGEST_TITLE:
            return refusal(422, "Say what this set of pieces is called.")
        if not isinstance(names, list) or len(names) != len(photo.pieces):
            return refusal(400, f"These are {len(photo.pieces)} pieces.")
        if not all(one == "" or one in NAMES[photo.kind] for one in names):
            return refusal(400, f"A {photo.kind} can be called {', '.join(NAMES[photo.kind])}.")
        pairs = zip(names, photo.pieces, strict=True)
        looks = [look_of(photo.kind, one, piece) for one, piece in pairs if one]
        if not looks:
            return refusal(422, "Name one of them, at least.")
        try:
            with self.lock:
                kept = add_looks(title.strip(), tuple(looks))
                self.photos.pop(name, None)  # sent once more it would count twice
        except BadProfileFile as wrong:
            return refusal(422, str(wrong))
        except OSError as wrong:
            return refusal(409, f"The looks cannot be written: {wrong.strerror}.")
        return jsonify(learned=len(looks), **kept.to_json())

    def look(self) -> Response:
        """A look of the test move."""
        asked = body()
        try:
            seen = self.reception.tried(bool(isinstance(asked, dict) and asked.get("anew")))
        except BadProfileFile as wrong:
            return refusal(422, str(wrong))
        if seen is None:
            without = NO_PICTURE.removesuffix(" Send a photo instead.")
            return refusal(409, self.reception.blind() or without)
        return Response(seen.jpeg, mimetype="image/jpeg", headers={"X-Tried": json.dumps(seen.to_json())})

    def _picture(self) -> Any | None:
        if request.mimetype != "application/octet-stream":
            return self.reception.picture()
        request.max_content_length = MOST_BYTES
        return decoded(request.get_data(cache=False), longest=LONGEST_PX)

    def _keep(self, photo: _Photo) -> str:
        name = secrets.token_urlsafe(12)
        with self.lock:
            self.photos[name] = photo
            while len(self.photos) > _MOST:
                self.photos.popitem(last=False)
        return name

    def _kept(self, name: str) -> _Photo:
        with self.lock:
            photo = self.photos.get(name)
            if photo is None or self.clock() - photo.at_s > _KEPT_S:
                self.photos.pop(name, None)
                abort(refusal(404, GONE))
            return photo


def teach_pages(reception: Reception) -> Blueprint:
    """What the page of the first evening asks for, beside the page itself."""
    pages, told = Blueprint("teach", __name__), _Teaching(reception)
    pages.post(TEACH)(told.read)
    pages.get(f"{TEACH}/<name>/<int:number>.jpg")(told.piece)
    pages.post(f"{TEACH}/<name>/keep")(told.keep)
    pages.post("/api/first/look")(told.look)
    return pages
