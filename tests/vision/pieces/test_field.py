"""A field of dominoes whose places are looked at one by one; the truth says what a network would say."""

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
import pytest

from calibration.plan import plan_of
from calibration.table_finder import Table
from engine import State, rulebook
from simulation.bodies import place
from simulation.script import write
from simulation.setting import TableSetting
from simulation.virtual_scene import Piece
from tests.vision.pieces.made import SIZE, read_of, reads_of, table_of
from vision.pieces import domino_reading, field, mat
from vision.pieces.domino_reading import PIPS, DominoReading
from vision.pieces.each import PieceReader
from vision.pieces.finder import Spotted
from vision.pieces.memory import Memory
from vision.pieces.patches import Floats, Picture
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout

GAME = "dominoes-of-war"
PLAN = plan_of(GAME)
PICTURE: Picture = np.zeros((*SIZE[::-1], 3), dtype=np.uint8)

Readings: TypeAlias = list[DominoReading]


def opened(seed: int = 3) -> tuple[Table, list[Piece]]:
    """The table of a game at its first turn: field, two bases, four walls, and the men on the bases."""
    setting = TableSetting(GAME, seed)
    state = State.from_json(write(GAME, seed=seed, moves=1).states[0])
    pieces = setting.pieces(rulebook(GAME).layout(state))
    return table_of(setting), [one for one in pieces if PLAN.regions["board"].holds(one.x_mm, one.y_mm)]


def reading_of(table: Table, pieces: Sequence[Read]) -> Readout:
    """These pieces as one reading of a measured table."""
    places = mat.standing(list(pieces), table)
    named = tuple(mat.renamed(one, at) for one, at in zip(pieces, places, strict=True))
    return Readout(SIZE, named, {}, table, tuple(places))


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[Piece]:
    """Pieces that the network sees where it is asked to look; elsewhere it sees the bare table, or a gap."""
    there: list[Piece] = []
    camera = opened()[0].camera

    def read(_: Picture, rough: Sequence[Floats], *, quick: bool = False, **__: str) -> Readings:
        assert quick
        long_ones = [one for one in there if one.kind in ("domino", "wall")]
        tops = [camera.to_pixels(place(one).top_corners()) for one in long_ones]
        seen = [(one, top, top.mean(axis=0)) for one, top in zip(long_ones, tops, strict=True)]
        return [_seen(one, seen) for one in rough]

    def read_men(_: PieceReader, spots: Sequence[Spotted], *, quick: bool = False) -> list[Read]:
        assert quick
        men = reads_of([one for one in there if one.kind == "soldier"], camera)
        return [one for one in men if any(math.dist(one.middle, (s.x, s.y)) < 12.0 for s in spots)]

    monkeypatch.setattr(domino_reading, "read", read)
    monkeypatch.setattr(PieceReader, "small", read_men)
    return there


def _seen(corners: Floats, there: Sequence[tuple[Piece, Floats, Floats]]) -> DominoReading:
    """What lies within 6 px of where the network looks, else the table, or a gap that looks like a back.

    Each piece comes with its top in the picture and the middle of that.
    """
    pips, looked_at = np.full(PIPS, 1 / PIPS), corners.mean(axis=0)
    for piece, top, middle in there:
        if math.dist(middle, looked_at) < 6.0:
            faces = [0.0, 0.0, 0.9995, 0.0005] if piece.kind == "wall" else [0.0, 0.7, 0.0, 0.3]
            return DominoReading(np.array(faces), pips, pips, top)
    wide, long = np.linalg.norm(corners[[3, 1]] - corners[0], axis=1)
    bare = [0.0, 0.1, 0.0, 0.9] if wide > long / 3 else [0.1, 0.2, 0.1, 0.6]
    return DominoReading(np.array(bare), pips, pips, corners)


