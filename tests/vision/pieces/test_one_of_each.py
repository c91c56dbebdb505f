"""One pawn and one die of each suit: what is clear of three settles the fourth."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.pieces.one_of_each import shares_of_each, suits_shared_out
from vision.pieces.small import CHOICES, SmallReading, chosen

CLEAR = 0.97


def said(*suits: int, clear: float = CLEAR) -> np.ndarray:
    """Pieces that most likely show these suits."""
    rows = np.full((len(suits), 4), (1 - clear) / 3)
    rows[range(len(suits)), suits] = clear
    return rows


def test_three_clear_ones_settle_the_fourth() -> None:
    """A pawn that may be suns or moons is moons where suns is clearly another's."""
    rows = said(0, 2, 3, 1)
    rows[3] = (0.55, 0.43, 0.01, 0.01)
    shared = shares_of_each(rows)
    assert shared[3].argmax() == 1
    assert shared[3][1] > 0.9
    assert (shared[:3].argmax(axis=1) == (0, 2, 3)).all()


def test_all_different_and_clear_is_believed_more() -> None:
    """Four that already differ confirm each other."""
    shared = shares_of_each(said(2, 0, 1, 3, clear=0.9))
    assert (shared.max(axis=1) > 0.98).all()


def test_two_clear_twins_stay_twins_but_less_sure() -> None:
    """Pieces of two sets may lie there: what is plainly seen is not overruled."""
    shared = shares_of_each(said(1, 1, clear=0.9999))
    assert (shared.argmax(axis=1) == 1).all()
    assert (shared.max(axis=1) < 0.9999).all()


@given(st.integers(2, 4), st.integers(0, 2**32 - 1))
def test_shares_stay_shares(count: int, seed: int) -> None:
    """Whatever was said."""
    rng = np.random.default_rng(seed)
    shared = shares_of_each(rng.dirichlet((0.3,) * 4, count))
    assert shared.sum(axis=1) == pytest.approx(np.ones(count))
    assert (shared >= 0).all()


def die(suit: int, *, x: float, clear: float = CLEAR, there: float = 1.0, kind: str = "die") -> SmallReading:
    """A die of a piecepack that shows its 4, or another piece, at a place in the picture."""
    choices = {name: np.full(len(each), 1e-6) for name, each in CHOICES.items()}
    for name, one in (("set", "piecepack"), ("rank", "4")):
        choices[name][CHOICES[name].index(one)] = 1.0
    choices["kind"][CHOICES["kind"].index(kind)] = there
    choices["suit"] = said(suit, clear=clear)[0]
    return SmallReading(choices, x, 50.0, 20.0, 0.0)


def test_what_was_found_twice_in_one_place_is_one_die() -> None:
    """Four dice of which two were found as something else too are still of four suits."""
    dice = [die(0, x=100), die(2, x=140), die(3, x=180), die(0, x=220, clear=0.5)]
    twice = [die(0, x=103, clear=0.6, there=0.9), die(2, x=144, clear=0.6, there=0.9)]
    shared = suits_shared_out([*twice, *dice])
    assert [chosen(one, "suit")[0] for one in shared] == [CHOICES["suit"][k] for k in (0, 2, 0, 2, 3, 1)]
    assert chosen(shared[0], "suit")[1] == chosen(shared[2], "suit")[1] > 0.9


def test_only_pawns_of_the_game_share_its_suits() -> None:
    """What lies elsewhere and looks like a fifth one does not keep the four from being told apart."""
    pawns = [die(suit, x=x, kind="pawn") for suit, x in ((0, 100), (2, 140), (3, 180))]
    pawns.append(die(0, x=220, clear=0.9999, kind="pawn"))
    strange = die(1, x=600, clear=0.6, kind="pawn")
    alone = suits_shared_out([*pawns, strange])
    assert [one.choices["suit"].tolist() for one in alone] == [
        one.choices["suit"].tolist() for one in (*pawns, strange)
    ]
    shared = suits_shared_out([*pawns, strange], {0, 1, 2, 3})
    assert chosen(shared[4], "suit") == chosen(strange, "suit")
    assert chosen(shared[0], "suit")[0] != chosen(shared[3], "suit")[0]


def test_what_looks_like_a_fifth_pawn_of_the_game_is_left_out() -> None:
    """The four that surest are there share the suits: a flower of the cloth is none of them."""
    pawns = [die(suit, x=x, kind="pawn") for suit, x in ((0, 100), (2, 140), (3, 180))]
    pawns.append(die(0, x=220, clear=0.9999, kind="pawn"))
    flower = die(1, x=260, clear=0.6, there=0.9, kind="pawn")
    shared = suits_shared_out([flower, *pawns], set(range(5)))
    assert chosen(shared[0], "suit") == chosen(flower, "suit")
    assert chosen(shared[1], "suit")[0] != chosen(shared[4], "suit")[0]


def test_dice_of_a_game_say_what_each_shows_by_itself() -> None:
    """A game gives each suit to one die: what two had shared between them would count twice there."""
    dice = [die(1, x=100, clear=0.75), die(3, x=140, clear=0.75)]
    for of_a_game in ({0, 1}, None):
        shares = [chosen(one, "suit")[1] for one in suits_shared_out(dice, of_a_game)]
        assert (shares == [0.75, 0.75]) is (of_a_game is not None)


def test_pawns_that_were_read_before_keep_their_suits_from_those_looked_for() -> None:
    """One that looks rather like a suit that another has is of the suit that is left."""
    pawns = [die(1, x=100.0 * k, clear=0.5, kind="pawn") for k in range(2)]
    for pawn, suit in zip(pawns, ((0.4, 0.15, 0.43, 0.02), (0.1, 0.6, 0.02, 0.28)), strict=True):
        pawn.choices["suit"][:] = suit
    beside = [*said(3, 1)]
    alone, shared = (
        [chosen(one, "suit")[0] for one in suits_shared_out(pawns, {0, 1}, known)] for known in ((), beside)
    )
    assert alone == ["crowns", "moons"]
    assert shared == ["crowns", "suns"]
    (last,) = suits_shared_out(pawns[1:], {0}, [*beside, said(2)[0]])
    assert chosen(last, "suit")[0] == "suns"
    many, alone = (suits_shared_out(pawns, {0, 1}, known)[1] for known in ([*beside, *beside], ()))
    assert (many.choices["suit"] == alone.choices["suit"]).all()
