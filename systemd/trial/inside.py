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
CALL = (
    "import socket\n"
    "for to in {addresses}:\n"
    "    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:\n"
    "        try: s.sendto(b'x', (to, 9)); print(to, 'goes')\n"
    "        except OSError as wrong: print(to, wrong.strerror)\n"
)


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
        text.replace("[Service]", "[Service]\nType=oneshot\nReadWritePaths=/var/lib/pipwatch")
    )
    said("systemctl", "daemon-reload")
    said("systemctl", "start", f"{name}.service")
    return said("journalctl", "--output=cat", f"--unit={name}.service")


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
    Path("/var/lib/pipwatch/calls.py").write_text(CALL.format(addresses=(PUBLIC, NEAR)))
    heard = in_its_place("pipwatch-calls", "/usr/bin/python3 /var/lib/pipwatch/calls.py").splitlines()
    tell("network", [line for line in heard if line.startswith((PUBLIC, NEAR))])
    Path("/var/lib/pipwatch/calls.py").unlink()
    owned = said("find", "/", "-xdev", "-user", "pipwatch").splitlines()
    tell("files_outside", [path for path in owned if not path.startswith(OURS)])
    tell("still_active", shown("ActiveState") == "active" and answers())
    tell("power_off", said("runuser", "-u", "pipwatch", "--", "systemctl", "poweroff") or "granted")


def devices() -> None:
    """A camera, pins and a small display that the kernel plays: who may use them, what the doctor sees."""
    for module in (("vivid", "n_devs=1"), ("gpio-mockup", "gpio_mockup_ranges=-1,8"), ("gpio-sim",),
                   ("i2c-dev",), ("i2c-stub", "chip_addr=0x3c")):  # fmt: skip
        said("modprobe", *module)
    said("udevadm", "settle")
    nodes = [
        node for pattern in ("video0", "gpiochip*", "i2c-*") for node in sorted(Path("/dev").glob(pattern))
    ]
    tell("nodes", {str(node): f"{node.group()} {node.stat().st_mode & 0o777:o}" for node in nodes})
    found = in_its_place("pipwatch-doctor", "/usr/bin/pipwatch doctor --json").splitlines()
    lines = [json.loads(line) for line in found if line.startswith("{")]
    tell("doctor", {one["name"]: f"{one['grade']}: {one['words']}" for one in lines} or found)


if __name__ == "__main__":
    sys.exit(main())
