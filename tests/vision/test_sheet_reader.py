"""The reader on simulated photos and on real ink."""

import json
import os
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.kingdomino_duel.kingdom import Kingdom
from simulation.filled_sheet import OUR_FORM, filled, random_form
from simulation.pen_strokes import TAUGHT, UNSEEN, Variety
from simulation.sheet_photo import PhotoConditions, photographed
from training.kept_maps import cells_of_kingdom
from training.measure_sheets import compared, games, reading
from vision.mark_reader import mark_reader
from vision.sheet_cells import CELL_PX, darkness, planes
from vision.sheet_finder import find_sheets
from vision.sheet_fine import FINE_PX, fine_boxes
from vision.sheet_reader import UnreadMap, sheet_reader

REAL = Path(os.environ.get("PIPWATCH_DATA", "../shared/data"))
SAMPLE = Kingdom.from_rows(
    [
        "d0 d1 s0 s0 b2 b0 q0", "d0 D0 D1 s1 b0 q2 q0", "S0 S1 D0 C s0 s0 D1", "S0 . d0 d0 d1 S0 D0",
        ". . q0 q0 . . .",
    ]
)  # fmt: skip


def photo(
    kingdom: Kingdom, seed: int, conditions: PhotoConditions, *, ours: bool, kind: Variety
) -> np.ndarray:
    """A sheet with this map, as a photo."""
    rng = np.random.default_rng([seed, 31])
    form = OUR_FORM if ours else random_form(rng)
    return photographed(
        [filled(form, cells_of_kingdom(kingdom), True, rng, variety=kind)], conditions, rng
    ).image


@pytest.mark.parametrize("turn", [3.0, 175.0])
def test_our_sheet_in_a_good_photo_is_scored_or_doubted(turn: float) -> None:
    """The rule book's sample map is read nearly whole, either way up, and no wrong score goes unsaid."""
    image = photo(SAMPLE, 1, PhotoConditions(turn_deg=turn, tilt=0.1), ours=True, kind=TAUGHT)
    read = reading(sheet_reader(), image)
    assert read is not None
    result = compared(read, SAMPLE, True, (True, 0.0))
    assert result.wrong_squares <= 2
    assert not result.silent
    assert read.roof


def test_sheets_of_unknown_pens_and_papers_are_read_or_doubted() -> None:
    """Of ten games drawn with pens and hands nobody learned from, none is scored wrong in silence."""
    right = 0
    for number, (kingdom, roof) in zip(range(10), games(3), strict=False):
        image = photo(
            kingdom, number, PhotoConditions(tilt=0.12, tilt_way=1.0), ours=number % 2 == 0, kind=UNSEEN
        )
        read = reading(sheet_reader(), image)
        assert read is not None
        result = compared(read, kingdom, roof, (True, 0.0))
        assert not result.silent
        right += 34 - result.wrong_squares
    assert right >= 0.8 * 340


def test_a_picture_of_something_else_is_no_map() -> None:
    """A chess board has squares in rows, but no castle in the middle of five rows of seven."""
    board = np.kron((np.indices((5, 7)).sum(axis=0) % 2), np.ones((60, 60)))
    image = np.full((500, 620, 3), 230, np.uint8)
    image[80:380, 80:500] = np.where(board[..., None] > 0, 60, 235)
    readings = [sheet_reader().read(image, sheet) for sheet in find_sheets(image).maps]
    assert all(one is UnreadMap.NO_CASTLE for one in readings)


@pytest.mark.skipif(not (REAL / "marks" / "labels.json").exists(), reason="the real photos are not here")
def test_blank_boxes_of_real_sheets_are_not_read_as_coats() -> None:
    """In real photos of hand-drawn grids, boxes without a mark are read as empty."""
    blank, invented = 0, []
    for entry in json.loads((REAL / "marks" / "labels.json").read_text())["images"]:
        dark, lost, states = real_boxes(entry)
        form = np.percentile(dark, 30, axis=0).astype(np.float32)
        coarse = sheet_reader().probabilities(planes(dark, form))
        both = mark_reader().joined({"coat": coarse["coat"][:, :7], "crosses": coarse["crosses"]}, lost)
        coats = both["coat"]
        for state, chances in zip(states, coats, strict=True):
            blank += state == "."
            if state == "." and chances.argmax() > 0:
                invented.append((entry["file"], int(chances.argmax())))
    assert blank > 100
    assert invented == []


def real_boxes(entry: dict[str, object]) -> tuple[np.ndarray, np.ndarray, str]:
    """The nine boxes of a grid drawn by hand, as both looks cut them, and what is marked in each."""
    image = cv2.imread(str(REAL / "marks" / str(entry["file"])))
    assert image is not None
    corners = np.array(entry["inner_crossings"], dtype=np.float32)
    rows = [str(row) for row in entry["state"]]  # type: ignore[attr-defined]  # a list of three rows
    unit = (np.array([(1, 1), (2, 1), (2, 2), (1, 2)], dtype=np.float32) * 40 + 4) * 4
    home = cv2.getPerspectiveTransform(corners, unit)
    large = cv2.warpPerspective(image, home, (512, 512), borderMode=cv2.BORDER_REPLICATE)
    flat = cv2.resize(large, (128, 128), interpolation=cv2.INTER_AREA)
    dark = darkness(np.asarray(flat, dtype=np.uint8))
    cut = [dark[r * 40 : r * 40 + CELL_PX, c * 40 : c * 40 + CELL_PX] for r in range(3) for c in range(3)]
    fine = np.asarray(cv2.resize(large, (3 * FINE_PX + 12,) * 2, interpolation=cv2.INTER_AREA), np.uint8)
    return np.stack(cut), fine_boxes(fine, 3, 3), "".join(rows)
