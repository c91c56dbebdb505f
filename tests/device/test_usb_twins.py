"""A camera stays the same one when its twin comes and goes; what nobody can know is told."""

from argparse import Namespace
from collections.abc import Callable
from itertools import count
from pathlib import Path

import cv2
import pytest

from calibration import toml
from calibration.camera import Lens
from calibration.lens import LensFit
from calibration.profiles import CameraProfile
from device.cameras import naming, usb_known, usb_names, webcam
from device.cameras.usb_known import Kin
from device.cameras.usb_names import not_there, number_of
from device.cameras.wanted import CameraSettings
from device.cli import calibrate, doctor, main
from device.cli.refereeing import _own
from device.folders import lenses_folder, new_match, sockets_file, state_folder
from device.journal.store import Journal
from device.keeping.belongings import belongings, is_member
from device.lenses import lens_file, lens_of
from device.live.making import Seeing
from device.live.source_name import SourceName, source_name
from device.match.match import Match
from device.service import box_match
from device.service.box import Open, Seating, Wanted
from device.service.box_match import Around, BoxMatch
from device.service.kept_camera import KeptCamera
from device.service.own_lens import UNSURE, box_lens, doubt_about, usual_camera
from device.service.shelf import seated
from device.settings import Settings
from tests.device.usb_sockets import SAME, TABLE, Plugged, sockets

FIRST, TWIN, ELSEWHERE = ("1-1.2", SAME), ("1-1.3", SAME), ("1-1.4", SAME)
NAME = "webcam:1bcf:2c9b"
OF_TWIN, OF_ELSEWHERE = f"{NAME}@1-1.3:1.0", f"{NAME}@1-1.4:1.0"
SIZE = (1280, 720)
Plug = Callable[..., None]


