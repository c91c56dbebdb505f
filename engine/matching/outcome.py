"""What the referee makes of a scene: seven outcomes, each plain and frozen, each with words for players."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import ClassVar, Literal, TypeAlias

from engine.book import State
from engine.matching.evidence import Lay
from engine.plain import JsonObject
from engine.ruling import Ruling, Status


@dataclass(frozen=True, slots=True)
class Happened:
    """One move or fact that the scene shows, or that must have come before what it shows.

    ``text`` is notation that ``History.move`` or ``History.fact`` takes; ``state`` is the state afterwards,
    and of a move that was refused the one if it stood, or None where no state is like that table.
    """

    kind: Literal["move", "fact"]
    text: str
    state: State | None = field(repr=False)
    ruling: Ruling | None = None
    """The ruling on a move, with the nearest legal moves where it is refused; None for a fact."""
    alike: tuple[str, ...] = ()
    """What else it may have been: a move that leaves the same table, a fact that may be read there as well.
    A player may say that it was one of these, and what comes next may show it."""

    def to_json(self) -> JsonObject:
        """What happened as plain data."""
        ruling = None if self.ruling is None else self.ruling.to_json()
        return {"kind": self.kind, "text": self.text, "ruling": ruling, "alike": [*self.alike]}


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where table and record disagree, in words a player understands."""

    sentence: str
    region: str
    place: str = ""
    """The square or place by its name, where it has one."""
    piece: str = ""
    """The piece that the record expects, by its name in the layout; empty for one that is too many."""
    ref: str = ""
    """What the eye calls the sighting, where there is one."""

    def to_json(self) -> JsonObject:
        """The difference as plain data."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Revision:
    """A step of the record that must have been another move that looks the same."""

    steps: int
    """How many steps back it lies; 1 is the last step of the history."""
    text: str
    """The move or fact as it must have been."""
    alike: tuple[str, ...] = ()
    """What else it may have been, first what the record has: what comes next may show that after all."""


@dataclass(frozen=True, slots=True)
class Nothing:
    """The table is as the record says."""

    kind: ClassVar = "nothing"
    doubts: tuple[Difference, ...] = ()
    """Pieces that lie where they should and do not look as they should: misread, it is believed."""
    remark: str = ""
    """What players should know all the same."""

    @property
    def sentence(self) -> str:
        """The outcome in words."""
        return "Nothing has changed."


@dataclass(frozen=True, slots=True)
class Ruled:
    """The moves and facts that lead from the record to this table, one after another.

    All but the last move are allowed; only the last may be refused. Facts stand where they were seen.
    """

    kind: ClassVar = "ruled"
    happened: tuple[Happened, ...]
    margin: float
    """By how much this explanation is ahead of the next, as a log-likelihood; as an answer to a question, how
    far it is behind the likeliest by what was done, whatever the table looks like."""
    doubts: tuple[Difference, ...] = ()
    """Pieces that lie where they should and do not look as they should: misread, it is believed."""
    revised: tuple[Revision, ...] = ()
    """Steps of the record to correct first (``History.correct``): nobody could see which of two equal
    dice was used, or who of two fired, or what a die showed, until this told. Where nothing happened since,
    they are all there is."""
    places: Mapping[str, Lay] = field(default_factory=dict, compare=False, repr=False)
    """Where pieces without places of their own lie then, as far as that was seen."""
    more: bool = False
    """Whether more was done since, or read there, and is in doubt: it is asked about once this counts."""

    @property
    def alike(self) -> tuple[str, ...]:
        """Other moves and facts that one of these may have been."""
        return tuple(text for one in self.happened for text in one.alike)

    @property
    def doubted(self) -> bool:
        """Whether something that was read here may be otherwise."""
        return any(one.alike and one.kind == "fact" for one in self.happened)

    @property
    def ruling(self) -> Ruling | None:
        """The ruling on the last move; None where only facts were seen."""
        return next((one.ruling for one in reversed(self.happened) if one.ruling is not None), None)

    @property
    def refused(self) -> bool:
        """Whether the last move is not allowed."""
        return self.ruling is not None and self.ruling.status is Status.ILLEGAL

    @property
    def state(self) -> State | None:
        """The state afterwards; of a refused move the one if it stood, None where it cannot be known."""
        return self.happened[-1].state if self.happened else None

    @property
    def sentence(self) -> str:
        """The outcome in words."""
        told = "; ".join(one.text for one in self.happened)
        if not told:
            told = "; ".join(f"it was {one.text}" for one in self.revised)
        return told if self.ruling is None else f"{told}: {self.ruling.status}. {self.ruling.reason}"


@dataclass(frozen=True, slots=True)
class TakeBack:
    """The table is as it was earlier: the last ``steps`` steps of the history were taken back."""

    kind: ClassVar = "take-back"
    steps: int
    state: State = field(repr=False)
    sentence: str
    more: bool = False
    """Whether something else was done since: the table shows it once this counts."""


@dataclass(frozen=True, slots=True)
class Instead:
    """Steps of the history were never made, and perhaps something else was: only people can say so."""

    kind: ClassVar = "instead"
    undone: tuple[int, ...]
    """How many steps back each of them lies; 1 is the last step of the history."""
    happened: tuple[Happened, ...]
    """What was done besides, one after another; all of it is allowed."""
    state: State = field(repr=False)
    """The state then."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One answer to a question: its words, and the outcome if it is chosen."""

    text: str
    outcome: Ruled | TakeBack | Nothing | Instead


@dataclass(frozen=True, slots=True)
class Question:
    """Two or more explanations are too close to choose between them; a player says which it was."""

    kind: ClassVar = "question"
    sentence: str
    choices: tuple[Choice, ...]
    """The likeliest first."""


@dataclass(frozen=True, slots=True)
class Incomplete:
    """A move has begun and is not finished: a piece was lifted, or something that must be seen is not yet.

    ``happened`` holds what is certain already (nothing, as a rule); it need not be acted on.
    """

    kind: ClassVar = "incomplete"
    sentence: str
    happened: tuple[Happened, ...] = ()
    differences: tuple[Difference, ...] = ()


@dataclass(frozen=True, slots=True)
class OutOfStep:
    """No continuation explains the table; nothing is acted on until table and record agree again."""

    kind: ClassVar = "out of step"
    differences: tuple[Difference, ...]
    choices: tuple["Choice", ...] = ()
    """What may have been missed, or written down and never done, the likeliest first: too far from what is
    seen to be told, and a person may know."""

    @property
    def sentence(self) -> str:
        """The outcome in words."""
        return "Table and record disagree: " + " ".join(one.sentence for one in self.differences)


@dataclass(frozen=True, slots=True)
class Unreadable:
    """The camera's failure, not a player's: something that the verdict hangs on was not seen."""

    kind: ClassVar = "unreadable"
    rule: str
    """An id ``OBS-…``."""
    sentence: str
    differences: tuple[Difference, ...] = ()


Verdict: TypeAlias = Nothing | Ruled | Question | Incomplete | OutOfStep | TakeBack | Unreadable


def is_sound(verdict: Verdict | Instead) -> bool:
    """Whether it says, or asks, that nothing was done or something that is allowed."""
    if isinstance(verdict, Question):
        return any(isinstance(one.outcome, Ruled) and is_sound(one.outcome) for one in verdict.choices)
    return isinstance(verdict, Nothing) or (isinstance(verdict, Ruled) and not verdict.refused)
