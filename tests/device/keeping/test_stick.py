"""The backup by button: handed over to root's copier, which finds the stick and trusts nobody."""

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from device.keeping import stick, stick_copier
from device.keeping.belongings import BackupError
from device.keeping.stick import READY, _send, backup_to_stick
from device.keeping.stick_copier import Handed, Refused, copied, sticks
from tests.device.keeping.own_mounts import inside, needs_mounts

NAME = "pipwatch-2026-11-25.zip"
Hand = Callable[..., Handed]


def disk(path: str, tran: str, *parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A disk as lsblk lists it."""
    plain = {"path": path, "tran": tran, "fstype": None, "mountpoints": [None]}
    return plain | more | ({"children": [*parts]} if parts else {})


def part(path: str, kind: str | None, *places: str) -> dict[str, Any]:
    """A partition."""
    return {"path": path, "tran": None, "fstype": kind, "mountpoints": [*places] or [None]}


OWN = [
    disk("/dev/mmcblk0", "mmc", part("/dev/mmcblk0p2", "ext4", "/")),
    disk("/dev/sda", "usb", part("/dev/sda1", "vfat", "/boot/firmware"), part("/dev/sda2", "ext4")),
    disk("/dev/sr0", "sata", fstype="iso9660"),
]
"""Disks of the machine itself; it may be started from one at USB."""


class Machine:
    """lsblk and mount of a machine whose sticks are folders."""

    def __init__(self, place: Path, *disks: dict[str, Any], full: tuple[str, ...] = ()) -> None:
        self.place, self.disks, self.full = place, [*OWN, *disks], full
        self.ran: list[str] = []
        place.mkdir()

    def __call__(self, command: Sequence[str]) -> str:
        """Run it."""
        self.ran.append(" ".join(command))
        if command[0] == "lsblk":
            return json.dumps({"blockdevices": self.disks})
        if command[0] == "mount" and command[-2] in self.full:
            raise OSError("mount: write-protected")
        return ""


class Service:
    """The service's end of the line: it says a name, and sends a file once it is asked for."""

    def __init__(self, data: bytes = b"a backup", name: str = NAME, sent: int | None = None) -> None:
        self.ours, theirs = socket.socketpair()
        self.pieces = [data[at : at + 100_000] for at in range(0, len(data), 100_000)]
        self._line, self._name, self._sent = theirs, name, sent
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        with self._line, suppress(OSError):
            self._line.sendall(f"{self._name}\n".encode())
            if self._line.makefile("rb").readline() == READY:
                if self._sent is None:
                    _send(self.pieces, self._line)
                else:  # it is killed in between
                    self._line.sendall(b"".join(framed(one) for one in self.pieces)[: self._sent])

    def handed(self) -> Handed:
        """What comes at the other end."""
        return Handed(self.ours)


@pytest.fixture
def handed() -> Iterator[Callable[..., Handed]]:
    """What comes from a service, made as it is told."""
    made: list[Service] = []

    def make(*given: Any, **told: Any) -> Handed:
        made.append(Service(*given, **told))
        return made[-1].handed()

    yield make
    for one in made:
        one.ours.close()


def framed(piece: bytes) -> bytes:
    """A piece with its length before it."""
    return len(piece).to_bytes(4, "big") + piece


def test_a_stick_is_one_at_usb_of_which_nothing_is_the_machines_own() -> None:
    """Neither card nor the disk it was started from; one without partitions, and one a desktop mounted."""
    found = [
        disk("/dev/sdb", "usb", part("/dev/sdb1", "vfat", "/media/ann/STICK"), part("/dev/sdb2", "swap")),
        disk("/dev/sdc", "usb", fstype="exfat"),
        disk("/dev/sdd", "usb", part("/dev/sdd1", "ext4", "/mediatheque")),
        disk("/dev/sde", "usb", part("/dev/sde1", "ntfs")),  # by the name of the one driver that writes it
    ]
    written = [("/dev/sdb1", "vfat"), ("/dev/sdc", "exfat"), ("/dev/sde1", "ntfs3")]
    assert [*sticks({"blockdevices": OWN + found})] == written


def test_a_stick_that_cannot_be_written_here_is_not_called_none(tmp_path: Path, handed: Hand) -> None:
    """What it has is named, and what helps."""
    parts = part("/dev/sdb1", "apfs"), part("/dev/sdb2", None)
    machine = Machine(tmp_path / "stick", disk("/dev/sdb", "usb", *parts))
    with pytest.raises(Refused, match=r"cannot be written: format it as FAT or exFAT, it has apfs, \?\."):
        copied(handed(), machine.place, machine)
    inner = {**part("/dev/mapper/home", "ext4", "/home"), "children": []}
    for disks in (
        [disk("/dev/sdb", "usb", part("/dev/sdb1", "LVM2_member"))],
        [disk("/dev/sdb", "usb", {**part("/dev/sdb1", "crypto_LUKS"), "children": [inner]})],
    ):
        machine = Machine(tmp_path / f"more {disks[0]['children'][0]['fstype']}", *disks)
        with pytest.raises(Refused, match="There is no USB stick"):
            copied(handed(), machine.place, machine)


def test_it_lies_there_whole_under_a_free_name(tmp_path: Path, handed: Hand) -> None:
    """Mounted for the copy alone, so that nothing on it is run or followed, and taken away again."""
    machine = Machine(tmp_path / "stick", disk("/dev/sdb", "usb", fstype="vfat"))
    data = os.urandom(3_000_000)
    first, second = (copied(handed(data), machine.place, machine) for _ in range(2))
    assert first == f"{NAME} is on the stick, checked. Now it may be taken out."
    assert second.startswith("pipwatch-2026-11-25-2.zip is on the stick")
    assert {path.name for path in machine.place.iterdir()} == {NAME, "pipwatch-2026-11-25-2.zip"}
    assert (machine.place / NAME).read_bytes() == data
    assert machine.ran[1:3] == [
        f"mount -t vfat -o rw,nosuid,nodev,noexec,nosymfollow /dev/sdb {machine.place}",
        f"umount {machine.place}",
    ]


def test_the_next_stick_is_taken_where_one_cannot_be_written(tmp_path: Path, handed: Hand) -> None:
    """Where none can, the sentence is that of the last; where none is, to put one in."""
    sdb, sdc = (disk(path, "usb", fstype="vfat") for path in ("/dev/sdb", "/dev/sdc"))
    machine = Machine(tmp_path / "one", sdb, sdc, full=("/dev/sdb",))
    assert "is on the stick" in copied(handed(), machine.place, machine)
    machine = Machine(tmp_path / "two", sdb, full=("/dev/sdb",))
    with pytest.raises(Refused, match=r"The stick \(/dev/sdb\) cannot be written: mount: write-protected"):
        copied(handed(), machine.place, machine)
    with pytest.raises(Refused, match="There is no USB stick"):
        copied(handed(), machine.place, Machine(tmp_path / "three"))


def test_a_stick_that_is_full_keeps_no_half(
    tmp_path: Path, handed: Hand, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was begun is taken away, and the stick let go; what came once comes to no other stick."""

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    sdb, sdc = (disk(path, "usb", fstype="vfat") for path in ("/dev/sdb", "/dev/sdc"))
    machine = Machine(tmp_path / "stick", sdb, sdc)
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Refused, match="No space left on device"):
        copied(handed(), machine.place, machine)
    assert not [*machine.place.iterdir()]
    assert machine.ran[-1].startswith("umount")
    assert sum(one.startswith("mount") for one in machine.ran) == 1


@pytest.mark.parametrize("sent", [0, 3, 50_000, 250_000, 300_012])
def test_a_backup_that_breaks_off_is_no_backup(tmp_path: Path, handed: Hand, sent: int) -> None:
    """Its service was killed: nobody finds a half that looks whole, not even one that lacks its end."""
    machine = Machine(tmp_path / "stick", disk("/dev/sdb", "usb", fstype="vfat"))
    with pytest.raises(Refused, match="broke off before it was whole"):
        copied(handed(os.urandom(300_000), sent=sent), machine.place, machine)
    assert not [*machine.place.iterdir()]
    assert machine.ran[-1].startswith("umount")


@pytest.mark.parametrize("name", ["../../etc/cron.d/x", "pipwatch-2026-11-25.zip/..", "a.zip", "", "x" * 500])
def test_nothing_but_a_backup_is_taken(handed: Hand, name: str) -> None:
    """A service that somebody has taken over can have no other file written by root."""
    with pytest.raises(Refused, match="no backup"):
        handed(name=name)


class Copier:
    """systemd's socket, and a copier at each connection as it starts one: the real program, with no stick."""

    def __init__(self, path: Path, answer: bytes | None = None, machine: Machine | None = None) -> None:
        self.path, self._answer, self._machine = path, answer, machine
        self._line = socket.socket(socket.AF_UNIX)
        self._line.bind(str(path))
        self._line.listen(1)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def ended(self) -> None:
        """Wait until it has."""
        self._thread.join(timeout=60)

    def _run(self) -> None:
        with self._line, self._line.accept()[0] as one:
            if self._machine is not None:
                stick_copier.serve(one, self._machine.place, self._machine)
            elif self._answer is None:
                code = stick_copier.__file__
                subprocess.run([sys.executable, "-I", code], stdin=one.fileno(), check=True, timeout=60)
            else:
                one.recv(100)
                one.sendall(self._answer)


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A box with a match, on a machine without a stick."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("PIPWATCH_CONFIG", str(tmp_path / "none.toml"))
    (tmp_path / "pipwatch/matches").mkdir(parents=True)
    (tmp_path / "pipwatch/matches/a.match").write_bytes(b"a match")
    (tmp_path / "mountinfo").write_text("")
    return tmp_path


def test_the_service_hands_over_and_tells_the_answer(state: Path) -> None:
    """The way through the real program; it finds no stick here, and nothing is left on the card."""
    copier = Copier(state / "copier")
    with pytest.raises(BackupError, match="There is no USB stick that can be written"):
        backup_to_stick(state / "mountinfo", copier=copier.path)
    assert [path.name for path in (state / "pipwatch").iterdir()] == ["matches"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (b"", "The stick was not written"),
        (b"no The stick (/dev/sdb1) is tired.\n", "is tired"),
        (b"ready\nno The stick (/dev/sdb1) is full.\n", "is full"),
    ],
)
def test_what_goes_wrong_there_is_the_sentence_here(state: Path, answer: bytes, told: str) -> None:
    """A copier that dies is one as well."""
    with pytest.raises(BackupError, match=told):
        backup_to_stick(state / "mountinfo", copier=Copier(state / "copier", answer).path)


def test_what_it_says_is_told(state: Path) -> None:
    """Where it worked."""
    done = backup_to_stick(
        state / "mountinfo", copier=Copier(state / "copier", b"ready\nok It lies there.\n").path
    )
    assert done == "Backup: It lies there."


@pytest.mark.parametrize(
    ("busy_every_s", "told"), [(0.05, "is on the stick, checked"), (60.0, "was not written: timed out")]
)
def test_a_stick_may_take_longer_than_the_service_waits(
    state: Path, monkeypatch: pytest.MonkeyPatch, busy_every_s: float, told: str
) -> None:
    """While it is written to its end the copier says that it is busy; one that is silent is given up."""
    real = os.fsync

    def slow(handle: int) -> None:
        time.sleep(1.0)
        real(handle)

    monkeypatch.setattr(os, "fsync", slow)
    monkeypatch.setattr(stick, "_PATIENCE_S", 0.8)
    monkeypatch.setattr(stick_copier, "_BUSY_EVERY_S", busy_every_s)
    machine = Machine(state / "stick", disk("/dev/sdb", "usb", fstype="vfat"))
    copier = Copier(state / "copier", machine=machine)
    try:
        said = backup_to_stick(state / "mountinfo", copier=copier.path)
    except BackupError as wrong:
        said = str(wrong)
    copier.ended()
    assert told in said
    assert machine.ran[-1].startswith("umount")


@pytest.mark.parametrize("slow", ["mount", "umount"])
def test_a_mount_that_does_not_end_is_a_sentence(
    tmp_path: Path, handed: Hand, monkeypatch: pytest.MonkeyPatch, slow: str
) -> None:
    """A stick that hangs leaves nobody without an answer."""
    machine = Machine(tmp_path / "stick", disk("/dev/sdb", "usb", fstype="vfat"))
    monkeypatch.setattr(stick_copier, "_PATIENCE_S", 0.2)

    def run(command: Sequence[str]) -> str:
        return stick_copier._run(["sleep", "20"]) if command[0] == slow else machine(command)

    with pytest.raises(
        Refused, match=r"The stick \(/dev/sdb\) cannot be written: sleep did not end within 0.2 s"
    ):
        copied(handed(), machine.place, run)


@needs_mounts
@pytest.mark.skipif(os.geteuid() != 0, reason="mounting a disk needs root")
def test_a_real_file_system_is_written_and_let_go(tmp_path: Path) -> None:
    """An ext4 stick of root's own, with a link of its owner's that leads elsewhere: it is not followed."""
    done = inside(REAL, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "is on the stick, checked" in done.stdout
    assert (tmp_path / "elsewhere").read_text() == "untouched"


REAL = """
cd "$1"; mkdir stick at; echo -n untouched > elsewhere
ln -s ../elsewhere stick/pipwatch-2026-11-25.zip; ln -s ../elsewhere stick/.pipwatch-2026-11-25-2.zip.new
mke2fs -q -t ext4 -d stick disk 8M; rm -r stick
"$PYTHON" - <<'CODE'
import json, os
from pathlib import Path
from device.keeping import stick, stick_copier
from tests.device.keeping.test_stick import Service

disk = {"path": "disk", "tran": "usb", "fstype": "ext4", "mountpoints": [None]}
def run(command):
    if command[0] == "lsblk":
        return json.dumps({"blockdevices": [disk]})
    return stick_copier._run([word if word != stick_copier.OPTIONS else "loop," + word for word in command])
print(stick_copier.copied(Service(b"a backup").handed(), Path("at"), run))
assert not os.path.ismount("at")
CODE
mount -o loop,ro disk at; test "$(cat at/pipwatch-2026-11-25-2.zip)" = "a backup"; umount at
"""
