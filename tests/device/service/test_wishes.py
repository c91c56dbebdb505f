"""What buttons ask of the box, what its lamps tell between matches, and how its page finds the machine."""

import threading
import time
from pathlib import Path
from typing import Any, cast

import pytest
from gpiozero import Device
from gpiozero.pins.mock import MockFactory

from device.folders import SettingsFiles
from device.keeping import stick_copier
from device.keeping.belongings import BackupError
from device.live.panel import Panel
from device.match.lamp_signs import SIGNS, Lamps
from device.panel.gpio_pins import Wired
from device.panel.wish import Wish
from device.service import host as module
from device.service.address import Invitation, Wifi
from device.service.box import Quit
from device.service.crashes import CrashFile
from device.service.front import Front
from device.service.host import _ANSWER_S, ALONE, LOBBY, LOBBY_BLIND, STARTS_ANEW, Host, PowerRefused
from device.service.hotspot import LAMPS
from device.service.kept_camera import KeptCamera
from device.service.notify import Notifier
from device.service.outside import Outside
from device.service.pairing import Pairing
from device.service.stick_backup import BUSY, TOLD_S, StickBackup
from device.settings import Settings, load


class Lit:
    """Lamps that keep what they were told to show."""

    def __init__(self) -> None:
        self.shown: list[Lamps] = []

    def show(self, lamps: Lamps) -> None:
        """Between matches."""
        self.shown.append(lamps)

    def close(self, _timeout_s: float) -> None:
        """Dark."""


