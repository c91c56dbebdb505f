"""A tile that is to be turned up and is half covered by the soldier on it."""

from dataclasses import replace

import pytest

from engine import rulebook
from engine.dominoes_of_war.model import WarState
from engine.dominoes_of_war.turning import turned_by_now
from engine.matching import Follower, Question, Ruled
from engine.scene import Guess, Hands, Scene, Sighting
from tests.engine.dominoes_of_war.scene import BOOK, after, table
from tests.engine.matching.doubtful_table import Table

CLOSED = Guess(None, 0.88)
OPEN = (Guess({"pips": [1, 5]}, 0.09, "up"), Guess({"pips": [1, 4]}, 0.02, "up"))


def marched() -> WarState:
    """A soldier on d4 whose tile is to be turned up."""
    state = table("1:general@c4 1:grunt@a8 2:grunt@f5 2:sniper@(10,5)>n")
    state = BOOK.play(state, BOOK.parse("1: move c4 d4"))
    assert BOOK.pending(state) == "tile"
    return state


def seen(scene: Scene, *guesses: Guess) -> Scene:
    """The scene with these guesses at the tile on d4, which looks closed."""
    return replace(
        scene,
        sightings=tuple(
            replace(one, guesses=guesses, face="down") if _is_it(one) else one for one in scene.sightings
        ),
    )


def _is_it(one: Sighting) -> bool:
    return one.kind == "domino" and one.region == "board" and (round(one.x or 0), round(one.y or 0)) == (4, 4)


def it(scene: Scene) -> Sighting:
    """The tile on d4."""
    return next(filter(_is_it, scene.sightings))


def test_once_somebody_was_there_it_is_rather_turned_up() -> None:
    """It looked closed with 88 %: ten times rarer is that a hand came and left it so."""
    state = marched()
    scene = seen(Table(1).scene(BOOK.layout(state), by=1, visits=1), CLOSED, *OPEN)
    told = it(turned_by_now(state, scene))
    assert (told.guesses[0].value, told.guesses[0].face) == ({"pips": [1, 5]}, "up")
    assert sum(one.probability for one in told.guesses) == pytest.approx(0.99)
    odds = [one.probability / told.guesses[0].probability for one in told.guesses]
    assert odds == pytest.approx([1.0, 0.088 / 0.09, 0.02 / 0.09])
    assert {one.face for one in told.guesses} == {"up", "down"}
    others = [one for one in scene.sightings if not _is_it(one)]
    assert [one for one in turned_by_now(state, scene).sightings if not _is_it(one)] == others


@pytest.mark.parametrize("guesses", [(), (Guess(None, 0.0),)])
def test_a_tile_of_which_nothing_else_was_thought_stays_as_it_was_read(guesses: tuple[Guess, ...]) -> None:
    """What looks closed for sure is."""
    state = marched()
    scene = seen(Table(1).scene(BOOK.layout(state), by=1, visits=1), *guesses)
    assert turned_by_now(state, scene).sightings == scene.sightings


def test_what_a_soldier_covers_is_not_closed_for_sure_and_no_mine() -> None:
    """A blank half looks like a back; where he is gone, or cannot be harmed, it may have been a mine."""
    plain = Guess(None, 0.996)
    mine, other = Guess({"pips": [0, 0]}, 0.002, "up"), Guess({"pips": [0, 2]}, 0.001, "up")
    state = marched()
    scene = seen(Table(1).scene(BOOK.layout(state), by=1, visits=1), plain, mine, other)
    told = {str(one.value): one.probability for one in it(turned_by_now(state, scene)).guesses}
    assert told == {"None": pytest.approx(0.7 * 0.997), "{'pips': [0, 2]}": pytest.approx(0.3 * 0.997)}
    gone = replace(scene, sightings=tuple(one for one in scene.sightings if not _is_there(one)))
    told = {str(one.value): one.probability for one in it(turned_by_now(state, gone)).guesses}
    assert told["{'pips': [0, 0]}"] == pytest.approx(2 * told["{'pips': [0, 2]}"])
    assert told["None"] > 0.9
    nimble = state._replace(
        troops=tuple(one._replace(kind="lightfoot") if one.at == state.focus else one for one in state.troops)
    )
    told = {str(one.value): one.probability for one in it(turned_by_now(nimble, scene)).guesses}
    assert told["{'pips': [0, 0]}"] == pytest.approx(0.2 * 0.999)


def _is_there(one: Sighting) -> bool:
    return (
        one.kind == "soldier" and one.region == "board" and (round(one.x or 0), round(one.y or 0)) == (4, 4)
    )


