"""Every refusal names its rule, the graver first, in a sentence about this very move."""

import pytest

from engine.dominoes_of_war.model import First, Found, Stock
from engine.dominoes_of_war.places import place_called
from engine.ruling import Status
from tests.engine.dominoes_of_war.scene import (
    BOOK,
    EAST,
    WEST,
    after,
    allowed,
    bare,
    book,
    broken,
    incomplete,
    judged,
    offers,
    refused,
    standing,
    table,
)

FOE = " 2:general@h8"
COWBOYS = ["cowboys", "army"]
INDIANS = ["indians", "army"]
SET_UP = {"bases": [WEST, EAST]}
FULL = "1:general@(-2,3) 1:grunt@(-2,4) 1:grunt@(-1,3) 1:sniper@(-1,4) 1:kamikaze@(0,3) 1:grenadier@(0,4)"
"""The first player's base, stocked."""


CORNER = [
    ["(0,8)", "(0,9)", "(0,10)", "(0,11)", "(0,12)", "(0,13)"],
    ["(1,9)", "(1,10)", "(1,11)", "(1,12)", "(1,13)", "(1,14)"],
]
"""Two bases that touch round the corner of a8."""


# — whose move it is, and what is due —


@pytest.mark.rules("DOW-T4", "DOW-T5")
def test_nobody_acts_in_the_other_players_turn_or_with_his_troops() -> None:
    """A move out of turn breaks DOW-T4, one with the other's troop or with none DOW-T5."""
    state = table("1:grunt@d4 2:grunt@e5")
    assert broken(state, "2: move e5 e6") == ["DOW-T4"]
    assert broken(state, "2: move d4 d5") == ["DOW-T4", "DOW-T5"]
    assert broken(state, "1: move e5 e6") == ["DOW-T5"]
    assert broken(state, "move c3 c4") == ["DOW-T5"]
    assert judged(state, "move c3 c4").reason == "No troop stands on c3."
    assert refused(state, "2: end") == "DOW-T4"


@pytest.mark.rules("DOW-S6", "DOW-S2", "DOW-P2")
def test_the_set_up_goes_step_by_step() -> None:
    """What belongs to another step is refused by DOW-S6; what needs something seen first is incomplete."""
    state = BOOK.start()
    assert incomplete(state, "1: wall d4/d5") == "DOW-P2"
    state = after(state, "see armies army cowboys")
    assert incomplete(state, "1: first 1") == "DOW-S2"
    state = after(state, "see lot 2")
    assert refused(state, "1: first 1") == "DOW-S2"
    assert refused(state, "2: end") == "DOW-S6"
    assert BOOK.judge(state, First(2, 3)).rule == "DOW-S2"
    state = after(state, "2: first 1")
    assert (state.phase, state.turn) == ("bases", 1)
    assert refused(state, "2: base " + " ".join(EAST)) == "DOW-S3"
    for line in ("first 1", "wall d4/d5", "stock (0,3) grunt", "move d4 d5"):
        assert refused(state, line) == "DOW-S6"
    placed = after(state, "base " + " ".join(WEST), "base " + " ".join(EAST))
    assert refused(placed, "base " + " ".join(WEST)) == "DOW-S6"
    assert refused(table("1:grunt@d4" + FOE), "wall d4/d5") == "DOW-S6"
    assert refused(table("1:grunt@d4" + FOE), "stock (0,3) grunt") == "DOW-S6"


