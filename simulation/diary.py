"""What became of each thing that was done at a table with people: the figures of a whole game."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Outcome: TypeAlias = Literal["right", "asked", "wrong and flagged", "wrong and silent", "missed"]
OUTCOMES: tuple[Outcome, ...] = ("right", "asked", "wrong and flagged", "wrong and silent", "missed")
_WRONG = ("wrong and flagged", "wrong and silent")


@dataclass
class Note:
    """A move or a fact, and what the referee made of it first."""

    text: str
    kind: str
    legal: bool
    rule: str
    player: int
    spoken: bool = False
    """Whether it has to be told by hand, as no table can show it."""
    shows: bool = True
    """Whether hands did something: the end of a turn does not show, and may be known all the same."""
    gone_s: float = 0.0
    """When the hands had gone."""
    outcome: Outcome | None = None
    told: str = ""
    """What was said instead, where it was not right."""
    beside: bool = False
    """Whether the entry says in its own words something of like effect, and this beside it."""
    accused: bool = False
    """Whether a legal move was called illegal."""
    found: bool = False
    """Whether an illegal one was, by its own rule."""
    ruled_s: float | None = None
    """From the hands' going to what was told of it first, in table time."""
    back: bool | None = None
    """Of a move that was put back: whether that was understood by itself."""

    def becomes(self, outcome: Outcome, at: float, told: str = "") -> None:
        """What it counts as: what was told first, but for a right word that was followed by a wrong one."""
        if self.outcome is None:
            self.ruled_s = max(0.0, at - self.gone_s)
        if self.outcome is None or (self.outcome == "right" and outcome in _WRONG):
            self.outcome, self.told = outcome, told


@dataclass
class Diary:
    """A whole game."""

    notes: list[Note] = field(default_factory=list)
    touches: Counter[str] = field(default_factory=Counter)
    """What people did besides moving, confirming and setting up, by kind."""
    false: list[str] = field(default_factory=list)
    """What was told though nobody had done anything."""
    alarms: list[str] = field(default_factory=list)
    """What was told of a disagreement though the record was right."""
    errors: list[str] = field(default_factory=list)
    """What the page said of looks that failed."""
    not_ready: list[str] = field(default_factory=list)
    """Why the table was refused when the game was to begin."""
    stories: list[str] = field(default_factory=list)
    """What people met, for whoever looks for causes."""
    finished: bool = False
    scores_right: bool = False
    winner_right: bool = False
    given_up: str = ""

    @property
    def moves(self) -> list[Note]:
        """The moves; facts count apart."""
        return [note for note in self.notes if note.kind == "move"]

    def counts(self) -> Counter[str]:
        """The figures of the game that are numbers of something."""
        moves = [note for note in self.moves if note.shows and not note.spoken]
        facts = [note for note in self.notes if note.kind == "fact" and note.shows and not note.spoken]
        illegal = [note for note in moves if not note.legal]
        backs = [note for note in moves if note.back is not None]
        found: Counter[str] = Counter(dict.fromkeys(OUTCOMES, 0))
        found.update(note.outcome or "missed" for note in moves)
        found.update({
            "moves": len(moves), "facts": len(facts), "spoken": len(self.notes) - len(moves) - len(facts),
            "facts right": sum(note.outcome == "right" for note in facts),
            "named beside": sum(note.beside and note.outcome == "right" for note in moves),
            "accusations": sum(note.accused for note in moves), "illegal": len(illegal),
            "illegal found": sum(note.found for note in illegal), "touches": self.touches.total(),
            "take-backs": len(backs), "take-backs understood": sum(bool(note.back) for note in backs),
            "false": len(self.false), "alarms": len(self.alarms),
        })  # fmt: skip
        return found

    def waits(self) -> Sequence[float]:
        """How long the right rulings took."""
        right = [note for note in self.notes if note.outcome == "right" and not note.spoken]
        return [note.ruled_s for note in right if note.ruled_s is not None]
