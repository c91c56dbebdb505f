"""Setting up with guidance, and joining a game in progress from the table as it is."""

from dataclasses import replace
from random import Random

import pytest

from engine import GAMES, BadSetup, State, rulebook
from engine.dominoes_of_war.bases import touching
from engine.dominoes_of_war.places import column, name, row
from engine.dominoids.sighted import dominoes_seen, suits_apart
from engine.history import History
from engine.matching import Follower, Incomplete, Nothing, Ruled, adopt, set_up, stains, unstained
from engine.scene import Guess, Hidden, Scene, Sighting
from simulation.script import write
from tests.engine.matching.adopting import granted, likeliest
from tests.engine.matching.doubtful_table import Table


def _opening(seed: int = 3) -> tuple[Follower, Scene]:
    """Dominoids: a follower that still waits for the opening, and the table with it set up."""
    book = rulebook("dominoids")
    follower = Follower.of(History.begin("dominoids"))
    return follower, Table(seed).scene(book.layout(book.start(rng=Random(seed))))


def test_an_opening_that_lies_there_is_read() -> None:
    """Nothing lacks, and the four arms and the roll are told as facts."""
    follower, scene = _opening()
    found = set_up(follower, scene)
    assert found.ready
    shows = follower.see(unstained(scene, found.stains))
    assert isinstance(shows, Ruled)
    assert [one.text[:8] for one in shows.happened][-1] == "see roll"
    assert len(shows.happened) == 5


def test_what_lacks_is_said_place_by_place() -> None:
    """A pawn, a domino and a die are away, and a coin lies where nothing should be."""
    follower, scene = _opening()
    gone = [
        one
        for one in scene.sightings
        if not (one.kind == "pawn" and (round(one.x or 0), round(one.y or 0)) == (3, 7))
        and not (one.kind == "domino" and one.region == "board" and (one.x or 0) < 4 and (one.y or 0) < 4)
    ]
    die = next(one for one in gone if one.kind == "die")
    gone.remove(die)
    coin = Sighting("coin", "board", 5.0, 1.0, face="up", guesses=(Guess({"suit": None, "value": 2}, 1.0),))
    found = set_up(follower, Scene((*gone, coin)))
    assert not found.ready
    told = [one.sentence for one in found.lacking]
    assert "C7 still lacks its pawn." in told
    assert "C3 and d3 still lacks its domino." in told
    assert any(sentence.startswith("There should be four dice") and "3 of 4" in sentence for sentence in told)
    assert any("coin of value 2 lies on e1" in sentence for sentence in told)


def test_one_domino_of_the_pool_may_go_unseen() -> None:
    """It can be nowhere else: the opening is read, and moves are followed; two that are away are missed."""
    follower, scene = _opening()
    pool = [one for one in scene.sightings if one.region == "pool"]
    most = Scene(tuple(one for one in scene.sightings if one is not pool[0]))
    found = set_up(follower, most)
    assert found.ready
    assert [one.sentence for one in found.unseen] == [
        "There should be 11 dominoes in the pool: 10 of 11 seen."
    ]
    shows = follower.see(
        unstained(Scene(tuple(one for one in scene.sightings if one is not pool[0])), found.stains)
    )
    assert isinstance(shows, Ruled)
    assert len(shows.happened) == 5
    two = set_up(follower, Scene(tuple(one for one in scene.sightings if one not in pool[:2])))
    assert not two.ready
    assert not two.unseen
    history = follower.book.start(rng=Random(3))
    known = Follower(follower.book, (history,))
    assert isinstance(known.see(most), Nothing)
    assert isinstance(
        known.see(Scene(tuple(one for one in scene.sightings if one not in pool[:2]))), Incomplete
    )


