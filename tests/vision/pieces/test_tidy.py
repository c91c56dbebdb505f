"""Making readings agree: each piece once, sizes that fit, values that the set has."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.vision.pieces.made import COIN, DIE, domino, square
from vision.pieces.patches import rectangle
from vision.pieces.piece_read import Read
from vision.pieces.tidy import tidied


def pips(found: list[Read]) -> list[list[int]]:
    """The numbers of the dominoes."""
    return [list(one.value["pips"]) for one in found if one.value and one.kind == "domino"]


@pytest.mark.parametrize(("size", "kinds"), [(0.2, ["domino"]), (0.35, ["domino", "pawn"])])
def test_a_drilled_pip_is_no_pawn(size: float, kinds: list[str]) -> None:
    """Its rim looks like a foot, but is too small beside its domino; where sizes are known they tell."""
    tile = domino((1, 4))
    pip = square("pawn", {"suit": "moons"}, (212, 154), size * tile.length)
    assert sorted(one.kind for one in tidied([tile, pip])) == kinds
    assert len(tidied([tile, pip], measured=True)) == 2
    beside = square("pawn", {"suit": "moons"}, (212, 300), size * tile.length)
    assert len(tidied([tile, beside])) == 2


def test_of_two_dominoes_in_one_place_the_surer_stays() -> None:
    """Whatever their order; two that only touch both stay."""
    sure, unsure = domino((1, 2)), domino((1, 3), (206, 152), there=0.7)
    assert pips(tidied([unsure, sure])) == [[1, 2]]
    assert pips(tidied([sure, unsure])) == [[1, 2]]
    beside = domino((1, 3), (200, 190.5))
    assert len(tidied([sure, beside])) == 2


@pytest.mark.parametrize("measured", [False, True])
def test_a_coin_is_no_pip_of_a_domino_that_another_one_displaces(measured: bool) -> None:
    """The emblem of a coin beside a 4-4 looks like the 1 of a 1-4 that reaches into it: that is none."""
    tile = domino((4, 4))
    between = domino((1, 4), (200 - 0.5 * tile.length, 150), there=0.85)
    coin = square("coin", COIN, (200 - 0.8 * tile.length, 150), 0.5 * tile.length)
    kept = tidied([coin, between, tile], measured=measured)
    assert {one.kind for one in kept} == {"coin", "domino"}
    assert pips(kept) == [[4, 4]]
    assert pips(tidied([coin, between], measured=measured)) == [[1, 4]]


@pytest.mark.parametrize("angle", [0, 35, 90, 200])
def test_a_pip_is_no_coin_and_no_die(angle: float) -> None:
    """Something round inside a domino is a part of it; a pawn or a soldier may stand there."""
    tile = domino((4, 4), angle=angle)
    small = [square("coin", COIN, (210, 155), 8), square("die", DIE, (190, 145), 8)]
    standing = [
        square("pawn", {"suit": "suns"}, (200, 150)),
        square("soldier", {"type": "grunt"}, (180, 150)),
    ]
    assert [one.kind for one in tidied([tile, *small])] == ["domino"]
    kinds = {one.kind for one in tidied([tile, *small, standing[0]])}
    assert kinds == {"domino", "pawn"}
    assert {one.kind for one in tidied([replace(tile, face="down"), standing[1]])} == {"domino", "soldier"}
    beside = square("coin", COIN, (200, 210), 20)
    assert len(tidied([tile, beside])) == 2


def test_everything_may_lie_on_a_tile() -> None:
    """A tile back is no reason to drop the coin, the pawn or the domino on it."""
    tile = square("tile", None, (200, 150), 100, face="down")
    on_it = [square("coin", COIN, (175, 125)), square("pawn", {"suit": "arms"}, (225, 175))]
    assert len(tidied([tile, *on_it])) == 3
    assert len(tidied([tile, domino()])) == 2


def test_the_second_of_two_equal_dominoes_is_believed_less() -> None:
    """A set has each once: the less sure twin is doubted, the surer one and strangers are not."""
    twins = [domino((2, 5)), domino((5, 2), (400, 150), p=0.97), domino((2, 4), (200, 300))]
    found = {tuple(one.middle): one for one in tidied(twins)}
    assert found[(200.0, 150.0)].confidence == twins[0].confidence
    assert found[(400.0, 150.0)].confidence < 0.6 * twins[1].confidence
    assert found[(200.0, 300.0)].confidence == twins[2].confidence


def test_two_sets_on_one_table_are_not_all_doubted() -> None:
    """A twin that can be nothing else stays nearly as sure as it was."""
    twins = [domino((2, 5), p=1.0, there=1.0), domino((2, 5), (400, 150), p=0.9999, there=0.9999)]
    assert min(one.confidence for one in tidied(twins)) > 0.985


def test_a_set_narrows_kinds_and_values() -> None:
    """A double-six has no seven, its table no coins; the probabilities left add up to one again."""
    ranked = (({"pips": [7, 2]}, 0.6), ({"pips": [1, 2]}, 0.3), ({"pips": [6, 2]}, 0.1))
    one = replace(domino(), ranked=ranked)
    (found,) = tidied([one, square("coin", COIN, (400, 400))], "double-six")
    assert found.value == {"pips": [1, 2]}
    assert sum(p for _, p in found.ranked) == pytest.approx(1)
    assert len(tidied([one, square("coin", COIN, (400, 400))])) == 2
    (same,) = tidied([one], "double-nine")
    assert same.value == {"pips": [7, 2]}


def test_a_set_says_which_dice_there_are() -> None:
    """A die that might be two kinds is read as the kind that is in use."""
    duel = {"set": "kingdomino-duel", "suit": None, "face": "dot", "crosses": 1}
    die = replace(square("die", DIE, (100, 100)), ranked=((DIE, 0.7), (duel, 0.3)))
    (found,) = tidied([die], "kingdomino-duel")
    assert found.value == duel
    assert tidied([die], "double-six") == []


def test_where_no_dominoes_lie_a_die_is_no_pip_of_one() -> None:
    """A wooden die and its shadow look like an open domino; in a game of dice alone the die stays."""
    duel = {"set": "kingdomino-duel", "suit": None, "face": "two-dots", "crosses": 1}
    die = square("die", duel, (190, 145), 27)
    shadowed = domino((4, 4), there=0.94)
    (found,) = tidied([shadowed, die], "kingdomino-duel", measured=True)
    assert found.value == duel
    assert tidied([shadowed, die], measured=True) == [shadowed]


def test_a_domino_much_larger_than_its_fellows_is_doubted_or_dropped() -> None:
    """Of a row of five, one twice as long is no longer sure; if it was unsure before it is gone."""
    row = [domino((0, k), (100, 60 + 50 * k)) for k in range(5)]
    for there, left in ((0.999, 6), (0.8, 5)):
        giant = domino((6, 6), (500, 200), length=170, there=there)
        found = tidied([*row, giant])
        assert len(found) == left
        assert all(one.confidence < 0.9 for one in found if one.length > 100)


chance = st.floats(0.5, 1.0)
anywhere = st.tuples(st.floats(0, 600), st.floats(0, 400))
crowd = st.lists(
    st.one_of(
        st.builds(
            lambda a, b, at, there, turn: domino((a, b), at, there=there, angle=turn),
            st.integers(0, 6), st.integers(0, 6), anywhere, chance, st.floats(0, 360),
        ),
        st.builds(lambda at, there: square("coin", COIN, at, there=there), anywhere, chance),
        st.builds(lambda at, there: square("pawn", {"suit": "suns"}, at, there=there), anywhere, chance),
    ),
    max_size=12,
)  # fmt: skip


@given(crowd, st.sampled_from([None, "double-six", "piecepack"]))
def test_tidying_never_makes_a_reading_surer_or_a_new_one(pieces: list[Read], set_name: str | None) -> None:
    """What is kept was there, in its place, once, and is believed no more than before."""
    before = {id(one.corners): one for one in pieces}
    found = tidied(pieces, set_name)
    for one in found:
        assert one.there <= before[id(one.corners)].there + 1e-12
    assert len({id(one.corners) for one in found}) == len(found)


def test_an_unlikely_value_does_not_become_sure_because_the_set_has_it() -> None:
    """6-7 is no tile of a double-six set, but a reading of it is no proof of 6-6 either."""
    values = (((6, 7), 0.975), ((7, 7), 0.010), ((6, 8), 0.008), ((6, 6), 0.007))
    strange = replace(domino(), ranked=tuple(({"pips": list(pair)}, p) for pair, p in values))
    (read,) = tidied([strange], "double-six")
    assert read.value == {"pips": [6, 6]}
    assert read.confidence < 0.1


def test_what_the_set_does_not_have_is_asked_and_not_lost() -> None:
    """A tile of another set on the table: it stays, and somebody has to say what it is."""
    strange = replace(domino(), ranked=(({"pips": [9, 9]}, 0.999), ({"pips": [8, 9]}, 0.001)))
    (read,) = tidied([strange], "double-six")
    assert read.value == {"pips": [9, 9]}
    assert 0.3 < read.confidence < 0.7


def test_the_set_settles_a_close_call() -> None:
    """Between 6-6 and 6-7 the set decides, and the piece is believed."""
    close = replace(domino(), ranked=(({"pips": [6, 7]}, 0.45), ({"pips": [6, 6]}, 0.55)), there=0.999)
    (read,) = tidied([close], "double-six")
    assert read.value == {"pips": [6, 6]}
    assert read.confidence > 0.99


def test_a_die_and_its_shadow_are_no_domino() -> None:
    """The back that was seen over both goes; a small die on a domino's back does not drive it away."""
    back = replace(domino((0, 0)), face="down", ranked=((None, 1.0),))
    middle = tuple(float(v) for v in back.middle)
    large = square("die", DIE, (middle[0] + 20, middle[1]), 36)
    small = square("die", DIE, (middle[0] + 20, middle[1]), 12)
    assert [one.kind for one in tidied([back, large])] == ["die"]
    doubted = replace(domino((0, 4)), there=0.7)
    assert [one.kind for one in tidied([doubted, large])] == ["die"]
    assert [one.kind for one in tidied([replace(domino((3, 4)), there=0.7), large])] == ["die"]
    assert [one.kind for one in tidied([domino((3, 4)), replace(large, there=0.7)])] == ["domino"]
    assert "domino" in {one.kind for one in tidied([back, small])}


