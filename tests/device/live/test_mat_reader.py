"""The reader of a mat: the players' own camera and their own pieces."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

from calibration.camera import Lens, Pose
from calibration.mats import mat_markers
from calibration.plan import plan_of
from calibration.profiles import CameraProfile
from device.live import mat_reader
from device.live.mat_reader import MatReader
from device.live.ports import Picture, Seen
from engine.layout import Layout, Spot
from engine.matching.answered import ShownPieces
from engine.scene import Sighting
from simulation.picture import shoot
from simulation.random_scene import game_table
from simulation.setting import marker_piece
from tests.tables_of_size import picture
from vision.photos.picture_reading import read_picture
from vision.pieces import mat
from vision.pieces.looks import Looks, cut_out, light_of, look_of
from vision.pieces.reading import Readout
from vision.view import TableView


def test_a_lens_calibrated_for_other_pictures_is_named_and_not_used() -> None:
    """Whoever changes the camera's resolution is told so, and not that there are no markers."""
    lens = Lens.from_field_of_view((1280, 720), 60.0)
    reader = MatReader("draw-game", CameraProfile("mine", 60.0, lens=lens))
    small: Picture = np.zeros((480, 640, 3), np.uint8)
    reader.steady(small, 0.0)
    said = reader.read(TableView(small))
    assert isinstance(said, str)
    assert "1280×720" in said
    assert "640×480" in said
    large: Picture = np.zeros((720, 1280, 3), np.uint8)
    reader.steady(large, 2.0)
    assert "no markers" in str(reader.read(TableView(large)))


def test_markers_that_no_single_frame_shows_are_found_once_the_table_is_settled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A dim camera's frames were too noisy, all of them together were not: a game began 18 s late.

    Looking takes long: it is not done for every frame that cannot be read.
    """
    looked: list[int] = []

    def table_in(picture: Picture, *more: object) -> object:
        looked.append(int(picture.max()))
        return mat.table_in(picture, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(mat_reader, "table_in", table_in)
    picture = shoot(game_table("draw-game", 4, (1280, 960), 0)).picture
    dark: Picture = np.zeros_like(picture)
    reader = MatReader("draw-game")
    reader.steady(dark, 0.0)
    for at_s in (0.8, 0.9, 1.0):
        assert "no markers" in str(reader.read(TableView(dark, at_s=at_s)))
    assert len(looked) == 2
    seen = reader.read(TableView(picture, at_s=1.8))
    assert isinstance(seen, Seen)
    assert seen.mat is not None
    assert seen.mat.table.camera.lens.size_px == (1280, 960)


def test_pieces_of_ones_own_are_called_as_they_were_taught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two pawns are taught under each other's suits; so they are told, and so they are looked for again."""
    first: list[Readout] = []

    def looked_again(_picture: Picture, reading: Readout, *_more: object) -> Readout:
        first.append(reading)
        return reading

    monkeypatch.setattr(mat_reader, "looked_again", looked_again)
    picture = shoot(game_table("dominoids", 4, (1280, 960), 0)).picture
    pawns = [one for one in read_picture(picture).pieces if one.kind == "pawn" and one.confidence > 0.5]
    suits = [str((one.value or {})["suit"]) for one in pawns]
    assert len(set(suits)) >= 2
    turned = dict(zip(suits, suits[1:] + suits[:1], strict=True))
    light = light_of(picture)
    looks = Looks(
        "mine",
        tuple(
            look_of("pawn", turned[suit], cut_out(picture, one.corners, light))
            for one, suit in zip(pawns, suits, strict=True)
        ),
    )
    told = []
    for mine in (None, looks):
        reader = MatReader("dominoids", looks=mine)
        reader.steady(picture, 0.0)
        seen = reader.read(TableView(picture))
        assert isinstance(seen, Seen)
        told.append(
            {
                (round(sight.x or 0), round(sight.y or 0)): str((sight.value or {}).get("suit"))
                for sight in seen.scene.sightings
                if sight.kind == "pawn"
            }
        )
    usual, own_names = told
    assert len(set(usual.values())) >= 2
    network, own = (
        [str((one.value or {}).get("suit")) for one in reading.pieces if one.kind == "pawn"]
        for reading in first
    )
    assert own == [turned[suit] for suit in network]
    assert own_names == {place: turned[suit] for place, suit in usual.items()}


def test_what_was_taken_between_hands_is_no_riddle_once_the_table_is_free() -> None:
    """The free table differs from the last free one, and a picture between hands has come between the two."""
    scene = game_table("draw-game", 12, (960, 720), 14)
    tiles = [one for one in scene.pieces if one.kind == "domino" and one.face == "up"]
    alone, beside = tiles[11], tiles[9]  # that which touches it explains what changes there, and is away
    left = tuple(one for one in scene.pieces if one is not beside)
    before = shoot(replace(scene, pieces=left)).picture
    after = shoot(replace(scene, pieces=tuple(one for one in left if one is not alone))).picture
    rows, columns = (np.abs(after.astype(int) - before).max(axis=2) > 40).nonzero()
    box = int(columns.min()), int(rows.min()), int(columns.max()), int(rows.max())
    reader = MatReader("draw-game")
    reader.steady(before, 0.0)
    first = reader.read(TableView(before, view=1))
    assert isinstance(first, Seen)
    for part, view in ((1, 1), (0, 2)):
        seen = reader.read(TableView(after, view=view, part=part, changed=(box,)), first)
        assert isinstance(seen, Seen)
        assert len(seen.scene.sightings) == len(first.scene.sightings) - 1
        assert not seen.strange


