"""Soldiers beside the board: who stands in the wrong pile, and who may lie there."""

from dataclasses import replace

import pytest

from engine import rulebook
from engine.dominoes_of_war import DominoesOfWar
from engine.dominoes_of_war.model import DOWN, WarState
from engine.dominoes_of_war.places import FIELD
from engine.dominoes_of_war.strays import without_strays
from engine.matching import Follower, Nothing, Ruled
from engine.profile import Profile
from engine.scene import Guess, Scene, Sighting
from tests.engine.dominoes_of_war.scene import BOOK, bare, table
from tests.engine.matching.doubtful_table import Table

TROOPS = "1:general@d4 1:grunt@a8 2:kamikaze@e4 2:grunt@f5 2:sniper@(10,5)>n"
SHOT = "1: shoot d4 e4"


def pushed(scene: Scene, start: str, to: str, owner: int) -> Scene:
    """The scene with two soldiers of a player, who stood in a pile, in another one."""
    moved = [one for one in scene.sightings if (one.kind, one.region) == ("soldier", start)]
    out = [one for one in moved if one.owner == owner][:2]
    assert len(out) == 2
    told = (replace(one, region=to) if any(one is man for man in out) else one for one in scene.sightings)
    return replace(scene, sightings=tuple(told))


@pytest.mark.parametrize("pile", ["discard", "spares"])
def test_a_full_pool_reaches_the_next_pile(pile: str) -> None:
    """Where the killed go back to their pools no soldier lies in the discard, nor ever among spare tiles."""
    state = bare(table(TROOPS))
    laid = Table(3)
    before = Follower(rulebook("dominoes-of-war"), (state,)).at(laid.scene(BOOK.layout(state), by=1))
    assert isinstance(before.see(pushed(laid.scene(BOOK.layout(state), by=1), "pool-2", pile, 2)), Nothing)
    shot = BOOK.play(state, BOOK.parse(SHOT))
    scene = pushed(laid.scene(BOOK.layout(shot), by=1, visits=1), "pool-2", pile, 2)
    verdict = before.see(scene)
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.happened] == [SHOT]


def test_where_the_killed_leave_the_game_they_lie_in_the_discard() -> None:
    """They are seen there, and are no men of a pool."""
    book = DominoesOfWar(Profile.parse("2016"))
    state = bare(table(TROOPS, rules=book))
    laid = Table(3)
    before = Follower(rulebook("dominoes-of-war", "2016"), (state,)).at(laid.scene(book.layout(state), by=1))
    shot = book.play(state, book.parse(SHOT))
    scene = laid.scene(book.layout(shot), by=1, visits=1)
    assert sum(one.kind == "soldier" and one.region == "discard" for one in scene.sightings) == 3
    verdict = before.see(scene)
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.happened] == [SHOT]
    told = without_strays(state, scene, to_pool=False)
    assert told.sightings == scene.sightings


def test_whose_a_soldier_is_must_be_known() -> None:
    """One of whom no side is told is left where he seems to lie."""
    unknown = Sighting("soldier", "discard", 1.0, 2.0)
    state = table(TROOPS)
    assert without_strays(state, Scene((unknown,)), to_pool=True).sightings == (unknown,)


def test_who_is_one_too_many_in_a_pool_is_nobody() -> None:
    """The red foot of a man was read as another one, 97 % a type of which all were seen elsewhere."""
    state = bare(table(TROOPS))
    laid = Table(3)
    scene = laid.scene(BOOK.layout(state), by=1)
    before = Follower(rulebook("dominoes-of-war"), (state,)).at(scene)
    man = next(one for one in scene.sightings if one.region == "pool-2")
    foot = replace(man, x=11.0, y=-40.0, presence=0.999, guesses=(Guess(man.guesses[0].value, 0.97),))
    seen = replace(scene, sightings=(foot, *scene.sightings))
    told = without_strays(state, seen, to_pool=True)
    assert told.sightings == scene.sightings
    assert isinstance(before.see(seen), Nothing)
    faint = replace(foot, presence=0.3)
    told = without_strays(state, replace(scene, sightings=(faint, *scene.sightings)), to_pool=True)
    assert faint in told.sightings, "what is hardly there does not count"
    clear = replace(foot, guesses=man.guesses, presence=1.0)
    assert not isinstance(before.see(replace(scene, sightings=(clear, *scene.sightings))), Nothing)
    unread = replace(foot, guesses=())
    told = without_strays(state, replace(scene, sightings=(unread, *scene.sightings)), to_pool=True)
    assert unread in told.sightings, "whom nobody can read may be anybody"


