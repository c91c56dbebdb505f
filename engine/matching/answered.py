"""What people have said of facts: who has told what a die shows is not asked about it again.

Facts are known by the numbers of their entries: nothing that is inserted, undone or done again changes of
which of them something was said.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from engine.matching.outcome import Ruled

Answers: TypeAlias = Mapping[tuple[int, str], int]
"""Of facts, by their entries: a text that they were not, or ``TYPED``; and the entry for which that holds."""
TYPED: Final = ""
"""People have told the fact themselves."""


@dataclass(frozen=True, slots=True)
class ShownPieces:
    """What the last facts of a record showed that are in no doubt."""

    entries: Mapping[str, int] = field(default_factory=dict)
    """The entry that showed each piece last, by the names of pieces."""
    told: frozenset[int] = frozenset()
    """The entries that people have told, or left no doubt of."""
    counts: frozenset[int] = frozenset()
    """All entries that count."""


def typed(
    entries: Sequence[int], texts: Sequence[str], alike: Sequence[Sequence[str]], since: int
) -> Answers:
    """What people have said with the facts that they told after entry ``since``: nobody types a doubt."""
    each = zip(entries, texts, alike, strict=True)
    return {(n, TYPED): n for n, text, others in each if n > since and text.startswith("see ") and not others}


def chosen(asked: Iterable[Ruled], old: Sequence[str], new: Sequence[str], entries: Sequence[int]) -> Answers:
    """What people have said who chose one of these answers: no fact was what the others say.

    The record was ``old`` when they were asked; it is ``new`` since, and made by these ``entries``.
    """
    ways = [_told_so(one, old) for one in asked]
    if not any([*new[: len(way)]] == way for way in ways):
        return {}
    by = {
        n: entries[len(old) if len(new) > len(old) else n]
        for n in {len(old) - one.steps for ruled in asked for one in ruled.revised}
    }
    by |= {n: entries[n] for n in range(len(old), len(new))}
    texts = [*ways, [*old]]
    return {(entries[n], way[n]): by[n] for n in by for way in texts if n < len(way) and way[n] != new[n]}


def _told_so(ruled: Ruled, old: Sequence[str]) -> list[str]:
    """The record as it would be if this was the answer."""
    told = [*old]
    for one in ruled.revised:
        told[-one.steps] = one.text
    return [*told, *(one.text for one in ruled.happened)]
