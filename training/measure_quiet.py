"""What a referee makes of nothing: `python -m training.measure_quiet --game dominoids --episodes 250`.

Positions of games in progress are filmed while nothing is done (``simulation.quiet``): hands that touch
nothing and cover up to three fifths of the table, and light that changes, each alone. Look, light, table and
lens are drawn at random as in ``training.measure_films``; the position is told as a person would tell it, and
the chain is that of ``pipwatch run --source video:… --headless --json``. Whatever is recorded is false.
--episodes is how many visits of hands, and as many changes of light, each game gets; each film leaves one
file in --out, so that a measurement goes on where it stopped.
"""

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.plan import plan_of
from engine import GAMES
from simulation.film import Film, FilmShot, Options
from simulation.quiet import LIGHTS, VISITS, quiet, table_in
from training.film_counts import Line
from training.film_judging import Clip, chain_of, followed
from training.measure_films import ROOT, SOON_S, FilmJob, Words, keep, row, shares, tell, worked
from training.quiet_counts import SeenFilm, Witness, counted

_TENTHS = 10
WAITS = {
    "settled_s": "hand out of sight to settled",
    "agreed_s": "hand out of sight to committed",
    "agreed_after_s": "arm away from the table to committed",
}


@dataclass(frozen=True)
class QuietJob(FilmJob):
    """One film at which nothing is done."""

    episodes: int = 10

    @property
    def terms(self) -> Line:
        """What a result hangs on besides the chain."""
        return {**super().terms, "episodes": self.episodes}


def work(job: FilmJob) -> Path:
    """Film nothing, and write what was made of it."""
    assert isinstance(job, QuietJob)
    cv2.setNumThreads(1)
    began = time.process_time()
    film = quiet(job.game, seed=job.seed, episodes=job.episodes, options=job.options)
    watch, shares = Witness(), list[float]()
    table = table_in(film.scene.camera, plan_of(job.game).size_mm)

    def note(shot: FilmShot) -> None:
        covered = shot.frame.covered
        shares.append(0.0 if covered is None else float(covered[table].mean()))

    told, hands = followed(_clip(film), watch, told_setup=True, note=note)
    free = {round(look.at_s * job.options.fps) for look in watch.looks if look.settled}
    settled = [frame in free for frame in range(len(hands))]
    seen = SeenFilm(told, hands, shares, settled, watch.phases, job.options.fps)
    return keep(job, {
        "terms": job.terms, "chain": job.chain, "seconds": round(time.process_time() - began, 1),
        **counted(film.truth(), seen), "told": told,
    })  # fmt: skip


def _clip(film: Film) -> Clip:
    return Clip(film, range(len(film)), film.script.setup, [])


# — what is told —


def report(results: Sequence[Line]) -> Line:
    """All films of a game together; what began while table and record did not agree counts apart."""
    every = [one for result in results for one in result["episodes"]]
    some = [one for one in every if one["in_step"]]
    rows: Line = {}
    for title, kinds in (
        ("hands", VISITS),
        ("light", LIGHTS),
        *((kind, (kind,)) for kind in VISITS + LIGHTS),
    ):
        mine = [one for one in some if one["kind"] in kinds]
        for key, name in (("entries", "false entries"), ("asked", "questions"), ("lost", "out of step")):
            rows[f"{title}: with {name}"] = row(sum(bool(one[key]) for one in mine), len(mine))
    hands = [one for one in some if "share" in one]
    for key, name in WAITS.items():
        soon = [one[key] is not None and one[key] <= SOON_S + 1e-6 for one in hands]
        rows[f"{name} within {SOON_S} s"] = row(sum(soon), len(soon))
    tenths = Counter(int(one["share"] * _TENTHS) for one in hands)
    return {
        "films": len(results), "episodes": len(every), "rows": rows,
        "not in step at first": sum(not one["episodes"][0]["in_step"] for one in results if one["episodes"]),
        "began out of step": len(every) - len(some),
        "false entries out of step": sum(len(one["entries"]) for one in every if not one["in_step"]),
        "waits_s": {name: _spread([one[key] for one in hands]) for key, name in WAITS.items()},
        "shares": {f"{10 * k} to {10 * k + 10} %": tenths[k] for k in sorted(tenths)},
        "largest share": max((one["share"] for one in hands), default=0.0),
        "seconds an episode": round(sum(one["seconds"] for one in results) / max(1, len(every)), 2),
        "chains": len({one["chain"] for one in results}),
    }  # fmt: skip


