"""From probabilities square by square to the most probable map that a game can have left.

Coats come in dominoes, hang together with the castle, and carry no more crosses than dice, castle and P6
bring. The likeliest maps are listed square by square, weighed by those rules, and compared by their score:
where another score is at all likely, the squares that make it are doubts.
"""

import heapq
import math
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from itertools import chain

import numpy as np

from engine.kingdomino_duel.kingdom import CASTLE, NAMES, SQUARES, Kingdom
from engine.kingdomino_duel.map_score import PER_NAMED_DOMAIN, Sheet, SheetScore, score_sheet
from vision.sheet_cells import Floats
from vision.sheet_doubts import Likely, Value, doubtful
from vision.sheet_law import DICE, blamed, law

_MOST_MAPS = 500
_FAR = 11.0
"""What is e^11 times less likely than the best for its square is not looked at."""
_FAR_MAP = 18.0
"""The same for whole maps, where the rules may still make up for some of it."""
_COST_UNLOGGED = 2.5
"""What each coat too many or too few costs where a log tells which dice were drawn."""
_OTHERS = 3
"""So many other readings of a square are offered to whoever settles it."""
_LEAST_AGREED = 0.98
"""A square that is less likely than this to be what is told is doubted, whatever it does to the score."""
_LEAST_ALONE = 0.6
"""A square that by itself is less likely than this is doubted, however well it fits with the others."""
_PLACES = tuple(square for square in SQUARES if square != CASTLE)


@dataclass(frozen=True, slots=True)
class ReadSquare:
    """One square as read: its coat (None: empty), its crosses, how sure, and whether a person should look."""

    name: str
    coat: int | None
    crosses: int
    confidence: float
    doubt: bool
    others: tuple[Value, ...] = ()
    """What else it may be by its look alone (a coat of -1: empty), the likeliest first."""


@dataclass(frozen=True, slots=True)
class MapWorth:
    """What a map may be worth: its points, the squares of its largest domain, and how likely that is."""

    total: int
    largest: int
    chance: float


