"""States as plain data: what is read, what is refused and how that is told."""

import json
from random import Random

import pytest

from engine import BadSetup, State
from engine.dominoids.model import ACT, CONSEQUENCE, DICE, NOTHING, OVER, REFILL, SLID, SUITS_GONE
from engine.plain import BadData, Json
from tests.engine.dominoids.scene import ALL_SIX, BOOK, CHOSEN_BOOK, acting, play, position, words

PLAIN = words("2@d4-3@e4", coins="a3=suns? b6=moons4")


def test_a_state_reads_back_from_json() -> None:
    """The text of a state's plain data reads back to the same state, through the game's name alone."""
    state = play(acting("2@d4-3@e4", coins="c5=arms? b5=suns3", collected="1=suns2"), "suns move 2@b4-3@c4")
    assert State.from_json(json.loads(json.dumps(state.to_json()))) == state


def test_every_stage_of_an_opening_reads_back() -> None:
    """Also an opening of which only part was seen is a state."""
    state, rng = BOOK.start(), Random(3)
    for _ in range(6):
        assert BOOK.read_state(state.to_json()) == state
        state = BOOK.observe(state, BOOK.sample(state, rng))


def test_a_setup_lacks_what_goes_without_saying() -> None:
    """Without turn, boxes or coins a set-up is the beginning of the first turn of player 1."""
    state = BOOK.start(words("2@d4-3@e4"))
    assert (state.turn, state.player, state.stage, state.deed, state.new) == (1, 1, DICE, NOTHING, 0)
    assert [state.stack(suit) for suit in range(4)] == [6] * 4


@pytest.mark.parametrize(
    ("entries", "stage"),
    [
        ({"chosen": ["suns", "moons"]}, ACT),
        ({"chosen": ["suns", "moons"], "used": ["moons"]}, ACT),
        ({"chosen": ["suns", "moons"], "used": ["moons", "suns"]}, REFILL),
        ({"chosen": ["suns", "moons"], "used": ["suns"], "mover": "2-3"}, CONSEQUENCE),
    ],
)
def test_the_stage_follows_from_the_dice(entries: dict[str, Json], stage: int) -> None:
    """Where the stage is not given it follows from the dice chosen and used, and from who slid."""
    state = BOOK.start({**PLAIN, **entries})
    assert state.stage == stage
    assert state.deed == (SLID if stage == CONSEQUENCE else NOTHING)


def test_a_setup_after_a_slide_waits_for_hidden_coins() -> None:
    """Right after a slide the hidden coins beside it must be turned up, unless only chosen ones are."""
    entries = {**words("2@a4-3@b4", coins="a3=suns? b5=moons4"), "mover": "2-3"}
    entries |= {"chosen": ["suns", "moons"], "used": ["suns"]}
    assert BOOK.pending(BOOK.start(entries)) == "coin"
    assert CHOSEN_BOOK.pending(CHOSEN_BOOK.start(entries)) is None
    assert BOOK.pending(BOOK.start({**entries, "turning": []})) is None


def test_a_setup_may_be_a_finished_game() -> None:
    """Three suits collected make a set-up that is over."""
    state = position("2@d4-3@e4", collected=ALL_SIX)
    assert (state.stage, state.ended) == (OVER, SUITS_GONE)


def test_a_state_is_a_setup() -> None:
    """What ``to_json`` wrote can be given as a set-up."""
    state = acting("2@d4-3@e4")
    assert BOOK.start(dict(state.to_json())) == state


