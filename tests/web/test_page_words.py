"""English and German: every word of the pages has its translation; other ways to look at a match."""

import json
import re
from collections.abc import Callable, Iterator
from html import unescape
from pathlib import Path
from random import Random
from typing import Any
from urllib.request import Request, urlopen

import pytest

from device.match.acts import taken_up
from device.match.expected import expected
from device.match.match import Match
from device.match.match_view import _HEADLINES, view
from device.notation_guide import GROUPS, parts_of
from engine import GAMES, rulebook
from engine.history import History
from engine.plain import obj
from engine.touching import forms_of
from tests.web.browser import Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import random_game, refused, ruled
from tests.web.said import SPEAKING, missing, skeleton, templates
from tests.web.speeches import speeches
from web.words import READING, REFEREE, RULE, catalogue, entries, files, for_pages, languages

WEB = Path(__file__).parents[2] / "web"
SAID = re.compile(r"""\bt\("((?:[^"\\]|\\.)*)"|_\((["'])(.*?)\2\)""")
WORDS = re.compile(r"[A-Za-z]{2}")
LINE = re.compile(r"(\d+: )?(([12]: )|see )|\d+: \w+$")
"""Lines of notation, offered as they are."""
MOVES = {"draw-game": 260, "dominoids": 160, "dominoes-of-war": 160, "kingdomino-duel": 150}
"""So many moves and facts of each random game; most end before."""
SPOTS = re.compile(r"\{(\w+)(?:\|\w+)?\}")


def spoken(*, pages: bool = True) -> set[str]:
    """All sentences of scripts, and those of pages."""
    found = set()
    told = WEB.glob("templates/*.html") if pages else ()
    for path in (*told, *WEB.glob("static/*.js"), *WEB.glob("static/board/*.js")):
        for script, _, page in SAID.findall(path.read_text()):
            found.add((script or page).replace('\\"', '"'))
    return {one for one in found if one}


def test_every_sentence_of_the_pages_is_translated() -> None:
    """Nothing stays in English by mistake; headlines too."""
    known = {source for context, source in catalogue("de") if not context}
    assert len(spoken()) > 180
    assert sorted(spoken() - known) == []
    assert sorted({one for one in _HEADLINES.values() if one} - known) == []


@pytest.mark.parametrize("language", languages()[1:])
def test_a_page_loads_what_its_scripts_say_and_not_what_stands_on_it(language: str) -> None:
    """Every sentence of a script is loaded; what the box puts into words is not, and no script says it."""
    loaded = {
        words
        for around in (False, True)
        for words in obj(for_pages(language, around=around)["words"], "the words")
    }
    assert sorted(spoken(pages=False) - loaded) == []
    placed = {source for context, source in catalogue(language) if not context} - loaded
    assert len(placed) > 100
    scripts = "".join(path.read_text() for path in (WEB / "static").rglob("*.js"))
    assert [one for one in placed if f'"{one}"' in scripts] == []


@pytest.mark.parametrize("language", languages()[1:])
def test_a_translation_keeps_its_places(language: str) -> None:
    """What stands for a name or a number is there once again, and nothing is translated twice."""
    told = [one for path in files(language) for one in entries(path.read_text(encoding="utf-8")) if one[1]]
    assert len({one[:2] for one in told}) == len(told)
    for context, source, said in told:
        assert said, source
        assert sorted(set(SPOTS.findall(said))) == sorted(set(SPOTS.findall(source))), source
        assert not context or len(set(SPOTS.findall(source))) == len(SPOTS.findall(source)), source


@pytest.mark.parametrize("language", languages()[1:])
def test_a_form_of_a_part_is_known(language: str) -> None:
    """What a sentence asks of a part, as the accusative, some part has."""
    known = catalogue(language)
    forms = {context.partition("|")[2] for context, _ in known if context.startswith("part|")}
    asked = {form for said in known.values() for form in re.findall(r"\{\w+\|(\w+)\}", said)}
    assert asked == forms


