"""The package: what is in it, that it is the same each time, and what it says when it is no longer whole."""

import os
import re
import runpy
import shutil
import socket
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from device import rights
from device.health import pi_board
from device.health.finding import Grade
from device.health.parcel import parcel, trouble
from device.keeping.masking import Mask

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "systemd/package"


def home(folder: Path, code: str = "1.0 abc\n", carried: str = "1.0 abc\n") -> Path:
    """A folder as the package makes it."""
    (folder / "carried").mkdir()
    (folder / "BUILD").write_text(code)
    (folder / "carried/BUILD").write_text(carried)
    return folder


def dpkg(state: str = "installed", verify: str = "") -> Callable[[Sequence[str]], str]:
    """Stands in for dpkg and dpkg-query, with their own call signatures."""

    def say(command: Sequence[str]) -> str:
        if command[0] == "dpkg-query":
            assert command[1:] == ["--showformat", "${db:Status-Status}", "--show", "pipwatch"]
            return state
        assert command == ["dpkg", "--verify", "pipwatch"]
        return verify

    return say


def test_a_checkout_has_no_package_to_speak_of(tmp_path: Path) -> None:
    """Nothing is asked, nothing is said."""
    assert parcel(tmp_path, dpkg()) is None
    assert trouble(tmp_path, dpkg()) == ""


def test_a_whole_package_tells_its_version(tmp_path: Path) -> None:
    """And nothing is wrong."""
    found = parcel(home(tmp_path), dpkg())
    assert found is not None
    assert (found.grade, found.words) == (Grade.OK, "1.0")
    assert trouble(tmp_path, dpkg()) == ""


@pytest.mark.parametrize("state", ["unpacked", "half-configured", "half-installed"])
def test_half_an_update_names_the_command_that_ends_it(tmp_path: Path, state: str) -> None:
    """Whatever dpkg calls it."""
    told = trouble(home(tmp_path), dpkg(state))
    assert f"dpkg calls the package {state}; sudo dpkg --configure -a" in told


def test_halves_of_two_builds_are_half_an_update(tmp_path: Path) -> None:
    """As after a pulled plug while files were being replaced."""
    assert "of two builds" in trouble(home(tmp_path, carried="0.9 abc\n"), dpkg())
    (tmp_path / "carried/BUILD").unlink()
    assert "of two builds" in trouble(tmp_path, dpkg())


def test_damage_names_the_file_and_the_remedy(tmp_path: Path) -> None:
    """Files of other folders are dpkg's business, not ours."""
    folder = home(tmp_path)
    lines = f"??5??????   {folder}/engine/book.py\nmissing     {folder}/web/a.js\n??5?????? c /etc/other\n"
    told = trouble(folder, dpkg(verify=lines))
    assert told.startswith(
        f"the package is damaged: {folder}/engine/book.py and 1 more is not as it was packed; "
    )
    assert "apt install --reinstall" in told


@pytest.mark.parametrize(
    ("model", "biggest", "grade", "words"),
    [
        ("Raspberry Pi 5 Model B Rev 1.0", 2**63, Grade.OK, "Raspberry Pi 5 Model B"),
        ("Raspberry Pi 400 Rev 1.0", 2**63, Grade.OK, "Raspberry Pi 400"),
        ("Raspberry Pi Zero 2 W Rev 1.0", 2**63, Grade.ABSENT, "but may work"),
        ("Radxa ROCK 5B", 2**63, Grade.ABSENT, "but may work"),
        ("Raspberry Pi 4 Model B", 2**31, Grade.FAILS, "32-bit"),
        ("", 2**63, Grade.OK, "no Raspberry Pi"),
        ("", 2**31, Grade.FAILS, "32-bit"),
    ],
)
def test_a_board_is_refused_only_where_it_cannot_work(
    tmp_path: Path, model: str, biggest: int, grade: Grade, words: str
) -> None:
    """A 32-bit system cannot; another board is only warned of."""
    path = tmp_path / "model"
    if model:
        path.write_bytes(model.encode() + b"\0")
    memory = tmp_path / "meminfo"
    memory.write_text("MemTotal:        3882064 kB\n")
    found = pi_board.board(path, biggest, memory)
    assert found.grade is grade
    assert words in found.words
    assert bool(found.remedy) is (grade is not Grade.OK)


