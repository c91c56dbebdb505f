"""`make trial`: the package in fresh roots of Debian: installed, tried, updated, damaged, removed and purged.

Run it as root. A root is made once by debootstrap and kept; a trial works on a layer above it, which is
thrown away. Roots of another processor are run by qemu-user-static; the kernel is told so where nobody has.
"""

import argparse
import json
import os
import platform
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

TREE = Path(__file__).parents[2]
sys.path.insert(0, str(TREE / "systemd/package"))
import deb  # noqa: E402 — its folder is no package

RELEASES = {"bookworm": 12, "trixie": 13}
NATIVE = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
NEEDED = "dbus,systemd,systemd-sysv,udev,ca-certificates"
BEFORE = "0.0.9"
"""The version that is installed first, to be updated."""
GAME, RULED = "draw-game", "LEGAL ["
PATIENCE_S = 5400
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "OPENCV_FOR_THREADS_NUM": "1"}
"""For an emulated processor: threads that wait for each other in a loop are played in full."""
PLAYED = {"QEMU_CPU": "cortex-a72"}
"""A Pi 4's processor: qemu's own choice can do more than any Pi, and is up to thirty times slower to play."""
FEASIBLE = ("tests/engine/draw_game", "tests/device/match", "tests/device/journal/test_store.py",
            "tests/device/keeping/test_backup.py", "tests/device/keeping/test_cut_restore.py")  # fmt: skip
"""Tests without browser and picture that an emulated processor runs in minutes."""
IGNORED = ("/var/cache/", "/var/log/", "/var/lib/apt/", "/var/lib/dpkg/", "/run/", "/tmp/", "/root/trial/")
"""What every package leaves behind in dpkg's own books, and what is thrown away."""
BINFMT = Path("/proc/sys/fs/binfmt_misc")
QEMU = Path("/usr/bin/qemu-aarch64-static")
FOREIGN = (
    r":qemu-aarch64:M::\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00"
    r":\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff"
    f":{QEMU}:OPF"
)
"""Programs for arm64, by how their files begin; F: qemu is opened now, as a root has none."""
WATCHED = ("/etc/passwd", "/etc/group", "/etc/shadow", "/etc/gshadow")


def mirror() -> str:
    """Where this machine's own Debian comes from."""
    told = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI)"], capture_output=True, text=True, check=True
    ).stdout.split()
    plain = [one for one in told if one.rstrip("/").endswith("/debian")]
    must(bool(plain), "apt knows no mirror of Debian from which a root could be made")
    return plain[0]


class Failed(Exception):
    """What did not go as it has to."""


def must(true: bool, words: str) -> None:
    """Go on only if it is so."""
    if not true:
        raise Failed(words)


@dataclass(frozen=True)
class Root:
    """A Debian to work in."""

    folder: Path
    emulated: bool = False

    @property
    def surroundings(self) -> dict[str, str]:
        """What programs in it are told."""
        path = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        plain = {"PATH": path, "DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8", "HOME": "/root"}
        return plain | (ONE_THREAD | PLAYED if self.emulated else {})

    def run(self, *command: str, check: bool = True, limit_s: int = PATIENCE_S) -> str:
        """What a command in it says."""
        done = subprocess.run(
            ["chroot", self.folder, *command],
            capture_output=True, text=True, env=self.surroundings, timeout=limit_s,
        )  # fmt: skip
        if check and done.returncode:
            raise Failed(
                f"{' '.join(command)} ended with {done.returncode}: {(done.stdout + done.stderr)[-3000:]}"
            )
        return done.stdout + done.stderr

    def apt(self, *words: str) -> float:
        """Let apt work, and say how many seconds it took."""
        began = time.monotonic()
        self.run("apt-get", "-qq", "-o", "Dpkg::Use-Pty=0", "-y", *words)
        return time.monotonic() - began

    def files(self) -> dict[str, str]:
        """Every path in it, and what the books of users say."""
        found = {}
        for folder, folders, names in os.walk(self.folder):
            at = "/" + os.path.relpath(folder, self.folder).removeprefix(".").removeprefix("/")
            folders[:] = [each for each in folders if at != "/" or each not in ("proc", "sys", "dev")]
            for name in (*folders, *names):
                path = f"{at.rstrip('/')}/{name}"
                if not f"{path}/".startswith(IGNORED):
                    found[path] = ""
        return found | {path: (self.folder / path[1:]).read_text() for path in WATCHED}


