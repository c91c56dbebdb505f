"""Set-ups: games adopted in progress, and the sentences about those that cannot be."""

import json
from random import Random

import pytest

from engine import BadSetup, State
from engine.draw_game.stored import read
from engine.plain import BadData, JsonObject, obj
from tests.engine.draw_game.scene import after, chain, game, opening, position, wander

SPINNER = {"first": "3-4", "west": ["3-3", "3-6"], "east": ["4-4"], "north": ["3-5"], "spinner": "3-3"}


def test_the_three_beginnings() -> None:
    """Nothing given waits for the lot, a generator deals, a set-up without hands waits for the deal."""
    book = game("hand=9")
    assert book.pending(book.start()) == "lot"
    drawn = book.start(rng=Random(4))
    assert [hand.bit_count() for hand in drawn.hands] == [9, 9]
    assert drawn == book.start(rng=Random(4))
    assert {book.start(rng=Random(seed)).mover for seed in range(20)} == {1, 2}
    waiting = book.start(setup={"down": 2, "deal": 3, "scores": [35, 0]})
    assert (book.pending(waiting), waiting.mover, waiting.scores) == ("deal", 2, (35, 0))
    assert [line.label for line in book.scores(waiting).lines] == ["before this record"]
    assert after(book, waiting, "see deal hidden / hidden").match.deal == 3


def test_a_position_with_a_spinner_in_the_line() -> None:
    """The spinner of a set-up opens the arms that it would have opened in play."""
    book = game("hand=7")
    state = position(book, "1-3 1-6 2-4 2-5", 6, board=SPINNER, turn=1)
    assert {book.format(move) for move in book.legal_moves(state)} == {
        "1: 1-6 by 6 at west",
        "1: 2-4 by 4 at east",
        "1: 2-5 by 5 at north",
        "1: 1-3 by 3 at south",
    }
    assert state.redeal == 0


def test_what_a_set_up_may_leave_out() -> None:
    """The only double is the spinner; after one tile it is the other's turn, with a right to a redeal."""
    book = game("hand=7")
    one = {"first": "3-3", "west": ["3-4"], "east": ["3-6"]}
    state = position(book, "1-3 0-0 1-1 2-2 0-1", 6, board=one, turn=1)
    assert "1: 1-3 by 3 at north" in map(book.format, book.legal_moves(state))
    downed = position(book, 6, 7, board={"first": "3-4"})
    assert (downed.mover, downed.redeal) == (2, 2)
    assert position(book, 6, 8, board={"first": "3-4"}, played=[True, True]).redeal == 0


def test_points_of_the_running_deal_are_void_with_it() -> None:
    """Points before the deal stay when it is dealt anew; those made in it go."""
    book = game("hand=7")
    doubles = "0-0 1-1 2-2 4-4 0-2 1-2 0-6"
    state = position(book, 6, doubles, board={"first": "0-5"}, scores=[35, 10], before=[30, 10])
    assert after(book, state, "2: redeal").scores == (30, 10)


def test_a_tile_drawn_before_the_set_up_does_not_count_as_dealt() -> None:
    """Tiles named as drawn are no part of the hand dealt."""
    book = game("hand=7")
    hand = "0-0 1-1 2-2 4-4 0-2 1-2 0-6 2-6"
    assert book.parse("2: redeal") in book.legal_moves(position(book, 6, hand, board={"first": "3-5"}))
    drawn = position(book, 6, hand, board={"first": "3-5"}, drawn=[[], ["4-4"]])
    assert book.parse("2: redeal") not in book.legal_moves(drawn)


def test_a_drawn_tile_may_still_be_due() -> None:
    """A set-up may stop between a draw and the sight of the tile."""
    book = game("hand=7")
    state = position(book, "0-0 3-3", "4-4 5-5", board=chain(2, 6, 10, ""), turn=1, drawing=True)
    assert book.pending(state) == "drawn"
    assert after(book, state, "see drawn unseen").hidden == (1, 0)