BAD: list[tuple[dict[str, Json], str]] = [
    ({"colour": 1}, "there is no entry 'colour' in a set-up"),
    ({"game": "chess"}, "says 'dominoids' in the entry 'game', not 'chess'"),
    ({"version": 2}, "this state has version 2; version 1 can be read"),
    ({"turn": 0}, "the turns are counted from 1"),
    ({"turn": "one"}, "the entry 'turn' should be a whole number, not 'one'"),
    ({"player": 3}, "the players are 1 and 2, not 3"),
    ({"stage": "dinner"}, "the entry 'stage' should be one of: opening, dice, act"),
    ({"stage": None}, "the entry 'stage' should be one of"),
    ({"deed": "sang"}, "the entry 'deed' should be one of: nothing, slid"),
    ({"ended": "fire"}, "the entry 'ended' should be one of: None, suits, agreement, turns; not 'fire'"),
    ({"dominoes": []}, "the entry 'dominoes' should be an object, not []"),
    ({"dominoes": {"0-6": ["a1", "a2"]}}, "'0-6' is no domino of this game; they are 1-1 to 5-5"),
    ({"dominoes": {"3-2": ["c1", "c2"]}}, "'3-2' is no domino of this game"),
    ({"dominoes": {"two": ["c1", "c2"]}}, "'two' is no domino of this game"),
    ({"dominoes": {"2-3": ["c1", "d2"]}}, "the 2-3 should lie on two neighbouring squares"),
    ({"dominoes": {"2-3": ["c1"]}}, "the 2-3 should lie on two neighbouring squares"),
    ({"dominoes": {"2-3": ["c1", "c9"]}}, "'c9' (2-3) is not a square of the board"),
    ({"dominoes": {"2-3": ["c1", "x"]}}, "'x' (2-3) is not a square of the board"),
    ({"dominoes": {"2-3": ["c1", 7]}}, "a square (2-3) should be a text, not 7"),
    ({"dominoes": {"2-3": ["c1", "c2"], "1-1": ["c2", "c3"]}}, "the 1-1 and the 2-3 are both on c2"),
    ({"dominoes": {"2-3": ["a1", "a2"]}}, "the 2-3 and the suns pawn are both on a1"),
    ({"coins": [{"square": "d4", "suit": "suns"}]}, "the 2-3 and a suns coin are both on d4"),
    ({"pawns": {"suns": "a1"}}, "the moons pawn is missing; the entry 'pawns' should give its square"),
    ({"pawns": {"cups": "a1"}}, "the entry 'suit' should be one of: suns, moons, crowns, arms; not 'cups'"),
    ({"dice": {"suns": "3"}}, "the moons die is missing; the entry 'dice' should give its face"),
    ({"dice": {"suns": "6"}}, "the entry 'dice, suns' should be one of: null, ace, 2, 3, 4, 5; not '6'"),
    ({"coins": [{"suit": "suns"}]}, "a coin lacks the entry 'square'"),
    ({"coins": [{"square": "a4", "suit": "suns", "value": 6}]}, "a coin is worth 0 to 5, not 6"),
    (
        {"coins": [{"square": f"a{y}", "suit": "suns", "value": 3} for y in (4, 5)]},
        "the suns coin of value 3 is there twice",
    ),
    (
        {"coins": [{"square": "a4", "suit": "suns", "value": 3}], "collected": [{}, {"suns": [3]}]},
        "the suns coin of value 3 is there twice",
    ),
    (
        {"coins": [{"square": f"{x}5", "suit": "suns"} for x in "abcdefg"]},
        "there are more than six suns coins",
    ),
    ({"collected": [{"suns": [3]}, {"suns": [3]}]}, "the suns coin of value 3 is collected twice"),
    ({"collected": [{}]}, "the entry 'collected' should have one object for each of the two players"),
    ({"new": ["suns", "moons", "crowns", "arms"]}, "all four dice are in the new box"),
    ({"new": "suns"}, "the entry 'new' should be a list, not 'suns'"),
    ({"chosen": ["suns"], "used": ["moons"]}, "a die is used that was not chosen"),
    ({"chosen": ["suns"], "stage": "dice"}, "the dice chosen and used do not fit the stage 'dice'"),
    ({"stage": "act"}, "the dice chosen and used do not fit the stage 'act'"),
    ({"chosen": ["suns"], "stage": "refill"}, "the dice chosen and used do not fit the stage 'refill'"),
    ({"stage": "roll"}, "the dice chosen and used do not fit the stage 'roll'"),
    ({"mover": "1-1"}, "the 1-1 slid, so it should be on the board"),
    ({"mover": "2-3", "deed": "ate"}, "the deed is 'slid' exactly in the stage 'consequence'"),
    ({"deed": "ate"}, "the entry 'mover' should name the Dominoid that ate"),
    ({"stage": "over"}, "a game is over exactly when it says how it ended"),
    ({"ended": "turns"}, "a game is over exactly when it says how it ended"),
    ({"agreed": [1, 2]}, "both players agreed to stop, so that the game is over"),
    ({"turning": ["b6"]}, "only a coin that lies value down can be turned up"),
    ({"taker": 4}, "the entry 'taker' should be 0, or 1 to 3 with one coin to be turned up"),
    ({"taker": 1}, "the entry 'taker' should be 0, or 1 to 3"),
    ({"stage": "over", "ended": "turns", "turning": ["a3"]}, "after the end no coin is turned up"),
    ({"stage": "opening"}, "an opening that is still being seen"),
]


