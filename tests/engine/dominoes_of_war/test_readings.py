"""Every reading of what the rules leave open is a setting, and every alternative changes something."""

import pytest

from engine import BadProfile, rulebook
from engine.dominoes_of_war.model import DOWN, WarState
from engine.dominoes_of_war.places import FIELD_INDEX, place_called
from engine.dominoes_of_war.readings import READINGS
from engine.profile import Profile
from tests.engine.dominoes_of_war.scene import (
    BOOK,
    EAST,
    WEST,
    after,
    allowed,
    bare,
    book,
    broken,
    judged,
    offers,
    refused,
    standing,
    table,
)

FOE = " 2:general@h8"
COWBOYS = ["cowboys", "army"]
INDIANS = ["indians", "army"]

FIXED = {
    1: ("range", "up_to"),
    6: ("hits", "kill"),
    7: ("lines", "straight"),
    10: ("entrance", "side"),
    11: ("base_joint", "side"),
    16: ("spawn_cost", "leader"),
    17: ("bonus_spawn", "free"),
    18: ("spawn_place", "any"),
    23: ("mine_replace", "facedown"),
    24: ("flipped_mine", "harmless"),
    27: ("infinite", "gap"),
    29: ("run_cost", "move"),
    30: ("blow_centre", "before"),
    31: ("shot_centre", "own"),
    33: ("enemy_base", "enter"),
    34: ("out_of_base", "own"),
    35: ("quick_shot", "two"),
    38: ("stocking", "pool"),
    39: ("blow_flip", "no"),
    40: ("throw_gap", "stop"),
    41: ("attack_nothing", "quick_shot"),
    42: ("base_to_base", "no"),
    43: ("bonus_limits", "spare"),
    47: ("facing_order", "any"),
}
"""The readings to which there is no alternative."""


@pytest.mark.rules("A-W1", "A-W6", "A-W7", "A-W10", "A-W11", "A-W16", "A-W17", "A-W18", "A-W23", "A-W24")
@pytest.mark.rules("A-W27", "A-W29", "A-W30", "A-W31", "A-W33", "A-W34", "A-W35", "A-W38", "A-W39", "A-W40")
@pytest.mark.rules("A-W41", "A-W42", "A-W43", "A-W47")
def test_every_open_point_is_a_setting() -> None:
    """A-W1 to A-W47 are settings with their defaults; those without alternative say their one."""
    assert {reading.id for reading in READINGS.all} == {f"A-W{number}" for number in range(1, 48)}
    for number, (key, value) in FIXED.items():
        assert BOOK.settings[key] == value
        (reading,) = [one for one in READINGS.all if one.id == f"A-W{number}"]
        assert list(reading.choices) == [value]
        with pytest.raises(BadProfile):
            book(f"{key}=otherwise")


@pytest.mark.rules("A-W19")
def test_the_profiles_2015_and_2016_differ_in_where_the_killed_go() -> None:
    """In 2015, the default, killed troops return to their pool; in 2016 they are out of the game."""
    state = table("1:grunt@d4 2:grunt@d6" + FOE)
    assert rulebook("dominoes-of-war", "2015").settings == BOOK.settings
    shot = after(state, "shoot d4 d6")
    assert (shot.pools[1], sum(shot.discarded[1])) == ((3, 5, 3, 4, 3), 0)
    shot = after(state, "shoot d4 d6", rules=type(BOOK)(Profile("2016")))
    assert (shot.pools[1], shot.discarded[1]) == ((3, 4, 3, 4, 3), (0, 1, 0, 0, 0))


@pytest.mark.rules("A-W2")
def test_move_through() -> None:
    """Moves cross no troops, or under the alternative any, but end on empty tiles all the same."""
    state = table("1:grunt@a1 1:sniper@a2 2:sniper@b1" + FOE)
    assert offers(state, "move a1") == []
    through = book("move_through=yes")
    assert len(offers(state, "move a1", through)) == 8
    assert refused(state, "move a1 b1", through) == "A-W2"
    assert standing(after(state, "move a1 a3", rules=through)).startswith("1:sniper@a2 1:grunt@a3")


