"""A view of the match as messages for the house. Pure: what has been told is passed in and handed back.

    known, letters = tell(known, topics, view, health)

An entry is told once it is on the disk, as a green lamp is lit. No message holds a picture.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from device.home.broker import Topics
from device.match.match_view import View
from device.match.phase import Phase
from engine.plain import JsonObject

Facts: TypeAlias = Mapping[str, Any]
"""The box's health as ``/api/health`` tells it."""

NO_MATCH: Final = "no match"
ONLINE, STOPPED, OFFLINE = "online", "stopped", "offline"
CONFIRM: Final = "confirm"
_NO_GAME: Final[JsonObject] = {
    "game": None, "title": None, "players": [], "turn": None, "scores": [], "ruling": None, "ended": None,
}  # fmt: skip
_PASSING: Final = frozenset({Phase.HANDS, Phase.SETTLING, Phase.WATCHING, Phase.UNFINISHED})
"""Phases that come with every move: the state tells them, and no event does."""
_AILING: Final = frozenset({"stale", "away"})
"""What the box says of a camera that is open and shows nothing. One that rests, or that no match wants, is
none, and no problem."""
_ENTITIES: Final[Mapping[str, Facts]] = {
    "turn": {
        "platform": "sensor", "name": "To move", "icon": "mdi:account-arrow-right",
        "value_template": "{{ value_json.turn }}",
    },
    "ruling": {
        "platform": "sensor", "name": "Last ruling", "icon": "mdi:gavel",
        "value_template": "{{ value_json.ruling.verdict if value_json.ruling else None }}",
        "json_attributes_template": "{{ (value_json.ruling or {}) | tojson }}",
    },
    "phase": {
        "platform": "sensor", "name": "Phase", "device_class": "enum", "icon": "mdi:progress-question",
        "options": [NO_MATCH, *map(str, Phase)], "value_template": "{{ value_json.phase }}",
        "json_attributes_template": "{{ {'words': value_json.words, 'waits': value_json.waits} | tojson }}",
    },
    "camera": {
        "platform": "binary_sensor", "name": "Camera", "device_class": "problem",
        "entity_category": "diagnostic",
        "value_template": "{{ 'OFF' if value_json.camera_ok else 'ON' }}",
    },
    "box": {
        "platform": "sensor", "name": "Box", "device_class": "enum", "entity_category": "diagnostic",
        "options": ["ok", "degraded", "failing"], "value_template": "{{ value_json.box.status }}",
        "json_attributes_template": "{{ value_json.box | tojson }}",
    },
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Letter:
    """One message."""

    topic: str
    text: str
    retained: bool = False
    """Whether the broker keeps it for whoever comes later."""
    owed: bool = False
    """Whether it is sent later if it cannot be sent now: an event is, a state is told anew anyway."""


@dataclass(frozen=True, slots=True)
class KnownAtHome:
    """What the house has been told."""

    run: str
    """A name for this run of the box: the numbers of its events begin at 1."""
    seq: int = 0
    entry: int | None = None
    """The last entry of the match that was told; None before anything is known of the match."""
    phase: str = ""
    game: JsonObject = field(default_factory=dict)
    """What was said of the game when all of it was on the disk."""
    state: JsonObject = field(default_factory=dict)


def discovery(topics: Topics, version: str, *, url: str = "", commands: bool = False) -> Letter:
    """What Home Assistant needs to show this box as a device, without a line of its owner's."""
    name = f"pipwatch_{topics.box}"
    components: dict[str, Facts] = {key: _entity(topics, key, more) for key, more in _entities()}
    # A component of which only the platform is left is taken away again.
    press = {"name": "Confirm", "icon": "mdi:check", "command_topic": topics.do, "payload_press": CONFIRM}
    own = {**press, "unique_id": f"{name}_{CONFIRM}"} if commands else {}
    components[CONFIRM] = {"platform": "button", **own}
    told = {
        "device": {
            "identifiers": [name], "name": f"Pipwatch {topics.box}", "manufacturer": "Pipwatch",
            "model": "Referee for tabletop games", "sw_version": version,
            **({"configuration_url": url} if url else {}),
        },
        "origin": {"name": "Pipwatch", "sw_version": version},
        "state_topic": topics.state,
        "availability_topic": topics.available,
        "availability_template": f"{{{{ '{ONLINE}' if value == '{ONLINE}' else '{OFFLINE}' }}}}",
        "components": components,
    }  # fmt: skip
    return Letter(topics.config, _text(told), retained=True)


def presence(topics: Topics, word: str) -> Letter:
    """Whether the box is there."""
    return Letter(topics.available, word, retained=True)


def tell(
    known: KnownAtHome, topics: Topics, view: View | None, health: Facts | None
) -> tuple[KnownAtHome, tuple[Letter, ...]]:
    """What is new in a view of the match, or in the box's health; without a match ``view`` is None."""
    known, events = _happened(known, view)
    saved = view is None or bool(view["saved"])
    game = _game(view) if saved else known.game
    state = {**_moment(view), **game, **_box(view, health)}
    letters = [Letter(topics.event, _text(event), owed=True) for event in events]
    if state != known.state:
        known = replace(known, game=game, state=state)
        letters.append(_as_it_is(known, topics))
    return known, tuple(letters)


def state_letter(known: KnownAtHome, topics: Topics) -> Letter | None:
    """How things stand, once more, for a broker or a house that has just started."""
    return _as_it_is(known, topics) if known.state else None


def _as_it_is(known: KnownAtHome, topics: Topics) -> Letter:
    return Letter(topics.state, _text({**known.state, "run": known.run, "seq": known.seq}), retained=True)


# — events —


def _happened(known: KnownAtHome, view: View | None) -> tuple[KnownAtHome, list[JsonObject]]:
    """The entries that are new and on the disk, and a phase in which somebody is needed."""
    if view is None:
        return replace(known, entry=None, phase=""), []
    rows = [row for row in _rows(view) if row["counts"]] if view["saved"] else []
    last = max((row["entry"] for row in rows), default=known.entry or 0)
    told: list[JsonObject] = []
    if known.entry is not None:
        told = [_entry(row) for row in rows if row["entry"] > known.entry]
    entry = last if view["saved"] or known.entry is not None else None
    phase = str(view["phase"])
    if phase != known.phase and phase not in _PASSING and known.entry is not None:
        told.append({"event": "phase", "phase": phase, "words": view["words"] or view["headline"]})
    numbered: list[JsonObject] = [
        {"run": known.run, "seq": seq, **one} for seq, one in enumerate(told, known.seq + 1)
    ]
    return replace(known, entry=entry, phase=phase, seq=known.seq + len(told)), numbered


def _entry(row: Any) -> JsonObject:
    ruling = _ruling(row)
    told: JsonObject = {"event": row["kind"], "entry": row["entry"], "text": row["text"]}
    told["scores"] = row["scores"]
    return {**told, "ruling": ruling} if ruling else told


# — state —


def _moment(view: View | None) -> JsonObject:
    """What the match is doing just now."""
    if view is None:
        return {"phase": NO_MATCH, "words": "", "waits": False}
    return {"phase": view["phase"], "words": view["words"] or view["headline"], "waits": view["pending"]}


def _game(view: View | None) -> JsonObject:
    """The game as it counts."""
    rows = [row for row in _rows(view) if row["counts"]] if view else []
    if view is None or "game" not in view:
        return dict(_NO_GAME)
    shown: Any = view
    names, totals = shown["players"], shown["scores"]["totals"]
    judged = [found for row in rows if (found := _ruling(row))]
    return {
        "game": shown["game"],
        "title": shown["title"],
        "players": list(names),
        "turn": " or ".join(names[player - 1] for player in shown["movers"]) or None,
        "scores": list(totals),
        "ruling": judged[-1] if judged else None,
        "ended": shown["outcome"]["reason"] if shown["outcome"] else None,
    }


def _box(view: View | None, health: Facts | None) -> JsonObject:
    """How the box is, as far as anybody knows."""
    seen = view is None or bool(view["by_hand"]) or bool(view["camera"])
    if health is None:
        unknown: JsonObject = {"status": None, "remarks": [], "temperature_c": None}
        return {"camera_ok": seen, "fps": None, "box": unknown}
    camera, warmth = health["camera"], health.get("temperature_c")
    fps = camera.get("fps")
    return {
        "camera_ok": seen and camera["state"] not in _AILING,
        "fps": None if fps is None else round(fps),
        "box": {
            "status": health["status"],
            "remarks": list(health.get("remarks", ())),
            "temperature_c": None if warmth is None else round(warmth),
        },
    }


def _rows(view: View | None) -> list[Any]:
    rows: Any = (view or {}).get("log", [])
    return list(rows)


def _ruling(row: Any) -> JsonObject | None:
    """The word, the rule and the sentence."""
    found = row["ruling"]
    if found is None:
        return None
    return {
        "verdict": found["status"], "rule": found["rule"], "reason": found["reason"],
        "move": row["text"], "entry": row["entry"], "stands": row["stands"],
    }  # fmt: skip


# — entities —


def _entities() -> Iterator[tuple[str, Facts]]:
    yield from _ENTITIES.items()
    for player in (1, 2):
        at = player - 1
        yield f"score_{player}", {
            "platform": "sensor", "name": f"Score of player {player}", "icon": "mdi:counter",
            "state_class": "measurement", "unit_of_measurement": "points",
            "value_template": f"{{{{ value_json.scores[{at}] if value_json.scores else None }}}}",
            "json_attributes_template":
                f"{{{{ {{'player': value_json.players[{at}] if value_json.players else None}} | tojson }}}}",
        }  # fmt: skip


def _entity(topics: Topics, key: str, more: Facts) -> Facts:
    attributes = {"json_attributes_topic": topics.state} if "json_attributes_template" in more else {}
    return {**more, **attributes, "unique_id": f"pipwatch_{topics.box}_{key}"}


def _text(data: Facts) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))
