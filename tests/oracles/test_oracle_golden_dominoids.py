"""The golden cases of Dominoids, put to the second generator itself, so that what it says can be trusted."""

import itertools

from tests.oracles import dominoids
from tests.oracles.dominoids_positions import ALL_DOMINOES, acting, place
from tests.oracles.tables import read_table

SCORED = {
    "eaten1": "arms0 arms1 arms3 crowns2 crowns3 crowns5 moons1 suns1 suns3 suns4 suns5",
    "eaten2": "arms2 arms5 crowns0 crowns1 crowns4 moons0 moons2 moons3 moons4 moons5 suns0 suns2",
}
FIGURE_8 = {"dominoids": "3@b3-4@c3 1@d4-3@e4 2@d2-5@d1", "pawns": "suns=e3", "faces": "5 null null null"}
FIGURE_9 = {"dominoids": "2@b3-3@c3 3@e3-4@e4", "faces": "4 null null null", "pool": [[3, 5], [4, 4], [1, 1]]}


def said(position, suit=None):
    """The labels of the steps without the player, and of one die only where a suit is given."""
    labels = [label.removeprefix("1:").removeprefix("2:") for label, _ in dominoids.steps(position)]
    if suit is None:
        return set(labels)
    return {label.removeprefix(suit + " ") for label in labels if label.startswith(suit + " ")}


def after(position, *labels):
    """The position that these steps, named without the player, lead to."""
    for wanted in labels:
        position = next(p for label, p in dominoids.steps(position) if label.split(":", 1)[-1] == wanted)
    return position


def moves(face, dominoes, pawns="", coins=""):
    """What a single die of this face offers."""
    return said(
        acting("suns", "moons", dominoids=dominoes, pawns=pawns, coins=coins, faces=f"{face} null null null"),
        "suns",
    )


def test_D_G01_and_G03_the_scores_of_the_printed_example_come_out():
    """The collections of the example are worth 34 and 31, with three coins each giving no bonus."""
    assert dominoids.scores(place(**SCORED)) == [34, 31]


def test_D_G02_the_printed_example_is_a_finished_game_with_one_coin_left():
    """One Arms coin remains, all other suits are used up."""
    position = place(**SCORED)
    assert dominoids.suits_left(position) == ["arms"]
    assert position["stacks"] == {"suns": 0, "moons": 0, "crowns": 0, "arms": 1}


def test_the_game_is_over_in_mid_turn_with_the_meal_that_leaves_one_suit():
    """Nothing follows the last Suns coin, although a die is unused and Arms coins are left (A-D19)."""
    rest = {suit: " ".join(f"{suit}{value}" for value in range(6)) for suit in ("moons", "crowns")}
    position = acting(
        "suns",
        "arms",
        dominoids="3@c2-4@c3",
        coins="b6=suns2 d7=arms0",
        faces="5 3 2 2",
        eaten1="suns0 suns1 suns3 suns4 suns5 " + rest["moons"],
        eaten2=rest["crowns"],
    )
    slid = after(position, "suns slide 3@c2-4@c3 to 3@c6-4@c7")
    assert said(slid) == {"eat b6", "eat d7"}
    assert dominoids.steps(after(slid, "eat b6")) == []
    assert dominoids.steps(after(slid, "eat d7")) != []


def test_D_G04_two_dice_of_the_new_box_cannot_be_chosen():
    """With 5 and 2 old, ace and null new, every pair but the new one is offered."""
    position = place(faces="5 2 ace null", old=["suns", "moons"], new=["crowns", "arms"])
    assert len(said(position)) == 5
    assert "dice crowns arms" not in said(position)


def test_D_G05_at_the_start_every_pair_of_dice_can_be_chosen():
    """All four dice are old: six pairs."""
    assert len(said(place())) == 6


def test_D_G06_four_new_dice_become_old():
    """Both old dice are used: after the roll all four are in the old box."""
    position = place(phase="roll", chosen=["suns", "moons"], old=["suns", "moons"], new=["crowns", "arms"])
    rolled = after(position, "roll suns=3 moons=null")
    assert (set(rolled["old"]), rolled["new"]) == (set(dominoids.SUITS), [])


