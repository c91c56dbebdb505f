"""The golden cases of the rules reference, each named by its id."""

from itertools import combinations, product

import pytest

from engine.dominoes import domino_set
from engine.dominoes_of_war.model import Flipped, Shoot, WarState
from engine.dominoes_of_war.places import FIELD_INDEX, STRAIGHT, name, place_called
from tests.engine.dominoes_of_war.scene import (
    BOOK,
    EAST,
    WEST,
    after,
    allowed,
    bare,
    broken,
    incomplete,
    judged,
    offers,
    refused,
    standing,
    table,
)

FOE = " 2:general@h8"


@pytest.mark.rules("DOW-P1", "DOW-S1", "A-W46", "DOW-F2", "DOW-F3")
def test_W_G01_a_double_twelve_set_is_just_enough() -> None:
    """64 + 12 + 4 tiles are in use and 11 are spare; 13 doubles; three tiles have 20 pips, one a mine."""
    tiles = domino_set(12)
    assert (len(tiles), sum(tile.is_double for tile in tiles)) == (91, 13)
    assert [str(tile) for tile in tiles if tile.pips == 20] == ["8-12", "9-11", "10-10"]
    state = table("1:grunt@d4" + FOE, walls="a1/a2 b1/b2 c1/c2 d1/d2")
    assert 64 + sum(map(len, state.bases)) + len(state.walls) == 80
    assert state.spare == 11
    flipped = [
        fact.tile for fact in BOOK.possible_facts(after(state, "move d4 d5")) if isinstance(fact, Flipped)
    ]
    assert flipped == list(tiles)


@pytest.mark.rules("DOW-S3", "A-W10", "A-W11")
def test_W_G02_a_base_has_six_connected_tiles_and_one_or_two_entrances() -> None:
    """Five or seven tiles, loose ones, no entrance or three are refused by DOW-S3; one or two are allowed."""
    state = BOOK.start(setup={})
    assert refused(state, "base (0,3) (0,4) (0,5) (0,6) (0,7)") == "DOW-S3"
    assert refused(state, "base (-3,4) (-2,3) (-2,4) (-1,3) (-1,4) (0,3) (0,4)") == "DOW-S3"
    assert refused(state, "base (-2,4) (-1,3) (-1,4) (0,3) (0,4) (0,8)") == "DOW-S3"
    assert refused(state, "base (-5,3) (-4,3) (-3,3) (-2,3) (-2,4) (-1,3)") == "DOW-S3"
    assert refused(state, "base (-1,3) (-1,4) (-1,5) (0,3) (0,4) (0,5)") == "DOW-S3"
    assert judged(state, "base (-1,3) (-1,4) (-1,5) (0,3) (0,4) (0,5)").facts == {"entrances": 3}
    assert allowed(state, "base (-5,3) (-4,3) (-3,3) (-2,3) (-1,3) (0,3)") == "DOW-S3"
    assert allowed(state, "base (-2,3) (-2,4) (-1,3) (-1,4) (0,3) (0,4)") == "DOW-S3"
    assert incomplete(state, "base (-2,4) (-1,3) (-1,4) (0,3) (0,4)") == "DOW-S3"


@pytest.mark.rules("DOW-S4")
def test_W_G03_walls_are_placed_by_turns() -> None:
    """The order is 1, 2, 1, 2; a third wall by the first player before the second's second is refused."""
    state = BOOK.start(setup={"bases": [WEST, EAST]})
    assert refused(state, "2: wall d4/d5") == "DOW-S4"
    state = after(state, "1: wall d4/d5", "2: wall d5/d6", "1: wall a1/b1")
    assert refused(state, "1: wall a2/b2") == "DOW-S4"
    assert after(state, "2: wall a2/b2").phase == "stock"


@pytest.mark.rules("DOW-T2")
def test_W_G04_no_troop_moves_and_attacks_in_one_turn() -> None:
    """A Grunt that has moved may not attack; a Gunslinger may."""
    state = bare(table("1:grunt@d4 2:grunt@d8"))
    assert refused(after(state, "move d4 d5"), "shoot d5 d8") == "DOW-T2"
    state = bare(table("1:gunslinger@d4 2:grunt@d7", armies=["cowboys", "army"]))
    assert allowed(after(state, "move d4 d5"), "shoot d5 d7") == "DOW-GUN-A"