def main() -> int:
    """Try what the command line asks for; a line of JSON a root."""
    words = argparse.ArgumentParser(description="Try the package in roots of Debian. As root.")
    words.add_argument("--release", choices=RELEASES, action="append", help="12 is bookworm (both)")
    words.add_argument("--arch", choices=("amd64", "arm64"), default=NATIVE, help=f"({NATIVE})")
    words.add_argument("--cache", type=Path, default=TREE / "out/roots", help="where roots are kept")
    words.add_argument(
        "--tests", nargs="*", metavar="PATH",
        help=f"tests of the tree to run there; without a PATH {', '.join(FEASIBLE)}",
    )  # fmt: skip
    words.add_argument(
        "--patience", type=int, default=PATIENCE_S, metavar="S", help=f"for a first ruling ({PATIENCE_S})"
    )
    asked = words.parse_args()
    status = 0
    for release in asked.release or RELEASES:
        with ExitStack() as stack:
            told: dict[str, object] = {"debian": RELEASES[release], "arch": asked.arch}
            try:
                playable(asked.arch)
                root = stack.enter_context(layer(base(asked.cache, release, asked.arch), asked.cache))
                tests = FEASIBLE if asked.tests == [] else asked.tests or ()
                for name, value in trial(root, asked.cache, tests, asked.patience):
                    told[name] = value
                    print(f"{release} {asked.arch}: {name}: {value}", file=sys.stderr, flush=True)
            except Failed as wrong:
                told["failed"], status = str(wrong), 1
            print(json.dumps(told), flush=True)
    return status


def playable(arch: str) -> None:
    """See to it that programs of a processor run here, or say in a sentence what is missing."""
    if arch == NATIVE:
        return
    must(QEMU.exists(), "arm64 is played by qemu-user-static: apt-get install qemu-user-static")
    if not (BINFMT / "register").exists():
        subprocess.run(["mount", "-t", "binfmt_misc", "binfmt_misc", BINFMT], check=False, stdout=sys.stderr)
    if not (BINFMT / "qemu-aarch64").exists():
        try:
            (BINFMT / "register").write_text(FOREIGN)
        except OSError as wrong:
            raise Failed(f"the kernel plays no arm64 ({wrong.strerror}): binfmt_misc needs root") from None


def trial(root: Root, cache: Path, tests: Sequence[str], patience_s: float) -> Iterator[tuple[str, object]]:
    """Everything that is done to one root, with its figures; what takes longest comes late."""
    place = root.folder / "root/trial"
    place.mkdir(parents=True)
    number = deb.version()
    older, newer = (deb.built(place, each).name for each in (BEFORE, number))
    root.apt("update")
    yield "dependencies_s", round(root.apt("install", *wanted(root)), 1)
    before = root.files()
    yield "install_s", round(root.apt("install", f"/root/trial/{older}"), 1)
    _answers(root, BEFORE)
    yield from _enabled(root)
    yield "doctor", _doctor(root)
    yield from _libraries(root)
    kept = _kept(root)
    yield "update_s", round(root.apt("install", f"/root/trial/{newer}"), 1)
    _answers(root, number)
    yield "way_back_s", round(root.apt("install", "--allow-downgrades", f"/root/trial/{older}"), 1)
    _answers(root, BEFORE)
    must(all(path.exists() for path in kept), "the way back took matches or settings away")
    root.apt("install", f"/root/trial/{newer}")
    _answers(root, number)
    yield "version", number
    yield "damaged", _damaged(root, newer)
    yield "half", _half(root, newer)
    yield from _first_ruling(root, patience_s)
    if tests:
        yield "tests", _tests(root, cache, tests)
    yield "remove_s", round(root.apt("remove", "pipwatch"), 1)
    must(all(path.exists() for path in kept), "remove took matches or settings away")
    left = sorted(str(path) for path in (root.folder / "usr").rglob("*pipwatch*"))
    must(not left, f"remove left {left}")
    yield "purge_s", round(root.apt("purge", "pipwatch"), 1)
    after = root.files()
    changed = sorted(path for path in before.keys() | after.keys() if before.get(path) != after.get(path))
    must(not changed, f"after purge these differ: {changed[:40]}")
    yield "left_after_purge", len(changed)


