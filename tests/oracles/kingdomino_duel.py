"""Every continuation of a Kingdomino Duel position, plainly from the document and the default readings.

A position is a dict of plain JSON data:

    phase     "roll" (the dice must be seen) · "take" (A takes) · "take-two" (B takes) · "draw" (both draw)
              · "wizards" (P5 or P6 was won and must be used now) · "over"
    a         0 or 1: which player is A this turn
    shown     {"D1": "d0", "D2": "b0", "D3": "q2", "D4": "?"}: the face of each die, {} before the roll
    dice      [[...], [...]]: the dice of each player's domino this turn
    declared  [[...], [...]]: "P1", "P2" declared by each player for this turn's drawing
    bonus     [null, "D3"]: the die that got this player's castle bonus this turn
    drawn     [null, [["d", true], ["b", false]]]: null until the player has drawn; then each
              coat drawn and whether it ticks; [] when nothing was drawn
    maps      [{"r2c4": "d0", ...}, {...}]: the coat and the crosses on each filled square
    roof      [false, true]: whose castle roof is coloured
    ticks     [{"d": 0, ...}, {...}]: squares filled in each player's own line of the spellbook
    owner     {"d": null, "D": 0, ...}: who completed the line first
    used      {"d": false, ...}: whether its owner has used the power
    named     [null, "s"]: the coat that a player named with P5

Coats: d dot, D two dots, s stripe, S two stripes, q quarters, b black.
README-duel-draw.md says what counts as a step.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

Position = dict[str, Any]
Step = tuple[str, Position]

COATS = "dDsSqb"

DICE = {
    "D1": ["?", "d0", "d0", "s0", "D1", "S1"],
    "D2": ["d0", "s0", "D1", "S1", "q0", "b0"],
    "D3": ["d0", "s0", "D0", "S0", "q2", "b2"],
    "D4": ["?", "d1", "s0", "s1", "D0", "S0"],
}

LINE_LENGTH = {"d": 5, "s": 5, "D": 4, "S": 4, "b": 3, "q": 3}
POWER_OF_LINE = {"d": "P1", "s": "P2", "D": "P3", "S": "P4", "b": "P5", "q": "P6"}
LINE_OF_POWER = {power: line for line, power in POWER_OF_LINE.items()}

CASTLE = "r3c4"
SQUARES = [f"r{row}c{column}" for row in range(1, 6) for column in range(1, 8) if (row, column) != (3, 4)]
CIRCLES = 3


# The map


def neighbours(square: str) -> list[str]:
    """KDD-3c: the places that share a side with a square, the castle among them; diagonals are none."""
    row, column = int(square[1]), int(square[3])
    around = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
    return [f"r{r}c{c}" for r, c in around if 1 <= r <= 5 and 1 <= c <= 7]


def coat_of(filled: str) -> str:
    """The coat in `d0`."""
    return filled[0]


def crosses_of(filled: str) -> int:
    """The crosses in `d0`."""
    return int(filled[1:])


def touches_castle(square: str) -> bool:
    """KDD-3a: the square shares a side with the castle."""
    return CASTLE in neighbours(square)


def touches_equal_coat(kingdom: dict[str, str], square: str, coat: str) -> bool:
    """KDD-3b: the square shares a side with the same coat, drawn on an earlier turn (A-K5, A-K6)."""
    return any(near in kingdom and coat_of(kingdom[near]) == coat for near in neighbours(square))


def connects(kingdom: dict[str, str], square: str, coat: str) -> bool:
    """KDD-3: this half obeys one of the two connection rules."""
    return touches_castle(square) or touches_equal_coat(kingdom, square, coat)


def empty_squares(kingdom: dict[str, str]) -> list[str]:
    """The squares on which nothing is drawn yet."""
    return [square for square in SQUARES if square not in kingdom]


# A half to draw is (square, coat, crosses, does it tick)
Half = tuple[str, str, int, bool]


def coats_of_die(position: Position, player: int, die: str) -> list[tuple[str, int, bool]]:
    """KDD-4, KDD-C: a die as (coat, crosses, ticks); a joker, a cross, a castle bonus tick nothing."""
    face = position["shown"][die]
    extra = 1 if position["bonus"][player] == die else 0
    if face == "?":
        return [(coat, extra, False) for coat in COATS]
    crosses = crosses_of(face) + extra
    return [(coat_of(face), crosses, crosses == 0)]


def whole_domino(position: Position, player: int) -> list[list[Half]]:
    """KDD-3: both coats on two empty squares side by side; one half must connect, unless by KDD-P1."""
    kingdom = position["maps"][player]
    free = "P1" in position["declared"][player]
    first_die, second_die = position["dice"][player]
    found = []
    for first in empty_squares(kingdom):
        for second in empty_squares(kingdom):
            if second not in neighbours(first):
                continue
            for one in coats_of_die(position, player, first_die):
                for two in coats_of_die(position, player, second_die):
                    if free or connects(kingdom, first, one[0]) or connects(kingdom, second, two[0]):
                        found.append([(first, *one), (second, *two)])
    return found


def single_half(position: Position, player: int, die: str) -> list[Half]:
    """KDD-P2: the empty squares where this die may be drawn by itself (anywhere with P1 too, A-K9)."""
    kingdom = position["maps"][player]
    free = "P1" in position["declared"][player]
    return [
        (square, *drawn)
        for square in empty_squares(kingdom)
        for drawn in coats_of_die(position, player, die)
        if free or connects(kingdom, square, drawn[0])
    ]


def separate_squares(position: Position, player: int) -> list[list[Half]]:
    """KDD-P2: two different squares, each connected; one alone only where no two are (A-K7, A-K27)."""
    first_die, second_die = position["dice"][player]
    ones = single_half(position, player, first_die)
    twos = single_half(position, player, second_die)
    both = [[one, two] for one in ones for two in twos if one[0] != two[0]]
    if both:
        return both
    # A joker and a plain die may leave the same coat: in `drawings` the later entry wins, the one that ticks.
    return sorted([[half] for half in ones + twos], key=lambda halves: halves[0][3])


def drawings(position: Position, player: int) -> dict[str, list[Half]]:
    """Every legal drawing of this player's domino now, by what would be seen on the map."""
    if "P2" in position["declared"][player]:
        found = separate_squares(position, player)
    else:
        found = whole_domino(position, player)
    seen = {}
    for halves in found:
        in_order = sorted(halves)
        seen[" ".join(f"{square}={coat}{crosses}" for square, coat, crosses, _ in in_order)] = in_order
    return seen


