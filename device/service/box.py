"""The box as a value: in its lobby, or at a match. ``step`` is all that can happen to it.

The threads around it (``host``) bring what happened and carry out what is ordered; nothing here waits,
reads a clock or opens anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Final, Literal, TypeAlias

from device.match.signals import Kind

Confirm: TypeAlias = Literal["auto", "button"]
By: TypeAlias = Literal["camera", "hand", "virtual"]
"""How moves are told: seen by the camera, typed, or seen on the virtual table."""

STEADY_S: Final = 60.0
"""A match that broke after so long is opened again by itself; a sooner one would only break again."""

BUSY = "A match is going on: leave it first."
_CLOSING = "The match is just being closed."
_NO_MATCH = "No match is going on."


class Place(StrEnum):
    """Where the box is."""

    LOBBY = "lobby"
    MATCH = "match"
    ENDING = "ending"


@dataclass(frozen=True, slots=True)
class Seating:
    """What is agreed before a match, also how it is told."""

    game: str
    players: tuple[str, str] = ("player 1", "player 2")
    confirm: Confirm = "auto"
    by: By = "camera"
    profile: str = "default"
    camera: str = ""
    """Which camera sees it; empty for the one of the settings."""
    pieces: str = ""
    """Which set of people's own pieces is played with; empty for ordinary ones."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A match that is wanted: a new one by its seating, or one that is kept by its name."""

    seating: Seating | None = None
    name: str = ""


# — what happens —


@dataclass(frozen=True, slots=True)
class Want:
    """Somebody wants a match; the box itself does after a restart."""

    wanted: Wanted


@dataclass(frozen=True, slots=True)
class Leave:
    """Somebody leaves the match; it can be gone on with unless it is over."""


@dataclass(frozen=True, slots=True)
class TryCamera:
    """Somebody wants the camera to be tried again."""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button of the table was pressed while no match goes on."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class Opened:
    """The match is open, and this is its name and what is agreed."""

    name: str
    seating: Seating


@dataclass(frozen=True, slots=True)
class Over:
    """The game of the match is over, or goes on after all."""

    over: bool


@dataclass(frozen=True, slots=True)
class Closed:
    """The match is closed; ``words`` say why if nobody wanted it, ``broke`` whether by an error of ours."""

    words: str = ""
    broke: bool = False


@dataclass(frozen=True, slots=True)
class Rested:
    """The box has run for a while without a crash."""


@dataclass(frozen=True, slots=True)
class Quit:
    """The box is to stop; a match that goes on is gone on with after the next start."""


Input: TypeAlias = Want | Leave | TryCamera | Pressed | Opened | Over | Closed | Rested | Quit


# — what is ordered —


@dataclass(frozen=True, slots=True)
class Open:
    """Open this match; without ``sight`` moves are told by hand."""

    wanted: Wanted
    sight: bool


@dataclass(frozen=True, slots=True)
class Close:
    """Close the match; ``left`` if it is not to be gone on with by itself."""

    left: bool


@dataclass(frozen=True, slots=True)
class Forgive:
    """Forget the crashes."""


@dataclass(frozen=True, slots=True)
class OnceMore:
    """Want the match that is most likely wanted: one to go on with, else the last one's game anew."""


@dataclass(frozen=True, slots=True)
class Exit:
    """End the process."""


Duty: TypeAlias = Open | Close | Forgive | OnceMore | Exit


@dataclass(frozen=True, slots=True)
class Standing:
    """How the box stands."""

    place: Place = Place.LOBBY
    sight: bool = True
    """Whether the camera may be used: not after three crashes in ten minutes."""
    wanted: Wanted | None = None
    """The match that is open."""
    unseen: bool = False
    """Whether it was opened without the camera; it stays so until it is opened anew."""
    over: bool = False
    """Whether its game is over, and only its last page is shown."""
    opened_s: float = 0.0
    then: Wanted | None = None
    """The match that is opened once this one is closed: one that somebody wants meanwhile, or itself."""
    stopping: bool = False
    words: str = field(default="", compare=False)
    """What became of the last wish, where it was not granted."""

    @property
    def blind(self) -> bool:
        """Whether a match is open that was meant to have the camera, and has none after crashes."""
        seating = self.wanted.seating if self.wanted else None
        return self.place is Place.MATCH and self.unseen and seating is not None and seating.by == "camera"

    @property
    def degraded(self) -> bool:
        """Whether box or match run without the camera that they could have."""
        return not self.sight or self.blind


