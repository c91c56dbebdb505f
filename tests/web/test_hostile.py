"""Names, lines and files that were made to do harm: they are shown as they are, and nothing comes of them."""

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from pypdfium2 import PdfDocument

from calibration.camera_errors import BadProfileFile
from device.export_forms import written
from device.folders import sets_folder
from device.journal.game import began
from device.journal.store import Journal
from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from device.own_pieces import OwnPieces, add_looks
from device.score_sheet import score_sheet_pdf
from device.service import owner as owner_module
from device.service.owner import Owner
from device.sheet_reading import FlatMap, PhotoMap
from engine.history import History
from engine.kingdomino_duel.kingdom import Kingdom
from engine.kingdomino_duel.map_score import Sheet
from tests.device.match.match_bench import FACTS, game
from tests.vision.pieces.test_looks import TAUGHT
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.lobbies import OWN_COINS, ShownLobby
from tests.web.test_access import BOX, Net
from vision.sheet_decoder import as_told
from web.access import ROUTES
from web.guard import OWNER_COOKIE, TOKEN_HEADER
from web.lobby import OWN_PATHS

PAYLOADS = (
    "<script>owned=1</script>", "<img src=x onerror=owned=1>", "<svg onload=owned=1>", "<svg/onload=owned=1>",
    "\"><script>owned=1</script>", "'><img src=x onerror=owned=1>", "</title><script>owned=1</script>",
    "</script><script>owned=1</script>", "javascript:owned=1", "<a href=javascript:owned=1>x</a>",
    "<iframe src=javascript:owned=1>", "<iframe srcdoc='<script>parent.owned=1</script>'>",
    "<body onload=owned=1>", "<input autofocus onfocus=owned=1>", "<details open ontoggle=owned=1>",
    "<video><source onerror=owned=1></video>", "<math href=javascript:owned=1>x</math>",
    "<object data=javascript:owned=1>", "<embed src=javascript:owned=1>", "<base href=//evil.example>",
    "<link rel=stylesheet href=//evil.example>", "<meta http-equiv=refresh content='0;url=//evil.example'>",
    "<form action=//evil.example><button>x", "<style>*{background:url(//evil.example)}</style>",
    "{{7*7}}", "{{config}}", "{% for x in [] %}", "${7*7}", "#{7*7}", "{name}", "{0}", "%s%s%n",
    "&lt;script&gt;owned=1&lt;/script&gt;", "\\u003cscript\\u003e", "<!--", "]]>", "<![CDATA[<script>",
    "=HYPERLINK(\"http://evil.example\")", "=cmd|'/c calc'!A0", "+1+1", "-2+3", "@SUM(1)",
    "\u202eevil", "\ufeff<script>owned=1</script>", "$&$1$`", "__proto__", "constructor", "../../etc/passwd",
)  # fmt: skip


def hostile(payload: str) -> dict[str, Any]:
    """A view in which this stands wherever people's or the eye's words may stand."""
    told = dict(view(taken_up(Match(), game(*FACTS))))
    told["players"] = [payload, payload]
    told["headline"] = told["notice"] = payload
    told["words"] = f"{payload} once more"
    told["places"] = told["choices"] = [payload]
    told["offers"] = ["choose", "confirm", "typed", "undo"]
    told["pending"] = True
    told["phase"] = "asking"
    row = dict(told["log"][0])
    ruling = {"status": "illegal", "rule": payload, "reason": f"{payload}!", "also": [], "nearest": [payload]}
    row |= {"text": payload, "why": payload, "problem": payload, "alike": [payload], "ruling": ruling}
    told["log"] = [row]
    told["scores"] = {"totals": [0, 0], "lines": [{"player": 1, "label": payload, "points": 1}]}
    told["outcome"] = {"winner": 1, "rule": payload, "reason": payload}
    told["layout"]["spots"][0]["name"] = payload
    return told


def test_what_people_are_called_is_never_markup(tmp_path: Path, browser: Browser) -> None:
    """48 names, lines and rules that are scripts, tags and formulas: each is shown letter by letter."""
    with ShownDesk(tmp_path, taken_up(Match(), game(*FACTS))) as shown:
        browser.open(shown.address)
        browser.until(lambda: browser.text("#scores"))
        texts = "return document.querySelector(arguments[0])?.textContent ?? ''"
        for payload in PAYLOADS:
            shown.desk.views.put(hostile(payload))
            browser.until(lambda payload=payload: payload in browser.run(texts, "#scores"), 5)
            for place in ("#headline", "#words", "#places", "#choices", "#log", "#pad", "#final", "#buttons"):
                assert payload in browser.run(texts, place), (payload, place)
        strange = "#scores *, #headline *, #words *, #places *, #choices *, #log *, #pad *, #final *"
        tags = browser.run(f"return [...document.querySelectorAll('{strange}')].map((one) => one.localName)")
        known = "span b small li button p div strong thead tbody tfoot tr th td table h2 ol form label input"
        assert set(tags) <= {*known.split()}
        assert browser.run("return typeof window.owned") == "undefined"
        assert [one for one in browser.complaints() if "Content Security" in one] == []
        assert "evil" not in browser.run("return document.baseURI")