def test_D_G07_D_G08_a_single_old_die_has_to_be_taken():
    """One old and one new die are used: the old one that is left is in every pair of the next turn."""
    position = place(phase="roll", chosen=["suns", "crowns"], old=["suns", "moons"], new=["crowns", "arms"])
    rolled = after(position, "roll suns=3 crowns=null")
    assert (rolled["old"], set(rolled["new"])) == (["moons"], {"suns", "crowns", "arms"})
    assert said(rolled) == {"dice suns moons", "dice moons crowns", "dice moons arms"}


def test_D_G09_D_G10_what_a_lone_2_3_may_do_with_each_number():
    """Nothing with a 2, the 2 leads with a 3, both ends lead with a 4 or 5."""
    start = "2@d4-3@e4"
    by_three = {
        f"slide {start} to 2@b4-3@c4",
        f"rotate {start} to 3@e4-2@e5",
        f"rotate {start} to 2@e3-3@e4",
    }
    by_five = by_three | {
        f"slide {start} to 2@g4-3@h4",
        f"rotate {start} to 2@d4-3@d5",
        f"rotate {start} to 3@d3-2@d4",
    }
    assert all(label.startswith("bud") for label in moves("2", start))
    assert moves("3", start) == by_three
    assert moves("4", start) == by_five
    assert moves("5", start) == by_five


def test_D_G11_an_end_of_five_never_leads():
    """The 5-5 moves under no die; a 1-5 is never led by its 5."""
    for face in dominoids.NUMBERS:
        assert dominoids.moves_of_a_number(place("5@d4-5@e4"), face) == []
        for _, before, moved in dominoids.moves_of_a_number(place("1@d4-5@e4"), face):
            assert moved != before
    slides = {label for label in moves("5", "1@d4-5@e4") if label.startswith("slide")}
    assert slides == {"slide 1@d4-5@e4 to 1@c4-5@d4"}


def test_D_G12_objects_shorten_a_slide():
    """With a pawn on one side and a domino on the other both slides of figure 5 end after one square."""
    offered = moves("5", "2@d4-3@e4 5@g3-5@g4", pawns="moons=b4")
    assert {m for m in offered if m.startswith("slide")} == {
        "slide 2@d4-3@e4 to 2@c4-3@d4",
        "slide 2@d4-3@e4 to 2@e4-3@f4",
    }


def test_D_G13_D_G15_the_edge_forbids_a_slide():
    """The 3 of figure 5 slides three squares, the 4 would leave the board, as would a 3 led from c1."""
    offered = moves("5", "4@a5-3@b5")
    assert {m for m in offered if m.startswith("slide")} == {"slide 4@a5-3@b5 to 4@d5-3@e5"}
    assert not any(m.startswith("slide 3@c1-1@d1 to 3@a1") for m in moves("4", "3@c1-1@d1"))


def test_an_object_before_the_edge_makes_a_slide_legal():
    """A-D1: a coin met before the edge stops the slide that the edge alone would forbid."""
    offered = moves("4", "3@c1-1@d1", coins="a1=moons3")
    assert "slide 3@c1-1@d1 to 3@b1-1@c1" in offered


def test_D_G14_a_slide_of_no_square_is_no_move():
    """A pawn right in front of the leading 2 leaves only its rotations."""
    offered = moves("3", "2@d4-3@e4", pawns="moons=c4")
    assert offered == {"rotate 2@d4-3@e4 to 3@e4-2@e5", "rotate 2@d4-3@e4 to 2@e3-3@e4"}


def test_D_G16_D_G17_corner_and_target_block_a_rotation():
    """Figure 6: one rotation is blocked at the corner between, the other at its target; the slide is not."""
    assert moves("3", "2@d4-4@e4", pawns="moons=d5 arms=e3") == {"slide 2@d4-4@e4 to 2@b4-4@c4"}
    assert "rotate 2@d4-3@e4 to 3@e4-2@e5" in moves("3", "2@d4-3@e4")


