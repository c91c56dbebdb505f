"""Random games that go astray, and the presses that lead back: the real eye and match, without pixels."""

from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from device.journal.events import Draft
from device.journal.game import began, game_in
from device.journal.store import Journal
from device.live.eye import Eye
from device.live.messages import Position
from device.live.ports import Shot
from device.live.starting import Beginner, Terms
from device.match.acts import taken_up
from device.match.match import Keep, Manners, Match, TakeAsItIs
from device.match.phase import Phase
from device.match.remembered import remembered
from device.match.resuming import resumed
from device.match.signals import Kind, Signal, Told
from device.match.table import offered, step
from engine import BadNotation, CannotStand, Layout, State, rulebook
from engine.history import History
from engine.matching import Follower, Nothing
from engine.matching.guide import guide_for
from engine.scene import Scene
from simulation.script import Event, veiled, write
from tests.device.live.scripted import FRAME_S, ScriptedView, Stage, picture_of
from tests.device.live.test_without_pixels import Plain
from tests.engine.matching.course import SAID
from tests.engine.matching.table import Table
from vision.view import State as Gate

MISHAPS = ("missed", "false", "other table", "restart", "denied", "lying")
"""What goes wrong: moves nobody saw, an entry that is false, a table that somebody changed, a stop in the
middle, a question that is denied, a refused move that is left lying."""
AGREED = (Phase.WATCHING, Phase.FINISHED)
NOW = Manners(calm_s=0)
_WALK = 40
"""So many moves and facts at most until two were seen."""


@dataclass
class Story:
    """What became of one game."""

    mishap: str
    presses: list[str] = field(default_factory=list)
    wrong: str = ""
    """Why it did not go on."""


