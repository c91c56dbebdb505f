"""A first move that nobody saw being made: what follows tells whose it was, and puts the record right."""

import pytest

from engine.book import Move, State
from engine.draw_game.model import ANYBODY
from engine.history import History
from engine.matching import Follower, Revision, Ruled
from engine.matching.guide import guide_for
from engine.plain import JsonObject
from engine.record import Header, Record
from engine.scene import Scene
from tests.engine.matching.adopting import whoever
from tests.engine.matching.test_lines import BONEYARD, _tile

FIRST, SECOND = _tile([5, 2], 0.0, 0.0, 180.0), _tile([5, 4], 2.0, 0.0, 0.0)
THIRD = _tile([4, 6], 4.0, 0.0, 0.0)


def begun(*lines: str) -> Follower:
    """A deal of which nobody knows whose turn it is after these moves."""
    hand: JsonObject = {"tiles": [], "hidden": 11}
    game = History.begin("draw-game", setup={"down": 1, "hands": [hand, hand]})
    for line in lines:
        game = game.move(line)
    known = Follower.of(game)
    return Follower.of(_from(whoever(known))).at(Scene(BONEYARD))


def _from(state: State, *lines: str) -> History:
    """The game that goes on from a state with these moves, the first of them in doubt."""
    header = Header("draw-game", "default", ("Ann", "Bo"), "a test", state.to_json())
    history = History.of(Record(header, ()))
    for line in lines:
        twin = f"{3 - int(line[0])}{line[1:]}"
        history = history.move(line, (twin,) if line == lines[0] else ())
    return history


def followed(follower: Follower, scene: Scene, *lines: str) -> Ruled:
    """What is made of a scene after these moves."""
    verdict = follower.after(_from(follower.state, *lines), Scene((FIRST, *BONEYARD))).see(scene)
    assert isinstance(verdict, Ruled), verdict
    return verdict


@pytest.mark.parametrize(("by", "came", "first"), [(None, None, 1), (None, 2, 2), (2, 1, 2), (1, 2, 1)])
def test_it_is_laid_to_whoever_was_seen_or_came_first(by: int | None, came: int | None, first: int) -> None:
    """And the other is named beside."""
    verdict = begun().see(Scene((FIRST, *BONEYARD), by=by, came=came, visits=1))
    assert isinstance(verdict, Ruled)
    assert [one.text for one in verdict.happened] == [f"{first}: down 2-5"]
    assert verdict.alike == (f"{3 - first}: down 2-5",)


def test_the_hand_at_the_next_tile_puts_it_right() -> None:
    """Player 1 lays that one, so that the first was player 2's; nobody is asked."""
    scene = Scene((FIRST, SECOND, *BONEYARD), by=1, visits=1)
    verdict = followed(begun(), scene, "1: down 2-5")
    assert [one.text for one in verdict.happened] == ["1: 4-5 by 5 at east"]
    assert verdict.revised == (Revision(1, "2: down 2-5", ("1: down 2-5",)),)


def test_a_later_hand_puts_right_all_that_was_made_since() -> None:
    """The second tile was the other player's then, too."""
    scene = Scene((FIRST, SECOND, THIRD, *BONEYARD), by=2, visits=1)
    verdict = followed(begun(), scene, "1: down 2-5", "2: 4-5 by 5 at east")
    assert [one.text for one in verdict.happened] == ["2: 4-6 by 4 at east"]
    assert [one.text for one in verdict.revised] == ["2: down 2-5", "1: 4-5 by 5 at east"]


def test_a_hand_that_agrees_leaves_the_record_as_it_is() -> None:
    """The second player lays the second tile."""
    verdict = followed(begun(), Scene((FIRST, SECOND, *BONEYARD), by=2, visits=1), "1: down 2-5")
    assert [one.text for one in verdict.happened] == ["2: 4-5 by 5 at east"]
    assert not verdict.revised


def test_whose_turn_it_is_is_known_where_one_holds_more_and_between_deals() -> None:
    """Who holds more tiles is next, and no deal is played before it is dealt."""
    assert begun("1: down 2-5").state.to_json()["mover"] == 2
    lot = Follower.of(History.begin("draw-game"))
    assert whoever(lot) == lot.state


def test_in_other_games_the_table_or_a_fact_tells() -> None:
    """Nothing is left open there."""
    known = Follower.of(History.begin("kingdomino-duel"))
    assert whoever(known) == known.state


def test_nobody_passes_before_it_is_known_whose_turn_it_is() -> None:
    """A pass is not seen, and would tell nothing."""
    follower = begun()
    guide = guide_for(follower.book)
    scene = Scene((FIRST, *BONEYARD))
    assert follower.state.to_json()["mover"] == ANYBODY
    assert not [*guide.silent(follower.state, guide.evidence(follower.state, scene, {}))]


def test_what_cannot_have_been_the_others_stays_refused() -> None:
    """A tile that fits nowhere fits for neither."""
    follower = begun()
    guide = guide_for(follower.book)
    wrong = follower.book.parse("1: 3-6 by 3 at east")
    after = follower.book.apply(follower.state, follower.book.parse("1: down 2-5"))
    again = guide.again(follower.state, after, wrong)
    assert not any(isinstance(one, Move) and follower.book.judge(after, one).allowed for one in again)
    assert not [*guide.twins(follower.state, wrong)]
