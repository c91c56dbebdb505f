"""The golden cases of Dominoes of War, put to the second generator itself, so that it can be trusted."""

import itertools

import pytest

from tests.oracles import dominoes_of_war as war
from tests.oracles import dominoes_of_war_table as table
from tests.oracles.dominoes_of_war_positions import EAST, ELEVEN_MINES, KINDS, WEST, place
from tests.oracles.tables import read_table

COWBOYS = {"armies": ("cowboys", "indians")}
INDIANS = {"armies": ("indians", "cowboys")}


def said(position):
    """The labels of the steps without the player."""
    return {label.split(":", 1)[-1] for label, _ in war.steps(position)}


def after(position, *labels):
    """The position that these steps, named without the player, lead to."""
    for wanted in labels:
        position = next(p for label, p in war.steps(position) if label.split(":", 1)[-1] == wanted)
    return position


def alone(square, kind, **words):
    """One troop on a field without walls, and an enemy far away in his base."""
    army = next(army for army, kinds in KINDS.items() if kind.split("-n")[0] in kinds)
    return place(f"{square}={kind}", "(12,5)=sniper", armies=(army, "army"), **{"walls": "", **words})


def reached(square, kind, **words):
    """The field squares that this lone troop can end on."""
    return [s for s in table.reach(alone(square, kind, **words), square) if table.is_field(s)]


def hit(square, kind):
    """The field squares on which a lone enemy can be killed by this troop."""
    found = []
    for x in range(1, 9):
        for y in range(1, 9):
            victim = table.square_at(x, y)
            if victim != square:
                position = alone(square, kind)
                position["troops"][victim] = {"player": 1, "type": "grunt", "facing": None, "acted": False}
                found += table.targets(position, square)
    return found


def test_W_G01_the_set_has_what_the_bonuses_ask_for():
    """91 tiles, 13 mines, 80 in use; a total of 20 is 8-12, 9-11 or the mine 10-10."""
    tiles = war.all_tiles()
    assert len(tiles) == 91
    assert sum(1 for tile in tiles if war.event(tile) == "mine") == 13
    assert [tile for tile in tiles if sum(tile) == 20] == [[8, 12], [9, 11], [10, 10]]
    assert 64 + 2 * len(WEST.split()) + 4 == 80


@pytest.mark.parametrize(
    ("base", "fits"),
    [
        (WEST, True),
        (EAST, True),
        ("(0,1) (0,0) (1,0) (0,-1) (-1,0) (-1,1)", True),  # round a corner, both entrances at a1
        ("(0,3) (0,4) (-1,3) (-1,4) (-2,3)", False),  # five
        ("(0,3) (0,4) (-1,3) (-1,4) (-2,3) (-2,4) (-3,4)", False),  # seven
        ("(0,3) (-1,3) (-2,3) (0,5) (-1,5) (-2,5)", False),  # two pieces
        ("(-1,3) (-1,4) (-2,3) (-2,4) (-3,3) (-3,4)", False),  # no entrance
        ("(0,3) (0,4) (0,5) (-1,3) (-1,4) (-1,5)", False),  # three entrances
        ("a1 (0,1) (-1,1) (-2,1) (-3,1) (-4,1)", False),  # on the field
    ],
)
def test_W_G02_a_base_has_six_connected_tiles_and_one_or_two_entrances(base, fits):
    """Five or seven tiles, two pieces, none or three entrances are no base."""
    empty = place(phase="bases", walls="", bases=("", ""))
    assert war.base_fits(empty, 0, base.split()) is fits
    if fits:
        assert sorted(base.split(), key=table.xy) in war.base_places(empty, 0)


