"""The owner's page: a password at the first start, then screens, PIN, settings, deleting, one file of all."""

import io
import json
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.service import owner as owner_module
from device.service.owner import LEAST, SESSION_S, Owner
from device.service.pairing import Pairing
from tests.device.match.match_bench import FACTS
from tests.device.service.boxes import RealBox
from tests.web.browser import Browser

PASSWORD = "correct horse battery"


class Time:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self) -> float:
        """The time."""
        return self.now


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that take no time."""
    monkeypatch.setitem(owner_module._COST, "n", 2)


def test_only_a_hash_of_the_password_is_kept(tmp_path: Path) -> None:
    """scrypt, a salt of its own, in a file that nobody else reads; it is known after a restart."""
    path = tmp_path / "owner.json"
    owner = Owner(path)
    assert not owner.is_set
    assert owner.set_password("short") == f"A password has at least {LEAST} letters."
    assert owner.set_password(PASSWORD) == ""
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert PASSWORD not in path.read_text()
    again = Owner(path)
    assert again.is_set
    assert again.enter("192.168.1.7", PASSWORD)[2]
    assert again.enter("192.168.1.7", json.loads(path.read_text())["password"]["key"])[0]


@pytest.mark.usefixtures("quick")
def test_guessing_is_slow_and_right_words_wait_too() -> None:
    """Five wrong ones a minute from an address; then even the right one waits. A right one costs nothing."""
    clock = Time()
    owner = Owner(clock=clock)
    owner.set_password(PASSWORD)
    for _ in range(20):
        assert owner.enter("10.0.0.1", PASSWORD)[2]
    for _ in range(5):
        assert owner.enter("10.0.0.1", "wrong")[0] == "This is not the password."
    words, wait, secret = owner.enter("10.0.0.1", PASSWORD)
    assert words.startswith("Too many wrong passwords")
    assert wait > 50
    assert not secret
    clock.now += 61
    assert owner.enter("10.0.0.1", PASSWORD)[2]


@pytest.mark.usefixtures("quick")
def test_a_session_ends_by_itself() -> None:
    """A quarter of an hour after it was used last, at once when it is left, and with another password."""
    clock = Time()
    owner = Owner(clock=clock)
    owner.set_password(PASSWORD)
    first, second = (owner.enter("10.0.0.1", PASSWORD)[2] for _ in range(2))
    clock.now += SESSION_S - 1
    owner.used(first)
    clock.now += 2
    assert owner.knows(first)
    assert not owner.knows(second)
    owner.leave(first)
    assert not owner.knows(first)
    third = owner.enter("10.0.0.1", PASSWORD)[2]
    owner.set_password(PASSWORD + "!")
    assert not owner.knows(third)
    assert not owner.knows("")


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("text", ["", "{}", "[]", '{"version": 9}', '{"version": 1, "password": 3}'])
def test_a_damaged_file_opens_nothing(tmp_path: Path, text: str) -> None:
    """Nobody becomes the owner by a torn file; whoever has the machine takes it away."""
    path = tmp_path / "owner.json"
    path.write_text(text)
    owner = Owner(path)
    assert owner.is_set
    assert owner.has_pin
    assert owner.enter("10.0.0.1", "")[0]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("pin", ["123", "123456", "12a4", "１２３４", " 1234"])
def test_a_pin_is_four_or_five_digits(pin: str) -> None:
    """Six would be taken for the code."""
    assert Owner().set_pin(pin) == "A PIN has four or five digits."


@pytest.mark.usefixtures("quick")
def test_the_pin_lets_look_and_the_code_lets_act(tmp_path: Path) -> None:
    """One field for both; wrong ones count together."""
    pairing = Pairing(tmp_path / "phones.json", code="246810", say=lambda _: None)
    assert pairing.join("10.0.0.1", "1234")[0].words.startswith("The code has six digits")
    pairing.owner.set_pin("1234")
    answer, secret = pairing.join("10.0.0.1", "1234", "TV")
    assert answer.let_in
    assert pairing.role_of(secret) == "viewer"
    assert pairing.role_of(pairing.join("10.0.0.1", "246810")[1]) == "player"
    for left in (4, 3, 2, 1, 0):
        assert pairing.join("10.0.0.2", "9999")[0].left == left
    assert pairing.join("10.0.0.2", "1234")[0].wait_s > 0
    again = Pairing(tmp_path / "phones.json")
    assert [(one.role, one.name) for one in again.phones()] == [("viewer", "TV"), ("player", "")]
    assert again.forget(again.phones()[0].short)
    assert again.role_of(secret) is None


@pytest.fixture
def box(tmp_path: Path) -> Iterator[RealBox]:
    """A real box with a match that is kept."""
    with RealBox(tmp_path / "box") as made:
        made.begin()
        made.type(FACTS[0])
        made.post("/api/box/do", {"kind": "leave"})
        made.until(lambda: made.json("/api/box").get("matches"))
        yield made


def test_the_owner_s_page_from_the_first_start(box: RealBox, browser: Browser, tmp_path: Path) -> None:
    """Set the password, a PIN, settings wrong and right; fetch all of it; delete; leave; come back."""
    browser.size(390, 844)
    browser.open(f"http://localhost:{box.port}/owner")
    browser.type('#set [name="password"]', PASSWORD)
    browser.click("#set button")
    browser.until(lambda: "Zaphod – Trillian" in browser.text("#matches"))
    assert "HttpOnly" not in browser.run("return document.cookie")
    assert browser.run("return document.cookie") == ""
    browser.type('#pin [name="pin"]', "4321")
    browser.click("#pin button")
    browser.until(lambda: "A PIN is set" in browser.text("#pin-now"))
    browser.run("document.querySelector('#file').open = true")
    browser.type('#settings [name="settings"]', "[manners]\ncalm_s = 'long'\n")
    browser.click("#settings button")
    browser.until(lambda: "calm_s" in browser.text("#notice"))
    clear = "document.querySelector('#settings textarea').value = ''"
    browser.run(clear)
    browser.type('#settings [name="settings"]', "[manners]\ncalm_s = 2.5\n")
    browser.click("#settings button")
    browser.until(lambda: browser.text("#notice").startswith("Kept."))
    assert (tmp_path / "box" / "state" / "settings.toml").read_text() == "[manners]\ncalm_s = 2.5\n"
    fetched = """return fetch("/api/owner/everything.zip").then((a) => a.arrayBuffer())
      .then((data) => [...new Uint8Array(data)])"""
    file = zipfile.ZipFile(io.BytesIO(bytes(browser.run(fetched))))
    assert any(name.endswith(".match") for name in file.namelist())
    assert not any("owner" in name or "phones" in name for name in file.namelist())
    wide = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
    assert wide[0] <= wide[1]
    browser.click("#matches button")
    browser.click('#sure [value="yes"]')
    browser.until(lambda: "Zaphod" not in browser.text("#matches"))
    assert list((tmp_path / "box" / "state" / "matches").glob("*.match*")) == []
    browser.click("#leave")
    browser.until(lambda: browser.run("return location.pathname") == "/")
    browser.open(f"http://localhost:{box.port}/owner")
    browser.type('#enter [name="password"]', "wrong words")
    browser.click("#enter button")
    browser.until(lambda: "This is not the password." in browser.text("#notice"))
    assert PASSWORD not in (tmp_path / "box" / "state" / "owner.json").read_text()


def test_settings_are_fields_with_their_meaning_and_lose_nothing(
    box: RealBox, browser: Browser, tmp_path: Path
) -> None:
    """Wrong ones are told at the field; a comment stays; what is emptied is as shipped; keys alone do it."""
    path = tmp_path / "box" / "state" / "settings.toml"
    path.write_text("# ours\n[manners]\ncalm_s = 2.5  # we are slow\n")
    browser.viewport(390, 844, mobile=True)
    browser.open(f"http://localhost:{box.port}/owner")
    browser.type('#set [name="password"]', PASSWORD)
    browser.click("#set button")
    browser.until(lambda: browser.run("return document.querySelectorAll('#parts details').length") == 9)
    browser.run("document.querySelectorAll('#parts details').forEach((one) => { one.open = true; })")
    assert "How it referees 1 set" in browser.text("#parts summary")
    field = "const f = document.getElementById(arguments[0]); return "
    assert browser.run(f"{field} f.value", "manners.calm_s") == "2.5"
    assert browser.run(f"{field} f.placeholder", "service.port") == "as shipped: 8000"
    described = f"{field} document.getElementById(f.getAttribute('aria-describedby')).textContent"
    assert browser.run(described, "camera.fps") == "How many pictures a second are watched."
    assert browser.run("return document.documentElement.scrollWidth <= innerWidth")
    browser.type('[name="camera.fps"]', "fast\n")
    browser.until(lambda: "camera.fps should be a number such as 1.5, not 'fast'." in browser.text("#parts"))
    assert browser.run("return document.activeElement.name") == "camera.fps"
    assert browser.run("return document.activeElement.getAttribute('aria-invalid')") == "true"
    assert path.read_text().startswith("# ours\n[manners]\ncalm_s = 2.5  # we are slow")
    clear = "document.querySelector(`[name=\"${arguments[0]}\"]`).value = ''"
    browser.run(clear, "camera.fps")
    browser.run(clear, "manners.calm_s")
    browser.run("document.querySelector('[name=\"service.look\"]').value = 'code'")
    browser.type('[name="camera.fps"]', "8\n")
    browser.until(lambda: browser.text("#notice").startswith("Kept."))
    kept = '# ours\n[manners]\n\n[camera]\nfps = 8.0\n\n[service]\nlook = "code"\n'
    assert path.read_text() == kept
    browser.until(lambda: browser.run("return document.querySelector('#settings textarea').value") == kept)
    browser.click("#fields button")
    browser.until(lambda: browser.text("#notice") == "Nothing was changed.")
    browser.run("document.querySelector('[name=\"camera.lens\"]').value = 'webcam-78'")
    browser.click("#fields button")
    browser.until(lambda: 'lens = "webcam-78"\n' in path.read_text())
