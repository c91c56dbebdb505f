"""What the eye begins a game with: which looks and hands before it count, and what is no piece of it."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from device.live.eye import Eye
from device.live.messages import Position
from device.live.ports import Following, Seen, Shot
from device.match.signals import Kind, Saw, SetUp, Signal, Told
from engine.history import History
from engine.matching import Nothing, Verdict
from engine.scene import Scene, Sighting
from tests.device.live.scripted import (
    Began,
    Beginning,
    ScriptedSource,
    ScriptedView,
    Stage,
    TruthReader,
    shows,
)
from tests.device.live.watched import SEEN, Watched, seen
from tests.device.match.match_bench import DIFFERENT, FACTS, LEGAL, game
from vision.view import FrameState, TableView


def test_a_table_that_was_taken_as_it_is_is_played_on_from() -> None:
    """It is taken once: what comes after it is a move."""
    stage = Stage()
    stage.show(FrameState.SETTLED, shows([LEGAL[0]]))
    stage.show(FrameState.HAND)
    stage.show(FrameState.SETTLED, shows([*FACTS, LEGAL[0]]))
    base = game(*FACTS)
    eye = Eye(ScriptedView(stage), TruthReader(stage), Beginning(base), Watched)
    source, signals = ScriptedSource(stage), []
    for position in (Position(base, adopt=1), *[Position(base, version=1, adopt=1)] * 2):
        shot = source.next(0)
        signals += list(eye.see(shot, position))  # type: ignore[arg-type]
    assert [one.kind for one in signals if isinstance(one, Saw | SetUp)] == [Kind.SET_UP, Kind.LEGAL]


class Stained(Beginning):
    """A game whose table has a stain when it is joined, and one more if it is taken as it is."""

    def stains(self) -> Sequence[Sighting]:
        """What looks like a piece that is none."""
        return (STAIN,)

    def take_up(self, scene: Scene, game: History, follower: Following, verdict: Verdict) -> Began:
        """The game from the table as it is, if there is a tile on it."""
        ADOPTED.append(scene)
        if not scene.sightings:
            return self, ("Nothing lies there.",)
        return super().take_up(scene, game, follower, verdict)


class Agreeing(Watched):
    """Finds the table as the record says, unless it was pushed."""

    def see(self, scene: Scene) -> Verdict:
        """Nothing has happened."""
        SEEN.append(scene)
        return DIFFERENT if scene.visits is None and scene.by is None and PUSHED else Nothing()

    def after(self, history: History, _scene: Scene | None, _before: Scene | None = None) -> "Agreeing":
        """The follower of a game that has changed."""
        return Agreeing(history)


STAIN = Sighting("soldier", "board", 1.0, 1.0, presence=0.7)
ADOPTED: list[Scene] = []
PUSHED: list[bool] = []
"""Whether players have the table taken as it is, though it is not as the record says."""


@pytest.mark.parametrize("taken", [True, False])
def test_a_stain_stays_one_when_the_table_is_taken_as_it_is(*, taken: bool) -> None:
    """It is none of the game's pieces before, and none after, whether the table could be taken or not."""
    ADOPTED.clear()
    stage, base = Stage(), game(*FACTS)
    table = shows(FACTS) if taken else Scene(())
    table = replace(table, sightings=(*table.sightings, STAIN))
    for _ in range(3):
        stage.move(table)
    eye = Eye(ScriptedView(stage), TruthReader(stage), Stained(base), Agreeing)
    position, source = Position(None), ScriptedSource(stage)
    SEEN.clear()
    PUSHED.clear()
    while isinstance(shot := source.next(0), Shot):
        for signal in eye.see(shot, position):
            if isinstance(signal, SetUp):
                position = Position(signal.game, version=position.version + 1, adopt=position.adopt)
        if shot.number == 6:
            position = replace(position, adopt=1)
        PUSHED[:] = [True] * (shot.number >= 6 and not ADOPTED)
    assert len(ADOPTED) == 1
    assert all(STAIN not in scene.sightings for scene in (*ADOPTED, *SEEN))
    assert len(SEEN) >= 2


