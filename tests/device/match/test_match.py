"""What a match does with what is seen and pressed: each rule of the table, under a fake clock."""

import json
from dataclasses import replace
from random import Random

import pytest

from device.cli.demo import _next
from device.match.acts import taken_up
from device.match.match import Keep, Manners, Match
from device.match.phase import Phase
from device.match.signals import Kind, SetUp, Told, saw
from device.match.signs import SAVING, SIGNS, lamps
from device.match.table import TABLE, offered, step
from device.match.view import view
from engine.history import History
from engine.matching import Nothing, TakeBack, Verdict
from tests.device.match.bench import (
    DIFFERENT,
    FACTS,
    ILLEGAL,
    LEGAL,
    SHOWN,
    UNFINISHED,
    UNREADABLE,
    Bench,
    asked,
    game,
    ruled,
)

BUTTON = Manners(confirm="button")


def playing(manners: Manners | None = None) -> Bench:
    """A match in which player 1 has taken and player 2 is to take."""
    return Bench(*FACTS, LEGAL[0], manners=manners)


def refusing() -> Bench:
    """A match in which a refused move counts as such."""
    bench = playing()
    return bench.see(ruled(bench.game, ILLEGAL)).wait(1.0)


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


# — illegal —


def test_a_refused_move_is_shown_at_once_and_counts_after_the_calm() -> None:
    """The refusal is red from the first; it is written when it has lain still, and only once."""
    bench = playing()
    bench.see(ruled(bench.game, ILLEGAL))
    assert bench.phase is Phase.ILLEGAL
    assert "Player 2 is B" in bench.match.words
    assert ILLEGAL not in bench.texts()
    bench.wait(1.0)
    assert bench.texts()[-1] == ILLEGAL
    bench.see(ruled(bench.game, ILLEGAL)).wait(1.0)
    assert bench.phase is Phase.ILLEGAL
    assert bench.texts().count(ILLEGAL) == 1


def test_a_refused_move_put_back_leaves_the_way_free() -> None:
    """When the table is as before, the game goes on; the try stays in the record, and another is another."""
    bench = refusing().tell(Kind.PUT_BACK)
    assert bench.match.words == "Put it back as it was."
    assert bench.see(Nothing()).phase is Phase.WATCHING
    bench.see(ruled(bench.game, ILLEGAL)).wait(1.0)
    assert bench.texts().count(ILLEGAL) == 2
    assert bench.see(ruled(bench.game, LEGAL[1])).wait(1.0).phase is Phase.WATCHING


@pytest.mark.parametrize("how", ["dashboard", "both confirm", "played on"])
def test_players_may_let_a_refused_move_stand(how: str) -> None:
    """On the dashboard, by both confirming, or by playing on from it."""
    bench = refusing()
    entry = len(bench.game.entries)
    assert bench.match.stood is not None
    if how == "dashboard":
        bench.tell(Kind.LET_STAND)
    elif how == "both confirm":
        assert not bench.tell(Kind.CONFIRM, number=1).tell(Kind.CONFIRM, number=1).game.steps[-1].stands
        bench.tell(Kind.CONFIRM, number=2)
    else:
        stood = bench.match.stood
        move = stood.book.format(stood.book.legal_moves(stood.state)[0])
        bench.see(ruled(stood, move), stood=True).wait(1.0)
        assert bench.texts()[-1] == move
    step_of = bench.game.step_of(entry)
    assert step_of is not None
    assert step_of.stands
    assert not bench.match.refused


@pytest.mark.parametrize("manners", [BUTTON, None])
def test_two_presses_let_a_refused_move_stand_however_moves_are_confirmed(manners: Manners | None) -> None:
    """Both players press once, whether the refusal counts by itself or by the first of these presses."""
    bench = playing(manners)
    bench.see(ruled(bench.game, ILLEGAL)).tell(Kind.CONFIRM, number=1)
    assert not bench.game.steps[-1].stands
    bench.tell(Kind.CONFIRM, number=2)
    assert bench.game.steps[-1].stands
    assert not bench.match.refused


