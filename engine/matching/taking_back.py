"""What was taken back: the last move, or several, or the last one and another made since."""

from dataclasses import replace
from functools import cached_property
from typing import Final

from engine.layout import Layout
from engine.matching.evidence import Evidence
from engine.matching.in_sight import look
from engine.matching.one_look import OneLook
from engine.matching.outcome import TakeBack
from engine.matching.search import CLEAR, PLIES, WILD
from engine.matching.since_asked import SinceAsked
from engine.matching.step_line import Line, Origin
from engine.ruling import Status

TAKEN_BACK: Final = -4.0
"""The log of how often a table that looks as before was taken back, beside a move that leads there."""
BY_ITS_MAKER: Final = -2.5
"""The same where the hand that was seen is that of whoever made the last move."""
MISREAD: Final = 2
"""So many pieces may be misread at once, lying where they should, before the record is doubted."""
BACK: Final = 16
"""So many steps back the record may have to be corrected for what could not be seen then."""
_AND_ANOTHER: Final = "The last move was taken back, and another was made."


def is_unfinished(line: Line) -> bool:
    """Whether the last move is a legal beginning that still lacks something."""
    ruling = line.steps[-1].ruling
    return ruling is not None and ruling.status is Status.INCOMPLETE


class TakingBack:
    """What of the record one look shows to be taken back."""

    def __init__(self, one: OneLook, since: SinceAsked) -> None:
        self._one, self._since = one, since

    @cached_property
    def _evidence(self) -> Evidence:
        """The scene as earlier states are held against it.

        How a soldier stood who was given his facing since says nothing of how he stood before.
        """
        one, places = self._one, self._one.follower.places
        soldiers = (spot for spot in one.root.layout.spots if spot.kind == "soldier")
        faced = {spot.name for spot in soldiers if spot.angle is not None and spot.name in places}
        if not faced:
            return one.evidence
        places = {name: lay for name, lay in places.items() if name not in faced}
        return one.guide.evidence(one.follower.state, one.scene, places, one.others)

    def is_rubbed_out(self) -> bool:
        """Whether the table is likelier an earlier one, though nothing has come, gone or moved."""
        back = self._taken_back() if self._one.scene.visits != 0 else None
        return back is not None and back[0] + TAKEN_BACK > self._one.root.worth

    def exchanged(self) -> TakeBack | None:
        """The last move as taken back and made anew with other pieces, where these can hardly be misread.

        Two dice that changed places leave nothing out of place: each only looks like the other.
        """
        worth = self._one.root.worth + CLEAR - TAKEN_BACK
        if worth > 0 or self._one.scene.visits == 0:
            return None
        back, since = self.another_since
        return back if since.worth > worth and not since.refused else None

    def put_back(self, fitting: list[Line]) -> tuple[list[Line], tuple[float, TakeBack] | None]:
        """What fits beside a taking back that the table shows, and that with its worth."""
        back = self._taken_back()
        if back is not None:
            # Where a move was taken back, nobody can call an illegal one that looks the same, though a
            # soldier who was to be turned may have been given the facing that he had.
            was = look(self._one.guide.layout(back[1].state, self._one.follower.places), facing=False)
            kept = [line for line in fitting if not line.refused or look(line.layout, facing=False) != was]
            return kept, (back[0] + self._taken(), back[1])
        since = self._since_undone()
        if since is None or since.worth + TAKEN_BACK <= WILD:
            return fitting, None
        assert self._one.follower.undone is not None  # something was done since
        undone = replace(self._one.follower.undone, sentence=_AND_ANOTHER, more=True)
        # players were asked whether it was taken back: if so, all that followed may be allowed
        kept = [line for line in fitting if since.refused or not line.refused]
        return kept, (since.worth + TAKEN_BACK, undone)

    def _taken_back(self) -> tuple[float, TakeBack] | None:
        """The latest earlier state that the table equals, and how well it does.

        How rare a first move taken back is does not count in that.
        """
        states = self._one.follower.states
        seen, plies = self._one.root.layout, 0
        for steps in range(1, min(len(states), BACK + 1)):
            state = states[-1 - steps]
            layout = self._one.guide.layout(state, self._one.follower.places)
            if layout == seen:
                continue
            seen, plies = layout, plies + 1
            if plies > max(2, self._one.scene.visits or PLIES):
                break
            if self._is_so(layout):
                words = f"{'The last move was' if steps == 1 else f'The last {steps} steps were'} taken back."
                # Each visible move more that was taken back is as rare as the first.
                return self._evidence.score(layout) + TAKEN_BACK * (plies - 1), TakeBack(steps, state, words)
        return None

    def _taken(self) -> float:
        """How often a table that looks as before was taken back by whoever was there."""
        follower = self._one.follower
        moves = (one for one in reversed(follower.told) if one and not one.startswith("see "))
        last = next(moves, None)
        maker = None if last is None else follower.book.parse(last).player
        return BY_ITS_MAKER if maker is not None and maker == self._one.scene.by else TAKEN_BACK

    def _since_undone(self) -> Line | None:
        """What was done since the last move was taken back, if it was: players were asked whether it was."""
        if self._one.follower.undone is None:
            return None
        root = self._one.search.root(Origin(self._one.follower.undone.state), self._one.follower.places)
        since = self._one.fitting_at_once(root, self._since.search)
        return next((line for line in since if not is_unfinished(line)), None)

    def _is_so(self, layout: Layout) -> bool:
        """Whether the table is like this, but for readings that are at odds with the record anyway."""
        if self._evidence.agrees(layout):
            return True
        gap, misread = self._evidence.gap(layout), {spot.name for spot, _ in self._one.gap.misread}
        few = len(gap.misread) <= MISREAD
        return few and not gap.moved and misread.issuperset(spot.name for spot, _ in gap.misread)

    def instead_of(self, refused: Line) -> TakeBack | None:
        """The last move as taken back, where legal ones made since fit as well as this illegal one.

        Or where what is illegal as well, after another move, fits better.
        """
        back, since = self.another_since
        least = refused.worth - (0.0 if since.refused else CLEAR)
        return None if since.worth + TAKEN_BACK < least else back

    def is_clearer_than(self, refused: Line) -> bool:
        """Whether the taking back and what was done since explain the table so well that nobody is asked.

        Of a taking back that only leads to another refused move they are.
        """
        since = self.another_since[1]
        return not since.refused and since.worth + TAKEN_BACK > refused.worth + CLEAR

    @cached_property
    def another_since(self) -> tuple[TakeBack | None, Line]:
        """The last move as taken back, where what was done since explains the table, and that.

        That is legal, or at least another move that was made instead before one that is refused.
        """
        states, places = self._one.follower.states, self._one.follower.places
        for steps in range(1, min(len(states), BACK + 1)):
            state = states[-1 - steps]
            if self._one.guide.layout(state, places) == self._one.root.layout:
                continue
            if self._one.book.pending(state) is not None:
                break  # what was seen is not taken back
            root = self._one.search.root(Origin(state), places)
            since = [line for line in self._one.fitting(root) if self._tells_more(line)]
            legal = [line for line in since if not line.refused]
            if told := legal or [line for line in since if len(line.steps) > 1 and not line.strange]:
                return TakeBack(steps, state, _AND_ANOTHER, more=True), told[0]
            break
        return None, self._one.root

    def _tells_more(self, since: Line) -> bool:
        """Whether this is done, and leads where the record alone does not lead as easily.

        Who takes a move back makes another one; what was written down is not made again.
        """
        worth, there = since.worth + TAKEN_BACK, look(since.layout)
        return not is_unfinished(since) and not any(
            line.worth > worth and look(line.layout) == there for line in self._one.onward if not line.refused
        )
