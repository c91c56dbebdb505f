"""A table that players say lies as it should is taken, wherever the record was, and the match is kept."""

from dataclasses import replace
from random import Random

import pytest

from engine import GAMES, BadNotation, BadSetup, Layout, State, rulebook
from engine.history import History
from engine.matching import (
    Choice,
    Follower,
    Happened,
    Incomplete,
    Nothing,
    OutOfStep,
    Question,
    Revision,
    Ruled,
    TakeBack,
    as_it_is,
)
from engine.matching.adopted import Adopter, adopter_for
from engine.matching.as_it_is import AsItIs
from engine.plain import BadData
from engine.scene import Guess, Hidden, Scene, Sighting
from simulation.script import write
from tests.engine.matching.doubtful_table import Table

NO_WAY = OutOfStep(())
"""Nothing explains the table."""


def states_of(game: str, seed: int, moves: int = 24) -> list[State]:
    """The states of a random game, some of them after a refused move that stands."""
    script = write(game, seed=seed, moves=moves, illegal=0.1, stands=1)
    return [State.from_json(data) for data in script.states]


def taken(game: str, before: State, table: State | Layout, seed: int = 1) -> tuple[AsItIs, Scene]:
    """The table of one state taken as it is with the record of another."""
    book = rulebook(game)
    layout = table if isinstance(table, Layout) else book.layout(table)
    scene = Table(seed, skew=1.0).scene(layout)
    return as_it_is(Follower(book, (before,)), scene, NO_WAY), scene


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("game", GAMES)
def test_any_table_of_a_game_is_taken_with_the_record_of_any_other(game: str, seed: int) -> None:
    """The state that is made agrees with the table, and can be kept in a record."""
    states, rng = states_of(game, seed), Random(seed)
    book = rulebook(game)
    for _ in range(8):
        before, table = rng.choice(states), rng.choice(states)
        found, scene = taken(game, before, table, seed)
        follower = Follower(book, (found.state,)).at(scene)
        if game != "kingdomino-duel":  # a roll of before may lie there still
            assert isinstance(follower.see(scene), Nothing), (before, table)
        assert book.read_state(found.state.to_json()) == found.state


def test_the_match_of_the_draw_game_is_kept() -> None:
    """Points, deals and the score pad are the record's; the hands are what line and boneyard leave."""
    states = [one for one in states_of("draw-game", 3, 60) if one.scores != (0, 0)]  # type: ignore[attr-defined]
    found, _ = taken("draw-game", states[0], states[6])
    before, after = states[0].to_json(), found.state.to_json()
    assert after["lines"] == before["lines"]
    assert after["match"]["deal"] == before["match"]["deal"]  # type: ignore[index, call-overload]
    hidden = rulebook("draw-game").layout(found.state).hidden
    laid = len(rulebook("draw-game").layout(found.state).in_region("board"))
    assert sum(hidden.values()) + laid == 28
    assert hidden["boneyard"] == rulebook("draw-game").layout(states[6]).hidden["boneyard"]
    assert "hands" in found.unknown[0]


def test_what_the_search_has_found_counts_first() -> None:
    """It knows what nobody sees; what does not look so is left aside, and a guess among several is said."""
    history = History.begin("draw-game").fact("see lot 3-4 / 5-6").fact("see deal hidden / hidden")
    book = history.book
    moves = [move for move in book.legal_moves(history.state) if "down" in book.format(move)]
    one, other = (history.move(book.format(move)) for move in moves[:2])
    scene = Table(2).scene(book.layout(other.state))
    told = [
        Ruled((Happened("move", game.steps[-1].happened.text, game.state),), 9.0) for game in (one, other)
    ]
    follower = Follower.of(history)
    choices = tuple(Choice(ruled.happened[0].text, ruled) for ruled in told)
    found = as_it_is(follower, scene, Question("", choices))
    assert found == AsItIs(other.state, (f"It is taken for: {choices[1].text}",))
    assert as_it_is(follower, scene, told[1]) == AsItIs(other.state)
    assert as_it_is(Follower.of(one), scene, TakeBack(1, other.state, "")).state == other.state
    assert as_it_is(Follower.of(other), scene, Nothing()) == AsItIs(other.state)
    assert as_it_is(follower, scene, Incomplete("")).unknown
    revised = replace(told[1], revised=(Revision(1, "see deal hidden / hidden"),))
    assert as_it_is(follower, scene, revised).unknown


