"""Hours of play in minutes: `python -m benchmarks.soak [--minutes 12] [--speed 20] [--viewers 8]`.

A real `pipwatch serve` plays match after match while viewers look on as phones do: a stream of events and a
picture twice a second each. By hand, whole games of all four kinds are typed through the page, an entry each
20 s of a table divided by the speed. With `--by virtual` two people play at the virtual table,
seen by the whole chain. With `--by camera` a camera looks on while moves are typed: the process that films is
the real one, over a stand-in of picamera2 (`tests/device/stand_in`) that vanishes and hangs now and then. It
films as fast as ever, whatever the speed. Every few seconds the box is looked at from outside, by what the
kernel counts.
"""

import argparse
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from device.cli.demo import _next
from device.live.starting import Agreed
from engine import GAMES

EVERY_S = 20.0
"""Between two entries at a table."""
BY = ("hand", "virtual", "camera")
SAMPLE_S = 5.0
REST_S = 20.0
"""So long the box is looked at before anybody plays."""
PICTURE_S = 0.5
LONGEST = 80
"""Entries after which a match is left: Dominoids between players of chance may take thousands."""
WARM = 0.25
"""The share of the time after which it has seen all that it loads: growth is told from then on."""
LOOKS_ON = 12
"""Entries after which a match is left that a camera looks at: its table never changes."""
TROUBLES = "vanish\nhang\nvanish\nfine\n" * 500
"""What each process of the stand-in does after 40 pictures."""
FILMED = """[camera]
source = "picamera"
size = [1280, 960]
watch_size = [640, 480]
focus = 2.5
exposure = "locked"
"""
STAND_IN = Path(__file__).parent.parent / "tests/device/stand_in"
SCENE = Path(__file__).parent.parent / "docs/virtual-table.jpg"
UNIT = Path(__file__).parent.parent / "systemd/pipwatch.service"
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Sample:
    """The box at one moment, its children included."""

    at_s: float
    rss_mb: float
    pss_mb: float
    descriptors: int
    threads: int
    written_mb: float
    cpu_s: float


@dataclass
class Viewers:
    """Phones that look on, each with its stream and its pictures."""

    at: str
    events: int = 0
    pictures: int = 0
    lost: int = 0
    over: threading.Event = field(default_factory=threading.Event)

    def come(self, number: int) -> None:
        """Open so many pages."""
        for k in range(number):
            threading.Thread(target=self._stream, args=(k,), daemon=True).start()
            threading.Thread(target=self._pictures, daemon=True).start()

    def _stream(self, _k: int) -> None:
        while not self.over.is_set():
            try:
                with urllib.request.urlopen(f"{self.at}/api/events", timeout=30) as line:
                    for row in line:
                        self.events += row.startswith(b"data:")
                        if self.over.is_set():
                            return
            except (OSError, ValueError):
                self.lost += not self.over.is_set()
            time.sleep(1.0)

    def _pictures(self) -> None:
        while not self.over.wait(PICTURE_S):
            with suppress(OSError), urllib.request.urlopen(f"{self.at}/frame.jpg", timeout=10) as picture:
                self.pictures += bool(picture.read())


class SoakedBox:
    """The process, spoken to as its page does."""

    def __init__(self, folder: Path, by: str = "hand") -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.at, self.state = f"http://127.0.0.1:{port}", folder / "state"
        self.spent: dict[int, tuple[int, int]] = {}
        """Bytes written and ticks of each process, of those that are gone, too."""
        words = ["serve", "--host", "127.0.0.1", "--port", str(port), "--config", str(folder / "none.toml")]
        (folder / "none.toml").write_text(FILMED if by == "camera" else "")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "device", *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env={**os.environ, **of_the_unit(), **(stood_in(folder) if by == "camera" else {}),
                 "HOME": str(folder), "STATE_DIRECTORY": str(self.state),
                 "RUNTIME_DIRECTORY": str(folder / "run")},
        )  # fmt: skip
        self._token = ""
        try:
            if not self.until(lambda: self.asked("/api/health"), 300):
                raise RuntimeError("the box does not answer within five minutes")
        except RuntimeError:
            self.process.kill()
            raise

    def asked(self, path: str) -> Any:
        """What a page is told, or nothing."""
        with suppress(OSError, ValueError), urllib.request.urlopen(f"{self.at}{path}", timeout=10) as answer:
            return json.loads(answer.read())
        return {}

    def do(self, path: str, body: Mapping[str, Any]) -> None:
        """What somebody presses."""
        if not self._token:
            with urllib.request.urlopen(f"{self.at}/", timeout=10) as page:
                found = re.search(r'name="token" content="([^"]+)"', page.read().decode())
            assert found is not None
            self._token = found[1]
        head = {"Content-Type": "application/json", "X-Pipwatch-Token": self._token}
        asked = urllib.request.Request(f"{self.at}{path}", json.dumps(body).encode(), head, method="POST")
        with urllib.request.urlopen(asked, timeout=10):
            pass

    def restarts(self) -> int:
        """How often the process that films was started anew, as the page is told."""
        return int(self.asked("/api/health").get("camera", {}).get("restarts", 0))

    def until(self, what: Callable[[], Any], seconds: float) -> bool:
        """Wait for something; whether it came."""
        end = time.monotonic() + seconds
        while not what():
            if time.monotonic() > end:
                return False
            if self.process.poll() is not None:
                raise RuntimeError("the box has ended by itself")
            time.sleep(0.05)
        return True

    def sample(self, began_s: float) -> Sample:
        """What the kernel counts of it and its children."""
        kin = [self.process.pid, *_children(self.process.pid)]
        rss = pss = descriptors = threads = 0
        for pid in kin:
            with suppress(OSError):
                fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
                self.spent[pid] = _written(pid), int(fields[11]) + int(fields[12])
                roll = _table(f"/proc/{pid}/smaps_rollup")
                rss, pss = rss + roll["Rss"], pss + roll["Pss"]
                descriptors += len([*Path(f"/proc/{pid}/fd").iterdir()])
                threads += len([*Path(f"/proc/{pid}/task").iterdir()])
        at = time.monotonic() - began_s
        written, ticks = (sum(one[k] for one in self.spent.values()) for k in range(2))
        return Sample(at, rss / 1e3, pss / 1e3, descriptors, threads, written / 1e6, ticks / TICKS)


