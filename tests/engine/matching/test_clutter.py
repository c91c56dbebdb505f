"""What seems to lie where nobody laid it: a shadow, the side of a tile. The game goes on beside it."""

from dataclasses import replace

import pytest

from engine import State, rulebook
from engine.history import History
from engine.matching import Choice, Follower, Nothing, OutOfStep, Question, Ruled, TakeBack, Verdict
from engine.scene import Guess, Hands, Hidden, Scene, Sighting
from simulation.script import write
from tests.engine.matching.doubtful_table import Table
from tests.engine.matching.test_lines import BONEYARD, _tile

HANDS = [{"tiles": [], "hidden": 11}, {"tiles": [], "hidden": 11}]
HISTORY = History.begin("draw-game", setup={"down": 1, "hands": [*HANDS]})
HISTORY = HISTORY.move("1: down 4-6").move("2: 6-6 by 6 at east")
LINE = (_tile([4, 6], 0.0, 0.0, 0.0), _tile([6, 6], 1.5, 0.0, 90.0))
AGREED = Follower.of(HISTORY).at(Scene((*LINE, *BONEYARD)))
NEXT, AFTER = _tile([6, 1], 3.0, 0.0, 0.0), _tile([6, 5], 1.5, -2.0, 270.0)
WEST = _tile([4, 1], -2.0, 0.0, 180.0)


def seeming(presence: float, share: float, x: float, y: float, *pips: list[int]) -> Sighting:
    """What may be a tile, and may show this."""
    guesses = tuple(Guess({"pips": [*one]}, share) for one in pips)
    return replace(_tile([0, 0], x, y, 270.0), presence=presence, guesses=guesses)


SHADOW = seeming(0.88, 0.03, 2.45, -0.06, [0, 0], [1, 0], [3, 0])
SIDE = seeming(0.97, 0.26, 2.95, 0.58, [6, 0], [6, 1])
PHANTOM = seeming(1.0, 0.99, 2.45, 0.0, [0, 0])
"""What is read as plainly as a piece, and is none."""


def table(*sightings: Sighting, visits: int | None, by: int | None = None) -> Scene:
    """The line, and what else is seen."""
    return Scene((*LINE, *sightings, *BONEYARD), by=by, visits=visits)


def texts(verdict: Verdict) -> list[str]:
    """What was done."""
    assert isinstance(verdict, Ruled), verdict
    return [one.text for one in verdict.happened]


@pytest.mark.parametrize("seems", [SHADOW, SIDE])
def test_what_seems_to_lie_where_nobody_was_is_none(seems: Sighting) -> None:
    """However it may be read: a tile does not come by itself."""
    assert isinstance(AGREED.see(table(seems, visits=0)), Nothing)


@pytest.mark.parametrize("seems", [SHADOW, SIDE])
def test_a_tile_is_laid_beside_what_only_seems_to_be_one(seems: Sighting) -> None:
    """One hand came, one tile was laid; as many came as tiles, or nobody counted them."""
    for visits in (1, None):
        verdict = AGREED.see(table(seems, NEXT, visits=visits, by=1))
        assert texts(verdict) == ["1: 1-6 by 6 at east"]
    both = AGREED.see(table(seems, NEXT, AFTER, visits=2))
    assert texts(both) == ["1: 1-6 by 6 at east", "2: 5-6 by 6 at south"]


def test_what_cannot_be_told_is_flagged_where_a_hand_came_for_it() -> None:
    """A second hand may have laid just that; and what is gone is no shadow."""
    assert not isinstance(AGREED.see(table(SIDE, NEXT, visits=2)), Nothing | Ruled)
    assert not isinstance(AGREED.see(table(SIDE, visits=1, by=1)), Nothing)
    gone = Scene((LINE[0], SIDE, *BONEYARD), visits=0)
    assert not isinstance(AGREED.see(gone), Nothing)


