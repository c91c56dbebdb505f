"""A match on a disk that fills up, as a program: FOLDER SPARE-BYTES. What was acknowledged is printed.

The folder holds little. It is filled up but for so many bytes; then moves are made until none can be kept,
the reserve included. Then room is made, and the match goes on.
"""

import os
import shutil
import sys
from pathlib import Path

from device.journal.events import Draft, Picture
from device.journal.store import Journal, JournalError
from device.keeping.allowance import fresh
from device.keeping.caretaker import Caretaker
from device.keeping.reserve import Reserve

RESERVE = 300_000


def fill(folder: Path, spare: int) -> None:
    """Leave so many bytes free."""
    with (folder / "filler").open("wb", buffering=0) as file:
        free = shutil.disk_usage(folder).free - spare
        while free > 0:
            free -= file.write(bytes(min(free, 65_536)))


def main() -> None:
    """The match."""
    folder, spare = Path(sys.argv[1]), int(sys.argv[2])
    reserve = Reserve(folder, RESERVE, RESERVE)
    assert reserve.make()
    picture = Picture("frame", os.urandom(20_000))
    with Journal(folder / "a.match", care=Caretaker(fresh(0), reserve)) as journal:
        fill(folder, spare)
        while True:
            try:
                number = journal.length
                (event,) = journal.append([Draft("note", {"number": number, "pad": "x" * 300}, (picture,))])
            except JournalError as wrong:
                print(f"refused {wrong}", flush=True)
                break
            told = "bare" if not event.pictures else "whole"
            print(f"kept {event.seq} {event.hash} {told} {int(reserve.there)}", flush=True)
        (folder / "filler").unlink()
        journal.append([Draft("note", {"number": journal.length})])
        print(f"went on {journal.length} {int(reserve.make())}", flush=True)


if __name__ == "__main__":
    main()