def test_what_lies_where_nothing_lies_at_first_is_no_part_of_the_game() -> None:
    """Rings on a cloth that look like coins: a game begins all the same, and clear ones are spoken of."""
    follower, scene = _opening()
    ring = Sighting("coin", "hand-1", 3.0, 4.0, face="down", presence=0.7)
    faint = set_up(follower, Scene((*scene.sightings, ring)))
    assert faint.ready
    assert (faint.stains, faint.supposed) == ((ring,), ())
    shows = follower.see(unstained(Scene((*scene.sightings, ring)), faint.stains))
    assert isinstance(shows, Ruled)
    many = [replace(ring, region=region, presence=1.0) for region in ("hand-2", "old-dice", "hand-2", "")]
    cup = Sighting("soldier", "board", 1.0, 1.0, presence=0.6)
    found = set_up(follower, Scene((*scene.sightings, *many, cup)))
    assert found.stains == (*many[:3], cup)
    (sentence,) = found.supposed
    assert sentence == (
        "What lies on player 2's side and in the box of old dice is no part of the game: nothing like it "
        "lies there at first."
    )
    shows = follower.see(unstained(Scene((*scene.sightings, *many, cup)), found.stains))
    assert isinstance(shows, Ruled)


def test_what_of_an_opening_was_not_seen_for_sure_is_said() -> None:
    """It counts as it seems; what lies elsewhere says nothing."""
    follower, scene = _opening()
    die = next(
        one for one in scene.sightings if one.kind == "die" and (one.value or {}).get("suit") == "suns"
    )
    other = Guess({**(die.value or {}), "face": "ace"}, 0.15)
    doubted = replace(die, guesses=(replace(die.guesses[0], probability=0.85), other))
    stray = Sighting("coin", "", guesses=(Guess({"suit": "suns", "value": None}, 0.6, "down"),))
    rest = (one for one in scene.sightings if one is not die)
    found = set_up(follower, Scene((*rest, doubted, stray)))
    assert len(found.supposed) == 1
    assert found.supposed[0].startswith("Not seen for sure, and taken as it seems: the Suns die showing")


def test_a_die_in_doubt_is_of_the_suit_that_no_other_is_of() -> None:
    """Then nothing is said of it; alone it may be of either."""
    follower, scene = _opening()
    dice = [one for one in scene.sightings if one.kind == "die" and (one.value or {}).get("suit")]
    sure, doubted, *_ = dice
    own, other = doubted.value or {}, (sure.value or {}).get("suit")
    shares = (Guess({**own, "suit": other}, 0.53), Guess(own, 0.46))
    rest = (one for one in scene.sightings if one is not doubted)
    odd = Scene((*rest, replace(doubted, guesses=shares), Sighting("die", "new-dice", presence=0.7)))
    assert not set_up(follower, odd).supposed
    assert [one.value for one in suits_apart(odd).sightings if one.kind == "die" and one.region != "new-dice"
            ].count(own) == 1  # fmt: skip
    alone = Scene((replace(doubted, guesses=shares),))
    assert [round(guess.probability, 2) for guess in suits_apart(alone).sightings[0].guesses] == [0.53, 0.46]


def test_one_piece_is_not_two_that_are_seen_nowhere() -> None:
    """A domino of an arm that may be the one that is missed is itself: the other may go unseen."""
    follower, scene = _opening()
    arm = next(one for one in scene.sightings if one.kind == "domino" and one.region == "board")
    pool = next(one for one in scene.sightings if one.region == "pool")
    guesses = (replace(arm.guesses[0], probability=0.9), replace(pool.guesses[0], probability=0.1))
    rest = [one for one in scene.sightings if one not in (arm, pool)]
    found = set_up(follower, Scene((*rest, replace(arm, guesses=guesses))))
    assert found.unseen
    shows = follower.see(unstained(Scene((*rest, replace(arm, guesses=guesses))), found.stains))
    assert isinstance(shows, Ruled)


