"""How the gate does on films of random games: `python -m training.measure_gate --films 40`.

Prints false settles, how soon the table is read after a hand has gone, moves that light alone made, and how
many moved pieces lie in what the gate says has changed; each with its number of trials.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import cv2
import numpy as np

from benchmarks.wilson import told
from engine import GAMES
from simulation.film import Film, FilmShot, Options
from vision.view import Look, TableWatch

TROUBLES: tuple[tuple[str, ...], ...] = (
    (), ("lamp",), ("shadow",), ("exposure",), ("lamp", "shadow", "exposure"), ("bump",),
    ("drop", "freeze", "black", "unplug"), ("hurry",), ("hurry", "lamp", "shadow", "exposure"),
)  # fmt: skip
SIZE = (640, 480)
_LEAST_HAND = 0.0005
_MOVED_MM = 1.0
_QUIET_S = 0.75
_SOON_S = 0.7
_VOTED_S = 0.35
_GAP_S = 0.25


@dataclass
class JudgedFrame:
    """What the film and the gate say of one frame."""

    t: float
    busy: bool
    """Whether a hand can be seen, or a piece moves in sight."""
    hand_share: float
    troubled: bool
    blind: bool
    look: Look
    places: dict[str, tuple[float, float, float, float]]
    """Where each piece lies: pixels, and its angle and side as one number."""


@dataclass
class Result:
    """What one film gave."""

    counts: Counter[str] = field(default_factory=Counter)
    waits_s: list[float] = field(default_factory=list)
    """From when the hand has gone to the settled view, in steady light."""
    troubled_waits_s: list[float] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


def measured(seed: int) -> Result:
    """The gate on one film."""
    cv2.setNumThreads(1)
    kinds = TROUBLES[seed % len(TROUBLES)]
    options = Options(moves=5, illegal=0.1, troubles=kinds, size_px=SIZE)
    film = Film.of(GAMES[seed % len(GAMES)], seed=seed, options=options)
    frames = list(_watched(film))
    result = Result()
    _count_views(frames, result, f"seed {seed}")
    _count_visits(frames, result, f"seed {seed}")
    events = sum(line["type"] == "trouble" and line["kind"] in ("lamp", "shadow", "exposure")
                 for line in film.truth())  # fmt: skip
    result.counts["light events"] += events
    result.counts["frames"] += len(frames)
    return result


def _watched(film: Film) -> Iterator[JudgedFrame]:
    watch = TableWatch()
    spans = [(one["first"], one["last"]) for one in film.truth() if one["type"] == "trouble"]
    before: dict[str, tuple[float, float, float, float]] = {}
    last_s = 0.0
    for shot in film.shots():
        places = _places(shot)
        share = shot.frame.hand_share() if shot.hand else 0.0
        blind = shot.tick.t - last_s > _GAP_S or shot.tick.black or shot.tick.shows < shot.tick.t
        troubled = any(int(str(a)) - 3 <= shot.index <= int(str(b)) + 3 for a, b in spans)
        busy = share > _LEAST_HAND or _moved(before, places)
        look = watch.see(shot.picture, shot.tick.t)
        yield JudgedFrame(shot.tick.t, busy, share, troubled, blind, look, places)
        before, last_s = places, shot.tick.t


def _places(shot: FilmShot) -> dict[str, tuple[float, float, float, float]]:
    found: dict[str, tuple[float, float, float, float]] = {}
    facts = {fact["name"]: fact for fact in shot.pieces()}
    for piece in shot.frame.pieces:
        fact = facts.get(piece.name)
        if fact is None:
            continue
        x, y = fact["centre_px"]
        if 0 <= x < SIZE[0] and 0 <= y < SIZE[1]:
            found[piece.name] = (x, y, piece.angle_deg, hash((piece.face, str(fact["value"]))) % 1000)
    return found


def _moved(one: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether any piece in sight is elsewhere, or came or went."""
    if one.keys() != other.keys():
        return bool(one)
    scale = _MOVED_MM * SIZE[0] / 800
    return any(np.hypot(a[0] - b[0], a[1] - b[1]) > scale for a, b in ((one[k], other[k]) for k in one))


