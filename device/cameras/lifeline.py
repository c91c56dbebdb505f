"""What every process with a camera does: write frames to stdout, and go when nobody reads them."""

import ctypes
import os
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress

from device.cameras import frames
from device.cameras.frames import Picture

_PARENT_DIED = 1
"""The number of PR_SET_PDEATHSIG."""


def deliver(pictures: Iterator[Picture]) -> int:
    """Send all pictures, each with the time at which it came; status 1 with a sentence for an error."""
    with suppress(OSError, AttributeError):
        # A camera that hangs would never notice that its reader is gone.
        ctypes.CDLL(None).prctl(_PARENT_DIED, signal.SIGKILL)
    # Libraries print to stdout as they like; the frames go where nobody else writes.
    pipe = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        for picture in pictures:
            frames.write(pipe, picture, time.monotonic())
    except BrokenPipeError:
        return 0
    except Exception as error:  # each driver has errors of its own
        print(str(error) or type(error).__name__, file=sys.stderr)
        return 1
    return 0
