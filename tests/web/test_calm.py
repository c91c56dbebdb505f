"""The page changes only what changed: no press and no focus is ever lost, however often it is told anew."""

import json
import socket
import time
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device.match.acts import taken_up
from device.match.match import Match, Pending
from device.match.match_view import view
from device.match.phase import Phase
from tests.device.match.match_bench import FACTS, LEGAL, game
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import ruled
from web.changes import changes

TAB, SPACE = "\ue004", " "


def waiting() -> Match:
    """A match in which a move waits to be confirmed."""
    before, after = game(*FACTS), game(*FACTS, LEGAL[0])
    return Match(Phase.RULED, blank=game(), game=before, pending=Pending(after, None))


def stirring(number: int) -> dict[str, Any]:
    """The view of that match in which something else is different each time, and rows come and go."""
    told = dict(view(waiting()))
    told["words"] = f"Look {number}."
    told["log"] = told["log"][: 1 + number % len(told["log"])]
    told["agreed"] = [1] if number % 2 else []
    told["places"] = [f"Place {k}." for k in range(number % 4)]
    told["version"] = number
    return told


@pytest.mark.parametrize("presses", [36, pytest.param(300, marks=pytest.mark.long)])
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_no_slow_press_is_lost(tmp_path: Path, browser: Browser, presses: int, size: tuple[int, int]) -> None:
    """Presses of 250 ms, while the table updates ten times a second: each of them arrives, once."""
    if presses == 300 and size[0] == 1280:
        pytest.skip("the long run is made at a phone's width")
    with ShownDesk(tmp_path, waiting()) as shown:
        browser.size(*size)
        browser.open(shown.address)
        browser.until(lambda: browser.text("#buttons .p1"))
        shown.changing(stirring)
        browser.until(lambda: "Look" in browser.text("#words"))
        for _ in range(presses // 12):
            browser.press("#buttons .p2", times=12)
        browser.until(lambda: len(shown.said) >= presses, 10)
        assert [one.number for one in shown.said] == [2] * presses
        assert browser.complaints() == []


def test_under_a_finger_the_last_update_of_each_kind_waits(tmp_path: Path, browser: Browser) -> None:
    """How the box is takes no view's place: both come as soon as the finger has gone."""
    with ShownDesk(tmp_path, ruled()) as shown:
        browser.open(shown.address)
        browser.until(lambda: browser.text("#buttons"))
        before, after = browser.run(
            """const pressed = document.querySelector("#buttons button");
            const finger = (kind) => pressed.dispatchEvent(new Event(kind, { bubbles: true }));
            return import("/static/page.js").then(({ calmly }) => new Promise((told) => {
              const seen = [];
              finger("pointerdown");
              for (const view of [1, 2]) calmly(() => seen.push(view));
              calmly(() => seen.push("box"), "glance");
              const before = [...seen];
              finger("pointerup");
              setTimeout(() => told([before, seen]), 500);
            }));"""
        )
        assert before == []
        assert after == [2, "box"]


def test_the_keyboard_keeps_its_place(tmp_path: Path, browser: Browser) -> None:
    """The focus stays where it is through a hundred updates; the space bar presses what it is on."""
    with ShownDesk(tmp_path, waiting()) as shown:
        browser.open(shown.address)
        browser.until(lambda: browser.text("#buttons .p1"))
        browser.run("document.querySelector('#buttons .p2').focus(); window.at = document.activeElement")
        shown.changing(stirring, 0.02)
        browser.until(lambda: int(browser.text("#words").removeprefix("Look ").strip(".") or 0) > 100)
        assert browser.run("return document.activeElement === window.at")
        browser.keys(SPACE)
        browser.until(lambda: shown.said)
        assert shown.said[0].number == 2
        # What was typed stays too, and so does the caret in it.
        browser.run("document.querySelector('#line').focus()")
        browser.type("#line", "1: take")
        browser.run("document.querySelector('#line').setSelectionRange(2, 2)")
        seen = browser.text("#words")
        browser.until(lambda: browser.text("#words") != seen)
        caret = "const l = document.querySelector('#line'); return [l.value, l.selectionStart]"
        assert browser.run(caret) == ["1: take", 2]


def test_a_node_stays_the_same_node(tmp_path: Path, browser: Browser) -> None:
    """Rows that come before, between and after, and an order that turns round: each keeps its own node."""
    with ShownDesk(tmp_path, waiting()) as shown:
        browser.open(shown.address)
        made = """return import("/static/keyed.js").then(({ h, patch }) => {
          const place = document.createElement("ul"); document.body.append(place);
          const show = (keys) => patch(place, keys.map((k) => h("li", { key: k, tabindex: 0 }, k)));
          const of = () => new Map([...place.children].map((one) => [one.textContent, one]));
          const wrong = []; let before = new Map();
          for (const keys of arguments[0]) {
            show(keys);
            if (place.textContent !== keys.join("")) wrong.push([keys, place.textContent]);
            for (const [key, node] of of()) if (before.has(key) && before.get(key) !== node) wrong.push(key);
            const at = before.focused;
            if (at && keys.includes(at) && document.activeElement !== of().get(at)) wrong.push("focus " + at);
            before = of();
            if (keys.length) { before.focused = keys[keys.length >> 1]; before.get(before.focused).focus(); }
          }
          return wrong; })"""
        rng = Random(3)
        orders = [rng.sample("abcdefgh", rng.randrange(9)) for _ in range(300)]
        assert browser.run(made, orders) == []


def test_the_page_carries_out_what_changed_as_it_was_meant(tmp_path: Path, browser: Browser) -> None:
    """What the page makes of the steps of 300 pairs of views is what they were made from."""
    rng = Random(5)

    def some(depth: int) -> Any:
        kind = rng.randrange(4 if depth else 2)
        if kind == 2:
            return [some(depth - 1) for _ in range(rng.randrange(5))]
        if kind == 3:
            return {key: some(depth - 1) for key in "kqx" if rng.random() < 0.7}
        return rng.choice([None, True, 3, "ab"])

    values = [some(4) for _ in range(301)]
    cases = [[before, changes(before, after)] for before, after in pairwise(values)]
    with ShownDesk(tmp_path, waiting()) as shown:
        browser.open(shown.address)
        script = """return import("/static/wire.js").then(({ changed }) =>
          arguments[0].map(([before, steps]) => JSON.stringify(changed(before, steps))))"""
        made = [json.loads(one) for one in browser.run(script, cases)]
    assert made == values[1:]


def test_a_match_goes_on_where_it_was_after_the_page_slept(tmp_path: Path, browser: Browser) -> None:
    """A page that was hidden holds no line; when it is looked at again it shows what is true now."""
    with ShownDesk(tmp_path, taken_up(Match(), game(*FACTS))) as shown:
        browser.open(shown.address)
        browser.until(lambda: FACTS[1] in browser.text("#log"))
        hide = """Object.defineProperty(document, "hidden", { value: arguments[0], configurable: true });
          document.dispatchEvent(new Event("visibilitychange"))"""
        browser.run(hide, True)
        shown.desk.views.put(view(taken_up(Match(), game(*FACTS, LEGAL[0]))))
        time.sleep(0.5)
        assert LEGAL[0] not in browser.text("#log")
        browser.run(hide, False)
        browser.until(lambda: LEGAL[0] in browser.text("#log"), 5)


def test_one_screen_too_many_asks_again_and_again_and_recovers(tmp_path: Path, browser: Browser) -> None:
    """All streams are taken: the page says so, shows what changes all the same, and follows live later."""
    with ShownDesk(tmp_path, waiting()) as shown:
        port = shown.screen.port
        others = []
        for k in range(16):
            one = socket.create_connection(("127.0.0.1", port), 5, source_address=(f"127.0.1.{k + 1}", 0))
            one.sendall(b"GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            assert b"200 OK" in one.recv(4096)
            others.append(one)
        browser.open(shown.address)
        browser.until(lambda: "Too many screens" in browser.text("#followed"))
        shown.changing(stirring)
        browser.until(lambda: "Look" in browser.text("#words"))
        seen = browser.text("#words")
        browser.until(lambda: browser.text("#words") != seen, 5)
        browser.press("#buttons .p1")
        browser.until(lambda: shown.said)
        for one in others:
            one.close()
        browser.until(lambda: browser.text("#followed") == "", 10)
        assert shown.screen.viewers == 1
