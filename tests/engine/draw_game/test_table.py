"""Where the tiles lie: the line fits a table, nothing overlaps, halves that match touch."""

from itertools import combinations, pairwise
from random import Random

import pytest

from engine.dominoes import Domino
from engine.draw_game.model import Arm, Down, DrawState, Play
from engine.draw_game.table import SIDE, TOP, table
from engine.layout import Spot
from engine.nearness import Where
from tests.engine.draw_game.scene import after, chain, game, opening, position, wander

Box = tuple[float, float, float, float]


def box(spot: Spot) -> Box:
    """The rectangle that a domino covers: two units long, one wide."""
    assert spot.x is not None
    assert spot.y is not None
    upright = spot.angle in (90, 270)
    wide, high = (0.5, 1.0) if upright else (1.0, 0.5)
    return (spot.x - wide, spot.y - high, spot.x + wide, spot.y + high)


def overlap(one: Box, two: Box) -> bool:
    """Whether two rectangles share more than an edge."""
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def half_centre(spot: Spot, half: int) -> tuple[float, float]:
    """The middle of the half with these pips (of a double: the middle of the tile)."""
    assert spot.x is not None
    assert spot.y is not None
    assert spot.value is not None
    pips = spot.value["pips"]
    assert isinstance(pips, list)
    if pips[0] == pips[1]:
        return spot.x, spot.y
    step = {0: (0.5, 0), 90: (0, 0.5), 180: (-0.5, 0), 270: (0, -0.5)}[int(spot.angle or 0)]
    sign = 1 if half == pips[1] else -1
    return spot.x + sign * step[0], spot.y + sign * step[1]


def on_board(state: DrawState) -> list[Spot]:
    """The tiles of the line."""
    return list(game().layout(state).in_region("board"))


def no_two_overlap(state: DrawState) -> None:
    """Asserts that all tiles of the line lie apart."""
    for one, two in combinations(on_board(state), 2):
        assert not overlap(box(one), box(two)), (one, two)


def ends_of_deals(each: int, seeds: range) -> list[DrawState]:
    """The last states of random deals, when the most tiles lie."""
    book = game(f"hand={each}")
    last = []
    for seed in seeds:
        states = wander(book, Random(seed), 60)
        last += [then for then, now in pairwise(states) if now.phase == "deal" and then.phase == "playing"]
    return last


@pytest.mark.parametrize("each", [11, 7])
def test_tiles_never_overlap_and_mostly_fit_the_table(each: int) -> None:
    """In random deals no two tiles overlap, and in nine of ten the line keeps to its table."""
    states = ends_of_deals(each, range(60))
    inside = 0
    for state in states:
        no_two_overlap(state)
        inside += all(
            left >= -SIDE - 4 and right <= SIDE + 4 and low >= -TOP - 4 and high <= TOP + 4
            for left, low, right, high in map(box, on_board(state))
        )
    assert inside >= 0.9 * len(states)


def test_the_longest_arms_never_overlap() -> None:
    """A line that grows at one arm only, of each kind, folds away or runs off but never meets itself."""
    for seed in range(60):
        rng = Random(seed)
        book = game()
        state = book.start(rng=rng)
        favourite = rng.choice(tuple(Arm))
        while book.pending(state) in (None, "drawn"):
            if book.pending(state):
                state = book.observe(state, book.sample(state, rng))
                continue
            moves = book.legal_moves(state)
            liked = [move for move in moves if isinstance(move, Play) and move.arm == favourite]
            state = book.play(state, rng.choice(liked or moves))
        no_two_overlap(state)


def test_a_place_once_given_stays() -> None:
    """Whatever is laid later, no tile of the line moves."""
    for seed in range(20):
        for before, now in pairwise(wander(game(), Random(seed), 40)):
            if len(now.history) > len(before.history):
                places = table(before.history).places
                assert places.items() <= table(now.history).places.items()


def test_halves_that_match_touch() -> None:
    """The half that is laid against an end lies one unit from the half (or double) it touches."""
    for state in ends_of_deals(11, range(30)):
        spots = {spot.name: spot for spot in on_board(state)}
        tips: dict[Arm, tuple[float, float]] = {}
        for event in state.history:
            if isinstance(event, Down):
                down = spots[str(event.tile)]
                tips[Arm.WEST] = half_centre(down, event.tile.low)
                tips[Arm.EAST] = half_centre(down, event.tile.high)
            elif isinstance(event, Play):
                spot = spots[str(event.tile)]
                touching = half_centre(spot, event.half)
                if event.arm in tips:
                    x, y = tips[event.arm]
                    assert abs(x - touching[0]) + abs(y - touching[1]) == 1
                tips[event.arm] = half_centre(spot, event.tile.other(event.half))
        assert len(spots) == sum(isinstance(event, Down | Play) for event in state.history)


@pytest.mark.rules("DRW-6", "DRW-7")
def test_the_spinner_lies_across_with_its_branches_at_its_short_ends() -> None:
    """A double lies across the line, and the branches run off from its short ends."""
    book = game("hand=7")
    board = {"first": "3-4", "west": ["3-3", "3-6"], "east": ["4-5"], "north": ["2-3"], "south": ["1-3"]}
    state = position(book, 4, 5, board=board, turn=1)
    spots = book.layout(state).by_name()
    places = {name: (spot.x, spot.y, spot.angle) for name, spot in spots.items()}
    assert places == {
        "3-4": (0.0, 0.0, 0.0),
        "3-3": (-1.5, 0.0, 90.0),
        "3-6": (-3.0, 0.0, 180),
        "4-5": (2.0, 0.0, 0),
        "2-3": (-1.5, 2.0, 270),
        "1-3": (-1.5, -2.0, 90),
    }
    assert book.layout(state).hidden == {"boneyard": 13, "hand-1": 4, "hand-2": 5}