@pytest.mark.parametrize("rest", [(), (PHANTOM,), (SHADOW,)])
def test_a_question_about_what_nobody_laid_is_closed_by_the_next_move(rest: tuple[Sighting, ...]) -> None:
    """Whether what was asked about is gone, or seems to lie there still; nobody has answered."""
    seen = AGREED.see(table(PHANTOM, visits=0))
    assert isinstance(seen, Ruled)
    assert seen.refused
    asked = Question("What happened?", (Choice("nothing", Nothing()), Choice(seen.sentence, seen)))
    scene = replace(table(*rest, WEST, visits=1, by=1), lately=Hands(1, 1))
    asking = AGREED.asking(asked, table(PHANTOM, visits=0))
    assert texts(asking.see(scene)) == ["1: 1-4 by 4 at west"]


def test_what_is_read_so_plainly_is_no_shadow_unless_players_were_asked_about_it() -> None:
    """Table and record disagree, or it is asked what was done."""
    verdict = AGREED.see(table(PHANTOM, WEST, visits=1, by=1))
    assert isinstance(verdict, OutOfStep | Question)
    assert not isinstance(verdict, TakeBack)


BESIDE = AGREED.agreed(table(SIDE, visits=0))
"""The game, agreed on while the side of a tile seemed to be one."""


@pytest.mark.parametrize("visits", [1, 2, 3])
def test_what_lay_there_when_table_and_record_agreed_is_no_news(visits: int) -> None:
    """A hand that came for nothing has not laid it, and a move beside it is that move."""
    assert isinstance(BESIDE.see(table(SIDE, visits=visits, by=1)), Nothing)
    assert texts(BESIDE.see(table(SIDE, NEXT, visits=visits, by=1))) == ["1: 1-6 by 6 at east"]


@pytest.mark.parametrize(
    "now",
    [
        replace(SIDE, presence=0.995),
        replace(SIDE, x=4.0),
        replace(SIDE, guesses=(Guess({"pips": [0, 0]}, 0.9),)),
    ],
)
def test_what_shows_itself_otherwise_since_is_news(now: Sighting) -> None:
    """It is seen for sure now, or elsewhere, or shows something else: somebody may have laid that."""
    assert not isinstance(BESIDE.see(table(now, visits=1, by=1)), Nothing)


def test_what_lies_beside_is_known_after_an_entry_by_hand_and_gone_once_it_is_not_seen() -> None:
    """What is typed says nothing of it; a table that agrees without it does."""
    typed = HISTORY.move("1: 1-6 by 6 at east")
    assert isinstance(BESIDE.after(typed, None).see(table(SIDE, NEXT, visits=2, by=2)), Nothing)
    gone = BESIDE.agreed(table(visits=0))
    assert not isinstance(gone.see(table(SIDE, visits=1, by=1)), Nothing)


def test_a_move_to_where_something_lay_beside_the_game_is_seen() -> None:
    """What lay there may have been a tile all the same: what explains it comes first of what is asked."""
    faint = replace(NEXT, presence=0.97)
    known = AGREED.agreed(table(faint, visits=0))
    verdict = known.see(table(faint, AFTER, visits=2, by=2))
    assert isinstance(verdict, Question)
    assert verdict.choices[0].text == "1: 1-6 by 6 at east, then 2: 5-6 by 6 at south"


@pytest.mark.parametrize("presence", [0.93, 0.97, 0.985])
def test_a_tile_that_was_left_aside_is_told_once_its_hand_was_seen(presence: float) -> None:
    """Two were laid in one visit, and only one was believed: what is allowed explains the other as well."""
    both = table(NEXT, replace(AFTER, presence=presence), visits=1, by=1)
    assert texts(AGREED.see(both)) == ["1: 1-6 by 6 at east"]
    known = AGREED.after(HISTORY.move("1: 1-6 by 6 at east"), both).agreed(both)
    assert texts(known.see(replace(both, by=2))) == ["2: 5-6 by 6 at south"]
    asked = known.see(replace(both, sightings=(*both.sightings, WEST), visits=2, by=None))
    assert isinstance(asked, Question)
    assert sum("5-6 by 6 at south" in one.text for one in asked.choices) == 2


def test_what_lies_beside_stays_known_while_it_is_hidden() -> None:
    """An arm was over it when the next move was told: it has not come since."""
    arm = Hidden("board", ((2.0, -0.5), (4.0, -0.5), (4.0, 1.5), (2.0, 1.5)))
    covered = replace(table(WEST, visits=1, by=1), hidden=(arm,))
    known = BESIDE.after(HISTORY.move("1: 1-4 by 4 at west"), covered).agreed(covered)
    assert isinstance(known.see(table(WEST, SIDE, visits=1, by=2)), Nothing)


