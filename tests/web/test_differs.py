"""Where table and record disagree: marked on the board, and in the camera's picture."""

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from device.journal.ruling_pictures import Outline
from device.live.ports import Glimpse, Shot
from device.live.saying import odd_marks
from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from device.match.phase import Phase
from device.match.signals import saw
from device.match.transitions import step
from engine.history import History
from engine.matching import Difference, Nothing, OutOfStep
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.test_page_touch import DICE, begun
from web.shown_picture import shown

GONE = Difference("The 2-3 should lie on c3 and d3.", "board", "c3", "domino 2-3")
MORE = Difference("A coin lies on b1 that nobody knows of.", "board", "b1", "", "1")
MARKS = (
    Outline(((10.0, 10.0), (60.0, 10.0), (60.0, 60.0), (10.0, 60.0)), "2-3"),
    Outline(((120.0, 80.0), (180.0, 80.0), (180.0, 140.0), (120.0, 140.0)), "coin"),
)


def disagreeing(history: History) -> Match:
    """A match whose table shows something else than its record."""
    match = replace(taken_up(Match(), history), phase=Phase.WATCHING)
    return step(match, saw(OutOfStep((GONE, MORE)), match.version), 0.0)[0]


def test_a_board_marks_what_differs(tmp_path: Path, browser: Browser) -> None:
    """Around the piece that should lie there, and where something lies; no more once they agree."""
    history = begun("dominoids", *DICE)
    match = disagreeing(history)
    told = view(match)["marks"]
    assert isinstance(told, dict)
    lying = history.book.layout(history.state).by_name()["domino 2-3"]
    assert told["differs"] == [
        {"name": "domino 2-3", "place": "c3", "x": lying.x, "y": lying.y},
        {"name": "", "place": "b1"},
    ]
    with ShownDesk(tmp_path, match) as desk:
        browser.open(desk.address)
        browser.until(lambda: "disagree" in browser.text("#headline"))
        rings = "return document.querySelectorAll('#board .differs > g').length"
        browser.until(lambda: browser.run(rings) == 2)
        after = step(match, saw(Nothing(), match.version), 1.0)[0]
        assert after.differs == ()
        desk.desk.views.put(view(after))
        browser.until(lambda: browser.run(rings) == 0)
        assert browser.complaints() == []


def test_the_picture_marks_what_lies_otherwise() -> None:
    """In red, and named; what agrees stays as it is drawn always, and in a plain picture nothing is drawn."""
    verdict = OutOfStep((GONE, MORE))
    assert odd_marks(verdict, MARKS) == (MARKS[1],)
    assert odd_marks(Nothing(), MARKS) == ()
    for unknown in ("7", "sheet", ""):
        assert odd_marks(OutOfStep((replace(MORE, ref=unknown),)), MARKS) == ()
    table = np.full((200, 300, 3), 90, np.uint8)
    glimpse = Glimpse(Shot(1, 0.0, table), None, MARKS, odd_marks(verdict, MARKS))
    picture = shown(glimpse, "drawn")
    hue = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    red = (hue[..., 1] > 120) & ((hue[..., 0] < 8) | (hue[..., 0] > 172))
    assert red[75:145, 115:185].sum() > 60
    assert red[5:65, 5:65].sum() == 0
    assert (shown(glimpse, "plain") == table).all()
