"""A phone in a real browser: it looks, cannot act, enters the code, acts, and stays paired over a restart."""

import contextlib
import http.client
import http.server
import socket
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pypdfium2
import pytest

from device.match.phase import Phase
from device.service.address import Invitation, Wifi, addresses
from device.service.pairing import Look, Pairing
from tests.web.browser import MISSING, Browser
from tests.web.test_browser import Table
from web.guard import TOKEN_HEADER
from web.server import WebScreen
from web.sheet_pages import UPLOAD

CODE = "246810"
BY_NAME = "pipwatch.local"
MAPPED = "--host-resolver-rules=MAP *.local 127.0.0.1, MAP evil.example 127.0.0.1"
"""Names lead to this machine; a name of the network is not this machine's own page all the same."""


class Box:
    """A match on the network, which can be started again."""

    def __init__(self, folder: Path, look: Look = "open") -> None:
        self.folder, self.look, self.starts = folder, look, 0
        self.port = 0
        self.start()

    def start(self) -> None:
        """Begin, with the code of this start."""
        self.starts += 1
        self.pairing = Pairing(self.folder / "phones.json", self.look, CODE, say=lambda _: None)
        screen = WebScreen("0.0.0.0", self.port, self.pairing)
        self.port = screen.port
        self.pairing.invitation = Invitation(self.port, BY_NAME, ("192.168.1.4",))
        self.table = Table(self.folder / f"{self.starts}.match", screen=screen)

    def restart(self) -> None:
        """End, and begin again at the same port."""
        self.table.close()
        self.start()


@pytest.fixture
def box(tmp_path: Path) -> Iterator[Box]:
    """A match on the network."""
    made = Box(tmp_path)
    yield made
    made.table.close()


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[Browser]:
    """A browser as large as a phone."""
    if MISSING:
        pytest.skip(MISSING)
    with Browser(tmp_path / "phone", MAPPED) as made:
        made.size(390, 844)
        yield made


def pressed(phone: Browser, words: str) -> None:
    """Press a button of the table by its words."""
    by = "[...document.querySelectorAll('#buttons button')].find(b => b.innerText == arguments[0])"
    phone.until(lambda: phone.run(f"return Boolean({by})", words))
    phone.run(f"{by}.click()", words)


def complaints(phone: Browser, *expected: str) -> list[str]:
    """What the browser complains of, less a header that it heeds only where a page is encrypted."""
    ignored = ("Cross-Origin-Opener-Policy", *expected)
    return [line for line in phone.complaints() if not any(one in line for one in ignored)]


def seen(phone: Browser, selector: str) -> bool:
    """Whether something can be seen."""
    return bool(
        phone.run("return document.querySelector(arguments[0])?.checkVisibility() ?? false", selector)
    )


@pytest.mark.parametrize("way", ["by its address", "by its name"])
def test_a_phone_looks_then_enters_the_code_then_acts_and_stays_paired(
    box: Box, phone: Browser, way: str
) -> None:
    """No dead button before, the right ones afterwards, nothing asked after a restart."""
    host = BY_NAME if way == "by its name" else next(iter(addresses()), None)
    if host is None:
        pytest.skip("this machine is in no network")
    phone.open(f"http://{host}:{box.port}/")
    phone.until(lambda: "to move" in phone.text("#headline"))
    assert seen(phone, "#door")
    assert not seen(phone, "#buttons button")
    assert not seen(phone, "#typed")
    assert phone.run("return document.querySelector('#code').inputMode") == "numeric"
    phone.type("#code", "111111\n")
    phone.until(lambda: phone.text("#door-told") == "This is not the code; 4 more tries this minute.")
    assert complaints(phone, "422") == []
    phone.run("document.querySelector('#code').value = ''")
    phone.type("#code", "246 810\n")
    phone.until(lambda: seen(phone, "#buttons button"))
    assert not seen(phone, "#door")
    pressed(phone, "Pause")
    phone.until(lambda: box.table.phase is Phase.PAUSED)
    assert phone.run("return document.cookie") == ""  # no script can read it
    assert complaints(phone) == []
    phone.open("about:blank")  # else it asks in vain for pictures of a box that is just starting
    phone.complaints()
    box.restart()
    phone.open(f"http://{host}:{box.port}/")
    phone.until(lambda: seen(phone, "#buttons button"))
    assert not seen(phone, "#door")
    pressed(phone, "Pause")
    phone.until(lambda: box.table.phase is Phase.PAUSED)
    assert complaints(phone) == []


