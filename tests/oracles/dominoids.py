"""Dominoids a second time: slow, plain, one function a rule, from the document and the default readings.

A position is a dict of plain JSON data:

- ``phase``: what is due. ``dice`` (choose two), ``act``, ``reveal`` (a coin is to be turned up: a fact),
  ``consequence`` (of a slide), ``refill``, ``roll`` (a fact), ``over``
- ``player``: 0 or 1, whose turn it is
- ``dominoids``: list of ``{square: pips, square: pips}``, the dominoes on the board
- ``pool``: list of ``[low, high]``, the gene pool
- ``pawns``: ``{suit: square}``
- ``coins``: ``{square: {"suit": suit, "value": 0..5 or None}}``; None lies value down
- ``stacks``: ``{suit: number of coins}``, all value down
- ``eaten``: for each player a list of ``[suit, value]``
- ``faces``: ``{suit: face}``; faces are ``null ace 2 3 4 5``
- ``old``, ``new``: suits of the dice in the two boxes; a chosen die stays in its box until it is rolled
- ``chosen``: the two suits chosen this turn, in suit order; ``unused``: those with which nothing was done yet
- ``mover``: the two squares of the Dominoid that has just slid, or None

Steps and labels are described in README.md beside this file. "Square order" is by file, then by rank.
"""

import copy

from tests.oracles import dominoids_positions

SUITS = ["suns", "moons", "crowns", "arms"]
FACES = ["null", "ace", "2", "3", "4", "5"]
NUMBERS = ["2", "3", "4", "5"]
FILES = "abcdefgh"
SQUARES = [file + str(rank) for file in FILES for rank in range(1, 9)]


# --- the table -------------------------------------------------------------------------------------------


def square_at(x, y):
    """The square in column x and row y (1..8), or None where the board has ended."""
    if 1 <= x <= 8 and 1 <= y <= 8:
        return FILES[x - 1] + str(y)
    return None


def xy(square):
    """Column and row of a square, 1 to 8."""
    return FILES.index(square[0]) + 1, int(square[1])


def neighbours(square):
    """Definitions 2: adjacent means orthogonally adjacent."""
    x, y = xy(square)
    around = [square_at(x + 1, y), square_at(x - 1, y), square_at(x, y + 1), square_at(x, y - 1)]
    return [s for s in around if s is not None]


def occupied(position):
    """Every square that holds a Dominoid's end, a pawn or a coin."""
    squares = set(position["pawns"].values()) | set(position["coins"])
    for domino in position["dominoids"]:
        squares |= set(domino)
    return squares


def show(domino):
    """A domino on the board as ``2@d4-3@e4``."""
    return "-".join(f"{domino[s]}@{s}" for s in sorted(domino))


def tile(domino):
    """A domino on the board as ``[low, high]``."""
    return sorted(domino.values())


def tile_name(pips):
    """A domino by itself as ``2-3``."""
    return f"{pips[0]}-{pips[1]}"


def other_end(domino, square):
    """The square of the end that is not on ``square``."""
    return next(s for s in domino if s != square)


# --- section 3: dice ----------------------------------------------------------------------------------------


def dice_choices(position):
    """DMN-3.1, 3.2: two different dice, at least one of them from the Old box."""
    pairs = []
    for i, first in enumerate(SUITS):
        for second in SUITS[i + 1 :]:
            if first in position["old"] or second in position["old"]:
                pairs.append([first, second])
    return pairs


# --- section 4: moving a Dominoid ---------------------------------------------------------------------------


def may_lead(pips, face):
    """DMN-4.3: the leading end is less than the die."""
    return pips < int(face)


def slide(position, domino, leading):
    """DMN-4.4: straight ahead by the leading pips or until something is in the way; never over the edge.

    The domino after the slide, or None where the slide is no move.
    """
    lx, ly = xy(leading)
    ox, oy = xy(other_end(domino, leading))
    dx, dy = lx - ox, ly - oy
    blocked = occupied(position) - set(domino)
    travelled = 0
    while travelled < domino[leading]:
        ahead = square_at(lx + dx * (travelled + 1), ly + dy * (travelled + 1))
        if ahead is None:
            return None  # DMN-4.4.2: the edge does not stop a slide, it forbids it
        if ahead in blocked:
            break
        travelled += 1
    if travelled == 0:
        return None  # DMN-4.4.1
    moved = {}
    for square, pips in domino.items():
        x, y = xy(square)
        moved[square_at(x + dx * travelled, y + dy * travelled)] = pips
    return moved


