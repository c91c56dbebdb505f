"""Teach what a reading is worth beside all else on its table, and set from when on it is believed.

    python -m training.pictures --out OUT/tables --pictures 600 --seed 9700 --kind table
    python -m training.teach_company --data OUT/tables

To be run again whenever the readers have learned anew, on tables that none of them learned from: what they
say of those they know is believed too much. Each table is seen whole, and once more with whole sorts of
pieces and single ones taken away, so that no piece is doubted only because others of a game are not there.
Each is judged once by a network that learned from the others; the limits rest on these judgements of whole
tables, and the network that is written learned from all. Needs torch (2.13) beside numpy and OpenCV.
"""

import argparse
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from training.examples import Floats, Pictures, Target
from training.measure_reading import calibration_error, pair, same
from training.set_sureness import JudgedReading, limit_above, near_any, section
from vision.pieces import company
from vision.pieces.mat import table_in
from vision.pieces.mat_steps import gathered, read_alone
from vision.pieces.networks import MODELS
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout
from vision.pieces.sureness import SORTS, lies_open, sort_of

HIDDEN, STEPS, FOLDS = 64, 350, 5
_NETWORKS = 3
_DECAY, _DROPPED, _MOST_OF_ONE = 0.02, 0.25, 60.0
_LEAST_VISIBLE = 0.2
_LOWEST, _OVERLOOKED = 0.95, 1e-4
NEVER = 1.0
"""The limit of a sort that is always asked about."""
_SORT_GONE, _ONES_GONE = 0.35, (0.0, 0.3, 0.6)
"""How often a sort is missing on a thinned table, and which share of the others."""


@dataclass(frozen=True)
class JudgedTable:
    """The pieces of one table that can be judged: their numbers, and what came of them."""

    rows: Floats
    sorts: tuple[str, ...]
    right: Floats
    phantom: Floats
    open: Floats
    most: Floats
    """How much each can be believed at the most."""


def judged(
    kept: Sequence[Read], before: Sequence[Read], reading: Readout, wanted: Sequence[Target]
) -> JudgedTable | None:
    """The readings of a table beside its truth."""
    assert reading.table is not None
    rows = company.features(kept, before, reading.table) if kept else np.zeros((0, 0))
    piece_of = {j: wanted[i] for i, j in pair(reading, list(wanted)).items()}
    take, right, phantom = [], [], []
    for j, one in enumerate(kept):
        want = piece_of.get(j)
        if (want is None and near_any(one.middle, wanted)) or (want and want.visible < _LEAST_VISIBLE):
            continue  # beside a piece that is hardly seen there is no telling what is right
        take.append(j)
        right.append(want is not None and same(one, want))
        phantom.append(want is None)
    if not take:
        return None
    sorts = tuple(sort_of(kept[j]) for j in take)
    shown = np.array([lies_open(kept[j]) for j in take], float)
    most = np.array([company.most(kept[j]) for j in take])
    return JudgedTable(rows[take], sorts, np.array(right, float), np.array(phantom, float), shown, most)


@dataclass(frozen=True)
class Lesson:
    """A table as it is, and thinned."""

    whole: JudgedTable
    thinned: JudgedTable | None


def thinned(
    kept: Sequence[Read], before: Sequence[Read], rng: np.random.Generator
) -> tuple[list[Read], list[Read]]:
    """The readings of a table on which some sorts of pieces, and some of the others, do not lie."""
    gone = {sort for sort in SORTS if rng.random() < _SORT_GONE}
    share = float(rng.choice(_ONES_GONE))
    places = {(sort_of(one), *np.round(one.middle, 1)) for one in before}
    away = {place for place in sorted(places) if place[0] in gone or rng.random() < share}
    left = [
        [one for one in all_ if (sort_of(one), *np.round(one.middle, 1)) not in away]
        for all_ in (kept, before)
    ]
    return left[0], left[1]


def tables(folder: Path) -> list[Lesson]:
    """Every table of these pictures."""
    pictures = Pictures(folder)
    rng = np.random.default_rng(0)
    out = []
    for n in range(len(pictures)):
        if pictures.kinds[n] != "table":
            continue
        picture = pictures.picture(n)
        table = table_in(picture)
        if table is None:
            continue
        kept, before = gathered(read_alone(picture, table), table)
        size = (picture.shape[1], picture.shape[0])
        one = lesson(kept, before, Readout(size, (), {}, table), pictures.targets[n], rng)
        if one is not None:
            out.append(one)
    return out


def lesson(
    kept: Sequence[Read],
    before: Sequence[Read],
    reading: Readout,
    wanted: Sequence[Target],
    rng: np.random.Generator,
) -> Lesson | None:
    """What one table teaches, if anything lies there that can be judged."""
    few, few_before = thinned(kept, before, rng)
    whole = judged(kept, before, replace(reading, pieces=tuple(kept)), wanted)
    part = judged(few, few_before, replace(reading, pieces=tuple(few)), wanted)
    return None if whole is None else Lesson(whole, part)


