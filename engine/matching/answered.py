"""What an answer settles: who was asked what was read, and has said it, is not asked about it again."""

from collections.abc import Iterable, Sequence

from engine.matching.outcome import Ruled


def settled_by(asked: Iterable[Ruled], old: Sequence[str], new: Sequence[str]) -> frozenset[int]:
    """The numbers of the steps that these answers read otherwise, if people have chosen one of them.

    The record was ``old`` when they were asked, and is ``new`` since.
    """
    if not any([*new[: len(way)]] == way for way in (_told_so(one, old) for one in asked)):
        return frozenset()
    return frozenset(len(old) - one.steps for ruled in asked for one in ruled.revised)


def _told_so(ruled: Ruled, old: Sequence[str]) -> list[str]:
    """The record as it would be if this was the answer."""
    told = [*old]
    for one in ruled.revised:
        told[-one.steps] = one.text
    return [*told, *(one.text for one in ruled.happened)]