@pytest.mark.parametrize("part", [0, 1], ids=["settled", "between hands"])
def test_what_was_not_read_to_its_end_is_not_remembered(monkeypatch: pytest.MonkeyPatch, part: int) -> None:
    """The eye fails at a view in which a domino was laid; at the next, which looks the same, it is read."""
    scene = game_table("draw-game", 12, (960, 720), 14)
    tiles = [one for one in scene.pieces if one.kind == "domino"]
    after = shoot(scene).picture
    before = shoot(replace(scene, pieces=tuple(one for one in scene.pieces if one is not tiles[-1]))).picture
    reader = MatReader("draw-game")
    reader.steady(before, 0.0)

    def seen(picture: Picture, view: int, last: Seen | None) -> Seen:
        told = reader.read(TableView(picture, view=view, part=part and view), last)
        assert isinstance(told, Seen)
        return told

    first = seen(before, 1, None)
    first = seen(before, 1, first) if part else first  # between hands it is another memory
    with monkeypatch.context() as patch:
        patch.setattr(mat, "spotted", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            seen(after, 2, first)
    assert len(seen(after, 3, first).scene.sightings) == len(first.scene.sightings) + 1


def _regions(seen: Seen | str) -> dict[str, int]:
    """How many dominoes lie where."""
    assert isinstance(seen, Seen)
    return dict(Counter(one.region for one in seen.scene.sightings if one.kind == "domino"))


def test_on_a_mat_that_was_printed_larger_regions_lie_farther_out() -> None:
    """Tiles in the boneyard of a mat at 130 % are there, and as large as ever: only the paper has grown.

    Four loose markers of that size, so far apart, leave the places where the plan has them.
    """
    scene = game_table("draw-game", 4, (1280, 960), 0)
    plan, scale = plan_of("draw-game"), 1.3
    spots = [(x, y) for x in (252.0, 328.0) for y in (-96.0, -32.0, 32.0, 96.0)]
    tile = next(one for one in scene.pieces if one.kind == "domino")
    tiles = [
        replace(tile, name=f"b{k}", x_mm=scale * x, y_mm=scale * y, z_mm=0.0, angle_deg=90.0, face="down")
        for k, (x, y) in enumerate(spots)
    ]
    grown = [
        replace(
            one,
            centre_mm=(scale * one.centre_mm[0], scale * one.centre_mm[1]),
            side_mm=scale * one.side_mm,
        )
        for one in mat_markers(plan)
    ]
    pose = scene.camera.pose
    higher = Pose.from_matrix(pose.matrix, scale * np.asarray(pose.shift_mm))
    camera = replace(scene.camera, pose=higher)
    seen = []
    for markers in (grown, grown[:4]):
        laid = (*map(marker_piece, markers), *tiles)
        picture = shoot(replace(scene, pieces=laid, camera=camera)).picture
        reader = MatReader("draw-game", marker_mm=scale * 32)
        reader.steady(picture, 0.0)
        seen.append(_regions(reader.read(TableView(picture))))
    on_mat, loose = seen
    assert on_mat == {"boneyard": len(spots)}
    assert loose.get("boneyard", 0) < len(spots)


def test_markers_of_another_size_are_remarked_on() -> None:
    """At the set-up, too, when all tiles lie closed: the sentence is there, and with the size it is not."""
    shown = picture("draw-game", 3, 25.0, 0)
    for size, remarked in ((32.0, True), (25.0, False)):
        reader = MatReader("draw-game", marker_mm=size)
        reader.steady(shown, 0.0)
        seen = reader.read(TableView(shown))
        assert isinstance(seen, Seen)
        assert ("Say --marker-mm" in seen.remark) is remarked


def test_what_the_record_says_of_a_die_is_heard_when_it_is_read_again() -> None:
    """People say that a die shows something else: such a sign is from then on rather what they said."""
    picture = shoot(game_table("dominoids", 4, (1280, 960), 0)).picture
    reader = MatReader("dominoids")
    reader.steady(picture, 0.0)
    seen = reader.read(TableView(picture))
    assert isinstance(seen, Seen)
    dice = [one for one in seen.scene.sightings if one.ref in seen.signs]
    assert len(dice) == 4
    die = next(one for one in dice if (one.value or {})["face"] not in ("null", "ace"))
    face = "2" if (die.value or {})["face"] != "2" else "3"
    value = {**(die.value or {}), "face": face}
    record = Layout(tuple(Spot(f"die {one.ref}", "die", "up", value if one is die else one.value, one.region)
                          for one in dice))  # fmt: skip
    doubted = reader.read(TableView(picture, view=1), replace(seen, record=record))
    before = _share(seen, die, face)
    assert _share(doubted, die, face) == pytest.approx(before)  # what is in doubt proves nothing
    told = frozenset((1,))
    known = replace(seen, record=record, shown=ShownPieces({f"die {die.ref}": 1}, told, told))
    after = _share(reader.read(TableView(picture, view=2), known), die, face)
    assert after > max(0.001, 20 * before)
    assert _share(reader.read(TableView(picture, view=3), seen), die, face) == pytest.approx(after, rel=0.2)
    undone = replace(known, shown=ShownPieces())
    again = _share(reader.read(TableView(picture, view=4), undone), die, face)
    assert again == pytest.approx(before)


def _share(seen: Seen | str, die: Sighting, face: str) -> float:
    """How likely it is that the die that lies where this one was seen shows a face."""
    assert isinstance(seen, Seen)
    lying = [one for one in seen.scene.sightings if one.kind == "die" and one.region == die.region]
    near = min(lying, key=lambda one: abs((one.x or 0) - (die.x or 0)) + abs((one.y or 0) - (die.y or 0)))
    return sum(guess.probability for guess in near.guesses if (guess.value or {}).get("face") == face)
