"""What a picture must give so that a game's pieces can be read, from the published measurements.

Every threshold is a measured one, and says where it stands; nothing here knows of cameras.
"""

from dataclasses import dataclass

from calibration.duel_sheet import CARD_SCALE, PITCH_MM
from calibration.marker_side import MARKER_MM
from calibration.soldier_marks import DISC_MM

MARKER_LEAST_PX = 28.0
"""Below it the detector misses some (docs/accuracy-geometry.md, what it takes)."""
DOMINO_LEAST_PX = 45.0
"""From this length on all were right (docs/accuracy-reading.md, where it breaks)."""
DIE_LEAST_PX = 17.0
"""From this width on 95 % were right (docs/accuracy-reading.md, where it breaks)."""
DISC_LEAST_PX = 20.0
"""The smallest soldiers' discs that were measured (docs/accuracy-reading.md)."""
SQUARE_LEAST_PX = 35.0
"""At this size 10 maps of 12 are exact, at 25 only 8 (docs/accuracy-sheets.md, curves)."""
DOMINO_MOST_DEG = 35.0
"""So far from the side 96 % of dominoes are right, at 45° only 77 % (docs/accuracy-reading.md)."""
DOMINO_WELL_DEG = 25.0
"""Up to here all dominoes are right (docs/accuracy-reading.md)."""
DIE_MOST_DEG = 25.0
"""So far from the side 65 % of dice are right (docs/accuracy-reading.md)."""
DIE_WELL_DEG = 15.0
"""Up to here 88 % of dice are right, nearly as many as from straight above (docs/accuracy-reading.md)."""

DOMINO_MM = 48.0
"""The usual domino (calibration/sets/double-six.toml)."""
BOARD_DOMINO_MM = 44.4
"""A domino that lies well on two squares of an inch."""
DOMINO_HIGH_MM = 9.0
PIP_SHARE = 4.7 / 48.0
"""How wide a pip is beside its domino's length, in the usual make of the virtual table."""
PIECEPACK_DIE_MM = 12.7
DUEL_DIE_MM = 16.0
SOLDIER_HIGH_MM = 45.0
PAWN_HIGH_MM, TILE_HIGH_MM = 35.0, 6.4

TALLEST_MM = {
    "dominoids": TILE_HIGH_MM + DOMINO_HIGH_MM + PAWN_HIGH_MM,
    "kingdomino-duel": DUEL_DIE_MM,
    "dominoes-of-war": DOMINO_HIGH_MM + SOLDIER_HIGH_MM,
    "draw-game": DOMINO_HIGH_MM,
}
"""How high each game's pieces reach above the table, one standing on another where they do."""

MEASURED_PX = (1280, 960)
"""In pictures of this size, filled by the mat, whole games were measured (docs/accuracy-games.md)."""
_AROUND_MM = 30.0
"""So much more than the mat they showed."""

_PLURALS = {"die": "dice", "domino": "dominoes", "soldier's disc": "soldiers' discs"}


@dataclass(frozen=True)
class Legible:
    """Something that has to be read, and what it takes."""

    name: str
    size_mm: float
    """Its longest side from above, or its diameter."""
    least_px: float
    top_mm: float = 0.0
    """How high the side lies that is read; pixels are fewest on the table, so the lowest place counts."""
    regions: tuple[str, ...] = ()
    """Where it lies; empty: where it lies does not matter."""
    most_deg: float | None = None
    """So far off straight above it is still read."""
    well_deg: float | None = None
    watched: bool = False
    """Whether the smaller picture that is watched must show it too."""

    @property
    def plural(self) -> str:
        """Its name for several."""
        return _PLURALS.get(self.name, f"{self.name}s")


def reading_density(size_mm: tuple[float, float]) -> float:
    """How many pixels a millimetre of a mat of this size has where it is read best.

    In pictures that show more the readers ask more often (docs/accuracy-reading.md, large pictures).
    """
    return min(px / (mm + _AROUND_MM) for px, mm in zip(MEASURED_PX, size_mm, strict=True))


def legibles(game: str, marker_mm: float = MARKER_MM) -> tuple[Legible, ...]:
    """What has to be read on the table of a game."""
    return (*_PIECES[game], Legible("marker", marker_mm, MARKER_LEAST_PX, watched=True))


def _dominoes(length_mm: float, *regions: str) -> tuple[Legible, Legible]:
    """Dominoes with their pips: a pip needs what it has on a domino that is just large enough."""
    return (
        Legible("pip", length_mm * PIP_SHARE, DOMINO_LEAST_PX * PIP_SHARE, DOMINO_HIGH_MM),
        Legible(
            "domino", length_mm, DOMINO_LEAST_PX, DOMINO_HIGH_MM, regions, DOMINO_MOST_DEG, DOMINO_WELL_DEG
        ),
    )


def _dice(side_mm: float, *regions: str) -> Legible:
    return Legible("die", side_mm, DIE_LEAST_PX, side_mm, regions, DIE_MOST_DEG, DIE_WELL_DEG)


_PIECES = {
    "draw-game": _dominoes(DOMINO_MM, "board", "boneyard", "hand-1", "hand-2", "aside"),
    "dominoids": (
        *_dominoes(BOARD_DOMINO_MM, "board", "pool", "hand-1", "hand-2"),
        _dice(PIECEPACK_DIE_MM, "old-dice", "new-dice", "chosen-dice"),
    ),
    "kingdomino-duel": (
        _dice(DUEL_DIE_MM, "dice", "dice-1", "dice-2"),
        Legible("map square", PITCH_MM * CARD_SCALE, SQUARE_LEAST_PX),
    ),
    "dominoes-of-war": (
        *_dominoes(DOMINO_MM, "board", "pool-1", "pool-2", "spares", "discard"),
        Legible("soldier's disc", DISC_MM, DISC_LEAST_PX, SOLDIER_HIGH_MM),
    ),
}
