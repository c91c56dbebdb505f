"""The table of Dominoes of War for the second generator: where one can go, whom one can hit, who dies.

Positions are described at the top of ``dominoes_of_war.py``.
"""

import itertools

FILES = "abcdefgh"
STRAIGHT = {"n": (0, 1), "e": (1, 0), "s": (0, -1), "w": (-1, 0)}
DIAGONAL = {"ne": (1, 1), "se": (1, -1), "sw": (-1, -1), "nw": (-1, 1)}
AROUND = {**STRAIGHT, **DIAGONAL}
LEADERS = ["general", "chieftain"]
THROWERS = ["grenadier", "spear-thrower"]

# type: (most steps, directions of a step)
MOVES = {
    "general": (1, AROUND),
    "chieftain": (1, AROUND),
    "grunt": (3, STRAIGHT),
    "sniper": (2, STRAIGHT),
    "kamikaze": (2, STRAIGHT),
    "grenadier": (2, DIAGONAL),
    "quick-shot": (2, STRAIGHT),
    "shotgunner": (2, AROUND),
    "gunslinger": (2, AROUND),
    "spear-thrower": (2, STRAIGHT),
    "lightfoot": (3, STRAIGHT),
}
# type: (distances that are hit, directions); the sniper and Quick Shot have functions of their own
ATTACKS = {
    "general": ([1], AROUND),
    "chieftain": ([1], AROUND),
    "grunt": ([1, 2, 3, 4], STRAIGHT),
    "grenadier": ([2, 3, 4], STRAIGHT),
    "shotgunner": ([1, 2], AROUND),
    "gunslinger": ([1, 2], AROUND),
    "spear-thrower": ([1, 2, 3], AROUND),
    "lightfoot": ([1, 2], STRAIGHT),
}


# --- the table ----------------------------------------------------------------------------------------------


def square_at(x, y):
    """The name of a place of the lattice."""
    return FILES[x - 1] + str(y) if 1 <= x <= 8 and 1 <= y <= 8 else f"({x},{y})"


def xy(square):
    """The place of a square on the lattice."""
    if square.startswith("("):
        x, y = square[1:-1].split(",")
        return int(x), int(y)
    return FILES.index(square[0]) + 1, int(square[1])


def in_order(squares):
    """Square order: by x, then by y."""
    return sorted(squares, key=xy)


def beside(square, direction):
    """The place one step away, whether there is a tile or not."""
    (x, y), (dx, dy) = xy(square), AROUND[direction]
    return square_at(x + dx, y + dy)


def is_field(square):
    """DOW-S1: the field is 8 by 8."""
    return not square.startswith("(")


def region(position, square):
    """``field``, 0 or 1 for the base of a player, None where no tile lies."""
    if is_field(square):
        return "field"
    for player in (0, 1):
        if square in position["bases"][player]:
            return player
    return None


def border(one, other):
    """Two neighbouring squares as a wall names them."""
    return in_order([one, other])


def all_borders():
    """DOW-S4: every border between two field tiles."""
    found = []
    for x in range(1, 9):
        for y in range(1, 9):
            for way in ("n", "e"):
                other = beside(square_at(x, y), way)
                if is_field(other):
                    found.append(border(square_at(x, y), other))
    return found


def wall_name(wall):
    """A wall as ``d4|d5``."""
    return f"{wall[0]}|{wall[1]}"


def copy_of(position):
    """A copy that can be changed without changing the first."""
    after = dict(position)
    after["bases"] = [list(base) for base in position["bases"]]
    after["walls"] = [list(wall) for wall in position["walls"]]
    after["pools"] = [dict(pool) for pool in position["pools"]]
    after["troops"] = {square: dict(troop) for square, troop in position["troops"].items()}
    after["face_up"] = dict(position["face_up"])
    for name in ("discard", "to_face"):
        after[name] = list(position[name])
    return after


# --- from one square to the next ----------------------------------------------------------------------------


def both_tiles(position, here, there):
    """A-W27, A-W42: both places have a tile, and it is not one base to the other."""
    regions = {region(position, here), region(position, there)}
    return None not in regions and regions != {0, 1}


def straight_open(position, here, there, over_walls=False):
    """DOW-W1: two tiles side by side, no wall between; base beside field is an entrance (A-W10)."""
    if not both_tiles(position, here, there):
        return False
    return over_walls or border(here, there) not in position["walls"]


def diagonal_open(position, here, there, over_walls=False):
    """A-W8: cut only by walls on both ways round the corner; A-W9: from field to base past an entrance.

    Steps inside one base, and throws, need no tile at the corner (A-W9).
    """
    if over_walls or region(position, here) == region(position, there):
        return both_tiles(position, here, there) and (over_walls or not sheltered(position, here, there))
    return both_tiles(position, here, there) and any(
        straight_open(position, here, corner) and straight_open(position, corner, there)
        for corner in corners(here, there)
    )


def corners(here, there):
    """The two places that a diagonal passes between."""
    (hx, hy), (tx, ty) = xy(here), xy(there)
    return [square_at(tx, hy), square_at(hx, ty)]


def onward(position, here, direction, over_walls=False):
    """The tile that a step, shot or throw reaches from here in this direction, or None."""
    there = beside(here, direction)
    is_open = diagonal_open if direction in DIAGONAL else straight_open
    return there if is_open(position, here, there, over_walls) else None


