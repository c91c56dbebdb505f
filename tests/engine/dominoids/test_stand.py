"""Illegal moves that the players let stand: what is left on the table, and how the turn goes on."""

import pytest

from engine import CannotStand
from engine.dominoids import DominoidsBook
from engine.dominoids.model import ACT, CONSEQUENCE, DICE, OVER, REFILL, ROLL, SUITS, TURNS_OVER
from engine.profile import Profile
from tests.engine.dominoids.scene import (
    BOOK,
    CHOSEN_BOOK,
    acting,
    move,
    options,
    play,
    position,
    refused,
    stand,
)

ALL_THERE = "d8=suns? b1=moons? b2=crowns? b3=arms?"


def lies(state: object, name: str) -> tuple[float | None, float | None]:
    """Where the middle of a piece is."""
    spot = BOOK.layout(state).by_name()[name]  # type: ignore[arg-type]
    return spot.x, spot.y


def cannot(state: object, line: str, message: str) -> None:
    """A move that no table could show is not let stand."""
    with pytest.raises(CannotStand, match=message):
        BOOK.let_stand(state, move(line))  # type: ignore[arg-type]


# — dice —


def test_dice_that_stand_make_the_turn() -> None:
    """Two new dice, one die alone or three dice are used as they were taken, by whoever took them."""
    state = position("2@d4-3@e4", dice="2 2 null null", new=["crowns", "arms"])
    both = stand(state, "2: dice crowns arms")
    assert (both.player, both.stage, both.turn) == (2, ACT, 1)
    assert options(both) == {"crowns pass", "arms pass"}
    assert play(stand(state, "dice crowns"), "crowns pass").stage == REFILL
    three = play(stand(state, "dice suns crowns arms"), "crowns pass", "arms pass")
    assert options(three, "suns")
    assert play(both, "crowns pass", "arms pass").new == 12


def test_dice_taken_before_the_roll_begin_the_next_turn() -> None:
    """Where the last dice were not rolled they keep their faces and count as new."""
    state = acting("2@d4-3@e4", face="null", coins=ALL_THERE)
    state = play(state, "suns pass", "moons pass", "done")
    after = stand(state, "2: dice crowns arms")
    assert (after.player, after.turn, after.new, after.faces) == (2, 2, 3, (0, 0, 2, 2))
    book = DominoidsBook(Profile.parse("default+max_turns=1"))
    over = stand(state, "2: dice crowns arms", book)
    assert (over.stage, over.ended) == (OVER, TURNS_OVER)


def test_dice_taken_again_begin_the_turn_anew() -> None:
    """A second choice of dice replaces the first, and forgoes what a slide brought."""
    state = play(acting("2@d4-3@e4", coins="c5=arms2"), "suns move 2@b4-3@c4")
    after = stand(state, "dice crowns arms")
    assert (after.chosen, after.used, after.stage) == (12, 0, ACT)


# — actions —


def test_a_slide_that_stands_has_its_consequence() -> None:
    """A slide of the wrong length stands where it ended, uses up its die, and may bring a meal."""
    state = acting("2@d4-3@e4", coins="c3=arms1 d5=crowns?")
    after = stand(state, "suns move 2@c4-3@d4")
    assert lies(after, "domino 2-3") == (3.5, 4)
    assert (after.used, after.stage, BOOK.pending(after)) == (1, CONSEQUENCE, "coin")
    after = play(after, "see coin d5 2")
    assert options(after) == {"eat c3", "eat d5"}


def test_a_turn_that_stands_has_none() -> None:
    """A blocked turn, a step sideways and a slide with a turn stand, each without a consequence."""
    state = acting("2@d4-3@e4", coins="c3=arms1", pawns="suns=d5")
    for line in ("suns move 3@e4-2@e5", "suns move 2@d3-3@e3", "suns move 2@c4-3@c5"):
        after = stand(state, line)
        assert options(after) == {"moons pass"}
        assert BOOK.layout(after).by_name()["domino 2-3"] != BOOK.layout(state).by_name()["domino 2-3"]


def test_a_die_that_was_not_chosen_takes_the_place_of_one_that_was() -> None:
    """An action with another die uses up the first unused one's place; both dice of the turn are rolled."""
    state = acting("2@d4-3@e4", face="4")
    after = stand(state, "crowns move 3@e4-2@e5")
    assert (after.chosen, after.used) == (6, 4)
    assert options(after) == {"moons pass"}
    again = stand(after, "crowns move 2@e3-3@e4")
    assert (again.chosen, again.used, again.stage) == (6, 4, ACT)
    assert lies(again, "domino 2-3") == (5, 3.5)


