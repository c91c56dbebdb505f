"""The stopwatch: one lap for each table that changed the record, and what of it went where."""

from itertools import count
from pathlib import Path

import pytest

from device.journal.store import Journal
from device.live.eye import Eye
from device.live.running import Running
from device.live.stopwatch import STAGES, Stopwatch
from device.match.match import Manners, Match
from tests.device.live.scripted import (
    Beginning,
    ScriptedSource,
    ScriptedView,
    TruthFollower,
    TruthReader,
    scripted_game,
)


def test_each_table_that_changed_the_record_is_a_lap(tmp_path: Path) -> None:
    """By a clock that ticks when it is read: stages add up to the whole, and the match is judged as ever."""
    stage, first, texts = scripted_game("draw-game", 4, 8)
    ticks = count()
    watch = Stopwatch(clock=lambda: float(next(ticks)))
    eye = Eye(
        watch.view(ScriptedView(stage)),
        watch.reader(TruthReader(stage)),
        Beginning(first),
        watch.follow(TruthFollower),
    )
    running = Running(Match(manners=Manners(calm_s=0), blank=first), Journal(tmp_path / "a.match"),
                      source=watch.source(ScriptedSource(stage)), eye=eye, tellers=[watch])  # fmt: skip
    assert running.run() == ""
    assert watch.ended
    assert 0 < len(watch.laps) <= len(texts)
    assert [lap.at_s for lap in watch.laps] == sorted(lap.at_s for lap in watch.laps)
    for lap in watch.laps:
        assert set(lap.stages_s) == set(STAGES)
        assert all(seconds > 0 for seconds in lap.stages_s.values())
        assert sum(lap.stages_s.values()) == pytest.approx(lap.total_s)
