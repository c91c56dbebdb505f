"""Hours of play in minutes, the camera's process among them: nothing grows that should not."""

import os
import subprocess
import sys
import time
from pathlib import Path
from statistics import median

import pytest

from benchmarks.soak import SoakedBox, _written, day_of, soak

MINUTES, SPEED, VIEWERS = 0.5, 20.0, 8
DAY_MINUTES = 24 * 60 / SPEED
MOST_MB, MOST_WRITTEN_MB = 10.0, 50.0
"""So much more memory a day at a table, and so many bytes written in one of which half is played."""
PLAYED = 0.5
"""Twelve of 24 hours; how much the file system adds to that is measured by benchmarks/wear.py."""
_SPARE = 10
"""So many descriptors more than at rest, beside two for each viewer: those of a match, and of its camera."""


@pytest.mark.timeout(600)
def test_a_box_that_is_played_at_by_eight_viewers_keeps_to_its_descriptors() -> None:
    """With the process that films, started anew after each of its faults."""
    found = soak(MINUTES, SPEED, VIEWERS, "camera", rest_s=5.0)
    assert found.viewers.pictures > 0
    assert found.viewers.events > 0
    assert found.evening.matches > 0
    most = max(one.descriptors for one in found.samples)
    assert most <= found.rest.descriptors + 2 * VIEWERS + _SPARE


GONE = """
import os, sys
from pathlib import Path
for name in sys.argv[1:]:
    file = Path(name)
    file.write_bytes(bytes(1_000_000))
    if name == sys.argv[1]:
        with file.open("rb") as kept:
            os.fsync(kept.fileno())
    else:
        file.unlink()
print(1, flush=True)
input()
"""


def test_a_file_that_is_gone_before_it_reaches_the_disk_was_not_written(on_disk: Path) -> None:
    """Each match has two beside it; the kernel counts them when they are begun, and tells apart what went."""
    if not on_a_disk(on_disk):
        pytest.skip("what is written here is on no disk")
    box, began = SoakedBox.__new__(SoakedBox), time.monotonic()
    box.spent = {}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    command = [sys.executable, "-c", GONE, str(on_disk / "stays"), str(on_disk / "goes")]
    with subprocess.Popen(command, **pipes) as box.process:  # type: ignore[call-overload]
        assert box.process.stdout.readline() == b"1\n"
        found = box.sample(began)
        box.process.kill()
    assert 1.0 <= found.written_mb < 1.5


def on_a_disk(folder: Path) -> bool:
    """Whether the kernel counts what is written in a folder."""
    before = _written(os.getpid())
    (folder / "tried").write_bytes(bytes(100_000))
    return _written(os.getpid()) > before


BUSY = "import time\nwhile time.process_time() < 0.3: pass\nprint(1, flush=True); time.sleep(60)"
PARENT = "import subprocess, sys; subprocess.run([sys.executable, '-c', sys.argv[1]]); input()"


def test_what_a_process_that_is_gone_has_spent_still_counts() -> None:
    """A camera's process that is started anew takes no bytes and no time away from the sum."""
    box, began = SoakedBox.__new__(SoakedBox), time.monotonic()
    box.spent = {}
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen([sys.executable, "-c", PARENT, BUSY], **pipes) as box.process:  # type: ignore[call-overload]
        assert box.process.stdout.readline() == b"1\n"
        before = box.sample(began)
        [child] = [pid for pid in box.spent if pid != box.process.pid]
        subprocess.run(["kill", str(child)], check=True)
        while box.sample(began).threads > 1:
            time.sleep(0.02)
        after = box.sample(began)
        box.process.kill()
    assert before.cpu_s >= 0.3
    assert after.cpu_s >= before.cpu_s
    assert after.written_mb >= before.written_mb


@pytest.mark.long
@pytest.mark.timeout(int(90 * DAY_MINUTES))
@pytest.mark.usefixtures("on_disk")
def test_after_a_day_with_a_camera_nothing_has_grown() -> None:
    """Memory, descriptors, threads and bytes written, a day at twenty times a table's speed."""
    found = soak(DAY_MINUTES, SPEED, VIEWERS, "camera")
    assert found.restarts > 0
    assert day_of(found.samples, lambda one: one.pss_mb, SPEED) < MOST_MB
    assert PLAYED * day_of(found.samples, lambda one: one.written_mb, SPEED) < MOST_WRITTEN_MB
    quarter = len(found.samples) // 4
    early, late = found.samples[quarter : 2 * quarter], found.samples[-quarter:]
    for what in ("descriptors", "threads"):
        before, after = (median(getattr(one, what) for one in part) for part in (early, late))
        assert after <= before + 1, what
