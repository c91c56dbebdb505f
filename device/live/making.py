"""How a match is put together: the one place for it, for a command as for a box."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from calibration.marker_side import MARKER_MM
from calibration.profiles import UNKNOWN_CAMERA, CameraProfile
from device.cameras.virtual import VirtualTable
from device.journal.game import game_in
from device.journal.store import Journal
from device.live.eye import Eye
from device.live.ports import Reader, Source
from device.live.referee_thread import Teller
from device.live.running import NO_CAMERA, Running, Screen
from device.live.starting import Agreed, terms_of
from device.live.stopwatch import Stopwatch
from device.live.wiring import eye_for
from device.match.match import Match
from device.match.remembered import remembered
from device.match.resuming import resumed
from device.settings import Settings
from engine import BadRecord, BadSetup
from engine.history import History
from engine.plain import BadData
from vision.pieces.looks import Looks

UNREADABLE = (BadRecord, BadSetup, BadData)
"""What a record, a set-up or a note of a journal raises that another program wrote, or none at all."""


@dataclass(frozen=True)
class Seeing:
    """How the table is seen."""

    source: Source | None = None
    """Where frames come from; without one moves are told by hand."""
    joins: bool = False
    """Whether a game in progress is taken up unasked."""
    camera: CameraProfile = UNKNOWN_CAMERA
    looks: Looks | None = None
    marker_mm: float = MARKER_MM
    goes_on: bool = False
    """Whether the match was stopped before: what was in mind then is taken up again."""
    watch: Stopwatch | None = None
    """Who times what the eye does."""
    reader: Reader | None = None
    """Whoever reads the table, where that is not the one that reads pictures of mats."""


@dataclass(frozen=True)
class Company:
    """Who is there besides the match: those who are told, and those who watch over it."""

    tellers: Sequence[Teller] = ()
    screens: Sequence[Screen] = ()
    beat: Callable[[], None] | None = None
    """Called at each turn of the referee's loop."""
    blind: str = NO_CAMERA
    """Why there is no source, in a sentence for the players."""
    settings: Settings = field(default_factory=Settings)


def unfinished(path: Path) -> History | None:
    """The game of a journal if it can be gone on with; raises JournalError or one of ``UNREADABLE``."""
    with Journal(path) as journal:
        game = game_in(journal.events)
    return None if game is None or game.outcome is not None else game


def fresh(terms: Agreed, settings: Settings, by_hand: bool = False) -> Match:
    """A match of which nothing has been seen yet."""
    return Match(manners=settings.manners, blank=terms.blank(), by_hand=by_hand, camera=not by_hand)


def gone_on(game: History, journal: Journal, settings: Settings, by_hand: bool = False) -> Match:
    """The match of a journal, as it was left."""
    return resumed(fresh(terms_of(game), settings, by_hand), game, journal.events)


def put_together(match: Match, journal: Journal, sight: Seeing, company: Company) -> Running:
    """The match with everything around it, ready to run."""
    source, eye = sight.source, _eye(match, journal, sight)
    tellers = list(company.tellers)
    if sight.watch is not None and source is not None:
        source, tellers = sight.watch.source(source), [*tellers, sight.watch]
    running = Running(
        match, journal, source=source, eye=eye, settings=company.settings, tellers=tellers,
        screens=company.screens, beats=company.beat, blind=company.blind,
    )  # fmt: skip
    if isinstance(sight.source, VirtualTable):
        sight.source.sit_down(running.desk)
    return running


def _eye(match: Match, journal: Journal, sight: Seeing) -> Eye | None:
    """The eye of the match, which knows what was in mind when the match was stopped."""
    if sight.source is None:
        return None
    terms = terms_of(match.game or blank_of(match))
    eye = eye_for(
        terms, joins=sight.joins, watch=sight.watch, camera=sight.camera, looks=sight.looks,
        marker_mm=sight.marker_mm, source=sight.source, reader=sight.reader,
    )  # fmt: skip
    if sight.goes_on:
        eye.wake()  # nobody has looked since the match was stopped
    if sight.goes_on and match.game is not None:
        eye.go_on(remembered(match.game, journal.events))
    return eye


def blank_of(match: Match) -> History:
    """The game of a match before anything was seen of it."""
    assert match.blank is not None  # every match that is put together here has one
    return match.blank
