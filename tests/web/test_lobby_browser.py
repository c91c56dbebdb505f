"""The lobby in a real browser, on a phone's width: a match is begun by hand, left, and gone on with."""

import json
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.service.box import Seating, Want
from device.service.crashes import BOOT, WITHOUT_VISION
from device.workload import workload
from tests.device.match.match_bench import FACTS
from tests.device.service.boxes import BEGIN, RealBox
from tests.web.browser import Browser
from tests.web.lobbies import OWN_COINS, TWO_CAMERAS, ShownLobby

HOSTILE = "<img src=x onerror=document.title='owned'>"


@pytest.fixture
def box(tmp_path: Path) -> Iterator[RealBox]:
    """A real box in its lobby."""
    with RealBox(tmp_path / "box") as made:
        made.ready()
        yield made


def choose(browser: Browser, name: str, value: str) -> None:
    """Tap on a choice."""
    browser.click(f'label:has(input[name="{name}"][value="{value}"])')


def leave(browser: Browser) -> None:
    """Press the way back to the lobby, which a narrow page folds into its menu."""
    browser.run("document.querySelector('#menu').click()")
    browser.click("#leave")


def fits(browser: Browser) -> bool:
    """Whether nothing is wider than the window."""
    return bool(browser.run("return document.documentElement.scrollWidth <= innerWidth"))


def test_a_match_from_the_lobby_and_back(box: RealBox, browser: Browser) -> None:
    """Choose, begin by hand, type, leave; it is offered again, and goes on with what was typed."""
    browser.size(390, 844)
    browser.open(f"http://localhost:{box.port}/")
    browser.until(lambda: browser.run("return document.querySelectorAll('#games label').length") == 4)
    assert "No camera was found" in browser.text("#remarks")
    assert browser.run("return document.querySelector('#kept').hidden")
    assert browser.run("return document.querySelector('[name=by]:checked').value") == "hand"
    assert fits(browser)
    choose(browser, "game", "kingdomino-duel")
    browser.type('[name="first"]', HOSTILE[:40])
    browser.type('[name="second"]', "Bo")
    choose(browser, "confirm", "button")
    choose(browser, "by", "hand")
    browser.click("#begin")
    browser.until(lambda: "Who is the oldest?" in browser.text("#say .prompt"))
    assert browser.run("return document.querySelector('#board').dataset.touch") == "on"
    browser.type("#line", f"{FACTS[0]}\n")
    browser.until(lambda: FACTS[0] in browser.text("#log"))
    assert fits(browser)
    leave(browser)
    browser.click('#leaving [value="stay"]')
    assert "The match" not in browser.text("#headline")
    leave(browser)
    browser.click('#leaving [value="leave"]')
    browser.until(lambda: HOSTILE[:40] in browser.text("#kept"))
    assert "Kingdomino Duel" in browser.text("#kept")
    assert fits(browser)
    # What was played last is offered again.
    assert browser.run("return document.querySelector('[name=game]:checked').value") == "kingdomino-duel"
    assert browser.run("return document.querySelector('[name=confirm]:checked').value") == "button"
    browser.click("#kept button")
    browser.until(lambda: FACTS[0] in browser.text("#log"))
    assert "owned" not in browser.run("return document.title")
    # A picture that was on its way when the match was closed is no fault.
    assert [one for one in browser.complaints() if "/frame.jpg" not in one] == []


def test_camera_and_pieces_are_chosen_and_what_is_missing_is_told(browser: Browser) -> None:
    """The usual ones are marked; own pieces are offered where a game has such; a refusal is a sentence."""
    with ShownLobby(cameras=TWO_CAMERAS, pieces=[OWN_COINS]) as lobby:
        browser.viewport(390, 844, mobile=True)
        browser.open(lobby.address)
        browser.until(lambda: browser.run("return document.querySelectorAll('#games label').length") == 4)
        choose(browser, "game", "draw-game")
        told = "return [...document.querySelector(`[name=${arguments[0]}]`).options].map((one) => one.text)"
        assert browser.run(told, "camera") == [
            "Raspberry Pi camera (default)", "Webcam 2: HD Pro Webcam C920",
        ]  # fmt: skip
        shown = "return document.querySelector(arguments[0]).checkVisibility()"
        assert not browser.run(shown, "#with-pieces")
        choose(browser, "game", "dominoes-of-war")
        assert not browser.run(shown, "#with-pieces")
        assert browser.run(shown, "#to-learn a")
        choose(browser, "game", "dominoids")
        assert browser.run(told, "pieces") == ["ordinary ones (default)", "Red box"]
        assert fits(browser)
        browser.run("document.querySelector('[name=camera]').focus()")
        browser.keys("\ue015")  # the arrow down
        browser.run("document.querySelector('[name=pieces]').focus()")
        browser.keys("\ue015")
        lobby.box = {
            **lobby.box,
            "words": "The webcam 2 is not connected: choose another camera, or by hand.",
        }
        browser.click("#begin")
        browser.until(lambda: lobby.asked)
        wanted = lobby.asked[0]
        assert isinstance(wanted, Want)
        assert wanted.wanted.seating == Seating(
            "dominoids", ("player 1", "player 2"), camera="webcam:2", pieces="red-box"
        )
        browser.until(lambda: "The webcam 2 is not connected" in browser.text("#notice"))
        choose(browser, "by", "hand")
        assert not browser.run(shown, "#seen")
        lobby.box = {**lobby.box, "cameras": TWO_CAMERAS[:1], "pieces": []}
        choose(browser, "by", "camera")
        browser.until(lambda: browser.run(told, "camera") == ["Raspberry Pi camera (default)"])
        assert browser.complaints() == []


