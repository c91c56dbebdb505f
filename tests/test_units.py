"""The units: systemd takes them, they give away little, and what the installers put down is what there is."""

import re
import runpy
import subprocess
from pathlib import Path

import pytest

from device.cli.install_service import PLACES, _drop_in
from device.service.announcing import CONSOLE_FILE, SERVICE_FOLDER

ROOT = Path(__file__).parents[1]
UNITS = ROOT / "systemd"
SERVICE = UNITS / "pipwatch.service"
EXPOSED = 2.0
"""The most that systemd's own score may be; shipped units of comparable boxes have 9.2 and 9.3."""


def said(*command: str) -> str:
    """What a program says."""
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout + done.stderr


@pytest.mark.parametrize("name", ["pipwatch.service", "pipwatch-stick@.service", "pipwatch-console.service"])
def test_a_service_gives_away_little(name: str) -> None:
    """By the score of `systemd-analyze security`; the copier that root runs for sticks as well."""
    told = said("systemd-analyze", "security", "--offline=true", str(UNITS / name))
    score = re.search(r"exposure level for pipwatch\S*.service: (\d+\.\d+)", told)
    assert score
    assert float(score[1]) <= EXPOSED


def test_systemd_takes_the_service(tmp_path: Path) -> None:
    """`verify` has nothing to say; the command stands in, as the package is not installed here."""
    unit = tmp_path / "pipwatch.service"
    unit.write_text(SERVICE.read_text().replace("/usr/bin/pipwatch", "/bin/true"))
    assert [
        line for line in said("systemd-analyze", "verify", str(unit)).splitlines() if "pipwatch" in line
    ] == []


def test_systemd_takes_the_way_to_a_stick(tmp_path: Path) -> None:
    """Socket and copier belong together; what root runs lies where the package puts it."""
    for name in ("pipwatch-stick.socket", "pipwatch-stick@.service"):
        (tmp_path / name).write_text((UNITS / name).read_text())
    told = said("systemd-analyze", "verify", str(tmp_path / "pipwatch-stick.socket"))
    assert [line for line in told.splitlines() if "pipwatch" in line] == []
    [start] = re.findall(r"^ExecStart=(.+)$", (UNITS / "pipwatch-stick@.service").read_text(), re.M)
    program, isolated, code = start.split()
    assert (program, isolated) == ("/usr/bin/python3", "-I")
    assert (ROOT / code.removeprefix("/usr/lib/pipwatch/")).is_file()


def test_systemd_takes_what_draws_the_login_anew(tmp_path: Path) -> None:
    """The path unit and what it starts; it watches the file to which the login's own folder leads."""
    for name in ("pipwatch-console.path", "pipwatch-console.service"):
        (tmp_path / name).write_text((UNITS / name).read_text())
    told = said("systemd-analyze", "verify", str(tmp_path / "pipwatch-console.path"))
    assert [line for line in told.splitlines() if "pipwatch" in line] == []
    [watched] = re.findall(r"^PathChanged=(.+)$", (UNITS / "pipwatch-console.path").read_text(), re.M)
    assert f"L+ /etc/issue.d/pipwatch.issue - - - - {watched}" in (UNITS / "pipwatch.tmpfiles").read_text()
    assert watched == str(SERVICE_FOLDER / CONSOLE_FILE)
    assert "Wants=pipwatch-console.path" in SERVICE.read_text().splitlines()


def test_it_is_watched_and_started_again() -> None:
    """The directives on which the promise of a box that just runs rests."""
    lines = set(SERVICE.read_text().splitlines())
    assert {"Type=notify", "NotifyAccess=main", "Restart=on-failure", "StateDirectory=pipwatch"} <= lines
    assert {"RuntimeDirectory=pipwatch", "IPAddressDeny=any", "DevicePolicy=closed"} <= lines
    assert any(line.startswith("WatchdogSec=") for line in lines)


def test_the_library_for_pins_may_make_its_pipe(tmp_path: Path) -> None:
    """It makes one in the folder in which it is loaded: the service's own, from a checkout, too."""
    lines = set(SERVICE.read_text().splitlines())
    assert {"WorkingDirectory=/run/pipwatch", "RuntimeDirectory=pipwatch"} <= lines
    assert "WorkingDirectory" not in _drop_in(tmp_path, tmp_path / "venv/bin/pipwatch")


def test_kinds_of_devices_are_known_before_the_service_is() -> None:
    """Each kind that a driver brings is loaded at boot; the others are part of every kernel of Debian."""
    kinds = set(re.findall(r"^DeviceAllow=char-(\S+)", SERVICE.read_text(), re.M))
    loaded = {line for line in (UNITS / "pipwatch.modules").read_text().splitlines() if line[:1] != "#"}
    brought = {"video4linux": "videodev", "media": "mc", "alsa": "snd"}
    always = {"gpiochip", "input", "dma_heap"}
    on_wish = {"i2c"}  # whoever switches the bus on has it loaded at boot
    assert kinds == brought.keys() | always | on_wish
    assert loaded == set(brought.values())


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


def test_every_file_of_a_service_is_installed_from_a_checkout_too() -> None:
    """One that is added and forgotten there would be missed by whoever works from a checkout."""
    assert {path.name for path in UNITS.iterdir() if path.is_file()} == set(PLACES)


def test_package_and_checkout_put_every_file_in_the_same_place() -> None:
    """Below /etc what an administrator writes, below /usr what a package brings; the rest is the same."""
    packaged = runpy.run_path(str(UNITS / "package" / "deb.py"))["PLACES"]
    own = {name: place for name, place in packaged.items() if not name.startswith("package/")}
    as_written = {name: re.sub(r"^usr/(lib|share)/", "etc/", place) for name, place in own.items()}
    assert as_written == PLACES
    assert all(place.startswith("etc/") for place in PLACES.values())


def test_only_one_user_is_granted_anything() -> None:
    """The rule names what it grants and to whom; nothing may be started, mounted or installed."""
    rule = (UNITS / "pipwatch.polkit.rules").read_text()
    assert 'subject.user === "pipwatch" &&' in rule
    granted = re.findall(r'^ +"(org\.freedesktop\.[^"]+)"', rule, re.M)
    assert granted
    assert all(re.match(r"org\.freedesktop\.(login1\.power-off|NetworkManager\.)", one) for one in granted)