def test_what_lies_beside_counts_as_news_where_it_was_laid_since_or_people_call_the_table_right() -> None:
    """It is told apart picture by picture, or nobody knows who was there and how often."""
    faint = replace(NEXT, presence=0.97, ref="7")
    known = AGREED.agreed(table(faint, visits=0))
    for scene in (replace(table(faint, visits=1, by=1), fresh=("7",)), table(faint, visits=None)):
        assert texts(known.see(scene)) == ["1: 1-6 by 6 at east"]


def beside_the_boneyard(presence: float) -> Sighting:
    """A shadow along closed tiles, which looks like one more."""
    return Sighting("domino", "boneyard", 200.0, 40.0, 90.0, "edge", presence=presence)


def test_one_too_many_in_a_heap_is_none_where_it_may_be_none() -> None:
    """Where nobody was nothing has come; where a hand came for a tile, the tile was laid."""
    shadow = beside_the_boneyard(0.9)
    assert isinstance(AGREED.see(table(shadow, visits=0)), Nothing)
    assert texts(AGREED.see(table(shadow, NEXT, visits=1, by=1))) == ["1: 1-6 by 6 at east"]
    sure = beside_the_boneyard(1.0)
    for scene in (table(sure, visits=0), table(sure, NEXT, visits=1, by=1)):
        assert isinstance(AGREED.see(scene), OutOfStep)


def test_of_a_heap_that_has_one_too_many_what_came_last_is_none() -> None:
    """It is seen as surely as the tiles, and told before them; the tile that is drawn then is missed."""
    one, *rest = (replace(one, ref=str(number)) for number, one in enumerate(BONEYARD))
    ghost = replace(beside_the_boneyard(1.0), face="down", ref="ghost")
    told = Scene((ghost, *LINE, NEXT, one, *rest), by=1, visits=1, fresh=("ghost",))
    said = AGREED.after(HISTORY.move("1: 1-6 by 6 at east"), None, told)
    known = said.agreed(replace(told, visits=0))
    assert known.beside == (ghost,)
    assert isinstance(known.see(replace(told, visits=1, fresh=())), Nothing)
    drawn = known.see(Scene((ghost, *LINE, NEXT, *rest), by=2, visits=1))
    assert texts(drawn) == ["2: draw", "see drawn unseen"]
    assert known.agreed(Scene((*LINE, NEXT, one, *rest), visits=0)).beside == ()


@pytest.mark.parametrize("more", [beside_the_boneyard(1.0), seeming(1.0, 0.99, 9.0, 9.0, [0, 0])])
def test_what_people_leave_out_is_no_piece_however_sure_it_looks(more: Sighting) -> None:
    """They have told the move, and nobody came since: the table is so, and stays so until that changes."""
    told = table(more, NEXT, visits=1, by=1)
    assert isinstance(AGREED.see(told), OutOfStep)
    said = AGREED.after(HISTORY.move("1: 1-6 by 6 at east"), None, told)
    assert isinstance(said.see(told), OutOfStep), "somebody was there since"
    known = said.agreed(replace(told, visits=0))
    assert isinstance(said.see(replace(told, visits=0)), Nothing)
    assert texts(known.see(table(more, NEXT, WEST, visits=1, by=2))) == ["2: 1-4 by 4 at west"]
    elsewhere = replace(more, x=(more.x or 0.0) + 60)
    assert isinstance(known.see(table(more, NEXT, elsewhere, visits=1, by=2)), OutOfStep)


