"""What is drawn on a map while the Duel is played: read square by square, held against the record."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import BadSetup, rulebook
from engine.kingdomino_duel.book import cells
from engine.kingdomino_duel.drawn import weighed
from engine.kingdomino_duel.edition import COATS
from engine.kingdomino_duel.kingdom import CASTLE, NAMES, NUMBERS, SQUARES, Kingdom, Mark
from engine.kingdomino_duel.model import DuelState
from engine.layout import Layout
from engine.matching import Follower, Incomplete, Nothing, Question, Ruled, TakeBack, Verdict, adopt
from engine.scene import Guess, Hidden, Scene, Sighting
from simulation.strategy import decide
from simulation.whole_game import WholeGame
from tests.engine.matching.doubtful_table import Table

BOOK = rulebook("kingdomino-duel")
Chances = Mapping[str, Mapping[str, float]]
"""For some squares what they may hold (``d0``, ``.``) and how likely that is."""


def drawing(roll: str = "d d D S") -> DuelState:
    """A game in which player 1 has taken the first two dice and player 2 the others; nobody has drawn."""
    state = BOOK.observe(BOOK.start(setup={"a": 1}), BOOK.parse_fact(f"see roll {roll}"))
    for line in ("1: take 1", "2: take 3+4"):
        state = BOOK.play(state, BOOK.parse(line))
    assert isinstance(state, DuelState)
    assert state.stage == "draw"
    return state


def value(told: str) -> dict[str, Any]:
    """A square's content in plain form."""
    return {"coat": None, "crosses": 0} if told == "." else {
        "coat": COATS["dDsSqb".index(told[0])], "crosses": int(told[1:])
    }  # fmt: skip


def ranked(kingdom: Kingdom, chances: Chances, sure: float = 0.97) -> dict[str, Any]:
    """A reading of a map: as ``kingdom`` with some certainty, but for some squares."""
    flat: list[Any] = []
    for square in SQUARES:
        mark = kingdom.at(square)
        told = chances.get(f"r{square // 8 + 1}c{square % 8 + 1}")
        if told is None:
            likely = "." if mark is None else f"{'dDsSqb'[mark.coat]}{mark.crosses}"
            told = {likely: sure, "b0" if likely != "b0" else "q0": (1 - sure) / 2}
        first, *others = sorted(told.items(), key=lambda item: -item[1])
        alternatives = [{**value(name), "confidence": p} for name, p in others]
        flat.append({**value(first[0]), "confidence": first[1], "alternatives": alternatives})
    return {"map": [flat[at : at + 7] for at in range(0, 35, 7)], "roof": False, "roof_confidence": 0.02}


def scene(state: DuelState, first: Kingdom, chances: Chances, sure: float = 0.97) -> Scene:
    """The dice as they lie, and the first player's map as it was read; of the other nothing was."""
    layout: Layout = BOOK.layout(state)
    seen = [
        Sighting("die", spot.region, 10.0 * k, 0.0, guesses=(Guess(spot.value, 0.999),))
        for k, spot in enumerate(layout.spots)
        if spot.kind == "die"
    ]
    maps = Sighting("sheet", "sheet-1", guesses=(Guess(ranked(first, chances, sure), 1.0),))
    return Scene((*seen, maps, Sighting("sheet", "sheet-2")))


def see(state: DuelState, first: Kingdom, chances: Chances, sure: float = 0.97) -> Verdict:
    """What the referee says of it."""
    follower = Follower(BOOK, (state,)).at(scene(state, first, {}))
    return follower.see(scene(state, first, chances, sure))


def test_the_two_squares_just_drawn_are_the_move() -> None:
    """Dots by the castle, as taken: a legal drawing, though every other square is a little uncertain."""
    verdict = see(drawing(), Kingdom(), {"r3c3": {"d0": 0.8, "D0": 0.2}, "r3c2": {"d0": 0.7, ".": 0.2}})
    assert isinstance(verdict, Ruled)
    assert not verdict.refused
    assert verdict.happened[0].text == BOOK.format(BOOK.parse("1: draw d@r3c2 d@r3c3"))


