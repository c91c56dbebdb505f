"""One match of the box where it cannot be put together: its camera is given back, and why is told."""

import gc
import weakref
from pathlib import Path
from random import Random
from typing import Any

import pytest

from calibration import toml
from calibration.camera import Lens as CameraLens
from calibration.profiles import CameraProfile
from device.cameras import naming
from device.cameras.usb_names import UsbCamera
from device.cameras.wanted import CameraSettings
from device.folders import lenses_folder, matches_folder, new_match, sets_folder
from device.journal.store import Journal
from device.live.making import Seeing
from device.live.ports import Away, Shot
from device.match.match import Match
from device.own_pieces import add_looks
from device.service import box_match
from device.service.box import Closed, Input, Open, Opened, Seating, Wanted
from device.service.box_match import Around, BoxMatch
from device.service.kept_camera import KeptCamera
from device.service.own_lens import BoxLens
from device.service.shelf import seated
from device.settings import Settings
from engine import rulebook
from engine.draw_game.notation import parse_move
from tests.vision.pieces.test_looks import TAUGHT


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

    def borrow(self, name=""):  # type: ignore[no-untyped-def]
        """The camera for a match."""
        self.out += 1
        return super().borrow(name)

    def give_back(self, loan: int) -> None:
        """The match is over."""
        self.back += 1
        super().give_back(loan)


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


