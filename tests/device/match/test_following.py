"""A table that disagrees, cannot be read, or is not whole yet; and what screens are given."""

import json

import pytest

from device.match.acts.steps import TAKEN
from device.match.lamp_signs import SIGNS, lamps
from device.match.match import Match
from device.match.match_view import view
from device.match.phase import Phase
from device.match.signals import Kind, SetUp, saw
from engine.matching import Nothing, TakeBack, Verdict
from tests.device.match.match_bench import (
    BUTTON,
    DIFFERENT,
    FACTS,
    ILLEGAL,
    LEGAL,
    UNFINISHED,
    UNREADABLE,
    Bench,
    asked,
    game,
    playing,
    refusing,
    ruled,
)


def test_out_of_step_says_where_and_ends_when_table_and_record_agree() -> None:
    """Nothing is acted on meanwhile; the places are told."""
    bench = playing()
    bench.see(DIFFERENT)
    assert bench.phase is Phase.OUT_OF_STEP
    assert bench.match.places == ("c7 lacks its pawn.",)
    assert bench.see(Nothing()).phase is Phase.WATCHING


def test_the_table_can_be_taken_as_it_is() -> None:
    """On request the game goes on from the table: an entry says so, and all that was before stays."""
    bench = playing()
    bench.see(DIFFERENT).both(Kind.AS_IT_IS)
    assert bench.as_it_is == 1
    before = bench.texts()
    bench.give(
        SetUp(bench.game.put(bench.game.first, TAKEN, "Nobody knows more."), words="Nobody knows more.")
    )
    assert bench.phase is Phase.WATCHING
    kinds = [draft.kind for draft in bench.written]
    assert kinds == ["begin", *["entry"] * 3, "note", "entry"]
    assert bench.texts() == [*before, TAKEN]
    assert bench.match.answered == "Nobody knows more."
    log = view(bench.match)["log"]
    assert (log[-1]["verdict"], log[-1]["why"]) == ("set", "Nobody knows more.")  # type: ignore[index]
    assert bench.tell(Kind.UNDO).texts() == before


def test_a_table_that_is_as_the_record_says_needs_not_be_taken() -> None:
    """Who asks for it is told so, and nothing is written but that both agree."""
    bench = playing().both(Kind.AS_IT_IS).give(saw(Nothing(), playing().match.version))
    assert bench.match.notice == "The table is as the record says."
    assert not bench.match.adopting
    assert bench.phase is Phase.WATCHING


@pytest.mark.parametrize("denied", [False, True])
def test_a_move_that_explains_a_table_taken_as_it_is_counts_at_once(*, denied: bool) -> None:
    """Unless people have said that it was not made: then the table counts, and no move is written."""
    bench = playing(BUTTON)
    move = ruled(bench.game, LEGAL[1])
    if denied:
        bench.see(move).tell(Kind.UNDO)
    bench.both(Kind.AS_IT_IS).give(saw(move, bench.match.version))
    assert bench.texts()[-1] == (TAKEN if denied else LEGAL[1])
    assert (bench.phase, bench.match.adopting) == (Phase.WATCHING, False)


def test_a_take_back_that_explains_a_table_taken_as_it_is_counts_at_once() -> None:
    """Also of a move that was only typed: the table lies as it should."""
    bench = playing().tell(Kind.TYPED, LEGAL[1])
    back = TakeBack(1, bench.game.steps[-2].state, "As before.")
    bench.both(Kind.AS_IT_IS).give(saw(back, bench.match.version))
    assert LEGAL[1] not in bench.texts()
    assert bench.phase is Phase.WATCHING


@pytest.mark.parametrize("phase", [Phase.OUT_OF_STEP, Phase.ASKING, Phase.ILLEGAL])
def test_why_the_table_cannot_be_taken_as_it_is_is_told(phase: Phase) -> None:
    """The reasons are a notice, and what was asked, refused or out of step stays as it was."""
    bench = playing()
    shown: dict[Phase, Verdict] = {
        Phase.OUT_OF_STEP: DIFFERENT, Phase.ASKING: asked(bench.game, LEGAL[1]),
        Phase.ILLEGAL: ruled(bench.game, ILLEGAL),
    }  # fmt: skip
    bench.see(shown[phase])
    before = bench.match
    bench.both(Kind.AS_IT_IS)
    bench.tell(Kind.LACKING, "The table cannot be taken as it is.\nBoth hands must be told.")
    assert bench.match.notice == "The table cannot be taken as it is. Both hands must be told."
    assert (bench.phase, bench.match.words, bench.match.places) == (phase, before.words, before.places)


