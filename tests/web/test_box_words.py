"""What the box itself says is German on a German screen: all of it is listed, told whole, seen on pages."""

import ast
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from calibration.camera_errors import BadProfileFile
from device import lenses, own_pieces
from device.folders import state_folder
from device.service import box_match, own_lens
from tests.web import box_speeches
from tests.web.browser import MISSING, Browser
from tests.web.lobbies import ShownLobby
from tests.web.said import ROOT, inward_of, phrases, skeleton, templates
from tests.web.speaking import BOX, BOX_INWARD, FOLDERS, SILENT, SPEAKING, UNHEARD
from web.request_bodies import _SENTENCES
from web.words import AROUND, PART, REFEREE, catalogue, entries, files, told_in

SPEAKS = {f"{folder}/{module}" for folder, modules in SPEAKING.values() for module in modules.split()}
SPOT = re.compile(r"\{(\w+)(?:\|\w+)?\}")
SAMPLES = {
    "written": "/srv/a.toml",
    "number": "3",
    "numbers": "1 2",
    "people": "Ann",
    "foreign": "odd [Errno 5]",
}
"""What stands for parts that are nobody's words."""
WORDS = re.compile(r"[A-Za-z]{2}")


SAME = frozenset({"Pipwatch", "mm", "1: … see … put … correct 3: … back to 3 undo"})
"""What stands in templates and is the same in every language."""


def test_every_module_speaks_or_is_known_to_be_silent() -> None:
    """Whoever writes a sentence in a new module hears of the languages; no row has lost its sense."""
    found = set()
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).glob("*.py")):
            name = f"{folder}/{path.stem}"
            told = phrases(path, BOX_INWARD if name not in SPEAKS else inward_of("page", name))
            if {text for _, text in told} - UNHEARD:
                found.add(name)
    assert sorted(found - SPEAKS - SILENT.keys()) == []
    assert sorted(SILENT.keys() - found) == []


def test_so_much_is_said_of_the_box() -> None:
    """So many templates that no module was overlooked; and a list of what is not heard holds nothing else."""
    told = [text for group in BOX for _, text in templates(group)]
    assert len({skeleton(text) for text in told}) > 550
    source = "\n".join(
        path.read_text()
        for folder in (*FOLDERS, "calibration", "vision", "engine")
        for path in (ROOT / folder).glob("*.py")
    )
    assert [one for one in UNHEARD if "{" not in one and one.strip() not in source] == []


def test_what_the_box_writes_into_its_own_pages_is_plain() -> None:
    """A refusal that opens as a page is put into words before it is sent."""
    known = {source for context, source in catalogue("de") if not context}
    assert sorted({*_SENTENCES.values(), "This cannot be done."} - known) == []


def test_no_page_holds_words_that_are_not_translated() -> None:
    """All text and every label of the templates goes through gettext, or is told by the browser."""
    known = {skeleton(source) for context, source in catalogue("de") if context in ("", REFEREE, PART)}
    for path in (ROOT / "web/templates").glob("*.html"):
        page = re.sub(r"{%.*?%}", "", path.read_text(), flags=re.S)
        marked = re.findall(r"<(\w+)[^<>]*\sdata-told[^<>]*>(.*?)</\1>", page, re.S)
        for _, text in marked:
            plain = skeleton(re.sub(r"{{.*?}}", "{x}", " ".join(text.split())))
            for sentence in re.split(r"(?<=[.]) (?=[A-Z])", plain):
                assert not WORDS.search(sentence.replace("{}", "")) or sentence in known, (
                    path.name,
                    sentence,
                )
        page = re.sub(r"<(\w+)[^<>]*\sdata-told[^<>]*>.*?</\1>", "", page, flags=re.S)
        page = re.sub(r"{{.*?}}|<(code|script)\b.*?</\1>", "", page, flags=re.S)
        labels = re.findall(r'(?:aria-label|title|alt|placeholder)="([^"]*)"', page)
        texts = re.findall(r"<[^<>]*>([^<>]*)", page)
        bare = [one for text in (*labels, *texts) if (one := " ".join(text.split())) and "=" not in one]
        assert [one for one in bare if WORDS.search(one) and one not in SAME] == [], path.name


def test_every_check_of_the_doctor_has_a_name_on_the_page() -> None:
    """Also one that is added tomorrow."""
    script = (ROOT / "web/static/first.js").read_text()
    shown = dict(re.findall(r'(\w+): t\("(\w+)"\)', script.partition("CHECKS = ")[2].partition("});")[0]))
    checks = set()
    for path in (ROOT / "device/health").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(
                    func=ast.Name(id="ok" | "absent" | "fails"), args=[ast.Constant(value=str(name)), *_]
                ):
                    checks.add(name)
    assert len(checks) > 15
    assert sorted(checks - shown.keys()) == []
    assert sorted(set(shown.values()) - {source for context, source in catalogue("de") if not context}) == []


