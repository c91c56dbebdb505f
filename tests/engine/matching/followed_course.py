"""Whole games followed from scenes alone, and what became of each move."""

from collections import Counter
from collections.abc import Hashable
from dataclasses import dataclass, field, replace
from random import Random
from time import process_time

from engine import AnyRuleBook, State, rulebook
from engine.matching import Incomplete, Nothing, OutOfStep, Question, Ruled, TakeBack, Unreadable, Verdict
from engine.matching.follower import Follower
from engine.matching.guide import essence, guide_for
from simulation.script import Script, Scripted, write
from tests.engine.matching.doubtful_table import Table

SAID = {
    "dominoes-of-war": ("draw", "decline", "first", "nothing"),
    "kingdomino-duel": ("P5",),
    "draw-game": ("call", "redeal"),
    "dominoids": ("agree",),
}
"""Moves that are only said: a player tells them by hand."""


@dataclass
class Tally:
    """What became of the moves and facts of some games."""

    counts: Counter[str] = field(default_factory=Counter)
    stories: list[str] = field(default_factory=list)
    revised: int = 0
    """How often an earlier step had to be corrected."""
    seconds: list[float] = field(default_factory=list)

    def add(self, what: str, story: str = "") -> None:
        """One more."""
        self.counts[what] += 1
        if story:
            self.stories.append(f"{what}: {story}")

    @property
    def total(self) -> int:
        """All that were to be judged."""
        return sum(self.counts.values())


