"""What a reading is worth beside all that lies on the same table: pieces of one game look and lie alike.

A back as light as forty others, as long, and in a row with them, is a back; a plank is alone with its colour;
and where men stand on a field, a shadow between two backs is more likely a wall than where there are none.
Some numbers say how a piece agrees with the others, and a very small network, taught on simulated tables,
says from them and from what the readers said how likely the reading is right (``training.teach_company``).
"""

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from calibration.table_finder import Table
from vision.pieces import in_reach
from vision.pieces.finder import USUAL_MM, WIDE_SHARE, overlap
from vision.pieces.layout_hints import hints
from vision.pieces.mat import corners_mm
from vision.pieces.networks import MODELS
from vision.pieces.one_a_place import may_share, reach
from vision.pieces.patches import Floats
from vision.pieces.piece_read import CLEAR, Read
from vision.pieces.sureness import SORTS, sort_of

AS_READ = ("die-piecepack", "die-kingdomino-duel")
"""Sorts that are believed as they are read. An ordinary die among pieces of a game may be one of theirs."""
_NEIGHBOUR_MM, _IN_ROW_DEG = 85.0, 6.0
_MOST_LOGIT = 9.0
_LAB_STEP, _BRIGHT, _BURNT = 15.0, 90.0, 99.0
_UNSEEN, _MOST_HELP = 0.9, 3.0
_CLASH = 0.12
STRANGEST = 4.0
"""No number counts for more than one so many times as far from the usual as most are."""


def believed(pieces: Sequence[Read], before: Sequence[Read], table: Table) -> list[Read]:
    """The readings, each believed as much as its company allows; ``before`` are those it was chosen from.

    But what a die of a game shows no neighbour tells: it is believed as it was read.
    """
    if not pieces:
        return []
    likely = chances(features(pieces, before, table), _weights())
    return [
        one if sort_of(one) in AS_READ else _with_chance(one, float(p))
        for one, p in zip(pieces, likely, strict=True)
    ]


def most(one: Read) -> float:
    """How much a reading can be believed at the most, whatever lies around it.

    What shines may be a face as well as a back; not so a tile of the board (138 readings, some of one tile in
    several lights: none was wrong). No company tells one value from another that looks nearly the same.
    """
    if one.value is None and one.kind != "tile" and one.colour is not None and one.colour[0] > _BURNT:
        return _UNSEEN
    return 1 / (1 + math.exp(-_logit(one.ranked[0][1]) - _MOST_HELP))


def _with_chance(one: Read, chance: float) -> Read:
    """The reading with this chance; what else it may show shares the rest, and never comes before it.

    What lies around says that it is there, not what it shows: where it doubts, the piece itself is doubted.
    """
    first = one.ranked[0][1]
    there = min(max(one.there, chance), chance / first)
    share = min(chance, most(one)) / there
    rest = (1 - share) / max(1e-9, 1 - first)
    ranked = (
        (one.ranked[0][0], share),
        *((value, min(p * rest, share, 1 - share)) for value, p in one.ranked[1:]),
    )
    return replace(one, there=there, ranked=ranked, in_company=True)


# --- how a piece agrees with the others --------------------------------------------------------------


def features(pieces: Sequence[Read], before: Sequence[Read], table: Table) -> Floats:
    """A row of numbers for each piece: its sort, what the readers said, and how the others agree."""
    sorts = np.array([SORTS.index(sort_of(one)) for one in pieces])
    sure = np.array([one.confidence > CLEAR for one in pieces])
    places, turns, sizes = _on_table(pieces, table)
    said = np.array([_said(one) for one in pieces])
    rivals = _rivals(pieces, before)
    flat = np.array([one.kind == "domino" and one.face != "edge" for one in pieces])
    laid = hints(places[:, :2], sure & flat, sure & np.array([one.kind == "tile" for one in pieces]))
    counts = np.log1p(np.bincount(sorts[sure], minlength=len(SORTS)))
    colours, twins = _colours(pieces), _twins(pieces)
    rows = []
    for k in range(len(pieces)):
        alike = sure & (sorts == sorts[k])
        alike[k] = False
        rows.append(
            [
                *np.eye(len(SORTS))[sorts[k]],
                *said[k],
                *sizes[k],
                *np.abs(sizes[k]),
                *_agreement(k, alike, sorts, sizes, said),
                *_in_rows(k, alike, places, turns),
                *_colour(colours[k], colours[alike]),
                *rivals[k],
                *twins[k],
                *laid[k],
                *counts,
            ]
        )
    return np.array(rows, dtype=float)