@pytest.mark.rules("DOW-S5", "A-W44", "A-W20", "A-W38", "DOW-P2")
def test_bases_are_stocked_in_any_order_from_the_pools() -> None:
    """Both players stock, hidden or not, each his own base's empty tiles with what his pool has."""
    walls = ["a1/a2", "b1/b2", "c1/c2", "d1/d2"]
    state = BOOK.start(setup={**SET_UP, "walls": walls})
    assert BOOK.movers(state) == (1, 2)
    state = after(state, "2: stock (9,5) grunt", "stock (10,4) hidden", "1: stock (0,3) grenadier")
    assert refused(state, "stock (0,3) grunt") == "DOW-S5"
    assert refused(state, "1: stock (11,5) grunt") == "DOW-S5"
    assert refused(state, "1: stock d4 hidden") == "DOW-S5"
    assert refused(state, "stock (0,4) lightfoot") == "DOW-P2"
    state = after(state, "stock (0,4) grenadier", "stock (-1,3) grenadier")
    assert refused(state, "stock (-1,4) grenadier") == "A-W20"
    state = after(state, "stock (-1,4) grunt", "stock (-2,3) grunt", "stock (-2,4) grunt")
    assert BOOK.movers(state) == (2,)
    state = after(
        state, "stock (10,5) sniper", "stock (10,6) hidden", "stock (11,5) grunt", "stock (12,5) grunt"
    )
    assert BOOK.pending(state) == "troop"
    assert incomplete(state, "end") == "DOW-S5"
    assert "DOW-S5" in [fault.rule for fault in judged(state, "2: move (10,4) (10,5)").also]
    state = after(state, "see (10,6) kamikaze", "see (10,4) general")
    assert (state.phase, state.turn) == ("act", 1)
    assert state.pools[1] == (3, 2, 2, 3, 3)


@pytest.mark.rules("A-W20", "DOW-S5")
def test_an_empty_pool_stocks_nothing_more() -> None:
    """Not even a hidden soldier comes from a pool in which none is left."""
    state = BOOK.start(
        setup={**SET_UP, "walls": ["a1/a2", "b1/b2", "c1/c2", "d1/d2"], "pools": [{"grunt": 1}, {"grunt": 6}]}
    )
    state = after(state, "1: stock (0,3) hidden")
    assert broken(state, "1: stock (0,4) hidden") == ["A-W20"]
    assert BOOK.movers(state) == (2,)
    assert Stock(1, place_called("(0,4)"), "grunt") not in BOOK.legal_moves(state)


@pytest.mark.rules("DOW-F1", "DOW-F3", "DOW-SNI-F", "A-W37")
def test_what_is_due_comes_first() -> None:
    """A flip, a bonus, a facing or an answer that is due makes every other move incomplete."""
    state = after(table("1:grunt@d4 1:sniper@b2" + FOE), "move d4 d5")
    assert incomplete(state, "move b2 b3") == "DOW-F1"
    ten = after(state, "see d5 4-6")
    assert [incomplete(ten, line) for line in ("end", "move b2 b3", "draw")] == ["DOW-F3"] * 3
    assert refused(ten, "extend (0,5)") == "DOW-F3.17"
    twelve = after(state, "see d5 5-7")
    assert incomplete(twelve, "end") == "DOW-F3"
    assert allowed(twelve, "move b2 b3") == "DOW-SNI-M"
    facing = after(ten, "forfeit", "end")
    assert incomplete(facing, "move b2 b3") == "DOW-SNI-F"
    assert incomplete(facing, "end") == "DOW-SNI-F"
    offered = after(table("1:grunt@d4" + FOE), "draw")
    assert incomplete(offered, "2: end") == "A-W37"


@pytest.mark.rules("DOW-F3", "DOW-F3.10", "DOW-F3.17", "DOW-F3.20", "DOW-SNI-F", "A-W37")
def test_what_is_not_due_is_refused() -> None:
    """Bonuses without their tile, facings before the end and answers without an offer are refused."""
    state = table("1:grunt@d4 1:sniper@b2" + FOE, walls="a1/a2")
    assert refused(state, "bonus grunt (0,3)") == "DOW-F3.10"
    assert refused(state, "extend (0,5)") == "DOW-F3.17"
    assert refused(state, "rewall a1/a2 b1/b2") == "DOW-F3.20"
    assert refused(state, "forfeit") == "DOW-F3"
    assert refused(state, "face b2 n") == "DOW-SNI-F"
    assert refused(state, "decline") == "A-W37"


# — actions —


