"""Direction: after every event of a real game the table holds just what the rule book says it should."""

import itertools
import math
from dataclasses import replace

import pytest

from engine import GAMES
from engine.layout import Spot
from simulation.director import FilmTake, TableManners, direct
from simulation.gestures import Player
from simulation.makes import DuelLook
from simulation.script import Script, write
from simulation.setting import TableSetting
from simulation.tabletop import pair

CALM = TableManners(idle=0, together=0, nudge=0)


def directed(
    game: str, seed: int, moves: int, manners: TableManners, illegal: float = 0.15
) -> tuple[Script, FilmTake]:
    """A game, directed."""
    script = write(game, seed=seed, moves=moves, illegal=illegal)
    return script, direct(script, TableSetting(game, seed), seed, manners)


def assert_table(player: Player, t: float, spots: dict[str, Spot], setting: TableSetting) -> None:
    """The pieces lie where a layout says, showing what it says, a hand's carelessness allowed for."""
    world = {n: p for n, p in player.at(t).items() if not n.startswith("board tile")}
    assert world.keys() == spots.keys()
    for name, spot in spots.items():
        piece = world[name]
        assert (piece.kind, piece.face) == (spot.kind, spot.face)
        if spot.value is not None and spot.kind != "sheet":
            shown = dict(piece.value or {})
            assert all(shown.get(key) == value for key, value in spot.value.items() if value is not None), (
                name
            )
        if spot.x is not None and spot.y is not None:
            x, y = setting.plan.regions[spot.region].place_mm(spot.x, spot.y)
            assert math.dist((piece.x_mm, piece.y_mm), (x, y)) < 12, name
            assert not player.moving


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(3))
def test_every_event_leaves_the_table_as_the_rule_book_has_it(game: str, seed: int) -> None:
    """Moves, facts, illegal moves and their taking back: names, faces, values and places agree each time."""
    assert_followed(game, seed, 25)


@pytest.mark.long
@pytest.mark.plain
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(100, 130))
def test_long_games_are_followed_too(game: str, seed: int) -> None:
    """The same for games of 150 moves, many of which end."""
    assert_followed(game, seed, 150)


def assert_followed(game: str, seed: int, moves: int) -> None:
    """After every event of a game the table is as the rule book has it."""
    script, take = directed(game, seed, moves, CALM)
    setting = TableSetting(game, seed)
    player = Player(take.reel)
    told = [episode for episode in take.episodes if episode.event is not None]
    assert len(told) == len(script.events)
    for episode in told:
        event = episode.event
        assert event is not None
        after = {spot.name: spot for spot in setting.spots(event.after)}
        assert_table(player, episode.end + 0.04, after, setting)
        if episode.back:
            before = {spot.name: spot for spot in setting.spots(event.before)}
            assert_table(player, episode.back[1] + 0.04, before, setting)


@pytest.mark.parametrize("game", GAMES)
def test_needless_hands_change_nothing(game: str) -> None:
    """Pointing, resting, touching and reaching in together leave the same table as calm play does."""
    busy = TableManners(idle=1.0, together=1.0, nudge=0)
    tables = []
    for manners in (CALM, busy):
        _, take = directed(game, 4, 8, manners)
        tables.append(Player(take.reel).at(take.reel.end + 1))
    assert tables[0].keys() == tables[1].keys()
    for name, piece in tables[0].items():
        assert replace(tables[1][name], z_mm=piece.z_mm) == piece


def test_hands_come_in_many_ways() -> None:
    """In a lively film hands point, rest, touch and hover, and both players' hands are seen at once."""
    _, take = directed("dominoids", 5, 40, TableManners(idle=0.7, together=0.5))
    kinds = {episode.kind for episode in take.episodes}
    assert kinds >= {"move", "fact", "point", "rest", "touch", "hover"}
    moments = [k * 0.1 for k in range(int(take.reel.end * 10))]
    assert any(len({hand.player for hand in take.reel.hands_at(t)}) == 2 for t in moments)
    assert any(not take.reel.hands_at(t) for t in moments)


def test_neighbours_are_nudged_and_it_is_told() -> None:
    """A careless player knocks against pieces: a few millimetres, written down with the move."""
    _, take = directed("draw-game", 6, 25, TableManners(idle=0, together=0, nudge=1.0), illegal=0)
    nudged = [(episode, name) for episode in take.episodes for name in episode.nudged]
    assert len(nudged) >= 5
    for episode, name in nudged[:5]:
        track = next(
            t for t in take.reel.pieces if t.name == name and episode.start <= t.start <= episode.end
        )
        assert track.after is not None
        old = track.keys[0].piece
        assert 0.3 < math.dist((old.x_mm, old.y_mm), (track.after.x_mm, track.after.y_mm)) < 4


def test_moves_do_not_overlap_and_the_table_rests_between() -> None:
    """Each move begins after the last has ended, at least half a second later."""
    _, take = directed("kingdomino-duel", 7, 20, TableManners())
    spans = sorted(
        (e.start, e.back[1] if e.back else e.end) for e in take.episodes if e.kind in ("move", "fact")
    )
    assert all(b[0] - a[1] > 0.5 for a, b in itertools.pairwise(spans))


def coin(name: str, x: float, y: float, *, face: str = "down", region: str = "board") -> Spot:
    """A coin of a layout."""
    shown = {"suit": name.split()[1], "value": None} if face == "down" else {"suit": None, "value": 3}
    return Spot(name, "coin", face, shown, region, x, y)  # type: ignore[arg-type]


def test_things_are_told_apart_from_their_names() -> None:
    """When the first of two coins is eaten, the second takes its name but stays where it lies."""
    before = [coin("coin suns", 1, 3), coin("coin suns 2", 3, 4)]
    after = [coin("coin suns", 3, 4), coin("coin suns of value 3", 0, 0, face="up", region="player 1")]
    pairs = {(a.name, b.name) for a, b in pair(before, after) if a and b}
    assert pairs == {("coin suns 2", "coin suns"), ("coin suns", "coin suns of value 3")}


def test_a_coin_from_a_stack_is_its_top_one_and_other_suits_are_left_alone() -> None:
    """What is put on the board comes from the stack of its own suit."""
    stack = [
        coin(f"stack {suit} {k}", 0, 0, region=f"stack-{suit}")
        for suit in ("suns", "moons")
        for k in range(3)
    ]
    after = [spot for spot in stack if spot.name != "stack moons 2"] + [coin("coin moons", 4, 4)]
    moved = [(a.name, b.name) for a, b in pair(stack, after) if a and b and a.name != b.name]
    assert moved == [("stack moons 2", "coin moons")]


def test_dice_that_nobody_has_thrown_yet_are_the_right_make() -> None:
    """The Duel's dice lie in the middle before the first roll, and look like themselves."""
    script = write("kingdomino-duel", seed=1, moves=1)
    assert script.setup["stage"] == "roll"
    dice = [piece for piece in TableSetting("kingdomino-duel", 1).pieces(script.start) if piece.kind == "die"]
    assert len(dice) == 4
    assert all(isinstance(piece.look, DuelLook) for piece in dice)
