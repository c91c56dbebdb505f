"""What the tests of pages share."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path

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


@pytest.fixture(scope="session")
def engine() -> str:
    """The script that looks for what is broken."""
    found = importlib.util.find_spec("axe_core_python")
    if found is None or found.origin is None:
        pytest.skip("axe-core-python is not installed")
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")