def test_a_faint_tile_alone_on_the_board_is_no_line() -> None:
    """The stripes of a cloth may look a little like one; a tile that is hard to read is one all the same."""
    blank = Follower.of(History.begin("draw-game"))
    closed = tuple(Sighting("domino", "boneyard", float(k), 0.0, face="down") for k in range(6))
    stripe = Sighting("domino", "board", 0.0, 0.0, 0.0, guesses=(Guess({"pips": [0, 4]}, 0.9),), presence=0.2)
    empty = adopt(blank, Scene(closed))
    assert adopt(blank, Scene((*closed, stripe))) == empty
    dim = replace(stripe, presence=0.9, guesses=(Guess({"pips": [0, 4]}, 0.4),))
    line = blank.book.layout(adopt(blank, Scene((*closed[1:], dim)))).in_region("board")
    assert [spot.name for spot in line] == ["0-4"]
    assert not granted(blank, Scene((*closed, stripe)))


def test_before_anybody_has_drawn_what_is_hardly_a_tile_and_lies_alone_is_none() -> None:
    """The dots of a cloth: that is said; one that is seen clearly is a line, and so are two that touch."""
    blank = Follower.of(History.begin("draw-game"))
    closed = tuple(Sighting("domino", "boneyard", float(k), 0.0, face="down") for k in range(6))
    dots = Sighting("domino", "board", 8.0, 3.0, 0.0, guesses=(Guess({"pips": [3, 5]}, 0.6),), presence=0.7)
    scene = Scene((*closed, dots, replace(dots, x=0.0, guesses=(Guess({"pips": [1, 5]}, 0.6),))))
    assert adopt(blank, scene) == adopt(blank, Scene(closed))
    (sentence,) = granted(blank, scene)
    assert sentence.endswith("taken for none: no tile is laid yet.")
    clear = replace(dots, presence=1.0, guesses=(Guess({"pips": [3, 5]}, 0.95),))
    beside = replace(dots, x=10.0, guesses=(Guess({"pips": [5, 6]}, 0.6),))
    for line in ((clear,), (dots, beside)):
        assert adopt(blank, Scene((*closed, *line))) != adopt(blank, Scene(closed))
        assert not granted(blank, Scene((*closed, *line)))


@pytest.mark.parametrize("presence", [0.93, 0.4, 1.0])
def test_a_seventh_tile_of_a_base_must_be_seen_clearly(presence: float) -> None:
    """Bare ground beside a wall may look like one: then there is none, and that is said."""
    state = State.from_json(write("dominoes-of-war", seed=4, moves=1).states[0])
    book = rulebook("dominoes-of-war")
    scene = Table(4, skew=1.0).scene(book.layout(state), by=1)
    beside = min(touching(state.bases[0]))  # type: ignore[attr-defined]
    ground = Sighting(
        "domino", "board", float(column(beside)), float(row(beside)), 0.0, "down", presence=presence
    )
    odd = replace(scene, sightings=(*scene.sightings, ground))
    blank = Follower.of(History.begin("dominoes-of-war"))
    if presence == 0.93:
        with pytest.raises(BadSetup, match="Does a tile of a base lie on"):
            adopt(blank, odd)
    clear, said = likeliest(blank, odd)
    taken = adopt(blank, clear)
    assert (beside in taken.bases[0]) == (presence == 1.0)  # type: ignore[attr-defined]
    assert any(f"no tile on {name(beside)}" in sentence for sentence in said) == (presence == 0.93)


def test_of_five_walls_the_four_surest_stand() -> None:
    """A row of dots beside one may look like another: that there is none is said, if it is likely."""
    state = State.from_json(write("dominoes-of-war", seed=4, moves=1).states[0])
    scene = Table(4, skew=1.0).scene(rulebook("dominoes-of-war").layout(state), by=1)
    blank = Follower.of(History.begin("dominoes-of-war"))
    for presence in (0.999, 0.3):
        fifth = Sighting("wall", "board", 4.0, 4.5, 0.0, "edge", presence=presence)
        clear, said = likeliest(blank, replace(scene, sightings=(*scene.sightings, fifth)))
        assert adopt(blank, clear) == adopt(blank, scene)
        assert any("no wall" in sentence for sentence in said) == (presence > 0.5)
    clearly = replace(fifth, presence=0.999)
    odd = replace(scene, sightings=(*scene.sightings, clearly))
    with pytest.raises(BadSetup, match="Where do the walls stand"):
        adopt(blank, odd)
    taken = Follower(blank.book, (adopt(blank, scene),))
    assert not stains(taken, odd)
    assert stains(taken, odd, clear=True) == (clearly,)


