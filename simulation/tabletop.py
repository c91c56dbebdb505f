"""From one layout to the next: which thing on the table became which, and what hands have to do about it.

Names in a layout belong to places and counts as often as to things ("coin suns 2", "soldier on d4"), so that
things are paired by what they are and where they lie before their names are asked.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from engine.layout import Layout, Spot
from simulation.setting import TableSetting
from simulation.virtual_scene import Piece

Pair = tuple[Spot | None, Spot | None]
_FAR = 50.0


@dataclass(frozen=True)
class Shifted:
    """One thing that lies differently: as it was (None: it comes) and as it will be (None: it goes)."""

    old: Piece | None
    new: Piece | None

    @property
    def kind(self) -> str:
        """What kind of piece it is."""
        piece = self.old or self.new
        assert piece is not None
        return piece.kind

    @property
    def moved_mm(self) -> float:
        """How far it goes."""
        if self.old is None or self.new is None:
            return _FAR * 10
        return float(np.hypot(self.new.x_mm - self.old.x_mm, self.new.y_mm - self.old.y_mm))

    @property
    def turned_deg(self) -> float:
        """How far it is turned."""
        if self.old is None or self.new is None:
            return 0.0
        return abs((self.new.angle_deg - self.old.angle_deg + 180) % 360 - 180)

    @property
    def flipped(self) -> bool:
        """Whether it shows something else than before."""
        if self.old is None or self.new is None:
            return False
        return self.old.face != self.new.face or self.old.value != self.new.value


def pair(before: Sequence[Spot], after: Sequence[Spot]) -> list[Pair]:
    """Which spot became which; spots that come or go have None on the other side."""
    left, right = list(before), list(after)
    pairs: list[Pair] = []

    def take(match: Mapping[int, int]) -> None:
        pairs.extend((left[a], right[b]) for a, b in match.items())
        left[:] = [spot for k, spot in enumerate(left) if k not in match]
        right[:] = [spot for k, spot in enumerate(right) if k not in match.values()]

    take(_same(left, right, lambda spot: (spot.name, _look(spot), _place(spot))))
    take(_same(left, right, lambda spot: (None if spot.kind == "die" else "", _look(spot), _place(spot))))
    take(_same(left, right, lambda spot: (spot.name, spot.kind) if spot.kind in _BY_NAME else (None,)))
    take(_nearest(left, right))
    return [*pairs, *((spot, None) for spot in left), *((None, spot) for spot in right)]


_BY_NAME = ("die", "pawn", "sheet", "tile", "domino")


def _look(spot: Spot) -> str:
    return json.dumps([spot.kind, spot.face, dict(spot.value) if spot.value else None, spot.owner])


def _place(spot: Spot) -> tuple[object, ...]:
    return (spot.region, spot.x, spot.y, spot.angle)


def _same(
    left: Sequence[Spot], right: Sequence[Spot], key: Callable[[Spot], tuple[object, ...]]
) -> dict[int, int]:
    """Spots with equal keys, each once; a key that begins with None fits nothing."""
    offered: dict[tuple[object, ...], list[int]] = {}
    for k, spot in enumerate(right):
        offered.setdefault(tuple(key(spot)), []).append(k)
    found = {}
    for k, spot in enumerate(left):
        wanted = tuple(key(spot))
        if wanted[0] is not None and offered.get(wanted):
            found[k] = offered[wanted].pop(0)
    return found


def _nearest(left: Sequence[Spot], right: Sequence[Spot]) -> dict[int, int]:
    """Things of one kind that can be the same, those first that lie nearest."""
    offers = sorted(
        (cost, a, b)
        for a, one in enumerate(left)
        for b, other in enumerate(right)
        if (cost := _unlike(one, other)) is not None
    )
    found: dict[int, int] = {}
    for _, a, b in offers:
        if a not in found and b not in found.values():
            found[a] = b
    return found


def _unlike(one: Spot, other: Spot) -> float | None:
    """How unlikely it is that these are one thing, or None where they cannot be."""
    if one.kind != other.kind or one.kind == "die":
        return None
    if one.kind == "coin" and one.name.split()[1] != other.name.split()[1]:
        return None
    if one.kind == "soldier" and (one.owner, _type(one)) != (other.owner, _type(other)):
        return None
    if one.kind == "domino" and not _hides(one, other):
        return None
    cost = 0.0 if _look(one) == _look(other) else 20.0
    if one.x is None or other.x is None or one.region != other.region:
        return cost + _FAR
    return cost + float(np.hypot(one.x - other.x, (one.y or 0) - (other.y or 0)))


def _type(spot: Spot) -> object:
    return (spot.value or {}).get("type")


def _hides(one: Spot, other: Spot) -> bool:
    """Whether a domino may be the other: nobody could see which it is, or it shows the same pips."""
    pips = [(spot.value or {}).get("pips") for spot in (one, other)]
    return None in pips or pips[0] == pips[1]


class Tabletop:
    """The pieces of a game as they lie, kept up with one layout after another."""

    def __init__(self, setting: TableSetting, layout: Layout, tiles: Sequence[Piece] = ()) -> None:
        self.setting = setting
        self._spots = setting.spots(layout)
        self.world: dict[str, Piece] = {piece.name: piece for piece in (*tiles, *setting.pieces(layout))}

    def change(self, layout: Layout, thrown: Sequence[str] = ()) -> tuple[list[Shifted], dict[str, str]]:
        """What has to happen so that the table looks like ``layout``; the world is as if it had.

        ``thrown`` names dice that come to lie somewhere else in their region. Also says which things are
        called otherwise afterwards.
        """
        spots = self.setting.spots(layout)
        pairs = pair(self._spots, spots)
        names = {a.name: b.name for a, b in pairs if a is not None and b is not None and a.name != b.name}
        before = dict(self.world)
        self.setting.forget(thrown)
        self.setting.rename(names)
        after = {piece.name: piece for piece in self.setting.pieces(layout)}
        changes = []
        for a, b in pairs:
            old = before.get(a.name) if a is not None else None
            new = after[b.name] if b is not None else None
            if old is not None and new is not None:
                # A die that nobody has thrown yet shows what it showed; a coin keeps the way it lies.
                value = old.value if new.kind == "die" and new.value is None else new.value
                new = replace(new, wear_seed=old.wear_seed, value=value)
                after[new.name] = new
                self.setting.settle(new)
            if old is None or new is None or replace(old, name=new.name) != new:
                changes.append(Shifted(old, new))
        self._spots = spots
        kept = {
            name: piece
            for name, piece in before.items()
            if piece.kind == "tile" and name.startswith("board tile")
        }
        self.world = {**kept, **after}
        return changes, names

    def settle(self, name: str, piece: Piece) -> None:
        """A piece came to lie a little elsewhere than planned."""
        self.world[name] = piece
        self.setting.settle(piece)
