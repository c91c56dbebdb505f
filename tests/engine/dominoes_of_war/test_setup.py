"""Set-ups that were seen, and states as plain data: what cannot be is named in one sentence."""

import json
from random import Random
from time import process_time

import pytest

from engine import BadSetup, State
from engine.dominoes_of_war import DominoesOfWar
from engine.history import History
from engine.nearness import nearest
from engine.plain import BadData, Json
from tests.engine.dominoes_of_war.scene import BOOK, EAST, WEST, after, book, standing, table, words

FOE = " 2:general@h8"
FOE_THERE = {"at": "h8", "side": 2, "kind": "general"}


def soldier(at: str, kind: str, facing: str = "") -> dict[str, Json]:
    """A soldier of player 1 as data."""
    return {"at": at, "side": 1, "kind": kind, "facing": facing}


WALLS = ["a1/a2", "b1/b2", "c1/c2", "d1/d2"]
STOCK = [
    {"at": at, "side": side, "kind": kind}
    for side, base in ((1, WEST), (2, EAST))
    for at, kind in zip(base, ("general", "grunt", "grunt", "sniper", "kamikaze", "grenadier"), strict=True)
]


def test_an_empty_set_up_begins_with_the_bases() -> None:
    """Nothing but the field: the first player places his base, and the pools are full."""
    state = BOOK.start(setup={})
    assert (state.phase, state.turn, state.spare) == ("bases", 1, 11)
    assert state.pools == ((4, 5, 3, 4, 3),) * 2


@pytest.mark.parametrize(
    ("setup", "phase", "turn"),
    [
        ({"starter": 2}, "bases", 2),
        ({"starter": 2, "bases": [[], EAST]}, "bases", 1),
        ({"bases": [WEST, EAST]}, "walls", 1),
        ({"bases": [WEST, EAST], "walls": WALLS[:3]}, "walls", 2),
        ({"bases": [WEST, EAST], "walls": WALLS}, "stock", 1),
        ({"bases": [WEST, EAST], "walls": WALLS, "troops": STOCK}, "act", 1),
        ({"bases": [WEST, EAST], "walls": WALLS, "troops": STOCK, "turn": 2}, "act", 2),
        ({"phase": "lot"}, "lot", 1),
    ],
)
def test_a_set_up_is_at_the_first_step_that_is_missing(setup: dict[str, Json], phase: str, turn: int) -> None:
    """What was seen of an opening says what comes next."""
    state = BOOK.start(setup=setup)
    assert (state.phase, state.turn) == (phase, turn)


def test_a_game_in_progress_can_be_adopted() -> None:
    """Pools and spare tiles are what the table leaves; a state's own plain form is a set-up too."""
    state = table(
        "1:grunt@d4 2:sniper@h8>n", walls="a1/a2", field={"d4": "1-2"}, mines=["3-3", "0-0"], rubble=2
    )
    assert (state.pools[0][1], state.pools[1][2], state.spare) == (4, 2, 91 - 64 - 12 - 3 - 2)
    assert BOOK.start(setup=state.to_json()) == state
    moved = after(state, "move d4 d5")
    assert BOOK.start(setup=moved.to_json()) == moved


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"tanks": 1}, "has no entry 'tanks'"),
        ({"game": "draw-game"}, "should be of 'dominoes-of-war'"),
        ({"version": 2}, "version 1"),
        ({"bases": [WEST[:5], EAST]}, "The base of player 1 has 5 tiles; it should have 6."),
        ({"bases": [[*WEST[:5], "(0,8)"], EAST]}, "(0,8) does not touch the rest"),
        ({"bases": [["(-9,3)", *(f"(-{x},3)" for x in range(4, 9))], EAST]}, "has 0 entrances"),
        ({"bases": [WEST, ["(0,5)", "(-1,5)", "(-2,5)", "(-3,5)", "(-4,5)", "(-5,5)"]]}, "should not touch"),
        ({"walls": ["(0,3)/a3"]}, "The wall (0,3)/a3 should stand between two tiles of the field."),
        (
            {"troops": [soldier("d4", "sniper", facing="ne"), FOE_THERE]},
            "faces ne; he may face n, e",
        ),
        ({"field": {"a1": "0-13"}}, "The tile 0-13 is not in the set"),
        ({"field": {"a1": "3-3"}, "mines": ["3-3"]}, "The tile 3-3 lies there 2 times; the set has 1."),
        ({"spare": 99}, "the set has 91"),
        ({"rubble": 30}, "the set has 91"),
        (
            {"discarded": [{"grunt": 5}, {}]},
            "Player 1 has lost or on the table 6 of the type Grunt; there are 5.",
        ),
        ({"troops": [soldier("i9", "grunt")]}, "names a place that is none"),
    ],
)
def test_an_impossible_set_up_names_what_is_wrong(changes: dict[str, Json], says: str) -> None:
    """One sentence names the piece or place and what would be right."""
    with pytest.raises(BadSetup) as wrong:
        BOOK.start(setup=words("1:grunt@d4" + FOE) | changes)
    assert says in str(wrong.value)
    assert str(wrong.value).endswith(".")


