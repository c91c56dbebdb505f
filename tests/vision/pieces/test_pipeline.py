"""A reading is a list of steps: they are taken in their order, and the two lists differ by what is known."""

import numpy as np
import pytest

from tests.vision.pieces.made import domino
from vision.photos.hidden_halves import doubted
from vision.photos.photo_steps import PHOTO, InPhoto
from vision.pieces import finder
from vision.pieces.each import PieceReader
from vision.pieces.patches import Picture
from vision.pieces.pipeline import Pipeline


def test_steps_are_taken_in_their_order_and_timed() -> None:
    """Each is given what the last one knew; how long finding and reading took is told."""
    way: Pipeline[str] = Pipeline(
        (lambda seen: seen + "a",), (lambda seen: seen + "b", lambda seen: seen + "c"), (str.upper,)
    )
    whole, ms = way.run("x")
    assert whole == "XABC"
    assert list(ms) == ["find", "read"]
    assert min(ms.values()) >= 0


def test_a_photo_goes_from_nothing_to_pieces_that_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of what was read twice in one place one is left, and what was read by itself is kept beside it."""
    twice = [domino((3, 5)), domino((3, 5), there=0.97)]
    monkeypatch.setattr(finder, "find", lambda _: [])
    monkeypatch.setattr(PieceReader, "every", lambda *_: twice)
    picture: Picture = np.zeros((300, 400, 3), np.uint8)
    photo, _ = PHOTO.run(InPhoto(PieceReader(picture, doubting=doubted)))
    assert [one.value for one in photo.pieces] == [{"pips": [3, 5]}]
    assert photo.alone == twice
