"""What the players let stand: the table as it is then, and play that goes on from it."""

import pytest

from engine import CannotStand
from engine.draw_game.book import DrawGame
from engine.draw_game.known_hands import size
from engine.draw_game.model import DrawState
from tests.engine.draw_game.scene import after, blocked_board, chain, game, opening, position


def stood(book: DrawGame, state: DrawState, line: str) -> DrawState:
    """The state after a refused move that is let stand."""
    move = book.parse(line)
    assert not book.check(state, move).allowed
    return book.let_stand(state, move)


@pytest.mark.rules("DRW-5")
def test_a_tile_that_does_not_match_lies_as_it_lies() -> None:
    """2-5 laid with its 2 on a 3 leaves a 5 open, which counts and is played on."""
    book = game()
    state = after(book, opening(book, ["3-4"], ["2-5"]), "1: down 3-4")
    table = stood(book, state, "2: 2-5 by 2 at west")
    assert (table.ends[:2], table.mover) == ((5, 4), 1)
    lucky = stood(book, state, "2: 2-5 by 5 at east")
    assert lucky.scores == (0, 5)


@pytest.mark.rules("DRW-T1")
def test_after_a_tile_out_of_turn_the_other_goes_on() -> None:
    """Player 1 plays twice in a row: it is player 2's turn, as before."""
    book = game()
    state = after(book, opening(book, ["3-4", "3-6"]), "1: down 3-4")
    table = stood(book, state, "1: 3-6 by 3 at west")
    assert (table.mover, size(table, 1)) == (2, 9)


@pytest.mark.rules("DRW-T1", "DRW-9")
def test_a_draw_and_a_pass_out_of_turn_change_no_turn() -> None:
    """A tile drawn out of turn goes to whoever drew it; a pass out of turn changes no turn."""
    book = game()
    state = after(book, opening(book, ["3-4"]), "1: down 3-4")
    drawing = stood(book, state, "1: draw")
    assert book.pending(drawing) == "drawn"
    drawn = after(book, drawing, "see drawn 6-6")
    assert (drawn.mover, size(drawn, 1), size(drawn, 2)) == (2, 11, 11)
    assert stood(book, state, "1: pass").mover == 2


@pytest.mark.rules("DRW-T2")
def test_a_tile_of_the_boneyard_or_of_the_opponent_is_taken_from_there() -> None:
    """The hand of whoever laid it keeps its size; the boneyard or the other hand loses the tile."""
    book = game()
    state = after(book, opening(book, ["3-4", "3-6"]), "1: down 3-4")
    from_boneyard = stood(book, state, "2: 4-5 by 4 at east")
    assert (size(from_boneyard, 2), from_boneyard.unseen.bit_count()) == (11, 5)
    from_hand = stood(book, state, "2: 3-6 by 3 at west")
    assert (size(from_hand, 1), size(from_hand, 2)) == (9, 11)


@pytest.mark.rules("DRW-T2")
def test_an_unseen_tile_comes_from_the_boneyard_as_long_as_there_is_one() -> None:
    """A known hand lays an unseen tile: the boneyard loses it, or, if that is empty, the hidden hand."""
    book = game("hand=7")
    board = {"first": "3-4", "west": ["3-6"]}
    for hidden, left in ((18, 18), (24, 23)):
        state = position(book, "0-1 0-2", hidden, board=board, turn=1)
        if hidden == 24:  # then the hand is all that is left, and known
            assert (state.hidden, size(state, 2)) == ((0, 0), 24)
        taken = stood(book, state, "1: 2-6 by 6 at west")
        assert (size(taken, 1), size(taken, 2)) == (2, left)


@pytest.mark.rules("DRW-10")
def test_whose_last_tile_is_laid_by_the_other_is_out() -> None:
    """The opponent's last tile ends the deal for him, though another hand laid it."""
    book = game("hand=7")
    state = position(book, "0-0 1-1", "5-5", board=chain(0, 5, 11, ""), turn=1)
    out = stood(book, state, "1: 5-5 by 5 at east")
    assert book.pending(out) == "deal"
    assert out.lines[-1].player == 2


@pytest.mark.rules("DRW-8", "DRW-3")
def test_a_tile_where_no_end_is_lies_dead() -> None:
    """Beside a double that is no spinner, or as a second Down, a tile is on the table but opens nothing."""
    book = game("hand=7")
    board = {"first": "3-3", "west": ["3-4"], "east": ["3-6", "6-6", "1-6"], "spinner": "3-3"}
    state = position(book, "2-6 0-0", 7, board=board, turn=1)
    for line in ("1: 2-6 by 6 beside 6-6", "1: down 2-6"):
        table = stood(book, state, line)
        assert (table.ends, table.scores, table.mover) == (state.ends, (0, 0), 2)
        (spot,) = book.layout(table).in_region("aside")
        assert (spot.name, spot.x, spot.face) == ("2-6", None, "up")
        assert book.check(table, book.parse("2: 2-6 by 6 at east")).rule == "DRW-0"


