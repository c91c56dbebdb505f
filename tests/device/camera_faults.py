"""Every fault of the stand-in camera in every state of a match, under a clock of our own:

    python -m tests.device.camera_faults [--fault hang] [--state watching] [--write]

``--write`` puts the table into docs/appliance.md. The camera is the stand-in of picamera2, filmed by
``device.cameras.picamera``; gate, eye, match and watchdog are the real ones. Only the process is played,
since a real one has a real clock: it starts in ``START_S``. A match is brought into a state, the camera
fails, and what people are told is noted, and when. In the end they go on, and their next move has to count.
Where no match goes on: ``faults_between.py``.
"""

import argparse
import importlib
import os
import sys
import tempfile
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Condition
from typing import Any

import cv2
import numpy as np

from device.cameras import picamera
from device.cameras.frames import Frame
from device.cameras.last_told import CameraMemory
from device.cameras.lifeline import Requests
from device.cameras.own_process import Apart
from device.cameras.wanted import CameraSettings
from device.live.eye import Eye
from device.live.looking import Looker
from device.live.messages import Heard, Message, Position
from device.live.ports import Picture, Seen, Source
from device.live.thread_channels import Latest
from device.match.phase import Phase
from device.match.signals import Kind
from engine.history import History
from engine.matching import Nothing, Verdict
from engine.scene import Scene
from tests.device.live.scripted import Began, Beginning, Stage, TruthFollower, TruthReader, shows
from tests.device.match.match_bench import FACTS, ILLEGAL, LEGAL, Bench, asked, game
from vision.view import TableView, TableWatch

MOVED = ("turn 90", "turn 180", "shift")
"""The camera itself is turned by so many degrees, or pushed by 5 mm: ``tests/device/moved_camera.py``."""
FAULTS = (
    "hang", "freeze", "vanish", "pulled", "size", "late", "slow", "black", "dim", "tear", "nudge", "blur",
    *MOVED,
)  # fmt: skip
IN_A_MATCH = ("starting", "setting up", "watching", "hands", "asking", "illegal", "paused")
STATES = (*IN_A_MATCH, "lobby", "between", "aiming", "doctor")
START_S = 1.5
"""So long a process takes until its camera library is there."""
PASSING_S = 15.0
"""Troubles of the picture, and slowness, pass after so long; those of the camera end with its process."""
MOST_S = 60.0
FINE = 5
"""So many looks in a row have to be well."""
WATCH, DRAWN, LARGE = (160, 120), (320, 240), (480, 360)
_PASSING = ("black", "dim", "tear", "late", "slow", "pulled")
_NOT_ENDED = ("nudge", *MOVED)
"""After these the process goes on."""
_WITHOUT_GAME = ("starting", "setting up", "between")
"""In these states no game has begun yet."""
_ABSENT = "no camera is connected: check the ribbon cable, then rpicam-hello --list-cameras"
"""What a process says that finds none."""
_DIM = 0.5 ** (1 / 2.2)
"""What half of the light leaves of a pixel's value."""
_NEVER = 10**9
_TURN_S = 0.1
DOCUMENT = Path(__file__).parents[2] / "docs/appliance.md"
BEGIN, END = "<!-- camera faults -->", "<!-- end of camera faults -->"
FRESH_S = 0.5
"""What was seen so short a time ago is the table as it is."""


class _Hangs(Exception):
    """The stand-in waits for ever."""


def stand_in(folder: Path) -> Any:
    """The stand-in's module, its files in a folder."""
    os.environ["STAND_IN"] = str(folder)
    (folder / "plan").write_text("", encoding="utf-8")
    path = str(Path(__file__).parent / "stand_in")
    if path not in sys.path:
        sys.path.insert(0, path)
    module = importlib.import_module("picamera2")
    module._FOLDER = folder
    return module


