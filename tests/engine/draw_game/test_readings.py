"""The readings: what each default says, and what each other choice changes."""

import pytest

from engine import BadProfile, Status, rulebook
from engine.draw_game.deals import nearest_five
from engine.draw_game.model import mask
from engine.draw_game.notation import read_tile
from tests.engine.draw_game.scene import after, blocked_board, chain, game, opening, position

ABLE = ("1-6 0-0", "4-4 5-5")
"""Hands on a line from 2 to 6 of ten tiles: player 1 can play the 1-6."""


@pytest.mark.rules("A-F1", "A-F3", "A-F4", "A-F5", "A-F11", "A-F14", "A-F15", "A-F19")
def test_readings_with_one_choice_are_settings_too() -> None:
    """A reading that the document leaves no choice in is printed with its one choice, and takes no other."""
    book = game()
    single = {reading.id: reading for reading in book.readings.all if len(reading.choices) == 1}
    assert set(single) == {"A-F1", "A-F3", "A-F4", "A-F5", "A-F11", "A-F14", "A-F15", "A-F19"}
    for reading in single.values():
        assert book.settings[reading.key] == reading.default
        with pytest.raises(BadProfile, match=reading.key):
            game(f"{reading.key}=otherwise")


@pytest.mark.rules("A-F2")
def test_rounding_the_sum_or_each_tile() -> None:
    """2-2 and 0-3 are 7 pips, worth 5 together; rounded one by one they are worth 5 and 5."""
    hand = mask([read_tile("2-2"), read_tile("0-3")])
    assert nearest_five(hand, 7, game().house) == 5
    assert nearest_five(hand, 7, game("rounded=tiles").house) == 10


@pytest.mark.rules("A-F3", "DRW-6")
def test_a_late_spinner_has_one_long_side_bare() -> None:
    """A spinner laid at an end opens its short ends with the very next tile on its far side."""
    book = game("hand=7")
    board = {"first": "3-4", "west": ["3-3"]}
    state = position(book, "2-3 0-3 6-6 5-5 0-0 1-1", "4-5 1-3 0-1 0-2 1-2 2-2", board=board, turn=1)
    assert book.check(state, book.parse("0-3 by 3 at north")).rule == "DRW-7"
    covered = after(book, state, "1: 2-3 by 3 at west", "2: 1-3 by 3 at north")
    assert covered.scores == (0, 0)
    assert book.check(covered, book.parse("1: 0-3 by 3 at south")).status is Status.LEGAL


@pytest.mark.rules("A-F6")
def test_any_fitting_tile_or_only_the_one_just_drawn() -> None:
    """After a voluntary draw of a tile that fits, any such tile is played, or only the one just drawn."""
    moves = {}
    for choice in ("any", "that"):
        book = game(f"hand=7+voluntary_draw=yes+must_play_drawn={choice}")
        state = position(book, *ABLE, board=chain(2, 6, 10, "1-6 3-6"), turn=1)
        drawn = after(book, state, "1: draw", "see drawn 3-6")
        moves[choice] = [book.format(move) for move in book.legal_moves(drawn)]
        refused = book.check(drawn, book.parse("1: draw"))
        assert (refused.rule, refused.facts["drawn"]) == ("DRW-9", "3-6")
        if choice == "that":
            ruling = book.check(drawn, book.parse("1: 1-6 by 6 at east"))
            assert (ruling.rule, ruling.facts) == ("DRW-9", {"drawn": "3-6", "tile": "1-6"})
    assert moves == {
        "any": ["1: 1-6 by 6 at east", "1: 3-6 by 6 at east"],
        "that": ["1: 3-6 by 6 at east"],
    }


