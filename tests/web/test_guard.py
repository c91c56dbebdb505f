"""Nobody but the people at the table steers the referee: hosts, origins, tokens and what answers forbid."""

import re
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest

from device.journal.events import Picture
from device.journal.game import added, began
from device.journal.ruling_pictures import Outline
from device.journal.store import Journal
from device.live.desk import Desk
from device.live.messages import Heard
from device.live.ports import Glimpse, Shot
from device.live.thread_channels import Latest
from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from device.match.signals import Kind, Told
from device.service.address import Invitation
from device.service.pairing import Pairing
from tests.device.live.scripted import picture_of
from tests.device.match.match_bench import FACTS, LEGAL, game
from tests.device.service.boxes import RealBox
from web.app import create
from web.guard import COOKIE, OWNER_COOKIE, TOKEN_HEADER, Door, is_our_host

HERE = "localhost"
TOLD = Invitation(8000, "pipwatch.local", ("192.168.1.4",))
"""How this box is found."""


class At:
    """A dashboard over a desk that only remembers."""

    def __init__(self, folder: Path, **how: int) -> None:
        self.said: list[object] = []
        self.journal = folder / "a.match"
        first, played = game(), game(*FACTS, LEGAL[0])
        with Journal(self.journal) as journal:
            journal.append(began(first))
            journal.append(added(first, played, [Picture("after", b"\xff\xd8jpeg")]))
        self.desk = Desk(self.said.append, Latest(), Latest(), self.journal)
        self.desk.views.put(view(taken_up(Match(), played)))
        self.app = create(self.desk, **how)
        self.client = self.app.test_client()
        page = self.client.get("/", headers={"Host": HERE}).get_data(as_text=True)
        self.token = re.findall(r'name="token" content="([^"]+)"', page)[0]

    def do(self, body: object, **headers: str | None) -> int:
        """Ask for something; the status of the answer."""
        sent = {"Host": HERE, TOKEN_HEADER.replace("-", "_"): self.token, **headers}
        named = {name.replace("_", "-"): value for name, value in sent.items() if value is not None}
        return self.client.post("/api/do", json=body, headers=named).status_code


@pytest.fixture
def at(tmp_path: Path) -> At:
    """A dashboard."""
    return At(tmp_path)


@pytest.mark.parametrize(
    ("host", "ours"),
    [
        ("localhost", True), ("localhost:8000", True), ("127.0.0.1:8000", True), ("[::1]:8000", True),
        ("192.168.1.20", True), ("10.0.0.3:80", True), ("169.254.1.1", True), ("table.local", True),
        ("TABLE.LOCAL.:80", True), ("table", True),
        ("evil.example", False), ("8.8.8.8", False), ("table.evil.example", False), ("", False),
        ("user@localhost", False), ("localhost:abc", False), ("localhost:", False), ("[::1", False),
        ("127.0.0.1.evil.example", False), ("2130706433", False),
    ],
)  # fmt: skip
def test_only_names_and_addresses_of_this_network_are_ours(host: str, ours: bool) -> None:
    """A name that an attacker makes point to this machine is none of its own."""
    assert is_our_host(host, frozenset({"localhost", "table", "table.local"})) is ours


def test_every_route_refuses_a_foreign_host_and_forbids_framing(at: At) -> None:
    """Whatever is asked, also what does not exist: no foreign host is answered, and no page may frame us."""
    paths = [rule.rule for rule in at.app.url_map.iter_rules() if "GET" in (rule.methods or ())]
    assert len(paths) >= 6
    for path in [*paths, "/nowhere"]:
        asked = (
            path.replace("<int:entry>", "1").replace("<role>", "after").replace("<path:filename>", "match.js")
        )
        assert at.client.get(asked, headers={"Host": "evil.example"}).status_code == 421
        answer = at.client.get(asked, headers={"Host": HERE}, buffered=False)
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        answer.close()


