"""The dashboard in a real browser: a whole flow of a match, hostile names, and a phone's width."""

import http.client
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.journal.game import began
from device.journal.store import Journal
from device.live.running import Running
from device.match.acts import taken_up
from device.match.match import Manners, Match
from device.match.phase import Phase
from engine.history import History
from tests.device.live.scripted import ScriptedSource, Stage, eye_on, shows
from tests.device.live.test_chain import Watcher
from tests.device.match.match_bench import FACTS, ILLEGAL, LEGAL
from tests.web.browser import Browser
from vision.view import FrameState
from web.server import WebScreen

HOSTILE = "<img src=x onerror=document.title='owned'>"


class Table:
    """A match with its dashboard, on a port of its own."""

    def __init__(
        self, path: Path, source: type[ScriptedSource] = ScriptedSource, screen: WebScreen | None = None
    ) -> None:
        self.path = path
        self.first = History.begin("kingdomino-duel", players=(HOSTILE, "Bo"))
        for line in FACTS:
            self.first = self.first.fact(line)
        self.stage, self.watcher = Stage(), Watcher()
        self.show([])
        self.screen = screen or WebScreen("127.0.0.1", 0)
        self.source = source(self.stage, recorded=False, pace_s=0.02)
        match = taken_up(Match(manners=Manners(confirm="button"), blank=self.first), self.first)
        journal = Journal(path)
        journal.append(began(self.first))
        self.running = Running(
            match, journal, source=self.source, eye=eye_on(self.stage, self.first),
            tellers=[self.watcher], screens=[self.screen],
        )  # fmt: skip
        self.thread = threading.Thread(target=self.running.run)
        self.thread.start()

    def show(self, moves: list[str]) -> None:
        """What lies on the table from now on, after a hand came and went."""
        del self.stage.states[200_000:]
        self.stage.move(shows([*FACTS, *moves]))
        self.stage.show(FrameState.SETTLED, shows([*FACTS, *moves]), 50_000)

    def now(self, moves: list[str]) -> None:
        """The next frame shows this."""
        del self.stage.states[self.source.at :]
        del self.stage.scenes[self.source.at :]
        self.show(moves)

    @property
    def phase(self) -> Phase:
        """The phase now."""
        return self.watcher.match.phase

    def close(self) -> None:
        """End."""
        self.running.stop()
        self.thread.join(10)
        assert not self.thread.is_alive()


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    """A match with its dashboard."""
    made = Table(tmp_path / "a.match")
    yield made
    made.close()


def test_a_match_is_refereed_on_the_dashboard(table: Table, browser: Browser) -> None:
    """Confirm a legal move, see a refusal with its rule, say it was misread, pause, type: all in the browser.

    Nothing that a player is called is ever taken for markup, and the page breaks none of its own rules.
    """
    browser.size(1300, 950)
    browser.open(table.screen.address)
    browser.until(lambda: "to move" in browser.text("#headline"))
    assert HOSTILE in browser.text("#scores")
    table.now([LEGAL[0]])
    browser.until(lambda: browser.text("#headline").endswith("waits to be confirmed"))
    assert "KDD-2" in browser.text("#ruling")
    browser.click("#buttons .p1")
    browser.until(lambda: table.phase is Phase.WATCHING)
    browser.until(lambda: LEGAL[0] in browser.text("#log"))
    browser.until(lambda: browser.run("return document.querySelector('#lamps .green.lit') !== null"))
    table.now([LEGAL[0], ILLEGAL])
    browser.until(lambda: "Not allowed" in browser.text("#headline"))
    assert "Bo is B" in browser.text("#verdict")
    pressed = (
        "[...document.querySelectorAll('#buttons button')].find(b => b.innerText == arguments[0]).click()"
    )
    browser.run(pressed, "I was misread")
    browser.until(lambda: "Which was it" in browser.text("#headline"))
    browser.run("return [...document.querySelectorAll('#choices button')][0].click()")
    browser.until(lambda: table.watcher.match.game and len(table.watcher.match.game.entries) == 4)
    browser.run(pressed, "Pause")
    browser.until(lambda: "Paused" in browser.text("#headline"))
    browser.type("#line", "hello\n")
    browser.until(lambda: "is no move" in browser.text("#notice"))
    browser.until(lambda: "is no move" in browser.text("#line-answer"))
    assert browser.run("return document.querySelector('#line').value") == "hello"
    browser.run(pressed, "Go on")
    browser.until(lambda: table.phase is not Phase.PAUSED)
    browser.until(lambda: browser.run("return document.querySelector('#picture').naturalWidth") > 0)
    assert "owned" not in browser.run("return document.title")
    assert browser.complaints() == []


@pytest.mark.parametrize("page", ["/", "/sheets"])
def test_what_is_hidden_is_not_shown(table: Table, browser: Browser, page: str) -> None:
    """Before the camera's first picture there is no broken one, but the word that there is none."""
    browser.open(table.screen.address + page)
    shown = """return [...document.querySelectorAll("img, div, p")].filter((one) => {
        one.hidden = true; return getComputedStyle(one).display !== "none"; }).length"""
    assert browser.run(shown) == 0


