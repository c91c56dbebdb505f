"""The golden cases of Kingdomino Duel and the Draw Game, asked of the second generators alone."""

from __future__ import annotations

import math
import random
from typing import Any

import pytest

from tests.oracles import draw_game as draw
from tests.oracles import draw_game_positions as draw_tables
from tests.oracles import kingdomino_duel as duel
from tests.oracles import kingdomino_duel_positions as duel_maps
from tests.oracles.tables import read_table

Position = dict[str, Any]

# Kingdomino Duel


def drawings_on(kingdom: dict[str, str], one: str, two: str, *powers: str) -> set[str]:
    """What player 1 may draw on this map with two dice that show these faces."""
    position = duel_maps.with_dice(duel_maps.opening(), f"{one} {two} s0 s0", "D1 D2", "D3 D4")
    position["maps"][0] = kingdom
    position["declared"][0] = list(powers)
    return set(duel.drawings(position, 0))


def labels(position: Position) -> list[str]:
    """What may come next in the Duel."""
    return [label for label, _ in duel.steps(position)]


def after(position: Position, *following: str) -> Position:
    """The Duel position after these steps."""
    return duel_maps.after_labels(position, *following)


STARTED = {"r3c5": "d0", "r3c6": "s0"}


def test_oracle_K_G01_twelve_pairs_of_squares_touch_the_castle() -> None:
    """An empty map takes two different coats in 24 ways on 12 pairs of squares, all by the castle."""
    found = drawings_on({}, "d0", "q0")
    pairs = {" ".join(half[:4] for half in drawing.split()) for drawing in found}
    assert (len(found), len(pairs)) == (24, 12)
    assert all(any(beside in pair for beside in ("r2c4", "r4c4", "r3c3", "r3c5")) for pair in pairs)


def test_oracle_K_G02_the_first_domino_must_touch_the_castle_by_a_side() -> None:
    """Far away and diagonal first dominoes are not listed, one by the side of the castle is."""
    found = drawings_on({}, "d0", "q0")
    assert "r2c3=d0 r3c3=q0" in found
    assert not any(
        "r1c1" in drawing or drawing.startswith(("r1c3=d0 r2c3", "r1c3=q0 r2c3")) for drawing in found
    )


def test_oracle_K_G03_stripe_and_black_connect_in_26_ways() -> None:
    """The stripe may lean on the stripe, either half on the castle, and nothing on the dot."""
    found = drawings_on(dict(STARTED), "s0", "b0")
    assert len(found) == 26
    assert {"r1c6=b0 r2c6=s0", "r2c7=b0 r3c7=s0"} <= found
    refused = {"r1c5=b0 r2c5=s0", "r2c7=s0 r3c7=b0", "r2c5=s0 r2c6=b0"}
    assert not refused & found


def test_oracle_K_G04_quarters_and_black_connect_in_18_ways_by_the_castle_only() -> None:
    """Where no coat is equal only the castle connects."""
    found = drawings_on(dict(STARTED), "q0", "b0")
    assert len(found) == 18
    assert "r2c4=b0 r2c5=q0" in found
    assert "r2c5=q0 r2c6=b0" not in found


def test_oracle_K_G05_and_06_only_two_empty_squares_side_by_side() -> None:
    """No drawing covers a filled square or the castle, and without P2 both squares share a side."""
    for drawing in drawings_on(dict(STARTED), "s0", "b0"):
        first, second = (half[:4] for half in drawing.split())
        assert not {first, second} & {"r3c4", "r3c5", "r3c6"}
        assert second in duel.neighbours(first)


def test_oracle_K_G07_two_equal_coats_do_not_connect_each_other() -> None:
    """Equal halves away from the castle and from their like are not listed."""
    assert "r1c1=d0 r1c2=d0" not in drawings_on(dict(STARTED), "d0", "d0")


def test_oracle_K_G08_a_takes_one_b_takes_two() -> None:
    """A may take exactly one die, B exactly two, and A's last die comes by itself."""
    position = duel.positions()["opening, four different faces"]
    assert labels(position) == ["1:take D1", "1:take D2", "1:take D3", "1:take D4"]
    taken = after(position, "1:take D2")
    assert labels(taken) == ["2:take D1 D3", "2:take D1 D4", "2:take D3 D4"]
    assert after(taken, "2:take D1 D3")["dice"] == [["D2", "D4"], ["D1", "D3"]]