@pytest.mark.parametrize("names", [("den.home.arpa",), ()])
def test_a_name_of_the_settings_is_ours_and_no_other_is(tmp_path: Path, names: tuple[str, ...]) -> None:
    """By it the page is opened, however it is written; without it, it is told what to type and to set."""
    door = Door(pairing=Pairing(names=names, invitation=TOLD))
    client = create(Desk(print, Latest(), Latest(), tmp_path), door=door).test_client()
    told = {
        host: client.get("/", headers={"Host": host, "Accept": "text/html"})
        for host in ("localhost", "other.home.arpa", "DEN.home.arpa:8000")
    }
    assert [one.status_code for one in told.values()] == [200, 421, 200 if names else 421]
    for host in ("other.home.arpa", *(() if names else ("DEN.home.arpa:8000",))):
        page = told[host].get_data(as_text=True)
        assert "This address is none of the box" in page
        assert all(f">{url}</li>" in page for url in TOLD.urls)
        assert "names in the part [service]" in page
        answer = client.get("/api/view", headers={"Host": host})
        assert answer.get_json()["addresses"] == list(TOLD.urls)


def test_the_box_hands_the_names_of_its_settings_on(tmp_path: Path) -> None:
    """What is written in [service] opens the page of a real box."""
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "config.toml").write_text('[service]\nnames = ["den.home.arpa"]\n')
    with RealBox(tmp_path / "box") as box:
        box.ready()
        for host, status in (("den.home.arpa", 200), ("other.home.arpa", 421)):
            with closing(HTTPConnection("127.0.0.1", box.port, timeout=20)) as asked:
                asked.request("GET", "/api/door", headers={"Host": host, "Connection": "close"})
                assert asked.getresponse().status == status


def test_what_our_own_page_sends_reaches_the_match(at: At) -> None:
    """Buttons, choices and typed lines become signals, word by word."""
    assert at.do({"kind": "confirm", "number": 2}, Origin="http://localhost") == 204
    assert at.do({"kind": "typed", "words": "1: take 4"}) == 204
    assert at.do({"kind": "choose", "number": 1, "key": "7f"}, Sec_Fetch_Site="same-origin") == 204
    told = [
        Told(Kind.CONFIRM, number=2), Told(Kind.TYPED, "1: take 4"), Told(Kind.CHOOSE, number=1, key="7f"),
    ]  # fmt: skip
    assert at.said == [Heard(one) for one in told]


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": "https://localhost"},
        {"Origin": "http://localhost:81"}, {"X_Pipwatch_Token": None}, {"X_Pipwatch_Token": "guess"},
        {"X_Pipwatch_Token": ""}, {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"},
    ],
)  # fmt: skip
def test_what_another_page_sends_is_refused(at: At, headers: dict[str, str | None]) -> None:
    """A hostile page can make a browser send requests, but none that the match would hear."""
    assert at.do({"kind": "undo"}, **headers) == 403
    assert at.said == []


def test_what_comes_with_a_cookie_says_from_where_it_comes(at: At) -> None:
    """Browsers always do; a program at this machine needs the token alone, and has no cookie."""
    at.client = at.app.test_client(use_cookies=False)
    for name in (COOKIE, OWNER_COOKIE):
        cookie = f"language=de; {name}=secret"
        assert at.do({"kind": "pause"}, Cookie=cookie) == 403
        assert at.do({"kind": "pause"}, Cookie=cookie, Origin="http://evil.example") == 403
        assert at.do({"kind": "pause"}, Cookie=cookie, Sec_Fetch_Site="same-origin") == 403
        assert at.said == []
        assert at.do({"kind": "pause"}, Cookie=cookie, Origin="http://localhost") == 204
        at.said.clear()
    assert at.do({"kind": "pause"}, Cookie="language=de") == 204