class Table:
    """What lies on the table, as blocks on a patterned cloth, and whether an arm is over it."""

    def __init__(self) -> None:
        rng = np.random.default_rng(11)
        cloth = cv2.GaussianBlur(rng.integers(60, 190, (*DRAWN[::-1], 3)).astype(np.float32), (0, 0), 2.5)
        self._cloth = np.clip((cloth - 125) * 3 + 125, 40, 210).astype(np.uint8)
        self.lies, self.arm = "", False
        self._drawn: dict[tuple[str, bool, int], Picture] = {}

    def picture(self, turn: int) -> Picture:
        """The table now; an arm moves from turn to turn."""
        key = (self.lies, self.arm, turn % 4 if self.arm else 0)
        if key not in self._drawn:
            self._drawn[key] = self._draw(*key)
        return self._drawn[key]

    def _draw(self, lies: str, arm: bool, turn: int) -> Picture:
        drawn = self._cloth.copy()
        for number in range(len(lies)):
            left = 60 + 34 * number
            cv2.rectangle(drawn, (left, 90), (left + 24, 140), (235, 240, 245), -1)
            cv2.circle(drawn, (left + 12, 104), 2 + ord(lies[number]) % 7, (20, 20, 30), -1)
            cv2.circle(drawn, (left + 12, 126), 2 + ord(lies[number]) % 5, (20, 20, 30), -1)
        if arm:
            cv2.line(
                drawn, (150 + 12 * turn, 239), (140 + 9 * turn, 150 - 10 * (turn % 2)), (120, 150, 210), 34
            )
        return drawn


@dataclass
class FilmedChild:
    """A process that films, played: frames come when their time has come."""

    take: Callable[[Frame], None]
    trial: "Trial"
    requests: Requests = field(default_factory=Requests)
    now: float = 0.0
    said: str = ""
    over: bool = False
    hung: bool = False
    due: deque[Frame] = field(default_factory=deque)
    film: Iterator[Frame] | None = None

    def __post_init__(self) -> None:
        self.now = self.trial.clock + START_S

    def ask(self, line: bytes) -> bool:
        """Hear a request."""
        self.requests.hear(iter([line]))  # type: ignore[arg-type]
        return True

    def ended(self) -> bool:
        """Whether it ended by itself."""
        return self.over

    def kill(self) -> str:
        """It is gone."""
        self.over = True
        self.trial.cured = True
        return self.said

    def work(self, until: float) -> None:
        """Film until then."""
        while not (self.over or self.hung) and self.now <= until:
            self._film_one()
        while self.due and self.due[0].at_s <= until:
            self.take(self.due.popleft())

    def _film_one(self) -> None:
        self.trial.module.time = self
        try:
            if self.film is None:
                self.film = self.trial.filmed(self)
            self.due.append(replace(next(self.film), at_s=self.now))
        except _Hangs:
            self.hung = True
        except Exception as error:
            self.over, self.said = True, str(error)

    # the clock of the stand-in and of what films it

    def sleep(self, seconds: float) -> None:
        """Time passes for the camera alone."""
        if seconds > 600:
            raise _Hangs
        self.now += seconds

    def clock(self) -> float:
        """Its time."""
        return self.now


class BlockReader(TruthReader):
    """Knows which of some tables a picture shows."""

    def __init__(self, trial: "Trial") -> None:
        super().__init__(Stage())
        self.trial = trial

    def steady(self, _picture: Picture, _at_s: float) -> None:  # type: ignore[override]
        """There are no markers."""

    def read(self, table: TableView, _before: Seen | None = None) -> Seen | str:
        """What lies there."""
        return Seen(shows(self.likeliest(table.picture)), ())

    def likeliest(self, picture: Picture) -> Sequence[str]:
        """What the table shows that is most like this picture."""
        small = cv2.resize(picture, WATCH, interpolation=cv2.INTER_AREA).astype(int)

        def off(lies: str) -> float:
            drawn = cv2.resize(
                self.trial.table._draw(lies, arm=False, turn=0), WATCH, interpolation=cv2.INTER_AREA
            )
            light = np.median(small) / np.median(drawn)
            return float(np.abs(drawn * light - small).mean())

        return TOLD[min(TOLD, key=off)]


TOLD: dict[str, Sequence[str]] = {
    "": (), "f": FACTS, "fa": (*FACTS, LEGAL[0]), "fab": (*FACTS, LEGAL[0], LEGAL[1]),
    "fax": (*FACTS, LEGAL[0], ILLEGAL), "faq": (*FACTS, LEGAL[0], "?"),
}  # fmt: skip
"""What each table shows."""


