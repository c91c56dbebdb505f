"""The rules one by one: what each allows and refuses, and in which words."""

import pytest

from engine import IllegalMove, Status
from engine.draw_game.book import DrawGame
from engine.draw_game.model import DrawState, Play
from engine.draw_game.quick import quickly
from engine.ruling import Ruling
from tests.engine.draw_game.scene import after, blocked_board, chain, game, opening, position

ARMS = {"first": "3-3", "west": ["3-4"], "east": ["3-6"], "north": ["3-5"]}


def judged(book: DrawGame, state: DrawState, line: str) -> Ruling:
    """The ruling on a move in notation."""
    return book.check(state, book.parse(line))


def rules(ruling: Ruling) -> list[str]:
    """The rules that a move breaks, the gravest first."""
    return [ruling.rule, *(fault.rule for fault in ruling.also)]


@pytest.mark.rules("DRW-2")
def test_only_the_player_who_has_the_down_opens() -> None:
    """Before the Down a move of the other player is refused by DRW-2, a tile he lays by DRW-T2 too."""
    book = game()
    state = opening(book, ["3-4"], ["2-5"], down=2)
    assert state.mover == 2
    ruling = judged(book, state, "1: down 2-5")
    assert rules(ruling) == ["DRW-2", "DRW-T2"]
    assert ruling.reason == "Player 2 has the Down in this deal, not player 1."
    assert ruling.facts == {"player": 1, "turn": 2}
    assert judged(book, state, "2: down 2-5").status is Status.LEGAL


@pytest.mark.rules("DRW-3")
def test_any_tile_of_the_hand_may_be_the_down() -> None:
    """Every tile of the hand is listed as the Down and nothing else; the ruling says what it counts."""
    book = game()
    state = opening(book, ["4-6"])
    assert len(book.legal_moves(state)) == 11
    ruling = judged(book, state, "down 4-6")
    assert (ruling.status, ruling.rule) == (Status.LEGAL, "DRW-3")
    assert ruling.reason == "Player 1 opens with the 4-6; the ends count 10: 10 points."
    assert ruling.facts == {"tile": "4-6", "count": 10, "points": 10}


@pytest.mark.rules("DRW-3")
def test_the_opener_neither_draws_nor_passes_nor_plays_at_an_end() -> None:
    """Before the Down a draw, a pass and a tile at an end are refused by DRW-3."""
    book = game()
    state = opening(book, ["4-6"])
    for line in ("draw", "pass", "4-6 by 4 at west", "4-6 by 4 at north"):
        assert rules(judged(book, state, line)) == ["DRW-3"], line
    assert rules(judged(book, state, "4-6 by 4 beside 1-1")) == ["DRW-3", "DRW-5"]


@pytest.mark.rules("DRW-3")
def test_there_is_one_down_in_a_deal() -> None:
    """A second Down is refused by DRW-3, which names the ends where the tile could go."""
    book = game()
    state = after(book, opening(book, ["4-6"], ["2-5"]), "1: down 4-6")
    ruling = judged(book, state, "2: down 2-5")
    assert rules(ruling) == ["DRW-3"]
    assert ruling.reason.endswith("can only go to the 4 at the west end or the 6 at the east end.")
    assert ruling.squares == ("west", "east")
    assert ruling.facts["ends"] == {"west": 4, "east": 6}


@pytest.mark.rules("DRW-T1")
def test_players_take_turns() -> None:
    """Whoever has just played waits for the other: DRW-T1, for tiles, draws and passes alike."""
    book = game()
    state = after(book, opening(book, ["4-6", "2-6"]), "1: down 4-6")
    ruling = judged(book, state, "1: 2-6 by 6 at east")
    assert rules(ruling) == ["DRW-T1"]
    assert ruling.reason == "It is player 2's turn, not player 1's."
    assert judged(book, state, "1: draw").rule == "DRW-T1"
    assert judged(book, state, "1: pass").rule == "DRW-T1"


