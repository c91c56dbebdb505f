"""Random games that go astray, and the presses that lead back: the real eye and match, without pixels."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from device.journal.events import Draft
from device.journal.game import began, game_in
from device.journal.store import Journal
from device.live.eye import Eye
from device.live.messages import Position
from device.live.ports import Shot
from device.live.starting import Agreed, Beginner
from device.match.acts import taken_up
from device.match.match import Keep, Manners, Match, TakeAsItIs
from device.match.phase import Phase
from device.match.remembered import remembered
from device.match.resuming import resumed
from device.match.signals import Kind, Signal, Told
from device.match.transitions import step
from engine import Layout, Move, State, rulebook
from engine.errors import BadSetup
from engine.history import History
from engine.matching import Follower, Incomplete, Nothing
from engine.matching.as_it_is import as_it_is
from engine.record import Entry
from engine.scene import Scene
from simulation.script import Script, Scripted, veiled, write
from tests.device.live import leading_back
from tests.device.live.elsewhere import as_it_lies
from tests.device.live.going_wrong import MISHAPS
from tests.device.live.scripted import FRAME_S, ScriptedView, Stage, picture_of
from tests.device.live.sitting import Plain
from tests.engine.matching.doubtful_table import Table
from tests.engine.matching.followed_course import SAID
from vision.view import FrameState as Gate

AGREED = (Phase.WATCHING, Phase.FINISHED)
LOST_THREAD = (Phase.OUT_OF_STEP, Phase.ILLEGAL, Phase.UNFINISHED)
NOW = Manners(calm_s=0)
_WALK = 40
"""So many moves and facts at most until two were seen."""
_DEAL_IS_OVER = ("hand", "deal")
"""What is due between two deals, when the table is cleared."""
_TRIES = 6
"""So often something goes wrong at most, each time worse, until record and table disagree."""
_LOOKS = 3
"""So often people with a table in doubt move a hand away for another look."""
_IN_A_HURRY = 0.6
"""How often people take one of the ways with the fewest presses."""
_WHOLE = 1500
"""So many moves bring most games to their end."""


@dataclass
class Story:
    """What became of one game."""

    mishap: str
    doubtful: float
    happened: bool = False
    """Whether anything went wrong at all."""
    ways: list[str] = field(default_factory=list)
    presses: int = 0
    """Of both players together."""
    refused: bool = False
    """Whether the table could not be taken as it is, and the pieces were put right instead."""
    wrong: str = ""
    """Why it did not go on."""


class Astray:
    """One game that is followed, goes wrong, and is led back."""

    def __init__(self, game: str, seed: int, path: Path, mishap: str) -> None:
        self.rng = Random(f"{game} {seed} {mishap}")
        self.story = Story(mishap, self.rng.choice((0.0, 0.0, 0.05, 0.1, 0.2)))
        self.game_name, self.book = game, rulebook(game)
        self.script = self._written(seed)
        self.table = Table(seed, doubtful=self.story.doubtful)
        self.stage, self.frames, self.adopt = Stage(), 0, 0
        self.path = path / f"{game}-{seed}-{mishap}.match"
        self.at = self._first() if mishap == "finished" else 0
        """Which event of the script is the next."""
        self.tries = 0
        self.put: tuple[str, ...] = ()
        """What people know to have been set elsewhere, as they would type it."""
        self.may_be_none: Layout | None = None
        """The table before it was changed, where it may be none of the game now."""
        self.is_shoved = self.lets_stand = self.ended_falsely = False
        state, self.lies = self._before(self.at)
        first = Agreed(game).from_state(state)
        self.unwritten: list[Draft] = [*began(first)]
        self.drafts: list[Draft] = [*self.unwritten]
        self._sit_down(taken_up(Match(manners=NOW), first))

    def _written(self, seed: int) -> Script:
        mishap = self.story.mishap
        illegal = {"lying": 0.4, "finished": 0.0}.get(mishap, 0.08)
        moves = _WHOLE if mishap == "finished" else 24
        return write(self.game_name, seed=seed, moves=moves, illegal=illegal, stands=0.0)

    def _first(self) -> int:
        """With which event of a whole game its last few moves begin."""
        return max(0, len(self.script.events) - self.rng.randrange(3, 9))

    def _before(self, at: int) -> tuple[State, Layout]:
        number = self.script.events[at - 1].state if at else 0
        state = State.from_json(self.script.states[number])
        return state, self.book.layout(state)

    # — the game as it goes —

    def tell_story(self) -> Story:
        """Play until something goes wrong, press what leads back, and play on."""
        story = self.story
        self.show(self.lies)
        if story.mishap not in ("finished", "lying"):
            for _ in range(self.rng.randrange(2, 12)):
                if (event := self.next()) is not None:
                    self.play(event)
        before = self.match.game.entries if self.match.game else ()
        for self.tries in range(_TRIES):
            MISHAPS[story.mishap](self)
            story.happened = not self.agrees()
            if story.happened:
                break
            if (event := self.next()) is not None and story.mishap != "lying":
                self.play(event)
        self._lead_back()
        if not story.wrong and self.game.outcome is None:
            self._play_on()
        self._check_journal(len(before))
        return story

    def next(self) -> Scripted | None:
        """What the script has next; moves that show nothing and nobody says are left out."""
        events = self.script.events
        while self.at < len(events) and not (events[self.at].visible or self.is_said(events[self.at])):
            self.at += 1
        return events[self.at] if self.at < len(events) else None

    def play(self, event: Scripted) -> None:
        """What the script has next is done, and seen."""
        self.at += 1
        if self.is_said(event):
            self.type(event.text)
            return
        self.visit(event.after, event.player)
        if not event.stands:
            self.visit(event.before, event.player)

    def skip(self, moves: int) -> None:
        """So many moves are made before anybody looks."""
        seen: list[Scripted] = []
        while len(seen) < moves and (event := self.next()) is not None:
            self.at += 1
            seen += [event] if event.visible and event.stands else []
        if seen:
            self.visit(seen[-1].after, seen[-1].player)

    def play_to_the_end(self) -> None:
        """The last moves of a game; in half of the games the last of them is only typed."""
        falsely = self.rng.random() < 0.5
        while (event := self.next()) is not None:
            self.ended_falsely = falsely and event is self.script.events[-1] and event.visible
            if self.ended_falsely:
                self.at += 1
                self.type(event.text)
            else:
                self.play(event)
        for player in (1, 2):  # a game of Dominoids goes on until they agree to stop
            if self.game_name == "dominoids" and self.match.phase is not Phase.FINISHED:
                self.type(f"{player}: agree")

    def is_said(self, event: Scripted) -> bool:
        """Whether it is a move that a player tells by hand."""
        words = {*event.text.split(": ")[-1].split(" ")}
        return event.kind == "move" and bool(words & {*SAID[self.game_name]})

    # — what leads back —

    @property
    def truth(self) -> Scene:
        """The table as it lies, read without a doubt."""
        with self._clearly():
            return self.table.scene(self.lies)

    @contextmanager
    def _clearly(self) -> Iterator[None]:
        self.table.doubtful, doubtful = 0.0, self.table.doubtful
        yield
        self.table.doubtful = doubtful

    def would_agree(self, game: History | None, *, wholly: bool = True) -> bool:
        """Whether a game agrees with the table as it lies, ``wholly`` or but for what seems misread."""
        if game is None:
            return False
        scene = self.truth
        verdict = Follower.of(game).at(scene).see(scene)
        return isinstance(verdict, Nothing) and not (wholly and verdict.doubts)

    def agrees(self) -> bool:
        """Whether table and record agree, and the match knows."""
        follower = self.eye._followed.follower  # it alone knows where the dice lay
        if follower is None or self.match.game is None:
            return False
        # A roll or a tile that is due, and that the table may show already, is waited for as in any game.
        due = self.book.pending(self.game.state) is not None and self.match.phase is Phase.UNFINISHED
        seen = follower.see(self.truth)
        return (
            isinstance(seen, Incomplete) if due else self.match.phase in AGREED and isinstance(seen, Nothing)
        )

    def both(self, kind: Kind) -> None:
        """Both players press, one after the other."""
        for player in (1, 2):
            self.tell(Told(kind, number=player))
            self._frame(Gate.SETTLED, self._scene)

    def _lead_back(self) -> None:
        story, told = self.story, list[str]()
        while not self.agrees():
            left = leading_back.BUDGET - story.presses
            open_ = [way for way in leading_back.ways(self) if way.presses <= left]
            if not open_ or story.wrong:
                story.wrong = story.wrong or f"{self._said()} after {told}"
                return
            least = min(way.presses for way in open_)
            quick = [way for way in open_ if way.presses == least]
            way = self.rng.choice(quick if self.rng.random() < _IN_A_HURRY else open_)
            told.append(f"{way.name}: {way.words}")
            story.ways.append(way.name)
            story.presses += way.presses
            self._go(way)

    def _go(self, way: leading_back.Way) -> None:
        """Press, and hold what is written since against what was pressed."""
        story, before, drafts = self.story, self.match.game, len(self.drafts)
        way.go()
        self.show(self.lies)
        known = len(before.entries) if before else 0
        entries = [*self.game.entries[known:]] if self.match.game else []
        notes = [str(one.body.get("what", one.kind)) for one in self.drafts[drafts:] if one.kind != "entry"]
        told = leading_back.is_told(way, notes, entries) or (way.name == "as it is" and self.agrees())
        if self.may_be_none is not None and way.name == "as it is" and not self.agrees():
            self._put_right(entries)
        elif not told:
            story.wrong = f"{way.name} left no word in the record: {self._said()}"

    def _put_right(self, taken: Sequence[Entry]) -> None:
        """No table of the game looks so: people are told, and put the pieces as the record has them."""
        said = self._said()
        if "cannot" not in said and "should" not in said:
            self.story.wrong = f"no reason: {said}"
        elif self._could_be():
            self.story.wrong = f"refused, though it can be: {said}"
        # What is asked of that table is asked anew; two tiles may have been laid before anything was told.
        self.story.refused, self.story.presses = True, 0
        assert self.may_be_none is not None
        self.visit(self.book.layout(self.game.state) if taken and self.match.game else self.may_be_none, 1)

    def _could_be(self) -> bool:
        """Whether the table is one of this game all the same: it was read rightly, or the game had it.

        Of Dominoids that is begun anew it is not known what was collected, nor whose dice lie out.
        """
        if self.game_name == "dominoids" and self.story.mishap == "setting up":
            return False
        if any(self.book.layout(State.from_json(one)) == self.lies for one in self.script.states):
            return True
        follower = self.eye._followed.follower
        if follower is None or self.story.doubtful:
            return False
        with suppress(BadSetup):
            taken = as_it_is(follower, self.truth, follower.see(self.truth))
            return self.book.layout(taken.state) == self.lies
        return False

    def _said(self) -> str:
        match = self.match
        return f"{match.phase}: {' '.join(filter(None, [match.notice, match.words, *match.places]))}"

    def _play_on(self) -> None:
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
                seen += 1
                table = as_it_lies(self.book.layout(after), self.book.layout(self.game.state), self.lies)
                if not self._is_followed(table, player or 1):
                    self.story.wrong = f"not gone on after {self.story.ways}: {self._said()}"
                    return
                after = self.game.state
            if self.book.pending(after) in _DEAL_IS_OVER:
                return
            state = after

    def _is_followed(self, table: Layout, player: int) -> bool:
        """Whether a move is taken up, or asked about with its answer among the choices."""
        for _ in range(_LOOKS if self.story.doubtful else 1):
            self.visit(table, player)
            if self.match.phase is Phase.ASKING:
                return any(self.would_agree(option.game, wholly=False) for option in self.match.options)
            if self.match.phase not in LOST_THREAD:
                return True
        return False

    def is_quiet(self, state: State) -> bool:
        """Whether a game can be begun amid with this table: nothing is due, no dice of a turn lie out."""
        dice = self.game_name == "dominoids" and any(
            spot.kind == "die" and spot.region in ("new", "chosen") for spot in self.book.layout(state).spots
        )
        return self.book.pending(state) is None and self.book.outcome(state) is None and not dice

    def _told_by_the_table(self, state: State) -> list[Move]:
        before = self.book.layout(state)
        moves = self.book.legal_moves(state)
        seen = [move for move in moves if self.book.layout(self.book.apply(state, move)) != before]
        return seen or [*moves]

    def _check_journal(self, before: int) -> None:
        """The journal holds the game, and nothing of it was lost."""
        self._write()
        with Journal(self.path) as journal:
            kept = game_in(journal.events)
        if self.match.game is None:
            self.story.wrong = self.story.wrong or "no game has begun"
            return
        assert kept is not None
        assert kept.entries == self.game.entries
        assert len(kept.entries) >= before or self.story.mishap == "setting up"

    # — the wires —

    @property
    def game(self) -> History:
        """The game as it counts."""
        assert self.match.game is not None
        return self.match.game

    def _sit_down(self, match: Match) -> None:
        self.match = match
        beginner = Beginner(Agreed(self.game_name))
        self.eye = Eye(ScriptedView(self.stage), Plain(self.stage), beginner, Follower.of)

    def start_again(self) -> None:
        """The match is stopped, and taken up from its journal."""
        self._write()
        with Journal(self.path) as journal:
            events = journal.events
        game = game_in(events)
        assert game is not None
        self._sit_down(resumed(Match(manners=NOW), game, events))
        self.adopt = 0
        self.eye.wake()
        self.eye.go_on(remembered(game, events))

    def leave_the_game(self) -> None:
        """Another match begins at this table, with nothing seen of it yet."""
        self._sit_down(Match(manners=NOW, blank=Agreed(self.game_name).blank()))
        self.adopt = 0

    def lose_camera(self) -> None:
        """It does not answer."""
        self.tell(Told(Kind.LOST, "The camera does not answer."))
        self.eye.wake()

    def _write(self) -> None:
        with Journal(self.path) as journal:
            journal.append(self.unwritten)
        self.unwritten = []

    def type(self, line: str) -> None:
        """Somebody types."""
        self.tell(Told(Kind.TYPED, line))

    def visit(self, layout: Layout, player: int) -> None:
        """A hand comes and goes, and the table is another one."""
        self.stage.hands = frozenset({player})
        for state in (Gate.HAND, Gate.HAND, Gate.SETTLING):
            self._frame(state, None)
        self._scene = self.table.scene(layout)
        self.lies = layout
        self.show(layout)

    def look(self) -> None:
        """Nobody comes, and the table is looked at."""
        self.stage.hands = frozenset()
        self._frame(Gate.SETTLING, None)
        self.show(self.lies)

    def show(self, layout: Layout, frames: int = 12) -> None:
        """The table lies still."""
        if layout != self.lies or not self.frames:  # what nobody touches reads as it did
            self._scene = self.table.scene(layout)
        self.lies = layout
        for _ in range(frames):
            self._frame(Gate.SETTLED, self._scene)

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