@pytest.mark.rules("A-W2", "DOW-M2", "DOW-GRU-M", "DOW-GRE-M")
def test_moves_end_on_empty_tiles_within_reach() -> None:
    """Occupied ends, places without tiles, too many spaces, none at all and the wrong way are refused."""
    state = table("1:grunt@d4 1:grenadier@e4 1:sniper@c4 2:grunt@d5")
    assert broken(state, "move d4 d5") == ["A-W2"]
    assert broken(state, "move d4 c4") == ["A-W2"]
    assert broken(state, "move d4 d8") == ["DOW-GRU-M"]
    assert broken(state, "move d4 d4") == ["DOW-GRU-M"]
    assert broken(state, "move d4 (4,-1)") == ["DOW-M2", "DOW-GRU-M"]
    assert broken(state, "move e4 e5") == ["DOW-GRE-M"]
    assert judged(state, "move e4 e5").reason == (
        "A Grenadier moves 1 to 2 spaces slanting only; e4 to e5 cannot be done that way."
    )


@pytest.mark.rules("A-W2", "DOW-W1")
def test_what_is_in_the_way_is_named() -> None:
    """Troops, walls, or both together stop a move, and the ruling names them."""
    crowd = table("1:grunt@a1 1:grunt@a2 2:grunt@b1" + FOE)
    ruling = judged(crowd, "move a1 b2")
    assert (ruling.rule, ruling.facts) == ("A-W2", {"troops": ["a2", "b1"]})
    slower = table("1:sniper@a1 1:grunt@a2 2:grunt@b1" + FOE)
    assert judged(slower, "move a1 b2").facts == {"troops": ["a2", "b1"]}
    both = table("1:grunt@a1 1:grunt@a2" + FOE, walls="a1/b1")
    assert broken(both, "move a1 b2") == ["DOW-W1", "A-W2"]
    assert judged(both, "move a1 b2").facts == {"walls": ["a1/b1"]}
    walled = table("1:general@a1" + FOE, walls="a1/b1 a1/a2")
    assert broken(walled, "move a1 b2") == ["DOW-W1"]


@pytest.mark.rules("A-W42", "DOW-M2", "A-W9")
def test_gaps_and_bases_are_in_the_way() -> None:
    """No step leads from base to base, over a gap, or slanting past a corner without an entrance."""
    touching = book("bases_may_touch=yes")
    state = table("1:sniper@(0,9) 2:grunt@(1,10)", bases=CORNER, rules=touching)
    assert broken(state, "move (0,9) (1,9)", touching) == ["A-W42"]
    loop = ["(2,0)", "(2,-1)", "(3,-1)", "(4,-1)", "(5,-1)", "(5,0)"]
    state = table("1:sniper@(3,-1)" + FOE, bases=[loop, EAST])
    assert broken(state, "move (3,-1) c1") == ["DOW-M2"]
    shut = table(
        "1:general@a8" + FOE, bases=[["(0,8)", "(-1,8)", "(-1,9)", "(0,9)", "(-2,8)", "(-2,9)"], EAST]
    )
    assert allowed(shut, "move a8 (0,9)") == "DOW-GEN-M"
    far = ["(0,9)", "(0,10)", "(1,10)", "(2,10)", "(3,10)", "(3,9)"]
    state = table("1:general@a8" + FOE, bases=[far, EAST])
    assert broken(state, "move a8 (0,9)") == ["A-W9"]


@pytest.mark.rules("DOW-KAM-R", "DOW-KAM-M", "DOW-KAM-A")
def test_only_a_kamikaze_runs_and_only_onto_enemies() -> None:
    """Others do not run; nobody runs onto empty tiles or friends; a Kamikaze has no other attack."""
    state = table("1:kamikaze@d4 1:grunt@d5 2:grunt@e5 2:grunt@h4")
    assert broken(state, "run d5 e5") == ["DOW-KAM-R"]
    assert broken(state, "run d4 c4") == ["DOW-KAM-R"]
    assert broken(state, "run d4 d5") == ["DOW-KAM-R"]
    assert broken(state, "run d4 h4") == ["DOW-KAM-M"]
    assert broken(state, "shoot d4 e5") == ["DOW-KAM-A"]
    assert allowed(state, "run d4 e5") == "DOW-KAM-R"
    assert "DOW-T5" in broken(state, "run c3 e5")


