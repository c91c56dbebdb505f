"""Around the match by keyboard alone: first evening, owner, joining. Each control is reached and seen."""

from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from device.health.finding import fails
from device.service import owner as owner_module
from device.service.pairing import Pairing
from tests.web.browser import MISSING, Browser
from tests.web.lobbies import ShownLobby
from tests.web.test_keyboard import ENTER, TAB
from tests.web.test_phone import BY_NAME, CODE, MAPPED

PASSWORD = "correct horse battery"
_NAMED = """const aside = (one) => one.type === "radio" && !one.checked
  && document.querySelector(`input[name="${one.name}"]:checked`); // arrows lead there
const kinds = "a[href], button, input, select, textarea, summary, [tabindex='0']";
const all = [...document.querySelectorAll(kinds)].filter(
  (one) => one.checkVisibility() && !one.disabled && !one.closest("[inert]") && !aside(one));
const called = (one) => `${one.localName} ${one.id || one.name || one.innerText}`;
all.forEach((one, k) => { one.dataset.walked ??= `${k} ${called(one)}`; });
"""
_ALL = _NAMED + "return all.map((one) => one.dataset.walked);"
_NOW = (
    _NAMED
    + """const one = document.activeElement, tile = one.closest("label") ?? one;
if (one === document.body) return ["", false, false];
const box = one.getBoundingClientRect();
const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
const seen = one.matches(":focus-visible") && Boolean(top) && (tile.contains(top) || top.contains(one));
return [one.dataset.walked ?? "unknown", seen, one.localName === "summary" && !one.parentNode.open];"""
)
"""What has the focus, whether it is seen to have it, and whether it is closed; empty where nothing has it."""
_MATCH = {
    "players": ["Ann", "Bo"], "title": "Dominoids", "game": "dominoids", "scores": [1, 2], "winner": 0,
    "over": False, "at": 1.8e9, "confirm": "auto", "by": "hand",
}  # fmt: skip


