"""Each route is given to whom the table says, and to nobody else; nobody acts before a code was entered."""

import re
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from flask import Flask

import web
from device.journal.game import began
from device.journal.store import Journal
from device.live.desk import Desk
from device.live.thread_channels import Latest
from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import FORMAT, view
from device.service import owner as owner_module
from device.service.address import Invitation, Wifi
from device.service.owner import Owner
from device.service.pairing import Clocks, Look, Pairing
from device.service.reception import Reception
from tests.device.home.well import WELL
from tests.device.match.match_bench import game
from web.access import ROUTES, Access, Who, may
from web.album import Album
from web.app import create
from web.guard import COOKIE, OWNER_COOKIE, TOKEN_HEADER, Door, own_names
from web.lobby import OWN_PATHS, create_lobby
from web.openapi import DESCRIBED
from web.sheet_pages import standalone

CODE = "246810"
PHONE, BOX = "192.168.1.7", "127.0.0.1"
FILLED = {
    "<path:filename>": "match.js", "<int:entry>": "1", "<role>": "after", "<int:number>": "0", "<name>": "x",
    "<game>": "draw-game", "<language>": "de", "<form>": "json", "<what>": "markers",
}  # fmt: skip


class Net:
    """A dashboard, asked from the network and from the machine itself."""

    def __init__(self, folder: Path, look: Look = "open") -> None:
        self.now, self.said, self.heard = 0.0, [], []
        clocks = Clocks(lambda: self.now, lambda: 1.8e9 + self.now)
        self.pairing = Pairing(folder / "phones.json", look, CODE, clocks, self.said.append)
        self.pairing.invitation = Invitation(
            8000, "pipwatch.local", ("192.168.1.4",), Wifi("Pipwatch-1", "abcd2345")
        )
        names = own_names() | {"table.local"}
        self.door = Door(names=names, own=lambda: ("192.168.1.4",), pairing=self.pairing)
        journal = folder / "a.match"
        with Journal(journal) as opened:
            opened.append(began(game()))
        desk = Desk(self.heard.append, Latest(), Latest(), journal)
        desk.views.put(view(taken_up(Match(), game())))
        self.app = create(desk, door=self.door, album=Album())
        self.lobby = create_lobby(Reception(lambda _: None, dict, dict), self.door, metrics=True)

    def ask(
        self, path: str, body: object = None, *, peer: str = PHONE, secret: str = "", **headers: str
    ) -> Any:
        """Ask for something, as the page of this address would."""
        app = self.lobby if path.startswith(OWN_PATHS) else self.app
        client = app.test_client(use_cookies=False)
        sent = {"Host": "192.168.1.4:8000" if peer == PHONE else "localhost:8000"}
        if secret:
            sent["Cookie"] = f"{COOKIE}={secret}"
        if body is not None:
            sent[TOKEN_HEADER] = self.door.token
            sent["Origin"] = f"http://{sent['Host']}"
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        how = {"headers": sent, "environ_overrides": {"REMOTE_ADDR": peer}}
        return client.get(path, **how) if body is None else client.post(path, json=body, **how)

    def joined(self) -> str:
        """The secret of a phone that has entered the code."""
        answer = self.ask("/api/join", {"code": CODE})
        assert answer.status_code == 204
        return str(answer.headers["Set-Cookie"]).split(";")[0].removeprefix(f"{COOKIE}=")


@pytest.fixture
def net(tmp_path: Path) -> Net:
    """A dashboard that everybody may look at."""
    return Net(tmp_path)


def routes(app: Flask) -> Iterator[str]:
    """The routes that an application has, as the table names them."""
    for rule in app.url_map.iter_rules():
        yield from (f"{method} {rule.rule}" for method in (rule.methods or set()) - {"HEAD", "OPTIONS"})


def test_every_route_has_a_row_and_every_row_a_route(net: Net) -> None:
    """Whoever adds a page says who may have it."""
    there = {*routes(net.app), *routes(standalone(Album())), *routes(net.lobby)}
    assert sorted(there) == sorted(ROUTES)