def test_the_dice_settle_what_the_eye_leaves_open() -> None:
    """A coat that reads rather as two dots was a dot: nobody rolled two dots for this player."""
    verdict = see(drawing(), Kingdom(), {"r3c3": {"d0": 0.4, "D0": 0.6}, "r3c2": {"d0": 0.9}})
    assert isinstance(verdict, Ruled)
    assert "D" not in verdict.happened[0].text


def test_a_doubtful_square_is_a_question() -> None:
    """Whether a coat stands there at all cannot be told: both are asked, and nothing is decided silently."""
    for chances in (
        {"r3c3": {"d0": 0.95, ".": 0.05}, "r3c2": {"d0": 0.5, ".": 0.5}},
        {"r3c3": {"d0": 0.6, ".": 0.4}, "r3c2": {"d0": 0.4, ".": 0.6}},
        {"r3c3": {"d0": 0.97}, "r3c2": {"d0": 0.48}, "r2c3": {"d0": 0.48}},
    ):
        verdict = see(drawing(), Kingdom(), chances)
        assert isinstance(verdict, Question), chances
        assert len(verdict.choices) >= 2


def test_an_illegal_drawing_is_refused_with_its_rule() -> None:
    """Two dots far from the castle: clearly seen, and not allowed."""
    verdict = see(drawing(), Kingdom(), {"r1c1": {"d0": 0.99}, "r1c2": {"d0": 0.99}})
    assert isinstance(verdict, Ruled)
    assert verdict.refused
    assert verdict.ruling is not None
    assert verdict.ruling.rule.startswith("KDD")


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.floats(0.75, 0.999))
def test_what_stands_on_record_is_not_drawn_anew(seed: int, sure: float) -> None:
    """A map that reads as recorded, each square a little doubtful, says nothing whatever it holds."""
    rng = Random(seed)
    kingdom = Kingdom()
    for square in rng.sample([one for one in SQUARES if one != NUMBERS["r3c4"]], rng.randrange(20)):
        kingdom = kingdom.add(Mark(square, rng.randrange(6), rng.choice((0, 0, 1, 2))))
    state = drawing()
    state = state.with_side(1, type(state.side(1))(kingdom=kingdom))
    assert isinstance(see(state, kingdom, {}, sure), Nothing)


def test_maps_told_outright_are_left_alone() -> None:
    """What has no ranking (a scene from elsewhere) is taken as it is, and so is the spellbook."""
    plain = Sighting("sheet", "sheet-1", guesses=(Guess({"map": list(cells(Kingdom()))}, 0.9),))
    book = Sighting("sheet", "spellbook", guesses=(Guess({}, 0.9),))
    assert weighed(plain, drawing()) is plain
    assert weighed(book, drawing()) is book


def test_the_table_is_taken_as_it_is_only_where_it_can_be_read() -> None:
    """Maps of a game in progress are taken over, the record's where the paper may agree; doubts are told."""
    state = drawing()
    drawn = {
        "r3c3": {"d0": 0.99, ".": 0.01},
        "r3c2": {"s1": 0.99, ".": 0.01},
        "r2c3": {"b0": 0.99, ".": 0.01},
    }
    made = adopt(Follower(BOOK, (state,)), scene(state, Kingdom(), drawn))
    assert isinstance(made, DuelState)
    assert len(made.side(1).kingdom.marks()) == 3
    half = {"r3c3": {"d0": 0.6, ".": 0.4}, "r3c2": {"d0": 0.5, ".": 0.5}}
    kept = adopt(Follower(BOOK, (state,)), scene(state, Kingdom(), half))
    assert isinstance(kept, DuelState)
    assert kept.side(1).kingdom == Kingdom()
    torn = {**drawn, "r3c2": {"s1": 0.5, "s0": 0.5}}
    with pytest.raises(BadSetup, match="cannot be read for certain"):
        adopt(Follower(BOOK, (state,)), scene(state, Kingdom(), torn))


def maps_of(told: Mapping[str, Any], state: DuelState) -> list[tuple[float, Any]]:
    """The maps that a reading of the first player's sheet may mean, with their probabilities."""
    one = weighed(Sighting("sheet", "sheet-1", guesses=(Guess(told, 1.0),)), state)
    return [(guess.probability, guess.value) for guess in one.guesses]


