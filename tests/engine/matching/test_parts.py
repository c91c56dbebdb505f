"""The parts of the matching by themselves: assignment, readings, words, the guide that serves any game."""

from dataclasses import replace
from itertools import permutations
from math import log
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import BadSetup, Layout, Spot
from engine.history import History
from engine.matching import Follower, Nothing, OutOfStep, Ruled, TakeBack, adopt
from engine.matching.adopted import adopter_for
from engine.matching.assignment import assign
from engine.matching.evidence import Evidence, Gap, Lay, Leniency
from engine.matching.guide import Guide, at_rest, guide_for, touches
from engine.matching.piece_words import differences, piece_words, place_name, region_words
from engine.matching.reading_odds import FLOOR, agreement, sheet_share
from engine.scene import Guess, Hidden, Scene, Sighting
from tests.engine.matching.doubtful_table import Table
from tests.engine.toy import ToyBook, ToyState

LENIENT = Leniency({}, {"boneyard": -4.0})


def _worth(chosen: list[int], worths: list[list[float]], lost: list[float], spare: list[float]) -> float:
    taken = {column for column in chosen if column >= 0}
    rows = sum(lost[row] if column < 0 else worths[row][column] for row, column in enumerate(chosen))
    return rows + sum(cost for column, cost in enumerate(spare) if column not in taken)


@given(st.integers(0, 4), st.integers(0, 4), st.integers(0, 10**6))
def test_the_best_assignment_is_found(rows: int, columns: int, seed: int) -> None:
    """No other way to say which sighting is which piece is worth more."""
    rng = Random(seed)
    worths = [[rng.uniform(-9, 0) for _ in range(columns)] for _ in range(rows)]
    lost, spare = [rng.uniform(-9, 0) for _ in range(rows)], [rng.uniform(-9, 0) for _ in range(columns)]
    found = assign(worths, lost, spare)
    assert len({column for column in found if column >= 0}) == sum(column >= 0 for column in found)
    options = [*range(columns), *[-1] * rows]
    best = max((_worth(list(some), worths, lost, spare) for some in permutations(options, rows)), default=0.0)
    assert _worth(found, worths, lost, spare) >= best - 0.05 * rows - 1e-9


def test_equal_pieces_need_no_long_search() -> None:
    """Twenty that are all alike are told apart at once, each taken by one."""
    found = assign([[0.0] * 20] * 20, [-7.0] * 20, [-7.0] * 20)
    assert sorted(found) == list(range(20))


DOMINO = Spot("2-5", "domino", "up", {"pips": [2, 5]}, "board", 1.0, 1.0, 0.0)


@pytest.mark.parametrize(
    ("guesses", "turned", "share"),
    [
        ((Guess({"pips": [2, 5]}, 0.9),), False, 0.91),
        ((Guess({"pips": [5, 2]}, 0.9),), False, 0.01),
        ((Guess({"pips": [5, 2]}, 0.9),), True, 0.91),
        ((Guess({"pips": [5, 2]}, 0.9),), None, 0.91),
        ((Guess({"pips": [2, 4]}, 0.9), Guess({"pips": [2, 5]}, 0.1)), False, 0.1),
        ((Guess({"pips": None}, 1.0),), False, 0.5),
        ((Guess(None, 1.0, "down"),), False, FLOOR),
        ((), False, 1.0),
    ],
)
def test_how_a_reading_agrees(guesses: tuple[Guess, ...], turned: bool | None, share: float) -> None:
    """Probabilities of what fits are added; what is left over is shared among the rest."""
    seen = Sighting("domino", "board", 1.0, 1.0, 0.0, guesses=guesses)
    assert agreement(DOMINO, seen, turned=turned) == pytest.approx(log(share))


def test_a_face_down_piece_that_was_not_read_is_no_face_up_one() -> None:
    """The face counts even where nothing could be read."""
    seen = Sighting("domino", "board", 1.0, 1.0, 0.0, face="down")
    assert agreement(DOMINO, seen, turned=None) == pytest.approx(log(FLOOR))


def test_a_soldier_of_the_other_colour_is_another() -> None:
    """The owner of a soldier is part of what is seen; what a guess leaves open is not held against it."""
    spot = Spot("soldier a1", "soldier", "up", {"army": "army", "type": "grunt"}, "board", 1.0, 1.0, owner=1)
    seen = Sighting(
        "soldier", "board", 1.0, 1.0, guesses=(Guess({"army": "army", "type": "grunt"}, 1.0),), owner=2
    )
    assert agreement(spot, seen, turned=None) == pytest.approx(log(FLOOR))
    assert agreement(spot, replace(seen, owner=1), turned=None) == 0.0
    partly = replace(seen, owner=None, guesses=(Guess({"army": "army", "type": None}, 1.0),))
    assert agreement(spot, partly, turned=None) == pytest.approx(log(0.5))