def test_D_G18_no_rotation_leaves_the_board():
    """The 1 of the 1-5 on the right edge swings inwards only."""
    offered = {m for m in moves("3", "1@h5-5@h6") if m.startswith("rotate")}
    assert offered == {"rotate 1@h5-5@h6 to 1@g6-5@h6"}


def test_D_G19_one_die_is_one_movement():
    """After a slide with nothing beside it only `none` follows, then the other die."""
    position = acting("suns", "moons", dominoids="2@d4-3@e4", faces="3 null null null")
    slid = after(position, "suns slide 2@d4-3@e4 to 2@b4-3@c4")
    assert said(slid) == {"none"}
    assert said(after(slid, "none")) == {"moons pass"}


def test_D_G20_only_what_lies_beside_the_end_of_a_slide_is_eaten():
    """Figure 7, left: the slide offers the one coin that it reaches."""
    position = acting(
        "suns",
        "moons",
        dominoids="2@e4-3@f4",
        coins="b4=suns1 e5=moons3 f3=crowns3",
        faces="3 null null null",
    )
    slid = after(position, "suns slide 2@e4-3@f4 to 2@c4-3@d4")
    assert said(slid) == {"eat b4"}


def test_D_G21_one_of_two_meals_has_to_be_eaten():
    """Figure 7, right: the 2 or the null, never both, never none, and not the 5."""
    position = acting(
        "suns",
        "moons",
        dominoids="3@c2-4@c3",
        coins="b6=suns2 d7=moons0 c8=crowns5",
        faces="5 null null null",
    )
    slid = after(position, "suns slide 3@c2-4@c3 to 3@c6-4@c7")
    assert said(slid) == {"eat b6", "eat d7"}
    assert said(after(slid, "eat b6")) == {"moons pass"}


def test_D_G22_a_coin_equal_to_the_end_is_eaten():
    """A 3 beside a coin of 3 eats it."""
    position = acting("suns", "moons", dominoids="2@d4-3@e4", coins="a4=suns2", faces="3 null null null")
    assert said(after(position, "suns slide 2@d4-3@e4 to 2@b4-3@c4")) == {"eat a4"}


def test_D_G23_D_G34_a_rotation_brings_nothing():
    """Beside an edible coin and beside an equal end a rotation is over at once."""
    fed = acting("suns", "moons", dominoids="2@d4-3@e4", coins="e6=suns1", faces="3 null null null")
    assert said(after(fed, "suns rotate 2@d4-3@e4 to 3@e4-2@e5")) == {"moons pass"}
    met = acting("suns", "moons", dominoids="2@d4-3@e4 2@e6-5@e7", faces="3 null null null")
    assert said(after(met, "suns rotate 2@d4-3@e4 to 3@e4-2@e5")) == {"moons pass"}


def test_D_G24_a_meal_too_big_stays_value_up():
    """The coin of 5 is turned up and left; the coin of 2 would be eaten."""
    position = acting(
        "suns", "moons", dominoids="2@d4-3@e4", coins="d5=arms? c5=suns?", faces="3 null null null"
    )
    slid = after(position, "suns slide 2@d4-3@e4 to 2@b4-3@c4")
    assert said(slid) == {f"coin c5 {value}" for value in range(6)}
    failed = after(slid, "coin c5 5")
    assert said(failed) == {"none"}
    assert after(failed, "none")["coins"]["c5"] == {"suit": "suns", "value": 5}
    assert said(after(slid, "coin c5 2")) == {"eat c5"}


def test_all_coins_beside_are_turned_up_first_and_seen_values_do_not_come_again():
    """A-D4, A-D5: each coin beside is a fact of its own, in square order; eaten values are impossible."""
    position = acting(
        "suns",
        "moons",
        dominoids="2@d4-3@e4 1@a4-5@a3",
        coins="c5=suns? b3=moons?",
        faces="3 null null null",
        eaten1="moons0 moons1 moons2 moons3",
        eaten2="suns5",
    )
    slid = after(position, "suns slide 2@d4-3@e4 to 2@b4-3@c4")
    assert said(slid) == {"coin b3 4", "coin b3 5"}
    turned = after(slid, "coin b3 4")
    assert said(turned) == {f"coin c5 {value}" for value in range(5)}
    assert said(after(turned, "coin c5 3")) == {"eat c5", "attack 1-5"}


