"""What a scene says of the record: a ruling, a question, or that it cannot be said."""

from collections import defaultdict
from collections.abc import Hashable, Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice
from math import exp, inf
from typing import TYPE_CHECKING, Final

from engine.book import Fact, Move
from engine.matching.apart import alike_at_first, apart, begun_by, played_on, refused_alike, still_to_come
from engine.matching.evidence import Gap
from engine.matching.in_sight import look
from engine.matching.missed import may_have_been
from engine.matching.one_look import CHOICES, OneLook
from engine.matching.outcome import (
    Choice,
    Incomplete,
    Nothing,
    OutOfStep,
    Question,
    Ruled,
    TakeBack,
    Unreadable,
    Verdict,
    is_sound,
)
from engine.matching.piece_words import is_unread
from engine.matching.reading_odds import swaps
from engine.matching.retelling import as_asked, happened, in_other_orders, question, the_only_one
from engine.matching.same_table import settled
from engine.matching.search import CLEAR, FARFETCHED, STRANGER, WILD
from engine.matching.since_asked import SinceAsked
from engine.matching.stains import weighed
from engine.matching.step_line import Line, Origin
from engine.matching.taking_back import MISREAD, TAKEN_BACK, TakingBack, is_unfinished
from engine.scene import Scene

if TYPE_CHECKING:
    from engine.matching.follower import Follower

ACCUSING: Final = -8.5
"""The same of a refused move: nobody is accused whose hand was not seen where another's was."""
ANSWERS: Final = 7
"""So many answers a question offers at most: a half domino that cannot be read may show so many numbers."""
ANOTHER_HAND: Final = (
    "The hand that was seen is not that of the player to move: was it this, or was a move missed?"
)
MISREAD_FOR_SURE: Final = "Something shows now what it did not show before. Was it misread, or was it turned?"
NOTHING_ELSE: Final = "Nothing else explains the table. Was it this?"
UNCOUNTED: Final = "Not all that lies closed is seen: what is drawn from there has to be told."
REREAD: Final = 2
"""So many ways at most are followed on in which what was read for sure may have been otherwise."""


def decided(known: "Follower", scene: Scene) -> Verdict:
    """What happened between the record and this scene."""
    one = _Look(known, scene)
    verdict, rest = one.verdict(), one.told(one.gap) if one.gap.is_short(known.full) else ()
    said = known.told_all and scene.visits == 0 and known.book.pending(known.state) is None
    if isinstance(verdict, OutOfStep | Incomplete):
        rest = verdict.differences
    if not said or not rest:
        return verdict
    words = " ".join(one.sentence for one in rest)
    return _untold(known, scene) or Nothing(rest, f"It counts as told, though it looks otherwise: {words}")


def _untold(known: "Follower", scene: Scene) -> Verdict | None:
    """What was done besides that people have said and is allowed, if one thing more tells of it.

    Who has said what was done sees the table: else it is so while nobody comes, but for what is due next.
    """
    strays = known.gap(scene).extra
    for one in strays:
        rest = [other for other in strays if other is not one]
        verdict = _Look(known, weighed(replace(scene, fresh=()), rest)).verdict()
        if isinstance(verdict, Ruled | Question) and is_sound(verdict):
            return verdict
    return None


