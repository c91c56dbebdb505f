"""The search for what happened: moves and facts that lead from a state to the table of a scene.

It goes ply by ply, a ply being what one visit of a hand to the table does. Between plies come facts, which
the table reveals, and silent moves, which nobody sees. At each step only moves are tried that touch a place
where table and record disagree, so that a scene that agrees nearly everywhere costs next to nothing; of what
was tried only the ``WIDTH`` likeliest are followed further. A refused move ends its line.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import replace
from heapq import nlargest
from typing import Final, TypeAlias

from engine.book import Fact, Move, State
from engine.errors import CannotStand
from engine.layout import Layout, Spot
from engine.matching.evidence import Evidence, Gap, Lay, Places
from engine.matching.guide import Guide
from engine.matching.step_line import Line, LineStep, Origin, state_after
from engine.nearness import Footprint, Where
from engine.ruling import Ruling
from engine.scene import Scene

PLIES: Final = 4
"""So many visits of a hand are caught up with at most."""
WIDTH: Final = 40
"""So many lines are followed from one ply to the next."""
MOST: Final = 10_000
"""So many lines are weighed for one scene: what has so many ways is told, if at all, by the next one."""
SILENT: Final = 8
"""So many facts and silent moves at most come between two plies."""
REFUSED: Final = -3.0
"""The log of how often a move is illegal, or a hand leaves the table in the middle of one."""
FAULT: Final = -0.3
"""What each further fault of a refused move costs: the kindest explanation comes first."""
ANOTHER: Final = -3.0
"""What each ply after the first costs, where nobody counted the visits of hands."""
UNCOUNTED: Final = -8.0
"""What each ply costs beyond those that were counted."""
CHOSEN: Final = -0.7
"""What a silent move costs that need not have been made."""
CLEAR: Final = 4.6
"""So far ahead (99 to 1) an explanation must be of the next to be acted on."""
FARFETCHED: Final = -2.0
"""An explanation that needs more good will than this is weighed against corrections of the record."""
WILD: Final = -9.5
"""Nor is one acted on that needs more good will than this, though nothing else explains the table."""
STRANGER: Final = -6.0
"""What it costs that another player did it than the one who was seen to reach in."""
SKIPPED: Final = -4.0
"""What it costs that a whole turn passed unseen, of a player whose hand was not seen while another's was."""
SURE: Final = 0.5
"""What explains a scene with no more loss than this needs no comparing with refused moves."""

_Moves: TypeAlias = Callable[[State, Gap, Scene, Places], Iterable[Move]]


