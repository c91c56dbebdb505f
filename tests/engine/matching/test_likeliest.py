"""A table that nobody can be asked about is taken for what it most looks like, and that is said."""

from dataclasses import replace

from engine.history import History
from engine.matching import Follower
from engine.scene import Guess, Scene, Sighting
from tests.engine.matching.adopting import granted, likeliest

BLANK = Follower.of(History.begin("dominoids"))


def die(first: float, second: float, presence: float = 1.0, region: str = "new-dice") -> Sighting:
    """A die that may show one face or another."""
    shown = [{"suit": "suns", "face": face} for face in ("ace", "five")]
    guesses = tuple(Guess(value, share) for value, share in zip(shown, (first, second), strict=True))
    return Sighting("die", region, 3.0, 4.0, guesses=guesses, presence=presence)


def test_what_is_likelier_than_not_is_so() -> None:
    """There, and as it looks; what is clear anyway is not spoken of."""
    clear, doubted = die(0.99, 0.01), die(0.6, 0.4, 0.7)
    scene, said = likeliest(BLANK, Scene((clear, doubted)))
    assert scene.sightings == (
        clear,
        replace(doubted, presence=1.0, guesses=(replace(doubted.guesses[0], probability=1.0),)),
    )
    (sentence,) = said
    assert sentence == (
        "Not seen for sure, and taken as it seems: the Suns die showing ace in the box of new dice."
    )
    assert likeliest(BLANK, Scene((clear,))) == (Scene((clear,)), ())
    assert granted(Follower.of(History.begin("kingdomino-duel")), Scene((doubted,))) == ()


def test_what_may_as_well_be_something_else_stays_in_doubt() -> None:
    """So does a map, and what lies beside the game; what is hardly there is not."""
    doubted = die(0.45, 0.4)
    book = Sighting("sheet", "sheet-1", guesses=(Guess({"rows": []}, 0.5),))
    faint = Sighting("domino", "board", 3.5, 4.0, guesses=(Guess({"pips": [1, 2]}, 0.9),), presence=0.3)
    kept = (doubted, book, die(0.6, 0.4, region=""))
    assert likeliest(BLANK, Scene((*kept, faint, die(0.9, 0.1, 0.4)))) == (Scene(kept), ())


def test_a_piece_far_ahead_of_what_else_it_may_be_counts_and_places_are_named() -> None:
    """Though its reading is shared among many; more than a few are only counted."""
    guesses = (Guess({"pips": [1, 2]}, 0.4), Guess({"pips": [1, 3]}, 0.1))
    tiles = tuple(Sighting("domino", "board", 3.5, float(y), guesses=guesses) for y in range(8))
    scene, (sentence,) = likeliest(Follower.of(History.begin("kingdomino-duel")), Scene(tiles))
    assert all(one.guesses[0].probability == 1.0 for one in scene.sightings)
    assert "the 1-2 on d4 and e4" in sentence or "the 1-2 on c4 and d4" in sentence
    assert sentence.endswith(" and 2 more.")


def test_a_back_is_a_back() -> None:
    """It has no readings that could be in doubt."""
    back = Sighting("domino", "boneyard", 3.0, 4.0, face="down", presence=0.8)
    scene, _ = likeliest(BLANK, Scene((back,)))
    assert scene.sightings == (replace(back, presence=1.0),)
