"""What the page of a match says beside the game: where its notation is told, and that it is too old."""

from pathlib import Path

from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from device.notation_guide import forms_of
from engine import GAMES, rulebook
from tests.web.browser import Browser
from tests.web.desks import ShownDesk, played

TOO_OLD = "This page is out of date: load it again."
_FORMS = "return [...document.querySelectorAll('dd .soft code')].map((one) => one.textContent)"


def test_beside_the_line_stands_the_way_to_its_game_s_notation(tmp_path: Path, browser: Browser) -> None:
    """From the match of each game to a page of all its forms and no other, in a window of its own."""
    for game in GAMES:
        with ShownDesk(tmp_path, taken_up(Match(), played(game=game))) as shown:
            browser.open(shown.address)
            there = f"{shown.address}notation/{game}"
            browser.until(
                lambda there=there: browser.run("return document.querySelector('#notation').href") == there
            )
            assert browser.text("#typed label #notation") == "What can be typed?"
            assert browser.run("return document.querySelector('#notation').target") == "_blank"
            browser.open(there)
            book = rulebook(game)
            assert browser.text("h1") == f"{book.title}: notation"
            assert sorted(browser.run(_FORMS)) == sorted(form.pattern for form in forms_of(book))
        (tmp_path / "shown.match").unlink()


def test_a_page_that_is_too_old_for_the_match_says_so(tmp_path: Path, browser: Browser) -> None:
    """A view of another form is not shown in part: it is told to load the page again, and nothing breaks."""
    with ShownDesk(tmp_path, taken_up(Match(), played())) as shown:
        now = shown.desk.views.get()[1]
        browser.open(shown.address)
        browser.until(lambda: "Draw" in browser.text("#title"))
        title, head = browser.text("#title"), browser.text("#headline")
        assert browser.text("#notice") == ""
        shown.desk.views.put({"format": 2, "headline": "something new", "title": "something else"})
        browser.until(lambda: browser.text("#notice") == TOO_OLD)
        assert (browser.text("#title"), browser.text("#headline")) == (title, head)
        shown.desk.views.put({**now, "notice": "It goes on."})
        browser.until(lambda: browser.text("#notice") == "It goes on.")
        assert view(taken_up(Match(), played()))["format"] == 1
        # Whoever comes with the old page to a match of the new form sees the same.
        shown.desk.views.put({**now, "format": 2})
        browser.open(shown.address)
        browser.until(lambda: browser.text("#notice") == TOO_OLD)
        assert browser.complaints() == []
