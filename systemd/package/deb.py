"""`make deb`: the tree as a Debian package, put together by dpkg-deb.

Code and libraries lie in a folder of their own, as names like `engine` belong to nobody in a system's Python.
The same tree and the same SOURCE_DATE_EPOCH (by default the time of the last commit) give the same bytes.
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
OURS = ROOT / "systemd"
ROOMS = ("engine", "calibration", "vision", "simulation", "device", "web")
HOME = "usr/lib/pipwatch"
PLACES = {
    "package/pipwatch": "usr/bin/pipwatch",
    "package/rtupdate": "usr/share/python3/runtime.d/pipwatch.rtupdate",
    "package/copyright": "usr/share/doc/pipwatch/copyright",
    "pipwatch.service": "usr/lib/systemd/system/pipwatch.service",
    "pipwatch-console.path": "usr/lib/systemd/system/pipwatch-console.path",
    "pipwatch-console.service": "usr/lib/systemd/system/pipwatch-console.service",
    "pipwatch-stick.socket": "usr/lib/systemd/system/pipwatch-stick.socket",
    "pipwatch-stick@.service": "usr/lib/systemd/system/pipwatch-stick@.service",
    "pipwatch.sysusers": "usr/lib/sysusers.d/pipwatch.conf",
    "pipwatch.tmpfiles": "usr/lib/tmpfiles.d/pipwatch.conf",
    "pipwatch.modules": "usr/lib/modules-load.d/pipwatch.conf",
    "pipwatch.rules": "usr/lib/udev/rules.d/40-pipwatch.rules",
    "pipwatch.polkit.rules": "usr/share/polkit-1/rules.d/pipwatch.rules",
}
"""Where each file of systemd/ goes."""
PROGRAMS = ("usr/bin/pipwatch", "usr/share/python3/runtime.d/pipwatch.rtupdate")
SCRIPTS = ("preinst", "postinst", "prerm", "postrm")
PYTHON = "3.11"
"""The oldest Python that has to read what is carried."""


def main() -> None:
    """Build what the command line asks for, and print its path."""
    words = argparse.ArgumentParser(description="Build the Debian package of this tree.")
    words.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder for it (dist)")
    words.add_argument("--version", default=version(), help="another version than the tree's, for trials")
    asked = words.parse_args()
    print(built(asked.out, asked.version))


def version() -> str:
    """The version of the tree."""
    return str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])


def built(out: Path, number: str) -> Path:
    """Build the package of this version in a folder; an older one of the same name is replaced."""
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"pipwatch_{number}_all.deb"
    epoch = _epoch()
    with tempfile.TemporaryDirectory(prefix="pipwatch-deb-") as folder:
        stage = Path(folder) / "stage"
        _code(stage / HOME, number)
        _carried(stage / HOME / "carried")
        _marked(stage / HOME, number)
        for ours, place in PLACES.items():
            _copied(OURS / ours, stage / place)
        for name in ("LICENSE", "README.md", "CHANGELOG.md"):
            _copied(ROOT / name, stage / "usr/share/doc/pipwatch" / name)
        _settled(stage)
        _control(stage, number)
        for each in (stage, *stage.rglob("*")):
            os.utime(each, (epoch, epoch), follow_symlinks=False)
        subprocess.run(
            ["dpkg-deb", "--root-owner-group", "-Zxz", "--build", stage, path],
            check=True, stdout=subprocess.DEVNULL, env=os.environ | {"SOURCE_DATE_EPOCH": str(epoch)},
        )  # fmt: skip
    return path


def _epoch() -> int:
    """The one time that all files of the package bear."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    said = subprocess.run(
        ["git", "log", "-1", "--format=%ct"], cwd=ROOT, capture_output=True, text=True, check=False
    )
    return int(said.stdout or time.time())


def _code(home: Path, number: str) -> None:
    """The rooms, and the version as Python's own tools know it."""
    for room in ROOMS:
        shutil.copytree(ROOT / room, home / room, ignore=shutil.ignore_patterns("__pycache__", "*.pyc"))
    info = home / f"pipwatch-{number}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: pipwatch\nVersion: {number}\n")
    (info / "INSTALLER").write_text("dpkg\n")


def _carried(folder: Path) -> None:
    """The libraries, each held to its check sum; for one platform, so that all builders have the same."""
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--target", folder,
         "--require-hashes", "--no-deps", "--no-compile", "--only-binary", ":all:",
         "--platform", "manylinux2014_x86_64", "--implementation", "cp", "--python-version", PYTHON,
         "--requirement", OURS / "package/carried.txt"],
        check=True,
    )  # fmt: skip
    shutil.rmtree(folder / "bin", ignore_errors=True)
    for each in (*folder.rglob("*.so"), *folder.rglob("RECORD"), *folder.rglob("REQUESTED")):
        each.unlink()


def _marked(home: Path, number: str) -> None:
    """One mark in both halves: where they differ, an update broke off between them."""
    carried = hashlib.sha256((OURS / "package/carried.txt").read_bytes()).hexdigest()
    for folder in (home, home / "carried"):
        (folder / "BUILD").write_text(f"{number} {carried[:16]}\n")


def _copied(file: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, place)


def _settled(stage: Path) -> None:
    """Everything may be read by all and changed by none, whatever the builder's umask."""
    for each in (stage, *stage.rglob("*")):
        runs = each.is_dir() or str(each.relative_to(stage)) in PROGRAMS
        each.chmod(0o755 if runs else 0o644)


def _control(stage: Path, number: str) -> None:
    """What dpkg has to know, with a check sum of every file, by which it can tell damage later."""
    files = sorted(path for path in stage.rglob("*") if path.is_file())
    sums = [f"{hashlib.md5(path.read_bytes()).hexdigest()}  {path.relative_to(stage)}\n" for path in files]
    kilobytes = sum(path.stat().st_size for path in files) // 1024
    folder = stage / "DEBIAN"
    folder.mkdir(mode=0o755)
    words = (OURS / "package/control").read_text()
    (folder / "control").write_text(words.replace("@VERSION@", number).replace("@SIZE@", str(kilobytes)))
    (folder / "md5sums").write_text("".join(sums))
    for name in SCRIPTS:
        shutil.copyfile(OURS / "package" / name, folder / name)
        (folder / name).chmod(0o755)


if __name__ == "__main__":
    main()