def test_the_smaller_work_of_a_slow_board_is_told(browser: Browser) -> None:
    """Below the match that is to begin, as it is no fault; nothing is there on a fast one."""
    shown = "return document.querySelector('#work').checkVisibility()"
    with ShownLobby(work=workload("auto", "Raspberry Pi 4 Model B").words) as lobby:
        browser.viewport(390, 844, mobile=True)
        browser.open(lobby.address)
        browser.until(lambda: browser.run(shown))
        assert browser.text("#work").startswith(
            "Work: small: this is a Raspberry Pi 4 Model B, so the table is"
        )
        assert fits(browser)
        assert not browser.run("return document.querySelector('#remarks').checkVisibility()")
        lobby.box = {**lobby.box, "work": ""}
        browser.until(lambda: not browser.run(shown))
        assert browser.complaints() == []


def test_a_camera_that_is_not_there_is_refused_by_the_box(box: RealBox, browser: Browser) -> None:
    """In earnest: the lobby stays, says why, and no match is kept."""
    browser.open(f"http://localhost:{box.port}/")
    box.post("/api/box/do", {**BEGIN, "by": "camera", "camera": "webcam:7"})
    browser.until(lambda: "The webcam 7 is not connected" in browser.text("#notice"))
    assert box.json("/api/box")["matches"] == []


def test_a_page_waits_for_a_match_that_takes_its_time(box: RealBox, browser: Browser) -> None:
    """While a match is being opened the lobby says so, is not loaded again and again, and leads there."""
    held = box.hinder("opening")
    box.post("/api/box/do", BEGIN)
    box.until(lambda: box.json("/api/box").get("place") == "match")
    browser.open(f"http://localhost:{box.port}/")
    browser.run("window.loaded = 'once'")
    browser.until(lambda: "being opened" in browser.text("#notice"))
    time.sleep(1.0)
    assert browser.run("return window.loaded") == "once"
    held.unlink()
    browser.until(lambda: "Set the table up" in browser.text("#headline"))
    assert browser.complaints() == []


def test_a_match_that_crashes_made_blind_says_so_until_it_has_its_camera_again(
    tmp_path: Path, browser: Browser
) -> None:
    """The box is well again after a while; remark and button stay with the match, and the button works."""
    folder = tmp_path / "box"
    with RealBox(folder) as box:
        box.ready()
        box.post("/api/box/do", {**BEGIN, "by": "camera"})
        box.until(lambda: "phase" in box.json("/api/view"))
        box.type(FACTS[0])
        box.terminate()
    now = time.monotonic()
    crashed = {"boot": BOOT.read_text().strip(), "running": False, "at_s": [now] * WITHOUT_VISION}
    (folder / "state" / "crashes.json").write_text(json.dumps(crashed))
    (folder / "hasty").touch()
    with RealBox(folder) as box:
        box.until(lambda: box.json("/api/box").get("blind") and box.json("/api/box")["sight"])
        remarks = box.until(lambda: box.json("/api/health").get("remarks"))
        assert any("stopped by itself several times" in one for one in remarks)
        browser.size(390, 844)
        browser.open(f"http://localhost:{box.port}/")
        browser.until(lambda: "Try the camera again" in browser.text("#buttons"))
        assert fits(browser)
        browser.run("[...document.querySelectorAll('#buttons button')].find("
                    "(one) => one.textContent === 'Try the camera again').click()")  # fmt: skip
        box.until(lambda: box.json("/api/box").get("blind") is False)
        box.until(lambda: box.lines == [FACTS[0]])
        browser.until(lambda: "Try the camera again" not in browser.text("#buttons"))
        browser.until(lambda: FACTS[0] in browser.text("#log"))
        gone = "stopped by itself several times"
        box.until(lambda: not any(gone in one for one in box.json("/api/health")["remarks"]))