@pytest.mark.rules("DOW-KAM-W", "A-W2", "DOW-W1")
def test_only_a_kamikaze_that_gets_there_blows_up_a_wall() -> None:
    """The wall must stand, and the tile before it be empty and within reach."""
    state = table("1:kamikaze@d4 1:grunt@d5 1:grunt@c3" + FOE, walls="d5/d6 c4/d4 b4/c4")
    assert broken(state, "blow d5 d5/d6") == ["DOW-KAM-W"]
    assert broken(state, "blow d4 e4/f4") == ["DOW-KAM-W"]
    assert broken(state, "blow d4 d5/d6") == ["A-W2"]
    assert broken(state, "blow d4 b4/c4") == ["DOW-W1"]
    assert allowed(state, "blow d4 c4/d4") == "DOW-KAM-W"
    assert broken(state, "blow c5 c4/d4") == ["DOW-T5"]


@pytest.mark.rules("DOW-GEN-S", "A-W18", "A-W20", "DOW-P2")
def test_only_leaders_spawn_into_empty_tiles_of_their_base() -> None:
    """The spawner, the type, the pool and the tile must be right."""
    state = table("1:general@d4 1:grunt@e4 1:grunt@(0,3)" + FOE, pools=[{"grunt": 1}, {}])
    assert broken(state, "spawn e4 grunt (0,4)") == ["DOW-GEN-S"]
    assert broken(state, "spawn d4 grunt (0,3)") == ["A-W18"]
    assert broken(state, "spawn d4 grunt (9,5)") == ["A-W18"]
    assert broken(state, "spawn d4 sniper (0,4)") == ["A-W20"]
    assert broken(state, "spawn d4 lightfoot (0,4)") == ["DOW-P2"]
    assert broken(state, "spawn c4 grunt (0,4)") == ["DOW-T5"]
    spawned = after(state, "spawn d4 grunt (0,4)")
    assert (standing(spawned).split()[1], spawned.pools[0]) == ("1:grunt@(0,4)", (0, 0, 0, 0, 0))


@pytest.mark.rules("DOW-GUN-X", "DOW-GUN-M", "DOW-T1")
def test_a_gunslinger_takes_all_actions() -> None:
    """A Gunslinger may take all three actions of a turn, but not a fourth."""
    state = bare(table("1:gunslinger@d4 2:grunt@h8", armies=COWBOYS))
    state = after(state, "move d4 d5", "move d5 e6", "move e6 e7")
    assert broken(state, "move e7 e8") == ["DOW-T1"]
    assert (state.troops[0].acted, offers(state, "")) == (True, ["end"])


# — attacks —


@pytest.mark.rules("A-W41", "A-W5", "A-W7", "DOW-GRU-A", "DOW-SHO-A")
def test_an_attack_needs_one_enemy_in_line_and_range() -> None:
    """Empty targets, friends, bent lines, too far, and two at once are refused."""
    state = table("1:grunt@d4 1:grunt@d5 2:grunt@e6 2:grunt@h4 2:grunt@b4 2:grunt@f6")
    assert broken(state, "shoot d4 d3") == ["A-W41"]
    assert broken(state, "shoot d4 d5") == ["A-W5"]
    assert broken(state, "shoot d4 e6") == ["A-W7"]
    assert broken(state, "shoot d4 f6") == ["DOW-GRU-A"]
    assert broken(table("1:grunt@a4 2:grunt@h4"), "shoot a4 h4") == ["DOW-GRU-A"]
    assert broken(state, "shoot d4 nothing") == ["A-W41"]
    assert broken(state, "shoot d4 b4 h4") == ["DOW-GRU-A"]
    assert broken(state, "shoot d4 d4") == ["A-W5", "A-W7"]
    close = table("1:general@d4 2:grunt@d6")
    assert judged(close, "shoot d4 d6").reason == "A General reaches 1 space away; d4 to d6 is 2."
    state = table("1:shotgunner@d4 2:grunt@g7 2:grunt@f6 2:grunt@d6", armies=COWBOYS)
    assert broken(state, "shoot d4 g7") == ["DOW-SHO-A", "A-W4"]
    assert allowed(state, "shoot d4 f6") == "DOW-SHO-A"


