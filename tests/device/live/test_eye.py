"""What the eye tells the follower beside what it sees: who was there, and how often."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from device.live.eye import Eye, Visits
from device.live.mat_reader import MatReader
from device.live.messages import Position
from device.live.ports import Picture
from device.match.signals import Kind, Saw
from engine.history import History
from engine.matching import Nothing, Question, Verdict
from engine.scene import Scene
from tests.device.live.scripted import (
    Beginning,
    ScriptedGate,
    ScriptedSource,
    Stage,
    TruthFollower,
    TruthReader,
    shows,
)
from tests.device.match.bench import FACTS, ILLEGAL, LEGAL, game
from vision.gate import Look, State

SEEN: list[Scene] = []


@dataclass(frozen=True)
class Watched(TruthFollower):
    """Remembers the scenes that it was shown."""

    def see(self, scene: Scene) -> Verdict:
        """What happened."""
        SEEN.append(scene)
        return super().see(scene)

    def after(self, history: History, _scene: Scene | None) -> "Watched":
        """The follower of a game that has changed."""
        return Watched(history)


def seen(stage: Stage, position: Position) -> list[Saw]:
    """What the eye says of a stage, with the scenes in SEEN."""
    SEEN.clear()
    eye = Eye(lambda _size: ScriptedGate(stage), TruthReader(stage), Beginning(game()), Watched)
    source = ScriptedSource(stage)
    found = []
    while (shot := source.next(0)) is not None:
        found += [signal for signal in eye.see(shot, position) if isinstance(signal, Saw)]  # type: ignore[arg-type]
    return found


def test_visits_are_counted_until_table_and_record_agree() -> None:
    """Hands without a readable table between them add up; after an agreement, counting begins anew."""
    stage = Stage(hands=frozenset({2}))
    stage.move(shows(FACTS))
    stage.show(State.HAND, frames=2)
    stage.show(State.SETTLING)
    stage.show(State.HAND, frames=2)
    stage.show(State.LIGHT)
    stage.show(State.HAND)
    stage.show(State.SETTLED, shows([*FACTS, LEGAL[0]]))
    stage.move(shows([*FACTS, LEGAL[0]]))
    told = seen(stage, Position(game(*FACTS)))
    assert [one.kind for one in told] == [Kind.NOTHING, Kind.LEGAL, Kind.LEGAL]
    assert [scene.visits for scene in SEEN] == [1, 2, 3]
    assert {scene.by for scene in SEEN} == {2}


@pytest.mark.parametrize("unseen", [State.BLACK, State.FROZEN, State.BUMPED, State.TORN, None])
def test_what_nobody_touched_is_asked_about_and_not_ruled(unseen: State | None) -> None:
    """A table that looks different without a hand is a light or a misreading, unless the camera was blind."""
    stage = Stage()
    stage.show(State.SETTLED, shows(FACTS))
    stage.show(State.LIGHT if unseen is None else unseen, frames=3)
    stage.show(State.SETTLING)
    stage.show(State.SETTLED, shows([*FACTS, LEGAL[0]]))
    told = seen(stage, Position(game(*FACTS)))
    assert [one.kind for one in told] == [Kind.NOTHING, Kind.QUESTION if unseen is None else Kind.LEGAL]
    if unseen is None:
        assert isinstance(told[1].verdict, Question)
        assert told[1].verdict.choices[0].text == "nothing"


def test_nobody_plays_on_from_a_refused_move_without_a_hand() -> None:
    """That a refused move stands is seen by what comes after it, not by looking at it twice."""
    base = game(*FACTS, LEGAL[0])
    refused = base.move(ILLEGAL)
    stood = refused.stand()
    move = stood.book.format(stood.book.legal_moves(stood.state)[0])
    on_top = shows([*FACTS, LEGAL[0], ILLEGAL, move])
    for hand in (False, True):
        stage = Stage()
        stage.show(State.HAND if hand else State.SETTLING)
        stage.show(State.SETTLED, on_top)
        (told,) = seen(stage, Position(refused, stood))
        assert told.stood is hand


def test_with_both_players_over_the_table_nobody_is_named() -> None:
    """Whose hand it was is told only where it was one player's."""
    visits = Visits(3, frozenset({1, 2}))
    assert visits.told(Scene(())) == replace(Scene(()), by=None, visits=3)
    assert Visits().told(Scene(())) == Scene(())


def test_the_same_view_is_read_once_and_again_when_the_game_has_changed() -> None:
    """Reading costs time: a table that lies still is read once for each version of the game."""
    stage = Stage()
    stage.show(State.SETTLED, shows(FACTS), 5)
    assert [one.verdict for one in seen(stage, Position(game(*FACTS)))] == [Nothing()]
    eye = Eye(lambda _size: ScriptedGate(stage), TruthReader(stage), Beginning(game()), Watched)
    source = ScriptedSource(stage)
    kinds = []
    for version in (0, 0, 1, 1, 1):
        shot = source.next(0)
        kinds += [signal.kind for signal in eye.see(shot, Position(game(*FACTS), version=version))]  # type: ignore[arg-type]
    assert kinds == [Kind.FREE, Kind.NOTHING, Kind.NOTHING]


class FlatTable:
    """A table of a millimetre a pixel, seen from straight above, its middle in the middle of the picture."""

    class camera:  # noqa: N801 (it stands for an attribute)
        """Its camera."""

        @staticmethod
        def to_mm(points: np.ndarray) -> np.ndarray:
            """Up in the picture is away from the first player."""
            return np.asarray(points) * (1, -1) + (-400, 300)


@dataclass
class Held:
    """A follower of the mat that always knows it."""

    table: type = FlatTable


@pytest.mark.parametrize(
    ("outline", "players"),
    [
        (((300, 599), (360, 599), (330, 400)), {1}),
        (((300, 0), (360, 2), (330, 250)), {2}),
        (((0, 560), (0, 500), (200, 400)), {1}),
        (((799, 20), (799, 90), (500, 250)), {2}),
        (((0, 310), (0, 280), (200, 300)), {1, 2}),
        (((300, 300), (360, 300), (330, 350)), set()),
    ],
)
def test_an_arm_belongs_to_whoever_sits_where_it_comes_in(
    outline: tuple[tuple[int, int], ...], players: set[int]
) -> None:
    """From the near side it is the first player's, from the far side the second's; what lies is nobody's."""
    reader = MatReader("draw-game")
    picture: Picture = np.zeros((600, 800, 3), np.uint8)
    assert reader.steady(picture, 0.0)
    assert reader.reaching(Look(0.0, State.HAND, 0.0, (outline,))) == set()
    reader._follower, reader._size_px = Held(), (800, 600)  # type: ignore[assignment]
    assert reader.reaching(Look(0.0, State.HAND, 0.0, (outline,))) == players
