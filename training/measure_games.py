"""Whole games with people who play along: `python -m training.measure_games --game all --games 5 --first 1`.

Two people play each game at the virtual table from its set-up to its winner (``simulation.people``), and the
chain of ``pipwatch run --source virtual`` referees it from pixels. A line a game says what became of moves,
how often people had to help, and whether the game came to its end with the right scores. Each game leaves one
file in --out, so that a measurement goes on where it stopped.

*plain*: any one cloth or bare table, any make of pieces, a steady lamp, unhurried players. *hard*: everything
that films have had: lamps, shadows, exposure, a knocked or failing camera, printed tables, hurry. *demo*:
what `pipwatch demo GAME --seed N` shows. *sketch*: a table whose frames are only sketched, and read without
fault but for the share of its pieces that is --doubtful: what is lost there no better reading would win.

--watched 0.5: the picture that is watched is half as wide as the camera's, which is read when asked for.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

from device.cli import UserError
from engine import GAMES, BadProfile, rulebook
from training.film_counts import Line
from training.film_judging import CHAIN, chain_of
from training.game_playing import Sitting, played
from training.measure_films import ROOT, row

ROOMS = (*CHAIN, "simulation", "training")
"""On which a result hangs: players and counting, too."""
CONDITIONS = ("plain", "hard", "demo", "sketch")
CONFIRMS = ("button", "auto")
LEAST_WATCHED = 0.25
"""Of a picture of 1280 pixels: smaller ones do not show the markers."""
KEYS = (
    "moves", "right", "named_beside", "asked", "wrong_flagged", "wrong_silent", "missed", "accusations",
    "illegal", "illegal_found", "touches", "false", "alarms", "errors", "take_backs", "take_backs_understood",
)  # fmt: skip
"""Figures of a game that are added up over games."""
ENDS = ("finished", "scores_right", "winner_right")


@dataclass(frozen=True)
class Task:
    """One game to play, and where its result goes."""

    sitting: Sitting
    path: Path
    chain: str


def work(task: Task) -> Path:
    """Play a game and write its result, whole or not at all."""
    line = played(task.sitting)
    result = {"terms": task.sitting.terms, "chain": task.chain, **line}
    whole_file = task.path.with_suffix(".part")
    whole_file.write_text(json.dumps(result, ensure_ascii=False, indent=1), encoding="utf-8")
    whole_file.replace(task.path)
    return task.path


def main(argv: Sequence[str] | None = None) -> int:
    """Play, count and tell."""
    arguments = parser().parse_args(argv)
    if not 0 <= arguments.doubtful <= 1 or (arguments.doubtful and arguments.conditions != "sketch"):
        print("--doubtful should be between 0 and 1, and is for --conditions sketch.", file=sys.stderr)
        return 2
    if not LEAST_WATCHED <= arguments.watched <= 1 or (
        arguments.watched < 1 and arguments.conditions == "sketch"
    ):
        print(
            f"--watched should be between {LEAST_WATCHED} and 1, and is not for --conditions sketch.",
            file=sys.stderr,
        )
        return 2
    if arguments.games < 1 or arguments.jobs < 1:
        print("--games and --jobs should be 1 or more.", file=sys.stderr)
        return 2
    try:
        tasks = list(_tasks(arguments))
        _worked(tasks, arguments.jobs, anew=arguments.anew)
    except (BadProfile, OSError, UserError) as wrong:
        print(f"{str(wrong).rstrip('.')}.", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("Stopped; the same command goes on with the games that are left.", file=sys.stderr)
        return 130
    results = [json.loads(task.path.read_text(encoding="utf-8")) for task in tasks]
    if arguments.json:
        for one in results:
            print(json.dumps(one["line"], ensure_ascii=False))
        print(json.dumps({"totals": totals(results)}, ensure_ascii=False))
    else:
        print("\n".join(told(results, stories=arguments.stories)))
    return 0


def parser() -> argparse.ArgumentParser:
    """What the command may be told."""
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--game", choices=(*GAMES, "all"), default="all")
    p.add_argument("--games", type=int, default=5, help="how many of each game (5)")
    p.add_argument("--first", type=int, default=1, metavar="SEED", help="the first seed (1)")
    p.add_argument("--conditions", choices=CONDITIONS, default="plain")
    p.add_argument(
        "--doubtful", type=float, default=0.0, metavar="SHARE", help="of the pieces of a sketched table"
    )
    p.add_argument(
        "--watched", type=float, default=1.0, metavar="SHARE", help="of the camera's picture, in width"
    )
    p.add_argument("--confirm", choices=CONFIRMS, default="auto")
    p.add_argument("--profile", help="another profile than the usual one (docs/accuracy-games.md)")
    p.add_argument("--jobs", type=int, default=1, help="how many games at a time (1)")
    p.add_argument("--out", default="out/games", help="where the results go, a file a game (out/games)")
    p.add_argument("--anew", action="store_true", help="play anew what an older chain has refereed")
    p.add_argument("--stories", action="store_true", help="tell all that people met, too")
    p.add_argument("--json", action="store_true", help="one JSON object a line, and one for the totals")
    return p


def _tasks(arguments: argparse.Namespace) -> Iterator[Task]:
    games = GAMES if arguments.game == "all" else (arguments.game,)
    for game in games:
        rulebook(game, profile=arguments.profile or "default")  # a profile that there is not is told at once
    out, chain = Path(arguments.out), chain_of(ROOT, ROOMS)
    out.mkdir(parents=True, exist_ok=True)
    for game in games:
        for seed in range(arguments.first, arguments.first + arguments.games):
            terms = (arguments.conditions, arguments.confirm, arguments.profile, arguments.doubtful)
            sitting = Sitting(game, seed, *terms, arguments.watched)
            doubt = f"-{arguments.doubtful:g}" if arguments.doubtful else ""
            doubt += f"-watched-{arguments.watched:g}" if arguments.watched < 1 else ""
            name = f"{game}-{seed}-{arguments.conditions}{doubt}-{arguments.confirm}.json"
            yield Task(sitting, out / name, chain)


def _worked(tasks: Sequence[Task], at_once: int, *, anew: bool) -> None:
    """Have the games played for which there is no result yet."""
    due = [task for task in tasks if not _is_done(task, anew=anew)]
    for done, path in enumerate(_each(due, at_once), 1):
        print(f"{done} of {len(due)} games played ({path.name})", file=sys.stderr, flush=True)


def _each(tasks: Sequence[Task], at_once: int) -> Iterator[Path]:
    if at_once == 1:
        yield from map(work, tasks)
        return
    with ProcessPoolExecutor(at_once) as pool:
        for done in as_completed([pool.submit(work, task) for task in tasks]):
            yield done.result()


def _is_done(task: Task, *, anew: bool) -> bool:
    """Whether there is a result that counts; one made on other terms is refused, not mixed in."""
    if not task.path.exists():
        return False
    try:
        known = json.loads(task.path.read_text(encoding="utf-8"))
    except ValueError:
        raise SystemExit(f"{task.path} is no result of a game: choose another folder with --out.") from None
    if known["terms"] != task.sitting.terms:
        raise SystemExit(f"{task.path} was made on other terms: choose another folder with --out.")
    return not anew or known["chain"] == task.chain


# — what is told —


def totals(results: Sequence[Line]) -> Line:
    """All games together and each kind: shares with n and their 95 % intervals."""
    kinds = dict.fromkeys(one["line"]["game"] for one in results)
    found: Line = {game: _total([one for one in results if one["line"]["game"] == game]) for game in kinds}
    return {**found, "all": _total(results), "chains": len({one["chain"] for one in results})}


def _total(results: Sequence[Line]) -> Line:
    lines = [one["line"] for one in results]
    n: Counter[str] = Counter()
    for line in lines:
        n.update({key: line.get(key, 0) for key in KEYS})
    moves, legal = n["moves"], n["moves"] - n["illegal"]
    outcomes = ("right", "asked", "wrong_flagged", "wrong_silent", "missed")
    return {
        "games": len(lines), "moves": moves, "touches": n["touches"], "false": n["false"],
        **{key: row(n[key], moves) for key in outcomes},
        "accusations": row(n["accusations"], legal), "illegal_found": row(n["illegal_found"], n["illegal"]),
        **{key: row(sum(line[key] for line in lines), len(lines)) for key in ENDS},
        "take_backs_understood": row(n["take_backs_understood"], n["take_backs"]),
        "named_beside": n["named_beside"], "errors": n["errors"],
        "not_ready": sum(bool(line["not_ready"]) for line in lines), "alarms": n["alarms"],
        "table_min": round(sum(line["table_s"] for line in lines) / 60, 1),
        "cost_min": round(sum(line["cost_s"] for line in lines) / 60, 1),
    }  # fmt: skip


def told(results: Sequence[Line], *, stories: bool = False) -> Iterator[str]:
    """The report for people."""
    for one in results:
        yield from _game(one, stories=stories)
    found = totals(results)
    for game, total in found.items():
        if isinstance(total, dict):
            yield from _shares(game, total)
    if found["chains"] > 1:
        yield f"Played by {found['chains']} versions of the programs; --anew plays the older games again."


def _game(result: Line, *, stories: bool) -> Iterator[str]:
    line = result["line"]
    end = "finished" if line["finished"] else f"NOT finished ({line['given_up'] or 'the table was left'})"
    if line["finished"] and not (line["scores_right"] and line["winner_right"]):
        end += ", with wrong scores"
    counts = ", ".join(f"{line[key]} {key.replace('_', ' ')}" for key in KEYS if line.get(key))
    yield f"{line['game']} {line['seed']}: {end}; {counts}; {line['table_s'] / 60:.1f} min at the table, {line['cost_s']:.0f} s of work"  # noqa: E501
    yield from (f"    not ready: {reason}" for reason in line["not_ready"])
    for note in result["notes"]:
        if note["outcome"] != "right":
            yield f"    {note['text']}: {note['outcome']}; told: {note['told'][:160]}"
    yield from (f"    false: {words[:200]}" for words in result["false"])
    if stories:
        yield from (f"      {words}" for words in result["stories"])


def _shares(game: str, total: Line) -> Iterator[str]:
    yield f"{game}: {total['games']} games, {total['moves']} moves, {total['touches']} touches"
    for key, line in total.items():
        if isinstance(line, dict) and line["n"]:
            share = f"{line['share']:8.2%}  ({line['low']:.2%} to {line['high']:.2%})"
            yield f"  {key.replace('_', ' '):<16} {line['hits']:>5} of {line['n']:<5} {share}"
    yield f"  {total['table_min']} min at the table cost {total['cost_min']} min of one core"


if __name__ == "__main__":
    sys.exit(main())
