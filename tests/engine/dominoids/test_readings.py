"""Every reading of what the document leaves open; where there is a choice, each choice changes something."""

import pytest

from engine.dominoids.model import SUITS
from tests.engine.dominoids.scene import BOOK, CHOSEN_BOOK, acting, allowed, options, play, position, refused


@pytest.mark.rules("A-D4", "A-D5", "A-D6")
def test_which_coins_are_turned_up() -> None:
    """By default all hidden coins beside are turned up; with reveal=chosen only those that are tried."""
    scene = {"coins": "b5=suns? c5=arms? c3=crowns1", "dice": "5 null 2 2"}
    dominoes = "2@d4-3@e4 1@a4-1@a5"
    everything = play(acting(dominoes, **scene), "suns move 2@b4-3@c4")
    assert BOOK.pending(everything) == "coin"
    refused(everything, "attack 1-1", "DMN-4.6")
    everything = play(everything, "see coin b5 4", "see coin c5 3")
    assert options(everything) == {"eat c5", "eat c3", "attack 1-1"}

    book = CHOSEN_BOOK
    chosen = play(acting(dominoes, book=book, **scene), "suns move 2@b4-3@c4", book=book)
    assert book.pending(chosen) is None
    assert options(chosen, book=book) == {"eat b5", "eat c5", "eat c3", "attack 1-1"}
    assert play(chosen, "attack 1-1", book=book).unseen(SUITS.index("suns")) == tuple(range(6))
    refused(chosen, "none", "DMN-4.6.3", "DMN-4.7.3", book=book)
    assert "turned up" in allowed(chosen, "eat b5", "DMN-4.6", book=book).reason
    failed = play(chosen, "eat b5", "see coin b5 4", book=book)
    assert options(failed, book=book) == {"eat c5", "eat c3", "attack 1-1"}
    fed = play(failed, "eat c5", "see coin c5 3", book=book)
    assert fed.collected(1, SUITS.index("arms")) == (3,)
    assert options(fed, book=book) == {"moons pass"}
    refused(fed, "eat c3", "DMN-4.6.2", book=book)


@pytest.mark.rules("A-D6", "A-D4")
def test_nobody_may_look_away() -> None:
    """With reveal=chosen a hidden coin beside the Dominoid must be tried before doing nothing."""
    book = CHOSEN_BOOK
    state = play(acting("2@d4-3@e4", book=book, coins="c5=arms?"), "suns move 2@b4-3@c4", book=book)
    assert options(state, book=book) == {"eat c5"}
    given = refused(state, "none", "DMN-4.6.3", book=book)
    assert given.reason == "The 2-3 must try the coin on c5 first."
    assert options(play(state, "eat c5", "see coin c5 5", book=book), book=book) == {"none"}


@pytest.mark.rules("A-D2", "A-D1")
def test_an_obstacle_shortens_and_the_edge_does_not() -> None:
    """A 4 two squares before the edge does not slide; with something one square before it, it does."""
    assert options(acting("4@c4-5@d4"), "suns move 4@b4") == set()
    assert options(acting("4@c4-5@d4", pawns="suns=a4"), "suns move 4@b4") == {"suns move 4@b4-5@c4"}
    assert options(acting("4@c4-5@d4", pawns="suns=b4"), "suns move 4@b4") == set()


@pytest.mark.rules("A-D3")
def test_the_end_beside_the_coin_decides() -> None:
    """A 5 behind eats a 4 although the die and the leading 1 are smaller."""
    state = acting("1@d4-5@e4", face="2", coins="d5=suns4")
    assert options(play(state, "suns move 1@c4-5@d4")) == {"eat d5"}


@pytest.mark.rules("A-D7")
def test_breeding_without_a_place_is_not_breeding() -> None:
    """Two equal ends with no child that fits the free squares leave nothing to do."""
    state = play(acting(CRAMPED, face="2", pawns=CRAMPED_PAWNS), "suns move 1@b1-1@c1")
    assert options(state) == {"none"}


CRAMPED = "1@c1-1@d1 1@a1-2@a2 3@b2-3@c2"
CRAMPED_PAWNS = "suns=d2 moons=e1 crowns=a3 arms=h8"


@pytest.mark.rules("A-D8", "DMN-4.8.4")
def test_a_child_touches_with_a_shared_number() -> None:
    """What else a child touches does not matter; its number must lie beside the parent's same number."""
    state = play(acting("2@b3-3@c3 3@e3-4@e4", face="4"), "suns move 2@c3-3@d3")
    allowed(state, "birth 2@c2-4@d2", "DMN-4.8.4")
    refused(state, "birth 4@c2-2@d2", "DMN-4.8.4")


