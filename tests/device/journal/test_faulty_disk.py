"""The disk fails at any write: an event is there or it isn't, what was acknowledged stays, and it is said."""

import os
import random
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
from itertools import takewhile
from pathlib import Path

import pytest

from device.journal.events import Chain, Draft
from device.journal.journal_reader import read_chain
from device.journal.store import Journal, chain_in, log_of
from engine import record
from engine.errors import BadRecord
from tests.device.journal.at_a_faulty_disk import EVENTS
from tests.device.match.match_bench import FACTS, LEGAL, game

ROOT = Path(__file__).parents[3]
PROGRAM = [sys.executable, "-m", "tests.device.journal.at_a_faulty_disk"]
WRITES = ("pwrite64", "fdatasync", "fsync", "ftruncate")
"""The system calls by which SQLite changes a file."""
TOLD = ("cannot be written", "cannot be opened", "The disk failed")
ERRORS = ("ENOSPC", "EROFS", "EIO")


def played(path: Path, *before: str, limit: int | None = None) -> list[str]:
    """What the match on a faulty disk said."""

    def bound() -> None:
        if limit is not None:
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    run = subprocess.run(
        [*before, *PROGRAM, str(path)], cwd=ROOT, capture_output=True, text=True, timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}, preexec_fn=bound,
    )  # fmt: skip
    assert "Traceback" not in run.stderr, run.stderr
    return run.stdout.splitlines()


def holds(path: Path, said: list[str]) -> int:
    """Nothing acknowledged is lost, nothing is half there, the match goes on; how many were acknowledged."""
    kept = [line.split() for line in said if line.startswith("kept")]
    chain = read_chain(path) if path.exists() and path.stat().st_size else Chain(())
    assert not chain.damage
    hashes = [event.hash for event in chain.events]
    assert [one[2] for one in kept] == hashes[: len(kept)]
    # What was refused may have reached the disk all the same: then it is there whole, as the next one.
    assert len(hashes) <= len(kept) + 1
    assert all(any(words in line for words in TOLD) for line in said if line[0] in "re")
    *_, last = played(path)
    # The last one, too, may have been refused and be there: then the next start has nothing to add.
    assert last.startswith((f"kept {EVENTS} ", f"began {EVENTS}")) or said[-1].startswith(f"kept {EVENTS} ")
    whole = read_chain(path)
    assert [event.body["number"] for event in whole.events] == [*range(EVENTS)]
    assert [event.hash for event in whole.events][: len(hashes)] == hashes
    assert quick_check(path) == "ok"
    return len(kept)


def quick_check(path: Path) -> str:
    """What SQLite itself thinks of the file."""
    base = sqlite3.connect(path)
    try:
        return str(base.execute("PRAGMA quick_check").fetchone()[0])
    finally:
        base.close()


@pytest.mark.parametrize("limit", [0, 5_000, 20_000, 30_000, 37_123, 52_000, 88_888])
def test_files_that_may_not_grow_beyond_any_byte(tmp_path: Path, limit: int) -> None:
    """The system refuses every byte beyond a limit, in the middle of a write as well."""
    path = tmp_path / "a.match"
    holds(path, played(path, limit=limit))


@pytest.mark.long
@pytest.mark.timeout(1800)
def test_files_that_may_not_grow_beyond_every_quarter_of_a_page(tmp_path: Path) -> None:
    """The same at 192 limits, from nothing to more than the match needs."""
    kept = []
    for number in range(192):
        path = tmp_path / f"{number}.match"
        kept.append(holds(path, played(path, limit=number * 1031)))
    assert kept[0] == 0
    assert kept[-1] == EVENTS
    print(f"{len(kept)} limits, {sum(kept)} acknowledged events, 0 lost")


def injected(path: Path, call: str, error: str, when: str) -> list[str]:
    """The match, whose calls of this kind fail."""
    rule = f"inject={call}:error={error}:when={when}"
    return played(path, "strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", rule)


def counted(path: Path, call: str) -> int:
    """How many calls of this kind the match makes."""
    log = path.with_suffix(".calls")
    played(path, "strace", "-f", "-qq", "-o", str(log), "-e", f"trace={call}")
    return sum(f"{call}(" in line for line in log.read_text().splitlines())


needs_strace = pytest.mark.skipif(shutil.which("strace") is None, reason="strace is not installed")


