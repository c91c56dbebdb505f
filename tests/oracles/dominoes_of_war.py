"""Dominoes of War a second time: slow and plain, from the document and the default readings.

A position is a dict of plain JSON data:

- ``phase``: what is due. ``bases``, ``walls``, ``stock``, ``action``, ``flip`` (a tile is to be turned
  over: a fact), ``bonus``, ``face`` (the snipers of ``to_face`` are given their facing), ``over``
- ``player``: 0 or 1, who decides (in ``stock`` both may, and it says nothing)
- ``killed``: ``pool`` (profile 2015) or ``discard`` (profile 2016), where killed troops go
- ``armies``: for each player ``army``, ``cowboys`` or ``indians``
- ``bases``: for each player the squares of the base; empty while it is not placed
- ``walls``: list of pairs of field squares, each pair in square order
- ``face_up``: ``{field square: [low, high]}`` for flipped tiles, None for a place left safe without a tile
- ``discard``: list of ``[low, high]``, the mines that went off
- ``spares``: how many tiles are left beside the table
- ``pools``: for each player ``{type: how many}``
- ``troops``: ``{square: {"player": 0, "type": "grunt", "facing": None or n e s w, "acted": used this turn}}``
- ``actions``: how many of the three are left
- ``landed``: the field square whose tile is to be flipped, or None
- ``bonus``: 10, 12, 17 or 20 while it is to be used, or None
- ``to_face``: own snipers still to be given a facing, in square order
- ``winner``: None, 0, 1 or ``draw``

A square of the field is ``c5``; a tile outside it is ``(x,y)`` on the same lattice, a1 being (1,1). Square
order is by x, then by y. Steps and labels are described in README.md beside this file.
"""

from tests.oracles import dominoes_of_war_positions
from tests.oracles.dominoes_of_war_table import (
    LEADERS,
    STRAIGHT,
    all_borders,
    beside,
    blast,
    blown_walls,
    copy_of,
    in_order,
    is_field,
    judge_victory,
    kill,
    killed_by_attack,
    quick_shot_victims,
    reach,
    region,
    runs,
    targets,
    wall_name,
    xy,
)

# --- setting up ---------------------------------------------------------------------------------------------


def entrances(base):
    """A-W10: sides that tiles of the base share with tiles of the field."""
    return sum(1 for square in base for way in STRAIGHT if is_field(beside(square, way)))


# a base can be laid in thousands of ways and a wall in a hundred: no table goes deeper than this
SHALLOW = {"first base": 1, "second base beside a corner": 1, "first wall": 2}


def touches(square, other_squares):
    """A side is shared with one of the others."""
    return any(beside(square, way) in other_squares for way in STRAIGHT)


def connected(base):
    """A-W11: one can walk from any tile of the base to any other over sides."""
    reached, more = set(), set(list(base)[:1])
    while more:
        reached |= more
        more = {beside(s, way) for s in more for way in STRAIGHT if beside(s, way) in base} - reached
    return reached == set(base)


def base_fits(position, player, base):
    """DOW-S3, A-W10 to A-W12: six tiles in one piece off the field, 1 or 2 entrances, clear of the other."""
    other = position["bases"][1 - player]
    return (
        len(set(base)) == len(base) == 6
        and not any(is_field(square) or square in other or touches(square, other) for square in base)
        and connected(base)
        and entrances(base) in (1, 2)
    )


def base_places(position, player):
    """Every base of this player: each single tile at an edge of the field, then grown by a tile at a time."""
    other = position["bases"][1 - player]

    def allowed(square):
        return not is_field(square) and square not in other and not touches(square, other)

    rim = {beside(square, way) for wall in all_borders() for square in wall for way in STRAIGHT}
    pieces = {frozenset([square]) for square in rim if allowed(square)}
    for _ in range(5):
        grown = set()
        for piece in pieces:
            for square in {beside(s, way) for s in piece for way in STRAIGHT} - piece:
                if allowed(square) and entrances(piece) + entrances([square]) <= 2:
                    grown.add(piece | {square})
        pieces = grown
    return sorted((in_order(piece) for piece in pieces), key=lambda base: [xy(square) for square in base])


def steps_bases(position):
    """DOW-S3: one base, whole; the first player's, then the second's."""
    player, found = position["player"], []
    for base in base_places(position, player):
        after = copy_of(position)
        after["bases"][player] = base
        after["player"] = 1 - player
        if player == 1:
            after["phase"] = "walls"
        found.append(("base " + " ".join(base), after))
    return found


def steps_walls(position):
    """DOW-S4, A-W13: a wall on any border of the field that has none; players 1, 2, 1, 2."""
    found = []
    for wall in all_borders():
        if wall in position["walls"]:
            continue
        after = copy_of(position)
        after["walls"].append(wall)
        after["player"] = 1 - position["player"]
        if len(after["walls"]) == 4:
            after["phase"], after["player"] = "stock", 0
        found.append((f"wall {wall_name(wall)}", after))
    return found


