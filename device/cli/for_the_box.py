"""With sudo, backup and restore mean the box of this machine; without it, what is one's own.

Matches of the service lie in a folder of its own user. Its part is done as that user, so that what is brought
back is the service's, and nothing that lies in its folder is followed by root. The file itself is opened here
and handed over so: it lies once on a card that may be full.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from device.cli import UserError
from device.rights import UNITS

STATE = Path("/var/lib/pipwatch")
CALL = "import sys; from device.cli import main; sys.exit(main(sys.argv[1:]))"
OPENED = "--opened"
"""The file comes as standard output or input: it is named for what is said of it alone."""
_WRITE = (
    "import pathlib, sys; from device.files import write_safely; place = pathlib.Path(sys.argv[1]); "
    "place.parent.mkdir(mode=0o700, parents=True, exist_ok=True); "
    "write_safely(place, sys.stdin.buffer.read())"
)
OWN = ("XDG_DATA_HOME", "STATE_DIRECTORY", "PIPWATCH_CONFIG")
"""By these somebody says himself which folders are meant."""


def is_meant() -> bool:
    """Whether this is root on a machine whose box belongs to another user."""
    told = any(os.environ.get(name) for name in OWN)
    return os.geteuid() == 0 and not told and STATE.is_dir() and STATE.stat().st_uid != 0


@contextmanager
def looked_into() -> Iterator[None]:
    """For root who means the box its folders are one's own meanwhile. Only to look: its user writes."""
    if not is_meant():
        yield
        return
    before = os.environ.get("STATE_DIRECTORY")
    os.environ["STATE_DIRECTORY"] = str(STATE)
    try:
        yield
    finally:
        del os.environ["STATE_DIRECTORY"]
        os.environ |= {} if before is None else {"STATE_DIRECTORY": before}


def how_to_start() -> str:
    """What to do where no box answers."""
    if any(unit.exists() for unit in UNITS):
        return "start it with sudo systemctl start pipwatch (sudo journalctl -u pipwatch says why it ended)"
    return "start one with pipwatch serve"


def is_asked() -> bool:
    """Whether this is the box's own user, for whom root has asked."""
    return STATE.is_dir() and STATE.stat().st_uid == os.geteuid() != 0


def who_said_sudo() -> tuple[int, int] | None:
    """The user and the group to whom a file belongs that root makes for somebody; None for anybody else."""
    user, group = os.environ.get("SUDO_UID", ""), os.environ.get("SUDO_GID", "")
    if os.geteuid() != 0 or not user.isdigit():
        return None
    return int(user), int(group) if group.isdigit() else -1


def backup(target: Path) -> str:
    """What the box keeps, in a file of whoever said sudo; the words of the command."""
    from device.keeping.packing import free_name

    place = (free_name(target) if target.is_dir() else target).absolute()
    # A link that lies at the target is not followed; one to a file that is read may be the user's own.
    with _opened(place, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW) as file:
        try:
            words = _as_box(["backup", OPENED, "--", str(place)], stdout=file)
            if (user := who_said_sudo()) is not None:
                os.fchown(file.fileno(), *user)
        except BaseException:
            place.unlink()
            raise
    return words


def backup_to_stick() -> str:
    """The same onto the stick that is put in, which the box's user can write, or root's copier for it."""
    return _as_box(["backup", "--stick"])


def restore(file: Path) -> str:
    """Give the box what a file holds; the words of the command."""
    with _opened(file, os.O_RDONLY) as opened:
        return _as_box(["restore", OPENED, "--", file.name], stdin=opened)


def write(place: Path, text: str) -> None:
    """Give the box a file of its own; its user writes it, so that nothing is followed by root."""
    with tempfile.TemporaryFile() as given:
        given.write(text.encode())
        given.seek(0)
        _done([sys.executable, "-c", _WRITE, str(place)], stdin=given)


def _opened(file: Path, flags: int) -> IO[bytes]:
    try:
        return os.fdopen(os.open(file, flags, 0o600), "r+b" if flags & os.O_RDWR else "rb")
    except FileExistsError:
        raise UserError(f"{file} is there already: name another file, or a folder.") from None
    except OSError as wrong:
        raise UserError(f"{wrong.filename or file}: {wrong.strerror}.") from None


def _as_box(words: list[str], stdin: IO[bytes] | None = None, stdout: IO[bytes] | None = None) -> str:
    """One of our commands as the box's user; what it says where it does not say it into a file."""
    return _done([sys.executable, "-c", CALL, *words], stdin, stdout)


def _done(command: list[str], stdin: IO[bytes] | None = None, stdout: IO[bytes] | None = None) -> str:
    owner = STATE.stat()
    done = subprocess.run(
        command,
        user=owner.st_uid, group=owner.st_gid, extra_groups=[], text=True, check=False, cwd="/",
        stdin=stdin or subprocess.DEVNULL, stdout=stdout or subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": ":".join(filter(None, sys.path)), "HOME": str(STATE),
             "STATE_DIRECTORY": str(STATE), "PIPWATCH_CONFIG": "/etc/pipwatch/config.toml"},
    )  # fmt: skip
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]
        raise UserError(said.partition(": ")[2] or said)
    return (done.stderr if stdout else done.stdout).strip()
