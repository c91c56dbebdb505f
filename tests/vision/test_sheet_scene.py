"""Maps on a table that is played at: found in their regions, read, their new squares told to the referee."""

import json
from functools import lru_cache
from typing import cast

import cv2
import numpy as np
import pypdfium2
import pytest

from calibration.camera import Camera, Lens, Pose
from calibration.duel_sheet import CARD_MM
from calibration.plan import plan_of
from calibration.sheet_printing import cards_pdf
from calibration.table_finder import Table
from engine import rulebook
from engine.kingdomino_duel.book import cells
from engine.kingdomino_duel.kingdom import NUMBERS, SQUARES, Kingdom, Mark
from engine.kingdomino_duel.model import DuelState
from engine.layout import Layout, Spot
from engine.matching import Follower, Nothing, Question, Ruled
from engine.plain import Json
from engine.scene import Guess, Scene, Sighting
from simulation.makes import SheetLook
from simulation.sheets import sheet_face
from vision.pieces.memory import Memory
from vision.sheet_cells import CASTLE_INDEX, COLUMNS, Floats, Picture
from vision.sheet_finder import Candidate, FoundSheet, on_paper
from vision.sheet_print import KnownPrint, ShownMap
from vision.sheet_reader import SheetReader, UnreadMap, sheet_reader
from vision.sheet_scene import PartView, SeenMap, SheetWatch, cells_json, empty_squares

BOOK = rulebook("kingdomino-duel")
PLAN = plan_of("kingdomino-duel")
SIZE = (1280, 960)
CAMERA = Camera(Lens(SIZE, (1400.0, 1400.0), (640.0, 480.0)), Pose((np.pi, 0.0, 0.0), (0.0, 0.0, 700.0)))
TABLE = Table(CAMERA, (), 0.0)
PAPER_MM = (138.0, 100.0)
FIRST = Kingdom().add(Mark(NUMBERS["r3c3"], 0, 0)).add(Mark(NUMBERS["r3c2"], 2, 1))
NEW = (Mark(NUMBERS["r2c4"], 0, 0), Mark(NUMBERS["r1c4"], 3, 0))


INK, FAINT = (0.3, 0.2, 0.12), (0.62, 0.58, 0.48)


@lru_cache(maxsize=8)
def paper(kingdom: Kingdom, print_: tuple[float, float, float] = INK) -> Picture:
    """A filled map, ten pixels a millimetre."""
    look = SheetLook(*PAPER_MM, (0.72, 0.68, 0.58), print_, "duel-map")
    face = sheet_face(look, json.dumps({"map": cells(kingdom), "roof": False}), 3, 10.0)
    light = np.clip(face.colour[..., 2::-1], 0, 1) ** (1 / 2.2)
    return np.asarray(light * 255, dtype=np.uint8)


def frame(*lying: tuple[Kingdom, tuple[float, float], float]) -> Picture:
    """The table from above with maps at these places, turned by these degrees."""
    picture = np.full((SIZE[1], SIZE[0], 3), (70, 95, 90), np.uint8)
    for kingdom, middle, turn in lying:
        lay(picture, paper(kingdom), PAPER_MM, middle, turn)
    return noisy(picture)


def lay(
    picture: Picture, flat: Picture, size_mm: tuple[float, float], middle: tuple[float, float], turn: float
) -> None:
    """A flat paper on the table."""
    height, width = flat.shape[:2]
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    corners: Floats = np.array([(-1, 1), (1, 1), (1, -1), (-1, -1)]) * np.array(size_mm) / 2
    seen = CAMERA.to_pixels(corners @ np.array([[c, s], [-s, c]]) + middle).astype(np.float32)
    start = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    home = cv2.getPerspectiveTransform(start, seen)
    small = cv2.GaussianBlur(flat, (0, 0), 2.0)
    over = cv2.warpPerspective(small, home, SIZE, flags=cv2.INTER_AREA)
    mask = cv2.warpPerspective(np.full(flat.shape[:2], 255, np.uint8), home, SIZE)
    picture[mask > 127] = over[mask > 127]


