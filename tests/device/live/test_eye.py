"""What the eye tells the follower beside what it sees: who was there, and how often."""

from dataclasses import dataclass, replace
from typing import Any

import pytest

from device.answer_places import SeenTable
from device.live.eye import Eye
from device.live.messages import Position
from device.live.ports import Away, Picture, Seen, Shot
from device.live.told_already import came_of, leaves_a_rest
from device.match.signals import Kind, Saw, Signal
from engine.history import History
from engine.layout import Layout
from engine.matching import Choice, Nothing, OutOfStep, Question, Revision, Ruled, TakeBack, Verdict
from engine.scene import Hands, Scene
from tests.device.live.scripted import (
    Beginning,
    ScriptedSource,
    ScriptedView,
    Stage,
    TruthFollower,
    TruthReader,
    shows,
)
from tests.device.live.watched import SEEN, Watched, seen
from tests.device.match.match_bench import FACTS, ILLEGAL, LEGAL, game, ruled
from tests.tables_asked import STEPS, asked_table
from vision.view import FrameState, Look, TableView

OPEN: list[tuple[str, ...]] = []


def test_visits_are_counted_until_table_and_record_agree() -> None:
    """Hands without a readable table between them add up; after an agreement, counting begins anew."""
    stage = Stage(hands=frozenset({2}))
    stage.move(shows(FACTS))
    stage.show(FrameState.HAND, frames=2)
    stage.show(FrameState.SETTLING)
    stage.show(FrameState.HAND, frames=2)
    stage.show(FrameState.LIGHT)
    stage.show(FrameState.HAND)
    stage.show(FrameState.SETTLED, shows([*FACTS, LEGAL[0]]))
    stage.move(shows([*FACTS, LEGAL[0]]))
    told = seen(stage, Position(game(*FACTS)))
    assert [one.kind for one in told] == [Kind.NOTHING, Kind.LEGAL, Kind.LEGAL]
    assert [one.view for one in told] == [1, 2, 3]
    assert [scene.visits for scene in SEEN] == [1, 2, 3]
    assert {scene.by for scene in SEEN} == {2}