def test_a_match_need_not_load_what_no_match_shows() -> None:
    """The files around a match are there, and hold more than a little; nothing is in both halves."""
    there = {path.stem for path in files("de")}
    assert there >= AROUND
    match, around = told_in("de", around=False), told_in("de", around=True)
    assert len(around) > 400
    assert match.keys() & around.keys() == set()


def test_what_a_match_opens_with_is_loaded_where_matches_are_shown() -> None:
    """Pieces and lenses that are gone or broken, and why there is no camera: its own page says so."""
    opens = (
        lenses.MISSING, lenses.BROKEN, own_pieces.MISSING, own_pieces.BROKEN,
        box_match.WITHOUT_VISION, box_match.NO_CAMERA, box_match.OTHER_CAMERA, own_lens.UNSURE,
    )  # fmt: skip
    shown = {skeleton(source) for _, source in told_in("de", around=False)}
    assert [words for words in opens if skeleton(words) not in shown] == []


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A German phone, in the hands of somebody at a box."""
    if MISSING:
        pytest.skip(MISSING)
    with Browser(tmp_path_factory.mktemp("german"), "--lang=de", "--accept-lang=de") as made:
        made.viewport(390, 844, mobile=True)
        yield made


@pytest.fixture(scope="module")
def told(german: Browser) -> Iterator[Callable[[list[str]], list[str]]]:
    """What a page around a match makes of sentences."""
    with ShownLobby() as lobby:
        script = """
          return import("/static/words.js").then((found) =>
            arguments[0].map((one) => found.told(one, ["Ann", "Bo"])))"""

        def said(sentences: list[str]) -> list[str]:
            """Another test may have taken the browser elsewhere meanwhile."""
            page = f"{lobby.address}first"
            if german.run("return location.href") != page:
                german.open(page)
                assert german.run("return document.documentElement.lang") == "de"
            return list(german.run(script, sentences))

        yield said


@pytest.fixture(scope="module")
def told_at_a_match(german: Browser) -> Iterator[Callable[[list[str]], list[str | None]]]:
    """What the page of a match makes of sentences, which loads no words from around it."""
    with ShownLobby() as lobby:
        german.open(f"{lobby.address}first")
        script = """
          const words = fetch("/words/de.json").then((one) => one.json());
          return Promise.all([import("/static/sentences.js"), words]).then(([found, known]) => {
            const tell = found.teller(known.patterns);
            return arguments[0].map((one) => tell(one, ["Ann", "Bo"]));
          })"""
        yield lambda sentences: list(german.run(script, sentences))


BROKEN_OWN = {
    "title = 'x'": "den.toml: Der Schlüssel 'horizontal_deg' fehlt",
    "name = 'x'": "den.toml: Den Schlüssel 'name' gibt es nicht; am nächsten kommt 'horizontal_deg'",
    "title = 3\nhorizontal_deg = 60": "den.toml: title sollte ein Text sein, nicht 3",
    "title = 'x'\nhorizontal_deg = 400": "den.toml: horizontal_deg muss zwischen 10 und 150 liegen",
    "title = 'x'\nhorizontal_deg = 60\nlens = 3": "den.toml: lens sollte eine Tabelle sein, nicht 3",
    "title = 'x'\nhorizontal_deg = 60\nbend = 3": "den.toml: bend sollte eine Liste sein, nicht 3",
    "title = ": "den.toml ist kein TOML: Invalid value (at end of document)",
}
"""Files of lenses that are broken, and why in German; what a library says stays as it is."""
BROKEN_LOOKS = {
    "title = 'x'": "den.toml enthält kein Aussehen",
    "title = 'x'\n[[looks]]\nkind = 'coin'\nname = 'suns'\npicture = '@'": (
        "den.toml: looks[0]: das Bild eines Aussehens ist kein base64"
    ),
}


def reasons(kind: str, texts: dict[str, str], chosen: Callable[[str], object]) -> dict[str, str]:
    """What a match says of each broken file, with its reason in German."""
    found = {}
    place = state_folder() / kind
    place.mkdir(parents=True, exist_ok=True)
    for text, why in texts.items():
        (place / "den.toml").write_text(text)
        with pytest.raises(BadProfileFile) as wrong:
            chosen("den")
        found[str(wrong.value)] = why
    return found


def test_why_an_own_lens_or_set_is_of_no_use_is_german_at_a_match(
    told_at_a_match: Callable[[list[str]], list[str | None]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each by itself; and the notices of both in one line, which are told one after the other."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path))
    of_lenses = reasons("calibration", BROKEN_OWN, lenses.chosen_lens)
    of_sets = reasons("sets", BROKEN_LOOKS, own_pieces.own_set)
    lens = "Das Objektiv „den“ lässt sich nicht benutzen: {}. Kalibriere es neu, oder wähle ein anderes."
    pieces = "Die Steine „den“ lassen sich nicht benutzen: {}. Lerne sie neu, oder wähle gewöhnliche."
    for found, frame in ((of_lenses, lens), (of_sets, pieces)):
        assert told_at_a_match([*found]) == [frame.format(why) for why in found.values()]
    gone = lenses.MISSING.format(name="attic")
    lines = [f"{one} {other}" for one in of_sets for other in (gone, *of_lenses)]
    lines += [f"{own_pieces.MISSING.format(title='x')} {gone}", f"{gone} {box_match.NO_CAMERA}"]
    answers = told_at_a_match(lines)
    assert [line for line, answer in zip(lines, answers, strict=True) if answer is None] == []
    english = re.compile(r"\b(The|This|cannot|should|pieces|Learn|choose)\b")
    assert [one for one in answers if english.search(str(one))] == []
    assert str(answers[-2]).count("nicht mehr aufbewahrt") == 2


NAMES = re.compile(
    r"sudo .*|[\d.]+ mm|[\d -]+:\d\d UTC|(.*: )?Raspberry Pi Camera Module \d|confirm a.*|.*/dev/\S+"
)
"""Commands, figures, names of cameras and pins: the same in every language."""


def english(sentences: dict[str, str]) -> list[str]:
    """What was told as it came, though it holds words."""
    same = {source for (_, source), words in catalogue("de").items() if words == source}
    return [
        one
        for one, words in sentences.items()
        if words == one and WORDS.search(one) and one not in same and not NAMES.fullmatch(one)
    ]


def test_all_that_the_box_says_is_told_in_german(
    told: Callable[[list[str]], list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Checks, faults, refusals and wrong settings, said by what says them on machines of many kinds."""
    monkeypatch.setenv("STATE_DIRECTORY", str(tmp_path / "box"))
    (tmp_path / "box/matches").mkdir(parents=True)
    said = {one for one in box_speeches.speeches(tmp_path) if one}
    said |= {*box_speeches.shelved(tmp_path / "box/matches"), *box_speeches.REASONS}
    assert len(said) > 400
    assert english(dict(zip(sorted(said), told(sorted(said)), strict=True))) == []