def noisy(picture: Picture) -> Picture:
    """As a camera would see it."""
    noise = np.random.default_rng(1).normal(0, 2, picture.shape)
    return np.asarray(np.clip(cv2.GaussianBlur(picture, (0, 0), 0.6) + noise, 0, 255), dtype=np.uint8)


def state(first: Kingdom) -> DuelState:
    """A game in which player 1 has taken a dot and two stripes, and draws."""
    made = BOOK.start(setup={"a": 1, "players": [{"map": list(first.rows)}, {}]})
    made = BOOK.observe(made, BOOK.parse_fact("see roll d s S D"))
    for line in ("1: take 1", "2: take 2+4"):
        made = BOOK.play(made, BOOK.parse(line))
    assert isinstance(made, DuelState)
    return made


def scene(watch: SheetWatch, picture: Picture, now: DuelState) -> Scene:
    """The dice as the record has them, and the maps as they are read."""
    dice = [
        Sighting("die", spot.region, 10.0 * k, 0.0, guesses=(Guess(spot.value, 0.999),))
        for k, spot in enumerate(BOOK.layout(now).spots)
        if spot.kind == "die"
    ]
    return Scene((*dice, *(one.sighting() for one in watch.read(picture, TABLE))))


LEFT, RIGHT = (-158.0, 0.0), (158.0, 0.0)
LEAST_PX = 25.0
"""So wide at least a square must be to be read."""


@pytest.mark.parametrize("turns", [(90.0, -90.0), (87.0, 93.0)])
def test_the_printed_maps_for_the_mat_are_found_in_their_places(turns: tuple[float, float]) -> None:
    """Cut out and turned a quarter either way, each fits its place, and is found large enough and upright."""
    place = PLAN.regions["sheet-1"]
    assert CARD_MM[1] <= place.size_mm[0]
    assert CARD_MM[0] <= place.size_mm[1]
    picture = np.full((SIZE[1], SIZE[0], 3), (70, 95, 90), np.uint8)
    for card, middle, turn in zip(printed_cards(), (LEFT, RIGHT), turns, strict=True):
        lay(picture, card, CARD_MM, middle, turn)
    found = SheetWatch(PLAN).read(noisy(picture), TABLE)
    assert [one.region for one in found] == ["sheet-1", "sheet-2"]
    for one, turn in zip(found, turns, strict=True):
        assert one.reading.ours
        top = one.outline[1] - one.outline[0]
        assert np.hypot(*top) / COLUMNS > LEAST_PX
        assert np.degrees(np.arctan2(-top[1], top[0])) == pytest.approx(turn, abs=2)
        assert all(cell is None or cell["coat"] is None for row in cells_json(one.reading) for cell in row)  # type: ignore[union-attr, index, call-overload]


def printed_cards() -> tuple[Picture, Picture]:
    """Both cards as they come out of the printer, cut out; eight pixels a millimetre."""
    document = pypdfium2.PdfDocument(cards_pdf("a4"))
    try:
        page = np.array(document[0].render(scale=8 * 25.4 / 72).to_numpy()[..., :3])
    finally:
        document.close()
    grey = cv2.cvtColor(page, cv2.COLOR_BGR2GRAY)
    rows = np.flatnonzero((grey < 230).mean(axis=1) > CARD_MM[0] / 210 * 0.95)
    upper, lower = int(rows[0]), int(rows[-1])
    assert lower - upper == pytest.approx(2 * CARD_MM[1] * 8, abs=4)
    left = round(page.shape[1] / 2 - CARD_MM[0] * 4)
    across, half = slice(left, left + round(CARD_MM[0] * 8)), (upper + lower) // 2
    return page[upper:half, across], page[half:lower, across]


@pytest.mark.parametrize("turn", [0.0, 4.0])
def test_a_map_of_hardly_any_contrast_is_found_in_its_place(turn: float) -> None:
    """Pale print on a paper of the table's colour: neither boxes nor paper are seen, but even lines are."""
    flat = paper(Kingdom(), FAINT)
    picture = np.full((SIZE[1], SIZE[0], 3), flat[5, 5], np.uint8)
    lay(picture, flat, PAPER_MM, LEFT, turn)
    small = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), dtype=np.uint8)
    watch, memory = SheetWatch(PLAN), Memory()
    memory.see(small)
    (found,) = watch.read(small, TABLE, (), memory)
    assert found.region == "sheet-1"
    middle = CAMERA.to_pixels(np.array([LEFT]))[0]
    assert found.outline.mean(axis=0) == pytest.approx(middle, abs=6)