def rotations(position, domino, leading):
    """DMN-4.5: the leading end swings 90 degrees, either way; target and the corner between are empty."""
    pivot = other_end(domino, leading)
    lx, ly = xy(leading)
    px, py = xy(pivot)
    dx, dy = lx - px, ly - py
    found = []
    for tx, ty in [(-dy, dx), (dy, -dx)]:
        target = square_at(px + tx, py + ty)
        corner = square_at(px + dx + tx, py + dy + ty)
        if target is None:
            continue  # DMN-4.5.3
        if target in occupied(position) or corner in occupied(position):
            continue  # DMN-4.5.2
        found.append({pivot: domino[pivot], target: domino[leading]})
    return found


def moves_of_a_number(position, face):
    """DMN-4.1, 4.2: every slide and every rotation that this number allows, as (kind, before, after)."""
    found = []
    for domino in position["dominoids"]:
        for leading in sorted(domino):
            if not may_lead(domino[leading], face):
                continue
            slid = slide(position, domino, leading)
            if slid is not None:
                found.append(("slide", domino, slid))
            for turned in rotations(position, domino, leading):
                found.append(("rotate", domino, turned))
    return found


# --- 4.6 eating ---------------------------------------------------------------------------------------------


def coins_beside(position, mover):
    """DMN-4.6: the coins next to either end, as (square of the end, square of the coin)."""
    return [(end, near) for end in sorted(mover) for near in neighbours(end) if near in position["coins"]]


def coins_to_turn_up(position):
    """DMN-4.6 with A-D4, A-D5, A-D6: every value-down coin next to the slid Dominoid, in square order."""
    beside = {coin for _, coin in coins_beside(position, mover_of(position))}
    return sorted(coin for coin in beside if position["coins"][coin]["value"] is None)


def unseen_values(position, suit):
    """What a value-down coin of this suit can still be: each suit has 0 to 5 once."""
    seen = [coin["value"] for coin in position["coins"].values() if coin["suit"] == suit]
    for eaten in position["eaten"]:
        seen += [value for eaten_suit, value in eaten if eaten_suit == suit]
    return [value for value in range(6) if value not in seen]


def meals(position):
    """DMN-4.6, 4.6.1, 4.6.2 with A-D3: coins not above the end that they lie next to."""
    mover = mover_of(position)
    return sorted(
        {
            coin
            for end, coin in coins_beside(position, mover)
            if position["coins"][coin]["value"] <= mover[end]
        }
    )


# --- 4.7 attacking, 4.8 breeding, 4.10 budding --------------------------------------------------------------


def mover_of(position):
    """The Dominoid that has just slid."""
    return next(d for d in position["dominoids"] if sorted(d) == sorted(position["mover"]))


def contacts(position):
    """Every touch of an end of the mover with an end of another Dominoid: (my pips, its pips, the other)."""
    mover = mover_of(position)
    found = []
    for other in position["dominoids"]:
        if other is mover:
            continue
        for mine in mover:
            for its in other:
                if its in neighbours(mine):
                    found.append((mover[mine], other[its], other))
    return found


def victims(position):
    """DMN-4.7: Dominoids with an end smaller than the end of the mover that it touches."""
    return [other for mine, its, other in contacts(position) if its < mine]


def partners(position):
    """DMN-4.8: Dominoids with an end equal to the end of the mover that it touches."""
    return [other for mine, its, other in contacts(position) if its == mine]


def births(position, parents):
    """DMN-4.8.4: pool dominoes on two empty squares, an end next to the same number of a parent."""
    found = {}
    taken = occupied(position)
    for low, high in position["pool"]:
        for here in SQUARES:
            for there in neighbours(here):
                if here in taken or there in taken:
                    continue
                child = {here: low, there: high}
                if any(touches_its_number(child, parent) for parent in parents):
                    found[show(child)] = child
    return [found[name] for name in sorted(found)]


def touches_its_number(child, parent):
    """DMN-4.8.4, A-D8: an end of the child lies next to an end of this parent with the same pips."""
    return any(child[mine] == parent[its] and its in neighbours(mine) for mine in child for its in parent)


def buds(position):
    """DMN-4.10, A-D11: a birth with any one Dominoid of the board as the only parent."""
    return births(position, position["dominoids"])


def children(position):
    """DMN-4.8: the births that the slid Dominoid and a partner can have."""
    mates = partners(position)
    return births(position, [mover_of(position), *mates]) if mates else []


# --- section 5: shifting the board --------------------------------------------------------------------------


def line_of(square, axis):
    """The tile row or tile column (1 to 4) in which a square lies; a tile is two squares wide."""
    x, y = xy(square)
    return ((y if axis == "row" else x) + 1) // 2


