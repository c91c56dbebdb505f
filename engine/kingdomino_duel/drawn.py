"""What is new on a map that was read: whole maps that it may be, each weighed against the record.

A reader ranks what each square may hold, square by square. Here that is held against what must be so: what is
on record stays, one or two squares are new at a time, side by side, and hold what the dice of the turn show.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from math import exp, inf, log
from typing import Final, NamedTuple, TypeAlias

from engine.kingdomino_duel.book import cells
from engine.kingdomino_duel.edition import COATS, JOKER
from engine.kingdomino_duel.kingdom import CASTLE, NAMES, SQUARES, Kingdom, Mark
from engine.kingdomino_duel.model import DuelState
from engine.plain import Json
from engine.scene import Guess, Sighting

_NEVER: Final = 1e-4
"""A reader is never surer than this that a square does not hold something."""
_UNROLLED, _CASTLE, _JOKER = 4.0, 1.5, 1.0
"""What it costs (the negative log of how often it is so) that no die of the turn shows a new coat, that the
castle's cross comes with it, and that it is drawn for a question mark."""
_CROSSED, _CHANGED = 4.0, 7.0
"""What it costs that a recorded coat has crosses more, and that it is another one or gone."""
_ALONE, _APART, _MORE = 2.0, 3.0, 5.0
"""What it costs that one square is new instead of two, that two are not side by side, and each beyond two."""
_NOT_DUE: Final = 6.0
"""What it costs that somebody drew whose turn it is not."""
_TO_TAKE: Final = 1.0
"""What it costs that somebody drew for each die that was still to be taken when the record was written."""
_ROOF, _ROOF_GONE = 3.0, 4.5
_WORST: Final = 14.0
_MOST_CHANGES, _MOST_MAPS = 20, 6
_LEAST: Final = 0.002
_AS_RECORDED: Final = 0.9
"""So likely a map is as recorded, it counts as unchanged."""
_AT_ODDS: Final = 0.045
"""A map that may have changed is told as unlikely as this to be as recorded, so that it is looked into."""

_PLACED: Final = 0.3
"""As likely as this some square must have changed, whatever is drawn there, for a map to be looked into."""
_HAZY: Final = 0.9
"""How likely a map is told to be as recorded where no one square is likely to have changed."""
_BESIDE: Final = exp(-4.0)
"""How much less likely than what may be drawn the record is told to be where both have to be asked for."""

Value: TypeAlias = tuple[int, int]
"""The coat (-1: none) and the crosses of a square."""
_Way: TypeAlias = tuple[float, Kingdom, bool]
"""How likely a map is, what is drawn on it, and whether its roof is coloured."""


class Change(NamedTuple):
    """A square that may hold something else than the record says, and how much likelier that is."""

    square: int
    mark: Mark | None
    gain: float
    new: bool


def weighed(one: Sighting, state: DuelState, others: Sequence[DuelState] = ()) -> Sighting:
    """A map that was read square by square, as the whole maps that it may be; anything else as it is.

    ``others`` are states that the record may be as well: what they have drawn has not changed either.
    """
    if one.kind != "sheet" or one.region not in ("sheet-1", "sheet-2") or not _is_ranked(one):
        return one
    player = int(one.region[-1])
    value = one.value or {}
    side = state.side(player)
    alike = [side.kingdom, *(other.side(player).kingdom for other in others)]
    maps = _maps(value.get("map"), state, player, alike)
    roofs = _roofs(value.get("roof_confidence"), recorded=side.roof)
    found = sorted(
        ((p * q, kingdom, roof) for p, kingdom in maps for q, roof in roofs if p * q > _LEAST),
        key=lambda way: -way[0],
    )[:_MOST_MAPS]
    guesses = (
        Guess({"map": list(cells(kingdom)), "roof": roof}, p)
        for p, kingdom, roof in _asking(found, (side.kingdom, side.roof), alike)
    )
    return replace(one, guesses=tuple(guesses))