def test_oracle_K_G09_two_dice_at_once_only_for_a_who_owns_that_power() -> None:
    """P3 is listed for its owner as A, and for nobody when its owner is B."""
    owner_is_a = labels(duel.positions()["P3, player A may take two"])
    assert sum("P3" in label for label in owner_is_a) == 6
    assert not any("P3" in label for label in labels(duel.positions()["P3, its owner is player B"]))


def ticked(face: str, seen: str, *before: str) -> dict[str, int]:
    """Player 1's ticks after a turn with this face on D1 and a crossed face beside it, drawn as `seen`."""
    position = duel_maps.with_dice(duel_maps.opening(), f"{face} b0 q2 s0", "D1 D3", "D2 D4")
    position = after(position, *before, f"1:r1c4=q2 r2c4={seen}", "2:r1c4=b0 r2c4=s0")
    ticks: dict[str, int] = position["ticks"][0]
    return ticks


def test_oracle_K_G10_only_a_plain_coat_ticks() -> None:
    """A plain dot ticks; a dot with a cross, a joker drawn as dot and a dot with the castle bonus do not."""
    assert ticked("d0", "d0")["d"] == 1
    assert ticked("d1", "d1")["d"] == 0
    assert ticked("?", "d0")["d"] == 0
    assert ticked("d0", "d1", "1:castle D1")["d"] == 0
    assert ticked("?", "d1", "1:castle D1")["d"] == 0


def test_oracle_K_G11_a_comes_before_b() -> None:
    """When both complete quarters in one turn, A owns the line and B's stays open for ever."""
    for a in (0, 1):
        position = duel_maps.with_dice(duel_maps.opening(), "q0 q0 s0 s0", "D1 D3", "D2 D4")
        position["a"] = a
        position["ticks"][0]["q"] = position["ticks"][1]["q"] = 2
        position = after(position, "1:r1c4=q0 r2c4=s0", "2:r1c4=q0 r2c4=s0")
        assert position["owner"]["q"] == a
        assert position["ticks"][1 - a]["q"] == 2
        assert all(label.startswith(f"{a + 1}:P6=") for label in labels(position))


def test_oracle_K_G12_the_castle_bonus_once() -> None:
    """After the bonus on one die no further bonus is listed, this turn or later."""
    position = duel_maps.with_dice(duel_maps.opening(), "d0 q0 b2 s1", "D1 D2", "D3 D4")
    position = after(position, "1:castle D1")
    assert not any(label.startswith("1:castle") for label in labels(position))
    position = after(position, "1:r1c4=d1 r2c4=q0", "2:r1c4=b2 r2c4=s1")
    assert (position["phase"], position["roof"]) == ("roll", [True, False])


def points(rows: str) -> list[tuple[str, int]]:
    """The domains of a map as (coat, points)."""
    return [(domain["coat"], domain["points"]) for domain in duel.domains(duel_maps.read_map(rows))]


def test_oracle_K_G13_a_domain_is_squares_times_crosses() -> None:
    """5 squares with 3 crosses make 15, 6 without a cross nothing, one with two crosses 2."""
    assert points("d1 d1 d0 d1 d0 . .") == [("d", 15)]
    assert points("d0 d0 d0 d0 d0 d0 .") == [("d", 0)]
    assert points("b2 . . . . . .") == [("b", 2)]


def test_oracle_K_G14_15_17_domains_apart_count_apart() -> None:
    """Two domains of one coat add up; diagonals and the castle join nothing."""
    assert points("d0 d1 d0 . d0 d1 d0") == [("d", 3), ("d", 3)]
    assert points("d1 .\n. d1") == [("d", 1), ("d", 1)]
    assert points(". . . . . . .\n. . . . . . .\n. . s1 C s1 . .") == [("s", 1), ("s", 1)]


