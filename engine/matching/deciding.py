"""What a scene says of the record: a ruling, a question, or that it cannot be said."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import chain, islice
from math import inf
from typing import Final, Protocol

from engine.book import AnyRuleBook, Fact, Move, State
from engine.layout import Layout
from engine.matching.accusing import plainly_accused
from engine.matching.apart import apart, played_on, refused_alike, still_to_come
from engine.matching.evidence import Gap, Places, look
from engine.matching.guide import Guide, guide_for
from engine.matching.line import Line, Origin
from engine.matching.outcome import (
    Difference,
    Happened,
    Incomplete,
    Nothing,
    OutOfStep,
    Question,
    Ruled,
    TakeBack,
    Unreadable,
    Verdict,
)
from engine.matching.retelling import as_asked, by_another_hand, happened, question
from engine.matching.same_table import settled
from engine.matching.search import CLEAR, PLIES, Search
from engine.matching.words import differences, is_unread
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
ACCUSING: Final = -8.5
"""The same of a refused move: nobody is accused whose hand was not seen where another's was."""
BACK: Final = 16
"""So many steps back the record may have to be corrected for what could not be seen then."""
_AND_ANOTHER: Final = "The last move was taken back, and another was made."
CHOICES: Final = 4
"""So many choices a question offers at most, and so many doubts of the record are weighed with a scene."""


class Known(Protocol):
    """A game as confirmed so far: ``engine.matching.follower.Follower``."""

    @property
    def book(self) -> AnyRuleBook:
        """The rules."""

    @property
    def states(self) -> tuple[State, ...]:
        """The states of the game, the first one first."""

    @property
    def state(self) -> State:
        """The state now."""

    @property
    def places(self) -> Places:
        """Where pieces without places lay."""

    @property
    def open(self) -> tuple[Ruled, ...]:
        """What may have happened since, as far as that was asked and is not answered."""

    @property
    def accused(self) -> tuple[tuple[str, ...], ...]:
        """The answers to that which end with a refused move, step by step."""

    @property
    def undone(self) -> TakeBack | None:
        """The taking back that such a question has offered, too."""

    def pasts(self) -> Iterator[Origin]:
        """Other states that look the same now, each with what must then be corrected in the record."""

    def doubted(self) -> Iterator[Origin]:
        """The states as they were if something was misread that was written down with its doubt."""

    def reread(self, scene: Scene) -> Iterator[Origin]:
        """The states as they were if what was read in doubt was what the same pieces show now."""


def decided(known: Known, scene: Scene) -> Verdict:
    """What happened between the record and this scene."""
    return _Look(known, scene).verdict()


