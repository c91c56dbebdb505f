"""What all games share: profiles, catalogues, layouts, nearness, squares, dominoes, plain data."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import GAMES, BadProfile, IllegalMove, Layout, Profile, Spot, State, UnknownGame, rulebook
from engine.catalogue import Catalogue, Rule
from engine.dominoes import Domino, domino_set, tile
from engine.nearness import APART, Where, nearest, trouble
from engine.plain import BadData, items, text, truth, whole
from engine.profile import Reading, Readings
from engine.squares import Square, square
from tests.engine.toy import ToyFact, ToyMove

READINGS = Readings(
    [
        Reading("A-1", "flip", "Which coins?", "all", {"all": "every one", "chosen": "one"}),
        Reading("A-2", "edge", "Is it a wall?", False, {False: "no", True: "yes"}),
        Reading("A-3", "goal", "How many points?", 250, {}, 5),
    ],
    {"house": {"edge": True}},
)


def test_a_profile_is_its_name_and_what_it_changes() -> None:
    """A profile spells itself with its changes, reads back, and drops changes that change nothing."""
    profile, values = READINGS.settle(Profile.parse("house+goal=100+flip=all"))
    assert str(profile) == "house+goal=100"
    assert values == {"flip": "all", "edge": True, "goal": 100}
    again, same = READINGS.settle(Profile.parse(str(profile)))
    assert (again, same) == (profile, values)
    assert str(READINGS.settle(Profile.parse("default+edge=yes"))[0]) == "default+edge=yes"


@pytest.mark.parametrize(
    ("spelled", "message"),
    [
        ("blitz", "no profile 'blitz'; known are: default, house"),
        ("house+goal", "'goal' should read KEY=VALUE"),
        ("house+size=3", "no setting 'size'; known are: flip, edge, goal"),
        ("default+goal=four", "goal takes a whole number from 5 on, not 'four'"),
        ("default+goal=4", "from 5 on"),
        ("default+flip=none", "flip takes one of: all, chosen; not 'none'"),
        ("default+edge=maybe", "edge takes one of: no, yes"),
    ],
)
def test_a_bad_profile_is_refused_in_one_sentence(spelled: str, message: str) -> None:
    """What is wrong with a profile is named, with what would be right."""
    with pytest.raises(BadProfile, match=message):
        READINGS.settle(Profile.parse(spelled))


def test_yes_is_no_number() -> None:
    """A whole number is wanted: true does not pass for 1."""
    with pytest.raises(BadProfile, match="whole number"):
        READINGS.settle(Profile("default", (("goal", True),)))


def test_a_catalogue_holds_each_rule_once() -> None:
    """Rules are found by id and two of the same id are refused."""
    rule = Rule("X-1", "1", "Do.")
    catalogue = Catalogue("book", [rule])
    assert (catalogue["X-1"], list(catalogue), len(catalogue), "X-2" in catalogue) == (rule, [rule], 1, False)
    with pytest.raises(ValueError, match="same id"):
        Catalogue("book", [rule, rule])


def test_a_layout_is_asked_by_name_and_region() -> None:
    """Spots are found under their names and regions."""
    here = Spot("a", "coin", "up", None, "board", 1.0, 1.0)
    there = Spot("b", "die", "up", None, "tray")
    layout = Layout((here, there))
    assert layout.by_name() == {"a": here, "b": there}
    assert layout.in_region("tray") == (there,)


def test_the_nearest_move_displaces_the_fewest_pieces_then_goes_the_shortest_way() -> None:
    """Fewer pieces beat shorter ways, shorter ways and smaller turns beat order."""
    wanted = {"x": Where(1, 1), "y": Where(5, 5)}
    one_off = {"x": Where(1, 1), "y": Where(8, 8)}
    near = {"x": Where(1, 1), "y": Where(5, 6)}
    turned = {"x": Where(1, 1), "y": Where(5, 5, 90)}
    two_off = {"x": Where(1, 2), "y": Where(5, 6)}
    offers = [("two", two_off), ("far", one_off), ("near", near), ("turned", turned)]
    assert nearest(wanted, offers) == ("turned", "near", "far")
    assert trouble(wanted, wanted) == (0, 0.0)
    assert trouble({"x": "pool"}, {"x": Where(1, 1)}) == (1, APART)
    assert trouble({"x": None}, {}) == (1, APART)
    assert trouble({"x": Where(1, 1, 350)}, {"x": Where(1, 1, 10)})[1] == pytest.approx(0.5 * 20 / 90)


@given(st.integers(1, 26), st.integers(1, 99))
def test_squares_read_back(x: int, y: int) -> None:
    """Every square's name reads back to the square."""
    assert square(str(Square(x, y))) == Square(x, y)


