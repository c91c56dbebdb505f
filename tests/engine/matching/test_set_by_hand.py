"""Pieces set by hand: a correction of the record that the rule book can hold, or a sentence."""

from random import Random

import pytest

from engine import BadNotation, CannotStand, State
from engine.history import History
from engine.matching import set_by_hand
from engine.plain import JsonObject
from simulation.script import write


def going(game: str, moves: int = 12, seed: int = 3) -> History:
    """A game in its midst."""
    script = write(game, seed=seed, moves=moves)
    history = History.begin(game, seed=5)
    return history.put(State.from_json(script.states[-1]), "a game that goes on")


def after(history: History, *lines: str) -> JsonObject:
    """The state in plain form after these lines."""
    for line in lines:
        history = set_by_hand(history, line)
    assert History.of(history_record(history)).state == history.state
    return history.state.to_json()


def history_record(history: History):  # type: ignore[no-untyped-def]
    """The record, as it is read again."""
    from engine.record import read, write

    return read(write(history.header, history.entries))


def test_tiles_of_the_draw_game() -> None:
    """A tile at an end, one off the line, hands, points and the turn; nobody has moved."""
    game = History.begin("draw-game").fact("see lot 3-4 / 5-6").fact("see deal hidden / hidden")
    down = set_by_hand(game, "put 2-5 east")
    assert down.book.layout(down.state).by_name().keys() == {"2-5"}
    more = set_by_hand(down, "put 5-5 east")
    assert more.book.layout(more.state).hidden == {"boneyard": 6, "hand-1": 11, "hand-2": 9}
    assert more.book.movers(more.state) == game.book.movers(game.state)
    back = set_by_hand(more, "put 5-5 away")
    assert back.book.layout(back.state).hidden == down.book.layout(down.state).hidden
    wrong = set_by_hand(down, "put 0-1 west")
    assert "0-1" in wrong.book.layout(wrong.state).by_name()
    told = after(more, "put hand-1 4", "put points-1 35", "put points-2 10", "put points-2 0", "put turn 1")
    assert (told["mover"], told["hands"][0]["hidden"]) == (1, 4)  # type: ignore[index, call-overload]
    assert [line["points"] for line in told["lines"]] == [35]  # type: ignore[union-attr, index, call-overload]


def test_an_open_hand_gives_the_tile_that_is_put() -> None:
    """What is known to be in a hand is laid from it, and a hand holds no fewer than are known."""
    game = History.begin("draw-game", seed=4)
    tile = game.state.to_json()["hands"][1]["tiles"][0]  # type: ignore[index, call-overload]
    laid = after(game, f"put {tile} east")
    assert tile not in laid["hands"][1]["tiles"]  # type: ignore[index, call-overload, operator]
    with pytest.raises(BadNotation, match="11 tiles are known"):
        set_by_hand(game, "put hand-1 3")


def test_pieces_of_dominoids() -> None:
    """Dominoes, pawns, coins and dice."""
    game = History.begin("dominoids", seed=3)
    coins = ("put coin suns d1", "put coin moons 3 e1", "put coin suns 4 hand-1")
    dice = ("put die suns 3 new", "put die moons 2 old")
    told = after(game, "put 5-5 a1 a2", "put pawn suns h8", *coins, *dice, "put turn 2")
    assert told["dominoes"]["5-5"] == ["a1", "a2"]  # type: ignore[index, call-overload]
    assert told["pawns"]["suns"] == "h8"  # type: ignore[index, call-overload]
    assert {"square": "e1", "suit": "moons", "value": 3} in told["coins"]  # type: ignore[operator]
    assert told["collected"][0]["suns"] == [4]  # type: ignore[index, call-overload]
    assert (told["new"], told["player"]) == (["suns"], 2)
    assert told["dice"]["suns"] == "3"  # type: ignore[index, call-overload]
    gone = after(game, "put 5-5 a1 a2", "put 5-5 pool", "put coin suns d1", "put coin d1 away")
    assert gone == game.state.to_json()


