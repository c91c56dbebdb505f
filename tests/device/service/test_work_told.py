"""A box that does less on a slow board says so: on its log, in its health and in its lobby."""

from pathlib import Path

import pytest

from tests.device.service.boxes import RealBox

SMALL = 'small: work = "small" is set, so the table is looked at 6 times a second instead of 10'


@pytest.mark.parametrize(("work", "is_small"), [("small", True), ("full", False)])
def test_the_work_that_was_chosen_is_told(tmp_path: Path, work: str, is_small: bool) -> None:
    """The smaller work everywhere; the full one is nothing to tell where nobody asks."""
    folder = tmp_path / "box"
    folder.mkdir()
    (folder / "config.toml").write_text(f'[service]\nwork = "{work}"\n', encoding="utf-8")
    with RealBox(folder) as box:
        box.ready()
        health, lobby = box.json("/api/health"), box.json("/api/box")
    log = (folder / "stderr").read_text(encoding="utf-8")
    assert health["work"].startswith(f"{work}: ")
    assert (f"pipwatch: work is {SMALL}" in log) is is_small
    assert lobby["work"].startswith(SMALL) if is_small else lobby["work"] == ""
    assert not any("times a second" in one for one in lobby["remarks"])  # it is no fault
