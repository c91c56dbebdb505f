"""`make deb`: the tree as a Debian package, put together by dpkg-deb.

Code and libraries lie in a folder of their own, as names like `engine` belong to nobody in a system's Python.
The same tree and the same SOURCE_DATE_EPOCH (by default the time of the last commit) give the same bytes.
Each build of a checkout has a version of its own: to apt a second package of one version is nothing new.
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
EARLIER = "earlier"
"""Where builds before this one go."""
PARTS = (*ROOMS, "systemd", "pyproject.toml", "LICENSE", "README.md", "CHANGELOG.md")
"""What of the tree a package is made of."""


def main() -> None:
    """Build what the command line asks for, and print its path."""
    words = argparse.ArgumentParser(description="Build the Debian package of this tree.")
    words.add_argument("--out", type=Path, default=ROOT / "dist", help="the folder for it (dist)")
    words.add_argument("--version", help="another version than the tree's, for trials")
    asked = words.parse_args()
    path = built(asked.out, asked.version or version())
    _set_aside(path)
    print(path)


def version() -> str:
    """The tree's version and which build of it: 0.1.0+N.gHASH, where N counts the commits.

    What was changed since comes after its commit, by the time of the last change. Plain where nobody counts.
    """
    plain = str(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"])
    if why := _uncounted():
        print(f"{why}: this build is called {plain}, as others are, and apt cannot tell them apart.",
              file=sys.stderr)  # fmt: skip
        return plain
    count, commit = _git("rev-list", "--count", "HEAD").strip(), _git("rev-parse", "--short", "HEAD").strip()
    return f"{plain}+{count}.g{commit}{_changed()}"


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


def _set_aside(path: Path) -> None:
    """Move other builds into a folder for the way back: `./dist/pipwatch_*.deb` is to mean this one alone."""
    for other in path.parent.glob("pipwatch_*_all.deb"):
        if other != path:
            (path.parent / EARLIER).mkdir(exist_ok=True)
            other.replace(path.parent / EARLIER / other.name)


def _git(*words: str) -> str:
    """What git says of this tree; nothing where it knows none, or is not there."""
    try:
        # Without locks: root, who only looks, would leave files of its own in somebody's checkout.
        done = subprocess.run(
            ["git", "-C", ROOT, "--no-optional-locks", *words], capture_output=True, text=True, check=False
        )
    except OSError:
        return ""
    return "" if done.returncode else done.stdout


def _uncounted() -> str:
    """Why the commits of this tree say nothing of its age, or nothing."""
    top = _git("rev-parse", "--show-toplevel").rstrip("\n")
    if not top or not Path(top).samefile(ROOT) or not _git("rev-parse", "--verify", "HEAD"):
        return "No git knows this tree"
    if _git("rev-parse", "--is-shallow-repository").strip() != "false":
        return "This checkout lacks its older commits (git fetch --unshallow brings them)"
    return ""


def _changed() -> str:
    """What a build's version has behind its commit: when the tree was last changed since, or nothing."""
    told = _git("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all", "--", *PARTS)
    paths = [ROOT / entry[3:] for entry in told.split("\0") if entry]
    if not paths:
        return ""
    # Of a file that is gone its folder knows when.
    there = [next(one for one in (path, *path.parents) if one.exists()) for path in paths]
    last = max(one.stat().st_mtime for one in there)
    return time.strftime(".dirty.%Y%m%d%H%M%S", time.gmtime(last))


def _epoch() -> int:
    """The one time that all files of the package bear."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    return int(_git("log", "-1", "--format=%ct") or time.time())


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