@pytest.mark.parametrize("turn", [0.0, -5.0])
def test_a_paper_on_a_half_lit_table_as_bright_as_itself_is_found_by_its_hue(turn: float) -> None:
    """A lamp makes one end of a wooden table brighter than the paper and leaves the other darker."""
    flat = paper(Kingdom())
    grey = cv2.cvtColor(flat, cv2.COLOR_BGR2GRAY).astype(np.float32)[..., None]
    flat = (grey * np.array([1.06, 1.0, 0.98])).clip(0, 255).astype(np.uint8)
    light = np.interp(np.arange(SIZE[0]), (330, 790), (0.7, 1.1)) * float(grey[5, 5, 0])
    row = (light[:, None] * np.array([0.72, 0.98, 1.06])).clip(0, 255).astype(np.uint8)
    picture = np.broadcast_to(row, (SIZE[1], SIZE[0], 3)).copy()
    lay(picture, flat, (108.0, 78.0), (-40.0, 0.0), turn)
    part = noisy(picture)[250:710, 330:790]
    middle = CAMERA.to_pixels(np.array([(-40.0, 0.0)]))[0] - (330, 250)

    def off(*, hued: bool) -> list[float]:
        ways = [way for sheet in on_paper(part, hued=hued) for way in sheet.candidates]
        return [float(np.linalg.norm(way.corners.mean(axis=(0, 1)) - middle)) for way in ways]

    assert min(off(hued=True)) < 3
    assert min(off(hued=False), default=99.0) > 20


def test_a_map_that_nothing_showed_is_not_looked_for_again_and_again() -> None:
    """Even if all else on the table is forgotten: what was tried in vain shows nothing a moment later."""
    tried: list[Candidate] = []

    class Blind:
        """A reader that sees no castle anywhere."""

        def read(self, _image: Picture, sheet: FoundSheet) -> UnreadMap:
            tried.extend(sheet.candidates)
            return UnreadMap.NO_CASTLE

    watch, memory = SheetWatch(PLAN, cast("SheetReader", Blind())), Memory()

    def looked(picture: Picture) -> int:
        tried.clear()
        memory.forget()
        memory.see(picture)
        assert watch.read(picture, TABLE, (), memory) == []
        return len(tried)

    empty = frame()
    darker = np.asarray(empty * 0.8, np.uint8)
    everything = looked(empty)
    assert everything > 20
    assert looked(empty) == 0
    looks = [looked(darker) for _ in range(4)]
    assert 0 < max(looks) <= everything
    assert looks[-1] == 0


def test_the_two_squares_just_drawn_go_to_the_referee() -> None:
    """From pixels: nothing new says nothing; two new coats are the drawing, or are asked about."""
    watch, now = SheetWatch(PLAN), state(FIRST)
    before = scene(watch, frame((FIRST, LEFT, 3.0), (Kingdom(), RIGHT, -4.0)), now)
    follower = Follower(BOOK, (now,)).at(before)
    assert {one.region for one in before.sightings if one.kind == "sheet"} == {"sheet-1", "sheet-2"}
    assert isinstance(follower.see(before), Nothing)
    drawn = FIRST.add(NEW[0]).add(NEW[1])
    # The sheet was pushed a little while it was drawn on.
    after = scene(watch, frame((drawn, (-155.0, 4.0), 1.0), (Kingdom(), RIGHT, -4.0)), now)
    verdict = follower.see(after)
    assert isinstance(verdict, Ruled | Question)
    outcomes = [verdict] if isinstance(verdict, Ruled) else [choice.outcome for choice in verdict.choices]
    told = [one for outcome in outcomes if isinstance(outcome, Ruled) for one in outcome.happened]
    assert BOOK.format(BOOK.parse("1: draw d@r2c4 S@r1c4")) in [one.text for one in told]