def test_oracle_K_G16_the_sample_map_scores_29() -> None:
    """The eleven domains of the sample map, its 29 points, and what P5 adds for four coats."""
    kingdom = duel_maps.read_map(duel_maps.LATE_ONE)
    found = sorted((d["coat"], len(d["squares"]), d["crosses"]) for d in duel.domains(kingdom))
    expected = ["d31", "s31", "b32", "q32", "D31", "S31", "d31", "D21", "s20", "q20", "S10"]
    assert found == sorted((word[0], int(word[1]), int(word[2])) for word in expected)
    assert duel.final_score(kingdom, None) == 29
    assert [duel.final_score(kingdom, coat) for coat in "sqdb"] == [35, 35, 35, 32]


def test_oracle_K_G18_a_tie_goes_to_the_largest_domain() -> None:
    """Equal points: the larger domain wins, crosses or not; equal again: a draw."""
    position = duel_maps.opening()
    position["maps"] = [duel_maps.read_map("d1 . s0 s0 s0"), duel_maps.read_map("d1 . q0 q0")]
    assert duel.result(position) == {"scores": [1, 1], "largest": [3, 2], "winner": 0}
    position["maps"][1]["r1c5"] = "q0"
    assert duel.result(position)["winner"] is None
    position["named"] = [None, "d"]
    assert duel.result(position)["winner"] == 1


def test_oracle_K_G19_a_full_map_ends_the_game_after_the_turn() -> None:
    """The last two squares of one map end the game once the other player has drawn too."""
    position = after(duel.positions()["E1, the last two squares"], "1:r5c6=d0 r5c7=D0")
    assert position["phase"] == "draw"
    position = after(position, "2:r1c1=q0 r1c2=s0")
    assert position["phase"] == "over"
    assert labels(position) == []
    last = after(duel.positions()["E1, P5 is won by the last drawing"], "1:r5c6=b0 r5c7=D0")
    last = after(last, labels(last)[0])
    assert (last["phase"], after(last, "1:P5=s")["phase"]) == ("wizards", "over")


def test_oracle_K_G20_the_game_ends_when_neither_can_draw() -> None:
    """Two players with nothing drawn end it; one drawing, by P1 here, lets it go on."""
    stuck = duel.positions()["E2, one square left to both"]
    assert after(stuck, "1:none", "2:none")["phase"] == "over"
    alone = duel.positions()["P1 to declare"]
    assert after(alone, "2:r1c2=q0 r1c3=s0", "1:none")["phase"] == "roll"


def test_oracle_K_G21_the_roles_swap() -> None:
    """B is A of the next turn, and all four dice are rolled again."""
    position = duel.positions()["opening, both draw, equal coats"]
    position = after(position, "2:r1c4=s0 r2c4=s0", "1:r1c4=d0 r2c4=d0")
    assert (position["phase"], position["a"], position["shown"]) == ("roll", 1, {})


def test_oracle_K_G22_the_dice() -> None:
    """24 faces: 2 jokers, 10 crosses, five, five, four, four, two and two of the coats."""
    faces = [face for die in duel.DICE.values() for face in die]
    coats = [face[0] for face in faces]
    assert [len(faces), coats.count("?")] == [24, 2]
    assert [coats.count(coat) for coat in "dsDSqb"] == [5, 5, 4, 4, 2, 2]
    assert sum(int(face[1]) for face in faces if face != "?") == 10


def test_oracle_K_G23_a_die_is_turned_to_its_own_faces_only() -> None:
    """P4 offers the five different faces of D1 (a joker among them) and the six of D3 (none)."""
    found = labels(duel.positions()["P4 with the castle bonus, joker"])
    assert [label[5:] for label in found if label.startswith("1:P4")] == [
        *("D1=?", "D1=d0", "D1=s0", "D1=D1", "D1=S1"),
        *("D3=d0", "D3=s0", "D3=D0", "D3=S0", "D3=q2", "D3=b2"),
    ]


