"""Where in the picture an answer lies: around what it would change, in all four games."""

from dataclasses import replace
from math import hypot

import cv2
import numpy as np
import pytest

from device.answer_places import MOST_BYTES, MOST_PX, SeenTable, _square
from device.journal.ruling_pictures import Outline
from device.match.shown import Box, around
from engine.history import History
from engine.layout import Spot
from engine.scene import Scene
from tests.tables_asked import SIZE, STEPS, AskedTable, asked_table


def holds(box: Box | None, at: tuple[float, float]) -> bool:
    """Whether a box holds a point."""
    return box is not None and box[0] <= at[0] <= box[2] and box[1] <= at[1] <= box[3]


def fresh(table: AskedTable, after: History) -> list[str]:
    """The pieces that an answer puts somewhere."""
    lay, lies = (game.book.layout(game.state).by_name() for game in (table.before, after))
    return [name for name, spot in lies.items() if lay.get(name) != spot and spot.x is not None]


@pytest.mark.parametrize("game", STEPS)
@pytest.mark.parametrize("seed", range(3))
def test_each_answer_is_shown_by_a_square_around_what_it_changes(game: str, seed: int) -> None:
    """What lies there lies in it, and answers that change other places are shown by other parts."""
    table = asked_table(game, STEPS[game], seed)
    boxes = [table.seen.place(table.before, answer) for answer in table.answers]
    for box, answer in zip(boxes, table.answers, strict=True):
        lies = answer.book.layout(answer.state).by_name()
        if box is None:  # a base of Dominoes of War may reach beyond what the camera sees
            everywhere = (0, 0, *SIZE)
            assert not any(holds(everywhere, table.pixel(lies[name])) for name in fresh(table, answer))
            continue
        left, upper, right, lower = box
        assert right - left == lower - upper >= 80
        assert 0 <= left < right <= SIZE[0]
        assert 0 <= upper < lower <= SIZE[1]
        if answer is table.answers[0]:
            assert all(holds(box, table.pixel(lies[name])) for name in fresh(table, answer))
    states = [(answer, answer.book.layout(answer.state).by_name()) for answer in table.answers]
    places = {tuple((lies[name].x, lies[name].y) for name in fresh(table, one)) for one, lies in states}
    assert len(set(boxes)) >= min(2, len(places))


def tile_of(after: History) -> str:
    """The tile that was laid last."""
    return after.steps[-1].happened.text.split()[1]


def touch(one: Spot, other: Spot) -> bool:
    """Whether two tiles of a line lie end to end, or end to side."""
    if one.x is None or one.y is None or other.x is None or other.y is None or one.name == other.name:
        return False
    return hypot(one.x - other.x, one.y - other.y) <= 2.1


def test_two_readings_of_one_tile_are_shown_by_where_it_lies() -> None:
    """A tile of the Draw Game lies where it was laid; one that is not seen belongs beside what it touches."""
    table = asked_table("draw-game", STEPS["draw-game"])
    first, *others = table.answers
    lies = first.book.layout(first.state).by_name()
    assert holds(table.seen.place(table.before, first), table.pixel(lies[tile_of(first)]))
    for other in others:
        at = table.seen.place(table.before, other)
        if tile_of(other) != tile_of(first):
            there = other.book.layout(other.state).by_name()
            near = [name for name, spot in there.items() if touch(spot, there[tile_of(other)])]
            assert any(holds(at, table.pixel(lies[name])) for name in near if name in lies)
    blind = SeenTable(table.seen.picture, table.seen.mat, Scene(()), ())
    assert blind.place(table.before, first) is None


def test_what_is_only_taken_from_a_heap_is_shown_as_that_heap() -> None:
    """A tile that was drawn lies with a player, where nobody looks: the boneyard has one fewer."""
    history = History.begin("draw-game", seed=3, players=("Ann", "Bo"))
    table = asked_table("draw-game", STEPS["draw-game"])
    while not any(move.startswith(("1: draw", "2: draw")) for move in moves(history)):
        history = history.move(moves(history)[0])
    drew = history.move(next(move for move in moves(history) if "draw" in move))
    drew = drew.fact(drew.book.format_fact(next(iter(drew.book.possible_facts(drew.state)))))
    middle = table.seen.mat.plan.regions["boneyard"].centre_mm
    across, down = table.seen.mat.table.camera.to_pixels([middle])[0]
    assert holds(table.seen.place(history, drew), (float(across), float(down)))


def moves(history: History) -> list[str]:
    """What may be played."""
    return [history.book.format(one) for one in history.book.legal_moves(history.state)]


