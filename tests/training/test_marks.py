"""What the reader of marks learns from: crosses where they were drawn, and batches that it can learn."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from simulation.filled_sheet import FilledSheet
from training import sheet_marks
from training.sheet_cells import labels, sheet
from training.sheet_marks import HEAT, heat_of, make_shard
from vision.sheet_cells import CASTLE_INDEX


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
