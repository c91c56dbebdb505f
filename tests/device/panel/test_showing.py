"""What lamps and sounds tell above those of the match, and for how long."""

import itertools

import pytest

from device.match.lamp_signs import SAVING, SIGNS, Lamps, LampSign, Tune
from device.panel.show import Show
from device.panel.showing import Showing
from device.panel.wish import DONE, FAILED, GRANTED, HOLDING, SIGN_S, Wish
from device.service.host import LOBBY, LOBBY_BLIND

MATCH = Lamps(green="########")
QUIET = Showing(Show(MATCH, None, 0.0))


def turns(rhythm: Lamps) -> set[tuple[str, str, str]]:
    """A rhythm from whichever of its eight parts one begins to look."""
    three = (rhythm.green, rhythm.amber, rhythm.red)
    return {tuple(one[k:] + one[:k] for one in three) for k in range(8)}  # type: ignore[misc]


def test_no_two_signs_look_or_sound_the_same() -> None:
    """Each is told by lamp alone, from whenever one begins to look, and by sound alone."""
    signs: list[LampSign] = [*SIGNS.values(), HOLDING, FAILED, *GRANTED.values()]
    for one, other in itertools.combinations([*(sign.lamps for sign in signs), LOBBY, LOBBY_BLIND], 2):
        assert not turns(one) & turns(other), (one, other)
    beats = [sign.tune.beats for sign in signs] + [DONE.beats]
    assert len(set(beats)) == len(beats)
    assert SAVING in [sign.lamps for sign in signs]  # settling: wait a moment


def test_a_hold_is_shown_for_as_long_as_it_lasts() -> None:
    """Then the match is back as it is by now."""
    held = QUIET.at(1.0, held=True)
    assert (held.now.lamps, held.now.tune) == (HOLDING.lamps, HOLDING.tune)
    assert held.at(2.0, held=True) is held
    told = held.beneath(Show(Lamps(red="########"), None, 2.0))
    assert told.now.lamps == HOLDING.lamps
    assert told.at(2.1, held=False).now.lamps == Lamps(red="########")


@pytest.mark.parametrize("wish", [Wish.PAIR, Wish.BACKUP])
def test_what_is_granted_at_once_is_shown_a_moment_all_the_same(wish: Wish) -> None:
    """Whoever looks up sees it; then the match is back by itself, which was told in advance."""
    asked = QUIET.at(1.0, held=True).asked(wish, 3.0).granted(wish, "", 3.01)
    assert asked.at(3.1, held=False).now.lamps == GRANTED[wish].lamps
    at = 3.01
    while asked.at(at, held=False).above is not None:
        later = asked.next(at)
        assert later is not None
        assert later > at
        at = later
    assert at == pytest.approx(3.0 + SIGN_S)
    assert asked.at(at, held=False).now == QUIET.now


def test_what_takes_long_is_shown_until_it_is_done_and_that_is_heard() -> None:
    """A stick may be taken out when the lamps of the match are back."""
    asked = QUIET.asked(Wish.BACKUP, 3.0)
    assert asked.at(60.0, held=False).now.lamps == GRANTED[Wish.BACKUP].lamps
    done = asked.granted(Wish.BACKUP, "", 60.0)
    assert (done.now.lamps, done.now.tune) == (MATCH, DONE)


def test_what_has_failed_says_so_and_the_match_comes_back() -> None:
    """By lamp and by sound."""
    failed = QUIET.asked(Wish.BACKUP, 3.0).granted(Wish.BACKUP, "no stick", 3.1)
    assert (failed.now.lamps, failed.now.tune) == (FAILED.lamps, FAILED.tune)
    assert failed.at(3.1 + SIGN_S, held=False).now == QUIET.now


def test_a_box_that_goes_off_says_so_to_the_end() -> None:
    """Whatever the match still shows meanwhile."""
    off = QUIET.asked(Wish.SHUTDOWN, 3.0).granted(Wish.SHUTDOWN, "", 3.1).beneath(Show(MATCH, None, 4.0))
    assert off.at(60.0, held=False).now.lamps == GRANTED[Wish.SHUTDOWN].lamps


def test_a_tune_under_way_is_heard_to_its_end_unless_another_begins() -> None:
    """The lamps change at once."""
    playing = Showing(Show(MATCH, Tune("-", 440), 1.0)).beneath(Show(Lamps(), None, 1.1))
    assert playing.now == Show(Lamps(), Tune("-", 440), 1.0)
    assert playing.beneath(Show(Lamps(), Tune(".", 550), 1.2)).now == Show(Lamps(), Tune(".", 550), 1.2)
