"""Which camera is meant: by name, by what is connected, or by what the settings say."""

from collections.abc import Callable
from dataclasses import replace
from itertools import count
from pathlib import Path

import pytest

from device.cameras import naming, usb_names
from device.cameras.usb_names import UsbCamera, number_of
from device.cameras.wanted import LENS_NAME, CameraSettings
from device.cli import doctor
from device.folders import state_folder
from device.lenses import lens_of
from device.live.source_name import SourceName, source_name
from tests.device.usb_sockets import C920, SAME, TABLE, Plugged, sockets


def test_a_machine_chooses_its_own_camera_before_one_on_a_cable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Pi's camera, else the first webcam, else none: then moves are told by hand."""
    monkeypatch.setattr(naming, "has_picamera", lambda: True)
    monkeypatch.setattr(naming, "has_sensor", lambda: True)
    monkeypatch.setattr(naming, "webcams", lambda: [UsbCamera(2)])
    assert naming.chosen() == SourceName("picamera")
    monkeypatch.setattr(naming, "has_sensor", lambda: False)
    assert naming.chosen() == SourceName("webcam", "2")
    monkeypatch.setattr(naming, "has_picamera", lambda: False)
    assert naming.chosen() == SourceName("webcam", "2")
    monkeypatch.setattr(naming, "webcams", list)
    assert naming.chosen() is None
    assert naming.camera_here() is None


def tree(folder: Path, nodes: dict[str, tuple[str, str, str]]) -> Path:
    """What a system says of its video devices: name, bus and index of each."""
    for node, (name, bus, index) in nodes.items():
        device, subsystem = folder / "devices" / node, folder / "bus" / bus
        for made in (device, subsystem, folder / "class" / node):
            made.mkdir(parents=True, exist_ok=True)
        (device / "subsystem").symlink_to(subsystem)
        (folder / "class" / node / "device").symlink_to(device)
        (folder / "class" / node / "name").write_text(f"{name}\n")
        (folder / "class" / node / "index").write_text(f"{index}\n")
    return folder / "class"


CODECS = {
    "video10": ("bcm2835-codec-decode", "vchiq-bus", "0"),
    "video14": ("bcm2835-isp-capture0", "vchiq-bus", "0"),
    "video19": ("rpi-hevc-dec", "platform", "0"),
}  # fmt: skip
CABLE = {
    "video3": ("HD Pro Webcam C920", "usb", "1"), "video2": ("HD Pro Webcam C920", "usb", "0"),
    "video21": ("USB camera", "usb", "0"),
}  # fmt: skip
RIBBON = {"video0": ("unicam-image", "platform", "0")}


@pytest.mark.parametrize(
    ("nodes", "library", "meant"),
    [
        (CODECS, False, None),
        (CODECS, True, SourceName("picamera")),
        ({**CODECS, **CABLE}, False, SourceName("webcam", "2")),
        ({**CODECS, **CABLE}, True, SourceName("webcam", "2")),
        ({**CODECS, **CABLE, **RIBBON}, True, SourceName("picamera")),
        ({**CODECS, **RIBBON}, False, None),
        ({}, False, None),
    ],
)
def test_a_camera_is_what_gives_pictures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nodes: dict[str, tuple[str, str, str]], *,
    library: bool, meant: SourceName | None,
) -> None:  # fmt: skip
    """Codecs of a Raspberry Pi are video devices, too, and none is ever taken for a camera."""
    monkeypatch.setattr(usb_names, "NODES", tree(tmp_path, nodes))
    monkeypatch.setattr(naming, "has_picamera", lambda: library)
    assert naming.chosen() == meant


def test_every_connected_camera_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its name, the usual one marked; one of the settings is listed though it is not there."""
    monkeypatch.setattr(usb_names, "NODES", tree(tmp_path, {**CODECS, **CABLE, **RIBBON}))
    monkeypatch.setattr(naming, "has_picamera", lambda: True)
    pi = naming.FoundCamera("picamera", "Raspberry Pi camera", usual=True)
    first = naming.FoundCamera("webcam:2", "HD Pro Webcam C920", usual=False)
    second = naming.FoundCamera("webcam:21", "USB camera", usual=False)
    assert naming.cameras() == [pi, first, second]
    chosen = CameraSettings(source="webcam:21")
    assert naming.chosen(chosen) == SourceName("webcam", "21")
    assert naming.cameras(chosen) == [replace(pi, usual=False), first, replace(second, usual=True)]
    gone = naming.cameras(CameraSettings(source="webcam:7"))[-1]
    assert gone == naming.FoundCamera("webcam:7", "webcam:7", usual=True, there=False)
    assert naming.missing_camera("webcam:2") == ""
    assert naming.missing_camera("webcam:7").startswith("The webcam 7 is not connected: choose another")
    with pytest.raises(ValueError, match="source should be auto, picamera or webcam:NAME, not 'video:a'"):
        CameraSettings(source="video:a")


# — which one it is, whatever its number —


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """A machine that has just found these cameras, in this order."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "state"))
    monkeypatch.setattr(naming, "has_picamera", lambda: False)
    times = count()

    def find(*cameras: Plugged) -> None:
        monkeypatch.setattr(usb_names, "NODES", sockets(tmp_path / f"{next(times)}", *cameras))

    return find


