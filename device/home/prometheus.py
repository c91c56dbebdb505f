"""The box's health as figures that Prometheus collects, in its text format 0.0.4. Pure.

Times are in seconds, space in bytes and heat in degrees Celsius, as its users expect. What nobody knows is
left out: a figure that is not there draws no line.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

KIND: Final = "text/plain; version=0.0.4; charset=utf-8"
"""What an answer is, for its head."""
_STATUSES: Final = ("ok", "degraded", "failing")
_CAMERA: Final = ("ok", "stale", "away", "none")
Sample: TypeAlias = tuple[Mapping[str, str], float]


def metrics_text(health: Mapping[str, Any]) -> str:
    """The figures of one moment, from what ``/api/health`` tells."""
    lines: list[str] = []
    for name, kind, words, samples in _families(health):
        if not samples:
            continue
        lines += [f"# HELP pipwatch_{name} {words}", f"# TYPE pipwatch_{name} {kind}"]
        lines += [f"pipwatch_{name}{_labels(labels)} {_figure(value)}" for labels, value in samples]
    return "\n".join(lines) + "\n"


def _families(health: Mapping[str, Any]) -> Iterator[tuple[str, str, str, Sequence[Sample]]]:
    """Name, kind, words and samples of each figure."""
    camera, journal = health["camera"], health["journal"]
    version = {"version": str(health["version"])}
    yield "info", "gauge", "The version of Pipwatch; always 1.", [(version, 1.0)]
    yield "status", "gauge", "1 for how the box is.", _which("status", _STATUSES, health["status"])
    yield from _match(health.get("game"))
    yield "camera_state", "gauge", "1 for how the camera is.", _which("state", _CAMERA, camera["state"])
    yield "camera_frame_age_seconds", "gauge", "The age of the newest frame.", _one(camera.get("age_s"))
    restarts = _one(camera.get("restarts"))
    yield "camera_restarts_total", "counter", "Starts of the camera after the first one.", restarts
    yield "camera_frames_per_second", "gauge", "Frames that came in a second.", _one(camera.get("fps"))
    gate = _one(health.get("gate_ms"), 1e-3)
    yield "gate_seconds", "gauge", "The median time to judge whether the table may be read.", gate
    reading = _one(health.get("reading_ms"), 1e-3)
    yield "reading_seconds", "gauge", "The median time to read the table.", reading
    yield "journal_queue", "gauge", "Orders that the journal has not written yet.", _one(journal.get("queue"))
    commit = _one(journal.get("last_commit_s"))
    yield "journal_last_commit_age_seconds", "gauge", "How long ago the journal took anything.", commit
    yield "page_viewers", "gauge", "Browsers that follow the page.", _one(health["page"].get("viewers"))
    yield "temperature_celsius", "gauge", "The processor's temperature.", _one(health.get("temperature_c"))
    yield from _power(health.get("throttled"))
    free = _one(health.get("disk_free_mb"), 1e6)
    yield "disk_free_bytes", "gauge", "Space that is free where matches are kept.", free
    known = health.get("clock") in ("synced", "unsynced")
    synced = _one(float(health["clock"] == "synced") if known else None)
    yield "clock_synced", "gauge", "Whether a time server has set the clock.", synced
    yield "remarks", "gauge", "Sentences that the owner should read.", _one(len(health.get("remarks", ())))


def _match(game: Mapping[str, Any] | None) -> Iterator[tuple[str, str, str, Sequence[Sample]]]:
    yield "match_running", "gauge", "Whether a match goes on.", _one(float(game is not None))
    if game is not None:
        labels = {"game": str(game["name"]), "phase": str(game["phase"])}
        yield "match_info", "gauge", "The game and the phase of the match; always 1.", [(labels, 1.0)]
        yield "match_entries", "gauge", "Entries of the record of the match.", _one(game.get("entries"))


def _power(reasons: Sequence[str] | None) -> Iterator[tuple[str, str, str, Sequence[Sample]]]:
    if reasons is None:
        return
    yield "throttled", "gauge", "Whether the machine was held back.", _one(float(bool(reasons)))
    samples: list[Sample] = [({"reason": str(one)}, 1.0) for one in reasons]
    yield "throttled_reason", "gauge", "1 for each reason why it was held back.", samples


def _which(label: str, known: Sequence[str], now: object) -> Sequence[Sample]:
    """One sample for each that may be, 1 for the one that is."""
    return [({label: one}, float(one == now)) for one in known]


def _one(value: Any, unit: float = 1.0) -> Sequence[Sample]:
    return [] if value is None else [({}, float(value) * unit)]


def _labels(labels: Mapping[str, str]) -> str:
    told = ",".join(f'{name}="{_quoted(value)}"' for name, value in labels.items())
    return f"{{{told}}}" if told else ""


def _quoted(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def _figure(value: float) -> str:
    return str(int(value)) if value == int(value) else f"{value:.6g}"
