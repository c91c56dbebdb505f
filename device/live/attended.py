"""Who was at the table, and what changed: since it agreed with the record, and since players were asked."""

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Self

from device.journal.evidence import box_of
from device.live.ports import Arm, Seen, Strange
from device.live.steadying import steadied
from device.live.visits import WHOLE_VISIT_S, Visits, is_hand, large, overlap
from engine.matching.words import region_words
from engine.scene import Scene
from vision.gate import Box, Look, State
from vision.pieces.patches import Picture
from vision.pieces.unchanged import looks_as_before, nothing_came

_AWAY_S, _AWAY_FRAMES = 0.25, 2
"""Who has not been seen for so long, and in so many frames, has gone, though the table is not at rest: while
the table is read no frame is looked at, and who is in the next one has been there all the time, unless a
whole visit may have gone unseen."""
_MOST_CHANGED = 64
"""So many places where the table changed are remembered."""


@dataclass(frozen=True, eq=False)
class _Agreed:
    """A table on which table and record agreed."""

    seen: Seen
    picture: Picture

    def __deepcopy__(self, _memo: object) -> Self:
        """Itself, as nobody changes it."""
        return self


class Attended:
    """What one eye remembers of hands and changes, from look to look."""

    def __init__(self) -> None:
        self._agreed: _Agreed | None = None
        self._visits, self._since = Visits(), Visits()
        """Of hands: until the table was read last, since table and record agreed; and since that reading."""
        self._changed: tuple[Box, ...] = ()
        """Where the table changed since table and record agreed."""
        self._lately: tuple[Visits, tuple[Box, ...]] | None = None
        """Those since players were asked something that is not answered, and where the table changed."""
        self._view: int | None = None
        """The view that was read last."""
        self._known_view: int | None = None
        """The view on which table and record agreed: what changed with it came before that."""
        self._strange: tuple[Strange, ...] = ()
        """What changed below a hand and nothing explains."""
        self._told_of: tuple[Strange, ...] = ()
        """What was strange in the table that was read last, whoever did it."""
        self._here = False
        """Whether a hand is over the table."""
        self._armed_s: float | None = None
        """When an arm was seen last, if one was since a hand came that is over the table."""
        self._armless = 0
        """In how many frames none was seen since."""
        self._visited = False
        """Whether the gate believed in a visit at the frame before."""

    @property
    def understood(self) -> Seen | None:
        """The table when table and record agreed."""
        return None if self._agreed is None else self._agreed.seen

    @property
    def untouched(self) -> bool:
        """Whether nobody can have moved anything since table and record agreed."""
        return self._visits.untouched

    def note(self, look: Look, arms: Sequence[Arm], size_px: tuple[int, int]) -> None:
        """Take in what the gate says of the next frame: whether a hand came, and whose."""
        hand = is_hand(look)
        if hand or look.state in (State.SETTLED, State.SETTLING):
            comes = hand and (not self._here or self._is_back(look, arms, size_px))
            self._here = hand
            self._armed_s = self._armed_s if hand else None
        else:
            comes = False
        # Where the gate believes in a visit and shows no hand, no picture came for a moment.
        self._since.gaps |= look.visited and not (hand or self._visited)
        self._visited = look.visited
        self._since.note(look, arms, size_px, comes=comes)

    def _is_back(self, look: Look, arms: Sequence[Arm], size_px: tuple[int, int]) -> bool:
        """Whether an arm is seen anew: between two visits in a hurry the table is never at rest."""
        if not large(arms, size_px):
            self._armless += 1
            return False
        last_s, self._armed_s = self._armed_s, look.at_s
        missed, self._armless = self._armless, 0
        away_s = 0.0 if last_s is None else look.at_s - last_s
        return away_s >= WHOLE_VISIT_S or (away_s >= _AWAY_S and missed >= _AWAY_FRAMES)

    def blinked(self) -> None:
        """No picture counted for a moment: a hand may have come unseen."""
        self._since.gaps = True

    def was_away(self) -> None:
        """There were no frames for a while: nobody can count the hands of that time."""
        self._since.unwatched = True

    def forget(self) -> None:
        """A game begins anew from each table: who came before that does not count."""
        self._visits, self._changed = Visits(), ()
        self.taken_as_it_is()

    def taken_as_it_is(self) -> None:
        """What changed before a game goes on from a table is no riddle of that game."""
        self._strange = ()

    def read(self, look: Look) -> Visits:
        """The table was read: those who came since the reading before."""
        since, self._since = self._since, Visits()
        self._visits.add(since)
        fresh = () if look.view == self._known_view else look.changed
        self._changed = _with(self._changed, fresh)
        self._view = look.view
        if self._lately is not None:
            visits, changed = self._lately
            visits.add(since)
            self._lately = visits, _with(changed, fresh)
        return since

    def without(self, there: frozenset[int]) -> "Attended":
        """The same as if the table had been read now, and those who are still there had just come."""
        other = copy.deepcopy(self)
        gone, ongoing = other._since.parted(there)
        other._since = gone
        other.read(Look(0.0, State.SETTLED, 0.0))
        if other._visits.first in there and not other._visits.came_again:
            other._visits.first = None
        other._since = ongoing
        return other

    def steadied(self, seen: Seen, picture: Picture) -> Seen:
        """What was seen in a picture, held against the table when table and record agreed, if they have."""
        then = self._agreed
        if then is None:
            return seen
        riddles = [one.box for one in (*self._strange, *seen.strange)]

        def same(box: Box) -> bool:
            """Whether a place looks as it did; what nobody could read then may be read now."""
            known = not any(overlap(box, riddle) for riddle in riddles)
            return known and looks_as_before(picture, then.picture, box)

        return steadied(seen, then.seen, lambda box: self._visits.touched(box, self._changed), same)

    def bare(self, picture: Picture) -> Callable[[Box], bool]:
        """Where a picture shows nothing that was put down since table and record agreed."""
        then = self._agreed
        return lambda box: then is not None and nothing_came(picture, then.picture, box)

    def told(self, seen: Seen) -> Seen:
        """What was seen, with what is known of who made it."""
        self._strange = tuple(one for one in seen.strange if self._is_done(one))
        self._told_of = seen.strange
        scene: Scene = self._visits.told(seen.scene, self._changed, seen.marks)
        if self._lately is not None:
            visits, changed = self._lately
            scene = visits.since_asked(scene, changed, seen.marks)
        return replace(seen, scene=scene)

    def _is_done(self, one: Strange) -> bool:
        """Whether somebody did this; a hand that comes where it is to be seen already did not."""
        return one in self._strange or (one not in self._told_of and self._visits.covers(one.box))

    def unexplained(self) -> str:
        """What to tell players of changes that nothing explains, where somebody's hand was; else nothing."""
        where = dict.fromkeys(region_words(one.region) for one in self._strange)
        return " ".join(f"Something {one} was put down or taken away, and I cannot read it." for one in where)

    def lying(self) -> Sequence[Box]:
        """Where something lay when table and record agreed."""
        marks = () if self.understood is None else self.understood.marks
        return [box for mark in marks if (box := box_of([mark])) is not None]

    def asked(self) -> None:
        """Players were asked something: who comes from now on is counted by itself."""
        self._lately = Visits(), ()

    def answered(self) -> None:
        """What was asked is of no matter any more."""
        self._lately = None

    def agreed(self, seen: Seen | None, picture: Picture | None) -> None:
        """Table and record agree on what was read last, if on anything: counting begins anew."""
        self._visits, self._changed, self._lately = Visits(), (), None
        self._agreed = None if seen is None or picture is None else _Agreed(seen, picture)
        self._known_view = None if self._agreed is None else self._view


def touched(since: Visits, changed: Sequence[Box]) -> Callable[[Box], bool]:
    """Whether anything may have been done at a place by these hands, or where the gate saw these changes."""
    return lambda box: since.touched(box, changed)


def _with(changed: tuple[Box, ...], more: Sequence[Box]) -> tuple[Box, ...]:
    """Places where the table changed, and more of them."""
    return tuple(dict.fromkeys((*changed, *more)))[-_MOST_CHANGED:]
