"""What a check says of one thing."""

from dataclasses import asdict, dataclass
from enum import StrEnum


class Grade(StrEnum):
    """How it is."""

    OK = "ok"
    ABSENT = "absent"
    """It is not there, and play goes on without it."""
    FAILS = "fails"


@dataclass(frozen=True)
class Finding:
    """One line."""

    name: str
    grade: Grade
    words: str
    remedy: str = ""

    def line(self) -> str:
        """As it is printed."""
        sign = {Grade.OK: "✓", Grade.ABSENT: "–", Grade.FAILS: "✗"}[self.grade]
        told = f"{sign} {self.name:<9} {self.words}"
        return f"{told}\n            → {self.remedy}" if self.remedy else told

    def to_json(self) -> dict[str, str]:
        """As plain data."""
        return {name: str(value) for name, value in asdict(self).items()}


def ok(name: str, words: str) -> Finding:
    """All is well."""
    return Finding(name, Grade.OK, words)


def absent(name: str, words: str, remedy: str = "") -> Finding:
    """It is not there, which is no fault."""
    return Finding(name, Grade.ABSENT, words, remedy)


def fails(name: str, words: str, remedy: str) -> Finding:
    """Something is wrong, and this is what to do."""
    return Finding(name, Grade.FAILS, words, remedy)
