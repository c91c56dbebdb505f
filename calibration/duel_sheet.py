"""Where things lie on our own sheets for Kingdomino Duel, in millimetres around the middle of the sheet.

One drawing serves everybody: the printer draws these lines, the virtual table shows them, and the sheet
finder looks for the marks. x runs to the right and y upwards, as on the table.
"""

from calibration.mats import MarkerPlace
from engine.kingdomino_duel.kingdom import COLUMNS, ROWS

Point = tuple[float, float]
Outline = tuple[Point, ...]

PITCH_MM = 30.0
"""From the middle of one square to the next."""
BOX_MM = 28.0
"""The side of a square's box; the 2 mm between boxes are there to be shaded inside a domain."""
MARK_MM = 14.0
CIRCLE_MM = 2.7
"""The radius of a circle for a cross."""
CIRCLES: tuple[Point, ...] = ((10.0, 8.0), (10.0, 0.0), (10.0, -8.0))
"""The circles for crosses, around the middle of their square."""
SHIELD_MIDDLE: Point = (-3.6, 0.0)
SHIELD: Outline = (
    (-8.4, 10.4), (8.4, 10.4), (8.4, -0.5), (7.7, -3.4), (6.1, -6.2), (3.6, -8.6), (0.0, -10.6),
    (-3.6, -8.6), (-6.1, -6.2), (-7.7, -3.4), (-8.4, -0.5),
)  # fmt: skip
"""The shield that a coat is drawn on, around its own middle."""
ROOF: Outline = ((-8.0, 1.5), (8.0, 1.5), (0.0, 11.5))
"""The roof of the castle, around the middle of its square."""
_WING: Outline = (
    (6.5, -1.5), (8.5, -1.5), (8.5, -3.5), (10.5, -3.5), (10.5, -1.5), (12.5, -1.5), (12.5, -10.5),
    (6.5, -10.5),
)  # fmt: skip
CASTLE: tuple[Outline, ...] = (
    ((-6.5, 1.5), (-6.5, -10.5), (6.5, -10.5), (6.5, 1.5)),
    tuple((-x, y) for x, y in _WING),
    _WING,
    ((-2.2, -10.5), (-2.2, -6.5), (-1.4, -5.0), (0.0, -4.4), (1.4, -5.0), (2.2, -6.5), (2.2, -10.5)),
)
"""The walls and the gate of the castle, each a line to draw."""


def _marks(first: int, x: float, y: float) -> tuple[MarkerPlace, ...]:
    corners = ((-x, y), (x, y), (x, -y), (-x, -y))
    return tuple(MarkerPlace(first + k, corner, 0.0, MARK_MM) for k, corner in enumerate(corners))


MAP_MARKS = _marks(40, 117.0, 68.0)
"""The registration marks of a map, clockwise from its upper left."""
CARD_SCALE = 0.7
"""A map to play on at the mat is printed so much smaller, and cut out."""
CARD_MM = (200.0, 128.0)
"""The card that is cut out; turned a quarter it lies in a player's place on the mat."""
SPELLBOOK_MARKS = _marks(44, 117.0, 76.0)
TICK_MM = 9.0
"""The side of a box of the spellbook."""
LINE_STEP_MM = 21.0
"""From one line of the spellbook to the next."""
SPELL_HALF_MM = 36.0
"""Half the width of the spellbook's middle, where the powers stand."""
USED_MM = 1.6
"""The radius of a circle that is crossed off when its power is used."""
_TICK_STEP_MM = 11.0


def spell_line_y(power: int) -> float:
    """How high the line of this power (1 to 6) lies on the spellbook."""
    return 57.0 - LINE_STEP_MM * (power - 1)


def tick_x(player: int, place: int, length: int) -> float:
    """The middle of a box in a line: place 0 is the outermost, on the player's own side (1: left)."""
    side = -1 if player == 1 else 1
    return side * (SPELL_HALF_MM + 9.0 + _TICK_STEP_MM * (length - 1 - place))


def used_middle(player: int, power: int) -> Point:
    """The circle that this player crosses off when this power is used."""
    side = -1 if player == 1 else 1
    return (side * (SPELL_HALF_MM - 2.6), spell_line_y(power) + 6.2)


def square_middle(row: int, column: int) -> Point:
    """The middle of a square; rows count from the top and columns from the left, both from 0."""
    return ((column - (COLUMNS - 1) / 2) * PITCH_MM, ((ROWS - 1) / 2 - row) * PITCH_MM)
