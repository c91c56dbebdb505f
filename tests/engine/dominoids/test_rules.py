"""Rules that no golden case covers, and every reading of what the document leaves open."""

from random import Random

import pytest

from engine import CannotStand, ImpossibleFact, Status
from engine.dominoids import DominoidsBook
from engine.dominoids.board import NAMES, SQUARES
from engine.dominoids.model import (
    ARMS,
    DICE,
    OVER,
    ROLL,
    SUITS,
    Agree,
    Arm,
    Eat,
    FirstPlayer,
    PlaceCoin,
    Roll,
    TurnedCoin,
    laid,
)
from engine.profile import Profile
from engine.squares import Square, square
from tests.engine.dominoids.scene import (
    BOOK,
    acting,
    allowed,
    options,
    play,
    position,
    refused,
    ruling,
)

WEST = "see suns@b3 2@c3-3@d3"
ARM_FACTS = (WEST, "see moons@c7 1@c5-4@c6", "see crowns@g6 1@e6-1@f6", "see arms@f2 5@f3-2@f4")


def impossible(state: object, line: str, rule: str, book: DominoidsBook = BOOK) -> str:
    """The sentence of a fact that cannot be, refused by this id, with nothing changed."""
    before = repr(state)
    with pytest.raises(ImpossibleFact) as wrong:
        play(state, line, book=book)  # type: ignore[arg-type]
    assert wrong.value.rule == rule
    assert repr(state) == before
    return wrong.value.sentence


# — the catalogue itself —


def test_the_catalogue_covers_every_number_of_the_document() -> None:
    """Each numbered paragraph of the sequence of play has its rule, under the author's own number."""
    numbers = ["1", "2", "3", "3.1", "3.2", "3.3", "4", "4.1", "4.2", "4.3", "4.4", "4.4.1", "4.4.2", "4.5"]
    numbers += [f"4.5.{n}" for n in (1, 2, 3)] + ["4.6"] + [f"4.6.{n}" for n in (1, 2, 3, 4)]
    numbers += ["4.7"] + [f"4.7.{n}" for n in (1, 2, 3, 4)] + ["4.8"] + [f"4.8.{n}" for n in range(1, 7)]
    numbers += ["4.9", "4.10", "5"] + [f"5.{n}" for n in range(1, 7)] + ["6", "7", "7.1", "7.2", "7.3", "8"]
    others = ["D1", "D2", "D3", *(f"S{n}" for n in range(1, 7)), "OBJ", "END", "STOP"]
    ids = {rule.id for rule in BOOK.catalogue}
    assert {f"DMN-{number}" for number in [*numbers, *others]} == {one for one in ids if one[:3] == "DMN"}


def test_every_reading_has_a_setting() -> None:
    """A-D1 to A-D24 each have one setting, with its default among the choices."""
    assert [reading.id for reading in BOOK.readings.all] == [f"A-D{n}" for n in range(1, 25)]
    assert len({reading.key for reading in BOOK.readings.all}) == 24
    assert all(not reading.choices or reading.default in reading.choices for reading in BOOK.readings.all)


# — definitions and set-up —


@pytest.mark.rules("DMN-D2")
def test_a_diagonal_neighbour_is_no_neighbour() -> None:
    """A coin that meets the end of a Dominoid at a corner only is neither turned up nor eaten."""
    state = play(acting("2@d4-3@e4", coins="h6=suns? g5=arms?", pawns="crowns=a2"), "suns move 2@g4-3@h4")
    assert BOOK.pending(state) == "coin"
    state = play(state, "see coin g5 5")
    assert options(state) == {"none"}
    refused(state, "eat h6", "DMN-4.6")


@pytest.mark.rules("DMN-D3", "DMN-1")
def test_only_the_active_player_plays() -> None:
    """A move of the other player is refused by the order of turns, its further faults named after that."""
    state = position("2@d4-3@e4")
    refused(state, "2: dice suns moons", "DMN-1")
    refused(state, "2: dice suns suns", "DMN-1", "DMN-3.1")
    assert BOOK.movers(state) == (1, 2)
    assert {type(move) for move in BOOK.legal_moves(state) if move.player == 2} == {Agree}
    assert BOOK.movers(acting("2@d4-3@e4")) == (1,)