def shifted(square, axis, line, step):
    """DMN-5.3: where a square of this line comes to lie as its tiles go one place on, the last round."""
    if line_of(square, axis) != line:
        return square
    x, y = xy(square)
    if axis == "row":
        return square_at((x - 1 + 2 * step) % 8 + 1, y)
    return square_at(x, (y - 1 + 2 * step) % 8 + 1)


def straddles(position, axis, line):
    """DMN-5.5: a Dominoid lies across the long edge of this row or column."""
    return any(len({line_of(s, axis) == line for s in domino}) == 2 for domino in position["dominoids"])


def torn(position, axis, line, step):
    """A-D12: a Dominoid would be pulled apart where the end tile comes round."""
    for domino in position["dominoids"]:
        here, there = (shifted(s, axis, line, step) for s in domino)
        if there not in neighbours(here):
            return True
    return False


def shifts(position, suit):
    """DMN-5.1, 5.2, 5.5: shifts of this pawn's row and column: (axis, line, way, step)."""
    found = []
    pawn = position["pawns"][suit]
    for axis, ways in [("row", [("left", -1), ("right", 1)]), ("column", [("down", -1), ("up", 1)])]:
        line = line_of(pawn, axis)
        if straddles(position, axis, line):
            continue
        for way, step in ways:
            if not torn(position, axis, line, step):
                found.append((axis, line, way, step))
    return found


def shift_everything(position, axis, line, step):
    """A-D13: whatever lies on the tiles goes with them."""
    position["dominoids"] = [
        {shifted(s, axis, line, step): pips for s, pips in domino.items()} for domino in position["dominoids"]
    ]
    position["pawns"] = {suit: shifted(s, axis, line, step) for suit, s in position["pawns"].items()}
    position["coins"] = {shifted(s, axis, line, step): coin for s, coin in position["coins"].items()}


# --- sections 7 and 8, and the end --------------------------------------------------------------------------


def refills(position):
    """DMN-7: (suit, square) for each suit off the board with a coin left and room next to its pawn."""
    found = []
    on_board = {coin["suit"] for coin in position["coins"].values()}
    for suit in SUITS:
        if suit in on_board or position["stacks"][suit] == 0:
            continue  # 7.1 asks for suits that are not represented (A-D15), 7.2 has no coin to give
        for square in sorted(neighbours(position["pawns"][suit])):
            if square not in occupied(position):
                found.append((suit, square))
    return found


def suits_left(position):
    """The suits that still have a coin nobody has eaten."""
    on_board = {coin["suit"] for coin in position["coins"].values()}
    return [suit for suit in SUITS if suit in on_board or position["stacks"][suit] > 0]


def scores(position):
    """The object of the game: the values, and 3 for each suit of which a player has more coins."""
    totals = [sum(value for _, value in eaten) for eaten in position["eaten"]]
    for suit in SUITS:
        counts = [sum(1 for s, _ in eaten if s == suit) for eaten in position["eaten"]]
        if counts[0] > counts[1]:
            totals[0] += 3
        if counts[1] > counts[0]:
            totals[1] += 3
    return totals


# --- steps --------------------------------------------------------------------------------------------------


def steps(position):
    """Every legal decision, or every possible fact, of this moment with the position it leads to."""
    by_phase = {
        "dice": steps_dice,
        "act": steps_act,
        "reveal": steps_reveal,
        "consequence": steps_consequence,
        "refill": steps_refill,
        "roll": steps_roll,
        "over": lambda _: [],
    }
    found = by_phase[position["phase"]](position)
    player = position["player"] + 1
    fact = position["phase"] in ("reveal", "roll")
    found = [(label if fact else f"{player}:{label}", after) for label, after in found]
    if len({label for label, _ in found}) != len(found):
        raise AssertionError(f"two steps look the same: {sorted(label for label, _ in found)}")
    return found


def steps_dice(position):
    """DMN-3: the choice of two dice."""
    found = []
    for pair in dice_choices(position):
        after = copy.deepcopy(position)
        after["chosen"], after["unused"], after["phase"] = list(pair), list(pair), "act"
        found.append((f"dice {pair[0]} {pair[1]}", after))
    return found


def steps_act(position):
    """DMN-2, 3.3, A-D24: any die not yet used, and one thing that it allows on the board as it is."""
    found = []
    for suit in position["unused"]:
        face = position["faces"][suit]
        if face in NUMBERS:
            found += steps_number(position, suit, face)
        elif face == "ace":
            found += steps_ace(position, suit)
        else:
            found.append((f"{suit} pass", die_spent(position, suit)))  # DMN-6
    return found


