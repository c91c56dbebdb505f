"""How well spellbooks of ours are read: random ones by pens and cameras that no threshold was set for.

    python -m training.measure_spellbooks --n 100 --seed 7

A line is right if its ticks, the side that is struck out, and whether its power is used are right; under a
struck side nobody asks for ticks.
"""

import argparse
import json
from collections import Counter
from dataclasses import replace

import numpy as np

from benchmarks.wilson import interval
from simulation.filled_spellbook import BookLine, filled_spellbook, random_lines
from simulation.pen_strokes import UNSEEN
from simulation.sheet_photo import photographed, random_conditions
from vision.sheet_finder import find_sheets
from vision.spellbook_reader import ReadLine, read_spellbook

_LEAST_PX, _MOST_PX = 45.0, 95.0
"""A box of a line is a third of a square: photos of smaller ones are no good photos."""


def right(line: ReadLine, true: BookLine) -> bool:
    """Whether a line is read as it is."""
    ticks = tuple(None if true.struck == player else true.ticks[player - 1] for player in (1, 2))
    return (line.ticks, line.struck, line.used) == (ticks, true.struck, true.used)


def counted(number: int, seed: int) -> Counter[str]:
    """What becomes of one spellbook."""
    rng = np.random.default_rng([seed, number, 77])
    lines = random_lines(rng)
    conditions = random_conditions(rng, unseen=True)
    conditions = replace(conditions, square_px=float(rng.uniform(_LEAST_PX, _MOST_PX)))
    image = photographed([filled_spellbook(lines, rng, variety=UNSEEN)], conditions, rng).image
    found = find_sheets(image).spellbooks
    if not found:
        return Counter()
    told: Counter[str] = Counter(found=1)
    for line, true in zip(read_spellbook(image, found[0]).lines, lines, strict=True):
        good = right(line, true)
        told.update(lines=1, right=int(good), doubts=int(line.doubt), silent=int(not good and not line.doubt))
    return told


def main() -> None:
    """Measure, and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--n", type=int, default=100, help="how many spellbooks")
    parser.add_argument("--seed", type=int, default=7, help="another seed, other spellbooks")
    options = parser.parse_args()
    told: Counter[str] = Counter()
    for number in range(options.n):
        told += counted(number, options.seed)
    low, high = interval(told["right"], told["lines"])
    print(
        json.dumps(
            {"spellbooks": options.n, **{key: told[key] for key in ("found", "lines", "right", "doubts")},
             "wrong without a doubt": told["silent"], "right, 95 %": [round(low, 4), round(high, 4)]}
        )
    )  # fmt: skip


if __name__ == "__main__":
    main()