def test_where_nobody_was_and_where_none_is_due_nothing_is_weighed() -> None:
    """A second look at the table on which the soldier has just come, and any other moment."""
    state = marched()
    still = seen(Table(1).scene(BOOK.layout(state), by=None, visits=0), CLOSED, *OPEN)
    assert turned_by_now(state, still) is still
    acting = table("1:general@c4 2:grunt@f5")
    other = seen(Table(1).scene(BOOK.layout(acting), by=1, visits=1), CLOSED, *OPEN)
    assert turned_by_now(acting, other) is other


def test_play_goes_on_with_a_tile_that_looks_rather_closed() -> None:
    """What followed needs it open: it is told with the march that came next."""
    state = marched()
    laid = Table(1)
    follower = Follower(rulebook("dominoes-of-war"), (state,)).at(laid.scene(BOOK.layout(state), by=1))
    turned = BOOK.observe(state, BOOK.parse_fact("see d4 1-5"))
    went = BOOK.play(turned, BOOK.parse("1: move a8 a7"))
    scene = laid.scene(BOOK.layout(went), by=1, visits=2)
    verdict = follower.see(seen(scene, CLOSED, Guess({"pips": [1, 5]}, 0.11, "up")))
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.happened] == ["see d4 1-5", "1: move a8 a7"]
    doubted = follower.see(seen(scene, CLOSED, Guess({"pips": [1, 5]}, 0.06, "up"), OPEN[1]))
    told = doubted.happened if isinstance(doubted, Ruled) else ()
    assert isinstance(doubted, Question) or any(one.alike for one in told), "the other reading is named"


FACED = "1: face a8 s"


def ends(pips: tuple[list[int], ...], shares: tuple[float, ...], *lines: str) -> tuple[Follower, Scene]:
    """The third action of a turn is done, its tile lies open: what it may show, and what was done since."""
    state = table("1:general@c4 1:sniper@a8 2:grunt@f5 2:sniper@(10,5)>n", actions=2)
    laid, marched = Table(2), after(state, "1: move c4 d4")
    before = Follower(rulebook("dominoes-of-war"), (marched,)).at(laid.scene(BOOK.layout(marched), by=1))
    told = tuple(Guess({"pips": one}, share, "up") for one, share in zip(pips, shares, strict=True))
    scene = laid.scene(BOOK.layout(after(marched, *lines)), by=1, visits=2)
    there = (replace(one, guesses=told, angle=90.0) if _is_it(one) else one for one in scene.sightings)
    return before, replace(scene, sightings=tuple(there))


def test_nobody_is_asked_whether_a_bonus_was_given_up_or_never_there() -> None:
    """Of a half covered tile only the total was in doubt, and nothing came of it: what it may be is kept."""
    pips = [1, 12], [0, 12], [2, 12]
    before, scene = ends(pips, (0.5, 0.45, 0.04), "see d4 1-12", "1: end", FACED)
    verdict = before.see(scene)
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.happened][:3] == ["see d4 1-12", "1: end", FACED]
    assert verdict.happened[0].alike == ("see d4 2-12", "see d4 0-12")


def test_who_plays_on_without_an_answer_is_not_accused_of_what_a_tile_may_show() -> None:
    """A man came with the bonus of a tile of ten: had it shown another total, nobody might have come."""
    state = table("1:grunt@c4 1:grunt@(-1,3) 2:grunt@f5 2:sniper@(10,5)>n")
    laid, marched = Table(2), after(state, "1: move c4 d4")
    called = ("see d4 2-8", "1: bonus grunt (0,4)")
    told = (Guess({"pips": [2, 8]}, 0.3, "up"), Guess({"pips": [3, 8]}, 0.69, "up"))

    def shown(*lines: str) -> Scene:
        scene = laid.scene(BOOK.layout(after(marched, *lines)), by=1, visits=2)
        there = (replace(one, guesses=told, angle=90.0) if _is_it(one) else one for one in scene.sightings)
        return replace(scene, sightings=tuple(there))

    before = Follower(rulebook("dominoes-of-war"), (marched,)).at(laid.scene(BOOK.layout(marched), by=1))
    asked = before.see(shown(*called))
    assert isinstance(asked, Question), asked
    assert any("illegal" in one.text for one in asked.choices)
    since = replace(shown(*called, "1: move (-1,3) (-1,4)"), visits=3, lately=Hands(1, 1))
    verdict = before.asking(asked).see(since)
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.happened] == [*called, "1: move (-1,3) (-1,4)"]
    assert verdict.happened[0].alike == ("see d4 3-8",), "what it looked like stays in the record"
