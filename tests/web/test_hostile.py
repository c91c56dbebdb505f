"""Names, lines and files that were made to do harm: they are shown as they are, and nothing comes of them."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from device.export_forms import written
from device.match.acts import taken_up
from device.match.match import Match
from device.match.view import view
from engine.history import History
from tests.device.match.bench import FACTS, game
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.test_access import BOX, Net
from web.access import ROUTES
from web.guard import TOKEN_HEADER

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
    told["headline"] = told["words"] = told["notice"] = payload
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


@pytest.fixture
def net(tmp_path: Path) -> Net:
    """A dashboard."""
    return Net(tmp_path)


NESTED = ("[" * 1500, '{"a":' * 700, "[" * 1500 + "]" * 1500, '{"kind":' * 400 + "1" + "}" * 400)


@pytest.mark.parametrize("nested", NESTED)
@pytest.mark.parametrize("row", [row for row in ROUTES if row.startswith("POST")])
def test_what_is_nested_deeply_is_refused(net: Net, nested: str, row: str) -> None:
    """No request makes the box fail: what nobody could mean is refused, in the one shape of refusals."""
    path = row.split(" ", 1)[1].replace("<name>", "x")
    app = net.lobby if path.startswith("/api/box") else net.app
    head = {"Host": "localhost:8000", TOKEN_HEADER: net.door.token, "Content-Type": "application/json"}
    answer = app.test_client().post(
        path, data=nested, headers=head, environ_overrides={"REMOTE_ADDR": BOX}
    )  # fmt: skip
    assert answer.status_code < 500, answer.status_code
    if answer.status_code >= 400:
        told = answer.get_json()
        assert told["status"] == answer.status_code
        assert told["error"]


PATHS = (
    "..", "../..", "%2e%2e", "%2e%2e%2f", "..%2f", "..%5c", "..\\", "%252e%252e%252f", "/etc/passwd",
    "//etc/passwd",
    "%00", "a%00.jpg", "\u2025/", "．．/", "%c0%ae%c0%ae/", "....//", ".;/", "~root", "C:\\", "file:///etc/passwd",
    "con", "nul", "*", "?", "%", "%zz", "a" * 3000, "static/../guard.py", ".git/config", "web.py", "de.po",
)  # fmt: skip
PLACES = (
    "/static/{}", "/evidence/1/{}.jpg", "/evidence/{}/after.jpg", "/sheets/{}/0.jpg", "/sheets/{}/photo.jpg",
    "/words/{}.json", "/rules/{}", "/api/rules/{}", "/{}",
)  # fmt: skip


@pytest.mark.parametrize("place", PLACES)
def test_no_path_leads_out(net: Net, place: str) -> None:
    """Whatever is asked for by a path: nothing is there, and no file of the machine is told."""
    client = net.app.test_client()
    for path in PATHS:
        with client.get(
            place.format(path), headers={"Host": "localhost"}, environ_overrides={"REMOTE_ADDR": BOX}
        ) as answer:
            text = answer.get_data(as_text=True)
            assert answer.status_code in (200, 302, 308, 400, 404, 405), (place, path)
            assert "root:" not in text
            assert answer.status_code != 200 or place == "/{}" or "%" in path or "?" in path, (place, path)
            assert "secrets" not in text
            assert "msgid" not in text
