"""How many games are taken up: `python -m training.measure_starts --game dominoids --films 8 --first 9200`.

The films are those of ``training.measure_films``, seed for seed and trouble for trouble, but each is drawn
and watched only until its first hand comes. The chain is the one of ``pipwatch run --source video:…``, and is
told no set-up: gate, reader, eye and starter get what they would get of the film. A game of which nobody
knows yet who moves first counts as taken up with the table from which that is waited for.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2

from device.live.starting import REFUSALS, WHO
from device.live.stopwatch import Stopwatch
from engine import State, rulebook
from engine.book import AnyRuleBook
from engine.layout import Layout
from training.film_counts import Line
from training.film_judging import film_of, followed, start
from training.measure_films import Job, Words, jobs_of, keep, parser, row, tell, worked
from training.measure_gate import TROUBLES

OUTCOMES = ("right", "differs and said", "wrong and silent", "asked", "not taken up")


def work(job: Job) -> Path:
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
        outcome = "differs and said" if _is_said(told) else "wrong and silent"
    return {"outcome": outcome, "said": [words for words in said if words != WHO], "off": off}


def differences(true: State, taken: State, book: AnyRuleBook) -> list[str]:
    """What lies on the one table and not on the other, in words; who is to move no table shows."""
    one, other = (_lying(book.layout(state)) for state in (true, taken))
    return [f"{sign} {words}" for sign, words in (
        *(("lacks", words) for words in sorted((one - other).elements())),
        *(("has", words) for words in sorted((other - one).elements())),
    )]  # fmt: skip


def _lying(layout: Layout) -> Counter[str]:
    """Each piece with its place, in words, and how many lie closed where nobody sees them."""
    spots = (
        f"{one.kind} {one.face} {_value(one.value)} {one.region} {one.x} {one.y}" for one in layout.spots
    )
    return Counter(
        [*spots, *(f"{many} hidden in {region}" for region, many in layout.hidden.items() if many)]
    )


def _value(value: Any) -> str:
    """What a piece shows, however it is told."""
    return json.dumps({**(value or {})}, sort_keys=True)


def _is_said(told: Sequence[Line]) -> bool:
    """Whether the last word before the game was taken up was one of doubt, or an entry names its doubt."""
    said = [one["words"] for one in told if one.get("phase") == "setting up"]
    doubted = bool(said) and said[-1] != WHO and not said[-1].startswith(REFUSALS)
    return doubted or any(one.get("alike") for one in told)


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
