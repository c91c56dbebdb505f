"""The owner's pages: password, PIN, paired screens, settings, deleting, and everything in one file.

Routes under ``/api/owner`` are given to whoever has entered the password a short while ago
(``web/access.py``); setting the first one, to whoever may act.
"""

import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, render_template, request
from werkzeug.exceptions import RequestEntityTooLarge

from calibration.camera_errors import BadProfileFile
from device import settings_form
from device.folders import SettingsFiles, lenses_folder, settings_files
from device.keeping.belongings import BackupError
from device.keeping.packing import Backup, usual_name
from device.lenses import MOST_BYTES, TOO_LARGE, add_lens, own_lenses
from device.service.owner import SET_ALREADY, WRONG, Owner
from device.service.phones import Phone, write_whole
from device.service.reception import Reception
from device.settings import data_in
from web.access import Who
from web.guard import OWNER_COOKIE, Door, keep, keep_session, screen_name
from web.request_bodies import body, refusal

_MOST_SETTINGS: Final = 20_000
"""Letters of settings, as many as the field on the page takes."""
_BYTES: Final = 6
"""That one letter may take in JSON."""
_MOST_LENS: Final = _BYTES * MOST_BYTES + 1_000
"""Bytes of a request with a lens."""
LARGE: Final = frozenset({"/api/owner/settings", "/api/owner/fields", "/api/owner/lens"})
"""To where the owner sends more than any button does."""
MOST_SENT: Final = 200_000
"""Bytes of a request to there: the 30,000 that the page sends of a file, and the applications' own bounds."""
NOT_WRITABLE: Final = "{path} cannot be written ({why}): nothing was changed."


def owner_pages(door: Door, reception: Reception) -> Blueprint:
    """The page, and what it asks for."""
    pages = Blueprint("owner", __name__)
    told = _OwnerPages(door, reception, reception.settings or settings_files())
    pages.get("/owner")(told.page)
    pages.post("/api/owner/enter")(told.enter)
    pages.post("/api/owner/password")(told.password)
    pages.get("/api/owner")(told.state)
    pages.post("/api/owner/leave")(told.leave)
    pages.post("/api/owner/pin")(told.pin)
    pages.post("/api/owner/forget")(told.forget)
    pages.post("/api/owner/settings")(told.settings)
    pages.post("/api/owner/fields")(told.fields)
    pages.post("/api/owner/lens")(told.lens)
    pages.post("/api/owner/delete")(told.delete)
    pages.get("/api/owner/everything.zip")(told.everything)
    return pages


