"""What every process with a camera does: send frames, hear requests, and go when nobody reads them."""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from threading import Lock, Thread
from typing import IO

from device.cameras import frames
from device.cameras.frames import Frame

_PARENT_DIED = 1
"""The number of PR_SET_PDEATHSIG."""
_MOST_AT_ONCE = 8
"""So many large pictures are given for one request at most."""
LARGE = b"large"
"""The one request there is, with how many are wanted."""


class Requests:
    """How many large pictures are still wanted."""

    def __init__(self) -> None:
        self._lock, self._left = Lock(), 0

    def hear(self, pipe: IO[bytes]) -> None:
        """Take in requests until the pipe ends; what is none is left aside."""
        for line in pipe:
            word, _, count = line.strip().partition(b" ")
            if word == LARGE and count.isdigit():
                with self._lock:
                    self._left = min(int(count), _MOST_AT_ONCE)

    def take(self) -> bool:
        """Whether the next picture is wanted large, too."""
        with self._lock:
            wanted = self._left > 0
            self._left -= wanted
        return wanted


def deliver(film: Callable[[Requests], Iterator[Frame]]) -> int:
    """Send all frames, each with the time at which it came; status 1 with a sentence for an error."""
    with suppress(OSError, AttributeError):
        # A camera that hangs would never notice that its reader is gone.
        ctypes.CDLL(None).prctl(_PARENT_DIED, signal.SIGKILL)
    # Libraries print to stdout as they like; the frames go where nobody else writes.
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = Requests()
    Thread(target=requests.hear, args=(sys.stdin.buffer,), name="requests", daemon=True).start()
    try:
        for frame in film(requests):
            frames.write(pipe, replace(frame, at_s=time.monotonic()))
    except BrokenPipeError:
        return 0
    except Exception as error:  # each driver has errors of its own
        print(str(error) or type(error).__name__, file=sys.stderr)
        return 1
    return 0