@pytest.mark.rules("DMN-S1", "DMN-S2", "DMN-S3", "DMN-S4", "DMN-S5", "DMN-S6", "A-D22", "A-D23")
def test_the_opening_is_seen_piece_by_piece() -> None:
    """Four arms, a roll of all dice, and who begins: then play begins with five coins in each stack."""
    state = BOOK.start()
    assert BOOK.pending(state) == "opening"
    assert (BOOK.movers(state), list(BOOK.legal_moves(state))) == ((), [])
    refused(state, "1: dice suns moons", "DMN-1")
    assert len(list(BOOK.possible_facts(state))) == 4 * (5 + 10 * 2)
    state = play(state, *ARM_FACTS)
    assert len(list(BOOK.possible_facts(state))) == 6**4
    state = play(state, "see roll suns=5 moons=null crowns=3 arms=ace")
    assert list(BOOK.possible_facts(state)) == [FirstPlayer(1), FirstPlayer(2)]
    assert BOOK.pending(state) == "opening"
    state = play(state, "see first 2")
    assert (BOOK.pending(state), state.player, state.stage, state.turn) == (None, 2, DICE, 1)
    assert len(state.pool) == 11
    assert [state.stack(suit) for suit in range(4)] == [5, 5, 5, 5]
    where = {SUITS[coin.suit]: NAMES[coin.square] for coin in state.coins}
    assert where == {"suns": "a3", "moons": "c8", "crowns": "h6", "arms": "f1"}
    assert state.new == 0


@pytest.mark.rules("DMN-S1", "DMN-S2")
def test_figure_1_is_symmetric() -> None:
    """A quarter turn of the board takes each arm of the opening to the next one."""
    for arm, following in zip(ARMS, (*ARMS[1:], ARMS[0]), strict=True):
        for before, after in ((arm.pawn, following.pawn), (arm.coin, following.coin)):
            x, y = SQUARES[before]
            assert SQUARES[after] == Square(y, 9 - x)


@pytest.mark.rules("DMN-S4", "A-D22")
def test_random_openings_are_fair() -> None:
    """Drawn openings use all dominoes alike, doubles as often as others, and let either player begin."""
    drawn = [0] * 15
    first = [0, 0]
    for seed in range(600):
        state = BOOK.start(rng=Random(seed))
        first[state.player - 1] += 1
        for number, lie in enumerate(state.dominoes):
            drawn[number] += lie >= 0
    assert sum(drawn) == 2400
    assert all(110 < count < 215 for count in drawn)
    assert min(first) > 240


# — turns and dice —


@pytest.mark.rules("DMN-1", "DMN-2", "DMN-8")
def test_a_turn_is_two_actions_and_then_the_other_player_plays() -> None:
    """After both actions, the coins and the roll, the turn goes to the other player."""
    state = position("2@d4-3@e4", dice="null null 2 2", coins="d8=suns? b1=moons? b2=crowns? b3=arms?")
    state = play(state, "1: dice suns moons")
    given = ruling(state, "1: done")
    assert (given.status, given.rule, given.facts) == (
        Status.INCOMPLETE,
        "DMN-2",
        {"left": ["suns", "moons"]},
    )
    state = play(state, "1: moons pass")
    given = ruling(state, "done")
    assert given.facts == {"left": ["suns"]}
    assert given.reason == "A turn has two actions; Suns is still to be used."
    refused(state, "moons pass", "DMN-2")
    state = play(state, "suns pass")
    refused(state, "moons pass", "DMN-2")
    allowed(state, "done", "DMN-8")
    state = play(state, "done")
    assert (BOOK.pending(state), state.stage) == ("roll", ROLL)
    refused(state, "2: dice suns crowns", "DMN-8", "DMN-1", "DMN-3.1")
    refused(state, "done", "DMN-8")
    assert len(list(BOOK.possible_facts(state))) == 36
    state = play(state, "see roll suns=4 moons=4")
    assert (state.player, state.turn, BOOK.movers(state)) == (2, 2, (1, 2))


