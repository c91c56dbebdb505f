"""Halves of dominoes that something lies over: paper over a half looks like its blank half.

A very small network sees each domino once more, with what lies around it: paper goes on beyond the rim of a
domino, and its edge is no bar (``training.teach_hidden_halves``). And its halves are of one hue, in whatever
light. What a hidden half shows nobody knows: where one may be hidden, its pips are so much less believed.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from vision.pieces.domino_reading import FACES, PIPS, DominoReading
from vision.pieces.networks import answers
from vision.pieces.patches import Floats, Picture, body, cut, framed

SIZE = (104, 72)
CORNERS = framed(SIZE, (20, 20))
"""Where a domino's corners lie in its patch: what is around it is seen as far as half its width."""
_CHANCES = (0.2, 0.45)
"""Up to the first of these chances a half counts as open, from the second on as hidden: of 330 dominoes in
real photographs that are believed none was given more than 0.17."""
_HUES = (32.0, 40.0)
"""The same of hues that lie apart, for both halves: which one is no part of the domino is not known. Of 322
dominoes in real photographs none had halves further apart than 31.7."""
_NO_BACK = 0.4
"""So much belief in a back or a side is lost where something lies over it: it stays one, and is asked."""
_ASKED_ANYWAY = 0.5
"""What is believed no more than this is asked about, whatever lies over it."""
_UP = FACES.index("up")
_BARE = np.array([float(face in ("down", "edge")) for face in FACES])
"""Which faces show no pips, as paper does."""


def doubted(picture: Picture, seen: Sequence[DominoReading]) -> list[DominoReading]:
    """The readings, each believed as far as its halves are open."""
    out = list(seen)
    which = [k for k, one in enumerate(seen) if _is_believed(one)]
    likely = chances(picture, [seen[k].corners for k in which])
    for k, halves in zip(which, likely, strict=True):
        unlike = _between(_hues_apart(picture, seen[k].corners), *_HUES)
        doubt = np.maximum(_between(halves, *_CHANCES), unlike)
        out[k] = with_doubt(seen[k], doubt)
    return out


def chances(picture: Picture, corners: Sequence[Floats]) -> Floats:
    """How likely it is of the first and the second half of each domino (n×2) that something lies over it."""
    if not corners:
        return np.zeros((0, 2))
    said = answers("hidden_halves", [cut(picture, one, CORNERS, SIZE)[0] for one in corners])
    return np.asarray(1 / (1 + np.exp(-said)))


def _hues_apart(picture: Picture, corners: Floats) -> float:
    """How far the hues of a domino's halves lie apart (CIE Lab); slanting light leaves them alike."""
    lab = body(picture, corners)[1:-1]
    half = lab.shape[1] // 2
    ends = [
        np.median(part.reshape(-1, 3), axis=0)[1:] for part in (lab[:, 1 : half - 1], lab[:, half + 1 : -1])
    ]
    return float(np.linalg.norm(ends[0] - ends[1]))


def _between(values: Any, low: float, high: float) -> Any:
    return np.clip((values - low) / (high - low), 0, 1)


def with_doubt(one: DominoReading, hidden: Floats) -> DominoReading:
    """A reading whose halves are hidden so far: they can show anything, and a back may be a hidden face."""
    first, second = (
        (1 - part) * said + part / PIPS for said, part in zip((one.first, one.second), hidden, strict=True)
    )
    maybe = float(hidden.max()) * _NO_BACK * one.faces * _BARE
    faces = one.faces - maybe
    faces[_UP] += maybe.sum()
    visible = min(one.visible, 1 - float(hidden.mean()))
    return replace(one, faces=faces, first=first, second=second, visible=visible)


def _is_believed(one: DominoReading) -> bool:
    shown = float(one.first.max() * one.second.max())
    return bool(max(one.faces[_UP] * shown, *(one.faces * _BARE)) > _ASKED_ANYWAY)
