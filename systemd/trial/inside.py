"""Run by the booted system of boot.py: the service as systemd sees it, a figure a line on the console.

The machine starts twice. First it has no package yet: that is installed while the machine runs, and updated
in the middle of a match. It ends by switching the machine off as the service's user: if that is not allowed,
boot.py waits in vain. Then the match has to be there again, the service is watched, killed and damaged, and
at last the package is removed and purged while it runs.
"""

import json
import os
import pwd
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import traceback
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import radio
from booted import said, waited

UNIT = "pipwatch.service"
CONSOLE = Path("/dev/ttyS0")
PAGE = "http://127.0.0.1:8000"
TRIAL = Path("/root/trial")
PLAYED = TRIAL / "played.json"
"""What was recorded of the match before the machine was switched off."""
BEGIN = {
    "kind": "begin",
    "game": "kingdomino-duel",
    "players": ["Zaphod", "Trillian"],
    "confirm": "auto",
    "by": "hand",
}
LINES = ("see oldest 1", "see roll D1 d D ?", "1: take 4")
ONE_MORE = "2: take 1+3"
SETTINGS = Path("/etc/pipwatch/config.toml")
APT = ("apt-get", "-qq", "-y", "-o", "Dpkg::Use-Pty=0", "-o", "DPkg::Lock::Timeout=300")
OTHERS = ("/root/", "/var/lib/dpkg/", "/var/lib/apt/", "/var/cache/", "/var/log/", "/run/log/")
"""Where a package's name is in the books of others, and what belongs to who tries it."""
FILE = Path("/usr/lib/systemd/system") / UNIT
OURS = ("/var/lib/pipwatch", "/run/pipwatch")
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
    """One figure, on a line of its own.

    The console is opened for each: a login that begins there hangs up whoever has it open, and ends whom it
    belongs to.
    """
    line = f"\nTRIAL {json.dumps({name: value})}\n"
    for _ in range(5):
        with suppress(OSError), os.fdopen(os.open(CONSOLE, os.O_WRONLY | os.O_NOCTTY), "w") as console:
            console.write(line)
            return
        time.sleep(1)


def shown(name: str) -> str:
    """A property of the service."""
    return said("systemctl", "show", "--value", "--property", name, UNIT)


def on_the_screen(number: int) -> list[str]:
    """The rows of one of the machine's own screens, sign by sign as the kernel's font draws them."""
    columns = Path(f"/dev/vcsa{number}").read_bytes()[1]
    shown = Path(f"/dev/vcs{number}").read_bytes().decode("cp437")
    return [shown[at : at + columns].rstrip() for at in range(0, len(shown), columns)]


def stands(told: list[str], screen: list[str]) -> bool:
    """Whether all of how to join stands there row below row: the code's half blocks, address and digits.

    That such rows are a code that leads to the address is proved by tests/device/service/test_console.py.
    """
    return len(told) > 10 and "\n".join(told) in "\n".join(screen)


def answers() -> bool:
    """Whether the page answers."""
    try:
        with urllib.request.urlopen(f"{PAGE}/api/health", timeout=2) as page:
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
        "After=",  # a trial that goes on knowing units of the package would keep their names alive
        "Wants=",
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
        urllib.request.urlopen(f"{PAGE}/api/health", timeout=20).close()
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
    """Do what is due at this start of the machine; whatever breaks is told, and it ends."""
    older, newer = sys.argv[1:]
    try:
        if PLAYED.exists():
            the_box()
            the_end()
        else:
            the_owner(older, newer)
    except Exception:
        tell("broke", traceback.format_exc()[-2000:])
        said("systemctl", "poweroff")


# — the first start: an owner installs, plays and updates —


def the_owner(older: str, newer: str) -> None:
    """A package comes to a machine that runs, and a newer one to a match that goes on."""
    for module in (("i2c-dev",), ("i2c-stub", "chip_addr=0x3c")):
        said("modprobe", *module)
    said("udevadm", "settle")
    node = min(Path("/dev").glob("i2c-*"))
    tell("before_install", {"node": owner(node), "video": Path("/sys/module/videodev").exists()})
    told, seconds = apt("install", package(older))
    tell("running_install_s", seconds)
    tell("install_prints", printed(told))
    tell("install_starts", shown("ActiveState") == "active" and answers())
    tell("install_gives_node", owner(node))
    said("modprobe", "vivid", "n_devs=1")
    said("udevadm", "settle")
    tell("install_lets_camera", opens(Path("/dev/video0")))
    tell("install_version", told_version() == older or told_version())
    played = begun()
    tell("entries", len(played))

    was = shown("MainPID")
    with away() as gaps:
        told, seconds = apt("install", package(newer))
        back = waited(answers)
    tell("running_update_s", seconds)
    tell("update_away_s", [round(gap, 1) for gap in gaps])
    tell("update_prints", printed(told))
    tell("update_starts", back is not None and shown("ActiveState") == "active" and shown("MainPID") != was)
    tell("update_version", told_version() == newer or told_version())
    tell("match_after_update", waited(lambda: recorded() == played) is not None or recorded())
    played = typed(ONE_MORE)
    tell("entries_after_update", len(played))
    PLAYED.write_text(json.dumps(played))
    tell("may_power_off", said("runuser", "-u", "pipwatch", "--", *MAY).strip())
    tell("power_off", said("runuser", "-u", "pipwatch", "--", "systemctl", "poweroff") or "granted")