def _middle(rows: Floats) -> Floats:
    """The median of each column; for so few numbers ten times as fast as ``np.median``."""
    ranked, half = np.sort(rows, axis=0), len(rows) // 2
    return np.asarray(ranked[half] if len(rows) % 2 else (ranked[half - 1] + ranked[half]) / 2)


def _logit(p: float) -> float:
    p = min(max(p, 1e-6), 1 - 1e-6)
    return max(-_MOST_LOGIT, min(_MOST_LOGIT, math.log(p / (1 - p))))


def _said(one: Read) -> list[float]:
    """What finder and reader said of the piece itself, and how large it was in the picture."""
    second = one.ranked[1][1] if len(one.ranked) > 1 else 0.0
    ahead = math.log(max(one.ranked[0][1], 1e-6) / max(second, 1e-6))
    return [
        _logit(one.there),
        _logit(one.ranked[0][1]),
        min(_MOST_LOGIT, ahead),
        _logit(one.spotted),
        one.visible,
        math.log(max(1.0, one.length)),
    ]


def _on_table(pieces: Sequence[Read], table: Table) -> tuple[Floats, Floats, Floats]:
    """Middles (mm), turns (degrees), and length and width beside the usual ones (as logs)."""
    corners = corners_mm(pieces, table)
    along, down = corners[:, 1] - corners[:, 0], corners[:, 3] - corners[:, 0]
    usual = np.array([USUAL_MM[one.kind] for one in pieces])
    wide = np.array([WIDE_SHARE if one.kind == "domino" else 1.0 for one in pieces])
    sizes = np.log(
        np.maximum(1e-3, np.column_stack([np.linalg.norm(along, axis=1) / usual,
                                          np.linalg.norm(down, axis=1) / (usual * wide)]))
    )  # fmt: skip
    turns = np.degrees(np.arctan2(along[:, 1], along[:, 0]))
    return np.nan_to_num(corners.mean(axis=1)), np.nan_to_num(turns), np.clip(np.nan_to_num(sizes), -2, 2)


def _agreement(k: int, alike: Floats, sorts: Floats, sizes: Floats, said: Floats) -> list[float]:
    """How many trusted ones of its sort there are, how clear it is here, and how its size fits theirs."""
    of_sort = sorts == sorts[k]
    clear = float(np.clip(said[of_sort, 0], -_MOST_LOGIT, _MOST_LOGIT).mean())
    share = float(alike.sum()) / max(1, int(of_sort.sum()) - 1)
    if not alike.any():
        return [0.0, share, clear, 0.0, 0.0]
    off = np.abs(sizes[k] - _middle(sizes[alike]))
    return [math.log1p(float(alike.sum())), share, clear, float(off[0]), float(off[1])]


def _in_rows(k: int, alike: Floats, places: Floats, turns: Floats) -> list[float]:
    """How near the next of its sort is, and how many lie around it as straight as it does."""
    if not alike.any():
        return [1.0, 0.0, 0.0]
    away = np.linalg.norm(places[alike] - places[k], axis=1)
    bent = np.abs((turns[alike] - turns[k] + 45) % 90 - 45)
    near = away < _NEIGHBOUR_MM
    straight = float((near & (bent < _IN_ROW_DEG)).sum())
    return [min(1.0, float(away.min()) / 200), math.log1p(straight), math.log1p(float(near.sum()) - straight)]


