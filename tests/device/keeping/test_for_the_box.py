"""With sudo, backup and restore mean the box; without it, one's own."""

import os
import pwd
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from device.cli import for_the_box, main
from device.health import field_machine
from device.service import announcing
from tests.device.keeping.own_mounts import ROOT, can_mount, inside

NOBODY = pwd.getpwnam("nobody")
needs_root = pytest.mark.skipif(
    os.geteuid() != 0 or not can_mount(),
    reason="only root can give a box to another user",
)
OPENED = """
box=$1; needed=$2; hidden=$3
mount -t tmpfs -o mode=755 tmpfs /mnt
k=0; for each in $needed; do k=$((k + 1)); mkdir /mnt/$k; mount --bind "$each" /mnt/$k; done
for each in $hidden; do mount -t tmpfs -o mode=755 tmpfs "$each"; done
k=0; for each in $needed; do k=$((k + 1)); mkdir -p "$each"; mount --move /mnt/$k "$each"; done
mount -t tmpfs -o mode=755 tmpfs /var/lib
mkdir /var/lib/pipwatch; mount --bind "$box" /var/lib/pipwatch
"""
"""This Python and this tree may lie in a folder of root's alone: in mounts of our own everybody sees them, as
an installed package, and the box lies where a package has it."""


def hidden_by(path: Path) -> Path | None:
    """The first folder on the way to a path that others may not enter."""
    return next((one for one in reversed(path.parents) if not one.stat().st_mode & 0o001), None)


@pytest.fixture
def box(tmp_path: Path) -> Path:
    """A box of another user's."""
    state = tmp_path / "pipwatch"
    (state / "matches").mkdir(parents=True)
    (state / "matches/a.match").write_bytes(b"a match")
    for path in (state, *state.rglob("*")):
        os.chown(path, NOBODY.pw_uid, NOBODY.pw_gid)
    state.chmod(0o700)
    return state


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """The folder of somebody who says sudo."""
    (tmp_path / "home").mkdir()
    return tmp_path / "home"


def said_with_sudo(script: str, box: Path, home: Path) -> "subprocess.CompletedProcess[str]":
    """What a script says in which ``pipwatch`` is the command, as root, in that folder."""
    around = {"SUDO_UID": "1234", "SUDO_GID": "1234", "HOME": str(home)}
    clean = " ".join(f"-u {name}" for name in for_the_box.OWN)
    needed = [path.resolve() for path in (Path(sys.base_prefix), Path(sys.prefix), ROOT)]
    covered = {path: hidden for path in needed if (hidden := hidden_by(path))}
    words = " ".join(f"{name}={value}" for name, value in around.items())
    command = f'pipwatch() {{ env {clean} {words} "$PYTHON" -m device "$@"; }}'
    return inside(
        f"{OPENED}\ncd '{home}'\n{command}\n{script}", box,
        " ".join(map(str, covered)), " ".join(map(str, dict.fromkeys(covered.values()))),
        timeout_s=300,
    )  # fmt: skip


@needs_root
def test_with_sudo_the_box_is_copied_and_brought_back(box: Path, home: Path) -> None:
    """The file is whose who said sudo; what comes back is the box's own."""
    done = said_with_sudo(
        "pipwatch backup; rm /var/lib/pipwatch/matches/a.match; pipwatch restore *.zip", box, home
    )
    assert done.returncode == 0, done.stderr
    assert "1 matches and 0 other files" in done.stdout
    [made] = home.glob("*.zip")
    assert made.stat().st_uid == 1234
    assert "matches/a.match" in zipfile.ZipFile(made).namelist()
    assert (box / "matches/a.match").read_bytes() == b"a match"
    assert {path.stat().st_uid for path in box.rglob("*")} == {NOBODY.pw_uid}