@pytest.mark.rules("DOW-T2", "DOW-F3.12", "A-W36")
def test_W_G05_a_second_move_of_a_troop_needs_a_bonus_of_12() -> None:
    """Two moves of one troop are refused; right after a 12 the extra action may be his."""
    state = table("1:grunt@d4" + FOE)
    assert refused(after(state, "move d4 d5", "see d5 4-5"), "move d5 d6") == "DOW-T2"
    assert allowed(after(state, "move d4 d5", "see d5 5-7"), "move d5 d6") == "DOW-GRU-M"


@pytest.mark.rules("DOW-T1", "DOW-T3", "DOW-F3.12")
def test_W_G06_a_turn_has_up_to_three_actions() -> None:
    """A fourth action is refused unless a 12 was flipped; none at all is allowed."""
    state = table("1:grunt@a1 1:grunt@c1 1:grunt@e1 1:grunt@g1" + FOE)
    assert allowed(state, "end") == "DOW-T3"
    third = after(state, "move a1 a2", "see a2 0-1", "move c1 c2", "see c2 0-2", "move e1 e2")
    assert refused(after(third, "see e2 0-3"), "move g1 g2") == "DOW-T1"
    extra = after(third, "see e2 5-7", "move g1 g2", "see g2 0-3")
    assert (extra.phase, extra.actions) == ("act", 3)
    assert offers(extra, "") == ["end"]


REACH = {
    "general": (8, 3),
    "grunt": (24, 9),
    "sniper": (12, 5),
    "kamikaze": (12, 5),
    "grenadier": (12, 4),
    "shotgunner": (24, 8),
    "lightfoot": (24, 9),
}


def _armies(kind: str) -> list[str]:
    return ["indians" if kind in ("shotgunner", "lightfoot", "spear-thrower") else "army", "army"]


@pytest.mark.parametrize("kind", REACH)
@pytest.mark.rules(
    "DOW-M1", "A-W1", "DOW-GEN-M", "DOW-GRU-M", "DOW-SNI-M", "DOW-KAM-M", "DOW-GRE-M", "DOW-LIG-M"
)
@pytest.mark.rules("DOW-SHO-M")
def test_W_G07_reach_on_an_empty_field(kind: str) -> None:
    """From d4 and from a1 each type reaches as many tiles as the reference counts, turning on its way."""
    counts = []
    for at in ("d4", "a1"):
        state = table(f"1:{kind}@{at}" + FOE, armies=_armies(kind), bases=[SOUTH, EAST])
        counts.append(len(offers(state, f"move {at}")))
    assert tuple(counts) == REACH[kind]


SOUTH = ["(6,0)", "(6,-1)", "(6,-2)", "(6,-3)", "(6,-4)", "(6,-5)"]


@pytest.mark.rules("DOW-W1", "DOW-LIG-C")
def test_W_G08_a_grunt_walks_round_a_wall_and_a_lightfoot_over_it() -> None:
    """With a wall on d4/d5 a Grunt on d4 reaches 22 tiles, d5 among them, but not d6; a Lightfoot climbs."""
    state = table("1:grunt@d4" + FOE, walls="d4/d5")
    ways = offers(state, "move d4")
    assert len(ways) == 22
    assert "move d4 d5" in ways
    assert judged(state, "move d4 d5").facts["steps"] == 3
    for beyond in ("d6", "d7"):
        assert refused(state, f"move d4 {beyond}") == "DOW-W1"
    nimble = table("1:lightfoot@d4" + FOE, walls="d4/d5", armies=["indians", "army"])
    assert judged(nimble, "move d4 d5").facts["steps"] == 1
    assert len(offers(nimble, "move d4")) == 24


HITS = {
    "general": 8,
    "grunt": 14,
    "grenadier": 10,
    "shotgunner": 16,
    "spear-thrower": 24,
    "lightfoot": 8,
    "sniper": 4,
}