@pytest.mark.rules("A-W3")
def test_flip_every_tile_of_the_path() -> None:
    """Under ``path`` a move is made tile by tile, each being flipped, and is one action all the same."""
    rules = book("flip=path")
    state = table("1:grunt@d4 1:kamikaze@a4 2:grunt@b5 2:general@h8", walls="d5/d6 a6/b6")
    assert offers(state, "move d4", rules) == ["move d4 c4", "move d4 d3", "move d4 d5", "move d4 e4"]
    assert broken(state, "move d4 e5", rules) == ["A-W3"]
    assert broken(state, "run a4 b5", rules) == ["A-W3"]
    assert broken(state, "blow a4 a6/b6", rules) == ["DOW-KAM-W"]
    state = after(state, "move d4 e4", "see e4 4-6", "forfeit", "move e4 e5", "see e5 0-1", rules=rules)
    assert (state.actions, state.walk and state.walk.left) == (1, 1)
    assert judged(state, "move e5 e7", rules).reason == (
        "The Grunt has 1 space left along rows and columns; e5 to e7 is 2 spaces."
    )
    assert type(BOOK).read_state(state.to_json()) == state
    done = after(state, "move e5 e6", "see e6 0-2", rules=rules)
    assert (done.walk, refused(done, "move e6 e7", rules)) == (None, "DOW-T2")
    other = after(state, "move a4 a5", "see a5 0-3", rules=rules)
    assert refused(other, "move e5 e6", rules) == "DOW-T2"
    assert offers(other, "run", rules) == ["run a5 b5"]
    assert after(other, "run a5 b5", rules=rules).actions == 2
    lost = after(state, "move e5 e6", "see e6 7-7", rules=rules)
    assert (lost.walk, standing(lost)) == (None, "1:kamikaze@a4 2:grunt@b5 2:general@h8")
    twelve = after(state, "move a4 a5", "see a5 5-7", rules=rules)
    assert twelve.walk is None


@pytest.mark.rules("A-W3", "DOW-KAM-W")
def test_a_kamikaze_flips_the_tile_before_a_wall_where_every_tile_is_flipped() -> None:
    """Under ``path`` it must move to the wall first, and blows it up with the steps that it has left."""
    rules = book("flip=path")
    state = table("1:kamikaze@a4" + FOE, walls="a5/a6")
    assert broken(state, "blow a4 a5/a6", rules) == ["A-W3"]
    state = after(state, "move a4 a5", "see a5 0-1", rules=rules)
    assert offers(state, "blow", rules) == ["blow a5 a5/a6"]
    assert allowed(state, "blow a5 a5/a6", rules) == "DOW-KAM-W"
    through = book("flip=path+move_through=yes")
    state = table("1:grunt@a1 1:sniper@a2" + FOE)
    assert "move a1 a3" in offers(state, "move a1", through)
    assert "move a1 b3" not in offers(state, "move a1", through)
    assert broken(state, "move a1 c1", through) == ["A-W3"]


@pytest.mark.rules("A-W4")
def test_los_blocked_by_troops() -> None:
    """Troops stop shots, or under the alternative do not."""
    state = table("1:grunt@d4 1:sniper@d5 2:grunt@d6")
    free = book("los_blocked_by_troops=no")
    assert refused(state, "shoot d4 d6") == "A-W4"
    assert allowed(state, "shoot d4 d6", free) == "DOW-GRU-A"
    state = table("1:quick-shot@d4 2:grunt@d5 2:grunt@d7 2:grunt@e4", armies=COWBOYS)
    assert "shoot d4 d7 e4" not in offers(state, "shoot")
    assert "shoot d4 d7 e4" in offers(state, "shoot", free)


@pytest.mark.rules("A-W5")
def test_friendly_fire() -> None:
    """Own troops may not be attacked, or under the alternative they may, but nobody attacks himself."""
    state = table("1:grunt@d4 1:sniper@d5 2:grunt@h8")
    free = book("friendly_fire=yes")
    assert refused(state, "shoot d4 d5") == "A-W5"
    assert allowed(state, "shoot d4 d5", free) == "DOW-GRU-A"
    assert broken(state, "shoot d4 d4", free) == ["A-W7"]