def test_a_double_blank_of_another_colour_is_a_part_of_the_board() -> None:
    """On a measured table: two light squares of a board look like a blank domino, but for the colour."""
    ivory, grey = (88.0, 2.0, 12.0), (70.0, 0.0, -4.0)
    others = [replace(domino((k, 3), (200, 60 + 90 * k)), colour=ivory) for k in range(1, 5)]
    board = replace(domino((0, 0), (420, 150)), colour=grey)
    real = replace(domino((0, 0), (420, 300)), colour=(85.0, 1.0, 10.0))
    assert [0, 0] not in pips(tidied([*others, board], measured=True))
    assert [0, 0] in pips(tidied([*others, real], measured=True))
    assert [0, 0] in pips(tidied([*others[:2], board], measured=True))
    assert [0, 0] in pips(tidied([*others, board]))


def test_a_plain_back_outweighs_a_die_that_shows_no_face_on_it() -> None:
    """A mark on the back of a domino may look like a die, but like none of its faces."""
    back = domino(there=0.99, face="down")
    vague = replace(square("die", DIE, (200, 150), 36, there=0.97), ranked=((DIE, 0.33),))
    assert [one.kind for one in tidied([back, vague], measured=True)] == ["domino"]
    clear = square("die", DIE, (200, 150), 36, there=0.97)
    assert [one.kind for one in tidied([back, clear], measured=True)] == ["die"]


