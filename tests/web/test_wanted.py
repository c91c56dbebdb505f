"""What people want is found on the page, wherever the page has it: the newcomer presses by this."""

from dataclasses import replace
from pathlib import Path

import pytest

from device.match.acts import taken_up
from device.match.match import Match
from device.match.phase import Phase
from device.match.signals import Kind, Told
from simulation.temper import Press
from tests.device.match.match_bench import refusing
from tests.web.browser import Browser
from tests.web.desks import HeedingDesk
from tests.web.gallery import random_game
from tests.web.wanted_taps import heard, pressed


def lying(phase: Phase) -> Match:
    """A game whose table lies before the camera."""
    return replace(taken_up(Match(), random_game("draw-game", 14)), phase=phase)


def wished(match: Match, kind: str, folder: Path, browser: Browser) -> tuple[Match, list[int]]:
    """What becomes of the match when each of both has pressed that on its page, and the taps it took them."""
    with HeedingDesk(folder, match) as shown:
        browser.open(shown.address)
        browser.until(lambda: browser.text("#scores"))
        taps = []
        for player in (1, 2):
            press = Press(kind, number=player)
            asked = {"kind": kind, "number": player, "phase": str(match.phase)}
            taps.append(browser.until(lambda asked=asked: pressed(browser, asked)))
            browser.until(lambda press=press: any(heard(press, one) for one in shown.said))
        return shown.match, taps


@pytest.mark.parametrize(
    ("phase", "taps"), [(Phase.OUT_OF_STEP, [1, 1]), (Phase.SETTING_UP, [1, 1]), (Phase.WATCHING, [2, 1])]
)
def test_a_table_is_adopted_by_who_finds_it_where_the_page_has_it(
    tmp_path: Path, browser: Browser, phase: Phase, taps: list[int]
) -> None:
    """Out of step it stands below the verdict at once, a tap each; elsewhere a button leads to it."""
    match, took = wished(lying(phase), "as it is", tmp_path, browser)
    assert match.adopting
    assert took == taps


def test_who_insists_lets_a_refused_move_stand(tmp_path: Path, browser: Browser) -> None:
    """At the table both press their own button; on the page that is what both agree to."""
    match, took = wished(refusing().match, "confirm", tmp_path, browser)
    assert match.game is not None
    assert match.game.steps[-1].stands
    assert took == [1, 1]


def test_what_is_not_offered_is_not_pressed(tmp_path: Path, browser: Browser) -> None:
    """Nothing waits to be confirmed, nothing is asked, nothing was refused."""
    with HeedingDesk(tmp_path, lying(Phase.WATCHING)) as shown:
        browser.open(shown.address)
        browser.until(lambda: browser.text("#scores"))
        for kind in ("confirm", "choose", "misread", "put back"):
            assert pressed(browser, {"kind": kind, "number": 0, "phase": "watching"}) == 0
        assert shown.said == []


def test_only_what_was_wanted_counts_as_heard() -> None:
    """The way to what both agree to, and the other's word, are none; a button of nobody's is either's."""
    both = Press("as it is", number=2)
    assert not heard(both, Told(Kind.AS_IT_IS))
    assert not heard(both, Told(Kind.AS_IT_IS, number=1))
    assert heard(both, Told(Kind.AS_IT_IS, number=2))
    assert heard(Press("confirm", number=1), Told(Kind.LET_STAND, number=1))
    assert heard(Press("confirm"), Told(Kind.CONFIRM, number=2))
    assert not heard(Press("undo"), Told(Kind.PAUSE))
