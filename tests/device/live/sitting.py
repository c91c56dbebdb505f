"""A random game through the real eye, follower and match, without pixels; what goes wrong at its table."""

from dataclasses import replace
from pathlib import Path
from random import Random

from device.journal.events import Draft
from device.journal.game import began, game_in
from device.journal.store import Journal
from device.live.eye import Eye
from device.live.messages import Position
from device.live.ports import Seen, Shot
from device.live.starting import Agreed
from device.match.acts import taken_up
from device.match.match import Keep, Manners, Match
from device.match.phase import Phase
from device.match.remembered import remembered
from device.match.resuming import resumed
from device.match.signals import Kind, Signal, Told
from device.match.transitions import step
from engine import Layout, State, rulebook
from engine.history import History
from engine.matching import Follower
from engine.matching.guide import essence, guide_for
from engine.scene import Guess, Scene, Sighting
from simulation.script import Scripted, write
from tests.device.live.scripted import (
    FRAME_S,
    Beginning,
    ScriptedView,
    Stage,
    TruthReader,
    number_of,
    picture_of,
)
from tests.engine.matching.doubtful_table import Table
from tests.engine.matching.followed_course import SAID
from vision.view import FrameState as Gate
from vision.view import TableView

TELLING = (Phase.ASKING, Phase.OUT_OF_STEP, Phase.UNFINISHED, Phase.ILLEGAL)
"""Phases in which people are told that something is not clear, or not allowed."""
PATIENCE = 6
"""After so many events in a row that are not in the record as they were, the thread counts as lost."""
NOW = Manners(calm_s=0)


class Plain(TruthReader):
    """Reads what the stage shows, and says of no piece where in the picture it lies."""

    def read(self, table: TableView, _before: Seen | None = None) -> Seen:
        """What lies there."""
        scene = self.stage.scenes[number_of(table.picture)]
        assert isinstance(scene, Scene)
        return Seen(scene)