@pytest.mark.parametrize("name", ["", "c", "C5", "55", "a0", "a01", "a-1", "é5", "a٣x"])
def test_what_is_no_square_is_refused(name: str) -> None:
    """Anything but a letter and a number is no square."""
    with pytest.raises(ValueError, match="not a square"):
        square(name)


def test_squares_know_their_neighbours_on_and_off_the_board() -> None:
    """The four squares that share a side, in a fixed order; off-board ones are written as numbers."""
    assert [str(near) for near in square("a1").beside()] == ["b1", "a2", "(0,1)", "(1,0)"]
    assert square("c3").step(-2, 4) == square("a7")


def test_a_tile_is_the_same_either_way_round() -> None:
    """Ends have no order; a set holds every tile once."""
    assert tile(5, 2) == tile(2, 5) == Domino(2, 5)
    assert (str(tile(5, 2)), tile(5, 2).pips, tile(5, 2).other(5), tile(5, 2).other(2)) == ("2-5", 7, 2, 5)
    assert tile(3, 3).is_double
    assert len(domino_set(6)) == len(set(domino_set(6))) == 28
    assert len(domino_set(12)) == 91
    assert len(domino_set(5, lowest=1)) == 15


@pytest.mark.parametrize(
    ("read", "bad", "message"),
    [
        (whole, "1", "whole number"),
        (whole, True, "whole"),
        (text, 1, "a text"),
        (truth, 1, "true or false"),
        (items, "ab", "a list"),
    ],
)
def test_wrong_data_is_named(read: object, bad: object, message: str) -> None:
    """Each reader of plain data says what it wanted and shows, shortened, what it got."""
    assert callable(read)
    with pytest.raises(BadData, match=f"the key should be .*{message}"):
        read(bad, "the key")
    assert truth(True, "x")
    with pytest.raises(BadData, match=r"…$"):
        text(list(range(99)), "x")  # type: ignore[arg-type] (bad on purpose)


def test_an_unknown_game_is_refused_with_the_nearest_name() -> None:
    """A mistyped game is answered with the known ones and the likely one."""
    with pytest.raises(UnknownGame, match="Did you mean 'draw-game'"):
        rulebook("drawgame")
    with pytest.raises(UnknownGame, match=r"known are: dominoids, .*, draw-game\.$"):
        rulebook("chess")


@pytest.mark.usefixtures("toy_game")
def test_playing_a_refused_move_raises_its_ruling_and_changes_nothing() -> None:
    """play() accepts nothing silently: it raises with the same ruling that check() gives."""
    book = rulebook("toy", "short")
    state = book.observe(book.start(), ToyFact(2))
    with pytest.raises(IllegalMove, match="TOY-2: It is not player 2") as caught:
        book.play(state, ToyMove(2, 4))
    assert caught.value.ruling == book.check(state, ToyMove(2, 4))
    assert [fault.rule for fault in caught.value.ruling.also] == ["TOY-1"]
    assert caught.value.ruling.to_json()["also"]
    assert book.play(state, ToyMove(1, 2)) != state
    assert book.scores(state).to_json()["totals"] == [0, 0]


def test_a_state_without_a_plain_form_says_so() -> None:
    """A bare state cannot be written, and says which type it is."""
    with pytest.raises(TypeError, match="State has no plain form"):
        State().to_json()


@pytest.mark.parametrize("game", GAMES)
def test_every_registered_game_has_a_rule_book_of_its_name(game: str) -> None:
    """Registration is all it takes: the book of each game says its own name, titles and rules."""
    book = rulebook(game)
    assert book.game == game
    assert book.title
    assert len(book.catalogue) > 10
    assert book.late_rulings(book.start()) == ()