@needs_root
@pytest.mark.parametrize(("stick", "told"), [(True, "1 matches and 0 other files"), (False, "no USB stick")])
def test_with_sudo_the_box_is_copied_onto_a_stick(box: Path, home: Path, stick: bool, told: str) -> None:
    """Its matches, not root's own empty folder; where no stick is in, that is one sentence."""
    put_in = "mkdir /mnt/stick; mount -t tmpfs -o mode=777 tmpfs /mnt/stick\n" if stick else ""
    shown = 'for each in /mnt/stick/*.zip; do "$PYTHON" -m zipfile -l $each; done' if stick else ""
    done = said_with_sudo(f"{put_in}pipwatch backup --stick\n{shown}", box, home)
    assert done.returncode == (0 if stick else 2), done.stderr
    assert told in done.stdout + done.stderr
    assert ("matches/a.match" in done.stdout) == stick
    assert done.stderr.count("\n") == (not stick)


@needs_root
def test_a_bundle_for_a_bug_report_is_whose_who_said_sudo(box: Path, home: Path) -> None:
    """They look into it before they send it, and root alone could; nobody else can."""
    done = said_with_sudo("pipwatch diagnose", box, home)
    assert done.returncode == 0, done.stderr
    made = (home / "pipwatch-report.zip").stat()
    assert (made.st_uid, made.st_gid, made.st_mode & 0o777) == (1234, 1234, 0o600)


@needs_root
def test_a_link_to_a_backup_is_brought_back_and_none_is_written_through(box: Path, home: Path) -> None:
    """What is read may lie behind a link, such as the newest one; what is written may not."""
    done = said_with_sudo(
        """
pipwatch backup b.zip; ln -s b.zip newest.zip; rm /var/lib/pipwatch/matches/a.match
pipwatch restore newest.zip; ln -s away.zip to.zip; pipwatch backup to.zip
""",
        box,
        home,
    )
    assert (box / "matches/a.match").read_bytes() == b"a match", done.stderr
    assert (done.returncode, "to.zip is there already" in done.stderr) == (2, True)
    assert not (home / "away.zip").exists()


@needs_root
@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("backup b.zip", "b.zip is there already"),
        ("restore b.zip", "b.zip is no backup that can be read"),
        ("restore away.zip", "away.zip: No such file"),
    ],
)
def test_a_file_that_is_there_or_none_is_one_sentence(box: Path, home: Path, words: str, told: str) -> None:
    """Nothing is written over, and what is no backup is refused in the words of the command."""
    (home / "b.zip").write_text("mine")
    done = said_with_sudo(f"pipwatch {words}", box, home)
    assert done.returncode == 2
    assert told in done.stderr
    assert done.stderr.count("\n") == 1
    assert (home / "b.zip").read_text() == "mine"


@needs_root
def test_a_box_that_keeps_nothing_yet_says_so(box: Path, home: Path) -> None:
    """Who said sudo is not told to say it."""
    (box / "matches/a.match").unlink()
    done = said_with_sudo("pipwatch backup", box, home)
    assert done.returncode == 2
    assert "the box keeps nothing yet" in done.stderr
    assert "sudo" not in done.stderr
    assert not [*home.iterdir()]


@needs_root
def test_a_link_in_the_folder_of_the_box_leads_root_nowhere(box: Path, home: Path) -> None:
    """Its owner could have laid it there."""
    (box / "matches/b.match").symlink_to("/mnt/secret")
    done = said_with_sudo("umask 077; echo secret > /mnt/secret; pipwatch backup", box, home)
    assert done.returncode == 0, done.stderr
    [made] = home.glob("*.zip")
    held = zipfile.ZipFile(made)
    assert "matches/a.match" in held.namelist()
    assert not any(b"secret" in held.read(name) for name in held.namelist())


@needs_root
def test_a_backup_lies_once_on_a_disk_that_has_room_for_one(box: Path, home: Path) -> None:
    """Neither it nor what is brought back is copied anywhere in between: there may be no room for that."""
    (box / "matches/a.match").write_bytes(os.urandom(2_000_000))
    small = """
mount -t tmpfs -o mode=755,size=3m tmpfs /mnt; cd /mnt
for each in /tmp /var/tmp /usr/tmp; do ! test -d $each || mount -t tmpfs -o ro tmpfs $each; done
pipwatch backup; rm /var/lib/pipwatch/matches/a.match; pipwatch restore *.zip
ls /mnt /var/lib/pipwatch/matches
"""
    done = said_with_sudo(small, box, home)
    assert done.returncode == 0, done.stderr
    assert "2.0 MB, checked" in done.stdout
    assert "1 matches are back" in done.stdout
    assert (box / "matches/a.match").stat().st_size == 2_000_000


