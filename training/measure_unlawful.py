"""Sheets against the rules: are they told as they are, or made lawful by what nobody drew?

    python -m training.measure_unlawful --n 65 --seed 61001 [--pens own|second] [--form ours|others|both]
        [--kind forgotten|astray|apart|few|crosses] [--failures DIR]

Each sheet is the map of a game played at random, with one thing done to it that no rule allows. A line a kind
tells how many squares were read wrongly, how many of them nobody is asked about, and of how many sheets just
those rules were named that they break.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from engine.kingdomino_duel.edition import COATS
from engine.kingdomino_duel.kingdom import BY_THE_CASTLE, OPEN, Kingdom, beside, each
from engine.kingdomino_duel.map_score import Sheet, score_sheet
from simulation.pen_families import families_named
from training.measure_sheets import MeasuredSheet, SheetWish, compared, games, reading, shown, taken
from vision.sheet_decoder import ReadMap
from vision.sheet_reader import sheet_reader

_MANY_CROSSES = 3
"""No die shows so many beside any coat but one, and that one is left out."""
_FEW = 3
"""So many squares are drawn on a map that was hardly begun."""


def forgotten(kingdom: Kingdom, rng: np.random.Generator) -> Kingdom:
    """One square of a domino was not drawn."""
    drawn = [mark.square for mark in kingdom.marks()]
    return _without(kingdom, OPEN & ~(1 << int(rng.choice(drawn))))


def astray(kingdom: Kingdom, rng: np.random.Generator) -> Kingdom:
    """A single coat stands where no other is beside it; room is made for it where there is none."""
    place = int(rng.choice(list(each(OPEN & ~BY_THE_CASTLE))))
    kept = _without(kingdom, OPEN & ~(beside(1 << place) | 1 << place))
    return _with(kept, [place], rng)


def apart(kingdom: Kingdom, rng: np.random.Generator) -> Kingdom:
    """A whole domino stands away from all others."""
    first = int(rng.choice(list(each(OPEN & ~BY_THE_CASTLE))))
    second = int(rng.choice(list(each(beside(1 << first)))))
    pair = 1 << first | 1 << second
    return _with(_without(kingdom, OPEN & ~(beside(pair) | pair)), [first, second], rng)


def few(kingdom: Kingdom, rng: np.random.Generator) -> Kingdom:
    """A map of three squares that hang together, the first beside the castle."""
    joined = 1 << int(rng.choice(list(each(BY_THE_CASTLE))))
    while joined.bit_count() < _FEW:
        joined |= 1 << int(rng.choice(list(each(beside(joined) & ~joined))))
    return _with(_without(kingdom, 0), list(each(joined)), rng)


def crosses(kingdom: Kingdom, rng: np.random.Generator) -> Kingdom:
    """Two coats have more crosses than their die has."""
    poor = [mark.square for mark in kingdom.marks() if mark.coat in (0, 1)]
    if len(poor) < 2:
        poor = [mark.square for mark in kingdom.marks()]
        kingdom = _painted(kingdom, poor[:2], 0)
    told = kingdom.crosses
    for square in rng.permutation(poor)[:2]:
        told = told & ~(15 << 4 * int(square)) | _MANY_CROSSES << 4 * int(square)
    return Kingdom(kingdom.coats, told)


KINDS: dict[str, Callable[[Kingdom, np.random.Generator], Kingdom]] = {
    "forgotten": forgotten, "astray": astray, "apart": apart, "few": few, "crosses": crosses,
}  # fmt: skip


def _without(kingdom: Kingdom, kept: int) -> Kingdom:
    """The map with these squares alone."""
    shown_crosses = sum((kingdom.crosses >> 4 * square & 15) << 4 * square for square in each(kept))
    first, second, third, fourth, fifth, sixth = (squares & kept for squares in kingdom.coats)
    return Kingdom((first, second, third, fourth, fifth, sixth), shown_crosses)


def _with(kingdom: Kingdom, places: Sequence[int], rng: np.random.Generator) -> Kingdom:
    """The map with coats that somebody drew on blank squares."""
    for place in places:
        kingdom = _painted(kingdom, [place], int(rng.integers(len(COATS))))
    return kingdom


def _painted(kingdom: Kingdom, places: Sequence[int], coat: int) -> Kingdom:
    """The map with one coat on all of these squares, without crosses."""
    squares = sum(1 << place for place in places)
    bare = _without(kingdom, OPEN & ~squares)
    coats = [each_coat | (squares if number == coat else 0) for number, each_coat in enumerate(bare.coats)]
    first, second, third, fourth, fifth, sixth = coats
    return Kingdom((first, second, third, fourth, fifth, sixth), bare.crosses)


@dataclass(frozen=True, slots=True)
class ToldSheet:
    """What was told of one sheet against the rules."""

    kind: str
    found: bool
    squares: MeasuredSheet
    faults_right: bool
    """Whether just the rules were named that the map breaks."""
    faults_silent: bool
    """Whether a broken rule was not named, and nothing was doubted."""


def broken(kingdom: Kingdom, roof: bool) -> frozenset[str]:
    """The rules that a map breaks."""
    return frozenset(fault.rule for fault in score_sheet(Sheet(kingdom, roof=roof)).doubts)


def told_of(kind: str, read: ReadMap | None, truth: tuple[Kingdom, bool], *, ours: bool) -> ToldSheet:
    """What a reading says of a map that breaks the rules."""
    if read is None:
        lost = MeasuredSheet(False, ours, False, False, 34, 0, 34, False, 0.0)
        return ToldSheet(kind, False, lost, False, False)
    named = frozenset(fault.rule for fault in read.score.doubts)
    wanted = broken(*truth)
    squares = compared(read, *truth, (ours, 0.0))
    return ToldSheet(kind, True, squares, named == wanted, bool(wanted - named) and not read.doubts)


def summed(told: Sequence[ToldSheet]) -> dict[str, object]:
    """The figures of some sheets."""
    found = [one for one in told if one.found]
    return {
        "sheets": len(told),
        "found": len(found),
        "rules named rightly": sum(one.faults_right for one in found),
        "broken rules passed over in silence": sum(one.faults_silent for one in found),
        "squares": 34 * len(found),
        "wrong": sum(one.squares.wrong_squares for one in found),
        "wrong without a doubt": sum(one.squares.undoubted for one in found),
        "blank read as coat": sum(one.squares.invented for one in found),
        "doubted": sum(one.squares.doubts for one in found),
        "exact score": sum(one.squares.exact for one in found),
        "wrong score without a doubt": sum(one.squares.silent for one in found),
    }


def measured(options: argparse.Namespace) -> Iterator[ToldSheet]:
    """So many sheets, the kinds and families in turn."""
    kinds = [options.kind] if options.kind else list(KINDS)
    families = families_named("all") if options.pens == "second" else (None,)
    for number, (lawful, roof) in zip(range(options.n), games(options.seed), strict=False):
        kind, family = kinds[number % len(kinds)], families[number // len(kinds) % len(families)]
        rng = np.random.default_rng([options.seed, number, 97])
        kingdom = KINDS[kind](lawful, rng)
        jpeg, ours = taken(kingdom, roof, rng, SheetWish(form=options.form), family)
        image = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)
        one = told_of(kind, reading(sheet_reader(), image), (kingdom, roof), ours=ours)
        if options.failures is not None and (one.squares.undoubted or not one.faults_right):
            shown(options.failures, f"{options.seed}-{number}-{kind}", jpeg, kingdom)
        yield one


def main(arguments: list[str] | None = None) -> None:
    """Measure, and print one JSON object a line: all, then each kind."""
    parser = argparse.ArgumentParser(
        prog="python -m training.measure_unlawful",
        description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    parser.add_argument("--n", type=int, default=65, help="how many sheets")
    parser.add_argument("--seed", type=int, default=7, help="another seed, other sheets")
    parser.add_argument("--pens", choices=("own", "second"), default="second")
    parser.add_argument("--form", choices=("ours", "others", "both"), default="both")
    parser.add_argument("--kind", choices=tuple(KINDS), default=None)
    parser.add_argument("--failures", type=Path, default=None, help="leave wrongly told photos there")
    told = []
    for one in measured(parser.parse_args(arguments)):
        told.append(one)
        if sys.stderr.isatty():
            print(f"\r{len(told)}", end="", file=sys.stderr)
    print(json.dumps({"all": summed(told)}), flush=True)
    for kind in sorted({one.kind for one in told}):
        print(json.dumps({"kind": kind, **summed([one for one in told if one.kind == kind])}))


if __name__ == "__main__":
    main()