@pytest.mark.rules("A-W25", "DOW-SNI-A", "A-W27", "A-W42")
def test_what_stops_a_snipers_shot() -> None:
    """No facing, another facing, a gap between tiles, and the other base stop a Sniper."""
    state = table("1:sniper@d4 2:grunt@d8")
    assert broken(state, "shoot d4 d8") == ["A-W25"]
    assert broken(table("1:sniper@d4>s 2:grunt@d8"), "shoot d4 d8") == ["DOW-SNI-A"]
    assert broken(table("1:sniper@h3>e 2:grunt@(10,3)", bases=[WEST, FAR_EAST]), "shoot h3 (10,3)") == [
        "A-W27"
    ]
    assert allowed(table("1:sniper@a5>e 2:grunt@(12,5)"), "shoot a5 (12,5)") == "DOW-SNI-A"
    rules = book("bases_may_touch=yes")
    close = table("1:sniper@(0,9)>e 2:grunt@(1,9)", bases=CORNER, rules=rules)
    assert broken(close, "shoot (0,9) (1,9)", rules) == ["A-W42"]


FAR_EAST = ["(9,5)", "(10,5)", "(10,4)", "(10,3)", "(11,5)", "(12,5)"]
"""A base with a bay on h3's row: (9,3) holds no tile."""


@pytest.mark.rules("A-W40", "DOW-GRE-A", "DOW-SPE-A")
def test_throws_pass_walls_and_troops_but_no_gaps() -> None:
    """Grenadiers and Spear Throwers throw over walls and troops, not over places without a tile."""
    bay = [WEST, FAR_EAST]
    assert broken(table("1:grenadier@h3 2:grunt@(10,3)", bases=bay), "shoot h3 (10,3)") == ["A-W40"]
    spears = table(
        "1:spear-thrower@d4 1:sniper@e5 2:grunt@g7 2:grunt@d6", armies=INDIANS, walls="d4/d5 f6/g6 f6/f7"
    )
    assert allowed(spears, "shoot d4 g7") == "DOW-SPE-A"
    assert allowed(spears, "shoot d4 d6") == "DOW-SPE-A"


@pytest.mark.rules("A-W8", "A-W9", "DOW-SHO-A")
def test_slanting_shots_need_a_way_round_the_corner() -> None:
    """With both ways round a corner cut the shot is stopped, with one it passes; so at a base's corner."""
    state = table("1:shotgunner@d4 2:grunt@e5", armies=COWBOYS, walls="d4/d5 d4/e4")
    assert broken(state, "shoot d4 e5") == ["A-W8"]
    state = table("1:shotgunner@d4 2:grunt@e5", armies=COWBOYS, walls="d4/d5 d5/e5")
    assert allowed(state, "shoot d4 e5") == "DOW-SHO-A"
    far = ["(0,9)", "(0,10)", "(1,10)", "(2,10)", "(3,10)", "(3,9)"]
    state = table("1:shotgunner@a8 2:grunt@(0,9)", armies=COWBOYS, bases=[far, EAST])
    assert broken(state, "shoot a8 (0,9)") == ["A-W9"]


@pytest.mark.rules("A-W35", "DOW-QUI-A", "DOW-QUI-M")
def test_a_quick_shots_two_shots() -> None:
    """Its two shots may miss, but need two directions without friends, and no more than five spaces."""
    state = table("1:quick-shot@d4 2:grunt@d8", armies=COWBOYS)
    assert offers(state, "shoot") == ["shoot d4 nothing", "shoot d4 d8"]
    hemmed = table("1:quick-shot@d4 1:sniper@d5 1:sniper@c4 1:sniper@e4 2:grunt@d2", armies=COWBOYS)
    assert broken(hemmed, "shoot d4 d2") == ["A-W35"]
    assert broken(hemmed, "shoot d4 nothing") == ["A-W35"]
    assert broken(hemmed, "shoot d4 d2 d5") == ["A-W5"]
    assert offers(hemmed, "shoot") == []
    assert len(offers(hemmed, "move d4")) == 3
    between = table("1:quick-shot@d4 2:grunt@d5 2:grunt@d6 2:grunt@e4", armies=COWBOYS)
    assert offers(between, "shoot") == [
        "shoot d4 nothing",
        "shoot d4 d5",
        "shoot d4 d5 e4",
        "shoot d4 e4",
    ]


