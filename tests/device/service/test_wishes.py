"""What buttons ask of the box: it copies, lets a phone in, or goes off once everything has ended."""

from pathlib import Path
from typing import Any

import pytest

from device.panel.wish import Wish
from device.service import host as module
from device.service.box import Quit
from device.service.front import Front
from device.service.host import Host
from device.service.outside import Outside
from device.service.pairing import Pairing
from device.settings import Settings


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
    monkeypatch.setattr(module, "power_off", lambda: off.append("off") or "")
    monkeypatch.setattr(box._crashes, "end", lambda: off.append("ended"))
    box._wished(Wish.SHUTDOWN)
    box._wished(Wish.SHUTDOWN)
    assert isinstance(box.inbox.get_nowait(), Quit)
    assert box.inbox.empty()
    assert off == []
    assert box._end() == 0
    assert off == ["ended", "off"]


def test_a_box_that_was_only_stopped_leaves_the_machine_on(
    box: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody asked for more."""
    off: list[str] = []
    monkeypatch.setattr(module, "power_off", lambda: off.append("off") or "")
    assert box._end() == 0
    assert off == []


def test_a_phone_is_let_in_and_a_backup_is_made(
    box: Host, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was copied is told on the log."""
    pairing = Pairing(say=lambda _: None)
    box.outside = Outside(pairing, 8000)
    box._wished(Wish.PAIR)
    assert pairing.is_open
    monkeypatch.setattr(
        module, "backup_to_stick", lambda: "Backup: 3 matches. Now the stick may be taken out."
    )
    box._wished(Wish.BACKUP)
    assert "the stick may be taken out" in capsys.readouterr().err
