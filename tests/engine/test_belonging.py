"""What a game has on its table, and where it can lie."""

from engine.belonging import Belongings

GAME = Belongings(kinds={"board": frozenset({"domino", "pawn"}), "tray": frozenset({"die"})})


def test_a_kind_lies_where_one_of_the_regions_takes_it() -> None:
    """Regions may overlap; a place in two of them takes what either takes."""
    assert GAME.may_lie("pawn", ["board"])
    assert not GAME.may_lie("die", ["board"])
    assert GAME.may_lie("die", ["board", "tray"])
    assert not GAME.may_lie("coin", ["board", "tray"])


def test_nothing_is_unexpected_where_the_game_tells_nothing() -> None:
    """Outside of all regions, in a region that is not told, and in a game that tells nothing."""
    assert GAME.may_lie("coin", [])
    assert GAME.may_lie("coin", ["board", "shelf"])
    assert Belongings().may_lie("soldier", ["board"])
