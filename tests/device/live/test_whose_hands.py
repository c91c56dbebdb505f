"""Whose hands were at the table: arms told by their side, visits counted."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from device.journal.ruling_pictures import Outline
from device.live.attended import Attended
from device.live.mat_reader import MatReader
from device.live.ports import Picture, Seen
from device.live.visits import Visits
from engine.scene import Scene, Sighting
from vision.view import FrameState, Look, SeenArm

SIZE = (640, 480)


NEAR = ((300, 479), (340, 479), (340, 300), (300, 300))


FAR = ((100, 0), (140, 0), (140, 160), (100, 160))


def came(*arms: SeenArm) -> Visits:
    """What is known after one visit of these arms at once."""
    return Visits().note(Look(0.0, FrameState.HAND, 0.0), arms, SIZE, comes=True)


def test_with_both_players_over_the_table_only_the_place_of_the_change_tells_whose_hand_it_was() -> None:
    """Whose hand it was is told where it was one player's, or where one alone was at what changed."""
    one, other = SeenArm(frozenset({1}), NEAR), SeenArm(frozenset({2}), FAR)
    assert came(one).told(Scene(())).by == 1
    both = came(one, other)
    assert both.told(Scene(())) == replace(Scene(()), by=None, visits=1)
    assert both.told(Scene(()), [(310, 280, 350, 320)]).by == 1
    assert both.told(Scene(()), [(90, 100, 130, 140)]).by == 2
    assert both.told(Scene(()), [(310, 280, 350, 320), (90, 100, 130, 140)]).by is None
    assert both.told(Scene(()), [(500, 400, 520, 420)]).by is None
    assert came(SeenArm(frozenset({1, 2}), NEAR)).told(Scene(())).by is None
    assert Visits().told(Scene(())) == Scene((), visits=0)


def test_each_piece_is_told_with_the_one_hand_that_was_at_it() -> None:
    """Of two who laid tiles before the table could be read, each is known by where the arms were."""
    both = came(SeenArm(frozenset({1}), NEAR), SeenArm(frozenset({2}), FAR))
    marks = tuple(
        Outline(((x, y), (x + 30.0, y), (x + 30.0, y + 15.0), (x, y + 15.0)), "")
        for x, y in ((310.0, 320.0), (110.0, 120.0), (500.0, 50.0))
    )
    tiles = tuple(Sighting("domino", "board", ref=ref) for ref in ("0", "1", "2", "3", ""))
    told = both.told(Scene(tiles), (), marks)
    assert [one.by for one in told.sightings] == [1, 2, None, None, None]
    alone = came(SeenArm(frozenset({1}), NEAR)).told(Scene(tiles), (), marks)
    assert [one.by for one in alone.sightings] == [None] * 5
    assert alone.by == 1


def test_who_was_at_every_change_has_made_them_and_who_hovers_was_at_a_few() -> None:
    """Both were over one of the places, and one of them alone was at the other place as well."""
    both = came(SeenArm(frozenset({1}), NEAR), SeenArm(frozenset({1}), FAR), SeenArm(frozenset({2}), FAR))
    near, far = (310, 280, 350, 320), (90, 100, 130, 140)
    assert both.told(Scene(()), [near, far]).by == 1
    assert both.told(Scene(()), [far]).by is None
    assert both.told(Scene(()), [near, far, (500, 400, 520, 420)]).by is None


@pytest.mark.parametrize(("blind_s", "counted"), [(0.4, True), (2.0, False)])
def test_hands_that_came_while_nobody_looked_are_not_counted(*, blind_s: float, counted: bool) -> None:
    """A whole visit may have gone unseen: nobody knows how many there were, nor whose they all were."""
    visits = came(SeenArm(frozenset({1}), NEAR))
    visits = visits.note(Look(3.0 + blind_s, FrameState.BLACK, 3.0), (), SIZE, comes=False)
    told = visits.told(Scene((Sighting("tile", ""),)))
    assert (told.by, told.visits) == ((1, 1) if counted else (None, None))
    later = Visits().add(visits)
    assert later.told(Scene(())).visits == told.visits
    assert not later.untouched


@pytest.mark.parametrize(("view", "counted"), [(0, True), (4, False)])
def test_hands_are_not_counted_while_the_table_is_found_anew_after_a_knock(
    view: int, *, counted: bool
) -> None:
    """At the very beginning there is nothing to be counted from yet."""
    visits = came(SeenArm(frozenset({1}), NEAR))
    visits = visits.note(Look(5.0, FrameState.STARTING, 3.0, view=view), (), SIZE, comes=False)
    assert visits.told(Scene(())).visits == (1 if counted else None)