def test_D_G25_one_of_two_attacks_has_to_be_made():
    """Figure 8: after one square the 4 and the 3 have one victim each; both or none is not offered."""
    slid = after(acting("suns", "moons", **FIGURE_8), "suns slide 3@b3-4@c3 to 3@c3-4@d3")
    assert said(slid) == {"attack 1-3", "attack 2-5"}
    assert said(after(slid, "attack 1-3")) == {"moons pass"}


def test_D_G26_a_meal_or_an_attack_never_both():
    """Figure 8 with the coin of 2: three choices, one of them is made."""
    slid = after(acting("suns", "moons", coins="c2=crowns2", **FIGURE_8), "suns slide 3@b3-4@c3 to 3@c3-4@d3")
    assert said(slid) == {"eat c2", "attack 1-3", "attack 2-5"}
    assert said(after(slid, "eat c2")) == {"moons pass"}


def test_D_G27_D_G29_no_attack_without_a_slide_and_none_by_who_was_met():
    """A rotation into a smaller end, and a slide into a higher one, both bring nothing."""
    position = acting("suns", "moons", dominoids="2@d4-3@e4 1@e6-1@e7", faces="3 null null null")
    assert said(after(position, "suns rotate 2@d4-3@e4 to 3@e4-2@e5")) == {"moons pass"}
    higher = acting("suns", "moons", dominoids="2@d4-3@e4 5@a4-5@a5", faces="3 null null null")
    assert said(after(higher, "suns slide 2@d4-3@e4 to 2@b4-3@c4")) == {"none"}


def test_D_G28_equal_ends_breed_and_do_not_attack():
    """A 2 that meets a 2 has births only."""
    position = acting("suns", "moons", dominoids="2@d4-3@e4 2@a4-5@a5", faces="3 null null null")
    offered = said(after(position, "suns slide 2@d4-3@e4 to 2@b4-3@c4"))
    assert offered
    assert all(label.startswith("birth") for label in offered)


def test_D_G30_a_victim_returns_to_the_pool_and_can_be_born_again():
    """Figure 8: the pool grows by the 1-3."""
    slid = after(acting("suns", "moons", **FIGURE_8), "suns slide 3@b3-4@c3 to 3@c3-4@d3")
    beaten = after(slid, "attack 1-3")
    assert len(beaten["pool"]) == len(slid["pool"]) + 1
    assert [1, 3] in beaten["pool"]
    assert any(sorted(child.values()) == [1, 3] for child in dominoids.buds(beaten))


def test_D_G31_D_G33_the_births_of_figure_9_are_nineteen():
    """3-5 has 11 placements, 4-4 has 8 although it shares nothing with the 2-3, 1-1 has none."""
    slid = after(acting("suns", "moons", **FIGURE_9), "suns slide 2@b3-3@c3 to 2@c3-3@d3")
    children = [sorted(child.values()) for child in dominoids.children(slid)]
    assert all(label.startswith("birth") for label in said(slid))
    assert (children.count([3, 5]), children.count([4, 4]), children.count([1, 1])) == (11, 8, 0)
    assert len(said(slid)) == 19


def test_D_G32_the_number_has_to_lie_beside_its_own_kind():
    """The 3 of the 3-5 on c2 lies below the 2, on d2 below the 3."""
    slid = after(acting("suns", "moons", **FIGURE_9), "suns slide 2@b3-3@c3 to 2@c3-3@d3")
    assert "birth 5@c1-3@c2" not in said(slid)
    assert "birth 5@d1-3@d2" in said(slid)


def test_D_G35_a_newborn_triggers_nothing_and_moves_with_the_next_die():
    """Born beside a coin that it could eat, the child is just there, and the second die may move it."""
    words = {**FIGURE_9, "faces": "4 5 null null", "pool": [[3, 4]], "coins": "b2=arms1"}
    slid = after(acting("suns", "moons", **words), "suns slide 2@b3-3@c3 to 2@c3-3@d3")
    bred = after(slid, "birth 4@c2-3@d2")
    assert bred["phase"] == "act"
    assert any("4@c2-3@d2 to" in label for label in said(bred, "moons"))


