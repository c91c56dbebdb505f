"""What the eye tells of somebody's move who is gone while another's hand is over the table."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest

from device.live import left_behind, saying
from device.live.eye import Eye
from device.live.messages import Position
from device.live.ports import Picture, Seen, Strange
from device.match.signals import Kind, Saw, SetUp, Signal, Told
from engine.history import History
from engine.matching import Happened, Nothing, Question, Ruled, Verdict
from engine.scene import Scene, Sighting
from tests.device.live import scripted
from tests.device.live.scripted import (
    Began,
    Beginning,
    ScriptedSource,
    ScriptedView,
    Stage,
    TruthReader,
    number_of,
    shows,
)
from tests.device.live.watched import SEEN, Watched
from tests.device.match.match_bench import FACTS, ILLEGAL, LEGAL, game
from vision.view import Box, FrameState, Look, SeenArm, TableView

BEFORE, AFTER = shows(FACTS), shows([*FACTS, LEGAL[0]])
FAR = ((8, 0), (44, 0), (44, 20), (8, 20))
NEAR = ((8, 47), (44, 47), (44, 20), (8, 20))


@dataclass
class Crowded(Stage):
    """A stage on which a scene may be seen between hands, and each player's arm comes and goes."""

    who: list[frozenset[int]] = field(default_factory=list)

    def come(self, *who: int, scene: Scene | str | None = None, frames: int = 12) -> None:
        """Their hands for so many frames; in the last of them a scene is seen between."""
        self.show(FrameState.HAND, frames=frames - 1)
        self.show(FrameState.HAND, scene)
        self.who += [frozenset(who)] * frames

    def settle(self, scene: Scene, frames: int = 1) -> None:
        """Nobody is there, and the table is still."""
        self.show(FrameState.SETTLED, scene, frames)
        self.who += [frozenset()] * frames


class ArmsReader(TruthReader):
    """Sees each player's arm at his own side."""

    def __init__(self, stage: Crowded) -> None:
        super().__init__(stage)
        self.who = iter(stage.who)
        self.tables: list[TableView] = []
        self.strange: tuple[Strange, ...] = ()
        """What changed below the hands and is not read, as long as they are there."""

    def steady(self, picture: Picture, at_s: float) -> bool:
        """The next frame comes."""
        self.now = next(self.who)
        return super().steady(picture, at_s)

    def arms(self, _look: Look) -> Sequence[SeenArm]:
        """Whose hands there are."""
        return [SeenArm(frozenset({one}), NEAR if one == 1 else FAR) for one in sorted(self.now)]

    def read(self, table: TableView, before: Seen | None = None) -> Seen | str:
        """What lies there."""
        self.tables.append(table)
        seen = super().read(table, before)
        return seen if isinstance(seen, str) or table.settled else replace(seen, strange=self.strange)


class CrowdedView(ScriptedView):
    """Sees that hands hide what lies below them, and between hands what the stage shows there."""

    whole, shared = True, False
    changed: tuple[Box, ...] = ((8, 8, 44, 34),)

    def __init__(self, stage: Crowded) -> None:
        super().__init__(stage)
        self.frame, self.known, self.parts = -1, False, 0

    def see(self, picture: Picture, at_s: float, **how: Any) -> Look:
        """What the next frame shows."""
        self.frame += 1
        look = super().see(picture, at_s, **how)
        self.look = replace(look, hidden=(NEAR, FAR)) if look.state is FrameState.HAND else look
        return self.look

    def table(self, lying: object = None) -> TableView | None:
        """The frame itself, also where the stage has a scene below a hand, once the table was free."""
        look, free = self.look, super().table(lying)
        self.known |= free is not None
        hand = look.state is FrameState.HAND and self.stage.scenes[self.frame] is not None
        if free is not None or not (hand and self.known):
            return free
        self.parts += 1
        there = frozenset(player for arm in look.arms for player in arm.players)
        return TableView(
            self.picture, look.at_s, look.view, self.parts, self.changed, there, self.whole, self.shared
        )

    def lose(self) -> None:
        """Nothing is known any more."""
        self.known = False


@pytest.fixture
def told() -> "Telling":
    """Runs an eye over a stage."""
    return Telling()


