"""One match of the box where it cannot be put together: its camera is given back, and why is told."""

from pathlib import Path

import pytest

from device.live.ports import Away, Shot
from device.places import matches_folder
from device.service import box_match
from device.service.box import Closed, Input, Open, Opened, Seating, Wanted
from device.service.box_match import Around, BoxMatch
from device.service.kept_camera import KeptCamera
from device.settings import Settings


class Lens:
    """A camera that shows nothing."""

    recorded = False

    def next(self, _timeout_s: float) -> Shot | Away | None:
        """No picture."""
        return None

    def close(self) -> None:
        """Nothing is held."""


class Counted(KeptCamera):
    """The box's camera, which counts how often it was borrowed and given back."""

    out = back = 0

    def borrow(self):  # type: ignore[no-untyped-def]
        """The camera for a match."""
        self.out += 1
        return super().borrow()

    def give_back(self) -> None:
        """The match is over."""
        self.back += 1
        super().give_back()


@pytest.fixture
def told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Input]:
    """What the box hears of its matches, which are kept in a folder of the test."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    return []


@pytest.mark.parametrize(("wrong", "broke"), [(RuntimeError("no eye"), True), (OSError("no weights"), False)])
def test_a_match_that_cannot_be_put_together(
    told: list[Input], monkeypatch: pytest.MonkeyPatch, wrong: Exception, broke: bool
) -> None:
    """The camera may rest again; what is broken of ours is told apart from what is wrong with the machine."""

    def fails(*_: object) -> None:
        raise wrong

    monkeypatch.setattr(box_match, "put_together", fails)
    camera = Counted(Lens)
    match = BoxMatch(
        Open(Wanted(Seating("draw-game")), sight=True), Around(Settings(), camera, (), told.append)
    )
    match.run()
    opened, closed = told
    assert isinstance(opened, Opened)
    assert isinstance(closed, Closed)
    assert closed.broke is broke
    assert str(wrong) in closed.words
    assert (camera.out, camera.back) == (1, 1)
    camera.close()


def test_a_match_that_is_not_kept_any_more(told: list[Input]) -> None:
    """Somebody has taken it away: that is told, no camera is opened, and no file is made."""
    camera = Counted(Lens)
    BoxMatch(
        Open(Wanted(name="2026-01-01-gone"), sight=True), Around(Settings(), camera, (), told.append)
    ).run()
    assert told == [Closed("This match is not kept here any more.")]
    assert not camera.out
    assert not matches_folder().exists()
