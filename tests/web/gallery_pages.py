"""The pages around a match, and what opens on it, as the gallery looks at them, each with its name."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Final

from engine import GAMES
from engine.history import History
from tests.device.service.boxes import RealBox
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import GAMES as MIDDLE
from tests.web.gallery import STATES, random_game
from tests.web.hand_table import HandTable
from tests.web.refusals import TAPS, before
from tests.web.test_axe import READ
from tests.web.test_page_touch import Hand, planned

_READING = """const told = JSON.stringify(arguments[0]), kind = {"Content-Type": "application/json"};
const real = window.fetch; window.fetch = async (path, sent) => path === "/sheets/table"
  ? new Response(told, {headers: kind}) : real(path, sent);"""
_OPEN = "document.querySelectorAll(arguments[0]).forEach((one) => { one.open = true; })"


def there(browser: Browser, address: str, selector: str) -> None:
    """Go to a page, and wait for what it is about."""
    browser.open(address)
    browser.until(lambda: browser.text(selector))


def around_a_match(browser: Browser) -> Iterator[str]:
    """Other ways to look at a match, what opens on it, and pages that need none."""
    with tempfile.TemporaryDirectory() as folder, ShownDesk(Path(folder), STATES["refused"]()) as desk:
        for view in ("table", "watch", "overlay"):
            there(browser, f"{desk.address}?view={view}", "#scores b")
            yield f"view-{view}"
        there(browser, desk.address, "#ruling .rule")
        browser.run("document.querySelector('#ruling .rule').click()")
        browser.until(lambda: browser.text("#rule-words"))
        yield "rule"
        browser.run(
            "document.querySelector('#rule').close(); document.querySelectorAll('#log .entry')[2].click()"
        )
        browser.until(lambda: browser.text("#past-title"))
        yield "history"
        browser.run("document.querySelector('#past').close(); document.querySelector('#menu').click()")
        browser.run("document.querySelector('.looks').open = true")
        yield "looks"
        for page in ("join", "rules/dominoids", "notation/draw-game", "sheets"):
            there(browser, desk.address + page, "main")
            yield page.split("/")[0]
        browser.run(_READING, READ)
        browser.run("document.querySelector('#table').click()")
        browser.until(lambda: browser.text("#walk"))
        yield "sheets-read"
        browser.run("document.querySelector('#walk').click()")
        browser.until(lambda: browser.text("#left"))
        yield "sheets-glass"


def by_hand(browser: Browser) -> Iterator[str]:
    """Each game at its beginning and in its middle, as it is played by hand."""
    for game in GAMES:
        with tempfile.TemporaryDirectory() as folder:
            blank = History.begin(game, players=("Ann", "Bo"))
            with HandTable(Path(folder), blank) as table:
                hand, rng = Hand(browser, table), Random(game)
                yield f"by-hand-{game}-begins"
                hand.say(planned(table.game, rng))
        with (
            tempfile.TemporaryDirectory() as folder,
            HandTable(Path(folder), random_game(game, MIDDLE[game])) as table,
        ):
            hand = Hand(browser, table)
            yield f"by-hand-{game}"
            browser.run("document.querySelector('#say .tools button:last-child').click()")
            browser.until(lambda: browser.run("return document.querySelector('#forms').open"))
            yield f"by-hand-{game}-forms"
        with tempfile.TemporaryDirectory() as folder, HandTable(Path(folder), before(game)) as table:
            Hand(browser, table).try_out(TAPS[game])
            yield f"by-hand-{game}-refused"
            browser.run("document.querySelector('#say .choice').click()")
            browser.type("#line", "undo\n")
            browser.until(lambda: browser.text("#changed"))
            yield f"by-hand-{game}-changed"


def of_a_box(browser: Browser) -> Iterator[str]:
    """The lobby, bare and with a match that is kept; that match; first evening; the owner's page."""
    with tempfile.TemporaryDirectory() as folder, RealBox(Path(folder) / "box") as box:
        box.ready()
        at = f"http://localhost:{box.port}"
        there(browser, f"{at}/", "#games label")
        yield "lobby-new"
        box.begin()
        box.type("see oldest 1")
        there(browser, f"{at}/", "#scores b")
        yield "match-of-a-box"
        box.post("/api/box/do", {"kind": "leave"})
        kept = box.until(lambda: box.json("/api/box").get("matches"))
        there(browser, f"{at}/", "#kept li")
        browser.until(lambda: browser.run("return document.querySelectorAll('#readings label').length"))
        yield "lobby"
        browser.run(_OPEN, "main details")
        yield "lobby-open"
        there(browser, f"{at}/matches/{kept[0]['name']}", "#log li")
        yield "kept"
        there(browser, f"{at}/mount", "main")
        yield "mount"
        there(browser, f"{at}/first", ".step")
        yield "first"
        browser.run(_OPEN, ".step")
        yield "first-open"
        there(browser, f"{at}/owner", "main")
        yield "owner-new"
        browser.type('#set [name="password"]', "correct horse")
        browser.click("#set button")
        browser.until(lambda: browser.text("#matches li") and browser.text("#parts summary"))
        yield "owner"
        browser.run(_OPEN, "main details")
        yield "owner-open"


WALKS: Final[tuple[Callable[[Browser], Iterator[str]], ...]] = (around_a_match, by_hand, of_a_box)
"""All of them; each goes from one page to the next, and names it."""
