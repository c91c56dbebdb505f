"""Where reading breaks: one property of a clear ballpoint is changed at a time, all else stays as it was.

    python -m training.sweep_pens --what slant [--slant 75] [--values 55 60] [--form ours|others] [--seed 5]
    python -m training.sweep_pens --what list          what can be changed

The same maps of played games, those with the most squares of the coat in question, are drawn with the second
pens and photographed flat, sharp and from above. Each value gives one line: how many squares of that coat,
how many were read wrong, how many of these without a doubt, and what the wrong ones were taken for.
"""

import argparse
import itertools
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine.kingdomino_duel.edition import COATS
from engine.kingdomino_duel.kingdom import NAMES, SQUARES, Kingdom
from simulation.chances import spawned
from simulation.coat_strokes import DrawingWays
from simulation.filled_sheet import OUR_FORM, random_form
from simulation.ink_flow import INKS, Nib, Wrist
from simulation.other_hands import sheet_by_ways
from simulation.sheet_photo import PhotoConditions, photographed
from training.kept_maps import cells_of_kingdom
from training.measure_sheets import games, reading
from vision.sheet_reader import sheet_reader

MOST = 31
"""Squares of the coat in question at each value."""
_LOOKED_AT = 120
"""So many maps are searched for those with the most squares of a coat."""
Value = float | str
"""What a property can be: a number, or the name of a style."""
STRIPES, DOTS = ("stripe", "two-stripes"), ("dot", "two-dots")


@dataclass(frozen=True, slots=True)
class PenSetting:
    """All that can be changed: the pen, the wrist, and the ways of drawing."""

    nib: Nib
    wrist: Wrist
    ways: DrawingWays

    def way(self, coat: str, **changes: object) -> "PenSetting":
        """The same but for how one coat (or the cross) is drawn."""
        way = replace(getattr(self.ways, coat), **changes)
        return replace(self, ways=replace(self.ways, **{coat: way}))


@dataclass(frozen=True, slots=True)
class Sweep:
    """A property: whose squares count, which values it takes, and how a setting is changed to have one."""

    coats: tuple[str, ...]
    values: tuple[Value, ...]
    change: Callable[[PenSetting, Any], PenSetting]


BASE = PenSetting(Nib(width=0.7 / 30, skips=0.0, blobs=0.0), Wrist(0.006, 0.0015), DrawingWays())
_SLANTS = tuple(float(turn) for turn in range(0, 181, 5))
_PENS = (0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 2.6)
_PRESSURES = (0.1, 0.15, 0.2, 0.3, 0.5, 0.75, 1.0, 1.5)
_SPACINGS = (0.6, 0.8, 1.0, 1.3, 1.6, 2.0, 2.5, 3.0)


def _set(coat: str, name: str, **also: object) -> Callable[[PenSetting, Any], PenSetting]:
    """Give one field of a way of drawing the value itself."""
    return lambda one, value: one.way(coat, **{name: value}, **also)


def _millimetres(coat: str, name: str, **also: object) -> Callable[[PenSetting, Any], PenSetting]:
    """Give one field of a way of drawing a length."""
    return lambda one, value: one.way(coat, **{name: value / 30}, **also)


def _dots_aside(one: PenSetting, part: float) -> PenSetting:
    return one.way("dot", aside=(part, 0.7 * part))


def _wide(one: PenSetting, mm: float) -> PenSetting:
    return replace(one, nib=replace(one.nib, width=mm / 30))


def _pressed(one: PenSetting, full: float) -> PenSetting:
    return replace(one, nib=replace(one.nib, full=full))


def _shaken(one: PenSetting, times: float) -> PenSetting:
    return replace(one, wrist=Wrist(one.wrist.drift * times, one.wrist.shake * times))


def _inked(one: PenSetting, name: str) -> PenSetting:
    return replace(one, nib=replace(one.nib, ink=INKS[name]))