@pytest.mark.rules("DMN-3", "DMN-3.1")
def test_dice_first() -> None:
    """Nothing is done with a die before two are chosen; one alone is only a beginning, three are too many."""
    state = position("2@d4-3@e4", dice="3 2 2 2")
    refused(state, "suns move 2@b4-3@c4", "DMN-3")
    given = ruling(state, "dice suns")
    assert (given.status, given.rule, given.also) == (Status.INCOMPLETE, "DMN-3.1", ())
    assert ruling(state, "2: dice suns").status == Status.ILLEGAL
    refused(state, "dice suns moons arms", "DMN-3.1")
    given = ruling(state, "done")
    assert (given.status, given.rule) == (Status.INCOMPLETE, "DMN-3.1")
    state = play(state, "dice suns moons")
    refused(state, "dice suns moons", "DMN-3.1")
    refused(state, "dice suns", "DMN-3.1", "DMN-3.1")


@pytest.mark.rules("DMN-3.3", "DMN-6", "A-D24")
def test_the_face_decides_the_action() -> None:
    """A number moves, an ace shifts, a blank passes, in any order; nothing else is done with them."""
    state = position("2@d4-3@e4", dice="4 ace null 4", pawns="moons=a6")
    state = play(state, "dice suns moons")
    refused(state, "suns shift column 1 up", "DMN-3.3")
    refused(state, "moons move 2@b4-3@c4", "DMN-3.3")
    refused(state, "moons bud 3@e5-5@f5", "DMN-3.3")
    refused(state, "arms move 2@b4-3@c4", "DMN-3.3")
    refused(state, "suns pass", "DMN-4")
    for first, second in (("suns", "moons"), ("moons", "suns")):
        done = {"suns": "suns move 2@b4-3@c4", "moons": "moons shift row 3 right"}
        after = play(state, done[first], *(["none"] if first == "suns" else []))
        allowed(after, done[second], {"suns": "DMN-4.4", "moons": "DMN-5.2"}[second])
    blank = play(position("2@d4-3@e4", dice="4 ace null 4"), "dice suns crowns")
    allowed(blank, "crowns pass", "DMN-6")
    for line in ("crowns move 2@b4-3@c4", "crowns shift row 1 left"):
        refused(blank, line, "DMN-6")


@pytest.mark.rules("DMN-3.3")
def test_one_action_is_finished_before_the_next() -> None:
    """After a slide its consequence comes first, even where there is none; then the next die may be used."""
    state = play(acting("2@d4-3@e4", dice="4 4 2 2"), "suns move 2@b4-3@c4")
    refused(state, "moons move 2@d4-3@e4", "DMN-3.3", "DMN-4.4")
    given = ruling(state, "done")
    assert (given.status, given.rule) == (Status.INCOMPLETE, "DMN-3.3")
    allowed(state, "none", "DMN-4.1")
    must = play(acting("3@c2-4@c3", dice="5 4 2 2", coins="b6=suns2"), "suns move 3@c6-4@c7")
    refused(must, "moons pass", "DMN-4.6.3", "DMN-4")


# — movement —


@pytest.mark.rules("DMN-4.1", "DMN-4.4")
def test_a_slide_is_straight() -> None:
    """Sideways steps, slides too short or too long are refused; so is going where something lies."""
    state = acting("2@d4-3@e4 1@d5-1@e5")
    refused(state, "suns move 2@d3-3@e3", "DMN-4.4")
    refused(state, "suns move 2@d5-3@e5", "DMN-4.4", "DMN-4.4")
    given = refused(state, "suns move 2@c4-3@d4", "DMN-4.4")
    assert (given.facts["must"], given.facts["went"]) == (2, 1)
    refused(state, "suns move 2@a4-3@b4", "DMN-4.4")
    refused(acting("2@c4-3@d4"), "suns move 2@(0,4)-3@a4", "DMN-4.4", "DMN-4.4.2")