# The steps of a turn


def copied(position: Position) -> Position:
    """A second position that can be changed without touching the first."""
    fresh: Position = json.loads(json.dumps(position))
    return fresh


def steps(position: Position) -> list[Step]:
    """Every legal decision, or every possible fact, with the position that follows."""
    phase = position["phase"]
    if phase == "roll":
        return rolls(position)
    if phase == "take":
        return takes_of_a(position)
    if phase == "take-two":
        return takes_of_b(position)
    if phase == "draw":
        return [step for player in (0, 1) for step in drawing_steps(position, player)]
    if phase == "wizards":
        return lightning_steps(position)
    return []


def different(faces: list[str]) -> list[str]:
    """The faces of a die, each once."""
    return list(dict.fromkeys(faces))


def rolls(position: Position) -> list[Step]:
    """KDD-1: every way in which the four dice can fall."""
    found = []
    for faces in itertools.product(*(different(DICE[die]) for die in DICE)):
        after = copied(position)
        after["shown"] = dict(zip(DICE, faces, strict=True))
        after["phase"] = "take"
        label = "roll " + " ".join(f"{die}={face}" for die, face in after["shown"].items())
        found.append((label, after))
    return found


def may_use(position: Position, player: int, power: str) -> bool:
    """A power can be used once, by the player who completed its line (on an earlier turn, A-K10)."""
    line = LINE_OF_POWER[power]
    return position["owner"][line] == player and not position["used"][line]


def use(position: Position, power: str) -> None:
    """Cross the power off the spellbook."""
    position["used"][LINE_OF_POWER[power]] = True


def takes_of_a(position: Position) -> list[Step]:
    """KDD-2: A takes one die. KDD-P3: or two at once, and B gets the other two."""
    a = position["a"]
    found = []
    for die in DICE:
        after = copied(position)
        after["dice"][a] = [die]
        after["phase"] = "take-two"
        found.append((f"{a + 1}:take {die}", after))
    if may_use(position, a, "P3"):
        for pair in itertools.combinations(DICE, 2):
            after = copied(position)
            use(after, "P3")
            after["dice"][a] = list(pair)
            after["dice"][1 - a] = [die for die in DICE if die not in pair]
            after["phase"] = "draw"
            found.append((f"{a + 1}:P3 take {pair[0]} {pair[1]}", after))
    return found


