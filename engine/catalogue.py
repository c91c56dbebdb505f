"""The rules of a game in our own words, each with its id and the section of the original it comes from."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule."""

    id: str
    section: str
    """Where it stands in the original document, by heading and number or paragraph."""
    words: str
    """What it says, in our own words."""


class Catalogue:
    """All rules of one game, in the order of play."""

    def __init__(self, source: str, rules: Sequence[Rule]) -> None:
        self.source = source
        """The original document: title, author and year as far as known."""
        self._rules = {rule.id: rule for rule in rules}
        if len(self._rules) != len(rules):
            raise ValueError("two rules of the catalogue have the same id")

    def __iter__(self) -> Iterator[Rule]:
        return iter(self._rules.values())

    def __len__(self) -> int:
        return len(self._rules)

    def __contains__(self, rule_id: object) -> bool:
        return rule_id in self._rules

    def __getitem__(self, rule_id: str) -> Rule:
        return self._rules[rule_id]