def test_where_no_wall_may_stand_none_keeps_a_table_from_being_taken() -> None:
    """The gap between two tiles of a base was as clear a wall as any; a reading may allow one there."""
    state = State.from_json(write("dominoes-of-war", seed=4, moves=1).states[0])
    scene = Table(4, skew=1.0).scene(rulebook("dominoes-of-war").layout(state), by=1)
    blank = Follower.of(History.begin("dominoes-of-war"))
    base = [(column(at), row(at)) for at in state.bases[0]]  # type: ignore[attr-defined]
    x, y = next((x, y) for x, y in base if (x, y + 1) in base)
    gap = Sighting("wall", "board", float(x), y + 0.5, 0.0, "edge", presence=1.0)
    odd = replace(scene, sightings=(gap, *scene.sightings))
    taken = adopt(blank, scene)
    assert adopt(blank, odd) == taken
    assert adopt(blank, likeliest(blank, odd)[0]) == taken
    assert isinstance(Follower(blank.book, (taken,)).at(scene).see(odd), Nothing)
    allowed = Follower.of(History.begin("dominoes-of-war", "default+wall_on_base=yes"))
    with pytest.raises(BadSetup, match="Where do the walls stand"):
        adopt(allowed, odd)


@pytest.mark.parametrize("came", [1, 2])
def test_who_stands_on_a_closed_tile_has_just_come(came: int) -> None:
    """A game was taken up after its first move: its tile is still to be turned, and it is his turn."""
    book = rulebook("dominoes-of-war")
    state = State.from_json(write("dominoes-of-war", seed=4, moves=1).states[0])
    blank = Follower.of(History.begin("dominoes-of-war"))
    marches = [one for one in book.legal_moves(state) if book.pending(book.play(state, one)) == "tile"]
    after = book.play(state, marches[0])
    if came == 2:  # of two it cannot be told who came last
        shown = book.observe(after, book.parse_fact(f"see {name(marches[0].to)} 3-4"))  # type: ignore[attr-defined]
        beyond = [one for one in book.legal_moves(shown) if isinstance(one, type(marches[0]))]
        each = [book.play(shown, one) for one in beyond]
        after = next(one for one in each if book.pending(one) == "tile")
        after = after._replace(field=state.field)  # type: ignore[attr-defined]
    scene = Table(4, skew=1.0).scene(book.layout(after), by=3 - state.turn)  # type: ignore[attr-defined]
    taken = adopt(blank, scene)
    assert book.pending(taken) == ("tile" if came == 1 else None)
    if came == 1:
        assert taken == after._replace(starter=taken.starter)  # type: ignore[attr-defined]


def test_what_lies_across_the_field_is_no_tile_of_it() -> None:
    """However clear a pattern looks: the tile that lies there as all the others do is it."""
    state = State.from_json(write("dominoes-of-war", seed=4, moves=1).states[0])
    scene = Table(4, skew=1.0).scene(rulebook("dominoes-of-war").layout(state), by=1)
    blank = Follower.of(History.begin("dominoes-of-war"))
    dots = Sighting("domino", "board", 4.3, 2.2, 0.0, guesses=(Guess({"pips": [0, 1]}, 1.0),))
    faint = tuple(
        replace(one, presence=0.95) if (one.kind, one.face) == ("domino", "down") else one
        for one in scene.sightings
    )
    expected = adopt(blank, replace(scene, sightings=faint))
    assert adopt(blank, replace(scene, sightings=(*faint, dots))) == expected


def test_whose_base_a_tile_is_must_be_told_whatever_it_looks_like() -> None:
    """Where nobody stands on it, no tile of it is left out."""
    state = State.from_json(write("dominoes-of-war", seed=4, moves=1).states[0])
    scene = Table(4).scene(rulebook("dominoes-of-war").layout(state))
    gone = tuple(one for one in scene.sightings if one.owner != 2 or one.region != "board")
    clear, said = likeliest(Follower.of(History.begin("dominoes-of-war")), Scene(gone))
    assert not any("no tile" in sentence for sentence in said)
    with pytest.raises(BadSetup, match="Whose base is the tile on"):
        adopt(Follower.of(History.begin("dominoes-of-war")), clear)