def test_a_route_without_a_row_is_refused_to_everybody(net: Net) -> None:
    """Forgetting the row opens nothing."""
    net.app.get("/api/secret")(lambda: "told")
    assert net.ask("/api/secret", peer=BOX).status_code == 403
    assert net.ask("/api/secret", secret=net.joined()).status_code == 403


COLUMNS = (Who.NOBODY, Who.VIEWER, Who.PAIRED, Who.OWNER, Who.HERE)
EXPECTED = {
    # access: columns as above, where looking is open, open with a PIN, with a code, with a code and a PIN
    Access.OPEN: ("ooooo", "ooooo", "ooooo", "ooooo"),
    Access.PAGE: ("ooooo", "ooooo", "coooo", "coooo"),
    Access.LOOK: ("ooooo", "ooooo", "xoooo", "xoooo"),
    Access.ROOM: ("ooooo", "xoooo", "xoooo", "xoooo"),
    Access.ACT: ("xxooo", "xxooo", "xxooo", "xxooo"),
    Access.OWN: ("xxxox", "xxxox", "xxxox", "xxxox"),
    Access.BOX: ("xxxoo", "xxxoo", "xxxoo", "xxxoo"),
    Access.LET_GO: ("xxxox", "xxxox", "xxxox", "xxxox"),
}
"""o: given, x: refused with 401, c: led to the code."""
WAYS: tuple[tuple[Look, bool], ...] = (("open", False), ("open", True), ("code", False), ("code", True))
PASSWORD = "correct horse"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hashes that take no time; how slow they are in earnest is no matter here."""
    monkeypatch.setitem(owner_module._COST, "n", 2)


@pytest.mark.parametrize("row", ROUTES)
def test_each_route_is_given_to_whom_the_table_says(net: Net, row: str) -> None:
    """Every route, asked by each who may stand at the door, with a PIN and without one."""
    got = []
    for net.pairing.look, pin in WAYS:
        net.pairing.owner = Owner()
        net.pairing.owner.set_password(PASSWORD)
        if pin:
            net.pairing.owner.set_pin("1234")
        got.append("".join(given(net, row, who) for who in COLUMNS))
    assert tuple(got) == EXPECTED[ROUTES[row]]


@pytest.mark.parametrize("row", [row for row, access in ROUTES.items() if access is Access.LET_GO])
def test_before_there_is_an_owner_whoever_acts_may_let_others_go(net: Net, row: str) -> None:
    """By the code a person takes a box into use: with the password the same is the owner's alone."""
    looks = [who for who in COLUMNS if who is not Who.OWNER]
    assert "".join(given(net, row, who) for who in looks) == "xxoo"
    net.pairing.owner.set_password(PASSWORD)
    assert "".join(given(net, row, who) for who in looks) == "xxxx"
    assert not may(Who.PAIRED, ROUTES[row], "open")
    assert may(Who.PAIRED, ROUTES[row], "open", owned=False)


@pytest.mark.parametrize("who", [Who.PAIRED, Who.OWNER, Who.HERE])
def test_the_card_offers_to_forget_phones_to_whom_that_is_given(net: Net, who: Who) -> None:
    """Once there is an owner the others are led to their page."""
    offered = 'id="forget"'
    net.pairing.let_in()
    if who is not Who.OWNER:
        assert offered in card_of(net, who)
    net.pairing.owner.set_password(PASSWORD)
    page = card_of(net, who)
    assert (offered in page) == (who is Who.OWNER)
    assert ("With the owner" in page) == (who is not Who.OWNER)


def card_of(net: Net, who: Who) -> str:
    """The card to join by, as somebody sees it."""
    cookies = {}
    if who is Who.PAIRED:
        cookies[COOKIE] = net.pairing.let_in()
    if who is Who.OWNER:
        cookies[OWNER_COOKIE] = net.pairing.owner.enter(PHONE, PASSWORD)[2]
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    with net.ask("/join", peer=BOX if who is Who.HERE else PHONE, Cookie=cookie) as answer:
        return str(answer.get_data(as_text=True))


