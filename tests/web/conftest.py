"""What the tests of pages share."""

import importlib.util
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


@pytest.fixture(scope="session")
def engine() -> str:
    """The script that looks for what is broken."""
    found = importlib.util.find_spec("axe_core_python")
    if found is None or found.origin is None:
        pytest.skip("axe-core-python is not installed")
    return (Path(found.origin).parent / "axe.min.js").read_text(encoding="utf-8")