def test_oracle_duel_p1_and_p2_lift_what_they_lift() -> None:
    """P1 wants two squares side by side anywhere, P2 two connected ones, both any two (A-K8, A-K9)."""
    free = len(duel.SQUARES) - len(STARTED)
    assert len(drawings_on(dict(STARTED), "q0", "b0", "P1", "P2")) == free * (free - 1)
    assert "r1c1=q0 r1c2=b0" in drawings_on(dict(STARTED), "q0", "b0", "P1")
    # three squares touch the castle; two different coats there in 3 × 2 ways
    assert len(drawings_on(dict(STARTED), "q0", "b0", "P2")) == 6


def test_oracle_duel_a_single_square_is_drawn_only_where_no_pair_is() -> None:
    """With P2 and one square left a joker and its like are one drawing, and it ticks for the plain die."""
    position = after(duel.positions()["last square, P2 draws a joker or its like"], "1:P2")
    assert [label for label in labels(position) if label[0] == "1"] == ["1:r5c7=D0"]
    position = after(position, "1:r5c7=D0", "2:none")
    assert (position["ticks"][0]["D"], position["phase"]) == (1, "over")


def test_oracle_duel_p5_and_p6_of_one_player_come_in_either_order() -> None:
    """Both lightning powers wait together (A-K26)."""
    position = duel_maps.with_dice(duel_maps.opening(), "q0 q0 b0 s0", "D1 D3", "D2 D4")
    position["ticks"][0].update(q=2, b=2)
    position = after(position, "1:r1c4=q0 r2c4=b0", "2:r1c4=q0 r2c4=s0")
    assert labels(position) == [*(f"1:P5={coat}" for coat in duel.COATS), "1:P6=r1c4", "1:P6=r2c4"]
    assert labels(after(position, "1:P5=q")) == ["1:P6=r1c4", "1:P6=r2c4"]
    assert after(position, "1:P6=r1c4", "1:P5=q")["maps"][0]["r1c4"] == "q1"


def test_oracle_duel_lightning_of_both_players_comes_in_either_order() -> None:
    """The P5 that one won and the P6 of the other wait together, whoever is A (A-K21)."""
    for a in (0, 1):
        position = duel_maps.with_dice(duel_maps.opening(), "q0 b0 d1 d1", "D1 D3", "D2 D4")
        position["a"] = a
        position["ticks"][0]["q"] = position["ticks"][1]["b"] = 2
        position = after(position, "1:r1c4=q0 r2c4=d1", "2:r1c4=b0 r2c4=d1")
        assert {label[:4] for label in labels(position)} == {"1:P6", "2:P5"}
        assert labels(position)[0][0] == str(a + 1)
        for first, second in (("1:P6=r1c4", "2:P5=s"), ("2:P5=s", "1:P6=r1c4")):
            done = after(position, first, second)
            assert (done["phase"], done["named"], done["maps"][0]["r1c4"]) == ("roll", [None, "s"], "q1")


def test_oracle_duel_p6_needs_a_free_circle() -> None:
    """A coat with three crosses takes no fourth (A-K15)."""
    position = duel_maps.with_dice(duel_maps.opening(), "q0 d0 b2 s0", "D1 D3", "D2 D4")
    position["ticks"][0]["q"] = 2
    position = after(position, "1:castle D3", "1:r1c4=q0 r2c4=b3", "2:r1c4=d0 r2c4=s0")
    assert labels(position) == ["1:P6=r1c4"]


# The Draw Game


def played(*plays: str) -> tuple[Position, list[int]]:
    """The table after these plays, by turns, each hand holding its tiles and one more; the points of each."""
    tiles = [play.removeprefix("down ")[:3] for play in plays]
    spare = [tile for tile in draw.SET if tile not in tiles]
    position = draw_tables.match(11)
    position["hands"] = [[*tiles[0::2], spare[0]], [*tiles[1::2], spare[1]]]
    position["boneyard"] = spare[2:]
    scored = []
    for number, play in enumerate(plays):
        player = number % 2
        before = position["scores"][player]
        position = dict(draw.steps(position))[f"{player + 1}:{play}"]
        scored.append(position["scores"][player] - before)
    return position, scored


def next_labels(position: Position) -> list[str]:
    """What may come next in the Draw Game."""
    return [label for label, _ in draw.steps(position)]