def test_an_answer_says_what_it_was_given_to(table: Table, browser: Browser) -> None:
    """A page that still shows the question before does not answer the one that came in its place."""
    browser.open(table.screen.address)
    browser.until(lambda: "to move" in browser.text("#headline"))
    table.now([LEGAL[0]])
    browser.until(lambda: browser.text("#buttons .p1"))
    sent = """window.sent = null; const fetch_ = window.fetch;
        window.fetch = (url, how) => { if (how?.method === "POST") window.sent = JSON.parse(how.body);
        return fetch_(url, how); }"""
    browser.run(sent)
    key = table.watcher.match.key
    browser.click("#buttons .p1")
    browser.until(lambda: browser.run("return window.sent") is not None)
    assert browser.run("return window.sent") == {"kind": "confirm", "number": 1, "key": key}


def test_the_pictures_of_a_ruling_can_be_looked_at(table: Table, browser: Browser) -> None:
    """Each entry shows what it rests on."""
    browser.open(table.screen.address)
    browser.until(lambda: "to move" in browser.text("#headline"))
    table.now([LEGAL[0]])
    browser.until(lambda: browser.text("#buttons .p1"))
    browser.click("#buttons .p1")
    browser.until(lambda: LEGAL[0] in browser.text("#log") and table.phase is Phase.WATCHING)
    rows = "[...document.querySelectorAll('#log li')]"
    entry = f"{rows}.find(row => row.innerText.includes('take 4')).querySelector('button')"
    browser.until(lambda: not browser.run(f"return {entry}.disabled"))
    browser.run(f"{entry}.click()")
    loaded = (
        "return [...document.querySelectorAll('#past-pictures img')].filter(i => i.naturalWidth > 0).length"
    )
    browser.until(lambda: browser.run(loaded) == 3)


def test_a_phone_shows_everything_without_scrolling_sideways(table: Table, browser: Browser) -> None:
    """At 375 pixels nothing sticks out, and every button is as large as a thumb needs."""
    browser.size(375, 800)
    browser.open(table.screen.address)
    browser.until(lambda: browser.text("#buttons"))
    wide = browser.run("return [document.documentElement.scrollWidth, window.innerWidth]")
    assert wide[0] <= wide[1]
    low = browser.run(
        "return Math.min(...[...document.querySelectorAll('#buttons button')].map(b => b.offsetHeight))"
    )
    assert low >= 44


def test_a_page_of_somebody_else_cannot_press_a_button(
    table: Table, browser: Browser, tmp_path: Path
) -> None:
    """A hostile page in the same browser posts, fetches and embeds: the match hears nothing."""
    evil = tmp_path / "evil.html"
    at = table.screen.address
    evil.write_text(
        f"""<form id=f method=post action="{at}api/do" enctype="text/plain" target="hole">
        <input name='{{"kind":"pause","x":"' value='"}}'></form><iframe name=hole></iframe>
        <iframe src="{at}"></iframe><script>
        f.submit();
        fetch("{at}api/do", {{method: "POST", mode: "no-cors", body: '{{"kind":"pause"}}'}}).catch(() => 0);
        fetch("{at}api/do", {{method: "POST", headers: {{"Content-Type": "application/json"}},
          body: '{{"kind":"pause"}}'}}).catch(() => 0);
        fetch("{at}").then(r => r.text()).then(t => {{ window.stolen = t; }})
          .catch(() => {{ window.stolen = ""; }});
        </script>"""
    )
    browser.open(evil.as_uri())
    browser.until(lambda: browser.run("return window.stolen !== undefined"))
    assert browser.run("return window.stolen") == ""
    assert table.phase is not Phase.PAUSED
    assert Phase.PAUSED not in table.watcher.phases


def test_a_taken_port_is_refused_and_a_foreign_host_too(table: Table) -> None:
    """The port is taken before the match begins; a request under another name is answered 421."""
    port = int(table.screen.address.rsplit(":", 1)[1].strip("/"))
    with pytest.raises(OSError, match="in use"):
        WebScreen("127.0.0.1", port)
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    asked.request("GET", "/", headers={"Host": "evil.example"})
    assert asked.getresponse().status == 421
    asked.close()


def test_silent_phones_do_not_keep_the_page_from_others(table: Table) -> None:
    """Thirty listeners that never read a byte: the page still answers at once."""
    port = int(table.screen.address.rsplit(":", 1)[1].strip("/"))
    silent = []
    for _ in range(30):
        one = socket.create_connection(("127.0.0.1", port), timeout=10)
        one.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        silent.append(one)
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    asked.request("GET", "/api/view", headers={"Host": "localhost"})
    answer = asked.getresponse()
    assert answer.status == 200
    answer.read()
    asked.close()
    for one in silent:
        one.close()


def test_it_closes_while_its_own_thread_is_busy(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker wakes the server's thread at the very moment of the end: nothing is closed too early."""
    port = int(table.screen.address.rsplit(":", 1)[1].strip("/"))
    asked = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    asked.request("GET", "/", headers={"Host": "localhost"})
    assert asked.getresponse().status == 200  # it serves
    asked.close()
    trigger = next(one for one in table.screen._open.values() if hasattr(one, "thunks"))
    pull, closed = trigger._physical_pull, threading.Event()
    close = trigger.close

    here = threading.current_thread()

    def woken_before() -> None:
        if threading.current_thread() is here:
            pull()
            closed.wait(0.3)
        pull()

    def told_closed() -> None:
        close()
        closed.set()

    monkeypatch.setattr(trigger, "_physical_pull", woken_before)
    monkeypatch.setattr(trigger, "close", told_closed)
    table.screen.close(5.0)
    assert closed.wait(5)
    assert not table.screen._thread.is_alive()