@pytest.fixture
def plug(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plug:
    """A box that sees these cameras from now on, and takes a look."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setenv("PIPWATCH_CONFIG", str(tmp_path / "config.toml"))
    monkeypatch.setattr(naming, "has_picamera", lambda: False)
    times = count()

    def plugged(*cameras: Plugged) -> None:
        monkeypatch.setattr(usb_names, "NODES", sockets(tmp_path / f"{next(times)}", *cameras))
        naming.remember()

    return plugged


def calibrated(camera: str, degrees: float) -> None:
    """A lens as it is kept for a camera."""
    path = lens_file(lens_of(camera))
    assert path is not None
    path.parent.mkdir(exist_ok=True, parents=True)
    lens = Lens.from_field_of_view(SIZE, degrees)
    path.write_text(toml.dump(CameraProfile(camera, degrees, lens=lens)))


def width(camera: str) -> float:
    """How wide the lens is that is known of a camera; 0 where none was calibrated."""
    known = box_lens(camera, str).knowledge(SIZE)
    return round(known.lens.horizontal_deg, 1) if known.is_settled else 0.0


def names() -> list[str]:
    """What the cameras that are there are called."""
    return [one.name for one in naming.cameras() if one.there]


def test_a_twin_that_comes_and_goes_changes_nothing_that_is_kept_by_the_name(plug: Plug) -> None:
    """Its lens, the source of the settings, the usual camera; the twin has none of it, alone or beside it."""
    plug(FIRST)
    calibrated(NAME, 61.0)
    chosen = CameraSettings(source=NAME)
    for there, number in (((FIRST, TWIN), 0), ((TWIN, FIRST), 2), ((FIRST,), 0), ((TWIN, FIRST), 2)):
        plug(*there)
        assert NAME in names()
        assert number_of("1bcf:2c9b") == number_of("1bcf:2c9b@1-1.2:1.0") == number
        assert naming.chosen(chosen) == SourceName("webcam", "1bcf:2c9b")
        assert usual_camera(chosen) == naming.called_now(f"{NAME}@1-1.2:1.0") == NAME
        assert naming.missing_camera(NAME) == ""
        assert (width(NAME), width(OF_TWIN)) == (61.0, 0.0)
        assert doubt_about(NAME) == ""
    plug(TWIN)
    assert names() == [OF_TWIN]
    assert number_of("1bcf:2c9b") is None
    assert width(OF_TWIN) == 0.0
    plug(FIRST)
    assert (names(), width(NAME)) == ([NAME], 61.0)


def test_of_two_that_are_alike_each_has_its_own_lens_by_its_socket(plug: Plug) -> None:
    """Together, each alone, and found in the other order."""
    plug(FIRST)
    calibrated(NAME, 61.0)
    plug(FIRST, TWIN)
    calibrated(OF_TWIN, 95.0)
    for there, told in (
        ((FIRST, TWIN), {NAME: 61.0, OF_TWIN: 95.0}), ((TWIN, FIRST), {NAME: 61.0, OF_TWIN: 95.0}),
        ((TWIN,), {OF_TWIN: 95.0}), ((FIRST,), {NAME: 61.0}),
    ):  # fmt: skip
        plug(*there)
        assert {name: width(name) for name in names()} == told
    assert width(f"{NAME}@1-1.2:1.0") == 61.0


def test_a_lens_by_the_socket_is_found_where_nobody_knows_any_more_who_was_first(plug: Plug) -> None:
    """As once what was seen is lost: the socket is one of the camera's own names."""
    plug(FIRST, TWIN)
    calibrated(OF_TWIN, 95.0)
    for damaged in ("", "{", "[]", "3", '{"1bcf:2c9b": 3}', '{"1bcf:2c9b": {"first": "ab", "others": []}}'):
        sockets_file().write_text(damaged)
        plug(TWIN)
        assert (names(), width(NAME)) == ([NAME], 95.0)


def test_a_camera_that_was_always_alone_may_be_moved(plug: Plug) -> None:
    """It is the same one in any socket; once it had a twin, nobody knows which one was moved."""
    plug(FIRST)
    calibrated(NAME, 61.0)
    plug(ELSEWHERE)
    assert (names(), width(NAME)) == ([NAME], 61.0)
    plug(ELSEWHERE, TWIN)
    assert sorted(names()) == [NAME, OF_TWIN]
    plug(FIRST)
    moved = f"{NAME}@1-1.2:1.0"
    assert (names(), width(moved)) == ([moved], 0.0)
    assert doubt_about(moved) == UNSURE.format(other=NAME, camera=moved)
    assert naming.missing_camera(NAME) == (
        "The webcam 1bcf:2c9b is not connected: choose another camera, or by hand."
    )


def test_who_was_where_the_first_one_was_before_may_be_either(plug: Plug) -> None:
    """It was moved, or it went and its twin came: then the lens is nobody's, and one sentence says so."""
    plug(FIRST)
    calibrated(NAME, 61.0)
    plug(TWIN)
    plug(FIRST, TWIN)
    first = f"{NAME}@1-1.2:1.0"
    assert names() == [first, OF_TWIN]
    assert [width(one) for one in names()] == [0.0, 0.0]
    told = doubt_about(first)
    assert told == (
        f"{first} may be {NAME} in another socket, so no lens is used for it: put it back, or choose one on "
        "the owner's page."
    )
    assert naming.missing_camera(NAME) == (
        "2 cameras answer to 1bcf:2c9b: choose one of them by its socket, or by hand."
    )
    plug(FIRST)
    assert names() == [first]
    calibrated(first, 70.0)
    assert (width(first), doubt_about(first)) == (70.0, "")


def started(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> str:  # fmt: skip
    """What the process that films says of a camera that it does not open."""
    monkeypatch.setattr(cv2, "VideoCapture", lambda *_: pytest.fail("was opened"))
    monkeypatch.setattr("sys.argv", ["webcam", name, CameraSettings().to_json(), "2.0"])
    assert webcam.main() == 1
    return capsys.readouterr().err


def test_a_name_that_means_two_cameras_says_which_and_what_to_set(
    plug: Plug, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In one line, and none of them is opened; a line is what a camera's process may say at its end."""
    plug(FIRST, TWIN)
    assert started("1bcf:2c9b", monkeypatch, capsys) == (
        "2 cameras answer to 1bcf:2c9b, and only their sockets differ: set source to one of "
        f"{NAME}@1-1.2:1.0, {OF_TWIN}\n"
    )
    for one in (f"{NAME}@1-1.2:1.0", OF_TWIN):
        assert number_of(one.removeprefix("webcam:")) is not None
        assert CameraSettings(source=one).source == one


def test_a_first_one_that_is_gone_is_not_taken_for_its_twin(
    plug: Plug, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said what may be done; one of which none is alike is only to be plugged in."""
    plug(FIRST)
    plug(FIRST, TWIN)
    plug(TWIN, TABLE)
    assert started("1bcf:2c9b", monkeypatch, capsys) == (
        "the camera 1bcf:2c9b is not where it was, and whether it is the one that is there cannot be told: "
        f"plug it in there again, or set source to {OF_TWIN}\n"
    )
    assert not_there("046d:0825") == "there is no camera 046d:0825: plug it in"
    assert not_there("1bcf:2c9b@1-1.9:1.0") == "there is no camera 1bcf:2c9b@1-1.9:1.0: plug it in"


def begun(
    seating: Seating, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> tuple[str, str, list[str]]:
    """A match of the box that goes on: what it says at first, its lens, and what is opened for it."""
    path, opened, seen = new_match(seating.game), list[str](), list[tuple[str, str]]()
    with Journal(path) as journal:
        journal.append([seated(seating)])

    def held(match: Match, _journal: object, seeing: Seeing, _company: object) -> None:
        seen.append((match.notice, seeing.camera.title))
        raise OSError("held")

    monkeypatch.setattr(box_match, "put_together", held)
    camera = KeptCamera(lambda: None, named=lambda name: opened.append(name))  # type: ignore[func-returns-value]
    BoxMatch(Open(Wanted(name=path.stem), sight=True), Around(settings, camera, (), lambda _: None)).run()
    camera.close()
    ((notice, title),) = seen
    return notice.replace(box_match.NO_CAMERA, ""), title, opened


def test_a_match_of_the_box_has_its_camera_and_lens_by_any_name(
    plug: Plug, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The usual camera by its socket is the usual one; a twin that may be it says that it has no lens."""
    plug(FIRST)
    calibrated("den", 61.0)
    calibrated(NAME, 61.0)
    plug(FIRST, TWIN)
    settings = Settings(camera=CameraSettings(NAME, lens="den"))
    by_socket = Seating("draw-game", camera=f"{NAME}@1-1.2:1.0")
    assert begun(by_socket, settings, monkeypatch) == ("", "den", [])
    assert begun(Seating("draw-game", camera=OF_TWIN), settings, monkeypatch)[2] == [OF_TWIN]
    plug(TWIN)
    notice, _, opened = begun(Seating("draw-game"), Settings(), monkeypatch)
    assert (notice, opened) == (UNSURE.format(camera=OF_TWIN, other=NAME), [])
    notice, _, opened = begun(Seating("draw-game", camera=NAME), Settings(), monkeypatch)
    assert (notice, opened) == (f"{box_match.OTHER_CAMERA} {UNSURE.format(camera=OF_TWIN, other=NAME)}", [])


def test_a_match_at_a_terminal_has_the_lens_of_the_settings_by_any_name(plug: Plug) -> None:
    """That of the socket is another name of the camera that the settings name."""
    plug(FIRST, TABLE)
    plug(FIRST, TWIN)
    calibrated("den", 61.0)
    settings = Settings(camera=CameraSettings(NAME, lens="den"))
    for typed, title in (
        (NAME, "den"),
        (f"{NAME}@1-1.2:1.0", "den"),
        (OF_TWIN, "a camera that nothing is known of"),
    ):
        asked = Namespace(source=typed, camera=None, looks=None, marker_mm=None)
        assert _own(asked, source_name(typed), settings)[0].title == title


def test_a_lens_is_calibrated_for_the_camera_whatever_it_is_called(
    plug: Plug, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """By its socket, too; one that is known by its socket alone is to be left there; two are asked about."""
    lens = Lens.from_field_of_view(SIZE, 61.0)
    fit = LensFit(lens=lens, rms_px=0.2, focal_doubt=0.001, shots=11)
    monkeypatch.setattr(calibrate, "_lens_from_board", lambda _images: fit)
    plug(FIRST)
    plug(FIRST, TWIN)
    assert main(["calibrate", "lens", "a.jpg", "--of", f"{NAME}@1-1.2:1.0"]) == 0
    assert [path.name for path in lenses_folder().glob("*.toml")] == ["webcam-1bcf-2c9b.toml"]
    assert "leave it there" not in capsys.readouterr().err
    assert main(["calibrate", "lens", "a.jpg", "--of", OF_TWIN]) == 0
    assert f"{OF_TWIN} is known by its socket alone: leave it there" in capsys.readouterr().err
    assert (width(NAME), width(OF_TWIN)) == (61.0, 61.0)
    plug(ELSEWHERE, TWIN)
    assert main(["calibrate", "lens", "a.jpg", "--of", NAME]) == 2
    assert capsys.readouterr().err == (
        f"pipwatch calibrate: which camera is {NAME}? Only its socket can tell: "
        f"say --of {OF_TWIN} or --of {OF_ELSEWHERE}\n"
    )


def test_the_doctor_says_to_leave_those_that_are_alike_in_their_sockets(plug: Plug) -> None:
    """Whoever swaps two of them is not found out by anybody; alone, a camera may be moved."""
    plug(FIRST, TABLE)
    (line,) = doctor._named(CameraSettings(source=NAME))
    assert "leave each" not in line.words
    plug(FIRST, TWIN)
    (line,) = doctor._named(CameraSettings(source=NAME))
    assert line.words == (
        f"{NAME} is USB camera; {OF_TWIN} is USB camera; taken is {NAME}; "
        "some are alike but for their sockets: leave each in its own"
    )


def test_what_was_seen_goes_into_backups_and_onto_the_disk_only_where_it_is_new(plug: Plug) -> None:
    """Beside the lenses that it tells apart; a card that takes nothing stops no camera."""
    plug(FIRST, TABLE)
    written = sockets_file().stat().st_ino
    assert "calibration/sockets.json" in [name for name, _ in belongings(state_folder())]
    assert is_member("calibration/sockets.json")
    plug(TABLE, FIRST)
    plug()
    assert sockets_file().stat().st_ino == written
    plug(FIRST, TWIN)
    assert sockets_file().stat().st_ino != written
    assert usb_known.kept(sockets_file()) == {
        "046d:082d:8F3A-1": Kin(("1-1.2:1.0",)), "1bcf:2c9b": Kin(("1-1.2:1.0",), ("1-1.3:1.0",)),
    }  # fmt: skip
    usb_known.keep(Path("/proc/none/sockets.json"), {"1bcf:2c9b": ["1-1"]})


def test_what_the_box_keeps_of_its_cameras_nobody_else_writes(
    plug: Plug, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Root at a terminal calls them as the box does; a file of root's would be one that it cannot read."""
    plug(FIRST)
    plug(FIRST, TWIN)
    box = state_folder()
    monkeypatch.setattr("device.folders._SYSTEM_STATE", box)
    monkeypatch.setattr("device.folders._SYSTEM_SETTINGS", tmp_path / "etc" / "config.toml")
    for name in ("STATE_DIRECTORY", "PIPWATCH_CONFIG"):
        monkeypatch.delenv(name)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "root"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "root"))
    before = sockets_file().read_text()
    plug(ELSEWHERE, TWIN, FIRST)
    assert sockets_file() == box / "calibration" / "sockets.json"
    assert sorted(names()) == [NAME, OF_TWIN, OF_ELSEWHERE]
    assert naming.camera_here() is not None
    assert sockets_file().read_text() == before
    assert not (tmp_path / "root").exists()
    assert not (box / "webcam.json").exists()


@pytest.mark.parametrize(
    ("met", "known"),
    [
        ([["a"]], Kin(("a",))),
        ([["a"], ["b"]], Kin(("a", "b"))),
        ([["a"], ["a", "b"]], Kin(("a",), ("b",))),
        ([["a"], ["a", "b"], ["b"], ["a"]], Kin(("a",), ("b",))),
        ([["a", "b"]], Kin((), ("a", "b"))),
        ([["a"], ["b", "c"]], Kin(("a",), ("b", "c"))),
        ([["a"], ["b"], ["b", "c"]], Kin(("b",), ("c",))),
        ([["a"], ["b"], ["a", "b"]], Kin((), ("a", "b"))),
        ([["a"], ["a", "b"], ["c"]], Kin(("a",), ("b", "c"))),
    ],
)
def test_what_is_known_of_sockets_follows_from_what_was_seen(met: list[list[str]], known: Kin) -> None:
    """Alone: moved. Beside others: each by its socket, and the first one only where it can be no other."""
    kin = Kin()
    for places in met:
        kin = kin.met(places)
        assert kin == kin.met(places)
        assert set(places) <= {*kin.first, *kin.others}
        assert sum(one in kin.first for one in places) <= 1
    assert kin == known