def given(net: Net, row: str, who: Who) -> str:
    """What becomes of a route that somebody asks for, as a letter of the table."""
    method, path = row.split(" ", 1)
    for name, value in FILLED.items():
        path = path.replace(name, value)
    cookies = {}
    if who is Who.VIEWER:
        cookies[COOKIE] = net.pairing.let_in("", "viewer")
    if who is Who.PAIRED:
        cookies[COOKIE] = net.pairing.let_in()
    if who is Who.OWNER:
        cookies[OWNER_COOKIE] = net.pairing.owner.enter(PHONE, PASSWORD)[2]
    cookie = "; ".join(f"{name}={value}" for name, value in cookies.items())
    body, peer = None if method == "GET" else {}, BOX if who is Who.HERE else PHONE
    with net.ask(path, body, peer=peer, Cookie=cookie) as answer:
        led = answer.status_code == 302 and answer.headers["Location"] == "/join"
        return "x" if answer.status_code == 401 else "c" if led else "o"


def test_what_may_says_is_what_the_table_of_this_test_says() -> None:
    """The pure rule, role by role."""
    for access, ways in EXPECTED.items():
        for (look, pin), want in zip(WAYS, ways, strict=True):
            told = [may(who, access, look, pin=pin) for who in COLUMNS]
            assert told == [letter == "o" for letter in want]


def test_the_machine_s_own_figures_are_for_its_owner_and_for_programs_on_it(net: Net) -> None:
    """Room on the card, warmth, version: others hear in words what the game feels, and no more."""
    lobby = Reception(lambda _: None, dict, lambda: WELL)
    net.lobby = create_lobby(lobby, net.door)
    net.pairing.owner.set_password(PASSWORD)
    owner = net.pairing.owner.enter(PHONE, PASSWORD)[2]
    for secret in ("", net.pairing.let_in("", "viewer"), net.joined()):
        refused = net.ask("/api/health", secret=secret)
        assert refused.get_json() == {"error": "This is the owner's: enter the password.", "status": 401}
        told = net.ask("/api/health/glance", secret=secret).get_json()
        assert told["line"] == "All is well with the box."
        assert [one["of"] for one in told["figures"]] == [
            "Camera",
            "A look at the table",
            "Screens that follow",
        ]
    assert net.ask("/api/health", Cookie=f"{OWNER_COOKIE}={owner}").get_json() == WELL
    assert net.ask("/api/health", peer=BOX).get_json() == WELL
    assert net.ask("/api/health", peer=BOX, X_Forwarded_For=PHONE).status_code == 401


def test_nobody_reads_off_the_document_which_build_it_is(net: Net) -> None:
    """It is open to all; what it has is the form of the view that it tells of."""
    assert net.ask("/api/openapi.json").get_json()["info"]["version"] == str(FORMAT)
    assert metadata.version("pipwatch") not in net.ask("/api/openapi.json").get_data(as_text=True)


