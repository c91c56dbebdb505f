"""How well a layout agrees with a scene, and where it does not.

Every piece of a layout is worth a log-likelihood: nothing lost where a sighting of its kind lies at its place
and reads as it should, more the farther off it lies and the worse it reads, ``MISSING`` where there is none,
and nothing at all where the place was hidden. Every sighting that no piece accounts for costs what it would
take to have seen something that is not there. What a piece with a place is worth does not hang on the others
(two never share a place), so each is looked at once, however many layouts are held against the scene.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from math import exp, hypot, log
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from engine.layout import Face, Layout, Spot
from engine.matching.assignment import assign
from engine.matching.in_sight import seen_of
from engine.matching.reading_odds import agreement
from engine.plain import Json
from engine.scene import Scene, Sighting

SPREAD: Final = 0.16
"""How far off its place a piece is put down, in board units (a standard deviation)."""
REACH: Final = 0.52
"""Farther off its place nothing is taken for the piece."""
SKEW: Final = 14.0
"""How crooked a piece lies, in degrees (a standard deviation)."""
ASKEW: Final = 44.0
"""A piece that is turned farther lies otherwise."""
MISSING: Final = -7.0
"""What it costs that a piece is not seen where it should be."""
TURNED: Final = -7.2
"""What it costs at most that a soldier faces another way than he should: he may have been put back so.

