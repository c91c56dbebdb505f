"""What the second pens draw, to be looked at: every coat in a column, and some people of each family.

python -m training.look_at_pens -o SHEET.png [--family NAME|all] [--people 4] [--seed 1] [--others]
"""

import argparse
from pathlib import Path

import cv2
import numpy as np

from engine.kingdomino_duel.edition import COATS
from simulation.filled_sheet import CASTLE, COLUMNS, OUR_FORM, ROWS, Cell, Cells, FilledSheet, random_form
from simulation.other_hands import filled_by_another
from simulation.pen_families import FAMILIES, Family, families_named

SIDE_PX = 110


def every_coat() -> Cells:
    """A map with each coat in a column, once a row; its last column is left empty."""

    def one(row: int, column: int) -> Cell:
        blank = (row, column) == CASTLE or column == len(COATS)
        return None if blank else (COATS[column], (row + column) % 4)

    return tuple(tuple(one(row, column) for column in range(COLUMNS)) for row in range(ROWS))


def squares_of(paper: FilledSheet, row: int) -> np.ndarray:
    """One row of squares of a sheet, beside each other."""
    a, b = paper.corners[row, 0], paper.corners[row + 1, -1]
    x0, y0, x1, y1 = (int(v) for v in (*a, *b))
    part = cv2.resize(paper.image[y0:y1, x0:x1], (SIDE_PX * COLUMNS, SIDE_PX), interpolation=cv2.INTER_AREA)
    return np.asarray(np.clip(part * 255, 0, 255), np.uint8)


def people_of(family: Family, seeds: range, *, others: bool) -> np.ndarray:
    """Some people of a family, a row of squares each."""
    rows = []
    for seed in seeds:
        rng = np.random.default_rng([seed, *family.name.encode()])
        form = random_form(rng, unseen=True) if others else OUR_FORM
        paper = filled_by_another(form, every_coat(), True, rng, family)
        rows += [squares_of(paper, row) for row in (0, 3)]
    image = np.vstack(rows)
    label = np.full((24, image.shape[1], 3), 255, np.uint8)
    cv2.putText(label, family.name, (4, 17), cv2.FONT_HERSHEY_SIMPLEX, 0.5, (0, 0, 0), 1, cv2.LINE_AA)
    return np.vstack([label, image])


def main() -> None:
    """Make the picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("-o", "--out", type=Path, required=True, help="the PNG file to write")
    parser.add_argument("--family", choices=("all", *FAMILIES), default="all")
    parser.add_argument("--people", type=int, default=4, help="how many of each family")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other people")
    parser.add_argument("--others", action="store_true", help="on other forms than ours")
    options = parser.parse_args()
    seeds = range(options.seed, options.seed + options.people)
    pictures = [people_of(one, seeds, others=options.others) for one in families_named(options.family)]
    cv2.imwrite(str(options.out), np.vstack(pictures))


if __name__ == "__main__":
    main()