def _asking(found: list[_Way], recorded: tuple[Kingdom, bool], alike: Sequence[Kingdom]) -> list[_Way]:
    """Maps as likely as they are, but for one that is not surely as recorded: it has to be looked into.

    The referee says nothing of a map that is likelier as recorded than not. Of paper, that would be to guess
    silently; so the record is told to be less likely than what may be drawn, and is asked for beside it. But
    where many squares seem to hold a little, none is drawn yet: whoever has to draw will be waited for.
    """
    if sum(one[0] for one in found if one[1] in alike and one[2] == recorded[1]) > _AS_RECORDED:
        return found
    still = sum(one[0] for one in found if one[1:] == recorded)
    if _is_haze(found, recorded):
        return [(_HAZY, *recorded)]
    best = max((one[0] for one in found if one[1:] != recorded), default=0.0)
    least = min(still, best * _BESIDE)
    scale = min(1.0, _AT_ODDS / max(least, 1e-9))
    told = (((least if one[1:] == recorded else one[0]) * scale, *one[1:]) for one in found)
    return sorted(told, key=lambda one: -one[0])


def _is_haze(found: list[_Way], recorded: tuple[Kingdom, bool]) -> bool:
    """Whether no one square is likely to have changed, nor the roof, whatever may be drawn there."""
    kingdom, roof = recorded
    likely = [sum(one[0] for one in found if one[1].at(k) != kingdom.at(k)) for k in SQUARES]
    return max(*likely, sum(one[0] for one in found if one[2] != roof)) < _PLACED


def as_it_is(one: Sighting, state: DuelState) -> tuple[Kingdom, tuple[str, ...]]:
    """A map as it reads, the record's where that may be so; and the squares of which nobody can say."""
    side = state.side(int(one.region[-1]))
    kingdom, open_ = Kingdom(), []
    for square, cell in zip(SQUARES, _flat(one.value), strict=False):
        chances = _chances(cell) or {(-1, 0): 1.0}
        recorded = _value(side.kingdom.at(square))
        likeliest = max(chances, key=lambda value: chances[value])
        if chances[likeliest] < _AS_RECORDED:
            if chances.get(recorded, 0.0) < _AT_ODDS:
                open_.append(NAMES[square])
            likeliest = recorded
        if likeliest[0] >= 0:
            kingdom = kingdom.add(Mark(square, *likeliest))
    return kingdom, tuple(open_)


def _is_ranked(one: Sighting) -> bool:
    """Whether a reader told what each square may be besides."""
    return any(isinstance(cell, Mapping) and "alternatives" in cell for cell in _flat(one.value))


def _flat(value: Mapping[str, Json] | None) -> list[Json]:
    rows = (value or {}).get("map")
    return (
        [cell for row in rows if isinstance(row, Sequence) for cell in row]
        if isinstance(rows, Sequence)
        else []
    )


def _maps(told: Json, state: DuelState, player: int, alike: Sequence[Kingdom]) -> list[tuple[float, Kingdom]]:
    """Maps and how likely they are; ``alike`` are those that the record may be."""
    ranked, worths = _flat({"map": told}), dict[Kingdom, float]()
    for kingdom in dict.fromkeys(alike):
        as_it_was = _as_likely(ranked, kingdom)
        for made, worth in _made(ranked, kingdom, state, player):
            worths[made] = max(worths.get(made, -inf), as_it_was + worth)
    best = max(worths.values())
    total = sum(exp(worth - best) for worth in worths.values())
    shares = ((exp(worth - best) / total, made) for made, worth in worths.items())
    return [(share, made) for share, made in shares if share > _LEAST]


def _made(
    ranked: Sequence[Json], kingdom: Kingdom, state: DuelState, player: int
) -> Iterator[tuple[Kingdom, float]]:
    """What may have become of a map, and how much likelier that is than that it is as it was."""
    side = state.side(player)
    changes = sorted(_changes(ranked, kingdom, _symbols(state, player)), key=lambda one: -one.gain)
    kept = [one for one in changes if one.gain > -_WORST]
    due = state.stage in ("draft", "draw") and side.drawing == "due"
    early = _TO_TAKE * len(state.taken(None)) if due else _NOT_DUE
    ways = {frozenset(some) for count in (0, 1, 2) for some in combinations(kept[:_MOST_CHANGES], count)}
    ways |= set(_as_read(kept))
    for way in ways:
        if len({one.square for one in way}) == len(way):
            yield _with(kingdom, way), _worth(way, early)


def _as_likely(ranked: Sequence[Json], kingdom: Kingdom) -> float:
    """The log of how likely it is to read these squares if the map is this one."""
    told = [(square, _chances(cell)) for square, cell in zip(SQUARES, ranked, strict=False)]
    return sum(
        log(chances.get(_value(kingdom.at(square)), _NEVER))
        for square, chances in told
        if chances and square != CASTLE
    )


