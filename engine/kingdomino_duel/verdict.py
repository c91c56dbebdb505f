"""What the judging of a move finds: faults, what still lacks, and what allows it."""

from collections.abc import Mapping
from dataclasses import dataclass

from engine.plain import Json
from engine.ruling import Fault, Ruling, Status


@dataclass(frozen=True, slots=True)
class Verdict:
    """The findings about one move, the graver first."""

    allows: Fault
    """The rule that allows the move where nothing is found against it."""
    faults: tuple[Fault, ...] = ()
    lacks: tuple[Fault, ...] = ()
    """What would still have to be done or said to make the move whole."""

    def ruling(self, profile: str) -> Ruling:
        """The ruling that follows."""
        if self.faults:
            return Ruling.refusal((*self.faults, *self.lacks), profile=profile)
        if self.lacks:
            return Ruling.refusal(self.lacks, status=Status.INCOMPLETE, profile=profile)
        why = self.allows
        return Ruling(Status.LEGAL, why.rule, why.sentence, why.squares, why.facts, profile=profile)


def finding(rule: str, sentence: str, *squares: str, facts: Mapping[str, Json] | None = None) -> Fault:
    """A fault, or the reason of a legal move, on these squares."""
    return Fault(rule, sentence, squares, facts or {})