@pytest.mark.rules("DMN-4.5.1", "DMN-4.2")
def test_a_turn_is_a_quarter() -> None:
    """Half a turn is refused, round an end or on the spot; so is a turn with a step, also over the edge."""
    state = acting("2@d4-3@e4")
    refused(state, "suns move 3@e4-2@f4", "DMN-4.5.1")
    refused(state, "suns move 3@d4-2@e4", "DMN-4.5.1")
    refused(state, "suns move 3@h8-2@h9", "DMN-4.2", "DMN-4.4.2", "DMN-4.4")
    refused(state, "suns move 3@g8-2@g9", "DMN-4.2", "DMN-4.4.2")


@pytest.mark.rules("DMN-4", "DMN-4.10")
def test_only_dominoids_on_the_board_move() -> None:
    """A domino of the gene pool cannot be moved."""
    refused(acting("2@d4-3@e4"), "suns move 1@a2-1@a3", "DMN-4")


@pytest.mark.rules("DMN-4.5", "DMN-4.5.2")
def test_the_ends_of_a_double_are_alike() -> None:
    """A double turns round either end, and it does not matter which of its ends is named first."""
    state = acting("2@e3-2@f3", pawns="suns=e1")
    turns = {"suns move 2@e3-2@e4", "suns move 2@e2-2@e3", "suns move 2@f3-2@f4", "suns move 2@f2-2@f3"}
    assert turns < options(state)
    for line in turns:
        allowed(state, line, "DMN-4.5")
    allowed(state, "suns move 2@f3-2@f2", "DMN-4.5")
    blocked = acting("2@e3-2@f3", pawns="suns=e2")
    assert refused(blocked, "suns move 2@e2-2@e3", "DMN-4.5.2").facts["blocked"] == {"e2": "the Suns pawn"}
    assert refused(blocked, "suns move 2@f2-2@f3", "DMN-4.5.2").facts["blocked"] == {"e2": "the Suns pawn"}


# — eating, attacking, breeding —


@pytest.mark.rules("DMN-4.6.1", "DMN-4.6")
def test_the_end_behind_may_eat() -> None:
    """A Dominoid that slid with its 2 in front eats beside the 3 behind, by what that end shows."""
    state = play(acting("2@d4-3@e4", coins="c5=arms3 b5=crowns3"), "suns move 2@b4-3@c4")
    assert options(state) == {"eat c5"}
    given = refused(state, "eat b5", "DMN-4.6")
    assert given.facts == {"coin": "b5", "domino": "2-3", "end": 2, "value": 3}
    refused(state, "eat a1", "DMN-4.6")
    refused(state, "eat a3", "DMN-4.6")


@pytest.mark.rules("DMN-4.6.4", "DMN-END", "A-D19")
def test_the_game_ends_with_the_meal() -> None:
    """When the last coin of the third suit is eaten the game is over at once, in the middle of the turn."""
    gone = [f"{who}={suit}{value}" for who, suit in (("1", "suns"), ("2", "moons")) for value in range(6)]
    gone += [f"2=crowns{value}" for value in range(1, 6)]
    state = acting("2@d4-3@e4", dice="5 4 2 2", coins="c5=crowns? a3=arms?", collected=" ".join(gone))
    state = play(state, "suns move 2@b4-3@c4", "see coin c5 0")
    given = allowed(state, "eat c5", "DMN-4.6.4")
    assert given.facts["value"] == 0
    over = play(state, "eat c5")
    assert (over.stage, BOOK.pending(over), BOOK.movers(over), BOOK.legal_moves(over)) == (OVER, None, (), [])
    refused(over, "moons move 2@d4-3@e4", "DMN-END")
    outcome = BOOK.outcome(over)
    assert outcome is not None
    assert (outcome.winner, outcome.rule) == (2, "DMN-END")
    assert outcome.reason == "The coins of three suits have all been collected; player 2 wins, 18 to 36."


