"""What both must agree to: a refused move that stands, and a table that counts as it lies."""

import json
from random import Random

import pytest

from device.cli.demo import _next
from device.match.acts import taken_up
from device.match.lamp_signs import AGREEING, lamps
from device.match.match import Match
from device.match.match_view import view
from device.match.phase import Phase
from device.match.signals import Kind, SetUp, Told, saw
from device.match.transitions import offered
from engine.history import History
from engine.matching import Nothing, OutOfStep
from engine.matching.outcome import Difference
from tests.device.match.match_bench import (
    BUTTON,
    DIFFERENT,
    FACTS,
    ILLEGAL,
    LEGAL,
    UNREADABLE,
    Bench,
    game,
    playing,
    refusing,
    ruled,
)

WISHES = (Kind.LET_STAND, Kind.AS_IT_IS)


def stands(bench: Bench) -> bool:
    """Whether the refused move stands."""
    return bench.game.steps[-1].stands


def done(bench: Bench, wish: Kind) -> bool:
    """Whether what both agreed to was done."""
    return stands(bench) if wish is Kind.LET_STAND else bench.as_it_is == 1


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize("first", [1, 2])
def test_it_needs_both_and_one_of_them_twice_is_not_both(wish: Kind, first: int) -> None:
    """The first word changes nothing, however often it is said; the other's makes it so."""
    bench = refusing()
    before = bench.game
    bench.tell(wish, number=first).tell(wish, number=first).tell(wish)
    assert (bench.game, done(bench, wish)) == (before, False)
    told = json.loads(json.dumps(view(bench.match)))
    assert (told["wish"], told["agreed"], told["seated"]) == (str(wish), [first], ["Ann", "Bo"])
    bench.tell(wish, number=3 - first)
    assert done(bench, wish)
    assert (bench.match.wish, bench.match.agreed) == (None, frozenset())


@pytest.mark.parametrize("wish", WISHES)
@pytest.mark.parametrize("way", ["own word", "all of it", "undo"])
def test_who_has_agreed_may_take_it_back(wish: Kind, way: str) -> None:
    """Then the other one's word alone is not enough any more; nothing was done, nothing else taken back."""
    bench = refusing().tell(wish, number=1)
    before = bench.game
    assert Kind.WITHDRAW in offered(bench.match)
    bench.tell(Kind.UNDO) if way == "undo" else bench.tell(Kind.WITHDRAW, number=int(way == "own word"))
    assert (bench.match.wish, bench.game) == (None, before)
    assert bench.phase is Phase.ILLEGAL
    assert Kind.WITHDRAW not in offered(bench.match)
    bench.tell(wish, number=2)
    assert not done(bench, wish)
    assert done(bench.tell(wish, number=1), wish)


@pytest.mark.parametrize("wish", WISHES)
def test_a_word_in_nobody_s_name_only_asks(wish: Kind) -> None:
    """The fifth button and a typed word ask both; each then confirms with their own button."""
    bench = refusing().tell(wish)
    assert (bench.match.wish, bench.match.agreed) == (wish, frozenset())
    assert bench.match.notice == "Both must agree: each presses their own button."
    bench.tell(Kind.CONFIRM)  # by the house, say: nobody knows whose word that is
    assert not done(bench, wish)
    bench.tell(Kind.CONFIRM, number=2).tell(Kind.CONFIRM, number=1)
    assert done(bench, wish)


@pytest.mark.parametrize(("wish", "word"), [(Kind.LET_STAND, "stand"), (Kind.AS_IT_IS, "as it is")])
def test_both_may_type_it(wish: Kind, word: str) -> None:
    """Each with their number; without one it only asks, as a line of the record would stand by one hand."""
    bench = refusing().tell(Kind.TYPED, word)
    assert (bench.match.wish, done(bench, wish)) == (wish, False)
    bench.tell(Kind.TYPED, f"1: {word}")
    assert not done(bench, wish)
    bench.tell(Kind.TYPED, f" 2:{word} because we say so")
    assert done(bench, wish)


def test_two_buttons_take_a_table_as_it_is_where_a_move_waits_to_be_confirmed() -> None:
    """The word for the table goes before; a screen that shows the move still means the move."""
    bench = playing(BUTTON)
    bench.see(ruled(bench.game, LEGAL[1])).tell(Kind.AS_IT_IS, number=1).tell(Kind.CONFIRM, number=2)
    assert (bench.as_it_is, bench.match.adopting) == (1, True)
    bench = playing(BUTTON)
    bench.see(ruled(bench.game, LEGAL[1])).tell(Kind.AS_IT_IS, number=1)
    bench.give(Told(Kind.CONFIRM, number=2, key=bench.match.key))
    assert (bench.as_it_is, bench.texts()[-1], bench.match.wish) == (0, LEGAL[1], None)


def test_a_game_begins_from_the_table_as_it_lies_only_if_both_say_so() -> None:
    """Before there is a game, too; their names are known by then."""
    bench = Bench().tell(Kind.LACKING, "Almost.").tell(Kind.AS_IT_IS, number=2)
    assert (bench.as_it_is, view(bench.match)["seated"]) == (0, ["Ann", "Bo"])
    assert bench.tell(Kind.AS_IT_IS, number=1).as_it_is == 1
    assert bench.give(SetUp(game(*FACTS))).phase is Phase.WATCHING