def test_the_document_tells_of_every_route_and_of_no_other(net: Net) -> None:
    """OpenAPI, row by row: what is served is described, and what is described is served."""
    assert list(DESCRIBED) == list(ROUTES)
    told = net.ask("/api/openapi.json").get_json()
    assert told["openapi"].startswith("3.1")
    rows = {f"{method.upper()} {path}" for path, ways in told["paths"].items() for method in ways}
    assert rows == {re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", row) for row in ROUTES}
    for path, ways in told["paths"].items():
        for one in ways.values():
            assert one["summary"]
            assert {"default"} < one["responses"].keys()
            named = [
                parameter["name"] for parameter in one.get("parameters", ()) if parameter["in"] == "path"
            ]
            assert named == re.findall(r"{(\w+)}", path)


def test_the_document_tells_of_all_that_may_stand_behind_a_question_mark() -> None:
    """Each name that a route looks for there, and no other."""
    sources = [path.read_text(encoding="utf-8") for path in Path(web.__file__).parent.glob("*.py")]
    looked_for = {
        name
        for source in sources
        for pair in re.findall(r'request\.args\.get(?:list)?\("(\w+)"|"(\w+)" in request\.args', source)
        for name in pair
        if name
    }
    assert len(looked_for) >= 8
    assert {name for route in DESCRIBED.values() for name in route.asks} == looked_for


def test_what_the_document_promises_is_what_is_answered(net: Net) -> None:
    """Every answer that is given to this machine has a status and a kind that the document names."""
    for row, route in DESCRIBED.items():
        method, path = row.split(" ", 1)
        if ROUTES[row] is Access.OWN or method == "POST":
            continue
        for name, value in FILLED.items():
            path = path.replace(name, value)
        with net.ask(path, peer=BOX) as answer:
            if answer.status_code == 200:
                assert route.gives in ("*/*", answer.mimetype), row
            elif answer.status_code != 204:
                assert answer.get_json()["status"] == answer.status_code, row


def test_nothing_acts_before_the_code_and_a_phone_acts_after_it(net: Net) -> None:
    """The whole way of a phone; its cookie is for no script and for no other site's page."""
    asked = {"kind": "pause"}
    refused = net.ask("/api/do", asked)
    assert (refused.status_code, refused.get_json()) == (
        401,
        {"error": "Enter the code to play along.", "status": 401},
    )
    wrong = net.ask("/api/join", {"code": "111111"})
    assert wrong.status_code == 422
    words = "This is not the code; 4 more tries this minute."
    assert wrong.get_json() == {"error": words, "left": 4, "status": 422}
    assert "Set-Cookie" not in wrong.headers
    assert net.heard == []
    answer = net.ask("/api/join", {"code": "246 810"})
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert "Max-Age=2592000" in cookie
    secret = cookie.split(";")[0].removeprefix(f"{COOKIE}=")
    assert len(secret) >= 43  # 256 bits in letters of 64
    assert net.ask("/api/do", asked, secret=secret).status_code == 204
    assert len(net.heard) == 1
    assert net.ask("/api/do", asked, secret="x" + secret).status_code == 401


def test_too_many_tries_are_told_with_how_long_to_wait(net: Net) -> None:
    """After five a minute even the right code waits; the answer says for how long."""
    for _ in range(5):
        assert net.ask("/api/join", {"code": "111111"}).status_code == 422
    late = net.ask("/api/join", {"code": CODE})
    assert late.status_code == 429
    assert 59 <= int(late.headers["Retry-After"]) <= 61
    assert late.get_json()["error"].startswith("Too many wrong codes: wait ")
    net.now += 61
    assert net.ask("/api/join", {"code": CODE}).status_code == 204


@pytest.mark.parametrize("body", [[], "246810", {"code": 246810}, {"code": None}, {"code": "1" * 41}])
def test_what_is_no_code_is_refused(net: Net, body: object) -> None:
    """Only a short text is held against the code."""
    assert net.ask("/api/join", body).status_code == 400


def test_the_buttons_let_the_next_phone_in(net: Net) -> None:
    """The page is told that no code is needed, and the second phone is not let in."""
    told = {"act": False, "look": True, "room": True, "pin": False, "code": True, "open": False}
    assert net.ask("/api/door").get_json() == told
    net.pairing.open()
    assert net.ask("/api/door").get_json()["open"]
    assert net.ask("/api/join", {}).status_code == 204
    assert net.ask("/api/join", {}).status_code == 422


def test_each_visit_keeps_a_phone_for_another_month(net: Net) -> None:
    """What a paired phone asks first renews its cookie; nobody else is given one."""
    secret = net.joined()
    assert f"{COOKIE}={secret}" in net.ask("/api/door", secret=secret).headers["Set-Cookie"]
    assert "Set-Cookie" not in net.ask("/api/door", secret="guess").headers
    assert "Set-Cookie" not in net.ask("/api/door", peer=BOX).headers


def test_forgetting_all_phones_ends_what_they_may(net: Net) -> None:
    """A phone that was forgotten enters the code again."""
    secret = net.joined()
    assert net.ask("/api/phones/forget", {}, peer=BOX).get_json() == {"forgotten": 1}
    assert net.ask("/api/do", {"kind": "pause"}, secret=secret).status_code == 401


def test_a_forgotten_phone_is_let_go_from_the_stream_where_looking_needs_the_code(tmp_path: Path) -> None:
    """Who follows live is asked again at each turn."""
    net = Net(tmp_path, "code")
    stream = net.ask("/api/events", secret=net.joined())
    told = stream.iter_encoded()
    assert next(told) == b"retry: 2000\n\n"
    assert next(told).startswith(b"id: ")
    net.pairing.forget_all()
    assert next(told, None) is None
    stream.close()


def test_the_card_holds_the_code_only_for_who_may_act(net: Net, tmp_path: Path) -> None:
    """Whoever looks may show the address round; code, passphrase and phones are for those who were let in."""
    (tmp_path / "other").mkdir()
    secret = net.joined()
    looks, acts, here = (net.ask("/join", **how).get_data(as_text=True) for how in
                         ({}, {"secret": secret}, {"peer": BOX}))  # fmt: skip
    for page in (looks, acts, here):
        assert "http://pipwatch.local:8000/" in page
        assert "http://192.168.1.4:8000/" in page
    assert "246" not in looks
    assert "abcd2345" not in looks
    assert "246 810" in acts
    assert "abcd2345" in acts
    assert "1 paired phone" in here
    closed = Net(tmp_path / "other", "code").ask("/join").get_data(as_text=True)
    assert "pipwatch.local" not in closed


OWN = ("localhost", "pipwatch.local", "pipwatch-2.local", "192.168.1.4", "[fd00::2]", "[fe80::1]")


@pytest.mark.parametrize("host", OWN)
@pytest.mark.parametrize("form", ["{}", "{}:8000", "{}."])
def test_every_name_of_the_box_is_answered_in_every_form(net: Net, host: str, form: str) -> None:
    """By port, in capitals, with the dot at the end that means the whole name."""
    if form == "{}." and host[-1] in "0123456789]":
        return  # an address has no dot at its end
    for written in (form.format(host), form.format(host.upper())):
        with net.ask("/join", Host=written) as answer:
            assert answer.status_code == 200, written


def test_the_name_that_avahi_has_chosen_is_answered(net: Net) -> None:
    """Its configuration may call the machine something else than the machine does."""
    assert net.ask("/join", Host="den.local").status_code == 421
    net.pairing.invitation = Invitation(8000, "den.local", ("192.168.1.4",))
    assert net.ask("/join", Host="DEN.local:8000").status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "", "pipwatch.local.evil.example", "evil-pipwatch.local", "pipwatch-10.local",
     "pipwatch", "8.8.8.8", "[2001:4860:4860::8888]", "localhost, evil.example", "pipwatch.local:x",
     "pipwatch.local@evil.example"],
)  # fmt: skip
def test_no_other_name_is_answered(net: Net, host: str) -> None:
    """A name that somebody makes point here is none of ours."""
    assert net.ask("/join", Host=host).status_code == 421
    assert net.ask("/api/join", {"code": CODE}, Host=host).status_code == 421


