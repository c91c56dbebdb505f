"""What an eye needs, as small interfaces: each part can be another one, in a test or on another machine."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from device.answer_places import KnownMat
from device.journal.ruling_pictures import Outline
from engine.history import History
from engine.layout import Layout
from engine.matching import Question, Verdict
from engine.matching.answered import ShownPieces
from engine.scene import Scene, Sighting
from vision.pieces.known_signs import Sign
from vision.sheet_scene import SeenMap
from vision.view import Box, Look, SeenArm, TableView

Picture: TypeAlias = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Shot:
    """One frame: its number, when it was taken, and its pixels (blue, green, red)."""

    number: int
    at_s: float
    picture: Picture
    relit: bool = False
    """Whether the camera's exposure was changed since the shot before, which is then no other light."""


@dataclass(frozen=True, slots=True)
class Away:
    """There is no frame; the source goes on trying."""

    why: str = ""
    """Why the camera counts as away; empty while that may only be a slow frame."""
    is_busy: bool = False
    """Whether it starts, or says that it does something else first, such as focusing: no fault is known."""


class Source(Protocol):
    """Where frames come from."""

    recorded: bool
    """Whether time is that of a recording: then no frame is left out, and the source ends."""

    def next(self, timeout_s: float) -> Shot | Away | None:
        """The next frame, or why there is none within this time; None where the recording has ended."""

    def close(self) -> None:
        """Let go of it; never waits long."""


@dataclass(frozen=True, slots=True)
class Vitals:
    """How a camera is, for whoever asks after its health."""

    age_s: float
    """How long ago the last new frame came; before the first, how long it has been waited for."""
    restarts: int
    fps: float
    words: str
    """Why it gives no picture, or else what it was asked for."""


MOST_SHARE = 1e3
"""As large as can be."""


@runtime_checkable
class Enlarging(Protocol):
    """A source that may have larger pictures than those that are watched."""

    def ask_large(self, count: int = 1, share: float = MOST_SHARE) -> bool:
        """Ask for its next pictures larger, too, by ``share`` or as far as it has them; whether it has any.

        Those asked for before are dropped.
        """

    def came_large(self) -> Sequence[Shot]:
        """Those that have come since; never waits."""


class Viewing(Protocol):
    """Keeps the one picture of the table: ``vision.view.TableWatch``."""

    def see(
        self, picture: Picture, at_s: float, *, steady: bool | None, relit: bool,
        arms: Callable[[Look], Sequence[SeenArm]],
    ) -> Look:  # fmt: skip
        """What the next frame shows."""

    def table(self, lying: Callable[[], Sequence[Box]]) -> TableView | None:
        """The table as it can be read now, if it can."""

    def shows(self, picture: Picture) -> bool:
        """Whether a picture of any size shows the table as it is settled."""

    def lose(self) -> None:
        """There were no frames for a while."""


@dataclass(frozen=True, slots=True)
class Strange:
    """A place where the table changed, and nothing that was read explains it."""

    box: Box
    region: str


@dataclass(frozen=True, slots=True)
class Seen:
    """What was read in a settled picture."""

    scene: Scene
    marks: tuple[Outline, ...] = ()
    strange: tuple[Strange, ...] = ()
    remark: str = ""
    """What is amiss with all of the table, and what to do about it: markers of another size."""
    maps: tuple[SeenMap, ...] = field(default=(), repr=False, compare=False)
    """The Duel's maps as they were seen."""
    signs: Mapping[str, Sign] = field(default_factory=dict, repr=False, compare=False)
    """What the game's dice look like, by the ``ref`` of each."""
    record: Layout | None = None
    """What lies there by the record, once both agree."""
    shown: ShownPieces = field(default_factory=ShownPieces, repr=False, compare=False)
    """What the record's last facts showed."""
    mat: KnownMat | None = field(default=None, repr=False, compare=False)


@dataclass(frozen=True, slots=True)
class Glimpse:
    """The newest frame with what was made of it, for whoever wants to see it."""

    shot: Shot
    look: Look | None = None
    marks: tuple[Outline, ...] = ()
    """What was read when the table was read last."""
    odd: tuple[Outline, ...] = ()
    """What of it lies otherwise than the record says."""


class Reader(Protocol):
    """Turns pictures into scenes."""

    def steady(self, picture: Picture, at_s: float) -> bool | None:
        """Follows where the table is, frame by frame: whether its markers are in place, if they tell."""

    def arms(self, look: Look) -> Sequence[SeenArm]:
        """The arms over the table, each with whose it is as far as that is told by where it comes in."""

    def larger(self) -> float:
        """By how much larger pictures than those that are watched are read better; 1 if these do."""

    def read(self, table: TableView, before: Seen | None = None) -> Seen | str:
        """What lies on the table, or the sentence that says why it cannot be read.

        Its picture may be larger than those that are watched. What lay there ``before``, when table and
        record agreed, is looked for again where it is missed.
        """


class Following(Protocol):
    """Holds a scene against the record: ``engine.matching.Follower``."""

    def see(self, scene: Scene) -> Verdict:
        """What happened."""

    def after(self, history: History, scene: Scene | None, before: Scene | None = None) -> Any:
        """The follower of a game that has changed; by what people said who had a table ``before`` them."""

    def at(self, scene: Scene | None) -> Any:
        """The follower of the same game that knows where pieces lie."""

    def agreed(self, scene: Scene) -> Any:
        """The same once table and record agree: what lies beside the game is no news from then on."""

    def shown(self) -> ShownPieces:
        """What the last facts showed, but for what was read in doubt."""

    def asking(self, question: Question, scene: Scene | None = None) -> Any:
        """The follower of the same game that knows what was asked."""


class Starter(Protocol):
    """Finds a beginning of a game on the table: a value, of which each table makes another."""

    def begin(self, scene: Scene) -> "Begun":
        """The game that the table shows the set-up of, or sentences about what it lacks."""

    def doubt(self) -> str:
        """What could not be told of the game that was begun, for those who watch; empty if nothing."""

    def stains(self) -> Sequence[Sighting]:
        """What of the table on which the game began is no piece, though it looks a little like one."""

    def puzzled(self) -> bool:
        """Whether the last scene was left aside, in the hope that the next one explains what was done."""

    def last(self) -> "tuple[Starter, History | None]":
        """No more scenes come: the game that could have been begun, if one could."""

    def adopt(self, scene: Scene) -> "Begun":
        """A game that begins with the table as it is, or sentences about why it cannot."""

    def take_up(self, scene: Scene, game: History, follower: Following, verdict: Verdict) -> "Begun":
        """The game as it goes on from the table as it is, of which this is the verdict; or why it cannot."""


Begun: TypeAlias = tuple[Starter, History | Sequence[str]]
"""The starter that has seen a table, and the game that begins, or why none does."""
