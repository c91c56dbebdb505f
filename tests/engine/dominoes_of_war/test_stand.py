"""Illegal moves that stand: the table as the move left it, nothing lost, and play goes on from there."""

import pytest

from engine import CannotStand
from engine.dominoes_of_war.model import WarState
from engine.dominoes_of_war.places import name
from engine.profile import Profile
from tests.engine.dominoes_of_war.scene import BOOK, EAST, WEST, after, book, judged, standing, table

FOE = " 2:general@h8"
SET_UP = {"bases": [WEST, EAST], "walls": ["a1/a2", "b1/b2", "c1/c2", "d1/d2"]}


def stood(state: WarState, line: str) -> WarState:
    """The state after a refused move that stands."""
    assert not judged(state, line).allowed
    return BOOK.let_stand(state, BOOK.parse(line))


def cannot(state: WarState, line: str) -> str:
    """Why a refused move cannot stand."""
    assert not judged(state, line).allowed
    with pytest.raises(CannotStand) as wrong:
        BOOK.let_stand(state, BOOK.parse(line))
    return str(wrong.value)


def test_a_move_too_far_lands_and_flips() -> None:
    """The troop stands where it was put, its action is spent, and the tile under it is flipped."""
    state = stood(table("1:grunt@d4" + FOE), "move d4 d8")
    assert (standing(state), state.phase, state.actions) == ("1:grunt@d8 2:general@h8", "tile", 1)


def test_a_move_out_of_turn_takes_the_turn() -> None:
    """After a move of the other player that stands it is his turn, with one action used."""
    state = stood(table("1:grunt@d4! 2:grunt@d8", actions=2), "2: move d8 d7")
    assert (state.turn, state.actions, [troop.acted for troop in state.troops]) == (2, 1, [False, True])


def test_a_fourth_action_is_counted() -> None:
    """A fourth action stands as a fourth."""
    assert stood(table("1:grunt@d4 2:grunt@d8", actions=3), "shoot d4 d8").phase == "over"
    assert stood(table("1:grunt@d4" + FOE, actions=3), "move d4 d5").actions == 4


def test_what_was_due_is_over_when_another_move_stands() -> None:
    """An unseen flip stays face down, a bonus is lost, and facings stay as they are."""
    flip = after(table("1:grunt@d4 1:sniper@b2" + FOE), "move d4 d5")
    state = stood(flip, "move b2 b3")
    assert (state.phase, name(state.focus), state.actions) == ("tile", "b3", 2)
    state = stood(after(flip, "see d5 4-6"), "move b2 b3")
    assert (state.bonus, state.phase) == (0, "tile")
    state = stood(after(flip, "see d5 5-7"), "move d5 h5")
    assert (state.bonus, state.phase, state.actions) == (0, "tile", 1)
    assert stood(flip, "end").phase == "face"
    facing = after(table("1:sniper@b2>e" + FOE), "end")
    assert stood(facing, "end").turn == 2
    assert stood(facing, "face b2 ne").turn == 2
    both = after(table("1:sniper@b2>e 1:sniper@d4" + FOE), "end", "face d4 n")
    assert stood(both, "face b2 ne").turn == 2
    again = stood(both, "face d4 s")
    assert ([troop.facing for troop in again.troops[:2]], again.unfaced) == (["e", "s"], both.unfaced)
    assert stood(both, "move d4 d5").faced == ()
    assert stood(facing, "2: move h8 h7").turn == 2
    assert stood(facing, "move b2 b3").turn == 1


def test_attacks_that_stand_kill() -> None:
    """Whoever was hit is off, a Kamikaze explodes, and nobody can be hit who is not there."""
    state = table("1:grunt@d4 1:sniper@d5 2:kamikaze@e6 2:grunt@f7" + FOE)
    assert standing(stood(state, "shoot d4 d5")) == "1:grunt@d4 2:kamikaze@e6 2:grunt@f7 2:general@h8"
    assert standing(stood(state, "shoot d4 e6")) == "1:grunt@d4 2:general@h8"
    assert standing(stood(state, "shoot d4 nothing")) == standing(state)
    assert cannot(state, "shoot d4 a1") == "No troop stands on a1, so none can have done this."
    assert cannot(state, "shoot c3 e6") == "No troop stands on c3, so none can have done this."


