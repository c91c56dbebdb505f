"""What tests need of Debian: root has it installed, others are told; the pages alone ask for a browser."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
ALL = ("chromium", "chromedriver", "mosquitto", "mosquitto_passwd", "openssl", "strace", "systemd-analyze",
       "dpkg-deb")  # fmt: skip


def run(folder: Path, *present: str, user: str = "0", apt: str = "exit 0") -> tuple[str, list[str]]:
    """What it says on a machine with these programs, and what it asked of apt-get; it never fails."""
    programs = folder / "bin"
    programs.mkdir()
    for name in (*present, "apt"):
        words = f'#!/bin/sh\necho "$@" >> {folder}/asked\n{apt}\n' if name == "apt" else "#!/bin/sh\n"
        (programs / name).write_text(words)
        (programs / name).chmod(0o755)
    more = {"TOOLS_PATH": str(programs), "TOOLS_USER": user, "APT": str(programs / "apt")}
    done = subprocess.run([ROOT / ".ci/tools"], env=os.environ | more, capture_output=True, text=True)
    assert done.returncode == 0
    asked = folder / "asked"
    return done.stdout + done.stderr, asked.read_text().splitlines() if asked.exists() else []


def test_where_all_is_there_nothing_is_asked(tmp_path: Path) -> None:
    """No package list is loaded for nothing."""
    assert run(tmp_path, *ALL) == ("", [])


def test_root_installs_what_is_missing_and_nothing_else(tmp_path: Path) -> None:
    """A new machine has neither browser nor broker; their tests must run there as well."""
    told, asked = run(tmp_path, *ALL[3:])
    assert asked == [
        "-qq update",
        "-qq install -y --no-install-recommends chromium chromium-driver mosquitto",
    ]
    assert told == "Installing what tests need: chromium chromium-driver mosquitto…\n"


def test_others_are_told_what_to_type(tmp_path: Path) -> None:
    """Nothing is asked of apt-get that it would refuse."""
    told, asked = run(tmp_path, *ALL[1:], user="1000")
    assert (told, asked) == ("Some tests are skipped: they need sudo apt install chromium\n", [])


def test_a_network_that_is_away_is_a_sentence(tmp_path: Path) -> None:
    """What apt-get says stands above it; the other tests run all the same."""
    told, asked = run(tmp_path, *ALL[1:], apt="echo no network >&2; exit 100")
    assert asked == ["-qq update"]
    assert "no network" in told
    assert told.endswith("could not install chromium; what it said stands above.\n")


def test_ci_asks_for_them_first_and_so_does_the_browser_target() -> None:
    """Else a new machine would skip these tests and call itself green."""
    lines = (ROOT / ".ci/run").read_text().splitlines()
    assert lines.index(".ci/tools") < lines.index("make test")
    planned = subprocess.run(
        ["make", "-n", "test-browser"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert ".ci/tools" in planned.stdout
    assert "tests/web/test_lobby_browser.py" in planned.stdout


def test_the_browser_target_fails_where_there_is_no_browser(tmp_path: Path) -> None:
    """Whoever asks for these tests is not told that all of them were skipped; before any of them runs."""
    asks = [sys.executable, "-m", "tests.web.browser"]
    bare = os.environ | {"PATH": str(tmp_path)}
    done = subprocess.run(asks, cwd=ROOT, env=bare, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == "Chromium and its driver are not installed (Debian: chromium-driver)\n"
    for name in ("chromium", "chromedriver"):
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(asks, cwd=ROOT, env=bare, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    planned = subprocess.run(
        ["make", "-n", "test-browser"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    lines = planned.stdout.splitlines()
    check = next(k for k, line in enumerate(lines) if line.endswith("-m tests.web.browser"))
    assert lines.index(".ci/tools") < check < next(k for k, line in enumerate(lines) if "-m pytest" in line)


def test_ci_ends_where_there_is_no_browser(tmp_path: Path) -> None:
    """Before anything is tested: else what is left would pass, and the change with it."""
    where = tmp_path / "repo"
    (where / ".ci").mkdir(parents=True)
    (where / ".ci" / "run").write_bytes((ROOT / ".ci/run").read_bytes())
    (where / "tests").symlink_to(ROOT / "tests")
    programs = tmp_path / "bin"
    programs.mkdir()
    for program, words in (
        (where / ".ci" / "tools", "echo Some tests are skipped"),
        (programs / "make", f'echo "$@" >> {tmp_path}/made'),
    ):
        program.write_text(f"#!/bin/sh\n{words}\n")
        program.chmod(0o755)
    (programs / "dirname").symlink_to("/usr/bin/dirname")
    bare = os.environ | {"PATH": str(programs), "PY": sys.executable, "PYTHONDONTWRITEBYTECODE": "1"}
    for there, ends, made in ((False, 1, []), (True, 0, ["check", "cover", "test", "test-long-plain"])):
        for name in ("chromium", "chromedriver") if there else ():
            (programs / name).write_text("#!/bin/sh\n")
            (programs / name).chmod(0o755)
        done = subprocess.run(["/bin/bash", where / ".ci" / "run"], env=bare, capture_output=True, text=True)
        assert done.returncode == ends
        assert ("are not installed" in done.stderr) is not there
        told = tmp_path / "made"
        assert (told.read_text().split() if told.exists() else []) == made
