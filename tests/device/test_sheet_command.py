"""`pipwatch sheet`: photos in, scores out, and one sentence for each file that is none."""

import json
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from pypdfium2 import PdfDocument

from device.cli import main
from engine import rulebook
from engine.kingdomino_duel.edition import COATS
from engine.kingdomino_duel.kingdom import Kingdom
from engine.kingdomino_duel.map_score import Sheet, score_sheet
from engine.plain import JsonObject
from engine.record import Header, write
from simulation.filled_sheet import OUR_FORM, Cells, filled
from simulation.filled_spellbook import BookLine, filled_spellbook
from simulation.sheet_photo import PhotoConditions, photographed

D0, D1, S0, Q2 = ("dot", 0), ("dot", 1), ("stripe", 0), ("quarters", 2)
SMALL: Cells = (
    (None,) * 7,
    (None, None, D1, D0, None, None, None),
    (None, None, D0, None, S0, S0, None),
    (None, None, None, Q2, ("quarters", 0), None, None),
    (None,) * 7,
)

MAP = [". . . . . . .", ". . d1 d0 . . .", ". . d0 C s0 s0 .", ". . . q2 q0 . .", ". . . . . . ."]


GOOD = PhotoConditions(turn_deg=8, tilt=0.1)


def written(folder: Path, sheets: int = 1, cells: Cells = SMALL, conditions: PhotoConditions = GOOD) -> Path:
    """A photo of that map, once or twice, as a file."""
    rng = np.random.default_rng(34)
    papers = [filled(OUR_FORM, cells, False, rng) for _ in range(sheets)]
    path = folder / f"{sheets}.jpg"
    path.write_bytes(photographed(papers, conditions, rng).jpeg)
    return path