@pytest.mark.parametrize("kind", HITS)
@pytest.mark.rules(
    "A-W1", "A-W7", "DOW-GEN-A", "DOW-GRU-A", "DOW-GRE-A", "DOW-SHO-A", "DOW-SPE-A", "DOW-LIG-A"
)
def test_W_G09_attack_squares_from_d4_on_an_empty_field(kind: str) -> None:
    """Each type can hit as many tiles from d4 as the reference counts, whoever stands there alone."""
    facing = ">n" if kind == "sniper" else ""
    hits = 0
    for x in "abcdefgh":
        for y in range(1, 9):
            if f"{x}{y}" != "d4":
                state = table(f"1:{kind}@d4{facing} 2:grunt@{x}{y}", armies=_armies(kind))
                hits += len(offers(state, "shoot"))
    assert hits == HITS[kind]


@pytest.mark.rules("DOW-GRE-A", "A-W4")
def test_W_G10_a_grenadier_throws_two_to_four_spaces() -> None:
    """At distance 1 or 5 or slanting it is refused; over a wall and over a troop it is allowed."""
    near = table("1:grenadier@d3 2:grunt@d4 2:grunt@d8 2:grunt@f5")
    assert [refused(near, f"shoot d3 {at}") for at in ("d4", "d8", "f5")] == ["DOW-GRE-A"] * 3
    over = table("1:grenadier@d3 2:grunt@d4 2:grunt@d6", walls="d5/d6")
    assert allowed(over, "shoot d3 d6") == "DOW-GRE-A"


@pytest.mark.rules("DOW-W1", "A-W4")
def test_W_G11_a_shot_is_stopped_by_walls_and_troops() -> None:
    """A Grunt's shot through a wall is refused by DOW-W1, through a troop by A-W4."""
    assert refused(table("1:grunt@d4 2:grunt@d6", walls="d4/d5"), "shoot d4 d6") == "DOW-W1"
    assert refused(table("1:grunt@d4 1:sniper@d5 2:grunt@d6"), "shoot d4 d6") == "A-W4"


@pytest.mark.rules("DOW-SNI-A", "DOW-SNI-F")
def test_W_G12_a_sniper_attacks_where_he_faces_and_is_faced_every_turn() -> None:
    """Another direction is refused; a turn that ends without a facing is incomplete."""
    state = table("1:sniper@d4>n 2:grunt@d8 2:grunt@h4")
    assert refused(state, "shoot d4 h4") == "DOW-SNI-A"
    assert allowed(state, "shoot d4 d8") == "DOW-SNI-A"
    ended = after(state, "end")
    assert incomplete(ended, "2: move d8 d7") == "DOW-SNI-F"
    assert after(ended, "face d4 e").troop_at(place_called("d4")) == state.troops[0]._replace(facing="e")


@pytest.mark.rules("A-W47", "DOW-SNI-F")
def test_snipers_are_faced_in_any_order() -> None:
    """The one on d4 before the one on b2, or after him: both are allowed, and end in the same."""
    state = after(table("1:sniper@b2>n 1:sniper@d4>n 2:grunt@h8"), "end")
    assert allowed(state, "face d4 e") == "DOW-SNI-F"
    assert after(state, "face d4 e", "face b2 w") == after(state, "face b2 w", "face d4 e")


@pytest.mark.rules("DOW-QUI-A", "A-W35")
def test_W_G13_a_quick_shot_splits_five_spaces_over_two_directions() -> None:
    """4+1 and 3+2 are allowed; 5+0, 4+2 and one direction twice are refused; 60 pairs in all are allowed."""
    assert allowed(_duel("d4", "d8", "e4"), "shoot d4 d8 e4") == "DOW-QUI-A"
    assert allowed(_duel("d4", "d7", "f4"), "shoot d4 d7 f4") == "DOW-QUI-A"
    assert refused(_duel("d3", "d8"), "shoot d3 d8") == "DOW-QUI-A"
    assert refused(_duel("d4", "d8", "f4"), "shoot d4 d8 f4") == "DOW-QUI-A"
    assert refused(_duel("d4", "d5", "d6"), "shoot d4 d5 d6") == "A-W35"
    assert len(_allowed_pairs()) == 60


def _duel(at: str, *foes: str) -> WarState:
    """A Quick Shot among enemies."""
    enemies = " ".join(f"2:grunt@{foe}" for foe in foes)
    return table(f"1:quick-shot@{at} {enemies}", armies=["cowboys", "army"])


