"""Lines of the Draw Game on the table: how they grow, bend and are pushed, and who laid what."""

from dataclasses import replace

import pytest

from engine import BadSetup, rulebook
from engine.dominoes import Domino
from engine.draw_game.chain import Lies, ends, grown, hangs_together, neighbours, touches
from engine.draw_game.model import Arm, Down, Play
from engine.history import History
from engine.matching import Follower, Nothing, OutOfStep, Question, Ruled, adopt
from engine.matching.guide import guide_for
from engine.matching.search import Search, _has_just_ended
from engine.matching.step_line import LineStep, Origin
from engine.scene import Guess, Scene, Sighting

T = Domino


def test_a_line_bends_and_crosses() -> None:
    """Straight on, round a corner, beside the last half, a double crosswise and one in line."""
    history = [Down(T(2, 5)), Play(T(5, 5), 5, Arm.EAST), Play(T(1, 5), 5, Arm.EAST)]
    lies = {T(2, 5): Lies(0, 0, 0), T(5, 5): Lies(1.5, 0, 90), T(1, 5): Lies(3, 0, 180)}
    arms = ends(history, lies)
    assert (arms[Arm.EAST].x, arms[Arm.EAST].dx) == pytest.approx((4, 1))
    assert (arms[Arm.NORTH].x, arms[Arm.NORTH].y) == pytest.approx((1.5, 1))
    for place in (Lies(5, 0, 0), Lies(4.5, 0.5, 90), Lies(3.5, 1.5, 90)):
        assert touches(T(1, 6), place, arms)[0][:2] == (Arm.EAST, 1)
    assert touches(T(3, 3), Lies(4.5, 0, 90), arms)[0].arm is Arm.EAST
    in_line = [*history, Play(T(1, 1), 1, Arm.EAST)]
    there = {**lies, T(1, 1): Lies(5, 0, 0)}
    assert ends(in_line, there)[Arm.EAST].x == pytest.approx(6)
    backward = {**lies, T(1, 1): Lies(5, 0, 180)}
    assert ends(in_line, backward)[Arm.EAST].x == pytest.approx(6)
    assert hangs_together(in_line, there)
    assert not hangs_together(in_line, {**there, T(1, 5): Lies(3, 4, 180)})
    assert next(neighbours(T(0, 0), Lies(0, 1, 0), lies)).host == T(2, 5)


def test_a_line_is_grown_from_what_lies_there() -> None:
    """The same line as a set-up; a tile far off touches nothing."""
    lies = {T(2, 5): Lies(0, 0, 0), T(5, 5): Lies(1.5, 0, 90), T(1, 5): Lies(3, 0, 180)}
    assert grown(lies, T(5, 5)) == {
        "first": "5-5", "west": ["2-5"], "east": ["1-5"], "north": [], "south": [], "spinner": "5-5",
    }  # fmt: skip
    assert grown({T(2, 5): Lies(0, 0, 0)}, None)["first"] == "2-5"
    with pytest.raises(BadSetup, match="The 0-6 touches nothing"):
        grown({**lies, T(0, 6): Lies(9, 9, 0)}, None)


def test_what_is_doubtful_is_part_of_a_line_only_where_it_touches_it() -> None:
    """A stain of the cloth is not, though it is nearest to the middle, and looks like the only double."""
    lies = {T(2, 5): Lies(6, 0, 0), T(1, 5): Lies(8, 0, 180), T(4, 4): Lies(0, 0, 0)}
    board = grown(lies, None, {T(4, 4), T(1, 5)})
    assert (board["first"], board["east"]) == ("2-5", ["1-5"])
    assert "spinner" not in board


def test_a_line_is_taken_from_a_cloth_that_looks_like_tiles() -> None:
    """Of two 2-5 the clearer is it; where nothing is clear what is rather there counts."""
    clear, faint = _tile([5, 2], 0.0, 0.0, 0.0), replace(_tile([5, 2], 7.0, 5.0, 0.0), presence=0.6)
    stain = replace(_tile([4, 4], -4.0, 3.0, 0.0), presence=0.4)
    blot = replace(_tile([4, 3], 4.0, 3.0, 0.0), presence=0.4, guesses=())
    follower = Follower.of(History.begin("draw-game"))
    for order in ((clear, faint, stain, blot), (faint, blot, stain, clear)):
        layout = follower.book.layout(adopt(follower, Scene((*order, *BONEYARD), by=1)))
        assert [spot.name for spot in layout.spots] == ["2-5"]
    likely = Scene((replace(stain, presence=0.6), *BONEYARD[1:]), by=1)
    assert follower.book.layout(adopt(follower, likely)).spots[0].name == "4-4"