@dataclass(frozen=True)
class AskingFollower(TruthFollower):
    """Cannot tell what a table means that shows a question mark."""

    def see(self, scene: Scene) -> Verdict:
        """What happened."""
        if scene.sightings and scene.sightings[-1].ref == "?":
            if len(self.history.steps) > len(FACTS) + 1:
                return Nothing()  # it was answered
            return asked(self.history, LEGAL[1])
        return super().see(scene)

    def after(self, history: History, _scene: Scene | None, _before: Scene | None = None) -> "AskingFollower":
        """The follower of a game that has changed."""
        return AskingFollower(history)


class Whenever(Beginning):
    """A game begins once its set-up lies there."""

    def begin(self, scene: Scene) -> Began:
        """The game, or what is lacking."""
        return self, self.first if scene.sightings else ["The dice are not there."]


@dataclass
class Outcome:
    """What became of one fault in one state."""

    fault: str
    state: str
    noticed_s: float | None = None
    """From the fault until people are told; None where all was well before anybody had to be."""
    words: str = ""
    back_s: float = 0.0
    """Until the table is followed again: from the fault, or from its end where it passes by itself."""
    felt_s: float | None = None
    """From a move of the camera until its markers are no longer trusted."""
    goes_on: bool = False
    """Whether nothing was lost, and the next move counted."""


