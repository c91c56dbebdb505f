"""What a box tells of its health, for tests."""

from typing import Any

WELL: dict[str, Any] = {
    "status": "ok", "since": "2026-11-25T18:00:00+00:00", "version": "1.2",
    "game": {"name": "draw-game", "phase": "watching", "entries": 14},
    "camera": {"state": "ok", "age_s": 0.12, "restarts": 2, "fps": 9.8},
    "gate_ms": 12.5, "reading_ms": 640.0, "journal": {"queue": 0, "last_commit_s": 0.004},
    "page": {"viewers": 3}, "temperature_c": 61.5, "throttled": [], "disk_free_mb": 12000,
    "clock": "synced", "work": "full: this is no Pi, so the table is looked at 10 times a second",
    "remarks": [],
}  # fmt: skip
ILL: dict[str, Any] = {
    **WELL, "status": "degraded", "game": None, "gate_ms": None, "reading_ms": None, "temperature_c": 84.0,
    "camera": {"state": "away", "age_s": 40.0, "restarts": 5, "fps": 0.0}, "disk_free_mb": 120,
    "journal": {"queue": 4, "last_commit_s": 1.5}, "throttled": ["under-voltage", "frequency capped"],
    "clock": "unsynced", "remarks": [
        "The box is 84 °C hot and slows down: give it air or a heat sink.",
        "Only 120 MB are free: delete old matches or take a larger card.",
    ],
}  # fmt: skip
NO_PI: dict[str, Any] = {
    **WELL, "temperature_c": None, "throttled": None, "clock": "unknown",
    "camera": {"state": "none", "age_s": None, "restarts": 0, "fps": None},
}  # fmt: skip