def steps_stock(position):
    """DOW-S5, A-W38, A-W44: any empty tile of either base, any type left in its pool."""
    found = []
    for player in (0, 1):
        for square, kind in spawns(position, player):
            after = copy_of(position)
            spawned(after, player, square, kind)
            if all(s in after["troops"] for base in after["bases"] for s in base):
                after["phase"], after["player"] = "action", 0
            found.append((f"{player + 1}:stock {square} {kind}", after))
    return found


# --- playing ------------------------------------------------------------------------------------------------


def spawns(position, player):
    """A-W17, A-W18: (empty tile of the own base, type that the pool holds)."""
    empty = [s for s in in_order(position["bases"][player]) if s not in position["troops"]]
    kinds = sorted(kind for kind, number in position["pools"][player].items() if number > 0)
    return [(square, kind) for square in empty for kind in kinds]


def spawned(position, player, square, kind):
    """A-W15, A-W25: a troop comes out of the pool, unused and without a facing."""
    position["pools"][player][kind] -= 1
    position["troops"][square] = {"player": player, "type": kind, "facing": None, "acted": False}


def may_act(position, square):
    """DOW-T2: one action a troop; the Gunslinger has several, and a bonus of 12 is for anybody (A-W36)."""
    troop = position["troops"][square]
    if troop["player"] != position["player"]:
        return False
    return position["bonus"] == 12 or troop["type"] == "gunslinger" or not troop["acted"]


def action_taken(position, square):
    """A copy in which the troop on this square is used, and one of the three actions, unless a 12 pays."""
    after = copy_of(position)
    after["troops"][square]["acted"] = True
    if after["bonus"] == 12:
        after["bonus"], after["phase"] = None, "action"
    else:
        after["actions"] -= 1
    return after


def actions(position):
    """DOW-T1: whatever one action can do now."""
    found = []
    for square in in_order(position["troops"]):
        if may_act(position, square):
            found += steps_move(position, square) + steps_kamikaze(position, square)
            found += steps_shoot(position, square) + steps_spawn(position, square)
    return found


def steps_move(position, square):
    """DOW-F1, A-W3, A-W33: a move; an unflipped field tile on which it ends is to be flipped."""
    found = []
    for end in reach(position, square):
        after = action_taken(position, square)
        after["troops"][end] = after["troops"].pop(square)
        if is_field(end) and end not in after["face_up"]:
            after["phase"], after["landed"] = "flip", end
        found.append((f"move {square} {end}", after))
    return found


def steps_kamikaze(position, square):
    """Kamikaze, A-W28 to A-W30, A-W39: onto an enemy, or into a wall; nothing is flipped."""
    found = []
    for enemy in runs(position, square):
        after = action_taken(position, square)
        kill(after, [square])
        kill(after, [enemy, *blast(after, enemy)])
        judge_victory(after)
        found.append((f"run {square} {enemy}", after))
    for stand, wall in blown_walls(position, square):
        after = action_taken(position, square)
        kill(after, [square])
        kill(after, blast(after, stand))  # the wall still shelters those behind it
        after["walls"].remove(wall)
        judge_victory(after)
        found.append((f"blow {square} {wall_name(wall)}", after))
    return found


def steps_shoot(position, square):
    """Any attack, by its victims."""
    if position["troops"][square]["type"] == "quick-shot":
        choices = quick_shot_victims(position, square)
    else:
        choices = [[target] for target in targets(position, square)]
    found = []
    for victims in choices:
        after = action_taken(position, square)
        kill(after, killed_by_attack(after, victims))
        judge_victory(after)
        found.append((f"shoot {square} " + (" ".join(victims) or "nothing"), after))
    return found


def steps_spawn(position, square):
    """A leader outside his own base brings a troop into it (A-W16, A-W34)."""
    player = position["player"]
    if position["troops"][square]["type"] not in LEADERS or region(position, square) == player:
        return []
    found = []
    for place, kind in spawns(position, player):
        after = action_taken(position, square)
        spawned(after, player, place, kind)
        found.append((f"spawn {square} {kind} {place}", after))
    return found


def steps_action(position):
    """DOW-T1, T3: up to three actions, and the end of them at any time."""
    found = actions(position) if position["actions"] > 0 else []
    after = copy_of(position)
    after["to_face"] = in_order(
        s
        for s, t in position["troops"].items()
        if t["player"] == position["player"] and t["type"] == "sniper"
    )
    after["phase"] = "face"
    if not after["to_face"]:
        next_turn(after)
    return [*found, ("end", after)]


def steps_face(position):
    """A-W26, A-W47: any sniper still to be faced, one of four ways, be it the same again."""
    found = []
    for square in position["to_face"]:
        for way in STRAIGHT:
            after = copy_of(position)
            after["to_face"].remove(square)
            after["troops"][square]["facing"] = way
            if not after["to_face"]:
                next_turn(after)
            found.append((f"face {square} {way}", after))
    return found


