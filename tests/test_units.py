"""The units: systemd takes them, they give away little, and what the installers put down is what there is."""

import re
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from device.cli.install_service import PLACES

ROOT = Path(__file__).parents[1]
UNITS = ROOT / "systemd"
SERVICE = UNITS / "pipwatch.service"
EXPOSED = 2.0
"""The most that systemd's own score may be; shipped units of comparable boxes have 9.2 and 9.3."""


def said(*command: str) -> str:
    """What a program says."""
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout + done.stderr


def test_the_service_gives_away_little() -> None:
    """By the score of `systemd-analyze security`."""
    told = said("systemd-analyze", "security", "--offline=true", str(SERVICE))
    score = re.search(r"exposure level for pipwatch.service: (\d+\.\d+)", told)
    assert score
    assert float(score[1]) <= EXPOSED


def test_systemd_takes_the_service(tmp_path: Path) -> None:
    """`verify` has nothing to say; the command stands in, as the package is not installed here."""
    unit = tmp_path / "pipwatch.service"
    unit.write_text(SERVICE.read_text().replace("/usr/bin/pipwatch", "/bin/true"))
    assert [
        line for line in said("systemd-analyze", "verify", str(unit)).splitlines() if "pipwatch" in line
    ] == []


def test_it_is_watched_and_started_again() -> None:
    """The directives on which the promise of a box that just runs rests."""
    lines = set(SERVICE.read_text().splitlines())
    assert {"Type=notify", "NotifyAccess=main", "Restart=on-failure", "StateDirectory=pipwatch"} <= lines
    assert {"RuntimeDirectory=pipwatch", "IPAddressDeny=any", "DevicePolicy=closed"} <= lines
    assert any(line.startswith("WatchdogSec=") for line in lines)


@pytest.mark.parametrize(
    ("name", "tool"), [("sysusers", "systemd-sysusers"), ("tmpfiles", "systemd-tmpfiles")]
)
def test_users_and_folders_are_made_as_written(tmp_path: Path, name: str, tool: str) -> None:
    """In an empty root: the user is there, in the groups of cameras, sound and keypads, and the folder is."""
    (tmp_path / "etc").mkdir()
    (tmp_path / "etc/passwd").write_text("root:x:0:0:root:/root:/bin/sh\n")
    (tmp_path / "etc/group").write_text("root:x:0:\n")
    more = ["--create"] if name == "tmpfiles" else []
    told = said(tool, f"--root={tmp_path}", *more, str(UNITS / f"pipwatch.{name}"))
    if name == "sysusers":
        groups = (tmp_path / "etc/group").read_text()
        assert "\npipwatch:x:" in groups, told
        assert all(
            re.search(rf"^{group}:.*\bpipwatch$", groups, re.M) for group in ("video", "audio", "input")
        )
        assert "/usr/sbin/nologin" in (tmp_path / "etc/passwd").read_text()
    else:
        assert (tmp_path / "etc/pipwatch").is_dir(), told


def test_the_network_is_told_the_port_on_which_the_page_listens() -> None:
    """The file for Avahi is whole, and names the two services."""
    kinds = {
        node.findtext("type"): node.findtext("port")
        for node in ET.parse(UNITS / "pipwatch.avahi").iter("service")
    }
    assert kinds == {"_http._tcp": "8000", "_pipwatch._tcp": "8000"}


def test_every_file_of_a_service_is_installed_from_a_checkout_too() -> None:
    """One that is added and forgotten there would be missed by whoever works from a checkout."""
    assert {path.name for path in UNITS.iterdir() if path.is_file()} == set(PLACES)


def test_only_one_user_is_granted_anything() -> None:
    """The rule names what it grants and to whom; nothing may be started, mounted or installed."""
    rule = (UNITS / "pipwatch.polkit.rules").read_text()
    assert 'subject.user === "pipwatch" &&' in rule
    granted = re.findall(r'^ +"(org\.freedesktop\.[^"]+)"', rule, re.M)
    assert granted
    assert all(re.match(r"org\.freedesktop\.(login1\.power-off|NetworkManager\.)", one) for one in granted)