class Ringed(Beginning):
    """A game that begins beside something that looks clearly like a piece and is none."""

    def stains(self) -> Sequence[Sighting]:
        """What looks like a piece that is none."""
        return (RING,)


RING = Sighting("coin", "hand-1", 500.0, 500.0, presence=0.99)


@pytest.mark.parametrize("away", [True, False])
def test_what_was_no_piece_and_was_taken_away_hides_none_that_is_put_down_there(*, away: bool) -> None:
    """As long as it lies there it is none of the game's pieces, however clear it is."""
    stage = Stage()
    with_ring = replace(shows(FACTS), sightings=(*shows(FACTS).sightings, RING))
    for table in (with_ring, shows(FACTS) if away else with_ring, with_ring):
        stage.move(table)
    eye = Eye(ScriptedView(stage), TruthReader(stage), Ringed(game(*FACTS)), Agreeing)
    position, source = Position(None), ScriptedSource(stage)
    SEEN.clear()
    while isinstance(shot := source.next(0), Shot):
        for signal in eye.see(shot, position):
            if isinstance(signal, SetUp):
                position = Position(signal.game, version=position.version + 1)
    assert [RING in scene.sightings for scene in SEEN][-1] is away
    assert not any(RING in scene.sightings for scene in SEEN[:-1])


class Hesitant(Beginning):
    """A game that begins once all of its pieces were seen."""

    def begin(self, scene: Scene) -> Began:
        """The game, or what it still lacks."""
        lacking = {"tile", "soldier"} - {one.kind for one in scene.sightings}
        return self, tuple(f"No {kind} is seen." for kind in sorted(lacking)) or self.first


@pytest.mark.parametrize("hand", [True, False])
def test_what_one_look_missed_another_has_seen_unless_somebody_was_there(*, hand: bool) -> None:
    """Before a game is known its table is read more than once, and the looks count together."""
    stage = Stage(hands=frozenset({2}) if hand else frozenset())
    soldier, tile = Scene((Sighting("soldier", "board", ref="0"),)), Scene((Sighting("tile", ""),))
    stage.show(FrameState.SETTLED, soldier, 3)
    stage.show(FrameState.HAND if hand else FrameState.SETTLED, soldier, 2)
    stage.show(FrameState.SETTLED, tile, 20)
    eye = Eye(ScriptedView(stage), TruthReader(stage), Hesitant(game()), Watched)
    source, told = ScriptedSource(stage), list[Signal]()
    while isinstance(shot := source.next(0), Shot):
        told += eye.see(shot, Position(None))
    lacking = [one.words for one in told if isinstance(one, Told) and one.kind is Kind.LACKING]
    begun = any(isinstance(one, SetUp) for one in told)
    assert lacking == ["No tile is seen."] + ["No soldier is seen."] * 3 if hand else begun
    assert begun != hand


def test_what_another_picture_size_showed_does_not_count_together_with_what_is_seen_now() -> None:
    """Its places in the picture mean nothing any more; nor is it known who was there meanwhile."""
    stage = Stage()
    soldier, tile = Scene((Sighting("soldier", "board", ref="0"),)), Scene((Sighting("tile", ""),))
    stage.show(FrameState.SETTLED, soldier, 3)
    stage.show(FrameState.STARTING)
    stage.show(FrameState.SETTLED, tile, 3)
    eye = Eye(ScriptedView(stage), TruthReader(stage), Hesitant(game()), Watched)
    source, told = ScriptedSource(stage), list[Signal]()
    while isinstance(shot := source.next(0), Shot):
        picture = np.pad(shot.picture, ((0, 48), (0, 64), (0, 0))) if shot.number > 2 else shot.picture
        told += eye.see(replace(shot, picture=picture), Position(None))
    lacking = [one.words for one in told if isinstance(one, Told) and one.kind is Kind.LACKING]
    assert lacking == ["No tile is seen.", "No soldier is seen."]


class Waiting(Beginning):
    """A game that never begins, and remembers who was seen at each table."""

    def begin(self, scene: Scene) -> Began:
        """It still lacks something."""
        SEEN_BY.append((scene.by, scene.visits))
        return self, ("Not yet.",)


SEEN_BY: list[tuple[int | None, int | None]] = []


