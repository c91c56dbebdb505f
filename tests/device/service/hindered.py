"""A box that is held up where a test wants it: `python -m tests.device.service.hindered FOLDER serve …`.

While the file ``engine`` lies in the folder the referee stands still in the middle of a step; while ``disk``
does, whoever writes the journal waits for a slow disk, while ``opening`` does, a match that is opened, and
while ``shelf`` does, whoever reads a match that is kept; ``error`` is an error of ours in the referee. With
``hasty`` a box counts as good after a moment, and while ``1970`` lies there its clock shows that year, as a
Pi's does until a network tells it the time.
Patience is a second for each, so that tests need not wait for the real one.
"""

import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

FOLDER = Path(sys.argv[1])
_time, _START = time.time, time.time()
time.time = lambda: _time() - (_START if (FOLDER / "1970").exists() else 0.0)

# After the clock: some of these keep the one that they find.
from device.cli import main  # noqa: E402
from device.journal.events import Draft  # noqa: E402
from device.journal.store import Journal  # noqa: E402
from device.live import referee_thread  # noqa: E402
from device.service import beats, host, shelf  # noqa: E402

_step, _append, _kept_at = referee_thread.step, Journal.append, shelf.kept_at


def _held(name: str) -> None:
    while (FOLDER / name).exists():
        time.sleep(0.02)


def _slow_step(*given: Any) -> Any:
    _held("engine")
    if (FOLDER / "error").exists():
        (FOLDER / "error").unlink()
        raise RuntimeError("an error that a test wants")
    return _step(*given)


def _slow_append(journal: Journal, drafts: Sequence[Draft]) -> Any:
    _held({"journal": "disk", "match": "opening"}[threading.current_thread().name])
    return _append(journal, drafts)


def _slow_kept_at(path: Path) -> Any:
    _held("shelf")
    return _kept_at(path)


if __name__ == "__main__":
    beats.ENGINE_S = beats.QUEUE_S = 1.0  # type: ignore[misc]
    if (FOLDER / "hasty").exists():
        host.GOOD_S = 0.2  # type: ignore[misc]
    referee_thread.step, shelf.kept_at = _slow_step, _slow_kept_at
    Journal.append = _slow_append  # type: ignore[method-assign]
    sys.exit(main(sys.argv[2:]))
