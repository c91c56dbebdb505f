"""One film of a random game, drawn, and judged by the chain that ``pipwatch run --source video:…`` uses.

The chain gets the video and the name of the game, and where that is wanted the state in which the film
begins, as a person who starts a match would tell it. All else that is known of the film stays here.
"""

import contextlib
import hashlib
import io
import json
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from device.cli import parser
from device.cli.refereeing import run
from device.live.stopwatch import Stopwatch
from simulation.film import Film, FilmShot, Options
from training.film_counts import Count, Line, count
from training.film_dice import by_what_dice_show
from training.film_rules import opening_entries, with_forced
from vision.view.shrink import shrunk

CHAIN = ("engine", "calibration", "vision", "device")
"""Rooms on which a ruling hangs."""
_KINDS = (".py", ".onnx", ".npz", ".toml")
"""Files that are programs, networks or their settings."""
_BEFORE, _AFTER = 15, 15
"""Frames that a clip shows before its first move and after its last."""
_ROUNDS = 3
_QUALITY = 90


@dataclass(frozen=True)
class Clip:
    """A part of a film: the frames of some moves, and the state before them."""

    film: Film
    frames: range
    setup: Line
    truth: list[Line]
    """With frames counted from the beginning of the clip."""


@dataclass
class Verdicts:
    """What became of a clip."""

    count: Count
    told: list[Line]
    laps: list[Line]


def whole(film: Film) -> Clip:
    """A film from its first frame to its last."""
    script = film.script
    truth = with_forced(film.truth(), script.states, script.game, script.profile)
    return Clip(film, range(len(film)), script.setup, truth)


def start(film: Film) -> Clip:
    """A film until just before its first hand: the table on which the game is to be taken up."""
    first, *_ = (line["first"] for line in film.truth() if line["type"] in ("move", "fact", "hand"))
    return Clip(film, range(int(str(first))), film.script.setup, [])


def part(film: Film, first: int, last: int) -> Clip:
    """The clip of the moves with these numbers, counted from 1."""
    truth: list[Line] = list(film.truth())
    events = [one for one in truth if one["type"] in ("move", "fact")]
    at = [k for k, one in enumerate(events) if one.get("number") in (first, last)]
    if len(at) < (1 if first == last else 2):
        raise ValueError(f"the film has no moves {first} to {last}")
    wanted = events[at[0] : at[-1] + 1]
    before = events[at[0] - 1] if at[0] else None
    began = 0 if before is None else int((before.get("back") or [0, before["last"]])[1]) + 1
    begin = max(began, wanted[0]["first"] - _BEFORE)
    end = min(len(film), max(wanted[-1]["last"], *(wanted[-1].get("back") or [0])) + _AFTER)
    script, known = film.script, int(before["state"]) if before else 0
    kept = [one for one in truth if one in wanted or (one["type"] == "trouble" and one["last"] >= begin)]
    kept = with_forced(kept, script.states, script.game, script.profile, known)
    return Clip(film, range(begin, end), script.states[known], [_shifted(one, begin) for one in kept])


def _shifted(line: Line, by: int) -> Line:
    """A line of the truth with its frames counted from another one."""
    moved: Line = {**line, "first": line["first"] - by, "last": line["last"] - by}
    if line.get("back"):
        moved["back"] = [frame - by for frame in line["back"]]
    return moved


def judged(clip: Clip, *, told_setup: bool = False) -> Verdicts:
    """Draw a clip and have it judged."""
    watch = Stopwatch()
    told, hands = followed(clip, watch, told_setup=told_setup)
    script = clip.film.script
    opening = opening_entries(told, clip.setup, script.game, script.profile)
    pair: tuple[Sequence[Line], Sequence[Line]] = clip.truth, told
    if script.game == "kingdomino-duel":
        pair = by_what_dice_show(clip.truth, clip.setup), by_what_dice_show(told, clip.setup)
    counted = count(*pair, hands, clip.film.options.fps, opening)
    return Verdicts(counted, told, list(_timed(watch)))


def followed(
    clip: Clip, watch: Stopwatch, *, told_setup: bool = False, note: Callable[[FilmShot], None] | None = None
) -> tuple[list[Line], list[bool]]:
    """Draw a clip and have the chain watch it: what was told, and whether a hand is seen in each frame.

    ``note`` is shown each frame as it is drawn.
    """
    out = io.StringIO()
    with tempfile.TemporaryDirectory(prefix="pipwatch-film-") as name:
        folder = Path(name)
        hands = _shoot(clip, folder / "film.mp4", note)
        words = _words(clip, folder, told_setup=told_setup)
        with contextlib.redirect_stdout(out):
            run(parser().parse_args(words), watch)
    if not watch.ended:
        raise KeyboardInterrupt  # the match has taken the signal for its own, and only ended early
    return [json.loads(line) for line in out.getvalue().splitlines()], hands


def _words(clip: Clip, folder: Path, *, told_setup: bool) -> list[str]:
    """The command, as a person would type it; the settings are those that are shipped."""
    (folder / "config.toml").write_text("", encoding="utf-8")
    words = ["run", "--source", f"video:{folder / 'film.mp4'}", "--game", clip.film.script.game]
    words += ["--profile", clip.film.options.profile, "--config", str(folder / "config.toml")]
    if told_setup or clip.frames.start:
        (folder / "setup.json").write_text(json.dumps(clip.setup), encoding="utf-8")
        words += ["--setup", str(folder / "setup.json")]
    return [*words, "--headless", "--json"]


def _shoot(clip: Clip, path: Path, note: Callable[[FilmShot], None] | None) -> list[bool]:
    """Draw the frames into a video; whether a hand is seen in each."""
    options = clip.film.options
    code = cv2.VideoWriter.fourcc(*"mp4v")
    video = cv2.VideoWriter(str(path), code, options.fps, options.size_px)
    hands = []
    try:
        for shot in clip.film.shots(clip.frames):
            video.write(shot.picture)
            hands.append(shot.hand)
            if note is not None:
                note(shot)
    finally:
        video.release()
    return hands


# — how long it took —


def _timed(watch: Stopwatch) -> Iterator[Line]:
    """Each ruling's time beside that of decoding and shrinking the very frame on which it rests."""
    for lap in watch.laps:
        file = cv2.imencode(".jpg", lap.picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1]
        plain = min(_decoded(file) for _ in range(_ROUNDS))
        yield {"at_s": lap.at_s, "total_s": lap.total_s, "plain_s": plain, "stages_s": lap.stages_s}


def _decoded(file: Any) -> float:
    clock = Stopwatch().clock
    began = clock()
    shrunk(np.asarray(cv2.imdecode(file, cv2.IMREAD_COLOR), dtype=np.uint8))
    return clock() - began


# — which chain —


def chain_of(root: Path, rooms: Sequence[str] = CHAIN) -> str:
    """What tells one version of the chain from another: a digest of its programs and networks."""
    digest = hashlib.sha256()
    for room in rooms:
        for path in sorted((root / room).rglob("*")):
            if path.suffix in _KINDS and path.is_file():
                digest.update(str(path.relative_to(root)).encode())
                digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def film_of(game: str, seed: int, options: Options, troubles: Sequence[tuple[str, ...]] = ()) -> Film:
    """The film of a seed; its trouble goes round with the seed."""
    kinds = troubles[seed % len(troubles)] if troubles else options.troubles
    return Film.of(game, seed=seed, options=replace(options, troubles=kinds))
