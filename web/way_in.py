"""How a phone gets in: the card with the page's address, and the one field for the code.

The card may be shown round: it holds the code only for whoever may act already, and never on paper, since the
code is another one after each start. The passphrase of the box's own Wi-Fi stays the same and is printed;
that, too, is for whoever may act.
"""

import time
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, Response, jsonify, render_template, request

from device.service.address import Invitation, invitation, svg
from device.service.pairing import NO_CODE, Answer
from device.service.phones import Phone
from web.access import Access, may_act
from web.guard import COOKIE, Door, keep, screen_name
from web.request_bodies import body, refusal

HERE_ALONE: Final = "This page acts on its own machine only."
_MOST_DIGITS: Final = 40
"""Letters of what is entered as a code; nobody types as many."""


def join_pages(door: Door) -> Blueprint:
    """The card, what the door says of a browser, and the ways in and out."""
    pages, told = Blueprint("join", __name__), _Join(door)
    pages.get("/join")(told.card)
    pages.get("/api/door")(told.state)
    pages.post("/api/join")(told.join)
    pages.post("/api/phones/forget")(told.forget)
    return pages


@dataclass(frozen=True)
class _Join:
    """The answers to all requests."""

    door: Door

    def card(self) -> str:
        """The page to join by, and to show others."""
        who, pairing = self.door.asking(), self.door.pairing
        acts = may_act(who)
        shown = self._invitation() if self.door.may_look(who) and pairing is not None else None
        return render_template(
            "join.html",
            token=self.door.token,
            card=None if shown is None else _card(shown, pairing.code if acts and pairing else "", acts),
            phones=[_row(one) for one in pairing.phones()] if acts and pairing else [],
            forgets=self.door.may_look(who, Access.LET_GO),
            alone=pairing is None,
        )

    def state(self) -> Response:
        """What this browser may do; a phone that is in use keeps its secret for another month."""
        who, pairing = self.door.asking(), self.door.pairing
        answer = jsonify(
            act=may_act(who),
            look=self.door.may_look(who),
            room=self.door.may_look(who, Access.ROOM),
            pin=self.door.owner.has_pin,
            code=pairing is not None,
            open=pairing is not None and pairing.is_open,
        )
        if self.door.screen() is not None:
            keep(answer, request.cookies[COOKIE])
        return answer

    def join(self) -> Response:
        """Let a browser in that knows the code, or that the buttons let in."""
        if self.door.pairing is None:
            return _told(409, Answer(words=HERE_ALONE))
        if may_act(self.door.asking()):
            return Response(status=204)
        asked = body()
        given = asked.get("code", "") if isinstance(asked, dict) else None
        if not isinstance(given, str) or len(given) > _MOST_DIGITS:
            return _told(400, Answer(words=NO_CODE))
        answer, secret = self.door.pairing.join(request.remote_addr or "", given, screen_name())
        if not answer.let_in:
            return _told(429 if answer.wait_s else 422, answer)
        response = Response(status=204)
        keep(response, secret)
        return response

    def forget(self) -> Response:
        """Have every phone enter the code again."""
        many = 0 if self.door.pairing is None else self.door.pairing.forget_all()
        return jsonify(forgotten=many)

    def _invitation(self) -> Invitation:
        """How others find this page, as it was announced, or as the kernel tells it now."""
        assert self.door.pairing is not None
        return self.door.pairing.invitation or invitation(int(request.environ["SERVER_PORT"]))


def _card(shown: Invitation, code: str, acts: bool) -> dict[str, Any]:
    """The card as the page draws it: one code to scan from a screen, one for paper."""
    wifi = (shown.wifi or shown.spare) if acts else None
    return {
        "urls": list(shown.urls),
        "screen": svg(shown.link(code)) if shown.urls else "",
        "paper": svg(shown.link()) if shown.urls else "",
        "code": f"{code[:3]} {code[3:]}" if code else "",
        "wifi": None if wifi is None else {**_plain(wifi), "svg": svg(wifi.text), "open": wifi == shown.wifi},
    }


def _plain(wifi: Any) -> dict[str, str]:
    return {"name": wifi.name, "passphrase": wifi.passphrase}


def _row(phone: Phone) -> str:
    """When a phone was paired, and when it was used last; nothing else is known of it."""
    since, last = (time.strftime("%-d %B %Y", time.localtime(at)) for at in (phone.since, phone.last))
    return f"since {since}, used last on {last}"


def _told(status: int, answer: Answer) -> Response:
    wait = {"Retry-After": str(int(answer.wait_s) + 1)} if answer.wait_s else None
    return refusal(status, answer.words, wait, left=answer.left)