LINE = chain(2, 6, 10, "")
HANDS: list[object] = [["0-0", "3-3"], ["4-4", "5-5"]]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"down": None}, "'down' should be a whole number"),
        ({"down": 3}, "'down' should be player 1 or 2, not 3"),
        ({"downs": 1}, "there is no entry 'downs'"),
        ({"deal": 0}, "'deal' should be at least 1"),
        ({"scores": [7, 0]}, "multiples of five, and 7 is none"),
        ({"scores": [5]}, "'scores' should have two entries"),
        ({"scores": [5, 0], "before": [10, 0]}, "player 1 cannot have 10 points before the deal and 5 in it"),
        ({"hands": [["0-0"], ["0-0"]]}, "the 0-0 is in two places"),
        ({"hands": [["0-0", "0-0"], ["4-4"]]}, "the 0-0 is twice in the hand of player 1"),
        ({"hands": [["0-0"], -1]}, "cannot be -1"),
        ({"hands": [["0-0"], 20]}, "20 tiles cannot be hidden when only 17 are left"),
        ({"hands": [["0-0"], ["4-4"]]}, "a boneyard of 16 tiles is too many: deals of 7 tiles leave 14"),
        ({"hands": [["0-0"], ["6-4"]]}, "'6-4' should be written 4-6"),
        ({"hands": [["0-0", "3-3", "4-4", "5-5"], []]}, "while a deal is played both hands hold tiles"),
        ({"board": None}, "before the Down each hand holds 7 tiles, not 2 and 2"),
        ({"board": {"first": "3-4", "west": ["5-6"]}}, "the 5-6 cannot lie at the west arm where it is"),
        ({"board": {"first": "3-4", "north": ["3-6"]}}, "that end is not open"),
        ({"board": {"first": "3-4", "west": ["3-4"]}}, "the 3-4 lies twice on the board"),
        (
            {"board": {"first": "3-4", "west": ["3-3"], "east": ["4-4"]}},
            "say which of 3-3, 4-4 is the 'spinner'",
        ),
        ({"board": {"first": "3-4", "spinner": "3-3"}}, "the spinner 3-3 should be a double on the board"),
        (
            {"board": {"first": "3-4", "west": ["3-3", "3-6", "6-6"], "spinner": "6-6"}},
            "the spinner 6-6 lies behind the double 3-3",
        ),
        ({"scores": [250, 0]}, "with 250 to 0 points a match to 250 is over"),
        ({"turn": None}, "'turn' should be a whole number"),
        ({"played": [1, 0]}, "'played' should be true or false"),
        ({"drawn": [["0-6"], []]}, "the 0-6 was drawn by player 1, whose hand lacks it"),
    ],
)
def test_set_ups_that_cannot_be(changes: JsonObject, words: str) -> None:
    """One sentence says what is wrong with which entry, tile or player."""
    book = game("hand=7")
    setup: JsonObject = {"down": 1, "hands": HANDS, "board": LINE, "turn": 1, **changes}
    with pytest.raises(BadSetup) as wrong:
        book.start(setup=setup)
    assert words in str(wrong.value)
    assert str(wrong.value).startswith("The set-up cannot be: ")


def test_what_belongs_to_a_deal_needs_hands() -> None:
    """A board without hands is no position, and a match that is over waits for no deal."""
    with pytest.raises(BadSetup, match="'board' belongs to a deal that is being played"):
        game().start(setup={"down": 1, "board": LINE})
    with pytest.raises(BadSetup, match="a match to 250 is over"):
        game("target_check=hand_end").start(setup={"down": 1, "scores": [0, 255]})
    assert game("target_check=hand_end").start(setup={"down": 1, "scores": [255, 255]}).scores == (255, 255)


def test_whose_turn_it_is_must_be_said_in_mid_deal() -> None:
    """After the second tile nobody can tell."""
    with pytest.raises(BadSetup, match="'turn' should say whose turn it is"):
        position(game("hand=7"), "0-0 3-3", "4-4 5-5", board=LINE)


def test_no_tile_is_due_from_an_empty_boneyard() -> None:
    """A set-up cannot wait for a tile that no boneyard holds."""
    with pytest.raises(BadSetup, match="from a boneyard that is empty"):
        position(game(), "0-0 3-3", 16, board=LINE, turn=1, drawing=True)


# — the plain form of a state —


def sample_states() -> list[JsonObject]:
    """States that together use every entry of the plain form."""
    book = game("hand=7+muggins=yes")
    states = wander(book, Random(5), 80)
    hidden = game()
    lines = ("see deal hidden / hidden", "1: down 3-4", "2: draw", "see drawn unseen", "2: 3-6 by 3 at west")
    late = after(hidden, hidden.start(setup={"down": 1, "scores": [5, 0]}), *lines)
    proved = after(hidden, late, "1: 0-6 by 6 at west", "2: 2-4 by 4 at east")
    return [state.to_json() for state in (*states, late, proved)]