class Course:
    """One game, its table and its follower."""

    def __init__(self, script: Script, table: Table, tally: Tally) -> None:
        self.script, self.table, self.tally = script, table, tally
        self.book: AnyRuleBook = rulebook(script.game, script.profile)
        self.guide = guide_for(self.book)
        first = State.from_json(script.setup)
        self.follower = Follower(self.book, (first,)).at(table.scene(script.start))

    def run(self, skip: int = 1) -> Tally:
        """Follow the whole game; ``skip`` moves happen between two readable views."""
        waiting: list[Scripted] = []
        for event in self.script.events:
            if self._is_said(event):
                seen = [one for one in waiting if one.visible]
                if seen:
                    self._look(waiting[: waiting.index(seen[-1]) + 1])
                waiting = []
                self._take(self._truth(event), event.text)
                continue
            waiting.append(event)
            if event.visible and (not event.stands or len([one for one in waiting if one.visible]) >= skip):
                self._look(waiting)
                waiting = [] if event.stands else waiting[:-1]
        return self.tally

    # — one look —

    def _look(self, events: list[Scripted]) -> None:
        event = events[-1]
        visits = len([one for one in events if one.visible])
        hands = {one.player for one in events if one.visible}
        by = event.player if len(hands) == 1 else None
        lay = dict(self.table.lay)
        scene = self.table.scene(event.after, visits=visits, by=by)
        start = process_time()
        verdict = self.follower.see(scene)
        self.tally.seconds.append(process_time() - start)
        what = self._judged(event, verdict)
        if what == "wrong and silent" and self._lacks_facings(events, verdict):
            what = "told later"
        story = f"{[one.text for one in events]} {event.status} {event.rule} → {told(verdict)}"
        self.tally.add(what, "" if what == "right" else story)
        if not event.stands:
            if " face " in event.text:
                self.table.lay = lay  # who was turned is turned back to how he stood
            self._put_back(event, verdict)
            return
        if what == "right" and isinstance(verdict, Ruled) and not verdict.refused:
            self._follow(verdict)
        else:
            self._take(self._truth(event), event.text if event.status != "illegal" else "")
        self.follower = self.follower.at(scene)

    def _put_back(self, event: Scripted, verdict: Verdict) -> None:
        """What was refused is put back: the follower knows of it if it is that what was refused."""
        follower = self.follower
        if isinstance(verdict, Ruled) and verdict.refused:
            record = (*("" for _ in follower.told), verdict.happened[-1].text)
            states, told_before = (*follower.states, follower.state), (*follower.told, "")
            follower = replace(follower, states=states, told=told_before, refused=record).picked_up()
        back = self.table.scene(event.before)
        seen = follower.see(back)
        if isinstance(seen, Nothing):
            self.follower = self.follower.at(back)
        else:
            self.tally.add("not put back", f"{event.text} → {told(seen)}")

    def _judged(self, event: Scripted, verdict: Verdict) -> str:
        if event.status == "illegal" and event.rule == "DOW-SNI-F":
            return "right"  # a facing given too early: nobody can see that the turn was not over
        if isinstance(verdict, Ruled):
            if self._agrees(event, verdict):
                return "right"
            found = verdict.refused and event.status == "illegal"
            return "another rule" if found else "wrong and silent"
        if isinstance(verdict, Question):
            ruled = [one.outcome for one in verdict.choices if isinstance(one.outcome, Ruled)]
            return "asked" if any(self._agrees(event, one) for one in ruled) else "wrong and flagged"
        if isinstance(verdict, Nothing):
            # a Sniper who is given the facing that he has is not seen to be given one until the next turn
            return "told later" if " face " in event.text else "missed"
        return "wrong and flagged"

    def _lacks_facings(self, events: list[Scripted], verdict: Verdict) -> bool:
        """Whether only facings are not told, of Snipers who keep theirs: they show in the next turn."""
        state = verdict.happened[-1].state if isinstance(verdict, Ruled) and verdict.happened else None
        if state is None:
            return False
        for move in (self.book.parse(one.text) for one in events if " face " in one.text):
            state = self.book.apply(state, move) if self.book.judge(state, move).allowed else state
        return self._essence(state) == self._essence(self._truth(events[-1]))

    def _agrees(self, event: Scripted, ruled: Ruled) -> bool:
        if event.status == "illegal":
            ruling = ruled.ruling
            rules = () if ruling is None else (ruling.rule, *(fault.rule for fault in ruling.also))
            return ruled.refused and event.rule in rules
        truth = self._essence(self._truth(event))
        states = [one.state for one in ruled.happened if one.state is not None]
        return not ruled.refused and truth in [self._essence(state) for state in states]

    def _essence(self, state: State) -> Hashable:
        return essence(self.guide, state)

    # — helpers —

    def _is_said(self, event: Scripted) -> bool:
        words = event.text.split(": ")[-1].split(" ")
        return event.kind == "move" and bool(set(words) & set(SAID[self.script.game]))

    def _truth(self, event: Scripted) -> State:
        return State.from_json(self.script.states[event.state])

    def _take(self, state: State, text: str = "") -> None:
        old = self.follower
        self.follower = Follower(self.book, (*old.states, state), (*old.told, text), old.places)

    def _again(self, state: State, text: str) -> State:
        if text.startswith("see "):
            return self.book.observe(state, self.book.parse_fact(text))
        return self.book.play(state, self.book.parse(text))

    def _follow(self, ruled: Ruled) -> None:
        """Enter what was ruled, corrections of the record first."""
        old = self.follower
        states, told = list(old.states), list(old.told)
        for revision in ruled.revised:
            told[-revision.steps] = revision.text
        first = max((revision.steps for revision in ruled.revised), default=0)
        for step in range(len(told) - first, len(told)):
            states[step + 1] = self._again(states[step], told[step])
        self.tally.revised += bool(ruled.revised)
        for one in ruled.happened:
            assert one.state is not None
            states.append(one.state)
            told.append("" if ruled.refused and one is ruled.happened[-1] else one.text)
        self.follower = Follower(self.book, tuple(states), tuple(told), old.places)


def told(verdict: Verdict) -> str:
    """A verdict in one line."""
    if isinstance(verdict, Question):
        return "Question " + " | ".join(choice.text for choice in verdict.choices)
    if isinstance(verdict, OutOfStep | Incomplete | Unreadable | Nothing | TakeBack):
        return f"{verdict.kind}: {verdict.sentence}"
    return f"Ruled {verdict.sentence} ({verdict.margin:.1f})"


def games(
    game: str, seeds: range, *, skip: int = 1, moves: int = 60, doubtful: float = 0.0, **how: float
) -> Tally:
    """Several random games followed."""
    tally = Tally()
    for seed in seeds:
        script = write(game, seed=seed, moves=moves, **how)  # type: ignore[arg-type]
        Course(script, Table(seed, doubtful=doubtful), tally).run(skip)
    return tally


__all__ = ["Course", "Random", "Tally", "games", "told"]