def test_D_G36_budding_is_the_only_thing_when_nothing_moves():
    """Figure 10: no move, the 1-4 has no room for a bud, the 2-3 has nine."""
    position = acting(
        "suns",
        "moons",
        dominoids="1@b1-4@a1 2@d4-3@e4",
        pawns="suns=c1 moons=b2",
        faces="2 null null null",
        pool=[[1, 1], [2, 5]],
    )
    offered = said(position, "suns")
    assert len(offered) == 9
    assert all(label.startswith("bud") for label in offered)
    assert dominoids.births(position, [position["dominoids"][0]]) == []


def test_D_G37_no_budding_while_something_moves():
    """With a legal move no bud is offered."""
    assert not any(label.startswith("bud") for label in moves("3", "2@d4-3@e4"))


def test_a_number_that_can_neither_move_nor_bud_is_spent():
    """A-D10: with an empty pool the die is passed."""
    position = acting("suns", "moons", dominoids="5@d4-5@e4", faces="2 null null null", pool=[])
    assert said(position, "suns") == {"pass"}


def test_D_G38_D_G40_a_straddled_column_is_locked_and_no_other_row_is_offered():
    """Figure 11a: the Moons pawn's row shifts both ways, its column not at all."""
    position = acting("suns", "moons", dominoids="1@b3-3@c3", pawns="moons=a6", faces="null ace null null")
    assert said(position, "moons") == {"shift row 3 left", "shift row 3 right"}


def test_D_G39_everything_goes_with_its_tile_and_the_last_tile_comes_round():
    """Row 3 to the right: two files on, g and h to a and b; other rows stay."""
    position = acting(
        "suns",
        "moons",
        dominoids="1@b3-3@c3 2@g5-2@g6",
        pawns="moons=a6 arms=e7",
        coins="h5=suns? c6=moons2",
        faces="null ace null null",
    )
    moved = after(position, "moons shift row 3 right")
    assert moved["pawns"] == {"moons": "c6", "arms": "e7"}
    assert moved["coins"] == {"b5": {"suit": "suns", "value": None}, "e6": {"suit": "moons", "value": 2}}
    assert sorted(map(dominoids.show, moved["dominoids"])) == ["1@b3-3@c3", "2@a5-2@a6"]


def test_D_G41_a_shift_does_not_tear_a_dominoid():
    """A-D12: lying across the third and fourth tile it forbids the way on which the fourth comes round."""
    position = acting(
        "suns", "moons", dominoids="1@b3-3@c3 1@f6-3@g6", pawns="moons=a6", faces="null ace null null"
    )
    assert said(position, "moons") == {"shift row 3 left"}


def test_D_G42_an_ace_without_a_shift_is_a_pass():
    """Row and column locked: a pass, and no bud."""
    position = acting(
        "suns", "moons", dominoids="1@b3-3@c3 2@d6-2@d7", pawns="moons=a6", faces="null ace null null"
    )
    assert said(position, "moons") == {"pass"}


def test_D_G43_nobody_eats_by_a_shift():
    """A 5 that a shift brings beside a coin of 1 leaves it."""
    position = acting(
        "suns", "moons", dominoids="5@a6-5@b6", pawns="moons=a5", coins="d7=suns1", faces="null ace null null"
    )
    moved = after(position, "moons shift row 3 right")
    assert said(moved) == {"suns pass"}
    assert "d7" in moved["coins"]


def test_D_G44_refilling_asks_for_a_coin_and_for_room():
    """Figure 12: the one free square of the Arms pawn is forced, Suns have no room, Moons no coin."""
    position = dominoids.positions()["refill, after figure 12"]
    assert said(position) == {"place arms a1"}
    placed = after(position, "place arms a1")
    assert said(placed) == {"done"}
    rolled = after(placed, "done", "roll suns=2 moons=2")
    assert rolled["player"] == 1
    assert rolled["stacks"]["suns"] == 5
    rolled["phase"] = "refill"  # as after the next turn, in which the Suns pawn was freed
    rolled["dominoids"] = [d for d in rolled["dominoids"] if "h7" not in d]
    assert said(rolled) == {"place suns h7"}


