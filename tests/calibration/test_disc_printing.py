"""The soldiers' discs as they are printed: each is told from above as the type and side it stands for."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.disc_printing import _LEFT_MM, _PITCH_MM, _TOP_MM, SIDES, discs_of, discs_pdf
from calibration.soldier_marks import DISC_MM
from device.cli import main
from engine.dominoes_of_war.troops import ARMIES
from tests.calibration.test_printables import PX_PER_MM, pages
from vision.pieces.soldier_discs import KINDS, compare

ACROSS = 40
"""Pixels across a disc as a camera sees it."""


@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_every_disc_reads_as_what_it_is_printed_for(paper: str) -> None:
    """Each of a page, shrunk to what a camera sees of it, and facing up the page."""
    sheets = pages(discs_pdf(paper))
    wanted = [(army, side) for army in ARMIES for side in SIDES]
    assert len(sheets) == len(wanted)
    shrink = ACROSS / (DISC_MM * PX_PER_MM)
    for (army, side), sheet in zip(wanted, sheets, strict=True):
        small = cv2.resize(sheet, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
        picture = np.asarray(cv2.cvtColor(small, cv2.COLOR_GRAY2BGR), np.uint8)
        places, kinds = [], []
        for row, (kind, count) in enumerate(discs_of(army)):
            for column in range(count):
                x, y = _LEFT_MM + column * _PITCH_MM, _TOP_MM + row * _PITCH_MM
                places.append((x * PX_PER_MM * shrink, y * PX_PER_MM * shrink, float(ACROSS)))
                kinds.append(KINDS.index((kind, side - 1)))
        discs = compare(picture, places)
        assert [disc.best for disc in discs] == kinds
        # In a picture angles grow clockwise: up the page is 270 degrees.
        facings = [disc.facing_deg[kind] for disc, kind in zip(discs, kinds, strict=True)]
        assert all(abs((facing - 270 + 180) % 360 - 180) < 9 for facing in facings)


def test_a_page_holds_the_whole_pool_and_one_more() -> None:
    """As many of each type as a side may have on the board at once, and a spare."""
    assert dict(discs_of("army")) == {"general": 5, "grunt": 6, "sniper": 4, "kamikaze": 5, "grenadier": 4}


def test_the_command_writes_vectors_and_the_same_each_time(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`pipwatch print discs` writes a PDF, and says in a line what it cannot do."""
    out = tmp_path / "discs.pdf"
    assert main(["print", "discs", "-o", str(out)]) == 0
    assert out.read_bytes() == discs_pdf("a4")
    assert b"/Subtype /Image" not in out.read_bytes()
    capsys.readouterr()
    for wrong, word in (
        (["--paper", "a2"], "a4 and letter"),
        (["--game", "dominoids"], "--game goes with mat"),
    ):
        assert main(["print", "discs", *wrong, "-o", str(tmp_path / "no.pdf")]) == 2
        assert word in capsys.readouterr().err
    assert not (tmp_path / "no.pdf").exists()
