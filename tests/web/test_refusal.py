"""What a refusal offers, in each game: its rule, ghosts of the nearest legal moves, a tap that plays one."""

from pathlib import Path

import pytest

from device.match.match_view import view
from engine import GAMES
from engine.plain import items, obj
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import out_of_step
from tests.web.hand_table import HandTable
from tests.web.refusals import MANY, TAPS, before, refusal
from tests.web.test_page_touch import Hand, shown

_CARD = """const of = (one, name) => one.querySelector(name);
return [...document.querySelectorAll('#nearest .each > *')]
  .map((one) => [one.tagName, Boolean(of(one, '.thumb .ghosts > g')), of(one, '.notation').innerText]);"""


@pytest.mark.parametrize("game", GAMES)
def test_the_nearest_legal_moves_are_ghosts_and_can_be_tapped(
    tmp_path: Path, browser: Browser, game: str
) -> None:
    """Drawn on the board beside the refused one, and in the card as small boards; a tap says the move."""
    match = refusal(game)
    told = view(match)
    ruling = match.game.steps[-1].ruling if match.game else None
    assert ruling is not None
    near = [obj(one, "a move") for one in items(obj(obj(told["marks"], "")["refused"], "")["nearest"], "")]
    drawn = [bool(one["spots"]) for one in near]
    assert any(drawn)
    with ShownDesk(tmp_path, match) as desk:
        browser.open(desk.address)
        browser.until(lambda: browser.text("#nearest"))
        assert browser.run(_CARD) == [
            ["BUTTON", picture, text] for picture, text in zip(drawn, ruling.nearest, strict=True)
        ]
        assert shown(browser, "#board .ghosts.wrong > g") > 0
        assert shown(browser, "#board .ghosts:not(.wrong) > g") >= 2
        last = drawn.index(True) + 1
        browser.run(f"document.querySelector('#nearest .each > :nth-child({last})').click()")
        browser.until(lambda: desk.said)
        assert (desk.said[0].kind, desk.said[0].words) == ("typed", ruling.nearest[last - 1])
        assert desk.said[0].key == match.key
        assert browser.complaints() == []


def test_who_only_looks_sees_the_nearest_moves_and_presses_nothing(tmp_path: Path, browser: Browser) -> None:
    """The same small boards, and no button among them."""
    with ShownDesk(tmp_path, refusal("dominoids")) as desk:
        browser.open(f"{desk.address}?view=watch")
        browser.until(lambda: browser.text("#nearest"))
        assert [(tag, picture) for tag, picture, _ in browser.run(_CARD)] == [("SPAN", True)] * 3


def test_a_rule_opens_from_a_refusal_by_hand(tmp_path: Path, browser: Browser) -> None:
    """The id is a button; it tells the rule in our own words, and the refusal is still there afterwards."""
    with HandTable(tmp_path, before("dominoids")) as table:
        hand = Hand(browser, table)
        hand.try_out(TAPS["dominoids"])
        browser.until(lambda: browser.text("#say .no .rule") == "DMN-4.4")
        browser.run("document.querySelector('#say .no .rule').click()")
        browser.until(lambda: browser.text("#rule-id") == "DMN-4.4" and browser.text("#rule-words"))
        assert "A slide goes" in browser.text("#rule-words")
        browser.run("document.querySelector('#rule').close()")
        assert "Not allowed" in browser.text("#say")
        assert browser.complaints() == []


_FAULTS = """return [...document.querySelectorAll(arguments[0])]
  .map((one) => [one.querySelector('button.rule').innerText, one.innerText]);"""


@pytest.mark.parametrize("game", MANY)
def test_all_rules_that_a_move_breaks_stand_there(tmp_path: Path, browser: Browser, game: str) -> None:
    """Seen by a camera and played by hand: each with its sentence, and a button that opens the rule."""
    match = refusal(game, MANY[game])
    assert match.game is not None
    ruling = match.game.steps[-1].ruling
    assert ruling is not None
    assert len({ruling.rule, *(one.rule for one in ruling.also)}) > 1
    wanted = [
        (one.rule, one.sentence.replace("player 1", "Ann").replace("player 2", "Bo")) for one in ruling.also
    ]

    def told(where: str) -> None:
        browser.until(lambda: browser.text(f"{where} li"), 15)
        found = browser.run(_FAULTS, f"{where} li")
        assert [rule for rule, _ in found] == [rule for rule, _ in wanted]
        for (rule, words), (_, sentence) in zip(found, wanted, strict=True):
            assert " ".join(words.replace(rule, "").split()) == sentence
        browser.run(f"document.querySelector('{where} li:last-child .rule').click()")
        browser.until(lambda: browser.text("#rule-id") == wanted[-1][0] and browser.text("#rule-words"), 15)
        browser.run("document.querySelector('#rule').close()")

    with ShownDesk(tmp_path, match) as desk:
        browser.open(desk.address)
        told("#ruling .also")
    with HandTable(tmp_path, before(game)) as table:
        Hand(browser, table).try_out(MANY[game])
        told("#say ul")


def test_out_of_step_the_likeliest_missed_moves_come_first(tmp_path: Path, browser: Browser) -> None:
    """Then "as it lies now"; no ruling stands there, for of this table there is none."""
    match = out_of_step()
    assert match.options
    assert match.differs
    with ShownDesk(tmp_path, match) as desk:
        browser.open(desk.address)
        browser.until(lambda: browser.text("#choices"))
        order = """return ['#places', '#choices', '#consent'].map((name) => document.querySelector(name))
            .map((one) => one.getBoundingClientRect().top)"""
        tops = browser.run(order)
        assert tops == sorted(tops)
        assert len(set(tops)) == 3
        assert "Take the table as it is?" in browser.text("#consent")
        assert browser.text("#ruling") == ""
        assert "Legal" not in browser.text("#verdict")
        assert shown(browser, "#board .differs > g") == 1
        browser.run("document.querySelector('#choices button').click()")
        browser.until(lambda: desk.said)
        assert (desk.said[0].kind, desk.said[0].number) == ("choose", 0)
