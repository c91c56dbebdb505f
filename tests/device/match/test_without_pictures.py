"""A camera that is away or sees nothing, and pauses."""

import pytest

from device.match.match import Match
from device.match.phase import Phase
from device.match.signals import Kind, saw
from device.match.transitions import TABLE, offered
from engine.matching import Nothing
from tests.device.match.match_bench import ILLEGAL, LEGAL, playing, ruled


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