@needs_strace
@pytest.mark.parametrize(
    ("call", "error", "once", "always"),
    [
        ("pwrite64", "ENOSPC", "40", "60"),
        ("pwrite64", "EROFS", "70", "80"),
        ("fdatasync", "EIO", "12", "15"),
    ],
)
def test_a_write_that_fails_in_the_middle_of_a_match(
    tmp_path: Path, call: str, error: str, once: str, always: str
) -> None:
    """Once, and from then on for ever: what was acknowledged is there after the next start."""
    for when in (once, f"{always}+"):
        path = tmp_path / f"{when}.match"
        said = injected(path, call, error, when)
        kept = holds(path, said)
        assert kept == EVENTS if when == once else 0 < kept < EVENTS


@needs_strace
@pytest.mark.long
def test_every_write_of_a_match_fails_in_every_way(tmp_path: Path) -> None:
    """Each call by which the match changes a file fails once, and for ever, in three ways."""
    runs, kept, refused = 0, 0, 0
    for call in WRITES:
        calls = counted(tmp_path / f"{call}.match", call)
        for number in range(1, calls + 1):
            for error in ERRORS:
                for when in (f"{number}", f"{number}+"):
                    path = tmp_path / f"{call}-{number}-{error}-{when}.match"
                    said = injected(path, call, error, when)
                    kept, runs = kept + holds(path, said), runs + 1
                    refused += any(line.startswith(("refused", "ended")) for line in said)
                    path.unlink(missing_ok=True)
        print(f"{call}: {calls} calls", flush=True)
    assert refused > runs / 4
    print(f"{runs} runs, {refused} of them told, {kept} acknowledged events, 0 lost")


# — cut at every byte —


class Cut:
    """A journal as a power cut leaves it: the file as it was, and a log that may be cut or garbled."""

    def __init__(self, folder: Path, events: int) -> None:
        source = folder / "a.match"
        (folder / "cut").mkdir()
        self.path = folder / "cut" / "a.match"
        self.wal = log_of(self.path)
        with Journal(source) as journal:
            for number in range(events):
                journal.append([Draft("note", {"number": number})])
            self.hashes = [event.hash for event in journal.events]
            for name in (source.name, log_of(source).name):
                shutil.copy(folder / name, folder / "cut" / name)
        self.whole = self.wal.read_bytes()
        self.ends = commits(self.whole)
        self.folded = events - len(self.ends)
        """Events that are in the file itself."""

    def kept(self, at: int) -> int:
        """How many events are there where the log is whole up to this byte."""
        return self.folded + sum(end <= at for end in self.ends)

    def opened(self) -> list[str]:
        """The hashes of the events that a start finds; the chain is proved."""
        base = sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)
        try:
            chain = chain_in(base)
        finally:
            base.close()
        assert not chain.damage
        return [event.hash for event in chain.events]

    def count(self) -> int:
        """How many events a start finds, by SQLite alone."""
        base = sqlite3.connect(f"{self.path.as_uri()}?mode=ro", uri=True)
        try:
            return int(base.execute("SELECT count(*) FROM events").fetchone()[0])
        finally:
            base.close()


def frames(log: bytes) -> list[int]:
    """Where the pages of a log begin; behind them lies what is left of an earlier one."""
    page = page_of(log)
    every = range(32, len(log) - page - 23, page + 24)
    return [*takewhile(lambda at: log[at + 8 : at + 16] == log[16:24], every)]


def commits(log: bytes) -> list[int]:
    """Where each transaction of a log ends."""
    return [at + 24 + page_of(log) for at in frames(log) if any(log[at + 4 : at + 8])]


def page_of(log: bytes) -> int:
    """How many bytes a page of it has."""
    return int.from_bytes(log[8:12], "big")


def cut_at_every(cut: Cut, step: int) -> int:
    """Cut the log shorter and shorter: each start finds exactly what was committed before the cut."""
    tried, shown = 0, -1
    with cut.wal.open("r+b") as file:
        for at in range(cut.ends[-1], -1, -step):
            file.truncate(at)
            wanted = cut.kept(at)
            if wanted != shown:  # proved once for each number of events, counted at every byte
                assert cut.opened() == cut.hashes[:wanted]
                shown = wanted
            assert cut.count() == wanted
            tried += 1
    return tried