def test_what_one_agreed_to_is_over_once_the_table_is_another_one() -> None:
    """Put back, moved on, misread, paused: the other's word alone does nothing afterwards."""
    bench = refusing().tell(Kind.LET_STAND, number=1).see(Nothing())
    assert (bench.match.wish, bench.phase) == (None, Phase.WATCHING)
    bench = refusing().tell(Kind.AS_IT_IS, number=1)
    assert bench.see(ruled(bench.game, LEGAL[1])).match.wish is None
    bench = playing().see(DIFFERENT).tell(Kind.AS_IT_IS, number=1).see(Nothing())
    assert (bench.match.wish, bench.match.notice) == (None, "The table is as the record says.")
    for kind in (Kind.PUT_BACK, Kind.MISREAD, Kind.PAUSE):
        assert refusing().tell(Kind.LET_STAND, number=1).tell(kind).match.wish is None
    # A hand that comes on its way to a button changes nothing.
    bench = playing().see(DIFFERENT).tell(Kind.AS_IT_IS, number=1).see(DIFFERENT).tell(Kind.CONFIRM, number=2)
    assert bench.as_it_is == 1


def test_nobody_agrees_to_a_table_that_was_changed_meanwhile() -> None:
    """The other one moves pieces, the camera goes, the disk is full: the word for the table before is off."""
    other = OutOfStep((Difference("d4 lacks its coin.", "board", "d4"),))
    bench = playing().see(DIFFERENT).tell(Kind.AS_IT_IS, number=1).see(other)
    assert (bench.match.wish, bench.match.agreed) == (None, frozenset())
    assert bench.match.notice == "The table looks different now: to take it as it is, both press once more."
    bench.see(other)
    assert bench.match.notice.startswith("The table looks different now")
    assert bench.see(DIFFERENT).match.notice == ""
    assert bench.tell(Kind.AS_IT_IS, number=2).as_it_is == 0
    assert playing().see(DIFFERENT).tell(Kind.AS_IT_IS, number=1).see(UNREADABLE).match.wish is None
    assert refusing().tell(Kind.LET_STAND, number=1).see(other).match.wish is None
    for kind in (Kind.LOST, Kind.NOT_KEPT):
        bench = playing().see(DIFFERENT).tell(Kind.AS_IT_IS, number=1).tell(kind, "gone")
        assert (bench.match.wish, bench.as_it_is) == (None, 0)


def test_without_a_picture_a_refused_move_stands_by_both_too() -> None:
    """Their buttons do it as well, where nothing but they is left."""
    bench = playing().tell(Kind.LOST, "away").tell(Kind.TYPED, ILLEGAL)
    assert bench.phase is Phase.CAMERA_LOST
    assert not stands(bench.tell(Kind.CONFIRM, number=2))
    assert stands(bench.tell(Kind.CONFIRM, number=1))


def test_a_wish_that_waits_is_told_by_lamps_and_there_is_no_third_player() -> None:
    """Whoever looks up sees that something is asked; a number that is nobody's does nothing."""
    bench = playing().see(DIFFERENT).tell(Kind.AS_IT_IS)
    assert lamps(bench.match) == AGREEING
    bench.tell(Kind.AS_IT_IS, number=3)
    assert (bench.match.notice, bench.match.agreed) == ("There is no player 3.", frozenset())
    assert Kind.WITHDRAW not in offered(Match())
    quiet = playing().tell(Kind.WITHDRAW)
    assert quiet.match.notice == "Nobody has agreed to anything that could be taken back."


def test_both_take_the_table_as_it_is_in_a_pause_and_the_game_goes_on() -> None:
    """Their two words end the pause, too: nobody has to press once more for that."""
    bench = playing().tell(Kind.PAUSE)
    assert bench.tell(Kind.AS_IT_IS, number=1).phase is Phase.PAUSED
    assert bench.tell(Kind.AS_IT_IS, number=2).phase is Phase.SETTLING
    assert (bench.as_it_is, bench.match.adopting, bench.notes()[-1]) == (1, True, "resumed")
    put = bench.game.put(bench.game.state, "the table as it is")
    assert bench.give(SetUp(put)).game == put
    assert bench.phase is Phase.WATCHING


def test_a_game_that_is_over_goes_on_from_a_table_that_both_take_as_it_is() -> None:
    """What ended it may have been typed and never made; where the table agrees, it is over as before."""
    rng, over = Random(1), History.begin("kingdomino-duel", seed=1)
    while over.outcome is None:
        over = _next(over, rng)
    bench = Bench(*FACTS)
    bench.match = taken_up(bench.match, over)
    bench.both(Kind.AS_IT_IS)
    assert (bench.phase, bench.as_it_is) == (Phase.SETTLING, 1)
    assert bench.give(saw(Nothing(), bench.match.version)).phase is Phase.FINISHED
    amid = over.put(game(*FACTS).state, "the table as it is")
    assert bench.both(Kind.AS_IT_IS).give(SetUp(amid)).phase is Phase.WATCHING


def test_no_table_is_taken_where_nobody_sees_one_or_nothing_can_be_written() -> None:
    """Not while the camera is away, nor with a full disk: what both said would be lost."""
    bench = playing().tell(Kind.PAUSE).tell(Kind.LOST, "away")
    assert Kind.AS_IT_IS not in offered(bench.match)
    full = playing().both(Kind.AS_IT_IS).tell(Kind.NOT_KEPT, "The disk is full.")
    assert (full.phase, full.match.adopting) == (Phase.PAUSED, False)
    assert Kind.AS_IT_IS not in offered(full.match)