def wanted(root: Root) -> list[str]:
    """What apt takes along by itself: what is needed, and what is recommended and exists there."""
    lines = dict(
        line.split(": ", 1)
        for line in (deb.OURS / "package/control").read_text().splitlines()
        if ": " in line
    )
    names = [
        word.split()[0] for key in ("Pre-Depends", "Depends", "Recommends") for word in lines[key].split(",")
    ]
    return [
        name
        for name in names
        if "Candidate: (none)" not in (said := root.run("apt-cache", "policy", name)) and said
    ]


def _answers(root: Root, number: str) -> None:
    """It is that version that runs, and dpkg calls it set up."""
    said = root.run("pipwatch", "--version").strip()
    must(said == f"pipwatch {number}", f"{number} is to be there, and it says {said}")
    known = root.run("dpkg-query", "--showformat", "${db:Status-Status} ${Version}", "--show", "pipwatch")
    must(known == f"installed {number}", f"{number} is to be set up, and dpkg says {known}")


def _enabled(root: Root) -> Iterator[tuple[str, object]]:
    """The service starts with the box, and its user is nobody else."""
    for unit in ("pipwatch.service", "pipwatch-stick.socket"):
        must("enabled" in root.run("systemctl", "is-enabled", unit), f"{unit} is not enabled")
    must(any((root.folder / deb.HOME / "engine").glob("__pycache__/*.pyc")), "the code was not compiled")
    yield "groups", root.run("id", "-Gn", "pipwatch").strip()
    unit = "/usr/lib/systemd/system/pipwatch.service"
    told = root.run("systemd-analyze", "verify", unit, check=False).strip() or "clean"
    must(told == "clean", f"systemd finds something in the service: {told}")
    yield "verify", told
    score = root.run("systemd-analyze", "security", "--offline=true", "pipwatch.service").splitlines()[-1]
    yield "security", next(word for word in score.split() if word[:1].isdigit())


def _doctor(root: Root) -> str:
    """What the doctor finds; a machine without a camera is not ill."""
    lines = root.run("pipwatch", "doctor", "--json", check=False).splitlines()
    found = {one["name"]: one for one in map(json.loads, (line for line in lines if line.startswith("{")))}
    must("models" in found, f"the doctor did not get far: {lines[-3:]}")
    ill = [one for one in found.values() if one["grade"] == "fails" and one["name"] != "clock"]
    must(not ill, f"the doctor finds {ill}")
    return f"{sum(one['grade'] == 'ok' for one in found.values())} ok of {len(found)}"


LIBRARIES = """
import json, sys
import cv2, flask, jinja2, markupsafe, numpy, segno, waitress
from vision.onnxruntime_here import loads_onnxruntime
from vision.pieces import networks
runs = "none that loads: OpenCV runs the networks"
if loads_onnxruntime():
    import onnxruntime
    runs = onnxruntime.__version__
loaded = [networks.by_opencv(path) for path in sorted(networks.MODELS.glob("*.onnx*"))]
print(json.dumps({"python": sys.version.split()[0], "numpy": numpy.__version__, "numpy_at": numpy.__file__,
    "cv2": cv2.__version__, "flask_at": flask.__file__, "onnxruntime": runs,
    "networks_by_opencv": len(loaded)}))
"""