def test_what_is_in_doubt_counts_as_what_it_most_looks_like_and_is_said() -> None:
    """Players see what is taken; of a game of which nothing is known nothing is guessed."""
    book = rulebook("dominoids")
    state = book.start(rng=Random(3))
    scene = Table(3).scene(book.layout(state))
    pawn = next(one for one in scene.sightings if one.kind == "pawn")
    faint = tuple(replace(one, presence=0.7) if one is pawn else one for one in scene.sightings)
    found = as_it_is(Follower(book, (state,)), Scene(faint), NO_WAY)
    assert found.state == state
    assert "Not seen for sure" in found.unknown[0]
    blank = Follower.of(History.begin("dominoids"))
    assert as_it_is(blank, scene, NO_WAY).state == state
    with pytest.raises(BadSetup, match="die is not seen"):
        as_it_is(
            Follower(book, (state,)), Scene(tuple(o for o in scene.sightings if o.kind != "die")), NO_WAY
        )


@pytest.mark.usefixtures("toy_game")
@pytest.mark.parametrize(("wrong", "words"), [(BadData("it is odd"), "cannot be: it is odd"),
                                              (ValueError("no"), "No table of this game")])  # fmt: skip
def test_whatever_is_wrong_with_a_table_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, wrong: ValueError, words: str
) -> None:
    """Also where a rule book cannot even say what."""

    def taken(_adopter: Adopter, _state: State, _scene: Scene) -> State:
        raise wrong

    monkeypatch.setattr(Adopter, "taken", taken)
    with pytest.raises(BadSetup, match=words):
        as_it_is(Follower.of(History.begin("toy")), Scene(()), NO_WAY)


def _coin(value: int, region: str, x: float | None = None, y: float | None = None) -> Sighting:
    return Sighting("coin", region, x, y, face="up", guesses=(Guess({"suit": None, "value": value}, 1.0),))


def test_coins_of_which_nobody_knows_the_suit_are_guessed_and_it_is_said() -> None:
    """One on a strange square, one that was eaten unseen; and of one value there are four."""
    book = rulebook("dominoids")
    state = book.start(rng=Random(3))
    follower, scene = Follower(book, (state,)), Table(3).scene(book.layout(state))
    found = as_it_is(
        follower, Scene((*scene.sightings, _coin(2, "board", 5.0, 1.0), _coin(3, "hand-1"))), NO_WAY
    )
    told = found.state.to_json()
    assert len([one for one in told["coins"] if one["square"] == "e1"]) == 1  # type: ignore[union-attr, index, call-overload]
    assert "on e1 is taken for one of" in found.unknown[0]
    assert "on player 1's side is taken for one of" in found.unknown[1]
    only = [*(_coin(3, "hand-1") for _ in range(4))]
    assert as_it_is(follower, Scene((*scene.sightings, *only)), NO_WAY).state != state
    with pytest.raises(BadSetup, match="too many coins of value 3"):
        as_it_is(follower, Scene((*scene.sightings, *only, _coin(3, "hand-2"))), NO_WAY)


@pytest.mark.parametrize("read", [True, False])
def test_what_lies_over_the_edge_of_the_board_has_to_be_pushed_onto_it(*, read: bool) -> None:
    """No state of the rules is like that, and the sentence says what to do with which piece."""
    book = rulebook("dominoids")
    state = book.start(rng=Random(3))
    scene, follower = Table(3).scene(book.layout(state)), Follower(book, (state,))
    pips = [5, 5] if read else [0, 0]
    over = Sighting("domino", "board", 5.0, 8.5, 90.0, guesses=(Guess({"pips": [*pips]}, 1.0),))
    with pytest.raises(BadSetup, match=f"^{'The 5-5' if read else 'A domino'} lies over the edge"):
        as_it_is(follower, Scene((*scene.sightings, over)), NO_WAY)
    with pytest.raises(BadSetup, match="A coin lies over the edge"):
        as_it_is(follower, Scene((*scene.sightings, _coin(2, "board", 5.0, 9.0))), NO_WAY)


