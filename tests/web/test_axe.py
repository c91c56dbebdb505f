"""No page, dialog or state breaks a rule of accessibility, in any theme; and a first load is small."""

import gzip
import http.client
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from device.match.match import Match
from device.match.match_view import view
from device.match.signals import Kind, Told
from device.match.transitions import step
from device.service.address import Invitation, Wifi
from device.service.pairing import Pairing
from engine import GAMES
from tests.device.match.match_bench import FACTS, LEGAL
from tests.device.service.boxes import RealBox
from tests.web.box_speeches import away
from tests.web.browser import MISSING, Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import STATES, refused, ruled, themed
from tests.web.hand_table import HandTable
from tests.web.lobbies import OWN_COINS, TWO_CAMERAS, ShownLobby
from tests.web.refusals import TAPS, before
from tests.web.test_page_touch import Hand, press
from tests.web.test_phone import BY_NAME, CODE, MAPPED
from web.words import languages

STATIC = Path(__file__).parents[2] / "web/static"
THEMES = ("light", "dark", "contrast")
_RUN = """return axe.run(arguments[0] || document,
  { runOnly: arguments[1], resultTypes: ["violations"] }).then((told) => told.violations.map((one) =>
  `${one.id}: ${one.nodes.map((node) => node.target.join(" ")).slice(0, 3).join(", ")}`))"""
"""What is broken, and no list of all that is well: to name each part of a page takes longer than all else."""
ALL = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OF_LOOKS = ["color-contrast", "link-in-text-block", "scrollable-region-focusable"]
"""The rules that colours and the width of a line have anything to do with; themes differ in nothing else."""
PAINTS = {"accent-color", "background", "border", "border-color", "border-left", "border-left-color",
          "border-top", "box-shadow", "color", "fill", "outline", "stroke"}  # fmt: skip
"""What a colour of a theme may be used for."""


