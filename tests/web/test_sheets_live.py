"""Sheets on the dashboard of a match: those on the table by one press, photos by upload, into the journal."""

import http.client
import json
import re
import time
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from device.journal.journal_reader import read_chain, read_pictures
from device.live.ports import Away, Picture, Shot
from device.table_sheets import score_table
from simulation.filled_sheet import OUR_FORM, Cells, filled
from simulation.sheet_photo import PhotoConditions, photographed
from tests.device.live.scripted import ScriptedSource, number_of
from tests.web.browser import Browser
from tests.web.test_browser import HOSTILE, Table
from vision.view import FrameState
from web.guard import TOKEN_HEADER
from web.sheet_pages import MOST_BYTES

READ_S = 150
"""Reading takes two seconds on an idle machine; one that has much else to do is waited for."""
D0, S0, Q2 = ("dot", 0), ("stripe", 0), ("quarters", 2)
FIRST: Cells = (
    (None,) * 7,
    (None, None, ("dot", 1), D0, None, None, None),
    (None, None, D0, None, S0, S0, None),
    (None, None, None, Q2, ("quarters", 0), None, None),
    (None,) * 7,
)
SECOND: Cells = ((None,) * 7, (None,) * 7, (None, None, D0, None, S0, S0, None), (None,) * 7, (None,) * 7)


@lru_cache(maxsize=1)
def sheets() -> tuple[bytes, Picture]:
    """Both players' sheets side by side, as a JPEG and as pixels."""
    rng = np.random.default_rng(5)
    papers = [filled(OUR_FORM, cells, False, rng) for cells in (FIRST, SECOND)]
    photo = photographed(papers, PhotoConditions(square_px=50), rng)
    return photo.jpeg, photo.image


class TableWithSheets(ScriptedSource):
    """A scripted table under whose camera both sheets lie."""

    def next(self, timeout_s: float) -> Shot | Away | None:
        """The next frame: the sheets, with the number of the frame in its corner."""
        shot = super().next(timeout_s)
        if not isinstance(shot, Shot):
            return shot
        picture = sheets()[1].copy()
        picture[0, 0] = shot.picture[0, 0]
        assert number_of(picture) == number_of(shot.picture)
        return Shot(shot.number, shot.at_s, picture)


def until(what: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait for something."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end
        time.sleep(0.02)


def look_at(table: Table) -> FrameState | None:
    """What the gate says of the newest frame."""
    seen = table.running.desk.frames.get()[1]
    return None if seen is None or seen.look is None else seen.look.state


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A match with its dashboard, and the sheets on its table."""
    made = Table(tmp_path / "a.match", TableWithSheets)
    until(lambda: look_at(made) is FrameState.SETTLED)
    yield made
    made.close()


def ask(table: Table, path: str, body: bytes, **headers: str) -> tuple[int, bytes]:
    """Post something to the dashboard's own server."""
    port = int(table.screen.address.rsplit(":", 1)[1].strip("/"))
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=READ_S)
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    asked.request("POST", path, body, {"Host": "localhost", **named})
    answer = asked.getresponse()
    told = answer.status, answer.read()
    asked.close()
    return told


def token(table: Table) -> str:
    """What only the page knows."""
    port = int(table.screen.address.rsplit(":", 1)[1].strip("/"))
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=READ_S)
    asked.request("GET", "/sheets", headers={"Host": "localhost"})
    page = asked.getresponse().read().decode()
    asked.close()
    return re.findall(r'name="token" content="([^"]+)"', page)[0]


def entered(table: Table) -> list[dict[str, object]]:
    """What the journal remembers of scored sheets."""
    notes = [event for event in read_chain(table.path).events if event.kind == "note"]
    return [dict(event.body) for event in notes if event.body["what"] == "sheets scored"]


def doubted(browser: Browser) -> int:
    """How many squares are marked as doubtful; as long as one is, the page must keep its score to itself.

    Both are read in one step: the answer to the tap before may arrive at any time.
    """
    seen = "document.querySelectorAll('.squares .doubt').length"
    many, shut = browser.run(f"return [{seen}, document.querySelector('#enter').disabled]")
    assert shut or not many
    return int(many)


