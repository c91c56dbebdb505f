"""Where the tiles lie: the line keeps to the board, nothing overlaps, halves that match touch."""

from collections.abc import Iterator
from itertools import combinations, pairwise
from random import Random

import pytest

from engine.book import Move
from engine.dominoes import Domino
from engine.draw_game.laying import laid
from engine.draw_game.model import Arm, Down, Draw, DrawState, Pass, Play, Redeal
from engine.draw_game.path import Lying, begun
from engine.draw_game.table import SIDE, TOP, table
from engine.layout import Spot
from engine.nearness import Where
from simulation.playing import choose
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


def gap(one: Box, two: Box) -> float:
    """How far two rectangles lie apart, along x or along y."""
    return max(one[0] - two[2], two[0] - one[2], one[1] - two[3], two[1] - one[3])


def hosts(state: DrawState) -> dict[str, str]:
    """For each tile of the line but the first, the tile that it was laid at."""
    found: dict[str, str] = {}
    tips: dict[Arm, str] = {}
    spinner = False
    for event in state.history:
        if isinstance(event, Play):
            found[str(event.tile)] = tips[event.arm]
            tips[event.arm] = str(event.tile)
        elif isinstance(event, Down):
            tips = {Arm.WEST: str(event.tile), Arm.EAST: str(event.tile)}
        if isinstance(event, Down | Play) and event.tile.is_double and not spinner:
            spinner = True
            tips |= {Arm.NORTH: str(event.tile), Arm.SOUTH: str(event.tile)}
    return found


def clearance(state: DrawState) -> list[float]:
    """How far any two tiles lie apart that do not touch in the line, nor both touch a third one."""
    spots, at = on_board(state), hosts(state)
    kin = {frozenset(pair) for pair in at.items()}
    kin |= {frozenset((tile, at[host])) for tile, host in at.items() if host in at}
    kin |= {frozenset((one, two)) for one, two in combinations(at, 2) if at[one] == at[two]}
    pairs = [(one, two) for one, two in combinations(spots, 2) if frozenset((one.name, two.name)) not in kin]
    return [gap(box(one), box(two)) for one, two in pairs]


def dealt_out(each: int, seeds: range, *, lively: bool) -> Iterator[DrawState]:
    """One random deal each, when the most tiles lie; players are lively or play anything."""
    book = game(f"hand={each}")
    for seed in seeds:
        rng = Random(f"{each} {lively} {seed}")
        state = last = book.start(rng=rng)
        while state.phase not in ("deal", "over"):
            last = state
            if book.pending(state):
                state = book.observe(state, book.sample(state, rng))
                continue
            move: Move | None = Redeal()
            while isinstance(move, Redeal):
                move = choose(book, state, rng) if lively else rng.choice(book.legal_moves(state))
            assert isinstance(move, Down | Play | Draw | Pass)
            state = book.play(state, move)
        yield last if state.phase == "deal" else state


def test_the_line_stays_on_the_board() -> None:
    """No two tiles overlap, nearly all outlines lie on the board, and the middle of every tile does."""
    deals = [
        state
        for each in (11, 7)
        for lively in (True, False)
        for state in dealt_out(each, range(40), lively=lively)
    ]
    inside = clear = middles = 0
    gaps: list[float] = []
    for state in deals:
        no_two_overlap(state)
        spots = on_board(state)
        edges = [edge for spot in spots for edge in zip(box(spot), (-SIDE, -TOP, SIDE, TOP), strict=True)]
        inside += all(abs(here) <= abs(there) for here, there in edges)
        middles += all(abs(spot.x or 0) <= SIDE and abs(spot.y or 0) <= TOP for spot in spots)
        apart = clearance(state)
        clear += min(apart, default=9.0) >= 0.5
        gaps += apart
    assert inside >= 0.97 * len(deals)
    assert middles >= 0.985 * len(deals)
    assert clear >= 0.98 * len(deals)
    assert sum(apart >= 1 for apart in gaps) >= 0.99 * len(gaps)


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


@pytest.mark.rules("DRW-7")
def test_the_branches_run_off_at_right_angles_wherever_the_line_has_turned() -> None:
    """North is to the left of whoever looks along the line from west to east, at the spinner's short end."""
    looks = set()
    for state in dealt_out(11, range(40), lively=False):
        spots, at = {spot.name: spot for spot in on_board(state)}, hosts(state)
        spinner = next(name for name in spots if name[0] == name[-1])
        plays = {str(event.tile): event for event in state.history if isinstance(event, Play)}
        first = {play.arm: name for name, play in plays.items() if at[name] == spinner}
        if spinner in plays and {plays[spinner].arm, Arm.NORTH, Arm.SOUTH} <= first.keys():
            arm = plays[spinner].arm
            along = towards(spots[at[spinner]], plays[spinner].half, spots[spinner])
            along = along if arm is Arm.EAST else (-along[0], -along[1])
            left = (-along[1], along[0])
            looks.add((arm, along))
            for branch, sign in ((Arm.NORTH, 1.5), (Arm.SOUTH, -1.5)):
                half = half_centre(spots[first[branch]], plays[first[branch]].half)
                middle = half_centre(spots[spinner], 0)
                assert half == (middle[0] + sign * left[0], middle[1] + sign * left[1])
    assert len(looks) >= 4


def towards(host: Spot, half: int, tile: Spot) -> tuple[float, float]:
    """The way from the half that is touched to the middle of a double."""
    x, y = half_centre(host, half)
    to_x, to_y = half_centre(tile, half)
    return to_x - x, to_y - y


def test_a_tile_that_finds_no_place_lies_behind_what_is_in_its_way() -> None:
    """An end that is walled in goes on beyond the wall, and still nothing overlaps."""
    path = begun(Domino(1, 2))
    wall = Lying((26, 11, 28, 17), 0, double=False)
    path = path._replace(tiles=(*path.tiles, wall, Lying((28, 13, 32, 15), 0, double=False)))
    one = laid(path, Arm.EAST, 0.0, double=False)
    assert one.cells == (33, 13, 37, 15)
    assert one.tip == (37, 14, 0)


def test_what_is_no_part_of_the_line_has_no_place_in_it() -> None:
    """A second Down, a play before the first tile and one at an arm that is not there change nothing."""
    down, north = Down(Domino(1, 2)), Play(Domino(2, 2), 2, Arm.NORTH)
    assert table((north,)).places == {}
    assert table((down, north, Down(Domino(3, 4)))) == table((down,))
    assert table(()).place(Domino(1, 2), 1, Arm.WEST) is None


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