def steps_number(position, suit, face):
    """DMN-4: a move; where there is none a bud; where there is none either, nothing (A-D10)."""
    found = []
    for kind, before, moved in moves_of_a_number(position, face):
        after = die_spent(position, suit)
        after["dominoids"].remove(before)
        after["dominoids"].append(moved)
        if kind == "slide":
            after["mover"] = sorted(moved)
            after["phase"] = "reveal" if coins_to_turn_up(after) else "consequence"
        found.append((f"{suit} {kind} {show(before)} to {show(moved)}", after))
    if found:
        return found
    for child in buds(position):
        after = die_spent(position, suit)
        born(after, child)
        found.append((f"{suit} bud {show(child)}", after))
    return found or [(f"{suit} pass", die_spent(position, suit))]


def steps_ace(position, suit):
    """DMN-5: a shift; where there is none the ace is a pass (5.6)."""
    found = []
    for axis, line, way, step in shifts(position, suit):
        after = die_spent(position, suit)
        shift_everything(after, axis, line, step)
        found.append((f"{suit} shift {axis} {line} {way}", after))
    return found or [(f"{suit} pass", die_spent(position, suit))]


def die_spent(position, suit):
    """A copy in which this die is used and, unless a slide says otherwise, the action is complete."""
    after = copy.deepcopy(position)
    after["unused"].remove(suit)
    after["mover"] = None
    after["phase"] = "act" if after["unused"] else "refill"
    return after


def born(position, child):
    """A domino of the pool comes onto the board."""
    position["pool"].remove(tile(child))
    position["dominoids"].append(child)


def steps_reveal(position):
    """DMN-4.6: the first coin that is still value down is turned up; every value not yet seen is possible."""
    coin = coins_to_turn_up(position)[0]
    found = []
    for value in unseen_values(position, position["coins"][coin]["suit"]):
        after = copy.deepcopy(position)
        after["coins"][coin]["value"] = value
        after["phase"] = "reveal" if coins_to_turn_up(after) else "consequence"
        found.append((f"coin {coin} {value}", after))
    return found


def steps_consequence(position):
    """DMN-4.6.3, 4.7.3, 4.8.3, 4.9: exactly one meal, attack or birth if there is any; else nothing."""
    found = []
    for coin in meals(position):
        after = slide_complete(position)
        gone = after["coins"].pop(coin)
        after["eaten"][position["player"]].append([gone["suit"], gone["value"]])
        if len(suits_left(after)) <= 1:
            after["phase"] = "over"  # DMN-4.6.4, A-D19
        found.append((f"eat {coin}", after))
    for victim in {show(v): v for v in victims(position)}.values():
        after = slide_complete(position)
        after["dominoids"].remove(victim)
        after["pool"].append(tile(victim))
        after["pool"].sort()
        found.append((f"attack {tile_name(tile(victim))}", after))
    for child in children(position):
        after = slide_complete(position)
        born(after, child)
        found.append((f"birth {show(child)}", after))
    return found or [("none", slide_complete(position))]


def slide_complete(position):
    """A copy in which the slide and what it brings are over."""
    after = copy.deepcopy(position)
    after["mover"] = None
    after["phase"] = "act" if after["unused"] else "refill"
    return after


def steps_refill(position):
    """DMN-7, A-D16: one coin a step while any can be placed; then the turn is declared done."""
    found = []
    for suit, square in refills(position):
        after = copy.deepcopy(position)
        after["stacks"][suit] -= 1
        after["coins"][square] = {"suit": suit, "value": None}
        found.append((f"place {suit} {square}", after))
    if found:
        return found
    after = copy.deepcopy(position)
    after["phase"] = "roll"
    return [("done", after)]


def steps_roll(position):
    """DMN-8: both used dice are rolled into New; four in New become four in Old. The other player is next."""
    first, second = position["chosen"]
    found = []
    for one in FACES:
        for two in FACES:
            after = copy.deepcopy(position)
            after["faces"][first], after["faces"][second] = one, two
            after["old"] = [suit for suit in position["old"] if suit not in position["chosen"]]
            after["new"] = [suit for suit in SUITS if suit not in after["old"]]
            if len(after["new"]) == 4:
                after["old"], after["new"] = list(SUITS), []
            after["chosen"], after["unused"] = [], []
            after["player"] = 1 - position["player"]
            after["phase"] = "dice"
            found.append((f"roll {first}={one} {second}={two}", after))
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
    return dominoids_positions.positions()