def test_a_joker_may_be_drawn_as_any_coat() -> None:
    """With a joker among the dice stripes by the castle are likely; without one they are hardly believed."""
    drawn: Chances = {"r3c3": {"d0": 0.9, ".": 0.1}, "r3c2": {"s0": 0.6, ".": 0.4}}
    striped = []
    for roll in ("? d D S", "d d D S"):
        maps = maps_of(ranked(Kingdom(), drawn), drawing(roll))
        total = sum(p for p, _ in maps)
        striped.append(sum(p for p, one in maps if one["map"][2][1] is not None) / total)
    assert striped[0] > striped[1]


def test_a_coloured_roof_adds_no_second_cross() -> None:
    """Once the castle has given its cross, one more cross than the die shows is less likely."""
    drawn: Chances = {"r3c3": {"d0": 0.5, "d1": 0.5}, "r3c2": {"d0": 0.99}}
    given = []
    for roof in (False, True):
        state = drawing()
        state = state.with_side(1, type(state.side(1))(roof=roof))
        told = ranked(Kingdom(), drawn)
        del told["roof_confidence"]  # a reader that says nothing of the roof leaves it as it is on record
        maps = maps_of(told, state)
        assert {one["roof"] for _, one in maps} == {roof}
        crossed = [p for p, one in maps if (one["map"][2][2] or {}).get("crosses") == 1]
        given.append(sum(crossed) / sum(p for p, _ in maps))
    assert given[1] < given[0]


def test_what_a_reader_cannot_mean_is_passed_over() -> None:
    """Alternatives that are no squares at all say nothing, and the rest is read all the same."""
    told = ranked(Kingdom(), {"r3c3": {"d0": 0.9, ".": 0.1}, "r3c2": {"d0": 0.9, ".": 0.1}})
    whole = maps_of(told, drawing())
    for row in told["map"]:
        for cell in row:
            cell["alternatives"] += ["?", {"coat": "unicorn", "confidence": 0.5}]
    told["map"][0][0] = None
    assert maps_of(told, drawing())[0][1] == whole[0][1]


def test_where_many_squares_seem_to_hold_a_little_nothing_is_drawn() -> None:
    """A dark map: none of its squares is surely empty, and no two of them stand out."""
    haze = {name: {".": 0.9, "d0": 0.05, "s0": 0.04} for square, name in NAMES.items() if square != CASTLE}
    state = drawing()
    told = maps_of({"map": ranked(Kingdom(), haze)["map"]}, state)
    assert isinstance(see(state, Kingdom(), haze), Nothing)
    assert [one["map"] for _, one in told] == [list(cells(Kingdom()))]


def test_a_drawing_is_the_less_likely_the_more_dice_are_still_to_be_taken() -> None:
    """What is doubtful while they are taken is not, once they are."""
    rolled = BOOK.observe(BOOK.start(setup={"a": 1}), BOOK.parse_fact("see roll d d D S"))
    assert isinstance(rolled, DuelState)
    doubtful = ranked(Kingdom(), {"r3c3": {".": 0.02, "d0": 0.98}, "r3c2": {".": 0.02, "d0": 0.98}}, 1.0)
    likely = []
    for state in (rolled, drawing()):
        ways = maps_of(doubtful, state)
        likely.append(sum(p for p, one in ways if one["map"] != list(cells(Kingdom()))))
    assert likely[0] < likely[1]


def test_a_drawing_that_is_rubbed_out_was_taken_back() -> None:
    """Both its squares are empty again; one alone is no drawing that could have been taken back."""
    before = drawing()
    after = BOOK.play(before, BOOK.parse("1: draw d@r3c3 d@r3c2"))
    assert isinstance(after, DuelState)
    follower = Follower(BOOK, (before, after), ("1: draw d@r3c3 d@r3c2",))
    drawn = Kingdom().add(Mark(NUMBERS["r3c3"], 0, 0)).add(Mark(NUMBERS["r3c2"], 0, 0))
    follower = follower.at(scene(after, drawn, {}))
    verdict = follower.see(scene(after, Kingdom(), {}, 0.99))
    assert isinstance(verdict, TakeBack)
    assert verdict.steps == 1
    half = follower.see(scene(after, drawn, {"r3c2": {".": 0.999}}, 0.99))
    assert not isinstance(half, TakeBack | Ruled)