@pytest.mark.rules("DMN-4.7.1")
def test_the_end_behind_may_attack() -> None:
    """A Dominoid that slid with its 2 in front attacks beside the 3 behind."""
    state = play(acting("2@d4-3@e4 1@c5-5@c6"), "suns move 2@b4-3@c4")
    given = allowed(state, "attack 1-5", "DMN-4.7")
    assert given.facts == {"domino": "2-3", "victim": "1-5", "end": 3, "victims_end": 1}
    refused(state, "attack 4-5", "DMN-4.7")
    refused(state, "attack 2-3", "DMN-4.7")
    refused(state, "birth 3@c3-5@d3", "DMN-4.8")


@pytest.mark.rules("DMN-4.7")
def test_what_does_not_touch_is_not_attacked() -> None:
    """A smaller Dominoid elsewhere on the board cannot be attacked."""
    state = play(acting("2@d4-3@e4 1@g7-5@g8"), "suns move 2@b4-3@c4")
    refused(state, "attack 1-5", "DMN-4.7")


@pytest.mark.rules("DMN-4.8.1", "DMN-4.8.4", "DMN-4.8")
def test_the_end_behind_may_breed() -> None:
    """A Dominoid breeds with its end behind; the child needs two free squares and a shared number."""
    state = play(acting("2@d4-3@e4 3@c5-4@c6 1@a6-1@b6"), "suns move 2@b4-3@c4")
    allowed(state, "birth 3@c3-5@d3", "DMN-4.8.4")
    refused(state, "birth 1@a5-5@b5", "DMN-4.8.4")
    refused(state, "birth 3@c4-5@d4", "DMN-4.8")
    refused(state, "birth 2@a4-2@(0,4)", "DMN-4.8")


@pytest.mark.rules("DMN-4.8.4", "DMN-4.10")
def test_a_child_shares_a_number_with_a_parent() -> None:
    """A child with no number of any parent is refused, and so is one that lies on the board already."""
    state = play(acting("2@d4-3@e4 3@c5-4@c6"), "suns move 2@b4-3@c4")
    given = refused(state, "birth 1@d4-5@e4", "DMN-4.8.4")
    assert given.reason == "The 1-5 shares no number with the 2-3 or the 3-4."
    given = refused(state, "birth 3@d5-4@d6", "DMN-4.8.4")
    assert given.reason == "The 3-4 is on the board already; a child comes from the gene pool."
    refused(state, "birth 3@d4-4@e4", "DMN-4.8.4")


@pytest.mark.rules("DMN-4.10", "A-D10")
def test_a_number_that_can_do_nothing_is_spent() -> None:
    """With only a 5-5 on the board and no room or no child the die is passed; a possible bud is not."""
    state = acting("5@a1-5@a2", face="5", pawns="suns=b1 moons=b2 crowns=a3")
    assert options(state, "suns") == {"suns pass"}
    assert allowed(state, "suns pass", "DMN-4.10").facts["reading"] == "A-D10"
    free = acting("5@a1-5@a2", face="5", pawns="suns=b1 moons=b3 crowns=a3")
    refused(free, "suns pass", "DMN-4.10")


@pytest.mark.rules("DMN-4.10", "A-D10")
def test_without_any_dominoid_nothing_buds() -> None:
    """On an empty board a number die is passed, and a child has no parent."""
    state = acting("")
    assert options(state, "suns") == {"suns pass"}
    refused(state, "suns bud 3@d4-4@e4", "DMN-4.8.4")


# — coins —