@pytest.fixture
def box(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    """A box that was made and does not run."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))

    def no_page() -> Any:
        raise OSError("there is no page here")

    return Host(Settings(), Front(no_page, 8000), tmp_path)


def test_the_machine_is_switched_off_only_after_the_box_has_ended(
    box: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is asked to stop as by a signal; its crash file says that it did before the machine is asked."""
    off: list[str] = []
    monkeypatch.setattr(module, "refusal", str)
    monkeypatch.setattr(module, "power_off", lambda: off.append("off") or "")
    monkeypatch.setattr(box._crashes, "end", lambda: off.append("ended"))
    box._wished(Wish.SHUTDOWN)
    box._wished(Wish.SHUTDOWN)
    assert isinstance(box.inbox.get_nowait(), Quit)
    assert box.inbox.empty()
    assert off == []
    assert box._end() == 0
    assert off == ["ended", "off"]


def test_a_box_whose_machine_would_stay_on_goes_on(box: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is asked first whether that is granted; if not the lamps say no, and the page why."""
    refused = 'The machine could not be switched off (logind says s "challenge"): sudo poweroff does it.'
    monkeypatch.setattr(module, "refusal", lambda: refused)
    for _ in range(2):
        with pytest.raises(PowerRefused, match="challenge"):
            box._wished(Wish.SHUTDOWN)
    assert box.inbox.empty()
    assert box.facts().remarks.count(refused) == 1
    monkeypatch.setattr(module, "refusal", str)
    box._wished(Wish.SHUTDOWN)
    assert isinstance(box.inbox.get_nowait(), Quit)


def test_a_box_whose_machine_stays_on_after_all_is_started_anew(
    box: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """systemd does so for whatever ends with another status than 0."""
    monkeypatch.setattr(module, "refusal", str)
    monkeypatch.setattr(module, "power_off", lambda: "The machine could not be switched off (no).")
    box._wished(Wish.SHUTDOWN)
    assert box._end() != 0
    unit = (Path(__file__).parents[3] / "systemd" / "pipwatch.service").read_text()
    assert "\nRestart=on-failure\n" in unit


def test_a_box_that_was_only_stopped_leaves_the_machine_on(
    box: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody asked for more."""
    off: list[str] = []
    monkeypatch.setattr(module, "power_off", lambda: off.append("off") or "")
    assert box._end() == 0
    assert off == []


def test_the_owner_s_restart_is_granted_where_a_service_starts_it_again(box: Host, tmp_path: Path) -> None:
    """It ends with the status that the unit names; by hand nobody would, and the box stays."""
    assert (box.restart(), box.reception.alone) == (ALONE, ALONE)
    time.sleep(2 * _ANSWER_S)
    assert box.inbox.empty()
    assert box._end() == 0
    ear = Notifier({"NOTIFY_SOCKET": str(tmp_path / "nobody")})
    box = Host(Settings(), Front(lambda: cast("Any", None), 8000), tmp_path, notifier=ear)
    assert (box.restart(), box.reception.alone) == ("", "")
    assert isinstance(box.inbox.get(timeout=10), Quit)
    assert box._end() == STARTS_ANEW
    unit = (Path(__file__).parents[3] / "systemd" / "pipwatch.service").read_text()
    assert f"\nRestartForceExitStatus={STARTS_ANEW}\nSuccessExitStatus={STARTS_ANEW}\n" in unit


def test_the_page_switches_off_as_the_button_does(box: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    """After it has answered; a refusal is told there alone, and a machine that goes off comes not back."""
    monkeypatch.setattr(module, "refusal", lambda: "no")
    assert box.reception.switch_off() == "no"
    assert not box.facts().remarks
    monkeypatch.setattr(module, "refusal", str)
    monkeypatch.setattr(module, "power_off", str)
    box._comes_back = True
    assert box.reception.switch_off() == ""
    assert isinstance(box.inbox.get(timeout=10), Quit)
    assert box._end() == 0


def test_a_phone_is_let_in_and_a_backup_is_made(
    box: Host, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was copied is told on the log, and on the owner's page."""
    pairing = Pairing(say=lambda _: None)
    box.outside = Outside(pairing, 8000)
    box._wished(Wish.PAIR)
    assert pairing.is_open
    made = "Backup: 3 matches. Now the stick may be taken out."
    monkeypatch.setattr(box._stick, "_make", lambda: made)
    box._wished(Wish.BACKUP)
    assert made in capsys.readouterr().err
    assert box.reception.stick.told() == {"busy": False, "words": made, "wrong": False}


def test_a_button_of_which_nothing_came_is_told_on_the_pages(box: Host) -> None:
    """Lamps can only say no: why stands among the remarks for a while, and on the owner's page."""
    clock, said = [0.0], list[str]()

    def make() -> str:
        raise BackupError(said[0])

    box._stick = StickBackup(make, lambda: clock[0])
    for why in (stick_copier.NONE, "The stick (/dev/sda1) cannot be written: No space left on device."):
        said[:] = [why]
        with pytest.raises(BackupError, match="stick"):
            box._wished(Wish.BACKUP)
        assert box._stick.told() == {"busy": False, "words": why, "wrong": True}
        assert [one for one in box.facts().remarks if "stick" in one] == [why]
    clock[0] = TOLD_S + 1
    assert not [one for one in box.facts().remarks if "stick" in one]


def test_one_backup_is_made_at_a_time() -> None:
    """A second press, by button or page, says so; an error that nobody foresaw ends the first, too."""
    wait, go_on = threading.Event(), threading.Event()

    def make() -> str:
        go_on.set()
        wait.wait(10)
        raise ValueError("odd")

    copies = StickBackup(make)
    assert copies.begin() == ""
    assert go_on.wait(10)
    assert copies.told()["busy"]
    assert copies.begin() == BUSY
    with pytest.raises(BackupError, match="already"):
        copies.pressed()
    wait.set()
    end = time.monotonic() + 10
    while copies.told()["busy"] and time.monotonic() < end:
        time.sleep(0.01)
    assert copies.told() == {"busy": False, "words": "odd", "wrong": True}
    assert list(copies.remarks) == []


def test_lamps_tell_that_the_box_has_opened_a_wifi_of_its_own(box: Host, tmp_path: Path) -> None:
    """Between matches, as soon as it is open and no longer; each rhythm is one of its own."""
    box._panel = lit = cast("Panel", Lit())
    pairing = Pairing(say=lambda _: None)
    box.outside = Outside(pairing, 8000)
    box._crashes = CrashFile(tmp_path / "none.json")
    turning = threading.Thread(target=box._turns, daemon=True)
    turning.start()

    def shown(lamps: Lamps) -> bool:
        end = time.monotonic() + 10
        while cast("Lit", lit).shown[-1:] != [lamps] and time.monotonic() < end:
            time.sleep(0.02)
        return cast("Lit", lit).shown[-1:] == [lamps]

    assert shown(LOBBY)
    pairing.invitation = Invitation(8000, "", ("10.42.0.1",), Wifi("Pipwatch-1", "abcd2345"))
    assert shown(LAMPS)
    pairing.invitation = Invitation(8000, "", ("192.168.1.4",))
    assert shown(LOBBY)
    box.inbox.put(Quit())
    turning.join(10)
    assert len({LOBBY, LAMPS, LOBBY_BLIND, *(sign.lamps for sign in SIGNS.values())}) == 3 + len(SIGNS)


@pytest.mark.parametrize("written", [None, "nonsense = 1"])
def test_a_new_box_without_a_file_of_settings_is_well(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, written: str | None
) -> None:
    """Its page's check finds settings wrong only where there are any."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    config = tmp_path / "config.toml"
    if written is not None:
        config.write_text(written)
    front = Front(lambda: cast("Any", None), 8000)
    box = Host(
        Settings(),
        front,
        tmp_path,
        camera=KeptCamera(lambda: None),
        files=SettingsFiles(config, tmp_path / "settings.toml"),
    )
    found = {str(one["name"]): one["grade"] for one in box.checked()}
    assert found["settings"] == ("ok" if written is None else "fails")
    assert ("pins" in found) is (written is None)


@pytest.mark.parametrize("wrong", ["", "pin 99 is none"])
def test_the_page_s_check_leaves_the_pins_to_the_panel_that_has_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wrong: str
) -> None:
    """A pin is opened once: what the panel has is well, and what kept it from them is told."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(Device, "pin_factory", MockFactory())
    if wrong:
        monkeypatch.setattr(Wired, "_wire", refusing(wrong))
    config = tmp_path / "config.toml"
    config.write_text("[pins]\nconfirm_a = 5\ngreen = 17\n")
    front = Front(lambda: cast("Any", None), 8000)
    files = SettingsFiles(config, tmp_path / "settings.toml")
    box = Host(load(files), front, tmp_path, camera=KeptCamera(lambda: None), files=files)
    try:
        (found,) = [one for one in box.checked() if one["name"] == "pins"]
    finally:
        if box._panel is not None:
            box._panel.close(1.0)
    if wrong:
        assert (found["grade"], wrong in str(found["words"])) == ("fails", True)
    else:
        assert (found["grade"], found["words"]) == ("ok", "confirm a, green: the box has them")


def refusing(words: str) -> Any:
    """Pins that cannot be had."""

    def wire(*_: object) -> None:
        raise ValueError(words)

    return wire
