"""What a match knows, and what it asks of those who run it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import Literal, TypeAlias

from device.journal.events import Draft, Picture
from device.match.phase import Phase
from device.match.shown import Crop, ShownTable
from device.match.signals import Kind
from engine.book import AnyRuleBook, State
from engine.history import History, Step

_TIMELESS = (Phase.PAUSED, Phase.CAMERA_LOST, Phase.FINISHED)
"""Phases in which nothing happens by itself."""

UNSEEN = -1
"""The number of no view."""


@dataclass(frozen=True, slots=True)
class Manners:
    """How the players want to be refereed."""

    confirm: Literal["auto", "button"] = "auto"
    """Whether a move counts by itself or when somebody confirms it."""
    calm_s: float = 1.5
    """How long a move that was seen must lie undisturbed before it counts by itself."""
    lost_after_s: float = 3.0
    """How long the picture may be black, frozen or shaken before the match goes on by hand."""

    def __post_init__(self) -> None:
        if not 0 <= self.calm_s <= 60:
            raise ValueError("calm_s should be between 0 and 60")
        if not 0.5 <= self.lost_after_s <= 60:
            raise ValueError("lost_after_s should be between 0.5 and 60")


@dataclass(frozen=True, slots=True)
class Pending:
    """A change of the game that has been seen and not yet counted."""

    game: History
    """The game as it would be."""
    due: float | None
    """When it counts by itself, or None where somebody must confirm it."""
    pictures: tuple[Picture, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """One answer to a question."""

    words: str
    game: History
    """The game if this was it."""
    crop: Crop | None = field(default=None, repr=False, compare=False)
    """The camera's picture of where it lies, if that is known."""


@dataclass(frozen=True, slots=True)
class Match:
    """Everything a match knows. It never changes; every signal makes a new one."""

    phase: Phase = Phase.SETTING_UP
    manners: Manners = field(default_factory=Manners)
    blank: History | None = None
    """The game before anything was seen, for those who begin it by hand."""
    game: History | None = None
    """The game as it counts: every entry of it is in the journal or among the unsaved."""
    version: int = 0
    """How often the eye was asked to look anew: a verdict for another version says nothing."""
    pending: Pending | None = None
    options: tuple[Option, ...] = ()
    """The answers to the question that is asked."""
    asked: tuple[Picture, ...] = field(default=(), repr=False)
    """The pictures that the question rests on."""
    shown: ShownTable | None = field(default=None, repr=False, compare=False)
    """The table as it was read last, where somebody sees it."""
    adopting: bool = False
    """Whether the players want the table to be taken as it is, and it has not been yet."""
    view: int = 0
    """The number of the settled view that was read last, or ``UNSEEN`` where none was since a restart."""
    settled_question: str = ""
    """The question answered last, until anybody may have moved: the same table does not ask it again."""
    refused: bool = False
    """Whether the last move was refused, counts as such, and may still lie on the table."""
    noted: Pending | None = None
    """How the game goes on from the refused move by whoever made it: it counts once the other one agrees."""
    wish: Kind | None = None
    """What both are asked to agree to, LET_STAND, AS_IT_IS or BRING_BACK, and have not yet."""
    bringing: str = ""
    """The typed line that would bring back what both had agreed to."""
    agreed: frozenset[int] = frozenset()
    """The players who have agreed to it."""
    wished: tuple[str, ...] = ()
    """What differed, in sentences, when the first of them did: they have agreed to no other table."""
    ahead: bool = False
    """Whether people changed the record, and the table has not been seen to agree with it since."""
    withdrawn: frozenset[str] = frozenset()
    """What people took back that may still lie on the table."""
    camera: bool = True
    by_hand: bool = False
    """Whether it is played without a camera on purpose: all that happens is told, nothing is waited for."""
    blind: tuple[float, str] | None = None
    """Since when the picture shows nothing, and why."""
    unsaved: tuple[Draft, ...] = ()
    """Events that the journal has not yet said are on the disk."""
    words: str = ""
    """The sentence of this moment."""
    places: tuple[str, ...] = ()
    """What differs, or lacks, in sentences."""
    differs: tuple[tuple[str, str], ...] = ()
    """The same as piece and place, by their names; either may be empty."""
    problem: str = ""
    """What keeps the match from going on: the journal cannot be written."""
    unanswered: str = ""
    """The question that was asked last, until it is answered, denied or of no matter any more."""
    denied: int = 0
    """How often people said that it was none of what they were asked about."""
    answered: str = ""
    """What has answered the last question though nobody did, until the next change of the game."""
    notice: str = ""
    """The answer to the last thing that people asked for and could not be done."""
    heard: tuple[int, str] = (0, "")
    """How many typed lines were heard, and what was wrong with the last of them."""

    @property
    def saved(self) -> bool:
        """Whether everything that counts is on the disk."""
        return not self.unsaved

    @property
    def key(self) -> str:
        """A name for what people are asked to confirm or choose: it tells a press that is too late."""
        known = self.game.entries if self.game else ()
        if self.options:
            about = [option.words for option in self.options]
        else:
            if self.pending is not None:
                fresh = self.pending.game.entries[len(known) :]
            else:
                fresh = known[-1:] if self.refused else ()
                fresh += self.noted.game.entries[len(known) :] if self.noted else ()
                known = known[:-1] if self.refused else known
            about = [f"{one.target} {one.happened.text if one.happened else ''}" for one in fresh]
        return sha256("\n".join([str(len(known)), *about]).encode()).hexdigest()[:16]

    @property
    def due(self) -> float | None:
        """When something happens by itself, if anything does."""
        if self.phase in _TIMELESS:
            return None
        if self.blind is not None:
            return self.blind[0] + self.manners.lost_after_s
        return self.pending.due if self.pending else None

    @property
    def stood(self) -> History | None:
        """The game as it would be if the refused move stood, with what was noted since; None if it cannot."""
        if not self.refused or self.game is None:
            return None
        game = self.noted.game if self.noted else self.game
        last = game.steps[-1]
        refused = last.ruling is not None and not last.ruling.allowed and not last.stands
        return if_it_stood(game) if refused else game

    @property
    def accused(self) -> int:
        """Whose the refused move is that is last in the record; 0 where that is not known."""
        if not self.refused or self.game is None:
            return 0
        before = self.game.steps[-2].state if len(self.game.steps) > 1 else self.game.first
        return made_by(self.game.book, before, self.game.steps[-1])

    @property
    def both(self) -> tuple[Kind | None, frozenset[int]]:
        """What both are asked to agree to, and who has: whoever plays on from their own refused move has."""
        if self.noted is None or self.wish not in (None, Kind.LET_STAND):
            return self.wish, self.agreed
        return Kind.LET_STAND, self.agreed | {self.accused} - {0}


