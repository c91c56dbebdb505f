"""Moves that were seen together: what nobody can tell of them is named, and nothing else."""

import pytest

from engine import rulebook
from engine.book import Fact, Move
from engine.dominoids.model import MoveDominoid, Shift
from engine.history import History
from engine.matching import Follower, Ruled, ways
from engine.matching.apart import apart
from engine.matching.guide import guide_for
from engine.matching.search import Search
from engine.matching.step_line import Origin
from engine.matching.ways import other_orders
from engine.scene import Scene
from tests.engine.matching.doubtful_table import Table

BOOK = rulebook("dominoids")
TAKEN = "1: dice suns moons"
ONE, OTHER = "1: moons move 4@d3-1@d4", "1: suns move 2@b6-3@c6"


def test_the_order_of_two_moves_that_were_seen_together_is_told_to_be_unknown() -> None:
    """Either may have come first; a record has to write one of them first."""
    history = History.begin("dominoids", seed=3).move(TAKEN)
    table = Table(3)
    follower = Follower.of(history).at(table.scene(BOOK.layout(history.state)))
    after = history.move(ONE).move(OTHER)
    ruled = follower.see(table.scene(BOOK.layout(after.state), visits=2))
    assert isinstance(ruled, Ruled)
    named = [{one.text, *one.alike} for one in ruled.happened if " move " in one.text]
    assert all({ONE, OTHER} <= texts for texts in named)
    assert len(named) == 2


def test_what_can_have_come_in_one_order_only_is_certain() -> None:
    """Dice are taken before they are used; a fact parts what was before it from what was after."""
    history = History.begin("dominoids", seed=3)
    lines = (TAKEN, ONE, OTHER, "1: done", "see roll suns=2 moons=3", "2: dice suns moons")
    steps: list[Move | Fact] = [
        BOOK.parse_fact(line) if line.startswith("see ") else BOOK.parse(line) for line in lines
    ]
    others = other_orders(guide_for(BOOK), history.state, steps)
    assert [[BOOK.format(move) for move in some] for some in others] == [[], [OTHER], [ONE], [], [], []]


def test_what_must_come_between_two_moves_and_is_not_seen_parts_no_orders() -> None:
    """After the slide there was nothing to eat, attack or breed with; a shift before it has no such end."""
    history = History.begin("dominoids")
    for line in (
        "see suns@b3 4@c3-3@d3",
        "see moons@c7 1@c5-2@c6",
        "see arms@g6 4@e6-4@f6",
        "see crowns@f2 3@f3-5@f4",
        "see roll suns=ace moons=null crowns=3 arms=4",
        "see first 2",
    ):
        history = history.fact(line)
    history = history.move("2: dice suns arms")
    shift, slide = "2: suns shift column 1 up", "2: arms move 1@c4-2@c5"
    others = other_orders(guide_for(BOOK), history.state, [BOOK.parse(shift), BOOK.parse(slide)])
    assert [[BOOK.format(move) for move in some] for some in others] == [[slide], [shift]]


def test_of_many_moves_in_a_row_no_order_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """There would be too many."""
    state = History.begin("dominoids", seed=3).move(TAKEN).state
    steps: list[Move | Fact] = [BOOK.parse(ONE), BOOK.parse(OTHER)]
    assert any(other_orders(guide_for(BOOK), state, steps))
    monkeypatch.setattr(ways, "MOST", 1)
    assert not any(other_orders(guide_for(BOOK), state, steps))


def test_two_orders_of_the_same_are_not_told_apart_by_asking() -> None:
    """The one that is thought of first, which is the one that was seen, stands for both."""
    state = History.begin("dominoids", seed=3).move(TAKEN).state
    guide = guide_for(BOOK)
    search = Search(guide, guide.evidence(state, Scene(()), {}))
    root = search.root(Origin(state), {})
    one, other = BOOK.parse(ONE), BOOK.parse(OTHER)
    lines = [line for order in ([one, other], [other, one]) if (line := search.gone_on(root, order))]
    assert len(lines) == 2
    assert apart(guide, lines) == [[lines[0]]]
    alone = search.gone_on(root, [one])
    assert alone is not None
    both = apart(guide, [*lines, alone])
    assert len(both) == 2
    assert all(group in both for group in ([lines[0]], [alone]))


def with_equal_dice(face: str) -> History:
    """A game of Dominoids in which the first player has taken dice, two of which show this face."""
    start = History.begin("dominoids", seed=3).state.to_json()
    dice = {"suns": face, "moons": face, "crowns": "4", "arms": "3"}
    return History.begin("dominoids", setup={**start, "dice": dice}).move(TAKEN)


