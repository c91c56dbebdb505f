"""What of a game is followed from look to look: a value, of which each table and each entry makes another.

What counts, what was asked and what agrees also tells how hands are counted on: such steps give both.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from device.live.attended import Attended
from device.live.left_behind import LeftBehind
from device.live.messages import Position
from device.live.ports import Following, Picture, Seen
from device.live.saying import is_done
from device.live.told_already import came_of, goes_on_from, leaves_a_rest, lies_still
from device.match.remembered import Remembered
from engine.history import History
from engine.matching import Choice, Nothing, Question, Ruled, TakeBack, Verdict
from engine.scene import Scene, Sighting
from vision.view import TableView

_NO_QUESTION = Question("", ()), None
"""What is asked once people have said that it was none of the answers: nothing any more."""


@dataclass(frozen=True, slots=True, eq=False)
class TableRead:
    """A table that was read, and what is known of who made it if this counts."""

    table: TableView
    plain: Seen
    """As it was read, without what is none of the game's pieces."""
    seen: Seen
    """The same, less what cannot be, with whose hands were at it."""
    attended: Attended
    begins: bool = False
    """Whether a game begins with it."""

    @property
    def free(self) -> bool:
        """Whether all can be told of it; else only what is plain: hands may have done half of it."""
        return self.begins or self.table.settled

    @property
    def shared(self) -> bool:
        """Whether who is still there may have done it: who came first has, if he is the one who has gone."""
        return self.table.shared and self.seen.scene.came is None


@dataclass(frozen=True)
class Followed:
    """A game that is followed, if there is one."""

    position: Position = field(default_factory=lambda: Position(None))
    follower: Following | None = None
    left: LeftBehind = field(default_factory=LeftBehind)
    """What was read between hands, and came to nothing yet."""
    last: tuple[TableRead, Verdict] | None = None
    """What was told last."""
    stains: Sequence[Sighting] = ()
    """What looked a little like a piece when the game began, and is none."""
    settled: Picture | None = None
    """The table as it was when table and record agreed."""
    remembered: Remembered | None = None
    """What was in mind when the match was stopped, if it was."""
    _stood: tuple[Question, Scene | None] = _NO_QUESTION
    """What was asked last of which table, where a refused move may stand there, and is not answered."""

    def held(self, scene: Scene) -> tuple[Verdict, bool]:
        """The scene held against the record, or against it as it would be if a refused move stood."""
        follower, position = self.follower, self.position
        assert follower is not None  # a game is followed
        verdict = self.left.gone_on_from(follower.see(scene), follower, scene)
        untouched = scene.visits == 0 and not position.noted
        if position.stood is None or untouched or isinstance(verdict, Nothing | TakeBack):
            return verdict, False
        other = follower.after(position.stood, None).asking(*self._stood).see(scene)
        return (other, True) if goes_on_from(other, verdict, position.noted) else (verdict, False)

    def told(self, verdict: Verdict, read: TableRead, attended: Attended, *, stood: bool) -> "Step":
        """This is told of a table; ``stood``: of one on which a refused move stands."""
        if isinstance(verdict, Question):
            left = self.left.asked(read.seen, verdict, agreed=attended.understood is not None)
            return replace(self._asking(verdict, read.seen.scene, stood=stood), left=left), attended.asked()
        if isinstance(verdict, Ruled) and verdict.refused:
            old = stood or lies_still(verdict, self.position.game)
            return self if old else replace(self, left=self.left.refused(verdict)), attended
        if isinstance(verdict, Ruled) and not stood and _is_plainly(verdict):
            # Who plays on before it is confirmed has made this move first, and the next one since.
            return self._asking(Question("", (Choice("", verdict),)), read.seen.scene), attended.asked()
        if not isinstance(verdict, Nothing):
            return self, attended
        if stood:
            return self._agreeing(read, self.position.stood, attended)
        assert self.follower is not None  # it has just seen the scene
        known = replace(self, follower=self.follower.agreed(read.seen.scene), left=self.left.forget())
        return known._agreeing(read, self.position.game, attended)

    def counting(
        self, position: Position, follow: Callable[[History], Following], attended: Attended
    ) -> "Step":
        """The game counts as it is in this position; where that came of what was seen, its table is known."""
        old, game = self.position, position.game
        assert game is not None  # there is one to follow
        now = replace(self, position=position)
        if (old.game, old.denied, old.stood) != (game, position.denied, position.stood):
            now = replace(now, _stood=_NO_QUESTION)
        if self.follower is None or old.game is None:
            now, known = replace(now, follower=follow(game)), self.remembered
            if known is not None and known.game is game and not position.denied:
                return now._asking(known.question or _NO_QUESTION[0]), attended.asked()
        elif old.game is not game:
            return now._counted(self.follower, old.game, game, attended)
        elif position.denied != old.denied:
            follower = self.follower.asking(*_NO_QUESTION)
            return replace(now, follower=follower, left=self.left.forget()), attended.answered()
        return now, attended

    def _counted(self, follower: Following, old: History, game: History, attended: Attended) -> "Step":
        """Another game counts now: it became what it is by what the last look told, or by what people say."""
        if self.last is None:
            now = replace(self, follower=follower.after(game, None), left=self.left.forget())
            return now, attended.agreed(None, None)
        read, verdict = self.last
        agreed, rest = came_of(verdict, old, game), leaves_a_rest(verdict, old, game)
        seen = read.seen.scene if agreed or (rest and is_done(verdict)) else None
        said = None if agreed or rest else read.seen.scene
        known = follower.after(game, seen, said)
        if agreed and read.free:  # else hands may hide what lies beside the game, or have laid it just now
            known = known.agreed(read.seen.scene)
        now = replace(self, follower=known, left=self.left.forget())
        if agreed:
            return now._agreeing(read, game, attended)
        return now, attended if rest else attended.agreed(None, None)

    def _agreeing(self, read: TableRead, game: History | None, attended: Attended) -> "Step":
        """The table and this game agree on what was read."""
        assert game is not None  # something is followed
        assert self.follower is not None
        picture, known = read.table.picture, replace(read.seen, record=game.book.layout(game.state))
        if known.signs and game is self.position.game:
            known = replace(known, shown=self.follower.shown())
        return replace(self, settled=picture), attended.agreed(known, picture)

    def _asking(self, question: Question, scene: Scene | None = None, *, stood: bool = False) -> "Followed":
        """What is seen from now on is held against each of the answers, too.

        Where a refused move stands, the answers go on from another state than the follower's.
        """
        assert self.follower is not None  # something is followed
        asked = question, scene
        follower = self.follower.asking(*(_NO_QUESTION if stood else asked))
        return replace(self, follower=follower, _stood=asked if stood else _NO_QUESTION)


def _is_plainly(verdict: Ruled) -> bool:
    """Whether a ruling tells all that lies there, in no other way, and leaves the record as it was."""
    return not (verdict.more or verdict.revised or any(one.alike for one in verdict.happened))


Step: TypeAlias = tuple[Followed, Attended]
"""What is followed from now on, and how hands are counted on."""