def takes_of_b(position: Position) -> list[Step]:
    """KDD-2: B takes two of the three dice that are left, A gets the last."""
    a = position["a"]
    b = 1 - a
    left = [die for die in DICE if die not in position["dice"][a]]
    found = []
    for pair in itertools.combinations(left, 2):
        after = copied(position)
        after["dice"][b] = list(pair)
        after["dice"][a] = sorted(after["dice"][a] + [die for die in left if die not in pair])
        after["phase"] = "draw"
        found.append((f"{b + 1}:take {pair[0]} {pair[1]}", after))
    return found


def drawing_steps(position: Position, player: int) -> list[Step]:
    """What a player may do until the domino is drawn: powers and castle bonus if wished, then the drawing."""
    if position["drawn"][player] is not None:
        return []
    return (
        declarations(position, player)
        + turned_dice(position, player)
        + castle_bonus(position, player)
        + drawing_itself(position, player)
    )


def declarations(position: Position, player: int) -> list[Step]:
    """KDD-P1, KDD-P2: declared before drawing, needed or not (A-K25), both in one turn if owned (A-K9)."""
    found = []
    for power in ("P1", "P2"):
        if may_use(position, player, power):
            after = copied(position)
            use(after, power)
            after["declared"][player] = sorted(after["declared"][player] + [power])
            found.append((f"{player + 1}:{power}", after))
    return found


def turned_dice(position: Position, player: int) -> list[Step]:
    """KDD-P4: one of the player's two dice is turned to any of its own faces (A-K11, A-K12, A-K24)."""
    if not may_use(position, player, "P4"):
        return []
    found = []
    for die in position["dice"][player]:
        for face in different(DICE[die]):
            after = copied(position)
            use(after, "P4")
            after["shown"][die] = face
            found.append((f"{player + 1}:P4 {die}={face}", after))
    return found


def castle_bonus(position: Position, player: int) -> list[Step]:
    """KDD-C: once per game, one more cross on one of the player's two dice, a joker too (A-K16, A-K17)."""
    if position["roof"][player]:
        return []
    found = []
    for die in position["dice"][player]:
        after = copied(position)
        after["roof"][player] = True
        after["bonus"][player] = die
        found.append((f"{player + 1}:castle {die}", after))
    return found


def drawing_itself(position: Position, player: int) -> list[Step]:
    """KDD-3: draw the domino; KDD-3d, A-K3: draw nothing only if nothing can be drawn."""
    found = []
    for seen, halves in drawings(position, player).items():
        after = copied(position)
        for square, coat, crosses, _ in halves:
            after["maps"][player][square] = f"{coat}{crosses}"
        after["drawn"][player] = [[coat, ticks] for _, coat, _, ticks in halves]
        found.append((f"{player + 1}:{seen}", when_both_have_drawn(after)))
    if not found:
        after = copied(position)
        after["drawn"][player] = []
        found.append((f"{player + 1}:none", when_both_have_drawn(after)))
    return found


# The spellbook and the end of the turn


def when_both_have_drawn(position: Position) -> Position:
    """Fill in the spellbook as soon as the second player has drawn; until then nothing happens."""
    if None in position["drawn"]:
        return position
    a = position["a"]
    fill_in_spellbook(position, a)
    fill_in_spellbook(position, 1 - a)
    position["phase"] = "wizards"
    return when_wizards_are_done(position)


def fill_in_spellbook(position: Position, player: int) -> None:
    """KDD-4: each plain coat ticks; the first to complete a line owns it. A-K22: an owned line is closed."""
    for coat, ticks in position["drawn"][player]:
        if not ticks or position["owner"][coat] is not None:
            continue
        position["ticks"][player][coat] += 1
        if position["ticks"][player][coat] == LINE_LENGTH[coat]:
            position["owner"][coat] = player


def waiting_lightning(position: Position) -> list[tuple[int, str]]:
    """Who must use P5 or P6 now: each power that waits, with its player, A's first."""
    players = (position["a"], 1 - position["a"])
    return [
        (player, power) for player in players for power in ("P5", "P6") if may_use(position, player, power)
    ]


def lightning_steps(position: Position) -> list[Step]:
    """KDD-P5 and KDD-P6, at once; one player's two (A-K26) or both players' (A-K21) in either order."""
    found = []
    for player, power in waiting_lightning(position):
        found += (named_coats if power == "P5" else added_crosses)(position, player)
    return found