def test_sheets_agree_cell_by_cell() -> None:
    """Each cell counts with its own confidence; what a reading leaves out does not count."""
    wanted = {"map": [[{"coat": "dot", "crosses": 1}, None]], "roof": True, "more": 1}
    sure = {"map": [[{"coat": "dot", "crosses": 1, "confidence": 0.9}, None]], "roof": True}
    assert sheet_share(wanted, sure) == pytest.approx(0.9)
    wrong = {"map": [[{"coat": "black", "crosses": 1, "confidence": 0.9}, None]], "roof": False}
    assert sheet_share(wanted, wrong) == pytest.approx(0.01 * FLOOR)


def test_words_for_pieces_and_places() -> None:
    """As a player would say it."""
    assert piece_words("domino", "up", {"pips": [5, 2]}) == "2-5"
    assert piece_words("domino", "down", None) == "tile that lies face down"
    assert piece_words("coin", "up", {"suit": None, "value": 3}) == "coin of value 3"
    assert piece_words("coin", "down", {"suit": "suns", "value": None}) == "Suns coin"
    assert piece_words("die", "up", {"suit": "suns", "face": "ace"}) == "Suns die showing ace"
    assert piece_words("die", "up", {"face": "two-dots", "crosses": 1}) == "die showing two dots with 1 cross"
    assert piece_words("soldier", "up", {"type": "grunt"}, 2) == "player 2's grunt"
    assert piece_words("soldier", "up", None) == "soldier"
    assert place_name(3, 5) == "c5"
    assert place_name(3.5, 5) == "c5 and d5"
    assert place_name(3, 5.5) == "c5 and c6"
    assert place_name(None, 5) == ""
    assert region_words("stack-suns") == "on the stack of Suns"
    assert region_words("pool-1") == "in player 1's pool"
    assert region_words("some-box") == "in some box"


# — evidence —


def test_pieces_without_coordinates_serve_no_place() -> None:
    """They are too many, and the place is empty; so is one where a domino lies across."""
    blind = Sighting("domino", "board", guesses=(Guess({"pips": [2, 5]}, 1.0),))
    across = Sighting("domino", "board", 1.0, 1.0, 90.0, guesses=(Guess({"pips": [2, 5]}, 1.0),))
    for one in (blind, across):
        gap = Evidence(Scene((one,)), {}, LENIENT).gap(Layout((DOMINO,)))
        assert gap.missing == (DOMINO,)
        assert gap.extra == (one,)
        assert gap


def test_the_nearer_of_two_serves() -> None:
    """A second one beside it is too many."""
    near = Sighting("domino", "board", 1.02, 1.0, 1.0, guesses=(Guess({"pips": [2, 5]}, 1.0),))
    far = replace(near, x=1.4)
    evidence = Evidence(Scene((near, far)), {}, LENIENT)
    assert evidence.gap(Layout((DOMINO,))).extra == (far,)
    assert evidence.found(Layout((DOMINO,)))["2-5"] is near


def test_heaps_are_counted_where_it_matters() -> None:
    """Too few are at odds unless part of the heap is hidden; too many are, if all are surely there."""
    down = tuple(Sighting("domino", "boneyard", float(k), 0.0, face="down") for k in range(3))
    layout = Layout((), {"boneyard": 4})
    assert Evidence(Scene(down), {}, LENIENT).gap(layout).heaps == (("boneyard", 4, 3),)
    covered = Scene(down, (Hidden("boneyard", ((0, 0), (1, 0), (1, 1))),))
    assert not Evidence(covered, {}, LENIENT).gap(layout)
    assert Evidence(Scene(down), {}, LENIENT).gap(Layout((), {"boneyard": 2})).heaps
    assert not Evidence(Scene(down), {}, LENIENT).gap(Layout((), {"boneyard": 3}))


@pytest.mark.parametrize(("presence", "odd"), [(0.5, False), (0.6, False), (0.7, True), (1.0, True)])
def test_what_may_be_no_piece_does_not_count_in_a_heap(presence: float, odd: bool) -> None:
    """One too many costs that it is none: a shadow beside the boneyard tells of nothing that was done."""
    sure = tuple(Sighting("domino", "boneyard", float(k), 0.0, face="down") for k in range(3))
    more = Sighting("domino", "boneyard", 9.0, 0.0, face="edge", presence=presence)
    evidence = Evidence(Scene((*sure, more)), {}, LENIENT)
    assert bool(evidence.gap(Layout((), {"boneyard": 3})).heaps) is odd
    assert evidence.score(Layout((), {"boneyard": 3})) == pytest.approx(
        max(-4.0, log(max(1 - presence, 1e-4)))
    )
    assert evidence.score(Layout((), {"boneyard": 5})) == -4.0  # what lacks, lacks whatever may be there