def stood_in(folder: Path) -> dict[str, str]:
    """Where the box's camera process finds its camera: the folder of the stand-in, which films a table."""
    import cv2

    (folder / "plan").write_text(TROUBLES)
    cv2.imwrite(str(folder / "scene.png"), cv2.resize(cv2.imread(str(SCENE)), (1280, 960)))
    (folder / "camera").symlink_to(STAND_IN)
    return {
        "STAND_IN": str(folder),
        "PYTHONPATH": os.pathsep.join((str(folder / "camera"), str(UNIT.parents[1]))),
    }


def of_the_unit() -> dict[str, str]:
    """What the unit says of memory: a box is soaked as it is installed."""
    words = [word for line in UNIT.read_text().splitlines() if line.startswith("Environment=")
             for word in line.removeprefix("Environment=").split()]  # fmt: skip
    return dict(word.split("=", 1) for word in words if word.startswith("MALLOC_"))


def _written(pid: int) -> int:
    """Bytes that a process sends to the disk, without those of files that were gone before they got there.

    Each match has two such files beside it, which are taken away when it ends.
    """
    counted = _table(f"/proc/{pid}/io")
    return counted["write_bytes"] - counted["cancelled_write_bytes"]


def _table(path: str) -> dict[str, int]:
    pairs = (line.split(":") for line in Path(path).read_text().splitlines() if ": " in line)
    return {name: int(rest.split()[0]) for name, rest in pairs if rest.split()[0].isdigit()}


def _children(pid: int) -> Iterator[int]:
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in map(int, (task / "children").read_text().split()):
                yield child
                yield from _children(child)


@contextmanager
def soaked(folder: Path, by: str = "hand") -> Iterator[SoakedBox]:
    """A box, ended in order."""
    box = SoakedBox(folder, by)
    try:
        yield box
    finally:
        box.process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            box.process.wait(20)
        box.process.kill()


class Evening:
    """People who play match after match until their time is up."""

    def __init__(self, box: SoakedBox, by: str, pause_s: float, until_s: float) -> None:
        self.box, self.by, self.pause_s, self.until_s = box, by, pause_s, until_s
        self.matches, self.entries, self.refused = 0, 0, 0
        self._rng = Random(1)

    def play(self) -> None:
        """All of it."""
        while self._left():
            game = GAMES[self.matches % len(GAMES)]
            self.matches += 1
            self.box.do("/api/box/do", {"kind": "begin", "game": game, "players": ["Ann", "Bo"],
                                        "confirm": "auto", "by": self.by})  # fmt: skip
            self.box.until(lambda: "phase" in self.box.asked("/api/view"), 60)
            (self._watched if self.by == "virtual" else self._typed)(game)
            with suppress(urllib.error.HTTPError):
                self.box.do("/api/box/do", {"kind": "leave"})
            self.box.until(lambda: self.box.asked("/api/box").get("place") == "lobby", 30)

    def _left(self) -> bool:
        return time.monotonic() < self.until_s

    def _typed(self, game: str) -> None:
        history = Agreed(game, players=("Ann", "Bo")).blank()
        longest = LONGEST if self.by == "hand" else LOOKS_ON
        while history.outcome is None and len(history.entries) < longest and self._left():
            due = time.monotonic() + self.pause_s
            history = _next(history, self._rng)
            happened = history.entries[-1].happened
            assert happened is not None  # nothing is corrected here
            before = self._logged()
            self.box.do("/api/do", {"kind": "typed", "words": happened.text})
            if not self.box.until(lambda before=before: self._logged() > before, 20):  # type: ignore[misc]
                self.refused += 1
                return
            self.entries += 1
            time.sleep(max(0.0, due - time.monotonic()))

    def _logged(self) -> int:
        return len(self.box.asked("/api/view").get("log", []))

    def _watched(self, _game: str) -> None:
        seen = 0
        while self._left() and self.box.asked("/api/view").get("phase") != "finished":
            time.sleep(1.0)
            seen, before = max(seen, self._logged()), seen
            self.entries += max(0, seen - before)