@pytest.mark.parametrize("sure", [0.0, 0.02, 0.9])
def test_a_roof_that_is_rubbed_out_is_asked_about(sure: float) -> None:
    """The castle's cross may still be to be used; a roof that is only fainter than it was is coloured."""
    before = drawing()
    after = BOOK.play(before, BOOK.parse("1: castle 1"))
    assert isinstance(after, DuelState)

    def seen(state: DuelState, roof: float) -> Scene:
        """The table with a roof that is as surely coloured."""
        told = {**ranked(Kingdom(), {}, 0.99), "roof": roof > 0.5, "roof_confidence": roof}
        plain = scene(state, Kingdom(), {}, 0.99)
        maps = Sighting("sheet", "sheet-1", guesses=(Guess(told, 1.0),))
        others = (one for one in plain.sightings if one.region != "sheet-1")
        return replace(plain, sightings=(*others, maps), by=1, visits=1)

    follower = Follower(BOOK, (before, after), ("1: castle 1",)).at(seen(after, 1.0))
    assert isinstance(follower.see(seen(after, 1.0)), Nothing)
    verdict = follower.see(seen(before, sure))
    if sure:
        assert isinstance(verdict, Nothing)
    else:
        assert isinstance(verdict, Question)
        assert isinstance(verdict.choices[0].outcome, TakeBack)


@pytest.mark.parametrize(
    ("gone", "said"),
    [
        (("sheet-1", "sheet-2"), "I cannot find player 1's map nor player 2's map: "),
        (("sheet-2",), "I cannot find player 2's map: "),
        (("spellbook",), ""),
    ],
)
def test_a_map_that_is_nowhere_to_be_seen_is_asked_for(gone: tuple[str, ...], said: str) -> None:
    """Whoever has to draw is told so, unless a hand lies over the map; nobody else's map is missed."""
    state = drawing()
    whole = Table(1).scene(BOOK.layout(state), visits=1)
    follower = Follower(BOOK, (state,)).at(whole)
    assert isinstance(follower.see(whole), Nothing)
    seen = replace(whole, sightings=tuple(one for one in whole.sightings if one.region not in gone))
    verdict = follower.see(seen)
    if not said:
        assert isinstance(verdict, Nothing)
        return
    assert isinstance(verdict, Incomplete)
    assert verdict.sentence.startswith(said)
    told = replace(follower, told_all=True).see(replace(seen, visits=0))
    assert isinstance(told, Incomplete), "a word of what was done finds no map"
    covered = tuple(Hidden(region, ((-1.0, -1.0), (1.0, -1.0), (0.0, 1.0))) for region in gone)
    assert isinstance(follower.see(replace(seen, hidden=covered)), Nothing)


def test_no_map_is_missed_while_nobody_has_to_draw() -> None:
    """Before the dice are taken, and of a player who has drawn."""
    rolled = BOOK.observe(BOOK.start(setup={"a": 1}), BOOK.parse_fact("see roll d d D S"))
    drawn = BOOK.play(drawing(), BOOK.parse("1: draw d@r3c3 d@r3c2"))
    for state, said in ((rolled, ""), (drawn, "I cannot find player 2's map: ")):
        whole = Table(1).scene(BOOK.layout(state))
        bare = Scene(tuple(one for one in whole.sightings if one.kind != "sheet"))
        verdict = Follower(BOOK, (state,)).at(bare).see(bare)
        assert isinstance(verdict, Incomplete if said else Nothing)
        assert said in verdict.sentence


@pytest.mark.parametrize("seed", [9, 11, 28])
def test_a_cross_that_a_power_allows_is_seen_though_the_dice_were_put_away(seed: int) -> None:
    """Whoever has won P6 draws his cross, and the dice lie together for the next roll: that is one move."""
    whole, table = WholeGame.begin("kingdomino-duel", seed=seed, mind=decide), Table(seed)
    scene = table.scene(whole.layout)
    while (deed := whole.next()) is not None and " P6 " not in deed.text:
        whole.do(deed)
        scene = table.scene(whole.layout)
    assert deed is not None
    follower = Follower(whole.book, (whole.seen,)).at(scene)
    verdict = follower.see(table.scene(deed.event.after, visits=1, by=deed.event.player))
    assert isinstance(verdict, Ruled)
    assert [one.text for one in verdict.happened] == [deed.text]
