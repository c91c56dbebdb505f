"""The golden cases of the Draw Game, each a test of its own name."""

from itertools import pairwise
from math import comb
from random import Random

import pytest

from engine.draw_game.deals import nearest_five
from engine.draw_game.line import CLOSED, count, extended, first_ends, points
from engine.draw_game.model import ALL, TILES, Arm, Play, board_tiles, mask, pips_in
from engine.draw_game.notation import read_tile
from engine.ruling import Status
from tests.engine.draw_game.scene import after, blocked_board, chain, game, opening, position, wander


def line_counts(down: str, *plays: str) -> list[tuple[int, int]]:
    """Count and points after the Down and after each play, written ``2-4 by 4 at west``."""
    ends, bare = first_ends(read_tile(down))
    counts = [(count(ends), points(ends))]
    for play in plays:
        move = game().parse(play)
        assert isinstance(move, Play)
        ends, bare = extended(ends, bare, move)
        counts.append((count(ends), points(ends)))
    return counts


@pytest.mark.rules("DRW-3", "DRW-4", "A-F5")
def test_F_G01_what_each_down_scores() -> None:
    """0-5, 1-4 and 2-3 are worth 5, 4-6 and 5-5 are worth 10, and every other Down nothing, 0-0 too."""
    worth = {str(tile): points(first_ends(tile)[0]) for tile in TILES}
    assert {tile: made for tile, made in worth.items() if made} == {
        "0-5": 5,
        "1-4": 5,
        "2-3": 5,
        "4-6": 10,
        "5-5": 10,
    }
    book = game()
    assert after(book, opening(book, ["4-6"]), "1: down 4-6").scores == (10, 0)
    zero = after(book, opening(book, ["0-0"]), "1: down 0-0")
    assert zero.scores == (0, 0)
    assert book.scores(zero).lines == ()


@pytest.mark.rules("DRW-4", "DRW-5")
def test_F_G02_a_tile_at_a_matching_end_scores_the_ends() -> None:
    """4-3 downed, 2-4 on its 4: the ends 2 and 3 are worth 5 to the second player."""
    book = game()
    state = after(book, opening(book, ["3-4"], ["2-4"]), "1: down 3-4", "2: 2-4 by 4 at east")
    assert state.scores == (0, 5)
    assert [(line.player, line.points, line.label) for line in book.scores(state).lines] == [
        (2, 5, "deal 1: the 2-4 laid")
    ]


@pytest.mark.rules("DRW-4")
def test_F_G03_a_count_that_is_no_multiple_of_five_scores_nothing() -> None:
    """4-3 downed, 3-2 on its 3: the ends 4 and 2 are worth nothing."""
    assert line_counts("3-4", "2-3 by 3 at west") == [(7, 0), (6, 0)]


@pytest.mark.rules("DRW-6", "DRW-7", "A-F3")
def test_F_G04_a_double_at_an_end_counts_both_halves() -> None:
    """3-4 downed, 3-3 on its 3: 6 and 4 are worth 10, and the 3-3 is the spinner."""
    book = game()
    state = after(book, opening(book, ["3-4"], ["3-3"]), "1: down 3-4", "2: 3-3 by 3 at west")
    assert state.scores == (0, 10)
    ruling = book.check(state, book.parse("1: 0-3 by 3 at north"))
    assert (ruling.rule, ruling.facts["spinner"], ruling.facts["bare"]) == ("DRW-7", "3-3", ["west"])


@pytest.mark.rules("DRW-7")
def test_F_G05_the_spinner_downed_and_branched() -> None:
    """3-3, 3-4, 6-3 on its long sides and 3-5 on a short end make 0, 10, 10 and 15."""
    plays = ("3-4 by 3 at west", "3-6 by 3 at east", "3-5 by 3 at north")
    assert line_counts("3-3", *plays) == [(6, 0), (10, 10), (10, 10), (15, 15)]


