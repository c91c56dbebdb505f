"""How long the process with the camera lives: as long as the one that started it, whatever its threads do."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from device.cameras.lifeline import BEFORE_THE_MATCH
from device.cameras.own_process import Apart, program
from device.cameras.wanted import CameraSettings
from device.live.ports import Away, Shot
from device.service.box import Closed, Input, Open, Seating, Wanted
from device.service.box_match import Around, BoxMatch
from device.service.kept_camera import KeptCamera
from device.settings import Settings
from tests.device.noise_camera import FILMS

ROOT = Path(__file__).parents[2]
HANGS = """
import ctypes, sys, time, numpy as np
from device.cameras.frames import Frame
from device.cameras.lifeline import deliver
def pictures():
    yield Frame(np.zeros((12, 16, 3), np.uint8))
    {hang}
    yield Frame(np.zeros((12, 16, 3), np.uint8))
sys.exit(deliver(lambda _requests: pictures()))
"""
WITHIN_PYTHON, WITH_ITS_LOCK = "time.sleep(60)", "ctypes.PyDLL(None).sleep(60)"
PARENT = """
import sys, time
from device.cameras.own_process import Apart
from device.live.ports import Shot
source = Apart([sys.executable, "-c", sys.argv[1]], "The camera")
while not isinstance(source.next(0.2), Shot):
    pass
print(source._child.process.pid, flush=True)
time.sleep(60)
"""


def until(true: Callable[[], object], seconds: float = 30.0) -> None:
    """Wait until something holds."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end
        time.sleep(0.02)


def lives(process: int) -> bool:
    """Whether a process is there, and no mere entry of one that has ended."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


class Watched(Apart):
    """A camera that counts the pictures that it gives."""

    seen = 0

    def next(self, timeout_s: float) -> Shot | Away | None:
        """The next picture."""
        found = super().next(timeout_s)
        self.seen += isinstance(found, Shot)
        return found


def in_a_thread(work: Callable[[], object]) -> None:
    """Do it in a thread that ends then."""
    thread = threading.Thread(target=work)
    thread.start()
    thread.join(30)
    assert not thread.is_alive()


def test_the_camera_outlives_the_thread_that_opened_it() -> None:
    """Threads come and go with matches: its process goes on, and its pictures come to the next thread."""
    source = Watched([sys.executable, "-c", FILMS], "The camera")

    def look() -> None:
        before = source.seen
        while source.seen == before:
            source.next(0.2)

    try:
        in_a_thread(look)
        assert source._child is not None
        process = source._child.process.pid  # type: ignore[attr-defined]
        time.sleep(0.3)  # the kernel ends it at once
        in_a_thread(look)
        in_a_thread(look)
        assert source.seen == 3
        assert lives(process)
        assert source.vitals().restarts == 0
    finally:
        source.close()


@pytest.mark.parametrize("hang", [WITHIN_PYTHON, WITH_ITS_LOCK])
def test_a_camera_that_hangs_ends_with_the_process_that_started_it(hang: str) -> None:
    """Also where that was killed, and where a library hangs so that no thread of Python goes on."""
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, HANGS.format(hang=hang)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    with parent:
        assert parent.stdout is not None
        process = int(parent.stdout.readline())
        try:
            time.sleep(0.2)
            assert lives(process)
            parent.kill()
            parent.wait(10)
            until(lambda: not lives(process), 5.0)
        finally:
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    assert not lives(process)


def test_memory_that_runs_out_ends_the_camera_and_not_the_match() -> None:
    """The kernel takes whoever asks for it first: the camera is started anew, and a match would be broken."""
    ours = int(Path("/proc/self/oom_score_adj").read_text())
    source = Watched([sys.executable, "-c", FILMS], "The camera")
    try:
        until(lambda: source.next(0.2) and source.seen)
        assert source._child is not None
        process = source._child.process.pid  # type: ignore[attr-defined]
        assert int(Path(f"/proc/{process}/oom_score_adj").read_text()) == max(ours, BEFORE_THE_MATCH)
    finally:
        source.close()


def test_a_camera_whose_starter_is_gone_before_it_could_ask_to_end_with_it() -> None:
    """Nobody has told the kernel yet: that nothing can be asked of it any more ends it, too."""
    code = HANGS.format(hang=WITHIN_PYTHON)
    with subprocess.Popen(
        [sys.executable, "-c", code], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL
    ) as child:
        assert child.stdin is not None
        child.stdin.close()
        try:
            assert child.wait(30) == 0
        finally:
            child.kill()


def test_matches_that_begin_and_end_leave_the_camera_running(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three matches of a box, one after another: the camera is started once, and never again."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parent / "stand_in"))
    monkeypatch.setenv("STAND_IN", str(tmp_path))
    (tmp_path / "plan").write_text("fine")
    wanted = CameraSettings(size=(640, 480), watch_size=(96, 72), fps=30.0, exposure="locked", focus=2.5)
    source = Watched(program("picamera", wanted.to_json(), "0.05"), "The camera")
    camera = KeptCamera(lambda: source)
    told = list[Input]()

    def pictures_come() -> None:
        before = source.seen
        until(lambda: source.seen > before + 3, 60.0)

    try:
        for _ in range(3):
            match = BoxMatch(
                Open(Wanted(Seating("draw-game")), sight=True), Around(Settings(), camera, (), told.append)
            )
            thread = threading.Thread(target=match.run, name="match")
            thread.start()
            pictures_come()
            match.stop(left=True)
            thread.join(30)
            assert not thread.is_alive()
            time.sleep(0.3)
        pictures_come()
        assert camera.state().restarts == 0
    finally:
        camera.close()
    assert [one for one in told if isinstance(one, Closed)] == [Closed()] * 3
    calls = [json.loads(line)[0] for line in (tmp_path / "calls").read_text().splitlines()]
    assert calls.count("start") == 1