@pytest.mark.parametrize("language", languages()[1:])
def test_all_that_the_referee_can_say_is_translated(language: str) -> None:
    """Every template of every rule book, of the match and of the box; so many that none was overlooked."""
    assert len({skeleton(text) for game in SPEAKING for _, text in templates(game)}) > 1290
    assert sorted(text for _, _, text in missing(language)) == []


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("language", languages()[1:])
def test_every_rule_form_and_reading_is_translated(language: str, game: str) -> None:
    """The catalogue, what it leaves open with all answers, the forms of the notation and their parts."""
    book, known = rulebook(game), catalogue(language)
    rules = {(RULE, rule.words) for rule in book.catalogue}
    readings = {
        (READING, words)
        for one in book.readings.all
        for words in ((one.question, *one.choices.values()) if len(one.choices) != 1 else ())
    }
    forms = {("", words) for words in (*(form.told for form in forms_of(book)), *GROUPS.values())}
    parts = {("", meaning.replace("`", "")) for meaning in parts_of(game).values()}
    assert sorted((rules | readings | forms | parts) - known.keys()) == []


@pytest.mark.parametrize("game", GAMES)
def test_rules_readings_and_notation_are_served_in_the_language_asked_for(tmp_path: Path, game: str) -> None:
    """Each in German and in English, and no store in between may mix them up."""
    known, told = catalogue("de"), {}
    with ShownDesk(tmp_path, ruled()) as shown:
        for path in (f"/api/rules/{game}", f"/api/readings/{game}", f"/rules/{game}", f"/notation/{game}"):
            for language in ("en", "de"):
                ask = Request(shown.address.rstrip("/") + path, headers={"Accept-Language": language})
                with urlopen(ask, timeout=60) as answer:
                    told[path, language] = unescape(answer.read().decode())
                    if path.startswith("/api/"):
                        assert "Accept-Language" in answer.headers["Vary"]
                        assert "Cookie" in answer.headers["Vary"]
    book = rulebook(game)
    for rule in book.catalogue:
        assert rule.words in told[f"/rules/{game}", "en"]
        assert known[RULE, rule.words] in told[f"/rules/{game}", "de"]
    said = {one["id"]: one["words"] for one in json.loads(told[f"/api/rules/{game}", "de"])["rules"]}
    assert said == {rule.id: known[RULE, rule.words] for rule in book.catalogue}
    for form in forms_of(book):
        assert known["", form.told] in told[f"/notation/{game}", "de"]
        assert form.pattern in told[f"/notation/{game}", "de"]
    asked = {one["key"]: one for one in json.loads(told[f"/api/readings/{game}", "de"])["readings"]}
    open_ = [one for one in book.readings.all if len(one.choices) != 1]
    assert {key: one["question"] for key, one in asked.items()} == {
        one.key: known[READING, one.question] for one in open_
    }


def waited_for(game: str, seed: int) -> Iterator[str]:
    """What is expected at each step of a random game."""
    rng, history = Random(seed), History.begin(game, seed=None if seed % 2 else seed)
    for _ in range(120):
        yield expected(history)
        if history.outcome is not None:
            return
        book, state = history.book, history.state
        if book.pending(state) is not None:
            history = history.fact(book.format_fact(book.sample(state, rng)))
        else:
            history = history.move(book.format(rng.choice(list(book.legal_moves(state)))))


@pytest.mark.parametrize("game", GAMES)
def test_what_is_expected_is_translated(game: str) -> None:
    """What is to be seen, and what may be done, all through random games."""
    known = {skeleton(words) for context, words in catalogue("de") if context in ("", REFEREE)}
    told = set()
    for seed in range(6):
        told |= {words for words in waited_for(game, seed) if words}
    assert len(told) > 1
    assert {words if words in known else re.sub(r"\b\d+\b", "{}", words) for words in told} <= known