def test_a_bare_tile_of_a_base_is_no_man() -> None:
    """When three had been blown up, one of the tiles they had stood on looked 92 % like another's man."""
    state = bare(table(TROOPS))
    laid = Table(3)
    scene = laid.scene(BOOK.layout(state), by=1)
    before = Follower(rulebook("dominoes-of-war"), (state,)).at(scene)
    shot = BOOK.play(state, BOOK.parse(SHOT))
    scene = laid.scene(BOOK.layout(shot), by=1, visits=1)
    man = next(one for one in scene.sightings if one.owner == 2 and _kind(one) == "sniper")
    seen_so = Guess(man.guesses[0].value, 0.92)
    tile = replace(man, region="board", x=0.0, y=4.0, presence=0.84, guesses=(seen_so,))
    told = without_strays(state, replace(scene, sightings=(tile, *scene.sightings)), to_pool=True)
    assert tile not in told.sightings
    verdict = before.see(replace(scene, sightings=(tile, *scene.sightings)))
    assert isinstance(verdict, Ruled), verdict
    assert [one.text for one in verdict.happened] == [SHOT]


def test_who_stands_where_he_is_known_to_stand_is_there_however_badly_he_is_read() -> None:
    """The one too many is a clearer one who stands elsewhere."""
    state = bare(table(TROOPS))
    scene = Table(3).scene(BOOK.layout(state), by=1)
    man = next(one for one in scene.sightings if one.region == "board" and _kind(one) == "sniper")
    faint = replace(man, presence=0.6)
    other = replace(man, x=0.0, y=4.0, presence=0.9)
    seen = tuple(faint if one is man else one for one in scene.sightings)
    told = without_strays(state, replace(scene, sightings=(*seen, other)), to_pool=True)
    assert told.sightings == seen


def test_no_tile_lies_across_two_places_or_open_among_those_that_are_left() -> None:
    """A man and the next tile looked like an open tile between them, the side of a stack like another."""
    state = bare(table(TROOPS))
    scene = Table(3).scene(BOOK.layout(state), by=1)
    between = Sighting("domino", "board", 7.42, 6.12, 30.0, "up", presence=0.91)
    stack = Sighting("domino", "spares", 6.0, 150.0, 30.0, "up", presence=0.9)
    told = without_strays(state, replace(scene, sightings=(between, stack, *scene.sightings)), to_pool=True)
    assert told.sightings == scene.sightings
    there = replace(between, x=7.1, y=6.1)
    told = without_strays(state, replace(scene, sightings=(there,)), to_pool=True)
    assert there in told.sightings, "on a place a tile may lie that cannot be read"


def test_a_man_aslant_on_his_open_tile_makes_no_other_tile() -> None:
    """What cannot be read where one is read is none; where two are read, or none is, all stay."""
    state = bare(table(TROOPS))
    scene = Table(3).scene(BOOK.layout(state), by=1)
    tile = Sighting("domino", "board", 4.0, 4.1, 86.0, "up", (Guess({"pips": [6, 10]}, 0.9),), 1.0)
    slanting = replace(tile, y=3.9, angle=61.0, guesses=(Guess({"pips": [2, 4]}, 0.08),), presence=0.98)
    read = replace(slanting, guesses=(Guess({"pips": [2, 4]}, 0.5),))
    beside = replace(slanting, x=5.0)
    for seen, kept in (
        ((slanting, tile), (tile,)),
        ((read, tile), (read, tile)),
        ((beside, tile), (beside, tile)),
        ((slanting, replace(slanting, y=4.0)), (slanting, replace(slanting, y=4.0))),
    ):
        told = without_strays(state, replace(scene, sightings=seen), to_pool=True)
        assert told.sightings == kept


@pytest.mark.parametrize(("many", "left"), [(4, 4), (5, 0), (20, 0)])
def test_what_is_printed_on_the_backs_of_tiles_is_no_crowd_of_men(many: int, left: int) -> None:
    """However clear the rings look like one man: so many of one type do not come to the field at once."""
    state = closed(table(TROOPS))
    scene = Table(3).scene(BOOK.layout(state), by=1)
    grunt = next(one for one in scene.sightings if one.region == "board" and _kind(one) == "grunt")
    free = [(x, y) for x in range(1, 9) for y in (1, 2, 3)][:many]
    printed = [replace(grunt, x=float(x), y=float(y), presence=0.998) for x, y in free]
    told = without_strays(state, replace(scene, sightings=(*scene.sightings, *printed)), to_pool=True)
    assert sum(one in told.sightings for one in printed) == left
    assert all(one in told.sightings for one in scene.sightings)


def test_who_stands_on_a_tile_that_lies_open_is_no_print() -> None:
    """Of an open tile no back is to be seen: one of the crowd is a man who has come there."""
    state = closed(table(TROOPS))
    scene = Table(3).scene(BOOK.layout(state), by=1)
    grunt = next(one for one in scene.sightings if one.region == "board" and _kind(one) == "grunt")
    crowd = [replace(grunt, x=float(x), y=1.0, presence=0.998) for x in range(2, 8)]
    (turned,) = (one for one in scene.sightings if one.kind == "domino" and _at(one) == _at(crowd[0]))
    opened = replace(turned, face="up", guesses=(Guess({"pips": [2, 4]}, 0.99),))
    others = [one for one in scene.sightings if one is not turned]
    told = without_strays(state, replace(scene, sightings=(*others, opened, *crowd)), to_pool=True)
    assert [one in told.sightings for one in crowd] == [True, False, False, False, False, False]