@needs_root
def test_a_lens_that_root_learned_is_the_box_s_own(box: Path, home: Path) -> None:
    """Its user writes it, and where that user may not write nothing is written."""
    script = """
import sys
from device.cli import for_the_box
for_the_box.write(for_the_box.STATE / "calibration" / "picamera.toml", "title = 1")
try:
    for_the_box.write(for_the_box.Path("/etc/picamera.toml"), "title = 1")
except Exception as refused:
    print(type(refused).__name__)
"""
    (home / "keep.py").write_text(script)
    done = said_with_sudo(f'cd "{ROOT}"; PYTHONPATH="{ROOT}" "$PYTHON" "{home}/keep.py"', box, home)
    assert done.stdout.split() == ["UserError"], done.stderr
    kept = box / "calibration/picamera.toml"
    assert kept.read_text() == "title = 1"
    assert {kept.stat().st_uid, kept.parent.stat().st_uid} == {NOBODY.pw_uid}
    assert not Path("/etc/picamera.toml").exists()


def test_a_lens_that_cannot_be_written_whole_leaves_the_one_before(tmp_path: Path) -> None:
    """A card that fills up, or a power cut, leaves the old one or the new one, and no half."""
    kept = tmp_path / "calibration" / "picamera.toml"
    kept.parent.mkdir()
    kept.write_text("title = 1\n")
    write = for_the_box._WRITE
    limited = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)); {write}"
    for code, lens, done in (
        (limited, "title = 2\n" * 100, False),
        (for_the_box._WRITE, "title = 3\n", True),
    ):
        ran = subprocess.run(
            [sys.executable, "-c", code, str(kept)], input=lens, text=True, capture_output=True, cwd=ROOT
        )
        assert (ran.returncode == 0) == done, ran.stderr
        assert kept.read_text() == (lens if done else "title = 1\n")
        assert [path.name for path in kept.parent.iterdir()] == ["picamera.toml"]


def test_whoever_keeps_nothing_is_told_how_to_mean_the_box(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A backup of nothing would look like one of the box."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("PIPWATCH_CONFIG", str(tmp_path / "none.toml"))
    monkeypatch.setattr(for_the_box, "STATE", tmp_path)
    assert main(["backup", str(tmp_path / "b.zip")]) == 2
    assert "sudo pipwatch backup" in capsys.readouterr().err
    assert not (tmp_path / "b.zip").exists()


def test_nothing_is_brought_back_under_a_box_that_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It would go on with the settings that it has read, and with a folder that is another one."""
    monkeypatch.setattr(for_the_box, "is_meant", lambda: True)
    monkeypatch.setattr(for_the_box, "restore", lambda file: f"{file.name} is back")
    runs = iter((True, False))
    monkeypatch.setattr(field_machine.ThisMachine, "service_runs", lambda _self: next(runs))
    assert main(["restore", str(tmp_path / "b.zip")]) == 2
    assert "sudo systemctl stop pipwatch" in capsys.readouterr().err
    assert main(["restore", str(tmp_path / "b.zip")]) == 0
    assert "b.zip is back" in capsys.readouterr().out


@pytest.mark.parametrize("words", [["status", "--url", "http://127.0.0.1:9"], ["join"]])
def test_whoever_finds_no_box_is_told_how_this_machine_starts_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """Where it is a service, it is not to be started a second time by hand."""
    monkeypatch.setattr(announcing, "SERVICE_FOLDER", tmp_path / "run")
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    monkeypatch.setattr(for_the_box, "UNITS", (tmp_path / "pipwatch.service",))
    assert main(words) == 2
    assert "start one with pipwatch serve" in capsys.readouterr().err
    (tmp_path / "pipwatch.service").touch()
    assert main(words) == 2
    assert "sudo systemctl start pipwatch" in capsys.readouterr().err