@pytest.fixture(scope="module")
def eye(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all."""
    if MISSING:
        pytest.skip(MISSING)
    with Browser(tmp_path_factory.mktemp("axe"), MAPPED) as made:
        yield made


def broken(eye: Browser, engine: str, where: str = "") -> list[str]:
    """What is wrong on the page as it is, in each theme, or in a part of it alone, as an open dialog.

    All rules are asked about in the first theme, in the others those of looks.
    """
    if eye.run("return window.axe === undefined"):
        eye.run(engine + "; window.axe = axe;")
    found = []
    for theme in THEMES:
        themed(eye, theme)
        found += [f"{theme}: {one}" for one in eye.run(_RUN, where, ALL if theme == THEMES[0] else OF_LOOKS)]
    return found


def declared(style: str) -> Iterator[tuple[str, str, str]]:
    """Each declaration of a style sheet: for what, its name, and its value."""
    for chosen, body in re.findall(r"([^{}]+)\{([^{}]*)\}", re.sub(r"/\*.*?\*/", "", style, flags=re.S)):
        for name, value in re.findall(r"([\w-]+)\s*:([^;]+)", body):
            yield chosen, name, value


def test_themes_differ_in_colours_and_the_width_of_lines_alone() -> None:
    """Whatever has no colour is the same in each of them: nothing is hidden, moved or worded by a theme."""
    sheets = [path.read_text(encoding="utf-8") for path in STATIC.rglob("*.css")]
    all_of_them = [one for sheet in sheets for one in declared(sheet)]
    differ = {name for chosen, name, _ in all_of_them if "data-theme" in chosen}
    assert {name for name in differ if not name.startswith("--")} == {"color-scheme", "opacity"}
    assert len(differ) > 15
    for _, name, value in all_of_them:
        if differ.intersection(re.findall(r"var\((--[\w-]+)", value)):
            assert name in PAINTS, f"{name}:{value}"
    scripts = "".join(path.read_text(encoding="utf-8") for path in STATIC.rglob("*.js"))
    assert not differ.intersection(re.findall(r"--[\w-]+", scripts))
    assert len(re.findall(r"dataset\.theme", scripts)) == 3  # it is set and taken away, and never asked for


def test_what_is_broken_is_found_in_each_theme(tmp_path: Path, eye: Browser, engine: str) -> None:
    """Letters that are hard to read in two of them, and a link without words, which is the same in all."""
    with ShownDesk(tmp_path, ruled()) as shown:
        eye.open(shown.address)
        eye.until(lambda: eye.run("return document.querySelector('#scores b') !== null"))
        eye.run("""document.querySelector('#title').style.color = 'var(--line)';
            const link = Object.assign(document.createElement('a'), { href: '/' });
            document.querySelector('main').append(link);""")
        assert broken(eye, engine) == [
            "light: color-contrast: #title", 'light: link-name: main > a[href="/"]',
            "dark: color-contrast: #title",
        ]  # fmt: skip


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("size", [(390, 844), (1280, 800)])
def test_no_state_of_a_match_breaks_a_rule(
    tmp_path: Path, eye: Browser, engine: str, state: str, size: tuple[int, int]
) -> None:
    """Each game, a refusal, a question, a move that waits, and the end."""
    match: Match = STATES[state]()
    with ShownDesk(tmp_path, match) as shown:
        eye.viewport(*size, mobile=size[0] < 600)
        eye.open(shown.address)
        eye.until(lambda: eye.run("return document.querySelector('#scores b') !== null"))
        assert broken(eye, engine) == []


def in_german(eye: Browser, address: str) -> None:
    """The page asks for German from now on."""
    eye.open(address)
    eye.run("document.cookie = 'language=de; path=/'")


@pytest.fixture
def english(eye: Browser) -> Iterator[None]:
    """Afterwards all is as before."""
    yield
    eye.devtools("Network.clearBrowserCookies")


@pytest.mark.long
@pytest.mark.usefixtures("english")
@pytest.mark.parametrize("state", STATES)
def test_no_state_of_a_german_match_breaks_a_rule(
    tmp_path: Path, eye: Browser, engine: str, state: str
) -> None:
    """Longer words break lines elsewhere; on a phone and on a desk."""
    with ShownDesk(tmp_path, STATES[state]()) as shown:
        in_german(eye, shown.address)
        for size in ((390, 844), (1280, 800)):
            eye.viewport(*size, mobile=size[0] < 600)
            eye.open(shown.address)
            eye.until(lambda: eye.run("return document.querySelector('#scores b') !== null"))
            assert broken(eye, engine) == []


def test_no_pause_and_no_refused_line_breaks_a_rule(tmp_path: Path, eye: Browser, engine: str) -> None:
    """A match that is paused, one without its camera, and a line that was typed and not taken."""
    eye.viewport(390, 844, mobile=True)
    with ShownDesk(tmp_path, ruled()) as shown:
        eye.open(shown.address)
        lost = Told(Kind.LOST, away("The camera", "it hangs"))
        for signal, sign in ((Told(Kind.PAUSE), "Paused"), (lost, "No picture")):
            shown.desk.views.put(view(step(ruled(), signal, 0.0)[0]))
            eye.until(lambda sign=sign: sign in eye.text("#headline"))
            assert broken(eye, engine) == [], sign
    with HandTable(tmp_path, before("draw-game")) as table:
        eye.open(table.address)
        eye.until(lambda: eye.text("#say .prompt"))
        eye.until(lambda: eye.run("return document.querySelector('#typed').onsubmit !== null"))
        eye.type("#line", "1: 9-9 by 9 at east\n")
        eye.until(lambda: eye.run("return document.querySelector('#line').ariaInvalid === 'true'"))
        assert broken(eye, engine) == []


def invited(folder: Path) -> Pairing:
    """A box on the network with a hot spot of its own, in which a phone was let in."""
    pairing = Pairing(folder / "phones.json", code=CODE, say=lambda _: None)
    pairing.invitation = Invitation(8000, BY_NAME, ("192.168.1.4",), Wifi("Pipwatch-1", "abcd2345"))
    pairing.join("192.168.1.7", CODE, "iPhone, Safari")
    return pairing


@pytest.mark.usefixtures("english")
@pytest.mark.parametrize("language", ["en", "de"])
def test_no_page_at_the_door_breaks_a_rule(tmp_path: Path, eye: Browser, engine: str, language: str) -> None:
    """Code, Wi-Fi and phones; a page that is not there; an address that is none of the box's; a match."""
    eye.viewport(390, 844, mobile=True)
    with ShownDesk(tmp_path, ruled(), "0.0.0.0", invited(tmp_path)) as shown:
        at = f"http://localhost:{shown.screen.port}"
        if language == "de":
            in_german(eye, at)
        for address, sign in (
            (f"{at}/join", "246 810"), (f"{at}/nowhere", "404"), (f"{at}/", "Ann"),
            (f"http://evil.example:{shown.screen.port}/", "pipwatch.local"),
        ):  # fmt: skip
            eye.open(address)
            eye.until(lambda sign=sign: sign in eye.text("main") + eye.run("return document.title"))
            assert broken(eye, engine) == [], address


def test_no_stage_of_the_owner_s_page_breaks_a_rule(
    tmp_path: Path, eye: Browser, engine: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No password yet, open, the question before something is deleted, the password to enter, a wrong one."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    eye.viewport(390, 844, mobile=True)
    kept = {
        "name": "a", "players": ["player 1", "Bo"], "title": "Dominoids", "game": "dominoids",
        "scores": [3, 4], "over": False, "winner": None, "at": 1793707200.0,
    }  # fmt: skip
    with ShownLobby(invited(tmp_path), matches=[kept]) as lobby:
        eye.open(f"{lobby.address}owner")
        assert broken(eye, engine) == [], "set"
        eye.until(lambda: eye.run("return document.querySelector('#set').onsubmit !== null"))
        eye.type("#set [name=password]", "correct horse\n")
        eye.until(lambda: eye.text("#matches li"))
        eye.click("#matches button")
        assert broken(eye, engine, "#sure") == [], "sure"
        eye.run("document.querySelector('#sure').close('no')")
        eye.click("#leave")
        eye.until(lambda: eye.run("return location.pathname") == "/")
        eye.open(f"{lobby.address}owner")
        eye.until(lambda: eye.run("return document.querySelector('#enter').onsubmit !== null"))
        eye.type("#enter [name=password]", "no horse at all\n")
        eye.until(lambda: eye.text("#notice"))
        assert broken(eye, engine) == [], "enter"


def test_no_dialog_of_a_match_breaks_a_rule(tmp_path: Path, eye: Browser, engine: str) -> None:
    """A rule, the record, the menu of looks, and the other views."""
    with ShownDesk(tmp_path, refused()) as shown:
        eye.viewport(390, 844, mobile=True)
        eye.open(shown.address)
        eye.until(lambda: eye.text("#ruling .rule"))
        eye.run("document.querySelector('#menu').click(); document.querySelector('.looks').open = true")
        assert eye.run("return document.querySelector('#theme').checkVisibility()")
        assert broken(eye, engine) == []
        eye.run("document.querySelector('.looks').open = false; document.querySelector('#menu').click()")
        eye.run("document.querySelector('#ruling .rule').click()")
        eye.until(lambda: eye.text("#rule-words"))
        assert broken(eye, engine) == []
        eye.run("document.querySelector('#rule').close()")
        eye.run("document.querySelector('#log .entry').click()")
        eye.until(lambda: eye.text("#past-title"))
        assert broken(eye, engine) == []
        for view in ("table", "watch", "overlay"):
            eye.open(f"{shown.address}?view={view}")
            eye.until(lambda: eye.run("return document.querySelector('#scores b') !== null"))
            assert broken(eye, engine) == [], view
        for page in (
            "join",
            *(f"rules/{game}" for game in GAMES),
            *(f"notation/{game}" for game in GAMES),
            "sheets",
        ):
            eye.open(shown.address + page)
            eye.until(lambda: eye.text("main"))
            assert broken(eye, engine) == [], page


@pytest.mark.parametrize("game", GAMES)
def test_no_board_that_takes_taps_breaks_a_rule(tmp_path: Path, eye: Browser, engine: str, game: str) -> None:
    """By hand: the board, a piece in hand, a refusal with its way out, all forms, and a figure made larger.

    Trays that answer to taps are no pictures: what is in them can be reached by who does not see them.
    """
    with HandTable(tmp_path, before(game)) as table:
        eye.viewport(390, 844, mobile=True)
        hand = Hand(eye, table)
        eye.until(lambda: eye.run("return document.querySelector('#board .target.lit') !== null"))
        assert broken(eye, engine) == [], "board"
        hidden = "return document.querySelectorAll('#board [aria-hidden] .target').length"
        assert eye.run(hidden) == 0
        for tap in TAPS[game]:
            told = len(hand.said)
            hand.tap(tap)
            eye.until(lambda told=told: len(hand.said) > told)
            assert broken(eye, engine) == [], tap
        assert eye.text("#say .no")
        press(eye, "#say button", "Leave it")
        eye.until(lambda: not hand.said)
        press(eye, "#say button", "Something else …")
        eye.until(lambda: eye.run("return document.querySelector('#forms').open"))
        assert broken(eye, engine, "#forms") == [], "forms"
        eye.run("document.querySelector('#forms').close(); document.querySelector('#board .larger').click()")
        assert broken(eye, engine) == [], "larger"
        eye.type("#line", "undo\n")
        eye.until(lambda: eye.text("#changed"))
        assert broken(eye, engine) == [], "changed"


READ = {
    "photo": "x", "spellbooks": [["P1: free"]],
    "maps": [
        {
            "name": name, "rows": [["."] * 7, ["."] * 7, [".", "d1", "d0", "C", "s0", "s0", "."], ["."] * 7,
                                   ["."] * 7],
            "roof": False, "named": None, "used_p1": False, "used_p6": False, "used_p2": False,
            "unnamed": name == "Bo", "doubts": ["r3c2", "r3c6"], "paying": ["r3c6"],
            "others": {"r3c2": ["s1"], "r3c6": ["S0"]}, "named_doubts": {}, "unlogged": ["r1c1"],
            "advice": "Many squares are doubtful.", "confidence": {},
        }
        for name in ("Ann", "Bo")
    ],
}  # fmt: skip
"""Two maps as they are read; what they are worth the page asks for in earnest."""


def test_no_state_of_the_page_for_sheets_breaks_a_rule(tmp_path: Path, eye: Browser, engine: str) -> None:
    """With doubts, both players and their maps; a square under the glass; while a photo is read; by keys."""
    with ShownDesk(tmp_path, STATES["kingdomino-duel"]()) as shown:
        for size in ((390, 844), (1280, 800)):
            eye.viewport(*size, mobile=size[0] < 600)
            eye.open(f"{shown.address}sheets")
            eye.run(
                """const told = JSON.stringify(arguments[0]), kind = {"Content-Type": "application/json"};
                const real = window.fetch; window.fetch = async (path, sent) => path === "/sheets/table"
                  ? new Promise((settle) => {
                      window.answer = () => settle(new Response(told, {headers: kind}));
                    })
                  : real(path, sent);""",
                READ,
            )
            eye.run("document.querySelector('#table').focus()")
            eye.keys("\ue007")
            eye.until(lambda: eye.text("#how-far").startswith("Reading the table"))
            assert broken(eye, engine) == [], "reading"
            eye.run("window.answer()")
            eye.until(lambda: eye.text("#walk") == "Look at the 4 doubtful squares")
            assert eye.text("#doubts li").startswith("★ Ann: r3c6")
            assert "say which coat was named" in eye.text(".map.p2 .look")
            assert broken(eye, engine) == [], "doubts"
            assert eye.run("return document.documentElement.scrollWidth <= innerWidth")
            eye.run("document.querySelector('#walk').focus()")
            eye.keys("\ue007")
            eye.until(lambda: eye.text("#left") == "4 to look at")
            eye.run("document.querySelector('#pick details').open = true")
            assert broken(eye, engine) == [], "glass"
            for left in (3, 2, 1):
                eye.run("document.querySelector('#likely button').focus()")
                eye.keys("\ue007")
                eye.until(lambda left=left: eye.text("#left") == f"{left} to look at")
            eye.keys("\ue00c")  # escape: whoever has looked has settled it
            eye.until(lambda: eye.run("return document.querySelector('#first').hidden"))
            assert eye.run("return document.querySelector('#enter').disabled")  # P5 is still to be told
            eye.open(f"{shown.address}sheets")
            eye.run("""const none = JSON.stringify({ photo: "x", error: "No map was found." });
                window.fetch = async () => new Response(none, { status: 422,
                  headers: { "Content-Type": "application/json" } });
                document.querySelector('#table').click();""")
            eye.until(lambda: "0 of 4 corners" in eye.text("#corner-told"))
            eye.run("document.querySelector('.photo').focus()")
            eye.keys("\ue014", "\ue007", "\ue015")
            eye.until(lambda: "1 of 4 corners" in eye.text("#corner-told"))
            assert broken(eye, engine) == [], "corners"


def test_no_state_of_the_lobby_and_the_first_evening_breaks_a_rule(eye: Browser, engine: str) -> None:
    """Cameras and own pieces to choose; every step open."""
    with ShownLobby(cameras=TWO_CAMERAS, pieces=[OWN_COINS]) as lobby:
        eye.viewport(390, 844, mobile=True)
        eye.open(lobby.address)
        eye.until(lambda: eye.run("return document.querySelectorAll('#games label').length") == 4)
        eye.click('label:has(input[name="game"][value="dominoids"])')
        eye.until(lambda: eye.run("return document.querySelector('#with-pieces').checkVisibility()"))
        assert broken(eye, engine) == [], "lobby"
        eye.open(f"{lobby.address}first")
        eye.until(lambda: eye.run("return document.querySelector('.step[open]') !== null"))
        eye.run("document.querySelectorAll('.step').forEach((one) => { one.open = true; })")
        eye.run("document.querySelector('#naming').hidden = false")
        assert broken(eye, engine) == [], "first evening"


def test_no_page_around_the_game_breaks_a_rule(tmp_path: Path, eye: Browser, engine: str) -> None:
    """Lobby, first evening, the owner's pages, a match that is kept."""
    with RealBox(tmp_path / "box") as box:
        box.begin()
        for line in (*FACTS, LEGAL[0]):
            box.type(line)
        at = f"http://localhost:{box.port}"
        eye.viewport(390, 844, mobile=True)
        eye.open(f"{at}/")
        eye.until(lambda: eye.text("#log .entry"))
        eye.run("document.querySelector('#menu').click(); document.querySelector('#leave').click()")
        assert eye.run("return document.querySelector('#leaving').open")
        assert broken(eye, engine, "#leaving") == [], "leaving"
        box.post("/api/box/do", {"kind": "leave"})
        kept = box.until(lambda: box.json("/api/box").get("matches"))
        eye.open(f"{at}/")
        eye.until(lambda: eye.text("#kept li"))
        eye.until(lambda: eye.run("return document.querySelectorAll('#readings label').length") > 0)
        eye.run("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
        assert broken(eye, engine) == [], "lobby"
        for page in ("first", "owner", "mount", f"matches/{kept[0]['name']}"):
            eye.open(f"{at}/{page}")
            eye.until(lambda: eye.text("main"))
            eye.run("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
            assert broken(eye, engine) == [], page
        eye.run("document.querySelector('#log .entry').click()")
        eye.until(lambda: eye.run("return document.querySelector('#past').open"))
        assert broken(eye, engine, "#past") == [], "past"
        eye.run("document.querySelector('#past-ruling .rule').click()")
        eye.until(lambda: eye.text("#rule-words"))
        assert broken(eye, engine, "#rule") == [], "rule"
        eye.open(f"{at}/owner")
        eye.type('#set [name="password"]', "correct horse")
        eye.click("#set button")
        eye.until(lambda: eye.text("#matches li"))
        eye.until(lambda: eye.text("#parts summary"))
        eye.run("document.querySelectorAll('main details').forEach((one) => { one.open = true; })")
        eye.type('[name="camera.fps"]', "fast\n")
        eye.until(lambda: "should be a number" in eye.text("#parts"))
        assert broken(eye, engine) == [], "owner"


def test_a_first_load_is_small(tmp_path: Path) -> None:
    """All that the page of a match needs, compressed and without pictures: at most 120 kB."""
    with ShownDesk(tmp_path, STATES["dominoids"]()) as shown:
        line = http.client.HTTPConnection("127.0.0.1", shown.screen.port, timeout=20)

        def fetched(path: str) -> tuple[int, str]:
            line.request("GET", path, headers={"Host": "localhost", "Accept-Encoding": "gzip"})
            answer = line.getresponse()
            data = answer.read()
            assert answer.status == 200, path
            packed = answer.headers.get("Content-Encoding") == "gzip"
            return len(data), (gzip.decompress(data) if packed else data).decode()

        size, page = fetched("/")
        wanted, seen = re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js|svg))"', page), set[str]()
        while wanted:
            path = wanted.pop()
            if path in seen:
                continue
            seen.add(path)
            more, text = fetched(path)
            size += more
            imported = re.findall(r'(?:from|^import) "(\.[^"]+)"', text, re.M)
            wanted += [posixpath.normpath(f"{posixpath.dirname(path)}/{one}") for one in imported]
        size += fetched("/api/view")[0] + max(fetched(f"/words/{one}.json")[0] for one in languages()[1:])
        line.close()
        print(f"first load: {size / 1000:.1f} kB in {len(seen) + 3} answers")
        assert len(seen) >= 14
        assert size <= 120_000