class _Look(OneLook):
    """One look at one scene, and what is made of it."""

    @cached_property
    def _since(self) -> SinceAsked:
        return SinceAsked(self)

    @cached_property
    def _back(self) -> TakingBack:
        return TakingBack(self, self._since)

    def verdict(self) -> Verdict:
        if not self.gap:
            closed = self.evidence.idle_and_fresh(self.root.layout)
            return OutOfStep(self.told(closed)) if closed else self._as_before()
        if not self.scene.sightings:
            return Unreadable("OBS-SCENE", "The table cannot be seen.", self.told(self.gap))
        if amiss := self._amiss():
            return OutOfStep(self.told(amiss))
        fitting = self._explanations()
        if not self.gap.moved and len(self.gap.misread) <= MISREAD:
            # where nobody was, a piece that looks otherwise was misread
            fitting = [line for line in fitting if self.scene.visits != 0 and line.worth > self.root.worth]
            if (untouched := self._untouched(fitting)) is not None:
                return untouched
        return self._weighed(fitting)

    def _untouched(self, fitting: list[Line]) -> Verdict | None:
        """What is told where only readings are at odds, unless a move explains them."""
        corrected = self._corrected(fitting)
        if (fitting and not corrected) or self._back.is_rubbed_out():
            return None
        swapped = self.scene.visits != 0 and swaps(self.gap.misread, CLEAR)
        return corrected or self._back.exchanged() or (self._out_of_step() if swapped else self._as_before())

    def _explanations(self) -> list[Line]:
        """What may have happened, by the record or if something of it was otherwise, the likeliest first."""
        fitting = self.fitting(self.root)
        if not fitting or fitting[0].refused or fitting[0].prior < FARFETCHED:
            fitting = self._revised(fitting)
        elif self.search.gap(fitting[0]):
            fitting = self._clearly_another(fitting[0].worth) or fitting
        more = (one for root in self._doubted for one in self.fitting_at_once(root) if not one.refused)
        offered = self._since.unanswered([*self._since.offered()], fitting)
        fitting = self._since.heeding(fitting, offered)
        fitting = sorted((*offered, *fitting, *more), key=lambda line: -line.worth)
        fitting = self._before_accusing(fitting) if fitting and fitting[0].refused else fitting
        return self._but_for_clutter(fitting) if not fitting or fitting[0].refused else fitting

    def _but_for_clutter(self, fitting: list[Line]) -> list[Line]:
        """The same beside what explains all but what may be no piece, though more hands came than that needs.

        Nobody is accused of what looks the same.
        """
        less = self.fitting_but_for_clutter()
        kinder = {look(line.layout): line.prior for line in reversed(less)}
        kept = (
            line for line in fitting if not line.refused or line.prior > kinder.get(look(line.layout), -inf)
        )
        return sorted((*kept, *less), key=lambda line: -line.worth) if less else fitting

    def _weighed(self, fitting: list[Line]) -> Verdict:
        """What of this is told, beside that nothing was done, or something taken back."""
        fitting, back = self._back.put_back(fitting)
        if self.gap.moved and self._as_it_was > _likely(fitting, back) + CLEAR:
            return self._as_before()
        if back is None and fitting and fitting[0].refused and (another := self._another_instead(fitting[0])):
            return another
        if fitting or back is not None:
            return self._decided(fitting, back)
        return self._surely_read() or self._unexplained()

    def _another_instead(self, refused: Line) -> TakeBack | Question | None:
        """The last move taken back and another made, if that explains the table as well as a refused move."""
        another = self._back.instead_of(refused)
        if another is None or self._back.is_clearer_than(refused):
            return another
        return self._question([[refused]], stays=False, back=another)

    def _as_before(self) -> Nothing | Incomplete:
        """Nothing has changed; but of what comes next nothing would be seen, if something is not in view."""
        told = self.told(self.gap)
        remark = self.guide.remark(self.follower.state, self.scene, self.follower.places)
        if remark.waits:
            return Incomplete(remark.words, (), told)
        heaped = any(name == region for name, region in self.scene.vouched)
        return Nothing(told, remark.words or (UNCOUNTED if heaped else ""))

    @cached_property
    def _as_it_was(self) -> float:
        """What it is worth that nothing was done, though something seems to have come where nobody was."""
        still = not self.gap.moved or (self.scene.visits == 0 and self.evidence.is_clutter(self.gap))
        return self.root.worth if still else -inf

    def _amiss(self) -> Gap:
        """What lies on its place on a face on which no piece of this game ever lies."""
        faces = self.guide.belongings.faces
        turned = [
            (spot, one)
            for spot, one in self.gap.misread
            if spot.kind == one.kind == "domino" and faces and one.face not in faces
        ]
        return Gap((), tuple(turned), (), ())

    def _before_accusing(self, fitting: list[Line]) -> list[Line]:
        """The same with every legal move held against the table, not only those that catch the eye."""
        accused, *others = fitting
        root = self.search.root(accused.origin, self.follower.places)
        legal = self.explaining(root, self.search.instead(accused))
        return sorted(
            (*settled(self.guide, [*legal, accused], self.evidence), *others), key=lambda line: -line.worth
        )

    def _clearly_another(self, worth: float) -> list[Line]:
        """What fits if a step of the record was another that looked the same, if that is clearly likelier.

        Something is at odds with all that goes on from the record as it is.
        """
        ways = map(self.allowed_from, self.follower.pasts())
        return next((found for found in ways if _likely(found) > worth + CLEAR), [])

    def _revised(self, fitting: list[Line]) -> list[Line]:
        """What fits if a step of the record was another move that looked the same; else what fits anyway."""
        for origin in self.follower.pasts():
            found = self.allowed_from(origin)
            if found and (not fitting or found[0].worth + FARFETCHED / 2 > fitting[0].worth):
                return found
        reread = map(self.allowed_from, self.follower.reread(self.scene))
        return max((fitting, *reread), key=_likely)

    @cached_property
    def _doubted(self) -> list[Line]:
        """The beginnings of what may have happened if something was misread, as far as that is likely now."""
        roots = map(self.beginning, self.follower.doubted())
        return [*islice((root for root in roots if root.worth > self.root.worth - CLEAR), CHOICES)]

    def _allowed_if_misread(self) -> list[Line]:
        """What players may have done if something was otherwise that was in doubt, or is belied by the table.

        However unlikely that is now, nobody is accused for what was misread.
        """
        pasts = (*islice(self.follower.doubted(), CHOICES), *self._belied())
        return max(map(self.allowed_from, pasts), key=_likely, default=[])[:1]

    def _belied(self) -> Iterator[Origin]:
        """The pasts in which what was read for sure was what the table shows now."""
        return islice(self.follower.reread(self.scene, sure=True), REREAD)

    def _allowed_if_otherwise(self, same: list[Line]) -> list[Line]:
        """What players may have done if what showed along with a refused move, in doubt, was otherwise."""
        did = [step.did for step in same[0].steps]
        for number, fact in enumerate(did[:-1]):
            read = {line.steps[number].did for line in same if len(line.steps) == len(did)}
            if isinstance(fact, Fact) and len(read) > 1:
                return self._instead_after(same[0], number, fact)
        return []

    def _instead_after(self, refused: Line, number: int, fact: Fact) -> list[Line]:
        """The likeliest that is allowed instead of a refused move, after whatever a fact may have been."""
        did = [step.did for step in refused.steps]
        root = self.search.root(refused.origin, self.follower.places)
        before = refused.steps[number - 1].state if number else root.state
        assert before is not None  # only the last step of a line is refused
        after: dict[frozenset[Move], list[Line]] = {}
        for other in self.guide.whatever(before, fact):
            line = self.search.gone_on(root, [*did[:number], other, *did[number + 1 : -1]])
            if line is not None:
                after.setdefault(frozenset(self.book.legal_moves(line.state)), []).append(line)
        ways: list[list[Line]] = []
        for first, *others in after.values():
            for line in self.explaining(root, self.search.instead(refused._replace(before=first))):
                rest = [step.did for step in line.steps[len(first.steps) :]]
                alike = (self.search.gone_on(other, rest) for other in others)
                ways.append(sorted([line, *filter(None, alike)], key=lambda way: -way.worth))
        return max(ways, key=lambda way: way[0].worth, default=[])[:CHOICES]

    def _corrected(self, fitting: list[Line]) -> Ruled | None:
        """What was written down with its doubt is seen now to have been otherwise."""
        best = max(self._doubted, key=lambda root: root.worth, default=self.root)
        margin = best.worth - max(line.worth for line in (self.root, *fitting))
        return Ruled((), margin, (), best.origin.revised) if margin > CLEAR else None

    def _surely_read(self) -> Question | None:
        """What explains the table if something shows now what it showed, and was read otherwise for sure.

        It may have been turned as well, so that players are asked.
        """
        for origin in self._belied():
            found = [line for line in self.allowed_from(origin) if not line.strange]
            if found:
                return the_only_one(self._ruled(found[:1], 0.0), MISREAD_FOR_SURE)
        return None

    def _decided(self, fitting: list[Line], back: tuple[float, TakeBack] | None) -> Verdict:
        if back is None and not self._may_tell(fitting):
            return self._unexplained()
        least = _likely(fitting, back) - CLEAR
        close = [line for line in fitting if line.worth > least]
        finished = [line for line in close if not is_unfinished(line)]
        stays, returned = self._may_stay(fitting, least), back[1] if back and back[0] > least else None
        groups = self._groups(finished, stays=stays, returned=returned is not None)
        if finished and not groups:
            return Incomplete(self.guide.waits_for(self.follower.state), (), self.told(self.gap))
        if len(groups) + stays + (returned is not None) > 1:
            return self._one_of(groups, stays=stays, back=returned)
        return returned or (self._only(groups[0], fitting, back) if groups else self._begun(close[0]))

    def _may_tell(self, fitting: list[Line]) -> bool:
        """Whether one of these lines is allowed, or may be refused already."""
        return any(not line.refused or self._may_accuse(line) for line in fitting)

    def _may_stay(self, fitting: list[Line], least: float) -> bool:
        """Whether nothing may have been done: one and the same move counts whatever its pieces show."""
        each = {tuple(step.did for step in line.steps): line.worth for line in reversed(fitting)}
        done = defaultdict[Hashable, float](float)
        for told, worth in each.items():
            done[tuple(one for one in told if isinstance(one, Move))] += exp(worth - least)
        stayed = self._as_it_was - least
        return stayed > 0 and exp(stayed + CLEAR) > max(done.values(), default=0.0)

    def _groups(self, finished: list[Line], *, stays: bool, returned: bool) -> list[list[Line]]:
        """What must be told apart of these by asking, unless what comes next will tell."""
        groups = apart(self.guide, finished)
        if not stays and not returned:
            groups = played_on(self.guide, groups, unread=any(map(is_unread, self.gap.extra)))
            groups = refused_alike(self.guide, groups)
            groups = begun_by(self.guide, groups, self.scene.came if self.scene.by is None else None)
        return groups if returned or not groups else still_to_come(self.guide, groups, stays=stays)

    def _one_of(self, groups: list[list[Line]], *, stays: bool, back: TakeBack | None) -> Verdict:
        agreed = None if stays or back is not None else self._agreed(groups)
        return agreed or self._question(groups[:ANSWERS], stays=stays, back=back)

    def _only(self, same: list[Line], fitting: list[Line], back: tuple[float, TakeBack] | None) -> Verdict:
        """What is made of the only explanation."""
        if self._is_wild(same[0]):
            # A refused line is no less likely because of one move before it of which another hand was seen.
            stranger = STRANGER * (same[0].refused and same[0].strange)
            if self._is_wild(same[0]._replace(prior=same[0].prior - stranger)):
                return self._unexplained()
            # Were it not asked about, nothing that follows could ever be told.
            return the_only_one(self._ruled(same, 0.0), ANOTHER_HAND)
        if same[0].refused and (allowed := self._allowed_if_misread() or self._allowed_if_otherwise(same)):
            return self._question([same, allowed], stays=False, back=None)
        told = {id(line) for line in same}
        others = [line for line in fitting if id(line) not in told]
        ruled = self._ruled(same, same[0].worth - _likely(others, back))
        if same[0].refused:
            return ruled
        # What the record needs and eyes speak against is asked about, though nothing else explains the table.
        if same[0].strange:
            return the_only_one(ruled, ANOTHER_HAND)
        return the_only_one(ruled, NOTHING_ELSE) if self.leaves_clutter(same[0]) else ruled

    def _agreed(self, groups: list[list[Line]]) -> Ruled | None:
        """What was done whichever of these it was: it is told first, and only the rest is asked about."""
        lines = [group[0] for group in groups]
        count = alike_at_first(lines) if all(map(self._is_plain, lines)) else 0
        if not count:
            return None
        first = self._ruled(groups[0], CLEAR)
        return replace(first, happened=first.happened[:count], more=True)

    def _is_plain(self, line: Line) -> bool:
        """Whether a line goes on from the record as it is, and nothing in it asks for much good will."""
        told_otherwise = line.origin.known or line.origin.revised
        return not (told_otherwise or line.strange or self.leaves_clutter(line) or self._is_wild(line))

    def _begun(self, line: Line) -> Incomplete:
        """A legal beginning of a move."""
        told = happened(self.guide, [line])
        ruling = told[-1].ruling
        return Incomplete(ruling.reason if ruling else "", told[:-1], self.told(self.gap))

    def _is_wild(self, line: Line) -> bool:
        """Whether an explanation needs more good will than to be acted on, or accuses too early."""
        spent = self.search.spent or self._since.search.spent
        if line.refused and (spent or not self._may_accuse(line)):
            return True
        # what nobody was seen to do is asked about by whoever knows that nobody was
        counted = 0.0 if self.scene.visits else self.search.beyond(line.plies)
        return line.prior - counted < (ACCUSING if line.refused else WILD)

    def _may_accuse(self, line: Line) -> bool:
        """Whether players were not asked about a refused move, or about none but this one.

        What lay there when they were asked may stand, though nobody said so: it is not laid after what came
        since, by whoever would then be to move.
        """
        told = [one.text for one in happened(self.guide, [line])]
        accused = [[one.text for one in ruled.happened] for ruled in self.follower.accused]
        return not accused or told in accused

    def _ruled(self, same: list[Line], margin: float) -> Ruled:
        """The first of these lines, with what the others say otherwise."""
        revised, told = same[0].origin.revised, self.told(self.search.gap(same[0]))
        pasts = () if revised else self.follower.pasts()
        told_before = self.follower.open, self.follower.accused
        steps = as_asked(happened(self.guide, same, pasts), same[0].origin.known, *told_before)
        if not (same[0].origin.known or revised):
            steps = in_other_orders(steps, self.follower.told, self.follower.doubts)
        steps = (*self._since.still_in_doubt(same[0], steps),)
        return Ruled(steps, min(margin, 99.0), told, revised, same[0].places)

    def _question(self, groups: list[list[Line]], *, stays: bool, back: TakeBack | None) -> Question:
        best = max((same[0].prior for same in groups), default=0.0)
        ruled = [self._ruled(same, same[0].prior - best) for same in groups]
        return question(ruled, stays=stays, back=back, unread=[*filter(is_unread, self.gap.extra)])

    # — what no move explains —

    def _unexplained(self) -> Verdict:
        told = self.told(self.gap)
        if self._partly_hidden():
            return Unreadable("OBS-HIDDEN", "Part of what changed is covered.", told)
        if (stood := self._since.stood()) is not None:
            return stood
        back, since = self._back.another_since
        if back is not None and not since.refused and since.prior + TAKEN_BACK > WILD:
            # What was agreed on is not given up, only because nothing else comes to mind, for what fits ill.
            asked = Question(NOTHING_ELSE, (Choice(back.sentence, back),))
            return back if since.worth + TAKEN_BACK > WILD else asked
        if self.gap.missing and not self.gap.extra:
            lifted = " ".join(one.sentence for one in told)
            return Incomplete(f"A piece was taken up and is not down yet. {lifted}", (), told)
        if waits := self.guide.waits_for(self.follower.state):
            return Incomplete(waits, (), told)
        return self._out_of_step()

    def _out_of_step(self) -> OutOfStep:
        return OutOfStep(self.told(self.gap), may_have_been(self.follower, self.scene, self.gap))

    def _partly_hidden(self) -> bool:
        regions = {spot.region for spot in self.gap.missing} | {one.region for one in self.gap.extra}
        return any(map(self.scene.is_hidden, regions))


def _likely(fitting: list[Line], back: tuple[float, TakeBack] | None = None) -> float:
    """What the likeliest of these lines, or the taking back, is worth."""
    return max(-inf if back is None else back[0], *(line.worth for line in fitting), -inf)
