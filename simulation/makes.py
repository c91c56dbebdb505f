"""How makes of pieces differ: sizes, bodies, inks and drawing styles, as plain data.

A look says nothing about which piece it is; the same look serves a whole set.
"""

from dataclasses import dataclass
from typing import Literal, TypeAlias

Colour: TypeAlias = tuple[float, float, float]

BLACK: Colour = (0.012, 0.012, 0.013)
WHITE: Colour = (0.80, 0.80, 0.78)
IVORY: Colour = (0.78, 0.70, 0.50)
CREAM: Colour = (0.80, 0.76, 0.62)


@dataclass(frozen=True, slots=True)
class Stuff:
    """What a body is made of, as far as light is concerned."""

    colour: Colour
    gloss: float = 0.5
    """0 is chalk, 1 a mirror-smooth plastic."""
    grain: Literal["plain", "wood", "marble", "speckle", "pearl", "swirl"] = "plain"
    metal: bool = False


@dataclass(frozen=True, slots=True)
class DominoLook:
    """One make of dominoes."""

    name: str = "ivory"
    length_mm: float = 48.0
    width_mm: float = 24.0
    thickness_mm: float = 9.0
    corner_mm: float = 2.5
    edge_mm: float = 1.0
    stuff: Stuff = Stuff(IVORY)
    back: Colour | None = None
    """The colour of the lower half of the body, where it has two layers."""
    pips: Literal["drilled", "printed", "inlaid"] = "drilled"
    inks: tuple[Colour, ...] = (BLACK,)
    """The pips' colour, or one for each number from 1 on."""
    pip_mm: float = 4.7
    small_pips: bool = True
    """Whether the pips of 7 and more are smaller."""
    spread: float = 0.62
    variant: int = 0
    bar: Literal["groove", "printed", "brass", "none"] = "groove"
    bar_ink: Colour = BLACK
    bar_mm: float = 1.6
    bar_share: float = 0.80
    pin: Literal["none", "brass", "steel"] = "none"
    frame: bool = False
    back_style: Literal["plain", "lattice", "rings", "lines", "words", "frame"] = "plain"
    back_ink: Colour = BLACK


@dataclass(frozen=True, slots=True)
class PiecepackLook:
    """One make of a piecepack: tiles, coins, pawns and dice that belong together."""

    name: str = "maple"
    tile_mm: float = 50.8
    tile_thick_mm: float = 6.4
    coin_mm: float = 19.0
    coin_thick_mm: float = 3.2
    die_mm: float = 12.7
    die_edge_mm: float = 1.2
    pawn_mm: float = 16.0
    pawn_tall_mm: float = 28.0
    stuff: Stuff = Stuff((0.70, 0.56, 0.36), 0.25, "wood")
    die_stuff: Stuff = Stuff((0.78, 0.72, 0.58), 0.4)
    suits: tuple[Colour, Colour, Colour, Colour] = (
        (0.55, 0.02, 0.03), (0.012, 0.012, 0.014), (0.02, 0.28, 0.06), (0.02, 0.06, 0.40),
    )  # fmt: skip
    """Inks of suns, moons, crowns and arms."""
    style: int = 0
    """Which own drawings of suits and numbers: 0 to 5."""
    tile_back: Literal["cross", "lines", "checks", "plain"] = "cross"
    tick: bool = True
    """Whether coins carry the small mark at their upper edge."""
    coin_rim: bool = False
    pawn: Literal["ball", "cone", "saucer"] = "ball"


@dataclass(frozen=True, slots=True)
class DieLook:
    """One make of ordinary dice."""

    size_mm: float = 16.0
    edge_mm: float = 1.5
    round_mm: float = 0.0
    """How far a sphere cuts the corners; 0 leaves them."""
    stuff: Stuff = Stuff(WHITE, 0.6)
    ink: Colour = BLACK
    one_ink: Colour | None = None
    pip_share: float = 0.19
    spread: float = 0.56
    drilled: bool = True
    one_share: float = 1.0
    """How much larger the pip of the 1 is than the others."""
    two_reach: float = 1.0
    """How far from the middle the pips of the 2 lie, beside those of the 4."""


@dataclass(frozen=True, slots=True)
class DuelLook:
    """One make of dice with coats of arms."""

    size_mm: float = 16.0
    edge_mm: float = 1.6
    round_mm: float = 0.0
    stuff: Stuff = Stuff((0.74, 0.66, 0.50), 0.35)
    ink: Colour = (0.05, 0.025, 0.015)
    outline: float = 0.06
    style: int = 0
    """Shape of the shield: 0 pointed, 1 round below, 2 square, 3 no outline."""
    cross_style: int = 0


@dataclass(frozen=True, slots=True)
class SoldierLook:
    """One make of toy soldiers."""

    base_mm: float = 22.0
    tall_mm: float = 34.0
    sides: tuple[Colour, Colour] = ((0.06, 0.16, 0.04), (0.42, 0.26, 0.10))
    gloss: float = 0.35
    marker: bool = False
    """Whether each wears the printed disc that tells side, type and facing."""
    bulk: float = 1.0


@dataclass(frozen=True, slots=True)
class SheetLook:
    """A printed or written sheet of paper lying flat."""

    width_mm: float = 148.0
    height_mm: float = 105.0
    paper: Colour = (0.78, 0.77, 0.73)
    ink: Colour = (0.10, 0.08, 0.06)
    style: Literal["duel-map", "notes", "blank", "marker", "mat", "photo", "lines"] = "notes"
    number: int = 0
    """The id of a marker."""