@pytest.mark.rules("DRW-8")
def test_F_G06_four_open_ends_and_never_more() -> None:
    """After F-G05 tiles fit a 4, a 6, a 5 and the other short end's 3; a fifth end does not come."""
    ends, bare = first_ends(read_tile("3-3"))
    for line in ("3-4 by 3 at west", "3-6 by 3 at east", "3-5 by 3 at north"):
        move = game().parse(line)
        assert isinstance(move, Play)
        ends, bare = extended(ends, bare, move)
    book = game("hand=7")
    board = {"first": "3-3", "west": ["3-4"], "east": ["3-6"], "north": ["3-5"]}
    state = position(book, "4-4 5-5 6-6 2-3", 6, board=board, turn=1)
    assert {book.format(move) for move in book.legal_moves(state)} == {
        "1: 4-4 by 4 at west",
        "1: 6-6 by 6 at east",
        "1: 5-5 by 5 at north",
        "1: 2-3 by 3 at south",
    }
    assert state.ends == ends
    assert all(len(seen.ends) == len(Arm) for seen in wander(book, Random(6), 300))


@pytest.mark.rules("DRW-7", "A-F4")
def test_F_G07_no_short_end_before_both_long_sides() -> None:
    """3-3 downed, 3-4 on a long side: 3-5 on a short end is refused by DRW-7, which names the bare side."""
    book = game()
    start = opening(book, ["3-3", "3-5"], ["3-4"])
    state = after(book, start, "1: down 3-3", "2: 3-4 by 3 at west")
    ruling = book.check(state, book.parse("1: 3-5 by 3 at north"))
    assert (ruling.status, ruling.rule) == (Status.ILLEGAL, "DRW-7")
    assert ruling.squares == ("north", "east")
    assert "its east side is bare" in ruling.reason


@pytest.mark.rules("DRW-7")
def test_F_G08_bare_short_ends_are_not_in_the_count() -> None:
    """4-4 down is 8; 6-4 makes 14; 1-4 on the other long side makes 7: no short end counts."""
    counts = line_counts("4-4", "4-6 by 4 at west", "1-4 by 4 at east")
    assert counts == [(8, 0), (14, 0), (7, 0)]


@pytest.mark.rules("DRW-8", "DRW-7")
def test_F_G09_a_second_double_never_branches() -> None:
    """A later 6-6 at an end is one end worth 12, then the tile behind it; nothing goes beside it."""
    plays = ("3-4 by 3 at west", "3-6 by 3 at east", "6-6 by 6 at east", "1-6 by 6 at east")
    assert line_counts("3-3", *plays)[-2:] == [(16, 0), (5, 5)]
    book = game("hand=7")
    board = {"first": "3-3", "west": ["3-4"], "east": ["3-6", "6-6", "1-6"], "spinner": "3-3"}
    state = position(book, "2-6 0-0", 7, board=board, turn=1)
    ruling = book.check(state, book.parse("1: 2-6 by 6 beside 6-6"))
    assert (ruling.status, ruling.rule) == (Status.ILLEGAL, "DRW-8")
    assert "6-6" in ruling.reason
    assert "3-3" in ruling.reason


@pytest.mark.rules("DRW-4")
def test_F_G10_the_line_of_foster() -> None:
    """5-5, 5-0, 0-0, 5-6 and 4-0 make 10, 10, 10, nothing and 10."""
    plays = ("0-5 by 5 at west", "0-0 by 0 at west", "5-6 by 5 at east", "0-4 by 0 at west")
    assert [made for _, made in line_counts("5-5", *plays)] == [10, 10, 10, 0, 10]


@pytest.mark.rules("DRW-4")
def test_F_G11_two_openings_of_britannica() -> None:
    """After 2-4 the 4-3 makes 5 and the 4-4 makes 10."""
    assert line_counts("2-4", "3-4 by 4 at east")[-1] == (5, 5)
    assert line_counts("2-4", "4-4 by 4 at east")[-1] == (10, 10)


@pytest.mark.rules("DRW-4", "DRW-7")
def test_F_G12_a_longer_line() -> None:
    """6-6, 6-3, 6-2, 6-0 up, 6-4 down, 3-3 and 4-4: every count and score."""
    plays = (
        "3-6 by 6 at west",
        "2-6 by 6 at east",
        "0-6 by 6 at north",
        "4-6 by 6 at south",
        "3-3 by 3 at west",
        "4-4 by 4 at south",
    )
    assert line_counts("6-6", *plays) == [(12, 0), (15, 15), (5, 5), (5, 5), (9, 0), (12, 0), (16, 0)]