@pytest.mark.parametrize(
    ("memory", "grade", "words"),
    [
        ("MemTotal:         944264 kB\nMemFree: 9 kB\n", Grade.ABSENT, "; it has 0.9 GB of memory, and 2"),
        ("MemTotal:        1870320 kB\n", Grade.OK, "Raspberry Pi 4 Model B Rev 1.1, 64 bits"),
        ("nothing\n", Grade.OK, "64 bits"), (None, Grade.OK, "64 bits"),
    ],
)  # fmt: skip
def test_a_board_of_little_memory_is_warned_of(
    tmp_path: Path, memory: str | None, grade: Grade, words: str
) -> None:
    """A Pi 4 of 1 GB is no board of 2 GB; what it lacks and what to do are told."""
    (tmp_path / "model").write_bytes(b"Raspberry Pi 4 Model B Rev 1.1\0")
    if memory is not None:
        (tmp_path / "meminfo").write_text(memory)
    found = pi_board.board(tmp_path / "model", 2**63, tmp_path / "meminfo")
    assert found.grade is grade
    assert words in found.words
    assert ("2 GB or more" in found.remedy) is (grade is Grade.ABSENT)
    wrong = pi_board.board(tmp_path / "model", 2**31, tmp_path / "meminfo")
    assert wrong.grade is Grade.FAILS  # a system that cannot run is told before all else
    assert "memory" not in wrong.words