@pytest.mark.rules("A-W8")
def test_diagonal_wall() -> None:
    """A slanting step is stopped if both ways are cut, or under ``any`` by a single wall at the corner."""
    state = table("1:general@d4" + FOE, walls="d4/d5")
    assert allowed(state, "move d4 e5") == "DOW-GEN-M"
    assert refused(state, "move d4 e5", book("diagonal_wall=any")) == "DOW-W1"
    assert len(offers(state, "move d4", book("diagonal_wall=any"))) == 5
    state = table("1:grunt@d2 2:kamikaze@d4 2:grunt@e5" + FOE, walls="d4/d5")
    assert standing(after(state, "shoot d2 d4")) == "1:grunt@d2 2:general@h8"
    shot = after(state, "shoot d2 d4", rules=book("diagonal_wall=any"))
    assert standing(shot) == "1:grunt@d2 2:grunt@e5 2:general@h8"


@pytest.mark.rules("A-W9")
def test_base_diagonal() -> None:
    """A slanting step between field and base leads past an entrance, or under ``none`` nowhere."""
    state = table("1:general@a5 2:general@h8")
    assert allowed(state, "move a5 (0,4)") == "DOW-GEN-M"
    assert refused(state, "move a5 (0,4)", book("base_diagonal=none")) == "A-W9"


@pytest.mark.rules("A-W12")
def test_bases_may_touch() -> None:
    """The bases keep apart, or under the alternative may touch by their sides."""
    beside = "base (-4,5) (-3,5) (-2,5) (-1,5) (0,5) (0,6)"
    state = after(BOOK.start(setup={}), "base " + " ".join(WEST))
    assert refused(state, beside) == "A-W12"
    close = book("bases_may_touch=yes")
    assert allowed(state, beside, close) == "DOW-S3"
    assert len(close.legal_moves(state)) > len(BOOK.legal_moves(state))


@pytest.mark.rules("A-W13")
def test_wall_on_base() -> None:
    """Walls stand in the field, or under the alternative between any two tiles."""
    state = BOOK.start(setup={"bases": [WEST, EAST]})
    free = book("wall_on_base=yes")
    assert refused(state, "wall (0,3)/a3") == "A-W13"
    assert allowed(state, "wall (0,3)/a3", free) == "DOW-S4"
    assert len(BOOK.legal_moves(state)) == 112
    assert len(free.legal_moves(state)) == 112 + 7 + 2 + 5 + 1
    bent = ["(0,3)", "(-1,3)", "(-1,4)", "(-1,5)", "(-1,6)", "(-1,7)"]
    inside = table("1:general@(0,3)" + FOE, walls="(-1,3)/(-1,4)", bases=[bent, EAST], rules=free)
    assert allowed(inside, "move (0,3) (-1,4)", free) == "DOW-GEN-M"
    assert refused(inside, "move (0,3) (-1,4)", book("wall_on_base=yes+diagonal_wall=any")) == "DOW-W1"
    shut = table("1:grunt@(0,3)" + FOE, walls="(0,3)/a3", rules=free)
    assert judged(shut, "move (0,3) a3", free).facts["steps"] == 3


@pytest.mark.rules("A-W14")
def test_wall_seal() -> None:
    """Walls that cut off a part of the map are allowed with a warning, or under ``refuse`` not allowed."""
    state = BOOK.start(setup={"bases": [WEST, EAST], "walls": ["a1/a2"]})
    ruling = judged(state, "wall a1/b1")
    assert ruling.facts == {"sealed": ["a1"]}
    assert ruling.reason == "Player 2 stands a wall on a1/b1. This cuts off a1."
    strict = book("wall_seal=refuse")
    assert refused(state, "wall a1/b1", strict) == "A-W14"
    assert len(offers(state, "wall", strict)) == len(offers(state, "wall")) - 1
    shut = BOOK.start(setup={"bases": [WEST, EAST], "walls": ["a1/a2", "a1/b1"]})
    assert judged(shut, "wall d4/d5").facts == {}
    moved = after(table("1:grunt@d4" + FOE, walls="a1/a2 h1/h2"), "move d4 d5", "see d5 9-11")
    assert judged(moved, "rewall h1/h2 a1/b1").facts == {"sealed": ["a1"]}
    assert refused(moved, "rewall h1/h2 a1/b1", strict) == "A-W14"
    assert allowed(moved, "rewall a1/a2 a1/b1", strict) == "DOW-F3.20"
    assert len(offers(moved, "rewall", strict)) == len(offers(moved, "rewall")) - 2