def test_collected_coins_that_are_not_seen_count_no_more_unless_they_may_be_hidden() -> None:
    """They are the score, and lie open with their players."""
    book = rulebook("dominoids")
    start = book.start(rng=Random(3)).to_json()
    state = book.start({**start, "collected": [{"suns": [2]}, {}]})  # type: ignore[dict-item]
    scene = Table(3).scene(book.layout(book.start(start)))
    follower = Follower(book, (state,))
    assert "does not count as collected" in as_it_is(follower, scene, NO_WAY).unknown[0]
    covered = replace(scene, hidden=(Hidden("hand-1"),))
    assert as_it_is(follower, covered, NO_WAY).state == state
    assert as_it_is(follower, Table(3).scene(book.layout(state)), NO_WAY).state == state


def test_dice_that_cannot_lie_so_and_coins_that_are_still_to_be_turned() -> None:
    """Four new dice are old ones; a coin that was to be turned up still is."""
    book = rulebook("dominoids")
    start = book.start(rng=Random(3)).to_json()
    scene = Table(3).scene(book.layout(book.start(start)))
    new = tuple(replace(one, region="new-dice") if one.kind == "die" else one for one in scene.sightings)
    with pytest.raises(BadSetup, match="put them into the old one"):
        as_it_is(Follower(book, (book.start(start),)), Scene(new), NO_WAY)
    square = start["coins"][0]["square"]  # type: ignore[index, call-overload]
    waits = book.start({**start, "turning": [square]})
    found = as_it_is(Follower(book, (waits,)), scene, NO_WAY)
    assert found.state == waits


def test_tiles_beside_the_line_are_dead_and_those_apart_are_named() -> None:
    """A tile at the side of another belongs to no end; one that touches nothing has to be moved."""
    book = rulebook("draw-game")
    state = book.start(rng=Random(4))
    plays = (book.apply(state, move) for move in book.legal_moves(state))
    downs = ((down, book.layout(down).spots[0]) for down in plays if book.layout(down).spots)
    down, spot = next((down, spot) for down, spot in downs if spot.name[0] != spot.name[-1])
    low, high = (int(end) for end in spot.name.split("-"))
    other = next([a, b] for a in range(7) for b in range(a + 1, 7) if not {a, b} & {low, high})
    line = Table(1, off=0.0, skew=0.0).scene(book.layout(down))

    def beside(y: float, sure: float = 1.0) -> Scene:
        guesses = (Guess({"pips": [*other]}, sure),)
        return Scene((*line.sightings, Sighting("domino", "board", 0.0, y, 0.0, guesses=guesses)))

    found = as_it_is(Follower(book, (down,)), beside(1.1), NO_WAY)
    assert book.layout(found.state).in_region("aside")
    with pytest.raises(BadSetup, match="push it against its end"):
        as_it_is(Follower(book, (down,)), beside(7.0), NO_WAY)
    stain = as_it_is(Follower(book, (down,)), beside(7.0, 0.4), NO_WAY)
    assert book.layout(stain.state) == book.layout(down)


def test_a_new_deal_of_the_same_match_is_taken() -> None:
    """The record waits for the deal, and tiles lie already: points and the number of the deal go on."""
    states = states_of("draw-game", 5, 80)
    waits = next(one for one in states if one.phase == "deal" and one.lines)  # type: ignore[attr-defined]
    going = next(one for one in states if one.phase == "playing" and len(one.history) > 4)  # type: ignore[attr-defined]
    found, _ = taken("draw-game", waits, going)
    told, before = found.state.to_json(), waits.to_json()
    assert told["lines"] == before["lines"]
    assert told["match"]["deal"] == before["match"]["deal"] + 1  # type: ignore[index, call-overload, operator]