class Sitting:
    """One game: what is done at the table, and what the record has of it."""

    def __init__(
        self, game: str, seed: int, path: Path, *, doubtful: float, restarts: float, asking: bool = False
    ) -> None:
        """ "``restarts``: how often it is stopped and goes on; ``asking``: whenever something is asked."""
        self.script = write(game, seed=seed, moves=30, illegal=0.15, retracted=0.1)
        self.book = rulebook(game)
        self.guide = guide_for(self.book)
        self.first = Agreed(game).from_state(State.from_json(self.script.setup))
        self.table, self.rng = Table(seed, doubtful=doubtful), Random(seed)
        self.restarts, self.asking, self.stopped = restarts, asking, 0
        self.stage, self.frames = Stage(), 0
        self.right = 0
        path.mkdir(exist_ok=True)
        self.path = path / f"{game}-{seed}.match"
        self.written: list[Draft] = [*began(self.first)]
        """What has not been brought to the disk yet: all of it is as soon as the match is stopped."""
        self._sit_down(taken_up(Match(manners=NOW), self.first))

    def _sit_down(self, match: Match) -> None:
        self.match = match
        self.eye = Eye(ScriptedView(self.stage), Plain(self.stage), Beginning(self.first), Follower.of)

    def _start_again(self) -> None:
        """All that is known is in the journal."""
        with Journal(self.path) as journal:
            journal.append(self.written)
        with Journal(self.path) as journal:
            events, self.written = journal.events, []
        self.stopped += 1
        game = game_in(events)
        assert game is not None
        self._sit_down(resumed(Match(manners=NOW), game, events))
        self.eye.wake()
        self.eye.go_on(remembered(game, events))

    def play(self) -> str:
        """Play to the end, or until the thread is lost; what was wrong and not told, if anything."""
        self._show(self.script.start, 5)
        lost = 0
        for event in self.script.events:
            words = {*event.text.split(": ")[-1].split(" ")}
            if event.kind == "move" and words & {*SAID[self.script.game]}:
                self._tell(Told(Kind.TYPED, event.text))
            elif event.visible:
                lost = 0 if self._followed(event) else lost + 1
                if lost and not self._is_told():
                    return f"{event.text}: {[step.happened.text for step in self._game.steps[-4:]]}"
                if lost == PATIENCE:
                    break
        return ""

    @property
    def _game(self) -> History:
        assert self.match.game is not None
        return self.match.game

    def _followed(self, event: Scripted) -> bool:
        """Whether the record is right after an event."""
        asked = self.asking and self.match.phase is Phase.ASKING
        if asked or (self.restarts and self.rng.random() < self.restarts):
            self._start_again()
        self._visit(event.player, event.after)
        if not event.stands:
            self._visit(event.player, event.before)
        truth = State.from_json(self.script.states[event.state])
        lies = event.status == "illegal" and event.stands and self.match.refused
        right = lies or self._essence(self._game.state) == self._essence(truth)
        self.right += right
        return right

    def _is_told(self) -> bool:
        """Whether people know that the record may not be right: by the phase, or by what stands in it."""
        return self.match.phase in TELLING or any(one.happened.alike for one in self._game.steps[-12:])

    def _essence(self, state: State) -> object:
        return essence(self.guide, state)

    def _visit(self, player: int, layout: Layout) -> None:
        self.stage.hands = frozenset({player})
        for state in (Gate.HAND, Gate.HAND, Gate.SETTLING):
            self._frame(state, None)
        self._show(layout, 10)

    def _show(self, layout: Layout, frames: int) -> None:
        scene = self.table.scene(layout)
        for _ in range(frames):
            self._frame(Gate.SETTLED, scene)

    def _frame(self, state: Gate, scene: Scene | None) -> None:
        self.stage.show(state, scene)
        shot = Shot(self.frames, self.frames * FRAME_S, picture_of(self.frames))
        self.frames += 1
        match = self.match
        position = Position(match.game, match.stood, match.version, 0, match.denied)
        for signal in self.eye.see(shot, position):
            self._tell(signal)
            self._tell(Told(Kind.TIME))

    def _tell(self, signal: Signal) -> None:
        self.match, orders = step(self.match, signal, self.frames * FRAME_S)
        for order in orders:
            if isinstance(order, Keep):
                self.written += order.drafts
        self.match = replace(self.match, unsaved=())


class Haunted(Sitting):
    """A sitting at which something is seen that nobody has laid, or what lies there is not seen."""

    ghosts: tuple[Sighting, ...] = ()
    lost: frozenset[str] = frozenset()
    """Pieces, by their names, that lie there and are not seen."""

    def _show(self, layout: Layout, frames: int) -> None:
        scene = self.table.scene(layout, lost=self.lost)
        scene = replace(scene, sightings=(*scene.sightings, *self.ghosts))
        for _ in range(frames):
            self._frame(Gate.SETTLED, scene)

    def begins(self) -> None:
        """The table before the first move."""
        self._show(self.script.start, 5)

    @property
    def is_watching(self) -> bool:
        """Whether table and record agree, and nothing is asked."""
        return self.match.phase is Phase.WATCHING

    def follows(self, first: int, last: int) -> bool:
        """Whether the record is right after each of these events."""
        return all(self._followed(event) for event in self.script.events[first:last])

    def says(self, number: int, then: int = 0) -> None:
        """People type this event; the table is looked at again as it lies, after it or ``then``."""
        self._tell(Told(Kind.TYPED, self.script.events[number].text))
        self.rests(then or number + 1)

    def comes(self, events: int) -> None:
        """A hand comes after so many events, and goes."""
        self._visit(1, self.script.events[events - 1].after)

    def rests(self, events: int) -> None:
        """The table after so many events is looked at again; nobody was there."""
        self._frame(Gate.SETTLING, None)
        self._show(self.script.events[events - 1].after, 10)


def ghost(presence: float, share: float, x: float, y: float) -> Sighting:
    """What looks like a tile, a little or very much."""
    guess = Guess({"pips": [0, 0]}, share)
    return Sighting("domino", "board", x, y, 90.0, guesses=(guess,), presence=presence)