def test_a_misread_refusal_is_corrected_by_choosing_what_it_was() -> None:
    """The refused move becomes what the players say; the record keeps both."""
    bench = refusing().tell(Kind.MISREAD)
    assert bench.phase is Phase.ASKING
    words = [option.words for option in bench.match.options]
    assert words[-1] == "nothing happened"
    assert LEGAL[1] in words
    bench.tell(Kind.CHOOSE, number=words.index(LEGAL[1]))
    assert bench.texts()[-1] == LEGAL[1]
    assert ILLEGAL not in bench.texts()
    assert bench.game.entries[-1].correct == bench.game.entries[-2].n
    assert bench.phase is Phase.SETTLING
    assert bench.notes()[-2:] == ["asked", "answered"]


def test_a_refusal_challenged_before_it_counts_was_never_in_the_record() -> None:
    """Who says at once that it was misread is asked, and nothing was written about a refused move."""
    bench = playing()
    bench.see(ruled(bench.game, ILLEGAL)).tell(Kind.UNDO)
    assert bench.phase is Phase.ASKING
    assert ILLEGAL not in str(bench.written[:-1])
    bench.tell(Kind.UNDO)
    assert bench.phase is Phase.OUT_OF_STEP
    assert "None of these" in bench.match.words


# — questions —


def test_a_question_is_asked_once_and_answered_by_a_choice() -> None:
    """The chosen move counts at once; the journal holds the question and the answer."""
    bench = playing()
    moves = [bench.game.book.format(move) for move in bench.game.book.legal_moves(bench.game.state)[:2]]
    bench.see(asked(bench.game, *moves)).see(asked(bench.game, *moves))
    assert bench.phase is Phase.ASKING
    assert view(bench.match)["choices"] == [*moves, "nothing"]
    bench.tell(Kind.CHOOSE, number=7)
    assert bench.match.notice == "There is no choice 8."
    bench.tell(Kind.CHOOSE, number=1)
    assert bench.texts()[-1] == moves[1]
    assert bench.notes() == ["asked", "answered"]


def test_a_question_answered_with_nothing_is_not_asked_again_by_the_same_table() -> None:
    """As long as nobody touches it, the same question is settled."""
    bench = playing()
    bench.see(asked(bench.game, LEGAL[1])).tell(Kind.CHOOSE, number=1)
    assert bench.phase is Phase.WATCHING
    assert (
        bench.tell(Kind.FREE).give(saw(asked(bench.game, LEGAL[1]), bench.match.version)).phase
        is Phase.WATCHING
    )
    bench.tell(Kind.TYPED, LEGAL[1])
    other = bench.game.book.format(bench.game.book.legal_moves(bench.game.state)[0])
    assert bench.see(asked(bench.game, other)).phase is Phase.ASKING


@pytest.mark.parametrize(
    "between", ["a hand", "another view", "another verdict", "a black picture", "a pause"]
)
def test_an_answer_does_not_silence_the_real_move_that_comes_after_it(between: str) -> None:
    """Nothing had happened; then somebody moves so that the same question is asked, and it is asked."""
    bench = playing()
    bench.see(asked(bench.game, LEGAL[1])).tell(Kind.CHOOSE, number=1)
    if between == "a hand":
        bench.tell(Kind.HAND).tell(Kind.FREE)
    elif between == "another verdict":
        bench.give(saw(DIFFERENT, bench.match.version))
    elif between == "a black picture":
        bench.tell(Kind.BLIND, "The picture is black.").tell(Kind.FREE)
    else:
        bench.tell(Kind.PAUSE).tell(Kind.PAUSE)
    view = int(between == "another view")
    again = saw(asked(bench.game, LEGAL[1]), bench.match.version, view=view)
    assert bench.give(again).phase is Phase.ASKING


def test_an_answer_keeps_the_pictures_of_its_question() -> None:
    """What was decided by people can be looked at like any other move, also after a refusal was misread."""
    bench = playing()
    bench.see(asked(bench.game, LEGAL[1]), pictures=(SHOWN,)).tell(Kind.CHOOSE, number=0)
    assert bench.written[-1].pictures == (SHOWN,)
    bench = playing()
    bench.see(ruled(bench.game, ILLEGAL), pictures=(SHOWN,)).tell(Kind.MISREAD).tell(Kind.CHOOSE, number=0)
    assert bench.written[-1].kind == "entry"
    assert bench.written[-1].pictures == (SHOWN,)