def named_coats(position: Position, player: int) -> list[Step]:
    """KDD-P5: any coat, on the map or not (A-K13)."""
    found = []
    for coat in COATS:
        after = copied(position)
        use(after, "P5")
        after["named"][player] = coat
        found.append((f"{player + 1}:P5={coat}", when_wizards_are_done(after)))
    return found


def added_crosses(position: Position, player: int) -> list[Step]:
    """KDD-P6: one more cross on any own coat that has a free circle (A-K15)."""
    found = []
    for square, filled in position["maps"][player].items():
        if crosses_of(filled) < CIRCLES:
            after = copied(position)
            use(after, "P6")
            after["maps"][player][square] = f"{coat_of(filled)}{crosses_of(filled) + 1}"
            found.append((f"{player + 1}:P6={square}", when_wizards_are_done(after)))
    return found


def when_wizards_are_done(position: Position) -> Position:
    """End the turn unless P5 or P6 still waits: KDD-E1, KDD-E2 (A-K19), else KDD-T: the roles swap."""
    if waiting_lightning(position):
        return position
    somebody_is_full = any(not empty_squares(kingdom) for kingdom in position["maps"])
    nobody_could_draw = position["drawn"] == [[], []]
    if somebody_is_full or nobody_could_draw:
        position["phase"] = "over"
        return position
    return next_turn(position, 1 - position["a"])


def next_turn(position: Position, a: int) -> Position:
    """The table before the roll of a turn in which `a` is player A."""
    position.update(phase="roll", a=a, shown={}, dice=[[], []], declared=[[], []])
    position.update(bonus=[None, None], drawn=[None, None])
    return position


# Scores


def domains(kingdom: dict[str, str]) -> list[dict[str, Any]]:
    """KDD-S1, KDD-S2: each group of equal coats joined by sides, with squares × crosses."""
    found = []
    left = set(kingdom)
    for square in SQUARES:
        if square not in left:
            continue
        coat = coat_of(kingdom[square])
        group = [square]
        left.remove(square)
        for member in group:  # the list grows while it is walked, until no neighbour is left to add
            for near in neighbours(member):
                if near in left and coat_of(kingdom[near]) == coat:
                    left.remove(near)
                    group.append(near)
        crosses = sum(crosses_of(kingdom[member]) for member in group)
        points = len(group) * crosses
        found.append({"coat": coat, "squares": sorted(group), "crosses": crosses, "points": points})
    return found


def final_score(kingdom: dict[str, str], named: str | None) -> int:
    """KDD-S1…S3: the domains, and 3 for each domain of the coat named with P5 (A-K14)."""
    found = domains(kingdom)
    return sum(domain["points"] + (3 if domain["coat"] == named else 0) for domain in found)


def largest_domain(kingdom: dict[str, str]) -> int:
    """KDD-TB: the squares of the largest domain, crosses or not."""
    return max((len(domain["squares"]) for domain in domains(kingdom)), default=0)


def result(position: Position) -> dict[str, Any]:
    """Both scores, both largest domains, and the winner (0, 1, or None for a draw)."""
    maps = position["maps"]
    scores = [final_score(maps[player], position["named"][player]) for player in (0, 1)]
    largest = [largest_domain(kingdom) for kingdom in maps]
    if scores[0] != scores[1]:
        winner = scores.index(max(scores))
    elif largest[0] != largest[1]:
        winner = largest.index(max(largest))
    else:
        winner = None
    return {"scores": scores, "largest": largest, "winner": winner}


# Counting


def perft(position: Position, n: int) -> int:
    """How many different sequences of exactly n labels start here."""
    return count(position, n, {})


def count(position: Position, n: int, known: dict[str, int]) -> int:
    """The same, remembering positions that are reached in several ways."""
    if n == 0:
        return 1
    key = f"{n} {json.dumps(position, sort_keys=True)}"
    if key not in known:
        following = steps(position)
        labels = [label for label, _ in following]
        if len(set(labels)) != len(labels):
            raise AssertionError(f"two steps share a label: {sorted(labels)}")
        known[key] = len(following) if n == 1 else sum(count(after, n - 1, known) for _, after in following)
    return known[key]


def positions() -> dict[str, Position]:
    """The named positions of the perft table."""
    from tests.oracles import kingdomino_duel_positions  # it imports this module

    return kingdomino_duel_positions.positions()
