"""The follower: holds a scene against the record and says what happened, or that it cannot say."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import inf
from typing import Final

from engine.book import AnyRuleBook, Move, State
from engine.errors import ImpossibleFact
from engine.history import History, Step
from engine.matching.evidence import Gap, Places, look
from engine.matching.guide import Guide, guide_for
from engine.matching.outcome import (
    Choice,
    Difference,
    Happened,
    Incomplete,
    Nothing,
    OutOfStep,
    Question,
    Revision,
    Ruled,
    TakeBack,
    Unreadable,
    Verdict,
)
from engine.matching.search import CLEAR, PLIES, Line, Search, settled
from engine.matching.words import differences
from engine.ruling import Status
from engine.scene import Scene

TAKEN_BACK: Final = -4.0
"""The log of how often a table that looks as before was taken back, beside a move that leads there."""
MISREAD: Final = 2
"""So many pieces may be misread at once, lying where they should, before the record is doubted."""
FARFETCHED: Final = -2.0
"""An explanation that needs more good will than this is weighed against corrections of the record."""
WILD: Final = -9.5
"""Nor is one acted on that needs more good will than this, though nothing else explains the table."""
BACK: Final = 16
"""So many steps back the record may have to be corrected for what could not be seen then."""
CHOICES: Final = 4
"""So many choices a question offers at most."""


@dataclass(frozen=True, slots=True)
class Follower:
    """A game as confirmed so far, and where its pieces without places lay when it was last seen."""

    book: AnyRuleBook
    states: tuple[State, ...] = field(repr=False)
    """The states of the game, the first one first, then one for each step of the history."""
    told: tuple[str, ...] = field(default=(), repr=False)
    """These steps in notation, as far as they are facts or allowed moves; all others are empty."""
    places: Places = field(default_factory=dict, repr=False)

    @classmethod
    def of(cls, history: History) -> "Follower":
        """The follower of a game that was not looked at yet."""
        return cls(history.book, *_story(history))

    @property
    def state(self) -> State:
        """The state now."""
        return self.states[-1]

    def after(self, history: History, scene: Scene | None) -> "Follower":
        """The follower once the history has grown (or shrunk) to agree with ``scene``."""
        states, told = _story(history)
        return Follower(history.book, states, told, self.places).at(scene)

    def at(self, scene: Scene | None) -> "Follower":
        """The follower of the same game that knows the pieces without places again as they lie in a scene."""
        return self if scene is None else replace(self, places=self._places_in(self.state, scene))

    def pasts(self) -> Iterator[tuple[State, tuple[Revision, ...]]]:
        """Other states that look the same now, each with what must then be corrected in the record."""
        guide = guide_for(self.book)
        for back in range(1, min(len(self.told), BACK) + 1):
            before = self.states[-1 - back]
            for state, told in self._others(guide, before, self.told[-back]):
                retold = self._retold(guide, state, told, back)
                if retold is not None:
                    yield retold

    def _others(self, guide: Guide, before: State, text: str) -> Iterator[tuple[State, str]]:
        """What else a step may have been that looked the same, and the state after it."""
        if text.startswith("see "):
            for fact in guide.retellings(before, self.book.parse_fact(text)):
                yield self.book.observe(before, fact), self.book.format_fact(fact)
        elif text:
            for move in guide.twins(before, self.book.parse(text)):
                yield self.book.apply(before, move), self.book.format(move)

    def _retold(
        self, guide: Guide, state: State, first: str, back: int
    ) -> tuple[State, tuple[Revision, ...]] | None:
        """The state now if the step so far back was another; None where what followed cannot be then."""
        revisions = [Revision(back, first)]
        for steps in range(back - 1, 0, -1):
            text = self.told[-steps]
            after = self._again(guide, state, text)
            if after is None:
                return None
            state, told = after
            if told != text:
                revisions.append(Revision(steps, told))
        return state, tuple(revisions)

    def _again(self, guide: Guide, state: State, text: str) -> tuple[State, str] | None:
        """The state after the same step from another state, and the step as it is then."""
        if text.startswith("see "):
            try:
                return self.book.observe(state, self.book.parse_fact(text)), text
            except ImpossibleFact:
                return None
        move: Move | None = self.book.parse(text) if text else None
        if move is not None and not self.book.judge(state, move).allowed:
            move = guide.forced(state)  # another silent move, for the same reason
        return None if move is None else (self.book.apply(state, move), self.book.format(move))

    def see(self, scene: Scene) -> Verdict:
        """What happened between the record and this scene."""
        return _Look(self, scene).verdict()

    def _places_in(self, state: State, scene: Scene) -> Places:
        """Where the pieces without places lie in a scene; those not seen are where they were."""
        guide = guide_for(self.book)
        layout = guide.layout(state, self.places)
        found = guide.evidence(state, scene, self.places).found(layout)
        return guide.remembered(layout, found, self.places, scene)


def _story(history: History) -> tuple[tuple[State, ...], tuple[str, ...]]:
    states = (history.first, *(step.state for step in history.steps))
    return states, tuple(_told(step) for step in history.steps)


def _told(step: Step) -> str:
    """A step in notation, or nothing where it was refused or could not be."""
    refused = bool(step.problem) or (step.ruling is not None and not step.ruling.allowed)
    return "" if refused else step.happened.text


class _Look:
    """One look at one scene."""

    def __init__(self, follower: Follower, scene: Scene) -> None:
        self.follower, self.scene = follower, scene
        self.book = follower.book
        self.guide: Guide = guide_for(self.book)
        self.evidence = self.guide.evidence(follower.state, scene, follower.places)
        self.search = Search(self.guide, self.evidence)
        self.root = self.search.root(follower.state, follower.places)
        self.gap = self.search.gap(self.root)
        self.start = follower.state
        self.revisions: tuple[Revision, ...] = ()

    def verdict(self) -> Verdict:
        if self.gap.moved and self.guide.hangs_together(self.root.state, self.scene):
            # the whole line was pushed aside: the pieces are known by their looks alone
            self.root = self.search.root(self.root.state, {})
            self.gap = self.search.gap(self.root)
        if not self.gap:
            closed = self.evidence.idle_and_fresh()
            return OutOfStep(self._told(closed)) if closed else Nothing()
        if not self.scene.sightings:
            return Unreadable("OBS-SCENE", "The table cannot be seen.", self._told(self.gap))
        fitting = self._fitting(self.root)
        if not fitting or fitting[0].refused or fitting[0].prior < FARFETCHED:
            fitting = self._revised(fitting)
        back = self._taken_back()
        if back is not None:
            # where a move was taken back, nobody can call an illegal one that looks the same
            was = look(self.guide.layout(back[1].state, self.follower.places))
            fitting = [line for line in fitting if not line.refused or look(line.layout) != was]
        elif fitting and fitting[0].refused and (asked := self._taken_back_first(fitting)) is not None:
            return asked
        if not self.gap.moved and len(self.gap.misread) <= MISREAD:
            fitting = [line for line in fitting if line.worth > self.root.worth]
            if not fitting:
                return Nothing(self._told(self.gap))
        if fitting or back is not None:
            return self._decided(fitting, back)
        return self._unexplained()

    def _fitting(self, root: Line) -> list[Line]:
        lines = [line for line in self.search.lines(root) if self._explains(line)]
        return settled(self.guide, lines)

    def _explains(self, line: Line) -> bool:
        """Whether a line leaves nothing at odds but readings of pieces that it does not touch."""
        gap = self.search.gap(line)
        doubted = {spot.name for spot, _ in self.gap.misread}
        return not gap.moved and doubted.issuperset(spot.name for spot, _ in gap.misread)

    def _revised(self, fitting: list[Line]) -> list[Line]:
        """What fits if a step of the record was another move that looked the same; else what fits anyway."""
        for state, revisions in self.follower.pasts():
            root = self.search.root(state, self.follower.places)
            found = [line for line in self._fitting(root) if not line.refused]
            if found and (not fitting or found[0].worth + FARFETCHED / 2 > fitting[0].worth):
                self.revisions = revisions
                self.start = state
                return found
        return fitting

    # — deciding —

    def _decided(self, fitting: list[Line], back: tuple[float, TakeBack] | None) -> Verdict:
        ahead = max(fitting[0].worth if fitting else -inf, back[0] if back else -inf)
        close = [line for line in fitting if line.worth > ahead - CLEAR]
        finished = [line for line in close if not _is_unfinished(line)]
        stays = not self.gap.moved and self.root.worth > ahead - CLEAR
        returned = back[1] if back and back[0] > ahead - CLEAR else None
        if len(finished) + stays + (returned is not None) > 1:
            return self._question(finished[:CHOICES], stays=stays, back=returned)
        if returned is not None:
            return returned
        if not finished:
            return self._begun(close[0])
        if self._is_wild(finished[0]):
            return self._unexplained()
        others = [line.worth for line in fitting if line is not finished[0]] + ([back[0]] if back else [])
        return self._ruled(finished[0], finished[0].worth - max(others, default=-inf))

    def _begun(self, line: Line) -> Incomplete:
        """A legal beginning of a move."""
        happened = self._happened(line)
        ruling = happened[-1].ruling
        return Incomplete(ruling.reason if ruling else "", happened[:-1], self._told(self.gap))

    def _is_wild(self, line: Line) -> bool:
        """Whether an explanation needs more good will than to be acted on."""
        counted = self.search.beyond(line.plies) if self.scene.visits is None else 0.0
        return line.prior - counted < WILD

    def _ruled(self, line: Line, margin: float) -> Ruled:
        told = self._told(self.search.gap(line))
        return Ruled(self._happened(line), min(margin, 99.0), told, self.revisions, self._alike(line))

    def _alike(self, line: Line) -> tuple[str, ...]:
        """Moves that cannot be told from those of a line."""
        states = (self.start, *(step.state for step in line.steps))
        return tuple(
            self.book.format(twin)
            for before, step in zip(states, line.steps, strict=False)
            if before is not None and isinstance(step.did, Move) and not line.refused
            for twin in self.guide.twins(before, step.did)
        )

    def _happened(self, line: Line) -> tuple[Happened, ...]:
        told = []
        state = self.start
        for step in line.steps:
            if isinstance(step.did, Move):
                ruling = step.ruling
                if ruling is not None and not ruling.allowed:
                    ruling = self.book.check(state, step.did)
                told.append(Happened("move", self.book.format(step.did), step.state, ruling))
            else:
                told.append(Happened("fact", self.book.format_fact(step.did), step.state))
            state = step.state or state
        return (*told, *(() if line.refused else self._follows(line.state)))

    def _follows(self, state: State) -> tuple[Happened, ...]:
        """The silent moves that are all that can come next."""
        told: list[Happened] = []
        while (move := self.guide.forced(state)) is not None and len(told) < CHOICES:
            ruling = self.book.judge(state, move)
            state = self.book.apply(state, move)
            told.append(Happened("move", self.book.format(move), state, ruling))
        return tuple(told)

    def _question(self, close: list[Line], *, stays: bool, back: TakeBack | None) -> Question:
        ruled = (self._ruled(line, 0.0) for line in close)
        choices = [Choice(_choice(one), one) for one in ruled]
        if back is not None:
            choices.append(Choice(back.sentence, back))
        if stays:
            choices.append(Choice("Nothing was moved.", Nothing()))
        return Question("What was it?", tuple(choices))

    # — take-backs, and what no move explains —

    def _taken_back(self) -> tuple[float, TakeBack] | None:
        """The latest earlier state that the table equals, and what that is worth."""
        states = self.follower.states
        seen, plies = self.root.layout, 0
        for steps in range(1, min(len(states), BACK + 1)):
            state = states[-1 - steps]
            layout = self.guide.layout(state, self.follower.places)
            if layout == seen:
                continue
            seen, plies = layout, plies + 1
            if plies > max(2, self.scene.visits or PLIES):
                break
            if self.evidence.agrees(layout):
                words = "The last move was" if steps == 1 else f"The last {steps} steps were"
                words += " taken back."
                return self.evidence.score(layout) + TAKEN_BACK, TakeBack(steps, state, words)
        return None

    def _taken_back_first(self, fitting: list[Line]) -> Question | None:
        """Whether the last move was taken back and a legal one made since, rather than an illegal one."""
        states, places = self.follower.states, self.follower.places
        for steps in range(1, min(len(states), BACK + 1)):
            state = states[-1 - steps]
            if self.guide.layout(state, places) == self.root.layout:
                continue
            legal = [line for line in self._fitting(self.search.root(state, places)) if not line.refused]
            if not legal or legal[0].worth + TAKEN_BACK < fitting[0].worth - CLEAR:
                return None
            back = TakeBack(steps, state, "The last move was taken back, and another was made.")
            return self._question(fitting[:1], stays=False, back=back)
        return None

    def _unexplained(self) -> Verdict:
        told = self._told(self.gap)
        if self.scene.hidden and self._partly_hidden():
            return Unreadable("OBS-HIDDEN", "Part of what changed is covered.", told)
        if self.gap.missing and not self.gap.extra:
            lifted = " ".join(one.sentence for one in told)
            return Incomplete(f"A piece was taken up and is not down yet. {lifted}", (), told)
        waits = self.guide.waits_for(self.follower.state)
        if waits and self.guide.holds_back(self.follower.state):
            return Incomplete(waits, (), told)
        return OutOfStep(told)

    def _partly_hidden(self) -> bool:
        regions = {spot.region for spot in self.gap.missing} | {one.region for one in self.gap.extra}
        return any(part.region in regions for part in self.scene.hidden)

    def _told(self, gap: Gap) -> tuple[Difference, ...]:
        return tuple(differences(gap, named=self.guide.named))


def _is_unfinished(line: Line) -> bool:
    """Whether the last move is a legal beginning that still lacks something."""
    ruling = line.steps[-1].ruling
    return ruling is not None and ruling.status is Status.INCOMPLETE


def _choice(ruled: Ruled) -> str:
    """What a button says: the moves and facts of one explanation."""
    told = ", then ".join(one.text for one in ruled.happened)
    return f"{told} ({ruled.ruling.status})" if ruled.ruling is not None and ruled.refused else told