@dataclass(frozen=True)
class _OwnerPages:
    """The answers to all requests."""

    door: Door
    box: Reception
    files: SettingsFiles

    @property
    def _owner(self) -> Owner:
        return self.door.owner

    def page(self) -> str:
        """The page: to set a password, to enter it, or what it opens."""
        entered = self.door.asking() is Who.OWNER
        stage = "open" if entered else "enter" if self._owner.is_set else "set"
        return render_template("owner.html", token=self.door.token, stage=stage)

    def enter(self) -> Response:
        """Somebody enters the password; who was not paired is from now on."""
        words, wait, secret = self._owner.enter(request.remote_addr or "", _word("password"))
        if not secret:
            headers = {"Retry-After": str(int(wait) + 1)} if wait else None
            return refusal(429 if wait else 422, words, headers)
        return self._entered(secret)

    def password(self) -> Response:
        """The first password, or another one by whoever knows the one before."""
        owner, whose = self._owner, request.remote_addr or ""
        if owner.is_set:
            if self.door.asking() is not Who.OWNER:
                return refusal(409, SET_ALREADY)
            words, wait, _ = owner.enter(whose, _word("old"))
            if words:
                return refusal(429 if wait else 422, words if wait else WRONG)
        if refused := owner.set_password(_word("password")):
            return refusal(422, refused)
        _, _, secret = owner.enter(whose, _word("password"))
        return self._entered(secret)

    def state(self) -> Response:
        """The screens, the settings, and whether there is a PIN."""
        pairing, here = self.door.pairing, self.door.screen()
        phones = pairing.phones() if pairing is not None else ()
        text = _shown_text(self.files.by_page)
        return jsonify(
            pin=self._owner.has_pin,
            screens=[_row(one, here) for one in sorted(phones, key=lambda one: -one.last)],
            settings=text,
            fields=settings_form.told(text, self._beneath()),
            lenses=list(own_lenses()),
            path=str(self.files.by_page),
            by_hand=str(self.files.by_hand),
            alone=self.box.alone,
            stick=self.box.stick.told(),
        )

    def leave(self) -> Response:
        """The owner goes."""
        self._owner.leave(request.cookies.get(OWNER_COOKIE, ""))
        response = Response(status=204)
        response.delete_cookie(OWNER_COOKIE, path="/", httponly=True, samesite="Strict")
        return response

    def pin(self) -> Response:
        """Another PIN, or none."""
        refused = self._owner.set_pin(_word("pin"))
        return refusal(422, refused) if refused else Response(status=204)

    def forget(self) -> Response:
        """One screen has to enter the code again."""
        pairing = self.door.pairing
        if pairing is None or not pairing.forget(_word("screen")):
            return refusal(404, "There is no such screen.")
        return Response(status=204)

    def settings(self) -> Response:
        """Other settings; they are used from the next start on."""
        text = _word("settings", _MOST_SETTINGS)
        if wrong := settings_form.wrong_with(text, self._beneath()):
            return refusal(422, wrong)
        return self._written(text)

    def fields(self) -> Response:
        """Some settings by their fields; whatever else stands in the file stays."""
        request.max_content_length = _BYTES * _MOST_SETTINGS
        asked = body()
        wanted = asked.get("values") if isinstance(asked, dict) else None
        if not isinstance(wanted, dict) or not all(
            one is None or isinstance(one, str) for one in wanted.values()
        ):
            return refusal(400, "Settings are texts by their keys.")
        try:
            text = settings_form.changed(_text_of(self.files.by_page), wanted, self._beneath())
        except settings_form.BadField as wrong:
            return refusal(422, str(wrong), field=wrong.key)
        except BadProfileFile as wrong:
            return refusal(422, f"{wrong}: change the file below.")
        return self._written(text)

    def lens(self) -> Response:
        """A lens that was calibrated on another machine; it can be chosen from now on."""
        request.max_content_length = _MOST_LENS
        try:
            asked = body()
        except RequestEntityTooLarge:
            return refusal(413, TOO_LARGE.format(kilobytes=MOST_BYTES // 1000))
        asked = asked if isinstance(asked, dict) else {}
        name, text, replaces = asked.get("name"), asked.get("lens"), asked.get("replace", False)
        if not isinstance(name, str) or not isinstance(text, str) or not isinstance(replaces, bool):
            return refusal(400, "A lens comes with its name and its file.")
        try:
            add_lens(name.strip(), text, replaces=replaces)
        except BadProfileFile as wrong:
            return refusal(422, str(wrong))
        except OSError as failed:
            return refusal(409, NOT_WRITABLE.format(path=lenses_folder(), why=failed.strerror))
        return Response(status=204)

    def _written(self, text: str) -> Response:
        if len(text) > _MOST_SETTINGS:
            return refusal(413)
        try:
            write_whole(self.files.by_page, text)
        except OSError as failed:
            return refusal(409, NOT_WRITABLE.format(path=self.files.by_page, why=failed.strerror))
        return Response(status=204)

    def _beneath(self) -> Mapping[str, Any]:
        """What people have set by hand; a file of theirs that is broken is told as a remark of the box."""
        try:
            return data_in(self.files.by_hand)
        except BadProfileFile:
            return {}

    def delete(self) -> Response:
        """A match is deleted for good."""
        refused = self.box.delete(_word("name"))
        return refusal(409, refused) if refused else Response(status=204)

    def everything(self) -> Response:
        """All matches and settings in one checked file, as `pipwatch backup` makes it."""
        made = iter(Backup(settings=self.files))
        try:
            first = next(made)
        except BackupError as wrong:
            return refusal(503, str(wrong))
        # One that fails later breaks the line off, so that nobody takes a half for the whole.
        head = {"Content-Disposition": f'attachment; filename="{usual_name()}"'}
        return Response(chain([first], _told(made)), mimetype="application/zip", headers=head)

    def _entered(self, secret: str) -> Response:
        response = Response(status=204)
        keep_session(response, secret)
        if self.door.pairing is not None and self.door.screen() is None and not self.door.is_here():
            keep(response, self.door.pairing.let_in(screen_name()))
        return response


def _told(made: Iterator[bytes]) -> Iterator[bytes]:
    """What is made of a backup; why it broke off stands in the log."""
    try:
        yield from made
    except BackupError as wrong:
        print(f"pipwatch: a backup over the page broke off: {wrong}", file=sys.stderr, flush=True)
        raise


def _text_of(path: Path) -> str:
    """The settings as they are written; a file that cannot be read is not taken for an empty one."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""
    except (OSError, UnicodeDecodeError) as wrong:
        why = wrong.strerror if isinstance(wrong, OSError) else "it is no UTF-8 text"
        raise BadProfileFile(f"{path} cannot be read: {why}") from wrong


def _shown_text(path: Path) -> str:
    try:
        return _text_of(path)
    except BadProfileFile:
        return ""


def _row(phone: Phone, here: Phone | None) -> dict[str, Any]:
    since, last = (time.strftime("%-d %B %Y", time.localtime(at)) for at in (phone.since, phone.last))
    return {
        "id": phone.short, "role": phone.role, "name": phone.name, "since": since, "last": last,
        "this": here is not None and here.key == phone.key,
    }  # fmt: skip


def _word(key: str, most: int = 400) -> str:
    """A text of the request, which is refused without one: nothing said is no empty word."""
    request.max_content_length = _BYTES * most + 400
    asked = body()
    told = asked.get(key) if isinstance(asked, dict) else None
    if not isinstance(told, str):
        abort(400)
    if len(told) > most:
        abort(413)
    return told