def flipped(cut: Cut, flips: int) -> int:
    """Flip bits of the log: each start finds a prefix, and all that was committed before the flip."""
    rng, shortened = random.Random(2), 0
    for _ in range(flips):
        at = rng.randrange(cut.ends[-1])
        bit = bytes([cut.whole[at] ^ 1 << rng.randrange(8)])
        cut.wal.write_bytes(cut.whole[:at] + bit + cut.whole[at + 1 :])
        found = cut.opened()
        assert found == cut.hashes[: len(found)]
        assert len(found) >= cut.kept(at)
        shortened += len(found) < len(cut.hashes)
    return shortened


def test_a_log_cut_or_flipped_anywhere_opens_with_all_that_was_before(tmp_path: Path) -> None:
    """At every 211th byte of 30 events, and 150 flipped bits."""
    cut = Cut(tmp_path, 30)
    assert not cut.folded
    assert cut_at_every(cut, 211) > 500
    assert flipped(cut, 150) == 150


def test_a_log_that_began_anew_is_cut_or_flipped(tmp_path: Path) -> None:
    """What is left of an earlier log behind the newer one never comes back: 200 events, folded in between."""
    cut = Cut(tmp_path, 200)
    assert cut.folded > 50
    assert len(cut.whole) > cut.ends[-1]
    assert cut_at_every(cut, 97) > 100
    flipped(cut, 150)


def test_a_block_that_tears_while_the_log_is_folded_in_is_mended_by_the_log(tmp_path: Path) -> None:
    """Each block of 4 kB that is written then, all of it garbage after the plug was pulled."""
    cut = Cut(tmp_path, 70)
    assert cut.folded
    file = cut.path.read_bytes()
    written = {int.from_bytes(cut.whole[at : at + 4], "big") for at in frames(cut.whole)}
    torn = sorted({(page - 1) * page_of(cut.whole) // 4096 * 4096 for page in written})
    assert any(0 < at < len(file) for at in torn)
    for at in torn:
        cut.path.write_bytes(file[:at] + b"\xff" * 4096 + file[at + 4096 :])
        assert cut.opened() == cut.hashes


@pytest.mark.long
@pytest.mark.timeout(7200)
def test_a_log_of_200_events_cut_at_every_byte(tmp_path: Path) -> None:
    """Every byte, and 10,000 flipped bits."""
    cut = Cut(tmp_path, 200)
    shortened = flipped(cut, 10_000)
    print(f"10,000 flips: {shortened} found, 0 wrong", flush=True)
    cut.wal.write_bytes(cut.whole)
    tried = cut_at_every(cut, 1)
    print(f"{tried} cuts of a log of 200 events: each opens with exactly what was before it")


def long_record(entries: int) -> str:
    """A record of so many entries."""
    history = game(*FACTS)
    while len(history.entries) < entries:
        history = history.move(LEGAL[0]).undo()
    return record.write(history.header, history.entries[:entries])


EACH_BYTE = pytest.param(1, marks=[pytest.mark.long, pytest.mark.plain, pytest.mark.timeout(1800)])


@pytest.mark.parametrize("step", [199, EACH_BYTE])
def test_a_record_cut_or_flipped_anywhere_reads_as_far_as_it_is_whole(step: int) -> None:
    """JSON lines: cut at every byte, and bits flipped; each entry before that is read, none is invented."""
    data = long_record(200).encode()
    whole = record.read(data.decode()).entries
    assert len(whole) == 200
    ends = [at for at, byte in enumerate(data, 1) if byte == 10]
    rng = random.Random(4)
    cuts = [(at, data[:at]) for at in range(0, len(data), step)]
    flips = [(at, data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :])
             for at in (rng.randrange(len(data)) for _ in range(10_000 // step))]  # fmt: skip
    for at, text in (*cuts, *flips):
        safe = sum(end <= at for end in ends) - 1  # entries; the first line is the header
        try:
            found = record.read(text.decode("utf-8", errors="replace"))
        except BadRecord:
            assert safe < 0  # only where the header itself is hit
            continue
        assert found.entries == whole[: len(found.entries)]
        assert len(found.entries) >= safe
        assert found.damage or len(found.entries) in (safe, safe + 1)
    print(f"{len(cuts)} cuts and {len(flips)} flips of {len(data)} bytes: 0 wrong")
