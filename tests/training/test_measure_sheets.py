"""Measuring sheets: whose pens, which forms, and squares that are wrong without anybody being told."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.kingdomino_duel.kingdom import SQUARES, Kingdom
from engine.kingdomino_duel.map_score import Sheet, score_sheet
from simulation.pen_families import FAMILIES
from training.measure_sheets import (
    GameEnd,
    MeasuredSheet,
    SheetWish,
    compared,
    end_of,
    ends_summed,
    form_of,
    games,
    main,
    measure,
    summed,
    taken,
    told,
)
from vision.sheet_decoder import MapWorth, ReadMap, as_told

KINGDOM, ROOF = next(games(3))
RIGHT = MeasuredSheet(True, True, True, False, 0, 0, 0, True, 0.5)


def emptied() -> Kingdom:
    """The map with one square fewer that has no cross, so that only the square is wrong."""
    rows = [row.split() for row in KINGDOM.rows]
    place = next(k for k in SQUARES if (mark := KINGDOM.at(k)) is not None and not mark.crosses)
    rows[place // 7][place % 7] = "."
    return Kingdom.from_rows([" ".join(row) for row in rows])


def test_a_wrong_square_counts_as_undoubted_unless_it_is_doubted() -> None:
    """The same wrong square, told as sure and told as doubtful."""
    wrong = emptied()
    sure = compared(as_told(wrong, ROOF), KINGDOM, ROOF, (True, 0.0))
    assert (sure.wrong_squares, sure.undoubted) == (1, 1)
    names = [square.name for square in as_told(wrong, ROOF).squares]
    doubted = compared(as_told(wrong, ROOF, names), KINGDOM, ROOF, (True, 0.0))
    assert (doubted.wrong_squares, doubted.undoubted) == (1, 0)
    whole = compared(as_told(KINGDOM, ROOF), KINGDOM, ROOF, (True, 0.0))
    assert (whole.wrong_squares, whole.undoubted) == (0, 0)
    assert whole.exact


def test_figures_come_by_form_and_family() -> None:
    """All, each form, and each family on each form, with the undoubted squares of each."""
    results = [
        replace(RIGHT, family="felt"),
        replace(RIGHT, family="felt", ours=False, wrong_squares=3, undoubted=2),
        replace(RIGHT, family="bold", found=False, exact=False, settled=False),
    ]
    lines = list(told(results))
    assert lines[0]["all"]["sheets"] == 3  # type: ignore[index]
    assert summed(results)["wrong squares without a doubt"] == 2
    by = {(line.get("family"), line.get("form")): line for line in lines[1:]}
    assert set(by) == {
        (None, "ours"),
        (None, "others'"),
        ("felt", "ours"),
        ("felt", "others'"),
        ("bold", "ours"),
    }
    assert by["felt", "others'"]["wrong squares without a doubt"] == 2
    assert by["felt", "others'"]["wrong squares"] == 3
    assert by["felt", "ours"]["wrong squares without a doubt"] == 0


def test_the_wish_decides_the_form() -> None:
    """Ours, others', or both in turn by chance."""
    rng = np.random.default_rng(1)
    assert all(form_of(rng, SheetWish(form="ours")).ours for _ in range(5))
    assert not any(form_of(rng, SheetWish(form="others")).ours for _ in range(5))
    assert {form_of(rng, SheetWish()).ours for _ in range(20)} == {True, False}


def test_the_second_pens_draw_other_sheets_of_the_same_map() -> None:
    """The same seed with and without a family: two different photos, of which the clear ones are read."""
    wish = SheetWish(form="ours", change={"square_px": 60.0})
    first, _ = taken(KINGDOM, ROOF, np.random.default_rng(1), wish)
    second, ours = taken(KINGDOM, ROOF, np.random.default_rng(1), wish, FAMILIES["adults"])
    assert first != second
    assert measure(second, KINGDOM, ROOF, ours=ours).found


def test_the_command_measures_a_family(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One sheet of felt pens on our form: three lines, of all, of the form, and of the family."""
    main(["--pens", "second", "--family", "felt", "--form", "ours", "--n", "1", "--failures", str(tmp_path)])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line.get("family") for line in lines] == [None, None, "felt"]
    assert lines[2]["form"] == "ours"
    assert lines[2]["sheets"] == 1


@pytest.mark.parametrize("words", [["--family", "felt"], ["--pens", "second", "--taught"]])
def test_what_does_not_go_together_is_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """One sentence, and exit status 2."""
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    assert "--pens second" in capsys.readouterr().err


def test_games_give_both_maps_of_a_game_one_after_the_other() -> None:
    """Two maps a game, none of them empty."""
    assert all(kingdom.marks() for kingdom, _ in itertools.islice(games(4), 4))


def surely(kingdom: Kingdom) -> ReadMap:
    """A map read without a doubt."""
    read = as_told(kingdom, False)
    return replace(read, worths=((MapWorth(read.score.total, read.score.largest, 1.0),),) * 7)


def test_the_end_of_a_game_is_right_open_or_wrong_and_sure() -> None:
    """The true maps name the winner; the maps changed over name the other; a map not found leaves it open."""
    maps = next(
        pair
        for pair in zip(*[games(4)] * 2, strict=True)
        if score_sheet(Sheet(pair[0][0])).total != score_sheet(Sheet(pair[1][0])).total
    )
    first, second = (surely(kingdom) for kingdom, _ in maps)
    assert end_of(maps, [first, second]) == GameEnd(right=True, open=False)
    assert end_of(maps, [second, first]).wrong
    assert end_of(maps, [first, None]) == GameEnd(right=False, open=True)
    unsure = replace(first, worths=((MapWorth(first.score.total, first.score.largest, 0.6),),) * 7)
    assert end_of(maps, [unsure, second]).open
    ends = [GameEnd(True, False), GameEnd(False, True), GameEnd(False, False)]
    figures = ends_summed(ends)
    assert figures["wrong and sure"] == 1
    assert figures["right or open"][0] == pytest.approx(2 / 3, abs=1e-4)  # type: ignore[index]


def test_the_command_measures_games(capsys: pytest.CaptureFixture[str]) -> None:
    """One game by two left-handers: a line of all, and one of the family."""
    main(["--pens", "second", "--family", "left-handers", "--form", "ours", "--games", "1"])
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[0]["all"]["games"] == 1
    assert lines[1]["family"] == "left-handers"
