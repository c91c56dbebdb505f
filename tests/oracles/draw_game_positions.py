"""Starting positions of the Draw Game for the perft table, in the format of `draw_game.py`."""

from __future__ import annotations

from collections.abc import Callable

from tests.oracles.draw_game import TARGET, Position, copied, new_hand, steps

Deal = list[list[str]]


def deal(first: str, second: str) -> Deal:
    """The two hands of a deal."""
    return [first.split(), second.split()]


# Two deals of each size: an ordinary one, and one with many doubles for player 2.
DEALS = {
    11: (
        deal("0-5 1-4 2-3 4-6 5-5 0-1 2-6 3-4 1-1 0-6 2-4", "0-0 1-2 3-3 3-5 4-5 1-6 2-2 0-4 5-6 3-6 1-3"),
        deal("0-5 1-4 2-3 4-6 0-2 0-1 2-6 3-4 1-5 0-6 2-4", "0-0 1-1 2-2 3-3 4-4 1-6 1-2 0-4 5-6 3-6 1-3"),
    ),
    9: (
        deal("0-5 1-4 3-3 4-6 5-5 0-1 2-6 3-4 1-1", "0-0 1-2 3-5 4-5 1-6 2-2 0-4 5-6 3-6"),
        deal("0-5 1-4 2-3 4-6 0-2 0-1 2-6 3-4 1-5", "0-0 1-1 2-2 3-3 1-6 1-2 0-4 5-6 3-6"),
    ),
    7: (
        deal("0-5 1-4 3-3 4-6 5-5 0-1 2-6", "0-0 1-2 3-5 4-5 1-6 2-2 3-6"),
        deal("0-5 1-4 2-3 4-6 0-2 0-1 2-6", "0-0 1-1 2-2 3-3 1-6 1-2 0-4"),
    ),
}

# A deal in which 3-3 is downed and opens all four arms.
SPINNER_DEAL = deal(
    "3-3 3-6 1-5 4-4 6-6 0-4 2-6 0-1 1-1 2-5 0-6", "3-4 3-5 2-3 1-4 5-5 4-6 0-2 1-6 0-0 2-2 5-6"
)

# Player 2 was dealt four doubles and has nothing for a 5.
REDEAL_AND_DRAW = deal("5-5 1-4 2-3 4-6 0-2 0-1 2-6", "0-0 1-1 2-2 3-3 1-2 0-4 3-6")


def match(hand_size: int, hands: Deal | None = None, down: int = 0) -> Position:
    """A match at its first deal; either deal of this size may come next."""
    return {
        **new_hand(hands or DEALS[hand_size][0], hand_size),
        "hand_size": hand_size,
        "down": down,
        "turn": down,
        "scores": [0, 0],
        "before": [0, 0],
        "target": TARGET,
        "deals": [[list(hand) for hand in hands] for hands in DEALS[hand_size]],
    }


def after_labels(position: Position, *labels: str) -> Position:
    """The position after these steps, each of which must be possible."""
    for label in labels:
        position = dict(steps(position))[label]
    return position


def walk(position: Position, stride: int, until: Callable[[Position], bool]) -> Position:
    """Play on, step after step, until the position is as wanted; `stride` settles which steps are taken."""
    for ply in range(1, 200):
        if until(position):
            return position
        following = [step for step in steps(position) if not step[0].endswith("redeal")]
        position = following[ply * stride % len(following)][1]
    raise ValueError("this way of playing never comes to such a position")


def first_labels(position: Position) -> list[str]:
    """What may come next, by label."""
    return [label for label, _ in steps(position)]


def must_draw(position: Position) -> bool:
    """The player to move can only draw."""
    return any(label.endswith("draw") for label in first_labels(position))


def must_pass(position: Position) -> bool:
    """The player to move can only pass, and the other has not just passed."""
    return position["passes"] == 0 and any(label.endswith("pass") for label in first_labels(position))


def can_go_out(position: Position) -> bool:
    """The player to move holds one tile and can play it."""
    return (
        position["phase"] == "play"
        and len(position["hands"][position["turn"]]) == 1
        and not (must_draw(position) or must_pass(position))
    )


def one_pass_made(position: Position) -> bool:
    """One player has passed and the other can only pass too."""
    return position["passes"] == 1 and any(label.endswith("pass") for label in first_labels(position))


def can_score(position: Position) -> bool:
    """A play that scores is at hand, several rounds into the hand."""
    mover = position["turn"]
    late = position["phase"] == "play" and len(position["hands"][mover]) < 6
    return late and any(after["scores"][mover] > position["scores"][mover] for _, after in steps(position))


def with_scores(position: Position, first: int, second: int) -> Position:
    """The same table with other points so far."""
    after = copied(position)
    after["scores"] = [first, second]
    after["before"] = [first - 30, second - 30]
    return after


def opening_positions() -> dict[str, Position]:
    """The three sizes of hand, with and without the right to a redeal."""
    found = {}
    for size in (11, 9, 7):
        found[f"hand of {size}, the Down"] = match(size)
        found[f"hand of {size}, player 2 may demand a redeal"] = match(size, DEALS[size][1])
        found[f"hand of {size}, the redeal may come from the Down"] = match(size, DEALS[size][1], down=1)
    return found


def spinner_positions() -> dict[str, Position]:
    """The spinner in all its phases: bare, half covered, covered, sprouting; and one that is not the Down."""
    bare = after_labels(match(11, SPINNER_DEAL), "1:down 3-3")
    half = after_labels(bare, "2:3-4 on 3 E")
    covered = after_labels(half, "1:3-6 on 3 W")
    one_branch = after_labels(covered, "2:3-5 on 3 N")
    two_branches = after_labels(one_branch, "1:1-5 on 5 N", "2:2-3 on 3 S")
    late = after_labels(match(11, SPINNER_DEAL), "1:down 3-6", "2:5-6 on 6 E", "1:3-3 on 3 W")
    second = after_labels(two_branches, "1:4-4 on 4 E")
    return {
        "spinner, both long sides bare": bare,
        "spinner, one long side bare": half,
        "spinner, both short ends open": covered,
        "spinner, one short end used": one_branch,
        "spinner, all four arms used": two_branches,
        "spinner played at an end of the line": late,
        "a second double at an end": second,
    }


def late_positions() -> dict[str, Position]:
    """Drawing, passing, going out, blocks, the end of the match, the next hand."""
    out = walk(match(11), 2, can_go_out)
    stuck = walk(match(11), 13, one_pass_made)
    return {
        "must draw": walk(match(7), 2, must_draw),
        "tile drawn, not yet seen": walk(match(9), 1, lambda position: position["phase"] == "drawn"),
        "must pass": walk(match(11), 10, must_pass),
        "can go out": out,
        "can go out with tiles in the boneyard": walk(match(11), 5, can_go_out),
        "can go out, and the match with it": with_scores(out, 245, 245),
        "blocked by the next pass": stuck,
        "blocked by the next pass, and the match ends": with_scores(stuck, 245, 245),
        "245 points each, a play can end the match": with_scores(walk(match(9), 4, can_score), 245, 245),
        "next hand, the other has the Down": walk(match(7), 3, lambda position: position["phase"] == "deal"),
        "redeal demanded, the same Down": after_labels(match(9, DEALS[9][1]), "1:down 1-4", "2:redeal"),
        "redeal still open after a draw": after_labels(match(7, REDEAL_AND_DRAW), "1:down 5-5", "2:draw"),
    }


def positions() -> dict[str, Position]:
    """The named positions of the perft table."""
    return {**opening_positions(), **spinner_positions(), **late_positions()}
