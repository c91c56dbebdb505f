"""Soldiers told by all of them together, and what keeps a table of theirs from being taken as it is."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from engine import BadSetup, State, rulebook
from engine.dominoes_of_war.model import WarState
from engine.dominoes_of_war.places import FIELD_INDEX, name
from engine.dominoes_of_war.sighted import place_of, tile_seen
from engine.dominoes_of_war.troops import ARMIES
from engine.history import History
from engine.matching import Follower, Nothing, adopt
from engine.scene import Guess, Hidden, Scene, Sighting
from simulation.script import write
from tests.engine.matching.adopting import granted, likeliest
from tests.engine.matching.doubtful_table import Table

GAME = "dominoes-of-war"
BOOK = rulebook(GAME)


def opened(seed: int = 4) -> tuple[WarState, Scene]:
    """A game at its first turn, and its table."""
    state = State.from_json(write(GAME, seed=seed, moves=1).states[0])
    assert isinstance(state, WarState)
    scene = Table(seed).scene(BOOK.layout(state), by=state.turn)
    return state, replace(scene, sightings=tuple(map(_of_no_army, scene.sightings)))


def _of_no_army(one: Sighting) -> Sighting:
    """A soldier as his disc shows him: his type and his side, and nothing of an army."""
    guesses = (Guess({**(guess.value or {}), "army": None}, guess.probability) for guess in one.guesses)
    return replace(one, guesses=tuple(guesses)) if one.kind == "soldier" else one


def taken(scene: Scene) -> WarState:
    """The state that is made of a table of which nothing was known."""
    state = adopt(Follower.of(History.begin(GAME)), scene)
    assert isinstance(state, WarState)
    return state


def with_each(scene: Scene, change: Callable[[Sighting], Sighting | None]) -> Scene:
    """The scene with every sighting changed, or left out."""
    found = (change(one) for one in scene.sightings)
    return replace(scene, sightings=tuple(one for one in found if one is not None))


def first_man(scene: Scene) -> Sighting:
    """A soldier on the board of whose type there are others."""
    return next(one for one in scene.sightings if one.kind == "soldier" and one.region == "board")


def doubted(one: Sighting, kind: str, share: float) -> Sighting:
    """A soldier who looks more like one of another type."""
    true = dict(one.guesses[0].value or {})
    guesses = (Guess({**true, "type": kind}, share), Guess(true, 0.95 - share))
    return replace(one, guesses=guesses, presence=0.999)


@pytest.mark.parametrize("seed", range(4))
def test_the_armies_and_all_men_are_told_without_a_record(seed: int) -> None:
    """Though no disc says of which army a soldier is."""
    state, scene = opened(seed)
    found = taken(scene)
    assert (found.armies, found.troops, found.bases) == (state.armies, state.troops, state.bases)
    assert set(found.walls) == set(state.walls)


@pytest.mark.parametrize("seed", range(4))
def test_a_type_of_which_all_others_are_seen_is_nobodys_else(seed: int) -> None:
    """One who looks like another type is known by the rest of his army."""
    state, scene = opened(seed)
    man = first_man(scene)
    true = (man.guesses[0].value or {})["type"]
    army = state.armies[(man.owner or 1) - 1]
    for kind in set(ARMIES[army]) - {true}:
        rest = tuple(one for one in scene.sightings if one is not man)
        assert taken(replace(scene, sightings=(*rest, doubted(man, kind, 0.6)))).troops == state.troops


def test_where_the_rest_is_not_seen_somebody_is_asked() -> None:
    """The same reading, with the pools in their boxes."""
    _, scene = opened()
    man = first_man(scene)
    kind = next(t for t in ("sniper", "shotgunner") if t != (man.guesses[0].value or {})["type"])

    def change(one: Sighting) -> Sighting | None:
        if one.region.startswith("pool"):
            return None
        if one.kind == "soldier" and one is not man:
            return replace(one, guesses=(Guess({**(one.guesses[0].value or {}), "army": "indians"}, 1.0),))
        return doubted(one, kind, 0.6) if one is man else one

    with pytest.raises(BadSetup, match="Tell the"):
        taken(with_each(scene, change))


def test_a_soldier_who_belongs_to_nobody_is_asked_about() -> None:
    """No ring, no known army: he is not left out in silence."""
    _, scene = opened()
    man = first_man(scene)
    rest = tuple(one for one in scene.sightings if one is not man)
    with pytest.raises(BadSetup, match="whose is he"):
        taken(replace(scene, sightings=(*rest, replace(man, owner=None))))


def test_a_pattern_like_a_soldier_is_nobody_once_all_are_seen() -> None:
    """And might be the one who lacks where one does."""
    state, scene = opened()
    man = first_man(scene)
    ghost = replace(doubted(man, "sniper", 0.3), x=4.0, y=4.0, presence=0.5)
    assert taken(replace(scene, sightings=(*scene.sightings, ghost))).troops == state.troops
    lacking = next(
        one for one in scene.sightings
        if one.region == f"pool-{man.owner}" and one.guesses[0].value == man.guesses[0].value
    )  # fmt: skip
    without = with_each(scene, lambda one: None if one is lacking else one)
    with pytest.raises(BadSetup, match=r"soldier stands? on d4"):
        taken(replace(without, sightings=(*without.sightings, ghost)))


def test_a_tile_that_nobody_sees_is_not_taken_for_a_closed_one() -> None:
    """It may lie open."""
    _, scene = opened()
    at = (3.0, 5.0)
    with pytest.raises(BadSetup, match="No tile is seen on c5"):
        taken(with_each(scene, lambda one: None if _lies(one, *at) else one))


def _lies(one: Sighting, x: float, y: float) -> bool:
    near = one.x is not None and one.y is not None and abs(one.x - x) < 0.3 and abs(one.y - y) < 0.3
    return one.kind == "domino" and one.region == "board" and near


def test_a_wall_in_doubt_is_asked_for_unless_it_is_the_last_that_lacks() -> None:
    """Four walls stand at first: where three are sure the fourth is where one may be."""
    state, scene = opened()
    walls = [one for one in scene.sightings if one.kind == "wall"]
    assert len(walls) == 4
    likely = with_each(scene, lambda one: replace(one, presence=0.6) if one is walls[0] else one)
    assert set(taken(likely).walls) == set(state.walls)
    ghost = replace(walls[0], x=(walls[0].x or 0.0) % 7 + 1, presence=0.12)
    beside = replace(scene, sightings=(*likely.sightings, ghost))
    assert set(taken(beside).walls) == set(state.walls)
    with pytest.raises(BadSetup, match="Tell the walls"):
        taken(replace(beside, sightings=(*likely.sightings, replace(ghost, presence=0.3))))
    rest = tuple(one for one in scene.sightings if one not in walls[:2])
    for chances in ((0.3, 1.0), (0.6, 0.6)):
        two = tuple(replace(one, presence=p) for one, p in zip(walls, chances, strict=False))
        with pytest.raises(BadSetup, match="Tell the walls"):
            taken(replace(scene, sightings=(*rest, *two)))


def test_the_walls_are_as_many_as_are_due() -> None:
    """None seen at all, or phantoms beside them, is asked about; a wall fewer lies in the discard."""
    state, scene = opened()
    walls = [one for one in scene.sightings if one.kind == "wall"]
    others = tuple(one for one in scene.sightings if one.kind != "wall")
    shifted = tuple(replace(one, x=(one.x or 0.0) % 7 + 1) for one in walls[:3])
    fallen = replace(walls[0], kind="domino", region="discard", face="down")
    known = Follower(BOOK, (state,))  # type: ignore[arg-type]
    for follower in (Follower.of(History.begin(GAME)), known):
        for wrong in ((), (*walls, *shifted), walls[1:], (*walls, fallen)[2:]):
            with pytest.raises(BadSetup, match="Where do the walls stand"):
                adopt(follower, replace(scene, sightings=(*others, *wrong)))
        found = adopt(follower, replace(scene, sightings=(*others, *walls[1:], fallen)))
        assert isinstance(found, WarState)
        assert (len(found.walls), found.rubble) == (3, 1)
        found = adopt(follower, replace(scene, sightings=(*others, *walls, fallen)))
        assert isinstance(found, WarState)  # what looks like a fallen wall is none while all of them stand
        assert (len(found.walls), found.rubble) == (4, 0)


def test_a_soldier_who_is_seen_nowhere_is_asked_about() -> None:
    """On the board or beside it; where something is hidden he may be there."""
    state, scene = opened()
    for region in ("board", "pool-1"):
        gone = next(one for one in scene.sightings if one.kind == "soldier" and one.region == region)
        without = with_each(scene, lambda one, gone=gone: None if one is gone else one)  # type: ignore[misc]
        with pytest.raises(BadSetup, match=r"One soldier of player \d is seen nowhere"):
            taken(without)
        if region != "board":
            assert taken(replace(without, hidden=(Hidden(region),))).troops == state.troops


def test_a_place_that_is_hidden_or_in_doubt_is_not_taken_for_a_closed_tile() -> None:
    """A resting arm may hide an open tile; a back that is half believed may be one."""
    _, scene = opened()
    tile = next(one for one in scene.sightings if _lies(one, 3.0, 5.0))
    rest = tuple(one for one in scene.sightings if one is not tile)
    arm = Hidden("board", ((2.6, 4.6), (3.4, 4.6), (3.4, 5.4), (2.6, 5.4)))
    with pytest.raises(BadSetup, match="What lies on c5 is hidden"):
        taken(replace(scene, sightings=rest, hidden=(arm,)))
    with pytest.raises(BadSetup, match="How the tile on c5 lies is not clear"):
        taken(replace(scene, sightings=(*rest, replace(tile, presence=0.51))))


def hardly(tile: Sighting, share: float, presence: float = 0.2) -> Sighting:
    """A tile of which little is seen, and that looks closed as far as it is."""
    guesses = (Guess(None, share), Guess(None, 1 - share, "up"))
    return replace(tile, presence=presence, guesses=guesses)


@pytest.mark.parametrize("presence", [0.2, 0.6, 0.95])
def test_a_tile_behind_a_wall_lies_closed_if_it_does_not_look_open(presence: float) -> None:
    """It can be nowhere else; that it was hardly seen is said."""
    state, scene = opened()
    tile = next(one for one in scene.sightings if _lies(one, 3.0, 5.0))
    rest = tuple(one for one in scene.sightings if one is not tile)
    behind = replace(scene, sightings=(*rest, hardly(tile, 0.98, presence)))
    assert taken(behind).field == state.field
    said = granted(Follower.of(History.begin(GAME)), behind)
    assert said == (
        () if presence > 0.9 else ("The tile on c5 cannot be told for sure; it is taken to lie face down.",)
    )
    assert granted(Follower.of(History.begin("draw-game")), behind) == ()
    vague = replace(scene, sightings=(*rest, hardly(tile, 0.85, presence)))
    assert taken(vague).field == state.field  # nobody has been on the field
    other = next(one for one in scene.sightings if _lies(one, 6.0, 5.0))
    shown = (Guess({"pips": [1, 2]}, 1.0),)
    with pytest.raises(BadSetup, match="on c5"):
        taken(with_each(vague, lambda one: replace(one, face="up", guesses=shown) if one is other else one))


def test_before_anybody_was_on_the_field_what_looks_half_open_is_a_pattern() -> None:
    """Only who walks there turns a tile up; where anybody may have done so somebody is asked."""
    state, scene = opened()
    tile, other = (next(one for one in scene.sightings if _lies(one, x, 5.0)) for x in (3.0, 6.0))
    rest = tuple(one for one in scene.sightings if one is not tile)
    back = (Guess({"pips": [4, 0]}, 0.4), Guess(None, 0.3, "down"), Guess({"pips": [5, 0]}, 0.2))
    half = replace(scene, sightings=(*rest, replace(tile, face="up", guesses=back)))
    assert taken(half).field == state.field
    assert granted(Follower.of(History.begin(GAME)), half) != ()
    known = Follower(BOOK, (state._replace(field=bytes([1, *state.field[1:]])),))  # type: ignore[arg-type]
    man = replace(first_man(scene), x=2.0, y=3.0)
    open_one = replace(other, face="up", guesses=(Guess({"pips": [1, 2]}, 1.0),))
    clear = (Guess({"pips": [4, 0]}, 0.4), Guess({"pips": [5, 0]}, 0.3), Guess(None, 0.05, "down"))
    with pytest.raises(BadSetup, match="c5 cannot be read"):
        adopt(known, half)
    with pytest.raises(BadSetup, match="c5 cannot be read"):
        taken(replace(half, sightings=(*rest, replace(tile, face="up", guesses=clear))))
    with pytest.raises(BadSetup, match="c5 cannot be read"):
        taken(replace(half, hidden=(Hidden("pool-1"),)))
    moved = tuple(one for one in half.sightings if one is not first_man(scene))
    for sightings in ((*moved, man), tuple(open_one if one is other else one for one in half.sightings)):
        with pytest.raises(BadSetup):
            taken(replace(half, sightings=sightings))


def test_where_a_tile_may_have_left_the_field_nothing_is_taken_for_granted() -> None:
    """A mine that went off, or might have: the place behind the wall may be bare."""
    state, scene = opened()
    tile = next(one for one in scene.sightings if _lies(one, 3.0, 5.0))
    rest = tuple(one for one in scene.sightings if one is not tile)
    behind = replace(scene, sightings=(*rest, hardly(tile, 0.98)))
    mine = Sighting("domino", "discard", guesses=(Guess({"pips": [6, 6]}, 1.0),))
    with pytest.raises(BadSetup, match="No tile is seen on c5"):
        taken(replace(behind, sightings=(*behind.sightings, mine)))
    with pytest.raises(BadSetup, match="No tile is seen on c5"):
        taken(replace(behind, hidden=(Hidden("discard"),)))
    follower = Follower(BOOK, (state._replace(mines=(1,)),))  # type: ignore[arg-type]
    with pytest.raises(BadSetup, match="No tile is seen on c5"):
        adopt(follower, behind)


def test_a_soldier_gone_from_a_pool_is_noticed() -> None:
    """It is no reason for a move, and yet is not passed over."""
    state, scene = opened()
    follower = Follower(BOOK, (state,)).at(scene)  # type: ignore[arg-type]
    gone = next(one for one in scene.sightings if one.kind == "soldier" and one.region == "pool-1")
    verdict = follower.see(with_each(scene, lambda one: None if one is gone else one))
    assert not isinstance(verdict, Nothing) or verdict.doubts


def test_an_open_tile_that_cannot_be_read_is_asked_for() -> None:
    """What it shows may be a mine."""
    _, scene = opened()
    shown = (Guess({"pips": [1, 2]}, 0.5), Guess({"pips": [1, 3]}, 0.4))
    for guesses in (shown, ()):
        tile = next(one for one in scene.sightings if _lies(one, 3.0, 5.0))
        open_one = replace(tile, face="up", guesses=guesses)
        rest = tuple(one for one in scene.sightings if one is not tile)
        with pytest.raises(BadSetup, match="The tile on c5 cannot be read"):
            taken(replace(scene, sightings=(*rest, open_one)))


def test_what_cannot_be_in_a_pool_says_nothing() -> None:
    """A body behind a head may look like another side's soldier; table and record agree all the same."""
    state, scene = opened()
    man = first_man(scene)
    stray = replace(man, region="pool-1" if man.owner == 2 else "pool-2", x=3.0, y=4.0)
    follower = Follower(BOOK, (state,)).at(scene)  # type: ignore[arg-type]
    assert isinstance(follower.see(replace(scene, sightings=(*scene.sightings, stray))), Nothing)
    back = Sighting("domino", "pool-1", 3.0, 4.0, 10.0, "down")  # two heads side by side look like one
    side = Sighting("wall", "spares", 3.0, 4.0, 10.0, "edge")  # of the stack
    assert isinstance(follower.see(replace(scene, sightings=(*scene.sightings, back, side))), Nothing)
    own = replace(stray, region=f"pool-{man.owner}")
    assert not isinstance(follower.see(replace(scene, sightings=(*scene.sightings, own))), Nothing)