def _allowed_pairs() -> set[tuple[str, int, str, int]]:
    """The pairs of directions and lengths that are allowed, by a victim at the end of each shot.

    From d4 four spaces lead north and east over the field, from e5 south and west, so both are asked.
    """
    found = set()
    for at in (place_called("d4"), place_called("e5")):
        for one, other in combinations(STRAIGHT, 2):
            for length, further in product(range(1, 6), repeat=2):
                ends = frozenset((at + length * STRAIGHT[one], at + further * STRAIGHT[other]))
                if ends <= FIELD_INDEX.keys():
                    state = _duel(name(at), *map(name, sorted(ends)))
                    if BOOK.judge(state, Shoot(1, at, ends)).allowed:
                        found.add((one, length, other, further))
    return found


@pytest.mark.rules("DOW-F1", "DOW-F2", "DOW-KAM-N", "DOW-LIG-N", "A-W23")
def test_W_G14_landing_on_a_mine() -> None:
    """The troop is lost and a spare tile replaces the mine; a Kamikaze explodes too; a Lightfoot lives."""
    state = after(table("1:grunt@d4 1:sniper@b2 2:grunt@d6"), "move d4 d5", "see d5 3-3")
    assert standing(state) == "1:sniper@b2 2:grunt@d6"
    assert (state.spare, state.tile_at(place_called("d5")), len(state.mines)) == (14, None, 1)
    state = after(table("1:kamikaze@d4 1:sniper@b2 2:grunt@d6 2:grunt@h8"), "move d4 d5", "see d5 3-3")
    assert standing(state) == "1:sniper@b2 2:grunt@h8"
    state = table("1:lightfoot@d4 2:grunt@d6", armies=["indians", "army"])
    state = after(state, "move d4 d5", "see d5 3-3")
    assert standing(state) == "1:lightfoot@d5 2:grunt@d6"
    assert (state.spare, str(state.tile_at(place_called("d5")))) == (15, "3-3")


@pytest.mark.rules("DOW-F3", "DOW-F3.10", "DOW-F3.12", "DOW-F3.17", "DOW-F3.20")
def test_W_G15_what_the_totals_bring() -> None:
    """4-6 brings a spawn now or never, 5-7 an action, 8-9 a base tile, 9-11 a wall's move, 4-5 nothing."""
    moved = after(table("1:grunt@d4" + FOE, walls="a1/a2"), "move d4 d5")
    spawn = after(moved, "see d5 4-6")
    assert incomplete(spawn, "move d5 d6") == "DOW-F3"
    assert standing(after(spawn, "bonus sniper (0,3)")).startswith("1:sniper@(0,3)")
    assert after(spawn, "forfeit").phase == "act"
    assert refused(after(spawn, "forfeit"), "bonus sniper (0,3)") == "DOW-F3.10"
    extra = after(moved, "see d5 5-7", "move d5 d6", "see d6 0-1")
    assert extra.actions == 1
    grown = after(moved, "see d5 8-9", "extend (0,5)")
    assert (len(grown.bases[0]), grown.spare) == (7, 13)
    assert [str(wall) for wall in after(moved, "see d5 9-11", "rewall a1/a2 d4/d5").walls] == ["d4/d5"]
    assert after(moved, "see d5 4-5").phase == "act"


@pytest.mark.rules("DOW-F1", "A-W33")
def test_W_G16_flipped_tiles_and_base_tiles_bring_nothing() -> None:
    """Nothing is flipped where a tile lies face up already, or in a base."""
    state = table("1:grunt@d4 1:grunt@a3 1:grunt@h5 2:grunt@d8", field={"d5": "4-6"})
    state = after(state, "move d4 d5", "move a3 (0,3)", "move h5 (9,5)")
    assert (state.phase, state.actions) == ("act", 3)


@pytest.mark.rules("DOW-KAM-R", "A-W28", "A-W29", "DOW-W1")
def test_W_G17_a_kamikaze_runs_onto_an_enemy() -> None:
    """The enemy, the Kamikaze and all on the eight tiles around die, but not who stands behind a wall."""
    state = table("1:kamikaze@d3 1:grunt@c6 1:grunt@d6 2:grunt@d5 2:grunt@e4 2:grunt@f5", walls="d5/d6")
    state = after(state, "run d3 d5")
    assert standing(state) == "1:grunt@d6 2:grunt@f5"
    assert state.actions == 1