@pytest.mark.parametrize("presence", [0.7, 0.9, 1.0])
def test_a_drawn_tile_that_is_put_back_is_noticed_though_a_back_is_faint(presence: float) -> None:
    """Any of them may be none, and yet it is likelier that one was put back."""
    lot = {"down": 1, "hands": [{"tiles": [], "hidden": 11}, {"tiles": [], "hidden": 11}]}
    before = History.begin("draw-game", setup=lot).move("1: down 3-3")
    drawn = before.move("2: draw").fact("see drawn unseen")
    table = Table(1)
    line, back, *rest = table.scene(before.book.layout(before.state)).sightings
    assert back.region == "boneyard"
    lie = Scene((line, replace(back, presence=presence), *rest), by=2, visits=1)
    follower = Follower.of(drawn).at(table.scene(drawn.book.layout(drawn.state)))
    assert isinstance(follower.see(lie), TakeBack)


def test_facing_counts_where_it_was_given() -> None:
    """A soldier turned away from his facing is at odds; without a reading, or a facing, nothing is said."""
    value = {"army": "army", "type": "sniper"}
    spot = Spot("soldier a1", "soldier", "up", value, "board", 1.0, 1.0, 90.0, owner=1)
    seen = Sighting("soldier", "board", 1.0, 1.0, 180.0, guesses=(Guess(value, 1.0),), owner=1)
    assert Evidence(Scene((seen,)), {}, LENIENT).gap(Layout((spot,))).misread
    assert not Evidence(Scene((replace(seen, angle=None),)), {}, LENIENT).gap(Layout((spot,)))
    loose = replace(spot, angle=None)
    assert not Evidence(Scene((seen,)), {}, LENIENT).gap(Layout((loose,)))
    before = {"soldier a1": Lay("board", 1.0, 1.0, 90.0)}
    assert Evidence(Scene((seen,)), before, LENIENT).gap(Layout((loose,))).misread
    stirred = replace(seen, angle=120.0)  # the tile below him was turned
    assert not Evidence(Scene((stirred,)), before, LENIENT).gap(Layout((loose,)))
    assert Evidence(Scene((replace(seen, angle=135.0),)), before, LENIENT).gap(Layout((loose,))).misread
    assert Evidence(Scene((replace(stirred, angle=125.0),)), {}, LENIENT).gap(Layout((spot,))).misread
    awaited = frozenset(("soldier a1",))
    assert Evidence(Scene((seen,)), {}, LENIENT, awaited=awaited).gap(Layout((loose,))).misread


def test_who_is_to_be_turned_and_stands_as_before_may_not_have_been_turned_yet() -> None:
    """A hand that rests beside him leaves him so, too: he is waited for, and what players do next tells."""
    value = {"army": "army", "type": "sniper"}
    loose = Spot("soldier a1", "soldier", "up", value, "board", 1.0, 1.0, None, owner=1)
    before = {"soldier a1": Lay("board", 1.0, 1.0, 90.0)}
    awaited = frozenset(("soldier a1",))
    for visits, angle, news in ((1, 92.0, False), (2, 92.0, False), (None, 92.0, False), (1, 135.0, True)):
        seen = Sighting("soldier", "board", 1.0, 1.0, angle, guesses=(Guess(value, 1.0),), owner=1)
        evidence = Evidence(Scene((seen,), visits=visits), before, LENIENT, awaited=awaited)
        assert bool(evidence.gap(Layout((loose,))).misread) == news, (visits, angle)


# — the guide that serves any game —


def _toy_scene(total: int, *, die: bool = True) -> Scene:
    counter = Sighting("pawn", "board", float(total), 0.0)
    return Scene((counter, *((Sighting("die", "tray"),) if die else ())))


@pytest.mark.usefixtures("toy_game")
def test_a_game_without_a_guide_of_its_own_is_followed() -> None:
    """The toy game: a counter that moves by a die that nobody can read from the layout."""
    history = History.begin("toy", setup={"total": 0, "roll": 4, "turn": 5})
    follower = Follower.of(history)
    guide = guide_for(history.book)
    assert type(guide) is Guide
    assert isinstance(follower.see(_toy_scene(0)), Nothing)
    verdict = follower.see(_toy_scene(3))
    assert isinstance(verdict, Ruled)
    assert verdict.happened[0].text == "1: +3"
    assert verdict.margin > 4
    assert isinstance(follower.see(_toy_scene(6)), OutOfStep)