def test_a_device_without_permission_names_the_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The remedy is a group where the device has one, else the rule that gives it one."""
    assert pi_board.devices(tmp_path) is None
    for name, mode in (("video0", 0o660), ("gpiochip0", 0o600)):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(mode)
    assert pi_board.devices(tmp_path) is None
    monkeypatch.setattr(rights.os, "geteuid", lambda: 0)
    monkeypatch.setattr(rights.os, "access", lambda path, _mode: path.name != "video0")
    monkeypatch.setattr(rights, "getgrgid", lambda _gid: type("Group", (), {"gr_name": "video"}))
    found = pi_board.devices(tmp_path, rights.DeviceUser(0))
    assert found is not None
    assert found.words == f"{tmp_path}/video0 (camera) may not be used by root"
    assert found.remedy == "sudo usermod -aG video root, then restart"
    (tmp_path / "video0").chmod(0o666)
    found = pi_board.devices(tmp_path, rights.DeviceUser(4_000_000))
    assert found is not None
    assert "(pins) may not be used by user 4000000" in found.words
    assert "its rule gives the device a group" in found.remedy


@pytest.mark.parametrize("script", ["preinst", "postinst", "prerm", "postrm", "rtupdate"])
def test_the_maintainer_scripts_are_scripts(script: str) -> None:
    """The shell that Debian runs them by can read them."""
    subprocess.run(["sh", "-n", PACKAGE / script], check=True)


@pytest.mark.parametrize(("arch", "status"), [("armhf", 1), ("i386", 1), ("arm64", 0), ("amd64", 0)])
def test_a_32_bit_system_is_refused_before_anything_is_unpacked(
    tmp_path: Path, arch: str, status: int
) -> None:
    """In one sentence with what to do."""
    (tmp_path / "dpkg").write_text(f"#!/bin/sh\necho {arch}\n")
    (tmp_path / "dpkg").chmod(0o755)
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = subprocess.run(
        ["sh", PACKAGE / "preinst", "install"], capture_output=True, text=True, env={"PATH": path}
    )
    assert done.returncode == status
    assert ("this system is 32-bit" in done.stderr) is bool(status)


def test_a_damaged_package_ends_in_a_sentence(tmp_path: Path) -> None:
    """The command as it is installed, over code that breaks off."""
    (tmp_path / "device").mkdir()
    (tmp_path / "device/__init__.py").write_text("(\n")
    command = tmp_path / "pipwatch"
    command.write_text((PACKAGE / "pipwatch").read_text().replace("/usr/lib/pipwatch", str(tmp_path)))
    done = subprocess.run([sys.executable, "-I", command, "--version"], capture_output=True, text=True)
    assert done.returncode == 3
    assert done.stderr.startswith("pipwatch: the package is damaged (")
    assert "Traceback" not in done.stderr


def damaged(folder: Path, was: str, quicker: str) -> Path:
    """The command as it is installed, over code that breaks off; one of its times is made shorter."""
    (folder / "device").mkdir()
    (folder / "device/__init__.py").write_text("(\n")
    command = folder / "pipwatch"
    code = (PACKAGE / "pipwatch").read_text().replace("/usr/lib/pipwatch", str(folder))
    assert was in code
    command.write_text(code.replace(was, quicker))
    return command


@pytest.mark.parametrize(
    "by_page", ["", '[service]\nhost = "127.0.0.1"\nport = PORT\n', "[service]\nport = ", "service = 3\n"]
)
def test_a_damaged_service_says_so_on_the_page(tmp_path: Path, by_page: str) -> None:
    """Where the page is looked for the sentence is read; systemd hears that it lives, and lets it."""
    command = damaged(tmp_path, "BEAT_S = 5.0", "BEAT_S = 0.05")
    with socket.socket() as free, socket.socket() as other:
        free.bind(("", 0))
        other.bind(("", 0))
        port, by_hand = free.getsockname()[1], other.getsockname()[1]
    by_hand = by_hand if "PORT" in by_page else port  # what the page has set counts before it
    (tmp_path / "config.toml").write_text(f"[service]\nport = {by_hand}\n")
    (tmp_path / "settings.toml").write_text(by_page.replace("PORT", str(port)))
    around = {"PIPWATCH_CONFIG": str(tmp_path / "config.toml"), "STATE_DIRECTORY": str(tmp_path),
              "NOTIFY_SOCKET": str(tmp_path / "keeper")}  # fmt: skip
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as keeper:
        keeper.bind(str(tmp_path / "keeper"))
        keeper.settimeout(20)
        with subprocess.Popen([sys.executable, "-I", command, "serve"], env=around) as serving:
            try:
                assert keeper.recv(4096).startswith(b"READY=1\nSTATUS=the package is damaged (")
                assert keeper.recv(4096) == b"WATCHDOG=1"
                for path in ("", "api/health"):
                    with pytest.raises(urllib.error.HTTPError, match="503") as told:
                        urllib.request.urlopen(f"http://127.0.0.1:{port}/{path}", timeout=10)
                    assert "sudo apt install --reinstall" in told.value.read().decode()
                    told.value.close()
            finally:
                serving.terminate()


@pytest.mark.parametrize("host", ["::1", "127.0.0.1"])
def test_a_damaged_service_waits_for_its_place(tmp_path: Path, host: str) -> None:
    """At an address of IPv6, too; another program has the port, and goes."""
    command = damaged(tmp_path, "AGAIN_S = 10.0", "AGAIN_S = 0.1")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    around = {"PIPWATCH_CONFIG": str(tmp_path / "config.toml"), "STATE_DIRECTORY": str(tmp_path),
              "NOTIFY_SOCKET": str(tmp_path / "keeper")}  # fmt: skip
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as keeper, socket.socket(family) as other:
        other.bind((host, 0))
        other.listen()
        port = other.getsockname()[1]
        (tmp_path / "config.toml").write_text(f'[service]\nhost = "{host}"\nport = {port}\n')
        keeper.bind(str(tmp_path / "keeper"))
        keeper.settimeout(20)
        with subprocess.Popen(
            [sys.executable, "-I", command, "serve"], env=around, stderr=subprocess.PIPE, text=True
        ) as serving:
            try:
                assert serving.stderr is not None
                assert "the package is damaged" in serving.stderr.readline()
                assert "the page cannot be opened: Address already in use" in serving.stderr.readline()
                other.close()
                assert keeper.recv(4096).startswith(b"READY=1")
                place = f"[{host}]" if ":" in host else host
                with pytest.raises(urllib.error.HTTPError, match="503") as told:
                    urllib.request.urlopen(f"http://{place}:{port}/", timeout=10)
                told.value.close()
            finally:
                serving.terminate()


def test_purge_empties_a_partition_of_its_own(tmp_path: Path) -> None:
    """Where matches lie on a partition its folder cannot be removed: it is emptied, and purge ends well."""
    script = (PACKAGE / "postrm").read_text()
    for place in ("/var/lib/pipwatch", "/run/pipwatch", "/etc/pipwatch", "/etc/avahi", "/etc/issue.d"):
        script = script.replace(place, f"{tmp_path}{place}")
    (tmp_path / "elsewhere").mkdir()
    for path in ("var/lib/pipwatch/matches/a.match", "etc/pipwatch/config.toml", "run/other", "elsewhere/a",
                 "etc/issue.d/pipwatch.issue"):  # fmt: skip
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("kept until now\n")
    (tmp_path / "run/pipwatch").symlink_to(tmp_path / "elsewhere")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, does in (("rmdir", "exit 1"), ("getent", "exit 2"), ("systemctl", ""), ("udevadm", "")):
        (tools / name).write_text(f"#!/bin/sh\n{does}\n")
        (tools / name).chmod(0o755)
    script = script.replace("/usr/bin/deb-systemd-helper", str(tools / "none"))
    done = subprocess.run(
        ["sh", "-c", script, "postrm", "purge"],
        capture_output=True, text=True, env={"PATH": f"{tools}:{os.environ['PATH']}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert f"{tmp_path}/var/lib/pipwatch stays: a partition is mounted there." in done.stderr
    assert [*(tmp_path / "var/lib/pipwatch").iterdir()] == []
    assert (tmp_path / "run/other").exists()
    assert not (tmp_path / "etc/issue.d/pipwatch.issue").exists()
    assert not (tmp_path / "run/pipwatch").exists()  # a link is taken away, and nothing behind it
    assert (tmp_path / "elsewhere/a").exists()


def test_all_that_is_carried_is_what_was_tested() -> None:
    """The locked versions are those that the tests run with, each held to a check sum."""
    locked = dict(
        re.findall(
            r"^([\w-]+)==([\d.]+) --hash=sha256:[0-9a-f]{64}$", (PACKAGE / "carried.txt").read_text(), re.M
        )
    )
    tested = dict(re.findall(r"^([\w-]+)==([\d.]+)$", (ROOT / "constraints.txt").read_text(), re.M))
    assert {"Flask", "waitress", "segno", "MarkupSafe"} <= locked.keys()
    assert {name: tested[name] for name in locked if name in tested} == {
        name: number for name, number in locked.items() if name in tested
    }
    assert "numpy" not in locked


def checkout(folder: Path) -> Path:
    """A tree with what builds a package of it."""
    for name in ("engine", "docs", "systemd/package"):
        (folder / name).mkdir(parents=True)
    for file in (PACKAGE / "deb.py", ROOT / "pyproject.toml"):
        shutil.copy(file, folder / file.relative_to(ROOT))
    return folder


def git(tree: Path, *words: str) -> None:
    """Let git do something in a tree, as somebody."""
    somebody = ("-c", "user.name=Ann", "-c", "user.email=ann@localhost", "-c", "commit.gpgsign=false")
    subprocess.run(["git", "-C", tree, *somebody, *words], check=True, stdout=subprocess.DEVNULL)


def commit(tree: Path) -> str:
    """What a build is called after one commit more."""
    git(tree, "add", "--all")
    git(tree, "commit", "--quiet", "--allow-empty", "--message", "More")
    return build(tree)


def build(tree: Path) -> str:
    """What a build of a tree is called."""
    return str(runpy.run_path(str(tree / "systemd/package/deb.py"))["version"]())


def plain() -> str:
    """The version of this tree, whichever build."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


