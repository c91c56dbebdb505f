"""Pieces that lie elsewhere: set to a place that the rules can hold, pushed aside or off, or exchanged."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from math import cos, hypot, radians, sin
from random import Random
from typing import NamedTuple

from engine import BadNotation, CannotStand, Layout, Spot
from engine.history import History
from engine.matching import set_by_hand
from engine.plain import items, obj

_TRIES = 60
_APART = 0.01
_SQUARES = [f"{column}{row}" for column in "abcdefgh" for row in range(1, 9)]
_FIXED = ("sheet", "tile")
"""What nobody pushes aside: what is drawn on, and the field that others stand on."""


class Put(NamedTuple):
    """Pieces that were set elsewhere, as people would say it, and the table then."""

    lines: tuple[str, ...]
    table: Layout


def put_elsewhere(game: History, rng: Random, pieces: int) -> Put | None:
    """So many pieces of a game set to other places, such that the rules can hold the table."""
    book, lines, now = game.book, list[str](), game
    for line in (_LINES[game.header.game](now, rng) for _ in range(_TRIES)):
        try:
            after = set_by_hand(now, line)
        except (BadNotation, CannotStand):
            continue
        if book.layout(after.state) != book.layout(now.state):
            lines.append(line)
            now = after
        if len(lines) == pieces and book.layout(now.state) != book.layout(game.state):
            return Put((*lines,), book.layout(now.state))
    return None


def shoved(table: Layout, rng: Random, pieces: int) -> Layout:
    """The table with so many pieces pushed to any place, or out of the game."""
    chosen = rng.sample(loose := _loose(table), min(pieces, len(loose)))
    return _with(table, {spot.name: _pushed(spot, rng) for spot in chosen})


def as_it_lies(table: Layout, known: Layout, lies: Layout) -> Layout:
    """A table of the record's making, turned and moved as its ``known`` dominoes lie in truth.

    A line may be told from its other end: its tiles lie where people have put them all the same.
    """
    there = {spot.name: spot for spot in _dominoes(lies)}
    pairs = [(spot, there[spot.name]) for spot in _dominoes(known) if spot.name in there]
    for one, other in pairs[:1]:
        turned = partial(_turned, one, other, (other.angle or 0.0) - (one.angle or 0.0))
        if all(_is_at(turned(here), end) for here, end in pairs):
            return replace(table, spots=tuple(map(turned, table.spots)))
    return table


def _dominoes(table: Layout) -> list[Spot]:
    return [spot for spot in table.spots if spot.kind == "domino" and spot.x is not None]


def _turned(one: Spot, other: Spot, turn: float, spot: Spot) -> Spot:
    """A piece as it lies once one lies as another one, and all that is laid on the board with it."""
    if spot.x is None or spot.y is None or spot.kind == "tile":
        return spot
    ux, uy = cos(radians(turn)), sin(radians(turn))
    x, y = spot.x - (one.x or 0.0), spot.y - (one.y or 0.0)
    x, y = x * ux - y * uy + (other.x or 0.0), x * uy + y * ux + (other.y or 0.0)
    return replace(spot, x=x, y=y, angle=None if spot.angle is None else (spot.angle + turn) % 360)


def _is_at(one: Spot, other: Spot) -> bool:
    """Whether two pieces lie in one place, however a double lies there."""
    return hypot((one.x or 0.0) - (other.x or 0.0), (one.y or 0.0) - (other.y or 0.0)) < _APART


def exchanged(table: Layout, rng: Random) -> Layout | None:
    """The table with two pieces of a kind each in the place of the other; None where no two differ."""
    spots = _loose(table)
    pairs = [
        (one, other) for one in spots for other in spots
        if one.name < other.name and one.kind == other.kind
        and (one.x is not None or one.region != other.region)
        and (one.value, one.face, one.owner) != (other.value, other.face, other.owner)
    ]  # fmt: skip
    if not pairs:
        return None
    one, other = rng.choice(pairs)
    return _with(table, {one.name: _in_place_of(one, other), other.name: _in_place_of(other, one)})


def _loose(table: Layout) -> list[Spot]:
    return [spot for spot in table.spots if spot.kind not in _FIXED]


def _with(table: Layout, changed: Mapping[str, Spot | None]) -> Layout:
    now = [changed.get(spot.name, spot) for spot in table.spots]
    return replace(table, spots=tuple(spot for spot in now if spot is not None))


def _pushed(spot: Spot, rng: Random) -> Spot | None:
    """A piece a little aside, far away, or gone."""
    if spot.x is None or spot.y is None or rng.random() < 0.3:
        return None
    far = rng.choice((0.5, 1.0, 3.0))
    x, y = (round(at + rng.uniform(-far, far), 2) for at in (spot.x, spot.y))
    angle = None if spot.angle is None else (spot.angle + rng.choice((0, 0, 90, 40))) % 360
    return replace(spot, x=x, y=y, angle=angle)


def _in_place_of(one: Spot, other: Spot) -> Spot:
    return replace(one, x=other.x, y=other.y, region=other.region, angle=other.angle)


# — what people would say of it —


def _of_the_draw_game(game: History, rng: Random) -> str:
    laid = [spot.name for spot in game.book.layout(game.state).spots if spot.face == "up"]
    if laid and rng.random() < 0.4:
        return f"put {rng.choice(laid)} away"
    low, high = sorted((rng.randrange(7), rng.randrange(7)))
    return f"put {low}-{high} {rng.choice(('east', 'west'))}"


def _of_dominoids(game: History, rng: Random) -> str:
    told = game.state.to_json()
    lying, coins = obj(told["dominoes"], ""), items(told["coins"], "")
    what, square = rng.random(), rng.choice(_SQUARES)
    if what < 0.2 and coins:
        return f"put coin {obj(rng.choice(coins), '')['square']} away"
    if what < 0.5:
        return f"put pawn {rng.choice(sorted(obj(told['pawns'], '')))} {square}"
    if what < 0.7 and lying:
        return f"put {rng.choice(sorted(lying))} pool"
    low, high = sorted((rng.randrange(1, 6), rng.randrange(1, 6)))
    beside = rng.choice((f"{square[0]}{int(square[1]) + 1}", f"{chr(ord(square[0]) + 1)}{square[1]}"))
    return f"put {low}-{high} {square} {beside}"


def _of_dominoes_of_war(game: History, rng: Random) -> str:
    told = game.state.to_json()
    men = [str(obj(one, "")["at"]) for one in items(told["troops"], "")]
    walls, field = items(told["walls"], ""), sorted(obj(told["field"], ""))
    what = rng.random()
    if what < 0.2 and walls:
        return f"put wall {rng.choice(walls)} discard"
    if what < 0.3 and field:
        return f"put tile {rng.choice(field)} down"
    return f"put soldier {rng.choice(men)} {rng.choice(('pool', 'discard', *_SQUARES))}"


def _of_the_duel(game: History, rng: Random) -> str:
    dice = items(game.state.to_json()["dice"], "")
    if dice and rng.random() < 0.6:
        to = rng.choice(("middle", "1", "2", "d1", "S1", "Q", "b"))
        return f"put die {rng.randrange(1, len(dice) + 1)} {to}"
    mark = rng.choice(("d1", "S1", "b2", "q", "empty"))
    square = f"r{rng.randrange(1, 6)}c{rng.randrange(1, 8)}"
    return f"put {mark}@{square} {rng.choice((1, 2))}"


_LINES: Mapping[str, Callable[[History, Random], str]] = {
    "draw-game": _of_the_draw_game,
    "dominoids": _of_dominoids,
    "dominoes-of-war": _of_dominoes_of_war,
    "kingdomino-duel": _of_the_duel,
}
