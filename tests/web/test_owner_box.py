"""What the owner does with the box on their page: start it anew, switch it off."""

import errno
import io
import os
import threading
import zipfile
from pathlib import Path
from typing import Any

import pytest

from device.keeping import stick_copier
from device.keeping.belongings import BackupError
from device.service import owner as owner_module
from device.service.box import BUSY
from device.service.host import ALONE, STARTS_ANEW
from device.service.pairing import Pairing
from device.service.stick_backup import StickBackup
from tests.device.match.match_bench import FACTS
from tests.device.service.boxes import NAMES, RealBox
from tests.web.browser import Browser
from tests.web.lobbies import ShownLobby

PASSWORD = "correct horse battery"


def entered(browser: Browser, address: str) -> None:
    """Open the owner's page for the first time, and set the password."""
    browser.open(f"{address}owner")
    browser.type('#set [name="password"]', PASSWORD)
    browser.click("#set button")
    browser.until(lambda: browser.text("#parts summary"))


def stage(browser: Browser) -> str:
    """What the owner's page asks for."""
    return str(browser.run("return document.body.dataset.stage"))


@pytest.fixture
def owned(monkeypatch: pytest.MonkeyPatch) -> Pairing:
    """Nobody is the owner yet; hashes take no time."""
    monkeypatch.setitem(owner_module._COST, "n", 2)
    return Pairing(say=lambda _: None)


def test_new_settings_are_taken_up_and_the_match_goes_on(tmp_path: Path, browser: Browser) -> None:
    """A second press, and the box ends as its service starts it again; the page comes back with it."""
    with RealBox(tmp_path / "box") as box:
        box.begin()
        box.type(FACTS[0])
        browser.size(390, 844)
        entered(browser, f"http://localhost:{box.port}/")
        browser.run("document.querySelectorAll('#parts details').forEach((one) => { one.open = true; })")
        browser.type('[name="manners.calm_s"]', "2.5\n")
        browser.until(lambda: browser.text("#notice").startswith("Kept."))
        assert browser.text("#notice a") == "Restart Pipwatch"
        browser.click("#restart")
        assert "A match that goes on is kept" in browser.text("#sure-what")
        browser.click('#sure [value="no"]')
        assert box.json("/api/health")
        browser.click("#restart")
        browser.click("#sure-yes")
        assert box.process.wait(20) == STARTS_ANEW
        assert "comes back by itself" in browser.text("#notice")
        before = (tmp_path / "box" / "state" / "crashes.json").read_text()
        assert '"running": false' in before
    with RealBox(tmp_path / "box", box.port) as again:
        again.until(lambda: again.lines == [FACTS[0]])
        browser.until(lambda: stage(browser) == "enter")
        assert again.process.poll() is None


def test_a_backup_goes_onto_the_stick_by_the_page(browser: Browser, owned: Pairing) -> None:
    """While it is written nobody can press again; then the page says what came of it, and keeps that."""
    done = "Backup: pipwatch-2026-11-25.zip is on the stick, checked. Now it may be taken out."
    full = f"The stick (/dev/sda1) cannot be written: {os.strerror(errno.ENOSPC)}."
    wait, answers = threading.Semaphore(0), [stick_copier.NONE, full, done]

    def make() -> str:
        wait.acquire(timeout=20)
        if (said := answers.pop(0)) == done:
            return said
        raise BackupError(said)

    with ShownLobby(owned).but(stick=StickBackup(make)) as lobby:
        entered(browser, lobby.address)
        for said in (stick_copier.NONE, full, done):
            browser.click("#stick")
            browser.until(lambda: browser.text("#stick-now").startswith("The stick is being written"))
            assert browser.run("return document.querySelector('#stick').ariaDisabled") == "true"
            wait.release()
            browser.until(lambda said=said: browser.text("#stick-now") == said)  # type: ignore[misc]
        browser.open(f"{lobby.address}owner")
        browser.until(lambda: browser.text("#stick-now") == done)


