"""What a day of play writes to the card: `python -m benchmarks.wear [--hours 6] [--every 20]`.

A day of whole games goes through the real journal with its caretaker, an entry every so many seconds, each
with pictures as large as they may be. After each entry the whole file system is flushed, as the kernel does
by itself in the half minute that passes at a table. As root it is measured in an ext4 file system of its
own, made and mounted as a Raspberry Pi's card is (blocks of 4 kB, ``noatime,commit=5``): all that reaches the
device, the file system's own journal included. Else by what the kernel counts for this process.

What a service keeps besides is counted by itself: a camera whose exposure follows daylight in a step every
ten seconds and whose lens is swept every hour, eight phones, a start and an end.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from random import Random

from device.cameras.last_told import HELD, CameraMemory, SensorTold
from device.cameras.refocus import Sure
from device.cli.demo import _next
from device.journal.events import Picture
from device.journal.game import added, began, note
from device.journal.store import Journal
from device.keeping.allowance import fresh
from device.keeping.caretaker import Caretaker
from device.keeping.reserve import Reserve
from device.live.starting import Agreed
from device.service.crashes import CrashFile
from device.service.phones import PhoneBook, paired, used
from engine import GAMES

CEILING_MB = 50.0
"""A day, on the card."""
_SIZES = {"frame": 150_000, "before": 75_000, "after": 75_000}
_SECTOR = 512
_DISK_MB = 512
_PHONES, _STEP_S = 8, 10.0
_NOON_S = 1_800_000_000.0
"""Some day's noon, by a clock that was set."""


class Day:
    """A day at the table, entry by entry, under its own clock."""

    def __init__(self, folder: Path, hours: float, every_s: float, seed: int = 1) -> None:
        self.folder, self.entries, self.every_s = folder, int(hours * 3600 / every_s), every_s
        self.now, self.done, self.matches, self.pictures = 0.0, 0, 0, 0
        self._rng = Random(seed)
        self._care = Caretaker(fresh(0, 0.0), Reserve(folder), clock=lambda: self.now)

    def play(self) -> None:
        """All of it."""
        while self.done < self.entries:
            self.matches += 1
            path = self.folder / f"{self.matches}.match"
            with Journal(path, now=lambda: self.now, care=self._care) as journal:
                self._match(journal, GAMES[self.matches % len(GAMES)])
        flushed(self.folder)

    def keep_besides(self) -> None:
        """What else is kept in such a day: camera.json, phones.json, crashes.json."""
        memory, book = CameraMemory(self.folder / "camera.json"), PhoneBook(self.folder / "phones.json")
        crashes = CrashFile(self.folder / "crashes.json")
        crashes.start()
        phones, secrets = book.read(), list[str]()
        for _ in range(_PHONES):
            phones, secret = paired(phones, _NOON_S, name="phone")
            secrets.append(secret)
            book.write(phones)
        held, now_s = SensorTold("imx708", 1.1, Sure(0.25, 0.036), 10_000, 1.5, (1.8, 1.4)), 0.0
        while now_s < self.entries * self.every_s:
            now_s += _STEP_S
            hour = int(now_s // 3600)
            held = replace(held, time_us=10_000 + int(now_s), lens=1.1 + 0.05 * (hour % 2))
            memory.hear({HELD: held.to_plain()})
            for secret in secrets:
                noted, _ = used(book.read(), secret, _NOON_S + now_s)
                if noted != book.read():
                    book.write(noted)
            flushed(self.folder)
        crashes.end()
        flushed(self.folder)

    def _match(self, journal: Journal, game: str) -> None:
        history = Agreed(game).blank()
        journal.append(began(history, self._shown()))
        while history.outcome is None and self.done < self.entries:
            before, history = history, _next(history, self._rng)
            self.now += self.every_s
            more = [note("confirmed", by=1)] if self._rng.random() < 0.5 else []
            if self._rng.random() < 0.05:
                more = [note("asked", self._shown(), words="Which was it?", choices=["this", "that"])]
            journal.append([*more, *added(before, history, self._shown())])
            flushed(self.folder)
            self.done += 1

    def _shown(self) -> tuple[Picture, ...]:
        return tuple(
            Picture(role, self._rng.randbytes(size))  # type: ignore[arg-type]
            for role, size in _SIZES.items()
        )


@contextmanager
def card(folder: Path) -> Iterator[tuple[Path, Callable[[], int], str]]:
    """A folder, what was written to it so far in bytes, and how that is known."""
    if os.geteuid() != 0:
        yield folder, _by_process, "write_bytes of this process"
        return
    image, mounted = folder / "card.img", folder / "card"
    mounted.mkdir()
    with image.open("wb") as file:
        file.truncate(_DISK_MB * 1_000_000)
    _do("mkfs.ext4", "-q", "-b", "4096", "-E", "lazy_itable_init=0,lazy_journal_init=0", image)
    device = _do("losetup", "--find", "--show", image)
    try:
        _do("mount", "-o", "noatime,commit=5", device, mounted)
        try:
            stat = Path("/sys/block", Path(device).name, "stat")
            yield mounted, lambda: int(stat.read_text().split()[6]) * _SECTOR, "sectors of the block device"
        finally:
            _do("umount", mounted)
    finally:
        _do("losetup", "--detach", device)


def flushed(folder: Path) -> None:
    """All that waits in memory goes to the disk on which this folder lies."""
    _do("sync", "--file-system", folder)


def _by_process() -> int:
    told = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(told["write_bytes"])


def _do(*words: object) -> str:
    return subprocess.run([*map(str, words)], check=True, capture_output=True, text=True).stdout.strip()


def main() -> int:
    """Play a day, and say what it wrote; status 1 where that is too much."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hours", type=float, default=6.0, help="of play in the day (6)")
    parser.add_argument("--every", type=float, default=20.0, help="seconds between entries (20)")
    asked = parser.parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="pipwatch-wear-") as name,
        card(Path(name)) as (folder, written, how),
    ):
        day = Day(folder, asked.hours, asked.every)
        flushed(folder)
        before = written()
        day.play()
        total = written() - before
        before = written()
        day.keep_besides()
        besides = written() - before
        kept = sum(path.stat().st_size for path in folder.glob("*.match"))
    print(
        f"{total / 1e6:.1f} MB written for matches and {besides / 1e6:.2f} MB besides ({how}) in a day of "
        f"{asked.hours:g} h, {day.done} entries in {day.matches} matches, {kept / 1e6:.1f} MB kept; at most "
        f"{CEILING_MB:g} MB"
    )
    return int(total + besides > CEILING_MB * 1e6)


if __name__ == "__main__":
    sys.exit(main())
