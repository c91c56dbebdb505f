"""The virtual table's camera hands over larger pictures than those that are watched when it is asked."""

from device.cameras.virtual import VirtualTable
from device.live.ports import Enlarging, Shot
from simulation.live_table import Conditions, LiveTable
from simulation.people import People
from simulation.strategy import decide
from simulation.temper import Temper
from simulation.whole_game import WholeGame

WIDE, HIGH = 320, 240


def table_watched(share: float) -> VirtualTable:
    """A table of the Draw Game with nobody's desk yet, so that nothing is done at it."""
    whole = WholeGame.begin("draw-game", seed=3, mind=decide)
    conditions = Conditions(size_px=(WIDE, HIGH), watched=share, sketched=True)
    table = LiveTable("draw-game", 3, whole.layout, conditions)
    return VirtualTable(table, People(whole, table, Temper(), seed=3), speed=0)


def next_shot(table: VirtualTable) -> Shot:
    """The next frame, which there is."""
    found = table.next(1.0)
    assert isinstance(found, Shot)
    return found


def sizes(*shots: Shot) -> list[tuple[int, int]]:
    """How wide and high their pictures are."""
    return [(one.picture.shape[1], one.picture.shape[0]) for one in shots]


def test_what_is_watched_is_smaller_than_what_is_handed_over() -> None:
    """The pictures that were asked for come with the next frames, one each, and show the same moment."""
    table = table_watched(0.5)
    assert isinstance(table, Enlarging)
    before = next_shot(table)
    assert table.ask_large(2)
    assert not table.came_large()
    watched = [next_shot(table) for _ in range(3)]
    large = table.came_large()
    assert sizes(before, *watched) == [(WIDE // 2, HIGH // 2)] * 4
    assert sizes(*large) == [(WIDE, HIGH)] * 2
    assert [one.at_s for one in large] == [one.at_s for one in watched[:2]]
    assert abs(int(large[0].picture.mean()) - int(watched[0].picture.mean())) <= 1
    assert not table.came_large()


def test_a_picture_is_no_larger_than_it_is_wanted_nor_than_the_camera_has_it() -> None:
    """What was asked for before is dropped."""
    table = table_watched(0.5)
    table.ask_large(3)
    next_shot(table)
    table.ask_large(1, 1.5)
    next_shot(table)
    assert sizes(*table.came_large()) == [(240, 180)]
    table.ask_large(1, 4.0)
    next_shot(table)
    assert sizes(*table.came_large()) == [(WIDE, HIGH)]


def test_a_camera_that_is_watched_as_it_is_has_nothing_larger() -> None:
    """So nobody waits for it."""
    table = table_watched(1.0)
    assert not table.ask_large()
    assert sizes(next_shot(table)) == [(WIDE, HIGH)]
    assert not table.came_large()