def test_an_opening_is_held_to_the_rules_of_bases() -> None:
    """Before play a base has six tiles and at most two entrances; in play bonuses may have changed that."""
    three = ["(-1,3)", "(-1,4)", "(-1,5)", "(0,3)", "(0,4)", "(0,5)"]
    for base in (three, [*WEST, "(0,5)"]):
        with pytest.raises(BadSetup):
            BOOK.start(setup={"bases": [base, EAST]})
        assert BOOK.start(setup=words("1:grunt@d4" + FOE) | {"bases": [base, EAST]}).phase == "act"
    hidden = [{"at": at, "side": 1, "kind": "hidden"} for at in WEST]
    few = {"discarded": [{"grunt": 5, "general": 4, "sniper": 3, "kamikaze": 2}, {}]}
    with pytest.raises(BadSetup, match="more hidden soldiers than the 5 that are left"):
        BOOK.start(setup={"bases": [WEST, EAST], "walls": WALLS, "troops": hidden, **few})


def test_other_sets_and_readings_allow_other_set_ups() -> None:
    """A tile twice in two sets, walls on bases, uncounted tiles and eight facings can be adopted."""
    twice = words("1:grunt@d4" + FOE) | {"field": {"a1": "3-5", "b1": "3-5"}}
    assert book("set=d9x2").start(setup=twice).spare == 110 - 76
    custom = book("set=custom")
    assert custom.start(setup=twice | {"spare": 7}).spare == 7
    assert custom.start(setup=twice).spare == 4
    walled = words("1:grunt@d4" + FOE) | {"walls": ["(0,3)/a3"]}
    assert len(book("wall_on_base=yes").start(setup=walled).walls) == 1
    state = table("1:sniper@d4>ne" + FOE, rules=book("facing=8"))
    assert state.troops[0].facing == "ne"


PLAIN = table("1:grunt@d4 2:sniper@h8>n", walls="a1/a2", field={"d4": "1-2"}, mines=["3-3"]).to_json()


def test_a_state_reads_back_from_json() -> None:
    """The plain form is JSON and reads back as the same state, also for whoever knows only that it is one."""
    data = json.loads(json.dumps(PLAIN))
    state = DominoesOfWar.read_state(data)
    assert state.to_json() == PLAIN
    assert State.from_json(data) == state
    assert standing(state) == "1:grunt@d4 2:sniper@h8"


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"game": "chess"}, "'game' should be"),
        ({"version": 9}, "'version' should be 1"),
        ({"phase": "lunch"}, "'phase' should be one of"),
        ({"ended": "lost"}, "'ended' should be won"),
        ({"turn": 3}, "'turn' should be 1 or 2"),
        ({"turn": True}, "'turn' should be 1 or 2"),
        ({"armies": ["army"]}, "two parts"),
        ({"armies": ["army", "navy"]}, "should hold army, cowboys, indians"),
        ({"actions": -1}, "'actions' should be 0 or more"),
        ({"bases": [["d4"], EAST]}, "the base of player 1 has a tile on d4"),
        ({"bases": [WEST, WEST]}, "the base of player 2 has a tile on (-2,3)"),
        ({"walls": ["a1-a2"]}, "should read like d4/d5"),
        ({"walls": ["a1/a3"]}, "the wall a1/a3 should stand between two tiles"),
        ({"walls": ["(0,7)/(0,8)"]}, "should stand between two tiles"),
        ({"walls": ["a1/a2", "a2/a1"]}, "two walls stand on a1/a2"),
        (
            {"troops": [soldier("d4", "lightfoot")]},
            "the troop on d4 should be one of general",
        ),
        ({"troops": [soldier("d4", "grunt", facing="n")]}, "only Snipers have one"),
        ({"troops": [soldier("d4", "sniper", facing="up")]}, "has the facing 'up'"),
        ({"troops": [soldier("d4", "grunt")] * 2}, "two troops stand on d4"),
        ({"troops": [soldier("(4,9)", "grunt")]}, "should stand on a tile"),
        ({"troops": [soldier("d4", "hidden")]}, "in play every type is known"),
        ({"pools": [{"lightfoot": 1}, {}]}, "'pools' names 'lightfoot'"),
        ({"field": {"(0,3)": "1-2"}}, "'field' names (0,3)"),
        ({"field": {"a1": "1+2"}}, "should be a tile such as 3-5"),
        ({"field": {"a1": "1-99"}}, "should be a tile such as 3-5"),
        ({"mines": ["1-2"]}, "a mine should be a double"),
        ({"focus": "d4"}, "'focus' is only for the phase tile"),
        ({"phase": "tile", "focus": "d4"}, "'focus' should name the face-down tile"),
        ({"phase": "face", "focus": "h8"}, "'focus' is only for the phase tile"),
        ({"phase": "face"}, "'faced' should name some Snipers of player 1, but not all"),
        ({"phase": "face", "turn": 2, "faced": ["h8"]}, "'faced' should name some Snipers of player 2"),
        ({"phase": "face", "turn": 2, "faced": ["d4"]}, "'faced' should name some Snipers of player 2"),
        ({"faced": ["h8"]}, "'faced' is only for the phase face"),
        ({"walk": {"at": "a1", "left": 1}}, "'walk' names a1, where no troop stands"),
        ({"bonus": 10}, "'bonus' should be"),
        ({"phase": "bonus", "bonus": 11}, "'bonus' should be"),
        ({"ended": "won"}, "'ended' should say"),
        ({"phase": "over", "ended": "won"}, "2 of the two sides have troops; in the phase over ended by won"),
        ({"troops": []}, "0 of the two sides have troops"),
        ({"bases": [WEST, []]}, "player 2 has no base"),
    ],
)
def test_a_spoilt_state_names_what_is_wrong(changes: dict[str, Json], says: str) -> None:
    """Each entry that cannot be is named, with what would be right."""
    with pytest.raises(BadData) as wrong:
        DominoesOfWar.read_state({**PLAIN, **changes})
    assert says in str(wrong.value)


