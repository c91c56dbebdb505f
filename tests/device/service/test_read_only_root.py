"""A box whose root cannot be written, as by raspi-config's overlay, with a partition for what is kept."""

import os
from pathlib import Path

import pytest

from tests.device.match.match_bench import FACTS, LEGAL
from tests.device.service.boxes import RealBox
from tests.device.service.test_serve_process import on_the_disk

LOCKED = """
for folder in "$1/state" "$1/run"; do
    mkdir -p "$folder"
    mount -t tmpfs -o size=64m none "$folder" || exit 1
    [ "$folder" != "$1/state" ] || mount --bind "$2" "$folder"
done
mount -o remount,bind,ro / || exit 1
! touch "$1/probe" 2>/dev/null || exit 1
shift 2
exec "$@"
"""
"""The whole system becomes read only for one process, but for where matches lie and what lives with it."""


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may mount")
def test_a_match_is_kept_where_nothing_else_can_be(on_disk: Path) -> None:
    """It begins, outlives a kill, goes on and ends in order; not one file elsewhere is wanted."""
    kept, folder = on_disk / "partition", on_disk / "box"  # what lies in memory is not of the root
    kept.mkdir()
    folder.mkdir()
    within = ("unshare", "--mount", "--propagation", "private",
              "sh", "-c", LOCKED, "sh", str(folder), str(kept))  # fmt: skip
    told = [*FACTS, *LEGAL[:1]]
    with RealBox(folder, within=within) as box:
        box.begin()
        for line in told[:-1]:
            box.type(line)
        box.until(lambda: box.json("/api/health").get("game"))  # health is taken now and then
        box.kill()
    with RealBox(folder, within=within) as box:
        box.until(lambda: box.lines == told[:-1])
        box.type(told[-1])
        box.terminate()
    (folder / "state").rmdir()
    (folder / "state").symlink_to(kept)
    assert on_the_disk(folder) == told
    assert sorted(path.name for path in folder.iterdir()) == ["notify", "run", "state", "stderr"]