def test_an_action_out_of_time_changes_only_the_table() -> None:
    """Before the dice are chosen and after both actions, a move that stands spends nothing."""
    before = position("2@d4-3@e4", coins=ALL_THERE)
    after = stand(before, "2: suns move 2@b4-3@c4")
    assert lies(after, "domino 2-3") == (2.5, 4)
    assert after._replace(dominoes=before.dominoes) == before
    done = play(acting("2@d4-3@e4", face="null", coins=ALL_THERE), "suns pass", "moons pass")
    for state in (done, play(done, "done")):
        after = stand(state, "suns move 2@b4-3@c4")
        assert after._replace(dominoes=state.dominoes) == state


def test_an_action_forgoes_an_unfinished_consequence() -> None:
    """Going on with the next die leaves the coin uneaten, or even unseen."""
    for coin in ("arms1", "arms?"):
        state = play(acting("2@d4-3@e4", dice="4 4 2 2", coins=f"c5={coin}"), "suns move 2@b4-3@c4")
        after = stand(state, "moons move 2@b4-3@b3")
        assert (after.stage, after.turning, len(after.coins)) == (REFILL, 0, 1)


def test_a_child_that_stands_is_on_the_board() -> None:
    """A child budded or born wrongly, or moved there from elsewhere, lies where it was put."""
    state = acting("2@d4-3@e4")
    budded = stand(state, "suns bud 1@a4-1@a5")
    assert (lies(budded, "domino 1-1"), budded.used) == ((1, 4.5), 1)
    assert lies(stand(state, "suns bud 2@g4-3@h4"), "domino 2-3") == (7.5, 4)
    assert lies(stand(state, "suns move 1@a4-1@a5"), "domino 1-1") == (1, 4.5)
    born = play(acting("2@b3-3@c3 3@e3-4@e4", dice="4 null 2 2"), "suns move 2@c3-3@d3")
    after = stand(born, "birth 1@a4-1@a5")
    assert (after.stage, lies(after, "domino 1-1")) == (ACT, (1, 4.5))
    assert lies(stand(state, "birth 1@a4-1@a5"), "domino 1-1") == (1, 4.5)


def test_a_shift_or_pass_that_stands() -> None:
    """The wrong row is shifted and the ace is used; a die passed over is used."""
    state = acting("2@d4-3@e4", face="ace")
    shifted = stand(state, "suns shift row 2 left")
    assert (lies(shifted, "domino 2-3"), shifted.used) == ((2.5, 4), 1)
    assert stand(state, "suns pass").used == 1


def test_what_no_table_could_show_does_not_stand() -> None:
    """Two pieces in one place, a domino off the board or torn, pieces that are not there: none can stand."""
    state = acting("2@d4-3@e4 1@d5-1@e5", face="ace", coins="c3=arms1")
    cannot(state, "suns move 2@d5-3@d6", "something else on d5")
    cannot(state, "suns move 2@h4-3@i4", "would not lie on the board")
    cannot(state, "suns bud 3@c3-3@c4", "something else on c3")
    cannot(state, "birth 3@d5-3@d6", "something else on d5")
    cannot(acting("2@d4-3@d5", face="ace"), "suns shift row 2 left", "2-3 would lie in two halves")
    cannot(acting("2@f4-3@g4", face="ace"), "suns shift row 2 right", "2-3 would lie in two halves")
    cannot(state, "eat d3", "no coin on d3")
    cannot(state, "attack 5-5", "5-5 is in the gene pool already")
    cannot(state, "place suns d4", "no free square d4 to put a coin on")
    empty = position("2@d4-3@e4", collected=" ".join(f"1=suns{value}" for value in range(6)))
    cannot(empty, "place suns a2", "stack of Suns is empty")
    cannot(BOOK.start(), "dice suns moons", "Before the set-up")
    over = play(position("2@d4-3@e4"), "1: agree", "2: agree")
    cannot(over, "dice suns moons", "after the end")


# — consequences, coins, endings —


def test_a_meal_that_stands_belongs_to_who_took_it() -> None:
    """A coin taken out of time, too big, or by the other player is collected."""
    state = acting("2@d4-3@e4", coins="c3=arms5")
    after = stand(state, "2: eat c3")
    assert (after.collected(2, SUITS.index("arms")), after.stage) == ((5,), ACT)
    slid = play(acting("2@d4-3@e4", coins="c5=arms5"), "suns move 2@b4-3@c4")
    after = stand(slid, "eat c5")
    assert (after.collected(1, SUITS.index("arms")), after.stage) == ((5,), ACT)
    refused(after, "attack 2-3", "DMN-4.9")