@pytest.mark.rules("DRW-T2", "DRW-0")
def test_a_tile_comes_from_ones_own_hand() -> None:
    """A tile of the opponent or of the boneyard breaks DRW-T2, one that lies on the table DRW-0."""
    book = game()
    state = after(book, opening(book, ["4-6", "3-6"], ["2-6"]), "1: down 4-6")
    places = {}
    for tile in ("3-6", "4-6", "5-6"):
        ruling = judged(book, state, f"2: {tile} by 6 at east")
        with pytest.raises(IllegalMove):
            book.play(state, book.parse(f"2: {tile} by 6 at east"))
        places[tile] = (ruling.rule, ruling.facts["where"])
    assert places == {
        "3-6": ("DRW-T2", "in the hand of player 1"),
        "4-6": ("DRW-0", "on the table"),
        "5-6": ("DRW-T2", "in the boneyard"),
    }
    assert judged(book, state, "2: 4-6 by 6 at east").reason == (
        "The 4-6 already lies on the table, and the set has only one."
    )


@pytest.mark.rules("DRW-T2")
def test_a_hand_that_is_known_as_a_whole_holds_nothing_else() -> None:
    """Beside a hidden hand, an unseen tile is refused to a known one: it is not in that hand."""
    book = game("hand=7")
    state = position(book, "1-4 0-0", 8, board=ARMS, turn=1)
    ruling = judged(book, state, "1: 4-4 by 4 at west")
    assert (ruling.rule, ruling.facts["where"]) == ("DRW-T2", "not in that hand")


@pytest.mark.rules("DRW-T3")
@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ((), "each player draws a tile"),
        (("see lot 0-0 / 0-1",), "the hands are dealt"),
        (("see lot 0-0 / 0-1", "see deal hidden / hidden", "2: down 0-0", "1: draw"), "the tile just drawn"),
    ],
)
def test_what_the_game_waits_for_comes_first(lines: tuple[str, ...], words: str) -> None:
    """While a lot, a deal or a drawn tile is due every move is refused by DRW-T3, which says what is due."""
    book = game()
    state = after(book, book.start(), *lines)
    for line in ("1: draw", "1: pass", "1: down 1-1", "2: redeal"):
        ruling = judged(book, state, line)
        assert ruling.rule == "DRW-T3"
        assert words in ruling.reason
    assert book.legal_moves(state) == ()
    assert book.movers(state) == ()


@pytest.mark.rules("DRW-T3", "DRW-10")
def test_after_going_out_the_other_hand_is_counted_first() -> None:
    """A hidden hand that is left over is waited for; moves are refused by DRW-T3 until it is shown."""
    book = game("hand=7")
    state = position(book, "5-5", 3, board=chain(0, 5, 10, "5-5"), turn=1)
    out = after(book, state, "1: 5-5 by 5 at east")
    assert book.pending(out) == "hand"
    assert judged(book, out, "2: pass").rule == "DRW-T3"
    assert out.scores == (10, 0)
    counted = after(book, out, "see hand 2: 0-0 1-1 2-2")
    assert (counted.scores, book.pending(counted)) == ((15, 0), "deal")


@pytest.mark.rules("DRW-5")
def test_a_tile_turned_the_wrong_way_is_told_so() -> None:
    """Where the other half of the tile would fit, the refusal says so and offers it first."""
    book = game()
    state = after(book, opening(book, ["4-6"], ["2-6"]), "1: down 4-6")
    ruling = judged(book, state, "2: 2-6 by 2 at east")
    assert ruling.reason == (
        "The 2-6 does not match at the east end: its 2 would touch a 6; its 6 would fit."
    )
    assert ruling.nearest[0] == "2: 2-6 by 6 at east"
    right = judged(book, state, "2: 2-6 by 6 at east")
    assert right.reason == "The 2-6 goes with its 6 to the 6 at the east end; the ends count 6: no points."
    assert (right.rule, right.squares) == ("DRW-5", ("east",))


@pytest.mark.rules("DRW-4", "DRW-5")
def test_a_tile_is_played_the_same_way_quickly_and_slowly() -> None:
    """The short cut for open hands does what the long way does, and leaves all that is special to it."""
    book = game()
    state = after(book, opening(book, ["4-6", "3-6"], ["5-6", "0-1"], scores=[0, 200]), "1: down 4-6")
    scoring = book.parse("2: 5-6 by 6 at east")
    assert isinstance(scoring, Play)
    assert quickly(state, scoring, book.house) == book.apply(state, scoring)
    for line in ("5-6 by 6 at east", "1: 3-6 by 6 at east", "2: 0-1 by 0 at east", "2: 6-6 by 6 at east"):
        move = book.parse(line)
        assert isinstance(move, Play)
        assert quickly(state, move, book.house) is None
    assert quickly(state, scoring, game("muggins=yes").house) is None
    hidden = after(book, book.start(setup={"down": 1}), "see deal hidden / hidden", "1: down 4-6")
    assert quickly(hidden, scoring, book.house) is None


