"""A table that is never free: what those left who have gone is shown, and nothing half done."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.view import FrameState, Look, Polygon, SeenArm, TableView, TableWatch

SIZE = (640, 480)
TILE, OTHER = (280, 200, 340, 230), (420, 300, 480, 330)
FAR: Polygon = ((250, 0), (370, 0), (370, 320), (250, 320))
NEAR: Polygon = ((420, 479), (520, 479), (520, 380), (420, 380))
OVER_HALF: Polygon = ((300, 479), (400, 479), (400, 210), (312, 210))
ARMS = {1: NEAR, 2: FAR}

Box = tuple[int, int, int, int]
Picture = NDArray[np.uint8]


def _outline(box: Box) -> Polygon:
    left, upper, right, lower = box
    return ((left, upper), (right, upper), (right, lower), (left, lower))


def drawn(tiles: Sequence[Box], arms: Sequence[Polygon], light: float, rng: np.random.Generator) -> Picture:
    """A frame of a grey table with noise, white tiles and brown arms."""
    table = np.full((SIZE[1], SIZE[0], 3), 90.0)
    for left, upper, right, lower in tiles:
        table[upper:lower, left:right] = 200
    for arm in arms:
        cv2.fillPoly(table, [np.array(arm, np.int32)], (40, 70, 120))
    return np.clip(table * light + rng.normal(0, 3, table.shape), 0, 255).astype(np.uint8)


class ToldGate:
    """Says of each frame what it is told to say."""

    look = Look(0.0, FrameState.SETTLED, 0.0, view=1)
    picture = np.zeros((SIZE[1], SIZE[0], 3), np.uint8)
    size_px = SIZE

    def see(self, picture: Picture, _at_s: float, **_how: object) -> Look:
        """The look that was told."""
        self.picture = picture
        return self.look

    def voted(self) -> Picture | None:
        """The frame, if it is settled."""
        return self.picture if self.look.settled else None


@dataclass
class Table:
    """A table before a camera, with what the players see of it between hands."""

    watch: TableWatch = field(default_factory=TableWatch)
    gate: ToldGate = field(default_factory=ToldGate)
    tiles: list[Box] = field(default_factory=list)
    doubted: list[Box] = field(default_factory=list)
    """What the gate takes for something over the table."""
    lying: list[Box] = field(default_factory=list)
    """Where something lay when the table was free."""
    light: float = 1.0
    fps: float = 10.0
    told: list[TableView] = field(default_factory=list)
    """The table as it was left by those who have gone."""
    rng: np.random.Generator = field(default_factory=lambda: np.random.default_rng(7))
    frame: int = 0

    def __post_init__(self) -> None:
        """All of it was in view once."""
        self.watch._gate = self.gate  # type: ignore[assignment]
        self.free()

    def free(self) -> None:
        """The table is settled, and read: it is the same each time, and all of it fresh."""
        self.see(Look(self.frame / self.fps, FrameState.SETTLED, 0.0, view=1))
        table = self.watch.table()
        assert table is not None
        assert (table.settled, table.number, table.whole, table.there) == (True, 1, True, frozenset())

    def see(self, look: Look, *arms: SeenArm) -> TableView | None:
        """The next frame, and what can be read between hands."""
        self.gate.look = look
        picture = drawn(self.tiles, [one.outline for one in arms], self.light, self.rng)
        self.watch.see(picture, look.at_s, arms=lambda _look: arms)
        return None if look.settled else self.watch.table(lambda: self.lying)

    def show(self, who: Sequence[int], frames: int = 4, **arms: Polygon) -> None:
        """So many frames with the arms of these; ``p1`` and ``p2`` are arms that lie elsewhere than usual."""
        there = {player: arms.get(f"p{player}", ARMS[player]) for player in who}
        for _ in range(frames):
            self.frame += 1
            state = FrameState.HAND if there else FrameState.SETTLING
            hidden = (*there.values(), *(_outline(one) for one in self.doubted))
            look = Look(self.frame / self.fps, state, 0.0, hidden=hidden, view=1)
            found = self.see(look, *(SeenArm(frozenset({one}), arm) for one, arm in there.items()))
            if found is not None:
                assert found.there == frozenset(there)
                assert found.number not in [1, *(one.number for one in self.told)]
                self.told.append(found)

    def shows(self, box: Box) -> bool:
        """Whether the last picture that was told shows a tile there, and no arm anywhere."""
        left, upper, right, lower = box
        picture = self.told[-1].picture.astype(int)
        assert (picture.max(axis=2) - picture.min(axis=2)).max() < 40, "an arm is in the picture"
        return bool(picture[upper + 4 : lower - 4, left + 4 : right - 4].mean() > 150 * self.light)


def test_what_somebody_left_who_has_gone_is_seen_while_another_is_there() -> None:
    """It is told once, and his arm and the other's are not in the picture."""
    table = Table()
    table.show([2])
    table.tiles.append(TILE)
    table.show([1, 2])
    assert not table.told
    table.show([1], 8)
    assert len(table.told) == 1
    assert table.shows(TILE)
    ((left, upper, right, lower),) = table.told[-1].changed
    assert (left, upper) <= TILE[:2]
    assert (right, lower) >= TILE[2:]


