"""A tile of which a gleam hides what it shows: players were asked, and laid the next one."""

from dataclasses import replace

import pytest

from engine.draw_game.model import TILES
from engine.history import History
from engine.matching import Follower, OutOfStep, Question, Revision, Ruled, TakeBack, Verdict
from engine.plain import Json, JsonObject
from engine.scene import Guess, Scene, Sighting
from tests.engine.matching.test_lines import BONEYARD, _tile

HANDS = [{"tiles": [], "hidden": 11}, {"tiles": [], "hidden": 11}]
BEGUN = History.begin("draw-game", setup={"down": 1, "hands": [*HANDS]}).move("1: down 2-5")
FIRST, THEN = _tile([2, 5], 0.0, 0.0, 0.0), _tile([2, 4], -2.0, 0.0, 180.0)
AS_5_6, AS_5_4 = "2: 5-6 by 5 at east", "2: 4-5 by 5 at east"


def gleaming(first: float, *, other: int = 4) -> Sighting:
    """A tile at the 5, which shows a 6 by that likelihood."""
    guesses = (Guess({"pips": [5, 6]}, first), Guess({"pips": [5, other]}, 0.95 - first))
    return replace(_tile([5, 6], 2.0, 0.0, 0.0), guesses=guesses)


def asked(tile: Sighting) -> Follower:
    """The follower once players were asked about it."""
    follower = Follower.of(BEGUN).at(Scene((FIRST, *BONEYARD)))
    verdict = follower.see(Scene((FIRST, tile, *BONEYARD), by=2, visits=1))
    assert isinstance(verdict, Question)
    return follower.asking(verdict)


def texts(verdict: Verdict) -> list[str]:
    """What was done."""
    assert isinstance(verdict, Ruled), verdict
    return [one.text for one in verdict.happened]


def test_who_plays_on_has_laid_what_it_rather_shows_and_the_doubt_is_written_down() -> None:
    """All that lies there was seen: only what it shows is not sure."""
    tile = gleaming(0.5)
    verdict = asked(tile).see(Scene((FIRST, tile, THEN, *BONEYARD), visits=2))
    assert texts(verdict) == [AS_5_6, "1: 2-4 by 2 at west"]
    assert isinstance(verdict, Ruled)
    assert verdict.happened[0].alike == (AS_5_4,)


def test_what_is_read_better_later_puts_the_record_right() -> None:
    """The other tile was thought of, and is written down once it is plain."""
    tile = gleaming(0.5)
    scene = Scene((FIRST, tile, THEN, *BONEYARD), visits=2)
    verdict = asked(tile).see(scene)
    assert isinstance(verdict, Ruled)
    first, second = verdict.happened
    game = BEGUN.move(first.text, first.alike).move(second.text)
    follower = asked(tile).after(game, scene)
    plain = gleaming(0.001)
    on = _tile([4, 1], 4.0, 0.0, 0.0)
    for lies, by, told in (((), 0, []), ((on,), 1, ["2: 1-4 by 4 at east"])):
        right = follower.see(Scene((FIRST, plain, THEN, *lies, *BONEYARD), visits=by))
        assert texts(right) == told
        assert isinstance(right, Ruled)
        assert right.revised == (Revision(2, AS_5_4, (AS_5_6,)),)


def test_nobody_is_accused_of_what_another_reading_of_the_tile_before_it_allows() -> None:
    """Nor once others have gone on from there, and the 4-5 lies elsewhere: a gleam hides others, too."""
    tile, on, west = gleaming(0.6), _tile([4, 1], 4.0, 0.0, 0.0), _tile([4, 5], -4.0, 0.0, 180.0)
    begun = Follower.of(BEGUN).at(Scene((FIRST, *BONEYARD)))
    verdict = begun.see(Scene((FIRST, tile, on, *BONEYARD), visits=2))
    assert isinstance(verdict, Question)
    either = [[first, "1: 1-4 by 4 at east"] for first in (AS_5_4, AS_5_6)]
    assert [texts(one.outcome) for one in verdict.choices] == either
    then = begun.asking(verdict).see(Scene((FIRST, tile, on, THEN, west, *BONEYARD), visits=4))
    assert isinstance(then, OutOfStep)


@pytest.mark.parametrize("by", [None, 2])
def test_who_may_have_laid_another_tile_before_a_refused_one_is_asked_about(by: int | None) -> None:
    """What lies there shows plainly something else than what was laid: it need not have been misread."""
    game = BEGUN.move(AS_5_6)
    follower = Follower.of(game).at(Scene((FIRST, _tile([5, 6], 2.0, 0.0, 0.0), *BONEYARD)))
    other, wrong = _tile([5, 4], 2.0, 0.0, 0.0), _tile([1, 3], 4.0, 0.0, 0.0)
    verdict = follower.see(Scene((FIRST, other, wrong, *BONEYARD), by=by, visits=2))
    assert isinstance(verdict, Question)
    accusing, back = (one.outcome for one in verdict.choices)
    assert texts(accusing) == ["1: 1-3 by 1 at east"]
    assert isinstance(back, TakeBack)
    assert back.more
    then = follower.after(BEGUN, None).see(Scene((FIRST, other, wrong, *BONEYARD), visits=2))
    assert texts(then) == [AS_5_4, "1: 1-3 by 1 at east"]


def test_what_is_read_in_doubt_after_it_is_written_down_with_that_doubt() -> None:
    """The last tile gleamed, and a tile of the hand that was laid open then may show this or that."""
    line: JsonObject = {"first": "2-5", "west": [], "east": [], "north": [], "south": []}
    hands: list[Json] = [{"tiles": [], "hidden": many} for many in (20, 1)]
    setup: JsonObject = {"down": 2, "hands": hands, "board": line, "turn": 2, "played": [True, True]}
    follower = Follower.of(History.begin("draw-game", setup=setup)).at(Scene((FIRST, *BONEYARD)))
    tile = gleaming(0.5)
    verdict = follower.see(Scene((FIRST, tile, *BONEYARD), by=2, visits=1))
    assert isinstance(verdict, Question)
    others = [one for one in TILES if str(one) not in ("2-5", "5-6", "4-5", "3-3", "3-4")][:19]
    plain = [replace(_tile([*one], 30.0 * k, 0.0, 0.0), region="hand-1") for k, one in enumerate(others)]
    guesses = (Guess({"pips": [3, 4]}, 0.5), Guess({"pips": [3, 3]}, 0.48))
    unclear = replace(_tile([3, 4], 600.0, 0.0, 0.0), region="hand-1", guesses=guesses)
    then = follower.asking(verdict).see(Scene((FIRST, tile, *plain, unclear, *BONEYARD), visits=2))
    assert isinstance(then, Ruled)
    laid, hand = then.happened
    assert (laid.text, laid.alike) == (AS_5_6, (AS_5_4,))
    assert " 3-4 " in hand.text
    assert [hand.text.replace(" 3-4 ", " 3-3 ")] == [*hand.alike]