def test_an_answer_to_another_question_than_the_one_on_the_screen_changes_nothing() -> None:
    """The question changes while a finger is on its way: that is told, and no move is made."""
    bench = playing()
    bench.see(asked(bench.game, LEGAL[1]))
    key = str(view(bench.match)["key"])
    bench.see(asked(bench.game, "2: take 1+2"))
    before = bench.game
    bench.give(Told(Kind.CHOOSE, number=0, key=key))
    assert bench.game == before
    assert bench.phase is Phase.ASKING
    assert "no longer what is asked" in bench.match.notice
    bench.give(Told(Kind.CHOOSE, number=0, key=str(view(bench.match)["key"])))
    assert bench.texts()[-1] == "2: take 1+2"


def test_a_confirmation_of_another_move_than_the_one_on_the_screen_changes_nothing() -> None:
    """Confirmed is what was shown and nothing in its place; a button at the table shows nothing."""
    bench = playing(BUTTON)
    bench.see(ruled(bench.game, LEGAL[1]))
    key = bench.match.key
    bench.see(ruled(bench.game, "2: take 1+2")).give(Told(Kind.CONFIRM, number=2, key=key))
    assert bench.phase is Phase.RULED
    assert "no longer what is asked" in bench.match.notice
    assert bench.tell(Kind.CONFIRM, number=2).texts()[-1] == "2: take 1+2"


def test_the_name_of_a_refusal_stays_the_same_when_it_comes_to_count() -> None:
    """Who presses just when the calm is over has pressed for what was shown."""
    bench = playing()
    key = bench.see(ruled(bench.game, ILLEGAL)).match.key
    assert bench.wait(1.0).match.key == key


# — take-backs and undo —


def test_a_table_as_before_takes_the_last_moves_back() -> None:
    """The steps that the table no longer shows are taken back, each an entry of its own."""
    bench = Bench(*FACTS, *LEGAL[:2])
    bench.see(TakeBack(2, bench.game.steps[1].state, "Two moves were taken back.")).wait(1.0)
    assert bench.texts() == list(FACTS)
    assert [entry.correct for entry in bench.game.entries[-2:]] == [4, 3]


def test_undo_takes_back_the_last_move_and_waits_for_the_table() -> None:
    """A move undone by button still lies there; it is not taken for a new one until it was put back."""
    bench = Bench(*FACTS, *LEGAL[:2])
    bench.tell(Kind.UNDO)
    assert LEGAL[1] not in bench.texts()
    bench.see(ruled(bench.game, LEGAL[1])).wait(5)
    assert bench.phase is Phase.OUT_OF_STEP
    assert LEGAL[1] in bench.match.words
    assert bench.see(Nothing()).phase is Phase.WATCHING
    assert bench.see(ruled(bench.game, LEGAL[1])).wait(1.0).phase is Phase.WATCHING
    assert bench.texts()[-1] == LEGAL[1]


def test_undo_walks_back_to_the_beginning() -> None:
    """Undo after undo takes the moves back, then the facts they began with; with nothing left, it says so."""
    bench = Bench(*FACTS, *LEGAL[:2])
    for left in (3, 2, 1, 0):
        assert len(bench.tell(Kind.UNDO).texts()) == left
    assert "nothing to undo" in bench.tell(Kind.UNDO).match.notice
    assert Kind.UNDO not in offered(Bench().match)


def test_an_undo_is_still_known_after_a_restart() -> None:
    """The withdrawn move that still lies on the table is not taken for a new one by the next process."""
    bench = Bench(*FACTS, *LEGAL[:2])
    bench.tell(Kind.UNDO)
    bench.match = taken_up(Match(blank=game()), bench.game)
    assert bench.phase is Phase.SETTLING
    assert bench.see(ruled(bench.game, LEGAL[1])).phase is Phase.OUT_OF_STEP


def test_a_challenged_move_is_not_proposed_again() -> None:
    """Challenged before it counts, it waits for the table or for words."""
    bench = playing()
    bench.see(ruled(bench.game, LEGAL[1])).tell(Kind.UNDO)
    assert bench.phase is Phase.OUT_OF_STEP
    assert bench.see(ruled(bench.game, LEGAL[1])).wait(5).phase is Phase.OUT_OF_STEP
    assert bench.notes() == ["challenged"]
    bench.tell(Kind.TYPED, "2: take 1+2")
    assert bench.texts()[-1] == "2: take 1+2"


def test_a_challenged_take_back_is_not_proposed_again() -> None:
    """The same holds for a take-back that nobody made."""
    bench = Bench(*FACTS, *LEGAL[:2])
    back = TakeBack(1, bench.game.steps[2].state, "A move was taken back.")
    bench.see(back).tell(Kind.UNDO).see(back).wait(5)
    assert bench.phase is Phase.OUT_OF_STEP
    assert bench.texts()[-1] == LEGAL[1]