@pytest.mark.rules("DOW-B1", "A-W33", "A-W34")
def test_bases_are_entered_and_shot_into() -> None:
    """Troops enter the enemy base, shoot into it and out of it, and a leader in it is out of his own base."""
    state = bare(table("1:general@h5 1:grunt@g5 2:sniper@(10,5)>w 2:grunt@(11,5)"))
    state = after(state, "move h5 (9,5)")
    assert refused(state, "shoot g5 (10,5)") == "A-W4"
    state = after(state, "end")
    assert allowed(state, "shoot (10,5) (9,5)") == "DOW-SNI-A"
    state = after(state, "end", "face (10,5) n")
    assert allowed(state, "spawn (9,5) grunt (0,3)") == "DOW-GEN-S"
    assert allowed(state, "shoot (9,5) (10,5)") == "DOW-GEN-A"


@pytest.mark.rules("DOW-CHI-M", "DOW-CHI-A", "DOW-SPE-M", "DOW-GUN-A", "DOW-GUN-M", "DOW-SHO-M")
def test_reach_and_range_of_the_types_that_no_golden_case_counts() -> None:
    """A Chieftain is as a General, a Spear Thrower walks as a Sniper, a Gunslinger is as a Shotgunner."""
    tribe = table("1:chieftain@d4 1:spear-thrower@g2 2:grunt@d5 2:grunt@d6", armies=INDIANS)
    assert len(offers(tribe, "move d4")) == 7
    assert broken(tribe, "move d4 f4") == ["DOW-CHI-M"]
    assert offers(tribe, "shoot d4") == ["shoot d4 d5"]
    assert broken(tribe, "shoot d4 d6") == ["DOW-CHI-A", "A-W4"]
    assert broken(tribe, "move g2 h4") == ["DOW-SPE-M"]
    assert len(offers(tribe, "move g2")) == 10
    ranch = table("1:gunslinger@d4 1:shotgunner@d1 2:grunt@d6 2:grunt@f6 2:grunt@g7", armies=COWBOYS)
    assert offers(ranch, "shoot d4") == ["shoot d4 d6", "shoot d4 f6"]
    assert broken(ranch, "shoot d4 g7") == ["DOW-GUN-A", "A-W4"]
    assert broken(ranch, "move d4 d7") == ["DOW-GUN-M"]
    assert broken(ranch, "move d1 d4") == ["A-W2", "DOW-SHO-M"]


# — bonuses —


@pytest.mark.rules("DOW-F3.17", "A-W43")
def test_a_base_tile_is_attached_and_keeps_off_the_enemy_base() -> None:
    """The new tile touches one's own base, keeps off the enemy's, and comes from the spares."""
    near = [["(3,9)", "(4,9)", "(3,10)", "(4,10)", "(3,11)", "(4,11)"]]
    near.append(["(6,9)", "(7,9)", "(6,10)", "(7,10)", "(6,11)", "(7,11)"])
    state = after(table("1:grunt@d4" + FOE, bases=near), "move d4 d5", "see d5 8-9")
    assert broken(state, "extend (5,9)") == ["A-W43"]
    assert broken(state, "extend (3,9)") == ["DOW-F3.17"]
    assert broken(state, "extend c8") == ["DOW-F3.17"]
    assert broken(state, "extend (3,13)") == ["DOW-F3.17"]
    assert allowed(state, "extend (2,9)") == "DOW-F3.17"
    free = ("(2,9)", "(2,10)", "(2,11)", "(3,12)", "(4,12)")
    assert offers(state, "extend") == [f"extend {at}" for at in free]
    poor = after(table("1:grunt@d4" + FOE, bases=near, spare=0), "move d4 d5", "see d5 8-9")
    assert broken(poor, "extend (2,9)") == ["A-W43"]
    assert offers(poor, "") == ["forfeit"]