def test_a_scanned_code_is_filled_in_and_waits_for_a_press(box: Box, phone: Browser) -> None:
    """The link of the QR code: one press, and the match is there. Opening it alone uses up no try."""
    phone.open(f"http://{BY_NAME}:{box.port}/join#{CODE}")
    phone.until(lambda: phone.run("return document.querySelector('#code').value") == CODE)
    assert "#" not in phone.run("return location.href")
    assert box.pairing.phones() == ()
    phone.click("#door button")
    phone.until(lambda: phone.run("return location.pathname") == "/")
    phone.until(lambda: seen(phone, "#buttons button"))
    assert len(box.pairing.phones()) == 1


def test_the_buttons_of_the_table_open_the_door_without_a_code(box: Box, phone: Browser) -> None:
    """The page sees by itself that it needs none."""
    phone.open(f"http://{BY_NAME}:{box.port}/")
    phone.until(lambda: seen(phone, "#code"))
    box.pairing.open()
    phone.until(lambda: not seen(phone, "#code"))
    assert phone.text("#door-told") == "The table's buttons let you in: press Join."
    phone.click("#door button")
    phone.until(lambda: seen(phone, "#buttons button"))


def test_where_looking_needs_the_code_nothing_is_seen_before_it(tmp_path: Path, phone: Browser) -> None:
    """The page, the picture and the evidence are kept back; a phone that was forgotten is asked again."""
    box = Box(tmp_path, "code")
    try:
        at = f"http://{BY_NAME}:{box.port}"
        phone.open(f"{at}/sheets")
        phone.until(lambda: phone.run("return location.pathname") == "/join")
        assert phone.text("#address") == ""
        status = (
            "const r = new XMLHttpRequest(); r.open('GET', arguments[0], false); r.send(); return r.status"
        )
        for path in ("/api/view", "/frame.jpg", "/evidence/1/after.jpg", "/api/events", "/nowhere"):
            assert phone.run(status, path) == 401
        phone.type("#code", CODE + "\n")
        phone.until(lambda: "to move" in phone.text("#headline"))
        phone.until(lambda: phone.run("return document.querySelector('#picture').naturalWidth") > 0)
        box.pairing.forget_all()
        assert phone.run(status, "/frame.jpg") == 401
        pressed(phone, "Pause")
        phone.until(lambda: seen(phone, "#door"))
        assert box.table.phase is not Phase.PAUSED
    finally:
        box.table.close()


def test_the_card_shows_what_others_scan_and_forgets_phones(box: Box, phone: Browser) -> None:
    """On the machine itself: the code at arm's length, nothing that sticks out; on paper no code."""
    phone.open(f"http://localhost:{box.port}/join")
    phone.until(lambda: seen(phone, "#shown-code"))
    assert phone.text("#shown-code") == "246 810"
    assert phone.text("#address") == f"http://pipwatch.local:{box.port}/"
    wide, shown = phone.run("return [document.documentElement.scrollWidth, innerWidth]")
    assert wide <= shown
    assert phone.run("return document.querySelector('.on-screen .qr').getBoundingClientRect().width") >= 290
    with contextlib.suppress(AssertionError):
        box.pairing.join("192.168.1.7", CODE)
    phone.open(f"http://localhost:{box.port}/join")
    phone.until(lambda: "1 paired phone" in phone.text(".phones"))
    phone.run("window.confirm = () => true; document.querySelector('#forget').click()")
    phone.until(lambda: "No paired phones" in phone.text(".phones"))
    assert box.pairing.phones() == ()
    assert complaints(phone) == []


def on_paper(phone: Browser) -> str:
    """The words of the card that comes out of the printer, on one page, without gaps."""
    printed = pypdfium2.PdfDocument(phone.printed())
    try:
        assert len(printed) == 1
        return "".join(printed[0].get_textpage().get_text_bounded().split())
    finally:
        printed.close()


def test_the_printed_card_holds_what_stays_and_no_code(box: Box, phone: Browser) -> None:
    """Address, and the box's own Wi-Fi for an evening without a network; a guest sees no passphrase."""
    spare = Wifi("Pipwatch-1a2b", "abcd2345efgh")
    box.pairing.invitation = Invitation(box.port, BY_NAME, ("192.168.1.4",), spare=spare)
    phone.open(f"http://localhost:{box.port}/join")
    phone.until(lambda: seen(phone, "#shown-code"))
    words = on_paper(phone)
    for told in (f"http://{BY_NAME}:{box.port}/", spare.name, spare.passphrase, "Wherethereisnonetwork"):
        assert told in words
    assert "246810" not in words
    assert "Printthiscard" not in words
    phone.open(f"http://{BY_NAME}:{box.port}/join")
    phone.until(lambda: seen(phone, "#address"))
    assert spare.passphrase not in phone.run("return document.documentElement.outerHTML")