def _colours(pieces: Sequence[Read]) -> Floats:
    """Of each piece its colour (n×3), NaN where it has none told, and how its long sides look."""
    return np.array([(*(one.colour or (math.nan,) * 3), _shown(one.rim)) for one in pieces])


def _colour(own: Floats, alike: Floats) -> list[float]:
    """How far it is burnt out, how far its colour is from theirs, and how its long sides do."""
    told, rim = not math.isnan(own[0]), float(own[3])
    burnt = max(0.0, (float(own[0]) - _BRIGHT) / (100 - _BRIGHT)) if told else 0.0
    apart = alike[~np.isnan(alike[:, 0]), :3] - own[:3]
    if not told or not len(apart):
        return [burnt, 0.0, 0.0, 0.0, 0.0, rim]
    by = np.column_stack([np.abs(apart[:, 0]), np.linalg.norm(apart[:, 1:], axis=1)])
    apart_by = [min(3.0, float(each) / _LAB_STEP) for each in _middle(by)]
    return [burnt, 1.0, *apart_by, rim - float(_middle(alike[:, 3])), rim]


def _shown(contrast: float) -> float:
    """A contrast as the eye has it: what is twice as large is one step more."""
    return math.log1p(contrast / 3.0)


def _rivals(pieces: Sequence[Read], before: Sequence[Read]) -> list[list[float]]:
    """How strongly other kinds, and others of its kind, claim the place of each piece."""
    out = []
    for one, near in zip(pieces, in_reach.near(reach(pieces), reach(before)), strict=True):
        strongest = [0.0, 0.0]
        for other in (before[k] for k in near):
            if other.corners is one.corners or may_share(one, other):
                continue
            share = overlap(one.corners, other.corners)
            if share > _CLASH:
                same = other.kind == one.kind
                strongest[same] = max(strongest[same], other.confidence * min(1.0, 2 * share))
        out.append(strongest)
    return out


def _twins(pieces: Sequence[Read]) -> list[list[float]]:
    """How likely another piece of its kind shows the same, and how many of its kind there are."""
    of_kind = Counter(one.kind for one in pieces)
    showing: dict[Hashable, list[float]] = defaultdict(list)
    for one in pieces:
        showing[_shows(one)].append(one.confidence)
    return [[_best_other(one, showing), math.log1p(of_kind[one.kind] - 1)] for one in pieces]


def _best_other(one: Read, showing: Mapping[Hashable, Sequence[float]]) -> float:
    """How sure the surest is of all others that show the same."""
    if one.value is None:
        return 0.0
    others = [*showing[_shows(one)]]
    others.remove(one.confidence)
    return max(others, default=0.0)


def _shows(one: Read) -> Hashable:
    """What a piece of a kind shows, however it is turned."""
    value = dict(one.value or {})
    if one.kind == "domino":
        return one.kind, tuple(sorted(value.get("pips", ())))
    return one.kind, one.owner, frozenset({**value, "facing_deg": None}.items())


# --- the network -------------------------------------------------------------------------------------


def chances(rows: Floats, weights: Mapping[str, Floats]) -> Floats:
    """How likely each reading is right, as several networks that learned alike have it on average."""
    given = np.clip((rows - weights["mean"]) / weights["spread"], -STRANGEST, STRANGEST)
    seen = np.maximum(given @ weights["in"] + weights["in_bias"][:, None], 0)
    said = (seen @ weights["out"])[..., 0] + weights["out_bias"]
    return np.asarray(1 / (1 + np.exp(-said.mean(axis=0))))


@cache
def _weights() -> dict[str, Floats]:
    with np.load(MODELS / "company.npz") as kept:
        return {name: np.asarray(kept[name], dtype=float) for name in kept.files}