@pytest.mark.rules("A-F6", "A-F7")
def test_which_tile_was_drawn_unseen_nobody_can_say() -> None:
    """Where only the tile just drawn may be played and nobody saw it, play and draw are unverifiable."""
    book = game("hand=7+voluntary_draw=yes+must_play_drawn=that")
    state = position(book, *ABLE, board=chain(2, 6, 10, "1-6 3-6"), turn=1)
    drawn = after(book, state, "1: draw", "see drawn unseen")
    for line in ("1: 1-6 by 6 at east", "1: draw"):
        ruling = book.check(drawn, book.parse(line))
        assert (ruling.status, ruling.rule) == (Status.UNVERIFIABLE, "DRW-9"), line
        assert book.parse(line) in book.legal_moves(drawn)


@pytest.mark.rules("A-F7")
def test_drawing_while_able_to_play() -> None:
    """Refused by default; where houses allow it, it is legal until a drawn tile fits."""
    line = chain(2, 6, 10, "1-6")
    for profile, allowed in (("hand=7", False), ("hand=7+voluntary_draw=yes", True)):
        book = game(profile)
        state = position(book, *ABLE, board=line, turn=1)
        ruling = book.check(state, book.parse("1: draw"))
        assert ruling.allowed is allowed
        assert (book.parse("1: draw") in book.legal_moves(state)) is allowed
    assert "may draw too" in ruling.reason
    further = after(book, state, "1: draw", "see drawn 3-3")
    assert book.check(further, book.parse("1: draw")).status is Status.LEGAL
    assert book.check(state, book.parse("1: pass")).rule == "DRW-9"


@pytest.mark.rules("A-F8")
def test_tiles_that_stay_in_the_boneyard() -> None:
    """With a floor of two the last two tiles stay: a player passes who would otherwise have to draw."""
    listed = {}
    for floor in (0, 2):
        book = game(f"boneyard_floor={floor}")
        state = position(book, "4-5", "4-4 3-3", board=blocked_board(), turn=1)
        listed[floor] = [book.format(move) for move in book.legal_moves(state)]
    assert listed == {0: ["1: draw"], 2: ["1: pass"]}


@pytest.mark.rules("A-F9", "A-F11")
@pytest.mark.parametrize(("choice", "scores"), [("none", (0, 0)), ("both", (10, 10))])
def test_blocked_with_equal_hands(choice: str, scores: tuple[int, int]) -> None:
    """Where both hands hold 8 pips nobody scores, or each player the other's hand."""
    book = game(f"boneyard_floor=3+blocked_tie={choice}")
    state = position(book, "4-4", "3-5", board=blocked_board(3), turn=1)
    assert after(book, state, "1: pass", "2: pass").scores == scores


@pytest.mark.rules("A-F9", "A-F11")
def test_both_over_the_target_by_equal_hands() -> None:
    """Where a blocked tie lifts both to the target the higher total wins, and equal totals play on."""
    book = game("boneyard_floor=3+blocked_tie=both")
    for scores, winner in (([240, 245], 2), ([240, 240], None)):
        state = position(book, "4-4", "3-5", board=blocked_board(3), turn=1, scores=scores)
        outcome = book.outcome(after(book, state, "1: pass", "2: pass"))
        assert (outcome.winner if outcome else None) == winner


@pytest.mark.rules("A-F10", "DRW-12")
def test_the_target_in_mid_deal_or_at_its_end() -> None:
    """Reaching 250 in mid-deal ends the match at once, or only once the deal is over."""
    at_once, at_end = (game(f"target_check={choice}") for choice in ("immediate", "hand_end"))
    state = opening(at_once, ["0-5"], scores=[245, 0])
    assert at_once.outcome(after(at_once, state, "1: down 0-5")) is not None
    goes_on = after(at_end, state, "1: down 0-5")
    assert (at_end.outcome(goes_on), goes_on.scores) == (None, (250, 0))
    assert at_end.legal_moves(goes_on)