HOOK = ["(0,0)", "(-1,0)", "(-1,1)", "(-1,2)", "(0,2)", "(0,3)"]
"""A base with a corner at a1: no tile lies beside both (0,0) and a1, and only a2 beside a1 and (0,2)."""


@pytest.mark.rules("A-W28", "A-W9", "A-W45", "DOW-KAM-X", "DOW-KAM-N")
def test_a_blast_reaches_round_a_corner_without_a_tile() -> None:
    """Round a1 it reaches (0,0), if the Kamikaze runs, is shot or lands on a mine; no step leads there."""
    others = "1:sniper@(0,0) 1:grunt@a4 2:grunt@b2 2:general@h8"
    bases = [HOOK, EAST]
    assert broken(table("1:general@a1 2:general@h8", bases=bases), "move a1 (0,0)") == ["A-W9"]
    ran = after(table(f"1:kamikaze@a3 2:grunt@a1 {others}", bases=bases), "run a3 a1")
    shot = after(table(f"1:kamikaze@a1 {others}", bases=bases), "shoot a4 a1")
    mined = after(table(f"1:kamikaze@a2 {others}", bases=bases), "move a2 a1", "see a1 3-3")
    assert [standing(state) for state in (ran, shot, mined)] == ["1:grunt@a4 2:general@h8"] * 3


@pytest.mark.rules("A-W28", "A-W8", "DOW-W1")
def test_a_blast_passes_a_wall_where_no_tile_lies_on_the_other_way() -> None:
    """The wall a1/a2 shelters a2, but not (0,2): the other way there is cut by no wall. It stops a step."""
    walled = {"walls": "a1/a2", "bases": [HOOK, EAST]}
    assert broken(table("1:general@a1 2:general@h8", **walled), "move a1 (0,2)") == ["DOW-W1"]
    state = table("1:kamikaze@a1 1:grunt@c1 1:sniper@(0,2) 2:grunt@a2 2:general@h8", **walled)
    assert standing(after(state, "shoot c1 a1")) == "2:grunt@a2 1:grunt@c1 2:general@h8"


@pytest.mark.rules("A-W28", "A-W42")
def test_no_blast_goes_from_base_to_base() -> None:
    """Of two bases that touch with a corner neither suffers from a blast in the other."""
    bases = [["(1,9)", "(1,10)", "(1,11)", "(2,10)", "(2,11)", "(3,10)"], [f"({x},8)" for x in range(-5, 1)]]
    state = after(
        table("1:kamikaze@(1,9) 1:grunt@a5 1:sniper@b8 2:grunt@(0,8)", bases=bases), "shoot a5 (1,9)"
    )
    assert standing(state) == "2:grunt@(0,8) 1:grunt@a5"


RING = ["(-2,3)", "(-2,4)", "(-2,5)", "(-1,3)", "(-1,5)", "(0,3)", "(0,4)"]
"""A base that a bonus has closed round a hole: no tile lies beside both (0,4) and (-1,5)."""


@pytest.mark.rules("A-W9", "A-W8", "DOW-GEN-M", "DOW-GRE-M", "DOW-GEN-A")
def test_slanting_steps_and_shots_inside_one_base_pass_a_hole() -> None:
    """From (0,4) to (-1,5) a General steps and shoots, and a Grenadier goes on from there."""
    bases = [RING, EAST]
    state = table("1:general@(0,4) 2:grunt@(-2,3) 2:general@h8", bases=bases)
    assert allowed(state, "move (0,4) (-1,5)") == "DOW-GEN-M"
    prey = table("1:general@(0,4) 2:grunt@(-1,5) 2:general@h8", bases=bases)
    assert allowed(prey, "shoot (0,4) (-1,5)") == "DOW-GEN-A"
    thrower = table("1:grenadier@a3 2:general@h8", bases=bases)
    assert judged(thrower, "move a3 (-1,5)").facts["steps"] == 2


