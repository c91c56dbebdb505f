"""`pipwatch install-service`: a checkout as the service; each path that is written is told.

The package does the same for everybody else. What was written is noted with its check sum, so that ``--undo``
removes just that, and nothing that somebody has changed since.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from device.cli import UserError

CHECKOUT = Path(__file__).parents[2]
PLACES = {
    "pipwatch.service": "etc/systemd/system/pipwatch.service",
    "pipwatch-console.path": "etc/systemd/system/pipwatch-console.path",
    "pipwatch-console.service": "etc/systemd/system/pipwatch-console.service",
    "pipwatch-stick.socket": "etc/systemd/system/pipwatch-stick.socket",
    "pipwatch-stick@.service": "etc/systemd/system/pipwatch-stick@.service",
    "pipwatch.sysusers": "etc/sysusers.d/pipwatch.conf",
    "pipwatch.tmpfiles": "etc/tmpfiles.d/pipwatch.conf",
    "pipwatch.modules": "etc/modules-load.d/pipwatch.conf",
    "pipwatch.rules": "etc/udev/rules.d/40-pipwatch.rules",
    "pipwatch.polkit.rules": "etc/polkit-1/rules.d/pipwatch.rules",
}
"""Where each file of systemd/ goes: beside what the administrator writes, not where packages put theirs."""
DROP_IN = "etc/systemd/system/pipwatch.service.d/checkout.conf"
COPIER_CODE, COPIER = "device/keeping/stick_copier.py", "usr/local/lib/pipwatch/stick_copier.py"
"""What root runs lies where only root may write, and not in the checkout."""
COPIER_DROP_IN = "etc/systemd/system/pipwatch-stick@.service.d/checkout.conf"
NOTE = "etc/pipwatch/service-files.sha256"
"""What was written, in the form that sha256sum checks."""
OWN = (DROP_IN, COPIER_DROP_IN, COPIER, NOTE)
"""What lies in a folder that was made for it."""
LOGIN = "etc/issue.d/pipwatch.issue"
"""What systemd-tmpfiles makes, as pipwatch.tmpfiles says: how to join, above the machine's own login."""
PACKAGED = "usr/lib/systemd/system/pipwatch.service"
UNIT, SOCKET, CONSOLE = "pipwatch.service", "pipwatch-stick.socket", "pipwatch-console.path"
OWN_GROUPS = ("gpio", "i2c")
"""Groups for pins and small displays that Raspberry Pi OS has and others have not."""

Run = Callable[[Sequence[str]], None]
"""Runs a program of the system; raises UserError where it fails."""