def laid_whatever(plays: str) -> DrawState:
    """A deal in which these plays are made, and let stand where they break a rule (as the turn)."""
    book = game()
    state = after(book, book.start(setup={"down": 1}), "see deal hidden / hidden")
    for line in plays.split(", "):
        move = book.parse(line)
        state = book.play(state, move) if book.judge(state, move).allowed else book.let_stand(state, move)
    return state


TURNED_WEST = (
    "down 0-1, 0-2 by 0 at west, 2-3 by 2 at west, 3-4 by 3 at west, 4-5 by 4 at west, 5-6 by 5 at west, "
    "1-6 by 6 at west, 1-2 by 1 at west, 2-2 by 2 at west, 2-6 by 2 at west, 0-6 by 6 at west, "
    "1-5 by 1 at east, 2-4 by 2 at north, 2-5 by 2 at south, 4-4 by 4 at north, 0-5 by 5 at south"
)
TURNED_EAST = (
    "down 0-1, 1-3 by 1 at east, 3-6 by 3 at east, 4-6 by 6 at east, 2-4 by 4 at east, 2-5 by 2 at east, "
    "0-5 by 5 at east, 0-2 by 0 at east, 2-2 by 2 at east, 2-6 by 2 at east, 1-6 by 6 at east, "
    "0-3 by 0 at west, 2-3 by 2 at north, 1-2 by 2 at south, 3-3 by 3 at north, 1-4 by 1 at south"
)


@pytest.mark.parametrize("plays", [TURNED_WEST, TURNED_EAST])
def test_a_spinner_on_a_line_that_has_turned(plays: str) -> None:
    """A spinner laid after the line has turned sends its branches straight off to both sides."""
    state = laid_whatever(plays)
    assert len(on_board(state)) == 16
    no_two_overlap(state)
    places = table(state.history).places
    spinner = places[Domino(2, 2)]
    for arm, side in ((Arm.NORTH, 1), (Arm.SOUTH, -1)):
        row = [places[event.tile] for event in state.history if isinstance(event, Play) and event.arm == arm]
        assert len(row) == 2
        assert all((where.x - spinner.x) * side > 0 and where.y == spinner.y for where in row)


def test_hands_counted_at_the_end_lie_open() -> None:
    """During the deal hands and boneyard are hidden numbers; once counted the hands lie face up."""
    book = game("hand=7")
    state = position(book, "5-5", "1-6 0-1", board=chain(0, 5, 11, "1-6 0-1"), turn=1)
    assert book.layout(state).hidden == {"boneyard": 14, "hand-1": 1, "hand-2": 2}
    out = book.layout(after(book, state, "1: 5-5 by 5 at east"))
    assert out.hidden == {"boneyard": 14}
    assert {spot.name for spot in out.in_region("hand-2")} == {"0-1", "1-6"}
    assert all(spot.face == "up" and spot.owner == 2 for spot in out.in_region("hand-2"))


def test_hands_stay_closed_when_the_match_ends_in_mid_deal_or_is_redealt() -> None:
    """A play that reaches the target, or a redeal, opens no hand but the one that is shown."""
    book = game("hand=7")
    won = after(book, opening(book, ["0-5"], scores=[245, 0]), "1: down 0-5")
    assert book.layout(won).hidden == {"boneyard": 14, "hand-1": 6, "hand-2": 7}
    hidden = after(
        book, book.start(setup={"down": 1}), "see deal hidden / hidden", "1: down 0-5", "2: redeal"
    )
    assert book.layout(hidden).hidden["hand-2"] == 7
    shown = book.layout(after(book, hidden, "see hand 2: 0-0 1-1 2-2 3-3 0-1 0-2 0-3"))
    assert "hand-2" not in shown.hidden
    assert len(shown.in_region("hand-2")) == 7
    assert book.layout(book.start()).hidden == {"boneyard": 28, "hand-1": 0, "hand-2": 0}


def test_the_footprint_is_what_the_layout_then_shows() -> None:
    """The place that a legal tile is said to take is where the layout shows it afterwards."""
    book = game()
    for state in wander(book, Random(9), 60):
        for move in book.legal_moves(state):
            foot = book.footprint(state, move)
            if isinstance(move, Play | Down):
                spot = book.layout(book.apply(state, move)).by_name()[str(move.tile)]
                assert foot == {str(move.tile): Where(spot.x or 0.0, spot.y or 0.0, spot.angle or 0.0)}
            else:
                assert len(foot) == 1


@pytest.mark.parametrize(
    ("line", "foot"),
    [
        ("draw", {"draw": "player 1"}),
        ("2: pass", {"pass": "player 2"}),
        ("redeal", {"redeal": "player 1"}),
        ("2: call 15", {"call": "15 by player 2"}),
        ("0-0 by 0 beside 6-6", {"0-0": "aside"}),
        ("0-0 by 0 at north", {"0-0": None}),
    ],
)
def test_footprints_of_what_is_only_said(line: str, foot: dict[str, str | None]) -> None:
    """What moves no piece has an entry of its own; a place that is not there is unknown."""
    book = game()
    assert book.footprint(opening(book), book.parse(line)) == foot
