"""What is remembered of a table: told again where nothing changed, forgotten wherever anything did."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulation.picture import shoot
from simulation.random_scene import game_table
from simulation.setting import TableSetting
from tests.vision.pieces.made import SIZE, table_of
from vision.pieces import mat
from vision.pieces.finder import Spotted
from vision.pieces.memory import WHOLE_AGAIN, Memory
from vision.pieces.patches import Picture
from vision.pieces.reading import read_table

TABLE = table_of(TableSetting("dominoids"), 0.0)
LONG = 48 / TABLE.camera.mm_per_px()
GROUND = 60
HALF = round(LONG / 4)
Places = dict[tuple[int, int], int]
START: Places = {(400, 300): 140, (700, 300): 150, (500, 600): 160, (800, 620): 170}


def picture_of(places: Places, ground: int = GROUND) -> Picture:
    """A square of its own grey at each place."""
    picture = np.full((SIZE[1], SIZE[0], 3), ground, np.uint8)
    for (x, y), grey in places.items():
        picture[y - HALF : y + HALF, x - HALF : x + HALF] = grey
    return picture


class Eyes:
    """A finder that sees the middles of such squares, and a reader that tells their grey."""

    def __init__(self) -> None:
        self.windows: list[tuple[int, int]] = []
        self.looks: list[Spotted] = []

    def spotted(self, part: Picture, _table: object) -> list[Spotted]:
        """Every square of which the middle lies in a part."""
        self.windows.append((part.shape[1], part.shape[0]))
        square = part[:, :, 0] >= 130
        corner = square & ~np.roll(square, 1, 0) & ~np.roll(square, 1, 1)
        return [
            Spotted("domino", float(x + HALF), float(y + HALF), LONG, LONG / 2, 0.0, 0.9)
            for y, x in np.argwhere(corner)
        ]

    def seen(self, memory: Memory, picture: Picture) -> dict[tuple[int, int], int]:
        """What lies where."""
        memory.see(picture)
        spots = memory.spotted(picture, TABLE)

        def look(new: Sequence[Spotted]) -> list[int]:
            self.looks += new
            return [int(picture[round(one.y), round(one.x), 0]) for one in new]

        said = memory.looked("grey", spots, look)
        return {
            (round(one.x), round(one.y)): grey for one, grey in zip(spots, said, strict=True) if grey >= 130
        }

    def rest(self) -> None:
        """What was looked at until now does not count."""
        self.windows.clear()
        self.looks.clear()


@pytest.fixture
def eyes(monkeypatch: pytest.MonkeyPatch) -> Eyes:
    """Eyes that count what they look at."""
    eyes = Eyes()
    monkeypatch.setattr(mat, "spotted", eyes.spotted)
    return eyes


def test_where_nothing_changed_nothing_is_looked_at(eyes: Eyes) -> None:
    """The first picture is looked at whole, the same one not at all."""
    memory = Memory()
    assert eyes.seen(memory, picture_of(START)) == START
    assert len(eyes.looks) == 4
    eyes.rest()
    assert eyes.seen(memory, picture_of(START)) == START
    assert (eyes.windows, eyes.looks) == ([], [])


def test_a_moved_piece_is_read_where_it_lies_now_and_no_other_is(eyes: Eyes) -> None:
    """The reader looks at one piece."""
    memory = Memory()
    eyes.seen(memory, picture_of(START))
    eyes.rest()
    moved = {**START, (900, 400): 140}
    del moved[(400, 300)]
    assert eyes.seen(memory, picture_of(moved)) == moved
    assert [(one.x, one.y) for one in eyes.looks] == [(900.0, 400.0)]


def test_a_piece_beside_a_change_is_looked_at_again_and_never_lost(eyes: Eyes) -> None:
    """What is put down near by belongs to how a piece looks."""
    memory = Memory()
    eyes.seen(memory, picture_of(START))
    for step in range(round(LONG), round(3 * LONG), 4):
        now = {**START, (700 + step, 300): 200}
        eyes.rest()
        assert eyes.seen(memory, picture_of(now)) == now
    near = {**START, (700 + round(LONG), 300): 200}
    eyes.seen(memory, picture_of(START))
    eyes.rest()
    eyes.seen(memory, picture_of(near))
    assert (700.0, 300.0) in {(one.x, one.y) for one in eyes.looks}


def test_a_piece_that_the_finder_hardly_sees_is_not_lost(eyes: Eyes, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was seen once, and its own pixels are as they were: the finder may overlook it now."""
    memory = Memory()
    eyes.seen(memory, picture_of(START))
    monkeypatch.setattr(mat, "spotted", lambda *_: [])
    left = {at: grey for at, grey in START.items() if at != (400, 300)}
    assert eyes.seen(memory, picture_of(left)) == left


