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
from itertools import chain

import numpy as np

from engine.kingdomino_duel.edition import AS_PRINTED
from engine.kingdomino_duel.kingdom import CASTLE, NAMES, SQUARES, Kingdom, beside
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
_LIGHT = 1e-5
"""Maps less likely than this make no square doubtful."""
_MOST_BLAMED = 12
_RESTS = 0.03
"""With less chance than this that the score is still wrong, no further squares are asked about: a little
of it in each of many squares would have nearly all of them looked at."""
_LEFT = 0.25
"""So much of the chance that the score is wrong may be left once the doubtful squares are settled, where that
chance is large: a sheet that can hardly be read would have to be told square by square otherwise."""

_PLACES = tuple(square for square in SQUARES if square != CASTLE)
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
    listed = _likeliest(options)
    if logged is not None:
        listed = chain([_as_logged(coats, crosses, logged)], listed)
    costs: list[float] = []
    maps: list[tuple[Value, ...]] = []
    for cost, values in listed:
        # The rules only add to a cost: what is far off without them need not be held against them.
        if costs and cost > min(costs) + _FAR_MAP:
            break
        kingdom = _kingdom(values)
        costs.append(cost + _law(kingdom, roof) + _against(logged, kingdom, over=over))
        maps.append(values)
    weights = np.exp(min(costs) - np.array(costs))
    weights /= weights.sum()
    scores = [_total(values) for values in maps]
    best = int(weights.argmax())
    shares: dict[int, float] = {}
    for total, weight in zip(scores, weights, strict=True):
        shares[total] = shares.get(total, 0.0) + float(weight)
    sure = shares.pop(scores[best])
    agreed = [
        sum(float(w) for w, values in zip(weights, maps, strict=True) if values[k] == maps[best][k])
        for k in range(len(options))
    ]
    doubtful = _doubtful(maps, weights, scores, best)
    kingdom = _kingdom(maps[best])
    return ReadMap(
        squares=tuple(_squares(maps[best], agreed, doubtful)),
        kingdom=kingdom,
        roof=roof > 0.5,
        score=score_sheet(Sheet(kingdom, roof=roof > 0.5)),
        sure=sure,
        other_scores=tuple(sorted(shares.items(), key=lambda item: -item[1])[:5]),
    )


def _doubtful(
    maps: Sequence[tuple[Value, ...]], weights: Floats, scores: Sequence[int], best: int
) -> frozenset[int]:
    """The squares to be looked at: as few as make the score sure once they are settled.

    What is uncertain and changes no score is none of them, however likely it is something else.
    """
    ways = [
        (float(weight), {k: value for k, value in enumerate(values) if value != maps[best][k]}, score)
        for weight, values, score in zip(weights, maps, scores, strict=True)
        if weight > _LIGHT
    ]
    totals: dict[frozenset[tuple[int, Value]], int] = {}

    def settled(changes: dict[int, Value], looked: frozenset[int]) -> int:
        """The score that is told if these squares alone are put right."""
        key = frozenset((k, value) for k, value in changes.items() if k in looked)
        if key not in totals:
            totals[key] = _total(tuple(dict(key).get(k, value) for k, value in enumerate(maps[best])))
        return totals[key]

    def wrong(looked: frozenset[int]) -> float:
        return sum(weight for weight, changes, score in ways if settled(changes, looked) != score)

    looked: frozenset[int] = frozenset()
    enough = max(_RESTS, _LEFT * wrong(looked))
    while (left := wrong(looked)) > (enough if looked else DOUBT):
        blame: Counter[int] = Counter()
        for weight, changes, score in ways:
            if settled(changes, looked) != score:
                blame.update(dict.fromkeys(changes.keys() - looked, weight))
        if not blame:
            break
        # Some squares matter only together: where none helps alone, the one most often at fault comes first.
        helps = {k: left - wrong(looked | {k}) for k, _ in blame.most_common(_MOST_BLAMED)}
        looked |= {max(helps, key=lambda k: (round(helps[k], 9), blame[k]))}
    return looked


def _total(values: Sequence[Value]) -> int:
    """The points of a map's domains."""
    return sum(domain.points for domain in _kingdom(values).domains())


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


def _squares(
    drawn: Sequence[Value], agreed: Sequence[float], doubtful: Collection[int]
) -> Iterator[ReadSquare]:
    for k, (coat, crosses) in enumerate(drawn):
        known = None if coat < 0 else coat
        yield ReadSquare(NAMES[_PLACES[k]], known, crosses, round(agreed[k], 4), k in doubtful)


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
    coats, crosses = [0, 0, 0, 0, 0, 0], 0
    for square, (coat, count) in zip(_PLACES, values, strict=True):
        if coat >= 0:
            coats[coat] |= 1 << square
            crosses |= count << 4 * square
    first, second, third, fourth, fifth, sixth = coats
    return Kingdom((first, second, third, fourth, fifth, sixth), crosses)


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
