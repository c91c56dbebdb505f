"""How well sheets are read: whole photos from pens, hands, papers and cameras that no reader learned from.

    python -m training.measure_sheets --n 1000 --seed 7 [--taught] [--curve blur|tilt|light|size|turn]
        [--least-px 50] [--failures DIR]
    python -m training.measure_sheets --same 20    one sheet, photographed that many ways

Each sheet comes from a game played at random to its end, so that its map is one the rules allow.
"""

import argparse
import json
import random
import resource
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.wilson import interval
from engine import rulebook
from engine.kingdomino_duel.edition import COATS
from engine.kingdomino_duel.kingdom import CASTLE, NAMES, SQUARES, Kingdom
from engine.kingdomino_duel.model import DuelState
from engine.kingdomino_duel.sheet import Sheet, score_sheet
from simulation.filled_sheet import OUR_FORM, Cells, filled, random_form
from simulation.ink import TAUGHT, UNSEEN
from simulation.sheet_photo import Conditions, photographed, random_conditions
from vision.sheet_advice import MANY
from vision.sheet_decoder import ReadMap, decode
from vision.sheet_finder import find_sheets
from vision.sheet_maps import read_maps
from vision.sheet_picture import drawn_in
from vision.sheet_reader import SheetReader, SheetReading, sheet_reader

CURVES: dict[str, tuple[float, ...]] = {
    "blur": (0.5, 1.0, 1.5, 2.0, 3.0), "tilt": (0.0, 0.15, 0.3, 0.45), "light": (1.0, 0.6, 0.4, 0.25),
    "size": (80.0, 50.0, 35.0, 25.0, 20.0), "turn": (0.0, 45.0, 90.0, 135.0, 180.0, 270.0),
}  # fmt: skip
_FIELDS = {"blur": "blur_px", "tilt": "tilt", "light": "light", "size": "square_px", "turn": "turn_deg"}


@dataclass(frozen=True)
class Measured:
    """What became of one sheet."""

    found: bool
    ours: bool
    exact: bool
    silent: bool
    """A wrong score without a doubt."""
    wrong_squares: int
    invented: int
    """Blank squares read as a coat."""
    doubts: int
    settled: bool
    """Whether the score is right once a person has settled the doubtful squares."""
    seconds: float


def games(seed: int) -> Iterator[tuple[Kingdom, bool]]:
    """Maps and roofs as games at random leave them."""
    book = rulebook("kingdomino-duel")
    rng = random.Random(seed)
    while True:
        state = book.start(rng=rng)
        while book.outcome(state) is None:
            if book.pending(state) is not None:
                state = book.observe(state, book.sample(state, rng))
            else:
                state = book.play(state, rng.choice(list(book.legal_moves(state))))
        assert isinstance(state, DuelState)
        for side in state.sides:
            yield side.kingdom, side.roof


def cells_of_kingdom(kingdom: Kingdom) -> Cells:
    """A map of the rule book as the simulator wants it."""
    marks = {square: None if square == CASTLE else kingdom.at(square) for square in SQUARES}
    told = [None if mark is None else (COATS[mark.coat], mark.crosses) for mark in marks.values()]
    return tuple(tuple(told[row * 7 : row * 7 + 7]) for row in range(5))


def taken(
    kingdom: Kingdom,
    roof: bool,
    rng: np.random.Generator,
    *,
    taught: bool,
    change: dict[str, float],
    least_px: float = 0.0,
) -> tuple[bytes, bool]:
    """A photo (JPEG) of one sheet with this map, and whether it is on our form."""
    ours = bool(rng.random() < 0.5)
    form = OUR_FORM if ours else random_form(rng, unseen=not taught)
    paper = filled(form, cells_of_kingdom(kingdom), roof, rng, variety=TAUGHT if taught else UNSEEN)
    conditions: Conditions = random_conditions(rng, unseen=not taught)
    if change:
        # One thing varies, the others are those of a good photo.
        good = Conditions(square_px=60, ground=conditions.ground)
        conditions = replace(good, **change)  # type: ignore[arg-type]  # numbers
    if conditions.square_px < least_px:
        conditions = replace(conditions, square_px=float(rng.uniform(least_px, 95)))
    return photographed([paper], conditions, rng).jpeg, ours


def measure(jpeg: bytes, kingdom: Kingdom, roof: bool, *, ours: bool) -> Measured:
    """Find, read, decode and compare one sheet."""
    image = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)
    start = time.process_time()
    read = reading(sheet_reader(), image)
    seconds = time.process_time() - start
    if read is None:
        return Measured(False, ours, False, False, 34, 0, 34, False, seconds)
    return compared(read, kingdom, roof, (ours, seconds))


def reading(reader: SheetReader, image: np.ndarray) -> ReadMap | None:
    """The first map of a photo, read."""
    seen = first_map(reader, image)
    return None if seen is None else decode(seen.coats, seen.crosses, seen.roof)


def first_map(reader: SheetReader, image: np.ndarray) -> SheetReading | None:
    """The first map of a photo as the network sees it."""
    seen = read_maps(reader, image, find_sheets(image).maps)
    return next((one for one in seen if isinstance(one, SheetReading)), None)


