"""A match on a disk that fails, as a program: JOURNAL. Each event is printed once it is acknowledged.

An event that is refused is tried once more, as the match does when somebody presses after a failure; then
the match ends, since nothing may be written out of order.
"""

import sys
from pathlib import Path

from device.journal.events import Draft, Picture
from device.journal.store import Journal, JournalError

EVENTS = 10
PICTURE = Picture("after", bytes(range(256)) * 30)


def main() -> None:
    """The match."""
    with Journal(Path(sys.argv[1])) as journal:
        print(f"began {journal.length}", flush=True)
        for number in range(journal.length, EVENTS):
            pictures = (PICTURE,) if number % 3 == 0 else ()
            draft = Draft("note", {"number": number, "pad": "x" * 2000}, pictures)
            for _ in range(2):
                try:
                    (event,) = journal.append([draft])
                except JournalError as wrong:
                    print(f"refused {wrong}", flush=True)
                else:
                    print(f"kept {event.seq} {event.hash}", flush=True)
                    break
            else:
                return  # nothing may be written out of order


if __name__ == "__main__":
    try:
        main()
    except JournalError as wrong:  # it cannot be opened, or not be let go of
        print(f"ended {wrong}", flush=True)
