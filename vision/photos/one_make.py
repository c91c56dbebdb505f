"""Dice of one make: those that were read surely show what ink and spacing the pips of the others must have.

The dice of a throw are mostly of one make. What two stirred tones, a glint or a drilled shadow is to a reader
that never saw this make, its sure neighbours tell apart: the colour direction in which all their pips stand
off from all their bodies. Pips counted in that direction are a further opinion, which speaks only where it
would have counted the neighbours themselves rightly, and where nothing lies halfway between pip and body.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np

from vision.pieces.patches import Floats, Picture, cut
from vision.pieces.piece_read import Read
from vision.pieces.pip_blobs import REACH_PX, SIZE_PX, blobs, contrast, highest
from vision.pieces.pips import DIE, HALF
from vision.pieces.sureness import sure

_LEAST_NEIGHBOURS, _MOST_NEIGHBOURS, _LIKE = 4, 12, 25.0
"""So many dice of one make, and bodies so alike (CIE Lab, lightness at half), are enough to learn from; of
more those that look most alike are asked, so that a hundred dice take no longer each than a dozen."""
_TOLD, _RIGHT, _APART, _FAINTEST = 0.6, 0.9, 3.0, 10.0
"""A make is heard where so many of its own dice can be counted by the others, so many of these rightly, and
where its ink stands so many times farther off than its body varies, and at least so many shades."""
INK, _CLEAR, _RIM = 0.5, 0.3, 0.5
"""A pip has at least half the ink of the others; the next blob has clearly less, and so has the rim."""
_STRAY, _OFF = 0.3, 0.35
"""How far a pip may lie from its place, and all of them from the middle, as shares of half a side."""
_INSIDE, _OUTSIDE = 0.72, 0.95
_ODDS, _ODDS_OF_ONE, _ODDS_OF_A_DIE = 300.0, 30.0, 4.0
"""What such a count is worth for the face, and for there being a die that shows it; a single pip makes no
pattern, and says less."""
_LEAST = 1e-4
_LEAST_PX = 20.0
"""On smaller faces the three pips of a row run into each other, and two of them are counted."""
_PIP, _BODY = 0.1, 0.34
"""So near the middle of a pip there is ink, and so far from all of them there is body."""
_BLUR_PX, _NOISE, _LEAST_PIXELS = 1.7, 30.0, 3
_FACES = range(1, 7)


@dataclass(frozen=True)
class KnownDie:
    """The upper face of a die laid flat, and what of it is ink and body where its pips are known."""

    patch: Floats
    colour: Floats
    pips: int = 0
    ink: Floats | None = None
    body: Floats | None = None
    spacing: float | None = None

    @property
    def shows_both(self) -> bool:
        """Whether there are pixels of its ink and of its body."""
        return all(one is not None and len(one) >= _LEAST_PIXELS for one in (self.ink, self.body))


@dataclass(frozen=True)
class Make:
    """The colour direction from body to ink, where both lie in it, and how far apart the pips are."""

    axis: Floats
    body: float
    ink: float
    varies: float
    spacing: float

    @property
    def is_clear(self) -> bool:
        """Whether its ink can be told from its body, and its pips were seen in a pattern."""
        return self.ink - self.body > max(_APART * self.varies, _FAINTEST) and self.spacing > 0

    def ink_in(self, patch: Floats) -> Floats:
        """How much each pixel is ink rather than body, a little blurred."""
        share = (patch @ self.axis - self.body) / (self.ink - self.body)
        return np.asarray(cv2.GaussianBlur(share, (0, 0), _BLUR_PX))


def with_makes_heard(picture: Picture, pieces: Sequence[Read]) -> list[Read]:
    """The pieces after the ordinary dice were counted anew with the ink of those of their make."""
    known = known_dice(picture, pieces)
    out = list(pieces)
    for k, one in enumerate(pieces):
        if known and _can_be_counted(one):
            die = known.get(k) or look_of(picture, one.corners)
            make = make_of(die, [other for n, other in known.items() if n != k])
            count = None if make is None else _by_ink(die.patch, make)
            out[k] = one if count is None else heard(one, count)
    return out


def known_dice(picture: Picture, pieces: Sequence[Read]) -> dict[int, KnownDie]:
    """The dice that others can be measured by, by their numbers; none where they are too few."""
    dice = {k: _known(picture, one) for k, one in enumerate(pieces) if _can_be_counted(one) and _teaches(one)}
    known = {k: one for k, one in dice.items() if one.shows_both}
    return known if len(known) >= _LEAST_NEIGHBOURS else {}


def _can_be_counted(one: Read) -> bool:
    """Whether it is an ordinary die whose pips are seen apart from each other."""
    return one.kind == "die" and (one.value or {}).get("set") == "pips" and one.length >= _LEAST_PX


def _teaches(one: Read) -> bool:
    return sure(one) and str(one.counted) == (one.value or {}).get("face")


def look_of(picture: Picture, corners: Floats) -> KnownDie:
    """What lies within these corners, as a die whose pips are not known."""
    patch = np.asarray(cut(picture, corners, HALF, (SIZE_PX, SIZE_PX))[0], dtype=float)
    body = np.median(patch[8:40, 8:40].reshape(-1, 3), axis=0)
    lab = cv2.cvtColor((body / 255).astype(np.float32).reshape(1, 1, 3), cv2.COLOR_BGR2Lab).reshape(3)
    return KnownDie(patch, np.asarray(lab, dtype=float))


def _known(picture: Picture, one: Read) -> KnownDie:
    """A die whose pips are known, with the pixels that they and the body between them are made of."""
    die, pips = look_of(picture, one.corners), int((one.value or {})["face"])
    at = blobs(contrast(die.patch[None].astype(np.float32))[0])[0][:pips]
    line = (np.arange(SIZE_PX) - (SIZE_PX - 1) / 2) / REACH_PX
    x, y = np.meshgrid(line, line)
    away = np.hypot(x[..., None] - at[:, 0], y[..., None] - at[:, 1]).min(axis=2)
    inside = (abs(x) < 0.8) & (abs(y) < 0.8)
    ink, body = die.patch[(away < _PIP) & inside], die.patch[(away > _BODY) & inside]
    return replace(die, pips=pips, ink=ink, body=body, spacing=_spacing(at))


def _spacing(at: Floats) -> float | None:
    """How far from their middle pips lie, beside how far they are drawn."""
    if len(at) < 2:
        return None
    drawn = next(DIE.spread[k] for k, count in enumerate(DIE.counts) if count == len(at))
    return float(math.sqrt(at.var(axis=0).sum()) / np.linalg.norm(drawn))


def _unlike(one: KnownDie, other: KnownDie) -> float:
    return float(np.linalg.norm((one.colour - other.colour) * (0.5, 1, 1)))


def make_of(die: KnownDie, known: Sequence[KnownDie]) -> Make | None:
    """The make of the known dice that look like this one, where it would have counted themselves rightly."""
    others = sorted(known, key=lambda one: _unlike(one, die))[:_MOST_NEIGHBOURS]
    others = [one for one in others if _unlike(one, die) < _LIKE]
    if len(others) < _LEAST_NEIGHBOURS:
        return None
    each = [_by_ink(one.patch, _make([o for o in others if o is not one])) for one in others]
    told = [said == one.pips for said, one in zip(each, others, strict=True) if said is not None]
    if len(told) < _TOLD * len(others) or sum(told) < _RIGHT * len(told):
        return None
    make = _make(others)
    return make if make.is_clear else None


def _make(dice: Sequence[KnownDie]) -> Make:
    """What is common to dice of one make."""
    ink = np.concatenate([one.ink for one in dice if one.ink is not None])
    body = np.concatenate([one.body for one in dice if one.body is not None])
    most, least = np.median(ink, axis=0), np.median(body, axis=0)
    varies = (np.cov((ink - most).T) + np.cov((body - least).T)) / 2 + _NOISE * np.eye(3)
    axis = np.linalg.solve(varies, most - least)
    axis /= max(float(np.linalg.norm(axis)), 1e-9)
    spacings = [one.spacing for one in dice if one.spacing is not None]
    return Make(
        axis, float(least @ axis), float(most @ axis), float(np.std(body @ axis)),
        float(np.median(spacings)) if spacings else 0.0,
    )  # fmt: skip


def _by_ink(patch: Floats, make: Make) -> int | None:
    """The pips that a make's ink shows on a face, where they make one of the known patterns."""
    if not make.is_clear:
        return None
    at, ink = highest(make.ink_in(patch))
    out = abs(at).max(axis=1)
    if ink[(out >= _INSIDE) & (out < _OUTSIDE)].max(initial=0.0) > _RIM:
        return None
    at, ink = at[out < _INSIDE], ink[out < _INSIDE]
    count = int((ink > INK).sum())
    following = ink[count] if len(ink) > count else 0.0
    if count not in _FACES or ink[count - 1] - following < _CLEAR:
        return None
    at = at[:count]
    return count if np.linalg.norm(at.mean(axis=0)) < _OFF and _stray(at, make.spacing) < _STRAY else None