@pytest.mark.parametrize(("entries", "message"), BAD)
def test_a_setup_that_cannot_be_is_refused(entries: dict[str, Json], message: str) -> None:
    """A wrong entry is named in one sentence."""
    with pytest.raises(BadSetup) as wrong:
        BOOK.start({**PLAIN, **entries})
    assert str(wrong.value).startswith("This set-up cannot be: ")
    assert message in str(wrong.value)
    assert str(wrong.value).endswith(".")


def test_suits_that_are_gone_end_the_game() -> None:
    """A set-up that goes on although three suits are gone is refused."""
    with pytest.raises(BadSetup, match="the coins of three suits are gone"):
        position("2@d4-3@e4", collected=ALL_SIX, stage="dice")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"pawns": {"suns": "b4"}}, "holds whole arms of figure 1"),
        ({"pawns": {"suns": "c7"}}, "holds whole arms of figure 1"),
        ({"coins": []}, "holds whole arms of figure 1"),
        ({"dominoes": {}}, "holds whole arms of figure 1"),
        ({"dice": {"suns": "3"}}, "all dice are rolled or none"),
        (
            {"dice": dict.fromkeys(("suns", "moons", "crowns", "arms"), "3")},
            "the dice are rolled after the arms",
        ),
        ({"player": 2}, "no turn, no boxes and no collected coins yet"),
        ({"new": ["suns"]}, "no turn, no boxes and no collected coins yet"),
    ],
)
def test_an_opening_is_seen_in_order(change: dict[str, Json], message: str) -> None:
    """An opening that is not finished holds whole arms, in order, and nothing of a game."""
    west = play(BOOK.start(), "see suns@b3 2@c3-3@d3").to_json()
    with pytest.raises(BadData, match=message):
        BOOK.read_state({**west, **change})


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "chess"}, "a state of this game says 'dominoids' in the entry 'game', not 'chess'"),
        ({"version": 2}, "this state has version 2; version 1 can be read"),
        ({"version": "1"}, "the entry 'version' should be a whole number, not '1'"),
    ],
)
def test_a_state_of_another_game_or_version_is_refused(change: dict[str, Json], message: str) -> None:
    """Game and version are looked at first."""
    with pytest.raises(BadData, match=message):
        BOOK.read_state({**acting("2@d4-3@e4").to_json(), **change})


@pytest.mark.parametrize("key", sorted(acting("2@d4-3@e4").to_json()))
def test_a_state_lacks_nothing(key: str) -> None:
    """Unlike a set-up, a state has all its entries."""
    data = acting("2@d4-3@e4").to_json()
    del data[key]
    with pytest.raises(BadData, match=f"a state lacks the entry '{key}'"):
        BOOK.read_state(data)
