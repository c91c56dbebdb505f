"""The start of a film counts as what became of its first table: taken up, otherwise than it lies, or not."""

import json
from pathlib import Path

import pytest

from device.live.starting import REFUSALS, WHO
from engine import State, rulebook
from simulation.film import Film, Options
from training import measure_starts
from training.film_counts import Line
from training.film_judging import start
from training.measure_starts import OUTCOMES, judged_start, main, report

GAME = "dominoes-of-war"
FILM = Film.of(GAME, seed=9200, options=Options(moves=1))
SETUP = FILM.script.setup
DOUBT = "Not seen for sure, and taken as it seems: a wall in the discard."
OTHER = "Not seen for sure, and taken as it seems: player 1's scout on the board."


def said(words: str, phase: str = "setting up") -> Line:
    """A line in which the chain says something."""
    return {"phase": phase, "words": words, "places": [], "at_s": 0.5}


def taken(walls: int = 4) -> Line:
    """The last line: the table as it was taken up, with so many of its walls."""
    state = {**SETUP, "walls": SETUP["walls"][:walls], "rubble": 4 - walls}
    return {"state": State.from_json(state).to_json(), "scores": {}, "outcome": None}


@pytest.mark.parametrize(("told", "outcome"), [
    ([said(WHO), taken()], "right"),
    ([said(DOUBT), taken()], "right"),
    ([said(WHO), said(DOUBT), taken(3)], "differs and said"),
    ([said(OTHER), taken(3)], "wrong and silent"),
    ([said(DOUBT), said(OTHER), taken(3)], "wrong and silent"),
    ([said(WHO), {"fact": "see wall b1", "alike": ["see no wall"]}, taken(3)], "differs and said"),
    ([said(WHO), {"fact": "see first 1", "alike": ["see first 2"]}, taken(3)], "wrong and silent"),
    ([said(WHO), taken(3)], "wrong and silent"),
    ([said(REFUSALS[1]), taken(3)], "wrong and silent"),
    ([taken(3)], "wrong and silent"),
    ([said("Which?", "asking")], "asked"),
    ([said(REFUSALS[0])], "not taken up"),
    ([], "not taken up"),
])  # fmt: skip
def test_each_way_to_begin_counts_as_itself(told: list[Line], outcome: str) -> None:
    """A difference is silent unless the last word before the game was one of doubt."""
    found = judged_start(told, SETUP, GAME, "default")
    assert found["outcome"] == outcome
    assert bool(found["off"]) == (outcome in ("differs and said", "wrong and silent"))
    assert WHO not in found["said"]


def test_what_differs_is_named() -> None:
    """A wall that stands, and one that lies in the discard instead."""
    off = judged_start([taken(3)], SETUP, GAME, "default")["off"]
    assert any(line.startswith("lacks wall edge") for line in off)
    assert "has 1 hidden in discard" in off


DICE = {"suns": "2", "moons": "null", "crowns": "5", "arms": "ace"}


@pytest.mark.parametrize(("dice", "pips", "words", "outcome"), [
    ("3", "1-5", "the Crowns die showing 3 in the box of old dice", "differs and said"),
    ("3", "1-5", "the 1-2 in the pool", "wrong and silent"),
    ("3", "1-5", "There should be 11 dominoes in the pool: 10 of 11 seen.", "wrong and silent"),
    ("5", "2-5", "the 1-2 on c3 and d3", "differs and said"),
    ("5", "2-5", "the 2-5 on f3 and f4", "differs and said"),
    ("5", "2-5", "the 1-2 in the pool", "wrong and silent"),
    ("5", "2-5", "There should be 11 dominoes in the pool: 10 of 11 seen.", "differs and said"),
    ("3", "2-5", "the Crowns die showing 3 in the box of old dice", "wrong and silent"),
    ("3", "2-5", "the die showing 3, the domino on c3", "differs and said"),
])  # fmt: skip
def test_a_doubt_counts_if_it_names_what_differs(dice: str, pips: str, words: str, outcome: str) -> None:
    """By its place, or by what it is; of dominoes there are many. And all that differs must be named."""
    setup = Film.of("dominoids", seed=9200, options=Options(moves=1)).script.setup
    lies = {"1-5": ["c3", "d3"], "3-4": ["c5", "c6"], "1-1": ["e6", "f6"], "2-2": ["f3", "f4"]}
    true = {**setup, "dominoes": lies, "dice": DICE}
    there = {(pips if name == "1-5" else name): squares for name, squares in lies.items()}
    state = {**true, "dominoes": there, "dice": {**DICE, "crowns": dice}}
    told = [said(words), {"fact": "see …"}, {"state": state}]
    assert judged_start(told, true, "dominoids", "default")["outcome"] == outcome


def test_a_new_game_of_which_no_fact_was_seen_is_not_taken_up() -> None:
    """The opening of Dominoids is told fact by fact; until then nothing counts."""
    film = Film.of("dominoids", seed=9200, options=Options(moves=1))
    blank = {"state": rulebook("dominoids").start().to_json()}
    told = [said("The opening must be set up."), blank]
    assert judged_start(told, film.script.setup, "dominoids", "default")["outcome"] == "not taken up"


def test_a_start_ends_before_the_first_hand_comes() -> None:
    """All that the chain gets is the table as it lay."""
    clip = start(FILM)
    first = min(line["first"] for line in FILM.truth() if line["type"] in ("move", "fact", "hand"))
    assert clip.frames == range(first)  # type: ignore[arg-type]
    assert not clip.truth


def test_starts_are_watched_once_and_told_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each leaves a file; what has one is not watched again, and what failed is named."""
    watched = []

    def followed(*_: object) -> tuple[list[Line], list[bool]]:
        watched.append(1)
        return [said(REFUSALS[1])], []

    monkeypatch.setattr(measure_starts, "followed", followed)
    words = ["--game", GAME, "--films", "2", "--first", "9200", "--out", str(tmp_path)]
    assert main(words) == 0
    assert f"{GAME} 9201: not taken up | {REFUSALS[1]}" in capsys.readouterr().out
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)[GAME]
    assert found["rows"]["not taken up"]["hits"] == found["starts"] == len(watched) == 2
    assert set(found["rows"]) == set(OUTCOMES)


def test_a_report_counts_each_outcome() -> None:
    """With the interval in which the share may lie."""
    rows = report([{"outcome": "right"}, {"outcome": "right"}, {"outcome": "asked"}])["rows"]
    assert (rows["right"]["hits"], rows["asked"]["hits"], rows["wrong and silent"]["hits"]) == (2, 1, 0)
    assert rows["right"]["low"] < 2 / 3 < rows["right"]["high"]