def test_what_is_done_by_one_who_is_still_there_is_not_seen_yet() -> None:
    """He may have it in mind to move it on; once he has gone it is seen."""
    table = Table()
    table.show([1, 2])
    table.tiles.append(TILE)
    table.show([2], 4)
    table.show([2], 6, p2=((250, 0), (370, 0), (370, 60), (250, 60)))
    assert not table.told
    table.show([], 3)
    table.show([1], 4)
    assert len(table.told) == 1
    assert table.shows(TILE)


def test_where_another_has_come_the_table_is_as_it_was_before_him() -> None:
    """What the one left is seen, and not what the next has put down meanwhile."""
    table = Table()
    reach: Polygon = ((420, 479), (520, 479), (520, 290), (410, 290))
    table.show([1, 2], p1=reach)
    table.tiles += [TILE, OTHER]
    table.show([1, 2], p1=reach)
    table.show([1], 8)
    assert len(table.told) == 1
    assert table.told[-1].whole
    assert table.shows(TILE)
    assert not table.shows(OTHER)


@pytest.mark.parametrize("shared", [True, False])
def test_it_is_known_whether_another_may_have_done_it(*, shared: bool) -> None:
    """Who is still there was at that place as well, and has drawn back."""
    table = Table()
    over: Polygon = ((270, 479), (380, 479), (380, 190), (270, 190))
    table.show([2])
    table.show([2, 1], p1=over if shared else NEAR)
    table.tiles.append(TILE)
    table.show([2, 1])
    table.show([1], 8)
    assert len(table.told) == 1
    assert table.shows(TILE)
    assert table.told[-1].shared is shared


def test_it_is_known_whether_more_may_be_hidden() -> None:
    """The one who is there hides a place at which another was who has gone; what is elsewhere is seen."""
    table = Table()
    table.show([2])
    table.tiles.append(TILE)
    table.show([2, 1], p1=((300, 479), (400, 479), (400, 300), (300, 300)))
    table.show([1], 8, p1=((300, 479), (400, 479), (400, 300), (300, 300)))
    assert len(table.told) == 1
    assert not table.told[-1].whole
    assert table.shows(TILE)


@pytest.mark.parametrize(("place", "told"), [(OTHER, 1), ((320, 310, 380, 340), 0)])
def test_where_something_lay_that_may_be_gone_is_waited_for(place: Box, told: int) -> None:
    """A tile that was laid may have been drawn before; what lay in plain sight is seen to lie there still."""
    table = Table(lying=[place])
    over: Polygon = ((300, 479), (400, 479), (400, 300), (300, 300))
    table.show([2])
    table.tiles.append(TILE)
    table.show([2, 1], p1=over)
    table.show([1], 8, p1=over)
    assert len(table.told) == told
    table.show([1], 8)
    assert len(table.told) == 1, "the same is told once all is in view"


def test_what_is_hidden_in_part_is_waited_for() -> None:
    """Half a tile is no tile."""
    table = Table()
    table.show([2])
    table.tiles.append(TILE)
    table.show([1, 2], p1=OVER_HALF)
    table.show([1], 8, p1=OVER_HALF)
    assert not table.told
    table.show([1], 5)
    assert len(table.told) == 1
    assert table.shows(TILE)