def test_what_people_say_lies_there_lies_there_until_it_was_seen_again() -> None:
    """A tile in the glare of a lamp: what is laid beside it is told; once it is seen, it may be lifted."""

    def dazzled(*more: Sighting, visits: int) -> Scene:
        return Scene((*more, LINE[1], NEXT, *BONEYARD), by=2 if visits else None, visits=visits)

    said = AGREED.after(HISTORY.move("1: 1-6 by 6 at east"), None, dazzled(visits=1))
    known = said.agreed(dazzled(visits=0))
    assert isinstance(known.see(dazzled(visits=0)), Nothing)
    assert texts(known.see(dazzled(AFTER, visits=1))) == ["2: 5-6 by 6 at south"]
    still = known.agreed(dazzled(visits=0))
    assert isinstance(still.see(dazzled(visits=0)), Nothing)
    arm = Hidden("board", ((-1.0, -0.5), (1.0, -0.5), (1.0, 0.5), (-1.0, 0.5)))
    covered = still.agreed(replace(dazzled(visits=0), hidden=(arm,)))
    assert isinstance(covered.see(dazzled(visits=0)), Nothing)
    seen = covered.agreed(dazzled(LINE[0], visits=0))
    assert not isinstance(seen.see(dazzled(visits=1)), Nothing)


@pytest.mark.parametrize("words", ["1: 1-4 by 4 at west", "1: 5-6 by 6 at south"])
def test_what_people_say_and_the_table_belies_is_not_so(words: str) -> None:
    """They told another move than that which lies there: what they told is missing, and was not before."""
    told = table(NEXT, beside_the_boneyard(1.0), visits=1, by=1)
    said = AGREED.after(HISTORY.move(words), None, told)
    assert not isinstance(said.see(replace(told, visits=0)), Nothing)


def test_what_people_left_out_and_is_allowed_is_told_beside_what_is_none() -> None:
    """They told the first of two moves; what is printed on the cloth hides the second no longer."""
    printed = seeming(1.0, 0.99, 9.0, 9.0, [0, 0])
    told = table(printed, NEXT, AFTER, visits=2)
    assert isinstance(AGREED.see(told), OutOfStep)
    said = AGREED.after(HISTORY.move("1: 1-6 by 6 at east"), None, told)
    assert texts(said.see(replace(told, visits=0))) == ["2: 5-6 by 6 at south"]


SUNS = "1: suns move 2@b6-3@c6"
MOONS_MOVED = History.begin("dominoids", seed=3).move("1: dice suns moons").move("1: moons move 4@d3-1@d4")


def moved_twice(*, unread: Sighting, visits: int) -> Verdict:
    """Dominoids: one dominoid was moved, now the other, and something that cannot be read lies beside."""
    table, history = Table(3), MOONS_MOVED
    known = Follower.of(history).at(table.scene(history.book.layout(history.state)))
    scene = table.scene(history.book.layout(history.move(SUNS).state), visits=visits)
    return known.see(replace(scene, sightings=(*scene.sightings, unread)))


GHOST = Sighting("domino", "board", 2.5, 1.5, 267.0, presence=0.92)


def test_moves_in_another_order_are_no_taking_back() -> None:
    """More hands came than moves were made: who takes a move back makes another, and not the same."""
    verdict = moved_twice(unread=GHOST, visits=2)
    assert isinstance(verdict, Question)
    assert [one.text for one in verdict.choices] == [f"{SUNS}, then 1: done"]
    assert texts(moved_twice(unread=GHOST, visits=1)) == [SUNS, "1: done"]


def test_no_stain_elsewhere_makes_a_taking_back_of_moves_in_another_order() -> None:
    """What lay beside the game is weighed apart, and so is the plain explanation of what has come since."""
    table, before = Table(3), MOONS_MOVED
    stain = replace(GHOST, x=7.5, y=7.5, angle=3.0)
    scene = table.scene(before.book.layout(before.state))
    known = Follower.of(before).at(scene).agreed(replace(scene, sightings=(*scene.sightings, stain)))
    assert known.beside == (stain,)
    scene = table.scene(before.book.layout(before.move(SUNS).state), visits=2)
    asked = known.see(replace(scene, sightings=(*scene.sightings, stain, GHOST)))
    assert isinstance(asked, Question)
    assert not any(isinstance(one.outcome, TakeBack) for one in asked.choices)
    assert f"{SUNS}, then 1: done" in [one.text for one in asked.choices]


FAR = _tile([0, 2], 9.0, 9.0, 30.0)


