"""The line of the Draw Game runs on beyond its part of the table, into where a player keeps his tiles."""

from dataclasses import replace

from engine.draw_game.beyond import with_whole_line
from engine.draw_game.model import DrawState
from engine.history import History
from engine.matching import Follower, Nothing, OutOfStep, Ruled, adopt
from engine.scene import Scene, Sighting
from tests.engine.matching.test_lines import BONEYARD, _tile

HANDS = [{"tiles": [], "hidden": 11}, {"tiles": [], "hidden": 11}]
HISTORY = History.begin("draw-game", setup={"down": 1, "hands": [*HANDS]}).move("1: down 4-6")
FIRST = _tile([4, 6], 0.0, 0.0, 270.0)


def beyond(tile: Sighting) -> Sighting:
    """The same tile where the first player keeps his tiles, told in millimetres."""
    assert tile.x is not None
    assert tile.y is not None
    return replace(tile, region="hand-1", x=24 * tile.x, y=24 * tile.y + 204, on_board=(tile.x, tile.y))


NEXT, AFTER = beyond(_tile([6, 1], 0.0, -2.0, 270.0)), beyond(_tile([1, 5], 0.0, -4.0, 270.0))
HELD = beyond(_tile([2, 3], 6.0, -4.0, 90.0))


def table(*sightings: Sighting, visits: int) -> Scene:
    """The first tile, and what else is seen."""
    return Scene((FIRST, *sightings, *BONEYARD), visits=visits)


def state(phase: str = "playing") -> DrawState:
    """The state of the game, or of one in another phase."""
    found = HISTORY.state
    assert isinstance(found, DrawState)
    return found._replace(phase=phase)


def test_a_tile_that_goes_on_with_the_line_is_laid_wherever_it_lies() -> None:
    """It is remembered where it lies, and the next one goes on from it; two at once as well."""
    follower = Follower.of(HISTORY).at(table(visits=0))
    verdict = follower.see(table(NEXT, visits=1))
    assert isinstance(verdict, Ruled)
    assert [one.text for one in verdict.happened] == ["2: 1-6 by 6 at east"]
    history = HISTORY.move("2: 1-6 by 6 at east")
    then = follower.after(history, table(NEXT, visits=1))
    assert isinstance(then.see(table(NEXT, visits=0)), Nothing)
    both = ["2: 1-6 by 6 at east", "1: 1-5 by 1 at east"]
    for one, texts in ((then, both[1:]), (follower, both)):
        verdict = one.see(table(NEXT, AFTER, visits=len(texts)))
        assert isinstance(verdict, Ruled)
        assert [one.text for one in verdict.happened] == texts


def test_an_open_tile_that_is_no_part_of_the_line_is_held() -> None:
    """It lies on a player's side, where nothing should be open."""
    follower = Follower.of(HISTORY).at(table(visits=0))
    verdict = follower.see(table(HELD, visits=1))
    assert isinstance(verdict, OutOfStep)
    assert "player 1's side" in verdict.sentence


def test_once_hands_are_laid_open_only_what_was_known_to_lie_there_is_of_the_line() -> None:
    """What lies beside it now was held."""
    laid = Follower.of(HISTORY.move("2: 1-6 by 6 at east")).at(table(NEXT, visits=1))
    assert "1-6" in laid.places
    told = with_whole_line(state("hand"), table(NEXT, AFTER, HELD, visits=1), laid.places)
    assert [one.region for one in told.sightings[:4]] == ["board", "board", "hand-1", "hand-1"]


def test_a_table_is_taken_as_it_lies_with_all_of_its_line() -> None:
    """Also with what lies on a player's side."""
    taken = adopt(Follower.of(HISTORY), table(NEXT, AFTER, visits=0))
    assert isinstance(taken, DrawState)
    lying = {spot.name for spot in HISTORY.book.layout(taken).spots}
    assert lying == {"4-6", "1-6", "1-5"}