def test_a_domino_across_its_place_does_not_serve() -> None:
    """It must lie along its arm."""
    follower, scene = _opening()
    turned = tuple(
        replace(one, angle=(one.angle or 0) + 90) if one.kind == "domino" and one.region == "board" else one
        for one in scene.sightings
    )
    assert len([one for one in set_up(follower, Scene(turned)).lacking if "domino" in one.sentence]) >= 4


def test_what_is_hidden_does_not_lack() -> None:
    """A covered board is not called empty."""
    follower, scene = _opening()
    off = tuple(one for one in scene.sightings if one.region != "board")
    found = set_up(follower, Scene(off, (Hidden("board"),)))
    assert found.ready


@pytest.mark.parametrize("game", GAMES)
def test_every_game_says_what_its_table_needs(game: str) -> None:
    """An empty table lacks something in each of them, before anything is dealt or drawn."""
    follower = Follower.of(History.begin(game))
    found = set_up(follower, Scene(()))
    assert found.lacking
    assert all(one.sentence and one.to_json()["sentence"] for one in found.lacking)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_a_table_in_progress_is_adopted(game: str, seed: int) -> None:
    """The state that is made looks like the table it was made from."""
    script = write(game, seed=seed, moves=14)
    book = rulebook(game, script.profile)
    states = [State.from_json(data) for data in script.states]
    at_rest = [state for state in states if book.pending(state) is None and book.movers(state)]
    state = at_rest[len(at_rest) * 2 // 3]
    if game == "dominoes-of-war":
        state = next(one for one in at_rest[len(at_rest) // 2 :] if one.phase == "act")  # type: ignore[attr-defined]
    if game == "kingdomino-duel":
        state = replace(state, stage="roll", dice=())  # type: ignore[type-var]
    if game == "dominoids":
        state = next(one for one in at_rest[len(at_rest) // 2 :] if one.stage == 1)  # type: ignore[attr-defined]
    follower = Follower(book, (state,))
    scene = Table(seed, skew=1.0).scene(book.layout(state))
    adopted = adopt(follower, scene)
    if game == "draw-game":
        assert book.layout(adopted).hidden == book.layout(state).hidden
        lying = {spot.name for spot in book.layout(state).in_region("board")}
        assert {spot.name for spot in book.layout(adopted).in_region("board")} == lying
    else:
        assert {spot.name: spot for spot in book.layout(adopted).spots if spot.region == "board"} == {
            spot.name: spot for spot in book.layout(state).spots if spot.region == "board"
        }
    assert follower.at(scene).see(scene).kind == "nothing"


def test_a_coin_of_unknown_suit_must_be_told() -> None:
    """No picture shows the suit of a coin that lies value up."""
    follower, scene = _opening()
    state = rulebook("dominoids").start(rng=Random(3))
    coin = Sighting("coin", "board", 5.0, 1.0, face="up", guesses=(Guess({"suit": None, "value": 2}, 1.0),))
    with pytest.raises(BadSetup, match="Of which suit is the coin on e1"):
        adopt(Follower(follower.book, (state,)), Scene((*scene.sightings, coin)))


@pytest.mark.parametrize("player", [1, 2])
def test_collected_coins_that_nobody_knows_of_must_be_told(player: int) -> None:
    """An eaten coin shows no suit; one that the record knows is no riddle, nor is a shadow."""
    follower, scene = _opening()
    state = rulebook("dominoids").start(rng=Random(3))
    coin = Sighting("coin", f"hand-{player}", guesses=(Guess({"suit": None, "value": 2}, 1.0),))
    lying = Scene((*scene.sightings, coin))
    with pytest.raises(BadSetup, match="Tell the collected coins: 1 seen"):
        adopt(Follower(follower.book, (state,)), lying)
    known: list[dict[str, list[int]]] = [{}, {}]
    known[player - 1] = {"suns": [2]}
    knows = follower.book.start({**state.to_json(), "collected": known})  # type: ignore[dict-item]
    adopted = adopt(Follower(follower.book, (knows,)), lying)
    assert adopted.to_json()["collected"] == knows.to_json()["collected"]
    shadow = Scene((*scene.sightings, replace(coin, presence=0.3)))
    assert (
        adopt(Follower(follower.book, (state,)), shadow).to_json()["collected"]
        == state.to_json()["collected"]
    )


@pytest.mark.parametrize(("kind", "where"), [
    ("domino", r"near [a-h]\d"), ("pawn", r"near [a-h]\d"), ("coin", r"near [a-h]\d"), ("die", "dice"),
])  # fmt: skip
def test_a_doubted_piece_is_not_taken_for_what_it_looks_like(kind: str, where: str) -> None:
    """Neither one that may not be there, nor one that may be another; what is hardly there is nothing."""
    follower, scene = _opening()
    state = rulebook("dominoids").start(rng=Random(3))
    place = "old-dice" if kind == "die" else "board"
    one = next(one for one in scene.sightings if (one.kind, one.region) == (kind, place))
    rest = tuple(other for other in scene.sightings if other is not one)
    doubted = replace(one, guesses=(replace(one.guesses[0], probability=0.6),))
    for other in (doubted, replace(one, presence=0.6)):
        with pytest.raises(BadSetup, match=f"The {kind} .*{where}.* cannot be read for sure"):
            adopt(Follower(follower.book, (state,)), Scene((*rest, other)))
    shadow = replace(one, presence=0.05, x=8.0, y=8.0)
    assert adopt(Follower(follower.book, (state,)), Scene((*scene.sightings, shadow)))


@pytest.mark.parametrize("game", ["dominoids", "dominoes-of-war", "draw-game"])
def test_what_cannot_be_read_is_asked_for(game: str) -> None:
    """A face-up domino, or a soldier, without a reading."""
    script = write(game, seed=2, moves=10)
    book = rulebook(game, script.profile)
    state = State.from_json(script.states[-1])
    scene = Table(2).scene(book.layout(state))
    for kind in {one.kind for one in scene.sightings if one.region == "board"} & {"domino", "soldier"}:
        blind = tuple(
            replace(one, guesses=())
            if one.kind == kind and one.face == "up" and one.region == "board"
            else one
            for one in scene.sightings
        )
        if blind != scene.sightings:
            with pytest.raises(BadSetup):
                adopt(Follower(book, (state,)), Scene(blind))


def test_blank_dice_in_both_boxes_are_as_the_record_says_if_all_else_is() -> None:
    """Nobody sees the suits of blank dice; where a die lies otherwise, or none is seen, they must be told."""
    book = rulebook("dominoids")
    start = book.start(rng=Random(3)).to_json()
    dice = {"suns": "null", "moons": "null", "crowns": "2", "arms": "3"}
    state = book.start({**start, "dice": dice, "new": ["moons", "arms"]})  # type: ignore[dict-item]
    follower = Follower(book, (state,))
    scene = Table(3).scene(book.layout(state))
    adopted = adopt(follower, scene).to_json()
    assert (adopted["dice"], adopted["new"]) == (dice, ["moons", "arms"])
    dice_seen = [one for one in scene.sightings if one.kind == "die"]
    die = next(one for one in dice_seen if (one.value or {}).get("suit") == "crowns")
    rest = tuple(one for one in scene.sightings if one is not die)
    for seen in (rest, (*rest, replace(die, region="new-dice")), tuple(o for o in rest if o.kind != "die")):
        with pytest.raises(BadSetup, match="Tell the dice"):
            adopt(follower, Scene(seen))
    none = tuple(one for one in scene.sightings if one.kind != "pawn")
    with pytest.raises(BadSetup, match="pawn is missing"):
        adopt(follower, Scene(none))
    blank = Follower.of(History.begin("dominoids"))
    with pytest.raises(BadSetup, match="Tell the dice"):
        adopt(blank, Scene(rest))


def test_a_table_that_cannot_be_is_refused_in_one_sentence() -> None:
    """Two dominoes on one square."""
    follower, scene = _opening()
    state = rulebook("dominoids").start(rng=Random(3))
    more = Sighting("domino", "board", 3.5, 3.0, 0.0, guesses=(Guess({"pips": [5, 5]}, 1.0),))
    with pytest.raises(BadSetup):
        adopt(Follower(follower.book, (state,)), Scene((*scene.sightings, more)))


@pytest.mark.parametrize("game", ["dominoes-of-war", "draw-game"])
def test_a_game_that_nobody_told_of_is_adopted(game: str) -> None:
    """With no record at all: armies, bases, hands and the line come from the table."""
    script = write(game, seed=4, moves=3)
    book = rulebook(game, script.profile)
    blank = Follower.of(History.begin(game))
    for state in (State.from_json(script.states[0]), State.from_json(script.states[-1])):
        if book.pending(state) is not None:
            continue
        scene = Table(4, skew=1.0).scene(book.layout(state), by=1)
        adopted = adopt(blank, scene)
        seen = {spot.name for spot in book.layout(adopted).spots if spot.region == "board"}
        assert seen == {spot.name for spot in book.layout(state).spots if spot.region == "board"}
        assert book.layout(adopted).hidden == book.layout(state).hidden


def test_a_base_that_nobody_stands_on_must_be_told() -> None:
    """Whose it is cannot be seen."""
    script = write("dominoes-of-war", seed=4, moves=3)
    book = rulebook("dominoes-of-war", script.profile)
    scene = Table(4).scene(book.layout(State.from_json(script.states[0])))
    alone = Scene(tuple(one for one in scene.sightings if one.owner != 2 or one.region != "board"))
    with pytest.raises(BadSetup, match="Whose base is the tile on"):
        adopt(Follower.of(History.begin("dominoes-of-war")), alone)


def test_a_back_alone_beside_the_field_is_no_base() -> None:
    """The seam of a cloth may look like one: it keeps no game from beginning, and is no change later on.

    A man who stands on it would make it one: then somebody has to say what it is.
    """
    script = write("dominoes-of-war", seed=4, moves=3)
    book = rulebook("dominoes-of-war", script.profile)
    state = State.from_json(script.states[0])
    scene = Table(4, skew=1.0).scene(book.layout(state), by=1)
    taken = {(one.x, one.y) for one in book.layout(state).spots if one.region == "board"}
    x, y = next((x, y) for x in (4.0, 5.0) for y in (0.0, 9.0)
                if not {(x, y), (x - 1, y), (x + 1, y), (x, y + (1 if y else -1))} & taken)  # fmt: skip
    seam = Sighting("domino", "board", x, y, 0.0, "down", presence=0.96)
    odd = Scene((*scene.sightings, seam), by=1)
    blank = Follower.of(History.begin("dominoes-of-war"))
    adopted = adopt(blank, odd)
    assert adopted == adopt(blank, scene)
    assert isinstance(Follower(book, (adopted,)).at(odd).see(odd), Nothing)
    man = next(one for one in scene.sightings if one.kind == "soldier" and one.region == "board")
    with pytest.raises(BadSetup):
        adopt(blank, Scene((*odd.sightings, replace(man, x=x, y=y)), by=1))


def test_who_begins_is_seen_in_the_first_move() -> None:
    """Whoever takes dice first has begun."""
    book = rulebook("dominoids")
    opened = book.start(rng=Random(3))
    before = replace_stage(opened)
    table = Table(2)
    start = table.scene(book.layout(before))
    line = next(line for move in book.legal_moves(opened) if "dice" in (line := book.format(move)))
    first: int = opened.player  # type: ignore[attr-defined]
    scene = table.scene(book.layout(book.play(opened, book.parse(line))), by=first, visits=1)
    verdict = Follower(book, (before,)).at(start).see(scene)
    assert isinstance(verdict, Ruled)
    assert [one.text for one in verdict.happened][:2] == [f"see first {first}", line]


def replace_stage(state: State) -> State:
    """The same opening before it is known who begins."""
    return state._replace(stage=0, player=1)  # type: ignore[attr-defined]


@pytest.mark.parametrize("player", [1, 2])
def test_who_is_the_oldest_shows_when_the_first_die_is_taken(player: int) -> None:
    """The roll is all that is told of it before; whoever takes the first die is A, and that needs no word."""
    book = rulebook("kingdomino-duel")
    history = History.begin("kingdomino-duel")
    table = Table(2)
    follower = Follower.of(history).at(table.scene(book.layout(history.state)))
    truth = book.observe(history.state, book.parse_fact("see roll d b D S"))
    scene = table.scene(book.layout(truth), visits=1)
    verdict = follower.see(scene)
    assert isinstance(verdict, Ruled)
    assert [one.text for one in verdict.happened] == ["see roll d b D S"]
    follower = follower.after(history.fact("see roll d b D S"), scene)
    taken = table.scene(book.layout(book.play(truth, book.parse(f"{player}: take 1"))), visits=1)
    told = follower.see(taken)
    assert isinstance(told, Ruled)
    assert (told.revised, [one.text for one in told.happened]) == ((), [f"{player}: take 1"])
    assert told.state is not None
    assert book.movers(told.state) == (3 - player,)


def test_a_domino_that_shows_no_pips_is_not_told() -> None:
    """Also where something is surely read of it."""
    odd = Sighting("domino", "board", 3.5, 4.0, guesses=(Guess({"pips": "none"}, 1.0),))
    with pytest.raises(BadSetup, match="cannot be read"):
        dominoes_seen(Scene((odd,)))


@pytest.mark.parametrize(("unseen", "words"), [
    (0, ()), (1, ("the 1-1.",)), (8, ("the 1-1, the 1-2,", " and 2 more.")),
])  # fmt: skip
def test_a_domino_that_is_seen_nowhere_is_said_to_lie_in_the_pool(
    unseen: int, words: tuple[str, ...]
) -> None:
    """Half of it may lie in a gleam, and not in the pool at all."""
    blank = Follower.of(History.begin("dominoids"))
    pips = [[low, high] for low in range(1, 6) for high in range(low, 6)][unseen:]
    pool = [Sighting("domino", "pool", 9.0 * k, 0.0, guesses=(Guess({"pips": ends}, 1.0),))
            for k, ends in enumerate(pips)]  # fmt: skip
    coin = Sighting("coin", "board", 1.0, 1.0, guesses=(Guess({"suit": "suns", "value": None}, 1.0),))
    told = granted(blank, Scene((*pool, coin, Sighting("domino", "board", 5.0, 5.5, 90.0))))
    assert len(told) == (unseen > 0)
    assert all(word in told[0] for word in words)
    assert not told or told[0].startswith("Seen nowhere, and taken to lie in the pool: the 1-1")


@pytest.mark.parametrize("seed", range(6))
def test_a_line_with_several_doubles_begins_a_game(seed: int) -> None:
    """The spinner is the one at whose short ends tiles lie, else the nearest to the middle, which is said."""
    script, book = write("draw-game", seed=seed, moves=24), rulebook("draw-game")
    states = [State.from_json(told) for told in script.states]
    tables = [book.layout(state) for state in states if book.pending(state) is None]
    lying = max(tables, key=lambda one: sum(spot.name[0] == spot.name[2] for spot in one.spots))
    follower, scene = Follower.of(History.begin("draw-game")), Table(seed).scene(lying)
    begun = adopt(follower, scene)
    assert {spot.name for spot in book.layout(begun).spots} == {spot.name for spot in lying.spots}
    assert isinstance(Follower(book, (begun,)).at(scene).see(scene), Nothing)
    (said,) = granted(follower, scene)
    assert said.startswith("Which double was laid first cannot be seen: the ")