@pytest.mark.rules("DMN-7", "DMN-7.1", "A-D16")
def test_coins_come_after_both_actions_in_any_order() -> None:
    """A coin placed too early is refused; after both actions any suit that lacks one may be first."""
    state = acting("2@d4-3@e4", face="null", coins="d8=crowns? b1=arms?")
    refused(state, "place moons a7", "DMN-7")
    refused(play(state, "moons pass"), "place moons a7", "DMN-7")
    state = play(state, "suns pass", "moons pass")
    assert options(state) == {"place suns a2", "place moons a7", "place moons b8"}
    given = ruling(state, "done")
    assert (given.status, given.rule) == (Status.INCOMPLETE, "DMN-7.1")
    refused(state, "place moons a8", "DMN-7.1", "DMN-7.1")
    refused(state, "place suns b1", "DMN-7.1")
    one = play(state, "place suns a2", "place moons a7")
    other = play(state, "place moons a7", "place suns a2")
    assert one == other
    assert options(one) == {"done"}


@pytest.mark.rules("DMN-4.6", "DMN-7.1")
def test_a_square_off_the_board_holds_no_coin() -> None:
    """A meal or a coin off the board is refused like one where nothing is or may be, and cannot stand."""
    slid = play(acting("2@d4-3@e4"), "suns move 2@b4-3@c4")
    meal, coin = Eat(1, Square(9, 4)), PlaceCoin(1, 0, Square(9, 4))
    assert BOOK.check(slid, meal).reason == "There is no coin on i4."
    refilling = play(acting("2@d4-3@e4", face="null"), "suns pass", "moons pass")
    assert BOOK.check(refilling, coin).rule == "DMN-7.1"
    for state, move in ((slid, meal), (refilling, coin)):
        with pytest.raises(CannotStand, match="i4"):
            BOOK.let_stand(state, move)


# — stopping —


@pytest.mark.rules("DMN-STOP", "A-D21")
def test_both_may_agree_to_stop_between_two_turns() -> None:
    """The game is drawn once both agreed; an agreement lapses when the dice are taken."""
    state = position("2@d4-3@e4", collected="1=suns3")
    allowed(state, "2: agree", "DMN-STOP")
    half = play(state, "2: agree")
    assert (BOOK.movers(half), half.agreed) == ((1,), 2)
    refused(half, "2: agree", "DMN-STOP")
    assert play(half, "dice suns moons").agreed == 0
    refused(play(half, "dice suns moons"), "1: agree", "DMN-STOP")
    assert ruling(half, "agree").reason == "Player 1 agrees to stop; both have, and the game is drawn."
    over = play(half, "1: agree")
    outcome = BOOK.outcome(over)
    assert outcome is not None
    assert (outcome.winner, outcome.rule) == (None, "DMN-STOP")
    assert outcome.reason == "Both players agreed to stop: the game is drawn, at 6 to 0."


@pytest.mark.rules("DMN-STOP", "A-D21", "A-D18")
@pytest.mark.parametrize(("collected", "winner"), [("1=suns3", 1), ("2=suns3", 2), ("", None)])
def test_after_the_turns_agreed_on_the_scores_decide(collected: str, winner: int | None) -> None:
    """With max_turns=2 the game is over after two turns, and not with the default."""
    for profile, over in (("default+max_turns=2", True), ("default", False), ("default+max_turns=3", False)):
        book = DominoidsBook(Profile.parse(profile))
        coins = "d8=suns? b1=moons? b2=crowns? b3=arms?"
        state = position("2@d4-3@e4", book=book, dice="null null null null", coins=coins, collected=collected)
        for one, other in (("suns", "moons"), ("crowns", "arms")):
            state = play(state, f"dice {one} {other}", f"{one} pass", f"{other} pass", "done", book=book)
            state = play(state, f"see roll {one}=null {other}=null", book=book)
        outcome = book.outcome(state)
        assert (outcome is not None) == over
        if outcome is not None:
            assert (outcome.winner, outcome.rule) == (winner, "DMN-STOP")
            assert outcome.reason.startswith("The 2 turns agreed on are played; ")


# — what is seen —


