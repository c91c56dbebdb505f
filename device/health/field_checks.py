"""What only a real board can tell, as one list: the rows of docs/field.md, and what `pipwatch doctor
--field-report` fills them with.

A figure that cannot be had says why. None of them tells who the owner is: no names, no serial numbers and no
addresses.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final, TypeAlias

NOT_MEASURED: Final = "not measured"
Probe: TypeAlias = Callable[[], str]


class Unmeasured(Exception):
    """A figure cannot be had; the message says why, in a few words."""


@dataclass(frozen=True)
class FieldItem:
    """One row."""

    key: str
    what: str
    how: str
    """How it is measured."""


ITEMS: Final = (
    FieldItem("board", "board, memory", "`/proc/device-tree/model`, `MemTotal`"),
    FieldItem("system", "operating system", "`/etc/os-release`, `uname -m`"),
    FieldItem("kernel", "kernel", "`uname -r`"),
    FieldItem("libcamera", "libcamera", "`rpicam-hello --version`, else its package"),
    FieldItem("picamera2", "picamera2", "its package"),
    FieldItem("opencv", "OpenCV", "`cv2.__version__`"),
    FieldItem("numpy", "numpy", "`numpy.__version__`"),
    FieldItem("networks", "what runs the networks", "onnxruntime where it loads, else OpenCV"),
    FieldItem("camera", "camera and its modes", "`rpicam-hello --list-cameras`, less its place on the bus"),
    FieldItem("picture", "picture delivered", "its size, from the source that `pipwatch run` takes"),
    FieldItem("large", "large picture", "from asking for it until it is here, median and longest of 5"),
    FieldItem("chosen", "contiguous memory, and what was chosen of it", "what the camera's process tells"),
    FieldItem("frame_rate", "frame rate reached", "frames over the whole watch, gate and markers running"),
    FieldItem("exposure", "exposure held", "the median brightness: its least and greatest over the watch"),
    FieldItem("focus", "focus held", "sharpness (variance of the Laplacian): the least ÷ the greatest"),
    FieldItem("sweep", "a sweep of the lens", "asked for once: until the next picture"),
    FieldItem("obeys", "frames until lens and exposure obey", "by their metadata, from the start on"),
    FieldItem("camera_back", "camera killed to first frame", "its process is killed once (SIGKILL)"),
    FieldItem("gate", "gate, a frame", "median over the watch"),
    FieldItem("markers", "following the markers, a frame", "median over the watch"),
    FieldItem(
        "reading", "reading the table that lies there", "as a match of the Draw Game reads it, median of 5"
    ),
    FieldItem("ratio", "reading ÷ decoding", "`pipwatch bench`, a drawn table of the Draw Game, median of 5"),
    FieldItem("memory_rest", "memory of the service, at rest", "`Pss` of its processes, in the lobby"),
    FieldItem(
        "memory_play",
        "memory in play",
        "the same in a match; where none goes on, of the report after reading",
    ),
    FieldItem("boot", "kernel to service ready", "`ActiveEnterTimestampMonotonic` of `pipwatch.service`"),
    FieldItem("temperature", "temperature under load", "least and greatest over the watch"),
    FieldItem("throttling", "throttling and under-voltage", "`vcgencmd get_throttled` over the watch"),
    FieldItem("work", "work chosen", '`[service] work = "auto"`'),
    FieldItem("card", "writing to the card", "32 MB and a sync, where matches are kept"),
    FieldItem("sync", "a small event on the card", "200 writes of 512 bytes, each synced: median, longest"),
    FieldItem("buttons", "button bounce", "edges of the buttons that somebody presses during the watch"),
    FieldItem("page", "page answers here", "`/api/health` of the service, median of 20"),
    FieldItem("network", "network to the router", "`ping`, 20 times: median and longest; Wi-Fi or cable"),
)


def figures(probes: Mapping[str, Probe]) -> Iterator[tuple[FieldItem, str]]:
    """Each row with its figure, one after the other; a probe that fails fails alone."""
    for item in ITEMS:
        yield item, figure_of(probes.get(item.key))


def table(told: Mapping[str, str]) -> Iterator[str]:
    """The rows as Markdown; what is not told was not measured."""
    yield "| what | how | figure |"
    yield "|---|---|---|"
    for item in ITEMS:
        yield row(item, told.get(item.key, NOT_MEASURED))


def row(item: FieldItem, figure: str) -> str:
    """One row as Markdown."""
    return f"| {item.what} | {item.how} | {figure.replace('|', '/')} |"


def figure_of(probe: Probe | None) -> str:
    """What a probe tells, or why it tells nothing."""
    if probe is None:
        return NOT_MEASURED
    try:
        return probe()
    except Unmeasured as why:
        return f"{NOT_MEASURED}: {why}"
    except Exception as wrong:  # its own words may name folders of the owner's
        return f"{NOT_MEASURED}: {type(wrong).__name__}"