@pytest.mark.parametrize("seed", range(4))
def test_with_the_pools_in_their_boxes_a_doubtful_man_and_unknown_armies_are_asked_about(seed: int) -> None:
    """The rest of an army, which would tell, is not seen; one without a place is nobody on the table."""
    state, scene = opened(seed)
    man = first_man(scene)
    army = state.armies[(man.owner or 1) - 1]
    kind = next(one for one in ARMIES[army] if one != (man.guesses[0].value or {})["type"])
    boxed = with_each(scene, lambda one: None if one.region.startswith("pool") else one)
    nowhere = replace(man, region="", x=None, y=None)
    assert taken(replace(boxed, sightings=(*boxed.sightings, nowhere))).troops == state.troops
    with pytest.raises(BadSetup, match="Which soldier stands on"):
        taken(with_each(boxed, lambda one: doubted(one, kind, 0.6) if one is man else one))
    typeless = with_each(boxed, lambda one: doubted(one, "sniper", 0.3) if one.kind == "soldier" else one)
    vague = with_each(
        typeless,
        lambda one: replace(one, guesses=one.guesses[:1]) if one.kind == "soldier" else one,
    )
    with pytest.raises(BadSetup, match="Which army does player"):
        taken(vague)
    ghost = replace(doubted(man, "sniper", 0.3), x=4.0, y=4.0, presence=0.5)
    with pytest.raises(BadSetup, match="Does a soldier stand on d4"):
        taken(replace(boxed, sightings=(*boxed.sightings, ghost)))