@pytest.mark.parametrize("turn", [90.0, 180.0])
def test_a_sheet_lies_as_its_player_likes(turn: float) -> None:
    """Turned sheets are read upright, and looked for anew when they were turned since."""
    watch = SheetWatch(PLAN)
    watch.read(frame((FIRST, LEFT, 0.0)), TABLE)
    (seen,) = watch.read(frame((FIRST, LEFT, turn)), TABLE)
    drawn = seen.reading.coats.argmax(axis=1)
    assert drawn[15] == 3
    assert drawn[16] > 0
    assert (drawn > 0).sum() <= 4


def test_what_a_hand_covers_is_not_read() -> None:
    """Neither is a map that is not there."""
    picture = frame((FIRST, LEFT, 0.0), (Kingdom(), RIGHT, 0.0))
    hand = CAMERA.to_pixels(np.array([(-170.0, -60.0), (-140.0, -60.0), (-140.0, 20.0), (-170.0, 20.0)]))
    assert [one.region for one in SheetWatch(PLAN).read(picture, TABLE, [hand])] == ["sheet-2"]
    assert SheetWatch(PLAN).read(frame(), TABLE) == []
    assert SheetWatch(plan_of("draw-game")).read(picture, TABLE) == []


def test_what_one_memory_has_seen_of_a_map_says_nothing_of_what_another_has() -> None:
    """Between hands a map may look otherwise than on the settled table, which has not changed since."""
    watch, settled, between = SheetWatch(PLAN), Memory(), Memory()
    free, crowded = frame((FIRST, LEFT, 0.0)), frame((FIRST.add(NEW[0]).add(NEW[1]), LEFT, 0.0))

    def told(memory: Memory, picture: Picture) -> list[list[bool]]:
        memory.see(picture)
        return [[*(one.reading.coats.argmax(axis=1) > 0)] for one in watch.read(picture, TABLE, (), memory)]

    before, drawn = told(settled, free), told(between, crowded)
    assert before != drawn
    assert told(settled, free) == before
    assert told(between, crowded) == drawn


def test_a_map_that_looks_as_it_did_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was read of it is told; a map that was drawn on is read, and one that a hand was over as well."""
    reader, reads = sheet_reader(), []
    read = reader.read
    monkeypatch.setattr(reader, "read", lambda *given: reads.append(given) or read(*given))
    watch, memory = SheetWatch(PLAN, reader), Memory()
    before = frame((FIRST, LEFT, 0.0), (Kingdom(), RIGHT, 0.0))
    hand = CAMERA.to_pixels(np.array([(-170.0, -60.0), (-140.0, -60.0), (-140.0, 20.0), (-170.0, 20.0)]))

    def told(picture: Picture, *hidden: Floats) -> list[str]:
        reads.clear()
        memory.see(picture)
        return [one.region for one in watch.read(picture, TABLE, hidden, memory)]

    assert told(before) == ["sheet-1", "sheet-2"]
    assert reads
    assert told(before) == ["sheet-1", "sheet-2"]
    assert not reads
    assert told(before, hand) == ["sheet-2"]
    assert not reads
    assert told(before) == ["sheet-1", "sheet-2"]
    assert reads
    drawn = FIRST.add(NEW[0]).add(NEW[1])
    after = frame((drawn, LEFT, 0.0), (Kingdom(), RIGHT, 0.0))
    assert told(after) == ["sheet-1", "sheet-2"]
    assert reads
    assert told(frame(), hand) == []


@pytest.mark.parametrize("turn", [0.0, 33.0, 90.0])
def test_what_is_numbered_aslant_is_no_map(turn: float) -> None:
    """On a table whose millimetres are known a map is a rectangle, whichever way it lies."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))

    def way(slant: float) -> FoundSheet:
        flat = np.stack(np.meshgrid(np.arange(8.0) * 18, -np.arange(6.0) * 18), axis=2) - (63.0, -45.0)
        flat[..., 1] += np.tan(np.radians(slant)) * flat[..., 0]
        corners = CAMERA.to_pixels((flat.reshape(-1, 2) @ np.array([[c, s], [-s, c]])) + LEFT)
        return FoundSheet((Candidate(corners.reshape(6, 8, 2) - (100, 50), False, 0),))

    part = frame()[50:, 100:]
    kept = PartView(part, (100, 50), TABLE).lying([way(0.0), way(2.0), way(8.1), way(-8.1)])
    assert len(kept) == 2


