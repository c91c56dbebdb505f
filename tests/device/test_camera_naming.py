"""Which camera is meant: by name, by what is connected, or by what the settings say."""

from dataclasses import replace
from pathlib import Path

import pytest

from device.cameras import naming
from device.cameras.wanted import CameraSettings
from device.live.source_name import SourceName


def test_a_machine_chooses_its_own_camera_before_one_on_a_cable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The Pi's camera, else the first webcam, else none: then moves are told by hand."""
    monkeypatch.setattr(naming, "has_picamera", lambda: True)
    monkeypatch.setattr(naming, "has_sensor", lambda: True)
    monkeypatch.setattr(naming, "webcams", lambda: [2])
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
    monkeypatch.setattr(naming, "NODES", tree(tmp_path, nodes))
    monkeypatch.setattr(naming, "has_picamera", lambda: library)
    assert naming.chosen() == meant


def test_every_connected_camera_can_be_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its name, the usual one marked; one of the settings is listed though it is not there."""
    monkeypatch.setattr(naming, "NODES", tree(tmp_path, {**CODECS, **CABLE, **RIBBON}))
    monkeypatch.setattr(naming, "has_picamera", lambda: True)
    pi = naming.Found("picamera", "Raspberry Pi camera", usual=True)
    first = naming.Found("webcam:2", "Webcam 2: HD Pro Webcam C920", usual=False)
    second = naming.Found("webcam:21", "Webcam 21: USB camera", usual=False)
    assert naming.cameras() == [pi, first, second]
    chosen = CameraSettings(source="webcam:21")
    assert naming.chosen(chosen) == SourceName("webcam", "21")
    assert naming.cameras(chosen) == [replace(pi, usual=False), first, replace(second, usual=True)]
    gone = naming.cameras(CameraSettings(source="webcam:7"))[-1]
    assert gone == naming.Found("webcam:7", "webcam:7", usual=True, there=False)
    assert naming.missing_camera("webcam:2") == ""
    assert naming.missing_camera("webcam:7").startswith("The webcam 7 is not connected: choose another")
    with pytest.raises(ValueError, match="source should be auto, picamera or webcam:N, not 'video:a'"):
        CameraSettings(source="video:a")