@pytest.mark.rules("A-W15")
def test_spawn_acts() -> None:
    """A spawned troop may act in the same turn, or under the alternative may not."""
    state = table("1:general@a4" + FOE)
    idle = book("spawn_acts=no")
    assert allowed(after(state, "spawn a4 grunt (0,3)"), "move (0,3) a3") == "DOW-GRU-M"
    assert refused(after(state, "spawn a4 grunt (0,3)", rules=idle), "move (0,3) a3", idle) == "DOW-T2"
    ten = after(table("1:grunt@d4" + FOE), "move d4 d5", "see d5 4-6")
    assert refused(after(ten, "bonus grunt (0,3)", rules=idle), "move (0,3) a3", idle) == "DOW-T2"


@pytest.mark.rules("A-W20", "A-W44", "DOW-P2")
def test_pools() -> None:
    """The pools are those of the reference, and each number of at least three can be set."""
    start = after(BOOK.start(), "see armies army indians")
    assert start.pools == ((4, 5, 3, 4, 3), (4, 3, 3, 3, 3))
    rules = book("generals=5+grunts=6+snipers=4+kamikazes=7+grenadiers=8+leaders=9+others=10")
    start = after(rules.start(), "see armies army cowboys", rules=rules)
    assert start.pools == ((5, 6, 4, 7, 8), (9, 10, 10, 10, 10))
    with pytest.raises(BadProfile):
        book("grunts=2")


@pytest.mark.rules("A-W21", "DOW-F2")
def test_double_bonus() -> None:
    """A mine of 10 pips brings no bonus, or under the alternative one after it has exploded."""
    state = after(table("1:grunt@d4 1:grunt@a1" + FOE), "move d4 d5")
    assert after(state, "see d5 5-5").phase == "act"
    assert after(state, "see d5 5-5", rules=book("double_bonus=yes")).bonus == 10
    last = after(table("1:grunt@d4" + FOE), "move d4 d5")
    assert after(last, "see d5 5-5", rules=book("double_bonus=yes")).phase == "over"


@pytest.mark.rules("A-W22", "DOW-LIG-N")
def test_nimble_bonus() -> None:
    """A mine of 12 pips brings a Lightfoot nothing, or under the alternative an extra action."""
    state = after(table("1:lightfoot@d4" + FOE, armies=INDIANS), "move d4 d5")
    assert after(state, "see d5 6-6").phase == "act"
    assert after(state, "see d5 6-6", rules=book("nimble_bonus=yes")).bonus == 12


@pytest.mark.rules("A-W25")
def test_initial_facing() -> None:
    """A Sniper without a facing cannot attack, or under ``any`` attacks where he likes."""
    state = table("1:sniper@d4 2:grunt@d8 2:grunt@h4 2:grunt@f6")
    assert refused(state, "shoot d4 d8") == "A-W25"
    free = book("initial_facing=any")
    assert offers(state, "shoot", free) == ["shoot d4 d8", "shoot d4 h4"]
    assert broken(state, "shoot d4 f6", free) == ["DOW-SNI-A"]
    assert len(offers(state, "shoot", book("initial_facing=any+facing=8"))) == 3


@pytest.mark.rules("A-W26")
def test_facing() -> None:
    """A Sniper faces four directions, or under the alternative eight, and shoots there."""
    state = after(table("1:sniper@d4" + FOE), "end")
    wide = book("facing=8")
    assert refused(state, "face d4 ne") == "A-W26"
    assert len(offers(state, "face", wide)) == 8
    state = after(state, "face d4 ne", "end", rules=wide)
    assert allowed(state, "shoot d4 h8", wide) == "DOW-SNI-A"


@pytest.mark.rules("A-W28")
def test_chain_reaction() -> None:
    """A Kamikaze caught in a blast dies quietly, or under the alternative explodes as well."""
    state = table("1:kamikaze@d4 2:grunt@d5 2:kamikaze@e6 1:grunt@f7 1:grunt@a1 2:grunt@h8")
    assert standing(after(state, "run d4 d5")) == "1:grunt@a1 1:grunt@f7 2:grunt@h8"
    chain = book("chain_reaction=yes")
    assert standing(after(state, "run d4 d5", rules=chain)) == "1:grunt@a1 2:grunt@h8"
    state = table("1:kamikaze@d4 1:grunt@c3 2:grunt@d6" + FOE)
    assert standing(after(state, "run d4 d6", rules=chain)) == "1:grunt@c3 2:general@h8"