@dataclass(frozen=True, slots=True)
class ThingLook:
    """Something that is no piece of any game."""

    thing: str = "cup"
    """One of ``simulation.things.THINGS``."""
    size: float = 1.0
    colour: Colour = (0.5, 0.5, 0.5)
    second: Colour = (0.1, 0.1, 0.1)
    gloss: float = 0.4


Look: TypeAlias = DominoLook | PiecepackLook | DieLook | DuelLook | SoldierLook | SheetLook | ThingLook

_SET_INKS: tuple[Colour, ...] = (
    (0.02, 0.22, 0.55), (0.05, 0.38, 0.05), (0.62, 0.02, 0.05), (0.28, 0.09, 0.03), (0.01, 0.07, 0.42),
    (0.75, 0.32, 0.01), (0.55, 0.02, 0.32), (0.01, 0.42, 0.36), (0.13, 0.02, 0.33), (0.72, 0.13, 0.01),
    (0.16, 0.01, 0.05), (0.30, 0.31, 0.31),
)  # fmt: skip
_PALE_INKS: tuple[Colour, ...] = (
    (0.10, 0.30, 0.42), (0.55, 0.06, 0.04), (0.60, 0.05, 0.03), (0.25, 0.20, 0.03), (0.04, 0.09, 0.22),
    (0.05, 0.20, 0.10), (0.30, 0.05, 0.28), (0.05, 0.35, 0.32), (0.10, 0.05, 0.25), (0.50, 0.18, 0.02),
    (0.20, 0.04, 0.06), (0.22, 0.22, 0.22),
)  # fmt: skip

ORDINARY = "ordinary"
"""The look of pieces that most people own: ivory dominoes, plain dice, black print on white paper."""
DOMINOES: dict[str, DominoLook] = {
    look.name: look
    for look in (
        DominoLook(),
        DominoLook("white", 50, 25, 10, 3.0, 1.4, Stuff(WHITE, 0.75), inks=(BLACK,), pip_mm=4.8, pin="brass"),
        DominoLook("black", 48, 24, 8, 1.5, 0.6, Stuff((0.02, 0.02, 0.022), 0.55), inks=(WHITE,),
                   bar_ink=WHITE, pip_mm=4.0, back_ink=(0.2, 0.2, 0.2)),
        DominoLook("beech", 50, 25, 8, 1.0, 0.5, Stuff((0.62, 0.44, 0.24), 0.15, "wood"), pips="printed",
                   bar="printed", bar_mm=1.0, bar_share=0.9, pip_mm=4.6, inks=((0.02, 0.015, 0.01),)),
        DominoLook("walnut", 45, 22, 9, 0.8, 0.4, Stuff((0.16, 0.075, 0.035), 0.2, "wood"), inks=(CREAM,),
                   bar_ink=CREAM, pips="inlaid", pip_mm=3.6, bar="printed", bar_mm=0.8),
        DominoLook("pink", 48, 24, 8.5, 3.0, 1.2, Stuff((0.85, 0.10, 0.26), 0.7), inks=((0.80, 0.42, 0.01),),
                   bar_ink=(0.80, 0.42, 0.01), pip_mm=4.4),
        DominoLook("blue", 44, 22, 8, 2.0, 0.8, Stuff((0.03, 0.10, 0.42), 0.6), inks=(WHITE,), bar_ink=WHITE,
                   pip_mm=3.8, pin="steel"),
        DominoLook("coloured pips", 50.8, 25.4, 12, 3.2, 1.5, Stuff((0.83, 0.82, 0.78), 0.8), inks=_SET_INKS,
                   pip_mm=5.6, small_pips=False, bar_mm=2.2, bar_share=0.82, spread=0.6),
        DominoLook("thin coloured pips", 48, 24, 8, 2.0, 0.9, Stuff((0.80, 0.80, 0.76), 0.55),
                   inks=_PALE_INKS, pip_mm=4.4, pin="steel", bar_mm=1.4, variant=1),
        DominoLook("two layers", 51, 25, 12, 2.2, 0.8, Stuff(CREAM, 0.6), back=BLACK, pip_mm=4.2,
                   pin="brass", back_style="frame"),
        DominoLook("pearl", 50, 25, 9.5, 3.5, 1.6, Stuff((0.74, 0.70, 0.66), 0.9, "pearl"), pip_mm=4.6,
                   bar="brass", bar_mm=1.2, pin="brass"),
        DominoLook("card", 42, 21, 8, 1.2, 0.3, Stuff((0.80, 0.78, 0.74), 0.1), pips="printed",
                   inks=((0.03, 0.03, 0.035),), bar="printed", bar_mm=0.7, pip_mm=3.4, frame=True,
                   back_style="lattice", back_ink=(0.35, 0.03, 0.04)),
        DominoLook("green", 54, 27, 10, 2.5, 1.0, Stuff((0.02, 0.20, 0.09), 0.65), inks=((0.80, 0.72, 0.3),),
                   bar_ink=(0.80, 0.72, 0.3), pip_mm=4.8, back_style="rings", back_ink=(0.5, 0.42, 0.1)),
        DominoLook("marble", 56, 28, 11, 2.0, 1.2, Stuff((0.62, 0.60, 0.56), 0.85, "marble"), pip_mm=5.0,
                   back_style="words", back_ink=(0.05, 0.06, 0.1)),
        DominoLook("red", 46, 23, 8.5, 2.4, 0.9, Stuff((0.42, 0.02, 0.025), 0.6), inks=(WHITE,),
                   bar_ink=WHITE, pip_mm=4.0, bar="groove", variant=1),
        DominoLook("tournament", 57, 28.5, 12, 3.0, 1.4, Stuff(IVORY, 0.65), pip_mm=5.2, pin="brass",
                   back_style="lines", back_ink=(0.3, 0.2, 0.06)),
    )
}  # fmt: skip