def test_one_press_scores_the_sheets_on_the_table(table: Table, browser: Browser) -> None:
    """From the dashboard's button to a line in the journal: names, both maps, doubts tapped, the winner."""
    browser.size(1300, 950)
    browser.open(table.screen.address)
    browser.until(lambda: "Score the sheets" in browser.text("#buttons"))
    browser.run("[...document.querySelectorAll('#buttons button')].at(-1).click()")
    browser.until(lambda: browser.run("return document.querySelectorAll('.map').length") == 2, READ_S)
    browser.until(lambda: "points" in browser.text(".map h2"))
    assert HOSTILE in browser.text(".map h2")
    assert browser.run("return document.title") == "Duel sheets"
    while before := doubted(browser):
        browser.click(".squares .doubt")
        browser.click("#pick [value=done]")
        browser.until(lambda before=before: doubted(browser) < before)
    browser.until(lambda: not browser.run("return document.querySelector('#enter').disabled"))
    assert "wins" in browser.text("#outcome")
    assert HOSTILE in browser.text("#players .p1")
    assert "★" in browser.text("#players")
    browser.click("#enter")
    browser.until(lambda: "Sheets scored" in browser.text("#told"))
    browser.until(lambda: entered(table))
    (note,) = entered(table)
    assert [one["player"] for one in note["maps"]] == [HOSTILE, "Bo"]  # type: ignore[attr-defined]
    assert browser.complaints() == []
    browser.click(".back")
    browser.until(lambda: "Sheets scored" in browser.text("#notice"))


def test_doubts_are_walked_through_square_by_square(table: Table, browser: Browser) -> None:
    """One button shows each doubtful square under a glass; a tap settles it and the next one comes."""
    browser.size(390, 800)
    browser.open(table.screen.address + "sheets")
    browser.run(
        "const real = window.fetch; window.fetch = async (path, sent) => {"
        "  const answer = await real(path, sent);"
        "  if (path !== '/sheets/table') return answer;"
        "  const told = await answer.json();"
        "  told.maps.forEach(map => { map.doubts = ['r1c1', 'r5c7']; map.paying = ['r5c7'];"
        "    map.others = {r1c1: ['s0', '.'], r5c7: ['b2']}; });"
        "  return new Response(JSON.stringify(told), {headers: answer.headers}); }"
    )
    browser.click("#table")
    browser.until(lambda: browser.text("#walk") == "Look at the 4 doubtful squares", READ_S)
    assert browser.text("#doubts li:first-child").startswith("★")
    assert browser.text("#doubts li:last-child").strip().startswith("Bo: r1c1")
    assert "/sheets/" in browser.run(
        "return getComputedStyle(document.querySelector('#doubts .crop')).backgroundImage"
    )
    assert browser.text("#outcome").startswith("As it stands now")
    browser.click("#walk")
    shown = []
    for left in (4, 3, 2, 1):
        browser.until(lambda left=left: browser.text("#left") == f"{left} to look at")
        shown.append(browser.text("#where").rsplit(" ", 1)[-1])
        crop = browser.run("return getComputedStyle(document.querySelector('#glass')).backgroundImage")
        assert "/sheets/" in crop
        browser.click("#likely button:last-child")
    browser.until(lambda: not browser.run("return document.querySelector('#pick').open"))
    assert shown == ["r5c7", "r5c7", "r1c1", "r1c1"]
    browser.until(lambda: doubted(browser) == 0)
    rows = browser.run("return document.querySelectorAll('.squares button')[34].ariaLabel")
    assert rows == "r5c7: black, crosses: 2"
    assert browser.run("return document.querySelector('#first').hidden")
    assert browser.complaints() == []


def test_a_photo_is_sent_through_the_dashboard(table: Table, browser: Browser, tmp_path: Path) -> None:
    """The same page takes a photo of many kilobytes, in the browser, and two maps fit beside each other."""
    path = tmp_path / "photo.jpg"
    path.write_bytes(sheets()[0])
    browser.size(390, 800)
    browser.open(table.screen.address + "sheets")
    browser.type("#file", str(path))
    browser.until(lambda: browser.run("return document.querySelectorAll('.map').length") == 2, READ_S)
    browser.until(lambda: "points" in browser.text(".map h2"))
    wide = browser.run("return [document.documentElement.scrollWidth, window.innerWidth]")
    assert wide[0] <= wide[1]
    assert entered(table) == []


