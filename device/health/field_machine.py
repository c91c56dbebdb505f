"""The figures of the board itself for the field report: versions, card, start, power and network.

Programs are run through ``run`` and files are read below ``root``: any board can stand in for another.
"""

import os
import platform
import re
import socket
import struct
import tempfile
import time
import urllib.request
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import metadata, util
from pathlib import Path
from statistics import median
from typing import Final

from device.health.field_checks import Unmeasured
from device.health.machine import said
from device.health.pi_board import GB, memory_bytes
from device.workload import board, workload
from vision.onnxruntime_here import loads_onnxruntime

_BYTES: Final = 32_000_000
_SMALL_BYTES, _SYNCS = 512, 200
_ASKED, _PATIENCE_S = 20, 5.0
_MODE = re.compile(r"(\d+x\d+) \[([\d.]+) fps")
_SENSOR = re.compile(r"^\s*\d+ : (\w+) \[(\d+x\d+)", re.MULTILINE)
Run = Callable[[Sequence[str]], str]


@dataclass(frozen=True)
class ThisMachine:
    """Where the figures come from."""

    run: Run = said
    root: Path = Path("/")
    clock: Callable[[], float] = time.monotonic

    def board(self) -> str:
        """What the board is, and how much memory it has."""
        memory = memory_bytes(self.root / "proc/meminfo")
        size = f", {memory / GB:.1f} GB" if memory is not None else ""
        return (board(self.root) or f"no Raspberry Pi ({platform.machine()})") + size

    def system(self) -> str:
        """The operating system, and for which kind of processor it was built."""
        name = re.search(r'^PRETTY_NAME="?([^"\n]+)', self._told("etc/os-release"), re.MULTILINE)
        if name is None:
            raise Unmeasured("there is no /etc/os-release")
        return f"{name[1]}, {platform.machine()}, Python {platform.python_version()}"

    def kernel(self) -> str:
        """Its release."""
        return platform.release()

    def libcamera(self) -> str:
        """The version that the camera's programs were built with, or else that of its package."""
        found = re.search(r"libcamera build: (\S+)", self.run(["rpicam-hello", "--version"]))
        return self._installed("rpi-libcamera", "python3-libcamera") if found is None else found[1]

    def picamera2(self) -> str:
        """Its version."""
        return self._installed("picamera2", "python3-picamera2")

    def _installed(self, by_pip: str, by_apt: str) -> str:
        """The version of what may have come either way."""
        try:
            return version_of(by_pip)
        except Unmeasured:
            told = self.run(["dpkg-query", "-W", "-f", "${db:Status-Abbrev} ${Version}", by_apt]).split()
            if told[:1] != ["ii"]:  # what was removed may still be known
                raise
            return told[1]

    def camera(self) -> str:
        """Sensor, size and modes, without the place on the bus."""
        told = self.run(["rpicam-hello", "--list-cameras"])
        sensor = _SENSOR.search(told)
        if sensor is None:
            raise Unmeasured("rpicam-hello lists no camera")
        modes = dict.fromkeys(f"{size} at {float(fps):.0f}/s" for size, fps in _MODE.findall(told))
        return f"{sensor[1]}, {sensor[2]}; modes {', '.join(modes) or 'unknown'}"

    def warmth(self) -> float | None:
        """The processor's temperature."""
        told = self._told("sys/class/thermal/thermal_zone0/temp").strip()
        return int(told) / 1000 if told.lstrip("-").isdecimal() else None

    def held_back(self) -> int | None:
        """What the firmware says of power and heat."""
        found = re.search(r"throttled=0x([0-9a-fA-F]+)", self.run(["vcgencmd", "get_throttled"]))
        return int(found[1], 16) if found else None

    def service_runs(self) -> bool:
        """Whether the service is there, which then has the camera and the pins."""
        told = self.run(["systemctl", "is-active", "pipwatch.service"]).strip()
        return told in ("active", "activating", "reloading", "deactivating")

    def boot(self) -> str:
        """When the service was ready, counted from when the kernel began."""
        asked = ["systemctl", "show", "pipwatch.service", "-p", "ActiveEnterTimestampMonotonic", "--value"]
        told = self.run(asked).strip()
        if not told.isdecimal() or int(told) == 0:
            raise Unmeasured("pipwatch.service does not run")
        return f"{int(told) / 1e6:.1f} s"

    def work(self) -> str:
        """How much is done on this board by itself."""
        return workload("auto", board(self.root)).words.partition(":")[0]

    def network(self) -> str:
        """How far the router is, and whether by Wi-Fi."""
        way = self._gateway()
        told = self.run(["ping", "-n", "-q", "-i", "0.2", "-c", str(_ASKED), "-W", "1", way[1]])
        found = re.search(r"= [\d.]+/([\d.]+)/([\d.]+)/", told)
        if found is None:
            raise Unmeasured("the router does not answer")
        kind = "Wi-Fi" if (self.root / "sys/class/net" / way[0] / "wireless").exists() else "cable"
        return f"{found[1]} ms on average, {found[2]} ms at most, by {kind}"

    def _gateway(self) -> tuple[str, str]:
        """By which device the router is reached, and its address, which is not told."""
        for line in self._told("proc/net/route").splitlines()[1:]:
            device, to, gateway, *_ = line.split()
            if int(to, 16) == 0:
                return device, socket.inet_ntoa(struct.pack("<L", int(gateway, 16)))
        raise Unmeasured("there is no network")

    def _told(self, name: str) -> str:
        try:
            return (self.root / name).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""