def names(found: Readout, kind: str) -> set[tuple[float, float]]:
    """The places of all of a kind, to half a place."""
    board = PLAN.regions["board"]
    each = (
        board.place_at(at.x_mm, at.y_mm)
        for one, at in zip(found.pieces, found.places, strict=True)
        if one.kind == kind and one.there > 0.2
    )
    return {(round(2 * x) / 2, round(2 * y) / 2) for x, y in each}


def test_what_the_finder_missed_is_found_on_its_place(told: list[Piece]) -> None:
    """Two tiles of the field, the tiles below two men, and every wall."""
    table, pieces = opened()
    told += pieces
    whole = reading_of(table, reads_of(pieces, table.camera))
    men = [one for one in pieces if one.kind == "soldier"][:2]
    missed = [one for one in pieces if one.kind == "wall" or one.name in ("tile c3", "tile h8")]
    missed += [one for one in pieces if one.kind == "domino" and any(_is_below(one, man) for man in men)]
    assert len(missed) == 8
    seen = reading_of(table, reads_of([one for one in pieces if one not in missed], table.camera))
    found = field.on_field(PICTURE, seen, PLAN)
    for kind in ("domino", "wall", "soldier"):
        assert names(found, kind) == names(whole, kind)


def _is_below(one: Piece, man: Piece) -> bool:
    return math.dist((one.x_mm, one.y_mm), (man.x_mm, man.y_mm)) < 12


def test_a_tile_of_which_it_is_not_clear_how_it_lies_is_looked_at_again(told: list[Piece]) -> None:
    """What was found askew is read on its place, and counts once."""
    table, pieces = opened()
    told += pieces
    reads = reads_of(pieces, table.camera)
    at = next(k for k, one in enumerate(p for p in pieces if p.name != "marker") if one.name == "tile b6")
    reads[at] = replace(reads[at], face="up", there=0.4, ranked=(({"pips": [6, 0]}, 0.5),))
    found = field.on_field(PICTURE, reading_of(table, reads), PLAN)
    tiles = [one for one in found.pieces if one.kind == "domino"]
    assert len(tiles) == len([one for one in pieces if one.kind == "domino"])
    assert {one.face for one in tiles} == {"down"}
    assert min(one.there for one in tiles) > 0.6


