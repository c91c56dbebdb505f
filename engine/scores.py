"""Scores as a score pad shows them, and how a game ended."""

from dataclasses import dataclass

from engine.plain import JsonObject


@dataclass(frozen=True, slots=True)
class ScoreLine:
    """One line of the pad: what a player got points for. Players are 1 and 2."""

    player: int
    label: str
    points: int


@dataclass(frozen=True, slots=True)
class Scores:
    """The totals of both players and the lines that make them up."""

    totals: tuple[int, int]
    lines: tuple[ScoreLine, ...] = ()

    def to_json(self) -> JsonObject:
        """The scores as plain data."""
        return {
            "totals": list(self.totals),
            "lines": [
                {"player": line.player, "label": line.label, "points": line.points} for line in self.lines
            ],
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the game ended: who won (None for a draw), by which rule, and the sentence for it."""

    winner: int | None
    rule: str
    reason: str

    def to_json(self) -> JsonObject:
        """The outcome as plain data."""
        return {"winner": self.winner, "rule": self.rule, "reason": self.reason}