class Trial:
    """One match, its camera, and their clock."""

    sizes = (WATCH, LARGE)
    """Of the pictures that are watched, and of those that are read."""

    def __init__(self, folder: Path, fault: str, state: str) -> None:
        self.module, self.clock, self.cured = stand_in(folder), 1000.0, False
        self.module._TROUBLE_AFTER = _NEVER
        self.fault, self.state = fault, state
        self.table = self._laid()
        self.began_s: float | None = None
        """When the camera failed."""
        self._planned = True
        self._folder = folder
        # There is no mat to focus on.
        watch, large = self.sizes
        self.wanted = CameraSettings(size=large, watch_size=watch, fps=10.0, exposure="locked", focus=2.5)
        self.memory = CameraMemory()
        self.bench = Bench()
        self.camera = Apart(
            self._opened, "The camera", clock=lambda: self.clock, wait=self._wait, memory=self.memory
        )
        self.children: list[FilmedChild] = []
        self.looker = self.looking_at(self.camera)
        self._position: Position | None = None
        self.heard: list[Kind] = []

    def looking_at(self, source: Source) -> Looker:
        """The eye of a match that begins, at a camera."""
        eye = Eye(TableWatch(), self._reads(), Whenever(game(*FACTS)), AskingFollower)
        return Looker(source, eye, self._hear, Latest())

    def _laid(self) -> Table:
        """The table that is filmed."""
        return Table()

    def _reads(self) -> BlockReader:
        """Who reads it."""
        return BlockReader(self)

    def through(self, scene: Picture, plan: str) -> Picture:
        """The scene through a camera that fails like this, where it is the picture that it is about."""
        return (scene * _DIM).astype(np.uint8) if plan == "dim" else scene

    # — the camera —

    def _opened(self, take: Callable[[Frame], None]) -> FilmedChild:
        self.children.append(FilmedChild(take, self))
        return self.children[-1]

    def filmed(self, child: FilmedChild) -> Iterator[Frame]:
        """The film of one process: only the first one fails."""
        module, trial = self.module, self

        class Seeing(module.Picamera2):  # type: ignore[misc, name-defined]
            def planes(self, name: str) -> Any:
                scene = trial.table.picture(self.frames)
                if self.watching > module._TROUBLE_AFTER:
                    scene = trial.through(scene, self.plan)
                if scene is not self._scene:
                    self._scene, self._drawn = scene, {}
                return super().planes(name)

        if child is not self.children[0] and self.fault == "pulled" and not self._is_over():
            raise OSError(_ABSENT)
        plan = "vanish" if self.fault == "pulled" else self.fault
        module.Picamera2._plan = plan if child is self.children[0] else "fine"
        camera = Seeing()
        kept = self.memory.kept
        return picamera.film(camera, self.wanted, 0.5, kept, child.requests, child.clock)

    def _wait(self, _news: Condition, seconds: float) -> None:
        self.clock += min(_TURN_S, max(0.01, seconds))
        if self.children:
            self.children[-1].work(self.clock)

    # — the match —

    def _hear(self, message: Message) -> None:
        if isinstance(message, Heard):
            self.heard.append(message.signal.kind)
            self.bench.give(message.signal)

    def turn(self) -> None:
        """A tenth of a second or so."""
        before, self.bench.now = self.clock, self.clock
        match = self.bench.match
        position = Position(match.game, match.stood, match.version, self.bench.as_it_is, match.denied)
        if position != self._position:
            self._position = position
            self.looker.positions.put(position)
        self.looker._once()
        if self.clock == before:  # a frame was there at once
            self._wait(Condition(), 0.05)
        self.bench.now = self.clock
        if self.bench.match.due is not None and self.bench.match.due <= self.clock:
            self.bench.tell(Kind.TIME)

    def until(self, done: Callable[[], bool], most_s: float = MOST_S) -> bool:
        """Go on until something is so; whether it came."""
        end = self.clock + most_s
        while not done() and self.clock < end:
            self.turn()
        return done()

    def wait(self, seconds: float) -> None:
        """Go on for a while."""
        end = self.clock + seconds
        self.until(lambda: self.clock >= end)

    def lay(self, lies: str) -> None:
        """A hand comes, lays something down, and leaves."""
        self.table.arm = True
        self.wait(1.0)
        self.table.lies = lies
        self.wait(0.5)
        self.table.arm = False

    # — the fault —

    def run(self) -> Outcome:
        """The whole trial."""
        if self.state != "starting":
            self._reach()
        self.strike()
        return self.outlived()

    def strike(self) -> None:
        """Now the camera fails."""
        self.began_s, self.cured = self.clock, False
        self.module._TROUBLE_AFTER = -1
        for child in self.children[:1]:
            child.due.clear()

    @property
    def ends_s(self) -> float | None:
        """When the fault passes by itself, if it does."""
        assert self.began_s is not None  # it has begun
        return self.began_s + PASSING_S if self.fault in _PASSING else None

    def _is_over(self) -> bool:
        return self.began_s is not None and self.clock >= (self.ends_s or 0.0)

    def passing(self) -> bool:
        """Let the fault pass once its time has come; whether it is over, however that came."""
        assert self.began_s is not None  # it has begun
        if self.ends_s is not None and self._is_over():
            self.module._TROUBLE_AFTER = _NEVER
        ended = self.cured or self.fault in (*_PASSING, *_NOT_ENDED)
        return ended and self.clock > (self.ends_s or self.began_s + 1.0)

    def watched(self, turn: Callable[[], tuple[str, bool]]) -> Outcome:
        """Turn after turn, what people are told and whether all is well, until it is so."""
        began, fine = self.began_s, 0
        assert began is not None  # it has begun
        outcome = Outcome(self.fault, self.state)
        while self.clock - began < MOST_S and fine < FINE:
            self.passing()
            words, well = turn()
            over = self.passing()
            if outcome.noticed_s is None and words:
                outcome.noticed_s, outcome.words = self.clock - began, words
            fine = fine + 1 if over and well else 0
        outcome.back_s = self.clock - (self.ends_s or began)
        outcome.goes_on = fine == FINE
        return outcome

    def outlived(self) -> Outcome:
        """What becomes of a match whose camera fails now."""
        counted = list(self.bench.texts()) if self.bench.match.game else []

        def turn() -> tuple[str, bool]:
            self.turn()
            return self._told(), self._follows()

        outcome = self.watched(turn)
        outcome.goes_on = outcome.goes_on and self._go_on(counted)
        return outcome

    def _reach(self) -> None:
        """Bring the match into its state."""
        if self.state == "setting up":
            assert self.until(lambda: Kind.LACKING in self.heard)
            return
        self.table.lies = "f"
        assert self.until(lambda: self.bench.match.game is not None), self.heard[-5:]
        self.lay("fa")
        assert self.until(lambda: self.bench.phase is Phase.WATCHING and len(self.bench.texts()) == 3)
        if self.state == "hands":
            self.table.arm = True
            assert self.until(lambda: self.bench.phase is Phase.HANDS)
        elif self.state in ("asking", "illegal"):
            self.lay("faq" if self.state == "asking" else "fax")
            wanted = Phase.ASKING if self.state == "asking" else Phase.ILLEGAL
            assert self.until(lambda: self.bench.phase is wanted), self.bench.phases[-5:]
            self.wait(2.5)
        elif self.state == "paused":
            self.bench.tell(Kind.PAUSE)
        self.wait(1.0)

    def _told(self) -> str:
        """What people are told of the camera, if anything."""
        match = self.bench.match
        if match.phase is Phase.CAMERA_LOST:
            return match.words
        return "the lamp and the page say that there is no picture" if not match.camera else ""

    def _follows(self) -> bool:
        """Whether the table is followed again."""
        away = self.camera.watchdog.away(self.clock)
        lost = self.bench.phase is Phase.CAMERA_LOST or (
            self.state != "paused" and not self.bench.match.camera
        )
        look = self.looker.eye._look
        fresh = look is not None and self.clock - look.at_s < FRESH_S
        seen = look is not None and look.state.value in ("settled", "hand", "resting")
        return fresh and seen and not away and not lost

    def _go_on(self, counted: Sequence[str]) -> bool:
        """People go on; whether all that counted before still does, and their next move does, too."""
        bench, state = self.bench, self.state
        self.table.arm = False
        if state in _WITHOUT_GAME:
            self.lay("f")
            return self.until(lambda: bench.match.game is not None)
        if state == "paused":
            bench.tell(Kind.PAUSE)
        if state == "asking":
            if not self.until(lambda: bench.phase is Phase.ASKING):
                return False
            bench.tell(Kind.CHOOSE, number=0)
            return self.until(lambda: bench.texts() == [*counted, LEGAL[1]], 10)
        if state == "illegal":
            self.lay("fa")
            self.until(lambda: bench.phase is Phase.WATCHING, 15)
        self.wait(1.0)
        self.lay("fab")
        good = self.until(lambda: bench.texts()[-1:] == [LEGAL[1]] and bench.match.pending is None, 20)
        return good and bench.texts()[: len(counted)] == list(counted)


