"""One match of the box, from its journal to its end."""

import gc
import sys
import tempfile
import traceback
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Final

from calibration.camera_errors import BadProfileFile
from calibration.marker_side import MARKER_MM
from calibration.profiles import UNKNOWN_CAMERA, CameraProfile
from device.cameras.naming import called_now, missing_camera
from device.cameras.virtual import VirtualSeats
from device.folders import new_match, runtime_folder
from device.journal.game import game_in
from device.journal.leaving import leave, take_up
from device.journal.readable import readable_match
from device.journal.store import Journal, JournalError, forget_empty
from device.keeping.caretaker import kept_journal
from device.live.making import UNREADABLE, Company, Seeing, fresh, gone_on, put_together
from device.live.ports import Source
from device.live.referee_thread import Teller
from device.live.running import Running, Screen
from device.live.source_name import SourceName
from device.live.starting import Agreed
from device.live.wiring import open_source
from device.match.match import Match
from device.match.phase import Phase
from device.own_pieces import own_set
from device.service.beats import Pulse
from device.service.box import Closed, Input, Open, Opened, Over, Seating
from device.service.kept_camera import KeptCamera
from device.service.own_lens import box_lens, doubt_about, lens_of_usual, usual_camera
from device.service.shelf import forget_unbegun, seated, seating_in
from device.service.timings import Timings
from device.settings import Settings
from device.spare_memory import give_back
from engine import PipwatchError
from engine.forgetting import forget_answers
from simulation.makes import ORDINARY
from simulation.temper import Temper
from vision.pieces.looks import Looks

OPENING_S: Final = 60.0
"""So long a match may take to open: readers are loaded and the record is judged anew, on a slow card."""
CLOSING_S: Final = 10.0
"""So long it may take to close."""
NO_CAMERA: Final = "There is no camera: type the moves here. With one, leave the match and go on with it."
WITHOUT_VISION: Final = "The box started without its camera after several crashes: type the moves here."
OTHER_CAMERA: Final = "The camera that was chosen for this match is not connected: the usual one is taken."
_GONE: Final = "This match is not kept here any more."


def virtual_seats(seating: Seating) -> VirtualSeats:
    """Who sits at the virtual table: as in `pipwatch demo`, another game each time, with ordinary pieces."""
    seed = Random().randrange(10_000)
    return VirtualSeats(seed, look=ORDINARY, stays=True, temper=Temper(confirm=seating.confirm))


@dataclass(frozen=True)
class Around:
    """What is around every match of the box."""

    settings: Settings
    camera: KeptCamera
    screens: Sequence[Screen]
    tell: Callable[[Input], None] = field(repr=False)
    """Told what becomes of the match."""
    tellers: Sequence[Teller] = ()
    make_way: Callable[[], None] = field(default=lambda: None, repr=False)
    """Have whoever is at the journals let go of them."""