def test_what_a_match_made_the_rule_books_work_out_ends_with_it(
    told: list[Input], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A box plays for months, and its memory is that of one match; what is free goes back to the system."""
    seen: list[int] = []
    left: list[int] = []
    monkeypatch.setattr(box_match, "give_back", lambda: left.append(parse_move.cache_info().currsize))

    def plays(*_: object) -> None:
        book = rulebook("draw-game")
        book.parse(book.format(book.legal_moves(book.start(rng=Random(1)))[0]))
        seen.append(parse_move.cache_info().currsize)
        raise OSError("over")

    monkeypatch.setattr(box_match, "put_together", plays)
    camera = Counted(Lens)
    BoxMatch(
        Open(Wanted(Seating("draw-game")), sight=True), Around(Settings(), camera, (), told.append)
    ).run()
    assert seen[0] > 0
    assert left == [0]
    camera.close()


def test_what_a_match_held_in_a_ring_goes_at_the_end_of_the_next_one(
    told: list[Input], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its parts know each other; Python alone would let many matches lie around before it looks."""
    rings: list[weakref.ref[set[object]]] = []

    class Ring(set[object]):
        """Something that holds itself."""

    def plays(*_: object) -> None:
        ring = Ring()
        ring.itself = ring  # type: ignore[attr-defined]
        rings.append(weakref.ref(ring))
        raise OSError("over")

    monkeypatch.setattr(box_match, "put_together", plays)
    camera = Counted(Lens)
    gc.disable()
    try:
        for _ in range(2):
            BoxMatch(
                Open(Wanted(Seating("draw-game")), sight=True), Around(Settings(), camera, (), told.append)
            ).run()
        assert len(rings) == 2
        assert [one() for one in rings[:1]] == [None]
    finally:
        gc.enable()
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


@pytest.mark.parametrize(
    ("seating", "why"),
    [
        (Seating("draw-game", camera="webcam:7"), "The webcam 7 is not connected: choose another camera"),
        (Seating("dominoids", pieces="red-box"), "The pieces “red-box” are not kept here any more"),
    ],
)
def test_what_was_chosen_and_is_missing_is_refused_in_a_sentence(
    told: list[Input], monkeypatch: pytest.MonkeyPatch, seating: Seating, why: str
) -> None:
    """Before anything of the match is kept, and without a camera being opened."""
    monkeypatch.setattr(naming, "webcams", lambda: [UsbCamera(2)])
    camera = Counted(Lens)
    around = Around(Settings(), camera, (), told.append)
    BoxMatch(Open(Wanted(seating), sight=True), around).run()
    (closed,) = told
    assert isinstance(closed, Closed)
    assert closed.words.startswith(why)
    assert not camera.out
    assert not matches_folder().exists()


@pytest.mark.parametrize("kept", [True, False])
def test_a_match_has_the_camera_and_the_pieces_that_were_chosen(
    told: list[Input], monkeypatch: pytest.MonkeyPatch, *, kept: bool
) -> None:
    """One that goes on after they have gone takes the usual ones and says so."""
    monkeypatch.setattr(naming, "webcams", lambda: [UsbCamera(2), UsbCamera(4)])
    opened, seen = list[str](), list[Any]()
    camera = KeptCamera(lambda: Lens(), named=lambda name: opened.append(name) or Lens())  # type: ignore[func-returns-value]

    def held(match: Match, _journal: object, seeing: Seeing, _company: object) -> None:
        assert isinstance(seeing.camera, BoxLens)
        seen.append((match.notice, seeing.looks, seeing.camera.camera))
        raise OSError("held")

    monkeypatch.setattr(box_match, "put_together", held)
    add_looks("Red box", TAUGHT.looks)
    seating = Seating("dominoids", camera="webcam:4", pieces="red-box")
    path = new_match("dominoids")
    with Journal(path) as journal:
        journal.append([seated(seating)])
    if not kept:
        monkeypatch.setattr(naming, "webcams", lambda: [UsbCamera(2)])
        (sets_folder() / "red-box.toml").unlink()
    BoxMatch(Open(Wanted(name=path.stem), sight=True), Around(Settings(), camera, (), told.append)).run()
    ((notice, looks, lens_of),) = seen
    assert lens_of == ("webcam:4" if kept else "webcam:2")
    assert opened == (["webcam:4"] if kept else [])
    assert (looks is not None) is kept
    assert ("not kept here any more" in notice) is not kept
    assert (box_match.OTHER_CAMERA in notice) is not kept
    camera.close()


LENS = CameraProfile("Den", 62.0, lens=CameraLens.from_field_of_view((1280, 720), 62.0), rms_px=0.2)


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("camera", ["", "webcam:4"])
def test_the_lens_that_was_chosen_is_that_of_the_usual_camera(
    told: list[Input], monkeypatch: pytest.MonkeyPatch, kept: bool, camera: str
) -> None:
    """A match that would begin without it is refused; another camera has its own."""
    seen: list[Seeing] = []

    def held(_match: Match, _journal: object, seeing: Seeing, _company: object) -> None:
        seen.append(seeing)
        raise OSError("held")

    monkeypatch.setattr(box_match, "put_together", held)
    monkeypatch.setattr(naming, "webcams", lambda: [UsbCamera(2), UsbCamera(4)])
    if kept:
        lenses_folder().mkdir()
        (lenses_folder() / "den.toml").write_text(toml.dump(LENS))
    around = Around(Settings(camera=CameraSettings("webcam:2", lens="den")), Counted(Lens), (), told.append)
    BoxMatch(Open(Wanted(Seating("draw-game", camera=camera)), sight=True), around).run()
    if camera:
        assert [one.camera.camera for one in seen if isinstance(one.camera, BoxLens)] == [camera]
    elif kept:
        assert [one.camera for one in seen] == [LENS]
    else:
        assert isinstance(told[-1], Closed)
        assert "The lens “den” is not kept here any more" in told[-1].words
        assert not list(matches_folder().glob("*.match"))
    around.camera.close()


def test_a_match_goes_on_without_a_lens_that_is_gone(
    told: list[Input], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so, and so does one whose file is broken; played by hand nobody asks for it."""
    notices: list[str] = []
    lenses: list[CameraLens | None] = []

    def held(match: Match, _journal: object, seeing: Seeing, _company: object) -> None:
        notices.append(match.notice)
        lenses.append(seeing.camera.lens)
        raise OSError("held")

    monkeypatch.setattr(box_match, "put_together", held)
    around = Around(Settings(camera=CameraSettings(lens="den")), Counted(Lens), (), told.append)
    for by in ("camera", "camera", "hand"):
        path = new_match("draw-game")
        with Journal(path) as journal:
            journal.append([seated(Seating("draw-game", by=by))])  # type: ignore[arg-type]
        BoxMatch(Open(Wanted(name=path.stem), sight=True), around).run()
        lenses_folder().mkdir(exist_ok=True)
        (lenses_folder() / "den.toml").write_text("title = 3")
    assert "not kept here any more" in notices[0]
    assert "The lens “den” cannot be used:" in notices[1]
    assert notices[2] == ""
    assert lenses == [None, None, None]
    around.camera.close()