def agreed(watch: SheetWatch, picture: Picture, drawn: Kingdom) -> list[SeenMap]:
    """A look at the left map, on which table and record agree."""
    seen = watch.read(picture, TABLE)
    spot = Spot("map 1", "sheet", "up", {"map": cast("Json", cells(drawn)), "roof": False}, "sheet-1")
    watch.agreed(seen, empty_squares(Layout((spot,))))
    return seen


def chances(maps: list[SeenMap], drawn: Kingdom) -> list[float]:
    """How likely each square of the left map is said to hold what it holds."""
    (one,) = maps
    marks = {mark.square: mark for mark in drawn.marks()}
    coats = [marks[square].coat + 1 if square in marks else 0 for square in SQUARES]
    return [float(one.reading.coats[k, coats[k]]) for k in range(35) if k != CASTLE_INDEX]


def test_print_that_was_seen_on_empty_squares_is_no_ink() -> None:
    """Pale, uneven print is taken for ink until the squares have shown it; ink is read as before."""
    drawn = FIRST.add(NEW[0]).add(NEW[1])
    bare, marked = (faintly(one) for one in (FIRST, drawn))
    known, other = SheetWatch(PLAN), SheetWatch(PLAN)
    agreed(known, bare, FIRST)
    other.read(bare, TABLE)
    with_print, without = chances(known.read(marked, TABLE), drawn), chances(other.read(marked, TABLE), drawn)
    empty = [k for k in range(34) if (k if k < CASTLE_INDEX else k + 1) not in INKED]
    inked = [k for k in range(34) if k not in empty]
    assert min(with_print[k] for k in empty) > 0.98
    assert sum(-np.log(with_print[k]) for k in empty) < 0.5 * sum(-np.log(without[k]) for k in empty)
    assert min(with_print[k] for k in inked) > 0.5


INKED = frozenset(SQUARES.index(mark.square) for mark in FIRST.add(NEW[0]).add(NEW[1]).marks())


def faintly(kingdom: Kingdom) -> Picture:
    """The table with a map of pale print, a third of whose squares were printed more darkly."""
    flat = paper(kingdom, FAINT).copy()
    third = flat[:, : flat.shape[1] // 3]
    third[:] = np.where(third < 190, third * 0.9, third)
    picture = np.full((SIZE[1], SIZE[0], 3), (70, 95, 90), np.uint8)
    lay(picture, flat, PAPER_MM, LEFT, 2.0)
    return noisy(picture)


def test_a_square_keeps_the_print_it_showed_first() -> None:
    """What was drawn unseen would else be taken for print; only a square that was not known is added."""
    first, later = (ShownMap(np.full((35, 48, 48), v), np.full((34, 72, 72, 3), v)) for v in (0.1, 0.4))
    known = KnownPrint.of(first, {0, 1}).with_more(later, {1, 2})
    assert known.squares == {0, 1, 2}
    form = known.dark(np.full((48, 48), 0.9))
    assert [float(form[k, 0, 0]) for k in range(4)] == pytest.approx([0.1, 0.1, 0.4, 0.9])
    odds = known.calm(np.full((34, 72, 72, 3), 0.1))
    assert odds[:4] == pytest.approx([100, 100, 100, 1])
    assert (known.calm(np.full((34, 72, 72, 3), 0.8)) == 1).all()


def test_a_map_that_is_found_anew_has_to_show_its_print_again() -> None:
    """Its squares may be numbered otherwise than before."""
    watch = SheetWatch(PLAN)
    agreed(watch, frame((FIRST, LEFT, 0.0)), FIRST)
    before = watch.read(frame((FIRST, LEFT, 90.0)), TABLE)
    assert chances(before, FIRST) == chances(SheetWatch(PLAN).read(frame((FIRST, LEFT, 90.0)), TABLE), FIRST)
