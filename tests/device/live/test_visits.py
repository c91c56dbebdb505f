"""Whose arm it was: one arm with its shadow is not two, and a shadow at the rim is nobody's."""

from collections.abc import Sequence

import pytest

from device.live.attended import Attended
from device.live.ports import Seen
from device.live.visits import BRIEF_S, WHOLE_VISIT_S, Visits
from engine.scene import Scene
from vision.view import FrameState, Look, SeenArm

SIZE = (640, 480)
FRAME_S = 0.1
NEAR = ((300, 479), (340, 479), (340, 300), (300, 300))
FAR = ((100, 0), (140, 0), (140, 160), (100, 160))
CHANGED = (310, 280, 350, 320)
ONE, OTHER, EITHER = (
    SeenArm(frozenset(who), where) for who, where in (({1}, NEAR), ({2}, FAR), ({1, 2}, NEAR))
)
LONG = round(BRIEF_S / FRAME_S) + 2

Shown = tuple[Sequence[SeenArm], int]
"""The arms of so many frames."""


def came(*visits: Sequence[Shown]) -> Visits:
    """What is known after these visits, each frame by frame."""
    found, frame = Visits(), 0
    found = found.note(Look(0.0, FrameState.SETTLED, 0.0), (), SIZE, comes=False)
    for visit in visits:
        comes = True
        for arms, frames in visit:
            for _ in range(frames):
                frame += 1
                look = Look(frame * FRAME_S, FrameState.HAND, 0.0, hidden=tuple(arm.outline for arm in arms))
                found = found.note(look, arms, SIZE, comes=comes)
                comes = False
    return found


@pytest.mark.parametrize(
    ("visit", "who"),
    [
        ([([ONE], 3), ([EITHER], LONG), ([ONE], 3)], 1),
        ([([ONE], LONG), ([EITHER], 3), ([ONE, OTHER], 2), ([ONE], 3)], 1),
        ([([OTHER], LONG), ([ONE], 2)], 2),
        ([([ONE], LONG), ([ONE, OTHER], LONG)], None),
        ([([ONE], LONG), ([OTHER], 1), ([EITHER], LONG)], None),
        ([([EITHER], LONG)], None),
        ([([ONE], 2), ([OTHER], 2)], None),
    ],
)
def test_an_arm_comes_in_and_goes_out_at_its_own_side(visit: Sequence[Shown], who: int | None) -> None:
    """With its shadow it may reach the rim at the other side meanwhile; of two arms both are seen."""
    told = came(visit).told(Scene(()))
    assert (told.by, told.visits) == (who, 1)


def test_each_visit_tells_by_itself_whose_arm_it_was() -> None:
    """A shadow in the one says nothing of the other, and both players' hands count however they come."""
    shaded = [([ONE], LONG), ([EITHER], 3)]
    assert came(shaded, shaded).told(Scene(())).by == 1
    assert came(shaded, [([EITHER], LONG)]).told(Scene(())).by is None
    both = came(shaded, [([OTHER], LONG)])
    assert both.told(Scene(())).by is None
    assert both.told(Scene(()), [CHANGED]).by == 1
    later = came([([OTHER], LONG)])
    later = later.add(came(shaded))
    assert later.told(Scene(()), [CHANGED]).by == 1


def test_who_has_gone_is_told_from_who_is_still_there() -> None:
    """Each has what he did: the one visit ends, and the other has only begun, for whoever is there."""
    found = came([([OTHER], LONG), ([ONE, OTHER], LONG), ([ONE], LONG)])
    gone, ongoing = found.parted(frozenset({1}))
    assert (gone.told(Scene(())).by, gone.count) == (2, 1)
    assert (ongoing.told(Scene(())).by, ongoing.count) == (1, 1)
    assert gone.covers((120, 100, 130, 110))
    assert not ongoing.covers((120, 100, 130, 110))
    assert ongoing.covers((320, 400, 330, 410))
    # What reaches both rims is, while one of them is there, his as well.
    gone, ongoing = came([([OTHER], LONG), ([EITHER], LONG), ([ONE], LONG)]).parted(frozenset({1}))
    assert (gone.told(Scene(())).by, ongoing.told(Scene(())).by) == (2, 1)