def test_what_hangs_on_a_die_that_nobody_could_tell_is_told_to_hang_on_it() -> None:
    """With either of two equal dice a domino was moved; the next move was then made with the other one."""
    history = with_equal_dice("2")
    table, book = Table(3), history.book
    follower = Follower.of(history).at(table.scene(book.layout(history.state)))
    told = []
    for _ in range(2):
        move = next(one for one in book.legal_moves(history.state) if isinstance(one, MoveDominoid))
        scene = table.scene(book.layout(book.apply(history.state, move)), visits=1)
        ruled = follower.see(scene)
        assert isinstance(ruled, Ruled)
        for one in ruled.happened:
            history = history.move(one.text, one.alike)
        told.append(ruled.happened[0])
        follower = follower.after(history, scene)
    used = [{text.split()[1] for text in (one.text, *one.alike)} for one in told]
    assert used == [{"suns", "moons"}, {"suns", "moons"}]
    history = history.move("1: done") if history.book.pending(history.state) is None else history
    thrown = history.fact("see roll suns=5 moons=4")
    ruled = follower.after(history, scene).see(table.scene(book.layout(thrown.state), visits=1))
    assert isinstance(ruled, Ruled)
    assert [(one.text, one.alike) for one in ruled.happened] == [("see roll suns=5 moons=4", ())]


def test_of_two_moves_seen_at_once_each_is_named_with_either_of_two_equal_dice() -> None:
    """Which die was used first nobody saw: the second move was made with the other one, then."""
    history = with_equal_dice("3")
    table, book = Table(3), history.book
    follower = Follower.of(history).at(table.scene(book.layout(history.state)))
    lines = ONE, OTHER
    after = history.move(ONE).move(OTHER)
    ruled = follower.see(table.scene(book.layout(after.state), visits=2))
    assert isinstance(ruled, Ruled)
    last = next(one for one in reversed(ruled.happened) if " move " in one.text)
    assert {text.split()[1] for text in (last.text, *last.alike)} == {"suns", "moons"}
    told = {text for one in ruled.happened for text in (one.text, *one.alike)}
    assert {*lines, ONE.replace("moons", "suns"), OTHER.replace("suns", "moons")} <= told


def test_what_follows_from_blank_dice_that_nobody_could_tell_is_told_with_both() -> None:
    """Whichever was taken passes: each is named, at once or with the next move."""
    history = History.begin("dominoids", seed=3).move(TAKEN).move(ONE).move(OTHER).move("1: done")
    history = history.fact("see roll suns=null moons=null")
    table, book = Table(3), history.book
    follower = Follower.of(history).at(table.scene(book.layout(history.state)))
    state = book.play(history.state, book.parse("2: dice suns arms"))
    scene = table.scene(book.layout(state), visits=1)
    ruled = follower.see(scene)
    assert isinstance(ruled, Ruled)
    for one in ruled.happened:
        history = history.move(one.text, one.alike)
    assert ruled.alike == ("2: dice moons arms",)
    move = next(one for one in book.legal_moves(history.state) if isinstance(one, Shift))
    follower = follower.after(history, scene)
    ruled = follower.see(table.scene(book.layout(book.apply(history.state, move)), visits=1))
    assert isinstance(ruled, Ruled)
    passes = [{one.text, *one.alike} for one in ruled.happened if one.text.endswith("pass")]
    assert passes == [{"2: suns pass", "2: moons pass"}]
    for one in ruled.happened:
        history = history.move(one.text, one.alike)
    thrown = history.fact("see roll suns=5 arms=4")
    seen = follower.after(history, scene).see(table.scene(book.layout(thrown.state), visits=1))
    assert isinstance(seen, Ruled)
    assert not seen.alike


def test_the_first_of_two_dice_that_lie_together_may_have_been_the_other() -> None:
    """Whoever took one got the die that was left over: seen together, nobody can tell which was which."""
    history = History.begin("kingdomino-duel").fact("see oldest 1").fact("see roll d q b2 ?")
    book, guide = history.book, guide_for(history.book)
    taken, rest, drawn = "1: take 1", "2: take 3+4", "1: draw d@r2c4 q@r1c4"
    others = other_orders(guide, history.state, [book.parse(taken), book.parse(rest), book.parse(drawn)])
    assert [[book.format(move) for move in some] for some in others] == [["1: take 2"], [], []]
    alone = other_orders(guide, history.state, [book.parse(taken)])
    assert alone == [[]]