def shown(folder: Path, name: str, jpeg: bytes, kingdom: Kingdom) -> None:
    """Leave a photo with what was read in it, and what truly stands there, to be looked at."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jpg").write_bytes(jpeg)
    (folder / f"{name}.txt").write_text("\n".join(kingdom.rows) + "\n", encoding="utf-8")
    image = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)
    seen = first_map(sheet_reader(), image)
    if seen is not None:
        read = decode(seen.coats, seen.crosses, seen.roof)
        cv2.imwrite(str(folder / f"{name}-read.png"), drawn_in(image, seen.corners, read))


def same_sheet(count: int, seed: int) -> dict[str, object]:
    """One sheet of ours in many photos: how many different maps and scores are read."""
    kingdom, roof = next(games(seed))
    paper = filled(
        OUR_FORM, cells_of_kingdom(kingdom), roof, np.random.default_rng([seed, 5]), variety=UNSEEN
    )
    maps, scores, doubted = set(), set(), 0
    for number in range(count):
        rng = np.random.default_rng([seed, number, 20])
        conditions = random_conditions(rng, unseen=True)
        conditions = replace(conditions, square_px=max(50.0, conditions.square_px))
        read = reading(sheet_reader(), photographed([paper], conditions, rng).image)
        maps.add(None if read is None else read.kingdom)
        scores.add(None if read is None else read.score.total)
        doubted += read is not None and bool(read.doubts)
    truth = score_sheet(Sheet(kingdom)).total
    return {"photos": count, "maps": len(maps), "scores": sorted(map(str, scores)), "truth": truth,
            "with doubts": doubted}  # fmt: skip


def compared(read: ReadMap, kingdom: Kingdom, roof: bool, about: tuple[bool, float]) -> Measured:
    """What a reading has right."""
    wrong = invented = 0
    for square in read.squares:
        mark = kingdom.at(next(number for number in SQUARES if NAMES[number] == square.name))
        true = (None, 0) if mark is None else (mark.coat, mark.crosses)
        wrong += true != (square.coat, square.crosses)
        invented += mark is None and square.coat is not None
    total = score_sheet(Sheet(kingdom, roof=roof)).total
    exact = read.score.total == total
    settled = score_sheet(Sheet(put_right(read, kingdom), roof=roof)).total == total
    silent = not exact and not read.doubts
    return Measured(True, about[0], exact, silent, wrong, invented, len(read.doubts), settled, about[1])


def put_right(read: ReadMap, truth: Kingdom) -> Kingdom:
    """What was read, with the doubtful squares as a person would settle them."""
    rows = [row.split() for row in read.kingdom.rows]
    true = [row.split() for row in truth.rows]
    for name in read.doubts:
        row, column = int(name[1]) - 1, int(name[3]) - 1
        rows[row][column] = true[row][column]
    return Kingdom.from_rows([" ".join(row) for row in rows])


def summed(all_of_them: list[Measured]) -> dict[str, object]:
    """The figures of some sheets."""
    found = [one for one in all_of_them if one.found]
    fair = [one for one in found if one.doubts < MANY]
    n, squares = len(all_of_them), 34 * max(1, len(found))

    def share(count: int, of: int) -> list[float]:
        low, high = interval(count, of)
        return [round(count / max(1, of), 5), round(low, 5), round(high, 5)]

    return {
        "sheets": n,
        "found": share(len(found), n),
        "exact score": share(sum(one.exact for one in all_of_them), n),
        "wrong without a doubt": sum(one.silent for one in all_of_them),
        "right once doubts are settled": share(sum(one.settled for one in all_of_them), n),
        "squares right": share(squares - sum(one.wrong_squares for one in found), squares),
        "doubts": share(sum(one.doubts for one in found), squares),
        "another photo advised": share(sum(one.doubts >= MANY for one in found), n),
        "doubts on the others": share(sum(one.doubts for one in fair), 34 * max(1, len(fair))),
        "exact on the others": share(sum(one.exact for one in fair), len(fair)),
        "blank read as coat": sum(one.invented for one in found),
        # Of this whole process, the drawing of the photos included: reading alone takes less.
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "seconds of one core": round(float(np.median([one.seconds for one in all_of_them])), 3),
    }


def main() -> None:
    """Measure, and print one JSON object a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--n", type=int, default=1000, help="how many sheets (for a curve: at each point)")
    parser.add_argument("--seed", type=int, default=7, help="another seed, other sheets")
    parser.add_argument("--taught", action="store_true", help="pens and papers the reader learned from")
    parser.add_argument("--curve", choices=CURVES, default=None, help="good photos but for one thing")
    parser.add_argument("--least-px", type=float, default=0.0, help="no square smaller than this")
    parser.add_argument(
        "--failures", type=Path, default=None, help="leave photos scored wrong in this folder"
    )
    parser.add_argument("--same", type=int, default=None, help="one sheet, photographed this many ways")
    options = parser.parse_args()
    if options.same is not None:
        print(json.dumps(same_sheet(options.same, options.seed)))
        return
    for value in CURVES[options.curve] if options.curve else (None,):
        change = {} if value is None else {_FIELDS[options.curve]: value}
        results = []
        for number, (kingdom, roof) in zip(range(options.n), games(options.seed), strict=False):
            rng = np.random.default_rng([options.seed, number, 99])
            jpeg, ours = taken(
                kingdom, roof, rng, taught=options.taught, change=change, least_px=options.least_px
            )
            results.append(measure(jpeg, kingdom, roof, ours=ours))
            if options.failures is not None and not results[-1].exact:
                shown(options.failures, f"{options.seed}-{number}", jpeg, kingdom)
            if sys.stderr.isatty():
                print(f"\r{number + 1} of {options.n}", end="", file=sys.stderr)
        told = {} if value is None else {options.curve: value}
        print(json.dumps(told | {"all": summed(results)}))
        for ours in (True, False):
            some = [one for one in results if one.ours == ours]
            if some and value is None:
                print(json.dumps({"form": "ours" if ours else "others'", **summed(some)}))
        sys.stdout.flush()


if __name__ == "__main__":
    main()
