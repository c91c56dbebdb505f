"""`pipwatch bench`: how fast this machine looks, reads and rules, as ratios to decoding the same frame."""

import argparse
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from device.cli import UserError
from device.workload import FULL_FPS, SMALL_FPS, board, workload
from engine import GAMES, AnyRuleBook, rulebook

if TYPE_CHECKING:
    from vision.pieces.patches import Picture

SIZE = (1920, 1080)
SEED, PLIES = 20, 24
_QUALITY = 90
_NOISE = 3.0
"""Of the frames that the gate is shown, in display values: no two frames of a camera are alike."""
_FRAMES = 5
"""So many as the gate makes one."""
_REFERENCE = "decode and shrink"
_FOLLOW, _LOOK = "follow the markers", "look whether it is still"
_READ = "read the whole table"
Work = Callable[[], object]


@dataclass(frozen=True)
class Timed:
    """What one kind of work takes: the median of some rounds, in ms of processor time."""

    what: str
    ms: float
    ratio: float
    """Times the work that all is measured by."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    p = commands.add_parser(
        "bench",
        help="how fast this machine looks, reads and rules",
        description="Time the referee's work on this machine, on one core, beside decoding the same frame. "
        "The frame is drawn (a table of --game in the middle of a game) unless a photo is given.",
    )
    p.add_argument("--game", choices=GAMES, default=GAMES[0])
    p.add_argument("--photo", type=Path, metavar="FILE", help="a photo of your own mat instead")
    p.add_argument("--rounds", type=int, default=5, metavar="N", help="how often each is done (default 5)")
    p.add_argument("--json", action="store_true", help="as one JSON object")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure and tell."""
    if arguments.rounds < 1:
        raise UserError("--rounds should be 1 or more")
    import cv2

    print("Drawing a table…" if arguments.photo is None else "Reading the photo…", file=sys.stderr)
    picture = _drawn(arguments.game) if arguments.photo is None else _loaded(arguments.photo)
    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        works = _works(arguments.game, picture)
        rows = timed(works, arguments.rounds)
    finally:
        cv2.setNumThreads(before)
    size = (picture.shape[1], picture.shape[0])
    tell = (
        _as_json(rows, size, arguments.rounds)
        if arguments.json
        else "\n".join(_lines(rows, size, arguments.rounds))
    )
    print(tell)
    return 0


def reading_ratio(game: str, rounds: int) -> str:
    """What reading a drawn table of a game costs beside decoding it, for whoever wants that figure alone."""
    import cv2

    before = cv2.getNumThreads()
    cv2.setNumThreads(1)
    try:
        works = [work for work in _works(game, _drawn(game)) if work[0] in (_REFERENCE, _READ)]
        decoding, reading = timed(works, rounds)
    finally:
        cv2.setNumThreads(before)
    return f"{reading.ratio:.0f} ({reading.ms:.0f} ms ÷ {decoding.ms:.1f} ms, one core, n = {rounds})"


def timed(
    works: Sequence[tuple[str, Work]], rounds: int, clock: Callable[[], float] = time.process_time
) -> list[Timed]:
    """The median of each; they take turns, so that all meet the same machine; the first is the measure."""
    spent: dict[str, list[float]] = {what: [] for what, _ in works}
    for _, work in works:
        work()  # the first time loads what is needed
    for _ in range(rounds):
        for what, work in works:
            began = clock()
            work()
            spent[what].append(1e3 * (clock() - began))
    ms = {what: median(times) for what, times in spent.items()}
    measure = ms[works[0][0]] or 1e-6
    return [Timed(what, each, each / measure) for what, each in ms.items()]


