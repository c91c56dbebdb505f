"""How a move comes to count, and that green means on the disk."""

from random import Random
from typing import Literal

import pytest

from device.cli.demo import _next
from device.match.acts import taken_up
from device.match.lamp_signs import SAVING, lamps
from device.match.match import Keep, Manners
from device.match.match_view import view
from device.match.phase import Phase
from device.match.signals import Kind, Saw, Told, saw
from device.match.transitions import step
from engine.history import History
from engine.matching import Nothing, TakeBack
from tests.device.match.match_bench import BUTTON, FACTS, ILLEGAL, LEGAL, Bench, asked, playing, ruled

# — how a move comes to count —


def test_a_move_counts_when_it_has_lain_still_for_the_calm_and_not_before() -> None:
    """Seen, it waits; undisturbed for the calm it is written, and then the next may move."""
    bench = playing()
    bench.see(ruled(bench.game, LEGAL[1]))
    assert bench.phase is Phase.RULED
    assert bench.wait(0.9).phase is Phase.RULED
    assert LEGAL[1] not in bench.texts()
    assert bench.wait(0.1).phase is Phase.WATCHING
    assert bench.texts()[-1] == LEGAL[1]
    assert bench.phases[-4:] == [Phase.HANDS, Phase.SETTLING, Phase.RULED, Phase.WATCHING]


def test_without_a_calm_a_move_counts_at_once() -> None:
    """A recorded table is judged with no calm: the ruling falls when the table is read."""
    bench = Bench(*FACTS, calm_s=0)
    assert bench.see(ruled(bench.game, LEGAL[0])).phase is Phase.WATCHING
    assert bench.texts()[-1] == LEGAL[0]


def test_a_hand_that_comes_back_takes_a_move_that_does_not_count_yet_with_it() -> None:
    """Who lays a piece and takes it back within the calm has not moved."""
    bench = playing()
    bench.see(ruled(bench.game, LEGAL[1])).wait(0.5).tell(Kind.HAND)
    assert bench.wait(5.0).phase is Phase.HANDS
    bench.tell(Kind.FREE).give(saw(Nothing(), bench.match.version))
    assert bench.phase is Phase.WATCHING
    assert LEGAL[1] not in bench.texts()


def test_the_same_move_read_again_does_not_wait_anew() -> None:
    """Reading the same table twice starts no new calm."""
    bench = playing()
    bench.see(ruled(bench.game, LEGAL[1])).wait(0.6)
    bench.give(saw(ruled(bench.game, LEGAL[1]), bench.match.version)).wait(0.4)
    assert bench.texts()[-1] == LEGAL[1]


def test_where_moves_are_confirmed_no_calm_is_long_enough() -> None:
    """By button, a move counts when somebody confirms it, and the journal says who."""
    bench = playing(BUTTON)
    bench.see(ruled(bench.game, LEGAL[1]))
    assert bench.wait(1000).phase is Phase.RULED
    assert bench.tell(Kind.CONFIRM, number=2).texts()[-1] == LEGAL[1]
    assert bench.written[-2].body == {"what": "confirmed", "by": 2}


def test_several_moves_at_once_count_together() -> None:
    """What happened between two readable views is written in one go."""
    bench = Bench(*FACTS, calm_s=0)
    bench.see(ruled(bench.game, *LEGAL[:2]))
    assert bench.texts()[-2:] == list(LEGAL[:2])


def test_a_verdict_on_an_older_game_says_nothing() -> None:
    """What was read before somebody changed the record is not acted on."""
    bench = playing()
    old = saw(ruled(bench.game, LEGAL[1]), bench.match.version)
    bench.tell(Kind.TYPED, LEGAL[1])
    bench.give(old).wait(10)
    assert bench.texts().count(LEGAL[1]) == 1


def test_a_game_that_is_over_is_finished_and_undo_revives_it() -> None:
    """The last move ends the match; taking it back goes on with it."""
    bench = Bench(*FACTS)
    rng, over = Random(1), History.begin("kingdomino-duel", seed=1)
    while over.outcome is None:
        over = _next(over, rng)
    bench.match = taken_up(bench.match, over)
    assert bench.phase is Phase.FINISHED
    assert view(bench.match)["headline"] == "The game is over"
    names = "'player 1,player 2'"
    assert bench.match.places[0].endswith(f"pipwatch run --game kingdomino-duel --players {names}")
    bench.tell(Kind.UNDO)
    assert bench.phase is Phase.SETTLING
    assert bench.game.outcome is None


