"""How a match is joined that nobody told the beginning of: who moves first is seen, or said to be unknown."""

from collections.abc import Sequence
from copy import copy
from dataclasses import replace

import pytest

from device.live.starting import Agreed, Beginner
from engine import State, rulebook
from engine.dominoes_of_war.places import FIELD
from engine.history import History
from engine.layout import Layout
from engine.matching import Follower, OutOfStep, Question, Ruled, Verdict
from engine.scene import Guess, Scene, Sighting
from simulation.script import Scripted, write
from tests.engine.matching.doubtful_table import Table

TERMS = Agreed("draw-game", players=("Ann", "Bo"))


class Trying:
    """A beginner that goes on from each table that it is shown."""

    def __init__(self, terms: Agreed, *, joins: bool = False) -> None:
        self.beginner = Beginner(terms, joins)

    def begin(self, scene: Scene) -> History | Sequence[str]:
        """The game, or why there is none."""
        before = copy(vars(self.beginner))
        after, found = self.beginner.begin(scene)
        assert vars(self.beginner) == before, "what was known before the table is a value"
        self.beginner = after
        return found

    def doubt(self) -> str:
        """What could not be told of the game."""
        return self.beginner.doubt()


class Seen:
    """The tables of a film as the eye would tell them."""

    def __init__(self, seed: int, moves: int = 5) -> None:
        script = write("draw-game", seed=seed, moves=moves)
        self.start: Layout = script.start
        self.moves: Sequence[Scripted] = [one for one in script.events if one.visible]
        self.table = Table(seed)

    def scene(self, moves: int, by: int | None = None) -> Scene:
        """The table after so many things that can be seen."""
        layout = self.moves[moves - 1].after if moves else self.start
        return self.table.scene(layout, by=by, visits=1)


@pytest.mark.parametrize("seed", range(8))
def test_whoever_reaches_in_first_is_who_moves(seed: int) -> None:
    """Nothing on a table says whose turn it is, so its first move is waited for; idle hands say nothing."""
    film = Seen(seed)
    beginner = Trying(TERMS, joins=True)
    first = film.moves[0]
    assert isinstance(beginner.begin(film.scene(0)), tuple)
    assert isinstance(beginner.begin(film.scene(0, by=3 - first.player)), tuple)
    scene = film.scene(1, by=first.player)
    game = beginner.begin(scene)
    assert isinstance(game, History)
    assert not beginner.doubt()
    verdict = Follower.of(game).see(scene)
    assert isinstance(verdict, Ruled)
    assert verdict.happened[0].text == first.text


@pytest.mark.parametrize("moves", [1, 2, 3])
def test_a_game_in_progress_is_joined_with_its_next_move(moves: int) -> None:
    """Also with tiles on the table: the move that comes next names its player."""
    for seed in range(4):
        film = Seen(seed)
        beginner = Trying(TERMS, joins=True)
        assert isinstance(beginner.begin(film.scene(moves)), tuple)
        following = film.moves[moves]
        scene = film.scene(moves + 1, by=following.player)
        game = beginner.begin(scene)
        assert isinstance(game, History)
        verdict = Follower.of(game).see(scene)
        assert isinstance(verdict, Ruled)
        assert verdict.happened[0].text.startswith(f"{following.player}: ")


def test_a_first_mover_whom_nobody_saw_is_said_to_be_unknown() -> None:
    """Names are then given by turns, and that is said."""
    film = Seen(1)
    beginner = Trying(TERMS, joins=True)
    beginner.begin(film.scene(0))
    assert isinstance(beginner.begin(film.scene(1)), History)
    assert (
        beginner.doubt() == "Whose hand made the first move was not seen: whoever it was is called Ann here."
    )


def test_a_first_mover_whom_nobody_saw_counts_as_the_one_who_came_first() -> None:
    """Both players' hands were there: that, too, is said."""
    film = Seen(1)
    beginner = Trying(TERMS, joins=True)
    beginner.begin(film.scene(0))
    game = beginner.begin(replace(film.scene(1), came=2))
    assert isinstance(game, History)
    verdict = Follower.of(game).see(replace(film.scene(1), came=2))
    assert isinstance(verdict, Ruled)
    assert verdict.happened[0].text.startswith("2: ")
    assert [one.partition(":")[0] for one in verdict.alike] == ["1"]
    assert (
        beginner.doubt() == "Whose hand made the first move was not seen: Bo's came first, and it counts as "
        "that player's."
    )


