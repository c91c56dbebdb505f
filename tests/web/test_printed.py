"""The score on paper: A4, black on white whatever the screen is, every line of it and its total once."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pypdfium2
import pytest

from engine import GAMES
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import PHONE, STATES, finished, themed

A4 = (595, 842)
"""In points."""
WHITE, GREY = 250, 120
MARGIN = 25
"""Pixels at one pixel a point: as much as a printer cannot reach."""


@contextmanager
def paper(browser: Browser) -> Iterator[pypdfium2.PdfDocument]:
    """What comes out of the printer."""
    printed = pypdfium2.PdfDocument(browser.printed())
    yield printed
    printed.close()


def words(printed: pypdfium2.PdfDocument) -> list[str]:
    """The words of each page in the order in which they are read, without gaps."""
    return [close(page.get_textpage().get_text_bounded()) for page in printed]


def close(text: str) -> str:
    """Without gaps."""
    return "".join(text.split())


def opened(browser: Browser, address: str) -> None:
    """The page of a match, as soon as its score is there."""
    browser.open(address)
    browser.until(lambda: browser.run("return document.querySelectorAll('#pad-table tr').length > 1"))


@pytest.mark.parametrize("theme", ["light", "dark", "contrast"])
def test_the_last_page_is_printed_black_on_white(tmp_path: Path, browser: Browser, theme: str) -> None:
    """Who has won and by what, each deal, the total once, at the end; nothing that is pressed."""
    match = finished()
    with ShownDesk(tmp_path, match) as shown:
        browser.viewport(*PHONE, mobile=True)
        opened(browser, shown.address)
        themed(browser, theme)
        with paper(browser) as printed:
            assert 1 < len(printed) <= 2
            assert all(abs(a - b) < 2 for page in printed for a, b in zip(page.get_size(), A4, strict=True))
            first, last = words(printed)
            assert first.startswith(close("The Draw Game Ann has won 250 : 205"))
            assert (first + last).count("Total") == 1
            assert last.endswith("Total250205")
            assert [f"deal {n}" for n in range(1, 10) if f"deal{n}" not in first + last] == []
            assert "Undo" not in first + last
            assert "Print" not in first + last
            for page in printed:
                seen = page.render(scale=1).to_numpy()
                assert (seen[:MARGIN] > WHITE).all()
                assert (seen > WHITE).all(axis=2).mean() > 0.8
                # Letters are black: no pale one of a dark screen.
                assert seen.min() < GREY
                assert (seen.max(axis=2).astype(int) - seen.min(axis=2)).max() < 40
        if theme == "light":
            browser.open(f"{shown.address}?view=table")
            browser.until(lambda: "250" in browser.text("#final"))
            with paper(browser) as printed:
                assert words(printed)[-1].endswith("Total250205")


@pytest.mark.parametrize("game", GAMES)
def test_the_score_of_a_match_in_its_midst_is_printed(tmp_path: Path, browser: Browser, game: str) -> None:
    """One page: the game, both names, each line of the pad, its total; neither board nor record."""
    with ShownDesk(tmp_path, STATES[game]()) as shown:
        opened(browser, shown.address)
        browser.run("window.print = () => { window.asked = true; }")
        browser.run("document.querySelector('#pad .print').click()")
        assert browser.run("return window.asked")
        lines = browser.run(
            "return [...document.querySelectorAll('#pad-table th')].map((one) => one.innerText)"
        )
        totals = browser.run("return [...document.querySelectorAll('#scores b')].map((one) => one.innerText)")
        with paper(browser) as printed:
            (told,) = words(printed)
    assert [line for line in lines if close(line) not in told] == []
    assert told.endswith(f"Total{totals[0]}{totals[1]}")
    assert close("What happened") not in told
    assert close("to move") not in told
