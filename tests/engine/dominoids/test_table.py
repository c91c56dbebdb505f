"""What the table looks like, and which legal move is nearest to an illegal one."""

import pytest

from engine.dominoids.model import MoveDominoid, laid
from engine.layout import Spot
from engine.nearness import Where
from engine.squares import square
from tests.engine.dominoids.scene import BOOK, acting, move, play, position, ruling, stand

COINS = "b6=suns3 a4=moons? c8=moons?"


def spot(state: object, name: str) -> Spot:
    """One piece of the layout."""
    return BOOK.layout(state).by_name()[name]  # type: ignore[arg-type]


def test_everything_has_its_place() -> None:
    """All dominoes, pawns, dice and seen coins are in the layout; the stacks hold what nobody sees."""
    state = position("2@d4-3@e4 4@h3-5@h2", coins=COINS, collected="2=arms5 2=arms0", new=["arms"])
    layout = BOOK.layout(state)
    kinds = [spot.kind for spot in layout.spots]
    assert [kinds.count(kind) for kind in ("domino", "pawn", "coin", "die")] == [15, 4, 5, 4]
    assert len(layout.by_name()) == len(layout.spots)
    assert layout.hidden == {"stack-suns": 5, "stack-moons": 4, "stack-crowns": 6, "stack-arms": 4}
    assert len(layout.in_region("pool")) == 13


def test_layouts_share_the_pieces_that_lie_alike() -> None:
    """A search keeps thousands of layouts, and from one to the next hardly anything has moved."""
    before = position("2@d4-3@e4 4@h3-5@h2", coins=COINS, collected="2=arms5 2=arms0", new=["arms"])
    after = position("2@d4-3@e4 4@h3-5@g3", coins=COINS, collected="2=arms5 2=arms0", new=["arms"])
    one, other = (BOOK.layout(state).by_name() for state in (before, after))
    assert [name for name in one if one[name] is not other[name]] == ["domino 4-5"]


def test_an_empty_stack_is_no_region() -> None:
    """A suit without coins in its stack hides nothing."""
    state = position("2@d4-3@e4", collected=" ".join(f"1=suns{value}" for value in range(6)))
    assert "stack-suns" not in BOOK.layout(state).hidden
    assert len(BOOK.layout(state).in_region("hand-1")) == 6


@pytest.mark.parametrize(
    ("lying", "where"),
    [
        ("2@d4-3@e4", (4.5, 4, 0)),
        ("2@d4-3@d5", (4, 4.5, 90)),
        ("3@d4-2@e4", (4.5, 4, 180)),
        ("3@d4-2@d5", (4, 4.5, 270)),
    ],
)
def test_a_dominoid_points_from_low_to_high(lying: str, where: tuple[float, float, float]) -> None:
    """The angle of a Dominoid goes from its low end to its high end."""
    piece = spot(position(lying), "domino 2-3")
    assert (piece.x, piece.y, piece.angle) == where
    assert (piece.value, piece.face, piece.region) == ({"pips": [2, 3]}, "up", "board")
    assert spot(position(lying), "domino 5-5") == Spot("domino 5-5", "domino", "up", {"pips": [5, 5]}, "pool")


def test_a_coin_shows_its_suit_or_its_value() -> None:
    """A coin value down shows only its suit, one value up only its value, also when collected."""
    state = position("2@d4-3@e4", coins=COINS, collected="2=arms5")
    down, up = spot(state, "coin moons"), spot(state, "coin suns")
    assert (down.face, down.value) == ("down", {"suit": "moons", "value": None})
    assert (up.face, up.value) == ("up", {"suit": None, "value": 3})
    assert (spot(state, "coin moons 2").x, spot(state, "coin moons 2").y) == (3, 8)
    taken = spot(state, "coin arms of value 5")
    assert (taken.value, taken.region, taken.owner, taken.x) == (
        {"suit": None, "value": 5},
        "hand-2",
        2,
        None,
    )


def test_a_blank_die_hides_its_suit() -> None:
    """A die that shows nothing shows no suit either; chosen dice lie apart from the two boxes."""
    state = position("2@d4-3@e4", dice="null ace 3 5", new=["moons"], chosen=["crowns"])
    assert spot(state, "die suns").value == {"set": "piecepack", "suit": None, "face": "null"}
    assert spot(state, "die moons").value == {"set": "piecepack", "suit": "moons", "face": "ace"}
    regions = {name: spot(state, f"die {name}").region for name in ("suns", "moons", "crowns", "arms")}
    assert regions == {"suns": "old-dice", "moons": "new-dice", "crowns": "chosen-dice", "arms": "old-dice"}


