"""One look at one scene: what explains it, from the record or from another past."""

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Final

from engine.matching.evidence import Gap, instead_of
from engine.matching.guide import Guide, guide_for
from engine.matching.outcome import Difference
from engine.matching.piece_words import differences
from engine.matching.same_table import settled
from engine.matching.search import PLIES, Search
from engine.matching.stains import weighed
from engine.matching.step_line import Line, Origin
from engine.scene import Scene

if TYPE_CHECKING:
    from engine.matching.follower import Follower

CHOICES: Final = 4
"""So many choices a question offers at most, and so many doubts of the record are weighed with a scene."""


class OneLook:
    """A scene beside a game, ready to be explained."""

    def __init__(self, follower: "Follower", scene: Scene) -> None:
        self.follower, self.scene = follower, scene
        self.book = follower.book
        self.guide: Guide = guide_for(self.book)
        self.others = [origin.state for origin in islice(follower.doubted(), CHOICES)]
        self.evidence = self.guide.evidence(follower.state, scene, follower.places, self.others)
        self.search = Search(self.guide, self.evidence)
        self.root = self.search.root(Origin(follower.state), follower.places)
        self.gap = self.search.gap(self.root)
        # where every piece lies in its place nothing was pushed, though one may read as another that has come
        if self.gap.missing and self.guide.hangs_together(self.root.state, self.scene):
            self._pushed()

    def _pushed(self) -> None:
        """The whole line was pushed aside, if what is not where it was lies elsewhere and looks as it did."""
        root = self.search.root(self.root.origin, {})
        gap = self.search.gap(root)
        if not {spot.name for spot in self.gap.missing}.intersection(spot.name for spot, _ in gap.misread):
            self.root, self.gap = root, gap

    @cached_property
    def onward(self) -> Sequence[Line]:
        """Every line from the record that is worth a thought, the likeliest first."""
        return self.search.lines(self.root)

    def fitting(self, root: Line) -> list[Line]:
        """Lines that leave nothing at odds but readings of pieces that they do not touch."""
        lines = self.onward if root is self.root else self.search.lines(root)
        return settled(self.guide, self.explaining(root, lines), self.evidence)

    def fitting_but_for_clutter(self) -> list[Line]:
        """What is allowed and explains all but what may be no piece, though more hands came than it needs.

        What lay there when table and record agreed was weighed (``Follower.see``).
        """
        if weighed(self.scene, self.follower.beside) != self.scene:
            return []
        allowed = (line for line in self.onward if not line.refused and self.leaves_clutter(line))
        return settled(self.guide, self.explaining(self.root, allowed, cluttered=True), self.evidence)

    def leaves_clutter(self, line: Line) -> bool:
        """Whether more hands came than a line needs, while something has come that it does not explain."""
        return 0 < line.plies < (self.scene.visits or 0) and bool(self.search.gap(line).moved)

    def fitting_at_once(self, root: Line, search: Search | None = None) -> list[Line]:
        """The same in no more plies than hands were counted: what is doubted is not looked at so widely."""
        search = search or self.search
        lines = search.lines(root, min(PLIES, search.scene.visits or PLIES))
        return settled(self.guide, self.explaining(root, lines), search.evidence)

    def beginning(self, origin: Origin) -> Line:
        """The line without a step from another past; a piece that shows something else lies as it lay."""
        places = self.follower.places
        there = {spot.name: spot for spot in self.guide.layout(self.follower.state, {}).spots}
        then = {spot.name: spot for spot in self.guide.layout(origin.state, {}).spots}
        gone = [spot for name, spot in there.items() if name not in then and name in places]
        fresh = [spot for name, spot in then.items() if name not in there and name not in places]
        if len(gone) == len(fresh) == 1 and gone[0].kind == fresh[0].kind:
            places = {**places, fresh[0].name: instead_of(gone[0], fresh[0], places[gone[0].name])}
        return self.search.root(origin, places)

    def allowed_from(self, origin: Origin) -> list[Line]:
        """What fits from another past, as far as it is allowed."""
        root = self.beginning(origin)
        return [line for line in self.fitting(root) if not line.refused]

    def explaining(self, root: Line, lines: Iterable[Line], *, cluttered: bool = False) -> list[Line]:
        """Those of the lines that leave nothing at odds but what was at odds before."""
        misread = {spot.name for gap in (self.gap, self.search.gap(root)) for spot, _ in gap.misread}
        return [line for line in lines if self._explains(line, misread, cluttered=cluttered)]

    def _explains(self, line: Line, misread: set[str], *, cluttered: bool) -> bool:
        gap = self.search.gap(line)
        if gap.moved:
            # what seems to have come besides is no piece, where as much was done as hands came
            done = line.plies >= (1 if cluttered else max(1, self.scene.visits or 0))
            if not (done and self.evidence.is_clutter(gap)):
                return False
        return misread.issuperset(spot.name for spot, _ in gap.misread)

    def told(self, gap: Gap) -> tuple[Difference, ...]:
        """Where table and record disagree, in words."""
        return tuple(differences(gap, named=self.guide.named))