def test_on_a_measured_table_company_tells_shadows_from_backs() -> None:
    """What is plain and doubtful is dropped in a photo of any table; on a measured one it is kept."""
    plain = replace(domino((0, 0), (200, 150)), face="down", ranked=((None, 1.0),), there=0.8)
    assert tidied([plain]) == []
    assert len(tidied([plain], measured=True)) == 1


def test_what_every_back_has_in_its_middle_is_printed_on_it() -> None:
    """Three round patterns in the middle of three backs are no coins; one coin on one back may be."""

    def at(x: float, kind: str, size: tuple[float, float]) -> Read:
        value = {"suit": None, "value": 3} if kind == "coin" else None
        corners = rectangle(x, 100.0, *size, 0.0)
        return Read(kind, "up" if value else "down", ((value, 1.0),), 0.99, corners, 0.0)

    backs = [at(100.0 * k, "domino", (80.0, 40.0)) for k in range(1, 4)]
    prints = [at(100.0 * k, "coin", (30.0, 30.0)) for k in range(1, 4)]
    assert {one.kind for one in tidied([*backs, *prints], measured=True)} == {"domino"}
    kept = tidied([*backs, prints[0]], measured=True)
    assert sum(one.kind == "coin" for one in kept) == 1


def test_two_dice_that_touch_are_no_domino() -> None:
    """However sure the domino seems: no half of one looks like a whole cube; one die in it proves nothing."""
    sure = domino((3, 4))
    x, y = (float(v) for v in sure.middle)
    dice = [square("die", DIE, (x + off, y), 36) for off in (-20, 20)]
    assert [one.kind for one in tidied([sure, *dice])] == ["die", "die"]
    assert [one.kind for one in tidied([sure, replace(dice[0], there=0.9)])] == ["domino"]
    whole = square("die", DIE, (x, y), 80)  # all of it taken for a die's face
    assert "domino" in {one.kind for one in tidied([sure, dice[0], replace(whole, there=0.95)])}


