"""Matches that are kept: to step through, and to take along as json, csv, text, ppn or test cases."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from flask import Blueprint, Response, abort, jsonify, render_template

from device.export_forms import PPN_ONLY, written
from device.journal.case import archive
from device.journal.readable import readable_match
from device.journal.store import JournalError
from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from device.match.phase import Phase
from engine import PipwatchError
from engine.history import History
from engine.plain import BadData
from web.app import ROLES, evidence_of
from web.past import PastMatch
from web.request_bodies import refusal

_KINDS: Final = {"json": "application/json", "csv": "text/csv", "text": "text/plain", "ppn": "text/plain"}
_ENDINGS: Final = {"json": "json", "csv": "csv", "text": "txt", "ppn": "ppn"}
NOT_READ: Final = "This match cannot be read."


def kept_pages(token: str) -> Blueprint:
    """The pages of matches that are kept."""
    pages, told = Blueprint("kept", __name__), _KeptPages(token)
    pages.get("/matches/<name>")(told.page)
    pages.get("/api/matches/<name>/view")(told.view)
    pages.get("/api/matches/<name>/history/<int:entry>")(told.past)
    pages.get("/api/matches/<name>/evidence/<int:entry>/<role>.jpg")(told.evidence)
    pages.get("/api/matches/<name>/export/<form>")(told.export)
    pages.get("/api/matches/<name>/case.zip")(told.case)
    return pages


class _KeptPages:
    """The answers to all requests; the match that was asked for last is held."""

    def __init__(self, token: str) -> None:
        self._token = token
        self._last: PastMatch | None = None

    def page(self, name: str) -> str:
        """The page of one match."""
        path = _path(name)
        return render_template("replay.html", token=self._token, name=path.stem)

    def view(self, name: str) -> Response:
        """How it stands, as a screen shows it; nothing can be done to it from here."""
        match = taken_up(Match(), self._game(name))
        still = replace(match, phase=match.phase if match.phase is Phase.FINISHED else Phase.PAUSED)
        return jsonify({**view(still), "offers": [], "places": [], "words": ""})

    def past(self, name: str, entry: int) -> Response:
        """How it stood after an entry."""
        told = self._of(name).at(entry)
        return refusal(404, "There is no such entry.") if told is None else jsonify(told)

    def evidence(self, name: str, entry: int, role: str) -> Response:
        """A picture that an entry rests on."""
        jpeg = evidence_of(_path(name), entry, role) if role in ROLES else None
        if jpeg is None:
            abort(404)
        return Response(jpeg, mimetype="image/jpeg")

    def export(self, name: str, form: str) -> Response:
        """The record in one of its forms."""
        game = self._game(name)
        if form not in _KINDS or (form == "ppn" and game.header.game != PPN_ONLY):
            abort(404)
        file = f"{_path(name).stem}.{_ENDINGS[form]}"
        return _file(written(game, form).encode(), _KINDS[form], file)

    def case(self, name: str) -> Response:
        """Its questions and corrections as test cases, with their pictures."""
        try:
            return _file(archive(_path(name)), "application/zip", f"{_path(name).stem}-cases.zip")
        except (JournalError, PipwatchError, BadData) as wrong:
            return refusal(409, str(wrong))

    def _of(self, name: str) -> PastMatch:
        path = _path(name)
        if self._last is None or self._last.journal != path:
            self._last = PastMatch(path)
        return self._last

    def _game(self, name: str) -> History:
        game = self._of(name).game()
        if game is None:
            abort(refusal(409, NOT_READ))
        return game


def _path(name: str) -> Path:
    path = readable_match(name)
    if path is None:
        abort(404)
    return path


def _file(data: bytes, kind: str, name: str) -> Response:
    return Response(data, content_type=f"{kind}; charset=utf-8" if kind.startswith("text") else kind,
                    headers={"Content-Disposition": f'attachment; filename="{name}"'})  # fmt: skip
