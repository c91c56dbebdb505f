"""Players were asked, and go on without an answer: what is seen is held against each of the answers, too."""

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import chain
from math import hypot
from typing import Final

from engine.book import Fact, Move, State
from engine.errors import CannotStand
from engine.layout import Layout
from engine.matching.apart import is_laid_alike
from engine.matching.evidence import ASKEW, Lay
from engine.matching.guide import essence
from engine.matching.in_sight import look
from engine.matching.one_look import OneLook
from engine.matching.outcome import Happened, Ruled
from engine.matching.retelling import done_again, set_beside
from engine.matching.search import CLEAR, FARFETCHED, Search
from engine.matching.step_line import Line, Origin, parsed, state_after, text_of

_PUSHED: Final = 1.0
"""No farther than this, in board units, a piece is pushed that lay there when players were asked."""


class SinceAsked:
    """What was done since players were asked what a table shows in part."""

    def __init__(self, one: OneLook) -> None:
        self._one, self._follower, self._scene = one, one.follower, one.scene

    @cached_property
    def search(self) -> Search:
        """A search for what was done since then, by the hands that came since then."""
        if self._scene.lately is None:
            return self._one.search
        scene, follower = self._scene.since_asked(), self._follower
        evidence = self._one.guide.evidence(follower.state, scene, follower.places, self._one.others)
        return Search(self._one.guide, evidence)

    def offered(self) -> Iterator[Line]:
        """What fits if one of the answers holds that a question has offered, and nobody has given."""
        for ruled in self._follower.open:
            pasts = chain(
                [Origin(self._follower.state)], self._follower.doubted(), self._follower.pasts(),
                self._follower.reread(self._scene), self._follower.reread(self._scene, sure=True),
            )  # fmt: skip
            for origin in (past for past in pasts if past.revised == ruled.revised):
                known = [self._parsed(one) for one in ruled.happened]
                root = self._one.beginning(origin._replace(known=len(known)))
                found = self._gone_on(root, known, ruled)
                for twin in () if found else self._twins(origin.state, known):
                    found += self._gone_on(root, twin, ruled)
                yield from found
                break

    def _gone_on(self, root: Line, known: Sequence[Move | Fact], ruled: Ruled) -> list[Line]:
        """What fits if just this was done when players were asked."""
        line = self._one.search.gone_on(root, known)
        if line is None or self._lies_elsewhere(line, ruled):
            return []
        return self._one.fitting_at_once(self._asked(line, ruled), self.search)

    def _twins(self, state: State, known: Sequence[Move | Fact]) -> Iterator[Sequence[Move | Fact]]:
        """The same answer with another move in the place of one that looks the same: of two equal dice, say.

        What was offered had to name one of them; what follows may only go with the other.
        """
        for number, did in enumerate(known):
            then = state_after(self._one.book, state, did)
            if then is None:
                return
            for twin in self._one.guide.twins(state, did) if isinstance(did, Move) else ():
                rest = self._as_after(self._one.book.apply(state, twin), known[number + 1 :])
                if rest is not None:
                    yield [*known[:number], twin, *rest]
            state = then

    def _as_after(self, state: State, steps: Sequence[Move | Fact]) -> list[Move | Fact] | None:
        """The same from another state, as it must have been then; None where it could not be."""
        told: list[Move | Fact] = []
        for step in steps:
            found = done_again(self._one.guide, state, state, step)
            if found is None:
                return None
            state, text = found
            told.append(parsed(self._one.book, text))
        return told

    def _lies_elsewhere(self, line: Line, ruled: Ruled) -> bool:
        """Whether what an answer put down is gone, or would lie elsewhere, where another looks like it."""
        fresh = {name: lay for name, lay in ruled.places.items() if name not in self._follower.places}
        return any(self._is_elsewhere(line.places.get(name), lay) for name, lay in fresh.items())

    def _is_elsewhere(self, now: Lay | None, then: Lay) -> bool:
        if now is None:
            return not self._scene.is_hidden(then.region, then.x, then.y)
        turned = 0.0 if now.angle is None or then.angle is None else (now.angle - then.angle + 90) % 180 - 90
        return hypot(now.x - then.x, now.y - then.y) > _PUSHED or abs(turned) > ASKEW

    def stood(self) -> Ruled | None:
        """The answer with a refused move that players let stand and have gone on from, if it was one.

        What was refused is told first: then it is known that the rest came after it. Nobody is accused who
        may have taken something back as well, nor of what was only written, which is misread more easily,
        nor where another answer is that a tile of it shows something else, nor while not all was weighed that
        is allowed.
        """
        if self._follower.undone is not None or self._one.search.spent or self.search.spent:
            return None
        found = [ruled for ruled in self._follower.accused if self._is_gone_on_from(ruled)]
        return found[0] if len(found) == 1 and not self._may_show_else(found[0]) else None

    def _may_show_else(self, ruled: Ruled) -> bool:
        """Whether another answer is that what was put down before the refused move shows something else."""
        steps = [self._parsed(one) for one in ruled.happened[:-1]]
        return any(
            self._shows_else(one, did)
            for other in (*self._follower.open, *self._follower.accused)
            for one, did in zip(steps, map(self._parsed, other.happened), strict=False)
        )

    def _shows_else(self, one: Move | Fact, other: Move | Fact) -> bool:
        """Whether both put something down in one place, which shows something else."""
        if one == other or not isinstance(one, Move) or not isinstance(other, Move):
            return False
        return is_laid_alike(self._one.guide, [one, other])

    def _is_gone_on_from(self, ruled: Ruled) -> bool:
        """Whether the table is explained by what is allowed after a refused move that stands."""
        *known, refused = (self._parsed(one) for one in ruled.happened)
        assert isinstance(refused, Move)
        search = self._one.search
        told_otherwise = ruled.revised or isinstance(refused, self._one.guide.written)
        line = None if told_otherwise else search.gone_on(self._one.root, known)
        if line is None:
            return False
        places = self._one.guide.placed(refused, line.places, self._scene).places
        try:
            state = self._one.book.let_stand(line.state, refused)
        except CannotStand:
            return False
        since = self._one.fitting_at_once(search.root(Origin(state), places), self.search)
        return any(not one.refused and one.prior >= FARFETCHED for one in since)

    def still_in_doubt(self, line: Line, told: Sequence[Happened]) -> Sequence[Happened]:
        """What is told of a line, with what players were asked it may show instead, unless that is clear now.

        One look of many may read a tile well and wrong: what was asked about stays in the record as a doubt,
        so that nobody is accused of what hangs on it.
        """
        offered = (*self._follower.open, *self._follower.accused)
        if line.refused or line.origin.known or not offered:
            return told
        search = self._one.search
        root = search.root(line.origin, self._follower.places)
        steps = [step.did for step in line.steps]
        seen = search.gone_on(root, steps)
        assert seen is not None  # nothing in it is refused
        doubted = []
        # what must follow is told with it, and is no step of the line
        for number, one in enumerate(told[: len(steps)]):
            asked = dict.fromkeys(
                self._parsed(ruled.happened[number]) for ruled in offered if ruled.happened[number:]
            )
            texts = []
            for other in asked:
                if self._shows_else(steps[number], other):
                    way = search.gone_on(root, [*steps[:number], other, *steps[number + 1 :]])
                    if way is not None and way.worth > seen.worth - CLEAR:
                        texts.append(text_of(self._one.book, other))
            doubted.append(set_beside(one, texts))
        return (*doubted, *told[len(steps) :])

    def _asked(self, line: Line, ruled: Ruled) -> Line:
        """An answer as it was worth when it was offered, by whose hands were seen up to then."""
        if self._scene.lately is None:
            return line
        behind = min(0.0, ruled.margin)  # what nobody touched is asked about with its margin
        return line._replace(plies=0, prior=behind, worth=line.worth - line.prior + behind)

    def _parsed(self, one: Happened) -> Move | Fact:
        return parsed(self._one.book, one.text)

    def heeding(self, fitting: list[Line], offered: list[Line]) -> list[Line]:
        """What fits without what an answer leads to as well: of that it is known who did which part of it.

        Nor is a move illegal that looks the same as a legal one about which players were asked, or would but
        for what a domino shows that was read meanwhile: it was perhaps misread. But an answer that accuses
        somebody stays one as long as it explains the table.
        """
        looks = {key for line in offered if not line.refused for key in (look(line.layout), _laid(line))}
        kept = [
            line
            for line in fitting
            if not (line.refused and looks & {look(line.layout), _laid(line)}) or self._is_accused(line)
        ]
        if self._scene.lately is None:
            return kept
        ends = {self._end(line) for line in offered if not line.refused}
        return [line for line in kept if line.refused or self._end(line) not in ends]

    def unanswered(self, offered: list[Line], fitting: list[Line]) -> list[Line]:
        """The answers as they are worth beside one that accuses somebody, as long as that explains the table.

        Nobody has gone on then, so that nothing speaks for the others that did not when players were asked.
        """
        accused = self._follower.accused
        worth = [
            line.prior - min(0.0, ruled.margin)
            for line in fitting
            for ruled in accused
            if line.refused and self._tells(line, ruled)
        ]
        less = min(0.0, max(worth, default=0.0))
        return [
            line
            if line.refused or len(line.steps) > line.origin.known
            else line._replace(prior=line.prior + less, worth=line.worth + less)
            for line in offered
        ]

    def _is_accused(self, line: Line) -> bool:
        return any(self._tells(line, ruled) for ruled in self._follower.accused)

    def _tells(self, line: Line, ruled: Ruled) -> bool:
        """Whether a line tells the same as an answer, whatever was read in doubt."""
        told = [text_of(self._one.book, step.did) for step in line.steps]
        return len(told) == len(ruled.happened) and all(
            text in (one.text, *one.alike) for text, one in zip(told, ruled.happened, strict=True)
        )

    def _end(self, line: Line) -> Hashable:
        guide = self._one.guide
        return essence(guide, line.state), look(line.layout)


def _laid(line: Line) -> Hashable:
    """The table after a line with which something was read, whatever its dominoes show."""
    read = frozenset(type(step.did) for step in line.steps if isinstance(step.did, Fact))
    if not read:
        return look(line.layout)
    spots = tuple(replace(spot, value=None) if spot.kind == "domino" else spot for spot in line.layout.spots)
    return read, look(Layout(spots, line.layout.hidden))