Hardly ever is it misread: of 1,387 pairs of settled pictures of one soldier none differed by 45° or
more unless he had been turned."""
_STIRRED: Final = 35.0
"""So far, in degrees, a soldier who faces nowhere yet may turn with the tile that is flipped below him."""
TOO_MANY: Final = -7.0
"""What it costs at most that something is seen where nothing should be."""
NOWHERE: Final = -0.5
"""The same of something that lies in no region: a cup, a die that rolled away."""
STRAYED: Final = -5.0
"""What it costs that a piece without a place of its own is not where it was, though nobody moved it."""
NOTABLE: Final = -3.0
"""Worse than this, a place is said to disagree."""
PLAIN: Final = -1.0
"""What would cost more than this if it were not there is seen plainly."""
_FAINT: Final = -0.02
"""What would cost less than this is no hint of anything."""
CLUTTER: Final = -4.6
"""What would cost more than this if it were none is a piece: it is seen with 99 %."""
NEARBY_MM: Final = 5.0
"""So near to where it was, a piece without a place has not been moved."""


class Lay(NamedTuple):
    """Where a piece was seen to lie."""

    region: str
    x: float
    y: float
    angle: float = 0.0


Places: TypeAlias = Mapping[str, Lay]
"""Where pieces without a place of their own lay when the table was last understood, by their names."""


def instead_of(was: Spot, now: Spot, lay: Lay) -> Lay:
    """Where a piece lies that was taken for another: just there, a half that both have on the same side."""
    before, after = _halves(was), _halves(now)
    shared = next((half for half in before if half in after), None)
    turned = shared is not None and before.index(shared) != after.index(shared)
    return lay._replace(angle=(lay.angle + 180) % 360) if turned else lay


def _halves(spot: Spot) -> tuple[Json, ...]:
    pips = (spot.value or {}).get("pips")
    return tuple(pips) if isinstance(pips, Sequence) else ()


class Leniency(NamedTuple):
    """Regions in which less matters: that a piece is missing, how many lie in a heap, what is seen there."""

    missing: Mapping[str, float]
    """What it costs instead of ``MISSING``."""
    counted: Mapping[str, float]
    """What each closed piece too few costs, and at most one too many: it may be none."""
    idle: Collection[tuple[str, Face]] = frozenset()
    """Regions with the face of pieces that mean nothing there, whatever they are."""
    lying: float = NOWHERE
    """What each thing costs that lies there; nothing where it is put once it means nothing."""


class Fit(NamedTuple):
    """What one piece of a layout is worth, and the number of the sighting that it accounts for, or -1."""

    worth: float
    seen: int
    reading: float = 0.0
    """What of this is due to how the piece reads."""


class Gap(NamedTuple):
    """Where a layout and a scene disagree."""

    missing: tuple[Spot, ...]
    """Pieces that should be seen and are not."""
    misread: tuple[tuple[Spot, Sighting], ...]
    """Pieces that lie where they should and do not look so."""
    extra: tuple[Sighting, ...]
    """What is seen and should not be."""
    heaps: tuple[tuple[str, int, int], ...]
    """Regions with how many pieces they should hold that nobody may look at, and how many are seen."""

    def __bool__(self) -> bool:
        return bool(self.missing or self.extra or self.heaps or self.misread)

    @property
    def places(self) -> frozenset[Hashable]:
        """All of it, by what tells one place from others."""
        spots = (*self.missing, *(spot for spot, _ in self.misread))
        lacking = (region for region, due, seen in self.heaps if seen < due)
        more = ((one.region, one.x, one.y) for one in self.extra)
        return frozenset((*(spot.name for spot in spots), *lacking, *more))

    def is_short(self, full: Collection[str]) -> bool:
        """Whether nothing is at odds but that heaps hold too few, of which none was ``full``."""
        heaps = bool(self.heaps) and not any(region in full for region, *_ in self.heaps)
        return heaps and not (self.missing or self.misread or self.extra)

    @property
    def uncounted(self) -> tuple[Sighting, ...]:
        """What is seen and should not be, but for what the number of pieces in a heap tells."""
        heaps = {region for region, *_ in self.heaps}
        return tuple(one for one in self.extra if one.face == "up" or one.region not in heaps)

    @property
    def moved(self) -> bool:
        """Whether more than a reading is at odds."""
        return bool(self.missing or self.extra or self.heaps)


class Evidence:
    """A scene, ready to be held against many layouts."""

    def __init__(
        self,
        scene: Scene,
        places: Places,
        lenient: Leniency,
        *,
        heed_ends: bool = True,
        awaited: frozenset[str] = frozenset(),
        known: Mapping[str, Spot] = MappingProxyType({}),
    ) -> None:
        """``heed_ends`` says whether it matters which way round a domino lies, and ``awaited`` names pieces
        that will be turned, so that any way they face is news. ``known`` are the pieces that are thought to
        lie in ``places``: if one shows something else in another layout, it was perhaps taken for another."""
        self.scene = scene
        self.places = places
        self._known = known
        self._lenient = lenient
        self._heed_ends, self._awaited, self._unseen = heed_ends, awaited, frozenset(scene.vouched)
        self._said_to_lie = Counter(region for name, region in scene.vouched if name == region)
        self._sightings = tuple(one for one in scene.sightings if one.kind != "tile")
        self._by_region: dict[tuple[str, str], list[int]] = {}
        for index, one in enumerate(self._sightings):
            self._by_region.setdefault((one.region, one.kind), []).append(index)
        self._extra = tuple(_unexplained(one, lenient) for one in self._sightings)
        self._fits: dict[Hashable, Fit] = {}
        self._groups: dict[Hashable, tuple[Fit, ...]] = {}

    # — what a layout is worth —

    def undisputed(self, layout: Layout) -> float:
        """What those pieces of a layout are worth with which the scene agrees."""
        return sum(fit.worth for _, fit in self._fit_all(layout) if fit.seen >= 0 and fit.reading >= NOTABLE)

    def score(self, layout: Layout) -> float:
        """The log-likelihood of the scene if the table is as ``layout`` says; 0 is perfect."""
        total, explained = 0.0, set[int]()
        for _, fit in self._fit_all(layout):
            total += fit.worth
            explained.add(fit.seen)
        counted, heaped = self._heaps(layout)
        explained |= heaped
        rest = sum(cost for index, cost in enumerate(self._extra) if index not in explained)
        lacks = (self._lenient.counted[region] * max(0, due - seen) for region, due, seen in counted)
        return total + rest + sum(lacks)

    def gap(self, layout: Layout, *, faint: bool = False) -> Gap:
        """Where ``layout`` and the scene disagree; or with what is ``faint``, too: a move may tell of it."""
        missing: list[Spot] = []
        misread: list[tuple[Spot, Sighting]] = []
        explained: set[int] = set()
        for spot, fit in self._fit_all(layout):
            explained.add(fit.seen)
            if fit.seen < 0:
                if fit.worth < NOTABLE:
                    missing.append(spot)
            elif fit.reading < NOTABLE:
                misread.append((spot, self._sightings[fit.seen]))
        counted, heaped = self._heaps(layout)
        explained |= heaped
        extra = tuple(
            one
            for index, one in enumerate(self._sightings)
            if index not in explained
            and self._extra[index] < (_FAINT if faint and _matters(one, self._lenient) else PLAIN)
        )
        plain = {one.region for one in extra}
        heaps = tuple(one for one in counted if one[2] < one[1] or one[0] in plain)
        return Gap(tuple(missing), tuple(misread), extra, heaps)

    def agrees(self, layout: Layout) -> bool:
        """Whether a layout and the scene disagree nowhere; told at the first place where they do."""
        for _, fit in self._fit_all(layout):
            if fit.worth < NOTABLE and (fit.seen < 0 or fit.reading < NOTABLE):
                return False
        return not self.gap(layout)

    def is_clutter(self, gap: Gap) -> bool:
        """Whether all that has come may be no piece at all: a shadow, or the side of a tile."""
        lacking = gap.missing or any(seen < due for _, due, seen in gap.heaps)
        return not lacking and all(one.presence < 1 - exp(CLUTTER) for one in gap.extra)

    def idle_and_fresh(self, layout: Layout) -> Gap:
        """What means nothing where it lies, and yet was put there just now: perhaps it was misread.

        A piece of ``layout`` that was only pushed lies where it should.
        """
        fresh = self.scene.fresh if self.scene.visits else ()
        due = {fit.seen for _, fit in self._fit_all(layout)}
        here = [
            one
            for index, one in enumerate(self._sightings)
            if index not in due and one.ref in fresh and (one.region, one.face) in self._lenient.idle
        ]
        return Gap((), (), tuple(here), ())

    def shown(self, layout: Layout) -> Layout:
        """The layout without the sheets that were not read: the scene says nothing of them."""
        read = (spot for spot in layout.spots if spot.kind != "sheet" or self.in_region(spot.region, "sheet"))
        return Layout(tuple(read), layout.hidden)

    def found(self, layout: Layout) -> Mapping[str, Sighting]:
        """The sighting of every piece of a layout that was seen, by its name."""
        return {spot.name: self._sightings[fit.seen] for spot, fit in self._fit_all(layout) if fit.seen >= 0}

    def in_region(self, region: str, kind: str) -> Sequence[Sighting]:
        """What of a kind was seen in a region."""
        return [self._sightings[index] for index in self._by_region.get((region, kind), ())]

    # — piece by piece —

    def _fit_all(self, layout: Layout) -> Iterable[tuple[Spot, Fit]]:
        loose: dict[tuple[str, str], list[Spot]] = {}
        taken = set[int]()
        for spot in layout.spots:
            if spot.x is None or spot.y is None:
                loose.setdefault((spot.region, spot.kind), []).append(spot)
            else:
                fit = self._fit(spot, spot.x, spot.y)
                taken.add(fit.seen)
                yield spot, fit
        for where, spots in loose.items():
            yield from zip(spots, self._fit_group(where, spots, taken), strict=True)

    def _fit(self, spot: Spot, x: float, y: float) -> Fit:
        key = seen_of(spot)
        if key not in self._fits:
            self._fits[key] = self._best(spot, x, y)
        return self._fits[key]

    def _best(self, spot: Spot, x: float, y: float) -> Fit:
        best = Fit(self._missing(spot), -1)
        for index in self._by_region.get((spot.region, spot.kind), ()):
            one = self._sightings[index]
            if one.x is None or one.y is None:
                continue
            off = hypot(one.x - x, one.y - y)
            if off > REACH:
                continue
            lies = self._lies(spot, one)
            if lies is None:
                continue
            worth = lies - 0.5 * (off / SPREAD) ** 2 + log(max(one.presence, 0.05))
            reading = agreement(spot, one, turned=_turned(spot, one) if self._heed_ends else None)
            if spot.kind == "soldier":
                reading += self._faces(spot, one)
            if worth + reading > best.worth or best.seen < 0:
                best = Fit(worth + reading, index, reading)
        return best

    def _lies(self, spot: Spot, one: Sighting) -> float | None:
        """What it is worth how a domino or wall lies; None where it lies otherwise altogether."""
        if spot.angle is None or one.angle is None:
            return 0.0
        off = abs((one.angle - spot.angle + 180) % 360 - 180)
        if spot.kind in ("domino", "wall"):
            off = min(off, 180 - off)
            return None if off > ASKEW else -0.5 * (off / SKEW) ** 2
        return 0.0

    def _faces(self, spot: Spot, one: Sighting) -> float:
        """What it is worth how a soldier faces: nothing lost where that does not matter."""
        if one.angle is None:
            return 0.0
        due, askew = spot.angle, SKEW
        if due is None:
            before = self.places.get(spot.name)
            if before is None:
                return TURNED if spot.name in self._awaited else 0.0
            # Who is to be turned and stands as before may still be turned; what players do next tells.
            due, askew = before.angle, SKEW if spot.name in self._awaited else _STIRRED
        off = abs((one.angle - due + 180) % 360 - 180)
        return max(TURNED, -0.5 * (off / SKEW) ** 2) if off > askew else 0.0

    def _missing(self, spot: Spot) -> float:
        if self.scene.is_hidden(spot.region, spot.x, spot.y) or (spot.name, spot.region) in self._unseen:
            return 0.0
        if spot.kind == "sheet":  # one that was not read says nothing
            return 3 * MISSING if (spot.region, spot.kind) in self._by_region else 0.0
        return self._lenient.missing.get(spot.region, MISSING)

    # — regions without places —

    def _fit_group(
        self, where: tuple[str, str], spots: Sequence[Spot], taken: Collection[int]
    ) -> tuple[Fit, ...]:
        """What pieces are worth that may lie anywhere in a region, but for the sightings that are others'."""
        indices = tuple(index for index in self._by_region.get(where, ()) if index not in taken)
        key = (where, indices, tuple((*seen_of(spot), spot.name) for spot in spots))
        if key not in self._groups:
            self._groups[key] = self._assigned(indices, spots)
        return self._groups[key]

    def _assigned(self, indices: Sequence[int], spots: Sequence[Spot]) -> tuple[Fit, ...]:
        """The likeliest way to say which of these sightings is which piece."""
        rows: dict[Hashable, list[float]] = {}
        for spot in spots:
            key = self._row(spot)
            if key not in rows:
                rows[key] = [self._loose(spot, index).worth for index in indices]
        worths = [rows[self._row(spot)] for spot in spots]
        lost = [self._missing(spot) for spot in spots]
        spare = [self._extra[index] for index in indices]
        chosen = assign(worths, lost, spare)
        return tuple(
            Fit(lost[row], -1) if column < 0 else self._loose(spot, indices[column])
            for row, (spot, column) in enumerate(zip(spots, chosen, strict=True))
        )

    def _loose(self, spot: Spot, index: int) -> Fit:
        """What it is worth that a piece without a place is this sighting."""
        key = (self._row(spot), index)
        if key not in self._fits:
            self._fits[key] = self._weighed(spot, index)
        return self._fits[key]

    def _row(self, spot: Spot) -> Hashable:
        """Pieces with the same key are worth the same as every sighting."""
        return (seen_of(spot), spot.name if spot.name in self.places or spot.name in self._awaited else "")

    def _weighed(self, spot: Spot, index: int) -> Fit:
        one = self._sightings[index]
        news = spot.value is None and spot.name in self._awaited
        reading = MISSING if news else agreement(spot, one, turned=None)
        worth = reading + log(max(one.presence, 0.05))
        lays = [lay for lay in self._lays(spot) if lay.region == one.region]
        if lays and one.x is not None and one.y is not None:
            off = min(hypot(one.x - lay.x, one.y - lay.y) for lay in lays)
            worth += STRAYED * (off > NEARBY_MM)
        return Fit(worth, index, reading)

    def _lays(self, spot: Spot) -> Iterator[Lay]:
        """Where a piece may have lain: where another did, too, if it shows otherwise than was thought."""
        own = self.places.get(spot.name)
        if own is None:
            return
        yield own
        known = self._known.get(spot.name, spot)
        if known.value != spot.value:
            others = (other for other in self._known.values() if other.kind == spot.kind)
            yield from (lay for other in others if (lay := self.places.get(other.name)) is not None)

    def _heaps(self, layout: Layout) -> tuple[list[tuple[str, int, int]], set[int]]:
        """Heaps that are counted and hold otherwise than is due, and the sightings that heaps account for.

        Of what lies in one that is counted no more than is due, the surest: all else may be none, what has
        come since above all.
        """
        found: list[tuple[str, int, int]] = []
        explained: set[int] = set()
        for region in layout.hidden.keys() | self._lenient.counted.keys():
            due, cost = layout.hidden.get(region, 0), self._lenient.counted.get(region, 0.0)
            each = (self._by_region.get((region, kind), ()) for kind in ("domino", "coin", "wall"))
            closed = [index for indices in each for index in indices if self._sightings[index].face != "up"]
            fresh = self.scene.fresh
            closed.sort(key=lambda index: (self._sightings[index].ref in fresh, self._extra[index]))
            explained.update(closed[:due] if cost else closed)
            lacking = due - len(closed)
            lacking -= min(max(0, lacking), self._said_to_lie[region])
            if cost and lacking and not (lacking > 0 and self.scene.is_hidden(region)):
                found.append((region, due, due - lacking))
        return found, explained


def _turned(spot: Spot, one: Sighting) -> bool | None:
    """Whether a piece lies the other way round than it should; None where that cannot be said."""
    if spot.angle is None or one.angle is None:
        return None
    return abs((one.angle - spot.angle + 180) % 360 - 180) > 90


def _unexplained(one: Sighting, lenient: Leniency) -> float:
    """What it costs that something is seen for which there is no reason; away from the game it may lie."""
    most = TOO_MANY if _matters(one, lenient) else lenient.lying if one.region else NOWHERE
    if one.face != "up":
        most = lenient.counted.get(one.region, most)
    return max(most, log(max(1.0 - one.presence, 1e-4)))


def _matters(one: Sighting, lenient: Leniency) -> bool:
    """Whether a piece of the game that lies there means something."""
    return bool(one.region) and (one.region, one.face) not in lenient.idle