def package(number: str) -> str:
    """The package of this version."""
    return f"{TRIAL}/pipwatch_{number}_all.deb"


def apt(*words: str) -> tuple[str, float]:
    """What apt and the package's scripts say, and how long it took."""
    began = time.monotonic()
    around = os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"}
    done = subprocess.run([*APT, *words], capture_output=True, text=True, env=around)
    told = done.stdout + done.stderr
    if done.returncode:
        raise OSError(f"apt {' '.join(words)} ended with {done.returncode}: {told[-1500:]}")
    return told, round(time.monotonic() - began, 1)


def printed(told: str) -> object:
    """Whether the address of the page and the code that lets a phone in were printed."""
    forms = (r"http://\S+:8000", r"code to play along: \d{3} \d{3}")
    return all(re.search(form, told) for form in forms) or told[-1500:]


def owner(node: Path) -> str:
    """Whose a device is."""
    return f"{node.group()} {node.stat().st_mode & 0o777:o}"


@contextmanager
def away() -> Iterator[list[float]]:
    """For how long the page did not answer meanwhile, each time."""
    gaps, over = list[float](), threading.Event()

    def look() -> None:
        since = 0.0
        while not over.wait(0.2):
            now, there = time.monotonic(), answers()
            if there and since:
                gaps.append(time.monotonic() - since)
            since = 0.0 if there else since or now

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield gaps
        time.sleep(1)
    finally:
        over.set()
        looking.join()


def told_version() -> object:
    """The version that command, page and a bundle for bug reports tell: one, if all tell the same."""
    bundle = Path("/tmp/report.zip")
    said("pipwatch", "diagnose", "--out", str(bundle))
    with zipfile.ZipFile(bundle) as file:
        versions = json.loads(file.read("versions.json"))
    bundle.unlink()
    told = {
        "command": said("pipwatch", "--version").removeprefix("pipwatch "),
        "page": page("/api/health").get("version"),
        "bundle": versions["pipwatch"],
    }
    return told["page"] if len({*told.values()}) == 1 else told


# — as a page —


def page(path: str) -> dict[str, Any]:
    """What the page answers; nothing where it does not."""
    with suppress(OSError, ValueError), urllib.request.urlopen(f"{PAGE}{path}", timeout=20) as answer:
        told: dict[str, Any] = json.loads(answer.read())
        return told
    return {}


def do(path: str, body: object) -> None:
    """What somebody does on the page."""
    with urllib.request.urlopen(f"{PAGE}/", timeout=20) as answer:
        found = re.search(r'name="token" content="([^"]+)"', answer.read().decode())
    head = {"Content-Type": "application/json", "X-Pipwatch-Token": found[1] if found else ""}
    asked = urllib.request.Request(f"{PAGE}{path}", json.dumps(body).encode(), head, method="POST")
    urllib.request.urlopen(asked, timeout=20).close()


def recorded() -> list[str]:
    """The entries of the match, as the page shows them."""
    return [one["text"] for one in page("/api/view").get("log", [])]


def begun() -> list[str]:
    """A match by hand with its first entries."""
    do("/api/box/do", BEGIN)
    waited(lambda: "phase" in page("/api/view"))
    for line in LINES:
        typed(line)
    return recorded()


def typed(line: str) -> list[str]:
    """One entry more, on the disk."""
    before = len(recorded())
    do("/api/do", {"kind": "typed", "words": line})
    waited(lambda: len(recorded()) > before and page("/api/view")["saved"])
    return recorded()


# — the second start: the box, looked at from all sides —


