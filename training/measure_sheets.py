"""How well sheets are read: whole photos from pens, hands, papers and cameras that no reader learned from.

    python -m training.measure_sheets --n 1000 --seed 7 [--taught] [--curve blur|tilt|light|size|turn]
        [--least-px 50] [--failures DIR] [--pens own|second] [--family NAME|all] [--form ours|others|both]
    python -m training.measure_sheets --same 20    one sheet, photographed that many ways
    python -m training.measure_sheets --games 500 [--pens second]    both maps of a game: who wins

Each sheet comes from a game played at random to its end, so that its map is one the rules allow. With
``--pens second`` the sheets are drawn by the second pen model, from which nobody learns, family by family.
"""

import argparse
import itertools
import json
import random
import resource
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np

from benchmarks.wilson import interval
from engine import rulebook
from engine.kingdomino_duel.kingdom import NAMES, SQUARES, Kingdom
from engine.kingdomino_duel.map_score import Sheet, compare, score_sheet
from engine.kingdomino_duel.model import DuelState
from simulation.filled_sheet import OUR_FORM, SheetForm, filled, random_form
from simulation.other_hands import filled_by_another
from simulation.pen_families import FAMILIES, Family, families_named
from simulation.pen_strokes import PUPILS, UNSEEN
from simulation.sheet_photo import PhotoConditions, photographed, random_conditions
from training.kept_maps import cells_of_kingdom
from vision.sheet_advice import MANY
from vision.sheet_decoder import ReadMap, decode
from vision.sheet_finder import find_sheets
from vision.sheet_maps import read_maps
from vision.sheet_picture import drawn_in
from vision.sheet_reader import SheetReader, SheetReading, sheet_reader
from vision.sheet_winner import likely_winner

CURVES: dict[str, tuple[float, ...]] = {
    "blur": (0.5, 1.0, 1.5, 2.0, 3.0), "tilt": (0.0, 0.15, 0.3, 0.45), "light": (1.0, 0.6, 0.4, 0.25),
    "size": (80.0, 50.0, 35.0, 25.0, 20.0), "turn": (0.0, 45.0, 90.0, 135.0, 180.0, 270.0),
}  # fmt: skip
_FIELDS = {"blur": "blur_px", "tilt": "tilt", "light": "light", "size": "square_px", "turn": "turn_deg"}


@dataclass(frozen=True)
class MeasuredSheet:
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
    undoubted: int = 0
    """Squares that are wrong and not doubted, whatever the score."""
    family: str = ""
    """Whose pens drew it, of the second pens."""


@dataclass(frozen=True, slots=True)
class SheetWish:
    """Which sheets are wanted, and how they are photographed."""

    taught: bool = False
    """Pens and papers the reader learned from."""
    form: str = "both"
    """ours, others or both."""
    change: dict[str, float] = field(default_factory=dict)
    """The one thing of a good photo that is changed; nothing: photos as people take them."""
    least_px: float = 0.0


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


def taken(
    kingdom: Kingdom, roof: bool, rng: np.random.Generator, wish: SheetWish, family: Family | None = None
) -> tuple[bytes, bool]:
    """A photo (JPEG) of one sheet with this map, and whether it is on our form.

    A family draws with the second pens; where there is none, the first pens draw.
    """
    form = form_of(rng, wish)
    cells = cells_of_kingdom(kingdom)
    if family is not None:
        paper = filled_by_another(form, cells, roof, rng, family)
    else:
        paper = filled(form, cells, roof, rng, variety=PUPILS if wish.taught else UNSEEN)
    conditions: PhotoConditions = random_conditions(rng, unseen=not wish.taught)
    if wish.change:
        # One thing varies, the others are those of a good photo.
        good = PhotoConditions(square_px=60, ground=conditions.ground)
        conditions = replace(good, **wish.change)  # type: ignore[arg-type]  # numbers
    if conditions.square_px < wish.least_px:
        conditions = replace(conditions, square_px=float(rng.uniform(wish.least_px, 95)))
    return photographed([paper], conditions, rng).jpeg, form.ours


def form_of(rng: np.random.Generator, wish: SheetWish) -> SheetForm:
    """Our form or another, as wished; of both, every second one is ours."""
    ours = bool(rng.random() < 0.5) if wish.form == "both" else wish.form == "ours"
    return OUR_FORM if ours else random_form(rng, unseen=not wish.taught)


def measure(jpeg: bytes, kingdom: Kingdom, roof: bool, *, ours: bool) -> MeasuredSheet:
    """Find, read, decode and compare one sheet."""
    image = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)
    start = time.process_time()
    read = reading(sheet_reader(), image)
    seconds = time.process_time() - start
    if read is None:
        return MeasuredSheet(False, ours, False, False, 34, 0, 34, False, seconds)
    return compared(read, kingdom, roof, (ours, seconds))


