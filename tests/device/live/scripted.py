"""A table without pixels for the whole chain of threads: frames carry a number, a script says what they show.

Run as a program it plays a scripted match over a journal, as ``pipwatch run`` would from a camera, and prints
each entry when it is on the disk:

    python -m tests.device.live.scripted JOURNAL GAME SEED SECONDS-BETWEEN-FRAMES
    python -m tests.device.live.scripted nursery GAME SEED
"""

import json
import os
import signal
import sys
import time
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any, Literal, TextIO

import numpy as np

from device.cli.demo import _next
from device.journal.game import game_in
from device.journal.ruling_pictures import Outline
from device.journal.store import Journal
from device.live.eye import Eye
from device.live.ports import Away, Following, Picture, Seen, Shot
from device.live.running import Running
from device.live.starting import Agreed
from device.match.acts import taken_up
from device.match.match import Manners, Match
from engine.history import History, Step
from engine.matching import Difference, Happened, Nothing, OutOfStep, Question, Ruled, TakeBack, Verdict
from engine.matching.answered import ShownPieces
from engine.scene import Scene, Sighting
from vision.view import FrameState, Look, SeenArm, TableView

FRAME_S = 0.1
OUTLINE = ((10.0, 10.0), (40.0, 10.0), (40.0, 30.0), (10.0, 30.0))


@dataclass
class Stage:
    """What each frame shows: what the gate makes of it, and the scene if it is read."""

    states: list[FrameState] = field(default_factory=list)
    scenes: list[Scene | str | None] = field(default_factory=list)
    hands: frozenset[int] = frozenset()
    arm: tuple[tuple[int, int], ...] = ((8, 8), (44, 8), (44, 34), (8, 34))

    def show(self, state: FrameState, scene: Scene | str | None = None, frames: int = 1) -> None:
        """Some frames more."""
        self.states += [state] * frames
        self.scenes += [scene] * frames

    def move(self, scene: Scene | str) -> None:
        """A hand comes, leaves, and the table is still."""
        self.show(FrameState.HAND, frames=2)
        self.show(FrameState.SETTLING)
        self.show(FrameState.SETTLED, scene, 2)


def picture_of(number: int) -> Picture:
    """A small picture that carries a number."""
    picture = np.zeros((48, 64, 3), np.uint8)
    picture[0, 0] = (number & 255, number >> 8 & 255, number >> 16)
    return picture


def number_of(picture: Picture) -> int:
    """The number that a picture carries."""
    blue, green, red = (int(v) for v in picture[0, 0])
    return blue | green << 8 | red << 16


@dataclass
class ScriptedSource:
    """The frames of a stage, at any pace."""

    stage: Stage
    recorded: bool = True
    pace_s: float = 0.0
    at: int = 0
    closed: bool = False
    away: Sequence[int] = ()
    """Before these frames the camera does not answer."""

    def next(self, timeout_s: float) -> Shot | Away | None:
        """The next frame."""
        if self.pace_s:
            time.sleep(min(self.pace_s, timeout_s))
        if self.at >= len(self.stage.states):
            if self.recorded:
                return None
            return Away("The camera does not answer.")
        if self.at in self.away:
            self.away = [number for number in self.away if number != self.at]
            return Away("The camera does not answer.")
        self.at += 1
        return Shot(self.at - 1, (self.at - 1) * FRAME_S, picture_of(self.at - 1))

    def close(self) -> None:
        """Let go."""
        self.closed = True