def test_a_camera_is_the_same_in_whatever_order_it_was_found(found: Callable[..., None]) -> None:
    """Two change their numbers, one comes back in another socket: each name means the same camera."""
    name = "046d:082d:8F3A-1"
    for order, number in (
        ((TABLE, ("1-1.3", SAME)), 0), ((("1-1.3", SAME), TABLE), 2), ((("1-1.3", SAME), ("2-1", C920)), 2),
    ):  # fmt: skip
        found(*order)
        assert number_of(name) == number
        assert number_of("1bcf:2c9b") == 2 - number
        assert naming.chosen(CameraSettings(source=f"webcam:{name}")) == SourceName("webcam", name)
        assert naming.missing_camera(f"webcam:{name}") == ""
    found(("1-1.3", SAME))
    assert number_of(name) is None  # and never the other one
    assert naming.missing_camera(f"webcam:{name}").startswith(f"The webcam {name} is not connected")
    assert not naming.cameras(CameraSettings(source=f"webcam:{name}"))[-1].there


def test_cameras_that_tell_the_same_are_told_apart_by_their_sockets(found: Callable[..., None]) -> None:
    """Found together, none of them is the first; the name of a socket means that one alone, in any order."""
    for order in ((0, 1), (1, 0)):
        both = [("1-1.2", SAME), ("1-1.10", SAME)]
        found(*(both[k] for k in order))
        near, far = (one.name for one in naming.cameras())
        assert (near, far) == ("webcam:1bcf:2c9b@1-1.2:1.0", "webcam:1bcf:2c9b@1-1.10:1.0")
        assert number_of("1bcf:2c9b") is None
        assert [number_of(one.removeprefix("webcam:")) for one in (near, far)] == [2 * k for k in order]
        assert naming.cameras()[0].title == "USB camera (1bcf:2c9b@1-1.2:1.0)"
    naming.remember()
    found(("1-1.10", SAME))
    assert number_of("1bcf:2c9b@1-1.2:1.0") is None
    assert number_of("1bcf:2c9b") is None
    assert naming.missing_camera(far) == ""
    assert [one.name for one in naming.cameras(CameraSettings(source=far))] == [far]


def test_the_one_that_nobody_chose_stays_the_usual_one(found: Callable[..., None]) -> None:
    """A second camera in a socket before it changes nothing; only where it is gone another is taken."""
    found(TABLE)
    camera = naming.camera_here()
    assert camera is not None
    room = ("1-1.1", ("Room", "0bda:5856", ""))
    found(room, TABLE)
    assert naming.chosen() == SourceName("webcam", "046d:082d:8F3A-1")
    found(room)
    assert naming.chosen() == SourceName("webcam", "0bda:5856")
    naming.camera_here()
    found(TABLE, room)
    assert naming.chosen() == SourceName("webcam", "0bda:5856")
    for damaged in ("", "{", "[]", '{"ids": 3}'):
        (state_folder() / "webcam.json").write_text(damaged)
        assert naming.chosen() == SourceName("webcam", "0bda:5856")  # its socket is the first


def test_of_two_that_tell_the_same_the_usual_one_is_that_of_its_socket(found: Callable[..., None]) -> None:
    """As long as one is there."""
    found(("1-1.10", SAME))
    naming.camera_here()
    found(("1-1.2", SAME), ("1-1.10", SAME))
    assert naming.chosen() == SourceName("webcam", "1bcf:2c9b")
    assert number_of("1bcf:2c9b") == 2
    naming.remember()
    found(("1-1.2", SAME))
    assert naming.chosen() == SourceName("webcam", "1bcf:2c9b@1-1.2:1.0")


@pytest.mark.parametrize(("serial", "name"), [
    ("A b/c", "046d:082d:A_b_c"), ("x" * 90, f"046d:082d:{'x' * 40}"), ("ü", "046d:082d:_"),
    ("", "046d:082d"),
])  # fmt: skip
def test_any_serial_number_makes_a_name_that_can_be_written(
    found: Callable[..., None], serial: str, name: str
) -> None:
    """In settings, at a terminal, and as the name of a lens."""
    found(("1-1", ("C", "046d:082d", serial)))
    (camera,) = naming.webcams()
    assert camera.name == name
    assert CameraSettings(source=f"webcam:{name}").source == source_name(f"webcam:{name}").text
    assert LENS_NAME.fullmatch(lens_of(f"webcam:{name}"))


def test_lenses_of_cameras_of_one_make_are_called_differently() -> None:
    """Also where only a letter's case tells their serial numbers apart."""
    names = [lens_of(f"webcam:046d:082d:{serial}") for serial in ("abc", "ABC", "a.c", "x" * 40, "x" * 39)]
    assert len(set(names)) == len(names)
    assert lens_of("webcam:046d:082d") == "webcam-046d-082d"


def test_the_doctor_tells_how_each_camera_is_called(found: Callable[..., None]) -> None:
    """As the settings take it, and which one they take."""
    found(TABLE, ("1-1.3", SAME))
    (line,) = doctor._named(CameraSettings(source="webcam:1bcf:2c9b"))
    assert line.words == (
        "webcam:046d:082d:8F3A-1 is HD Pro Webcam C920; webcam:1bcf:2c9b is USB camera; "
        "taken is webcam:1bcf:2c9b"
    )
    found()
    assert not [*doctor._named(CameraSettings())]
