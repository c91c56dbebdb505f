"""Which sizes a camera on a Raspberry Pi is asked for: the largest whose buffers its memory holds. Pure.

The large picture and the one that is watched come out of the same frame. Both lie in memory that hangs
together, of which a board has little (``CmaTotal``); only newer boards take it from all memory.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from device.cameras.wanted import CameraSettings

Size = tuple[int, int]

WATCH_PX = 1280
"""About how wide the picture is that is watched: a die has 20 pixels then on a table of one metre."""
ROW_BYTES = 128
"""Rows of a plane begin at multiples of this on the board that pads most; 64 on the others."""
BUFFERS = (4, 3)
"""With fewer than three the sensor waits for whoever holds a picture."""
_OF_ITS_OWN = 1
"""So many buffers of each stream the camera library makes for itself."""
_RAW_BUFFERS, _RAW_BYTES = 4, 1.5
"""So many unprocessed frames it holds, each of at most 12 bits a pixel."""
_CMA_SHARE = 0.6
"""So much of the memory that hangs together the camera may have: the screen and the rest need some, too."""
_ALL_SHARE = 0.25
"""So much of all memory, where buffers are taken from there."""
_SAME_FIELD = 0.98
"""A mode that sees at least so much of the sensor's width and height sees all of it."""
MEMORY, HEAP = Path("/proc/meminfo"), Path("/dev/dma_heap/vidbuf_cached")


@dataclass(frozen=True)
class BufferRoom:
    """The memory that buffers can have."""

    total_bytes: int
    free_bytes: int
    hangs_together: bool = True
    """Whether it is that part of the memory which hangs together."""

    @property
    def ours_bytes(self) -> int:
        """What of it the camera may use: what is free says little, as the system lends it out till then."""
        return int(self.total_bytes * (_CMA_SHARE if self.hangs_together else _ALL_SHARE))


@dataclass(frozen=True)
class PictureChoice:
    """What a camera is asked for."""

    large: Size
    watch: Size
    buffers: int
    needs_bytes: int
    room: BufferRoom
    sensor: str = ""

    @property
    def words(self) -> str:
        """The sum, in a line."""
        kind = "contiguous memory" if self.room.hangs_together else "memory"
        told = f"{self.sensor}: " if self.sensor else ""
        return (
            f"{told}large {self.large[0]}×{self.large[1]}, watched {self.watch[0]}×{self.watch[1]}, "
            f"{self.buffers} buffers of each and the sensor's own: {_mb(self.needs_bytes)} of "
            f"{_mb(self.room.ours_bytes)} MB (of {_mb(self.room.total_bytes)} MB {kind}, "
            f"{_mb(self.room.free_bytes)} free)"
        )


def room(memory: Path = MEMORY, heap: Path = HEAP) -> BufferRoom:
    """The memory of this board."""
    found: dict[str, int] = {}
    for line in memory.read_text(encoding="ascii").splitlines():
        name, _, rest = line.partition(":")
        if rest.strip().endswith("kB"):
            found[name] = 1024 * int(rest.split()[0])
    if heap.resolve().name == "system" or not found.get("CmaTotal"):
        return BufferRoom(found["MemTotal"], found.get("MemAvailable", 0), hangs_together=False)
    return BufferRoom(found["CmaTotal"], found.get("CmaFree", 0))


def choices(
    modes: Sequence[Size], wanted: CameraSettings, room: BufferRoom, sensor: str = ""
) -> Iterator[PictureChoice]:
    """What to ask for, the best first: whoever is refused one by the camera asks for the next.

    ``modes`` are those that see all of the sensor's field, or else of a mode that the camera makes by itself.
    """
    sizes = [wanted.size] if wanted.size else sorted({shaped(mode, wanted) for mode in modes}, reverse=True)
    fits = False
    for large in sizes:
        watch = wanted.watch_size or watched(large)
        for buffers in BUFFERS:
            choice = PictureChoice(large, watch, buffers, needs(large, watch, buffers), room, sensor)
            if choice.needs_bytes <= room.ours_bytes:
                fits = True
                yield choice
    if not fits and sizes:  # the owner's own wish, or a board of little memory: the camera may still do it
        large, watch = sizes[-1], wanted.watch_size or watched(sizes[-1])
        least = BUFFERS[-1]
        yield PictureChoice(large, watch, least, needs(large, watch, least), room, sensor)


def needs(large: Size, watch: Size, buffers: int) -> int:
    """The bytes of all buffers: 12 bits a pixel of each stream, and the sensor's own."""
    streams = sum(_row(wide) * high * 3 // 2 for wide, high in (large, watch))
    return (buffers + _OF_ITS_OWN) * streams + int(_RAW_BUFFERS * _RAW_BYTES * large[0] * large[1])


def watched(large: Size) -> Size:
    """The size of the picture that is watched: the shape of the large one, and even."""
    wide = min(WATCH_PX, large[0])
    return wide, _even(wide * large[1] / large[0])


def shaped(mode: Size, wanted: CameraSettings) -> Size:
    """What of a mode has the shape that is wanted."""
    wide, high = mode
    if wanted.watch_size is None:
        return wide - wide % 2, high - high % 2
    shape = wanted.watch_size[0] / wanted.watch_size[1]
    return _even(min(wide, high * shape)), _even(min(high, wide / shape))


def of_whole_field(modes: Sequence[Mapping[str, object]]) -> list[Size]:
    """The sizes of those of picamera2's ``sensor_modes`` that see as much as the one that sees most."""
    fields: dict[Size, tuple[int, int]] = {}
    for mode in modes:
        size, crop = mode.get("size"), mode.get("crop_limits")
        if isinstance(size, tuple) and isinstance(crop, tuple):
            fields[size] = (crop[2], crop[3])
    if not fields:
        return []
    most = [max(field[k] for field in fields.values()) for k in (0, 1)]
    whole = [s for s, field in fields.items() if all(field[k] >= _SAME_FIELD * most[k] for k in (0, 1))]
    return sorted(whole, reverse=True)


def _row(pixels: int) -> int:
    return -(-pixels // ROW_BYTES) * ROW_BYTES


def _even(length: float) -> int:
    return max(2, 2 * round(length / 2))


def _mb(count: int) -> int:
    return round(count / 2**20)
