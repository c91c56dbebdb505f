"""The suits of a piecepack's dice, told by their ink: a set prints each suit in one colour on coins and dice.

A figure is small and thin, so that its ink is mixed with the body of the die: compared is not the colour but
the way from the body's colour to the ink's, which mixing does not turn.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import cv2
import numpy as np

from vision.pieces.patches import Floats, Picture, cut, framed
from vision.pieces.small import CHOICES, SmallReading, chosen

SUITS = CHOICES["suit"]
_SIZE = 24
_CORNERS = framed((_SIZE - 1, _SIZE - 1), (-0.5, -0.5))
_ON_COIN, _ON_DIE = 0.62, 0.7
"""The share of a side within which the figure lies: a square in a round, a face without its rim."""
_INKED, _LIGHT = 90, 40
_WEIGHTS = np.array([1.0, 2.0, 2.0])
"""Light and shade change how light a colour is more than which it is."""
_SURE = 0.95
_SPREAD_DEG = 22.0
"""How far the ink of a die lies off that of its suit's coins: 18 of 19 dice of six simulated tables lay
nearest to the right suit, half of them within 15 degrees."""
_LEAST_INKS = 2
"""Dice that all look printed in the ink of one suit may be of a set whose dice are all printed in one ink."""
_TRUST = 0.95
"""How likely it is that the ink tells anything: a thin moon tells little."""


def with_inks(picture: Picture, seen: Sequence[SmallReading]) -> list[SmallReading]:
    """Readings after the ink of every die was held against that of coins whose suit is seen."""
    inks = _inks(picture, seen)
    if len(inks) < len(SUITS):
        return list(seen)
    figures = [one for one in seen if _shows(one)]
    if len({int(np.argmin(_off_deg(picture, one, inks))) for one in figures}) < _LEAST_INKS:
        return list(seen)
    return [_after_ink(picture, one, inks) if _shows(one, but=("ace", "null")) else one for one in seen]


def _shows(one: SmallReading, but: Sequence[str] = ("null",)) -> bool:
    """Whether it is a die with a figure: a blank face has no ink, and an ace shows its suit as it is."""
    if chosen(one, "kind")[0] != "die" or chosen(one, "set")[0] != "piecepack":
        return False
    return chosen(one, "rank")[0] not in but


def _inks(picture: Picture, seen: Sequence[SmallReading]) -> Mapping[str, Floats]:
    """The colour of each suit, as its coins show it."""
    found: dict[str, list[Floats]] = {}
    for one in seen:
        suit, likely = chosen(one, "suit")
        kind, there = chosen(one, "kind")
        if kind == "coin" and chosen(one, "side")[0] == "suit" and min(there, likely) > _SURE:
            body, way = _figure(picture, one, _ON_COIN)
            found.setdefault(suit, []).append(body + way)
    return {suit: np.mean(each, axis=0) for suit, each in found.items()}


def _after_ink(picture: Picture, one: SmallReading, inks: Mapping[str, Floats]) -> SmallReading:
    fits = np.exp(-0.5 * (_off_deg(picture, one, inks) / _SPREAD_DEG) ** 2)
    fits = _TRUST * fits / max(float(fits.sum()), 1e-9) + (1 - _TRUST) / len(SUITS)
    suit = one.choices["suit"] * fits
    return replace(one, choices={**one.choices, "suit": suit / suit.sum()})


def _off_deg(picture: Picture, one: SmallReading, inks: Mapping[str, Floats]) -> Floats:
    """How far the ink of a die lies off that of each suit."""
    body, way = _figure(picture, one, _ON_DIE)
    return np.array([_between_deg(way, inks[suit] - body) for suit in SUITS])


def _figure(picture: Picture, one: SmallReading, share: float) -> tuple[Floats, Floats]:
    """The colour of what the figure is printed on, and the way from it to the ink's (CIE Lab)."""
    middle = one.corners.mean(axis=0)
    flat, _ = cut(picture, middle + (one.corners - middle) * share, _CORNERS, (_SIZE, _SIZE))
    lab: Any = cv2.cvtColor(flat.astype(np.float32) / 255, cv2.COLOR_BGR2Lab).reshape(-1, 3)
    body = np.median(lab[lab[:, 0] >= np.percentile(lab[:, 0], _LIGHT)], axis=0)
    ways = lab - body
    far = np.linalg.norm(ways * _WEIGHTS, axis=1)
    return np.asarray(body, dtype=float), np.asarray(
        ways[far >= np.percentile(far, _INKED)].mean(axis=0), dtype=float
    )


def _between_deg(one: Floats, other: Floats) -> float:
    """The angle between two ways from one colour to others."""
    a, b = one * _WEIGHTS, other * _WEIGHTS
    long = max(float(np.linalg.norm(a) * np.linalg.norm(b)), 1e-9)
    return math.degrees(math.acos(float(np.clip(a @ b / long, -1, 1))))