class Telling:
    """What an eye tells of a stage, while the match follows it."""

    def __call__(
        self,
        stage: Crowded,
        base: History | None,
        starter: Beginning | None = None,
        follower: type[Watched] = Watched,
        away: Sequence[int] = (),
        strange: tuple[Strange, ...] = (),
        stood: History | None = None,
        denied: int | None = None,
    ) -> list[Signal]:
        """All signals; what is told as legal, or as a beginning, counts at once.

        ``away``: before which frames there were none for a while; ``denied``: before which frame people said
        that it was none of what was told.
        """
        SEEN.clear()
        self.reader = ArmsReader(stage)
        self.reader.strange = strange
        eye = Eye(CrowdedView(stage), self.reader, starter or Beginning(game()), follower)  # type: ignore[arg-type]
        source, found = ScriptedSource(stage), []
        position = Position(base, stood)
        while (shot := source.next(0)) is not None:
            if shot.number in away:  # type: ignore[union-attr]
                eye.wake()
            if shot.number == denied:  # type: ignore[union-attr]
                position = replace(position, denied=1)
            for signal in eye.see(shot, position):  # type: ignore[arg-type]
                found.append(signal)
                if isinstance(signal, SetUp):
                    position = Position(signal.game, version=position.version + 1)
                if isinstance(signal, Saw) and signal.kind is Kind.LEGAL:
                    after = position.game
                    assert after is not None
                    for one in signal.verdict.happened:  # type: ignore[union-attr]
                        after = after.fact(one.text) if one.kind == "fact" else after.move(one.text)
                    position = Position(after, version=position.version + 1)
        return found


def kinds(told: Sequence[Signal]) -> list[Kind]:
    """Of what was seen."""
    return [one.kind for one in told if isinstance(one, Saw)]


def test_a_move_is_told_when_its_player_has_gone_and_the_next_hand_counts_for_the_next(told: Telling) -> None:
    """Of the two who were there each made what he made, and nobody is counted twice."""
    stage = Crowded()
    stage.settle(BEFORE)
    stage.come(1)
    stage.come(1, 2)
    stage.come(2, scene=AFTER)
    stage.come(2)
    stage.settle(shows([*FACTS, *LEGAL[:2]]))
    found = told(stage, game(*FACTS))
    assert kinds(found) == [Kind.NOTHING, Kind.LEGAL, Kind.LEGAL]
    assert [(one.by, one.visits) for one in SEEN] == [(None, 0), (1, 1), (2, 1)]
    assert [one.hands for one in found if isinstance(one, Saw)] == [False, True, False]
    # The hand that is there is told anew after the ruling.
    after = found[[one.kind for one in found].index(Kind.LEGAL) + 1]
    assert isinstance(after, Told)
    assert after.kind is Kind.HAND
    # A reader is never told that such a picture is the settled one looked at once more.
    views = [table.number for table in told.reader.tables]
    assert len({*views}) == len(views)


@pytest.mark.parametrize(
    "scene",
    [
        shows([*FACTS, LEGAL[0], ILLEGAL]),
        shows([*FACTS[:1]]),
        shows(["1: take 1"]),
        BEFORE,
        "It is too dark.",
    ],
)
def test_only_what_is_plain_and_allowed_is_told_before_the_table_is_free(
    told: Telling, scene: Scene | str
) -> None:
    """Nobody is accused, asked or told that something is amiss while a hand is over the table."""
    stage = Crowded()
    stage.settle(BEFORE)
    stage.come(1)
    stage.come(2, scene=scene)
    stage.come(2)
    stage.settle(AFTER)
    assert kinds(told(stage, game(*FACTS))) == [Kind.NOTHING, Kind.LEGAL]
    assert (SEEN[-1].by, SEEN[-1].visits) == (None, 1)


@pytest.mark.parametrize(("away", "early"), [((), 1), ((15,), 0), ((0,), 1)])
def test_after_a_time_without_frames_nothing_is_told_before_the_table_is_free(
    told: Telling, away: Sequence[int], early: int
) -> None:
    """Nobody knows who was there meanwhile, and at which places that a hand hides now."""
    stage = Crowded()
    stage.settle(BEFORE)
    stage.come(1)
    stage.come(2, scene=AFTER)
    stage.come(2)
    stage.settle(AFTER)
    found = [one.kind for one in told(stage, game(*FACTS), away=away)]
    last = len(found) - 1 - found[::-1].index(Kind.FREE)
    assert (Kind.LEGAL in found[:last]) == early