def test_states_of_before_snipers_were_faced_in_any_order_are_read() -> None:
    """They lack the entry 'faced', and 'focus' names the first Sniper who has no facing yet."""
    state = after(table("1:sniper@b2 1:sniper@d4 1:sniper@f6 2:grunt@h8"), "end", "face b2 n")
    data = state.to_json()
    assert data.pop("faced") == ["b2"]
    assert DominoesOfWar.read_state({**data, "focus": "d4"}) == state
    setup = {key: data[key] for key in ("phase", "turn", "troops", "bases")}
    assert BOOK.start(setup={**setup, "focus": "d4"}).unfaced == state.unfaced


@pytest.mark.parametrize("key", sorted(PLAIN.keys() - {"faced"}))
def test_a_missing_entry_is_named(key: str) -> None:
    """No entry of a state may be missing, but for one that there was not always."""
    with pytest.raises(BadData, match=f"lacks the entry '{key}'"):
        DominoesOfWar.read_state({other: value for other, value in PLAIN.items() if other != key})


def test_where_bases_are_due_the_nearest_are_the_same_among_few_as_among_all() -> None:
    """Thousands of them need no look to name the three nearest, whatever was tried instead."""
    state = after(BOOK.start(rng=Random(3)), "1: first 1")
    bases = BOOK.legal_moves(state)
    assert len(bases) > 1000
    wrong = (
        "1: base (0,-1) (1,-1) (2,-1) (3,-1) (4,-1) (5,-1)",
        "2: base (1,9) (1,10) (2,10) (3,10) (4,9) (4,10)",
    )
    for line in (*wrong, "1: wall c3/c4", "2: wall a2/b2", "1: stock (3,-1) grunt", "2: end"):
        move = BOOK.parse(line)
        every = [(base, BOOK.footprint(state, base)) for base in bases]
        near = nearest(BOOK.footprint(state, move), every)
        assert BOOK.check(state, move).nearest == tuple(BOOK.format(base) for base in near)
        assert len(BOOK.candidates(state, move)) == 3


def test_an_early_base_is_corrected_within_a_blink() -> None:
    """Taken back, it leaves every later move refused, each with its nearest legal ones: within 100 ms."""
    rng = Random(3)
    history = History.begin("dominoes-of-war", seed=3)
    for _ in range(40):
        if BOOK.pending(history.state):
            history = history.fact(BOOK.format_fact(BOOK.sample(history.state, rng)))
        else:
            history = history.move(BOOK.format(rng.choice(BOOK.legal_moves(history.state))))
    took = []
    for _ in range(3):
        began = process_time()
        corrected = history.correct(2, None)
        took.append(process_time() - began)
    assert sum(step.ruling is not None and not step.ruling.allowed for step in corrected.steps) > 20
    assert min(took) < 0.1