class Astray:
    """One game that is followed, goes wrong, and is led back."""

    def __init__(self, game: str, seed: int, path: Path) -> None:
        self.game_name, self.rng = game, Random(f"{game} {seed}")
        self.script = write(game, seed=seed, moves=24, illegal=0.08, stands=0.0)
        self.book = rulebook(game)
        self.guide = guide_for(self.book)
        self.first = Terms(game).from_state(State.from_json(self.script.setup))
        self.table, self.stage, self.frames, self.adopt = Table(seed), Stage(), 0, 0
        self.lies: Layout = self.script.start
        self.path = path / f"{game}-{seed}.match"
        self.unwritten: list[Draft] = [*began(self.first)]
        self.drafts: list[Draft] = [*self.unwritten]
        self._sit_down(taken_up(Match(manners=NOW), self.first))

    # — the game as it goes —

    def tell_story(self, mishap: str) -> Story:
        """Play until something goes wrong, press what leads back, and play on."""
        story = Story(mishap)
        self._show(self.script.start)
        events = [event for event in self.script.events if event.visible or self._is_said(event)]
        count = self.rng.randrange(2, max(3, len(events) - 6))
        for event in events[:count]:
            self._event(event)
        before = self.game.entries
        self._go_wrong(mishap, events, count)
        self._lead_back(story)
        if not story.wrong and self.game.outcome is None:
            self._play_on(story)
        self._check_journal(story, len(before))
        return story

    def _event(self, event: Event) -> None:
        if self._is_said(event):
            self.tell(Told(Kind.TYPED, event.text))
            return
        self.visit(event.after, event.player)
        if not event.stands:
            self.visit(event.before, event.player)

    def _is_said(self, event: Event) -> bool:
        words = {*event.text.split(": ")[-1].split(" ")}
        return event.kind == "move" and bool(words & {*SAID[self.game_name]})

    # — what goes wrong —

    def _go_wrong(self, mishap: str, events: list[Event], count: int) -> None:
        seen = [event for event in events[count:] if event.visible and event.stands]
        if mishap in ("missed", "restart") and seen:
            if mishap == "restart":
                self._start_again()
            missed = seen[: self.rng.randrange(2, 5)]
            self.visit(missed[-1].after, missed[-1].player)
        elif mishap == "false":
            self._tell_false()
            self._show(self.lies)
        elif mishap == "other table":
            states = [State.from_json(data) for data in self.script.states]
            self.visit(self.book.layout(self.rng.choice(states)), self.rng.choice((1, 2)))
        elif mishap == "denied" and seen:
            self.visit(seen[min(1, len(seen) - 1)].after, seen[0].player)
            if Kind.UNDO in offered(self.match):
                self.tell(Told(Kind.UNDO))
                self._show(self.lies)
        elif mishap == "lying":
            refused = next((event for event in self.script.events if self._may_stand(event)), None)
            if refused is not None and refused.visible:
                self.visit(refused.after, refused.player)

    def _may_stand(self, event: Event) -> bool:
        """Whether a move is refused, and yet leaves a table that can be one of the game."""
        try:
            before = State.from_json(self.script.states[event.state])
            return event.status == "illegal" and bool(
                self.book.let_stand(before, self.book.parse(event.text))
            )
        except (BadNotation, CannotStand):
            return False

    def _tell_false(self) -> None:
        """Something is typed that nobody did."""
        state = self.game.state
        if self.book.pending(state) is None and self.book.legal_moves(state):
            move = self.rng.choice([*self.book.legal_moves(state)])
            self.tell(Told(Kind.TYPED, self.book.format(move)))
        elif self.book.pending(state) is not None:
            fact = veiled(self.book.sample(state, self.rng))
            self.tell(Told(Kind.TYPED, self.book.format_fact(fact)))

    # — what leads back —

    @property
    def scene(self) -> Scene:
        """The table as it lies."""
        return self.table.scene(self.lies)

    def agrees(self) -> bool:
        """Whether table and record agree."""
        follower = self.eye._followed.follower  # it alone knows where the dice lay
        assert follower is not None
        return self.match.phase in AGREED and isinstance(follower.see(self.scene), Nothing)

    def _answer(self) -> int | None:
        """The number of the first choice that is so, by the table."""
        for number, option in enumerate(self.match.options):
            if isinstance(Follower.of(option.game).at(self.scene).see(self.scene), Nothing):
                return number
        return None

    def _lead_back(self, story: Story) -> None:
        for _ in range(2):
            if self.agrees():
                return
            answer = self._answer()
            if answer is not None and self.rng.random() < 0.7:
                story.presses.append(f"choose {self.match.options[answer].words}")
                self.tell(Told(Kind.CHOOSE, number=answer))
            elif Kind.AS_IT_IS in offered(self.match):
                story.presses.append("as it is")
                for player in (1, 2):
                    self.tell(Told(Kind.AS_IT_IS, number=player))
            elif Kind.UNDO in offered(self.match):
                story.presses.append("undo")
                self.tell(Told(Kind.UNDO))
            self._show(self.lies)
        if not self.agrees():
            told = [self.match.notice, self.match.words, *self.match.places]
            story.wrong = f"{self.match.phase} after {story.presses}: {' '.join(filter(None, told))}"

    def _play_on(self, story: Story) -> None:
        """Two more moves that the table shows, by the record as it is now."""
        state, seen = self.game.state, 0
        for _ in range(_WALK):
            if seen == 2 or self.book.outcome(state) is not None:
                return
            player = None
            if self.book.pending(state) is not None:
                after = self.book.observe(state, veiled(self.book.sample(state, self.rng)))
            else:
                moves = self._told_by_the_table(state)
                if not moves:
                    return
                move = self.rng.choice(moves)
                player, after = move.player, self.book.apply(state, move)
            if self.book.layout(after) != self.book.layout(state) and self.book.pending(after) is None:
                self.visit(self.book.layout(after), player or 1)
                seen += 1
                if self.match.phase in (Phase.OUT_OF_STEP, Phase.ILLEGAL):
                    told = [self.match.words, *self.match.places]
                    story.wrong = f"not gone on, {self.match.phase}: {' '.join(told)} {story.presses}"
                    return
                if self.match.phase is Phase.ASKING:
                    return
                after = self.game.state
            state = after

    def _told_by_the_table(self, state: State) -> list:  # type: ignore[type-arg]
        before = self.book.layout(state)
        moves = self.book.legal_moves(state)
        seen = [move for move in moves if self.book.layout(self.book.apply(state, move)) != before]
        return seen or [*moves]

    def _check_journal(self, story: Story, before: int) -> None:
        """The journal holds the game, and nothing of it was lost."""
        self._write()
        with Journal(self.path) as journal:
            kept = game_in(journal.events)
        assert kept is not None
        assert kept.entries == self.game.entries
        assert len(kept.entries) >= before
        if story.presses and not story.wrong:
            notes = [draft.body.get("what") for draft in self.drafts if draft.kind == "note"]
            assert notes or len(kept.entries) > before

    # — the wires —

    @property
    def game(self) -> History:
        """The game as it counts."""
        assert self.match.game is not None
        return self.match.game

    def _sit_down(self, match: Match) -> None:
        self.match = match
        beginner = Beginner(Terms(self.game_name))
        self.eye = Eye(ScriptedView(self.stage), Plain(self.stage), beginner, Follower.of)

    def _start_again(self) -> None:
        self._write()
        with Journal(self.path) as journal:
            events = journal.events
        game = game_in(events)
        assert game is not None
        self._sit_down(resumed(Match(manners=NOW), game, events))
        self.adopt = 0
        self.eye.wake()
        self.eye.go_on(remembered(game, events))

    def _write(self) -> None:
        with Journal(self.path) as journal:
            journal.append(self.unwritten)
        self.unwritten = []

    def visit(self, layout: Layout, player: int) -> None:
        """A hand comes and goes, and the table is another one."""
        self.stage.hands = frozenset({player})
        for state in (Gate.HAND, Gate.HAND, Gate.SETTLING):
            self._frame(state, None)
        self._show(layout)

    def _show(self, layout: Layout, frames: int = 12) -> None:
        self.lies = layout
        scene = self.scene
        for _ in range(frames):
            self._frame(Gate.SETTLED, scene)

    def _frame(self, state: Gate, scene: Scene | None) -> None:
        self.stage.show(state, scene)
        shot = Shot(self.frames, self.frames * FRAME_S, picture_of(self.frames))
        self.frames += 1
        match = self.match
        position = Position(match.game, match.stood, match.version, self.adopt, match.denied)
        for signal in self.eye.see(shot, position):
            self.tell(signal)
            self.tell(Told(Kind.TIME))

    def tell(self, signal: Signal) -> None:
        """Something reaches the match."""
        self.match, orders = step(self.match, signal, self.frames * FRAME_S)
        for order in orders:
            if isinstance(order, Keep):
                self.unwritten += order.drafts
                self.drafts += order.drafts
            elif isinstance(order, TakeAsItIs):
                self.adopt += 1
        self.match = replace(self.match, unsaved=())
