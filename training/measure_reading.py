"""How well pieces are read in pictures that were never learned from.

    python -m training.pictures --out OUT/check --pictures 800 --seed 9001
    python -m training.measure_reading --data OUT/check [--failures DIR]

Each piece that is at least 40 % visible ends as exactly one of: right, asked, wrong and silent, missed; what
matches no piece and is sure is a phantom. Pieces less visible are left out, whatever is said of them counts
neither way. Tables with markers are read the mat way, the others the free way; with --field those of
Dominoes of War as in a match, where each place of the field is looked at again.
"""

import argparse
import json
import math
import sys
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from benchmarks.wilson import interval
from calibration.plan import plan_of
from training.examples import Pictures, Target
from vision.photos.picture_reading import read_picture
from vision.pieces.field import on_field
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout
from vision.pieces.sureness import sure

LEAST_VISIBLE = 0.4
COVERED = 0.75
"""An open domino of which less is seen has something on it: a man, mostly."""
_BINS = 10
_SUREST = 0.001


@dataclass
class Score:
    """Counts of outcomes, by kind of piece, and what the confidence was worth."""

    counts: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    beliefs: list[tuple[float, bool]] = field(default_factory=list)
    there: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    """What it cost, in nats, to believe that one of its kind is there as much as was said of each reading."""
    pictures: int = 0
    perfect: int = 0
    failures: list[str] = field(default_factory=list)
    covered: Counter[str] = field(default_factory=Counter)
    """Of open dominoes with something on them: how many there are, and of how many the likeliest is right."""


def same(one: Read, want: Target) -> bool:
    """Whether a reading says what the truth says, as far as a picture can show it."""
    facts = want.facts
    face = str(facts["face"])
    if one.face != face:
        return False
    value, truth = one.value or {}, facts["value"] or {}
    if one.kind == "domino":
        return face != "up" or bool(sorted(value["pips"]) == sorted(truth["pips"]))
    if one.kind == "soldier":
        return bool(value.get("type") == truth.get("type"))
    if one.kind == "die" and truth.get("face") in ("null", "joker"):
        return bool(value.get("face") == truth["face"])
    return all(bool(value.get(k) == v) for k, v in truth.items() if v is not None)


def pair(reading: Readout, wanted: list[Target]) -> dict[int, int]:
    """Which reading belongs to which piece, the nearest first, and what can be seen before what is hidden."""
    near = []
    for i, want in enumerate(wanted):
        reach = 0.35 * max(float(np.linalg.norm(axis)) for axis in want.axes)
        kinds = ("domino", "wall") if want.kind == "wall" else (want.kind,)
        for j, one in enumerate(reading.pieces):
            away = float(np.linalg.norm(one.middle - want.middle))
            if one.kind in kinds and away <= reach:
                near.append((want.visible < LEAST_VISIBLE, away, i, j))
    found: dict[int, int] = {}
    for _, _, i, j in sorted(near):
        if i not in found and j not in found.values():
            found[i] = j
    return found


def judge(reading: Readout, wanted: list[Target], score: Score, name: str) -> bool:
    """Count one picture; whether it was perfect."""
    partner = pair(reading, wanted)
    failed = len(score.failures)
    perfect = True
    for i, want in enumerate(wanted):
        if want.visible < LEAST_VISIBLE or not _is_inside(want, reading.size):
            continue
        one = reading.pieces[partner[i]] if i in partner else None
        outcome = "missed" if one is None else _outcome(one, want)
        score.counts[want.kind][outcome] += 1
        perfect = perfect and outcome == "right"
        if want.kind == "domino" and want.facts["face"] == "up" and want.visible < COVERED:
            score.covered += Counter(n=1, likeliest=one is not None and same(one, want))
        if one is not None:
            score.beliefs.append((one.confidence, same(one, want)))
        if outcome in ("wrong", "missed"):
            said, at = one and one.value, want.middle.round()
            score.failures.append(f"{name}: {outcome} {want.kind} {want.facts['value']} said {said} at {at}")
    for j, one in enumerate(reading.pieces):
        if j in partner.values() or not _may_be_hidden(one, wanted):
            score.there[one.kind].append(loss(one.there, there=j in partner.values()))
        if j not in partner.values() and sure(one) and not _may_be_hidden(one, wanted):
            score.counts[one.kind]["phantom"] += 1
            score.failures.append(f"{name}: phantom {one.kind} {one.value} at {one.middle.round()}")
    perfect = perfect and len(score.failures) == failed
    score.pictures += 1
    score.perfect += perfect
    return perfect