@pytest.fixture(scope="module")
def keys(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser to which a name of the network leads here, as to a phone."""
    if MISSING:
        pytest.skip(MISSING)
    with Browser(tmp_path_factory.mktemp("keys"), MAPPED) as made:
        made.viewport(1280, 800)
        yield made


@pytest.fixture
def pairing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pairing:
    """Two screens are paired, and nobody is the owner yet; hashes take no time."""
    monkeypatch.setitem(owner_module._COST, "n", 2)
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    made = Pairing(code=CODE, say=lambda _: None)
    for name in ("TV", "iPad"):
        made.let_in(name)
    return made


def walk(keys: Browser) -> list[str]:
    """Tab through all of a page that was just opened, open what is closed, and go round once."""
    reached: list[str] = []
    for _ in range(200):
        keys.keys(TAB)
        now, seen, closed = keys.run(_NOW)
        if not now or now in reached:
            break
        reached.append(now)
        assert seen, f"{now} is covered"
        if closed:
            keys.keys(ENTER)
            assert not keys.run(_NOW)[2]
    return reached


def all_of(keys: Browser) -> list[str]:
    """All that can be reached now; of radio buttons one is enough."""
    return list(keys.run(_ALL))


def press(keys: Browser, selector: str) -> None:
    """Tab on to it, and press it."""
    keys.reach(selector)
    assert keys.run(_NOW)[1]
    keys.keys(ENTER)


def holds(keys: Browser, selector: str) -> None:
    """Wait until what was pressed is done and the focus is there; it is nowhere else for good."""
    keys.until(lambda: keys.run("return document.activeElement.matches(arguments[0])", selector), 20)


def many(keys: Browser, selector: str) -> int:
    """How many of these there are."""
    return int(keys.run("return document.querySelectorAll(arguments[0]).length", selector))


def test_the_first_evening_by_keyboard(keys: Browser, pairing: Pairing) -> None:
    """All of its seven steps; what works keeps the focus and is not begun twice, what is settled leads on."""
    go, asked = Event(), list[int]()

    def doctor() -> list[Any]:
        asked.append(1)
        assert go.wait(20)
        return [dict(fails("camera", "it sends no picture", "check the cable").to_json())]

    with ShownLobby(pairing).but(doctor=doctor) as lobby:
        keys.open(f"{lobby.address}first")
        reached = walk(keys)
        assert sorted(reached) == sorted(all_of(keys))
        assert len(reached) > 40
        press(keys, "#check")
        keys.until(lambda: asked)
        keys.keys(ENTER)
        holds(keys, "#check[aria-disabled]")
        go.set()
        keys.until(lambda: "check the cable" in keys.text("#findings"))
        holds(keys, "#check:not([aria-disabled])")
        assert asked == [1]
        for step, after in (("machine", "paper"), ("paper", "aiming"), ("aiming", "learn")):
            press(keys, f"#{step} .{'skip' if step == 'machine' else 'done'}")
            holds(keys, f"#{after} > summary")
        for button, told in (("see", "learned"), ("try", "tried"), ("again", "tried")):
            press(keys, f"#{button}")
            keys.until(lambda told=told: "There is no picture" in keys.text(f"#{told}"))
            holds(keys, f"#{button}")


def test_the_owner_s_page_by_keyboard(keys: Browser, pairing: Pairing) -> None:
    """From the first password on; what is let go, forgotten or deleted hands the focus to what is next."""
    shown = ShownLobby(pairing, matches=[{**_MATCH, "name": name} for name in ("a", "b")])

    def delete(name: str) -> str:
        shown.box["matches"] = [one for one in shown.box["matches"] if one["name"] != name]
        return ""

    with shown.but(delete=delete) as lobby:
        keys.open(f"{lobby.address}owner")
        keys.reach("#set [name=password]")
        keys.keys(*PASSWORD, ENTER)
        keys.until(lambda: keys.text("#parts summary") and keys.text("#matches button"))
        reached = walk(keys)
        assert sorted(reached) == sorted(all_of(keys))
        assert len(reached) > 80
        for left in (1, 0):
            press(keys, "#screens button")
            for _ in range(5):  # the key is held
                keys.devtools("Input.dispatchKeyEvent", type="rawKeyDown", key="Enter", code="Enter",
                              windowsVirtualKeyCode=13, autoRepeat=True)  # fmt: skip
                keys.devtools("Input.dispatchKeyEvent", type="char", text="\r", autoRepeat=True)
            keys.until(lambda left=left: many(keys, "#screens button") == left == len(pairing.phones()))
            holds(keys, "#screens button" if left else "section > h2")
        keys.reach("#pin [name=pin]")
        keys.keys(*"4321", ENTER)
        keys.until(lambda: keys.text("#pin-now") == "A PIN is set.")
        holds(keys, "#pin [name=pin]")
        press(keys, "#no-pin")
        holds(keys, "#pin [name=pin]")
        for left in (1, 0):
            press(keys, "#matches button")
            holds(keys, "#sure [value=no]")
            press(keys, "#sure-yes")
            keys.until(lambda left=left: many(keys, "#matches button") == left == len(lobby.box["matches"]))
            holds(keys, "#matches button" if left else "section > h2")
        press(keys, "#stick")
        keys.until(lambda: "There is no USB stick" in keys.text("#stick-now"))
        holds(keys, "#stick:not([aria-disabled])")
        press(keys, "#leave")
        keys.until(lambda: keys.run("return location.pathname") == "/")


def test_a_phone_joins_by_keyboard(keys: Browser, pairing: Pairing) -> None:
    """The card, the field for the code, a wrong one, the right one; and the same field on another page."""
    with ShownLobby(pairing) as lobby:
        keys.open(f"{lobby.address}join")
        assert sorted(walk(keys)) == sorted(all_of(keys))
        for page in ("join", ""):
            keys.devtools("Network.clearBrowserCookies")
            keys.open(f"http://{BY_NAME}:{lobby.screen.port}/{page}")
            keys.until(lambda: keys.run("return document.querySelector('#door').checkVisibility()"))
            if not page:
                keys.until(lambda: keys.run("return document.querySelectorAll('#readings label').length"))
            assert sorted(walk(keys)) == sorted(all_of(keys))
            keys.reach("#code")
            keys.keys(*"111111", ENTER)
            keys.until(lambda: keys.text("#door-told").startswith("This is not the code"))
            holds(keys, "#code")
            keys.keys(*CODE, ENTER)
            keys.until(lambda: keys.run("return document.body.dataset.may") == "act")
            assert keys.run("return location.pathname") == "/"
        holds(keys, "h1")
