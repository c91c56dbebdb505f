"""What was done whichever answer a question will be given: it is told, and only the rest is asked about."""

from dataclasses import replace

from engine.history import History
from engine.kingdomino_duel.model import DuelState
from engine.matching import Follower, Question, Ruled, Verdict
from engine.scene import Guess, Scene
from tests.engine.matching.test_dice_matched import BOOK as DUEL
from tests.engine.matching.test_dice_matched import lying, map_of
from tests.engine.matching.test_lines import BONEYARD, _tile

HANDS = [{"tiles": [], "hidden": 11}, {"tiles": [], "hidden": 11}]
BEGUN = History.begin("draw-game", setup={"down": 1, "hands": [*HANDS]}).move("1: down 2-5")
FIRST, NEXT = _tile([2, 5], 0.0, 0.0, 0.0), _tile([5, 6], 2.0, 0.0, 0.0)
UNCLEAR = replace(
    _tile([6, 1], 4.0, 0.0, 0.0), guesses=(Guess({"pips": [6, 1]}, 0.5), Guess({"pips": [6, 3]}, 0.45))
)
"""What can be laid next hangs on which of the two it is."""
SCENE = Scene((FIRST, NEXT, UNCLEAR, *BONEYARD), visits=2)


def texts(verdict: Verdict) -> list[str]:
    """What was done."""
    assert isinstance(verdict, Ruled), verdict
    return [one.text for one in verdict.happened]


def test_what_is_the_same_in_every_answer_is_told_and_the_rest_is_asked_about_then() -> None:
    """A tile that was laid before a doubtful one lies there whichever that is."""
    follower = Follower.of(BEGUN).at(Scene((FIRST, *BONEYARD)))
    verdict = follower.see(SCENE)
    assert texts(verdict) == ["2: 5-6 by 5 at east"]
    assert isinstance(verdict, Ruled)
    assert verdict.more
    then = follower.after(BEGUN.move(*texts(verdict)), SCENE).see(SCENE)
    assert isinstance(then, Question)
    each = [texts(one.outcome) for one in then.choices]
    assert each == [["1: 1-6 by 6 at east"], ["1: 3-6 by 6 at east"]]


def test_where_it_is_asked_what_the_first_of_them_was_nothing_is_told() -> None:
    """Nor where another hand was seen than that of who is to move."""
    follower = Follower.of(BEGUN).at(Scene((FIRST, *BONEYARD)))
    alone = Scene((FIRST, replace(UNCLEAR, x=2.0, guesses=(
        Guess({"pips": [5, 1]}, 0.5), Guess({"pips": [5, 3]}, 0.45),
    )), *BONEYARD), visits=1)  # fmt: skip
    assert isinstance(follower.see(alone), Question)
    assert isinstance(follower.see(replace(SCENE, by=1)), Question)
    plain = Scene((FIRST, NEXT, replace(UNCLEAR, guesses=(UNCLEAR.guesses[0],)), *BONEYARD), visits=2)
    whole = follower.see(plain)
    assert isinstance(whole, Ruled)
    assert (len(whole.happened), whole.more) == (2, False)


def test_what_may_have_come_first_is_written_beside_both() -> None:
    """A drawing was told by itself, perhaps after the castle's cross: of that cross it is said as well."""
    drawing, castle = "1: draw d@r1c4 d@r2c4", "2: castle 3"
    history = History.begin("kingdomino-duel").fact("see oldest 1").fact("see roll d d D S")
    history = history.move("1: take 1").move("2: take 3+4")
    state = history.state
    after = DUEL.play(DUEL.play(state, DUEL.parse(drawing)), DUEL.parse(castle))
    assert isinstance(after, DuelState)
    dice = [replace(one, region=f"dice-{1 + k // 2}") for k, one in enumerate(lying("d d D S"))]
    scene = Scene((*dice, map_of(after, 1), map_of(after, 2)), visits=1)
    for beside, expected in (((castle,), [drawing]), ((), [])):
        told = history.move(drawing, beside)
        verdict = Follower.of(told).at(Scene(tuple(dice))).see(scene)
        assert isinstance(verdict, Ruled), verdict
        (one,) = verdict.happened
        assert one.text == castle
        assert [text for text in one.alike if text == drawing] == expected