def test_a_war_that_is_still_set_up_and_one_of_which_the_discard_is_hidden() -> None:
    """What is due next follows from the table; what cannot be seen is as the record has it."""
    book = rulebook("dominoes-of-war")
    script = write("dominoes-of-war", seed=4, moves=30)
    states = [State.from_json(data) for data in script.states]
    state = next(one for one in reversed(states) if one.phase == "act")  # type: ignore[attr-defined]
    scene = Table(4).scene(book.layout(state))
    hidden = replace(scene, hidden=(Hidden("discard"),))
    found = as_it_is(Follower(book, (state,)), hidden, NO_WAY)
    assert found.state.to_json()["mines"] == state.to_json()["mines"]
    first = states[0].to_json()
    begun = book.start({key: first[key] for key in ("armies", "starter", "bases")})
    assert begun.to_json()["phase"] == "walls"
    seen = Table(4).scene(book.layout(states[0]))
    assert as_it_is(Follower(book, (begun,)), seen, NO_WAY).state.to_json()["troops"] == first["troops"]


def test_the_mines_of_a_war_of_which_nothing_is_known_are_those_that_lie_in_the_discard() -> None:
    """They lay there when the referee was switched on, and were no part of its game from then on."""
    book = rulebook("dominoes-of-war")
    state = next(
        one for one in reversed(states_of("dominoes-of-war", 4, 60))
        if one.to_json()["mines"] and one.to_json()["phase"] == "act"
    )  # fmt: skip
    scene = Table(4).scene(book.layout(state))
    found = as_it_is(Follower(book, (book.start(None, None),)), scene, NO_WAY).state
    assert found.to_json()["mines"] == state.to_json()["mines"]
    assert isinstance(Follower(book, (found,)).at(scene).see(scene), Nothing)


def test_a_soldier_who_is_gone_is_lost_or_in_his_pool() -> None:
    """As the reading of the rules has it."""
    for profile, where in (("2016", "discarded"), ("2015", "pools")):
        book = rulebook("dominoes-of-war", profile)
        script = write("dominoes-of-war", seed=4, moves=12, profile=profile)
        states = [State.from_json(data) for data in script.states]
        state = next(one for one in reversed(states) if one.phase == "act")  # type: ignore[attr-defined]
        spots = book.layout(state).spots
        man = next(spot for spot in spots if spot.kind == "soldier" and spot.region == "board")
        kind = str((man.value or {})["type"])
        scene = Table(4).scene(book.layout(state), lost=frozenset((man.name,)))
        told = as_it_is(Follower(book, (state,)), scene, NO_WAY).state.to_json()
        mine = [one[where][(man.owner or 1) - 1][kind] for one in (told, state.to_json())]  # type: ignore
        assert mine[0] == mine[1] + 1


def test_dice_that_nobody_can_have_taken_so_begin_another_turn() -> None:
    """All four with one player is no turn of the Duel: the maps are kept, and a roll is waited for."""
    state = next(one for one in states_of("kingdomino-duel", 2) if getattr(one, "stage", "") == "draw")
    book = rulebook("kingdomino-duel")
    scene = Table(2).scene(book.layout(state))
    heaped = tuple(replace(one, region="dice-1") if one.kind == "die" else one for one in scene.sightings)
    found = adopter_for(book).taken(state, Scene(heaped))
    assert book.pending(found) == "roll"


def test_before_anything_is_known_a_table_is_taken_as_at_the_start() -> None:
    """A lot that was not drawn and bases that were not laid leave nothing of the record to keep."""
    draw = rulebook("draw-game")
    laid = next(one for one in states_of("draw-game", 3) if draw.layout(one).in_region("board"))
    scene = Table(3).scene(draw.layout(laid))
    found = adopter_for(draw).taken(draw.start(None, None), scene)
    assert len(draw.layout(found).in_region("board")) == len(draw.layout(laid).in_region("board"))
    war = rulebook("dominoes-of-war")
    with pytest.raises(BadSetup):
        adopter_for(war).taken(war.start(None, None), Table(3).scene(war.layout(war.start(None, None))))


def test_a_game_whose_adopter_knows_no_pieces_says_so() -> None:
    """What cannot be set by hand is refused in a sentence."""
    book = rulebook("draw-game")
    state = book.start(None, None)
    with pytest.raises(BadNotation, match="set by hand"):
        Adopter(book).put(state, ["2-5", "east"])
    assert Adopter(book).unknown(state, state, Scene(())) == ()