def test_a_tile_is_believed_as_far_as_the_way_it_lies(
    told: list[Piece], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As likely open as closed, it is no sure back."""
    table, pieces = opened()
    told += pieces
    pips = np.full(PIPS, 1 / PIPS)

    def read(_: Picture, rough: Sequence[Floats], *, quick: bool = False, **__: str) -> Readings:
        faces = np.array([0.48, 0.51, 0.0, 0.01]) if quick else np.zeros(4)
        return [DominoReading(faces, pips, pips, one) for one in rough]

    monkeypatch.setattr(domino_reading, "read", read)
    seen = reading_of(table, reads_of([one for one in pieces if one.name != "tile b6"], table.camera))
    found = field.on_field(PICTURE, seen, PLAN)
    least = min((one for one in found.pieces if one.kind == "domino"), key=lambda one: one.there)
    assert least.there == pytest.approx(0.51)
    assert least.turned == pytest.approx(0.48)
    assert least.face == "down"
    assert [sorted(one) for one, _ in least.beneath] == [["pips"]] * 4, "what it would show is kept"


@pytest.mark.parametrize(
    ("face", "share", "again", "shown"),
    [
        ("down", 0.98, 0.5, [0, 4]),  # a back, it seems; on its place it looks half open
        ("up", 0.6, 0.5, [2, 5]),  # read well enough where it was found
        ("up", 0.4, 0.9, [0, 4]),  # read better on its place
    ],
)
def test_a_tile_below_a_man_is_read_on_its_place_too(
    told: list[Piece],
    monkeypatch: pytest.MonkeyPatch,
    face: str,
    share: float,
    again: float,
    shown: list[int],
) -> None:
    """He covers its middle, and its corners are easily missed; of two readings the clearer counts."""
    table, pieces = opened()
    told += pieces
    first, second = np.eye(PIPS)[0], np.eye(PIPS)[4]
    seen, readers = domino_reading.read, set[tuple[str, bool]]()

    def read(picture: Picture, rough: Sequence[Floats], *, quick: bool = False, reader: str = "") -> Readings:
        readers.update({(reader, np.hypot(*(tile.middle - one.mean(axis=0))) < 6) for one in rough})
        faces = np.array([again, 0.95 - again, 0.0, 0.05])
        below = (tile.middle - one.mean(axis=0) for one in rough)
        each = zip(rough, seen(picture, rough, quick=quick), below, strict=True)
        return [DominoReading(faces, first, second, c) if np.hypot(*d) < 6 else one for c, one, d in each]

    reads = reads_of(pieces, table.camera)
    tile = read_of(next(one for one in pieces if one.name == "tile e5"), table.camera)
    man = next(one for one in reads if one.kind == "soldier")
    above = replace(man, corners=man.corners - man.middle + tile.middle)
    others = [one for one in reads if math.dist(one.middle, tile.middle) > 6]
    ranked = (({"pips": [2, 5]}, share),) if face == "up" else ((None, 1.0),)
    found_so = replace(tile, face=face, ranked=ranked, there=0.98)
    monkeypatch.setattr(domino_reading, "read", read)
    found = field.on_field(PICTURE, reading_of(table, [*others, found_so, above]), PLAN)
    (below,) = [
        one for one in found.pieces if one.kind == "domino" and math.dist(one.middle, tile.middle) < 6
    ]
    assert below.value == {"pips": shown}
    assert below.turned == pytest.approx(0.95 - again if shown == [0, 4] else 0.0)
    assert not below.beneath, "what lies open hides nothing"
    assert (domino_reading.MANNED, True) in readers, "by who knows what men hide"
    assert not readers & {(domino_reading.READER, True), (domino_reading.MANNED, False)}


def test_ground_that_is_wider_than_a_tile_is_none_unless_one_lies_on_the_very_place(
    told: list[Piece],
) -> None:
    """The finder once saw a seventh tile of a base there, a third wider than the others."""
    table, pieces = opened()
    board = PLAN.regions["board"]
    bases = [
        one for one in pieces if one.kind == "domino" and not PLAN.regions["field"].holds(one.x_mm, one.y_mm)
    ]
    told += pieces
    reads = reads_of(pieces, table.camera)
    whole = names(field.on_field(PICTURE, reading_of(table, reads), PLAN), "domino")
    x, y = next((x, y) for x in (4.0, 5.0) for y in (0.0, 9.0) if (x, y) not in whole)
    x_mm, y_mm = board.place_mm(x, y)
    ground = read_of(replace(bases[0], x_mm=x_mm, y_mm=y_mm, angle_deg=0.0), table.camera)
    for share, seen in ((1.0, True), (1.4, False)):
        wide = replace(ground, corners=_widened(ground.corners, share))
        found = field.on_field(PICTURE, reading_of(table, [*reads, wide]), PLAN)
        assert ((x, y) in names(found, "domino")) == seen
    at = next(k for k, one in enumerate(p for p in pieces if p.name != "marker") if one is bases[0])
    reads[at] = replace(reads[at], corners=_widened(reads[at].corners, 1.4))
    again = names(field.on_field(PICTURE, reading_of(table, reads), PLAN), "domino")
    assert again == whole


def test_what_lies_across_the_field_and_is_not_surely_read_is_a_pattern(told: list[Piece]) -> None:
    """Every place of the field has its tile already, upright; one that is surely read was put there."""
    table, pieces = opened()
    told += pieces
    middle = next(one for one in pieces if one.name == "tile d4")
    across = read_of(replace(middle, x_mm=middle.x_mm + 12, angle_deg=middle.angle_deg + 90), table.camera)
    for share, stays in ((1.0, True), (0.5, False)):
        dots = replace(across, face="up", ranked=(({"pips": [0, 1]}, share),), there=0.97)
        found = field.on_field(PICTURE, reading_of(table, [*reads_of(pieces, table.camera), dots]), PLAN)
        assert any(one.value == {"pips": [0, 1]} for one in found.pieces) == stays


def _widened(corners: Floats, share: float) -> Floats:
    """A tile so much wider, as long as it was."""
    across = (corners[3] + corners[2] - corners[0] - corners[1]) * (share - 1) / 4
    return np.asarray(corners + np.array([-across, -across, across, across]))


def test_an_open_tile_that_is_surely_read_stays_though_it_lies_between_places(told: list[Piece]) -> None:
    """One that was pushed half a place off; one in doubt is but a pattern."""
    table, pieces = opened()
    told += pieces
    middle = next(one for one in pieces if one.name == "tile d4")
    pushed = read_of(replace(middle, x_mm=middle.x_mm + 25), table.camera)
    for share, stays in ((1.0, True), (0.5, False)):
        open_one = replace(pushed, face="up", ranked=(({"pips": [2, 5]}, share),), there=1.0)
        found = field.on_field(PICTURE, reading_of(table, [*reads_of(pieces, table.camera), open_one]), PLAN)
        assert any(one.value == {"pips": [2, 5]} for one in found.pieces) == stays


def test_a_back_across_two_tiles_is_the_gap_between_them_or_a_wall(told: list[Piece]) -> None:
    """However sure the finder is of it; a wall that was taken for a back is a wall."""
    table, pieces = opened()
    told += pieces
    reads = reads_of(pieces, table.camera)
    closed = next(one for one in pieces if one.name == "tile d4")
    gap = read_of(replace(closed, x_mm=closed.x_mm + 25), table.camera)
    walls = [one for one in pieces if one.kind == "wall"]
    as_backs = [replace(read_of(one, table.camera), face="down") for one in walls]
    others = [one for one in reads if one.face != "edge"]
    found = field.on_field(PICTURE, reading_of(table, [*others, gap, *as_backs]), PLAN)
    whole = reading_of(table, reads)
    assert names(found, "domino") == names(whole, "domino")
    assert names(found, "wall") == names(whole, "wall")


def test_one_man_stands_on_a_place_and_his_body_is_no_other(told: list[Piece]) -> None:
    """Who is surest counts; where there is no tile, nobody stands who is not sure."""
    table, pieces = opened()
    told += pieces
    reads = reads_of(pieces, table.camera)
    man = next(one for one in reads if one.kind == "soldier")
    value = {"army": None, "type": "sniper"}
    body = replace(man, ranked=((value, 0.4),), there=0.99, corners=man.corners + np.array([6.0, 4.0]))
    high_up = read_of(next(one for one in pieces if one.name == "tile a8"), table.camera)
    nowhere = replace(body, corners=man.corners - man.middle + high_up.middle + np.array([0.0, -80.0]))
    in_a_pool = replace(body, corners=man.corners - man.middle + high_up.middle + np.array([-190.0, 300.0]))
    found = field.on_field(PICTURE, reading_of(table, [*reads, body, nowhere, in_a_pool]), PLAN)
    assert names(found, "soldier") == names(reading_of(table, reads), "soldier")
    assert all(one.confidence > 0.9 for one in found.pieces if one.kind == "soldier")


def test_who_stands_close_to_another_in_a_pool_is_no_body(told: list[Piece]) -> None:
    """Heads of a full pool lie where a body would: who is clearly of a type is a man of his own."""
    table, pieces = opened()
    told += pieces
    reads = reads_of(pieces, table.camera)
    man = next(one for one in reads if one.kind == "soldier")
    pool = table.camera.to_pixels(np.array([PLAN.regions["pool-1"].centre_mm]), 0.0)[0]
    first = replace(man, corners=man.corners - man.middle + pool)
    for share, stays in ((0.9, True), (0.7, False)):
        beside = replace(first, ranked=((man.value, share),), corners=first.corners + np.array([6.0, 4.0]))
        found = field.on_field(PICTURE, reading_of(table, [*reads, first, beside]), PLAN)
        assert any(one.ranked[0][1] == share for one in found.pieces if one.kind == "soldier") == stays


def test_a_man_in_doubt_is_looked_at_on_his_place(told: list[Piece]) -> None:
    """The finder took his body for his head, or the pattern of a back for him; or it saw nobody at all."""
    table, pieces = opened()
    told += pieces
    reads = reads_of(pieces, table.camera)
    men = [one for one in reads if one.kind == "soldier"]
    others = [one for one in reads if one not in men[:2]]
    body = replace(men[0], ranked=((men[1].value, 0.6),), corners=men[0].corners + np.array([5.0, 0.0]))
    tile = read_of(next(one for one in pieces if one.name == "tile e5"), table.camera)
    pattern = replace(body, corners=body.corners - body.middle + tile.middle + np.array([0.0, -6.0]))
    found = field.on_field(PICTURE, reading_of(table, [*others, body, pattern]), PLAN)
    seen = [one for one in found.pieces if one.kind == "soldier"]
    assert names(found, "soldier") == names(reading_of(table, reads), "soldier")
    assert sorted(str(one.value and one.value["type"]) for one in seen) == sorted(
        str(one.value and one.value["type"]) for one in men
    )


def test_a_head_that_was_taken_for_something_smaller_is_read_again_where_it_is(
    told: list[Piece], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside the field, too; it counts where that is clearer."""
    table, pieces = opened()
    told += pieces
    reads = reads_of(pieces, table.camera)
    man = next(one for one in reads if one.kind == "soldier")
    pool = table.camera.to_pixels(np.array([PLAN.regions["pool-1"].centre_mm]), 0.0)[0]
    head = replace(man, corners=man.corners - man.middle + pool)
    assert man.value is not None
    assert man.value["type"] == "grenadier"
    small = replace(head, ranked=(({"army": None, "type": "general"}, 0.1),), there=0.9)
    asked: list[float] = []
    share = [0.97]

    def read_men(_: PieceReader, spots: Sequence[Spotted], *, quick: bool = False) -> list[Read]:
        assert quick
        here = [one.length for one in spots if math.dist((one.x, one.y), head.middle) < 2]
        asked.extend(here)
        again = replace(head, ranked=((man.value, share[0]),))
        return [again, replace(head, kind="pawn")] if here else []

    monkeypatch.setattr(PieceReader, "small", read_men)
    tile = read_of(next(one for one in pieces if one.name == "tile e5"), table.camera)
    printed = replace(small, corners=small.corners - small.middle + tile.middle + np.array([25.0, 0.0]))
    for share[0] in (0.97, 0.05):
        asked.clear()
        found = field.on_field(PICTURE, reading_of(table, [*reads, small, printed]), PLAN)
        assert asked == [pytest.approx(18.0 / table.camera.mm_per_px())]
        here = [one for one in found.pieces if math.dist(one.middle, head.middle) < 2]
        assert [one.value and one.value["type"] for one in here] == ["grenadier"] * (share[0] > 0.5)


def test_what_looks_like_a_man_of_no_type_is_believed_less(
    told: list[Piece], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though it looks so on the very spot: he stays, as one who may not be there."""
    table, pieces = opened()
    told += pieces
    reads = reads_of(pieces, table.camera)
    tile = next(one for one in pieces if one.name == "tile e5")
    man = next(one for one in pieces if one.kind == "soldier")
    at = replace(man, x_mm=tile.x_mm, y_mm=tile.y_mm)
    ghost = replace(read_of(at, table.camera, 0.9), ranked=(({"army": None, "type": "sniper"}, 0.4),))
    monkeypatch.setattr(PieceReader, "small", lambda *_, **__: [ghost])
    found = field.on_field(PICTURE, reading_of(table, [*reads, ghost]), PLAN)
    [doubted] = [one for one in found.pieces if one.kind == "soldier" and one.there < 0.9]
    assert doubted.there == pytest.approx(0.36)


def test_a_wall_that_stands_beside_its_border_is_looked_for_while_one_is_lacking(told: list[Piece]) -> None:
    """Four are due, and one was put down askew; where a fallen one lies in the discard, none is lacking."""
    table, pieces = opened()
    wall = next(one for one in pieces if one.kind == "wall")
    across = abs(math.sin(math.radians(wall.angle_deg))) > 0.5
    askew = replace(wall, x_mm=wall.x_mm + 8.0 * across, y_mm=wall.y_mm + 8.0 * (not across))
    told += [askew if one is wall else one for one in pieces]
    tiles = reads_of([one for one in pieces if one.kind != "wall"], table.camera)
    discard = PLAN.regions["discard"].centre_mm
    fallen = read_of(replace(wall, x_mm=discard[0], y_mm=discard[1]), table.camera, 0.9)
    lost = names(reading_of(table, reads_of([wall], table.camera)), "wall")
    for reads, due, many in ((tiles, 0, 3), (tiles, 4, 4), ([*tiles, fallen], 4, 3)):
        found = names(field.on_field(PICTURE, reading_of(table, reads), PLAN, walls=due), "wall")
        on_field = {(x, y) for x, y in found if 0 < x < 9 and 0 < y < 9}
        assert len(on_field) == many
        assert (lost <= found) == (many == 4)


def test_places_are_read_again_only_where_they_look_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a camera that is known a little better, too; not so where the camera was moved."""
    table, pieces = opened()
    asked: list[int] = []

    def read(_: Picture, rough: Sequence[Floats], *, quick: bool = False, **__: str) -> Readings:
        asked.append(len(rough) if quick else -1)
        pips = np.full(PIPS, 1 / PIPS)
        return [DominoReading(np.array([0, 0, 0.1, 0.9]), pips, pips, one) for one in rough]

    monkeypatch.setattr(domino_reading, "read", read)
    monkeypatch.setattr(PieceReader, "small", lambda *_, **__: [])
    grain = np.random.default_rng(5).integers(20, 200, (SIZE[1] // 8, SIZE[0] // 8, 3)).astype(np.uint8)
    picture = np.asarray(grain.repeat(8, axis=0).repeat(8, axis=1), dtype=np.uint8)
    changed = picture.copy()
    x, y = table.camera.to_pixels(np.array([(0.0, 25.0)]))[0].astype(int)
    changed[y - 12 : y + 12, x - 12 : x + 12] = changed[y + 88 : y + 112, x + 68 : x + 92]
    seen = reading_of(table, reads_of(pieces, table.camera))
    moved = replace(seen, table=table_of(TableSetting(GAME, 3), 9.0))
    x_mm, *rest = table.camera.pose.shift_mm
    pose = replace(table.camera.pose, shift_mm=(x_mm + 0.2, *rest))
    better = replace(seen, table=replace(table, camera=replace(table.camera, pose=pose)))
    memory, reads = Memory(), []
    for shown, reading in (
        (picture, seen),
        (picture, seen),
        (picture, better),
        (changed, seen),
        (picture, moved),
    ):
        asked.clear()
        memory.see(shown)
        field.on_field(shown, reading, PLAN, memory)
        assert min(asked) >= 0
        reads.append(sum(asked))
    every, again, refined, other, elsewhere = reads
    assert every >= 112
    assert again == 0
    assert refined < every / 4
    assert 1 <= other <= 40
    assert elsewhere > every / 2


def test_a_table_without_a_field_stays_as_it_was_read(told: list[Piece]) -> None:
    """Too few tiles, no table, or a plan without a field."""
    table, pieces = opened()
    few = reading_of(table, reads_of([one for one in pieces if one.name < "tile c"], table.camera))
    assert field.on_field(PICTURE, few, PLAN) is few
    bare = replace(few, table=None)
    assert field.on_field(PICTURE, bare, PLAN) is bare
    assert field.on_field(PICTURE, few, plan_of("draw-game")) is few
    assert not told
