"""What the tests of pages share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.browser import MISSING, Browser


@pytest.fixture
def browser(tmp_path: Path) -> Iterator[Browser]:
    """A browser."""
    if MISSING:
        pytest.skip(MISSING)
    with Browser(tmp_path / "profile") as made:
        yield made