@pytest.mark.parametrize(
    ("origin", "token", "status"),
    [
        ("http://192.168.1.4:8000", True, 204), (None, True, 403),
        ("http://192.168.1.4:8000", False, 403), (None, False, 403), ("null", True, 403),
        ("http://192.168.1.4:9999", True, 403), ("https://192.168.1.4:8000", True, 403),
        ("http://192.168.1.4", True, 403), ("http://evil.example", True, 403), ("", True, 403),
    ],
)  # fmt: skip
def test_a_paired_phone_acts_only_from_our_own_page(
    net: Net, origin: str | None, token: bool, status: int
) -> None:
    """A cookie is never enough, nor with the token: another port of the same machine is sent it as well."""
    secret = net.joined()
    headers = {"Host": "192.168.1.4:8000", "Cookie": f"{COOKIE}={secret}"}
    headers |= {TOKEN_HEADER: net.door.token} if token else {}
    headers |= {} if origin is None else {"Origin": origin}
    unsafe = [row.split(" ", 1)[1] for row in ROUTES if row.startswith("POST")]
    client = net.app.test_client(use_cookies=False)
    how = {"headers": headers, "environ_overrides": {"REMOTE_ADDR": PHONE}}
    assert client.post("/api/do", json={"kind": "pause"}, **how).status_code == status
    if status == 403:
        for path in unsafe:
            filled = path.replace("<name>", "x")
            assert client.post(filled, json={}, **how).status_code == 403, path
        assert net.heard == []
        assert len(net.pairing.phones()) == 1