def test_D_G45_D_G46_only_a_missing_suit_comes_and_only_straight_beside_its_pawn():
    """A far coin counts; a diagonal square is no neighbour."""
    position = place("", "suns=d4 moons=a1", "h8=moons?", phase="refill", chosen=["suns", "moons"])
    position["stacks"].update(crowns=0, arms=0)
    assert said(position) == {"place suns c4", "place suns d3", "place suns d5", "place suns e4"}


def test_A_D16_the_mover_decides_the_order_where_two_suits_want_one_square():
    """Whichever coin is placed first takes the square; then the turn can be ended."""
    position = dominoids.positions()["two refills and one square"]
    assert said(position) == {"place crowns d4", "place arms d4"}
    assert said(after(position, "place arms d4")) == {"done"}


def test_every_starting_position_is_a_whole_table():
    """15 dominoes, 24 coins, four pawns, one piece a square, each domino on two neighbouring squares."""
    for name, position in dominoids.positions().items():
        pieces = [square for domino in position["dominoids"] for square in domino]
        pieces += [*position["pawns"].values(), *position["coins"]]
        assert len(pieces) == len(set(pieces)), name
        tiles = [sorted(domino.values()) for domino in position["dominoids"]] + position["pool"]
        assert sorted(tiles) == ALL_DOMINOES, name
        coins = sum(position["stacks"].values()) + len(position["coins"]) + sum(map(len, position["eaten"]))
        assert (coins, len(position["pawns"])) == (24, 4), name
        for domino in position["dominoids"]:
            here, there = domino
            assert there in dominoids.neighbours(here), name


def test_figure_1_is_the_same_after_each_quarter_turn():
    """Pawns, coins and dominoes of the opening come round onto themselves."""

    def turned(square):
        x, y = dominoids.xy(square)
        return dominoids.square_at(y, 9 - x)

    opening = dominoids.positions()["opening"]
    ends = {frozenset(domino) for domino in opening["dominoids"]}
    assert {frozenset(map(turned, domino)) for domino in ends} == ends
    for squares in (set(opening["pawns"].values()), set(opening["coins"])):
        assert set(map(turned, squares)) == squares


def test_labels_tell_every_step_apart():
    """In every starting position and after every first step no label comes twice."""
    for position in dominoids.positions().values():
        for _, following in itertools.islice(dominoids.steps(position), 40):
            labels = [label for label, _ in dominoids.steps(following)]
            assert len(labels) == len(set(labels))


def test_the_committed_table_is_what_the_generator_counts():
    """Names and depths are all there; one and two steps are counted again, more where it was cheap."""
    counted, positions = read_table("dominoids"), dominoids.positions()
    assert set(counted) == set(positions)
    for name, depths in counted.items():
        for n, count in depths.items():
            if n <= 2 or count <= 1000:
                assert dominoids.perft(positions[name], n) == count, (name, n)


def test_a_column_shifts_up_and_down_with_everything_on_it():
    """Two ranks on, the last tile round; a Dominoid across two of the tiles is torn one way."""
    position = acting(
        "suns",
        "moons",
        dominoids="1@b6-3@c6 2@a3-2@b3 5@e6-5@f6",
        pawns="moons=a8 arms=c8",
        coins="b1=suns?",
        faces="null ace null null",
    )
    assert said(position, "moons") == {"shift row 4 left", "shift row 4 right"}
    position["dominoids"][0] = {"a6": 1, "b6": 3}
    assert {"shift column 1 up", "shift column 1 down"} < said(position, "moons")
    up = after(position, "moons shift column 1 up")
    assert (up["pawns"], list(up["coins"])) == ({"moons": "a2", "arms": "c8"}, ["b3"])
    assert sorted(map(dominoids.show, up["dominoids"])) == ["1@a8-3@b8", "2@a5-2@b5", "5@e6-5@f6"]
    down = after(position, "moons shift column 1 down")
    assert (down["pawns"], list(down["coins"])) == ({"moons": "a6", "arms": "c8"}, ["b7"])
    position["dominoids"][0] = {"a6": 1, "a7": 3}
    assert {"shift column 1 down"} == {m for m in said(position, "moons") if "column" in m}