class Search:
    """One search, from one state, for one scene."""

    def __init__(self, guide: Guide, evidence: Evidence) -> None:
        self.guide, self.book, self.evidence = guide, guide.book, evidence
        self.scene = evidence.scene
        self._best = 0.0
        self._gaps: dict[int, tuple[Layout, Gap]] = {}
        self._weighings, self._most = 0, MOST

    def refresh(self, most: int) -> None:
        """From now on so many lines more are weighed at most."""
        self._weighings, self._most = 0, most

    @property
    def spent(self) -> bool:
        """Whether not all was weighed: what was not thought of may explain the scene, too."""
        return self._weighings > self._most

    def root(self, origin: Origin, places: Places) -> Line:
        """The line without a step."""
        layout = self.guide.layout(origin.state, places)
        return Line(origin, origin.state, (), 0.0, 0, self.evidence.score(layout), layout, places)

    def gone_on(self, root: Line, known: Iterable[Move | Fact]) -> Line | None:
        """The line after moves and facts that are known already; None where they cannot be."""
        line = root
        for did in known:
            state = state_after(self.book, line.state, did)
            if state is None:
                return None
            ruling = self.book.judge(line.state, did) if isinstance(did, Move) else None
            line = self._line(line, LineStep(did, ruling, state), state, 0.0)
        return line

    def instead(self, line: Line) -> list[Line]:
        """What a line may have been that ends with a refused move: every legal one in the place of that."""
        assert line.before is not None  # it has been refused
        return self._closed(list(self._played(line.before, self._overlooked)))

    def _overlooked(self, state: State, _gap: Gap, _scene: Scene, _places: Places) -> Iterable[Move]:
        # What a tile touches tells which move it was where places have no names: that was looked at.
        return self.guide.book.legal_moves(state) if self.guide.named else ()

    def lines(self, root: Line, plies: int = PLIES) -> list[Line]:
        """Every line worth a thought, the likeliest first."""
        self._best = self.evidence.undisputed(root.layout)
        found: dict[Hashable, Line] = {}
        level = self._noted(found, self._closed([root]))
        for ply in range(plies):
            if self._enough(found.values(), ply):
                break
            ahead = self._ahead(found, level, self.guide.moves)
            if not self._enough(found.values(), ply):
                for line in self._ahead(found, level, self.guide.stones).values():
                    _keep(ahead, line)
            level = nlargest(WIDTH, ahead.values(), key=_worth)
        return sorted(found.values(), key=_worth, reverse=True)

    def _ahead(
        self, found: dict[Hashable, Line], level: Sequence[Line], moves: _Moves
    ) -> dict[Hashable, Line]:
        """The lines that are one ply longer; refused ones are only noted."""
        ahead: dict[Hashable, Line] = {}
        for line in level:
            for after in self._played(line, moves):
                _keep(found if after.refused else ahead, after)
                if self.spent:
                    return {}
        return {line.key: line for line in self._noted(found, self._closed(list(ahead.values())))}

    def _noted(self, found: dict[Hashable, Line], level: list[Line]) -> list[Line]:
        for line in level:
            if line.steps and not line.idle:
                _keep(found, line)
        return level

    def _enough(self, found: Iterable[Line], ply: int) -> bool:
        """Whether no line of more plies can be nearly as good as what was found."""
        best = max(found, key=_worth, default=None)
        if best is None or self.gap(best):
            return False
        return not best.refused or best.prior - CLEAR > self.beyond(ply + 1)

    def beyond(self, plies: int) -> float:
        """What it costs to believe in so many plies."""
        visits = self.scene.visits
        more = max(0, plies - (1 if visits is None else visits))
        return more * (ANOTHER if visits is None else UNCOUNTED)

    def gap(self, line: Line) -> Gap:
        """Where the table after a line and the scene disagree."""
        known = self._gaps.get(id(line.layout))
        if known is None:
            # the layout is kept with it, so that no other can come to have the same id
            known = self._gaps[id(line.layout)] = line.layout, self.evidence.gap(line.layout)
        return known[1]

    # — steps —

    def _closed(self, level: Sequence[Line]) -> list[Line]:
        """These lines, and all that facts and silent moves make of them."""
        everything: dict[Hashable, Line] = {}
        fresh = list(level)
        for _ in range(SILENT):
            for line in fresh:
                _keep(everything, line)
            ahead: dict[Hashable, Line] = {}
            for line in fresh:
                for after in self._between(line):
                    if after.key not in everything:
                        _keep(ahead, after)
            fresh = list(ahead.values())
            if not fresh:
                break
        return list(everything.values())

    def _between(self, line: Line) -> Iterator[Line]:
        due = self.book.pending(line.state) is not None
        return self._revealed(line) if due else self._unseen(line)

    def _revealed(self, line: Line) -> Iterator[Line]:
        """What the facts that are due make of a line."""
        facts = list(self.guide.facts(line.state, self.evidence))
        shown = {type(step.did) for step in line.steps if isinstance(step.did, self.guide.once)}
        for fact in facts:
            if type(fact) in shown:
                continue  # what it showed the first time cannot be seen any more
            after = self.gone_on(line, [fact])
            if after is not None:
                # of several facts that look the same none was seen; what comes next may tell
                yield after._replace(idle=len(facts) > 1 and after.layout == line.layout)

    def _unseen(self, line: Line) -> Iterator[Line]:
        """What moves make of a line that nobody sees."""
        silent = list(self.guide.silent(line.state, self.evidence))
        # Who is to be turned may be left as he is as well as turned: one of the two must be done.
        must = len(silent) >= len(self.book.legal_moves(line.state))
        for move, shows, due, whole_turn in silent:
            cost = self.guide.taste(line.state, move) + (0.0 if must or due else CHOSEN)
            if whole_turn and self.scene.by not in (None, move.player):
                cost += SKIPPED
            state = self.book.apply(line.state, move)
            step = LineStep(move, self.book.judge(line.state, move), state)
            if shows:
                yield self._line(line, step, state, cost)._replace(silent=line.silent + 1)
                continue
            after = line._replace(state=state, steps=(*line.steps, step), silent=line.silent + 1, idle=True)
            yield after._replace(prior=line.prior + cost, worth=line.worth + cost)

    def _played(self, line: Line, moves: _Moves) -> Iterator[Line]:
        """What moves make of a line; refused ones are looked at only where no other explains all."""
        refused: list[tuple[Move, Ruling]] = []
        explained = False
        for move in moves(line.state, self.evidence.gap(line.layout, faint=True), self.scene, line.places):
            ruling = self.book.judge(line.state, move)
            if ruling.allowed:
                state = self.book.apply(line.state, move)
                after = self._line(line, LineStep(move, ruling, state), state, self._by(move, line))
                after = after._replace(strange=line.strange or self._is_strange(move, line))
                explained |= after.worth > self._best - SURE
                yield after
            elif not _has_just_ended(line, move):
                refused.append((move, ruling))
        if not explained:
            for move, ruling in refused:
                yield from self._refused(line, move, ruling)

    def _refused(self, line: Line, move: Move, ruling: Ruling) -> Iterator[Line]:
        """A line that a refused move ends: what the table looks like is all that matters of it then."""
        cost = self._by(move, line) + FAULT * len(ruling.also) + REFUSED
        try:
            state = self.book.let_stand(line.state, move)
        except CannotStand:
            # where its pieces lie wherever players put them, it was put where it is seen
            places = self.guide.placed(move, line.places, self.scene).places
            put = {name: lay for name, lay in places.items() if line.places.get(name) != lay}
            layout = as_laid(self.book.footprint(line.state, move), line.layout, put)
            if layout is not None:
                step = LineStep(move, ruling, None)
                after = self._weighed(line, step, line.state, cost, layout, places)
                yield after._replace(refused=True, before=line)
            return
        if state != line.state:
            after = self._line(line, LineStep(move, ruling, state), state, cost)
            yield after._replace(refused=True, before=line)
            if self.book.pending(state) is not None:
                # what is revealed next may lie there too; it is not told before the move stands
                for shown in self._between(after):
                    plies = line.plies + self._ply(line.layout, shown.layout)
                    yield shown._replace(steps=after.steps, plies=plies, refused=True, before=line)

    def _by(self, move: Move, line: Line) -> float:
        return self.guide.taste(line.state, move) + STRANGER * self._is_strange(move, line)

    def _is_strange(self, move: Move, line: Line) -> bool:
        """Whether a hand was seen at it, and not that of the player whose move it is."""
        hand = self.guide.placed(move, line.places, self.scene).by or self.scene.by
        return None not in (move.player, hand) and move.player != hand

    def _line(self, line: Line, step: LineStep, state: State, cost: float) -> Line:
        places = line.places
        if isinstance(step.did, Move):
            places = self.guide.placed(step.did, places, self.scene).places
        return self._weighed(line, step, state, cost, self.guide.layout(state, places), places)

    def _weighed(
        self, line: Line, step: LineStep, state: State, cost: float, layout: Layout, places: Places
    ) -> Line:
        plies = line.plies
        if isinstance(step.did, Move):
            plies += self._ply(line.layout, layout)
        cost += self.beyond(plies) - self.beyond(line.plies)
        self._weighings += 1
        prior = line.prior + cost
        worth = prior + self.evidence.score(layout)
        steps = (*line.steps, step)
        return Line(
            line.origin, state, steps, prior, plies, worth, layout, places,
            silent=line.silent, strange=line.strange,
        )  # fmt: skip

    def _ply(self, before: Layout, after: Layout) -> int:
        """How many visits of a hand lead from one layout to another."""
        return int(_but_for(self.guide.besides, before) != _but_for(self.guide.besides, after))