SWEEPS: dict[str, Sweep] = {
    "slant": Sweep(STRIPES, _SLANTS, _set("stripe", "slant")),
    "slant-one": Sweep(("stripe",), _SLANTS, _set("stripe", "slant")),
    "slant-two": Sweep(("two-stripes",), _SLANTS, _set("stripe", "slant")),
    "width": Sweep(STRIPES, _PENS, _wide),
    "gap": Sweep(
        ("two-stripes",), (2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0), _millimetres("stripe", "gap")
    ),
    "splay": Sweep(("two-stripes",), (-20, -14, -7, 0, 7, 14, 20), _set("stripe", "splay")),
    "uneven": Sweep(("two-stripes",), (0.0, 0.15, 0.3, 0.45), _set("stripe", "uneven")),
    "length": Sweep(STRIPES, (0.3, 0.4, 0.5, 0.6, 0.8, 1.0, 1.2, 1.4), _set("stripe", "length")),
    "aside": Sweep(
        STRIPES, (-4.0, -3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0), _millimetres("stripe", "aside")
    ),
    "along": Sweep(STRIPES, (-0.4, -0.2, 0.0, 0.2, 0.4), _set("stripe", "along", length=0.7)),
    "bow": Sweep(STRIPES, (-0.3, -0.2, -0.1, 0.0, 0.1, 0.2, 0.3), _set("stripe", "bow")),
    "breaks": Sweep(STRIPES, (0, 1, 2, 3, 4), _set("stripe", "breaks")),
    "band-along": Sweep(STRIPES, (1.5, 2.0, 3.0, 4.0), _millimetres("stripe", "band", gap=0.29)),
    "band-across": Sweep(
        STRIPES,
        (1.5, 2.0, 3.0, 4.0),
        _millimetres("stripe", "band", gap=0.29, hatch="across"),
    ),
    "pressure": Sweep(STRIPES, _PRESSURES, _pressed),
    "wobble": Sweep(STRIPES, (0, 1, 2, 3, 4, 6), _shaken),
    "colour": Sweep(STRIPES, tuple(INKS), _inked),
    "dot-size": Sweep(DOTS, (0.8, 1.0, 1.3, 1.7, 2.2, 3.0, 4.0, 5.0, 6.5, 8.0), _millimetres("dot", "size")),
    "ring-size": Sweep(DOTS, (1.5, 2.2, 3.0, 4.0, 5.0, 6.5, 8.0), _millimetres("dot", "size", shape="ring")),
    "dot-shape": Sweep(
        DOTS,
        ("blob", "scribble", "ring", "filled ring", "spiral", "tick", "dash", "dab"),
        lambda one, shape: one.way("dot", shape=shape, size=0.05 if shape in ("dab", "dash") else 0.11),
    ),
    "dot-aside": Sweep(DOTS, (-0.35, -0.25, -0.15, 0.0, 0.15, 0.25, 0.35), _dots_aside),
    "dots-axis": Sweep(("two-dots",), tuple(float(turn) for turn in range(0, 180, 15)), _set("dot", "axis")),
    "dots-apart": Sweep(("two-dots",), (4.5, 6.0, 8.0, 10.0, 12.0, 14.0), _millimetres("dot", "apart")),
    "dot-pressure": Sweep(DOTS, _PRESSURES, _pressed),
    "quarter-style": Sweep(
        ("quarters",),
        ("solid", "hatched", "crossed", "zigzag", "outlined", "strokes"),
        _set("quarter", "style"),
    ),
    "quarter-strokes": Sweep(("quarters",), (2, 3, 4, 6), _set("quarter", "strokes", style="strokes")),
    "quarter-spacing": Sweep(
        ("quarters",), _SPACINGS, _millimetres("quarter", "spacing", style="hatched", lines=False)
    ),
    "quarter-rising": Sweep(
        ("quarters",),
        ("solid", "hatched", "crossed", "zigzag", "outlined", "strokes"),
        _set("quarter", "style", falling=False),
    ),
    "black-style": Sweep(
        ("black",),
        ("zigzag", "solid", "ringed", "scribble", "crossed", "half"),
        _set("black", "style"),
    ),
    "black-spacing": Sweep(("black",), _SPACINGS, _millimetres("black", "spacing")),
    "black-slant": Sweep(
        ("black",),
        tuple(float(turn) for turn in range(0, 180, 15)),
        _set("black", "slant", spacing=1.4 / 30),
    ),
    "black-cover": Sweep(("black",), (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1), _set("black", "cover")),
    "cross-size": Sweep(COATS, (0.4, 0.6, 0.8, 1.0, 1.3, 1.6, 2.0), _set("cross", "size")),
    "cross-tilt": Sweep(COATS, (-45, -30, -15, 0, 15, 30, 45), _set("cross", "tilt")),
}


def maps_with(coats: Sequence[str], seed: int, most: int = MOST) -> list[Kingdom]:
    """Maps of played games, those with the most squares of these coats, until there are enough."""
    numbers = {COATS.index(coat) for coat in coats}

    def count(kingdom: Kingdom) -> int:
        return sum(mark.coat in numbers for mark in kingdom.marks())

    some = [kingdom for kingdom, _ in itertools.islice(games(seed), _LOOKED_AT)]
    some.sort(key=count, reverse=True)
    counts = itertools.accumulate(count(kingdom) for kingdom in some)
    enough = next((k for k, total in enumerate(counts) if total >= most), len(some) - 1)
    return some[: enough + 1]


def photo_of(kingdom: Kingdom, setting: PenSetting, rng: np.random.Generator, *, ours: bool = True) -> bytes:
    """A flat, sharp photo from above of this map."""
    print_rng, pen_rng, photo_rng = spawned(rng, 3)
    form = OUR_FORM if ours else random_form(print_rng, unseen=True)
    pen = (setting.nib, setting.wrist)
    paper = sheet_by_ways(form, cells_of_kingdom(kingdom), pen_rng, pen, setting.ways)
    return photographed([paper], PhotoConditions(square_px=60.0, ground="plain"), photo_rng).jpeg


