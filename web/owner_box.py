"""What the owner does with the box itself: a backup onto a stick, a report for a bug, a new start, its end.

Routes under ``/api/owner``, as those of ``web/owner_pages.py``.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Response, jsonify

from device.service.reception import Reception
from web.request_bodies import body, refusal

REPORT: Final = "pipwatch-report.zip"


def owner_box_pages(reception: Reception) -> Blueprint:
    """What the owner's page asks of the box."""
    pages = Blueprint("owner_box", __name__)
    told = _OwnerBoxPages(reception)
    pages.post("/api/owner/stick")(told.copy)
    pages.get("/api/owner/stick")(told.stick)
    pages.post("/api/owner/pins")(told.try_pins)
    pages.get("/api/owner/pins")(told.pins)
    pages.get("/api/owner/report.zip")(told.report)
    pages.post("/api/owner/restart")(told.restart)
    pages.post("/api/owner/off")(told.off)
    return pages


@dataclass(frozen=True)
class _OwnerBoxPages:
    """The answers to all requests."""

    box: Reception

    def copy(self) -> Response:
        """A backup onto the USB stick is begun."""
        return _done(self.box.stick.begin)

    def stick(self) -> Response:
        """Whether it is at work, and what came of the last one."""
        return jsonify(self.box.stick.told())

    def try_pins(self) -> Response:
        """Buttons and lamps are tried from now on, or not any more."""
        asked = body()
        on = asked.get("on") if isinstance(asked, dict) else None
        return _done(lambda: self.box.try_pins(on)) if isinstance(on, bool) else refusal(400)

    def pins(self) -> Response:
        """What is lit and pressed meanwhile."""
        return jsonify(self.box.pins())

    def report(self) -> Response:
        """What a bug report needs in one file, without names and faces, as `pipwatch diagnose` makes it."""
        head = {"Content-Disposition": f'attachment; filename="{REPORT}"'}
        return Response(self.box.report(), mimetype="application/zip", headers=head)

    def restart(self) -> Response:
        """The box ends, and its service starts it again."""
        return _done(self.box.restart)

    def off(self) -> Response:
        """The box ends, and the machine is switched off."""
        return _done(self.box.switch_off)


def _done(act: Callable[[], str]) -> Response:
    refused = act()
    return refusal(409, refused) if refused else Response(status=204)
