"""What the reader of marks learns from: crosses where they were drawn, and batches that it can learn."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from simulation.filled_sheet import FilledSheet
from training import sheet_marks
from training.sheet_marks import HEAT, Shards, heat_of, make_shard
from training.teach_sheet_cells import labels, sheet
from vision.sheet_cells import CASTLE_INDEX
from vision.sheet_fine import shared


@pytest.mark.parametrize("number", [1, 2, 5])
def test_each_cross_has_a_place_in_its_own_square(number: int) -> None:
    """As many places as crosses, square by square; on other squares none."""
    paper, _ = sheet(number, 8)
    told = labels(paper.cells, paper.roof)[:, 1].clip(0)
    assert told.sum() > 0
    assert (heat_of(paper).sum(axis=(1, 2)) == told).all()


def test_a_place_lies_where_the_ink_of_the_cross_is() -> None:
    """Around each place the paper is darker than in the same place of squares that have no cross there."""
    paper: FilledSheet = sheet(5, 8)[0]
    heat = heat_of(paper)
    grey = paper.image.mean(axis=2)
    dark: dict[bool, list[float]] = {True: [], False: []}
    places = {(int(y), int(x)) for square in heat for y, x in np.argwhere(square)}
    for index in range(35):
        if index == CASTLE_INDEX:
            continue
        row, column = divmod(index, 7)
        start, size = (
            paper.corners[row, column],
            paper.corners[row + 1, column + 1] - paper.corners[row, column],
        )
        for y, x in places:
            spot = start + ((np.array([x, y]) + 0.5) / HEAT * 1.2 - 0.1) * size
            around = cv2.getRectSubPix(grey.astype(np.float32), (13, 13), (float(spot[0]), float(spot[1])))
            dark[bool(heat[index, y, x])].append(float(around.mean()))
    assert np.mean(dark[True]) < np.mean(dark[False])


def test_a_batch_can_be_learned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A few steps on one batch make its answers less wrong; the same seed gives the same batch."""
    torch = pytest.importorskip("torch", reason="torch is not here: it is needed for training alone")
    from training.mark_network import HEADS, MarkNet, Sheets, tempered, wrong

    monkeypatch.setattr(sheet_marks, "SHARD", 1)
    make_shard(tmp_path / "one.npz", 0, 4)
    sheets = Sheets.of([tmp_path / "one.npz"])
    planes, told, heat = sheets.batch(np.random.default_rng(1))
    again, _, _ = sheets.batch(np.random.default_rng(1))
    assert torch.equal(planes, again)
    assert planes.shape[2:] == (sheet_marks.FINE_CELL_PX,) * 2
    assert (heat.sum(dim=(1, 2, 3)) == told[:, 1]).all()
    torch.manual_seed(1)
    net = MarkNet()
    learner = torch.optim.AdamW(net.parameters(), lr=3e-3)
    costs = []
    for _ in range(6):
        cost = wrong(net, planes, told, heat)
        learner.zero_grad()
        cost.backward()
        learner.step()
        costs.append(float(cost.detach()))
    assert costs[-1] < 0.8 * costs[0]
    assert set(tempered(net, sheets)) == set(HEADS)


def test_it_learns_from_what_the_reader_sees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The planes of a sheet are those that the reader makes of the same squares."""
    torch = pytest.importorskip("torch", reason="torch is not here: it is needed for training alone")
    from training.mark_network import Sheets

    monkeypatch.setattr(sheet_marks, "SHARD", 2)
    make_shard(tmp_path / "one.npz", 0, 4)
    sheets = Sheets.of([tmp_path / "one.npz"])
    with np.load(tmp_path / "one.npz") as shard:
        for k, cells in enumerate(shard["lost"]):
            lost = cells.astype(np.float32) / 255
            want = torch.from_numpy(shared(lost).planes(lost))
            assert float((sheets.planes(k) - want).abs().max()) < 1e-5


def test_where_room_is_short_the_oldest_sheets_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever learns while sheets are drawn always has the newest."""
    torch = pytest.importorskip("torch", reason="torch is not here: it is needed for training alone")
    from training.mark_network import Sheets

    monkeypatch.setattr(sheet_marks, "SHARD", 1)
    paths = [tmp_path / f"{k}.npz" for k in range(3)]
    for k, path in enumerate(paths):
        make_shard(path, k, 4)
    sheets = Sheets.of(paths[:1], room=2)
    assert (len(sheets), sheets.room) == (2, 4)
    for path in paths[1:]:
        sheets.take(path)
    assert (len(sheets), sheets.seen) == (4, 6)
    whole = Sheets.of(paths)
    kept = [sheets.planes(k) for k in range(4)]
    newest = [whole.planes(k) for k in (4, 5, 2, 3)]
    assert all(torch.equal(one, other) for one, other in zip(kept, newest, strict=True))


def test_shards_take_turns_where_there_is_no_room_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """New ones first, then the oldest again; those that are kept to check by are never learned from."""
    monkeypatch.setattr(sheet_marks, "SHARD", 5)
    monkeypatch.setattr(sheet_marks, "TURN", 1)
    paths = [tmp_path / f"crosses4-{k:04d}.npz" for k in range(4)]
    for path in paths[:3]:
        path.touch()
    shards = Shards(tmp_path, paths[:1])
    assert shards.due(20) == paths[1:3]
    assert shards.due(0) == [paths[1]]
    paths[3].touch()
    assert [shards.due(0) for _ in range(4)] == [[paths[3]], [paths[2]], [paths[1]], [paths[3]]]
