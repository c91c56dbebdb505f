"""The eye: frames in, signals out. It reads the table when the gate says so, and remembers what it read."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from device.answer_places import SeenTable
from device.journal.evidence import Mark, evidence
from device.live.attended import Attended
from device.live.enlarged import Enlarged, Settled
from device.live.gathering import Gathering
from device.live.left_behind import LeftBehind
from device.live.messages import Position
from device.live.ports import Arm, Enlarging, Following, Gate, Glimpse, Picture, Reader, Seen, Shot, Starter
from device.live.saying import (
    by_nobody,
    done_by_nobody,
    explains_all,
    is_alike,
    is_done,
    is_plain,
    needs_another_look,
    odd_marks,
    of_look,
    shown,
    surely_done,
)
from device.live.told_already import begins, came_of, goes_on_from, leaves_a_rest, lies_still, moves_something
from device.live.visits import is_hand, large
from device.match.remembered import Remembered
from device.match.signals import Kind, SetUp, Signal, Told, saw
from engine.history import History
from engine.matching import Nothing, Question, Ruled, TakeBack, Verdict, lasting, unstained
from engine.scene import Scene, Sighting
from vision.gate import Between, Look, State

_SECOND_S = 0.3
"""What would disturb people is looked at again after so long: a shadow may have passed by then."""
_LOOKS = 3
"""So often at most a settled table is read from which no game can begin: each may see what others missed."""
_NO_QUESTION = Question("", ())
"""What is asked once people have said that it was none of the answers: nothing any more."""


@dataclass(frozen=True, slots=True)
class _View:
    """A settled table that was read."""

    seen: Seen
    picture: Picture
    look: Look
    part: bool = False
    """Whether this was seen between hands."""


def _whoever(scene: Scene) -> Scene:
    """A table that counts as it lies, whoever was at it and however often."""
    return replace(scene, by=None, visits=None, lately=None)


class Eye:
    """Everything that one thread needs to look at a table."""

    def __init__(
        self,
        gates: Callable[[tuple[int, int]], Gate],
        reader: Reader,
        starter: Starter,
        follow: Callable[[History], Following],
        camera: Enlarging | None = None,
    ) -> None:
        """``camera`` is one that may have larger pictures than those that are seen."""
        self._gates, self._reader, self._starter, self._follow = gates, reader, starter, follow
        self._enlarged = Enlarged(camera)
        self._gate: Gate | None = None
        self._size: tuple[int, int] = (0, 0)
        self._between = Between(self._size)
        """What can be seen between hands, where the table is never free."""
        self._parts = 0
        """How many such pictures were read."""
        self._left = LeftBehind()
        """What was read in them, and came to nothing yet."""
        self._follower: Following | None = None
        self._position = Position(None)
        self._told: Kind | None = None
        self._unread = False
        """Whether the last reading failed."""
        self._read_at: tuple[int, int, int] | None = None
        """The view, version and adoption for which the table was read last; None: it must be read."""
        self._again_s: float | None = None
        """When the table is read a second time, because it would disturb people to tell what was seen."""
        self._waiting: _View | None = None
        """What was read and not judged: a game began with it, or it is to be looked at a second time."""
        self._last: tuple[_View, Verdict] | None = None
        self._asked_stood = _NO_QUESTION
        """What was asked last of a table on which a refused move may stand, and is not answered."""
        self._attended = Attended()
        self._gathering = Gathering()
        """What all looks have shown of a table from which no game has begun yet."""
        self._stains: Sequence[Sighting] = ()
        """What looked a little like a piece when the game began, and is none."""
        self._remembered: Remembered | None = None
        """What was in mind when the match was stopped, if it was."""
        self._look: Look | None = None
        self._marks: tuple[Mark, ...] = ()
        self._odd: tuple[Mark, ...] = ()
        self._settled: Picture | None = None
        """The table as it was when table and record agreed."""

    def see(self, shot: Shot, position: Position) -> Iterator[Signal]:
        """What one frame says."""
        steady = self._reader.steady(shot.picture, shot.at_s)
        gate = self._gate_for(shot)
        if shot.relit:
            gate.relit()
        look = gate.see(shot.picture, shot.at_s, steady=steady)
        yield from self._enlarged_or_not(look, gate, position)
        # At once what a game began with; before its second look what a hand would take away.
        late = self._late(position) if self._again_s is None or is_hand(look) else None
        if late is not None:
            self._read_at = (late.look.view, position.version, position.adopt)
            yield from self._judged(late, position, second=is_hand(look))
        arms = self._reader.arms(look) if is_hand(look) else ()
        self._attended = self._attended.note(look, arms, self._size)
        told = of_look(look)
        # What was judged late is taken in before the hand that has come meanwhile is told.
        if told and told.kind is not self._told and late is None and not self._keeps_back(told):
            self._told = told.kind
            yield told
        if look.state not in (State.SETTLED, State.LIGHT):
            self._read_at = None
        self._look = look
        yield from self._left_behind(shot, look, large(arms, self._size), position)
        key = (look.view, position.version, position.adopt)
        second = key == self._read_at
        due = look.settled and (not second or (self._again_s is not None and look.at_s >= self._again_s))
        if due and not self._enlarged.waiting:
            voted = gate.voted()
            picture = shot.picture if voted is None else voted
            self._between.free(picture)
            table = Settled(picture, look, second)
            if not self._enlarged.ask(table, self._reader.larger()):
                yield from self._read(table, position)

    def glimpse(self, shot: Shot) -> Glimpse:
        """A frame with what was made of it."""
        return Glimpse(shot, self._look, self._marks, self._odd)

    @property
    def owes(self) -> bool:
        """Whether the table is settled and has not been read."""
        return self._read_at is None and self._look is not None and self._look.settled

    def wake(self) -> None:
        """There were no frames for a while: what is seen now is told, even if it is as before."""
        self._told = self._read_at = None
        self._enlarged.forget()
        self._attended = self._attended.was_away()
        self._between.lose()

    def go_on(self, known: Remembered) -> None:
        """A match that was stopped goes on with what was in mind then."""
        self._stains, self._remembered = known.stains, known

    def end(self, position: Position) -> Iterator[Signal]:
        """There are no more frames: what waited to be judged is, and a game that only waited begins."""
        if (late := self._late(position)) is not None:
            yield from self._judged(late, position, second=True)
        starter, begun = self._starter.last()
        if begun is not None and self._position.game is None:
            self._starter = starter
            if doubt := self._starter.doubt():
                yield Told(Kind.LACKING, doubt)
            yield from self._set_up(begun, None)

    def _late(self, position: Position) -> _View | None:
        """What waits to be judged, if the game is still the one that it was read for."""
        same = position.game is self._position.game and position.adopt == self._position.adopt
        return self._waiting if same else None

    def _keeps_back(self, told: Told) -> bool:
        """A table that could not be read is not told to be free before it can."""
        return told.kind is Kind.FREE and self._told is Kind.BLIND and self._unread

    def _steadied(self, seen: Seen, picture: Picture, look: Look) -> Seen:
        """The scene that was read, less what cannot be, with what is known of who made it."""
        if self._position.game is None and look.view != self._gathering.view and not self._starter.puzzled():
            self._attended = self._attended.forget()
        since = self._attended.since
        self._attended = self._attended.read(look.view, look.changed)
        if not self._attended.untouched:
            self._stains = lasting(self._stains, seen.scene)
        seen = replace(seen, scene=unstained(seen.scene, self._stains))
        if self._attended.understood is not None:
            seen = self._attended.steadied(seen, picture)
        elif self._position.game is None:
            self._gathering, seen = self._gathering.look(seen, look.view, look.changed, since)
        self._attended = self._attended.seen(seen.strange)
        return self._attended.told(seen)

    # — reading —

    def _gate_for(self, shot: Shot) -> Gate:
        """A camera that begins to send pictures of another size is looked at anew."""
        size = (shot.picture.shape[1], shot.picture.shape[0])
        if self._gate is None or size != self._size:
            if self._gate is not None:
                self._attended = self._attended.blinked()
            self._gate, self._size, self._between = self._gates(size), size, Between(size)
        return self._gate

    def _enlarged_or_not(self, look: Look, gate: Gate, position: Position) -> Iterator[Signal]:
        """A table that waited for its large picture is read, with or without it, before anything else."""
        answer = self._enlarged.answer(look, gate.shows_view)
        if answer is None:
            return
        if answer.failure:
            yield Told(Kind.FAILED, answer.failure)
        yield from self._read(answer.table, position, answer.large)

    def _read(self, table: Settled, position: Position, larger: Picture | None = None) -> Iterator[Signal]:
        picture, look = table.picture, table.look
        self._read_at, self._again_s = (look.view, position.version, position.adopt), None
        self._waiting = None
        seen = self._reader.read(picture if larger is None else larger, look, self._attended.understood)
        self._unread = isinstance(seen, str)
        if isinstance(seen, str):
            self._read_at, self._told = None, Kind.BLIND
            yield Told(Kind.BLIND, seen)
            return
        self._marks = seen.marks
        self._left = self._left.free()
        if self._told is not Kind.FREE:
            self._told = Kind.FREE
            yield Told(Kind.FREE)
        adopt = position.adopt != self._position.adopt
        if position.game is not None:
            self._following(position)
        view = _View(self._steadied(seen, picture, look), picture, look)
        if position.game is None:
            yield from self._begun(view, position, adopt=adopt)
        elif adopt:
            # What is remembered of the table may be just what is wrong: it counts as it is read.
            plain = replace(seen, scene=unstained(seen.scene, self._stains))
            yield from self._taken_as_it_is(replace(view, seen=plain), position.game)
        else:
            yield from self._judged(view, position, second=table.second)

    def _left_behind(
        self, shot: Shot, look: Look, arms: Sequence[Arm], position: Position
    ) -> Iterator[Signal]:
        """What somebody did who has gone while others are at the table.

        Only what is plain and allowed is told: all else can wait until the table is free.
        """
        each = [(arm.players, arm.outline) for arm in arms]
        picture = self._between.see(shot.picture, look, each, self._attended.lying)
        if picture is None or position.adopt != self._position.adopt:
            return
        if position.game is not None:
            self._following(position)
        self._parts += 1
        changed = self._between.changed
        part = Look(look.at_s, look.state, look.at_s, view=-self._parts, changed=changed)
        seen = self._reader.read(picture, part, self._attended.understood)
        if isinstance(seen, str):
            return
        attended = self._attended.without(self._between.there)
        seen = replace(seen, scene=unstained(seen.scene, self._stains))
        seen = attended.steadied(seen, picture)
        attended = attended.seen(seen.strange)
        view = _View(attended.told(seen), picture, replace(look, changed=changed), part=True)
        if view.seen.scene.by is None and not self._between.whole:
            return  # something may have been done before this that is hidden, and by whom is not known
        # Whoever came first has done something, if he is the one who has gone.
        shared = self._between.shared and view.seen.scene.came is None
        if position.game is None:
            if not shared:
                yield from self._begun_between(view, position, attended)
            return
        verdict, stood = self._held_against(view.seen.scene, position)
        verdict = surely_done(verdict)
        riddle = bool(attended.unexplained())
        clear = self._between.whole and not (shared or riddle or lies_still(verdict, position.game))
        bare = attended.bare(picture)
        self._left, tells = self._left.tells(verdict, view.seen, look.at_s, clear=clear, bare=bare)
        if not tells or riddle:
            return
        # Who is still there may have done it, and the other cannot have.
        if shared and not is_alike(verdict, self._held_against(by_nobody(view.seen.scene), position)[0]):
            return
        self._attended, self._marks = attended, view.seen.marks
        self._last = (view, verdict)
        yield self._held(verdict, view, stood=stood, hands=True)
        self._told = None  # the hand that is there is told anew

    def _begun_between(self, view: _View, position: Position, attended: Attended) -> Iterator[Signal]:
        """A game begins with what somebody did who has gone, if that is plain."""
        scene = view.seen.scene
        starter, begun = self._starter.begin(scene)
        if not isinstance(begun, History) or attended.unexplained():
            return
        verdict = surely_done(self._follow(begun).at(scene).see(scene))
        if is_plain(verdict) or (self._between.whole and is_done(verdict)):
            self._position, self._starter, self._attended = position, starter, attended
            if doubt := starter.doubt():
                yield Told(Kind.LACKING, doubt)
            yield from self._set_up(begun, view)

    def _begun(self, view: _View, position: Position, *, adopt: bool) -> Iterator[Signal]:
        """A set-up, or a table with which a game is to begin as it is."""
        self._position, scene = position, view.seen.scene
        begins = self._starter.adopt(_whoever(scene)) if adopt else self._starter.begin(scene)
        self._starter, begun = begins
        if not isinstance(begun, History):
            if self._gathering.times < _LOOKS and not adopt:
                self._again_s = view.look.at_s + _SECOND_S
            # Why all of it is wrong comes before what of it is.
            first, *more = begun
            yield Told(Kind.LACKING, "\n".join(filter(None, (first, view.seen.remark, *more))))
            return
        if doubt := " ".join(filter(None, (view.seen.remark, self._starter.doubt()))):
            yield Told(Kind.LACKING, doubt)
        if adopt:
            self._attended = self._attended.taken_as_it_is()
        yield from self._set_up(begun, view)

    def _taken_as_it_is(self, view: _View, game: History) -> Iterator[Signal]:
        """Players say that the table lies as it should: what explains it counts, or else the table itself."""
        assert self._follower is not None  # the game is followed
        scene = _whoever(view.seen.scene)
        verdict = self._follower.see(scene)
        if explains_all(verdict):
            self._last = (view, verdict)
            yield self._held(verdict, view)
            return
        self._starter, taken = self._starter.take_up(scene, game, self._follower, verdict)
        if not isinstance(taken, History):
            yield Told(Kind.LACKING, "\n".join(taken))
            return
        self._attended = self._attended.taken_as_it_is()
        yield from self._set_up(taken, view, self._starter.doubt())

    def _set_up(self, begun: History, view: _View | None, words: str = "") -> Iterator[Signal]:
        """A game begins, or goes on, with the table that showed it."""
        self._position = replace(self._position, game=begun, stood=None, version=-1)
        self._stains = (*self._stains, *self._starter.stains())
        if view is None:
            yield SetUp(begun, stains=tuple(self._stains))
            return
        view = replace(view, seen=replace(view.seen, scene=unstained(view.seen.scene, self._stains)))
        self._waiting, self._settled = view, view.picture
        self._follower = self._follow(begun).at(view.seen.scene)
        yield SetUp(begun, evidence(None, view.picture, view.seen.marks, None), tuple(self._stains), words)

    def _judged(self, view: _View, position: Position, *, second: bool) -> Iterator[Signal]:
        """What is told of a table; what would disturb people waits until it was looked at a second time."""
        self._waiting = self._again_s = None
        verdict, stood = self._verdict(view, position)
        verdict = surely_done(verdict) if view.part else verdict
        if not second and needs_another_look(verdict, position.game):
            self._waiting, self._again_s = view, view.look.at_s + _SECOND_S
        else:
            yield self._held(verdict, view, stood=stood)

    def _verdict(self, view: _View, position: Position) -> tuple[Verdict, bool]:
        """What is told of a settled table, and whether a refused move stands then."""
        self._following(position)
        verdict, stood = self._held_against(view.seen.scene, position)
        news = moves_something(verdict) and not lies_still(verdict, position.game)
        if news and self._attended.untouched and not begins(verdict, position.game):
            # What nobody touched has not moved: a light has changed, or something was misread.
            assert isinstance(verdict, Ruled | TakeBack)
            verdict = done_by_nobody(verdict)
        self._last = (view, verdict)
        return verdict, stood

    def _held_against(self, scene: Scene, position: Position) -> tuple[Verdict, bool]:
        """The scene held against the record, and against it as it would be if a refused move stood."""
        follower = self._follower
        assert follower is not None  # a game is followed
        verdict = self._left.gone_on_from(follower.see(scene), follower, scene)
        untouched = scene.visits == 0 and not position.noted
        if position.stood is None or untouched or isinstance(verdict, Nothing | TakeBack):
            return verdict, False
        other = follower.after(position.stood, None).asking(self._asked_stood).see(scene)
        return (other, True) if goes_on_from(other, verdict, position.noted) else (verdict, False)

    def _held(self, verdict: Verdict, view: _View, *, stood: bool = False, hands: bool = False) -> Signal:
        """What is told of a table, with what was seen of it."""
        seen, picture, look = view.seen, view.picture, view.look
        pictures = shown(verdict, self._settled, picture, look.changed, seen.marks)
        assert self._follower is not None  # it has just seen the scene
        self._odd = odd_marks(verdict, seen.marks)
        if isinstance(verdict, Question):
            self._ask(verdict, stood=stood)
            self._left = self._left.asked(seen, verdict, agreed=self._attended.understood is not None)
        elif isinstance(verdict, Ruled) and verdict.refused:
            if not (stood or lies_still(verdict, self._position.game)):
                self._left = self._left.refused(verdict)
        elif isinstance(verdict, Nothing):
            told = (verdict.remark, self._attended.unexplained())
            verdict = replace(verdict, remark=" ".join(filter(None, told)))
            if not stood:
                self._follower = self._follower.at(seen.scene)
                self._left = self._left.forget()
            self._agree(view, self._position.stood if stood else self._position.game)
        version = self._position.version
        known = SeenTable.of(picture, seen.mat, seen.scene, seen.marks)
        return saw(verdict, version, stood=stood, pictures=pictures, view=look.view, hands=hands, shown=known)

    def _agree(self, view: _View, game: History | None) -> None:
        """The table and this game agree on what was read."""
        assert game is not None  # something is followed
        self._settled = view.picture
        self._attended = self._attended.agreed(
            replace(view.seen, record=game.book.layout(game.state)), view.picture
        )

    def _ask(self, question: Question, *, stood: bool = False) -> None:
        """What is seen from now on is held against each of the answers, too.

        Where a refused move stands, the answers go on from another state than the follower's.
        """
        assert self._follower is not None  # something is followed
        self._follower = self._follower.asking(_NO_QUESTION if stood else question)
        self._asked_stood = question if stood else _NO_QUESTION
        self._attended = self._attended.asked()

    def _following(self, position: Position) -> Following:
        """The follower of the game as it counts now; where that came of what was seen, it knows the scene."""
        old, game = self._position, position.game
        if game is None:
            raise RuntimeError("there is no game to follow")
        if self._follower is None or old.game is None:
            self._follower = self._follow(game)
            known = self._remembered
            if known is not None and known.game is game and not position.denied:
                self._ask(known.question or _NO_QUESTION)
        elif old.game is not game:
            self._left = self._left.forget()
            self._counted(old.game, game)
        elif position.denied != old.denied:
            self._follower = self._follower.asking(_NO_QUESTION)
            self._left = self._left.forget()
            self._attended = self._attended.answered()
        if (old.game, old.denied, old.stood) != (position.game, position.denied, position.stood):
            self._asked_stood = _NO_QUESTION
        self._position = position
        return self._follower

    def _counted(self, old: History, game: History) -> None:
        """Another game counts now: it may have become what it is by what the last look told."""
        assert self._follower is not None  # the old one was followed
        (view, verdict), scene = self._last or (None, Nothing()), None
        agreed, rest = came_of(verdict, old, game), leaves_a_rest(verdict, old, game)
        if view is not None and (agreed or (rest and is_done(verdict))):
            scene = view.seen.scene
        self._follower = self._follower.after(game, scene)
        if view is not None and agreed:
            self._agree(view, game)
        elif not rest:
            self._attended = self._attended.agreed(None, None)