def test_an_open_tile_without_pips_is_not_told() -> None:
    """Where no pips are read nothing is made up."""
    odd = Sighting("domino", "board", 3.0, 5.0, guesses=(Guess({"pips": "none"}, 1.0),))
    at = place_of(odd)
    assert at is not None
    with pytest.raises(BadSetup, match="The tile on c5 cannot be read"):
        tile_seen(at, odd)


def supposed(scene: Scene, follower: Follower | None = None) -> tuple[WarState, str]:
    """The state that is made of a table for sure as it most likely is, and what is said of it."""
    blank = follower or Follower.of(History.begin(GAME))
    clear, said = likeliest(blank, scene)
    state = adopt(blank, clear)
    assert isinstance(state, WarState)
    return state, " ".join(said)


def test_where_nobody_can_be_asked_a_table_counts_as_it_most_likely_is() -> None:
    """A man who looks as much like another, an open tile, a wall that is nowhere; all of it is said."""
    state, scene = opened()
    man = first_man(scene)
    kind = next(t for t in ("sniper", "shotgunner") if t != (man.guesses[0].value or {})["type"])
    tile = next(one for one in scene.sightings if _lies(one, 3.0, 5.0))
    wall = next(one for one in scene.sightings if one.kind == "wall")
    shown = (Guess({"pips": [1, 2]}, 0.5), Guess({"pips": [1, 3]}, 0.4))
    at = place_of(tile)
    assert at is not None

    def change(one: Sighting) -> Sighting | None:
        if one is tile:
            return replace(one, face="up", guesses=shown)
        return doubted(one, kind, 0.5) if one is man else None if one is wall else one

    doubtful = with_each(scene, change)
    with pytest.raises(BadSetup):
        taken(doubtful)
    for follower in (None, Follower(BOOK, (state,))):  # type: ignore[arg-type]
        found, said = supposed(doubtful, follower)
        assert found.troops == state.troops
        assert (len(found.walls), found.rubble) == (len(state.walls) - 1, state.rubble + 1)
        assert str(found.tile_at(at)) == "1-2"
        assert "a wall in the discard" in said
        assert "the 1-2 on c5" in said
    clear, said = supposed(scene)
    assert (clear.troops, said) == (state.troops, "")


