"""Every rule, every reading and every golden case has a test, and docs/rules.md says so truly."""

import pytest

from engine import GAMES, rulebook
from tests.trace import GOLDEN, TABLE, document, golden, marked


@pytest.mark.parametrize("game", GAMES)
def test_every_rule_and_reading_is_exercised_by_a_test(game: str) -> None:
    """No numbered rule of the documents and no reading of what they leave open goes without a test."""
    tests = marked()
    book = rulebook(game)
    ids = [rule.id for rule in book.catalogue] + [reading.id for reading in book.readings.all]
    assert [rule_id for rule_id in ids if rule_id not in tests] == []


def test_every_mark_names_a_rule_that_is_there() -> None:
    """A test cannot claim to exercise a rule that no catalogue has."""
    known = {rule.id for game in GAMES for rule in rulebook(game).catalogue}
    known |= {reading.id for game in GAMES for reading in rulebook(game).readings.all}
    assert sorted(set(marked()) - known) == []


@pytest.mark.parametrize("game", GAMES)
def test_every_golden_case_is_a_test_of_the_engine_named_by_its_id(game: str) -> None:
    """The golden cases of each game are all there, each in the engine's own tests."""
    letter, count = GOLDEN[game]
    found = {name for name, tests in golden().items() if any("/engine/" in test for test in tests)}
    assert [f"{letter}-G{n:02}" for n in range(1, count + 1) if f"{letter}-G{n:02}" not in found] == []


def test_the_printed_table_is_true() -> None:
    """docs/rules.md is what the rule books and the marks say now (`make rules` writes it)."""
    assert TABLE.read_text(encoding="utf-8") == document()