def tried(fault: str, state: str) -> Outcome:
    """One fault in one state."""
    from tests.device import faults_between, moved_camera  # they are built on this module

    with tempfile.TemporaryDirectory() as name:
        if state in ("aiming", "doctor"):
            return faults_between.LOOKS[state](faults_between.AimedTrial(Path(name), fault, state))
        trial = (moved_camera.MovedTrial if fault in MOVED else Trial)(Path(name), fault, state)
        looked = faults_between.LOOKS.get(state)
        return trial.run() if looked is None else looked(trial)


def cell(one: Outcome) -> str:
    """What the table says of it: seconds until people are told / until all is well again."""
    told = "–" if one.noticed_s is None else f"{one.noticed_s:.1f}"
    return f"{told} / {one.back_s:.1f}{'' if one.goes_on else ' lost'}"


def written(rows: Sequence[str]) -> None:
    """Put the table into its document."""
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(BEGIN)
    after = rest.partition(END)[2]
    DOCUMENT.write_text("\n".join((before + BEGIN, *rows, END + after)), encoding="utf-8")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--fault", choices=FAULTS)
    parser.add_argument("--state", choices=STATES)
    parser.add_argument("--write", action="store_true", help="put the whole table into docs/appliance.md")
    wanted = parser.parse_args()
    states = [wanted.state] if wanted.state else STATES
    rows = [f"| fault | {' | '.join(states)} |", f"|{'---|' * (len(states) + 1)}"]
    print("\n".join(rows))
    good = True
    for fault in [wanted.fault] if wanted.fault else FAULTS:
        outcomes = [tried(fault, state) for state in states]
        good = good and all(one.goes_on for one in outcomes)
        rows.append(f"| {fault} | {' | '.join(map(cell, outcomes))} |")
        print(rows[-1], flush=True)
        for one in outcomes:
            felt = "" if one.felt_s is None else f"felt after {one.felt_s:.1f} s"
            print(f"  {one.state}: {one.words or felt}", file=sys.stderr)
    if wanted.write and not (wanted.fault or wanted.state):
        written(rows)
    return 0 if good else 1


if __name__ == "__main__":
    # What is built on this module imports it by its name: it must be the same one.
    raise SystemExit(importlib.import_module("tests.device.camera_faults").main())