def test_a_soldier_who_is_nowhere_is_in_his_pool_and_a_ghost_is_nobody() -> None:
    """Where others of his army are seen beside the board; else he may be in the box with the rest."""
    state, scene = opened()
    gone = next(one for one in scene.sightings if one.kind == "soldier" and one.region == "pool-1")
    man = first_man(scene)
    ghost = replace(doubted(man, "sniper", 0.3), x=4.0, y=4.0, presence=0.02)
    lacking = with_each(scene, lambda one: None if one is gone else one)
    found, said = supposed(replace(lacking, sightings=(*lacking.sightings, ghost)))
    assert found.troops == state.troops
    assert "in the pool" in said
    assert "nobody on d4" in said
    boxed = with_each(scene, lambda one: None if one.region.startswith("pool") else one)
    assert "in the pool" not in supposed(boxed)[1]


def test_on_every_place_of_the_field_lies_a_tile_closed_or_open_as_it_rather_looks() -> None:
    """Half open, hardly there, or not seen at all; where many are not, nobody can say how the field lies."""
    _, scene = opened()
    tiles = [one for one in scene.sightings if one.kind == "domino" and place_of(one) in FIELD_INDEX]
    places = [place_of(one) or 0 for one in tiles]

    def lying(*news: Sighting | None) -> Scene:
        told = {id(tile): new for tile, new in zip(tiles, news, strict=False)}
        return with_each(scene, lambda one: told.get(id(one), one))

    half = (Guess({"pips": [4, 0]}, 0.4), Guess(None, 0.55, "down"))
    rather = (Guess({"pips": [4, 0]}, 0.35), Guess({"pips": [5, 0]}, 0.3), Guess(None, 0.2, "down"))
    shown = replace(tiles[1], face="up", guesses=rather)
    found, said = supposed(
        lying(
            replace(tiles[0], face="up", guesses=half),
            shown,
            replace(tiles[2], presence=0.3, guesses=()),
            None,
        )
    )
    assert [str(found.tile_at(at)) for at in places[:4]] == ["None", "0-4", "None", "None"]
    assert said.count("a closed tile on") == 3
    assert f"the 0-4 on {name(places[1])}" in said
    blank = replace(tiles[0], face="up", guesses=(Guess({"pips": "none"}, 0.8),))
    with pytest.raises(BadSetup, match="cannot be read"):
        supposed(lying(blank))
    with pytest.raises(BadSetup, match="No tile is seen"):
        supposed(lying(*[None] * 5))
    clear = replace(tiles[0], face="up", guesses=(Guess({"pips": [1, 2]}, 0.95),))
    found, said = supposed(lying(clear))
    assert (str(found.tile_at(places[0])), said) == ("1-2", "")