Answer: TypeAlias = tuple[Standing, Sequence[Duty]]


def step(box: Standing, said: Input, now: float) -> Answer:
    """What becomes of the box by this, and what is to be done."""
    if isinstance(said, Quit):
        return _stopped(box)
    if isinstance(said, Rested):
        return (box, ()) if box.sight else (replace(box, sight=True), (Forgive(),))
    if isinstance(said, TryCamera):
        return _tried(box)
    return _AT[box.place](box, said, now)


def _stopped(box: Standing) -> Answer:
    if box.place is Place.LOBBY:
        return replace(box, stopping=True), (Exit(),)
    closing: Sequence[Duty] = (Close(left=False),) if box.place is Place.MATCH else ()
    return replace(box, place=Place.ENDING, stopping=True, then=None), closing


def _tried(box: Standing) -> Answer:
    """The camera may be used again; a match that was meant to have it is opened anew with it."""
    seen = replace(box, sight=True, words="")
    if box.blind:
        return replace(seen, place=Place.ENDING, then=box.wanted), (Forgive(), Close(left=False))
    return seen, (Forgive(),)


def _in_lobby(box: Standing, said: Input, now: float) -> Answer:
    if isinstance(said, Want):
        return _opening(box, said.wanted, now)
    if isinstance(said, Pressed):
        if said.kind is Kind.CONFIRM:
            return box, (OnceMore(),)
        if said.kind is Kind.UNDO and box.degraded:
            return _tried(box)
    return (replace(box, words=_NO_MATCH), ()) if isinstance(said, Leave) else (box, ())


def _at_match(box: Standing, said: Input, now: float) -> Answer:
    if isinstance(said, Want):
        return replace(box, words=BUSY), ()
    if isinstance(said, Leave):
        return replace(box, place=Place.ENDING, words=""), (Close(left=True),)
    if isinstance(said, Opened):
        return replace(box, wanted=Wanted(said.seating, said.name), opened_s=now), ()
    if isinstance(said, Over):
        return replace(box, over=said.over), ()
    if isinstance(said, Closed):
        if said.broke and box.wanted is not None and box.wanted.name and now - box.opened_s >= STEADY_S:
            return _opening(box, box.wanted, now)
        return _to_lobby(box, said.words), ()
    return box, ()


def _at_the_end(box: Standing, said: Input, now: float) -> Answer:
    if isinstance(said, Closed):
        if box.stopping:
            return box, (Exit(),)
        if box.then is None:
            return _to_lobby(box, said.words), ()
        opening, duties = _opening(box, box.then, now)
        return replace(opening, words=box.words), duties
    return _meanwhile(box, said) if isinstance(said, Want | Leave) else (box, ())


def _meanwhile(box: Standing, said: Want | Leave) -> Answer:
    """People see the lobby before a match has quite closed. What they want then comes to the same as a moment
    later: a match that is wanted waits, another one finds the box busy, and one that waits can be left."""
    if box.stopping:
        return replace(box, words=_CLOSING), ()
    if isinstance(said, Want):
        after = replace(box, then=said.wanted, words="") if box.then is None else replace(box, words=BUSY)
        return after, ()
    if box.then is None:
        return replace(box, words=_CLOSING), ()
    return replace(box, then=None, words=""), (Close(left=True),)


_AT = {Place.LOBBY: _in_lobby, Place.MATCH: _at_match, Place.ENDING: _at_the_end}


def _opening(box: Standing, wanted: Wanted, now: float) -> Answer:
    at_match = Standing(Place.MATCH, box.sight, wanted, unseen=not box.sight, opened_s=now)
    return at_match, (Open(wanted, box.sight),)


def _to_lobby(box: Standing, words: str) -> Standing:
    return Standing(Place.LOBBY, box.sight, words=words)