def test_the_match_is_given_the_picture_in_which_answers_have_their_places(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The one that was read, with what was read in it, if the reader knows where its mat lies."""
    mat = asked_table("draw-game", STEPS["draw-game"]).seen.mat
    read = TruthReader.read

    def knowing(self: TruthReader, table: TableView, before: Seen | None = None) -> Seen | str:
        told = read(self, table, before)
        return told if isinstance(told, str) else replace(told, mat=mat)

    stage = Stage()
    stage.move(shows([*FACTS, LEGAL[0]]))
    (told,) = seen(stage, Position(game(*FACTS)))
    assert told.shown is None
    monkeypatch.setattr(TruthReader, "read", knowing)
    (told,) = seen(stage, Position(game(*FACTS)))
    assert isinstance(told.shown, SeenTable)
    assert told.shown.mat is mat
    assert told.shown.scene.sightings == SEEN[-1].sightings
    assert told.shown.picture.any()


@pytest.mark.parametrize(
    "unseen", [FrameState.BLACK, FrameState.FROZEN, FrameState.BUMPED, FrameState.TORN, None]
)
def test_what_nobody_touched_is_asked_about_and_not_ruled(unseen: FrameState | None) -> None:
    """A table that looks different without a hand is a light or a misreading, unless the camera was blind."""
    stage = Stage()
    stage.show(FrameState.SETTLED, shows(FACTS))
    stage.show(FrameState.LIGHT if unseen is None else unseen, frames=3)
    stage.show(FrameState.SETTLING)
    stage.show(FrameState.SETTLED, shows([*FACTS, LEGAL[0]]), 5)
    told = seen(stage, Position(game(*FACTS)))
    assert [one.kind for one in told] == [Kind.NOTHING, Kind.QUESTION if unseen is None else Kind.LEGAL]
    if unseen is None:
        assert isinstance(told[1].verdict, Question)
        assert told[1].verdict.choices[0].text == "nothing"


class Told(TruthReader):
    """Keeps what it is told of the table before."""

    def __init__(self, stage: Stage) -> None:
        super().__init__(stage)
        self.records: list[Layout | None] = []

    def read(self, table: TableView, before: Seen | None = None) -> Seen | str:
        """What lies there."""
        self.records.append(None if before is None else before.record)
        return super().read(table, before)


def test_once_table_and_record_agree_the_reader_knows_what_lies_there() -> None:
    """It can tell print from ink by it; before they agree nothing is known."""
    stage, base = Stage(), game(*FACTS)
    for _ in range(2):
        stage.move(shows(FACTS))
    reader = Told(stage)
    eye = Eye(ScriptedView(stage), reader, Beginning(base), TruthFollower)
    source = ScriptedSource(stage)
    while isinstance(shot := source.next(0), Shot):
        list(eye.see(shot, Position(base)))
    assert reader.records == [None, base.book.layout(base.state)]


class Dazed(ScriptedView):
    """Got no new picture for a moment, and says so when one comes."""

    def see(self, picture: Picture, at_s: float, **how: Any) -> Look:
        """Judges the next frame."""
        look = super().see(picture, at_s, **how)
        return replace(look, visited=look.state is FrameState.SETTLING)


@pytest.mark.parametrize("gate", [ScriptedView, Dazed])
def test_a_moment_without_pictures_is_one_in_which_a_hand_may_have_come(gate: type[ScriptedView]) -> None:
    """The gate tells it only afterwards: what it looks like then was done."""
    stage, base = Stage(), game(*FACTS)
    stage.show(FrameState.SETTLED, shows(FACTS), 2)
    stage.show(FrameState.SETTLING)
    stage.show(FrameState.SETTLED, shows([*FACTS, LEGAL[0]]), 5)
    eye = Eye(gate(stage), TruthReader(stage), Beginning(base), TruthFollower)
    source, told = ScriptedSource(stage), []
    while isinstance(shot := source.next(0), Shot):
        told += [one.kind for one in eye.see(shot, Position(base)) if isinstance(one, Saw)]
    assert told[0] is Kind.NOTHING
    assert set(told[1:]) == {Kind.LEGAL if gate is Dazed else Kind.QUESTION}


def test_what_would_disturb_people_is_looked_at_twice() -> None:
    """A shadow that has passed by the second look is told to nobody; what stays is told once."""
    other = shows(["1: take 1"])
    for passes in (True, False):
        stage = Stage()
        stage.show(FrameState.SETTLED, shows(FACTS))
        stage.show(FrameState.HAND)
        stage.show(FrameState.SETTLED, other, 2)
        stage.show(FrameState.SETTLED, shows(FACTS) if passes else other, 8)
        told = seen(stage, Position(game(*FACTS)))
        assert [one.kind for one in told] == [Kind.NOTHING, Kind.NOTHING if passes else Kind.DIFFERENT]


@pytest.mark.parametrize("passes", [True, False])
def test_nobody_is_accused_at_first_sight(*, passes: bool) -> None:
    """A refused move is looked at twice before it is told: a shadow may have passed by then."""
    stage, refused = Stage(), shows([*FACTS, LEGAL[0], ILLEGAL])
    stage.show(FrameState.SETTLED, shows([*FACTS, LEGAL[0]]))
    stage.show(FrameState.HAND)
    stage.show(FrameState.SETTLED, refused, 2)
    stage.show(FrameState.SETTLED, shows([*FACTS, LEGAL[0]]) if passes else refused, 8)
    told = seen(stage, Position(game(*FACTS, LEGAL[0])))
    assert [one.kind for one in told] == [Kind.NOTHING, Kind.NOTHING if passes else Kind.REFUSED]


@pytest.mark.parametrize("then", [FrameState.HAND, FrameState.SETTLING, None])
def test_a_hand_that_is_back_before_the_second_look_takes_nothing_away(then: FrameState | None) -> None:
    """What was read is judged before the view is lost, and at the end of a film; not while it only stirs."""
    stage = Stage()
    stage.show(FrameState.SETTLED, shows(FACTS))
    stage.show(FrameState.HAND)
    stage.show(FrameState.SETTLED, shows(["1: take 1"]))
    if then is not None:
        stage.show(then, frames=2)
    kinds = [one.kind for one in seen(stage, Position(game(*FACTS)), to_the_end=then is None)]
    assert kinds == [Kind.NOTHING, *([] if then is FrameState.SETTLING else [Kind.DIFFERENT])]


def test_nobody_plays_on_from_a_refused_move_without_a_hand() -> None:
    """That a refused move stands is seen by what comes after it, not by looking at it twice."""
    base = game(*FACTS, LEGAL[0])
    refused = base.move(ILLEGAL)
    stood = refused.stand()
    move = stood.book.format(stood.book.legal_moves(stood.state)[0])
    on_top = shows([*FACTS, LEGAL[0], ILLEGAL, move])
    for hand in (False, True):
        stage = Stage()
        stage.show(FrameState.HAND if hand else FrameState.SETTLING)
        stage.show(FrameState.SETTLED, on_top, 5)
        (told,) = seen(stage, Position(refused, stood))
        assert told.stood is hand


def test_hands_are_counted_on_while_a_refused_move_lies_there() -> None:
    """Table and record do not agree before it is put back: that nobody came does not make it misread."""
    stage, base = Stage(hands=frozenset({2})), game(*FACTS, LEGAL[0])
    refused = base.move(ILLEGAL)
    stage.show(FrameState.SETTLED, shows([*FACTS, LEGAL[0]]))
    stage.move(shows([*FACTS, LEGAL[0], ILLEGAL]))
    stage.show(FrameState.SETTLED, shows([*FACTS, LEGAL[0], ILLEGAL]), 8)
    for _ in range(2):
        stage.move(shows([*FACTS, LEGAL[0]]))
    eye = Eye(ScriptedView(stage), TruthReader(stage), Beginning(game()), Watched)
    source, position, kinds = ScriptedSource(stage), Position(base), list[Kind]()
    SEEN.clear()
    while isinstance(shot := source.next(0), Shot):
        kinds += [signal.kind for signal in eye.see(shot, position) if isinstance(signal, Saw)]
        if Kind.REFUSED in kinds:
            position = Position(refused, refused.stand(), version=1)
    assert kinds == [Kind.NOTHING, Kind.REFUSED, Kind.REFUSED, Kind.NOTHING, Kind.NOTHING]
    # while it lies there, each look is held against the game in which it stands as well
    assert [scene.visits for scene in SEEN] == [0, 1, 1, 1, 1, 2, 1]


@dataclass(frozen=True)
class Doubting(Watched):
    """Asks what was done after a refused move that stands, and else accuses whoever is to move."""

    def see(self, _scene: Scene) -> Verdict:
        """A question, or a refusal of more than lies there."""
        if self.history.steps[-1].stands:
            return Question("What was it?", (Choice("nothing", Nothing()),))
        return ruled(self.history, "2: take 1+3", "1: take 1")

    def after(self, history: History, _scene: Scene | None, _before: Scene | None = None) -> "Doubting":
        """The follower of a game that has changed."""
        return Doubting(history)

    def asking(self, question: Question, _scene: Scene | None = None) -> "Doubting":
        """No answer goes on from the record as it is, in which the move was refused."""
        stands = self.history.steps[-1].stands
        assert stands or not question.choices
        ASKED.extend([question] if stands else [])
        return self


ASKED: list[Question] = []
"""What a follower was told to have been asked of a table on which a refused move stands."""


def test_what_came_after_a_refused_move_that_stands_is_asked_about_rather_than_held_against_another() -> None:
    """Nobody is accused for what lies there already because what came since is in doubt."""
    refused = game(*FACTS, LEGAL[0], ILLEGAL)
    stage = Stage()
    stage.move(shows(FACTS))
    stage.show(FrameState.SETTLED, shows(FACTS), 5)
    eye = Eye(ScriptedView(stage), TruthReader(stage), Beginning(game()), Doubting)
    source, told = ScriptedSource(stage), list[Signal]()
    while isinstance(shot := source.next(0), Shot):
        told += eye.see(shot, Position(refused, refused.stand()))
    assert [(one.kind, one.stood) for one in told if isinstance(one, Saw)] == [(Kind.QUESTION, True)]


def test_what_is_not_answered_after_a_refused_move_that_stands_is_held_against_what_follows() -> None:
    """Else the next look asks the same, and so on to the end; what people tell makes an end of it."""
    refused = game(*FACTS, LEGAL[0], ILLEGAL)
    stage = Stage()
    for _ in range(3):
        stage.move(shows(FACTS))
        stage.show(FrameState.SETTLED, shows(FACTS), 5)
    eye = Eye(ScriptedView(stage), TruthReader(stage), Beginning(game()), Doubting)
    source, asked, denied = ScriptedSource(stage), 0, 0
    ASKED.clear()
    while isinstance(shot := source.next(0), Shot):
        for signal in eye.see(shot, Position(refused, refused.stand(), denied=denied)):
            asked += isinstance(signal, Saw) and signal.kind is Kind.QUESTION
        denied = asked // 2
    assert asked == 3
    assert [bool(one.choices) for one in ASKED] == [False, False, True, True, False, False]


def test_after_a_while_without_frames_nobody_counts_the_hands() -> None:
    """The camera was away, or the match was stopped: more may have been done than by the hand seen since."""
    stage = Stage(hands=frozenset({2}))
    stage.move(shows([*FACTS, LEGAL[0]]))
    eye = Eye(ScriptedView(stage), TruthReader(stage), Beginning(game()), Watched)
    eye.wake()
    SEEN.clear()
    source, told = ScriptedSource(stage), list[Signal]()
    while isinstance(shot := source.next(0), Shot):
        told += eye.see(shot, Position(game(*FACTS)))
    assert [one.kind for one in told if isinstance(one, Saw)] == [Kind.LEGAL]
    assert [(scene.by, scene.visits) for scene in SEEN] == [(None, None)]


def test_a_visit_after_the_ruling_and_before_the_next_look_counts_for_the_next_move() -> None:
    """The light changes right after a ruling, so that the table is read again only after the next move."""
    stage = Stage(hands=frozenset({2}))
    stage.show(FrameState.SETTLED, shows(FACTS))
    stage.move(shows([*FACTS, LEGAL[0]]))
    first = len(stage.states) - 1
    stage.show(FrameState.LIGHT)
    stage.move(shows([*FACTS, *LEGAL[:2]]))
    eye = Eye(ScriptedView(stage), TruthReader(stage), Beginning(game()), Watched)
    source, kinds = ScriptedSource(stage), []
    position = Position(game(*FACTS))
    SEEN.clear()
    while (shot := source.next(0)) is not None:
        assert not isinstance(shot, Away)
        kinds += [signal.kind for signal in eye.see(shot, position) if isinstance(signal, Saw)]
        if shot.number == first - 1:
            position = Position(game(*FACTS, LEGAL[0]), version=1)
            stage.states[first] = FrameState.LIGHT
    assert kinds == [Kind.NOTHING, Kind.LEGAL, Kind.LEGAL]
    assert [scene.visits for scene in SEEN] == [0, 1, 1]


def test_a_refused_move_that_still_lies_there_is_no_question() -> None:
    """The table is read again when the refusal is on the record: it shows the same, and nobody came."""
    base = game(*FACTS, LEGAL[0])
    stage = Stage()
    stage.show(FrameState.SETTLED, shows([*FACTS, LEGAL[0], ILLEGAL]), 2)
    (told,) = seen(stage, Position(base.move(ILLEGAL)))
    assert told.kind is Kind.REFUSED


def test_the_same_view_is_read_once_and_again_when_the_game_has_changed() -> None:
    """Reading costs time: a table that lies still is read once for each version of the game."""
    stage = Stage()
    stage.show(FrameState.SETTLED, shows(FACTS), 5)
    assert [one.verdict for one in seen(stage, Position(game(*FACTS)))] == [Nothing()]
    eye = Eye(ScriptedView(stage), TruthReader(stage), Beginning(game()), Watched)
    source = ScriptedSource(stage)
    kinds = []
    for version in (0, 0, 1, 1, 1):
        shot = source.next(0)
        kinds += [signal.kind for signal in eye.see(shot, Position(game(*FACTS), version=version))]  # type: ignore[arg-type]
    assert kinds == [Kind.FREE, Kind.NOTHING, Kind.NOTHING]


@dataclass(frozen=True)
class Corrected(TruthFollower):
    """Sees that the first fact was another, as long as nothing lies there."""

    def see(self, scene: Scene) -> Verdict:
        """What happened."""
        return super().see(scene) if scene.sightings else Ruled((), 9.0, revised=(Revision(1, FACTS[0]),))


@pytest.mark.parametrize("passes", [True, False])
def test_a_correction_is_looked_at_twice(*, passes: bool) -> None:
    """One bad reading does not change the record."""
    stage, base = Stage(), game(*FACTS)
    stage.show(FrameState.SETTLED, shows([]), 2)
    stage.show(FrameState.SETTLED, shows(FACTS if passes else []), 4)
    eye = Eye(ScriptedView(stage), TruthReader(stage), Beginning(base), Corrected)
    source, told = ScriptedSource(stage), []
    while isinstance(shot := source.next(0), Shot):
        told += [one.kind for one in eye.see(shot, Position(base)) if isinstance(one, Saw)]
    assert told == [Kind.NOTHING if passes else Kind.LEGAL]


@dataclass(frozen=True)
class Reconsidered(TruthFollower):
    """Sees that the last move was taken back where another lies in its place."""

    def see(self, scene: Scene) -> Verdict:
        """What happened."""
        verdict = super().see(scene)
        if isinstance(verdict, OutOfStep):
            return TakeBack(1, self.history.first, "Taken back, and another made.", more=True)
        return verdict

    def after(self, history: History, _scene: Scene | None, _before: Scene | None = None) -> "Reconsidered":
        """The follower of a game that has changed."""
        return Reconsidered(history)


def test_what_was_done_after_a_take_back_is_told_once_that_counts() -> None:
    """It is looked at twice, and the hand that did both still counts as seen: nobody is asked."""
    base, before = game(*FACTS, "1: take 1"), game(*FACTS)
    stage = Stage()
    stage.show(FrameState.SETTLED, shows([*FACTS, "1: take 1"]))
    stage.move(shows([*FACTS, "1: take 2"]))
    stage.show(FrameState.SETTLED, shows([*FACTS, "1: take 2"]), 8)
    eye = Eye(ScriptedView(stage), TruthReader(stage), Beginning(base), Reconsidered)
    source, told, position = ScriptedSource(stage), [], Position(base)
    while isinstance(shot := source.next(0), Shot):
        signals = [one for one in eye.see(shot, position) if isinstance(one, Saw)]
        told += [one.kind for one in signals]
        if signals and signals[-1].kind is Kind.TAKE_BACK:
            assert leaves_a_rest(signals[-1].verdict, base, before)
            assert not came_of(signals[-1].verdict, base, before)
            position = Position(before, version=1)
    assert told == [Kind.NOTHING, Kind.TAKE_BACK, Kind.LEGAL]


@dataclass(frozen=True)
class Asking(TruthFollower):
    """Asks about every table, and remembers in OPEN what was open when it looked."""

    open: tuple[str, ...] = ()

    def see(self, _scene: Scene) -> Verdict:
        """A question."""
        OPEN.append(self.open)
        return Question("Which?", (Choice("a", Nothing()),))

    def asking(self, question: Question, _scene: Scene | None = None) -> "Asking":
        """It is open now."""
        return replace(self, open=tuple(one.text for one in question.choices))


@pytest.mark.parametrize("denied", [0, 1])
def test_what_people_denied_is_followed_on_no_more(denied: int) -> None:
    """The question stays open to what is seen next until they say that it was none of the answers."""
    OPEN.clear()
    stage, base = Stage(), game(*FACTS)
    stage.move(shows(FACTS))
    asked = len(stage.states)
    stage.move(shows(FACTS))
    eye = Eye(ScriptedView(stage), TruthReader(stage), Beginning(base), Asking)
    source = ScriptedSource(stage)
    while isinstance(shot := source.next(0), Shot):
        list(eye.see(shot, Position(base, denied=denied if shot.number > asked else 0)))
    assert OPEN[0] == ()
    assert OPEN[-1] == (() if denied else ("a",))


LATELY: list[Hands | None] = []


class Remembering(Asking):
    """Asks, and remembers in LATELY whose hands came since that was asked."""

    def see(self, scene: Scene) -> Verdict:
        """A question."""
        LATELY.append(scene.lately)
        return Question("Which?", (Choice("a", Nothing()),))


@pytest.mark.parametrize("denied", [0, 1])
def test_hands_are_counted_anew_since_a_question(denied: int) -> None:
    """Both players were there since table and record agreed, and one alone since each time it was asked."""
    LATELY.clear()
    stage, base = Stage(), game(*FACTS)
    owners = {}
    for player in (1, 2, 1):
        stage.move(shows(FACTS))
        stage.show(FrameState.SETTLED, shows(FACTS), 4)  # it is looked at twice
        owners[len(stage.states)] = frozenset({player})
    eye = Eye(ScriptedView(stage), TruthReader(stage), Beginning(base), Remembering)
    source = ScriptedSource(stage)
    while isinstance(shot := source.next(0), Shot):
        stage.hands = next(who for until, who in owners.items() if shot.number < until)
        list(eye.see(shot, Position(base, denied=denied if shot.number > min(owners) else 0)))
    told = [None if one is None else (one.by, one.visits) for one in LATELY]
    assert told == [None, None, *([None if denied else (2, 1)] * 2), (1, 1), (1, 1)]
