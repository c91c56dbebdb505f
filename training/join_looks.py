"""How much the coarser and the finer look at a sheet each count, set on photos that neither learned from.

    python -m training.join_looks --n 125 --seed 55

Pens, papers and cameras are of the kinds learned from, the sheets are not. Prints the lines for
vision/models/sheet_marks.toml: for each head both weights, and how many are right by each look and by both.
"""

import argparse
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from engine.kingdomino_duel.kingdom import Kingdom
from training.kept_maps import cells_of_kingdom
from training.measure_sheets import SheetWish, first_map, games, taken
from training.teach_sheet_cells import labels
from vision.mark_reader import HEADS, mark_reader
from vision.sheet_cells import CASTLE_INDEX
from vision.sheet_finder import Candidate, FoundSheet
from vision.sheet_fine import fine_cells
from vision.sheet_reader import sheet_reader

Values = NDArray[Any]
Told = dict[str, list[tuple[Values, Values, Values]]]
"""For each head and sheet: logarithms by the coarser look, logits by the finer one, and the truth."""


def add(told: Told, jpeg: bytes, kingdom: Kingdom) -> None:
    """What both looks say of one photo's map."""
    image = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)
    seen = first_map(sheet_reader(), image)
    if seen is None:
        return
    look = sheet_reader().look(image, FoundSheet((Candidate(seen.corners, seen.ours, 0),)))
    fine = mark_reader().logits(fine_cells(image, look.way.corners))
    truth = np.delete(labels(cells_of_kingdom(kingdom), False), CASTLE_INDEX, axis=0)
    for k, name in enumerate(HEADS):
        # Of crosses only squares with a coat can tell anything.
        keep = truth[:, 0] > 0 if name == "crosses" else np.ones(len(truth), dtype=bool)
        coarse = np.log(np.delete(look.heads[name], CASTLE_INDEX, axis=0)[:, : HEADS[name]] + 1e-7)
        told[name].append((coarse[keep], fine[name][keep], truth[keep, k]))


def joined(coarse: Tensor, fine: Tensor, truth: Tensor) -> tuple[float, float]:
    """The weights with which both together are least surprised by the truth."""
    weights = torch.tensor([0.5, 0.5], dtype=torch.float64, requires_grad=True)
    search = torch.optim.LBFGS([weights], max_iter=80)

    def cost() -> Tensor:
        search.zero_grad()
        lost = torch.nn.functional.cross_entropy(weights[0] * coarse + weights[1] * fine, truth)
        lost.backward()  # type: ignore[no-untyped-call]  # torch leaves it untyped
        return lost

    search.step(cost)  # type: ignore[no-untyped-call]  # the same
    first, second = (float(one) for one in weights.detach())
    return first, second


def main() -> None:
    """Read photos by both looks, and print the weights."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--n", type=int, default=125, help="how many photos")
    parser.add_argument("--seed", type=int, default=55, help="another seed, other sheets")
    options = parser.parse_args()
    told: Told = {name: [] for name in HEADS}
    for number, (kingdom, roof) in zip(range(options.n), games(options.seed), strict=False):
        rng = np.random.default_rng([options.seed, number, 99])
        add(told, taken(kingdom, roof, rng, SheetWish(taught=True))[0], kingdom)
    for name, sheets in told.items():
        coarse, fine, truth = (torch.tensor(np.concatenate(part)) for part in zip(*sheets, strict=True))
        first, second = joined(coarse, fine, truth)
        both = first * coarse + second * fine
        right = [int((one.argmax(1) == truth).sum()) for one in (coarse, fine, both)]
        print(f"[{name}]  # of {len(truth)} right: coarser {right[0]}, finer {right[1]}, both {right[2]}")
        print(f"coarse = {first:.4f}\nfine = {second:.4f}\n")


if __name__ == "__main__":
    main()