def sample(name: str, number: int) -> str:
    """What may stand for a part: a figure, if it is not one that is nobody's words."""
    return SAMPLES.get(name.rstrip("0123456789"), str(number))


def filled(template: str, parts: dict[str, str]) -> str:
    """A template with its parts; what stands before a word brings the space between them."""
    spaced = re.sub(r"\{written\}(?=\w)", "{written}: ", template)
    return SPOT.sub(lambda spot: parts[spot[1]], spaced)


def test_every_entry_is_found_by_its_sentence(told: Callable[[list[str]], list[str]]) -> None:
    """A sentence made of each template comes back in the words of that very entry: none hides another."""
    made, wanted = [], []
    for path in files("de"):
        if path.stem not in AROUND | {"box", "eye", "files"}:
            continue
        for context, source, said in entries(path.read_text(encoding="utf-8")):
            if context != REFEREE or not source:
                continue
            parts = {name: sample(name, 7 + k) for k, name in enumerate(SPOT.findall(source))}
            made.append(filled(source, parts))
            wanted.append(filled(said, parts))
    assert len(made) > 450
    answers = dict(zip(made, zip(told(made), wanted, strict=True), strict=False))
    assert {one: pair for one, pair in answers.items() if pair[0] != pair[1]} == {}


def test_what_a_library_says_stays_as_it_is(told: Callable[[list[str]], list[str]]) -> None:
    """A reason that nobody wrote here stands in the German sentence; a full stop neither comes nor goes."""
    assert told(["The page cannot be shown: No module named 'flask'."]) == [
        "Die Seite lässt sich nicht zeigen: No module named 'flask'."
    ]
    assert told([f"nothing can be written to /srv/box: {os.strerror(28)}"]) == [
        "nach /srv/box lässt sich nichts schreiben: Kein Platz mehr"
    ]
    (settings,) = told(
        ["config.toml: pins: two things are wired to the same pin (line 4). The last good settings are used."]
    )
    assert settings.startswith("config.toml: pins: zwei Dinge hängen am selben Pin (Zeile 4). Es gelten")
    assert told(["The dominoes look 1.4 times too small: were the markers printed at 45.5 mm?"]) == [
        "Das sieht 1,4-mal zu klein aus: Dominosteine. Wurden die Marker mit 45,5 mm gedruckt?"
    ]
    assert told(["The lamp at /dev/x is on fire."]) == ["The lamp at /dev/x is on fire."]