def test_a_photo_becomes_the_json_of_the_contract(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Map, roof, domains, score and doubts are there, and the score is that of the rule book."""
    path = written(tmp_path)
    assert main(["sheet", str(path), "--json", "--annotate", str(tmp_path / "seen")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {"image", "map", "roof", "domains", "score", "doubts"} <= told.keys()
    assert [len(row) for row in told["map"]] == [7] * 5
    wrong = [
        f"r{row + 1}c{column + 1}"
        for row in range(5)
        for column in range(7)
        if (cell := told["map"][row][column]) and (cell["coat"], cell["crosses"]) != SMALL[row][column]
    ]
    assert set(wrong) <= set(told["doubts"])
    assert told["score"] == score_sheet(Sheet(Kingdom.from_rows(MAP))).total == 7
    assert sum(domain["points"] for domain in told["domains"]) == 7
    seen = cv2.imread(str(tmp_path / "seen" / "1-read.png"))
    assert seen is not None
    assert seen.shape[1] == 7 * 110 + 28


def test_where_much_is_doubtful_it_is_said_what_helps(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Squares too small to be read well ask for a photo from nearer; a good photo asks for nothing."""
    assert main(["sheet", str(written(tmp_path)), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["advice"] is None
    full = tuple(
        tuple((COATS[(row + k) % 6], k % 3) if (row, k) != (2, 3) else None for k in range(7))
        for row in range(5)
    )
    far = written(tmp_path, 1, full, replace(GOOD, square_px=32, blur_px=1.4, noise=0.05))
    assert main(["sheet", str(far), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["doubts"]) >= 4
    assert "take the photo from nearer" in told["advice"]
    assert main(["sheet", str(far)]) == 0
    assert told["advice"] in capsys.readouterr().out


def test_two_maps_in_one_photo_are_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The second map stands under ``more``; equal maps have no winner."""
    assert main(["sheet", str(written(tmp_path, 2)), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["score"] for one in told["more"]] == [told["score"]]
    assert told["winner"] is None


def test_a_spellbook_beside_the_maps_asks_for_the_coat_that_was_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three photos are one game: the right player has P5, and says with --named what it was used for."""
    lines = tuple(BookLine((0, 3), struck=1) if name == "black" else BookLine((1, 0)) for name in COATS)
    rng = np.random.default_rng(34)
    book, first = tmp_path / "book.jpg", written(tmp_path)
    book.write_bytes(photographed([filled_spellbook(lines, rng)], PhotoConditions(), rng).jpeg)
    photos = [str(first), str(first), str(book)]
    assert main(["sheet", *photos, "--json"]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one.get("unnamed") for one in told] == [False, True, None]
    assert told[2]["map"] is None
    assert told[2]["spellbooks"][0]["black"]["owner"] == 2
    assert main(["sheet", *photos, "--named", "2:stripe"]) == 0
    out = capsys.readouterr().out
    assert "--named" not in out
    assert "P5: struck out and 3 of 3; it belongs to the right player" in out
    assert "Player 2 wins by 10 to 7 points." in out
    assert main(["sheet", *photos, "--named", "3:stripe"]) == 2
    assert "--named 3:stripe: there is no such map among 2" in capsys.readouterr().err
    page = ["--score-sheet", str(tmp_path / "score.pdf")]
    assert main(["sheet", *photos, str(book), *page]) == 2
    assert "one game, up to 3" in capsys.readouterr().err


def test_a_bad_file_is_one_sentence_and_the_others_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Text in a .jpg and a picture without a map are refused, the good photo between them is scored."""
    text, table = tmp_path / "text.jpg", tmp_path / "table.png"
    text.write_text("no picture")
    cv2.imwrite(str(table), np.full((300, 400, 3), 90, np.uint8))
    assert main(["sheet", str(text), str(written(tmp_path)), str(table)]) == 2
    out, err = capsys.readouterr()
    assert "7 points" in out
    assert [line.startswith("pipwatch sheet: ") for line in err.splitlines()] == [True, True]
    assert "neither a JPEG nor a PNG" in err
    assert "shows no map" in err


def test_a_score_sheet_is_printed_for_both_players(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two photos make one page, with the coat that the second player named counted."""
    page, first = tmp_path / "score.pdf", written(tmp_path)
    arguments = ["sheet", str(first), str(first), "--score-sheet", str(page), "--named", "2:stripe"]
    assert main(arguments) == 0
    assert "Player 2 wins by 10 to 7 points." in capsys.readouterr().out
    told = PdfDocument(page)[0].get_textpage().get_text_range()
    assert "Player 2 wins by 10 to 7 points. [KDD-W]" in told
    assert "named coat (P5): stripe" in told


def test_the_log_of_the_match_gives_names_and_powers(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A match whose log tells other maps: whose sheet it is shows by its coats, and P5 counts."""
    mine: JsonObject = {"map": list(Kingdom.from_rows(MAP).rows), "named": "s"}
    book: JsonObject = {"b": {"ticks": [0, 3], "spent": True}}
    rules = rulebook("kingdomino-duel")
    setup = rules.start(
        {"game": rules.game, "version": 1, "players": [{}, mine], "spellbook": book}
    ).to_json()
    log = tmp_path / "duel.jsonl"
    log.write_text(
        write(Header("kingdomino-duel", "default", ("Ada", "Ben"), "test", setup)), encoding="utf-8"
    )
    assert main(["sheet", str(written(tmp_path)), "--log", str(log), "--json"]) == 0
    read = json.loads(capsys.readouterr().out)
    assert (read["player"], read["named_points"], read["score"]) == ("Ben", 3, 10)


@pytest.mark.parametrize(
    "corners",
    [
        ["1,2", "3", "4,5", "6,7"],
        ["9,9", "9,300", "300,300", "300,9"],
        ["0,0", "1e7,0", "1e7,1e7", "0,1e7"],
        ["nan,0", "300,0", "300,inf", "0,300"],
    ],
)
def test_corners_that_are_none_are_refused(
    corners: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Four places that are not numbers, run the wrong way round or lie outside are told as one sentence."""
    assert main(["sheet", str(written(tmp_path)), "--corners", *corners]) == 2
    told = capsys.readouterr().err
    assert "four places" in told
    assert told.count("\n") == 1


def test_corners_around_no_map_are_told_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """They are not asked for again."""
    corners = ["0,0", "90,0", "90,60", "0,60"]
    assert main(["sheet", str(written(tmp_path)), "--corners", *corners]) == 2
    told = capsys.readouterr().err
    assert "amid these corners" in told
    assert "--corners" not in told


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "at least one photo"),
        (["a.jpg", "--named", "1:lion"], "--named 1:lion"),
        (["a.jpg", "--log", "nowhere.jsonl"], "nowhere.jsonl"),
        (["a.jpg", "--serve"], "in the browser"),
        (["--serve", "70000"], "not 70000"),
    ],
)
def test_what_cannot_be_asked_is_one_sentence(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong coat, a log that is not there, a port that is none."""
    assert main(["sheet", *arguments]) == 2
    assert says in capsys.readouterr().err
