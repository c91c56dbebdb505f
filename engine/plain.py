"""Plain JSON data with types, and readers that say in one sentence what is wrong with a value."""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

Json: TypeAlias = bool | int | float | str | Sequence["Json"] | Mapping[str, "Json"] | None
JsonObject: TypeAlias = dict[str, Json]


class BadData(ValueError):
    """A piece of JSON is not what it should be; the message names the key and what would be right."""


def obj(value: Json, what: str) -> Mapping[str, Json]:
    """``value`` as an object."""
    if not isinstance(value, Mapping):
        raise BadData(f"{what} should be an object, not {_shown(value)}")
    return value


def items(value: Json, what: str) -> Sequence[Json]:
    """``value`` as a list."""
    if not isinstance(value, Sequence) or isinstance(value, str):
        raise BadData(f"{what} should be a list, not {_shown(value)}")
    return value


def text(value: Json, what: str) -> str:
    """``value`` as a string."""
    if not isinstance(value, str):
        raise BadData(f"{what} should be a text, not {_shown(value)}")
    return value


def whole(value: Json, what: str) -> int:
    """``value`` as a whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadData(f"{what} should be a whole number, not {_shown(value)}")
    return value


def number(value: Json, what: str) -> float:
    """``value`` as a number."""
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise BadData(f"{what} should be a number, not {_shown(value)}")
    return float(value)


def truth(value: Json, what: str) -> bool:
    """``value`` as true or false."""
    if not isinstance(value, bool):
        raise BadData(f"{what} should be true or false, not {_shown(value)}")
    return value


def get(data: Mapping[str, Json], key: str, what: str) -> Json:
    """The entry ``key`` of ``data``, which must be there."""
    if key not in data:
        raise BadData(f"{what} lacks the entry {key!r}")
    return data[key]


def _shown(value: Json) -> str:
    shown = repr(value)
    return shown if len(shown) <= 40 else shown[:37] + "…"