def test_a_table_of_a_game_holds_no_formula() -> None:
    """Whatever a record tells, no cell of its table begins as a formula does."""
    for payload in PAYLOADS:
        if not payload.isprintable():
            continue
        history = History.begin("draw-game", seed=3, players=(payload, payload))
        history = history.put(history.state, payload, payload)
        cells = [cell for row in csv.reader(io.StringIO(written(history, "csv"))) for cell in row]
        assert not [cell for cell in cells if cell[:1] in ("=", "+", "-", "@")]
        assert json.loads(written(history, "json"))["header"]["players"] == [payload, payload]


def test_what_the_lobby_lists_is_never_markup(browser: Browser) -> None:
    """Titles of own sets, names of cameras, files and players, remarks: each is shown letter by letter."""
    matches = [
        {"name": payload, "game": "draw-game", "title": payload, "players": [payload, "Bo"], "scores": [1, 2],
         "over": False, "winner": 0, "at": 1.8e9, "confirm": "auto"}
        for payload in PAYLOADS
    ]  # fmt: skip
    sets = [{**OWN_COINS, "name": f"set-{k}", "title": payload} for k, payload in enumerate(PAYLOADS)]
    cameras = [{"name": f"webcam:{k}", "title": one, "usual": not k, "there": k % 2 > 0}
               for k, one in enumerate(PAYLOADS)]  # fmt: skip
    told = {
        "matches": matches, "results": [{**one, "over": True, "winner": 1} for one in matches],
        "pairs": [{"players": [payload, "Bo"], "won": [1, 0], "drawn": 0} for payload in PAYLOADS],
        "pieces": sets, "cameras": cameras, "remarks": list(PAYLOADS), "words": PAYLOADS[0],
    }  # fmt: skip
    with ShownLobby(**told) as lobby:
        browser.open(lobby.address)
        browser.until(lambda: browser.run("return document.querySelectorAll('#games label').length") == 4)
        browser.click('label:has(input[name="game"][value="dominoids"])')
        texts = (
            "return [...document.querySelectorAll(arguments[0])].map((one) => one.textContent).join('\\n')"
        )
        for place in ("#kept", "#results", "#pairs", "#remarks", "[name=pieces]", "[name=camera]"):
            shown = browser.run(texts, place)
            assert [one for one in PAYLOADS if one not in shown] == [], place
        assert PAYLOADS[0] in browser.run(texts, "#notice")
        strange = browser.run("""return [...document.querySelectorAll(
            '#kept *, #results *, #pairs *, #remarks *')].map((one) => one.localName)""")
        known = "h2 ul ol li span button details summary p a"
        assert set(strange) <= {*known.split()}
        away = browser.run("""return [...document.querySelectorAll('main a')].map((one) => new URL(one.href))
            .filter((to) => to.origin !== location.origin || to.protocol !== 'http:').map(String)""")
        assert away == []
        assert browser.run("return typeof window.owned") == "undefined"
        assert browser.complaints() == []


def test_a_set_may_be_called_anything_and_stays_a_file_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its title is kept letter by letter; its file has a tame name, or there is none."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    named = [one for one in PAYLOADS if re.search("[a-z0-9]", one, re.IGNORECASE)]
    assert len(named) > 40
    for payload in named:
        add_looks(payload, TAUGHT.looks[:1])
        (known,) = OwnPieces().look()
        assert known.title == payload
        (file,) = [one for one in tmp_path.rglob("*") if one.is_file()]
        assert file.parent == sets_folder()
        assert re.fullmatch(r"[a-z0-9][a-z0-9-]{0,39}\.toml", file.name)
        file.unlink()
    for payload in set(PAYLOADS) - {*named}:
        with pytest.raises(BadProfileFile, match="needs a name with a letter or a digit"):
            add_looks(payload, TAUGHT.looks[:1])
    assert [one for one in tmp_path.rglob("*") if one.is_file()] == []


IN_PDF = (*PAYLOADS, ") Tj ET (x", "x) /JS (app.alert(1)) >>", "endstream endobj", "\\", "(((")
"""And what could end a string, a stream or an object of such a file."""


