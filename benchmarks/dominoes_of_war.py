"""How fast the rule book of Dominoes of War is: turns of random play, and rulings against python-chess."""

import time
from collections.abc import Callable
from random import Random

import chess

from engine.dominoes_of_war import DominoesOfWar
from engine.dominoes_of_war.model import March, Shoot, WarMove, WarState
from engine.dominoes_of_war.places import FIELD
from engine.profile import Profile

SEED = 7
GAMES = 8
CASES = 400
ASKED = 500.0
MIDDLE = range(30, 200)
"""The turns that are called the middle of a game."""
ROUNDS = 5
BOOK = DominoesOfWar(Profile.parse("default+draw=never"))

Row = dict[str, str | float]


def measure() -> list[Row]:
    """Rows for the table: ours and the reference per second, their ratio and the least it should be."""
    openings = [_opening(Random(SEED + game)) for game in range(GAMES)]
    turns = sum(turn for _, turn in _played(openings))
    rate = turns / min(_seconds(lambda: _played(openings)) for _ in range(ROUNDS))
    rows = [_row("full turns of random play, moves listed", rate, (ASKED, "the turns asked for"), 1, turns)]
    refused = _refused(openings)
    listed = sum(len(BOOK.legal_moves(state)) for state, _ in refused) / len(refused)
    boards, sans = _chess_middle_games()
    parse, check = _fastest_of_two(
        lambda: [board.parse_san(san) for board, san in zip(boards, sans, strict=True)],
        lambda: [BOOK.check(state, move) for state, move in refused],
    )
    against = (len(boards) / parse, "python-chess, SAN parsed")
    name = f"refusals explained, {listed:.0f} legal moves each"
    return [*rows, _row(name, len(refused) / check, against, 1 / 20, len(refused))]


def _row(name: str, ours: float, reference: tuple[float, str], floor: float, n: int) -> Row:
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


def _step(state: WarState, rng: Random) -> WarState:
    if BOOK.pending(state):
        return BOOK.observe(state, BOOK.sample(state, rng))
    return BOOK.apply(state, rng.choice(BOOK.legal_moves(state)))


def _opening(rng: Random) -> WarState:
    """The first turn of a game whose set-up was played at random."""
    state = BOOK.start(rng=rng)
    while state.phase != "act":
        state = _step(state, rng)
    return state


def _played(openings: list[WarState]) -> list[tuple[WarState, int]]:
    """Random play from these openings for at most 400 turns: the last states and their turns."""
    ends: list[tuple[WarState, int]] = []
    for game, opening in enumerate(openings):
        rng, state, turns = Random(game), opening, 0
        while state.phase != "over" and turns < 400:
            before, state = state.turn, _step(state, rng)
            turns += state.turn != before
        ends.append((state, turns))
    return ends


def _refused(openings: list[WarState]) -> list[tuple[WarState, WarMove]]:
    """Illegal moves and attacks at the beginnings of turns in the middle of random games."""
    rng = Random(SEED)
    cases: list[tuple[WarState, WarMove]] = []
    while len(cases) < CASES:
        state, turns = rng.choice(openings), 0
        while state.phase != "over" and turns < MIDDLE.stop and len(cases) < CASES:
            if turns in MIDDLE and state.phase == "act" and state.actions == 0 and not state.offered:
                cases.append((state, _misplayed(state, rng)))
            before, state = state.turn, _step(state, rng)
            turns += state.turn != before
    return cases


def _misplayed(state: WarState, rng: Random) -> WarMove:
    """A move or attack by a troop of the player to move that no rule allows."""
    own = [troop.at for troop in state.troops if troop.side == state.turn]
    while True:
        at, to = rng.choice(own), rng.choice(FIELD)
        move = rng.choice((March(state.turn, at, to), Shoot(state.turn, at, frozenset({to}))))
        if not BOOK.judge(state, move).allowed:
            return move


def _chess_middle_games() -> tuple[list[chess.Board], list[str]]:
    rng = Random(SEED)
    boards: list[chess.Board] = []
    sans: list[str] = []
    while len(boards) < CASES:
        board = chess.Board()
        for _ in range(rng.randint(20, 50)):
            moves = list(board.legal_moves)
            if not moves:
                break
            board.push(rng.choice(moves))
        moves = list(board.legal_moves)
        if moves:
            boards.append(board.copy(stack=False))
            sans.append(board.san(rng.choice(moves)))
    return boards, sans