class ScriptedView:
    """Says of each frame what the stage says."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.view, self.last = stage, 0, FrameState.STARTING
        self.size: tuple[int, ...] | None = None

    def see(self, picture: Picture, at_s: float, *, steady: bool | None = True, **how: Any) -> Look:
        """Judges the next frame."""
        arms: Callable[[Look], Sequence[SeenArm]] = how["arms"]
        state = self.stage.states[number_of(picture)] if steady else FrameState.BUMPED
        if state is FrameState.SETTLED and self.last is not FrameState.SETTLED:
            self.view += 1
        self.last, size = state, picture.shape
        anew, self.size = self.size not in (None, size), size
        look = Look(at_s, state, at_s, view=self.view, changed=((8, 8, 44, 34),), anew=anew)
        self.picture, self.look = picture, replace(look, arms=tuple(arms(look)) if look.hand else ())
        return self.look

    def table(self, _lying: object = None) -> TableView | None:
        """There is no vote: the frame itself is read once it is settled, and nothing between hands."""
        look = self.look
        return TableView(self.picture, look.at_s, look.view, changed=look.changed) if look.settled else None

    def shows(self, picture: Picture) -> bool:
        """A large picture shows what the frame with its number does, unless it is black."""
        return bool(picture.any())

    def lose(self) -> None:
        """Nothing is known between hands anyway."""


class TruthReader:
    """Reads from each frame what the stage put there."""

    def __init__(self, stage: Stage) -> None:
        self.stage = stage

    def steady(self, _picture: Picture, _at_s: float) -> bool:
        """Nobody knocks at this table."""
        return True

    def arms(self, _look: Look) -> Sequence[SeenArm]:
        """Whose hand it is."""
        return [SeenArm(self.stage.hands, self.stage.arm)] if self.stage.hands else []

    def larger(self) -> float:
        """Twice as large pictures are read better."""
        return 2.0

    def read(self, table: TableView, _before: Seen | None = None) -> Seen | str:
        """What lies there."""
        scene = self.stage.scenes[number_of(table.picture)]
        assert scene is not None
        return scene if isinstance(scene, str) else Seen(scene, (Outline(OUTLINE, "seen"),))


@dataclass
class Beginning:
    """A game that begins as soon as the table is seen."""

    first: History

    def begin(self, _scene: Scene) -> "Began":
        """The game."""
        return self, self.first

    def doubt(self) -> str:
        """Nothing is in doubt."""
        return ""

    def stains(self) -> Sequence[Sighting]:
        """Nothing looks like a piece that is none."""
        return ()

    def puzzled(self) -> bool:
        """Every table explains itself."""
        return False

    def last(self) -> "tuple[Beginning, History | None]":
        """It never waits."""
        return self, None

    def adopt(self, _scene: Scene) -> "Began":
        """The game from its own state on."""
        return self, self.first

    def take_up(self, _scene: Scene, game: History, _follower: Following, _verdict: Verdict) -> "Began":
        """The game from its own state on."""
        return self, game.put(game.state, "the table as it is")


Began = tuple[Beginning, History | Sequence[str]]
"""What has seen the table, and the game that begins, or why none does."""


def shows(texts: Sequence[str]) -> Scene:
    """A table on which one can see that all this has happened."""
    return Scene(tuple(Sighting("tile", "", ref=text) for text in texts))


@dataclass(frozen=True)
class TruthFollower:
    """Holds such a table against the record: the double of ``engine.matching.Follower``."""

    history: History

    def see(self, scene: Scene) -> Verdict:
        """What happened."""
        shown = [sighting.ref for sighting in scene.sightings]
        known = [step.happened.text for step in self.history.steps if counts(step)]
        if shown == known:
            return Nothing()
        if shown[: len(known)] == known:
            return self._ruled(shown[len(known) :])
        if known[: len(shown)] == shown:
            return TakeBack(len(self.history.steps) - len(shown), self.history.first, "As before.")
        return OutOfStep((Difference("Something else lies there.", "board"),))

    def after(self, history: History, _scene: Scene | None, _before: Scene | None = None) -> "TruthFollower":
        """The follower of a game that has changed."""
        return TruthFollower(history)

    def at(self, _scene: Scene | None) -> "TruthFollower":
        """It remembers no places."""
        return self

    def agreed(self, _scene: Scene) -> "TruthFollower":
        """Nor what lies beside the game."""
        return self

    def shown(self) -> ShownPieces:
        """Nor what was shown last."""
        return ShownPieces()

    def asking(self, _question: Question, _scene: Scene | None = None) -> "TruthFollower":
        """Nor what was asked."""
        return self

    def _ruled(self, texts: Sequence[str]) -> Verdict:
        happened, game = [], self.history
        for text in texts:
            game = game.fact(text) if text.startswith("see ") else game.move(text)
            last = game.steps[-1]
            if happened and not counts(game.steps[-2]):
                return OutOfStep((Difference("A refused move lies under another one.", "board"),))
            kind: Literal["fact", "move"] = "fact" if text.startswith("see ") else "move"
            happened.append(Happened(kind, text, last.state, last.ruling))
        return Ruled(tuple(happened), 9.0)


def counts(step: Step) -> bool:
    """Whether the table shows what happened in this step."""
    return step.ruling is None or step.ruling.allowed or step.stands


def eye_on(stage: Stage, first: History) -> Eye:
    """An eye for a stage."""
    return Eye(ScriptedView(stage), TruthReader(stage), Beginning(first), TruthFollower)


def scripted_game(game: str, seed: int, moves: int = 12) -> tuple[Stage, History, list[str]]:
    """A random game as a stage, the history with which it begins, and what happens in it."""
    rng, stage, first = Random(seed), Stage(), Agreed(game).blank()
    stage.show(FrameState.SETTLED, shows([]), 2)
    history = first
    while history.outcome is None and len(history.steps) < moves:
        history = _next(history, rng)
        texts = [step.happened.text for step in history.steps if counts(step)]
        refused = not counts(history.steps[-1])
        stage.move(shows([*texts, history.steps[-1].happened.text] if refused else texts))
        if refused:
            stage.move(shows(texts))
    return stage, first, [step.happened.text for step in history.steps]


class Printed:
    """Says of each entry of the game that it is on the disk, once it is."""

    def __init__(self, known: int, say: TextIO) -> None:
        self.known, self.say = known, say

    def tell(self, match: Match, _at: float) -> None:
        """What is new."""
        if match.game is not None and match.saved:
            for entry in match.game.entries[self.known :]:
                print(f"{entry.n} {hash_of(match.game, entry.n)}", flush=True, file=self.say)
            self.known = len(match.game.entries)


def hash_of(game: History, entries: int) -> str:
    """A name for the game up to an entry."""
    told = "\n".join(str(entry.to_json()) for entry in game.entries[:entries])
    return f"{zlib.crc32(told.encode()):08x}"


def play(path: Path, stage: Stage, first: History, pace_s: float, say: TextIO) -> None:
    """Play a match to its end, or go on with the one in the journal from where its table stood."""
    match = Match(manners=Manners(calm_s=0), blank=first)
    journal = Journal(path)
    game = game_in(journal.events)
    source = ScriptedSource(stage, pace_s=pace_s)
    known = 0
    if game is not None:
        match, known = taken_up(match, game), len(game.entries)
        lies = shows([step.happened.text for step in game.steps if counts(step)])
        source.at = stage.scenes.index(lies)
    print(f"ready {known}", flush=True, file=say)
    Running(match, journal, source=source, eye=eye_on(stage, first), tellers=[Printed(known, say)]).run()
    print("ended", flush=True, file=say)


def nursery(game: str, seed: int) -> None:
    """Bear processes that play the same match, and kill them, as told line by line: JOURNAL LINES SECONDS.

    Each is a process of its own, killed with SIGKILL so many seconds after it had said so many lines; what it
    said is printed as one line of JSON. Forking them saves a start of Python for each.
    """
    stage, first, _ = scripted_game(game, seed, 40)
    print("ready", flush=True)
    for line in sys.stdin:
        path, count, seconds = line.rsplit(" ", 2)
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.close(read)
            with os.fdopen(write, "w") as say:
                play(Path(path), stage, first, 0.0, say)
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as said:
            lines = [said.readline() for _ in range(int(count))]
            time.sleep(float(seconds))
            os.kill(child, signal.SIGKILL)
            lines = [*filter(None, lines), *said.readlines()]
        _, status = os.waitpid(child, 0)
        print(json.dumps({"hit": os.WIFSIGNALED(status), "lines": lines}), flush=True)


def main() -> None:
    """A match over a journal, or a nursery of them."""
    game, seed = sys.argv[2], int(sys.argv[3])
    if sys.argv[1] == "nursery":
        nursery(game, seed)
    else:
        stage, first, _ = scripted_game(game, seed, 40)
        play(Path(sys.argv[1]), stage, first, float(sys.argv[4]), sys.stdout)


if __name__ == "__main__":
    main()