def made_by(book: AnyRuleBook, before: State, step: Step) -> int:
    """Whose a move is: as it says itself, else of whoever alone was to move; 0 where that is not known."""
    movers = book.movers(before)
    return book.parse(step.happened.text).player or (movers[0] if len(movers) == 1 else 0)


def if_it_stood(game: History) -> History | None:
    """The game as it would be if the refused move that is last in it stood, or None where it cannot."""
    try:
        return game.stand("the players played on")
    except ValueError:
        return None


@dataclass(frozen=True, slots=True)
class Keep:
    """Write these events, and say so with KEPT."""

    drafts: tuple[Draft, ...]
    again: bool = False
    """Whether they could not be written before, nor anything that was to be written after them."""


@dataclass(frozen=True, slots=True)
class TakeAsItIs:
    """Make a game from the table as it is, and say so with a SetUp."""


Order: TypeAlias = Keep | TakeAsItIs
"""What a match asks of those who run it. That the eye must follow the game is seen by its version."""


@dataclass(slots=True)
class Course:
    """A match on its way through one signal: what it becomes, and what it orders."""

    match: Match
    now: float
    orders: list[Order] = field(default_factory=list)

    def become(self, phase: Phase, words: str = "", places: Sequence[str] = ()) -> None:
        """Enter a phase with nothing pending in it."""
        self.match = replace(
            self.match, phase=phase, words=words, places=tuple(places), pending=None, options=(), asked=(),
            notice="", differs=(),
        )  # fmt: skip

    def change(self, **fields: object) -> None:
        """The match with other fields."""
        self.match = replace(self.match, **fields)  # type: ignore[arg-type]

    def refuse(self, words: str) -> None:
        """A line that was typed says nothing that could be, for this reason."""
        self.change(notice=words, heard=(self.match.heard[0], words))

    def keep(self, drafts: Sequence[Draft]) -> None:
        """Have these events written."""
        if drafts:
            self.change(unsaved=(*self.match.unsaved, *drafts))
            self.orders.append(Keep(tuple(drafts)))

    def play(self, game: History) -> None:
        """From now on this is the game that counts."""
        last = game.steps[-1] if game.steps else None
        refused = last is not None and last.ruling is not None and not last.ruling.allowed and not last.stands
        self.change(
            game=game, refused=refused, settled_question="", wish=None, agreed=frozenset(), noted=None,
            bringing="", unanswered="", answered="",
        )  # fmt: skip
        self.look_anew()

    def look_anew(self) -> None:
        """Have the table read again, even if it has not changed."""
        self.change(version=self.match.version + 1)
