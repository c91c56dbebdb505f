"""Maps that people have corrected and kept are examples to learn from."""

import json
from itertools import chain
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.kingdomino_duel import edition
from simulation.filled_sheet import OUR_FORM, Cells, filled, random_cells
from simulation.sheet_photo import PhotoConditions, photographed
from training import sheet_marks
from training.kept_maps import cells_of_kingdom, kept_maps
from training.sheet_marks import KEPT, UNKNOWN, make_shard, take_kept
from training.teach_sheet_cells import labels
from vision.sheet_cells import CASTLE_INDEX
from vision.sheet_decoder import decode
from vision.sheet_finder import Candidate, FoundSheet
from vision.sheet_picture import bare_picture
from vision.sheet_reader import SheetReading, sheet_reader


def as_kept(folder: Path) -> Cells:
    """A sheet as the page keeps it, with what truly stands on it."""
    rng = np.random.default_rng(5)
    cells = random_cells(rng)
    paper = filled(OUR_FORM, cells, True, rng)
    photo = photographed([paper], PhotoConditions(turn_deg=4), rng)
    folder.mkdir()
    cv2.imwrite(str(folder / "a.png"), bare_picture(photo.image, photo.corners[0]))
    (folder / "a.json").write_text(json.dumps({"rows": rows_of(cells), "roof": True}), encoding="utf-8")
    return cells


def rows_of(cells: Cells) -> list[str]:
    """A map as the rule book writes it."""
    told = [[f"{symbol(cell[0])}{cell[1]}" if cell else "." for cell in row] for row in cells]
    told[2][3] = "C"
    return [" ".join(row) for row in told]


def symbol(coat: str) -> str:
    """The letter of a coat."""
    return edition.symbol(edition.COATS.index(coat))


def test_a_kept_map_comes_back_as_it_was_told(tmp_path: Path) -> None:
    """Picture, corners and marks; what is no map is left out with a sentence."""
    cells = as_kept(tmp_path / "kept")
    (one,) = kept_maps(tmp_path / "kept")
    assert (one.cells, one.roof) == (cells, True)
    reading = sheet_reader().read(one.image, FoundSheet((Candidate(one.corners, True, 4),)))
    assert isinstance(reading, SheetReading)
    read = decode(reading.coats, reading.crosses, reading.roof)
    right = [
        seen == told for seen, told in zip(chain(*cells_of_kingdom(read.kingdom)), chain(*cells), strict=True)
    ]
    assert sum(right) >= 33  # its squares lie where its corners say


@pytest.mark.parametrize(("name", "told", "words"), [
    ("a.json", "{", "a.png is left out"), ("a.json", '{"rows": ["C"], "roof": false}', "has 5 rows"),
    ("a.png", "no picture", "it is no picture"),
])  # fmt: skip
def test_what_is_no_kept_map_is_told_and_left_out(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, told: str, words: str
) -> None:
    """One broken file does not keep the others from being learned from."""
    as_kept(tmp_path / "kept")
    (tmp_path / "kept" / name).write_text(told, encoding="utf-8")
    assert not [*kept_maps(tmp_path / "kept")]
    assert words in capsys.readouterr().err


def test_kept_maps_are_a_shard_that_is_learned_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They count as every tenth sheet, and where their crosses stand teaches nothing."""
    pytest.importorskip("torch", reason="torch is not here: it is needed for training alone")
    from training.mark_network import MarkNet, Sheets, wrong

    cells = as_kept(tmp_path / "kept")
    assert take_kept(tmp_path / "data", tmp_path / "kept") == 1
    real = Sheets.of([tmp_path / "data" / KEPT])
    (told,) = real.told
    assert (told.numpy() == np.delete(labels(cells, roof=True), CASTLE_INDEX, axis=0)[:, :2]).all()
    monkeypatch.setattr(sheet_marks, "SHARD", 9)
    make_shard(tmp_path / "one.npz", 0, 4)
    sheets = Sheets.of([tmp_path / "one.npz"])
    sheets.hear(real)
    *_, heat = sheets.batch(np.random.default_rng(1), 600)
    nobody_told = float((heat == UNKNOWN).all(dim=(1, 2, 3)).float().mean())
    assert 0.04 < nobody_told < 0.18
    loss = wrong(MarkNet(), *real.batch(np.random.default_rng(1)))
    assert np.isfinite(loss.item())


def test_an_empty_folder_makes_no_shard(tmp_path: Path) -> None:
    """Whoever has kept nothing learns as before."""
    assert take_kept(tmp_path / "data", tmp_path) == 0
    assert not (tmp_path / "data").exists()