def read_of(jpeg: bytes, kingdom: Kingdom, coats: Sequence[str]) -> list[tuple[bool, bool, str]]:
    """The squares of these coats in a photo: right, doubted, and what was read.

    A map that is not found is all wrong, and not silently.
    """
    image = np.asarray(cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR), dtype=np.uint8)
    read = reading(sheet_reader(), image)
    told = {} if read is None else {square.name: square for square in read.squares}
    found = []
    for square in SQUARES:
        mark = kingdom.at(square)
        if mark is None or COATS[mark.coat] not in coats:
            continue
        seen = told.get(NAMES[square])
        if seen is None:
            found.append((False, True, "no map"))
            continue
        right = (seen.coat, seen.crosses) == (mark.coat, mark.crosses)
        name = "blank" if seen.coat is None else COATS[seen.coat]
        found.append((right, seen.doubt, name if seen.coat != mark.coat else "other crosses"))
    return found


def swept(
    sweep: Sweep, values: Sequence[Value], base: PenSetting, about: tuple[int, int, bool]
) -> Iterator[tuple[Value, Counter[str], Counter[str]]]:
    """For each value how many squares, wrong and silent ones, and what the wrong ones were taken for."""
    seed, most, ours = about
    maps = maps_with(sweep.coats, seed, most)
    for value in values:
        counts: Counter[str] = Counter()
        taken_for: Counter[str] = Counter()
        setting = sweep.change(base, value)
        for number, kingdom in enumerate(maps):
            # The same chance at each value: nothing but the property changes.
            jpeg = photo_of(kingdom, setting, np.random.default_rng([seed, number, 31]), ours=ours)
            for right, doubted, name in read_of(jpeg, kingdom, sweep.coats):
                if counts["squares"] < most:
                    counts.update(
                        squares=1, wrong=not right, silent=not right and not doubted, doubted=doubted
                    )
                    taken_for.update([] if right else [name])
        yield value, counts, taken_for


def _fitting(sweep: Sweep, texts: Sequence[str] | None) -> tuple[Value, ...] | None:
    """The values asked for, as numbers where the property is one; nothing if one of them is none."""
    if not texts:
        return sweep.values
    if isinstance(sweep.values[0], str):
        return tuple(texts) if set(texts) <= set(sweep.values) else None
    number = int if all(isinstance(value, int) for value in sweep.values) else float
    try:
        return tuple(number(text) for text in texts)
    except ValueError:
        return None


def main(arguments: list[str] | None = None) -> int:
    """Sweep, and print one JSON object a value."""
    parser = argparse.ArgumentParser(
        prog="python -m training.sweep_pens", description=__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )  # fmt: skip
    parser.add_argument("--what", choices=("list", *SWEEPS), required=True, help="the property that changes")
    parser.add_argument("--values", nargs="+", default=None, help="only these")
    parser.add_argument("--slant", type=float, default=51.0, help="of stripes, where it does not change")
    parser.add_argument("--form", choices=("ours", "others"), default="ours")
    parser.add_argument("--n", type=int, default=MOST, help="how many squares of the coat at each value")
    parser.add_argument("--seed", type=int, default=5, help="another seed, other maps")
    parser.add_argument("--look", type=Path, default=None, help="leave the first photo of each value there")
    options = parser.parse_args(arguments)
    if options.what == "list":
        for name, sweep in SWEEPS.items():
            print(f"{name}: {', '.join(sweep.coats)}; {', '.join(map(str, sweep.values))}")
        return 0
    sweep = SWEEPS[options.what]
    values = _fitting(sweep, options.values)
    if values is None:
        told = ", ".join(map(str, sweep.values))
        print(f"--values of {options.what} should be like {told}.", file=sys.stderr)
        return 2
    base = BASE.way("stripe", slant=options.slant)
    about = (options.seed, options.n, options.form == "ours")
    if options.look is not None:
        options.look.mkdir(parents=True, exist_ok=True)
        kingdom = maps_with(sweep.coats, options.seed, options.n)[0]
        for value in values:
            rng = np.random.default_rng([options.seed, 0, 31])
            jpeg = photo_of(kingdom, sweep.change(base, value), rng, ours=about[2])
            (options.look / f"{options.what}-{value}.jpg").write_bytes(jpeg)
    for value, counts, taken_for in swept(sweep, values, base, about):
        line = {options.what: value, "squares": counts["squares"], "wrong": counts["wrong"],
                "wrong and undoubted": counts["silent"], "doubted": counts["doubted"],
                "taken for": dict(taken_for.most_common())}  # fmt: skip
        print(json.dumps(line), flush=True)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