def test_W_G02_every_base_is_found_and_nothing_else():
    """Growing tile by tile finds the same bases as laying each of the 216 shapes of six everywhere."""
    shapes = {frozenset([(0, 0)])}
    for _ in range(5):
        shapes = {
            shape | {(x + dx, y + dy)}
            for shape in shapes
            for x, y in shape
            for dx, dy in table.STRAIGHT.values()
            if (x + dx, y + dy) not in shape
        }
        lowest = [(min(x for x, _ in shape), min(y for _, y in shape), shape) for shape in shapes]
        shapes = {frozenset((x - left, y - low) for x, y in shape) for left, low, shape in lowest}
    assert len(shapes) == 216
    position = war.positions()["second base beside a corner"]
    laid = [
        [table.square_at(x + right, y + up) for x, y in shape]
        for shape in shapes
        for right in range(-5, 10)
        for up in range(-5, 10)
    ]
    grown = [frozenset(base) for base in war.base_places(position, 1)]
    assert len(grown) == len(set(grown))
    assert set(grown) == {frozenset(base) for base in laid if war.base_fits(position, 1, base)}


def test_A_W12_bases_do_not_touch():
    """A tile side by side with the other base is refused, corner to corner is not."""
    position = place(phase="bases", player=1, walls="", bases=(WEST, ""))
    beside, cornered = "(0,5) (0,6) (-1,5) (-1,6) (-2,5) (-2,6)", "(0,6) (-1,6) (-2,6) (-3,6) (-3,5) (-4,6)"
    assert not war.base_fits(position, 1, beside.split())
    assert war.base_fits(position, 1, cornered.split())


def test_W_G03_walls_are_placed_in_turns():
    """1, 2, 1, 2, each on a free border of the field; then stocking."""
    position, placers = war.positions()["first wall"], []
    for number in range(4):
        placers.append(position["player"])
        assert len(war.steps(position)) == 112 - number
        position = war.steps(position)[0][1]
    assert placers == [0, 1, 0, 1]
    assert position["phase"] == "stock"


def test_W_G04_W_G05_one_action_a_troop():
    """A grunt that moved neither shoots nor moves again this turn; a Gunslinger does."""
    moved = after(place("d4=grunt", "d8=grunt", walls="", tiles="d5=0-1"), "move d4 d5")
    assert not any(label.split()[1:2] == ["d5"] for label in said(moved))
    twice = after(place("d4=gunslinger", "d7=lightfoot", walls="", tiles="d5=0-1", **COWBOYS), "move d4 d5")
    assert "shoot d5 d7" in said(twice)


def test_W_G05_the_bonus_of_12_is_for_any_troop_and_for_the_next_action_only():
    """A used grunt may act at once; after that or a forfeit it is used again."""
    position = place("d4=grunt* b2=grunt", "h8=general", walls="", phase="bonus", bonus=12, actions=1)
    assert any(label.startswith("move d4") for label in said(position))
    assert any(label.startswith("move b2") for label in said(position))
    assert "end" not in said(position)
    given_up = after(position, "forfeit")
    assert not any(label.startswith("move d4") for label in said(given_up))
    assert given_up["actions"] == 1
    fresh = after({**position, "face_up": {**position["face_up"], "b3": [0, 1]}}, "move b2 b3")
    assert fresh["actions"] == 1
    assert said(fresh) == {"end"}


def test_W_G06_three_actions_and_not_one_has_to_be_used():
    """The turn can be ended at once; after three actions nothing else is left."""
    position = place(
        "d4=grunt a1=grunt h1=grunt g8=grunt", "d8=general", walls="", tiles="d5=0-1 a2=0-2 h2=0-3"
    )
    assert "end" in said(position)
    assert said(after(position, "move d4 d5", "move a1 a2", "move h1 h2")) == {"end"}


@pytest.mark.parametrize(
    ("kind", "from_d4", "from_a1"),
    [
        ("general", 8, 3),
        ("grunt", 24, 9),
        ("sniper", 12, 5),
        ("kamikaze", 12, 5),
        ("grenadier", 12, 4),
        ("shotgunner", 24, 8),
        ("lightfoot", 24, 9),
    ],
)
def test_W_G07_how_far_each_type_moves_on_an_empty_field(kind, from_d4, from_a1):
    """The numbers of squares from the middle and from the corner."""
    assert (len(reached("d4", kind)), len(reached("a1", kind))) == (from_d4, from_a1)