def test_the_match_is_told_in_german(tmp_path: Path, browser: Browser) -> None:
    """Pages, headlines, rulings with their names and pieces; the choice stays, and English comes back."""
    with ShownDesk(tmp_path, refused()) as shown:
        browser.open(shown.address)
        browser.until(lambda: "Not allowed" in browser.text("#headline"))
        pick = """const l = document.querySelector('#language'); l.value = arguments[0];
          l.dispatchEvent(new Event('change'))"""
        browser.run(pick, "de")
        browser.until(lambda: "Nicht erlaubt" in browser.text("#headline"))
        assert "Ann hat 6-6 nicht: Der Stein ist in der Hand von Bo." in browser.text("#ruling")
        assert "Was geschah" in browser.text("#history")
        assert browser.run("return document.documentElement.lang") == "de"
        assert browser.complaints() == []
        browser.run(pick, "en")
        browser.until(lambda: "Not allowed" in browser.text("#headline"))


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[list[str]], list[str]]]:
    """What a German page makes of sentences."""
    folder = tmp_path_factory.mktemp("german")
    with (
        Browser(folder / "profile", "--lang=de", "--accept-lang=de") as page,
        ShownDesk(folder, ruled()) as shown,
    ):
        page.open(shown.address)
        assert page.run("return document.documentElement.lang") == "de"
        page.run("import('/static/words.js').then((found) => { window.found = found; })")
        page.until(lambda: page.run("return Boolean(window.found)"))
        yield lambda told: list(
            page.run("return arguments[0].map((one) => found.told(one, ['Ann', 'Bo']))", told)
        )


@pytest.mark.parametrize("game", GAMES)
def test_whole_games_are_told_in_german(game: str, german: Callable[[list[str]], list[str]]) -> None:
    """Random games to their ends, with refusals, facts that cannot be and taps: nothing stays in English."""
    said = {
        one
        for seed in range(4)
        for one in speeches(game, seed, most=MOVES[game], seen=seed == 1)
        if WORDS.search(one) and not LINE.match(one)
    }
    assert len(said) > 200
    told = dict(zip(sorted(said), german(sorted(said)), strict=True))
    same = {
        source.lower() for (_, source), words in catalogue("de").items() if words.lower() == source.lower()
    }
    assert [one for one, words in told.items() if words == one and one.lower() not in same] == []
    whole = {skeleton(text) for name in (game, "engine") for _, text in templates(name) if text.endswith(".")}
    known = re.compile("|".join(re.escape(one).replace(r"\{\}", ".+?") for one in whole if len(one) > 9))
    assert [words for words in told.values() if known.fullmatch(words)] == []


def test_a_sentence_is_told_whole_or_not_at_all(german: Callable[[list[str]], list[str]]) -> None:
    """One part without words leaves all of it in English; numbers and pieces are the same everywhere."""
    assert german(
        ["The 2-5 does not match at the purple end: its 2 would touch a 4.", "The 9-9 lies on fire."]
    ) == ["The 2-5 does not match at the purple end: its 2 would touch a 4.", "The 9-9 lies on fire."]
    assert german(
        ["The 2-5 does not match at the east end: its 2 would touch a 4.", "Suns 0 3", "Ann to move",
         "Ann or player 2 to move", "Put it back as it was. The Suns die (3) is blank: nothing is done.",
         "3 > 1: down 1-4"]
    ) == [
        "2-5 passt nicht am Ost-Ende: die 2 würde eine 4 berühren.", "Sonnen 0 3", "Ann am Zug",
        "Ann oder Bo am Zug",
        "Lege es zurück, wie es war. Der Sonnen-Würfel (3) ist leer: Es wird nichts getan.",
        "3 > 1: down 1-4",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("mode", "seen", "hidden"),
    [
        ("table", ["#headline", "#scores", "#board", "#buttons"], ["#history", "#camera", "#typed"]),
        ("watch", ["#headline", "#scores", "#board", "#log"], ["#buttons", "#typed"]),
        ("overlay", ["#scores", "#ruling"], ["#board", "#buttons", "#history", "header"]),
    ],
)
def test_a_match_is_looked_at_in_other_ways(
    tmp_path: Path, browser: Browser, mode: str, seen: list[str], hidden: list[str]
) -> None:
    """From two metres, as a spectator, over a broadcast."""
    with ShownDesk(tmp_path, ruled()) as shown:
        browser.viewport(1280, 800)
        browser.open(f"{shown.address}?view={mode}")
        browser.until(lambda: browser.run("return document.querySelector('#scores b') !== null"))
        visible = "return document.querySelector(arguments[0]).checkVisibility()"
        assert [one for one in seen if not browser.run(visible, one)] == []
        assert [one for one in hidden if browser.run(visible, one)] == []
        wide = browser.run("return [document.documentElement.scrollWidth, innerWidth]")
        assert wide[0] <= wide[1]
        size = browser.run(
            "return parseFloat(getComputedStyle(document.querySelector('#headline')).fontSize)"
        )
        if mode == "table":
            assert size >= 48
        if mode == "overlay":
            clear = "return getComputedStyle(document.body).backgroundColor"
            assert browser.run(clear) == "rgba(0, 0, 0, 0)"