def test_a_photo_says_how_far_it_is_and_why_heic_is_refused(
    table: Table, browser: Browser, tmp_path: Path
) -> None:
    """A HEIC file is known by its bytes, and the page says what to do; reading counts seconds."""
    path = tmp_path / "IMG_1.jpg"  # called so by a program that only changed its name
    path.write_bytes(b"\0\0\0\x18ftypheic" + bytes(200))
    browser.open(table.screen.address + "sheets")
    browser.type("#file", str(path))
    browser.until(lambda: "This is a HEIC photo" in browser.text("#told"))
    assert "Most Compatible" in browser.text("#heic")
    path.write_bytes(sheets()[0])
    browser.run(
        "window.far = []; const told = document.querySelector('#how-far');"
        "new MutationObserver(() => far.push(told.textContent)).observe(told, {childList: true})"
    )
    browser.type("#file", str(path))
    browser.until(lambda: browser.run("return document.querySelectorAll('.map').length") == 2, READ_S)
    told = browser.run("return window.far")
    assert told[0] == "Sending the photo … 0 %"
    assert any(re.fullmatch(r"Reading the photo … \d+ s", one) for one in told)
    assert browser.run("return document.querySelector('#progress').hidden")
    # A browser that can unpack one sends it as a JPEG.
    browser.run(
        "window.createImageBitmap = async () => document.createElement('canvas');"
        "const real = XMLHttpRequest.prototype.send; XMLHttpRequest.prototype.send = function (body) {"
        "  body.slice(0, 2).arrayBuffer().then((data) => { window.head = [...new Uint8Array(data)]; });"
        "  real.call(this, body); }"
    )
    path.write_bytes(b"\0\0\0\x18ftypheic" + bytes(200))
    browser.type("#file", str(path))
    browser.until(lambda: browser.run("return window.head") == [0xFF, 0xD8])
    assert not browser.run("return document.querySelector('#heic').open")


def test_the_page_speaks_german_and_tells_domains_apart(table: Table, browser: Browser) -> None:
    """Also who wins; a domain has a colour and a number of its own, the same on the map and in the sums."""
    browser.viewport(390, 844, mobile=True)
    browser.open(table.screen.address + "sheets")
    browser.run("document.cookie = 'language=de; path=/'; location.reload()")
    browser.until(lambda: "Die Blätter auf dem Tisch werten" in browser.text("main"))
    browser.click("#table")
    browser.until(lambda: "gewinnt" in browser.text("#outcome"), READ_S)
    all_ = "return [...document.querySelectorAll('.map:first-child {}')].map((one) => {})"
    numbers, sums = (
        all_.format("[data-domain]", "one.dataset.domain"),
        all_.format(".patch", "one.textContent"),
    )
    assert set(browser.run(numbers)) == set(browser.run(sums)) >= {"1", "2"}
    fills = browser.run(
        "return [...document.querySelectorAll('.map:first-child [data-domain], .map:first-child .patch')]"
        ".map((one) => [one.dataset.domain ?? one.textContent, getComputedStyle(one).backgroundColor])"
    )
    each = {number: {fill for of, fill in fills if of == number} for number, _ in fills}
    assert all(len(one) == 1 for one in each.values()), "squares of a domain, and its sum, are alike"
    assert len(set.union(*each.values())) == len(each), "no two domains are"
    bare = ".squares button:not([data-domain])"
    fill = "return getComputedStyle(document.querySelector(arguments[0])).backgroundColor"
    assert browser.run(fill, bare) not in set.union(*each.values())
    wide = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
    assert browser.complaints() == []


def test_what_was_named_with_p5_is_said_before_anything_is_entered(table: Table) -> None:
    """A spellbook that gives P5 to a player leaves the score open until the coat is told."""
    headers = {"Content_Type": "application/json", TOKEN_HEADER: token(table)}
    status, told = ask(table, "/sheets/table", b"{}", **headers)
    assert status == 200
    read = json.loads(told)
    maps = [{"rows": one["rows"], "doubts": [], "unnamed": one is read["maps"][0]} for one in read["maps"]]
    place = f"/sheets/{read['photo']}/enter"
    status, told = ask(table, place, json.dumps({"maps": maps}).encode(), **headers)
    assert status == 409
    assert b"named with P5" in told
    settled = {"maps": [{**one, "unnamed": False} for one in maps]}
    assert ask(table, place, json.dumps(settled).encode(), **headers)[0] == 200


