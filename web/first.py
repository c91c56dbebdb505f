"""The first evening: check the machine, print what goes on the table, aim the camera, and play."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

from flask import Blueprint, Response, abort, jsonify, render_template

from calibration.plan import plan_of
from device.service.reception import Reception
from engine import GAMES, rulebook
from web.request_bodies import refusal

_PAPER: Final = "a4"
BUSY: Final = "A match is going on: leave it first."
NO_PICTURE: Final = "There is no picture: no camera is connected, or a match has it."

BY_HAND: Final = "This lens is turned by hand, or held where the settings say."


def first_pages(reception: Reception, token: str) -> Blueprint:
    """The page, and what it asks for."""
    pages, told = Blueprint("first", __name__), _First(reception, token)
    pages.get("/first")(told.page)
    pages.post("/api/first/doctor")(told.doctor)
    pages.get("/api/first/aim.jpg")(told.aim)
    pages.post("/api/first/focus")(told.focus)
    pages.get("/print/<what>.pdf")(_printed)
    return pages


@dataclass(frozen=True)
class _First:
    """The answers to all requests."""

    reception: Reception
    token: str

    def page(self) -> str:
        """The page itself."""
        titles = {game: rulebook(game).title for game in GAMES}
        return render_template("first.html", token=self.token, titles=titles)

    def doctor(self) -> Response:
        """The machine, checked."""
        found = self.reception.doctor()
        return jsonify(findings=list(found)) if found else refusal(409, BUSY)

    def aim(self) -> Response:
        """How the camera hangs now."""
        seen = self.reception.aim()
        if seen is None:
            return refusal(404, self.reception.blind() or NO_PICTURE)
        return Response(seen.jpeg, mimetype="image/jpeg", headers={"X-Aim": json.dumps(seen.to_json())})

    def focus(self) -> Response:
        """Focus anew."""
        can = self.reception.focus()
        if can is None:
            return refusal(404, self.reception.blind() or NO_PICTURE)
        return Response(status=204) if can else refusal(409, BY_HAND)


def _printed(what: str) -> Response:
    """A sheet to print, at actual size."""
    try:
        maker = _makers().get(what)
    except ModuleNotFoundError as missing:
        return refusal(501, f"Printing needs {missing.name}, which is not installed.")
    if maker is None:
        abort(404)
    return Response(maker(), mimetype="application/pdf")


def _makers() -> Mapping[str, Callable[[], bytes]]:
    from calibration.disc_printing import discs_pdf
    from calibration.printables import markers_pdf, mat_pdf
    from calibration.sheet_printing import cards_pdf

    mats = {f"mat-{game}": partial(mat_pdf, plan_of(game), _PAPER) for game in GAMES}
    loose = {"markers": markers_pdf, "maps": cards_pdf, "discs": discs_pdf}
    return {**{what: partial(maker, _PAPER) for what, maker in loose.items()}, **mats}