def test_what_looks_open_beside_the_field_and_can_hardly_be_read_is_no_tile() -> None:
    """Where a man went away the dots of the cloth looked like an open tile; those of a base lie closed."""
    state = bare(table(TROOPS))
    scene = Table(3).scene(BOOK.layout(state), by=1)
    dots = Sighting("domino", "board", -0.9, 6.9, 90.0, "up", (Guess({"pips": [4, 4]}, 0.001),), 0.97)
    told = without_strays(state, replace(scene, sightings=(dots, *scene.sightings)), to_pool=True)
    assert told.sightings == scene.sightings
    read = replace(dots, guesses=(Guess({"pips": [4, 4]}, 0.9),))
    based, there = (replace(dots, x=x, y=y) for x, y in ((-1.0, 3.0), (4.0, 4.0)))
    for one in (read, based, there):
        told = without_strays(state, replace(scene, sightings=(one,)), to_pool=True)
        assert told.sightings == (one,)


def test_while_nobody_is_too_many_all_stay_whatever_they_look_like() -> None:
    """A general who looks like a grunt more: of these there are too many, of men there are not."""
    state = bare(table(TROOPS))
    scene = Table(3).scene(BOOK.layout(state), by=1)
    pool = [one for one in scene.sightings if one.region == "pool-2"]
    general, grunt = (next(one for one in pool if _kind(one) == kind) for kind in ("general", "grunt"))
    other = replace(general, guesses=(Guess(grunt.guesses[0].value, 0.9),))
    seen = tuple(other if one is general else one for one in scene.sightings)
    assert without_strays(state, replace(scene, sightings=seen), to_pool=True).sightings == seen
    more = (*seen, replace(other, x=1.0, y=2.0))
    assert len(without_strays(state, replace(scene, sightings=more), to_pool=True).sightings) == len(seen)
    told = without_strays(BOOK.start(), replace(scene, sightings=more), to_pool=True)
    assert told.sightings == more, "nobody is counted before a game"


def test_one_wall_too_many_is_none_unless_it_is_quite_clear() -> None:
    """What is printed on a mat looked like a fifth one, while the light changed."""
    state = bare(table(TROOPS, walls="a3/b3 f5/f6 g3/g4 g5/g6"))
    scene = Table(3).scene(BOOK.layout(state), by=1)
    before = Follower(rulebook("dominoes-of-war"), (state,)).at(scene)
    printed = Sighting("wall", "board", 2.7, 2.2, 90.0, "edge", presence=0.93)
    seen = replace(scene, sightings=(*scene.sightings, printed))
    assert without_strays(state, seen, to_pool=True).sightings == scene.sightings
    assert isinstance(before.see(seen), Nothing)
    fallen = state._replace(walls=state.walls[1:], rubble=1)
    assert printed not in without_strays(fallen, seen, to_pool=True).sightings
    clear = replace(printed, presence=0.999)
    assert not isinstance(before.see(replace(scene, sightings=(*scene.sightings, clear))), Nothing)
    building = state._replace(phase="walls", walls=())
    assert without_strays(building, seen, to_pool=True).sightings == seen.sightings


def test_a_wall_that_is_seen_where_it_stood_has_not_been_moved() -> None:
    """In deep shade a gap looked more like a wall than one of the four that stood."""
    state = bare(table(TROOPS, walls="a3/b3 f5/f6 g3/g4 g5/g6"))
    scene = Table(3).scene(BOOK.layout(state), by=1)
    before = Follower(rulebook("dominoes-of-war"), (state,)).at(scene)
    shaded = next(one for one in scene.sightings if one.kind == "wall")
    gap = Sighting("wall", "board", 2.0, 5.5, 0.0, "edge", presence=0.97)
    seen = (*(replace(one, presence=0.9) if one is shaded else one for one in scene.sightings), gap)
    told = without_strays(state, replace(scene, sightings=seen), to_pool=True)
    assert told.sightings == seen[:-1]
    verdict = before.see(replace(scene, sightings=seen, visits=1))
    assert isinstance(verdict, Nothing), verdict


def _kind(one: Sighting) -> object:
    return (one.guesses[0].value or {}).get("type")


def _at(one: Sighting) -> tuple[int, int]:
    return round(one.x or 0.0), round(one.y or 0.0)


def closed(state: WarState) -> WarState:
    """The same table with every tile of the field face down."""
    return state._replace(field=bytes([DOWN]) * len(FIELD))