@pytest.mark.rules("A-D9", "DMN-4.9")
def test_each_contact_counts() -> None:
    """Side by side, one pair of ends may attack and the other breed: one of the two is done."""
    state = play(acting("2@b3-3@c3 1@e4-3@f4", face="5"), "suns move 2@e3-3@f3")
    assert options(state, "attack") == {"attack 1-3"}
    assert options(state, "birth")
    refused(state, "none", "DMN-4.7.3", "DMN-4.8.3")
    refused(play(state, "attack 1-3"), "birth 3@g3-5@h3", "DMN-4.9")


@pytest.mark.rules("A-D11")
def test_a_5_5_may_bud() -> None:
    """The 5-5, which never moves, may bud."""
    state = acting("5@d4-5@e4", face="5")
    allowed(state, "suns bud 5@d5-4@d6", "DMN-4.10")


@pytest.mark.rules("A-D12", "A-D14")
def test_four_tiles_make_a_row() -> None:
    """A Dominoid over tiles 2 and 3 hinders no shift; one over 1 and 2 hinders the shift to the left."""
    middle = acting("1@d6-3@e6", face="ace", pawns="suns=a5")
    assert {"suns shift row 3 left", "suns shift row 3 right"} <= options(middle)
    left = acting("1@b6-3@c6", face="ace", pawns="suns=a5")
    assert options(left) == {"suns shift row 3 right", "moons pass"}


@pytest.mark.rules("A-D13", "DMN-5.3")
def test_columns_shift_up_and_down() -> None:
    """Everything in a column travels by two ranks, also over the edge."""
    state = acting("1@a7-3@b7", face="ace", pawns="suns=a5 moons=b1", coins="b8=arms3")
    up = play(state, "suns shift column 1 up")
    spots = BOOK.layout(up).by_name()
    names = ("domino 1-3", "pawn suns", "pawn moons", "coin arms")
    assert [(spots[name].x, spots[name].y) for name in names] == [(1.5, 1), (1, 7), (2, 3), (2, 2)]
    assert play(up, "moons pass").stage == up.stage + 2


@pytest.mark.rules("A-D15", "DMN-7.1")
def test_a_coin_carried_away_still_counts() -> None:
    """A shift that parts a coin from its pawn brings that suit no new coin."""
    state = acting("2@d1-3@e1", face="ace", coins="b6=suns? b1=moons? b2=crowns? b3=arms?", pawns="suns=b7")
    after = play(state, "suns shift row 4 right", "moons pass")
    assert options(after) == {"done"}


@pytest.mark.rules("A-D17")
def test_a_coin_that_found_no_place_is_tried_every_turn() -> None:
    """A suit whose pawn was shut in gets its coin at the end of a later turn of either player."""
    state = position(
        "2@c2-3@d2", dice="null ace null null",
        pawns="suns=b2 crowns=a2 arms=b1 moons=b3", coins="h8=arms? h1=crowns? d8=moons?",
    )  # fmt: skip
    state = play(state, "dice suns crowns", "suns pass", "crowns pass")
    assert options(state) == {"done"}
    refused(state, "place suns c3", "DMN-7.3", "DMN-7.1")
    state = play(state, "done", "see roll suns=null crowns=null", "dice moons arms", "arms pass")
    state = play(state, "moons shift row 2 right")
    assert options(state) == {"place suns b3"}


@pytest.mark.rules("A-D18")
def test_equal_scores_are_a_draw() -> None:
    """Nobody wins with equal scores."""
    held = "1=suns0 1=suns1 1=suns2 2=suns3 2=suns4 2=suns5 2=moons0 2=moons1 2=moons2 1=moons3 1=moons4"
    held += " 1=moons5 1=crowns0 1=crowns1 1=crowns2 1=crowns3 2=crowns4 2=crowns5"
    state = position("", collected=held)
    outcome = BOOK.outcome(state)
    assert BOOK.scores(state).totals == (24, 24)
    assert outcome is not None
    assert (outcome.winner, outcome.rule) == (None, "DMN-END")


@pytest.mark.rules("A-D20")
def test_the_same_dominoid_may_move_twice() -> None:
    """Both dice may move the same Dominoid."""
    state = play(acting("2@d4-3@e4", dice="4 4 2 2"), "suns move 2@b4-3@c4", "none")
    allowed(state, "moons move 2@b4-3@b5", "DMN-4.5")
