"""What the journal still has to say when a match is stopped, and what the players hear of its troubles."""

import time
from pathlib import Path

import pytest

from device.journal.events import Draft, Event, Picture
from device.journal.journal_reader import read_chain
from device.journal.store import Journal
from device.live.messages import Heard, Message
from device.live.running import Running
from device.live.writer import Writer
from device.match.acts import taken_up
from device.match.match import Keep, Match
from device.match.signals import Kind, Told
from device.match.transitions import step
from tests.device.live.test_chain import Watcher
from tests.device.match.match_bench import FACTS, LEGAL, game


def test_what_was_being_written_when_the_match_was_stopped_is_told_to_be_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow disk and a stop right after the last move: whoever reads along hears that the move is safe."""
    real = Journal.append

    def append(self: Journal, drafts: tuple[Draft, ...]) -> tuple[Event, ...]:
        time.sleep(0.3)
        return real(self, drafts)

    monkeypatch.setattr(Journal, "append", append)
    watcher, path = Watcher(), tmp_path / "a.match"
    running = Running(taken_up(Match(blank=game()), game(*FACTS)), Journal(path), tellers=[watcher])
    running.desk.press(Told(Kind.TYPED, LEGAL[0]))
    running.stop()
    running.run()
    assert watcher.match.saved
    assert watcher.texts()[-1] == read_chain(path).events[-1].body["move"] == LEGAL[0]


def test_pictures_that_found_no_room_are_missed_aloud(tmp_path: Path) -> None:
    """The entry counts, and the players are told that nobody can look at it again."""
    said: list[Message] = []
    journal = Journal(tmp_path / "a.match")
    (pages,) = journal._base.execute("PRAGMA page_count").fetchone()
    journal._base.execute(f"PRAGMA max_page_count={pages + 2}")
    writer = Writer(journal, said.append)
    for size in (10, 100_000):
        writer.keep(Keep((Draft("note", {"what": "test"}, (Picture("frame", bytes(size)),)),)))
    assert writer.close(20)
    signals = [one.signal for one in said if isinstance(one, Heard)]
    assert [one.kind for one in signals] == [Kind.KEPT, Kind.KEPT]
    notices = [step(Match(), one, 0.0)[0].notice for one in signals]
    assert notices[0] == ""
    assert "without its pictures" in notices[1]