@pytest.mark.rules("A-F1", "DRW-10")
def test_F_G13_rounding_to_the_nearest_five() -> None:
    """0 to 2 pips are worth nothing, 3 to 7 five, 8 to 12 ten, and 13 fifteen."""
    hands = {0: "0-0", 1: "0-1", 2: "0-2", 3: "1-2", 7: "3-4", 8: "4-4", 12: "6-6"}
    house = game().house
    worth = {pips: nearest_five(mask([read_tile(tile)]), pips, house) for pips, tile in hands.items()}
    assert worth == {0: 0, 1: 0, 2: 0, 3: 5, 7: 5, 8: 10, 12: 10}
    thirteen = mask([read_tile("6-6"), read_tile("0-1")])
    assert nearest_five(thirteen, pips_in(thirteen), house) == 15


@pytest.mark.rules("DRW-10")
def test_F_G14_going_out_scores_the_other_hand_and_the_last_play() -> None:
    """Going out with a play worth 10 against 13 pips earns 25."""
    book = game("hand=7")
    mine, theirs = "5-5", "1-6 0-1 2-3"
    state = position(book, mine, theirs, board=chain(0, 5, 10, theirs), turn=1)
    out = after(book, state, "1: 5-5 by 5 at east")
    assert out.scores == (25, 0)
    assert [line.label for line in book.scores(out).lines] == [
        "deal 1: the 5-5 laid",
        "deal 1: going out, 13 pips in the other hand",
    ]
    assert book.pending(out) == "deal"


@pytest.mark.rules("DRW-11", "A-F19")
def test_F_G15_a_blocked_deal_scores_all_of_the_heavier_hand() -> None:
    """Blocked with 9 against 14 pips: the lighter hand earns 15, 14 rounded, and not the difference."""
    book = game("boneyard_floor=2")  # with an empty boneyard pips that block always add up to an even number
    light, heavy = "4-5", "4-4 3-3"
    state = position(book, light, heavy, board=blocked_board(), turn=1)
    assert [book.format(move) for move in book.legal_moves(state)] == ["1: pass"]
    once = after(book, state, "1: pass")
    assert book.pending(once) is None
    both = after(book, once, "2: pass")
    assert both.scores == (15, 0)
    assert [line.label for line in book.scores(both).lines] == ["deal 1: blocked, 14 pips in the other hand"]


@pytest.mark.rules("DRW-9")
def test_F_G16_whoever_can_play_may_not_draw() -> None:
    """With 6-1 in hand and ends 6 and 2 a draw is refused by DRW-9, which names the tile and the end."""
    book = game("hand=7")
    state = position(book, "1-6", "0-0 3-3", board=chain(2, 6, 11, "1-6"), turn=1)
    ruling = book.check(state, book.parse("1: draw"))
    assert (ruling.status, ruling.rule, ruling.squares) == (Status.ILLEGAL, "DRW-9", ("east",))
    assert "1-6" in ruling.reason
    assert ruling.nearest == ("1: 1-6 by 6 at east",)


@pytest.mark.rules("DRW-9")
def test_F_G17_nobody_passes_while_the_boneyard_holds_tiles() -> None:
    """A pass with tiles in the boneyard is refused by DRW-9, which says how many there are."""
    book = game("hand=7")
    state = position(book, "0-0", "3-3 4-4", board=chain(2, 6, 11, ""), turn=1)
    ruling = book.check(state, book.parse("1: pass"))
    assert (ruling.status, ruling.rule, ruling.nearest) == (Status.ILLEGAL, "DRW-9", ("1: draw",))
    assert ruling.facts["boneyard"] == 14


@pytest.mark.rules("DRW-5")
def test_F_G18_a_tile_must_match_the_end() -> None:
    """2-5 on an end of 3 is refused by DRW-5, whichever half touches."""
    book = game()
    state = after(book, opening(book, ["3-4"], ["2-5"]), "1: down 3-4")
    for half in (2, 5):
        ruling = book.check(state, book.parse(f"2: 2-5 by {half} at west"))
        assert (ruling.status, ruling.rule, ruling.squares) == (Status.ILLEGAL, "DRW-5", ("west",))
        assert ruling.reason.endswith(f"its {half} would touch a 3.")


