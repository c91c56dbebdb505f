"""How well games are refereed from pixels: `python -m training.measure_films --game draw-game --films 20`.

Games are filmed on the virtual table from seeds (any look, light, table; illegal moves, take-backs, needless
hands, changing light, a knocked or failing camera), judged by the chain of ``pipwatch run --source video:…
--headless --json``, and counted (``training.film_counts``). Each film leaves one file in --out, so that a
measurement goes on where it stopped, and n can grow over nights.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path

import cv2
import numpy as np

from benchmarks.wilson import interval
from device.live.stopwatch import STAGES
from engine import GAMES
from simulation.film import Options
from training.film_counts import OUTCOMES, Count, Line, totals
from training.film_judging import chain_of, film_of, judged, whole
from training.measure_gate import TROUBLES

ROOT = Path(__file__).parents[1]
SOON_S = 0.7
SAID = (
    "wrong and named", "missed and flagged", "missed and only said",
    "false by nothing", "questions", "alarms",
)  # fmt: skip


@dataclass(frozen=True)
class FilmJob:
    """One film to judge, and where its result goes."""

    game: str
    seed: int
    options: Options
    told_setup: bool
    path: Path
    chain: str

    @property
    def terms(self) -> Line:
        """What a result hangs on besides the chain."""
        options = {key: value for key, value in asdict(self.options).items() if key != "troubles"}
        terms: Line = {"game": self.game, "seed": self.seed, "told_setup": self.told_setup, **options}
        plain: Line = json.loads(json.dumps(terms))
        return plain


@dataclass(frozen=True)
class Words:
    """How the results of a game's films are told."""

    report: Callable[[Sequence[Line]], Line]
    """All of them together."""
    table: Callable[[str, Line], Iterable[str]]
    """A report as lines for people."""
    failures: Callable[[Sequence[Line]], Iterable[str]]
    """Each result that people should look at."""


def work(job: FilmJob) -> Path:
    """Judge a film and write its result."""
    cv2.setNumThreads(1)
    film = film_of(job.game, job.seed, job.options, TROUBLES)
    found = judged(whole(film), told_setup=job.told_setup)
    result = {
        "terms": job.terms, "chain": job.chain, "troubles": list(film.options.troubles),
        "count": found.count.to_json(), "laps": found.laps, "told": found.told,
    }  # fmt: skip
    return keep(job, result)


# — what is told —


def report(results: Sequence[Line]) -> Line:
    """All films of a game together: shares with n and their 95 % intervals, and times."""
    counts = [Count.from_json(one["count"]) for one in results]
    n = totals(counts)
    rows: Line = {
        **{outcome: row(n[outcome], n["moves"]) for outcome in OUTCOMES},
        "caught up late": row(n["late and right"], n["late"]),
        "facts right": row(n["facts right"], n["facts"]),
        "illegal found, with its rule": row(n["illegal found"], n["illegal"]),
        "legal moves called illegal": row(n["accusations"], n["legal"]),
        "take-backs understood": row(n["take-backs understood"], n["take-backs"]),
        "… when the next hand was there": row(n["take-backs understood late"], n["take-backs understood"]),
        "visits of hands with a false move": row(n["false by hand"], n["visits"]),
        "light alone with a false move": row(n["false by light"], n["light events"]),
        "films without a human touch": row(n["untouched"], n["films"]),
        f"ruled within {SOON_S} s of the hand": _soon(counts),
    }
    more = {key: n[key] for key in ("films", "moves", *SAID)}
    return {
        "rows": rows, **more, "chains": len({one["chain"] for one in results}), "waits_s": _waits(counts),
        "times": _times([lap for one in results for lap in one["laps"]]),
    }  # fmt: skip


def row(hits: int, n: int) -> Line:
    """A share with its interval."""
    low, high = interval(hits, n)
    return {"hits": hits, "n": n, "share": hits / n if n else None, "low": low, "high": high}