def test_the_plain_form_reads_back() -> None:
    """Every state of a match with calls, claims and proofs reads back equal through text."""
    for data in sample_states():
        assert State.from_json(json.loads(json.dumps(data))).to_json() == data


BASE = position(game("hand=7"), "0-0 3-3", "4-4 5-5", board=LINE, turn=1).to_json()


@pytest.mark.parametrize(
    ("path", "value", "words"),
    [
        ("game", "chess", "this is no state of the draw-game"),
        ("version", 9, "the state is of version 9; version 1 can be read"),
        ("phase", "dreaming", "there is no phase 'dreaming'"),
        ("phase", "drawn", "the phase 'drawn' needs a draw"),
        ("phase", "hand", "the phase 'hand' needs a hand with hidden tiles"),
        ("phase", "lot", "before the lot nothing can have happened"),
        ("mover", 3, "the mover should be player 1 or 2, not 3"),
        ("hands", [], "the hands should have two entries"),
        ("hands.0.hidden", -1, "should not be less than 0"),
        ("hands.0.tiles", ["0-0", "0-0"], "a hand holds a tile twice"),
        ("hands.0.tiles", [], "while a deal is played both hands hold tiles"),
        ("hands.0.tiles", ["4-4"], "the 4-4 is in two places"),
        ("history", ["see nothing"], "in the history, 'see nothing' is nothing that the table shows"),
        ("history", ["2-3 by 3 at west"], "cannot lie at west: there is no such end yet"),
        ("history", ["down 1-2", "2-3 by 2 at north"], "cannot lie at north"),
        ("history", ["down 1-2", "down 1-2"], "the 1-2 is laid twice"),
        ("history", ["down 1-2", "2-3 by 2 beside 6-6"], "beside the 6-6, which is not on the table"),
        (
            "lines",
            [{"player": 1, "points": -5, "deal": 1, "cause": "out", "pips": 5}],
            "the points of a line",
        ),
        ("lines", [{"player": 1, "points": 5, "deal": 1, "cause": "luck", "pips": 5}], "'luck' is no tile"),
        (
            "claims",
            [{"turn": 1, "at": 0, "move": "down 1-2", "fits": [], "ends": []}],
            "not about 'down 1-2'",
        ),
        (
            "claims",
            [{"turn": 1, "at": 0, "move": "1: draw", "fits": [], "ends": [1, 2]}],
            "the ends of a claim should be four numbers",
        ),
        (
            "claims",
            [{"turn": 1, "at": 99, "move": "1: draw", "fits": [], "ends": [1, 2, 3, 4]}],
            "no such move",
        ),
        ("match.due", [1, 2, 3], "'due' should have two entries"),
        ("match.down", 7, "who has the Down should be player 1 or 2"),
    ],
)
def test_plain_forms_that_cannot_be(path: str, value: object, words: str) -> None:
    """A damaged state is refused in words that name the entry."""
    data = json.loads(json.dumps(BASE))
    *parents, last = path.split(".")
    inner = data
    for key in parents:
        inner = inner[int(key)] if key.isdigit() else inner[key]
    inner[last] = value
    with pytest.raises(BadData) as wrong:
        read(obj(data, "the state"))
    assert words in str(wrong.value)


def test_all_kinds_of_lines_read_back() -> None:
    """Lines for tiles, for going out, for a block, for calls and for play before the record."""
    book = game("hand=7")
    causes = ["5-5", "out", "blocked", "called", "earlier"]
    data = json.loads(json.dumps(BASE))
    data["lines"] = [{"player": 1, "points": 5, "deal": 1, "cause": cause, "pips": 6} for cause in causes]
    state = read(data)
    assert [line["cause"] for line in state.to_json()["lines"]] == causes
    assert [line.label for line in book.scores(state).lines] == [
        "deal 1: the 5-5 laid",
        "deal 1: going out, 6 pips in the other hand",
        "deal 1: blocked, 6 pips in the other hand",
        "deal 1: called",
        "before this record",
    ]
    assert state.phase == "playing"
    assert opening(book).scores == (0, 0)


def test_a_state_of_another_book_is_read_by_the_rule_book() -> None:
    """The rule book reads its own states, and so does the reader that asks the data for the game."""
    book = game("hand=7")
    state = position(book, "0-0 3-3", "4-4 5-5", board=LINE, turn=1)
    assert book.read_state(state.to_json()) == state == State.from_json(state.to_json())
