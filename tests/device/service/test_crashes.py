"""Crashes that are counted: what is one, how long it counts, and what becomes of a torn file."""

import json
from pathlib import Path

import pytest

from device.service.crashes import GOOD_S, WINDOW_S, WITHOUT_MATCH, WITHOUT_VISION, Crashes, CrashFile


class Machine:
    """A machine that is switched on: it has a name for this start, and a clock that begins with it."""

    def __init__(self, folder: Path) -> None:
        self.path, self.boot, self.now = folder / "state" / "crashes.json", folder / "boot_id", 20.0
        self.boot.write_text("one\n")

    def start(self) -> CrashFile:
        """The service starts."""
        service = CrashFile(self.path, boot=self.boot, clock=lambda: self.now)
        service.start()
        self.now += 5.0
        return service


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A machine."""
    return Machine(tmp_path)


def test_three_crashes_in_ten_minutes_start_without_vision(machine: Machine) -> None:
    """Two more, and no match goes on by itself either."""
    seen = [machine.start().known for _ in range(7)]
    assert [len(one.at_s) for one in seen] == list(range(7))
    assert [one.sight for one in seen] == [n < WITHOUT_VISION for n in range(7)]
    assert [one.goes_on for one in seen] == [n < WITHOUT_MATCH for n in range(7)]


def test_crashes_that_lie_far_apart_do_not_add_up(machine: Machine) -> None:
    """One every five minutes: the window never holds three of them."""
    for _ in range(8):
        assert machine.start().known.sight
        machine.now += WINDOW_S / 2


def test_a_clean_end_is_no_crash(machine: Machine) -> None:
    """However often it is started anew."""
    for _ in range(6):
        machine.start().end()
    assert machine.start().known == Crashes("one", running=True)


def test_a_plug_that_was_pulled_is_no_crash(machine: Machine) -> None:
    """The machine was switched off: all that was counted is over."""
    for _ in range(4):
        machine.start()
    machine.boot.write_text("two\n")
    assert machine.start().known == Crashes("two", running=True)


def test_after_a_minute_it_is_good_again(machine: Machine) -> None:
    """What is forgiven counts no more, also after the next crash."""
    for _ in range(WITHOUT_VISION):
        machine.start()
    service = machine.start()
    assert not service.known.sight
    machine.now += GOOD_S
    service.forgive()
    assert service.known.sight
    assert len(machine.start().known.at_s) == 1


def test_the_clock_of_the_day_means_nothing(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    """It jumps from 1970 to the right year between two crashes: they are counted all the same."""
    for of_the_day in (0.0, 1.8e9, 0.0):
        monkeypatch.setattr("time.time", lambda at=of_the_day: at)
        machine.start()
    assert not machine.start().known.sight


def test_a_file_that_is_torn_anywhere_counts_as_none(machine: Machine) -> None:
    """Cut at every byte, with rubbish in it, or of another shape: the box starts with its camera."""
    for _ in range(5):
        machine.start()
    whole = machine.path.read_bytes()
    broken = [whole[:n] for n in range(len(whole))]
    broken += [b"\xff" * 40, b"[]", b"null", b"[" * 100_000, b'{"boot": "one", "running": 1, "at_s": 7}']
    broken += [b'{"boot": "one", "running": true, "at_s": %s}' % times for times in (b'["soon"]', b"[NaN]")]
    for data in broken:
        machine.path.write_bytes(data)
        known = machine.start().known
        assert known.sight, data
        assert known.goes_on, data
        assert json.loads(machine.path.read_bytes())["running"] is True  # and is whole again


def test_a_disk_that_cannot_be_written_stops_nobody(tmp_path: Path) -> None:
    """The box starts, and counts in its mind."""
    (tmp_path / "file").write_text("no folder")
    service = CrashFile(tmp_path / "file" / "crashes.json", clock=lambda: 1.0)
    assert service.start().sight
    service.forgive()
    service.end()
    assert not service.known.running
