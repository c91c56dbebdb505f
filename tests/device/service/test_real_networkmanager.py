"""The hot spot's own commands, told to a real NetworkManager in a network of its own, which has no radio."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
NEEDED = ("unshare", "ip", "dbus-daemon", "NetworkManager", "nmcli")

_MACHINE = """
set -e
mount -t tmpfs none /run; mkdir -p /run/dbus
mount -t tmpfs none /etc/NetworkManager; mount -t tmpfs none /var/lib/NetworkManager
mount -t sysfs -o ro none /sys  # there is no udev: NetworkManager waits for one that could write
mkdir -p /etc/NetworkManager/system-connections
printf '%s\\n' '[main]' plugins=keyfile auth-polkit=false '[device-all]' match-device=interface-name:v* \\
    managed=1 > /etc/NetworkManager/NetworkManager.conf
ip link set lo up
dbus-daemon --system --fork
NetworkManager
for _ in $(seq 100); do nmcli general status > /dev/null 2>&1 && break; sleep 0.2; done
"$PYTHON" "$DIR/box.py"
"""
_BOX = """
import json, pathlib, subprocess, sys, time
from device.service.hotspot import AGAIN_S, CONNECTION, Hotspot, Spot

kept = pathlib.Path("/etc/NetworkManager/system-connections")

def nmcli(*words):
    return subprocess.run(["nmcli", *words], capture_output=True, text=True)

def left_behind():
    # What `nmcli device wifi hotspot` makes, which needs a radio to make it.
    made = nmcli("connection", "add", "type", "wifi", "ifname", "*", "con-name", CONNECTION,
                 "autoconnect", "no", "ssid", "Pipwatch-7", "802-11-wireless.mode", "ap",
                 "802-11-wireless-security.key-mgmt", "wpa-psk",
                 "802-11-wireless-security.psk", "abcdefgh2345", "ipv4.method", "shared")
    assert made.returncode == 0, made.stderr
    return here()

def here():
    named = CONNECTION in nmcli("--terse", "--fields", "NAME", "connection").stdout.split()
    return [named, *sorted(one.name for one in kept.iterdir() if one.name.startswith(CONNECTION))]

told, said = {}, []
spot = Hotspot(said.append)
told["made"] = left_behind()
told["alone"] = spot._devices()
told["opened"] = [spot.look(0.0), spot.look(60.0)]
told["after_a_try"], told["said"] = here(), [*said]

cable = "ip link add va type veth peer name vb; ip link set vb up; ip link set va up"
subprocess.run(cable, shell=True, check=True)
made = nmcli("connection", "add", "type", "ethernet", "ifname", "va", "con-name", "wired",
             "ipv4.method", "manual", "ipv4.addresses", "10.9.0.1/24", "ipv6.method", "disabled")
assert made.returncode == 0, made.stderr
until = time.monotonic() + 20
while nmcli("connection", "up", "wired").returncode and time.monotonic() < until:
    time.sleep(0.3)
told["wired"] = spot._devices()
left_behind()
spot._spot = Spot(is_open=True, since=0.0)
told["gives_way"], told["after_it"] = spot.look(100.0), here()
told["renamed"] = [left_behind(), nmcli("connection", "modify", CONNECTION, "ssid", "Pipwatch-8").returncode]
spot._spot = Spot(is_open=True, since=0.0)
spot.close()
told["closed"] = here()

purge = ["sh", "-c", sys.stdin.read()]
left_behind()
told["purged"] = [subprocess.run(purge).returncode, here()]
told["purged_again"] = subprocess.run(purge).returncode
left_behind()
subprocess.run(["pkill", "-x", "NetworkManager"])
while not nmcli("general", "status").returncode:
    time.sleep(0.2)
told["purged_without"] = [subprocess.run(purge).returncode, here()]
print(json.dumps(told))
"""


def purging() -> str:
    """What the package does about the hot spot when it is purged."""
    lines = (ROOT / "systemd/package/postrm").read_text().splitlines()
    at = next(k for k, line in enumerate(lines) if "nmcli" in line)
    assert lines[at].endswith("||")
    return "\n".join(("set -e", *lines[at : at + 2]))


@pytest.mark.long
def test_networkmanager_makes_finds_and_forgets_the_profile_of_the_hot_spot(tmp_path: Path) -> None:
    """Its answers are read as they are; one that was left behind goes, also by purge, also without a daemon.

    No radio can be had here: what it says without one is told as it is.
    """
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing or os.geteuid() != 0:
        pytest.skip(f"needs root and {', '.join(NEEDED)}")
    (tmp_path / "box.py").write_text(_BOX)
    more = {"DIR": str(tmp_path), "PYTHON": sys.executable, "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    run = subprocess.run(
        ["unshare", "-n", "-m", "-p", "--fork", "--mount-proc", "bash", "-c", _MACHINE],
        env={**os.environ, **more}, input=purging(), capture_output=True, text=True, timeout=240,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    told: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    there, gone = [True, "pipwatch-hotspot.nmconnection"], [False]
    assert told == {
        "made": there, "alone": [False, ""], "opened": [None, None], "after_a_try": gone,
        "said": ["the hot spot cannot be opened: No Wi-Fi device found."],
        "wired": [True, ""], "gives_way": None, "after_it": gone, "renamed": [there, 0], "closed": gone,
        "purged": [0, gone], "purged_again": 0, "purged_without": [0, gone],
    }  # fmt: skip
