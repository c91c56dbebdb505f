"""What a photo says of its own scale, and what faceless things are in whose company."""

import pytest

from tests.vision.pieces.made import DIE, domino, square
from vision.photos.scale import in_company, of_one_scale
from vision.pieces.piece_read import Read
from vision.pieces.sureness import sure


def back(at: tuple[float, float], length: float = 80.0) -> Read:
    """A face-down domino, or a plank."""
    return domino(at=at, length=length, face="down")


@pytest.mark.parametrize(("count", "kept"), [(1, 0), (3, 0), (4, 4)])
def test_a_plank_alone_is_no_domino_and_four_alike_are(count: int, kept: int) -> None:
    """Where nothing that was read makes dominoes likely, many of one size must."""
    assert len(in_company([back((100.0 * k, 100)) for k in range(count)])) == kept


def test_planks_of_several_sizes_are_not_each_others_company() -> None:
    """Books on a shelf lie side by side too."""
    assert in_company([back((100.0 * k, 100), 60 * 1.3**k) for k in range(4)]) == []


def test_beside_a_domino_that_was_read_a_back_is_at_home() -> None:
    """And a board's square where a piecepack lies, but not the other way round."""
    tile = square("tile", None, (400, 300), 80, face="down")
    pawn = square("pawn", {"suit": "suns"}, (300, 300))
    assert len(in_company([domino(), back((400, 100)), tile])) == 2
    assert [one.kind for one in in_company([pawn, back((400, 100)), tile])] == ["pawn", "tile"]


def test_what_is_far_too_large_is_left_out_and_a_small_clear_die_is_not() -> None:
    """Dominoes say how large a coin would be; of dice there are small and large ones."""
    dominoes = [domino((k, 3), (200, 60 + 60 * k)) for k in range(4)]
    coins = [
        square("coin", {"suit": "suns", "value": None}, (500, 100 + 200 * k), 32 * (1 + 2 * k))
        for k in (0, 1)
    ]
    found = of_one_scale([*dominoes, *coins])
    assert [one.length for one in found if one.kind == "coin"] == [32]
    small = square("die", DIE, (500, 400), 25 / 2.4)
    assert small in of_one_scale([*dominoes, small])
    doubted = square("die", DIE, (500, 400), 25 / 2.4, p=0.9)
    assert not any(one is doubted for one in of_one_scale([*dominoes, doubted]))
    assert of_one_scale([]) == []


def test_a_man_in_doubt_needs_a_war() -> None:
    """On a table of clear dice or tiles a gleam is no man; on a tile, or beside a clear man, it may be."""
    doubtful, clear = (
        square("soldier", {"type": "sniper", "facing_deg": 0.0}, (300, 200), p=p) for p in (0.4, 1.0)
    )
    tile = domino((2, 5), (100, 60), p=1.0, there=1.0)
    below = domino(at=(300, 200), face="down")

    def kinds(*pieces: Read, set_name: str | None = None) -> list[str]:
        return [one.kind for one in in_company(pieces, set_name)]

    assert kinds(tile, doubtful) == ["domino"]
    assert kinds(tile, below, doubtful) == ["domino", "domino", "soldier"]
    assert kinds(tile, clear, doubtful) == ["domino", "soldier", "soldier"]
    assert kinds(doubtful) == ["soldier"]
    assert kinds(tile, doubtful, set_name="soldiers") == ["domino", "soldier"]


def test_a_bare_shape_is_doubted_where_nothing_else_of_its_set_shows_more() -> None:
    """Squares of a printed board are no tiles for sure; beside a coin of moons they may be."""
    tiles = [square("tile", None, (60.0 + 90 * k, 60), 50, face="down") for k in range(4)]
    ring = square("coin", {"suit": None, "value": 0}, (60, 200))
    black = square("die", {"set": "kingdomino-duel", "face": "black", "crosses": 0}, (160, 200))
    moons = square("coin", {"suit": "moons", "value": None}, (260, 200), face="down")
    dots = square("die", {"set": "kingdomino-duel", "face": "dot", "crosses": 1}, (360, 200))
    bare = [*tiles, ring, black]
    assert not any(sure(one) for one in in_company(bare))
    assert [sure(one) for one in in_company([*bare, moons, dots])] == [True] * 8
    assert [sure(one) for one in in_company(bare, "piecepack")][:5] == [True] * 5


def test_print_that_is_read_alike_again_and_again_is_doubted() -> None:
    """A set has four blank coins and one pawn of a suit: a sheet full of rings is no piecepack."""
    moons = square("coin", {"suit": "moons", "value": None}, (260, 200), face="down")
    rings = [square("coin", {"suit": None, "value": 0}, (60.0 * k, 300)) for k in range(1, 8)]
    assert [sure(one) for one in in_company([*rings[:6], moons])] == [True] * 7
    assert [sure(one) for one in in_company([*rings, moons])] == [False] * 7 + [True]
    pawns = [square("pawn", {"suit": "suns"}, (60.0 * k, 400)) for k in range(1, 4)]
    assert [sure(one) for one in in_company(pawns[:2])] == [True] * 2
    assert [sure(one) for one in in_company(pawns)] == [False] * 3
    assert all(sure(one) for one in in_company(pawns, "piecepack"))