class _Look:
    """One look at one scene."""

    def __init__(self, follower: Known, scene: Scene) -> None:
        self.follower, self.scene = follower, scene
        self.book = follower.book
        self.guide: Guide = guide_for(self.book)
        self._others = [origin.state for origin in islice(follower.doubted(), CHOICES)]
        self.evidence = self.guide.evidence(follower.state, scene, follower.places, self._others)
        self.search = Search(self.guide, self.evidence)
        self.root = self.search.root(Origin(follower.state), follower.places)
        self.gap = self.search.gap(self.root)

    def verdict(self) -> Verdict:
        if self.gap.moved and self.guide.hangs_together(self.root.state, self.scene):
            # the whole line was pushed aside: the pieces are known by their looks alone
            self.root = self.search.root(self.root.origin, {})
            self.gap = self.search.gap(self.root)
        if not self.gap:
            closed = self.evidence.idle_and_fresh(self.root.layout)
            return OutOfStep(self._told(closed)) if closed else self._as_before()
        if not self.scene.sightings:
            return Unreadable("OBS-SCENE", "The table cannot be seen.", self._told(self.gap))
        if amiss := self._amiss():
            return OutOfStep(self._told(amiss))
        fitting = self._fitting(self.root)
        if not fitting or fitting[0].refused or fitting[0].prior < FARFETCHED:
            fitting = self._revised(fitting)
        doubted = self._doubted()
        more = (line for root in doubted for line in self._fitting_at_once(root) if not line.refused)
        offered = [*self._since_asked()]
        fitting = self._seen_since(_less_accusing(fitting, offered), offered)
        fitting = sorted((*offered, *fitting, *more), key=lambda line: -line.worth)
        if fitting and fitting[0].refused:
            fitting = self._before_accusing(fitting)
        if not self.gap.moved and len(self.gap.misread) <= MISREAD:
            # where nobody was, a piece that looks otherwise was misread
            fitting = [line for line in fitting if self.scene.visits != 0 and line.worth > self.root.worth]
            corrected = self._corrected(doubted, fitting)
            if (corrected or not fitting) and not self._is_rubbed_out():
                return corrected or self._as_before()
        fitting, back = self._put_back(fitting)
        if back is None and fitting and fitting[0].refused:
            asked = self._taken_back_first(fitting)
            if asked is not None:
                return asked
        if fitting or back is not None:
            return self._decided(fitting, back)
        return self._unexplained()

    def _as_before(self) -> Nothing | Incomplete:
        """Nothing has changed; but of what comes next nothing would be seen, if something is not in view."""
        told, state = self._told(self.gap), self.follower.state
        lacks = self.guide.lacks(state, self.scene)
        remark = self.guide.remark(state, self.scene, self.follower.places)
        return Incomplete(lacks, (), told) if lacks else Nothing(told, remark)

    def _amiss(self) -> Gap:
        """What lies on its place on a face on which no piece of this game ever lies."""
        faces = self.guide.belongings.faces
        turned = [
            (spot, one)
            for spot, one in self.gap.misread
            if spot.kind == one.kind == "domino" and faces and one.face not in faces
        ]
        return Gap((), tuple(turned), (), ())

    def _fitting_at_once(self, root: Line, search: Search | None = None) -> list[Line]:
        """The same in no more plies than hands were counted: what is doubted is not looked at so widely."""
        search = search or self.search
        lines = search.lines(root, min(PLIES, search.scene.visits or PLIES))
        return settled(self.guide, self._explaining(root, lines))

    def _fitting(self, root: Line) -> list[Line]:
        """Lines that leave nothing at odds but readings of pieces that they do not touch."""
        return settled(self.guide, self._explaining(root, self.search.lines(root)))

    def _before_accusing(self, fitting: list[Line]) -> list[Line]:
        """The same with every legal move held against the table, not only those that catch the eye."""
        accused, *others = fitting
        root = self.search.root(accused.origin, self.follower.places)
        legal = self._explaining(root, self.search.instead(accused))
        return sorted((*settled(self.guide, [*legal, accused]), *others), key=lambda line: -line.worth)

    def _explaining(self, root: Line, lines: Iterable[Line]) -> list[Line]:
        misread = {spot.name for gap in (self.gap, self.search.gap(root)) for spot, _ in gap.misread}
        return [line for line in lines if self._explains(line, misread)]

    def _explains(self, line: Line, misread: set[str]) -> bool:
        gap = self.search.gap(line)
        return not gap.moved and misread.issuperset(spot.name for spot, _ in gap.misread)

    def _revised(self, fitting: list[Line]) -> list[Line]:
        """What fits if a step of the record was another move that looked the same; else what fits anyway."""
        for origin in self.follower.pasts():
            found = self._allowed_from(origin)
            if found and (not fitting or found[0].worth + FARFETCHED / 2 > fitting[0].worth):
                return found
        reread = map(self._allowed_from, self.follower.reread(self.scene))
        return max((fitting, *reread), key=_best)

    def _allowed_from(self, origin: Origin) -> list[Line]:
        root = self.search.root(origin, self.follower.places)
        return [line for line in self._fitting(root) if not line.refused]

    def _since_asked(self) -> Iterator[Line]:
        """What fits if one of the answers holds that a question has offered, and nobody has given."""
        for ruled in self.follower.open:
            pasts = chain(
                [Origin(self.follower.state)], self.follower.doubted(), self.follower.pasts(),
                self.follower.reread(self.scene),
            )  # fmt: skip
            for origin in (past for past in pasts if past.revised == ruled.revised):
                known = [self._parsed(one) for one in ruled.happened]
                root = self.search.root(origin._replace(known=len(known)), self.follower.places)
                line = self.search.gone_on(root, known)
                if line is not None:
                    yield from self._fitting_at_once(self._asked(line, ruled), self._search_since)
                break

    @cached_property
    def _search_since(self) -> Search:
        """A search for what was done since players were asked, by the hands that came since then."""
        if self.scene.lately is None:
            return self.search
        scene, follower = self.scene.since_asked(), self.follower
        return Search(self.guide, self.guide.evidence(follower.state, scene, follower.places, self._others))

    def _asked(self, line: Line, ruled: Ruled) -> Line:
        """An answer as it was worth when it was offered, by whose hands were seen up to then."""
        if self.scene.lately is None:
            return line
        behind = min(0.0, ruled.margin)  # what nobody touched is asked about with its margin
        return line._replace(plies=0, prior=behind, worth=line.worth - line.prior + behind)

    def _seen_since(self, fitting: list[Line], offered: list[Line]) -> list[Line]:
        """Without what an answer leads to as well: of that it is known whose hand was seen at which part."""
        if self.scene.lately is None:
            return fitting
        ends = {self._end(line) for line in offered if not line.refused}
        return [line for line in fitting if line.refused or self._end(line) not in ends]

    def _end(self, line: Line) -> Hashable:
        return self.guide.essence(self.guide.at_rest(line.state)), look(line.layout)

    def _parsed(self, one: Happened) -> Move | Fact:
        return self.book.parse_fact(one.text) if one.kind == "fact" else self.book.parse(one.text)

    def _doubted(self) -> list[Line]:
        """The beginnings of what may have happened if something was misread, as far as that is likely now."""
        roots = (self.search.root(origin, self.follower.places) for origin in self.follower.doubted())
        return [*islice((root for root in roots if root.worth > self.root.worth - CLEAR), CHOICES)]

    def _corrected(self, doubted: list[Line], fitting: list[Line]) -> Ruled | None:
        """What was written down with its doubt is seen now to have been otherwise."""
        best = max(doubted, key=lambda root: root.worth, default=self.root)
        margin = best.worth - max(line.worth for line in (self.root, *fitting))
        return Ruled((), margin, (), best.origin.revised) if margin > CLEAR else None

    # — deciding —

    def _decided(self, fitting: list[Line], back: tuple[float, TakeBack] | None) -> Verdict:
        ahead = max(fitting[0].worth if fitting else -inf, back[0] if back else -inf)
        close = plainly_accused([line for line in fitting if line.worth > ahead - CLEAR])
        finished = [line for line in close if not _is_unfinished(line)]
        groups = apart(self.guide, finished)
        stays = not self.gap.moved and self.root.worth > ahead - CLEAR
        returned = back[1] if back and back[0] > ahead - CLEAR else None
        if not stays and returned is None:
            groups = refused_alike(self.guide, played_on(self.guide, groups))
        if groups and returned is None:
            groups = still_to_come(self.guide, groups, stays=stays)
            if not groups:
                return Incomplete(self.guide.waits_for(self.follower.state), (), self._told(self.gap))
        if len(groups) + stays + (returned is not None) > 1:
            return self._question(groups[:CHOICES], stays=stays, back=returned)
        if returned is not None:
            return returned
        if not finished:
            return self._begun(close[0])
        (same,) = groups
        if self._is_wild(same[0]):
            return self._unexplained()
        told = {id(line) for line in same}
        others = [line.worth for line in fitting if id(line) not in told] + ([back[0]] if back else [])
        ruled = self._ruled(same, same[0].worth - max(others, default=-inf))
        # What the record needs and eyes speak against is asked about, though nothing else explains the table.
        return by_another_hand(ruled) if same[0].strange and not same[0].refused else ruled

    def _begun(self, line: Line) -> Incomplete:
        """A legal beginning of a move."""
        told = happened(self.guide, [line])
        ruling = told[-1].ruling
        return Incomplete(ruling.reason if ruling else "", told[:-1], self._told(self.gap))

    def _is_wild(self, line: Line) -> bool:
        """Whether an explanation needs more good will than to be acted on, or accuses too early."""
        spent = self.search.spent or self._search_since.spent
        if line.refused and (spent or not self._may_accuse(line)):
            return True
        counted = self.search.beyond(line.plies) if self.scene.visits is None else 0.0
        return line.prior - counted < (ACCUSING if line.refused else WILD)

    def _may_accuse(self, line: Line) -> bool:
        """Whether players were not asked about a refused move, or about none but this one.

        What lay there when they were asked may stand, though nobody said so: it is not laid after what came
        since, by whoever would then be to move.
        """
        told = tuple(one.text for one in happened(self.guide, [line]))
        return not self.follower.accused or told in self.follower.accused

    def _ruled(self, same: list[Line], margin: float) -> Ruled:
        """The first of these lines, with what the others say otherwise."""
        told = self._told(self.search.gap(same[0]))
        revised = same[0].origin.revised
        pasts = () if revised else self.follower.pasts()
        steps = as_asked(happened(self.guide, same, pasts), same[0].origin.known, self.follower.open)
        return Ruled(steps, min(margin, 99.0), told, revised)

    def _question(self, groups: list[list[Line]], *, stays: bool, back: TakeBack | None) -> Question:
        best = max((same[0].prior for same in groups), default=0.0)
        ruled = [self._ruled(same, same[0].prior - best) for same in groups]
        return question(ruled, stays=stays, back=back, unread=[*filter(is_unread, self.gap.extra)])

    # — take-backs, and what no move explains —

    def _is_rubbed_out(self) -> bool:
        """Whether the table is likelier an earlier one, though nothing has come, gone or moved."""
        back = self._taken_back() if self.scene.visits != 0 else None
        return back is not None and back[0] > self.root.worth

    def _put_back(self, fitting: list[Line]) -> tuple[list[Line], tuple[float, TakeBack] | None]:
        """What fits beside a taking back that the table shows, and that with its worth."""
        back = self._taken_back()
        if back is not None:
            # where a move was taken back, nobody can call an illegal one that looks the same
            was = look(self.guide.layout(back[1].state, self.follower.places))
            return [line for line in fitting if not line.refused or look(line.layout) != was], back
        since = self._since_undone()
        if since is None:
            return fitting, None
        assert self.follower.undone is not None  # something was done since
        undone = replace(self.follower.undone, sentence=_AND_ANOTHER, more=True)
        # players were asked whether it was taken back: if so, all that followed may be allowed
        kept = [line for line in fitting if since.refused or not line.refused]
        return kept, (since.worth + TAKEN_BACK, undone)

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
            if self._is_so(layout):
                words = "The last move was" if steps == 1 else f"The last {steps} steps were"
                words += " taken back."
                return self.evidence.score(layout) + TAKEN_BACK, TakeBack(steps, state, words)
        return None

    def _since_undone(self) -> Line | None:
        """What was done since the last move was taken back, if it was: players were asked whether it was."""
        if self.follower.undone is None:
            return None
        root = self.search.root(Origin(self.follower.undone.state), self.follower.places)
        since = self._fitting_at_once(root, self._search_since)
        return next((line for line in since if not _is_unfinished(line)), None)

    def _is_so(self, layout: Layout) -> bool:
        """Whether the table is like this, but for readings that are at odds with the record anyway."""
        if self.evidence.agrees(layout):
            return True
        gap, misread = self.evidence.gap(layout), {spot.name for spot, _ in self.gap.misread}
        few = len(gap.misread) <= MISREAD
        return few and not gap.moved and misread.issuperset(spot.name for spot, _ in gap.misread)

    def _taken_back_first(self, fitting: list[Line]) -> Question | None:
        """Whether the last move was taken back and a legal one made since, rather than an illegal one."""
        back, legal = self._another_since
        if back is None or legal.worth + TAKEN_BACK < fitting[0].worth - CLEAR:
            return None
        return self._question([fitting[:1]], stays=False, back=back)

    @cached_property
    def _another_since(self) -> tuple[TakeBack | None, Line]:
        """The last move as taken back, where legal ones that were made since explain the table, and these."""
        states, places = self.follower.states, self.follower.places
        for steps in range(1, min(len(states), BACK + 1)):
            state = states[-1 - steps]
            if self.guide.layout(state, places) == self.root.layout:
                continue
            if self.book.pending(state) is not None:
                break  # what was seen is not taken back
            root = self.search.root(Origin(state), places)
            legal = [line for line in self._fitting(root) if not line.refused and not _is_unfinished(line)]
            if legal:
                return TakeBack(steps, state, _AND_ANOTHER, more=True), legal[0]
            break
        return None, self.root

    def _unexplained(self) -> Verdict:
        told = self._told(self.gap)
        if self.scene.hidden and self._partly_hidden():
            return Unreadable("OBS-HIDDEN", "Part of what changed is covered.", told)
        back, since = self._another_since
        if back is not None and since.prior + TAKEN_BACK > WILD:
            return back
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


def _best(fitting: list[Line]) -> float:
    """What the likeliest of these lines is worth."""
    return fitting[0].worth if fitting else -inf


def _less_accusing(fitting: list[Line], offered: list[Line]) -> list[Line]:
    """Without illegal moves that look the same as a legal one about which players were asked."""
    looks = {look(line.layout) for line in offered if not line.refused}
    return [line for line in fitting if not (line.refused and look(line.layout) in looks)]


def _is_unfinished(line: Line) -> bool:
    """Whether the last move is a legal beginning that still lacks something."""
    ruling = line.steps[-1].ruling
    return ruling is not None and ruling.status is Status.INCOMPLETE