@pytest.mark.rules("DOW-F3.20", "A-W13", "A-W43", "DOW-S4")
def test_a_wall_is_moved_to_another_free_side_of_the_field() -> None:
    """The wall must stand, and the new side be another one, free, and between two tiles of the field."""
    state = after(table("1:grunt@d4" + FOE, walls="a1/a2 b1/b2"), "move d4 d5", "see d5 9-11")
    assert broken(state, "rewall c1/c2 c3/c4") == ["DOW-F3.20"]
    assert broken(state, "rewall a1/a2 a1/a2") == ["A-W43"]
    assert broken(state, "rewall a1/a2 b1/b2") == ["A-W13"]
    assert broken(state, "rewall a1/a2 a3/b4") == ["DOW-F3.20"]
    assert broken(state, "rewall a1/a2 (0,3)/a3") == ["A-W13"]
    assert len(offers(state, "rewall")) == 2 * 110
    walls = BOOK.start(setup=SET_UP)
    assert broken(walls, "wall (0,3)/a3") == ["A-W13"]
    assert broken(walls, "wall d4/d6") == ["DOW-S4"]


@pytest.mark.rules("DOW-F3.10", "A-W17")
def test_a_free_spawn_needs_no_leader_outside() -> None:
    """The bonus of 10 spawns with every General at home; without room or pool it can only be forfeited."""
    state = after(table("1:grunt@d4 1:general@(0,3)" + FOE), "move d4 d5", "see d5 4-6")
    assert len(offers(state, "bonus")) == 5 * 5
    assert after(state, "bonus grunt (0,4)").actions == 1
    full = after(table("1:grunt@d4 " + FULL + FOE), "move d4 d5", "see d5 4-6")
    assert offers(full, "") == ["forfeit"]


@pytest.mark.rules("DOW-F3.12", "A-W36")
def test_the_extra_action_costs_none_but_uses_its_troop() -> None:
    """An extra action by a fresh troop leaves the regular ones, and that troop has acted."""
    state = table("1:grunt@d4 1:grunt@a1" + FOE)
    state = after(state, "move d4 d5", "see d5 5-7", "move a1 a2", "see a2 0-1")
    assert state.actions == 1
    assert broken(state, "move a2 a3") == ["DOW-T2"]
    assert after(table("1:grunt@d4" + FOE), "move d4 d5", "see d5 5-7", "forfeit").actions == 1


# — the end of a turn and of the game —


@pytest.mark.rules("DOW-SNI-F", "A-W26", "A-W47")
def test_every_sniper_is_faced_once_in_any_order() -> None:
    """At the end of the turn every own Sniper is faced, whichever first, each once, and no other soldier."""
    state = after(table("1:sniper@d4 1:sniper@b2>e 1:grunt@c3 2:sniper@h8 2:grunt@h7"), "end")
    assert offers(state, "") == [f"face {at} {facing}" for at in ("b2", "d4") for facing in "nesw"]
    assert judged(state, "end").reason == (
        "The turn is not complete: the Snipers on b2 and d4 must still be given a facing."
    )
    assert broken(state, "face c3 n") == ["DOW-SNI-F"]
    assert broken(state, "face b2 ne") == ["A-W26"]
    assert broken(state, "2: face h8 n") == ["DOW-T4"]
    assert allowed(state, "face d4 s") == "DOW-SNI-F"
    later = after(state, "face d4 s")
    assert offers(later, "") == ["face b2 n", "face b2 e", "face b2 s", "face b2 w"]
    assert broken(later, "face d4 n") == ["DOW-SNI-F"]
    assert judged(later, "face d4 n").reason == (
        "The Sniper on d4 has been given his facing for this turn already."
    )
    assert type(BOOK).read_state(later.to_json()) == later
    done = after(later, "face b2 e")
    assert done == after(state, "face b2 e", "face d4 s")
    assert (done.turn, done.phase, done.faced) == (2, "act", ())


@pytest.mark.rules("A-W37")
def test_a_draw_is_offered_before_the_first_action_and_answered() -> None:
    """A draw ends the game only if the other accepts; after an action, or twice a turn, it is not offered."""
    state = table("1:grunt@d4" + FOE)
    offered = after(state, "draw")
    assert BOOK.movers(offered) == (2,)
    assert refused(offered, "1: draw") == "A-W37"
    drawn = after(offered, "draw")
    outcome = BOOK.outcome(drawn)
    assert outcome is not None
    assert (outcome.winner, outcome.rule, refused(drawn, "end")) == (None, "A-W37", "A-W37")
    declined = after(offered, "2: decline")
    assert (declined.turn, refused(declined, "draw")) == (1, "A-W37")
    assert refused(after(bare(state), "move d4 d5"), "draw") == "A-W37"
    assert allowed(after(declined, "end"), "draw") == "A-W37"