def _count_views(frames: Sequence[JudgedFrame], result: Result, name: str) -> None:
    """New views: none while somebody is there, none from light alone, and what changed lies in the boxes."""
    settled: JudgedFrame | None = None
    quiet = True
    for earlier, frame in pairwise(frames):
        quiet = quiet and not frame.busy and not frame.blind
        if frame.look.view == earlier.look.view:
            continue
        voters = [one for one in frames if frame.t - _VOTED_S + 1e-6 < one.t <= frame.t]
        result.counts["views"] += 1
        if any(one.busy for one in voters):
            result.counts["false settles"] += 1
            result.notes.append(f"{name}: settled with something under way at {frame.t:.1f} s")
        if settled is not None:
            _count_changes(settled, frame, result)
            if quiet and frame.look.changed:
                result.counts["moves by light alone"] += 1
                result.notes.append(f"{name}: changed with nobody there at {frame.t:.1f} s")
        settled, quiet = frame, True


def _count_changes(before: JudgedFrame, after: JudgedFrame, result: Result) -> None:
    """Pieces that lie otherwise than at the view before, and whether a box of the new view holds them."""
    for name in before.places.keys() & after.places.keys():
        was, now = before.places[name], after.places[name]
        if np.hypot(was[0] - now[0], was[1] - now[1]) < 4 and was[3] == now[3]:
            continue
        result.counts["changed pieces"] += 1
        held = any(a - 4 <= now[0] <= c + 4 and b - 4 <= now[1] <= d + 4 for a, b, c, d in after.look.changed)
        result.counts["changed pieces in a box"] += held


def _count_visits(frames: Sequence[JudgedFrame], result: Result, name: str) -> None:
    """How long it takes after each visit of a hand until the table is settled."""
    k = 1
    while k < len(frames):
        if not frames[k - 1].busy or frames[k].busy:
            k += 1
            continue
        end = next((i for i in range(k, len(frames)) if frames[i].busy), len(frames))
        part, k = frames[k:end], end
        result.counts["visits"] += 1
        if part[-1].t - part[0].t < _QUIET_S:
            continue
        wait = next((one.t - part[0].t for one in part if one.look.settled), float("inf"))
        troubled = any(one.troubled or one.blind for one in part)
        (result.troubled_waits_s if troubled else result.waits_s).append(wait)
        if wait > _SOON_S and not troubled:
            result.notes.append(f"{name}: settled {wait:.1f} s after the hand left at {part[0].t:.1f} s")


def report(results: Sequence[Result]) -> dict[str, object]:
    """All films together."""
    counts: Counter[str] = Counter()
    for result in results:
        counts.update(result.counts)
    found: dict[str, object] = dict(sorted(counts.items()))
    for title, waits in (
        ("wait", [w for r in results for w in r.waits_s]),
        ("wait in trouble", [w for r in results for w in r.troubled_waits_s]),
    ):
        if waits:
            found[f"{title}: n"] = len(waits)
            found[f"{title}: median s"] = round(float(np.median(waits)), 2)
            found[f"{title}: within {_SOON_S} s"] = told(sum(w <= _SOON_S + 1e-6 for w in waits), len(waits))
    return found


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--films", type=int, default=36, help="how many films (36)")
    parser.add_argument("--first", type=int, default=1000, help="the first seed (1000)")
    parser.add_argument("--workers", type=int, default=2)
    arguments = parser.parse_args(argv)
    results = []
    with ProcessPoolExecutor(arguments.workers) as pool:
        seeds = range(arguments.first, arguments.first + arguments.films)
        for done, result in enumerate(pool.map(measured, seeds), 1):
            results.append(result)
            for note in result.notes:
                print(note, file=sys.stderr)
            print(f"{done} of {arguments.films} films", file=sys.stderr, flush=True)
    print(json.dumps(report(results), indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