def next_turn(position):
    """The other player has three actions and unused troops."""
    position["player"] = 1 - position["player"]
    position["phase"], position["actions"] = "action", 3
    for troop in position["troops"].values():
        troop["acted"] = False


# --- tiles --------------------------------------------------------------------------------------------------


def all_tiles():
    """A double-twelve set."""
    return [[low, high] for low in range(13) for high in range(low, 13)]


def event(tile):
    """DOW-F2, F3, A-W21: ``mine``, 10, 12, 17, 20, or ``plain``."""
    if tile[0] == tile[1]:
        return "mine"
    return sum(tile) if sum(tile) in (10, 12, 17, 20) else "plain"


def flip_choices(position):
    """Of each class with a tile that was never seen, the smallest such tile."""
    seen = [*position["face_up"].values(), *position["discard"]]
    found = {}
    for tile in all_tiles():
        if tile not in seen and event(tile) not in found:
            found[event(tile)] = tile
    return sorted(found.values())


def steps_flip(position):
    """DOW-F1 to F3: the tile under the troop is turned over."""
    found = []
    for tile in flip_choices(position):
        after = copy_of(position)
        square = after["landed"]
        after["landed"], after["phase"] = None, "action"
        if event(tile) == "mine":
            mine(after, square, tile)
        else:
            after["face_up"][square] = tile
            if event(tile) != "plain":
                after["phase"], after["bonus"] = "bonus", event(tile)
        found.append((f"flip {square} {tile[0]}-{tile[1]}", after))
    return found


def mine(position, square, tile):
    """DOW-F2, A-W22, A-W23, A-W45: the troop dies, a Kamikaze with a blast; a Lightfoot lives."""
    kind = position["troops"][square]["type"]
    if kind == "lightfoot":
        position["face_up"][square] = tile
        return
    kill(position, [square, *(blast(position, square) if kind == "kamikaze" else [])])
    position["discard"].append(tile)
    if position["spares"] > 0:
        position["spares"] -= 1
    else:
        position["face_up"][square] = None
    judge_victory(position)


def steps_bonus(position):
    """DOW-F3: the bonus is used now or given up."""
    uses = {10: uses_of_10, 12: actions, 17: uses_of_17, 20: uses_of_20}
    after = bonus_over(position)
    return [*uses[position["bonus"]](position), ("forfeit", after)]


def bonus_over(position):
    """A copy in which the bonus is used or given up."""
    after = copy_of(position)
    after["bonus"], after["phase"] = None, "action"
    return after


def uses_of_10(position):
    """A-W17: a troop comes into the own base, wherever the leader is."""
    found = []
    for square, kind in spawns(position, position["player"]):
        after = bonus_over(position)
        spawned(after, position["player"], square, kind)
        found.append((f"bonus {kind} {square}", after))
    return found


def uses_of_17(position):
    """A-W43: a spare tile beside the own base, outside the field, not beside the other base."""
    player = position["player"]
    own, other = position["bases"][player], position["bases"][1 - player]
    if position["spares"] == 0:
        return []
    found = []
    for square in in_order({beside(s, way) for s in own for way in STRAIGHT}):
        if is_field(square) or square in own or square in other or touches(square, other):
            continue
        after = bonus_over(position)
        after["bases"][player].append(square)
        after["spares"] -= 1
        found.append((f"extend {square}", after))
    return found


def uses_of_20(position):
    """A-W43: any wall to any other free border of the field."""
    found = []
    for wall in position["walls"]:
        for place in all_borders():
            if place in position["walls"]:
                continue
            after = bonus_over(position)
            after["walls"].remove(wall)
            after["walls"].append(place)
            found.append((f"rewall {wall_name(wall)} {wall_name(place)}", after))
    return found


# --- steps --------------------------------------------------------------------------------------------------


def steps(position):
    """Every legal decision, or every possible fact, of this moment with the position it leads to."""
    by_phase = {
        "bases": steps_bases,
        "walls": steps_walls,
        "stock": steps_stock,
        "action": steps_action,
        "flip": steps_flip,
        "bonus": steps_bonus,
        "face": steps_face,
        "over": lambda _: [],
    }
    found = by_phase[position["phase"]](position)
    if position["phase"] not in ("flip", "stock"):
        found = [(f"{position['player'] + 1}:{label}", after) for label, after in found]
    if len({label for label, _ in found}) != len(found):
        raise AssertionError(f"two steps look the same: {sorted(label for label, _ in found)}")
    return found


def perft(position, n):
    """The number of different sequences of exactly n steps."""
    if n == 0:
        return 1
    following = steps(position)
    if n == 1:
        return len(following)
    return sum(perft(after, n - 1) for _, after in following)


def positions():
    """The named starting positions."""
    return dominoes_of_war_positions.positions()