def test_a_ruling_is_shown_where_the_table_changed_between_hands(
    told: Telling, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not where the last free table looked otherwise; and the next one beside the table after this one."""
    shown: list[tuple[int, int, object]] = []

    def evidence(before: Picture, after: Picture, _marks: object, box: object) -> tuple[()]:
        shown.append((number_of(before), number_of(after), box))
        return ()

    monkeypatch.setattr(saying, "evidence", evidence)
    monkeypatch.setattr(CrowdedView, "changed", ((20, 12, 30, 20), (28, 16, 40, 30)))
    stage = Crowded()
    stage.settle(BEFORE)
    stage.come(1)
    stage.come(2, scene=AFTER)
    stage.come(2)
    stage.come(1, scene=shows([*FACTS, *LEGAL[:2]]))
    told(stage, game(*FACTS))
    assert shown == [(0, 24, (20, 12, 40, 30)), (24, 48, (20, 12, 40, 30))]


@dataclass
class Joined(Beginning):
    """A game that begins with what somebody did."""

    looks: int = 0

    def begin(self, scene: Scene) -> Began:
        """The game, once something lies there; a table that only may be so is no look."""
        after = replace(self, looks=self.looks + 1)
        return after, self.first if scene.sightings else ("Who begins is not known.", str(after.looks))


@pytest.mark.parametrize(("shared", "first"), [(True, 2), (True, 1), (False, 2)])
def test_a_game_may_begin_between_hands(
    told: Telling, monkeypatch: pytest.MonkeyPatch, first: int, *, shared: bool
) -> None:
    """With what somebody did who has gone; what says nothing yet, or nothing of who it was, is waited for.

    If another was there, it was the one who came first.
    """
    monkeypatch.setattr(CrowdedView, "shared", shared)
    stage = Crowded()
    stage.settle(Scene(()), 8)
    stage.come(first)
    stage.come(1, 2)
    stage.come(2, scene=Scene(()))
    stage.come(2, scene=AFTER)
    stage.come(2)
    stage.settle(AFTER)
    found = told(stage, None, Joined(game(*FACTS)))
    begun = [k for k, one in enumerate(found) if isinstance(one, SetUp)]
    free = [k for k, one in enumerate(found) if one.kind is Kind.FREE][-1]
    assert len(begun) == 1
    early = first == 1 or not shared
    assert (begun[0] < free) is early
    assert kinds(found) == ([Kind.LEGAL, Kind.NOTHING] if early else [])


@dataclass(frozen=True)
class Doubting(Watched):
    """Takes a roll for what it may be, and what else it may be as well."""

    def see(self, scene: Scene) -> Verdict:
        """What happened."""
        verdict = super().see(scene)
        if not isinstance(verdict, Ruled):
            return verdict
        roll = Happened("fact", FACTS[1], verdict.happened[-1].state, alike=("see roll D2 d D ?",))
        return replace(verdict, happened=(*verdict.happened, roll))


@pytest.mark.parametrize("joined", [True, False])
def test_what_was_read_in_doubt_is_looked_at_again_once_the_table_is_free(
    told: Telling, *, joined: bool
) -> None:
    """The move before it is told, and a game begins with it, while a hand is over the table."""
    stage = Crowded()
    stage.settle(Scene(()) if joined else BEFORE)
    stage.come(1)
    stage.come(2, scene=AFTER)
    stage.come(2)
    base = None if joined else game(*FACTS)
    found = told(stage, base, Joined(game(*FACTS)), follower=Doubting)
    assert SEEN[-1].sightings == AFTER.sightings
    assert {one.kind for one in found} >= {Kind.SET_UP if joined else Kind.LEGAL}
    verdicts = [one.verdict for one in found if isinstance(one, Saw) and isinstance(one.verdict, Ruled)]
    assert [[did.text for did in one.happened] for one in verdicts[:1]] == [[LEGAL[0]]]
    assert all(one.more for one in verdicts[:1])


@pytest.mark.parametrize(("box", "early"), [((10, 22, 30, 40), False), ((200, 20, 220, 40), True)])
@pytest.mark.parametrize("joined", [True, False])
def test_where_something_was_put_down_that_cannot_be_read_nothing_is_told_nor_begun(
    told: Telling, box: Box, *, early: bool, joined: bool
) -> None:
    """It may have come before what is read; what changed where no hand was is nobody's doing."""
    stage = Crowded()
    stage.settle(Scene(()) if joined else BEFORE)
    stage.come(1)
    stage.come(2, scene=AFTER)
    base = None if joined else game(*FACTS)
    found = told(stage, base, Joined(game(*FACTS)), strange=(Strange(box, "board"),))
    assert ({one.kind for one in found} >= {Kind.SET_UP if joined else Kind.LEGAL}) is early


@dataclass(frozen=True)
class Heeding(Watched):
    """Cannot tell what was done by nobody."""

    def see(self, scene: Scene) -> Verdict:
        """What happened."""
        return Nothing() if scene.by is None else super().see(scene)

    def after(self, history: History, _scene: Scene | None, _before: Scene | None = None) -> "Heeding":
        """The follower of a game that has changed."""
        return Heeding(history)


@pytest.mark.parametrize(
    ("follower", "shared", "early"), [(Watched, True, 1), (Heeding, True, 0), (Heeding, False, 1)]
)
def test_where_another_was_as_well_a_ruling_must_not_hang_on_whose_hand_it_was(
    told: Telling, monkeypatch: pytest.MonkeyPatch, follower: type[Watched], *, shared: bool, early: int
) -> None:
    """He may have done it, and the one who has gone have hovered there."""
    monkeypatch.setattr(CrowdedView, "shared", shared)
    stage = Crowded()
    stage.settle(BEFORE)
    stage.come(1, 2)
    stage.come(2, scene=AFTER)
    stage.come(2)
    stage.settle(AFTER)
    found = [one.kind for one in told(stage, game(*FACTS), follower=follower)]
    last = len(found) - 1 - found[::-1].index(Kind.FREE)
    assert (Kind.LEGAL in found[:last]) == early


@pytest.mark.parametrize(("whole", "who", "early"), [(False, (1,), 1), (True, (1, 2), 1), (False, (1, 2), 0)])
def test_where_more_may_be_hidden_it_must_be_known_whose_move_it_was(
    told: Telling, monkeypatch: pytest.MonkeyPatch, *, whole: bool, who: tuple[int, ...], early: int
) -> None:
    """Both have gone, and what is seen may be the second of two moves."""
    monkeypatch.setattr(CrowdedView, "whole", whole)
    stage = Crowded()
    stage.settle(BEFORE)
    stage.come(*who)
    stage.show(FrameState.SETTLING)
    stage.who.append(frozenset())
    stage.come(2, scene=AFTER)
    stage.settle(AFTER)
    found = [one.kind for one in told(stage, game(*FACTS)) if one.kind in (Kind.LEGAL, Kind.FREE)]
    assert found.index(Kind.LEGAL) == 3 - early  # after the table was free for a moment, or at last


@pytest.mark.parametrize(("seen", "early"), [(True, 1), (False, 0)])
def test_a_reading_that_misses_what_was_seen_before_counts_for_nothing(
    told: Telling, monkeypatch: pytest.MonkeyPatch, *, seen: bool, early: int
) -> None:
    """What was put down a moment ago does not vanish: this picture was read wrong."""
    monkeypatch.setattr(left_behind, "loses", lambda now, earlier, _bare: not seen and now is not earlier)
    stage = Crowded()
    stage.settle(BEFORE)
    stage.come(1, scene=shows(["1: take 1"]))
    stage.come(2, scene=AFTER)
    stage.come(2)
    stage.settle(AFTER)
    found = [one.kind for one in told(stage, game(*FACTS))]
    last = len(found) - 1 - found[::-1].index(Kind.FREE)
    assert (Kind.LEGAL in found[:last]) == early


@pytest.mark.parametrize(("times", "early"), [(1, 0), (2, 1)])
def test_a_refused_move_is_told_between_hands_once_it_was_seen_twice(
    told: Telling, *, times: int, early: int
) -> None:
    """Once may be half of what somebody is at; and the hand that is there is told anew."""
    lying = shows([*FACTS, LEGAL[0], ILLEGAL])
    stage = Crowded()
    stage.settle(BEFORE)
    stage.come(1)
    for _ in range(times):
        stage.come(2, scene=lying)
    stage.come(2)
    stage.settle(lying)
    found = [one.kind for one in told(stage, game(*FACTS)) if one.kind in (Kind.REFUSED, Kind.FREE)]
    assert found == [Kind.FREE, *[Kind.REFUSED] * early, Kind.FREE]


def test_what_follows_a_refused_move_that_stands_is_told_between_hands(told: Telling) -> None:
    """The record is held against the table as it would be if that move stood."""
    base = game(*FACTS, LEGAL[0]).move(ILLEGAL)
    stood = base.stand()
    move = stood.book.format(stood.book.legal_moves(stood.state)[0])
    stage = Crowded()
    stage.settle(shows([*FACTS, LEGAL[0], ILLEGAL]))
    stage.come(1)
    stage.come(2, scene=shows([*FACTS, LEGAL[0], ILLEGAL, move]))
    found = [one for one in told(stage, base, stood=stood) if isinstance(one, Saw)]
    assert [(one.kind, one.stood) for one in found if one.hands] == [(Kind.LEGAL, True)]


@dataclass(frozen=True)
class Tiled(Watched):
    """Tells what happened from the words on the table alone, whatever dominoes lie there."""

    def see(self, scene: Scene) -> Verdict:
        """What happened."""
        words = tuple(one for one in scene.sightings if one.kind == "tile")
        return super().see(replace(scene, sightings=words))

    def after(self, history: History, _scene: Scene | None, _before: Scene | None = None) -> "Tiled":
        """The follower of a game that has changed."""
        return Tiled(history)


@pytest.mark.parametrize("ground", ["cloth", "plain"])
@pytest.mark.parametrize("lies", [False, True])
def test_what_was_put_down_and_taken_back_hides_nothing_that_follows(
    told: Telling, monkeypatch: pytest.MonkeyPatch, ground: str, *, lies: bool
) -> None:
    """Where the table looks as it did before it is gone; where it does not the reading has missed it."""
    domino = Sighting("domino", "board", 25.0, 20.0, 0.0, presence=0.99, ref="0")
    wrong = shows([*FACTS, LEGAL[0], ILLEGAL])
    stage = Crowded()
    stage.settle(BEFORE)
    stage.come(1)
    stage.come(2, scene=replace(wrong, sightings=(*wrong.sightings, domino)))
    stage.come(1)
    stage.come(2, scene=BEFORE)
    stage.come(1)
    stage.come(2, scene=AFTER)
    stage.come(2)
    stage.settle(AFTER)
    cloth = np.random.default_rng(5).integers(60, 140, (48, 64, 3), dtype=np.uint8)

    def picture_of(number: int) -> Picture:
        """The table with the tile on it, where it lies."""
        picture = cloth.copy() if ground == "cloth" else np.full_like(cloth, 90)
        if number == 24 or (lies and number > 24):
            picture[10:31, 10:41] = 200
            picture[10:31, 24:27] = 0
        picture[0, 0] = (number & 255, number >> 8 & 255, number >> 16)
        return picture

    monkeypatch.setattr(scripted, "picture_of", picture_of)
    found = [one.kind for one in told(stage, game(*FACTS), follower=Tiled)]
    last = len(found) - 1 - found[::-1].index(Kind.FREE)
    assert (Kind.LEGAL in found[:last]) is not lies


@dataclass(frozen=True)
class Going(Watched):
    """Goes on from an answer that is open."""

    answers: tuple[Verdict, ...] = ()

    def see(self, scene: Scene) -> Verdict:
        """What happened, or the answer that it goes on from."""
        return self.answers[0] if self.answers else super().see(scene)

    def asking(self, question: Question, _scene: Scene | None = None) -> "Going":
        """What was asked is open."""
        return replace(self, answers=tuple(one.outcome for one in question.choices))


def test_a_refused_move_that_was_told_and_did_not_count_explains_what_follows(told: Telling) -> None:
    """Where a button is waited for nothing counts while a hand is there, and the next tile goes with it."""
    lying = shows([*FACTS, LEGAL[0], ILLEGAL])
    stage = Crowded()
    stage.settle(BEFORE)
    stage.come(1)
    for _ in range(2):
        stage.come(2, scene=lying)
    stage.come(2)
    stage.settle(shows(["1: take 1"]), 8)
    found = told(stage, game(*FACTS), follower=Going)
    assert [(one.kind, one.hands) for one in found if isinstance(one, Saw)] == [
        (Kind.NOTHING, False),
        (Kind.REFUSED, True),
        (Kind.REFUSED, False),
    ]


@pytest.mark.parametrize(("back", "denied"), [(False, None), (True, None), (False, 12), (False, 22)])
def test_a_refused_move_that_a_hand_took_off_the_screen_explains_what_follows(
    told: Telling, *, back: bool, denied: int | None
) -> None:
    """Who is in a hurry goes on from it within the calm.

    Once it was put back nobody is accused of it, nor when people have said since that it was not so.
    """
    stage = Crowded()
    stage.settle(BEFORE)
    stage.come(1)
    stage.settle(shows([*FACTS, LEGAL[0], ILLEGAL]), 8)
    stage.come(2)
    if back:
        stage.settle(BEFORE, 8)
        stage.come(2)
    stage.settle(shows(["1: take 1"]), 8)
    found = kinds(told(stage, game(*FACTS), follower=Going, denied=denied))
    last = [Kind.NOTHING] * back + [Kind.DIFFERENT if back or denied == 22 else Kind.REFUSED]
    assert found == [Kind.NOTHING, Kind.REFUSED, *last]
