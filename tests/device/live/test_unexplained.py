"""What changed on the table and no reading explains is told where it is, and nothing else is."""

from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

from calibration.glance import moved_pose
from calibration.table_finder import Table
from device.journal.ruling_pictures import Outline
from device.live.attended import Attended
from device.live.ports import Seen, Strange
from device.live.unexplained import Unexplained
from engine.scene import Scene, Sighting
from simulation.setting import TableSetting
from tests.vision.pieces.made import table_of
from vision.view import Box, FrameState, Look, SeenArm, TableView

SETTING = TableSetting("dominoids")
TABLE = table_of(SETTING, 0.0)
SIZE = (1280, 960)


def box_at(x_mm: float, y_mm: float, wide_mm: float = 20.0, high_mm: float = 20.0) -> Box:
    """The box of the picture around a place of the table."""
    ends = [(x_mm - wide_mm / 2, y_mm - high_mm / 2), (x_mm + wide_mm / 2, y_mm + high_mm / 2)]
    points = TABLE.camera.to_pixels(np.array(ends), np.zeros(2))
    (left, upper), (right, lower) = points.min(axis=0), points.max(axis=0)
    return round(left), round(upper), round(right), round(lower)


def look(view: int, *changed: Box) -> TableView:
    """A settled view, and where it differs from the one before."""
    return TableView(np.zeros((1, 1, 3), np.uint8), float(view), view, changed=changed)


def told(known: list[Unexplained], at: TableView, *pieces: Box, table: Table = TABLE) -> tuple[Strange, ...]:
    """What is told of a view in which these pieces are read."""
    known[0] = known[0].read(pieces, table, SETTING.plan, at)
    return known[0].left


def begun(*pieces: Box) -> list[Unexplained]:
    """After the first view."""
    known = [Unexplained()]
    assert told(known, look(1, box_at(12.7, 12.7)), *pieces) == ()
    return known


COIN = box_at(12.7, 12.7)


def test_what_changed_and_is_not_read_is_told_until_it_is_put_right() -> None:
    """Again and again, also by views in which something else changes; and no more once it is as it was."""
    known, there = begun(), (Strange(COIN, "board"),)
    assert told(known, look(2, COIN)) == there
    assert told(known, look(2, COIN)) == there
    assert told(known, look(3, box_at(-178, 54, 200, 100))) == there
    assert told(known, look(4, box_at(13.0, 12.0))) == ()


def test_once_a_piece_is_read_there_it_is_no_riddle() -> None:
    """In a better look, or in a later view."""
    for view in (2, 3):
        known = begun()
        told(known, look(2, COIN))
        assert told(known, look(view), COIN) == ()
        assert told(known, look(view)) == ()


@pytest.mark.parametrize(
    "change",
    [
        box_at(12.7, 12.7, 6, 30), box_at(0, 0, 95, 30), box_at(0, 128), box_at(285, 194),
    ],
)  # fmt: skip
def test_crumbs_sheets_and_what_is_nobodys_business_are_not_told(change: Box) -> None:
    """Nor what lies where a player keeps his own, or beside the game."""
    assert told(begun(), look(2, change)) == ()


def test_a_piece_that_came_went_or_was_nudged_explains_a_change() -> None:
    """Where one is read now, or was before; its shadow may reach a little beyond it."""
    beside = box_at(12.7 + 22, 12.7)
    assert told(begun(), look(2, COIN), COIN) == ()
    assert told(begun(COIN), look(2, COIN)) == ()
    assert told(begun(COIN), look(2, beside), COIN) == ()


def test_what_changes_everywhere_was_done_by_no_hand() -> None:
    """The camera was knocked, or the light has changed: no more than two pieces come at once."""
    elsewhere = box_at(-40, -40), box_at(60, 60)
    assert len(told(begun(), look(2, COIN, elsewhere[0]))) == 2
    assert told(begun(), look(2, COIN, *elsewhere)) == ()
    known, knocked = begun(), table_of(SETTING, 1.0)
    assert told(known, look(2, COIN), table=knocked) == ()
    assert len(told(known, look(3, COIN), table=knocked)) == 1


