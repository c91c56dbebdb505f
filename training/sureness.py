"""Set when a reading is believed without asking: the limits, from pictures that no network learned from.

    python -m training.pictures --out OUT/sure --pictures 800 --seed 7001
    python -m training.sureness --data OUT/sure

To be run again whenever the readers have learned anew, after ``training.agreement``. Above the limit lie no
errors but a share that is too small to count, and the doubt that the surest error left is halved once more:
real pictures are harder than simulated ones.
"""

import argparse
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from training.examples import Floats, Pictures, Target
from training.measure_reading import pair, same
from vision.pieces.networks import MODELS
from vision.pieces.reading import read_picture
from vision.pieces.sureness import sort_of

LEAST_VISIBLE = 0.65
SORTS = ("domino", "back", "wall", "coin", "pawn", "die-pips", "die-piecepack", "die-kingdomino-duel",
         "soldier", "tile")  # fmt: skip
_LOWEST, _HIGHEST = 0.9, 0.999
_USUAL = 0.985
_FEW = 200
"""A sort with fewer readings keeps a limit that is not below the usual one."""
_OVERLOOKED = 1 / 4000


def limit(told: list[tuple[float, bool]]) -> float:
    """The limit for readings of one sort, given as (confidence, right)."""
    wrong = sorted((p for p, right in told if not right), reverse=True)
    left = wrong[int(_OVERLOOKED * len(told)) :]
    high = 1 - (1 - left[0]) / 2 if left else 0.0
    lowest = _USUAL if len(told) < _FEW else _LOWEST
    return float(np.clip(high, lowest, _HIGHEST))


def readings(folder: Path) -> dict[str, list[tuple[float, bool]]]:
    """Every reading of these pictures by sort; what lies where no piece is, is wrong."""
    pictures = Pictures(folder)
    out: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for n in range(len(pictures)):
        wanted = pictures.targets[n]
        reading = read_picture(pictures.picture(n))
        piece_of = {j: wanted[i] for i, j in pair(reading, wanted).items()}
        for j, one in enumerate(reading.pieces):
            want = piece_of.get(j)
            if one.visible < LEAST_VISIBLE or (want is None and near_any(one.middle, wanted)):
                continue  # beside a piece that is hardly seen there is no telling what is right
            out[sort_of(one)].append((one.confidence, want is not None and same(one, want)))
    return out


def near_any(middle: Floats, wanted: Sequence[Target]) -> bool:
    """Whether a place lies on any piece of the truth."""
    return any(
        float(np.linalg.norm(one.middle - middle)) < 0.6 * max(float(np.linalg.norm(a)) for a in one.axes)
        for one in wanted
    )


def main() -> int:
    """Read, choose, and write the limits with what they rest on."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="folder made by training.pictures")
    parser.add_argument("--out", type=Path, default=MODELS)
    asked = parser.parse_args()
    cv2.setNumThreads(1)
    found = readings(asked.data)
    text = ["# From which confidence on a reading is believed without asking; made by training.sureness."]
    for sort in SORTS:
        told = found.get(sort, [])
        least = limit(told)
        believed = [right for p, right in told if p >= least]
        wrong = len(believed) - sum(believed)
        text += ["", f"# {len(told)} readings, {sum(right for _, right in told)} right;"]
        text += [f"# believed {len(believed)}, of these wrong {wrong}"]
        text += [f"[{sort}]", f"limit = {least:.5f}"]
    print("\n".join(text))
    (asked.out / "sureness.toml").write_text("\n".join(text) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
