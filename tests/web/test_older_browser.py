"""Thirty matches on a phone: all can be reached and deleted, and all count for their players."""

from pathlib import Path

from tests.device.service.boxes import RealBox
from tests.device.service.test_older_matches import ALL, UNFINISHED, many_matches
from tests.web.browser import Browser
from tests.web.test_owner_box import entered

ROWS = "return [...document.querySelectorAll(arguments[0])].map((one) => one.getAttribute('href'))"


def test_the_thirtieth_match_is_reached_and_deleted(tmp_path: Path, browser: Browser) -> None:
    """In the lobby and in the owner's list; the figures of the pair are those of all matches."""
    matches = tmp_path / "box" / "state" / "matches"
    many_matches(matches)
    for number in UNFINISHED:
        (matches / f".m{number:02}.match.left").touch()  # else it goes on by itself
    with RealBox(tmp_path / "box") as box:
        box.ready()
        browser.viewport(390, 844, mobile=True)
        browser.open(f"http://localhost:{box.port}/")
        browser.until(lambda: browser.text("#results li"))
        links = lambda: browser.run(ROWS, "#side .more a:first-child")  # noqa: E731
        assert len(links()) == 12
        for shown in (24, ALL):
            browser.click("#older")
            browser.until(lambda shown=shown: len(links()) == shown)  # type: ignore[misc]
        holds = "return document.activeElement.matches(arguments[0])"  # the button goes, and hands it on
        browser.until(lambda: browser.run(holds, "#side li summary"))
        assert sorted(links()) == [f"/matches/m{number:02}" for number in range(ALL)]
        assert not browser.run("return document.querySelector('#older').checkVisibility()")
        assert browser.run("return document.querySelectorAll('#kept li').length") == len(UNFINISHED)
        browser.until(lambda: not browser.run("return document.querySelector('#counting').checkVisibility()"))
        first, second = map(int, browser.text("#pairs .score").split(" : "))
        assert first + second == ALL - len(UNFINISHED)
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")

        entered(browser, f"http://localhost:{box.port}/")
        names = "return document.querySelectorAll('#matches li').length"
        browser.until(lambda: browser.run(names) == 12)
        for shown in (24, ALL):
            browser.click("#older")
            browser.until(lambda shown=shown: browser.run(names) == shown)  # type: ignore[misc]
        browser.until(lambda: browser.run(holds, "#matches li:last-child button"))
        browser.click("#matches li:last-child button")
        browser.click("#sure-yes")
        browser.until(lambda: browser.run(names) == ALL - 1)
        assert not (matches / "m29.match").exists()
        browser.click("#matches li:first-child button")
        browser.click("#sure-yes")
        browser.until(lambda: browser.run(names) == ALL - 2)
        assert not (matches / "m00.match").exists()