def version_of(package: str) -> str:
    """The version of a Python package, however it came here."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        raise Unmeasured("it is not there") from None


def module_version(name: str) -> str:
    """The version that a module tells of itself."""
    if util.find_spec(name) is None:
        raise Unmeasured("it is not there")
    return str(__import__(name).__version__)


def networks() -> str:
    """What runs the networks."""
    if loads_onnxruntime():
        return f"onnxruntime {module_version('onnxruntime')}"
    there = util.find_spec("onnxruntime") is not None
    return "OpenCV; the onnxruntime that is here cannot be loaded on this processor" if there else "OpenCV"


def card(folder: Path, clock: Callable[[], float] = time.monotonic) -> str:
    """How fast much is written where matches are kept."""
    with tempfile.TemporaryFile(dir=_there(folder)) as file:
        block, began = os.urandom(1_000_000), clock()
        for _ in range(_BYTES // len(block)):
            file.write(block)
        file.flush()
        os.fsync(file.fileno())
        return f"{_BYTES / 1e6 / max(clock() - began, 1e-9):.0f} MB/s"


def small_writes(folder: Path, clock: Callable[[], float] = time.monotonic) -> str:
    """How long a small event takes until it is on the card."""
    took = []
    with tempfile.TemporaryFile(dir=_there(folder)) as file:
        for _ in range(_SYNCS):
            began = clock()
            file.write(b"x" * _SMALL_BYTES)
            file.flush()
            os.fdatasync(file.fileno())
            took.append(clock() - began)
    return f"{1e3 * median(took):.1f} ms, {1e3 * max(took):.0f} ms at most (n = {_SYNCS})"


def page(where: str, clock: Callable[[], float] = time.monotonic) -> str:
    """How soon the page of the service answers on this machine."""
    opener, took = urllib.request.build_opener(urllib.request.ProxyHandler({})), []
    for _ in range(_ASKED):
        began = clock()
        try:
            with opener.open(f"{where}/api/health", timeout=_PATIENCE_S) as answer:
                answer.read()
        except OSError:
            raise Unmeasured("no page answers on this machine") from None
        took.append(clock() - began)
    return f"{1e3 * median(took):.1f} ms (n = {_ASKED})"


def _there(folder: Path) -> Path:
    return next(path for path in (folder, *folder.parents) if path.exists())
