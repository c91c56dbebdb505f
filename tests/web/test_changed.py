"""What a correction changed is told on the page, in words, until somebody has dealt with it."""

import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from device.journal.game import added
from device.journal.store import Journal
from device.match.acts import taken_up
from device.match.match import Match, Pending
from device.match.match_view import view
from device.match.phase import Phase
from device.typed import after
from engine.history import History
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import random_game
from tests.web.hand_table import HandTable
from tests.web.test_page_touch import Hand
from web.past import FRESH_NS, PastMatch

STEPS, EARLY = 30, 20


def told(history: History, tmp_path: Path) -> Any:
    """What the last entry changed."""
    with ShownDesk(tmp_path, taken_up(Match(), history)) as shown:
        return PastMatch(shown.journal).at(len(history.entries))


def test_a_correction_tells_scores_and_rulings_before_and_after(tmp_path: Path) -> None:
    """The totals, the lines that went and came, and each place whose ruling or words are others now."""
    history = random_game("draw-game", STEPS)
    now = after(history, f"take back {EARLY}")
    found = told(now, tmp_path)
    assert found["totals"] == [list(history.scores.totals), list(now.scores.totals)]
    assert found["totals"][0] != found["totals"][1]
    lines = found["lines"]
    gone = sum(one["points"] for one in lines if not one["now"])
    came = sum(one["points"] for one in lines if one["now"])
    assert gone - came == sum(history.scores.totals) - sum(now.scores.totals)
    changes = found["changes"]
    assert changes[0]["entry"] == EARLY
    assert changes[0]["now"] is None
    others = [one for one in changes[1:] if one["was"] and one["now"]]
    assert others
    assert all((one["was"]["status"], one["was"]["rule"]) != (one["now"]["status"], one["now"]["rule"])
               for one in others)  # fmt: skip


def test_a_way_back_is_told_as_one(tmp_path: Path) -> None:
    """All that was taken back at once, and a move with the fact that it revealed."""
    history = random_game("draw-game", STEPS)
    back = after(history, "back to 25")
    found = told(back, tmp_path)
    assert (found["first"], len(back.entries)) == (STEPS + 1, STEPS + 5)
    changes = found["changes"]
    assert [one["entry"] for one in changes if one["now"] is None] == list(range(26, STEPS + 1))


def test_a_table_that_is_set_by_hand_tells_what_it_did_to_the_score(tmp_path: Path) -> None:
    """Also where nothing was taken back."""
    found = told(after(random_game("dominoids", 24), "put turn 1"), tmp_path)
    assert found["totals"] == [[0, 0], [0, 0]]
    assert found["changes"] == []


def test_what_has_just_been_written_is_never_held_for_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A journal may change twice within one tick of its clock, and look the same: then it is read again."""
    with ShownDesk(tmp_path, taken_up(Match(), random_game("draw-game", 4))) as shown:
        read: list[object] = []
        fixed = (time.time_ns(), 1)
        monkeypatch.setattr("web.past._stamp", lambda _: fixed)
        monkeypatch.setattr("web.past.game_in", read.append)
        past = PastMatch(shown.journal)
        past.game()
        past.game()
        assert len(read) == 2
        old = (fixed[0] - 2 * FRESH_NS, 1)
        monkeypatch.setattr("web.past._stamp", lambda _: old)
        past.game()
        past.game()
        assert len(read) == 3


_SAID = "const one = document.querySelector('#changed'); return one.checkVisibility() ? one.innerText : ''"


def test_the_page_tells_it_until_somebody_has_dealt_with_it(tmp_path: Path, browser: Browser) -> None:
    """The score in words with names, and each ruling; it outlives a page loaded anew, till its button."""
    with HandTable(tmp_path, random_game("draw-game", STEPS)) as table:
        hand = Hand(browser, table)
        assert browser.run(_SAID) == ""
        browser.type("#line", f"take back {EARLY}\n")
        browser.until(lambda: f"Entry {EARLY} was taken back." in browser.run(_SAID))
        assert "Ann 20 → 10" in browser.run(_SAID)
        browser.run("document.querySelector('#changed details').open = true")
        listed = browser.run(_SAID)
        assert f"{EARLY}: " in listed
        assert "taken back" in listed
        assert "Legal → Illegal" in listed
        assert "illegal DRW" not in listed
        assert shown_rules(browser) > 0
        browser.open(table.address)
        browser.until(lambda: f"Entry {EARLY} was taken back." in browser.run(_SAID))
        browser.run("document.querySelector('#changed > button').click()")
        assert browser.run(_SAID) == ""
        browser.open(table.address)
        hand.until_calm()
        assert browser.run(_SAID) == ""


def shown_rules(browser: Browser) -> int:
    """How many rules can be opened from there."""
    return int(browser.run("return document.querySelectorAll('#changed .rule').length"))


def test_what_changed_no_score_goes_with_the_next_entry(tmp_path: Path, browser: Browser) -> None:
    """An undo is told, and once it is played on nobody need be told of it any more."""
    with HandTable(tmp_path, random_game("dominoes-of-war", STEPS)) as table:
        Hand(browser, table)
        browser.type("#line", "undo\n")
        browser.until(lambda: f"Entry {STEPS} was taken back." in browser.run(_SAID))
        assert "The score stays as it was." in browser.run(_SAID)
        browser.type("#line", "2: end\n")
        browser.until(lambda: browser.run(_SAID) == "")


def test_a_correction_that_waits_to_be_confirmed_is_told_once_it_counts(
    tmp_path: Path, browser: Browser
) -> None:
    """Until then it is in no record: nobody asks for it, and its row cannot be looked back at."""
    history = random_game("draw-game", STEPS)
    now = after(history, f"take back {EARLY}")
    waiting = replace(taken_up(Match(), history), phase=Phase.RULED, pending=Pending(now, None))
    row = "const one = document.querySelector('#log .mend button'); return one && one.disabled"
    with ShownDesk(tmp_path, waiting) as shown:
        browser.open(shown.address)
        browser.until(lambda: browser.run(row) is True)
        time.sleep(1.0)  # whoever asked for it would have been refused by now
        assert browser.complaints() == []
        assert browser.run("return document.querySelector('#changed').hidden")
        browser.run("document.querySelector('#log .entry:not(:disabled)').click()")
        browser.until(lambda: browser.text("#past-title").startswith(f"{STEPS}:"))
        assert browser.run(
            "return ['on', 'last'].every((way) => document.querySelector(`#past-${way}`).disabled)"
        )
        browser.run("document.querySelector('#past').close()")
        with Journal(shown.journal) as journal:
            journal.append(added(history, now))
        counted = taken_up(Match(), now)
        shown.desk.matches.put(counted)
        shown.desk.views.put(view(counted))
        browser.until(lambda: "was taken back" in browser.text("#changed"))
        assert browser.run(row) is False
        assert [one for one in browser.complaints() if "/evidence/" not in one] == []