@pytest.mark.parametrize("instead", [FAR, replace(FAR, guesses=()), _tile([2, 5], 3.0, 0.0, 90.0)])
def test_a_move_that_was_told_is_none_once_its_tile_is_gone(instead: Sighting) -> None:
    """It waits to be confirmed, and what lies there now is another tile elsewhere, or across."""
    scene = table(NEXT, visits=1, by=1)
    told = AGREED.see(scene)
    waiting = AGREED.asking(Question("", (Choice("", told),)), scene)  # type: ignore[arg-type]
    assert waiting.open == (told,)
    now = replace(table(instead, visits=2, by=1), lately=Hands(1, 1))
    assert waiting.see(now) == AGREED.see(replace(now, lately=None))
    still = replace(table(replace(NEXT, x=3.4), WEST, visits=2), lately=Hands(2, 1))
    assert texts(waiting.see(still)) == ["1: 1-6 by 6 at east", "2: 1-4 by 4 at west"]


def test_a_move_is_asked_about_beside_what_another_hand_may_have_brought() -> None:
    """Nothing but a move explains the table, and what cannot be read may be none: people know which."""
    asked = AGREED.see(table(SIDE, NEXT, visits=2, by=1))
    assert isinstance(asked, Question)
    assert asked.choices[0].text == "1: 1-6 by 6 at east"
    sure = seeming(1.0, 0.99, 9.0, 9.0, [0, 0])
    assert isinstance(AGREED.see(table(sure, NEXT, visits=2, by=1)), OutOfStep)


def test_a_deal_that_people_tell_of_late_is_counted_as_it_lies() -> None:
    """The table showed it when they told what was before: two closed tiles more lay beside the game then."""
    book, script = rulebook("draw-game"), write("draw-game", seed=1, moves=90)
    texts = [one.text for one in script.events]
    hand = next(
        k for k, text in enumerate(texts) if text.startswith("see hand") and "see deal" in texts[k + 1]
    )
    before, _, after = (
        State.from_json(script.states[script.events[k].state]) for k in range(hand - 1, hand + 2)
    )
    lies = Table(1)
    history = History.begin("draw-game").put(before, "the table as it is")
    known = Follower.of(history).at(lies.scene(book.layout(before)))
    dealt = lies.scene(book.layout(after), visits=2)
    assert book.layout(after).hidden["boneyard"] > book.layout(before).hidden.get("boneyard", 0)
    history = history.fact(texts[hand])
    said = known.after(history, None, dealt)
    said = replace(said, told_all=True).agreed(replace(dealt, visits=0))
    assert said.beside
    told = said.after(history.fact(texts[hand + 1]), None, dealt)
    for visits in (0, 1):
        assert isinstance(told.see(replace(dealt, visits=visits)), Nothing)


def test_what_lay_beside_a_heap_does_so_once_a_draw_is_taken_back() -> None:
    """The boneyard has one more then: that is the tile which is put back, and not what was none before."""
    ghost = replace(beside_the_boneyard(0.995), face="down")
    with_ghost, drawn = (replace(table(ghost, visits=1), sightings=(*LINE, *rest, ghost))
                         for rest in (BONEYARD, BONEYARD[1:]))  # fmt: skip
    known = replace(AGREED, told_all=True).agreed(replace(with_ghost, visits=0))
    assert known.beside == (ghost,)
    history = HISTORY.move("1: draw").fact("see drawn unseen")
    after = known.after(history, drawn).agreed(replace(drawn, visits=0))
    undone = after.after(history.undo().undo(), None, replace(drawn, visits=0))
    assert not isinstance(undone.see(replace(drawn, visits=0)), Nothing)
    assert isinstance(undone.see(with_ghost), Nothing)


def few(*more: Sighting, seen: int, visits: int, by: int | None = None) -> Scene:
    """A table on which so many of the six tiles of the boneyard are seen: they look like the wood."""
    return Scene((*LINE, *more, *BONEYARD[:seen]), by=by, visits=visits)