@pytest.mark.rules("DRW-12")
def test_a_tile_in_mid_deal_can_win_the_match() -> None:
    """A play that reaches the target ends the match though both hands still hold tiles."""
    book = game()
    state = after(book, opening(book, ["3-4"], ["2-4"], scores=[0, 245]), "1: down 3-4")
    won = after(book, state, "2: 2-4 by 4 at east")
    outcome = book.outcome(won)
    assert outcome is not None
    assert (outcome.winner, won.scores) == (2, (0, 250))


@pytest.mark.rules("DRW-6", "A-F18")
def test_players_are_reminded_that_a_double_lies_across() -> None:
    """The ruling on a double reminds of DRW-6 and says so as data; that of another tile does not."""
    book = game()
    state = opening(book, ["4-4", "4-6"])
    double = judged(book, state, "down 4-4")
    assert double.facts["crosswise"] is True
    assert double.reason.endswith("The 4-4 is a double and lies across the line (DRW-6).")
    assert "crosswise" not in judged(book, state, "down 4-6").facts


@pytest.mark.rules("DRW-7")
def test_without_a_spinner_there_is_no_short_end() -> None:
    """North and south are closed while no double lies."""
    book = game()
    state = after(book, opening(book, ["4-6"], ["2-6"]), "1: down 4-6")
    ruling = judged(book, state, "2: 2-6 by 6 at south")
    assert (ruling.rule, ruling.facts["spinner"]) == ("DRW-7", None)
    assert "no double lies" in ruling.reason


@pytest.mark.rules("DRW-7")
def test_both_bare_sides_of_the_spinner_are_named() -> None:
    """On a spinner that lies alone both long sides are bare."""
    book = game()
    state = after(book, opening(book, ["3-3"], ["2-3"]), "1: down 3-3")
    ruling = judged(book, state, "2: 2-3 by 3 at south")
    assert ruling.reason == (
        "The south end of the spinner 3-3 is closed until both its long sides are covered: "
        "its west and east sides are bare."
    )


@pytest.mark.rules("DRW-7")
def test_a_tile_at_a_short_end_stands_on_the_spinner_rule() -> None:
    """A play at an open short end is legal by DRW-7."""
    book = game("hand=7")
    state = position(book, "2-3 0-0", 8, board=ARMS, turn=1)
    ruling = judged(book, state, "1: 2-3 by 3 at south")
    assert (ruling.status, ruling.rule) == (Status.LEGAL, "DRW-7")
    assert ruling.facts["count"] == 4 + 6 + 5 + 2


@pytest.mark.rules("DRW-7", "DRW-8")
def test_beside_the_spinner_is_incomplete_until_the_end_is_named() -> None:
    """A tile beside the spinner is incomplete; beside another tile it breaks DRW-8, beside none DRW-5."""
    book = game("hand=7")
    state = position(book, "2-3 0-0", 8, board=ARMS, turn=1)
    ruling = judged(book, state, "1: 2-3 by 3 beside 3-3")
    assert (ruling.status, ruling.rule) == (Status.INCOMPLETE, "DRW-7")
    assert ruling.nearest
    with pytest.raises(IllegalMove) as wrong:
        book.play(state, book.parse("1: 2-3 by 3 beside 3-3"))
    assert wrong.value.ruling == ruling
    assert rules(judged(book, state, "1: 2-3 by 3 beside 3-4")) == ["DRW-8"]
    assert rules(judged(book, state, "1: 2-3 by 3 beside 6-6")) == ["DRW-5"]
    assert rules(judged(book, state, "2: 2-3 by 3 beside 3-3"))[0] == "DRW-T1"
    plain = after(game(), opening(game(), ["4-6"], ["2-6"]), "1: down 4-6")
    assert judged(game(), plain, "2: 2-6 by 6 beside 4-6").reason.endswith("only the first double will.")


