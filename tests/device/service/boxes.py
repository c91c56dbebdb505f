"""Real boxes for tests: processes of `pipwatch serve`, spoken to as a page and as systemd would.

`python -m tests.device.service.boxes` tells how long they take to begin and to end.
"""

import argparse
import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median
from typing import Any, Self

ROOT = Path(__file__).parents[3]
NAMES = ("Zaphod", "Trillian")
BEGIN = {
    "kind": "begin", "game": "kingdomino-duel", "players": list(NAMES), "confirm": "auto", "by": "hand",
}  # fmt: skip


def free_port() -> int:
    """A port that nobody has."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class RealBox:
    """One process, with folders that outlive it. A block ends it, however it stands."""

    def __init__(
        self, folder: Path, port: int = 0, *, watchdog_s: float = 1.0,
        how: str = "tests.device.service.hindered", host: str = "127.0.0.1", within: Sequence[str] = (),
    ) -> None:  # fmt: skip
        self.folder, self.port = folder, port or free_port()
        self.told: list[str] = []
        """What systemd has heard."""
        folder.mkdir(exist_ok=True)
        self._ear = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        (folder / "notify").unlink(missing_ok=True)
        self._ear.bind(str(folder / "notify"))
        self._token = ""
        self._errors = (folder / "stderr").open("a")
        self.process = subprocess.Popen(
            [*within, sys.executable, "-m", how, str(folder), "serve", "--host",
             host, "--port", str(self.port), "--config", str(folder / "config.toml")],
            cwd=ROOT, stdout=self._errors, stderr=self._errors,
            env={**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(folder),
                 "STATE_DIRECTORY": str(folder / "state"), "RUNTIME_DIRECTORY": str(folder / "run"),
                 "NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": str(int(watchdog_s * 1e6))},
        )  # fmt: skip

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for name in ("engine", "disk", "opening", "shelf", "error"):
            (self.folder / name).unlink(missing_ok=True)
        self.kill()
        self._ear.close()
        self._errors.close()

    def kill(self) -> None:
        """End it as a crash does."""
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(10)

    def terminate(self) -> float:
        """End it as systemd does; the seconds that took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(20) == 0
        return time.monotonic() - began

    def hinder(self, name: str) -> Path:
        """Hold it up; taking the file away ends that."""
        (self.folder / name).touch()
        return self.folder / name

    @property
    def said(self) -> str:
        """What it printed."""
        return (self.folder / "stderr").read_text()

    def listen(self, seconds: float) -> list[str]:
        """What systemd hears in so long."""
        heard, until = list[str](), time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._ear.settimeout(left)
            with suppress(TimeoutError):
                heard.append(self._ear.recv(2000).decode())
        self.told += heard
        return heard

    def heard(self, word: str, seconds: float = 20.0) -> str:
        """The first thing that systemd hears with this in it."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            for one in self.listen(0.1):
                if word in one:
                    return one
        raise AssertionError(f"systemd never heard {word}: {self.told}, {self.said[-2000:]}")

    # — as a page —

    def get(self, path: str) -> str:
        """What the page answers."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as answer:
            return str(answer.read().decode())

    def json(self, path: str) -> dict[str, Any]:
        """The same as plain data; empty where there is no such answer just now."""
        with suppress(OSError, urllib.error.HTTPError, ValueError):
            told: dict[str, Any] = json.loads(self.get(path))
            return told
        return {}

    def post(self, path: str, body: Mapping[str, Any]) -> None:
        """What somebody does on the page."""
        if not self._token:
            found = re.search(r'name="token" content="([^"]+)"', self.get("/"))
            assert found is not None
            self._token = found[1]
        head = {"Content-Type": "application/json", "X-Pipwatch-Token": self._token}
        asked = urllib.request.Request(
            f"http://127.0.0.1:{self.port}{path}", json.dumps(body).encode(), head, method="POST"
        )
        with urllib.request.urlopen(asked, timeout=5) as answer:
            assert answer.status == 204

    def begin(self) -> None:
        """Begin a match by hand."""
        self.ready()
        self.post("/api/box/do", BEGIN)
        self.until(lambda: "phase" in self.json("/api/view"))

    def ready(self) -> None:
        """Wait until it may be used."""
        if not any("READY=1" in one for one in self.told):
            self.heard("READY=1")

    def type(self, line: str) -> None:
        """Type a move, and wait until it is on the disk."""
        before = len(self.lines)
        self.post("/api/do", {"kind": "typed", "words": line})
        self.until(lambda: len(self.lines) > before and self.json("/api/view")["saved"])

    @property
    def lines(self) -> list[str]:
        """What has been recorded, as the page shows it."""
        return [one["text"] for one in self.json("/api/view").get("log", [])]

    def until(self, what: Callable[[], Any], seconds: float = 20.0) -> Any:
        """Wait until something holds."""
        end = time.monotonic() + seconds
        while not (found := what()):
            assert time.monotonic() < end, f"{self.json('/api/box')} {self.said[-2000:]}"
            assert self.process.poll() is None, self.said[-2000:]
            time.sleep(0.05)
        return found


def measured(times: int) -> Iterator[str]:
    """How long boxes take to be ready, and to end in a match: as it is, and while the disk takes nothing."""
    from tests.device.match.match_bench import FACTS

    took: dict[str, list[float]] = {"start until READY=1": [], "SIGTERM in a match": [], "disk hangs": []}
    for number, end in ((number, end) for number in range(times) for end in [*took][1:]):
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            with RealBox(Path(folder) / str(number), watchdog_s=20.0) as box:
                box.ready()
                took["start until READY=1"].append(time.monotonic() - began)
                box.begin()
                box.type(FACTS[0])
                if end == "disk hangs":
                    box.hinder("disk")
                    box.post("/api/do", {"kind": "typed", "words": FACTS[1]})
                    box.until(lambda box=box: box.json("/api/health").get("journal", {}).get("queue"))
                took[end].append(box.terminate())
    for what, all_s in took.items():
        yield f"{what}: median {median(all_s):.2f} s, most {max(all_s):.2f} s (n = {len(all_s)})"


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=measured.__doc__)
    asked.add_argument("--times", type=int, default=10)
    for line in measured(asked.parse_args().times):
        print(line)