def _works(game: str, picture: "Picture") -> list[tuple[str, Work]]:
    """What the referee does with a frame, and with a move."""
    import cv2
    import numpy as np

    from device.journal.ruling_pictures import drawn, evidence, jpeg_of
    from device.live.mat_reader import MatReader
    from vision.pieces.mat import table_in
    from vision.view import TableView, TableWatch
    from vision.view.shrink import shrunk
    from vision.view.vote import median

    packed = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
    reader, table = MatReader(game), TableView(picture)
    reader.steady(picture, 0.0)
    seen = reader.read(table)
    if isinstance(seen, str):
        raise UserError(seen)
    watch = TableWatch()
    frames, times, followed = _noisy(picture), count(), count(1)

    def look() -> None:
        k = next(times)
        watch.see(frames[k % len(frames)], k / 10)

    def follow() -> None:
        k = next(followed)
        reader.steady(frames[k % len(frames)], k / 10)

    book = rulebook(game)
    state = _in_the_middle(book)
    middle = _middle_of(picture)

    def decode() -> None:
        shrunk(np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), dtype=np.uint8))

    return [
        (_REFERENCE, decode),
        (_FOLLOW, follow),
        (_LOOK, look),
        ("make the last frames one", lambda: median(frames)),
        ("find the table, nothing known", lambda: table_in(picture)),
        (_READ, lambda: reader.read(table)),
        ("list the legal moves", lambda: list(book.legal_moves(state))),
        ("make a ruling's pictures", lambda: evidence(picture, picture, seen.marks, middle)),
        ("draw the page's picture", lambda: jpeg_of(drawn(picture, seen.marks))),
    ]


def _noisy(picture: "Picture") -> list["Picture"]:
    """Frames of a table at rest."""
    import numpy as np

    chance = np.random.default_rng(SEED)
    noise = chance.normal(0, _NOISE, (_FRAMES, *picture.shape))
    return [np.clip(picture + one, 0, 255).astype(np.uint8) for one in noise]


def _middle_of(picture: "Picture") -> tuple[int, int, int, int]:
    """Where a move may have been made: a seventh of the picture's width and height."""
    high, wide = picture.shape[:2]
    return wide * 3 // 7, high * 3 // 7, wide * 4 // 7, high * 4 // 7


def _in_the_middle(book: AnyRuleBook) -> Any:
    """A position some moves into a random game, in which somebody is to move."""
    chance = random.Random(SEED)
    state = book.start(None, chance)
    for _ in range(PLIES):
        state = _settled(book, state, chance)
        options = list(book.legal_moves(state))
        if not options:
            break
        state = book.play(state, chance.choice(options))
    return _settled(book, state, chance)


def _settled(book: AnyRuleBook, state: Any, chance: random.Random) -> Any:
    while book.pending(state) is not None:
        state = book.observe(state, book.sample(state, chance))
    return state


def _drawn(game: str) -> "Picture":
    from simulation.picture import shoot
    from simulation.random_scene import game_table

    return shoot(game_table(game, SEED, SIZE, PLIES)).picture


def _loaded(path: Path) -> "Picture":
    from device.untrusted_picture import BadPicture, load_picture

    try:
        return load_picture(path)
    except BadPicture as wrong:
        raise UserError(str(wrong)) from wrong


def _lines(rows: Sequence[Timed], size: tuple[int, int], rounds: int) -> Iterator[str]:
    yield f"A frame of {size[0]}×{size[1]}, one core, the median of {rounds}:"
    width = max(len(one.what) for one in rows)
    for one in rows:
        yield f"  {one.what:<{width}}  {one.ms:9.2f} ms  {one.ratio:7.2f} × {rows[0].what}"
    yield from watching(rows)


def watching(rows: Sequence[Timed]) -> Iterator[str]:
    """What it costs to look at a table on which nothing happens, at the pace of each workload."""
    frame = sum(one.ms for one in rows if one.what in (_FOLLOW, _LOOK))
    ratio = sum(one.ratio for one in rows if one.what in (_FOLLOW, _LOOK))
    yield f"Every frame that is watched: {frame:.2f} ms, {ratio:.2f} × {rows[0].what}."
    for name, fps in (("full", FULL_FPS), ("small", SMALL_FPS)):
        share = f"{frame * fps / 1e3:.1%} of a core"
        yield f"  work {name:<5}  {fps:4g} a second  {share}, {ratio * fps:.1f} × {rows[0].what} a second"
    yield f"Chosen here: {workload('auto', board()).words}."


def _as_json(rows: Sequence[Timed], size: tuple[int, int], rounds: int) -> str:
    each = [{"what": one.what, "ms": round(one.ms, 3), "ratio": round(one.ratio, 3)} for one in rows]
    return json.dumps({"size": list(size), "rounds": rounds, "reference": rows[0].what, "rows": each})