def test_runs_and_walls_that_stand() -> None:
    """Only a Kamikaze can have exploded; the blast at a wall is before its nearer side."""
    state = table("1:kamikaze@d4 1:grunt@d7 1:sniper@a1" + FOE, walls="d7/d8")
    assert standing(stood(state, "run d4 d8")) == "1:sniper@a1 1:grunt@d7 2:general@h8"
    blown = stood(state, "blow d4 d7/d8")
    assert (standing(blown), blown.rubble) == ("1:sniper@a1 2:general@h8", 1)
    assert "cannot explode" in cannot(state, "run d7 d8")
    assert "cannot explode" in cannot(state, "blow d7 d7/d8")
    assert cannot(state, "blow d4 d5/d6") == "No wall stands on d5/d6 that could be gone from there."
    assert "no tile on (4,9)" in cannot(state, "run d4 (4,9)")


def test_spawns_that_stand_come_from_the_pool() -> None:
    """A troop put anywhere on the map is there; one that no pool has cannot be."""
    state = table("1:general@(0,3) 1:grunt@d4" + FOE, pools=[{"grunt": 1}, {"sniper": 1}])
    spawned = stood(state, "spawn (0,3) grunt d5")
    assert (standing(spawned).count("grunt"), spawned.pools[0][1], spawned.actions) == (2, 0, 1)
    assert "no Sniper left" in cannot(state, "spawn (0,3) sniper (0,4)")
    assert "no tile holds two" in cannot(state, "spawn (0,3) grunt d4")
    free = stood(state, "2: bonus sniper (9,5)")
    assert (free.turn, free.phase, standing(free).count("2:")) == (1, "act", 2)
    assert stood(state, "stock (0,4) grunt").pools[0][1] == 0
    assert cannot(state, "stock (0,4) hidden") == "Once play has begun no troop is hidden."


def test_walls_and_base_tiles_that_stand_use_spare_tiles() -> None:
    """A fifth wall or an extra base tile in play is a spare tile; without one it cannot be there."""
    state = table("1:grunt@d4" + FOE, walls="a1/a2")
    assert stood(state, "wall d4/d5").spare == state.spare - 1
    assert "on a1/a2" in cannot(state, "wall a1/a2").lower()
    assert "no side" in cannot(state, "wall d4/e5")
    assert "no tile on (4,9)" in cannot(state, "wall d8/(4,9)")
    assert [str(wall) for wall in stood(state, "rewall a1/a2 b1/b2").walls] == ["b1/b2"]
    assert "On a1/a2 stands a wall" in cannot(state, "rewall a1/a2 a1/a2")
    assert stood(state, "extend (5,9)").spare == state.spare - 1
    assert "lies a tile" in cannot(state, "extend (0,3)")
    poor = table("1:grunt@d4" + FOE, walls="a1/a2", spare=0)
    assert "no spare tile" in cannot(poor, "wall d4/d5")
    assert "not so many tiles" in cannot(poor, "extend (0,5)")
    seventeen = after(state, "move d4 d5", "see d5 8-9")
    assert (stood(seventeen, "extend (5,9)").phase, stood(seventeen, "2: extend (9,6)").bonus) == ("act", 17)


def test_words_that_stand_change_nothing() -> None:
    """What is only said leaves table and turn as they are."""
    state = table("1:sniper@d4" + FOE)
    for line in ("forfeit", "decline", "2: end", "2: draw", "first 2"):
        assert stood(state, line) == state
    turned = stood(state, "face d4 e")
    assert (turned.troops[0].facing, turned.phase) == ("e", "act")
    assert stood(state, "2: face h8 n") == state
    assert stood(after(state, "end"), "2: face d4 ne").turn == 2