@pytest.mark.rules("A-F10", "DRW-10")
def test_the_last_tile_reaches_the_target_and_still_earns_the_other_hand() -> None:
    """A play that reaches 250 and goes out adds the opponent's pips before the match ends."""
    book = game("hand=7")
    state = position(
        book, "5-5", "1-6 0-1 2-3", board=chain(0, 5, 10, "1-6 0-1 2-3"), turn=1, scores=[240, 0]
    )
    won = after(book, state, "1: 5-5 by 5 at east")
    assert won.scores == (265, 0)
    assert book.outcome(won) is not None


@pytest.mark.rules("A-F11")
@pytest.mark.parametrize(("scores", "winner"), [([250, 255], 1), ([250, 275], None), ([250, 280], 2)])
def test_both_over_the_target_at_the_end_of_a_deal(scores: list[int], winner: int | None) -> None:
    """Under hand_end the higher total wins; with equal totals another deal is played."""
    book = game("hand=7+target_check=hand_end")
    state = position(book, "3-5", "6-6 5-6", board=chain(0, 5, 11, "3-5 5-6"), turn=1, scores=scores)
    done = after(book, state, "1: 3-5 by 5 at east")
    outcome = book.outcome(done)
    assert (outcome.winner if outcome else None) == winner
    assert (book.pending(done) == "deal") is (winner is None)


DOUBLES = ["0-0", "1-1", "2-2", "3-3", "0-1", "0-2", "0-3"]


@pytest.mark.rules("A-F12")
@pytest.mark.parametrize(("choice", "down"), [("same", 1), ("other", 2)])
def test_who_downs_after_a_redeal(choice: str, down: int) -> None:
    """The same player, or the other one."""
    book = game(f"hand=7+redeal_down={choice}")
    state = after(book, opening(book, ["0-5"], DOUBLES), "1: down 0-5", "2: redeal")
    dealt = after(book, state, "see deal hidden / hidden")
    assert (state.mover, dealt.mover, dealt.match.deal) == (down, down, 2)


@pytest.mark.rules("A-F13")
@pytest.mark.parametrize(("choice", "points"), [("yes", 0), ("no", 5)])
def test_points_made_before_a_redeal(choice: str, points: int) -> None:
    """Cancelled with the deal, or kept."""
    book = game(f"hand=7+redeal_voids={choice}")
    state = after(book, opening(book, ["0-5"], DOUBLES), "1: down 0-5", "2: redeal")
    assert state.scores == (points, 0)


@pytest.mark.rules("A-F14", "DRW-13")
def test_the_opponents_doubles_give_no_right_to_a_redeal() -> None:
    """A player whose own hand has too few doubles may not demand it because of the other hand."""
    book = game("hand=7")
    state = opening(book, ["0-5"], DOUBLES)
    assert book.check(state, book.parse("1: redeal")).rule == "DRW-13"


@pytest.mark.rules("A-F15", "DRW-2")
def test_a_tie_in_the_lot_is_drawn_again() -> None:
    """Tiles with as many pips settle nothing; the next lot does."""
    book = game()
    tied = after(book, book.start(), "see lot 0-4 / 1-3")
    assert (tied, book.pending(tied)) == (book.start(), "lot")
    settled = after(book, tied, "see lot 0-4 / 2-3")
    assert (book.pending(settled), settled.mover) == ("deal", 2)
    assert after(book, tied, "see lot 0-5 / 1-3").mover == 1


@pytest.mark.rules("A-F16", "DRW-4")
def test_points_that_must_be_called() -> None:
    """Under muggins nothing is written down until somebody calls it; the first caller has the points."""
    book = game("muggins=yes")
    state = after(book, opening(book, ["0-5"], ["1-5"]), "1: down 0-5")
    assert state.scores == (0, 0)
    assert "5 points if called" in book.check(opening(book, ["0-5"]), book.parse("down 0-5")).reason
    assert book.movers(state) == (1, 2)
    for caller, scores in (("1", (5, 0)), ("2", (0, 5))):
        ruling = book.check(state, book.parse(f"{caller}: call 5"))
        assert (ruling.status, ruling.rule) == (Status.LEGAL, "DRW-4")
        called = after(book, state, f"{caller}: call 5")
        assert (called.scores, called.mover) == (scores, 2)
        assert [line.label for line in book.scores(called).lines] == ["deal 1: called"]
        assert book.check(called, book.parse("1: call 5")).rule == "DRW-4"
    wrong = book.check(state, book.parse("1: call 10"))
    assert (wrong.rule, wrong.facts) == ("DRW-4", {"called": 10, "made": 5})


