"""How fast the rule book of Dominoids is: turns of random play, and rulings against python-chess."""

import time
from collections.abc import Callable
from random import Random

import chess

from engine.dominoids import DominoidsBook
from engine.dominoids.board import LIES
from engine.dominoids.model import (
    ACT,
    CONSEQUENCE,
    POOL,
    Agree,
    AnyMove,
    Birth,
    DominoidsState,
    MoveDominoid,
    laid_on,
)
from engine.profile import Profile

SEED = 7
TURNS = 4000
ASKED = 5000.0
ROUNDS = 5
BOOK = DominoidsBook(Profile())


def measure() -> list[dict[str, str | float]]:
    """Rows for the table: ours and the reference per second, their ratio and the least it should be."""
    turns = TURNS / min(_seconds(_random_play) for _ in range(ROUNDS))
    rows = [_row("turns of random play, moves listed", turns, (ASKED, "the turns asked for"), 1, TURNS)]
    positions, sans = _chess_middle_games()
    for name, refused in (("moves", _misplaced_moves()), ("births", _misplaced_births())):
        parse, check = _fastest_of_two(
            lambda: [board.parse_san(san) for board, san in zip(positions, sans, strict=True)],
            lambda refused=refused: [BOOK.check(state, move) for state, move in refused],
        )
        ours, reference = len(refused) / check, len(positions) / parse
        against = (reference, "python-chess, SAN parsed")
        rows.append(_row(f"refused {name} explained", ours, against, 1 / 20, len(refused)))
    return rows


def _row(
    name: str, ours: float, reference: tuple[float, str], floor: float, n: int
) -> dict[str, str | float]:
    rate, against = reference
    return {
        "name": name,
        "ours": ours,
        "reference": rate,
        "against": against,
        "ratio": ours / rate,
        "floor": floor,
        "n": n,
    }


def _seconds(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return time.process_time() - begun


def _fastest_of_two(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """Both by turns, so that whatever else the machine does strikes them alike."""
    times = [(_seconds(one), _seconds(other)) for _ in range(ROUNDS)]
    return min(first for first, _ in times), min(second for _, second in times)


def _random_play() -> list[DominoidsState]:
    """Games of at most 400 turns, one after the other; every state in which somebody moved."""
    rng, states, turns = Random(SEED), list[DominoidsState](), 0
    while turns < TURNS:
        state = BOOK.start(rng=rng)
        while state.turn <= min(400, TURNS - turns) and BOOK.outcome(state) is None:
            if BOOK.pending(state):
                state = BOOK.observe(state, BOOK.sample(state, rng))
            else:
                states.append(state)
                moves = BOOK.legal_moves(state)
                while isinstance(move := rng.choice(moves), Agree):
                    pass  # an agreement would end the game
                state = BOOK.apply(state, move)
        turns += state.turn - 1
    return states


def _misplaced_moves() -> list[tuple[DominoidsState, AnyMove]]:
    """From the middle of games: a Dominoid moved to where it may not go."""
    rng = Random(SEED)
    cases: list[tuple[DominoidsState, AnyMove]] = []
    for state in rng.sample([state for state in _random_play() if state.stage == ACT], 500):
        number = rng.choice([number for number, lie in enumerate(state.dominoes) if lie != POOL])
        dice = [die for die in range(4) if (state.chosen & ~state.used) >> die & 1]
        cases.append((state, MoveDominoid(None, dice[0], laid_on(number, rng.choice(LIES)))))
    return [case for case in cases if not BOOK.judge(*case).allowed]


def _misplaced_births() -> list[tuple[DominoidsState, AnyMove]]:
    """From the middle of games, after a slide that offers children: one put where it may not be.

    Here the cost grows with what is offered: each legal child is compared with the refused one.
    """
    rng = Random(SEED)
    breeding = [
        state
        for state in _random_play()
        if state.stage == CONSEQUENCE
        and not state.turning
        and any(isinstance(move, Birth) for move in BOOK.legal_moves(state))
    ]
    cases: list[tuple[DominoidsState, AnyMove]] = [
        (state, Birth(None, laid_on(rng.choice(state.pool), rng.choice(LIES))))
        for state in rng.sample(breeding, min(300, len(breeding)))
    ]
    return [case for case in cases if not BOOK.judge(*case).allowed]


def _chess_middle_games() -> tuple[list[chess.Board], list[str]]:
    """Positions of random chess games after 20 to 60 half-moves, each with one of its moves in SAN."""
    rng = Random(SEED)
    boards: list[chess.Board] = []
    while len(boards) < 500:
        board = chess.Board()
        for _ in range(rng.randint(20, 60)):
            if board.is_game_over():
                break
            board.push(rng.choice(list(board.legal_moves)))
        if not board.is_game_over():
            boards.append(board)
    return boards, [board.san(rng.choice(list(board.legal_moves))) for board in boards]


def mean_offers() -> float:
    """How many legal moves there are on average where a child may be born."""
    breeding = [state for state, _ in _misplaced_births()]
    return sum(len(BOOK.legal_moves(state)) for state in breeding) / len(breeding)
