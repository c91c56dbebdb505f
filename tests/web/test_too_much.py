"""What the server itself refuses is told as all else is; what the owner's page promises to take is taken."""

import http.client
import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from calibration import toml
from calibration.profiles import CameraProfile
from device import lenses
from device.lenses import MOST_BYTES
from tests.device.service.boxes import RealBox
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import ruled
from web.guard import HEADERS, PASSWORD, TOKEN_HEADER
from web.owner_pages import MOST_SENT

WORDS = "correct horse battery"
SETTINGS = "/api/owner/settings"
LENS = toml.dump(CameraProfile("Den", 70.0))
Answer = tuple[int, Any, http.client.HTTPMessage]


def asked(port: int, raw: bytes) -> Answer:
    """Status, plain data and head of the answer to a request, as it is written here."""
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    line.connect()
    line.sock.sendall(raw)
    answer = http.client.HTTPResponse(line.sock, method="POST")
    answer.begin()
    text = answer.read()
    line.close()
    return answer.status, json.loads(text) if text else None, answer.headers


class Owned:
    """A real box whose owner has entered the password, and what their page sends to it."""

    def __init__(self, box: RealBox) -> None:
        self.box, self.cookie = box, ""
        self.token = box.get("/").partition('name="token" content="')[2].partition('"')[0]
        status, _, head = self.send("/api/owner/password", {"password": WORDS})
        assert status == 204
        self.cookie = head["Set-Cookie"].split(";")[0]

    def send(self, path: str, body: Any, **changed: str) -> Answer:
        """Send it; ``length`` tells another one than it has, and then nothing is sent but the head."""
        data = json.dumps(body, ensure_ascii=False).encode()
        head = {
            "Host": f"localhost:{self.box.port}", "Origin": f"http://localhost:{self.box.port}",
            "Content-Type": "application/json", "Content-Length": str(len(data)),
            TOKEN_HEADER: self.token, "Cookie": self.cookie,
        }  # fmt: skip
        head |= {name.replace("_", "-"): value for name, value in changed.items()}
        if "Content_Length" in changed:
            data = b""
        lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in head.items()), "", ""]
        return asked(self.box.port, "\r\n".join(lines).encode() + data)


@pytest.fixture(scope="module")
def owned(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Owned]:
    """One for all."""
    with RealBox(tmp_path_factory.mktemp("much") / "box") as box:
        box.until(lambda: box.json("/api/box"))
        yield Owned(box)


@pytest.mark.parametrize("text", ["# " + "x" * 9_000, "# " + "x" * 19_998, "# " + "€" * 19_998], ids=len)
def test_the_owner_keeps_settings_of_20_000_letters(owned: Owned, text: str) -> None:
    """As many as the field on the page takes, whichever letters they are."""
    assert owned.send(SETTINGS, {"settings": text})[:2] == (204, None)
    assert (owned.box.folder / "state" / "settings.toml").read_text() == text


def test_the_owner_gives_a_lens_of_20_kilobytes(owned: Owned) -> None:
    """One that is larger is refused by the box, which says how large it may be."""
    text = LENS + "#" * (MOST_BYTES - len(LENS))
    assert owned.send("/api/owner/lens", {"name": "den", "lens": text})[:2] == (204, None)
    for letter, expected in (("#", 422), ("\x01", 413)):
        status, told, _ = owned.send("/api/owner/lens", {"name": "attic", "lens": letter * 30_000})
        assert status == expected
        assert told["error"] == lenses.TOO_LARGE.format(kilobytes=20)


def test_a_field_of_9_kilobytes_is_answered_at_the_field(owned: Owned) -> None:
    """By the box, with its sentence."""
    status, told, _ = owned.send("/api/owner/fields", {"values": {"camera.fps": "x" * 9_000}})
    assert (status, told["field"]) == (422, "camera.fps")


def test_far_too_much_is_refused_by_its_head_in_the_one_shape(owned: Owned) -> None:
    """Though it is the owner who sends it."""
    told = owned.send(SETTINGS, {}, Content_Length=str(MOST_SENT + 1))
    assert told[:2] == (413, {"error": "This is too long.", "status": 413})
    chunked = f"POST {SETTINGS} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4000\r\n"
    assert asked(owned.box.port, chunked.encode() + b"x" * 0x4000)[0] == 403  # it is not even told by whom


def test_whoever_may_not_send_so_much_hears_that_and_not_that_it_is_too_much(owned: Owned) -> None:
    """A quarter of an hour is over sooner than a long text is written; the box was started anew meanwhile."""
    body = {"settings": "# " + "y" * 9_000}
    nobody = {"Cookie": "", "Host": "pipwatch.local", "Origin": "http://pipwatch.local"}
    for changed in ({"Cookie": ""}, nobody):
        status, told, head = owned.send(SETTINGS, body, **changed)
        assert (status, told["error"]) == (401, PASSWORD), changed
        assert head["Content-Type"] == "application/json"
    status, told, _ = owned.send(SETTINGS, body, **{TOKEN_HEADER: "guess"})
    assert status == 403
    assert told["error"].startswith("This page is out of date")
    assert owned.send("/api/box/do", {"kind": "begin", "x": "y" * 9_000})[0] == 413
    kept = owned.box.folder / "state" / "settings.toml"
    assert not kept.exists() or "yy" not in kept.read_text()