def test_a_table_is_taken_as_it_is_though_a_hand_came_in_between() -> None:
    """Ordered where a move was refused, the taking of the table outlasts a hand."""
    bench = playing(BUTTON)
    bench.see(ruled(bench.game, ILLEGAL)).both(Kind.AS_IT_IS).tell(Kind.HAND).tell(Kind.FREE)
    assert bench.phase is Phase.SETTLING
    bench.give(SetUp(bench.game.put(bench.game.first, TAKEN)))
    assert bench.phase is Phase.WATCHING
    assert bench.texts()[-1] == TAKEN


def test_a_table_is_taken_as_it_is_again_if_something_came_to_count_meanwhile() -> None:
    """What was made of it does not know of that: nothing of the record is lost."""
    bench = playing()
    taken = bench.game.put(bench.game.first, TAKEN)
    bench.see(ruled(bench.game, ILLEGAL)).both(Kind.AS_IT_IS).wait(1.0).give(SetUp(taken))
    assert ILLEGAL in bench.texts()
    assert bench.as_it_is == 2


def test_a_table_that_cannot_be_taken_after_a_hand_is_out_of_step_with_the_reasons() -> None:
    """The match does not wait for ever for a table that was looked at."""
    bench = playing(BUTTON)
    bench.see(ruled(bench.game, ILLEGAL)).both(Kind.AS_IT_IS).tell(Kind.HAND).tell(Kind.FREE)
    bench.tell(Kind.LACKING, "The table cannot be taken as it is.\nBoth hands must be told.")
    assert bench.phase is Phase.OUT_OF_STEP
    assert bench.match.places == ("Both hands must be told.",)


def test_a_set_up_that_nobody_ordered_any_more_takes_no_game_away() -> None:
    """Who typed meanwhile what happened keeps it, and the table is read anew."""
    bench = playing()
    bench.see(DIFFERENT).both(Kind.AS_IT_IS).tell(Kind.TYPED, LEGAL[1])
    version = bench.match.version
    bench.give(SetUp(game(*FACTS)))
    assert bench.texts()[-1] == LEGAL[1]
    assert bench.match.version > version


def test_what_cannot_be_seen_is_said_in_other_words_than_what_is_not_allowed() -> None:
    """The camera's failure is no player's fault."""
    bench = playing()
    assert bench.see(UNREADABLE).match.words.startswith("I cannot see it well enough")
    assert view(bench.match)["headline"] != view(refusing().match)["headline"]


def test_an_unfinished_move_is_waited_for() -> None:
    """Half a move is no move."""
    bench = playing()
    assert bench.see(UNFINISHED).phase is Phase.UNFINISHED
    assert bench.match.words == "A die was lifted."
    assert bench.wait(60).phase is Phase.UNFINISHED
    assert bench.see(ruled(bench.game, LEGAL[1])).wait(1.0).texts()[-1] == LEGAL[1]
    assert refusing().see(UNFINISHED).phase is Phase.ILLEGAL


def test_what_players_should_know_is_said_while_nothing_is_the_matter() -> None:
    """The match waits as ever, and the next table that needs no remark has none."""
    bench = playing()
    assert bench.see(Nothing((), "Type the roll.")).phase is Phase.WATCHING
    assert bench.match.words == "Type the roll."
    assert bench.see(Nothing()).match.words == ""


def test_half_a_move_is_never_shown_as_one_that_is_recorded() -> None:
    """After half a move no green lamp burns, and another tune is heard than after a whole one."""
    whole, half = Bench(*FACTS, calm_s=0), Bench(*FACTS, calm_s=0)
    whole.see(ruled(whole.game, LEGAL[0]))
    half.see(UNFINISHED)
    assert "#" in lamps(whole.match).green
    assert "#" not in lamps(half.match).green
    assert SIGNS[half.phase].tune.beats != SIGNS[whole.phase].tune.beats
    assert half.see(Nothing()).phase is Phase.WATCHING


def test_a_set_up_is_guided_until_it_is_whole() -> None:
    """What lacks is told; then the game begins and is written."""
    bench = Bench().tell(Kind.LACKING, "Almost.\nc7 still lacks its pawn.")
    assert (bench.match.words, bench.match.places) == ("Almost.", ("c7 still lacks its pawn.",))
    assert bench.give(SetUp(game())).phase is Phase.WATCHING
    assert bench.written[0].body["game"] == "kingdomino-duel"


def test_a_view_is_plain_data_with_all_a_screen_needs() -> None:
    """Board, scores, log, verdict and what may be pressed are in it, and it is JSON."""
    bench = refusing()
    told = json.loads(json.dumps(view(bench.match)))
    assert told["phase"] == "illegal"
    assert told["players"] == ["Ann", "Bo"]
    assert told["log"][-1]["ruling"]["rule"] == "KDD-2"
    assert told["log"][-1]["counts"] is True
    assert {"let stand", "misread", "put back"} <= set(told["offers"])
    assert told["layout"]["spots"]
    assert told["lamps"]["red"] == "########"
    assert json.loads(json.dumps(view(Match())))["phase"] == "setting up"
