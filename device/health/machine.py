"""The machine itself: packages, models, disk, clock and power."""

import errno
import importlib
import lzma
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from device.firmware import throttled
from device.health.finding import Finding, absent, fails, ok
from device.rights import DeviceUser, joining, whoever_runs
from device.workload import Asked, board, workload

_PACKAGES = {"numpy": "python3-numpy", "cv2": "python3-opencv"}
_LEAST_FREE = 500_000_000
_SYNCS, _SLOW_S, _SLOWEST_S = 20, 0.1, 1.0
_FIRST_YEAR = 2026
MODELS = Path(__file__).parents[2] / "vision" / "models"


def packages(load: Callable[[str], object] = importlib.import_module) -> Finding:
    """Whether the libraries for pictures can be loaded together."""
    for name, package in _PACKAGES.items():
        try:
            load(name)
        except Exception as error:  # two numpys at odds raise anything but ImportError
            return fails(
                "packages", f"{name} cannot be loaded: {error}",
                f"pip install 'pipwatch[pc]'; on a Raspberry Pi sudo apt install {package}",
            )  # fmt: skip
    return ok("packages", "numpy and OpenCV load")


def models(folder: Path = MODELS) -> Finding:
    """Whether the trained readers are there and whole."""
    import cv2

    from vision.pieces.networks import by_opencv

    files = sorted(folder.glob("*.onnx*"))
    if not files:
        return fails(
            "models", "no trained reader is installed", "install Pipwatch again; its models are missing"
        )
    for path in files:
        try:
            by_opencv(path)
        except (cv2.error, lzma.LZMAError):
            return fails(
                "models", f"{path.name} cannot be read", "install Pipwatch again; this file is damaged"
            )
    return ok("models", f"{', '.join(path.name.split('.')[0] for path in files)}")


def disk(
    folder: Path, clock: Callable[[], float] = time.monotonic, keeper: DeviceUser | None = None
) -> Finding:
    """Whether matches can be kept: there is space, files can be written, and they soon reach the disk.

    ``keeper`` is who writes there, where that is somebody else than whoever asks.
    """
    there = next(path for path in (folder, *folder.parents) if path.exists())
    if keeper is not None and not keeper.may(there, os.W_OK | os.X_OK):
        why = os.strerror(errno.EACCES)
        return fails(
            "disk", f"nothing can be written to {there}: {why}", f"sudo chown -R {keeper.name} {there}"
        )
    free = shutil.disk_usage(there).free
    if free < _LEAST_FREE:
        return fails(
            "disk",
            f"only {free / 1e6:.0f} MB are free at {there}",
            "delete old matches or take a larger card",
        )
    try:
        slowest = max(_synced(there, clock))
    except OSError as error:
        return fails(
            "disk", f"nothing can be written to {there}: {error.strerror}",
            "make the folder writable for this user, or set XDG_DATA_HOME to one that is",
        )  # fmt: skip
    words = f"{free / 1e9:.0f} GB free at {there}, a sync takes {1000 * slowest:.0f} ms at most"
    if slowest > _SLOWEST_S:
        return fails("disk", words, "the card is worn or very slow: take another one")
    return ok("disk", words + (" (slow)" if slowest > _SLOW_S else ""))


def _synced(folder: Path, clock: Callable[[], float]) -> Sequence[float]:
    """How long small writes take until they are on the disk."""
    took = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(_SYNCS):
            began = clock()
            file.write(b"x" * 512)
            file.flush()
            os.fdatasync(file.fileno())
            took.append(clock() - began)
    return took


def clock(now: Callable[[], float] = time.time, run: Callable[[Sequence[str]], str] | None = None) -> Finding:
    """Whether the time of day is set; matches are timed by a clock that does not need it."""
    today = time.gmtime(now())
    if today.tm_year < _FIRST_YEAR:
        return fails(
            "clock", f"it shows the year {today.tm_year}", "connect to a network once, or: sudo date -s '…'"
        )
    shown = time.strftime("%Y-%m-%d %H:%M UTC", today)
    answer = (run or said)(["timedatectl", "show", "--property=NTPSynchronized", "--value"]).strip()
    if answer == "no":
        return absent("clock", f"{shown}, not set by a time server", "dates of matches may be wrong")
    return ok("clock", shown)


def power(
    run: Callable[[Sequence[str]], str] | None = None, root: Path = Path("/"), on: str | None = None
) -> Finding:
    """Whether a Raspberry Pi has power enough and is cool: the commonest cause of faults without a reason.

    ``on`` is what the board calls itself.
    """
    told = throttled(root, run or said)
    if told is None:
        name = board(root) if on is None else on
        if "Raspberry Pi" not in name:
            return absent("power", "this is no Raspberry Pi")
        remedy = joining("video", whoever_runs()) if os.geteuid() else "sudo apt install raspi-utils"
        return absent("power", f"the firmware of this {name} does not answer", remedy)
    if any(one.startswith("under-voltage") for one in told):
        return fails("power", "the voltage was too low since it was started", "use the Pi's own power supply")
    if any(one.startswith(("throttled", "hot")) for one in told):
        return fails("power", "it was slowed down by heat", "give it air or a heat sink")
    return ok("power", "enough, and cool")


def work(asked: Asked, name: str | None = None) -> Finding:
    """How much is done on this board; less is no fault."""
    return ok("work", workload(asked, board() if name is None else name).words)


def said(command: Sequence[str]) -> str:
    """What a program prints; nothing where it is not there."""
    try:
        return subprocess.run(command, capture_output=True, text=True, timeout=5).stdout
    except (OSError, subprocess.TimeoutExpired):
        return ""
