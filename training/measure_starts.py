"""How many games are taken up: `python -m training.measure_starts --game dominoids --films 8 --first 9200`.

The films are those of ``training.measure_films``, seed for seed and trouble for trouble, but each is drawn
and watched only until its first hand comes. The chain is the one of ``pipwatch run --source video:…``, and is
told no set-up: gate, reader, eye and starter get what they would get of the film. A game of which nobody
knows yet who moves first counts as taken up with the table from which that is waited for.
"""

import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import cv2

from device.live.starting import REFUSALS, WHO
from device.live.stopwatch import Stopwatch
from engine import State, rulebook
from engine.book import AnyRuleBook
from engine.layout import Layout
from engine.matching.piece_words import place_name, region_words
from training.film_counts import Line
from training.film_judging import film_of, followed, start
from training.measure_films import FilmJob, Words, jobs_of, keep, parser, row, tell, worked
from training.measure_gate import TROUBLES

_CALLED: Mapping[str, frozenset[str]] = {
    "domino": frozenset(("domino", "dominoes", "tile", "tiles")),
    "wall": frozenset(("wall", "walls")),
    "coin": frozenset(("coin", "coins")),
    "die": frozenset(("die", "dice", "roll")),
    "pawn": frozenset(("pawn", "pawns")),
    "soldier": frozenset(("soldier", "soldiers", "man", "men")),
    "sheet": frozenset(("map", "maps")),
    "tile": frozenset(("tile", "tiles")),
}
"""What each kind of piece is called where it is doubted."""
_WORD = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
OUTCOMES = ("right", "differs and said", "wrong and silent", "asked", "not taken up")


class _Lying(NamedTuple):
    """What lies somewhere, or with no kind how many pieces lie hidden there."""

    kind: str
    face: str = ""
    value: str = ""
    region: str = ""
    x: float | None = None
    y: float | None = None
    many: int = 0


def work(job: FilmJob) -> Path:
    """Watch the start of a film and write what became of it."""
    cv2.setNumThreads(1)
    film = film_of(job.game, job.seed, job.options, TROUBLES)
    told, _ = followed(start(film), Stopwatch())
    found = judged_start(told, film.script.setup, job.game, film.script.profile)
    return keep(
        job, {"terms": job.terms, "chain": job.chain, "troubles": list(film.options.troubles), **found}
    )


def judged_start(told: Sequence[Line], setup: Line, game: str, profile: str) -> Line:
    """What became of a start: its outcome, what was said, and where the table that counts is another one."""
    book = rulebook(game, profile)
    ends = [State.from_json(one["state"]) for one in told if "state" in one]
    off = [line for end in ends[-1:] for line in differences(State.from_json(setup), end, book)]
    said = [" ".join((one["words"], *one["places"])) for one in told if "phase" in one]
    outcome = "right"
    # Of a new game nothing counts before the facts of its opening are told.
    if not ends or (off and book.pending(ends[-1]) is not None and not any("fact" in one for one in told)):
        outcome = "asked" if any(one.get("phase") == "asking" for one in told) else "not taken up"
    elif off:
        is_said = _is_said(told, State.from_json(setup), ends[-1], book)
        outcome = "differs and said" if is_said else "wrong and silent"
    return {"outcome": outcome, "said": [words for words in said if words != WHO], "off": off}


def differences(true: State, taken: State, book: AnyRuleBook) -> list[str]:
    """What lies on the one table and not on the other, in words; who is to move no table shows."""
    lacking, more = _apart(true, taken, book)
    return [
        *(f"lacks {words}" for words in sorted(map(_words, lacking))),
        *(f"has {words}" for words in sorted(map(_words, more))),
    ]


def _apart(true: State, taken: State, book: AnyRuleBook) -> tuple[list[_Lying], list[_Lying]]:
    """What lies on the true table alone, and on the other alone."""
    one, other = (_lying(book.layout(state)) for state in (true, taken))
    return list((one - other).elements()), list((other - one).elements())


