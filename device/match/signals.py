"""All that can reach a match."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeAlias

from device.journal.events import Picture
from device.match.shown import ShownTable
from engine.history import History
from engine.matching import (
    Incomplete,
    Nothing,
    OutOfStep,
    Question,
    Ruled,
    TakeBack,
    Unreadable,
    Verdict,
)
from engine.plain import JsonObject
from engine.scene import Sighting


class Kind(StrEnum):
    """The kinds of signals, as the transition table tells them apart."""

    # what the table shows
    SET_UP = "set up"
    LACKING = "lacking"
    NOTHING = "nothing"
    LEGAL = "legal"
    REFUSED = "refused"
    QUESTION = "question"
    INCOMPLETE = "incomplete"
    TAKE_BACK = "take-back"
    DIFFERENT = "different"
    UNREADABLE = "unreadable"
    # what the gate and the camera say
    HAND = "hand"
    FREE = "free"
    BLIND = "blind"
    LOST = "lost"
    FAILED = "failed"
    # what people do
    CONFIRM = "confirm"
    UNDO = "undo"
    PAUSE = "pause"
    CHOOSE = "choose"
    PUT_BACK = "put back"
    LET_STAND = "let stand"
    MISREAD = "misread"
    AS_IT_IS = "as it is"
    BRING_BACK = "bring back"
    WITHDRAW = "withdraw"
    TYPED = "typed"
    SCORED = "scored"
    # what else happens
    KEPT = "kept"
    NOT_KEPT = "not kept"
    TIME = "time"


@dataclass(frozen=True, slots=True)
class Saw:
    """The verdict on the settled table, held against the game with this many changes."""

    kind: Kind
    verdict: Verdict = field(repr=False)
    version: int
    """Which version of the game it was held against; a verdict on an older one says nothing."""
    stood: bool = False
    """Whether the players played on from the refused move, as if it stood."""
    pictures: tuple[Picture, ...] = field(default=(), repr=False)
    view: int = 0
    """The gate's number of the settled view: another number is a table that may have changed."""
    hands: bool = False
    """Whether another's hand is over the table still."""
    shown: ShownTable | None = field(default=None, repr=False, compare=False)
    """The picture that was read, if it is known where the places of the table are in it."""


@dataclass(frozen=True, slots=True)
class SetUp:
    """The table shows a set-up from which a game can begin, or that it is to go on from."""

    game: History = field(repr=False)
    pictures: tuple[Picture, ...] = field(default=(), repr=False)
    stains: tuple[Sighting, ...] = field(default=(), repr=False)
    """What looks a little like a piece and is none: should the match be stopped, the eye must know."""
    words: str = ""
    """What nobody can know of a table that was taken as it is."""
    kind: Kind = Kind.SET_UP


@dataclass(frozen=True, slots=True)
class Told:
    """A signal that has words or a number with it, or nothing at all.

    LACKING: what the set-up lacks. BLIND, LOST, FAILED, NOT_KEPT: why. TYPED: the line. CHOOSE: the number
    of the choice, from 0. CONFIRM, LET_STAND, AS_IT_IS, BRING_BACK, WITHDRAW: the player, or 0 for
    nobody.
    KEPT: how many events, and what is missing of them, if anything.
    """

    kind: Kind
    words: str = ""
    number: int = 0
    key: str = ""
    """What was shown to whoever pressed (``Match.key``); empty where nobody can say."""


@dataclass(frozen=True, slots=True)
class Scored:
    """The players' sheets as they were read and, where needed, corrected: what they are worth."""

    words: str
    body: JsonObject = field(hash=False, repr=False)
    pictures: tuple[Picture, ...] = field(default=(), repr=False)
    kind: Kind = Kind.SCORED


Signal: TypeAlias = Saw | SetUp | Told | Scored

_KINDS: Mapping[type[Verdict], Kind] = {
    Nothing: Kind.NOTHING,
    Question: Kind.QUESTION,
    Incomplete: Kind.INCOMPLETE,
    OutOfStep: Kind.DIFFERENT,
    TakeBack: Kind.TAKE_BACK,
    Unreadable: Kind.UNREADABLE,
}


def saw(
    verdict: Verdict,
    version: int,
    *,
    stood: bool = False,
    pictures: Sequence[Picture] = (),
    view: int = 0,
    hands: bool = False,
    shown: ShownTable | None = None,
) -> Saw:
    """The signal for a verdict."""
    if isinstance(verdict, Ruled):
        kind = Kind.REFUSED if verdict.refused else Kind.LEGAL
    else:
        kind = _KINDS[type(verdict)]
    return Saw(kind, verdict, version, stood, tuple(pictures), view, hands, shown)