def table(first: str, second: str, line: str, boneyard: str = "", **other: Any) -> Position:
    """A table late in a hand of 11, player 1 to move; nobody may ask for a redeal."""
    position = draw_tables.match(11)
    position.update(hands=[first.split(), second.split()], line=line.split(), boneyard=boneyard.split())
    position.update(played=[True, True], **other)
    return position


def test_oracle_F_G01_what_the_down_scores() -> None:
    """Three tiles of five pips, two of ten, nothing else."""
    found = {tile: played(f"down {tile}")[1][0] for tile in draw.SET}
    expected = {"0-5": 5, "1-4": 5, "2-3": 5, "4-6": 10, "5-5": 10}
    assert found == {tile: expected.get(tile, 0) for tile in draw.SET}


# The Down lies with its low half to W, so the ends of the text are found again by their pips.
LINES = {
    "F-G02": (["down 3-4", "2-4 on 4 E"], [0, 5]),
    "F-G03": (["down 3-4", "2-3 on 3 W"], [0, 0]),
    "F-G04": (["down 3-4", "3-3 on 3 W"], [0, 10]),
    "F-G05": (["down 3-3", "3-4 on 3 E", "3-6 on 3 W", "3-5 on 3 N"], [0, 10, 10, 15]),
    "F-G08": (["down 4-4", "4-6 on 4 E", "1-4 on 4 W"], [0, 0, 0]),
    "F-G10": (["down 5-5", "0-5 on 5 E", "0-0 on 0 E", "5-6 on 5 W", "0-4 on 0 E"], [10, 10, 10, 0, 10]),
    "F-G11 first": (["down 2-4", "3-4 on 4 E"], [0, 5]),
    "F-G11 second": (["down 2-4", "4-4 on 4 E"], [0, 10]),
    "F-G12": (
        [
            *("down 6-6", "3-6 on 6 E", "2-6 on 6 W", "0-6 on 6 N", "4-6 on 6 S"),
            *("3-3 on 3 E", "4-4 on 4 S"),
        ],
        [0, 15, 5, 5, 0, 0, 0],
    ),
}


@pytest.mark.parametrize("case", LINES)
def test_oracle_the_points_of_a_line(case: str) -> None:
    """Each line of plays of the golden cases scores what the text or the reading says."""
    plays, expected = LINES[case]
    assert played(*plays)[1] == expected


def test_oracle_F_G04_the_first_double_is_the_spinner() -> None:
    """A double played later in the hand is the spinner if it is the first one."""
    assert played(*LINES["F-G04"][0])[0]["spinner"] == "3-3"


def test_oracle_F_G06_never_more_than_four_ends() -> None:
    """After one branch the ends are 4, 6, 5 and the other short end of the 3-3."""
    assert draw.open_ends(played(*LINES["F-G05"][0])[0]) == {"W": 6, "E": 4, "N": 5, "S": 3}


def test_oracle_F_G07_the_short_ends_open_last() -> None:
    """With one long side bare no tile goes on a short end."""
    position, _ = played("down 3-3", "3-4 on 3 E")
    assert draw.open_ends(position) == {"W": 3, "E": 4}


def test_oracle_F_G09_a_second_double_never_branches() -> None:
    """A later 6-6 counts twelve as an end; covered, only the tile behind it counts."""
    position, scored = played("down 3-3", "3-6 on 3 E", "6-6 on 6 E")
    assert (draw.exposed_total(position), scored[-1]) == (18, 0)
    position, _ = played("down 3-3", "3-6 on 3 E", "6-6 on 6 E", "4-6 on 6 E")
    assert (draw.exposed_total(position), draw.open_ends(position)) == (10, {"W": 3, "E": 4})


def test_oracle_F_G12_the_totals() -> None:
    """The sums behind the scores of the longer line."""
    plays = LINES["F-G12"][0]
    sums = [draw.exposed_total(played(*plays[:count])[0]) for count in range(1, len(plays) + 1)]
    assert sums == [12, 15, 5, 5, 9, 12, 16]


def test_oracle_F_G13_rounding() -> None:
    """To the nearest five; a whole number never lies half-way."""
    assert [draw.nearest_five(total) for total in range(14)] == [
        0,
        0,
        0,
        5,
        5,
        5,
        5,
        5,
        10,
        10,
        10,
        10,
        10,
        15,
    ]


