"""Tables of the virtual room between markers that were printed at any size."""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from calibration.mats import MarkerPlace, loose_markers
from calibration.plan import plan_of
from simulation.picture import shoot
from simulation.random_scene import game_table
from simulation.setting import marker_piece
from simulation.virtual_scene import VirtualScene
from vision.pieces.patches import Picture


def between(scene: VirtualScene, markers: Sequence[MarkerPlace]) -> VirtualScene:
    """The same scene with these markers in place of its own."""
    rest = (one for one in scene.pieces if one.kind != "marker")
    return replace(scene, pieces=(*map(marker_piece, markers), *rest))


def table_scene(game: str, seed: int, marker_mm: float, plies: int) -> VirtualScene:
    """A game's table after some plies, its four loose markers printed at a size."""
    scene = game_table(game, seed, (1280, 960), plies)
    return between(scene, loose_markers(plan_of(game).size_mm, side_mm=marker_mm))


def picture(game: str, seed: int, marker_mm: float, plies: int = 14) -> Picture:
    """A photo of it, drawn once; whoever asks may paint in it."""
    return _photo(game, seed, marker_mm, plies).copy()


@cache
def _photo(game: str, seed: int, marker_mm: float, plies: int) -> Picture:
    return shoot(table_scene(game, seed, marker_mm, plies)).picture


def recorded(folder: Path, shown: Picture, frames: int = 1) -> Path:
    """A folder of frames of a table at which nothing is done, each with its own grain."""
    rng = np.random.default_rng(1)
    folder.mkdir(exist_ok=True)
    for number in range(frames):
        grain = rng.normal(0, 1.5, shown.shape)
        cv2.imwrite(str(folder / f"{number:03}.png"), np.clip(shown + grain, 0, 255).astype(np.uint8))
    return folder
