"""What looked a little like a piece when the game began is none while it looks no more like one."""

from dataclasses import replace

from engine import rulebook
from engine.history import History
from engine.matching import Follower, lasting, stains, unstained
from engine.scene import Guess, Hidden, Scene, Sighting
from tests.engine.matching.doubtful_table import Table

GAME = "dominoids"
BOOK = rulebook(GAME)
BLANK = Follower.of(History.begin(GAME))
FULL = Table(3).scene(BOOK.layout(BOOK.start()))
PAWN = Guess({"suit": "suns"}, 0.9)


def pawn(presence: float, x: float = 2.0, region: str = "board") -> Sighting:
    """Something like a pawn, where none stands."""
    return Sighting("pawn", region, x, 6.0, guesses=(PAWN,), presence=presence)


def seen(*more: Sighting) -> Scene:
    """The table of a new game, and something else."""
    return replace(FULL, sightings=(*FULL.sightings, *more))


def test_what_is_faint_and_no_part_of_the_game_is_a_stain() -> None:
    """Not what is clear, nor what lies beside the game, nor the pieces of the game themselves."""
    faint = pawn(0.6)
    assert stains(BLANK, seen(faint)) == (faint,)
    assert stains(BLANK, seen(pawn(0.95), pawn(0.6, region=""))) == ()
    assert stains(BLANK, FULL) == ()


def test_a_stain_is_left_out_where_it_was() -> None:
    """Clearly seen, elsewhere, of another kind or nowhere it is a piece like any other."""
    stain = pawn(0.6)
    others = (pawn(0.95), pawn(0.6, x=3.0), replace(stain, kind="coin"), replace(stain, x=None))
    scene = seen(pawn(0.8, x=2.2), *others)
    assert unstained(scene, (stain,)) == seen(*others)
    assert unstained(seen(*others), (stain,)) == seen(*others)
    assert unstained(scene, ()) is scene
    box = pawn(0.6, region="pool")
    assert unstained(seen(replace(box, x=9.0)), (box,)) == seen()


def test_what_was_clear_and_no_part_of_the_game_from_the_start_stays_none() -> None:
    """A ring on the cloth that looks just like a coin, as often as it is seen there."""
    ring = pawn(0.99, region="hand-1")
    assert unstained(seen(pawn(1.0, region="hand-1")), (ring,)) == seen()
    assert unstained(seen(pawn(1.0, x=20.0, region="hand-1")), (ring,)) != seen()


def test_a_clear_thing_that_was_taken_away_is_no_stain_any_more() -> None:
    """A cup is lifted, and where it stood a piece may stand; what is faint, covered or hidden stays."""
    cup = pawn(0.99, region="hand-1")
    faint, nowhere = pawn(0.6, region="hand-1"), replace(cup, x=None)
    known = (cup, faint, nowhere)
    upon, beside = replace(cup, kind="coin", x=20.0), replace(cup, kind="coin", x=80.0)
    for still in (seen(cup), seen(upon), replace(seen(), hidden=(Hidden("hand-1"),))):
        assert lasting(known, still) == known
    for gone in (seen(), seen(beside), seen(replace(upon, y=None)), seen(pawn(0.99))):
        assert lasting(known, gone) == (faint, nowhere)
    square = pawn(0.99)
    ring = replace(square, x=40.0)
    assert lasting((ring, square), seen(pawn(0.99, x=3.0), replace(ring, kind="tile"))) == (square,)