def test_oracle_F_G14_going_out_scores_the_other_hand_too() -> None:
    """A last play worth 10 and 13 pips held by the other make 25."""
    position = table("0-5", "6-6 0-1", "5-5", spinner="5-5", scores=[30, 0], before=[30, 0])
    out = dict(draw.steps(position))["1:0-5 on 5 E"]
    assert (out["scores"], out["phase"], out["down"]) == ([55, 0], "deal", 1)


def test_oracle_F_G15_a_blocked_hand_scores_all_of_the_higher_hand() -> None:
    """9 against 14: the lower hand gets 15; equal hands: nobody (A-F9)."""
    position = table("4-5", "6-6 0-2", "3-3")
    blocked = draw_tables.after_labels(position, "1:pass", "2:pass")
    assert (blocked["scores"], blocked["phase"]) == ([15, 0], "deal")
    equal = draw_tables.after_labels(table("4-5", "0-6 1-2", "3-3"), "1:pass", "2:pass")
    assert equal["scores"] == [0, 0]


def test_oracle_only_two_passes_in_a_row_block_a_hand() -> None:
    """A pass that a play follows is forgotten (A-F19)."""
    position = table("1-1 4-4", "0-6 0-4", "2-6")
    position = draw_tables.after_labels(position, "1:pass", "2:0-6 on 6 E", "1:pass")
    assert (position["phase"], next_labels(position)) == ("play", ["2:0-4 on 0 E"])


def test_oracle_F_G16_and_17_draw_and_pass_only_when_forced() -> None:
    """Who can play must; who cannot draws while there is a tile; only then a pass."""
    assert next_labels(table("1-6", "0-0", "2-6", "3-3")) == ["1:1-6 on 6 E"]
    assert next_labels(table("1-1", "0-0", "2-6", "3-3")) == ["1:draw"]
    assert next_labels(table("1-1", "0-0", "2-6")) == ["1:pass"]


def test_oracle_a_drawn_tile_that_fits_ends_the_drawing() -> None:
    """After a tile that fits only plays are listed, after another only the next draw (A-F6)."""
    drawing = draw_tables.after_labels(table("1-1", "0-0", "2-6", "3-3 2-5"), "1:draw")
    assert next_labels(drawing) == ["drawn 3-3", "drawn 2-5"]
    assert next_labels(draw_tables.after_labels(drawing, "drawn 2-5")) == ["1:2-5 on 2 W"]
    assert next_labels(draw_tables.after_labels(drawing, "drawn 3-3")) == ["1:draw"]


def test_oracle_F_G18_a_tile_must_match() -> None:
    """A 2-5 has no place on a line that ends in 3 and 3."""
    assert next_labels(table("2-5", "0-0", "3-4 4-3")) == ["1:pass"]


def test_oracle_F_G19_when_a_redeal_is_granted() -> None:
    """Five doubles of 11, four of 9 or 7, before the first own play; as likely as the reference says."""
    for size, few in ((11, 4), (9, 3), (7, 3)):
        doubles = [f"{pip}-{pip}" for pip in range(7)]
        others = [tile for tile in draw.SET if tile not in doubles]
        for count, granted in ((few, False), (few + 1, True)):
            first = doubles[:count] + others[: size - count]
            rest = [tile for tile in others if tile not in first]
            position = draw_tables.match(size, [first, rest[:size]])
            assert ("1:redeal" in next_labels(position)) is granted
            gone = dict(draw.steps(position))[f"1:down {first[0]}"]
            assert "1:redeal" not in next_labels(gone)

    def chance(size: int) -> float:
        least = draw.DOUBLES_FOR_REDEAL[size]
        ways = sum(math.comb(7, k) * math.comb(21, size - k) for k in range(least, 8) if k <= size)
        return round(100 * ways / math.comb(28, size), 1)

    assert [chance(size) for size in (11, 9, 7)] == [6.0, 12.3, 4.3]


