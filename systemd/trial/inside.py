"""Run by the booted system of boot.py: the service as systemd sees it, a figure a line on the console.

It ends by switching the machine off as the service's user: if that is not allowed, boot.py waits in vain.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path

UNIT = "pipwatch.service"
PAGE = "http://127.0.0.1:8000/api/health"
FILE = Path("/usr/lib/systemd/system") / UNIT
OURS = ("/var/lib/pipwatch", "/run/pipwatch")
PATIENCE_S = 150
PUBLIC, NEAR = "192.0.2.1", "10.0.2.2"
"""An address of the wide world, and one of the local network."""
LOGIND = "org.freedesktop.login1"
MAY = ("busctl", "call", LOGIND, "/org/freedesktop/login1", f"{LOGIND}.Manager", "CanPowerOff")
"""What the box asks before it ends to be switched off (device/power.py)."""
CALL = (
    "import socket\n"
    "for to in {addresses}:\n"
    "    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:\n"
    "        try: s.sendto(b'x', (to, 9)); print(to, 'goes')\n"
    "        except OSError as wrong: print(to, wrong.strerror)\n"
)


PINS = "import lgpio; print('the library for pins loads')"
DAMAGED = Path("/usr/lib/pipwatch/device/__init__.py")


def tell(name: str, value: object) -> None:
    """One figure."""
    print("TRIAL " + json.dumps({name: value}), flush=True)


def said(*command: str) -> str:
    """What a program says."""
    done = subprocess.run(command, capture_output=True, text=True)
    return (done.stdout + done.stderr).strip()


def shown(name: str) -> str:
    """A property of the service."""
    return said("systemctl", "show", "--value", "--property", name, UNIT)


def waited(until: Callable[[], bool]) -> float | None:
    """How many seconds it took until something was so; None where it never was."""
    began = time.monotonic()
    while time.monotonic() - began < PATIENCE_S:
        if until():
            return round(time.monotonic() - began, 1)
        time.sleep(0.1)
    return None


def answers() -> bool:
    """Whether the page answers."""
    try:
        with urllib.request.urlopen(PAGE, timeout=2) as page:
            return bool(page.status == 200)
    except OSError:
        return False


def came_back(blow: int) -> float | None:
    """How long the page is away after a signal to the process."""
    was = shown("MainPID")
    os.kill(int(was), blow)
    return waited(
        lambda: shown("MainPID") not in ("0", was) and shown("ActiveState") == "active" and answers()
    )


def in_its_place(name: str, command: str) -> str:
    """What a command says under all restrictions of the service, as its user."""
    lines = [
        f"ExecStart={command}" if line.startswith("ExecStart=") else line
        for line in FILE.read_text().splitlines()
    ]
    gone = (
        "Type=",
        "NotifyAccess=",
        "WatchdogSec=",
        "Restart",
        "StartLimit",
        "RuntimeDirectory",
        "StateDirectory",
    )
    text = "\n".join(line for line in lines if not line.startswith(gone))
    Path(f"/run/systemd/system/{name}.service").write_text(
        text.replace("[Service]", "[Service]\nType=oneshot\nReadWritePaths=" + " ".join(OURS))
    )
    said("systemctl", "daemon-reload")
    said("systemctl", "start", f"{name}.service")
    return said("journalctl", "--output=cat", f"--unit={name}.service")


def code_in_its_place(name: str, code: str) -> str:
    """The same for a few lines of Python."""
    file = Path(f"/var/lib/pipwatch/{name}.py")
    file.write_text(code)
    heard = in_its_place(name, f"/usr/bin/python3 {file}")
    file.unlink()
    return heard


def opens(node: Path) -> object:
    """Whether the running service may open a device: asked by a process that joins it, as its user."""
    group = Path("/sys/fs/cgroup") / shown("ControlGroup").removeprefix("/") / "cgroup.procs"
    code = f"open({str(node)!r}, 'rb', buffering=0).close(); print('opens')"
    user = "setpriv --reuid=pipwatch --regid=pipwatch --init-groups"
    heard = said("sh", "-c", f'echo $$ > {group}; exec {user} python3 -c "{code}"')
    return heard == "opens" or heard


def damage() -> object:
    """What the page of a damaged package says; it is whole again afterwards."""
    whole = DAMAGED.read_text()
    DAMAGED.write_text("(")
    said("systemctl", "restart", UNIT)
    try:
        urllib.request.urlopen(PAGE, timeout=20).close()
        return "it answers as if all were well"
    except urllib.error.HTTPError as told:
        heard = told.read().decode()
        return "the package is damaged" in heard or heard
    except OSError as wrong:
        return str(wrong)
    finally:
        DAMAGED.write_text(whole)
        said("systemctl", "restart", UNIT)


def main() -> None:
    """Look at everything, then switch off."""
    tell("active", waited(lambda: shown("ActiveState") == "active") is not None)
    tell("page_answers", waited(answers) is not None)
    ready, began = (int(shown(f"{name}TimestampMonotonic")) / 1e6 for name in ("ActiveEnter", "InactiveExit"))
    tell("boot_to_ready_s", round(ready, 1))
    tell("start_to_ready_s", round(ready - began, 1))
    tell("status", shown("StatusText"))
    tell("systemd", said("systemctl", "--version").split()[1])
    time.sleep(10)
    tell("at_rest_mb", round(int(shown("MemoryCurrent")) / 1e6))
    tell("back_after_kill_s", came_back(signal.SIGKILL))
    tell("back_after_hang_s", came_back(signal.SIGSTOP))
    tell("restarts", int(shown("NRestarts")))
    tell("watchdog_in_journal", "watchdog" in said("journalctl", f"--unit={UNIT}").lower())
    tell("journal", said("journalctl", "--output=cat", f"--unit={UNIT}").splitlines()[:12])
    tell("score", re.findall(r"exposure level.*: ([\d.]+)", said("systemd-analyze", "security", UNIT)))
    tell("verify", said("systemd-analyze", "verify", str(FILE)) or "clean")
    devices()
    stick()
    heard = code_in_its_place("pipwatch-calls", CALL.format(addresses=(PUBLIC, NEAR))).splitlines()
    tell("network", [line for line in heard if line.startswith((PUBLIC, NEAR))])
    tell("pins", "loads" in (heard_of := code_in_its_place("pipwatch-pins", PINS)) or heard_of)
    tell("console", "http://" in (screen := Path("/dev/vcs1").read_bytes().decode("cp437")) or screen)
    owned = said("find", "/", "-xdev", "-user", "pipwatch").splitlines()
    tell("files_outside", [path for path in owned if not path.startswith(OURS)])
    tell("still_active", shown("ActiveState") == "active" and answers())
    tell("damage_on_the_page", damage())
    tell("may_power_off", said("runuser", "-u", "pipwatch", "--", *MAY).strip())
    tell("power_off", said("runuser", "-u", "pipwatch", "--", "systemctl", "poweroff") or "granted")


def stick() -> None:
    """A backup onto a USB stick that nobody has mounted, asked for under all restrictions of the service."""
    Path("/etc/pipwatch/config.toml").write_text("[service]\nport = 8000\n")  # something to keep
    heard = in_its_place("pipwatch-backup", "/usr/bin/pipwatch backup --stick").splitlines()
    tell("stick", [line for line in heard if "stick" in line] or heard)
    [found] = Path("/dev/disk/by-id").glob("usb-*")
    said("mount", "-o", "ro", str(found), "/mnt")
    tell("backup_said", said("sh", "-c", "cd /root && pipwatch backup"))
    tell("backup_by_sudo", len([*Path("/root").glob("pipwatch-*.zip")]))
    tell("on_the_stick", len([*Path("/mnt").glob("pipwatch-*.zip")]))
    said("umount", "/mnt")


def devices() -> None:
    """A camera, pins and a small display that the kernel plays: who may use them, what the doctor sees."""
    for module in (("vivid", "n_devs=1"), ("gpio-mockup", "gpio_mockup_ranges=-1,8"), ("gpio-sim",),
                   ("i2c-dev",), ("i2c-stub", "chip_addr=0x3c")):  # fmt: skip
        said("modprobe", *module)
    said("udevadm", "settle")
    nodes = [
        node for pattern in ("video0", "gpiochip*", "i2c-*") for node in sorted(Path("/dev").glob(pattern))
    ]
    tell("late_camera", opens(Path("/dev/video0")))
    tell("nodes", {str(node): f"{node.group()} {node.stat().st_mode & 0o777:o}" for node in nodes})
    found = in_its_place("pipwatch-doctor", "/usr/bin/pipwatch doctor --json").splitlines()
    lines = [json.loads(line) for line in found if line.startswith("{")]
    tell("doctor", {one["name"]: f"{one['grade']}: {one['words']}" for one in lines} or found)


if __name__ == "__main__":
    sys.exit(main())
