"""Who was at the table, and what changed: since it agreed with the record, and since players were asked."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from device.journal.ruling_pictures import box_of
from device.live.ports import Seen, Strange
from device.live.steadying import steadied
from device.live.visits import WHOLE_VISIT_S, Visits, large, overlap
from engine.matching.piece_words import region_words
from engine.scene import Scene
from vision.pieces.patches import Picture
from vision.pieces.unchanged import looks_as_before, nothing_came
from vision.view import Box, FrameState, Look, SeenArm

_AWAY_S, _AWAY_FRAMES = 0.25, 2
"""Who has not been seen for so long, and in so many frames, has gone, though the table is not at rest: while
the table is read no frame is looked at, and who is in the next one has been there all the time, unless a
whole visit may have gone unseen."""
_MOST_CHANGED = 64
"""So many places where the table changed are remembered."""


@dataclass(frozen=True, eq=False)
class Attended:
    """What one eye remembers of hands and changes, from look to look: a value."""

    since: Visits = field(default_factory=Visits)
    """Visits of hands since the table was read last."""
    understood: Seen | None = None
    """The table when table and record agreed."""
    _picture: Picture | None = None
    """What it looked like."""
    _visits: Visits = field(default_factory=Visits)
    """Visits until the table was read last, since table and record agreed."""
    _changed: tuple[Box, ...] = ()
    """Where the table changed since table and record agreed."""
    _lately: tuple[Visits, tuple[Box, ...]] | None = None
    """Those since players were asked something that is not answered, and where the table changed."""
    _view: int | None = None
    """The view that was read last."""
    _known_view: int | None = None
    """The view on which table and record agreed: what changed with it came before that."""
    _strange: tuple[Strange, ...] = ()
    """What changed below a hand and nothing explains."""
    _told_of: tuple[Strange, ...] = ()
    """What was strange in the table that was read last, whoever did it."""
    _here: bool = False
    """Whether a hand is over the table."""
    _armed_s: float | None = None
    """When an arm was seen last, if one was since a hand came that is over the table."""
    _armless: int = 0
    """In how many frames none was seen since."""
    _visited: bool = False
    """Whether the gate believed in a visit at the frame before."""

    @property
    def untouched(self) -> bool:
        """Whether nobody can have moved anything since table and record agreed."""
        return self._visits.untouched

    def note(self, look: Look, arms: Sequence[SeenArm], size_px: tuple[int, int]) -> "Attended":
        """The same with what the next frame shows: whether a hand came, and whose."""
        there = look.hand and bool(large(arms, size_px))
        comes = look.hand and (not self._here or (there and self._is_back(look)))
        since = self.since.note(look, arms, size_px, comes=comes)
        if look.visited and not (look.hand or self._visited):
            since = replace(since, gaps=True)  # a visit, and no hand: no picture came for a moment
        now = replace(self, since=since, _visited=look.visited, _here=look.hand or self._here)
        if look.state in (FrameState.SETTLED, FrameState.SETTLING):
            return replace(now, _here=False, _armed_s=None)
        if not (look.hand and self._here):
            return now
        if there:
            return replace(now, _armed_s=look.at_s, _armless=0)
        return replace(now, _armless=self._armless + 1)

    def _is_back(self, look: Look) -> bool:
        """Whether an arm is seen anew: between two visits in a hurry the table is never at rest."""
        away_s = 0.0 if self._armed_s is None else look.at_s - self._armed_s
        return away_s >= WHOLE_VISIT_S or (away_s >= _AWAY_S and self._armless >= _AWAY_FRAMES)

    def blinked(self) -> "Attended":
        """No picture counted for a moment: a hand may have come unseen."""
        return replace(self, since=replace(self.since, gaps=True))

    def was_away(self) -> "Attended":
        """There were no frames for a while: nobody can count the hands of that time."""
        return replace(self, since=replace(self.since, unwatched=True))

    def forget(self) -> "Attended":
        """A game begins anew from each table: who came before that does not count."""
        return replace(self, _visits=Visits(), _changed=(), _strange=())

    def taken_as_it_is(self) -> "Attended":
        """What changed before a game goes on from a table is no riddle of that game."""
        return replace(self, _strange=())

    def read(self, view: int, changed: Sequence[Box]) -> "Attended":
        """The table was read, a view with what changed in it: those who come now come after that."""
        fresh = () if view == self._known_view else changed
        lately = self._lately
        return replace(
            self,
            since=Visits(),
            _visits=self._visits.add(self.since),
            _changed=_with(self._changed, fresh),
            _view=view,
            _lately=None if lately is None else (lately[0].add(self.since), _with(lately[1], fresh)),
        )

    def without(self, there: frozenset[int]) -> "Attended":
        """The same as if the table had been read now, and those who are still there had just come."""
        gone, ongoing = self.since.parted(there)
        other = replace(self, since=gone).read(0, ())
        visits = other._visits
        if visits.first in there and not visits.came_again:
            visits = replace(visits, first=None)
        return replace(other, since=ongoing, _visits=visits)

    def seen(self, strange: tuple[Strange, ...]) -> "Attended":
        """The same once the table that was read shows these changes that nothing explains."""
        return replace(self, _strange=tuple(one for one in strange if self._is_done(one)), _told_of=strange)

    def steadied(self, seen: Seen, picture: Picture) -> Seen:
        """What was seen in a picture, held against the table when table and record agreed, if they have."""
        then, picture_then = self.understood, self._picture
        if then is None or picture_then is None:
            return seen
        riddles = [one.box for one in (*self._strange, *seen.strange)]

        def same(box: Box) -> bool:
            """Whether a place looks as it did; what nobody could read then may be read now."""
            known = not any(overlap(box, riddle) for riddle in riddles)
            return known and looks_as_before(picture, picture_then, box)

        return steadied(seen, then, lambda box: self._visits.touched(box, self._changed), same)

    def bare(self, picture: Picture) -> Callable[[Box], bool]:
        """Where a picture shows nothing that was put down since table and record agreed."""
        then = self._picture
        return lambda box: then is not None and nothing_came(picture, then, box)

    def told(self, seen: Seen) -> Seen:
        """What was seen, with what is known of who made it."""
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

    def asked(self) -> "Attended":
        """Players were asked something: who comes from now on is counted by itself."""
        return replace(self, _lately=(Visits(), ()))

    def answered(self) -> "Attended":
        """What was asked is of no matter any more."""
        return replace(self, _lately=None)

    def agreed(self, seen: Seen | None, picture: Picture | None) -> "Attended":
        """Table and record agree on what was read last, if on anything: counting begins anew."""
        known = None if seen is None else self._view
        now = replace(self, understood=seen, _picture=picture, _known_view=known)
        return replace(now, _visits=Visits(), _changed=(), _lately=None)


def _with(changed: tuple[Box, ...], more: Sequence[Box]) -> tuple[Box, ...]:
    """Places where the table changed, and more of them."""
    return tuple(dict.fromkeys((*changed, *more)))[-_MOST_CHANGED:]
