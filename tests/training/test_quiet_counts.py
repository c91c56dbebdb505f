"""Whatever is told while nothing is done is counted, with the hand or the light at which it was told."""

import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from device.cli import refereeing
from device.live.stopwatch import Stopwatch
from simulation.film import Options
from simulation.quiet import LIGHTS, VISITS
from training import film_judging, measure_quiet
from training.film_counts import Line
from training.measure_quiet import failures, main, report, table
from training.quiet_counts import SeenFilm, counted

FPS = 10.0
FRAMES = 120
TRUTH: list[Line] = [
    {"type": "film"},
    {"type": "hand", "kind": "hover", "player": 1, "first": 20, "last": 33},
    {"type": "trouble", "kind": "lamp", "first": 50, "last": 70},
    {"type": "hand", "kind": "rest", "player": 0, "first": 90, "last": 100},
]
HANDS = [20 < frame < 31 or 90 <= frame <= 100 for frame in range(FRAMES)]
MOVE = {"entry": 1, "move": "1: a", "verdict": "legal DRW-5", "at_s": 3.5}
BACK = {"n": 2, "correct": 1, "with": None, "why": "taken back at the table", "at_s": 6.0}
END: Line = {"state": {}, "scores": {}, "outcome": None}


def said(phase: str, frame: int) -> Line:
    """Something that the chain says."""
    return {"phase": phase, "words": "…", "places": [], "at_s": frame / FPS}


def seen(*told: Line, settles: tuple[int, int] = (35, 105), **more: Any) -> SeenFilm:
    """What came of the film: the gate calls the table free some frames after each hand."""
    settled = [not (20 <= frame < settles[0] or 90 <= frame < settles[1]) for frame in range(FRAMES)]
    shares = [0.25 * hand for hand in HANDS]
    phases = [(0.1, "watching"), (2.1, "hands"), (settles[0] / FPS, "watching"), (9.0, "hands"),
              (settles[1] / FPS, "watching")]  # fmt: skip
    return SeenFilm([*told, END], HANDS, shares, settled, more.get("phases", phases), FPS)


def told_of(found: SeenFilm) -> Line:
    """The report of one film."""
    terms = {"game": "draw-game", "seed": 1}
    return {"terms": terms, "chain": "x", "seconds": 9.0, **counted(TRUTH, found)}


def hits(found: SeenFilm, name: str) -> tuple[int, int]:
    """A row of the report."""
    row = report([told_of(found)])["rows"][name]
    return row["hits"], row["n"]


def test_a_film_of_nothing_of_which_nothing_is_told_is_without_fault() -> None:
    """No entry, no question, nothing lost; each wait from when the hand has gone."""
    found = counted(TRUTH, seen())
    assert [one["kind"] for one in found["episodes"]] == ["hover", "lamp", "rest"]
    assert all(one["in_step"] for one in found["episodes"])
    assert [one.get("share") for one in found["episodes"]] == [0.25, None, 0.25]
    waits = [(one["settled_s"], one["agreed_s"], one["agreed_after_s"])
             for one in found["episodes"] if one["kind"] in VISITS]  # fmt: skip
    assert waits == [(0.4, 0.4, 0.1), (0.4, 0.4, 0.4)]
    assert not list(failures([told_of(seen())]))


@pytest.mark.parametrize(("line", "hand", "light"), [
    (MOVE, 1, 0), ({**MOVE, "at_s": 6.9}, 0, 1), (BACK, 0, 1),
    ({**MOVE, "entry": 2, "at_s": 9.5, "verdict": "illegal DRW-5"}, 1, 0),
    ({"entry": 2, "fact": "see …", "verdict": "seen", "at_s": 3.0}, 1, 0),
])  # fmt: skip
def test_every_entry_is_false_and_laid_to_what_came_last(line: Line, hand: int, light: int) -> None:
    """A move, a fact, a refusal or a take-back; the state at the end of the film is none."""
    assert hits(seen(line), "hands: with false entries") == (hand, 2)
    assert hits(seen(line), "light: with false entries") == (light, 1)
    assert len(list(failures([told_of(seen(line))]))) == 1


def test_questions_and_a_lost_thread_count_as_themselves() -> None:
    """Neither is an entry."""
    found = seen(said("asking", 36), said("out of step", 60), said("setting up", 61))
    assert hits(found, "hands: with questions") == (1, 2)
    assert hits(found, "hover: with questions") == (1, 1)
    assert hits(found, "lamp: with out of step") == (1, 1)
    assert hits(found, "light: with false entries") == (0, 1)