@dataclass(frozen=True, slots=True)
class _Tally:
    """What the domains of a map come to."""

    points: int
    counts: tuple[int, ...]
    """How many domains each coat has."""
    largest: int
    """The squares of the largest."""

    def total(self, named: int | None = None) -> int:
        """The points, with those for a coat that was named."""
        return self.points + (0 if named is None else PER_NAMED_DOMAIN * self.counts[named])


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
    paying: tuple[str, ...] = ()
    """The doubtful squares on which the score hangs."""
    worths: tuple[tuple[MapWorth, ...], ...] = ((),) * 7
    """What it may be worth where no coat was named with P5, and for each coat where that one was."""
    named: int | None = None
    """The coat named with P5."""
    named_doubts: tuple[tuple[str, ...], ...] = ((),) * 6
    """For each coat the squares that are doubtful if that one was named with P5, which pays its domains."""

    @property
    def worth(self) -> tuple[MapWorth, ...]:
        """What the map may be worth; what is missing to certainty is a map that was not compared."""
        return self.worths[0 if self.named is None else 1 + self.named]

    @property
    def doubts(self) -> tuple[str, ...]:
        """The names of the doubtful squares, those on which the score hangs first."""
        names = [square.name for square in self.squares if square.doubt]
        return tuple(sorted(names, key=lambda name: name not in self.paying))

    def with_named(self, coat: int) -> "ReadMap":
        """The same map where this coat was named with P5: how many domains it has matters, too."""
        more = self.named_doubts[coat]
        squares = tuple(replace(one, doubt=one.doubt or one.name in more) for one in self.squares)
        score = score_sheet(Sheet(self.kingdom, roof=self.roof, named=coat))
        paying = (*self.paying, *(name for name in more if name not in self.paying))
        return replace(self, squares=squares, score=score, paying=paying, named=coat)


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
    seen: list[float] = []
    costs: list[float] = []
    maps: list[tuple[Value, ...]] = []
    for cost, values in listed:
        # The rules only add to a cost: what is far off without them need not be held against them.
        if costs and cost > min(costs) + _FAR_MAP:
            break
        seen.append(cost)
        kingdom = _kingdom(values)
        costs.append(cost + law(kingdom, roof) + _against(logged, kingdom, over=over))
        maps.append(values)
    weights = np.exp(min(costs) - np.array(costs))
    weights /= weights.sum()
    tallies = [_tally(values) for values in maps]
    scores = [one.total() for one in tallies]
    best = int(weights.argmax())
    shares: dict[int, float] = {}
    for total, weight in zip(scores, weights, strict=True):
        if total != scores[best]:
            shares[total] = shares.get(total, 0.0) + float(weight)
    # Of a match that was logged, its own map is listed first.
    unlisted = 0.0 if logged is not None else _unlisted(options, seen)
    likely = Likely(maps, weights, scores, best, unlisted, _alone(options, maps[best]))
    agreed = _agreed(likely)
    named = []
    for coat in range(6):
        paid = replace(likely, scores=[one.total(coat) for one in tallies])
        found = doubtful(paid, partial(_total, named=coat))
        named.append(tuple(NAMES[_PLACES[k]] for k in sorted(found)))
    kingdom = _kingdom(maps[best])
    paying = doubtful(likely, _total)
    doubts = paying | _unclear(agreed, likely.alone) | _strange(kingdom, roof)
    return ReadMap(
        squares=tuple(_squares(maps[best], agreed, doubts, options)),
        kingdom=kingdom,
        roof=roof > 0.5,
        score=score_sheet(Sheet(kingdom, roof=roof > 0.5)),
        sure=likely.sure,
        other_scores=tuple(sorted(shares.items(), key=lambda item: -item[1])[:5]),
        paying=tuple(NAMES[_PLACES[k]] for k in sorted(paying)),
        worths=tuple(_worth(tallies, weights, unlisted, coat) for coat in (None, *range(6))),
        named_doubts=tuple(named),
    )


def _agreed(likely: Likely) -> list[float]:
    """How likely each square is what the likeliest map has there.

    The maps that were listed differ in few squares; in those that were not each stands for itself.
    """
    best, unlisted = likely.maps[likely.best], likely.unlisted
    listed = [
        sum(float(w) for w, values in zip(likely.weights, likely.maps, strict=True) if values[k] == told)
        for k, told in enumerate(best)
    ]
    return [
        (1 - unlisted) * share + unlisted * float(alone)
        for share, alone in zip(listed, likely.alone, strict=True)
    ]


def _worth(
    tallies: Sequence[_Tally], weights: Floats, unlisted: float, named: int | None
) -> tuple[MapWorth, ...]:
    """What the listed maps are worth, the likeliest first."""
    shares: dict[tuple[int, int], float] = {}
    for tally, weight in zip(tallies, weights, strict=True):
        key = (tally.total(named), tally.largest)
        shares[key] = shares.get(key, 0.0) + float(weight) * (1 - unlisted)
    likely = sorted(shares.items(), key=lambda item: -item[1])
    return tuple(MapWorth(total, largest, chance) for (total, largest), chance in likely)


def _unclear(agreed: Sequence[float], alone: Floats) -> frozenset[int]:
    """The squares of which nobody can be sure what is drawn there."""
    return frozenset(
        k for k, sure in enumerate(agreed) if sure < _LEAST_AGREED or alone[k] < _LEAST_ALONE
    )  # fmt: skip


def _strange(kingdom: Kingdom, roof: float) -> frozenset[int]:
    """The squares by which a map is one that hardly a game leaves."""
    return frozenset(_PLACES.index(square) for square in blamed(kingdom, roof))


