"""From probabilities square by square to the most probable map that a game can have left.

Coats come in dominoes, hang together with the castle, and carry no more crosses than dice, castle and P6
bring. The likeliest maps are listed square by square, weighed by those rules, and compared by their score:
where another score is at all likely, the squares that make it are doubts.
"""

import heapq
import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from engine.kingdomino_duel.edition import AS_PRINTED
from engine.kingdomino_duel.kingdom import BLANK, CASTLE, NAMES, SQUARES, Kingdom, Mark, beside
from engine.kingdomino_duel.sheet import Sheet, SheetScore, score_sheet
from vision.sheet_cells import Floats

_MOST_MAPS = 500
_FAR = 11.0
"""What is e^11 times less likely than the best for its square is not looked at."""
_FAR_MAP = 18.0
"""The same for whole maps, where the rules may still make up for some of it."""
_COST_ODD, _COST_APART = 1.3, 4.0
"""What a square without a partner, and one apart from the castle, cost: powers explain them, rarely."""
_COST_UNLOGGED = 2.5
"""What each coat too many or too few costs where a log tells which dice were drawn."""
_BEYOND_WITH_ROOF = (0.0, 0.4, 2.5)
_BEYOND_PLAIN = (0.0, 2.0, 7.0)
DOUBT = 0.01
"""The probability of another score from which on it is said."""

Value = tuple[int, int]
"""The coat (-1: empty) and the crosses of a square."""


@dataclass(frozen=True, slots=True)
class ReadSquare:
    """One square as read: its coat (None: empty), its crosses, how sure, and whether a person should look."""

    name: str
    coat: int | None
    crosses: int
    confidence: float
    doubt: bool


@dataclass(frozen=True, slots=True)
class ReadMap:
    """The most probable map, its score, and what is doubtful about it."""

    squares: tuple[ReadSquare, ...]
    """The 34 squares in reading order."""
    kingdom: Kingdom
    roof: bool
    score: SheetScore
    sure: float
    """How likely the score is right."""
    other_scores: tuple[tuple[int, float], ...]
    """Other totals and how likely each is, likeliest first."""

    @property
    def doubts(self) -> tuple[str, ...]:
        """The names of the doubtful squares."""
        return tuple(square.name for square in self.squares if square.doubt)


def decode(
    coats: Floats, crosses: Floats, roof: float, *, logged: Kingdom | None = None, over: bool = True
) -> ReadMap:
    """The most probable map for the probabilities of a reader (35×7, 35×4, and the roof's).

    ``logged`` is the map that the log of the match tells: its dice are what can have been drawn. ``over``
    says whether that log is whole; one that breaks off says nothing about what was drawn later.
    """
    options = [_options(coats[k], crosses[k]) for k, square in enumerate(SQUARES) if square != CASTLE]
    maps = list(_likeliest(options))
    if logged is not None:
        maps.append(_as_logged(coats, crosses, logged))
    kingdoms = [_kingdom(values) for _, values in maps]
    costs = np.array(
        [
            cost + _law(kingdom, roof) + _against(logged, kingdom, over=over)
            for (cost, _), kingdom in zip(maps, kingdoms, strict=True)
        ]
    )
    weights = np.exp(costs.min() - costs)
    weights /= weights.sum()
    scores = [score_sheet(Sheet(kingdom)).total for kingdom in kingdoms]
    best = int(weights.argmax())
    shares: dict[int, float] = {}
    for total, weight in zip(scores, weights, strict=True):
        shares[total] = shares.get(total, 0.0) + float(weight)
    sure = shares.pop(scores[best])
    drawn = np.array([list(values) for _, values in maps])
    differs = (drawn != drawn[best]).any(axis=2)
    other = np.array(scores) != scores[best]
    blame = (weights[:, None] * differs * other[:, None]).sum(axis=0)
    agreed = 1 - (weights[:, None] * differs).sum(axis=0)
    doubtful = blame > max(DOUBT / 3, 0.2 * float(blame.max())) if 1 - sure > DOUBT else blame > 1
    return ReadMap(
        squares=tuple(_squares(drawn[best], agreed, doubtful)),
        kingdom=kingdoms[best],
        roof=roof > 0.5,
        score=score_sheet(Sheet(kingdoms[best], roof=roof > 0.5)),
        sure=sure,
        other_scores=tuple(sorted(shares.items(), key=lambda item: -item[1])[:5]),
    )


def as_told(kingdom: Kingdom, roof: bool, doubts: Collection[str] = ()) -> ReadMap:
    """A map that a person told: nothing in it is doubtful but what was left open by name."""
    marks = {NAMES[square]: kingdom.at(square) for square in SQUARES if square != CASTLE}
    squares = tuple(
        ReadSquare(
            name, None if mark is None else mark.coat, mark.crosses if mark else 0, 1.0, name in doubts
        )
        for name, mark in marks.items()
    )
    return ReadMap(squares, kingdom, roof, score_sheet(Sheet(kingdom, roof=roof)), 1.0, ())


def _as_logged(coats: Floats, crosses: Floats, logged: Kingdom) -> tuple[float, tuple[Value, ...]]:
    """The map of the log as one of the maps to weigh: dearer by a little than if it had been listed."""
    cost = 1e-6
    values: list[Value] = []
    for k, square in enumerate(SQUARES):
        if square != CASTLE:
            mark = logged.at(square)
            value = (-1, 0) if mark is None else (mark.coat, min(mark.crosses, 3))
            chance = float(coats[k][0] if mark is None else coats[k][value[0] + 1] * crosses[k][value[1]])
            cost -= math.log(max(chance, 1e-9))
            values.append(value)
    return cost, tuple(values)