def _spread(waits: Sequence[float | None]) -> Line:
    """Median and 95th percentile; what never came before the next episode counts as later than all."""
    if not waits:
        return {"n": 0}
    values = sorted(float("inf") if wait is None else wait for wait in waits)
    middle, high = (
        values[min(len(values) - 1, int(np.ceil(share * len(values))) - 1)] for share in (0.5, 0.95)
    )
    told = [None if np.isinf(value) else value for value in (middle, high)]
    return {"n": len(values), "median": told[0], "p95": told[1], "never": sum(wait is None for wait in waits)}


def table(game: str, found: Line) -> Iterator[str]:
    """A report as lines for people."""
    yield f"{game}: {found['films']} films, {found['episodes']} episodes"
    yield from shares(found["rows"])
    for name, wait in found["waits_s"].items():
        if wait["n"]:
            yield f"  {name}: median {wait['median']} s, p95 {wait['p95']} s, never {wait['never']}"
    for name in ("shares", "largest share", "not in step at first", "began out of step",
                 "false entries out of step", "seconds an episode"):  # fmt: skip
        yield f"  {name}: {found[name]}"
    if found["chains"] > 1:
        yield f"  Judged by {found['chains']} versions of the chain; --anew judges the older films again."


def failures(results: Sequence[Line]) -> Iterator[str]:
    """Each episode of which something was told, and each after which the table was not soon agreed upon."""
    for one in results:
        name = f"{one['terms']['game']} {one['terms']['seed']}"
        for episode in ({"kind": "before", "first": 0, **one["before"]}, *one["episodes"]):
            said = [json.dumps(line, ensure_ascii=False) for line in episode["entries"]]
            said += [*episode["asked"], *episode["lost"]]
            late = "agreed_s" in episode and (
                episode["agreed_s"] is None or episode["agreed_s"] > SOON_S + 1e-6
            )
            if said or late:
                wait = f"committed after {episode['agreed_s']} s" if late else ""
                yield " | ".join(
                    filter(None, (f"{name} frame {episode['first']}, {episode['kind']}", wait, *said))
                )


# — the command —


def main(argv: Sequence[str] | None = None) -> int:
    """Film nothing, judge, count and tell."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--game", choices=(*GAMES, "all"), default="all")
    p.add_argument("--episodes", type=int, default=250, help="visits, and as often light, of each game (250)")
    p.add_argument("--each", type=int, default=10, help="how many of either in one film (10)")
    p.add_argument("--first", type=int, default=7000, help="the first seed (7000)")
    p.add_argument("--jobs", type=int, default=1, help="how many films at a time (1)")
    p.add_argument("--out", default="out/quiet", help="where the results go, a file a film (out/quiet)")
    p.add_argument("--anew", action="store_true", help="judge anew what an older chain judged")
    p.add_argument("--json", action="store_true", help="the figures as JSON")
    arguments = p.parse_args(argv)
    games = GAMES if arguments.game == "all" else (arguments.game,)
    jobs = list(_jobs(arguments, games))
    if not worked(jobs, work, at_once=arguments.jobs, anew=arguments.anew):
        return 130
    tell(games, jobs, Words(report, table, failures), as_json=arguments.json)
    return 0


def _jobs(arguments: argparse.Namespace, games: Sequence[str]) -> Iterator[FilmJob]:
    """Film by film, the games by turns, so that a run that is stopped has seen all alike.

    No two films have the same seed: of one seed tables of two games would have the same light and hands.
    """
    out, chain = Path(arguments.out), chain_of(ROOT)
    out.mkdir(parents=True, exist_ok=True)
    left, first = arguments.episodes, arguments.first
    while left > 0:
        many = min(left, arguments.each)
        for game in games:
            seed = first + GAMES.index(game)
            yield QuietJob(game, seed, Options(), True, out / f"{game}-{seed}.json", chain, many)
        left, first = left - many, first + len(GAMES)


if __name__ == "__main__":
    sys.exit(main())
