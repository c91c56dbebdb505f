"""The drawing of the mounting guide: it holds what the guide says, and the ones in docs/ are today's."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from calibration.mats import MARKER_MM, mat_markers
from calibration.mount_drawing import HIGH, WIDE, DrawnArea, DrawnLine, DrawnWords, mount_shapes, mount_svg
from calibration.mounting import at_height, guide, hanging
from calibration.plan import plan_of
from calibration.profiles import CameraProfile, camera_names, camera_profile
from engine import GAMES
from tests.calibration.guides import guided

DOCS = Path(__file__).parents[2] / "docs"
DRAWN = {
    "mount-draw-game.svg": ("draw-game", "pi-camera-3"),
    "mount-dominoids.svg": ("dominoids", "pi-camera-3"),
    "mount-dominoids-hq.svg": ("dominoids", "pi-camera-hq-6mm"),
}
NUMBER = re.compile(r"\d+\.?\d*")


def drawn(game: str, name: str, height: float | None = None) -> str:
    """The drawing that the command makes."""
    plan, profile = plan_of(game), camera_profile(name)
    found = guided(game, name)
    at = found.best if height is None else at_height(hanging(plan, profile), height)
    return mount_svg(plan, found, at, MARKER_MM)


@pytest.mark.parametrize("file", DRAWN)
def test_the_drawings_in_the_documents_are_todays(file: str) -> None:
    """Word for word, and number for number within what another machine's rounding may change."""
    kept, made = (DOCS / file).read_text(encoding="utf-8"), drawn(*DRAWN[file])
    assert len(kept) < 60_000
    assert NUMBER.sub("#", kept) == NUMBER.sub("#", made)
    numbers = [[float(n) for n in NUMBER.findall(text)] for text in (kept, made)]
    assert numbers[0] == pytest.approx(numbers[1], abs=0.11)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", camera_names())
def test_every_drawing_is_whole_and_nothing_leaves_its_sheet(game: str, name: str) -> None:
    """It is well-formed, its words lie on the sheet, and no two lines of words lie on each other."""
    root = ElementTree.fromstring(drawn(game, name))
    assert root.tag.endswith("svg")
    plan = plan_of(game)
    found = guided(game, name)
    boxes = []
    for shape in mount_shapes(plan, found, found.best, MARKER_MM):
        if isinstance(shape, DrawnWords):
            boxes.append((shape.words, *words_box(shape)))
        else:
            assert all(0 <= x <= WIDE and 0 <= y <= HIGH for x, y in shape.points)
    for words, left, upper, right, lower in boxes:
        assert left >= 0
        assert right <= WIDE, words
        assert upper >= 0
        assert lower <= HIGH, words
    for k, (words, left, upper, right, lower) in enumerate(boxes):
        for other, a, b, c, d in boxes[k + 1 :]:
            assert left >= c or a >= right or upper >= d or b >= lower, f"{words!r} lies on {other!r}"


def words_box(shape: DrawnWords) -> tuple[float, float, float, float]:
    """About where words lie in DejaVu Sans, the widest font that they are set in where no Helvetica is."""
    long, (x, y) = len(shape.words) * shape.size * (0.58 if shape.bold else 0.53), shape.at
    start = x - long * (shape.side + 1) / 2 if not shape.upwards else x - shape.size * 0.7
    if shape.upwards:
        return start, y - long / 2, x, y + long / 2
    return start, y - shape.size * 0.7, start + long, y


def test_both_views_have_one_scale_and_show_the_field_and_the_mat() -> None:
    """The field is drawn as wide from the side as from above, and as much wider than the mat as it is."""
    plan, profile = plan_of("draw-game"), camera_profile("pi-camera-3")
    found = guide(plan, profile)
    shapes = mount_shapes(plan, found, found.best, MARKER_MM)
    areas = [shape for shape in shapes if isinstance(shape, DrawnArea)]
    cone = next(area for area in areas if len(area.points) == 3)
    field = next(area for area in areas if area.dashed)
    wide = field.points[1][0] - field.points[0][0]
    assert cone.points[2][0] - cone.points[1][0] == pytest.approx(wide)
    scale = wide / found.best.field_mm[0]
    assert cone.points[1][1] - cone.points[0][1] == pytest.approx(found.best.height_mm * scale)
    markers = [a for a in areas if a.points[1][0] - a.points[0][0] == pytest.approx(MARKER_MM * scale)]
    assert len(markers) >= len(mat_markers(plan))
    words = " ".join(shape.words for shape in shapes if isinstance(shape, DrawnWords))
    for told in (f"{found.best.height_mm:g} mm from the table", "mat 796 mm", "mat 564 mm", "first player"):
        assert told in words
    assert any(isinstance(shape, DrawnLine) for shape in shapes)


def test_what_is_wrong_at_a_height_is_written_on_the_drawing() -> None:
    """A drawing of a height that is no good says so, in red."""
    text = drawn("draw-game", "pi-camera-3", 500.0)
    assert "At 500 mm: The mat may not fit into the picture" in text
    assert "Hang the lens" not in text


def test_names_are_words_and_not_markup() -> None:
    """A title of one's own cannot break the page that shows the drawing."""
    plan = plan_of("draw-game")
    profile = CameraProfile('<script>"&', 66.0, sizes_px=((1920, 1080),))
    found = guide(plan, profile)
    text = mount_svg(plan, found, found.best, MARKER_MM)
    assert "<script>" not in text
    ElementTree.fromstring(text)