@pytest.mark.parametrize(("second", "line"), [([0, 0], ["0-0", "0-1"]), ([3, 3], ["0-1"])])
def test_what_looks_like_a_tile_that_lies_elsewhere_is_what_it_looks_like_besides(
    second: list[int], line: list[str]
) -> None:
    """There is one of each: the 0-0 was taken for a second 0-1, and the line broke there."""
    clear = _tile([0, 1], 1.5, 0.0, 0.0)
    guesses = (Guess({"pips": [1, 0]}, 0.56), Guess({"pips": second}, 0.43 if 0 in second else 0.1))
    follower = Follower.of(History.begin("draw-game"))
    for order in ((clear, _tile([0, 0], 0.0, 0.0, 90.0)), (_tile([0, 0], 0.0, 0.0, 90.0), clear)):
        seen = [replace(one, guesses=guesses) if one is not clear else one for one in order]
        layout = follower.book.layout(adopt(follower, Scene((*seen, *BONEYARD), by=1)))
        assert sorted(spot.name for spot in layout.spots) == line


def test_a_tile_that_is_seen_twice_is_one_tile() -> None:
    """The second look at it may show another tile a little, too, and yet lies upon it."""
    guesses = (Guess({"pips": [0, 1]}, 0.85), Guess({"pips": [0, 0]}, 0.12))
    twice = replace(_tile([0, 1], 1.6, 0.3, 10.0), guesses=guesses)
    follower = Follower.of(History.begin("draw-game"))
    scene = Scene((_tile([0, 1], 1.5, 0.0, 0.0), twice, *BONEYARD), by=1)
    assert [spot.name for spot in follower.book.layout(adopt(follower, scene)).spots] == ["0-1"]
    apart = replace(
        scene, sightings=(scene.sightings[0], replace(twice, x=0.0, angle=90.0, y=0.0), *BONEYARD)
    )
    layout = follower.book.layout(adopt(follower, apart))
    assert sorted(spot.name for spot in layout.spots) == ["0-0", "0-1"]


def _drawn(*lines: str) -> Follower:
    history = History.begin(
        "draw-game", setup={"down": 1, "hands": [{"tiles": [], "hidden": 11}, {"tiles": [], "hidden": 11}]}
    )
    for line in lines:
        history = history.move(line)
    return Follower.of(history)


def _tile(pips: list[int], x: float, y: float, angle: float, region: str = "board") -> Sighting:
    return Sighting("domino", region, x, y, angle, guesses=(Guess({"pips": pips}, 0.999),))


BONEYARD = tuple(Sighting("domino", "boneyard", 30.0 * k, 0.0, face="down") for k in range(6))