@pytest.mark.rules("DRW-7")
def test_a_branch_too_early_is_an_end_all_the_same() -> None:
    """A tile at a short end before both long sides are covered counts and stays when they are."""
    book = game()
    state = after(book, opening(book, ["3-3", "3-5"], ["3-4"]), "1: down 3-3", "2: 3-4 by 3 at west")
    early = stood(book, state, "1: 3-5 by 3 at north")
    assert early.scores == (15, 10)
    hidden = position(book, 10, 10, board={"first": "3-3", "west": ["3-4"]}, turn=1)
    for arm, opposite in (("north", "south"), ("south", "north")):
        table = stood(book, hidden, f"1: 3-5 by 3 at {arm}")
        assert f"2: 2-5 by 5 at {arm}" in map(book.format, book.legal_moves(table))
        covered = after(book, table, "2: 3-6 by 3 at east")
        assert f"1: 2-3 by 3 at {opposite}" in map(book.format, book.legal_moves(covered))
        assert covered.scores == (15, 15)


@pytest.mark.rules("DRW-3")
def test_a_first_tile_is_the_down_wherever_it_was_said_to_go() -> None:
    """On an empty table any tile laid is the Down."""
    book = game()
    state = opening(book, ["3-4"])
    assert stood(book, state, "1: 3-4 by 3 at west") == after(book, state, "1: down 3-4")


@pytest.mark.rules("DRW-9")
def test_a_pass_with_a_fitting_tile_passes_the_turn() -> None:
    """The pass counts, and a second one blocks the deal."""
    book = game("hand=7")
    state = position(book, "1-6 0-0", "2-6", board=chain(2, 6, 11, "1-6 2-6"), turn=1)
    once = stood(book, state, "1: pass")
    assert (once.mover, book.pending(once)) == (2, None)
    blocked = stood(book, once, "2: pass")
    assert (book.pending(blocked), blocked.scores) == ("deal", (10, 0))


@pytest.mark.rules("DRW-13")
def test_a_redeal_without_doubles_enough_is_dealt() -> None:
    """If the players agree, the deal is made anew."""
    book = game()
    assert book.pending(stood(book, opening(book, ["3-4", "3-5"], ["0-1"]), "1: redeal")) == "deal"


@pytest.mark.rules("DRW-4")
def test_a_wrong_call_that_stands_is_written_down() -> None:
    """Points that the players agree on are points."""
    book = game("muggins=yes")
    state = after(book, opening(book, ["0-5"]), "1: down 0-5")
    assert stood(book, state, "1: call 10").scores == (10, 0)


@pytest.mark.rules("DRW-T3")
def test_a_tile_laid_while_a_drawn_one_is_due_stands_without_it() -> None:
    """The drawn tile goes unseen into the hand, and play goes on."""
    book = game()
    start = after(book, book.start(setup={"down": 1}), "see deal hidden / hidden", "1: down 3-4", "2: draw")
    table = stood(book, start, "2: 3-6 by 3 at west")
    assert (table.mover, size(table, 2)) == (1, 11)


def test_a_tile_from_elsewhere_proves_nothing_about_the_hand() -> None:
    """A tile that provably came from another hand does not make an earlier draw wrong."""
    book = game()
    known = ["0-3", "1-3", "2-3", "3-3", "3-4", "3-5", "3-6", "0-4", "1-4", "2-4", "4-4"]
    state = after(book, position(book, known, 11), "1: down 3-4", "2: draw", "see drawn 6-6")
    table = stood(book, state, "2: 0-3 by 3 at west")
    assert (size(table, 1), size(table, 2)) == (9, 12)
    assert table.claims == ()
    assert book.late_rulings(table) == ()


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("1: 3-4 by 4 at east", "lies on the table already"),
        ("1: 2-6 by 6 beside 5-5", "The 5-5 does not lie on the table"),
        ("1: 2-6 by 6 beside 3-3", "Say at which end of the spinner 3-3"),
    ],
)
def test_what_no_table_can_show(line: str, words: str) -> None:
    """A tile twice, a tile beside one that is not there, and a place left open cannot stand."""
    book = game("hand=7")
    board = {"first": "3-3", "west": ["3-4"], "east": ["3-6"]}
    state = position(book, "2-6 0-0 1-1 2-2", 7, board=board, turn=1)
    with pytest.raises(CannotStand, match=words):
        book.let_stand(state, book.parse(line))


def test_what_cannot_stand_at_other_times() -> None:
    """No short end without a spinner, no tile from an empty boneyard, nothing between deals."""
    book = game()
    plain = after(book, opening(book, ["3-4"], ["2-3"]), "1: down 3-4")
    empty = position(book, "4-5 0-4", "4-4 3-3 1-5", board=blocked_board(), turn=1)
    for state, line, words in (
        (plain, "2: 2-3 by 3 at north", "There is no north end without a spinner"),
        (empty, "1: draw", "The boneyard is empty"),
        (book.start(), "1: pass", "No deal is being played"),
    ):
        with pytest.raises(CannotStand, match=words):
            book.let_stand(state, book.parse(line))
