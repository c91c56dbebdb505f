"""Questions as pictures: each answer as a small board, beside what the camera saw of its place."""

import threading
import urllib.error
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from device.match.match import Match
from device.match.match_view import view
from device.match.shown import Box, Crop
from engine.history import History
from tests.tables_asked import STEPS, asked_table, drawn_table
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import DESK, PHONE, asking
from tests.web.test_page_layout import wrong

_ANSWERS = """
return [...document.querySelectorAll('#choices > button')].map((one) => {
  const { width, height, left, top } = one.getBoundingClientRect(), image = one.querySelector('img');
  const box = image?.getBoundingClientRect(), board = one.querySelector('svg.thumb')?.getBoundingClientRect();
  return { words: one.innerText, width, height, left, top, drawn: Boolean(one.querySelector('svg.thumb')),
    alt: image?.alt, lazy: image?.loading, wide: box?.width, there: image?.complete && image.naturalWidth > 0,
    beside: box && board && Math.abs(box.top - board.top) < 1 };
});
"""


@dataclass(eq=False)
class CountedTable:
    """A table that counts how often something is cut out of its picture."""

    times: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    def place(self, *_: History) -> Box | None:
        """Nothing has a place: what is cut was placed by the test."""
        return None

    def cut(self, _: Box) -> bytes:
        """A picture that takes its time."""
        threading.Event().wait(0.05)
        with self.lock:
            self.times += 1
        return b"jpeg"


def got(address: str) -> tuple[int, bytes]:
    """What is answered to a request."""
    try:
        with urllib.request.urlopen(address, timeout=20) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read()


def at(desk: ShownDesk, match: Match, number: int) -> str:
    """Where the picture of an answer is."""
    return f"{desk.address}asked/answer/{number}.jpg?key={match.key}"


@pytest.mark.parametrize("game", STEPS)
def test_each_answer_of_each_game_has_its_picture(tmp_path: Path, game: str) -> None:
    """The view says so for each, and nothing that was done is shown by what changed."""
    match = asked_table(game, STEPS[game]).match()
    told = view(match)["pictures"]
    assert isinstance(told, list)
    assert [isinstance(one, dict) and one["seen"] for one in told] == [True] * len(match.options)
    with ShownDesk(tmp_path, match) as desk:
        for number in range(len(match.options)):
            status, jpeg = got(at(desk, match, number))
            assert (status, jpeg[:2], len(jpeg) <= 20_000) == (200, b"\xff\xd8", True)


def test_ten_phones_cost_one_picture(tmp_path: Path) -> None:
    """All of them ask at the same moment; and what is no answer of what is asked is nothing."""
    match, table = asking(), CountedTable()
    options = [replace(one, crop=Crop(table, (0, 0, 9, 9))) for one in match.options]
    match = replace(match, options=(options[0], replace(options[1], crop=None)))
    with ShownDesk(tmp_path, match) as desk:
        answers: list[tuple[int, bytes]] = []
        phones = [threading.Thread(target=lambda: answers.append(got(at(desk, match, 0)))) for _ in range(10)]
        for phone in phones:
            phone.start()
        for phone in phones:
            phone.join()
        assert answers == [(200, b"jpeg")] * 10
        assert table.times == 1
        none = [
            at(desk, match, 1),
            at(desk, match, 2),
            at(desk, match, 0)[:-1],
            at(desk, match, 0).split("?")[0],
        ]
        assert [got(one)[0] for one in none] == [404] * 4


def test_without_a_camera_a_question_has_its_boards(tmp_path: Path, browser: Browser) -> None:
    """By hand nobody has seen anything: no room is kept for pictures."""
    with ShownDesk(tmp_path, asking()) as desk:
        browser.open(desk.address)
        each = browser.until(lambda: browser.run(_ANSWERS))
        assert all(one["drawn"] and one["alt"] is None for one in each)


def answers_on(browser: Browser, size: tuple[int, int]) -> Sequence[dict[str, object]]:
    """The answers on a page of this size, once all of their pictures are there."""
    browser.viewport(*size, mobile=size is PHONE)

    def whole() -> Sequence[dict[str, object]]:
        browser.run("document.querySelector('#choices').scrollIntoView()")
        found: Sequence[dict[str, object]] = browser.run(_ANSWERS)
        return found if found and all(one["there"] for one in found) else ()

    found: Sequence[dict[str, object]] = browser.until(whole)
    return found


@pytest.mark.parametrize("game", STEPS)
def test_an_answer_is_one_target_with_its_board_beside_its_picture(
    tmp_path: Path, browser: Browser, game: str
) -> None:
    """On a phone and a desk; a picture that comes, or does not, moves nothing; a tap on it is the answer."""
    match = asked_table(game, STEPS[game]).match()
    with ShownDesk(tmp_path, match) as desk:
        browser.viewport(*PHONE, mobile=True)
        browser.open(desk.address)
        browser.devtools("Network.enable")
        browser.devtools("Network.setBlockedURLs", urls=["*asked/answer*"])
        browser.run("location.reload()")
        browser.until(lambda: len(browser.run(_ANSWERS) or ()) == len(match.options))
        sizes = ("top", "left", "width", "height")
        before = [[one[part] for part in sizes] for one in browser.run(_ANSWERS)]
        browser.devtools("Network.setBlockedURLs", urls=[])
        browser.open(desk.address)
        for size in (PHONE, DESK):
            each = answers_on(browser, size)
            assert wrong(browser) == []
            assert all(float(str(one[part])) >= 44 for one in each for part in ("width", "height"))
            assert all(float(str(one["wide"])) >= 100 for one in each)
            assert {(one["alt"], one["lazy"]) for one in each} == {("As the camera sees it", "lazy")}
            assert all(one["beside"] for one in each if one["drawn"])
            if size is PHONE:
                browser.run("scrollTo(0, 0)")
                there = [[one[part] for part in sizes] for one in browser.run(_ANSWERS)]
                assert there == before
        browser.click("#choices > button:last-child img")
        browser.until(lambda: desk.said)
        assert (str(desk.said[0].kind), desk.said[0].number) == ("choose", len(match.options) - 1)


def test_what_is_seen_is_the_tables_own_picture(tmp_path: Path, browser: Browser) -> None:
    """A drawn table on a phone: the pictures are no grey squares."""
    match = drawn_table("draw-game").match()
    with ShownDesk(tmp_path, match) as desk:
        browser.open(desk.address)
        assert len(answers_on(browser, PHONE)) == len(match.options)
        first, second = (got(at(desk, match, number))[1] for number in (0, 1))
        assert min(len(first), len(second)) > 2000
        assert first != second
