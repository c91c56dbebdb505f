"""Room that is set aside lets a match end in order on a full disk, and is set aside again afterwards."""

from pathlib import Path

import pytest

from device.journal.events import Draft, Picture
from device.journal.journal_reader import read_chain
from device.keeping.allowance import fresh
from device.keeping.caretaker import LOOK_AGAIN_S, Caretaker
from device.keeping.reserve import Reserve
from tests.device.keeping.own_mounts import inside, needs_mounts

SHOT = Draft("note", {"what": "asked"}, (Picture("frame", b"jpeg"),))


def test_the_room_is_set_aside_once_given_up_once_and_made_again(tmp_path: Path) -> None:
    """The file is as large as it says, and whoever gives it up twice has nothing the second time."""
    reserve = Reserve(tmp_path, 100_000, 100_000)
    assert not reserve.there
    assert reserve.make()
    assert (tmp_path / "reserve").stat().st_size == 100_000
    assert (tmp_path / "reserve").stat().st_blocks * 512 >= 100_000
    assert reserve.make()
    assert reserve.give_up()
    assert not reserve.give_up()
    assert not Reserve(tmp_path, 100_000, 1 << 62).make()  # too little is free
    assert not Reserve(tmp_path / "missing", 100_000, 100_000).make()


def test_no_picture_is_kept_while_the_room_is_in_use(tmp_path: Path) -> None:
    """What was set aside is for events; pictures come back when it could be set aside again."""
    now = 0.0
    reserve = Reserve(tmp_path, 1000, 1000)
    care = Caretaker(fresh(0, now), reserve, clock=lambda: now)
    assert care.kept(SHOT) == SHOT.pictures
    assert care.make_room()
    assert not care.make_room()
    now += LOOK_AGAIN_S - 1
    assert care.kept(SHOT) == ()
    now += 2
    assert care.kept(SHOT) == SHOT.pictures
    assert reserve.there


def test_without_any_reserve_pictures_are_kept() -> None:
    """Elsewhere than in the state folder nothing is set aside."""
    care = Caretaker(fresh(0))
    assert care.kept(SHOT) == SHOT.pictures
    assert not care.make_room()


def filled(folder: Path, spare: int) -> None:
    """One disk of 2 MB that fills up in the middle of a match: nothing acknowledged is lost."""
    script = (
        'mount -t tmpfs -o size=2m tmpfs "$1"; $PYTHON -m tests.device.keeping.full_disk "$1" "$2"; '
        'cp -r "$1"/. "$3"'
    )
    disk, after = folder / "disk", folder / "after"
    disk.mkdir(parents=True)
    after.mkdir()
    run = inside(script, disk, spare, after)
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    *lines, refused, on = run.stdout.splitlines()
    told = [line.split() for line in lines]
    assert all(one[0] == "kept" for one in told)
    # Pictures go first, then the reserve, and only then is an event refused, in a sentence.
    assert [one[4] for one in told] == sorted((one[4] for one in told), reverse=True)
    assert any(one[3] == "bare" for one in told)
    assert told[-1][4] == "0"
    assert sum(one[4] == "0" for one in told) > 20
    assert "cannot be written: database or disk is full" in refused
    assert on == f"went on {len(told) + 1} 1"
    chain = read_chain(after / "a.match")
    assert not chain.damage
    assert [one.hash for one in chain.events[:-1]] == [one[2] for one in told]


@needs_mounts
@pytest.mark.parametrize("spare", [0, 4096, 70_000])
def test_a_full_disk_costs_pictures_then_the_reserve_and_never_an_event(tmp_path: Path, spare: int) -> None:
    """On a real full disk the match goes on in what was set aside, says when that is used up, and goes on."""
    filled(tmp_path, spare)


@needs_mounts
@pytest.mark.long
@pytest.mark.plain
def test_a_disk_that_is_full_at_every_page(tmp_path: Path) -> None:
    """The disk has 0, 1, 2 … 64 pages left when a match goes on: the same holds at every one."""
    for pages in range(65):
        filled(tmp_path / str(pages), 4096 * pages)
    print("65 disks, full at every page: 0 acknowledged events lost")
