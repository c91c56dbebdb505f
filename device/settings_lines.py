"""The text of a file of settings, line by line: one key is set or taken away, all else stays as it is.

Two files that lie over each other are made one text here, and one text is reduced to what it says otherwise.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from calibration import toml
from device.settings import laid_over


def with_key(text: str, key: str, value: Any) -> str:
    """The text with one key set, or without it where the value is None."""
    lines, part = text.removesuffix("\n").split("\n") if text else [], key.split(".")[0]
    said = list(_statements(lines))
    fresh = [] if value is None else [f"{key.split('.')[1]} = {_toml(value)}"]
    for one in said:
        if one.key == key:
            tail = _comment_of(lines[one.first]) if one.end == one.first + 1 else ""
            dotted = re.match(rf"\s*{re.escape(part)}\s*\.", lines[one.first])
            if fresh:
                before = f"{part}." if dotted else ""
                fresh = [f"{before}{fresh[0]}{tail}"]
            return _joined([*lines[: one.first], *fresh, *lines[one.end :]])
    if not fresh:
        return text
    head = next((one for one in said if one.key == f"{part}."), None)
    if head is not None:
        return _joined([*lines[: head.end], *fresh, *lines[head.end :]])
    gap = [""] if lines and lines[-1].strip() else []
    return _joined([*lines, *gap, f"[{part}]", *fresh])


def as_one(by_hand: str, by_page: str) -> str:
    """What two files say together, as one text; comments of the first stay wherever that can be."""
    whole, beneath = by_hand, tomllib.loads(by_hand)
    said = laid_over(beneath, tomllib.loads(by_page))
    for part, table in said.items():
        for name, value in table.items() if isinstance(table, dict) else ():
            if _at(beneath, part, name) != value:
                whole = with_key(whole, f"{part}.{name}", value)
    with suppress(ValueError):
        if tomllib.loads(whole) == said:
            return whole
    return toml.dump(said)


def otherwise(text: str, beneath: Mapping[str, Any]) -> str:
    """A text without what is set to the same beneath it; empty where nothing is left."""
    told = tomllib.loads(text)
    for part, table in told.items():
        for name, value in table.items() if isinstance(table, dict) else ():
            if _at(beneath, part, name) == value:
                text = with_key(text, f"{part}.{name}", None)
    left = tomllib.loads(text)
    return text if any(left.values()) else ""


def _at(data: Mapping[str, Any], part: str, name: str) -> Any:
    table = data.get(part)
    return table.get(name) if isinstance(table, dict) else None


@dataclass(frozen=True, slots=True)
class _Statement:
    """A key with its value, or the head of a table, and the lines that it takes."""

    first: int
    end: int
    key: str
    """Of a head the table with a dot behind it."""


def _statements(lines: list[str]) -> Iterator[_Statement]:
    """What the lines say, one thing after the other; a value may take several of them."""
    at, table = 0, ""
    while at < len(lines):
        bare = lines[at].strip()
        if not bare or bare.startswith("#"):
            at += 1
            continue
        end = next((end for end in range(at + 1, len(lines) + 1) if _parses(lines[at:end])), at + 1)
        path = ".".join(_path(_loaded(lines[at:end])))
        if bare.startswith("["):
            table = f"{path}."
            yield _Statement(at, end, table)
        else:
            yield _Statement(at, end, f"{table}{path}")
        at = end


def _parses(lines: list[str]) -> bool:
    try:
        _loaded(lines)
    except ValueError:
        return False
    return True


def _loaded(lines: list[str]) -> Any:
    return tomllib.loads("".join(f"{line}\n" for line in lines))


def _path(data: Any) -> Iterator[str]:
    """The one path that a single statement sets."""
    while isinstance(data, dict) and len(data) == 1:
        ((name, data),) = data.items()
        yield name
    # An inline table of several keys ends here: its keys are no statements of their own.


def _comment_of(line: str) -> str:
    """What stands behind the value of a line: it is the value's as long as it does not parse without it."""
    for found in re.finditer(r"\s+#", line):
        if _parses([line[: found.start()]]):
            return line[found.start() :]
    return ""


def _joined(lines: list[str]) -> str:
    return "\n".join(lines) + "\n" if lines else ""


def _toml(value: Any) -> str:
    return toml.dump({"x": value}).strip().removeprefix("x = ")
