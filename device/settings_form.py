"""The settings as fields: what each is for, what it is and was shipped as, how the page's file is changed.

A change touches the lines of its own keys alone. Comments, order and whatever else stands in the file stay.
``beneath`` is what the file that people write by hand sets: it counts where the page's sets nothing.
"""

import math
import re
import tomllib
import types
import typing
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, TypeAlias, get_args, get_origin, get_type_hints

from calibration import toml
from calibration.camera_errors import BadProfileFile
from device.lenses import lens_names
from device.settings import Settings, laid_over
from device.settings_lines import with_key
from device.settings_meaning import MEANINGS
from engine.plain import Json, JsonObject

Kind: TypeAlias = Literal["choice", "yes or no", "whole", "number", "text", "list", "size"]
_SIZE: Final = re.compile(r"\s*(\d{1,5})\s*[x×, ]\s*(\d{1,5})\s*")
_SUCH: Final[Mapping[Kind, str]] = {
    "whole": "a whole number", "number": "a number such as 1.5",
    "size": "a width and a height such as 1280 × 720",
    "yes or no": "yes or no", "choice": "one of {choices}", "text": "a text", "list": "a list",
}  # fmt: skip
LENS: Final = "camera.lens"
"""What may be chosen for it is what is kept on this machine."""
NOTHING: Final[Mapping[str, Any]] = {}
NONE: Final = "-"
"""A list that is to hold nothing; an empty field means what was shipped."""
ELSEWHERE: Final = "{key} is written in a way that fields cannot change: change the file below."
UNKNOWN: Final = "There is no setting {key}."


class BadField(ValueError):
    """A value that does not do; the message is the sentence, ``key`` the field."""

    def __init__(self, key: str, words: str) -> None:
        super().__init__(words)
        self.key = key


@dataclass(frozen=True, slots=True)
class FormField:
    """One setting."""

    key: str
    """Its part and its name: ``manners.calm_s``."""
    kind: Kind
    meaning: str
    shipped: str
    """What it is where nothing is set, as it is typed."""
    choices: tuple[str, ...] = ()

    def to_json(self, value: str | None, beneath: str | None) -> JsonObject:
        """What a page needs of it: what the page has set, if anything, and what is set by hand."""
        secret = self.key.endswith(".password")
        gone = [value] if self.choices and value and value not in self.choices else []
        return {
            "key": self.key, "kind": self.kind, "meaning": self.meaning, "shipped": self.shipped,
            "choices": [*self.choices, *gone], "value": value, "secret": secret,
            "beneath": "…" if secret and beneath else beneath,
        }  # fmt: skip

    def read(self, typed: str) -> Any:
        """What was typed, as a value; raises BadField."""
        words, text = typed.strip(), typed.strip().lower()
        try:
            if self.kind == "whole":
                return int(text, 0)
            if self.kind == "number":
                number = float(text.replace(",", "."))
                if math.isfinite(number):
                    return number
                raise ValueError("no number that anything can have")
        except ValueError:
            raise self._bad(words) from None
        if self.kind == "size":
            found = _SIZE.fullmatch(text)
            if found is None:
                raise self._bad(words)
            return (int(found[1]), int(found[2]))
        if self.kind in ("yes or no", "choice") and words not in (self.choices or ("yes", "no")):
            raise self._bad(words)
        if self.kind == "yes or no":
            return words == "yes"
        if self.kind == "list":
            return () if words == NONE else tuple(filter(None, map(str.strip, words.split(","))))
        return words

    def _bad(self, typed: str) -> BadField:
        such = _SUCH[self.kind].format(choices=", ".join(self.choices))
        return BadField(self.key, f"{self.key} should be {such}, not {typed[:40]!r}.")


def form() -> tuple[FormField, ...]:
    """All settings, part by part."""
    return tuple(_fields())


def told(text: str, beneath: Mapping[str, Any] = NOTHING) -> list[Json]:
    """All settings with what a file sets; of a file that is no TOML nothing is known to be set."""
    try:
        data: Mapping[str, Any] = tomllib.loads(text)
    except (ValueError, RecursionError):
        data = {}
    return [field.to_json(_typed_in(data, field.key), _typed_in(beneath, field.key)) for field in form()]


