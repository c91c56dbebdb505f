"""Memory that was needed for a moment: threads share one heap, and what is free in it is given back."""

import platform
import subprocess
import sys
from pathlib import Path

import pytest

from device.spare_memory import LARGE

pytestmark = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="asks glibc")

HEAPS = """
import ctypes, os, re, threading
from pathlib import Path
from device.spare_memory import share

libc, told = ctypes.CDLL(None), Path(os.environ["TOLD"])
libc.fopen.restype, libc.fopen.argtypes = ctypes.c_void_p, [ctypes.c_char_p] * 2
libc.malloc_info.argtypes, libc.fclose.argtypes = [ctypes.c_int, ctypes.c_void_p], [ctypes.c_void_p]
libc.malloc.restype = ctypes.c_void_p
if {shared}:
    share()
together = threading.Barrier(6)
def take():
    libc.malloc(50_000)
    together.wait()
threads = [threading.Thread(target=take) for _ in range(6)]
[one.start() for one in threads]
[one.join() for one in threads]
file = libc.fopen(str(told).encode(), b"w")
libc.malloc_info(0, file)
libc.fclose(file)
print(len(re.findall("<heap nr", told.read_text())))
"""
HOLES = """
import ctypes
from pathlib import Path
from device.spare_memory import give_back

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6
before = resident_mb()
taken = [libc.malloc(100_000) for _ in range(600)]
for one in taken:
    ctypes.memset(one, 1, 100_000)
for one in taken[:-1]:  # the last one holds the end of the heap
    libc.free(one)
free = resident_mb() - before
give_back()
print(free, resident_mb() - before)
"""
PICTURES = """
import ctypes
from pathlib import Path
from device.spare_memory import share

libc = ctypes.CDLL(None)
libc.malloc.restype, libc.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
def resident_mb():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096 / 1e6
def taken(size):
    one = ctypes.c_void_p(libc.malloc(size))
    ctypes.memset(one, 1, size)
    return one
if {shared}:
    share()
libc.free(taken(8_000_000))  # from this glibc learns what to keep
before = resident_mb()
both = [(taken(640 * 480 * 3), taken(20_000)) for _ in range(60)]
for picture, _ in both:
    libc.free(picture)
print(resident_mb() - before)
"""


def said(program: str, **surroundings: str) -> list[float]:
    """The numbers that a program prints, with no wishes of its surroundings about memory."""
    done = subprocess.run(
        [sys.executable, "-c", program], env={"PYTHONPATH": ":".join(sys.path), **surroundings},
        capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return [float(one) for one in done.stdout.split()]


def test_all_threads_take_from_one_heap(tmp_path: object) -> None:
    """Left alone, glibc makes one for each of those that take at the same time."""
    assert said(HEAPS.format(shared=True), TOLD=f"{tmp_path}/told") == [1]
    assert said(HEAPS.format(shared=False), TOLD=f"{tmp_path}/told") > [2]


def test_pictures_leave_no_holes_between_what_stays() -> None:
    """Left alone, glibc keeps the room of sixty for the next ones, whatever else may need it."""
    assert said(PICTURES.format(shared=False)) > [50]
    assert said(PICTURES.format(shared=True)) < [5]


def test_the_service_is_told_the_same_from_its_start() -> None:
    """Before its first line runs, and its camera's process with it."""
    unit = (Path(__file__).parents[2] / "systemd/pipwatch.service").read_text()
    assert f"\nEnvironment=MALLOC_ARENA_MAX=1 MALLOC_MMAP_THRESHOLD_={LARGE}\n" in unit


def test_what_is_free_between_what_is_held_goes_back() -> None:
    """Sixty megabytes of holes below one block that is still held."""
    free, left = said(HOLES)
    assert free > 50
    assert left < 5
