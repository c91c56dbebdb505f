"""The eye: frames in, signals out. It reads the table when that can be read, and remembers what it read."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from device.answer_places import SeenTable
from device.journal.ruling_pictures import Outline, evidence
from device.live import saying
from device.live.attended import Attended
from device.live.enlarged import Enlarged
from device.live.followed import Followed, TableRead
from device.live.gathering import Gathering
from device.live.messages import Position
from device.live.ports import Enlarging, Following, Glimpse, Picture, Reader, Seen, Shot, Starter, Viewing
from device.live.told_already import begins, lies_still, moves_something
from device.live.visits import large
from device.match.remembered import Remembered
from device.match.signals import Kind, SetUp, Signal, Told, saw
from engine.history import History
from engine.matching import Nothing, Ruled, TakeBack, Verdict, lasting, unstained
from engine.scene import Scene
from vision.view import FrameState, Look, SeenArm, TableView

_SECOND_S = 0.3
"""What would disturb people is looked at again after so many seconds: a shadow may have passed by then."""
_LOOKS = 3
"""So often at most a settled table is read from which no game can begin: each may see what others missed."""


@dataclass(frozen=True, slots=True)
class _Waits:
    """What waits for another frame."""

    read: tuple[int, int, int] | None = None
    """The view, version and adoption for which the table was read last; None: it must be read."""
    again_s: float | None = None
    """When the table is read a second time, because it would disturb people to tell what was seen."""
    table: TableRead | None = None
    """What was read and not judged: a game began with it, or it is to be looked at a second time."""


@dataclass(frozen=True, slots=True)
class _Said:
    """What those who watch were told last."""

    kind: Kind | None = None
    unread: bool = False
    """Whether the last reading failed."""
    marks: tuple[Outline, ...] = ()
    odd: tuple[Outline, ...] = ()


def _whoever(scene: Scene) -> Scene:
    """A table that counts as it lies, whoever was at it and however often."""
    return replace(scene, by=None, visits=None, lately=None)


class Eye:
    """Everything that one thread needs to look at a table."""

    def __init__(
        self,
        view: Viewing,
        reader: Reader,
        starter: Starter,
        follow: Callable[[History], Following],
        camera: Enlarging | None = None,
    ) -> None:
        """``camera`` is one that may have larger pictures than those that are seen."""
        self._view, self._reader, self._starter, self._follow = view, reader, starter, follow
        self._enlarged = Enlarged(camera)
        self._look: Look | None = None
        self._attended = Attended()
        self._gathering = Gathering()
        """What all looks have shown of a table from which no game has begun yet."""
        self._followed, self._waits, self._said = Followed(), _Waits(), _Said()

    def see(self, shot: Shot, position: Position) -> Iterator[Signal]:
        """What one frame says."""
        size = (shot.picture.shape[1], shot.picture.shape[0])

        def arms(look: Look) -> Sequence[SeenArm]:
            return large(self._reader.arms(look), size)

        steady = self._reader.steady(shot.picture, shot.at_s)
        look = self._view.see(shot.picture, shot.at_s, steady=steady, relit=shot.relit, arms=arms)
        if look.anew:
            self._attended = self._attended.blinked()
        yield from self._enlarged_or_not(look, position)
        # At once what a game began with; before its second look what a hand would take away.
        late = self._late(position) if self._waits.again_s is None or look.hand else None
        if late is not None:
            self._waits = replace(self._waits, read=_key(late.table.view, position))
            yield from self._judged(late, position, second=look.hand)
        self._attended = self._attended.note(look, look.arms, size)
        told = saying.of_look(look)
        # What was judged late is taken in before the hand that has come meanwhile is told.
        if told is not None and late is None and self._is_news(told):
            self._said = replace(self._said, kind=told.kind)
            yield told
        if look.state not in (FrameState.SETTLED, FrameState.LIGHT):
            self._waits = replace(self._waits, read=None)
        self._look, second = look, _key(look.view, position) == self._waits.read
        table = None if self._is_known(look, second=second) else self._view.table(self._attended.lying)
        if table is not None and not self._is_enlarged(table, second=second):
            yield from self._read(table, position, second=second)

    def glimpse(self, shot: Shot) -> Glimpse:
        """A frame with what was made of it."""
        return Glimpse(shot, self._look, self._said.marks, self._said.odd)

    @property
    def owes(self) -> bool:
        """Whether the table is settled and has not been read."""
        return self._waits.read is None and self._look is not None and self._look.settled

    def wake(self) -> None:
        """There were no frames for a while: what is seen now is told, even if it is as before."""
        self._said, self._waits = replace(self._said, kind=None), replace(self._waits, read=None)
        self._enlarged.forget()
        self._attended = self._attended.was_away()
        self._view.lose()

    def go_on(self, known: Remembered) -> None:
        """A match that was stopped goes on with what was in mind then."""
        self._followed = replace(self._followed, stains=known.stains, remembered=known)

    def end(self, position: Position) -> Iterator[Signal]:
        """There are no more frames: what waited to be judged is, and a game that only waited begins."""
        if (late := self._late(position)) is not None:
            yield from self._judged(late, position, second=True)
        starter, begun = self._starter.last()
        if begun is not None and self._followed.position.game is None:
            self._starter = starter
            if doubt := starter.doubt():
                yield Told(Kind.LACKING, doubt)
            yield from self._set_up(begun, None)

    def _is_known(self, look: Look, *, second: bool) -> bool:
        """Whether a settled table was read, and is not to be read a second time now."""
        again_s = self._waits.again_s
        read = second and (again_s is None or look.at_s < again_s)
        return look.settled and (read or self._enlarged.waiting)

    def _is_enlarged(self, table: TableView, *, second: bool) -> bool:
        """Whether the table is read once its large picture is there."""
        return table.settled and self._enlarged.ask(table, self._reader.larger(), second)

    def _late(self, position: Position) -> TableRead | None:
        """What waits to be judged, if the game is still the one that it was read for."""
        mine = self._followed.position
        return self._waits.table if (position.game is mine.game and position.adopt == mine.adopt) else None

    def _is_news(self, told: Told) -> bool:
        """Whether this was not told already; a table that could not be read is not free before it can."""
        unread = told.kind is Kind.FREE and self._said.kind is Kind.BLIND and self._said.unread
        return told.kind is not self._said.kind and not unread

    # — reading —

    def _enlarged_or_not(self, look: Look, position: Position) -> Iterator[Signal]:
        """A table that waited for its large picture is read, with or without it, before anything else."""
        answer = self._enlarged.answer(look, self._view.shows)
        if answer is None:
            return
        if answer.failure:
            yield Told(Kind.FAILED, answer.failure)
        yield from self._read(answer.table, position, second=answer.second, larger=answer.large)

    def _read(
        self, table: TableView, position: Position, *, second: bool, larger: Picture | None = None
    ) -> Iterator[Signal]:
        """What a table shows: all of it once it is settled, between hands what is plain and allowed."""
        adopt = position.adopt != self._followed.position.adopt
        if table.settled:
            self._waits = _Waits(_key(table.view, position))
        elif adopt:
            return  # that waits for the free table
        else:
            self._count(position)  # a settled table is read by what was known when it was settled
        pixels = table if larger is None else replace(table, picture=larger)
        seen = self._reader.read(pixels, self._attended.understood)
        if table.settled:
            yield from self._free(seen)
        if isinstance(seen, str):
            return
        self._count(position)
        read = self._steadied(table, seen)
        if not table.whole and read.seen.scene.by is None:
            return  # something may have been done before this that is hidden, and by whom is not known
        if position.game is None:
            yield from self._begun(read, position, adopt=adopt)
        elif adopt:
            yield from self._taken_as_it_is(read, position.game)
        else:
            yield from self._judged(read, position, second=second)

    def _free(self, seen: Seen | str) -> Iterator[Signal]:
        """The table is told to be free, unless it could not be read."""
        was = self._said.kind
        if isinstance(seen, str):
            self._waits, self._said = _Waits(), replace(self._said, kind=Kind.BLIND, unread=True)
            yield Told(Kind.BLIND, seen)
            return
        self._said = replace(self._said, kind=Kind.FREE, unread=False, marks=seen.marks)
        self._followed = replace(self._followed, left=self._followed.left.free())
        if was is not Kind.FREE:
            yield Told(Kind.FREE)

    def _count(self, position: Position) -> None:
        """The game counts as it is now, if there is one."""
        if position.game is not None:
            step = self._followed.counting(position, self._follow, self._attended)
            self._followed, self._attended = step

    def _steadied(self, table: TableView, seen: Seen) -> TableRead:
        """What was read, less what cannot be, with what is known of who made it.

        Of a settled table that counts at once; of one between hands once something is told of it.
        """
        attended, since, followed = self._attended, self._attended.since, self._followed
        begins = followed.position.game is None
        if not table.settled:
            attended = attended.without(table.there)
        elif begins and table.view != self._gathering.view and not self._starter.puzzled():
            attended = attended.forget().read(table.view, table.changed)
        else:
            attended = attended.read(table.view, table.changed)
        if table.settled and not attended.untouched:
            followed = self._followed = replace(followed, stains=lasting(followed.stains, seen.scene))
        plain = replace(seen, scene=unstained(seen.scene, followed.stains))
        known = attended.steadied(plain, table.picture)
        if table.settled and begins and attended.understood is None:
            self._gathering, known = self._gathering.look(plain, table.view, table.changed, since)
        attended = attended.seen(known.strange)
        if table.settled:
            self._attended = attended
        return TableRead(table, plain, attended.told(known), attended)

    # — judging —

    def _begun(self, read: TableRead, position: Position, *, adopt: bool) -> Iterator[Signal]:
        """A set-up, or a table with which a game is to begin as it is, or why none does."""
        scene = read.seen.scene
        starter, found = self._starter.adopt(_whoever(scene)) if adopt else self._starter.begin(scene)
        if not read.free and not self._begins_plainly(read, found):
            return
        self._followed = replace(self._followed, position=position)
        self._starter, self._attended = starter, read.attended
        remark = read.seen.remark if read.free else ""
        if not isinstance(found, History):
            if self._gathering.times < _LOOKS and not adopt:
                self._waits = replace(self._waits, again_s=read.table.at_s + _SECOND_S)
            # Why all of it is wrong comes before what of it is.
            first, *more = found
            yield Told(Kind.LACKING, "\n".join(filter(None, (first, remark, *more))))
            return
        if doubt := " ".join(filter(None, (remark, starter.doubt()))):
            yield Told(Kind.LACKING, doubt)
        if adopt:
            self._attended = self._attended.taken_as_it_is()
        yield from self._set_up(found, read)

    def _begins_plainly(self, read: TableRead, found: History | Sequence[str]) -> bool:
        """Whether a game begins with what somebody did who has gone, and nobody else."""
        scene, table = read.seen.scene, read.table
        if not isinstance(found, History) or read.attended.unexplained() or read.shared:
            return False
        verdict = saying.surely_done(self._follow(found).at(scene).see(scene))
        return saying.is_plain(verdict) or (table.whole and saying.is_done(verdict))

    def _taken_as_it_is(self, read: TableRead, game: History) -> Iterator[Signal]:
        """Players say that the table lies as it should: what explains it counts, or else the table itself."""
        follower = self._followed.follower
        assert follower is not None  # the game is followed
        # What is remembered of the table may be just what is wrong: it counts as it is read.
        read = replace(read, seen=read.plain)
        scene = _whoever(read.plain.scene)
        verdict = follower.see(scene)
        if saying.explains_all(verdict):
            self._followed = replace(self._followed, last=(read, verdict))
            yield self._held(verdict, read)
            return
        self._starter, taken = self._starter.take_up(scene, game, follower, verdict)
        if not isinstance(taken, History):
            yield Told(Kind.LACKING, "\n".join(taken))
            return
        self._attended = self._attended.taken_as_it_is()
        yield from self._set_up(taken, read, self._starter.doubt())

    def _set_up(self, begun: History, read: TableRead | None, words: str = "") -> Iterator[Signal]:
        """A game begins, or goes on, with the table that showed it."""
        position = replace(self._followed.position, game=begun, stood=None, version=-1)
        stains = (*self._followed.stains, *self._starter.stains())
        self._followed = replace(self._followed, position=position, stains=stains)
        if read is None:
            yield SetUp(begun, stains=stains)
            return
        seen = replace(read.seen, scene=unstained(read.seen.scene, stains))
        picture, follower = read.table.picture, self._follow(begun).agreed(seen.scene)
        self._waits = replace(self._waits, table=replace(read, seen=seen, begins=True))
        self._followed = replace(self._followed, settled=picture, follower=follower)
        yield SetUp(begun, evidence(None, picture, seen.marks, None), stains, words)

    def _judged(self, read: TableRead, position: Position, *, second: bool) -> Iterator[Signal]:
        """What is told of a table; what would disturb people waits until it was looked at a second time."""
        if read.free:
            self._waits = replace(self._waits, again_s=None, table=None)
            self._count(position)
        verdict, stood = self._followed.held(read.seen.scene)
        if not read.free:
            verdict = saying.surely_done(verdict)
            if not self._is_told(read, verdict):
                return
            self._attended, self._said = read.attended, replace(self._said, marks=read.seen.marks)
        elif self._is_nobodys(verdict):
            assert isinstance(verdict, Ruled | TakeBack)
            verdict = saying.done_by_nobody(verdict)
        self._followed = replace(self._followed, last=(read, verdict))
        verdict = verdict if read.table.settled else saying.surely_done(verdict)
        if read.free and not second and saying.needs_another_look(verdict, position.game):
            self._waits = replace(self._waits, again_s=read.table.at_s + _SECOND_S, table=read)
            return
        yield self._held(verdict, read, stood=stood)
        if not read.free:
            self._said = replace(self._said, kind=None)  # the hand that is there is told anew

    def _is_nobodys(self, verdict: Verdict) -> bool:
        """Whether something was done where nobody was: a light has changed, or something was misread."""
        game = self._followed.position.game
        news = moves_something(verdict) and not lies_still(verdict, game)
        return news and self._attended.untouched and not begins(verdict, game)

    def _is_told(self, read: TableRead, verdict: Verdict) -> bool:
        """Whether this is told before the table is free: all but what is plain and allowed can wait."""
        table, followed = read.table, self._followed
        riddle, shared = bool(read.attended.unexplained()), read.shared
        clear = table.whole and not (shared or riddle or lies_still(verdict, followed.position.game))
        bare = read.attended.bare(table.picture)
        left, tells = followed.left.tells(verdict, read.seen, table.at_s, clear=clear, bare=bare)
        followed = self._followed = replace(followed, left=left)
        if not tells or riddle:
            return False
        # Who is still there may have done it, and the other cannot have.
        return not shared or saying.is_alike(verdict, followed.held(saying.by_nobody(read.seen.scene))[0])

    def _held(self, verdict: Verdict, read: TableRead, *, stood: bool = False) -> Signal:
        """What is told of a table, with what was seen of it."""
        seen, table, followed = read.seen, read.table, self._followed
        pictures = saying.shown(verdict, followed.settled, table.picture, table.changed, seen.marks)
        self._said = replace(self._said, odd=saying.odd_marks(verdict, seen.marks))
        if isinstance(verdict, Nothing):
            told = (verdict.remark, self._attended.unexplained())
            verdict = replace(verdict, remark=" ".join(filter(None, told)))
        self._followed, self._attended = followed.told(verdict, read, self._attended, stood=stood)
        known = SeenTable.of(table.picture, seen.mat, seen.scene, seen.marks)
        return saw(
            verdict, followed.position.version, stood=stood, pictures=pictures, view=table.view,
            hands=not read.free, shown=known,
        )  # fmt: skip


def _key(view: int, position: Position) -> tuple[int, int, int]:
    """What a table was read for: it is read anew once one of these is another."""
    return view, position.version, position.adopt