def test_a_rotation_passes_over_the_corner_between_whichever_way_the_dominoid_lies():
    """For each direction and turn: a pawn on the corner or on the target stops that turn alone."""
    turns = {"d5": ("c5", "e5"), "d3": ("c3", "e3"), "c4": ("c5", "c3"), "e4": ("e5", "e3")}
    targets = {"d5": ("c4", "e4"), "d3": ("c4", "e4"), "c4": ("d5", "d3"), "e4": ("d5", "d3")}
    for lead in turns:
        for turn in (0, 1):
            for blocked in (turns[lead][turn], targets[lead][turn]):
                position = place(pawns=f"moons={blocked}")
                position["dominoids"] = [{"d4": 5, lead: 1}]
                left = dominoids.rotations(position, position["dominoids"][0], lead)
                assert left == [{"d4": 5, targets[lead][1 - turn]: 1}], (lead, blocked)


def test_a_turn_goes_through_all_its_steps_to_the_other_player():
    """Dice, two actions, the end and the roll: labels name the player or, for a fact, nobody."""
    position = place("2@d4-3@e4", "suns=a1 moons=h8", "a2=suns?", faces="null null ace ace")
    position["coins"].update({square: {"suit": suit, "value": None} for square, suit in [("h7", "moons")]})
    position["stacks"].update(crowns=0, arms=0)
    assert "1:dice suns moons" in [label for label, _ in dominoids.steps(position)]
    rolling = after(position, "dice suns moons", "moons pass", "suns pass", "done")
    assert len(dominoids.steps(rolling)) == 36
    following = after(rolling, "roll suns=2 moons=5")
    assert (following["player"], following["phase"], following["chosen"]) == (1, "dice", [])
    assert all(label.startswith("2:dice") for label, _ in dominoids.steps(following))
    assert "roll suns=null moons=null" in said(rolling)


def test_a_coin_comes_from_its_stack():
    """A refill takes one coin of the suit; without any left nothing is placed."""
    position = place("", "suns=d4", "a1=moons? a2=crowns? a3=arms?", phase="refill", chosen=["suns", "moons"])
    assert position["stacks"]["suns"] == 6
    assert after(position, "place suns c4")["stacks"]["suns"] == 5


def test_perft_counts_sequences():
    """It is the number of label sequences that one gets by writing them all down."""
    position = dominoids.positions()["shifts, after figure 11"]
    ends = [((), position)]
    for n in range(5):
        assert dominoids.perft(position, n) == len(ends)
        assert len({labels for labels, _ in ends}) == len(ends)
        ends = [((*labels, label), p) for labels, here in ends for label, p in dominoids.steps(here)]


def test_births_stay_on_the_board_and_reach_its_edges():
    """A 1 on b1 has four places for a 1-3, and so has a 1 on b8."""
    for rank, inwards in [("1", "23"), ("8", "76")]:
        position = place(f"1@b{rank}-2@c{rank}", pool=[[1, 3]])
        one, two = inwards
        places = {
            (f"a{rank}", f"a{one}"),
            (f"b{one}", f"a{one}"),
            (f"b{one}", f"c{one}"),
            (f"b{one}", f"b{two}"),
        }
        born = {
            (next(s for s in c if c[s] == 1), next(s for s in c if c[s] == 3))
            for c in dominoids.buds(position)
        }
        assert born == places


def test_a_row_shifts_to_the_left_by_one_tile():
    """The pawn on c6 comes to a6, the coin on b5 round to h5; after player 2 it is player 1 again."""
    position = acting(
        "suns", "moons", pawns="moons=c6", coins="b5=suns?", faces="null ace null null", player=1
    )
    moved = after(position, "moons shift row 3 left")
    assert (moved["pawns"], list(moved["coins"])) == ({"moons": "a6"}, ["h5"])
    rolled = after({**moved, "phase": "roll"}, "roll suns=2 moons=2")
    assert rolled["player"] == 0
