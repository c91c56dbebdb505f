"""TOML files as frozen dataclasses: typed on the way in, plain on the way out.

A key that is not known is an error that names the nearest one that is, so that a misspelt setting can never
be silently without effect.
"""

import dataclasses
import tomllib
import types
import typing
from collections.abc import Mapping
from contextlib import suppress
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from calibration.camera_errors import BadProfileFile

T = TypeVar("T")

_PLAIN = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}


def read(path: Path, shape: type[T]) -> T:
    """The file at ``path`` as a ``shape``; raises BadProfileFile with one sentence where it is none."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise BadProfileFile(f"{path.name} cannot be read: {reason}") from error
    return parse(text, shape, path.name)


def parse(text: str, shape: type[T], name: str) -> T:
    """TOML text as a ``shape``; ``name`` is what messages call the file."""
    return shaped(plain(text, name), shape, name)


def plain(text: str, name: str) -> dict[str, Any]:
    """TOML text as plain data."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # the second: brackets in brackets without end
        raise BadProfileFile(f"{name} is not TOML: {error}") from error


def shaped(data: Mapping[str, Any], shape: type[T], name: str) -> T:
    """What TOML text holds as a ``shape``; ``name`` is what messages call it."""
    return typing.cast("T", _record(data, shape, name))


def dump(value: Any) -> str:
    """A frozen dataclass as TOML text that `parse` reads back equal."""
    return "\n".join(_lines(value, "")).strip() + "\n"


def _record(data: Mapping[str, Any], shape: Any, where: str) -> Any:
    hints = get_type_hints(shape)
    fields = {field.name: field for field in dataclasses.fields(shape)}
    for key in data:
        if key not in fields:
            close = get_close_matches(key, fields, n=1, cutoff=0.0)
            raise BadProfileFile(f"{where}: there is no key {key!r}; the nearest is {close[0]!r}")
    for key, field in fields.items():
        lacks_default = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
        if key not in data and lacks_default:
            raise BadProfileFile(f"{where}: the key {key!r} is missing")
    values = {key: _value(entry, hints[key], f"{where}: {key}") for key, entry in data.items()}
    try:
        return shape(**values)
    except ValueError as error:
        raise BadProfileFile(f"{where}: {error}") from error


def _value(entry: Any, hint: Any, where: str) -> Any:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (types.UnionType, typing.Union):
        return _value(entry, next(part for part in inner if part is not type(None)), where)
    if origin is typing.Literal:
        if entry not in inner:
            raise BadProfileFile(f"{where} should be one of {', '.join(map(repr, inner))}, not {entry!r}")
        return entry
    if origin is tuple:
        return _sequence(entry, inner, where)
    if origin is not None:
        if not isinstance(entry, dict):
            raise BadProfileFile(f"{where} should be a table, not {entry!r}")
        return {key: _value(part, inner[1], f"{where}.{key}") for key, part in entry.items()}
    if dataclasses.is_dataclass(hint):
        if not isinstance(entry, dict):
            raise BadProfileFile(f"{where} should be a table, not {entry!r}")
        return _record(entry, hint, where)
    return _scalar(entry, hint, where)


def _sequence(entry: Any, inner: tuple[Any, ...], where: str) -> tuple[Any, ...]:
    if not isinstance(entry, list):
        raise BadProfileFile(f"{where} should be a list, not {entry!r}")
    if len(inner) == 2 and inner[1] is Ellipsis:
        return tuple(_value(part, inner[0], f"{where}[{i}]") for i, part in enumerate(entry))
    if len(entry) != len(inner):
        raise BadProfileFile(f"{where} should have {len(inner)} entries, not {len(entry)}")
    pairs = zip(entry, inner, strict=True)
    return tuple(_value(part, kind, f"{where}[{i}]") for i, (part, kind) in enumerate(pairs))


def _scalar(entry: Any, hint: Any, where: str) -> Any:
    if hint is float and isinstance(entry, int) and not isinstance(entry, bool):
        with suppress(OverflowError):
            return float(entry)
    if type(entry) is not hint or (hint is float and not isfinite(entry)):
        raise BadProfileFile(f"{where} should be {_PLAIN[hint]}, not {entry!r}")
    return entry


def _lines(value: Any, prefix: str) -> list[str]:
    """Plain keys first, then tables, as TOML wants it."""
    parts = _parts(value)
    lines = [f"{_key(key)} = {_text(part)}" for key, part in parts.items() if _is_inline(part)]
    for key, part in parts.items():
        if _is_inline(part):
            continue
        path = f"{prefix}{_key(key)}"
        if isinstance(part, tuple):
            for entry in part:
                lines += ["", f"[[{path}]]", *_lines(entry, f"{path}.")]
        else:
            lines += ["", f"[{path}]", *_lines(part, f"{path}.")]
    return lines


def _parts(value: Any) -> dict[str, Any]:
    if isinstance(value, Mapping):
        return dict(value)
    named = {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    return {key: part for key, part in named.items() if part is not None}


def _is_inline(part: Any) -> bool:
    if isinstance(part, tuple):
        return not part or _is_inline(part[0])
    return not isinstance(part, Mapping) and not dataclasses.is_dataclass(part)


def _key(key: str) -> str:
    plain = key and all(letter.isascii() and (letter.isalnum() or letter in "-_") for letter in key)
    return key if plain else _quoted(key)


def _text(part: Any) -> str:
    if isinstance(part, tuple):
        return "[" + ", ".join(map(_text, part)) + "]"
    if isinstance(part, bool):
        return "true" if part else "false"
    if isinstance(part, str):
        return _quoted(part)
    return repr(part)


def _quoted(text: str) -> str:
    out = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + "".join(c if ord(c) >= 32 and ord(c) != 127 else f"\\u{ord(c):04x}" for c in out) + '"'