def _stray(at: Floats, spacing: float) -> float:
    """How far pips lie from the places of the pattern that suits them best."""
    middle, count = at.mean(axis=0), len(at)
    drawn = [DIE.places[k, :count] for k, there in enumerate(DIE.counts) if there == count]
    return min((farthest(at, middle + spacing * places) for places in drawn), default=np.inf)


def farthest(at: Floats, places: Floats) -> float:
    """How far the worst pip or place lies from its nearest partner."""
    away = np.linalg.norm(places[:, None] - at[None], axis=2)
    return float(max(away.min(axis=0).max(), away.min(axis=1).max()))


def pip_face(count: int) -> dict[str, Any]:
    """What an ordinary die shows with so many pips."""
    return {"set": "pips", "suit": None, "face": str(count), "crosses": None}


def heard(one: Read, count: int) -> Read:
    """The reading after a count by its make: odds joined, and surer to be a die where both agree."""
    said = pip_face(count)
    before = sum(p for value, p in one.ranked if value == said)
    odds = (_ODDS if count > 1 else _ODDS_OF_ONE) * max(before, _LEAST)
    whole = odds + 1 - before
    others = [(value, p / whole) for value, p in one.ranked if value != said]
    ranked = sorted([(said, odds / whole), *others], key=lambda each: -each[1])
    there = one.there
    if ranked[0][0] is said:
        there = _ODDS_OF_A_DIE * there / (1 - there + _ODDS_OF_A_DIE * there)
    return replace(one, ranked=tuple(ranked), there=there, counted=count)