DOUBLES = ["0-0", "1-1", "2-2", "3-3", "4-4"]


@pytest.mark.rules("DRW-13", "A-F14", "A-F20")
@pytest.mark.parametrize(
    ("each", "doubles", "granted"), [(11, 5, True), (11, 4, False), (9, 4, True), (9, 3, False), (7, 4, True)]
)
def test_F_G19_a_redeal_needs_doubles_enough(each: int, doubles: int, *, granted: bool) -> None:
    """Five doubles of 11 or four of 9 or 7 allow a redeal, one fewer does not."""
    book = game(f"hand={each}")
    plain = [str(tile) for tile in TILES if not tile.is_double]
    state = position(book, [*DOUBLES[:doubles], *plain[: each - doubles]], plain[-each:])
    ruling = book.check(state, book.parse("1: redeal"))
    assert (ruling.status is Status.LEGAL) is granted
    assert ruling.rule == "DRW-13"
    assert (book.parse("1: redeal") in book.legal_moves(state)) is granted
    assert book.check(state, book.parse("2: redeal")).status is Status.ILLEGAL


@pytest.mark.rules("DRW-13")
def test_F_G19_no_redeal_after_ones_own_first_tile() -> None:
    """After laying a tile a player may not demand a redeal; the opponent, who has not, still may."""
    book = game("hand=7")
    state = position(
        book, [*DOUBLES[:4], "0-1", "0-2", "0-3"], ["5-5", "6-6", "1-4", "1-5", "2-4", "2-5", "1-2"]
    )
    state = after(book, state, "1: down 0-1")
    ruling = book.check(state, book.parse("1: redeal"))
    assert (ruling.status, ruling.rule) == (Status.ILLEGAL, "DRW-13")
    assert "laid a tile" in ruling.reason


@pytest.mark.rules("DRW-13", "DRW-1")
def test_F_G19_how_often_a_redeal_may_be_demanded() -> None:
    """Of all hands of 11, 9 and 7 tiles, 6.0 %, 12.3 % and 4.3 % hold doubles enough."""
    chances = []
    for each in (11, 9, 7):
        needed = game(f"hand={each}").house.doubles
        enough = sum(comb(7, doubles) * comb(21, each - doubles) for doubles in range(needed, 8))
        chances.append(round(100 * enough / comb(28, each), 1))
    assert chances == [6.0, 12.3, 4.3]


@pytest.mark.rules("DRW-2")
def test_F_G20_the_down_alternates_whoever_won() -> None:
    """In a random match without redeals the players down in turn, whoever won the deal before."""
    book = game("target=1000")
    states = wander(book, Random(20), 600, redeals=False)
    downs = [then.mover for then, now in pairwise(states) if then.ends[0] == CLOSED and now.ends[0] != CLOSED]
    assert len(downs) > 10
    assert all(first != second for first, second in pairwise(downs))


@pytest.mark.rules("DRW-12", "A-F10", "A-F21")
def test_F_G21_the_match_ends_as_soon_as_the_target_is_reached() -> None:
    """At 245 a play of 5 ends the match at once; nothing may be done afterwards."""
    book = game()
    state = opening(book, ["0-5"], scores=[245, 200])
    over = after(book, state, "1: down 0-5")
    outcome = book.outcome(over)
    assert outcome is not None
    assert (outcome.winner, outcome.rule) == (1, "DRW-12")
    assert over.scores == (250, 200)
    assert book.legal_moves(over) == ()
    assert book.check(over, book.parse("2: pass")).rule == "DRW-12"


@pytest.mark.rules("DRW-0", "DRW-1")
def test_F_G22_every_tile_is_somewhere_once() -> None:
    """All 28 tiles are in the hands, in the boneyard or on the board, each once, at every moment."""
    book = game()
    for state in wander(book, Random(22), 1000):
        laid = board_tiles(state.history)
        parts = (*state.hands, state.unseen, laid)
        assert sum(part.bit_count() for part in parts) == 28
        assert parts[0] | parts[1] | parts[2] | parts[3] == ALL