def _lying(layout: Layout) -> Counter[_Lying]:
    """Each piece with its place, and how many lie closed where nobody sees them."""
    spots = (_Lying(one.kind, one.face, _value(one.value), one.region, one.x, one.y) for one in layout.spots)
    return Counter(
        [*spots, *(_Lying("", region=region, many=many) for region, many in layout.hidden.items())]
    )


def _words(one: _Lying) -> str:
    if not one.kind:
        return f"{one.many} hidden in {one.region}"
    return f"{one.kind} {one.face} {one.value} {one.region} {one.x} {one.y}"


def _value(value: Any) -> str:
    """What a piece shows, however it is told."""
    return json.dumps({**(value or {})}, sort_keys=True)


def _is_said(told: Sequence[Line], true: State, taken: State, book: AnyRuleBook) -> bool:
    """Whether it was doubted just what differs.

    The last word before the game was taken up, or an entry that tells how else it may be read, names of each
    kind that differs a piece or its place: what lies on the board and should not lacks elsewhere. What lies
    hidden follows from what is seen, and counts where nothing else differs.
    """
    said = [one["words"] for one in told if one.get("phase") == "setting up"]
    doubts = [] if not said or said[-1] == WHO or said[-1].startswith(REFUSALS) else [said[-1]]
    doubts += [" ".join((one.get("fact") or one.get("move") or "", *one["alike"])) for one in told
               if one.get("alike")]  # fmt: skip
    off = [piece for side in _apart(true, taken, book) for piece in side]
    kinds = {piece.kind for piece in off if piece.kind} or {""}
    named = {piece.kind for piece in off if any(_names(words, piece) for words in doubts)}
    return kinds <= named


def _names(words: str, piece: _Lying) -> bool:
    """Whether words of doubt name a piece: its place, or what it is."""
    where = region_words(piece.region)
    if not piece.kind:
        return where in words
    heard = set(_WORD.findall(words.lower()))
    if heard.intersection(place_name(piece.x, piece.y).split(" and ")):
        return True
    value = json.loads(piece.value)
    if piece.kind == "domino":  # there are many: which of them, or where
        pips = [str(end) for end in value.get("pips", ())]
        is_it = heard & {"-".join(pips), "-".join(pips[::-1])}
        return bool(is_it) or (where in words and bool(heard & _CALLED["domino"]))
    return bool(heard & {*_CALLED[piece.kind], str(value.get("type", piece.kind))})


# — what is told —


def report(results: Sequence[Line]) -> Line:
    """All starts of a game together."""
    counts = Counter(one["outcome"] for one in results)
    return {"starts": len(results), "rows": {name: row(counts[name], len(results)) for name in OUTCOMES}}


def table(game: str, found: Line) -> Iterator[str]:
    """A report as lines for people."""
    yield f"{game}: {found['starts']} starts"
    for name, line in found["rows"].items():
        share = f"{line['share']:8.2%}  ({line['low']:.2%} to {line['high']:.2%})"
        yield f"  {name:<18} {line['hits']:>4} of {line['n']:<4} {share}"


def failures(results: Sequence[Line]) -> Iterator[str]:
    """Each start that was not right, with what was said of it."""
    for one in results:
        if one["outcome"] != "right":
            name = f"{one['terms']['game']} {one['terms']['seed']}: {one['outcome']}"
            yield " | ".join((name, *one["off"], *one["said"][-1:]))


def main(argv: Sequence[str] | None = None) -> int:
    """Film, watch, compare and tell."""
    arguments = parser(__doc__ or "", "out/starts").parse_args(argv)
    games, jobs = jobs_of(arguments)
    if not worked(jobs, work, at_once=arguments.jobs, anew=arguments.anew):
        return 130
    tell(games, jobs, Words(report, table, failures), as_json=arguments.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
