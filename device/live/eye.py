"""The eye: frames in, signals out. It reads the table when the gate says so, and remembers what it read."""

from collections.abc import Callable, Iterator, Sequence

from device.journal.events import Picture as JournalPicture
from device.journal.evidence import Mark, box_of, evidence
from device.live.messages import Position
from device.live.ports import Following, Gate, Glimpse, Picture, Reader, Seen, Shot, Starter
from device.live.visits import Visits, is_hand
from device.match.signals import Kind, SetUp, Signal, Told, saw
from engine.history import History
from engine.matching import Choice, Nothing, Question, Ruled, TakeBack, Verdict
from engine.scene import Scene
from vision.gate import Box, Look, State

_BLIND = {
    State.BUMPED: "The camera was moved; it has to find the table again.",
    State.FROZEN: "The camera sends the same picture again and again.",
    State.BLACK: "The picture is black: the lens is covered, or there is no light.",
    State.TORN: "Part of the picture is missing.",
}
_MOST_CHANGED = 64
"""So many places where the table changed are remembered."""
_SHOWN = (Ruled, Question, TakeBack)
"""Verdicts that rest on pictures worth keeping."""


class Eye:
    """Everything that one thread needs to look at a table."""

    def __init__(
        self,
        gates: Callable[[tuple[int, int]], Gate],
        reader: Reader,
        starter: Starter,
        follow: Callable[[History], Following],
    ) -> None:
        self._gates, self._reader, self._starter, self._follow = gates, reader, starter, follow
        self._gate: Gate | None = None
        self._size: tuple[int, int] = (0, 0)
        self._follower: Following | None = None
        self._position = Position(None)
        self._told: Kind | None = None
        self._unread = False
        """Whether the last reading failed."""
        self._read_at: tuple[int, int, int] | None = None
        """The view, version and adoption for which the table was read last; None: it must be read."""
        self._last: tuple[Scene, Verdict] | None = None
        self._visits, self._since = Visits(), Visits()
        """Of hands: until the table was read last, since table and record agreed; and since that reading."""
        self._changed: tuple[Box, ...] = ()
        """Where the table changed since table and record agreed."""
        self._here = False
        """Whether a hand is over the table."""
        self._look: Look | None = None
        self._marks: tuple[Mark, ...] = ()
        self._settled: Picture | None = None
        """The table as it was when table and record agreed."""

    def see(self, shot: Shot, position: Position) -> Iterator[Signal]:
        """What one frame says."""
        steady = self._reader.steady(shot.picture, shot.at_s)
        gate = self._gate_for(shot)
        look = gate.see(shot.picture, shot.at_s, steady=steady)
        self._note(look)
        told = _told(look)
        if told is not None and told.kind is not self._told and not self._keeps_back(told):
            self._told = told.kind
            yield told
        if look.state not in (State.SETTLED, State.LIGHT):
            self._read_at = None
        self._look = look
        key = (look.view, position.version, position.adopt)
        if look.settled and key != self._read_at:
            self._read_at = key
            voted = gate.voted()
            yield from self._read(shot.picture if voted is None else voted, look, position)

    def glimpse(self, shot: Shot) -> Glimpse:
        """A frame with what was made of it."""
        return Glimpse(shot, self._look, self._marks)

    def wake(self) -> None:
        """There were no frames for a while: what is seen now is told, even if it is as before."""
        self._told = self._read_at = None
        self._since.gaps = True

    def end(self) -> Iterator[Signal]:
        """There are no more frames: a game that only waited to be begun begins."""
        begun = self._starter.last() if self._position.game is None else None
        if begun is not None:
            yield from self._set_up(begun, None)

    def _keeps_back(self, told: Told) -> bool:
        """A table that could not be read is not told to be free before it can."""
        return told.kind is Kind.FREE and self._told is Kind.BLIND and self._unread

    def _note(self, look: Look) -> None:
        """Whether a hand came, and whose."""
        hand = is_hand(look)
        if hand or look.state in (State.SETTLED, State.SETTLING):
            comes, self._here = hand and not self._here, hand
        else:
            comes = False
        arms = self._reader.arms(look) if hand else ()
        self._since.note(look, arms, self._size, comes=comes)

    def _told_scene(self, seen: Seen, look: Look) -> Scene:
        """The scene that was read, with what is known of who made it."""
        self._visits.add(self._since)
        self._since = Visits()
        self._changed = tuple(dict.fromkeys((*self._changed, *look.changed)))[-_MOST_CHANGED:]
        return self._visits.told(seen.scene, self._changed)

    def _agreed(self) -> None:
        """Table and record agree on what was read last: counting begins anew."""
        self._visits, self._changed = Visits(), ()

    # — reading —

    def _gate_for(self, shot: Shot) -> Gate:
        """A camera that begins to send pictures of another size is looked at anew."""
        size = (shot.picture.shape[1], shot.picture.shape[0])
        if self._gate is None or size != self._size:
            self._gate, self._size = self._gates(size), size
        return self._gate

    def _read(self, picture: Picture, look: Look, position: Position) -> Iterator[Signal]:
        seen = self._reader.read(picture, look)
        self._unread = isinstance(seen, str)
        if isinstance(seen, str):
            self._read_at, self._told = None, Kind.BLIND
            yield Told(Kind.BLIND, seen)
            return
        self._marks = seen.marks
        if self._told is not Kind.FREE:
            self._told = Kind.FREE
            yield Told(Kind.FREE)
        if position.game is None or position.adopt != self._position.adopt:
            yield from self._begun(seen, picture, look, position)
        else:
            yield self._held(seen, picture, look, position)

    def _begun(self, seen: Seen, picture: Picture, look: Look, position: Position) -> Iterator[Signal]:
        """A set-up, or a table that is to be taken as it is."""
        adopt = position.adopt != self._position.adopt
        self._position = position
        scene = self._told_scene(seen, look)
        begun = self._starter.adopt(seen.scene, position.game) if adopt else self._starter.begin(scene)
        if not isinstance(begun, History):
            yield Told(Kind.LACKING, "\n".join(begun))
            return
        if doubt := self._starter.doubt():
            yield Told(Kind.LACKING, doubt)
        yield from self._set_up(begun, (seen, picture))

    def _set_up(self, begun: History, shown: tuple[Seen, Picture] | None) -> Iterator[Signal]:
        """A game begins, with the table that showed it."""
        self._position = Position(begun, version=-1)
        if shown is None:
            yield SetUp(begun)
            return
        seen, self._settled = shown
        self._follower = self._follow(begun).at(seen.scene)
        yield SetUp(begun, evidence(None, self._settled, seen.marks, None))

    def _held(self, seen: Seen, picture: Picture, look: Look, position: Position) -> Signal:
        """The scene held against the record, and against it as it would be if a refused move stood."""
        follower = self._following(position)
        scene = self._told_scene(seen, look)
        verdict, stood = follower.see(scene), False
        if position.stood is not None and not _plays_on(verdict) and not self._visits.untouched:
            other = follower.after(position.stood, None).see(scene)
            if isinstance(other, Ruled):
                verdict, stood = other, True
        news = isinstance(verdict, Ruled | TakeBack) and not _lies_still(verdict, position.game)
        if news and self._visits.untouched:
            # What nobody touched has not moved: a light has changed, or something was misread.
            assert isinstance(verdict, Ruled | TakeBack)
            choices = (Choice("nothing", Nothing()), Choice(verdict.sentence, verdict))
            verdict = Question(
                "The table looks different, and nobody was seen at it. What happened?", choices
            )
        self._last = (scene, verdict)
        pictures: Sequence[JournalPicture] = ()
        if isinstance(verdict, _SHOWN):
            marks, box = _where(look.changed, seen.marks)
            pictures = evidence(self._settled, picture, marks, box)
        elif isinstance(verdict, Nothing):
            self._follower = follower.at(scene)
            self._settled = picture
            self._agreed()
        return saw(verdict, position.version, stood=stood, pictures=pictures)

    def _following(self, position: Position) -> Following:
        """The follower of the game as it counts now; where that came of what was seen, it knows the scene."""
        old, game = self._position, position.game
        if game is None:
            raise RuntimeError("there is no game to follow")
        if self._follower is None or old.game is None:
            self._follower = self._follow(game)
        elif old.game is not game:
            agreed = self._last is not None and _came_of(self._last[1], old.game, game)
            scene = self._last[0] if self._last and agreed else None
            self._follower = self._follower.after(game, scene)
            self._agreed()
        self._position = position
        return self._follower


