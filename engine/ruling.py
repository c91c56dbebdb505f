"""Rulings: the verdict on one move, with the rule it stands on and the evidence for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

from engine.plain import Json, JsonObject


class Status(StrEnum):
    """The four verdicts. "Could not be seen" is none of them: that is the camera's business."""

    LEGAL = "legal"
    ILLEGAL = "illegal"
    INCOMPLETE = "incomplete"
    """A legal beginning of a move that still lacks something."""
    UNVERIFIABLE = "unverifiable"
    """It depends on what nobody at the table may see yet; it can be judged later."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One rule that a move breaks: its id, a sentence about this very move, and what proves it."""

    rule: str
    sentence: str
    squares: tuple[str, ...] = ()
    facts: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> JsonObject:
        """The fault as plain data."""
        return {
            "rule": self.rule,
            "sentence": self.sentence,
            "squares": list(self.squares),
            "facts": dict(self.facts),
        }


@dataclass(frozen=True, slots=True)
class Ruling:
    """The verdict on one move.

    ``rule`` and ``reason`` are those of the gravest fault, or of what allows the move; ``also`` holds the
    other rules it breaks, the graver first; ``nearest`` holds up to three legal moves in notation, the one
    that needs the least rearranging first.
    """

    status: Status
    rule: str
    reason: str
    squares: tuple[str, ...] = ()
    facts: Mapping[str, Json] = field(default_factory=dict)
    also: tuple[Fault, ...] = ()
    nearest: tuple[str, ...] = ()
    profile: str = ""

    @classmethod
    def refusal(
        cls, faults: tuple[Fault, ...], *, status: Status = Status.ILLEGAL, profile: str = ""
    ) -> "Ruling":
        """The ruling that these faults make, the gravest first; there must be at least one."""
        first = faults[0]
        return cls(
            status=status,
            rule=first.rule,
            reason=first.sentence,
            squares=first.squares,
            facts=first.facts,
            also=faults[1:],
            profile=profile,
        )

    @property
    def allowed(self) -> bool:
        """Whether play may go on from this move: it is legal, or nobody can say yet that it is not."""
        return self.status in (Status.LEGAL, Status.UNVERIFIABLE)

    def with_nearest(self, nearest: tuple[str, ...]) -> "Ruling":
        """The same ruling with legal moves to offer instead."""
        return replace(self, nearest=nearest)

    def to_json(self) -> JsonObject:
        """The ruling as plain data."""
        return {
            "status": str(self.status),
            "rule": self.rule,
            "reason": self.reason,
            "squares": list(self.squares),
            "facts": dict(self.facts),
            "also": [fault.to_json() for fault in self.also],
            "nearest": list(self.nearest),
            "profile": self.profile,
        }


@dataclass(frozen=True, slots=True)
class LateRuling:
    """A move that could not be judged when it was made, judged now that more has been shown.

    ``turn`` is the number of the move (the first of the game is 1) and ``move`` its notation.
    """

    turn: int
    move: str
    ruling: Ruling

    def to_json(self) -> JsonObject:
        """The late ruling as plain data."""
        return {"turn": self.turn, "move": self.move, "ruling": self.ruling.to_json()}
