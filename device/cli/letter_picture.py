"""A layout as a picture of letters: what a spectator sees of the table in a terminal."""

from collections.abc import Iterable, Iterator, Mapping
from math import cos, radians, sin

from engine.layout import Layout, Spot
from engine.plain import Json

ACROSS = 3
"""Characters to a board unit."""
LATTICE = {"dominoids": 8, "dominoes-of-war": 8}
"""Squares along a side, for games on a board."""
SUITS = {"suns": "S", "moons": "M", "crowns": "C", "arms": "A"}
COATS = {"dot": "d", "two-dots": "D", "stripe": "s", "two-stripes": "S", "quarters": "q", "black": "b"}
FACINGS = {0: "→", 90: "↑", 180: "←", 270: "↓"}


def picture(layout: Layout, lattice: int = 0) -> Iterator[str]:
    """The table as lines: what lies on places, then what lies in heaps.

    A game on a board of squares gives the number of squares along its side as ``lattice``.
    """
    trodden = {(spot.x, spot.y) for spot in layout.spots if spot.kind == "soldier"}
    seen = [s for s in layout.spots if s.kind == "soldier" or (s.x, s.y) not in trodden]
    marks = [mark for spot in seen for mark in _marks(spot)]
    # Where a whole domino lies on one square, it needs room for both numbers.
    across = 2 * ACROSS if any(len(text) > 3 for _, _, text in marks) else ACROSS
    if lattice:
        marks = [*_board(lattice, marks), *marks]
    if marks:
        yield from _drawn(marks, across)
    for spot in layout.spots:
        if spot.kind == "sheet" and spot.value is not None and "map" in spot.value:
            yield f"{spot.name}:"
            yield from _sheet(spot.value)
    heaps = [f"{region}: {what}" for region, what in _heaps(layout)]
    if heaps:
        yield "   ".join(heaps)


Mark = tuple[float, float, str]


def _board(lattice: int, marks: Iterable[Mark]) -> Iterator[Mark]:
    """Dots for the squares; letters below and numbers left of everything that lies on the table."""
    marks = tuple(marks)
    left = min([1.0, *(x for x, _, _ in marks)]) - 1
    low = min([1.0, *(y for _, y, _ in marks)]) - 1
    for n in range(1, lattice + 1):
        yield (n, low, chr(96 + n))
        yield (left, n, str(n))
        yield from ((n, m, "·") for m in range(1, lattice + 1))


def _marks(spot: Spot) -> Iterator[Mark]:
    if spot.x is None or spot.y is None:
        return
    if spot.kind == "domino":
        yield from _halves(spot, spot.x, spot.y)
    elif spot.kind == "wall":
        upright = round((spot.angle or 0) / 90) % 2
        yield (spot.x, spot.y, "|" if upright else "—")
    elif spot.kind != "tile":
        yield (spot.x, spot.y, _letter(spot))


def _halves(spot: Spot, x: float, y: float) -> Iterator[Mark]:
    if spot.face != "up" or spot.value is None:
        yield (x, y, "▒" if spot.owner is None else "▓")
        return
    pips = spot.value["pips"]
    assert isinstance(pips, (list, tuple))
    if spot.name.startswith("tile "):  # a tile of a field, one on each square
        yield (x, y, f"{pips[0]}-{pips[1]}".ljust(4))
        return
    turn = radians(spot.angle or 0)
    for sign, shown in ((-1, pips[0]), (1, pips[1])):
        yield (round(x + sign * cos(turn) / 2, 3), round(y + sign * sin(turn) / 2, 3), str(shown))


def _letter(spot: Spot) -> str:
    value: Mapping[str, Json] = spot.value or {}
    if spot.kind == "coin":
        shown = value.get("value")
        return f"({SUITS.get(str(value.get('suit')), '?').lower() if shown is None else shown})"
    if spot.kind == "pawn":
        return f"▲{SUITS.get(str(value.get('suit')), '?')}"
    if spot.kind == "soldier":
        name = str(value.get("type") or "?")
        letter = name[0].upper() if spot.owner == 1 else name[0].lower()
        facing = value.get("facing_deg")
        return letter + (
            FACINGS.get(round(facing / 90) * 90 % 360, "") if isinstance(facing, (int, float)) else ""
        )
    return "?"


def _drawn(marks: Iterable[Mark], across: int) -> Iterator[str]:
    marks = tuple(marks)
    left, right = min(x for x, _, _ in marks), max(x for x, _, _ in marks)
    low, high = min(y for _, y, _ in marks), max(y for _, y, _ in marks)
    whole = all(y == round(y) for _, y, _ in marks)
    up = 1 if whole else 2
    rows = [[" "] * (round((right - left) * across) + 5) for _ in range(round((high - low) * up) + 1)]
    for x, y, text in marks:
        row, column = rows[round((high - y) * up)], round((x - left) * across)
        for offset, letter in enumerate(text):
            row[column + offset] = letter
    yield from ("  " + "".join(row).rstrip() for row in rows)


def _sheet(value: Mapping[str, Json]) -> Iterator[str]:
    rows = value["map"]
    assert isinstance(rows, (list, tuple))
    for r, row in enumerate(rows):
        assert isinstance(row, (list, tuple))
        yield "  " + " ".join(_square(square, castle=(r, c) == (2, 3)) for c, square in enumerate(row))


def _square(square: Json, *, castle: bool) -> str:
    if castle:
        return "▟▙"
    if not isinstance(square, Mapping):
        return " ."
    crosses = square["crosses"]
    return COATS[str(square["coat"])] + (str(crosses) if crosses else " ")


def _heaps(layout: Layout) -> Iterator[tuple[str, str]]:
    heaps: dict[str, list[str]] = {}
    for spot in layout.spots:
        if spot.x is None and spot.kind != "sheet":
            heaps.setdefault(spot.region, []).append(_heaped(spot))
    yield from ((region, " ".join(names)) for region, names in heaps.items() if len(names) <= 12)
    yield from ((region, f"{len(names)} pieces") for region, names in heaps.items() if len(names) > 12)
    yield from ((region, f"{count} hidden") for region, count in layout.hidden.items() if count)


def _heaped(spot: Spot) -> str:
    value: Mapping[str, Json] = spot.value or {}
    if spot.kind == "die":
        return f"{SUITS.get(str(value.get('suit')), '')}{value.get('face', '')}" or "?"
    return spot.name.removeprefix(f"{spot.kind} ")
