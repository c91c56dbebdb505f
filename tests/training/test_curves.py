"""The curves: what is varied is varied as told, and every piece is counted once."""

import numpy as np
import pytest

from tests.vision.pieces.made import SIZE, domino
from training.curves import CURVES, covered, main, outcomes, scenes, told
from training.examples import Target
from vision.photos.picture_reading import agreed
from vision.pieces.patches import rectangle


def target(x: float, pips: tuple[int, int]) -> Target:
    """A domino of 80×40 px as the truth tells it."""
    facts = {"kind": "domino", "face": "up", "value": {"pips": list(pips)}}
    return Target("domino", rectangle(x, 150, 80, 40, 30), 1.0, facts)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.75])
def test_as_much_of_a_piece_is_covered_as_is_told(share: float) -> None:
    """From whatever side the paper comes, and the light outside stays as it was."""
    import cv2

    light = np.zeros((300, 400, 3), np.float32)
    for seed in range(8):
        want = target(200, (1, 2))
        spoilt = covered(light, [want], share, seed)
        mask = np.zeros(light.shape[:2], np.uint8)
        cv2.fillPoly(mask, [np.round(want.corners).astype(np.int32)], 1)
        hidden = (spoilt.max(axis=2) > 0)[mask > 0].mean()
        assert hidden == pytest.approx(share, abs=0.04)
        assert spoilt[:60].max() == 0
    assert not light.any()


def test_every_piece_has_one_outcome() -> None:
    """Right, asked, wrong and sure, or missed: what is told adds up."""
    wanted = [target(100 + 150 * k, (k, 5)) for k in range(5)]
    reads = [
        domino((0, 5), (100, 150)),
        domino((5, 1), (250, 150)),
        domino((2, 5), (400, 150), there=0.7),
        domino((3, 4), (550, 150)),
    ]
    count = outcomes(agreed(SIZE, reads), wanted)
    assert count == {"right": 2, "asked": 1, "wrong": 1, "missed": 1}
    row = told("tilt", "domino", 15, count)
    assert (row["n"], row["right"], row["wrong"]) == (5, 0.4, 0.2)
    assert row["right_95"][0] < 0.4 < row["right_95"][1]


def test_the_same_seed_gives_the_same_scenes_and_none_is_nearly_empty() -> None:
    """Points of a curve show the same tables; pieces lie face up and whole."""
    for kind in ("domino", "die"):
        first, again = list(scenes(5, kind, 2)), list(scenes(5, kind, 2))
        assert first == again
        assert all(len(scene.pieces) >= 6 for scene in first)
        assert {piece.kind for scene in first for piece in scene.pieces} == {kind}


def test_a_curve_is_one_command(capsys: pytest.CaptureFixture[str]) -> None:
    """No pictures, no figures; a curve that there is not is refused."""
    assert main(["--pictures", "0", "--curve", "tilt", "--kind", "die"]) == 0
    out = capsys.readouterr().out
    assert all(f"{value:g}" in out for value in CURVES["tilt"].values["die"])
    with pytest.raises(SystemExit):
        main(["--curve", "weather"])