def test_pieces_of_dominoes_of_war() -> None:
    """Soldiers, walls, tiles, the turn; who is off the board is in the pool or lost."""
    game = going("dominoes-of-war")
    told = game.state.to_json()
    men = told["troops"]
    assert isinstance(men, list)
    at, kind, side = str(men[0]["at"]), str(men[0]["kind"]), men[0]["side"]  # type: ignore[index]
    lost = after(game, f"put soldier {at} discard")
    assert lost["discarded"][side - 1][kind] == 1 + told["discarded"][side - 1][kind]  # type: ignore
    assert at not in [one["at"] for one in lost["troops"]]  # type: ignore[union-attr, index]
    again = after(game, f"put soldier {at} pool", f"put {kind} {side} {at}")
    assert again["pools"] == told["pools"]
    free = next(f"{x}{y}" for x in "abcdefgh" for y in range(1, 9)
                if f"{x}{y}" not in [one["at"] for one in men])  # type: ignore[index, call-overload]  # fmt: skip
    moved = after(game, f"put soldier {at} {free}", f"put tile {free} 0-9", "put turn 2", "put actions 1")
    assert moved["field"][free] == "0-9"  # type: ignore[index, call-overload]
    assert (moved["turn"], moved["actions"]) == (2, 1)
    assert free not in after(game, f"put tile {free} 0-9", f"put tile {free} down")["field"]  # type: ignore[operator]
    wall = game.state.to_json()["walls"][0]  # type: ignore[index, call-overload]
    assert wall not in after(game, f"put wall {wall} discard")["walls"]  # type: ignore[operator]
    other = next(f"{x}1/{x}2" for x in "abcdefgh" if f"{x}1/{x}2" not in told["walls"])  # type: ignore[operator]
    assert other in after(game, f"put wall {wall} {other}")["walls"]  # type: ignore[operator]


def test_a_soldier_set_while_a_tile_is_due_leaves_an_action() -> None:
    """What was waited for was about another table."""
    script = write("dominoes-of-war", seed=3, moves=20)
    states = [State.from_json(data) for data in script.states]
    due = next(one for one in states if one.to_json()["phase"] == "tile")
    game = History.begin("dominoes-of-war").put(due, "so")
    focus = due.to_json()["focus"]
    assert after(game, f"put soldier {focus} pool")["phase"] == "act"


def test_dice_and_squares_of_the_duel() -> None:
    """Who has which die, what it shows, and what is drawn."""
    game = History.begin("kingdomino-duel").fact("see oldest 1").fact("see roll D1 d D ?")
    told = after(game, "put die 1 1", "put die 2 D1", "put turn 2")
    assert (told["dice"][0]["taker"], told["dice"][1]["shows"], told["a"]) == (1, "D1", 2)  # type: ignore
    assert after(game, "put die 1 1", "put die 1 middle")["dice"] == game.state.to_json()["dice"]
    drawn = after(game, "put d1@r3c5 1")
    assert drawn["players"][0] != game.state.to_json()["players"][0]  # type: ignore[index, call-overload]
    assert after(game, "put d1@r3c5 1", "put empty@r3c5 1") == game.state.to_json()
    rolls = History.begin("kingdomino-duel").fact("see oldest 1")
    assert after(rolls, "put d1@r3c5 1")["stage"] in ("roll", "over")


@pytest.mark.parametrize(
    ("game", "line", "words"),
    [
        ("draw-game", "put 2-5 there", "write put 2-5 east"),
        ("draw-game", "put 2-5 away", "does not lie on the table"),
        ("draw-game", "put hand-1 28", "cannot be"),
        ("dominoids", "put cup d4", "write put 2-5 c3 c4"),
        ("dominoids", "put coin cups d4", "No coin"),
        ("dominoids", "put coin", "No coin"),
        ("dominoids", "put 2-5 c3 h8", "neighbouring squares"),
        ("dominoids", "put turn x", "cannot be"),
        ("dominoes-of-war", "put cup", "write put soldier"),
        ("dominoes-of-war", "put soldier z9 d4", "No soldier stands on z9"),
        ("dominoes-of-war", "put wall a1/a2 discard", "No wall stands"),
        ("dominoes-of-war", "put tile d4 99-99", "cannot be"),
        ("kingdomino-duel", "put cup", "write put die 3"),
        ("kingdomino-duel", "put turn 3", "write put die 3"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(game: str, line: str, words: str) -> None:
    """The record stays as it is."""
    history = going(game) if game == "dominoes-of-war" else History.begin(game, seed=Random(3).randrange(9))
    with pytest.raises((BadNotation, CannotStand), match=words):
        set_by_hand(history, line)


@pytest.mark.usefixtures("toy_game")
def test_a_game_without_such_pieces_says_so() -> None:
    """Nothing can be set there."""
    with pytest.raises(BadNotation, match="No piece of this game"):
        set_by_hand(History.begin("toy"), "put counter 3")