def test_what_was_unknown_of_another_beginning_is_not_told_again() -> None:
    """Once people have the table taken as it is, it no longer matters who moved first."""
    film = Seen(1)
    beginner = Trying(TERMS, joins=True)
    beginner.begin(film.scene(0))
    game = beginner.begin(film.scene(1))
    assert isinstance(game, History)
    assert beginner.doubt()
    scene = film.scene(2, by=1)
    after, taken = beginner.beginner.take_up(scene, game, Follower.of(game), Follower.of(game).see(scene))
    assert isinstance(taken, History)
    assert "was not seen" not in after.doubt()


def test_what_was_hardly_seen_of_a_table_is_not_told_of_a_game_that_begins_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The table was looked at as one of a game in progress, and then set up for a new one."""
    monkeypatch.setattr("engine.dominoes_of_war.adopted.hardly_seen", lambda *_: FIELD[:1])
    war = Agreed("dominoes-of-war")
    beginner, table, book = Trying(war, joins=True), Table(4), rulebook(war.game)
    state = State.from_json(write(war.game, seed=4, moves=1).states[0])
    assert not isinstance(beginner.begin(table.scene(book.layout(state))), History)
    assert beginner.doubt().startswith("The tile on")
    assert isinstance(beginner.begin(table.scene(book.layout(book.start()))), History)
    assert not beginner.doubt()


def test_of_a_first_move_that_nobody_saw_made_it_is_said_who_was_thought_of(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where it may have been the other player's; where it cannot, nothing is left to say."""
    film = Seen(1)
    scene, follow = film.scene(1), Follower.see
    others: tuple[Verdict, ...] = (Question("", ()), OutOfStep(()))
    for other, said in zip(others, ("whoever it was is called Bo here.", ""), strict=True):

        def see(follower: Follower, scene: Scene, other: Verdict = other) -> Verdict:
            told = follow(follower, scene)
            return other if isinstance(told, Ruled) and told.happened[0].text.startswith("1") else told

        beginner = Trying(TERMS, joins=True)
        beginner.begin(film.scene(0))
        with monkeypatch.context() as patch:
            patch.setattr(Follower, "see", see)
            assert isinstance(beginner.begin(scene), History)
        assert beginner.doubt().endswith(said)
        assert bool(beginner.doubt()) == bool(said)


def test_a_film_in_which_nobody_moves_still_shows_a_game() -> None:
    """At its end the table is taken as it lies."""
    film = Seen(2)
    beginner = Trying(TERMS, joins=True)
    assert beginner.beginner.last()[1] is None
    beginner.begin(film.scene(0))
    _, game = beginner.beginner.last()
    assert isinstance(game, History)
    assert not game.steps


def test_where_people_are_at_the_table_they_are_guided_and_nothing_is_joined() -> None:
    """A table that is not set up is told what it lacks."""
    film = Seen(2)
    found = Trying(TERMS).begin(film.scene(2))
    assert isinstance(found, tuple)
    assert found[0] == "The table is not set up yet."


def test_what_was_done_before_the_table_could_be_followed_is_said_to_be_unknown() -> None:
    """Hands came before it could be taken as it lay; why it could not be taken was said."""
    war = Agreed("dominoes-of-war")
    beginner = Trying(war, joins=True)
    state = State.from_json(write(war.game, seed=4, moves=1).states[0])
    scene = Table(4).scene(rulebook(war.game).layout(state), visits=1)
    bare = replace(scene, sightings=tuple(one for one in scene.sightings if one.kind != "domino"))
    refused = beginner.begin(bare)
    assert not isinstance(refused, History)
    assert refused == (
        "The table cannot be taken as it is.",
        "No tile is seen on a1 (and on 63 places more).",
    )
    taken = beginner.begin(scene)
    assert not isinstance(taken, History)
    assert taken[0].startswith("What was done before")


def test_a_move_that_lay_there_before_the_first_look_is_not_judged_when_it_is_taken_back() -> None:
    """What leads back would be an illegal move; the game goes on from where it leads."""
    war = Agreed("dominoes-of-war")
    script = next(
        one
        for one in (write(war.game, seed=seed, moves=2, illegal=1.0, stands=0.0) for seed in range(20))
        if one.events[0].status == "illegal" and "move" in one.events[0].text
    )
    move, table = script.events[0], Table(4)
    lies = table.scene(move.after, by=move.player, visits=1)
    beginner = Trying(war, joins=True)
    assert not isinstance(beginner.begin(replace(lies, sightings=())), History)
    assert not isinstance(beginner.begin(lies), History)
    back = table.scene(move.before, by=move.player, visits=1)
    taken = beginner.begin(back)
    assert not isinstance(taken, History)
    assert taken[0].startswith("What was done before")
    assert beginner.begin(back) == (taken[1],)