def test_a_boneyard_of_which_little_is_seen_is_as_people_say_from_then_on() -> None:
    """They have told a move, and what lacks lies there: moves are seen, and a tile that is taken is drawn."""
    told = few(NEXT, seen=3, visits=1, by=1)
    assert texts(AGREED.see(told))[:2] == ["1: draw", "see drawn unseen"], "so it looks before they have"
    said = AGREED.after(HISTORY.move("1: 1-6 by 6 at east"), None, told)
    rest = said.see(replace(told, visits=0))
    assert isinstance(rest, Nothing)
    assert "6 pieces in the boneyard" in rest.remark
    known = said.agreed(replace(told, visits=0))
    assert known.unseen == (("boneyard", "boneyard"),) * 3
    for seen in (3, 4, 6):
        again = known.see(few(NEXT, seen=seen, visits=1))
        assert isinstance(again, Nothing)
        assert again.remark.endswith("has to be told.")
        assert texts(known.see(few(NEXT, WEST, seen=seen, visits=1, by=2))) == ["2: 1-4 by 4 at west"]
    assert texts(known.see(few(NEXT, seen=2, visits=1, by=2))) == ["2: draw", "see drawn unseen"]
    drawn = known.after(HISTORY.move("1: 1-6 by 6 at east").move("2: draw").fact("see drawn unseen"), None)
    assert isinstance(drawn.see(few(NEXT, seen=2, visits=0)), Nothing)
    still = known.agreed(few(NEXT, seen=4, visits=0))
    assert isinstance(still.see(few(NEXT, seen=3, visits=0)), Nothing), "one is seen now and then"
    assert known.agreed(few(NEXT, seen=6, visits=0)).unseen == ()


def test_a_boneyard_of_which_nobody_has_said_anything_lacks_what_it_lacks() -> None:
    """Nobody came, and a tile is gone: that is asked about, or said."""
    assert not isinstance(AGREED.see(few(seen=5, visits=0)), Nothing)
    assert AGREED.agreed(few(seen=5, visits=0)).unseen == ()


def test_a_boneyard_that_was_full_lacks_what_was_drawn_whatever_people_type() -> None:
    """They have told the first of two things that were done: the second is told by the table, as ever."""
    full = AGREED.agreed(few(seen=6, visits=0))
    assert full.full == {"boneyard"}
    drawn = few(NEXT, seen=5, visits=2)
    said = full.after(HISTORY.move("1: 1-6 by 6 at east"), None, drawn)
    assert texts(said.see(replace(drawn, visits=0))) == ["2: draw", "see drawn unseen"]
    hidden = replace(few(NEXT, seen=5, visits=0), hidden=(Hidden("boneyard"),))
    assert said.agreed(hidden).full == {"boneyard"}


def test_what_people_have_said_of_a_boneyard_is_forgotten_with_the_word_and_with_the_deal() -> None:
    """It is kept while the boneyard is hidden, and gone once the move is taken back or the table is put."""
    told = few(NEXT, seen=3, visits=1, by=1)
    history = HISTORY.move("1: 1-6 by 6 at east")
    known = AGREED.after(history, None, told).agreed(replace(told, visits=0))
    three = (("boneyard", "boneyard"),) * 3
    assert known.agreed(replace(told, visits=0, hidden=(Hidden("boneyard"),))).unseen == three
    assert known.after(history.undo(), None).unseen == ()
    assert known.after(history.put(history.state, "the table as it is"), None).unseen == ()
    assert known.after(history.move("2: 1-4 by 4 at west"), None).unseen == three


def test_an_answer_that_corrects_the_record_is_followed_on() -> None:
    """What was laid is another tile by it, and lies where it lay."""
    history = HISTORY.move("1: 1-6 by 6 at east", ("1: 0-6 by 6 at east",))
    laid = replace(NEXT, guesses=(Guess({"pips": [6, 1]}, 0.6), Guess({"pips": [6, 0]}, 0.39)))
    known = Follower.of(history).at(table(laid, visits=0))
    scene = table(laid, _tile([0, 3], 5.0, 0.0, 0.0), visits=1, by=2)
    asked = known.see(scene)
    assert isinstance(asked, Question)
    later = known.asking(asked, scene)
    on = replace(table(laid, _tile([0, 3], 5.0, 0.0, 0.0), WEST, visits=2, by=1), lately=Hands(1, 1))
    verdict = later.see(on)
    assert texts(verdict) == ["2: 0-3 by 0 at east", "1: 1-4 by 4 at west"]
    assert isinstance(verdict, Ruled)
    assert [one.text for one in verdict.revised] == ["1: 0-6 by 6 at east"]