def test_a_domino_among_others_of_its_size_is_not_two_dice() -> None:
    """The halves of a 1-1 may look like dice; but dice would hardly make a domino like all the others."""
    x, y = 100, 60
    doubted = domino((1, 1), (x, y), p=1.0, there=1.0)
    half = doubted.length / 2
    dice = [square("die", DIE, (x + off * half / 2, y), 0.95 * half) for off in (-1, 1)]
    assert [one.kind for one in tidied([doubted, *dice])] == ["die", "die"]
    others = [domino((2, k), (100, 130 + 70 * k), p=1.0, there=1.0) for k in range(2)]
    assert [one.kind for one in tidied([doubted, *dice, *others])] == ["domino"] * 3
    apart = square("die", DIE, (300, 60), half)
    assert [one.kind for one in tidied([doubted, *dice, apart, *others])].count("die") == 1
    assert [one.kind for one in tidied([doubted, *dice, others[0]])].count("die") == 2
    small = [replace(one, corners=one.corners.mean(axis=0) + 0.7 * (one.corners - one.corners.mean(axis=0)))
             for one in others]  # fmt: skip
    assert [one.kind for one in tidied([doubted, *dice, *small])].count("die") == 2
    unclear = replace(doubted, there=0.7)
    assert [one.kind for one in tidied([unclear, *dice, *others])].count("die") == 2


def test_a_back_that_goes_on_below_a_face_is_its_shadow() -> None:
    """A shadow looks like a back that is half hidden by the domino; one that only touches it is a back."""
    face = domino((3, 4), (200, 150))
    below, beside = (replace(domino(at=(200, y), face="down"), ranked=((None, 1.0),)) for y in (181, 191))
    assert [one.face for one in tidied([face, below])] == ["up"]
    assert sorted(one.face for one in tidied([face, beside])) == ["down", "up"]
    doubted = replace(face, there=0.8)
    assert sorted(one.face for one in tidied([doubted, below])) == ["down", "up"]