def test_a_coat_named_with_p5_may_bring_new_doubts(table: Table, browser: Browser) -> None:
    """A square that pays only for the coat that was named is looked at once, before maps are entered."""
    browser.open(table.screen.address + "sheets")
    browser.run(
        "const real = window.fetch; window.fetch = async (path, sent) => {"
        "  const answer = await real(path, sent);"
        "  if (path !== '/sheets/table') return answer;"
        "  const told = await answer.json();"
        "  told.maps.forEach(map => { map.doubts = []; map.named_doubts = {black: []}; });"
        "  told.maps[0].named_doubts.black = ['r5c7'];"
        "  return new Response(JSON.stringify(told), {headers: answer.headers}); }"
    )
    browser.click("#table")
    browser.until(lambda: browser.run("return document.querySelectorAll('.map').length") == 2, READ_S)

    def name(coat: str) -> None:
        browser.run(
            f"const list = document.querySelector('.map select'); list.value = '{coat}'; list.onchange()"
        )

    name("black")
    browser.until(lambda: doubted(browser) == 1)
    name("stripe")
    browser.until(lambda: doubted(browser) == 0)
    name("black")
    browser.until(lambda: doubted(browser) == 1)
    browser.click(".squares .doubt")
    browser.click("#pick [value=done]")
    browser.until(lambda: doubted(browser) == 0)
    browser.until(lambda: not browser.run("return document.querySelector('#enter').disabled"))
    assert browser.complaints() == []


def test_only_our_own_page_may_send_much(table: Table) -> None:
    """A large body is taken for the one path, with the token; otherwise it is refused by its head."""
    photo, mine = sheets()[0], token(table)
    large = {"Content_Type": "application/octet-stream", TOKEN_HEADER: mine}
    assert len(photo) > 8192
    assert ask(table, "/sheets/read", photo, **large)[0] == 200
    for path, headers in (
        ("/sheets/read", {**large, TOKEN_HEADER: "guess"}),
        ("/sheets/read", {"Content_Type": "application/octet-stream"}),
        ("/sheets/score", large),
        ("/api/do", large),
    ):
        assert ask(table, path, photo[:9000], **headers)[0] == 413
    head = {**large, "Content_Length": str(MOST_BYTES + 1)}
    assert ask(table, "/sheets/read", b"", **head)[0] == 413


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/sheets/table", {}, 403),
        ("/sheets/table", {"Origin": "http://evil.example"}, 403),
        ("/sheets/x/enter", {"Content_Type": "text/plain"}, 403),
        ("/sheets/table", {"Host": "evil.example"}, 421),
    ],
)
def test_sheets_are_behind_the_same_door(
    table: Table, path: str, headers: dict[str, str], status: int
) -> None:
    """Whoever is not our page neither reads the table nor enters anything in the match."""
    assert ask(table, path, b"{}", **{"Content_Type": "application/json", **headers})[0] == status


def test_a_hand_over_the_table_is_asked_to_leave(table: Table) -> None:
    """A picture with a hand in it is not scored, at the dashboard and at the terminal alike."""
    table.stage.states[table.source.at + 1 :] = [FrameState.HAND] * 50_000
    table.stage.scenes[table.source.at + 1 :] = [None] * 50_000
    until(lambda: look_at(table) is FrameState.HAND)
    headers = {"Content_Type": "application/json", TOKEN_HEADER: token(table)}
    status, told = ask(table, "/sheets/table", b"{}", **headers)
    assert status == 409
    assert b"A hand is over the table" in told
    assert score_table(table.running.desk) == ["A hand is over the table: take it away and try again."]


def test_the_terminal_scores_them_too(table: Table) -> None:
    """Both maps with their players' names; into the journal unless a square is doubtful, and said so."""
    lines = score_table(table.running.desk)
    assert "Bo" in [line.strip() for line in lines]
    if lines[-1].startswith("Nothing is entered"):
        # On some of them the score hangs; on others it hardly does, and they are named, too.
        assert any(words in line for line in lines for words in ("look at", "not clear, but"))
        return
    until(lambda: bool(entered(table)))
    note = [event for event in read_chain(table.path).events if event.kind == "note"][-1]
    (picture,) = read_pictures(table.path, note)
    assert picture.jpeg.startswith(b"\xff\xd8")
    assert len(picture.jpeg) <= 300_000
