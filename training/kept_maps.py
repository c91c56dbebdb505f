"""Maps that people have corrected and kept: pictures from straight above with what truly stands on them.

The page for sheets keeps each as ``NAME.png`` and ``NAME.json``: its ``roof``, and the ``rows`` of a kingdom.
Of crosses it is told how many a square has, and not where they stand.
"""

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from engine.kingdomino_duel.edition import COATS
from engine.kingdomino_duel.kingdom import CASTLE, SQUARES, Kingdom
from simulation.filled_sheet import Cells
from vision.sheet_bend import mesh
from vision.sheet_cells import COLUMNS, ROWS, Floats, Picture
from vision.sheet_picture import MARGIN_PX, PITCH_PX

_SIZE = (COLUMNS * PITCH_PX + 2 * MARGIN_PX, ROWS * PITCH_PX + 2 * MARGIN_PX)


@dataclass(frozen=True)
class KeptMap:
    """One of them."""

    image: Picture
    corners: Floats
    """The corners of its squares in the picture (6×8×2 px)."""
    cells: Cells
    roof: bool


def kept_maps(folder: Path) -> Iterator[KeptMap]:
    """Those of a folder, by name; what is none is told in a sentence and left out."""
    for path in sorted(folder.glob("*.png")):
        try:
            yield _read(path)
        except (OSError, ValueError, KeyError, TypeError) as wrong:
            print(f"{path.name} is left out: {wrong}", file=sys.stderr)


def _read(path: Path) -> KeptMap:
    told = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    image = cv2.imread(str(path), cv2.IMREAD_COLOR)
    if image is None:
        raise ValueError("it is no picture")
    height, width = image.shape[:2]
    if (width, height) != _SIZE:
        raise ValueError(f"a map that was kept is {_SIZE[0]}×{_SIZE[1]} pixels, and not {width}×{height}")
    return KeptMap(
        np.asarray(image, np.uint8),
        mesh() * PITCH_PX + MARGIN_PX - 0.5,
        cells_of_kingdom(Kingdom.from_rows(told["rows"])),
        bool(told["roof"]),
    )


def cells_of_kingdom(kingdom: Kingdom) -> Cells:
    """A map of the rule book as the simulator wants it."""
    marks = [None if square == CASTLE else kingdom.at(square) for square in SQUARES]
    told = [None if mark is None else (COATS[mark.coat], mark.crosses) for mark in marks]
    return tuple(tuple(told[row * COLUMNS : (row + 1) * COLUMNS]) for row in range(ROWS))
