"""What people have told of a record themselves: who has said what a die shows is not asked about it again."""

from collections.abc import Iterable, Sequence

from engine.matching.outcome import Ruled


def said(asked: Iterable[Ruled], old: Sequence[str], new: Sequence[str]) -> frozenset[int]:
    """The numbers of the facts that people have told who made a record that was ``old`` a ``new`` one.

    Those are the facts that came since; and of those before what they were ``asked`` about, if the record is
    now as one of these answers says.
    """
    told = {n for n in range(len(old), len(new)) if new[n].startswith("see ")}
    if any([*new[: len(way)]] == way for way in (_told_so(one, old) for one in asked)):
        told |= {len(old) - one.steps for ruled in asked for one in ruled.revised}
    return frozenset(told)


def _told_so(ruled: Ruled, old: Sequence[str]) -> list[str]:
    """The record as it would be if this was the answer."""
    told = [*old]
    for one in ruled.revised:
        told[-one.steps] = one.text
    return [*told, *(one.text for one in ruled.happened)]
