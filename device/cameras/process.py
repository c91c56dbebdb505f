"""The process that has the camera: frames out of its pipe, requests into it, and its last words."""

import subprocess
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Thread

from device.cameras import frames
from device.cameras.frames import Frame

_END_S = 1.0
"""So long at most is waited for each part of a process that was killed: a driver may hold it for ever."""
_LINES, _LETTERS = 20, 1000
"""Of what a camera's process says, the last lines are kept."""
_STARTS = ThreadPoolExecutor(1, "camera")
"""The one thread that starts them all: the kernel ends such a process with the thread that started it (see
``lifeline``), and the thread of a match ends with the match."""


class CameraProcess:
    """A program that writes frames to its stdout; ``take`` is called with each, in a thread of its own."""

    def __init__(self, command: Sequence[str], take: Callable[[Frame], None]) -> None:
        self.process = _STARTS.submit(_started, list(command)).result()
        self._take, self._over = take, False
        self.said: deque[bytes] = deque(maxlen=_LINES)
        self._threads = (
            Thread(target=self._read, name="camera", daemon=True),
            Thread(target=self._hear, name="camera's words", daemon=True),
        )
        for thread in self._threads:
            thread.start()

    def ask(self, line: bytes) -> bool:
        """Send a request; whether there is somebody to hear it."""
        assert self.process.stdin is not None  # all three are pipes
        try:
            self.process.stdin.write(line)
            self.process.stdin.flush()
        except OSError:
            return False  # it has just ended
        return True

    def ended(self) -> bool:
        """Whether it is gone."""
        return self.process.poll() is not None

    def kill(self) -> str:
        """End it without a word to the camera's library; the last line that it said."""
        self._over = True
        self.process.kill()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(_END_S)
        for thread in self._threads:
            thread.join(_END_S)  # one that goes on reads a pipe that somebody else still holds
        lines = b"".join(self.said).decode(errors="replace").strip().splitlines()
        if self.process.stdin is not None:
            with suppress(OSError):  # a request that it never read
                self.process.stdin.close()
        return lines[-1].rstrip(".") if lines else ""

    def _read(self) -> None:
        """The thread that empties the pipe, so that a frame is never older than the newest."""
        assert self.process.stdout is not None  # all three are pipes
        with self.process.stdout as pipe:
            while (found := frames.read(pipe)) is not None and not self._over:
                self._take(found)

    def _hear(self) -> None:
        """The thread that hears what the process says: a pipe that nobody empties would stop it."""
        assert self.process.stderr is not None  # all three are pipes
        with self.process.stderr as pipe:
            self.said.extend(iter(lambda: pipe.readline(_LETTERS), b""))


def _started(command: Sequence[str]) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