@pytest.mark.rules("A-W32", "DOW-KAM-R")
def test_both_last_troops_in_one_blast_are_a_draw() -> None:
    """A blast that kills the last troops of both sides ends the game without a winner."""
    state = after(table("1:kamikaze@d4 2:grunt@d5"), "run d4 d5")
    outcome = BOOK.outcome(state)
    assert outcome is not None
    assert (outcome.winner, outcome.rule, refused(state, "end")) == (None, "A-W32", "A-W32")


@pytest.mark.rules("DOW-V", "DOW-F2")
def test_a_mine_can_lose_the_game() -> None:
    """Who loses his last troop to a mine has lost."""
    state = after(table("1:grunt@d4" + FOE), "move d4 d5", "see d5 3-3")
    outcome = BOOK.outcome(state)
    assert outcome is not None
    assert outcome.winner == 2


@pytest.mark.rules("DOW-F2", "A-W23", "A-W24")
def test_a_mine_without_a_spare_tile_stays_as_a_safe_place() -> None:
    """With no spare tile left the mine stays face up, and nobody is hurt on it later."""
    state = table("1:grunt@d4 1:grunt@d6" + FOE, spare=0)
    state = after(state, "move d4 d5", "see d5 3-3", "move d6 d5")
    assert (state.phase, str(state.tile_at(place_called("d5"))), state.mines) == ("act", "3-3", b"")
    state = table("1:grunt@d4 1:grunt@d6" + FOE)
    state = after(state, "move d4 d5", "see d5 3-3", "move d6 d5")
    assert state.phase == "tile"


# — the whole ruling —


@pytest.mark.rules("DOW-S3", "A-W12")
def test_bases_keep_apart_and_out_of_the_field() -> None:
    """A base on the field, on the other base or beside it is refused, with the places that prove it."""
    state = after(BOOK.start(setup={}), "base " + " ".join(WEST))
    beside = ["(-4,5)", "(-3,5)", "(-2,5)", "(-1,5)", "(0,5)", "(0,6)"]
    ruling = judged(state, "base " + " ".join(beside))
    assert (ruling.rule, ruling.squares) == ("A-W12", ("(-2,5)", "(-1,5)", "(0,5)"))
    assert refused(state, "base " + " ".join(beside[1:])) == "DOW-S3"
    assert incomplete(state, "base " + " ".join(EAST[1:])) == "DOW-S3"
    assert "A-W12" in broken(state, "base " + " ".join(WEST))
    assert broken(state, "base d4") == ["DOW-S3"] * 3
    assert BOOK.judge(state, Found(2, frozenset())).status == Status.INCOMPLETE


@pytest.mark.rules("DOW-T2", "DOW-GRU-M", "DOW-T1")
def test_all_broken_rules_are_listed_and_near_moves_offered() -> None:
    """A ruling holds every broken rule, the squares, and three legal moves that are near on the table."""
    state = bare(table("1:grunt@d4! 1:grunt@a1 2:grunt@d5", actions=3))
    ruling = judged(state, "move d4 d5")
    assert [ruling.rule, *(fault.rule for fault in ruling.also)] == ["DOW-T2", "DOW-T1", "A-W2"]
    assert ruling.nearest == ("1: end",)
    assert ruling.profile == "default"
    state = table("1:grunt@d4 1:grunt@a1 2:grunt@d8")
    assert judged(state, "move d4 d8").nearest[0] == "1: move d4 d7"
    assert judged(state, "shoot a1 d8").nearest[0] == "1: shoot d4 d8"


def test_an_unchecked_move_of_nobody_is_an_error() -> None:
    """``apply`` does not ask for legality, but a troop that is not there cannot move."""
    with pytest.raises(ValueError, match="nobody stands"):
        BOOK.apply(table("1:grunt@d4" + FOE), BOOK.parse("move a1 a2"))