def _steady(counts: Sequence[Count]) -> list[float]:
    """Waits in light that did not change."""
    return [e.wait_s for one in counts for e in one.events if e.wait_s is not None and not e.lit]


def _soon(counts: Sequence[Count]) -> Line:
    waits = _steady(counts)
    return row(sum(wait <= SOON_S + 1e-6 for wait in waits), len(waits))


def _waits(counts: Sequence[Count]) -> Line:
    waits = _steady(counts)
    return _spread(waits) if waits else {"n": 0}


def _times(laps: Sequence[Line]) -> Line:
    """From the last still frame to the disk, as a ratio to decoding and shrinking that frame."""
    if not laps:
        return {"n": 0}
    whole_s = sum(lap["total_s"] for lap in laps)
    shares = {stage: sum(lap["stages_s"].get(stage, 0.0) for lap in laps) / whole_s for stage in STAGES}
    ratios = [lap["total_s"] / lap["plain_s"] for lap in laps]
    return {**_spread(ratios), "seconds": _spread([lap["total_s"] for lap in laps]), "shares": shares}


def _spread(values: Sequence[float]) -> Line:
    middle, high = (float(value) for value in np.percentile(values, (50, 95)))
    return {"n": len(values), "median": round(middle, 3), "p95": round(high, 3)}


def shares(rows: Line) -> Iterator[str]:
    """Rows as lines for people; what was never tried is left out."""
    for name, line in rows.items():
        if line["n"]:
            share = f"{line['share']:8.2%}  ({line['low']:.2%} to {line['high']:.2%})"
            yield f"  {name:<38} {line['hits']:>5} of {line['n']:<5} {share}"


def table(game: str, found: Line) -> Iterator[str]:
    """A report as lines for people."""
    yield f"{game}: {found['films']} films, {found['moves']} moves"
    yield from shares(found["rows"])
    yield "  " + ", ".join(f"{name}: {found[name]}" for name in SAID)
    if found["waits_s"]["n"]:
        yield "  hand to ruling, in table time: median {median} s, p95 {p95} s".format(**found["waits_s"])
    times = found["times"]
    if times["n"]:
        yield "  last still frame to disk, as a ratio to decoding and shrinking that frame:"
        yield "    median {median}, p95 {p95}".format(**times)
        yield "    " + ", ".join(f"{stage} {share:.0%}" for stage, share in times["shares"].items())
    if found["chains"] > 1:
        yield f"  Judged by {found['chains']} versions of the chain; --anew judges the older films again."


def failures(results: Sequence[Line]) -> Iterator[str]:
    """Each move that was not right and each false one, with the film that shows it."""
    for one in results:
        name = f"{one['terms']['game']} {one['terms']['seed']}"
        for number, event in enumerate(one["count"]["events"], 1):
            if event["outcome"] != "right":
                told = f", told {event['told']!r}" if event["told"] else ""
                yield f"{name}: event {number} {event['text']!r} {event['outcome']}{told}"
            elif event["put_right"] is False:
                yield f"{name}: event {number} {event['text']!r} taken back, and that was not understood"
        for false in one["count"]["false"]:
            yield f"{name}: false {false['text']!r} at frame {false['frame']}, by {false['by']}"


# — the command —


def main(argv: Sequence[str] | None = None) -> int:
    """Film, judge, count and tell."""
    p = parser(__doc__ or "", "out/films")
    p.add_argument("--told-setup", action="store_true", help="tell the state in which each film begins")
    arguments = p.parse_args(argv)
    games, jobs = jobs_of(arguments, told_setup=arguments.told_setup)
    if not worked(jobs, work, at_once=arguments.jobs, anew=arguments.anew):
        return 130
    tell(games, jobs, Words(report, table, failures), as_json=arguments.json)
    return 0