def _value(known: Mark | None) -> Value:
    return (-1, 0) if known is None else (known.coat, known.crosses)


def _as_read(changes: Sequence[Change]) -> Iterator[frozenset[Change]]:
    """The map as it reads square by square, however much of it is new, and all that differs from it once."""
    best: dict[int, Change] = {}
    for one in changes:
        if one.gain > 0:
            best.setdefault(one.square, one)
    yield frozenset(best.values())
    for one in changes:
        others = frozenset(best.values()) - {best.get(one.square)}
        yield others
        yield others | {one}


def _worth(way: frozenset[Change], early: float) -> float:
    """How likely some changes are; ``early`` is what it costs that anything new is drawn now."""
    new = sorted(one.square for one in way if one.new)
    cost = early if new else 0.0
    cost += _MORE * max(0, len(new) - 2)
    if len(new) == 1:
        cost += _ALONE
    elif len(new) == 2 and new[1] - new[0] not in (1, 8):
        cost += _APART
    gone = sorted(one.square for one in way if one.mark is None)
    if len(gone) == 2 and gone[1] - gone[0] in (1, 8):
        cost -= 2 * _CHANGED - _ALONE  # a drawing that was taken back is gone as a whole
    return sum(one.gain for one in way) - cost


def _with(kingdom: Kingdom, way: frozenset[Change]) -> Kingdom:
    """The map after these changes."""
    marks = {mark.square: mark for mark in kingdom.marks()} | {one.square: one.mark for one in way}
    made = Kingdom()
    for mark in marks.values():
        made = made if mark is None else made.add(mark)
    return made


def _changes(told: Sequence[Json], kingdom: Kingdom, symbols: Mapping[Value, float]) -> Iterator[Change]:
    """All that squares may hold besides what is on record."""
    for square, cell in zip(SQUARES, told, strict=False):
        known = kingdom.at(square)
        chances = _chances(cell)
        if square == CASTLE or not chances:
            continue
        recorded = _value(known)
        was = chances.get(recorded, _NEVER)
        for (coat, crosses), chance in chances.items():
            if (coat, crosses) == recorded:
                continue
            if known is None:
                cost = symbols.get((coat, crosses), _UNROLLED)
            else:
                cost = _CROSSED if coat == known.coat and crosses > known.crosses else _CHANGED
            mark = None if coat < 0 else Mark(square, coat, crosses)
            yield Change(square, mark, log(chance / was) - cost, known is None)


def _chances(cell: Json) -> dict[Value, float]:
    """What a square may hold, as its reader ranks it."""
    if not isinstance(cell, Mapping):
        return {}
    others = cell.get("alternatives")
    found: dict[Value, float] = {}
    for one in (cell, *(others if isinstance(others, Sequence) else ())):
        if isinstance(one, Mapping):
            coat, crosses, sure = one.get("coat"), one.get("crosses", 0), one.get("confidence", 1.0)
            if isinstance(crosses, int) and isinstance(sure, int | float) and (coat is None or coat in COATS):
                value = (-1, 0) if coat is None else (COATS.index(str(coat)), crosses)
                found[value] = max(float(sure), _NEVER)
    return found


def _symbols(state: DuelState, player: int) -> dict[Value, float]:
    """What this player may draw now, and what that costs: the dice taken, or any while too few are."""
    mine = state.domino(player)
    found: dict[Value, float] = {}
    for die in mine if len(mine) == 2 else state.dice:
        coat, crosses = die.symbol
        if coat == JOKER:
            for any_coat in range(len(COATS)):
                found.setdefault((any_coat, 0), _JOKER)
            continue
        if not state.side(player).roof:
            found.setdefault((coat, crosses + 1), _CASTLE)
        found[coat, crosses] = 0.0
    return found


def _roofs(sure: Json, *, recorded: bool) -> list[tuple[float, bool]]:
    """Whether the roof is coloured, and how likely each is."""
    if not isinstance(sure, int | float):
        return [(1.0, recorded)]
    coloured = min(1 - _NEVER, max(_NEVER, float(sure)))
    odds = log(coloured / (1 - coloured)) + (_ROOF_GONE if recorded else -_ROOF)
    share = 1 / (1 + exp(-odds))
    return [(share, True), (1 - share, False)]
