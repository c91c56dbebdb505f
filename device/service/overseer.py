"""The thread that looks after the box: it asks what must answer, tells systemd, and takes the figures."""

import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Final

from device.cameras.naming import chosen, remember
from device.match.match import Match
from device.service.beats import Beats, late, well
from device.service.box import Place, Standing
from device.service.box_match import BoxMatch
from device.service.front import Front
from device.service.kept_camera import KeptCamera
from device.service.machinery import Machinery
from device.service.notify import Notifier
from device.service.timings import Timings
from device.service.vitality import (
    CameraHealth,
    GameHealth,
    Health,
    JournalHealth,
    PageHealth,
    status_of,
    strained,
)
from device.spare_memory import give_back

PERIOD_S: Final = 4.0
"""Between two rounds where systemd asks for nothing faster."""
_SHARE: Final = 5
"""Rounds within systemd's patience: one late answer is no reason to be restarted."""
_NO_CAMERA: Final = (
    "No camera was found: moves are typed on this page. Plug one in: a match that is opened then is seen."
)


@dataclass(frozen=True)
class Facts:
    """What the overseer sees of the box at one moment."""

    standing: Standing
    engine_s: float
    """How long the box's own loop has not turned."""
    match: BoxMatch | None
    remarks: Sequence[str] = ()
    """What the box itself knows to be wrong."""
    work: str = ""
    """How much is done on this board, and why."""


class Overseer:
    """Looks after the box, round after round."""

    def __init__(
        self, facts: Callable[[], Facts], front: Front, camera: KeptCamera, notifier: Notifier,
        machinery: Machinery, folder: Path,
    ) -> None:  # fmt: skip
        self._facts, self._front, self._camera, self._notifier = facts, front, camera, notifier
        self._machinery, self._folder = machinery, folder
        self._since = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(machinery.now()))
        self._version = metadata.version("pipwatch")
        self._said: frozenset[str] = frozenset()
        self.health = Health("ok", self._since, self._version)
        self._stop = threading.Event()

    @property
    def period_s(self) -> float:
        """Between two rounds."""
        asked = self._notifier.watchdog_s
        return PERIOD_S if asked is None else min(PERIOD_S, asked / _SHARE)

    def run(self, before: Callable[[], None]) -> None:
        """The thread; ``before`` is done at the begin of each round."""
        while not self._stop.wait(self.period_s):
            before()
            self.round()

    def stop(self) -> None:
        """No more rounds."""
        self._stop.set()

    def round(self) -> None:
        """Ask all that must answer, and tell."""
        remember()
        facts = self._facts()
        if facts.match is not None:
            give_back()  # else what one look needs stays beside what the next one needs elsewhere
        beats = beats_of(facts, self._front.answers())
        if well(beats):
            self._notifier.alive()
        self.health = self._health(facts, beats)
        self._notifier.status(status_line(facts.standing, self.health))
        for remark in self.health.remarks:
            if remark not in self._said:
                print(f"pipwatch: {remark}", file=sys.stderr, flush=True)
        self._said = frozenset(self.health.remarks)

    def _health(self, facts: Facts, beats: Beats) -> Health:
        machinery, camera, match = self._machinery, self._camera.state(), facts.match
        hot, free = machinery.temperature_c(), machinery.disk_free_mb(self._folder)
        remarks = [*late(beats), *facts.remarks, *machinery.remarks(), *strained(hot, free)]
        notes: list[str] = []
        if camera.state == "none" and chosen() is None:
            # One that never had a camera is for play by hand, and well; one that had one misses it.
            (remarks if camera.chosen else notes).append(_NO_CAMERA)
        elif camera.why or camera.state == "away":
            remarks.append(camera.why or "The camera gives no picture.")
        load = match.running.writer.load() if match is not None and match.running is not None else None
        commit_s = None if load is None or load.last_commit_s is None else round(load.last_commit_s, 1)
        timings = Timings() if match is None else match.timings
        game = None if match is None else _game(match.match)
        failing = () if well(beats) and not self._front.problem else ("failing",)
        return Health(
            status_of(failing, remarks), self._since, self._version, game,
            CameraHealth(
                camera.state, camera.age_s, camera.restarts, camera.fps, camera.why or camera.chosen
            ),
            timings.typical_ms("gate"), timings.typical_ms("reading"),
            JournalHealth(0 if load is None else load.queue, commit_s), PageHealth(self._front.viewers),
            hot, machinery.throttled(), free, machinery.clock(), facts.work,
            tuple(dict.fromkeys((*remarks, *notes))),
        )  # fmt: skip


def beats_of(facts: Facts, page_s: float | None) -> Beats:
    """How all that must answer stands."""
    match = facts.match
    load = match.running.writer.load() if match is not None and match.running is not None else None
    engine_s = max(facts.engine_s, 0.0 if match is None else match.pulse.age_s)
    if load is None:
        return Beats(engine_s, page_s=page_s)
    return Beats(engine_s, load.age_s, load.writing_s, page_s)


def _game(match: Match | None) -> GameHealth | None:
    if match is None:
        return None
    game = match.game or match.blank
    return None if game is None else GameHealth(game.header.game, str(match.phase), len(game.entries))


def status_line(standing: Standing, health: Health) -> str:
    """What `systemctl status` shows: where the box is, and the first of what is wrong."""
    game = f": {health.game.name}, {health.game.phase}" if health.game else ""
    where = {Place.LOBBY: "in the lobby", Place.MATCH: f"at a match{game}", Place.ENDING: "closing a match"}
    wrong = f" — {health.remarks[0]}" if health.remarks else ""
    return f"{where[standing.place]}{wrong}"