@pytest.mark.rules("A-W9", "A-W40", "A-W42", "DOW-SPE-A")
def test_a_throw_needs_no_entrance() -> None:
    """A Spear Thrower on a1 hits (0,0) and is hit from there, where no step leads and no shot passes."""
    armies = ["indians", "indians"]
    state = table(
        "1:spear-thrower@b2 1:shotgunner@a1 2:grunt@(0,0)", armies=["indians", "army"], bases=[EAST, HOOK]
    )
    assert allowed(state, "shoot b2 (0,0)") == "DOW-SPE-A"
    assert broken(state, "shoot a1 (0,0)") == ["A-W9"]
    back = table("1:spear-thrower@(0,0) 2:chieftain@b2", armies=armies, bases=[HOOK, EAST])
    assert allowed(back, "shoot (0,0) b2") == "DOW-SPE-A"


@pytest.mark.rules("DOW-KAM-W", "A-W30", "A-W39")
def test_W_G18_a_kamikaze_needs_the_steps_to_go_through_a_wall() -> None:
    """Between its second and third tile it cannot blow up a wall (3 steps, it has 2), nearer it can."""
    state = table("1:kamikaze@d4 1:grunt@d6 2:grunt@e5" + FOE, walls="d6/d7 d5/d6")
    ruling = judged(table("1:kamikaze@d4" + FOE, walls="d6/d7"), "blow d4 d6/d7")
    assert (ruling.rule, ruling.facts) == ("DOW-KAM-W", {"steps": 3, "allowed": 2})
    assert allowed(state, "blow d4 d5/d6") == "DOW-KAM-W"
    blown = after(state, "blow d4 d5/d6")
    assert standing(blown) == "1:grunt@d6 2:general@h8"
    assert ([str(wall) for wall in blown.walls], blown.rubble, blown.phase) == (["d6/d7"], 1, "act")


@pytest.mark.rules("DOW-KAM-X", "A-W5", "A-W31")
def test_W_G19_an_own_kamikaze_may_be_shot() -> None:
    """Shooting one's own Kamikaze is allowed and it explodes; shooting one's own Grunt is refused."""
    state = table("1:grunt@d4 1:kamikaze@d6 1:grunt@b4 1:grunt@c7 2:grunt@e7" + FOE)
    assert refused(state, "shoot d4 b4") == "A-W5"
    assert allowed(state, "shoot d4 d6") == "DOW-GRU-A"
    assert standing(after(state, "shoot d4 d6")) == "1:grunt@b4 1:grunt@d4 2:general@h8"


@pytest.mark.rules("DOW-GEN-S", "DOW-CHI-S", "A-W16")
def test_W_G20_a_general_spawns_only_while_out_of_his_base() -> None:
    """In his base he may not spawn; outside he may, and it is his action."""
    assert refused(table("1:general@(0,4)" + FOE), "spawn (0,4) grunt (0,3)") == "DOW-GEN-S"
    state = table("1:general@a4" + FOE)
    assert allowed(state, "spawn a4 grunt (0,3)") == "DOW-GEN-S"
    spawned = after(state, "spawn a4 grunt (0,3)")
    assert spawned.actions == 1
    assert refused(spawned, "move a4 a5") == "DOW-T2"
    state = table("1:chieftain@(0,4) 1:chieftain@b4" + FOE, armies=["indians", "army"])
    assert refused(state, "spawn (0,4) sniper (0,3)") == "DOW-CHI-S"
    assert allowed(state, "spawn b4 sniper (0,3)") == "DOW-CHI-S"


@pytest.mark.rules("DOW-V")
def test_W_G21_who_has_no_troops_left_has_lost() -> None:
    """With no enemy on field and bases the game is over, however full his pool is."""
    state = after(table("1:grunt@d4 2:grunt@d8"), "shoot d4 d8")
    assert state.phase == "over"
    assert sum(state.pools[1]) == 19
    outcome = BOOK.outcome(state)
    assert outcome is not None
    assert (outcome.winner, outcome.rule) == (1, "DOW-V")
    assert refused(state, "move d4 d5") == "DOW-V"


@pytest.mark.rules("DOW-F3")
def test_W_G22_only_10_12_17_and_20_bring_a_bonus() -> None:
    """Of all tiles that are no doubles, those with these totals alone bring something."""
    moved = after(table("1:grunt@d4" + FOE), "move d4 d5")
    bringing = {
        fact.tile.pips
        for fact in BOOK.possible_facts(moved)
        if isinstance(fact, Flipped) and BOOK.observe(moved, fact).phase == "bonus"
    }
    assert bringing == {10, 12, 17, 20}