def _libraries(root: Root) -> Iterator[tuple[str, object]]:
    """Which libraries it takes, though somebody's pip has put a numpy of its own on the machine."""
    version = root.run("python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()
    decoy = root.folder / f"usr/local/lib/python{version}/dist-packages/numpy"
    decoy.mkdir(parents=True)
    (decoy / "__init__.py").write_text("raise ImportError('the numpy of pip')\n")
    try:
        found = json.loads(root.run("python3", "-c", _in_package(LIBRARIES)).splitlines()[-1])
        _doctor(root)
    finally:
        shutil.rmtree(decoy)
    must(
        found.pop("numpy_at").startswith("/usr/lib/python3/dist-packages/"),
        "pip's numpy stands before Debian's",
    )
    must(found.pop("flask_at").startswith("/usr/lib/pipwatch/carried/"), "Flask is not the one it carries")
    yield from found.items()


def _in_package(code: str) -> str:
    """Code that sees what the command sees."""
    return f"import runpy, sys; sys.path[:0] = runpy.run_path('/usr/bin/pipwatch')['PATHS']\n{code}"


def _first_ruling(root: Root, patience_s: float) -> Iterator[tuple[str, object]]:
    """How long a game on the virtual table takes to its first ruling, or that there was none in time."""
    began = time.monotonic()
    words = ["pipwatch", "demo", GAME, "--seed", "7", "--headless", "--confirm", "auto"]
    playing = subprocess.Popen(
        ["timeout", "-k", "5", f"{patience_s:g}", "chroot", root.folder, *words],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=root.surroundings,
    )  # fmt: skip
    told: list[str] = []
    facts = 0
    try:
        assert playing.stdout is not None  # it is a pipe
        for line in playing.stdout:
            told.append(line)
            facts += " \u00b7 see " in line
            if RULED in line:
                yield "first_ruling_s", round(time.monotonic() - began, 1)
                yield "first_ruling", line.strip()
                return
    finally:
        playing.terminate()
        playing.wait()
    must(root.emulated and facts > 0, f"the demo never ruled: {''.join(told)[-1500:]}")
    yield "no_ruling_in_s", round(time.monotonic() - began, 1)


def _tests(root: Root, cache: Path, tests: Sequence[str]) -> str:
    """The tree's own tests, with the package's libraries and version; pytest and its kin are lent to it."""
    version = root.run("python3", "-c", "import sys; print('%d.%d' % sys.version_info[:2])").strip()
    machine = root.run("uname", "-m").strip()
    tools = cache / f"tools-{machine}-{version}"
    if not tools.exists():
        names = ["pytest", "pytest-timeout", "pytest-randomly", "pytest-xdist", "hypothesis"]
        pinned = [line for line in (TREE / "constraints.txt").read_text().splitlines()
                  if line.split("==")[0].lower() in names]  # fmt: skip
        # Some of them come with a compiled part for each Python and processor.
        fitting = [word for name in ("any", f"manylinux2014_{machine}", f"manylinux_2_28_{machine}")
                   for word in ("--platform", name)]  # fmt: skip
        subprocess.run(
            [sys.executable, "-m", "pip", "install", "-q", "--target", tools, "--only-binary", ":all:",
             *fitting, "--python-version", version, *pinned],
            check=True,
        )  # fmt: skip
    shutil.copytree(tools, root.folder / "root/trial/tools")
    tree = root.folder / "root/trial/tree"
    for name in (*deb.ROOMS, "tests", "training", "benchmarks", "docs", "systemd"):
        shutil.copytree(TREE / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "Makefile", "constraints.txt", "CHANGELOG.md"):
        shutil.copy(TREE / name, tree)
    path = ":".join(("/root/trial/tree", "/root/trial/tools", "/usr/lib/pipwatch/carried",
                     "/usr/lib/python3/dist-packages", f"/{deb.HOME}"))  # fmt: skip
    at_once = () if root.emulated else ("-n2",)
    told = root.run("timeout", str(PATIENCE_S - 60), "env", "-C", "/root/trial/tree", f"PYTHONPATH={path}",
                    "python3", "-m", "pytest", "-q", *at_once, "--timeout", "3000", *tests,
                    check=False)  # fmt: skip
    lines = told.strip().splitlines()
    for line in lines:
        if line.startswith(("FAILED", "ERROR", "E  ")):
            print(line[:200], file=sys.stderr)
    return lines[-1].strip("= ")


def _kept(root: Root) -> list[Path]:
    """A match, a set and settings, as somebody would have them."""
    state = root.folder / "var/lib/pipwatch"
    kept = [state / "matches/a.match", state / "sets/s.toml", root.folder / "etc/pipwatch/config.toml"]
    for path in kept:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("kept\n")
    return kept


def _damaged(root: Root, name: str) -> str:
    """A file that was cut by a bad card: the command says which, and a new install mends it."""
    broken = root.folder / deb.HOME / "device/cli/__init__.py"
    broken.write_text(broken.read_text()[:400] + "\n(")
    said = root.run("pipwatch", "--version", check=False)
    must("the package is damaged" in said and str(broken.name) in said, f"damage is not told: {said}")
    model = root.folder / deb.HOME / "vision/models"
    root.apt("install", "--reinstall", f"/root/trial/{name}")
    must(root.run("pipwatch", "--version").startswith("pipwatch "), "a new install does not mend it")
    worn = sorted(model.glob("*.onnx*"))[0]
    worn.write_bytes(worn.read_bytes()[:-100] + bytes(100))
    doctor = root.run("pipwatch", "doctor", check=False)
    must(f"{worn.name} is not as it was packed" in doctor, f"the doctor does not see it: {doctor}")
    root.apt("install", "--reinstall", f"/root/trial/{name}")
    return said.strip()


def _half(root: Root, name: str) -> str:
    """An update that broke off before its end: the box says so, and the command it names ends it."""
    root.run("dpkg", "--unpack", f"/root/trial/{name}")
    doctor = root.run("pipwatch", "doctor", check=False)
    must("an update broke off" in doctor, f"half an update is not told: {doctor}")
    root.run("dpkg", "--configure", "-a")
    must("an update broke off" not in root.run("pipwatch", "doctor", check=False), "it is not ended")
    return next(line.strip() for line in doctor.splitlines() if "an update broke off" in line)


# — the roots themselves —


def base(cache: Path, release: str, arch: str) -> Path:
    """A plain Debian, made once."""
    cache.mkdir(parents=True, exist_ok=True)
    made, part = cache / f"{release}-{arch}", cache / f"{release}-{arch}.part"
    if not made.exists():
        shutil.rmtree(part, ignore_errors=True)
        command = [
            "debootstrap",
            f"--arch={arch}",
            "--variant=minbase",
            f"--include={NEEDED}",
            release,
            part,
            mirror(),
        ]
        subprocess.run(command, check=True, stdout=sys.stderr, env=os.environ | PLAYED)
        part.rename(made)
    return made


@contextmanager
def layer(plain: Path, cache: Path) -> Iterator[Root]:
    """A root above a plain one; what apt loads is kept for the next time, the rest is thrown away."""
    work = cache / f"{plain.name}.layer"
    _unmounted(work)
    debs = cache / f"{plain.name}.debs"
    for folder in (debs, *(work / name for name in ("upper", "work", "root"))):
        folder.mkdir(parents=True, exist_ok=True)
    root = work / "root"
    layers = f"lowerdir={plain},upperdir={work / 'upper'},workdir={work / 'work'}"
    try:
        _mount("-t", "overlay", "overlay", "-o", layers, str(root))
        _mount("-t", "proc", "proc", str(root / "proc"))
        _mount("--bind", "/dev", str(root / "dev"))
        # onnxruntime ends with an abort where it cannot read there which processors there are.
        _mount("--bind", "-o", "ro", "/sys", str(root / "sys"))
        archives = root / "var/cache/apt/archives"
        _mount("--bind", str(debs), str(archives))
        (debs / "partial").mkdir(exist_ok=True)
        keep = root / "etc/apt/apt.conf.d/99trial"
        keep.write_text(
            'APT::Keep-Downloaded-Packages "1";\nBinary::apt-get::APT::Keep-Downloaded-Packages "1";\n'
        )
        (root / "etc/apt/apt.conf.d/docker-clean").unlink(missing_ok=True)
        policy = root / "usr/sbin/policy-rc.d"
        policy.write_text("#!/bin/sh\nexit 101\n")  # nothing is started in a root
        policy.chmod(0o755)
        yield Root(root, not plain.name.endswith(NATIVE))
    finally:
        _unmounted(work)


def unmounted_inside(root: Root) -> None:
    """Take away what is mounted in a root, so that only its own files are left."""
    for name in ("var/cache/apt/archives", "sys", "dev", "proc"):
        if (root.folder / name).is_mount():
            subprocess.run(["umount", "-l", root.folder / name], check=False)


def _mount(*words: str) -> None:
    subprocess.run(["mount", *words], check=True)


def _unmounted(work: Path) -> None:
    root = work / "root"
    unmounted_inside(Root(root))
    if root.is_mount():
        subprocess.run(["umount", "-l", root], check=False)
    if work.exists() and not any(
        path.is_mount() for path in (root, root / "sys", root / "dev", root / "var/cache/apt/archives")
    ):
        shutil.rmtree(work)


if __name__ == "__main__":
    sys.exit(main())
