"""Judged films are counted as they should be, and the command films, judges, goes on and tells."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.history import History
from training import film_judging
from training.film_counts import OUTCOMES, Count, Line, count, totals
from training.film_rules import opening_entries, with_forced
from training.measure_films import main

FPS = 10.0
FRAMES = 400


def move(number: int, text: str, **more: Any) -> Line:
    """A scripted move; the first is done in frames 20 to 39, the next from 60 on."""
    first = 40 * number - 20
    line = {"type": "move", "move": text, "player": 1, "first": first, "last": first + 19, "legal": True,
            "status": "legal", "rule": "DRW-5", "stands": True, "visible": True, "state": number}  # fmt: skip
    return {**line, **more}


def wrong(number: int, text: str, **more: Any) -> Line:
    """A scripted illegal move that is put back."""
    first = 40 * number - 20
    return move(
        number, text, legal=False, status="illegal", stands=False, back=[first + 25, first + 30], **more
    )


def told(n: int, text: str, frame: int, verdict: str = "legal DRW-5") -> Line:
    """An entry that the chain tells."""
    return {"entry": n, "move": text, "verdict": verdict, "at_s": frame / FPS}


def said(phase: str, frame: int) -> Line:
    """Something else that the chain says."""
    return {"phase": phase, "words": "…", "at_s": frame / FPS}


HANDS = [any(40 * k - 20 <= frame < 40 * k for k in range(1, 9)) for frame in range(FRAMES)]
"""A hand is there while a move is made."""
SCRIPT = [move(1, "1: a"), move(2, "2: b"), wrong(3, "1: c"), move(4, "1: d")]
RIGHT = [
    told(1, "1: a", 43),
    told(2, "2: b", 83),
    told(3, "1: c", 123, "illegal DRW-5"),
    told(4, "1: d", 165),
]


def of(*lines: Line) -> Count:
    """The count of a film in which these lines were told."""
    return count([{"type": "film"}, *SCRIPT], lines, HANDS, FPS)


def of_script(script: list[Line], lines: list[Line]) -> Count:
    """The count of another film."""
    return count([{"type": "film"}, *script], lines, HANDS, FPS)


def outcomes(found: Count) -> list[str]:
    """What became of each move."""
    return [one.outcome for one in found.events]


def test_a_film_that_is_told_as_it_was_needs_nobody() -> None:
    """Every move right at its time, and the wait is counted from when the hand has gone."""
    found = of(*RIGHT)
    assert outcomes(found) == ["right"] * 4
    assert [one.wait_s for one in found.events] == pytest.approx([0.3, 0.3, 0.3, 0.5])
    assert found.events[2].put_right
    assert found.untouched
    assert totals([found])["illegal found"] == 1


def test_each_way_to_go_wrong_counts_as_itself() -> None:
    """Missed, asked, wrong with something said and wrong with nothing said are never the same."""
    assert outcomes(of(RIGHT[0], *RIGHT[2:])) == ["right", "missed", "right", "right"]
    asked = [RIGHT[0], said("asking", 84), *RIGHT[2:]]
    assert outcomes(of(*asked)) == ["right", "asked", "right", "right"]
    silent = [RIGHT[0], told(2, "2: x", 83), *RIGHT[2:]]
    assert outcomes(of(*silent)) == ["right", "wrong and silent", "right", "right"]
    flagged = [*silent, said("out of step", 100)]
    assert outcomes(of(*flagged)) == ["right", "wrong and flagged", "right", "right"]
    assert not any(of(*lines).untouched for lines in (asked, silent, flagged))


def test_an_entry_that_is_corrected_by_itself_was_wrong_and_flagged() -> None:
    """Recorded right first time is what counts."""
    mended = {"n": 5, "correct": 2, "with": {"move": "2: b"}, "why": "told by what followed", "at_s": 16.5}
    found = of(RIGHT[0], told(2, "2: x", 83), *RIGHT[2:], mended)
    assert outcomes(found)[1] == "wrong and flagged"


def test_players_that_are_swapped_are_wrong() -> None:
    """Every move then belongs to somebody else, and nobody is told."""
    swapped = [{**one, "move": {"1": "2", "2": "1"}[one["move"][0]] + one["move"][1:]} for one in RIGHT]
    found = of(*swapped)
    assert outcomes(found).count("wrong and silent") == 3  # the rule of the illegal one is right
    assert not found.false


def test_a_legal_move_called_illegal_is_a_false_accusation() -> None:
    """And so is an illegal move that nobody made."""
    called = of(RIGHT[0], told(2, "2: b", 83, "illegal DRW-5"), *RIGHT[2:])
    assert totals([called])["accusations"] == 1
    invented = of(*RIGHT, told(5, "2: y", 300, "illegal DRW-5"))
    assert totals([invented])["accusations"] == 1
    assert invented.false[0]["by"] == "hand"


def test_a_false_move_is_laid_to_the_light_where_no_hand_was_seen() -> None:
    """And to nothing at all where the light was steady too."""
    lamp = {"type": "trouble", "kind": "lamp", "first": 355, "last": 370}
    for frame, by in ((372, "light"), (30, "hand")):
        lines = sorted([*RIGHT, told(5, "2: y", frame)], key=lambda one: one["at_s"])
        found = count([{"type": "film"}, *SCRIPT, lamp], lines, HANDS, FPS)
        assert [one["by"] for one in found.false] == [by]
    still = count([{"type": "film"}, *SCRIPT], [*RIGHT, told(5, "2: y", 372)], HANDS, FPS)
    assert [one["by"] for one in still.false] == ["nothing"]


def test_moves_caught_up_with_are_right_and_late() -> None:
    """Told after the next one was made, in the right order."""
    found = of(RIGHT[0], told(2, "2: b", 123), told(3, "1: c", 123, "illegal DRW-5"), RIGHT[3])
    assert outcomes(found) == ["right"] * 4
    assert [one.late for one in found.events] == [False, True, False, False]
    assert found.events[1].wait_s is None


def test_a_legal_move_that_is_taken_back_must_be_taken_back_in_the_record() -> None:
    """The move itself was right; that it was taken back is another thing to see."""
    script = [move(1, "1: a", stands=False, back=[45, 50]), move(2, "1: b")]
    back = {"n": 2, "correct": 1, "with": None, "why": "taken back at the table", "at_s": 5.3}
    for between in ([back], []):
        found = count([{"type": "film"}, *script], [RIGHT[0], *between, told(3, "1: b", 83)], HANDS, FPS)
        assert outcomes(found) == ["right", "right"]
        assert found.events[0].put_right is bool(between)


def test_a_take_back_may_be_understood_when_the_next_hand_is_there() -> None:
    """In a hurry the next move begins as soon as the last is taken back; but it is told after that."""
    script = [move(1, "1: a", stands=False, back=[45, 50]), move(2, "1: b"), move(3, "2: c")]
    for at, told_then, right, late in (
        (5.9, 83, True, False),
        (10.3, 104, True, True),
        (10.3, 83, False, False),
    ):
        back = {"n": 2, "correct": 1, "with": None, "why": "taken back at the table", "at_s": at}
        next_ = told(3, "1: b", told_then)
        lines = [RIGHT[0], back, next_] if at < told_then / FPS else [RIGHT[0], next_, back]
        one = count([{"type": "film"}, *script], [*lines, told(4, "2: c", 123)], HANDS, FPS)
        assert (one.events[0].put_right, one.events[0].put_right_late) == (right, late)
        assert totals([one])["take-backs understood late"] == late


def test_a_refused_move_that_is_put_back_leads_to_no_further_word() -> None:
    """A question about the empty place is a take-back that was not understood."""
    assert of(*RIGHT[:3], said("asking", 132), RIGHT[3]).events[2].put_right is False
    assert of(*RIGHT[:3], said("out of step", 132), RIGHT[3]).events[2].put_right is True


def test_what_is_only_said_is_told_with_what_is_seen_next() -> None:
    """A pass counts once the next tile shows it; one at the end of the film can be seen by nobody."""
    silent = {"visible": False}
    script = [move(1, "1: a"), move(2, "2: pass", **silent), move(3, "1: c"), move(4, "2: pass", **silent)]
    lines = [RIGHT[0], told(2, "2: pass", 123), told(3, "1: c", 123)]
    assert outcomes(count([{"type": "film"}, *script], lines, HANDS, FPS)) == ["right"] * 3


def test_what_no_picture_shows_counts_as_missed_and_is_told_apart() -> None:
    """A shot at nothing leaves the table as it was; what had to come next, and what is seen, do not."""
    for more, apart in (({"visible": False}, 1), ({"visible": False, "forced": True}, 0), ({}, 0)):
        script = [move(1, "1: x"), move(2, "1: shoot a1 nothing", **more), move(3, "2: y")]
        found = of_script(script, [told(1, "1: x", 33), told(2, "2: y", 133)])
        assert outcomes(found) == ["right", "missed", "right"]
        assert totals([found])["missed and only said"] == apart


def test_what_was_all_that_could_come_next_may_be_told_at_once() -> None:
    """It is right where just that is told, and where a correction makes it that it was wrong and flagged."""
    done = move(3, "1: done", visible=False)
    script = [move(1, "1: a"), move(2, "1: b"), done, move(4, "2: c")]
    early = [*RIGHT[:1], told(2, "1: b", 83), told(3, "1: done", 83), told(4, "2: c", 165)]
    assert outcomes(of_script(script, early)) == ["right", "right", "missed", "right"]
    script[2] = {**done, "forced": True}
    found = of_script(script, early)
    assert outcomes(found) == ["right"] * 4
    assert found.untouched
    too_early = [told(1, "1: done", 43), *RIGHT[:1], *early[1:2], *early[3:]]
    assert outcomes(of_script(script, too_early))[2] == "missed"
    other = [*early[:2], told(3, "2: done", 83), early[3]]
    assert outcomes(of_script(script, other))[2] == "missed"
    mended = {"n": 5, "correct": 3, "with": {"move": "1: done"}, "at_s": 16.5}
    assert outcomes(of_script(script, [*other, mended]))[2] == "wrong and flagged"


def test_what_was_all_that_could_follow_is_not_false_where_nobody_came_to_say_it() -> None:
    """At the end of a film, and after a move that was taken back; if just that is told, in its order."""
    leads = ["2: pass", "2: done"]
    for more in ({}, {"back": [100, 110], "stands": False}):
        script = [move(1, "1: a"), move(2, "2: b", leads=leads, **more)]
        for said_after, false in (([], 0), (leads, 0), (leads[1:], 1), (["2: pass", "x"], 1)):
            lines = [*RIGHT[:2], *(told(n, text, 83) for n, text in enumerate(said_after, 3))]
            found = of_script(script, lines)
            assert outcomes(found) == ["right"] * 2
            assert len(found.false) == false
        late = of_script(script, [*RIGHT[:2], told(3, leads[0], 130)])
        assert len(late.false) == ("back" in more)


def test_what_else_a_move_may_have_been_is_something_that_was_said() -> None:
    """The record chose wrongly between two that look the same, and named the other."""
    line = {**told(2, "2: x", 83), "alike": ["2: b"]}
    found = of(RIGHT[0], line, *RIGHT[2:])
    assert outcomes(found)[1] == "wrong and flagged"
    assert totals([found])["wrong and named"] == 1
    line = {**told(2, "2: x", 83), "alike": ["2: y"]}
    found = of(RIGHT[0], line, *RIGHT[2:])
    assert outcomes(found)[1] == "wrong and silent"
    assert totals([found])["wrong and named"] == 0


def test_the_set_up_of_a_film_told_as_facts_is_not_false() -> None:
    """The facts of an opening are its set-up told entry by entry; one that is not so makes them false."""
    lines = ["see oldest 1", "see roll D1 d D ?"]
    setup = History.begin("kingdomino-duel").fact(lines[0]).fact(lines[1]).state.to_json()
    entries = [{"entry": n, "fact": text, "verdict": "seen", "at_s": 0.9} for n, text in enumerate(lines, 1)]
    told_all = [said("asking", 4), *entries, told(3, "1: take 4", 43)]
    game = ("kingdomino-duel", "default")
    assert opening_entries(told_all, setup, *game) == {1, 2}
    assert not opening_entries(told_all[:2], setup, *game)
    wrong = [{**entries[0], "fact": "see nonsense"}, entries[1]]
    assert not opening_entries(wrong, setup, *game)
    script = [{"type": "film"}, move(1, "1: take 4")]
    assert not count(script, told_all, HANDS, FPS, {1, 2}).false
    assert len(count(script, told_all, HANDS, FPS).false) == 2


def test_who_begins_need_not_be_told_with_the_set_up() -> None:
    """That shows with the first move, and a film in which none was followed is not false for it."""
    facts = ("see arms@b3 4@c3-2@d3", "see crowns@c7 5@c5-1@c6", "see moons@g6 1@e6-2@f6",
             "see suns@f2 4@f3-4@f4", "see roll suns=ace moons=5 crowns=2 arms=2")  # fmt: skip
    history = History.begin("dominoids")
    for text in facts:
        history = history.fact(text)
    setup = history.fact("see first 2").state.to_json()
    entries = [{"entry": n, "fact": text} for n, text in enumerate(facts, 1)]
    assert opening_entries(entries, setup, "dominoids", "default") == {1, 2, 3, 4, 5}
    assert not opening_entries(entries[:4], setup, "dominoids", "default")


def test_the_rule_book_says_which_moves_were_all_that_was_left() -> None:
    """In Dominoids the end of a turn whose dice are used, said in the script or not, or taken back again."""
    game = History.begin("dominoids", seed=3)
    lines = ("1: dice suns moons", "1: moons move 4@d3-1@d4", "1: suns move 2@b6-3@c6", "1: done")
    truth: list[Line] = [{"type": "film"}]
    states = [game.state.to_json()]
    for number, line in enumerate(lines, 1):
        game = game.move(line)
        states.append(game.state.to_json())
        truth.append(move(number, line, visible=line != "1: done"))
    rules = (states, "dominoids", "default")
    marked = with_forced(truth, *rules)
    assert [one.get("forced", False) for one in marked[1:]] == [False, False, False, True]
    assert [one.get("leads") for one in marked[1:]] == [None, None, ["1: done"], None]
    assert with_forced(truth[:-1], *rules)[-1]["leads"] == ["1: done"]
    assert with_forced(truth[-1:], *rules, 3)[0]["forced"]
    assert with_forced(truth[:1], *rules) == truth[:1]
    back = [*truth[:3], {**truth[3], "back": [150, 160], "state": 2}]
    assert with_forced(back, *rules)[-1]["leads"] == ["1: done"]
    illegal = [*truth[:3], {**truth[3], "back": [150, 160], "state": 2, "legal": False}]
    assert not with_forced(illegal, *rules)[-1]["leads"]


def test_a_film_in_which_no_game_began_is_missed_and_not_untouched() -> None:
    """Nothing but a table that lacks something."""
    found = of(said("setting up", 10))
    assert outcomes(found) == ["missed"] * 4
    assert not found.began
    assert not found.untouched


texts = st.lists(st.sampled_from(["1: a", "2: b", "1: c", "2: d", "1: e"]), max_size=8)


@given(texts, texts, st.lists(st.integers(0, FRAMES - 1), max_size=3))
def test_every_move_has_one_outcome_and_every_entry_one_place(
    script: list[str], lines: list[str], asks: list[int]
) -> None:
    """Whatever is told: each entry is about one move or false, and a count reads back as written."""
    truth = [move(number, text) for number, text in enumerate(script, 1)]
    entries = [told(n, text, 40 * n + 5) for n, text in enumerate(lines, 1)]
    found = count(
        [{"type": "film"}, *truth], [*entries, *(said("asking", frame) for frame in asks)], HANDS, FPS
    )
    assert len(found.events) == len(script)
    assert set(outcomes(found)) <= set(OUTCOMES)
    assert len(found.false) + sum(bool(one.told) for one in found.events) == len(lines)
    assert Count.from_json(json.loads(json.dumps(found.to_json()))) == found
    if script == lines and not asks:
        assert found.untouched


def test_a_film_that_was_stopped_does_not_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A signal ends the match in it early: what it told so far is no result, and the command says so."""
    monkeypatch.setattr(film_judging, "run", lambda *_: 0)
    monkeypatch.setattr(film_judging, "_shoot", lambda *_: [])
    words = ["--game", "draw-game", "--films", "2", "--first", "9001", "--moves", "1", "--out", str(tmp_path)]
    assert main(words) == 130
    assert "goes on with the films" in capsys.readouterr().err
    assert not list(tmp_path.glob("*.json"))


@pytest.mark.long
def test_a_film_is_judged_once_and_told_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The command leaves a result, goes on from it, and refuses to mix in one made on other terms."""
    words = ["--game", "draw-game", "--films", "1", "--first", "9001", "--moves", "2", "--out", str(tmp_path)]
    assert main([*words, "--json"]) == 0
    first = json.loads(capsys.readouterr().out)["draw-game"]
    assert first["rows"]["right"]["n"] == 2
    assert first["rows"]["wrong and silent"]["hits"] == 0
    written = (tmp_path / "draw-game-9001.json").stat().st_mtime_ns
    assert main(words) == 0
    assert "draw-game: 1 films, 2 moves" in capsys.readouterr().out
    assert (tmp_path / "draw-game-9001.json").stat().st_mtime_ns == written
    with pytest.raises(SystemExit, match="other terms"):
        main([*words, "--illegal", "0.5"])