class Puzzled(Waiting):
    """The same, where no move leads to what is seen; the next table may explain it."""

    def puzzled(self) -> bool:
        """Always."""
        return True


@pytest.mark.parametrize("starter", [Waiting, Puzzled])
def test_before_a_game_begins_only_the_hands_since_the_last_table_count(starter: type[Waiting]) -> None:
    """Who laid the tile of a table that is waited from made no move, whoever makes the first one; who laid
    one that was left aside, because no move led there, did."""
    SEEN_BY.clear()
    stage = Stage()
    for _ in range(2):
        stage.move(Scene((Sighting("tile", ""),)))
    eye = Eye(ScriptedView(stage), TruthReader(stage), starter(game()), Watched)
    source = ScriptedSource(stage)
    while isinstance(shot := source.next(0), Shot):
        stage.hands = frozenset({1 if shot.number < 5 else 2})
        list(eye.see(shot, Position(None)))
    then = (2, 1) if starter is Waiting else (None, 2)
    assert list(SEEN_BY) == [(1, 1), then]


class Doubtful(Waiting):
    """A game that only waits for its first move, of whose table something was not seen for sure."""

    def last(self) -> tuple[Beginning, History | None]:
        """The game as it would be."""
        return self, self.first

    def doubt(self) -> str:
        """What was not seen for sure."""
        return self.words

    words = "A wall was not seen for sure."


@pytest.mark.parametrize("words", [Doubtful.words, ""])
def test_a_game_that_begins_with_the_end_of_a_film_tells_its_doubt(words: str) -> None:
    """Nothing that was not seen for sure is taken without a word."""
    stage = Stage()
    stage.show(FrameState.SETTLED, Scene((Sighting("tile", ""),)), 3)
    starter = Doubtful(game())
    starter.words = words
    eye = Eye(ScriptedView(stage), TruthReader(stage), starter, Watched)
    source = ScriptedSource(stage)
    while isinstance(shot := source.next(0), Shot):
        list(eye.see(shot, Position(None)))
    *doubts, begun = eye.end(Position(None))
    assert isinstance(begun, SetUp)
    assert [one.words for one in doubts if isinstance(one, Told)] == ([words] if words else [])


def test_what_a_new_game_begins_with_needs_no_hand() -> None:
    """The facts of its opening lay there before anybody looked; a move is asked about as ever."""
    for told, kind in ((FACTS, Kind.LEGAL), ([*FACTS, LEGAL[0]], Kind.QUESTION)):
        stage = Stage()
        stage.show(FrameState.SETTLED, shows(told), 8)
        (one,) = seen(stage, Position(game()))
        assert one.kind is kind


class Measuring(TruthReader):
    """A reader to whom all pieces look too small."""

    def read(self, table: TableView, before: Seen | None = None) -> Seen | str:
        """What lies there, and that."""
        found = super().read(table, before)
        return found if isinstance(found, str) else replace(found, remark="All is too small.")


class Lacking(Beginning):
    """A game that begins at the second look, of a table that lacks a tile at the first."""

    def begin(self, scene: Scene) -> Began:
        """The game, or what it lacks."""
        ADOPTED.append(scene)
        if len(ADOPTED) > 1:
            return super().begin(scene)
        return self, ("It is not set up.", "A tile is missing.")


def test_what_is_amiss_with_all_of_a_table_is_said_first() -> None:
    """Before the pieces that are lacking, and beside what is in doubt where a game begins all the same."""
    stage = Stage()
    stage.show(FrameState.SETTLED, shows(FACTS), 6)
    ADOPTED.clear()
    eye = Eye(ScriptedView(stage), Measuring(stage), Lacking(game(*FACTS)), Watched)
    source, signals = ScriptedSource(stage), list[Signal]()
    for _ in range(6):
        shot = source.next(0)
        assert isinstance(shot, Shot)
        signals += list(eye.see(shot, Position(None)))
    ADOPTED.clear()
    told = [one.words for one in signals if isinstance(one, Told) and one.kind is Kind.LACKING]
    assert told[:2] == ["It is not set up.\nAll is too small.\nA tile is missing.", "All is too small."]
    assert any(isinstance(one, SetUp) for one in signals)