# — told by hand —


def test_a_typed_move_counts_at_once_and_the_table_may_follow() -> None:
    """Until the table shows it, a table as before is no take-back."""
    bench = playing()
    bench.tell(Kind.TYPED, LEGAL[1])
    assert bench.texts()[-1] == LEGAL[1]
    bench.see(TakeBack(1, bench.game.steps[-2].state, "As before.")).wait(5)
    assert bench.phase is Phase.OUT_OF_STEP
    assert bench.texts()[-1] == LEGAL[1]
    assert bench.see(Nothing()).phase is Phase.WATCHING


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        (Kind.CONFIRM, "nothing to confirm"), (Kind.CHOOSE, "Nothing is asked"), (Kind.MISREAD, "no refusal"),
        (Kind.PUT_BACK, "no refused move"), (Kind.LET_STAND, "no refused move"), (Kind.AS_IT_IS, "disagree"),
    ],
)  # fmt: skip
def test_a_press_of_which_nothing_can_come_is_answered(kind: Kind, words: str) -> None:
    """Whoever presses a button that does nothing now is told so, and nothing changes."""
    bench = playing()
    before = bench.match
    assert words in bench.tell(kind).match.notice
    assert replace(bench.match, notice="") == before


def test_what_cannot_be_understood_is_answered_and_changes_nothing() -> None:
    """A typed line that is no move leaves the match as it is, with a sentence."""
    bench = playing()
    before = bench.match
    bench.tell(Kind.TYPED, "hello")
    assert "is no move" in bench.match.notice
    assert bench.game == before.game
    assert bench.phase is before.phase


def test_any_entry_can_be_corrected_at_any_time() -> None:
    """A correction of an earlier entry is worked through, in whatever phase the match is."""
    for kind in (Kind.TIME, Kind.PAUSE, Kind.LOST, Kind.HAND):
        bench = Bench(*FACTS, *LEGAL[:2])
        bench.tell(kind).tell(Kind.TYPED, "correct 3: 1: take 3")
        assert bench.game.entries[-1].correct == 3
        assert bench.texts()[2] == "1: take 3"


def test_a_game_can_begin_by_hand() -> None:
    """With no camera at all, the first typed line begins the game."""
    bench = Bench()
    bench.tell(Kind.LOST, "There is no camera.").tell(Kind.TYPED, FACTS[0])
    assert bench.phase is Phase.CAMERA_LOST
    assert bench.texts() == [FACTS[0]]
    assert [draft.kind for draft in bench.written] == ["begin", "entry"]


# — camera —


def test_the_game_goes_on_by_hand_while_the_camera_is_away_and_is_watched_again_after() -> None:
    """Typed moves count; a refused one can be let stand; a picture brings the watching back."""
    bench = playing()
    bench.tell(Kind.LOST, "The camera does not answer.")
    assert bench.phase is Phase.CAMERA_LOST
    assert bench.match.words == "The camera does not answer."
    bench.tell(Kind.TYPED, ILLEGAL)
    assert bench.phase is Phase.CAMERA_LOST
    assert Kind.LET_STAND in offered(bench.match)
    bench.tell(Kind.TYPED, LEGAL[1])
    assert Kind.LET_STAND not in offered(bench.match)
    assert bench.tell(Kind.FREE).phase is Phase.SETTLING
    assert bench.give(saw(Nothing(), bench.match.version)).phase is Phase.WATCHING


def test_a_picture_that_shows_nothing_is_a_lost_camera_after_a_while_only() -> None:
    """Black for a moment is nothing; black for longer is said; a good picture ends either."""
    bench = playing()
    bench.tell(Kind.BLIND, "The picture is black.").wait(2.9)
    assert bench.phase is Phase.WATCHING
    bench.tell(Kind.HAND).tell(Kind.FREE).wait(10)
    assert bench.phase is Phase.SETTLING
    bench.tell(Kind.BLIND, "The picture is black.").wait(1).tell(Kind.BLIND, "again").wait(2)
    assert bench.phase is Phase.CAMERA_LOST
    assert bench.match.words == "The picture is black."
    assert bench.tell(Kind.HAND).phase is Phase.HANDS


