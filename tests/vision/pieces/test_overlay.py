"""What was read is drawn in beside the pieces, so that a word can be compared with the pips it tells."""

import numpy as np

from tests.vision.pieces.made import DIE, domino, square
from vision.captions import Caption, captions
from vision.pieces.overlay import around, drawn_in, short
from vision.pieces.reading import Readout


def labels(reading: Readout) -> list[Caption]:
    """The words that are drawn in."""
    return captions(map(short, reading.pieces), [around(one) for one in reading.pieces], reading.size)


def clear(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether two boxes share nothing."""
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def test_words_hide_neither_pieces_nor_each_other() -> None:
    """With room around, each stands beside its own piece, and wholly in the picture."""
    pieces = (domino(at=(60, 20)), domino((6, 6), (60, 120)), square("die", DIE, (300, 190)))
    told = labels(Readout((320, 200), pieces, {}))
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
    told = labels(Readout((640, 480), pieces, {}))
    assert len(told) == 16
    assert len({one.box for one in told}) == 16


def test_of_its_five_places_each_word_has_the_one_that_hides_least() -> None:
    """Counted again plainly: pixels of things and earlier words, and thrice what lies beyond the picture."""
    chance = np.random.default_rng(7)
    corners = chance.integers((-9, -9), (320, 240), (40, 2))
    things = [(int(x), int(y), int(x) + 20, int(y) + 12) for x, y in corners]
    told = captions(["2-5"] * len(things), things, (320, 240))
    taken = list(things)

    def hides(box: tuple[int, ...]) -> int:
        def pixels(a: tuple[int, ...], b: tuple[int, ...]) -> int:
            return max(0, min(a[2], b[2]) - max(a[0], b[0])) * max(0, min(a[3], b[3]) - max(a[1], b[1]))

        area = pixels(box, box)
        return sum(pixels(box, one) for one in taken) + 3 * (area - pixels(box, (0, 0, 320, 240)))

    for thing, one in zip(things, told, strict=True):
        wide, high = one.box[2] - one.box[0], one.box[3] - one.box[1]
        x, y = (thing[0] + thing[2] - wide) // 2, (thing[1] + thing[3] - high) // 2
        places = [(x, thing[3] + 1), (x, thing[1] - high - 1), (thing[2] + 1, y), (thing[0] - wide - 1, y)]
        boxes = [(left, top, left + wide, top + high) for left, top in (*places, (x, y))]
        assert one.box == min(boxes, key=hides)
        taken.append(one.box)


def test_the_picture_itself_is_left_as_it_was() -> None:
    """A copy is drawn on, and where nothing was read nothing is drawn."""
    picture = np.full((200, 320, 3), 90, np.uint8)
    drawn = drawn_in(picture, Readout((320, 200), (domino(at=(100, 100)),), {}))
    assert (picture == 90).all()
    assert (drawn != 90).any()
    assert (drawn_in(picture, Readout((320, 200), (), {})) == 90).all()