def test_W_G08_a_wall_is_walked_round_or_climbed():
    """A wall north of d4 leaves a grunt 22 squares, d5 three steps away; a Lightfoot steps over."""
    squares = reached("d4", "grunt", walls="d4|d5")
    assert len(squares) == 22
    assert "d5" in squares
    assert not {"d6", "d7"} & set(squares)
    position = alone("d4", "grunt", walls="d4|d5")
    assert "d5" not in table.reach(position, "d4", most=2)
    assert "d5" in table.reach(alone("d4", "lightfoot", walls="d4|d5"), "d4", most=1)


@pytest.mark.parametrize(
    ("kind", "squares"),
    [
        ("general", 8),
        ("grunt", 14),
        ("grenadier", 10),
        ("shotgunner", 16),
        ("spear-thrower", 24),
        ("lightfoot", 8),
        ("sniper-n", 4),
    ],
)
def test_W_G09_how_many_squares_each_type_attacks_from_d4(kind, squares):
    """The numbers on an empty field."""
    assert len(hit("d4", kind)) == squares


def test_W_G10_a_grenade_flies_two_to_four_straight_over_anything():
    """Not one, not five, not diagonally; over a wall and over a troop."""
    assert set(hit("d4", "grenadier")) == {"b4", "a4", "f4", "g4", "h4", "d6", "d7", "d8", "d2", "d1"}
    assert "f1" not in hit("a1", "grenadier")
    over = place("d4=grenadier d5=grunt", "d6=grunt", walls="d4|d5")
    assert table.targets(over, "d4") == ["d6"]


def test_W_G11_a_shot_ends_at_a_wall_and_at_a_troop():
    """Neither through a wall nor through a friend or an enemy."""
    assert table.targets(place("d4=grunt", "d6=grunt", walls="d5|d6"), "d4") == []
    assert table.targets(place("d4=grunt d5=general", "d6=grunt", walls=""), "d4") == []
    assert table.targets(place("d4=grunt", "d6=grunt d7=grunt", walls=""), "d4") == ["d6"]


def test_W_G12_a_sniper_shoots_where_it_faces_and_faces_at_the_end_of_each_turn():
    """North only; without a facing not at all; each sniper is asked before the other player's turn."""
    enemies = "d8=grunt h4=grunt"
    assert table.targets(place("d4=sniper-n", enemies, walls=""), "d4") == ["d8"]
    assert table.targets(place("d4=sniper", enemies, walls=""), "d4") == []
    ended = after(place("d4=sniper-n (0,3)=sniper", enemies, walls=""), "end")
    assert said(ended) == {f"face {square} {way}" for square in ("(0,3)", "d4") for way in "nesw"}
    last = after(ended, "face (0,3) n")
    assert said(last) == {f"face d4 {way}" for way in "nesw"}
    assert after(last, "face d4 e")["player"] == 1


def test_A_W47_snipers_are_faced_in_any_order():
    """Each once, the later square first as well; both ways lead to the same position."""
    ended = after(place("d4=sniper-n (0,3)=sniper", "d8=grunt", walls=""), "end")
    first = after(ended, "face d4 e")
    assert said(first) == {f"face (0,3) {way}" for way in "nesw"}
    assert after(first, "face (0,3) n") == after(ended, "face (0,3) n", "face d4 e")


def test_W_G13_a_quick_shot_is_split_over_two_directions():
    """60 splits; 4+1 and 3+2 are among them; 5+0, 4+2 and one direction twice are not."""
    splits = table.quick_shot_splits()
    assert len(splits) == 60
    lengths = {(a, b) for (_, a), (_, b) in splits}
    assert {(4, 1), (3, 2)} <= lengths
    assert not {(5, 0), (4, 2)} & lengths
    assert all(one != two for (one, _), (two, _) in splits)


def test_A_W41_a_quick_shot_may_miss_but_never_hits_a_friend():
    """At distances 3 and 2 both fall together, at 4 and 2 not; a friend beside spoils a direction."""
    near = place("d4=quick-shot", "d7=chieftain f4=lightfoot", walls="", **COWBOYS)
    assert table.quick_shot_victims(near, "d4") == [[], ["d7"], ["d7", "f4"], ["f4"]]
    far = place("d4=quick-shot", "d8=chieftain f4=lightfoot", walls="", **COWBOYS)
    assert table.quick_shot_victims(far, "d4") == [[], ["d8"], ["f4"]]
    boxed = place(
        "d4=quick-shot d5=general e4=gunslinger d3=sniper",
        "b4=lightfoot",
        walls="",
        armies=("cowboys", "indians"),
    )
    assert table.quick_shot_victims(boxed, "d4") == []