@pytest.mark.parametrize(
    ("peer", "host", "headers", "who"),
    [
        ("127.0.0.1", "localhost:8000", {}, Who.HERE), ("::1", "[::1]:8000", {}, Who.HERE),
        ("127.0.0.1", "LOCALHOST.", {}, Who.HERE), ("::ffff:127.0.0.1", "127.0.0.1", {}, Who.HERE),
        ("127.0.0.1", "pipwatch.local", {}, Who.NOBODY), ("127.0.0.1", "192.168.1.4", {}, Who.NOBODY),
        ("192.168.1.7", "localhost:8000", {}, Who.NOBODY), ("192.168.1.7", "127.0.0.1", {}, Who.NOBODY),
        ("::ffff:192.168.1.7", "localhost", {}, Who.NOBODY),
        ("192.168.1.7", "192.168.1.4", {"X_Forwarded_For": "127.0.0.1"}, Who.NOBODY),
        ("192.168.1.7", "localhost", {"Forwarded": "for=127.0.0.1;host=localhost"}, Who.NOBODY),
        ("127.0.0.1", "localhost", {"X_Forwarded_For": "127.0.0.1"}, Who.NOBODY),
        ("127.0.0.1", "localhost", {"Via": "1.1 proxy"}, Who.NOBODY),
        ("192.168.1.4", "192.168.1.4:8000", {}, Who.NOBODY), ("192.168.1.7", "192.168.1.7", {}, Who.NOBODY),
    ],
)  # fmt: skip
def test_this_machine_is_told_by_its_connection_and_its_name_alone(
    net: Net, peer: str, host: str, headers: dict[str, str], who: Who
) -> None:
    """Both have to be the machine's own; a header gives no trust, and a proxy's takes it away."""
    acts = net.ask("/api/door", peer=peer, Host=host, **headers).get_json()["act"]
    assert acts is (who is Who.HERE)


@pytest.mark.parametrize(
    ("peer", "host", "headers", "status"),
    [
        ("192.168.1.4", "192.168.1.4:8000", {}, 200), ("192.168.1.7", "192.168.1.7:8000", {}, 401),
        ("192.168.1.7", "192.168.1.4", {}, 401), ("192.168.1.4", "table.local", {}, 401),
        ("192.168.1.4", "192.168.1.4", {"Via": "1.1 proxy"}, 401),
    ],
)  # fmt: skip
def test_a_program_of_this_machine_reads_how_the_box_is_at_its_one_address(
    net: Net, peer: str, host: str, headers: dict[str, str], status: int
) -> None:
    """Nobody else has that address; and by it alone it reads, and does not act."""
    assert net.ask("/api/health", peer=peer, Host=host, **headers).status_code == status
    assert net.ask("/api/door", peer=peer, Host=host, **headers).get_json()["act"] is False


def test_without_a_pairing_only_this_machine_acts(tmp_path: Path) -> None:
    """There is no code to enter, and a request from elsewhere is told so."""
    net = Net(tmp_path)
    net.app = create(
        Desk(net.heard.append, Latest(), Latest(), tmp_path / "a.match"), door=Door(net.door.token)
    )
    assert net.ask("/api/do", {"kind": "pause"}, peer=BOX).status_code == 204
    assert net.ask("/api/do", {"kind": "pause"}).status_code == 401
    answer = net.ask("/api/join", {"code": CODE})
    assert (answer.status_code, answer.get_json()["error"]) == (
        409,
        "This page acts on its own machine only.",
    )
    assert "on this machine only" in net.ask("/join", peer=BOX).get_data(as_text=True)
    assert len(net.heard) == 1


def test_looking_changes_nothing(net: Net) -> None:
    """Every page and picture is fetched by a paired phone: the match hears nothing, and nobody is let in."""
    secret = net.joined()
    for row in ROUTES:
        method, path = row.split(" ", 1)
        if method == "GET":
            for name, value in FILLED.items():
                path = path.replace(name, value)
            net.ask(path, secret=secret).close()
    assert net.heard == []
    assert len(net.pairing.phones()) == 1
    assert not net.pairing.is_open
