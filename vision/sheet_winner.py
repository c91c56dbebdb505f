"""Who wins by two maps that were read, and how sure that is: points first, then the largest domain."""

from dataclasses import dataclass

from vision.sheet_decoder import MapWorth, ReadMap

SURE = 0.99
"""A winner who is less likely than this is left open until the doubtful squares are settled."""


@dataclass(frozen=True, slots=True)
class LikelyWinner:
    """Who wins by what was read (None: nobody), and how likely that is right."""

    player: int | None
    chance: float
    hangs_on: tuple[tuple[str, ...], tuple[str, ...]]
    """The doubtful squares of each map on which it hangs, where it is open."""

    @property
    def open(self) -> bool:
        """Whether the doubtful squares have to be settled first."""
        return self.chance < SURE


def likely_winner(first: ReadMap, second: ReadMap) -> LikelyWinner:
    """The winner by the likeliest worth of two maps."""
    told = _winner(_as_told(first), _as_told(second))
    chance = sum(
        one.chance * other.chance
        for one in first.worth
        for other in second.worth
        if _winner(one, other) == told
    )
    hangs_on = ((), ()) if chance >= SURE else (_squares(first), _squares(second))
    return LikelyWinner(told, chance, hangs_on)


def _as_told(read: ReadMap) -> MapWorth:
    """What the map is worth that is told."""
    return MapWorth(read.score.total, read.score.largest, 1.0)


def _winner(one: MapWorth, other: MapWorth) -> int | None:
    first, second = (one.total, one.largest), (other.total, other.largest)
    return None if first == second else 1 if first > second else 2


def _squares(read: ReadMap) -> tuple[str, ...]:
    """The squares that matter to the score, or all that are doubtful where none does by itself."""
    return read.paying or read.doubts