def landing(kind, tile, *, first="", second="h8=general", **words):
    """What follows when a troop of this type lands on d4 and the tile shows these pips."""
    position = place(f"d4={kind}* {first}", second, walls="", phase="flip", landed="d4", actions=2, **words)
    del position["face_up"]["d4"]
    low, high = tile.split("-")
    for (
        smaller
    ) in war.all_tiles():  # the classes are shown by their smallest unseen tile: see the others first
        if smaller < [int(low), int(high)] and war.event(smaller) == war.event([int(low), int(high)]):
            position["discard"].append(smaller)
    return after(position, f"flip d4 {tile}")


def test_W_G14_a_mine_takes_the_troop_and_is_replaced():
    """The troop is gone, a spare lies unflipped in place of the discarded mine."""
    blown = landing("grunt", "3-3", first="a1=grunt")
    assert "d4" not in blown["troops"]
    assert blown["discard"][-1] == [3, 3]
    assert blown["spares"] == 10
    assert "d4" not in blown["face_up"]
    assert blown["pools"][0]["grunt"] == 4


def test_W_G14_a_kamikaze_on_a_mine_takes_its_neighbours_along():
    """Friend and foe on the eight squares around die with it."""
    blown = landing("kamikaze", "3-3", first="c3=grunt b4=grunt", second="e4=grunt h8=general")
    assert set(blown["troops"]) == {"b4", "h8"}


def test_W_G14_a_lightfoot_survives_a_mine_that_stays():
    """The tile lies face up, nobody dies, and it is harmless from then on."""
    safe = landing("lightfoot", "3-3", **INDIANS)
    assert "d4" in safe["troops"]
    assert safe["face_up"]["d4"] == [3, 3]
    assert safe["spares"] == 11
    assert safe["phase"] == "action"


def test_A_W23_without_a_spare_the_place_becomes_safe():
    """Nothing is left to flip there."""
    position = war.positions()["a kamikaze lands, no spare left"]
    blown = after(position, "flip d4 11-11")
    assert blown["face_up"]["d4"] is None
    assert blown["spares"] == 0
    assert position["discard"] == ELEVEN_MINES


def test_W_G15_the_four_bonuses():
    """4-6 spawns, 5-7 acts, 8-9 adds a tile, 9-11 moves a wall, each or forfeited; 4-5 is nothing."""
    assert {label.split()[0] for label in said(landing("grunt", "4-6"))} == {"bonus", "forfeit"}
    assert {label.split()[0] for label in said(landing("grunt", "5-7"))} == {"move", "forfeit"}
    grown = landing("grunt", "8-9")
    assert {label.split()[0] for label in said(grown)} == {"extend", "forfeit"}
    extended = after(grown, "extend (0,5)")
    assert len(extended["bases"][0]) == 7
    assert extended["spares"] == 10
    assert said(landing("grunt", "9-11")) == {"forfeit"}
    walled = war.positions()["bonus 20"]
    assert len(said(walled)) == 4 * (112 - 4) + 1
    rebuilt = after(walled, "rewall c4|d4 a1|b1")
    assert ["a1", "b1"] in rebuilt["walls"]
    assert len(rebuilt["walls"]) == 4
    assert landing("grunt", "4-5")["phase"] == "action"


def test_W_G16_only_unflipped_field_tiles_are_flipped():
    """An open tile and a tile of a base do nothing."""
    position = place("a4=grunt", "h8=general", walls="", tiles="a5=0-1")
    assert after(position, "move a4 a5")["phase"] == "action"
    assert after(position, "move a4 (0,4)")["phase"] == "action"
    assert after(position, "move a4 b4")["phase"] == "flip"


def test_W_G17_a_kamikaze_run_kills_round_the_enemy_except_behind_walls():
    """The enemy, the Kamikaze and five neighbours die; the one behind a wall lives."""
    position = place(
        "d3=kamikaze e4=grunt",
        "d4=general c5=grunt d5=grunt c3=grunt h8=general",
        walls="d4|d5",
        tiles="e3=0-1",
    )
    blown = after(position, "run d3 d4")
    assert set(blown["troops"]) == {"d5", "h8"}


