"""Clips that once failed, drawn anew from their seeds (tests/cases) and judged: they must not fail again."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from engine import GAMES
from simulation.film import Film, Options
from simulation.trouble import KINDS
from training.film_judging import judged, part

CASES = sorted((Path(__file__).parents[2] / "cases").glob("*.toml"))
NAMES = [path.stem for path in CASES]
FEWEST = 20
"""So many clips that once failed there should be at least."""


def case_in(path: Path) -> dict[str, Any]:
    """A case: the film by its game, seed and options, the moves of the clip, and what once failed."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def film_of(case: dict[str, Any]) -> Film:
    """The film of a case."""
    options = Options(
        moves=case["moves"], illegal=case.get("illegal", 0.0), retracted=case.get("retracted", 0.0),
        troubles=tuple(case.get("troubles", ())),
    )  # fmt: skip
    return Film.of(case["game"], seed=case["seed"], options=options)


@pytest.mark.parametrize("path", CASES, ids=NAMES)
def test_a_case_says_what_it_is_about(path: Path) -> None:
    """Which game, which moves of which film, and in a sentence what failed."""
    case = case_in(path)
    known = {"failed", "game", "seed", "moves", "illegal", "retracted", "troubles", "clip", "quick"}
    assert set(case) <= known
    assert case["game"] in GAMES
    assert case["failed"].endswith(".")
    first, last = case["clip"]
    assert 1 <= first <= last <= case["moves"]
    assert set(case.get("troubles", ())) <= set(KINDS)


def test_a_clip_begins_before_its_first_move_and_ends_after_its_last() -> None:
    """The state before it is that of the move before; its truth is counted from its own first frame."""
    film = film_of(case_in(CASES[0]))
    moves = [line for line in film.truth() if line["type"] == "move"]
    clip = part(film, 3, 4)
    events = [line for line in clip.truth if line["type"] == "move"]
    assert [line["move"] for line in events] == [line["move"] for line in moves[2:4]]
    assert clip.frames.start + events[0]["first"] == moves[2]["first"]
    assert int(str(moves[1]["last"])) < clip.frames.start < int(str(moves[2]["first"]))
    assert clip.setup == film.script.states[int(str(moves[1]["state"]))]
    with pytest.raises(ValueError, match="no moves 8 to 99"):
        part(film, 8, 99)


def test_there_are_cases_of_every_game_and_no_two_of_one_clip() -> None:
    """What once failed is kept, each failure once."""
    clips = {(case["game"], case["seed"], *case["clip"]) for case in map(case_in, CASES)}
    assert len(clips) == len(CASES) >= FEWEST
    assert {game for game, *_ in clips} == set(GAMES)


def judging(path: Path) -> Any:
    """A case to be judged: with all other tests if it is quick, else with the long ones."""
    return pytest.param(path, id=path.stem, marks=() if case_in(path).get("quick") else pytest.mark.long)


@pytest.mark.parametrize("path", [judging(path) for path in CASES])
def test_what_once_failed_is_right(path: Path) -> None:
    """Every move of the clip is recorded as it was made, and nobody is asked."""
    case = case_in(path)
    found = judged(part(film_of(case), *case["clip"])).count
    assert found.untouched, found