def test_moves_that_no_table_can_show() -> None:
    """Two pieces in one place, places without tiles, and anything after the end cannot stand."""
    state = table("1:grunt@d4 2:grunt@d8")
    assert "no tile holds two" in cannot(state, "move d4 d8")
    assert "out of play" in cannot(state, "move d4 (4,9)")
    assert "has a base already" in cannot(state, "base (3,9) (3,10) (3,11) (4,9) (4,10) (4,11)")
    over = after(state, "shoot d4 d8")
    assert cannot(over, "move d4 d5").startswith("The game is over")


def test_the_set_up_goes_on_from_what_stands() -> None:
    """Bases of the wrong size, walls out of turn, early troops and first moves are taken as they are."""
    state = BOOK.start()
    assert stood(state, "1: first 2") == state
    assert stood(state, "1: wall d4/d5").phase == "armies"
    assert "left in the pool" in cannot(state, "1: stock d4 hidden")
    state = after(state, "see armies army army")
    assert (stood(state, "2: first 2").phase, stood(state, "2: first 2").turn) == ("bases", 2)
    small = stood(after(state, "see lot 1", "first 1"), "base (0,3) (0,4) (0,5)")
    assert (small.turn, small.spare, small.phase) == (2, 14, "bases")
    large = stood(small, "base (9,3) (9,4) (9,5) (9,6) (9,7) (9,8) (10,3)")
    assert (large.turn, large.spare, large.phase) == (1, 13, "walls")
    assert "lies a tile" in cannot(small, "base (0,2) (0,3)")
    assert "has no tiles" in cannot(small, "base")
    assert cannot(small, "extend (9,3)") == "Player 2 has no base yet that could grow."
    assert stood(large, "extend (0,6)").spare == 12
    walls = stood(large, "2: wall d4/d5")
    assert (walls.turn, walls.phase) == (2, "walls")
    assert stood(walls, "1: end") == walls
    troops = stood(walls, "1: stock d4 grunt")
    assert standing(stood(troops, "1: move d4 d5")) == "1:grunt@d5"
    assert standing(stood(troops, "1: shoot d4 d4")) == ""
    assert stood(stood(troops, "1: stock d6 sniper"), "1: face d6 n").troops[1].facing == "n"


def test_a_fifth_wall_in_the_set_up_is_a_spare_tile() -> None:
    """Once four walls stand, one more is taken from the spares, and none can be without any."""
    state = BOOK.start(setup=SET_UP)
    more = stood(state, "1: wall d4/d5")
    assert (len(more.walls), more.spare, more.phase) == (5, 10, "stock")
    assert "no spare tile" in cannot(BOOK.start(setup={**SET_UP, "spare": 0}), "1: wall d4/d5")
    pools = [{"kamikaze": 1}, {"grunt": 1}]
    blown = BOOK.start(setup={**SET_UP, "pools": pools})
    blown = stood(after(blown, "1: stock (0,3) kamikaze"), "1: blow (0,3) a1/a2")
    assert (blown.rubble, len(blown.walls), blown.phase) == (1, 3, "stock")


def test_a_side_that_lost_all_before_the_first_turn_has_lost() -> None:
    """Where a side has no soldier left when play would begin, and none in its pool, the game is over."""
    rules = type(BOOK)(Profile("2016"))
    state = BOOK.start(setup={**SET_UP, "pools": [{"grunt": 1}, {"grunt": 1}]})
    state = after(state, "1: stock (0,3) grunt")
    state = rules.let_stand(state, rules.parse("2: stock d4 grunt"))
    assert state.phase == "act"
    state = BOOK.start(setup={**SET_UP, "pools": [{"grunt": 1}, {"grunt": 2}]})
    state = after(state, "1: stock (0,3) grunt", "2: stock (9,5) grunt")
    state = rules.let_stand(state, rules.parse("2: shoot (9,5) (0,3)"))
    assert (state.phase, state.ended) == ("stock", "")
    assert after(state, "2: stock (10,5) grunt").ended == "won"


def test_the_blast_of_a_standing_move_follows_the_readings() -> None:
    """Where every tile is flipped, a move of several tiles that stands ends the walk."""
    rules = book("flip=path")
    state = rules.let_stand(table("1:grunt@d4" + FOE), rules.parse("move d4 d8"))
    assert (state.walk, state.phase) == (None, "tile")