def test_A_W8_a_diagonal_is_cut_by_walls_on_both_ways_only():
    """One wall leaves a way round, two do not: for a step, a shot and a blast."""
    for walls, free in [
        ("d4|e4", True),
        ("d4|e4 d4|d5", False),
        ("d4|e4 d5|e5", False),
        ("d4|e4 e4|e5", True),
    ]:
        position = place("d4=shotgunner", "e5=chieftain", walls=walls, **COWBOYS)
        assert (table.targets(position, "d4") == ["e5"]) is free, walls
        assert (table.blast(position, "d4") == ["e5"]) is free, walls
        assert (table.onward(position, "d4", "ne") == "e5") is free, walls


def test_A_W9_between_field_and_base_a_diagonal_needs_an_entrance_beside_it():
    """From a2 to (0,3) round a3, as (0,2) is missing; a wall between a2 and a3 closes it."""
    position = place("a2=grenadier", "h8=general", walls="")
    assert "(0,3)" in table.reach(position, "a2")
    assert "(0,3)" not in table.reach(place("a2=grenadier", "h8=general", walls="a2|a3"), "a2")
    corner = war.positions()["a corner of a base without a way"]
    assert table.onward(corner, "a1", "sw") is None
    assert "(0,0)" in table.blast(corner, "a1")


def test_A_W9_inside_one_base_a_diagonal_passes_a_hole():
    """From (0,4) to (-1,5), where no tile lies beside both, one steps and shoots."""
    ring = war.positions()["a base round a hole"]
    assert table.onward(ring, "(0,4)", "nw") == "(-1,5)"
    assert "(-1,5)" in table.targets(ring, "(0,4)")
    del ring["troops"]["(-1,5)"]
    assert "(-1,5)" in table.reach(ring, "(0,4)")


def test_A_W9_a_throw_needs_no_entrance():
    """A spear flies from (0,0) to a1 and b2, a shot does not come back."""
    corner = war.positions()["spears at a corner of a base"]
    assert table.targets(corner, "(0,0)") == ["a1", "b2"]
    assert table.targets(corner, "a1") == ["(0,2)", "c1"]


def test_A_W28_only_walls_shelter_from_a_blast():
    """Round a1 (0,0) dies, with no tile at the corner, and (0,2) past one wall; a2 behind it lives."""
    walled = war.positions()["a wall at a corner of a base"]
    blown = after(walled, "run b1 a1")
    assert set(blown["troops"]) == {"a2", "b3", "d1"}
    corner = war.positions()["a corner of a base without a way"]
    assert set(table.blast(corner, "a1")) == {"(0,0)", "a2", "b1"}


def test_A_W42_nothing_goes_straight_from_base_to_base():
    """Corner to corner at the edge of the field: no step, no throw, no blast."""
    bases = ("(1,9) (1,10) (1,11) (2,10) (2,11) (3,10)", "(0,8) (-1,8) (-2,8) (-3,8) (-4,8) (-5,8)")
    position = place("(1,9)=general", "(0,8)=general", walls="", bases=bases)
    assert table.onward(position, "(1,9)", "sw") is None
    assert table.targets(position, "(1,9)") == []
    assert table.blast(position, "(1,9)") == []


def test_W_G18_a_kamikaze_needs_a_step_to_get_through_the_wall():
    """The wall between the second and third tile is too far, between the first and second it is not."""
    near = place("d4=kamikaze", "h8=general", walls="d5|d6")
    assert table.blown_walls(near, "d4") == [("d5", ["d5", "d6"])]
    far = place("d4=kamikaze", "h8=general", walls="d6|d7")
    assert table.blown_walls(far, "d4") == []


def test_A_W30_a_blown_wall_is_gone_and_has_sheltered_those_behind_it():
    """The blast is round the tile before the wall; nothing is flipped there (A-W39)."""
    position = place("d4=kamikaze c6=grunt", "d6=grunt e4=grunt c4=grunt h8=general", walls="d5|d6")
    blown = after(position, "blow d4 d5|d6")
    assert set(blown["troops"]) == {"d6", "h8"}
    assert blown["walls"] == []
    assert (blown["phase"], "d5" in blown["face_up"]) == ("over", False)


