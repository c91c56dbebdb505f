"""What is in the way of a move or an attack, and by which rule: range, walls, troops, gaps, bases."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engine.dominoes_of_war.model import Troop, WarState
from engine.dominoes_of_war.orders import aims, ground_of
from engine.dominoes_of_war.places import AROUND, DIAGONAL, WORDS, Border, Place, border, name, spread
from engine.dominoes_of_war.readings import Terms
from engine.dominoes_of_war.terrain import Pace, Passing, Terrain, distances, heading, terrain
from engine.dominoes_of_war.troops import TROOPS, Gait
from engine.plain import Json
from engine.ruling import Fault


class LookedUp(NamedTuple):
    """The state with what is looked up in it again and again while one move is judged."""

    state: WarState
    terms: Terms
    ground: Terrain
    places: frozenset[Place]

    @classmethod
    def of(cls, state: WarState, terms: Terms) -> "LookedUp":
        """The table of this state."""
        return cls(state, terms, ground_of(state, terms), frozenset(troop.at for troop in state.troops))

    @property
    def open_ground(self) -> Terrain:
        """The terrain as if no wall stood."""
        return terrain(self.state.bases, (), False, self.terms.base_diagonal)


def fault(rule: str, sentence: str, *places: Place, **facts: Json) -> Fault:
    """A fault about these places."""
    return Fault(rule, sentence, tuple(name(at) for at in places), facts)


def spaces(number: int) -> str:
    """A number of spaces in words."""
    return f"{number} space" if number == 1 else f"{number} spaces"


# — moves —


_GAITS: dict[Gait, str] = {
    "straight": "along rows and columns",
    "climbing": "along rows and columns",
    "diagonal": "slanting only",
    "any": "in any direction",
}


def spaces_between(one: Place, other: Place) -> tuple[int, int]:
    """How many columns and rows two places are apart."""
    right, up = spread(one, other)
    return abs(right), abs(up)


def bare_steps(gait: Gait, one: Place, other: Place) -> int | None:
    """The fewest steps of this gait between two places if tiles lay everywhere; None where no number does."""
    right, up = spaces_between(one, other)
    if gait == "any":
        return max(right, up)
    if gait == "diagonal":
        return max(right, up) if (right + up) % 2 == 0 else None
    return right + up


def way_faults(table: LookedUp, troop: Troop, to: Place, steps: int) -> Iterator[Fault]:
    """Why this troop cannot get to ``to`` in so many steps, whoever stands there."""
    kind = TROOPS[troop.kind]
    bare = bare_steps(kind.gait, troop.at, to)
    ends = f"{name(troop.at)} to {name(to)}"
    if to not in table.ground.home:
        yield fault("DOW-M2", f"There is no tile on {name(to)} to move to.", to)
    if bare is None or not 0 < bare <= steps:
        needs = "cannot be done that way" if bare is None else f"is {spaces(bare)}"
        most = f"1 to {spaces(steps)}" if steps > 1 else spaces(steps)
        sentence = f"A {kind.title} moves {most} {_GAITS[kind.gait]}; {ends} {needs}."
        if steps < kind.steps:
            sentence = f"The {kind.title} has {spaces(steps)} left {_GAITS[kind.gait]}; {ends} {needs}."
        yield fault(f"DOW-{kind.code}-M", sentence, troop.at, to, steps=bare, allowed=steps)
    elif to in table.ground.home:
        yield from _blocked(table, troop, to, steps)


def _blocked(table: LookedUp, troop: Troop, to: Place, steps: int) -> Iterator[Fault]:
    """What stops a troop on its way to a tile that is near enough."""
    gait = TROOPS[troop.kind].gait
    passing: Passing = "free" if table.terms.passing in ("free", "none") else "all"
    title, ends = TROOPS[troop.kind].title, f"{name(troop.at)} to {name(to)}"

    def reaches(ground: Terrain, troops: frozenset[Place], crossing: Passing) -> bool:
        return to in distances(ground, troop.at, Pace(gait, steps, crossing), troops)

    none: frozenset[Place] = frozenset()
    if not reaches(table.open_ground, none, "all"):
        yield _gap(table, troop, to, steps)
        return
    walled = not reaches(table.ground, none, "all")
    crowded = not reaches(table.open_ground, table.places, passing)
    if not walled and not crowded:
        walled = crowded = not reaches(table.ground, table.places, passing)
    if walled:
        walls = _walls_on_the_way(table, troop, to, steps)
        yield fault(
            "DOW-W1",
            f"The {title} cannot get from {ends} in {spaces(steps)}: "
            f"{listed(str(wall) for wall in walls)} {_walls(walls)} in the way.",
            troop.at,
            to,
            walls=[str(wall) for wall in walls],
        )
    if crowded:
        others = [at for at in sorted(table.places) if _on_the_way(gait, troop.at, at, to, steps)]
        yield fault(
            "A-W2",
            f"The {title} cannot get from {ends} in {spaces(steps)} past the troops on "
            f"{listed(name(at) for at in others)}.",
            troop.at,
            to,
            *others,
            troops=[name(at) for at in others],
        )
    if not walled and not crowded and not reaches(table.ground, table.places, table.terms.passing):
        sentence = f"Every tile entered is flipped, so {ends} is made tile by tile."
        yield fault("A-W3", sentence, troop.at, to)


def _on_the_way(gait: Gait, start: Place, at: Place, to: Place, steps: int) -> bool:
    """Whether a way of so many steps from ``start`` to ``to`` could lead over ``at``."""
    there, onward = bare_steps(gait, start, at), bare_steps(gait, at, to)
    return at not in (start, to) and there is not None and onward is not None and there + onward <= steps


def _walls_on_the_way(table: LookedUp, troop: Troop, to: Place, steps: int) -> list[Border]:
    """The walls that a way of so many steps would have to cross; all near ones where it goes slanting."""
    gait = TROOPS[troop.kind].gait
    if gait != "straight":
        reach = distances(table.open_ground, troop.at, Pace(gait, steps, "all"), frozenset())
        return [wall for wall in table.state.walls if wall.low in reach or wall.high in reach]
    return [
        wall
        for wall in table.state.walls
        if any(
            sum(spaces_between(troop.at, before)) + 1 + sum(spaces_between(after, to)) <= steps
            for before, after in (wall, wall[::-1])
        )
    ]


def _gap(table: LookedUp, troop: Troop, to: Place, steps: int) -> Fault:
    home = table.ground.home
    ends = f"{name(troop.at)} to {name(to)}"
    if {home.get(troop.at), home.get(to)} == {1, 2}:
        return fault("A-W42", f"No step leads straight from one base to the other ({ends}).", troop.at, to)
    if TROOPS[troop.kind].gait in ("any", "diagonal") and home.get(troop.at) != home.get(to):
        sentence = f"From {ends} a slanting step would cross between field and base where no entrance is."
        return fault("A-W9", sentence, troop.at, to)
    return fault("DOW-M2", f"The tiles leave no way of {spaces(steps)} from {ends}.", troop.at, to)


def _walls(walls: list[Border]) -> str:
    return "stands" if len(walls) == 1 else "stand"


def listed(words: Iterable[str]) -> str:
    """Words one after another, the last of them behind an ``and``."""
    *most, last = list(words) or ["a corner"]
    return f"{', '.join(most)} and {last}" if most else last


# — attacks —


def line_faults(table: LookedUp, troop: Troop, to: Place) -> Iterator[Fault]:
    """Why this troop's attack does not reach ``to``, whoever stands there."""
    kind = TROOPS[troop.kind]
    rule, ends = f"DOW-{kind.code}-A", f"{name(troop.at)} to {name(to)}"
    line, aimed = heading(troop.at, to), aims(table.terms, troop)
    if not aimed:
        sentence = f"The Sniper on {name(troop.at)} has been given no facing yet, so he cannot attack."
        yield fault("A-W25", sentence, troop.at)
    if line is None:
        yield fault("A-W7", f"From {ends} leads no straight line.", troop.at, to)
        return
    word, away = line
    if aimed and AROUND[word] not in aimed:
        sentence = f"A {kind.title} attacks along rows and columns; {name(to)} lies {WORDS[word]}."
        if troop.facing:
            sentence = f"From {ends} is {WORDS[word]}; the Sniper faces {WORDS[troop.facing]}."
        yield fault(rule, sentence, troop.at, to, direction=word)
    farthest = kind.far - 1 if kind.split else kind.far
    if not kind.near <= away <= farthest:
        reach = f"{kind.near} to {farthest} spaces" if farthest > kind.near else spaces(farthest)
        sentence = f"A {kind.title} reaches {reach} away; {ends} is {away}."
        yield fault(rule, sentence, troop.at, to, distance=away, near=kind.near, far=farthest)
    yield from _crossed(table, troop, to, word)


