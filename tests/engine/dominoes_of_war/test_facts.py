"""What the table reveals: taken exactly where it is possible, refused with an id of its own where not."""

from collections import Counter
from random import Random

import pytest

from engine import ImpossibleFact
from engine.dominoes import tile
from engine.dominoes_of_war.model import Armies, Flipped, Lot, Shown, WarFact, WarState
from engine.dominoes_of_war.places import place_called
from tests.engine.dominoes_of_war.scene import BOOK, EAST, WEST, after, book, table

D5 = place_called("d5")


def impossible(state: WarState, fact: WarFact) -> str:
    """The id by which a fact cannot be; the state must be the same after it."""
    before = state.to_json()
    with pytest.raises(ImpossibleFact) as wrong:
        BOOK.observe(state, fact)
    assert state.to_json() == before
    assert wrong.value.sentence.endswith(".")
    return wrong.value.rule


@pytest.mark.rules("DOW-S2", "DOW-P2", "OBS-DOW-DUE", "OBS-DOW-ARMY", "OBS-DOW-LOT")
def test_armies_and_lot_are_seen_before_the_set_up() -> None:
    """First the armies are seen, then who wins the lot; anything else is refused."""
    state = BOOK.start()
    assert len(list(BOOK.possible_facts(state))) == 9
    assert impossible(state, Lot(1)) == "OBS-DOW-DUE"
    assert impossible(state, Armies("army", "navy")) == "OBS-DOW-ARMY"
    state = after(state, "see armies indians army")
    assert list(BOOK.possible_facts(state)) == [Lot(1), Lot(2)]
    assert impossible(state, Lot(3)) == "OBS-DOW-LOT"
    state = after(state, "see lot 2")
    assert (BOOK.movers(state), BOOK.pending(state)) == ((2,), None)
    assert impossible(state, Lot(1)) == "OBS-DOW-DUE"
    assert list(BOOK.possible_facts(state)) == []
    with pytest.raises(ImpossibleFact):
        BOOK.sample(state, Random(1))


def test_a_random_set_up_is_drawn_from_the_seed_alone() -> None:
    """The same seed draws the same armies and lot, and different seeds draw all of them."""
    assert BOOK.start(rng=Random(7)) == BOOK.start(rng=Random(7))
    drawn = {(state.armies, state.turn) for seed in range(200) for state in [BOOK.start(rng=Random(seed))]}
    assert len(drawn) == 18


@pytest.mark.rules("OBS-DOW-TROOP", "OBS-DOW-DUE", "DOW-S5", "DOW-P3")
def test_hidden_troops_are_seen_when_all_are_stocked() -> None:
    """A hidden soldier turns out to be one of his side's army that the pool has left, and only he is seen."""
    troops = [{"at": at, "side": 1, "kind": "grunt"} for at in WEST[:5]]
    troops += [{"at": at, "side": 2, "kind": "sniper"} for at in EAST[:3]]
    troops += [{"at": WEST[5], "side": 1, "kind": "hidden"}, {"at": EAST[3], "side": 2, "kind": "hidden"}]
    troops += [{"at": at, "side": 2, "kind": "grunt"} for at in EAST[4:]]
    walls = ["a1/a2", "b1/b2", "c1/c2", "d1/d2"]
    state = BOOK.start(setup={"bases": [WEST, EAST], "walls": walls, "troops": troops})
    assert BOOK.pending(state) == "troop"
    hidden = place_called(WEST[5])
    assert impossible(state, Shown(hidden, "grunt")) == "OBS-DOW-TROOP"
    assert impossible(state, Shown(hidden, "lightfoot")) == "OBS-DOW-TROOP"
    assert impossible(state, Shown(hidden, "pirate")) == "OBS-DOW-TROOP"
    assert impossible(state, Shown(place_called(WEST[0]), "grunt")) == "OBS-DOW-DUE"
    assert impossible(state, Shown(D5, "grunt")) == "OBS-DOW-DUE"
    assert impossible(state, Flipped(D5, tile(1, 2))) == "OBS-DOW-DUE"
    assert len(list(BOOK.possible_facts(state))) == 4 + 4
    state = after(state, f"see {EAST[3]} kamikaze", f"see {WEST[5]} general")
    assert (state.phase, state.pools) == ("act", ((3, 0, 3, 4, 3), (4, 3, 0, 3, 3)))


@pytest.mark.rules("OBS-DOW-SET", "OBS-DOW-TWICE", "OBS-DOW-DUE", "DOW-F1")
def test_a_flipped_tile_is_an_unseen_one_of_the_set_under_the_troop() -> None:
    """Another place, a tile beyond the set, and one that was seen already are refused."""
    state = table("1:grunt@d4 1:grunt@e4 2:general@h8", field={"a1": "1-2"}, mines=["3-3"])
    assert impossible(state, Flipped(D5, tile(0, 1))) == "OBS-DOW-DUE"
    state = after(state, "move d4 d5")
    assert impossible(state, Flipped(place_called("d6"), tile(0, 1))) == "OBS-DOW-DUE"
    assert impossible(state, Flipped(D5, tile(0, 13))) == "OBS-DOW-SET"
    assert impossible(state, Flipped(D5, tile(1, 2))) == "OBS-DOW-TWICE"
    assert impossible(state, Flipped(D5, tile(3, 3))) == "OBS-DOW-TWICE"
    assert len(list(BOOK.possible_facts(state))) == 89


def test_tiles_are_drawn_as_likely_as_they_lie_there() -> None:
    """Of two double-nine sets a tile seen once is drawn half as often as one that was not seen."""
    rules = book("set=d9x2")
    state = table("1:grunt@d4 2:general@h8", rules=rules, field={"a1": "1-2", "b1": "1-3", "c1": "1-3"})
    state = after(state, "move d4 d5", rules=rules)
    rng = Random(1)
    drawn = Counter(rules.format_fact(rules.sample(state, rng)) for _ in range(20_000))
    assert drawn["see d5 1-3"] == 0
    assert 0.3 < drawn["see d5 1-2"] / drawn["see d5 1-4"] < 0.7