def test_a_report_for_a_bug_is_taken_along_without_names(tmp_path: Path, browser: Browser) -> None:
    """Also while a match goes on, whose camera is left to it; as `pipwatch diagnose` makes it."""
    with RealBox(tmp_path / "box") as box:
        box.begin()
        box.type(FACTS[0])
        entered(browser, f"http://localhost:{box.port}/")
        fetched = """return fetch(document.querySelector('#box a[download]').href)
          .then((a) => a.arrayBuffer()).then((data) => [...new Uint8Array(data)])"""
        file = zipfile.ZipFile(io.BytesIO(bytes(browser.run(fetched))))
        assert {"versions.json", "settings.json", "doctor.txt", "health.json", "match-1/events.jsonl"} <= set(
            file.namelist()
        )
        whole = "".join(file.read(name).decode() for name in file.namelist())
        assert FACTS[0] in whole
        assert [name for name in NAMES if name in whole] == []
        assert "the box has it; it is none" in file.read("doctor.txt").decode()
        box.type(FACTS[1])


def test_buttons_and_lamps_are_tried_on_the_page(browser: Browser, owned: Pairing) -> None:
    """What burns and what is pressed is told as it happens, and stays to be read; a match forbids it."""
    asked: list[bool] = []
    undo = {"name": "undo", "keypad": False, "down": True, "presses": 1, "wrong": ""}
    stuck = "it reads pressed all the time: is it wired to ground, or stuck?"
    state: dict[str, Any] = {"on": False, "burns": "", "lamps": ["green"], "buttons": []}

    def tried(on: bool) -> str:
        asked.append(on)
        if len(asked) > 2:
            return BUSY
        state.update(on=on, burns="green" if on else "", buttons=[undo] if on else [])
        return ""

    with ShownLobby(owned).but(try_pins=tried, pins=lambda: dict(state)) as lobby:
        browser.viewport(390, 844, mobile=True)
        entered(browser, lobby.address)
        browser.click("#try-pins")
        browser.until(lambda: browser.text("#burns") == "The green lamp burns now.")
        browser.until(lambda: "pressed now" in browser.text("#pressed"))
        state.update(
            burns="",
            buttons=[{**undo, "down": False, "presses": 3}, {**undo, "keypad": True, "wrong": stuck}],
        )
        browser.until(lambda: browser.text("#burns") == "Press each button.")
        browser.until(lambda: "pressed 3 times" in browser.text("#pressed"))
        assert f"Undo (keypad)\n{stuck}" in browser.text("#pressed")
        assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
        assert browser.run("return document.activeElement.id") == "end-pins"
        browser.click("#end-pins")
        browser.until(lambda: browser.run("return document.activeElement.id") == "try-pins")
        assert "pressed 3 times" in browser.text("#pressed")
        browser.click("#try-pins")
        browser.until(lambda: browser.text("#notice") == BUSY)
        assert asked == [True, False, True]


def test_a_box_that_nobody_would_start_again_does_not_offer_it(browser: Browser, owned: Pairing) -> None:
    """It says so, and a press that comes all the same is refused by the same sentence."""
    with ShownLobby(owned).but(alone=ALONE, restart=lambda: ALONE) as lobby:
        entered(browser, lobby.address)
        assert browser.text("#alone") == ALONE
        assert not browser.run("return document.querySelector('#restart').checkVisibility()")
        assert browser.run("return document.querySelector('#off').checkVisibility()")
        post = """return import("/static/page.js").then(({ post }) => post("/api/owner/restart"))
          .then((answer) => answer.json())"""
        assert browser.run(post) == {"error": ALONE, "status": 409}


def test_a_machine_that_would_stay_on_says_why(browser: Browser, owned: Pairing) -> None:
    """Nothing is switched off by one press; what refuses it is told where it was pressed."""
    pressed: list[str] = []
    answers = ["The machine could not be switched off (no): sudo poweroff does it.", ""]

    def off() -> str:
        pressed.append("off")
        return answers[len(pressed) - 1]

    with ShownLobby(owned).but(switch_off=off) as lobby:
        entered(browser, lobby.address)
        browser.click("#off")
        browser.click('#sure [value="no"]')
        assert pressed == []
        for said in ("sudo poweroff does it", "stopped winking"):
            browser.click("#off")
            browser.click("#sure-yes")
            browser.until(lambda said=said: said in browser.text("#notice"))
        assert pressed == ["off", "off"]
