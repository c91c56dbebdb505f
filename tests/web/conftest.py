"""What the tests of pages share."""

from collections.abc import Iterator

import pytest

from tests.web.browser import MISSING, Browser


@pytest.fixture(scope="session")
def running() -> Iterator[list[Browser]]:
    """The browser that runs and is free, if there is one: to start it takes longer than to show a page."""
    free: list[Browser] = []
    yield free
    for one in free:
        one.quit()


@pytest.fixture
def browser(running: list[Browser], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser that has seen no page yet."""
    if MISSING:
        pytest.skip(MISSING)
    made = running.pop() if running else Browser(tmp_path_factory.mktemp("profile"))
    yield made
    try:
        made.forget()
    except OSError:
        made.quit()  # whatever became of it, the next test has a new one
    else:
        running.append(made)
