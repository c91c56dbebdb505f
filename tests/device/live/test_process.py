"""Real processes, really ended: SIGTERM in the middle of a match, and kill -9 at random moments."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Self

import pytest

from device.journal.game import game_in
from device.journal.journal_reader import read_chain
from engine.history import History
from tests.device.journal.test_faulty_disk import quick_check
from tests.device.live.scripted import hash_of

ROOT = Path(__file__).parents[3]


def started(path: Path, game: str = "draw-game", seed: int = 4, pace_s: float = 0.0) -> subprocess.Popen[str]:
    """A process that plays a scripted match over this journal."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.device.live.scripted", str(path), game, str(seed), str(pace_s)],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def test_a_stop_is_clean_and_quick(tmp_path: Path) -> None:
    """SIGTERM in the middle of a match ends the process within three seconds, with the journal whole."""
    process = started(tmp_path / "a.match", pace_s=0.02)
    assert process.stdout is not None
    for line in process.stdout:
        if line[0].isdigit():
            break
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    rest, errors = process.communicate(timeout=20)
    assert time.monotonic() - began < 3
    assert process.returncode == 0
    assert "ended" in rest
    assert not errors
    assert not read_chain(tmp_path / "a.match").damage
    assert not Path(f"{tmp_path / 'a.match'}-wal").exists()


def kept(path: Path) -> History | None:
    """The game that is in a journal."""
    return game_in(read_chain(path).events)


class Nursery:
    """Bears processes that play one match and kills them; remembers what they had said to be safe."""

    def __init__(self, path: Path, game: str, seed: int) -> None:
        self.path, self.game, self.seed = path, game, seed
        self.hits, self.kills = 0, 0
        self.safe: dict[int, str] = {}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.device.live.scripted", "nursery", game, str(seed)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert self._answer() == "ready\n"

    def kill(self, rng: random.Random) -> list[str]:
        """One process more, killed at a random moment; what it said.

        Whatever any process had said to be on the disk must be there, in the same words, and the next one
        must have gone on from exactly there.
        """
        assert self.process.stdin is not None
        self.process.stdin.write(f"{self.path} {rng.randint(1, 6)} {rng.choice((0, rng.uniform(0, 0.05)))}\n")
        self.process.stdin.flush()
        told = json.loads(self._answer())
        ready, *lines = told["lines"]
        assert ready.startswith("ready ")
        assert int(ready.split()[1]) >= max(self.safe, default=0)
        self.kills, self.hits = self.kills + 1, self.hits + told["hit"]
        for line in lines:
            if line[0].isdigit() and line.endswith("\n"):  # a line that was cut off was not said
                number, name = line.split()
                assert self.safe.setdefault(int(number), name) == name
        assert quick_check(self.path) == "ok"
        game = kept(self.path) if self.safe else None
        assert all(game and hash_of(game, number) == name for number, name in self.safe.items())
        return lines

    def ends_as_if_never_killed(self) -> None:
        """Left alone, the match comes to the same table and score as one that nobody killed."""
        whole = self.path.with_name("whole.match")
        for path in (self.path, whole):
            process = started(path, self.game, self.seed)
            _told, errors = process.communicate(timeout=120)
            assert process.returncode == 0, errors
        one, other = kept(self.path), kept(whole)
        assert one is not None
        assert other is not None
        assert (one.state, one.scores) == (other.state, other.scores)
        assert not read_chain(self.path).damage

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(120)
        assert self.process.stdout is not None
        self.process.stdout.close()

    def _answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()


@pytest.mark.parametrize(("game", "seed"), [("draw-game", 4), ("kingdomino-duel", 2)])
def test_kill_9_loses_nothing_that_was_confirmed(tmp_path: Path, game: str, seed: int) -> None:
    """Killed again and again at random moments, a match has every entry that it called safe, and goes on."""
    rng, hits = random.Random(seed), 0
    for number in range(8):  # on a quick machine a match may end before it was hit often
        folder = tmp_path / str(number)
        folder.mkdir()
        with Nursery(folder / "a.match", game, seed) as nursery:
            for _ in range(15):
                nursery.kill(rng)
            hits += nursery.hits
            assert nursery.safe
            if hits >= 8:
                nursery.ends_as_if_never_killed()
                return
    pytest.fail(f"only {hits} of 120 kills hit a living match")


@pytest.mark.long
@pytest.mark.plain
def test_a_thousand_kills(tmp_path: Path) -> None:
    """1,000 kills of living matches of all four games: nothing that was confirmed is lost."""
    rng, hits, kept, number = random.Random(1), 0, 0, 0
    while hits < 1000:
        game = ("draw-game", "kingdomino-duel", "dominoids", "dominoes-of-war")[number % 4]
        with Nursery(tmp_path / f"{number}.match", game, number + 1) as nursery:
            for _ in range(20):
                nursery.kill(rng)
        hits, kept, number = hits + nursery.hits, kept + len(nursery.safe), number + 1
    assert kept >= hits / 4  # a match that says nothing before it is killed would prove nothing
    print(f"{hits} kills over {number} matches; {kept} acknowledged entries, 0 lost")
