"""What every process with a camera does: send frames, hear requests, and go when nobody reads them."""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from threading import Lock, Thread
from typing import IO

from device.cameras import frames
from device.cameras.frames import Frame

_PARENT_DIED = 1
"""The number of PR_SET_PDEATHSIG."""
_OOM = Path("/proc/self/oom_score_adj")
BEFORE_THE_MATCH = 500
"""Where memory runs out the kernel adds half of all to what we have: the camera goes, and is started anew."""
MOST_LARGE = 5
"""So many large pictures are given for one request at most."""
LARGE = b"large"
"""A request, with how many are wanted, and by how much larger."""
FOCUS = b"focus"
"""The other one: focus anew."""


class Requests:
    """How many large pictures are still wanted, and how large; whether the focus is wanted anew."""

    def __init__(self) -> None:
        self._lock, self._left, self._share = Lock(), 0, 1.0
        self._focus = False

    def hear(self, pipe: IO[bytes]) -> None:
        """Take in requests until the pipe ends; what is none is left aside."""
        for line in pipe:
            if line.strip() == FOCUS:
                self._focus = True
                continue
            with suppress(ValueError):  # what is none is left aside
                word, count, share = line.split()
                if word == LARGE and float(share) > 1:
                    with self._lock:
                        self._left, self._share = min(int(count), MOST_LARGE), float(share)

    def is_focus_wanted(self) -> bool:
        """Whether the camera is to focus anew; asked for once, it is done once."""
        wanted, self._focus = self._focus, False
        return wanted

    def take(self) -> float:
        """By how much the next picture is wanted larger than those that are watched, too; 0 if it is not."""
        with self._lock:
            wanted = self._left > 0
            self._left -= wanted
            return self._share if wanted else 0.0


def deliver(film: Callable[[Requests], Iterator[Frame]]) -> int:
    """Send all frames, each with the time at which it came; status 1 with a sentence for an error."""
    with suppress(OSError, AttributeError):
        # A camera that hangs, even within its library and with Python's lock, never notices that its reader
        # is gone. The kernel's "parent" is the thread that started us: ``process`` has one that lasts.
        ctypes.CDLL(None).prctl(_PARENT_DIED, signal.SIGKILL)
    with suppress(OSError, ValueError):
        _OOM.write_text(str(max(BEFORE_THE_MATCH, int(_OOM.read_text()))), encoding="ascii")
    # Libraries print to stdout as they like; the frames go where nobody else writes.
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    requests = Requests()
    Thread(target=_heard_out, args=(requests,), name="requests", daemon=True).start()
    try:
        for frame in film(requests):
            frames.write(pipe, replace(frame, at_s=time.monotonic()))
    except BrokenPipeError:
        return 0
    except Exception as error:  # each driver has errors of its own
        print(str(error) or type(error).__name__, file=sys.stderr)
        return 1
    return 0


def _heard_out(requests: Requests) -> None:
    """Hear requests until nobody is left who could send any, and end: the kernel was told only just now."""
    requests.hear(sys.stdin.buffer)
    os._exit(0)