HOSTILE = """<form id=f method=post action="{at}/api/do" enctype="text/plain" target="hole">
<input name='{{"kind":"pause","x":"' value='"}}'></form><iframe name=hole></iframe>
<img src="{at}/api/do"><iframe id=framed src="{at}/"></iframe><script>
f.submit();
const say = (path, how) => fetch("{at}" + path, how).then((r) => r.text()).catch(() => "");
Promise.all([
  say("/api/do", {{method: "POST", mode: "no-cors", credentials: "include", body: '{{"kind":"pause"}}'}}),
  say("/api/do", {{method: "POST", credentials: "include", headers: {{"Content-Type": "application/json"}},
    body: '{{"kind":"pause"}}'}}),
  say("/api/phones/forget", {{method: "POST", credentials: "include", body: "{{}}"}}),
  say("/", {{credentials: "include"}}),
  new Promise((done) => {{ const s = new WebSocket("{at}/api/events".replace("http", "ws"));
    s.onopen = () => done("open"); s.onerror = () => done(""); }}),
]).then((told) => {{ window.told = told; }});
</script>"""


def test_a_page_of_another_origin_has_no_effect_on_a_paired_phone(
    box: Box, phone: Browser, tmp_path: Path
) -> None:
    """It posts, fetches, embeds and opens sockets, with the phone's cookie at hand, and rebinds its name."""
    at = f"http://{BY_NAME}:{box.port}"
    phone.open(f"{at}/join#{CODE}")
    phone.until(lambda: phone.run("return document.querySelector('#code').value") == CODE)
    phone.click("#door button")
    phone.until(lambda: seen(phone, "#buttons button"))
    (tmp_path / "evil").mkdir()
    (tmp_path / "evil" / "index.html").write_text(HOSTILE.format(at=at))

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Nothing."""

    evil = http.server.ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path / "evil"))
    serving = threading.Thread(target=evil.serve_forever)
    serving.start()
    try:
        for name in ("evil.example", BY_NAME):  # another site, and another port of the same one
            phone.open(f"http://{name}:{evil.server_port}/")
            phone.until(lambda: phone.run("return window.told !== undefined"))
            assert phone.run("return window.told") == ["", "", "", "", ""]
    finally:
        evil.shutdown()
        serving.join()
        evil.server_close()
    phone.open(f"http://evil.example:{box.port}/")  # its name leads here now
    assert "none of the box's" in phone.text("body")
    assert f"http://{BY_NAME}:{box.port}/" in phone.text("body")
    assert Phase.PAUSED not in box.table.watcher.phases
    assert len(box.pairing.phones()) == 1
    phone.open(f"{at}/")
    phone.until(lambda: seen(phone, "#buttons button"))


def test_whoever_only_looks_sends_nothing_large(box: Box) -> None:
    """A photo is refused by its head where nobody was let in, though the page's token is known to all."""

    def sent(host: str, cookie: str = "", within_s: float = 20.0) -> int | None:
        head = [
            f"POST {UPLOAD} HTTP/1.1", f"Host: {host}", "Content-Length: 9000000", f"Cookie: {cookie}",
            f"{TOKEN_HEADER}: {box.table.screen._door.token}", "", "",
        ]  # fmt: skip
        raw = "\r\n".join(head)
        with socket.create_connection(("127.0.0.1", box.port), timeout=10) as line:
            line.sendall(raw.encode())
            line.settimeout(within_s)
            with contextlib.suppress(TimeoutError):
                return int(line.recv(100).split()[1])
            return None  # it waits for the photo

    assert sent("pipwatch.local") == 413
    assert sent("localhost", within_s=0.5) is None
    _, secret = box.pairing.join("192.168.1.7", CODE)
    assert sent("pipwatch.local", f"pipwatch={secret}", 0.5) is None
    assert sent("pipwatch.local", "pipwatch=guess") == 413


def test_two_hosts_in_one_request_are_none(box: Box) -> None:
    """Whichever a proxy might have meant."""
    asked = http.client.HTTPConnection("127.0.0.1", box.port, timeout=10)
    asked.putrequest("GET", "/join", skip_host=True)
    asked.putheader("Host", "localhost")
    asked.putheader("Host", "evil.example")
    asked.endheaders()
    assert asked.getresponse().status in (400, 421)
    asked.close()
