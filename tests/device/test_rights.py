"""Who may use a device: on an installed box its user, though root asks, to whom everything opens."""

import os
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from device import rights
from device.cli import for_the_box, main
from device.health import extras, machine, pi_board, sight, wired_parts
from device.health.finding import Grade
from device.panel.gpio_pins import PanelError, Pins
from device.panel.keys import Keypad, Keys
from device.rights import DeviceUser

SOMEBODY = 4_000_000
OWN_GROUP = os.getegid()
MEMBER, STRANGER = DeviceUser(SOMEBODY, frozenset({OWN_GROUP})), DeviceUser(SOMEBODY)
Install = Callable[[frozenset[int]], None]


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """The service is installed, and its user in these groups; group numbers are names of their own."""
    unit = tmp_path / "pipwatch.service"
    unit.touch()

    def install(groups: frozenset[int]) -> None:
        user = SimpleNamespace(pw_uid=SOMEBODY, pw_gid=SOMEBODY, pw_name="pipwatch")
        monkeypatch.setattr(rights, "UNITS", (unit,))
        monkeypatch.setattr(rights.pwd, "getpwnam", lambda _name: user)
        monkeypatch.setattr(rights.pwd, "getpwuid", lambda _number: user)
        monkeypatch.setattr(rights.os, "getgrouplist", lambda _name, _group: [SOMEBODY, *groups])
        monkeypatch.setattr(rights, "getgrgid", lambda _number: SimpleNamespace(gr_name="video"))

    return install


def device(folder: Path, mode: int, name: str = "video0") -> Path:
    """A device of ours with these rights."""
    path = folder / name
    path.touch()
    path.chmod(mode)
    return path


@pytest.mark.parametrize(
    ("mode", "member", "stranger"),
    [(0o660, True, False), (0o640, False, False), (0o606, False, True), (0o600, False, False),
     (0o666, True, True)],
)  # fmt: skip
def test_owner_group_and_mode_tell_who_may(tmp_path: Path, mode: int, member: bool, stranger: bool) -> None:
    """As the kernel reads them: whoever is in the group has its rights, though others had more."""
    path = device(tmp_path, mode)
    assert (MEMBER.may(path), STRANGER.may(path)) == (member, stranger)
    assert MEMBER.may(path, os.R_OK) is (mode & 0o040 != 0)
    assert not MEMBER.may(tmp_path / "gone")
    assert rights.whoever_runs().may(device(tmp_path, 0o600))


def test_without_a_service_whoever_runs_this_is_meant() -> None:
    """A checkout: nobody else is to use a camera here."""
    assert rights.device_user().number == os.geteuid()


def test_root_is_told_what_the_service_s_user_may_do(tmp_path: Path, installed: Install) -> None:
    """Everything opens to whoever asks; the device is the box's to open, and it is in no group of it."""
    folder = tmp_path / "dev"
    folder.mkdir()
    path = device(folder, 0o660)
    assert pi_board.devices(folder) is None
    installed(frozenset())
    found = pi_board.devices(folder)
    assert found is not None
    assert found.words == f"{path} (camera) may not be used by pipwatch"
    assert found.remedy == "sudo usermod -aG video pipwatch, then restart"
    installed(frozenset({OWN_GROUP}))
    assert pi_board.devices(folder) is None


def test_keypads_are_those_of_the_service_too(tmp_path: Path, installed: Install) -> None:
    """The same for whatever else is plugged in."""
    (tmp_path / "sys/class/input/event3/device").mkdir(parents=True)
    (tmp_path / "sys/class/input/event3/device/name").write_text("USB Keypad\n")
    (tmp_path / "dev/input").mkdir(parents=True)
    device(tmp_path / "dev/input", 0o660, "event3")
    keys = Keys("keypad", undo="KEY_A")
    assert extras.keypad(keys, tmp_path).grade is Grade.OK
    installed(frozenset())
    found = extras.keypad(keys, tmp_path)
    assert found.words == "USB Keypad may not be read by pipwatch"
    assert found.remedy == "sudo usermod -aG video pipwatch, then restart"