def test_a_shadow_at_the_rim_is_nobodys_hand() -> None:
    """What covers little of the picture does not tell whose arm it is; what it touched it has touched."""
    small = ((600, 300), (639, 300), (639, 340), (600, 340))
    both = came(SeenArm(frozenset({1}), NEAR), SeenArm(frozenset({2}), small))
    assert both.told(Scene(())).by == 1
    assert came(SeenArm(frozenset({2}), small)).told(Scene(())).by is None


def test_visits_add_up() -> None:
    """Those of one time and of the next are those of both."""
    visits = came(SeenArm(frozenset({1}), NEAR))
    visits = visits.add(came(SeenArm(frozenset({2}), FAR)))
    assert visits.told(Scene(()), [(90, 100, 130, 140)]) == replace(Scene(()), by=2, visits=2, came=1)


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
    assert reader.steady(picture, 0.0) is not False
    assert not reader.arms(Look(0.0, FrameState.HAND, 0.0, (outline,)))
    reader._follower, reader._size_px = Held(), (800, 600)  # type: ignore[assignment]
    arms = reader.arms(Look(0.0, FrameState.HAND, 0.0, (outline,)))
    assert [(set(arm.players), arm.outline) for arm in arms] == ([(players, outline)] if players else [])


def test_who_came_first_and_is_still_there_is_not_known_to_be_done() -> None:
    """Also where the table was read since he came and did not agree with the record."""
    attended = Attended().note(Look(1.0, FrameState.HAND, 0.0), [SeenArm(frozenset({1}), NEAR)], SIZE)
    attended = attended.read(0, ())
    arms = [SeenArm(frozenset({1}), NEAR), SeenArm(frozenset({2}), FAR)]
    attended = attended.note(Look(3.0, FrameState.HAND, 0.0), arms, SIZE)
    for there, first in ((1, None), (2, 1)):
        left = attended.without(frozenset({there}))
        assert left.told(Seen(Scene(()))).scene.came == first


def test_who_came_first_and_is_back_has_done_what_he_came_for() -> None:
    """Nobody was there for a moment in between, though the table was not read then."""
    attended = Attended()
    for at_s, state, arms in (
        (1.0, FrameState.HAND, [SeenArm(frozenset({1}), NEAR)]),
        (1.1, FrameState.HAND, [SeenArm(frozenset({1}), NEAR), SeenArm(frozenset({2}), FAR)]),
        (1.2, FrameState.SETTLING, []),
        (1.3, FrameState.HAND, [SeenArm(frozenset({1}), NEAR)]),
    ):
        attended = attended.note(Look(at_s, state, 0.0), arms, SIZE)
    left = attended.without(frozenset({1}))
    assert left.told(Seen(Scene(()))).scene.came == 1
    attended = attended.read(0, ())
    attended = attended.note(Look(2.1, FrameState.HAND, 0.0), [SeenArm(frozenset({1}), NEAR)], SIZE)
    assert attended.without(frozenset({1})).told(Seen(Scene(()))).scene.came == 1


def test_what_changed_with_a_view_came_before_table_and_record_agreed_on_it() -> None:
    """The same view read once more tells of no news: nobody was where something seems to have come since."""
    attended, changed = Attended(), (310, 280, 350, 320)
    marks = (Outline(((320.0, 290.0), (340.0, 290.0), (340.0, 310.0), (320.0, 310.0)), ""),)
    bare, seems = Seen(Scene(())), Seen(Scene((Sighting("domino", "board", 1.0, 1.0, ref="0"),)), marks)
    picture = np.zeros((480, 640, 3), np.uint8)
    attended = attended.read(1, (changed,))
    attended = attended.agreed(bare, picture)
    attended = attended.read(1, (changed,))
    assert attended.steadied(seems, picture).scene.sightings == ()
    attended = attended.read(2, (changed,))
    grown = np.full((480, 640, 3), 200, np.uint8)
    assert attended.steadied(seems, grown).scene.sightings


def test_what_another_hides_later_was_not_hidden_by_who_is_still_there() -> None:
    """He was there when the other's move was told; where the next hand comes he never was."""
    one, other = SeenArm(frozenset({1}), NEAR), SeenArm(frozenset({2}), FAR)
    attended = Attended().note(Look(1.0, FrameState.HAND, 0.0), [one, other], SIZE)
    left = attended.without(frozenset({2}))
    assert left.told(Seen(Scene(()))).scene.by == 1
    assert attended.read(1, ()).told(Seen(Scene(()))).scene.by is None, "it is as it was"
    both = Look(1.1, FrameState.HAND, 0.0, hidden=(NEAR, FAR))
    after = left.agreed(None, None).note(both, [one, other], SIZE).read(2, ((310, 280, 350, 320),))
    assert after.told(Seen(Scene(()))).scene.by == 1
