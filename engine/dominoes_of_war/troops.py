"""The soldiers: which armies there are, and how each type moves and attacks.

This table is the whole difference between the types; what a column means is explained at its field.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from engine.dominoes_of_war.places import AROUND, DIAGONAL, STRAIGHT

Kind: TypeAlias = str
"""A type of soldier, as ``grunt``."""

HIDDEN: Kind = "hidden"
"""A soldier who stands behind a divider and has not been seen yet."""

UNLIMITED = 200
"""A range that no table exhausts."""

Gait = Literal["straight", "diagonal", "any", "climbing"]
"""How a step goes: in the four directions, slanting, in all eight, or in the four and over walls."""

GAIT_STEPS: Mapping[Gait, frozenset[int]] = {
    "straight": frozenset(STRAIGHT.values()),
    "diagonal": frozenset(DIAGONAL.values()),
    "any": frozenset(AROUND.values()),
    "climbing": frozenset(STRAIGHT.values()),
}
"""The steps of each gait."""


class TroopType(NamedTuple):
    """How one type of soldier moves and attacks."""

    title: str
    """What players call it."""
    code: str
    """The middle of its rule ids: ``DOW-GRU-M`` is how a Grunt moves."""
    gait: Gait
    steps: int
    """A move goes up to so many spaces."""
    aim: frozenset[int]
    """The directions of its attack (for a Sniper those he may face); none where it has no attack."""
    near: int = 1
    far: int = 1
    """An attack reaches from ``near`` to ``far`` spaces."""
    thrown: bool = False
    """Its attack passes over walls and troops."""
    leads: bool = False
    """It may spawn."""
    steady: bool = False
    """It attacks only where it faces."""
    split: bool = False
    """It shoots in two directions, ``far`` spaces in total."""
    tireless: bool = False
    """It may take several actions in one turn."""
    bomb: bool = False
    """It explodes."""
    nimble: bool = False
    """Mines do not explode under it."""


_FOUR = GAIT_STEPS["straight"]
_EIGHT = GAIT_STEPS["any"]

TROOPS: Mapping[Kind, TroopType] = {
    "general": TroopType("General", "GEN", "any", 1, _EIGHT, leads=True),
    "chieftain": TroopType("Chieftain", "CHI", "any", 1, _EIGHT, leads=True),
    "grunt": TroopType("Grunt", "GRU", "straight", 3, _FOUR, far=4),
    "sniper": TroopType("Sniper", "SNI", "straight", 2, _FOUR, far=UNLIMITED, steady=True),
    "kamikaze": TroopType("Kamikaze", "KAM", "straight", 2, frozenset(), bomb=True),
    "grenadier": TroopType("Grenadier", "GRE", "diagonal", 2, _FOUR, near=2, far=4, thrown=True),
    "quick-shot": TroopType("Quick Shot", "QUI", "straight", 2, _FOUR, far=5, split=True),
    "shotgunner": TroopType("Shotgunner", "SHO", "any", 2, _EIGHT, far=2),
    "gunslinger": TroopType("Gunslinger", "GUN", "any", 2, _EIGHT, far=2, tireless=True),
    "spear-thrower": TroopType("Spear Thrower", "SPE", "straight", 2, _EIGHT, far=3, thrown=True),
    "lightfoot": TroopType("Lightfoot", "LIG", "climbing", 3, _FOUR, far=2, nimble=True),
    HIDDEN: TroopType("hidden soldier", "", "straight", 0, frozenset()),
}
"""Every type of soldier, and one of whom nothing is known."""

ARMIES: Mapping[str, tuple[Kind, ...]] = {
    "army": ("general", "grunt", "sniper", "kamikaze", "grenadier"),
    "cowboys": ("general", "quick-shot", "shotgunner", "gunslinger", "sniper"),
    "indians": ("chieftain", "sniper", "shotgunner", "spear-thrower", "lightfoot"),
}
"""The five types of each army, in the order of the rules."""


def title(kind: Kind) -> str:
    """What players call this type."""
    return TROOPS[kind].title