def test_a_camera_that_is_refused_names_who_needs_the_group(
    tmp_path: Path, installed: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The service's user where he lacks it; where he does not, whoever asks is sent to sudo."""
    folder = tmp_path / "dev"
    folder.mkdir()
    device(folder, 0o660)
    monkeypatch.setattr(sight, "nodes", lambda: list(folder.iterdir()))
    installed(frozenset())
    assert sight.camera(lambda: None)[0].remedy == "sudo usermod -aG video pipwatch, then restart"
    installed(frozenset({OWN_GROUP}))
    assert "rpicam-hello" in sight.camera(lambda: None)[0].remedy
    monkeypatch.setattr(rights.os, "access", lambda *_: False)
    assert sight.camera(lambda: None)[0].remedy.endswith("you may not: sudo pipwatch doctor")


def test_pins_that_another_program_has_are_no_matter_of_rights(
    tmp_path: Path, installed: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Busy, refused, or without their library: each has a remedy of its own."""
    monkeypatch.setattr(wired_parts, "CHIPS", tmp_path)
    said = {}
    for words in ("The pins cannot be used: 'GPIO busy'.", "The pins cannot be used: can not open gpiochip."):
        said[words] = wired_parts.held(Pins(undo=4), PanelError(words))
    busy, shut = said.values()
    assert busy is not None
    assert "sudo systemctl stop pipwatch" in busy.remedy
    assert shut is not None
    assert "python3-lgpio" in shut.remedy
    device(tmp_path, 0o660, "gpiochip0")
    installed(frozenset())
    shut = wired_parts.held(Pins(undo=4), PanelError(words))
    assert shut is not None
    assert shut.remedy == "sudo usermod -aG video pipwatch, then restart"


def test_the_disk_is_that_of_the_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Root may write everywhere; a folder that the box's user may not write keeps no match."""
    tmp_path.chmod(0o755)
    found = machine.disk(tmp_path / "matches", keeper=STRANGER)
    assert found.grade is Grade.FAILS
    assert f"nothing can be written to {tmp_path}" in found.words
    assert found.remedy == f"sudo chown -R {STRANGER.name} {tmp_path}"
    assert machine.disk(tmp_path, keeper=rights.whoever_runs()).grade is Grade.OK
    monkeypatch.setattr(for_the_box, "STATE", tmp_path / "box")
    monkeypatch.setattr(for_the_box, "is_meant", lambda: True)
    (tmp_path / "box").mkdir()
    main(["doctor", "--source", "none"])
    assert f"GB free at {tmp_path / 'box'}" in capsys.readouterr().out


def test_keys_that_are_refused_name_who_listens(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is the very program that says so: in the service its user, at a terminal whoever typed."""
    (tmp_path / "sys/class/input/event3/device").mkdir(parents=True)
    (tmp_path / "sys/class/input/event3/device/name").write_text("USB Keypad\n")
    (tmp_path / "dev/input").mkdir(parents=True)
    node = device(tmp_path / "dev/input", 0o660, "event3")
    monkeypatch.setattr(rights, "getgrgid", lambda _number: SimpleNamespace(gr_name="input"))
    real = os.open

    def refuse(path: Path, *rest: int) -> int:
        if path == node:
            raise PermissionError(13, "Permission denied")
        return real(path, *rest)

    monkeypatch.setattr("device.panel.keys.os.open", refuse)
    keypad = Keypad(Keys("keypad", undo="KEY_A"), lambda *_: None, lambda: None, root=tmp_path)
    keypad.close(20)
    who = rights.whoever_runs().name
    words = f"Permission denied; sudo usermod -aG input {who}, then restart."
    assert words in capsys.readouterr().err