def changed(file: Path, at_s: float) -> None:
    """Somebody changes a file at that time."""
    file.write_text(f"changed at {at_s}\n")
    os.utime(file, (at_s, at_s))


def test_each_build_of_a_checkout_is_newer_than_those_before(tmp_path: Path) -> None:
    """By dpkg's own compare: commit after commit, what was changed since one between it and the next."""
    tree = checkout(tmp_path)
    git(tree, "init", "--quiet")
    (tree / "engine/book.py").touch()
    names = ["0.0.9", plain(), *(commit(tree) for _ in range(9))]
    changed(tree / "docs/pi.md", 2e9)
    assert build(tree) == names[-1]  # no file of the package
    for at_s in (1.9e9, 2e9):
        changed(tree / "engine/book.py", at_s)
        names.append(build(tree))
    assert build(tree) == names[-1]
    assert names[-1].endswith(".dirty.20330518033320")
    changed(tree / "engine/new.py", 2.1e9)
    names.append(build(tree))
    names += [commit(tree), commit(tree)]
    (tree / "engine/book.py").unlink()
    names.append(build(tree))
    names += [commit(tree), f"{plain()}.1"]
    for earlier, later in pairwise(names):
        done = subprocess.run(["dpkg", "--compare-versions", earlier, "lt", later])
        assert done.returncode == 0, (earlier, later)


