"""What both must agree to, on one screen that serves both and on two: two taps, one in each name."""

from dataclasses import replace
from pathlib import Path

import pytest

from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from device.match.phase import Phase
from device.match.signals import Kind, Told, saw
from device.match.transitions import step
from tests.device.match.match_bench import FACTS, ILLEGAL, LEGAL, game, refusing, ruled
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import random_game, refused
from tests.web.hand_table import HandTable


def tap(browser: Browser, player: int) -> None:
    """Agree in a player's name."""
    browser.click(f"#consent .p{player}")


def test_a_refused_move_stands_by_two_taps_of_which_one_can_be_taken_back(
    tmp_path: Path, browser: Browser
) -> None:
    """One phone for two, a match by hand: Ann agrees and thinks better of it; then both do, and it stands."""
    with HandTable(tmp_path, game(*FACTS, LEGAL[0])) as table:
        browser.viewport(390, 844, mobile=True)
        browser.open(table.address)
        browser.until(lambda: browser.text("#scores"))
        browser.type("#line", f"{ILLEGAL}\n")
        browser.until(lambda: "Both must agree" in browser.text("#consent"))
        assert "Let it stand" not in browser.text("#buttons")
        tap(browser, 1)
        browser.until(lambda: "Ann lets it stand. Bo has not agreed yet." in browser.text("#consent"))
        assert "✓" in browser.text("#consent .p1")
        tap(browser, 1)
        browser.click("#consent [type=button]:not([class])")
        browser.until(lambda: "Both must agree" in browser.text("#consent"))
        tap(browser, 2)
        browser.until(lambda: "Bo lets it stand. Ann has not agreed yet." in browser.text("#consent"))
        assert not table.game.steps[-1].stands
        tap(browser, 1)
        browser.until(lambda: table.game.steps[-1].stands)
        browser.until(lambda: browser.text("#consent") == "")
        wide = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1]
        assert browser.complaints() == []


def press(browser: Browser, words: str) -> None:
    """Press the button of the table that begins with these words."""
    buttons = "[...document.querySelectorAll('#buttons button')]"
    browser.run(f"{buttons}.find((one) => one.textContent.startsWith({words!r})).click()")


def test_what_both_let_stand_and_was_undone_comes_back_by_both(tmp_path: Path, browser: Browser) -> None:
    """Redo only asks, below the verdict; a tap in each name brings it back."""
    with HandTable(tmp_path, game(*FACTS, LEGAL[0]).move(ILLEGAL).stand()) as table:
        browser.open(table.address)
        browser.until(lambda: "Undo" in browser.text("#buttons"))
        press(browser, "Undo")
        browser.until(lambda: "Redo" in browser.text("#buttons"))
        press(browser, "Redo")
        browser.until(lambda: "Bring back what both had agreed to?" in browser.text("#consent"))
        tap(browser, 2)
        browser.until(lambda: "Bo would bring it back. Ann has not agreed yet." in browser.text("#consent"))
        assert not table.game.steps[-1].stands
        tap(browser, 1)
        browser.until(lambda: table.game.steps[-1].stands)
        browser.until(lambda: browser.text("#consent") == "")


def test_who_is_asked_for_a_word_taps_once_where_the_other_has_played_on(
    tmp_path: Path, browser: Browser
) -> None:
    """Ann's play is her word, which is said; Bo's one tap is enough."""
    match = refusing().match
    stood = match.stood
    assert stood is not None
    match, _ = step(match, saw(ruled(stood, "1: castle 3"), match.version, stood=True), 0.0)
    with ShownDesk(tmp_path, match) as shown:
        browser.viewport(390, 844, mobile=True)
        browser.open(shown.address)
        browser.until(lambda: "Ann lets it stand. Bo has not agreed yet." in browser.text("#consent"))
        assert "Ann has played on. It counts once Bo lets the refused move stand" in browser.text("#places")
        tap(browser, 2)
        browser.until(lambda: shown.said)
        after, _ = step(match, shown.said.pop(), 0.0)
        assert after.game is not None
        assert [one.happened.text for one in after.game.steps[-2:]] == [ILLEGAL, "1: castle 3"]


@pytest.mark.parametrize("phase", [Phase.OUT_OF_STEP, Phase.WATCHING])
def test_a_table_is_taken_as_it_is_by_both(tmp_path: Path, browser: Browser, phase: Phase) -> None:
    """Out of step both names are offered at once; elsewhere a button asks first. Keys do as well as taps."""
    match = replace(taken_up(Match(), random_game("draw-game", 14)), phase=phase)
    with ShownDesk(tmp_path, match) as shown:

        def press() -> None:
            nonlocal match
            browser.until(lambda: shown.said)
            match, _ = step(match, shown.said.pop(), 0.0)
            shown.desk.views.put(view(match))

        browser.open(shown.address)
        browser.until(lambda: browser.text("#scores"))
        offered = "Take the table as it is" in browser.text("#buttons")
        assert offered is (phase is Phase.WATCHING)
        if offered:
            browser.run("""[...document.querySelectorAll('#buttons button')]
              .find((one) => one.textContent === 'Take the table as it is').click()""")
            press()
        browser.until(lambda: "Take the table as it is? Both must agree." in browser.text("#consent"))
        assert "Take the table as it is" not in browser.text("#buttons")
        browser.run("document.querySelector('#consent .p2').focus()")
        browser.keys("\ue007")
        press()
        browser.until(lambda: "Bo takes the table as it is. Ann has not" in browser.text("#consent"))
        assert browser.run("return document.activeElement.textContent") == "Bo: as it is ✓"
        tap(browser, 1)
        press()
        assert match.adopting
        browser.until(lambda: "Taking the table as it is." in browser.text("#notice"))


def test_two_phones_agree_at_the_same_moment_and_who_only_looks_cannot(
    tmp_path: Path, browser: Browser
) -> None:
    """A word that comes while the other's is on its way counts; a spectator sees who has agreed."""
    match = refused()
    with ShownDesk(tmp_path, match) as shown:
        browser.open(shown.address)
        browser.until(lambda: "Both must agree" in browser.text("#consent"))
        tap(browser, 1)
        tap(browser, 2)
        browser.until(lambda: len(shown.said) == 2)
        assert {(one.kind, one.number) for one in shown.said} == {(Kind.LET_STAND, 1), (Kind.LET_STAND, 2)}
        for one in shown.said:
            match, _ = step(match, one, 0.0)
        assert match.game is not None
        assert match.game.steps[-1].stands
        half, _ = step(refused(), Told(Kind.LET_STAND, number=2), 0.0)
        shown.desk.views.put(view(half))
        browser.open(f"{shown.address}?view=watch")
        browser.until(lambda: "Bo lets it stand. Ann has not agreed yet." in browser.text("#consent"))
        assert not browser.run("return document.querySelector('#consent .consent')?.checkVisibility()")