def test_W_G19_only_a_kamikaze_of_ones_own_may_be_shot():
    """It goes off, hurting friend and foe; a grunt of one's own is no target."""
    position = place("d4=grunt d7=kamikaze c7=grunt", "e8=grunt h8=general", walls="")
    assert table.targets(position, "d4") == ["d7"]
    assert set(after(position, "shoot d4 d7")["troops"]) == {"d4", "h8"}
    assert table.targets(place("d4=grunt d7=grunt", "h8=general", walls=""), "d4") == []


def test_A_W28_a_kamikaze_caught_in_a_blast_does_not_go_off():
    """Its neighbours live; of two that a Quick Shot hits, both go off."""
    chain = place("d4=grunt", "d6=kamikaze d7=kamikaze d8=grunt h8=general", walls="")
    assert set(after(chain, "shoot d4 d6")["troops"]) == {"d4", "d8", "h8"}
    both = place(
        "d2=quick-shot",
        "d4=kamikaze f2=kamikaze c5=grunt g1=grunt h8=general",
        walls="",
        armies=("cowboys", "army"),
    )
    assert set(after(both, "shoot d2 d4 f2")["troops"]) == {"d2", "h8"}


def test_W_G20_a_general_spawns_from_outside_his_base_only():
    """Inside nothing; outside, or in the enemy's base, it costs his action."""
    inside = place("(0,3)=general", "h8=general", walls="")
    assert not any(label.startswith("spawn") for label in said(inside))
    for square in ("d4", "(10,5)"):
        position = place(f"{square}=general", "h8=general", walls="")
        spawned = after(position, f"spawn {square} grunt (0,3)")
        assert spawned["actions"] == 2
        assert not any(label.startswith(f"move {square}") for label in said(spawned))
        assert any(label.startswith("move (0,3)") for label in said(spawned))  # A-W15


def test_W_G21_a_side_without_troops_has_lost_whatever_its_pool_holds():
    """The last enemy falls: over, nothing follows; both sides at once: a draw."""
    won = after(place("d4=grunt", "d6=grunt", walls=""), "shoot d4 d6")
    assert (won["phase"], won["winner"]) == ("over", 0)
    assert war.steps(won) == []
    drawn = after(place("d4=kamikaze", "d5=grunt", walls=""), "run d4 d5")
    assert (drawn["phase"], drawn["winner"]) == ("over", "draw")
    lost = landing("grunt", "0-0")
    assert lost["winner"] == 1


def test_W_G22_only_four_totals_give_a_bonus():
    """17 tiles of the 91; doubles never."""
    bonuses = [tile for tile in war.all_tiles() if war.event(tile) not in ("mine", "plain")]
    assert len(bonuses) == 17
    assert {sum(tile) for tile in bonuses} == {10, 12, 17, 20}


def test_A_W19_killed_troops_come_back_in_2015_and_not_in_2016():
    """The pool of the victim's side grows by one, or not."""
    for profile, left in [("pool", 5), ("discard", 4)]:
        position = place("d4=grunt", "d6=grunt h8=general", walls="", killed=profile)
        assert after(position, "shoot d4 d6")["pools"][1]["grunt"] == left


def test_every_starting_position_is_a_whole_table():
    """Troops stand on tiles, walls on borders, bases fit, tiles are there once and add up to 91."""
    for name, position in war.positions().items():
        assert all(table.region(position, square) is not None for square in position["troops"]), name
        assert all(wall in table.all_borders() for wall in position["walls"]), name
        shown = [tile for tile in position["face_up"].values() if tile is not None]
        assert len({tuple(tile) for tile in shown + position["discard"]}) == len(
            shown + position["discard"]
        ), name
        grown = sum(max(0, len(base) - 6) for base in position["bases"])
        assert position["spares"] + len(position["discard"]) + grown == 11, name
        for player, base in enumerate(position["bases"]):
            laid = [list(six) for six in itertools.combinations(base, min(6, len(base)))]
            assert any(not six or war.base_fits(position, player, six) for six in laid), name
            pool = sum(position["pools"][player].values())
            mine = sum(1 for troop in position["troops"].values() if troop["player"] == player)
            assert pool + mine == sum(KINDS[position["armies"][player]].values()), name