def test_a_camera_lost_during_a_pause_is_told_afterwards() -> None:
    """A pause stays a pause; when it ends, the players learn that there is no picture."""
    bench = playing().tell(Kind.PAUSE).tell(Kind.LOST, "unplugged")
    assert bench.phase is Phase.PAUSED
    assert bench.tell(Kind.PAUSE).phase is Phase.CAMERA_LOST


def test_a_pause_after_a_lost_camera_lets_the_machine_rest() -> None:
    """Whatever was due when the pause began is not due over and over while it lasts."""
    bench = playing()
    bench.tell(Kind.BLIND, "The picture is black.").wait(3.1).tell(Kind.PAUSE)
    assert bench.phase is Phase.PAUSED
    assert bench.match.due is None


@pytest.mark.parametrize("phase", Phase)
def test_nothing_is_due_where_time_does_nothing(phase: Phase) -> None:
    """A match that is due wakes whoever runs it, so it must be one that time changes."""
    blind = Match(phase=phase, blind=(1.0, "black"))
    assert (blind.due is not None) == (Kind.TIME in TABLE[phase])


def test_a_pause_forgets_what_did_not_count_and_looks_anew() -> None:
    """In a pause nothing counts; after it the table is read again."""
    bench = playing()
    bench.see(ruled(bench.game, LEGAL[1])).tell(Kind.PAUSE).wait(60)
    bench.give(saw(ruled(bench.game, LEGAL[1]), bench.match.version))
    assert bench.phase is Phase.PAUSED
    version = bench.match.version
    assert bench.tell(Kind.PAUSE).phase is Phase.SETTLING
    assert bench.match.version > version
    assert LEGAL[1] not in bench.texts()


# — out of step, unreadable, unfinished, set-up —


def test_out_of_step_says_where_and_ends_when_table_and_record_agree() -> None:
    """Nothing is acted on meanwhile; the places are told."""
    bench = playing()
    bench.see(DIFFERENT)
    assert bench.phase is Phase.OUT_OF_STEP
    assert bench.match.places == ("c7 lacks its pawn.",)
    assert bench.see(Nothing()).phase is Phase.WATCHING


def test_the_table_can_be_taken_as_it_is() -> None:
    """On request the game goes on from the table; the journal begins another game in the same match."""
    bench = playing()
    bench.see(DIFFERENT).tell(Kind.AS_IT_IS)
    assert bench.as_it_is == 1
    bench.give(SetUp(game(*FACTS)))
    assert bench.phase is Phase.WATCHING
    kinds = [draft.kind for draft in bench.written]
    assert kinds == ["begin", *["entry"] * 3, "note", "begin", *["entry"] * 2]


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
    bench.tell(Kind.AS_IT_IS)
    bench.tell(Kind.LACKING, "The table cannot be taken as it is.\nBoth hands must be told.")
    assert bench.match.notice == "The table cannot be taken as it is. Both hands must be told."
    assert (bench.phase, bench.match.words, bench.match.places) == (phase, before.words, before.places)


def test_a_table_is_taken_as_it_is_though_a_hand_came_in_between() -> None:
    """Ordered where a move was refused, the taking of the table outlasts a hand."""
    bench = playing(BUTTON)
    bench.see(ruled(bench.game, ILLEGAL)).tell(Kind.AS_IT_IS).tell(Kind.HAND).tell(Kind.FREE)
    assert bench.phase is Phase.SETTLING
    bench.give(SetUp(game(*FACTS)))
    assert bench.phase is Phase.WATCHING
    assert bench.texts() == list(FACTS)


def test_a_table_that_cannot_be_taken_after_a_hand_is_out_of_step_with_the_reasons() -> None:
    """The match does not wait for ever for a table that was looked at."""
    bench = playing(BUTTON)
    bench.see(ruled(bench.game, ILLEGAL)).tell(Kind.AS_IT_IS).tell(Kind.HAND).tell(Kind.FREE)
    bench.tell(Kind.LACKING, "The table cannot be taken as it is.\nBoth hands must be told.")
    assert bench.phase is Phase.OUT_OF_STEP
    assert bench.match.places == ("Both hands must be told.",)


def test_a_set_up_that_nobody_ordered_any_more_takes_no_game_away() -> None:
    """Who typed meanwhile what happened keeps it, and the table is read anew."""
    bench = playing()
    bench.see(DIFFERENT).tell(Kind.AS_IT_IS).tell(Kind.TYPED, LEGAL[1])
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