def test_a_picture_that_cannot_be_cut_leaves_the_question_as_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fault of its own is told in the log; the match, whose question it is, goes on."""

    def broken(*_: object) -> Box:
        raise ValueError("not a number")

    table = asked_table("draw-game", STEPS["draw-game"], 0)
    monkeypatch.setattr(SeenTable, "_around", broken)
    assert table.seen.place(table.before, table.answers[0]) is None
    assert "shown without its picture: ValueError('not a number')" in capsys.readouterr().err


def test_nothing_has_no_place() -> None:
    """And no more has what lies outside of the picture."""
    table = asked_table("dominoids", STEPS["dominoids"])
    assert table.seen.place(table.before, table.before) is None
    small = replace(table.seen, picture=table.seen.picture[:40, :40])
    assert small.place(table.before, table.answers[0]) is None


def test_a_part_of_the_picture_is_small_and_lies_as_the_board_is_drawn() -> None:
    """At most 20 kB of the noisiest picture; a camera that hangs the other way round is turned."""
    table = asked_table("dominoids", STEPS["dominoids"])
    noise = np.random.default_rng(1).integers(0, 256, (*SIZE[::-1], 3), dtype=np.uint8)
    loud = replace(table.seen, picture=noise)
    jpeg = loud.cut((100, 100, 900, 900))
    assert len(jpeg) <= MOST_BYTES
    assert max(shape(jpeg)) <= MOST_PX
    assert shape(table.seen.cut((0, 0, 300, 100))) == (MOST_PX, MOST_PX)
    low = replace(table.seen, picture=table.seen.picture[:150])
    assert shape(low.cut((0, 0, 250, 100))) == (150, 250)
    camera = table.seen.mat.table.camera
    turned = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1.0]])
    for quarters, matrix in enumerate((np.eye(3), turned, turned @ turned, turned.T)):
        pose = type(camera.pose).from_matrix(matrix @ camera.pose.matrix, matrix @ camera.pose.shift_mm)
        other = replace(table.seen.mat.table, camera=replace(camera, pose=pose))
        seen = replace(low, mat=replace(table.seen.mat, table=other))
        assert shape(seen.cut((0, 0, 250, 100))) == ((150, 250), (250, 150))[quarters % 2]
        # a point to the right on the mat lies to the right in what is cut
        start, end = other.camera.to_pixels([(0.0, 0.0), (30.0, 0.0)])
        picture = np.zeros((*SIZE[::-1], 3), np.uint8)
        cv2.circle(picture, (round(end[0]), round(end[1])), 12, (255, 255, 255), -1)
        x, y = round(start[0]), round(start[1])
        shown = cv2.imdecode(
            np.frombuffer(replace(seen, picture=picture).cut((x - 100, y - 100, x + 100, y + 100)), np.uint8),
            0,
        )
        assert shown is not None
        rows, columns = np.nonzero(shown > 128)
        assert columns.mean() > 120
        assert abs(rows.mean() - 100) < 20


def shape(jpeg: bytes) -> tuple[int, int]:
    """How high and how wide a picture is."""
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture.shape[0], picture.shape[1]


def test_the_squares_of_a_map_are_numbered_from_its_upper_left() -> None:
    """Five rows of seven."""
    corners = np.array([(0.0, 0.0), (70.0, 0.0), (70.0, 50.0), (0.0, 50.0)])
    assert _square(corners, "r1c1").tolist() == [[0, 0], [10, 0], [10, 10], [0, 10]]
    assert _square(corners, "r5c7").tolist() == [[60, 40], [70, 40], [70, 50], [60, 50]]


def test_a_map_that_is_not_seen_is_shown_as_its_place() -> None:
    """All of its region then, and no square of it."""
    table = asked_table("kingdomino-duel", STEPS["kingdomino-duel"])
    blind = replace(table.seen, scene=Scene(()), marks=())
    near, far = (one.place(table.before, table.answers[0]) for one in (table.seen, blind))
    assert near is not None
    assert far is not None
    assert far[2] - far[0] > 1.3 * (near[2] - near[0])


def test_a_mark_that_nobody_has_is_no_place() -> None:
    """What was read may have no outline."""
    table = asked_table("draw-game", STEPS["draw-game"])
    bare = replace(table.seen, marks=(Outline(((0.0, 0.0),)),))
    assert bare.place(table.before, table.answers[0]) != table.seen.place(table.before, table.answers[0])


def test_a_question_shows_each_answer_and_nothing_by_what_changed() -> None:
    """Where one answer is that nothing was done, it is shown by all the places of the others."""
    match = asked_table("dominoids", STEPS["dominoids"]).match()
    boxes = [option.crop.box for option in match.options if option.crop is not None]
    assert len(boxes) == len(match.options)
    assert boxes[-1] == around(boxes[:-1])
    assert around([]) is None