def _but_for(regions: frozenset[str], layout: Layout) -> Layout:
    """A layout without these regions."""
    if not regions:
        return layout
    return Layout(tuple(spot for spot in layout.spots if spot.region not in regions), layout.hidden)


def _has_just_ended(line: Line, move: Move) -> bool:
    """Whether a player would have done this after something that nobody saw him do, his turn's end, say.

    Who has not done that is not accused of what would be wrong after it.
    """
    last = line.steps[-1].did if line.steps else None
    return line.idle and isinstance(last, Move) and last.player == move.player


def as_laid(footprint: Footprint, before: Layout, put: Places) -> Layout | None:
    """The table with the pieces where an impossible move would put them; None where that is nowhere.

    A piece that has no place of its own lies where it was ``put``.
    """
    ends = {name: end for name, end in footprint.items() if isinstance(end, Where)}
    spots = (_laid(spot, ends.get(spot.name), put.get(spot.name)) for spot in before.spots)
    layout = Layout(tuple(spots), before.hidden)
    return None if layout == before else layout


def _laid(spot: Spot, end: Where | None, lay: Lay | None) -> Spot:
    """A piece on the board, if it is put there; a domino there is nobody's, out of whosever hand it came."""
    if end is None or spot.kind == "sheet":
        return spot
    region, x, y, angle = ("board", *end) if lay is None else lay
    owner = None if spot.kind == "domino" else spot.owner
    return replace(spot, region=region, x=x, y=y, angle=angle, owner=owner)


def _keep(lines: dict[Hashable, Line], line: Line) -> None:
    """Keep the better of two lines that lead on in the same way; of equal ones the shorter or the first."""
    known = lines.get(line.key)
    if known is None or (line.worth, -len(line.steps)) > (known.worth + 1e-9, -len(known.steps)):
        lines[line.key] = line


def _worth(line: Line) -> float:
    return line.worth