@pytest.mark.parametrize(("fps", "lost"), [(10, 1), (30, 4)])
def test_who_is_lost_from_view_for_a_moment_has_not_gone(fps: float, lost: int) -> None:
    """An arm is not found in every frame, however fast they come."""
    table = Table(fps=fps)
    table.show([1, 2])
    table.tiles.append(TILE)
    for _ in range(3):
        table.show([1, 2], 3)
        table.show([1], lost)
    table.show([1, 2], 3)
    assert not table.told
    table.show([1], 12 * int(fps) // 10)
    assert len(table.told) == 1


@pytest.mark.parametrize(("away", "told"), [(2, 0), (12, 1)])
def test_who_is_back_at_once_had_not_gone(away: int, told: int) -> None:
    """His arm was not found for a moment, or he reached in again; after longer what he did was done."""
    table = Table()
    table.show([2])
    table.tiles.append(TILE)
    table.show([2])
    table.show([], away)
    table.show([2])
    table.show([2], 8, p2=((250, 0), (370, 0), (370, 60), (250, 60)))
    assert len(table.told) == told
    table.show([], 2)
    table.show([1], 10)
    assert len(table.told) == 1
    assert table.shows(TILE)


def test_what_may_be_over_the_table_and_lies_still_is_seen() -> None:
    """A piece that was moved looks like a thing over the table until the table is settled again."""
    table = Table()
    table.show([2])
    table.tiles.append(TILE)
    table.doubted.append(TILE)
    table.show([1, 2])
    table.show([1], 10)
    assert len(table.told) == 1
    assert table.shows(TILE)


@pytest.mark.parametrize("light", [1.0, 0.8, 1.15])
def test_where_nothing_was_done_nothing_is_told(light: float) -> None:
    """Whoever only hovers leaves the table as it was, whatever the light does."""
    table = Table(tiles=[OTHER])
    table.show([1, 2])
    table.light = light
    table.show([1], 8)
    table.show([], 2)
    table.show([2], 8)
    assert not table.told


@pytest.mark.parametrize("state", [FrameState.BUMPED, FrameState.BLACK, FrameState.TORN, FrameState.FROZEN])
def test_a_table_lost_from_view_is_known_again_once_it_is_free(state: FrameState) -> None:
    """A knocked camera sees other places, and what was remembered of the old ones is of no use."""
    table = Table()
    table.show([2])
    table.tiles.append(TILE)
    assert table.see(Look(0.0, state, 0.0)) is None
    table.show([1, 2])
    table.show([1], 8)
    assert not table.told
    table.free()
    table.tiles.append(OTHER)
    table.show([1, 2], p1=((420, 479), (520, 479), (520, 290), (410, 290)))
    table.show([2], 8)
    assert len(table.told) == 1
    assert table.shows(OTHER)


def test_a_camera_of_another_size_begins_anew() -> None:
    """Nothing is known of pictures of another size, and that is said with the first of them."""
    table = Table()
    table.show([2])
    table.tiles.append(TILE)
    table.show([1, 2])
    wider = np.zeros((480, 720, 3), np.uint8)
    looks = [table.watch.see(wider, 2.0 + at_s) for at_s in (0.0, 0.1)]
    assert [look.anew for look in looks] == [True, False]
    assert table.watch.table() is None
    assert not TableWatch().see(wider, 0.0).anew


def test_after_a_time_without_frames_nothing_is_known_between_hands() -> None:
    """Somebody may have come and gone; once the table was settled again it is known as before."""
    table = Table()
    table.show([2])
    table.tiles.append(TILE)
    table.watch.lose()
    table.show([1, 2])
    table.show([1], 8)
    assert not table.told


def test_what_was_left_in_another_light_is_seen() -> None:
    """In new light every place looks a little otherwise in every frame: only the table must stay the same."""
    table = Table(tiles=[OTHER])
    table.show([2])
    table.tiles.append(TILE)
    table.light = 1.6
    table.show([1, 2])
    table.show([1], 12)
    assert table.told
    assert table.shows(TILE)