def test_a_hidden_coin_that_was_taken_must_be_shown() -> None:
    """Who takes a hidden coin collects it as soon as its value is seen, whatever it is."""
    state = acting("2@d4-3@e4", coins="c3=arms?")
    taken = stand(state, "2: eat c3")
    assert (BOOK.pending(taken), BOOK.movers(taken)) == ("coin", ())
    refused(taken, "moons pass", "DMN-4.6")
    after = play(taken, "see coin c3 5")
    assert (after.collected(2, SUITS.index("arms")), after.stage, after.coins) == ((5,), ACT, ())
    slid = play(acting("2@d4-3@e4", coins="b3=arms? a8=suns?", pawns="moons=h6"), "suns move 2@b4-3@c4")
    assert BOOK.pending(slid) == "coin"
    after = play(stand(slid, "eat a8"), "see coin a8 5")
    assert (after.collected(1, SUITS.index("suns")), after.stage) == ((5,), ACT)


def test_a_meal_that_stands_may_end_the_game() -> None:
    """Also a meal that was not allowed takes the last coin of a third suit."""
    gone = [f"{who}={suit}{value}" for who, suit in (("1", "suns"), ("2", "moons")) for value in range(6)]
    gone += [f"2=crowns{value}" for value in range(1, 6)]
    state = position("2@d4-3@e4", coins="a3=crowns?", collected=" ".join(gone))
    after = play(stand(state, "eat a3"), "see coin a3 0")
    assert after.stage == OVER


def test_an_attack_that_stands_removes_its_victim() -> None:
    """The Dominoid attacked goes to the pool, also the one that slid, also out of time."""
    state = play(acting("2@b3-3@c3 3@e3-4@e4", face="4"), "suns move 2@c3-3@d3")
    after = stand(state, "attack 3-4")
    assert (after.stage, len(after.pool)) == (ACT, 14)
    gone = stand(state, "attack 2-3")
    assert (gone.mover, len(gone.pool)) == (-1, 14)
    refused(gone, "eat a3", "DMN-4.6", "DMN-4.6")
    early = position("2@d4-3@e4 1@a2-1@a3")
    assert stand(early, "attack 1-1")._replace(dominoes=early.dominoes) == early


def test_a_meal_forgone() -> None:
    """Doing nothing although something must be eaten stands, and the turn goes on."""
    state = play(acting("2@d4-3@e4", coins="c5=arms1"), "suns move 2@b4-3@c4")
    assert options(stand(state, "none")) == {"moons pass"}
    early = acting("2@d4-3@e4")
    assert stand(early, "none") == early


def test_a_coin_placed_wrongly_lies_there() -> None:
    """A coin put anywhere free stands, and its suit then needs no other."""
    state = play(
        acting("2@d4-3@e4", face="null", coins="d8=crowns? b3=arms? d7=moons?"), "suns pass", "moons pass"
    )
    after = stand(state, "place suns h5")
    assert options(after) == {"done"}
    early = acting("2@d4-3@e4")
    assert len(stand(early, "place suns h5").coins) == 1


def test_a_turn_ended_too_soon_ends() -> None:
    """Ending the turn too soon leaves the roll to be done; before any die was chosen it skips the turn."""
    state = acting("2@d4-3@e4")
    after = BOOK.let_stand(state, move("done"))
    assert (after.stage, BOOK.pending(after)) == (ROLL, "roll")
    slid = play(acting("2@d4-3@e4", coins="c5=arms?"), "suns move 2@b4-3@c4")
    assert BOOK.let_stand(slid, move("done")).stage == ROLL
    skipped = BOOK.let_stand(position("2@d4-3@e4", agreed=[2]), move("done"))
    assert (skipped.stage, skipped.player, skipped.turn, skipped.agreed) == (DICE, 2, 2, 0)


def test_an_agreement_out_of_time_counts_when_it_stands() -> None:
    """When both agree in the middle of a turn and let it stand, the game is over."""
    state = play(acting("2@d4-3@e4", coins="c5=arms1"), "suns move 2@b4-3@c4")
    over = stand(stand(state, "1: agree"), "2: agree")
    assert over.stage == OVER


def test_trying_one_coin_forgoes_the_others() -> None:
    """With reveal=chosen a coin too far off that is taken is turned up and collected all the same."""
    book = CHOSEN_BOOK
    state = play(
        acting("2@d4-3@e4", book=book, coins="c5=arms? h8=suns?", pawns="arms=a6"),
        "suns move 2@b4-3@c4",
        book=book,
    )
    after = play(stand(state, "eat h8", book), "see coin h8 4", book=book)
    assert after.collected(1, SUITS.index("suns")) == (4,)
