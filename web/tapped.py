"""What becomes of what people tap: what may be tapped next, the line that it says, and the ruling on it.

Nothing here changes a match. The page sends the whole line when all is said, as if it had been typed.
"""

from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, request

from device.live.desk import Desk
from device.match.board_marks import difference, told_layout
from device.match.match import Match
from device.typed import after
from engine import BadNotation, CannotStand, ImpossibleFact
from engine.history import History
from engine.touch import FORM, Touch
from engine.touching import forms_of, table_of, touch, toucher_for, words_of

MOST_TAPS: Final = 60
"""Taps of one line; the longest that a game asks for are two open hands."""
MOST_LETTERS: Final = 60
_PREVIEWS: Final = 8
"""So many next taps at most are shown as pictures."""


def touch_pages(desk: Desk) -> Blueprint:
    """What the board asks while people tap."""
    pages = Blueprint("touch", __name__)
    pages.get("/api/touch", endpoint="tapped")(lambda: _touched(desk))
    return pages


def _touched(desk: Desk) -> Response:
    taps = tuple(request.args.getlist("tap"))
    if len(taps) > MOST_TAPS or any(len(tap) > MOST_LETTERS or not tap.isprintable() for tap in taps):
        abort(400)
    history = _history(desk.matches.get()[1])
    if history is None:
        return jsonify(game=None, taps=[], said=[], next=[], line="", prompt="")
    return jsonify(answer(history, taps))


def _history(match: Match | None) -> History | None:
    if match is None:
        return None
    return match.game or match.blank


def answer(history: History, taps: tuple[str, ...]) -> dict[str, Any]:
    """All that the board shows of these taps."""
    shown, table = touch(history, taps), table_of(history, taps)
    told: dict[str, Any] = {
        "game": history.header.game, "entries": len(history.entries),
        "taps": list(shown.taps), "said": list(words_of(history, shown.taps)),
        "next": [{"tap": choice.tap, "words": choice.words} for choice in shown.next],
        "line": shown.line, "prompt": shown.prompt,
        "places": {
            tap: {"x": where.x, "y": where.y, "angle": where.angle}
            for tap, where in toucher_for(history.book).places(table, shown.taps).items()
        },
    }  # fmt: skip
    if table != history.state:
        told["layout"] = told_layout(history.book.layout(table))
    if shown.line:
        told |= preview(history, shown.line)
    elif taps and len(shown.next) <= _PREVIEWS:
        ghosts = {choice.tap: _ghost(history, shown, choice.tap) for choice in shown.next}
        told["ghosts"] = {tap: changed for tap, changed in ghosts.items() if changed}
    if not taps:
        told["forms"] = [
            {"tap": FORM + form.name, "group": form.group, "words": form.told, "pattern": form.pattern}
            for form in forms_of(history.book)
        ]
    return told


def preview(history: History, line: str) -> dict[str, Any]:
    """What a line would come to: its ruling and what lies otherwise then, or why it cannot be taken up."""
    try:
        game = after(history, line)
    except (BadNotation, ImpossibleFact, CannotStand) as wrong:
        return {"problem": str(wrong)}
    told: dict[str, Any] = {"ghost": difference(history.book, history.state, game.state)}
    last = game.steps[-1] if game.steps else None
    if last is not None and last.ruling is not None and len(game.steps) > len(history.steps):
        told["ruling"] = last.ruling.to_json()
        told["nearest"] = [{"text": near, **_lies(history, near)} for near in last.ruling.nearest]
        if not last.ruling.allowed:
            told["ghost"] = _stood(game, history)
    return told


def _stood(game: History, before: History) -> dict[str, Any]:
    """A refused move as it would lie."""
    try:
        return difference(before.book, before.state, game.stand().state)
    except (CannotStand, BadNotation):
        return {"spots": [], "gone": []}


def _lies(history: History, line: str) -> dict[str, Any]:
    return difference(history.book, history.state, history.move(line).state)


def _ghost(history: History, shown: Touch, tap: str) -> dict[str, Any] | None:
    """What lies otherwise once this is tapped too, where that says all."""
    line = touch(history, (*shown.taps, tap)).line
    if not line:
        return None
    try:
        return difference(history.book, history.state, after(history, line).state)
    except (BadNotation, ImpossibleFact, CannotStand):
        return None