def _told(look: Look) -> Told | None:
    """What the gate says, for the match; a change of light is nobody's business."""
    if look.state in (State.HAND, State.RESTING):
        return Told(Kind.HAND)
    if look.state in (State.STARTING, State.SETTLED, State.SETTLING):
        return Told(Kind.FREE)
    words = _BLIND.get(look.state)
    return None if words is None else Told(Kind.BLIND, words)


def _plays_on(verdict: Verdict) -> bool:
    """Whether the table is explained without a refused move that stands: it was put back."""
    return isinstance(verdict, Nothing | TakeBack) or (isinstance(verdict, Ruled) and not verdict.refused)


def _lies_still(verdict: Verdict, game: History | None) -> bool:
    """Whether this is the refused move that is in the record already: it has not been put back yet."""
    last = game.steps[-1] if game is not None and game.steps else None
    if last is None or last.ruling is None or last.ruling.allowed or not isinstance(verdict, Ruled):
        return False
    return verdict.refused and [one.text for one in verdict.happened] == [last.happened.text]


def _came_of(verdict: Verdict, old: History, new: History) -> bool:
    """Whether the game became what it is by counting this verdict."""
    if isinstance(verdict, TakeBack):
        return len(new.steps) == len(old.steps) - verdict.steps
    if not isinstance(verdict, Ruled) or verdict.refused:
        return False
    texts = [one.text for one in verdict.happened]
    return [step.happened.text for step in new.steps[-len(texts) :]] == texts


def _where(changed: Sequence[Box], marks: Sequence[Mark]) -> tuple[tuple[Mark, ...], Box | None]:
    """The marks where the table changed, and the box around it; without a change the whole table counts."""
    if not changed:
        return tuple(marks), box_of(marks)
    box = (
        min(b[0] for b in changed), min(b[1] for b in changed),
        max(b[2] for b in changed), max(b[3] for b in changed),
    )  # fmt: skip
    near = [mark for mark in marks if any(_inside(point, box) for point in mark.outline)]
    return tuple(near), box


def _inside(point: tuple[float, float], box: Box) -> bool:
    return box[0] <= point[0] <= box[2] and box[1] <= point[1] <= box[3]
