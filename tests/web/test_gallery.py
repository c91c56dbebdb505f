"""Every page around a match as the gallery draws it: its script runs, and nothing sticks out of a phone."""

from collections.abc import Callable, Iterator

import pytest

from tests.web.browser import Browser
from tests.web.gallery import PHONE
from tests.web.gallery_pages import around_a_match, of_a_box
from tests.web.test_page_layout import OUTSIDE


@pytest.mark.parametrize("walk", [around_a_match, of_a_box])
def test_every_page_around_a_match_is_whole(
    browser: Browser, walk: Callable[[Browser], Iterator[str]]
) -> None:
    """No script fails on its way, and each page fits into the width of a phone."""
    browser.viewport(*PHONE, mobile=True)
    for page in walk(browser):
        assert browser.run(OUTSIDE) == [], page
        assert [one for one in browser.complaints() if "Uncaught" in one] == [], page
