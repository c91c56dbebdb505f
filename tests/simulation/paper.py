"""People at a table without pixels: the real eye, follower and match look at scenes made from the truth.

Referees of known worth are made of it by twisting what the eye says: one that hears nothing, one that always
asks, one that is wrong and silent.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from device.live.eye import Eye
from device.live.messages import Position
from device.live.ports import Seen, Shot
from device.live.starting import Agreed, Beginner
from device.match.match import Keep, Manners, Match, TakeAsItIs
from device.match.match_view import view
from device.match.signals import Kind, Saw, SetUp, Signal, Told
from device.match.transitions import step
from engine import Layout
from engine.matching import Choice, Follower, Happened, OutOfStep, Question, Ruled
from engine.scene import Scene
from simulation.people import People
from simulation.playing import slip
from simulation.script import Scripted
from simulation.temper import STARTS_S, Press, Temper
from simulation.whole_game import Mind, WholeGame
from tests.device.live.scripted import ScriptedView, Stage, TruthReader, number_of, picture_of
from tests.engine.matching.doubtful_table import Table
from vision.view import FrameState as Gate
from vision.view import TableView

BUSY_S, VISIT_S, FRAME_S = 1.2, 0.8, 0.1
SETTLES = 4
"""So many frames a free table is still before it counts as settled."""

Twist = Callable[["PaperMatch", Signal], Sequence[Signal]]
"""What a referee makes of what its eye says."""


@dataclass
class PaperTable:
    """A table whose pieces are a layout; hands are a time."""

    layout: Layout
    now: float = 0.0
    busy_until: float = -1.0
    player: int = 0
    visits: int = 0
    """How often a hand came for nothing."""
    idle: bool = False
    """Whether the last hand did."""
    _after: Layout | None = None

    def do(self, event: Scripted, _name: str) -> float:
        """Hands begin to do this."""
        self._after, self.player, self.idle = event.after, event.player, False
        self.busy_until = self.now + BUSY_S
        return self.busy_until

    def visit(self, player: int, _name: str) -> float:
        """A hand comes for nothing."""
        self.player, self.busy_until, self.idle = player, self.now + VISIT_S, True
        self.visits += 1
        return self.busy_until

    def go_on(self) -> bool:
        """The next frame; whether a hand is seen in it."""
        self.now = round(self.now + FRAME_S, 6)
        if self.now >= self.busy_until and self._after is not None:
            self.layout, self._after = self._after, None
        return self.now < self.busy_until


class PaperReader(TruthReader):
    """Reads what the stage shows, and says of no piece where in the picture it lies."""

    def read(self, table: TableView, _before: Seen | None = None) -> Seen:
        """What lies there."""
        scene = self.stage.scenes[number_of(table.picture)]
        assert isinstance(scene, Scene)
        return Seen(scene)


@dataclass
class PaperMatch:
    """A match over such a table."""

    terms: Agreed
    table: PaperTable
    seed: int
    manners: Manners = field(default_factory=lambda: Manners(calm_s=0.5))
    doubtful: float = 0.0
    twist: Twist | None = None

    def __post_init__(self) -> None:
        self.match = Match(manners=self.manners, blank=self.terms.blank())
        self.scenes = Table(self.seed, doubtful=self.doubtful)
        self.stage, self.frames, self.adopt, self.still = Stage(), 0, 0, 0
        self.eye = Eye(
            ScriptedView(self.stage), PaperReader(self.stage), Beginner(self.terms),
            Follower.of,
        )  # fmt: skip
        self._known: tuple[Layout, Scene] | None = None
        self._view: tuple[Match, dict[str, object]] | None = None
        self.presses: list[tuple[str, str, float]] = []
        """What was pressed, in which phase, and how long that had lasted."""
        self._phase = "", 0.0

    def look(self) -> None:
        """The next frame."""
        hand = self.table.go_on()
        self.still = 0 if hand else self.still + 1
        state = Gate.HAND if hand else Gate.SETTLING if self.still < SETTLES else Gate.SETTLED
        self.stage.hands = frozenset({self.table.player}) if hand else frozenset()
        self.stage.show(state, None if hand else self._scene())
        shot = Shot(self.frames, self.table.now, picture_of(self.frames))
        self.frames += 1
        self.hear(Told(Kind.TIME))
        match = self.match
        position = Position(match.game, match.stood, match.version, self.adopt, match.denied)
        for signal in self.eye.see(shot, position):
            for heard in [signal] if self.twist is None else self.twist(self, signal):
                self.hear(heard)

    def _scene(self) -> Scene:
        if self._known is None or self._known[0] is not self.table.layout:
            self._known = self.table.layout, self.scenes.scene(self.table.layout)
        return self._known[1]

    def press(self, press: Press) -> None:
        """Somebody wants something."""
        self.presses.append((press.kind, self._phase[0], self.table.now - self._phase[1]))
        self.hear(Told(Kind(press.kind), press.words, press.number, press.key))

    def hear(self, signal: Signal) -> None:
        """One signal; the disk is as quick as thought."""
        self.match, orders = step(self.match, signal, self.table.now)
        self.adopt += sum(isinstance(order, TakeAsItIs) for order in orders)
        if any(isinstance(order, Keep) for order in orders):
            self.match = replace(self.match, unsaved=())
        if (phase := str(self.view["phase"])) != self._phase[0]:
            self._phase = phase, self.table.now

    @property
    def view(self) -> dict[str, object]:
        """The page."""
        if self._view is None or self._view[0] is not self.match:
            self._view = self.match, view(self.match)
        return self._view[1]


def played(
    game: str, seed: int, *, temper: Temper | None = None, mind: Mind | None = None, profile: str = "default",
    twist: Twist | None = None, doubtful: float = 0.0, longest_s: float = 7200.0,
) -> tuple[People, PaperMatch]:  # fmt: skip
    """A whole game by people at such a table."""
    temper = temper or Temper()
    how = {} if mind is None else {"mind": mind}
    whole = WholeGame.begin(game, seed=seed, profile=profile, **how)
    table = PaperTable(whole.layout)
    manners = Manners(confirm=temper.confirm, calm_s=0.5)
    match = PaperMatch(Agreed(game, profile), table, seed, manners, doubtful, twist)
    people = People(whole, table, temper, seed=seed)
    while not people.done and table.now < longest_s:
        match.look()
        for press in people.at(match.view):
            match.press(press)
    return people, match


# — referees of known worth —


def deaf(_match: PaperMatch, signal: Signal) -> Sequence[Signal]:
    """It sees that there are hands, and nothing that they do."""
    return () if isinstance(signal, Saw) else (signal,)


def lenient(_match: PaperMatch, signal: Signal) -> Sequence[Signal]:
    """It sees what is allowed, and nothing that is not."""
    return () if isinstance(signal, Saw) and signal.kind is Kind.REFUSED else (signal,)


def unhearing(_match: PaperMatch, signal: Signal) -> Sequence[Signal]:
    """It never sees that something was taken back."""
    return () if isinstance(signal, Saw) and signal.kind is Kind.TAKE_BACK else (signal,)


def dreaming(match: PaperMatch, signal: Signal) -> Sequence[Signal]:
    """It takes each hand that came for nothing for a move."""
    if not (isinstance(signal, Saw) and signal.kind is Kind.NOTHING and match.table.idle):
        return (signal,)
    match.table.idle = False
    dreamt = _others(match, 1)
    return (replace(signal, kind=Kind.LEGAL, verdict=dreamt[0].outcome),) if dreamt else (signal,)


def fussy(match: PaperMatch, signal: Signal) -> Sequence[Signal]:
    """It does not take up the table for longer than people wait."""
    return () if isinstance(signal, SetUp) and match.table.now < 2 * STARTS_S else (signal,)


def alarmed(_match: PaperMatch, signal: Signal) -> Sequence[Signal]:
    """It sees every move, and then says that table and record disagree."""
    if not (isinstance(signal, Saw) and signal.kind is Kind.NOTHING):
        return (signal,)
    return (replace(signal, kind=Kind.DIFFERENT, verdict=OutOfStep(())),)


def asking(match: PaperMatch, signal: Signal) -> Sequence[Signal]:
    """It asks about every move that it has seen rightly."""
    if not (isinstance(signal, Saw) and signal.kind is Kind.LEGAL and isinstance(signal.verdict, Ruled)):
        return (signal,)
    question = Question("What was it?", (Choice(_told(signal.verdict), signal.verdict), *_others(match, 1)))
    return (replace(signal, kind=Kind.QUESTION, verdict=question),)


def silently_wrong(match: PaperMatch, signal: Signal) -> Sequence[Signal]:
    """It takes every allowed move for another one that is allowed, and never says that anything is odd."""
    if not isinstance(signal, Saw):
        return (signal,)
    verdict = signal.verdict
    if signal.kind is Kind.LEGAL and isinstance(verdict, Ruled):
        others = _others(match, 1)
        seen = any(one.kind == "fact" for one in verdict.happened)
        return (signal,) if seen or not others else (replace(signal, verdict=others[0].outcome),)
    return (signal,) if signal.kind in (Kind.NOTHING, Kind.REFUSED) else ()


def accusing(match: PaperMatch, signal: Signal) -> Sequence[Signal]:
    """It refuses every allowed move as another one that is not allowed, and then sees that all is well."""
    if not (isinstance(signal, Saw) and signal.kind is Kind.LEGAL and isinstance(signal.verdict, Ruled)):
        return (signal,)
    game = match.match.game
    found = None if game is None else slip(game.book, game.state, game.state, Random(len(game.entries)))
    if found is None or any(one.kind == "fact" for one in signal.verdict.happened):
        return (signal,)
    wrong = Ruled((Happened("move", found.text, None, found.ruling),), 9.0)
    return (replace(signal, kind=Kind.REFUSED, verdict=wrong),)


def naming(match: PaperMatch, signal: Signal) -> Sequence[Signal]:
    """It takes every allowed move for another one, and says beside it what else it may have been."""
    told = silently_wrong(match, signal)
    if not (isinstance(signal, Saw) and isinstance(signal.verdict, Ruled) and told and told[0] is not signal):
        return told
    (wrong,) = told
    assert isinstance(wrong, Saw)
    assert isinstance(wrong.verdict, Ruled)
    alike = tuple(one.text for one in signal.verdict.happened)
    happened = tuple(replace(one, alike=alike) for one in wrong.verdict.happened)
    return (replace(wrong, verdict=replace(wrong.verdict, happened=happened)),)


def misnaming(match: PaperMatch, signal: Signal) -> Sequence[Signal]:
    """It takes a move for another one that leaves the table just as it is, and does not say so."""
    game = match.match.game
    if not (isinstance(signal, Saw) and signal.kind is Kind.LEGAL and isinstance(signal.verdict, Ruled)):
        return (signal,)
    if game is None or len(signal.verdict.happened) != 1 or signal.verdict.happened[0].kind != "move":
        return (signal,)
    (true,) = signal.verdict.happened
    book, made = game.book, game.book.parse(true.text)
    for move in book.legal_moves(game.state):
        after, ruling = book.apply(game.state, move), book.judge(game.state, move)
        if move != made and book.layout(after) == match.table.layout and ruling != true.ruling:
            wrong = Happened("move", book.format(move), after, ruling)
            return (replace(signal, verdict=replace(signal.verdict, happened=(wrong,))),)
    return (signal,)


def naming_beside(match: PaperMatch, signal: Signal) -> Sequence[Signal]:
    """The same, and it says what was made beside it."""
    (told,) = misnaming(match, signal)
    if told is signal:
        return (signal,)
    assert isinstance(signal, Saw)
    assert isinstance(signal.verdict, Ruled)
    assert isinstance(told, Saw)
    assert isinstance(told.verdict, Ruled)
    (wrong,), (true,) = told.verdict.happened, signal.verdict.happened
    wrong = replace(wrong, alike=(true.text,))
    return (replace(told, verdict=replace(told.verdict, happened=(wrong,))),)


def _told(ruled: Ruled) -> str:
    return "; ".join(one.text for one in ruled.happened)


def _others(match: PaperMatch, many: int) -> list[Choice]:
    """Other moves that are allowed now, than the one that lies there."""
    game = match.match.game
    assert game is not None
    book, found = game.book, []
    true = match.table.layout
    for move in book.legal_moves(game.state):
        after = book.apply(game.state, move)
        if book.layout(after) not in (true, book.layout(game.state)) and len(found) < many:
            text = book.format(move)
            happened = (Happened("move", text, after, book.judge(game.state, move)),)
            found.append(Choice(text, Ruled(happened, 9.0)))
    return found
