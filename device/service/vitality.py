"""How the box is: what `/api/health` says to its owner, and to programs on it. No player is named."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Final, Literal, TypeAlias

from device.service.machinery import Clock
from engine.plain import JsonObject

Status: TypeAlias = Literal["ok", "degraded", "failing"]

LEAST_MB: Final = 500
"""With less room the box says so. As in `pipwatch doctor`."""
HOT_C: Final = 80.0
"""From here on a Raspberry Pi slows itself down, by its documentation."""


@dataclass(frozen=True, slots=True)
class GameHealth:
    """The game that goes on."""

    name: str
    phase: str
    entries: int


@dataclass(frozen=True, slots=True)
class CameraHealth:
    """The camera: ok, stale, away or none."""

    state: str = "none"
    age_s: float | None = None
    restarts: int = 0
    fps: float | None = None
    words: str = ""
    """Why it gives no picture, or else what it was asked for, and why."""


@dataclass(frozen=True, slots=True)
class JournalHealth:
    """What waits for the disk, and when it last took something."""

    queue: int = 0
    last_commit_s: float | None = None


@dataclass(frozen=True, slots=True)
class PageHealth:
    """How many screens follow the match."""

    viewers: int = 0


@dataclass(frozen=True, slots=True)
class Health:
    """How the box is at one moment."""

    status: Status
    since: str
    """When it was started, by its own clock."""
    version: str
    game: GameHealth | None = None
    camera: CameraHealth = field(default_factory=CameraHealth)
    gate_ms: float | None = None
    reading_ms: float | None = None
    journal: JournalHealth = field(default_factory=JournalHealth)
    page: PageHealth = field(default_factory=PageHealth)
    temperature_c: float | None = None
    throttled: tuple[str, ...] | None = None
    disk_free_mb: int | None = None
    clock: Clock = "unknown"
    work: str = ""
    """How much is done on this board, and why."""
    remarks: tuple[str, ...] = ()
    """What is wrong, each a sentence for people."""

    def to_json(self) -> JsonObject:
        """As plain data."""
        told: JsonObject = asdict(self)
        return {name: list(part) if isinstance(part, tuple) else part for name, part in told.items()}


def status_of(failing: Sequence[str], remarks: Sequence[str]) -> Status:
    """What of this is worst: something that must answer and does not, or anything to be told."""
    return "failing" if failing else "degraded" if remarks else "ok"


def strained(temperature_c: float | None, disk_free_mb: int | None) -> tuple[str, ...]:
    """What figures alone say is wrong."""
    told = []
    if temperature_c is not None and temperature_c >= HOT_C:
        told.append(f"The box is {temperature_c:.0f} °C hot and slows down: give it air or a heat sink.")
    if disk_free_mb is not None and disk_free_mb < LEAST_MB:
        told.append(f"Only {disk_free_mb} MB are free: delete old matches or take a larger card.")
    return tuple(told)
