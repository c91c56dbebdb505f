"""Guards for the whole suite: no test reaches the network, and failing examples can be drawn again."""

import ipaddress
import os
import shutil
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

if "PYTEST_XDIST_WORKER" in os.environ:
    # Each core has a worker: more threads in each only wait for one another (a third more time).
    os.environ |= dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"), "1")

import cv2
import pytest
from hypothesis import HealthCheck, settings

if "PYTEST_XDIST_WORKER" in os.environ:
    cv2.setNumThreads(1)
MEMORY, ROOM = Path("/dev/shm"), 6 << 30
"""Files of tests lie in memory where it has so much room: else many of them mostly wait for a disk.
What a kill leaves is the same there; only a pulled plug would tell them apart."""
if (
    "TMPDIR" not in os.environ
    and os.access(MEMORY, os.W_OK)
    and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC
    and shutil.disk_usage(MEMORY).free > ROOM
):
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)  # pytest has asked for the usual one before
settings.register_profile("default", deadline=None, print_blob=True)
settings.register_profile(
    "long", deadline=None, max_examples=2000, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


@pytest.fixture
def on_disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder on a real disk, for the processes that a test starts, too: what is written is counted."""
    monkeypatch.setenv("TMPDIR", "/var/tmp")
    monkeypatch.setattr(tempfile, "tempdir", None)
    with tempfile.TemporaryDirectory(dir="/var/tmp", prefix="pipwatch-test-") as name:
        yield Path(name)


class NetworkUsed(AssertionError):
    """A test tried to reach another machine."""


def is_local(host: str) -> bool:
    """Whether a host is this machine."""
    if host in ("localhost", ""):
        return True
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified  # where a server listens for all


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    real_lookup = socket.getaddrinfo
    real_connect, real_connect_ex = socket.socket.connect, socket.socket.connect_ex

    def local(address: Any) -> bool:
        if not isinstance(address, tuple):
            return True  # a Unix socket: it cannot leave the machine
        return is_local(str(address[0]))

    def connect(self: socket.socket, address: Any) -> None:
        if not local(address):
            raise NetworkUsed(f"a test opened a connection to {address!r}")
        real_connect(self, address)

    def connect_ex(self: socket.socket, address: Any) -> int:
        if not local(address):
            raise NetworkUsed(f"a test opened a connection to {address!r}")
        return real_connect_ex(self, address)

    def lookup(host: Any, *rest: Any, **more: Any) -> Any:
        if host is not None and not is_local(host.decode() if isinstance(host, bytes) else str(host)):
            raise NetworkUsed(f"a test looked up the host {host!r}")
        return real_lookup(host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", lookup)
    monkeypatch.setattr(socket.socket, "connect", connect)
    monkeypatch.setattr(socket.socket, "connect_ex", connect_ex)