def test_a_form_of_another_page_is_refused(at: At) -> None:
    """What a plain form can send is never JSON, so that even a stolen token would not do."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        answer = at.client.post(
            "/api/do",
            data='{"kind": "undo"}',
            content_type=kind,
            headers={"Host": HERE, TOKEN_HEADER: at.token},
        )
        assert answer.status_code == 403
    assert at.client.put("/api/do", json={}, headers={"Host": HERE}).status_code in (403, 405)
    assert at.said == []


@pytest.mark.parametrize(
    "body",
    [
        [], "undo", {}, {"kind": "kept"}, {"kind": "ruled"}, {"kind": 5}, {"kind": "lost"},
        {"kind": "choose", "number": -1}, {"kind": "choose", "number": 1e9},
        {"kind": "choose", "number": True}, {"kind": "choose", "number": "1"},
        {"kind": "typed", "words": 5}, {"kind": "typed", "words": "x" * 401},
        {"kind": "typed", "words": "1: take 4\n2: take 1"}, {"kind": "undo", "words": None},
        {"kind": "choose", "key": 5}, {"kind": "choose", "key": "x" * 401},
    ],
)  # fmt: skip
def test_what_nobody_at_a_table_could_want_is_refused(at: At, body: object) -> None:
    """Only what people do can be asked for, as our page asks for it; nothing else is passed on."""
    assert at.do(body) == 400
    assert at.said == []


def test_too_much_is_refused_before_it_is_read(at: At) -> None:
    """A request larger than any button needs is not taken in."""
    assert at.do({"kind": "typed", "words": "x" * 100_000}) in (400, 413)
    assert at.said == []


def test_asking_changes_nothing(at: At) -> None:
    """Every page and picture can be fetched again and again without a word to the match."""
    for path in ("/", "/api/view", "/frame.jpg", "/evidence/1/after.jpg", "/static/match.js"):
        with at.client.get(path, headers={"Host": HERE}) as answer:
            assert answer.status_code in (200, 204)
    assert at.said == []


def test_evidence_is_found_by_number_and_role_alone(at: At) -> None:
    """No path ever crosses the door."""
    get = at.client.get
    answer = get("/evidence/1/after.jpg", headers={"Host": HERE})
    assert answer.data == b"\xff\xd8jpeg"
    assert answer.headers["Cache-Control"] == "no-store"  # entry 1 of the next match is another one
    for path in (
        "1/frame.jpg",
        "9/after.jpg",
        "1/secret.jpg",
        "1/..%2fafter.jpg",
        "-1/after.jpg",
        "x/after.jpg",
    ):
        assert get(f"/evidence/{path}", headers={"Host": HERE}).status_code == 404


def test_a_picture_is_sent_once(at: At) -> None:
    """Without a camera there is none; with one it is a JPEG, and only a new one is sent again."""
    get = at.client.get
    assert get("/frame.jpg", headers={"Host": HERE}).status_code == 204
    marks = (Outline(((1.0, 1.0), (9.0, 1.0), (9.0, 9.0)), "2-5"),)
    at.desk.frames.put(Glimpse(Shot(1, 0.0, picture_of(7)), None, marks))
    answer = get("/frame.jpg", headers={"Host": HERE})
    assert answer.data[:2] == b"\xff\xd8"
    plain = get("/frame.jpg?plain", headers={"Host": HERE})
    assert plain.data != answer.data
    again = get("/frame.jpg", headers={"Host": HERE, "If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_the_match_is_told_as_it_changes_and_ends(at: At) -> None:
    """The first event is the whole view, the next what changed; when the match closes, the stream says so."""
    stream = at.client.get("/api/events", headers={"Host": HERE}, buffered=False).iter_encoded()
    assert next(stream) == b"retry: 2000\n\n"
    first = next(stream).decode()
    name = first.split("\n")[0].removeprefix("id: ")
    assert first.startswith(f'id: {name}\ndata: {{"format":1,"phase":')
    at.desk.views.put({**at.desk.views.get()[1], "phase": "paused"})
    after = name.replace("-1", "-2")
    steps = f'{{"from":"{name}","steps":[["=",["phase"],"paused"]]}}'
    assert next(stream).decode() == f"id: {after}\nevent: change\ndata: {steps}\n\n"
    at.desk.views.close()
    assert next(stream).startswith(b"event: ended")


def test_only_so_many_screens_hold_a_line(tmp_path: Path) -> None:
    """One screen too many is told to wait; when another leaves, there is room."""
    at = At(tmp_path, streams=2)
    lines = [at.client.get("/api/events", headers={"Host": HERE}, buffered=False) for _ in range(2)]
    refused = at.client.get("/api/events", headers={"Host": HERE})
    assert refused.status_code == 503
    assert refused.headers["Retry-After"]
    lines[0].close()
    more = at.client.get("/api/events", headers={"Host": HERE}, buffered=False)
    assert more.status_code == 200
    more.close()
    lines[1].close()