def test_a_move_that_lay_there_before_the_first_look_is_gone_on_with_when_its_tile_is_shown() -> None:
    """A man on a closed tile has just come; with the tile turned it is known that he did, and may."""
    war = Agreed("dominoes-of-war")
    scripts = (write(war.game, seed=seed, moves=2, illegal=0.0) for seed in range(20))
    script = next(one for one in scripts if [each.kind for each in one.events[:2]] == ["move", "fact"])
    move, fact, table = script.events[0], script.events[1], Table(4)
    beginner = Trying(war, joins=True)
    lies = table.scene(move.after, by=move.player, visits=1)
    assert not isinstance(beginner.begin(replace(lies, sightings=())), History)
    told = beginner.begin(lies)
    assert not isinstance(told, History)
    assert told[0].startswith("What was done before")
    game = beginner.begin(table.scene(fact.after, visits=1))
    assert isinstance(game, History)
    assert rulebook(war.game).pending(game.state) == "tile"


def test_a_table_that_nobody_can_be_asked_about_counts_as_it_seems_after_a_few_looks() -> None:
    """A wall is nowhere to be seen: a recording is followed on all the same, and that is said."""
    war = Agreed("dominoes-of-war")
    script, table = write(war.game, seed=4, moves=1), Table(4)
    layout, move = script.start, script.events[0]
    scene = table.scene(layout)
    lacking = next(one for one in scene.sightings if one.kind == "wall")
    bare = replace(scene, sightings=tuple(one for one in scene.sightings if one is not lacking))
    beginner = Trying(war, joins=True)
    refused = beginner.begin(bare)
    assert not isinstance(refused, History)
    assert "walls" in refused[1]
    waiting = beginner.begin(bare)
    assert not isinstance(waiting, History)
    assert waiting[0].startswith("Who moves first")
    moved = table.scene(move.after, by=move.player, visits=1)
    after = tuple(one for one in moved.sightings if one.kind != "wall" or one.x != lacking.x)
    game = beginner.begin(replace(moved, sightings=after))
    assert isinstance(game, History)
    assert beginner.doubt().startswith("Not seen for sure, and taken as it seems: a wall in the discard")


def test_a_stain_that_looks_a_little_like_a_soldier_keeps_nobody_waiting() -> None:
    """It was there from the start, now clearer and now fainter, and no hand was; the first move is seen."""
    war = Agreed("dominoes-of-war")
    script, table = write(war.game, seed=4, moves=1), Table(4)
    move, scene = script.events[0], table.scene(script.start, visits=0)
    man = next(one for one in scene.sightings if one.kind == "soldier" and one.owner == move.player)
    stain = replace(man, x=4.96, y=2.08, region="board", ref="", guesses=())
    beginner = Trying(war, joins=True)
    for presence in (0.5, 0.7, 0.6, 0.72):
        seen = replace(scene, sightings=(*scene.sightings, replace(stain, presence=presence)))
        told = beginner.begin(seen)
        assert not isinstance(told, History)
        assert told[0].startswith("Who moves first")
    assert [one.presence for one in beginner.beginner.stains()] == [0.5]
    moved = table.scene(move.after, visits=1)
    game = beginner.begin(replace(moved, sightings=(*moved.sightings, replace(stain, presence=0.7))))
    assert isinstance(game, History)


def test_what_seems_to_come_to_a_table_at_which_nobody_was_is_no_piece() -> None:
    """A patterned cloth looks like a tile here and there, however clearly; the first move is seen."""
    draw = Agreed("draw-game")
    script, table = write(draw.game, seed=3, moves=1), Table(2)
    move, scene = script.events[0], table.scene(script.start, visits=0)
    pattern = Sighting(
        "domino", "board", 6.0, -5.0, 90.0, guesses=(Guess({"pips": [2, 4]}, 0.9),), presence=0.97
    )
    beginner = Trying(draw, joins=True)
    for x in (6.0, -8.0, 6.0):
        told = beginner.begin(replace(scene, sightings=(*scene.sightings, replace(pattern, x=x))))
        assert not isinstance(told, History)
        assert told[0].startswith("Who moves first")
    moved = table.scene(move.after, by=move.player, visits=1)
    assert isinstance(beginner.begin(replace(moved, sightings=(*moved.sightings, pattern))), History)