def _typed_in(data: Mapping[str, Any], key: str) -> str | None:
    value = _get(data, key)
    return None if value is None else _as_typed(value, key)


def changed(text: str, wanted: Mapping[str, str | None], beneath: Mapping[str, Any] = NOTHING) -> str:
    """The file with other values, or without those that are None; raises BadField or BadProfileFile."""
    known = {field.key: field for field in form()}
    values: dict[str, Any] = {}
    for key, typed in wanted.items():
        if key not in known:
            raise BadField(key, UNKNOWN.format(key=key))
        values[key] = None if typed is None or not typed.strip() else known[key].read(typed)
    whole = text
    try:
        before = tomllib.loads(text)
    except (ValueError, RecursionError) as wrong:
        raise BadProfileFile(f"settings is not TOML: {wrong}") from wrong
    for key, value in values.items():
        text, after = with_key(text, key, value), {}
        with suppress(ValueError):
            after = tomllib.loads(text)
        said = list(value) if isinstance(value, tuple) else value
        if _get(after, key) != said or _without(before, values) != _without(after, values):
            raise BadField(key, ELSEWHERE.format(key=key))
    if refused := wrong_with(text, beneath):
        raise BadField(_blamed(refused, values, was=wrong_with(whole, beneath)), refused)
    return text


# — what there is —


def _fields() -> Iterator[FormField]:
    shipped, parts = Settings(), get_type_hints(Settings)
    for part in fields(Settings):
        hints = get_type_hints(parts[part.name])
        for one in fields(parts[part.name]):
            key = f"{part.name}.{one.name}"
            kind, choices = _kind(hints[one.name])
            if key == LENS:
                kind, choices = "choice", tuple(lens_names())
            usual = getattr(getattr(shipped, part.name), one.name)
            known = "" if usual is None or usual == () else _as_typed(usual, key)
            yield FormField(key, kind, MEANINGS[key], known, tuple(filter(None, choices)))


def _kind(hint: Any) -> tuple[Kind, tuple[str, ...]]:
    if get_origin(hint) in (types.UnionType, typing.Union):
        hint = next(one for one in get_args(hint) if one is not type(None))
    if get_origin(hint) is Literal:
        return "choice", tuple(map(str, get_args(hint)))
    if get_origin(hint) is tuple:
        return ("list" if get_args(hint)[-1] is Ellipsis else "size"), ()
    plain: Mapping[Any, Kind] = {bool: "yes or no", int: "whole", float: "number", str: "text"}
    return plain[hint], ()


def _as_typed(value: Any, key: str) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if key == "oled.address" and isinstance(value, int):
        return f"0x{value:02X}"
    if isinstance(value, list | tuple):
        sizes = len(value) == 2 and all(isinstance(one, int) for one in value)
        return (" × " if sizes else ", ").join(map(str, value)) or NONE
    return f"{value:g}" if isinstance(value, float) else str(value)


def _get(data: Mapping[str, Any], key: str) -> Any:
    part, name = key.split(".")
    table = data.get(part)
    return table.get(name) if isinstance(table, dict) else None


def _without(data: Mapping[str, Any], keys: Mapping[str, Any]) -> dict[str, Any]:
    """A file's data without these keys, nor parts in which nothing is left."""
    found: dict[str, Any] = {}
    for part, table in data.items():
        if not isinstance(table, dict):
            found[part] = table
        elif left := {name: value for name, value in table.items() if f"{part}.{name}" not in keys}:
            found[part] = left
    return found


def wrong_with(text: str, beneath: Mapping[str, Any] = NOTHING) -> str:
    """Why these cannot be the settings, or nothing."""
    try:
        toml.shaped(laid_over(beneath, toml.plain(text, "settings")), Settings, "settings")
    except BadProfileFile as wrong:
        return str(wrong)
    return ""


def _blamed(wrong: str, keys: Mapping[str, Any], *, was: str) -> str:
    """The field of which a refusal speaks; none where the file was wrong in the same way before."""
    if wrong == was:
        return ""
    said = set(re.findall(r"\w+", wrong))
    return next((key for key in keys if key.split(".")[1] in said), next(iter(keys), ""))
