"""What was read is drawn in beside the pieces, so that a word can be compared with the pips it tells."""

import numpy as np

from tests.vision.pieces.made import DIE, domino, square
from vision.captions import Caption, captions
from vision.pieces.overlay import around, drawn_in, short
from vision.pieces.reading import Reading


def labels(reading: Reading) -> list[Caption]:
    """The words that are drawn in."""
    return captions(map(short, reading.pieces), [around(one) for one in reading.pieces], reading.size)


def clear(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether two boxes share nothing."""
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_words_hide_neither_pieces_nor_each_other() -> None:
    """With room around, each stands beside its own piece, and wholly in the picture."""
    pieces = (domino(at=(60, 20)), domino((6, 6), (60, 120)), square("die", DIE, (300, 190)))
    told = labels(Reading((320, 200), pieces, {}))
    assert [one.text for one in told] == ["3-5", "6-6", "5"]
    around = [(*one.corners.min(axis=0), *one.corners.max(axis=0)) for one in pieces]
    for k, one in enumerate(told):
        assert all(clear(one.box, piece) for piece in around)
        assert all(clear(one.box, other.box) for other in told[k + 1 :])
        assert clear(one.box, (-99, -99, 999, 0))
        assert clear(one.box, (-99, 200, 999, 999))


def test_in_a_tight_block_a_word_lies_where_it_hides_least() -> None:
    """Every piece still has its word."""
    pieces = tuple(square("die", DIE, (100 + 24 * x, 100 + 24 * y)) for x in range(4) for y in range(4))
    told = labels(Reading((640, 480), pieces, {}))
    assert len(told) == 16
    assert len({one.box for one in told}) == 16


def test_the_picture_itself_is_left_as_it_was() -> None:
    """A copy is drawn on, and where nothing was read nothing is drawn."""
    picture = np.full((200, 320, 3), 90, np.uint8)
    drawn = drawn_in(picture, Reading((320, 200), (domino(at=(100, 100)),), {}))
    assert (picture == 90).all()
    assert (drawn != 90).any()
    assert (drawn_in(picture, Reading((320, 200), (), {})) == 90).all()