class BoxMatch:
    """One match. ``run`` holds a thread of its own until the end."""

    def __init__(self, wanted: Open, around: Around) -> None:
        self._wanted, self._around = wanted, around
        self.pulse = Pulse()
        self.pulse.beat(OPENING_S)
        self.timings = Timings()
        self.running: Running | None = None
        self.match: Match | None = None
        """As it was shown last."""
        self._stopped = self._left = False

    def run(self) -> None:
        """The match, and at its end why it ended, if nobody wanted that."""
        words, broke = "", False
        try:
            words = self._whole()
        except (PipwatchError, OSError, *UNREADABLE) as wrong:
            words = f"{str(wrong).rstrip('.')}."
        except Exception as wrong:
            traceback.print_exc(file=sys.stderr)
            words, broke = (
                f"The match was stopped by an error of Pipwatch: {wrong}. You can go on with it.",
                True,
            )
        finally:
            forget_answers()
            gc.collect()  # the matches before it, whose parts hold each other; pictures do not make it due
            give_back()  # else what a match's looks have needed stays, and grows from match to match
        self._around.tell(Closed(words, broke))

    def stop(self, *, left: bool) -> None:
        """End it; ``left`` if it is not to be gone on with by itself."""
        self._left, self._stopped = left, True
        self.pulse.beat(CLOSING_S)
        if self.running is not None:
            self.running.stop()

    def tell(self, match: Match, _at: float) -> None:
        """The match has changed."""
        before, self.match = self.match, match
        over = match.phase is Phase.FINISHED
        if over != (before is not None and before.phase is Phase.FINISHED):
            self._around.tell(Over(over))

    # — how —

    def _whole(self) -> str:
        if refusal := self._refusal():
            return refusal
        self._around.make_way()
        with ExitStack() as stack:
            path = self._path(stack)
            try:
                return self._played(path)
            finally:
                if self._left:
                    leave(path)
                    forget_unbegun(path)
                else:
                    forget_empty(path)

    def _refusal(self) -> str:
        """Why a new match cannot be begun as it is wanted, before anything of it is kept."""
        seating = self._wanted.wanted.seating
        if self._wanted.wanted.name or seating is None or seating.by != "camera":
            return ""
        if self._wanted.sight and seating.camera and (missing := missing_camera(seating.camera)):
            return missing
        try:
            self._looks(seating, goes_on=False)
            self._lens(seating, goes_on=False)
        except BadProfileFile as wrong:
            return str(wrong)
        return ""

    def _looks(self, seating: Seating, goes_on: bool) -> tuple[Looks | None, str]:
        """What the players' own pieces are like; a match that goes on does so without them, if it must."""
        if seating.by != "camera" or not seating.pieces:
            return None, ""
        try:
            return own_set(seating.pieces), ""
        except BadProfileFile as wrong:
            if not goes_on:
                raise
            return None, str(wrong)

    def _lens(self, seating: Seating, goes_on: bool) -> tuple[CameraProfile, str]:
        """What is known of the lens: that of the usual camera may have been chosen by the owner."""
        if seating.by != "camera" or not self._wanted.sight:
            return UNKNOWN_CAMERA, ""
        other, of, said = self._camera(seating), self._around.settings.camera, self._around.camera.sensor
        if other:
            return box_lens(other, said), doubt_about(other)
        try:
            return lens_of_usual(of, said), "" if of.lens else doubt_about(usual_camera(of))
        except BadProfileFile as wrong:
            if not goes_on:
                raise
            return box_lens(usual_camera(of), said), str(wrong)

    def _camera(self, seating: Seating) -> str:
        """The camera that was chosen, if it is another one than the usual and is there."""
        if not seating.camera or missing_camera(seating.camera):
            return ""
        chosen = called_now(seating.camera)
        return "" if chosen == usual_camera(self._around.settings.camera) else chosen

    def _instead(self, seating: Seating) -> str:
        """What is said where a match goes on by another camera than the one that was chosen for it."""
        chosen, usual = seating.camera, usual_camera(self._around.settings.camera)
        looks = seating.by == "camera" and self._wanted.sight and chosen and usual not in ("", chosen)
        return OTHER_CAMERA if looks and missing_camera(chosen) else ""

    def _path(self, stack: ExitStack) -> Path:
        """Where the match is kept; that of the virtual table is one in passing."""
        wanted = self._wanted.wanted
        if wanted.name:
            path = readable_match(wanted.name)
            if path is None:
                raise JournalError(_GONE)
            return path
        assert wanted.seating is not None  # a new match comes with its seating
        if wanted.seating.by != "virtual":
            return new_match(wanted.seating.game)
        runtime_folder().mkdir(parents=True, exist_ok=True, mode=0o700)
        folder = stack.enter_context(tempfile.TemporaryDirectory(dir=runtime_folder()))
        return Path(folder) / "virtual.match"

    def _played(self, path: Path) -> str:
        journal = kept_journal(path)
        try:
            running = self._made(journal)
        except BaseException:
            journal.close()
            raise
        self.running = running
        if self._stopped:
            running.stop()
        return running.run()

    def _made(self, journal: Journal) -> Running:
        goes_on, settings = bool(journal.events), self._around.settings
        seating = self._wanted.wanted.seating or seating_in(journal.events, settings.manners.confirm)
        if seating is None:
            raise JournalError(_GONE)
        if not goes_on:
            journal.append([seated(seating)])
        take_up(journal.path)
        looks, remark = self._looks(seating, goes_on)
        lens, why = self._lens(seating, goes_on)
        self._around.tell(Opened("" if seating.by == "virtual" else journal.path.stem, seating))
        # Buttons and lamps are the box's own, so that they work in the lobby, too.
        manners = replace(settings.manners, confirm=seating.confirm)
        settings = replace(settings.without_panel(), manners=manners)
        terms = Agreed(seating.game, seating.profile, seating.players)
        game = game_in(journal.events)
        by_hand = seating.by == "hand"
        match = fresh(terms, settings, by_hand) if game is None else gone_on(game, journal, settings, by_hand)
        match = replace(match, notice=" ".join(filter(None, (remark, self._instead(seating), why))))
        source, blind = self._source(seating, terms)
        side_mm = MARKER_MM if seating.by == "virtual" else settings.table.marker_mm
        seeing = Seeing(
            source, camera=lens, looks=looks, marker_mm=side_mm, goes_on=goes_on, watch=self.timings
        )  # fmt: skip
        company = Company(
            (*self._around.tellers, self), self._around.screens, self.pulse.beat, blind, settings
        )  # fmt: skip
        try:
            return put_together(match, journal, seeing, company)
        except BaseException:
            if source is not None:
                source.close()  # a camera that stays borrowed would never rest
            raise

    def _source(self, seating: Seating, terms: Agreed) -> tuple[Source | None, str]:
        """Where the match is seen, and why it is not where it is not."""
        if seating.by == "hand":
            return None, ""
        if seating.by == "virtual":
            return open_source(SourceName("virtual"), terms, virtual_seats(seating)), ""
        if not self._wanted.sight:
            return None, WITHOUT_VISION
        source = self._around.camera.borrow(self._camera(seating))
        return source, "" if source is not None else NO_CAMERA
