"""Every continuation of a Draw Game position, plainly from the document and the default readings.

A position is a dict of plain JSON data:

    phase      "play" · "drawn" (the tile drawn must be seen) · "deal" (the next hand must be seen) · "over"
    hand_size  11, 9 or 7
    down       0 or 1: who plays first in this hand
    turn       0 or 1: whose turn it is
    hands      [["0-5", ...], [...]]: the tiles held, low half first
    dealt      [[...], [...]]: the same as they were dealt (a redeal looks at these)
    boneyard   ["1-2", ...]: the tiles left over; they have no order
    line       ["4-3", "3-3", "3-6"]: the tiles of the line from W to E, each written with its W half first
    N, S       ["3-5", ...]: the tiles on the short ends of the spinner, outwards, inner half first
    spinner    null, or the first double of the hand, "3-3"
    played     [true, false]: who has made a play in this hand
    passes     how many passes in a row were the last steps
    scores     [35, 0]: the points of the match
    before     [30, 0]: the points when this hand was dealt
    target     250
    deals      [[[...], [...]], ...]: the deals that may come next, as the two hands; the boneyard is the rest

README-duel-draw.md says what counts as a step.
"""

from __future__ import annotations

import json
from typing import Any

Position = dict[str, Any]
Step = tuple[str, Position]

SET = [f"{low}-{high}" for low in range(7) for high in range(low, 7)]
TARGET = 250
DOUBLES_FOR_REDEAL = {11: 5, 9: 4, 7: 4}


# Tiles


def halves(tile: str) -> tuple[int, int]:
    """The two halves of `2-5`, as written."""
    left, right = tile.split("-")
    return int(left), int(right)


def is_double(tile: str) -> bool:
    """Both halves show the same pips."""
    left, right = halves(tile)
    return left == right


def pips(tiles: list[str]) -> int:
    """All the pips of these tiles together."""
    return sum(sum(halves(tile)) for tile in tiles)


def nearest_five(total: int) -> int:
    """DRW-10, A-F1, A-F2: the multiple of 5 that is nearest to a sum."""
    return min(range(0, total + 6, 5), key=lambda multiple: abs(multiple - total))


def turned(tile: str, inner: int) -> str:
    """The tile written with its half `inner` first."""
    left, right = halves(tile)
    return tile if left == inner else f"{right}-{left}"


# The board


def spinner_is_covered(position: Position) -> bool:
    """DRW-7: both long sides of the spinner carry a tile."""
    spinner, line = position["spinner"], position["line"]
    return spinner is not None and spinner not in (line[0], line[-1])


def open_ends(position: Position) -> dict[str, int]:
    """DRW-5, DRW-7, DRW-8: each arm that accepts a tile, and the pips it wants."""
    line = position["line"]
    if not line:
        return {}
    ends = {"W": halves(line[0])[0], "E": halves(line[-1])[1]}
    if spinner_is_covered(position):
        for arm in ("N", "S"):
            tiles = position[arm] or [position["spinner"]]
            ends[arm] = halves(tiles[-1])[1]
    return ends


def exposed(tile: str, outer: int) -> int:
    """DRW-6: what a tile at the end of an arm counts: a double both halves, any other its outer half."""
    return 2 * outer if is_double(tile) else outer


def exposed_total(position: Position) -> int:
    """DRW-4, DRW-6, DRW-7: the sum of the exposed ends; bare short ends of the spinner add nothing."""
    line = position["line"]
    if len(line) == 1:
        return sum(halves(line[0]))
    total = exposed(line[0], halves(line[0])[0]) + exposed(line[-1], halves(line[-1])[1])
    for arm in ("N", "S"):
        if position[arm]:
            outermost = position[arm][-1]
            total += exposed(outermost, halves(outermost)[1])
    return total


def points_of_play(position: Position) -> int:
    """DRW-4: the sum if it is a multiple of five, else nothing (A-F5: a sum of 0 is worth 0)."""
    total = exposed_total(position)
    return total if total % 5 == 0 else 0


# The steps


def copied(position: Position) -> Position:
    """A second position that can be changed without touching the first."""
    fresh: Position = json.loads(json.dumps(position))
    return fresh


def steps(position: Position) -> list[Step]:
    """Every legal decision, or every possible fact, with the position that follows."""
    if position["phase"] == "deal":
        return deals(position)
    if position["phase"] == "drawn":
        return drawn_tiles(position)
    if position["phase"] == "play":
        return turn_steps(position) + redeals(position)
    return []


def turn_steps(position: Position) -> list[Step]:
    """DRW-9: play if able, else draw, else pass (A-F6, A-F7: no draw while a tile fits)."""
    plays = downs(position) if not position["line"] else plays_on_ends(position)
    if plays:
        return plays
    if position["boneyard"]:
        return [draw(position)]
    return [a_pass(position)]


def downs(position: Position) -> list[Step]:
    """DRW-3: the first tile of a hand may be any tile."""
    player = position["turn"]
    found = []
    for tile in position["hands"][player]:
        after = copied(position)
        after["line"] = [tile]
        found.append((f"{player + 1}:down {tile}", after_play(after, tile)))
    return found