def learned(lessons: Sequence[Lesson], seed: int) -> dict[str, Floats]:
    """The weights of a few networks that say how likely a reading is right."""
    told = [one for each in lessons for one in (each.whole, each.thinned) if one is not None]
    rows = np.concatenate([one.rows for one in told])
    mean, spread = rows.mean(axis=0), rows.std(axis=0) + 1e-3
    mean[: len(SORTS)], spread[: len(SORTS)] = 0.0, 1.0
    given = np.clip((rows - mean) / spread, -company.STRANGEST, company.STRANGEST)
    # A cloth on which a hundred pawns are seen is one table, not a hundred lessons.
    worth = np.concatenate([np.full(len(one.right), min(1.0, _MOST_OF_ONE / len(one.right))) for one in told])
    right = np.concatenate([one.right for one in told])
    each = [_one_network(given, right, worth, _NETWORKS * seed + k) for k in range(_NETWORKS)]
    stacked = {
        name: np.stack([weights[name] for weights in each]) for name in ("in", "in_bias", "out", "out_bias")
    }
    return {"mean": mean, "spread": spread, **stacked}


def _one_network(given: Floats, right: Floats, worth: Floats, seed: int) -> dict[str, Floats]:
    import torch
    from torch import nn

    torch.manual_seed(seed)
    first, last = nn.Linear(given.shape[1], HIDDEN), nn.Linear(HIDDEN, 1)
    net = nn.Sequential(first, nn.ReLU(), nn.Dropout(_DROPPED), last)
    seen, true, weight = (torch.tensor(one, dtype=torch.float32) for one in (given, right, worth))
    way = torch.optim.AdamW(net.parameters(), lr=1e-2, weight_decay=_DECAY)
    pace = torch.optim.lr_scheduler.CosineAnnealingLR(way, STEPS)
    for _ in range(STEPS):
        way.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(net(seen)[:, 0], true, weight)
        loss.backward()  # type: ignore[no-untyped-call]
        way.step()
        pace.step()
    kept = {"in": first.weight.T, "in_bias": first.bias, "out": last.weight.T, "out_bias": last.bias}
    return {name: value.detach().numpy().astype(float) for name, value in kept.items()}


def judgements(lessons: Sequence[Lesson]) -> dict[str, list[JudgedReading]]:
    """Each reading of the whole tables by sort, as a network that did not learn from its table judges it."""
    out: dict[str, list[JudgedReading]] = defaultdict(list)
    for fold in range(FOLDS):
        weights = learned([one for k, one in enumerate(lessons) if k % FOLDS != fold], fold)
        for one in (each.whole for each in lessons[fold::FOLDS]):
            chances = np.minimum(company.chances(one.rows, weights), one.most)
            for k in np.flatnonzero(one.open):  # what is half covered has a stricter limit
                out[one.sorts[k]].append(
                    JudgedReading(float(chances[k]), bool(one.right[k]), bool(one.phantom[k]))
                )
    return out


def limits(found: Mapping[str, Sequence[JudgedReading]]) -> dict[str, float]:
    """The limits of all sorts, of whose believed readings one in ten thousand may be wrong, all together.

    What may be wrong is spent where most is believed for it; a sort for which nothing is left is always asked
    about. A limit a sort, each strict by itself, would be set by a single odd picture.
    """
    spare = max(1, int(_OVERLOOKED * sum(len(told) for told in found.values())))
    best: dict[int, tuple[int, dict[str, float]]] = {0: (0, {})}
    for sort, told in found.items():
        ways = [max(_LOWEST, limit_above(told, wrong)) for wrong in range(spare + 1)]
        after: dict[int, tuple[int, dict[str, float]]] = {}
        for least in [*ways, NEVER]:
            right, wrong = _above(told, least)
            for spent, (believed, chosen) in best.items():
                total = spent + wrong
                if total <= spare and (total not in after or believed + right > after[total][0]):
                    after[total] = (believed + right, {**chosen, sort: least})
        best = after
    return max(best.values(), key=lambda one: one[0])[1]


def _above(told: Sequence[JudgedReading], least: float) -> tuple[int, int]:
    """How many believed readings are right, and how many show another piece than is there."""
    believed = [one for one in told if one.confidence >= least]
    return sum(one.right for one in believed), sum(not one.right and not one.phantom for one in believed)


def file_lines(found: Mapping[str, Sequence[JudgedReading]], tables_read: int) -> list[str]:
    """The limits that these judgements call for, with what they rest on."""
    each = [(one.confidence, one.right) for told in found.values() for one in told]
    text = [
        "# From when on a reading is believed beside all else on its table; made by training.teach_company.",
        f"# {tables_read} tables, each judged by a network that had not learned from it; calibration error",
        f"# {calibration_error(each):.4f} of {len(each)} readings.",
    ]
    judgements_of = {sort: found.get(sort, []) for sort in SORTS if sort not in company.AS_READ}
    for sort, least in limits(judgements_of).items():
        text += section(sort, judgements_of[sort], least)
    return text


def main() -> int:
    """Learn, and write the network and the limits."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, nargs="+", required=True, help="made by training.pictures")
    parser.add_argument("--out", type=Path, default=MODELS)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    told = [one for folder in asked.data for one in tables(folder)]
    text = "\n".join(file_lines(judgements(told), len(told)))
    print(text)
    (asked.out / "company.toml").write_text(text + "\n", encoding="utf-8")
    np.savez(asked.out / "company.npz", **{k: v.astype(np.float32) for k, v in learned(told, 0).items()})
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
