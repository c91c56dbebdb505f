"""Dice with numbers are told by the colour in which their suit's coins are printed."""

import cv2
import numpy as np
import pytest

from vision.pieces.ink import with_inks
from vision.pieces.patches import Picture
from vision.pieces.small import CHOICES, SmallReading, chosen

INKS = {"suns": (40, 40, 190), "moons": (30, 30, 30), "crowns": (50, 150, 40), "arms": (170, 60, 40)}
"""Blue, green, red."""
SIDE = 40


def reading(kind: str, x: int, suit: str = "", rank: str = "4") -> SmallReading:
    """A piece of this kind, of a suit that is known or of any."""
    shares = {name: np.full(len(values), 1 / len(values)) for name, values in CHOICES.items()}
    sure = {
        "kind": kind,
        "side": "suit",
        "rank": rank,
        "set": "piecepack",
        **({"suit": suit} if suit else {}),
    }
    for name, value in sure.items():
        shares[name] = np.array([0.99 if one == value else 0.001 for one in CHOICES[name]])
    return SmallReading(shares, float(x), 50.0, float(SIDE), 0.0)


def table(inked: str, mixed: float, *others: str) -> tuple[Picture, list[SmallReading]]:
    """Four coins on which a suit is painted, and dice with thin numbers, the last ``inked``."""
    picture: Picture = np.full((100, 400 + 70 * len(others), 3), 90, dtype=np.uint8)
    for k, ink in enumerate(INKS.values()):
        cv2.circle(picture, (50 + 70 * k, 50), 20, (150, 190, 205), -1)
        cv2.circle(picture, (50 + 70 * k, 50), 7, ink, -1)
    dice = [340 + 70 * k for k in range(1 + len(others))]
    for x, ink in zip(dice, (*others, inked), strict=True):
        cv2.rectangle(picture, (x - 20, 30), (x + 20, 70), (225, 235, 235), -1)
        body = np.array((225, 235, 235), dtype=float)
        thin = mixed * np.array(INKS[ink]) + (1 - mixed) * body
        cv2.rectangle(picture, (x - 3, 40), (x + 1, 60), tuple(int(v) for v in thin), -1)
    coins = [reading("coin", 50 + 70 * k, suit) for k, suit in enumerate(INKS)]
    return picture, [*coins, *(reading("die", x) for x in dice)]


@pytest.mark.parametrize("mixed", [0.9, 0.5])
@pytest.mark.parametrize("suit", INKS)
def test_a_die_is_of_the_suit_whose_ink_it_has(suit: str, mixed: float) -> None:
    """Also where the figure is so thin that half of its colour is the die's."""
    picture, seen = table(suit, mixed, "arms" if suit == "suns" else "suns")
    found, sure = chosen(with_inks(picture, seen)[-1], "suit")
    assert (found, sure > 0.8) == (suit, True)


def test_ink_says_nothing_where_a_suit_is_unknown_or_no_number_is_shown() -> None:
    """Without the coins of all suits, of an ace, which shows its suit, and of a blank face."""
    picture, seen = table("suns", 0.9, "moons")
    assert with_inks(picture, seen[1:]) == seen[1:]
    for rank in ("ace", "null"):
        other = [*seen[:-1], reading("die", 340, rank=rank)]
        assert with_inks(picture, other) == other


@pytest.mark.parametrize("dice", [1, 2, 4])
def test_ink_says_nothing_where_all_dice_are_printed_in_one(dice: int) -> None:
    """Black numbers on every die are no four dice of the darkest suit; of one alone nobody can know."""
    picture, seen = table("moons", 0.9, *["moons"] * (dice - 1))
    assert with_inks(picture, seen) == seen