def the_box() -> None:
    """Look at everything."""
    tell("active", waited(lambda: shown("ActiveState") == "active") is not None)
    tell("page_answers", waited(answers) is not None)
    ready, began = (int(shown(f"{name}TimestampMonotonic")) / 1e6 for name in ("ActiveEnter", "InactiveExit"))
    tell("boot_to_ready_s", round(ready, 1))
    tell("start_to_ready_s", round(ready - began, 1))
    tell("status", shown("StatusText"))
    tell("systemd", said("systemctl", "--version").split()[1])
    played = json.loads(PLAYED.read_text())
    tell("match_after_power", waited(lambda: recorded() == played) is not None or recorded())
    time.sleep(10)
    tell("in_a_match_mb", round(int(shown("MemoryCurrent")) / 1e6))
    tell("back_after_kill_s", came_back(signal.SIGKILL))
    tell("back_after_hang_s", came_back(signal.SIGSTOP))
    tell("restarts", int(shown("NRestarts")))
    tell("match_after_kills", waited(lambda: recorded() == played) is not None or recorded())
    tell("watchdog_in_journal", "watchdog" in said("journalctl", f"--unit={UNIT}").lower())
    tell("journal", said("journalctl", "--output=cat", f"--unit={UNIT}").splitlines()[:12])
    tell("score", re.findall(r"exposure level.*: ([\d.]+)", said("systemd-analyze", "security", UNIT)))
    tell("verify", said("systemd-analyze", "verify", str(FILE)) or "clean")
    devices()
    stick()
    heard = code_in_its_place("trial-calls", CALL.format(addresses=(PUBLIC, NEAR))).splitlines()
    tell("network", [line for line in heard if line.startswith((PUBLIC, NEAR))])
    tell("pins", "loads" in (heard_of := code_in_its_place("trial-pins", PINS)) or heard_of)
    tell("console", stands(said("pipwatch", "join").splitlines(), screen := on_the_screen(1)) or screen)
    owned = said("find", "/", "-xdev", "-user", "pipwatch").splitlines()
    tell("files_outside", [path for path in owned if not path.startswith(OURS)])
    tell("still_active", shown("ActiveState") == "active" and answers())
    tell("damage_on_the_page", damage())
    for name, value in radio.told():
        tell(name, value)


def the_end() -> None:
    """The package goes while its service runs and a match is open: first what it brought, then all."""
    user = pwd.getpwnam("pipwatch").pw_uid
    waited(lambda: bool(recorded()))
    before = events()
    _, seconds = apt("remove", "pipwatch")
    tell("running_remove_s", seconds)
    tell("remove_stops", shown("ActiveState") != "active" and not answers() and not runs(user))
    tell("remove_leaves", sorted(map(str, Path("/usr").rglob("*pipwatch*"))))
    after = events()
    kept = {"match": len(before) == 1 and all(after.get(name, 0) >= n for name, n in before.items()),
            "settings": SETTINGS.exists()}  # fmt: skip
    tell("remove_keeps", all(kept.values()) or kept)
    _, seconds = apt("purge", "pipwatch")
    tell("running_purge_s", seconds)
    everywhere = ("find", "/", "/run", "/tmp", "-xdev")
    left = {*said(*everywhere, "-name", "*pipwatch*").splitlines(),
            *said(*everywhere, "-uid", str(user)).splitlines()}  # fmt: skip
    tell("purge_leaves", sorted(path for path in left if path[0] == "/" and not path.startswith(OTHERS)))
    units = [
        said("systemctl", "--plain", "--no-legend", *words, "pipwatch*")
        for words in (("list-units", "--all"), ("list-unit-files",))
    ]
    known = [said("getent", book, "pipwatch") for book in ("passwd", "group")]
    tell("purge_leaves_known", [line for line in (*units, *known) if line])
    said("systemctl", "poweroff")


def events() -> dict[str, int]:
    """How many events each match on the disk has; its own process lets nobody else into its file."""
    found = {}
    for path in Path("/var/lib/pipwatch/matches").glob("*.match"):
        with TemporaryDirectory() as folder:
            for one in (path, path.with_name(f"{path.name}-wal")):  # nothing is written meanwhile
                with suppress(FileNotFoundError):
                    shutil.copy(one, folder)
            with closing(sqlite3.connect(Path(folder, path.name))) as base:
                found[path.name] = int(base.execute("SELECT count(*) FROM events").fetchone()[0])
    return found


def runs(user: int) -> bool:
    """Whether a process of this user is there."""
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if process.stat().st_uid == user:
                return True
    return False


def stick() -> None:
    """A backup onto a USB stick that nobody has mounted, asked for under all restrictions of the service."""
    SETTINGS.write_text("[service]\nport = 8000\n")  # something to keep
    heard = in_its_place("trial-backup", "/usr/bin/pipwatch backup --stick").splitlines()
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
    found = in_its_place("trial-doctor", "/usr/bin/pipwatch doctor --json").splitlines()
    lines = [json.loads(line) for line in found if line.startswith("{")]
    tell("doctor", {one["name"]: f"{one['grade']}: {one['words']}" for one in lines} or found)


if __name__ == "__main__":
    main()