@pytest.mark.rules("DRW-9")
def test_who_cannot_play_draws_and_then_must_play() -> None:
    """Without a fitting tile drawing is the only legal thing; a drawn tile that fits must be played."""
    book = game("hand=7")
    state = position(book, "0-0 3-3", "4-4 5-5", board=chain(2, 6, 10, "1-6"), turn=1)
    assert [book.format(move) for move in book.legal_moves(state)] == ["1: draw"]
    ruling = judged(book, state, "draw")
    assert (ruling.status, ruling.rule, ruling.facts["boneyard"]) == (Status.LEGAL, "DRW-9", 14)
    drawn = after(book, state, "draw", "see drawn 1-6")
    assert drawn.mover == 1
    assert [book.format(move) for move in book.legal_moves(drawn)] == ["1: 1-6 by 6 at east"]


@pytest.mark.rules("DRW-9")
def test_nothing_is_drawn_from_an_empty_boneyard() -> None:
    """A draw from an empty boneyard is refused by DRW-9; what remains is a pass."""
    book = game("boneyard_floor=2")
    state = position(book, "4-5", "4-4 3-3", board=blocked_board(), turn=1)
    ruling = judged(book, state, "1: draw")
    assert (ruling.rule, ruling.nearest) == ("DRW-9", ("1: pass",))
    assert "holds only the last 2, which stay there" in ruling.reason
    with pytest.raises(IllegalMove):
        book.play(state, book.parse("1: draw"))
    passing = judged(book, state, "1: pass")
    assert (passing.status, passing.rule) == (Status.LEGAL, "DRW-9")
    assert passing.reason == "No tile of player 1 fits an end and nothing is left to draw."
    all_drawn = position(game(), "4-5 0-4", "4-4 3-3 1-5", board=blocked_board(), turn=1)
    assert "the boneyard is empty" in judged(game(), all_drawn, "1: draw").reason


@pytest.mark.rules("DRW-9")
def test_a_pass_with_a_fitting_tile_breaks_the_rule_twice() -> None:
    """Passing while able and with tiles to draw is refused for both, the tile in hand first."""
    book = game("hand=7")
    state = position(book, "1-6", "4-4 5-5", board=chain(2, 6, 11, "1-6"), turn=1)
    ruling = judged(book, state, "1: pass")
    assert rules(ruling) == ["DRW-9", "DRW-9"]
    assert ruling.reason == "Player 1 may not pass while the 1-6 in hand fits the 6 at the east end."
    assert ruling.also[0].sentence == "Player 1 cannot pass while the boneyard holds 14 tiles: draw."


@pytest.mark.rules("DRW-10")
def test_going_out_with_nothing_for_the_last_tile() -> None:
    """The other hand is earned also where the last tile itself makes nothing; then the other has the Down."""
    book = game("hand=7")
    state = position(book, "3-5", "6-6 5-6", board=chain(0, 5, 11, "3-5 5-6"), turn=1)
    out = after(book, state, "1: 3-5 by 5 at east")
    assert [line.points for line in book.scores(out).lines] == [25]
    assert (out.mover, out.match.down) == (2, 2)


@pytest.mark.rules("DRW-11")
def test_one_pass_does_not_block() -> None:
    """After one pass the other player plays on where he can."""
    book = game()
    state = position(book, "4-5", "0-4 4-4 1-5 3-3", board=blocked_board(), turn=1)
    passed = after(book, state, "1: pass")
    assert (passed.mover, book.pending(passed)) == (2, None)
    moved = after(book, passed, "2: 0-4 by 0 at west")
    assert (moved.mover, book.pending(moved)) == (1, None)


@pytest.mark.rules("DRW-11", "A-F19")
def test_two_passes_in_a_row_block_the_deal() -> None:
    """A set-up whose last deed was a pass needs one more; the hands are compared and the Down goes on."""
    book = game("boneyard_floor=2")
    state = position(book, "4-5", "4-4 3-3", board=blocked_board(), turn=2, passed=True)
    blocked = after(book, state, "2: pass")
    assert (blocked.scores, book.pending(blocked), blocked.mover) == ((15, 0), "deal", 2)