def add(commands: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Register the command."""
    words = "make this checkout a service that starts with the machine, or undo that"
    p = commands.add_parser("install-service", help=words, description=f"{words.capitalize()}. With sudo.")
    p.add_argument("--undo", action="store_true", help="remove what was written, and nothing else")
    p.add_argument("--root", type=Path, default=Path("/"), metavar="DIR", help="another system's root (/)")
    p.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Install or undo."""
    root: Path = arguments.root
    if not root.is_dir():
        raise UserError(f"--root {root} is no folder.")
    try:
        if arguments.undo:
            undo(root, _system)
        else:
            install(root, CHECKOUT, Path(sys.argv[0]).absolute(), _system)
    except PermissionError as wrong:
        raise UserError(f"{wrong.filename} may not be written: put sudo before the command.") from None
    except OSError as wrong:
        raise UserError(f"{wrong.filename}: {wrong.strerror}; nothing else was changed.") from None
    return 0


def install(root: Path, checkout: Path, command: Path, system: Run) -> None:
    """Write the files, tell each, and start the service where this is the running system."""
    _must_fit(root, checkout, command)
    texts = {place: (checkout / "systemd" / name).read_text() for name, place in PLACES.items()}
    texts[DROP_IN] = _drop_in(checkout, command)
    texts[COPIER] = (checkout / COPIER_CODE).read_text()
    texts[COPIER_DROP_IN] = f"[Service]\nExecStart=\nExecStart=/usr/bin/python3 -I /{COPIER}\n"
    noted = _noted(root)
    for place in texts:
        path = root / place
        if path.exists() and _sum(path) not in (noted.get(place), _sum_of(texts[place])):
            raise UserError(f"{path} is somebody else's or was changed: move it away first.")
    # Noted before it is written: a plug that is pulled in between leaves nothing that undo does not know.
    lines = [f"{_sum_of(text)}  {place}\n" for place, text in texts.items()]
    _written(root / NOTE, "".join(lines))
    for place, text in texts.items():
        _written(root / place, text)
    _set_up(root, system)


def undo(root: Path, system: Run) -> None:
    """Remove what was written, unless somebody has changed it since."""
    noted = _noted(root)
    if not noted:
        raise UserError(f"no service of a checkout is installed: {root / NOTE} is not there.")
    live = _is_live(root)
    if live:
        system(["systemctl", "disable", "--now", UNIT, SOCKET])
        system(["systemctl", "stop", CONSOLE])
    else:
        system(["systemctl", f"--root={root}", "disable", UNIT, SOCKET])
    for place, was in noted.items():
        path = root / place
        if path.exists() and _sum(path) != was:
            print(f"left     {path}: it was changed since")
            continue
        path.unlink(missing_ok=True)
        print(f"removed  {path}")
    login = root / LOGIN
    if login.is_symlink():
        login.unlink()
        print(f"removed  {login}")
    (root / NOTE).unlink()
    print(f"removed  {root / NOTE}")
    for folder in {(root / place).parent for place in OWN}:
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
            print(f"removed  {folder}")
    if live:
        system(["systemctl", "daemon-reload"])
    print("The user pipwatch and /var/lib/pipwatch with its matches stay; to remove them, too:")
    print("  sudo deluser pipwatch; sudo rm -r /var/lib/pipwatch")


def _must_fit(root: Path, checkout: Path, command: Path) -> None:
    """Refuse in a sentence what could not work."""
    from device.health.finding import Grade
    from device.health.pi_board import board

    found = board()
    if found.grade is Grade.FAILS:
        raise UserError(f"{found.words}; {found.remedy}.")
    if found.remedy:
        print(f"pipwatch: {found.words}; {found.remedy}.", file=sys.stderr)
    if (root / PACKAGED).exists():
        raise UserError(
            "the package pipwatch is installed and brings the service: sudo apt remove pipwatch first."
        )
    if not (checkout / "systemd" / UNIT).exists():
        raise UserError("this needs a checkout of Pipwatch: its folder systemd/ is not beside the code.")
    if odd := next((each for each in '":%\\\n' if each in f"{checkout}{command}"), None):
        raise UserError(f"{checkout} has {odd!r} in its name, which a unit cannot hold: move the checkout.")
    if not os.access(command, os.X_OK):
        raise UserError("start it as the service would be: sudo .venv/bin/pipwatch install-service.")


def _drop_in(checkout: Path, command: Path) -> str:
    """What differs from the package: where the command is, though homes are hidden."""
    needed = {str(checkout), str(command.parents[1]), sys.base_prefix} - {"/usr"}
    shown = " ".join(f'"{folder}"' for folder in sorted(needed))
    return (
        "# This service runs from a checkout. Homes stay hidden from it but for these folders, read only,\n"
        "# which systemd opens also where the home itself is closed to others.\n"
        "[Service]\n"
        f'ExecStart=\nExecStart="{command}" serve\n'
        "ProtectHome=tmpfs\n"
        f"BindReadOnlyPaths={shown}\n"
        "Environment=PYTHONNOUSERSITE=1 PYTHONDONTWRITEBYTECODE=1\n"
    )


def _set_up(root: Path, system: Run) -> None:
    """The user, its groups and folders; the service now, where this system runs, else at its next start."""
    at = [] if root == Path("/") else [f"--root={root}"]
    system(["systemd-sysusers", *at, str(Path("/") / PLACES["pipwatch.sysusers"])])
    if not _is_live(root):
        system(["systemctl", *at, "enable", UNIT, SOCKET])
        print("The service starts with that system.")
        return
    for group in OWN_GROUPS:
        if f"\n{group}:" in f"\n{Path('/etc/group').read_text()}":
            system(["usermod", "--append", "--groups", group, "pipwatch"])
    system(["systemd-tmpfiles", "--create", "/" + PLACES["pipwatch.tmpfiles"]])
    if (root / LOGIN).is_symlink():
        print(f"wrote    {root / LOGIN}", flush=True)
    system(["udevadm", "control", "--reload"])
    system(
        [
            "udevadm",
            "trigger",
            "--subsystem-match=gpio",
            "--subsystem-match=i2c-dev",
            "--subsystem-match=dma_heap",
        ]
    )
    system(["systemctl", "daemon-reload"])
    system(["systemctl", "restart", "systemd-modules-load.service"])
    system(["systemctl", "enable", "--now", SOCKET, UNIT])
    print("The service runs. Its page and the code that it asks for: journalctl -u pipwatch")


def _is_live(root: Path) -> bool:
    """Whether this is the system that runs, with systemd."""
    return root == Path("/") and Path("/run/systemd/system").is_dir()


def _written(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    path.chmod(0o644)
    print(f"wrote    {path}", flush=True)


def _noted(root: Path) -> dict[str, str]:
    """The places that an earlier install wrote, with their check sums; none that lead out of the root."""
    try:
        lines = (root / NOTE).read_text().splitlines()
    except FileNotFoundError:
        return {}
    known = {*PLACES.values(), DROP_IN, COPIER, COPIER_DROP_IN}
    return {place: was for was, _, place in (line.partition("  ") for line in lines) if place in known}


def _sum_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _sum(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _system(command: Sequence[str]) -> None:
    """Run one program of the system and say so."""
    print(f"ran      {' '.join(command)}", flush=True)
    if shutil.which(command[0]) is None:
        raise UserError(f"{command[0]} is not here: a service needs a system with systemd.")
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise UserError(f"{' '.join(command)}: {(done.stderr or done.stdout).strip().splitlines()[-1:]}")
    for line in done.stderr.splitlines():
        if line.startswith(("Created symlink", "Removed")):  # paths that systemd writes itself
            print(f"systemd  {line}", flush=True)
