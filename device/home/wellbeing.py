"""The box's health as sentences for its owner, with a remedy where the box's own remarks have none. Pure.

What comes over the network may be anything: ``is_health`` says whether it is a box's health at all, and
``is_glance`` whether it is what a box tells to others than its owner.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

STATUSES: Final[Mapping[str, str]] = {
    "ok": "The box is well.",
    "degraded": "The box works, but not as it should.",
    "failing": "The box fails.",
}
_PARTS: Final[Mapping[str, type]] = {"camera": dict, "journal": dict, "page": dict, "version": str}
_TIMES: Final = {"gate": "gate_ms", "reading": "reading_ms"}
_CAMERA: Final[Mapping[str, tuple[str, str]]] = {
    "ok": ("sends pictures", ""),
    "stale": ("has sent no new picture for a while", "wait: it is started anew by itself"),
    "away": (
        "sends no picture; moves are typed",
        "check its cable; to look closer: `sudo systemctl stop pipwatch`, then `pipwatch doctor`",
    ),
    "none": ("is not there; moves are typed", "connect one, or go on by hand"),
}
_RESTS: Final = "rests until a match or somebody who looks wants it"
_THROTTLED: Final[Mapping[str, str]] = {
    "under-voltage": "use the Pi's own power supply and its own cable",
}
_AIR: Final = "give it air or a heat sink"


def is_health(told: Any) -> bool:
    """Whether this is what a box tells of its health."""
    if not isinstance(told, dict) or told.get("status") not in STATUSES:
        return False
    return all(isinstance(told.get(key), kind) for key, kind in _PARTS.items())


def is_glance(told: Any) -> bool:
    """Whether this is what a box tells of itself in words, to whoever may look."""
    if not isinstance(told, dict) or not isinstance(told.get("line"), str):
        return False
    return all(
        isinstance(told.get(key), list) and all(_has_words(one, names) for one in told[key])
        for key, names in (("wrong", ("words", "remedy")), ("figures", ("of", "is")))
    )


def glanced(told: Mapping[str, Any]) -> Iterator[str]:
    """The same line by line: what is wrong with what helps, and the few figures that are everybody's."""
    yield str(told["line"])
    for figure in told["figures"]:
        yield f"  {figure['of']}: {figure['is']}"
    for one in told["wrong"]:
        yield f"! {one['words']}"
        yield from _remedy(one["remedy"])


def _has_words(one: Any, names: Sequence[str]) -> bool:
    return isinstance(one, dict) and all(isinstance(one.get(name), str) for name in names)


def wellbeing(health: Mapping[str, Any]) -> Iterator[str]:
    """How the box is, line by line."""
    since = health.get("since", "?")
    yield f"{STATUSES[health['status']]} Pipwatch {health['version']}, running since {since}."
    game = health.get("game")
    if isinstance(game, dict):
        entries = f"{game.get('entries', 0)} entries"
        yield f"  match        {game.get('name', '?')}, {game.get('phase', '?')}, {entries}"
    else:
        yield "  match        none"
    yield from _camera(health["camera"], health.get("remarks", ()))
    took = {name: _number(health.get(key)) for name, key in _TIMES.items()}
    times = [f"{name} {ms:.0f} ms" for name, ms in took.items() if ms is not None]
    if times:
        yield f"  times        {', '.join(times)} (medians)"
    if health.get("work"):
        yield f"  work         {health['work']}"
    waits = health["journal"].get("queue")
    yield f"  journal      {waits or 'nothing'} waits to be written"
    yield f"  page         {health['page'].get('viewers', 0)} look on"
    yield from _machine(health)
    for remark in health.get("remarks", ()):
        yield f"! {remark}"


def _camera(camera: Mapping[str, Any], remarks: Sequence[str]) -> Iterator[str]:
    words, remedy = _CAMERA.get(str(camera.get("state")), (f"is {camera.get('state')}", ""))
    more = str(camera.get("words") or "")
    if more and camera.get("state") == "none":
        words, remedy = _RESTS, ""
    figures = []
    if (fps := _number(camera.get("fps"))) is not None:
        figures.append(f"{fps:.1f} frames a second")
    if (age := _number(camera.get("age_s"))) is not None:
        figures.append(f"the newest {age:.1f} s old")
    if camera.get("restarts"):
        figures.append(f"started anew {camera['restarts']} times")
    yield f"  camera       {', '.join([words, *figures])}"
    if more and more not in remarks:
        yield f"               {more}"
    yield from _remedy(remedy)


def _machine(health: Mapping[str, Any]) -> Iterator[str]:
    """Heat, power, disk and clock."""
    if (warmth := _number(health.get("temperature_c"))) is not None:
        yield f"  temperature  {warmth:.0f} °C"
    for reason in health.get("throttled") or ():
        yield f"  power        held back: {reason}"
        yield from _remedy(_THROTTLED.get(str(reason), _AIR))
    if (free := _number(health.get("disk_free_mb"))) is not None:
        yield f"  disk         {free / 1e3:.1f} GB free"
    if health.get("clock") == "unsynced":
        yield "  clock        no time server has set it"
        yield from _remedy("connect to a network once; the game does not need it")


def _remedy(words: str) -> Iterator[str]:
    if words:
        yield f"               → {words}"


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