@pytest.mark.rules("DRW-12")
def test_a_match_won_in_counting_a_hand() -> None:
    """Points for the other hand can end the match too; the outcome names winner, rule and totals."""
    book = game("hand=7")
    state = position(book, "3-5", "6-6 5-6", board=chain(0, 5, 11, "3-5 5-6"), turn=1, scores=[230, 245])
    won = after(book, state, "1: 3-5 by 5 at east")
    outcome = book.outcome(won)
    assert outcome is not None
    assert outcome.to_json() == {
        "winner": 1,
        "rule": "DRW-12",
        "reason": "Player 1 wins with 255 points to 245.",
    }
    assert book.pending(won) is None
    assert judged(book, won, "1: pass").reason == "The match is over with 255 to 245 points."


@pytest.mark.rules("DRW-13", "A-F12", "A-F13")
def test_a_redeal_cancels_the_deal_and_keeps_the_down() -> None:
    """After a redeal the points of the deal are gone, and the same player has the Down."""
    book = game("hand=7")
    doubles = ["0-0", "1-1", "2-2", "3-3", "0-1", "0-2", "0-3"]
    state = after(book, opening(book, ["0-5"], doubles, scores=[20, 0]), "1: down 0-5")
    assert (state.scores, book.movers(state)) == ((25, 0), (2,))
    assert book.parse("2: redeal") in book.legal_moves(state)
    again = after(book, state, "2: redeal")
    assert (again.scores, book.pending(again), again.mover) == ((20, 0), "deal", 1)
    ruling = judged(book, state, "2: redeal")
    assert (ruling.status, ruling.rule) == (Status.LEGAL, "DRW-13")


@pytest.mark.rules("DRW-13")
def test_a_redeal_may_be_demanded_out_of_turn() -> None:
    """Whoever has not laid a tile may demand it while the other is to play; both are movers then."""
    book = game("hand=7")
    state = opening(book, ["0-5"], ["0-0", "1-1", "2-2", "3-3", "0-1", "0-2", "0-3"])
    assert book.movers(state) == (1, 2)
    assert book.outcome(state) is None
    assert book.pending(after(book, state, "2: redeal")) == "deal"


@pytest.mark.rules("DRW-13")
def test_a_double_drawn_does_not_count_for_a_redeal() -> None:
    """Only doubles that were dealt count: a fourth one drawn from the boneyard does not help."""
    book = game("hand=7")
    dealt = ["0-0", "1-1", "2-2", "0-1", "0-2", "1-2", "0-3"]
    state = after(book, opening(book, ["4-5"], dealt), "1: down 4-5", "2: draw", "see drawn 3-3")
    ruling = judged(book, state, "2: redeal")
    assert ruling.status is Status.ILLEGAL
    assert ruling.reason == "A redeal needs 4 doubles in a hand of 7; player 2 was dealt 3."


@pytest.mark.rules("DRW-T3", "DRW-5")
def test_while_a_drawn_tile_is_due_all_else_that_is_wrong_is_said_too() -> None:
    """A move made too early is judged by the other rules as well; before a deal there are none."""
    book = game()
    lines = ("see lot 0-0 / 0-1", "see deal hidden / hidden", "2: down 3-4", "1: draw")
    drawing = after(book, book.start(), *lines)
    assert rules(judged(book, drawing, "1: 2-5 by 5 at west")) == ["DRW-T3", "DRW-5"]
    assert rules(judged(book, drawing, "2: 3-4 by 3 at west")) == ["DRW-T3", "DRW-T1", "DRW-0"]
    assert rules(judged(book, book.start(), "2: 3-4 by 3 at west")) == ["DRW-T3"]


@pytest.mark.rules("DRW-13")
def test_doubles_that_may_have_been_drawn_leave_a_redeal_open() -> None:
    """A hand known only because nothing else is left may owe its doubles to the boneyard: unverifiable."""
    book = game()
    known = ["0-5", "0-0", "0-1", "0-2", "0-3", "0-4", "0-6", "1-2", "1-3", "1-4", "1-6"]
    state = after(book, position(book, known, 11), "1: down 1-2")
    for _ in range(6):
        state = book.observe(
            book.let_stand(state, book.parse("2: draw")), book.parse_fact("see drawn unseen")
        )
    assert state.hidden == (0, 0)
    ruling = judged(book, state, "2: redeal")
    assert (ruling.status, ruling.rule) == (Status.UNVERIFIABLE, "DRW-13")