@pytest.mark.rules("A-W32")
def test_double_ko() -> None:
    """A double knock-out is a draw, or under ``turn`` won by the player whose turn it is."""
    state = table("1:kamikaze@d4 2:grunt@d5")
    rules = book("double_ko=turn")
    outcome = rules.outcome(after(state, "run d4 d5", rules=rules))
    assert outcome is not None
    assert (outcome.winner, outcome.rule) == (1, "A-W32")


@pytest.mark.rules("A-W36", "DOW-F3.12")
def test_extra_action() -> None:
    """The extra action of a 12 comes next or is lost, or under ``turn`` comes at any time of the turn."""
    rules = book("extra_action=turn")
    state = after(
        bare_but(table("1:grunt@d4 1:grunt@a1" + FOE), "d5"), "move d4 d5", "see d5 5-7", rules=rules
    )
    assert (state.phase, state.extra) == ("act", 1)
    assert allowed(state, "end", rules) == "DOW-T3"
    state = after(state, "move a1 a2", rules=rules)
    assert (state.actions, state.extra) == (2, 1)
    state = after(state, "move d5 d6", rules=rules)
    assert (state.actions, state.extra) == (2, 0)
    assert refused(state, "move a2 a3", rules) == "DOW-T2"
    assert after(state, "end", "end", rules=rules).extra == 0


def bare_but(state: WarState, at: str) -> WarState:
    """The table with every tile of the field face up but one."""
    field = bytearray(bare(state).field)
    field[FIELD_INDEX[place_called(at)]] = DOWN
    return state._replace(field=bytes(field))


@pytest.mark.rules("A-W37")
def test_draw() -> None:
    """Draws may be agreed upon, or under ``never`` not."""
    state = table("1:grunt@d4" + FOE)
    assert "draw" in offers(state, "")
    never = book("draw=never")
    assert "draw" not in offers(state, "", never)
    assert refused(state, "draw", never) == "A-W37"


@pytest.mark.rules("A-W45", "DOW-KAM-X")
def test_blast_walls() -> None:
    """Walls protect from every blast, or under ``run`` not from a Kamikaze that is shot or on a mine."""
    state = table("1:grunt@d4 2:kamikaze@d6 2:grunt@e6" + FOE, walls="d6/e6")
    assert standing(after(state, "shoot d4 d6")) == "1:grunt@d4 2:grunt@e6 2:general@h8"
    rules = book("blast_walls=run")
    assert standing(after(state, "shoot d4 d6", rules=rules)) == "1:grunt@d4 2:general@h8"
    mine = after(table("1:kamikaze@d5 1:grunt@a1 2:grunt@e6" + FOE, walls="d6/e6"), "move d5 d6")
    assert standing(after(mine, "see d6 3-3")) == "1:grunt@a1 2:grunt@e6 2:general@h8"
    assert standing(after(mine, "see d6 3-3", rules=rules)) == "1:grunt@a1 2:general@h8"


SETS = {
    "d12": (91, 11),
    "d15": (136, 56),
    "d18": (190, 110),
    "d9x2": (110, 30),
    "d6x3": (84, 4),
    "custom": (80, 0),
}


@pytest.mark.parametrize("name", SETS)
@pytest.mark.rules("A-W46", "DOW-P1", "OBS-DOW-SET", "OBS-DOW-TWICE")
def test_set(name: str) -> None:
    """Each set leaves its number of spare tiles, and each tile can be flipped as often as the set has it."""
    rules = book(f"set={name}")
    start = rules.start()
    assert (rules.terms.total, start.spare) == SETS[name]
    state = table("1:lightfoot@d4 1:lightfoot@e4" + FOE, armies=INDIANS, rules=rules)
    highest = max(tile for tile in rules.terms.tiles)
    for number, (at, to) in enumerate((("d4", "d5"), ("e4", "e5"))):
        state = after(state, f"move {at} {to}", rules=rules)
        fact = rules.parse_fact(f"see {to} {highest}")
        if number < rules.terms.copies or not rules.terms.copies:
            state = rules.observe(state, fact)
        else:
            assert fact not in list(rules.possible_facts(state))
