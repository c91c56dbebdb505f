"""The follower: a game as confirmed so far, and what else of it may have been."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain, islice

from engine.book import AnyRuleBook, Move, State
from engine.errors import BadNotation, CannotStand, ImpossibleFact
from engine.history import History, Step
from engine.layout import Layout
from engine.matching.answered import TYPED, Answers, ShownPieces, chosen, typed
from engine.matching.apart import are_read_alike
from engine.matching.deciding import decided
from engine.matching.evidence import Evidence, Gap, Places
from engine.matching.guide import Guide, guide_for
from engine.matching.one_look import CHOICES
from engine.matching.outcome import Nothing, OutOfStep, Question, Revision, Ruled, TakeBack, Verdict, is_sound
from engine.matching.retelling import done_again
from engine.matching.stains import weighed, without
from engine.matching.step_line import Origin, parsed, state_after, text_of
from engine.matching.taking_back import BACK
from engine.scene import Scene, Sighting


@dataclass(frozen=True, slots=True)
class Follower:
    """A game as confirmed so far, and where its pieces without places lay when it was last seen."""

    book: AnyRuleBook
    states: tuple[State, ...] = field(repr=False)
    """The states of the game: the first one, or the table as it was taken, then one for each step since."""
    told: tuple[str, ...] = field(default=(), repr=False)
    """These steps in notation, as far as they are facts or allowed moves; all others are empty."""
    places: Places = field(default_factory=dict, repr=False)
    doubts: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    """For each step what else it may have been, as far as that was written down with it."""
    refused: tuple[str, ...] = field(default=(), repr=False)
    """The moves among these steps that were refused and did not stand, in notation; all others are empty."""
    stood: tuple[str, ...] = field(default=(), repr=False)
    """The same of those that players let stand."""
    open: tuple[Ruled, ...] = field(default=(), repr=False)
    """What may have happened since, as far as a question about that was asked and is not answered."""
    accused: tuple[Ruled, ...] = field(default=(), repr=False)
    """The answers to it that end with a refused move."""
    undone: TakeBack | None = field(default=None, repr=False)
    """The taking back that such a question has offered, too."""
    beside: tuple[Sighting, ...] = field(default=(), repr=False)
    """What lay there and was no piece when table and record agreed last, or is perhaps none: it was asked."""
    told_all: bool = False
    """Whether people have said what was done: until a hand comes the table is so, whatever it looks like."""
    unseen: tuple[tuple[str, str], ...] = ()
    """Pieces that lie there all the same, each by its name and region: people have said so."""
    full: frozenset[str] = field(default=frozenset(), repr=False)
    """The heaps that held all that they should when table and record agreed last."""
    entries: tuple[int, ...] = field(default=(), repr=False)
    """The entries that make these steps."""
    counts: frozenset[int] = field(default=frozenset(), repr=False)
    """All entries that count, of what was before the table was taken, too."""
    made: int = 0
    """How many entries the record had, those that do not count among them."""
    answers: Answers = field(default_factory=dict, repr=False)
    """What people have said of facts."""
    told_facts: frozenset[int] = field(default=frozenset(), repr=False)
    """The entries of the facts of which they have left no doubt."""

    @classmethod
    def of(cls, history: History) -> "Follower":
        """The follower of a game that was not looked at yet."""
        first, steps = history.first, history.steps
        set_ = [number for number, step in enumerate(steps) if step.happened.kind == "set"]
        if set_:
            # Players have said that the table lay right then: nothing seen later tells what was before.
            first, steps = steps[set_[-1]].state, steps[set_[-1] + 1 :]
        states = (first, *(step.state for step in steps))
        told, refused, stood = zip(*map(_counted, steps), strict=True) if steps else ((), (), ())
        doubts = tuple(one.happened.alike for one in steps)
        new = cls(history.book, states, told, {}, doubts, refused, stood)
        counts = frozenset(one.entry for one in history.steps)
        return replace(
            new, entries=tuple(one.entry for one in steps), counts=counts, made=len(history.entries)
        )

    @property
    def state(self) -> State:
        """The state now."""
        return self.states[-1]

    def after(self, history: History, scene: Scene | None, before: Scene | None = None) -> "Follower":
        """The follower once the history has grown (or shrunk) to agree with ``scene``.

        Or once people said what was done who had a table ``before`` them: where less of it is at odds, that
        was all. What they told of dice is in no doubt, as long as it counts.
        """
        new = Follower.of(history)
        new = replace(new, places=self.places, beside=self.beside, unseen=self.unseen, full=self.full)
        new = new._heaped_since(self)
        answers = dict(self.answers)
        if before is not None:
            if len(new.told) > len(self.told):
                new = replace(new, told_all=new.gap(before).places < self.gap(before).places)
            answers |= typed(new.entries, new.told, new.doubts, self.made)
            answers |= chosen(self.open, self.told, new.told, new.entries)
        return new._answered(answers).at(scene).picked_up()

    def _answered(self, answers: Answers) -> "Follower":
        """The same, less the doubts that people have left none of, as far as what they said still counts."""
        known = {key: by for key, by in answers.items() if {key[0], by} <= self.counts}
        each = [*zip(self.entries, self.doubts, strict=True)]
        doubts = tuple(tuple(text for text in texts if (n, text) not in known) for n, texts in each)
        settled = (n for (n, texts), left in zip(each, doubts, strict=True) if texts and not left)
        told = frozenset((*settled, *(n for n, text in known if text == TYPED)))
        return replace(self, answers=known, doubts=doubts, told_facts=told)

    def picked_up(self) -> "Follower":
        """The same follower; where the last move was refused, its pieces will be put back by hand."""
        if not any(self.refused[-1:]):
            return self
        move = self.book.parse(self.refused[-1])
        return replace(self, places=guide_for(self.book).picked_up(self.state, move, self.places))

    def at(self, scene: Scene | None) -> "Follower":
        """The follower of the same game that knows the pieces without places again as they lie in a scene.

        Those that are not seen are where they were.
        """
        if scene is None:
            return self
        evidence, layout = self._held(scene)
        found, guide = evidence.found(layout), guide_for(self.book)
        places = guide.remembered(layout, found, self.places, scene)
        return replace(self, places=places, open=(), accused=(), undone=None)

    def agreed(self, scene: Scene) -> "Follower":
        """The follower once table and record agree: what else lies there was weighed, and is no news."""
        known = self.at(scene)
        evidence, layout = known._held(scene)
        gap, found = evidence.gap(layout, faint=True), evidence.found(layout)
        said = {*self.unseen, *((spot.name, spot.region) for spot in gap.missing if self.told_all)}
        heaped, full = self._heaps_of(gap, scene)
        lying = {(spot.name, spot.region) for spot in layout.spots if spot.name not in found}
        hidden = (one for one in self.beside if scene.is_hidden(one.region, one.x, one.y))
        beside = (*gap.extra, *hidden, *(one for one in self._heaped if without(scene, (one,)) != scene))
        unseen = (*sorted(lying & said), *heaped)
        return replace(known, beside=beside, told_all=False, unseen=unseen, full=full)

    def _heaps_of(self, gap: Gap, scene: Scene) -> tuple[list[tuple[str, str]], frozenset[str]]:
        """What of heaps is not seen and lies there all the same, as people have said, and which hold all.

        One that held all when table and record agreed last lacks what was taken since.
        """
        lacks = {region: due - seen for region, due, seen in gap.heaps if seen < due}
        unseen, full = list[tuple[str, str]](), set[str]()
        for region in guide_for(self.book).lenient.counted:
            many, was_full = self.unseen.count((region, region)), region in self.full
            if scene.is_hidden(region):
                is_full = was_full
            else:
                is_full, said = region not in lacks, self.told_all and not was_full
                many = 0 if is_full else lacks[region] if said else many
            unseen += [(region, region)] * many
            full |= {region} if is_full else set()
        return unseen, frozenset(full)

    def gap(self, scene: Scene) -> Gap:
        """Where a table disagrees with the record; with what is seen of it, however faintly, besides."""
        evidence, layout = self._held(scene)
        return evidence.gap(layout, faint=True)

    def _held(self, scene: Scene) -> tuple[Evidence, Layout]:
        """A scene, and what the table should look like."""
        guide = guide_for(self.book)
        scene = without(scene, self._heaped)
        return guide.evidence(self.state, scene, self.places), guide.layout(self.state, self.places)

    @property
    def _heaped(self) -> tuple[Sighting, ...]:
        """What lay in a heap that is counted when table and record agreed last, and was none of it."""
        heaps = guide_for(self.book).lenient.counted
        return tuple(one for one in self.beside if one.face != "up" and one.region in heaps)

    def _heaped_since(self, before: "Follower") -> "Follower":
        """The same, less what was known of heaps that hold more now: tiles were dealt anew.

        The table may have shown that before people said so. Where something was taken back, what a heap has
        more is what is to be put back, and what people have said of it they have taken back, too.
        """
        then, now = (one.book.layout(one.state).hidden for one in (before, self))
        on = len(self.told) > len(before.told)
        grown = {region for region, many in now.items() if many > then.get(region, 0)}
        heaped = self._heaped if on else ()
        beside = (one for one in self.beside if one.region not in grown or one not in heaped)
        unseen = (one for one in self.unseen if one[0] != one[1] or (on and one[0] not in grown))
        return replace(self, beside=(*beside,), unseen=(*unseen,), full=self.full - grown)

    def asking(self, question: Question, scene: Scene | None = None) -> "Follower":
        """The follower once this was asked of a scene: what is seen next is held against each answer, too.

        Where all of them are refused moves, they will be put back: what was open before still is. Where one
        is that nothing was done, what came may be no piece.
        """
        told = [choice.outcome for choice in question.choices]
        more = self.gap(scene).extra if scene is not None and Nothing() in told else ()
        ruled = [one for one in told if isinstance(one, Ruled)]
        allowed = tuple(one for one in ruled if not one.refused)
        return replace(
            self,
            open=allowed or (self.open if ruled else ()),
            accused=tuple(one for one in ruled if one.refused),
            undone=next((one for one in told if isinstance(one, TakeBack)), None),
            beside=(*self.beside, *(one for one in more if one not in self.beside)),
        )

    def shown(self) -> ShownPieces:
        """What the last facts showed, but for what was read in doubt."""
        found: dict[str, int] = {}
        for number in range(max(0, len(self.told) - BACK), len(self.told)):
            if self.told[number].startswith("see "):
                before, after = (self.book.layout(one).by_name() for one in self.states[number : number + 2])
                found |= {
                    name: self.entries[number] for name, spot in after.items() if before.get(name) != spot
                }
                for state, _ in self._misread(guide_for(self.book), len(self.told) - number):
                    other = self.book.layout(state).by_name()
                    for name in [name for name in found if after.get(name) != other.get(name)]:
                        del found[name]
        return ShownPieces(found, self.told_facts, self.counts)

    def pasts(self) -> Iterator[Origin]:
        """Other states that look the same now, each with what must then be corrected in the record."""
        return self._pasts(self._others)

    def doubted(self) -> Iterator[Origin]:
        """The states as they were if something was misread that was written down with its doubt."""
        return (past for past in self._pasts(self._misread) if past.state != self.state)

    def reread(self, scene: Scene, *, sure: bool = False) -> Iterator[Origin]:
        """The states as they were if what was read was what the same pieces show now.

        What was read in doubt; or whatever was read, as far as players may be asked about what was ``sure``.
        """
        return self._pasts(lambda guide, back: self._reread(guide, back, scene, sure=sure), freely=True)

    def _reread(self, guide: Guide, back: int, scene: Scene, *, sure: bool) -> Iterator[tuple[State, str]]:
        """What a fact may have been, as it is seen now, and nobody thought of."""
        before, text = self.states[-1 - back], self.told[-back]
        doubts = self.doubts[-back] if self.doubts else ()
        if not text.startswith("see ") or not (sure or doubts):
            return
        since = self.told[len(self.told) - back + 1 :]
        later = [self.book.parse_fact(one) for one in since if one.startswith("see ")]
        for fact in guide.rereadings(before, self.book.parse_fact(text), later, scene, sure=sure):
            if self.book.format_fact(fact) not in doubts:
                with suppress(ImpossibleFact):
                    yield self.book.observe(before, fact), self.book.format_fact(fact)

    def _pasts(
        self, others: Callable[[Guide, int], Iterator[tuple[State, str]]], *, freely: bool = False
    ) -> Iterator[Origin]:
        """``freely``: what followed may have been anything then that was written down with it."""
        guide = guide_for(self.book)
        for back in range(1, min(len(self.told), BACK) + 1):
            for state, told in others(guide, back):
                yield from self._retold(guide, state, told, back, freely=freely)

    def _misread(self, guide: Guide, back: int) -> Iterator[tuple[State, str]]:
        """What else may have been where something was not read for sure, and the state after it."""
        before, told = self.states[-1 - back], self.told[-back]
        for text in self.doubts[-back] if told and self.doubts else ():
            with suppress(BadNotation):  # a record may say anything
                did, was = parsed(self.book, text), parsed(self.book, told)
                state = state_after(self.book, before, did) if are_read_alike(guide, (did, was)) else None
                if state is not None:
                    yield state, text_of(self.book, did)

    def _others(self, guide: Guide, back: int) -> Iterator[tuple[State, str]]:
        """What else a step may have been that looked the same, and the state after it."""
        before, text = self.states[-1 - back], self.told[-back]
        if text and not text.startswith("see "):
            for move in guide.twins(before, self.book.parse(text)):
                yield self.book.apply(before, move), self.book.format(move)

    def _retold(self, guide: Guide, state: State, first: str, back: int, *, freely: bool) -> Iterator[Origin]:
        """The state now if the step so far back was another; none where what followed cannot be then."""
        ways = [Origin(state, (Revision(back, first, self._else(back, first)),))]
        for steps in range(back - 1, 0, -1):
            each = (self._one_on(guide, way, steps, freely=freely) for way in ways)
            ways = [*islice(chain.from_iterable(each), CHOICES)]
        yield from ways

    def _one_on(self, guide: Guide, way: Origin, steps: int, *, freely: bool) -> Iterator[Origin]:
        """The same after one step more of the record, as it must have been then."""
        refused = self.refused[-steps] if self.refused else ""
        if refused and not self.book.judge(way.state, self.book.parse(refused)).allowed:
            yield way  # it is refused in this state, too, and leaves it as it is
            return
        text, tried = self._line(steps), set[str]()
        others = self.doubts[-steps] if freely and self.doubts and self.told[-steps] else ()
        for one in (text, *others):
            after = self._again(guide, way.state, one, steps)
            if after is not None and after[1] not in tried:
                state, told = after
                tried.add(told)
                more = () if told == text else (Revision(steps, told, self._else(steps, told)),)
                yield Origin(state, (*way.revised, *more))

    def _else(self, back: int, text: str) -> tuple[str, ...]:
        """What a step that was written down in doubt may have been if it was this: the doubt goes on."""
        doubts = self.doubts[-back] if self.doubts else ()
        others = dict.fromkeys((self._line(back), *doubts)) if doubts else ()
        return tuple(one for one in others if one != text)

    def _again(self, guide: Guide, state: State, text: str, back: int) -> tuple[State, str] | None:
        """The state after the same step so far back, from another state, and the step as it is then."""
        if not text:
            return None
        then = self.states[-1 - back]
        try:
            did = parsed(self.book, text)
        except BadNotation:
            return None  # a record may say anything
        if self.told[-back]:
            return done_again(guide, then, state, did)
        move = next(iter(guide.again(then, state, did)))
        assert isinstance(move, Move)
        return self._stood_again(state, move)

    def _line(self, back: int) -> str:
        """The step so far back as it counts, allowed or let stand; nothing where it does not."""
        return self.told[-back] or (self.stood[-back] if self.stood else "")

    def _stood_again(self, state: State, move: Move) -> tuple[State, str] | None:
        """The same of a move that players let stand: had it been allowed, it had not to be."""
        with suppress(CannotStand):
            if not self.book.judge(state, move).allowed:
                return self.book.let_stand(state, move), self.book.format(move)
        return None

    def see(self, scene: Scene) -> Verdict:
        """What happened; what lay beside the game counts only if something allowed tells how it came."""
        scene = replace(without(scene, self._heaped), vouched=self.unseen)
        verdict, other = decided(self, scene), weighed(scene, self.beside)
        if scene.visits is None or other == scene or is_sound(verdict):
            return verdict
        less = decided(self, other)
        return verdict if isinstance(less, OutOfStep) else less


def _counted(step: Step) -> tuple[str, str, str]:
    """A step in notation, as what it counts: allowed, refused or let stand; empty where it could not be."""
    text = "" if step.problem else step.happened.text
    if step.ruling is None or step.ruling.allowed:
        return text, "", ""
    return ("", "", text) if step.stands else ("", text, "")