def test_what_is_told_before_anything_came_is_laid_to_nobody() -> None:
    """It is named all the same."""
    result = told_of(seen({**MOVE, "at_s": 1.0}))
    assert [len(one["entries"]) for one in result["episodes"]] == [0, 0, 0]
    assert "before" in next(iter(failures([result])))


def test_what_counts_only_when_the_film_has_ended_is_told_too() -> None:
    """A move still waits for its calm then, and gets it after the last frame."""
    late = {**MOVE, "at_s": FRAMES / FPS + 1.4}
    assert hits(seen(late), "rest: with false entries") == (1, 1)
    assert hits(seen(late), "hover: with false entries") == (0, 1)
    assert counted([], seen(late))["before"]["entries"] == [late]


def test_what_begins_out_of_step_counts_apart() -> None:
    """It proves nothing that no move is seen by one who does not follow; a false entry counts even so."""
    phases = [(0.1, "watching"), (2.1, "hands"), (3.5, "out of step")]
    found = report([told_of(seen({**MOVE, "at_s": 9.5}, phases=phases))])
    assert found["rows"]["hands: with false entries"]["n"] == 1
    assert found["began out of step"] == 2
    assert found["false entries out of step"] == 1
    assert found["rows"]["hand out of sight to committed within 0.7 s"]["hits"] == 0
    assert found["rows"]["hand out of sight to settled within 0.7 s"]["hits"] == 1
    assert found["waits_s"]["hand out of sight to committed"]["never"] == 1
    assert report([told_of(seen(phases=[(0.1, "setting up")]))])["not in step at first"] == 1


def test_a_table_that_is_free_too_late_is_told() -> None:
    """After 0.8 s, and after the next episode has begun."""
    late = seen(settles=(39, 105))
    assert hits(late, "hand out of sight to committed within 0.7 s") == (1, 2)
    assert hits(late, "arm away from the table to committed within 0.7 s") == (2, 2)
    (line,) = failures([told_of(late)])
    assert "committed after 0.8 s" in line
    never = seen(settles=(60, 105))
    assert counted(TRUTH, never)["episodes"][0]["agreed_s"] is None


def test_the_report_says_what_share_of_the_table_hands_covered() -> None:
    """By tenths, and the most."""
    found = report([told_of(seen())])
    assert found["shares"] == {"20 to 30 %": 2}
    assert found["largest share"] == 0.25
    lines = "\n".join(table("draw-game", found))
    assert "draw-game: 1 films, 3 episodes" in lines
    assert "hands: with false entries" in lines
    assert "p95 0.4 s" in lines
    assert not report([])["rows"]["hands: with questions"]["n"]


def test_the_command_counts_a_chain_that_records_a_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A stand-in that tells a move at every frame a hand is seen in; judged once and told again."""

    def invents(_arguments: argparse.Namespace, watch: Stopwatch) -> int:
        watch.ended = True
        for number in range(20, 400):
            print(json.dumps({**MOVE, "entry": number, "at_s": number / FPS}))
        return 0

    monkeypatch.setattr(film_judging, "run", invents)
    monkeypatch.setattr(measure_quiet, "Options", lambda: Options(size_px=(160, 120)))
    words = ["--game", "draw-game", "--episodes", "2", "--each", "2", "--out", str(tmp_path)]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["draw-game"]
    assert found["episodes"] == found["began out of step"] == 4  # it never says that it agrees
    assert found["false entries out of step"] > 100
    (path,) = tmp_path.glob("*.json")
    kinds = {one["kind"] for one in json.loads(path.read_text(encoding="utf-8"))["episodes"]}
    assert kinds & {*VISITS}
    assert kinds & {*LIGHTS}
    monkeypatch.setattr(film_judging, "run", refereeing.run)
    written = path.stat().st_mtime_ns
    assert main(words) == 0
    assert "frame" in capsys.readouterr().out
    assert path.stat().st_mtime_ns == written
    with pytest.raises(SystemExit, match="other terms"):
        main([*words[:2], "--episodes", "1", "--each", "1", "--out", str(tmp_path)])


@pytest.mark.long
def test_a_table_at_which_nothing_is_done_stays_as_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One visit and one change of light, by the true chain."""
    words = ["--game", "draw-game", "--episodes", "1", "--first", "77100", "--out", str(tmp_path)]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["draw-game"]
    assert found["began out of step"] == 0
    assert [found["rows"][f"{what}: with false entries"]["hits"] for what in ("hands", "light")] == [0, 0]