def reading(reader: SheetReader, image: np.ndarray) -> ReadMap | None:
    """The first map of a photo, read."""
    seen = first_map(reader, image)
    return None if seen is None else decode(seen.placed, seen.crosses, seen.roof)


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
        read = decode(seen.placed, seen.crosses, seen.roof)
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


def compared(read: ReadMap, kingdom: Kingdom, roof: bool, about: tuple[bool, float]) -> MeasuredSheet:
    """What a reading has right."""
    wrong = invented = undoubted = 0
    for square in read.squares:
        mark = kingdom.at(next(number for number in SQUARES if NAMES[number] == square.name))
        true = (None, 0) if mark is None else (mark.coat, mark.crosses)
        is_wrong = true != (square.coat, square.crosses)
        wrong += is_wrong
        undoubted += is_wrong and not square.doubt
        invented += mark is None and square.coat is not None
    total = score_sheet(Sheet(kingdom, roof=roof)).total
    exact = read.score.total == total
    settled = score_sheet(Sheet(put_right(read, kingdom), roof=roof)).total == total
    silent = not exact and not read.doubts
    return MeasuredSheet(
        True, about[0], exact, silent, wrong, invented, len(read.doubts), settled, about[1], undoubted
    )


def put_right(read: ReadMap, truth: Kingdom) -> Kingdom:
    """What was read, with the doubtful squares as a person would settle them."""
    rows = [row.split() for row in read.kingdom.rows]
    true = [row.split() for row in truth.rows]
    for name in read.doubts:
        row, column = int(name[1]) - 1, int(name[3]) - 1
        rows[row][column] = true[row][column]
    return Kingdom.from_rows([" ".join(row) for row in rows])


def share(count: int, of: int) -> list[float]:
    """A share with its interval."""
    low, high = interval(count, of)
    return [round(count / max(1, of), 5), round(low, 5), round(high, 5)]


def summed(all_of_them: list[MeasuredSheet]) -> dict[str, object]:
    """The figures of some sheets."""
    found = [one for one in all_of_them if one.found]
    fair = [one for one in found if one.doubts < MANY]
    n, squares = len(all_of_them), 34 * max(1, len(found))
    return {
        "sheets": n,
        "found": share(len(found), n),
        "exact score": share(sum(one.exact for one in all_of_them), n),
        "wrong without a doubt": sum(one.silent for one in all_of_them),
        "share of scores wrong without a doubt": share(sum(one.silent for one in all_of_them), n),
        "right once doubts are settled": share(sum(one.settled for one in all_of_them), n),
        "squares right": share(squares - sum(one.wrong_squares for one in found), squares),
        "wrong squares": sum(one.wrong_squares for one in found),
        "wrong squares without a doubt": sum(one.undoubted for one in found),
        "share of these": share(sum(one.undoubted for one in found), squares),
        "doubts": share(sum(one.doubts for one in found), squares),
        "another photo advised": share(sum(one.doubts >= MANY for one in found), n),
        "doubts on the others": share(sum(one.doubts for one in fair), 34 * max(1, len(fair))),
        "exact on the others": share(sum(one.exact for one in fair), len(fair)),
        "blank read as coat": sum(one.invented for one in found),
        # Of this whole process, the drawing of the photos included: reading alone takes less.
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "seconds of one core": round(float(np.median([one.seconds for one in all_of_them])), 3),
    }