def test_oracle_a_redeal_cancels_the_points_of_the_hand() -> None:
    """The Down stays, and points made before the other's demand are gone (A-F12, A-F13)."""
    position = draw_tables.match(9, draw_tables.DEALS[9][1])
    position.update(scores=[20, 10], before=[20, 10])
    position = draw_tables.after_labels(position, "1:down 1-4")
    assert position["scores"] == [25, 10]
    position = draw_tables.after_labels(position, "2:redeal", "deal 1")
    assert (position["scores"], position["down"], position["turn"]) == ([20, 10], 0, 0)


def test_oracle_F_G20_the_down_alternates() -> None:
    """Whoever wins a hand, the other player of the last Down begins the next."""
    for down in (0, 1):
        position = table("0-5", "1-1", "5-6", spinner=None, down=down)
        position = draw_tables.after_labels(position, "1:0-5 on 5 W", "deal 1")
        assert (position["down"], position["turn"]) == (1 - down, 1 - down)


def test_oracle_F_G21_the_match_ends_at_250_at_once() -> None:
    """At 245 a play of 5 ends it; if a play goes out too, the other hand still counts (A-F10)."""
    exactly = table("1-4 1-1", "6-6 0-1", "4-2 2-4", scores=[245, 0], before=[240, 0])
    exactly = dict(draw.steps(exactly))["1:1-4 on 4 W"]
    assert (exactly["scores"], exactly["phase"]) == ([250, 0], "over")
    position = table("0-5 1-1", "6-6 0-1", "5-5", spinner="5-5", scores=[245, 245], before=[240, 240])
    ended = dict(draw.steps(position))["1:0-5 on 5 E"]
    assert (ended["scores"], ended["phase"], next_labels(ended)) == ([255, 245], "over", [])
    position["hands"][0] = ["0-5"]
    assert dict(draw.steps(position))["1:0-5 on 5 E"]["scores"] == [270, 245]


def test_oracle_the_lot_for_the_first_down() -> None:
    """The larger sum of pips has the Down; equal sums draw again."""
    assert draw.lot_winner(["2-3", "0-6"]) == 1
    assert draw.lot_winner(["6-6", "5-6"]) == 0
    assert draw.lot_winner(["2-4", "0-6"]) is None


# Both


def test_oracle_F_G22_every_tile_once_in_any_game() -> None:
    """Random play keeps the 28 tiles, joins only equal pips, opens four ends at most, and comes to an end."""
    rng = random.Random(20)
    for name, position in draw.positions().items():
        for _ in range(60):
            following = draw.steps(position)
            if not following:
                break
            position = rng.choice(following)[1]
            lying = position["line"] + position["N"] + position["S"]
            tiles = [draw.turned(tile, min(draw.halves(tile))) for tile in lying]
            held = position["hands"][0] + position["hands"][1] + position["boneyard"]
            assert sorted(tiles + held) == draw.SET, name
            assert len(draw.open_ends(position)) <= 4
            for left, right in zip(position["line"], position["line"][1:], strict=False):
                assert left[2] == right[0]


def test_oracle_random_duels_come_to_an_end() -> None:
    """Random play from positions of every kind ends with each completed line owned by who completed it."""
    rng = random.Random(20)
    for name, position in list(duel.positions().items())[::4]:
        for _ in range(400):
            following = duel.steps(position)
            if not following:
                break
            position = rng.choice(following)[1]
        assert position["phase"] == "over", name
        for player in (0, 1):
            assert set(position["maps"][player]) <= set(duel.SQUARES)
            for coat, owner in position["owner"].items():
                full = position["ticks"][player][coat] == duel.LINE_LENGTH[coat]
                assert full is (owner == player)


@pytest.mark.parametrize("game", ["kingdomino-duel", "draw-game"])
def test_oracle_the_committed_table_is_the_oracles(game: str) -> None:
    """The counts for n = 1 and 2 come out again, for every position, of which there are twelve or more."""
    oracle = duel if game == "kingdomino-duel" else draw
    committed = read_table(game)
    assert list(committed) == list(oracle.positions())
    assert len(committed) >= 12
    for name, position in oracle.positions().items():
        assert [oracle.perft(position, n) for n in (1, 2)] == [committed[name][n] for n in (1, 2)], name