@pytest.mark.usefixtures("toy_game")
def test_what_the_general_guide_knows() -> None:
    """Nothing is silent or forced in the toy game but what its rules make so; nothing can be adopted."""
    history = History.begin("toy", setup={"total": 0})
    guide = guide_for(history.book)
    state = history.first
    assert guide.waits_for(state) == "The game waits for the roll to be seen."
    assert guide.forced(state) is None
    assert adopter_for(history.book).opening(state) == ()
    assert list(guide.silent(state, guide.evidence(state, Scene(()), {}))) == []
    one = ToyState(0, 1, 1)
    assert guide.waits_for(one) == ""
    assert guide.forced(one) is None
    assert guide.essence(one) == one
    over = ToyState(10, 1, 0)
    assert guide.forced(over) is None
    with pytest.raises(BadSetup, match="cannot be taken as it is"):
        adopt(Follower.of(history), Scene(()))


class Mumble(ToyBook):
    """A toy game whose table never changes and whose die has a thousand sides."""

    def layout(self, state: ToyState) -> Layout:  # noqa: ARG002 (it is always the same)
        """Nothing to see."""
        return Layout((Spot("counter", "pawn", "up", None, "board", 0.0, 0.0),))

    def possible_facts(self, state: ToyState):  # type: ignore[no-untyped-def]
        """Far too many."""
        for _ in range(1000):
            yield from super().possible_facts(state)

    def footprint(self, state, move):  # type: ignore[no-untyped-def]  # noqa: ARG002
        """The tray."""
        return {"die": "tray"}


def test_silent_and_forced_moves_of_any_game() -> None:
    """What leaves the table as it was is silent; the only such move is forced."""
    book = Mumble(rulebook_profile())
    guide = Guide(book)  # type: ignore[arg-type]
    two, one = ToyState(0, 1, 2), ToyState(0, 1, 1)
    assert len(list(guide.silent(two, guide.evidence(two, Scene(()), {})))) == 2
    assert guide.forced(two) is None
    assert guide.forced(one) is not None
    assert at_rest(guide, one) != one
    waiting = ToyState(0, 1, 0)
    assert guide.facts(waiting, guide.evidence(waiting, Scene(()), {})) == ()
    stray = Sighting("die", "tray", 1.0, 1.0)
    gap = guide.evidence(two, Scene((stray,)), {}).gap(book.layout(two))
    assert len(list(guide.moves(two, gap, Scene((stray,)), {}))) == 2
    nothing = guide.evidence(two, Scene(()), {}).gap(Layout(()))
    assert list(guide.moves(two, nothing, Scene(()), {})) == []


def rulebook_profile():  # type: ignore[no-untyped-def]
    """The default profile."""
    from engine import Profile

    return Profile.parse("default")


def test_anchored_pieces_are_kept_while_unseen() -> None:
    """A die that was covered is where it was; one that has left its box is not."""

    class Anchored(Guide):
        anchored = frozenset(("die",))

    guide = Anchored(Mumble(rulebook_profile()))  # type: ignore[arg-type]
    die = Spot("die suns", "die", "up", {"face": "2"}, "old-dice")
    before = {"die suns": Lay("old-dice", 1.0, 2.0)}
    assert guide.remembered(Layout((die,)), {}, before, Scene(())) == before
    assert guide.remembered(Layout((replace(die, region="new-dice"),)), {}, before, Scene(())) == {}
    seen = {"die suns": Sighting("die", "old-dice", 5.0, 6.0)}
    assert guide.remembered(Layout((die,)), seen, {}, Scene(())) == {"die suns": Lay("old-dice", 5.0, 6.0)}
    twin = replace(die, name="die moons")
    both = {**seen, "die moons": Sighting("die", "old-dice", 9.0, 6.0)}
    assert guide.remembered(Layout((die, twin)), both, {}, Scene(())) == {}


def test_a_soldier_who_faces_another_way_is_told_as_that() -> None:
    """Not as a soldier who looks like himself."""
    value = {"army": "army", "type": "sniper"}
    spot = Spot("soldier c5", "soldier", "up", value, "board", 3.0, 5.0, 90.0, owner=1)
    seen = Sighting("soldier", "board", 3.0, 5.0, 0.0, guesses=(Guess(value, 1.0),), owner=1)
    (told,) = differences(Gap((), ((spot, seen),), (), ()))
    assert told.sentence == "The player 1's sniper on c5 faces another way than he did."


def test_a_move_touches_where_it_ends() -> None:
    """A piece that is seen near the end of a move is a reason to think of it."""
    book = ToyBook(rulebook_profile())
    there = Sighting("pawn", "board", 3.1, 0.0)
    move = book.parse("1: +3")
    assert touches(book, ToyState(0, 1, 4), move, Gap((), (), (there,), ()))  # type: ignore[arg-type]
    assert not touches(book, ToyState(0, 1, 4), move, Gap((), (), (), ()))  # type: ignore[arg-type]
