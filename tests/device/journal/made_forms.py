"""Made the files in ``forms``: `python -m tests.device.journal.made_forms` writes those of today's form.

They are kept as they were written by the version that had the form, and are never made anew.
"""

from pathlib import Path
from random import Random

from device.cli.demo import _next
from device.journal.events import Picture
from device.journal.game import added, began, note
from device.journal.store import VERSION, Journal
from device.live.starting import Agreed
from engine import GAMES, record

AT_S = 1_760_000_000.0
FORMS = Path(__file__).parent / "forms"


def main() -> None:
    """A match of each game, with a question and a picture, and its record beside it."""
    for game in GAMES:
        path = FORMS / f"{game}-{VERSION}.match"
        if path.exists():
            continue
        rng = Random(7)
        first = history = Agreed(game, players=("Ann", "Bo")).blank()
        with Journal(path, now=lambda: AT_S) as journal:
            journal.append(began(first, (Picture("frame", b"\xff\xd8 no real picture \xff\xd9"),)))
            while len(history.steps) < 12 and history.outcome is None:
                before, history = history, _next(history, rng)
                journal.append(added(before, history))
            journal.append([note("asked", words="Which was it?", choices=["this", "that"])])
        path.with_suffix(".jsonl").write_text(record.write(history.header, history.entries))
        (FORMS / f".{path.name}.lock").unlink()


if __name__ == "__main__":
    main()