def test_who_came_first_is_known_if_he_was_alone() -> None:
    """Of a visit, of several, and of those who have gone while another is there."""
    first = came([([OTHER], 3), ([ONE, OTHER], LONG), ([ONE], LONG)])
    assert first.told(Scene(())).came == 2
    gone, ongoing = first.parted(frozenset({1}))
    assert (gone.first, ongoing.first) == (2, None)
    assert first.parted(frozenset({2}))[0].first is None
    assert came([([ONE, OTHER], LONG), ([ONE], LONG)]).first is None
    assert came([([ONE], LONG)], [([OTHER], LONG)]).first == 1
    later = came([([ONE], LONG)])
    later = later.add(first)
    assert later.first == 1
    assert Visits().add(first).first == 2


@pytest.mark.parametrize(
    ("frames", "visits"),
    [
        ([ONE] * 5 + [None] * 2 + [ONE] * 5, 2),
        ([ONE] * 5 + [None] + [ONE] * 5, 1),
        ([None] * 6 + [ONE] * 5 + [None] * 6, 1),
        ([ONE] * 3 + [None] * 3 + [OTHER] * 3 + [None] * 3 + [ONE] * 3, 3),
    ],
)
def test_an_arm_that_comes_again_is_another_visit_though_the_table_never_rests(
    frames: Sequence[SeenArm | None], visits: int
) -> None:
    """Who is in a hurry comes back before the table has settled; a frame without an arm is no going away."""
    attended = Attended()
    for number, arm in enumerate(frames):
        look = Look(number * FRAME_S, FrameState.HAND, 0.0, hidden=() if arm is None else (arm.outline,))
        attended = attended.note(look, [] if arm is None else [arm], SIZE)
    attended = attended.read(0, ())
    assert attended.told(Seen(Scene(()))).scene.visits == visits


@pytest.mark.parametrize("pace_s", [0.1, 0.25, 0.4, 0.7])
@pytest.mark.parametrize(("missed", "visits"), [((), 1), ((4,), 1), ((4, 5, 6), 2)])
def test_an_arm_that_is_in_each_frame_has_not_gone_however_slowly_they_come(
    pace_s: float, missed: Sequence[int], visits: int
) -> None:
    """While the table is read no frame is looked at: that is the eye's pause, and not the player's."""
    attended = Attended()
    for number in range(10):
        arms = [] if number in missed else [ONE]
        look = Look(number * pace_s, FrameState.HAND, 0.0, hidden=tuple(arm.outline for arm in arms))
        attended = attended.note(look, arms, SIZE)
    attended = attended.read(0, ())
    assert attended.told(Seen(Scene(()))).scene.visits == visits


def test_in_a_long_pause_of_the_eye_a_whole_visit_may_have_gone_unseen() -> None:
    """Whose arm is there after it may have been away, and moved."""
    attended = Attended()
    for at_s in (0.0, 0.1, 0.2, 0.2 + WHOLE_VISIT_S, 0.3 + WHOLE_VISIT_S):
        attended = attended.note(Look(at_s, FrameState.HAND, 0.0, hidden=(ONE.outline,)), [ONE], SIZE)
    attended = attended.read(0, ())
    assert attended.told(Seen(Scene(()))).scene.visits == 2


@pytest.mark.parametrize("pause_s", [0.0, 1.2, 5.0])
@pytest.mark.parametrize(("frames", "who"), [(1, 1), (LONG, None)])
def test_what_was_not_looked_at_makes_no_arm_of_a_shadow(
    pause_s: float, frames: int, who: int | None
) -> None:
    """Who is in the first frame after the table was read was not seen in all the time that it took."""
    visits = Visits()
    for number in range(2 * LONG + frames):
        arms = [ONE, OTHER] if LONG <= number < LONG + frames else [ONE]
        at_s = number * FRAME_S + (pause_s if number >= LONG else 0.0)
        visits = visits.note(Look(at_s, FrameState.HAND, 0.0), arms, SIZE, comes=number == 0)
    assert visits.told(Scene(())).by == who
