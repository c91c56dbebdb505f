"""A German page: what pieces and places of the board are called where they answer to taps, in all games."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from device.match.acts import taken_up
from device.match.match import Match
from device.match.match_view import view
from engine import GAMES
from engine.touch import Taps
from engine.touching import touch, words_of
from tests.web.browser import MISSING, Browser
from tests.web.desks import ShownDesk
from tests.web.gallery import random_game
from tests.web.hand_table import HandTable
from tests.web.refusals import TAPS, before
from tests.web.test_page_touch import _TAP, PLAYERS, Hand

RAW = re.compile(
    r"\b(square|domino|pawn|stack|tile|place|lying|arm|map|pool|soldier|wall|border|facing|push|row|column|digit"
    r"|player|Player|the|of|on|by|with|beside|and|end|suns|moons|crowns|arms|points|hidden|say|form)\b"
    r"|^die \w+$"
)
"""What an English label has and a German one has not."""
LABELS = """const said = "#say .chips span, #say .choice, #say .prompt";
  return [...document.querySelectorAll(`#board [aria-label], ${said}`)]
    .map((one) => one.ariaLabel ?? one.innerText)"""
WALKS: dict[str, tuple[Taps, ...]] = {
    "dominoids": (("form see roll",), ("form put pawn",), ("form bud", "player 1")),
    "draw-game": (("form correct", "entry 1"), ("form put hand", "player 2"), ("form beside", "player 1")),
    "dominoes-of-war": (("form put soldier",), ("form spawn", "player 1"), ("form wall", "player 2")),
    "kingdomino-duel": (("form see roll",), ("form put mark",), ("form draw", "player 1")),
}
"""Of each game what is said part by part; each is walked on by the first that is offered."""
FORMS = """document.querySelector("#forms").close();
  [...document.querySelectorAll("#say .tools button")].at(-1)?.click();
  return document.querySelector("#forms-list button") !== null"""
"""All that can be said is shown."""
SAID = "return document.getElementById('board').dataset.said.split('|')"
MOST = 6
"""Parts of each at most."""


@pytest.fixture(scope="module")
def german(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A phone that asks for German."""
    if MISSING:
        pytest.skip(MISSING)
    with Browser(tmp_path_factory.mktemp("board"), "--lang=de", "--accept-lang=de") as made:
        made.viewport(390, 844, mobile=True)
        yield made


def english(page: Browser) -> list[str]:
    """What is called in English, of the board's pieces and places, the chips and what can be pressed."""
    return sorted({one for one in page.run(LABELS) if RAW.search(one)})


@pytest.mark.parametrize("game", GAMES)
def test_all_that_can_be_tapped_is_called_in_german(german: Browser, tmp_path: Path, game: str) -> None:
    """Lit, unlit and chosen, and what was tapped so far; people by their names."""
    with HandTable(tmp_path, before(game)) as table:
        hand = Hand(german, table)
        german.until(lambda: german.run("return document.querySelector('#board .target') !== null"))
        assert english(german) == []
        hand.tap(TAPS[game][0])
        german.until(lambda: len(hand.said) == 1)
        assert english(german) == []
        chosen = german.run("return document.querySelector('#board .target.chosen').ariaLabel")
        chip = german.text("#say .chips span")
        assert chosen == f"{chip}, gewählt"
        assert chip != TAPS[game][0]


def test_what_is_said_part_by_part_is_called_as_it_was_offered() -> None:
    """Each chip has the words of the button that was pressed."""
    for game, walks in WALKS.items():
        history = before(game)
        for taps in walks:
            told = taps[:1]
            while (shown := touch(history, told)).next and len(told) <= MOST:
                choice = next((one for one in shown.next if one.tap in taps), shown.next[0])
                told = (*told, choice.tap)
                said = words_of(history, told)
                assert len(said) == len(told), told
                assert said[-1] == choice.words, told
            assert len(told) > 1, taps


@pytest.mark.parametrize("game", GAMES)
def test_the_parts_of_a_form_are_called_in_german(german: Browser, tmp_path: Path, game: str) -> None:
    """A player by name, and no tap as the box writes it."""
    with HandTable(tmp_path, before(game)) as table:
        for taps in WALKS[game]:
            told = taps
            german.open(table.address)  # from the second walk on what was half said is there again
            german.until(lambda: german.run(FORMS))
            for tap in told:
                german.until(lambda tap=tap: german.run(_TAP, tap))
                german.until(lambda tap=tap: tap in german.run(SAID))
            assert english(german) == [], told
            names = "\n".join(german.run(LABELS))
            if "player 1" in told:
                assert PLAYERS[0] in names


LEGEND = "return [...document.querySelectorAll('#board .legend li')].map((one) => one.lastChild.textContent)"


def in_sight(spots: list[dict[str, Any]]) -> dict[str, bool]:
    """What the legend explains, and whether it lies on the table, or, of a mine, beside it."""
    lying = [one for one in spots if one["region"] == "board"]
    tiles = [one for one in spots if one["kind"] == "domino" and one["region"] in ("board", "discard")]
    turned = [one["value"]["pips"] for one in tiles if one["value"]]
    return {
        "Verdeckter Stein": any(not one["value"] and not one.get("owner") for one in tiles),
        "Basis von Ann": any(one.get("owner") == 1 for one in tiles),
        "Basis von Bo": any(one.get("owner") == 2 for one in tiles),
        "Aufgedeckter Stein": any(low != high for low, high in turned),
        "Mine: ein Pasch": any(low == high for low, high in turned),
        "Mauer": any(one["kind"] == "wall" for one in lying),
        "Der Keil zeigt, wohin jemand blickt": any(
            one["kind"] == "soldier" and one.get("angle") is not None for one in lying
        ),
    }


def test_the_legend_of_the_war_tells_what_is_in_sight(german: Browser, tmp_path: Path) -> None:
    """Types, whose base is which, tiles as they lie, walls, the wedge; each where it lies there, else not."""
    tables = [view(taken_up(Match(), random_game("dominoes-of-war", steps))) for steps in (3, 12, 31)]
    layout = tables[-1]["layout"]
    mines = [
        {**one, "value": {"pips": [3, 3]}} if one["kind"] == "domino" and one["value"] else one
        for one in layout["spots"]
    ]
    tables.append({**tables[-1], "layout": {**layout, "spots": mines}})
    seen = dict.fromkeys(in_sight(mines), 0)
    with ShownDesk(tmp_path, taken_up(Match(), random_game("dominoes-of-war", 3))) as shown:
        german.open(shown.address)
        for number, table in enumerate(tables):
            shown.desk.views.put({**table, "notice": f"Look {number}."})
            german.until(lambda number=number: german.text("#notice") == f"Look {number}.")
            told, expected = set(german.run(LEGEND)), in_sight(table["layout"]["spots"])
            assert {words: words in told for words in expected} == expected
            types = {"Fußsoldat", "Scharfschütze"}
            assert types <= told or number < 2
            assert not told & {"Grunt", "Sniper", "Quick Shot"}
            for words, there in expected.items():
                seen[words] += there
    assert [words for words, times in seen.items() if times in (0, len(tables))] == [
        "Verdeckter Stein", "Basis von Ann", "Basis von Bo",
    ]  # fmt: skip
