"""How the box is, for people at a table: one sentence where the game feels it, and a few figures. Pure.

Whoever looks on is told what touches the game. What only the owner can mend, such as room on the card, and
figures of the machine are told to the owner alone. All of it is put into words here, so that the page of a
match loads no words for it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

from device.service.vitality import HOT_C, LEAST_MB
from engine.plain import JsonObject

Say: TypeAlias = Callable[[str], str]
"""A sentence in the language of whoever looks."""

SLOW_MS: Final = 4000.0
"""A look at the table that takes so long is felt: hands come back before it is over."""


def glance(health: Mapping[str, Any], say: Say, *, owner: bool) -> JsonObject:
    """What ``/api/health`` tells, for the players' page; ``owner``: with what concerns the owner alone."""
    wrong = [{"words": words, "remedy": remedy} for words, remedy in _wrong(health, say, owner)]
    return {
        "title": say("How the box is"),
        "line": wrong[0]["words"] if wrong else say("All is well with the box."),
        "wrong": wrong,
        "figures": [{"of": of, "is": told} for of, told in _figures(health, say, owner)],
    }


def _wrong(health: Mapping[str, Any], say: Say, owner: bool) -> Iterator[tuple[str, str]]:
    """What is wrong and what helps, the worst first."""
    camera, heat = health.get("camera", {}), _number(health.get("temperature_c"))
    if camera.get("state") == "away":
        words = say("The camera has not answered for {seconds} s.").format(
            seconds=round(_number(camera.get("age_s")) or 0)
        )
        yield words, say("Look at its cable. Until it is back, moves are tapped or typed.")
    if health.get("status") == "failing":
        yield say("The box is slow to answer."), say("Wait a moment: what was played is kept.")
    if (took := _number(health.get("reading_ms"))) is not None and took >= SLOW_MS:
        words = say("A look at the table takes {seconds} s.").format(seconds=round(took / 1000))
        yield words, say("Keep your hands away from it for so long.")
    if heat is not None and heat >= HOT_C:
        yield say("The box is hot and slows down."), say("Give it air or a heat sink.")
    if "under-voltage" in (health.get("throttled") or ()):
        yield say("The box gets too little power."), say("Use its own power supply and its own cable.")
    free = _number(health.get("disk_free_mb"))
    if owner and free is not None and free < LEAST_MB:
        words = say("Only {number} MB are free.").format(number=round(free))
        yield words, say("Delete old matches or take a larger card.")


def _figures(health: Mapping[str, Any], say: Say, owner: bool) -> Iterator[tuple[str, str]]:
    """What is measured, each with its name."""
    camera, free = health.get("camera", {}), _number(health.get("disk_free_mb"))
    yield say("Camera"), _camera(camera, say)
    if (took := _number(health.get("reading_ms"))) is not None:
        yield say("A look at the table"), _tenths(took / 1000, say("{whole}.{tenths} s"))
    yield say("Screens that follow"), str(health.get("page", {}).get("viewers", 0))
    if not owner:
        return
    if (heat := _number(health.get("temperature_c"))) is not None:
        yield say("Warmth"), f"{heat:.0f} °C"
    if camera.get("restarts"):
        yield say("Camera started anew"), say("{number} times").format(number=camera["restarts"])
    yield say("Waits to be kept"), str(health.get("journal", {}).get("queue", 0))
    if free is not None:
        yield say("Free on the card"), _tenths(free / 1000, say("{whole}.{tenths} GB"))
    yield say("Version"), str(health.get("version", "?"))


def _camera(camera: Mapping[str, Any], say: Say) -> str:
    age, rate = _number(camera.get("age_s")), _number(camera.get("fps"))
    if camera.get("state") == "none" or age is None:
        return say("not in use")
    if camera.get("state") != "ok" or rate is None:
        return say("no picture for {seconds} s").format(seconds=round(age))
    last = _tenths(age, say("the last one {whole}.{tenths} s ago"))
    return f"{say('{number} pictures a second').format(number=round(rate))}, {last}"


def _tenths(value: float, words: str) -> str:
    whole, tenths = divmod(round(value * 10), 10)
    return words.format(whole=whole, tenths=tenths)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