def test_rulings_are_said_aloud_where_that_is_wished(tmp_path: Path, browser: Browser) -> None:
    """Each ruling once, in words with names; nothing where nobody asked for it."""
    match = ruled()
    with ShownDesk(tmp_path, match) as shown:
        browser.open(shown.address)
        browser.until(lambda: browser.text("#scores"))
        browser.run("""window.said = []; speechSynthesis.speak = (one) => window.said.push(one.text)""")
        shown.desk.views.put(view(refused()))
        browser.until(lambda: "Not allowed" in browser.text("#headline"))
        assert browser.run("return window.said") == []
        browser.run("localStorage.setItem('speech', 'yes')")
        shown.desk.views.put(view(match))
        browser.until(lambda: browser.run("return window.said.length") == 1)
        shown.desk.views.put(view(refused()))
        browser.until(lambda: browser.run("return window.said.length") == 2)
        assert browser.run("return window.said[1]").startswith("Not allowed. Ann does not hold the 6-6")


LISTENING = """window.said = []; speechSynthesis.speak = (one) => window.said.push(one.text);
  window.tunes = []; window.AudioContext = class { currentTime = 0; destination = {};
    createGain() {
      return { gain: { setValueAtTime() {}, exponentialRampToValueAtTime() {} }, connect() {} };
    }
    createOscillator() {
      const one = { frequency: {}, connect: (on) => on, start() {}, stop() {} };
      return Object.assign(one, { start: () => window.tunes.push(one.frequency.value) });
    } };"""


def test_nothing_is_said_again_after_an_undo(tmp_path: Path, browser: Browser) -> None:
    """The move before the one that was taken back comes last then, and is no news; what follows is.

    A ruling that is none yet has words, and no tune; what nobody can verify counts, and sounds so.
    """
    before, after = (taken_up(Match(), random_game("draw-game", steps)) for steps in (14, 15))
    with ShownDesk(tmp_path, before) as shown:
        browser.open(shown.address)
        browser.until(lambda: browser.text("#scores"))
        browser.run(LISTENING + "for (const one of ['speech', 'sounds']) localStorage.setItem(one, 'yes')")

        def put(number: int, told: dict[str, Any]) -> tuple[int, list[int]]:
            """What was said and played, in all, once the page shows this."""
            shown.desk.views.put({**told, "notice": f"Look {number}."})
            browser.until(lambda: browser.text("#notice") == f"Look {number}.")
            browser.run(
                "return import('/static/hear.js').then(() => new Promise((go) => setTimeout(go, 50)))"
            )
            said, tunes = browser.run("return [window.said.length, window.tunes]")
            return said, tunes

        assert put(0, view(before))[0] == 0
        said, tunes = put(1, view(after))
        assert (said, len(tunes)) == (1, 2)
        assert put(2, view(before)) == (1, tunes)
        assert put(3, view(after)) == (2, tunes * 2)
        for number, (status, plays) in enumerate((("incomplete", 2), ("unverifiable", 3)), 4):
            told = view(after)
            *rows, last = told["log"]
            ruling = {**last["ruling"], "status": status}
            told["log"] = [*rows, {**last, "entry": last["entry"] + number, "ruling": ruling}]
            assert put(number, told) == (number - 1, tunes * plays), status