def test_steps_leave_the_position_as_it_was():
    """Listing what may follow changes nothing."""
    for name, position in war.positions().items():
        before = repr(position)
        following = [] if position["phase"] == "bases" else war.steps(position)
        for _, one in following[:30]:
            war.steps(one)
        assert repr(position) == before, name


def test_the_committed_table_is_what_the_generator_counts():
    """Names and depths are all there; one and two steps are counted again, more where it was cheap."""
    counted, positions = read_table("dominoes-of-war"), war.positions()
    assert set(counted) == set(positions)
    for name, depths in counted.items():
        for n, count in depths.items():
            if n <= 2 or count <= 1000:
                assert war.perft(positions[name], n) == count, (name, n)


@pytest.mark.parametrize(
    ("kind", "moves", "attacks", "farthest"),
    [
        ("general", 8, 8, "d5"),
        ("chieftain", 8, 8, "d5"),
        ("grunt", 24, 14, "d8"),
        ("quick-shot", 12, 0, None),
        ("gunslinger", 24, 16, "d6"),
        ("spear-thrower", 12, 24, "d7"),
    ],
)
def test_the_other_types_go_and_hit_as_far_as_the_document_says(kind, moves, attacks, farthest):
    """Squares from d4, and the farthest victim to the north; a grunt from d1 reaches d5 and not d6."""
    assert (len(reached("d4", kind)), len(hit("d4", kind))) == (moves, attacks)
    if farthest is not None:
        assert max(square for square in hit("d4", kind) if square[0] == "d") == farthest
    if kind == "grunt":
        assert max(square for square in hit("d1", kind) if square[0] == "d") == "d5"


def test_setting_up_goes_from_base_to_base_to_walls_to_the_first_turn():
    """The second player follows the first, stocking empties the pools, and player 1 begins."""
    first = war.positions()["first base"]
    label, second = war.steps(first)[0]
    assert label == "1:base " + " ".join(second["bases"][0])
    assert (second["player"], second["phase"]) == (1, "bases")
    bases = war.positions()["second base beside a corner"]
    label, walls = war.steps(bases)[0]
    assert label.startswith("2:base (")
    assert (walls["player"], walls["phase"]) == (0, "walls")
    stock = war.positions()["stocking begins"]
    placed = after(stock, "stock (0,3) grunt")
    assert placed["pools"][0]["grunt"] == 4
    assert placed["phase"] == "stock"
    last = war.positions()["last tile to stock"]
    assert {label for label, _ in war.steps(last)} == {f"2:stock (12,5) {kind}" for kind in KINDS["army"]}
    begun = after(last, "stock (12,5) sniper")
    assert (begun["phase"], begun["player"], begun["actions"]) == ("action", 0, 3)


def test_stocking_stops_at_the_pool():
    """The fourth sniper is not there (A-W38)."""
    position = after(
        war.positions()["stocking begins"], *(f"stock (0,{y}) sniper" for y in (3, 4)), "stock (-1,3) sniper"
    )
    assert "stock (-1,4) sniper" not in said(position)
    assert "stock (-1,4) grunt" in said(position)


def test_A_W43_a_new_base_tile_needs_a_spare_and_stays_clear():
    """Every free place beside the own base but not beside the other; the last spare will do."""
    other = "(0,6) (-1,6) (-2,6) (-2,7) (-1,7) (-3,6)"
    words = {"walls": "", "phase": "bonus", "bonus": 17, "bases": (WEST, other), "actions": 1}
    position = place("d4=grunt*", "(0,6)=general", **words)
    offered = {"extend (0,2)", "extend (-1,2)", "extend (-2,2)", "extend (-3,3)", "extend (-3,4)"}
    assert said(position) == {*offered, "forfeit"}
    last = {**position, "spares": 1}
    assert said(last) == {*offered, "forfeit"}
    assert said({**position, "spares": 0}) == {"forfeit"}