@pytest.mark.parametrize("seed", range(3, 9))
@pytest.mark.parametrize("missed", ["first", "last"])
def test_a_tile_that_one_look_missed_has_not_been_laid_where_nobody_was(seed: int, missed: str) -> None:
    """The table is as all looks have shown it, and the first move is the one that a hand makes."""
    draw = Agreed("draw-game")
    script, table = write(draw.game, seed=seed, moves=6, illegal=0.0), Table(2)
    *_, laid, after = [one for one in script.events if one.visible and one.kind == "move"]
    whole, before = (table.scene(layout, visits=0) for layout in (after.before, laid.before))
    lay = {(one.x, one.y) for one in before.sightings if one.region == "board"}
    new = next(one for one in whole.sightings if one.region == "board" and (one.x, one.y) not in lay)
    less = replace(whole, sightings=tuple(one for one in whole.sightings if one is not new))
    beginner = Trying(draw, joins=True)
    for scene in (less, whole) if missed == "first" else (whole, less, whole):
        told = beginner.begin(scene)
        assert not isinstance(told, History)
        assert told[0].startswith("Who moves first")
    moved = table.scene(after.after, by=after.player, visits=1)
    game = beginner.begin(moved)
    assert isinstance(game, History)
    assert not beginner.doubt()
    verdict = Follower.of(game).see(moved)
    assert isinstance(verdict, Ruled)
    assert [one.text for one in verdict.happened] == [after.text]


def test_where_it_cannot_even_be_thought_whose_a_soldier_is_no_game_is_joined() -> None:
    """However often it is looked at; people may tell."""
    war = Agreed("dominoes-of-war")
    scene = Table(4).scene(write(war.game, seed=4, moves=1).start)
    nobodys = tuple(
        replace(one, owner=None, guesses=()) if one.kind == "soldier" and one.region == "board" else one
        for one in scene.sightings
    )
    beginner = Trying(war, joins=True)
    for _ in range(5):
        told = beginner.begin(replace(scene, sightings=nobodys))
        assert not isinstance(told, History)
        assert told[0] == "The table cannot be taken as it is."


def test_nobody_is_given_a_move_that_was_not_seen_in_a_game_that_was_joined_late() -> None:
    """Moves were missed and then a hand: the game waits for one whose hand is seen, whoever sits where."""
    film = Seen(1, moves=10)
    beginner = Trying(TERMS, joins=True)
    beginner.begin(film.scene(0))
    once = beginner.begin(film.scene(6))
    assert not isinstance(once, History)
    assert once[0].startswith("Who moves first")  # it is looked at again before the thread is let go
    late = beginner.begin(film.scene(6))
    assert not isinstance(late, History)
    assert late[0].startswith("What was done before")
    assert not isinstance(beginner.begin(film.scene(7)), History)
    following = film.moves[7]
    game = beginner.begin(film.scene(8, by=following.player))
    assert isinstance(game, History)
    assert not beginner.doubt()
    verdict = Follower.of(game).see(film.scene(8, by=following.player))
    assert isinstance(verdict, Ruled)
    assert verdict.happened[0].text.startswith(f"{following.player}: ")


@pytest.mark.parametrize("seed", [3, 4, 5, 6])
def test_whose_soldiers_move_says_who_moves_though_no_hand_was_seen(seed: int) -> None:
    """With the other player to move, a turn must have been ended first; the plainer story counts."""
    war = Agreed("dominoes-of-war")
    script = write(war.game, seed=seed, moves=1, illegal=0.0)
    move = next(one for one in script.events if one.visible)
    table = Table(seed)
    beginner = Trying(war, joins=True)
    assert not isinstance(beginner.begin(table.scene(script.start)), History)
    scene = table.scene(move.after, visits=1)
    game = beginner.begin(scene)
    assert isinstance(game, History)
    verdict = Follower.of(game).see(scene)
    assert isinstance(verdict, Ruled)
    assert move.text in (verdict.happened[0].text, *verdict.happened[0].alike)


def test_what_the_rules_leave_no_doubt_about_is_said_where_it_was_hardly_seen() -> None:
    """A tile behind a wall: the game begins, and says what it took for granted."""
    war = Agreed("dominoes-of-war")
    script = write(war.game, seed=4, moves=1)
    scene = Table(4).scene(script.start)
    tile = next(one for one in scene.sightings if one.kind == "domino" and one.face == "down")
    guesses = (Guess(None, 0.98), Guess(None, 0.02, "up"))
    behind = replace(tile, presence=0.2, guesses=guesses)
    sightings = tuple(behind if one is tile else one for one in scene.sightings)
    beginner, taken = Beginner(war).adopt(replace(scene, sightings=sightings))
    assert isinstance(taken, History)
    assert beginner.doubt().endswith("cannot be told for sure; it is taken to lie face down.")
