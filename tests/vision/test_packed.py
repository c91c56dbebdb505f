"""The networks of the sheets: packed small, whole when unpacked, and the same by whichever program."""

import lzma
from pathlib import Path

import numpy as np
import pytest

from vision.pieces.networks import MODELS, by_onnxruntime, by_opencv, content, network
from vision.sheet_cells import CELL_PX
from vision.sheet_fine import FINE_CELL_PX, PLANES

SIDES = {"sheet_cells": (3, CELL_PX, CELL_PX), "sheet_marks": (PLANES, FINE_CELL_PX, FINE_CELL_PX)}


def test_both_together_take_less_than_a_megabyte() -> None:
    """As files; what is unpacked lives in memory alone."""
    assert sum((MODELS / f"{name}.onnx.xz").stat().st_size for name in SIDES) <= 1_000_000


@pytest.mark.parametrize("name", SIDES)
def test_both_programs_say_the_same_of_packed_networks(name: str) -> None:
    """For one square and for many, to a ten-thousandth."""
    pytest.importorskip("onnxruntime", reason="onnxruntime is not here: there is nothing to compare with")
    path = MODELS / f"{name}.onnx.xz"
    for count in (1, 9):
        batch = np.random.default_rng(count).random((count, *SIDES[name]), dtype=np.float32)
        one, other = (run(path)(batch) for run in (by_onnxruntime, by_opencv))
        assert one.shape == other.shape == (count, one.shape[1])
        assert np.abs(one - other).max() < 1e-4


def test_a_packed_file_is_found_under_its_plain_name(tmp_path: Path) -> None:
    """Where there is no plain file the packed one is taken; unpacked it is the plain one."""
    plain = content(MODELS / "sheet_cells.onnx.xz")
    (tmp_path / "net.onnx.xz").write_bytes(lzma.compress(plain))
    (tmp_path / "other.onnx").write_bytes(plain)
    batch = np.zeros((1, *SIDES["sheet_cells"]), np.float32)
    packed, bare = (network(name, tmp_path)(batch) for name in ("net", "other"))
    assert np.array_equal(packed, bare)