@pytest.mark.rules("A-F16")
def test_points_that_nobody_called_are_gone() -> None:
    """The next tile or draw forfeits them; without muggins there is nothing to call."""
    book = game("muggins=yes")
    state = after(book, opening(book, ["0-5"], ["1-5"]), "1: down 0-5")
    moved = after(book, state, "2: 1-5 by 5 at east")
    assert moved.scores == (0, 0)
    assert book.check(moved, book.parse("1: call 5")).rule == "DRW-4"
    plain = after(game(), opening(game(), ["0-5"]), "1: down 0-5")
    assert game().check(plain, game().parse("1: call 5")).rule == "DRW-4"
    hidden = after(book, book.start(setup={"down": 1}), "see deal hidden / hidden", "1: down 0-5", "2: draw")
    drawn = after(book, hidden, "see drawn unseen")
    assert book.check(drawn, book.parse("1: call 5")).rule == "DRW-4"


@pytest.mark.rules("A-F16", "A-F10")
def test_a_call_can_win_and_the_last_tile_needs_none() -> None:
    """A called score reaches the target at once; points of a tile that goes out are written down uncalled."""
    book = game("muggins=yes")
    state = after(book, opening(book, ["0-5"], scores=[245, 0]), "1: down 0-5")
    assert book.outcome(state) is None
    assert book.outcome(after(book, state, "1: call 5")) is not None
    small = game("hand=7+muggins=yes")
    last = position(small, "5-5", "1-6 0-1 2-3", board=chain(0, 5, 10, "1-6 0-1 2-3"), turn=1)
    assert after(small, last, "1: 5-5 by 5 at east").scores == (25, 0)


@pytest.mark.rules("A-F18")
def test_nobody_is_reminded_where_the_house_does_not_care() -> None:
    """Under crosswise=ignore the ruling on a double says nothing of how it lies."""
    book = game("crosswise=ignore")
    ruling = book.check(opening(book, ["4-4"]), book.parse("down 4-4"))
    assert "crosswise" not in ruling.facts
    assert "across" not in ruling.reason


@pytest.mark.rules("A-F20", "DRW-1")
@pytest.mark.parametrize(("each", "boneyard"), [(11, 6), (9, 10), (7, 14)])
def test_hands_of_eleven_nine_and_seven(each: int, boneyard: int) -> None:
    """The hands hold what was agreed on and the others are the boneyard, whose size is public."""
    book = game(f"hand={each}")
    state = after(book, book.start(setup={"down": 1}), "see deal hidden / hidden")
    assert book.layout(state).hidden == {"boneyard": boneyard, "hand-1": each, "hand-2": each}
    with pytest.raises(BadProfile):
        rulebook("draw-game", "default+hand=8")


@pytest.mark.rules("A-F21", "DRW-12")
def test_another_target() -> None:
    """A match to 100 ends at 100."""
    book = game("target=100")
    state = after(book, opening(book, ["0-5"], scores=[95, 0]), "1: down 0-5")
    assert book.outcome(state) is not None


def test_rulings_carry_the_profile() -> None:
    """Every ruling says under which readings it was made."""
    book = game("muggins=yes+target=100")
    assert book.check(opening(book, ["0-5"]), book.parse("down 0-5")).profile == (
        "default+muggins=yes+target=100"
    )