def test_what_has_too_many_ways_is_not_weighed_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is acted on then; within bounds the same table tells the move."""
    follower, scene = _drawn(), Scene((_tile([5, 2], 3.0, -2.0, 30.0), *BONEYARD))
    with monkeypatch.context() as patch:
        patch.setattr("engine.matching.search.MOST", 0)
        assert isinstance(follower.see(scene), OutOfStep)
    assert isinstance(follower.see(scene), Ruled)


@pytest.mark.parametrize("most", [0, 1])
def test_nobody_is_accused_before_all_was_weighed(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    """The table may be explained by what there was no time to think of."""
    first = _tile([5, 2], 3.0, -2.0, 30.0)
    follower = _drawn("1: down 2-5").at(Scene((first, *BONEYARD)))
    scene = Scene((first, _tile([6, 3], 3.0 - 2 * 0.866, -3.0, 210.0), *BONEYARD))
    accused = follower.see(scene)
    assert isinstance(accused, Ruled)
    assert accused.refused
    monkeypatch.setattr("engine.matching.search.MOST", most)
    assert isinstance(follower.see(scene), OutOfStep)


def test_tiles_are_laid_where_players_like() -> None:
    """A crooked line, far from any layout: the first tile, one by its end, one beside it."""
    follower = _drawn()
    first = _tile([5, 2], 3.0, -2.0, 30.0)
    verdict = follower.see(Scene((first, *BONEYARD)))
    assert isinstance(verdict, Ruled)
    assert verdict.happened[0].text == "1: down 2-5"
    follower = _drawn("1: down 2-5").at(Scene((first, *BONEYARD)))
    by_five = _tile([5, 6], 3.0 - 2 * 0.866, -2.0 - 1.0, 210.0)
    verdict = follower.see(Scene((first, by_five, *BONEYARD)))
    assert isinstance(verdict, Ruled)
    assert verdict.happened[0].text == "2: 5-6 by 5 at east"
    wrong = _tile([6, 3], 3.0 - 2 * 0.866, -2.0 - 1.0, 210.0)
    verdict = follower.see(Scene((first, wrong, *BONEYARD)))
    assert isinstance(verdict, Ruled)
    assert verdict.refused
    side = _tile([0, 1], 3.0 - 0.5, -2.0 + 0.866, 30.0)
    verdict = follower.see(Scene((first, side, *BONEYARD)))
    assert isinstance(verdict, Ruled)
    assert "beside 2-5" in verdict.happened[0].text


def test_a_tile_that_touches_nothing_is_not_ruled_on() -> None:
    """It lies there; perhaps it is still being placed."""
    first = _tile([5, 2], 0.0, 0.0, 0.0)
    follower = _drawn("1: down 2-5").at(Scene((first, *BONEYARD)))
    verdict = follower.see(Scene((first, _tile([6, 3], 8.0, 5.0, 0.0), *BONEYARD)))
    assert isinstance(verdict, OutOfStep)


def test_two_tiles_at_once_are_told_apart_by_whose_hand_was_at_them() -> None:
    """Either may have come first; without hands a person is asked, with them nobody is."""
    first = _tile([5, 2], 0.0, 0.0, 180.0)
    fresh = (_tile([5, 6], 2.0, 0.0, 0.0), _tile([2, 4], -2.0, 0.0, 180.0))
    follower = _drawn("1: down 2-5").at(Scene((first, *BONEYARD)))
    assert isinstance(follower.see(Scene((first, *fresh, *BONEYARD), visits=2)), Question)
    for players, order in (((2, 1), ["5-6", "2-4"]), ((1, 2), ["2-4", "5-6"])):
        told = tuple(replace(one, by=player) for one, player in zip(fresh, players, strict=True))
        verdict = follower.see(Scene((first, *told, *BONEYARD), visits=2))
        assert isinstance(verdict, Ruled)
        assert [one.text.split()[1] for one in verdict.happened] == order


def test_a_shadow_like_a_closed_tile_beside_the_line_disturbs_nothing() -> None:
    """A tile on the board that shows nothing is no move: the record agrees, and the next move is seen.

    But one that was put there just now is told: it may be one that was misread.
    """
    first = _tile([5, 2], 0.0, 0.0, 180.0)
    plank = (
        Sighting("domino", "board", -4.0, 0.2, 0.0, "down"),
        Sighting("wall", "board", 6.0, 3.0, 10.0, "edge"),
    )
    follower = _drawn("1: down 2-5").at(Scene((first, *BONEYARD)))
    assert follower.see(Scene((first, *plank, *BONEYARD))) == Nothing()
    verdict = follower.see(Scene((first, _tile([5, 6], 2.0, 0.0, 0.0), *plank, *BONEYARD)))
    assert isinstance(verdict, Ruled)
    assert verdict.happened[0].text == "2: 5-6 by 5 at east"
    laid = Scene((first, replace(plank[0], ref="7"), *BONEYARD), visits=1)
    assert follower.see(laid) == Nothing()
    verdict = follower.see(replace(laid, fresh=("7",)))
    assert isinstance(verdict, OutOfStep)
    assert verdict.differences[0].ref == "7"
    one_more = Sighting("domino", "boneyard", -30.0, 0.0, face="down")
    assert isinstance(follower.see(Scene((first, one_more, *BONEYARD))), OutOfStep)


def test_a_line_that_was_pushed_aside_is_the_same_line() -> None:
    """All tiles have moved together, and a new one was laid meanwhile."""
    first, second = _tile([5, 2], 0.0, 0.0, 180.0), _tile([5, 6], 2.0, 0.0, 0.0)
    follower = _drawn("1: down 2-5", "2: 5-6 by 5 at east").at(Scene((first, second, *BONEYARD)))
    moved = tuple(replace(one, x=(one.x or 0) + 2.0, y=(one.y or 0) - 3.0) for one in (first, second))
    assert follower.see(Scene((*moved, *BONEYARD))) == Nothing()
    third = _tile([6, 6], 5.5, -3.0, 90.0)
    verdict = follower.see(Scene((*moved, third, *BONEYARD)))
    assert isinstance(verdict, Ruled)
    assert verdict.happened[0].text == "1: 6-6 by 6 at east"


def test_a_line_of_which_one_tile_was_overlooked_was_not_pushed_aside() -> None:
    """What came to its end is no other reading of that one, lying elsewhere: one more look tells."""
    history = History.begin("draw-game", setup={"down": 1, "hands": [{"tiles": [], "hidden": 11}] * 2})
    history = history.move("1: down 2-5").move("2: 5-6 by 5 at east").move("1: 2-4 by 2 at west")
    first, last, west = (
        _tile([2, 5], 0.0, 0.0, 0.0),
        _tile([5, 6], 2.0, 0.0, 0.0),
        _tile([2, 4], -2.0, 0.0, 180.0),
    )
    new = _tile([6, 1], 4.0, 0.0, 0.0)
    follower = Follower.of(history).at(Scene((first, last, west, *BONEYARD)))
    assert isinstance(follower.see(Scene((first, west, new, *BONEYARD), by=2, visits=1)), OutOfStep)
    verdict = follower.see(Scene((first, last, west, new, *BONEYARD), by=2, visits=1))
    assert isinstance(verdict, Ruled)
    assert [one.text for one in verdict.happened] == ["2: 1-6 by 6 at east"]


def test_a_tile_under_a_hand_keeps_its_place() -> None:
    """What was not seen is remembered."""
    first, second = _tile([5, 2], 0.0, 0.0, 180.0), _tile([5, 6], 2.0, 0.0, 0.0)
    follower = _drawn("1: down 2-5", "2: 5-6 by 5 at east").at(Scene((first, second, *BONEYARD)))
    again = follower.at(Scene((first, *BONEYARD)))
    assert again.places == follower.places
    odd = replace(second, guesses=(Guess({"pips": 7}, 0.5), Guess({"pips": [9, 9]}, 0.5)))
    assert follower.at(Scene((first, odd, *BONEYARD))).places == follower.places
    fresh = _drawn("1: down 2-5", "2: 5-6 by 5 at east").at(Scene((first, odd, *BONEYARD)))
    assert set(fresh.places) == {"2-5"}
    blind = replace(second, x=None, y=None)
    assert isinstance(follower.see(Scene((first, second, blind, *BONEYARD))), OutOfStep)


def test_who_laid_a_tile_is_asked_where_the_other_may_have_passed() -> None:
    """Unless the hand was seen."""
    history = History.begin("draw-game", seed=1)
    assert guide_for(history.book).waits_for(history.state) == ""
    assert guide_for(history.book).waits_for(rulebook("draw-game").start()) == "The lot must be drawn."


def test_hands_laid_open_must_have_their_number() -> None:
    """A hand of three of which two are seen is not taken; nor one in which a tile lies twice."""
    state = rulebook("draw-game").start(
        setup={"down": 1, "hands": [{"hidden": 11, "tiles": []}, {"hidden": 11, "tiles": []}]}
    )
    guide = guide_for(rulebook("draw-game"))
    open_state = state._replace(phase="hand")  # type: ignore[attr-defined]
    tiles = (_tile([1, 2], 0.0, 0.0, 0.0, "hand-1"), _tile([1, 2], 30.0, 0.0, 0.0, "hand-1"))
    assert list(guide.facts(open_state, guide.evidence(open_state, Scene(tiles), {}))) == []
    one = (_tile([1, 2], 0.0, 0.0, 0.0, "hand-1"),)
    verdict = Follower(rulebook("draw-game"), (open_state,)).see(Scene(one))
    assert not isinstance(verdict, Ruled | Question)


def test_nobody_is_accused_of_what_is_wrong_only_after_what_nobody_saw_him_do() -> None:
    """A player who passes unseen, and lays another tile then, has not passed."""
    hidden = {"tiles": [], "hidden": 11}
    guide = guide_for(rulebook("draw-game"))
    state = guide.book.start(setup={"down": 1, "hands": [hidden, hidden]})
    down = guide.book.parse("1: down 2-5")
    line = Search(guide, guide.evidence(state, Scene(BONEYARD), {})).root(Origin(state), {})
    assert not _has_just_ended(line, down)
    ended = line._replace(steps=(LineStep(guide.book.parse("1: pass"), None, state),), idle=True)
    assert _has_just_ended(ended, down)
    assert not _has_just_ended(ended, guide.book.parse("2: down 2-5"))
    assert not _has_just_ended(ended._replace(idle=False), down)


def test_a_tile_that_has_come_is_not_taken_for_one_that_is_hardly_read() -> None:
    """Every tile of the line lies in its place, so that the line was not pushed aside."""
    first, second = _tile([5, 2], 0.0, 0.0, 180.0), _tile([5, 4], 2.0, 0.0, 0.0)
    follower = _drawn("1: down 2-5", "2: 4-5 by 5 at east").at(Scene((first, second, *BONEYARD)))
    guesses = tuple(Guess({"pips": pips}, 0.04) for pips in ([2, 4], [5, 4], [2, 2]))
    faint = replace(second, guesses=guesses, presence=0.49)
    scene = Scene((_tile([4, 1], 4.0, 0.0, 0.0), first, faint, *BONEYARD), by=1, visits=1)
    verdict = follower.see(scene)
    assert isinstance(verdict, Ruled)
    assert [one.text for one in verdict.happened] == ["1: 1-4 by 4 at east"]