def test_a_camera_at_rest_is_known_a_little_better_with_every_frame() -> None:
    """That moves nothing in the picture, and is no knock."""
    camera = TABLE.camera
    better = replace(camera, pose=moved_pose(camera.pose, np.array([1e-4, 0.0, 0.0, 0.0, 0.05, 0.0])))
    assert len(told(begun(), look(2, COIN), table=replace(TABLE, camera=better))) == 1


def test_only_what_changed_below_a_hand_is_said() -> None:
    """A shadow that falls where nobody was is none of the players' doing; what was said is said on."""
    far = (10, 10, 60, 60)
    for arm, words in (
        (COIN, "Something on the board was put down or taken away, and I cannot read it."),
        (far, ""),
    ):
        attended = Attended()
        left, upper, right, lower = arm
        outline = ((left, upper), (right, upper), (right, lower), (left, lower))
        hand = Look(1.0, FrameState.HAND, 0.0, hidden=(outline,), view=1)
        attended = attended.note(hand, [SeenArm(frozenset({1}), outline)], SIZE)
        for view in (2, 3):
            attended = attended.read(view, (COIN,))
            attended = attended.seen((Strange(COIN, "board"),))
            assert attended.unexplained() == words
            attended = attended.agreed(None, None)
        attended = attended.seen(())
        assert attended.unexplained() == ""


@pytest.mark.parametrize("riddle", [True, False])
def test_what_could_not_be_read_when_it_was_put_down_may_be_read_later(riddle: bool) -> None:
    """Its place looks as it did when the table counted without it; elsewhere that says that nothing came."""
    coarse = np.random.default_rng(3).integers(0, 255, (SIZE[1] // 8, SIZE[0] // 8, 3))
    picture, attended = np.kron(coarse, np.ones((8, 8, 1))).astype(np.uint8), Attended()
    strange = (Strange(COIN, "board"),) if riddle else ()
    attended = reached(attended, 2, COIN).seen(strange)
    attended = reached(attended.agreed(Seen(Scene(()), strange=strange), picture), 3, COIN)
    left, upper, right, lower = COIN
    mark = Outline(((left, upper), (right, upper), (right, lower), (left, lower)))
    seen = Seen(Scene((Sighting("coin", "board", 1.0, 1.0, ref="0"),)), (mark,))
    assert bool(attended.steadied(seen, picture).scene.sightings) is riddle


def reached(attended: Attended, view: int, at: Box) -> Attended:
    """A hand comes to a place, and the table is read once it has left."""
    left, upper, right, lower = at
    outline = ((left, upper), (right, upper), (right, lower), (left, lower))
    after = attended.note(
        Look(float(view), FrameState.HAND, 0.0, hidden=(outline,), view=view),
        [SeenArm(frozenset({1}), outline)],
        SIZE,
    )
    return after.read(view + 1, (at,))


def shown(attended: Attended, *strange: Box) -> Attended:
    """The same once a table with these changes was read."""
    return attended.seen(tuple(Strange(box, "board") for box in strange))


def test_what_changed_before_a_hand_came_is_not_its_doing() -> None:
    """A patch of light lies there already when a player reaches over it."""
    attended = shown(Attended().read(1, (COIN,)), COIN)
    assert not attended.unexplained()
    attended = shown(reached(attended, 2, COIN), COIN)
    assert not attended.unexplained()
    attended = shown(attended)
    assert not attended.unexplained()
    assert shown(attended, COIN).unexplained(), "what comes anew below the same hand is"


def test_what_was_put_down_while_a_table_was_set_up_is_no_riddle_of_the_game() -> None:
    """Nor what lay there when players said that the table counts as it is."""
    for begin in (Attended.forget, Attended.taken_as_it_is):
        attended = shown(reached(Attended(), 1, COIN), COIN)
        assert attended.unexplained()
        attended = begin(attended)
        assert not attended.unexplained()
        assert not shown(reached(attended, 3, COIN), COIN).unexplained()
