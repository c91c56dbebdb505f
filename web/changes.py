"""What differs between two views of a match, as plain data that a page can carry out on what it has.

A change is a list of steps: ``["=", path, value]`` sets, ``["-", path]`` takes a key away, and
``["~", path, start, gone, items]`` replaces so many items of a list. Paths are lists of keys and numbers.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any, Final, TypeAlias

Step: TypeAlias = list[Any]
_WORTH: Final = 600
"""Letters of a list's changes from which on it is looked for a shorter way to tell them."""


def changes(before: Any, after: Any) -> list[Step]:
    """The steps that make ``after`` of ``before``."""
    return list(_steps(before, after, []))


def _steps(before: Any, after: Any, path: list[str | int]) -> Iterator[Step]:
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in before.keys() - after.keys():
            yield ["-", [*path, key]]
        for key, value in after.items():
            if key not in before:
                yield ["=", [*path, key], value]
            else:
                yield from _steps(before[key], value, [*path, key])
    elif isinstance(before, list) and isinstance(after, list):
        yield from _of_lists(before, after, path)
    elif before != after or type(before) is not type(after):
        yield ["=", path, after]


def _of_lists(before: Sequence[Any], after: Sequence[Any], path: list[str | int]) -> Iterator[Step]:
    """Whichever is shorter: item by item or a part as a whole, or by what came and went."""
    plain = list(
        _item_by_item(before, after, path) if len(before) == len(after) else _part(before, after, path)
    )
    if len(before) and len(after) and _size(plain) > _WORTH:
        aligned = list(_aligned(before, after, path))
        plain = min(plain, aligned, key=_size)
    yield from plain


def _item_by_item(before: Sequence[Any], after: Sequence[Any], path: list[str | int]) -> Iterator[Step]:
    for number, (was, now) in enumerate(zip(before, after, strict=True)):
        yield from _steps(was, now, [*path, number])


def _part(before: Sequence[Any], after: Sequence[Any], path: list[str | int]) -> Iterator[Step]:
    """The part in which they differ."""
    shorter = min(len(before), len(after))
    same = next((k for k in range(shorter) if before[k] != after[k]), shorter)
    rest = shorter - same
    tail = next((k for k in range(rest) if before[-1 - k] != after[-1 - k]), rest)
    yield ["~", path, same, len(before) - same - tail, list(after[same : len(after) - tail])]


def _aligned(before: Sequence[Any], after: Sequence[Any], path: list[str | int]) -> Iterator[Step]:
    """The same by what items are called: pieces that come and go elsewhere leave the others as they are."""
    was, now = [_called(one) for one in before], [_called(one) for one in after]
    parts = SequenceMatcher(None, was, now, autojunk=False).get_opcodes()
    for kind, start, end, first, last in reversed(parts):  # from the end, so that numbers before it hold
        if kind != "equal":
            yield ["~", path, start, end - start, list(after[first:last])]
    for kind, start, end, first, _ in parts:
        if kind == "equal":
            for number in range(end - start):
                yield from _steps(before[start + number], after[first + number], [*path, first + number])


def _called(item: Any) -> str:
    """By what an item of a list is known again: its name, or all of it."""
    if isinstance(item, Mapping) and isinstance(item.get("name"), str):
        return str(item["name"])
    return _text(item)


def _size(steps: Sequence[Step]) -> int:
    return len(_text(steps))


def _text(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def changed(before: Any, steps: Sequence[Step]) -> Any:
    """What the steps make of ``before``, which stays as it is; the page does the same."""
    after = before
    for kind, path, *rest in steps:
        after = _at(after, path, kind, rest)
    return after


def _at(whole: Any, path: Sequence[str | int], kind: str, rest: Sequence[Any]) -> Any:
    if not path:
        if kind == "=":
            return rest[0]
        start, gone, items = rest
        return [*whole[:start], *items, *whole[start + gone :]]
    head, *tail = path
    copy = dict(whole) if isinstance(whole, Mapping) else list(whole)
    if kind == "-" and not tail:
        del copy[head]
    else:
        copy[head] = _at(whole.get(head) if isinstance(whole, Mapping) else whole[head], tail, kind, rest)
    return copy
