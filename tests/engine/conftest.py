"""The toy game, registered for the tests that ask for it."""

import sys

import pytest

from engine import registry
from tests.engine import toy


@pytest.fixture
def toy_game(monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a tiny registered game."""
    monkeypatch.setitem(sys.modules, "engine.toy", toy)
    monkeypatch.setattr(registry, "GAMES", (*registry.GAMES, "toy"))
    return "toy"