@pytest.mark.rules("OBS-DMN-DUE")
def test_only_what_is_due_is_seen() -> None:
    """A fact that the game is not waiting for is refused."""
    state = position("2@d4-3@e4", coins="c5=suns?")
    assert list(BOOK.possible_facts(state)) == []
    for line in (WEST, "see roll suns=2 moons=2", "see coin c5 2", "see first 1"):
        impossible(state, line, "OBS-DMN-DUE")
    waiting = play(acting("2@d4-3@e4", coins="c5=suns? b5=arms?"), "suns move 2@b4-3@c4")
    sentence = impossible(waiting, "see coin c5 2", "OBS-DMN-DUE")
    assert sentence == "The game is not waiting for a coin on c5; it waits for the one on b5."
    impossible(waiting, "see roll suns=2 moons=2", "OBS-DMN-DUE")
    opening = BOOK.start()
    impossible(opening, "see roll suns=2 moons=2 crowns=2 arms=2", "OBS-DMN-DUE")
    impossible(opening, "see first 1", "OBS-DMN-DUE")
    impossible(play(opening, *ARM_FACTS), WEST, "OBS-DMN-DUE")
    with pytest.raises(ImpossibleFact, match="i9"):
        BOOK.observe(waiting, TurnedCoin(square("i9"), 2))


@pytest.mark.rules("OBS-DMN-COIN")
def test_no_coin_is_seen_twice() -> None:
    """A value already eaten or lying open, or none that a coin can have, is refused."""
    state = acting("2@d4-3@e4", coins="c5=suns? h8=suns4", collected="2=suns2", pawns="arms=a6")
    state = play(state, "suns move 2@b4-3@c4")
    assert [fact.value for fact in BOOK.possible_facts(state)] == [0, 1, 3, 5]
    for value in (2, 4):
        impossible(state, f"see coin c5 {value}", "OBS-DMN-COIN")
    assert impossible(state, "see coin c5 6", "OBS-DMN-COIN") == "A coin shows 0 to 5, not 6."


@pytest.mark.rules("OBS-DMN-ROLL")
def test_the_dice_of_the_turn_are_rolled() -> None:
    """Another die, a missing one, or a face that no die has is refused."""
    state = acting("2@d4-3@e4", face="null", coins="d8=suns? b1=moons? b2=crowns? b3=arms?")
    state = play(state, "suns pass", "moons pass", "done")
    sentence = impossible(state, "see roll suns=2 crowns=2", "OBS-DMN-ROLL")
    assert sentence == "The dice that are rolled are suns, moons, each once."
    impossible(state, "see roll suns=2", "OBS-DMN-ROLL")
    impossible(state, "see roll suns=2 suns=2 moons=3", "OBS-DMN-ROLL")
    assert (
        impossible(state, "see roll suns=2 moons=6", "OBS-DMN-ROLL")
        == "A die shows null, ace or 2 to 5, not 6."
    )
    with pytest.raises(ImpossibleFact):
        BOOK.observe(state, Roll(((0, -1), (1, 2))))


@pytest.mark.rules("OBS-DMN-PAWN", "OBS-DMN-DOMINO", "OBS-DMN-FIRST")
def test_the_opening_has_its_places() -> None:
    """A pawn or domino seen twice or off its place, or a third player, is refused."""
    opening = BOOK.start()
    impossible(opening, "see suns@c7 2@c3-3@d3", "OBS-DMN-PAWN")
    impossible(opening, "see suns@b3 2@c3-3@c4", "OBS-DMN-DOMINO")
    impossible(opening, "see suns@b3 2@i3-3@i4", "OBS-DMN-DOMINO")
    west = play(opening, WEST)
    assert impossible(west, "see suns@c7 1@c5-4@c6", "OBS-DMN-PAWN") == "The Suns pawn stands on b3 already."
    assert (
        impossible(west, "see moons@c7 2@c5-3@c6", "OBS-DMN-DOMINO") == "The 2-3 lies on the board already."
    )
    rolled = play(opening, *ARM_FACTS, "see roll suns=2 moons=2 crowns=2 arms=2")
    impossible(rolled, "see first 3", "OBS-DMN-FIRST")
    assert west == BOOK.observe(opening, Arm(0, square("b3"), laid(3, square("d3"), 2, square("c3"))))