def test_an_opening_shows_what_was_seen() -> None:
    """Before the first arm is seen there are only dominoes; after it a pawn and a coin too, and no dice."""
    assert {one.kind for one in BOOK.layout(BOOK.start()).spots} == {"domino"}
    west = play(BOOK.start(), "see suns@b3 2@c3-3@d3")
    assert sorted(one.name for one in BOOK.layout(west).in_region("board")) == [
        "coin suns", "domino 2-3", "pawn suns",
    ]  # fmt: skip


# — what a move changes —


@pytest.mark.parametrize(
    ("line", "footprint"),
    [
        ("suns move 3@e4-2@e5", {"die suns": "used", "domino 2-3": Where(5, 4.5, 270)}),
        ("suns bud 1@a4-1@a5", {"die suns": "used", "domino 1-1": Where(1, 4.5, 90)}),
        ("birth 1@a4-1@a5", {"domino 1-1": Where(1, 4.5, 90)}),
        ("attack 1-3", {"domino 1-3": "pool"}),
        ("suns pass", {"die suns": "used", "pass": "said"}),
        ("eat b6", {"coin suns": "hand-1"}),
        ("2: eat b7", {"coin on b7": "hand-2"}),
        ("place arms b4", {"coin arms": Where(2, 4)}),
        ("dice suns arms", {"die suns": "chosen-dice", "die arms": "chosen-dice"}),
        ("none", {"none": "said"}),
        ("done", {"done": "said"}),
        ("2: agree", {"agree 2": "said"}),
        ("agree", {"agree 1": "said"}),
    ],
)
def test_the_footprint_of_a_move(line: str, footprint: dict[str, object]) -> None:
    """A move touches its pieces and nothing else; what is only said has a name of its own."""
    state = position("2@d4-3@e4", coins=COINS)
    assert BOOK.footprint(state, move(line)) == footprint


def test_the_footprint_of_a_shift() -> None:
    """A shift touches everything on its row or column."""
    state = position("2@d5-3@e5 1@a6-1@a7", coins=COINS, pawns="suns=h6")
    assert BOOK.footprint(state, move("suns shift row 3 right")) == {
        "die suns": "used", "domino 2-3": Where(6.5, 5, 0), "domino 1-1": Where(2, 6.5, 90),
        "pawn suns": Where(2, 6), "coin suns": Where(4, 6),
    }  # fmt: skip
    assert BOOK.footprint(BOOK.start(), move("suns shift row 3 right")) == {"die suns": "used"}


def test_the_footprint_is_what_changes_on_the_table() -> None:
    """After a move each piece of its footprint is where the footprint says."""
    state = play(acting("2@d4-3@e4", coins="c5=suns2"), "suns move 2@b4-3@c4")
    after = play(state, "eat c5")
    assert spot(after, "coin suns of value 2").region == BOOK.footprint(state, move("eat c5"))["coin suns"]


# — the nearest legal moves —


def test_the_nearest_move_is_the_nearest_on_the_table() -> None:
    """A slide one square short is nearest to the full slide, then to other moves of the same Dominoid."""
    given = ruling(acting("2@d4-3@e4"), "suns move 2@c4-3@d4")
    assert given.nearest[0] == "1: suns move 2@b4-3@c4"
    assert len(given.nearest) == 3
    assert all("suns move" in line for line in given.nearest)


def test_the_nearest_meal_is_the_other_coin() -> None:
    """A coin too big is nearest to the meals that are possible."""
    state = play(acting("3@c2-4@c3", coins="b6=suns2 d7=moons0 c8=arms5"), "suns move 3@c6-4@c7")
    assert set(ruling(state, "eat c8").nearest) == {"1: eat b6", "1: eat d7"}


def test_two_coins_of_a_suit_keep_apart() -> None:
    """Where a coin that was let stand made two of a suit, both are in the layout under their own names."""
    state = stand(position("2@d4-3@e4", coins="a4=moons?"), "place moons c8")
    names = {one.name for one in BOOK.layout(state).spots if one.kind == "coin"}
    assert names == {"coin moons", "coin moons 2"}


def test_a_dominoid_off_the_board_has_a_footprint() -> None:
    """Also a move over the edge can be measured against the legal ones."""
    state = acting("2@d4-3@e4")
    over = MoveDominoid(1, 0, laid(2, square("h4"), 3, square("i4")))
    assert BOOK.footprint(state, over) == {"die suns": "used", "domino 2-3": Where(8.5, 4, 0)}
    assert BOOK.check(state, over).nearest
