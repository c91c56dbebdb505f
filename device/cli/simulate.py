"""`pipwatch simulate GAME`: a random game played by hands on the virtual table, as a video with its truth."""

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from device.cli import UserError
from device.cli.rule_book import book_for
from engine import GAMES

if TYPE_CHECKING:
    from simulation.film import Film, Options

_CODECS = {".mp4": ("mp4v", "avc1"), ".avi": ("MJPG",)}
_LARGEST_PX = 4096


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "film a random game on the virtual table, with the truth about every move"
    p = commands.add_parser("simulate", help=words, description=f"{words.capitalize()} (docs/simulate.md).")
    p.add_argument("game", metavar="GAME", help=f"one of {', '.join(GAMES)}")
    p.add_argument("--seed", type=int, default=1, help="the same seed gives the same film (1)")
    p.add_argument("--moves", type=int, default=20, metavar="N", help="how many moves are made (20)")
    share = "of the moves are illegal, from 0 to 1 (0)"
    p.add_argument("--illegal", type=float, default=0.0, metavar="SHARE", help=f"how many {share}")
    share = "of the illegal moves are let stand; the others are taken back (0.3)"
    p.add_argument("--stands", type=float, default=0.3, metavar="SHARE", help=f"how many {share}")
    share = "of the legal moves are taken back, from 0 to 1 (0)"
    p.add_argument("--retract", type=float, default=0.0, metavar="SHARE", help=f"how many {share}")
    kinds = "lamp, shadow, exposure, bump, drop, freeze, black, unplug, hurry"
    p.add_argument("--trouble", default="", metavar="KIND,...", help=f"what goes wrong: {kinds}")
    p.add_argument("--out", required=True, metavar="VIDEO", help=".mp4, .avi, or a folder for PNG frames")
    p.add_argument("--truth", required=True, metavar="FILE", help="where the truth goes (JSON lines)")
    p.add_argument("--profile", default="default", help="the readings of the rules in force (default)")
    p.add_argument("--size", default="1280x960", metavar="WxH", help="the picture's size (1280x960)")
    p.add_argument("--fps", type=float, default=10.0, help="frames a second (10)")
    p.add_argument("--look", default="random", help="ordinary, the make of the dominoes, or random (random)")
    p.add_argument("--tilt", type=float, metavar="DEG", help="how far the camera leans, 0 to 25 (0 to 16)")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Film a game."""
    options = _options(arguments)
    out, truth = Path(arguments.out), Path(arguments.truth)
    try:
        _check_files(out, truth)
        _film(arguments, options, out, truth)
    except OSError as error:
        raise UserError(f"the film cannot be written: {error.strerror or error}.") from error
    return 0


def _film(arguments: argparse.Namespace, options: "Options", out: Path, truth: Path) -> None:
    """Draw the film; the video gets its name when the truth is written too."""
    from simulation.film import Film

    film = Film.of(arguments.game, seed=arguments.seed, options=options)
    sink = _sink(out, options.fps, options.size_px)
    try:
        _shoot(film, sink)
        _write(truth, film.truth())
        sink.close()
    finally:
        sink.discard()


def _options(arguments: argparse.Namespace) -> "Options":
    """What was asked for, or the sentence that says what is wrong with it."""
    book_for(arguments.game, arguments.profile)
    if arguments.moves < 1:
        raise UserError(f"--moves should be 1 or more, not {arguments.moves}.")
    if arguments.seed < 0:
        raise UserError(f"--seed should be 0 or more, not {arguments.seed}.")
    for name in ("illegal", "stands", "retract"):
        if not 0 <= getattr(arguments, name) <= 1:
            raise UserError(f"--{name} should be a share between 0 and 1, not {getattr(arguments, name):g}.")
    if not 1 <= arguments.fps <= 60:
        raise UserError(f"--fps should be between 1 and 60, not {arguments.fps:g}.")
    if arguments.tilt is not None and not 0 <= arguments.tilt <= 25:
        raise UserError(f"--tilt should be between 0 and 25 degrees, not {arguments.tilt:g}.")
    from simulation.film import Options
    from simulation.makes import DOMINOES, ORDINARY

    if arguments.look not in ("random", ORDINARY, *DOMINOES):
        known = ", ".join(("random", ORDINARY, *DOMINOES))
        raise UserError(f"there is no look {arguments.look!r}; known are {known}.")
    return Options(
        moves=arguments.moves, illegal=arguments.illegal, stands=arguments.stands,
        retracted=arguments.retract,
        troubles=_troubles(arguments.trouble), size_px=_size(arguments.size), fps=arguments.fps,
        look=arguments.look, tilt_deg=arguments.tilt, profile=arguments.profile,
    )  # fmt: skip


def _troubles(text: str) -> tuple[str, ...]:
    from simulation.trouble import KINDS

    kinds = tuple(kind.strip() for kind in text.split(",") if kind.strip())
    for kind in kinds:
        if kind not in KINDS:
            raise UserError(f"there is no trouble {kind!r}; known are {', '.join(KINDS)}.")
    return kinds


def _size(text: str) -> tuple[int, int]:
    parts = text.lower().split("x")
    if len(parts) != 2 or not all(part.isascii() and part.isdecimal() for part in parts):
        raise UserError(f"--size should read like 1280x960, not {text!r}.")
    wide, high = int(parts[0]), int(parts[1])
    if min(wide, high) < 240 or max(wide, high) > _LARGEST_PX or wide % 2 or high % 2:
        raise UserError(f"--size should be even numbers between 240 and {_LARGEST_PX}, not {text}.")
    return wide, high


def _check_files(out: Path, truth: Path) -> None:
    if out.suffix not in ("", *_CODECS):
        raise UserError(
            f"--out should end in .mp4 or .avi, or be a folder without an ending, not {out.name!r}."
        )
    for flag, path in (("--out", out), ("--truth", truth)):
        if not path.parent.is_dir():
            raise UserError(f"{flag} cannot be written: there is no folder {str(path.parent)!r}.")
        if path.is_dir() and (flag == "--truth" or out.suffix):
            raise UserError(f"{flag} cannot be written: {str(path)!r} is a folder.")
    if not out.suffix and out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UserError(f"--out should be a new or empty folder; {str(out)!r} is neither.")
    if out.absolute() == truth.absolute():
        raise UserError("--out and --truth should be two different files.")
    _check_writable("--out", out / "frame" if out.is_dir() else out)
    _check_writable("--truth", truth)


def _check_writable(flag: str, path: Path) -> None:
    """A place that takes no file is told now, not after minutes of drawing; nothing stays behind."""
    part = _part(path)
    try:
        part.touch()
        part.unlink()
    except OSError as error:
        raise UserError(f"{flag} cannot be written: {str(path)!r}: {error.strerror}.") from error


def _part(path: Path) -> Path:
    """What a file is called until it is whole."""
    return path.with_name(f".{path.stem}.part{path.suffix}")


class _FrameSink(Protocol):
    """Where frames go."""

    def add(self, picture: Any) -> None:
        """Takes the next frame."""

    def close(self) -> None:
        """Makes what was written whole."""

    def discard(self) -> None:
        """Takes away what was begun and not made whole."""


class _Video:
    """A video file; it gets its name when it is whole."""

    def __init__(self, path: Path, codec: str, fps: float, size: tuple[int, int]) -> None:
        import cv2

        self.path = path
        self.part = _part(path)
        self.writer = cv2.VideoWriter(str(self.part), cv2.VideoWriter.fourcc(*codec), fps, size)

    def add(self, picture: Any) -> None:
        """Takes the next frame."""
        self.writer.write(picture)

    def close(self) -> None:
        """Makes the file whole and gives it its name."""
        self.writer.release()
        self.part.replace(self.path)

    def discard(self) -> None:
        """Takes away what was begun and not made whole."""
        self.writer.release()
        self.part.unlink(missing_ok=True)


class _Folder:
    """A folder with a PNG file for every frame."""

    def __init__(self, path: Path) -> None:
        self.path, self.count = path, 0
        path.mkdir(exist_ok=True)

    def add(self, picture: Any) -> None:
        """Takes the next frame."""
        import cv2

        file = self.path / f"{self.count:06d}.png"
        if not cv2.imwrite(str(file), picture):
            raise OSError(f"{file} was not taken")
        self.count += 1

    def close(self) -> None:
        """Nothing is left to do."""

    def discard(self) -> None:
        """Nothing: frames are whole one by one, and those of a film cut short may be of use."""


def _sink(out: Path, fps: float, size: tuple[int, int]) -> _FrameSink:
    """A video in the first codec that this machine has, or PNG frames."""
    if not out.suffix:
        return _Folder(out)
    for codec in _CODECS[out.suffix]:
        video = _Video(out, codec, fps, size)
        if video.writer.isOpened():
            return video
        video.discard()
    folder = out.with_suffix("")
    if folder.exists():
        raise UserError(
            f"this OpenCV cannot write {out.suffix} files; give --out a new folder for PNG frames."
        )
    print(f"pipwatch: this OpenCV cannot write {out.suffix} files; frames go to {folder}/", file=sys.stderr)
    return _Folder(folder)


def _shoot(film: "Film", sink: _FrameSink) -> None:
    for shot in _watched(film):
        sink.add(shot.picture)


def _watched(film: "Film") -> Iterator[Any]:
    """The frames, with a bar where somebody sits at a terminal."""
    started, total = time.monotonic(), len(film)
    for done, shot in enumerate(film.shots(), 1):
        yield shot
        if sys.stderr.isatty() and (done % 5 == 0 or done == total):
            pace = done / max(time.monotonic() - started, 1e-6)
            filled = 30 * done // total
            sys.stderr.write(
                f"\r[{'#' * filled}{'.' * (30 - filled)}] {done}/{total} frames, {pace:.1f} a second "
            )
            sys.stderr.flush()
    if sys.stderr.isatty():
        sys.stderr.write("\n")


def _write(path: Path, lines: Sequence[Any]) -> None:
    part = _part(path)
    with part.open("w", encoding="utf-8") as file:
        for line in lines:
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    part.replace(path)
