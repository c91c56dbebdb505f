"""A dashboard in a process of its own, whose match changes ten times a second, or never: `… quiet`.

It prints its port, and how much memory it has whenever a line comes in; after "tidy" what it holds on to,
without what only waits to be thrown away.
"""

import gc
import sys
import tempfile
from pathlib import Path

from device.spare_memory import give_back
from tests.web.desks import ShownDesk
from tests.web.test_calm import stirring, waiting


def memory() -> int:
    """The bytes that this process holds in memory now."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def main() -> None:
    """Serve until the input ends."""
    with tempfile.TemporaryDirectory() as folder, ShownDesk(Path(folder), waiting()) as shown:
        if "quiet" not in sys.argv:
            shown.changing(stirring)
        print(shown.screen.port, shown.screen._door.token, flush=True)
        for line in sys.stdin:
            if line == "tidy\n":
                gc.collect()
                give_back()
            print(memory(), len(shown.screen._open), shown.screen.viewers, flush=True)


if __name__ == "__main__":
    main()