def test_a_name_in_a_pdf_is_only_letters() -> None:
    """A score sheet of two whose names are scripts: one page, the names on it, and nothing that acts."""
    rows = ["d0 . . . . . .", ". . . . . . .", ". . s1 C . . .", *[". . . . . . ."] * 2]
    kingdom, flat = Kingdom.from_rows(rows), np.full((60, 80, 3), 255, np.uint8)
    for payload in IN_PDF:
        one = PhotoMap(as_told(kingdom, False), np.zeros((6, 8, 2)), Sheet(kingdom), payload)
        data = score_sheet_pdf([FlatMap(one, flat), FlatMap(one, flat)])
        with PdfDocument(data) as pdf:
            assert len(pdf) == 1
            text = pdf[0].get_textpage().get_text_range()
        # No letter of the page's fonts stands for what turns or hides letters: a box stands there.
        assert text.count("".join(one if one.isprintable() else "■" for one in payload)) >= 2, payload
        assert "Squares × crosses" in text
        assert not re.search(rb"/(JavaScript|JS|URI|Launch|OpenAction|AA|Annots|SubmitForm|GoToR)\b", data)


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Net:
    """A dashboard and a lobby; beside the folder of the matches lies a match that nobody may have."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    monkeypatch.setitem(owner_module._COST, "n", 2)
    (tmp_path / "matches").mkdir()
    with Journal(tmp_path / "outside.match") as opened:
        opened.append(began(game()))
    return Net(tmp_path)


def app_of(net: Net, path: str) -> Flask:
    """Who answers this: the box, or the match that goes on."""
    return net.lobby if path.startswith(OWN_PATHS) else net.app


NESTED = ("[" * 1500, '{"a":' * 700, "[" * 1500 + "]" * 1500, '{"kind":' * 400 + "1" + "}" * 400)


@pytest.mark.parametrize("row", [row for row in ROUTES if row.startswith("POST")])
def test_what_is_nested_deeply_is_refused(net: Net, row: str) -> None:
    """No request makes the box fail: what nobody could mean is refused, in the one shape of refusals."""
    path = row.split(" ", 1)[1].replace("<name>", "x")
    app = app_of(net, path)
    assert app.url_map.bind("localhost").match(path, method="POST")
    for nested in NESTED:
        net.pairing.owner = Owner()
        net.pairing.owner.set_password("correct horse")
        secret = net.pairing.owner.enter(BOX, "correct horse")[2]
        head = {
            "Host": "localhost:8000", TOKEN_HEADER: net.door.token, "Content-Type": "application/json",
            "Cookie": f"{OWNER_COOKIE}={secret}", "Origin": "http://localhost:8000",
        }  # fmt: skip
        answer = app.test_client(use_cookies=False).post(
            path, data=nested, headers=head, environ_overrides={"REMOTE_ADDR": BOX}
        )  # fmt: skip
        assert answer.status_code not in (401, 403)
        assert answer.status_code < 500, (answer.status_code, nested[:20])
        if answer.status_code >= 400:
            told = answer.get_json()
            assert told["status"] == answer.status_code
            assert told["error"]


PATHS = (
    "../outside", "..%2foutside", "..%5coutside", "../matches/../outside",
    "..", "../..", "%2e%2e", "%2e%2e%2f", "..%2f", "..%5c", "..\\", "%252e%252e%252f", "/etc/passwd",
    "//etc/passwd",
    "%00", "a%00.jpg", "\u2025/", "．．/", "%c0%ae%c0%ae/", "....//", ".;/", "~root", "C:\\", "file:///etc/passwd",
    "con", "nul", "*", "?", "%", "%zz", "a" * 3000, "static/../guard.py", ".git/config", "web.py", "de.po",
)  # fmt: skip
PLACES = (
    "/static/{}", "/evidence/1/{}.jpg", "/evidence/{}/after.jpg", "/sheets/{}/0.jpg", "/sheets/{}/photo.jpg",
    "/words/{}.json", "/rules/{}", "/api/rules/{}", "/{}", "/matches/{}", "/api/matches/{}/view",
    "/api/matches/{}/history/1", "/api/matches/{}/evidence/1/after.jpg", "/api/matches/{}/export/json",
    "/api/matches/outside/export/{}", "/api/matches/{}/case.zip", "/print/{}.pdf",
    "/api/first/pieces/{}/0.jpg",
)  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_no_path_leads_out(net: Net, place: str) -> None:
    """Whatever is asked for by a path: nothing is there, and no file of the machine is told."""
    for path in PATHS:
        client = app_of(net, place.format(path)).test_client()
        with client.get(
            place.format(path), headers={"Host": "localhost"}, environ_overrides={"REMOTE_ADDR": BOX}
        ) as answer:
            text = answer.get_data(as_text=True)
            assert answer.status_code in (200, 302, 308, 400, 404, 405), (place, path)
            assert "root:" not in text
            assert answer.status_code != 200 or place == "/{}" or "%" in path or "?" in path, (place, path)
            assert "secrets" not in text
            assert "msgid" not in text