def _against(logged: Kingdom | None, kingdom: Kingdom, *, over: bool) -> float:
    """What a map costs for coats that the match's dice did not bring, and for those that are missing."""
    if logged is None:
        return 0.0
    had, has = (Counter((mark.coat, mark.crosses) for mark in one.marks()) for one in (logged, kingdom))
    return _COST_UNLOGGED * ((had - has).total() + over * (has - had).total())


def _squares(drawn: Floats, agreed: Floats, doubtful: Floats) -> Iterator[ReadSquare]:
    places = [square for square in SQUARES if square != CASTLE]
    for k, square in enumerate(places):
        coat, crosses = (int(value) for value in drawn[k])
        known = None if coat < 0 else coat
        yield ReadSquare(NAMES[square], known, crosses, round(float(agreed[k]), 4), bool(doubtful[k]))


def _options(coats: Floats, crosses: Floats) -> list[tuple[float, Value]]:
    """What a square may hold, with its cost (the negative logarithm of its probability), likeliest first."""
    found = [(-math.log(max(float(coats[0]), 1e-9)), (-1, 0))]
    for coat in range(6):
        for count in range(4):
            chance = float(coats[coat + 1]) * float(crosses[count])
            found.append((-math.log(max(chance, 1e-9)), (coat, count)))
    found.sort()
    return [option for option in found if option[0] < found[0][0] + _FAR][:7]


def _likeliest(
    options: Sequence[Sequence[tuple[float, Value]]],
) -> Iterator[tuple[float, tuple[Value, ...]]]:
    """The likeliest maps, square by square on its own: from the best onwards, each once."""
    base = sum(each[0][0] for each in options)
    # Only squares with a second option can change; the cheapest changes come first.
    free = sorted(
        (k for k, each in enumerate(options) if len(each) > 1),
        key=lambda k: options[k][1][0] - options[k][0][0],
    )
    heap: list[tuple[float, int, tuple[tuple[int, int], ...]]] = [(base, -1, ())]
    for _ in range(_MOST_MAPS):
        if not heap or heap[0][0] > base + _FAR_MAP:
            return
        cost, last, changes = heapq.heappop(heap)
        picked = dict(changes)
        yield cost, tuple(each[picked.get(k, 0)][1] for k, each in enumerate(options))
        if changes:
            square, rank = changes[-1]
            if rank + 1 < len(options[square]):
                step = options[square][rank + 1][0] - options[square][rank][0]
                heapq.heappush(heap, (cost + step, last, (*changes[:-1], (square, rank + 1))))
            if last + 1 < len(free):
                _swap(heap, cost, options, (free, last, changes))
        if last + 1 < len(free):
            following = free[last + 1]
            step = options[following][1][0] - options[following][0][0]
            heapq.heappush(heap, (cost + step, last + 1, (*changes, (following, 1))))


def _swap(
    heap: list[tuple[float, int, tuple[tuple[int, int], ...]]],
    cost: float,
    options: Sequence[Sequence[tuple[float, Value]]],
    state: tuple[list[int], int, tuple[tuple[int, int], ...]],
) -> None:
    """Instead of the last change (if it is a first one), the next square's first change."""
    free, last, changes = state
    square, rank = changes[-1]
    if rank == 1:
        following = free[last + 1]
        back = options[square][1][0] - options[square][0][0]
        step = options[following][1][0] - options[following][0][0]
        heapq.heappush(heap, (cost - back + step, last + 1, (*changes[:-1], (following, 1))))


def _kingdom(values: Sequence[Value]) -> Kingdom:
    kingdom = BLANK
    places = [square for square in SQUARES if square != CASTLE]
    for square, (coat, crosses) in zip(places, values, strict=True):
        if coat >= 0:
            kingdom = kingdom.add(Mark(square, coat, crosses))
    return kingdom


_PRINTED = tuple(
    {0, *(face.crosses for die in AS_PRINTED.dice for face in die if face.coat == coat)} for coat in range(6)
)


def _law(kingdom: Kingdom, roof: float) -> float:
    """What a map costs for what the rules hardly allow."""
    beyond = 0
    for mark in kingdom.marks():
        beyond += mark.crosses - max(count for count in _PRINTED[mark.coat] if count <= mark.crosses)
    table = _BEYOND_WITH_ROOF if roof > 0.5 else _BEYOND_PLAIN
    cost = table[min(beyond, 2)] + 3.0 * max(0, beyond - 2)
    return cost + _COST_ODD * _odd_squares(kingdom) + _COST_APART * _apart(kingdom)


def _apart(kingdom: Kingdom) -> int:
    """How many squares do not hang together with the castle."""
    filled = sum(kingdom.coats)
    joined, grown = 0, filled & beside(1 << CASTLE)
    while grown != joined:
        joined, grown = grown, grown | beside(grown) & filled
    return (filled & ~joined).bit_count()


def _odd_squares(kingdom: Kingdom) -> int:
    """How many squares are left over when as many dominoes as possible are laid on the drawn ones."""
    filled = sum(kingdom.coats)
    partner: dict[int, int] = {}

    def pair(square: int, tried: set[int]) -> bool:
        for other in (square + 1, square - 1, square + 8, square - 8):
            if other >= 0 and filled >> other & 1 and other not in tried:
                tried.add(other)
                if other not in partner or pair(partner[other], tried):
                    partner[other] = square
                    return True
        return False

    light = [square for square in SQUARES if filled >> square & 1 and (square // 8 + square % 8) % 2 == 0]
    laid = sum(pair(square, set()) for square in light)
    return filled.bit_count() - 2 * laid
