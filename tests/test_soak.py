"""Hours of play in minutes, the camera's process among them: nothing grows that should not."""

import subprocess
import sys
import time
from statistics import median

import pytest

from benchmarks.soak import SoakedBox, day_of, soak

MINUTES, SPEED, VIEWERS = 0.5, 20.0, 8
DAY_MINUTES = 24 * 60 / SPEED
MOST_MB, MOST_WRITTEN_MB = 10.0, 50.0
"""So much more memory, and so many bytes written, a day."""
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
def test_after_a_day_with_a_camera_nothing_has_grown() -> None:
    """Memory, descriptors, threads and bytes written, a day at twenty times a table's speed."""
    found = soak(DAY_MINUTES, SPEED, VIEWERS, "camera")
    assert found.restarts > 0
    assert day_of(found.samples, lambda one: one.pss_mb, SPEED) < MOST_MB
    assert day_of(found.samples, lambda one: one.written_mb, SPEED) < MOST_WRITTEN_MB
    quarter = len(found.samples) // 4
    early, late = found.samples[quarter : 2 * quarter], found.samples[-quarter:]
    for what in ("descriptors", "threads"):
        before, after = (median(getattr(one, what) for one in part) for part in (early, late))
        assert after <= before + 1, what