def parser(doc: str, out: str) -> argparse.ArgumentParser:
    """What every command that judges films may be told."""
    p = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--game", choices=(*GAMES, "all"), default="all")
    p.add_argument("--films", type=int, default=20, help="how many films of each game (20)")
    p.add_argument("--first", type=int, default=9000, help="the first seed (9000)")
    p.add_argument("--jobs", type=int, default=1, help="how many films at a time (1)")
    p.add_argument("--out", default=out, help=f"where the results go, a file a film ({out})")
    p.add_argument("--moves", type=int, default=8, help="of each film (8)")
    p.add_argument("--illegal", type=float, default=0.12, help="share of illegal moves (0.12)")
    p.add_argument("--retract", type=float, default=0.08, help="share of legal moves taken back (0.08)")
    p.add_argument("--anew", action="store_true", help="judge anew what an older chain judged")
    p.add_argument("--json", action="store_true", help="the figures as JSON")
    return p


def jobs_of(
    arguments: argparse.Namespace, *, told_setup: bool = False
) -> tuple[tuple[str, ...], list[FilmJob]]:
    """The games that are wanted, and their films."""
    games = GAMES if arguments.game == "all" else (arguments.game,)
    out = Path(arguments.out)
    out.mkdir(parents=True, exist_ok=True)
    chain = chain_of(ROOT)
    options = Options(moves=arguments.moves, illegal=arguments.illegal, retracted=arguments.retract)
    seeds = range(arguments.first, arguments.first + arguments.films)
    jobs = [FilmJob(game, seed, options, told_setup, out / f"{game}-{seed}.json", chain)
            for game in games for seed in seeds]  # fmt: skip
    return games, jobs


def worked(jobs: Sequence[FilmJob], work: Callable[[FilmJob], Path], *, at_once: int, anew: bool) -> bool:
    """Have the films judged for which there is no result yet; whether nobody stopped it."""
    due = [job for job in jobs if not _is_done(job, anew=anew)]
    try:
        for done, name in enumerate(_each(due, work, at_once), 1):
            print(f"{done} of {len(due)} films judged ({name})", file=sys.stderr, flush=True)
    except KeyboardInterrupt:
        print("Stopped; the same command goes on with the films that are left.", file=sys.stderr)
        return False
    return True


def tell(games: Sequence[str], jobs: Sequence[FilmJob], words: Words, *, as_json: bool) -> None:
    """Print what the films of each game gave: lines for people, or all games as one JSON."""
    told = {}
    for game in games:
        results = [json.loads(job.path.read_text(encoding="utf-8")) for job in jobs if job.game == game]
        told[game] = words.report(results)
        if not as_json:
            lines = (*words.table(game, told[game]), *(f"  {line}" for line in words.failures(results)))
            print("\n".join(lines))
    if as_json:
        print(json.dumps(told, indent=1))


def keep(job: FilmJob, result: Line) -> Path:
    """Write a film's result, whole or not at all."""
    whole_file = job.path.with_suffix(".part")
    whole_file.write_text(json.dumps(result, ensure_ascii=False, indent=1), encoding="utf-8")
    whole_file.replace(job.path)
    return job.path


def _is_done(job: FilmJob, *, anew: bool) -> bool:
    """Whether there is a result that counts; one made on other terms is refused, not mixed in."""
    if not job.path.exists():
        return False
    known = json.loads(job.path.read_text(encoding="utf-8"))
    if known["terms"] != job.terms:
        raise SystemExit(f"{job.path} was made on other terms: choose another folder with --out.")
    return not anew or known["chain"] == job.chain


def _each(jobs: Sequence[FilmJob], work: Callable[[FilmJob], Path], at_once: int) -> Iterator[str]:
    """The names of the results, as they come."""
    if at_once == 1:
        yield from (work(job).name for job in jobs)
        return
    with ProcessPoolExecutor(at_once) as pool:
        for done in as_completed([pool.submit(work, job) for job in jobs]):
            yield done.result().name


if __name__ == "__main__":
    sys.exit(main())