def test_a_long_text_that_comes_slowly_hears_why_it_is_refused(owned: Owned) -> None:
    """As over Wi-Fi, a piece after the other: the line is not cut before all of it has come."""
    head = {"Host": f"localhost:{owned.box.port}", "Content-Type": "application/json", TOKEN_HEADER: "old"}
    for length in (30_000, 190_000):
        lines = [f"POST {SETTINGS} HTTP/1.1", *(f"{k}: {v}" for k, v in head.items())]
        with socket.create_connection(("127.0.0.1", owned.box.port), timeout=20) as line:
            line.sendall("\r\n".join([*lines, f"Content-Length: {length}", "", ""]).encode())
            for start in range(0, length, 16_384):
                line.sendall(b"x" * min(16_384, length - start))
                time.sleep(0.003)
            answer = http.client.HTTPResponse(line, method="POST")
            answer.begin()
            assert (answer.status, json.loads(answer.read())["status"]) == (403, 403), length


def test_what_a_proxy_passes_on_is_no_program_of_this_machine(owned: Owned) -> None:
    """Nobody's long text is taken in because it comes by way of localhost."""
    body = {"settings": "# " + "y" * 9_000}
    status, told, _ = owned.send(SETTINGS, body, Cookie="", X_Forwarded_For="192.168.1.9")
    assert (status, told["error"]) == (401, PASSWORD)
    chunked = {"Transfer-Encoding": "chunked", "X-Forwarded-For": "192.168.1.9"}
    head = {"Host": f"localhost:{owned.box.port}", TOKEN_HEADER: owned.token, **chunked}
    lines = [f"POST {SETTINGS} HTTP/1.1", *(f"{k}: {v}" for k, v in head.items()), "", ""]
    piece = b"4000\r\n" + b"x" * 0x4000 + b"\r\n"
    assert asked(owned.box.port, "\r\n".join(lines).encode() + piece)[0] == 401


def test_the_owner_saves_a_long_text_on_the_page(owned: Owned, browser: Browser) -> None:
    """And what cannot be kept is told; a page on a telephone."""
    browser.viewport(390, 844, mobile=True)
    browser.open(f"http://localhost:{owned.box.port}/owner")
    browser.until(lambda: browser.run("return document.querySelector('#enter').onsubmit !== null"))
    browser.type('#enter [name="password"]', WORDS)
    browser.click("#enter button")
    shown = "return document.querySelector('#settings textarea')?.dataset.told !== undefined"
    browser.until(lambda: browser.run(shown))  # as it is kept, which may be empty
    browser.run("document.querySelector('#file').open = true")
    put = "document.querySelector('#settings textarea').value = arguments[0]"
    for text, told in (("# " + "z" * 9_000, "Kept."), ("z" * 9_000, "settings is not TOML")):
        browser.run(put, text)
        browser.click("#settings button")
        browser.until(lambda told=told: told in browser.text("#notice"))
    assert (owned.box.folder / "state" / "settings.toml").read_text() == "# " + "z" * 9_000


HEAD = b"Host: localhost\r\n"
REFUSALS = {
    "a head that is none": (b"POST /api/do HTTP/1.1\r\n" + HEAD + b"what\r\n\r\n", 400),
    "no request": (b"\x16\x03\x01 hello\r\n" + HEAD + b"\r\n", 400),
    "no length": (b"POST /api/do HTTP/1.1\r\n" + HEAD + b"Content-Length: much\r\n\r\n", 400),
    "an endless head": (b"GET / HTTP/1.1\r\n" + HEAD + b"X: " + b"x" * 20_000 + b"\r\n\r\n", 431),
    "packed": (b"POST /api/do HTTP/1.1\r\n" + HEAD + b"Transfer-Encoding: gzip\r\n\r\n", 501),
    "too much": (b"POST /api/do HTTP/1.1\r\n" + HEAD + b"Content-Length: 9000\r\n\r\n", 413),
}


def test_what_the_server_refuses_has_the_shape_of_every_refusal(tmp_path: Path) -> None:
    """A sentence and a number as JSON, with all that every answer forbids browsers."""
    with ShownDesk(tmp_path, ruled()) as shown:
        for what, (raw, expected) in REFUSALS.items():
            status, told, head = asked(shown.screen.port, raw)
            assert (status, told["status"]) == (expected, expected), what
            assert told.keys() == {"error", "status"}, what
            assert told["error"].endswith("."), what
            assert head["Content-Type"] == "application/json", what
            assert {name: head[name] for name in HEADERS} == HEADERS, what


def test_a_refusal_without_words_is_told_none_the_less(tmp_path: Path, browser: Browser) -> None:
    """Of a proxy, say: by its number, in the language of the page."""
    with ShownDesk(tmp_path, ruled()) as shown:
        for language, told in (("en", "This was refused (502)."), ("de", "Das wurde abgelehnt (502).")):
            browser.open(shown.address)
            browser.run("document.cookie = `language=${arguments[0]}; path=/`", language)
            browser.open(shown.address)
            browser.until(lambda: browser.text("#scores"))
            asks = "return import('/static/page.js').then((page) => page.refusal(new Response(%s)))"
            assert browser.run(asks % "'<h1>Bad</h1>', {status: 502}") == told
            assert browser.run(asks % "JSON.stringify({}), {status: 502}") == told