# — green means on the disk —


def test_no_green_lamp_before_the_journal_says_so() -> None:
    """While the journal writes the lamp is amber; when it has acknowledged, green."""
    bench = playing()
    bench.holds = True
    bench.see(ruled(bench.game, LEGAL[1])).wait(1.0)
    assert bench.phase is Phase.WATCHING
    assert lamps(bench.match) == SAVING
    assert "#" in lamps(bench.release().match).green


def test_a_journal_that_cannot_be_written_stops_the_match_until_it_can() -> None:
    """Nothing goes on without the disk; once there is room, all that was unsaved is written in order."""
    bench = playing()
    bench.holds = True
    bench.see(ruled(bench.game, LEGAL[1])).wait(1.0)
    bench.held = []
    bench.tell(Kind.NOT_KEPT, "The disk is full.")
    assert bench.phase is Phase.PAUSED
    assert view(bench.match)["headline"] == "The disk is full."
    bench.match, orders = step(bench.match, Told(Kind.PAUSE), bench.now)
    assert orders == (Keep(bench.match.unsaved, again=True),)
    assert [draft.kind for draft in bench.match.unsaved] == ["entry"]
    assert bench.phase is Phase.SETTLING


@pytest.mark.parametrize("confirm", ["auto", "button"])
def test_what_was_left_behind_counts_at_once_where_no_button_is_waited_for(
    confirm: Literal["auto", "button"],
) -> None:
    """Who plays on has taken the other's move for done, however long a move must lie still otherwise."""
    bench = Bench(*FACTS, manners=Manners(confirm=confirm, calm_s=5.0))
    bench.tell(Kind.HAND).give(left_behind(bench)).tell(Kind.HAND)
    assert bench.phase is Phase.HANDS
    assert (LEGAL[0] in bench.texts()) is (confirm == "auto")
    # What waits for its button is not told before the hand has left, and seen again then.
    assert Phase.RULED not in bench.phases or confirm == "auto"
    assert bench.tell(Kind.FREE).phase is Phase.SETTLING


@pytest.mark.parametrize("confirm", ["auto", "button"])
def test_what_was_left_behind_counts_while_a_question_is_open_or_leaves_it_open(
    confirm: Literal["auto", "button"],
) -> None:
    """It never takes the question from the screen for nothing."""
    bench = Bench(*FACTS, manners=Manners(confirm=confirm, calm_s=5.0))
    bench.see(asked(bench.game, LEGAL[0], "1: take 1"))
    bench.tell(Kind.HAND).give(left_behind(bench)).tell(Kind.HAND)
    assert (LEGAL[0] in bench.texts()) is (confirm == "auto")
    assert bench.phase is (Phase.HANDS if confirm == "auto" else Phase.ASKING)


def left_behind(bench: Bench) -> Saw:
    """A move of somebody who has gone, while another's hand is over the table."""
    return saw(ruled(bench.game, LEGAL[0]), bench.match.version, hands=True)


@pytest.mark.parametrize("confirm", ["auto", "button"])
def test_a_refused_move_that_was_left_behind_is_written_at_once_and_lies_there(
    confirm: Literal["auto", "button"],
) -> None:
    """Who plays on beside it has taken it for done; with a button it is told once the table is free."""
    bench = Bench(*FACTS, LEGAL[0], manners=Manners(confirm=confirm, calm_s=5.0))
    bench.tell(Kind.HAND)
    bench.give(saw(ruled(bench.game, ILLEGAL), bench.match.version, hands=True)).tell(Kind.HAND)
    assert (ILLEGAL in bench.texts()) is (confirm == "auto")
    assert bench.phase is (Phase.ILLEGAL if confirm == "auto" else Phase.HANDS)
    assert (bench.match.stood is not None) is (confirm == "auto")


@pytest.mark.parametrize("confirm", ["auto", "button"])
def test_a_taking_back_that_was_left_behind_counts_at_once(confirm: Literal["auto", "button"]) -> None:
    """The same holds for what was taken back."""
    bench = Bench(*FACTS, LEGAL[0], manners=Manners(confirm=confirm, calm_s=5.0))
    back = TakeBack(1, bench.game.first, "The last move was taken back.")
    bench.tell(Kind.HAND).give(saw(back, bench.match.version, hands=True)).tell(Kind.HAND)
    assert (LEGAL[0] not in bench.texts()) is (confirm == "auto")
    assert bench.phase is Phase.HANDS