def _crossed(table: LookedUp, troop: Troop, to: Place, word: str) -> Iterator[Fault]:
    """What the line of an attack crosses that stops it, each thing once, from the attacker on."""
    thrown = TROOPS[troop.kind].thrown
    step, at = AROUND[word], troop.at
    while at != to:
        ahead = at + step
        if ahead not in table.ground.home:
            rule, sort = ("A-W40", "throw") if thrown else ("A-W27", "shot")
            yield fault(rule, f"The {sort} stops at {name(ahead)}, where no tile lies.", troop.at, to, ahead)
            return
        if ahead not in table.ground.around(at, over_walls=thrown):
            yield _cut(table, troop.at, to, at, ahead)
        if ahead != to and ahead in table.places and not thrown and not table.terms.shots_pass:
            sentence = f"The troop on {name(ahead)} stops the shot from {name(troop.at)} to {name(to)}."
            yield fault("A-W4", sentence, troop.at, to, ahead, troops=[name(ahead)])
        at = ahead


def _cut(table: LookedUp, start: Place, to: Place, at: Place, ahead: Place) -> Fault:
    """Why an attack does not pass from ``at`` to the next tile."""
    homes = {table.ground.home[at], table.ground.home[ahead]}
    ends = f"from {name(start)} to {name(to)}"
    if homes == {1, 2}:
        return fault("A-W42", f"No attack {ends} goes straight from base to base.", start, to, at, ahead)
    if ahead - at not in DIAGONAL.values():
        wall = str(border(at, ahead))
        return fault("DOW-W1", f"The wall {wall} stops the attack {ends}.", start, to, walls=[wall])
    if ahead not in table.open_ground.around(at):
        sentence = f"The attack {ends} passes slanting from {name(at)} to {name(ahead)}, past no entrance."
        return fault("A-W9", sentence, start, to, at, ahead)
    sentence = f"Walls at the corner between {name(at)} and {name(ahead)} stop the attack {ends}."
    return fault("A-W8", sentence, start, to, at, ahead)