def _unlisted(options: Sequence[Sequence[tuple[float, Value]]], costs: Sequence[float]) -> float:
    """How likely the squares, each on its own, make none of the maps of these costs."""
    whole = sum(math.log(sum(math.exp(-cost) for cost, _ in each)) for each in options)
    return max(0.0, 1 - sum(math.exp(-cost - whole) for cost in costs))


def _alone(options: Sequence[Sequence[tuple[float, Value]]], values: Sequence[Value]) -> Floats:
    """How likely each square by itself is what these say."""
    told = []
    for each, value in zip(options, values, strict=True):
        chances = {other: math.exp(-cost) for cost, other in each}
        told.append(chances.get(value, 0.0) / sum(chances.values()))
    return np.array(told)


def _total(values: Sequence[Value], named: int | None = None) -> int:
    """The points of a map's domains, and those for a coat that was named."""
    return _tally(tuple(values)).total(named)


@lru_cache(maxsize=4 * _MOST_MAPS)
def _tally(values: tuple[Value, ...]) -> _Tally:
    """What a map's domains come to, which is asked for again with each coat that may have been named."""
    domains = tuple(_kingdom(values).domains())
    counts = Counter(domain.coat for domain in domains)
    return _Tally(
        points=sum(domain.points for domain in domains),
        counts=tuple(counts[coat] for coat in range(6)),
        largest=max((len(domain.squares) for domain in domains), default=0),
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
    sheets = [score_sheet(Sheet(kingdom, roof=roof, named=coat)) for coat in (None, *range(6))]
    worths = tuple((MapWorth(one.total, one.largest, 1.0),) for one in sheets)
    return ReadMap(squares, kingdom, roof, sheets[0], 1.0, (), worths=worths)


def _as_logged(coats: Floats, crosses: Floats, logged: Kingdom) -> tuple[float, tuple[Value, ...]]:
    """The map of the log as one of the maps to weigh: dearer by a little than if it had been listed."""
    cost = 1e-6
    values: list[Value] = []
    for k, square in enumerate(SQUARES):
        if square != CASTLE:
            mark = logged.at(square)
            value = (-1, 0) if mark is None else (mark.coat, min(mark.crosses, 3))
            cost -= math.log(max(_chance(coats[k], crosses[k], value), 1e-9))
            values.append(value)
    return cost, tuple(values)


def _against(logged: Kingdom | None, kingdom: Kingdom, *, over: bool) -> float:
    """What a map costs for coats that the match's dice did not bring, and for those that are missing."""
    if logged is None:
        return 0.0
    had, has = (Counter((mark.coat, mark.crosses) for mark in one.marks()) for one in (logged, kingdom))
    return _COST_UNLOGGED * ((had - has).total() + over * (has - had).total())


def _squares(
    drawn: Sequence[Value],
    agreed: Sequence[float],
    doubts: Collection[int],
    options: Sequence[Sequence[tuple[float, Value]]],
) -> Iterator[ReadSquare]:
    for k, (coat, crosses) in enumerate(drawn):
        known = None if coat < 0 else coat
        others = tuple(value for _, value in options[k] if value != (coat, crosses))[:_OTHERS]
        yield ReadSquare(NAMES[_PLACES[k]], known, crosses, round(agreed[k], 4), k in doubts, others)


def _options(coats: Floats, crosses: Floats) -> list[tuple[float, Value]]:
    """What a square may hold, with its cost (the negative logarithm of its probability), likeliest first."""
    values = [(-1, 0), *((coat, count) for coat in range(6) for count in range(4))]
    found = sorted((-math.log(max(_chance(coats, crosses, value), 1e-9)), value) for value in values)
    return [option for option in found if option[0] < found[0][0] + _FAR][:7]


def _chance(coats: Floats, crosses: Floats, value: Value) -> float:
    """How likely a square holds this, by what is seen there and by what the dice bring."""
    coat, count = value
    return float(coats[0] if coat < 0 else coats[coat + 1] * crosses[count] * DICE[coat, count])


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