def _outcome(one: Read, want: Target) -> str:
    if not sure(one):
        return "asked"
    return "right" if same(one, want) else "wrong"


def _is_inside(want: Target, size: tuple[int, int]) -> bool:
    """Whether the picture shows all of its place, but for a rim that may be rounded away."""
    return bool((want.corners > -2).all() and (want.corners < (size[0] + 2, size[1] + 2)).all())


def _may_be_hidden(one: Read, wanted: list[Target]) -> bool:
    """Whether it may be one of the pieces that do not count, as they are hidden or cut off."""
    reach = [max(float(np.linalg.norm(axis)) for axis in want.axes) for want in wanted]
    away = [float(np.linalg.norm(one.middle - want.middle)) for want in wanted]
    near_any = any(far < 0.5 * long for far, long in zip(away, reach, strict=True))
    return near_any and any(
        far < long and (want.visible < LEAST_VISIBLE or not bool((want.corners > 0).all()))
        for want, far, long in zip(wanted, away, reach, strict=True)
    )


def loss(said: float, *, there: bool) -> float:
    """What a belief in something cost once it is known, in nats; no belief counts as more than 999 to one."""
    return -math.log(max(_SUREST, said if there else 1.0 - said))


def calibration_error(beliefs: list[tuple[float, bool]]) -> float:
    """How far confidence is from the share that is right, averaged over all readings."""
    bins = np.minimum((np.array([p for p, _ in beliefs]) * _BINS).astype(int), _BINS - 1)
    right = np.array([good for _, good in beliefs], dtype=float)
    p = np.array([p for p, _ in beliefs])
    return float(
        sum(
            abs(p[bins == b].mean() - right[bins == b].mean()) * (bins == b).mean()
            for b in set(bins.tolist())
        )
    )


def told(score: Score) -> dict[str, Any]:
    """The figures."""
    out: dict[str, Any] = {
        "pictures": score.pictures,
        "perfect": round(score.perfect / max(1, score.pictures), 4),
    }
    whole: Counter[str] = Counter()
    for kind, counts in sorted(score.counts.items()):
        whole += counts
        out[kind] = _line(counts)
    out["all"] = _line(whole)
    if n := score.covered["n"]:
        right = score.covered["likeliest"]
        share, ends = round(right / n, 4), [round(end, 4) for end in interval(right, n)]
        out["covered open dominoes"] = {"n": n, "likeliest right": share, "95 %": ends}
    if score.beliefs:
        out["calibration error"] = round(calibration_error(score.beliefs), 4)
    if score.there:
        losses = {kind: {"n": len(each), "nats": round(sum(each), 1)} for kind, each in score.there.items()}
        out["loss of what is said to be there"] = losses
    return out


def _line(counts: Counter[str]) -> dict[str, Any]:
    n = sum(counts[k] for k in ("right", "asked", "wrong", "missed"))
    low, high = interval(counts["right"], n)
    return {"n": n, "right": round(counts["right"] / max(1, n), 4), "95 %": [round(low, 4), round(high, 4)],
            "asked": counts["asked"], "wrong": counts["wrong"], "missed": counts["missed"],
            "phantom": counts["phantom"]}  # fmt: skip


def main() -> int:
    """Read all pictures and print the figures, a kind of picture each."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--failures", type=Path, help="write pictures that were not perfect there, drawn in")
    parser.add_argument("--most", type=int, default=1_000_000)
    parser.add_argument("--field", action="store_true", help="look again at the field of Dominoes of War")
    parser.add_argument("--only", help="only this kind of picture")
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    pictures = Pictures(asked.data)
    scores: dict[str, Score] = defaultdict(Score)
    for n in range(min(len(pictures), asked.most)):
        kind = pictures.kinds[n]
        if asked.only not in (None, kind):
            continue
        picture = pictures.picture(n)
        reading = read_picture(picture)
        if asked.field:
            reading = on_field(picture, reading, plan_of("dominoes-of-war"))
        perfect = judge(reading, pictures.targets[n], scores[kind], f"{n} {kind}")
        if not perfect and asked.failures:
            from vision.pieces.overlay import drawn_in

            asked.failures.mkdir(parents=True, exist_ok=True)
            cv2.imwrite(str(asked.failures / f"{kind}-{n}.jpg"), drawn_in(picture, reading))
    for kind, score in scores.items():
        print(json.dumps({kind: told(score)}, indent=None))
        print("\n".join(score.failures[:400]), file=sys.stderr)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