def parsed(arguments: list[str] | None) -> argparse.Namespace:
    """What the command was asked for."""
    parser = argparse.ArgumentParser(
        prog="python -m training.measure_sheets",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--n", type=int, default=1000, help="how many sheets (for a curve: at each point)")
    parser.add_argument("--seed", type=int, default=7, help="another seed, other sheets")
    parser.add_argument("--taught", action="store_true", help="pens and papers the reader learned from")
    parser.add_argument("--pens", choices=("own", "second"), default="own", help="second: never learned from")
    parser.add_argument("--family", choices=("all", *FAMILIES), default=None, help="of the second pens")
    parser.add_argument("--form", choices=("ours", "others", "both"), default="both")
    parser.add_argument("--curve", choices=CURVES, default=None, help="good photos but for one thing")
    parser.add_argument("--least-px", type=float, default=0.0, help="no square smaller than this")
    parser.add_argument(
        "--failures", type=Path, default=None, help="leave photos scored wrong in this folder"
    )
    parser.add_argument("--same", type=int, default=None, help="one sheet, photographed this many ways")
    parser.add_argument("--games", type=int, default=None, help="who wins, by both maps of so many games")
    options = parser.parse_args(arguments)
    if options.family is not None and options.pens == "own":
        parser.error("--family names people with the second pens: add --pens second.")
    if options.taught and options.pens == "second":
        parser.error("nothing was learned from the second pens: leave out --taught or --pens second.")
    return options


def measured(options: argparse.Namespace, wish: SheetWish) -> list[MeasuredSheet]:
    """So many sheets as were asked for, the families in turn."""
    families = families_of(options)
    results = []
    for number, (kingdom, roof) in zip(range(options.n), games(options.seed), strict=False):
        rng = np.random.default_rng([options.seed, number, 99])
        family = families[number % len(families)]
        jpeg, ours = taken(kingdom, roof, rng, wish, family)
        one = measure(jpeg, kingdom, roof, ours=ours)
        results.append(replace(one, family=family.name if family else ""))
        if options.failures is not None and (not one.exact or one.undoubted):
            name = f"{options.seed}-{number}" + (f"-{family.name}" if family else "")
            shown(options.failures, name, jpeg, kingdom)
        if sys.stderr.isatty():
            print(f"\r{number + 1} of {options.n}", end="", file=sys.stderr)
    return results


@dataclass(frozen=True, slots=True)
class GameEnd:
    """What was told of who wins one game, by a photo of each map."""

    right: bool
    """The winner was named, without a question, and is the true one (or nobody)."""
    open: bool
    """The winner was left open: squares to be settled first, or a map that was not found."""
    family: str = ""

    @property
    def wrong(self) -> bool:
        """Whether somebody else was named, surely."""
        return not self.right and not self.open


def end_of(maps: Sequence[tuple[Kingdom, bool]], reads: Sequence[ReadMap | None]) -> GameEnd:
    """What was told of a game with these maps, as they were read."""
    first, second = reads
    if first is None or second is None:
        return GameEnd(right=False, open=True)
    truth = compare(*(Sheet(kingdom, roof=roof) for kingdom, roof in maps)).winner
    winner = likely_winner(first, second)
    return GameEnd(right=winner.player == truth and not winner.open, open=winner.open)


def game_ends(options: argparse.Namespace, wish: SheetWish) -> Iterator[GameEnd]:
    """So many games, each by two people of one family; the families in turn."""
    families = families_of(options)
    maps = games(options.seed)
    for number in range(options.games):
        family = families[number % len(families)]
        both, reads = list(itertools.islice(maps, 2)), []
        for side, (kingdom, roof) in enumerate(both):
            rng = np.random.default_rng([options.seed, number, side, 98])
            jpeg, _ = taken(kingdom, roof, rng, wish, family)
            image = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)
            reads.append(reading(sheet_reader(), image))
        yield replace(end_of(both, reads), family=family.name if family else "")


def ends_summed(ends: Sequence[GameEnd]) -> dict[str, object]:
    """How often the winner was named right, left open, or wrong and sure."""
    return {
        "games": len(ends),
        "named right": share(sum(one.right for one in ends), len(ends)),
        "left open": share(sum(one.open for one in ends), len(ends)),
        "right or open": share(sum(not one.wrong for one in ends), len(ends)),
        "wrong and sure": sum(one.wrong for one in ends),
        "share wrong and sure": share(sum(one.wrong for one in ends), len(ends)),
    }


def tell_games(options: argparse.Namespace) -> None:
    """Print the ends of games, of all and of each family."""
    ends = list(game_ends(options, SheetWish(options.taught, options.form, {}, options.least_px)))
    print(json.dumps({"all": ends_summed(ends)}), flush=True)
    for family in sorted({one.family for one in ends} - {""}):
        print(json.dumps({"family": family} | ends_summed([one for one in ends if one.family == family])))


def families_of(options: argparse.Namespace) -> Sequence[Family | None]:
    """Whose pens draw, in turn; nobody's of the second pens where the first draw."""
    return families_named(options.family or "all") if options.pens == "second" else (None,)


def told(results: list[MeasuredSheet]) -> Iterator[dict[str, object]]:
    """The figures of all, of each form, and of each family of the second pens on each form."""
    forms = {"ours": True, "others'": False}
    yield {"all": summed(results)}
    for name, ours in forms.items():
        some = [one for one in results if one.ours == ours]
        if some:
            yield {"form": name, **summed(some)}
    for family in sorted({one.family for one in results} - {""}):
        for name, ours in forms.items():
            some = [one for one in results if one.family == family and one.ours == ours]
            if some:
                yield {"family": family, "form": name, **summed(some)}


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print one JSON object a line."""
    options = parsed(arguments)
    if options.same is not None:
        print(json.dumps(same_sheet(options.same, options.seed)))
        return
    if options.games is not None:
        tell_games(options)
        return
    for value in CURVES[options.curve] if options.curve else (None,):
        change = {} if value is None else {_FIELDS[options.curve]: value}
        results = measured(options, SheetWish(options.taught, options.form, change, options.least_px))
        if value is not None:
            print(json.dumps({options.curve: value, "all": summed(results)}), flush=True)
            continue
        for line in told(results):
            print(json.dumps(line), flush=True)


if __name__ == "__main__":
    main()
