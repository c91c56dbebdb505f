"""How fast the rule book of the Draw Game is: random deals against domino programs, rulings against chess."""

import random
import time
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random

import chess
import dominoes
import pyspiel
from open_spiel.python.games import block_dominoes  # noqa: F401 (importing it registers the game)

from engine.draw_game import DrawGame
from engine.draw_game.model import TILES, Arm, DrawMove, DrawState, Play, board_tiles
from engine.profile import Profile

SEED = 7
DEALS = 150
"""Deals in one round."""
ROUNDS = 20
FEW, MANY = 8, 16
"""A table with at most so many tiles is early, one with at least so many is late."""

Playout = Callable[[Random], int]


def measure() -> Iterator[dict[str, str | float]]:
    """Rows for the table: ours and the reference per second, their ratio and the least it should be."""
    for hand in (11, 9, 7):
        book = DrawGame(Profile(changes=(("hand", hand),)))
        yield from _against(book, hand, "dominoes 6.1.0", _package_playout, 1.0)
        if hand != 9:
            yield from _against(book, hand, "python_block_dominoes", _spiel_playout(), 4.0)
    yield from _rulings()


def _against(
    book: DrawGame, hand: int, against: str, reference: Playout, floor: float
) -> Iterator[dict[str, str | float]]:
    def ours(rng: Random) -> int:
        return _playout(book, rng)

    pairs = list(_rounds(ours, reference))
    for column, name in ((0, "random deals"), (1, "random moves")):
        mine, theirs = (max(pair[side][column] for pair in pairs) for side in (0, 1))
        yield {
            "name": f"hands of {hand}: {name}, legal moves listed",
            "ours": mine,
            "reference": theirs,
            "against": against,
            "ratio": mine / theirs,
            "floor": floor,
            "n": DEALS * ROUNDS,
            "note": "does not grow with the position, but for the copied history: a few ns an event",
        }


def _rounds(ours: Playout, reference: Playout) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """Deals and moves per second of both, by turns, so that other work of the machine strikes both alike.

    Every round plays the same deals, so that the best round is the one that was least disturbed.
    """
    for _ in range(ROUNDS):
        random.seed(SEED)  # the package draws from the global generator
        yield _rate(ours, Random(SEED)), _rate(reference, Random(SEED))


def _rate(playout: Playout, rng: Random) -> tuple[float, float]:
    begun = time.process_time()
    moves = sum(playout(rng) for _ in range(DEALS))
    spent = time.process_time() - begun
    return DEALS / spent, moves / spent


def _playout(book: DrawGame, rng: Random) -> int:
    """A deal of the Draw Game to its end; the number of moves made."""
    state, moves = book.start(rng=rng), 0
    legal_moves, play, drawn = book.legal_moves, book.play, rng.random
    while True:
        listed = legal_moves(state)
        if listed:
            state = play(state, listed[int(drawn() * len(listed))])
            moves += 1
        elif book.pending(state) == "drawn":
            state = book.observe(state, book.sample(state, rng))
        else:
            return moves


def _package_playout(rng: Random) -> int:
    """A game of four to its end by the package; passes are not counted, as it makes them by itself."""
    game, moves, drawn = dominoes.Game.new(), 0, rng.random
    while game.result is None:
        listed = game.valid_moves
        game.make_move(*listed[int(drawn() * len(listed))])
        moves += 1
    return moves


def _spiel_playout() -> Playout:
    game = pyspiel.load_game("python_block_dominoes")

    def playout(rng: Random) -> int:
        state, moves, drawn = game.new_initial_state(), 0, rng.random
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes = state.chance_outcomes()
                state.apply_action(outcomes[int(drawn() * len(outcomes))][0])
            else:
                listed = state.legal_actions()
                state.apply_action(listed[int(drawn() * len(listed))])
                moves += 1
        return moves

    return playout


# — rulings —


def _rulings() -> Iterator[dict[str, str | float]]:
    """Explained refusals on tables with few and with many tiles, against SAN parsed in middle games."""
    book = DrawGame(Profile())
    games = list(_chess_middle_games())
    early, late = (list(islice(_refused(book, few=few), 400)) for few in (True, False))
    rates: dict[str, list[float]] = {"early": [], "late": [], "san": []}
    for _ in range(ROUNDS):
        for name, refused in (("early", early), ("late", late)):
            rates[name].append(_per_second(len(refused), lambda refused=refused: _check_all(book, refused)))
        rates["san"].append(_per_second(len(games), lambda: [board.parse_san(san) for board, san in games]))
    for name, tiles in (("early", f"{FEW} tiles or fewer"), ("late", f"{MANY} tiles or more")):
        ours, reference = max(rates[name]), max(rates["san"])
        yield {
            "name": f"refused moves explained, {tiles} on the table",
            "ours": ours,
            "reference": reference,
            "against": "python-chess, SAN parsed",
            "ratio": ours / reference,
            "floor": 1 / 20,
            "n": 400 * ROUNDS,
            "note": "grows with the tiles on the table times the legal moves compared",
        }


def _per_second(count: int, work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return count / (time.process_time() - begun)


def _check_all(book: DrawGame, refused: list[tuple[DrawState, DrawMove]]) -> None:
    for state, move in refused:
        book.check(state, move)


def _refused(book: DrawGame, *, few: bool) -> Iterator[tuple[DrawState, DrawMove]]:
    """Positions of random deals, each with a tile that does not match or is not there to play."""
    rng = Random(SEED)
    while True:
        state = book.start(rng=rng)
        while listed := book.legal_moves(state):
            state = book.play(state, rng.choice(listed))
            if book.pending(state) == "drawn":
                state = book.observe(state, book.sample(state, rng))
            laid = board_tiles(state.history).bit_count()
            tile = rng.choice(TILES)
            move = Play(tile, tile.low, rng.choice(tuple(Arm)))
            if (laid <= FEW if few else laid >= MANY) and not book.judge(state, move).allowed:
                yield state, move


def _chess_middle_games() -> Iterator[tuple[chess.Board, str]]:
    """Positions after 30 random plies, each with a legal move in SAN."""
    rng = Random(SEED)
    for _ in range(100):
        board = chess.Board()
        while board.ply() < 30 and not board.is_game_over():
            board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            yield board, board.san(rng.choice(list(board.legal_moves)))