def test_a_piece_beside_a_change_that_the_finder_hardly_sees_is_looked_at_still(
    eyes: Eyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A faint back was lost once as something was laid beside it, and a draw recorded that nobody made."""
    memory = Memory()
    eyes.seen(memory, picture_of(START))
    see = eyes.spotted

    def only_the_new(part: Picture, table: object) -> list[Spotted]:
        return [one for one in see(part, table) if part[round(one.y), round(one.x), 0] == 200]

    monkeypatch.setattr(mat, "spotted", only_the_new)
    beside = {**START, (700 + round(0.6 * LONG), 300): 200}
    eyes.rest()
    assert eyes.seen(memory, picture_of(beside)) == beside
    assert {(one.x, one.y) for one in eyes.looks} == {(700.0, 300.0), (700.0 + round(0.6 * LONG), 300.0)}
    gone = {at: grey for at, grey in beside.items() if at != (700, 300)}
    assert eyes.seen(memory, picture_of(gone)) == gone


def test_what_is_seen_where_nothing_changed_is_a_part_that_was_cut_off(
    eyes: Eyes, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the rim of the part that is looked at half a piece looks like another one."""
    memory = Memory()
    eyes.seen(memory, picture_of(START))
    before = memory.spotted(picture_of(START), TABLE)
    see = eyes.spotted
    cut = Spotted("domino", 300.0, 500.0, LONG, LONG / 2, 0.0, 0.99)
    monkeypatch.setattr(mat, "spotted", lambda part, table: [*see(part, table), cut])
    turned = {**START, (500, 600): 166}
    eyes.seen(memory, picture_of(turned))
    again = memory.spotted(picture_of(turned), TABLE)
    assert sorted((one.x, one.y) for one in again) == sorted((one.x, one.y) for one in before)


def test_a_change_of_what_a_piece_shows_is_seen(eyes: Eyes) -> None:
    """It lies where it lay and shows something else, however like the old it is."""
    memory = Memory()
    eyes.seen(memory, picture_of(START))
    turned = {**START, (500, 600): 166}
    assert eyes.seen(memory, picture_of(turned)) == turned


def test_in_another_light_all_is_looked_at_anew(eyes: Eyes) -> None:
    """A light over everything is no noise, however much of the picture it changes."""
    memory = Memory()
    eyes.seen(memory, picture_of(START))
    eyes.rest()
    brighter = np.asarray(picture_of(START) + 30, dtype=np.uint8)
    assert len(eyes.seen(memory, brighter)) == 4
    assert len(eyes.looks) == 4


@pytest.mark.parametrize("light", [0, 2, -2])
def test_a_small_mark_is_seen_while_the_light_changes_a_little(light: int) -> None:
    """A pencil's cross is thin, and a light over everything hides it no more than noise does."""
    memory, rng = Memory(), np.random.default_rng(5)
    clean = picture_of(START, 150).astype(float)
    before, after, marked = (
        np.clip(clean + by + rng.normal(0, 4, clean.shape), 0, 255) for by in (0, light, light)
    )
    for step in range(6):
        marked[401 + step, 601 + step] -= 90
        marked[401 + step, 606 - step] -= 90
    mark = (592, 392, 616, 416)
    for picture, is_as_before in ((before, False), (after, True), (marked, False), (marked, True)):
        memory.see(picture.astype(np.uint8))
        assert memory.is_as_before(mark) is is_as_before
    assert memory.is_as_before((0, 0, *SIZE))


def test_noise_is_no_change(eyes: Eyes) -> None:
    """Every pixel of every picture is a little off, and some cells more so."""
    memory, rng = Memory(), np.random.default_rng(3)
    clean = picture_of(START).astype(float)
    noisy = [np.clip(clean + rng.normal(0, 3, clean.shape), 0, 255).astype(np.uint8) for _ in range(6)]
    for one in noisy:
        one[100:104, 200:204] = GROUND + int(rng.integers(10))
    eyes.seen(memory, noisy[0])
    eyes.rest()
    for one in noisy[1:]:
        assert eyes.seen(memory, one).keys() == START.keys()
    assert eyes.looks == []


def test_light_that_creeps_is_noticed_in_the_end(eyes: Eyes) -> None:
    """Each picture is held against how a place looked when it was read, not against the one before."""
    memory = Memory()
    eyes.seen(memory, picture_of(START))
    eyes.rest()
    for step in range(1, 14):
        eyes.seen(memory, np.asarray(picture_of(START) + step, dtype=np.uint8))
    assert len(eyes.looks) >= 4


def test_now_and_then_the_whole_table_is_looked_at(eyes: Eyes) -> None:
    """Whatever was overlooked is not overlooked for ever."""
    memory = Memory()
    for _ in range(WHOLE_AGAIN + 1):
        eyes.seen(memory, picture_of(START))
    assert len(eyes.looks) == 4
    eyes.seen(memory, picture_of(START))
    assert len(eyes.looks) == 8


def test_whoever_asks_for_another_opinion_gets_one(eyes: Eyes) -> None:
    """Forgotten is everything; a picture of another size is another table as well."""
    memory = Memory()
    eyes.seen(memory, picture_of(START))
    memory.forget()
    eyes.seen(memory, picture_of(START))
    assert len(eyes.looks) == 8
    small = picture_of(START)[:800]
    assert eyes.seen(memory, small) == START
    assert len(eyes.looks) == 12


def test_ways_of_looking_are_kept_apart() -> None:
    """A first glance is no answer to who looks closely; nor is one spot asked about twice."""
    memory, spot = Memory(), Spotted("coin", 400.0, 300.0, 20.0, 20.0, 0.0, 1.0)
    memory.see(picture_of(START))
    assert memory.looked("quick", [spot, spot], lambda new: ["glance"] * len(new)) == ["glance", "glance"]
    assert memory.looked("close", [spot], lambda new: ["look"] * len(new)) == ["look"]
    memory.see(picture_of(START))
    assert memory.looked("quick", [spot], lambda new: [f"{len(new)} new"] * len(new)) == ["glance"]


def test_whether_a_part_of_the_picture_looks_as_it_did() -> None:
    """Until a picture was seen nothing does; then all but what changed, to the picture's very edges."""
    memory = Memory()
    everywhere = (-50, -50, SIZE[0] + 50, SIZE[1] + 50)
    assert not memory.is_as_before(everywhere)
    memory.see(picture_of(START))
    assert not memory.is_as_before(everywhere)
    memory.see(picture_of(START))
    assert memory.is_as_before(everywhere)
    memory.see(picture_of({**START, (SIZE[0] - HALF, SIZE[1] - HALF): 200}))
    assert not memory.is_as_before(everywhere)
    assert memory.is_as_before((0, 0, SIZE[0] - 3 * HALF, SIZE[1]))
    assert not memory.is_as_before((SIZE[0] - 8, SIZE[1] - 8, SIZE[0], SIZE[1]))


_SPOTS = st.tuples(st.integers(1, 15), st.integers(1, 11)).map(lambda at: (at[0] * 76, at[1] * 76))
_TABLES = st.dictionaries(_SPOTS, st.integers(14, 25).map(lambda grey: 10 * grey), max_size=12)


@settings(max_examples=40, deadline=None)
@given(st.lists(_TABLES, min_size=2, max_size=5))
def test_with_a_memory_the_same_is_seen_as_without(tables: list[Places]) -> None:
    """Whatever is put down, taken away or turned over between the pictures."""
    with pytest.MonkeyPatch.context() as patch:
        eyes = Eyes()
        patch.setattr(mat, "spotted", eyes.spotted)
        memory = Memory()
        for places in tables:
            assert eyes.seen(memory, picture_of(places)) == places


def test_a_real_table_is_read_the_same_and_mostly_from_memory() -> None:
    """One tile of a Draw Game is taken away; the rest is told again, piece by piece."""
    scene = game_table("draw-game", 12, (960, 720), 14)
    tiles = [one for one in scene.pieces if one.kind == "domino"]
    before = shoot(scene).picture
    after = shoot(replace(scene, pieces=tuple(one for one in scene.pieces if one is not tiles[-1]))).picture
    table = mat.table_in(before)
    assert table is not None
    memory = Memory()
    for picture in (before, after):
        memory.see(picture)
        reading = read_table(picture, table, "double-six", memory=memory)
    anew = read_table(after, table, "double-six")

    def told(pieces: Sequence[object]) -> list[tuple[str, str]]:
        return sorted((one.kind, str(one.value)) for one in pieces)  # type: ignore[attr-defined]

    assert told(reading.pieces) == told(anew.pieces)
    assert len(reading.pieces) >= 8
    memory.see(after)
    assert memory.is_as_before((0, 0, 960, 720))
