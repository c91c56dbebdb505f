"""Setting up with guidance, and joining a game in progress from the table as it is."""

from dataclasses import replace
from random import Random

import pytest

from engine import GAMES, BadSetup, State, rulebook
from engine.dominoids.sighted import dominoes_seen
from engine.history import History
from engine.matching import Follower, Incomplete, Nothing, Ruled, adopt, set_up
from engine.scene import Guess, Hidden, Scene, Sighting
from simulation.script import write
from tests.engine.matching.table import Table


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
    assert isinstance(found.verdict, Ruled)
    assert [one.text[:8] for one in found.verdict.happened][-1] == "see roll"
    assert len(found.verdict.happened) == 5


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
    assert found.verdict is None


def test_one_domino_of_the_pool_may_go_unseen() -> None:
    """It can be nowhere else: the opening is read, and moves are followed; two that are away are missed."""
    follower, scene = _opening()
    pool = [one for one in scene.sightings if one.region == "pool"]
    found = set_up(follower, Scene(tuple(one for one in scene.sightings if one is not pool[0])))
    assert found.ready
    assert [one.sentence for one in found.unseen] == [
        "There should be 11 dominoes in the pool: 10 of 11 seen."
    ]
    assert isinstance(found.verdict, Ruled)
    assert len(found.verdict.happened) == 5
    two = set_up(follower, Scene(tuple(one for one in scene.sightings if one not in pool[:2])))
    assert not two.ready
    assert not two.unseen
    history = follower.book.start(rng=Random(3))
    known = Follower(follower.book, (history,))
    assert isinstance(known.see(Scene(tuple(one for one in scene.sightings if one is not pool[0]))), Nothing)
    assert isinstance(
        known.see(Scene(tuple(one for one in scene.sightings if one not in pool[:2]))), Incomplete
    )


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
    """An empty table lacks something in each of them."""
    follower = Follower.of(History.begin(game, seed=5))
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


def test_what_is_told_counts_more_than_what_is_seen() -> None:
    """The players say whose turn it is."""
    follower, scene = _opening()
    state = rulebook("dominoids").start(rng=Random(3))
    follower = Follower(follower.book, (state,))
    assert adopt(follower, scene, {"player": 2}).player == 2  # type: ignore[attr-defined]


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


def test_the_oldest_shows_when_the_first_die_is_taken() -> None:
    """The roll is read before anybody said who begins; the first die taken corrects the record."""
    book = rulebook("kingdomino-duel")
    history = History.begin("kingdomino-duel")
    table = Table(2)
    follower = Follower.of(history).at(table.scene(book.layout(history.state)))
    truth = book.observe(
        book.observe(history.state, book.parse_fact("see oldest 2")), book.parse_fact("see roll d b D S")
    )
    scene = table.scene(book.layout(truth), visits=1)
    verdict = follower.see(scene)
    assert isinstance(verdict, Ruled)
    for one in verdict.happened:
        history = history.fact(one.text)
    follower = follower.after(history, scene)
    taken = table.scene(book.layout(book.play(truth, book.parse("2: take 1"))), visits=1)
    told = follower.see(taken)
    assert isinstance(told, Ruled)
    assert [one.text for one in told.revised] == ["see oldest 2"]
    assert told.happened[0].text == "2: take 1"


def test_a_domino_that_shows_no_pips_is_not_told() -> None:
    """Also where something is surely read of it."""
    odd = Sighting("domino", "board", 3.5, 4.0, guesses=(Guess({"pips": "none"}, 1.0),))
    with pytest.raises(BadSetup, match="cannot be read"):
        dominoes_seen(Scene((odd,)))