def sheltered(position, centre, square):
    """A-W8, A-W28, A-W45: a wall lies between; on a diagonal each of the ways round is cut by a wall.

    A way on which there is no tile is cut by none.
    """
    if not both_tiles(position, centre, square):
        return True  # A-W42
    ways = [[centre, square]]
    if square in [beside(centre, direction) for direction in DIAGONAL]:
        ways = [[centre, corner, square] for corner in corners(centre, square)]
    return all(
        any(border(one, two) in position["walls"] for one, two in itertools.pairwise(way)) for way in ways
    )


# --- moving -------------------------------------------------------------------------------------------------


def reach(position, square, most=None):
    """DOW-M1, A-W1, A-W2: where the troop can end, turning on the way, through nobody; not where it is."""
    kind = position["troops"][square]["type"]
    steps_left, directions = MOVES[kind]
    standing, reached = {square}, {square}
    for _ in range(steps_left if most is None else most):
        ahead = {onward(position, s, d, kind == "lightfoot") for s in standing for d in directions} - {None}
        standing = {s for s in ahead if s not in position["troops"]} - reached
        reached |= standing
    return in_order(reached - {square})


def runs(position, square):
    """Kamikaze: enemies on whose tile it can end, the last of its two steps being onto it."""
    if position["troops"][square]["type"] != "kamikaze":
        return []
    stands = [square, *reach(position, square, most=1)]
    ahead = {onward(position, s, d) for s in stands for d in STRAIGHT} - {None}
    return in_order(s for s in ahead if is_enemy(position, s, position["troops"][square]["player"]))


def blown_walls(position, square):
    """Kamikaze: (its tile before the wall, the wall); the step through the wall is one of its two."""
    if position["troops"][square]["type"] != "kamikaze":
        return []
    found = []
    for stand in [square, *reach(position, square, most=1)]:
        for direction in STRAIGHT:
            wall = border(stand, beside(stand, direction))
            if wall in position["walls"]:
                found.append((stand, wall))
    return found


# --- attacking ----------------------------------------------------------------------------------------------


def is_enemy(position, square, player):
    """An enemy stands there."""
    return square in position["troops"] and position["troops"][square]["player"] != player


def may_be_hit(position, square, player):
    """A-W5: enemies, and one's own Kamikaze."""
    troop = position["troops"][square]
    return troop["player"] != player or troop["type"] == "kamikaze"


def first_on_line(position, square, direction, most):
    """A-W4, A-W7, DOW-W1: the first troop straight ahead within this many steps, or None."""
    here = square
    for _ in range(most):
        here = onward(position, here, direction)
        if here is None:
            return None
        if here in position["troops"]:
            return here
    return None


def thrown_on_line(position, square, direction, distances):
    """A-W9, A-W40: tiles at these distances ahead, over walls and troops, up to the first missing tile."""
    here, found = square, []
    for distance in range(1, max(distances) + 1):
        here = onward(position, here, direction, over_walls=True)
        if here is None:
            break
        if distance in distances:
            found.append(here)
    return found


def targets(position, square):
    """The squares of the troops that a single attack of this troop can kill."""
    troop = position["troops"][square]
    kind, found = troop["type"], set()
    if kind == "sniper" and troop["facing"] is not None:
        found.add(first_on_line(position, square, troop["facing"], 1000))
    elif kind in ATTACKS:
        distances, directions = ATTACKS[kind]
        for direction in directions:
            if kind in THROWERS:
                found |= set(thrown_on_line(position, square, direction, distances))
            else:
                found.add(first_on_line(position, square, direction, max(distances)))
    standing = [s for s in found if s in position["troops"]]
    return in_order(s for s in standing if may_be_hit(position, s, troop["player"]))


def quick_shot_splits():
    """A-W35: two different directions of the four, at least one space each, five together at most."""
    return [
        ((one, a), (two, b))
        for i, one in enumerate(STRAIGHT)
        for two in list(STRAIGHT)[i + 1 :]
        for a in range(1, 5)
        for b in range(1, 5)
        if a + b <= 5
    ]


def quick_shot_victims(position, square):
    """A-W35, A-W41: every set of victims of a Quick Shot, also none; a split that hits a friend is out."""
    player, found = position["troops"][square]["player"], []
    for split in quick_shot_splits():
        hits = [first_on_line(position, square, direction, length) for direction, length in split]
        victims = in_order(hit for hit in hits if hit is not None)
        if all(may_be_hit(position, hit, player) for hit in victims) and victims not in found:
            found.append(victims)
    return sorted(found)


# --- dying --------------------------------------------------------------------------------------------------


def kill(position, squares):
    """A-W6, A-W19: these troops leave the table, all at once."""
    for square in set(squares):
        troop = position["troops"].pop(square)
        if position["killed"] == "pool":
            position["pools"][troop["player"]][troop["type"]] += 1


def blast(position, centre):
    """A-W28, A-W31: whoever stands on the 8 places around and is not sheltered, friend or foe."""
    around = [beside(centre, direction) for direction in AROUND]
    return [s for s in around if s in position["troops"] and not sheltered(position, centre, s)]


def killed_by_attack(position, victims):
    """An attack kills its victims; each Kamikaze among them goes off, those caught by that do not."""
    dead = set(victims)
    for victim in victims:
        if position["troops"][victim]["type"] == "kamikaze":
            dead |= set(blast(position, victim))
    return dead


def judge_victory(position):
    """DOW-V, A-W32: a side without troops has lost; both: a draw."""
    alive = {troop["player"] for troop in position["troops"].values()}
    if len(alive) == 2:
        return
    position["phase"], position["landed"], position["bonus"] = "over", None, None
    position["winner"] = alive.pop() if alive else "draw"
