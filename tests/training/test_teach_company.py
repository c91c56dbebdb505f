"""What company is taught from: readings beside the truth, and limits above which hardly any was wrong."""

import numpy as np
import pytest

pytest.importorskip("cv2", reason="OpenCV is not here")

from simulation.setting import TableSetting  # OpenCV may be missing
from tests.vision.pieces.made import SIZE, domino, table_of
from training.examples import Target
from training.set_sureness import JudgedReading
from training.teach_company import NEVER, file_lines, judged, lesson, limits, thinned
from vision.pieces.company import AS_READ
from vision.pieces.piece_read import Read
from vision.pieces.reading import Readout

TABLE = table_of(TableSetting("draw-game"))


def truth(one: Read, pips: tuple[int, int], visible: float = 1.0) -> Target:
    """The domino that lies where this one was read."""
    return Target("domino", one.corners, visible, {"face": "up", "value": {"pips": list(pips)}})


def test_each_reading_is_right_wrong_or_of_nothing_and_what_is_hidden_is_left_out() -> None:
    """Four readings: as it is, another value, nothing there, and one of a domino that is hardly seen."""
    kept = [domino((3, 5), (200 + 200 * k, 200)) for k in range(4)]
    wanted = [truth(kept[0], (5, 3)), truth(kept[1], (3, 4)), truth(kept[3], (3, 5), visible=0.1)]
    told = judged(kept, kept, Readout(SIZE, tuple(kept), {}, TABLE), wanted)
    assert told is not None
    assert told.right.tolist() == [1.0, 0.0, 0.0]
    assert told.phantom.tolist() == [0.0, 0.0, 1.0]
    assert told.sorts == ("domino",) * 3
    assert len(told.rows) == len(told.most) == len(told.open) == 3
    assert np.isfinite(told.rows).all()


def test_a_table_of_which_nothing_can_be_judged_teaches_nothing() -> None:
    """No readings, no lesson."""
    assert judged([], [], Readout(SIZE, (), {}, TABLE), []) is None


def test_a_limit_lies_above_what_was_wrong_and_is_never_low() -> None:
    """Half of the doubt of the surest error is left; dice of a game have no limit in company."""
    backs = [JudgedReading(0.999, True)] * 4000 + [JudgedReading(0.98, False)]
    lines = file_lines({"back": backs, "coin": [JudgedReading(0.999, True)] * 4000}, 9)
    assert "limit = 0.99000" in lines[lines.index("[back]") + 1]
    assert "limit = 0.95000" in lines[lines.index("[coin]") + 1]
    assert not any(f"[{sort}]" in lines for sort in AS_READ)


def test_a_thinned_table_lacks_the_same_pieces_in_both_lists_and_sometimes_a_whole_sort() -> None:
    """What was chosen stays among what it was chosen from; over some tables every sort is once away."""
    before = [domino((3, k % 7), (100 + 60 * k, 200)) for k in range(12)]
    kept = before[::2]
    lengths = set()
    for seed in range(40):
        left, left_before = thinned(kept, before, np.random.default_rng(seed))
        assert {id(one) for one in left} == {id(one) for one in left_before} & {id(one) for one in kept}
        lengths.add(len(left_before))
    assert 0 in lengths
    assert 12 in lengths
    assert lengths - {0, 12}


def test_a_table_teaches_whole_and_thinned() -> None:
    """Thinned there are no more pieces; a table that is empty then still teaches as a whole."""
    kept = [domino((3, 5), (200 + 200 * k, 200)) for k in range(4)]
    reading = Readout(SIZE, (), {}, TABLE)
    wanted = [truth(one, (3, 5)) for one in kept]
    found = [lesson(kept, kept, reading, wanted, np.random.default_rng(seed)) for seed in range(30)]
    assert all(one is not None and len(one.whole.rows) == 4 for one in found)
    parts = [one.thinned for one in found if one is not None]
    assert any(part is None for part in parts)
    assert all(len(part.rows) <= 4 for part in parts if part is not None)


def test_what_may_be_wrong_is_spent_where_most_is_believed_for_it() -> None:
    """One of ten thousand: the coins' one error would cost 500 of them, the pawns' error only 20."""
    coins = (
        [JudgedReading(0.98, True)] * 500
        + [JudgedReading(0.9995, True)] * 3000
        + [JudgedReading(0.99, False)]
    )
    pawns = (
        [JudgedReading(0.98, True)] * 20 + [JudgedReading(0.9995, True)] * 3000 + [JudgedReading(0.99, False)]
    )
    told = limits({"coin": coins, "pawn": pawns, "tile": [JudgedReading(0.97, True)] * 3000})
    assert told == pytest.approx({"coin": 0.95, "pawn": 0.995, "tile": 0.95})


def test_a_sort_that_errs_above_every_limit_is_always_asked_about_if_others_need_what_is_spare() -> None:
    """Two walls are wrong beyond all doubt, and one reading in ten thousand may be."""
    walls = [JudgedReading(0.9999, True)] * 100 + [JudgedReading(0.9999, False)] * 2
    told = limits({"wall": walls, "tile": [JudgedReading(0.97, True)] * 3000})
    assert told == {"wall": NEVER, "tile": 0.95}
    assert not any(one.confidence >= NEVER for one in walls)
