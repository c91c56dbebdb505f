"""What a verdict has to do with the record: which moves it came of, and what it goes on from."""

from dataclasses import replace

from device.live.messages import Position
from device.live.starting import Agreed
from device.live.told_already import begins, came_of, goes_on_from, leaves_a_rest
from engine.matching import Choice, Happened, Nothing, Question, Revision, Ruled, TakeBack
from engine.record import Happening
from tests.device.match.match_bench import FACTS, ILLEGAL, LEGAL, game, ruled


def test_what_lies_there_still_is_known_by_the_game_it_made() -> None:
    """A refused move lies there until it is put back, whether it was ruled or chosen by people, or stands."""
    base, nothing = game(*FACTS, LEGAL[0]), Choice("nothing", Nothing())
    refused, told = base.move(ILLEGAL), ruled(base, ILLEGAL)
    for verdict in (told, Question("", (nothing, Choice("", told)))):
        assert leaves_a_rest(verdict, base, refused)
        assert not leaves_a_rest(verdict, base, refused.stand())
        assert not leaves_a_rest(verdict, base, base)
    assert not leaves_a_rest(ruled(base, LEGAL[1]), base, base.move(LEGAL[1]))
    assert not leaves_a_rest(Question("", (nothing,)), base, base)


def test_of_two_ways_to_a_table_the_one_counts_for_which_less_was_done() -> None:
    """A refused tile that reads as another one now was not laid anew; nobody is accused needlessly."""
    base = game(*FACTS)
    one, two, refused = (ruled(base, *lines) for lines in (LEGAL[:1], LEGAL[:2], (LEGAL[0], ILLEGAL)))
    asked = Question("", ())
    assert goes_on_from(one, two)
    assert goes_on_from(one, refused)
    assert goes_on_from(two, refused)
    assert goes_on_from(asked, refused)
    for stood, verdict in ((two, one), (refused, one), (refused, two), (asked, one), (asked, asked)):
        assert not goes_on_from(stood, verdict)
    assert not goes_on_from(Nothing(), refused)


def test_what_is_noted_since_a_refused_move_explains_a_table_that_the_record_does_not() -> None:
    """Nothing new, or some of it taken back; where the record alone explains the table it was put back."""
    base = game(*FACTS)
    refused, back = ruled(base, LEGAL[0], ILLEGAL), TakeBack(1, base.state, "As before.")
    for stood in (Nothing(), back):
        assert goes_on_from(stood, refused, noted=1)
        assert not goes_on_from(stood, refused)
        assert not goes_on_from(stood, ruled(base, LEGAL[0]), noted=1)
    assert not goes_on_from(replace(back, steps=2), refused, noted=1)  # what was refused is no part of it
    two = game(*FACTS, LEGAL[0]).move(ILLEGAL)
    assert Position(two, two.stand()).noted == 0
    assert Position(two, two.stand().move(LEGAL[1])).noted == 1
    assert Position(two).noted == 0


def test_a_game_taken_up_in_its_middle_does_not_begin() -> None:
    """It has no steps either, and yet a fact that nobody had a hand in is asked about."""
    fact = Ruled((Happened("fact", FACTS[0], None),), 9.0)
    middle = Agreed("kingdomino-duel").from_state(game(*FACTS).state)
    assert begins(fact, game())
    assert not middle.steps
    assert not begins(fact, middle)


def test_a_correction_alone_came_of_what_was_seen_where_the_record_has_it_now() -> None:
    """The eye keeps what it understood of that table, and forgets it where people told something else."""
    old, other = game(*FACTS, LEGAL[0]), "see roll D1 d D D2"
    seen = Ruled((), 9.0, revised=(Revision(2, other),))
    new = old.correct(2, Happening("fact", other))
    assert came_of(seen, old, new)
    assert not came_of(seen, old, old.correct(2, Happening("fact", "see roll D1 d D D1")))
    assert not came_of(seen, old, new.move("2: take 1+3"))


def test_a_move_beside_which_more_is_to_be_seen_leaves_a_rest() -> None:
    """Whose hands were there still counts for what was done since."""
    base = game(*FACTS)
    told = replace(ruled(base, LEGAL[0]), more=True)
    new = base.move(LEGAL[0])
    assert leaves_a_rest(told, base, new)
    assert not came_of(told, base, new)
    assert not leaves_a_rest(told, base, base)
    assert came_of(replace(told, more=False), base, new)