def day_of(samples: list[Sample], what: Callable[[Sample], float], speed: float) -> float:
    """How much more there is after a day at a table, by the line through all after the first quarter."""
    later = [one for one in samples if one.at_s >= samples[-1].at_s * WARM]
    times = [one.at_s * speed / 86400 for one in later]
    return statistics.linear_regression(times, [what(one) for one in later]).slope


@dataclass(frozen=True)
class Soaked:
    """What came of it."""

    rest: Sample
    samples: list[Sample]
    evening: Evening
    viewers: Viewers
    restarts: int
    """Of the process that films."""
    kept: int
    """Bytes of matches."""


def soak(
    minutes: float, speed: float = 20.0, number: int = 8, by: str = "hand", rest_s: float = REST_S
) -> Soaked:
    """So many minutes of it, with so many viewers."""
    samples: list[Sample] = []
    with tempfile.TemporaryDirectory(prefix="pipwatch-soak-") as name, soaked(Path(name), by) as box:
        began = time.monotonic()
        time.sleep(rest_s)
        rest = box.sample(began)
        viewers = Viewers(box.at)
        viewers.come(number)
        began = time.monotonic()
        evening = Evening(box, by, EVERY_S / speed, began + 60 * minutes)
        playing = threading.Thread(target=evening.play, daemon=True)
        playing.start()
        restarts = 0
        while playing.is_alive():
            playing.join(min(SAMPLE_S, 6 * minutes))
            samples.append(box.sample(began))
            restarts = max(restarts, box.restarts())
        viewers.over.set()
        kept = sum(path.stat().st_size for path in box.state.rglob("*.match*"))
    return Soaked(rest, samples, evening, viewers, restarts, kept)


def main() -> int:
    """Soak, and say what came of it; status 1 where something grows that should not."""
    words = argparse.ArgumentParser(description=__doc__)
    words.add_argument("--minutes", type=float, default=12.0, help="of real time (12)")
    words.add_argument("--speed", type=float, default=20.0, help="times a table's, where it is typed (20)")
    words.add_argument("--viewers", type=int, default=8, help="(8)")
    words.add_argument("--by", choices=BY, default="hand", help="how moves are told (hand)")
    asked = words.parse_args()
    found = soak(asked.minutes, asked.speed, asked.viewers, asked.by)
    return told(asked.by, 1.0 if asked.by == "virtual" else asked.speed, found)


def told(by: str, speed: float, found: Soaked) -> int:
    """The figures."""
    rest, samples, evening, viewers, kept = (
        found.rest,
        found.samples,
        found.evening,
        found.viewers,
        found.kept,
    )
    first, last = samples[0], samples[-1]
    later = [one for one in samples if one.at_s >= last.at_s * WARM]
    grows = day_of(samples, lambda one: one.rss_mb, speed)
    descriptors = [one.descriptors for one in later]
    rss, pss = [one.rss_mb for one in later], statistics.median(one.pss_mb for one in later)
    threads = [one.threads for one in later]
    hours, wrote = last.at_s * speed / 3600, last.written_mb - first.written_mb
    written = day_of(samples, lambda one: one.written_mb, speed)
    busy = 100 * (last.cpu_s - first.cpu_s) / (last.at_s - first.at_s)
    print(f"{last.at_s / 60:.1f} min of real time, by {by}, at {speed:g} × speed ({hours:.1f} h at a table)")
    print(f"{evening.matches} matches, {evening.entries} entries, {evening.refused} not taken")
    print(f"at rest: RSS {rest.rss_mb:.0f} MB, PSS {rest.pss_mb:.0f} MB, {rest.descriptors} descriptors")
    print(
        f"in play: RSS {statistics.median(rss):.0f} MB median, {max(rss):.0f} most; PSS {pss:.0f} MB median"
    )
    quarters = [[one.rss_mb for one in samples if k <= 4 * one.at_s / last.at_s < k + 1] for k in range(4)]
    print(
        f"RSS by quarters of the time: {', '.join(f'{statistics.median(q):.1f}' for q in quarters if q)} MB"
    )
    print(f"after the first quarter: RSS {rss[0]:.1f} to {rss[-1]:.1f} MB, {grows:+.1f} MB a day at a table")
    print(f"descriptors {min(descriptors)} to {max(descriptors)}, threads {min(threads)} to {max(threads)}")
    print(f"written {wrote:.1f} MB by the kernel's count, {written:.0f} MB a day; {kept / 1e6:.1f} MB kept")
    print(f"processor {busy:.0f} % of a core")
    print(f"{viewers.events} events and {viewers.pictures} pictures shown, {viewers.lost} streams broken")
    if by == "camera":
        print(f"its camera's process was started anew {found.restarts} times")
    return int(by == "hand" and evening.refused > 0)


if __name__ == "__main__":
    sys.exit(main())