@pytest.mark.parametrize(
    ("kind", "words"),
    [("without", "No git"), ("within another", "No git"), ("shallow", "git fetch --unshallow")],
)
def test_a_tree_whose_commits_nobody_counts_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, words: str
) -> None:
    """Its package bears the plain version: unpacked without git, within something else's, or cut short."""
    tree = checkout(tmp_path / "tree")
    if kind != "without":
        git(tmp_path if kind == "within another" else tree, "init", "--quiet")
    if kind == "shallow":
        commit(tree)
        commit(tree)
        capsys.readouterr()
        git(tmp_path, "clone", "--quiet", "--depth", "1", tree.as_uri(), "cut")
        tree = tmp_path / "cut"
    assert build(tree) == plain()
    told = capsys.readouterr().err
    assert words in told
    assert f"this build is called {plain()}" in told


def test_a_build_tells_which_one_it_is(tmp_path: Path) -> None:
    """By its command, in a bundle for bug reports, and where the doctor looks."""
    number = f"{plain()}+886.g87bec72.dirty.20261126074436"
    package = runpy.run_path(str(PACKAGE / "deb.py"))
    package["_code"](tmp_path, number)
    (tmp_path / "carried").mkdir()
    package["_marked"](tmp_path, number)
    code = (
        "from device.cli import main\nfrom device.keeping.bundle import versions\n"
        "print(versions()['pipwatch'], flush=True)\nmain(['--version'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True, text=True, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout.splitlines() == [number, f"pipwatch {number}"]
    found = parcel(tmp_path, dpkg())
    assert found is not None
    assert found.words == number
    assert Mask((), {}).text(found.words) == number


def test_one_build_lies_where_it_is_looked_for(tmp_path: Path) -> None:
    """What was built before is kept for the way back; files of others stay where they are."""
    for name in ("pipwatch_1_all.deb", "pipwatch_2_all.deb", "other.deb"):
        (tmp_path / name).write_text(name)
    runpy.run_path(str(PACKAGE / "deb.py"))["_set_aside"](tmp_path / "pipwatch_2_all.deb")
    left = sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.deb"))
    assert left == ["earlier/pipwatch_1_all.deb", "other.deb", "pipwatch_2_all.deb"]


@pytest.mark.long
def test_the_same_tree_gives_the_same_package(tmp_path: Path) -> None:
    """Byte by byte; it has the command, nothing compiled, and all belongs to root."""
    built = runpy.run_path(str(PACKAGE / "deb.py"))["built"]
    first, second = (built(tmp_path / name, "9.9") for name in ("a", "b"))
    assert first.read_bytes() == second.read_bytes()
    listed = subprocess.run(["dpkg-deb", "-c", first], capture_output=True, text=True, check=True).stdout
    assert "./usr/bin/pipwatch" in listed
    assert "./usr/lib/pipwatch/carried/flask/app.py" in listed
    assert not re.search(r"\.so$|\.pyc$|numpy", listed, re.M)
    assert all(line.split()[1] == "root/root" for line in listed.splitlines())