def plays_on_ends(position: Position) -> list[Step]:
    """DRW-5: each tile of the hand on each open arm whose pips it has."""
    player = position["turn"]
    found = []
    for tile in position["hands"][player]:
        for arm, wanted in open_ends(position).items():
            if wanted not in halves(tile):
                continue
            after = copied(position)
            outwards = turned(tile, wanted)
            if arm == "W":
                inner, outer = halves(outwards)
                after["line"].insert(0, f"{outer}-{inner}")
            elif arm == "E":
                after["line"].append(outwards)
            else:
                after[arm].append(outwards)
            found.append((f"{player + 1}:{tile} on {wanted} {arm}", after_play(after, tile)))
    return found


def after_play(position: Position, tile: str) -> Position:
    """The tile has left the hand and lies on the board: its points, then going out, then the next turn."""
    player = position["turn"]
    position["hands"][player].remove(tile)
    position["played"][player] = True
    position["passes"] = 0
    if is_double(tile) and position["spinner"] is None:
        position["spinner"] = tile  # DRW-7: the first double of the hand
    position["scores"][player] += points_of_play(position)
    if not position["hands"][player]:
        # DRW-10: out; also when the last play has already reached the target (A-F10)
        position["scores"][player] += nearest_five(pips(position["hands"][1 - player]))
        return hand_is_over(position)
    if position["scores"][player] >= position["target"]:
        position["phase"] = "over"  # DRW-12, A-F10: at once
        return position
    position["turn"] = 1 - player
    return position


def draw(position: Position) -> Step:
    """DRW-9: one tile is taken from the boneyard; which one is seen next."""
    after = copied(position)
    after["phase"] = "drawn"
    after["passes"] = 0
    return f"{position['turn'] + 1}:draw", after


def drawn_tiles(position: Position) -> list[Step]:
    """Any tile of the boneyard may be the one drawn; the same player goes on."""
    found = []
    for tile in position["boneyard"]:
        after = copied(position)
        after["boneyard"].remove(tile)
        after["hands"][after["turn"]].append(tile)
        after["phase"] = "play"
        found.append((f"drawn {tile}", after))
    return found


def a_pass(position: Position) -> Step:
    """DRW-9 and DRW-11, A-F19: a pass; the second in a row blocks the hand."""
    after = copied(position)
    after["passes"] += 1
    label = f"{position['turn'] + 1}:pass"
    if after["passes"] < 2:
        after["turn"] = 1 - after["turn"]
        return label, after
    sums = [pips(hand) for hand in after["hands"]]
    if sums[0] != sums[1]:  # A-F9: nobody scores if equal
        lower = sums.index(min(sums))
        after["scores"][lower] += nearest_five(sums[1 - lower])
    return label, hand_is_over(after)


def hand_is_over(position: Position) -> Position:
    """DRW-12: the match ends at the target; else DRW-2: the other player has the next Down."""
    if max(position["scores"]) >= position["target"]:
        position["phase"] = "over"
        return position
    position["phase"] = "deal"
    position["down"] = 1 - position["down"]
    return position


def redeals(position: Position) -> list[Step]:
    """DRW-13: demanded by a player who was dealt many doubles and has not yet played; A-F12, A-F13, A-F14."""
    found = []
    for player in (0, 1):
        doubles = sum(is_double(tile) for tile in position["dealt"][player])
        if doubles < DOUBLES_FOR_REDEAL[position["hand_size"]] or position["played"][player]:
            continue
        after = copied(position)
        after["scores"] = list(after["before"])
        after["phase"] = "deal"
        found.append((f"{player + 1}:redeal", after))
    return found


def deals(position: Position) -> list[Step]:
    """DRW-1: the deals that this position says may come; `down` and the points stay as they are."""
    found = []
    for number, hands in enumerate(position["deals"], start=1):
        after = copied(position)
        after.update(new_hand(hands, position["hand_size"]))
        after["turn"] = after["down"]
        after["before"] = list(after["scores"])
        found.append((f"deal {number}", after))
    return found


def new_hand(hands: list[list[str]], hand_size: int) -> Position:
    """What a deal settles: both hands, the boneyard as the rest of the set, an empty board."""
    assert [len(hand) for hand in hands] == [hand_size, hand_size]
    boneyard = [tile for tile in SET if tile not in hands[0] + hands[1]]
    assert len(boneyard) == len(SET) - 2 * hand_size
    return {
        "phase": "play",
        "hands": [list(hand) for hand in hands],
        "dealt": [list(hand) for hand in hands],
        "boneyard": boneyard,
        "line": [],
        "N": [],
        "S": [],
        "spinner": None,
        "played": [False, False],
        "passes": 0,
    }


def lot_winner(tiles: list[str]) -> int | None:
    """DRW-2: who has the first Down, by the tile each has drawn; None: draw again (A-F15)."""
    sums = [pips([tile]) for tile in tiles]
    return None if sums[0] == sums[1] else sums.index(max(sums))


# Counting


def perft(position: Position, n: int) -> int:
    """How many different sequences of exactly n labels start here."""
    if n == 0:
        return 1
    following = steps(position)
    labels = [label for label, _ in following]
    if len(set(labels)) != len(labels):
        raise AssertionError(f"two steps share a label: {sorted(labels)}")
    return len(following) if n == 1 else sum(perft(after, n - 1) for _, after in following)


def positions() -> dict[str, Position]:
    """The named positions of the perft table."""
    from tests.oracles import draw_game_positions  # it imports this module

    return draw_game_positions.positions()
