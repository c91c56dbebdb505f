"""Readings of what the original rules leave open, and profiles: named sets of such readings."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from engine.errors import BadProfile
from engine.plain import Json, JsonObject

Setting: TypeAlias = str | int | bool
"""What a reading can be set to."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One open question of a game: its id in the rules reference, its key, and what may be chosen.

    ``choices`` maps each value to what it means, in our words. Where it is empty the value is a whole
    number that is at least ``least``.
    """

    id: str
    key: str
    question: str
    default: Setting
    choices: Mapping[Setting, str] = field(default_factory=dict)
    least: int = 0

    def accept(self, value: Setting) -> Setting:
        """``value`` if this reading can have it; text is understood for whole numbers and yes/no."""
        if not self.choices:
            number = _whole(value)
            if number is None or number < self.least:
                raise BadProfile(
                    f"The setting {self.key} takes a whole number from {self.least} on, not {value!r}."
                )
            return number
        for choice in self.choices:
            if _spelled(choice) == _spelled(value):
                return choice
        known = ", ".join(_spelled(choice) for choice in self.choices)
        raise BadProfile(f"The setting {self.key} takes one of: {known}; not {value!r}.")


@dataclass(frozen=True, slots=True)
class Profile:
    """The readings in force: a name and the settings in which it differs from the defaults."""

    name: str = "default"
    changes: tuple[tuple[str, Setting], ...] = ()

    def __str__(self) -> str:
        """``name`` alone, or ``name+key=value…`` where settings were changed."""
        return "+".join([self.name, *(f"{key}={_spelled(value)}" for key, value in self.changes)])

    @classmethod
    def parse(cls, text: str) -> "Profile":
        """The profile that ``str()`` wrote, or that a user typed: ``2016`` or ``default+reveal=chosen``."""
        name, *settings = text.split("+")
        changes: list[tuple[str, Setting]] = []
        for setting in settings:
            key, sign, value = setting.partition("=")
            if not sign:
                raise BadProfile(f"In the profile {text!r}, {setting!r} should read KEY=VALUE.")
            changes.append((key, value))
        return cls(name, tuple(changes))


class Readings:
    """The readings of one game, the profiles that ship with it, and what a profile sets."""

    def __init__(
        self, readings: Sequence[Reading], profiles: Mapping[str, Mapping[str, Setting]] | None = None
    ) -> None:
        self.all = tuple(readings)
        self._by_key = {reading.key: reading for reading in self.all}
        self.profiles: Mapping[str, Mapping[str, Setting]] = {"default": {}, **(profiles or {})}

    def settle(self, profile: Profile) -> tuple[Profile, Mapping[str, Setting]]:
        """The profile with its settings checked and in order, and the value of every reading under it."""
        if profile.name not in self.profiles:
            known = ", ".join(self.profiles)
            raise BadProfile(f"There is no profile {profile.name!r}; known are: {known}.")
        values = {reading.key: reading.default for reading in self.all}
        values.update(self.profiles[profile.name])
        base = dict(values)
        for key, value in profile.changes:
            if key not in self._by_key:
                raise BadProfile(f"There is no setting {key!r}; known are: {', '.join(self._by_key)}.")
            values[key] = self._by_key[key].accept(value)
        changes = tuple((key, value) for key, value in values.items() if value != base[key])
        return Profile(profile.name, changes), values


def with_settings(profile: Profile, settings: Mapping[str, Json]) -> Profile:
    """The profile with settings that ``settings_json`` wrote; they win over those of its name."""
    said = dict(profile.changes)
    for key, value in settings.items():
        if not isinstance(value, (str, int, bool)):
            raise BadProfile(f"The setting {key} cannot be {value!r}.")
        said[key] = value
    return Profile(profile.name, tuple(said.items()))


def settings_json(values: Mapping[str, Setting]) -> JsonObject:
    """The value of every reading, as plain data for the head of a record."""
    return dict(values)


def _spelled(value: Setting) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = str(value).strip().lower()
    return {"true": "yes", "false": "no"}.get(text, text)


def _whole(value: Setting) -> int | None:
    if isinstance(value, bool):
        return None
    try:
        return int(value)
    except ValueError:
        return None
